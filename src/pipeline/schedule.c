/* Each phase has an account: how many tests it took lately, and what share of the text it
 * removed for them.  Of the phases that may find something that with the highest rate runs
 * next; to begin with a phase has the rate that the plan promises.
 *
 * A pass runs on probation first: it is set aside after some tests for nothing, and runs to
 * its end only when all others have nothing more to find.  What was tried before is
 * answered by the cache then.  A phase that found nothing is not run again before the size of
 * the text has changed; and before anything in it has, at the end.  So at the end every phase has run to its end over the result, and found
 * nothing: what each of them shows holds.
 *
 * Source: C-Vise's and Shrink Ray's accounts of passes (list-reducers §2.3, tree-reducers
 * §6).  Deviation: the currency is tests, not seconds, so that the same phases run for
 * every number of slots and on every machine. */
#include "pipeline/schedule.h"

#include "base/alloc.h"
#include "pipeline/escapes.h"
#include "pipeline/excursions.h"
#include "pipeline/pass_phase.h"
#include "text/binary.h"

/* What is known about a phase. */
struct account {
    double tests, gained; /* lately; gained: sum of shares of the text, 0 .. 1 each */
    /* Nothing was found: on probation or to the end, in a text of that size; to the end, in
     * that text. */
    bool tried, ended;
    size_t tried_size, ended_size;
    pare_digest ended_on;
};

/* A file of which more than this part is no text is not one; less may be damage. */
enum { BINARY_SHARE = 16 };

static const double PROMISED_TESTS = 20;
static const double MEMORY = 0.5; /* what earlier runs count for, each time it runs */

static const pare_probation TERMS = {.first = 40, .tests = 40, .share = 0.01};
/* A pass that is coarse does it at once, or is no use on the whole input. */
static const pare_probation COARSE_TERMS = {.first = 3, .tests = 6, .share = 0.02};

/* How much a phase is let do, and when it is let do that again. */
enum effort {
    ON_PROBATION, /* after the size of the text has changed */
    TO_THE_END,   /* the same, when all have failed on probation */
    TO_BE_SURE    /* after anything has changed: a name that another one was put for */
};

struct schedule {
    pare_work *work; /* borrowed */
    bool binary;     /* the file is no text */
    struct account accounts[PARE_PLAN_MAX_PHASES];
};

static double rate(const struct schedule *schedule, size_t index)
{
    const struct account *account = &schedule->accounts[index];
    double promise = schedule->work->plan.phases[index].promise;
    return (account->gained + promise) / (account->tests + PROMISED_TESTS);
}

/* Whether the phase has nothing to do in `effort` over `best`. */
static bool is_idle(const struct account *account, const pare_candidate *best, enum effort effort)
{
    switch (effort) {
    case ON_PROBATION: return account->tried && account->tried_size == best->size;
    case TO_THE_END: return account->ended && account->ended_size == best->size;
    case TO_BE_SURE: break;
    }
    return account->ended && pare_digest_equal(account->ended_on, pare_candidate_digest(best));
}

/* Whether the phase takes what is left apart where a binary file shows nothing to go by: a
 * test for each byte, nearly, after all that may be had for less. */
static bool is_blind(const struct schedule *schedule, const pare_phase *phase)
{
    return schedule->binary && (phase->kind == PARE_PHASE_UNITS || phase->text_only);
}

/* The phase with the highest rate that may find something; PARE_PLAN_MAX_PHASES: none. */
static size_t choose(const struct schedule *schedule, enum effort effort)
{
    size_t chosen = PARE_PLAN_MAX_PHASES;
    const pare_candidate *best = pare_engine_ground(schedule->work->session.engine);
    for (size_t i = 0; i < schedule->work->plan.n_phases; i++) {
        const pare_phase *phase = &schedule->work->plan.phases[i];
        if (phase->once || (effort == ON_PROBATION && is_blind(schedule, phase))) continue;
        if (is_idle(&schedule->accounts[i], best, effort)) continue;
        if (chosen == PARE_PLAN_MAX_PHASES || rate(schedule, i) > rate(schedule, chosen))
            chosen = i;
    }
    return chosen;
}

