/* The report: outside text stays text, the page is bounded and the same every time. */
/* tests: src/ui/html.c src/ui/plot.c src/ui/frame.c src/ui/page_texts.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pare/page.h>

#include "alloc_sweep.h"
#include "ui/html.h"
#include "ui/page.h"
#include "ui/page_explained.h"

static void assert_escaped(const char *bytes, size_t size, const char *markup)
{
    pare_html html = {0};
    pare_html_bytes(&html, bytes, size);
    assert_int_equal(html.status, PARE_OK);
    assert_string_equal(html.bytes.data ? html.bytes.data : "", markup);
    pare_html_done(&html);
}

static void test_html__outside_text_is_text_and_can_be_seen(void **state)
{
    (void)state;
#define CASE(bytes, markup) assert_escaped(bytes, sizeof bytes - 1, markup)
    CASE("", "");
    CASE("a b\tc", "a b\tc");
    CASE("</script><b a='\"'>&amp;", "&lt;/script&gt;&lt;b a=&#39;&quot;&#39;&gt;&amp;amp;");
    CASE("a\0b", "a<i class=\"x\">\\x00</i>b");
    CASE("\x1b[1m\r\n", "<i class=\"x\">\\x1b</i>[1m<i class=\"x\">\\x0d\\n</i>");
    CASE("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    CASE("\xff\xfe!", "<i class=\"x\">\\xff\\xfe</i>!");
    CASE("\xc3", "<i class=\"x\">\\xc3</i>");
    CASE("\xc0\xaf", "<i class=\"x\">\\xc0\\xaf</i>");                   /* overlong */
    CASE("\xed\xa0\x80", "<i class=\"x\">\\xed\\xa0\\x80</i>");          /* surrogate */
    CASE("\xf4\x90\x80\x80", "<i class=\"x\">\\xf4\\x90\\x80\\x80</i>"); /* too large */
    CASE("x\xe2\x80\xae"
         "y",
         "x<i class=\"x\">\\u{202e}</i>y");                                    /* bidi */
    CASE("\xe2\x81\xa6\xe2\x80\x8b", "<i class=\"x\">\\u{2066}\\u{200b}</i>"); /* isolate, ZWSP */
    CASE("\xef\xbf\xbe", "<i class=\"x\">\\u{fffe}</i>");                      /* no character */
#undef CASE
}

static const char *pane_of(pare_html *html, const char *text, size_t size, const pare_mark *marks,
                           size_t n, size_t limit)
{
    pare_pane pane = {.bytes = (const unsigned char *)text,
                      .size = size,
                      .marks = marks,
                      .n_marks = n,
                      .element = "mark",
                      .label = "L",
                      .limit = limit};
    pare_html_add_pane(html, &pane);
    assert_int_equal(html->status, PARE_OK);
    return html->bytes.data;
}

static void test_pane__shows_marks_with_their_neighbours_and_folds_the_rest(void **state)
{
    (void)state;
    static const char text[] = "l1\nl2\nl3\nl4\nl5\nl6\nl7\nl8\nl9\nl10\nl11\n";
    const pare_mark marks[] = {{18, 23}}; /* from l7 on, into l8 */
    pare_html html = {0};
    assert_string_equal(pane_of(&html, text, sizeof text - 1, marks, 1, 10000),
                        "<div class=\"code\" role=\"region\" tabindex=\"0\" aria-label=\"L\">\n"
                        "<div class=\"fold\">4 lines left out, 12 bytes</div>"
                        "<div class=\"l\" data-n=\"5\">l5</div>\n"
                        "<div class=\"l\" data-n=\"6\">l6</div>\n"
                        "<div class=\"l\" data-n=\"7\"><mark>l7</mark></div>\n"
                        "<div class=\"l\" data-n=\"8\"><mark>l8</mark></div>\n"
                        "<div class=\"l\" data-n=\"9\">l9</div>\n"
                        "<div class=\"l\" data-n=\"10\">l10</div>\n"
                        "<div class=\"l\" data-n=\"11\">l11</div>\n"
                        "</div>\n");
    pare_html_done(&html);
}

