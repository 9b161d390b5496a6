/* pare_isolate: dd over coarse units first, then over finer ones on what is left.
 *
 * Each phase compares the two sides that the phase before left, so that only the units
 * that still differ are cut finer.  The engine's best is the failing side; the passing one
 * is taken from the strategy when a phase ends. */
#include <pare/input.h>
#include <pare/isolate.h>
#include <pare/outcome.h>
#include <pare/reduce.h>
#include <pare/result.h>

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/digest.h"
#include "base/fail.h"
#include "base/sized.h"
#include "engine/engine.h"
#include "engine/strategy.h"
#include "os/file.h"
#include "reduce/list/dd.h"
#include "session/output/output_backup.h"
#include "session/plan/plan.h"
#include "session/read_input.h"
#include "session/reduction.h"
#include "session/session.h"
#include "session/test/input_check.h"
#include "text/candidate.h"
#include "text/split/split.h"
#include "text/text.h"

/* Coarse units first: lines that are the same on both sides need not be cut into characters. */
static const char *const DEFAULT_UNITS = "line,char";

/* What the phases work on. */
struct isolation {
    const pare_reduce_options *options;
    const pare_isolate_options *isolate;
    pare_session session;
    pare_plan plan;                   /* only its splitters mean something */
    pare_text *input, *passing_input; /* owned; NULL once they were checked */
    pare_buffer passing;              /* owned; the passing side so far */
    size_t n_deltas_in, n_deltas;
};

/* An all-zero struct may be ended, too. */
void pare_isolated_done(pare_isolated *isolated)
{
    pare_result_done(&isolated->failing);
    pare_alloc_free(isolated->passing_bytes);
    *isolated = (pare_isolated){.passing_size_bytes = 0};
}

/* The phases: dd over each kind of units that was named.  Only their splitters are used of the
 * plan. Errors: PARE_E_ARG (another algorithm than dd, a unit that is a tree). */
static pare_status make_plan(const pare_reduce_options *options, pare_plan *plan, pare_error *err)
{
    if (options->algorithms && strcmp(options->algorithms, "auto") != 0)
        return pare_fail(err, PARE_E_ARG, "isolate has only one algorithm, dd: leave out '%s'",
                         options->algorithms);
    const char *units = options->units ? options->units : DEFAULT_UNITS;
    /* With units of the user's the default plan is one phase for each of them. */
    pare_status status = pare_plan_make(NULL, units, plan, err);
    for (size_t i = 0; !status && i < plan->n_phases; i++)
        /* Brackets have levels, and no list that dd could take apart. */
        if (!plan->phases[i].splitter)
            status =
                pare_fail(err, PARE_E_ARG,
                          "isolate compares lists of units, and '%s' is a tree: name another unit",
                          pare_plan_unit(&plan->phases[i]));
    return status;
}

/* The bytes of a flat text; borrowed. */
static pare_span span_of(const pare_text *text)
{
    return (pare_span){pare_text_bytes(text), pare_text_size(text)};
}

/* ---- one phase ------------------------------------------------------------------ */

/* Takes over what dd has come to. On failure isolation->passing is empty. */
static pare_status take_passing(struct isolation *isolation, const pare_strategy *dd,
                                pare_error *err)
{
    pare_candidate side = {0};
    /* In the units of this phase; the last one's stay. */
    isolation->n_deltas = pare_dd_count(dd);
    pare_buffer_reset(&isolation->passing);
    pare_status status = pare_dd_side(dd, PARE_PASS, &side, err);
    if (!status) status = pare_buffer_reserve(&isolation->passing, side.size, err);
    if (!status) {
        pare_candidate_read(&side, isolation->passing.data);
        /* The caller gets the buffer, and may take it for a text. */
        isolation->passing.data[side.size] = '\0';
        isolation->passing.size = side.size;
    }
    pare_candidate_done(&side);
    return status;
}

/* Runs dd over the deltas.  What it stands on when it ends, in whatever way, is the passing side:
 * each step of it was tested. */
static pare_status run_dd(struct isolation *isolation, const pare_splitter *splitter,
                          pare_deltas *deltas, pare_error *err)
{
    pare_strategy *dd = NULL;
    char name[64];
    (void)snprintf(name, sizeof name, "dd/%s", splitter->info.name);
    pare_status status =
        pare_session_begin_pass(&isolation->session, name, pare_dd_deltas_count(deltas), err);
    if (!status) status = pare_dd_new(deltas, &dd, err);
    if (!status) status = pare_session_run_keeping(&isolation->session, &dd, err);
    /* A run that has ended early has narrowed the difference as well. After an error the
     * strategy may be gone. */
    const pare_status taken = pare_run_error(status) ? PARE_OK : take_passing(isolation, dd, err);
    pare_strategy_free(dd);
    return taken ? taken : status;
}

/* The differences of the two sides in units of `splitter`. The failing side is the engine's
 * best, which has to have heard all outcomes first (settle). */
