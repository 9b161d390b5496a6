/* The rules of what needs what, as clauses over nodes and facts.
 *
 * For each name there are facts: it is used, in one of the spaces that declare it (USED); it is
 * used as a member's (MEMBER); some node that declares it is kept (PRESENT).  What uses a name
 * leads to facts, and facts lead to what declares it; so n uses of a name with m declarations are
 * n + m edges.  The rules:
 *   a node needs its parent; a parent needs what is forced in it
 *   a use of a name needs what declares it in the spaces around, in the space that qualifies it,
 *     or, where that cannot be told, anywhere
 *   one of several functions of a name is needed when the classes in its signature are kept; if
 *     that is so of none, the first
 *   a member is needed when its parent is kept and its name is used as a member's
 *   a specialisation is needed when its name, and the classes in its arguments, are there: those that are
 *     found from where it stands
 *   what is tied to something is needed when that is kept and, if it has a name, the name is used
 *   what a string may name comes along, as a clause: what drops it looks at edges only
 *   what a class fulfils an interface with is no need of it, but cannot go without it (dependency_bases.c)
 *   a plain use in a class that has such a member itself needs that one, and no other (dependency_own.c)
 *   a member that is defined outside of its class needs its declaration there
 *   with the fact BODIES, a function needs its body, and one that is defined outside of its class
 *     is needed like a member; a variable that is defined there is so in any case
 *   with the fact LAYOUT, a class needs those of its members that code elsewhere relies on, and a program that is
 *     run the calls at its outermost level
 * Rules err on the side of what compiles.  Members that are reached through bases are no clauses,
 * but ties (dependency_bases.c).
 * Source: Kalhauge and Palsberg (PLDI 2021) for clauses with several premises; which rules decide
 * was measured (docs/lab/dependency.md). */
#include "reduce/dependency/dependency_rules.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/halving.h"
#include "parse/parse_tree.h"
#include "reduce/dependency/dependency_bases.h"
#include "reduce/dependency/dependency_lists.h"
#include "reduce/dependency/dependency_maker.h"
#include "reduce/dependency/dependency_own.h"
#include "reduce/dependency/outline.h"

/* The first facts: bodies stay with their functions; members that other code relies on, with their classes. */
enum { BODIES = 0, LAYOUT = 1 };

enum { MOST_PREMISES = 8 }; /* classes of a signature that count */

/* --- declarations ----------------------------------------------------------------------- */

/* The classes in the node's signature are premises of the last clause: an overload is of no use without its
 * arguments.  Of MOST_PREMISES at most, since a clause with too few premises only keeps too much. */
static pare_status add_signature(pare_dependency_maker *maker, uint32_t node)
{
    pare_status status = PARE_OK;
    const pare_dependency_lists *lists = &maker->signatures;
    uint32_t end = lists->first[node + 1], n = 0;
    for (uint32_t i = lists->first[node]; !status && i < end && n < MOST_PREMISES; i++, n++)
        status = pare_dependency_maker_add_premise(maker, lists->to[i]);
    return status;
}

/* The node declares the word: which facts provide for it. */
static pare_status declare(pare_dependency_maker *maker, uint32_t node, uint32_t word)
{
    const pare_outline_node *at = pare_dependency_maker_node(maker, node);
    bool outside = at->roles & PARE_OUTLINE_OUTSIDE && at->roles & PARE_OUTLINE_CLASS;
    bool member = at->roles & PARE_OUTLINE_MEMBER || outside;
    uint32_t fact;
    if (!member && !pare_outline_is_plain(at)) return PARE_OK;
    pare_status status = pare_dependency_maker_make_fact(
        maker, member ? PARE_DEPENDENCY_FACT_MEMBER : PARE_DEPENDENCY_FACT_USED, word,
        member ? 0 : at->space, &fact);
    /* Of a name space that is opened again, the first part declares it. */
    bool shell = at->roles & PARE_OUTLINE_SHELL;
    if (status || (shell && maker->facts[fact].opened)) return status;
    maker->facts[fact].opened = maker->facts[fact].opened || shell;
    if (!member && at->roles & PARE_OUTLINE_FUNCTION) maker->facts[fact].n_functions++;
    return pare_dependency_maker_add_pair(maker, &maker->providers, fact, node);
}

/* What a fact leads to at a node that provides for it. */
static pare_status provide(pare_dependency_maker *maker, uint32_t fact, uint32_t node)
{
    const pare_outline_node *at = pare_dependency_maker_node(maker, node);
    uint32_t used = pare_dependency_maker_number(maker, fact);
    pare_status status = PARE_OK;
    if (at->roles & PARE_OUTLINE_OUTSIDE) return PARE_OK; /* see add_special */
    if (at->roles & PARE_OUTLINE_MEMBER &&
        (at->parent != PARE_NO_NODE || at->roles & PARE_OUTLINE_TIED)) {
        status = pare_dependency_maker_add_clause(maker, node);
        if (!status && at->parent != PARE_NO_NODE)
            status = pare_dependency_maker_add_premise(maker, at->parent);
        if (!status && at->roles & PARE_OUTLINE_TIED) status = add_signature(maker, node);
        return status ? status : pare_dependency_maker_add_premise(maker, used);
    }
    bool overloaded = at->roles & PARE_OUTLINE_FUNCTION && maker->facts[fact].n_functions > 1;
    if (!overloaded) return pare_dependency_maker_add_pair(maker, &maker->edges, used, node);
    status = pare_dependency_maker_add_clause(maker, node);
    if (!status) status = pare_dependency_maker_add_premise(maker, used);
    return status ? status : add_signature(maker, node);
}

