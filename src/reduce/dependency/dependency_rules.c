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
#include "base/hash_index.h"
#include "parse/parse_tree.h"
#include "reduce/dependency/dependency_bases.h"
#include "reduce/dependency/dependency_lists.h"
#include "reduce/dependency/dependency_maker.h"
#include "reduce/dependency/dependency_own.h"
#include "reduce/dependency/dependency_uses.h"
#include "reduce/dependency/outline.h"

/* The first facts: bodies stay with their functions; members that other code relies on, with
 * their classes.  No node provides for them: whoever closes a set says whether they hold
 * (pare_dependency_query). */
enum { BODIES = 0, LAYOUT = 1 };

/* --- declarations ----------------------------------------------------------------------- */

/* The node declares the word: which facts provide for it.  Members provide for one fact per
 * name, whatever their class, because the type of the expression before the dot is not known;
 * other declarations for one fact per name and space. Specialisations, and what is defined
 * outside of its class, declare nothing that a name could be looked up to (see add_special); but
 * a class that is defined so counts as a member.  `n_functions` tells later whether the name is
 * overloaded. */
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

/* What a fact leads to at a node that provides for it:
 *
 *     a member      (its parent is kept, its name is used[, its signature's classes are]) -> member
 *     an overload    (its name is used, its signature's classes are kept) -> function
 *     all else       its name is used -> node
 *
 * Of two functions `f(A)` and `f(B)` only the first comes along where no B is kept. */
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
        if (!status && at->roles & PARE_OUTLINE_TIED)
            status = pare_dependency_maker_add_signature(maker, node);
        return status ? status : pare_dependency_maker_add_premise(maker, used);
    }
    bool overloaded = at->roles & PARE_OUTLINE_FUNCTION && maker->facts[fact].n_functions > 1;
    if (!overloaded) return pare_dependency_maker_add_pair(maker, &maker->edges, used, node);
    status = pare_dependency_maker_add_clause(maker, node);
    if (!status) status = pare_dependency_maker_add_premise(maker, used);
    return status ? status : pare_dependency_maker_add_signature(maker, node);
}

/* Whether a function of that name may be called by a sign, as in `a + b`, or by a loop over a
 * range, which calls the operators of its iterator.  A function called `operators` counts, too,
 * which does no harm: no sign leads to it. */
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

/* Says of which spaces a class is: of its own and of all around that.  Only facts that some
 * clause has asked for exist, so this runs when all clauses are made. */
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
    return status ? status : pare_dependency_maker_add_arguments(maker, node);
}

/* Whether the function has a body; `constant C::x(1);` looks like one. */
static bool has_body(const pare_outline *outline, uint32_t node)
{
    for (uint32_t i = node + 1; i < outline->nodes[node].after; i = outline->nodes[i].after)
        if (outline->nodes[i].roles & PARE_OUTLINE_BODY) return true;
    return false;
}

/* One of the members `word` of classes called `class` provides for the fact, which is made by
 * the first.  The edge leads from the member to the fact: any one of them makes it true. */
static pare_status define_one(pare_dependency_maker *maker, uint32_t member, uint32_t word,
                              uint32_t class, uint32_t *fact)
{
    pare_status status =
        pare_dependency_maker_make_fact(maker, PARE_DEPENDENCY_FACT_DEFINED, word, class, fact);
    if (!status) status = pare_dependency_maker_add_pair(maker, &maker->providers, *fact, member);
    return status ? status
                  : pare_dependency_maker_add_pair(maker, &maker->edges, member,
                                                   pare_dependency_maker_number(maker, *fact));
}

/* Makes the fact that one of the members `word` of classes called `class` is there;
 * PARE_NO_WORD: there is no such member.  Each class called so is asked for its own run of
 * declarations of the word, by bisection, rather than each declaration of the word for its
 * class: a thousand classes may have members of that name, such as `begin`. */
