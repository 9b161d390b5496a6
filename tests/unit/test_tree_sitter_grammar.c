/* grammar.json in the grammar model: its rules and aliases, the shortest texts, the smallest
 * contexts, what may stand for what. */
/* tests: src/grammar/minimal.c src/grammar/tree_sitter_grammar.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "alloc_sweep.h"
#include "grammar/analysis.h"
#include "grammar/minimal.h"
#include "grammar/tree_sitter_grammar.h"
#include "support/grammar_text.h"

#define SYMBOL(name) "{\"type\":\"SYMBOL\",\"name\":\"" name "\"}"
#define STRING(text) "{\"type\":\"STRING\",\"value\":\"" text "\"}"
#define PATTERN(text) "{\"type\":\"PATTERN\",\"value\":\"" text "\"}"
#define SEQ(members) "{\"type\":\"SEQ\",\"members\":[" members "]}"
#define CHOICE(members) "{\"type\":\"CHOICE\",\"members\":[" members "]}"
#define WITH(type, content) "{\"type\":\"" type "\",\"value\":0,\"content\":" content "}"
#define ALIAS(name, content) \
    "{\"type\":\"ALIAS\",\"named\":true,\"value\":\"" name "\",\"content\":" content "}"
#define BLANK "{\"type\":\"BLANK\"}"

/* program: statement*    statement: call ";" | "{" statement* "}" | _outer "!"
 * call: expression "(" ")"    expression: name | number | string | member
 * member: expression "." (name as property)    string: "<" raw ">" (raw: of the scanner) */
static const char
    grammar_json
        [] = "{\"name\":\"toy\",\"rules\":{"
             "\"program\":" WITH(
                 "REPEAT",
                 SYMBOL(
                     "statement")) ","
                                   "\"statement\":" CHOICE(
                                       SEQ(SYMBOL("call") "," STRING(";")) "," SEQ(
                                           STRING("{") "," WITH("REPEAT", SYMBOL("statement")) "," STRING(
                                               "}")) "," SEQ(SYMBOL("_outer") "," STRING("!"))) ","
                                                                                                "\""
                                                                                                "ca"
                                                                                                "ll"
                                                                                                "\""
                                                                                                ":" SEQ(WITH("FIEL"
                                                                                                             "D",
                                                                                                             SYMBOL("expression")) "," STRING("(") "," CHOICE(SYMBOL("expression") "," BLANK) "," STRING(")")) ","
                                                                                                                                                                                                               "\"expression\":" CHOICE(SYMBOL("name") "," SYMBOL("number") "," SYMBOL("string") "," SYMBOL("member")) ","
                                                                                                                                                                                                                                                                                                                       "\"member\":" WITH("PREC_LEFT", SEQ(SYMBOL("expression") "," STRING(
                                                                                                                                                                                                                                                                                                                                                           ".") "," ALIAS("property",
                                                                                                                                                                                                                                                                                                                                                                          SYMBOL("name")))) ","
                                                                                                                                                                                                                                                                                                                                                                                            "\"string\":" SEQ(STRING("<") "," SYMBOL("raw") "," STRING(
                                                                                                                                                                                                                                                                                                                                                                                                ">")) ","
                                                                                                                                                                                                                                                                                                                                                                                                      "\"name\":" PATTERN(
                                                                                                                                                                                                                                                                                                                                                                                                          "[a-z_]\\\\w*") ","
                                                                                                                                                                                                                                                                                                                                                                                                                          "\"number\":" WITH(
                                                                                                                                                                                                                                                                                                                                                                                                                              "TOKEN",
                                                                                                                                                                                                                                                                                                                                                                                                                              SEQ(WITH(
                                                                                                                                                                                                                                                                                                                                                                                                                                  "REPEAT1", PATTERN("\\\\d")) "," STRING("u"))) ","
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 "\"strange\":" PATTERN(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                     "a(?=b)") ","
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                               "\"wrapped\":" SEQ(CHOICE(STRING("@") "," BLANK) "," SYMBOL("name")) "},\"supertypes\":[\"expression\"],\"inline\":[],"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                    "\"externals\":[" SYMBOL(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                        "raw") "," SYMBOL("_outer") "]}";

