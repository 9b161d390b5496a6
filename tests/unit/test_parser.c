/* What a syntax error says: what was found, and exactly what could have stood there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "grammar/fuzzingbook.h"
#include "unit/alloc_sweep.h"
#include "unit/support/parse_text.h"

#define TOKENS " I : [a-z]+ ; N : [0-9]+ ; WS : [ ]+ -> skip ;"

static void test_parser__says_what_was_found_and_what_was_expected(void **state)
{
    (void)state;
    const char *call = "grammar T; s : 'a' '(' I ')' EOF ;" TOKENS;
    assert_parse(call, "a(x", "!found the end of the input, expected ')'");
    assert_parse(call, "a((x)", "!found '(', expected I");
    assert_parse(call, "a)", "!found ')', expected '('");
    assert_parse(call, "a(x) y", "!found 'y', expected the end of the input");
    assert_parse(call, "", "!found the end of the input, expected 'a'");
}

static void test_parser__expects_all_that_may_come(void **state)
{
    (void)state;
    const char *list = "grammar T; s : '(' (I | N)* ')' EOF ;" TOKENS;
    assert_parse(list, "( x ( y )", "!found '(', expected ')', I or N");
    const char *option = "grammar T; s : I ('=' N)? ';' EOF ;" TOKENS;
    assert_parse(option, "x 1 1 ;", "!found '1', expected '=' or ';'");
    const char *line = "grammar T; s : l+ EOF ; l : I+ '=' N ';' | I+ ':' ';' ;" TOKENS;
    assert_parse(line, "x: ; y z ; w: ;", "!found ';', expected '=', ':' or I");
    const char *labelled = "grammar T; s : a N EOF ; a : 'x' # p | 'y' # q ;" TOKENS;
    assert_parse(labelled, "1", "!found '1', expected 'x' or 'y'");
}

/* The same rule in two places: only what may follow here is expected. */
static void test_parser__expects_nothing_that_the_context_rules_out(void **state)
{
    (void)state;
    const char *e = "grammar T; s : e ';' EOF ; e : e '*' e | e '+' e | N | '(' e ')' ;" TOKENS;
    assert_parse(e, "1 + ;", "!found ';', expected '(' or N");
    assert_parse(e, "( 1 + 2 ;", "!found ';', expected '*', '+' or ')'");
    assert_parse(e, "1 + 2 )", "!found ')', expected ';', '*' or '+'");
    const char *tail = "grammar T; s : '[' t ']' | '<' t '>' ; t : I o ; o : N? ;" TOKENS;
    assert_parse(tail, "< x ]", "!found ']', expected '>' or N");
}

static void test_parser__cuts_long_lists_and_long_tokens(void **state)
{
    (void)state;
    const char *many =
        "grammar T; s : ('a'|'b'|'c'|'d'|'e'|'f'|'g'|'h'|'i'|'j') EOF ; N : [0-9]+ ;";
    assert_parse(many, "1",
                 "!found '1', expected 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h' or 2 others");
    const char *nine = "grammar T; s : ('a'|'b'|'c'|'d'|'e'|'f'|'g'|'h'|'i') EOF ; N : [0-9]+ ;";
    assert_parse(nine, "1", "!found '1', expected 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h' or 'i'");
    assert_parse("grammar T; s : 'a' EOF ;" TOKENS,
                 "111111111122222222223333333333444444444455555555556666666666777",
                 "!found '111111111122222222223333333333444444444455555555556666666666...', "
                 "expected 'a'");
}

static void test_parser__quotes_what_does_not_lex(void **state)
{
    (void)state;
    const char *hidden = "grammar T; s : I ; H : '#' -> channel(HIDDEN) ;" TOKENS;
    assert_parse(hidden, "?", "!no token matches '?'");
    assert_parse(hidden, "\n", "!no token matches '\\n'");
    assert_parse(hidden, "\xFF", "!no token matches '\xEF\xBF\xBD'");
}