/* Whether a function of that name may be called by a sign, or by a loop. */
static bool is_operator(const pare_dependency_maker *maker, uint32_t word)
{
    static const char name[] = "operator";
    const pare_outline_word *text = &maker->outline->words[word];
    return text->size > strlen(name) &&
           memcmp(maker->outline->texts.data + text->at, name, strlen(name)) == 0;
}

/* Whether the node is a class or an enumeration by whose name space functions are found. */
static bool is_inhabitant(const pare_outline_node *node)
{
    return node->roles & (PARE_OUTLINE_CLASS | PARE_OUTLINE_ENUMERATION) &&
           pare_outline_is_plain(node);
}

/* Of a name space an operator for any type is found where an argument is of a class of it: the premise of the last
 * clause.  Source: argument-dependent lookup, C++20 [basic.lookup.argdep]. */
static pare_status add_inhabited(pare_dependency_maker *maker, uint32_t space)
{
    uint32_t fact;
    if (!space || !maker->outline->members_hide) return PARE_OK;
    pare_status status = pare_dependency_maker_make_fact(
        maker, PARE_DEPENDENCY_FACT_INHABITED, maker->outline->spaces[space].word, space, &fact);
    return status ? status
                  : pare_dependency_maker_add_premise(maker,
                                                      pare_dependency_maker_number(maker, fact));
}

/* By what arguments the function is found are premises of the last clause. */
static pare_status add_arguments(pare_dependency_maker *maker, uint32_t node)
{
    const bool any = maker->signatures.first[node] == maker->signatures.first[node + 1];
    return any ? add_inhabited(maker, pare_dependency_maker_node(maker, node)->space)
               : add_signature(maker, node);
}

/* Says of which spaces a class is. */
static pare_status inhabit_all(pare_dependency_maker *maker)
{
    const pare_outline *outline = maker->outline;
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && outline->members_hide && i < outline->n_nodes; i++) {
        if (!is_inhabitant(&outline->nodes[i])) continue;
        for (uint32_t space = outline->nodes[i].space; !status && space;
             space = outline->spaces[space].parent) {
            const uint32_t fact = pare_dependency_maker_find_fact(
                maker, PARE_DEPENDENCY_FACT_INHABITED, outline->spaces[space].word, space);
            if (fact != PARE_NO_WORD)
                status = pare_dependency_maker_add_pair(maker, &maker->edges, i,
                                                        pare_dependency_maker_number(maker, fact));
        }
    }
    return status;
}

/* An operator at no class is needed when its sign is used and the classes in its signature are
 * kept. */
static pare_status add_operator(pare_dependency_maker *maker, uint32_t node, uint32_t word)
{
    const pare_outline_node *at = pare_dependency_maker_node(maker, node);
    uint32_t fact;
    bool alone = at->roles & PARE_OUTLINE_FUNCTION && pare_outline_is_plain(at);
    if (!alone || !is_operator(maker, word)) return PARE_OK;
    pare_status status =
        pare_dependency_maker_make_fact(maker, PARE_DEPENDENCY_FACT_OPERATOR, word, 0, &fact);
    if (!status) status = pare_dependency_maker_add_clause(maker, node);
    if (!status)
        status =
            pare_dependency_maker_add_premise(maker, pare_dependency_maker_number(maker, fact));
    return status ? status : add_arguments(maker, node);
}

/* Whether the function has a body; `constant C::x(1);` looks like one. */
static bool has_body(const pare_outline *outline, uint32_t node)
{
    for (uint32_t i = node + 1; i < outline->nodes[node].after; i = outline->nodes[i].after)
        if (outline->nodes[i].roles & PARE_OUTLINE_BODY) return true;
    return false;
}

/* Whether the node declares the word. */
static bool declares(const pare_dependency_maker *maker, uint32_t node, uint32_t word)
{
    const pare_dependency_lists *declared = &maker->declared;
    pare_halving search = {.low = declared->first[word], .high = declared->first[word + 1]};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, declared->to[search.middle] < node);
    return search.low < declared->first[word + 1] && declared->to[search.low] == node;
}

/* Makes the fact that one of the members `word` of classes called `class` is there; PARE_NO_WORD: there is no such
 * member. */
static pare_status define(pare_dependency_maker *maker, uint32_t word, uint32_t class,
                          uint32_t *fact)
{
    const pare_dependency_lists *declared = &maker->declared;
    pare_status status = PARE_OK;
    *fact = PARE_NO_WORD;
    for (uint32_t i = declared->first[word]; !status && i < declared->first[word + 1]; i++) {
        const uint32_t member = declared->to[i],
                       parent = pare_dependency_maker_node(maker, member)->parent;
        if (!(pare_dependency_maker_node(maker, member)->roles & PARE_OUTLINE_MEMBER) ||
            parent == PARE_NO_NODE || !declares(maker, parent, class))
            continue;
        status =
            pare_dependency_maker_make_fact(maker, PARE_DEPENDENCY_FACT_DEFINED, word, class, fact);
        if (!status)
            status = pare_dependency_maker_add_pair(maker, &maker->providers, *fact, member);
        if (!status)
            status = pare_dependency_maker_add_pair(maker, &maker->edges, member,
                                                    pare_dependency_maker_number(maker, *fact));
    }
    return status;
}

