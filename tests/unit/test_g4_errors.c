/* The ANTLR v4 reader: each mistake gets a sentence with its place; the collection of
 * public grammars is read without one. */
/* tests: src/grammar/g4_lex.c src/grammar/g4_parse.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glob.h>
#include <libgen.h>
#include <stdlib.h>
#include <time.h>

#include "unit/support/grammar_text.h"

static const struct {
    const char *text, *message;
} mistakes[] = {
    {"", "W.g4:1:1: expected 'grammar NAME;', found the end of the file"},
    {"grammar", "W.g4:1:8: expected the grammar's name, found the end of the file"},
    {"grammar G;", "W.g4: the grammar has no rules"},
    {"grammar G; a : b ;", "W.g4:1:16: rule 'b' is not defined (in rule 'a')"},
    {"grammar G;\n\xC3\xA4 : b;", "W.g4:2:5: rule 'b' is not defined (in rule '\xC3\xA4')"},
    {"grammar G; a : 'x' ; a : 'y' ;", "W.g4:1:22: rule 'a' is defined twice, first in line 1"},
    {"grammar G; a : 'x' b : 'y' ;",
     "W.g4:1:22: expected ';' before the next rule, found ':' (in rule 'a')"},
    {"grammar G; a : ('x' ;",
     "W.g4:1:21: expected an element, '|' or ';', found ';' (in rule 'a')"},
    {"grammar G; a : 'x' ) ;",
     "W.g4:1:20: expected an element, '|' or ';', found ')' (in rule 'a')"},
    {"grammar G; a : 'x' ", "W.g4:1:20: expected an element, '|' or ';', found the end of the file "
                            "(in rule 'a')"},
    {"grammar G; a : 'x", "W.g4:1:16: the literal does not end"},
    {"grammar G; a : {x ;", "W.g4:1:16: the action does not end"},
    {"grammar G; /* a", "W.g4:1:12: the comment does not end"},
    {"grammar G; A : [a ;", "W.g4:1:16: the set of characters does not end"},
    {"grammar G; A : [] ;", "W.g4:1:16: the set of characters is empty"},
    {"grammar G; A : '' ;", "W.g4:1:16: the literal is empty"},
    {"grammar G; A : [z-a] ;", "W.g4:1:16: the range U+007A..U+0061 goes backwards"},
    {"grammar G; A : 'z'..'a' ;", "W.g4:1:16: the range goes backwards (in rule 'A')"},
    {"grammar G; A : 'ab'..'c' ;", "W.g4:1:16: 'ab' is not one character (in rule 'A')"},
    {"grammar G; A : '\\u12' ;",
     "W.g4:1:16: '\\u' needs four hexadecimal digits, or up to six in braces"},
    {"grammar G; A : '\\u{}' ;",
     "W.g4:1:16: '\\u' needs four hexadecimal digits, or up to six in braces"},
    {"grammar G; A : '\\u{110000}' ;",
     "W.g4:1:16: '\\u' needs four hexadecimal digits, or up to six in braces"},
    {"grammar G; A : '\\p{L}' ;", "W.g4:1:16: a property can stand in a set only"},
    {"grammar G; A : [\\p] ;", "W.g4:1:16: '\\p' needs a property's name in braces"},
    {"grammar G; A : [a-\\p{L}] ;", "W.g4:1:16: a property can not end a range"},
    {"grammar G; A : ~B ; B : 'b' ;",
     "W.g4:1:17: 'B' can not be negated: only characters and sets can (in rule 'A')"},
    {"grammar G; A : a ; a : 'x' ;", "W.g4:1:16: rule 'a' is not a lexer rule (in rule 'A')"},
    {"grammar G; A : B ;", "W.g4:1:16: rule 'B' is not defined (in rule 'A')"},
    {"grammar G; a : 'a'..'b' ;", "W.g4:1:16: a parser rule can not have a range (in rule 'a')"},
    {"grammar G; a : [a] ;", NULL},
    {"grammar G; a : 'a' -> skip ;", "W.g4:1:20: only lexer rules can have commands (in rule 'a')"},
    {"grammar G; A : 'a' -> hide ;", "W.g4:1:23: there is no command 'hide' (in rule 'A')"},
    {"grammar G; A : 'a' -> skip(x) ;",
     "W.g4:1:23: command 'skip' has not an argument (in rule 'A')"},
    {"grammar G; A : 'a' -> type ;", "W.g4:1:23: command 'type' needs an argument (in rule 'A')"},
    {"grammar G; A : 'a' -> channel(X) ;", "W.g4:1:31: channel 'X' is not declared (in rule 'A')"},
    {"grammar G; A : 'a' -> mode(X) ;", "W.g4:1:28: mode 'X' is not defined (in rule 'A')"},
    {"grammar G; A : 'a' -> type(99) ;", "W.g4:1:28: there is no token type 99 (in rule 'A')"},
    {"grammar G; A : 'a' -> skip 'b' ;",
     "W.g4:1:28: expected the alternative to end behind its commands, found ''b'' (in rule 'A')"},
    {"grammar G; mode X; A : 'a' ;", "W.g4:1:12: only a lexer grammar can have modes"},
    {"lexer grammar G; a : 'a' ;", "W.g4:1:18: a parser rule in a lexer grammar (in rule 'a')"},
    {"parser grammar G; A : 'a' ;", "W.g4:1:19: a lexer rule in a parser grammar (in rule 'A')"},
    {"parser grammar G; a : 'a' ;", "W.g4:1:23: no lexer rule makes 'a' (in rule 'a')"},
    {"parser grammar G; options { tokenVocab = L; } a : ;",
     "W.g4:1:42: the lexer 'L' was not found"},
    {"grammar G; import H; a : ;", "W.g4:1:19: the imported grammar 'H' was not found"},
    {"grammar G; fragment a : ;", "W.g4:1:21: only lexer rules can be fragments (in rule 'a')"},
    {"grammar G; a : ('x' # label) ;",
     "W.g4:1:21: only alternatives of parser rules can have labels, found '#' (in rule 'a')"},
    {"grammar G; a : 'x' # l 'y' ;",
     "W.g4:1:24: expected '|' or ';' behind the label, found ''y'' (in rule 'a')"},
    {"grammar G; options { caseInsensitive = maybe; } a : ;",
     "W.g4:1:40: caseInsensitive is true or false"},
    {"grammar G; options { x = ; } a : ;", "W.g4:1:26: expected the option's value, found ';'"},
    {"grammar G; a : * ;", "W.g4:1:16: expected an element, '|' or ';', found '*' (in rule 'a')"},
    {"grammar G; a : ~ ;", "W.g4:1:18: expected a name, a literal or a set, found ';' "
                           "(in rule 'a')"},
    {"grammar G; a : % ;", "W.g4:1:16: unexpected character 0x25"},
    {"grammar G; 'x' : ;", "W.g4:1:12: expected a rule, found ''x''"},
    {"grammar G; @x y", "W.g4:1:15: expected an action, found 'y'"},
};

static void test_g4_errors__each_mistake_has_its_place_and_sentence(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        pare_grammar *grammar = NULL;
        pare_error err = {0};
        pare_g4_source only = source("W.g4", mistakes[i].text);
        pare_status status = pare_grammar_file_read_g4_sources(
            &only, 1, &(pare_g4_options){.memory_only = true}, &grammar, &err);
        if (mistakes[i].message) assert_string_equal(err.message, mistakes[i].message);
        assert_int_equal(status, PARE_E_SYNTAX);
        assert_null(grammar);
        assert_true(err.line > 0 || strstr(err.message, "no rules"));
    }
}

static void test_g4_errors__sources_must_be_one_grammar(void **state)
{
    (void)state;
    pare_grammar *grammar = NULL;
    pare_error err = {0};
    const pare_g4_source two[] = {source("a.g4", "grammar A; a : ;"),
                                  source("b.g4", "parser grammar B; b : ;")};
    assert_int_equal(pare_grammar_file_read_g4_sources(two, 2, NULL, &grammar, &err), PARE_E_ARG);
    assert_string_equal(err.message, "a.g4 and b.g4 are both parsers: give one of them");
    assert_int_equal(pare_grammar_file_read_g4_sources(two, 0, NULL, &grammar, NULL), PARE_E_ARG);
    const char *missing = "/nowhere/x.g4";
    assert_int_equal(pare_grammar_file_read_g4(&missing, 1, &grammar, NULL), PARE_E_IO);
    assert_null(grammar);
}

/* --- the collection -------------------------------------------------------- */

