/* Two readings of a text that need no words: its indentation and its brackets.
 *
 * Indentation: a stack of lines, each deeper than the one below it.  A line takes off what is
 * deeper than it; what has deeper lines after it has become a block by then.  Which words close a
 * block is counted before over the whole text: those of which 95 in 100 uses come right after a
 * deeper line and at most 10 in 100 before one; 60 and 30 suffice for what looks like an end (a
 * closing bracket, `end`, `</`).  Words with deeper lines on both sides (`else`) begin a further
 * part of a block.  Lines with # in the first column amid deeper ones are a preprocessor's or
 * comments, and are taken to be as deep as the next line.
 *
 * Brackets: a stack, too.  Strings in double quotes and single quoted characters are passed over;
 * a bracket without a partner takes at most a few others with it.  A line that closes a block and
 * opens one (`} else {`) begins a further part of the first.
 *
 * Invariant: places are taken in the order of the lines, so spans need no sorting, and those of
 * one stack never cross.
 * Source: ours; see docs/design/structure.md.
 * Test: tests/unit/test_structure.c. */
#include "reduce/structure/line_blocks.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/interrupt.h"
#include "base/vector.h"

#define NO_PLACE SIZE_MAX

/* A line or bracket that may begin a block. */
struct open_block {
    uint32_t line;
    uint32_t key;  /* its depth, or the kind of the bracket */
    size_t place;  /* of the block among the spans; NO_PLACE: it is none yet */
    size_t middle; /* the same of the last part that began within it */
};

/* All that are open. */
struct open_stack {
    struct open_block *items; /* owned */
    size_t n, capacity;
};

/* Errors: PARE_E_NOMEM. */
static pare_status push(struct open_stack *stack, struct open_block item, pare_error *err)
{
    struct open_block *items =
        pare_vector_grow(stack->items, stack->n, &stack->capacity, sizeof *items);
    if (!items) return pare_fail_nomem(err);
    stack->items = items;
    stack->items[stack->n++] = item;
    return PARE_OK;
}

/* Ends the block, if it is one, and its last part before the closer. */
static void close_at(const struct open_block *block, pare_block_spans *spans, uint32_t last,
                     bool closes)
{
    if (block->middle != NO_PLACE)
        pare_block_spans_close(spans, block->middle, closes ? last - 1 : last, false);
    if (block->place != NO_PLACE) pare_block_spans_close(spans, block->place, last, closes);
}

/* Begins a further part of the block with `line`. */
static pare_status begin_part(struct open_block *block, pare_block_spans *spans, uint32_t line,
                              pare_error *err)
{
    if (block->middle != NO_PLACE) pare_block_spans_close(spans, block->middle, line - 1, false);
    return pare_block_spans_open(spans, line, true, &block->middle, err);
}

/* ---- which words close blocks ------------------------------------------------------------- */

enum {
    MOST_WORDS = 1 << 16, /* first words that are counted */
    FEW_USES = 3,         /* less proves nothing of a word that does not look like an end */
    MANY = 95,
    SOME = 10, /* uses in a hundred: after a deeper line, before one */
    MOST = 60,
    FEWER = 30, /* the same of words that look like an end */
    MIDDLE = 70 /* uses in a hundred before a deeper line */
};

/* For a first word: how many of its lines follow or precede what. In well indented C, "}" is nearly
 * always after a deeper line, and hardly ever before one. */
struct habit {
    uint32_t word; /* 0: the slot is free */
    uint32_t uses, after_deeper, after_equal, before_deeper, after_blank;
    bool looks_like_end;
};

/* The state of a reading by indentation. */
struct reading {
    const pare_line_table *table;
    uint16_t *depths;     /* owned; of each line; of blank ones: not set */
    struct habit *habits; /* owned; an open hash table */
    size_t mask, n_used;
};

/* A closing bracket, `end...` or `</`. */
static bool looks_like_end(const pare_line_table *table, uint32_t line)
{
    const pare_line *of = &table->lines[line];
    const unsigned char *at = table->bytes + of->begin + of->margin;
    if (strchr(")]}", *at)) return true;
    if (of->content >= 2 && at[0] == '<' && at[1] == '/') return true;
    return of->content >= 3 && (at[0] | 0x20) == 'e' && (at[1] | 0x20) == 'n' &&
           (at[2] | 0x20) == 'd';
}