/* What is defined outside of its class, the clause of which is open, needs its declaration in a class that is called
 * like its own, and is only needed with one.  Of a class that is called otherwise nothing is known. */
static pare_status add_defined(pare_dependency_maker *maker, uint32_t node, uint32_t word)
{
    const uint32_t class = maker->outer[node];
    if (class == PARE_NO_WORD) return PARE_OK;
    uint32_t fact =
        pare_dependency_maker_find_fact(maker, PARE_DEPENDENCY_FACT_DEFINED, word, class);
    pare_status status = PARE_OK;
    if (fact == PARE_NO_WORD) status = define(maker, word, class, &fact);
    if (status || fact == PARE_NO_WORD) return status;
    status = pare_dependency_maker_add_premise(maker, pare_dependency_maker_number(maker, fact));
    if (!status && maker->is_deduced[node])
        status = pare_dependency_maker_add_pair(maker, &maker->edges,
                                                pare_dependency_maker_number(maker, fact), node);
    return status ? status
                  : pare_dependency_maker_add_pair(maker, &maker->edges, node,
                                                   pare_dependency_maker_number(maker, fact));
}

/* A specialisation, or a member that is defined outside. */
static pare_status add_special(pare_dependency_maker *maker, uint32_t node, uint32_t word)
{
    const pare_outline_node *at = pare_dependency_maker_node(maker, node);
    uint32_t premise, fact;
    bool outside = at->roles & PARE_OUTLINE_OUTSIDE;
    if (!outside && !(at->roles & PARE_OUTLINE_SPECIAL)) return PARE_OK;
    pare_status status = pare_dependency_maker_add_clause(maker, node);
    if (status) return status;
    if (outside) {
        /* The value of a constant may be needed where a function's body is not. */
        if (has_body(maker->outline, node) && !maker->is_deduced[node])
            status = pare_dependency_maker_add_premise(maker,
                                                       pare_dependency_maker_number(maker, BODIES));
        if (!status)
            status =
                pare_dependency_maker_make_fact(maker, PARE_DEPENDENCY_FACT_MEMBER, word, 0, &fact);
        if (!status)
            status =
                pare_dependency_maker_add_premise(maker, pare_dependency_maker_number(maker, fact));
        if (!status) status = add_defined(maker, node, word);
    } else {
        status = pare_dependency_maker_present(maker, word, at->space, &premise);
        if (!status) status = pare_dependency_maker_add_premise(maker, premise);
        fact = status ? PARE_NO_WORD
                      : pare_dependency_maker_find_fact(maker, PARE_DEPENDENCY_FACT_USED, word,
                                                        at->space);
        if (fact != PARE_NO_WORD)
            status = pare_dependency_maker_add_pair(maker, &maker->edges, node,
                                                    pare_dependency_maker_number(maker, fact));
    }
    return status ? status : add_signature(maker, node);
}

/* What is tied, and has no name of its own, is needed with what it is tied to. */
static pare_status tie(pare_dependency_maker *maker, uint32_t node)
{
    const pare_outline_node *at = pare_dependency_maker_node(maker, node);
    bool tied = at->roles & PARE_OUTLINE_TIED &&
                (!(at->roles & PARE_OUTLINE_MEMBER) || !maker->is_named[node]);
    if (!tied) return PARE_OK;
    pare_status status = pare_dependency_maker_add_clause(maker, node);
    if (!status && at->parent != PARE_NO_NODE)
        status = pare_dependency_maker_add_premise(maker, at->parent);
    return status ? status : add_signature(maker, node);
}

/* Whether the node is in none, or only in what has no name, which nobody needs: `extern "C" {`. */
static bool is_at_file_level(const pare_dependency_maker *maker, uint32_t node)
{
    uint32_t parent = pare_dependency_maker_node(maker, node)->parent;
    while (parent != PARE_NO_NODE &&
           pare_dependency_maker_node(maker, parent)->roles & PARE_OUTLINE_SHELL &&
           !maker->is_named[parent])
        parent = pare_dependency_maker_node(maker, parent)->parent;
    return parent == PARE_NO_NODE;
}

/* What holds of a node by its place and kind. */
static pare_status place(pare_dependency_maker *maker, uint32_t node)
{
    const pare_outline_node *at = pare_dependency_maker_node(maker, node);
    pare_status status = tie(maker, node);
    if (!status && at->roles & PARE_OUTLINE_LAYOUT) {
        status = pare_dependency_maker_add_clause(maker, node);
        if (!status && at->parent != PARE_NO_NODE)
            status = pare_dependency_maker_add_premise(maker, at->parent);
        if (!status)
            status = pare_dependency_maker_add_premise(maker,
                                                       pare_dependency_maker_number(maker, LAYOUT));
    }
    if (status) return status;
    bool forced = at->roles & PARE_OUTLINE_FORCED;
    bool line = at->roles & PARE_OUTLINE_LINE;
    if (at->parent == PARE_NO_NODE)
        return forced ? pare_dependency_maker_add_pair(maker, &maker->always, node, 0) : PARE_OK;
    status = pare_dependency_maker_add_pair(maker, &maker->edges, node, at->parent);
    if (!status && forced && !line && is_at_file_level(maker, node))
        status = pare_dependency_maker_add_pair(maker, &maker->always, node, 0);
    if (!status && forced)
        status = pare_dependency_maker_add_pair(maker, &maker->edges, at->parent, node);
    if (status || forced || !(at->roles & PARE_OUTLINE_BODY)) return status;
    status = pare_dependency_maker_add_clause(maker, node);
    if (!status) status = pare_dependency_maker_add_premise(maker, at->parent);
    return status ? status
                  : pare_dependency_maker_add_premise(maker,
                                                      pare_dependency_maker_number(maker, BODIES));
}

