/* Texts made of the trees of others: always in the language, of what the members hold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "generate/population.h"
#include "os/clock.h"
#include "unit/alloc_sweep.h"
#include "unit/support/grammar_text.h"

static const char calls[] = "grammar C;\n"
                            "file: call* EOF;\n"
                            "call: ID '(' (arg (',' arg)*)? ')' ';' | 'let' ID '=' arg ';';\n"
                            "arg: ID | N | arg ('+' | '-') arg | '[' arg+ ']';\n"
                            "ID: [a-z]+;\n"
                            "N: [0-9]+;\n"
                            "WS: [ \\n]+ -> skip;\n";
static const char *const files[] = {"f(x, 1+y-2);\nlet z = [a b 3];\n", "g([[x]]);  g();", ""};

struct evolution {
    pare_grammar *grammar;
    pare_expansion_table table;
    pare_parser *parser;
    pare_population population;
    pare_evolver *evolver;
};

static pare_status open_evolution(struct evolution *v, pare_grammar *grammar)
{
    *v = (struct evolution){.grammar = grammar};
    const pare_evolver_options options = {.table = &v->table,
                                          .deriver = {.max_depth = 8, .max_tokens = 20}};
    pare_status status = pare_expansion_table_init(&v->table, grammar, 0, NULL);
    if (!status) status = pare_parser_new(grammar, 0, &v->parser, NULL);
    for (size_t i = 0; !status && i < sizeof files / sizeof *files; i++) {
        bool added = false;
        const pare_text_reader reader = pare_parser_reader(v->parser);
        status =
            pare_population_add(&v->population, &reader, files[i], strlen(files[i]), &added, NULL);
        assert_true(status || added);
    }
    if (!status) status = pare_population_evolver_new(&v->population, &options, &v->evolver, NULL);
    return status;
}

static void close_evolution(struct evolution *v)
{
    pare_population_evolver_free(v->evolver);
    pare_population_done(&v->population);
    pare_parser_free(v->parser);
    pare_expansion_table_done(&v->table);
}

static bool is_in_language(struct evolution *v, const pare_buffer *text)
{
    pare_parse_tree tree = {0};
    pare_parse_cost cost = {0};
    assert_int_equal(
        pare_parser_run(v->parser, text->size ? text->data : "", text->size, &tree, &cost, NULL),
        PARE_OK);
    bool is = !tree.error.any && !cost.n_rest;
    pare_parse_tree_done(&tree);
    return is;
}

static void test_population__every_text_is_in_the_language_and_made_again_by_its_choices(
    void **state)
{
    (void)state;
    struct evolution v;
    pare_choices choices = {0}, again = {0};
    pare_buffer text = {0}, second = {0};
    size_t n_given_up = 0;
    assert_int_equal(open_evolution(&v, read_text(calls)), PARE_OK);
    pare_generator generator = pare_population_evolver_generator(v.evolver);
    for (uint64_t seed = 0; seed < 2000; seed++) {
        uint64_t list[2000];
        pare_choices_seed(&choices, seed);
        pare_buffer_reset(&text);
        pare_buffer_reset(&second);
        pare_status status = generator.run(generator.self, &choices, &text, NULL);
        n_given_up += status == PARE_E_UNSUPPORTED;
        if (status == PARE_E_UNSUPPORTED) continue;
        assert_int_equal(status, PARE_OK);
        assert_true(is_in_language(&v, &text));
        assert_true(choices.record.n <= 2000);
        for (size_t i = 0; i < choices.record.n; i++)
            list[i] = choices.record.choices[i].index;
        pare_choices_replay(&again, list, choices.record.n);
        assert_int_equal(generator.run(generator.self, &again, &second, NULL), PARE_OK);
        assert_int_equal(text.size, second.size);
        assert_true(!text.size || memcmp(text.data, second.data, text.size) == 0);
    }
    assert_true(n_given_up < 40);
    pare_buffer_done(&text);
    pare_buffer_done(&second);
    pare_choices_done(&choices);
    pare_choices_done(&again);
    pare_grammar *grammar = v.grammar;
    close_evolution(&v);
    pare_grammar_free(grammar);
}

/* Counts how often each text of `wanted` is made, and that all are in the language. */
static void count_texts(struct evolution *v, const char *const *wanted, size_t n, size_t *counts)
{
    pare_choices choices = {0};
    pare_buffer text = {0};
    pare_generator generator = pare_population_evolver_generator(v->evolver);
    for (uint64_t seed = 0; seed < 12000; seed++) {
        pare_choices_seed(&choices, seed);
        pare_buffer_reset(&text);
        pare_status status = generator.run(generator.self, &choices, &text, NULL);
        if (status == PARE_E_UNSUPPORTED) continue;
        assert_int_equal(status, PARE_OK);
        if (seed < 2000) assert_true(is_in_language(v, &text));
        for (size_t i = 0; i < n; i++)
            counts[i] += text.size == strlen(wanted[i]) &&
                         memcmp(text.size ? text.data : "", wanted[i], text.size) == 0;
    }
    pare_buffer_done(&text);
    pare_choices_done(&choices);
}

