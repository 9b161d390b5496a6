/* Laying out: line ends, indentation and blanks of the original between the tokens of a result. */
/* tests: src/explain/readable.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <pare/explain.h>

#include "alloc_sweep.h"
#include "explain/readable.h"

static const char original[] = "int main(void)\n"
                               "{\n"
                               "    int unused = 3;\n"
                               "    if (alpha > beta) {\n"
                               "        crash(1, 2);\n"
                               "    }\n"
                               "}\n";

static pare_span span_of(const char *text)
{
    return (pare_span){(const unsigned char *)text, strlen(text)};
}

static void assert_laid_out(const char *before, const char *result, bool with_lines,
                            const char *wanted)
{
    pare_buffer out = {0};
    assert_int_equal(
        pare_readable_lay_out(span_of(before), span_of(result), with_lines, &out, NULL), PARE_OK);
    assert_string_equal(out.size ? out.data : "", wanted);
    pare_buffer_done(&out);
}

static void test_readable__puts_lines_indentation_and_blanks_back(void **state)
{
    (void)state;
    assert_laid_out(original, "main(){if(alpha>beta){crash(1,2);}}", true,
                    "main()\n{\n    if (alpha > beta) {\n        crash(1, 2);\n    }\n}");
}

static void test_readable__leaves_out_what_all_lines_share(void **state)
{
    (void)state;
    assert_laid_out(original, "if(alpha>beta){crash(1,2);}", true,
                    "if (alpha > beta) {\n    crash(1, 2);\n}");
}

static void test_readable__keeps_lines_as_they_are_without_line_ends(void **state)
{
    (void)state;
    assert_laid_out(original, "if(alpha>beta){crash(1,2);}", false,
                    "if (alpha > beta) { crash(1, 2); }");
}

static void test_readable__leaves_gaps_about_which_the_original_says_nothing(void **state)
{
    (void)state;
    assert_laid_out(original, "q  r\ns", true, "q  r\ns");
    assert_laid_out(original, "", true, "");
    assert_laid_out("", " x y ", true, " x y ");
}

static void test_readable__breaks_no_expression_where_tokens_are_gone(void **state)
{
    (void)state;
    static const char sum[] = "int x =\n    first +\n    f(second,\n      third) +\n    fourth;\n"
                              "g();\n";
    assert_laid_out(sum, "x=fourth;g();", true, "x = fourth;\ng();");
    assert_laid_out(sum, "f(third)", true, "f(third)");
    assert_laid_out(sum, "f(second,third)", true, "f(second,\n  third)");
    assert_laid_out("return (a &&\n    b);\n", "return b;", true, "return b;");
    assert_laid_out("x = a\n    .b()\n    .c();\n", "x=a.c()", true, "x = a.c()");
}

static void test_readable__ends_lines_between_statements(void **state)
{
    (void)state;
    assert_laid_out("a();\nb();\nc();\n", "a();c();", true, "a();\nc();");
    /* Without signs at their ends: by the lines of the original alone. */
    assert_laid_out("a()\nb()\nc()\n", "a() c()", true, "a()\nc()");
    assert_laid_out("{\n  a();\n  *p = 1;\n}\n", "{*p=1;}", true, "{\n  *p = 1;\n}");
}

/* A test in process. */
static pare_outcome has_crash(void *context, const void *bytes, size_t size)
{
    (void)context;
    return memmem(bytes, size, "crash(1", 7) ? PARE_FAIL : PARE_PASS;
}

static pare_outcome has_no_line_end(void *context, const void *bytes, size_t size)
{
    return memchr(bytes, '\n', size) ? PARE_PASS : has_crash(context, bytes, size);
}

static pare_outcome has_no_blank(void *context, const void *bytes, size_t size)
{
    return memchr(bytes, ' ', size) ? PARE_PASS : has_crash(context, bytes, size);
}

static void assert_readable(pare_predicate predicate, const char *wanted)
{
    static const char result[] = "if(alpha>beta){crash(1,2);}";
    const pare_reduce_options options = {.input.bytes = (const unsigned char *)result,
                                         .input.size_bytes = strlen(result),
                                         .input.name = "in.c",
                                         .test.predicate = predicate};
    pare_readable readable = {.original = original, .original_bytes = strlen(original)};
    pare_error err = {0};
    assert_int_equal(pare_explain_readable(&options, &readable, &err), PARE_OK);
    if (wanted)
        assert_string_equal(readable.bytes, wanted);
    else
        assert_null(readable.bytes);
    pare_readable_done(&readable);
}

static void test_readable__is_what_still_fails(void **state)
{
    (void)state;
    assert_readable(has_crash, "if (alpha > beta) {\n    crash(1, 2);\n}");
    assert_readable(has_no_line_end, "if (alpha > beta) { crash(1, 2); }");
    assert_readable(has_no_blank, NULL);
}

static pare_status lay_out(void *context)
{
    pare_buffer out = {0};
    (void)context;
    const pare_status status =
        pare_readable_lay_out(span_of(original), span_of("main(){crash(1,2);}"), true, &out, NULL);
    pare_buffer_done(&out);
    return status;
}

static void test_readable__survives_every_failed_allocation(void **state)
{
    (void)state;
    sweep_allocations(lay_out, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_readable__puts_lines_indentation_and_blanks_back),
        cmocka_unit_test(test_readable__leaves_out_what_all_lines_share),
        cmocka_unit_test(test_readable__keeps_lines_as_they_are_without_line_ends),
        cmocka_unit_test(test_readable__leaves_gaps_about_which_the_original_says_nothing),
        cmocka_unit_test(test_readable__breaks_no_expression_where_tokens_are_gone),
        cmocka_unit_test(test_readable__ends_lines_between_statements),
        cmocka_unit_test(test_readable__is_what_still_fails),
        cmocka_unit_test(test_readable__survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