/* --- uses --------------------------------------------------------------------------------- */

/* Whether `space` is `inner` or around it. */
static bool is_around(const pare_outline *outline, uint32_t space, uint32_t inner)
{
    while (outline->spaces[inner].depth > outline->spaces[space].depth)
        inner = outline->spaces[inner].parent;
    return space == inner;
}

/* Whether the space, or one around it, is called `word`. */
static bool is_in(const pare_outline *outline, uint32_t space, uint32_t word)
{
    for (; space; space = outline->spaces[space].parent)
        if (outline->spaces[space].word == word) return true;
    return false;
}

/* How well a fact's space agrees with a use: 0 not at all, more is better. */
static unsigned agreement(const pare_dependency_maker *maker, const pare_outline_use *use,
                          uint32_t space)
{
    const pare_outline *outline = maker->outline;
    const pare_outline_space *at = &outline->spaces[space];
    const bool inside = is_around(outline, space, outline->nodes[use->node].scope);
    if (use->kind == PARE_OUTLINE_IMPORTED && at->word == use->qualifier) return 2;
    if (at->closed && !inside) return 0;
    if (use->kind == PARE_OUTLINE_PLAIN) return inside ? 2 : 1;
    if (use->kind != PARE_OUTLINE_QUALIFIED && use->kind != PARE_OUTLINE_NEAREST) return 1;
    if (space && at->word == use->qualifier) {
        const bool near = use->kind == PARE_OUTLINE_NEAREST &&
                          is_around(outline, at->parent, outline->nodes[use->node].scope);
        return near ? 3 + at->depth : 3;
    }
    return is_in(outline, space, use->qualifier) ? 2 : 0;
}

/* Whether the qualifier is a name space, and no class, for names that it does not declare: they may come into it from
 * any other by `using namespace`. */
static bool is_opened_elsewhere(const pare_dependency_maker *maker, const pare_outline_use *use)
{
    const pare_outline *outline = maker->outline;
    const bool qualified = use->kind == PARE_OUTLINE_QUALIFIED || use->kind == PARE_OUTLINE_NEAREST;
    if (!qualified || maker->is_class[use->qualifier]) return false;
    for (size_t i = 1; outline->members_hide && i < outline->n_spaces; i++)
        if (outline->spaces[i].word == use->qualifier) return true;
    return false;
}

/* Whether a directive for `word` stands in a space that is around `scope`. */
static bool is_directed(const pare_outline *outline, uint32_t word, uint32_t scope)
{
    const pare_outline_directive *directives = outline->directives;
    pare_halving search = {.low = 0, .high = outline->n_directives};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, directives[search.middle].word < word);
    for (size_t i = search.low; i < outline->n_directives && directives[i].word == word; i++)
        if (is_around(outline, directives[i].space, scope)) return true;
    return false;
}

/* Whether names of the space are brought into one that is around `scope`. */
static bool is_opened(const pare_dependency_maker *maker, uint32_t space, uint32_t scope)
{
    const pare_outline *outline = maker->outline;
    uint32_t outer = space;
    while (outer && !is_directed(outline, outline->spaces[outer].word, scope))
        outer = outline->spaces[outer].parent;
    return outer || !space;
}

/* The fact that a plain name is used which only arguments could lead to the functions of the space, as none is
 * declared around.  */
static pare_status find_by_arguments(pare_dependency_maker *maker, uint32_t word, uint32_t space,
                                     uint32_t *fact)
{
    const pare_dependency_lists *declared = &maker->declared;
    *fact = pare_dependency_maker_find_fact(maker, PARE_DEPENDENCY_FACT_FOUND, word, space);
    if (*fact != PARE_NO_WORD) return PARE_OK;
    pare_status status =
        pare_dependency_maker_make_fact(maker, PARE_DEPENDENCY_FACT_FOUND, word, space, fact);
    for (uint32_t i = declared->first[word]; !status && i < declared->first[word + 1]; i++) {
        const uint32_t node = declared->to[i];
        const pare_outline_node *at = pare_dependency_maker_node(maker, node);
        if (at->space != space || !(at->roles & PARE_OUTLINE_FUNCTION) ||
            !pare_outline_is_plain(at))
            continue;
        status = pare_dependency_maker_add_clause(maker, node);
        if (!status)
            status = pare_dependency_maker_add_premise(maker,
                                                       pare_dependency_maker_number(maker, *fact));
        if (!status) status = add_arguments(maker, node);
    }
    return status;
}

