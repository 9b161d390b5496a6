/* Several readings of one text as one: that which is trusted more stays, and of the others what
 * fits in between.
 *
 * Two spans cross if each has a line that the other has not, and they share one.  Both readings
 * are in the order of their first lines, so one walk over both finds for each span of the second
 * the innermost one of the first around its first line (a stack) and, by a second walk over their
 * last lines, whether one of the first begins within it and ends after it.
 * Invariant: pare_block_spans_check.
 * Source: ours.  The order of trust is measured, see docs/design/structure.md. */
#include "reduce/structure/block_spans.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/vector.h"

void pare_block_spans_done(pare_block_spans *spans)
{
    pare_alloc_free(spans->items);
    *spans = (pare_block_spans){.n = 0};
}

pare_status pare_block_spans_open(pare_block_spans *spans, uint32_t line, bool middle,
                                  size_t *place, pare_error *err)
{
    pare_block_span *items =
        pare_vector_grow(spans->items, spans->n, &spans->capacity, sizeof *items);
    if (!items) return pare_fail_nomem(err);
    spans->items = items;
    *place = spans->n;
    items[spans->n++] = (pare_block_span){.first = line, .middle = middle};
    return PARE_OK;
}

void pare_block_spans_close(pare_block_spans *spans, size_t place, uint32_t last, bool closes)
{
    assert(place < spans->n);
    pare_block_span *span = &spans->items[place];
    if (last <= span->first) return;
    span->last = last;
    span->closes = closes;
}

/* Drops spans that were never closed, and of those that begin in one line keeps the largest,
 * whichever was opened first. In place, O(n).
 *
 * f(a, {       "(" and "{" open in one line: two spans that begin there;
 *   b          the one of "(", which ends last, stays
 * }
 * ) */
void pare_block_spans_settle(pare_block_spans *spans)
{
    size_t n = 0;
    for (size_t i = 0; i < spans->n; i++) {
        const pare_block_span span = spans->items[i];
        if (!span.last) continue;
        if (n && spans->items[n - 1].first == span.first) {
            if (spans->items[n - 1].last < span.last) spans->items[n - 1] = span;
            continue;
        }
        spans->items[n++] = span;
    }
    spans->n = n;
}

/* The spans of one reading that are open at a line: indices, the innermost last. */
struct stack {
    size_t *items; /* owned */
    size_t n, capacity;
};

/* Errors: PARE_E_NOMEM. */
static pare_status push(struct stack *stack, size_t item, pare_error *err)
{
    size_t *items = pare_vector_grow(stack->items, stack->n, &stack->capacity, sizeof *items);
    if (!items) return pare_fail_nomem(err);
    stack->items = items;
    stack->items[stack->n++] = item;
    return PARE_OK;
}

/* Takes off what ends before `line`. */
static void leave(struct stack *stack, const pare_block_spans *spans, uint32_t line)
{
    while (stack->n && spans->items[stack->items[stack->n - 1]].last < line)
        stack->n--;
}

/* Whether `span` crosses one of those on the stack, all of which have its first line: one that
 * began before it and ends within it. */
static bool crosses_open(const struct stack *stack, const pare_block_spans *spans,
                         const pare_block_span *span)
{
    /* From the inside out, last lines do not fall: the first that reaches far enough ends it. */
    for (size_t i = stack->n; i-- > 0;) {
        const pare_block_span *open = &spans->items[stack->items[i]];
        if (open->last >= span->last) return false;
        if (open->first < span->first) return true;
    }
    return false;
}

/* Whether one of `spans` from `from` on begins within `span` and ends after it; of those within it
 * only the outermost are looked at, since `after` leads over what is in them. */
static bool crosses_later(const pare_block_spans *spans, size_t from, const uint32_t *after,
                          const pare_block_span *span)
{
    for (size_t i = from; i < spans->n && spans->items[i].first <= span->last; i = after[i])
        if (spans->items[i].last > span->last && spans->items[i].first > span->first) return true;
    return false;
}

