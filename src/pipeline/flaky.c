/* Flaky failures: watching, measuring, confirming, taking back. */
#include "pipeline/flaky.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "base/alloc.h"
#include "oracle/repeat.h"

/* How many runs look whether the failure is certain. */
enum {
    FIRST_RUNS = 2,        /* at the start, besides the check */
    RESCUE_RUNS = 30,      /* when the check passed: 99.9 % of inputs that fail in one of 5 */
    RESCUE_MS = 2000,      /* ... or as many as this allows, LAST_RUNS_LEAST at least */
    LOOK_RUNS = 3,         /* after a phase */
    TESTS_A_LOOK_RUN = 30, /* ... at most one for so many tests */
    LAST_RUNS_LEAST = 2,
    LAST_RUNS_MOST = 40,
    LAST_RUNS_MS = 500, /* what they may take in any case */
    TESTS_A_LAST_RUN = 20
};

/* What the first measurement of an unsure input costs, and what measurements may cost when
 * a run takes long: then the tolerance is widened. */
enum { FIRST_MEASUREMENT = 100, LEAST_MEASUREMENT = 60, MAX_MEASUREMENT_MS = 120000 };
static const double TOLERANCE = 0.05;

/* The test of a candidate on the way; see flaky.h. */
static const double WRONG_ACCEPT = 0.01, WRONG_REJECT = 0.02;
static const double NEAREST = 0.02; /* the two shares that it tells apart */
static const double PATIENCE = 20;  /* times the runs that a decision takes on average */

enum { MAX_KEPT_BYTES = 4 << 20, MAX_REFUSED = 4, MOST_FACTOR = 4 };

/* ---- the rule of the sequential test ------------------------------------------------ */

/* How much one run tells on average, when `usual` of them fail, against `floor`. */
static double information(double usual, double floor)
{
    double sum = usual * log(usual / floor);
    if (usual < 1) sum += (1 - usual) * log((1 - usual) / (1 - floor));
    return sum;
}

/* Half of what is usual, after each refusal half of what is left to it, and above what was
 * refused; what fails less often than the input is better rejected.  Above a floor of the
 * user's anything is good. */
static pare_rate_rule make_rule(const pare_flaky *flaky)
{
    double low, high;
    pare_rate_interval(flaky->input, &low, &high);
    low -= pare_rate_share(flaky->input) - low; /* 99.99 %: or what is as good is rejected */
    if (low <= 0) low = pare_rate_share(flaky->input) / 2;
    double floor = low * (1 - pow(0.5, flaky->refused + 1.0)), usual = low;
    floor = fmax(floor, flaky->refused_share + (low - flaky->refused_share) / 4);
    if (flaky->floor > 0) {
        floor = flaky->floor;
        usual = fmin(low, floor + TOLERANCE);
    }
    /* Nearer, each decision would take thousands of runs; the end tells the rest apart. */
    floor = fmin(floor, fmax(usual - NEAREST, usual / 2));
    double runs = PATIENCE * -log(WRONG_ACCEPT) / information(usual, floor);
    return (pare_rate_rule){.floor = floor,
                            .usual = usual,
                            .wrong_accept = WRONG_ACCEPT,
                            .wrong_reject = WRONG_REJECT,
                            .max_runs = (uint64_t)fmin(runs, 1e6) + 50};
}

static void repeat_tests(const pare_flaky *flaky)
{
    pare_rate_rule rule = make_rule(flaky);
    pare_repeat_set_rule(flaky->session->oracle.repeat, &rule);
}

/* The input once more; the caller owns *out. */
static pare_status read_input(const pare_flaky *flaky, pare_text **out, pare_error *err)
{
    if (!flaky->start) return pare_session_input(flaky->session->options, out, err);
    *out = pare_text_ref(flaky->start);
    return PARE_OK;
}

/* ---- measuring ---------------------------------------------------------------------- */

/* Single runs of `text`.  flaky->passed counts those that showed no failure though they had
 * the time for it: on a busy machine a run may be ended at the time-out by bad luck. */
