/* The bridge to tree-sitter, with the small language json. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "unit/alloc_sweep.h"
#include "unit/support/language.h"

static pare_tree_sitter *json;

static pare_parse_tree parse(const char *text, size_t size)
{
    pare_parse_tree tree = {0};
    pare_error err = {0};
    if (pare_tree_sitter_parse(json, text, size, &tree, &err) != PARE_OK)
        fail_msg("%s", err.message);
    assert_true(pare_parse_tree_check(&tree));
    assert_true(covers_text(&tree, text));
    return tree;
}

static const char *name_of(const pare_parse_tree *tree, uint32_t node)
{
    return tree->names.rule(tree->names.language, tree->nodes[node].symbol);
}

/* The names of all nodes in order, separated by blanks. */
static void list_names(const pare_parse_tree *tree, pare_buffer *list)
{
    pare_buffer_reset(list);
    for (uint32_t i = 0; i < tree->n_nodes; i++)
        assert_int_equal(pare_buffer_format(list, NULL, "%s%s", i ? " " : "", name_of(tree, i)),
                         PARE_OK);
}

static void assert_names(const char *text, const char *names, size_t n_errors)
{
    pare_buffer list = {0};
    pare_parse_tree tree = parse(text, strlen(text));
    list_names(&tree, &list);
    assert_string_equal(list.data, names);
    assert_int_equal(tree.n_errors, n_errors);
    assert_int_equal(tree.error.any, n_errors > 0);
    pare_buffer_done(&list);
    pare_parse_tree_done(&tree);
}

static void test_tree_sitter__keeps_named_and_anonymous_nodes_in_order(void **state)
{
    (void)state;
    assert_names("{\"a\": [1]}",
                 "document object { pair string \" string_content \" : array [ number ] }", 0);
}

static void test_tree_sitter__keeps_comments_as_leaves(void **state)
{
    (void)state;
    assert_names(" 1 // one\n", "document number comment", 0);
}

static void test_tree_sitter__an_empty_text_is_a_root_alone(void **state)
{
    (void)state;
    assert_names("", "document", 0);
    assert_names(" \n\t", "document", 0);
}

static void test_tree_sitter__leaves_out_what_is_missing(void **state)
{
    (void)state;
    assert_names("[1", "document array [ number", 1);
}

static void test_tree_sitter__what_does_not_parse_is_opaque_and_the_rest_is_kept(void **state)
{
    (void)state;
    const char *text = "[1, @@ , {\"b\": 2}]";
    pare_parse_tree tree = parse(text, strlen(text));
    size_t n_opaque = 0, n_pairs = 0;
    for (uint32_t i = 0; i < tree.n_nodes; i++) {
        n_opaque += tree.nodes[i].kind == PARE_NODE_OPAQUE;
        n_pairs += strcmp(name_of(&tree, i), "pair") == 0;
    }
    assert_true(n_opaque >= 1);
    assert_int_equal(n_pairs, 1);
    assert_true(tree.n_errors >= 1);
    pare_parse_tree_done(&tree);
}

static void test_tree_sitter__nothing_but_nonsense_is_a_root_with_leaves(void **state)
{
    (void)state;
    static const char *const texts[] = {"@",  "@@@ %% \xff\xfe", "]]]]", "\xef\xbb\xbf", "}{",
                                        "\"", "// only"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        pare_parse_tree tree = parse(texts[i], strlen(texts[i]));
        assert_int_equal(tree.nodes[0].kind, PARE_NODE_RULE);
        assert_true(tree.n_nodes > 1);
        pare_parse_tree_done(&tree);
    }
    pare_parse_tree tree = parse("[\0]", 3);
    pare_parse_tree_done(&tree);
}

static void test_tree_sitter__the_first_error_has_line_and_column_in_code_points(void **state)
{
    (void)state;
    const char *text = "[1,\n \"\xc3\xa4\" @ ]";
    pare_parse_tree tree = parse(text, strlen(text));
    assert_true(tree.error.any);
    assert_int_equal(tree.error.line, 2);
    assert_int_equal(tree.error.column, 5);
    assert_string_equal(tree.error.message, "unexpected '@'");
    pare_parse_tree_done(&tree);
}