/* The node needs what the use may mean: of all facts of the word those that agree best. */
static pare_status look_up(pare_dependency_maker *maker, const pare_outline_use *use)
{
    unsigned best = 0;
    pare_status status = PARE_OK;
    uint32_t i = maker->first_fact[use->word];
    for (; i != PARE_NO_WORD; i = maker->facts[i].next) {
        if (maker->facts[i].kind != PARE_DEPENDENCY_FACT_USED) continue;
        unsigned own = agreement(maker, use, maker->facts[i].space);
        if (own > best) best = own;
    }
    const bool anywhere = !best && is_opened_elsewhere(maker, use);
    const bool hidden =
        maker->outline->members_hide && use->kind == PARE_OUTLINE_PLAIN && best == 1;
    for (i = maker->first_fact[use->word]; !status && (best || anywhere) && i != PARE_NO_WORD;
         i = maker->facts[i].next) {
        const uint32_t space = maker->facts[i].space;
        uint32_t fact = i;
        if (maker->facts[i].kind != PARE_DEPENDENCY_FACT_USED) continue;
        if (!anywhere && agreement(maker, use, space) != best) continue;
        if (hidden && !is_opened(maker, space, maker->outline->nodes[use->node].scope))
            status = find_by_arguments(maker, use->word, space, &fact);
        if (!status)
            status = pare_dependency_maker_add_pair(maker, &maker->edges, use->node,
                                                    pare_dependency_maker_number(maker, fact));
    }
    return status;
}

/* The node may use the name: all that the name may mean comes along with it. */
static pare_status use_weakly(pare_dependency_maker *maker, const pare_outline_use *use)
{
    pare_status status = PARE_OK;
    for (uint32_t i = maker->first_fact[use->word]; !status && i != PARE_NO_WORD;
         i = maker->facts[i].next) {
        if (maker->facts[i].kind != PARE_DEPENDENCY_FACT_USED &&
            maker->facts[i].kind != PARE_DEPENDENCY_FACT_MEMBER)
            continue;
        status = pare_dependency_maker_add_clause(maker, pare_dependency_maker_number(maker, i));
        if (!status) status = pare_dependency_maker_add_premise(maker, use->node);
    }
    return status;
}

/* The node needs the members of that name that the class has itself: as one fact, so that it can do with one of
 * them. */
static pare_status use_own(pare_dependency_maker *maker, const pare_outline_use *use,
                           uint32_t class)
{
    const pare_outline *outline = maker->outline;
    const uint32_t first =
        pare_dependency_own_after(outline, &maker->declared, class, use->word, class);
    uint32_t next = pare_dependency_own_after(outline, &maker->declared, class, use->word, first);
    if (next == PARE_NO_NODE)
        return first == use->node
                   ? PARE_OK
                   : pare_dependency_maker_add_pair(maker, &maker->edges, use->node, first);
    uint32_t fact =
        pare_dependency_maker_find_fact(maker, PARE_DEPENDENCY_FACT_OWN, use->word, class);
    if (fact != PARE_NO_WORD)
        return pare_dependency_maker_add_pair(maker, &maker->edges, use->node,
                                              pare_dependency_maker_number(maker, fact));
    pare_status status =
        pare_dependency_maker_make_fact(maker, PARE_DEPENDENCY_FACT_OWN, use->word, class, &fact);
    if (!status)
        status = pare_dependency_maker_add_pair(maker, &maker->edges, use->node,
                                                pare_dependency_maker_number(maker, fact));
    for (uint32_t node = first; !status && node != PARE_NO_NODE;
         node = pare_dependency_own_after(outline, &maker->declared, class, use->word, node)) {
        status = pare_dependency_maker_add_pair(maker, &maker->providers, fact, node);
        if (!status)
            status = pare_dependency_maker_add_pair(
                maker, &maker->edges, pare_dependency_maker_number(maker, fact), node);
    }
    return status;
}

/* How well the class agrees with what the use says it is in: 0 not at all, more is better. */
static unsigned class_agreement(const pare_dependency_maker *maker, const pare_outline_use *use,
                                uint32_t class)
{
    const pare_outline *outline = maker->outline;
    const bool around = use->within == 0;
    const uint32_t scope = outline->nodes[use->node].scope, space = outline->nodes[class].space;
    if (use->within == PARE_NO_WORD) return 1;
    if (outline->nodes[class].roles & PARE_OUTLINE_MEMBER) {
        const uint32_t owner = pare_dependency_own_class(outline, class);
        if (owner == PARE_NO_NODE) return 1;
        if (!around) return declares(maker, owner, use->within) ? 3 : 0;
        return use->node > owner && use->node < outline->nodes[owner].after ? UINT_MAX : 1;
    }
    if (around && is_around(outline, space, scope)) return 2 + outline->spaces[space].depth;
    if (around) return is_opened(maker, space, scope);
    const pare_outline_use name = {.node = use->node,
                                   .word = use->qualifier,
                                   .qualifier = use->within,
                                   .kind = PARE_OUTLINE_QUALIFIED};
    return agreement(maker, &name, space);
}

/* The class of that name that the use means, if it has the member of the use itself: the only one that is defined, or
 * of several the one that agrees best with what it is said to be in.  PARE_NO_NODE: there is none, or that is not
 * told. */
static uint32_t meant_class(const pare_dependency_maker *maker, const pare_outline_use *use)
{
    enum { OTHER = PARE_OUTLINE_FORWARD | PARE_OUTLINE_SPECIAL };
    const pare_dependency_lists *declared = &maker->declared;
    uint32_t found = PARE_NO_NODE;
    unsigned best = 0;
    bool told = true;
    for (uint32_t i = declared->first[use->qualifier]; i < declared->first[use->qualifier + 1];
         i++) {
        const uint32_t roles = pare_dependency_maker_node(maker, declared->to[i])->roles;
        if (!(roles & PARE_OUTLINE_CLASS) || roles & OTHER) continue;
        const unsigned own = class_agreement(maker, use, declared->to[i]);
        const bool better = found == PARE_NO_NODE || own > best;
        if (!better && own == best) told = false;
        if (!better) continue;
        told = true;
        found = declared->to[i];
        best = own;
    }
    const bool has = found != PARE_NO_NODE && told &&
                     pare_dependency_own_after(maker->outline, declared, found, use->word, found) !=
                         PARE_NO_NODE;
    return has ? found : PARE_NO_NODE;
}

