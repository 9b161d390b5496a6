/* What the nodes of one of several files use of the others.
 *
 * A file comes with its links: the places where it names another one, and the space of what that
 * declares (outline.h).  Three things lead to other files:
 *   the statement of a link needs the file that is named, and names in it are looked up in the
 *     space of that file: `from m import f`
 *   names in an import that no link is in are looked up in all spaces: `use crate::m::f`
 *   names that this file does not declare are looked up in all spaces, and members of what was
 *     imported in the space that it was imported from: `m.f()`
 * So each symbol has the space that it was imported from, which links set before members are
 * looked at.  A symbol that is called like the file it comes from is that file, and keeps its
 * space where the same statement leads to other files, too: `from . import m`.
 *
 * Invariant: as everywhere in outlines, what cannot be told is a use more, never one less.
 * O(names x links), with binary search for the names of a link's statement.  Source: ours. */
#include "reduce/dependency/outline_syntax_link.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/halving.h"
#include "parse/parse_tree.h"
#include "reduce/binding/bindings.h"
#include "reduce/binding/syntax.h"
#include "reduce/dependency/outline.h"
#include "reduce/passes/pass.h"

enum { EXPORTED = 1 }; /* begins the word by which other files know a name: no name has that byte */

/* The state of one file. */
struct linking {
    pare_outline_reader *reader;
    pare_outline_namer *namer;
    uint32_t *from;         /* owned; by symbol: the space that it, or what it has as members, was
                               imported from (a word); PARE_NO_WORD: it is no import */
    unsigned char *is_file; /* owned; by symbol: it is called like the file that it comes from */
};

/* A byte that no name has, then the name.  Names that are too long are unknown to other files. */
size_t pare_outline_syntax_link_name(const char *text, size_t size,
                                     char name[PARE_OUTLINE_SYNTAX_LINK_BYTES])
{
    if (size >= PARE_OUTLINE_SYNTAX_LINK_BYTES) return 0;
    name[0] = EXPORTED;
    memcpy(name + 1, text, size);
    return size + 1;
}

/* Whether the name is that of the file that the link leads to: the space is a path, of which it
 * is the last part.  `m` of `from . import m` is so for the space "pkg/m". */
static bool is_called_so(const pare_outline_reader *reader, uint32_t leaf,
                         const pare_outline_link *link)
{
    const pare_outline *outline = reader->outline;
    const pare_syntax *syntax = &reader->syntax;
    const pare_outline_word *space = &outline->words[link->space];
    size_t size = pare_syntax_size(syntax, leaf);
    return space->size > size && outline->texts.data[space->at + space->size - size - 1] == '/' &&
           memcmp(outline->texts.data + space->at + space->size - size,
                  pare_syntax_text(syntax, leaf), size) == 0;
}

/* The first occurrence of a name at or after byte `at`. */
static uint32_t first_occurrence(const pare_outline_reader *reader, size_t at)
{
    pare_halving search = {.low = 0, .high = reader->names.n_occurrences};
    while (pare_halving_next(&search)) {
        const uint32_t leaf = reader->names.occurrences[search.middle].leaf;
        pare_halving_tell(&search, reader->syntax.nodes[leaf].begin < at);
    }
    return (uint32_t)search.low;
}

/* The own node at byte `at`, the innermost; PARE_NO_NODE: there is none. */
static uint32_t node_at(const pare_outline_reader *reader, size_t at)
{
    const pare_outline_node *nodes = reader->outline->nodes;
    uint32_t found = PARE_NO_NODE, i = reader->first;
    while (i < reader->end) {
        if (nodes[i].begin <= at && at < nodes[i].end)
            found = i++;
        else
            i = nodes[i].after;
    }
    return found;
}

/* Where the statement that the link is in begins and ends: an import with its node, one in code,
 * such as `x = require('m')`, with its line. */
static void extent_of(const pare_outline_reader *reader, const pare_outline_link *link,
                      uint32_t node, size_t *from, size_t *to)
{
    const pare_pass_view *view = reader->syntax.view;
    *from = *to = link->at;
    if (node != PARE_NO_NODE &&
        !pare_outline_syntax_in_code(reader, pare_outline_syntax_root(reader, node)) &&
        !(reader->outline->nodes[node].roles & PARE_OUTLINE_BODY)) {
        *from = reader->outline->nodes[node].begin;
        *to = reader->outline->nodes[node].end;
        return;
    }
    while (*from > view->begin && view->bytes[*from - 1] != '\n')
        --*from;
    while (*to < view->end && view->bytes[*to] != '\n')
        ++*to;
}

/* The word by which other files know what is called as at `leaf`; PARE_NO_WORD: none of them declares it. */
static uint32_t word_of_others(const pare_outline_reader *reader, uint32_t leaf)
{
    size_t size;
    const char *text = pare_outline_syntax_name(reader, leaf, &size);
    char name[PARE_OUTLINE_SYNTAX_LINK_BYTES];
    if (reader->table->by_text) return pare_outline_find_word(reader->outline, text, size);
    size_t length = pare_outline_syntax_link_name(text, size, name);
    return length ? pare_outline_find_word(reader->outline, name, length) : PARE_NO_WORD;
}

/* The node uses what is called as at `leaf` in the space `from`; PARE_NO_WORD: in any.  In
 * languages with scopes other files know it by a word of its own, or as a member: both are used. */
