/* Trees of tokens: what matches, against all texts that a small rule derives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "parse/dfa.h"
#include "parse/token_grammar.h"
#include "unit/alloc_sweep.h"
#include "unit/support/parse_text.h"

/* Writes a tree: repetitions in [], with ' before each round, choices and options in (), rules
 * in <>, the rest as its bytes. */
static void print_node(const pare_grammar *grammar, const pare_token_tree *tree, size_t node,
                       const char *text, pare_buffer *to)
{
    const pare_token_node *at = &tree->nodes[node];
    pare_expr_kind kind = grammar->exprs[at->expr].kind;
    bool rounds = kind == PARE_EXPR_STAR || kind == PARE_EXPR_PLUS;
    bool choice = kind == PARE_EXPR_CHOICE || kind == PARE_EXPR_OPTIONAL;
    bool leaf = at->after == node + 1 && !rounds && !choice;
    const char *open = rounds ? "[" : choice ? "(" : kind == PARE_EXPR_RULE ? "<" : "";
    const char *close = rounds ? "]" : choice ? ")" : kind == PARE_EXPR_RULE ? ">" : "";
    assert_int_equal(pare_buffer_text(to, open, NULL), PARE_OK);
    for (size_t i = node + 1; i < at->after; i = tree->nodes[i].after) {
        if (rounds) assert_int_equal(pare_buffer_text(to, "'", NULL), PARE_OK);
        print_node(grammar, tree, i, text, to);
    }
    if (leaf)
        assert_int_equal(pare_buffer_add(to, text + at->begin, at->end - at->begin, NULL), PARE_OK);
    assert_int_equal(pare_buffer_text(to, close, NULL), PARE_OK);
}

static void assert_token_tree(const char *rules, const char *text, const char *expected)
{
    pare_grammar *grammar = read_grammar(rules);
    pare_token_tree tree = {0};
    pare_buffer printed = {0};
    assert_int_equal(pare_token_grammar_read(grammar, 0, text, strlen(text), &tree, NULL), PARE_OK);
    assert_int_equal(tree.n > 0, *expected != '!');
    if (tree.n > 0) {
        assert_int_equal(tree.nodes[0].after, tree.n);
        print_node(grammar, &tree, 0, text, &printed);
        assert_string_equal(printed.data ? printed.data : "", expected);
    }
    pare_buffer_done(&printed);
    pare_token_grammar_tree_done(&tree);
    pare_grammar_free(grammar);
}

static void test_token_grammar__shows_rounds_options_and_rules(void **state)
{
    (void)state;
    static const char NUMBER[] =
        "lexer grammar T; N: '-'? INT ('.' D+)?; fragment INT: '0' | [1-9] D*; fragment D: [0-9];";
    assert_token_tree(NUMBER, "-120.5", "(-)<(1['<2>'<0>])>(.['<5>])");
    assert_token_tree(NUMBER, "0", "()<(0)>()");
    assert_token_tree(NUMBER, "01", "!");
    assert_token_tree(NUMBER, "", "!");
}

static void test_token_grammar__first_alternatives_and_long_rounds_are_taken(void **state)
{
    (void)state;
    static const char STRING[] = "lexer grammar T; S: '\"' ('\\\\' . | ~[\"])* '\"';";
    assert_token_tree(STRING, "\"a\\\"b\"", "\"['(a)'(\\\")'(b)]\"");
    assert_token_tree("lexer grammar T; A: (('a' | 'b')+ ' '?)*;", "ab a",
                      "['['(a)'(b)]( )'['(a)]()]");
    assert_token_tree("lexer grammar T; A: 'a'*? .*;", "aab", "[]['a'a'b]");
}

static void test_token_grammar__rules_may_call_themselves(void **state)
{
    (void)state;
    static const char NESTED[] = "lexer grammar T; C: '{' (C | ~[{}])* '}';";
    assert_token_tree(NESTED, "{a{b}}", "{['(a)'(<{['(b)]}>)]}");
    assert_token_tree(NESTED, "{a{b}", "!");
    assert_token_tree("lexer grammar T; A: (A 'x')? 'y';", "yx", "!");
}

static void test_token_grammar__case_is_that_of_the_rule(void **state)
{
    (void)state;
    assert_token_tree("lexer grammar T; options { caseInsensitive = true; } A: 'if' [a-z]*;", "If",
                      "If[]");
    assert_token_tree("lexer grammar T; A: 'if' [a-z]*;", "If", "!");
}

static void test_token_grammar__deep_and_long_tokens_are_left_alone(void **state)
{
    (void)state;
    char text[PARE_TOKEN_TREE_CHARACTERS + 2] = {0};
    static const char NESTED[] = "lexer grammar T; C: '{' ((C) | ~[{}])* '}';";
    memset(text, 'a', sizeof text - 1);
    assert_token_tree("lexer grammar T; A: 'a'*;", text, "!");
    memset(text, '{', sizeof text / 2);
    memset(text + sizeof text / 2, '}', sizeof text / 2 - 1);
    assert_token_tree(NESTED, text, "!");
}

/* --- brute force ----------------------------------------------------------------------- */

enum { LONGEST_TEXT = 5 };

