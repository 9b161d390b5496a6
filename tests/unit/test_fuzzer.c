/* The Fuzzing Book's generators, against runs of the book's algorithms under CPython 3.11. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pare/reduce_list.h>

#include "generate/fuzzer.h"
#include "os/clock.h"
#include "unit/alloc_sweep.h"
#include "unit/support/assignments.h"
#include "unit/support/mersenne.h"

/* EXPR_GRAMMAR of seed 002. */
static const char expressions[] =
    "{'<start>': ['<expr>'],"
    "'<expr>': ['<term> + <expr>', '<term> - <expr>', '<term>'],"
    "'<term>': ['<factor> * <term>', '<factor> / <term>', '<factor>'],"
    "'<factor>': ['+<factor>', '-<factor>', '(<expr>)', '<integer>.<integer>', '<integer>'],"
    "'<integer>': ['<digit><integer>', '<digit>'],"
    "'<digit>': ['0','1','2','3','4','5','6','7','8','9']}";

static void run(pare_generator generator, pare_choices *choices, pare_buffer *text)
{
    pare_choices_start(choices);
    pare_buffer_reset(text);
    assert_int_equal(generator.run(generator.self, choices, text, NULL), PARE_OK);
    assert_int_equal(pare_buffer_add(text, "", 0, NULL), PARE_OK);
    assert_true(pare_choices_record_check(&choices->record));
}

/* --- GrammarFuzzer -------------------------------------------------------------- */

static void test_phases__expand_as_the_book_does(void **state)
{
    (void)state;
    static const struct {
        int64_t seed;
        uint32_t least, most;
        const char *text;
    } cases[] = {
        {1, 0, 10, "1 / +++4 / 9 * 4 - 8.5 * 9.3 / 2 - 9"},
        {2, 0, 10, "31040.7 + 53"},
        {3, 0, 10, "319071 - -6 * 0.55 / 72 - +(6 + 2)"},
        {4, 3, 5, "9 * 0 + 9 * 1 + 8"},
    };
    pare_grammar *grammar = book_of(expressions);
    pare_expansion_costs costed;
    pare_choices choices = {0};
    pare_buffer text = {0};
    assert_int_equal(pare_expansion_costs_init(&costed, grammar, NULL), PARE_OK);
    pare_phases_fuzzer phases = {.costed = &costed};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        phases.min_nonterminals = cases[i].least;
        phases.max_nonterminals = cases[i].most;
        seed_python(&choices, cases[i].seed);
        run(pare_fuzzer_phases(&phases), &choices, &text);
        assert_string_equal(text.data, cases[i].text);
    }
    phases.min_nonterminals = phases.max_nonterminals = 100;
    seed_python(&choices, 9);
    run(pare_fuzzer_phases(&phases), &choices, &text);
    assert_int_equal(text.size, 471);
    assert_memory_equal(text.data, "+-((++0 * 9 * 4 * 0 + +2 / 3 + 8 + 6) / ", 40);
    pare_buffer_done(&text);
    pare_choices_done(&choices);
    pare_fuzzer_phases_done(&phases);
    pare_expansion_costs_done(&costed);
    pare_grammar_free(grammar);
}

static void test_expansion_costs__sums_are_those_of_the_book(void **state)
{
    (void)state;
    pare_grammar *grammar = book_of(expressions);
    pare_expansion_costs costed;
    uint64_t costs[10];
    assert_int_equal(pare_expansion_costs_init(&costed, grammar, NULL), PARE_OK);
    pare_index expr = pare_grammar_find_rule(grammar, "<expr>");
    assert_int_equal(pare_expansion_costs_sums(&costed, expr, costs, NULL), PARE_OK);
    assert_int_equal(costs[0], PARE_NO_COST);
    assert_int_equal(costs[1], PARE_NO_COST);
    assert_int_equal(costs[2], 5);
    assert_int_equal(
        pare_expansion_costs_sums(&costed, pare_grammar_find_rule(grammar, "<digit>"), costs, NULL),
        PARE_OK);
    assert_int_equal(costs[9], 1);
    pare_expansion_costs_done(&costed);
    pare_grammar_free(grammar);
}

