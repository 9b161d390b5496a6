/* The outline of a program by its syntax tree: members with which a class fulfils an interface.
 *
 * Members are needed by their names, so one of them seems to be spared while others are called so.  In a class that
 * promises an interface, or in the implementation of a trait, that is an error: the class cannot do without what
 * it declares of the interface itself.  That is no need, or each class would keep all that it promises, used or not.
 *
 * Only languages whose names are known by their text have such tables.  Linear in the names, and in members of a
 * class times those of its interfaces.  Source: ours. */
#include <assert.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "parse/parse_tree.h"
#include "reduce/binding/syntax.h"
#include "reduce/dependency/outline.h"
#include "reduce/dependency/outline_syntax.h"

/* Whether the node directly holds members.  An interface without any promises nothing. */
static bool has_members(const pare_outline *outline, uint32_t node)
{
    for (uint32_t i = node + 1; i < outline->nodes[node].after; i = outline->nodes[i].after)
        if (outline->nodes[i].roles & PARE_OUTLINE_MEMBER) return true;
    return false;
}

/* Whether a member of `type` declares the word: by bisection in the names, which are sorted by
 * node. */
static bool has_member(const pare_outline *outline, uint32_t type, uint32_t word)
{
    for (uint32_t i = type + 1; i < outline->nodes[type].after; i = outline->nodes[i].after) {
        if (!(outline->nodes[i].roles & PARE_OUTLINE_MEMBER)) continue;
        for (size_t k = pare_outline_first_name(outline, i);
             k < outline->n_names && outline->names[k].node == i; k++)
            if (outline->names[k].word == word) return true;
    }
    return false;
}

/* The class cannot do without those of its members that `type` has, too.  A HELD use does not
 * bring the member along, but where it was there and goes, the class goes (dependency_bases.c
 * makes a tie of it).
 *
 *     interface I { void a(); }   class C implements I { public void a() {} void b() {} }     C holds a, not b */
static pare_status hold_members(const pare_outline_reader *reader, uint32_t class, uint32_t type)
{
    pare_outline *outline = reader->outline;
    pare_status status = PARE_OK;
    for (uint32_t i = class + 1; !status && i < outline->nodes[class].after;
         i = outline->nodes[i].after) {
        if (!(outline->nodes[i].roles & PARE_OUTLINE_MEMBER)) continue;
        bool held = false;
        for (size_t k = pare_outline_first_name(outline, i);
             !held && k < outline->n_names && outline->names[k].node == i; k++)
            held = has_member(outline, type, outline->names[k].word);
        const pare_outline_use use = {class, i, PARE_NO_WORD, PARE_OUTLINE_HELD, 0};
        if (held) status = pare_outline_add_use(outline, &use, reader->err);
    }
    return status;
}

/* All types that are named in the syntax node, arguments of types included, as far as a node of
 * the program declares them with members.  `types`: by word, the node, or PARE_NO_NODE. */
static pare_status hold_named(const pare_outline_reader *reader, uint32_t class, uint32_t at,
                              const uint32_t *types)
{
    const pare_syntax *syntax = &reader->syntax;
    pare_status status = PARE_OK;
    for (uint32_t i = at; !status && i < syntax->nodes[at].after; i++) {
        if (!syntax->nodes[i].leaf || reader->names.by_leaf[i] == PARE_NO_NODE) continue;
        size_t size;
        const char *text = pare_outline_syntax_name(reader, i, &size);
        const uint32_t word = pare_outline_find_word(reader->outline, text, size);
        const uint32_t type = word == PARE_NO_WORD ? PARE_NO_NODE : types[word];
        if (type != PARE_NO_NODE && type != class) status = hold_members(reader, class, type);
    }
    return status;
}

/* What stands before the body of a class: the clauses that its kind says, such as `implements A,
 * B`.  Bodies and clauses that were read are stepped over, so a class in a class is not read
 * twice. */
static pare_status hold_by_clauses(const pare_outline_reader *reader, uint32_t class,
                                   const uint32_t *types)
{
    const pare_syntax *syntax = &reader->syntax;
    const uint32_t core = pare_outline_syntax_core(reader, pare_outline_syntax_root(reader, class));
    const char *clauses = pare_outline_syntax_kind(reader, core)->holds;
    pare_status status = PARE_OK;
    if (!clauses) return PARE_OK;
    for (uint32_t i = core + 1; !status && i < syntax->nodes[core].after;) {
        const bool body = pare_syntax_matches(syntax, i, "body");
        const bool clause = !body && pare_syntax_matches(syntax, i, clauses);
        if (clause) status = hold_named(reader, class, i, types);
        i = body || clause ? syntax->nodes[i].after : i + 1;
    }
    return status;
}

/* Whether any class may have such clauses. */
static bool may_hold(const pare_outline_table *table)
{
    for (; table; table = table->extends)
        for (size_t i = 0; i < table->n_kinds; i++)
            if (table->kinds[i].holds) return true;
    return false;
}

/* Of several types of one name the last one counts. */
pare_status pare_outline_syntax_fulfils_tie(const pare_outline_reader *reader)
{
    const pare_outline *outline = reader->outline;
    pare_status status = PARE_OK;
    if (!may_hold(reader->table)) return PARE_OK;
    assert(reader->table->by_text);
    uint32_t *types = pare_alloc(outline->n_words, sizeof *types);
    if (!types) return pare_fail_nomem(reader->err);
    for (size_t i = 0; i < outline->n_words; i++)
        types[i] = PARE_NO_NODE;
    for (size_t i = 0; i < outline->n_names; i++) {
        const pare_outline_name *name = &outline->names[i];
        if (outline->nodes[name->node].roles & PARE_OUTLINE_CLASS &&
            has_members(outline, name->node))
            types[name->word] = name->node;
    }
    for (uint32_t i = reader->first; !status && i < reader->end; i++)
        if (!(outline->nodes[i].roles & (PARE_OUTLINE_BODY | PARE_OUTLINE_PIECE)))
            status = hold_by_clauses(reader, i, types);
    pare_alloc_free(types);
    return status;
}
