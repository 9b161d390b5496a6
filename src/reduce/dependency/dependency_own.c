/* In a class a plain name is that of a member of its own, if there is one, and else of one of a base, or of
 * what is around the class.  What its head says, parameters, constraints and bases, is looked up
 * outside of it.
 *
 * Source: unqualified name lookup in class scope, C++20 [basic.lookup.unqual] and [class.member.lookup];
 * without the order in the class, as a name that changes its meaning in it is an error. */
#include "reduce/dependency/dependency_own.h"

#include "base/alloc.h"
#include "base/halving.h"
#include "parse/parse_tree.h"

/* The class, or other node, whose member the node is; PARE_NO_NODE: none.  Nameless classes are
 * stepped over, since their members are those of the class around: in `struct S { union { int a;
 * }; };` the owner of `a` is S. */
static uint32_t owner(const pare_outline *outline, uint32_t node)
{
    uint32_t class = outline->nodes[node].parent;
    while (class != PARE_NO_NODE && outline->nodes[class].roles & PARE_OUTLINE_NAMELESS)
        class = outline->nodes[class].parent;
    return class;
}

/* The word's declarations are in the order of the text, and so are nodes; so the members of the
 * class are a run of that list, found by bisection.  Members of classes in the class are in the
 * run, too, and are passed over by their owner. */
uint32_t pare_dependency_own_after(const pare_outline *outline, const pare_dependency_lists *named,
                                   uint32_t class, uint32_t word, uint32_t after)
{
    const uint32_t end = outline->nodes[class].after;
    for (uint32_t i = pare_dependency_lists_after(named, word, after);
         i < named->first[word + 1] && named->to[i] < end; i++)
        if (owner(outline, named->to[i]) == class) return named->to[i];
    return PARE_NO_NODE;
}

/* Goes outwards through bodies, statements and name spaces to the first class.  The node itself
 * does not count: of a class it is the class around it. */
uint32_t pare_dependency_own_class(const pare_outline *outline, uint32_t node)
{
    uint32_t class = owner(outline, node);
    while (class != PARE_NO_NODE && !(outline->nodes[class].roles & PARE_OUTLINE_CLASS))
        class = owner(outline, class);
    return class;
}

/* The only class called `word`, in the name space of the definition or in one that is in it, that has a member called as
 * what is defined; PARE_NO_NODE: none, or several, or there are too many of that name to tell. */
static uint32_t defined_class(const pare_dependency_own *own, const pare_outline_name *defined,
                              uint32_t word)
{
    /* Forward declarations and specialisations are no candidates.  MOST bounds what one
     * definition costs. */
    enum { OTHER = PARE_OUTLINE_FORWARD | PARE_OUTLINE_SPECIAL, MOST = 64 };
    const pare_outline *outline = own->outline;
    const uint32_t first = own->named->first[word], end = own->named->first[word + 1];
    uint32_t found = PARE_NO_NODE;
    for (uint32_t i = first; i < end && end - first <= MOST; i++) {
        const uint32_t class = own->named->to[i];
        const pare_outline_node *at = &outline->nodes[class];
        /* A class has to stand before the definition of its member. */
        if (!(at->roles & PARE_OUTLINE_CLASS) || at->roles & OTHER || class >= defined->node)
            continue;
        if (!pare_outline_is_around(outline, outline->nodes[defined->node].space, at->space) ||
            pare_dependency_own_after(outline, own->named, class, defined->word, class) ==
                PARE_NO_NODE)
            continue;
        if (found != PARE_NO_NODE) return PARE_NO_NODE;
        found = class;
    }
    return found;
}

/* Three tables in one pass each, by node or by word:
 *
 *     has_bases     class: it has a part that says what it inherits
 *     goes_beyond   word: some member of that name is defined outside, tied, or overrides
 *     defines       member that is defined outside: its class, if that can be told
 *
 * `defines` is only looked for in languages in which a class's own members hide others;
 * elsewhere it is of no use. */
