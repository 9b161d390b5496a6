/* The outline of a program by its syntax tree: what its nodes declare, use, and are a part of.
 *
 * A node declares the names that the bindings say are declared or assigned in it and known outside
 * of it, but not in code that only runs later.  All other names in it are uses.  In a language
 * with paths a name is known by its text alone; elsewhere names that are looked up in scopes are
 * words of their own for each meaning, and members are one for each text, with a dot before it.
 *
 * What defines a part of something (`X.prototype.m = ..`, a method outside of its type, rows of a
 * table) is tied to it: needed when that is kept and, if the part has a name, the name is used.
 *
 * Invariant: what is found only by its text is an edge more, never one less than by scopes.
 * Linear in the tree.  Source: ours. */
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "parse/parse_tree.h"
#include "reduce/binding/bindings.h"
#include "reduce/binding/syntax.h"
#include "reduce/dependency/outline.h"
#include "reduce/dependency/outline_syntax.h"
#include "reduce/dependency/outline_syntax_link.h"

enum {
    HEAD_BYTES = 60 /* of a member, in which its marks are */
};

/* What each name means to the outline. */
struct pare_outline_namer {
    pare_outline_reader *reader;
    uint32_t *words;         /* owned; by symbol: its word, or PARE_NO_WORD: no node declares it */
    unsigned char *declared; /* owned; by occurrence: it is a name of its node */
    unsigned char *unknown;  /* owned; by own node: something outside asks for its members */
    unsigned char *named;    /* owned; by own node: it declares something */
    uint32_t *last_user; /* owned; by word: the last node that uses it; made once words are known */
    pare_buffer text;    /* of the word at hand */
};

/* Whether it is a node of the reader's file; the file itself is none, nor is PARE_NO_NODE. */
static bool is_own_node(const pare_outline_reader *reader, uint32_t node)
{
    return node >= reader->first && node < reader->end;
}

/* --- words -------------------------------------------------------------------------------- */

/* Writes the text by which a member is known to namer->text: with a dot before it, so that a member is not
 * taken for a variable of the same name; in languages with paths (by_text) there is no such difference. */
static pare_status write_member(pare_outline_namer *namer, const char *text, size_t size)
{
    namer->text.size = 0;
    pare_status status = PARE_OK;
    if (!namer->reader->table->by_text)
        status = pare_buffer_add(&namer->text, ".", 1, namer->reader->err);
    return status ? status : pare_buffer_add(&namer->text, text, size, namer->reader->err);
}

/* The node declares the word; twice in a row counts once. */
static pare_status declare(pare_outline_namer *namer, uint32_t node, uint32_t word)
{
    pare_outline *outline = namer->reader->outline;
    if (outline->n_names) {
        const pare_outline_name *last = &outline->names[outline->n_names - 1];
        if (last->node == node && last->word == word) return PARE_OK;
    }
    return pare_outline_add_name(outline, node, word, namer->reader->err);
}

/* The node declares a member of that text. */
static pare_status declare_member(pare_outline_namer *namer, uint32_t node, const char *text,
                                  size_t size)
{
    uint32_t word;
    pare_status status = write_member(namer, text, size);
    if (!status)
        status = pare_outline_add_word(namer->reader->outline, namer->text.data, namer->text.size,
                                       &word, namer->reader->err);
    return status ? status : declare(namer, node, word);
}

/* Other files know what the node declares by a word of their own, unless that is the text alone. */
static pare_status export(pare_outline_namer *namer, uint32_t node, const char *text, size_t size)
{
    pare_outline_reader *reader = namer->reader;
    char name[PARE_OUTLINE_SYNTAX_LINK_BYTES];
    uint32_t word;
    size_t length = reader->table->by_text ? 0 : pare_outline_syntax_link_name(text, size, name);
    if (!length) return PARE_OK;
    pare_status status = pare_outline_add_word(reader->outline, name, length, &word, reader->err);
    return status ? status : declare(namer, node, word);
}

/* The node declares what is bound to `symbol`, called as at `leaf`.  The first node that does so gives the
 * symbol its word: a new one, since two variables of one name are two words.  CLASS means here that something
 * can be tied to the node. */
static pare_status declare_symbol(pare_outline_namer *namer, uint32_t node, uint32_t symbol,
                                  uint32_t leaf)
{
    pare_outline_reader *reader = namer->reader;
    size_t size;
    const char *text = pare_outline_syntax_name(reader, leaf, &size);
    uint32_t *word = &namer->words[symbol];
    pare_status status = PARE_OK;
    if (*word == PARE_NO_WORD)
        status = reader->table->by_text
                     ? pare_outline_add_word(reader->outline, text, size, word, reader->err)
                     : pare_outline_new_word(reader->outline, text, size, word, reader->err);
    if (status) return status;
    const uint32_t core = pare_outline_syntax_core(reader, pare_outline_syntax_root(reader, node));
    if (pare_outline_syntax_kind(reader, core)->marks & PARE_MARK_SPREADS)
        reader->outline->words[*word].spreads = true;
    if (!(reader->outline->nodes[node].roles & PARE_OUTLINE_MEMBER))
        reader->outline->nodes[node].roles |= PARE_OUTLINE_CLASS;
    status = declare(namer, node, *word);
    bool top = reader->file && reader->names.symbols[symbol].scope == 0;
    return status || !top ? status : export(namer, node, text, size);
}

/* --- what a node is about ----------------------------------------------------------------- */

/* Whether nothing stands between the node's syntax and `below` that has names of its own. */
static bool is_own(const pare_outline_reader *reader, uint32_t node, uint32_t below)
{
    const pare_syntax *syntax = &reader->syntax;
    uint32_t root = pare_outline_syntax_root(reader, node);
    while (below != root && below != PARE_NO_NODE) {
        below = syntax->nodes[below].parent;
        if (below == root || below == PARE_NO_NODE) break;
        if (pare_syntax_is(syntax, below,
                           PARE_ROLE_MEMBERS | PARE_ROLE_FUNCTION | PARE_ROLE_ARGUMENTS |
                               PARE_ROLE_TYPE))
            return false;
    }
    return below == root;
}

