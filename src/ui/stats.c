/* What a reduction leaves for programs, by jansson: its statistics as one JSON object, and the
 * trace, an object a line for each test.
 *
 * The order of the keys is that of the pack format, which is a contract of the command line;
 * what does not always exist is null or appended.  Texts that are no UTF-8 become null, as JSON has
 * no other way to hold them.  json_pack takes over the values of "o" even when it fails, so a NULL
 * from one of the *_of functions needs no cleanup here.
 *
 * Lines of the trace are buffered, but an accepted test is flushed: what is on disk then tells of
 * every best that the user can see.  The first failure is kept and nothing is written after it; it
 * is reported when the trace is closed, so that a full disk does not stop a reduction that is going
 * well. */

#include "ui/stats.h"

#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <pare/events.h>
#include <pare/outcome.h>
#include <pare/result.h>
#include <pare/test.h>

#include "base/alloc.h"
#include "ui/format.h"

/* The names are contracts.  No default case: the compiler warns of a value without a name. */
const char *pare_stats_stopped_name(pare_stopped stopped)
{
    switch (stopped) {
    case PARE_STOPPED_MINIMAL: return "minimal";
    case PARE_STOPPED_BUDGET: return "budget";
    case PARE_STOPPED_TARGET: return "target";
    case PARE_STOPPED_INTERRUPTED: return "interrupted";
    case PARE_STOPPED_EFFORT: return "effort";
    }
    return "interrupted";
}

/* As the manual calls the claims. */
const char *pare_stats_minimal_name(pare_minimal minimal)
{
    switch (minimal) {
    case PARE_MINIMAL_NONE: return "none";
    case PARE_MINIMAL_ONE: return "1-minimal";
    case PARE_MINIMAL_ONE_TREE: return "1-tree-minimal";
    }
    return "none";
}

/* "none": a predicate in the process itself, or no test was run. */
const char *pare_stats_runner_name(pare_runner runner)
{
    switch (runner) {
    case PARE_RUNNER_AUTO: return "none";
    case PARE_RUNNER_SPAWN: return "spawn";
    case PARE_RUNNER_PRELOAD: return "preload";
    case PARE_RUNNER_AFL: return "afl";
    case PARE_RUNNER_INPROCESS: return "inprocess";
    case PARE_RUNNER_WORKER: return "worker";
    }
    return "none";
}

/* Appends `element`, which moves in, to `list`; false when memory is out.
 * json_array_append_new also takes the element over when it fails. */
static bool append(json_t *list, json_t *element)
{
    return json_array_append_new(list, element) == 0;
}

/* List of passes; NULL when memory is out.  In the order in which they ran first. */
static json_t *passes_of(const pare_stats *stats)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < stats->n_passes; i++) {
        const pare_pass_stats *pass = &stats->passes[i];
        json_t *object =
            json_pack("{s:s, s:I, s:f, s:I, s:I}", "name", pass->name, "tests",
                      (json_int_t)pass->tests, "oracle_s", pass->oracle_s, "bytes_removed",
                      (json_int_t)pass->bytes_removed, "successes", (json_int_t)pass->successes);
        /* A NULL object is refused by append as well, so there is one check for both. */
        if (!append(list, object)) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* List of [tests, seconds, bytes]; NULL when memory is out.  The best after so many tests:
 * what the plot of the report shows. */
static json_t *curve_of(const pare_stats *stats)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < stats->n_curve; i++) {
        const pare_curve_point *point = &stats->curve[i];
        json_t *triple = json_pack("[I, f, I]", (json_int_t)point->tests, point->seconds,
                                   (json_int_t)point->bytes);
        if (!append(list, triple)) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* The result says what was in effect, never "default". */
static const char *sandbox_name(pare_sandbox_kind kind)
{
    switch (kind) {
    case PARE_SANDBOX_DEVICES: return "devices";
    case PARE_SANDBOX_FULL: return "full";
    case PARE_SANDBOX_DEFAULT:
    case PARE_SANDBOX_OFF: return "off";
    }
    return "off";
}

/* A limit; null: none.  A limit of 0 means none. */
static json_t *limit_of(uint64_t limit)
{
    return limit ? json_integer((json_int_t)limit) : json_null();
}

/* What held for the tests; NULL when memory is out. */
static json_t *limits_of(const pare_safety *safety)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "memory_bytes", limit_of(safety->memory_bytes),
                     "cpu_s", limit_of(safety->cpu_s), "processes", limit_of(safety->processes),
                     "file_bytes", limit_of(safety->file_bytes));
}

