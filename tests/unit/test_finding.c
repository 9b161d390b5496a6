/* Findings: their invariants after each step, the states, members, merges and splits. */
/* tests: src/campaign/finding_merge.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "campaign/corpus_table.h"
#include "unit/support/scratch.h"
#include "unit/support/store_failure.h"

/* Each counts what must not be there. */
static void assert_sound(pare_store *store)
{
    static const char *const wrongs[] = {
        "SELECT count(*) FROM finding f WHERE merged_into <> 0 AND NOT EXISTS (SELECT 1 FROM "
        "finding"
        " r WHERE r.id = f.merged_into AND r.merged_into = 0 AND r.target = f.target)",
        "SELECT count(*) FROM finding f WHERE (state = 6) <> (merged_into <> 0)",
        "SELECT count(*) FROM finding f WHERE count <> own_count +"
        " (SELECT total(own_count) FROM finding m WHERE m.merged_into = f.id)",
        "SELECT count(*) FROM finding WHERE input NOT IN (SELECT digest FROM content)",
        "SELECT count(*) FROM finding WHERE reduced <> ''"
        " AND reduced NOT IN (SELECT digest FROM content)",
        "SELECT count(*) FROM member WHERE digest NOT IN (SELECT digest FROM content)",
        "SELECT count(*) FROM content WHERE digest NOT IN (SELECT digest FROM member)"
        " AND digest NOT IN (SELECT input FROM finding)"
        " AND digest NOT IN (SELECT reduced FROM finding)"
        " AND digest NOT IN (SELECT digest FROM corpus)",
        "SELECT count(*) FROM (SELECT 1 FROM member GROUP BY finding HAVING count(*) > 16)",
        "SELECT count(*) FROM member WHERE finding NOT IN (SELECT id FROM finding)",
    };
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++)
        if (number_of(store, wrongs[i])) fail_msg("not so: %s", wrongs[i]);
}

static void test_finding__a_failure_is_new_once(void **state)
{
    (void)state;
    pare_store *store = new_store("new.db");
    const pare_failure failure = failure_of("signal SIGABRT; frame \"a\"", "[1]");
    pare_failure_added added = add_failure(store, &failure);
    assert_true(added.is_new && added.is_member && !added.regressed);
    added = add_failure(store, &failure);
    assert_true(!added.is_new && !added.is_member && added.finding == 1);
    pare_finding finding;
    assert_int_equal(pare_store_finding(store, 1, &finding, NULL), PARE_OK);
    assert_int_equal(finding.count, 2);
    assert_string_equal(finding.title, failure.identity);
    assert_string_equal(finding.output, "aborted\n");
    assert_int_equal(finding.input_bytes, 3);
    unsigned char *bytes = NULL;
    size_t size = 0;
    assert_int_equal(pare_store_content(store, finding.input, &bytes, &size, NULL), PARE_OK);
    assert_int_equal(size, 3);
    assert_memory_equal(bytes, "[1]", 3);
    pare_alloc_free(bytes);
    pare_finding_done(&finding);
    assert_int_equal(number_of(store, "SELECT count(*) FROM event WHERE kind = 'new'"), 1);
    assert_sound(store);
    pare_store_close(store);
}

static void test_finding__a_few_members_are_kept_and_small_ones_replace_large_ones(void **state)
{
    (void)state;
    pare_store *store = new_store("members.db");
    char text[256];
    for (int i = 0; i < 100; i++) {
        (void)snprintf(text, sizeof text, "%0*d", 150 - i, i);
        add_simple(store, "x", text);
        assert_sound(store);
    }
    assert_int_equal(number_of(store, "SELECT count(*) FROM member"), PARE_FINDING_MEMBERS);
    assert_int_equal(number_of(store, "SELECT count FROM finding"), 100);
    assert_int_equal(number_of(store, "SELECT max(bytes) FROM member"), 150); /* the input */
    assert_int_equal(number_of(store, "SELECT max(bytes) FROM member WHERE bytes < 150"), 65);
    pare_store_close(store);
}

