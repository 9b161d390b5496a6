/* What targets do to themselves or to us: counted, and told once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pare/outcome.h>

#include "campaign/fuzz_harm.h"
#include "unit/alloc_sweep.h"
#include "unit/support/fuzzing.h"
#include "unit/support/scratch.h"
#include "unit/support/store_failure.h"

/* Counts `n` tests that did this. */
static void note(pare_fuzz_harm *harm, unsigned n, unsigned kinds, unsigned n_left)
{
    const pare_verdict verdict = {.outcome = PARE_PASS, .harm = kinds, .n_left = n_left};
    for (unsigned i = 0; i < n; i++)
        pare_fuzz_harm_note(harm, &verdict);
}

/* Tells what was counted in a job of configuration `config`. */
static pare_status tell(pare_store *store, const pare_fuzz_harm *harm, int64_t config)
{
    char target[] = "t";
    const pare_job job = {.target = target};
    const pare_job_run run = {.store = store, .job = &job, .config = config};
    return pare_fuzz_harm_tell(harm, &run, NULL);
}

/* What was told last; valid until the next call. */
static const char *last_told(pare_store *store)
{
    static char text[256];
    sqlite3_stmt *statement = NULL;
    bool has_row = false;
    assert_int_equal(pare_store_prepare(store,
                                        "SELECT text FROM event WHERE kind = 'trouble'"
                                        " ORDER BY id DESC LIMIT 1",
                                        &statement, NULL, ""),
                     PARE_OK);
    assert_int_equal(pare_store_step(store, statement, &has_row, NULL), PARE_OK);
    (void)snprintf(text, sizeof text, "%s", has_row ? pare_store_text_at(statement, 0) : "");
    (void)sqlite3_finalize(statement);
    return text;
}

static void test_fuzz_harm__each_kind_has_a_sentence(void **state)
{
    static const struct {
        unsigned kind, n_left;
        const char *sentence;
    } rows[] = {
        {PARE_HARM_FLOOD, 0, "prints without end (more than 64 MiB) in 3 of 4 tests: "},
        {PARE_HARM_FOLDER, 0, "removed its input in 3 of 4 tests: "},
        {PARE_HARM_KILLED, 0, "was ended by SIGKILL in 3 of 4 tests: "},
        {PARE_HARM_MEMORY, 0, "used up its memory in 3 of 4 tests: "},
        {PARE_HARM_CPU, 0, "used up its CPU time in 3 of 4 tests: "},
        {PARE_HARM_FILE, 0, "wrote a file as large as it may in 3 of 4 tests: "},
        {PARE_HARM_LEFT, 7, "left processes behind (up to 7 at once) in 3 of 4 tests: "},
        {0, 256, "left processes behind (up to 256 or more at once) in 3 of 4 tests: "},
        {PARE_HARM_LATE, 0, "did not end in time in 3 of 4 tests: "},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pare_store *store = new_store("kind.db");
        pare_fuzz_harm harm = {.n_tests = 0};
        note(&harm, 1, 0, 0);
        note(&harm, 3, rows[i].kind, rows[i].n_left);
        assert_int_equal(tell(store, &harm, 1), PARE_OK);
        if (!strstr(last_told(store), rows[i].sentence)) fail_msg("%s", last_told(store));
        assert_int_equal(number_of(store, "SELECT count(*) FROM event"), 1);
        pare_store_close(store);
    }
}

static void test_fuzz_harm__what_is_usual_is_told_only_of_most_tests(void **state)
{
    (void)state;
    pare_store *store = new_store("usual.db");
    pare_fuzz_harm harm = {.n_tests = 0};
    note(&harm, 2, PARE_HARM_LATE | PARE_HARM_LEFT, 1);
    note(&harm, 2, 0, 0);
    assert_int_equal(tell(store, &harm, 1), PARE_OK);
    assert_string_equal(last_told(store), "");
    note(&harm, 1, 0, 40); /* without end, though it was killed for that */
    assert_int_equal(tell(store, &harm, 1), PARE_OK);
    assert_non_null(strstr(last_told(store), "(up to 40 at once) in 3 of 5 tests"));
    pare_store_close(store);
}

