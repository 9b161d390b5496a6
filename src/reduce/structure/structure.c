/* Four readings of the lines become one tree: by a closing word, by words that close what they
 * name, by brackets and by indentation, each trusted more than the next (block_spans.h), since words
 * that balance over a whole text are hardly chance, and indentation is lost first when a text is
 * generated.  A text with few of these has sections (section_spans.h).
 *
 * A header that is only an opening bracket or `begin` takes the line above it with it, as far as
 * that is of its depth and in no other block.  A block that ends with the closer of the one around
 * it ends before it.
 * Invariant: pare_structure_check.  Linear; depth is bounded, so that who walks it need not be
 * careful.
 * Source: ours, see docs/design/structure.md. */
#include "reduce/structure/structure.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/interrupt.h"
#include "reduce/structure/block_spans.h"
#include "reduce/structure/block_words.h"
#include "reduce/structure/closing_word.h"
#include "reduce/structure/line_blocks.h"
#include "reduce/structure/section_spans.h"

/* Merges the readings, the one that is trusted most first. The closing word is learned from
 * indentation, so that is read before it. */
static pare_status read_all(const pare_line_table *table, pare_block_spans *spans, pare_error *err)
{
    enum { CLOSING_WORD, WORDS, BRACKETS, INDENTATION, N_READINGS };
    pare_block_spans found[N_READINGS] = {{.n = 0}};
    pare_status status = pare_block_words_find(table, &found[WORDS], err);
    if (!status) status = pare_line_blocks_by_indentation(table, &found[INDENTATION], err);
    if (!status)
        status = pare_closing_word_find(table, &found[INDENTATION], &found[CLOSING_WORD], err);
    if (!status) status = pare_line_blocks_by_brackets(table, &found[BRACKETS], err);
    for (size_t i = 0; i < N_READINGS; i++) {
        if (!status) status = pare_block_spans_merge(spans, &found[i], err);
        pare_block_spans_done(&found[i]);
    }
    pare_block_spans sections = {.n = 0};
    if (!status) status = pare_section_spans_find(table, spans, &sections, err);
    if (!status) status = pare_block_spans_merge(spans, &sections, err);
    pare_block_spans_done(&sections);
    return status;
}

/* The blocks around the one that is made. */
struct around {
    uint32_t blocks[PARE_STRUCTURE_MOST_DEPTH];
    size_t n;
    uint32_t taken; /* lines before this one are in blocks, or begin one */
};

/* Whether the line is an opening bracket, or `begin`, and nothing else. */
static bool only_opens(const pare_line_table *table, uint32_t line)
{
    static const char begin[] = "begin";
    const pare_line *of = &table->lines[line];
    const unsigned char *at = table->bytes + of->begin + of->margin;
    if (of->content == 1) return strchr("([{", *at) != NULL;
    return of->content == sizeof begin - 1 &&
           pare_line_table_hash(at, of->content, 0) ==
               pare_line_table_hash((const unsigned char *)begin, sizeof begin - 1, 0);
}

/* Whether the line above the header of a block belongs to it: a "{" alone in its line takes "int
 * main()" above it along, if that is of its depth and in no other block. */
static bool has_line_above(const pare_structure *structure, const struct around *around,
                           uint32_t first, uint32_t body)
{
    const pare_line *lines = structure->table.lines;
    if (first <= around->taken || first <= body || !only_opens(&structure->table, first))
        return false;
    return lines[first - 1].first && lines[first - 1].column == lines[first].column;
}

/* Makes a block of the span, if it fits in what is around it: not deeper than
 * PARE_STRUCTURE_MOST_DEPTH, and within the body. One that ends with the closer of the block around
 * it ("}}") ends before that, and has no closer of its own. */
static void add_block(pare_structure *structure, struct around *around, pare_block_span span)
{
    while (around->n && structure->blocks[around->blocks[around->n - 1]].end <= span.first)
        around->n--;
    uint32_t body = 0;
    if (around->n) {
        const pare_structure_block *outer = &structure->blocks[around->blocks[around->n - 1]];
        body = outer->body;
        if (span.first < body || around->n == PARE_STRUCTURE_MOST_DEPTH) return;
        if (span.last >= outer->closer) {
            span.last = outer->closer - 1;
            span.closes = false;
        }
        if (span.last <= span.first || span.first >= outer->closer) return;
        if (around->taken < body) around->taken = body;
    }
    const uint32_t index = structure->n_blocks++;
    const bool above = !span.middle && has_line_above(structure, around, span.first, body);
    structure->blocks[index] =
        (pare_structure_block){.first = span.first - above,
                               .body = span.first + 1,
                               .closer = span.closes ? span.last : span.last + 1,
                               .end = span.last + 1,
                               .middle = span.middle};
    structure->block_at[span.first - above] = index;
    around->blocks[around->n++] = index;
    around->taken = span.first + 1;
}