static pare_status run(pare_flaky *flaky, const pare_text *text, uint64_t runs, pare_rate *rate,
                       pare_engine_end *end, pare_error *err)
{
    pare_rate now = {.runs = 0};
    uint64_t timed_out = 0;
    pare_repeat_set_rule(flaky->session->oracle.repeat, NULL);
    pare_status status =
        pare_engine_measure(flaky->session->engine, text, runs, &now, &timed_out, end, err);
    flaky->passed = now.runs - now.fails - timed_out;
    rate->runs += now.runs;
    rate->fails += now.fails;
    if (flaky->on) repeat_tests(flaky);
    return status;
}

/* As many runs as time allows, and no more than are of use for `tolerance`. */
static uint64_t affordable(const pare_flaky *flaky, uint64_t needed)
{
    pare_engine_stats stats = pare_engine_statistics(flaky->session->engine);
    double ms = stats.measured ? stats.measured_ms / (double)stats.measured : 0;
    double most = ms > 0 ? MAX_MEASUREMENT_MS / ms * flaky->session->stats.jobs : 1e9;
    if (most < LEAST_MEASUREMENT) most = LEAST_MEASUREMENT;
    return (double)needed < most ? needed : (uint64_t)most;
}

/* Adds runs of `text` to *rate until there are `factor` times as many as a comparison needs. */
static pare_status measure(pare_flaky *flaky, const pare_text *text, uint64_t factor,
                           pare_rate *rate, pare_engine_end *end, pare_error *err)
{
    *end = PARE_END_DONE;
    uint64_t needed =
        affordable(flaky, factor * pare_rate_runs_needed(flaky->input, flaky->tolerance));
    if (rate->runs >= needed) return PARE_OK;
    return run(flaky, text, needed - rate->runs, rate, end, err);
}

static void keep_in_journal(const pare_flaky *flaky)
{
    if (!flaky->session->journal) return;
    /* Losing this record costs only that it is measured again. */
    pare_status ignored = pare_journal_add(
        flaky->session->journal,
        &(pare_journal_record){.kind = PARE_JOURNAL_RATE, .rate = flaky->input}, NULL);
    (void)ignored;
}

static void tell(const pare_flaky *flaky)
{
    char sentence[256];
    double low, high;
    pare_rate_interval(flaky->input, &low, &high);
    int n = snprintf(sentence, sizeof sentence,
                     "the failure comes by chance: in %.3g %% of %llu runs of the input "
                     "(95 %% confidence: %.3g to %.3g %%)",
                     100 * pare_rate_share(flaky->input), (unsigned long long)flaky->input.runs,
                     100 * low, 100 * high);
    assert(n > 0 && (size_t)n < sizeof sentence);
    if (flaky->floor > 0)
        (void)snprintf(sentence + n, sizeof sentence - (size_t)n, "; kept at %.3g %% or more",
                       100 * flaky->floor);
    else
        (void)snprintf(sentence + n, sizeof sentence - (size_t)n,
                       "; kept within %.2g points of that", 100 * flaky->tolerance);
    pare_session_notice(flaky->session, sentence);
}

static pare_status refuse_floor(const pare_flaky *flaky, pare_error *err)
{
    return pare_fail(err, PARE_E_STATE,
                     "the input fails in %.3g %% of its runs only, which is not above the floor "
                     "of %.3g %%",
                     100 * pare_rate_share(flaky->input), 100 * flaky->floor);
}