static pare_status expand_once(void *context)
{
    pare_choices choices = {0};
    pare_buffer text = {0};
    pare_phases_fuzzer phases = {.costed = context, .min_nonterminals = 3, .max_nonterminals = 20};
    pare_generator generator = pare_fuzzer_phases(&phases);
    pare_status status = generator.run(generator.self, &choices, &text, NULL);
    pare_fuzzer_phases_done(&phases);
    pare_choices_done(&choices);
    pare_buffer_done(&text);
    return status;
}

static void test_phases__every_allocation_may_fail(void **state)
{
    (void)state;
    pare_grammar *grammar = book_of(expressions);
    pare_expansion_costs costed;
    assert_int_equal(pare_expansion_costs_init(&costed, grammar, NULL), PARE_OK);
    sweep_allocations(expand_once, &costed);
    pare_expansion_costs_done(&costed);
    pare_grammar_free(grammar);
}

/* --- RandomFuzzer and MutationFuzzer ---------------------------------------------- */

static void test_random_text__draws_as_the_book_does(void **state)
{
    (void)state;
    pare_random_text options = {10, 100, 32, 32};
    pare_choices choices = {0};
    pare_buffer text = {0};
    seed_python(&choices, 1);
    run(pare_fuzzer_random_text(&options), &choices, &text);
    assert_string_equal(text.data, "$0'?<>8-&?!8; <1.&4!!! 8-;!");
    pare_buffer_done(&text);
    pare_choices_done(&choices);
}

static void test_mutation__changes_as_the_book_does(void **state)
{
    (void)state;
    static const char *const first[] = {"http://www.google.com/search?q=fuzzing", "a"};
    static const char *const wanted[] = {
        "http://www.google.com/search?q=fuzzing",
        "a",
        "",
        "ttp//ww.Qgoge.com/se9archq=fuzzing",
        "hNttJp://ww2w.ggogle.com/search?q=fuzzing",
        "`G",
        "nP'",
        "http://www.googl%.com/search?=fuMzzing",
    };
    pare_mutation_fuzzer mutation = {0};
    pare_choices choices = {0};
    pare_buffer text = {0};
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(
            pare_fuzzer_mutation_add(&mutation, first[i], strlen(first[i]), true, NULL), PARE_OK);
    seed_python(&choices, 5);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        run(pare_fuzzer_mutation(&mutation), &choices, &text);
        assert_string_equal(text.data, wanted[i]);
    }
    pare_buffer_done(&text);
    pare_choices_done(&choices);
    pare_fuzzer_mutation_done(&mutation);
}

/* --- MutationCoverageFuzzer: a population that grows by what covers something new ----------- */

enum { MAX_COVERAGES = 8, MAX_TEXT = 1000 };

/* The Fuzzing Book's form that is driven by coverage, with the reduction of seed 002, exercise
 * 1: the fuzzer leaves to its caller what joins the population. */
struct driven {
    pare_mutation_fuzzer mutation;
    uint64_t coverages[MAX_COVERAGES]; /* sets that were seen */
    size_t n;
};

/* What a program that looks for <, a and > in this order reaches; texts with ! fail. */
static bool cover(const char *input, size_t size, uint64_t *coverage)
{
    static const char wanted[] = "<a>";
    *coverage = 0;
    for (size_t i = 0; i < size; i++) {
        if (input[i] == '!') return false;
        if (*coverage < 3 && input[i] == wanted[*coverage]) ++*coverage;
    }
    return true;
}

struct reduction {
    const char *input;
    uint64_t coverage; /* that is to stay */
};

