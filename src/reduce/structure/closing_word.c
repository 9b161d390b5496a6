/* Learns which words open what one word closes, from blocks that indentation shows, and pairs them
 * wherever they stand.
 *
 * Indentation is not everywhere: a module's body often stands as far left as its header, a function
 * begins in the middle of an expression.  There the words still tell.  The closing word is the one that
 * most indented blocks end with.  What opens them is covered greedily: the word is next that stands
 * in most headers that no word explains yet, less those of its uses elsewhere that nothing in the same
 * line closes (`then` stands in `elseif`, too, so `if` it is).  Then all uses are paired with a
 * stack.  What a closer in front of its line leaves behind that is indented deeper was no opener (a
 * word in a text); one that is deeper than what is open is no closer.
 *
 * Words in quotes, and lines and ends of lines that look like comments, are passed over.
 * Invariant: spans come from one stack, so they do not cross; they are taken only if at most one
 * closer in UNBALANCED_SHARE is without a partner, and at most as many openers.
 * Source: ours.  Measured: docs/lab/structure.md.  Test: tests/unit/test_structure.c. */
#include "reduce/structure/closing_word.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/interrupt.h"
#include "base/vector.h"

enum {
    FEWEST = 4,             /* blocks that a word closes; fewer show nothing */
    MOST_HEADERS = 1 << 14, /* that are learned from */
    MOST_WORDS = 1 << 13,   /* different words in them; a power of two is free in twice as many */
    MOST_OPENERS = 12,
    LEAST_SHARE = 100, /* of the headers an opener explains more than this part */
    MIDDLE = 90,       /* uses in a hundred of `else` that follow deeper lines */
    UNBALANCED_SHARE = 25
};

/* A word of headers, by its hash; 0: the slot is free. */
struct word {
    uint32_t hash;
    uint32_t elsewhere; /* lines that are no header, and in which nothing closes it */
    uint32_t fresh;     /* headers that have it and no opener yet, */
    uint32_t covered;   /* and such that have one */
    uint32_t line;      /* in which it was counted last */
    bool refused;       /* it was tried as an opener */
};

/* What is learned. */
struct learner {
    const pare_line_table *table;
    uint32_t closer;   /* hash of the closing word */
    uint32_t *headers; /* owned; the lines of the blocks that it closes, ascending */
    size_t n_headers, capacity;
    struct word *words; /* owned; an open hash table of 2 * MOST_WORDS slots */
    size_t n_words;
    uint32_t openers[MOST_OPENERS];
    size_t n_openers;
};

/* ---- the words of a line --------------------------------------------------------------------- */

/* A walk over the words of one line. */
struct line_walk {
    const unsigned char *at, *end;
};