/* Members are told by their names alone, whatever stands before them: the type of an expression is not known
 * here.  A local variable is a need of the statement that declares it. */
static pare_status use_name(pare_dependency_maker *maker, const pare_outline_use *use)
{
    pare_status status = PARE_OK;
    if (use->kind == PARE_OUTLINE_SIGNATURE || use->kind == PARE_OUTLINE_MADE ||
        use->kind == PARE_OUTLINE_HELD || use->kind == PARE_OUTLINE_LISTED)
        return PARE_OK;
    if (use->kind == PARE_OUTLINE_LOCAL)
        return pare_dependency_maker_add_pair(maker, &maker->edges, use->node, use->word);
    if (use->kind == PARE_OUTLINE_WEAK) return use_weakly(maker, use);
    bool perhaps;
    uint32_t class = pare_dependency_own_scope(&maker->own, use, &perhaps);
    if (class != PARE_NO_NODE) status = use_own(maker, use, class);
    if (perhaps) class = PARE_NO_NODE; /* or it is a base's */
    if (status || (class != PARE_NO_NODE && !maker->own.goes_beyond[use->word])) return status;
    uint32_t member =
        pare_dependency_maker_find_fact(maker, PARE_DEPENDENCY_FACT_MEMBER, use->word, 0);
    if (member != PARE_NO_WORD)
        status = pare_dependency_maker_add_pair(maker, &maker->edges, use->node,
                                                pare_dependency_maker_number(maker, member));
    if (class != PARE_NO_NODE) return status;
    if (!status && use->kind == PARE_OUTLINE_OPERATOR) {
        uint32_t sign =
            pare_dependency_maker_find_fact(maker, PARE_DEPENDENCY_FACT_OPERATOR, use->word, 0);
        return sign == PARE_NO_WORD
                   ? PARE_OK
                   : pare_dependency_maker_add_pair(maker, &maker->edges, use->node,
                                                    pare_dependency_maker_number(maker, sign));
    }
    if (!status && use->kind == PARE_OUTLINE_INSIDE) {
        class = meant_class(maker, use);
        return class == PARE_NO_NODE ? PARE_OK : use_own(maker, use, class);
    }
    if (status || use->kind == PARE_OUTLINE_PART) return status;
    return look_up(maker, use);
}

/* --- all ------------------------------------------------------------------------------------ */

/* Classes and enumerations in signatures, by node; not the node's own name.  A qualified one is looked for anywhere. */
static pare_status read_signatures(pare_dependency_maker *maker)
{
    const pare_outline *outline = maker->outline;
    pare_dependency_pairs pairs = {0};
    pare_status status = PARE_OK;
    for (size_t i = 0; i < outline->n_names; i++) {
        const pare_outline_name *name = &outline->names[i];
        const pare_outline_node *node = pare_dependency_maker_node(maker, name->node);
        if (is_inhabitant(node)) maker->is_class[name->word] = 1;
    }
    for (size_t i = 0; !status && i < outline->n_uses; i++) {
        const pare_outline_use *use = &outline->uses[i];
        uint32_t premise;
        if (use->kind == PARE_OUTLINE_HELD) maker->is_deduced[use->node] = 1;
        const bool own = use->kind == PARE_OUTLINE_SIGNATURE && use->qualifier == use->word;
        if (own && maker->outer[use->node] == PARE_NO_WORD) maker->outer[use->node] = use->word;
        if (use->kind != PARE_OUTLINE_SIGNATURE || !maker->is_class[use->word]) continue;
        const bool qualified = use->qualifier != PARE_NO_WORD;
        status = pare_dependency_maker_present(
            maker, use->word,
            qualified ? PARE_NO_WORD : pare_dependency_maker_node(maker, use->node)->space,
            &premise);
        if (!status) status = pare_dependency_maker_add_pair(maker, &pairs, use->node, premise);
    }
    if (!status)
        status =
            pare_dependency_lists_make(&pairs, outline->n_nodes, &maker->signatures, maker->err);
    pare_alloc_free(pairs.at);
    return status;
}

/* Facts and providers of all names. */
static pare_status declare_all(pare_dependency_maker *maker)
{
    const pare_outline *outline = maker->outline;
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < outline->n_names; i++) {
        const pare_outline_name *name = &outline->names[i];
        status = pare_dependency_maker_add_pair(maker, &maker->named, name->word, name->node);
        if (!status) status = declare(maker, name->node, name->word);
    }
    return status;
}

