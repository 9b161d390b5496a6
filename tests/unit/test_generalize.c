/* Patterns of diagnostics: what the input contributed goes, what the program did stays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "run/generalize.h"

static void assert_pattern(const char *text, pare_keep_level level, const char *input,
                           const char *expected)
{
    char pattern[PARE_DIAGNOSTIC_BYTES];
    pare_generalize(text, level, input, strlen(input), pattern);
    assert_string_equal(pattern, expected);
    assert_true(pare_signature_like(pattern, text));
}

static void test_generalize__what_stands_in_the_input_goes_from_the_message(void **state)
{
    static const struct {
        const char *text, *input, *pattern;
    } cases[] = {
        {"error: 'rows' undeclared (first use in this function)", "int f() { return rows; }",
         "error: '*' undeclared (first use in this function)"},
        {"error: 'rows' undeclared (first use in this function)", "int f() { return 0; }",
         "error: 'rows' undeclared (first use in this function)"},
        {"TypeError: unsupported operand type(s) for +: 'int' and 'NoneType'",
         "total = int(a) + None  # for each type",
         "TypeError: unsupported operand type(s) for +: 'int' and 'NoneType'"},
        {"ReferenceError: value is not defined", "print(value)",
         "ReferenceError: * is not defined"},
        {"TypeError: shop.items.first is not a function", "shop.items.first()",
         "TypeError: * is not a function"},
        {"Parse error: no such table: TEAS", "select * from teas", "Parse error: no such table: *"},
        {"SyntaxError: unexpected token in expression: '<'", "a < < b",
         "SyntaxError: unexpected token in expression: '<'"},
        {"ValueError: not enough values to unpack (expected 3, got 2)", "a, b, c = 1, 2",
         "ValueError: not enough values to unpack (expected *, got *)"},
        {"error TS2322: Type 'string' is not assignable to type 'number'.", "let x: number",
         "error TS2322: Type 'string' is not assignable to type 'number'."},
        {"error 9: internal", "9", "error 9: internal"},
        /* Names of other languages; one that is a part of another name does not stand there. */
        {"KeyError: '\xd0\xba\xd0\xbb\xd1\x8e\xd1\x87'", "x['\xd0\xba\xd0\xbb\xd1\x8e\xd1\x87']",
         "KeyError: '*'"},
        {"NameError: \xd0\xba\xd0\xbb is not defined", "print(\xd0\xba\xd0\xbb\xd1\x8e)",
         "NameError: \xd0\xba\xd0\xbb is not defined"},
        {"NameError: x\xc3\xa9y is not defined", "print(x\xc3\xa9y)",
         "NameError: * is not defined"},
        {"object 0x55c814b59490 freed twice by \"free obj17\"", "free obj17\nuse",
         "object * freed twice by \"*\""},
        /* What the input has the program say stays: every message would match a star. */
        {"ValueError: insufficient funds", "raise ValueError('insufficient funds')",
         "ValueError: insufficient funds"},
        {"ValueError: funds of Ann, at 3: too low", "'funds of Ann, at {n}: too low'",
         "ValueError: funds of Ann, at *: too low"},
        {"ValueError: too low for funds", "low; funds", "ValueError: too low for *"},
        {"OverflowError: overheated", "raise OverflowError('overheated')",
         "OverflowError: overheated"},
        {"Error: overheated", "throw Error('overheated')", "Error: overheated"},
        {"error: '-1 == 3'", "equal(-1, 3)", "error: '-1 == 3'"},
        {"overheated", "die 'overheated'", "overheated"},
        {"error: string (\"red green blu...) cannot be parsed", "\"red green blue\"",
         "error: string (\"* * blu...) cannot be parsed"},
        {"KeyError: 'row'", "x['row']", "KeyError: '*'"},
        {"KeyError: 7", "x[7]", "KeyError: 7"},
        {"parse(expr) failed [at 35]: unbalanced ')' (depth=-1)", "(1))",
         "parse(expr) failed [at *]: unbalanced ')' (depth=*)"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_pattern(cases[k].text, PARE_KEEP_MESSAGE, cases[k].input, cases[k].pattern);
}

