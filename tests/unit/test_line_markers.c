/* Line markers of preprocessed texts: which bytes came from which file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "alloc_sweep.h"
#include "text/line_markers.h"

/* What g++ -E writes, shortened; each line of a file is one letter: o(wn), h(eader), s(ystem). */
static const char preprocessed[] = "# 0 \"a.cc\"\n"
                                   "# 0 \"<built-in>\"\n"
                                   "s\n"
                                   "# 0 \"<command-line>\"\n"
                                   "# 1 \"/usr/include/stdc-predef.h\" 1 3 4\n"
                                   "s\n"
                                   "# 0 \"<command-line>\" 2\n"
                                   "# 1 \"a.cc\"\n"
                                   "o\n"
                                   "# 1 \"b \\\"x\\\".h\" 1\n"
                                   "h\n"
                                   "  # 7\n"
                                   "h\n"
                                   "# 1 \"/usr/include/c++/12/vector\" 1 3\n"
                                   "       \n"
                                   "s\n"
                                   "# 3 \"b \\\"x\\\".h\" 2\n"
                                   "h\n"
                                   "#line 4 \"a.cc\"\n"
                                   "o\n";

static void read_all(const char *text, pare_line_markers *markers)
{
    assert_int_equal(pare_line_markers_read(text, strlen(text), markers, NULL), PARE_OK);
}

static void test_line_markers__tell_the_own_file_from_headers_and_the_system(void **state)
{
    (void)state;
    static const char letters[] = {'o', 'h', 's'};
    pare_line_markers markers = {.n = 0};
    size_t n_lines = 0;
    read_all(preprocessed, &markers);
    assert_int_equal(markers.n, 11);
    for (const char *at = preprocessed; *at; at = strchr(at, '\n') + 1) {
        if (!strchr("ohs", *at)) continue;
        size_t byte = (size_t)(at - preprocessed);
        assert_int_equal(letters[pare_line_markers_origin(&markers, byte)], *at);
        assert_true(pare_line_markers_is_plain(&markers, byte, byte + 2));
        n_lines++;
    }
    assert_int_equal(n_lines, 8);
    pare_line_markers_done(&markers);
}

static void test_line_markers__tell_names_and_lines(void **state)
{
    (void)state;
    static const char text[] = "x\n# 12 \"d/e.h\" 1\ny\n# 40\nz";
    pare_line_markers markers = {.n = 0};
    read_all(text, &markers);
    assert_null(pare_line_markers_at(&markers, 0));
    const pare_line_stretch *y = pare_line_markers_at(&markers, (size_t)(strchr(text, 'y') - text));
    assert_non_null(y);
    assert_int_equal(y->begin, 2);
    assert_int_equal(y->line, 12);
    assert_ptr_equal(text + y->content, strchr(text, 'y'));
    assert_int_equal(y->file_size, strlen("d/e.h"));
    assert_memory_equal(text + y->file, "d/e.h", y->file_size);
    const pare_line_stretch *z = pare_line_markers_at(&markers, strlen(text));
    assert_ptr_equal(z, y + 1);
    assert_int_equal(z->line, 40);
    assert_int_equal(z->file, y->file);
    assert_int_equal(z->origin, PARE_ORIGIN_HEADER);
    assert_int_equal(pare_line_markers_origin(&markers, 0), PARE_ORIGIN_OWN);
    assert_false(pare_line_markers_is_plain(&markers, 0, strlen(text)));
    assert_false(pare_line_markers_is_plain(&markers, y->begin, y->content));
    pare_line_markers_done(&markers);
}

static void test_line_markers__other_lines_are_none(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",          "x # 1 \"a\"", "#define A 1",   "#if 1",         "# \"a\"",      "#line",
        "# 1 \"a",   "# 1 \"a\" b", "# 1 a",         "#pragma once",  "# 1.5",        "#1\"a\"x",
        "# 1 \"a\\", "#",           "#linear 1 \"a", "# 1 \"a\" 1 x", "// # 1 \"a\"", "\n\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        pare_line_markers markers = {.n = 0};
        read_all(texts[i], &markers);
        if (markers.n) fail_msg("a marker in: %s", texts[i]);
        assert_int_equal(pare_line_markers_origin(&markers, 0), PARE_ORIGIN_OWN);
        assert_true(pare_line_markers_is_plain(&markers, 0, strlen(texts[i])));
        pare_line_markers_done(&markers);
    }
}

/* A header that is left without the file that included it. */
static void test_line_markers__a_header_that_begins_is_not_the_own_file(void **state)
{
    (void)state;
    static const char text[] = "# 1 \"a.h\" 1\nx\n# 5 \"b.c\" 2\ny\r\n# 99999999999 \"a.h\" 1\r\n";
    pare_line_markers markers = {.n = 0};
    read_all(text, &markers);
    assert_int_equal(markers.n, 3);
    assert_int_equal(markers.stretches[0].origin, PARE_ORIGIN_HEADER);
    assert_int_equal(markers.stretches[1].origin, PARE_ORIGIN_OWN);
    assert_int_equal(markers.stretches[2].origin, PARE_ORIGIN_HEADER);
    assert_int_equal(markers.stretches[2].line, 1 << 30);
    pare_line_markers_done(&markers);
}

static pare_status read_once(void *context)
{
    pare_line_markers markers = {.n = 77};
    (void)context;
    pare_status status =
        pare_line_markers_read(preprocessed, sizeof preprocessed - 1, &markers, NULL);
    if (status)
        assert_int_equal(markers.n, 77);
    else
        pare_line_markers_done(&markers);
    return status;
}

static void test_line_markers__reading_survives_every_failed_allocation(void **state)
{
    (void)state;
    sweep_allocations(read_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line_markers__tell_the_own_file_from_headers_and_the_system),
        cmocka_unit_test(test_line_markers__tell_names_and_lines),
        cmocka_unit_test(test_line_markers__other_lines_are_none),
        cmocka_unit_test(test_line_markers__a_header_that_begins_is_not_the_own_file),
        cmocka_unit_test(test_line_markers__reading_survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