/* The text of a literal, without its quotes; size 0: it is none. */
static const char *literal_of(const pare_syntax *syntax, uint32_t node, size_t *size)
{
    const char *text = pare_syntax_text(syntax, node);
    *size = pare_syntax_size(syntax, node);
    if (*size > 1 && (*text == '"' || *text == '\'')) {
        *size -= 2;
        return text + 1;
    }
    if (!(*text >= '0' && *text <= '9')) *size = 0;
    return text;
}

/* The word that the name at `leaf` is declared by; PARE_NO_WORD: by no node. */
static uint32_t word_at(pare_outline_namer *namer, uint32_t leaf)
{
    const pare_outline_reader *reader = namer->reader;
    uint32_t symbol = pare_outline_syntax_symbol(reader, leaf);
    if (symbol != PARE_NO_SYMBOL && namer->words[symbol] != PARE_NO_WORD)
        return namer->words[symbol];
    if (!reader->table->by_text) return PARE_NO_WORD;
    size_t size;
    const char *text = pare_outline_syntax_name(reader, leaf, &size);
    return pare_outline_find_word(reader->outline, text, size);
}

/* --- what nodes declare ----------------------------------------------------------------------- */

/* Whether the name may be seen outside of the node that it stands in. */
static bool is_seen(const pare_outline_namer *namer, uint32_t node, uint32_t symbol)
{
    const pare_outline_reader *reader = namer->reader;
    return reader->names.symbols[symbol].member ||
           !pare_syntax_holds(&reader->syntax, pare_outline_syntax_root(reader, node),
                              reader->names.symbols[symbol].scope);
}

/* Whether the member is none by itself: what is assigned to it belongs to what it is of. */
static bool is_no_name(const pare_outline_namer *namer, uint32_t leaf)
{
    const pare_syntax *syntax = &namer->reader->syntax;
    return pare_outline_table_has(namer->reader->table->no_names, pare_syntax_text(syntax, leaf),
                                  pare_syntax_size(syntax, leaf));
}

/* Whether the name at `leaf` is what something is a member of: `t` of `function t.f() end`, which declares no t. */
static bool is_object(const pare_syntax *syntax, uint32_t leaf)
{
    const uint32_t parent = syntax->nodes[leaf].parent;
    return parent != PARE_NO_NODE && pare_syntax_is(syntax, parent, PARE_ROLE_ACCESS) &&
           pare_syntax_child(syntax, parent, syntax->nodes[parent].kind->object) == leaf;
}

/* Declares what an occurrence declares of its node, if it is seen from outside.  The variable of a loop at
 * file level is no declaration but a use: the loop is needed with what it changes. */
static pare_status declare_at(pare_outline_namer *namer, uint32_t index)
{
    pare_outline_reader *reader = namer->reader;
    const pare_occurrence *self = &reader->names.occurrences[index];
    uint32_t node = reader->owner[self->leaf], symbol = self->symbol;
    if (self->declaring == PARE_NO_NODE || symbol == PARE_NO_SYMBOL || node == PARE_NO_NODE ||
        is_object(&reader->syntax, self->leaf))
        return PARE_OK;
    bool body = reader->outline->nodes[node].roles & (PARE_OUTLINE_BODY | PARE_OUTLINE_PIECE);
    if (body || pare_outline_syntax_in_code(reader, self->leaf) || !is_seen(namer, node, symbol))
        return PARE_OK;
    uint32_t marks =
        pare_outline_syntax_kind(reader, pare_outline_syntax_root(reader, node))->marks |
        pare_outline_syntax_kind(reader, self->declaring)->marks;
    namer->declared[index] = (marks & PARE_MARK_LOOP) != 0;
    if (marks & PARE_MARK_LOOP) return PARE_OK;
    if (!reader->names.symbols[symbol].member) {
        namer->declared[index] = 1;
        return declare_symbol(namer, node, symbol, self->leaf);
    }
    if (!is_own(reader, node, self->declaring)) return PARE_OK;
    namer->declared[index] = 1;
    if (is_no_name(namer, self->leaf)) return PARE_OK;
    return declare_member(namer, node, pare_syntax_text(&reader->syntax, self->leaf),
                          pare_syntax_size(&reader->syntax, self->leaf));
}

/* Whether a node of one of the roles is in the syntax node. */
static bool holds_role(const pare_syntax *syntax, uint32_t node, uint32_t roles)
{
    for (uint32_t i = node; i < syntax->nodes[node].after; i++)
        if (pare_syntax_is(syntax, i, roles)) return true;
    return false;
}

/* Data that is found by what is computed: what is called by a number, and what an object holds that is given to a
 * function, such as `{months: ..}`, which is asked for as `options['_' + name]`. */
static bool is_data(const pare_outline_reader *reader, uint32_t core, const char *key)
{
    const pare_syntax *syntax = &reader->syntax;
    if (!pare_syntax_is(syntax, core, PARE_ROLE_DECLARES)) return false;
    if (key && isdigit((unsigned char)*key)) return !holds_role(syntax, core, PARE_ROLE_FUNCTION);
    const uint32_t list = syntax->nodes[core].parent;
    return list != PARE_NO_NODE && syntax->nodes[list].parent != PARE_NO_NODE &&
           pare_syntax_is(syntax, syntax->nodes[list].parent, PARE_ROLE_ARGUMENTS) &&
           !holds_role(syntax, core, PARE_ROLE_FUNCTION | PARE_ROLE_NAME);
}

