/* Going on behind errors: what is kept, what is left out, and what it costs. */
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
#include "grammar/fuzzingbook.h"
#include "unit/alloc_sweep.h"
#include "unit/support/parse_text.h"

static const char *const statements =
    "grammar C; file : stmt* EOF ;"
    " stmt : 'if' '(' expr ')' stmt ('else' stmt)? | '{' stmt* '}' | ID '=' expr ';'"
    "      | 'call' ID '(' (expr (',' expr)*)? ')' ';' ;"
    " expr : expr '*' expr | expr '+' expr | '(' expr ')' | ID | N ;"
    " ID : [a-z]+ ; N : [0-9]+ ; S : [ \\n]+ -> skip ;";

/* The LISP form with opaque leaves as <...>. */
static void print_marked(const pare_parse_tree *tree, const char *text, pare_buffer *out)
{
    pare_parse_tree whole = *tree;
    uint32_t open = PARE_NO_NODE;
    for (uint32_t i = 0; i <= whole.n_nodes; i++) {
        for (; open != PARE_NO_NODE && whole.nodes[open].after <= i;
             open = whole.nodes[open].parent) {
            if (whole.nodes[open].kind == PARE_NODE_RULE)
                assert_int_equal(pare_buffer_text(out, ")", NULL), PARE_OK);
        }
        if (i == whole.n_nodes) break;
        const pare_parse_node *node = &whole.nodes[i];
        bool rule = node->kind == PARE_NODE_RULE, opaque = node->kind == PARE_NODE_OPAQUE;
        bool leaf = opaque || (node->kind == PARE_NODE_TOKEN && node->begin < node->end);
        open = i;
        bool within = !rule && i > 0 && whole.nodes[node->parent].kind == PARE_NODE_OPAQUE;
        within |= i > 0 && opaque && node->symbol != PARE_NO_NODE;
        if ((!rule && !leaf) || within) continue;
        if (i > 0) assert_int_equal(pare_buffer_text(out, " ", NULL), PARE_OK);
        if (rule || opaque)
            assert_int_equal(pare_buffer_text(out, rule ? "(" : "<", NULL), PARE_OK);
        if (rule)
            assert_int_equal(
                pare_buffer_text(out, whole.names.rule(whole.names.language, node->symbol), NULL),
                PARE_OK);
        else
            assert_int_equal(
                pare_buffer_add(out, text + node->begin, node->end - node->begin, NULL), PARE_OK);
        if (opaque) assert_int_equal(pare_buffer_text(out, ">", NULL), PARE_OK);
    }
}

static void assert_mended_by(const pare_grammar *grammar, const char *text, const char *expected)
{
    pare_parse_tree tree = parse_with(grammar, text, strlen(text), NULL);
    pare_buffer out = {0};
    print_marked(&tree, text, &out);
    assert_true(tree.error.any);
    assert_string_equal(out.data, expected);
    pare_buffer_done(&out);
    pare_parse_tree_done(&tree);
}

static void assert_mended(const char *grammar_text, const char *text, const char *expected)
{
    pare_grammar *grammar = read_grammar(grammar_text);
    assert_mended_by(grammar, text, expected);
    pare_grammar_free(grammar);
}

static void test_earley_mend__a_letter_too_many_is_opaque_alone(void **state)
{
    (void)state;
    assert_mended(statements, "a = 1; b = = 2; c = 3;",
                  "(file (stmt a = (expr 1) ;) (stmt b = <=> (expr 2) ;) (stmt c = (expr 3) ;))");
    assert_mended(statements, "call f(1, , 2); b = 1;",
                  "(file (stmt call f ( (expr 1) , <,> (expr 2) ) ;) (stmt b = (expr 1) ;))");
    assert_mended(statements, ") a = 1;", "(file <)> (stmt a = (expr 1) ;))");
    assert_mended(statements, "a = 1; } b = 2; c = 1;",
                  "(file (stmt a = (expr 1) ;) <}> (stmt b = (expr 2) ;) (stmt c = (expr 1) ;))");
}

static void test_earley_mend__a_letter_missing_makes_no_leaf(void **state)
{
    (void)state;
    assert_mended(statements, "a = 1; b 2; c = 3;",
                  "(file (stmt a = (expr 1) ;) (stmt b (expr 2) ;) (stmt c = (expr 3) ;))");
    assert_mended(statements, "a = 1 b = 2; c = 3;",
                  "(file (stmt a = (expr 1)) (stmt b = (expr 2) ;) (stmt c = (expr 3) ;))");
    assert_mended(statements, "a = ( 1 + 2 ; b = 2; c = 4;",
                  "(file (stmt a = (expr ( (expr (expr 1) + (expr 2))) ;) (stmt b = (expr 2) ;)"
                  " (stmt c = (expr 4) ;))");
}