static void test_generalize__numbers_in_hexadecimal_digits_are_numbers(void **state)
{
    static const struct {
        const char *text, *pattern;
    } cases[] = {
        {"CRC error in chunk IDAT (computed 1d2c3b4a, expected e5f6a78b)",
         "CRC error in chunk IDAT (computed *, expected *)"},
        {"bad sum a04bc1 of 0xbeef, not 0xB1", "bad sum * of *, not *"},
        {"digest 'c0ffee11' differs", "digest '*' differs"},
        /* Words. */
        {"a facade, add1 and bed12 of defaced", "a facade, add1 and bed12 of defaced"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_pattern(cases[k].text, PARE_KEEP_MESSAGE, "", cases[k].pattern);
}

static void test_generalize__a_piece_of_the_input_that_is_repeated_goes(void **state)
{
    static const struct {
        const char *text, *input, *pattern;
    } cases[] = {
        {"bad value <[true,1]>", "[0,[true,1]]", "bad value <*>"},
        {"bad value <{}>", "{}\n", "bad value <*>"},
        {"bad value {\"a\": [null]} here", "{\"a\": [null]}", "bad value * here"},
        {"cannot take x(a+1, b)", "f x(a+1, b)", "cannot take *(*)"},
        {"cannot use: a=1|b=2", "a=1|b=2|c", "cannot use: *"},
        {"bad value `[null,\"a b\"]'", "[null,\"a b\"]", "bad value `*'"},
        {"bad value <[true,[1,2], [3,4...", "[true,[1,2],\t[3,4,5]]", "bad value <*"},
        /* What the program says stays: types, names of rules, what is not there. */
        {"no match for (int, char)", "void f(int, char);", "no match for (int, char)"},
        {"twice the key (key-duplicates)", "# key-duplicates", "twice the key (key-duplicates)"},
        {"bad value <[true,1]>", "[true,2]", "bad value <[true,*]>"},
        /* So does what the input has it say. */
        {"error: size (k=v) is bad", "throw 'size (k=v) is bad'", "error: size (*=*) is bad"},
        {"error: size{k=v}", "throw 'size{k=v}'", "error: size{*=*}"},
        {"unexpected token <[x,y]>", "[x,y]", "unexpected token <[*,*]>"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_pattern(cases[k].text, PARE_KEEP_MESSAGE, cases[k].input, cases[k].pattern);
}

/* Crashes' messages are masked before. */
static void test_generalize__a_masked_piece_is_found_in_the_input(void **state)
{
    static const struct {
        const char *text, *input, *pattern;
    } cases[] = {
        {"bad value <[true,#]>", "[true,-1.5e7]", "bad value <*>"},
        {"bad value '[true,#]'", "[true,1]", "bad value '*'"},
        {"bad value [null, #, \"a\"]", "[null,  12, \"a\"]", "bad value *"},
        {"bad value <[true,#]>", "[true,x]", "bad value <[true,#]>"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char pattern[PARE_DIAGNOSTIC_BYTES];
        pare_generalize_crash(cases[k].text, cases[k].input, strlen(cases[k].input), pattern);
        assert_string_equal(pattern, cases[k].pattern);
    }
}

static void test_generalize__a_kind_is_the_type_the_code_or_the_option(void **state)
{
    static const struct {
        const char *text, *pattern;
    } cases[] = {
        {"TypeError: can't do that", "TypeError*"},
        {"java.io.IOException: gone", "java.io.IOException*"},
        {"error[E0308]: mismatched types", "error[E0308]*"},
        {"error TS2322: Type 'string'", "error TS2322*"},
        {"warning: unused variable 'n' [-Wunused-variable]", "warning: *[-Wunused-variable]"},
        {"error: expected ';' before 'x'", "error: expected '*' before '*'"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_pattern(cases[k].text, PARE_KEEP_KIND, "", cases[k].pattern);
}

static void test_generalize__exact_keeps_names_and_forgets_positions(void **state)
{
    (void)state;
    assert_pattern("error: 'rows' at line 12, 3 of them", PARE_KEEP_EXACT, "rows 12 3",
                   "error: 'rows' at line *, 3 of them");
}

/* A message may begin anywhere in what was printed; the byte before it is not looked at. */
static void test_generalize__nothing_before_the_message_counts(void **state)
{
    static const char printed[] = "a.file went";
    (void)state;
    assert_pattern(printed + 1, PARE_KEEP_MESSAGE, "file", ".file went");
}

/* Each empty quotation becomes one with a star in it. */
static void test_generalize__what_has_no_room_is_behind_a_star(void **state)
{
    char text[PARE_DIAGNOSTIC_BYTES], pattern[PARE_DIAGNOSTIC_BYTES];
    (void)state;
    memset(text, '"', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    pare_generalize(text, PARE_KEEP_KIND, "", 0, pattern);
    assert_int_equal(strlen(pattern), sizeof pattern - 1);
    assert_int_equal(pattern[sizeof pattern - 2], '*');
    assert_true(pare_signature_like(pattern, text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generalize__what_stands_in_the_input_goes_from_the_message),
        cmocka_unit_test(test_generalize__numbers_in_hexadecimal_digits_are_numbers),
        cmocka_unit_test(test_generalize__a_piece_of_the_input_that_is_repeated_goes),
        cmocka_unit_test(test_generalize__a_masked_piece_is_found_in_the_input),
        cmocka_unit_test(test_generalize__a_kind_is_the_type_the_code_or_the_option),
        cmocka_unit_test(test_generalize__exact_keeps_names_and_forgets_positions),
        cmocka_unit_test(test_generalize__nothing_before_the_message_counts),
        cmocka_unit_test(test_generalize__what_has_no_room_is_behind_a_star),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