/* A member whose name is a string or a number, or that has the name of what it is: `{f}`. */
static pare_status declare_literal(pare_outline_namer *namer, uint32_t node)
{
    pare_outline_reader *reader = namer->reader;
    const pare_syntax *syntax = &reader->syntax;
    uint32_t core = pare_outline_syntax_core(reader, pare_outline_syntax_root(reader, node));
    uint32_t key = pare_syntax_is(syntax, core, PARE_ROLE_DECLARES)
                       ? pare_syntax_child(syntax, core, syntax->nodes[core].kind->names)
                       : PARE_NO_NODE;
    size_t size = 0;
    const char *text = key == PARE_NO_NODE ? NULL : literal_of(syntax, key, &size);
    if (is_data(reader, core, size ? text : NULL))
        reader->outline->nodes[node].roles |= PARE_OUTLINE_FORCED;
    if (syntax->nodes[core].leaf && pare_syntax_is(syntax, core, PARE_ROLE_NAME))
        text = pare_outline_syntax_name(reader, core, &size);
    return size ? declare_member(namer, node, text, size) : PARE_OK;
}

/* What makes an object has the name of its class. */
static pare_status declare_maker(pare_outline_namer *namer, uint32_t node)
{
    pare_outline_reader *reader = namer->reader;
    const pare_syntax *syntax = &reader->syntax;
    uint32_t parent = reader->outline->nodes[node].parent;
    if (!is_own_node(reader, parent)) return PARE_OK;
    uint32_t core = pare_outline_syntax_core(reader, pare_outline_syntax_root(reader, parent));
    uint32_t name = pare_syntax_child(syntax, core, syntax->nodes[core].kind->names);
    if (name == PARE_NO_NODE || !syntax->nodes[name].leaf) return PARE_OK;
    return declare_member(namer, node, pare_syntax_text(syntax, name),
                          pare_syntax_size(syntax, name));
}

/* What a path ends with; a version, as in `a/b/v2`, is no name.  *size: of the path, then of the name. */
static const char *end_of_path(const char *path, size_t *size)
{
    const char *slash = memrchr(path, '/', *size);
    if (!slash) return path;
    const size_t rest = *size - (size_t)(slash + 1 - path);
    const bool version = rest > 1 && slash[1] == 'v' && strspn(slash + 2, "0123456789") >= rest - 1;
    *size = version ? (size_t)(slash - path) : rest;
    return version ? end_of_path(path, size) : slash + 1;
}

/* Writes the text by which an import is known that has its path's name to namer->text: it is looked up by who
 * names it, and not a member that is called so. */
static pare_status write_import(pare_outline_namer *namer, const char *text, size_t size)
{
    namer->text.size = 0;
    pare_status status = pare_buffer_add(&namer->text, "\"", 1, namer->reader->err);
    return status ? status : pare_buffer_add(&namer->text, text, size, namer->reader->err);
}

/* An import is called as its path ends, unless it is given a name. */
static pare_status declare_path(pare_outline_namer *namer, uint32_t node)
{
    pare_outline_reader *reader = namer->reader;
    const pare_syntax *syntax = &reader->syntax;
    uint32_t core = pare_outline_syntax_core(reader, pare_outline_syntax_root(reader, node)), word;
    size_t size = 0;
    const char *text = literal_of(syntax, core, &size);
    if (!(pare_outline_syntax_kind(reader, core)->marks & PARE_MARK_PATH) || !size) return PARE_OK;
    text = end_of_path(text, &size);
    pare_status status = write_import(namer, text, size);
    if (!status)
        status = pare_outline_add_word(reader->outline, namer->text.data, namer->text.size, &word,
                                       reader->err);
    return status ? status : declare(namer, node, word);
}

pare_status pare_outline_syntax_names_declare(pare_outline_namer *namer)
{
    pare_outline_reader *reader = namer->reader;
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < reader->names.n_occurrences; i++)
        status = declare_at(namer, i);
    for (uint32_t i = reader->first; !status && i < reader->end; i++) {
        uint32_t marks =
            pare_outline_syntax_kind(reader, pare_outline_syntax_root(reader, i))->marks;
        if (reader->outline->nodes[i].roles & PARE_OUTLINE_PIECE) continue;
        if (reader->outline->nodes[i].roles & PARE_OUTLINE_MEMBER)
            status = marks & PARE_MARK_MAKES ? declare_maker(namer, i) : declare_literal(namer, i);
        if (!status) status = declare_path(namer, i);
    }
    return status;
}

/* --- ties ------------------------------------------------------------------------------------- */

/* The node is tied to what the name at `leaf` means; *tied, if a node declares that.  An import is tied only to
 * what is used without its name: all else is found in it by who names it. */
static pare_status tie(pare_outline_namer *namer, uint32_t node, uint32_t leaf, bool *tied)
{
    pare_outline_reader *reader = namer->reader;
    uint32_t word = word_at(namer, leaf);
    if (word == PARE_NO_WORD) return PARE_OK;
    const bool import =
        pare_outline_syntax_kind(reader, pare_outline_syntax_root(reader, node))->marks &
        PARE_MARK_IMPORT;
    if (import && !reader->outline->words[word].spreads) return PARE_OK;
    *tied = true;
    const pare_outline_use use = {node, word, PARE_NO_WORD, PARE_OUTLINE_SIGNATURE, 0};
    return pare_outline_add_use(namer->reader->outline, &use, namer->reader->err);
}

