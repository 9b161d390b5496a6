/* The list algorithms propose what their sources propose, step by step.
 *
 * The recorded runs are read from PARE_SHARED (default ../shared beside the repository)
 * where that exists; one run of each source, and seed 003's, are always checked. */
/* tests: src/reduce/list/ddrmin.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <jansson.h>
#include <cmocka.h>

#include "reduce/list/algorithms.h"
#include "unit/support/list_driver.h"
#include "unit/support/list_traces.h"

enum { MAX_INPUT = 256, MAX_STEPS = 1024 };

typedef bool (*text_predicate)(const char *argument, const char *text);

/* A run to be compared with a record. */
struct comparison {
    const char *input;
    text_predicate predicate;
    const char *argument;
    bool cached; /* the record lists only what a cache did not answer */
    const struct step *steps;
    size_t n_steps, at;
    char candidate[MAX_INPUT];
};

/* "<SELECT.*>" at the start of the text, where the point is not a line feed. */
static bool matches_select(const char *argument, const char *text)
{
    (void)argument;
    if (strncmp(text, "<SELECT", 7) != 0) return false;
    for (text += 7; *text && *text != '\n'; text++)
        if (*text == '>') return true;
    return false;
}

static bool has_all(const char *characters, const char *text)
{
    for (; *characters; characters++)
        if (!strchr(text, *characters)) return false;
    return true;
}

static bool has_subsequence(const char *wanted, const char *text)
{
    for (; *text && *wanted; text++)
        if (*text == *wanted) wanted++;
    return !*wanted;
}

/* The first opening parenthesis stands before the first closing one (seed 002). */
static bool is_mystery(const char *argument, const char *text)
{
    (void)argument;
    const char *open = strchr(text, '(');
    const char *close = strchr(text, ')');
    return open && close && open < close;
}

static void spell(struct comparison *c, const uint32_t *kept, size_t n)
{
    for (size_t i = 0; i < n; i++)
        c->candidate[i] = c->input[kept[i]];
    c->candidate[n] = '\0';
}

static bool is_recorded_before(const struct comparison *c)
{
    for (size_t i = 0; i < c->at; i++)
        if (strcmp(c->steps[i].candidate, c->candidate) == 0) return true;
    return false;
}

static bool test_text(const void *context, const uint32_t *kept, size_t n)
{
    char text[MAX_INPUT];
    const struct comparison *c = context;
    for (size_t i = 0; i < n; i++)
        text[i] = c->input[kept[i]];
    text[n] = '\0';
    return c->predicate(c->argument, text);
}

static void compare_step(void *context, const uint32_t *kept, size_t n, bool fails)
{
    struct comparison *c = context;
    spell(c, kept, n);
    if (c->cached && is_recorded_before(c)) return;
    assert_true(c->at < c->n_steps);
    assert_string_equal(c->candidate, c->steps[c->at].candidate);
    assert_int_equal(fails, c->steps[c->at].fails);
    c->at++;
}

/* Compares every step; returns the result's text, valid until the next call with *c. */
static const char *compare(const pare_list_algorithm *algorithm, struct comparison *c)
{
    size_t n = strlen(c->input);
    assert_true(n < MAX_INPUT);
    struct list_task task = {.algorithm = algorithm,
                             .n = n,
                             .predicate = test_text,
                             .context = c,
                             .observer = compare_step,
                             .observer_context = c};
    if (c->cached) assert_string_equal(c->steps[c->at++].candidate, c->input);
    struct list_run run;
    list_reduce(&task, &run);
    assert_int_equal(c->at, c->n_steps);
    spell(c, run.kept, run.n_kept);
    list_run_done(&run);
    return c->candidate;
}

static void compare_select(const pare_list_algorithm *algorithm, bool cached,
                           const struct step *steps, size_t n_steps)
{
    struct comparison c = {.input = SELECT_INPUT,
                           .predicate = matches_select,
                           .cached = cached,
                           .steps = steps,
                           .n_steps = n_steps};
    assert_string_equal(compare(algorithm, &c), "<SELECT>");
}

#define N_STEPS(steps) (sizeof(steps) / sizeof *(steps))

static void test_ddmin__takes_the_steps_of_seed_001_on_select(void **state)
{
    (void)state;
    compare_select(&pare_list_ddmin, false, select_ddmin, N_STEPS(select_ddmin));
}

static void test_ddmin_parallel__takes_the_lowest_index_first(void **state)
{
    (void)state;
    compare_select(&pare_list_ddmin_parallel, false, select_ddmin, N_STEPS(select_ddmin));
}

static void test_ddmin_complement__takes_the_steps_of_seed_002_on_select(void **state)
{
    (void)state;
    compare_select(&pare_list_ddmin_complement, true, select_ddmin_complement,
                   N_STEPS(select_ddmin_complement));
}

