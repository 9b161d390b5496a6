/* What the failing run executes: what it does not is the first to go.
 *
 * Most of a library is not used by the program that fails in it.  A tree shows which functions
 * there are, and halving finds out in hundreds of tests which of them are needed; the interpreter
 * knows it after one run.  So a round is: run the text (session/test/reach.h), offer what was not
 * reached (reduce/binding/unreached.h), first the inside of functions and branches, which is safe,
 * then, after another run, the statements around those that are empty now.  Rounds end when one
 * removes nothing: most often the second, for what is left is executed.
 *
 * What is left is executed because of a few statements at the outermost level and the data in them
 * (reduce/binding/drivers.h).  So these are tried later, and rounds begin again when any could go:
 * of a page of text that a library formats, one line may be enough, and most of the library is not
 * reached any more.
 *
 * The engine that runs the text may be another than the one that fails, and the text may fail
 * by what it prints or how it ends: so the run is only a hint, and every step is tested.  It is not
 * in the journal: the same text has the same reach, so a run that goes on after a kill takes the
 * same steps (docs/design/decisions.md).
 * Source: ours; DustMite (--coverage) takes a listing of coverage from the user. */
#include "session/plan/coverage_phase.h"

#include <pare/reduce.h>
#include <pare/result.h>
#include <pare/switch.h>
#include <pare/test.h>

#include "base/digest.h"
#include "engine/engine.h"
#include "engine/limited.h"
#include "engine/pool_options.h"
#include "engine/strategy.h"
#include "engine/tried_digests.h"
#include "os/clock.h"
#include "reduce/binding/drivers.h"
#include "reduce/binding/unreached.h"
#include "reduce/binding/unreached_ranges.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_graph.h"
#include "reduce/dependency/needed.h"
#include "reduce/passes/pass.h"
#include "reduce/syntax/front_end.h"
#include "reduce/tree/tree.h"
#include "session/plan/phase_input.h"
#include "session/reducible_ranges.h"
#include "session/session.h"
#include "session/test/reach.h"
#include "session/test/reach_report.h"
#include "text/patch.h"
#include "text/text.h"

enum {
    LEAST_BYTES = 4096,  /* of an input: a smaller one is gone through in few tests anyway */
    LEAST_GRAPH = 8192,  /* of an input, as of the phase of the graph (phase.c) */
    LEAST_DRIVEN = 8192, /* of the text when drivers are tried, which take twenty tests and more */
    MOST_ROUNDS = 4,
    MANY_PATCHES = 64 /* as of passes (phase.c) */
};

/* What is tried at once: a pool of patches. */
enum step { INSIDE, AROUND, AROUND_AGAIN, STATEMENTS, DATA };

/* Of what is inside most can go, and a group of which one piece is needed fails until that is
 * found; around it more is needed, and other phases find what goes as well.  Drivers are small:
 * what counts is that some go, not how large they are. */
static const pare_early_stop_terms TERMS[] = {
    [INSIDE] = {.first = 12, .tests = 12, .share = 0.02},
    [AROUND] = {.first = 4, .tests = 3, .share = 0.05},
    [AROUND_AGAIN] = {.first = 4, .tests = 4, .share = 0.03},
    [STATEMENTS] = {.first = 10, .tests = 8, .share = 1e-9},
    [DATA] = {.first = 8, .tests = 8, .share = 1e-9}};

/* Whether the text is a script of one file that a test runs, and large enough. */
static bool is_script(const pare_work *work)
{
    const pare_reduce_options *options = work->session.options;
    const pare_test_options *test = &options->test;
    if (options->limits.coverage == PARE_OFF || work->again) return false;
    if (work->files || work->session.layout || work->recording || options->input.generator)
        return false;
    return !test->predicate && !test->worker && work->file_bytes >= LEAST_BYTES;
}