/* All names below what `words` say; *outside: one of them is not declared here. */
static pare_status tie_below(pare_outline_namer *namer, uint32_t node, uint32_t core,
                             const char *words, bool *tied, bool *outside)
{
    const pare_syntax *syntax = &namer->reader->syntax;
    pare_status status = PARE_OK;
    uint32_t child = pare_syntax_first(syntax, core);
    for (; !status && child != PARE_NO_NODE; child = pare_syntax_next(syntax, child)) {
        if (!pare_syntax_matches(syntax, child, words)) continue;
        for (uint32_t i = child; !status && i < syntax->nodes[child].after; i++) {
            if (!syntax->nodes[i].leaf || namer->reader->names.by_leaf[i] == PARE_NO_NODE) continue;
            if (pare_syntax_matches(syntax, i, "alias")) continue; /* nobody else declares that */
            bool one = false;
            status = tie(namer, node, i, &one);
            *tied = *tied || one;
            *outside = *outside || !one;
        }
    }
    return status;
}

/* What the statement assigns to, or defines outside of what it is of; PARE_NO_NODE. */
static uint32_t target_of(const pare_syntax *syntax, uint32_t core)
{
    if (!pare_syntax_is(syntax, core, PARE_ROLE_ASSIGNS | PARE_ROLE_DECLARES)) return PARE_NO_NODE;
    uint32_t target = pare_syntax_child(syntax, core, syntax->nodes[core].kind->names);
    while (target != PARE_NO_NODE && pare_syntax_is(syntax, target, PARE_ROLE_WRAPS) &&
           !pare_syntax_is(syntax, target, PARE_ROLE_ACCESS))
        target = pare_syntax_only_element(syntax, target);
    bool part = target != PARE_NO_NODE &&
                pare_syntax_is(syntax, target, PARE_ROLE_ACCESS | PARE_ROLE_SUBSCRIPT);
    return part ? target : PARE_NO_NODE;
}

/* The first argument of a call: what is changed by it, if it is a function or a class. */
static uint32_t changed_by(const pare_outline_namer *namer, uint32_t core, uint32_t *list)
{
    const pare_syntax *syntax = &namer->reader->syntax;
    if (!pare_syntax_is(syntax, core, PARE_ROLE_CALL)) return PARE_NO_NODE;
    *list = pare_syntax_child(syntax, core, syntax->nodes[core].kind->list);
    uint32_t first = *list == PARE_NO_NODE ? *list : pare_syntax_element_at(syntax, *list, 0);
    uint32_t base = first == PARE_NO_NODE ? first : pare_outline_syntax_base(namer->reader, first);
    uint32_t symbol = pare_outline_syntax_symbol(namer->reader, base);
    bool function = symbol != PARE_NO_SYMBOL && !namer->reader->names.symbols[symbol].member &&
                    pare_bindings_function(&namer->reader->names, symbol) != PARE_NO_NODE;
    return function ? base : PARE_NO_NODE;
}

/* `define('X', ..)`: a name that is looked up by its text. */
static pare_status declare_defined(pare_outline_namer *namer, uint32_t node, uint32_t core)
{
    const pare_syntax *syntax = &namer->reader->syntax;
    const pare_syntax_kind *kind = syntax->nodes[core].kind;
    if (!namer->reader->table->defines || !(kind->roles & PARE_ROLE_CALL)) return PARE_OK;
    const uint32_t called = pare_syntax_child(syntax, core, kind->object);
    const uint32_t list = pare_syntax_child(syntax, core, kind->list);
    if (called == PARE_NO_NODE || list == PARE_NO_NODE ||
        !pare_outline_table_has(namer->reader->table->defines, pare_syntax_text(syntax, called),
                                pare_syntax_size(syntax, called)))
        return PARE_OK;
    const uint32_t first = pare_syntax_element_at(syntax, list, 0);
    size_t size = 0;
    const char *text = first == PARE_NO_NODE ? NULL : literal_of(syntax, first, &size);
    return size ? declare_member(namer, node, text, size) : PARE_OK;
}

/* `define(X, 'm', ..)`, `mix(X, ..)`. */
static pare_status tie_call(pare_outline_namer *namer, uint32_t node, uint32_t core, bool *tied)
{
    const pare_syntax *syntax = &namer->reader->syntax;
    uint32_t list = PARE_NO_NODE, base = changed_by(namer, core, &list);
    size_t size = 0;
    if (base == PARE_NO_NODE) return PARE_OK;
    uint32_t second = pare_syntax_element_at(syntax, list, 1);
    const char *text = second == PARE_NO_NODE ? NULL : literal_of(syntax, second, &size);
    pare_status status = size ? declare_member(namer, node, text, size) : PARE_OK;
    return status ? status : tie(namer, node, base, tied);
}

/* `X.m = ..`: tied to X, and called m. */
static pare_status tie_target(pare_outline_namer *namer, uint32_t node, uint32_t target, bool *tied)
{
    pare_outline_reader *reader = namer->reader;
    const pare_syntax *syntax = &reader->syntax;
    const pare_syntax_kind *kind = syntax->nodes[target].kind;
    uint32_t base = pare_outline_syntax_base(reader, target);
    pare_status status = base == PARE_NO_NODE ? PARE_OK : tie(namer, node, base, tied);
    /* Of a function's own object, or of `this`: what a module exports, or a method sets, is of no use without
     * the module, or the method. */
    if (!*tied && pare_outline_syntax_is_local(reader, pare_outline_syntax_root(reader, node)))
        reader->outline->nodes[node].roles |= PARE_OUTLINE_MEMBER;
    bool access = kind->roles & PARE_ROLE_ACCESS;
    uint32_t member = pare_syntax_child(syntax, target, access ? kind->names : kind->list);
    if (status || member == PARE_NO_NODE || !syntax->nodes[member].leaf) return status;
    size_t size = pare_syntax_size(syntax, member);
    const char *text = pare_syntax_text(syntax, member);
    if (!access) text = literal_of(syntax, member, &size);
    uint32_t occurrence = reader->names.by_leaf[member];
    if (access && occurrence != PARE_NO_NODE) namer->declared[occurrence] = 1;
    if (access && is_no_name(namer, member)) {
        /* What a module exports as a whole, even where that declares something: `(e = f(e)).exports = ..`. */
        if (reader->outline->nodes[node].roles & PARE_OUTLINE_MEMBER)
            reader->outline->nodes[node].roles |= PARE_OUTLINE_FORCED;
        return PARE_OK;
    }
    return size ? declare_member(namer, node, text, size) : PARE_OK;
}

