/* Readers: grammars in both notations and languages make the trees that reducers want. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reduce/syntax/reader.h"
#include "unit/alloc_sweep.h"
#include "unit/support/language.h"
#include "unit/support/scratch.h"

static const char *const antlr[] = {"L.g4"};
static const char *const book[] = {"sum.json"};

static int make_files(void **state)
{
    if (scratch_setup(state)) return -1;
    scratch_write("L.g4",
                  "grammar L; list: '[' (item (',' item)*)? ']' EOF; item: NAME | list2;"
                  "list2: '<' item+ '>'; NAME: [a-z]+; W: [ ]+ -> skip;",
                  0644);
    scratch_write("sum.json",
                  "{\"<start>\": [\"<sum>\"], \"<sum>\": [\"<sum> plus <n>\", \"<n>\"],"
                  " \"<n>\": [\"0\", \"1\", \"<n><n>\"]}",
                  0644);
    scratch_write("wrong.g4", "grammar W; s: undefined;", 0644);
    return 0;
}

static pare_reader *open_reader(const char *const *paths, const char *start)
{
    pare_reader *reader = NULL;
    pare_error err = {0};
    pare_status status = pare_reader_by_grammar(paths, 1, start, &reader, &err);
    assert_string_equal(err.message, "");
    assert_int_equal(status, PARE_OK);
    return reader;
}

static pare_parse_tree parse(pare_reader *reader, const char *bytes)
{
    pare_parse_tree tree = {0};
    assert_int_equal(
        pare_reader_parse(reader, bytes, strlen(bytes), PARE_SEPARATORS_BEFORE, &tree, NULL),
        PARE_OK);
    assert_true(pare_parse_tree_check(&tree));
    return tree;
}

/* How many nodes of the tree are of `kind`. */
static size_t count(const pare_parse_tree *tree, uint32_t kind)
{
    size_t n = 0;
    for (size_t i = 0; i < tree->n_nodes; i++)
        n += tree->nodes[i].kind == kind;
    return n;
}

/* The text of the first token that has more than one byte; static. */
static const char *first_long_token(const pare_parse_tree *tree, const char *bytes)
{
    static char text[64];
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const pare_parse_node *node = &tree->nodes[i];
        if (node->kind != PARE_NODE_TOKEN || node->end - node->begin < 2) continue;
        (void)snprintf(text, sizeof text, "%.*s", (int)(node->end - node->begin),
                       bytes + node->begin);
        return text;
    }
    return "";
}

static void test_reader__trees_of_a_grammar_have_quantifiers_and_its_facts(void **state)
{
    pare_reader *reader = open_reader(antlr, NULL);
    pare_parse_tree tree = parse(reader, "[a, <b c>, d]");
    const pare_tree_rules *rules = pare_reader_rules(reader);
    const char *text = NULL;
    size_t size = 0;
    (void)state;
    assert_false(tree.error.any);
    assert_int_equal(count(&tree, PARE_NODE_OPTIONAL), 1);
    assert_int_equal(count(&tree, PARE_NODE_STAR), 1);
    assert_int_equal(count(&tree, PARE_NODE_PLUS), 1);
    assert_non_null(pare_reader_facts(reader));
    rules->minimal(rules->context, &tree, 0, &text, &size);
    assert_int_equal(size, 2);
    assert_memory_equal(text, "[]", 2);
    pare_parse_tree_done(&tree);
    pare_reader_free(reader);
}

static void test_reader__starts_where_it_is_told(void **state)
{
    pare_reader *reader = open_reader(antlr, "item");
    pare_parse_tree tree = parse(reader, "<a b>"), list = parse(reader, "[a]");
    pare_error err = {0};
    pare_reader *none = NULL;
    (void)state;
    assert_false(tree.error.any);
    assert_true(list.error.any); /* noted, and still a tree */
    assert_true(list.n_nodes > 0);
    assert_int_equal(pare_reader_by_grammar(antlr, 1, "nowhere", &none, &err), PARE_E_ARG);
    assert_non_null(strstr(err.message, "nowhere"));
    assert_null(none);
    pare_parse_tree_done(&list);
    pare_parse_tree_done(&tree);
    pare_reader_free(reader);
}

static void test_reader__literals_of_characters_are_one_leaf(void **state)
{
    static const char bytes[] = "10 plus 1";
    pare_reader *reader = open_reader(book, NULL);
    pare_parse_tree tree = parse(reader, bytes);
    (void)state;
    assert_false(tree.error.any);
    assert_string_equal(first_long_token(&tree, bytes), " plus ");
    assert_int_equal(count(&tree, PARE_NODE_TOKEN), 4);
    pare_parse_tree_done(&tree);
    pare_reader_free(reader);
}

static void test_reader__what_is_wrong_with_a_grammar_is_told(void **state)
{
    static const char *const wrong[] = {"wrong.g4"}, *const nowhere[] = {"nowhere.g4"};
    pare_reader *reader = NULL;
    pare_error err = {0};
    (void)state;
    assert_int_not_equal(pare_reader_by_grammar(wrong, 1, NULL, &reader, &err), PARE_OK);
    assert_non_null(strstr(err.message, "undefined"));
    assert_int_equal(pare_reader_by_grammar(nowhere, 1, NULL, &reader, NULL), PARE_E_IO);
    assert_int_not_equal(pare_reader_by_language("no-such-language", &reader, NULL), PARE_OK);
    assert_null(reader);
}

