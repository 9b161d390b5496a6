/* Reduction through choices: seed 004's runs to the last test, and what the passes reach.
 *
 * The records are read from PARE_SHARED (default ../shared beside the repository) where that
 * exists; the seed's eight printed results are always checked. */
/* tests: src/reduce/choice/choice_passes.c src/reduce/choice/choice_redraw.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reduce/choice/choice_reduction.h"
#include "reduce/choice/choices.h"
#include "unit/alloc_sweep.h"
#include "unit/support/assignments.h"
#include "unit/support/mersenne.h"

enum { ROOM = 4096 };

typedef bool (*text_predicate)(const char *text);

struct outcome {
    char text[ROOM];
    uint64_t list[ROOM];
    size_t n, tests, proposed;
};

static void read_candidate(const pare_candidate *candidate, char *text)
{
    assert_true(candidate->size < ROOM);
    pare_candidate_read(candidate, text);
    text[candidate->size] = '\0';
}

/* A copy of the state proposes the same, and so does the state when it is asked again. */
static void assert_repeatable(pare_strategy *strategy, const char *wanted)
{
    char text[ROOM];
    pare_strategy *copy = NULL;
    pare_candidate candidate = {0};
    pare_next what;
    assert_int_equal(strategy->ops->copy(strategy, &copy, NULL), PARE_OK);
    for (int i = 0; i < 2; i++) {
        pare_strategy *asked = i ? copy : strategy;
        assert_int_equal(asked->ops->next(asked, &what, &candidate, NULL), PARE_OK);
        assert_int_equal(what, PARE_NEXT_TEST);
        read_candidate(&candidate, text);
        assert_string_equal(text, wanted);
    }
    pare_candidate_done(&candidate);
    pare_strategy_free(copy);
}

static void reduce(pare_strategy *strategy, text_predicate fails, struct outcome *outcome)
{
    pare_candidate candidate = {0};
    *outcome = (struct outcome){0};
    for (;; outcome->tests++) {
        pare_next what;
        assert_true(outcome->tests < 100000);
        assert_int_equal(strategy->ops->next(strategy, &what, &candidate, NULL), PARE_OK);
        if (what == PARE_NEXT_DONE) break;
        read_candidate(&candidate, outcome->text);
        if (outcome->tests % 7 == 0) assert_repeatable(strategy, outcome->text);
        bool failed = fails(outcome->text);
        assert_int_equal(strategy->ops->tell(strategy, failed ? PARE_FAIL : PARE_PASS, NULL),
                         PARE_OK);
    }
    assert_int_equal(strategy->ops->best(strategy, &candidate, NULL), PARE_OK);
    read_candidate(&candidate, outcome->text);
    assert_true(fails(outcome->text));
    const uint64_t *list = pare_choice_reduction_list(strategy, &outcome->n);
    memcpy(outcome->list, list, outcome->n * sizeof *list);
    outcome->proposed = pare_choice_reduction_proposed(strategy);
    pare_candidate_done(&candidate);
}

/* Reduces what the generator makes of a seed, which must fail. */
static void reduce_from(pare_generator generator, pare_choices *choices, pare_choice_way way,
                        text_predicate fails, struct outcome *outcome)
{
    uint64_t list[ROOM];
    pare_buffer text = {0};
    pare_strategy *strategy = NULL;
    assert_int_equal(generator.run(generator.self, choices, &text, NULL), PARE_OK);
    assert_true(choices->record.n <= ROOM);
    for (size_t i = 0; i < choices->record.n; i++)
        list[i] = choices->record.choices[i].index;
    assert_true(fails(text.data));
    assert_int_equal(
        pare_choice_reduction_new(generator, list, choices->record.n, way, &strategy, NULL),
        PARE_OK);
    reduce(strategy, fails, outcome);
    pare_strategy_free(strategy);
    pare_buffer_done(&text);
}

/* --- seed 004 --------------------------------------------------------------------- */

static bool is_nested(const char *text)
{
    return strstr(text, "((") && strstr(text, "))");
}

static void reduce_assignments(int64_t seed, pare_choice_way way, struct outcome *outcome)
{
    struct assignments a;
    pare_choices choices = {0};
    assignments_init(&a, assignments_declared, 10);
    if (way == PARE_CHOICE_DEFAULTS) assignments_set_defaults(&a);
    seed_python(&choices, seed);
    reduce_from(pare_fuzzer_limit(&a.limit), &choices, way, is_nested, outcome);
    pare_choices_done(&choices);
    assignments_done(&a);
}