/* `export * from './m'`, which names nothing, is of use as long as that file is there, and an error where that
 * exports nothing any more: it is tied to the file. */
static pare_status tie_reexport(pare_outline_namer *namer, uint32_t node, bool *tied)
{
    const pare_outline_reader *reader = namer->reader;
    const pare_syntax *syntax = &reader->syntax;
    const pare_outline_node *at = &reader->outline->nodes[node];
    const uint32_t root = pare_outline_syntax_root(reader, node);
    const bool exports = pare_outline_syntax_kind(reader, root)->marks & PARE_MARK_EXPORT;
    pare_status status = PARE_OK;
    if (!reader->file || !exports) return PARE_OK;
    for (uint32_t i = root; i < syntax->nodes[root].after; i++)
        if (syntax->nodes[i].leaf && reader->names.by_leaf[i] != PARE_NO_NODE) return PARE_OK;
    for (size_t i = 0; !status && i < reader->file->n_links; i++) {
        const pare_outline_link *link = &reader->file->links[i];
        if (link->at < at->begin || link->at >= at->end || link->file == PARE_NO_WORD) continue;
        const pare_outline_use use = {node, link->file, PARE_NO_WORD, PARE_OUTLINE_SIGNATURE, 0};
        status = pare_outline_add_use(reader->outline, &use, reader->err);
        *tied = true;
    }
    return status;
}

/* `var p = X.prototype`: what is assigned to members of p is for X, and needed with it. */
static pare_status tie_alias(pare_outline_namer *namer, uint32_t node, uint32_t declares,
                             bool *tied)
{
    const pare_outline_reader *reader = namer->reader;
    const pare_syntax *syntax = &reader->syntax;
    if (!pare_syntax_is(syntax, declares, PARE_ROLE_DECLARES) || reader->owner[declares] != node)
        return PARE_OK;
    const char *value = syntax->nodes[declares].kind->value;
    const uint32_t access = value ? pare_syntax_child(syntax, declares, value) : PARE_NO_NODE;
    if (access == PARE_NO_NODE || !pare_outline_syntax_is_alias(reader, access)) return PARE_OK;
    return tie(namer, node, pare_outline_syntax_base(reader, access), tied);
}

/* The same for all that the statement declares. */
static pare_status tie_aliases(pare_outline_namer *namer, uint32_t node, uint32_t core, bool *tied)
{
    const pare_syntax *syntax = &namer->reader->syntax;
    pare_status status = tie_alias(namer, node, core, tied);
    if (!pare_syntax_is(syntax, core, PARE_ROLE_HOLDER)) return status;
    uint32_t child = pare_syntax_first(syntax, core);
    for (; !status && child != PARE_NO_NODE; child = pare_syntax_next(syntax, child))
        status = tie_alias(namer, node, child, tied);
    return status;
}

/* What a statement at the level of items defines a part of. */
static pare_status tie_statement(pare_outline_namer *namer, uint32_t node)
{
    pare_outline_reader *reader = namer->reader;
    const pare_syntax *syntax = &reader->syntax;
    uint32_t core = pare_outline_syntax_core(reader, pare_outline_syntax_root(reader, node));
    const pare_outline_kind *kind = pare_outline_syntax_kind(reader, core);
    bool tied = false, outside = false, ignored = false;
    pare_status status = PARE_OK;
    if (kind->fulfils) status = tie_below(namer, node, core, kind->fulfils, &ignored, &outside);
    namer->unknown[node - reader->first] = outside;
    if (!status && kind->tied && !pare_outline_syntax_holds(reader, core, PARE_MARK_REFERS))
        status = tie_below(namer, node, core, kind->tied, &tied, &ignored);
    if (status || kind->tied || reader->outline->nodes[node].roles & PARE_OUTLINE_MEMBER) goto out;
    uint32_t target = target_of(syntax, core);
    status = target == PARE_NO_NODE ? tie_call(namer, node, core, &tied)
                                    : tie_target(namer, node, target, &tied);
    if (!status && !tied) status = tie_aliases(namer, node, core, &tied);
    if (!status && !tied) status = tie_reexport(namer, node, &tied);
    if (!status) status = declare_defined(namer, node, core);
out:
    if (tied) reader->outline->nodes[node].roles |= PARE_OUTLINE_TIED;
    return status;
}

/* Whether what is outside of the file may ask for the member. */
static bool is_asked_for(const pare_outline_namer *namer, uint32_t node)
{
    const pare_outline_reader *reader = namer->reader;
    uint32_t parent = reader->outline->nodes[node].parent;
    uint32_t core = pare_outline_syntax_core(reader, pare_outline_syntax_root(reader, node));
    if (!is_own_node(reader, parent) || !namer->unknown[parent - reader->first]) return false;
    const char *as = reader->table->asked_as, *text = pare_syntax_text(&reader->syntax, core);
    size_t size = pare_syntax_size(&reader->syntax, core);
    if (as && !memmem(text, size < HEAD_BYTES ? size : HEAD_BYTES, as, strlen(as))) return false;
    return pare_outline_syntax_kind(reader, core)->marks & PARE_MARK_ASKED;
}

