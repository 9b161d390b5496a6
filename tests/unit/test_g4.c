/* The ANTLR v4 reader: what bodies, tokens, modes, channels and commands it makes. */
/* tests: src/grammar/g4_resolve.c src/grammar/g4_lex.c
 * src/grammar/builder.c src/grammar/grammar.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

#include "unit/support/grammar_text.h"

static const char expression[] = "grammar Expr;\n"
                                 "s : e EOF ;\n"
                                 "e : <assoc=right> e '^' e # power\n"
                                 "  | e op=('*'|'/') e # product\n"
                                 "  | '(' e ')'\n"
                                 "  | INT\n"
                                 "  ;\n"
                                 "STAR : '*' ;\n"
                                 "INT : [0-9]+ ;\n"
                                 "WS : [ \\t\\r\\n]+ -> skip ;\n";

static void test_g4__a_combined_grammar_gets_rules_and_alternatives(void **state)
{
    (void)state;
    pare_grammar *grammar = read_text(expression);
    assert_string_equal(grammar->name, "Expr");
    assert_body(grammar, "s", "(e EOF)");
    assert_body(grammar, "e",
                "(right#power(e '^' e) | #product(e op:(STAR | '/') e) | ('(' e ')') | (INT))");
    assert_body(grammar, "INT", "([0-9]+)");
    assert_int_equal(pare_grammar_start(grammar), 0);
    assert_int_equal(grammar->n_warnings, 0);
    pare_grammar_free(grammar);
}

static void test_g4__implicit_tokens_come_first_and_reuse_rules_of_one_literal(void **state)
{
    (void)state;
    pare_grammar *grammar = read_text(expression);
    assert_tokens(grammar, "EOF '^' '/' '(' ')' STAR='*' INT WS");
    pare_index implicit = pare_grammar_find_rule(grammar, "T__0");
    assert_true(implicit < pare_grammar_find_rule(grammar, "STAR"));
    assert_int_equal(grammar->rules[implicit].token, 1);
    assert_body(grammar, "T__0", "(\"^\")");
    pare_grammar_free(grammar);
}

static void test_g4__quantifiers_are_kept_greedy_and_lazy(void **state)
{
    (void)state;
    pare_grammar *grammar = read_text("grammar Q; a : (X Y?)* X+? (X | )?? X*? ; X:'x';Y:'y';");
    assert_body(grammar, "a", "((X Y?)* X+? (X | empty)?? X*?)");
    pare_grammar_free(grammar);
}

static void test_g4__sets_are_sorted_joined_and_complemented(void **state)
{
    (void)state;
    static const struct {
        const char *body, *expected;
    } cases[] = {
        {"[c-ea-bz]", "([a-ez])"},
        {"[\\-\\]a]", "([-\\]a])"},
        {"[a-]", "([-a])"},
        {"[-a]", "([-a])"},
        {"'a'..'c'", "([a-c])"},
        {"~[\\u0000-\\u{10FFFE}]", "([U+10FFFF])"},
        {"~('a'|'b'..'y'|[z])", "([U+0-`{-U+10FFFF])"},
        {"~'a'", "([U+0-`b-U+10FFFF])"},
        {"[\\n\\t\\\\]", "([U+9-U+A\\\\])"},
        {"[\\uD83D\\uDE00]", "([U+1F600])"},
        {"[\\p{Nd}]", NULL},
        {"[\\P{L}\\p{L}]", "([U+0-U+10FFFF])"},
        {"[\\p{General_Category=Connector_Punctuation}]", NULL},
        {"'\\n\\u0041\\u{42}\\''", "(\"U+AAB'\")"},
        {".", "(.)"},
        {"A EOF", "(A EOF)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        (void)snprintf(text, sizeof text, "lexer grammar L; A : 'q' ; X : %s ;", cases[i].body);
        pare_grammar *grammar = read_text(text);
        if (cases[i].expected) assert_body(grammar, "X", cases[i].expected);
        assert_int_equal(grammar->n_warnings, 0);
        pare_grammar_free(grammar);
    }
}

static void test_g4__case_is_ignored_by_grammar_and_by_rule(void **state)
{
    (void)state;
    pare_grammar *grammar = read_text("lexer grammar L; options { caseInsensitive = true; }\n"
                                      "A : 'if' [a-c_] ~[x] [0-Z] ;\n"
                                      "B options { caseInsensitive=false; } : 'x' [a] ;");
    assert_body(grammar, "A", "(\"if\" [A-C_a-c] [U+0-WY-wy-U+10FFFF] [0-Z])");
    assert_body(grammar, "B", "(\"x\" [a])");
    assert_true(grammar->rules[pare_grammar_find_rule(grammar, "A")].ignore_case);
    assert_false(grammar->rules[pare_grammar_find_rule(grammar, "B")].ignore_case);
    pare_grammar_free(grammar);
}

static void test_g4__modes_channels_and_commands(void **state)
{
    (void)state;
    pare_grammar *grammar = read_text("lexer grammar L; channels { NOTES, OTHER } tokens { T, U }\n"
                                      "A : '<' -> pushMode(IN), type(T) ;\n"
                                      "B : 'b' -> Channel(OTHER) | 'c' -> channel(HIDDEN), skip ;\n"
                                      "fragment F : 'f' ;\n"
                                      "mode IN;\n"
                                      "C : '>' -> popMode ;\n"
                                      "D : F -> more, mode(DEFAULT_MODE) ;\n"
                                      "E : 'e' -> channel(7) ;\n");
    assert_tokens(grammar, "EOF T U B C='>' E='e' A='<'");
    assert_commands(grammar, "A", "pushMode 1, type 1");
    assert_commands(grammar, "B", "channel 3 at 0, channel 1 at 1, skip at 1");
    assert_commands(grammar, "C", "popMode");
    assert_commands(grammar, "D", "more, mode 0");
    assert_commands(grammar, "E", "channel 7");
    assert_int_equal(grammar->n_modes, 2);
    assert_string_equal(grammar->modes[1], "IN");
    assert_int_equal(grammar->rules[pare_grammar_find_rule(grammar, "C")].mode, 1);
    assert_int_equal(grammar->rules[pare_grammar_find_rule(grammar, "A")].token, PARE_NO_INDEX);
    assert_int_equal(grammar->rules[pare_grammar_find_rule(grammar, "F")].kind, PARE_RULE_FRAGMENT);
    assert_int_equal(grammar->tokens[1].rule, pare_grammar_find_rule(grammar, "A"));
    pare_grammar_free(grammar);
}

static void test_g4__a_parser_finds_its_tokens_in_the_lexer_given(void **state)
{
    (void)state;
    const pare_g4_source sources[] = {
        source("P.g4", "parser grammar P; options { tokenVocab=L; } a : 'x' ~Y ~(Y|'x') . ;"),
        source("L.g4", "lexer grammar L; X : 'x' ; Y : 'y' ; Z : 'z' ;"),
    };
    pare_grammar *grammar = read_sources(sources, 2);
    assert_body(grammar, "a", "(X {1,3} {3} .)");
    assert_string_equal(grammar->name, "P");
    pare_grammar_free(grammar);
}

static void test_g4__imports_add_rules_but_override_none(void **state)
{
    (void)state;
    const pare_g4_source sources[] = {
        source("Main.g4", "grammar Main; import A, Lex; s : a b ; b : 'main' ;"),
        source("A.g4", "parser grammar A; import B; a : 'a' ; b : 'from A' ;"),
        source("B.g4", "parser grammar B; import A; c : 'c' ; a : 'from B' ;"),
        source("Lex.g4", "lexer grammar Lex; ID : [a-z]+ ;"),
    };
    pare_grammar *grammar = read_sources(sources, 4);
    assert_body(grammar, "a", "('a')");
    assert_body(grammar, "b", "('main')");
    assert_body(grammar, "c", "('c')");
    assert_tokens(grammar, "EOF 'main' 'a' 'c' ID");
    pare_grammar_free(grammar);
}

static void test_g4__imports_are_found_beside_the_file_and_in_the_library(void **state)
{
    (void)state;
    assert_int_equal(mkdir("near", 0700), 0);
    assert_int_equal(mkdir("lib", 0700), 0);
    scratch_write("near/P.g4", "parser grammar P; import Q; options{tokenVocab=L;} s : q ;", 0600);
    scratch_write("near/L.g4", "lexer grammar L; import M; X : 'x';", 0600);
    scratch_write("lib/Q.g4", "parser grammar Q; q : X Y;", 0600);
    scratch_write("lib/M.g4", "lexer grammar M; Y : 'y';", 0600);
    pare_g4_source given = {.path = "near/P.g4"};
    pare_grammar *grammar = NULL;
    pare_error err = {0};
    pare_status status = pare_grammar_file_read_g4_sources(
        &given, 1, &(pare_g4_options){.library = "lib"}, &grammar, &err);
    assert_string_equal(err.message, "");
    assert_int_equal(status, PARE_OK);
    assert_body(grammar, "q", "(X Y)");
    pare_grammar_free(grammar);
    grammar = NULL;
    const char *path = "near/P.g4";
    assert_int_equal(pare_grammar_file_read_g4(&path, 1, &grammar, &err), PARE_E_SYNTAX);
    assert_string_equal(err.message, "near/P.g4:1:26: the imported grammar 'Q' was not found");
    assert_null(grammar);
}

static void test_g4__code_is_ignored_with_one_warning_for_each_kind(void **state)
{
    (void)state;
    pare_grammar *grammar = read_text(
        "grammar W; options { superClass = Base; language=Java; }\n"
        "@header { import a.b; /* } */ } @lexer::members { \"}\" '}' }\n"
        "a[int x] returns [int y] throws E, F locals [List<int[]> z] @init { {} } @after {}\n"
        "  : {act();} b[3, \"]\"] {x > 1}? {again();} X<fail='no'> | {only();} ;\n"
        "  catch [E e] { } finally { }\n"
        "b : ( options { greedy = false; } : X )* (: X)? ;\n"
        "X : 'x' {lex();} {true}? ;\n");
    assert_body(grammar, "a", "((b X) | empty)");
    assert_body(grammar, "b", "(X* X?)");
    assert_body(grammar, "X", "(\"x\")");
    assert_int_equal(grammar->n_warnings, 7);
    assert_string_equal(grammar->warnings[0], "W.g4:4:5: actions are ignored");
    assert_string_equal(grammar->warnings[1], "W.g4:4:24: predicates are taken as true");
    pare_grammar_free(grammar);
}