static pare_status compare(struct isolation *isolation, const pare_splitter *splitter,
                           pare_deltas **deltas, pare_error *err)
{
    const pare_text *failing = NULL;
    pare_status status = pare_engine_settle(isolation->session.engine, &failing, err);
    if (status) return status;
    pare_deltas_source source = {
        .passing = {(const unsigned char *)isolation->passing.data, isolation->passing.size},
        .failing = span_of(failing),
        .splitter = splitter};
    return pare_dd_deltas_new(&source, deltas, err);
}

/* Narrows the difference in units of one kind.  How many deltas there are at first is counted in
 * the units of the last phase, so that it can be compared with the end. */
static pare_status run_phase(struct isolation *isolation, size_t index, pare_error *err)
{
    const pare_plan *plan = &isolation->plan;
    const pare_splitter *splitter = plan->phases[index].splitter;
    pare_deltas *deltas = NULL;
    assert(index < plan->n_phases && splitter);
    pare_status status = compare(isolation, splitter, &deltas, err);
    /* Counted once, when nothing has been narrowed yet. */
    if (!status && index == 0)
        status = pare_dd_deltas_count_units(deltas, plan->phases[plan->n_phases - 1].splitter,
                                            &isolation->n_deltas_in, err);
    if (!status) status = run_dd(isolation, splitter, deltas, err);
    pare_dd_deltas_unref(deltas);
    return status;
}

/* Units of the first phase in the failing side. */
static pare_status count_units(struct isolation *isolation, size_t *n, pare_error *err)
{
    const pare_text *failing = NULL;
    pare_bounds bounds = {0};
    pare_status status = pare_engine_settle(isolation->session.engine, &failing, err);
    if (status) return status;
    /* Counted in the same units before and after, so the two numbers can be compared. */
    status = isolation->plan.phases[0].splitter->split(pare_text_bytes(failing),
                                                       pare_text_size(failing), &bounds, err);
    if (!status) *n = bounds.n;
    pare_split_bounds_done(&bounds);
    return status;
}

/* A phase that ends the run (its budget is spent) ends the loop, but what is left is counted all
 * the same. */
static pare_status run_phases(struct isolation *isolation, pare_error *err)
{
    pare_status status = count_units(isolation, &isolation->session.stats.units_in, err);
    for (size_t i = 0; !status && i < isolation->plan.n_phases; i++)
        status = run_phase(isolation, i, err);
    if (pare_run_error(status)) return status;
    const pare_status counted = count_units(isolation, &isolation->session.stats.units_out, err);
    return counted ? counted : status;
}

/* ---- the two inputs ------------------------------------------------------------- */

/* The sentence of an error says which of the two inputs it is about. */
static pare_status read_passing(struct isolation *isolation, pare_error *err)
{
    pare_input_options as_input = {.path = isolation->isolate->passing_path,
                                   .bytes = isolation->isolate->passing,
                                   .size_bytes = isolation->isolate->passing_bytes};
    pare_error reason = {.status = PARE_OK};
    pare_status status = pare_read_input_file(&as_input, &isolation->passing_input, &reason);
    if (!status) return PARE_OK;
    pare_fail_prefix(&reason, "the passing input");
    /* The first failure is told: `err` may have one of the other input already. */
    if (err && !err->status) *err = reason;
    return status;
}

/* Reads both, which must differ. */
static pare_status read_inputs(struct isolation *isolation, pare_error *err)
{
    pare_status status = pare_read_input_file(&isolation->options->input, &isolation->input, err);
    if (!status) status = read_passing(isolation, err);
    if (status) return status;
    if (!pare_digest_equal(pare_text_digest(isolation->input),
                           pare_text_digest(isolation->passing_input)))
        return PARE_OK;
    return pare_fail(err, PARE_E_STATE,
                     "the failing and the passing input are the same: there is no difference to "
                     "isolate");
}

/* May be called twice: what was released is NULL. */
static void release_inputs(struct isolation *isolation)
{
    pare_text_unref(isolation->input);
    pare_text_unref(isolation->passing_input);
    isolation->input = isolation->passing_input = NULL;
}

/* The first passing side that a watcher hears of, by the number of the test that said so. */
static pare_status tell_passing_input(struct isolation *isolation, pare_error *err)
{
    pare_candidate whole = {0};
    pare_candidate_start(&whole, isolation->passing_input);
    pare_status status =
        pare_candidate_slice(&whole, 0, pare_text_size(isolation->passing_input), err);
    if (!status) pare_event_tell_passing(&isolation->session, 1, &whole);
    pare_candidate_done(&whole);
    return status;
}

/* Tests that the failing input fails and the passing one passes. The passing side begins as the
 * whole passing input. */