static void test_parser__names_classes_of_characters_without_a_lexer(void **state)
{
    (void)state;
    static const char book[] =
        "{\"<start>\": [\"[<n>]\"], \"<n>\": [\"0\", \"1\", \"2\", \"\\n\"]}";
    pare_grammar *grammar = NULL;
    assert_int_equal(pare_fuzzingbook_read_memory("book", book, sizeof book - 1, &grammar, NULL),
                     PARE_OK);
    pare_parse_tree tree = parse_with(grammar, "[x]", 3, NULL);
    assert_string_equal(tree.error.message, "found 'x', expected U+000A or '0' to '2'");
    pare_parse_tree_done(&tree);
    pare_grammar_free(grammar);
}

static void test_parser__ends_in_grammars_that_recur_without_end(void **state)
{
    (void)state;
    const char *cycle = "grammar T; s : a EOF ; a : b N | I ; b : a ':' | N ;" TOKENS;
    assert_parse(cycle, "x : y", "!found 'y', expected N");
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

static void test_parser__failing_allocations_lose_nothing(void **state)
{
    (void)state;
    pare_grammar *grammar = read_grammar(
        "grammar T; s : (e ';')* EOF ; e : e '*' e | e '+' e | N ':' N | N | '(' e ')' ;" TOKENS);
    sweep_allocations(parse_wrong, grammar);
    pare_grammar_free(grammar);
}

/* Every letter may begin or end something: the square of the text in items, its cube in ways. */
static void test_parser__bounds_what_a_text_costs(void **state)
{
    (void)state;
    enum { LONG = 4000, SHORT = 12, MOST = 2000 };
    static char text[LONG];
    pare_grammar *grammar = read_grammar("grammar T; s : e EOF ; e : 'a' e e | 'a' e | 'a' ;");
    pare_parser *parser = NULL;
    pare_parse_tree tree = {0};
    pare_error err = {0};
    bool in_language = true;
    memset(text, 'a', sizeof text);
    assert_int_equal(pare_parser_new(grammar, pare_grammar_start(grammar), &parser, NULL), PARE_OK);
    pare_parser_bound(parser, MOST);
    assert_int_equal(pare_parser_run(parser, text, LONG, &tree, NULL, &err), PARE_E_LIMIT);
    assert_non_null(strstr(err.message, "the text has too many derivations"));
    pare_fail_clear(&err);
    /* It says nothing of other texts. */
    assert_int_equal(pare_parser_run(parser, text, SHORT, &tree, NULL, NULL), PARE_OK);
    assert_false(tree.error.any);
    pare_parse_tree_done(&tree);
    const pare_text_reader reader = pare_parser_quick_reader(parser);
    assert_int_equal(reader.read(reader.self, text, LONG, &tree, &in_language, &err), PARE_OK);
    assert_false(in_language || tree.n_nodes || err.message[0]);
    assert_int_equal(reader.read(reader.self, text, SHORT, &tree, &in_language, &err), PARE_OK);
    assert_true(in_language);
    pare_parse_tree_done(&tree);
    pare_parser_free(parser);
    pare_grammar_free(grammar);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parser__says_what_was_found_and_what_was_expected),
        cmocka_unit_test(test_parser__expects_all_that_may_come),
        cmocka_unit_test(test_parser__expects_nothing_that_the_context_rules_out),
        cmocka_unit_test(test_parser__cuts_long_lists_and_long_tokens),
        cmocka_unit_test(test_parser__quotes_what_does_not_lex),
        cmocka_unit_test(test_parser__names_classes_of_characters_without_a_lexer),
        cmocka_unit_test(test_parser__ends_in_grammars_that_recur_without_end),
        cmocka_unit_test(test_parser__failing_allocations_lose_nothing),
        cmocka_unit_test(test_parser__bounds_what_a_text_costs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
