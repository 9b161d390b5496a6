/* The trace: a JSON object a line for each test, by jansson.
 *
 * Lines are buffered, but an accepted test is flushed: what is on disk then tells of every best that
 * the user can see.  The first failure is kept and nothing is written after it; it is reported when
 * the trace is closed, so that a full disk does not stop a reduction that is going well. */
#include "ui/trace.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include <pare/events.h>
#include <pare/outcome.h>

#include "base/alloc.h"
#include "ui/format.h"

struct pare_trace {
    FILE *file;
    char name[256]; /* as shown in messages */
    pare_error failure;
};

/* The name is kept as it is shown, because messages about it come later. */
pare_status pare_trace_open(const char *path, pare_trace **out, pare_error *err)
{
    pare_trace *trace = pare_alloc_zero(1, sizeof *trace);
    if (!trace) return pare_fail_nomem(err);
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

/* NULL when memory is out.  A test that the cache answered took no time. */
static json_t *object_of(const pare_event *event)
{
    json_t *object = json_pack(
        "{s:I, s:s, s:I, s:s, s:s, s:f, s:b}", "n", (json_int_t)event->n, "digest",
        event->digest ? event->digest : "", "bytes", (json_int_t)event->size_bytes, "outcome",
        pare_outcome_name(event->outcome), "source", event->from_cache ? "cache" : "run", "ms",
        event->from_cache ? 0.0 : event->test_ms, "accepted", (int)event->accepted);
    if (!object || !event->signature) return object;
    json_t *signature = json_string(event->signature); /* ASCII */
    if (signature && json_object_set_new(object, "signature", signature) == 0) return object;
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
void pare_trace_add(pare_trace *trace, const pare_event *event)
{
    /* After a failure nothing is written: a trace with a hole in it would be believed. */
    if (event->kind != PARE_EVENT_TEST || trace->failure.status != PARE_OK) return;
    json_t *object = object_of(event);
    /* A success is worth a system call: what is on disk then tells of it. */
    pare_status status =
        object ? write_line(trace, object, event->accepted) : pare_fail_nomem(&trace->failure);
    (void)status; /* kept in trace->failure until the trace is closed */
    json_decref(object);
}

/* Reports the first failure of all, which may be long past. */
pare_status pare_trace_close(pare_trace *trace, pare_error *err)
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
