/* Reports of recorders: from lines of text to stretches of bytes that were not executed.
 *
 * Interpreters know what they execute either by bytes (V8) or by lines (all others).  Stretches of
 * bytes are sorted and united, without those that were executed after all.  Of lines each has two marks, whether it has code and whether it was
 * executed; a stretch begins with a line that has code and was not executed, and ends before the
 * next one that was.  What has no code in between (the rest of a statement, an end, a comment)
 * belongs to it: a syntax tree shows later what of it is whole.  Where no line is said to have code,
 * as of Lua, every line that is not blank may have some.
 * Invariant: stretches ascend, are not empty, do not touch, and lie in the text.
 * Source: ours; line and block coverage are what each interpreter has. */
#include "session/test/reach_report.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/vector.h"

/* Marks of a line. */
enum { HAS_CODE = 1, EXECUTED = 2 };

/* Stretches, and room for so many. */
struct stretches {
    pare_extent *items; /* owned */
    size_t n, capacity;
};

/* A report that is being read. */
struct reading {
    const unsigned char *text;
    size_t text_bytes;
    unsigned char *marks; /* owned; of lines 1 .. n_lines */
    size_t n_lines;
    bool any_code, any_executed;
    struct stretches unreached, executed; /* in the order of the report; of bytes both */
};

/* Appends the extent from .. to-1.  An end behind the text is cut, and what is empty
 * then is left out: the script can write to the report, so nothing in it is trusted. */
static pare_status add(const struct reading *reading, struct stretches *to_these, size_t from,
                       size_t to, pare_error *err)
{
    if (to > reading->text_bytes) to = reading->text_bytes;
    if (from >= to) return PARE_OK;
    pare_extent *grown =
        pare_vector_grow(to_these->items, to_these->n, &to_these->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    to_these->items = grown;
    grown[to_these->n++] = (pare_extent){from, to};
    return PARE_OK;
}

/* Reads a number at *at; false: there is no digit.  A number too large for a text
 * becomes one that is larger than any text, so it cannot wrap around to a small one. */
static bool read_number(const char **at, const char *end, size_t *number)
{
    enum { TEN = 10 };
    while (*at < end && **at == ' ')
        ++*at;
    const char *from = *at;
    *number = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at)
        *number =
            *number > SIZE_MAX / (2 * TEN) ? SIZE_MAX / 2 : *number * TEN + (size_t)(**at - '0');
    return *at > from;
}

/* Notes what line at .. end-1 of the report says.
 * "b 10 25" is a stretch of fifteen bytes, "+ 7" says that line 7 was executed; a line
 * with another letter, or without its numbers, is passed over. */
static pare_status read_line(struct reading *reading, const char *at, const char *end,
                             pare_error *err)
{
    size_t first, second;
    const char kind = at < end ? *at++ : '\0';
    if (!kind || !strchr("b-=+", kind) || !read_number(&at, end, &first)) return PARE_OK;
    if (kind == 'b' || kind == '-') {
        if (!read_number(&at, end, &second)) return PARE_OK;
        return add(reading, kind == 'b' ? &reading->unreached : &reading->executed, first, second,
                   err);
    }
    /* Lines count from 1; what is behind the last one is about another file, or made
     * up. */
    if (!first || first > reading->n_lines) return PARE_OK;
    reading->marks[first] |= kind == '+' ? EXECUTED : HAS_CODE;
    reading->any_executed = reading->any_executed || kind == '+';
    reading->any_code = reading->any_code || kind == '=';
    return PARE_OK;
}

/* One mark for each line, counted from 1. The last line may have no line end. */
static pare_status make_marks(struct reading *reading, pare_error *err)
{
    reading->n_lines = 1;
    for (size_t i = 0; i < reading->text_bytes; i++)
        reading->n_lines += reading->text[i] == '\n';
    reading->marks = pare_alloc_zero(reading->n_lines + 1, 1);
    return reading->marks ? PARE_OK : pare_fail_nomem(err);
}

/* Whether there is anything but white space in bytes from .. to-1. */
static bool is_blank(const struct reading *reading, size_t from, size_t to)
{
    while (from < to && strchr(" \t\r\n\f\v", reading->text[from]) && reading->text[from])
        from++;
    return from == to;
}

/* From marks to stretches.  `from` is where the open one begins; SIZE_MAX: none is
 * open.
 * Of lines 1 to 6, where 2 and 5 have code, 1 and 6 were executed, and 3 and 4 are
 * comments, lines 2 to 5 are one stretch. */