static void test_population__changes_are_stacked_and_later_members_are_preferred(void **state)
{
    (void)state;
    /* Both calls of member 1 are gone, which takes two changes; one change of members 0 and 1. */
    static const char *const wanted[] = {"  ", "\nlet z = [a b 3];\n", "g([x]);  g();"};
    size_t once[3] = {0}, stacked[3] = {0};
    struct evolution v;
    assert_int_equal(open_evolution(&v, read_text(calls)), PARE_OK);
    count_texts(&v, wanted, 3, once);
    pare_population_evolver_stack(v.evolver, 4);
    assert_int_equal(pare_population_evolver_prefer(v.evolver, NULL), PARE_OK); /* the later one */
    count_texts(&v, wanted, 3, stacked);
    assert_int_equal(once[0], 0);
    assert_true(stacked[0] > 0);
    assert_true(once[1] && stacked[1] && once[2] && stacked[2]);
    /* Member 1 against member 0. */
    assert_true(stacked[2] * once[1] > stacked[1] * once[2]);
    pare_grammar *grammar = v.grammar;
    close_evolution(&v);
    pare_grammar_free(grammar);
}

/* What each creator makes is met. */
static void test_population__creators_do_what_they_are_called_for(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
    } wanted[] = {
        {"delete", "\nlet z = [a b 3];\n"},              /* one call is left out */
        {"delete", "f(x);\nlet z = [a b 3];\n"},         /* a round of `, arg` */
        {"replicate", "g([[x]]);  g();g();"},            /* a call once more */
        {"shuffle", "let z = [a b 3];\nf(x, 1+y-2);\n"}, /* calls */
        {"shuffle", "f(x, 1+y-2);\nlet z = [3 a b];\n"}, /* elements */
        {"hoist", "g([x]);  g();"},
        {"swap", "f(x, 2+y-1);\nlet z = [a b 3];\n"},
        {"insert", "g([[x]x]);  g();"},
        {"replace", "f(x, 1+y-2);\ng();\n"},
        {"recombine", "f(x, 1+y-2);\nlet z = [a b x 3];\n"},
    };
    bool met[sizeof wanted / sizeof *wanted] = {false};
    struct evolution v;
    pare_choices choices = {0};
    pare_buffer text = {0};
    assert_int_equal(open_evolution(&v, read_text(calls)), PARE_OK);
    pare_generator generator = pare_population_evolver_generator(v.evolver);
    for (uint64_t seed = 0; seed < 60000; seed++) {
        pare_choices_seed(&choices, seed);
        pare_buffer_reset(&text);
        if (generator.run(generator.self, &choices, &text, NULL)) continue;
        for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
            if (text.size == strlen(wanted[i].text) &&
                memcmp(text.data, wanted[i].text, text.size) == 0)
                met[i] = true;
    }
    bool all = true;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        if (!met[i]) print_message("%s: never made: %s\n", wanted[i].what, wanted[i].text);
        all = all && met[i];
    }
    assert_true(all);
    pare_buffer_done(&text);
    pare_choices_done(&choices);
    pare_grammar *grammar = v.grammar;
    close_evolution(&v);
    pare_grammar_free(grammar);
}