/* The habit of the line's first word; NULL: there are too many words. */
static struct habit *habit_of(const struct reading *reading, uint32_t line)
{
    const uint32_t word = reading->table->lines[line].first;
    size_t i = word & reading->mask;
    while (reading->habits[i].word && reading->habits[i].word != word)
        i = (i + 1) & reading->mask;
    return reading->habits[i].word || reading->n_used < MOST_WORDS ? &reading->habits[i] : NULL;
}

/* The first line that is not blank, from `line` on; n_lines: there is none. */
static uint32_t shown_from(const pare_line_table *table, uint32_t line)
{
    while (line < table->n_lines && !table->lines[line].first)
        line++;
    return line;
}

/* Sets how deep each line is: its column, but for lines with # in the first column amid deeper
 * ones, which are taken to be as deep as the next line: "#ifdef" in a function does not end it. */
static void measure(const struct reading *reading)
{
    const pare_line_table *table = reading->table;
    uint32_t before = 0; /* column of the line before */
    for (uint32_t line = shown_from(table, 0); line < table->n_lines;) {
        const uint32_t after = shown_from(table, line + 1);
        uint32_t depth = table->lines[line].column;
        const unsigned char first =
            table->bytes[table->lines[line].begin + table->lines[line].margin];
        if (!depth && first == '#' && before && after < table->n_lines &&
            table->lines[after].column)
            depth = table->lines[after].column;
        reading->depths[line] = (uint16_t)depth;
        before = depth;
        line = after;
    }
}

/* Counts what stands beside the line, between `before` and `after`. */
static void count(struct reading *reading, uint32_t before, uint32_t line, uint32_t after)
{
    struct habit *habit = habit_of(reading, line);
    if (!habit) return;
    if (!habit->word) {
        habit->word = reading->table->lines[line].first;
        habit->looks_like_end = looks_like_end(reading->table, line);
        reading->n_used++;
    }
    habit->uses++;
    if (before < line) {
        habit->after_deeper += reading->depths[before] > reading->depths[line];
        habit->after_equal += reading->depths[before] == reading->depths[line];
        habit->after_blank += before + 1 < line;
    }
    if (after < reading->table->n_lines)
        habit->before_deeper += reading->depths[after] > reading->depths[line];
}

/* Sets depths and habits. */
static pare_status read_habits(struct reading *reading, pare_error *err)
{
    const pare_line_table *table = reading->table;
    size_t n = 16;
    while (n < 2 * (size_t)MOST_WORDS && n < 2 * (size_t)table->n_lines)
        n *= 2;
    reading->mask = n - 1;
    reading->depths = pare_alloc(table->n_lines, sizeof *reading->depths);
    reading->habits = pare_alloc_zero(n, sizeof *reading->habits);
    if (!reading->depths || !reading->habits) return pare_fail_nomem(err);
    measure(reading);
    uint32_t line = shown_from(table, 0), before = line;
    while (line < table->n_lines) {
        const uint32_t after = shown_from(table, line + 1);
        count(reading, before, line, after);
        before = line;
        line = after;
    }
    return PARE_OK;
}

/* Whether lines that begin as this one close blocks: nearly all of them follow deeper lines, and
 * few precede one. What looks like an end needs less of that. */
static bool is_closer(const struct reading *reading, uint32_t line)
{
    const struct habit *habit = habit_of(reading, line);
    if (!habit || !habit->word) return false;
    const bool end = habit->looks_like_end;
    /* After blank lines something begins, such as what is said of the function below. */
    if (!end && (habit->uses < FEW_USES || habit->after_blank * 2 > habit->uses)) return false;
    /* What looks like an end and is as deep as the line before may end an empty block. */
    const uint32_t uses =
        end && habit->after_deeper ? habit->uses - habit->after_equal : habit->uses;
    return habit->after_deeper * 100 >= uses * (uint32_t)(end ? MOST : MANY) &&
           habit->before_deeper * 100 <= habit->uses * (uint32_t)(end ? FEWER : SOME);
}

/* Whether lines that begin as this one stand between two parts of a block, as `else` does: nearly
 * all follow deeper lines, most precede one, and none stands behind a blank line. */
static bool is_middle(const struct reading *reading, uint32_t line)
{
    const struct habit *habit = habit_of(reading, line);
    if (!habit || habit->uses < FEW_USES || habit->after_blank) return false;
    return habit->after_deeper * 100 >= habit->uses * (uint32_t)MANY &&
           habit->before_deeper * 100 >= habit->uses * (uint32_t)MIDDLE;
}

