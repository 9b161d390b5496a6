/* Sections, by how a text begins.
 *
 * A list of mails, or of parts with headings, has blank lines within its items, so that what stands between two of
 * these is no item.  The first line of the text begins an item, and where that word stands after a blank line again, so
 * does the next.  A section of which only the first record went would be wrong in most such formats.
 * Source: ours.  Test: tests/unit/test_section_spans.c; measured in docs/lab/structure.md. */
#include "reduce/structure/section_spans.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    FEWEST_SECTIONS = 8,
    LEAST_RECORDS = 2, /* of a section on average: else the records will do */
    LARGEST_SHARE = 2, /* of the text that one section may have: half */
    BLOCKS_SHARE = 4   /* other blocks have less than this part of the text */
};

/* Whether a section begins in the line: it has the word, and is the first line or after a blank one. */
static bool begins_section(const pare_line_table *table, uint32_t line, uint32_t word)
{
    return table->lines[line].first == word && !table->lines[line].column &&
           (!line || !table->lines[line - 1].first);
}

/* The line that begins the section after the one of `line`; n_lines: it is the last. */
static uint32_t next_section(const pare_line_table *table, uint32_t line, uint32_t word)
{
    do {
        line++;
    } while (line < table->n_lines && !begins_section(table, line, word));
    return line;
}

static uint32_t bytes_of(const pare_line_table *table, uint32_t from, uint32_t to)
{
    return table->lines[to].begin - table->lines[from].begin;
}

/* Whether the blocks, inner ones not counted twice, have so much of the text that it is made of them. */
static bool has_blocks(const pare_line_table *table, const pare_block_spans *others)
{
    uint32_t bytes = 0, to = 0;
    for (size_t i = 0; i < others->n; i++) {
        const uint32_t end = others->items[i].last + 1;
        if (end <= to) continue;
        bytes += bytes_of(table, others->items[i].first > to ? others->items[i].first : to, end);
        to = end;
    }
    return bytes >= bytes_of(table, 0, table->n_lines) / BLOCKS_SHARE;
}

/* Whether there are enough sections of enough records, and none is most of the text. */
static bool are_sections(const pare_line_table *table, uint32_t begin, uint32_t word)
{
    uint32_t n = 0, records = 0, largest = 0;
    for (uint32_t line = begin, to; line < table->n_lines; line = to) {
        to = next_section(table, line, word);
        const uint32_t bytes = bytes_of(table, line, to);
        if (bytes > largest) largest = bytes;
        n++;
        for (uint32_t at = line + 1; at < to; at++)
            records += table->lines[at].first && !table->lines[at - 1].first;
    }
    /* The record with which a section begins was not counted. */
    return n >= FEWEST_SECTIONS && records / n + 1 >= LEAST_RECORDS &&
           largest < bytes_of(table, 0, table->n_lines) / LARGEST_SHARE;
}

pare_status pare_section_spans_find(const pare_line_table *table, const pare_block_spans *others,
                                    pare_block_spans *spans, pare_error *err)
{
    uint32_t begin = 0;
    pare_status status = PARE_OK;
    while (begin < table->n_lines && !table->lines[begin].first)
        begin++;
    if (begin == table->n_lines || table->lines[begin].column || has_blocks(table, others))
        return PARE_OK;
    const uint32_t word = table->lines[begin].first;
    if (!are_sections(table, begin, word)) return PARE_OK;
    for (uint32_t line = begin, to; !status && line < table->n_lines; line = to) {
        size_t place = 0;
        to = next_section(table, line, word);
        /* Blank lines at its end go with it as with any item. */
        uint32_t last = to - 1;
        while (last > line && !table->lines[last].first)
            last--;
        status = pare_block_spans_open(spans, line, false, &place, err);
        if (!status) pare_block_spans_close(spans, place, last, false);
    }
    pare_block_spans_settle(spans);
    return status;
}