/* Clauses of what is declared; facts may become more meanwhile. */
static pare_status provide_all(pare_dependency_maker *maker)
{
    const pare_outline *outline = maker->outline;
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < maker->providers.n; i++)
        status = provide(maker, maker->providers.at[i].from, maker->providers.at[i].to);
    for (size_t i = 0; !status && i < outline->n_names; i++) {
        const pare_outline_name *name = &outline->names[i];
        bool first = i == 0 || outline->names[i - 1].node != name->node;
        if (first) status = add_special(maker, name->node, name->word);
        if (!status) status = add_operator(maker, name->node, name->word);
        if (!status &&
            pare_dependency_maker_node(maker, name->node)->roles & PARE_OUTLINE_VIRTUAL) {
            uint32_t member =
                pare_dependency_maker_find_fact(maker, PARE_DEPENDENCY_FACT_MEMBER, name->word, 0);
            if (member != PARE_NO_WORD)
                status = pare_dependency_maker_add_pair(
                    maker, &maker->edges, name->node, pare_dependency_maker_number(maker, member));
        }
    }
    return status;
}

/* Edges to the facts that say that a name is there, from what declares it. */
static pare_status present_all(pare_dependency_maker *maker)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < maker->named.n; i++) {
        uint32_t word = maker->named.at[i].from, node = maker->named.at[i].to;
        if (!pare_outline_is_plain(pare_dependency_maker_node(maker, node))) continue;
        uint32_t fact =
            pare_dependency_maker_find_fact(maker, PARE_DEPENDENCY_FACT_PRESENT, word, 0);
        if (fact != PARE_NO_WORD)
            status = pare_dependency_maker_add_pair(maker, &maker->edges, node,
                                                    pare_dependency_maker_number(maker, fact));
        fact = pare_dependency_maker_find_fact(maker, PARE_DEPENDENCY_FACT_PRESENT_IN, word,
                                               pare_dependency_maker_node(maker, node)->space);
        if (!status && fact != PARE_NO_WORD)
            status = pare_dependency_maker_add_pair(maker, &maker->edges, node,
                                                    pare_dependency_maker_number(maker, fact));
    }
    return status;
}

/* All rules. */
static pare_status apply(pare_dependency_maker *maker)
{
    const pare_outline *outline = maker->outline;
    uint32_t bodies, layout = LAYOUT;
    pare_status status = pare_dependency_maker_make_fact(maker, PARE_DEPENDENCY_FACT_BODIES,
                                                         PARE_NO_WORD, 0, &bodies);
    if (!status)
        status = pare_dependency_maker_make_fact(maker, PARE_DEPENDENCY_FACT_LAYOUT, PARE_NO_WORD,
                                                 0, &layout);
    assert(status || (bodies == BODIES && layout == LAYOUT));
    if (!status) status = declare_all(maker);
    if (!status) status = read_signatures(maker);
    if (!status)
        status = pare_dependency_lists_make(&maker->named, outline->n_words, &maker->declared,
                                            maker->err);
    if (!status)
        status = pare_dependency_own_find(outline, &maker->declared, &maker->own, maker->err);
    if (!status) status = provide_all(maker);
    for (uint32_t i = 0; !status && i < outline->n_nodes; i++)
        status = place(maker, i);
    for (uint32_t i = 0; !status && i < outline->n_uses; i++)
        status = use_name(maker, &outline->uses[i]);
    if (!status) status = inhabit_all(maker);
    return status ? status : present_all(maker);
}

/* Whether what a member is said to be, by itself or by the part that says what an alias stands for, is a member of the
 * same name of something else.  What overrides uses its own name, too, and stands for itself. */
static bool is_forwarded(const pare_dependency_maker *maker, const pare_dependency_lists *edges,
                         uint32_t fact, uint32_t node)
{
    const pare_outline_node *at = pare_dependency_maker_node(maker, node);
    bool uses = false;
    if (!maker->outline->members_hide || maker->facts[fact].kind != PARE_DEPENDENCY_FACT_MEMBER)
        return false;
    if (at->roles & PARE_OUTLINE_VIRTUAL) return false;
    for (uint32_t part = node; !uses && part < at->after;
         part = part == node ? node + 1 : pare_dependency_maker_node(maker, part)->after) {
        if (part != node && !(pare_dependency_maker_node(maker, part)->roles & PARE_OUTLINE_BASES))
            continue;
        for (uint32_t i = edges->first[part]; !uses && i < edges->first[part + 1]; i++)
            uses = edges->to[i] == pare_dependency_maker_number(maker, fact);
    }
    return uses;
}

/* Finds the providers that only pass on what another is. */
static pare_status find_forwards(const pare_dependency_maker *maker, pare_dependency_clauses *out)
{
    const pare_dependency_lists *providers = &out->providers;
    out->forwards = pare_alloc_zero(maker->providers.n + 1, 1);
    if (!out->forwards) return pare_fail_nomem(maker->err);
    for (uint32_t fact = 0; fact < maker->n_facts; fact++)
        for (uint32_t i = providers->first[fact]; i < providers->first[fact + 1]; i++)
            out->forwards[i] = is_forwarded(maker, &out->edges, fact, providers->to[i]);
    return PARE_OK;
}

/* Makes lists of what tells nodes from their rivals. */
static pare_status list_rivals(const pare_dependency_maker *maker, pare_dependency_clauses *out)
{
    const pare_outline *outline = maker->outline;
    pare_dependency_pairs pairs = {0};
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < outline->n_rivals; i++) {
        const pare_outline_rival *rival = &outline->rivals[i];
        status = pare_dependency_lists_add(&pairs, rival->node, rival->part, maker->err);
        if (!status)
            status = pare_dependency_lists_add(&pairs, rival->node, rival->rival, maker->err);
    }
    if (!status)
        status = pare_dependency_lists_make(&pairs, outline->n_nodes, &out->rivals, maker->err);
    pare_alloc_free(pairs.at);
    return status;
}

