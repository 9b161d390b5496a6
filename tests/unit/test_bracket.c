/* Bracket trees: their shape on small texts, their invariant on any. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/random.h"
#include "text/split/bracket.h"
#include "unit/alloc_sweep.h"

static pare_bracket_tree build(const void *bytes, size_t size)
{
    pare_bracket_tree tree = {0};
    assert_int_equal(pare_bracket_build(bytes, size, &tree, NULL), PARE_OK);
    assert_true(pare_bracket_check(&tree));
    assert_int_equal(tree.size_bytes, size);
    return tree;
}

/* A node without descendants is followed by `after` at once. */
static bool is_leaf(const pare_bracket_tree *tree, uint32_t node)
{
    return tree->nodes[node].after == node + 1;
}

/* Shows a tree: <...> around each group, | before each leaf. */
static void show(const pare_bracket_tree *tree, const char *bytes, char *shown, size_t limit)
{
    size_t length = 0;
    for (uint32_t node = 0, open = PARE_BRACKET_NONE; node < tree->n_nodes; node++) {
        bool leaf = is_leaf(tree, node);
        shown[length++] = leaf ? '|' : '<';
        if (!leaf) open = node;
        for (uint32_t at = tree->nodes[node].begin; leaf && at < pare_bracket_end(tree, node);)
            shown[length++] = bytes[at++];
        while (open != PARE_BRACKET_NONE && tree->nodes[open].after == node + 1) {
            shown[length++] = '>';
            open = tree->nodes[open].parent;
        }
        assert_true(length + 64 < limit);
    }
    shown[length] = '\0';
}

static void assert_tree(const char *text, const char *expected)
{
    char shown[512];
    pare_bracket_tree tree = build(text, strlen(text));
    show(&tree, text, shown, sizeof shown);
    assert_string_equal(shown, expected);
    pare_bracket_done(&tree);
}

static void test_bracket__groups_nest(void **state)
{
    (void)state;
    assert_tree("", "");
    assert_tree("a", "|a");
    assert_tree("()", "<|(|)>");
    assert_tree("f(x)", "|f<|(|x|)>");
    assert_tree("a[b{c}d]e", "|a<|[|b<|{|c|}>|d|]>|e");
    assert_tree("()[]{}", "<|(|)><|[|]><|{|}>");
    assert_tree("((()))", "<|(<|(<|(|)>|)>|)>");
}

static void test_bracket__stretches_are_cut_behind_their_delimiters(void **state)
{
    (void)state;
    assert_tree("a;b,c", "|a;|b,|c");
    assert_tree("a\nb\r\nc\rd", "|a\n|b\r\n|c\r|d");
    assert_tree("a; \t\nb; c,\n", "|a; \t\n|b;| c,\n");
    assert_tree(";;", "|;|;");
    assert_tree("f(a, b);\n", "|f<|(|a,| b|)>|;\n");
    assert_tree("a;  ", "|a;|  ");
}

static void test_bracket__a_bracket_without_partner_is_text(void **state)
{
    (void)state;
    assert_tree("(", "|(");
    assert_tree(")", "|)");
    assert_tree("a)b(c", "|a)b(c");
    assert_tree("(a]", "|(a]");
    assert_tree("(a]b)", "<|(|a]b|)>");
    assert_tree("(a[b)c", "<|(|a[b|)>|c");
    assert_tree("{([}", "<|{|([|}>");
    assert_tree("(()", "|(<|(|)>");
    assert_tree("())", "<|(|)>|)");
    assert_tree("[(])", "<|[|(|]>|)");
}

static void test_bracket__brackets_inside_strings_are_text(void **state)
{
    (void)state;
    assert_tree("(\")\")", "<|(|\")\"|)>");
    assert_tree("('\\')')", "<|(|'\\')'|)>");
    assert_tree("`{`,\"}\"", "|`{`,|\"}\"");
    assert_tree("(\")", "<|(|\"|)>"); /* a quote without end is text itself */
    assert_tree("\"a;b\";c", "|\"a;b\";|c");
}

static void test_bracket__tags_are_stronger_brackets(void **state)
{
    (void)state;
    assert_tree("<a>(x)</a>", "<|<a><|(|x|)>|</a>>");
    assert_tree("(<a>)</a>)", "<|(<|<a>|)|</a>>|)>");
    assert_tree("<p>a<br>b</p>", "<|<p>|a|<br>|b|</p>>");
    assert_tree("<p>don't (</p><p>)'</p>", "<|<p>|don't (|</p>><|<p>|)'|</p>>");
    assert_tree("[b][i]x[/i][/b]", "<|[b]<|[i]|x|[/i]>|[/b]>");
}

