/* The generators of seed 004 make what the seed prints, choice by choice.
 *
 * The records are read from PARE_SHARED (default ../shared beside the repository) where that
 * exists; the seed's three printed texts are always checked. */
/* tests: src/generate/expansion_costs.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "generate/fuzzer.h"
#include "unit/alloc_sweep.h"
#include "unit/support/assignments.h"
#include "unit/support/mersenne.h"

static const char limit_5[] = "o = (h) + r - 0 + i - f - 1 + 0 + 0 - 1 + (0) + j - 1 - f + (((0)) "
                              "+ 1) - (((w))) + (p - a + m - l + s) - b + 0 - l - 1 + 1;\n"
                              "s = ((c + (1) - ((1)) - ((0))));\n"
                              "p = 1 + 1 - (u) + e + k + 1 - 0 - l + j + t - 1 - w - (i)";
static const char complex_6[] = "b = 1 - (((00) + 00 - 0)) + 1 - 0;\n"
                                "c = (b);\n"
                                "y = (0 + (b) + 0) - (1 - ((0)));\n"
                                "d = 1;\n";
static const char choice_6[] = "e = (1) + 1 + 00 + 00 - 00 + 00 - 0 + 1;\n"
                               "f = 1 - e - 1 + 1 + e - e + e + 1 - 1 - e - e;\n"
                               "e = e;\n"
                               "c = 1;\n"
                               "d = (f + 0 + e - e + (e));\n";
static const uint8_t choices_6[] = {
    9, 1, 7, 4, 0, 0, 2, 9, 7, 5, 5, 0, 4, 7, 3, 6, 8, 8, 1, 3, 9, 8, 4, 9, 1, 6, 5, 1, 5, 6,
    4, 7, 1, 3, 4, 1, 0, 9, 3, 5, 7, 3, 8, 9, 8, 0, 5, 3, 9, 6, 4, 5, 9, 1, 1, 8, 8, 3, 1, 9,
    4, 4, 3, 6, 7, 3, 2, 9, 3, 8, 0, 3, 2, 0, 5, 8, 9, 9, 4, 5, 6, 8, 6, 4, 2, 7, 0, 2};

/* One run from a Python seed; the caller ends *text. */
static void generate(struct assignments *a, pare_choices *choices, int64_t seed, pare_buffer *text)
{
    pare_generator generator = pare_grammar_fuzzers_limit(&a->limit);
    seed_python(choices, seed);
    assert_int_equal(generator.run(generator.self, choices, text, NULL), PARE_OK);
    assert_true(pare_choices_record_check(&choices->record));
}

static void assert_generates(const char *grammar, uint32_t digits, int64_t seed, const char *wanted)
{
    struct assignments a;
    pare_choices choices = {0};
    pare_buffer text = {0};
    assignments_init(&a, grammar, digits);
    a.limit.sorted = grammar == assignments_free;
    generate(&a, &choices, seed, &text);
    assert_string_equal(text.data, wanted);
    pare_buffer_done(&text);
    pare_choices_done(&choices);
    assignments_done(&a);
}

static void test_limit__prints_the_text_of_seed_004(void **state)
{
    (void)state;
    assert_generates(assignments_free, 0, 5, limit_5);
}

static void test_complex__prints_the_text_of_seed_004(void **state)
{
    (void)state;
    assert_generates(assignments_declared, 0, 6, complex_6);
}

static void test_choice__prints_the_text_and_choices_of_seed_004(void **state)
{
    (void)state;
    struct assignments a;
    pare_choices choices = {0};
    pare_buffer text = {0};
    assignments_init(&a, assignments_declared, 10);
    generate(&a, &choices, 6, &text);
    assert_string_equal(text.data, choice_6);
    assert_int_equal(choices.record.n, sizeof choices_6);
    for (size_t i = 0; i < sizeof choices_6; i++)
        assert_int_equal(choices.record.choices[i].index, choices_6[i]);
    pare_buffer_done(&text);
    pare_choices_done(&choices);
    assignments_done(&a);
}

/* --- the records ---------------------------------------------------------------- */

static const char *text_of(const json_t *record)
{
    return json_string_value(json_object_get(record, "text"));
}

