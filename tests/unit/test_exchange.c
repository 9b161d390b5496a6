/* Export and import: what comes out goes in again, nothing counts twice, and a hostile folder is
 * refused as a whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "unit/support/scratch.h"
#include "unit/support/store_failure.h"

/* A store with two findings, of which one is reduced, and a third that is merged into it. */
static pare_store *make_store(const char *path)
{
    pare_store *store = new_store(path);
    int64_t config = 0, into = 0;
    assert_int_equal(pare_store_put_config(store, "[campaign]\nname = x\n", &config, NULL),
                     PARE_OK);
    add_simple(store, "a", "aaaa");
    add_simple(store, "a", "aaa");
    add_simple(store, "b", "b\xc3\xa9");
    add_simple(store, "c \xff \"quoted\"\n", "cccc");
    assert_int_equal(pare_finding_set_reduced(store, 1, "a", 1, &into, NULL), PARE_OK);
    assert_int_equal(pare_store_merge(store, 3, 1, NULL), PARE_OK);
    const pare_finding_edit edit = {.note = "seen on Tuesday"};
    assert_int_equal(pare_store_edit(store, 2, &edit, NULL), PARE_OK);
    return store;
}

static void assert_imported(pare_store *store, const char *folder, uint64_t n_new, uint64_t n_known)
{
    uint64_t got_new = 0, got_known = 0;
    pare_error err = {0};
    pare_status status = pare_store_import(store, folder, &got_new, &got_known, &err);
    if (status) fail_msg("%s", err.message);
    assert_int_equal(got_new, n_new);
    assert_int_equal(got_known, n_known);
}

static void test_exchange__what_is_exported_is_imported_as_it_was(void **state)
{
    (void)state;
    pare_store *store = make_store("from.db"), *other = new_store("to.db");
    assert_int_equal(pare_store_export(store, NULL, 0, "out", NULL), PARE_OK);
    assert_imported(other, "out", 3, 0);
    for (int64_t id = 1; id <= 3; id++) {
        pare_finding a, b;
        assert_int_equal(pare_store_finding(store, id, &a, NULL), PARE_OK);
        assert_int_equal(pare_store_finding(other, id, &b, NULL), PARE_OK);
        assert_string_equal(a.identity, b.identity);
        assert_string_equal(a.output, b.output);
        assert_string_equal(a.note, b.note);
        assert_string_equal(a.input, b.input);
        assert_string_equal(a.reduced, b.reduced);
        assert_int_equal(a.state, b.state);
        assert_int_equal(a.count, b.count);
        assert_int_equal(a.merged_into, b.merged_into);
        assert_int_equal(a.first_seen, b.first_seen);
        assert_int_equal(a.input_bytes, b.input_bytes);
        pare_finding_done(&a);
        pare_finding_done(&b);
    }
    assert_int_equal(number_of(other, "SELECT count(*) FROM member"), 4);
    assert_int_equal(number_of(other, "SELECT count(*) FROM config"), 1);
    pare_store_close(store);
    pare_store_close(other);
}

static void test_exchange__importing_again_counts_only_what_is_new(void **state)
{
    (void)state;
    pare_store *store = make_store("twice.db"), *other = new_store("target.db");
    add_simple(other, "b", "something else");
    assert_int_equal(pare_store_export(store, NULL, 0, "twice", NULL), PARE_OK);
    assert_imported(store, "twice", 0, 3);
    assert_int_equal(number_of(store, "SELECT total(own_count) FROM finding"), 4);
    assert_imported(other, "twice", 2, 1);
    assert_imported(other, "twice", 0, 3);
    assert_int_equal(number_of(other, "SELECT total(own_count) FROM finding"), 5);
    add_simple(store, "b", "b3");
    assert_int_equal(pare_store_export(store, NULL, 0, "twice", NULL), PARE_OK);
    assert_imported(other, "twice", 0, 3);
    assert_int_equal(number_of(other, "SELECT total(own_count) FROM finding"), 6);
    assert_int_equal(number_of(other, "SELECT count FROM finding WHERE identity = 'b'"), 3);
    pare_store_close(store);
    pare_store_close(other);
}

