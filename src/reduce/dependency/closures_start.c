/* What is known before the first proposal: what the program is, and of what of it there is code.
 *
 * Most of what a program names is a template or an inline function that is never called: of the bodies that `main` leads
 * to by name, in a large library, one in three makes code.  What a compiler tells of that (places of its code) is the
 * truth about the failing text, which no rule about names can find.
 * Invariant: bodies are left out by it, never declarations: who asks for one, a compiler or a linker, is heard. */
#include "reduce/dependency/closures_proposal.h"

#include <ctype.h>
#include <string.h>

#include "base/halving.h"
#include "base/shared.h"
#include "parse/parse_tree.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_graph.h"
#include "reduce/dependency/outline.h"
#include "reduce/dependency/suspects.h"

/* Whether the node is an item of a name space, of the file that was preprocessed, which may go
 * by itself: outside of all, or in shells only. */
static bool is_main_item(const pare_dependency_node *nodes, uint32_t node)
{
    const uint32_t roles = nodes[node].roles, parent = nodes[node].parent;
    if (!(roles & PARE_OUTLINE_MAIN) || roles & (PARE_OUTLINE_SHELL | PARE_OUTLINE_FORCED))
        return false;
    return parent == PARE_NO_NODE || nodes[parent].roles & PARE_OUTLINE_SHELL;
}

/* They are to be roots together with the suspects; where there are too many of them, MAIN is
 * left out. */
pare_status pare_closures_find_main_items(struct pare_closures *self, pare_error *err)
{
    enum { MOST = PARE_CLOSURES_MOST_ROOTS - PARE_SUSPECTS_MOST };
    const pare_dependency_node *nodes = pare_dependency_nodes(self->graph);
    void *items = NULL;
    pare_status status = pare_shared_new(MOST, sizeof(uint32_t), &self->main_items, err);
    if (!status) status = pare_shared_own(&self->main_items, 0, MOST, &items, err);
    uint32_t *at = items;
    size_t n = 0;
    for (uint32_t i = 0; !status && i < pare_dependency_count(self->graph); i++) {
        if (!is_main_item(nodes, i)) continue;
        if (n < MOST) at[n] = i;
        n++;
    }
    self->n_main_items = n <= MOST ? n : 0;
    return status;
}

/* The function that a program begins with: `main` outside of classes, with a body; one in a name space, which may be
 * `extern "C"`, if there is no other. */
static bool is_program(void *context, uint32_t node)
{
    struct pare_closures *self = context;
    const pare_dependency_node *nodes = pare_dependency_nodes(self->graph);
    const uint32_t parent = nodes[node].parent;
    const bool outside = parent == PARE_NO_NODE || nodes[parent].roles & PARE_OUTLINE_SHELL;
    if (!(nodes[node].roles & PARE_OUTLINE_FUNCTION) || !outside) return true;
    if (self->program != PARE_NO_NODE && parent != PARE_NO_NODE) return true;
    for (uint32_t k = node + 1; k < nodes[node].after; k = nodes[k].after)
        if (nodes[k].roles & PARE_OUTLINE_BODY) self->program = node;
    return true;
}

void pare_closures_find_program(struct pare_closures *self)
{
    pare_dependency_named(self->graph, "main", 4, is_program, self);
}

/* --- code --------------------------------------------------------------------------------- */

/* Whether any of the places is in bytes begin .. end-1. */
static bool has_place(const size_t *places, size_t n, size_t begin, size_t end)
{
    pare_halving search = {.low = 0, .high = n};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, places[search.middle] < begin);
    return search.low < n && places[search.low] < end;
}

static bool in_name(unsigned char c)
{
    return isalnum(c) || c == '_';
}

/* Whether `word` is in bytes begin .. end-1 as a word. */
static bool has_word(const unsigned char *bytes, size_t begin, size_t end, const char *word)
{
    const size_t size = strlen(word);
    for (size_t at = begin; at + size <= end; at++) {
        const unsigned char *next = memchr(bytes + at, *word, end - size - at + 1);
        if (!next) return false;
        at = (size_t)(next - bytes);
        if (memcmp(next, word, size) == 0 && !(at > begin && in_name(next[-1])) &&
            !(at + size < end && in_name(next[size])))
            return true;
    }
    return false;
}

/* Whether a function whose head is bytes begin .. end-1 is of use without any code: while compiling, by its value or
 * by the type that its body says. */
static bool is_evaluated(const unsigned char *bytes, size_t begin, size_t end)
{
    static const char *const words[] = {"constexpr", "consteval", "decltype", "auto"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (has_word(bytes, begin, end, words[i])) return true;
    return false;
}

/* Whether a body has nothing in it: where it is expanded no code tells of it, and it needs nothing. */
static bool is_empty(const unsigned char *bytes, size_t begin, size_t end)
{
    if (begin + 1 >= end || bytes[begin] != '{' || bytes[end - 1] != '}') return false;
    for (size_t at = begin + 1; at < end - 1; at++)
        if (!isspace(bytes[at])) return false;
    return true;
}

/* The body of the function, or PARE_NO_NODE. */
static uint32_t body_of(const pare_dependency_node *nodes, uint32_t function)
{
    for (uint32_t k = function + 1; k < nodes[function].after; k = nodes[k].after)
        if (nodes[k].roles & PARE_OUTLINE_BODY) return k;
    return PARE_NO_NODE;
}

/* A function's own place counts, too: compilers say that its code begins at its name.  What is defined outside of its
 * class goes as a whole; data are not asked for, as of them there is no code. */
pare_status pare_closures_find_emitted(struct pare_closures *self, const size_t *places, size_t n,
                                       pare_error *err)
{
    const pare_dependency_node *nodes = pare_dependency_nodes(self->graph);
    pare_dependency_bits *compiled = NULL;
    pare_status status = pare_dependency_new_set(self->graph, &self->compiled, &compiled, err);
    for (uint32_t i = 0; !status && i < pare_dependency_count(self->graph); i++) {
        const bool outside = nodes[i].roles & PARE_OUTLINE_OUTSIDE;
        const uint32_t parent = nodes[i].parent, body = outside ? body_of(nodes, i) : i;
        if (!outside && !(nodes[i].roles & PARE_OUTLINE_BODY)) continue;
        const bool apart =
            outside || (parent != PARE_NO_NODE && nodes[parent].roles & PARE_OUTLINE_FUNCTION);
        const uint32_t begin = nodes[apart && !outside ? parent : i].begin;
        if (body == PARE_NO_NODE || has_place(places, n, begin, nodes[i].end) ||
            is_evaluated(self->graph->bytes, begin, nodes[body].begin) ||
            is_empty(self->graph->bytes, nodes[body].begin, nodes[body].end))
            pare_dependency_add(compiled, i);
    }
    return status;
}
