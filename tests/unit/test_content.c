/* Content models of tree-sitter grammars, with small grammars of our own. */
/* tests: src/grammar/content_match.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "grammar/content.h"
#include "unit/alloc_sweep.h"

/* list: "[" (item ("," item)*)? "]"   item: hidden: number, list, (word as name)
 * line: item+ then a hidden token of the scanner
 * deep: hidden left and right recursion over number
 * never: number, or nothing but what a choice of nothing has
 * empty: the token ";" that has a name; comment is an extra, and so is mark, a token of the
 * scanner that no rule names */
static const char grammar_json[] =
    "{\"name\": \"t\", \"rules\": {"
    "\"list\": {\"type\": \"SEQ\", \"members\": ["
    "  {\"type\": \"STRING\", \"value\": \"[\"},"
    "  {\"type\": \"CHOICE\", \"members\": [{\"type\": \"BLANK\"}, {\"type\": \"SEQ\", "
    "\"members\": ["
    "    {\"type\": \"FIELD\", \"name\": \"f\", \"content\": {\"type\": \"SYMBOL\", \"name\": "
    "\"_item\"}},"
    "    {\"type\": \"REPEAT\", \"content\": {\"type\": \"SEQ\", \"members\": ["
    "      {\"type\": \"STRING\", \"value\": \",\"}, {\"type\": \"SYMBOL\", \"name\": "
    "\"_item\"}]}}]}]},"
    "  {\"type\": \"STRING\", \"value\": \"]\"}]},"
    "\"_item\": {\"type\": \"CHOICE\", \"members\": [{\"type\": \"SYMBOL\", \"name\": \"number\"},"
    "  {\"type\": \"SYMBOL\", \"name\": \"list\"}, {\"type\": \"ALIAS\", \"named\": true, "
    "\"value\": \"name\","
    "   \"content\": {\"type\": \"SYMBOL\", \"name\": \"word\"}}]},"
    "\"number\": {\"type\": \"PATTERN\", \"value\": \"[0-9]+\"},"
    "\"word\": {\"type\": \"TOKEN\", \"content\": {\"type\": \"PATTERN\", \"value\": \"[a-z]+\"}},"
    "\"line\": {\"type\": \"SEQ\", \"members\": [{\"type\": \"REPEAT1\", \"content\":"
    "  {\"type\": \"SYMBOL\", \"name\": \"_item\"}}, {\"type\": \"SYMBOL\", \"name\": "
    "\"_newline\"}]},"
    "\"deep\": {\"type\": \"SYMBOL\", \"name\": \"_deep\"},"
    "\"_deep\": {\"type\": \"CHOICE\", \"members\": [{\"type\": \"SYMBOL\", \"name\": \"number\"},"
    "  {\"type\": \"SEQ\", \"members\": [{\"type\": \"SYMBOL\", \"name\": \"_deep\"},"
    "  {\"type\": \"STRING\", \"value\": \",\"}, {\"type\": \"SYMBOL\", \"name\": \"_deep\"}]}]},"
    "\"never\": {\"type\": \"CHOICE\", \"members\": [{\"type\": \"SYMBOL\", \"name\": \"number\"},"
    "  {\"type\": \"SYMBOL\", \"name\": \"_off\"}]},"
    "\"_off\": {\"type\": \"SEQ\", \"members\": [{\"type\": \"SYMBOL\", \"name\": \"list\"},"
    "  {\"type\": \"CHOICE\", \"members\": []}]},"
    "\"empty\": {\"type\": \"PREC\", \"value\": 1, \"content\": {\"type\": \"STRING\", \"value\": "
    "\";\"}},"
    "\"comment\": {\"type\": \"PATTERN\", \"value\": \"#.*\"}},"
    "\"extras\": [{\"type\": \"PATTERN\", \"value\": \" \"}, {\"type\": \"SYMBOL\", \"name\": "
    "\"comment\"}, {\"type\": \"SYMBOL\", \"name\": \"mark\"}],"
    "\"externals\": [{\"type\": \"SYMBOL\", \"name\": \"_newline\"}, {\"type\": \"SYMBOL\", "
    "\"name\": \"mark\"}], \"inline\": [], "
    "\"supertypes\": []}";

static pare_content *content;
static pare_content_matcher *matcher;

static int setup(void **state)
{
    (void)state;
    return pare_content_read(grammar_json, strlen(grammar_json), &content, NULL) ||
           pare_content_matcher_new(content, &matcher, NULL);
}