static pare_status define(pare_dependency_maker *maker, uint32_t word, uint32_t class,
                          uint32_t *fact)
{
    const pare_dependency_lists *declared = &maker->declared;
    pare_status status = PARE_OK;
    *fact = PARE_NO_WORD;
    for (uint32_t i = declared->first[class]; !status && i < declared->first[class + 1]; i++) {
        const uint32_t parent = declared->to[i],
                       end = pare_dependency_maker_node(maker, parent)->after;
        for (uint32_t k = pare_dependency_lists_after(declared, word, parent);
             !status && k < declared->first[word + 1] && declared->to[k] < end; k++) {
            const pare_outline_node *member = pare_dependency_maker_node(maker, declared->to[k]);
            if (member->roles & PARE_OUTLINE_MEMBER && member->parent == parent)
                status = define_one(maker, declared->to[k], word, class, fact);
        }
    }
    return status;
}

/* What is defined outside of its class, the clause of which is open, needs its declaration in a
 * class that is called like its own, and is only needed with one: so there is a premise as well
 * as an edge back.  Where the type of a function is deduced from its body, whoever keeps the
 * declaration needs the definition, too.  Of a class that is called otherwise nothing is known,
 * and the clause stays as it is. */
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

/* A specialisation, or a member that is defined outside of its class.  One clause, with these
 * premises:
 *
 *     void A::f() {..}          the fact BODIES; some member `f` is used; A::f is declared
 *     int A::count = 0;         some member `count` is used; A::count is declared
 *     template <> class V<B>    a V that can be seen from there is kept; B is kept
 *
 * The classes of the signature are added to each.  A specialisation also needs its primary
 * template, by an edge. */
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
    } else if (maker->outer[node] != PARE_NO_WORD && at->roles & PARE_OUTLINE_CLASS) {
        status = add_defined(maker, node, word);
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
    return status ? status : pare_dependency_maker_add_signature(maker, node);
}

/* What is tied to others comes with them: where its parent is kept and all classes of its
 * signature are.  A member with a name is left to `provide`, which adds that the name is used. */
static pare_status tie(pare_dependency_maker *maker, uint32_t node)
{
    const pare_outline_node *at = pare_dependency_maker_node(maker, node);
    bool tied = at->roles & PARE_OUTLINE_TIED &&
                (!(at->roles & PARE_OUTLINE_MEMBER) || !maker->is_named[node]);
    if (!tied) return PARE_OK;
    pare_status status = pare_dependency_maker_add_clause(maker, node);
    if (!status && at->parent != PARE_NO_NODE)
        status = pare_dependency_maker_add_premise(maker, at->parent);
    return status ? status : pare_dependency_maker_add_signature(maker, node);
}

/* Whether nothing is around the node but shells that declare no name, such as a nameless name
 * space: what is forced there stays with the program, as if it were outside of all. */
static bool is_at_file_level(const pare_dependency_maker *maker, uint32_t node)
{
    uint32_t parent = pare_dependency_maker_node(maker, node)->parent;
    while (parent != PARE_NO_NODE &&
           pare_dependency_maker_node(maker, parent)->roles & PARE_OUTLINE_SHELL &&
           !maker->is_named[parent])
        parent = pare_dependency_maker_node(maker, parent)->parent;
    return parent == PARE_NO_NODE;
}

/* What holds of a node by its place and kind, whatever it is called:
 *
 *     what it is in        node -> parent
 *     forced               parent -> node; at the level of the file it always stays
 *     a body               (its function is kept, BODIES) -> body
 *     of the layout        (its class is kept, LAYOUT) -> node
 *
 * A line of the preprocessor is forced in what it stands in, but does not keep that by itself. */
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
        if (!status && !(at->roles & (PARE_OUTLINE_MEMBER | PARE_OUTLINE_SPECIAL)))
            status = pare_dependency_maker_add_signature(maker, node);
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

/* --- all ------------------------------------------------------------------------------------ */