/* Whether all of the text is what the lexer's automaton takes for a token. */
static bool lexes(const pare_grammar *grammar, const char *text, size_t size)
{
    pare_dfa *dfa = NULL;
    uint32_t state = 0;
    assert_int_equal(pare_dfa_new(grammar, &dfa, NULL), PARE_OK);
    assert_int_equal(pare_dfa_start(dfa, 0, &state, NULL), PARE_OK);
    assert_int_equal(pare_dfa_run(dfa, text, size, &state, NULL), PARE_OK);
    bool yes = state != PARE_DFA_DEAD && pare_dfa_accepts(dfa, state).rule != PARE_NO_INDEX;
    pare_dfa_free(dfa);
    return yes;
}

/* Whether children follow each other without a gap, within their parents, to its ends where
 * the parent has no characters of its own. */
static void assert_covers(const pare_grammar *grammar, const pare_token_tree *tree, size_t size)
{
    assert_int_equal(tree->nodes[0].begin, 0);
    assert_int_equal(tree->nodes[0].end, size);
    for (size_t node = 0; node < tree->n; node++) {
        const pare_token_node *at = &tree->nodes[node];
        uint32_t cursor = at->begin;
        if (at->after == node + 1) continue;
        for (size_t i = node + 1; i < at->after; i = tree->nodes[i].after) {
            assert_int_equal(tree->nodes[i].begin, cursor);
            cursor = tree->nodes[i].end;
        }
        assert_int_equal(cursor, at->end);
        assert_true(at->expr < grammar->n_exprs);
    }
}

static void assert_as_the_automaton(const char *rules)
{
    static const char LETTERS[] = "ab.";
    pare_grammar *grammar = read_grammar(rules);
    pare_token_tree tree = {0};
    for (size_t size = 0, all = 1; size <= LONGEST_TEXT; size++, all *= sizeof LETTERS - 1) {
        for (size_t number = 0; number < all; number++) {
            char text[LONGEST_TEXT];
            for (size_t i = 0, rest = number; i < size; i++, rest /= sizeof LETTERS - 1)
                text[i] = LETTERS[rest % (sizeof LETTERS - 1)];
            assert_int_equal(pare_token_grammar_read(grammar, 0, text, size, &tree, NULL), PARE_OK);
            assert_int_equal(tree.n > 0, lexes(grammar, text, size));
            if (tree.n > 0) assert_covers(grammar, &tree, size);
        }
    }
    pare_token_grammar_tree_done(&tree);
    pare_grammar_free(grammar);
}

static void test_token_grammar__matches_what_the_automaton_takes(void **state)
{
    (void)state;
    static const char *const RULES[] = {
        "lexer grammar T; A: 'a'+ ('.' 'b'*)?;",
        "lexer grammar T; A: (B | '.')+ 'b'; fragment B: 'ab' | 'a';",
        "lexer grammar T; A: ('a'* 'b'?)+ '.' | 'b';",
        "lexer grammar T; A: ~[a]+ ('a' | 'ab'*) '.'?;",
        "lexer grammar T; A: 'a' A 'b' | '.';",
        "lexer grammar T; A: ('a' | 'ab') ('b.' | '.')+ ;",
    };
    for (size_t i = 0; i < sizeof RULES / sizeof *RULES; i++)
        assert_as_the_automaton(RULES[i]);
}

static pare_status make_and_release(void *context)
{
    const pare_grammar *grammar = context;
    pare_token_tree tree = {0};
    pare_status status = pare_token_grammar_read(grammar, 0, "-1234.5", 7, &tree, NULL);
    pare_token_grammar_tree_done(&tree);
    return status;
}

/* Of a sequence the rest is asked for in the middle of each operand. */
static void test_token_grammar__long_sequences_need_no_deep_stack(void **state)
{
    (void)state;
    enum { OPERANDS = 100000, SOME = 300 };
    for (int n = SOME; n <= OPERANDS; n += OPERANDS - SOME) {
        pare_buffer rules = {0};
        assert_int_equal(pare_buffer_text(&rules, "lexer grammar T; A: 'b'", NULL), PARE_OK);
        for (int i = 0; i < n; i++)
            assert_int_equal(pare_buffer_text(&rules, " [a]*", NULL), PARE_OK);
        assert_int_equal(pare_buffer_text(&rules, " 'c' ;", NULL), PARE_OK);
        pare_grammar *grammar = read_grammar(rules.data);
        pare_token_tree tree = {0};
        assert_int_equal(pare_token_grammar_read(grammar, 0, "baaac", 5, &tree, NULL), PARE_OK);
        assert_int_equal(tree.n, n == SOME ? SOME + 3 + 3 : 0);
        pare_token_grammar_tree_done(&tree);
        pare_grammar_free(grammar);
        pare_buffer_done(&rules);
    }
}

static void test_token_grammar__memory_may_run_out(void **state)
{
    (void)state;
    pare_grammar *grammar = read_grammar("lexer grammar T; N: '-'? [0-9]+ ('.' [0-9]+)?;");
    sweep_allocations(make_and_release, grammar);
    pare_grammar_free(grammar);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_token_grammar__shows_rounds_options_and_rules),
        cmocka_unit_test(test_token_grammar__first_alternatives_and_long_rounds_are_taken),
        cmocka_unit_test(test_token_grammar__rules_may_call_themselves),
        cmocka_unit_test(test_token_grammar__case_is_that_of_the_rule),
        cmocka_unit_test(test_token_grammar__deep_and_long_tokens_are_left_alone),
        cmocka_unit_test(test_token_grammar__matches_what_the_automaton_takes),
        cmocka_unit_test(test_token_grammar__long_sequences_need_no_deep_stack),
        cmocka_unit_test(test_token_grammar__memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
