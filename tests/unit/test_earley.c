/* The Earley parser: rests, errors, cost, and limits. */
/* tests: src/parse/parser.c src/parse/chart.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/interrupt.h"
#include "unit/alloc_sweep.h"
#include "unit/support/parse_text.h"

#define TOKENS " N : [0-9]+ ; I : [a-z]+ ; S : ' ' -> skip ;"

static void test_earley__start_rule_may_leave_a_rest(void **state)
{
    (void)state;
    assert_parse("grammar T; s : N+ ;" TOKENS, "1 2 x 3", "(s 1 2)");
    pare_grammar *grammar = read_grammar("grammar T; s : N+ ;" TOKENS);
    pare_parse_cost cost = {0};
    pare_parse_tree tree = parse_with(grammar, "1 2 x 3", 7, &cost);
    assert_int_equal(cost.n_rest, 2);
    pare_parse_tree_done(&tree);
    pare_grammar_free(grammar);
}

static void test_earley__ambiguity_and_cycles_end(void **state)
{
    (void)state;
    assert_parse("grammar T; s : a EOF ; a : b | N ; b : a | I ;" TOKENS, "1", "(s (a 1) <EOF>)");
    pare_grammar *grammar = read_grammar("grammar T; s : a EOF ; a : N | (a a | a a a) ;" TOKENS);
    char text[200];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = i % 2 ? ' ' : '1';
    pare_parse_tree tree = parse_with(grammar, text, sizeof text, NULL);
    assert_false(tree.error.any);
    pare_parse_tree_done(&tree);
    pare_grammar_free(grammar);
}

static void test_earley__error_is_where_the_input_leaves_the_grammar(void **state)
{
    (void)state;
    pare_grammar *grammar = read_grammar("grammar T; s : (I N)+ EOF ;" TOKENS);
    pare_parse_tree tree = parse_with(grammar, "x 1 y z", 7, NULL);
    assert_true(tree.error.any);
    assert_int_equal(tree.error.begin, 6);
    assert_int_equal(tree.error.line, 1);
    assert_int_equal(tree.error.column, 6);
    assert_int_equal(tree.n_errors, 1);
    pare_parse_tree_done(&tree);
    pare_grammar_free(grammar);
}

/* Items for a text of `n` repetitions of `piece`. */
static size_t count_items(const pare_grammar *grammar, const char *piece, size_t n)
{
    size_t length = strlen(piece);
    char *text = pare_alloc(n, length);
    assert_non_null(text);
    for (size_t i = 0; i < n; i++)
        memcpy(text + i * length, piece, length);
    pare_parse_cost cost = {0};
    pare_parse_tree tree = parse_with(grammar, text, n * length, &cost);
    assert_false(tree.error.any);
    pare_parse_tree_done(&tree);
    pare_alloc_free(text);
    return cost.n_items;
}

static void test_earley__lists_and_right_recursion_cost_linear_work(void **state)
{
    (void)state;
    static const char *const grammars[] = {
        "grammar T; s : N* EOF ;" TOKENS,
        "grammar T; s : (N I?)+ EOF ;" TOKENS,
        "grammar T; s : r EOF ; r : N r | ;" TOKENS,
        "grammar T; s : r EOF ; r : N r? ;" TOKENS,
        "grammar T; s : l EOF ; l : l N | N ;" TOKENS,
    };
    for (size_t i = 0; i < sizeof grammars / sizeof *grammars; i++) {
        pare_grammar *grammar = read_grammar(grammars[i]);
        size_t small = count_items(grammar, "1 ", 1000), large = count_items(grammar, "1 ", 10000);
        assert_true(large < 11 * small);
        pare_grammar_free(grammar);
    }
}

static void test_earley__a_million_parentheses(void **state)
{
    (void)state;
    enum { DEPTH = 1000000 };
    pare_grammar *grammar = read_grammar("grammar T; s : p EOF ; p : '(' p ')' | N ;" TOKENS);
    char *text = pare_alloc(2 * DEPTH + 1, 1);
    assert_non_null(text);
    memset(text, '(', DEPTH);
    text[DEPTH] = '1';
    memset(text + DEPTH + 1, ')', DEPTH);
    pare_parse_tree tree = parse_with(grammar, text, 2 * DEPTH + 1, NULL);
    assert_false(tree.error.any);
    assert_int_equal(tree.n_nodes, 3 * DEPTH + 4);
    pare_buffer lisp = {0};
    assert_int_equal(pare_print_lisp(&tree, text, &lisp, NULL), PARE_OK);
    assert_true(lisp.size > DEPTH);
    pare_buffer_done(&lisp);
    pare_parse_tree_done(&tree);
    pare_alloc_free(text);
    pare_grammar_free(grammar);
}

