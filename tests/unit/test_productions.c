/* A grammar as plain productions, and what is known of them before any text. */
/* tests: src/parse/production_sets.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "parse/productions.h"
#include "unit/alloc_sweep.h"
#include "unit/support/grammar_text.h"

static pare_productions make(const pare_grammar *grammar)
{
    pare_productions p;
    assert_int_equal(pare_productions_init(&p, grammar, pare_grammar_start(grammar), NULL),
                     PARE_OK);
    assert_true(pare_productions_check(&p));
    return p;
}

/* The first nonterminal of that kind of rule `name`; for kinds without a rule, of all. */
static uint32_t find(const pare_productions *p, pare_nonterminal_kind kind, const char *name)
{
    pare_index rule = name ? pare_grammar_find_rule(p->grammar, name) : PARE_NO_INDEX;
    for (uint32_t i = 0; i < p->n_nonterminals; i++) {
        bool of_rule = rule == PARE_NO_INDEX || p->nonterminals[i].symbol == rule;
        if (p->nonterminals[i].kind == kind && of_rule) return i;
    }
    fail_msg("no such nonterminal: %s", name ? name : "");
    return 0;
}

/* The literals that a nonterminal may begin with, one character each, in order of tokens. */
static void assert_first(const pare_productions *p, uint32_t nonterminal, const char *expected)
{
    char found[64];
    size_t n = 0;
    for (uint32_t letter = 0; letter < p->n_letters; letter++) {
        if (!pare_letter_in(p, p->first, nonterminal, letter)) continue;
        found[n++] = letter == PARE_TOKEN_END ? '$' : p->grammar->tokens[letter].literal[0];
    }
    found[n] = '\0';
    assert_string_equal(found, expected);
}

static void test_productions__loops_are_left_recursive(void **state)
{
    (void)state;
    pare_grammar *grammar = read_text("grammar W; s : 'a'* 'b'+? EOF ;");
    pare_productions p = make(grammar);
    uint32_t star = find(&p, PARE_NONTERMINAL_STAR, NULL),
             plus = find(&p, PARE_NONTERMINAL_PLUS, NULL);
    assert_true(p.nonterminals[star].nullable);
    assert_false(p.nonterminals[star].lazy);
    assert_false(p.nonterminals[plus].nullable);
    assert_true(p.nonterminals[plus].lazy);
    const pare_production *round = &p.productions[p.nonterminals[star].first_production + 1];
    assert_int_equal(p.next[round->first_state], star);
    assert_true(pare_is_loop(&p.nonterminals[star]) && pare_is_loop(&p.nonterminals[plus]));
    pare_productions_done(&p);
    pare_grammar_free(grammar);
}

/* e: '-' e is a primary, e '*' e and e '+' e are operators; a call with the precedence of '*'
 * admits no '+'. */
static void test_productions__left_recursion_is_a_loop_for_each_precedence(void **state)
{
    (void)state;
    pare_grammar *grammar =
        read_text("grammar W; s : e EOF ; e : '-' e | e '*' e | e '+' e | 'x' ;");
    pare_productions p = make(grammar);
    size_t n_left = 0;
    pare_index e = pare_grammar_find_rule(grammar, "e");
    for (uint32_t i = 0; i < p.n_nonterminals; i++)
        n_left += p.nonterminals[i].kind == PARE_NONTERMINAL_LEFT && p.nonterminals[i].symbol == e;
    assert_int_equal(n_left, 3); /* all operators, '*' alone, none */
    assert_first(&p, find(&p, PARE_NONTERMINAL_PRIMARY, "e"), "-x");
    assert_first(&p, find(&p, PARE_NONTERMINAL_LEFT, "e"), "-x");
    pare_productions_done(&p);
    pare_grammar_free(grammar);
}

static void test_productions__first_goes_through_what_may_be_nothing(void **state)
{
    (void)state;
    pare_grammar *grammar =
        read_text("grammar W; s : a b 'd' EOF ; a : 'a'? ; b : ('b' | c)* ; c : 'c' 'e' | ;");
    pare_productions p = make(grammar);
    assert_first(&p, find(&p, PARE_NONTERMINAL_RULE, "s"), "dabc");
    assert_first(&p, find(&p, PARE_NONTERMINAL_RULE, "b"), "bc");
    assert_true(p.nonterminals[find(&p, PARE_NONTERMINAL_RULE, "a")].nullable);
    assert_false(p.nonterminals[find(&p, PARE_NONTERMINAL_RULE, "s")].nullable);
    pare_productions_done(&p);
    pare_grammar_free(grammar);
}

/* The first alternative that derives nothing is the one taken, as ANTLR does. */
static void test_productions__nothing_is_derived_by_the_first_alternative_that_can(void **state)
{
    (void)state;
    pare_grammar *grammar = read_text("grammar W; s : a EOF ; a : 'x' | b | c ; b : ; c : ;");
    pare_productions p = make(grammar);
    const pare_nonterminal *a = &p.nonterminals[find(&p, PARE_NONTERMINAL_RULE, "a")];
    assert_int_equal(p.productions[a->null_production].alternative, 1);
    pare_productions_done(&p);
    pare_grammar_free(grammar);
}

