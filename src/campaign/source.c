/* Sources: the table of their kinds, and the code that all kinds share.
 *
 * A source runs inside one call and pushes its inputs, so each kind can be written as a plain loop:
 * over a generator, a folder, or the events of another fuzzer.  Invariant: all inputs go through
 * pare_source_emit, so time is accounted for (the time between two inputs was spent on making the
 * second one), and a requested stop ends each kind at its next input.  Why not an iterator: half of
 * the kinds wait for something, and would need a state machine each. */
#include "campaign/source.h"

#include <assert.h>
#include <string.h>

#include "campaign/section.h"
#include "os/clock.h"
#include "os/stop.h"

/* In the order of the guide. */
static const struct {
    const char *name;
    pare_source_opener open;
} kinds[] = {
    {"grammar", pare_source_generate_open},
    {"lang", pare_source_generate_open},
    {"population", pare_source_generate_open},
    {"model", pare_source_generate_open},
    {"graph", pare_source_generate_open},
    {"random", pare_source_generate_open},
    {"mutation", pare_source_generate_open},
    {"choice", pare_source_generate_open},
    {"folder", pare_source_folder_open},
    {"command", pare_source_command_open},
    {"prints", pare_source_command_open},
    {"recorded", pare_source_recorded_open},
    {"afl", pare_source_afl_open},
    {"libfuzzer", pare_source_libfuzzer_open},
};

/* A name that is not there is refused when the configuration is read; here it is told all the
 * same. */
pare_status pare_source_open(const pare_source_options *options, pare_source **out, pare_error *err)
{
    const char *kind = pare_section_text(options->section, "kind");
    const char *name = pare_section_name(options->section);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].name, kind) != 0) continue;
        pare_status status = kinds[i].open(options, out, err);
        if (status) pare_fail_prefix(err, "source %s", name);
        return status;
    }
    return pare_fail(err, PARE_E_ARG, "source %s: unknown kind '%s'", name, kind);
}

/* A kind closes what it has, and itself. */
void pare_source_close(pare_source *source)
{
    if (source) source->ops->close(source);
}

/* The time that the sink takes is not the source's: pare_source_emit takes it out. */
pare_status pare_source_run(pare_source *source, const char *position, pare_source_sink sink,
                            void *context, bool *dry, pare_error *err)
{
    assert(position && "the beginning is an empty text");
    *dry = false;
    source->sink = sink;
    source->context = context;
    source->since_ns = pare_clock_ns();
    source->sink_ended = false;
    pare_status status = source->ops->run(source, position, dry, err);
    if (status && status != PARE_E_INTERRUPTED && !source->sink_ended)
        pare_fail_prefix(err, "source %s", source->name);
    source->making_ns += pare_clock_ns() - source->since_ns;
    source->since_ns = 0;
    return status;
}

/* Returns what the sink returns, which ends the source's run if it is not PARE_OK; sink_ended
 * tells that it was not the source's failure. */
pare_status pare_source_emit(pare_source *source, const void *bytes, size_t size,
                             const char *position, pare_error *err)
{
    assert(source->since_ns && "inputs are emitted while the source runs");
    if (pare_stop_requested(source->options.stop))
        return pare_fail(err, PARE_E_INTERRUPTED, "interrupted");
    source->making_ns += pare_clock_ns() - source->since_ns;
    pare_status status = source->sink(source->context, bytes, size, position, err);
    source->sink_ended = status != PARE_OK;
    source->since_ns = pare_clock_ns();
    return status;
}

/* What others do meanwhile is not our making. */
pare_status pare_source_idle(pare_source *source, pare_error *err)
{
    if (pare_stop_requested(source->options.stop))
        return pare_fail(err, PARE_E_INTERRUPTED, "interrupted");
    pare_status status = source->sink(source->context, NULL, 0, NULL, err);
    source->sink_ended = status != PARE_OK;
    source->since_ns = pare_clock_ns();
    return status;
}

/* Kinds that take no members have no `join`. */
pare_status pare_source_join(pare_source *source, const void *bytes, size_t size,
                             uint64_t new_edges, pare_error *err)
{
    return source->ops->join ? source->ops->join(source, bytes, size, new_edges, err) : PARE_OK;
}

/* Asked before members are read from the store, which would be for nothing. */
bool pare_source_takes_members(const pare_source *source)
{
    return source->ops->join != NULL;
}

/* Kinds that learn nothing have no `feedback`. */
void pare_source_feedback(pare_source *source, const void *bytes, size_t size, bool failed,
                          uint64_t new_edges)
{
    if (source->ops->feedback) source->ops->feedback(source, bytes, size, failed, new_edges);
}

/* A kind that counts tests of its own runs them itself. */
bool pare_source_is_fuzzer(const pare_source *source)
{
    return source->ops->own_tests != NULL;
}

uint64_t pare_source_own_tests(pare_source *source)
{
    if (!source->ops->own_tests) return 0;
    uint64_t now = source->ops->own_tests(source), told = source->told_tests;
    /* A fuzzer that was started again counts from 0. */
    source->told_tests = now;
    return now > told ? now - told : 0;
}

/* Folders do: their files may have changed, and are few. */
bool pare_source_begins_anew(const pare_source *source)
{
    return source->ops->begins_anew;
}

/* Adds up until it is asked for: each call takes what there is. */
double pare_source_making_s(pare_source *source)
{
    double making_s = (double)source->making_ns / 1e9;
    source->making_ns = 0;
    return making_s;
}