/* In [1, 2] the comma goes with the number behind it, or with the one before. */
static void test_reader__a_language_puts_separators_on_either_side(void **state)
{
    static const char bytes[] = "[1, 2, 3]";
    pare_parse_tree before = {0}, behind = {0};
    pare_reader *reader = NULL;
    (void)state;
    use_build_data();
    if (!has_language("json")) skip();
    assert_int_equal(pare_reader_by_language("json", &reader, NULL), PARE_OK);
    assert_null(pare_reader_facts(reader));
    assert_int_equal(
        pare_reader_parse(reader, bytes, sizeof bytes - 1, PARE_SEPARATORS_BEFORE, &before, NULL),
        PARE_OK);
    assert_int_equal(
        pare_reader_parse(reader, bytes, sizeof bytes - 1, PARE_SEPARATORS_AFTER, &behind, NULL),
        PARE_OK);
    assert_false(before.error.any);
    assert_int_equal(before.n_nodes, behind.n_nodes);
    bool differ = false;
    for (size_t i = 0; i < before.n_nodes; i++)
        differ = differ || before.nodes[i].begin != behind.nodes[i].begin;
    assert_true(differ);
    assert_true(covers_text(&before, bytes));
    assert_true(covers_text(&behind, bytes));
    pare_parse_tree_done(&before);
    pare_parse_tree_done(&behind);
    pare_reader_free(reader);
}

/* The shortest text that is known for the place of the `word` in `bytes`; static. */
static const char *shortest(pare_reader *reader, const char *bytes, const char *word)
{
    static char shown[64];
    const pare_tree_rules *rules = pare_reader_rules(reader);
    pare_parse_tree tree = parse(reader, bytes);
    size_t begin = (size_t)(strstr(bytes, word) - bytes), size = 0;
    const char *text = NULL;
    for (uint32_t i = 0; i < tree.n_nodes && !text; i++)
        if (tree.nodes[i].begin == begin && tree.nodes[i].end == begin + strlen(word))
            rules->minimal(rules->context, &tree, i, &text, &size);
    assert_non_null(text);
    (void)snprintf(shown, sizeof shown, "%.*s", (int)size, text);
    pare_parse_tree_done(&tree);
    return shown;
}

/* That a type may be a name is read back where a type is one, which only the first text has. */
static void test_reader__what_it_knows_of_texts_is_of_the_first_until_it_is_forgotten(void **state)
{
    pare_reader *grammar = open_reader(antlr, NULL), *reader = NULL;
    pare_parse_tree tree = parse(grammar, "[a]");
    (void)state;
    assert_false(pare_reader_forget_texts(grammar));
    pare_parse_tree_done(&tree);
    pare_reader_free(grammar);
    use_build_data();
    if (!has_language("c")) skip();
    assert_int_equal(pare_reader_by_language("c", &reader, NULL), PARE_OK);
    assert_false(pare_reader_forget_texts(reader)); /* nothing was seen yet */
    assert_string_equal(shortest(reader, "name gone; long keep;", "long"), "A");
    assert_string_equal(shortest(reader, "long keep;", "long"), "A");
    assert_true(pare_reader_forget_texts(reader));
    assert_false(pare_reader_forget_texts(reader));
    assert_string_equal(shortest(reader, "long keep;", "long"), "int");
    pare_reader_free(reader);
}

static pare_status read_once(void *context)
{
    const char *const *paths = context;
    const char *bytes = paths == book ? "10 plus 1" : "[a, <b c>]";
    pare_reader *reader = NULL;
    pare_parse_tree tree = {0};
    pare_status status = pare_reader_by_grammar(paths, 1, NULL, &reader, NULL);
    assert_int_equal(reader != NULL, status == PARE_OK);
    if (!status)
        status =
            pare_reader_parse(reader, bytes, strlen(bytes), PARE_SEPARATORS_BEFORE, &tree, NULL);
    if (status) assert_null(tree.nodes);
    pare_parse_tree_done(&tree);
    pare_reader_free(reader);
    return status;
}

static void test_reader__survives_each_allocation_failing(void **state)
{
    (void)state;
    sweep_allocations(read_once, (void *)(uintptr_t)antlr);
    sweep_allocations(read_once, (void *)(uintptr_t)book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reader__trees_of_a_grammar_have_quantifiers_and_its_facts),
        cmocka_unit_test(test_reader__starts_where_it_is_told),
        cmocka_unit_test(test_reader__literals_of_characters_are_one_leaf),
        cmocka_unit_test(test_reader__what_is_wrong_with_a_grammar_is_told),
        cmocka_unit_test(test_reader__a_language_puts_separators_on_either_side),
        cmocka_unit_test(test_reader__what_it_knows_of_texts_is_of_the_first_until_it_is_forgotten),
        cmocka_unit_test(test_reader__survives_each_allocation_failing),
    };
    return cmocka_run_group_tests(tests, make_files, scratch_teardown);
}
