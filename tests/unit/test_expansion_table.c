/* The layout of a grammar for generation: least sizes, ways in order of size, characters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "generate/expansion_table.h"
#include "os/clock.h"
#include "unit/alloc_sweep.h"
#include "unit/support/grammar_text.h"

static const char lists[] = "grammar L;\n"
                            "file: item+ EOF;\n"
                            "item: '(' item item ')' | '[' item ']' | ID | endless;\n"
                            "endless: 'x' endless;\n"
                            "ID: [a-c\\u00e9]+;\n"
                            "fragment UNUSED: 'q';\n";

static pare_index body_of(const pare_grammar *grammar, const char *rule)
{
    return grammar->rules[pare_grammar_find_rule(grammar, rule)].body;
}

static void init(pare_expansion_table *table, pare_grammar **grammar)
{
    *grammar = read_text(lists);
    assert_int_equal(pare_expansion_table_init(table, *grammar, pare_grammar_start(*grammar), NULL),
                     PARE_OK);
    assert_true(pare_expansion_table_check(table));
}

static void done(pare_expansion_table *table, pare_grammar *grammar)
{
    pare_expansion_table_done(table);
    pare_grammar_free(grammar);
}

static void test_expansion_table__sizes_are_least_depth_and_least_tokens(void **state)
{
    (void)state;
    pare_expansion_table table;
    pare_grammar *grammar;
    init(&table, &grammar);
    pare_least item = table.exprs[body_of(grammar, "item")];
    pare_least file = table.exprs[body_of(grammar, "file")];
    assert_int_equal(item.depth, 1);
    assert_int_equal(item.tokens, 1);
    assert_int_equal(file.depth, 2);
    assert_int_equal(file.tokens, 1);
    assert_int_equal(table.exprs[body_of(grammar, "endless")].depth, PARE_NO_SIZE);
    done(&table, grammar);
}

static void test_expansion_table__ways_ascend_and_endless_ones_are_not_there(void **state)
{
    (void)state;
    pare_expansion_table table;
    pare_grammar *grammar;
    init(&table, &grammar);
    const pare_ways *ways = &table.choices[table.details[body_of(grammar, "item")]];
    assert_int_equal(ways->n, 3);
    static const uint32_t numbers[] = {2, 1, 0}, tokens[] = {1, 3, 4};
    for (uint32_t i = 0; i < ways->n; i++) {
        assert_int_equal(table.ways[ways->first + i].number, numbers[i]);
        assert_int_equal(table.ways[ways->first + i].least.tokens, tokens[i]);
    }
    assert_int_equal(ways->tokens, 4);
    done(&table, grammar);
}

static void test_expansion_table__visible_ascii_comes_first_in_a_set(void **state)
{
    (void)state;
    pare_expansion_table table;
    pare_grammar *grammar;
    init(&table, &grammar);
    bool found = false;
    for (size_t i = 0; i < table.n_characters; i++) {
        const pare_characters *set = &table.characters[i];
        if (set->n_total != 4) continue;
        found = true;
        assert_int_equal(set->n_plain, 3);
        assert_memory_equal(set->plain, "abc", 3);
        assert_int_equal(pare_expansion_table_character_at(&table, set, 2), 'c');
        assert_int_equal(pare_expansion_table_character_at(&table, set, 3), 0xe9);
    }
    assert_true(found);
    done(&table, grammar);
}

/* A chain of rules, each of which uses the next one, or the one before.  The sizes of a rule are known
 * only after those of the next: a pass over all rules for each would take many seconds. */
static void test_expansion_table__long_chains_of_rules_take_no_time_for_each(void **state)
{
    (void)state;
    enum { N_RULES = 30000 };
    for (int backwards = 0; backwards < 2; backwards++) {
        pare_buffer text = {0};
        pare_expansion_table table;
        assert_int_equal(pare_buffer_text(&text, "grammar L;\nstart: r0;\n", NULL), PARE_OK);
        for (int i = 0; i < N_RULES; i++) {
            const int rule = backwards ? N_RULES - 1 - i : i;
            const char *form = rule == N_RULES - 1 ? "r%d: 'b';\n" : "r%d: 'a' r%d;\n";
            assert_int_equal(pare_buffer_format(&text, NULL, form, rule, rule + 1), PARE_OK);
        }
        pare_grammar *grammar = read_text(text.data);
        const double begin_s = pare_clock_thread_cpu_s();
        assert_int_equal(pare_expansion_table_init(&table, grammar, 0, NULL), PARE_OK);
        assert_true(pare_clock_thread_cpu_s() - begin_s < 4);
        assert_int_equal(table.exprs[body_of(grammar, "start")].depth, N_RULES + 1);
        assert_int_equal(table.exprs[body_of(grammar, "start")].tokens, N_RULES);
        done(&table, grammar);
        pare_buffer_done(&text);
    }
}

static void test_expansion_table__a_start_without_a_finite_text_is_refused(void **state)
{
    (void)state;
    pare_expansion_table table;
    pare_grammar *grammar = read_text(lists);
    assert_int_equal(pare_expansion_table_init(&table, grammar,
                                               pare_grammar_find_rule(grammar, "endless"), NULL),
                     PARE_E_SYNTAX);
    assert_null(table.exprs);
    pare_grammar_free(grammar);
}

static pare_status try_init(void *context)
{
    const pare_grammar *grammar = context;
    pare_expansion_table table;
    pare_status status =
        pare_expansion_table_init(&table, grammar, pare_grammar_start(grammar), NULL);
    pare_expansion_table_done(&table);
    return status;
}

static void test_expansion_table__reports_oom(void **state)
{
    (void)state;
    pare_grammar *grammar = read_text(lists);
    sweep_allocations(try_init, grammar);
    pare_grammar_free(grammar);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expansion_table__sizes_are_least_depth_and_least_tokens),
        cmocka_unit_test(test_expansion_table__ways_ascend_and_endless_ones_are_not_there),
        cmocka_unit_test(test_expansion_table__visible_ascii_comes_first_in_a_set),
        cmocka_unit_test(test_expansion_table__long_chains_of_rules_take_no_time_for_each),
        cmocka_unit_test(test_expansion_table__a_start_without_a_finite_text_is_refused),
        cmocka_unit_test(test_expansion_table__reports_oom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