static void test_pane__folds_the_inside_of_long_lines(void **state)
{
    (void)state;
    enum { SIZE = 100000 };
    char *text = test_malloc(SIZE);
    memset(text, 'x', SIZE);
    memcpy(text + 50000, "NEEDLE", 6);
    const pare_mark marks[] = {{50000, 50006}};
    pare_html html = {0};
    const char *shown = pane_of(&html, text, SIZE, marks, 1, 10000);
    assert_non_null(strstr(shown, "49,940 bytes left out"));
    assert_non_null(strstr(shown, "x<mark>NEEDLE</mark>x"));
    assert_non_null(strstr(shown, "49,934 bytes left out"));
    assert_true(html.bytes.size < 1000);
    pare_html_done(&html);
    test_free(text);
}

static void test_pane__keeps_its_limit_whatever_is_in_it(void **state)
{
    (void)state;
    enum { SIZE = 300000, LIMIT = 50000 };
    char *text = test_malloc(SIZE);
    for (int kind = 0; kind < 3; kind++) {
        for (size_t i = 0; i < SIZE; i++)
            text[i] = kind == 0 ? '\n' : kind == 1 ? '\xff' : i % 2 ? '<' : '\x01';
        const pare_mark marks[] = {{0, SIZE}};
        pare_html html = {0};
        (void)pane_of(&html, text, SIZE, marks, 1, LIMIT);
        assert_true(html.bytes.size < LIMIT + 8192);
        assert_non_null(strstr(html.bytes.data, "left out"));
        pare_html_done(&html);
    }
    test_free(text);
}

/* ---- the page -------------------------------------------------------------------- */

static pare_status write_page(pare_buffer *out)
{
    static const char original[] = "int a;\n</script>\nint b;\n", left[] = "int b;\n";
    static pare_pass_stats passes[] = {{.name = "ddmin/line", .tests = 7, .bytes_removed = 17},
                                       {.name = "idle", .tests = 3}};
    static pare_curve_point curve[] = {{1, 0.1, 24}, {3, 0.2, 7}};
    static char signature[] = "signal SIGSEGV <in> main", path[] = "also/1";
    static pare_other_failure others[] = {{signature, path, 12, 3}};
    pare_page_file file = {.name = "x.c",
                           .original = original,
                           .original_bytes = sizeof original - 1,
                           .result = left,
                           .result_bytes = sizeof left - 1};
    pare_page page = {
        .name = "<x>.c",
        .command = "pare reduce ./t.sh '<x>.c'",
        .check = "./t.sh '<x>.min.c'",
        .directory = "/tmp",
        .output_path = "<x>.min.c",
        .texts = {
            .original_label = "Original", .result_label = "Result", .files = &file, .n_files = 1}};
    pare_result result = {.signature = signature, .others = others, .n_others = 1};
    result.stats = (pare_stats){.bytes_in = 24,
                                .bytes_out = 7,
                                .tests_run = 7,
                                .wall_s = 0.5,
                                .passes = passes,
                                .n_passes = 2,
                                .curve = curve,
                                .n_curve = 2,
                                .flaky = {.flaky = true,
                                          .input = {50, 100, 0.4, 0.6},
                                          .result = {60, 100, 0.5, 0.7},
                                          .runs = 900}};
    pare_status status = pare_survivors_find(original, sizeof original - 1, left, sizeof left - 1,
                                             &file.survivors, NULL);
    if (!status) status = pare_page_write(&page, &result, out, NULL);
    pare_survivors_done(&file.survivors);
    return status;
}

static void test_page__tells_everything_and_is_the_same_every_time(void **state)
{
    (void)state;
    static const char *const wanted[] = {
        "<title>&lt;x&gt;.c: 24 bytes to 7 bytes</title>",
        "<b>7 bytes</b>",
        "29.2 %",
        "signal SIGSEGV &lt;in&gt; main",
        "50 of 100 runs failed: 40 to 60 %",
        "ddmin/<wbr/>line",
        "<mark>int b;</mark>",
        "&lt;/script&gt;",
        "./t.sh &#39;&lt;x&gt;.min.c&#39;",
        "pare reduce ./t.sh",
        "also/1",
        "default-src 'none'; script-src 'sha512-",
        "style-src 'sha512-",
        "1 strategy found nothing, in 3 tests",
    };
    pare_buffer first = {0}, second = {0};
    assert_int_equal(write_page(&first), PARE_OK);
    assert_int_equal(write_page(&second), PARE_OK);
    assert_string_equal(first.data, second.data);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!strstr(first.data, wanted[i])) fail_msg("missing: %s", wanted[i]);
    const char *script = strstr(first.data, "<script");
    assert_non_null(script);
    assert_null(strstr(script + 1, "<script"));
    assert_null(strstr(first.data, " style=")); /* the policy forbids them */
    assert_null(strstr(first.data, "http:"));
    assert_null(strstr(first.data, "https:"));
    pare_buffer_done(&second);
    pare_buffer_done(&first);
}

