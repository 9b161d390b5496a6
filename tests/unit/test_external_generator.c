/* Generators that are other programs: helpers/random_program, by its randomness. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the four above. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "alloc_sweep.h"
#include "base/alloc.h"
#include "session/test/external_generator.h"

static char command[512];

static pare_external_generator *open_one(void)
{
    pare_external_generator *foreign = NULL;
    const pare_external_generator_options options = {.command = command};
    assert_int_equal(pare_external_generator_open(&options, &foreign, NULL), PARE_OK);
    return foreign;
}

static void test_external_generator__its_record_is_that_of_a_generator(void **state)
{
    (void)state;
    pare_external_generator *foreign = open_one();
    pare_buffer text = {0}, again = {0};
    pare_choices choices = {0};
    uint64_t *list = NULL;
    size_t n = 0;
    assert_int_equal(pare_external_generator_record(foreign, &text, &list, &n, NULL), PARE_OK);
    pare_generator generator = pare_external_generator_as_generator(foreign, NULL, 0);
    pare_choices_replay(&choices, list, n);
    assert_int_equal(generator.run(generator.self, &choices, &again, NULL), PARE_OK);
    assert_int_equal(again.size, text.size);
    assert_memory_equal(again.data, text.data, text.size);
    assert_true(pare_choices_record_check(&choices.record));
    assert_int_equal(choices.record.n, n);
    bool equal_labels = false, nested = false;
    for (size_t i = 1; i < choices.record.n_spans; i++) {
        const pare_choice_span *span = &choices.record.spans[i];
        nested = nested || span->parent != PARE_NO_SPAN;
        for (size_t k = 0; k < i; k++)
            equal_labels = equal_labels || choices.record.spans[k].label == span->label;
    }
    assert_true(nested);
    assert_true(equal_labels); /* statements, say */
    pare_alloc_free(list);
    pare_choices_done(&choices);
    pare_buffer_done(&text);
    pare_buffer_done(&again);
    pare_external_generator_free(foreign);
}

static void test_external_generator__a_list_that_ends_too_early_makes_nothing(void **state)
{
    (void)state;
    const uint64_t list[] = {1, 2};
    pare_external_generator *foreign = open_one();
    pare_buffer text = {0};
    pare_choices choices = {0};
    pare_generator generator = pare_external_generator_as_generator(foreign, NULL, 0);
    for (unsigned k = 0; k < 2; k++) { /* run, and remembered */
        pare_choices_replay(&choices, list, 2);
        assert_int_equal(generator.run(generator.self, &choices, &text, NULL), PARE_E_STATE);
        assert_int_equal(text.size, 0);
        assert_int_equal(choices.record.n, 2);
    }
    assert_false(generator.stopped(generator.self));
    generator = pare_external_generator_as_generator(foreign, NULL, 1);
    assert_true(generator.stopped(generator.self));
    pare_choices_done(&choices);
    pare_buffer_done(&text);
    pare_external_generator_free(foreign);
}

static pare_status attempt(void *context)
{
    (void)context;
    pare_external_generator *foreign = NULL;
    pare_buffer text = {0};
    pare_choices choices = {0};
    uint64_t *list = NULL;
    size_t n = 0;
    const pare_external_generator_options options = {.command = command};
    pare_status status = pare_external_generator_open(&options, &foreign, NULL);
    if (!status) status = pare_external_generator_record(foreign, &text, &list, &n, NULL);
    if (!status) {
        pare_generator generator = pare_external_generator_as_generator(foreign, NULL, 0);
        pare_choices_replay(&choices, list, n);
        status = generator.run(generator.self, &choices, &text, NULL);
    }
    pare_alloc_free(list);
    pare_choices_done(&choices);
    pare_buffer_done(&text);
    pare_external_generator_free(foreign);
    return status;
}

static void test_external_generator__any_allocation_may_fail(void **state)
{
    (void)state;
    sweep_allocations(attempt, NULL);
}

int main(void)
{
    const char *helpers = getenv("PARE_HELPERS");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_external_generator__its_record_is_that_of_a_generator),
        cmocka_unit_test(test_external_generator__a_list_that_ends_too_early_makes_nothing),
        cmocka_unit_test(test_external_generator__any_allocation_may_fail),
    };
    if (!helpers) {
        puts("PARE_HELPERS is not set");
        return 77;
    }
    (void)snprintf(command, sizeof command, "%s/random_program rand 27", helpers);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
