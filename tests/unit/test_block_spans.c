/* How two readings of a text become one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "reduce/structure/block_spans.h"
#include "unit/alloc_sweep.h"

enum { N_LINES = 14 };

static void add(pare_block_spans *spans, uint32_t first, uint32_t last)
{
    size_t place;
    assert_int_equal(pare_block_spans_open(spans, first, false, &place, NULL), PARE_OK);
    pare_block_spans_close(spans, place, last, true);
}

static bool crosses(const pare_block_span *a, const pare_block_span *b)
{
    bool before = a->first < b->first && a->last < b->last && b->first <= a->last;
    bool after = b->first < a->first && b->last < a->last && a->first <= b->last;
    return before || after;
}

/* Spans that do not cross: each is drawn, and dropped if it would. */
static void draw(pare_random *random, pare_block_spans *spans)
{
    pare_block_span drawn[N_LINES];
    size_t n = 0;
    for (uint32_t first = 0; first + 1 < N_LINES; first++) {
        uint32_t last = first + 1 + (uint32_t)pare_random_below(random, N_LINES - first - 1);
        pare_block_span span = {.first = first, .last = last};
        bool fits = pare_random_below(random, 2);
        for (size_t i = 0; fits && i < n; i++)
            fits = !crosses(&drawn[i], &span);
        if (fits) add(spans, first, last);
        if (fits) drawn[n++] = span;
    }
    pare_block_spans_settle(spans);
}

static const pare_block_span *at_line(const pare_block_spans *spans, uint32_t first)
{
    for (size_t i = 0; i < spans->n; i++)
        if (spans->items[i].first == first) return &spans->items[i];
    return NULL;
}

/* What should stand in `first`, by all pairs: 0: nothing, else the last line. */
static uint32_t expected(const pare_block_spans *a, const pare_block_spans *b, uint32_t first)
{
    const pare_block_span *mine = at_line(a, first), *other = at_line(b, first);
    for (size_t i = 0; other && i < a->n; i++)
        if (crosses(&a->items[i], other)) other = NULL;
    if (!other) return mine ? mine->last : 0;
    return mine && mine->last > other->last ? mine->last : other->last;
}

static void test_block_spans__merge_as_a_slow_reference_does(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 5);
    for (unsigned round = 0; round < 3000; round++) {
        pare_block_spans a = {.n = 0}, b = {.n = 0}, merged = {.n = 0};
        draw(&random, &a);
        draw(&random, &b);
        for (size_t i = 0; i < a.n; i++)
            add(&merged, a.items[i].first, a.items[i].last);
        assert_int_equal(pare_block_spans_merge(&merged, &b, NULL), PARE_OK);
        assert_true(pare_block_spans_check(&merged));
        for (uint32_t line = 0; line < N_LINES; line++) {
            const pare_block_span *got = at_line(&merged, line);
            assert_int_equal(got ? got->last : 0, expected(&a, &b, line));
        }
        pare_block_spans_done(&a);
        pare_block_spans_done(&b);
        pare_block_spans_done(&merged);
    }
}

static void test_block_spans__settle_keeps_the_larger_of_one_line(void **state)
{
    (void)state;
    pare_block_spans spans = {.n = 0};
    size_t never;
    add(&spans, 1, 3);
    add(&spans, 1, 9);
    assert_int_equal(pare_block_spans_open(&spans, 2, false, &never, NULL), PARE_OK);
    add(&spans, 4, 4);
    pare_block_spans_settle(&spans);
    assert_int_equal(spans.n, 1);
    assert_int_equal(spans.items[0].last, 9);
    pare_block_spans_done(&spans);
}

static pare_status merge_two(void *context)
{
    pare_block_spans a = {.n = 0}, b = {.n = 0};
    size_t place;
    (void)context;
    pare_status status = pare_block_spans_open(&a, 0, false, &place, NULL);
    if (!status) pare_block_spans_close(&a, place, 5, true);
    if (!status) status = pare_block_spans_open(&b, 1, false, &place, NULL);
    if (!status) pare_block_spans_close(&b, place, 2, true);
    if (!status) status = pare_block_spans_merge(&a, &b, NULL);
    pare_block_spans_done(&a);
    pare_block_spans_done(&b);
    return status;
}

static void test_block_spans__survive_running_out_of_memory(void **state)
{
    (void)state;
    sweep_allocations(merge_two, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_spans__merge_as_a_slow_reference_does),
        cmocka_unit_test(test_block_spans__settle_keeps_the_larger_of_one_line),
        cmocka_unit_test(test_block_spans__survive_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
