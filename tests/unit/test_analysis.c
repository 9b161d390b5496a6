/* What follows from a grammar: nullability, findings, left recursion, subtypes, content
 * models. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "grammar/body_match.h"
#include "unit/alloc_sweep.h"
#include "unit/support/grammar_text.h"

struct fixture {
    pare_grammar *grammar;
    pare_analysis analysis;
    pare_subtypes subtypes;
    pare_body_matcher content;
};

static struct fixture open_fixture(const char *text)
{
    struct fixture fixture = {.grammar = read_text(text)};
    assert_int_equal(pare_analysis_init(&fixture.analysis, fixture.grammar, PARE_NO_INDEX, NULL),
                     PARE_OK);
    assert_int_equal(pare_subtypes_init(&fixture.subtypes, &fixture.analysis, NULL), PARE_OK);
    return fixture;
}

static void close_fixture(struct fixture *fixture)
{
    pare_body_matcher_done(&fixture->content);
    pare_subtypes_done(&fixture->subtypes);
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

static void assert_findings(const char *grammar, const char *expected)
{
    struct fixture f = open_fixture(grammar);
    pare_buffer out = {0};
    size_t at = 0;
    pare_finding finding;
    char text[200];
    show(&out, "");
    while (pare_analysis_next(&f.analysis, &at, &finding)) {
        pare_finding_text(&f.analysis, finding, text, sizeof text);
        if (out.size) show(&out, "; ");
        show(&out, text);
    }
    assert_string_equal(out.data, expected);
    pare_buffer_done(&out);
    close_fixture(&f);
}

static void test_analysis__finds_what_is_wrong(void **state)
{
    (void)state;
    assert_findings("grammar F; a : a 'x' | 'y' ;", "");
    assert_findings("grammar F; a : a ;",
                    "rule 'a' derives no finite text: every alternative needs the rule");
    assert_findings("grammar F; a : X ; b : c ; c : b X | X ; X:'x';",
                    "rule 'b' is not used by any rule that the start rule uses; "
                    "rule 'b' is left-recursive through other rules or empty parts; "
                    "rule 'c' is not used by any rule that the start rule uses; "
                    "rule 'c' is left-recursive through other rules or empty parts");
    assert_findings("grammar F; a : b? a X | X ; b : X ; X:'x';",
                    "rule 'a' is left-recursive through other rules or empty parts");
    assert_findings("grammar F; a : X ; X : X 'x' | 'x' ;",
                    "rule 'X' is left-recursive, which a lexer rule can not be");
    assert_findings("grammar F; a : X ; X : 'x' ; fragment Y : 'y' ;",
                    "rule 'Y' is not used by any rule that the start rule uses");
}

static void test_analysis__alternatives_have_antlrs_kinds_and_precedences(void **state)
{
    (void)state;
    struct fixture f = open_fixture("grammar P; e : <assoc=right> e '^' e | e '*' e | '-' e "
                                    "| e '!' | '(' e ')' | X ; X : 'x' ;");
    static const pare_precedence expected[] = {
        {PARE_ALTERNATIVE_BINARY, 6, 6},  {PARE_ALTERNATIVE_BINARY, 5, 6},
        {PARE_ALTERNATIVE_PREFIX, 4, 4},  {PARE_ALTERNATIVE_SUFFIX, 3, 0},
        {PARE_ALTERNATIVE_PRIMARY, 2, 0}, {PARE_ALTERNATIVE_PRIMARY, 1, 0},
    };
    assert_int_equal(f.analysis.left_recursion[0], PARE_LEFT_DIRECT);
    for (size_t i = 0; i < 6; i++) {
        pare_precedence found = pare_analysis_precedence(&f.analysis, 0, i);
        assert_int_equal(found.kind, expected[i].kind);
        assert_int_equal(found.precedence, expected[i].precedence);
        assert_int_equal(found.right, expected[i].right);
    }
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
        assert_int_equal(pare_subtypes_has_rule(&f.subtypes, a, rule(&f, cases[i].name)),
                         cases[i].has);
    assert_true(pare_subtypes_has_token(&f.subtypes, a, pare_grammar_find_token(f.grammar, "X")));
    assert_true(pare_subtypes_has_token(&f.subtypes, a, pare_grammar_find_token(f.grammar, "Y")));
    assert_false(pare_subtypes_has_rule(&f.subtypes, rule(&f, "b"), a));
    close_fixture(&f);
}

/* Whether children fit: small letters are rules, capitals tokens, '-' one removed, '$'
 * the end of the file. */
