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
#include "engine/pool.h"
#include "engine/strategy.h"
#include "reduce/binding/program.h"
#include "reduce/list/algorithms.h"
#include "reduce/passes/pass.h"
#include "reduce/syntax/front_end.h"
#include "session/plan/pass_reward.h"
#include "session/plan/patience.h"
#include "session/plan/phase.h"
#include "session/plan/phase_input.h"
#include "session/plan/plan.h"
#include "session/plan/prior.h"
#include "session/plan/semantic_phase.h"
#include "session/plan/work.h"
#include "session/reducible_ranges.h"
#include "session/session.h"
#include "session/test/flaky.h"
#include "text/candidate.h"
#include "text/patch.h"
#include "text/split/split.h"

/* ---- which phase is next -------------------------------------------------------------- */

/* The schedule of one file: what each phase has earned, and what kind of text it is. */
struct schedule {
    pare_work *work; /* borrowed */
    bool binary;     /* the file is no text */
    bool uphill;     /* over a text that is not the best */
    bool searched;   /* uphill, in vain: */
    pare_digest searched_from;
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

/* ---- out of a local minimum ------------------------------------------------------------ */

/* Where every phase of the default finds nothing, the text is a local minimum of all of them.  Two
 * ways lead out of it.
 *
 * Uphill search.  A function that is called twice keeps what it is called with apart from what it
 * does; with both calls replaced by what it does, each may lose what it does not need.  To get
 * there the text has to grow first.  So the passes that may grow the text are asked what they
 * offer; from each offer that still fails the phases are run, with early stop and for so many
 * tests at most, beside the best (engine/engine.c).  Only what ends smaller than the best
 * is kept.
 * Source: "inlining" of LPR (arXiv 2312.13064) and C-Reduce, whose passes may grow the text and
 * keep it.
 *
 * Random restarts, with PARE_EFFORT_MAX.  No single token, character or run of neighbours can go.
 * What is left to find are sets of units that stand apart, such as an opening word and its end;
 * an algorithm that draws its sets by probability meets them if it goes through the text in
 * another order than before.
 * Source: the order of ProbDD (Wang et al., ESEC/FSE 2021) and CDD (Zhang et al., ICSE 2025)
 * reversed; random orders are ours. */

/* The name in the statistics under which all tests of uphill searches are counted. */
static const char UPHILL_NAME[] = "excursions";

static const pare_pass *const GROWING[] = {&pare_binding_spread_values, &pare_binding_spread_calls,
                                           &pare_binding_moves, &pare_binding_spread_parts,
                                           &pare_binding_spread_types};

/* How much uphill searches may spend over one text. */
struct limits {
    size_t offers;           /* of one pass, tested */
    unsigned searches;       /* of all passes, of the offers that fail */
    pare_uphill_terms terms; /* of each */
};

/* How patient a search is: a small text is gone through in few tests (docs/design/default.md). */
enum { TESTS_A_BYTE = 4, LEAST_PATIENCE = 60 };

/* With PARE_EFFORT_MAX, everything several times over. */
static const struct limits NORMAL = {
    .offers = 32, .searches = 3, .terms = {.patience = 400, .most = 800}};
static const struct limits MAX = {
    .offers = 256, .searches = 32, .terms = {.patience = 1000, .most = 4000}};

/* Uphill searches over one text. */
struct uphill {
    pare_work *work; /* borrowed */
    const struct limits *limits;
    unsigned left; /* of limits->searches */
    bool found;    /* something smaller */
};

/* The offers of one pass. */
struct offers {
    pare_patches *patches; /* one reference */
    uint32_t *picked;      /* owned; the least growth first */
    size_t n;
};

/* An all-zero struct may be ended. */
static void offers_done(struct offers *offers)
{
    pare_patches_unref(offers->patches);
    pare_alloc_free(offers->picked);
}

/* The candidate of one patch. */
static pare_status make_candidate(const pare_patches *patches, uint32_t patch,
                                  pare_candidate *candidate, pare_error *err)
{
    return pare_patches_candidate(patches, pare_patch_changes(patches, patch),
                                  patches->patches[patch].n_changes, candidate, err);
}

/* Whether what is protected stays as it is. */
static pare_status is_admitted(pare_admits admits, const pare_guarded *guarded,
                               const pare_patches *patches, uint32_t patch, bool *yes,
                               pare_error *err)
{
    pare_candidate candidate = {0};
    *yes = true;
    if (!admits) return PARE_OK;
    pare_status status = make_candidate(patches, patch, &candidate, err);
    if (!status) status = admits(guarded, &candidate, yes, err);
    pare_candidate_done(&candidate);
    return status;
}

/* One offer that is to be tested, with its place in the pass's list. */
struct pick {
    int64_t gain;
    uint32_t patch;
};

/* For qsort: the largest gain, which is the least growth, first. */
static int by_growth(const void *a, const void *b)
{
    const struct pick *x = a, *y = b;
    if (x->gain != y->gain) return x->gain > y->gain ? -1 : 1;
    return x->patch < y->patch ? -1 : x->patch > y->patch;
}

/* Sorts the offers by how little they grow the text, of equals the first: the order must not
 * depend on the sort. */
static pare_status sort_offers(struct offers *offers, pare_error *err)
{
    const pare_patches *patches = offers->patches;
    struct pick *picks = pare_alloc(patches->n, sizeof *picks);
    assert(patches->n > 0);
    offers->picked = pare_alloc(patches->n, sizeof *offers->picked);
    if (!picks || !offers->picked) {
        pare_alloc_free(picks);
        return pare_fail_nomem(err);
    }
    for (uint32_t i = 0; i < patches->n; i++)
        picks[i] = (struct pick){patches->patches[i].gain, i};
    qsort(picks, patches->n, sizeof *picks, by_growth);
    for (uint32_t i = 0; i < patches->n; i++)
        offers->picked[i] = picks[i].patch;
    pare_alloc_free(picks);
    return PARE_OK;
}

/* Asks the pass for its offers, and leaves out what would lose protected text. */
static pare_status collect(struct uphill *uphill, const pare_pass *pass, const pare_view *view,
                           struct offers *offers, pare_error *err)
{
    pare_work *work = uphill->work;
    pare_guarded guarded;
    pare_admits admits = pare_reducible_ranges_admits(&work->ranges, view, &guarded);
    pare_status status = pare_phase_input_offer(work, pass, view, &offers->patches, err);
    if (!status && offers->patches->n) status = sort_offers(offers, err);
    size_t n = status ? 0 : offers->patches->n;
    for (size_t i = 0; !status && i < n && offers->n < uphill->limits->offers; i++) {
        bool yes;
        status = is_admitted(admits, &guarded, offers->patches, offers->picked[i], &yes, err);
        if (!status && yes) offers->picked[offers->n++] = offers->picked[i];
    }
    return status;
}

/* Less patience for a small text: it is gone through in fewer tests, and each search costs its
 * patience in the end.  `left`: what the run has. */
static pare_uphill_terms terms_for(const pare_uphill_terms *widest, size_t size, uint64_t left)
{
    pare_uphill_terms terms = *widest;
    if (size < terms.patience / TESTS_A_BYTE) terms.patience = size * TESTS_A_BYTE;
    if (terms.patience < LEAST_PATIENCE) terms.patience = LEAST_PATIENCE;
    /* A single search may use at most half of the patience that is left. */
    if (terms.patience > left / 2) terms.patience = left / 2 + 1;
    return terms;
}

/* Runs the phases over what the patch makes of the text; home again in any case. */
static pare_status explore(struct uphill *uphill, const struct offers *offers, uint32_t patch,
                           pare_error *err)
{
    pare_work *work = uphill->work;
    assert(uphill->left > 0 && !uphill->found);
    pare_candidate from = {0};
    pare_status status = make_candidate(offers->patches, patch, &from, err);
    const pare_uphill_terms terms =
        terms_for(&uphill->limits->terms, from.size, pare_patience_left(work));
    if (!status) status = pare_engine_start_uphill(work->session.engine, &from, &terms, err);
    /* All that is run up there is counted as one pass: what it was spent for is the search. */
    work->session.one_name = UPHILL_NAME;
    if (!status) status = glance(work, err);
    work->session.one_name = NULL;
    uphill->found = pare_engine_end_uphill(work->session.engine);
    uphill->left--;
    if (status == PARE_RUN_ENDED && work->session.end == PARE_END_UPHILL)
        status = pare_session_go_on(&work->session, status);
    pare_candidate_done(&from);
    return status;
}

/* Tries the offers from *at on until one fails; *at is its place, or n. */
static pare_status try_offers(pare_work *work, const struct offers *offers, const char *name,
                              size_t *at, pare_error *err)
{
    pare_strategy *tryout = NULL;
    pare_status status = pare_session_begin_pass(&work->session, name, offers->n - *at, err);
    if (!status)
        status = pare_pool_first_success_new(offers->patches, offers->picked, offers->n, *at,
                                             &tryout, err);
    if (!status) status = pare_session_run_keeping(&work->session, &tryout, err);
    *at = status ? offers->n : pare_pool_first_success_place(tryout);
    pare_strategy_free(tryout);
    return status;
}

/* Tests the offers one after the other, and searches from each that still fails, until something
 * smaller is found or the searches are spent. */
static pare_status run_offers(struct uphill *uphill, const struct offers *offers, const char *name,
                              pare_error *err)
{
    pare_work *work = uphill->work;
    const uint64_t before = pare_engine_statistics(work->session.engine).successes;
    pare_status status = PARE_OK;
    for (size_t at = 0; !status && uphill->left && at < offers->n; at++) {
        status = try_offers(work, offers, name, &at, err);
        if (status || at == offers->n) break;
        /* An offer need not grow the text. */
        uphill->found = pare_engine_statistics(work->session.engine).successes != before;
        if (!uphill->found) status = explore(uphill, offers, offers->picked[at], err);
        if (uphill->found) break;
    }
    return status;
}

/* Offers are about one text: they are asked for anew after each success. */
static pare_status run_pass(struct uphill *uphill, const pare_pass *pass, pare_error *err)
{
    pare_view view;
    struct offers offers = {.n = 0};
    bool there;
    pare_status status = pare_phase_input_view(uphill->work, &view, &there, err);
    if (!status && there) status = collect(uphill, pass, &view, &offers, err);
    if (!status && offers.n) status = run_offers(uphill, &offers, pass->name, err);
    offers_done(&offers);
    pare_reducible_ranges_close_view(&view);
    return status;
}

/* Asks the growing passes in their order; ends with the first success. */
static pare_status search_uphill(pare_work *work, bool *found, pare_error *err)
{
    const struct limits *limits = work->effort == PARE_EFFORT_MAX ? &MAX : &NORMAL;
    struct uphill uphill = {.work = work, .limits = limits, .left = limits->searches};
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < sizeof GROWING / sizeof(const pare_pass *); i++) {
        status = run_pass(&uphill, GROWING[i], err);
        if (uphill.found) break;
    }
    *found = uphill.found;
    return status;
}

