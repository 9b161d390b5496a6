/* Regular expressions of tree-sitter's grammars as expressions over characters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "alloc_sweep.h"
#include "grammar/builder.h"
#include "support/grammar_text.h"

/* Reads a regular expression; its text in nearly ANTLR's notation to *out. */
static pare_status read(const char *regex, pare_buffer *out)
{
    pare_builder builder;
    pare_unicode unicode = {0};
    pare_index expr = PARE_NO_INDEX;
    pare_status status = pare_builder_init(&builder, NULL);
    if (status) return status;
    status = pare_regex_expr(&builder, &unicode, regex, &expr, NULL);
    assert_true((expr == PARE_NO_INDEX) == (status != PARE_OK));
    if (!status && out) show_expr(out, builder.grammar, expr, true);
    pare_unicode_done(&unicode);
    pare_builder_done(&builder);
    return status;
}

static void assert_read(const char *regex, const char *expected)
{
    pare_buffer out = {0};
    assert_int_equal(read(regex, &out), PARE_OK);
    assert_string_equal(out.data, expected);
    pare_buffer_done(&out);
}

static void test_regex__takes_sequences_choices_groups_and_quantifiers(void **state)
{
    (void)state;
    assert_read("ab", "(\"a\" \"b\")");
    assert_read("a|bc|", "((\"b\" \"c\") | empty | [a])");
    assert_read("(?:ab)+c*?d?", "(((\"a\" \"b\") (\"a\" \"b\")*) \"c\"* \"d\"?)");
    assert_read("(?i:x)(?<name>y)", "(\"x\" \"y\")");
    assert_read("a|[b_]|\\$|\\\\u", "((\"\\\\\" \"u\") | [a-b])");
    assert_read("^a$", "(empty \"a\" empty)");
    assert_read("a{3}", "(\"a\" \"a\" \"a\")");
    assert_read("a{2,}b", "((\"a\" \"a\" \"a\"*) \"b\")");
    assert_read("[ab]{1,3}", "([a-b] [a-b]*)");
    assert_read("a{,2}", "(\"a\" \"{\" \",\" \"2\" \"}\")");
}

static void test_regex__takes_sets_escapes_and_properties(void **state)
{
    (void)state;
    assert_read("[a-cx_]", "[a-cx]");
    assert_read("[^\\]a]", "[0-9A-Zb-z]");
    assert_read("[].]", "[.\\]]");
    assert_read("[.-]", "[--.]");
    assert_read("\\d\\.\\n\\x41\\u{1F600}", "([0-9] \".\" \"U+A\" \"A\" \"U+1F600\")");
    assert_read("[\\w--\\d]", "[A-Za-z]");
    assert_read("[a-z&&[^aeiou]]", "[b-df-hj-np-tv-z]");
    assert_read("[[a-c][e]]", "[a-ce]");
    assert_read("[\\p{ASCII}&&\\D]", "[A-Za-z]");
    assert_read(".", "[0-9A-Za-z]");
    assert_read("\\W", "[U+0-/:-@[-^`{-U+10FFFF]");
    assert_read("\\s", "[U+9-U+DU+20U+85U+A0U+2028-U+2029]");
}

static void test_regex__refuses_what_it_does_not_know(void **state)
{
    (void)state;
    static const struct {
        const char *regex;
        pare_status status;
    } wrong[] = {
        {"(", PARE_E_SYNTAX},           {"a)", PARE_E_SYNTAX},
        {"[a", PARE_E_SYNTAX},          {"*a", PARE_E_SYNTAX},
        {"\\", PARE_E_SYNTAX},          {"[a-\\d]", PARE_E_SYNTAX},
        {"\\u{110000}", PARE_E_SYNTAX}, {"\\xZZ", PARE_E_SYNTAX},
        {"\\p{", PARE_E_SYNTAX},        {"\\p{Klingon}", PARE_E_UNSUPPORTED},
        {"a(?=b)", PARE_E_UNSUPPORTED}, {"a(?<!b)", PARE_E_UNSUPPORTED},
        {"a{30000}", PARE_E_LIMIT},     {"((a{200}){200})", PARE_E_LIMIT},
        {"(?:", PARE_E_SYNTAX},         {"\xff", PARE_E_SYNTAX},
        {"a{300000}", PARE_E_LIMIT},    {"a{99999999999999999999,}", PARE_E_LIMIT},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(read(wrong[i].regex, NULL), wrong[i].status);
    char deep[200] = "";
    memset(deep, '(', 100);
    assert_int_equal(read(deep, NULL), PARE_E_LIMIT);
    memset(deep, '[', 100);
    assert_int_equal(read(deep, NULL), PARE_E_LIMIT);
}

static pare_status attempt(void *context)
{
    return read(context, NULL);
}

static void test_regex__reports_oom(void **state)
{
    (void)state;
    char regex[] = "([^a-c&&\\w]|x{2,})+\\p{Lu}[d\\s]";
    sweep_allocations(attempt, regex);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_regex__takes_sequences_choices_groups_and_quantifiers),
        cmocka_unit_test(test_regex__takes_sets_escapes_and_properties),
        cmocka_unit_test(test_regex__refuses_what_it_does_not_know),
        cmocka_unit_test(test_regex__reports_oom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