/* Enters a run of `tests` tests that made `before` bytes `after`. */
static void enter(struct account *account, uint64_t tests, size_t before, size_t after)
{
    double share = before ? (double)(before - after) / (double)before : 0;
    account->tests = account->tests * MEMORY + (double)tests;
    account->gained = account->gained * MEMORY + share;
}

/* Runs a phase, a pass by `terms`; NULL: to its end. */
static pare_status run_phase(struct schedule *schedule, size_t index, const pare_probation *terms,
                             pare_error *err)
{
    pare_work *work = schedule->work;
    const pare_phase *phase = &work->plan.phases[index];
    struct account *account = &schedule->accounts[index];
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
    enter(account, tests, size, pare_engine_ground(work->session.engine)->size);
    bool found = pare_session_progress(&work->session) != progress;
    const pare_candidate *best = pare_engine_ground(work->session.engine);
    account->tried = !found;
    account->ended = !found && whole;
    account->tried_size = account->ended_size = best->size;
    account->ended_on = pare_candidate_digest(best);
    return PARE_OK;
}

/* The same on the way to the result, which is looked at for whether it still fails. */
static pare_status run_phase_home(struct schedule *schedule, size_t index,
                                  const pare_probation *terms, pare_error *err)
{
    pare_work *work = schedule->work;
    pare_status status = run_phase(schedule, index, terms, err);
    if (status || work->end != PARE_END_DONE) return status;
    return pare_flaky_look(&work->flaky, &work->end, err);
}

static pare_status look_whether_binary(pare_work *work, bool *binary, pare_error *err)
{
    pare_view view;
    bool found;
    *binary = false;
    pare_status status = pare_phase_open_view(work, &view, &found, err);
    if (status) return status;
    pare_span bytes = found ? pare_view_bytes(&view) : (pare_span){0};
    *binary = pare_bytes_of_no_text(bytes.bytes, bytes.size) > bytes.size / BINARY_SHARE;
    pare_view_close(&view);
    return PARE_OK;
}

static pare_status run_coarse(struct schedule *schedule, pare_error *err)
{
    pare_work *work = schedule->work;
    pare_status status = look_whether_binary(work, &schedule->binary, err);
    for (size_t i = 0; !status && i < work->plan.n_phases && work->end == PARE_END_DONE; i++) {
        const pare_phase *phase = &work->plan.phases[i];
        if (phase->coarse && !(schedule->binary && phase->text_only))
            status = run_phase_home(schedule, i, &COARSE_TERMS, err);
    }
    for (size_t i = 0; i < work->plan.n_phases; i++) {
        /* What it earned on the whole input says nothing about what is left. */
        schedule->accounts[i].tests = schedule->accounts[i].gained = 0;
        /* What was put off found nothing because it did not look. */
        if (work->put_off) schedule->accounts[i].tried = schedule->accounts[i].ended = false;
    }
    work->put_off = false;
    return status;
}

/* The next phase to run, with the least effort that finds one. */
static size_t next_phase(const struct schedule *schedule, enum effort *effort)
{
    size_t next = PARE_PLAN_MAX_PHASES;
    for (*effort = ON_PROBATION; next == PARE_PLAN_MAX_PHASES; (*effort)++) {
        next = choose(schedule, *effort);
        if (next != PARE_PLAN_MAX_PHASES || *effort == TO_BE_SURE) break;
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
        enum effort effort;
        size_t next = next_phase(schedule, &effort);
        if (work->effort == PARE_EFFORT_FAST && effort != ON_PROBATION) {
            work->cut_short = next != PARE_PLAN_MAX_PHASES;
            return PARE_OK;
        }
        if (next == PARE_PLAN_MAX_PHASES) {
            bool found;
            status = escape(work, &found, err);
            if (!status && found) continue;
            return status;
        }
        status = run_phase_home(schedule, next, effort == ON_PROBATION ? &TERMS : NULL, err);
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
    pare_status status = look_whether_binary(work, &schedule->binary, err);
    while (!status && work->end == PARE_END_DONE) {
        size_t next = choose(schedule, ON_PROBATION);
        if (next == PARE_PLAN_MAX_PHASES) break;
        status = run_phase(schedule, next, &TERMS, err);
    }
    pare_release(schedule);
    return status;
}
