/* Findings, jobs, statistics and events as JSON.
 *
 * One function for each row of the store, by json_pack, whose format `o` takes over a value and
 * makes the whole NULL when that one is: so running out of memory anywhere is one NULL at the
 * end.  Texts go in through pare_fuzz_web_json_text only.  Times are milliseconds since 1970, as in
 * findings.h; 0 stands for "not yet".  Invariant: names of members never change their sense within
 * one version of the API; new ones may come. */
#include "ui/fuzz_web_json.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/fail.h"
#include "base/visible.h"

/* ---- texts ------------------------------------------------------------------------- */

/* Most texts are UTF-8, and jansson refuses all others.  Of those each byte that
 * belongs to no character becomes U+FFFD, and the rest is copied. */
json_t *pare_fuzz_web_json_text(const char *text)
{
    static const char REPLACEMENT[] = "\xef\xbf\xbd";
    json_t *string = json_string(text);
    if (string) return string;
    pare_buffer clean = {0};
    pare_status status = PARE_OK;
    size_t size = strlen(text), length, escaped = 0;
    /* `length` is 0 for what cannot be seen, such as a control; `escaped` has its bytes
     * then. */
    for (size_t at = 0; !status && at < size; at += length ? length : escaped) {
        long code = 0;
        length =
            pare_visible_character((const unsigned char *)text + at, size - at, &escaped, &code);
        /* Negative: no UTF-8. */
        status = code < 0 ? pare_buffer_add(&clean, REPLACEMENT, 3, NULL)
                          : pare_buffer_add(&clean, text + at, length ? length : escaped, NULL);
    }
    if (!status && size) string = json_stringn(clean.data, clean.size);
    pare_buffer_done(&clean);
    return string;
}

static json_t *text(const char *bytes)
{
    return pare_fuzz_web_json_text(bytes);
}

/* Counts beyond 2^63 are none that a campaign reaches. */
static json_t *count(uint64_t n)
{
    return json_integer((json_int_t)n);
}

/* JSON has no infinity, nor what is no number. */
static json_t *real(double number)
{
    return json_real(isfinite(number) ? number : 0);
}

/* ---- findings ---------------------------------------------------------------------- */

/* What a table shows of a finding.  Numbers of 0 and texts of "" stand for what is not
 * known. */
static json_t *row_of(const pare_finding *finding)
{
    return json_pack(
        "{s:I, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:I, s:b, "
        "s:o}",
        "id", (json_int_t)finding->id, "state", pare_finding_state_name(finding->state), "target",
        text(finding->target), "source", text(finding->source), "identity", text(finding->identity),
        "title", text(finding->title), "version", text(finding->version), "url", text(finding->url),
        "note", text(finding->note), "count", count(finding->count), "bytes",
        count(finding->input_bytes), "reduced_bytes", count(finding->reduced_bytes), "config",
        (json_int_t)finding->config, "first_seen", (json_int_t)finding->first_seen, "last_seen",
        (json_int_t)finding->last_seen, "merged_into", (json_int_t)finding->merged_into, "pinned",
        (int)finding->pinned, "signature", text(finding->signature));
}

/* What is long, or of interest for one finding only. */
static json_t *rest_of(const pare_finding *finding)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:s, s:s, s:I, s:o, s:o}", "output",
                     text(finding->output), "explanation", text(finding->explanation),
                     "gone_version", text(finding->gone_version), "first_bad",
                     text(finding->first_bad), "input", finding->input, "reduced", finding->reduced,
                     "validated", (json_int_t)finding->validated, "fails", count(finding->fails),
                     "runs", count(finding->runs));
}

/* The object of the row, and for WHOLE the members of the rest added to it. */
json_t *pare_fuzz_web_json_finding(const pare_finding *finding, pare_fuzz_web_extent extent)
{
    json_t *object = row_of(finding);
    if (!object || extent == PARE_FUZZ_WEB_ROW) return object;
    json_t *rest = rest_of(finding);
    bool fits = rest && json_object_update(object, rest) == 0;
    json_decref(rest);
    if (fits) return object;
    json_decref(object);
    return NULL;
}