static void test_g4__what_is_nearly_right_is_warned_of_once(void **state)
{
    (void)state;
    pare_grammar *grammar = read_text("grammar W; a : Q Q R ; X : 'a\\qb' '\\z' [\\p{Klingon}x] "
                                      "[\\p{Vulcan}] -> type(NEW) ;");
    assert_int_equal(grammar->n_warnings, 5);
    assert_string_equal(grammar->warnings[0], "W.g4:1:16: no lexer rule makes token 'Q'");
    pare_grammar_free(grammar);
}

static void test_g4__nesting_is_bounded_by_memory_only(void **state)
{
    (void)state;
    enum { DEPTH = 100000 };
    pare_buffer text = {0};
    assert_int_equal(pare_buffer_text(&text, "grammar Deep; a : ", NULL), PARE_OK);
    for (size_t i = 0; i < DEPTH; i++)
        assert_int_equal(pare_buffer_text(&text, "('x' ", NULL), PARE_OK);
    for (size_t i = 0; i < DEPTH; i++)
        assert_int_equal(pare_buffer_text(&text, "| 'y')*", NULL), PARE_OK);
    assert_int_equal(pare_buffer_text(&text, ";", NULL), PARE_OK);
    pare_grammar *grammar = read_text(text.data);
    assert_int_equal(grammar->n_rules, 3);
    pare_grammar_free(grammar);
    pare_buffer_done(&text);
}