static void test_exchange__chosen_findings_come_with_what_is_merged_into_them(void **state)
{
    (void)state;
    pare_store *store = make_store("chosen.db"), *other = new_store("few.db");
    const int64_t ids[] = {1}, missing[] = {77};
    assert_int_equal(pare_store_export(store, ids, 1, "few", NULL), PARE_OK);
    assert_imported(other, "few", 2, 0);
    assert_int_equal(number_of(other, "SELECT count FROM finding WHERE id = 1"), 3);
    assert_int_equal(pare_store_export(store, missing, 1, "few", NULL), PARE_E_STATE);
    pare_store_close(store);
    pare_store_close(other);
}

static void test_exchange__an_export_keeps_no_writer_waiting(void **state)
{
    (void)state;
    pare_store *store = make_store("busy.db"), *other = open_store("busy.db");
    assert_int_equal(pare_store_begin(other, NULL), PARE_OK);
    add_simple(other, "not yet", "zz");
    assert_int_equal(pare_store_export(store, NULL, 0, "busy", NULL), PARE_OK);
    assert_int_equal(pare_store_end(other, PARE_OK, NULL), PARE_OK);
    assert_imported(other, "busy", 0, 3);
    pare_store_close(store);
    pare_store_close(other);
}

/* Replaces the first `from` in findings.jsonl of the folder "bad" by `to`. */
static void spoil(const char *from, const char *to)
{
    pare_buffer text = {0}, spoilt = {0};
    assert_int_equal(pare_file_read("bad/findings.jsonl", &text, NULL), PARE_OK);
    char *at = strstr(text.data, from);
    assert_non_null(at);
    assert_int_equal(pare_buffer_add(&spoilt, text.data, (size_t)(at - text.data), NULL), PARE_OK);
    assert_int_equal(pare_buffer_text(&spoilt, to, NULL), PARE_OK);
    assert_int_equal(pare_buffer_text(&spoilt, at + strlen(from), NULL), PARE_OK);
    assert_int_equal(pare_file_write_bytes("bad/findings.jsonl", spoilt.data, spoilt.size, NULL),
                     PARE_OK);
    pare_buffer_done(&text);
    pare_buffer_done(&spoilt);
}

static void test_exchange__a_hostile_folder_is_refused_as_a_whole(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *sentence;
    } cases[] = {
        {"{\"format\"", "{\"format\" 1", "findings.jsonl:1: "},
        {"pare-finding", "else", "findings.jsonl:1: 'pare-finding'"},
        {"\"schema\":1", "\"schema\":2", "of schema 1"},
        {"\"input\":\"", "\"input\":\"../../etc/passwd\",\"x\":\"", "is not a digest"},
        {"\"input\":\"", "\"input\":\"00000000000000000000000000000000\",\"x\":\"",
         "00000000000000000000000000000000"},
        {"\"state\":\"reduced\"", "\"state\":\"merged\"", "'merged' is not a state"},
        {"\"count\":", "\"count\":-", "'count' is not a number"},
        {"\"title\":\"a\"", "\"title\":7", "'title' is not text"},
        {"\"members\":[", "\"members\":{},\"x\":[", "'members' is not a list"},
        {"\"digest\":\"", "\"digest\":\"\",\"x\":\"", "'' is not a digest"},
        {"\"store\":\"", "\"store\":\"\xc3\xa9", "is not the number of a store"},
        {"\"store\":\"", "\"store\":\"0123456789abcdef", "is not the number of a store"},
        {"\"identity\":\"a\"", "\"identity\":\"\"", "is not empty"},
        {"\"identity\":\"a\"", "\"identity\":\"a\\u0000b\"", "findings.jsonl:1: "},
    };
    pare_store *store = make_store("good.db"), *other = new_store("untouched.db");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(pare_store_export(store, NULL, 0, "bad", NULL), PARE_OK);
        spoil(cases[i].from, cases[i].to);
        pare_error err = {0};
        uint64_t n = 0;
        assert_int_not_equal(pare_store_import(other, "bad", &n, &n, &err), PARE_OK);
        if (!strstr(err.message, cases[i].sentence))
            fail_msg("'%s' is not in '%s'", cases[i].sentence, err.message);
        assert_int_equal(number_of(other, "SELECT count(*) FROM finding"), 0);
        assert_int_equal(number_of(other, "SELECT count(*) FROM content"), 0);
    }
    assert_int_equal(pare_store_export(store, NULL, 0, "bad", NULL), PARE_OK);
    assert_imported(other, "bad", 3, 0);
    uint64_t n = 0;
    assert_int_equal(pare_store_import(other, "nowhere", &n, &n, NULL), PARE_E_IO);
    pare_store_close(store);
    pare_store_close(other);
}