static int64_t seed_of(const json_t *record)
{
    return json_integer_value(json_object_get(record, "seed"));
}

static void compare_limit(const json_t *record)
{
    assert_generates(assignments_free, 0, seed_of(record), text_of(record));
}

static void assert_declares(const pare_hooks_names *declared, const json_t *names)
{
    assert_int_equal(declared->n_visible, json_array_size(names));
    for (size_t i = 0; i < declared->n_visible; i++) {
        const char *name = json_string_value(json_array_get(names, i));
        assert_int_equal(declared->names[i].size, strlen(name));
        assert_memory_equal(declared->texts.data + declared->names[i].offset, name, strlen(name));
    }
}

static void assert_chose(const pare_choice_record *made, const json_t *choices)
{
    if (!choices) return;
    assert_int_equal(made->n, json_array_size(choices));
    for (size_t i = 0; i < made->n; i++)
        assert_int_equal(made->choices[i].index, json_integer_value(json_array_get(choices, i)));
}

static void compare_declared(const json_t *record, uint32_t digits)
{
    struct assignments a;
    pare_choices choices = {0};
    pare_buffer text = {0};
    assignments_init(&a, assignments_declared, digits);
    generate(&a, &choices, seed_of(record), &text);
    assert_string_equal(text.data, text_of(record));
    assert_declares(&a.limit.declared, json_object_get(record, "vars"));
    assert_chose(&choices.record, json_object_get(record, "choices"));
    pare_buffer_done(&text);
    pare_choices_done(&choices);
    assignments_done(&a);
}

static void compare_complex(const json_t *record)
{
    compare_declared(record, 0);
}

static void compare_choice(const json_t *record)
{
    compare_declared(record, 10);
}

static void test_limit__prints_every_recorded_text(void **state)
{
    (void)state;
    assert_int_equal(each_choice_record("limit.jsonl", compare_limit), 40);
}

static void test_complex__prints_every_recorded_text_and_its_names(void **state)
{
    (void)state;
    assert_int_equal(each_choice_record("complex.jsonl", compare_complex), 40);
}

static void test_choice__prints_every_recorded_text_and_its_choices(void **state)
{
    (void)state;
    assert_int_equal(each_choice_record("choice.jsonl", compare_choice), 40);
}

/* --- the rest --------------------------------------------------------------------- */

static void test_expansion_costs__costs_are_those_of_seed_004(void **state)
{
    (void)state;
    struct assignments a;
    assignments_init(&a, assignments_free, 0);
    static const uint64_t wanted[] = {5, 4, 5, 3, 3, 3, 3, 2, 2};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        assert_int_equal(a.costed.expansions[i].depth, wanted[i]);
    assignments_done(&a);
}

static void test_expansion_costs__grammars_without_a_finite_text_or_of_another_form_are_told(
    void **state)
{
    (void)state;
    static const struct {
        const char *json, *message;
    } cases[] = {
        {"{'<start>': ['x<a>', ''], '<a>': ['<a>']}", "rule '<a>' has no finite text"},
        {"{'<start>': [[['x', {'pre': 'say'}]]]}",
         "rule '<start>' has the hook 'say': there are define, use and commit"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_grammar *grammar = book_of(cases[i].json);
        pare_error err = {0};
        pare_expansion_costs costed;
        assert_int_not_equal(pare_expansion_costs_init(&costed, grammar, &err), PARE_OK);
        assert_string_equal(err.message, cases[i].message);
        assert_null(costed.rules);
        pare_grammar_free(grammar);
    }
}

static void test_limit__a_use_without_a_name_and_without_a_text_is_expanded(void **state)
{
    (void)state;
    struct assignments a;
    pare_choices choices = {0};
    pare_buffer text = {0};
    assignments_init(&a, "{'<start>': [[['<v>', {'pre': 'use'}]]], '<v>': ['n', 'm']}", 0);
    a.limit.undefined = NULL;
    generate(&a, &choices, 1, &text);
    assert_string_equal(text.data, "n");
    pare_buffer_done(&text);
    pare_choices_done(&choices);
    assignments_done(&a);
}

/* Every name right of a ` = ` is one that a line before it declares. */
static void assert_names_are_declared(const char *text)
{
    bool known[26] = {false};
    for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
        for (const char *at = line + 1; *at != '\n'; at++)
            if (*at >= 'a' && *at <= 'z' && !known[*at - 'a'])
                fail_msg("%c is not declared: %s", *at, text);
        known[*line - 'a'] = true;
    }
}