static void assert_list(const struct outcome *outcome, const int8_t *list, size_t n)
{
    assert_int_equal(outcome->n, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(outcome->list[i], list[i] < 0 ? PARE_CHOICE_DEFAULT : (uint64_t)list[i]);
}

struct printed {
    int64_t seed;
    const char *text;
    size_t proposed, n;
    int8_t list[18];
};

static void assert_printed(const struct printed *rows, pare_choice_way way)
{
    static struct outcome outcome;
    for (size_t i = 0; i < 4; i++) {
        reduce_assignments(rows[i].seed, way, &outcome);
        assert_string_equal(outcome.text, rows[i].text);
        assert_list(&outcome, rows[i].list, rows[i].n);
        assert_int_equal(outcome.proposed + 1, rows[i].proposed); /* with the input's */
    }
}

static void test_fragments__take_the_steps_that_seed_004_prints(void **state)
{
    (void)state;
    static const struct printed rows[4] = {
        {1, "d = ((00));\n", 29, 7, {6, 0, 8, 3, 7, 7, 8}},
        {5, "d = ((1));\n", 57, 8, {2, 2, 0, 3, 2, 2, 4, 5}},
        {9,
         "e = ((00 + 1 + 0));\nj = 1;\n",
         86,
         18,
         {7, 9, 5, 4, 2, 2, 0, 5, 8, 9, 1, 9, 6, 6, 1, 9, 9, 3}},
        {16, "a = ((00));\n", 69, 7, {0, 2, 9, 0, 7, 7, 3}},
    };
    assert_printed(rows, PARE_CHOICE_FRAGMENTS);
}

static void test_defaults__take_the_steps_that_seed_004_prints(void **state)
{
    (void)state;
    static const struct printed rows[4] = {
        {1, "0 = ((0));\na=0;\n", 55, 8, {2, 9, 1, -1, 7, 7, -1, -1}},
        {5, "i = 0 + 0 + 0 + ((0));\n", 58, 13, {9, 4, 5, 8, 0, -1, 0, -1, 0, -1, 2, 2, -1}},
        {9, "e = ((0));\na=0;\n", 66, 8, {7, 9, 5, 4, 2, 2, -1, -1}},
        {16,
         "0 = 0 - 0 + 0;\na = ((0));\n",
         67,
         15,
         {5, 7, 7, -1, 0, 6, -1, -1, -1, 2, 9, 0, 7, 7, -1}},
    };
    assert_printed(rows, PARE_CHOICE_DEFAULTS);
}

static void compare_reduction(const json_t *record, pare_choice_way way)
{
    static struct outcome outcome;
    int8_t list[256];
    const json_t *choices = json_object_get(record, "choices");
    size_t n = json_array_size(choices);
    assert_true(n <= sizeof list);
    for (size_t i = 0; i < n; i++)
        list[i] = (int8_t)json_integer_value(json_array_get(choices, i));
    reduce_assignments(json_integer_value(json_object_get(record, "seed")), way, &outcome);
    assert_string_equal(outcome.text, json_string_value(json_object_get(record, "minimal")));
    assert_list(&outcome, list, n);
    assert_int_equal(outcome.proposed + 1, json_integer_value(json_object_get(record, "tests")));
}

static void compare_fragments(const json_t *record)
{
    compare_reduction(record, PARE_CHOICE_FRAGMENTS);
}

static void compare_defaults(const json_t *record)
{
    compare_reduction(record, PARE_CHOICE_DEFAULTS);
}

static void test_fragments__take_every_recorded_step(void **state)
{
    (void)state;
    assert_int_equal(each_choice_record("reduce.jsonl", compare_fragments), 11);
}

static void test_defaults__take_every_recorded_step(void **state)
{
    (void)state;
    assert_int_equal(each_choice_record("reduce-default.jsonl", compare_defaults), 11);
}

/* --- the passes ------------------------------------------------------------------- */

static void test_passes__reach_the_same_text_from_every_recorded_seed(void **state)
{
    (void)state;
    static const int64_t seeds[] = {1, 4, 5, 9, 12, 16, 18, 22, 31, 32, 37};
    static struct outcome outcome;
    size_t tests = 0;
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        reduce_assignments(seeds[i], PARE_CHOICE_PASSES, &outcome);
        assert_string_equal(outcome.text, "a = ((00));\n");
        tests += outcome.tests;
    }
    assert_true(tests <= 650);
}