static void test_tree_sitter__a_rule_covers_its_first_leaf_to_its_last(void **state)
{
    (void)state;
    const char *text = "  [ 1 , 2 ]  ";
    pare_parse_tree tree = parse(text, strlen(text));
    assert_int_equal(tree.nodes[0].begin, 2);
    assert_int_equal(tree.nodes[0].end, strlen(text) - 2);
    assert_int_equal(tree.size_bytes, strlen(text));
    pare_parse_tree_done(&tree);
}

static void test_tree_sitter__a_million_levels_cost_no_stack(void **state)
{
    (void)state;
    enum { DEPTH = 1000000 };
    char *text = pare_alloc(2 * DEPTH, 1);
    assert_non_null(text);
    memset(text, '[', DEPTH);
    memset(text + DEPTH, ']', DEPTH);
    pare_parse_tree tree = {0};
    assert_int_equal(pare_tree_sitter_parse(json, text, 2 * DEPTH, &tree, NULL), PARE_OK);
    assert_int_equal(tree.n_errors, 0);
    assert_int_equal(tree.n_nodes, 3 * DEPTH + 1);
    assert_true(covers_text(&tree, text));
    pare_parse_tree_done(&tree);
    pare_alloc_free(text);
}

static pare_status parse_once(void *context)
{
    const char *text = context;
    pare_parse_tree tree = {.size_bytes = 77};
    pare_status status = pare_tree_sitter_parse(json, text, strlen(text), &tree, NULL);
    if (status == PARE_OK)
        pare_parse_tree_done(&tree);
    else
        assert_int_equal(tree.size_bytes, 77);
    return status;
}

static void test_tree_sitter__reports_oom_at_every_allocation_and_leaks_nothing(void **state)
{
    (void)state;
    sweep_allocations(parse_once, (void *)(uintptr_t) "{\"a\": [1, @, {}], }");
}

static void test_tree_sitter__what_is_no_language_is_refused(void **state)
{
    (void)state;
    pare_tree_sitter *out = NULL;
    pare_error err = {0};
    assert_int_equal(pare_tree_sitter_open("/nonexistent.so", "x", &out, &err), PARE_E_IO);
    assert_non_null(strstr(err.message, "/nonexistent.so"));
    assert_int_equal(pare_tree_sitter_open("libc.so.6", "tree_sitter_x", &out, NULL),
                     PARE_E_CORRUPT);
    assert_null(out);
}

static void test_tree_sitter__knows_its_tables(void **state)
{
    (void)state;
    assert_in_range(pare_tree_sitter_abi(json), 13, 15);
    assert_true(pare_tree_sitter_n_symbols(json) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree_sitter__keeps_named_and_anonymous_nodes_in_order),
        cmocka_unit_test(test_tree_sitter__keeps_comments_as_leaves),
        cmocka_unit_test(test_tree_sitter__an_empty_text_is_a_root_alone),
        cmocka_unit_test(test_tree_sitter__leaves_out_what_is_missing),
        cmocka_unit_test(test_tree_sitter__what_does_not_parse_is_opaque_and_the_rest_is_kept),
        cmocka_unit_test(test_tree_sitter__nothing_but_nonsense_is_a_root_with_leaves),
        cmocka_unit_test(test_tree_sitter__the_first_error_has_line_and_column_in_code_points),
        cmocka_unit_test(test_tree_sitter__a_rule_covers_its_first_leaf_to_its_last),
        cmocka_unit_test(test_tree_sitter__a_million_levels_cost_no_stack),
        cmocka_unit_test(test_tree_sitter__reports_oom_at_every_allocation_and_leaks_nothing),
        cmocka_unit_test(test_tree_sitter__what_is_no_language_is_refused),
        cmocka_unit_test(test_tree_sitter__knows_its_tables),
    };
    use_build_data();
    if (!has_language("json")) return EXIT_SKIPPED;
    json = load_language("json");
    int code = cmocka_run_group_tests(tests, NULL, NULL);
    pare_tree_sitter_close(json);
    return code;
}