/* Measures the input, of which something is known, and begins to repeat tests. */
static pare_status turn_on(pare_flaky *flaky, const pare_text *input, pare_engine_end *end,
                           pare_error *err)
{
    flaky->tolerance = TOLERANCE;
    pare_status status = PARE_OK;
    if (flaky->input.runs < FIRST_MEASUREMENT)
        status = run(flaky, input, FIRST_MEASUREMENT - flaky->input.runs, &flaky->input, end, err);
    if (!status && *end == PARE_END_DONE)
        status = measure(flaky, input, 1, &flaky->input, end, err);
    if (status || *end != PARE_END_DONE) return status;
    if (flaky->input.fails == 0)
        return pare_fail(err, PARE_E_STATE, "the input did not fail again in %llu runs",
                         (unsigned long long)flaky->input.runs);
    if (flaky->floor >= pare_rate_share(flaky->input)) return refuse_floor(flaky, err);
    while (pare_rate_runs_needed(flaky->input, flaky->tolerance) > flaky->input.runs + 1)
        flaky->tolerance *= 1.1; /* time did not allow for more runs */
    flaky->on = true;
    keep_in_journal(flaky);
    tell(flaky);
    repeat_tests(flaky);
    return PARE_OK;
}

/* ---- earlier bests ------------------------------------------------------------------- */

/* Drops every second one: what is left spans the whole run. */
static void thin_out(pare_flaky *flaky)
{
    size_t n = 0;
    for (size_t i = 0; i < flaky->n_kept; i++) {
        if (i % 2)
            pare_text_unref(flaky->kept[i]);
        else
            flaky->kept[n++] = flaky->kept[i];
    }
    flaky->n_kept = n;
}

/* Large ones are not worth their memory: the input can be read again. */
static void keep(pare_flaky *flaky, const pare_text *text)
{
    if (pare_text_size(text) > MAX_KEPT_BYTES) return;
    if (flaky->n_kept == PARE_FLAKY_MAX_KEPT) thin_out(flaky);
    flaky->kept[flaky->n_kept++] = pare_text_ref(text);
}

static void drop_kept(pare_flaky *flaky, size_t from)
{
    while (flaky->n_kept > from)
        pare_text_unref(flaky->kept[--flaky->n_kept]);
}

void pare_flaky_done(pare_flaky *flaky)
{
    drop_kept(flaky, 0);
    pare_text_unref(flaky->start);
}

/* Whether `rate` is above the user's floor with confidence, as far as the input's is. */
static bool is_above_floor(const pare_flaky *flaky, pare_rate rate)
{
    double low, high;
    pare_rate_interval(rate, &low, &high);
    if (flaky->floor < pare_rate_share(flaky->input) - flaky->tolerance) return low >= flaky->floor;
    return pare_rate_share(rate) >= flaky->floor;
}

static bool is_often_enough(const pare_flaky *flaky, pare_rate rate)
{
    if (flaky->floor > 0) return is_above_floor(flaky, rate);
    return pare_rate_holds(flaky->input, rate, flaky->tolerance);
}

/* Adds runs of the input until there are `factor` times as many as a comparison needs. */
static pare_status measure_input(pare_flaky *flaky, uint64_t factor, pare_engine_end *end,
                                 pare_error *err)
{
    pare_text *input = NULL;
    if (factor == 1) return PARE_OK;
    pare_status status = read_input(flaky, &input, err);
    if (!status) status = measure(flaky, input, factor, &flaky->input, end, err);
    pare_text_unref(input);
    return status;
}

/* Whether `text` fails often enough.  Chance says no of one in twenty that do, so a no that
 * is not clear is asked again with more runs of both. */
static pare_status holds(pare_flaky *flaky, const pare_text *text, pare_rate *rate, bool *yes,
                         pare_engine_end *end, pare_error *err)
{
    for (uint64_t factor = 1; factor <= MOST_FACTOR; factor *= 2) {
        pare_status status = measure_input(flaky, factor, end, err);
        if (!status && *end == PARE_END_DONE) status = measure(flaky, text, factor, rate, end, err);
        if (status || *end != PARE_END_DONE) return status;
        *yes = is_often_enough(flaky, *rate);
        bool clear = pare_rate_share(*rate) < pare_rate_share(flaky->input) - flaky->tolerance;
        if (*yes || clear) return PARE_OK;
    }
    return PARE_OK;
}

/* Finds the last of the earlier bests that fails often enough, by halving: *n is how many
 * there are up to it; 0: only the input does. */
