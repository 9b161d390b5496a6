/* Grammars that are wrong or strange, in both notations: cyclic, ambiguous, empty,
 * left-recursive through several rules, with rules that nobody reaches or that never end.
 * Each gives one sentence, or trees of what is in the language and an error elsewhere; and
 * hdd, over the tree of either, ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "grammar/fuzzingbook.h"
#include "grammar/grammar_file.h"
#include "parse/parser.h"
#include "reduce/syntax/rules.h"
#include "reduce/tree/hdd.h"

enum { MAX_TESTS = 10000 };

static const struct wrong {
    const char *what, *grammar; /* a book grammar starts with { */
    const char *inside;         /* a text in the language; NULL: there is none */
    const char *outside;        /* one that is not */
} grammars[] = {
    {"cyclic", "grammar C; s: a EOF ; a: b | 'x' ; b: a | 'y' ;", "x", "xy"},
    {"cyclic alone", "grammar C; s: s | 'x' ;", "x", "y"},
    {"cyclic through nothing", "grammar C; s: a s a | 'x' ; a: 'a'? ;", "axa", "b"},
    {"nothing but a cycle", "grammar C; s: a ; a: b ; b: a ;", NULL, "x"},
    {"ambiguous", "grammar A; s: e EOF ; e: e e | 'x' ;", "xxxxxxxxxxxxxxxxxxxxxxxx", "xy"},
    {"ambiguous loops", "grammar A; s: ('x'* 'x'*)* EOF ;", "xxxxxxxxxxxxxxxx", "xyx"},
    {"ambiguous by nothing", "grammar A; s: (a? b*)* EOF ; a: 'x'? ; b: 'x'* ;", "xxxxxx", "xy"},
    {"empty language but for nothing", "grammar E; s: EOF ;", "", "x"},
    {"empty rule", "grammar E; s: a EOF ; a: ;", "", "x"},
    {"left recursion through two", "grammar L; s: a EOF ; a: b 'x' | 'a' ; b: a 'y' | 'b' ;",
     "ayxyx", "yx"},
    {"left recursion through three",
     "grammar L; s: a EOF ; a: b 'x' | 'a' ; b: c 'y' ; c: a 'z' | 'c' ;", "cyxzyx", "zyx"},
    {"left recursion behind nothing", "grammar L; s: n s 'x' | 'a' ; n: 'n'? ;", "nnaxx", "x"},
    {"a rule nobody reaches", "grammar U; s: 'x' EOF ; alone: 'y' alone | 'z' ;", "x", "z"},
    {"a rule that never ends", "grammar I; s: a EOF ; a: 'x' a ;", NULL, "xxxx"},
    {"rules that never end", "grammar I; s: a | 'y' ; a: 'x' b ; b: a 'x' ;", "y", "xx"},
    {"a token that never ends", "grammar T; s: A EOF | 'x' EOF ; A: '(' A ')' ;", "x", "(("},
    {"cyclic", "{\"<start>\": [\"<a>\"], \"<a>\": [\"<b>\", \"x\"], \"<b>\": [\"<a>\", \"y\"]}",
     "y", "xy"},
    {"nothing but a cycle", "{\"<start>\": [\"<a>\"], \"<a>\": [\"<start>\"]}", NULL, "x"},
    {"ambiguous", "{\"<start>\": [\"<start><start>\", \"x\", \"\"]}", "xxxxxxxxxxxx", "xy"},
    {"empty rule", "{\"<start>\": [\"\"]}", "", "x"},
    {"left recursion through two",
     "{\"<start>\": [\"<a>\"], \"<a>\": [\"<b>x\", \"a\"], \"<b>\": [\"<a>y\", \"b\"]}", "ayxyx",
     "yx"},
    {"a rule nobody reaches", "{\"<start>\": [\"x\"], \"<alone>\": [\"<alone>y\"]}", "x", "y"},
    {"a rule that never ends", "{\"<start>\": [\"x<start>\"]}", NULL, "xxxx"},
};

static const struct mistake {
    const char *what, *grammar, *sentence;
} mistakes[] = {
    {"no rule", "grammar G;", "rule"},
    {"nothing at all", "", "grammar"},
    {"an unknown rule", "grammar G; s: missing ;", "missing"},
    {"a rule twice", "grammar G; s: 'x' ; s: 'y' ;", "'s'"},
    {"an open block", "grammar G; s: ('x' ;", ""},
    {"nothing at all, as JSON", "{}", ""},
    {"no expansions", "{\"<start>\": []}", "<start>"},
    {"an unknown nonterminal", "{\"<start>\": [\"<missing>\"]}", "<missing>"},
    {"no list", "{\"<start>\": 1}", "<start>"},
    {"an open object", "{\"<start>\": [\"x\"]", ""},
};