/* Retired tests by outcome; NULL when memory is out.  Counted by outcomes that retired, so
 * they are the same for any number of jobs. */
static json_t *outcomes_of(const pare_stats *stats)
{
    return json_pack("{s:I, s:I, s:I, s:I}", "FAIL", (json_int_t)stats->outcome_fail, "PASS",
                     (json_int_t)stats->outcome_pass, "UNRESOLVED",
                     (json_int_t)stats->outcome_unresolved, "other_failures",
                     (json_int_t)stats->other_failures);
}

/* Counts, and the bounds that they allow with 95 % confidence.  As the run has worked them
 * out. */
static json_t *frequency_of(const pare_frequency *frequency)
{
    return json_pack("{s:I, s:I, s:f, s:f}", "fails", (json_int_t)frequency->fails, "runs",
                     (json_int_t)frequency->runs, "low", frequency->low, "high", frequency->high);
}

/* null for a failure that seems to be certain. */
static json_t *flaky_of(const pare_flaky_stats *flaky)
{
    if (!flaky->flaky) return json_null();
    return json_pack("{s:o, s:o, s:I, s:I, s:b, s:b}", "input", frequency_of(&flaky->input),
                     "result", frequency_of(&flaky->result), "runs", (json_int_t)flaky->runs,
                     "taken_back", (json_int_t)flaky->taken_back, "fixed_addresses",
                     (int)flaky->fixed_addresses, "one_at_a_time", (int)flaky->one_at_a_time);
}

/* A text for a shell, or with paths; null when it is not UTF-8, as JSON has to be.
 * Also "" for a text that there is not: keys of the object are never missing. */
static json_t *text_of(const char *text)
{
    json_t *string = json_string(text ? text : "");
    return string ? string : json_null();
}

/* The whole object; NULL when memory is out.  json_pack takes over the lists, also when it
 * fails.  Programs read these keys, so none is renamed; new ones come at the end. */
static json_t *object_of(const char *algorithm, const pare_stats *stats)
{
    return json_pack(
        "{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:I, s:I,"
        " s:s, s:s, s:s, s:s, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:s?, s:f}",
        "algorithm", algorithm, "bytes_in", (json_int_t)stats->bytes_in, "bytes_out",
        (json_int_t)stats->bytes_out, "files_in", (json_int_t)stats->files_in, "files_out",
        (json_int_t)stats->files_out, "units_in", (json_int_t)stats->units_in, "units_out",
        (json_int_t)stats->units_out, "tests_run", (json_int_t)stats->tests_run, "cache_hits",
        (json_int_t)stats->cache_hits, "speculated", (json_int_t)stats->speculated, "cancelled",
        (json_int_t)stats->cancelled, "wall_s", stats->wall_s, "oracle_s", stats->oracle_s, "cpu_s",
        stats->cpu_s, "peak_rss_bytes", (json_int_t)stats->peak_rss_bytes, "jobs",
        (json_int_t)stats->jobs, "stopped", pare_stats_stopped_name(stats->stopped), "minimal",
        pare_stats_minimal_name(stats->minimal), "runner", pare_stats_runner_name(stats->runner),
        "runner_reason", stats->runner_reason, "passes", passes_of(stats), "curve", curve_of(stats),
        "sandbox", sandbox_name(stats->safety.sandbox), "limits", limits_of(&stats->safety),
        "outcomes", outcomes_of(stats), "flaky", flaky_of(&stats->flaky), "unprotected",
        *stats->unprotected ? text_of(stats->unprotected) : json_null(), "language",
        stats->language, "busy_s", stats->busy_s);
}

/* Adds how many candidates compiled, where that was listened to; false when memory is out. */
static bool add_compiled(json_t *object, const pare_compiled_stats *compiled)
{
    if (!compiled->candidates && !compiled->checks) return true;
    json_t *heard =
        json_pack("{s:I, s:I, s:I, s:f}", "candidates", (json_int_t)compiled->candidates,
                  "compiled", (json_int_t)compiled->compiled, "checks",
                  (json_int_t)compiled->checks, "check_s", compiled->check_s);
    return heard && json_object_set_new(object, "compiled", heard) == 0;
}