static void test_productions__right_recursion_is_seen_through_other_rules(void **state)
{
    (void)state;
    pare_grammar *grammar =
        read_text("grammar W; s : r EOF ; r : 'a' t n | 'z' ; t : 'b' r | 'c' ; n : 'n'? ;");
    pare_productions p = make(grammar);
    uint32_t r = find(&p, PARE_NONTERMINAL_RULE, "r"), s = find(&p, PARE_NONTERMINAL_RULE, "s");
    uint32_t in_r = p.productions[p.nonterminals[r].first_production].first_state;
    uint32_t in_s = p.productions[p.nonterminals[s].first_production].first_state;
    assert_true(p.right_recursive[in_r + 1]);  /* r: 'a' . t n, as n may be nothing */
    assert_false(p.right_recursive[in_r + 2]); /* n does not lead back */
    assert_false(p.right_recursive[in_s]);
    pare_productions_done(&p);
    pare_grammar_free(grammar);
}

static void test_productions__anything_may_follow_a_start_rule_that_is_open(void **state)
{
    (void)state;
    pare_grammar *grammar = read_text("grammar W; s : 'a'+ ; t : 'b' ;");
    pare_productions p = make(grammar);
    assert_int_equal(pare_production_sets_open(&p, NULL), PARE_OK);
    assert_true(p.open_differs);
    pare_productions_done(&p);
    pare_grammar_free(grammar);
    grammar = read_text("grammar W; s : 'a'+ EOF ; t : 'b' ;");
    p = make(grammar);
    assert_int_equal(pare_production_sets_open(&p, NULL), PARE_OK);
    pare_productions_done(&p);
    pare_grammar_free(grammar);
}

static pare_status make_once(void *context)
{
    pare_productions p;
    pare_status status = pare_productions_init(&p, context, pare_grammar_start(context), NULL);
    if (!status) status = pare_production_sets_open(&p, NULL);
    pare_productions_done(&p);
    return status;
}

/* Sets of all tokens for each token, or for each place: their memory grows with the square. */
static void test_productions__a_grammar_whose_sets_are_too_large_is_refused(void **state)
{
    (void)state;
    static const struct {
        unsigned n_tokens, n_rounds;
    } cases[] = {{100000, 1}, {20000, 22}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pare_buffer text = {0};
        pare_productions p;
        pare_error err = {0};
        assert_int_equal(pare_buffer_text(&text, "grammar W; s :", NULL), PARE_OK);
        for (unsigned round = 0; round < cases[k].n_rounds; round++)
            for (unsigned i = 0; i < cases[k].n_tokens; i++)
                assert_int_equal(pare_buffer_format(&text, NULL, " 'a%u'", i), PARE_OK);
        assert_int_equal(pare_buffer_text(&text, " ;", NULL), PARE_OK);
        pare_grammar *grammar = read_text(text.data);
        assert_int_equal(pare_productions_init(&p, grammar, 0, &err), PARE_E_LIMIT);
        if (!strstr(err.message, "the grammar is too large")) fail_msg("%s", err.message);
        pare_grammar_free(grammar);
        pare_buffer_done(&text);
    }
}

static void test_productions__reports_oom(void **state)
{
    (void)state;
    pare_grammar *grammar =
        read_text("grammar W; s : e* EOF ; e : e ('*' | '/') e | ~'x' . | a ; a : 'y' a | ;");
    sweep_allocations(make_once, grammar);
    pare_grammar_free(grammar);
}

/* Would take minutes if each of them looked at all that follow. */
static void test_productions__many_nullable_parts_cost_linear_work(void **state)
{
    (void)state;
    enum { PARTS = 300000 };
    char *text = malloc(40 + 3 * PARTS), *at = text;
    assert_non_null(text);
    at += sprintf(at, "grammar W; a : 'a'? ; s : ");
    for (int i = 0; i < PARTS; i++)
        at = (char *)memcpy(at, "a ", 3) + 2;
    strcpy(at, "EOF ;");
    pare_grammar *grammar = read_text(text);
    pare_productions p;
    pare_index start = pare_grammar_find_rule(grammar, "s");
    assert_int_equal(pare_productions_init(&p, grammar, start, NULL), PARE_OK);
    assert_in_range(p.n_states, PARTS, PARTS + 100);
    pare_productions_done(&p);
    pare_grammar_free(grammar);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_productions__loops_are_left_recursive),
        cmocka_unit_test(test_productions__left_recursion_is_a_loop_for_each_precedence),
        cmocka_unit_test(test_productions__first_goes_through_what_may_be_nothing),
        cmocka_unit_test(test_productions__nothing_is_derived_by_the_first_alternative_that_can),
        cmocka_unit_test(test_productions__right_recursion_is_seen_through_other_rules),
        cmocka_unit_test(test_productions__anything_may_follow_a_start_rule_that_is_open),
        cmocka_unit_test(test_productions__a_grammar_whose_sets_are_too_large_is_refused),
        cmocka_unit_test(test_productions__reports_oom),
        cmocka_unit_test(test_productions__many_nullable_parts_cost_linear_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
