/* Literals as leaves, in trees by scannerless grammars. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "grammar/fuzzingbook.h"
#include "parse/literals.h"
#include "unit/alloc_sweep.h"
#include "unit/support/parse_text.h"

/* "let" stands in two places; "l" begins like it. */
static const char BOOK[] = "{\"<s>\": [\"let <n>;<s>\", \"let <n>;\"], \"<n>\": [\"l\", \"01\"]}";

static pare_grammar *read_book(void)
{
    pare_grammar *grammar = NULL;
    assert_int_equal(pare_fuzzingbook_read_memory("book", BOOK, sizeof BOOK - 1, &grammar, NULL),
                     PARE_OK);
    return grammar;
}

/* Joins the leaves of `text`'s tree and shows them, each followed by '|'. */
static void show_leaves(const pare_grammar *grammar, const char *text, char *out, size_t size)
{
    pare_literals literals;
    pare_parse_tree tree = parse_with(grammar, text, strlen(text), NULL);
    assert_int_equal(pare_literals_init(&literals, grammar, NULL), PARE_OK);
    assert_int_equal(pare_literals_join(&literals, &tree, NULL), PARE_OK);
    assert_true(pare_parse_tree_check(&tree));
    size_t at = 0;
    for (uint32_t i = 0; i < tree.n_nodes; i++) {
        const pare_parse_node *node = &tree.nodes[i];
        size_t n = node->end - node->begin;
        if (!pare_parse_tree_is_leaf(&tree, i)) continue;
        assert_true(at + n + 2 < size);
        memcpy(out + at, text + node->begin, n);
        at += n;
        out[at++] = '|';
    }
    out[at] = '\0';
    pare_literals_done(&literals);
    pare_parse_tree_done(&tree);
}

static void test_literals__characters_of_one_literal_are_one_leaf(void **state)
{
    (void)state;
    pare_grammar *grammar = read_book();
    char leaves[100];
    show_leaves(grammar, "let l;let 01;", leaves, sizeof leaves);
    assert_string_equal(leaves, "let |l|;|let |01|;|");
    pare_grammar_free(grammar);
}

static void test_literals__equal_texts_have_one_symbol(void **state)
{
    (void)state;
    pare_grammar *grammar = read_book();
    pare_literals literals;
    assert_int_equal(pare_literals_init(&literals, grammar, NULL), PARE_OK);
    size_t n_literals = 0, n_first = 0;
    for (pare_index i = 0; i < grammar->n_exprs; i++) {
        bool literal = grammar->exprs[i].kind == PARE_EXPR_LITERAL;
        assert_true(literal == (literals.first[i] != PARE_NO_INDEX));
        n_literals += literal;
        n_first += literals.first[i] == i;
        if (literal) assert_true(literals.first[i] <= i);
    }
    assert_int_equal(n_literals, 6); /* "let " and ";" twice, "l", "01" */
    assert_int_equal(n_first, 4);
    pare_literals_done(&literals);
    pare_grammar_free(grammar);
}

static void test_literals__what_leaves_the_grammar_stays_as_it_is(void **state)
{
    (void)state;
    pare_grammar *grammar = read_book();
    char leaves[100];
    show_leaves(grammar, "let ?l;", leaves, sizeof leaves);
    assert_string_equal(leaves, "let |?|l|;|");
    pare_grammar_free(grammar);
}

static pare_status join_once(void *context)
{
    const pare_grammar *grammar = context;
    pare_parser *parser = NULL;
    pare_parse_tree tree = {0};
    pare_literals literals = {0};
    pare_status status = pare_parser_new(grammar, 0, &parser, NULL);
    if (!status) status = pare_parser_run(parser, "let l;", 6, &tree, NULL, NULL);
    if (!status) status = pare_literals_init(&literals, grammar, NULL);
    if (!status) status = pare_literals_join(&literals, &tree, NULL);
    pare_literals_done(&literals);
    pare_parse_tree_done(&tree);
    pare_parser_free(parser);
    return status;
}

static void test_literals__reports_oom(void **state)
{
    (void)state;
    pare_grammar *grammar = read_book();
    sweep_allocations(join_once, grammar);
    pare_grammar_free(grammar);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_literals__characters_of_one_literal_are_one_leaf),
        cmocka_unit_test(test_literals__equal_texts_have_one_symbol),
        cmocka_unit_test(test_literals__what_leaves_the_grammar_stays_as_it_is),
        cmocka_unit_test(test_literals__reports_oom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