/* Makes the lists of *out of what was collected.  On failure *out is half made, and to be ended. */
static pare_status write_out(pare_dependency_maker *maker, pare_dependency_clauses *out)
{
    uint32_t n_nodes = (uint32_t)maker->outline->n_nodes;
    pare_error *err = maker->err;
    out->n_nodes = n_nodes;
    out->n = n_nodes + (uint32_t)maker->n_facts;
    out->n_clauses = maker->heads.n;
    out->n_always = maker->always.n;
    pare_status status = pare_dependency_lists_make(&maker->edges, out->n, &out->edges, err);
    if (!status) status = pare_dependency_lists_make(&maker->premises, out->n, &out->shared, err);
    if (!status)
        status =
            pare_dependency_lists_make(&maker->providers, maker->n_facts, &out->providers, err);
    if (!status) status = find_forwards(maker, out);
    if (!status) status = list_rivals(maker, out);
    out->named = maker->declared;
    maker->declared = (pare_dependency_lists){0};
    const pare_dependency_bases_source source = {.outline = maker->outline,
                                                 .names = &maker->named,
                                                 .named = &out->named,
                                                 .is_member = maker->is_member};
    if (!status) status = pare_dependency_bases_tie(&source, &out->ties, err);
    out->heads = pare_alloc(maker->heads.n, sizeof *out->heads);
    out->n_premises = pare_alloc(maker->heads.n, sizeof *out->n_premises);
    out->one_of = pare_alloc_zero(maker->n_facts, 1);
    out->always = pare_alloc(maker->always.n, sizeof *out->always);
    if (status) return status;
    if (!out->heads || !out->n_premises || !out->one_of || !out->always)
        return pare_fail_nomem(err);
    for (size_t i = 0; i < maker->heads.n; i++) {
        out->heads[i] = maker->heads.at[i].from;
        out->n_premises[i] = maker->heads.at[i].to;
    }
    for (size_t i = 0; i < maker->n_facts; i++)
        out->one_of[i] = maker->facts[i].kind == PARE_DEPENDENCY_FACT_USED;
    for (size_t i = 0; i < maker->always.n; i++)
        out->always[i] = maker->always.at[i].from;
    return PARE_OK;
}

void pare_dependency_rules_done(pare_dependency_clauses *clauses)
{
    pare_dependency_lists_done(&clauses->edges);
    pare_dependency_lists_done(&clauses->shared);
    pare_dependency_lists_done(&clauses->providers);
    pare_dependency_lists_done(&clauses->named);
    pare_dependency_lists_done(&clauses->ties);
    pare_dependency_lists_done(&clauses->rivals);
    pare_alloc_free(clauses->heads);
    pare_alloc_free(clauses->n_premises);
    pare_alloc_free(clauses->one_of);
    pare_alloc_free(clauses->forwards);
    pare_alloc_free(clauses->always);
    *clauses = (pare_dependency_clauses){0};
}

static void clean_up(pare_dependency_maker *maker)
{
    pare_alloc_free(maker->facts);
    pare_alloc_free(maker->first_fact);
    pare_alloc_free(maker->edges.at);
    pare_alloc_free(maker->providers.at);
    pare_alloc_free(maker->premises.at);
    pare_alloc_free(maker->heads.at);
    pare_alloc_free(maker->named.at);
    pare_alloc_free(maker->always.at);
    pare_alloc_free(maker->outer);
    pare_alloc_free(maker->is_deduced);
    pare_alloc_free(maker->is_class);
    pare_alloc_free(maker->is_member);
    pare_alloc_free(maker->is_named);
    pare_dependency_lists_done(&maker->signatures);
    pare_dependency_lists_done(&maker->declared);
    pare_dependency_own_done(&maker->own);
}

/* The outline is only read. */
pare_status pare_dependency_rules_apply(const pare_outline *outline, pare_dependency_clauses *out,
                                        pare_error *err)
{
    pare_dependency_maker maker = {.outline = outline, .err = err};
    pare_dependency_clauses made = {0};
    maker.first_fact = pare_alloc(outline->n_words, sizeof *maker.first_fact);
    maker.is_class = pare_alloc_zero(outline->n_words, 1);
    maker.outer = pare_alloc(outline->n_nodes + 1, sizeof *maker.outer);
    maker.is_member = pare_alloc_zero(outline->n_words, 1);
    maker.is_named = pare_alloc_zero(outline->n_nodes + 1, 1);
    maker.is_deduced = pare_alloc_zero(outline->n_nodes + 1, 1);
    bool all = maker.first_fact && maker.is_class && maker.is_member && maker.is_named &&
               maker.is_deduced && maker.outer;
    pare_status status = all ? PARE_OK : pare_fail_nomem(err);
    for (size_t i = 0; !status && i < outline->n_names; i++)
        maker.is_named[outline->names[i].node] = 1;
    for (size_t i = 0; !status && i < outline->n_nodes; i++)
        maker.outer[i] = PARE_NO_WORD;
    for (size_t i = 0; !status && i < outline->n_words; i++)
        maker.first_fact[i] = PARE_NO_WORD;
    if (!status) status = apply(&maker);
    if (!status) status = write_out(&maker, &made);
    clean_up(&maker);
    if (status)
        pare_dependency_rules_done(&made);
    else
        *out = made;
    return status;
}
