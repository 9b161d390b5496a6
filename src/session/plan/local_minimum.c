/* Ways out of a local minimum: a text in which every phase of the default finds nothing.
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
 * Through hangs.  What reads memory past an object crashes, runs for ever or does nothing, by what
 * happens to lie there: of the candidates that still have the fault only some crash, so that step after
 * step is refused by chance.  Where many candidates hang, these are taken for ones that have it.  The
 * phases are run from the best as if what hangs failed; the text becomes smaller without regard to that
 * chance, and of all the candidates on the way those that do crash are smaller and smaller results.  Where
 * hangs have nothing to do with the failure (a counter that is not counted any more), no step fails after
 * the first that hangs, and the search is given up.
 * Source: ours; that a search may pass through texts that are not of the wanted kind is simulated
 * annealing's idea, here with a rule in place of a temperature.
 *
 * Random restarts, with PARE_EFFORT_MAX.  No single token, character or run of neighbours can go.
 * What is left to find are sets of units that stand apart, such as an opening word and its end;
 * an algorithm that draws its sets by probability meets them if it goes through the text in
 * another order than before.
 * Source: the order of ProbDD (Wang et al., ESEC/FSE 2021) and CDD (Zhang et al., ICSE 2025)
 * reversed; random orders are ours. */

#include "session/plan/local_minimum.h"

#include <assert.h>
#include <stdlib.h>

#include <pare/algorithm.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "engine/engine.h"
#include "engine/limited.h"
#include "engine/pool.h"
#include "engine/strategy.h"
#include "reduce/binding/program.h"
#include "reduce/list/algorithms.h"
#include "reduce/passes/pass.h"
#include "session/plan/patience.h"
#include "session/plan/phase.h"
#include "session/plan/phase_input.h"
#include "session/plan/plan.h"
#include "session/reducible_ranges.h"
#include "session/session.h"
#include "text/candidate.h"
#include "text/patch.h"
#include "text/split/split.h"

/* The name in the statistics under which all tests of such searches are counted. */
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
    pare_work *work;                  /* borrowed */
    pare_local_minimum_phases phases; /* over the current text */
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

/* Runs the phases from `from` on, which need not be the best; home again in any case, and *found: with something
 * smaller. */
static pare_status search(pare_work *work, pare_local_minimum_phases phases,
                          const pare_candidate *from, const pare_uphill_terms *widest, bool *found,
                          pare_error *err)
{
    const pare_uphill_terms terms = terms_for(widest, from->size, pare_patience_left(work));
    pare_status status = pare_engine_start_uphill(work->session.engine, from, &terms, err);
    /* All that is run up there is counted as one pass: what it was spent for is the search. */
    work->session.one_name = UPHILL_NAME;
    if (!status) status = phases(work, err);
    work->session.one_name = NULL;
    *found = pare_engine_end_uphill(work->session.engine);
    if (status == PARE_RUN_ENDED && work->session.end == PARE_END_UPHILL)
        status = pare_session_go_on(&work->session, status);
    return status;
}

/* Searches from what the patch makes of the text. */
static pare_status explore(struct uphill *uphill, const struct offers *offers, uint32_t patch,
                           pare_error *err)
{
    assert(uphill->left > 0 && !uphill->found);
    pare_candidate from = {0};
    pare_status status = make_candidate(offers->patches, patch, &from, err);
    if (!status)
        status = search(uphill->work, uphill->phases, &from, &uphill->limits->terms, &uphill->found,
                        err);
    uphill->left--;
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
static pare_status search_uphill(pare_work *work, pare_local_minimum_phases phases, bool *found,
                                 pare_error *err)
{
    const struct limits *limits = work->effort == PARE_EFFORT_MAX ? &MAX : &NORMAL;
    struct uphill uphill = {
        .work = work, .phases = phases, .limits = limits, .left = limits->searches};
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < sizeof GROWING / sizeof(const pare_pass *); i++) {
        status = run_pass(&uphill, GROWING[i], err);
        if (uphill.found) break;
    }
    *found = uphill.found;
    return status;
}

/* ---- through hangs -------------------------------------------------------------------- */

/* A small text, the candidates that have to hang, and how many for each that fails. */
enum { HANGS_MOST_BYTES = 4096, LEAST_HANGS = 16, HANGS_A_FAIL = 2 };

static const pare_uphill_terms THROUGH_HANGS = {.patience = 400, .most = 800, .most_blind = 24};

/* Counts begin when the text is small: what large candidates do says little of small ones. */
bool pare_local_minimum_hangs_seem_alike(const pare_work *work, pare_local_minimum_hangs *hangs)
{
    const pare_session *session = &work->session;
    const size_t size = pare_engine_best(session->engine)->size;
    const uint64_t n_fails = session->stats.outcome_fail;
    const uint64_t n_hangs = session->stats.outcome_unresolved;
    if (!session->options->test.command || work->files || size > HANGS_MOST_BYTES) return false;
    if (!hangs->is_watched) {
        hangs->is_watched = true;
        hangs->n_fails = n_fails;
        hangs->n_hangs = n_hangs;
    }
    if (hangs->from_bytes && 10 * size > 9 * hangs->from_bytes) return false;
    const uint64_t n = n_hangs - hangs->n_hangs;
    return n >= LEAST_HANGS && n >= HANGS_A_FAIL * (n_fails - hangs->n_fails);
}

pare_status pare_local_minimum_search_hangs(pare_work *work, pare_local_minimum_hangs *hangs,
                                            pare_local_minimum_phases phases, pare_error *err)
{
    pare_candidate from = {0};
    bool found;
    pare_status status = pare_candidate_copy(&from, pare_engine_best(work->session.engine), err);
    hangs->from_bytes = from.size;
    if (!status) status = search(work, phases, &from, &THROUGH_HANGS, &found, err);
    pare_candidate_done(&from);
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

pare_status pare_local_minimum_leave(pare_work *work, pare_local_minimum_phases phases, bool *found,
                                     pare_error *err)
{
    pare_status status = search_uphill(work, phases, found, err);
    if (status || *found) return status;
    return work->effort == PARE_EFFORT_MAX ? try_restarts(work, found, err) : PARE_OK;
}
