/* Parts of a structure, where to cut them, and the heap.
 * Test: tests/unit/test_part.c. */
#include "reduce/structure/part.h"

#include "base/heap.h"
#include "reduce/structure/line_table.h"
#include "reduce/structure/records.h"

enum { RUN = 6 }; /* items that begin with one word are of one kind */

uint32_t pare_part_bytes(const pare_structure *structure, uint32_t from, uint32_t to)
{
    const pare_line *lines = structure->table.lines;
    return lines[to].begin - lines[from].begin;
}

uint32_t pare_part_item_end(const pare_structure *structure, bool by_records, uint32_t line,
                            uint32_t end)
{
    return by_records ? pare_records_end(structure, line, end)
                      : pare_structure_item_end(structure, line, end);
}

/* ---- the heap ------------------------------------------------------------------------------- */

/* By the power of two of their bytes; of equal ones the rear one. Powers of two, so that parts of
 * about one size are tried from the rear on. */
static bool is_tried_before(const void *a, const void *b, const void *context)
{
    const pare_part *x = a, *y = b;
    unsigned heavy = pare_heap_magnitude(x->bytes), light = pare_heap_magnitude(y->bytes);
    (void)context;
    return heavy != light ? heavy > light : x->from > y->from;
}

static const pare_heap_order heap_order = {.item_bytes = sizeof(pare_part),
                                           .before = is_tried_before};

pare_status pare_part_heap_init(pare_part_heap *heap, pare_error *err)
{
    heap->n = 0;
    return pare_shared_new(16, sizeof(pare_part), &heap->items, err);
}

pare_status pare_part_heap_put(pare_part_heap *heap, const pare_structure *structure, uint32_t from,
                               uint32_t to, bool refused, pare_error *err)
{
    void *own = NULL;
    if (from >= to) return PARE_OK;
    const pare_part part = {from, to, pare_part_bytes(structure, from, to), refused};
    pare_status status = pare_shared_own(&heap->items, heap->n, heap->n + 1, &own, err);
    if (!status) pare_heap_push(&heap_order, own, heap->n++, &part);
    return status;
}

pare_status pare_part_heap_take(pare_part_heap *heap, pare_part *part, pare_error *err)
{
    void *own = NULL;
    pare_status status = pare_shared_own(&heap->items, heap->n, heap->n, &own, err);
    if (!status) pare_heap_pop(&heap_order, own, heap->n--, part);
    return status;
}

/* ---- where to cut --------------------------------------------------------------------------- */

/* A list, and how its items are told. */
struct cutting {
    const pare_structure *structure;
    bool by_records;
    const pare_part *part;
};

static uint32_t item_end(const struct cutting *self, uint32_t line)
{
    return pare_part_item_end(self->structure, self->by_records, line, self->part->to);
}

/* Whether a record begins in `line`, which is not the part's first: behind a blank line, or with
 * the word that the part begins with. */
static bool begins_record(const struct cutting *self, uint32_t line)
{
    const pare_line *lines = self->structure->table.lines;
    return !lines[line - 1].first || lines[line].first == lines[self->part->from].first;
}

/* The absolute difference of two numbers. */
static uint32_t distance(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

/* Whether at least RUN items from `at` on begin with one word: six "import" lines, or six "case"s.
 */
static bool begins_run(const struct cutting *self, uint32_t at)
{
    const pare_line *lines = self->structure->table.lines;
    const uint32_t word = lines[at].first;
    for (unsigned n = 0; n < RUN; n++) {
        if (at >= self->part->to || lines[at].first != word) return false;
        at = item_end(self, at);
    }
    return true;
}

/* The line at which to cut the part: an item's, where its bytes are halved as nearly as may be.
 * Every item is judged by how far off the half it begins. A quarter of the part is added at an
 * ordinary item and a twelfth at the beginning of a record; nothing at the beginning of a run of
 * one kind behind a run of another, where imports end and functions begin, say. O(items). */
static uint32_t middle_of(const struct cutting *self)
{
    const pare_part *part = self->part;
    uint32_t best = part->to, least = UINT32_MAX;
    const pare_line *lines = self->structure->table.lines;
    uint32_t before = part->from; /* the item before `at`, */
    unsigned n_alike = 1;         /* and how many before it begin as it does, with it */
    for (uint32_t at = item_end(self, part->from); at < part->to; at = item_end(self, at)) {
        uint32_t off = distance(pare_part_bytes(self->structure, part->from, at), part->bytes / 2);
        const bool changes = lines[at].first != lines[before].first;
        if (!changes || n_alike < RUN || !begins_run(self, at))
            off += begins_record(self, at) ? part->bytes / 12 : part->bytes / 4;
        if (off < least) {
            least = off;
            best = at;
        }
        n_alike = changes ? 1 : n_alike + 1;
        before = at;
    }
    return best;
}

/* The item that holds more than three quarters of the bytes; the part's end: there is none. It is
 * cut off from what stands before it and behind it. */
static uint32_t giant_of(const struct cutting *self)
{
    for (uint32_t at = self->part->from; at < self->part->to;) {
        const uint32_t end = item_end(self, at);
        if (pare_part_bytes(self->structure, at, end) > self->part->bytes / 4 * 3) return at;
        at = end;
    }
    return self->part->to;
}

pare_part_cuts pare_part_cut(const pare_structure *structure, bool by_records,
                             const pare_part *part)
{
    const struct cutting self = {structure, by_records, part};
    const uint32_t giant = giant_of(&self);
    if (giant < part->to) return (pare_part_cuts){giant, item_end(&self, giant)};
    return (pare_part_cuts){middle_of(&self), part->to};
}