/* A pare_list_predicate over the bytes of the input: nothing is no input. */
static pare_outcome covers_same(void *context, const uint32_t *indices, size_t n)
{
    const struct reduction *reduction = context;
    char text[MAX_TEXT];
    uint64_t coverage;
    for (size_t i = 0; i < n; i++)
        text[i] = reduction->input[indices[i]];
    return n && cover(text, n, &coverage) && coverage == reduction->coverage ? PARE_FAIL
                                                                             : PARE_PASS;
}

/* Adds a 1-minimal part of the input that covers the same, if that was not seen before. */
static bool offer(struct driven *driven, const char *input, size_t size)
{
    struct reduction reduction = {.input = input};
    pare_reduce_options options = {.algorithms = "ddmin"};
    uint32_t *kept = NULL;
    size_t n_kept = 0;
    char text[MAX_TEXT];
    if (size > MAX_TEXT || !cover(input, size, &reduction.coverage)) return false;
    for (size_t i = 0; i < driven->n; i++)
        if (driven->coverages[i] == reduction.coverage) return false;
    assert_int_equal(
        pare_reduce_list(size, covers_same, &reduction, &options, &kept, &n_kept, NULL), PARE_OK);
    for (size_t i = 0; i < n_kept; i++)
        text[i] = input[kept[i]];
    pare_list_free(kept);
    assert_int_equal(pare_fuzzer_mutation_add(&driven->mutation, text, n_kept, false, NULL),
                     PARE_OK);
    assert_true(driven->n < MAX_COVERAGES);
    driven->coverages[driven->n++] = reduction.coverage;
    return true;
}

static void test_mutation__members_are_new_coverage_reduced(void **state)
{
    (void)state;
    static const struct {
        const char *input, *member; /* NULL: not added */
    } cases[] = {{"xyz", "x"},   {"abc>", NULL}, {"x<y<z", "<"},
                 {"!<a>", NULL}, {"<a>", "<a>"}, {"<b>a<>", NULL}};
    struct driven driven = {.n = 0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *input = cases[i].input;
        bool added = offer(&driven, input, strlen(input));
        assert_int_equal(added, cases[i].member != NULL);
        if (!added) continue;
        const pare_buffer *member = &driven.mutation.members[driven.mutation.n - 1];
        assert_int_equal(member->size, strlen(cases[i].member));
        assert_memory_equal(member->data, cases[i].member, member->size);
    }
    assert_int_equal(driven.mutation.n, 3);
    pare_fuzzer_mutation_done(&driven.mutation);
}

static void test_mutation__coverage_finds_what_is_hidden(void **state)
{
    (void)state;
    struct driven driven = {.n = 0};
    pare_choices choices = {0};
    pare_buffer text = {0};
    assert_true(offer(&driven, "x", 1));
    for (size_t i = 0; i < 100000 && driven.mutation.n < 4; i++) {
        run(pare_fuzzer_mutation(&driven.mutation), &choices, &text);
        (void)offer(&driven, text.data, text.size);
    }
    assert_int_equal(driven.mutation.n, 4);
    assert_string_equal(driven.mutation.members[3].data, "<a>");
    pare_buffer_done(&text);
    pare_choices_done(&choices);
    pare_fuzzer_mutation_done(&driven.mutation);
}

static pare_status mutate_once(void *context)
{
    (void)context;
    pare_mutation_fuzzer mutation = {0};
    pare_choices choices = {0};
    pare_buffer text = {0};
    pare_generator generator = pare_fuzzer_mutation(&mutation);
    pare_status status = pare_fuzzer_mutation_add(&mutation, "seed", 4, true, NULL);
    if (!status) status = pare_fuzzer_mutation_add(&mutation, "y<ax", 4, false, NULL);
    for (size_t i = 0; !status && i < 3; i++)
        status = generator.run(generator.self, &choices, &text, NULL);
    pare_buffer_done(&text);
    pare_choices_done(&choices);
    pare_fuzzer_mutation_done(&mutation);
    return status;
}

