/* Records of a list, by its blank lines.
 *
 * A record stands between two blank lines and has a few items.  Where most items are in longer ones, the blank lines
 * divide a list into chapters, and its items go by themselves.
 * Source: ours.  Test: tests/unit/test_records.c; measured in docs/lab/structure.md. */
#include "reduce/structure/records.h"

#include <stddef.h>

#include "reduce/structure/line_table.h"

enum {
    FEWEST_RECORDS = 8,  /* a list of so many records is one of records, */
    MOST_IN_RECORD = 40, /* each of at most so many items, */
    BLOCKS_SHARE = 4     /* if blocks have less than this part of its bytes */
};

/* What is counted on the way through a list. */
struct counts {
    uint32_t items, records;
    uint32_t own;     /* items of the record at hand, */
    uint32_t in_long; /* and of all that are too long */
    uint32_t block_bytes;
};

static uint32_t bytes_of(const pare_structure *structure, uint32_t from, uint32_t to)
{
    return structure->table.lines[to].begin - structure->table.lines[from].begin;
}

/* The end of the record that begins in `line`: behind the first item that ends with a blank line.
 * One of more than MOST_IN_RECORD items is none: then the end of its first item. */
uint32_t pare_records_end(const pare_structure *structure, uint32_t line, uint32_t end)
{
    const pare_line *lines = structure->table.lines;
    const uint32_t first = pare_structure_item_end(structure, line, end);
    uint32_t at = first;
    for (unsigned n = 1; at < end && lines[at - 1].first; n++) {
        if (n == MOST_IN_RECORD) return first;
        at = pare_structure_item_end(structure, at, end);
    }
    return at;
}

/* One item more; one too many makes all of its record long. */
static void count_item(struct counts *counts)
{
    counts->items++;
    counts->own++;
    if (counts->own == MOST_IN_RECORD + 1) counts->in_long += counts->own;
    if (counts->own > MOST_IN_RECORD + 1) counts->in_long++;
}

/* Whether the list is one of records: eight and more, of two items and more on average, half of the
 * items at most in longer ones, and blocks in less than a quarter of the bytes. One pass over the
 * items. */
bool pare_records_are_there(const pare_structure *structure, uint32_t from, uint32_t to)
{
    struct counts counts = {.records = 1};
    for (uint32_t at = from, end; at < to; at = end) {
        end = pare_structure_item_end(structure, at, to);
        count_item(&counts);
        if (end < to && !structure->table.lines[end - 1].first) {
            counts.records++;
            counts.own = 0;
        }
        if (pare_structure_block_at(structure, at, to))
            counts.block_bytes += bytes_of(structure, at, end);
    }
    return counts.records >= FEWEST_RECORDS && counts.items >= 2 * counts.records &&
           counts.in_long <= counts.items / 2 &&
           counts.block_bytes < bytes_of(structure, from, to) / BLOCKS_SHARE;
}