/* A list of numbers 0 .. 1000: its size, then each in a span; printed with the size and a
 * checksum in front, which a text without its generator cannot keep. */
static pare_status run_numbers(void *self, pare_choices *choices, pare_buffer *text,
                               pare_error *err)
{
    (void)self;
    uint64_t n = 0;
    int64_t sum = 0, numbers[16];
    pare_status status = pare_choices_open(choices, 1, err);
    if (!status) status = pare_choices_size(choices, 0, 16, &n, err);
    for (uint64_t i = 0; !status && i < n; i++) {
        status = pare_choices_open(choices, 2, err);
        if (!status) status = pare_choices_integer(choices, 0, 1000, 0, &numbers[i], err);
        if (status) return status;
        sum += numbers[i];
        pare_choices_close(choices);
    }
    if (!status) status = pare_buffer_format(text, err, "%d:%d:", (int)n, (int)(sum % 97));
    for (uint64_t i = 0; !status && i < n; i++)
        status = pare_buffer_format(text, err, " %d", (int)numbers[i]);
    if (status) return status;
    pare_choices_close(choices);
    return PARE_OK;
}

static const pare_generator numbers_generator = {.self = NULL, .run = run_numbers};

/* The numbers of a text; every candidate has its size and checksum right. */
static size_t read_numbers(const char *text, long *numbers)
{
    char *end;
    long n = strtol(text, &end, 10), sum = strtol(end + 1, &end, 10);
    for (long i = 0; i < n; i++) {
        numbers[i] = strtol(end + (i == 0), &end, 10);
        sum -= numbers[i];
    }
    assert_int_equal(*(end + (n == 0)), '\0');
    assert_int_equal(sum % 97, 0);
    return (size_t)n;
}

static bool sum_is_over_1500(const char *text)
{
    long numbers[16], sum = 0;
    for (size_t i = 0, n = read_numbers(text, numbers); i < n; i++)
        sum += numbers[i];
    return sum > 1500;
}

static bool has_twins_over_10(const char *text)
{
    long numbers[16];
    size_t n = read_numbers(text, numbers);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            if (numbers[i] == numbers[k] && numbers[i] > 10) return true;
    return false;
}

static bool has_three_of_different_size(const char *text)
{
    long numbers[16];
    unsigned seen = 0;
    for (size_t i = 0, n = read_numbers(text, numbers); i < n; i++)
        seen |= numbers[i] >= 700 ? 4u : numbers[i] >= 300 ? 2u : numbers[i] >= 20 ? 1u : 0;
    return seen == 7;
}

static bool has_neighbours_3_apart(const char *text)
{
    long numbers[16];
    size_t n = read_numbers(text, numbers);
    for (size_t i = 1; i < n; i++)
        if (labs(numbers[i] - numbers[i - 1]) == 3) return true;
    return false;
}

static void test_passes__lists_of_numbers_become_their_simplest(void **state)
{
    (void)state;
    static const struct {
        text_predicate fails;
        const char *text;
    } cases[] = {
        {sum_is_over_1500, "2:46: 501 1000"},
        {has_twins_over_10, "2:22: 11 11"},
        {has_three_of_different_size, "3:50: 20 300 700"},
        {has_neighbours_3_apart, "2:3: 0 3"},
    };
    static struct outcome outcome;
    static const uint64_t list[] = {8, 999, 11, 700, 703, 444, 703, 45, 11};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_strategy *strategy = NULL;
        assert_int_equal(pare_choice_reduction_new(numbers_generator, list, 9, PARE_CHOICE_PASSES,
                                                   &strategy, NULL),
                         PARE_OK);
        reduce(strategy, cases[i].fails, &outcome);
        assert_string_equal(outcome.text, cases[i].text);
        assert_true(outcome.tests < 300);
        pare_strategy_free(strategy);
    }
}

static bool always(const char *text)
{
    (void)text;
    return true;
}

