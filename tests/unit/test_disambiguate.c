/* The choice of the tree: ANTLR's decisions; and grammars whose rules derive themselves, or
 * whose loops may take nothing: every parse ends, with a tree that is bounded by the chart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/random.h"
#include "unit/support/parse_text.h"

enum {
    ALWAYS = 0,
    NEVER = UINT32_MAX,
    MAX_LETTERS = 12,
    TEXTS = 400,
    NODES_PER_ITEM = 2,
    GRAMMARS = 500
};

#define TOKENS " N : [0-9]+ ; I : [a-z]+ ; S : ' ' -> skip ;"

/* --- ANTLR's decisions --------------------------------------------------------------- */

static void test_disambiguate__first_alternative_wins(void **state)
{
    (void)state;
    assert_parse("grammar T; s : (a | b) EOF ; a : I ; b : I ;" TOKENS, "x", "(s (a x) <EOF>)");
    assert_parse("grammar T; s : (a | b) EOF ; a : I N ; b : I ;" TOKENS, "x", "(s (b x) <EOF>)");
    /* The decision for `a` is taken before how far it reaches. */
    assert_parse("grammar T; s : a I* EOF ; a : I | I I ;" TOKENS, "x y z", "(s (a x) y z <EOF>)");
}

static void test_disambiguate__loops_are_greedy_or_lazy(void **state)
{
    (void)state;
    assert_parse("grammar T; s : a b EOF ; a : I* ; b : I* ;" TOKENS, "x y", "(s (a x y) b <EOF>)");
    assert_parse("grammar T; s : a b EOF ; a : I*? ; b : I* ;" TOKENS, "x y",
                 "(s a (b x y) <EOF>)");
    assert_parse("grammar T; s : a b EOF ; a : I+? ; b : I* ;" TOKENS, "x y",
                 "(s (a x) (b y) <EOF>)");
    assert_parse("grammar T; s : a b EOF ; a : I? ; b : I* ;" TOKENS, "x", "(s (a x) b <EOF>)");
    assert_parse("grammar T; s : a b EOF ; a : I?? ; b : I* ;" TOKENS, "x", "(s a (b x) <EOF>)");
    assert_parse("grammar T; s : a I EOF ; a : I* ;" TOKENS, "x y", "(s (a x) y <EOF>)");
}

static void test_disambiguate__precedence_and_associativity(void **state)
{
    (void)state;
    const char *e =
        "grammar T; s : e EOF ;"
        " e : '-' e | <assoc=right> e '^' e | e '*' e | e '+' e | e '!' | N | '(' e ')' ;"
        " N : [0-9]+ ; S : ' ' -> skip ;";
    assert_parse(e, "1+2*3", "(s (e (e 1) + (e (e 2) * (e 3))) <EOF>)");
    assert_parse(e, "1*2+3", "(s (e (e (e 1) * (e 2)) + (e 3)) <EOF>)");
    assert_parse(e, "1+2+3", "(s (e (e (e 1) + (e 2)) + (e 3)) <EOF>)");
    assert_parse(e, "1^2^3", "(s (e (e 1) ^ (e (e 2) ^ (e 3))) <EOF>)");
    assert_parse(e, "-1+2", "(s (e (e - (e 1)) + (e 2)) <EOF>)");
    assert_parse(e, "(1+2)*3", "(s (e (e ( (e (e 1) + (e 2)) )) * (e 3)) <EOF>)");
    assert_parse("grammar T; s : e EOF ; e : e '?' e ':' e | N ;" TOKENS, "1?2:3?4:5",
                 "(s (e (e (e 1) ? (e 2) : (e 3)) ? (e 4) : (e 5)) <EOF>)");
}

static void test_disambiguate__dangling_else_goes_to_the_inner_if(void **state)
{
    (void)state;
    assert_parse("grammar T; s : i EOF ; i : 'if' i ('else' i)? | N ; " TOKENS, "if if 1 else 2",
                 "(s (i if (i if (i 1) else (i 2))) <EOF>)");
}

static void test_disambiguate__nothing_is_derived_as_antlr_does(void **state)
{
    (void)state;
    assert_parse("grammar T; s : a EOF ; a : b c? ; b : | N ; c : N ;" TOKENS, "",
                 "(s (a b) <EOF>)");
    assert_parse("grammar T; s : a* EOF ; a : N b ; b : ;" TOKENS, "1 2",
                 "(s (a 1 b) (a 2 b) <EOF>)");
    assert_parse("grammar T; s : ;" TOKENS, "", "s");
}

