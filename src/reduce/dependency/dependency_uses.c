/* What the uses of names need.
 *
 * A name is looked up in the spaces around, in the space that qualifies it, or, where that cannot be told, anywhere: of
 * all facts of the word those count that agree best with the use.  Names that only arguments could lead to are facts of
 * their own.
 * Source: name lookup, C++20 [basic.lookup]; what is not known here, such as the types of expressions, is decided for
 * what compiles. */
#include "reduce/dependency/dependency_uses.h"

#include <limits.h>

#include "base/halving.h"
#include "parse/parse_tree.h"
#include "reduce/dependency/dependency_lists.h"
#include "reduce/dependency/dependency_own.h"
#include "reduce/dependency/outline.h"

/* Whether the space, or one around it, is called `word`: `a::f` may mean an `f` in a space
 * within `a`, such as an inline name space. */
static bool is_in(const pare_outline *outline, uint32_t space, uint32_t word)
{
    for (; space; space = outline->spaces[space].parent)
        if (outline->spaces[space].word == word) return true;
    return false;
}

/* How well a fact's space agrees with a use: 0 not at all, more is better.
 *
 *     plain                        2 in a space around the use, 1 in any other
 *     q::name                      3 in a space called q, 2 in a space within one, 0 elsewhere
 *     the nearest q::name          3 and its depth, if what holds the space called q is around the use
 *     imported from q              2 in the space called q, 1 elsewhere
 *     all others                   1 anywhere
 *
 * What a closed space declares (a file's imports) is known only within it. */
static unsigned agreement(const pare_dependency_maker *maker, const pare_outline_use *use,
                          uint32_t space)
{
    const pare_outline *outline = maker->outline;
    const pare_outline_space *at = &outline->spaces[space];
    const bool inside = pare_outline_is_around(outline, space, outline->nodes[use->node].scope);
    if (use->kind == PARE_OUTLINE_IMPORTED && at->word == use->qualifier) return 2;
    if (at->closed && !inside) return 0;
    if (use->kind == PARE_OUTLINE_PLAIN) return inside ? 2 : 1;
    if (use->kind != PARE_OUTLINE_QUALIFIED && use->kind != PARE_OUTLINE_NEAREST) return 1;
    if (space && at->word == use->qualifier) {
        const bool near =
            use->kind == PARE_OUTLINE_NEAREST &&
            pare_outline_is_around(outline, at->parent, outline->nodes[use->node].scope);
        return near ? 3 + at->depth : 3;
    }
    return is_in(outline, space, use->qualifier) ? 2 : 0;
}

/* Whether the use says in what its name is. */
static bool is_qualified(const pare_outline_use *use)
{
    return use->kind == PARE_OUTLINE_QUALIFIED || use->kind == PARE_OUTLINE_NEAREST;
}

/* Whether a name space is called `word`. */
static bool is_space(const pare_dependency_maker *maker, uint32_t word)
{
    return word != PARE_NO_WORD && maker->spaces.first[word] < maker->spaces.first[word + 1];
}

/* Whether the qualifier is a name space, and no class, for names that it does not declare: they
 * may come into it from any other by `using namespace`.  `std::f` with no `f` in `std` may then
 * be any `f`, while `A::f` with a class A is a member's name and looked up as such. */
static bool is_opened_elsewhere(const pare_dependency_maker *maker, const pare_outline_use *use)
{
    return is_qualified(use) && !maker->is_class[use->qualifier] && maker->outline->members_hide &&
           is_space(maker, use->qualifier);
}

/* The facts of a use's word that agree with it best, where there are any: those of the spaces around a plain one, or of
 * those that are called like the qualifier.  All-zero but for the first two: before the first space. */
struct near {
    const pare_dependency_maker *maker;
    const pare_outline_use *use;
    uint32_t space, n; /* the space that was looked at last, and how many were */
};

/* The next space to look into; false: there is none.  For a plain use from the innermost scope
 * outwards, the global space last; for a qualified one the spaces that are called like the
 * qualifier, the latest first. */
static bool next_space(struct near *near)
{
    const pare_outline *outline = near->maker->outline;
    const pare_dependency_lists *spaces = &near->maker->spaces;
    const uint32_t word = near->use->qualifier, n = near->n++;
    if (near->use->kind == PARE_OUTLINE_PLAIN) {
        if (n && !near->space) return false;
        near->space =
            n ? outline->spaces[near->space].parent : outline->nodes[near->use->node].scope;
        return true;
    }
    if (!is_qualified(near->use) || !is_space(near->maker, word) ||
        n >= spaces->first[word + 1] - spaces->first[word])
        return false;
    near->space = spaces->to[spaces->first[word + 1] - 1 - n];
    return true;
}

/* The fact of the next space that has one; PARE_NO_WORD: there is none.  Afterwards near->space
 * is its space. */
static uint32_t next_near(struct near *near)
{
    uint32_t fact = PARE_NO_WORD;
    while (fact == PARE_NO_WORD && next_space(near))
        fact = pare_dependency_maker_find_fact(near->maker, PARE_DEPENDENCY_FACT_USED,
                                               near->use->word, near->space);
    return fact;
}

