/* A function that is called twice keeps what it is called with apart from what it does; with
 * both calls replaced by what it does, each may lose what it does not need.  To get there the
 * text has to grow first.  So where all phases are stuck, the passes that may grow the text
 * are asked what they have to offer; each offer that still fails is a place from which the
 * phases are run, on probation and for so many tests at most, beside the best.
 *
 * Source: "inlining" of LPR (arXiv 2312.13064) and C-Reduce, whose passes may grow the text and
 * keep it; ours keeps only what ends smaller. */
#include "session/plan/excursions.h"

#include <stdlib.h>

#include <pare/algorithm.h>

#include "base/alloc.h"
#include "base/status.h"
#include "engine/engine.h"
#include "engine/first_success.h"
#include "engine/limited.h"
#include "engine/strategy.h"
#include "reduce/binding/program.h"
#include "reduce/passes/pass.h"
#include "session/plan/pass_phase.h"
#include "session/plan/schedule.h"
#include "session/scope.h"
#include "session/session.h"
#include "text/candidate.h"
#include "text/patch.h"

static const pare_pass *const GROWING[] = {&pare_binding_spread_values, &pare_binding_spread_calls,
                                           &pare_binding_moves};

/* What is spent over one text. */
struct limits {
    size_t offers;              /* of one pass, tested */
    unsigned excursions;        /* of all passes, of the offers that fail */
    pare_excursion_terms terms; /* of each */
};

/* How patient an excursion is: a small text is gone through in few tests (docs/design/default.md). */
enum { TESTS_A_BYTE = 4, LEAST_PATIENCE = 60 };

static const struct limits NORMAL = {
    .offers = 32, .excursions = 3, .terms = {.patience = 400, .most = 800}};
static const struct limits MAX = {
    .offers = 256, .excursions = 32, .terms = {.patience = 1000, .most = 4000}};

/* Excursions over one text. */
struct outing {
    pare_work *work; /* borrowed */
    const struct limits *limits;
    unsigned left; /* of limits->excursions */
    bool found;    /* something smaller */
};

/* What one pass has to offer. */
struct offers {
    pare_patches *patches; /* one reference */
    uint32_t *picked;      /* owned; the least growth first */
    size_t n;
};

static void offers_done(struct offers *offers)
{
    pare_patches_unref(offers->patches);
    pare_release(offers->picked);
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

/* What is picked, and where it stands in the list. */
struct pick {
    int64_t gain;
    uint32_t patch;
};

static int by_growth(const void *a, const void *b)
{
    const struct pick *x = a, *y = b;
    if (x->gain != y->gain) return x->gain > y->gain ? -1 : 1;
    return x->patch < y->patch ? -1 : x->patch > y->patch;
}

static pare_status sort_offers(struct offers *offers, pare_error *err)
{
    const pare_patches *patches = offers->patches;
    struct pick *picks = pare_alloc(patches->n, sizeof *picks);
    offers->picked = pare_alloc(patches->n, sizeof *offers->picked);
    if (!picks || !offers->picked) {
        pare_release(picks);
        return pare_fail_nomem(err);
    }
    for (uint32_t i = 0; i < patches->n; i++)
        picks[i] = (struct pick){patches->patches[i].gain, i};
    qsort(picks, patches->n, sizeof *picks, by_growth);
    for (uint32_t i = 0; i < patches->n; i++)
        offers->picked[i] = picks[i].patch;
    pare_release(picks);
    return PARE_OK;
}

static pare_status collect(struct outing *outing, const pare_pass *pass, const pare_view *view,
                           struct offers *offers, pare_error *err)
{
    pare_work *work = outing->work;
    pare_guarded guarded;
    pare_admits admits = pare_view_admits(&work->scope, view, &guarded);
    pare_status status = pare_pass_phase_offer(work, pass, view, &offers->patches, err);
    if (!status && offers->patches->n) status = sort_offers(offers, err);
    size_t n = status ? 0 : offers->patches->n;
    for (size_t i = 0; !status && i < n && offers->n < outing->limits->offers; i++) {
        bool yes;
        status = is_admitted(admits, &guarded, offers->patches, offers->picked[i], &yes, err);
        if (!status && yes) offers->picked[offers->n++] = offers->picked[i];
    }
    return status;
}

static pare_excursion_terms terms_for(const pare_excursion_terms *widest, size_t size)
{
    pare_excursion_terms terms = *widest;
    if (size < terms.patience / TESTS_A_BYTE) terms.patience = size * TESTS_A_BYTE;
    if (terms.patience < LEAST_PATIENCE) terms.patience = LEAST_PATIENCE;
    return terms;
}

/* Runs the phases over what the patch makes of the text; home again in any case. */
static pare_status explore(struct outing *outing, const struct offers *offers, uint32_t patch,
                           pare_error *err)
{
    pare_work *work = outing->work;
    pare_candidate from = {0};
    pare_status status = make_candidate(offers->patches, patch, &from, err);
    const pare_excursion_terms terms = terms_for(&outing->limits->terms, from.size);
    if (!status) status = pare_engine_set_out(work->session.engine, &from, &terms, err);
    work->session.excursion = PARE_EXCURSIONS_NAME;
    if (!status) status = pare_schedule_glance(work, err);
    work->session.excursion = NULL;
    outing->found = pare_engine_return(work->session.engine);
    outing->left--;
    if (work->end == PARE_END_EXCURSION) work->end = PARE_END_DONE;
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
        status =
            pare_first_success_new(offers->patches, offers->picked, offers->n, *at, &tryout, err);
    if (!status) status = pare_session_run_keeping(&work->session, &tryout, &work->end, err);
    *at = status ? offers->n : pare_first_success_place(tryout);
    pare_strategy_free(tryout);
    return status;
}

static pare_status run_offers(struct outing *outing, const struct offers *offers, const char *name,
                              pare_error *err)
{
    pare_work *work = outing->work;
    const uint64_t before = pare_engine_statistics(work->session.engine).successes;
    pare_status status = PARE_OK;
    for (size_t at = 0; !status && outing->left && at < offers->n; at++) {
        status = try_offers(work, offers, name, &at, err);
        if (status || work->end != PARE_END_DONE || at == offers->n) break;
        /* An offer need not grow the text. */
        outing->found = pare_engine_statistics(work->session.engine).successes != before;
        if (!outing->found) status = explore(outing, offers, offers->picked[at], err);
        if (outing->found || work->end != PARE_END_DONE) break;
    }
    return status;
}

static pare_status run_pass(struct outing *outing, const pare_pass *pass, pare_error *err)
{
    pare_view view;
    struct offers offers = {.n = 0};
    bool there;
    pare_status status = pare_phase_open_view(outing->work, &view, &there, err);
    if (!status && there) status = collect(outing, pass, &view, &offers, err);
    if (!status && offers.n) status = run_offers(outing, &offers, pass->name, err);
    offers_done(&offers);
    pare_view_close(&view);
    return status;
}

pare_status pare_excursions_run(pare_work *work, bool *found, pare_error *err)
{
    const struct limits *limits = work->effort == PARE_EFFORT_MAX ? &MAX : &NORMAL;
    struct outing outing = {.work = work, .limits = limits, .left = limits->excursions};
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < sizeof GROWING / sizeof(const pare_pass *); i++) {
        status = run_pass(&outing, GROWING[i], err);
        if (outing.found || work->end != PARE_END_DONE) break;
    }
    *found = outing.found;
    return status;
}