static void test_disambiguate__end_of_file_may_be_taken_twice(void **state)
{
    (void)state;
    assert_parse("grammar T; s : l* EOF ; l : I (N | EOF) ;" TOKENS, "x 1 y",
                 "(s (l x 1) (l y <EOF>) <EOF>)");
}

/* --- cycles -------------------------------------------------------------------------- */

static const char *const cyclic[] = {
    /* A lazy loop within a greedy one, at the start of the text. */
    "s : r0 'a' 'b'? EOF ; r0 : 'a' 'a' 'c' | r1+ 'a'? r1 ; r1 : 'a' | r2*? ;"
    "r2 : 'a' r2? | ((r1* 'a' | 'a')?? r0? | 'a') r1*? | 'c' (r0? r1*? )+ ;",
    "s : r+ EOF ; r : t*? ; t : 'a' | 'b' | 'c' 'a' ;",
    "s : r+ 'a' EOF ; r : 'a' | t*? ; t : 'b' r? | 'c' | r ;",
    "s : r* EOF ; r : t*? u?? ; t : 'a' | r ; u : 'b' | t ;",
    /* Rules that derive themselves, alone or by way of others. */
    "s : r EOF ; r : 'a' | r ;",
    "s : r EOF ; r : t | 'a' 'b' ; t : u | 'a' ; u : r | 'c' | r t ;",
    "s : r EOF ; r : r r | 'a' | 'b' | ;",
    "s : r EOF ; r : n r n | 'a' r 'b' | ; n : 'c' | ;",
    "s : r EOF ; r : r? t? r? | 'a' ; t : r | 'b' t? | 'c' ;",
    /* Loops around what may be nothing. */
    "s : (r* t*)* EOF ; r : 'a'? ; t : 'b'* 'c'? ;",
    "s : (r+ t*?)+ EOF ; r : 'a'* ; t : 'b'*? | 'c' r ;",
    "s : ((r?)* (t?)+?)+ 'a'? EOF ; r : 'a' | t* ; t : 'b' | r+ | 'c' ;",
    "s : r*? t+? EOF ; r : (t | 'a')* ; t : (r | 'b')*? 'c'? ;",
    "s : r ; r : (r | t)* 'a'?? ; t : (t r)*? | 'b' | 'c' r* ;",
};

/* Whether the leaves are the text up to the rest that the start rule left. */
static bool prints_back(const pare_parse_tree *tree, size_t size)
{
    size_t at = 0;
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const pare_parse_node *node = &tree->nodes[i];
        if (!pare_parse_tree_is_leaf(tree, (uint32_t)i)) continue;
        if (node->begin != at || node->end < node->begin) return false;
        at = node->end;
    }
    return at == size;
}

/* Whether a rule stands inside itself over the same span. */
static bool nests_itself(const pare_parse_tree *tree)
{
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        const pare_parse_node *node = &tree->nodes[i];
        if (node->kind != PARE_NODE_RULE || node->begin == node->end) continue;
        for (uint32_t at = node->parent; at != PARE_NO_NODE; at = tree->nodes[at].parent) {
            const pare_parse_node *above = &tree->nodes[at];
            if (above->begin != node->begin || above->end != node->end) break;
            if (above->kind == PARE_NODE_RULE && above->symbol == node->symbol) return true;
        }
    }
    return false;
}

static void check_parse(const pare_grammar *grammar, const char *text, size_t size,
                        uint32_t skip_after)
{
    pare_parser *parser = NULL;
    pare_parse_tree tree = {0};
    pare_parse_cost cost = {0};
    assert_int_equal(pare_parser_new(grammar, pare_grammar_start(grammar), &parser, NULL), PARE_OK);
    pare_parser_skip_after(parser, skip_after);
    assert_int_equal(pare_parser_run(parser, text, size, &tree, &cost, NULL), PARE_OK);
    assert_true(pare_parse_tree_check(&tree));
    if (!tree.error.any && nests_itself(&tree))
        fail_msg("'%.*s': a rule is inside itself", (int)size, text);
    if (!prints_back(&tree, size - cost.n_rest))
        fail_msg("'%.*s' is not printed back", (int)size, text);
    if (tree.n_nodes > NODES_PER_ITEM * (cost.n_items + 1))
        fail_msg("'%.*s': %zu nodes of %zu items", (int)size, text, tree.n_nodes, cost.n_items);
    pare_parse_tree_done(&tree);
    pare_parser_free(parser);
}