/* A store may come from anybody: one that names a content after a path must not choose where the
 * export writes. */
static void test_exchange__a_hostile_store_writes_nowhere_else(void **state)
{
    (void)state;
    static const char *const columns[] = {"input", "reduced"};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        char sql[256];
        pare_error err = {0};
        pare_store *store = make_store("hostile.db");
        (void)snprintf(sql, sizeof sql,
                       "INSERT INTO content VALUES('../outside', x'41');"
                       " UPDATE finding SET %s = '../outside' WHERE id = 1",
                       columns[i]);
        assert_int_equal(pare_store_execute(store, sql, NULL), PARE_OK);
        assert_int_equal(pare_store_export(store, NULL, 0, "within", &err), PARE_E_CORRUPT);
        assert_non_null(strstr(err.message, "'../outside' is not a digest"));
        assert_false(pare_file_exists("outside"));
        pare_store_close(store);
    }
}

static void test_exchange__a_file_that_was_changed_is_refused(void **state)
{
    (void)state;
    pare_store *store = make_store("changed.db"), *other = new_store("unchanged.db");
    pare_finding finding;
    assert_int_equal(pare_store_finding(store, 1, &finding, NULL), PARE_OK);
    assert_int_equal(pare_store_export(store, NULL, 0, "changed", NULL), PARE_OK);
    char path[64];
    (void)snprintf(path, sizeof path, "changed/%s", finding.input);
    pare_finding_done(&finding);
    scratch_write(path, "something else", 0644);
    pare_error err = {0};
    uint64_t n = 0;
    assert_int_equal(pare_store_import(other, "changed", &n, &n, &err), PARE_E_SYNTAX);
    assert_int_equal(err.line, 1);
    assert_non_null(strstr(err.message, "is not the digest of the file"));
    pare_store_close(store);
    pare_store_close(other);
}

/* The work of importing `n` findings, of which every second one is merged into the
 * one before it. */
static uint64_t steps_to_import(int64_t n)
{
    uint64_t steps = 0;
    pare_store *store = new_store("merged.db"), *other = new_store("merging.db");
    assert_int_equal(pare_store_begin(store, NULL), PARE_OK);
    for (int64_t i = 1; i <= n; i++) {
        char identity[32];
        (void)snprintf(identity, sizeof identity, "stderr x%lld", (long long)i);
        assert_int_equal(add_simple(store, identity, "x"), i);
        if (i % 2 == 0) assert_int_equal(pare_store_merge(store, i, i - 1, NULL), PARE_OK);
    }
    assert_int_equal(pare_store_end(store, PARE_OK, NULL), PARE_OK);
    assert_int_equal(pare_store_export(store, NULL, 0, "merged", NULL), PARE_OK);
    measure_steps(other, &steps);
    assert_imported(other, "merged", (uint64_t)n, 0);
    measure_steps(other, NULL);
    assert_int_equal(number_of(other, "SELECT count(*) FROM finding WHERE merged_into <> 0"),
                     n / 2);
    pare_store_close(store);
    pare_store_close(other);
    return steps;
}

static void test_exchange__merges_do_not_read_all_findings_for_each(void **state)
{
    (void)state;
    const uint64_t few = steps_to_import(20), many = steps_to_import(400);
    assert_true(few > 0 && many < 2 * 20 * few);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exchange__what_is_exported_is_imported_as_it_was),
        cmocka_unit_test(test_exchange__importing_again_counts_only_what_is_new),
        cmocka_unit_test(test_exchange__chosen_findings_come_with_what_is_merged_into_them),
        cmocka_unit_test(test_exchange__an_export_keeps_no_writer_waiting),
        cmocka_unit_test(test_exchange__a_hostile_folder_is_refused_as_a_whole),
        cmocka_unit_test(test_exchange__a_hostile_store_writes_nowhere_else),
        cmocka_unit_test(test_exchange__a_file_that_was_changed_is_refused),
        cmocka_unit_test(test_exchange__merges_do_not_read_all_findings_for_each),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
