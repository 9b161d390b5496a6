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
#include <stdlib.h>

#include <pare/algorithm.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "base/fail.h"
#include "engine/engine.h"
#include "engine/limited.h"
#include "reduce/passes/pass.h"
#include "reduce/syntax/front_end.h"
#include "session/plan/local_minimum.h"
#include "session/plan/pass_reward.h"
#include "session/plan/patience.h"
#include "session/plan/phase.h"
#include "session/plan/plan.h"
#include "session/plan/prior.h"
#include "session/plan/semantic_phase.h"
#include "session/plan/work.h"
#include "session/session.h"
#include "session/test/flaky.h"
#include "text/candidate.h"

/* ---- which phase is next -------------------------------------------------------------- */

/* The schedule of one file: what each phase has earned, and what kind of text it is. */
struct schedule {
    pare_work *work; /* borrowed */
    bool binary;     /* the file is no text */
    bool uphill;     /* over a text that is not the best */
    bool searched;   /* uphill, in vain: */
    pare_digest searched_from;
    pare_local_minimum_hangs hangs;
    pare_pass_reward rewards[PARE_PLAN_MAX_PHASES];
};

/* The share of the text that the first 20 tests of the phase are expected to remove, before it has
 * run: by its kind, the language, and the size. */
static double promise_of(const struct schedule *schedule, size_t index)
{
    const pare_work *work = schedule->work;
    const char *language = work->front ? pare_front_end_language(work->front) : NULL;
    return pare_prior_promise(work->plan.phases[index].prior,
                              pare_prior_kind_of(schedule->binary, language),
                              pare_engine_current(work->session.engine)->size);
}

/* The prior's promise counts as the first tests of the phase, so that one test in vain does not
 * sink it, and measured runs soon outweigh it. */
static double rate(const struct schedule *schedule, size_t index)
{
    const pare_pass_reward *reward = &schedule->rewards[index];
    return (reward->gained + promise_of(schedule, index)) / (reward->tests + PARE_PROMISED_TESTS);
}

/* The phase with the highest rate that may find something, but for `other`;
 * PARE_PLAN_MAX_PHASES: none. */
static size_t choose(const struct schedule *schedule, pare_phase_effort effort, size_t other)
{
    size_t chosen = PARE_PLAN_MAX_PHASES;
    const pare_candidate *best = pare_engine_current(schedule->work->session.engine);
    const bool all = schedule->work->effort == PARE_EFFORT_MAX;
    for (size_t i = 0; i < schedule->work->plan.n_phases; i++) {
        const pare_phase *phase = &schedule->work->plan.phases[i];
        if (i == other || (schedule->binary && phase->text_only)) continue;
        if (!pare_pass_reward_takes_part(phase, all, schedule->binary, effort)) continue;
        if (pare_pass_reward_is_idle(&schedule->rewards[i], best->size, best, effort)) continue;
        if (chosen == PARE_PLAN_MAX_PHASES || rate(schedule, i) > rate(schedule, chosen))
            chosen = i;
    }
    return chosen;
}

/* The phase of the finest units, by which the result is minimal: the last one of the default. */
static size_t finest(const struct schedule *schedule)
{
    return schedule->work->plan.n_phases - 1;
}

/* Whether the finest phase found nothing in the very text at hand. */
static bool is_minimal(const struct schedule *schedule)
{
    const pare_candidate *best = pare_engine_current(schedule->work->session.engine);
    const pare_pass_reward *reward = &schedule->rewards[finest(schedule)];
    return pare_pass_reward_is_idle(reward, best->size, best, PARE_TO_BE_SURE);
}

/* How many tests of the patience are kept for the finest phase over the text at hand; 0: none are
 * needed, or there are too few for it.  An uphill search begins where it has found nothing. */
static uint64_t kept_for_finest(const struct schedule *schedule)
{
    const pare_candidate *best = pare_engine_current(schedule->work->session.engine);
    if (schedule->work->effort == PARE_EFFORT_FAST) return 0; /* it promises nothing */
    if (schedule->uphill || is_minimal(schedule)) return 0;
    return pare_patience_kept(pare_patience_left(schedule->work), best->size);
}

/* Whether the run is over: what is left of the patience is kept for the finest phase. */
static bool is_out_of_patience(const struct schedule *schedule)
{
    return pare_patience_left(schedule->work) <= kept_for_finest(schedule);
}

