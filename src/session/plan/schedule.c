/* Each phase has an account: how many tests it took lately, and what share of the text it
 * removed for them.  Of the phases that may find something that with the highest rate runs
 * next; to begin with a phase has the rate that the plan promises.
 *
 * A pass runs on probation first: it is set aside after some tests for nothing, and runs to
 * its end only when all others have nothing more to find.  What was tried before is
 * answered by the cache then.  A phase that found nothing is not run again before the size of
 * the text has changed; and before anything in it has, at the end.  So at the end every phase has
 * run to its end over the result, and found nothing: what each of them shows holds.
 */
#include "session/plan/schedule.h"

#include "base/alloc.h"
#include "base/status.h"
#include "engine/engine.h"
#include "engine/limited.h"
#include "session/plan/account.h"
#include "session/plan/escapes.h"
#include "session/plan/excursions.h"
#include "session/plan/pass_phase.h"
#include "session/plan/plan.h"
#include "session/session.h"
#include "session/test/flaky.h"
#include "text/candidate.h"

#include <pare/algorithm.h>

struct schedule {
    pare_work *work; /* borrowed */
    bool binary;     /* the file is no text */
    pare_account accounts[PARE_PLAN_MAX_PHASES];
};

static double rate(const struct schedule *schedule, size_t index)
{
    const pare_account *account = &schedule->accounts[index];
    double promise = schedule->work->plan.phases[index].promise;
    return (account->gained + promise) / (account->tests + PARE_PROMISED_TESTS);
}

/* The phase with the highest rate that may find something; PARE_PLAN_MAX_PHASES: none. */
static size_t choose(const struct schedule *schedule, pare_phase_effort effort)
{
    size_t chosen = PARE_PLAN_MAX_PHASES;
    const pare_candidate *best = pare_engine_ground(schedule->work->session.engine);
    for (size_t i = 0; i < schedule->work->plan.n_phases; i++) {
        const pare_phase *phase = &schedule->work->plan.phases[i];
        bool blind = pare_account_is_blind(phase, schedule->binary);
        if (phase->once || (effort == PARE_ON_PROBATION && blind)) continue;
        if (pare_account_is_idle(&schedule->accounts[i], best->size, best, effort)) continue;
        if (chosen == PARE_PLAN_MAX_PHASES || rate(schedule, i) > rate(schedule, chosen))
            chosen = i;
    }
    return chosen;
}

/* Runs a phase, a pass by `terms`; NULL: to its end. */
static pare_status run_phase(struct schedule *schedule, size_t index,
                             const pare_early_stop_terms *terms, pare_error *err)
{
    pare_work *work = schedule->work;
    const pare_phase *phase = &work->plan.phases[index];
    pare_account *account = &schedule->accounts[index];
    uint64_t tests = pare_engine_statistics(work->session.engine).tests;
    uint64_t progress = pare_session_progress(&work->session);
    size_t size = pare_engine_ground(work->session.engine)->size;
    bool whole = true;
    pare_status status;
    work->file_bytes = size;
    if (phase->kind == PARE_PHASE_PASS)
        status = pare_pass_phase_run(work, phase->pass, terms, &whole, err);
    else
        status = pare_phase_run(work, phase, err);
    if (status || work->end != PARE_END_DONE) return status;
    tests = pare_engine_statistics(work->session.engine).tests - tests;
    const pare_candidate *best = pare_engine_ground(work->session.engine);
    bool found = pare_session_progress(&work->session) != progress;
    pare_account_enter(account, tests, size, best->size);
    pare_account_close(account, found, whole, best->size, best);
    return PARE_OK;
}

/* The same on the way to the result, which is looked at for whether it still fails. */
static pare_status run_phase_home(struct schedule *schedule, size_t index,
                                  const pare_early_stop_terms *terms, pare_error *err)
{
    pare_work *work = schedule->work;
    pare_status status = run_phase(schedule, index, terms, err);
    if (status || work->end != PARE_END_DONE) return status;
    return pare_flaky_look(&work->flaky, &work->end, err);
}

static pare_status run_coarse(struct schedule *schedule, pare_error *err)
{
    pare_work *work = schedule->work;
    pare_status status = pare_account_look_whether_binary(work, &schedule->binary, err);
    for (size_t i = 0; !status && i < work->plan.n_phases && work->end == PARE_END_DONE; i++) {
        const pare_phase *phase = &work->plan.phases[i];
        if (phase->coarse && !(schedule->binary && phase->text_only))
            status = run_phase_home(schedule, i, &pare_coarse_pass_terms, err);
    }
    /* What it earned on the whole input says nothing about what is left. */
    for (size_t i = 0; i < work->plan.n_phases; i++)
        pare_account_reopen(&schedule->accounts[i], work->put_off);
    work->put_off = false;
    return status;
}

/* The next phase to run, with the least effort that finds one. */
static size_t next_phase(const struct schedule *schedule, pare_phase_effort *effort)
{
    size_t next = PARE_PLAN_MAX_PHASES;
    for (*effort = PARE_ON_PROBATION; next == PARE_PLAN_MAX_PHASES; (*effort)++) {
        next = choose(schedule, *effort);
        if (next != PARE_PLAN_MAX_PHASES || *effort == PARE_TO_BE_SURE) break;
    }
    return next;
}

/* No phase has anything to do: ways out, those that earn most first. */
static pare_status escape(pare_work *work, bool *found, pare_error *err)
{
    pare_status status = pare_excursions_run(work, found, err);
    if (status || *found || work->end != PARE_END_DONE) return status;
    return work->effort == PARE_EFFORT_MAX ? pare_escapes_run(work, found, err) : PARE_OK;
}

static pare_status run_all(struct schedule *schedule, pare_error *err)
{
    pare_work *work = schedule->work;
    pare_status status = work->again ? PARE_OK : run_coarse(schedule, err);
    work->again = true;
    while (!status && work->end == PARE_END_DONE) {
        pare_phase_effort effort;
        size_t next = next_phase(schedule, &effort);
        if (work->effort == PARE_EFFORT_FAST && effort != PARE_ON_PROBATION) {
            work->cut_short = next != PARE_PLAN_MAX_PHASES;
            return PARE_OK;
        }
        if (next == PARE_PLAN_MAX_PHASES) {
            bool found;
            status = escape(work, &found, err);
            if (!status && found) continue;
            return status;
        }
        status = run_phase_home(schedule, next,
                                effort == PARE_ON_PROBATION ? &pare_pass_terms : NULL, err);
    }
    return status;
}

pare_status pare_schedule_run(pare_work *work, pare_error *err)
{
    struct schedule *schedule = pare_alloc_zero(1, sizeof *schedule);
    if (!schedule) return pare_fail_nomem(err);
    schedule->work = work;
    pare_status status = run_all(schedule, err);
    pare_release(schedule);
    return status;
}

pare_status pare_schedule_glance(pare_work *work, pare_error *err)
{
    struct schedule *schedule = pare_alloc_zero(1, sizeof *schedule);
    if (!schedule) return pare_fail_nomem(err);
    schedule->work = work;
    pare_status status = pare_account_look_whether_binary(work, &schedule->binary, err);
    while (!status && work->end == PARE_END_DONE) {
        size_t next = choose(schedule, PARE_ON_PROBATION);
        if (next == PARE_PLAN_MAX_PHASES) break;
        status = run_phase(schedule, next, &pare_pass_terms, err);
    }
    pare_release(schedule);
    return status;
}
