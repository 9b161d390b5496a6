/* The lexer: what wins, modes and commands, lazy loops, errors, encodings. */
/* tests: src/parse/dfa.c src/parse/dfa.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "parse/dfa.h"
#include "parse/lexer.h"
#include "unit/alloc_sweep.h"
#include "unit/support/parse_text.h"

/* Shows tokens as "NAME:text NAME:text"; other channels as "NAME/channel:text". */
static void show(const pare_grammar *grammar, const pare_tokens *tokens, const char *text,
                 char *shown, size_t limit)
{
    size_t size = 0;
    shown[0] = '\0';
    for (size_t i = 0; i < tokens->n; i++) {
        pare_token t = tokens->tokens[i];
        bool error = t.type == PARE_TOKEN_ERROR;
        char channel[16] = "";
        if (!error && t.channel) snprintf(channel, sizeof channel, "/%u", t.channel);
        int n = snprintf(shown + size, limit - size, "%s%s%s:%.*s", i ? " " : "",
                         error ? "!" : grammar->tokens[t.type].name, channel,
                         (int)(t.end - t.begin), text + t.begin);
        assert_true(n > 0 && (size_t)n < limit - size);
        size += (size_t)n;
    }
}

static void assert_tokens(const char *rules, const char *text, const char *expected)
{
    char shown[1024];
    pare_grammar *grammar = read_grammar(rules);
    pare_lexer *lexer = NULL;
    pare_tokens tokens = {0};
    assert_int_equal(pare_lexer_new(grammar, &lexer, NULL), PARE_OK);
    assert_int_equal(pare_lexer_run(lexer, 0, text, strlen(text), &tokens, NULL), PARE_OK);
    show(grammar, &tokens, text, shown, sizeof shown);
    assert_string_equal(shown, expected);
    pare_lexer_tokens_done(&tokens);
    pare_lexer_free(lexer);
    pare_grammar_free(grammar);
}

static void test_lexer__longest_then_first_rule_wins(void **state)
{
    (void)state;
    assert_tokens("lexer grammar T; IF : 'if' ; ID : [a-z]+ ;", "ififif", "ID:ififif");
    assert_tokens("lexer grammar T; IF : 'if' ; ID : [a-z]+ ;", "if", "IF:if");
    assert_tokens("lexer grammar T; A : 'a' ; B : 'abc' ; C : 'b' ;", "abab", "A:a C:b A:a C:b");
}

static void test_lexer__lazy_loops_stop_at_the_first_end(void **state)
{
    (void)state;
    assert_tokens("lexer grammar T; C : '/*' .*? '*/' ; X : . ;", "/*a*/b*/",
                  "C:/*a*/ X:b X:* X:/");
    assert_tokens("lexer grammar T; C : '/*' .* '*/' ; X : . ;", "/*a*/b*/", "C:/*a*/b*/");
    assert_tokens("lexer grammar T; S : '\"' ('\\\\' . | .)*? '\"' ;", "\"a\\\"b\"\"c\"",
                  "S:\"a\\\"b\" S:\"c\"");
    assert_tokens("lexer grammar T; A : 'a'+? 'b'? ; B : 'b' ;", "aab", "A:a A:ab");
}

static void test_lexer__rules_may_nest(void **state)
{
    (void)state;
    assert_tokens("lexer grammar T; C : '(' (C | ~[()])* ')' ; X : . ;", "((a)(b(c)))x",
                  "C:((a)(b(c))) X:x");
}

static void test_lexer__modes_and_commands(void **state)
{
    (void)state;
    const char *modes = "lexer grammar T; O : '<' -> pushMode(IN) ; T : ~'<'+ ;"
                        " mode IN ; C : '>' -> popMode ; N : [a-z]+ ; W : ' ' -> channel(HIDDEN) ;"
                        " Z : '0' -> skip ; M : '#' -> more ; K : '=' -> type(N) ;";
    assert_tokens(modes, "a<b c0>d", "T:a O:< N:b W/1:  N:c C:> T:d");
    assert_tokens(modes, "<##b=", "O:< N:##b N:=");
}

static void test_lexer__errors_are_tokens_and_lexing_goes_on(void **state)
{
    (void)state;
    assert_tokens("lexer grammar T; A : 'a' ; B : 'bcd' ;", "a?a", "A:a !:? A:a");
    assert_tokens("lexer grammar T; A : 'a' ; B : 'bcd' ;", "bcaa", "!:bca A:a");
    assert_tokens("lexer grammar T; A : 'a' ; B : 'bcd' ;", "abc", "A:a !:bc");
    /* A rule of which an alternative ends in `more` makes no type of its own. */
    assert_tokens("lexer grammar T; Q : '<' | 'a' -> more ; X : 'x' ;", "xa<x", "X:x !:a< X:x");
}

