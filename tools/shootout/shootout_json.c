/* Cases, runs and scores by jansson.  What is in doubt (memory) ends as a NULL that every
 * step hands on; a text that is no UTF-8 is left out. */
#include "shootout/shootout_json.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include <jansson.h>

#include <pare/outcome.h>
#include <pare/result.h>

#include "ui/stats.h"

enum { RESULT_BYTES = 1000 }; /* of a result that is written */

/* In UTC, so that the same run is written alike everywhere. */
const char *pare_shootout_time(char text[static PARE_SHOOTOUT_TIME_BYTES], int64_t seconds)
{
    time_t when = (time_t)seconds;
    struct tm parts = {0};
    if (!gmtime_r(&when, &parts) ||
        !strftime(text, PARE_SHOOTOUT_TIME_BYTES, "%Y-%m-%dT%H:%M:%SZ", &parts))
        *text = '\0';
    return text;
}

/* Appends `element`, which moves in; gives `list`, or NULL when either is. */
static json_t *append(json_t *list, json_t *element)
{
    if (list && json_array_append_new(list, element) == 0) return list;
    json_decref(list);
    return NULL;
}

/* False when memory is out; `value` has moved in either way. */
static bool set(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value) == 0;
}

/* A text, null where there is none or it is no UTF-8. */
static json_t *text_of(const char *text)
{
    json_t *value = text ? json_string(text) : NULL;
    return value ? value : json_null();
}

/* JSON numbers of jansson are signed; no count here comes near the bound. */
static json_t *whole(uint64_t number)
{
    return json_integer((json_int_t)number);
}

/* 0 is null: no limit, not known. */
static json_t *whole_or_null(uint64_t number)
{
    return number ? whole(number) : json_null();
}

/* ---- cases ----------------------------------------------------------------------- */

/* The groups of a case, in their order. */
static json_t *groups_of(const pare_case *subject)
{
    json_t *list = json_array();
    for (size_t i = 0; i < PARE_CASE_GROUPS && subject->groups[i]; i++)
        list = append(list, text_of(subject->groups[i]));
    return list;
}

/* As descriptions have it: [tests, bytes]. */
static json_t *mark_of(pare_mark_to_beat mark)
{
    return json_pack("[I, I]", (json_int_t)mark.tests, (json_int_t)mark.bytes);
}

/* What was best after so many tests, over all peers. */
static json_t *frontier_of(const pare_case *subject)
{
    json_t *list = json_array();
    for (size_t i = 0; i < subject->n_frontier; i++)
        list = append(list, mark_of(subject->frontier[i]));
    return list;
}

/* null where no peer was measured on the case. */
static json_t *peer_of(const pare_case *subject)
{
    if (!subject->peer) return json_null();
    return json_pack("{s:o, s:o}", "name", text_of(subject->peer), "best",
                     mark_of(subject->peer_best));
}

/* What the case is, without its input, which may be large. */
static json_t *case_of(const pare_case *subject)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", text_of(subject->name),
                     "groups", groups_of(subject), "bytes", whole(subject->input_bytes), "test",
                     text_of(subject->test_shown), "needs", text_of(subject->needs), "known",
                     whole_or_null(subject->known_bytes), "peer", peer_of(subject), "frontier",
                     frontier_of(subject));
}

/* In the order of the suite. */
static json_t *cases_of(const pare_suite *suite)
{
    json_t *list = json_array();
    for (size_t i = 0; i < suite->n_cases; i++)
        list = append(list, case_of(&suite->cases[i]));
    return list;
}

/* ---- runs ------------------------------------------------------------------------ */

/* A triple for each gain, as --stats has it. */
static json_t *curve_of(const pare_stats *stats)
{
    json_t *list = json_array();
    for (size_t i = 0; i < stats->n_curve; i++)
        list = append(list, json_pack("[I, f, I]", (json_int_t)stats->curve[i].tests,
                                      stats->curve[i].seconds, (json_int_t)stats->curve[i].bytes));
    return list;
}

/* What each pass of the run did. */
static json_t *passes_of(const pare_stats *stats)
{
    json_t *list = json_array();
    for (size_t i = 0; i < stats->n_passes; i++) {
        const pare_pass_stats *pass = &stats->passes[i];
        list = append(list, json_pack("{s:s, s:I, s:I, s:I, s:f}", "name", pass->name, "tests",
                                      (json_int_t)pass->tests, "bytes_removed",
                                      (json_int_t)pass->bytes_removed, "successes",
                                      (json_int_t)pass->successes, "oracle_s", pass->oracle_s));
    }
    return list;
}

