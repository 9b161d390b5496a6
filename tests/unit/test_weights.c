/* Weights in JSON: what they set, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "generate/weights.h"
#include "unit/alloc_sweep.h"
#include "unit/support/grammar_text.h"

static const char sums[] = "grammar S;\n"
                           "s: t ('+' t)* ('!' | '?')? EOF;\n"
                           "t: ID | N | '(' s2 ')';\n"
                           "s2: t;\n"
                           "ID: [a-z]+;\n"
                           "N: [0-9]+;\n";

struct fixture {
    pare_grammar *grammar;
    pare_expansion_table table;
};

static void set_up(struct fixture *f)
{
    f->grammar = read_text(sums);
    assert_int_equal(
        pare_expansion_table_init(&f->table, f->grammar, pare_grammar_start(f->grammar), NULL),
        PARE_OK);
}

static void tear_down(struct fixture *f)
{
    pare_expansion_table_done(&f->table);
    pare_grammar_free(f->grammar);
}

static pare_status read_json(struct fixture *f, const char *json, pare_error *err)
{
    return pare_weights_read(&f->table, "w.json", json, strlen(json), err);
}

/* The weight of an alternative of the rule t. */
static double weight_of(const struct fixture *f, uint32_t number)
{
    pare_index body = f->grammar->rules[pare_grammar_find_rule(f->grammar, "t")].body;
    const pare_ways *ways = &f->table.choices[f->table.details[body]];
    for (uint32_t i = 0; ways->weights && i < ways->n; i++)
        if (f->table.ways[ways->first + i].number == number) return ways->weights[i];
    return -1;
}

static void test_weights__are_of_alternatives_by_number_and_1_where_nothing_is_said(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f);
    assert_int_equal(read_json(&f, "{\"alts\": {\"t\": {\"0\": {\"1\": 10, \"2\": 0}}}}", NULL),
                     PARE_OK);
    assert_float_equal(weight_of(&f, 0), 1, 0);
    assert_float_equal(weight_of(&f, 1), 10, 0);
    assert_float_equal(weight_of(&f, 2), 0, 0);
    tear_down(&f);
}

static void test_weights__a_later_file_counts_where_both_say_something(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f);
    assert_int_equal(read_json(&f, "{\"alts\": {\"t\": {\"0\": {\"0\": 5, \"1\": 7}}}}", NULL),
                     PARE_OK);
    assert_int_equal(read_json(&f, "{\"alts\": {\"t\": {\"0\": {\"1\": 2}}}}", NULL), PARE_OK);
    assert_float_equal(weight_of(&f, 0), 5, 0);
    assert_float_equal(weight_of(&f, 1), 2, 0);
    tear_down(&f);
}

static void test_weights__quantifiers_are_numbered_in_the_order_of_their_beginning(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f);
    assert_int_equal(read_json(&f, "{\"quants\": {\"s\": {\"0\": 0.75, \"1\": 0.25}}}", NULL),
                     PARE_OK);
    size_t n = 0;
    for (pare_index i = 0; i < f.grammar->n_exprs; i++) {
        pare_expr_kind kind = f.grammar->exprs[i].kind;
        bool of_s = f.table.rule_of[i] == pare_grammar_find_rule(f.grammar, "s");
        if (!of_s || (kind != PARE_EXPR_STAR && kind != PARE_EXPR_OPTIONAL)) continue;
        assert_true(f.table.chances[i] == (kind == PARE_EXPR_STAR ? 0.75 : 0.25));
        n++;
    }
    assert_int_equal(n, 2);
    tear_down(&f);
}

static void test_weights__texts_are_of_a_token_in_a_rule(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f);
    assert_int_equal(
        read_json(&f, "{\"leaves\": {\"t\": {\"ID\": {\"x\": 3, \"main\": 1}}}, \"fresh\": 0}",
                  NULL),
        PARE_OK);
    pare_index t = pare_grammar_find_rule(f.grammar, "t"),
               id = pare_grammar_find_token(f.grammar, "ID");
    const pare_leaves *leaves = pare_expansion_table_leaves(&f.table, t, id);
    assert_non_null(leaves);
    assert_int_equal(leaves->n, 2);
    assert_null(pare_expansion_table_leaves(&f.table, t, pare_grammar_find_token(f.grammar, "N")));
    assert_float_equal(f.table.fresh, 0, 0);
    tear_down(&f);
}

static void test_weights__what_is_not_understood_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "[]",
        "{",
        "{\"alts\": 1}",
        "{\"alts\": {\"no\": {}}}",
        "{\"alts\": {\"t\": {\"1\": {\"0\": 1}}}}",
        "{\"alts\": {\"t\": {\"0\": {\"3\": 1}}}}",
        "{\"alts\": {\"t\": {\"0\": {\"0\": -1}}}}",
        /* The sum would be infinite, and always the last alternative be drawn. */
        "{\"alts\": {\"t\": {\"0\": {\"0\": 1e308, \"1\": 1e308}}}}",
        "{\"leaves\": {\"t\": {\"ID\": {\"x\": 1e308, \"y\": 1e308}}}}",
        "{\"alts\": {\"t\": {\"0\": {\"0\": 0, \"1\": 0, \"2\": 0}}}}",
        "{\"quants\": {\"s\": {\"0\": 1}}}",
        "{\"quants\": {\"s\": {\"2\": 0.5}}}",
        "{\"leaves\": {\"t\": {\"NO\": {\"x\": 1}}}}",
        "{\"leaves\": {\"t\": {\"ID\": {\"x\": 0}}}}",
        "{\"fresh\": 2}",
    };
    struct fixture f;
    set_up(&f);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        pare_error err = {0};
        if (read_json(&f, wrong[i], &err) != PARE_E_SYNTAX) fail_msg("taken: %s", wrong[i]);
        assert_memory_equal(err.message, "w.json", 6);
    }
    tear_down(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weights__are_of_alternatives_by_number_and_1_where_nothing_is_said),
        cmocka_unit_test(test_weights__a_later_file_counts_where_both_say_something),
        cmocka_unit_test(test_weights__quantifiers_are_numbered_in_the_order_of_their_beginning),
        cmocka_unit_test(test_weights__texts_are_of_a_token_in_a_rule),
        cmocka_unit_test(test_weights__what_is_not_understood_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