static void test_earley__new_rejects_what_is_no_parser_rule(void **state)
{
    (void)state;
    pare_grammar *grammar = read_grammar("grammar T; s : N ;" TOKENS);
    pare_parser *parser = NULL;
    pare_index lexer_rule = pare_grammar_find_rule(grammar, "N");
    assert_int_equal(pare_parser_new(grammar, lexer_rule, &parser, NULL), PARE_E_ARG);
    assert_int_equal(pare_parser_new(grammar, PARE_NO_INDEX, &parser, NULL), PARE_E_ARG);
    assert_null(parser);
    pare_grammar_free(grammar);
}

/* An ambiguous text, so that every part of the parser allocates. */
static pare_status parse_once(void *context)
{
    const pare_grammar *grammar = context;
    pare_parser *parser = NULL;
    pare_parse_tree tree = {0};
    pare_status status = pare_parser_new(grammar, pare_grammar_start(grammar), &parser, NULL);
    if (status == PARE_OK) status = pare_parser_run(parser, "1 2 3 4", 7, &tree, NULL, NULL);
    assert_int_equal(tree.nodes != NULL, status == PARE_OK);
    pare_parse_tree_done(&tree);
    pare_parser_free(parser);
    return status;
}

static void test_earley__reports_oom(void **state)
{
    (void)state;
    pare_grammar *grammar = read_grammar("grammar T; s : a b* EOF ; a : N* ; b : N N? ;" TOKENS);
    sweep_allocations(parse_once, grammar);
    pare_grammar_free(grammar);
}

/* A grammar that derives each stretch of the text in very many ways. */
static const char ambiguous[] = "grammar T; s : s s s | s s | N ;" TOKENS;

static pare_status parse_ones(const pare_grammar *grammar, size_t n, pare_error *err)
{
    char text[2000];
    pare_parser *parser = NULL;
    pare_parse_tree tree = {0};
    assert_true(2 * n <= sizeof text);
    for (size_t i = 0; i < n; i++)
        memcpy(text + 2 * i, "1 ", 2);
    assert_int_equal(pare_parser_new(grammar, pare_grammar_start(grammar), &parser, NULL), PARE_OK);
    pare_status status = pare_parser_run(parser, text, 2 * n, &tree, NULL, err);
    pare_parse_tree_done(&tree);
    pare_parser_free(parser);
    return status;
}

static void test_earley__too_many_derivations_are_refused_in_a_sentence(void **state)
{
    (void)state;
    pare_error err = {0};
    pare_grammar *grammar = read_grammar(ambiguous);
    assert_int_equal(parse_ones(grammar, 20, &err), PARE_OK);
    assert_int_equal(parse_ones(grammar, 1000, &err), PARE_E_LIMIT);
    assert_non_null(strstr(err.message, "too many derivations"));
    pare_grammar_free(grammar);
}

/* The work is in few sets, and in the choice of the tree. */
static void test_earley__a_stop_is_seen_within_a_set(void **state)
{
    (void)state;
    pare_error err = {0};
    atomic_bool stop = false;
    pare_grammar *grammar = read_grammar(ambiguous);
    (void)pare_interrupt_watch((pare_interrupt){{&stop}});
    pare_interrupt_after(SIZE_MAX);
    assert_int_equal(parse_ones(grammar, 60, &err), PARE_OK);
    const size_t n_looks = pare_interrupt_looks();
    assert_in_range(n_looks, 10, 10000);
    for (size_t i = 0; i < n_looks; i += 1 + n_looks / 20) {
        pare_interrupt_after(i);
        assert_int_equal(parse_ones(grammar, 60, &err), PARE_E_INTERRUPTED);
    }
    pare_interrupt_after(SIZE_MAX);
    (void)pare_interrupt_watch((pare_interrupt){{NULL}});
    pare_grammar_free(grammar);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_earley__start_rule_may_leave_a_rest),
        cmocka_unit_test(test_earley__ambiguity_and_cycles_end),
        cmocka_unit_test(test_earley__error_is_where_the_input_leaves_the_grammar),
        cmocka_unit_test(test_earley__lists_and_right_recursion_cost_linear_work),
        cmocka_unit_test(test_earley__a_million_parentheses),
        cmocka_unit_test(test_earley__new_rejects_what_is_no_parser_rule),
        cmocka_unit_test(test_earley__reports_oom),
        cmocka_unit_test(test_earley__too_many_derivations_are_refused_in_a_sentence),
        cmocka_unit_test(test_earley__a_stop_is_seen_within_a_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