static void test_earley_mend__a_stretch_within_a_construct_stays_within_it(void **state)
{
    (void)state;
    assert_mended(statements, "a = 1; foo bar baz qux ; y = 3; z = 1;",
                  "(file (stmt a = (expr 1) ;) (stmt foo <bar baz> (expr qux) ;)"
                  " (stmt y = (expr 3) ;) (stmt z = (expr 1) ;))");
    assert_mended(statements, "if (a b c) { a = 1; } b = 1;",
                  "(file (stmt if ( (expr a) <b c> ) (stmt { (stmt a = (expr 1) ;) }))"
                  " (stmt b = (expr 1) ;))");
}

static void test_earley_mend__the_end_closes_all_that_is_open(void **state)
{
    (void)state;
    assert_mended(statements,
                  "{ { a = 1; b =", "(file (stmt { (stmt { (stmt a = (expr 1) ;) (stmt b =))))");
    assert_mended("grammar T; s : '(' s ')' | 'x' ; Y : 'y' ;", "((x)y", "(s ( (s ( (s x) )) <y>)");
    assert_mended(statements, "+ + +", "(file <+ + +>)");
    assert_mended("grammar T; s : 'x' 'y' ; Z : 'z' ;", "zzz", "(s <zzz>)");
}

static void test_earley_mend__what_does_not_lex_is_opaque(void **state)
{
    (void)state;
    assert_mended(statements, "a = 1; $$ b = 2;",
                  "(file (stmt a = (expr 1) ;) <$$> (stmt b = (expr 2) ;))");
}

static void test_earley_mend__characters_are_letters_without_a_lexer(void **state)
{
    (void)state;
    static const char book[] = "{\"<start>\": [\"<sum>\"], \"<sum>\": [\"<n>+<sum>\", \"<n>\"],"
                               " \"<n>\": [\"(<sum>)\", \"1\"]}";
    pare_grammar *grammar = NULL;
    assert_int_equal(pare_fuzzingbook_read_memory("b.json", book, sizeof book - 1, &grammar, NULL),
                     PARE_OK);
    assert_mended_by(grammar, "1+%(1+1)+1",
                     "(<start> (<sum> (<n> 1) + <%> (<sum> (<n> ( (<sum> (<n> 1) + (<sum>"
                     " (<n> 1))) )) + (<sum> (<n> 1)))))");
    pare_grammar_free(grammar);
}

static void test_earley_mend__ambiguous_stretches_have_one_tree(void **state)
{
    (void)state;
    const char *grammar = "grammar T; s : a+ EOF ; a : b | c ; b : 'x' 'y'? ';' ; c : 'x' 'z'* ';' "
                          "; S : ' ' -> skip ;";
    assert_mended(grammar, "x;x x;x;", "(s (a (b x ;)) (a (b x <x> ;)) (a (b x ;)))");
}

/* Items and errors for `n` times `piece`. */
static size_t count_items(const pare_grammar *grammar, const char *piece, size_t n, size_t *errors)
{
    size_t length = strlen(piece);
    char *text = pare_alloc(n, length);
    assert_non_null(text);
    for (size_t i = 0; i < n; i++)
        memcpy(text + i * length, piece, length);
    pare_parse_cost cost = {0};
    pare_parse_tree tree = parse_with(grammar, text, n * length, &cost);
    *errors = tree.n_errors;
    pare_parse_tree_done(&tree);
    pare_alloc_free(text);
    return cost.n_items;
}