static bool match(struct fixture *f, const char *name, const char *children)
{
    pare_symbol symbols[16];
    size_t n = strlen(children);
    for (size_t i = 0; i < n; i++) {
        char symbol[2] = {children[i], '\0'};
        bool is_token = children[i] >= 'A' && children[i] <= 'Z';
        symbols[i] = children[i] == '-'   ? (pare_symbol){PARE_SYMBOL_NONE, 0}
                     : children[i] == '$' ? (pare_symbol){PARE_SYMBOL_TOKEN, PARE_TOKEN_END}
                     : is_token           ? (pare_symbol){PARE_SYMBOL_TOKEN,
                                                          pare_grammar_find_token(f->grammar, symbol)}
                                          : (pare_symbol){PARE_SYMBOL_RULE, rule(f, symbol)};
    }
    return pare_body_match(&f->content, rule(f, name), symbols, n);
}

static void test_analysis__children_match_the_body_also_with_some_removed(void **state)
{
    (void)state;
    struct fixture f = open_fixture(
        "grammar C; a : X (Y b)* (Y | ~X)? EOF ; b : (X* Y?)+ ; c : . c | ; d : b | X ; e : d ; "
        "X : 'x' ; Y : 'y' ; Z : 'z' ;");
    assert_int_equal(pare_body_matcher_init(&f.content, &f.analysis.links, NULL, NULL), PARE_OK);
    static const struct {
        const char *name, *children;
        bool matches;
    } cases[] = {
        {"a", "X$", true},      {"a", "XYbYbZ$", true}, {"a", "XYYb$", false},
        {"a", "XY-Yb$", false}, {"a", "X--Yb$", true},  {"a", "X", false},
        {"a", "XX$", false},    {"a", "", false},       {"b", "", true},
        {"b", "XYXXY", true},   {"b", "XZ", false},     {"c", "Zc", true},
        {"c", "$c", false},     {"c", "--", true},      {"e", "b", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(match(&f, cases[i].name, cases[i].children), cases[i].matches);
    pare_body_matcher_done(&f.content);
    assert_int_equal(pare_body_matcher_init(&f.content, &f.analysis.links, &f.subtypes, NULL),
                     PARE_OK);
    assert_true(match(&f, "e", "b"));
    assert_true(match(&f, "e", "X"));
    assert_false(match(&f, "e", "Z"));
    close_fixture(&f);
}

static pare_status analyse(void *context)
{
    pare_analysis analysis = {0};
    pare_subtypes subtypes = {0};
    pare_body_matcher content = {0};
    pare_status status = pare_analysis_init(&analysis, context, 0, NULL);
    if (!status) status = pare_subtypes_init(&subtypes, &analysis, NULL);
    if (!status) status = pare_body_matcher_init(&content, &analysis.links, &subtypes, NULL);
    pare_body_matcher_done(&content);
    pare_subtypes_done(&subtypes);
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
        cmocka_unit_test(test_analysis__finds_what_is_wrong),
        cmocka_unit_test(test_analysis__alternatives_have_antlrs_kinds_and_precedences),
        cmocka_unit_test(test_analysis__subtypes_are_what_a_rule_can_become_alone),
        cmocka_unit_test(test_analysis__children_match_the_body_also_with_some_removed),
        cmocka_unit_test(test_analysis__reports_oom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