static double now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Reads one file of the collection, with the lexer it names; returns ms. */
static double read_file(const char *path)
{
    pare_grammar *grammar = NULL;
    pare_error err = {0};
    double start = now_ms();
    pare_status status = pare_grammar_file_read_g4(&path, 1, &grammar, &err);
    double took = now_ms() - start;
    if (status) print_error("%s\n", err.message);
    assert_int_equal(status, PARE_OK);
    assert_true(pare_grammar_check(grammar));
    pare_grammar_free(grammar);
    return took;
}

static void test_g4_errors__the_collection_is_read_without_one(void **state)
{
    (void)state;
    glob_t files = {0};
    const char *root = getenv("PARE_SOURCE_DIR");
    char pattern[4096];
    (void)snprintf(pattern, sizeof pattern, "%s/../shared/grammars-v4/*/*.g4", root ? root : ".");
    if (glob(pattern, 0, NULL, &files) != 0) {
        print_message("no collection of grammars at ../shared: skipped\n");
        globfree(&files);
        skip();
    }
    double slowest = 0;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        double took = read_file(files.gl_pathv[i]);
        if (took > slowest) slowest = took;
    }
    print_message("%zu files, the slowest in %.1f ms\n", files.gl_pathc, slowest);
    globfree(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_g4_errors__each_mistake_has_its_place_and_sentence),
        cmocka_unit_test(test_g4_errors__sources_must_be_one_grammar),
        cmocka_unit_test(test_g4_errors__the_collection_is_read_without_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