/* Fills in the letters that the grammar has; returns their number. */
static size_t letters_of(const char *grammar, char *letters)
{
    size_t n = 0;
    for (char c = 'a'; c <= 'c'; c++) {
        const char quoted[] = {'\'', c, '\'', '\0'};
        if (strstr(grammar, quoted)) letters[n++] = c;
    }
    return n;
}

/* The text on which the choice once went on without end. */
static void test_disambiguate__lazy_loop_goes_to_its_end(void **state)
{
    (void)state;
    char source[512];
    (void)snprintf(source, sizeof source, "grammar T; %s", cyclic[0]);
    pare_grammar *grammar = read_grammar(source);
    check_parse(grammar, "cabaabaaba", 10, ALWAYS);
    check_parse(grammar, "cabaabaaba", 10, NEVER);
    pare_grammar_free(grammar);
}

/* With sanitizers, which look at the same code each time, one round in four. */
static int rounds(int n)
{
    const char *sanitize = getenv("PARE_SANITIZE");
    return sanitize && *sanitize && !getenv("PARE_TEST_LONG") ? n / 4 : n;
}

static void test_disambiguate__every_parse_ends(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 3);
    for (size_t i = 0; i < sizeof cyclic / sizeof *cyclic; i++) {
        char source[512], letters[3], text[MAX_LETTERS];
        (void)snprintf(source, sizeof source, "grammar T; %s", cyclic[i]);
        pare_grammar *grammar = read_grammar(source);
        size_t n_letters = letters_of(source, letters);
        for (int round = 0; round < rounds(TEXTS); round++) {
            size_t size = pare_random_below(&random, MAX_LETTERS + 1);
            for (size_t k = 0; k < size; k++)
                text[k] = letters[pare_random_below(&random, n_letters)];
            check_parse(grammar, text, size, ALWAYS);
            check_parse(grammar, text, size, NEVER);
        }
        pare_grammar_free(grammar);
    }
}

/* Appends up to three alternatives of up to three elements, any of which may be nothing. */
static void make_rule(pare_random *random, char *source, size_t capacity)
{
    static const char *const symbols[] = {"r", "t", "u", "'a'", "'b'", "(r t?)", "(u | 'c')"};
    static const char *const quantifiers[] = {"", "", "?", "*", "+", "??", "*?", "+?"};
    size_t n_symbols = sizeof symbols / sizeof *symbols;
    size_t n_quantifiers = sizeof quantifiers / sizeof *quantifiers;
    for (size_t n = 1 + pare_random_below(random, 3); n > 0; n--) {
        for (size_t k = pare_random_below(random, 4); k > 0; k--) {
            size_t used = strlen(source);
            (void)snprintf(source + used, capacity - used, " %s%s",
                           symbols[pare_random_below(random, n_symbols)],
                           quantifiers[pare_random_below(random, n_quantifiers)]);
        }
        size_t used = strlen(source);
        (void)snprintf(source + used, capacity - used, "%s", n > 1 ? " |" : " ; ");
    }
}

static void test_disambiguate__every_parse_of_random_grammars_ends(void **state)
{
    (void)state;
    static const char *const rules[] = {"r :", "t : 'a' |", "u : 'b' 'c' |"};
    pare_random random;
    pare_random_init(&random, 7);
    for (int round = 0; round < rounds(GRAMMARS); round++) {
        char source[1024] = "grammar T; s : r 'c'? EOF ; ", text[MAX_LETTERS];
        for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
            size_t used = strlen(source);
            (void)snprintf(source + used, sizeof source - used, "%s", rules[i]);
            make_rule(&random, source, sizeof source);
        }
        pare_grammar *grammar = read_grammar(source);
        for (int i = 0; i < 20; i++) {
            size_t size = pare_random_below(&random, MAX_LETTERS + 1);
            for (size_t k = 0; k < size; k++)
                text[k] = "aaabbc"[pare_random_below(&random, 6)];
            check_parse(grammar, text, size, ALWAYS);
            check_parse(grammar, text, size, NEVER);
        }
        pare_grammar_free(grammar);
    }
}

/* --- greedy operators ---------------------------------------------------------------- */