static void test_mutation__every_allocation_may_fail(void **state)
{
    (void)state;
    sweep_allocations(mutate_once, NULL);
}

/* The generators of seed 004 make what the seed prints, choice by choice.
 *
 * The records are read from PARE_SHARED (default ../shared beside the repository) where that
 * exists; the seed's three printed texts are always checked. */
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
    pare_generator generator = pare_fuzzer_limit(&a->limit);
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

/* A chain of rules, each of which names the next one, or the one before: the cost of a rule is known
 * only after that of the next, and a round over all rules for each would take many seconds. */
static void test_expansion_costs__long_chains_of_rules_take_no_time_for_each(void **state)
{
    (void)state;
    enum { N_RULES = 30000 };
    for (int backwards = 0; backwards < 2; backwards++) {
        pare_buffer text = {0};
        pare_grammar *grammar = NULL;
        pare_expansion_costs costed;
        uint64_t sum = 0;
        assert_int_equal(pare_buffer_text(&text, "{\"<start>\": [\"a<r0>\"]", NULL), PARE_OK);
        for (int i = 0; i < N_RULES; i++) {
            const int rule = backwards ? N_RULES - 1 - i : i;
            const char *form =
                rule == N_RULES - 1 ? ", \"<r%d>\": [\"b\"]" : ", \"<r%d>\": [\"a<r%d>\"]";
            assert_int_equal(pare_buffer_format(&text, NULL, form, rule, rule + 1), PARE_OK);
        }
        assert_int_equal(pare_buffer_text(&text, "}", NULL), PARE_OK);
        assert_int_equal(
            pare_fuzzingbook_read_memory("b.json", text.data, text.size, &grammar, NULL), PARE_OK);
        const double begin_s = pare_clock_thread_cpu_s();
        assert_int_equal(pare_expansion_costs_init(&costed, grammar, NULL), PARE_OK);
        assert_int_equal(pare_expansion_costs_sums(&costed, 0, &sum, NULL), PARE_OK);
        assert_true(pare_clock_thread_cpu_s() - begin_s < 4);
        assert_int_equal(costed.rules[0].depth, N_RULES + 1);
        assert_int_equal(sum, N_RULES + 1);
        pare_expansion_costs_done(&costed);
        pare_grammar_free(grammar);
        pare_buffer_done(&text);
    }
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
         "rule '<start>' has the unknown hook 'say': built in are define, use, commit and apart"},
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
    pare_generator generator = pare_fuzzer_limit(&limit);
    seed_python(&choices, 6);
    if (!status) status = generator.run(generator.self, &choices, &text, NULL);
    pare_fuzzer_limit_done(&limit);
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
        cmocka_unit_test(test_phases__expand_as_the_book_does),
        cmocka_unit_test(test_expansion_costs__sums_are_those_of_the_book),
        cmocka_unit_test(test_phases__every_allocation_may_fail),
        cmocka_unit_test(test_random_text__draws_as_the_book_does),
        cmocka_unit_test(test_mutation__changes_as_the_book_does),
        cmocka_unit_test(test_mutation__members_are_new_coverage_reduced),
        cmocka_unit_test(test_mutation__coverage_finds_what_is_hidden),
        cmocka_unit_test(test_mutation__every_allocation_may_fail),
        cmocka_unit_test(test_limit__prints_the_text_of_seed_004),
        cmocka_unit_test(test_complex__prints_the_text_of_seed_004),
        cmocka_unit_test(test_choice__prints_the_text_and_choices_of_seed_004),
        cmocka_unit_test(test_limit__prints_every_recorded_text),
        cmocka_unit_test(test_complex__prints_every_recorded_text_and_its_names),
        cmocka_unit_test(test_choice__prints_every_recorded_text_and_its_choices),
        cmocka_unit_test(test_expansion_costs__long_chains_of_rules_take_no_time_for_each),
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