static void test_passes__what_always_fails_becomes_the_empty_list(void **state)
{
    (void)state;
    static struct outcome outcome;
    static const uint64_t list[] = {3, 9, 9, 9};
    pare_strategy *strategy = NULL;
    assert_int_equal(
        pare_choice_reduction_new(numbers_generator, list, 4, PARE_CHOICE_PASSES, &strategy, NULL),
        PARE_OK);
    reduce(strategy, always, &outcome);
    assert_string_equal(outcome.text, "0:0:");
    assert_int_equal(outcome.n, 1);
    pare_strategy_free(strategy);
}

static void test_reduction__a_list_that_makes_nothing_is_told(void **state)
{
    (void)state;
    static const uint64_t list[] = {3, 9};
    pare_strategy *strategy = NULL;
    pare_error err = {0};
    assert_int_equal(
        pare_choice_reduction_new(numbers_generator, list, 2, PARE_CHOICE_PASSES, &strategy, &err),
        PARE_E_STATE);
    assert_string_equal(err.message, "the generator makes no text of these 2 choices");
    assert_null(strategy);
}

static void test_defaults__a_list_of_one_default_ends(void **state)
{
    (void)state;
    struct assignments a;
    static struct outcome outcome;
    static const uint64_t list[] = {0, 0, 0, 1, 4, 0};
    pare_strategy *strategy = NULL;
    assignments_init(&a, assignments_declared, 10);
    assignments_set_defaults(&a);
    assert_int_equal(pare_choice_reduction_new(pare_fuzzer_limit(&a.limit), list, 6,
                                               PARE_CHOICE_DEFAULTS, &strategy, NULL),
                     PARE_OK);
    reduce(strategy, always, &outcome);
    assert_string_equal(outcome.text, "a=0;\n");
    pare_strategy_free(strategy);
    assignments_done(&a);
}

struct attempt {
    pare_choice_way way;
    text_predicate fails;
};

static pare_status reduce_once(void *context)
{
    static const uint64_t list[] = {4, 999, 11, 700, 703};
    const struct attempt *attempt = context;
    pare_strategy *strategy = NULL;
    pare_candidate candidate = {0};
    char text[64];
    pare_next what = PARE_NEXT_TEST;
    pare_status status =
        pare_choice_reduction_new(numbers_generator, list, 5, attempt->way, &strategy, NULL);
    for (size_t i = 0; !status && what == PARE_NEXT_TEST && i < 25; i++) {
        pare_strategy *copy = NULL;
        status = strategy->ops->copy(strategy, &copy, NULL);
        pare_strategy_free(copy);
        if (!status) status = strategy->ops->next(strategy, &what, &candidate, NULL);
        if (status || what == PARE_NEXT_DONE) break;
        pare_candidate_read(&candidate, text);
        text[candidate.size] = '\0';
        bool failed = attempt->fails(text);
        status = strategy->ops->tell(strategy, failed ? PARE_FAIL : PARE_PASS, NULL);
    }
    pare_candidate_done(&candidate);
    pare_strategy_free(strategy);
    return status;
}

static void test_reduction__every_allocation_may_fail(void **state)
{
    (void)state;
    struct attempt passes = {PARE_CHOICE_PASSES, sum_is_over_1500};
    struct attempt fragments = {PARE_CHOICE_FRAGMENTS, sum_is_over_1500};
    sweep_allocations(reduce_once, &passes);
    sweep_allocations(reduce_once, &fragments);
}

/* --- bytes --------------------------------------------------------------------------- */

/* Reads `expr: term (op term)*; term: '(' expr ')' | digit+`; false: it is none. */
static bool read_expression(const char **at)
{
    for (;;) {
        if (**at == '(') {
            ++*at;
            if (!read_expression(at) || *(*at)++ != ')') return false;
        } else {
            if (**at < '0' || **at > '9') return false;
            while (**at >= '0' && **at <= '9')
                ++*at;
        }
        if (!**at || !strchr("+-*/", **at)) return true;
        ++*at;
    }
}

static pare_outcome divides_by_zero(const char *text)
{
    const char *at = text;
    if (!read_expression(&at) || *at) return PARE_UNRESOLVED;
    const char *division = strstr(text, "/0");
    return division && !(division[2] >= '0' && division[2] <= '9') ? PARE_FAIL : PARE_PASS;
}

