/* Rules for trees of several languages: each node is judged by its own, and no text of one
 * stands in a place of another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reduce/syntax/reader.h"
#include "reduce/syntax/rules.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

static const char *const host_paths[] = {"Page.g4"};
static const char page[] = "p <1 + 2 + 3> q <bad!> {x, y} p";

/* The island of sums is all of a token but its brackets; the one of lists a whole token. */
static const char *const islands[] = {"SUM:(?<=<).*(?=>)=Sum.g4", "LIST=List.g4#list"};

static int make_files(void **state)
{
    if (scratch_setup(state)) return -1;
    scratch_write("Page.g4",
                  "grammar Page; page: part* EOF; part: WORD | SUM | LIST; WORD: [a-z]+;"
                  "SUM: '<' ~'>'* '>'; LIST: '{' ~'}'* '}'; W: ' '+ -> skip;",
                  0644);
    scratch_write("Sum.g4", "grammar Sum; sum: sum '+' N | N; N: [0-9]+; W: ' '+ -> skip;", 0644);
    scratch_write("List.g4",
                  "grammar List; other: ID; list: '{' (ID (',' ID)*)? '}'; ID: [a-z]+;"
                  "W: ' '+ -> skip;",
                  0644);
    return 0;
}

/* A page with its islands, and the tree that is reduced. */
struct made {
    pare_reader *host;
    pare_island_rules *rules;
    pare_parse_tree parse;
    pare_island_tree filled;
    pare_text *text;
    pare_tree *tree;
};

static void made_done(struct made *made)
{
    pare_tree_unref(made->tree);
    pare_text_unref(made->text);
    pare_islands_tree_done(&made->filled);
    pare_parse_tree_done(&made->parse);
    pare_island_rules_free(made->rules);
    pare_reader_free(made->host);
    *made = (struct made){.host = NULL};
}

static pare_status make(struct made *made, const char *const *options, size_t n, pare_error *err)
{
    size_t size = sizeof page - 1;
    *made = (struct made){.host = NULL};
    pare_status status = pare_reader_by_grammar(host_paths, 1, NULL, &made->host, err);
    if (!status) status = pare_island_rules_new(made->host, options, n, &made->rules, err);
    if (!status)
        status =
            pare_reader_parse(made->host, page, size, PARE_SEPARATORS_BEFORE, &made->parse, err);
    if (!status)
        status = pare_island_rules_fill(made->rules, &made->parse, page, PARE_SEPARATORS_BEFORE,
                                        &made->filled, err);
    if (!status) status = pare_text_copy(page, size, &made->text, err);
    if (!status)
        status = pare_tree_new(&made->filled.tree, made->text, pare_island_rules_of(made->rules),
                               &made->tree, err);
    return status;
}

static bool prints(const pare_tree *tree, uint32_t node, const char *bytes)
{
    const pare_tree_node *of = &tree->nodes[node];
    return of->end - of->begin == strlen(bytes) &&
           memcmp(page + of->begin, bytes, strlen(bytes)) == 0;
}

/* The last node that prints `bytes`: the innermost one, if there is but one such stretch. */
static uint32_t find(const pare_tree *tree, const char *bytes)
{
    for (uint32_t i = tree->n_nodes; i-- > 0;)
        if (prints(tree, i, bytes)) return i;
    fail_msg("no node prints '%s'", bytes);
    return 0;
}

static void assert_minimal(const pare_tree *tree, const char *bytes, const char *expected)
{
    const pare_tree_node *node = &tree->nodes[find(tree, bytes)];
    assert_false(node->flags & PARE_TREE_NO_MINIMAL);
    assert_int_equal(node->minimal_size, strlen(expected));
    assert_memory_equal(tree->texts + node->minimal, expected, strlen(expected));
}

static void test_island_rules__each_node_is_judged_by_its_own_language(void **state)
{
    struct made made;
    (void)state;
    assert_int_equal(make(&made, islands, 2, NULL), PARE_OK);
    assert_int_equal(made.filled.n_islands, 2); /* what does not parse is none */
    assert_true(pare_tree_check(made.tree));
    assert_minimal(made.tree, "1 + 2 + 3", "0"); /* shortest sum */
    assert_minimal(made.tree, "2", "0");
    assert_minimal(made.tree, "x, y", "");
    assert_minimal(made.tree, "<bad!>", "<>"); /* the host's */
    assert_true(made.tree->nodes[find(made.tree, "x, y")].flags & PARE_TREE_DELETABLE);
    assert_false(made.tree->nodes[find(made.tree, "1 + 2 + 3")].flags & PARE_TREE_DELETABLE);
    made_done(&made);
}