static pare_status read_any(const char *text, pare_grammar **out, pare_error *err)
{
    pare_g4_options options = {.memory_only = true};
    pare_g4_source source = {.path = "W.g4", .text = text, .size = strlen(text)};
    if (*text == '{') return pare_fuzzingbook_read_memory("W.json", text, source.size, out, err);
    return pare_grammar_file_read_g4_sources(&source, 1, &options, out, err);
}

/* Runs hdd over the tree to its end; nothing that is tried fails, or all of it does. */
static void reduce(const pare_parse_tree *parse, const char *bytes, const pare_tree_rules *rules,
                   pare_outcome outcome)
{
    pare_text *text = NULL;
    pare_tree *tree = NULL;
    pare_strategy *strategy = NULL;
    pare_candidate candidate = {0};
    size_t n_tests = 0;
    assert_int_equal(pare_text_copy(bytes, strlen(bytes), &text, NULL), PARE_OK);
    assert_int_equal(pare_tree_new(parse, text, rules, &tree, NULL), PARE_OK);
    assert_int_equal(pare_hdd_new(tree, &(pare_hdd_options){.n_phases = 0}, &strategy, NULL),
                     PARE_OK);
    for (pare_next what = PARE_NEXT_TEST;; n_tests++) {
        assert_int_equal(strategy->ops->next(strategy, &what, &candidate, NULL), PARE_OK);
        if (what == PARE_NEXT_DONE) break;
        assert_true(n_tests < MAX_TESTS);
        assert_int_equal(strategy->ops->tell(strategy, outcome, NULL), PARE_OK);
    }
    pare_candidate_done(&candidate);
    pare_strategy_free(strategy);
    pare_tree_unref(tree);
    pare_text_unref(text);
}

static void check_text(const struct wrong *wrong, const pare_grammar *grammar, const char *text,
                       bool is_inside)
{
    pare_parser *parser = NULL;
    pare_grammar_rules *facts = NULL;
    pare_parse_tree tree = {0};
    pare_parse_cost cost = {0};
    pare_index start = pare_grammar_start(grammar);
    assert_int_equal(pare_parser_new(grammar, start, &parser, NULL), PARE_OK);
    assert_int_equal(pare_grammar_rules_new(grammar, &facts, NULL), PARE_OK);
    assert_int_equal(pare_parser_run(parser, text, strlen(text), &tree, &cost, NULL), PARE_OK);
    assert_true(pare_parse_tree_check(&tree));
    if (is_inside != (!tree.error.any && cost.n_rest == 0))
        fail_msg("%s: '%s': %s", wrong->what, text,
                 tree.error.any ? tree.error.message : "is taken");
    if (tree.error.any) assert_true(tree.error.message[0]);
    pare_tree_rules rules = pare_grammar_rules_of(facts);
    reduce(&tree, text, &rules, PARE_PASS);
    reduce(&tree, text, &rules, PARE_FAIL);
    pare_parse_tree_done(&tree);
    pare_parser_free(parser);
    pare_grammar_rules_free(facts);
}

static void test_wrong_grammars__parse_what_is_theirs_and_end(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof grammars / sizeof *grammars; i++) {
        const struct wrong *wrong = &grammars[i];
        pare_grammar *grammar = NULL;
        pare_error err = {0};
        if (read_any(wrong->grammar, &grammar, &err) != PARE_OK)
            fail_msg("%s: %s", wrong->what, err.message);
        assert_true(pare_grammar_check(grammar));
        if (wrong->inside) check_text(wrong, grammar, wrong->inside, true);
        check_text(wrong, grammar, wrong->outside, false);
        pare_grammar_free(grammar);
    }
}

static void test_wrong_grammars__mistakes_have_a_sentence(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const struct mistake *mistake = &mistakes[i];
        pare_grammar *grammar = NULL;
        pare_error err = {0};
        if (read_any(mistake->grammar, &grammar, &err) != PARE_E_SYNTAX)
            fail_msg("%s: is taken", mistake->what);
        assert_null(grammar);
        assert_non_null(strchr(err.message, 'W')); /* the file */
        if (!strstr(err.message, mistake->sentence)) fail_msg("%s: %s", mistake->what, err.message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_grammars__parse_what_is_theirs_and_end),
        cmocka_unit_test(test_wrong_grammars__mistakes_have_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