static pare_status add_lines(struct reading *reading, pare_error *err)
{
    size_t from = SIZE_MAX, begin = 0;
    pare_status status = PARE_OK;
    for (size_t line = 1; !status && line <= reading->n_lines; line++) {
        const unsigned char *rest = reading->text + begin;
        const unsigned char *feed =
            begin < reading->text_bytes ? memchr(rest, '\n', reading->text_bytes - begin) : NULL;
        const size_t next = feed ? begin + (size_t)(feed - rest) + 1 : reading->text_bytes;
        const unsigned char marks = reading->marks[line];
        /* Where no line is said to have code, each may have some that is not blank. */
        bool code = marks & HAS_CODE || (!reading->any_code && !is_blank(reading, begin, next));
        if (marks & EXECUTED) {
            if (from != SIZE_MAX) status = add(reading, &reading->unreached, from, begin, err);
            from = SIZE_MAX;
        } else if (code && from == SIZE_MAX) {
            from = begin;
        }
        begin = next;
    }
    /* The last stretch goes to the end of the text. */
    if (!status && from != SIZE_MAX)
        status = add(reading, &reading->unreached, from, reading->text_bytes, err);
    return status;
}

/* For qsort: by where they begin. */
static int by_place(const void *a, const void *b)
{
    const pare_extent *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

/* Takes out the stretches that were executed after all; both lists are sorted.  One
 * is taken back with its own bounds, so what only overlaps it changes nothing. */
static void take_back(struct stretches *unreached, const struct stretches *executed)
{
    size_t kept = 0, k = 0;
    for (size_t i = 0; i < unreached->n; i++) {
        while (k < executed->n && by_place(&executed->items[k], &unreached->items[i]) < 0)
            k++;
        if (k == executed->n || by_place(&executed->items[k], &unreached->items[i]) != 0)
            unreached->items[kept++] = unreached->items[i];
    }
    unreached->n = kept;
}

/* Makes one stretch of those that overlap or touch, as of a function that was not
 * called and what is in it: 10..40, 15..20 and 40..50 become 10..50.
 * The result takes the memory of `sorted`, in which it is written; it is never longer. */
static void unite(const struct stretches *sorted, pare_reach *reach)
{
    size_t made = 0;
    reach->unreached = sorted->items;
    for (size_t i = 0; i < sorted->n; i++) {
        pare_extent next = sorted->items[i];
        pare_extent *last = made ? &reach->unreached[made - 1] : NULL;
        if (last && next.from <= last->to)
            last->to = next.to > last->to ? next.to : last->to;
        else
            reach->unreached[made++] = next;
    }
    reach->n = made;
    for (size_t i = 0; i < made; i++)
        reach->bytes += reach->unreached[i].to - reach->unreached[i].from;
}

static void sort(struct stretches *stretches)
{
    if (stretches->n) qsort(stretches->items, stretches->n, sizeof *stretches->items, by_place);
}

/* A report of lines in which none was executed is of an interpreter that refused the
 * script: its lines say nothing then.
 * Stretches are sorted and united only once, at the end, since a report has them in any
 * order. */
pare_status pare_reach_report_read(const char *report, size_t size, const unsigned char *text,
                                   size_t text_bytes, pare_reach *out, pare_error *err)
{
    struct reading reading = {.text = text, .text_bytes = text_bytes};
    *out = (pare_reach){.n = 0};
    pare_status status = make_marks(&reading, err);
    for (const char *at = report, *end = report + size; !status && at < end;) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        status = read_line(&reading, at, feed ? feed : end, err);
        at = feed ? feed + 1 : end;
    }
    out->by_line = reading.any_executed;
    if (!status && out->by_line) status = add_lines(&reading, err);
    pare_alloc_free(reading.marks);
    if (!status) {
        sort(&reading.unreached);
        sort(&reading.executed);
        take_back(&reading.unreached, &reading.executed);
        unite(&reading.unreached, out);
        assert(out->bytes <= text_bytes);
    } else {
        pare_alloc_free(reading.unreached.items);
    }
    pare_alloc_free(reading.executed.items);
    return status;
}

/* A reach that was never read may be ended, too. */
void pare_reach_report_done(pare_reach *reach)
{
    pare_alloc_free(reach->unreached);
    *reach = (pare_reach){.n = 0};
}