json_t *pare_fuzz_web_json_member(const pare_finding_member *member)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:I, s:I, s:o}", "digest", member->digest, "bytes",
                     count(member->bytes), "signature", text(member->signature), "source",
                     text(member->source), "version", text(member->version), "config",
                     (json_int_t)member->config, "seen", (json_int_t)member->seen, "count",
                     count(member->count));
}

/* ---- the rest ---------------------------------------------------------------------- */

json_t *pare_fuzz_web_json_job(const pare_job *job)
{
    return json_pack("{s:I, s:s, s:s, s:I, s:o, s:o, s:o, s:o, s:i, s:i, s:I, s:I, s:I, s:o, s:o}",
                     "id", (json_int_t)job->id, "kind", pare_job_kind_name(job->kind), "state",
                     pare_job_state_name(job->state), "finding", (json_int_t)job->finding, "target",
                     text(job->target), "source", text(job->source), "detail", text(job->detail),
                     "progress", text(job->progress), "cost", (int)job->cost, "priority",
                     job->priority, "created", (json_int_t)job->created, "started",
                     (json_int_t)job->started, "ended", (json_int_t)job->ended, "done",
                     real(job->done), "tests", count(job->tests));
}

json_t *pare_fuzz_web_json_statistics(const pare_store_statistics *statistics)
{
    return json_pack("{s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:I, s:o}", "source",
                     text(statistics->source), "target", text(statistics->target), "config",
                     (json_int_t)statistics->config, "tests", count(statistics->tests), "failures",
                     count(statistics->failures), "findings", count(statistics->findings), "unique",
                     count(statistics->unique_now), "edges", count(statistics->edges), "testing_s",
                     real(statistics->testing_s), "making_s", real(statistics->making_s), "first",
                     (json_int_t)statistics->first, "last", (json_int_t)statistics->last,
                     "tests_per_s", real(statistics->tests_per_s));
}

json_t *pare_fuzz_web_json_harm(const pare_store_harm *harm)
{
    return json_pack("{s:o, s:s, s:s, s:o}", "target", text(harm->target), "kind", harm->kind,
                     "what", harm->what, "tests", count(harm->tests));
}

json_t *pare_fuzz_web_json_point(const pare_store_point *point)
{
    return json_pack("{s:I, s:o, s:o, s:o, s:o}", "time", (json_int_t)point->time, "tests",
                     count(point->tests), "failures", count(point->failures), "findings",
                     count(point->findings), "edges", count(point->edges));
}

json_t *pare_fuzz_web_json_event(const pare_store_event *event)
{
    return json_pack("{s:I, s:I, s:o, s:I, s:I, s:o}", "id", (json_int_t)event->id, "time",
                     (json_int_t)event->time, "kind", text(event->kind), "finding",
                     (json_int_t)event->finding, "job", (json_int_t)event->job, "text",
                     text(event->text));
}

/* Where JSON goes, and what came of it: a failure stays, so that nothing is appended
 * after a gap. */
struct sink {
    pare_buffer *out;
    pare_status status;
};

static int add(const char *bytes, size_t size, void *context)
{
    struct sink *sink = context;
    if (!sink->status) sink->status = pare_buffer_add(sink->out, bytes, size, NULL);
    return sink->status ? -1 : 0;
}

pare_status pare_fuzz_web_json_print(json_t *value, pare_buffer *out, pare_error *err)
{
    struct sink sink = {.out = out};
    const size_t flags = JSON_COMPACT | JSON_REAL_PRECISION(9);
    bool fits = value && json_dump_callback(value, add, &sink, flags) == 0 && !sink.status;
    json_decref(value);
    return fits ? PARE_OK : pare_fail_nomem(err);
}
