/* pare_generate: the same texts by any number of threads, each once. */
/* tests: src/generate/generation.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <pare/generate.h>

#include "base/buffer.h"
#include "unit/support/scratch.h"

static const char lists[] = "grammar L; l: '[' (e (',' e)*)? ']'; e: N | l; N: [0-9]+;";
static const char *const grammar[] = {"L.g4"};

/* A pare_generate_sink; the context is a buffer. */
static pare_status collect(void *context, uint64_t number, const char *text, size_t size,
                           pare_error *err)
{
    pare_status status = pare_buffer_format(context, err, "%u ", (unsigned)number);
    if (!status) status = pare_buffer_add(context, text, size, err);
    return status ? status : pare_buffer_text(context, "\n", err);
}

static int set_up(void **state)
{
    int failed = scratch_setup(state);
    if (!failed) scratch_write("L.g4", lists, 0644);
    if (!failed) scratch_write("bit.json", "{\"<start>\": [\"0\", \"1\"]}", 0644);
    return failed;
}

static void test_generation__threads_make_the_same_texts_in_the_same_order(void **state)
{
    (void)state;
    pare_buffer alone = {0};
    for (unsigned jobs = 1; jobs <= 5; jobs += 2) {
        pare_buffer texts = {0};
        pare_generated generated;
        pare_generate_options options = {
            .grammars = grammar, .n_grammars = 1, .n = 700, .seed = 9, .jobs = jobs};
        assert_int_equal(pare_generate(&options, collect, &texts, &generated, NULL), PARE_OK);
        assert_int_equal(generated.n, 700);
        if (!alone.size) {
            alone = texts;
            continue;
        }
        assert_string_equal(texts.data, alone.data);
        pare_buffer_done(&texts);
    }
    pare_buffer_done(&alone);
}

static void test_generation__a_text_is_made_once_until_there_is_no_other(void **state)
{
    (void)state;
    static const char *const bit[] = {"bit.json"};
    pare_buffer texts = {0};
    pare_generated generated;
    pare_generate_options options = {.grammars = bit, .n_grammars = 1, .n = 10, .jobs = 1};
    assert_int_equal(pare_generate(&options, collect, &texts, &generated, NULL), PARE_OK);
    assert_true(generated.exhausted);
    assert_int_equal(generated.n, 2);
    assert_int_equal(generated.n_covered, 2);
    pare_buffer_reset(&texts);
    options.repeats = true;
    assert_int_equal(pare_generate(&options, collect, &texts, &generated, NULL), PARE_OK);
    assert_int_equal(generated.n, 10);
    pare_buffer_done(&texts);
}

/* A pare_generate_sink that has enough after three texts. */
static pare_status stop_early(void *context, uint64_t number, const char *text, size_t size,
                              pare_error *err)
{
    unsigned *n = context;
    (void)number, (void)text, (void)size;
    return ++*n == 3 ? pare_fail(err, PARE_E_INTERRUPTED, "that is enough") : PARE_OK;
}

static void test_generation__ends_with_what_the_sink_says(void **state)
{
    (void)state;
    for (unsigned jobs = 1; jobs <= 3; jobs += 2) {
        unsigned n = 0;
        pare_generated generated;
        pare_error err = {0};
        pare_generate_options options = {
            .grammars = grammar, .n_grammars = 1, .n = 500, .jobs = jobs};
        assert_int_equal(pare_generate(&options, stop_early, &n, &generated, &err),
                         PARE_E_INTERRUPTED);
        assert_int_equal(n, 3);
        assert_string_equal(err.message, "that is enough");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generation__threads_make_the_same_texts_in_the_same_order),
        cmocka_unit_test(test_generation__a_text_is_made_once_until_there_is_no_other),
        cmocka_unit_test(test_generation__ends_with_what_the_sink_says),
    };
    return cmocka_run_group_tests(tests, set_up, scratch_teardown);
}
