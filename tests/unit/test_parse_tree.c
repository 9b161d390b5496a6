/* The parse tree: navigation, and its invariant. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/support/parse_text.h"

static const char LIST[] = "grammar T; l : '[' (l (',' l)*)? ']' | N ; N : [0-9]+ ;"
                           " S : [ \\t\\n]+ -> skip ;";
static const char TEXT[] = " [1,\t[], 23]\n";

static void test_parse_tree__navigation_visits_each_node_once(void **state)
{
    (void)state;
    pare_grammar *grammar = read_grammar(LIST);
    pare_parse_tree tree = parse_with(grammar, TEXT, strlen(TEXT), NULL);
    size_t n = 1;
    for (uint32_t node = 0; node < tree.n_nodes; node++) {
        for (uint32_t c = pare_parse_tree_first_child(&tree, node); c != PARE_NO_NODE;
             c = pare_parse_tree_next_sibling(&tree, c)) {
            assert_int_equal(tree.nodes[c].parent, node);
            n++;
        }
    }
    assert_int_equal(n, tree.n_nodes);
    assert_int_equal(pare_parse_tree_next_sibling(&tree, 0), PARE_NO_NODE);
    pare_parse_tree_done(&tree);
    pare_parse_tree_done(&tree);
    pare_grammar_free(grammar);
}

static void test_parse_tree__check_sees_broken_trees(void **state)
{
    (void)state;
    pare_grammar *grammar = read_grammar(LIST);
    pare_parse_tree tree = parse_with(grammar, TEXT, strlen(TEXT), NULL);
    for (size_t i = 1; i < tree.n_nodes; i++) {
        pare_parse_node kept = tree.nodes[i];
        tree.nodes[i].parent = (uint32_t)i;
        assert_false(pare_parse_tree_check(&tree));
        tree.nodes[i] = kept;
        tree.nodes[i].end = (uint32_t)sizeof TEXT;
        assert_false(pare_parse_tree_check(&tree));
        tree.nodes[i] = kept;
        tree.nodes[i].after = (uint32_t)i;
        assert_false(pare_parse_tree_check(&tree));
        tree.nodes[i] = kept;
    }
    assert_true(pare_parse_tree_check(&tree));
    pare_parse_tree_done(&tree);
    pare_grammar_free(grammar);
}

static void test_parse_tree__quantifiers_are_nodes(void **state)
{
    (void)state;
    pare_grammar *grammar = read_grammar(LIST);
    pare_parse_tree tree = parse_with(grammar, TEXT, strlen(TEXT), NULL);
    size_t n[PARE_NODE_OPAQUE + 1] = {0};
    for (size_t i = 0; i < tree.n_nodes; i++)
        n[tree.nodes[i].kind]++;
    assert_int_equal(n[PARE_NODE_RULE], 4);
    assert_int_equal(n[PARE_NODE_TOKEN], 8);
    assert_int_equal(n[PARE_NODE_OPTIONAL], 1);
    assert_int_equal(n[PARE_NODE_STAR], 1);
    assert_int_equal(n[PARE_NODE_ITEM], 3);
    assert_int_equal(tree.nodes[0].begin, 1);
    assert_int_equal(tree.nodes[0].end, strlen(TEXT) - 1);
    pare_parse_tree_done(&tree);
    pare_grammar_free(grammar);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse_tree__navigation_visits_each_node_once),
        cmocka_unit_test(test_parse_tree__check_sees_broken_trees),
        cmocka_unit_test(test_parse_tree__quantifiers_are_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