/* Sets the guard of a phase: what it may spend before others are tried. */
static void guard(const struct schedule *schedule, size_t index, const pare_early_stop_terms *terms)
{
    const pare_phase *phase = &schedule->work->plan.phases[index];
    const bool coarse = !schedule->work->again;
    const bool counts = phase->kind == PARE_PHASE_PASS || phase->kind == PARE_PHASE_SEMANTIC;
    const pare_early_stop_terms *yield = !terms || counts ? NULL
                                         : coarse         ? &pare_patience_coarse_terms
                                                          : &pare_patience_terms;
    /* The final sweep has to go through every unit in any case, so stopping it early would only
     * repeat its tests. */
    if (index == finest(schedule) && kept_for_finest(schedule)) yield = NULL;
    if (schedule->work->effort == PARE_EFFORT_MAX) yield = NULL;
    pare_patience_guard(schedule->work, yield,
                        index == finest(schedule) ? 0 : kept_for_finest(schedule));
}

/* Tells the session which phase follows if this one finds nothing, for the progress line: among
 * coarse phases the next in the plan, otherwise the one that promises the most. */
static void tell_next(const struct schedule *schedule, size_t index, pare_phase_effort effort)
{
    pare_work *work = schedule->work;
    size_t next = index + 1;
    if (work->again)
        next = choose(schedule, effort, index);
    else
        while (next < work->plan.n_phases && !work->plan.phases[next].coarse)
            next++;
    pare_plan_phase_name(next < work->plan.n_phases ? &work->plan.phases[next] : NULL, work->again,
                         work->session.next_phase);
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
    guard(schedule, index, terms);
    tell_next(schedule, index, terms ? PARE_WITH_EARLY_STOP : PARE_TO_THE_END);
    if (phase->kind == PARE_PHASE_PASS)
        status = pare_phase_run_pass(work, phase->pass, terms, &whole, err);
    else if (phase->kind == PARE_PHASE_SEMANTIC)
        status = pare_semantic_phase_run(work, terms, &whole, err);
    else
        status = pare_phase_run(work, phase, err);
    /* On an uphill search, a request to skip means the whole search. */
    const bool skipped = !schedule->uphill && pare_session_is_skipped(&work->session, &status);
    /* A phase that does not earn its tests is left. If there is no patience for any other phase
     * either, the run ends. */
    if (status == PARE_RUN_ENDED && work->session.end == PARE_END_VAIN) {
        whole = false;
        if (!is_out_of_patience(schedule)) status = pare_session_go_on(&work->session, status);
    }
    if (status) return status;
    tests = pare_engine_statistics(work->session.engine).tests - tests;
    const pare_candidate *best = pare_engine_current(work->session.engine);
    bool found = !skipped && pare_session_progress(&work->session) != progress;
    pare_pass_reward_add(reward, tests, size, best->size);
    pare_pass_reward_note_end(reward, found, whole, best->size, best);
    return PARE_OK;
}

/* Runs the phases over the current text, each with early stop, until none finds anything: what an
 * uphill search does with each text. Whether the result still fails as often as the input is looked
 * at after the search. */
static pare_status glance(pare_work *work, pare_error *err)
{
    struct schedule *schedule = pare_alloc_zero(1, sizeof *schedule);
    if (!schedule) return pare_fail_nomem(err);
    schedule->work = work;
    schedule->uphill = true;
    pare_status status = pare_pass_reward_look_whether_binary(work, &schedule->binary, err);
    work->is_binary = schedule->binary;
    while (!status) {
        size_t next = choose(schedule, PARE_WITH_EARLY_STOP, PARE_PLAN_MAX_PHASES);
        if (next == PARE_PLAN_MAX_PHASES) break;
        status = run_phase(schedule, next, &pare_pass_terms, err);
    }
    pare_alloc_free(schedule);
    return status;
}

/* ---- the schedule ----------------------------------------------------------------------- */

/* The promise of uphill searches, in the unit of the phases' promises (prior.h). */
static const double UPHILL_PROMISE = 0.0012;

/* Whether it is time for uphill searches: none was made from this very text, and what `next`
 * promises with such effort is less.  With PARE_EFFORT_MAX they wait until all else has ended. */
static bool is_time_for_uphill(const struct schedule *schedule, size_t next,
                               pare_phase_effort effort)
{
    const pare_work *work = schedule->work;
    const pare_candidate *best = pare_engine_current(work->session.engine);
    const bool last = next == PARE_PLAN_MAX_PHASES;
    if (work->effort == PARE_EFFORT_FAST || (work->effort == PARE_EFFORT_MAX && !last))
        return false;
    if (!last && effort == PARE_WITH_EARLY_STOP &&
        rate(schedule, next) * PARE_PROMISED_TESTS > UPHILL_PROMISE)
        return false;
    return !schedule->searched ||
           !pare_digest_equal(schedule->searched_from, pare_candidate_digest(best));
}