/* ---- explained ------------------------------------------------------------------- */

/* "f(<b>, 7);" with a name, a number, and a call that is needed as a whole around them. */
static pare_status write_explained(pare_buffer *out)
{
    static unsigned char text[] = "f(<b>, 7);";
    static pare_explained_part parts[] = {
        {.from = 0,
         .to = 9,
         .n_places = 1,
         .kind = "call",
         .sampled_as = "node",
         .is_node = true,
         .verdict = PARE_PART_NEEDED,
         .samples = 2},
        {.from = 0,
         .to = 1,
         .n_places = 1,
         .kind = "name",
         .sampled_as = "name",
         .verdict = PARE_PART_NEEDED,
         .samples = 1,
         .near = "<q>",
         .near_bytes = 3,
         .near_from = 0,
         .near_to = 1},
        {.from = 2,
         .to = 5,
         .n_places = 1,
         .kind = "<kind>",
         .sampled_as = "string",
         .verdict = PARE_PART_ANY,
         .samples = 59,
         .fails = 59,
         .group = 1},
        {.from = 7,
         .to = 8,
         .n_places = 1,
         .kind = "whole number",
         .sampled_as = "whole",
         .verdict = PARE_PART_RANGE,
         .samples = 9,
         .fails = 5,
         .has_low = true,
         .low = 5,
         .group = 1},
    };
    static pare_explained_place places[] = {{0, 9, 0}, {0, 1, 1}, {2, 5, 2}, {7, 8, 3}};
    const pare_explanation explanation = {.result = {.bytes = text, .size_bytes = sizeof text - 1},
                                          .parts = parts,
                                          .n_parts = 4,
                                          .places = places,
                                          .n_places = 4,
                                          .is_together = true,
                                          .is_together_known = true,
                                          .n_groups = 1,
                                          .joint_samples = 20,
                                          .joint_fails = 20};
    pare_page_file file = {.result = text, .result_bytes = sizeof text - 1};
    const pare_page page = {.name = "x",
                            .is_explained_only = true,
                            .texts = {.original_label = "Original",
                                      .result_label = "Result",
                                      .files = &file,
                                      .n_files = 1,
                                      .explanation = &explanation}};
    const pare_result result = {.bytes = text, .size_bytes = sizeof text - 1};
    return pare_page_write(&page, &result, out, NULL);
}

static void test_page__explanation_is_marks_a_form_and_rows(void **state)
{
    (void)state;
    static const char *const wanted[] = {
        /* the text: each byte has the innermost part that says something */
        "<a class=\"p needed\" href=\"#part-1\" title=\"needed as it is\">f</a>(<a class=\"p any\" "
        "href=\"#part-2\" title=\"any &lt;kind&gt;\">&lt;b&gt;</a>, <a class=\"p range\" "
        "href=\"#part-3\" title=\"a number: 5 or more\">7</a>);",
        "Of 3 parts 1 is needed as it is, and 2 may vary.",
        "20 of 20 made in that way fail",
        "f(<a class=\"slot\" href=\"#part-2\">any &lt;kind&gt;</a>, <a class=\"slot\" "
        "href=\"#part-3\">a number: 5 or more</a>);</pre>",
        "<code><b>&lt;q&gt;</b></code>",
        "59 of 59 tried fail: 95 % or more of all",
        "<tr id=\"part-1\">",
    };
    pare_buffer page = {0};
    assert_int_equal(write_explained(&page), PARE_OK);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!strstr(page.data, wanted[i])) fail_msg("missing: %s", wanted[i]);
    assert_null(strstr(page.data, "id=\"size\""));
    pare_buffer_done(&page);
}