static void test_bracket__nodes_know_their_relatives(void **state)
{
    (void)state;
    const char *text = "a(b)c";
    pare_bracket_tree tree = build(text, strlen(text));
    /* 0 a, 1 group, 2 (, 3 b, 4 ), 5 c */
    assert_int_equal(tree.n_nodes, 6);
    assert_int_equal(tree.n_levels, 2);
    assert_true(is_leaf(&tree, 0));
    assert_false(is_leaf(&tree, 1));
    assert_int_equal(tree.nodes[1].after, 5);
    assert_int_equal(tree.nodes[3].parent, 1);
    assert_int_equal(tree.nodes[3].depth, 1);
    assert_int_equal(tree.nodes[1].parent, PARE_BRACKET_NONE);
    assert_int_equal(pare_bracket_end(&tree, 1), 4);
    assert_int_equal(pare_bracket_end(&tree, 5), 5);
    static const bool delimiter[] = {false, false, true, false, true, false};
    for (uint32_t node = 0; node < 6; node++)
        assert_int_equal(pare_bracket_is_delimiter(&tree, node), delimiter[node]);
    pare_bracket_done(&tree);
}

static void assert_level(const char *text, uint32_t level, const char *expected)
{
    char shown[512];
    size_t length = 0;
    pare_bracket_tree tree = build(text, strlen(text));
    pare_slices slices = {0};
    assert_int_equal(pare_bracket_level(&tree, level, &slices, NULL), PARE_OK);
    for (size_t i = 0; i < slices.n; i++) {
        shown[length++] = '|';
        memcpy(shown + length, text + slices.begin[i], slices.end[i] - slices.begin[i]);
        length += slices.end[i] - slices.begin[i];
    }
    shown[length] = '\0';
    assert_string_equal(shown, expected);
    pare_bracket_slices_done(&slices);
    pare_bracket_done(&tree);
}

static void test_bracket__a_level_holds_groups_whole_and_no_shallower_text(void **state)
{
    (void)state;
    const char *text = "f(a, {b; c}, d);g[x]{}";
    assert_level(text, 0, "|f|(a, {b; c}, d)|;|g|[x]|{}");
    assert_level(text, 1, "|a,| |{b; c}|,| d|x");
    assert_level(text, 2, "|b;| c");
    assert_level(text, 3, "");
    assert_level(text, PARE_BRACKET_NONE, "");
    assert_level("", 0, "");
}

/* The leaves in order are the text, whatever the tree; nodes follow from links. */
static void assert_leaves_give_the_text(const unsigned char *bytes, size_t size)
{
    pare_bracket_tree tree = build(bytes, size);
    size_t at = 0;
    for (uint32_t node = 0; node < tree.n_nodes; node++) {
        assert_int_equal(tree.nodes[node].begin, at);
        if (is_leaf(&tree, node))
            at = pare_bracket_end(&tree, node);
        else
            assert_non_null(strchr("([{", bytes[at]));
    }
    assert_int_equal(at, size);
    pare_bracket_done(&tree);
}

/* Groups of every level are balanced: they begin and end with a pair. */
static void assert_levels_are_ordered(const unsigned char *bytes, size_t size)
{
    pare_bracket_tree tree = build(bytes, size);
    for (uint32_t level = 0; level <= tree.n_levels; level++) {
        pare_slices slices = {0};
        assert_int_equal(pare_bracket_level(&tree, level, &slices, NULL), PARE_OK);
        size_t end = 0;
        for (size_t i = 0; i < slices.n; i++) {
            assert_true(slices.begin[i] >= end && slices.begin[i] < slices.end[i]);
            end = slices.end[i];
        }
        assert_true(end <= size);
        assert_true(level < tree.n_levels || slices.n == 0);
        pare_bracket_slices_done(&slices);
    }
    pare_bracket_done(&tree);
}

static void test_bracket__leaves_tile_any_bytes(void **state)
{
    (void)state;
    static const unsigned char alphabet[] = "()[]{}()[]{}ab;,\r\n \"'\\\xff";
    pare_random random;
    pare_random_init(&random, 21);
    unsigned char bytes[200];
    for (int round = 0; round < 10000; round++) {
        size_t size = pare_random_below(&random, sizeof bytes + 1);
        size_t letters = 6 + pare_random_below(&random, sizeof alphabet - 5);
        for (size_t k = 0; k < size; k++)
            bytes[k] = alphabet[pare_random_below(&random, letters)];
        assert_leaves_give_the_text(bytes, size);
        assert_levels_are_ordered(bytes, size);
    }
}

