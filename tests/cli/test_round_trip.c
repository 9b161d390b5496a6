/* Printing a tree gives the input back, byte for byte: for every input of every grammar of
 * the shared collection, whether it parses or not, for the parse tree and for the tree that
 * is reduced, after every transformation.  Skipped where there is no collection; with
 * sanitizers a part of the grammars is tried.  (For tree-sitter's: test_languages.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>
#include <cmocka.h>

#include "cli/support/collection.h"
#include "parse/parser.h"
#include "reduce/tree/transform.h"
#include "reduce/tree/tree_state.h"

struct count {
    size_t grammars, inputs, with_errors, bytes;
};

/* Prints leaves one after the other with what lies before each, and what lies behind the
 * last; overlapping or unordered leaves would print something else. */
static void print_parse(const pare_parse_tree *tree, const char *text, pare_buffer *to)
{
    uint32_t at = 0;
    for (size_t i = 0; i <= tree->n_nodes; i++) {
        bool is_end = i == tree->n_nodes;
        const pare_parse_node *node = is_end ? NULL : &tree->nodes[i];
        if (node && !pare_parse_tree_is_leaf(tree, (uint32_t)i)) continue;
        uint32_t begin = is_end ? tree->size_bytes : node->begin;
        assert_true(begin >= at);
        if (begin > at) assert_int_equal(pare_buffer_add(to, text + at, begin - at, NULL), 0);
        at = is_end ? begin : node->end;
        if (at > begin) assert_int_equal(pare_buffer_add(to, text + begin, at - begin, NULL), 0);
    }
}

static void assert_printed(const pare_buffer *printed, const char *text, size_t size)
{
    assert_int_equal(printed->size, size);
    if (size) assert_memory_equal(printed->data, text, size);
}

/* A state of the tree without edits prints its text; so do the transformed trees' leaves. */
static void check_tree(const pare_parse_tree *parse, const char *bytes, size_t size)
{
    size_t n = 0;
    pare_text *text = NULL;
    pare_tree *tree = NULL, *after = NULL;
    pare_tree_state *state = NULL;
    pare_candidate candidate = {0};
    pare_buffer printed = {0};
    const pare_transform *const *all = pare_transforms(&n);
    assert_int_equal(pare_text_copy(bytes, size, &text, NULL), PARE_OK);
    assert_int_equal(pare_tree_new(parse, text, &(pare_tree_rules){.context = NULL}, &tree, NULL),
                     PARE_OK);
    assert_int_equal(pare_transform_run(tree, all, n, &after, NULL), PARE_OK);
    assert_true(pare_tree_check(after));
    assert_int_equal(pare_tree_state_new(after, &state, NULL), PARE_OK);
    assert_int_equal(pare_tree_state_candidate(state, &(pare_tree_edits){.n = 0}, &candidate, NULL),
                     PARE_OK);
    assert_int_equal(pare_buffer_reserve(&printed, candidate.size + 1, NULL), PARE_OK);
    pare_candidate_read(&candidate, printed.data);
    printed.size = candidate.size;
    assert_printed(&printed, bytes, size);
    pare_buffer_done(&printed);
    pare_candidate_done(&candidate);
    pare_tree_state_unref(state);
    pare_tree_unref(after);
    pare_tree_unref(tree);
    pare_text_unref(text);
}

static void check_input(pare_parser *parser, const char *path, struct count *count)
{
    pare_buffer text = {0}, printed = {0};
    pare_parse_tree tree = {0};
    assert_int_equal(pare_file_read(path, &text, NULL), PARE_OK);
    const char *bytes = text.size ? text.data : "";
    assert_int_equal(pare_parser_run(parser, bytes, text.size, &tree, NULL, NULL), PARE_OK);
    assert_true(pare_parse_tree_check(&tree));
    print_parse(&tree, bytes, &printed);
    assert_printed(&printed, bytes, text.size);
    check_tree(&tree, bytes, text.size);
    count->inputs++;
    count->with_errors += tree.error.any;
    count->bytes += text.size;
    pare_parse_tree_done(&tree);
    pare_buffer_done(&printed);
    pare_buffer_done(&text);
}

static void check_grammar(void *context, const struct collected *of)
{
    struct count *count = context;
    char folder[COLLECTION_PATH + 16], path[2 * COLLECTION_PATH];
    struct dirent **entries = NULL;
    pare_parser *parser = NULL;
    assert_non_null(of->grammar);
    assert_int_equal(pare_parser_new(of->grammar, of->start, &parser, NULL), PARE_OK);
    count->grammars++;
    (void)snprintf(folder, sizeof folder, "%s/examples", of->folder);
    int n = scandir(folder, &entries, collection_is_input, alphasort);
    for (int i = 0; i < n; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        check_input(parser, path, count);
        (free)(entries[i]);
    }
    (free)(entries);
    pare_parser_free(parser);
}

static void test_round_trip__every_input_is_printed_back(void **state)
{
    (void)state;
    struct count count = {0};
    const char *sanitize = getenv("PARE_SANITIZE");
    if (!collection_walk(sanitize && *sanitize ? 10 : 1, check_grammar, &count)) {
        print_message("no shared/grammars-v4: skipped\n");
        skip();
    }
    print_message("%zu grammars, %zu inputs (%zu with errors), %zu bytes\n", count.grammars,
                  count.inputs, count.with_errors, count.bytes);
    assert_true(count.inputs > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip__every_input_is_printed_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
