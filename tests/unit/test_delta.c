/* What a delta makes of the old text is the new one, and it is small where little has changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "alloc_sweep.h"
#include "base/random.h"
#include "text/delta.h"

static pare_span span_of(const pare_buffer *buffer)
{
    return (pare_span){(const unsigned char *)buffer->data, buffer->size};
}

/* The size of the delta; that it makes the new text is asserted. */
static size_t size_between(pare_span old, pare_span fresh)
{
    pare_buffer delta = {0}, made = {0};
    assert_int_equal(pare_delta_make(old, fresh, &delta, NULL), PARE_OK);
    assert_int_equal(pare_delta_apply(span_of(&delta), old, fresh.size, &made, NULL), PARE_OK);
    assert_int_equal(made.size, fresh.size);
    if (fresh.size) assert_memory_equal(made.data, fresh.bytes, fresh.size);
    const size_t size = delta.size;
    pare_buffer_done(&delta);
    pare_buffer_done(&made);
    return size;
}

static size_t size_of_words(const char *old, const char *fresh)
{
    return size_between((pare_span){(const unsigned char *)old, strlen(old)},
                        (pare_span){(const unsigned char *)fresh, strlen(fresh)});
}

static void test_delta__makes_one_text_of_another(void **state)
{
    (void)state;
    static const char *const texts[] = {"",
                                        "a",
                                        "ab",
                                        "ba",
                                        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                                        "int main(void) { return 0; }",
                                        "int main() { return; }",
                                        "{ return 0; } int main(void)"};
    enum { N = sizeof texts / sizeof *texts };
    for (size_t i = 0; i < N; i++)
        for (size_t k = 0; k < N; k++)
            (void)size_of_words(texts[i], texts[k]);
}

/* A text of `n` lines that differ. */
static void add_lines(pare_buffer *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_int_equal(
            pare_buffer_format(text, NULL, "    call_%zu(argument, %zu);\n", i * 7919 % n, i),
            PARE_OK);
}

static void test_delta__of_deletions_takes_some_bytes_each(void **state)
{
    (void)state;
    pare_buffer text = {0}, less = {0};
    pare_random random;
    pare_random_init(&random, 1);
    add_lines(&text, 3000);
    const pare_span old = span_of(&text);
    for (size_t n = 1; n <= 64; n *= 4) {
        /* n stretches of 100 bytes go, evenly. */
        const size_t each = old.size / n;
        pare_buffer_reset(&less);
        for (size_t k = 0; k < n; k++) {
            const size_t gone = pare_random_below(&random, each - 200);
            const size_t from = k * each;
            assert_int_equal(pare_buffer_add(&less, old.bytes + from, gone, NULL), PARE_OK);
            assert_int_equal(
                pare_buffer_add(&less, old.bytes + from + gone + 100, each - gone - 100, NULL),
                PARE_OK);
        }
        assert_true(size_between(old, span_of(&less)) <= 40 * n + 16);
    }
    pare_buffer_done(&text);
    pare_buffer_done(&less);
}

static void test_delta__finds_what_has_moved(void **state)
{
    (void)state;
    pare_buffer text = {0}, turned = {0};
    add_lines(&text, 1000);
    const size_t half = text.size / 2;
    assert_int_equal(pare_buffer_add(&turned, text.data + half, text.size - half, NULL), PARE_OK);
    assert_int_equal(pare_buffer_add(&turned, text.data, half, NULL), PARE_OK);
    assert_true(size_between(span_of(&text), span_of(&turned)) < 100);
    pare_buffer_done(&text);
    pare_buffer_done(&turned);
}

static void test_delta__of_random_changes_makes_the_text_and_is_no_larger(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 2);
    for (int round = 0; round < 400; round++) {
        unsigned char old[600], fresh[600];
        const size_t n_old = pare_random_below(&random, sizeof old);
        const unsigned letters = 1 + (unsigned)pare_random_below(&random, 4);
        for (size_t i = 0; i < n_old; i++)
            old[i] = (unsigned char)('a' + pare_random_below(&random, letters));
        size_t n = 0;
        for (size_t i = 0; i < n_old && n < sizeof fresh; i++) {
            const uint64_t what = pare_random_below(&random, 30);
            if (what == 0) i += pare_random_below(&random, 50);
            if (what == 1) i -= pare_random_below(&random, i + 1);
            if (i < n_old) fresh[n++] = what == 2 ? 'x' : old[i];
        }
        assert_true(size_between((pare_span){old, n_old}, (pare_span){fresh, n}) <= n + n / 2 + 16);
    }
}

static void test_delta__that_is_none_of_the_text_is_refused(void **state)
{
    (void)state;
    const pare_span old = {(const unsigned char *)"0123456789", 10};
    static const struct {
        const char *bytes;
        size_t size, most;
    } wrong[] = {{"\x00\x0b\x00", 3, 100}, /* beyond the end */
                 {"\x01\x01\x00", 3, 100}, /* before the beginning */
                 {"\x16\x00\x00", 3, 100}, /* begins after the end */
                 {"\x00\x05", 2, 100},     /* cut */
                 {"\x00\x00\x05"
                  "ab",
                  5, 100},               /* cut within what is new */
                 {"\x00\x0a\x00", 3, 9}, /* too much */
                 {"\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00", 12, 100}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        pare_buffer made = {0};
        const pare_span delta = {(const unsigned char *)wrong[k].bytes, wrong[k].size};
        assert_int_equal(pare_delta_apply(delta, old, wrong[k].most, &made, NULL), PARE_E_CORRUPT);
        pare_buffer_done(&made);
    }
}

static pare_status attempt(void *context)
{
    const pare_buffer *texts = context;
    pare_buffer delta = {0}, made = {0};
    pare_status status = pare_delta_make(span_of(&texts[0]), span_of(&texts[1]), &delta, NULL);
    if (status)
        assert_int_equal(delta.size, 0);
    else
        status = pare_delta_apply(span_of(&delta), span_of(&texts[0]), SIZE_MAX, &made, NULL);
    pare_buffer_done(&delta);
    pare_buffer_done(&made);
    return status;
}

static void test_delta__reports_oom(void **state)
{
    (void)state;
    pare_buffer texts[2] = {{0}, {0}};
    add_lines(&texts[0], 60);
    assert_true(texts[0].size >= 800);
    assert_int_equal(pare_buffer_add(&texts[1], texts[0].data + 100, 300, NULL), PARE_OK);
    assert_int_equal(pare_buffer_add(&texts[1], texts[0].data + 500, 300, NULL), PARE_OK);
    sweep_allocations(attempt, texts);
    pare_buffer_done(&texts[0]);
    pare_buffer_done(&texts[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_delta__makes_one_text_of_another),
        cmocka_unit_test(test_delta__of_deletions_takes_some_bytes_each),
        cmocka_unit_test(test_delta__finds_what_has_moved),
        cmocka_unit_test(test_delta__of_random_changes_makes_the_text_and_is_no_larger),
        cmocka_unit_test(test_delta__that_is_none_of_the_text_is_refused),
        cmocka_unit_test(test_delta__reports_oom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
