/* ANTLR's first error: which of its reports, and what it expects. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/alloc_sweep.h"
#include "unit/support/parse_text.h"

#define TOKENS " I : [a-z]+ ; N : [0-9]+ ; WS : [ ]+ -> skip ;"

/* The check before a loop, an option or a choice tells all that may come. */
static void test_descent__checks_before_decisions_tell_what_may_come(void **state)
{
    (void)state;
    const char *list = "grammar T; s : '(' (I | N)* ')' EOF ;" TOKENS;
    assert_parse(list, "( x ( y )", "!extraneous input '(' expecting {')', I, N}");
    assert_parse(list, "( ( (", "!mismatched input '(' expecting {')', I, N}");
    const char *option = "grammar T; s : I ('=' N)? ';' EOF ;" TOKENS;
    assert_parse(option, "x 1 1 ;", "!mismatched input '1' expecting {'=', ';'}");
}

/* A loop that one letter decides is left at any letter, and what is behind it fails. */
static void test_descent__loops_decided_by_one_letter_are_left(void **state)
{
    (void)state;
    const char *list = "grammar T; s : b EOF ; b : '(' l ')' ; l : I (',' I)* ;" TOKENS;
    assert_parse(list, "( x , y", "!missing ')' at '<EOF>'");
    assert_parse(list, "( x y )", "!extraneous input 'y' expecting ')'");
}

/* A lookahead that fails quotes from where its decision began. */
static void test_descent__failing_lookahead_quotes_its_letters(void **state)
{
    (void)state;
    const char *line = "grammar T; s : l+ EOF ; l : I+ '=' N ';' | I+ ':' ';' ;" TOKENS;
    assert_parse(line, "x: ; y z ; w: ;", "!no viable alternative at input 'yz;'");
}

/* Choices that ANTLR makes a set of are matched like a token. */
static void test_descent__sets_of_tokens_are_no_decision(void **state)
{
    (void)state;
    const char *set = "grammar T; s : a N EOF ; a : 'x' | 'y' ;" TOKENS;
    assert_parse(set, "1", "!missing {'x', 'y'} at '1'");
    const char *labelled = "grammar T; s : a N EOF ; a : 'x' # p | 'y' # q ;" TOKENS;
    assert_parse(labelled, "1", "!mismatched input '1' expecting {'x', 'y'}");
}

/* Operators: the loop behind the first operand is left by lookahead. */
static void test_descent__left_recursive_rules_fail_behind_their_operands(void **state)
{
    (void)state;
    const char *e = "grammar T; s : e ';' EOF ; e : e '*' e | e '+' e | N | '(' e ')' ;" TOKENS;
    assert_parse(e, "1 + ;", "!mismatched input ';' expecting {'(', N}");
    assert_parse(e, "( 1 + 2 ;", "!missing ')' at ';'");
}

/* Where ANTLR would refuse the grammar, the letter alone is told. */
static void test_descent__recursion_that_antlr_refuses_is_not_followed(void **state)
{
    (void)state;
    const char *cycle = "grammar T; s : a EOF ; a : b N | I ; b : a ':' | N ;" TOKENS;
    assert_parse(cycle, "x : y", "!no viable alternative at input 'y'");
}

static pare_status parse_wrong(void *context)
{
    pare_parser *parser = NULL;
    pare_parse_tree tree = {0};
    const char *text = "1 + ( 2 * ;";
    pare_status status = pare_parser_new(context, pare_grammar_start(context), &parser, NULL);
    if (!status) status = pare_parser_run(parser, text, strlen(text), &tree, NULL, NULL);
    pare_parse_tree_done(&tree);
    pare_parser_free(parser);
    return status;
}

static void test_descent__failing_allocations_lose_nothing(void **state)
{
    (void)state;
    pare_grammar *grammar = read_grammar(
        "grammar T; s : (e ';')* EOF ; e : e '*' e | e '+' e | N ':' N | N | '(' e ')' ;" TOKENS);
    sweep_allocations(parse_wrong, grammar);
    pare_grammar_free(grammar);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_descent__checks_before_decisions_tell_what_may_come),
        cmocka_unit_test(test_descent__loops_decided_by_one_letter_are_left),
        cmocka_unit_test(test_descent__failing_lookahead_quotes_its_letters),
        cmocka_unit_test(test_descent__sets_of_tokens_are_no_decision),
        cmocka_unit_test(test_descent__left_recursive_rules_fail_behind_their_operands),
        cmocka_unit_test(test_descent__recursion_that_antlr_refuses_is_not_followed),
        cmocka_unit_test(test_descent__failing_allocations_lose_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
