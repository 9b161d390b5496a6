/* What texts are made by: options that do not go together are refused. */
/* tests: src/generate/generator_setup.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <pare/generate.h>

#include "generate/generator_setup.h"
#include "unit/support/scratch.h"

static const char lists[] = "grammar L; l: '[' (e (',' e)*)? ']'; e: N | l; N: [0-9]+;";
static const char *const grammar[] = {"L.g4"};

static int set_up(void **state)
{
    int failed = scratch_setup(state);
    if (!failed) scratch_write("L.g4", lists, 0644);
    return failed;
}

static void test_generator_setup__refuses_options_that_do_not_go_together(void **state)
{
    (void)state;
    static const char *const population[] = {"L.g4"};
    static const struct {
        pare_generate_options options;
        const char *says;
    } cases[] = {
        {{.n_grammars = 0}, "a grammar is needed"},
        {{.grammars = grammar, .n_grammars = 1, .cooldown = 2}, "cooldown"},
        {{.grammars = grammar, .n_grammars = 1, .unusual = -1}, "unusual"},
        {{.grammars = grammar, .n_grammars = 1, .fuzzer = "none"}, "unknown fuzzer 'none'"},
        {{.fuzzer = "mutation"}, "needs a population"},
        {{.fuzzer = "random", .n_population = 1, .population = population}, "population"},
        {{.fuzzer = "random", .max_tokens = 3}, "limit of tokens"},
        {{.fuzzer = "random", .min_length = 3}, "a lower bound of a length, 3, needs an upper one"},
        {{.fuzzer = "random", .hooks = "L.g4"}, "hooks are for"},
        {{.grammars = grammar, .n_grammars = 1, .language = "json"}, "exclude each other"},
        {{.grammars = grammar, .n_grammars = 1, .start = "none"}, "none"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_generator_setup setup;
        pare_error err = {0};
        pare_status status = pare_generator_setup_init(&setup, &cases[i].options, &err);
        if (status != PARE_E_ARG || !strstr(err.message, cases[i].says))
            fail_msg("case %zu: %s: %s", i, pare_status_name(status), err.message);
        pare_generator_setup_done(&setup);
    }
}

static void test_generator_setup__makes_as_many_makers_as_are_asked_for(void **state)
{
    (void)state;
    const pare_generate_options options = {.grammars = grammar, .n_grammars = 1};
    pare_generator_setup setup;
    pare_text_maker makers[2];
    pare_batch batches[2] = {{0}, {0}};
    assert_int_equal(pare_generator_setup_init(&setup, &options, NULL), PARE_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pare_generator_setup_maker_init(&makers[i], &setup, NULL), PARE_OK);
        assert_int_equal(pare_batch_make(&makers[i].batches, 0, 3, 0, &batches[i], NULL), PARE_OK);
    }
    assert_string_equal(batches[0].bytes.data, batches[1].bytes.data);
    for (int i = 0; i < 2; i++) {
        pare_batch_done(&batches[i]);
        pare_generator_setup_maker_done(&makers[i]);
    }
    pare_generator_setup_done(&setup);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generator_setup__refuses_options_that_do_not_go_together),
        cmocka_unit_test(test_generator_setup__makes_as_many_makers_as_are_asked_for),
    };
    return cmocka_run_group_tests(tests, set_up, scratch_teardown);
}