static bool is_blank(unsigned char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

/* The words of a line. Nothing is walked over in a line that begins like a comment: with a sign
 * other than those that code begins with, such as "#", "--" or "%". */
static struct line_walk walk_line(const pare_line_table *table, uint32_t line)
{
    const pare_line *of = &table->lines[line];
    const unsigned char *at = table->bytes + of->begin + of->margin, *end = at + of->content;
    if (of->content && !pare_line_table_is_letter(*at) && !strchr("()[]{}\"'@$:", *at)) at = end;
    return (struct line_walk){at, end};
}

/* Whether a comment begins at `at`, which is not the line's first byte: behind a blank, two of the
 * same sign ("--", "//", ";;"), or "#" and a blank. */
static bool begins_comment(const struct line_walk *walk)
{
    const unsigned char *at = walk->at;
    if (walk->end - at < 2 || !strchr("-/#;%!", *at) || !is_blank(at[-1])) return false;
    return at[1] == *at || (*at == '#' && is_blank(at[1]));
}

/* Passes over what is quoted, if the quotation ends in the line. */
static void skip_quoted(struct line_walk *walk)
{
    const unsigned char quote = *walk->at;
    for (const unsigned char *to = walk->at + 1; to < walk->end; to++) {
        if (*to == '\\')
            to++;
        else if (*to == quote) {
            walk->at = to;
            return;
        }
    }
}

/* The hash of the next word; 0: there is none. *first is whether it begins the line; it stays as it
 * was if there is none. */
static uint32_t next_word(struct line_walk *walk, const unsigned char *begin, bool *first)
{
    for (; walk->at < walk->end; walk->at++) {
        const unsigned char *at = walk->at;
        if (pare_line_table_is_letter(*at)) {
            while (walk->at < walk->end && pare_line_table_is_letter(*walk->at))
                walk->at++;
            *first = at == begin;
            return pare_line_table_hash(at, (size_t)(walk->at - at), 0);
        }
        if (*at == '"' || *at == '\'')
            skip_quoted(walk);
        else if (at > begin && begins_comment(walk))
            break;
    }
    walk->at = walk->end;
    return 0;
}

/* ---- learning -------------------------------------------------------------------------------- */

/* The word that most of the spans end with ("end", "fi"); 0: none ends enough of them. Only the
 * first sixteen different words are counted. */
static uint32_t closer_of(const pare_line_table *table, const pare_block_spans *spans)
{
    enum { DIFFERENT = 16 }; /* candidates: what is frequent is among the first */
    struct {
        uint32_t hash, n;
    } counts[DIFFERENT] = {{0, 0}};
    size_t n = 0, best = 0;
    for (size_t i = 0; i < spans->n; i++) {
        if (!spans->items[i].closes) continue;
        struct line_walk walk = walk_line(table, spans->items[i].last);
        const unsigned char *begin = walk.at;
        bool first = false;
        const uint32_t hash = next_word(&walk, begin, &first);
        size_t k = 0;
        if (!hash || !first) continue;
        while (k < n && counts[k].hash != hash)
            k++;
        if (k == DIFFERENT) continue;
        if (k == n) counts[n++].hash = hash;
        if (++counts[k].n > counts[best].n) best = k;
    }
    return n && counts[best].n >= FEWEST ? counts[best].hash : 0;
}

/* Whether the line begins with the closing word. */
static bool begins_with_closer(const struct learner *learner, uint32_t line)
{
    struct line_walk walk = walk_line(learner->table, line);
    const unsigned char *begin = walk.at;
    bool first = false;
    return next_word(&walk, begin, &first) == learner->closer && first;
}

/* The slot of the word; with `add` a new one if there is room; else NULL. */
static struct word *slot_of(struct learner *learner, uint32_t hash, bool add)
{
    const size_t mask = 2 * MOST_WORDS - 1;
    size_t i = hash & mask;
    while (learner->words[i].hash && learner->words[i].hash != hash)
        i = (i + 1) & mask;
    if (learner->words[i].hash) return &learner->words[i];
    if (!add || learner->n_words == MOST_WORDS) return NULL;
    learner->n_words++;
    learner->words[i] = (struct word){.hash = hash, .line = UINT32_MAX};
    return &learner->words[i];
}

/* Counts for the first words of lines how many there are (fresh), and how many right after a deeper
 * line (covered). */
static void count_first_words(struct learner *learner)
{
    const pare_line *before = NULL;
    for (uint32_t line = 0; line < learner->table->n_lines; line++) {
        const pare_line *of = &learner->table->lines[line];
        if (!of->first) continue;
        if (pare_interrupt_asked_at(line)) return;
        struct word *word = slot_of(learner, of->first, true);
        if (word) word->fresh++;
        if (word && before) word->covered += before->column > of->column;
        before = of;
    }
}

/* The line that begins the block of which `line` begins a part, as `else` does: nine in ten lines
 * of its first word follow deeper ones. From there the line of the same depth above is next, as
 * often as that is a part, too: `else`, `elseif`, `if`. A less deep line above ends the search:
 * then `line` itself begins something. */
static uint32_t begin_of_block(struct learner *learner, uint32_t line)
{
    const pare_line *lines = learner->table->lines;
    for (;;) {
        const struct word *word = slot_of(learner, lines[line].first, false);
        if (!word || word->covered * 100 < word->fresh * (uint64_t)MIDDLE) return line;
        uint32_t above = line;
        do {
            if (!above--) return line;
        } while (!lines[above].first || lines[above].column > lines[line].column);
        if (lines[above].column < lines[line].column) return line;
        line = above;
    }
}

static int by_line(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

/* Notes the line that begins a block whose last part begins in `line`; later ones are passed over once
 * there are MOST_HEADERS. */
static pare_status add_header(struct learner *learner, uint32_t line, pare_error *err)
{
    if (learner->n_headers == MOST_HEADERS) return PARE_OK;
    uint32_t *headers =
        pare_vector_grow(learner->headers, learner->n_headers, &learner->capacity, sizeof *headers);
    if (!headers) return pare_fail_nomem(err);
    learner->headers = headers;
    headers[learner->n_headers++] = begin_of_block(learner, line);
    return PARE_OK;
}

/* Adds the headers of blocks in which there is nothing: the closer is below, as deep. */
static pare_status add_empty(struct learner *learner, pare_error *err)
{
    const pare_line *lines = learner->table->lines;
    uint32_t before = UINT32_MAX; /* line that is not blank and does not begin with a closer */
    pare_status status = PARE_OK;
    for (uint32_t line = 0; !status && line < learner->table->n_lines; line++) {
        if (!lines[line].first) continue;
        if (pare_interrupt_asked_at(line)) break;
        const bool closes = begins_with_closer(learner, line);
        if (closes && before != UINT32_MAX && lines[before].column == lines[line].column)
            status = add_header(learner, before, err);
        before = closes ? UINT32_MAX : line;
    }
    return status;
}

/* Lists the headers of the blocks that the word closes, in their order, and forgets the first words. */
static pare_status collect_headers(struct learner *learner, const pare_block_spans *spans,
                                   pare_error *err)
{
    pare_status status = PARE_OK;
    count_first_words(learner);
    for (size_t i = 0; !status && i < spans->n; i++) {
        const pare_block_span *span = &spans->items[i];
        if (!span->closes || span->middle || !begins_with_closer(learner, span->last)) continue;
        status = add_header(learner, span->first, err);
    }
    if (!status) status = add_empty(learner, err);
    if (learner->n_headers)
        qsort(learner->headers, learner->n_headers, sizeof *learner->headers, by_line);
    memset(learner->words, 0, 2 * (size_t)MOST_WORDS * sizeof *learner->words);
    learner->n_words = 0;
    return status;
}

static bool is_opener(const struct learner *learner, uint32_t hash)
{
    for (size_t i = 0; i < learner->n_openers; i++)
        if (learner->openers[i] == hash) return true;
    return false;
}

/* Whether the word, or with 0 any opener, stands in the line, outside of quotes and comments. */
static bool line_has(const struct learner *learner, uint32_t line, uint32_t word)
{
    struct line_walk walk = walk_line(learner->table, line);
    const unsigned char *begin = walk.at;
    bool first;
    for (uint32_t hash; (hash = next_word(&walk, begin, &first));)
        if (word ? hash == word : is_opener(learner, hash)) return true;
    return false;
}

/* Counts the words of the headers, each once a line, by whether an opener stands beside them. With
 * `add`, words that are met the first time get a slot; without, only those that have one are
 * counted anew. */
static void count_headers(struct learner *learner, bool add)
{
    for (size_t i = 0; i < 2 * MOST_WORDS; i++) {
        learner->words[i].fresh = learner->words[i].covered = 0;
        learner->words[i].line = UINT32_MAX;
    }
    for (size_t i = 0; i < learner->n_headers; i++) {
        const uint32_t line = learner->headers[i];
        const bool covered = line_has(learner, line, 0);
        struct line_walk walk = walk_line(learner->table, line);
        const unsigned char *begin = walk.at;
        bool first;
        for (uint32_t hash; (hash = next_word(&walk, begin, &first));) {
            struct word *word = slot_of(learner, hash, add);
            if (!word || word->line == line || hash == learner->closer) continue;
            word->line = line;
            ++*(covered ? &word->covered : &word->fresh);
        }
    }
}

/* Counts the uses of the words in lines that are no headers and hold no closer. */
static void count_elsewhere(struct learner *learner)
{
    size_t h = 0;
    for (uint32_t line = 0; line < learner->table->n_lines; line++) {
        while (h < learner->n_headers && learner->headers[h] < line)
            h++;
        if (h < learner->n_headers && learner->headers[h] == line) continue;
        if (pare_interrupt_asked_at(line)) return;
        if (line_has(learner, line, learner->closer)) continue;
        struct line_walk walk = walk_line(learner->table, line);
        const unsigned char *begin = walk.at;
        bool first;
        for (uint32_t hash; (hash = next_word(&walk, begin, &first));) {
            struct word *word = slot_of(learner, hash, false);
            if (word) word->elsewhere++;
        }
    }
}

/* ---- pairing --------------------------------------------------------------------------------- */

/* An opener that waits for its closer. */
struct open_word {
    uint32_t line;
    size_t place;
};

struct pairing {
    struct open_word *stack; /* owned */
    size_t n, capacity;
    size_t n_closes, n_alone; /* closers, and words without a partner */
};

static uint32_t column_of(const struct learner *learner, uint32_t line)
{
    return learner->table->lines[line].column;
}

/* Takes a closer. If it is the first word of its line, openers on the stack in deeper lines cannot
 * be closed by it: they are words in a text, and go. What is then on top is its opener, unless that
 * stands less deep: then the closer has none. */
static void close_word(const struct learner *learner, struct pairing *pairing, uint32_t line,
                       bool first, pare_block_spans *spans)
{
    pairing->n_closes++;
    while (first && pairing->n &&
           column_of(learner, pairing->stack[pairing->n - 1].line) > column_of(learner, line)) {
        pairing->n--;
        pairing->n_alone++;
    }
    if (!pairing->n || (first && column_of(learner, pairing->stack[pairing->n - 1].line) <
                                     column_of(learner, line))) {
        pairing->n_alone++;
        return;
    }
    pare_block_spans_close(spans, pairing->stack[--pairing->n].place, line, first);
}

/* Puts an opener on the stack, and the beginning of a span in its place, so that spans are in the
 * order of their first lines. */
static pare_status open_word(struct pairing *pairing, uint32_t line, pare_block_spans *spans,
                             pare_error *err)
{
    struct open_word word = {.line = line};
    struct open_word *stack =
        pare_vector_grow(pairing->stack, pairing->n, &pairing->capacity, sizeof *stack);
    if (!stack) return pare_fail_nomem(err);
    pairing->stack = stack;
    pare_status status = pare_block_spans_open(spans, line, false, &word.place, err);
    if (!status) stack[pairing->n++] = word;
    return status;
}

/* Pairs all uses; *n_alone of them have no partner, which is too many if there is no balance. */
static pare_status pair(const struct learner *learner, pare_block_spans *spans, size_t *n_alone,
                        bool *balanced, pare_error *err)
{
    struct pairing pairing = {.n = 0};
    pare_status status = PARE_OK;
    spans->n = 0;
    for (uint32_t line = 0; !status && line < learner->table->n_lines; line++) {
        if (pare_interrupt_asked_at(line)) break;
        struct line_walk walk = walk_line(learner->table, line);
        const unsigned char *begin = walk.at;
        bool first;
        for (uint32_t hash; !status && (hash = next_word(&walk, begin, &first));) {
            if (hash == learner->closer)
                close_word(learner, &pairing, line, first, spans);
            else if (is_opener(learner, hash))
                status = open_word(&pairing, line, spans, err);
        }
    }
    *n_alone = pairing.n_alone + pairing.n;
    *balanced = *n_alone * UNBALANCED_SHARE <= pairing.n_closes;
    pare_alloc_free(pairing.stack);
    return status;
}

/* ---- the openers ----------------------------------------------------------------------------- */

/* The word that explains most headers; NULL: none explains enough. */
static struct word *best_word(const struct learner *learner)
{
    long most = (long)(learner->n_headers / LEAST_SHARE);
    struct word *best = NULL;
    for (size_t i = 0; i < 2 * MOST_WORDS; i++) {
        struct word *word = &learner->words[i];
        const long score = (long)word->fresh - 2 * (long)word->elsewhere - 2 * (long)word->covered;
        if (!word->hash || word->refused || score <= most) continue;
        most = score;
        best = word;
    }
    return best;
}

/* Takes openers as long as one explains enough, and leaves fewer words without a partner; *least of them. */
static pare_status take_openers(struct learner *learner, pare_block_spans *spans, size_t *least,
                                pare_error *err)
{
    size_t n_alone = 0;
    bool balanced;
    pare_status status = PARE_OK;
    while (!status && learner->n_openers < MOST_OPENERS) {
        struct word *word = best_word(learner);
        if (!word) break;
        word->refused = true; /* it has had its chance */
        learner->openers[learner->n_openers++] = word->hash;
        status = pair(learner, spans, &n_alone, &balanced, err);
        if (n_alone < *least) {
            *least = n_alone;
            count_headers(learner, false);
        } else {
            learner->n_openers--;
        }
    }
    return status;
}

/* Gives back the openers without which fewer words are left alone: `else`, which begins the last part of
 * a block, where a later one, `if`, begins the first. */
static pare_status give_back(struct learner *learner, pare_block_spans *spans, size_t *least,
                             pare_error *err)
{
    size_t n_alone = 0;
    bool balanced;
    pare_status status = PARE_OK;
    for (size_t i = learner->n_openers; !status && learner->n_openers > 1 && i-- > 0;) {
        const uint32_t tried = learner->openers[i];
        learner->openers[i] = learner->openers[learner->n_openers - 1];
        learner->n_openers--;
        status = pair(learner, spans, &n_alone, &balanced, err);
        if (n_alone < *least) {
            *least = n_alone;
            continue;
        }
        learner->openers[learner->n_openers++] = learner->openers[i];
        learner->openers[i] = tried;
    }
    return status;
}

/* Learns the openers; `spans` are the blocks in the end, none without a balance. */
static pare_status learn_openers(struct learner *learner, pare_block_spans *spans, pare_error *err)
{
    bool balanced = false;
    size_t n_alone = SIZE_MAX;
    count_headers(learner, true);
    count_elsewhere(learner);
    pare_status status = take_openers(learner, spans, &n_alone, err);
    if (!status) status = give_back(learner, spans, &n_alone, err);
    if (!status && learner->n_openers) status = pair(learner, spans, &n_alone, &balanced, err);
    if (!balanced) spans->n = 0;
    return status;
}

pare_status pare_closing_word_find(const pare_line_table *table, const pare_block_spans *indented,
                                   pare_block_spans *spans, pare_error *err)
{
    struct learner learner = {.table = table, .closer = closer_of(table, indented)};
    if (!learner.closer) return PARE_OK;
    learner.words = pare_alloc_zero(2 * (size_t)MOST_WORDS, sizeof *learner.words);
    pare_status status = learner.words ? PARE_OK : pare_fail_nomem(err);
    if (!status) status = collect_headers(&learner, indented, err);
    if (!status) status = learn_openers(&learner, spans, err);
    if (!status) pare_block_spans_settle(spans);
    pare_alloc_free(learner.headers);
    pare_alloc_free(learner.words);
    return status;
}