static void test_finding__states_follow_validations(void **state)
{
    (void)state;
    pare_store *store = new_store("states.db");
    const int64_t id = add_simple(store, "x", "abc");
    static const struct {
        pare_validity validity;
        const char *version;
        pare_finding_state wanted;
        const char *event;
    } steps[] = {
        {PARE_STILL_THERE, "1", PARE_FINDING_NEW, "validated"},
        {PARE_NOT_RUN, "2", PARE_FINDING_NEW, "validated"},
        {PARE_STILL_THERE, "2", PARE_FINDING_NEW, "validated"},
        {PARE_NOT_THERE, "3", PARE_FINDING_FIXED, "fixed"},
        {PARE_NOT_THERE, "4", PARE_FINDING_FIXED, "validated"},
        {PARE_STILL_THERE, "5", PARE_FINDING_REGRESSED, "regressed"},
        {PARE_NOT_THERE, "5", PARE_FINDING_INVALID, "invalid"},
        {PARE_STILL_THERE, "5", PARE_FINDING_NEW, "validated"},
        {PARE_NOT_THERE, "", PARE_FINDING_INVALID, "invalid"},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        assert_int_equal(
            pare_finding_set_validity(
                store, id, &(pare_finding_seen){steps[i].validity, steps[i].version, 1, 1}, NULL),
            PARE_OK);
        assert_int_equal(state_of(store, id), steps[i].wanted);
        sqlite3_stmt *row = NULL;
        bool has_row = false;
        assert_int_equal(
            pare_store_prepare(store, "SELECT kind FROM event ORDER BY id DESC", &row, NULL, ""),
            PARE_OK);
        assert_int_equal(pare_store_step(store, row, &has_row, NULL), PARE_OK);
        assert_string_equal(pare_store_text_at(row, 0), steps[i].event);
        sqlite3_finalize(row);
    }
    pare_finding finding;
    assert_int_equal(pare_store_finding(store, id, &finding, NULL), PARE_OK);
    assert_string_equal(finding.gone_version, "3");
    pare_finding_done(&finding);
    pare_store_close(store);
}

static void test_finding__what_was_fixed_and_is_seen_again_has_regressed(void **state)
{
    (void)state;
    pare_store *store = new_store("regressed.db");
    const int64_t id = add_simple(store, "x", "abc");
    assert_int_equal(
        pare_finding_set_validity(store, id, &(pare_finding_seen){PARE_NOT_THERE, "2", 0, 1}, NULL),
        PARE_OK);
    pare_failure failure = failure_of("x", "abcd");
    assert_false(add_failure(store, &failure).regressed); /* a late job with the old version */
    assert_int_equal(state_of(store, id), PARE_FINDING_FIXED);
    failure.version = "3";
    assert_true(add_failure(store, &failure).regressed);
    assert_int_equal(state_of(store, id), PARE_FINDING_REGRESSED);
    assert_sound(store);
    pare_store_close(store);
}

static void test_finding__an_invalid_one_seen_again_is_new_with_that_input(void **state)
{
    (void)state;
    pare_store *store = new_store("invalid.db");
    const int64_t id = add_simple(store, "x", "flaky");
    char text[16];
    for (int i = 0; i < 20; i++) {
        (void)snprintf(text, sizeof text, "%d", i);
        add_simple(store, "x", text);
    }
    int64_t into = 0;
    assert_int_equal(pare_finding_set_reduced(store, id, "f", 1, &into, NULL), PARE_OK);
    assert_int_equal(
        pare_finding_set_validity(store, id, &(pare_finding_seen){PARE_NOT_THERE, "1", 0, 1}, NULL),
        PARE_OK);
    const pare_failure failure = failure_of("x", "a longer one that fails each time");
    assert_true(add_failure(store, &failure).regressed);
    pare_finding finding;
    assert_int_equal(pare_store_finding(store, id, &finding, NULL), PARE_OK);
    assert_int_equal(finding.state, PARE_FINDING_NEW);
    assert_int_equal(finding.input_bytes, failure.size);
    assert_string_equal(finding.reduced, "");
    pare_finding_done(&finding);
    assert_sound(store);
    pare_store_close(store);
}

static void test_finding__the_same_result_merges_the_younger_into_the_older(void **state)
{
    (void)state;
    pare_store *store = new_store("same.db");
    const int64_t a = add_simple(store, "a", "aaa"), b = add_simple(store, "b", "bbb"),
                  c = add_simple(store, "c", "ccc"), d = add_simple(store, "d", "ddd");
    int64_t into = -1;
    assert_int_equal(pare_finding_set_reduced(store, b, "x", 1, &into, NULL), PARE_OK);
    assert_int_equal(into, 0);
    assert_int_equal(pare_finding_set_reduced(store, c, "x", 1, &into, NULL), PARE_OK);
    assert_int_equal(into, b);
    assert_sound(store);
    assert_int_equal(pare_finding_set_reduced(store, a, "x", 1, &into, NULL), PARE_OK);
    assert_int_equal(into, 0);
    assert_int_equal(pare_finding_set_reduced(store, d, "x", 1, &into, NULL), PARE_OK);
    assert_int_equal(into, a);
    assert_sound(store);
    assert_int_equal(number_of(store, "SELECT count FROM finding WHERE id = 1"), 4);
    assert_int_equal(add_simple(store, "c", "cc"), a);
    assert_sound(store);
    assert_int_equal(number_of(store, "SELECT count FROM finding WHERE id = 1"), 5);

    assert_int_equal(pare_store_split(store, c, NULL), PARE_OK);
    assert_int_equal(state_of(store, c), PARE_FINDING_REDUCED);
    assert_int_equal(add_simple(store, "c", "c"), c);
    assert_sound(store);
    assert_int_equal(number_of(store, "SELECT count FROM finding WHERE id = 3"), 3);
    assert_int_equal(pare_finding_set_reduced(store, c, "w", 1, &into, NULL), PARE_OK);
    assert_int_equal(into, 0); /* pinned */
    pare_error err = {0};
    assert_int_equal(pare_store_split(store, c, &err), PARE_E_STATE);
    assert_string_equal(err.message, "finding 3 is not merged");
    pare_store_close(store);
}

