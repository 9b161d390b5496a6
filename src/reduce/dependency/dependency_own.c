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

/* The class that the node is a member of; PARE_NO_NODE: none. */
static uint32_t owner(const pare_outline *outline, uint32_t node)
{
    uint32_t class = outline->nodes[node].parent;
    while (class != PARE_NO_NODE && outline->nodes[class].roles & PARE_OUTLINE_NAMELESS)
        class = outline->nodes[class].parent;
    return class;
}

uint32_t pare_dependency_own_after(const pare_outline *outline, const pare_dependency_lists *named,
                                   uint32_t class, uint32_t word, uint32_t after)
{
    const uint32_t end = outline->nodes[class].after;
    pare_halving search = {.low = named->first[word], .high = named->first[word + 1]};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, named->to[search.middle] <= after);
    for (size_t i = search.low; i < named->first[word + 1] && named->to[i] < end; i++)
        if (owner(outline, named->to[i]) == class) return named->to[i];
    return PARE_NO_NODE;
}

uint32_t pare_dependency_own_class(const pare_outline *outline, uint32_t node)
{
    uint32_t class = owner(outline, node);
    while (class != PARE_NO_NODE && !(outline->nodes[class].roles & PARE_OUTLINE_CLASS))
        class = owner(outline, class);
    return class;
}

pare_status pare_dependency_own_find(const pare_outline *outline,
                                     const pare_dependency_lists *named, pare_dependency_own *own,
                                     pare_error *err)
{
    enum { BEYOND = PARE_OUTLINE_OUTSIDE | PARE_OUTLINE_TIED | PARE_OUTLINE_VIRTUAL };
    pare_dependency_own made = {.outline = outline, .named = named};
    made.has_bases = pare_alloc_zero(outline->n_nodes + 1, 1);
    made.goes_beyond = pare_alloc_zero(outline->n_words + 1, 1);
    if (!made.has_bases || !made.goes_beyond) {
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
    *own = made;
    return PARE_OK;
}

void pare_dependency_own_done(pare_dependency_own *own)
{
    pare_alloc_free(own->has_bases);
    pare_alloc_free(own->goes_beyond);
    *own = (pare_dependency_own){0};
}

/* Whether the class is called `word`: that is its name in it, though its constructors are members. */
static bool is_called(const pare_dependency_own *own, uint32_t class, uint32_t word)
{
    pare_halving search = {.low = own->named->first[word], .high = own->named->first[word + 1]};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, own->named->to[search.middle] < class);
    return search.low < own->named->first[word + 1] && own->named->to[search.low] == class;
}

/* What a member itself says of its name is its declaration. */
uint32_t pare_dependency_own_scope(const pare_dependency_own *own, const pare_outline_use *use,
                                   bool *perhaps)
{
    *perhaps = false;
    const pare_outline_node *nodes = own->outline->nodes;
    if (!own->outline->members_hide || use->kind != PARE_OUTLINE_PLAIN) return PARE_NO_NODE;
    uint32_t class = pare_dependency_own_class(own->outline, use->node);
    /* Of the class's own text: what its head says. */
    const bool head =
        nodes[use->node].roles & PARE_OUTLINE_PIECE && nodes[use->node].parent == class;
    if (head && class != PARE_NO_NODE) class = pare_dependency_own_class(own->outline, class);
    while (class != PARE_NO_NODE && !is_called(own, class, use->word)) {
        if (pare_dependency_own_after(own->outline, own->named, class, use->word, class) !=
            PARE_NO_NODE)
            return class;
        if (own->has_bases[class]) *perhaps = true;
        class = pare_dependency_own_class(own->outline, class);
    }
    return PARE_NO_NODE;
}