static pare_status sweep_explained(void *context)
{
    (void)context;
    pare_buffer out = {0};
    pare_status status = write_explained(&out);
    pare_buffer_done(&out);
    return status;
}

/* A page about two sides, into `context`, a buffer. */
static pare_status write_sides(void *context)
{
    static const char passing[] = "a\n\xc3\xa9\nb = 1;\nend\n",
                      failing[] = "a\n\xc3\xa9!\nb = 22;\nend\n";
    /* "a\n\u00e9", then "!" is new; "\nb = ", then 22 for 1; ";\nend\n". */
    pare_survivor runs[] = {{.original_at = 0, .result_at = 0, .size = 4},
                            {.original_at = 4, .result_at = 5, .size = 5},
                            {.original_at = 10, .result_at = 12, .size = 6}};
    const pare_page_file file = {.original = passing,
                                 .original_bytes = sizeof passing - 1,
                                 .result = failing,
                                 .result_bytes = sizeof failing - 1,
                                 .survivors = {.runs = runs, .n_runs = 3, .n_bytes = 15}};
    const pare_page page = {.name = "in",
                            .proof = "",
                            .texts = {.original_label = "Passing side",
                                      .result_label = "Failing side",
                                      .files = &file,
                                      .n_files = 1,
                                      .is_isolated = true},
                            .n_differences = 2,
                            .n_differences_in = 9};
    const pare_result result = {0};
    pare_buffer *out = context;
    pare_buffer_done(out);
    return pare_page_write(&page, &result, out, NULL);
}

static pare_status write_sides_and_drop_them(void *context)
{
    const pare_status status = write_sides(context);
    pare_buffer_done(context);
    return status;
}

static void test_page__of_two_sides_begins_with_what_tells_them_apart(void **state)
{
    (void)state;
    pare_buffer out = {0};
    assert_int_equal(write_sides(&out), PARE_OK);
    assert_non_null(strstr(out.data, "<title>in: 2 of 9 differences</title>"));
    assert_non_null(strstr(out.data, "b = <span class=\"differs\">1</span>;"));
    /* Both can be copied. */
    const char *copied = strstr(out.data, "<div class=\"code copy\"");
    assert_true(copied && strstr(copied + 1, "<div class=\"code copy\""));
    assert_non_null(strstr(out.data, "b = <span class=\"differs\">22</span>;"));
    assert_non_null(strstr(out.data, "\xc3\xa9<span class=\"differs\">!</span>"));
    /* The side that has nothing there shows the whole character before the place. */
    assert_non_null(strstr(out.data, "<span>\xc3\xa9</span>"));
    assert_null(strstr(out.data, "Side by side"));
    pare_buffer_done(&out);
    sweep_allocations(write_sides_and_drop_them, &out);
}

/* Of one part that was not tried there is no sentence, whose success could hide what failed before. */
static pare_status sweep_untried(void *context)
{
    static unsigned char text[] = "f";
    static pare_explained_part part = {
        .to = 1, .kind = "word", .sampled_as = "name", .verdict = PARE_PART_UNTRIED, .n_places = 1};
    static pare_explained_place place = {0, 1, 0};
    const pare_explanation explanation = {.result = {.bytes = text, .size_bytes = 1},
                                          .parts = &part,
                                          .n_parts = 1,
                                          .places = &place,
                                          .n_places = 1};
    pare_html html = {0};
    (void)context;
    pare_page_explained_add_section(&html, &explanation);
    pare_status status = html.status;
    pare_html_done(&html);
    return status;
}

static void test_page__explanation_reports_oom(void **state)
{
    (void)state;
    sweep_allocations(sweep_explained, NULL);
    sweep_allocations(sweep_untried, NULL);
}

