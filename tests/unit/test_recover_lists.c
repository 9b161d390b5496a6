/* Sets, derivations, shapes, and trees with quantifiers, by a small grammar of our own.
 * Trees of real languages are in tests/cli/test_language_edits.c. */
/* tests: src/parse/shape.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/alloc_sweep.h"
#include "unit/support/quantified.h"

enum { LIST, CALL, ROW, NUMBER, NAME, BODY, COMMENT };

static pare_language_models *models;
static pare_list_recovery *quantifier;

static int setup(void **state)
{
    (void)state;
    return pare_language_models_make(quantified_grammar, strlen(quantified_grammar),
                                     quantified_kinds, N_QUANTIFIED_KINDS, &models, NULL) ||
           pare_recover_lists_new(models, &quantifier, NULL);
}

static int teardown(void **state)
{
    (void)state;
    pare_recover_lists_free(quantifier);
    pare_language_models_free(models);
    return 0;
}

static pare_parse_tree quantify(uint32_t root, const char *text, pare_separators side)
{
    pare_parse_tree flat = flat_tree(root, text), tree = {0};
    assert_int_equal(pare_recover_lists(quantifier, &flat, text, side, &tree, NULL), PARE_OK);
    assert_true(pare_parse_tree_check(&tree));
    pare_parse_tree_done(&flat);
    return tree;
}

static void check(uint32_t root, const char *text, pare_separators side, const char *wanted)
{
    char printed[512];
    pare_parse_tree tree = quantify(root, text, side);
    print_quantified(&tree, text, printed, sizeof printed);
    assert_string_equal(printed, wanted);
    pare_parse_tree_done(&tree);
}

static void before(uint32_t root, const char *text, const char *wanted)
{
    check(root, text, PARE_SEPARATORS_BEFORE, wanted);
}

/* A plus of one round says nothing, so there is none. */
static void test_quantify__what_is_repeated_stands_below_its_quantifier(void **state)
{
    (void)state;
    before(ROW, "1 ; 2 ;", "*((1;)(2;))");
    before(CALL, "f ( x ) B B B", "f(?(x))+(BBB)");
    before(CALL, "f ( ) B", "f()B");
    before(LIST, "[ 1 , 2 , 3 ]", "[?((1*((,2)(,3))))]");
    before(LIST, "[ 1 ]", "[?(1)]");
    before(LIST, "[ ]", "[]");
}

static void test_quantify__separators_stand_on_either_side(void **state)
{
    (void)state;
    check(LIST, "[ 1 , 2 , 3 ]", PARE_SEPARATORS_AFTER, "[?((*((1,)(2,))3))]");
    check(LIST, "[ 1 ]", PARE_SEPARATORS_AFTER, "[?(1)]");
    check(ROW, "1 ; 2 ;", PARE_SEPARATORS_AFTER, "*((1;)(2;))");
}

static void test_quantify__comments_are_rounds_of_stars_and_join_the_rest(void **state)
{
    (void)state;
    before(ROW, "#a 1 ; #b 2 ; #c", "*(#a(1;)#b(2;)#c)");
    before(CALL, "f ( #a x ) B #b B", "f(#a?(x))+(B(#bB))");
}

static void test_quantify__what_matches_no_rule_is_a_list_of_segments(void **state)
{
    (void)state;
    before(LIST, "] 1 , 2 ; [\nx", "*(*(]1,)*(2;)*([)*(x))");
    before(COMMENT, "1 2", "*(*(12))");
}

/* The place of a child says what else may stand there. */
static void test_quantify__places_know_the_set_that_fits(void **state)
{
    (void)state;
    const pare_content *content = pare_language_models_content(models);
    pare_parse_tree tree = quantify(LIST, "[ 1 , x ]", PARE_SEPARATORS_BEFORE);
    size_t n_places = 0;
    for (size_t i = 1; i < tree.n_nodes; i++) {
        const pare_parse_node *node = &tree.nodes[i];
        if (node->kind != PARE_NODE_TOKEN) continue;
        bool item = node->symbol == NUMBER || node->symbol == NAME;
        assert_int_equal(node->alternative != 0, item);
        if (!item) continue;
        n_places++;
        for (uint32_t kind = 0; kind < N_QUANTIFIED_KINDS; kind++)
            assert_int_equal(pare_content_set_has(content, node->alternative - 1,
                                                  pare_language_models_symbol(models, kind)),
                             kind == NUMBER || kind == NAME || kind == LIST);
    }
    assert_int_equal(n_places, 2);
    assert_true(pare_content_n_sets(content) >= 1);
    assert_false(pare_content_set_has(content, (uint32_t)pare_content_n_sets(content), 0));
    pare_parse_tree_done(&tree);
}