static void test_ddmin_complement__takes_the_29_steps_of_seed_003(void **state)
{
    (void)state;
    struct comparison c = {.input = seed_003[0].candidate,
                           .predicate = is_mystery,
                           .cached = true,
                           .steps = seed_003,
                           .n_steps = N_STEPS(seed_003)};
    assert_int_equal(strlen(c.input), 97);
    assert_int_equal(c.n_steps, 29);
    assert_string_equal(compare(&pare_list_ddmin_complement, &c), "()");
}

static void test_ddmin_blog__takes_the_steps_of_seed_000_on_select(void **state)
{
    (void)state;
    compare_select(&pare_list_ddmin_blog, false, select_ddmin_blog, N_STEPS(select_ddmin_blog));
}

static void test_ddrmin__takes_the_steps_of_seed_000_on_select(void **state)
{
    (void)state;
    compare_select(&pare_list_ddrmin, false, select_ddrmin, N_STEPS(select_ddrmin));
}

/* --- the recorded runs -------------------------------------------------------------- */

static void set_predicate(struct comparison *c, const json_t *predicate)
{
    const char *text = json_string_value(json_object_get(predicate, "regex"));
    c->predicate = matches_select;
    if (text) {
        assert_string_equal(text, "<SELECT.*>");
        return;
    }
    c->argument = json_string_value(json_object_get(predicate, "all"));
    c->predicate = has_all;
    if (c->argument) return;
    c->argument = json_string_value(json_object_get(predicate, "subsequence"));
    c->predicate = has_subsequence;
    assert_non_null(c->argument);
}

/* Compares one line of a record. */
static void compare_recorded(const pare_list_algorithm *algorithm, bool cached,
                             const json_t *record)
{
    static struct step steps[MAX_STEPS];
    const json_t *trace = json_object_get(record, "trace");
    size_t n_steps = json_array_size(trace);
    assert_true(n_steps <= MAX_STEPS);
    for (size_t i = 0; i < n_steps; i++) {
        const json_t *step = json_array_get(trace, i);
        steps[i] = (struct step){json_string_value(json_array_get(step, 0)),
                                 json_is_true(json_array_get(step, 1))};
    }
    struct comparison c = {.input = json_string_value(json_object_get(record, "input")),
                           .cached = cached,
                           .steps = steps,
                           .n_steps = n_steps};
    set_predicate(&c, json_object_get(record, "predicate"));
    assert_string_equal(compare(algorithm, &c),
                        json_string_value(json_object_get(record, "result")));
}

/* NULL, with a notice, where the records are not at hand. */
static FILE *open_record(const char *name)
{
    char path[4096];
    const char *shared = getenv("PARE_SHARED");
    const char *source = getenv("PARE_SOURCE_DIR");
    if (shared)
        snprintf(path, sizeof path, "%s/golden/list/%s", shared, name);
    else
        snprintf(path, sizeof path, "%s/../shared/golden/list/%s", source ? source : ".", name);
    FILE *file = fopen(path, "r");
    if (!file) print_message("no %s: set PARE_SHARED to compare with the records\n", path);
    return file;
}

static void compare_record(const pare_list_algorithm *algorithm, bool cached, const char *name)
{
    FILE *file = open_record(name);
    if (!file) skip();
    size_t n = 0;
    json_t *record;
    while ((record = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL))) {
        compare_recorded(algorithm, cached, record);
        json_decref(record);
        n++;
    }
    fclose(file);
    assert_int_equal(n, 41);
}

static void test_ddmin__takes_every_recorded_step(void **state)
{
    (void)state;
    compare_record(&pare_list_ddmin, false, "seed001_ddmin.jsonl");
}

static void test_ddmin_complement__takes_every_recorded_step(void **state)
{
    (void)state;
    compare_record(&pare_list_ddmin_complement, true, "seed002_ddmin.jsonl");
}

static void test_ddmin_blog__takes_every_recorded_step(void **state)
{
    (void)state;
    compare_record(&pare_list_ddmin_blog, false, "seed000_ddmin.jsonl");
}

static void test_ddrmin__takes_every_recorded_step(void **state)
{
    (void)state;
    compare_record(&pare_list_ddrmin, false, "seed000_ddrmin.jsonl");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ddmin__takes_the_steps_of_seed_001_on_select),
        cmocka_unit_test(test_ddmin_parallel__takes_the_lowest_index_first),
        cmocka_unit_test(test_ddmin_complement__takes_the_steps_of_seed_002_on_select),
        cmocka_unit_test(test_ddmin_complement__takes_the_29_steps_of_seed_003),
        cmocka_unit_test(test_ddmin_blog__takes_the_steps_of_seed_000_on_select),
        cmocka_unit_test(test_ddrmin__takes_the_steps_of_seed_000_on_select),
        cmocka_unit_test(test_ddmin__takes_every_recorded_step),
        cmocka_unit_test(test_ddmin_complement__takes_every_recorded_step),
        cmocka_unit_test(test_ddmin_blog__takes_every_recorded_step),
        cmocka_unit_test(test_ddrmin__takes_every_recorded_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