static pare_status read_all(void *context)
{
    (void)context;
    const pare_g4_source sources[] = {
        source("P.g4", "parser grammar P; import I; options { tokenVocab=L; }\n"
                       "a : x=X ~Y (X | Y)* # one | NONE # two ;"),
        source("I.g4", "parser grammar I; i : ;"),
        source("L.g4", "lexer grammar L; tokens {T} channels {C} X : 'x' -> channel(C);\n"
                       "Y : [a-z\\p{Lu}] ~[x] {} -> type(T); mode M; Z : 'z' -> mode(M);"),
    };
    pare_grammar *grammar = NULL;
    pare_status status = pare_grammar_file_read_g4_sources(sources, 3, NULL, &grammar, NULL);
    assert_int_equal(grammar != NULL, status == PARE_OK);
    pare_grammar_free(grammar);
    return status;
}

static void test_g4__reports_oom_and_leaves_out_alone(void **state)
{
    (void)state;
    sweep_allocations(read_all, NULL);
}

static void test_g4__a_check_notices_what_is_broken(void **state)
{
    (void)state;
    pare_grammar *grammar = read_text(expression);
    assert_true(pare_grammar_check(grammar));
    pare_index body = grammar->rules[0].body;
    grammar->exprs[body].first = body;
    assert_false(pare_grammar_check(grammar));
    pare_grammar_free(grammar);
    assert_int_equal(pare_grammar_find_rule(&(pare_grammar){0}, "x"), PARE_NO_INDEX);
    assert_int_equal(pare_grammar_start(&(pare_grammar){0}), PARE_NO_INDEX);
    pare_grammar_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_g4__a_combined_grammar_gets_rules_and_alternatives),
        cmocka_unit_test(test_g4__implicit_tokens_come_first_and_reuse_rules_of_one_literal),
        cmocka_unit_test(test_g4__quantifiers_are_kept_greedy_and_lazy),
        cmocka_unit_test(test_g4__sets_are_sorted_joined_and_complemented),
        cmocka_unit_test(test_g4__case_is_ignored_by_grammar_and_by_rule),
        cmocka_unit_test(test_g4__modes_channels_and_commands),
        cmocka_unit_test(test_g4__a_parser_finds_its_tokens_in_the_lexer_given),
        cmocka_unit_test(test_g4__imports_add_rules_but_override_none),
        cmocka_unit_test(test_g4__imports_are_found_beside_the_file_and_in_the_library),
        cmocka_unit_test(test_g4__code_is_ignored_with_one_warning_for_each_kind),
        cmocka_unit_test(test_g4__what_is_nearly_right_is_warned_of_once),
        cmocka_unit_test(test_g4__nesting_is_bounded_by_memory_only),
        cmocka_unit_test(test_g4__reports_oom_and_leaves_out_alone),
        cmocka_unit_test(test_g4__a_check_notices_what_is_broken),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