/* Classes and enumerations in signatures, by node; not the node's own name.  A qualified one is
 * looked for anywhere. First the names that are classes are marked, since a signature also holds
 * names of parameters and of values, which are no premises.  On the way it is noted which
 * functions have a type that is deduced (HELD), and of which class a definition outside is: for
 * `void A::f(A)` the reader says so by a use in which qualifier and word are both A. */
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

/* Clauses of what is declared: first for each provider of a fact, then for each name what does
 * not follow from that, which is specialisations, definitions outside of classes, and operators.
 * The latter make facts and providers of their own, with all clauses that these need.  What
 * overrides a member uses its own name: as long as it is kept, so are members of that name in
 * other classes that are kept, such as the base. */
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

/* Edges to the facts that say that a name is there (PRESENT, PRESENT_IN), from what declares it.
 * Last of all rules, since clauses ask for such facts up to then; a fact that nobody asked for
 * does not exist and costs nothing. */
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

/* Which name spaces are called what.  Number 0, the global one, is never meant by a qualifier,
 * and a space without a word by no name. */
static pare_status list_spaces(pare_dependency_maker *maker)
{
    const pare_outline *outline = maker->outline;
    pare_dependency_pairs pairs = {0};
    pare_status status = PARE_OK;
    for (uint32_t i = 1; !status && i < outline->n_spaces; i++)
        if (outline->spaces[i].word != PARE_NO_WORD)
            status = pare_dependency_lists_add(&pairs, outline->spaces[i].word, i, maker->err);
    if (!status)
        status = pare_dependency_lists_make(&pairs, outline->n_words, &maker->spaces, maker->err);
    pare_alloc_free(pairs.at);
    return status;
}

/* All rules, in an order that is a part of them: facts of declarations first, because uses and
 * signatures are looked up among them; what belongs to which class before the clauses that ask
 * for it; uses after all facts that they may lead to; who is where (inhabit_all, present_all) at
 * the end, when it is known what was asked for. */
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
    if (!status) status = list_spaces(maker);
    if (!status)
        status = pare_dependency_own_find(outline, &maker->declared, maker->outer, &maker->own,
                                          maker->err);
    if (!status) status = provide_all(maker);
    for (uint32_t i = 0; !status && i < outline->n_nodes; i++)
        status = place(maker, i);
    for (uint32_t i = 0; !status && i < outline->n_uses; i++)
        status = pare_dependency_uses_add(maker, &outline->uses[i]);
    if (!status) status = inhabit_all(maker);
    return status ? status : present_all(maker);
}

/* Whether what a member is said to be, by itself or by the part that says what an alias stands
 * for, is a member of the same name of something else, as in `typedef typename B::value value;`:
 * then the edges of the node, or of such a part, lead to the very fact that it provides for.
 * What overrides uses its own name, too, and stands for itself. */
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

/* Makes lists of what tells nodes from their rivals: two entries for each, the part and then the
 * rival.  They stay side by side because the lists keep the order of the pairs. */
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

/* Makes the lists of *out of what was collected.  The clauses' heads and counts become arrays.
 * `one_of` is set for names in name spaces (USED): of those one declaration is needed in any
 * case.  On failure *out is half made, and to be ended. */
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
    const pare_dependency_bases_source source = {.outline = maker->outline,
                                                 .names = &maker->named,
                                                 .named = &maker->declared,
                                                 .is_member = maker->is_member,
                                                 .own = &maker->own};
    if (!status) status = pare_dependency_bases_tie(&source, &out->ties, err);
    out->named = maker->declared;
    maker->declared = (pare_dependency_lists){0};
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

/* Only what write_out has not taken over is left to be freed: `declared` is empty by then, if
 * all went well. */
static void clean_up(pare_dependency_maker *maker)
{
    pare_alloc_free(maker->facts);
    pare_hash_index_done(&maker->fact_index);
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
    pare_dependency_lists_done(&maker->spaces);
    pare_dependency_own_done(&maker->own);
}

/* The outline is only read.  Memory while it runs: the pairs, 8 bytes for each edge, and the
 * facts; all but the lists of *out is freed at the end. */
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
