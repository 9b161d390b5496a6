/* The program takes the steps that were recorded from the sources of its algorithms.
 *
 * The recorded runs are read from PARE_SHARED (default ../shared beside the repository)
 * where that exists; one run of each source, and seed 003's, are always checked.  The
 * trace names candidates by digest, so the records are compared by digest and size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/support/predicates.h"
#include "cli/support/program.h"
#include "cli/support/trace.h"
#include "unit/support/list_traces.h"

/* Every fourth record is compared, or each with PARE_TEST_LONG; test_list_golden compares them
 * all, in one process. */
enum { MAX_STEPS = 1024, N_RECORDED = 41, USUAL_STRIDE = 4 };

/* One recorded run. */
struct record {
    const char *algorithm, *input, *kind, *value, *result;
    bool cached; /* lists only what a cache did not answer, the input's check first */
    const struct step *steps;
    size_t n_steps;
};

static void reduce(const struct record *record, const char *jobs, const char *trace,
                   const char *output)
{
    char test[MAX_COMMAND] = "";
    add_quoted(test, helper_path("golden_oracle_static"));
    add_quoted(test, record->kind);
    add_quoted(test, record->value);
    write_text("input", record->input);
    const char *const words[] = {
        program_path(), "reduce", test, "input", "-a", record->algorithm, "-u", "char", jobs,
        "--trace",      trace,    "-o", output,  "-q", "--timeout",       "60", NULL};
    int code = wait_for_end(start_words(words, "out", "err"));
    char *complaint = read_text("err");
    assert_string_equal(complaint, "");
    free(complaint);
    assert_int_equal(code, 0);
}

static void assert_is_step(const struct entry *entry, const char *candidate, bool fails)
{
    char digest[PARE_DIGEST_TEXT_BYTES];
    pare_digest_text(digest_of(candidate), digest);
    if (strcmp(entry->digest, digest) != 0) fail_msg("the candidate is not '%s'", candidate);
    assert_int_equal(entry->bytes, strlen(candidate));
    assert_string_equal(entry->outcome, fails ? "FAIL" : "PASS");
}

static bool is_repeated(const struct trace *trace, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (!strcmp(trace->entries[i].digest, trace->entries[at].digest)) return true;
    return false;
}

/* Entries tell the cache's answers from runs, and successes from the rest. */
static void check_members(const struct trace *trace)
{
    size_t best = trace->entries[0].bytes;
    for (size_t i = 0; i < trace->n; i++) {
        const struct entry *entry = &trace->entries[i];
        bool better = !strcmp(entry->outcome, "FAIL") && entry->bytes < best;
        assert_string_equal(entry->source, is_repeated(trace, i) ? "cache" : "run");
        assert_int_equal(entry->accepted, better);
        if (better) best = entry->bytes;
    }
}

static void compare_steps(const struct record *record, const struct trace *trace)
{
    size_t at = 0;
    assert_true(trace->n > 0);
    assert_is_step(&trace->entries[0], record->input, true);
    for (size_t i = record->cached ? 0 : 1; i < trace->n; i++) {
        if (record->cached && strcmp(trace->entries[i].source, "run") != 0) continue;
        assert_true(at < record->n_steps);
        assert_is_step(&trace->entries[i], record->steps[at].candidate, record->steps[at].fails);
        at++;
    }
    assert_int_equal(at, record->n_steps);
    check_members(trace);
}