/* As pare generate makes them. */
static void test_fuzzer__complex_and_choice_use_declared_names_only(void **state)
{
    (void)state;
    for (pare_fuzzer_kind kind = PARE_FUZZER_COMPLEX; kind <= PARE_FUZZER_CHOICE; kind++) {
        struct assignments a;
        pare_fuzzer fuzzer;
        assignments_init(&a, assignments_declared, 0);
        pare_fuzzer_options options = {.kind = kind, .costed = &a.costed, .start = a.limit.start};
        assert_int_equal(pare_fuzzer_init(&fuzzer, &options, NULL), PARE_OK);
        pare_generator generator = pare_fuzzer_generator(&fuzzer);
        for (uint64_t seed = 0; seed < 300; seed++) {
            pare_choices choices = {0};
            pare_buffer text = {0};
            pare_choices_seed(&choices, seed);
            assert_int_equal(generator.run(generator.self, &choices, &text, NULL), PARE_OK);
            assert_names_are_declared(text.data);
            pare_buffer_done(&text);
            pare_choices_done(&choices);
        }
        pare_fuzzer_done(&fuzzer);
        assignments_done(&a);
    }
}

static void test_limit__a_use_says_what_stands_there_without_a_name(void **state)
{
    (void)state;
    struct assignments a;
    pare_choices choices = {0};
    pare_buffer text = {0};
    assignments_init(
        &a, "{'<start>': [[['<v>', {'pre': 'use:nil'}], ['<v>', {'pre': 'use'}]]], '<v>': ['n']}",
        0);
    generate(&a, &choices, 1, &text);
    assert_string_equal(text.data, "nil00");
    pare_buffer_done(&text);
    pare_choices_done(&choices);
    assignments_done(&a);
}

static pare_status generate_once(void *context)
{
    struct assignments *a = context;
    pare_expansion_costs costed = {0};
    pare_choices choices = {0};
    pare_buffer text = {0};
    pare_status status = pare_expansion_costs_init(&costed, a->grammar, NULL);
    pare_limit_fuzzer limit = {.costed = &costed, .max_depth = 10};
    pare_generator generator = pare_grammar_fuzzers_limit(&limit);
    seed_python(&choices, 6);
    if (!status) status = generator.run(generator.self, &choices, &text, NULL);
    pare_grammar_fuzzers_limit_done(&limit);
    pare_expansion_costs_done(&costed);
    pare_choices_done(&choices);
    pare_buffer_done(&text);
    return status;
}

static void test_limit__every_allocation_may_fail(void **state)
{
    (void)state;
    struct assignments a;
    assignments_init(&a, assignments_declared, 0);
    sweep_allocations(generate_once, &a);
    assignments_done(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limit__prints_the_text_of_seed_004),
        cmocka_unit_test(test_complex__prints_the_text_of_seed_004),
        cmocka_unit_test(test_choice__prints_the_text_and_choices_of_seed_004),
        cmocka_unit_test(test_limit__prints_every_recorded_text),
        cmocka_unit_test(test_complex__prints_every_recorded_text_and_its_names),
        cmocka_unit_test(test_choice__prints_every_recorded_text_and_its_choices),
        cmocka_unit_test(test_expansion_costs__costs_are_those_of_seed_004),
        cmocka_unit_test(
            test_expansion_costs__grammars_without_a_finite_text_or_of_another_form_are_told),
        cmocka_unit_test(test_limit__a_use_without_a_name_and_without_a_text_is_expanded),
        cmocka_unit_test(test_fuzzer__complex_and_choice_use_declared_names_only),
        cmocka_unit_test(test_limit__a_use_says_what_stands_there_without_a_name),
        cmocka_unit_test(test_limit__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