static int teardown(void **state)
{
    (void)state;
    pare_content_matcher_free(matcher);
    pare_content_free(content);
    return 0;
}

/* The answer for children separated by blanks; anonymous ones are those without
 * letters, "?" is unknown and "-" is skipped. */
static pare_legality match(const char *type, const char *children)
{
    uint32_t list[32];
    size_t n = 0;
    pare_legality is = PARE_ILLEGAL;
    char text[256], *rest = text;
    (void)snprintf(text, sizeof text, "%s", children);
    for (char *word; (word = strsep(&rest, " ")) != NULL;) {
        bool named = word[0] >= 'a' && word[0] <= 'z';
        if (!*word) continue;
        list[n++] = word[0] == '?'   ? PARE_CONTENT_UNKNOWN
                    : word[0] == '-' ? PARE_CONTENT_SKIPPED
                                     : pare_content_symbol(content, word, named);
    }
    uint32_t symbol = pare_content_symbol(content, type, true);
    assert_int_equal(pare_content_match(matcher, symbol, list, n, &is, NULL), PARE_OK);
    return is;
}

static void test_content__goes_through_hidden_rules_choices_and_loops(void **state)
{
    (void)state;
    assert_int_equal(match("list", "[ ]"), PARE_LEGAL);
    assert_int_equal(match("list", "[ number ]"), PARE_LEGAL);
    assert_int_equal(match("list", "[ number , list , number ]"), PARE_LEGAL);
    assert_int_equal(match("list", "[ number , ]"), PARE_ILLEGAL);
    assert_int_equal(match("list", "[ number number ]"), PARE_ILLEGAL);
    assert_int_equal(match("list", "number"), PARE_ILLEGAL);
    assert_int_equal(match("list", ""), PARE_ILLEGAL);
}

static void test_content__an_alias_is_seen_by_its_name_only(void **state)
{
    (void)state;
    assert_int_equal(match("list", "[ name ]"), PARE_LEGAL);
    assert_int_equal(match("list", "[ word ]"), PARE_ILLEGAL);
    assert_int_equal(match("name", ""), PARE_LEGAL);
    assert_int_equal(match("name", "number"), PARE_ILLEGAL);
}

static void test_content__extras_may_stand_anywhere(void **state)
{
    (void)state;
    assert_int_equal(match("list", "comment [ comment number - ] comment"), PARE_LEGAL);
    assert_int_equal(match("list", "[ comment"), PARE_ILLEGAL);
}

static void test_content__a_token_of_the_scanner_makes_it_unsure(void **state)
{
    (void)state;
    assert_int_equal(match("line", "number number"), PARE_UNSURE);
    assert_int_equal(match("line", ""), PARE_ILLEGAL);
}

static void test_content__what_is_unknown_is_unsure_where_something_may_stand(void **state)
{
    (void)state;
    assert_int_equal(match("list", "[ ? ]"), PARE_UNSURE);
    assert_int_equal(match("list", "[ number ? ? ? ]"), PARE_ILLEGAL);
    assert_int_equal(match("nothing_of_that_name", "number"), PARE_UNSURE);
}

static void test_content__a_choice_of_nothing_has_no_text(void **state)
{
    (void)state;
    assert_int_equal(match("never", "number"), PARE_LEGAL);
    assert_int_equal(match("never", "list"), PARE_ILLEGAL);
    assert_int_equal(match("never", ""), PARE_ILLEGAL);
}

static void test_content__an_extra_of_the_scanner_may_stand_anywhere(void **state)
{
    (void)state;
    assert_int_equal(match("list", "mark [ number mark ]"), PARE_LEGAL);
    assert_int_equal(match("list", "mark ["), PARE_ILLEGAL);
}

static void test_content__a_named_token_is_empty_or_shows_its_text(void **state)
{
    (void)state;
    assert_int_equal(match("empty", ""), PARE_LEGAL);
    assert_int_equal(match("empty", ";"), PARE_LEGAL);
    assert_int_equal(match("empty", "; ;"), PARE_ILLEGAL);
}

static void test_content__hidden_rules_that_begin_with_themselves_end(void **state)
{
    (void)state;
    enum { N = 201 };
    uint32_t children[N];
    pare_legality is = PARE_ILLEGAL;
    for (size_t i = 0; i < N; i++)
        children[i] = pare_content_symbol(content, i % 2 ? "," : "number", i % 2 == 0);
    uint32_t deep = pare_content_symbol(content, "deep", true);
    assert_int_equal(pare_content_match(matcher, deep, children, N, &is, NULL), PARE_OK);
    assert_int_equal(is, PARE_LEGAL);
    assert_int_equal(pare_content_match(matcher, deep, children, N - 1, &is, NULL), PARE_OK);
    assert_int_equal(is, PARE_ILLEGAL);
}