/* Whether the statement says what other files get: `module.exports = ..`, `export default ..`. */
static bool is_export(const pare_outline_namer *namer, uint32_t node)
{
    const pare_outline_reader *reader = namer->reader;
    const pare_syntax *syntax = &reader->syntax;
    uint32_t root = pare_outline_syntax_root(reader, node);
    if (pare_outline_syntax_kind(reader, root)->marks & PARE_MARK_EXPORT) return true;
    uint32_t target = target_of(syntax, pare_outline_syntax_core(reader, root));
    uint32_t member = target == PARE_NO_NODE
                          ? target
                          : pare_syntax_child(syntax, target, syntax->nodes[target].kind->names);
    /* `t.__index = ..` and `f.prototype = ..` are of what they are assigned to. */
    return member != PARE_NO_NODE && is_no_name(namer, member) &&
           pare_outline_table_has("exports default", pare_syntax_text(syntax, member),
                                  pare_syntax_size(syntax, member));
}

/* Whether other nodes are parts of the node's statement: `x.a = 1, x.b = 2`, of which the last is none. */
static bool has_parts(const pare_outline_reader *reader, uint32_t node)
{
    const uint32_t first = node + 1;
    if (first >= reader->end || reader->outline->nodes[first].parent != node) return false;
    const uint32_t list = reader->syntax.nodes[pare_outline_syntax_root(reader, first)].parent;
    return pare_outline_syntax_kind(reader, list)->marks & PARE_MARK_PARTS;
}

/* Sets the roles that depend on names; `named` are those of the node, n of them.  What nobody could ask for by
 * name, or what something outside of the file may ask for, stays with its parent. */
static void settle(pare_outline_namer *namer, uint32_t node, const pare_outline_name *named,
                   size_t n)
{
    pare_outline_reader *reader = namer->reader;
    pare_outline *outline = reader->outline;
    uint32_t *roles = &outline->nodes[node].roles;
    const char *start = reader->table->entry;
    /* What is imported is looked up, even if it is called like a member: `use m::T`. */
    const uint32_t root = pare_outline_syntax_root(reader, node);
    const bool import = pare_outline_syntax_kind(reader, root)->marks & PARE_MARK_IMPORT;
    bool outside = false, plain = import || *roles & PARE_OUTLINE_CLASS, entry = false;
    if (*roles & (PARE_OUTLINE_BODY | PARE_OUTLINE_PIECE)) return;
    if (pare_outline_syntax_is_relied_on(namer->reader, node, named, n))
        *roles |= PARE_OUTLINE_LAYOUT;
    for (size_t i = 0; i < n; i++) {
        const pare_outline_word *word = &outline->words[named[i].word];
        entry = entry || (start && word->size == strlen(start) &&
                          memcmp(outline->texts.data + word->at, start, word->size) == 0);
        size_t dot = !reader->table->by_text && word->size && outline->texts.data[word->at] == '.';
        outside =
            outside || pare_outline_table_has(reader->table->by_outside,
                                              (const char *)outline->texts.data + word->at + dot,
                                              word->size - dot);
    }
    uint32_t parent = outline->nodes[node].parent;
    bool top = !is_own_node(reader, parent) || !is_own_node(reader, outline->nodes[parent].parent);
    if (entry && top) {
        *roles |= PARE_OUTLINE_FORCED | PARE_OUTLINE_ENTRY;
        for (; parent != PARE_NO_NODE; parent = outline->nodes[parent].parent)
            outline->nodes[parent].roles |= PARE_OUTLINE_FORCED;
    }
    /* Its parts are there only where it is, whatever the last is called. */
    const bool parts = has_parts(reader, node);
    if (*roles & PARE_OUTLINE_MEMBER) {
        if (!n || outside || parts || is_asked_for(namer, node)) *roles |= PARE_OUTLINE_FORCED;
    } else if (import && !n && reader->file) {
        *roles |=
            PARE_OUTLINE_FORCED; /* it is there for what it does: `use m::Trait as _`, `import './m'` */
    } else if (*roles & PARE_OUTLINE_TIED) {
        if (n && !outside && !plain && !parts) *roles |= PARE_OUTLINE_MEMBER;
    } else if (((!n || (parts && !plain)) && pare_outline_syntax_is_local(reader, root)) ||
               (!n && reader->file && is_export(namer, node))) {
        *roles |= PARE_OUTLINE_FORCED;
    }
}

/* By node, so that the names of one stand together; then by word, so that the order is always the same. */
static int compare_names(const void *a, const void *b)
{
    const pare_outline_name *x = a, *y = b;
    if (x->node != y->node) return x->node < y->node ? -1 : 1;
    return (x->word > y->word) - (x->word < y->word);
}

/* Marks the own nodes that declare something. */
static void find_named(pare_outline_namer *namer)
{
    const pare_outline_reader *reader = namer->reader;
    for (size_t i = 0; i < reader->outline->n_names; i++)
        if (is_own_node(reader, reader->outline->names[i].node))
            namer->named[reader->outline->names[i].node - reader->first] = 1;
}

/* The statement that the syntax node is run with: bodies are looked through. */
static uint32_t statement_of(const pare_outline_namer *namer, uint32_t node)
{
    const pare_outline *outline = namer->reader->outline;
    uint32_t at = namer->reader->owner[node];
    while (at != PARE_NO_NODE &&
           outline->nodes[at].roles & (PARE_OUTLINE_BODY | PARE_OUTLINE_PIECE))
        at = outline->nodes[at].parent;
    return at;
}

/* What is changed at `node`: the object of which some member, told by a value, is assigned to, or
 * a list to which something is added; PARE_NO_NODE. */