/* Appends an alternative of the rule e: operators of all shapes, so that most texts have many trees. */
static void add_expression(pare_random *random, char *source, size_t capacity)
{
    static const char *const shapes[] = {
        "e %s e",       "e %s e", "%s e",   "%s e",      "e %s",    "e %s e 'c'",
        "e %s e 'b' e", "%s f",   "e %s f", "%s e 'd'?", "e %s? e", "<assoc=right> e %s e"};
    static const char *const letters[] = {"'a'", "'b'", "'c'", "'d'", "('a' | 'b')"};
    const char *shape = shapes[pare_random_below(random, sizeof shapes / sizeof *shapes)];
    const char *letter = letters[pare_random_below(random, sizeof letters / sizeof *letters)];
    const char *hole = strstr(shape, "%s");
    const size_t used = strlen(source);
    (void)snprintf(source + used, capacity - used, " %.*s%s%s |", (int)(hole - shape), shape,
                   letter, hole + 2);
}

/* The tree as text; NULL when the text is not in the language. */
static char *tree_of(const pare_grammar *grammar, const char *text, size_t size)
{
    pare_parser *parser = NULL;
    pare_parse_tree tree = {0};
    pare_parse_cost cost = {0};
    pare_buffer out = {0};
    assert_int_equal(pare_parser_new(grammar, pare_grammar_start(grammar), &parser, NULL), PARE_OK);
    assert_int_equal(pare_parser_run(parser, text, size, &tree, &cost, NULL), PARE_OK);
    if (!tree.error.any && !cost.n_rest)
        assert_int_equal(pare_print_lisp(&tree, text, &out, NULL), PARE_OK);
    pare_parse_tree_done(&tree);
    pare_parser_free(parser);
    return out.data;
}

/* Compares the trees of a few texts by two grammars.  Returns how many texts are in the language. */
static size_t compare_trees(pare_random *random, const char *one, const char *other)
{
    char text[MAX_LETTERS];
    size_t n_trees = 0;
    pare_grammar *first = read_grammar(one), *second = read_grammar(other);
    for (int i = 0; i < 40; i++) {
        const size_t size = 1 + pare_random_below(random, MAX_LETTERS);
        for (size_t k = 0; k < size; k++)
            text[k] = "xxxabcd"[pare_random_below(random, 7)];
        char *tree = tree_of(first, text, size), *expected = tree_of(second, text, size);
        if (!tree != !expected || (tree && strcmp(tree, expected) != 0))
            fail_msg("%s: '%.*s' is\n%s, not\n%s", one, (int)size, text, tree ? tree : "no text",
                     expected ? expected : "no text");
        n_trees += tree != NULL;
        pare_alloc_free(tree);
        pare_alloc_free(expected);
    }
    pare_grammar_free(first);
    pare_grammar_free(second);
    return n_trees;
}

/* That a loop takes each operator that it can is told by the grammar alone, before there is a text.
 * Two things keep the parser from it, so that a chart has all derivations to choose from, and the
 * choice must be the same: another rule has these operators, or they may follow an e that is none's
 * operand.  Both are behind a letter that no text has. */
static void test_disambiguate__greedy_operators_change_no_tree(void **state)
{
    (void)state;
    static const char *const plain[] = {"'y' g", "'y' e ('a' | 'b' | 'c' | 'd' | 'x')"};
    static const char *const others[] = {"g ('a' | 'b' | 'c' | 'd' | 'x') |", ""};
    pare_random random;
    pare_random_init(&random, 11);
    size_t n_trees = 0;
    for (int round = 0; round < rounds(GRAMMARS); round++) {
        static const char *const form =
            "grammar T; s : e 'd'? EOF | %s EOF ; e :%s 'x' ; f : 'c' e | 'x' ; g : %s 'x' ;";
        char rule[1024] = "", greedy[2048], other[2048];
        for (size_t n = 2 + pare_random_below(&random, 5); n > 0; n--)
            add_expression(&random, rule, sizeof rule);
        (void)snprintf(greedy, sizeof greedy, form, "'y' g", rule, "");
        (void)snprintf(other, sizeof other, form, plain[round % 2], rule, others[round % 2]);
        n_trees += compare_trees(&random, greedy, other);
    }
    assert_true(n_trees > (size_t)rounds(GRAMMARS));
}