/* Finds for each span the index of the first later one that is not within it. */
static pare_status find_after(const pare_block_spans *spans, uint32_t *after, pare_error *err)
{
    struct stack open = {.n = 0};
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < spans->n; i++) {
        while (open.n && spans->items[open.items[open.n - 1]].last < spans->items[i].first)
            after[open.items[--open.n]] = (uint32_t)i;
        status = push(&open, i, err);
    }
    while (open.n)
        after[open.items[--open.n]] = (uint32_t)spans->n;
    pare_alloc_free(open.items);
    return status;
}

/* Writes both to `out` in their order, of the second those that fit; of two with one first line
 * only the larger, of equal ones the first's. `out` has room for all. */
static void interleave(const pare_block_spans *a, const pare_block_spans *b, const bool *fits,
                       pare_block_spans *out)
{
    size_t i = 0, j = 0;
    while (i < a->n || j < b->n) {
        if (j < b->n && !fits[j]) {
            j++;
            continue;
        }
        bool first = i < a->n && (j == b->n || a->items[i].first <= b->items[j].first);
        if (first && j < b->n && a->items[i].first == b->items[j].first) {
            first = a->items[i].last >= b->items[j].last;
            out->items[out->n++] = first ? a->items[i] : b->items[j];
            i++, j++;
            continue;
        }
        out->items[out->n++] = first ? a->items[i++] : b->items[j++];
    }
}

/* Sets fits[j] for each of `more` that crosses none of `spans`. `open` holds those of `spans` that
 * have the line at hand, so each is put there and taken off once. */
static pare_status filter(const pare_block_spans *spans, const pare_block_spans *more,
                          const uint32_t *after, bool *fits, pare_error *err)
{
    struct stack open = {.n = 0};
    pare_status status = PARE_OK;
    size_t at = 0;
    for (size_t j = 0; !status && j < more->n; j++) {
        const pare_block_span *span = &more->items[j];
        for (; !status && at < spans->n && spans->items[at].first <= span->first; at++) {
            leave(&open, spans, spans->items[at].first);
            status = push(&open, at, err);
        }
        leave(&open, spans, span->first);
        fits[j] = !crosses_open(&open, spans, span) && !crosses_later(spans, at, after, span);
    }
    pare_alloc_free(open.items);
    return status;
}

/* `spans` are all kept, and of `more` what crosses none of them. On an error `spans` are as they
 * were. */
pare_status pare_block_spans_merge(pare_block_spans *spans, const pare_block_spans *more,
                                   pare_error *err)
{
    pare_block_spans out = {.capacity = spans->n + more->n};
    bool *fits = pare_alloc(more->n, sizeof *fits);
    uint32_t *after = pare_alloc(spans->n, sizeof *after);
    out.items = pare_alloc(out.capacity, sizeof *out.items);
    pare_status status = fits && after && out.items ? PARE_OK : pare_fail_nomem(err);
    if (!status) status = find_after(spans, after, err);
    if (!status) status = filter(spans, more, after, fits, err);
    if (!status) {
        interleave(spans, more, fits, &out);
        pare_alloc_free(spans->items);
        *spans = out;
        out = (pare_block_spans){.n = 0};
    }
    pare_alloc_free(out.items);
    pare_alloc_free(fits);
    pare_alloc_free(after);
    assert(status || spans->n <= spans->capacity);
    return status;
}

/* By all pairs: it is for small tests. */
bool pare_block_spans_check(const pare_block_spans *spans)
{
    for (size_t i = 0; i < spans->n; i++) {
        const pare_block_span *a = &spans->items[i];
        if (a->last <= a->first) return false;
        for (size_t j = i + 1; j < spans->n; j++) {
            const pare_block_span *b = &spans->items[j];
            if (b->first <= a->first) return false;
            if (b->first <= a->last && b->last > a->last) return false;
        }
    }
    return true;
}
