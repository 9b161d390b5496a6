/* Which lines of the preprocessor belong together: a pop needs its push, and an `#endif` its `#if`.
 *
 * Most such lines of a preprocessed text are pragmas about warnings and visibility.  Pairs are told by the words around
 * push and pop, since several kinds of them may be mixed.  Linear. */
#include <string.h>

#include "base/fail.h"
#include "reduce/dependency/outline.h"
#include "reduce/dependency/outline_c.h"
#include "reduce/tree/tree.h"

/* Bytes of the text. */
struct span {
    const unsigned char *data;
    size_t size;
};

/* What a line begins or ends, with the lines that do the same: all `#if`, or the pragmas whose text is
 * equal but for push and pop, the name of the state before the word and what the word goes on with. */
struct pairing {
    enum { NEITHER, OPENS, BETWEEN, CLOSES } what;
    struct span before, after;
};

/* A line that was opened. */
struct opened {
    uint32_t node;
    struct pairing pairing;
};

/* The word at `at` of the line; empty if there is none. */
static struct span line_word(struct span line, size_t at)
{
    size_t end = at;
    while (end < line.size && pare_tree_is_word_byte(line.data[end]))
        end++;
    return (struct span){line.data + at, end - at};
}

/* Whether the word begins with the text. */
static bool begins(struct span word, const char *text)
{
    size_t size = strlen(text);
    return word.size >= size && memcmp(word.data, text, size) == 0;
}

/* Of the line after `#pragma`: `push` or `pop`, by itself or before `_`.  `GCC diagnostic push`
 * goes with `GCC diagnostic pop`, and `push_macro(..)` with `pop_macro(..)`, whatever is in the
 * brackets: only what is before the word and what the word goes on with has to be equal. */
static struct pairing pair_pragma(struct span line)
{
    for (size_t at = 0; at < line.size;) {
        struct span word = line_word(line, at);
        size_t size = begins(word, "push") ? 4 : begins(word, "pop") ? 3 : 0;
        if (size && (word.size == size || word.data[size] == '_'))
            return (struct pairing){
                size == 4 ? OPENS : CLOSES, {line.data, at}, {word.data + size, word.size - size}};
        at += word.size ? word.size : 1;
    }
    return (struct pairing){0};
}

/* Of a line that begins with `#`. */
static struct pairing pair_line(struct span line)
{
    size_t at = 1;
    while (at < line.size && (line.data[at] == ' ' || line.data[at] == '\t'))
        at++;
    struct span word = line_word(line, at);
    struct pairing pairing = {0};
    at += word.size;
    if (word.size == 6 && begins(word, "pragma"))
        return pair_pragma((struct span){line.data + at, line.size - at});
    if (begins(word, "if"))
        pairing.what = OPENS;
    else if (begins(word, "el"))
        pairing.what = BETWEEN;
    else if (begins(word, "endif"))
        pairing.what = CLOSES;
    return pairing;
}

/* Whether both are of one kind. */
static bool goes_with(const struct pairing *a, const struct pairing *b)
{
    return a->before.size == b->before.size && a->after.size == b->after.size &&
           (!a->before.size || memcmp(a->before.data, b->before.data, a->before.size) == 0) &&
           (!a->after.size || memcmp(a->after.data, b->after.data, a->after.size) == 0);
}

/* The line of the one node needs that of the other. */
static pare_status need_line(pare_c_reader *reader, uint32_t node, uint32_t needed)
{
    const pare_outline_use use = {
        .node = node, .word = needed, .qualifier = PARE_NO_WORD, .kind = PARE_OUTLINE_LOCAL};
    return pare_outline_add_use(reader->outline, &use, reader->err);
}

/* Ties `#pragma .. pop` to its push, `#endif` to its `#if`, and the other way round; `#else` to
 * its `#if`.  Kinds may be mixed, so each looks for the innermost of its own, and takes it out
 * from among the others; no further than MOST that are open. */
pare_status pare_c_tie_lines(pare_c_reader *reader)
{
    enum { MOST = 64 };
    const unsigned char *bytes = reader->view->bytes;
    struct opened open[MOST];
    pare_status status = PARE_OK;
    size_t n = 0;
    for (uint32_t node = 0; !status && node < reader->n_extents; node++) {
        const pare_outline_node *at = &reader->outline->nodes[node];
        if (!(at->roles & PARE_OUTLINE_LINE)) continue;
        const struct pairing pairing =
            pair_line((struct span){bytes + at->begin, at->end - at->begin});
        if (pairing.what == OPENS && n < MOST) open[n++] = (struct opened){node, pairing};
        if (pairing.what == OPENS || pairing.what == NEITHER) continue;
        size_t i = n;
        while (i && !goes_with(&open[i - 1].pairing, &pairing))
            i--;
        if (!i--) continue;
        status = need_line(reader, node, open[i].node);
        if (status || pairing.what == BETWEEN) continue;
        status = need_line(reader, open[i].node, node);
        memmove(&open[i], &open[i + 1], (--n - i) * sizeof *open);
    }
    return status;
}