struct bench {
    pare_tree_sitter_grammar toy;
    pare_analysis analysis;
    pare_minimal_texts minimal;
    pare_contexts contexts;
    pare_subtypes subtypes;
};

static pare_status open_with(struct bench *bench, const pare_token_example *examples, size_t n)
{
    *bench = (struct bench){0};
    pare_status status = pare_tree_sitter_grammar_read(grammar_json, strlen(grammar_json), examples,
                                                       n, &bench->toy, NULL);
    if (!status) status = pare_analysis_init(&bench->analysis, bench->toy.grammar, NULL);
    if (!status) status = pare_minimal_init(&bench->minimal, &bench->analysis, NULL);
    if (!status) status = pare_minimal_contexts_init(&bench->contexts, &bench->minimal, 0, NULL);
    if (!status) status = pare_analysis_subtypes_init(&bench->subtypes, &bench->analysis, NULL);
    return status;
}

static void close_bench(struct bench *bench)
{
    pare_analysis_subtypes_done(&bench->subtypes);
    pare_minimal_contexts_done(&bench->contexts);
    pare_minimal_done(&bench->minimal);
    pare_analysis_done(&bench->analysis);
    pare_tree_sitter_grammar_done(&bench->toy);
}

static pare_index rule(const struct bench *bench, const char *name)
{
    pare_index found = pare_grammar_find_rule(bench->toy.grammar, name);
    assert_int_not_equal(found, PARE_NO_INDEX);
    return found;
}

static bool no_space(void *context, const char *left, size_t left_size, const char *right,
                     size_t right_size)
{
    (void)context, (void)left, (void)left_size, (void)right, (void)right_size;
    return false;
}

/* NULL: it has none. */
static void assert_text(const struct bench *bench, const char *name, const char *expected)
{
    pare_buffer out = {0};
    pare_index body = bench->toy.grammar->rules[rule(bench, name)].body;
    pare_status status = pare_minimal_text(&bench->minimal, body, no_space, NULL, &out, NULL);
    assert_int_equal(status, expected ? PARE_OK : PARE_E_LIMIT);
    if (expected) assert_string_equal(out.data ? out.data : "", expected);
    pare_buffer_done(&out);
}

static void test_tree_sitter_grammar__knows_rules_aliases_and_what_is_seen_of_them(void **state)
{
    (void)state;
    struct bench bench;
    assert_int_equal(open_with(&bench, NULL, 0), PARE_OK);
    assert_true(pare_grammar_check(bench.toy.grammar));
    const pare_shown_rule *shown = bench.toy.shown;
    assert_string_equal(shown[rule(&bench, "call")].name, "call");
    assert_null(shown[rule(&bench, "expression")].name);
    assert_string_equal(shown[rule(&bench, "name as property")].name, "property");
    assert_true(shown[rule(&bench, "name as property")].alias);
    assert_body(bench.toy.grammar, "name as property", "name");
    assert_body(bench.toy.grammar, "member", "(expression '. name as property)");
    close_bench(&bench);
}

static void test_tree_sitter_grammar__gives_shortest_texts(void **state)
{
    (void)state;
    struct bench bench;
    assert_int_equal(open_with(&bench, NULL, 0), PARE_OK);
    assert_text(&bench, "program", "");
    assert_text(&bench, "statement", "{}");
    assert_text(&bench, "name", "a");
    assert_text(&bench, "number", "0u");
    assert_text(&bench, "call", "a()");
    assert_text(&bench, "member", "a.a");
    assert_text(&bench, "string", NULL);
    assert_text(&bench, "strange", NULL);
    close_bench(&bench);
}

static void test_tree_sitter_grammar__takes_examples_for_what_it_cannot_derive(void **state)
{
    (void)state;
    static const pare_token_example examples[] = {
        {"raw", "\"\xff", 2}, {"name", "if_", 3}, {"_outer", "", 0}};
    struct bench bench;
    assert_int_equal(open_with(&bench, examples, 3), PARE_OK);
    assert_text(&bench, "string", "<\"\xc3\xbf>");
    assert_text(&bench, "statement", "!");
    assert_text(&bench, "call", "0u()");
    assert_text(&bench, "name as property", "if_");
    close_bench(&bench);
}

