/* Findings as text and as JSON: what is shown, and that nothing a target wrote steers a terminal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>
#include <cmocka.h>

#include "ui/finding_list.h"
#include "unit/support/scratch.h"
#include "unit/support/store_failure.h"

static const char HOSTILE[] = "\x1b[2J\x9b"
                              "31m\r\n\t<script>\"\\\xe2\x80\xae";

/* One finding in which every text is hostile. */
static pare_store *make_store(const char *path)
{
    pare_store *store = new_store(path);
    pare_failure failure = failure_of(HOSTILE, HOSTILE);
    failure.target = failure.source = failure.version = failure.signature = HOSTILE;
    failure.title = failure.output = HOSTILE;
    add_failure(store, &failure);
    const pare_finding_edit edit = {.note = HOSTILE, .url = HOSTILE};
    assert_int_equal(pare_store_edit(store, 1, &edit, NULL), PARE_OK);
    return store;
}

/* No control character but line ends, whatever the sheet was made of. */
static void assert_harmless(const pare_sheet *sheet)
{
    const char *text = pare_sheet_text(sheet);
    assert_int_equal(sheet->status, PARE_OK);
    for (const char *at = text; *at; at++)
        assert_true(*at == '\n' || (unsigned char)*at >= ' ');
    assert_null(strstr(text, "\xe2\x80\xae"));
    assert_null(strstr(text, "\xc2\x9b"));
}

static void test_finding_list__nothing_that_was_printed_steers_the_terminal(void **state)
{
    (void)state;
    pare_store *store = make_store("hostile.db");
    pare_finding finding;
    pare_sheet sheet = {0};
    assert_int_equal(pare_store_finding(store, 1, &finding, NULL), PARE_OK);
    pare_finding_list_head(&sheet);
    pare_finding_list_row(&sheet, &finding);
    assert_harmless(&sheet);
    unsigned n_lines = 0;
    for (const char *at = pare_sheet_text(&sheet); *at; at++)
        n_lines += *at == '\n';
    assert_int_equal(n_lines, 2);
    assert_int_equal(pare_finding_list_show(&sheet, store, &finding, NULL), PARE_OK);
    assert_harmless(&sheet);
    assert_non_null(strstr(pare_sheet_text(&sheet), "\\x1b[2J"));
    pare_sheet_done(&sheet);
    pare_finding_done(&finding);
    pare_store_close(store);
}

static void test_finding_list__json_is_read_back_as_it_was(void **state)
{
    (void)state;
    pare_store *store = make_store("json.db");
    pare_finding finding;
    pare_buffer text = {0};
    assert_int_equal(pare_store_finding(store, 1, &finding, NULL), PARE_OK);
    assert_int_equal(pare_finding_list_json(&finding, PARE_FINDING_WHOLE, &text, NULL), PARE_OK);
    assert_null(memchr(text.data, '\n', text.size));
    json_t *object = json_loadb(text.data, text.size, 0, NULL);
    assert_non_null(object);
    assert_string_equal(json_string_value(json_object_get(object, "output")), finding.output);
    assert_string_equal(json_string_value(json_object_get(object, "state")), "new");
    assert_true(json_is_null(json_object_get(object, "reduced_bytes")));
    assert_int_equal(json_integer_value(json_object_get(object, "count")), 1);
    json_decref(object);
    pare_buffer_reset(&text);
    assert_int_equal(pare_finding_list_json(&finding, PARE_FINDING_ROW, &text, NULL), PARE_OK);
    object = json_loadb(text.data, text.size, 0, NULL);
    assert_non_null(json_object_get(object, "signature"));
    assert_null(json_object_get(object, "output"));
    json_decref(object);
    pare_buffer_done(&text);
    pare_finding_done(&finding);
    pare_store_close(store);
}

static void test_finding_list__long_output_is_cut(void **state)
{
    (void)state;
    pare_store *store = new_store("long.db");
    char text[4001];
    memset(text, '\n', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    pare_failure failure = failure_of("x", text);
    add_failure(store, &failure);
    pare_finding finding;
    pare_sheet sheet = {0};
    assert_int_equal(pare_store_finding(store, 1, &finding, NULL), PARE_OK);
    assert_int_equal(pare_finding_list_show(&sheet, store, &finding, NULL), PARE_OK);
    assert_true(sheet.bytes.size < 2000);
    assert_non_null(strstr(pare_sheet_text(&sheet), "    ...\n"));
    pare_sheet_done(&sheet);
    pare_finding_done(&finding);
    pare_store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finding_list__nothing_that_was_printed_steers_the_terminal),
        cmocka_unit_test(test_finding_list__json_is_read_back_as_it_was),
        cmocka_unit_test(test_finding_list__long_output_is_cut),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