/* ---- random restarts ---------------------------------------------------------------- */

/* In the order in which they are tried: the cheap orders before the random ones, tokens before
 * characters, of which there are more. */
static const struct restart {
    const pare_list_algorithm *algorithm;
    const char *unit;
    pare_order order;
    uint64_t seed;
} RESTARTS[] = {
    {&pare_list_probdd, "token", PARE_ORDER_BACKWARD, 0},
    {&pare_list_cdd, "token", PARE_ORDER_BACKWARD, 0},
    {&pare_list_probdd, "token", PARE_ORDER_RANDOM, 1},
    {&pare_list_probdd, "token", PARE_ORDER_RANDOM, 2},
    {&pare_list_probdd, "char", PARE_ORDER_BACKWARD, 0},
    {&pare_list_probdd, "char", PARE_ORDER_RANDOM, 1},
};

/* Runs one algorithm in its own order over units of one kind; the knobs of the user are put
 * back. */
static pare_status restart_once(pare_work *work, const struct restart *restart, pare_error *err)
{
    const pare_list_knobs knobs = work->knobs;
    const pare_phase phase = {.kind = PARE_PHASE_UNITS,
                              .algorithm = restart->algorithm,
                              .again = restart->algorithm,
                              .splitter = pare_splitter_find(restart->unit)};
    work->knobs.order = restart->order;
    work->knobs.seed = restart->seed;
    pare_status status = pare_phase_run(work, &phase, err);
    work->knobs = knobs;
    return status;
}