/* How well the best of them agrees; 0: there are none. */
static unsigned best_near(const pare_dependency_maker *maker, const pare_outline_use *use)
{
    struct near near = {.maker = maker, .use = use};
    unsigned best = 0;
    while (next_near(&near) != PARE_NO_WORD) {
        const unsigned own = agreement(maker, use, near.space);
        if (own > best) best = own;
    }
    return best;
}

/* The node needs all that agree so well: several name spaces may be called like the qualifier,
 * and which of them is meant is not known. */
static pare_status need_near(pare_dependency_maker *maker, const pare_outline_use *use,
                             unsigned best)
{
    struct near near = {.maker = maker, .use = use};
    pare_status status = PARE_OK;
    for (uint32_t fact; !status && (fact = next_near(&near)) != PARE_NO_WORD;)
        if (agreement(maker, use, near.space) == best)
            status = pare_dependency_maker_add_pair(maker, &maker->edges, use->node,
                                                    pare_dependency_maker_number(maker, fact));
    return status;
}

/* The fact of the use's word in the nearest space around that holds a space called like the
 * qualifier with one, which agrees best of all; PARE_NO_WORD: there is none.  Example, in which
 * the use means a::detail::x rather than b::detail::x or detail::x:
 *
 *     namespace a { namespace detail { int x; } int y = detail::x; } */
static uint32_t find_nearest(const pare_dependency_maker *maker, const pare_outline_use *use)
{
    const pare_outline *outline = maker->outline;
    uint32_t scope = outline->nodes[use->node].scope, space;
    if (use->kind != PARE_OUTLINE_NEAREST) return PARE_NO_WORD;
    for (bool last = false; !last; scope = outline->spaces[scope].parent) {
        last = !scope;
        if (!pare_outline_find_space(outline, scope, use->qualifier, &space)) continue;
        const uint32_t fact =
            pare_dependency_maker_find_fact(maker, PARE_DEPENDENCY_FACT_USED, use->word, space);
        if (fact != PARE_NO_WORD && agreement(maker, use, space)) return fact;
    }
    return PARE_NO_WORD;
}

/* Whether it costs more to look into all spaces that are called like the qualifier than to go
 * through the facts of the word: a thousand name spaces may be called `detail`.  The facts are
 * counted no further than there are such spaces. */
static bool has_few_facts(const pare_dependency_maker *maker, const pare_outline_use *use)
{
    if (!is_qualified(use) || !is_space(maker, use->qualifier)) return false;
    const uint32_t *first = maker->spaces.first + use->qualifier;
    uint32_t n = first[1] - first[0];
    for (uint32_t i = maker->first_fact[use->word]; n && i != PARE_NO_WORD;
         i = maker->facts[i].next)
        n--;
    return n > 0;
}

/* Whether a directive for `word` stands in a space that is around `scope`.  Directives are
 * sorted by their words, so those for one word are found by bisection. */
static bool is_directed(const pare_outline *outline, uint32_t word, uint32_t scope)
{
    const pare_outline_directive *directives = outline->directives;
    pare_halving search = {.low = 0, .high = outline->n_directives};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, directives[search.middle].word < word);
    for (size_t i = search.low; i < outline->n_directives && directives[i].word == word; i++)
        if (pare_outline_is_around(outline, directives[i].space, scope)) return true;
    return false;
}

/* Whether names of the space are brought into one that is around `scope`: those of the space
 * itself, or of one around it. The global space always is. */
static bool is_opened(const pare_dependency_maker *maker, uint32_t space, uint32_t scope)
{
    const pare_outline *outline = maker->outline;
    uint32_t outer = space;
    while (outer && !is_directed(outline, outline->spaces[outer].word, scope))
        outer = outline->spaces[outer].parent;
    return outer || !space;
}

/* Makes the fact that a plain name is used which only arguments could lead to the functions of
 * the space, as none is declared around.  Each such function is needed if the classes in its
 * signature are kept as well: `swap(x, y)` does not bring along all functions `swap` of a
 * library.  The clauses are made once, with the fact. */
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
        if (!status) status = pare_dependency_maker_add_arguments(maker, node);
    }
    return status;
}

/* The node needs what the use may mean: of all facts of the word those that agree best.  In this
 * order, cheapest first: the one that is nearest for certain; those in the spaces around, or of
 * the qualifier; all facts of the word.  All are only gone through where none is near, since a
 * thousand name spaces may declare the word. */