/* Makes blocks of the spans, which are in the order of their first lines, outer ones first. Lines
 * that are in a block before are known by where the last of them ended (`taken`). */
static void add_blocks(pare_structure *structure, const pare_block_spans *spans)
{
    struct around around = {.n = 0};
    for (size_t i = 0; i < spans->n; i++) {
        for (size_t k = around.n; k-- > 0;) {
            const pare_structure_block *block = &structure->blocks[around.blocks[k]];
            if (block->end > spans->items[i].first) break;
            if (around.taken < block->end) around.taken = block->end;
        }
        add_block(structure, &around, spans->items[i]);
    }
}

/* The arrays of the blocks; their spans are at most as many. */
static pare_status make_room(pare_structure *structure, size_t n_spans, pare_error *err)
{
    const uint32_t n_lines = structure->table.n_lines;
    structure->blocks = pare_alloc(n_spans, sizeof *structure->blocks);
    structure->block_at = pare_alloc(n_lines, sizeof *structure->block_at);
    if (!structure->blocks || !structure->block_at) return pare_fail_nomem(err);
    for (uint32_t line = 0; line < n_lines; line++)
        structure->block_at[line] = PARE_STRUCTURE_NO_BLOCK;
    return PARE_OK;
}

pare_status pare_structure_new(const pare_text *text, pare_stretch file, pare_structure **out,
                               pare_error *err)
{
    pare_block_spans spans = {.n = 0};
    pare_structure *structure = pare_alloc_zero(1, sizeof *structure);
    if (!structure) return pare_fail_nomem(err);
    assert(file.from <= file.to && file.to <= pare_text_size(text));
    structure->refs = 1;
    structure->text = pare_text_ref(text);
    structure->before = file.from;
    pare_status status = pare_line_table_read(pare_text_bytes(text) + file.from,
                                              file.to - file.from, &structure->table, err);
    if (!status) status = read_all(&structure->table, &spans, err);
    if (!status) status = make_room(structure, spans.n, err);
    if (!status) add_blocks(structure, &spans);
    if (!status) status = pare_interrupt_look(err);
    pare_block_spans_done(&spans);
    if (status)
        pare_structure_unref(structure);
    else
        *out = structure;
    return status;
}

pare_structure *pare_structure_ref(pare_structure *structure)
{
    structure->refs++;
    return structure;
}

void pare_structure_unref(pare_structure *structure)
{
    if (!structure || --structure->refs) return;
    pare_text_unref(structure->text);
    pare_line_table_done(&structure->table);
    pare_alloc_free(structure->blocks);
    pare_alloc_free(structure->block_at);
    pare_alloc_free(structure);
}

/* A block that reaches beyond the list's end is none there: when a header stays alone, it is lines.
 */
const pare_structure_block *pare_structure_block_at(const pare_structure *structure, uint32_t line,
                                                    uint32_t end)
{
    const uint32_t index = structure->block_at[line];
    assert(line < end && end <= structure->table.n_lines);
    if (index == PARE_STRUCTURE_NO_BLOCK || structure->blocks[index].end > end) return NULL;
    return &structure->blocks[index];
}

/* Blank lines go with what is before them. */
uint32_t pare_structure_item_end(const pare_structure *structure, uint32_t line, uint32_t end)
{
    const pare_structure_block *block = pare_structure_block_at(structure, line, end);
    line = block ? block->end : line + 1;
    while (line < end && !structure->table.lines[line].first)
        line++;
    return line;
}

/* Each block is within the body of the one around it, which is the last before it that has not
 * ended. Quadratic in the worst case: for tests. */
bool pare_structure_check(const pare_structure *structure)
{
    for (uint32_t i = 0; i < structure->n_blocks; i++) {
        const pare_structure_block *a = &structure->blocks[i];
        if (a->first >= a->body || a->body > a->closer || a->closer > a->end) return false;
        if (a->end > structure->table.n_lines || structure->block_at[a->first] != i) return false;
        for (uint32_t j = i + 1; j < structure->n_blocks; j++) {
            const pare_structure_block *b = &structure->blocks[j];
            if (b->first <= a->first) return false;
            if (b->first >= a->end) break;
            if (b->first < a->body || b->end > a->closer) return false;
        }
    }
    return true;
}