/* Leaves the minimum, if that is one; what is left of the patience lasts for several searches. */
static pare_status run_uphill(struct schedule *schedule, pare_error *err)
{
    pare_work *work = schedule->work;
    bool found = false;
    const pare_candidate *best = pare_engine_current(work->session.engine);
    schedule->searched_from = pare_candidate_digest(best);
    pare_patience_guard(work, NULL, kept_for_finest(schedule));
    pare_status status = pare_local_minimum_leave(work, glance, &found, err);
    (void)pare_session_is_skipped(&work->session, &status);
    schedule->searched = !found;
    return status;
}

/* The same where what hangs seems to be the failure, too; looked at like a phase afterwards. */
static pare_status run_through_hangs(struct schedule *schedule, pare_error *err)
{
    pare_work *work = schedule->work;
    pare_patience_guard(work, NULL, kept_for_finest(schedule));
    pare_status status = pare_local_minimum_search_hangs(work, &schedule->hangs, glance, err);
    (void)pare_session_is_skipped(&work->session, &status);
    return status ? status : pare_flaky_look(&work->flaky, err);
}

/* Runs a phase, and then looks whether the result still fails as often. */
static pare_status run_phase_and_look(struct schedule *schedule, size_t index,
                                      const pare_early_stop_terms *terms, pare_error *err)
{
    pare_work *work = schedule->work;
    pare_status status = run_phase(schedule, index, terms, err);
    if (status) return status;
    return pare_flaky_look(&work->flaky, err);
}

/* Below this size, what a closure has left is what the failure needs, held together by base
 * classes, name spaces, parameters and types. The passes that know names take those out at once,
 * where a tree algorithm would go through all their tokens. In larger texts they fail on everything
 * that a whole declaration could take along. */
enum {
    NAMES_MOST_BYTES = 4096,
    NAMES_PATIENCE = 16 /* tests that bring less than a fiftieth */
};

/* Runs the passes that know names, each by the terms of coarse phases (given up after about three
 * vain tests). All of them end once NAMES_PATIENCE tests have not removed a fiftieth of the
 * text. */
static pare_status run_names(struct schedule *schedule, pare_error *err)
{
    pare_work *work = schedule->work;
    pare_status status = PARE_OK;
    size_t size = pare_engine_current(work->session.engine)->size;
    uint64_t tests = pare_engine_statistics(work->session.engine).tests;
    if (size > NAMES_MOST_BYTES) return PARE_OK;
    for (size_t i = 0; !status && i < work->plan.n_phases; i++) {
        if (!work->plan.phases[i].names) continue;
        status = run_phase_and_look(schedule, i, &pare_coarse_pass_terms, err);
        const size_t now = pare_engine_current(work->session.engine)->size;
        const uint64_t so_far = pare_engine_statistics(work->session.engine).tests;
        if (now + size / 50 <= size) {
            size = now;
            tests = so_far;
        }
        if (so_far - tests >= NAMES_PATIENCE) break;
    }
    return status;
}

/* In a small text that no language reads, names and white space are most of what is left. They are
 * shortened before lines and tokens are gone through, which then takes fewer tests. In a text with
 * a language only white space is, if there is much of it, as soon as the passes that need names are
 * through. */
enum { SHORTEN_MOST_BYTES = 1024 };

/* Whether what is left is small, and is read (`read` false: is not). */
static bool is_small(const pare_work *work, bool read)
{
    return pare_engine_current(work->session.engine)->size <= SHORTEN_MOST_BYTES &&
           pare_front_end_has_reader(work->front) == read;
}

/* Whether a coarse phase has its turn. */
static bool runs_coarse(const struct schedule *schedule, const pare_phase *phase)
{
    const pare_work *work = schedule->work;
    if (!phase->coarse || (schedule->binary && phase->text_only)) return false;
    /* Without a tree, blocks of lines go first: they take whole chains along. */
    if (phase->persistent && !pare_front_end_has_reader(work->front)) return false;
    return !phase->if_small || is_small(work, phase->if_read);
}

/* When a coarse phase is left: sooner, unless its first tests say little about those that follow. */
static const pare_early_stop_terms *coarse_terms(const pare_work *work, const pare_phase *phase)
{
    const bool parts = phase->pass && phase->pass->group == PARE_PASS_LEARNED;
    if (phase->at_once) return &pare_coarse_whole_terms;
    if (phase->persistent) return &pare_coarse_persistent_terms;
    return parts || (phase->patient && is_small(work, false)) ? &pare_coarse_parts_terms
                                                              : &pare_coarse_pass_terms;
}

/* Whether a coarse phase that has its turn may save enough. */
static pare_status saves_enough(const struct schedule *schedule, const pare_phase *phase,
                                bool *enough, pare_error *err)
{
    *enough = true;
    if (!phase->if_much) return PARE_OK;
    return pare_phase_saves_much(schedule->work, phase->pass, phase->if_read, enough, err);
}

