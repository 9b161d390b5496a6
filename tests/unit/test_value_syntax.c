/* The value definition syntax: what it is read as, and what is refused. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "unit/alloc_sweep.h"
#include "web_model/value_syntax.h"

/* Prints a value with all its groups. */
static void print(const pare_value *value, pare_buffer *to)
{
    static const char *const between[] = {[PARE_VALUE_SEQUENCE] = " ",
                                          [PARE_VALUE_ALL] = " && ",
                                          [PARE_VALUE_ANY] = " || ",
                                          [PARE_VALUE_CHOICE] = " | "};
    pare_status status = PARE_OK;
    switch (value->kind) {
    case PARE_VALUE_WORD: status = pare_buffer_text(to, value->text, NULL); break;
    case PARE_VALUE_SIGN: status = pare_buffer_format(to, NULL, "'%s'", value->text); break;
    case PARE_VALUE_PROPERTY: status = pare_buffer_format(to, NULL, "<'%s'>", value->text); break;
    case PARE_VALUE_TYPE:
        status = pare_buffer_format(to, NULL, "<%s", value->text);
        if (!isinf(value->low) || !isinf(value->high))
            assert_int_equal(pare_buffer_format(to, NULL, " %g..%g", value->low, value->high),
                             PARE_OK);
        assert_int_equal(pare_buffer_text(to, ">", NULL), PARE_OK);
        break;
    case PARE_VALUE_FUNCTION:
        status = pare_buffer_format(to, NULL, "%s(", value->text);
        if (value->first) print(value->first, to);
        assert_int_equal(pare_buffer_text(to, ")", NULL), PARE_OK);
        break;
    case PARE_VALUE_REPEAT:
        print(value->first, to);
        status = pare_buffer_format(to, NULL, "%s{%u,%u}", value->commas ? "#" : "", value->min,
                                    value->max == PARE_VALUE_ENDLESS ? 0 : value->max);
        break;
    default:
        assert_int_equal(pare_buffer_text(to, "[", NULL), PARE_OK);
        for (const pare_value *part = value->first; part; part = part->next) {
            print(part, to);
            if (part->next)
                assert_int_equal(pare_buffer_text(to, between[value->kind], NULL), PARE_OK);
        }
        status = pare_buffer_text(to, "]", NULL);
    }
    assert_int_equal(status, PARE_OK);
    if (value->filled) assert_int_equal(pare_buffer_text(to, "!", NULL), PARE_OK);
}