static void test_pane__bytes_that_are_no_text_are_rows_of_digits(void **state)
{
    (void)state;
    unsigned char bytes[20] = {0, 1, 2, '<', 0xff};
    const pare_mark mark = {3, 5};
    pare_html html = {0};
    pare_pane pane = {.bytes = bytes,
                      .size = sizeof bytes,
                      .marks = &mark,
                      .n_marks = 1,
                      .element = "mark",
                      .label = "L",
                      .form = pare_html_form(bytes, sizeof bytes),
                      .limit = 10000};
    assert_int_equal(pane.form, PARE_PANE_HEX);
    assert_int_equal(pare_html_form("text\twith\r\nlines\xc3\xa9", 19), PARE_PANE_TEXT);
    pare_html_add_pane(&html, &pane);
    assert_int_equal(html.status, PARE_OK);
    assert_non_null(
        strstr(html.bytes.data,
               "data-n=\"0\">00 01 02 <mark>3c ff </mark>00 00 00 00 00 00 00 00 00 00 00  "
               "<i class=\"a\">...&lt;............</i></div>"));
    assert_non_null(strstr(html.bytes.data, "data-n=\"10\">00 00 00 00 "));
    pare_html_done(&html);
}

static pare_status sweep_page(void *context)
{
    (void)context;
    pare_buffer out = {0};
    pare_status status = write_page(&out);
    pare_buffer_done(&out);
    return status;
}

static void test_page__reports_oom(void **state)
{
    (void)state;
    sweep_allocations(sweep_page, NULL);
}

static void test_page__of_nothing_is_a_page(void **state)
{
    (void)state;
    pare_buffer out = {0};
    pare_page page = {.name = "",
                      .texts = {.original_label = "Original", .result_label = "Result"}};
    pare_result result = {.size_bytes = 0};
    assert_int_equal(pare_page_write(&page, &result, &out, NULL), PARE_OK);
    assert_null(strstr(out.data, "nan"));
    assert_null(strstr(out.data, "inf;"));
    assert_non_null(strstr(out.data, "</html>"));
    pare_buffer_done(&out);
}

/* As a user of the library has it made. */
static pare_status make_page(void *context)
{
    (void)context;
    unsigned char text[] = "b";
    pare_result result = {.bytes = text, .size_bytes = 1};
    const pare_page_options options = {.name = "<a>", .original = "a b c", .original_bytes = 5};
    pare_page_made made = {0};
    pare_status status = pare_page_make(&options, &result, &made, NULL);
    if (!status) {
        assert_int_equal(made.size_bytes, strlen(made.html));
        assert_non_null(strstr(made.html, "&lt;a&gt;"));
        assert_null(strstr(made.html, "<a>"));
        assert_non_null(strstr(made.html, ">b</mark>"));
    }
    pare_page_made_done(&made);
    pare_page_made_done(&made);
    return status;
}

static void test_page__is_made_for_users_of_the_library(void **state)
{
    (void)state;
    assert_int_equal(make_page(NULL), PARE_OK);
    sweep_allocations(make_page, NULL);
    pare_result files = {.size_bytes = 7}; /* several have no bytes of their own */
    pare_page_made made = {0};
    pare_page_options options = {.name = "a"};
    pare_error err = {0};
    assert_int_equal(pare_page_make(&options, &files, &made, &err), PARE_E_UNSUPPORTED);
    assert_non_null(strstr(err.message, "pare reduce --report"));
    options.struct_bytes = 3;
    assert_int_equal(pare_page_make(&options, &files, &made, NULL), PARE_E_ARG);
    assert_null(made.html);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_html__outside_text_is_text_and_can_be_seen),
        cmocka_unit_test(test_pane__shows_marks_with_their_neighbours_and_folds_the_rest),
        cmocka_unit_test(test_pane__folds_the_inside_of_long_lines),
        cmocka_unit_test(test_pane__keeps_its_limit_whatever_is_in_it),
        cmocka_unit_test(test_page__tells_everything_and_is_the_same_every_time),
        cmocka_unit_test(test_page__reports_oom),
        cmocka_unit_test(test_page__explanation_is_marks_a_form_and_rows),
        cmocka_unit_test(test_page__of_two_sides_begins_with_what_tells_them_apart),
        cmocka_unit_test(test_page__explanation_reports_oom),
        cmocka_unit_test(test_pane__bytes_that_are_no_text_are_rows_of_digits),
        cmocka_unit_test(test_page__of_nothing_is_a_page),
        cmocka_unit_test(test_page__is_made_for_users_of_the_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