/* Finds the shape of "[ 1 , ... , 1 ]" with n numbers; gives the steps that it has. */
static uint32_t shape_of(pare_shape_maker *maker, uint32_t n, bool *found)
{
    uint32_t children[64], k = 0;
    const uint32_t open = quantified_kind("["), close = quantified_kind("]");
    pare_shape shape = {0};
    assert_true(n < 30);
    children[k++] = pare_language_models_symbol(models, open);
    for (uint32_t i = 0; i < n; i++) {
        if (i) children[k++] = pare_language_models_symbol(models, quantified_kind(","));
        children[k++] = pare_language_models_symbol(models, NUMBER);
    }
    children[k++] = pare_language_models_symbol(models, close);
    assert_int_equal(pare_shape_find(maker,
                                     (pare_shape_query){pare_language_models_symbol(models, LIST),
                                                        children, k, PARE_SEPARATORS_BEFORE},
                                     &shape, found, NULL),
                     PARE_OK);
    return shape.first + shape.n;
}

static void test_quantify__shapes_are_kept_by_their_children(void **state)
{
    (void)state;
    pare_shape_maker *maker = NULL;
    bool found = false;
    assert_int_equal(pare_shape_maker_new(pare_language_models_content(models), &maker, NULL),
                     PARE_OK);
    uint32_t end = shape_of(maker, 3, &found);
    assert_true(found);
    assert_int_equal(shape_of(maker, 3, &found), end); /* nothing was added */
    uint32_t longer = shape_of(maker, 4, &found);
    assert_true(longer > end);
    assert_int_equal(shape_of(maker, 3, &found), end);
    pare_shape_trim(maker); /* far below its limit: nothing is forgotten */
    assert_int_equal(shape_of(maker, 4, &found), longer);
    for (uint32_t n = 5; n < 30; n++)
        (void)shape_of(maker, n, &found);
    assert_int_equal(shape_of(maker, 4, &found), longer);
    pare_shape_maker_free(maker);
}

static void test_quantify__derivations_are_none_where_nothing_matches(void **state)
{
    (void)state;
    const pare_content *content = pare_language_models_content(models);
    pare_content_matcher *matcher = NULL;
    pare_content_events events = {0};
    uint32_t number = pare_language_models_symbol(models, NUMBER);
    uint32_t list = pare_language_models_symbol(models, LIST);
    assert_int_equal(pare_content_matcher_new(content, &matcher, NULL), PARE_OK);
    assert_int_equal(pare_content_match_derive(matcher, list, &number, 1, &events, NULL), PARE_OK);
    assert_false(events.derived);
    /* A token has nothing to tell, and of an unknown type nothing is known. */
    assert_int_equal(pare_content_match_derive(matcher, number, NULL, 0, &events, NULL), PARE_OK);
    assert_int_equal(events.n, 0);
    assert_int_equal(
        pare_content_match_derive(matcher, PARE_CONTENT_UNKNOWN, &number, 1, &events, NULL),
        PARE_OK);
    assert_false(events.derived);
    assert_int_equal(events.n, 0);
    pare_content_match_done_events(&events);
    pare_content_matcher_free(matcher);
}

/* Everything from the grammar to the tree. */
static pare_status make_and_quantify(void *context)
{
    static const char text[] = "[ 1 , #c x , 2 ]";
    pare_language_models *own = NULL;
    pare_list_recovery *own_quantifier = NULL;
    pare_parse_tree tree = {0};
    pare_status status =
        pare_language_models_make(quantified_grammar, strlen(quantified_grammar), quantified_kinds,
                                  N_QUANTIFIED_KINDS, &own, NULL);
    if (!status) status = pare_recover_lists_new(own, &own_quantifier, NULL);
    for (int side = PARE_SEPARATORS_BEFORE; !status && side <= PARE_SEPARATORS_AFTER; side++) {
        status =
            pare_recover_lists(own_quantifier, context, text, (pare_separators)side, &tree, NULL);
        if (!status) pare_parse_tree_done(&tree);
    }
    pare_recover_lists_free(own_quantifier);
    pare_language_models_free(own);
    return status;
}

static void test_quantify__reports_oom_at_every_allocation(void **state)
{
    (void)state;
    pare_parse_tree flat = flat_tree(LIST, "[ 1 , #c x , 2 ]");
    assert_non_null(flat.nodes);
    sweep_allocations(make_and_quantify, &flat);
    pare_parse_tree_done(&flat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quantify__what_is_repeated_stands_below_its_quantifier),
        cmocka_unit_test(test_quantify__separators_stand_on_either_side),
        cmocka_unit_test(test_quantify__comments_are_rounds_of_stars_and_join_the_rest),
        cmocka_unit_test(test_quantify__what_matches_no_rule_is_a_list_of_segments),
        cmocka_unit_test(test_quantify__places_know_the_set_that_fits),
        cmocka_unit_test(test_quantify__shapes_are_kept_by_their_children),
        cmocka_unit_test(test_quantify__derivations_are_none_where_nothing_matches),
        cmocka_unit_test(test_quantify__reports_oom_at_every_allocation),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