static void assert_result(const char *output, const char *expected)
{
    char *text = read_text(output);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static void compare(const struct record *record)
{
    reduce(record, "-j1", "trace.1", "result.1");
    reduce(record, "-j8", "trace.8", "result.8");
    struct trace one = trace_read("trace.1"), eight = trace_read("trace.8");
    compare_steps(record, &one);
    assert_traces_equal(&one, &eight);
    assert_result("result.1", record->result);
    assert_result("result.8", record->result);
    trace_done(&one);
    trace_done(&eight);
}

#define N_STEPS(steps) (sizeof(steps) / sizeof *(steps))

static void compare_select(const char *algorithm, bool cached, const struct step *steps,
                           size_t n_steps)
{
    const struct record record = {.algorithm = algorithm,
                                  .input = SELECT_INPUT,
                                  .kind = "select",
                                  .value = "",
                                  .result = "<SELECT>",
                                  .cached = cached,
                                  .steps = steps,
                                  .n_steps = n_steps};
    compare(&record);
}

static void test_golden__ddmin_takes_the_steps_of_seed_001_on_select(void **state)
{
    (void)state;
    compare_select("ddmin", false, select_ddmin, N_STEPS(select_ddmin));
}

static void test_golden__ddmin_complement_takes_the_steps_of_seed_002_on_select(void **state)
{
    (void)state;
    compare_select("ddmin-complement", true, select_ddmin_complement,
                   N_STEPS(select_ddmin_complement));
}

static void test_golden__ddmin_blog_takes_the_steps_of_seed_000_on_select(void **state)
{
    (void)state;
    compare_select("ddmin-blog", false, select_ddmin_blog, N_STEPS(select_ddmin_blog));
}

static void test_golden__ddrmin_takes_the_steps_of_seed_000_on_select(void **state)
{
    (void)state;
    compare_select("ddrmin", false, select_ddrmin, N_STEPS(select_ddrmin));
}

static void test_golden__ddmin_complement_takes_the_29_steps_of_seed_003(void **state)
{
    (void)state;
    const struct record record = {.algorithm = "ddmin-complement",
                                  .input = seed_003[0].candidate,
                                  .kind = "mystery",
                                  .value = "",
                                  .result = "()",
                                  .cached = true,
                                  .steps = seed_003,
                                  .n_steps = N_STEPS(seed_003)};
    assert_int_equal(record.n_steps, 29);
    compare(&record);
}

/* --- the recorded runs -------------------------------------------------------------- */

/* Sets kind and value by the record's predicate, an object with one member. */
static void set_predicate(struct record *record, json_t *predicate)
{
    const char *key;
    json_t *value;
    assert_int_equal(json_object_size(predicate), 1);
    json_object_foreach(predicate, key, value)
    {
        record->kind = key;
        record->value = json_string_value(value);
    }
    if (strcmp(record->kind, "regex") != 0) return;
    assert_string_equal(record->value, "<SELECT.*>");
    record->kind = "select";
    record->value = "";
}

/* Compares one line of a record. */
static void compare_recorded(const char *algorithm, bool cached, const json_t *line)
{
    static struct step steps[MAX_STEPS];
    const json_t *list = json_object_get(line, "trace");
    size_t n_steps = json_array_size(list);
    assert_true(n_steps <= MAX_STEPS);
    for (size_t i = 0; i < n_steps; i++) {
        const json_t *step = json_array_get(list, i);
        steps[i] = (struct step){json_string_value(json_array_get(step, 0)),
                                 json_is_true(json_array_get(step, 1))};
    }
    struct record record = {.algorithm = algorithm,
                            .input = json_string_value(json_object_get(line, "input")),
                            .result = json_string_value(json_object_get(line, "result")),
                            .cached = cached,
                            .steps = steps,
                            .n_steps = n_steps};
    set_predicate(&record, json_object_get(line, "predicate"));
    compare(&record);
}

/* NULL, with a notice, where the records are not at hand. */
static FILE *open_records(const char *name)
{
    char path[MAX_COMMAND];
    const char *shared = getenv("PARE_SHARED");
    const char *source = getenv("PARE_SOURCE_DIR");
    (void)snprintf(path, sizeof path, "%s%s/golden/list/%s",
                   shared ? shared : (source ? source : "."), shared ? "" : "/../shared", name);
    FILE *file = fopen(path, "r");
    if (!file) print_message("no %s: set PARE_SHARED to compare with the records\n", path);
    return file;
}

static void compare_records(const char *algorithm, bool cached, const char *name)
{
    size_t n = 0;
    const size_t stride = getenv("PARE_TEST_LONG") ? 1 : USUAL_STRIDE;
    FILE *file = open_records(name);
    if (!file) skip();
    for (json_t *line; (line = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL)); n++) {
        if (n % stride == 0) compare_recorded(algorithm, cached, line);
        json_decref(line);
    }
    (void)fclose(file);
    assert_int_equal(n, N_RECORDED);
}

static void test_golden__ddmin_takes_every_recorded_step(void **state)
{
    (void)state;
    compare_records("ddmin", false, "seed001_ddmin.jsonl");
}

static void test_golden__ddmin_complement_takes_every_recorded_step(void **state)
{
    (void)state;
    compare_records("ddmin-complement", true, "seed002_ddmin.jsonl");
}

static void test_golden__ddmin_blog_takes_every_recorded_step(void **state)
{
    (void)state;
    compare_records("ddmin-blog", false, "seed000_ddmin.jsonl");
}

static void test_golden__ddrmin_takes_every_recorded_step(void **state)
{
    (void)state;
    compare_records("ddrmin", false, "seed000_ddrmin.jsonl");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden__ddmin_takes_the_steps_of_seed_001_on_select),
        cmocka_unit_test(test_golden__ddmin_complement_takes_the_steps_of_seed_002_on_select),
        cmocka_unit_test(test_golden__ddmin_blog_takes_the_steps_of_seed_000_on_select),
        cmocka_unit_test(test_golden__ddrmin_takes_the_steps_of_seed_000_on_select),
        cmocka_unit_test(test_golden__ddmin_complement_takes_the_29_steps_of_seed_003),
        cmocka_unit_test(test_golden__ddmin_takes_every_recorded_step),
        cmocka_unit_test(test_golden__ddmin_complement_takes_every_recorded_step),
        cmocka_unit_test(test_golden__ddmin_blog_takes_every_recorded_step),
        cmocka_unit_test(test_golden__ddrmin_takes_every_recorded_step),
    };
    return cmocka_run_group_tests(tests, workplace_setup, workplace_teardown);
}