static void test_island_rules__text_beside_an_island_stays(void **state)
{
    struct made made;
    (void)state;
    assert_int_equal(make(&made, islands, 2, NULL), PARE_OK);
    static const char *const margins[] = {"<", ">"};
    for (size_t k = 0; k < 2; k++) {
        uint32_t node = find(made.tree, margins[k]);
        assert_false(made.tree->nodes[node].flags & PARE_TREE_DELETABLE);
        assert_int_equal(made.tree->nodes[node].minimal_size, 1); /* its own text */
        for (uint32_t i = 0; i < made.tree->n_nodes; i++)
            assert_false(pare_tree_fits(made.tree, node, i));
    }
    made_done(&made);
}

static void test_island_rules__nothing_fits_across_languages(void **state)
{
    struct made made;
    size_t n_fitting = 0;
    (void)state;
    assert_int_equal(make(&made, islands, 2, NULL), PARE_OK);
    for (uint32_t place = 0; place < made.tree->n_nodes; place++) {
        for (uint32_t node = 0; node < made.tree->n_nodes; node++) {
            if (!pare_tree_fits(made.tree, place, node)) continue;
            assert_int_equal(made.filled.owner[place], made.filled.owner[node]);
            n_fitting += made.filled.owner[place] && place != node;
        }
    }
    assert_true(n_fitting > 0); /* 2 for 3, 1 for the sum */
    assert_true(pare_tree_fits(made.tree, find(made.tree, "x"), find(made.tree, "y")));
    assert_false(pare_tree_fits(made.tree, find(made.tree, "q"), find(made.tree, "y")));
    made_done(&made);
}

static void test_island_rules__one_language_for_several_tokens_is_read_once(void **state)
{
    static const char *const twice[] = {"SUM:(?<=<).*(?=>)=Sum.g4", "WORD=Sum.g4",
                                        "LIST=List.g4#list"};
    struct made made;
    (void)state;
    assert_int_equal(make(&made, twice, 3, NULL), PARE_OK);
    assert_int_equal(made.filled.owner[find(made.tree, "2")], 1);
    assert_int_equal(made.filled.owner[find(made.tree, "y")], 2);
    made_done(&made);
}

static void test_island_rules__what_is_wrong_with_an_option_is_told(void **state)
{
    static const struct {
        const char *option, *word;
    } cases[] = {{"SUM", "SUM"},
                 {"SUM:(=Sum.g4", "("},
                 {"SUM=nowhere.g4", "nowhere.g4"},
                 {"SUM=Sum.g4#none", "none"},
                 {"SUM=lang:no-such-language", "no-such-language"}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *const options[] = {islands[1], cases[k].option};
        struct made made;
        pare_error err = {0};
        assert_int_not_equal(make(&made, options, 2, &err), PARE_OK);
        assert_null(made.rules);
        if (!strstr(err.message, cases[k].word)) fail_msg("%s: '%s'", cases[k].option, err.message);
        made_done(&made);
    }
}

static pare_status make_once(void *context)
{
    struct made made;
    (void)context;
    pare_status status = make(&made, islands, 2, NULL);
    made_done(&made);
    return status;
}

static void test_island_rules__survive_each_allocation_failing(void **state)
{
    (void)state;
    sweep_allocations(make_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_island_rules__each_node_is_judged_by_its_own_language),
        cmocka_unit_test(test_island_rules__text_beside_an_island_stays),
        cmocka_unit_test(test_island_rules__nothing_fits_across_languages),
        cmocka_unit_test(test_island_rules__one_language_for_several_tokens_is_read_once),
        cmocka_unit_test(test_island_rules__what_is_wrong_with_an_option_is_told),
        cmocka_unit_test(test_island_rules__survive_each_allocation_failing),
    };
    return cmocka_run_group_tests(tests, make_files, scratch_teardown);
}
