/* Legal edits of flat trees by a small grammar of tree-sitter's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lang/tree_legality.h"
#include "unit/alloc_sweep.h"
#include "unit/support/quantified.h"

static pare_tree_legality *make(void)
{
    pare_tree_legality *legality = NULL;
    assert_int_equal(pare_tree_legality_make(quantified_grammar, strlen(quantified_grammar),
                                             quantified_kinds, N_QUANTIFIED_KINDS, &legality, NULL),
                     PARE_OK);
    return legality;
}

/* What comes of child number `child` of a node of kind `root` over `text` (from 1; 0: none)
 * being replaced by a node of kind `with`, or left out when that is NULL. */
static pare_legality edit(const char *root, const char *text, uint32_t child, const char *with)
{
    pare_tree_legality *legality = make();
    pare_parse_tree tree = flat_tree(quantified_kind(root), text);
    pare_legality found = PARE_UNSURE;
    for (uint32_t i = 0; i < N_QUANTIFIED_KINDS; i++)
        if (strcmp(quantified_kinds[i].name, root) == 0) tree.nodes[0].symbol = i;
    uint32_t symbol = PARE_NO_NODE;
    for (uint32_t i = 0; with && i < N_QUANTIFIED_KINDS; i++)
        if (strcmp(quantified_kinds[i].name, with) == 0) symbol = i;
    assert_int_equal(pare_tree_legality_edit(legality, &tree, 0, child ? child : PARE_NO_NODE,
                                             symbol, &found, NULL),
                     PARE_OK);
    pare_parse_tree_done(&tree);
    pare_tree_legality_free(legality);
    return found;
}

static void test_tree_legality__an_edit_is_legal_if_the_rule_derives_what_is_left(void **state)
{
    (void)state;
    static const struct {
        const char *root, *text;
        uint32_t child;
        const char *with;
        pare_legality wanted;
    } cases[] = {
        {"list", "[ 1 , 2 ]", 0, NULL, PARE_LEGAL},   {"list", "[ 1 , ]", 0, NULL, PARE_ILLEGAL},
        {"list", "[ 1 , 2 ]", 2, NULL, PARE_ILLEGAL}, {"list", "[ 1 ]", 2, NULL, PARE_LEGAL},
        {"list", "[ 1 ]", 2, "list", PARE_LEGAL},     {"list", "[ 1 ]", 2, "name", PARE_LEGAL},
        {"list", "[ 1 ]", 2, "body", PARE_ILLEGAL},   {"list", "[ 1 ]", 1, NULL, PARE_ILLEGAL},
        {"list", "[ # ]", 0, NULL, PARE_LEGAL},       {"call", "f ( x ) B B", 6, NULL, PARE_LEGAL},
        {"call", "f ( x ) B", 5, NULL, PARE_ILLEGAL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (edit(cases[i].root, cases[i].text, cases[i].child, cases[i].with) != cases[i].wanted)
            fail_msg("case %zu: %s, child %u", i, cases[i].text, cases[i].child);
}

static void test_tree_legality__symbols_are_those_of_the_content_models(void **state)
{
    (void)state;
    pare_tree_legality *legality = make();
    const pare_content *content = pare_tree_legality_content(legality);
    assert_int_equal(pare_tree_legality_n_symbols(legality), N_QUANTIFIED_KINDS);
    for (uint32_t i = 0; i < N_QUANTIFIED_KINDS; i++)
        assert_int_equal(
            pare_tree_legality_symbol(legality, i),
            pare_content_symbol(content, quantified_kinds[i].name, quantified_kinds[i].named));
    assert_int_equal(pare_tree_legality_symbol(legality, N_QUANTIFIED_KINDS), PARE_CONTENT_UNKNOWN);
    assert_int_equal(pare_tree_legality_symbol(legality, PARE_TREE_SITTER_TEXT),
                     PARE_CONTENT_SKIPPED);
    pare_tree_legality_free(legality);
}

static pare_status try_make(void *context)
{
    (void)context;
    pare_tree_legality *legality = NULL;
    pare_status status =
        pare_tree_legality_make(quantified_grammar, strlen(quantified_grammar), quantified_kinds,
                                N_QUANTIFIED_KINDS, &legality, NULL);
    assert_int_equal(status == PARE_OK, legality != NULL);
    pare_tree_legality_free(legality);
    return status;
}

static void test_tree_legality__make_reports_oom(void **state)
{
    (void)state;
    sweep_allocations(try_make, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree_legality__an_edit_is_legal_if_the_rule_derives_what_is_left),
        cmocka_unit_test(test_tree_legality__symbols_are_those_of_the_content_models),
        cmocka_unit_test(test_tree_legality__make_reports_oom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
