/* What only numbers hold.
 *
 * A constant of a class, a page of a database or a value outside of its directory is named by a number:
 * its place in a list, or its position.  When the last number that names it goes, it goes too, as a block
 * does that a collector of garbage counts references of; a ring of names keeps itself.
 * Cost: O(fields + bytes that go) for each cut.
 * Source: reference counting (Collins, A method for overlapping and erasure of lists, CACM 1960).
 * Tested by tests/unit/test_chunk_names.c. */
#include "reduce/binary/chunk_names.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/halving.h"

enum {
    MOST_DEPTH = 8,  /* of names in what is named, to be weighed */
    MOST_ROUNDS = 64 /* of what goes because what named it went */
};

/* The first field that does not end before `at`: fields are sorted and do not overlap, so their
 * ends ascend, too. */
uint32_t pare_chunk_names_field_from(const pare_chunk_tree *tree, uint32_t at)
{
    pare_halving search = {.low = 0, .high = tree->n_fields};
    while (pare_halving_next(&search))
        pare_halving_tell(&search,
                          tree->fields[search.middle].at + tree->fields[search.middle].width <= at);
    return (uint32_t)search.low;
}

/* Cuts a chunk and its ring of twins; a fixed one stays. A point of an image has a twin in each
 * row, so its ring is as long as there are rows; others are bounded by PARE_CHUNK_MOST_TWINS. */
void pare_chunk_names_cut_chunk(const pare_chunk_tree *tree, unsigned char *left, uint32_t index)
{
    const pare_chunk *chunk = &tree->chunks[index];
    if (chunk->fixed) return;
    memset(left + chunk->from, 0, chunk->to - chunk->from);
    uint32_t twin = chunk->twin;
    const uint32_t up = chunk->parent == PARE_NO_CHUNK ? index : tree->chunks[chunk->parent].parent;
    const bool is_point = up != PARE_NO_CHUNK && tree->chunks[up].grid;
    const uint32_t most = is_point ? tree->chunks[up].n_children : PARE_CHUNK_MOST_TWINS;
    for (uint32_t i = 1; i < most && twin != PARE_NO_CHUNK && twin != index; i++) {
        memset(left + tree->chunks[twin].from, 0, tree->chunks[twin].to - tree->chunks[twin].from);
        twin = tree->chunks[twin].twin;
    }
}

static bool is_left(const pare_chunk_tree *tree, const unsigned char *left, uint32_t chunk)
{
    const pare_chunk *it = &tree->chunks[chunk];
    return it->from < it->to && memchr(left + it->from, 1, it->to - it->from);
}

/* One round: counts the names that are left, and cuts what has lost its last one; returns whether
 * anything was cut. Only names that went with this deletion count (`before` has them): what nothing
 * has named from the beginning stays. O(fields). */
static bool cut_round(const pare_chunk_tree *tree, const unsigned char *before, unsigned char *left,
                      uint32_t *n_left)
{
    bool any = false;
    memset(n_left, 0, tree->n_chunks * sizeof *n_left);
    for (uint32_t i = 0; i < tree->n_fields; i++)
        if (tree->fields[i].target && left[tree->fields[i].at])
            n_left[tree->fields[i].target - 1]++;
    for (uint32_t i = 0; i < tree->n_fields; i++) {
        const pare_chunk_field *field = &tree->fields[i];
        if (!field->target || left[field->at] || !before[field->at]) continue;
        const uint32_t target = field->target - 1;
        if (n_left[target] || tree->chunks[target].fixed || !is_left(tree, left, target)) continue;
        pare_chunk_names_cut_chunk(tree, left, target);
        any = true;
    }
    return any;
}

/* A round takes away what is named by what the round before took; a chain of thousands is left for the next test. */
pare_status pare_chunk_names_cut(const pare_chunk_tree *tree, const unsigned char *before,
                                 unsigned char *left, bool *any, pare_error *err)
{
    *any = false;
    if (!tree->n_names) return PARE_OK;
    uint32_t *n_left = pare_alloc(tree->n_chunks, sizeof *n_left);
    if (!n_left) return pare_fail_nomem(err);
    for (unsigned round = 0; round < MOST_ROUNDS && cut_round(tree, before, left, n_left); round++)
        *any = true;
    pare_alloc_free(n_left);
    return PARE_OK;
}

/* The range that is weighed, and how deep. */
struct weighing {
    const pare_chunk_tree *tree;
    const unsigned char *left;
    uint32_t from, to;
};

/* Bytes that are left of what only fields from .. to name, and of what only that names, and so on.
 * What is named more than once stays, and what overlaps the range itself is counted there. */
static uint64_t weigh(const struct weighing *weighing, uint32_t from, uint32_t to, unsigned depth)
{
    const pare_chunk_tree *tree = weighing->tree;
    uint64_t sum = 0;
    for (uint32_t i = pare_chunk_names_field_from(tree, from);
         i < tree->n_fields && tree->fields[i].at < to; i++) {
        const pare_chunk_field *field = &tree->fields[i];
        if (!field->target || !weighing->left[field->at]) continue;
        if (tree->n_names[field->target - 1] != 1) continue;
        const pare_chunk *target = &tree->chunks[field->target - 1];
        if (target->from < weighing->to && target->to > weighing->from) continue;
        for (uint32_t at = target->from; at < target->to; at++)
            sum += weighing->left[at] != 0;
        if (depth < MOST_DEPTH) sum += weigh(weighing, target->from, target->to, depth + 1);
    }
    return sum;
}

/* What is named once only is in one place of a tree of names, so that it is weighed once, but for
 * rings, which the depth ends. */
uint64_t pare_chunk_names_weight(const pare_chunk_tree *tree, const unsigned char *left,
                                 uint32_t from, uint32_t to)
{
    const struct weighing weighing = {.tree = tree, .left = left, .from = from, .to = to};
    return tree->n_names ? weigh(&weighing, from, to, 0) : 0;
}