static void test_earley_mend__ten_thousand_errors_cost_linear_work(void **state)
{
    /* Fewer cases, for with fewer errors nothing is shown. */
    const size_t step = getenv("PARE_TEST_SHORT") ? 4 : 1;
    /* Sanitizers look into the code, which is the same for the small text: there few large ones. */
    const char *sanitize = getenv("PARE_SANITIZE");
    const size_t large_step = sanitize && *sanitize ? 4 : step;
    (void)state;
    static const struct {
        const char *grammar, *piece;
        size_t errors; /* in each piece, at least */
    } cases[] = {
        {NULL, "a = = 1; ", 1},
        {NULL, "b 2; ", 1},
        {NULL, "call f(1, , 2) ", 2},
        {NULL, "foo bar baz ( qux ; ", 1},
        {NULL, "{ a = 1; ) ", 1}, /* ever deeper */
        {"grammar T; s : r EOF ; r : N r | N ; N : '1' ; X : 'x' ; Y : 'y' ;", "11xy1", 1},
        {"grammar T; s : r EOF ; r : N r? ; N : '1' ; X : 'x' ;", "11x", 1},
        {"grammar T; s : e EOF ; e : e '+' e | '(' e ')' | N ; N : '1' ; X : 'x' ;", "1+(x+1)+", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += step) {
        pare_grammar *grammar = read_grammar(cases[i].grammar ? cases[i].grammar : statements);
        size_t small_errors, large_errors;
        size_t small = count_items(grammar, cases[i].piece, 1000, &small_errors);
        assert_true(small_errors >= 1000 * cases[i].errors);
        if (i % large_step != 0) {
            pare_grammar_free(grammar);
            continue;
        }
        size_t large = count_items(grammar, cases[i].piece, 10000, &large_errors);
        if (large_errors < 10000 * cases[i].errors || large >= 12 * small)
            fail_msg("%s: %zu and %zu items, %zu errors", cases[i].piece, small, large,
                     large_errors);
        pare_grammar_free(grammar);
    }
}

/* Leaves ascend and, with what is between them, make up the text. */
static void assert_covers(const pare_parse_tree *tree)
{
    uint32_t at = 0;
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const pare_parse_node *node = &tree->nodes[i];
        if (!pare_parse_tree_is_leaf(tree, (uint32_t)i)) continue;
        assert_true(node->begin >= at);
        at = node->end;
    }
    assert_true(at <= tree->size_bytes);
}

static void test_earley_mend__any_damage_leaves_a_whole_tree(void **state)
{
    (void)state;
    static const char *const pieces[] = {"a", "=",  "1",    ";",    "(", ")", "{", "}",
                                         "+", "if", "else", "call", ",", " ", "?", "*"};
    pare_grammar *grammar = read_grammar(statements);
    pare_random random;
    pare_random_init(&random, 7);
    for (int round = 0; round < 3000; round++) {
        char text[256] = "";
        size_t n = pare_random_below(&random, 40), size = 0;
        for (size_t i = 0; i < n; i++) {
            const char *piece = pieces[pare_random_below(&random, sizeof pieces / sizeof *pieces)];
            size += (size_t)snprintf(text + size, sizeof text - size, "%s ", piece);
        }
        pare_parse_tree tree = parse_with(grammar, text, size, NULL);
        assert_covers(&tree);
        pare_parse_tree_done(&tree);
    }
    pare_grammar_free(grammar);
}

static pare_status mend_once(void *context)
{
    static const char text[] = "a = = 1; if (b { c } } call 1 2 3; (";
    pare_parser *parser = NULL;
    pare_parse_tree tree = {0};
    pare_status status = pare_parser_new(context, pare_grammar_start(context), &parser, NULL);
    if (status == PARE_OK)
        status = pare_parser_run(parser, text, sizeof text - 1, &tree, NULL, NULL);
    assert_int_equal(tree.nodes != NULL, status == PARE_OK);
    pare_parse_tree_done(&tree);
    pare_parser_free(parser);
    return status;
}

static void test_earley_mend__reports_oom(void **state)
{
    (void)state;
    pare_grammar *grammar = read_grammar(statements);
    sweep_allocations(mend_once, grammar);
    pare_grammar_free(grammar);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_earley_mend__a_letter_too_many_is_opaque_alone),
        cmocka_unit_test(test_earley_mend__a_letter_missing_makes_no_leaf),
        cmocka_unit_test(test_earley_mend__a_stretch_within_a_construct_stays_within_it),
        cmocka_unit_test(test_earley_mend__the_end_closes_all_that_is_open),
        cmocka_unit_test(test_earley_mend__what_does_not_lex_is_opaque),
        cmocka_unit_test(test_earley_mend__characters_are_letters_without_a_lexer),
        cmocka_unit_test(test_earley_mend__ambiguous_stretches_have_one_tree),
        cmocka_unit_test(test_earley_mend__ten_thousand_errors_cost_linear_work),
        cmocka_unit_test(test_earley_mend__any_damage_leaves_a_whole_tree),
        cmocka_unit_test(test_earley_mend__reports_oom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
