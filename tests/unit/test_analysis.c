/* What follows from a grammar: nullability, subtypes. */
/* tests: src/grammar/analysis.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "grammar/analysis.h"
#include "unit/alloc_sweep.h"
#include "unit/support/grammar_text.h"

struct fixture {
    pare_grammar *grammar;
    pare_analysis analysis;
    pare_subtypes subtypes;
};

static struct fixture open_fixture(const char *text)
{
    struct fixture fixture = {.grammar = read_text(text)};
    assert_int_equal(pare_analysis_init(&fixture.analysis, fixture.grammar, NULL), PARE_OK);
    assert_int_equal(pare_analysis_subtypes_init(&fixture.subtypes, &fixture.analysis, NULL),
                     PARE_OK);
    return fixture;
}

static void close_fixture(struct fixture *fixture)
{
    pare_analysis_subtypes_done(&fixture->subtypes);
    pare_analysis_done(&fixture->analysis);
    pare_grammar_free(fixture->grammar);
}

static pare_index rule(const struct fixture *fixture, const char *name)
{
    pare_index found = pare_grammar_find_rule(fixture->grammar, name);
    assert_int_not_equal(found, PARE_NO_INDEX);
    return found;
}

static void test_analysis__nullable_goes_through_rules_and_sequences(void **state)
{
    (void)state;
    struct fixture f = open_fixture("grammar N; a : b c* ; b : c? | X ; c : X ; d : a+ a ; "
                                    "e : a X ; X : 'x' ; Y : 'y'* X? ;");
    static const struct {
        const char *name;
        bool nullable;
    } cases[] = {{"a", true}, {"b", true}, {"c", false}, {"d", true}, {"e", false}, {"Y", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(f.analysis.rule_nullable[rule(&f, cases[i].name)], cases[i].nullable);
    close_fixture(&f);
}

static void test_analysis__subtypes_are_what_a_rule_can_become_alone(void **state)
{
    (void)state;
    struct fixture f = open_fixture("grammar S; a : b c? | X+ | d d | (X | e*) ; b : f ; c : X ; "
                                    "d : X ; e : X ; f : Y? c? ; X : 'x' ; Y : 'y' ;");
    pare_index a = rule(&f, "a");
    static const struct {
        const char *name;
        bool has;
    } cases[] = {{"a", false}, {"b", true}, {"c", true}, {"d", false}, {"e", true}, {"f", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(pare_analysis_has_subrule(&f.subtypes, a, rule(&f, cases[i].name)),
                         cases[i].has);
    assert_true(
        pare_analysis_has_subtoken(&f.subtypes, a, pare_grammar_find_token(f.grammar, "X")));
    assert_true(
        pare_analysis_has_subtoken(&f.subtypes, a, pare_grammar_find_token(f.grammar, "Y")));
    assert_false(pare_analysis_has_subrule(&f.subtypes, rule(&f, "b"), a));
    close_fixture(&f);
}

static pare_status analyse(void *context)
{
    pare_analysis analysis = {0};
    pare_subtypes subtypes = {0};
    pare_status status = pare_analysis_init(&analysis, context, NULL);
    if (!status) status = pare_analysis_subtypes_init(&subtypes, &analysis, NULL);
    pare_analysis_subtypes_done(&subtypes);
    pare_analysis_done(&analysis);
    return status;
}

static void test_analysis__reports_oom(void **state)
{
    (void)state;
    pare_grammar *grammar = read_text("grammar O; a : a X | b* ; b : X ; X : 'x' ;");
    sweep_allocations(analyse, grammar);
    pare_grammar_free(grammar);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_analysis__nullable_goes_through_rules_and_sequences),
        cmocka_unit_test(test_analysis__subtypes_are_what_a_rule_can_become_alone),
        cmocka_unit_test(test_analysis__reports_oom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
