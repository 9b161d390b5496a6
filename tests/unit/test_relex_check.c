/* Minimal texts that the lexer reads back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "grammar/fuzzingbook.h"
#include "parse/relex_check.h"
#include "unit/alloc_sweep.h"
#include "unit/support/grammar_text.h"

/* A grammar's texts, and what they are made from. */
struct texts {
    pare_analysis analysis;
    pare_minimal_texts minimal;
    pare_relex_check *read_back;
};

static pare_status texts_open(const pare_grammar *grammar, struct texts *texts)
{
    *texts = (struct texts){.read_back = NULL};
    pare_status status = pare_analysis_init(&texts->analysis, grammar, NULL);
    if (!status) status = pare_minimal_init(&texts->minimal, &texts->analysis, NULL);
    if (!status) status = pare_relex_check_new(&texts->minimal, &texts->read_back, NULL);
    return status;
}

static void texts_close(struct texts *texts)
{
    pare_relex_check_free(texts->read_back);
    pare_minimal_done(&texts->minimal);
    pare_analysis_done(&texts->analysis);
}

/* The text of a rule, `expected`; one that starts with '?' is not read back. */
static void assert_text(const pare_grammar *grammar, const char *rule, const char *expected)
{
    struct texts texts;
    pare_buffer text = {0};
    bool is_read = false;
    pare_index index = pare_grammar_find_rule(grammar, rule);
    assert_int_equal(texts_open(grammar, &texts), PARE_OK);
    assert_int_equal(
        pare_relex_check_text(texts.read_back, grammar->rules[index].body, &text, &is_read, NULL),
        PARE_OK);
    assert_int_equal(is_read, *expected != '?');
    assert_string_equal(text.data ? text.data : "", expected + (*expected == '?'));
    pare_buffer_done(&text);
    texts_close(&texts);
}

static void test_relex_check__an_identifier_is_no_keyword(void **state)
{
    (void)state;
    pare_grammar *grammar =
        read_text("grammar K; s : 'a' ID ; e : ID ; n : NEVER ; A : 'a' ; B : [b-y] ; "
                  "ID : [a-z] [a-z0-9]* ; NEVER : 'b' ; SPACE : ' ' -> skip ;");
    assert_text(grammar, "e", "z");
    assert_text(grammar, "s", "a z");
    assert_text(grammar, "n", "?b"); /* no text is that token */
    assert_text(grammar, "ID", "a"); /* characters: as they are */
    pare_grammar_free(grammar);
}

static void test_relex_check__between_tokens_is_what_the_lexer_needs(void **state)
{
    (void)state;
    pare_grammar *grammar =
        read_text("grammar S; s : ID '=' '=' ID ID ';' ; l : C ID ; none : 'x' 'y' ; ID : [a-z]+ ;"
                  " EQ : '=' ; EQEQ : '==' ; C : '#' ~'\\n'* ; SPACE : [ \\n] -> skip ;");
    assert_text(grammar, "s", "a= =a a;");
    assert_text(grammar, "l", "#\na");
    pare_grammar_free(grammar);
    grammar = read_text("grammar N; s : ID ID ; ID : [a-z]+ ;");
    assert_text(grammar, "s", "?a a"); /* nothing can stand between */
    pare_grammar_free(grammar);
}

static void test_relex_check__modes_are_those_of_the_first_token(void **state)
{
    (void)state;
    const pare_g4_source sources[] = {
        source("M.g4", "parser grammar M; options { tokenVocab = L; } "
                       "tag : OPEN inner CLOSE ; inner : NAME (EQ NAME)? ; pair : NAME EQ NAME ;"),
        source("L.g4", "lexer grammar L; OPEN : '<' -> pushMode(IN) ; TEXT : ~'<'+ ; mode IN ; "
                       "CLOSE : '>' -> popMode ; EQ : '=' ; NAME : [a-z]+ ; W : ' ' -> skip ;")};
    pare_grammar *grammar = read_sources(sources, 2);
    assert_text(grammar, "tag", "<a>");
    assert_text(grammar, "pair", "a=a");
    pare_grammar_free(grammar);
}

static void test_relex_check__without_a_lexer_there_is_nothing_to_check(void **state)
{
    (void)state;
    static const char text[] = "{\"<start>\": [\"<e>;\"], \"<e>\": [\"<e>+<e>\", \"1\"]}";
    pare_grammar *grammar = NULL;
    assert_int_equal(pare_fuzzingbook_read_memory("b", text, strlen(text), &grammar, NULL),
                     PARE_OK);
    assert_text(grammar, "<start>", "1;");
    pare_grammar_free(grammar);
}

static void test_relex_check__endless_texts_are_a_limit(void **state)
{
    (void)state;
    struct texts texts;
    bool is_read = true;
    pare_buffer text = {0};
    pare_grammar *grammar = read_text("grammar E; s : 'x' s ; A : '(' A ')' ;");
    assert_int_equal(texts_open(grammar, &texts), PARE_OK);
    assert_int_equal(
        pare_relex_check_text(texts.read_back, grammar->rules[0].body, &text, &is_read, NULL),
        PARE_E_LIMIT);
    assert_int_equal(pare_relex_check_token(texts.read_back, 1, &text, NULL, NULL), PARE_OK);
    texts_close(&texts);
    pare_buffer_done(&text);
    pare_grammar_free(grammar);
}

static pare_status make_texts(void *context)
{
    const pare_grammar *grammar = context;
    struct texts texts;
    pare_buffer text = {0};
    bool is_read = false;
    pare_status status = texts_open(grammar, &texts);
    if (!status)
        status =
            pare_relex_check_text(texts.read_back, grammar->rules[0].body, &text, &is_read, NULL);
    if (!status) assert_string_equal(text.data, "a b;");
    pare_buffer_done(&text);
    texts_close(&texts);
    return status;
}

static void test_relex_check__reports_oom(void **state)
{
    (void)state;
    pare_grammar *grammar =
        read_text("grammar O; s : 'a' ID ';' ; ID : [a-z]+ ; SPACE : ' ' -> skip ;");
    sweep_allocations(make_texts, grammar);
    pare_grammar_free(grammar);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_relex_check__an_identifier_is_no_keyword),
        cmocka_unit_test(test_relex_check__between_tokens_is_what_the_lexer_needs),
        cmocka_unit_test(test_relex_check__modes_are_those_of_the_first_token),
        cmocka_unit_test(test_relex_check__without_a_lexer_there_is_nothing_to_check),
        cmocka_unit_test(test_relex_check__endless_texts_are_a_limit),
        cmocka_unit_test(test_relex_check__reports_oom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