/* The names are a contract of the format. */
static const char *target_name(pare_target_kind kind)
{
    static const char *const names[] = {[PARE_TARGET_SIZE] = "size",
                                        [PARE_TARGET_TESTS] = "tests",
                                        [PARE_TARGET_FRONTIER] = "frontier",
                                        [PARE_TARGET_KNOWN] = "known",
                                        [PARE_TARGET_TOKENS] = "tokens"};
    return names[kind];
}

/* Judged here once more from the run: nothing of it is kept. */
static json_t *targets_of(const pare_case *subject, const pare_run *run)
{
    json_t *list = json_array();
    pare_target target;
    for (size_t i = 0; pare_shootout_target(subject, run, i, &target); i++)
        list = append(list,
                      json_pack("{s:s, s:o, s:I, s:o, s:I, s:b}", "kind", target_name(target.kind),
                                "within", whole_or_null(target.mark.tests), "bytes_wanted",
                                (json_int_t)target.mark.bytes, "tests", whole_or_null(target.tests),
                                "bytes", (json_int_t)target.bytes, "met", (int)target.met));
    return list;
}

/* Small results are worth reading; null for large ones, and for those that are no UTF-8. */
static json_t *result_text(const pare_run *run)
{
    json_t *text = run->size_bytes <= RESULT_BYTES
                       ? json_stringn((const char *)run->result, run->size_bytes)
                       : NULL;
    return text ? text : json_null();
}

/* What a run with a result has. */
static bool set_figures(json_t *object, const pare_case *subject, const pare_run *run)
{
    const pare_stats *stats = &run->stats;
    return set(object, "bytes_in", whole(stats->bytes_in)) &&
           set(object, "bytes_out", whole(run->size_bytes)) &&
           set(object, "tests_run", whole(stats->tests_run)) &&
           set(object, "tests_needed", whole(pare_run_needed(run))) &&
           set(object, "cache_hits", whole(stats->cache_hits)) &&
           set(object, "speculated", whole(stats->speculated)) &&
           set(object, "cancelled", whole(stats->cancelled)) &&
           set(object, "wall_s", json_real(stats->wall_s)) &&
           set(object, "oracle_s", json_real(stats->oracle_s)) &&
           set(object, "cpu_s", json_real(stats->cpu_s)) &&
           set(object, "stopped", text_of(pare_stats_stopped_name(stats->stopped))) &&
           set(object, "minimal", text_of(pare_stats_minimal_name(stats->minimal))) &&
           set(object, "checked", text_of(pare_outcome_name(run->checked))) &&
           set(object, "result", result_text(run)) && set(object, "passes", passes_of(stats)) &&
           set(object, "curve", curve_of(stats)) &&
           set(object, "targets", targets_of(subject, run));
}

/* A run without a result has an "error" in the place of its figures. */
static json_t *run_of(const pare_shootout *shootout, const pare_run *run)
{
    const pare_case *subject = &shootout->suite->cases[run->case_index];
    json_t *object = json_pack("{s:o, s:o, s:i, s:i}", "case", text_of(subject->name), "algorithm",
                               text_of(shootout->contenders[run->contender]), "jobs",
                               (int)run->jobs, "repeat", (int)run->repeat);
    bool complete = object && (run->status ? set(object, "error", text_of(run->message))
                                           : set_figures(object, subject, run));
    if (complete) return object;
    json_decref(object);
    return NULL;
}

/* In the order of the matrix, as far as it was run. */
static json_t *runs_of(const pare_shootout *shootout)
{
    json_t *list = json_array();
    for (size_t i = 0; i < shootout->n_runs; i++)
        list = append(list, run_of(shootout, &shootout->runs[i]));
    return list;
}

/* ---- scores ---------------------------------------------------------------------- */

/* "group" is null for all cases. */
static json_t *score_of(const pare_shootout *shootout, const char *group, size_t contender,
                        unsigned jobs)
{
    pare_score score = pare_shootout_score(shootout, group, contender, jobs);
    return json_pack(
        "{s:o, s:o, s:i, s:I, s:f, s:f, s:f, s:f, s:f, s:I, s:I, s:I, s:I, s:I, s:f}", "algorithm",
        text_of(shootout->contenders[contender]), "group", text_of(group), "jobs", (int)jobs,
        "cases", (json_int_t)score.n_cases, "bytes", score.bytes, "share", score.share, "tests",
        score.tests, "wall_s", score.wall_s, "tests_to_twice", score.to_twice, "smallest",
        (json_int_t)score.n_smallest, "within_twice", (json_int_t)score.n_twice, "finished",
        (json_int_t)score.n_finished, "failed", (json_int_t)score.n_failed, "refuted",
        (json_int_t)score.n_refuted, "speed_up", pare_shootout_speed_up(shootout, contender, jobs));
}