/* A division in the middle of `depth` brackets, with operands left and right by turns. */
static void write_nest(char *text, size_t depth)
{
    size_t n = 0;
    for (size_t i = 0; i < depth; i++)
        n += (size_t)sprintf(text + n, i % 3 ? "(%zu*" : "(", i % 9 + 1);
    n += (size_t)sprintf(text + n, "8/0");
    for (size_t i = depth; i-- > 0;)
        n += (size_t)sprintf(text + n, i % 2 ? "-%zu)" : ")", i % 7 + 1);
}

/* Reduces the bytes of `text` in place; returns how many tests that took. */
static size_t reduce_bytes(char *text, pare_outcome (*test)(const char *text))
{
    pare_strategy *strategy = NULL;
    pare_candidate candidate = {0};
    size_t tests = 0;
    assert_int_equal(
        pare_choice_reduction_of_bytes((unsigned char *)text, strlen(text), &strategy, NULL),
        PARE_OK);
    for (pare_next what;; tests++) {
        char tried[1024];
        assert_int_equal(strategy->ops->next(strategy, &what, &candidate, NULL), PARE_OK);
        if (what == PARE_NEXT_DONE) break;
        assert_true(candidate.size < sizeof tried);
        pare_candidate_read(&candidate, tried);
        tried[candidate.size] = '\0';
        pare_outcome outcome = test(tried);
        if (outcome == PARE_FAIL) strcpy(text, tried);
        if (outcome == PARE_UNRESOLVED && !strategy->three_valued) outcome = PARE_PASS;
        assert_int_equal(strategy->ops->tell(strategy, outcome, NULL), PARE_OK);
    }
    pare_candidate_done(&candidate);
    pare_strategy_free(strategy);
    return tests;
}

static void test_bytes__a_deep_nest_gives_way_to_what_is_in_it(void **state)
{
    (void)state;
    for (size_t depth = 1; depth <= 90; depth += 89) {
        char text[1024];
        write_nest(text, depth);
        size_t size = strlen(text), tests = reduce_bytes(text, divides_by_zero);
        print_message("%zu levels, %zu bytes: %zu tests\n", depth, size, tests);
        assert_string_equal(text, "0/0");
        assert_true(tests < 150 + 4 * depth);
    }
}

static pare_outcome has_two_quotes(const char *text)
{
    const char *quote = strchr(text, '"');
    return quote && strchr(quote + 1, '"') ? PARE_FAIL : PARE_PASS;
}

static void test_bytes__brackets_without_a_partner_are_bytes(void **state)
{
    (void)state;
    char text[1024] = "}]a)\"(b[\"{c(d]e[((\"";
    (void)reduce_bytes(text, has_two_quotes);
    assert_string_equal(text, "\"\"");
}

static pare_status reduce_nest(void *context)
{
    pare_strategy *strategy = NULL;
    (void)context;
    pare_status status =
        pare_choice_reduction_of_bytes((const unsigned char *)"(1+(2))", 7, &strategy, NULL);
    pare_strategy_free(strategy);
    return status;
}

static void test_bytes__every_allocation_may_fail(void **state)
{
    (void)state;
    sweep_allocations(reduce_nest, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fragments__take_the_steps_that_seed_004_prints),
        cmocka_unit_test(test_defaults__take_the_steps_that_seed_004_prints),
        cmocka_unit_test(test_fragments__take_every_recorded_step),
        cmocka_unit_test(test_defaults__take_every_recorded_step),
        cmocka_unit_test(test_passes__reach_the_same_text_from_every_recorded_seed),
        cmocka_unit_test(test_passes__lists_of_numbers_become_their_simplest),
        cmocka_unit_test(test_passes__what_always_fails_becomes_the_empty_list),
        cmocka_unit_test(test_reduction__a_list_that_makes_nothing_is_told),
        cmocka_unit_test(test_defaults__a_list_of_one_default_ends),
        cmocka_unit_test(test_reduction__every_allocation_may_fail),
        cmocka_unit_test(test_bytes__a_deep_nest_gives_way_to_what_is_in_it),
        cmocka_unit_test(test_bytes__brackets_without_a_partner_are_bytes),
        cmocka_unit_test(test_bytes__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