static void test_value_syntax__combinators_bind_as_css_says(void **state)
{
    static const struct {
        const char *syntax, *wanted;
    } cases[] = {
        {"auto", "auto"},
        {"a b | c d", "[[a b] | [c d]]"},
        {"a b && c || d | e", "[[[[a b] && c] || d] | e]"},
        {"a|b||c&&d e", "[a | [b || [c && [d e]]]]"},
        {"[ a | b ] c", "[[a | b] c]"},
        {"<length [0,∞]>? , <'width'>#", "[<length 0..inf>{0,1} ',' <'width'>#{1,0}]"},
        {"<angle [-90deg,90deg]> <rgb()>", "[<angle -90..90> <rgb()>]"},
        {"a{2} b{1,4} c{3,} d* e+ f#{2}", "[a{2,2} b{1,4} c{3,0} d{0,0} e{1,0} f#{2,2}]"},
        {"a#? [ b? c? ]! d+#", "[a#{1,0}{0,1} [b{0,1} c{0,1}]! d{1,0}#{1,0}]"},
        {"rgb( <number>#{3} , <alpha>? ) / x()",
         "[rgb([<number>#{3,3} ',' <alpha>{0,1}]) '/' x()]"},
        {"( <x> ) '[' '<' ']'", "[(<x>) '[' '<' ']']"},
        {"@media { <rule-list> } ;", "[@media '{' <rule-list> '}' ';']"},
        {"<boolean-expr[ <test> ]> -x 1.5", "[<boolean-expr[> -x 1.5]"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_arena arena = {0};
        pare_buffer text = {0};
        pare_value *value = NULL;
        pare_error err = {0};
        pare_status status =
            pare_value_parse(&arena, cases[i].syntax, strlen(cases[i].syntax), &value, &err);
        assert_string_equal(err.message, "");
        assert_int_equal(status, PARE_OK);
        print(value, &text);
        assert_string_equal(text.data, cases[i].wanted);
        pare_buffer_done(&text);
        pare_arena_done(&arena);
    }
}

static void test_value_syntax__it_is_known_what_may_be_empty(void **state)
{
    static const struct {
        const char *syntax;
        bool nullable;
    } cases[] = {{"a?", true},       {"a* b?", true},   {"a? b", false},     {"a | b?", true},
                 {"a? && b", false}, {"a || b?", true}, {"[a? b?]!", false}, {"[a?]#", true},
                 {"a{0,2}", true},   {"f(a?)", false},  {"<x>", false},      {"[a* b*]{2}", true}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_arena arena = {0};
        pare_value *value = NULL;
        assert_int_equal(
            pare_value_parse(&arena, cases[i].syntax, strlen(cases[i].syntax), &value, NULL),
            PARE_OK);
        assert_int_equal(pare_value_is_nullable(value), cases[i].nullable);
        pare_arena_done(&arena);
    }
}

static void test_value_syntax__what_is_wrong_is_told_with_its_place(void **state)
{
    static const struct {
        const char *syntax;
        size_t column;
        const char *sentence;
    } cases[] = {
        {"", 1, "this sign is not known here"},
        {"a |", 4, "this sign is not known here"},
        {"a &", 3, "this sign is not known here"},
        {"[ a", 1, "a bracket has no end"},
        {"f( a", 2, "a bracket has no end"},
        {"[ ]", 1, "a group is empty"},
        {"a ]", 3, "this sign is not known here"},
        {"a )", 3, "this sign is not known here"},
        {"<length", 1, "a type has no end"},
        {"<>", 2, "a type has no name"},
        {"<'a>", 2, "a property ends with '"},
        {"<a [1,0]>", 3, "the range of a type is [LOW,HIGH]"},
        {"<a [x,0]>", 3, "the range of a type is [LOW,HIGH]"},
        {"a{2,1}", 2, "these braces are wrong"},
        {"a{9999}", 2, "braces hold numbers up to 1000"},
        {"''", 1, "a quote has no end, or nothing in it"},
        {"a \xff", 3, "a byte that is no UTF-8"},
        {"'\xc0\xaf'", 2, "a byte that is no UTF-8"},
        {"'\xed\xa0\x80'", 2, "a byte that is no UTF-8"},
        {"'\xf4\x90\x80\x80'", 2, "a byte that is no UTF-8"},
        {"'\xe2\x88'", 2, "a byte that is no UTF-8"},
        {"<a [0,\xe2\x88\x9e]>", 0, NULL},
        {"'\xf4\x8f\xbf\xbf' '\xc2\x80' '\xed\x9f\xbf'", 0, NULL},
        {"...", 0, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_arena arena = {0};
        pare_value *value = NULL;
        pare_error err = {0};
        pare_status status =
            pare_value_parse(&arena, cases[i].syntax, strlen(cases[i].syntax), &value, &err);
        assert_int_equal(status, cases[i].sentence ? PARE_E_SYNTAX : PARE_OK);
        if (cases[i].sentence) {
            assert_non_null(strstr(err.message, cases[i].sentence));
            assert_int_equal(err.column, cases[i].column);
            assert_null(value);
        }
        pare_arena_done(&arena);
    }
}

static void test_value_syntax__nesting_has_a_limit(void **state)
{
    static const char *const parts[] = {"[", "f(", "("};
    (void)state;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        pare_arena arena = {0};
        pare_buffer text = {0};
        pare_value *value = NULL;
        pare_error err = {0};
        for (size_t n = 0; n < 10000; n++)
            assert_int_equal(pare_buffer_text(&text, parts[i], NULL), PARE_OK);
        assert_int_equal(pare_value_parse(&arena, text.data, text.size, &value, &err),
                         PARE_E_LIMIT);
        assert_non_null(strstr(err.message, "nested too deeply"));
        pare_buffer_done(&text);
        pare_arena_done(&arena);
    }
}

static pare_status parse_all(void *context)
{
    static const char syntax[] = "[ <length [0,∞]> | f( a? ) ]{1,4} && <'width'># , ( x )";
    pare_arena arena = {0};
    pare_value *value = NULL;
    (void)context;
    pare_status status = pare_value_parse(&arena, syntax, strlen(syntax), &value, NULL);
    assert_int_equal(value != NULL, status == PARE_OK);
    pare_arena_done(&arena);
    return status;
}

static void test_value_syntax__every_allocation_may_fail(void **state)
{
    (void)state;
    sweep_allocations(parse_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_value_syntax__combinators_bind_as_css_says),
        cmocka_unit_test(test_value_syntax__it_is_known_what_may_be_empty),
        cmocka_unit_test(test_value_syntax__what_is_wrong_is_told_with_its_place),
        cmocka_unit_test(test_value_syntax__nesting_has_a_limit),
        cmocka_unit_test(test_value_syntax__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
