/* Parts of a structure: neighbours in one list, and a heap of them with the heaviest first. */
#ifndef PARE_REDUCE_STRUCTURE_PART_H
#define PARE_REDUCE_STRUCTURE_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"
#include "base/shared.h"
#include "reduce/structure/structure.h"

/* Lines from .. to-1. */
typedef struct pare_part {
    uint32_t from, to;
    uint32_t bytes;
    bool refused; /* it cannot go as a whole */
} pare_part;

/* A heap of parts: of about equal ones the rear one comes first.  Copies share the array until one writes. */
typedef struct pare_part_heap {
    pare_shared *items; /* of pare_part; one reference */
    size_t n;
} pare_part_heap;

/* Makes an empty heap; the caller releases `items`.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_part_heap_init(pare_part_heap *heap, pare_error *err);

/* Adds the lines as a part, if there are any.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_part_heap_put(pare_part_heap *heap, const pare_structure *structure,
                                          uint32_t from, uint32_t to, bool refused,
                                          pare_error *err);

/* Takes the first part; there must be one.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_part_heap_take(pare_part_heap *heap, pare_part *part, pare_error *err);

/* Bytes of the lines from .. to-1. */
uint32_t pare_part_bytes(const pare_structure *structure, uint32_t from, uint32_t to);

/* The line after the item that begins in `line` of a list that ends before line `end`; where the items are records,
 * after the record. */
uint32_t pare_part_item_end(const pare_structure *structure, bool by_records, uint32_t line,
                            uint32_t end);

/* Where to cut a part of several items: lines from .. cut-1, cut .. rest-1, and rest .. to-1 are its pieces, of which the
 * first or the last may be empty.  Two where its bytes are halved, rather at the beginning of a record or of a run of items of
 * another kind than elsewhere; three around an item that holds most of it.  O(lines). */
typedef struct pare_part_cuts {
    uint32_t cut, rest;
} pare_part_cuts;
pare_part_cuts pare_part_cut(const pare_structure *structure, bool by_records,
                             const pare_part *part);

#endif