/* Adds what workers on other machines did, where they were asked for; false when memory is out. */
static bool add_workers(json_t *object, const pare_workers_stats *workers)
{
    if (!workers->traffic_bytes) return true;
    json_t *all = json_pack(
        "{s:i, s:i, s:I, s:I, s:I, s:I}", "most_machines", (int)workers->most_machines,
        "most_slots", (int)workers->most_slots, "tests_away", (json_int_t)workers->tests_away,
        "tests_back", (json_int_t)workers->tests_back, "tests_known",
        (json_int_t)workers->tests_known, "traffic_bytes", (json_int_t)workers->traffic_bytes);
    return all && json_object_set_new(object, "workers", all) == 0;
}

/* Adds what interpreters told, where one was asked; false when memory is out. */
static bool add_coverage(json_t *object, const pare_coverage_stats *coverage)
/* Nobody asked an interpreter. */
{
    if (!coverage->runs) return true;
    json_t *told =
        json_pack("{s:i, s:f, s:I}", "runs", (int)coverage->runs, "seconds", coverage->seconds,
                  "unreached_bytes", (json_int_t)coverage->unreached_bytes);
    return told && json_object_set_new(object, "coverage", told) == 0;
}

/* Adds what libclang told, where it was asked; false when memory is out. */
static bool add_semantic(json_t *object, const pare_semantic_stats *semantic)
{
    if (!semantic->runs && !semantic->absent) return true;
    json_t *told =
        json_pack("{s:i, s:f, s:I, s:b}", "runs", (int)semantic->runs, "seconds", semantic->seconds,
                  "edits", (json_int_t)semantic->edits, "absent", (int)semantic->absent);
    return told && json_object_set_new(object, "semantic", told) == 0;
}

/* Adds what not every reduction has; false when memory is out.  Only where a command was
 * reduced as well. */
static bool add_more(json_t *object, const pare_result *result)
{
    const pare_stats *stats = &result->stats;
    /* Only of a claim about nodes of a tree. */
    if (*stats->minimal_nodes &&
        json_object_set_new(object, "minimal_nodes", json_string(stats->minimal_nodes)))
        return false;
    if (!add_compiled(object, &stats->compiled)) return false;
    if (!add_workers(object, &stats->workers)) return false;
    if (!add_coverage(object, &stats->coverage)) return false;
    if (!add_semantic(object, &stats->semantic)) return false;
    /* The words of a command were not reduced. */
    if (!result->command) return true;
    json_t *words = json_pack(
        "{s:I, s:I, s:I, s:I, s:o, s:o}", "arguments_in", (json_int_t)stats->arguments_in,
        "arguments_out", (json_int_t)stats->arguments_out, "variables_in",
        (json_int_t)stats->variables_in, "variables_out", (json_int_t)stats->variables_out,
        "command", text_of(result->command), "variables", text_of(result->variables));
    /* The keys are appended to the object, as parts of it and not as one of its own. */
    bool added = words && json_object_update(object, words) == 0;
    json_decref(words);
    return added;
}

/* One write at the end: nothing is printed if the object cannot be made. */
pare_status pare_stats_write(FILE *out, const char *algorithm, const pare_result *result,
                             pare_error *err)
{
    json_t *object = object_of(algorithm, &result->stats);
    if (!object) return pare_fail_nomem(err);
    if (!add_more(object, result)) {
        json_decref(object);
        return pare_fail_nomem(err);
    }
    /* jansson does not always set it. */
    errno = 0;
    pare_status status = PARE_OK;
    /* Nine digits: microseconds of a run of hours. */
    if (json_dumpf(object, out, JSON_REAL_PRECISION(9)) != 0 || fputc('\n', out) == EOF ||
        fflush(out) != 0)
        status = pare_fail_errno(err, errno, "cannot write the statistics");
    json_decref(object);
    return status;
}

/* ---- the trace -------------------------------------------------------------------------- */

/* The trace while it is written.  `failure` is its first one, which is told at the end. */
struct pare_trace {
    FILE *file;
    bool has_texts;
    char name[256]; /* as shown in messages */
    pare_error failure;
};

