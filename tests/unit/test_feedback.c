/* Feedback: what reaches something new is reduced and joins the population, by AFL's map and by
 * a command. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pare/stop.h>

#include "campaign/corpus_table.h"
#include "campaign/feedback.h"
#include "unit/support/fuzzing.h"
#include "unit/support/scratch.h"
#include "unit/support/store_failure.h"

static pare_status add_sizes(void *context, const pare_corpus_entry *entry, pare_error *err)
{
    size_t *sizes = context;
    (void)err;
    sizes[0]++;
    sizes[1] += entry->is_reduced ? entry->bytes : 0;
    sizes[2] += entry->is_reduced;
    sizes[3] += (size_t)entry->new_edges;
    return PARE_OK;
}

/* Edges in the store's map, of `size` bytes. */
static int64_t edges_in_map(pare_store *store, int size)
{
    sqlite3_stmt *row = NULL;
    int64_t n = 0;
    assert_int_equal(sqlite3_prepare_v2(store->db, "SELECT bytes FROM map", -1, &row, NULL), 0);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    assert_int_equal(sqlite3_column_bytes(row, 0), size);
    const unsigned char *bytes = sqlite3_column_blob(row, 0);
    for (int i = 0; i < size; i++)
        n += bytes[i] != 0;
    assert_int_equal(sqlite3_finalize(row), 0);
    return n;
}

/* The helper speaks AFL's protocol, and counts each byte of its input at that byte's number. */
static void test_feedback__inputs_are_reduced_to_what_was_new(void **state)
{
    (void)state;
    pare_store *store = new_store("afl.db");
    pare_error err = {0};
    char text[1024];
    int64_t id;
    (void)snprintf(text, sizeof text,
                   "[target t]\ncommand = %s/afl_server\nkind = afl\nsandbox = off\n"
                   "coverage = afl\n[source s]\nkind = random\nseed = 3\n",
                   getenv("PARE_HELPERS"));
    if (run_fuzz_job(store, text, "120", 2, &id, &err)) fail_msg("%s", err.message);
    size_t sizes[4] = {0};
    assert_int_equal(pare_corpus_table_each(store, "t", 0, add_sizes, sizes, NULL), PARE_OK);
    assert_true(sizes[2] > 2);
    /* The texts are 55 bytes long on average: what is new about them is less. */
    if (sizes[1] / sizes[2] > 40) fail_msg("%zu bytes of %zu inputs", sizes[1], sizes[2]);
    /* RandomFuzzer knows 32 characters, and changing bytes of members finds more; each was new
     * once, also in another job, which knows what was reached. */
    int64_t n_edges = number_of(store, "SELECT total(edges) FROM statistic");
    assert_true(n_edges >= 32);
    assert_int_equal(edges_in_map(store, 65536), n_edges);
    if (run_fuzz_job(store, text, "50", 1, &id, &err)) fail_msg("%s", err.message);
    n_edges = number_of(store, "SELECT total(edges) FROM statistic");
    assert_int_equal(edges_in_map(store, 65536), n_edges);
    pare_store_close(store);
}

static void test_feedback__a_command_may_tell_what_is_reached(void **state)
{
    (void)state;
    pare_store *store = new_store("command.db");
    pare_error err = {0};
    char text[1024];
    int64_t id;
    scratch_script("covers", "grep -o '[0-9]' \"$1\" | sort -u");
    scratch_write("first", "12", 0644);
    scratch_write("second", "x3y2", 0644);
    scratch_write("third", "1", 0644);
    (void)snprintf(text, sizeof text,
                   "[target t]\ncommand = true @@\nsandbox = off\nrunner = spawn\n"
                   "coverage_by = %s/covers\n[source s]\nkind = folder\nbatch = 1000\n"
                   "files = %s/first %s/second %s/third\n",
                   scratch_dir, scratch_dir, scratch_dir, scratch_dir);
    if (run_fuzz_job(store, text, "", 1, &id, &err)) fail_msg("%s", err.message);
    size_t sizes[4] = {0};
    assert_int_equal(pare_corpus_table_each(store, "t", 0, add_sizes, sizes, NULL), PARE_OK);
    assert_int_equal(sizes[0], 2);     /* the third has nothing new */
    assert_int_equal(sizes[1], 2 + 1); /* "12", and of the second "3" */
    assert_int_equal(sizes[3], 3);
    pare_store_close(store);
}

/* A job's feedback by the command "covers", without a job. */
static pare_feedback *open_feedback(pare_store *store, pare_stop *stop)
{
    static const pare_source_ops ops = {.run = NULL};
    static pare_source source = {.ops = &ops};
    static const pare_target target = {.name = "t", .base_name = "input"};
    static char command[256];
    pare_feedback *feedback = NULL;
    pare_error err = {0};
    (void)snprintf(command, sizeof command, "%s/covers", scratch_dir);
    const pare_feedback_options options = {.store = store,
                                           .target = &target,
                                           .source_name = "s",
                                           .source = &source,
                                           .command = command,
                                           .folder = scratch_dir,
                                           .stop = stop};
    if (pare_feedback_open(&options, &feedback, &err)) fail_msg("%s", err.message);
    return feedback;
}

static void assert_looks(pare_feedback *feedback, const char *text, uint64_t new_edges)
{
    uint64_t n = 0;
    pare_error err = {0};
    if (pare_feedback_look(feedback, 0, text, strlen(text), &n, &err)) fail_msg("%s", err.message);
    assert_int_equal(n, new_edges);
}

static void assert_shares(pare_feedback *feedback, uint64_t new_edges)
{
    uint64_t n = 0;
    assert_int_equal(pare_feedback_share(feedback, &n, NULL), PARE_OK);
    assert_int_equal(n, new_edges);
}

/* Else it would be new to nobody any more, and in no population, when the job is stopped or killed
 * before the input has joined. */
static void test_feedback__what_waits_is_told_to_nobody(void **state)
{
    (void)state;
    pare_store *store = new_store("waits.db");
    pare_stop *stop = NULL;
    pare_feedback_cost cost = {0};
    scratch_script("covers", "grep -o '[0-9]' \"$1\" | sort -u");
    assert_int_equal(pare_stop_new(&stop, NULL), PARE_OK);
    pare_feedback *killed = open_feedback(store, NULL);
    assert_looks(killed, "12", 2);
    assert_looks(killed, "23", 1);
    assert_shares(killed, 0);
    assert_looks(killed, "13", 0); /* but it knows itself */
    pare_feedback_free(killed);
    pare_feedback *stopped = open_feedback(store, stop);
    assert_looks(stopped, "12", 2);
    pare_stop_request(stop);
    assert_int_equal(pare_feedback_work(stopped, &cost, NULL), PARE_E_INTERRUPTED);
    assert_shares(stopped, 0);
    pare_feedback_free(stopped);
    pare_feedback *feedback = open_feedback(store, NULL);
    assert_looks(feedback, "12", 2);
    assert_int_equal(pare_feedback_work(feedback, &cost, NULL), PARE_OK);
    assert_shares(feedback, 2);
    pare_feedback_free(feedback);
    assert_int_equal(number_of(store, "SELECT count(*) FROM corpus"), 1);
    pare_stop_free(stop);
    pare_store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_feedback__inputs_are_reduced_to_what_was_new),
        cmocka_unit_test(test_feedback__a_command_may_tell_what_is_reached),
        cmocka_unit_test(test_feedback__what_waits_is_told_to_nobody),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
