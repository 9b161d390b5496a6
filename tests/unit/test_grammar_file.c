/* Grammars in files: the notation by the name, and the rule to start with. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "grammar/grammar_file.h"
#include "unit/support/scratch.h"

static pare_grammar *read_file(const char *name)
{
    pare_grammar *grammar = NULL;
    assert_int_equal(pare_grammar_file_read(&name, 1, &grammar, NULL), PARE_OK);
    assert_true(pare_grammar_check(grammar));
    return grammar;
}

static pare_index start_of(const pare_grammar *grammar, const char *name)
{
    pare_index start = PARE_NO_INDEX;
    assert_int_equal(pare_grammar_file_start(grammar, name, &start, NULL), PARE_OK);
    return start;
}

static void assert_no_start(const pare_grammar *grammar, const char *name, const char *sentence)
{
    pare_index start = 7;
    pare_error err = {0};
    assert_int_equal(pare_grammar_file_start(grammar, name, &start, &err), PARE_E_ARG);
    assert_string_equal(err.message, sentence);
    assert_int_equal(start, 7);
}

static void test_grammar_file__the_extension_tells_the_notation(void **state)
{
    (void)state;
    scratch_write("book.json", "{\"<s>\": [\"x\"]}", 0600);
    scratch_write("W.g4", "grammar W; s : 'x' ;", 0600);
    pare_grammar *book = read_file("book.json"), *antlr = read_file("W.g4");
    assert_true(book->scannerless);
    assert_false(antlr->scannerless);
    pare_grammar_free(book);
    pare_grammar_free(antlr);
    const char *both[] = {"book.json", "W.g4"};
    pare_grammar *none = NULL;
    assert_int_equal(pare_grammar_file_read(both, 2, &none, NULL), PARE_E_SYNTAX);
    assert_null(none);
}

static void test_grammar_file__a_rule_may_be_named_without_the_books_brackets(void **state)
{
    (void)state;
    scratch_write("book.json", "{\"<s>\": [\"<t>\"], \"<t>\": [\"x\"]}", 0600);
    pare_grammar *book = read_file("book.json");
    assert_int_equal(start_of(book, "<t>"), 1);
    assert_int_equal(start_of(book, "t"), 1);
    assert_int_equal(start_of(book, NULL), 0);
    assert_no_start(book, "<t", "the grammar has no rule '<t'");
    pare_grammar_free(book);
}

static void test_grammar_file__a_token_is_no_rule_to_start_with(void **state)
{
    (void)state;
    scratch_write("W.g4", "grammar W; s : X ; X : 'x' ;", 0600);
    scratch_write("L.g4", "lexer grammar L; X : 'x' ;", 0600);
    pare_grammar *combined = read_file("W.g4"), *lexer = read_file("L.g4");
    assert_no_start(combined, "X", "the grammar's 'X' is a token: start with a parser rule");
    assert_no_start(combined, "y", "the grammar has no rule 'y'");
    assert_no_start(lexer, NULL, "the grammar has no parser rule to start with");
    pare_grammar_free(combined);
    pare_grammar_free(lexer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grammar_file__the_extension_tells_the_notation),
        cmocka_unit_test(test_grammar_file__a_rule_may_be_named_without_the_books_brackets),
        cmocka_unit_test(test_grammar_file__a_token_is_no_rule_to_start_with),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
