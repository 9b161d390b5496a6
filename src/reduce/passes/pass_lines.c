/* The pass that puts lines in the place of others: other-lines.
 *
 * A statement may be needed where it stands, but not that statement: a block needs a body, a
 * function something that ends it.  What fits there is likely to stand somewhere in the text
 * already, on a line by itself with as much white space before it, or at the end of a block.
 * So a line, and the lines that are indented deeper than the one before them, become the
 * shortest lines of that kind.
 * Invariant: what is put in comes from the text and is shorter than what goes.
 * Source: Shrink Ray replaces by other parts of the text ("replace_with_other"), Vulcan a
 * sub-tree by another; for lines it is ours.
 * Cost: at most MOST_CANDIDATES tests for each of the MOST_UNITS largest units. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

enum { MOST_BYTES = 262144, MOST_UNITS = 128, MOST_CANDIDATES = 3, WINDOW = 512 };

/* A line that is not blank. */
struct line {
    uint32_t from, at, to; /* begins, is not blank any more, ends before its line end */
    bool ends;             /* the next line stands less deep: it is the last of its block */
};

/* The lines of a file. */
struct lines {
    const pare_pass_view *view;
    struct line *at; /* owned */
    size_t n, capacity;
};

/* Lines first .. last, which may become one. */
struct unit {
    uint32_t first, last;
};

/* Bytes of the line without white space before it. */
static size_t size_of(const struct line *line)
{
    return line->to - line->at;
}

/* White space before it. */
static size_t indent_of(const struct line *line)
{
    return line->at - line->from;
}

/* Whether the byte is white space within a line. */
static bool is_blank(unsigned char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

/* Lists the lines. */
static pare_status list_lines(struct lines *lines, pare_error *err)
{
    const unsigned char *bytes = lines->view->bytes;
    size_t end = lines->view->end;
    for (size_t from = lines->view->begin, next; from < end; from = next) {
        const unsigned char *line_end = memchr(bytes + from, '\n', end - from);
        size_t to = line_end ? (size_t)(line_end - bytes) : end, at = from;
        next = to + 1;
        while (at < to && is_blank(bytes[at]))
            at++;
        if (at == to) continue;
        struct line *all = pare_vector_grow(lines->at, lines->n, &lines->capacity, sizeof *all);
        if (!all) return pare_fail_nomem(err);
        lines->at = all;
        if (lines->n) all[lines->n - 1].ends = at - from < indent_of(&all[lines->n - 1]);
        all[lines->n++] = (struct line){(uint32_t)from, (uint32_t)at, (uint32_t)to, true};
    }
    return PARE_OK;
}

/* Whether both lines say the same. */
static bool is_same(const struct lines *lines, size_t a, size_t b)
{
    const unsigned char *bytes = lines->view->bytes;
    const struct line *x = &lines->at[a], *y = &lines->at[b];
    return size_of(x) == size_of(y) && memcmp(bytes + x->at, bytes + y->at, size_of(x)) == 0;
}

/* Up to MOST_CANDIDATES lines, the shortest first. */
struct candidates {
    uint32_t at[MOST_CANDIDATES];
    size_t n;
};

/* Adds line `i` to the candidates, unless it is there already or longer than all of a full list. */
static void add_candidate(const struct lines *lines, struct candidates *found, uint32_t i)
{
    size_t place = found->n;
    for (size_t k = 0; k < found->n; k++)
        if (is_same(lines, found->at[k], i)) return;
    while (place && size_of(&lines->at[found->at[place - 1]]) > size_of(&lines->at[i]))
        place--;
    if (place == MOST_CANDIDATES) return;
    if (found->n < MOST_CANDIDATES) found->n++;
    memmove(found->at + place + 1, found->at + place, (found->n - place - 1) * sizeof *found->at);
    found->at[place] = i;
}

/* The shortest lines that may stand for the unit: of those nearby that stand as deep, or end a
 * block. */
static struct candidates candidates_for(const struct lines *lines, struct unit unit)
{
    struct candidates found = {.n = 0};
    size_t from = unit.first > WINDOW ? unit.first - WINDOW : 0;
    size_t to = lines->n - unit.last > WINDOW ? unit.last + WINDOW : lines->n;
    size_t indent = indent_of(&lines->at[unit.first]);
    for (size_t i = from; i < to; i++) {
        const struct line *line = &lines->at[i];
        bool single = unit.first == unit.last;
        if (single && is_same(lines, i, unit.first)) continue;
        if (line->ends || indent_of(line) == indent) add_candidate(lines, &found, (uint32_t)i);
    }
    return found;
}

/* The unit becomes a line, as far to the right as its first line was. */
static pare_status offer_unit(const struct lines *lines, struct unit unit, pare_patches *out,
                              pare_error *err)
{
    struct candidates found = candidates_for(lines, unit);
    pare_extent what = {lines->at[unit.first].at, lines->at[unit.last].to};
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < found.n; i++) {
        const struct line *line = &lines->at[found.at[i]];
        if (size_of(line) < what.to - what.from)
            status = pare_pass_offer_text(
                out, (pare_pass_text){what, lines->view->bytes + line->at, size_of(line)},
                PARE_NO_PATCH, NULL, err);
    }
    return status;
}