static pare_status use_of_others(const struct linking *self, uint32_t node, uint32_t leaf,
                                 uint32_t from)
{
    const pare_outline_reader *reader = self->reader;
    const pare_outline_use made = {node, word_of_others(reader, leaf), from, PARE_OUTLINE_IMPORTED,
                                   0};
    size_t size;
    const char *text = pare_outline_syntax_name(reader, leaf, &size);
    pare_status status = PARE_OK;
    /* It may be exported as a member: `exports.f = ..`. */
    if (!reader->table->by_text)
        status = pare_outline_syntax_names_use_member(self->namer, node, text, size);
    if (status || made.word == PARE_NO_WORD) return status;
    return pare_outline_add_use(reader->outline, &made, reader->err);
}

/* One link: its statement, or the file, needs the file named; names in the statement are looked up there, and
 * so are members of what they stand for. */
static pare_status follow(struct linking *self, const pare_outline_link *link)
{
    pare_outline_reader *reader = self->reader;
    uint32_t node = node_at(reader, link->at);
    size_t from, to;
    const pare_outline_use needs = {node == PARE_NO_NODE ? reader->file->node : node, link->file,
                                    PARE_NO_WORD, PARE_OUTLINE_GLOBAL, 0};
    pare_status status = link->file == PARE_NO_WORD
                             ? PARE_OK
                             : pare_outline_add_use(reader->outline, &needs, reader->err);
    if (status || node == PARE_NO_NODE) return status;
    extent_of(reader, link, node, &from, &to);
    for (uint32_t i = first_occurrence(reader, from); !status && i < reader->names.n_occurrences;
         i++) {
        const pare_occurrence *name = &reader->names.occurrences[i];
        if (reader->syntax.nodes[name->leaf].begin >= to) break;
        status = use_of_others(self, node, name->leaf, link->space);
        if (name->symbol == PARE_NO_SYMBOL || name->declaring == PARE_NO_NODE) continue;
        bool called_so = is_called_so(reader, name->leaf, link);
        if (self->is_file[name->symbol] && !called_so) continue;
        self->from[name->symbol] = link->space;
        self->is_file[name->symbol] = called_so;
    }
    return status;
}

/* Whether a file is mentioned in the node, so that its names mean what that declares. */
static bool is_linked(const pare_outline_reader *reader, uint32_t node)
{
    const pare_outline_node *at = &reader->outline->nodes[node];
    for (size_t i = 0; i < reader->file->n_links; i++)
        if (reader->file->links[i].at >= at->begin && reader->file->links[i].at < at->end)
            return true;
    return false;
}

/* A name in an import that leads to no file that is known by its path: `use crate::m::f`. */
static pare_status use_imported(const struct linking *self)
{
    const pare_outline_reader *reader = self->reader;
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < reader->names.n_occurrences; i++) {
        uint32_t leaf = reader->names.occurrences[i].leaf, node = reader->owner[leaf];
        if (node == PARE_NO_NODE) continue;
        uint32_t root = pare_outline_syntax_root(reader, node);
        if (pare_outline_syntax_kind(reader, root)->marks & PARE_MARK_IMPORT &&
            !is_linked(reader, node))
            status = use_of_others(self, node, leaf, PARE_NO_WORD);
    }
    return status;
}

/* What the name at `leaf` is a member of, if that was imported: its space; PARE_NO_WORD: it is not. */
static uint32_t imported_from(const struct linking *self, uint32_t leaf)
{
    const pare_outline_reader *reader = self->reader;
    const pare_syntax *syntax = &reader->syntax;
    uint32_t parent = syntax->nodes[leaf].parent;
    if (parent == PARE_NO_NODE || !pare_syntax_is(syntax, parent, PARE_ROLE_ACCESS))
        return PARE_NO_WORD;
    uint32_t object = pare_syntax_child(syntax, parent, syntax->nodes[parent].kind->object);
    uint32_t base = object == PARE_NO_NODE || object == leaf
                        ? PARE_NO_NODE
                        : pare_outline_syntax_base(reader, object);
    uint32_t symbol = pare_outline_syntax_symbol(reader, base);
    return symbol == PARE_NO_SYMBOL ? PARE_NO_WORD : self->from[symbol];
}

/* Names that this file does not declare, in languages in which names have scopes, and members of
 * what it imports. */
static pare_status use_foreign(const struct linking *self)
{
    const pare_outline_reader *reader = self->reader;
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < reader->names.n_occurrences; i++) {
        const pare_occurrence *name = &reader->names.occurrences[i];
        uint32_t node = reader->owner[name->leaf], from = imported_from(self, name->leaf);
        if (node == PARE_NO_NODE) continue;
        const bool unknown = !reader->table->by_text && name->symbol == PARE_NO_SYMBOL &&
                             pare_syntax_is(&reader->syntax, name->leaf, PARE_ROLE_NAME);
        if (unknown || from != PARE_NO_WORD) status = use_of_others(self, node, name->leaf, from);
    }
    return status;
}

/* Links come first: they set what the symbols were imported from. */
pare_status pare_outline_syntax_link_use(pare_outline_reader *reader, pare_outline_namer *namer)
{
    const uint32_t n = reader->names.n_symbols;
    struct linking self = {.reader = reader, .namer = namer};
    assert(reader->file);
    self.from = pare_alloc(n, sizeof *self.from);
    self.is_file = pare_alloc_zero(n, 1);
    pare_status status = self.from && self.is_file ? PARE_OK : pare_fail_nomem(reader->err);
    for (uint32_t i = 0; !status && i < n; i++)
        self.from[i] = PARE_NO_WORD;
    for (size_t i = 0; !status && i < reader->file->n_links; i++)
        status = follow(&self, &reader->file->links[i]);
    if (!status) status = use_imported(&self);
    if (!status) status = use_foreign(&self);
    pare_alloc_free(self.from);
    pare_alloc_free(self.is_file);
    return status;
}