static void test_fuzz_harm__what_is_a_finding_is_no_harm(void **state)
{
    (void)state;
    pare_store *store = new_store("finding.db");
    pare_fuzz_harm harm = {.n_tests = 0};
    const pare_verdict verdict = {.outcome = PARE_FAIL, .harm = PARE_HARM_LATE | PARE_HARM_FLOOD};
    pare_fuzz_harm_note(&harm, &verdict);
    assert_int_equal(tell(store, &harm, 1), PARE_OK);
    assert_string_equal(last_told(store), "");
    pare_store_close(store);
}

static void test_fuzz_harm__is_told_once_for_each_configuration(void **state)
{
    (void)state;
    pare_store *store = new_store("once.db");
    pare_fuzz_harm harm = {.n_tests = 0};
    note(&harm, 1, PARE_HARM_KILLED, 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(tell(store, &harm, 1), PARE_OK);
    assert_int_equal(number_of(store, "SELECT count(*) FROM event"), 1);
    assert_int_equal(tell(store, &harm, 2), PARE_OK);
    assert_int_equal(number_of(store, "SELECT count(*) FROM event"), 2);
    pare_store_close(store);
}

/* Keeps what is seen. */
struct seen {
    pare_store_harm last;
    char target[8];
    unsigned n;
};

static pare_status see(void *context, const pare_store_harm *harm, pare_error *err)
{
    struct seen *seen = context;
    (void)err;
    seen->last = *harm;
    (void)snprintf(seen->target, sizeof seen->target, "%s", harm->target);
    seen->n++;
    return PARE_OK;
}

static void test_fuzz_harm__counts_add_up_for_each_target(void **state)
{
    (void)state;
    pare_store *store = new_store("counts.db");
    pare_fuzz_harm harm = {.n_tests = 0}, other = {.n_tests = 0};
    struct seen seen = {.n = 0};
    assert_int_equal(pare_fuzz_harm_count(&harm, store, "t", NULL), PARE_OK);
    note(&harm, 3, PARE_HARM_KILLED, 0);
    assert_int_equal(pare_fuzz_harm_count(&harm, store, "t", NULL), PARE_OK);
    note(&harm, 2, PARE_HARM_KILLED, 0);
    for (int i = 0; i < 2; i++) /* each is counted once */
        assert_int_equal(pare_fuzz_harm_count(&harm, store, "t", NULL), PARE_OK);
    note(&other, 1, PARE_HARM_KILLED | PARE_HARM_MEMORY, 0);
    assert_int_equal(pare_fuzz_harm_count(&other, store, "t", NULL), PARE_OK);
    note(&other, 4, PARE_HARM_FLOOD, 0);
    assert_int_equal(pare_fuzz_harm_count(&other, store, "u, v", NULL), PARE_OK);
    assert_int_equal(pare_store_put_fact(store, "harm: unheard of, t", "5", NULL), PARE_OK);
    assert_int_equal(pare_store_harm_each(store, NULL, see, &seen, NULL), PARE_OK);
    assert_int_equal(seen.n, 3);
    assert_int_equal(pare_store_harm_each(store, "u, v", see, &seen, NULL), PARE_OK);
    assert_int_equal(seen.n, 4);
    assert_string_equal(seen.last.kind, "flood");
    assert_string_equal(seen.target, "u, v");
    assert_int_equal(seen.last.tests, 4);
    assert_int_equal(number_of(store, "SELECT value FROM fact WHERE name = 'harm: killed, t'"), 6);
    pare_store_close(store);
}

static pare_status tell_all(void *context)
{
    pare_fuzz_harm harm = {.n_tests = 0};
    note(&harm, 1, (1u << PARE_HARM_N) - 1, 1);
    pare_status status = pare_fuzz_harm_count(&harm, context, "t", NULL);
    return status ? status : tell(context, &harm, 1);
}

static void test_fuzz_harm__a_failed_allocation_is_told(void **state)
{
    (void)state;
    pare_store *store = new_store("sweep.db");
    sweep_allocations(tell_all, store);
    pare_store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fuzz_harm__each_kind_has_a_sentence),
        cmocka_unit_test(test_fuzz_harm__what_is_usual_is_told_only_of_most_tests),
        cmocka_unit_test(test_fuzz_harm__what_is_a_finding_is_no_harm),
        cmocka_unit_test(test_fuzz_harm__is_told_once_for_each_configuration),
        cmocka_unit_test(test_fuzz_harm__counts_add_up_for_each_target),
        cmocka_unit_test(test_fuzz_harm__a_failed_allocation_is_told),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