static pare_status find_good(pare_flaky *flaky, size_t *n, pare_engine_end *end, pare_error *err)
{
    size_t good = 0, bad = flaky->n_kept + 1;
    while (bad - good > 1) {
        size_t middle = good + (bad - good) / 2;
        pare_rate rate = {.runs = 0};
        bool yes = false;
        pare_status status = holds(flaky, flaky->kept[middle - 1], &rate, &yes, end, err);
        if (status || *end != PARE_END_DONE) return status;
        *(yes ? &good : &bad) = middle;
        if (yes) flaky->best = rate;
    }
    *n = good;
    return PARE_OK;
}

/* Takes the best back to the last one that fails often enough. */
static pare_status take_back(pare_flaky *flaky, pare_engine_end *end, pare_error *err)
{
    pare_text *input = NULL;
    size_t n = 0;
    flaky->refused_share = fmax(flaky->refused_share, pare_rate_share(flaky->best));
    flaky->best = flaky->input;
    pare_status status = find_good(flaky, &n, end, err);
    if (status || *end != PARE_END_DONE) return status;
    if (!n) status = read_input(flaky, &input, err);
    const pare_text *to = n ? flaky->kept[n - 1] : input;
    if (!status) status = pare_engine_restore(flaky->session->engine, to, err);
    drop_kept(flaky, n);
    pare_text_unref(input);
    if (status) return status;
    flaky->refused++;
    repeat_tests(flaky);
    pare_session_notice(flaky->session, "the result fails less often than the input: going back "
                                        "to an earlier one, with stricter tests");
    return PARE_OK;
}

/* ---- the three moments --------------------------------------------------------------- */

/* Takes over what an earlier process measured; false when there is nothing. */
static bool resume(pare_flaky *flaky)
{
    pare_session *session = flaky->session;
    pare_rate rate = {.runs = 0};
    if (session->journal) rate = pare_journal_rate(session->journal);
    if (!rate.runs) return false;
    flaky->input = rate;
    flaky->on = rate.fails < rate.runs || flaky->floor > 0;
    flaky->refused = pare_journal_restored(session->journal);
    flaky->tolerance = TOLERANCE;
    while (flaky->on && pare_rate_runs_needed(rate, flaky->tolerance) > rate.runs + 1)
        flaky->tolerance *= 1.1;
    if (flaky->on) repeat_tests(flaky);
    return true;
}

/* An input that does not fail should be told of soon. */
static uint64_t rescue_runs(const pare_flaky *flaky, const pare_verdict *verdict)
{
    double quick = RESCUE_MS * (double)flaky->session->stats.jobs;
    if (verdict->timed_out) return 0;
    if (verdict->duration_ms * RESCUE_RUNS <= quick) return RESCUE_RUNS;
    double runs = quick / verdict->duration_ms;
    return runs < LAST_RUNS_LEAST ? LAST_RUNS_LEAST : (uint64_t)runs;
}

pare_status pare_flaky_begin(pare_flaky *flaky, pare_session *session, const pare_text *text,
                             const pare_verdict *verdict, bool *fails, pare_engine_end *end,
                             pare_error *err)
{
    pare_status status = PARE_OK;
    bool failed = verdict->outcome == PARE_FAIL;
    *fails = failed;
    *flaky = (pare_flaky){.session = session};
    if (!session->oracle.repeat) return PARE_OK;
    flaky->watching = true;
    bool is_one_file = !session->layout;
    if (!is_one_file || pare_text_size(text) <= MAX_KEPT_BYTES) flaky->start = pare_text_ref(text);
    flaky->floor = session->options->flaky == PARE_FLAKY_FLOOR ? session->options->flaky_floor : 0;
    if (!resume(flaky)) {
        flaky->input = (pare_rate){.fails = failed, .runs = 1};
        uint64_t runs = failed ? FIRST_RUNS : rescue_runs(flaky, verdict);
        status = run(flaky, text, runs, &flaky->input, end, err);
        flaky->extra = runs;
        if (status || *end != PARE_END_DONE || !flaky->input.fails) return status;
        if (flaky->passed > 0 || !failed || flaky->floor > 0) {
            status = turn_on(flaky, text, end, err);
        } else {
            flaky->input.runs = flaky->input.fails;
            keep_in_journal(flaky);
        }
    }
    *fails = flaky->input.fails > 0;
    if (!status && *fails && !failed) status = pare_engine_restore(session->engine, text, err);
    flaky->successes = pare_engine_statistics(session->engine).successes;
    return status;
}