/* All cases first, then each group. */
static json_t *scores_of(const pare_shootout *shootout)
{
    json_t *list = json_array();
    const char *group = NULL;
    for (size_t g = 0; g == 0 || group; g++) {
        for (size_t k = 0; k < shootout->n_jobs; k++)
            for (size_t i = 0; i < shootout->n_contenders; i++)
                list = append(list, score_of(shootout, group, i, shootout->jobs[k]));
        group = pare_suite_group(shootout->suite, g);
    }
    return list;
}

/* ---- comparisons ----------------------------------------------------------------- */

static json_t *interval_of(pare_interval interval)
{
    return json_pack("[f, f]", interval.low, interval.high);
}

/* One contender by another in one figure; NULL when memory is out. */
static json_t *comparison_of(const pare_shootout *shootout, const pare_cell *a, const pare_cell *b,
                             pare_figure figure)
{
    static const char *const names[] = {[PARE_FIGURE_BYTES] = "bytes",
                                        [PARE_FIGURE_TESTS] = "tests_needed",
                                        [PARE_FIGURE_SECONDS] = "wall_s"};
    pare_comparison found;
    if (pare_shootout_compare(shootout, a, b, figure, &found, NULL)) return NULL;
    return json_pack("{s:o, s:o, s:i, s:s, s:I, s:f, s:o, s:f, s:f}", "algorithm",
                     text_of(shootout->contenders[a->contender]), "by",
                     text_of(shootout->contenders[b->contender]), "jobs", (int)a->jobs, "figure",
                     names[figure], "cases", (json_int_t)found.n_cases, "ratio", found.ratio.mean,
                     "interval", interval_of(found.ratio), "p", found.p, "a12", found.a12);
}

/* Each two contenders, once. */
static json_t *comparisons_of(const pare_shootout *shootout)
{
    json_t *list = json_array();
    for (size_t k = 0; k < shootout->n_jobs; k++)
        for (size_t i = 0; i < shootout->n_contenders; i++)
            for (size_t j = i + 1; j < shootout->n_contenders; j++)
                for (pare_figure figure = PARE_FIGURE_BYTES; figure <= PARE_FIGURE_SECONDS;
                     figure++) {
                    const pare_cell a = {.contender = i, .jobs = shootout->jobs[k]};
                    const pare_cell b = {.contender = j, .jobs = shootout->jobs[k]};
                    list = append(list, comparison_of(shootout, &a, &b, figure));
                }
    return list;
}

/* ---- all of it ------------------------------------------------------------------- */

/* A list of texts. */
static json_t *texts_of(char *const *texts, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        list = append(list, text_of(texts[i]));
    return list;
}

/* The numbers of jobs of the matrix. */
static json_t *jobs_of(const pare_shootout *shootout)
{
    json_t *list = json_array();
    for (size_t i = 0; i < shootout->n_jobs; i++)
        list = append(list, whole(shootout->jobs[i]));
    return list;
}

/* NULL when memory is out: json_pack takes its parts over even then. */
static json_t *object_of(const pare_shootout *shootout)
{
    char time[PARE_SHOOTOUT_TIME_BYTES];
    return json_pack(
        "{s:s, s:o, s:s, s:s, s:f, s:b, s:o, s:o, s:o, s:o, s:f, s:o, s:o, s:o, s:o, s:i, "
        "s:o}",
        "format", "pare-shootout-1", "suite", text_of(shootout->suite->name), "date",
        pare_shootout_time(time, shootout->started_s), "machine", shootout->machine, "wall_s",
        shootout->wall_s, "interrupted", (int)shootout->interrupted, "algorithms",
        texts_of(shootout->contenders, shootout->n_contenders), "jobs", jobs_of(shootout),
        "max_tests", whole_or_null(shootout->max_tests), "max_time_s",
        shootout->max_time_ms ? json_real((double)shootout->max_time_ms / 1000) : json_null(),
        "test_s", (double)shootout->test_us / 1e6, "notices",
        texts_of(shootout->suite->notices, shootout->suite->n_notices), "cases",
        cases_of(shootout->suite), "runs", runs_of(shootout), "scores", scores_of(shootout),
        "repeats", (int)shootout->n_repeats, "comparisons", comparisons_of(shootout));
}

/* Nothing is written unless the whole object could be made. */
pare_status pare_shootout_json_write(FILE *out, const pare_shootout *shootout, pare_error *err)
{
    json_t *object = object_of(shootout);
    if (!object) return pare_fail_nomem(err);
    bool written = json_dumpf(object, out, JSON_COMPACT | JSON_REAL_PRECISION(9)) == 0 &&
                   fputc('\n', out) != EOF && fflush(out) == 0;
    int reason = errno;
    json_decref(object);
    return written ? PARE_OK : pare_fail_errno(err, reason, "cannot write the results");
}