/* Runs the text of `view`, and keeps the account of it. */
static pare_status record(pare_work *work, const pare_view *view, pare_reach *reach,
                          pare_error *err)
{
    const pare_reduce_options *options = work->session.options;
    pare_coverage_stats *stats = &work->session.stats.coverage;
    const pare_span bytes = pare_reducible_ranges_bytes(view);
    const pare_reach_task task = {.input = &options->input,
                                  .test = &options->test,
                                  .language =
                                      work->front ? pare_front_end_language(work->front) : NULL,
                                  .text = bytes.bytes,
                                  .bytes = bytes.size,
                                  .deadline_ms = pare_session_deadline_ms(&work->session),
                                  .stop = options->events.stop};
    *reach = (pare_reach){.n = 0};
    if (!pare_reach_is_possible(&task)) return PARE_OK;
    const uint64_t start_ns = pare_clock_ns();
    pare_status status = pare_reach_record(&task, reach, err);
    if (!stats->runs++) stats->unreached_bytes = reach->bytes;
    stats->seconds += (double)(pare_clock_ns() - start_ns) / 1e9;
    return status;
}

/* What is known of the text at hand. */
struct known {
    pare_reach reach;  /* owned */
    bool any;          /* it was asked for; else there is nothing to end */
    uint64_t progress; /* when it was: of another text nothing is known */
};

/* Runs the text unless it is still the one that was run last. */
static pare_status know(pare_work *work, const pare_view *view, struct known *known,
                        pare_error *err)
{
    const uint64_t progress = pare_session_progress(&work->session);
    if (known->any && known->progress == progress) return PARE_OK;
    if (known->any) pare_reach_report_done(&known->reach);
    known->any = true;
    known->progress = progress;
    pare_status status = record(work, view, &known->reach, err);
    work->unreached = work->unreached || known->reach.n > 0;
    return status;
}

/* A pare_unreached_note: pieces are known by their digests. */
static pare_status note_piece(void *context, const void *piece, size_t size, bool *is_new,
                              pare_error *err)
{
    pare_work *work = context;
    const pare_digest digest =
        pare_digest_of(pare_digest_extend((pare_hash){{0, 0}}, piece, size), size);
    *is_new = !pare_tried_digests_has(&work->unreached_tried, digest);
    return *is_new ? pare_tried_digests_add(&work->unreached_tried, digest, err) : PARE_OK;
}

/* What is offered; *patches has one reference. */
static pare_status offer(pare_work *work, const pare_view *view, struct known *known,
                         enum step step, pare_patches **patches, pare_error *err)
{
    pare_tree *tree = NULL;
    pare_pass_view seen;
    const pare_unreached unreached = {.ranges = known->reach.unreached,
                                      .n = known->reach.n,
                                      .by_line = known->reach.by_line,
                                      .is_new = note_piece,
                                      .context = work};
    pare_status status = pare_phase_input_pass_view(work, view, &seen, &tree, err);
    if (!status) status = pare_patches_new(view->text, patches, err);
    if (!status && step <= AROUND_AGAIN)
        status = pare_unreached_offer(
            &seen, &unreached, step == INSIDE ? PARE_UNREACHED_INSIDE : PARE_UNREACHED_AROUND,
            *patches, err);
    else if (!status)
        status = pare_drivers_offer(
            &seen, step == DATA ? PARE_DRIVERS_DATA : PARE_DRIVERS_STATEMENTS, *patches, err);
    pare_pass_view_close(&seen);
    pare_tree_unref(tree);
    return status;
}

/* Runs the text, and a pool of what follows; nothing where nothing was ever unreached. */
static pare_status run_view(pare_work *work, const pare_view *view, enum step step,
                            struct known *known, pare_error *err)
{
    pare_patches *patches = NULL;
    pare_guarded guarded;
    const pare_pool_options options = {
        .order = PARE_POOL_LARGEST,
        .group = 1,
        .shorter = true,
        .many = MANY_PATCHES,
        .terms = &TERMS[step],
        .admits = pare_reducible_ranges_admits(&work->ranges, view, &guarded),
        .context = &guarded};
    pare_status status = step <= AROUND_AGAIN ? know(work, view, known, err) : PARE_OK;
    if (!status && work->unreached) status = offer(work, view, known, step, &patches, err);
    if (!status && patches && patches->n) {
        status = pare_session_begin_pass(&work->session, "coverage", patches->n, err);
        if (!status) status = pare_session_run_pool(&work->session, patches, &options, err);
    }
    pare_patches_unref(patches);
    return status;
}

