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

/* Text `number` of a run of many, alone. */
static void make_only(uint64_t number, pare_generate_options options, pare_buffer *text)
{
    pare_generated generated;
    pare_buffer_reset(text);
    options.first = number;
    options.n = number + 1;
    assert_int_equal(pare_generate(&options, collect, text, &generated, NULL), PARE_OK);
    assert_int_equal(generated.n, 1);
}

/* The text after the first blank of a line of `collect`. */
static const char *after_number(const pare_buffer *line)
{
    return strchr(line->data, ' ') + 1;
}

static void test_generation__one_text_of_many_is_told_by_its_choices(void **state)
{
    (void)state;
    static const pare_generate_options many = {
        .grammars = grammar, .n_grammars = 1, .n = 300, .seed = 9};
    pare_buffer texts = {0}, only = {0}, again = {0};
    pare_generated generated;
    assert_int_equal(pare_generate(&many, collect, &texts, &generated, NULL), PARE_OK);
    const char *line = texts.data;
    for (uint64_t number = 0; number < 300; number += 23) {
        pare_generate_options recorded = many;
        recorded.record = "list.choices";
        make_only(number, recorded, &only);
        line = strstr(texts.data, only.data);
        assert_non_null(line);
        const pare_generate_options replayed = {
            .grammars = grammar, .n_grammars = 1, .seed = 1, .replay = "list.choices"};
        pare_buffer_reset(&again);
        assert_int_equal(pare_generate(&replayed, collect, &again, &generated, NULL), PARE_OK);
        assert_string_equal(after_number(&again), after_number(&only));
    }
    pare_buffer_done(&texts);
    pare_buffer_done(&only);
    pare_buffer_done(&again);
}

static pare_status make(pare_generate_options options)
{
    pare_buffer texts = {0};
    pare_generated generated;
    options.grammars = grammar;
    options.n_grammars = 1;
    pare_status status = pare_generate(&options, collect, &texts, &generated, NULL);
    pare_buffer_done(&texts);
    return status;
}

static void test_generation__choices_are_of_one_text(void **state)
{
    (void)state;
    scratch_write("short.choices", "pare choices 1\n", 0644);
    scratch_write("wrong.choices", "1\n", 0644);
    assert_int_equal(make((pare_generate_options){.n = 2, .record = "l"}), PARE_E_ARG);
    assert_int_equal(make((pare_generate_options){.n = 2, .first = 2}), PARE_E_ARG);
    assert_int_equal(make((pare_generate_options){.record = "l", .unseeded = true}), PARE_E_ARG);
    assert_int_equal(make((pare_generate_options){.n = 2, .replay = "short.choices"}), PARE_E_ARG);
    assert_int_equal(make((pare_generate_options){.replay = "short.choices"}), PARE_E_STATE);
    assert_int_equal(make((pare_generate_options){.replay = "wrong.choices"}), PARE_E_SYNTAX);
    assert_int_equal(make((pare_generate_options){.replay = "none.choices"}), PARE_E_IO);
}

/* With a cooldown it depends on those before it. */
static void test_generation__a_text_without_choices_of_its_own_is_refused(void **state)
{
    (void)state;
    size_t n_refused = 0;
    for (uint64_t number = 0; number < 40; number++) {
        pare_status status = make((pare_generate_options){
            .first = number, .n = number + 1, .record = "l", .cooldown = 0.01});
        assert_true(status == PARE_OK || status == PARE_E_STATE);
        n_refused += status == PARE_E_STATE;
    }
    assert_true(n_refused > 0);
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
        cmocka_unit_test(test_generation__one_text_of_many_is_told_by_its_choices),
        cmocka_unit_test(test_generation__choices_are_of_one_text),
        cmocka_unit_test(test_generation__a_text_without_choices_of_its_own_is_refused),
        cmocka_unit_test(test_generation__ends_with_what_the_sink_says),
    };
    return cmocka_run_group_tests(tests, set_up, scratch_teardown);
}
