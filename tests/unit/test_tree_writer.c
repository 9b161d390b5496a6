/* Trees written letter by letter: leaves, holes, nodes around what was written, and what
 * was taken back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "grammar/grammar.h"
#include "parse/tree_writer.h"
#include "unit/alloc_sweep.h"

/* "a b ?? c": letter 2, behind `b`, is a hole that shows, letter 3 is `c`. */
static const uint32_t symbols[] = {11, 12, 0, 13}, begins[] = {0, 2, 4, 7}, ends[] = {1, 3, 6, 8};
static const pare_letters letters = {
    .symbol = symbols, .begin = begins, .end = ends, .n = 4, .size_bytes = 9};

static pare_parse_tree close_tree(pare_tree_writer *writer)
{
    pare_parse_tree tree = {.size_bytes = letters.size_bytes};
    assert_false(writer->failed);
    assert_int_equal(pare_tree_writer_store(writer, &tree, NULL), PARE_OK);
    assert_true(pare_parse_tree_check(&tree));
    pare_tree_writer_done(writer);
    return tree;
}

static void assert_node(const pare_parse_tree *tree, size_t index, pare_parse_node expected)
{
    const pare_parse_node *node = &tree->nodes[index];
    assert_int_equal(node->kind, expected.kind);
    assert_int_equal(node->symbol, expected.symbol);
    assert_int_equal(node->begin, expected.begin);
    assert_int_equal(node->end, expected.end);
    assert_int_equal(node->after, expected.after);
}

static void test_tree_writer__wraps_what_was_written_since_a_place(void **state)
{
    (void)state;
    pare_tree_writer writer = {.letters = &letters};
    pare_tree_place all = pare_tree_writer_place(&writer);
    pare_tree_writer_take(&writer);
    pare_tree_place inner = pare_tree_writer_place(&writer);
    pare_tree_writer_take(&writer);
    pare_tree_writer_skip(&writer, 3);
    pare_tree_writer_wrap(&writer, inner, PARE_NODE_RULE, 5, 1);
    pare_tree_writer_take(&writer);
    pare_tree_writer_take(&writer); /* the end of the file */
    pare_tree_writer_wrap(&writer, all, PARE_NODE_RULE, 4, 2);
    pare_parse_tree tree = close_tree(&writer);
    assert_int_equal(tree.n_nodes, 7);
    assert_node(&tree, 0, (pare_parse_node){PARE_NODE_RULE, .symbol = 4, .end = 9, .after = 7});
    assert_node(&tree, 1, (pare_parse_node){PARE_NODE_TOKEN, .symbol = 11, .end = 1, .after = 2});
    assert_node(&tree, 2,
                (pare_parse_node){PARE_NODE_RULE, .symbol = 5, .begin = 2, .end = 6, .after = 5});
    assert_node(&tree, 4,
                (pare_parse_node){PARE_NODE_OPAQUE, .symbol = PARE_NO_NODE, .begin = 4, .end = 6,
                                  .after = 5});
    assert_node(&tree, 6,
                (pare_parse_node){PARE_NODE_TOKEN, .symbol = PARE_TOKEN_END, .begin = 9, .end = 9,
                                  .after = 7});
    assert_int_equal(tree.nodes[2].alternative, 1);
    pare_parse_tree_done(&tree);
}

static void test_tree_writer__a_node_without_letters_stands_behind_the_last_one(void **state)
{
    (void)state;
    pare_tree_writer writer = {.letters = &letters};
    pare_tree_place all = pare_tree_writer_place(&writer);
    pare_tree_writer_wrap(&writer, all, PARE_NODE_RULE, 6, 0);
    pare_tree_writer_take(&writer);
    pare_tree_writer_wrap(&writer, pare_tree_writer_place(&writer), PARE_NODE_RULE, 7, 0);
    pare_tree_writer_wrap(&writer, all, PARE_NODE_RULE, 4, 0);
    pare_parse_tree tree = close_tree(&writer);
    assert_node(&tree, 1, (pare_parse_node){PARE_NODE_RULE, .symbol = 6, .after = 2});
    assert_node(&tree, 3,
                (pare_parse_node){PARE_NODE_RULE, .symbol = 7, .begin = 1, .end = 1, .after = 4});
    pare_parse_tree_done(&tree);
}

static void test_tree_writer__what_was_taken_back_leaves_no_trace(void **state)
{
    (void)state;
    pare_tree_writer writer = {.letters = &letters};
    pare_tree_place all = pare_tree_writer_place(&writer);
    pare_tree_writer_take(&writer);
    pare_tree_place place = pare_tree_writer_place(&writer);
    pare_tree_writer_skip(&writer, 3);
    pare_tree_writer_take(&writer);
    pare_tree_writer_wrap(&writer, place, PARE_NODE_RULE, 9, 0);
    pare_tree_writer_go_back(&writer, place);
    pare_tree_writer_take(&writer);
    pare_tree_writer_wrap(&writer, all, PARE_NODE_RULE, 4, 0);
    pare_parse_tree tree = close_tree(&writer);
    assert_int_equal(tree.n_nodes, 3);
    assert_node(&tree, 2,
                (pare_parse_node){PARE_NODE_TOKEN, .symbol = 12, .begin = 2, .end = 3, .after = 3});
    pare_parse_tree_done(&tree);
}

static pare_status write_once(void *context)
{
    pare_tree_writer writer = {.letters = &letters};
    pare_parse_tree tree = {.size_bytes = letters.size_bytes};
    (void)context;
    for (unsigned i = 0; i < 3 && !writer.failed; i++)
        pare_tree_writer_take(&writer);
    pare_tree_writer_wrap(&writer, (pare_tree_place){0, 0}, PARE_NODE_RULE, 4, 0);
    pare_status status =
        writer.failed ? PARE_E_NOMEM : pare_tree_writer_store(&writer, &tree, NULL);
    pare_tree_writer_done(&writer);
    pare_parse_tree_done(&tree);
    return status;
}

static void test_tree_writer__notes_that_memory_was_out(void **state)
{
    (void)state;
    sweep_allocations(write_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree_writer__wraps_what_was_written_since_a_place),
        cmocka_unit_test(test_tree_writer__a_node_without_letters_stands_behind_the_last_one),
        cmocka_unit_test(test_tree_writer__what_was_taken_back_leaves_no_trace),
        cmocka_unit_test(test_tree_writer__notes_that_memory_was_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
