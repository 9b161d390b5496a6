/* Failures that are hangs: is the limit far enough from ordinary runs, and does the result
 * really hang.
 *
 * A run that is ended at the limit has shown only that it is slow.  So the input, and at the end
 * the result, are run for PARE_HANG_CONFIRM times the limit: what ends in that time was slow.  A
 * slow result is taken back to the last of the earlier bests that goes on, found by halving, and
 * the limit is raised to what was waited.  Runs at another limit are made by setting the judge's
 * before each, and putting it back.
 * Cost: a test of three limits for the input and one for the result, a few more where it was
 * slow. */
#include "session/test/hang.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "base/fail.h"
#include "engine/engine.h"
#include "run/judge.h"
#include "run/rate.h"
#include "run/repeat.h"
#include "session/read_input.h"
#include "session/session.h"
#include "session/test/flaky.h"
#include "session/test/flaky_rate.h"
#include "text/text.h"

/* The limit that is proposed to the user, in times of the ordinary runs' duration. */
static const double PROPOSED = 5;

/* A run that ends before the limit did not hang by chance: it is made again, so often. */
enum { TRIES = 3 };

/* The judge has it, because it may be raised while the run goes on; tests by a command or a
 * predicate have no judge, and so keep no hang. */
uint64_t pare_hang_limit_ms(const pare_session *session)
{
    const pare_judge *judge = session->oracle.judge;
    return judge ? pare_judge_hang_ms(judge, PARE_RUN_PROGRAM) : 0;
}

/* The engine's clock for measured runs is read before and after, so that the time is that of
 * this run alone. */
pare_status pare_hang_time(pare_session *session, const pare_text *text, uint64_t limit_ms,
                           double *ms, bool *hangs, pare_error *err)
{
    const uint64_t usual_ms = pare_hang_limit_ms(session);
    const double before_ms = pare_engine_statistics(session->engine).measured_ms;
    pare_rate rate = {.runs = 0};
    uint64_t timed_out = 0;
    assert(session->oracle.judge && limit_ms > 0 && "a hang is kept");
    pare_judge_set_hang_ms(session->oracle.judge, limit_ms);
    pare_status status = pare_session_measure(session, text, 1, &rate, &timed_out, err);
    pare_judge_set_hang_ms(session->oracle.judge, usual_ms);
    *ms = pare_engine_statistics(session->engine).measured_ms - before_ms;
    *hangs = rate.fails > 0;
    return status;
}

/* The limit has to be well above what ordinary runs take, since a busy machine may double that. */
pare_status pare_hang_check_limit(const pare_session *session, double ordinary_ms, pare_error *err)
{
    const double limit_ms = (double)pare_hang_limit_ms(session);
    const double proposed_s = ceil(PROPOSED * ordinary_ms / 1000);
    if (ordinary_ms * PARE_HANG_FACTOR <= limit_ms) return PARE_OK;
    return pare_fail(err, PARE_E_STATE,
                     "ordinary runs of the program take up to %.3g s, which is too close to --hang "
                     "%.3g: use --hang %.0f",
                     ordinary_ms / 1000, limit_ms / 1000, fmax(proposed_s, 1));
}

/* Runs `text` for longer than the limit.  *hangs says that it went on, *slow that it ended
 * beyond the limit; neither: it ends in time, for all that was seen. */
static pare_status run_longer(pare_session *session, const pare_text *text, bool *hangs, bool *slow,
                              double *ms, pare_error *err)
{
    const uint64_t limit_ms = pare_hang_limit_ms(session);
    pare_status status = PARE_OK;
    *hangs = *slow = false;
    /* Single runs: a rule that repeats tests would wait for three limits each time. */
    if (session->oracle.repeat) pare_repeat_set_rule(session->oracle.repeat, NULL);
    for (unsigned k = 0; k < TRIES && !*hangs && !*slow; k++) {
        status = pare_hang_time(session, text, PARE_HANG_CONFIRM * limit_ms, ms, hangs, err);
        if (status) return status;
        *slow = !*hangs && *ms >= (double)limit_ms;
    }
    return PARE_OK;
}

/* Only for an input that no earlier process has run: that process has checked it, and may have
 * raised the limit since. */