/* A run of the best has passed: the failure is not certain after all. */
static pare_status begin_late(pare_flaky *flaky, pare_engine_end *end, pare_error *err)
{
    pare_text *input = NULL;
    pare_status status = read_input(flaky, &input, err);
    if (!status) status = turn_on(flaky, input, end, err);
    pare_text_unref(input);
    return status;
}

/* Runs the best `runs` times, unless it is known to be flaky. */
static pare_status look(pare_flaky *flaky, const pare_text *best, uint64_t runs,
                        pare_engine_end *end, pare_error *err)
{
    pare_rate rate = {.runs = 0};
    if (flaky->on || !runs) return PARE_OK;
    flaky->extra += runs;
    pare_status status = run(flaky, best, runs, &rate, end, err);
    if (!status && *end == PARE_END_DONE && flaky->passed > 0) status = begin_late(flaky, end, err);
    return status;
}

pare_status pare_flaky_look(pare_flaky *flaky, pare_engine_end *end, pare_error *err)
{
    const pare_text *best = NULL;
    *end = PARE_END_DONE;
    if (!flaky->watching) return PARE_OK;
    pare_engine_stats stats = pare_engine_statistics(flaky->session->engine);
    if (stats.successes == flaky->successes) return PARE_OK;
    flaky->successes = stats.successes;
    flaky->best = (pare_rate){.runs = 0};
    pare_status status = pare_engine_settle(flaky->session->engine, &best, err);
    if (!status) keep(flaky, best);
    bool affordable = (flaky->extra + LOOK_RUNS) * TESTS_A_LOOK_RUN <= stats.tests;
    if (!status && affordable) status = look(flaky, best, LOOK_RUNS, end, err);
    return status;
}

/* As many as are small beside the tests that were run, or take no time to speak of. */
static uint64_t last_runs(const pare_flaky *flaky)
{
    pare_engine_stats stats = pare_engine_statistics(flaky->session->engine);
    double ms = stats.tests_run ? stats.oracle_ms / (double)stats.tests_run : 0;
    double quick = LAST_RUNS_MS * (double)flaky->session->stats.jobs;
    uint64_t runs = stats.tests / TESTS_A_LAST_RUN;
    if (quick >= ms * LAST_RUNS_MOST || runs > LAST_RUNS_MOST) return LAST_RUNS_MOST;
    if ((double)runs * ms < quick) runs = (uint64_t)(quick / ms);
    return runs < LAST_RUNS_LEAST ? LAST_RUNS_LEAST : runs;
}

pare_status pare_flaky_confirm(pare_flaky *flaky, bool *again, pare_engine_end *end,
                               pare_error *err)
{
    const pare_text *best = NULL;
    bool yes = true;
    *again = false;
    *end = PARE_END_DONE;
    if (!flaky->watching) return PARE_OK;
    if (!pare_engine_statistics(flaky->session->engine).successes) return PARE_OK;
    pare_status status = pare_engine_settle(flaky->session->engine, &best, err);
    if (!status) status = look(flaky, best, last_runs(flaky), end, err);
    if (status || *end != PARE_END_DONE || !flaky->on) return status;
    status = holds(flaky, best, &flaky->best, &yes, end, err);
    if (status || *end != PARE_END_DONE || yes) return status;
    status = take_back(flaky, end, err);
    *again = flaky->refused <= MAX_REFUSED; /* what was gone back to is good */
    return status;
}