/* A list of units that grows. */
struct units {
    struct unit *at; /* owned */
    size_t n, capacity;
};

/* Appends a unit. */
static pare_status add_unit(struct units *units, size_t first, size_t last, pare_error *err)
{
    struct unit *at = pare_vector_grow(units->at, units->n, &units->capacity, sizeof *at);
    if (!at) return pare_fail_nomem(err);
    units->at = at;
    at[units->n++] = (struct unit){(uint32_t)first, (uint32_t)last};
    return PARE_OK;
}

/* Each line, and each body: the lines after one that stand deeper, at least two.  A body is followed
 * for at most WINDOW lines, so this is linear. */
static pare_status list_units(const struct lines *lines, struct units *units, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < lines->n; i++) {
        size_t end = i + 1;
        status = add_unit(units, i, i, err);
        while (end < lines->n && end - i < WINDOW &&
               indent_of(&lines->at[end]) > indent_of(&lines->at[i]))
            end++;
        if (!status && end > i + 2) status = add_unit(units, i + 1, end - 1, err);
    }
    return status;
}

/* The lines that sort_units compares by. */
struct sized {
    struct unit unit;
    size_t size;
};

/* The largest first, then the last of the text. */
static int by_size(const void *a, const void *b)
{
    const struct sized *x = a, *y = b;
    if (x->size != y->size) return x->size > y->size ? -1 : 1;
    if (x->unit.first != y->unit.first) return x->unit.first > y->unit.first ? -1 : 1;
    return x->unit.last < y->unit.last ? -1 : x->unit.last > y->unit.last;
}

/* Offers the largest units. */
static pare_status offer_largest(const struct lines *lines, const struct units *units,
                                 pare_patches *out, pare_error *err)
{
    struct sized *sized = pare_alloc(units->n, sizeof *sized);
    pare_status status = sized ? PARE_OK : pare_fail_nomem(err);
    for (size_t i = 0; !status && i < units->n; i++) {
        struct unit unit = units->at[i];
        sized[i] = (struct sized){unit, lines->at[unit.last].to - lines->at[unit.first].at};
    }
    if (!status) qsort(sized, units->n, sizeof *sized, by_size);
    for (size_t i = 0; !status && i < units->n && i < MOST_UNITS; i++)
        status = offer_unit(lines, sized[i].unit, out, err);
    pare_alloc_free(sized);
    return status;
}

/* other-lines: a line, or all that is indented below one, becomes the shortest line of the text
 * that stands as far to the right, or ends a block. */
static pare_status offer_lines(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                               pare_error *err)
{
    struct lines lines = {.view = view};
    struct units units = {0};
    (void)pass;
    if (pare_pass_is_binary(view)) return PARE_OK;
    pare_status status = list_lines(&lines, err);
    if (!status) status = list_units(&lines, &units, err);
    if (!status && units.n) status = offer_largest(&lines, &units, out, err);
    pare_alloc_free(units.at);
    pare_alloc_free(lines.at);
    return status;
}

const pare_pass pare_pass_other_lines = {
    .name = "other-lines",
    .summary = "replaces a line, or the lines below it, by a short line of the text",
    .source = "ours, after Vulcan, sub-tree replacement",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .most_bytes = MOST_BYTES,
    .offer = offer_lines,
};
