/* Grammars as nonterminals and expansions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "generate/bnf.h"
#include "generate/expansion_costs.h"
#include "generate/expansion_table.h"
#include "unit/support/assignments.h"

/* What can be reached, each rule once, in a form that the generators know. */
static void test_bnf__keeps_what_can_be_reached(void **state)
{
    (void)state;
    pare_grammar *grammar = book_of(
        "{'<start>': ['<a>', '<a>x'], '<a>': ['1', '(<start>)', ''], '<unused>': ['2', '3']}");
    pare_grammar *made = NULL;
    pare_expansion_table table;
    pare_expansion_costs costed;
    assert_int_equal(pare_expansion_table_init(&table, grammar, 0, NULL), PARE_OK);
    assert_int_equal(pare_bnf_make(&table, 0, false, &made, NULL), PARE_OK);
    assert_true(pare_grammar_check(made));
    assert_int_equal(pare_expansion_costs_init(&costed, made, NULL), PARE_OK);
    assert_int_equal(costed.n_rules, 2);
    assert_int_equal(costed.n_expansions, 5);
    assert_string_equal(costed.rules[0].name, "<start>");
    pare_expansion_costs_done(&costed);
    pare_grammar_free(made);
    pare_expansion_table_done(&table);
    pare_grammar_free(grammar);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bnf__keeps_what_can_be_reached)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