static uint32_t changed_at(const pare_outline_namer *namer, uint32_t node)
{
    const pare_outline_reader *reader = namer->reader;
    const pare_syntax *syntax = &reader->syntax;
    if (pare_syntax_is(syntax, node, PARE_ROLE_ASSIGNS)) {
        uint32_t target = pare_syntax_child(syntax, node, syntax->nodes[node].kind->names);
        if (target != PARE_NO_NODE &&
            pare_outline_syntax_kind(reader, target)->marks & PARE_MARK_ELEMENT)
            return pare_outline_syntax_base(reader, target);
        target = target_of(syntax, node);
        bool computed =
            target != PARE_NO_NODE && pare_syntax_is(syntax, target, PARE_ROLE_SUBSCRIPT);
        return computed ? pare_outline_syntax_base(reader, target) : PARE_NO_NODE;
    }
    if (!pare_syntax_is(syntax, node, PARE_ROLE_CALL) || pare_outline_syntax_in_code(reader, node))
        return PARE_NO_NODE;
    uint32_t called = pare_syntax_child(syntax, node, syntax->nodes[node].kind->object);
    bool method = called != PARE_NO_NODE && pare_syntax_is(syntax, called, PARE_ROLE_ACCESS);
    if (pare_syntax_is(syntax, node, PARE_ROLE_ACCESS)) method = called != PARE_NO_NODE;
    uint32_t base = method ? pare_outline_syntax_base(reader, called) : PARE_NO_NODE;
    uint32_t symbol = pare_outline_syntax_symbol(reader, base);
    if (symbol == PARE_NO_SYMBOL) return PARE_NO_NODE;
    /* Uses may come first: a function of its name is the same to the bindings. */
    uint32_t first = reader->names.symbols[symbol].first;
    while (first != PARE_NO_NODE && reader->names.occurrences[first].value == PARE_NO_NODE)
        first = reader->names.occurrences[first].next;
    if (first == PARE_NO_NODE) return PARE_NO_NODE;
    uint32_t value = reader->names.occurrences[first].value;
    return pare_outline_syntax_kind(reader, value)->marks & PARE_MARK_DATA ? base : PARE_NO_NODE;
}

/* What is assigned to members in a function that is run at once: all around it that has no name is needed with
 * what they are members of. */
static pare_status tie_run_at_once(pare_outline_namer *namer, uint32_t assignment)
{
    pare_outline *outline = namer->reader->outline;
    const uint32_t target = target_of(&namer->reader->syntax, assignment);
    const uint32_t base = pare_outline_syntax_base(namer->reader, target);
    const uint32_t symbol = pare_outline_syntax_symbol(namer->reader, base);
    uint32_t node = namer->reader->owner[assignment];
    pare_status status = PARE_OK;
    if (symbol == PARE_NO_SYMBOL) return PARE_OK;
    for (; !status && is_own_node(namer->reader, node); node = outline->nodes[node].parent) {
        bool tied = false;
        if (outline->nodes[node].roles & (PARE_OUTLINE_BODY | PARE_OUTLINE_PIECE)) continue;
        if (namer->named[node - namer->reader->first] || !is_seen(namer, node, symbol) ||
            !pare_outline_syntax_runs_at_once(namer->reader, node))
            continue;
        status = tie(namer, node, base, &tied);
        if (tied) outline->nodes[node].roles |= PARE_OUTLINE_TIED;
    }
    return status;
}

/* A statement that declares nothing is needed with what it changes. */
static pare_status tie_changes(pare_outline_namer *namer)
{
    pare_outline_reader *reader = namer->reader;
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < reader->syntax.n; i++) {
        if (!pare_syntax_is(&reader->syntax, i, PARE_ROLE_ASSIGNS | PARE_ROLE_CALL)) continue;
        uint32_t node = statement_of(namer, i), base = PARE_NO_NODE;
        bool tied = false;
        if (pare_syntax_is(&reader->syntax, i, PARE_ROLE_ASSIGNS))
            status = tie_run_at_once(namer, i);
        if (status) return status;
        if (node != PARE_NO_NODE && !namer->named[node - reader->first] &&
            !(reader->outline->nodes[node].roles & PARE_OUTLINE_TIED))
            base = changed_at(namer, i);
        uint32_t symbol = pare_outline_syntax_symbol(reader, base);
        bool seen = symbol != PARE_NO_SYMBOL && is_seen(namer, node, symbol);
        if (seen) status = tie(namer, node, base, &tied);
        if (tied) reader->outline->nodes[node].roles |= PARE_OUTLINE_TIED;
    }
    return status;
}

pare_status pare_outline_syntax_names_tie(pare_outline_namer *namer)
{
    const pare_outline_reader *reader = namer->reader;
    pare_status status = PARE_OK;
    for (uint32_t i = reader->first; !status && i < reader->end; i++)
        if (!(reader->outline->nodes[i].roles & (PARE_OUTLINE_BODY | PARE_OUTLINE_PIECE)))
            status = tie_statement(namer, i);
    if (status) return status;
    find_named(namer);
    return tie_changes(namer);
}

void pare_outline_syntax_names_sort(pare_outline *outline)
{
    if (outline->n_names)
        qsort(outline->names, outline->n_names, sizeof *outline->names, compare_names);
}

void pare_outline_syntax_names_settle(pare_outline_namer *namer)
{
    const pare_outline_reader *reader = namer->reader;
    const pare_outline *outline = reader->outline;
    size_t at = pare_outline_first_name(outline, reader->first);
    for (uint32_t i = reader->first; i < reader->end; i++) {
        size_t first = at;
        while (at < outline->n_names && outline->names[at].node == i)
            at++;
        settle(namer, i, at > first ? outline->names + first : NULL, at - first);
    }
}

/* --- uses ------------------------------------------------------------------------------------- */

/* The node uses the word; once is enough. */
static pare_status use(pare_outline_namer *namer, uint32_t node, uint32_t word, uint32_t kind)
{
    if (word == PARE_NO_WORD || namer->last_user[word] == node) return PARE_OK;
    namer->last_user[word] = node;
    const pare_outline_use made = {node, word, PARE_NO_WORD, kind, 0};
    return pare_outline_add_use(namer->reader->outline, &made, namer->reader->err);
}