static void test_population__what_is_not_in_the_language_is_no_member(void **state)
{
    (void)state;
    struct evolution v;
    bool added = true;
    assert_int_equal(open_evolution(&v, read_text(calls)), PARE_OK);
    size_t n = v.population.n;
    const pare_text_reader reader = pare_parser_reader(v.parser);
    assert_int_equal(pare_population_add(&v.population, &reader, "f(", 2, &added, NULL), PARE_OK);
    assert_false(added);
    assert_int_equal(v.population.n, n);
    pare_grammar *grammar = v.grammar;
    close_evolution(&v);
    pare_grammar_free(grammar);
}

/* A list that its grammar nests to the right is as deep as it is long. */
static void test_population__members_may_be_deep(void **state)
{
    (void)state;
    enum { SIZE = 15000 };
    static char member[SIZE];
    struct evolution v = {.grammar =
                              read_text("grammar L;\nfile: list EOF;\nlist: item list | item;\n"
                                        "item: 'a' | 'b';\n")};
    const pare_evolver_options options = {.table = &v.table};
    pare_choices choices = {0};
    pare_buffer text = {0};
    bool added = false;
    memset(member, 'a', sizeof member);
    assert_int_equal(pare_expansion_table_init(&v.table, v.grammar, 0, NULL), PARE_OK);
    assert_int_equal(pare_parser_new(v.grammar, 0, &v.parser, NULL), PARE_OK);
    const pare_text_reader reader = pare_parser_reader(v.parser);
    assert_int_equal(
        pare_population_add(&v.population, &reader, member, sizeof member, &added, NULL), PARE_OK);
    assert_true(added);
    assert_int_equal(pare_population_evolver_new(&v.population, &options, &v.evolver, NULL),
                     PARE_OK);
    pare_generator generator = pare_population_evolver_generator(v.evolver);
    const double begin_s = pare_clock_thread_cpu_s();
    for (uint64_t seed = 0; seed < 30; seed++) {
        pare_choices_seed(&choices, seed);
        pare_buffer_reset(&text);
        pare_status status = generator.run(generator.self, &choices, &text, NULL);
        assert_true(status == PARE_OK || status == PARE_E_UNSUPPORTED);
    }
    assert_true(pare_clock_thread_cpu_s() - begin_s < 20);
    pare_buffer_done(&text);
    pare_choices_done(&choices);
    pare_grammar *grammar = v.grammar;
    close_evolution(&v);
    pare_grammar_free(grammar);
}

static pare_status evolve_once(void *context)
{
    struct evolution v;
    pare_choices choices = {0};
    pare_buffer text = {0};
    pare_status status = open_evolution(&v, context);
    for (uint64_t seed = 1; !status && seed < 12; seed++) {
        pare_generator generator = pare_population_evolver_generator(v.evolver);
        pare_choices_seed(&choices, seed);
        status = generator.run(generator.self, &choices, &text, NULL);
        if (status == PARE_E_UNSUPPORTED) status = PARE_OK;
    }
    pare_buffer_done(&text);
    pare_choices_done(&choices);
    close_evolution(&v);
    return status;
}

static void test_population__every_allocation_may_fail(void **state)
{
    (void)state;
    pare_grammar *grammar = read_text(calls);
    sweep_allocations(evolve_once, grammar);
    pare_grammar_free(grammar);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            test_population__every_text_is_in_the_language_and_made_again_by_its_choices),
        cmocka_unit_test(test_population__changes_are_stacked_and_later_members_are_preferred),
        cmocka_unit_test(test_population__creators_do_what_they_are_called_for),
        cmocka_unit_test(test_population__what_is_not_in_the_language_is_no_member),
        cmocka_unit_test(test_population__members_may_be_deep),
        cmocka_unit_test(test_population__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
