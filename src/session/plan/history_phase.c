/* Going back to a step of the history: one candidate, the text of the step.
 *
 * That the run goes on from there is written into the journal after the step was found to fail, so that
 * a run which is ended and started again by the same command, with the option or without it, is where
 * it was.  A step that is asked for anew begins another way: the phases that were left on the one before
 * are not left on this one.
 *
 * A step that is asked for while the run goes on ends that, and what begins is another run of the same
 * process, as if the command had been given again with --from-step: so there is one way to go back, and
 * a run that is killed after it is where it was by the same rule.  The input is read from the history,
 * whose step 0 it is: at its own place the result may be by now, and the memory is not held for it.
 *
 * The step is no larger than the input, since it was a best; it is compared with it in the order of
 * texts (text/order.h), as bests of the same size are.
 * Source: ours; going back and on from there is what users of Shrink Ray ask of its history.
 * Tested by tests/unit/test_history_phase.c and tests/cli/test_history.sh. */
#include "session/plan/history_phase.h"

#include <stdio.h>

#include <pare/limits.h>
#include <pare/outcome.h>
#include <pare/output.h>
#include <pare/switch.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "engine/engine.h"
#include "engine/journal.h"
#include "engine/strategy.h"
#include "os/stop.h"
#include "session/output/history_log.h"
#include "session/output/output_backup.h"
#include "session/session.h"
#include "session/test/flaky.h"
#include "text/candidate.h"

/* ---- the strategy ------------------------------------------------------------------------- */

/* A strategy of one candidate. */
struct going_back {
    pare_strategy head;
    const pare_text *text; /* one reference */
    bool is_told;
};

/* The candidate is the step's text as one piece, once; after it there is nothing more. */
static pare_status going_back_next(pare_strategy *strategy, pare_next *what,
                                   pare_candidate *candidate, pare_error *err)
{
    const struct going_back *self = (const struct going_back *)strategy;
    *what = self->is_told ? PARE_NEXT_DONE : PARE_NEXT_TEST;
    if (self->is_told) return PARE_OK;
    pare_candidate_start(candidate, self->text);
    return pare_candidate_slice(candidate, 0, pare_text_size(self->text), err);
}

/* The outcome need not be kept: the engine has made the step the best, if it fails. */
static pare_status going_back_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    (void)outcome;
    (void)err;
    ((struct going_back *)strategy)->is_told = true;
    return PARE_OK;
}

static pare_status going_back_copy(const pare_strategy *strategy, pare_strategy **out,
                                   pare_error *err)
{
    const struct going_back *self = (const struct going_back *)strategy;
    struct going_back *copy = pare_alloc(1, sizeof *copy);
    if (!copy) return pare_fail_nomem(err);
    *copy = *self;
    (void)pare_text_ref(copy->text);
    *out = &copy->head;
    return PARE_OK;
}

static void going_back_free(pare_strategy *strategy)
{
    pare_text_unref(((struct going_back *)strategy)->text);
    pare_alloc_free(strategy);
}

static pare_status going_back_new(const pare_text *text, pare_strategy **out, pare_error *err)
{
    static const pare_strategy_ops ops = {.next = going_back_next,
                                          .tell = going_back_tell,
                                          .copy = going_back_copy,
                                          .destroy = going_back_free};
    struct going_back *self = pare_alloc(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    /* A step that is as large as the best becomes it, too, where it is the smaller one
     * in the order of texts. */
    *self =
        (struct going_back){.head = {.ops = &ops, .ordered = true}, .text = pare_text_ref(text)};
    *out = &self->head;
    return PARE_OK;
}

/* ---- which step ---------------------------------------------------------------------------- */

/* The number of the step that the run goes on from; 0: the input.
 * What the user asks for counts; without that, a run that is continued goes on from the
 * step that its journal has. */
static uint64_t step_of(const pare_session *session)
{
    const uint64_t wanted = session->options->output.from_step;
    if (wanted || !session->journal) return wanted;
    return pare_journal_from_step(session->journal);
}

pare_status pare_history_phase_read(const pare_session *session, const pare_text *input,
                                    pare_text **out, pare_error *err)
{
    const pare_output_options *output = &session->options->output;
    const uint64_t step = step_of(session);
    *out = NULL;
    if (!step) return PARE_OK;
    if (!session->journal || (output->from_step && output->history != PARE_ON))
        return pare_fail(
            err, PARE_E_ARG,
            "to continue from a step of its history, a run needs a journal and a history");
    const pare_history_origin origin = {
        .dir = output->journal_dir, .input = pare_text_digest(input), .layout = session->layout};
    const pare_status status = pare_history_log_read_step(&origin, step, out, err);
    /* Only a user who did not ask for it has to be told where the step comes from. */
    if (status && !output->from_step)
        pare_fail_prefix(err,
                         "cannot continue from step %llu, as the previous run did (remove "
                         "%s/journal to start over)",
                         (unsigned long long)step, output->journal_dir);
    return status;
}

bool pare_history_phase_begin_again(pare_reduce_options *options, const pare_history_origin *origin,
                                    uint64_t spent_ms, pare_text **text)
{
    pare_limit_options *limits = &options->limits;
    /* The wish is taken, and so is answered once, also where it cannot be met. */
    const uint64_t step = pare_stop_take_step(options->events.stop);
    const bool has_time = !limits->max_time_ms || limits->max_time_ms > spent_ms;
    if (!step || !has_time || !origin->dir || options->output.history != PARE_ON) return false;
    if (pare_history_log_read_step(origin, 0, text, NULL)) return false;
    options->output.from_step = step;
    if (limits->max_time_ms) limits->max_time_ms -= spent_ms;
    return true;
}

/* ---- going ------------------------------------------------------------------------------------ */

/* By their digests, so that neither text is read. */
static bool is_best(const pare_session *session, const pare_text *step)
{
    const pare_candidate *best = pare_engine_best(session->engine);
    return pare_digest_equal(pare_candidate_digest(best), pare_text_digest(step));
}

static pare_status test_step(pare_session *session, const pare_text *step, pare_error *err)
{
    pare_strategy *strategy = NULL;
    pare_status status = pare_session_begin_pass(session, "from-step", 1, err);
    if (!status) status = going_back_new(step, &strategy, err);
    if (!status) status = pare_session_run(session, strategy, err);
    if (pare_run_error(status) || is_best(session, step)) return status;
    if (status) return pare_fail(err, PARE_E_INTERRUPTED, "interrupted");
    return pare_fail(err, PARE_E_STATE,
                     "step %llu of the history does not fail with this test: choose another one "
                     "with --from-step ('pare history' lists them)",
                     (unsigned long long)step_of(session));
}

pare_status pare_history_phase_run(pare_work *work, const pare_text *step, pare_error *err)
{
    char sentence[96];
    pare_session *session = &work->session;
    const uint64_t number = step_of(session);
    /* It is new where the journal does not say yet that the run goes on from there. */
    const bool is_new = pare_journal_from_step(session->journal) != number;
    /* The result that is there belongs to the run before, and may be the better one: it
     * gets a second name. */
    if (is_new) pare_output_backup_disown(&session->output.backup);
    pare_status ran = PARE_OK;
    if (!is_best(session, step)) ran = test_step(session, step, err);
    if (pare_run_error(ran)) return ran;
    if (is_new) {
        const pare_status status = pare_engine_go_from(session->engine, number, err);
        if (status) return status;
    }
    (void)snprintf(sentence, sizeof sentence, "going on from step %llu of the history",
                   (unsigned long long)number);
    pare_event_notice(session, sentence);
    return ran ? ran : pare_flaky_look(&work->flaky, err);
}
