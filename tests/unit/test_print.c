/* The formats a tree is printed in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>
#include <cmocka.h>

#include "parse/print.h"
#include "unit/support/parse_text.h"

static const char LIST[] = "grammar T; l : '[' (l (',' l)*)? ']' | N ; N : [0-9]+ ;"
                           " S : [ \\t\\n]+ -> skip ;";
static const char TEXT[] = " [1,\t[], 23]\n";

static void test_print__lisp_escapes_as_antlr(void **state)
{
    (void)state;
    assert_parse("grammar T; s : (A | B)* EOF ; A : 'a' ; B : [\\t\\n\\r (] ;", "a\t\n\r (",
                 "(s a \\t \\n \\r   ( <EOF>)");
}

static void test_print__json_is_json(void **state)
{
    (void)state;
    static const char any[] = "grammar T; s : A* EOF ; A : . ;";
    static const char text[] = "\"\\\n\x01\xFF\xC3\xA4";
    pare_grammar *grammar = read_grammar(any);
    pare_parse_tree tree = parse_with(grammar, text, strlen(text), NULL);
    pare_buffer out = {0};
    assert_int_equal(pare_print_json(&tree, text, &out, NULL), PARE_OK);
    json_t *json = json_loadb(out.data, out.size, 0, NULL);
    assert_non_null(json);
    json_t *star = json_array_get(json_object_get(json, "children"), 0);
    assert_string_equal(json_string_value(json_object_get(star, "kind")), "star");
    assert_int_equal(json_array_size(json_object_get(star, "children")), 6);
    json_decref(json);
    pare_buffer_done(&out);
    pare_parse_tree_done(&tree);
    pare_grammar_free(grammar);
}

static void test_print__pictures_hold_every_node(void **state)
{
    (void)state;
    pare_grammar *grammar = read_grammar(LIST);
    pare_parse_tree tree = parse_with(grammar, TEXT, strlen(TEXT), NULL);
    pare_buffer dot = {0}, svg = {0};
    assert_int_equal(pare_print_dot(&tree, TEXT, &dot, NULL), PARE_OK);
    assert_int_equal(pare_print_svg(&tree, TEXT, &svg, NULL), PARE_OK);
    size_t n_labels = 0, n_texts = 0;
    for (const char *at = dot.data; (at = strstr(at, "label=")); at++)
        n_labels++;
    for (const char *at = svg.data; (at = strstr(at, "<text ")); at++)
        n_texts++;
    assert_int_equal(n_labels, tree.n_nodes);
    assert_int_equal(n_texts, tree.n_nodes);
    pare_buffer_done(&dot);
    pare_buffer_done(&svg);
    pare_parse_tree_done(&tree);
    pare_grammar_free(grammar);
}

/* Would take minutes if each node counted those above it. */
static void test_print__levels_of_subtrees_cost_linear_work(void **state)
{
    (void)state;
    enum { DEEP = 400000 };
    pare_grammar *grammar = read_grammar("grammar T; l : '[' l ']' | N ; N : [0-9] ;");
    char *text = malloc(2 * DEEP + 2);
    assert_non_null(text);
    memset(text, '[', DEEP);
    text[DEEP] = '1';
    memset(text + DEEP + 1, ']', DEEP);
    pare_parse_tree tree = parse_with(grammar, text, 2 * DEEP + 1, NULL);
    pare_buffer out = {0};
    assert_int_equal(pare_print_subtrees(&tree, text, "l", DEEP - 1, &out, NULL), PARE_OK);
    assert_int_equal(out.size, 4);
    assert_memory_equal(out.data, "[1]\n", 4);
    pare_buffer_done(&out);
    pare_parse_tree_done(&tree);
    pare_grammar_free(grammar);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_print__lisp_escapes_as_antlr),
        cmocka_unit_test(test_print__json_is_json),
        cmocka_unit_test(test_print__pictures_hold_every_node),
        cmocka_unit_test(test_print__levels_of_subtrees_cost_linear_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