pare_status pare_dependency_own_find(const pare_outline *outline,
                                     const pare_dependency_lists *named, const uint32_t *outer,
                                     pare_dependency_own *own, pare_error *err)
{
    enum { BEYOND = PARE_OUTLINE_OUTSIDE | PARE_OUTLINE_TIED | PARE_OUTLINE_VIRTUAL };
    pare_dependency_own made = {.outline = outline, .named = named};
    made.has_bases = pare_alloc_zero(outline->n_nodes + 1, 1);
    made.goes_beyond = pare_alloc_zero(outline->n_words + 1, 1);
    made.defines = pare_alloc(outline->n_nodes + 1, sizeof *made.defines);
    if (!made.has_bases || !made.goes_beyond || !made.defines) {
        pare_dependency_own_done(&made);
        return pare_fail_nomem(err);
    }
    for (size_t i = 0; i < outline->n_nodes; i++)
        if (outline->nodes[i].roles & PARE_OUTLINE_BASES &&
            outline->nodes[i].parent != PARE_NO_NODE)
            made.has_bases[outline->nodes[i].parent] = 1;
    for (size_t i = 0; i < outline->n_names; i++)
        if (outline->nodes[outline->names[i].node].roles & BEYOND)
            made.goes_beyond[outline->names[i].word] = 1;
    for (size_t i = 0; i < outline->n_nodes; i++)
        made.defines[i] = PARE_NO_NODE;
    for (size_t i = 0; outline->members_hide && i < outline->n_names; i++)
        if (outer[outline->names[i].node] != PARE_NO_WORD)
            made.defines[outline->names[i].node] =
                defined_class(&made, &outline->names[i], outer[outline->names[i].node]);
    *own = made;
    return PARE_OK;
}

void pare_dependency_own_done(pare_dependency_own *own)
{
    pare_alloc_free(own->has_bases);
    pare_alloc_free(own->goes_beyond);
    pare_alloc_free(own->defines);
    *own = (pare_dependency_own){0};
}

/* Whether the class declares `word`, that is, is called so.  In a class its own name means the
 * class, though its constructors are members of that name: `A` in `struct A { A(int); A *next;
 * };` is the type. */
static bool is_called(const pare_dependency_own *own, uint32_t class, uint32_t word)
{
    pare_halving search = {.low = own->named->first[word], .high = own->named->first[word + 1]};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, own->named->to[search.middle] < class);
    return search.low < own->named->first[word + 1] && own->named->to[search.low] == class;
}

/* First by nesting, then by definition: a node in the body of `void A::f() { g(); }` is looked
 * up in A.  Only nodes below the definition count, not the definition itself: what stands before
 * the body, such as the function's type, is not looked up in the class, and its parameters are
 * declared in the class, too. */
uint32_t pare_dependency_own_around(const pare_dependency_own *own, uint32_t node)
{
    const pare_outline_node *nodes = own->outline->nodes;
    const uint32_t class = pare_dependency_own_class(own->outline, node);
    if (class != PARE_NO_NODE) return class;
    for (uint32_t at = node; nodes[at].parent != PARE_NO_NODE; at = nodes[at].parent)
        if (own->defines[nodes[at].parent] != PARE_NO_NODE) return own->defines[nodes[at].parent];
    return PARE_NO_NODE;
}

/* Whether the use stands in what an alias called so itself stands for, and no other member has that name: the alias is
 * not declared there yet, so `using A = A<int>;` means an A from outside of the class. */
static bool is_its_alias(const pare_dependency_own *own, const pare_outline_use *use,
                         uint32_t class, uint32_t member)
{
    const pare_outline_node *nodes = own->outline->nodes;
    return nodes[use->node].roles & PARE_OUTLINE_BASES && nodes[use->node].parent == member &&
           pare_dependency_own_after(own->outline, own->named, class, use->word, member) ==
               PARE_NO_NODE;
}

/* Looks for the word from the innermost class outwards, as a compiler does, until a class has a
 * member of its own that is called so.  Example, in which the use of `n` in `f` means B::n for
 * certain:
 *
 *     int n;  struct A { int n; };  struct B { int n; int f() { return n; } };
 *
 * If B had bases but no `n` of its own, and a class around B had one, that would be the answer
 * with *perhaps set, since a base may have an `n` as well.  A class that is itself called `word`
 * ends the search: there the word means the class. */
uint32_t pare_dependency_own_scope(const pare_dependency_own *own, const pare_outline_use *use,
                                   bool *perhaps)
{
    *perhaps = false;
    const pare_outline_node *nodes = own->outline->nodes;
    if (!own->outline->members_hide || use->kind != PARE_OUTLINE_PLAIN) return PARE_NO_NODE;
    uint32_t class = pare_dependency_own_around(own, use->node);
    /* Of the class's own text: what its head says. */
    const bool head =
        nodes[use->node].roles & PARE_OUTLINE_PIECE && nodes[use->node].parent == class;
    if (head && class != PARE_NO_NODE) class = pare_dependency_own_class(own->outline, class);
    while (class != PARE_NO_NODE && !is_called(own, class, use->word)) {
        const uint32_t member =
            pare_dependency_own_after(own->outline, own->named, class, use->word, class);
        if (member != PARE_NO_NODE && !is_its_alias(own, use, class, member)) return class;
        if (own->has_bases[class]) *perhaps = true;
        class = pare_dependency_own_class(own->outline, class);
    }
    return PARE_NO_NODE;
}