/* Signs that bind less than sums: n of them have n^3 ways to end, of which one is kept. */
static void test_disambiguate__signs_in_sums_are_linear(void **state)
{
    (void)state;
    enum { SIGNS = 2000, ITEMS = 40 /* for each letter */ };
    pare_grammar *grammar = read_grammar(
        "grammar T; s : e (',' e)* ';' EOF ; e : e '+' e | '-' e | e '[' e ']' | 'x' ;");
    pare_parser *parser = NULL;
    pare_parse_tree tree = {0};
    pare_parse_cost cost = {0};
    static char text[3 * SIGNS + 2];
    for (size_t i = 0; i < SIGNS; i++)
        memcpy(text + 3 * i, "x+-", 3);
    memcpy(text + sizeof text - 2, "x;", 2);
    assert_int_equal(pare_parser_new(grammar, pare_grammar_start(grammar), &parser, NULL), PARE_OK);
    assert_int_equal(pare_parser_run(parser, text, sizeof text, &tree, &cost, NULL), PARE_OK);
    assert_false(tree.error.any);
    assert_in_range(cost.n_items, sizeof text, ITEMS * sizeof text);
    assert_in_range(cost.n_ways, 0, ITEMS * sizeof text);
    pare_parse_tree_done(&tree);
    pare_parser_free(parser);
    pare_grammar_free(grammar);
}

/* a0 is nothing in one way, but that is 2^40 rules deep and wide. */
static void test_disambiguate__nothing_without_end_is_refused_in_a_sentence(void **state)
{
    (void)state;
    char text[4000] = "grammar T; s : a0 N EOF ; a40 : I? ;" TOKENS;
    pare_parser *parser = NULL;
    pare_parse_tree tree = {0};
    pare_error err = {0};
    for (int i = 0; i < 40; i++) {
        const size_t n = strlen(text);
        (void)snprintf(text + n, sizeof text - n, " a%d : a%d a%d ;", i, i + 1, i + 1);
    }
    pare_grammar *grammar = read_grammar(text);
    assert_int_equal(pare_parser_new(grammar, pare_grammar_start(grammar), &parser, NULL), PARE_OK);
    assert_int_equal(pare_parser_run(parser, "1", 1, &tree, NULL, &err), PARE_E_LIMIT);
    assert_non_null(strstr(err.message, "derives nothing"));
    assert_null(tree.nodes);
    pare_parser_free(parser);
    pare_grammar_free(grammar);
}

/* Beyond the limit of links the tree is the one found first, and it has all of the text. */
static void test_disambiguate__very_ambiguous_texts_have_a_tree(void **state)
{
    (void)state;
    char text[2 * 110];
    pare_grammar *grammar =
        read_grammar("grammar T; s : t EOF ; t : t t t | u t | N ; u : t t? ;" TOKENS);
    for (size_t i = 0; i < sizeof text; i += 2)
        memcpy(text + i, "1 ", 2);
    pare_parse_tree tree = parse_with(grammar, text, sizeof text, NULL);
    size_t n = 0;
    for (size_t i = 0; i < tree.n_nodes; i++)
        n += tree.nodes[i].kind == PARE_NODE_TOKEN && tree.nodes[i].begin < tree.nodes[i].end;
    assert_int_equal(n, sizeof text / 2);
    assert_false(tree.error.any);
    pare_parse_tree_done(&tree);
    pare_grammar_free(grammar);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_disambiguate__first_alternative_wins),
        cmocka_unit_test(test_disambiguate__loops_are_greedy_or_lazy),
        cmocka_unit_test(test_disambiguate__precedence_and_associativity),
        cmocka_unit_test(test_disambiguate__dangling_else_goes_to_the_inner_if),
        cmocka_unit_test(test_disambiguate__nothing_is_derived_as_antlr_does),
        cmocka_unit_test(test_disambiguate__end_of_file_may_be_taken_twice),
        cmocka_unit_test(test_disambiguate__lazy_loop_goes_to_its_end),
        cmocka_unit_test(test_disambiguate__every_parse_ends),
        cmocka_unit_test(test_disambiguate__every_parse_of_random_grammars_ends),
        cmocka_unit_test(test_disambiguate__greedy_operators_change_no_tree),
        cmocka_unit_test(test_disambiguate__signs_in_sums_are_linear),
        cmocka_unit_test(test_disambiguate__nothing_without_end_is_refused_in_a_sentence),
        cmocka_unit_test(test_disambiguate__very_ambiguous_texts_have_a_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