/* ---- indentation --------------------------------------------------------------------------- */

/* A line that is not blank, and those beside it. */
struct place {
    uint32_t before, line, after; /* after: n_lines if it is the last one */
};

/* A line follows the body of the block on top and is as deep as its header: it closes the block or
 * begins a further part of it (`else`). *taken is false if it does neither. */
static pare_status end_or_go_on(const struct reading *reading, struct open_block *top,
                                const struct place *at, pare_block_spans *spans, bool *taken,
                                pare_error *err)
{
    const bool deeper_after = at->after < reading->table->n_lines &&
                              reading->depths[at->after] > reading->depths[at->line];
    *taken = is_closer(reading, at->line) || is_middle(reading, at->line);
    if (!*taken) return PARE_OK;
    if (deeper_after) return begin_part(top, spans, at->line, err);
    close_at(top, spans, at->line, true);
    top->place = top->middle = NO_PLACE;
    top->line = at->line;
    return PARE_OK;
}

/* Takes off the stack what the line ends, and puts the line on it. The stack has lines of ascending
 * depth; one below a deeper line is the header of a block, whose span is opened when the first
 * deeper line comes.
 *
 * a          stack: a
 *   b        a is deeper below: a span begins at a; stack: a b
 *   c        as deep as b, which has no block: c takes its place
 * d          c goes; a's block ends before d, unless d closes it or goes on with it */
static pare_status take_line(const struct reading *reading, struct open_stack *stack,
                             const struct place *at, pare_block_spans *spans, pare_error *err)
{
    const uint32_t depth = reading->depths[at->line];
    const struct open_block own = {at->line, depth, NO_PLACE, NO_PLACE};
    pare_status status = PARE_OK;
    while (stack->n && stack->items[stack->n - 1].key > depth)
        close_at(&stack->items[--stack->n], spans, at->before, false);
    struct open_block *top = stack->n ? &stack->items[stack->n - 1] : NULL;
    if (!top || top->key < depth) {
        if (top && top->place == NO_PLACE)
            status = pare_block_spans_open(spans, top->line, false, &top->place, err);
        return status ? status : push(stack, own, err);
    }
    bool taken = false;
    if (top->place != NO_PLACE) status = end_or_go_on(reading, top, at, spans, &taken, err);
    if (status || taken) return status;
    close_at(top, spans, at->before, false);
    *top = own;
    return PARE_OK;
}

/* Goes through the lines that are not blank with a stack of open blocks: a line deeper than its
 * predecessor opens one, and one less deep closes those that are deeper. At the end all are
 * closed. */
pare_status pare_line_blocks_by_indentation(const pare_line_table *table, pare_block_spans *spans,
                                            pare_error *err)
{
    struct reading reading = {.table = table};
    struct open_stack stack = {.n = 0};
    pare_status status = read_habits(&reading, err);
    const uint32_t first = shown_from(table, 0);
    struct place at = {first, first, 0};
    for (; !status && at.line < table->n_lines; at.before = at.line, at.line = at.after) {
        at.after = shown_from(table, at.line + 1);
        status = take_line(&reading, &stack, &at, spans, err);
    }
    while (!status && stack.n)
        close_at(&stack.items[--stack.n], spans, at.before, false);
    if (!status) pare_block_spans_settle(spans);
    pare_alloc_free(stack.items);
    pare_alloc_free(reading.depths);
    pare_alloc_free(reading.habits);
    return status;
}

/* ---- brackets ------------------------------------------------------------------------------ */

enum {
    UNBALANCED_SHARE = 20, /* more brackets than this part without a partner: not to be read */
    MOST_STEPPED = 3       /* open brackets that a closing one of another kind takes off */
};

/* The roles of a byte here. */
enum byte_class { PLAIN, OPENS, CLOSES, QUOTES };

/* The state over all lines. */
struct brackets {
    struct open_stack stack;
    size_t n, n_alone;        /* brackets, and those without a partner */
    struct open_block closed; /* the block that this line closed last ... */
    size_t closed_height;     /* ... and how many were open then; SIZE_MAX: there is none */
};

/* The end of a quotation that begins at `at`, or `at`, if it has none. Single quotes hold one
 * character, 'a' or '\n', for elsewhere they are apostrophes. */