pare_status pare_hang_check_input(pare_session *session, const pare_text *input, pare_error *err)
{
    const double limit_s = (double)pare_hang_limit_ms(session) / 1000;
    bool hangs = true, slow = false;
    double ms = 0;
    if (!pare_hang_limit_ms(session) || session->is_resumed) return PARE_OK;
    pare_status status = run_longer(session, input, &hangs, &slow, &ms, err);
    /* If the budget is used up by this look, the input counts as unchecked, which is no reason to
     * refuse it. */
    status = pare_session_go_on(session, status);
    if (status == PARE_RUN_ENDED) return pare_fail(err, PARE_E_INTERRUPTED, "interrupted");
    if (status) return status;
    if (!slow) return PARE_OK;
    return pare_fail(err, PARE_E_STATE,
                     "the program ends after %.3g s on the input, so it is slow and does not hang: "
                     "to keep that it takes more than %.3g s, write pare reduce 'timeout %.3g "
                     "PROGRAM \"$1\"; test $? = 124' %s",
                     ms / 1000, limit_s, limit_s,
                     pare_read_input_base_name(&session->options->input));
}

/* Finds the last of the earlier bests that goes on, by halving: *n is how many there are up to
 * it; 0: only the input is known to. */
static pare_status find_hang(pare_session *session, const pare_flaky *flaky, size_t *n,
                             pare_error *err)
{
    /* Number 0 is the input, which was shown to hang; number n_kept + 1 the best, which was
     * shown not to. Between them it is taken to be so up to some number, and not from there on. */
    size_t good = 0, bad = flaky->n_kept + 1;
    while (bad - good > 1) {
        size_t middle = good + (bad - good) / 2;
        assert(good < middle && middle < bad);
        bool hangs = false, slow = false;
        double ms = 0;
        pare_status status = run_longer(session, flaky->kept[middle - 1], &hangs, &slow, &ms, err);
        if (status) return status;
        *(hangs ? &good : &bad) = middle;
    }
    *n = good;
    return PARE_OK;
}

/* The user learns why the result is larger than the last one he saw. */
static void tell_slow(pare_session *session, double ms, uint64_t limit_ms)
{
    char sentence[160];
    (void)snprintf(
        sentence, sizeof sentence,
        "the result ends after %.3g s, so it does not hang: going back to an earlier one, "
        "with --hang %.3g",
        ms / 1000, (double)limit_ms / 1000);
    pare_event_notice(session, sentence);
}

/* The best ended after `ms`: goes back, and raises the limit. */
static pare_status go_back(pare_hang *hang, pare_session *session, pare_flaky *flaky, double ms,
                           pare_error *err)
{
    const uint64_t limit_ms = PARE_HANG_CONFIRM * pare_hang_limit_ms(session);
    size_t n = 0;
    pare_status status = find_hang(session, flaky, &n, err);
    if (status) return status;
    status = pare_flaky_go_back(flaky, n, err);
    if (status) return status;
    pare_judge_set_hang_ms(session->oracle.judge, limit_ms);
    hang->raised++;
    tell_slow(session, ms, limit_ms);
    return PARE_OK;
}

/* The result is handed over all the same: it hung at the limit itself. */
static void tell_unconfirmed(pare_session *session)
{
    pare_event_notice(session, "that the result hangs was not confirmed at three times the "
                               "limit: there was no time left");
}

/* Asked of the result of every round of the phases, PARE_HANG_RAISES times at most: then what
 * was gone back to is taken as it is. */
pare_status pare_hang_confirm(pare_hang *hang, pare_session *session, pare_flaky *flaky,
                              bool *again, pare_error *err)
{
    const pare_text *best = NULL;
    bool hangs = true, slow = false;
    double ms = 0;
    *again = false;
    if (!pare_hang_limit_ms(session)) return PARE_OK;
    if (!pare_engine_statistics(session->engine).successes) return PARE_OK;
    pare_status status = pare_engine_settle(session->engine, &best, err);
    if (!status) status = run_longer(session, best, &hangs, &slow, &ms, err);
    if (!status && slow) status = go_back(hang, session, flaky, ms, err);
    if (status == PARE_RUN_ENDED && session->end == PARE_END_BUDGET) tell_unconfirmed(session);
    *again = slow && hang->raised <= PARE_HANG_RAISES;
    pare_flaky_resume_rule(flaky);
    return status;
}