static void test_bracket__a_million_levels_are_no_trouble(void **state)
{
    (void)state;
    uint32_t depth = 1000000;
    unsigned char *bytes = pare_alloc(depth, 2);
    assert_non_null(bytes);
    memset(bytes, '(', depth);
    memset(bytes + depth, ')', depth);
    pare_bracket_tree tree = build(bytes, 2 * (size_t)depth);
    assert_int_equal(tree.n_levels, depth + 1);
    assert_int_equal(tree.n_nodes, 3 * depth);
    pare_slices slices = {0};
    assert_int_equal(pare_bracket_level(&tree, depth - 1, &slices, NULL), PARE_OK);
    assert_int_equal(slices.n, 1);
    assert_int_equal(slices.begin[0], depth - 1);
    assert_int_equal(slices.end[0], depth + 1);
    pare_bracket_slices_done(&slices);
    pare_bracket_done(&tree);
    tree = build(bytes, depth); /* and none of them closed */
    assert_int_equal(tree.n_nodes, 1);
    pare_bracket_done(&tree);
    pare_alloc_free(bytes);
}

static void test_bracket__a_text_with_few_brackets_needs_few_nodes(void **state)
{
    (void)state;
    size_t size = 1000000;
    unsigned char *bytes = pare_alloc(size, 1);
    assert_non_null(bytes);
    memset(bytes, 'x', size);
    for (size_t k = 59; k < size; k += 60)
        bytes[k] = '\n';
    pare_bracket_tree tree = build(bytes, size);
    assert_int_equal(tree.n_nodes, size / 60 + 1);
    assert_int_equal(sizeof *tree.nodes, 16);
    pare_bracket_done(&tree);
    pare_alloc_free(bytes);
}

static void test_bracket__a_damaged_tree_is_seen(void **state)
{
    (void)state;
    pare_bracket_tree tree = build("a(b)c", 5);
    for (uint32_t node = 0; node < tree.n_nodes; node++) {
        pare_bracket_node good = tree.nodes[node];
        tree.nodes[node].depth++;
        assert_false(pare_bracket_check(&tree));
        tree.nodes[node] = good;
        tree.nodes[node].begin++;
        assert_false(pare_bracket_check(&tree));
        tree.nodes[node] = good;
        tree.nodes[node].after++;
        assert_false(pare_bracket_check(&tree));
        tree.nodes[node] = good;
        tree.nodes[node].parent--;
        assert_false(pare_bracket_check(&tree));
        tree.nodes[node] = good;
    }
    assert_true(pare_bracket_check(&tree));
    pare_bracket_done(&tree);
}

static pare_status build_tree(void *context)
{
    (void)context;
    static const unsigned char bytes[] =
        "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((x)";
    pare_bracket_tree tree = {.n_nodes = 77};
    pare_error err = {0};
    pare_status status = pare_bracket_build(bytes, sizeof bytes - 1, &tree, &err);
    if (status) {
        assert_null(tree.nodes);
        assert_int_equal(tree.n_nodes, 77);
        assert_int_equal(err.status, status);
    }
    pare_bracket_done(&tree);
    return status;
}

static pare_status make_level(void *tree)
{
    pare_slices slices = {.n = 77};
    pare_status status = pare_bracket_level(tree, 0, &slices, NULL);
    if (status) {
        assert_null(slices.begin);
        assert_int_equal(slices.n, 77);
    }
    pare_bracket_slices_done(&slices);
    return status;
}

static void test_bracket__out_of_memory_leaves_out_alone(void **state)
{
    (void)state;
    sweep_allocations(build_tree, NULL);
    pare_bracket_tree tree = build("a(b)c", 5);
    sweep_allocations(make_level, &tree);
    pare_bracket_done(&tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bracket__groups_nest),
        cmocka_unit_test(test_bracket__stretches_are_cut_behind_their_delimiters),
        cmocka_unit_test(test_bracket__a_bracket_without_partner_is_text),
        cmocka_unit_test(test_bracket__brackets_inside_strings_are_text),
        cmocka_unit_test(test_bracket__tags_are_stronger_brackets),
        cmocka_unit_test(test_bracket__nodes_know_their_relatives),
        cmocka_unit_test(test_bracket__a_level_holds_groups_whole_and_no_shallower_text),
        cmocka_unit_test(test_bracket__leaves_tile_any_bytes),
        cmocka_unit_test(test_bracket__a_million_levels_are_no_trouble),
        cmocka_unit_test(test_bracket__a_text_with_few_brackets_needs_few_nodes),
        cmocka_unit_test(test_bracket__a_damaged_tree_is_seen),
        cmocka_unit_test(test_bracket__out_of_memory_leaves_out_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