static void test_content__what_is_no_grammar_is_refused_with_a_sentence(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "{",
        "[]",
        "{}",
        "{\"rules\": {}}",
        "{\"rules\": {\"a\": 1}}",
        "{\"rules\": {\"a\": {\"type\": \"SYMBOL\", \"name\": \"b\"}}}",
        "{\"rules\": {\"a\": {\"type\": \"CHOICE\"}}}",
        "{\"rules\": {\"a\": {\"type\": \"REPEAT\"}}}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        pare_content *out = NULL;
        pare_error err = {0};
        assert_int_equal(pare_content_read(texts[i], strlen(texts[i]), &out, &err), PARE_E_SYNTAX);
        assert_null(out);
        assert_ptr_equal(strstr(err.message, "grammar.json"), err.message);
    }
}

static void test_content__a_rule_that_is_only_itself_ends(void **state)
{
    (void)state;
    static const char text[] = "{\"rules\": {\"a\": {\"type\": \"SYMBOL\", \"name\": \"_b\"},"
                               "\"_b\": {\"type\": \"REPEAT\", \"content\": {\"type\": \"REPEAT\","
                               "\"content\": {\"type\": \"SYMBOL\", \"name\": \"_b\"}}}}}";
    pare_content *own = NULL;
    pare_content_matcher *own_matcher = NULL;
    pare_legality is = PARE_ILLEGAL;
    assert_int_equal(pare_content_read(text, strlen(text), &own, NULL), PARE_OK);
    assert_int_equal(pare_content_matcher_new(own, &own_matcher, NULL), PARE_OK);
    uint32_t a = pare_content_symbol(own, "a", true);
    assert_int_equal(pare_content_match(own_matcher, a, NULL, 0, &is, NULL), PARE_OK);
    assert_int_equal(is, PARE_LEGAL);
    assert_int_equal(pare_content_match(own_matcher, a, &a, 1, &is, NULL), PARE_OK);
    assert_int_equal(is, PARE_ILLEGAL);
    pare_content_matcher_free(own_matcher);
    pare_content_free(own);
}

static pare_status read_and_match(void *context)
{
    uint32_t children[3];
    pare_content *own = NULL;
    pare_content_matcher *own_matcher = NULL;
    pare_legality is = PARE_ILLEGAL;
    (void)context;
    for (size_t i = 0; i < 3; i++)
        children[i] = pare_content_symbol(content, i == 0 ? "[" : i == 1 ? "number" : "]", i == 1);
    uint32_t list = pare_content_symbol(content, "list", true);
    pare_status status = pare_content_read(grammar_json, strlen(grammar_json), &own, NULL);
    if (status == PARE_OK) status = pare_content_matcher_new(own, &own_matcher, NULL);
    if (status == PARE_OK) status = pare_content_match(own_matcher, list, children, 3, &is, NULL);
    if (status == PARE_OK) assert_int_equal(is, PARE_LEGAL);
    pare_content_matcher_free(own_matcher);
    pare_content_free(own);
    return status;
}

static void test_content__reports_oom_at_every_allocation(void **state)
{
    (void)state;
    sweep_allocations(read_and_match, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_content__goes_through_hidden_rules_choices_and_loops),
        cmocka_unit_test(test_content__an_alias_is_seen_by_its_name_only),
        cmocka_unit_test(test_content__extras_may_stand_anywhere),
        cmocka_unit_test(test_content__a_token_of_the_scanner_makes_it_unsure),
        cmocka_unit_test(test_content__what_is_unknown_is_unsure_where_something_may_stand),
        cmocka_unit_test(test_content__a_choice_of_nothing_has_no_text),
        cmocka_unit_test(test_content__an_extra_of_the_scanner_may_stand_anywhere),
        cmocka_unit_test(test_content__a_named_token_is_empty_or_shows_its_text),
        cmocka_unit_test(test_content__hidden_rules_that_begin_with_themselves_end),
        cmocka_unit_test(test_content__what_is_no_grammar_is_refused_with_a_sentence),
        cmocka_unit_test(test_content__a_rule_that_is_only_itself_ends),
        cmocka_unit_test(test_content__reports_oom_at_every_allocation),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