static void test_lexer__case_end_and_code_points(void **state)
{
    (void)state;
    assert_tokens("lexer grammar T; options { caseInsensitive = true; } A : 'ab' [c-d] ;", "aBDABc",
                  "A:aBD A:ABc");
    assert_tokens("lexer grammar T; C : '#' ~[\\n]* ('\\n' | EOF) ;", "#a\n#b", "C:#a\n C:#b");
    assert_tokens("lexer grammar T; E : [\\u{1F600}-\\u{1F64F}] ; A : [\\u00E4] ; R : [\\uFFFD] ;",
                  "\xF0\x9F\x98\x80\xC3\xA4\xFF", "E:\xF0\x9F\x98\x80 A:\xC3\xA4 R:\xFF");
}

static void test_lexer__endless_calls_are_an_error(void **state)
{
    (void)state;
    pare_grammar *grammar = read_grammar("lexer grammar T; A : 'a' | B 'c' ; B : A 'b' | 'b' ;");
    pare_lexer *lexer = NULL;
    pare_tokens tokens = {0};
    assert_int_equal(pare_lexer_new(grammar, &lexer, NULL), PARE_OK);
    assert_int_equal(pare_lexer_run(lexer, 0, "a", 1, &tokens, NULL), PARE_E_LIMIT);
    assert_null(tokens.tokens);
    pare_lexer_free(lexer);
    pare_grammar_free(grammar);
}

static void test_lexer__places_count_code_points(void **state)
{
    (void)state;
    uint32_t line, column;
    pare_lexer_place("a\n\xC3\xA4\xFF"
                     "b",
                     5, &line, &column);
    assert_int_equal(line, 2);
    assert_int_equal(column, 2);
}

static pare_status lex_once(void *context)
{
    pare_lexer *lexer = NULL;
    pare_tokens tokens = {0};
    pare_status status = pare_lexer_new(context, &lexer, NULL);
    if (status == PARE_OK) status = pare_lexer_run(lexer, 0, "a<((b))>", 8, &tokens, NULL);
    assert_int_equal(tokens.tokens != NULL, status == PARE_OK);
    pare_lexer_tokens_done(&tokens);
    pare_lexer_free(lexer);
    return status;
}

/* A token that nests needs a state a level; a row of a state is as wide as there are kinds
 * of characters. */
static void test_lexer__states_are_forgotten_once_when_there_are_too_many(void **state)
{
    (void)state;
    enum { KINDS = 400, DEEP = 60000 };
    static char rules[KINDS * 32] = "lexer grammar T; N : '(' N? ')' ;";
    for (int i = 0; i < KINDS; i++) {
        size_t size = strlen(rules);
        (void)snprintf(rules + size, sizeof rules - size, " T%d : '\\u{%X}' ;", i, 0x1000 + i);
    }
    pare_grammar *grammar = read_grammar(rules);
    pare_dfa *dfa = NULL;
    uint32_t at;
    assert_int_equal(pare_dfa_new(grammar, &dfa, NULL), PARE_OK);
    const size_t before = pare_dfa_epoch(dfa);
    assert_int_equal(pare_dfa_start(dfa, 0, &at, NULL), PARE_OK);
    for (int i = 0; i < DEEP; i++)
        assert_int_equal(pare_dfa_step(dfa, at, '(', &at, NULL), PARE_OK);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(pare_dfa_start(dfa, 0, &at, NULL), PARE_OK);
        assert_int_equal(pare_dfa_step(dfa, at, '(', &at, NULL), PARE_OK);
        assert_int_equal(pare_dfa_step(dfa, at, ')', &at, NULL), PARE_OK);
        assert_true(pare_dfa_accepts(dfa, at).rule != PARE_NO_INDEX);
    }
    assert_int_equal(pare_dfa_epoch(dfa), before + 1);
    pare_dfa_free(dfa);
    pare_grammar_free(grammar);
}

static void test_lexer__reports_oom(void **state)
{
    (void)state;
    pare_grammar *grammar =
        read_grammar("lexer grammar T; A : [a-z]+ ; O : '<' -> pushMode(M) ; mode M ;"
                     " C : '(' C ')' | [b] ; E : '>' -> popMode ;");
    sweep_allocations(lex_once, grammar);
    pare_grammar_free(grammar);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lexer__longest_then_first_rule_wins),
        cmocka_unit_test(test_lexer__lazy_loops_stop_at_the_first_end),
        cmocka_unit_test(test_lexer__rules_may_nest),
        cmocka_unit_test(test_lexer__modes_and_commands),
        cmocka_unit_test(test_lexer__errors_are_tokens_and_lexing_goes_on),
        cmocka_unit_test(test_lexer__case_end_and_code_points),
        cmocka_unit_test(test_lexer__endless_calls_are_an_error),
        cmocka_unit_test(test_lexer__places_count_code_points),
        cmocka_unit_test(test_lexer__states_are_forgotten_once_when_there_are_too_many),
        cmocka_unit_test(test_lexer__reports_oom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