static void test_finding__a_worse_result_is_left_alone(void **state)
{
    (void)state;
    pare_store *store = new_store("worse.db");
    const int64_t id = add_simple(store, "a", "aaaaaa");
    int64_t into = 0;
    static const char *const results[] = {"aaa", "aaaa", "ab", "zz", "aa"};
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        assert_int_equal(
            pare_finding_set_reduced(store, id, results[i], strlen(results[i]), &into, NULL),
            PARE_OK);
    assert_int_equal(number_of(store, "SELECT count(*) FROM event WHERE kind = 'reduced'"), 3);
    assert_int_equal(
        number_of(store, "SELECT count(*) FROM content WHERE bytes = CAST('aa' AS BLOB)"), 1);
    assert_sound(store);
    pare_store_close(store);
}

static void test_finding__deleting_takes_what_was_merged_into_it_too(void **state)
{
    (void)state;
    pare_store *store = new_store("delete.db");
    const int64_t a = add_simple(store, "a", "aaa"), b = add_simple(store, "b", "bbb"),
                  c = add_simple(store, "c", "ccc");
    assert_int_equal(pare_store_merge(store, c, b, NULL), PARE_OK);
    assert_int_equal(pare_store_delete(store, b, NULL), PARE_OK);
    assert_sound(store);
    assert_int_equal(number_of(store, "SELECT count(*) FROM finding"), 1);
    assert_int_equal(number_of(store, "SELECT count(*) FROM content"), 1);
    assert_int_equal(pare_store_delete(store, b, NULL), PARE_E_STATE);
    assert_int_equal(state_of(store, a), PARE_FINDING_NEW);
    assert_true(add_simple(store, "b", "bbb") > c);
    pare_store_close(store);
}

/* The work of deleting one finding beside a corpus of `n` inputs. */
static uint64_t steps_to_delete(size_t n)
{
    uint64_t steps = 0;
    pare_store *store = new_store("cost.db");
    const int64_t id = add_simple(store, "a", "abc");
    assert_int_equal(pare_store_begin(store, NULL), PARE_OK);
    for (size_t i = 0; i < n; i++) {
        bool is_new = false;
        const pare_corpus_input input = {.source = "s", .bytes = &i, .size = sizeof i};
        assert_int_equal(pare_corpus_table_add(store, "jq", &input, &is_new, NULL), PARE_OK);
    }
    assert_int_equal(pare_store_end(store, PARE_OK, NULL), PARE_OK);
    measure_steps(store, &steps);
    assert_int_equal(pare_store_delete(store, id, NULL), PARE_OK);
    measure_steps(store, NULL);
    assert_int_equal(number_of(store, "SELECT count(*) FROM content"), n);
    assert_sound(store);
    pare_store_close(store);
    return steps;
}

static void test_finding__deleting_costs_the_same_whatever_else_is_kept(void **state)
{
    (void)state;
    const uint64_t few = steps_to_delete(1), many = steps_to_delete(300);
    assert_true(few > 0 && many < 2 * few);
}

static void test_finding__what_is_no_text_becomes_one(void **state)
{
    (void)state;
    pare_store *store = new_store("utf8.db");
    const int64_t id = add_simple(store, "caf\xe9 \xc3\xa9", "x");
    assert_int_equal(add_simple(store, "caf\xe9 \xc3\xa9", "y"), id);
    pare_finding finding;
    assert_int_equal(pare_store_finding(store, id, &finding, NULL), PARE_OK);
    assert_string_equal(finding.identity, "caf\xef\xbf\xbd \xc3\xa9");
    pare_finding_done(&finding);
    pare_store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finding__a_failure_is_new_once),
        cmocka_unit_test(test_finding__a_few_members_are_kept_and_small_ones_replace_large_ones),
        cmocka_unit_test(test_finding__states_follow_validations),
        cmocka_unit_test(test_finding__what_was_fixed_and_is_seen_again_has_regressed),
        cmocka_unit_test(test_finding__an_invalid_one_seen_again_is_new_with_that_input),
        cmocka_unit_test(test_finding__the_same_result_merges_the_younger_into_the_older),
        cmocka_unit_test(test_finding__a_worse_result_is_left_alone),
        cmocka_unit_test(test_finding__deleting_takes_what_was_merged_into_it_too),
        cmocka_unit_test(test_finding__deleting_costs_the_same_whatever_else_is_kept),
        cmocka_unit_test(test_finding__what_is_no_text_becomes_one),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