/* The name is kept as it is shown, because messages about it come later. */
pare_status pare_stats_trace_open(const char *path, pare_trace_texts texts, pare_trace **out,
                                  pare_error *err)
{
    pare_trace *trace = pare_alloc_zero(1, sizeof *trace);
    if (!trace) return pare_fail_nomem(err);
    trace->has_texts = texts == PARE_TRACE_TEXTS;
    pare_format_name(trace->name, sizeof trace->name, path);
    trace->file = fopen(path, "we");
    if (!trace->file) {
        pare_status status =
            pare_fail_errno(err, errno, "cannot write the trace '%s'", trace->name);
        pare_alloc_free(trace);
        return status;
    }
    *out = trace;
    return PARE_OK;
}

/* What is no UTF-8 goes in as hexadecimal digits. */
static bool add_candidate(json_t *object, const pare_event *event)
{
    static const char digits[] = "0123456789abcdef";
    json_t *text = json_stringn(event->text, event->text_bytes);
    if (text) return json_object_set_new(object, "text", text) == 0;
    char *hex = pare_alloc(event->text_bytes + 1, 2);
    /* Two digits for each byte; one byte more, so that an empty text has an array, too. */
    if (!hex) return false;
    for (size_t i = 0; i < event->text_bytes; i++) {
        const unsigned char byte = (unsigned char)event->text[i];
        hex[2 * i] = digits[byte >> 4];
        hex[2 * i + 1] = digits[byte & 15];
    }
    const bool added =
        json_object_set_new(object, "hex", json_stringn(hex, 2 * event->text_bytes)) == 0;
    pare_alloc_free(hex);
    return added;
}

/* NULL when memory is out.  A test that the cache answered took no time.  The fields are
 * described in pare-reduce(1), TRACE AND STATISTICS. */
static json_t *line_of(const pare_event *event, bool has_texts)
{
    json_t *object = json_pack(
        "{s:I, s:s, s:I, s:s, s:s, s:f, s:b}", "n", (json_int_t)event->n, "digest",
        event->digest ? event->digest : "", "bytes", (json_int_t)event->size_bytes, "outcome",
        pare_outcome_name(event->outcome), "source", event->from_cache ? "cache" : "run", "ms",
        event->from_cache ? 0.0 : event->test_ms, "accepted", (int)event->accepted);
    const bool is_signed =
        !event->signature || /* ASCII */
        (object && json_object_set_new(object, "signature", json_string(event->signature)) == 0);
    if (object && is_signed && (!has_texts || !event->text || add_candidate(object, event)))
        return object;
    json_decref(object);
    return NULL;
}

/* Writes `object` and a line end; PARE_E_IO if the file does not take them. */
static pare_status write_line(pare_trace *trace, const json_t *object, bool flush)
{
    if (json_dumpf(object, trace->file, JSON_COMPACT | JSON_REAL_PRECISION(6)) != 0 ||
        fputc('\n', trace->file) == EOF || (flush && fflush(trace->file) != 0))
        return pare_fail_errno(&trace->failure, errno, "cannot write the trace '%s'", trace->name);
    return PARE_OK;
}

/* Only what retires has a line, so the trace is the same for any number of slots. */
void pare_stats_trace_add(pare_trace *trace, const pare_event *event)
{
    /* After a failure nothing is written: a trace with a hole in it would be believed. */
    if (event->kind != PARE_EVENT_TEST || trace->failure.status != PARE_OK) return;
    json_t *object = line_of(event, trace->has_texts);
    /* A success is worth a system call: what is on disk then tells of it. */
    pare_status status =
        object ? write_line(trace, object, event->accepted) : pare_fail_nomem(&trace->failure);
    (void)status; /* kept in trace->failure until the trace is closed */
    json_decref(object);
}

/* Reports the first failure of all, which may be long past. */
pare_status pare_stats_trace_close(pare_trace *trace, pare_error *err)
{
    if (!trace) return PARE_OK;
    /* Kept apart, since the trace is freed before it is told. */
    pare_error failure = trace->failure;
    errno = 0;
    if (fclose(trace->file) != 0 && failure.status == PARE_OK)
        (void)pare_fail_errno(&failure, errno, "cannot write the trace '%s'", trace->name);
    pare_alloc_free(trace);
    if (failure.status != PARE_OK) return pare_fail(err, failure.status, "%s", failure.message);
    return PARE_OK;
}