static void assert_context(const struct bench *bench, const char *name, const char *inner,
                           pare_joining joining, const char *expected)
{
    pare_buffer out = {0};
    size_t begin = 0;
    assert_int_equal(
        pare_minimal_context(&bench->contexts,
                             (pare_context_inner){rule(bench, name), inner, strlen(inner)}, joining,
                             &out, &begin, NULL),
        PARE_OK);
    assert_string_equal(out.data, expected);
    assert_memory_equal(out.data + begin, inner, strlen(inner));
    pare_buffer_done(&out);
}

static void test_context__is_the_smallest_text_around_a_rule(void **state)
{
    (void)state;
    static const pare_joining tight = {.needs_space = no_space}, spaced = {.needs_space = NULL};
    struct bench bench;
    assert_int_equal(open_with(&bench, NULL, 0), PARE_OK);
    assert_context(&bench, "program", "P", tight, "P");
    assert_context(&bench, "statement", "S", tight, "S");
    assert_context(&bench, "call", "C", spaced, "C ;");
    assert_context(&bench, "number", "N", tight, "N();");
    assert_context(&bench, "name as property", "P", tight, "a.P();");
    assert_context(&bench, "name as property", "P", spaced, "a . P ( ) ;");
    pare_buffer out = {0};
    size_t begin = 0;
    assert_int_equal(pare_minimal_context(&bench.contexts,
                                          (pare_context_inner){rule(&bench, "wrapped"), "x", 1},
                                          tight, &out, &begin, NULL),
                     PARE_E_LIMIT);
    pare_buffer_done(&out);
    close_bench(&bench);
}

static void test_tree_sitter_grammar__subtypes_go_through_hidden_rules_and_aliases(void **state)
{
    (void)state;
    struct bench bench;
    assert_int_equal(open_with(&bench, NULL, 0), PARE_OK);
    const pare_subtypes *units = &bench.subtypes;
    assert_true(pare_analysis_has_subrule(units, rule(&bench, "expression"), rule(&bench, "name")));
    assert_true(pare_analysis_has_subrule(units, rule(&bench, "wrapped"), rule(&bench, "name")));
    assert_true(
        pare_analysis_has_subrule(units, rule(&bench, "name as property"), rule(&bench, "name")));
    assert_false(pare_analysis_has_subrule(units, rule(&bench, "member"), rule(&bench, "name")));
    close_bench(&bench);
}

static void test_tree_sitter_grammar__refuses_what_is_none(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",
                                        "[]",
                                        "{\"rules\":{}}",
                                        "{\"rules\":{\"a\":" SYMBOL("b") "}}",
                                        "{\"rules\":{\"a\":{\"type\":\"NEW\"}}}",
                                        "{\"rules\":{\"a\":{\"type\":\"CHOICE\"}}}"};
    pare_tree_sitter_grammar toy = {0};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(
            pare_tree_sitter_grammar_read(wrong[i], strlen(wrong[i]), NULL, 0, &toy, NULL),
            PARE_E_SYNTAX);
        assert_null(toy.grammar);
    }
}

static pare_status attempt(void *context)
{
    struct bench bench;
    pare_buffer out = {0};
    size_t begin = 0;
    (void)context;
    pare_status status = open_with(&bench, NULL, 0);
    if (!status)
        status = pare_minimal_context(&bench.contexts,
                                      (pare_context_inner){rule(&bench, "call"), "x()", 3},
                                      (pare_joining){.needs_space = NULL}, &out, &begin, NULL);
    pare_buffer_done(&out);
    close_bench(&bench);
    return status;
}

static void test_tree_sitter_grammar__reports_oom(void **state)
{
    (void)state;
    sweep_allocations(attempt, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree_sitter_grammar__knows_rules_aliases_and_what_is_seen_of_them),
        cmocka_unit_test(test_tree_sitter_grammar__gives_shortest_texts),
        cmocka_unit_test(test_tree_sitter_grammar__takes_examples_for_what_it_cannot_derive),
        cmocka_unit_test(test_context__is_the_smallest_text_around_a_rule),
        cmocka_unit_test(test_tree_sitter_grammar__subtypes_go_through_hidden_rules_and_aliases),
        cmocka_unit_test(test_tree_sitter_grammar__refuses_what_is_none),
        cmocka_unit_test(test_tree_sitter_grammar__reports_oom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