static const unsigned char *skip_quoted(const unsigned char *at, const unsigned char *end)
{
    if (*at == '\'') {
        if (end - at > 2 && at[2] == '\'') return at + 2;
        return end - at > 3 && at[1] == '\\' && at[3] == '\'' ? at + 3 : at;
    }
    for (const unsigned char *to = at + 1; to < end; to++) {
        if (pare_interrupt_asked_at((size_t)(end - to))) break;
        if (*to == '\\')
            to++;
        else if (*to == '"')
            return to;
    }
    return at;
}

/* Takes a closing bracket of `kind`: its partner is the innermost open one of its kind, unless more
 * than MOST_STEPPED of other kinds are open above it. These have no partner then, or the closing
 * one has none. */
static void close_bracket(struct brackets *brackets, uint32_t kind, uint32_t line,
                          pare_block_spans *spans)
{
    struct open_stack *stack = &brackets->stack;
    for (size_t down = 0; down <= MOST_STEPPED && down < stack->n; down++) {
        const struct open_block block = stack->items[stack->n - 1 - down];
        if (block.key != kind) continue;
        brackets->n_alone += down;
        stack->n -= down + 1;
        if (block.line == line && block.place == NO_PLACE) return;
        close_at(&block, spans, line, true);
        brackets->closed = block;
        brackets->closed_height = stack->n;
        return;
    }
    brackets->n_alone++;
}

/* Makes blocks of what the line has left open: those from `from` on. In "} else {" the block that
 * ended goes on: its span is open again, and the line begins a further part of it. */
static pare_status open_rest(struct brackets *brackets, size_t from, uint32_t line,
                             pare_block_spans *spans, pare_error *err)
{
    struct open_stack *stack = &brackets->stack;
    for (size_t i = from; i < stack->n; i++) {
        struct open_block *block = &stack->items[i];
        pare_status status;
        /* The block that ended in this line goes on. */
        if (i == brackets->closed_height && brackets->closed.line < line) {
            *block = brackets->closed;
            block->key = stack->items[i].key;
            spans->items[block->place].last = 0;
            status = pare_block_spans_open(spans, line, true, &block->middle, err);
        } else {
            status = pare_block_spans_open(spans, line, false, &block->place, err);
        }
        if (status) return status;
    }
    return PARE_OK;
}

/* Reads the brackets of one line. Pairs within it make no block; `lowest` is how many of the
 * brackets open before it stayed open all the time. */
static pare_status read_line(struct brackets *brackets, const unsigned char *classes,
                             const pare_line_table *table, uint32_t line, pare_block_spans *spans,
                             pare_error *err)
{
    const unsigned char *at = table->bytes + table->lines[line].begin;
    const unsigned char *end = table->bytes + table->lines[line + 1].begin;
    size_t lowest = brackets->stack.n; /* open brackets, at least so many are of earlier lines */
    pare_status status = PARE_OK;
    brackets->closed_height = SIZE_MAX;
    for (; !status && at < end; at++) {
        if (pare_interrupt_asked_at((size_t)(end - at))) break;
        if (classes[*at] == PLAIN) continue;
        if (classes[*at] == QUOTES) {
            at = skip_quoted(at, end);
            continue;
        }
        brackets->n++;
        const uint32_t kind = *at & 0x60; /* of ( and ), of [ and ], of { and } the same */
        if (classes[*at] == CLOSES) {
            close_bracket(brackets, kind, line, spans);
            if (brackets->stack.n < lowest) lowest = brackets->stack.n;
        } else {
            status =
                push(&brackets->stack, (struct open_block){line, kind, NO_PLACE, NO_PLACE}, err);
        }
    }
    return status ? status : open_rest(brackets, lowest, line, spans, err);
}

/* Quotes are as likely apostrophes, so one without an end means nothing. */
pare_status pare_line_blocks_by_brackets(const pare_line_table *table, pare_block_spans *spans,
                                         pare_error *err)
{
    static const unsigned char classes[256] = {
        ['('] = OPENS,  ['['] = OPENS,  ['{'] = OPENS,  [')'] = CLOSES,
        [']'] = CLOSES, ['}'] = CLOSES, ['"'] = QUOTES, ['\''] = QUOTES};
    struct brackets brackets = {.n = 0};
    pare_status status = PARE_OK;
    for (uint32_t line = 0; !status && line < table->n_lines; line++)
        status = read_line(&brackets, classes, table, line, spans, err);
    brackets.n_alone += brackets.stack.n;
    if (brackets.n_alone * UNBALANCED_SHARE > brackets.n) spans->n = 0;
    if (!status) pare_block_spans_settle(spans);
    pare_alloc_free(brackets.stack.items);
    return status;
}