/* The coarse phases, in the order of the plan, each once.  They make a large input small in few
 * tests, and are not compared with the others. */
static pare_status run_coarse(struct schedule *schedule, pare_error *err)
{
    pare_work *work = schedule->work;
    pare_status status = pare_pass_reward_look_whether_binary(work, &schedule->binary, err);
    work->is_binary = schedule->binary;
    bool changed = false; /* by the phase before */
    for (size_t i = 0; !status && i < work->plan.n_phases; i++) {
        const pare_phase *phase = &work->plan.phases[i];
        const uint64_t before = pare_session_progress(&work->session);
        bool runs = runs_coarse(schedule, phase) && (changed || !phase->after_change);
        if (runs) status = saves_enough(schedule, phase, &runs, err);
        if (!status && runs)
            status = run_phase_and_look(schedule, i, coarse_terms(work, phase), err);
        if (!status && phase->then_names) status = run_names(schedule, err);
        changed = pare_session_progress(&work->session) != before;
    }
    /* Rewards earned on the whole input say nothing about what is left of it. */
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
        next = choose(schedule, *effort, PARE_PLAN_MAX_PHASES);
        if (next != PARE_PLAN_MAX_PHASES || *effort == PARE_TO_BE_SURE) break;
    }
    return next;
}

/* Runs the phase that earns the most, again and again, until none finds anything (*more is false)
 * or the patience is used up. */
static pare_status run_patiently(struct schedule *schedule, bool *more, pare_error *err)
{
    pare_work *work = schedule->work;
    pare_status status = PARE_OK;
    while (!status && !is_out_of_patience(schedule)) {
        pare_phase_effort effort;
        size_t next = next_phase(schedule, &effort);
        if (work->effort == PARE_EFFORT_FAST && effort != PARE_WITH_EARLY_STOP) {
            work->cut_short = next != PARE_PLAN_MAX_PHASES;
            *more = false;
            return PARE_OK;
        }
        if (is_time_for_uphill(schedule, next, effort)) {
            status = run_uphill(schedule, err);
            continue;
        }
        if (work->effort != PARE_EFFORT_FAST &&
            pare_local_minimum_hangs_seem_alike(work, &schedule->hangs)) {
            status = run_through_hangs(schedule, err);
            continue;
        }
        *more = next != PARE_PLAN_MAX_PHASES;
        if (!*more) return PARE_OK;
        status = run_phase_and_look(schedule, next,
                                    effort == PARE_WITH_EARLY_STOP ? &pare_pass_terms : NULL, err);
    }
    return status;
}

/* Runs the final sweep, for which the rest of the patience was kept. If the cache answered most of
 * it, or it found something, there is *more patience for the other phases. */
static pare_status run_finest(struct schedule *schedule, bool *more, pare_error *err)
{
    pare_work *work = schedule->work;
    pare_status status = PARE_OK;
    if (kept_for_finest(schedule)) status = run_phase(schedule, finest(schedule), NULL, err);
    *more = !is_out_of_patience(schedule) || kept_for_finest(schedule);
    /* With little effort no minimality is promised, whatever has been shown. */
    work->cut_short = !*more && (work->effort == PARE_EFFORT_FAST || !is_minimal(schedule));
    return status;
}

/* An end for want of patience ends the phases, not the run: it is turned into PARE_OK. */
static pare_status lose_patience(pare_work *work, pare_status status)
{
    const bool vain = status == PARE_RUN_ENDED && work->session.end == PARE_END_VAIN;
    return vain ? pare_session_go_on(&work->session, status) : status;
}

/* The coarse phases, then the others as long as there is patience. */
static pare_status run_best_first(struct schedule *schedule, pare_error *err)
{
    pare_work *work = schedule->work;
    pare_status status = work->again ? PARE_OK : run_coarse(schedule, err);
    work->again = true;
    for (bool more = true; !status && more;) {
        status = lose_patience(work, run_patiently(schedule, &more, err));
        if (!status && more) status = lose_patience(work, run_finest(schedule, &more, err));
    }
    pare_engine_guard(work->session.engine, &(pare_guard_terms){.after = NULL});
    return status;
}

/* On the heap: the rewards of 64 phases are too much for the stack of a thread of somebody
 * else's program. */
pare_status pare_schedule_run(pare_work *work, pare_error *err)
{
    struct schedule *schedule = pare_alloc_zero(1, sizeof *schedule);
    if (!schedule) return pare_fail_nomem(err);
    schedule->work = work;
    pare_status status = run_best_first(schedule, err);
    pare_alloc_free(schedule);
    return status;
}
