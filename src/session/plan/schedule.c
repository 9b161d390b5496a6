/* What decides the next phase: each has a reward, how many tests it took lately and what share
 * of the text it removed for them (pass_reward.h).  Of the phases that may find something, that
 * with the highest rate runs next; before it has run, a phase has the rate that the plan
 * promises.
 *
 * A pass runs with early stop first: it is set aside after some tests for nothing, and runs to
 * its end only when all others have nothing more to find.  What was tried before is answered by
 * the cache then.
 * Invariant: a phase that found nothing is not run again before the size of the text has
 * changed; and at the end, before anything in it has.  So at the end every phase has run to its
 * end over the result and found nothing: what each of them shows holds.
 * Source: as pass_reward.c; that the end is a fixpoint of all phases is ours. */
#include "session/plan/schedule.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "engine/engine.h"
#include "engine/limited.h"
#include "session/plan/local_minimum.h"
#include "session/plan/pass_reward.h"
#include "session/plan/phase.h"
#include "session/plan/plan.h"
#include "session/plan/work.h"
#include "session/session.h"
#include "session/test/flaky.h"
#include "text/candidate.h"

#include <pare/algorithm.h>

struct schedule {
    pare_work *work; /* borrowed */
    bool binary;     /* the file is no text */
    pare_pass_reward rewards[PARE_PLAN_MAX_PHASES];
};

static double rate(const struct schedule *schedule, size_t index)
{
    const pare_pass_reward *reward = &schedule->rewards[index];
    double promise = schedule->work->plan.phases[index].promise;
    return (reward->gained + promise) / (reward->tests + PARE_PROMISED_TESTS);
}

/* The phase with the highest rate that may find something; PARE_PLAN_MAX_PHASES: none. */
static size_t choose(const struct schedule *schedule, pare_phase_effort effort)
{
    size_t chosen = PARE_PLAN_MAX_PHASES;
    const pare_candidate *best = pare_engine_current(schedule->work->session.engine);
    for (size_t i = 0; i < schedule->work->plan.n_phases; i++) {
        const pare_phase *phase = &schedule->work->plan.phases[i];
        bool blind = pare_pass_reward_needs_text(phase, schedule->binary);
        if (phase->once || (effort == PARE_WITH_EARLY_STOP && blind)) continue;
        if (pare_pass_reward_is_idle(&schedule->rewards[i], best->size, best, effort)) continue;
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
    assert(index < work->plan.n_phases);
    const pare_phase *phase = &work->plan.phases[index];
    pare_pass_reward *reward = &schedule->rewards[index];
    uint64_t tests = pare_engine_statistics(work->session.engine).tests;
    uint64_t progress = pare_session_progress(&work->session);
    size_t size = pare_engine_current(work->session.engine)->size;
    bool whole = true;
    pare_status status;
    work->file_bytes = size;
    if (phase->kind == PARE_PHASE_PASS)
        status = pare_phase_run_pass(work, phase->pass, terms, &whole, err);
    else
        status = pare_phase_run(work, phase, err);
    if (status) return status;
    tests = pare_engine_statistics(work->session.engine).tests - tests;
    const pare_candidate *best = pare_engine_current(work->session.engine);
    bool found = pare_session_progress(&work->session) != progress;
    pare_pass_reward_add(reward, tests, size, best->size);
    pare_pass_reward_note_end(reward, found, whole, best->size, best);
    return PARE_OK;
}

/* The same, and then looks whether the result still fails as often. */
static pare_status run_phase_and_look(struct schedule *schedule, size_t index,
                                      const pare_early_stop_terms *terms, pare_error *err)
{
    pare_work *work = schedule->work;
    pare_status status = run_phase(schedule, index, terms, err);
    if (status) return status;
    return pare_flaky_look(&work->flaky, err);
}

/* The coarse phases, in the order of the plan, each once.  They make a large input small in few
 * tests, and are not compared with the others. */
static pare_status run_coarse(struct schedule *schedule, pare_error *err)
{
    pare_work *work = schedule->work;
    pare_status status = pare_pass_reward_look_whether_binary(work, &schedule->binary, err);
    for (size_t i = 0; !status && i < work->plan.n_phases; i++) {
        const pare_phase *phase = &work->plan.phases[i];
        if (phase->coarse && !(schedule->binary && phase->text_only))
            status = run_phase_and_look(schedule, i, &pare_coarse_pass_terms, err);
    }
    /* What it earned on the whole input says nothing about what is left. */
    for (size_t i = 0; i < work->plan.n_phases; i++)
        pare_pass_reward_forget(&schedule->rewards[i], work->put_off);
    work->put_off = false;
    return status;
}

/* The next phase to run, with the least effort that finds one. */
static size_t next_phase(const struct schedule *schedule, pare_phase_effort *effort)
{
    size_t next = PARE_PLAN_MAX_PHASES;
    for (*effort = PARE_WITH_EARLY_STOP; next == PARE_PLAN_MAX_PHASES; (*effort)++) {
        next = choose(schedule, *effort);
        if (next != PARE_PLAN_MAX_PHASES || *effort == PARE_TO_BE_SURE) break;
    }
    return next;
}

/* The coarse phases, then always the phase that earns the most, until none finds anything. */
static pare_status run_best_first(struct schedule *schedule, pare_error *err)
{
    pare_work *work = schedule->work;
    pare_status status = work->again ? PARE_OK : run_coarse(schedule, err);
    work->again = true;
    while (!status) {
        pare_phase_effort effort;
        size_t next = next_phase(schedule, &effort);
        if (work->effort == PARE_EFFORT_FAST && effort != PARE_WITH_EARLY_STOP) {
            work->cut_short = next != PARE_PLAN_MAX_PHASES;
            return PARE_OK;
        }
        if (next == PARE_PLAN_MAX_PHASES) {
            bool found;
            status = pare_local_minimum_leave(work, pare_schedule_glance, &found, err);
            if (!status && found) continue;
            return status;
        }
        status = run_phase_and_look(schedule, next,
                                    effort == PARE_WITH_EARLY_STOP ? &pare_pass_terms : NULL, err);
    }
    return status;
}

pare_status pare_schedule_run(pare_work *work, pare_error *err)
{
    struct schedule *schedule = pare_alloc_zero(1, sizeof *schedule);
    if (!schedule) return pare_fail_nomem(err);
    schedule->work = work;
    pare_status status = run_best_first(schedule, err);
    pare_alloc_free(schedule);
    return status;
}

pare_status pare_schedule_glance(pare_work *work, pare_error *err)
{
    struct schedule *schedule = pare_alloc_zero(1, sizeof *schedule);
    if (!schedule) return pare_fail_nomem(err);
    schedule->work = work;
    pare_status status = pare_pass_reward_look_whether_binary(work, &schedule->binary, err);
    while (!status) {
        size_t next = choose(schedule, PARE_WITH_EARLY_STOP);
        if (next == PARE_PLAN_MAX_PHASES) break;
        status = run_phase(schedule, next, &pare_pass_terms, err);
    }
    pare_alloc_free(schedule);
    return status;
}