/* A view is of one text: it is opened anew for each run. */
static pare_status run_step(pare_work *work, enum step step, struct known *known, pare_error *err)
{
    pare_view view;
    bool found;
    pare_status status = pare_phase_input_view(work, &view, &found, err);
    if (!status && found) status = run_view(work, &view, step, known, err);
    pare_reducible_ranges_close_view(&view);
    return status;
}

/* Whether there is a graph, which tells what nobody mentions any more. */
static bool has_graph(const pare_work *work)
{
    const char *language = work->front ? pare_front_end_language(work->front) : NULL;
    return pare_dependency_needs_tree(language) && work->file_bytes >= LEAST_GRAPH;
}

/* What the graph of the text at hand says to be needed, in one test. */
static pare_status run_needed(pare_work *work, const pare_view *view, pare_error *err)
{
    pare_dependency *graph = NULL;
    pare_strategy *strategy = NULL;
    pare_guarded guarded;
    pare_status status = pare_phase_input_dependency(work, view, &graph, err);
    if (status || !graph) return status;
    status =
        pare_session_begin_pass(&work->session, "dependency", pare_dependency_count(graph), err);
    if (!status) status = pare_needed_new(graph, &strategy, err);
    pare_dependency_unref(graph);
    if (!status)
        status = pare_reducible_ranges_guard(&work->ranges, view, &guarded, &strategy, err);
    return status ? status : pare_session_run(&work->session, strategy, err);
}

/* The same for the text as it is now, if there is a graph. */
static pare_status run_graph(pare_work *work, pare_error *err)
{
    pare_view view;
    bool found;
    if (!has_graph(work)) return PARE_OK;
    pare_status status = pare_phase_input_view(work, &view, &found, err);
    if (!status && found) status = run_needed(work, &view, err);
    pare_reducible_ranges_close_view(&view);
    return status;
}

/* Rounds of what was not reached; where nothing goes, the next round would ask for the same.  `again`: after
 * drivers or conditions went. */
static pare_status run_rounds(pare_work *work, bool again, struct known *known, pare_error *err)
{
    pare_status status = PARE_OK;
    for (unsigned round = 0; !status && round < MOST_ROUNDS; round++) {
        const uint64_t before = pare_session_progress(&work->session);
        status = run_step(work, INSIDE, known, err);
        if (!status && again && !round) status = run_graph(work, err);
        if (!status) status = run_step(work, again ? AROUND_AGAIN : AROUND, known, err);
        if (pare_session_progress(&work->session) == before) break;
    }
    return status;
}

/* What the program runs at its outermost level, and, when some of it went, what is not reached any
 * more.  Statements before data: with a statement its data go, too; and once more where data went, for which a
 * statement may have been there. */
static pare_status run_drivers(pare_work *work, struct known *known, pare_error *err)
{
    static const enum step steps[] = {STATEMENTS, DATA, STATEMENTS};
    bool gained = true;
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < sizeof steps / sizeof *steps; i++) {
        const uint64_t before = pare_session_progress(&work->session);
        if (i == 2 && !gained) break;
        status = run_step(work, steps[i], known, err);
        gained = pare_session_progress(&work->session) != before;
        if (!status && gained) status = run_rounds(work, true, known, err);
    }
    return status;
}

/* Drivers only where an earlier run of the phase found something that is not reached. */
pare_status pare_coverage_phase_run(pare_work *work, const pare_phase *phase, pare_error *err)
{
    struct known known = {.any = false};
    if (!is_script(work)) return PARE_OK;
    if (phase->drivers &&
        (!work->unreached || pare_engine_current(work->session.engine)->size < LEAST_DRIVEN))
        return PARE_OK;
    pare_status status = phase->drivers ? run_drivers(work, &known, err)
                                        : run_rounds(work, phase->after_change, &known, err);
    pare_reach_report_done(&known.reach);
    return status;
}