pare_status pare_outline_syntax_names_use_member(pare_outline_namer *namer, uint32_t node,
                                                 const char *text, size_t size)
{
    pare_outline_reader *reader = namer->reader;
    pare_status status = write_member(namer, text, size);
    if (status) return status;
    uint32_t word = pare_outline_find_word(reader->outline, namer->text.data, namer->text.size);
    return use(namer, node, word, PARE_OUTLINE_GLOBAL);
}

/* The node uses a name that is no variable of the file: an import, if there is one of that name. */
static pare_status use_import(pare_outline_namer *namer, uint32_t node, const char *text,
                              size_t size)
{
    pare_outline_reader *reader = namer->reader;
    pare_status status = write_import(namer, text, size);
    if (status) return status;
    const uint32_t word =
        pare_outline_find_word(reader->outline, namer->text.data, namer->text.size);
    return use(namer, node, word, PARE_OUTLINE_PLAIN);
}

/* An occurrence that is no name of its node. */
static pare_status use_at(pare_outline_namer *namer, uint32_t index)
{
    pare_outline_reader *reader = namer->reader;
    const pare_occurrence *self = &reader->names.occurrences[index];
    uint32_t node = reader->owner[self->leaf], symbol = self->symbol;
    if (node == PARE_NO_NODE) return PARE_OK;
    if (pare_outline_syntax_kind(reader, self->leaf)->marks & PARE_MARK_TAKES) {
        pare_status status = pare_outline_syntax_names_use_member(
            namer, node, pare_syntax_text(&reader->syntax, self->leaf),
            pare_syntax_size(&reader->syntax, self->leaf));
        if (status) return status;
    }
    if (namer->declared[index]) return PARE_OK;
    if (symbol != PARE_NO_SYMBOL && !reader->names.symbols[symbol].member) {
        if (!is_seen(namer, pare_outline_syntax_whole(reader, node), symbol)) return PARE_OK;
        uint32_t word = word_at(namer, self->leaf);
        return use(namer, node, word, PARE_OUTLINE_PLAIN);
    }
    size_t size;
    const char *text = pare_outline_syntax_name(reader, self->leaf, &size);
    const bool part = pare_syntax_is(&reader->syntax, self->leaf, PARE_ROLE_MEMBER);
    pare_status status = part ? PARE_OK : use_import(namer, node, text, size);
    return status ? status : pare_outline_syntax_names_use_member(namer, node, text, size);
}

/* Strings, and numbers that are all that a function is given, may be names. */
static pare_status use_literals(pare_outline_namer *namer)
{
    enum { MOST_BYTES = 200 };
    pare_outline_reader *reader = namer->reader;
    const pare_syntax *syntax = &reader->syntax;
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < syntax->n; i++) {
        uint32_t node = reader->owner[i];
        if (node == PARE_NO_NODE ||
            !(pare_outline_syntax_kind(reader, i)->marks & PARE_MARK_QUOTED))
            continue;
        size_t size = 0;
        const char *text = literal_of(syntax, i, &size);
        uint32_t parent = syntax->nodes[i].parent;
        /* Of a list that is given the elements are: `each(['a', 'b'], function (name) { .. })`. */
        if (pare_outline_syntax_kind(reader, parent)->marks & PARE_MARK_DATA)
            parent = syntax->nodes[parent].parent;
        bool given = pare_syntax_is(syntax, parent, PARE_ROLE_ARGUMENTS | PARE_ROLE_SUBSCRIPT);
        if (!size || size > MOST_BYTES || !given) continue;
        status = pare_outline_syntax_names_use_member(namer, node, text, size);
    }
    return status;
}

/* --- all ------------------------------------------------------------------------------------ */

pare_status pare_outline_syntax_names_use(pare_outline_namer *namer)
{
    pare_outline_reader *reader = namer->reader;
    size_t n = reader->outline->n_words;
    pare_status status = PARE_OK;
    namer->last_user = pare_alloc(n, sizeof *namer->last_user);
    if (!namer->last_user) return pare_fail_nomem(reader->err);
    for (size_t i = 0; i < n; i++)
        namer->last_user[i] = PARE_NO_NODE;
    for (uint32_t i = 0; !status && i < reader->names.n_occurrences; i++)
        status = use_at(namer, i);
    if (!status) status = use_literals(namer);
    if (!status) status = pare_outline_syntax_strings_use(reader);
    if (!status && reader->file) status = pare_outline_syntax_link_use(reader, namer);
    if (!status) status = pare_outline_syntax_variables_use(reader);
    pare_alloc_free(namer->last_user); /* as large as all files */
    namer->last_user = NULL;
    return status;
}

pare_status pare_outline_syntax_names_new(pare_outline_reader *reader, pare_outline_namer **out)
{
    uint32_t n_symbols = reader->names.n_symbols, n_nodes = reader->end - reader->first;
    pare_outline_namer *namer = pare_alloc_zero(1, sizeof *namer);
    if (!namer) return pare_fail_nomem(reader->err);
    namer->reader = reader;
    namer->words = pare_alloc(n_symbols, sizeof *namer->words);
    namer->declared = pare_alloc_zero(reader->names.n_occurrences, 1);
    namer->unknown = pare_alloc_zero(n_nodes, 1);
    namer->named = pare_alloc_zero(n_nodes, 1);
    if (!namer->words || !namer->declared || !namer->unknown || !namer->named) {
        pare_outline_syntax_names_free(namer);
        return pare_fail_nomem(reader->err);
    }
    for (uint32_t i = 0; i < n_symbols; i++)
        namer->words[i] = PARE_NO_WORD;
    *out = namer;
    return PARE_OK;
}

void pare_outline_syntax_names_free(pare_outline_namer *namer)
{
    if (!namer) return;
    pare_alloc_free(namer->words);
    pare_alloc_free(namer->declared);
    pare_alloc_free(namer->unknown);
    pare_alloc_free(namer->named);
    pare_alloc_free(namer->last_user);
    pare_buffer_done(&namer->text);
    pare_alloc_free(namer);
}