/* Tries the restarts in the order of the table, until one finds something. */
static pare_status try_restarts(pare_work *work, bool *found, pare_error *err)
{
    const uint64_t before = pare_engine_statistics(work->session.engine).successes;
    pare_status status = PARE_OK;
    *found = false;
    for (size_t i = 0; i < sizeof RESTARTS / sizeof *RESTARTS; i++) {
        status = restart_once(work, &RESTARTS[i], err);
        *found = pare_engine_statistics(work->session.engine).successes != before;
        if (status || *found) break;
    }
    return status;
}

/* Over the best text so far, in which every phase finds nothing: takes steps that grow it, those
 * that grow it least first, and looks by `explore` from each that still fails whether the phases
 * lead to something smaller than the best, which is then the best.  With PARE_EFFORT_MAX it then
 * leaves out sets of tokens and of characters that are no neighbours.  Sets *found and ends with
 * the first success.  Deterministic, the same for any number of slots; nothing larger is ever the
 * best.
 * Cost: uphill see NORMAL and MAX above; each restart about as many tests as there are
 * tokens or characters.
 * Errors: those of pare_phase_run. */
static pare_status leave_minimum(pare_work *work, bool *found, pare_error *err)
{
    pare_status status = search_uphill(work, found, err);
    if (status || *found) return status;
    return work->effort == PARE_EFFORT_MAX ? try_restarts(work, found, err) : PARE_OK;
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
    pare_status status = leave_minimum(work, &found, err);
    (void)pare_session_is_skipped(&work->session, &status);
    schedule->searched = !found;
    return status;
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
