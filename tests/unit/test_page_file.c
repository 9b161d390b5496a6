/* The file of --report: looked at before the run, replaced as a whole after it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/page_file.h"
#include "unit/support/scratch.h"

static void test_page_file__what_cannot_be_written_is_told_before_the_run(void **state)
{
    (void)state;
    pare_error err = {0};
    assert_int_equal(mkdir("folder", 0755), 0);
    assert_int_equal(pare_page_file_check("folder", &err), PARE_E_IO);
    assert_non_null(strstr(err.message, "cannot write the report 'folder'"));
    assert_int_equal(pare_page_file_check("none/r.html", NULL), PARE_E_IO);
    assert_int_equal(pare_page_file_check("r.html", NULL), PARE_OK);
    assert_int_equal(access("r.html", F_OK), -1); /* nothing is created */
    assert_int_equal(mkfifo("pipe", 0644), 0);
    assert_int_equal(pare_page_file_check("pipe", NULL), PARE_OK); /* and not opened */
}

/* Writes the report of a reduction of "in.txt", 12 bytes, to `left`; gives the page. */
static void write_page(const char *path, const char *left, pare_buffer *page)
{
    pare_settings settings = {
        .report_path = path,
        .reduce = {.input.path = "in.txt", .test.command = "./t.sh", .output.path = "in.min.txt"}};
    const pare_result result = {.bytes = (unsigned char *)(uintptr_t)left,
                                .size_bytes = strlen(left),
                                .stats = {.bytes_in = 12, .bytes_out = strlen(left)}};
    const pare_page_task task = {
        .settings = &settings, .command = "pare reduce", .result = &result};
    assert_int_equal(pare_page_file_write(&task, NULL), PARE_OK);
    assert_int_equal(pare_file_read(path, page, NULL), PARE_OK);
}

static void test_page_file__shows_both_texts_and_replaces_an_earlier_page(void **state)
{
    (void)state;
    pare_buffer page = {0};
    scratch_write("in.txt", "keep <this>\n", 0644);
    scratch_write("page.html", "earlier", 0644);
    size_t before = count_entries(".");
    write_page("page.html", "<this>", &page);
    assert_int_equal(strncmp(page.data, "<!DOCTYPE html>", 15), 0);
    assert_non_null(strstr(page.data, "&lt;this&gt;"));
    assert_null(strstr(page.data, "<this>"));
    assert_non_null(strstr(page.data, "in.min.txt"));
    assert_null(strstr(page.data, "has changed since"));
    assert_int_equal(count_entries("."), before);
    pare_buffer_done(&page);
}

static void test_page_file__an_original_that_has_changed_is_not_shown(void **state)
{
    (void)state;
    pare_buffer page = {0};
    scratch_write("in.txt", "another text, longer\n", 0644);
    write_page("changed.html", "x", &page);
    assert_non_null(strstr(page.data, "has changed since"));
    assert_null(strstr(page.data, "another text"));
    pare_buffer_done(&page);
}

/* What it leads to is replaced. */
static void test_page_file__a_link_stays_a_link(void **state)
{
    (void)state;
    pare_buffer page = {0};
    struct stat about;
    scratch_write("in.txt", "keep <this>\n", 0644);
    scratch_write("real.html", "earlier", 0644);
    assert_int_equal(symlink("real.html", "link.html"), 0);
    write_page("link.html", "this", &page);
    assert_int_equal(lstat("link.html", &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(lstat("real.html", &about), 0);
    assert_int_equal(about.st_size, page.size);
    pare_buffer_done(&page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_page_file__what_cannot_be_written_is_told_before_the_run),
        cmocka_unit_test(test_page_file__shows_both_texts_and_replaces_an_earlier_page),
        cmocka_unit_test(test_page_file__an_original_that_has_changed_is_not_shown),
        cmocka_unit_test(test_page_file__a_link_stays_a_link),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