static pare_status check(struct isolation *isolation, pare_result *result, pare_error *err)
{
    assert(isolation->input && isolation->passing_input && "both were read");
    pare_span passing = span_of(isolation->passing_input);
    pare_status status =
        pare_input_check_failing(&isolation->session, isolation->input, result, err);
    if (!status)
        status =
            pare_input_check_passing(&isolation->session, isolation->passing_input, result, err);
    if (!status) status = pare_buffer_add(&isolation->passing, passing.bytes, passing.size, err);
    if (!status) status = tell_passing_input(isolation, err);
    release_inputs(isolation); /* the engine and the buffer have what is needed of them */
    return status;
}

/* ---- the result ----------------------------------------------------------------- */

/* The passing side is written once, at the end: unlike the failing one it is of no use before. */
static pare_status write_passing(struct isolation *isolation, pare_error *err)
{
    const pare_buffer *passing = &isolation->passing;
    const char *path = isolation->isolate->passing_output_path;
    if (!path) return PARE_OK;
    pare_status status = pare_output_backup_keep(
        &isolation->session.output.backup, PARE_OUTPUT_BACKUP_PASSING, path,
        pare_digest_of(pare_digest_extend((pare_hash){{0}}, passing->data, passing->size),
                       passing->size),
        err);
    if (status) return status;
    status = pare_file_write_run(path, isolation->options->output.sync, isolation->passing.data,
                                 isolation->passing.size, err);
    if (!status)
        pare_output_backup_wrote(&isolation->session.output.backup, PARE_OUTPUT_BACKUP_PASSING);
    return status;
}

/* Hands the passing side over. */
static void take_result(struct isolation *isolation, pare_isolated *isolated)
{
    assert(!isolated->passing_bytes && "it is handed over once");
    isolated->passing_bytes = (unsigned char *)isolation->passing.data;
    isolated->passing_size_bytes = isolation->passing.size;
    isolated->n_deltas_in = isolation->n_deltas_in;
    isolated->n_deltas = isolation->n_deltas;
    /* It is the caller's now. */
    isolation->passing = (pare_buffer){.size = 0};
}

/* Runs the phases between two inputs that were checked, and closes the books.  The
 * passing side is written before the journal of a complete run goes. */
static pare_status narrow(struct isolation *isolation, pare_isolated *isolated, pare_error *err)
{
    const pare_status ran = run_phases(isolation, err);
    pare_status status = pare_run_error(ran);
    if (!status) status = write_passing(isolation, err);
    /* A claim needs all phases to have come to their end. */
    const bool whole = !status && !ran;
    pare_stopped stopped = pare_session_stopped(&isolation->session);
    if (status) stopped = PARE_STOPPED_INTERRUPTED; /* so that the journal stays */
    /* Finished after an error as well, so that what there is of the failing side is handed over;
     * its own error is told only where there is no other. */
    pare_status finished = pare_session_finish(&isolation->session, stopped,
                                               whole ? PARE_MINIMAL_ONE : PARE_MINIMAL_NONE,
                                               &isolated->failing, status ? NULL : err);
    if (!status) status = finished;
    if (!status) take_result(isolation, isolated);
    return status;
}

/* The session is closed whatever happens after it was opened; a session that could not be opened
 * is closed already. */
static pare_status run(struct isolation *isolation, pare_isolated *isolated, pare_error *err)
{
    pare_status status = pare_session_open(isolation->options, NULL, isolation->input,
                                           &isolation->session, &isolated->failing, err);
    if (status) return status;
    status = check(isolation, &isolated->failing, err);
    if (!status) status = narrow(isolation, isolated, err);
    pare_session_close(&isolation->session);
    return status;
}

/* Both inputs are read before the session is opened, which keeps no reference to them. */
static pare_status isolate_all(const pare_reduce_options *options,
                               const pare_isolate_options *isolate, pare_isolated *isolated,
                               pare_error *err)
{
    struct isolation isolation = {.options = options, .isolate = isolate};
    pare_status status = make_plan(options, &isolation.plan, err);
    if (!status) status = read_inputs(&isolation, err);
    if (!status) status = run(&isolation, isolated, err);
    if (status == PARE_E_INTERRUPTED) isolated->failing.stats.stopped = PARE_STOPPED_INTERRUPTED;
    pare_buffer_done(&isolation.passing);
    release_inputs(&isolation);
    return status;
}

/* Both structs may come from a caller that was compiled with another version (base/sized.h).
 * *isolated is set first, so that it may be ended after any failure. */
pare_status pare_isolate_sized(const pare_reduce_options *options, size_t options_bytes,
                               const pare_isolate_options *isolate, size_t isolate_bytes,
                               pare_isolated *isolated, pare_error *err)
{
    pare_reduce_options own_options;
    pare_isolate_options own_isolate;
    *isolated = (pare_isolated){.failing.check_exit_code = -1};
    pare_status status = pare_reduction_take_options(options, options_bytes, &own_options, err);
    if (!status)
        status = pare_sized_take(&own_isolate, sizeof own_isolate, isolate, isolate_bytes,
                                 "options to isolate", err);
    return status ? status : isolate_all(&own_options, &own_isolate, isolated, err);
}