static pare_status look_up(pare_dependency_maker *maker, const pare_outline_use *use)
{
    const uint32_t nearest = find_nearest(maker, use);
    if (nearest != PARE_NO_WORD)
        return pare_dependency_maker_add_pair(maker, &maker->edges, use->node,
                                              pare_dependency_maker_number(maker, nearest));
    unsigned best = has_few_facts(maker, use) ? 0 : best_near(maker, use);
    pare_status status = PARE_OK;
    if (best) return need_near(maker, use, best);
    if (is_qualified(use) && !is_space(maker, use->qualifier)) return PARE_OK;
    uint32_t i = maker->first_fact[use->word];
    for (; i != PARE_NO_WORD; i = maker->facts[i].next) {
        if (maker->facts[i].kind != PARE_DEPENDENCY_FACT_USED) continue;
        unsigned own = agreement(maker, use, maker->facts[i].space);
        if (own > best) best = own;
    }
    /* hidden: the name is plain, and no space around declares it, so only a directive or the
     * arguments can lead to it. */
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

/* The node may use the name: all that the name may mean comes along with it.  A clause for each
 * rather than an edge: dropping looks at edges only, so what is used weakly can be dropped
 * without the node. */
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

/* The node needs the members of that name that the class has itself.  A single one is a direct
 * edge; of several (overloads) a fact stands for all, so that the node can do with one of them
 * when others are dropped.  The fact is made by the first use, and shared by later ones. */
static pare_status use_own(pare_dependency_maker *maker, const pare_outline_use *use,
                           uint32_t class)
{
    const pare_outline *outline = maker->outline;
    const uint32_t first =
        pare_dependency_own_after(outline, &maker->declared, class, use->word, class);
    uint32_t next = pare_dependency_own_after(outline, &maker->declared, class, use->word, first);
    /* The only member of that name, unless the use is its own declaration. */
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

/* The member that is defined outside of its class and in whose body the node is; PARE_NO_NODE: there is none. */
static uint32_t defined_around(const pare_dependency_maker *maker, uint32_t node)
{
    const pare_outline_node *nodes = maker->outline->nodes;
    for (node = nodes[node].parent; node != PARE_NO_NODE; node = nodes[node].parent)
        if (maker->outer[node] != PARE_NO_WORD) return node;
    return PARE_NO_NODE;
}

/* A body outside of its class may be that of a specialisation, which is called as the class is: of each specialisation
 * that is kept the members of that name are needed, too.  In
 *
 *     template<class A> void vector<bool, A>::f() { g(); }
 *
 * g is that of vector<bool>, and vector has one as well. */
static pare_status use_special(pare_dependency_maker *maker, const pare_outline_use *use)
{
    enum { KIND = PARE_OUTLINE_CLASS | PARE_OUTLINE_SPECIAL, MOST = 64 };
    const pare_outline *outline = maker->outline;
    const pare_dependency_lists *declared = &maker->declared;
    if (!outline->members_hide || use->kind != PARE_OUTLINE_PLAIN) return PARE_OK;
    const uint32_t defined = defined_around(maker, use->node);
    if (defined == PARE_NO_NODE) return PARE_OK;
    const uint32_t word = maker->outer[defined], end = declared->first[word + 1];
    pare_status status = PARE_OK;
    if (end - declared->first[word] > MOST) return PARE_OK;
    for (uint32_t i = declared->first[word]; !status && i < end; i++) {
        const uint32_t class = declared->to[i];
        if ((outline->nodes[class].roles & KIND) != KIND || class > defined) continue;
        uint32_t member = class;
        while (!status && (member = pare_dependency_own_after(outline, declared, class, use->word,
                                                              member)) != PARE_NO_NODE) {
            status = pare_dependency_maker_add_clause(maker, member);
            if (!status) status = pare_dependency_maker_add_premise(maker, use->node);
            if (!status) status = pare_dependency_maker_add_premise(maker, class);
        }
    }
    return status;
}

/* How well the class agrees with what the use says it is in (`within`): 0 not at all, more is
 * better.  Without any word of that, all agree alike.  For a class in a class it counts which
 * class that is; UINT_MAX is for one in the very class that the use is in, which hides all
 * others.  Outside of classes, deeper spaces around the use hide those further out. */
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
        if (!around) return pare_dependency_maker_declares(maker, owner, use->within) ? 3 : 0;
        return use->node > owner && use->node < outline->nodes[owner].after ? UINT_MAX : 1;
    }
    if (around && pare_outline_is_around(outline, space, scope))
        return 2 + outline->spaces[space].depth;
    if (around) return is_opened(maker, space, scope);
    const pare_outline_use name = {.node = use->node,
                                   .word = use->qualifier,
                                   .qualifier = use->within,
                                   .kind = PARE_OUTLINE_QUALIFIED};
    return agreement(maker, &name, space);
}

/* The class called like the qualifier that the use means, if it has the member of the use
 * itself.  Only classes that are defined count; of several the one that agrees best with what it
 * is said to be in, unless two agree equally well. PARE_NO_NODE: there is none, or that is not
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

/* The order decides: kinds that are no needs; variables of statements, which are nodes; weak
 * uses; members of the class around; members of any class, by their names alone, whatever stands
 * before them, because the type of an expression is not known here; operators; members of a
 * class that is named; and what is left is looked up in spaces. */
pare_status pare_dependency_uses_add(pare_dependency_maker *maker, const pare_outline_use *use)
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
    if (!status) status = use_special(maker, use);
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
