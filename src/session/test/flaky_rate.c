/* How often a text fails: the sequential test of a candidate, measuring, comparing with the input.
 *
 * Three questions, three tests.  A candidate is decided by a sequential test that is weak and cheap
 * (Wald's, run/rate.h): its errors are made good later.  A text is measured by so many runs, of which
 * those that were ended by the time limit for no reason of theirs do not count.  A result is compared
 * with the input by intervals of both, with more runs as long as the answer is not clear and the price
 * allows.
 * Source: that of run/rate.h; the price, and when to ask for more runs, are ours. */

#include "session/test/flaky_rate.h"

#include <assert.h>
#include <math.h>

#include "engine/engine.h"
#include "run/oracle.h"
#include "run/rate.h"
#include "run/repeat.h"
#include "session/read_input.h"
#include "session/session.h"
#include "session/test/session_oracle.h"
#include "text/text.h"

/* What measurements may cost, in runs and ms. The input is run more often only when the result
 * seems to fail less often, or when the user asked for a precision. */
enum { MOST_OF_RESULT = 160, LEAST_MEASUREMENT = 60, MAX_FLOOR_RUNS = 2000, MOST_FACTOR = 4 };
enum { BATCH = 8 }; /* of runs, between two decisions */
enum { MAX_MEASUREMENT_MS = 120000 };
static const double DOUBT = 1, ALARM = 2, CLEARLY = 2.33; /* standard deviations: 84, 98 and 99
                                                             in 100 */
static const double LEAST_DOUBT = 0.04;                   /* a difference that is none */

/* The price: for a rule that rejects after k passes in a row, all runs together may be so many
 * times the tests. k runs for each candidate, and some more for candidates that are accepted and
 * for wrong rejections. */
static const double PRICE_A_PASS = 1.2, LEAST_PRICE = 1.8;
static const double MOST_PRICE = 8; /* times that, when a result was refused */

/* The test of a candidate on the way: cheap as long as nothing was refused; see flaky.h. */
static const double WRONG_ACCEPT = 0.26, WRONG_REJECT = 0.15;
static const double CAREFUL_ACCEPT = 0.01, CAREFUL_REJECT = 0.02;
static const double STRICT_ACCEPT = 0.003; /* hundreds of candidates are like what was refused */
static const double NEAREST = 0.1, CAREFUL_NEAREST = 0.02; /* the shares that it tells apart */
static const double PATIENCE = 4, CAREFUL_PATIENCE = 20;   /* times the runs that a decision takes
                                                            on average */

/* ---- the rule of the sequential test ------------------------------------------------ */

/* Whether there were runs, and each showed the failure. */
bool pare_flaky_rate_is_certain(pare_rate rate)
{
    assert(rate.fails <= rate.runs);
    return rate.runs > 0 && rate.fails == rate.runs;
}

/* How much one run tells on average, when `usual` of them fail, against `floor`. */
static double information(double usual, double floor)
{
    assert(usual > 0 && usual <= 1 && floor > 0 && floor < 1);
    double sum = usual * log(usual / floor);
    if (usual < 1) sum += (1 - usual) * log((1 - usual) / (1 - floor));
    return sum;
}

/* The share of failing runs from which on a candidate is too rare. Without a refusal it is half of
 * what is usual. After one it is the share that was refused; with a precision more: every refusal
 * halves the distance to the input's share. If the user set a floor, that is it. */
static double floor_of(const pare_flaky *flaky, double usual, unsigned refused)
{
    const double half = usual * (1 - pow(0.5, refused + 1.0)), share = flaky->refused_share;
    if (flaky->floor > 0) return flaky->floor;
    if (flaky->precision > 0) return fmax(half, share + (usual - share) / 4);
    if (usual >= 1 && !refused) return 0.75;
    return refused ? fmax(share, usual / 8) : half;
}

/* Whether the user said how exactly the failure is to be kept. */
bool pare_flaky_rate_is_asked(const pare_flaky *flaky)
{
    return flaky->floor > 0 || flaky->precision > 0;
}

/* The sequential test of a candidate between two shares of failing runs: `usual` for a good
 * candidate, `floor` for one that is not. After a refusal, or with a precision, its error rates are
 * small and each decision takes many runs. */
static pare_rate_rule make_rule(const pare_flaky *flaky, unsigned refused)
{
    const pare_rate input = flaky->input;
    const bool careful = pare_flaky_rate_is_asked(flaky) || refused > 0;
    double usual = pare_flaky_rate_is_certain(input)
                       ? 1
                       : ((double)input.fails + 1) / ((double)input.runs + 2);
    double floor = floor_of(flaky, usual, refused);
    if (flaky->floor > 0) usual = floor + (usual - floor) / 3;
    /* If the two shares were nearer to each other, each decision would take thousands of runs. The
     * confirmation at the end tells apart what this test cannot. */
    const bool asked = pare_flaky_rate_is_asked(flaky);
    floor = fmin(floor, fmax(usual - (asked ? CAREFUL_NEAREST : NEAREST), usual / 2));
    const double wrong_accept = asked ? CAREFUL_ACCEPT : refused ? STRICT_ACCEPT : WRONG_ACCEPT;
    double runs =
        (asked ? CAREFUL_PATIENCE : PATIENCE) * -log(wrong_accept) / information(usual, floor);
    return (pare_rate_rule){.floor = floor,
                            .usual = usual,
                            .wrong_accept = wrong_accept,
                            .wrong_reject = careful ? CAREFUL_REJECT : WRONG_REJECT,
                            .max_runs = (uint64_t)fmin(runs, 1e6) + 50,
                            .adapts = !careful};
}

/* How many runs there may be in all, at `times` the price, beyond those made so far. */
static uint64_t allowance(const pare_flaky *flaky, double times)
{
    pare_rate_rule rule = make_rule(flaky, 0);
    double price = fmax(PRICE_A_PASS * (double)pare_rate_passes_to_reject(&rule), LEAST_PRICE);
    uint64_t tests = pare_engine_statistics(flaky->session->engine).tests;
    double most = times * price * (double)(flaky->tests ? flaky->tests : tests);
    double made = (double)pare_repeat_runs(flaky->session->oracle.repeat);
    return most > made ? (uint64_t)(most - made) : 0;
}

/* The strict rule costs a hundred runs and more for each candidate that fails at all: when too
 * many were spent, the end alone has to tell. */
void pare_flaky_rate_repeat_tests(const pare_flaky *flaky)
{
    pare_oracle *repeat = flaky->session->oracle.repeat;
    pare_rate_rule rule = make_rule(flaky, flaky->refused), cheap = make_rule(flaky, 0);
    pare_repeat_set_rule(repeat, &rule);
    pare_session_oracle_doubt(&flaky->session->oracle);
    if (flaky->refused > 0 && !pare_flaky_rate_is_asked(flaky))
        pare_repeat_relax(repeat, &cheap, pare_repeat_runs(repeat) + allowance(flaky, MOST_PRICE));
}

/* The input once more; the caller owns *out.
 * Errors: those of pare_session_measure. */
pare_status pare_flaky_rate_read_input(const pare_flaky *flaky, pare_text **out, pare_error *err)
{
    if (!flaky->start) return pare_read_input_file(&flaky->session->options->input, out, err);
    *out = pare_text_ref(flaky->start);
    return PARE_OK;
}

/* ---- measuring ---------------------------------------------------------------------- */

/* Single runs of `text`.  flaky->passed counts those that showed no failure though they had
 * the time for it: on a busy machine a run may be ended at the time-out by bad luck, and
 * a few such runs are not counted at all.
 * Errors: those of pare_session_measure. */
pare_status pare_flaky_rate_run(pare_flaky *flaky, const pare_text *text, uint64_t runs,
                                pare_rate *rate, pare_error *err)
{
    pare_rate now = {.runs = 0};
    uint64_t timed_out = 0;
    pare_repeat_set_rule(flaky->session->oracle.repeat, NULL);
    pare_status status = pare_session_measure(flaky->session, text, runs, &now, &timed_out, err);
    flaky->passed = now.runs - now.fails - timed_out;
    if (timed_out <= 1 + now.runs / PARE_FLAKY_RATE_CERTAIN) now.runs -= timed_out;
    rate->runs += now.runs;
    rate->fails += now.fails;
    assert(rate->fails <= rate->runs);
    if (flaky->on) pare_flaky_rate_repeat_tests(flaky);
    return status;
}

/* `runs` rounded down, at least `least` and at most `most`. */
uint64_t pare_flaky_rate_clamp(uint64_t least, double runs, uint64_t most)
{
    if (runs >= (double)most) return most;
    return runs <= (double)least ? least : (uint64_t)runs;
}

/* `needed` runs, or fewer if they would take more than MAX_MEASUREMENT_MS; LEAST_MEASUREMENT at
 * least. */
uint64_t pare_flaky_rate_affordable(const pare_flaky *flaky, uint64_t needed)
{
    pare_engine_stats stats = pare_engine_statistics(flaky->session->engine);
    double ms = stats.measured ? stats.measured_ms / (double)stats.measured : 0;
    double most = ms > 0 ? MAX_MEASUREMENT_MS / ms * flaky->session->stats.jobs : 1e9;
    if (most < LEAST_MEASUREMENT) most = LEAST_MEASUREMENT;
    return (double)needed < most ? needed : (uint64_t)most;
}

/* Runs `text` until *rate has `runs` runs, as far as time allows. Errors: those of
 * pare_session_measure. */
pare_status pare_flaky_rate_measure(pare_flaky *flaky, const pare_text *text, uint64_t runs,
                                    pare_rate *rate, pare_error *err)
{
    runs = pare_flaky_rate_affordable(flaky, runs);
    if (rate->runs >= runs) return PARE_OK;
    return pare_flaky_rate_run(flaky, text, runs - rate->runs, rate, err);
}

/* Runs the input until `runs` runs of it are known, as far as time allows. Errors: those of
 * pare_session_measure. */
pare_status pare_flaky_rate_measure_input(pare_flaky *flaky, uint64_t runs, pare_error *err)
{
    pare_text *input = NULL;
    if (flaky->input.runs >= runs) return PARE_OK;
    pare_status status = pare_flaky_rate_read_input(flaky, &input, err);
    if (!status) status = pare_flaky_rate_measure(flaky, input, runs, &flaky->input, err);
    pare_text_unref(input);
    return status;
}

/* ---- comparing with the input ----------------------------------------------------------- */

/* Whether `text` is above the user's floor. */
static pare_status compare_with_floor(pare_flaky *flaky, const pare_text *text, pare_rate *rate,
                                      bool *yes, pare_error *err)
{
    for (uint64_t runs = PARE_FLAKY_RATE_OF_INPUT;; runs *= 2) {
        double low, high;
        pare_status status = pare_flaky_rate_measure(flaky, text, runs, rate, err);
        if (status) return status;
        pare_rate_interval(*rate, &low, &high);
        *yes = pare_rate_share(*rate) >= flaky->floor;
        bool clear = low >= flaky->floor || high < flaky->floor;
        if (clear || runs >= MAX_FLOOR_RUNS || rate->runs < runs) return PARE_OK;
    }
}

/* Compares with the precision that the user asked for. By chance one good text in twenty is
 * refused, so a refusal that is not clear is asked again with more runs of both. */
static pare_status compare_precisely(pare_flaky *flaky, const pare_text *text, pare_rate *rate,
                                     bool *yes, pare_error *err)
{
    const uint64_t runs = flaky->input.runs;
    for (uint64_t factor = 1; factor <= MOST_FACTOR; factor *= 2) {
        pare_status status = pare_flaky_rate_measure_input(flaky, factor * runs, err);
        if (!status) status = pare_flaky_rate_measure(flaky, text, factor * runs, rate, err);
        if (status) return status;
        *yes = pare_rate_holds(flaky->input, *rate, flaky->tolerance);
        bool clear = pare_rate_share(*rate) < pare_rate_share(flaky->input) - flaky->tolerance;
        if (*yes || clear) return PARE_OK;
    }
    return PARE_OK;
}

/* Whether twice as many runs as `runs` are within the price. */
static bool is_within_price(const pare_flaky *flaky, uint64_t runs)
{
    uint64_t of_input = 2 * runs < PARE_FLAKY_RATE_OF_INPUT ? 2 * runs : PARE_FLAKY_RATE_OF_INPUT;
    uint64_t more = of_input > flaky->input.runs ? of_input - flaky->input.runs : 0;
    return runs + more <= allowance(flaky, 1);
}

/* Whether `later` looks rarer than `earlier`: by that many standard deviations, and by a difference
 * worth finding out. */
static bool seems_rarer(pare_rate earlier, pare_rate later, double deviations)
{
    return pare_rate_drop(earlier, later, deviations) > 0 &&
           pare_rate_share(earlier) - pare_rate_share(later) > LEAST_DOUBT;
}

/* Compares as exactly as the price allows. 20 runs of the text, then twice as many again and again,
 * with as many of the input up to PARE_FLAKY_RATE_OF_INPUT. If the text seems to fail less often (DOUBT) it is
 * run up to MOST_OF_RESULT whatever the price; while it seems so clearly (ALARM), both are run
 * until the difference is settled. */
static pare_status compare_cheaply(pare_flaky *flaky, const pare_text *text, pare_rate *rate,
                                   bool *yes, pare_error *err)
{
    bool alarmed = false;
    for (uint64_t runs = PARE_FLAKY_RATE_CERTAIN;; runs *= 2) {
        uint64_t of_input =
            alarmed || runs < PARE_FLAKY_RATE_OF_INPUT ? runs : PARE_FLAKY_RATE_OF_INPUT;
        pare_status status = pare_flaky_rate_measure_input(flaky, of_input, err);
        if (!status) status = pare_flaky_rate_measure(flaky, text, runs, rate, err);
        if (status) return status;
        *yes = pare_rate_drop(flaky->input, *rate, CLEARLY) <= PARE_FLAKY_RATE_TOLERANCE;
        if (!*yes || rate->runs < runs) return PARE_OK;
        bool goes_on = runs < MOST_OF_RESULT &&
                       (seems_rarer(flaky->input, *rate, DOUBT) || is_within_price(flaky, runs));
        alarmed = runs >= MOST_OF_RESULT && seems_rarer(flaky->input, *rate, ALARM);
        if (goes_on ||
            (alarmed && runs < pare_rate_runs_needed(flaky->input, PARE_FLAKY_RATE_TOLERANCE)))
            continue;
        *yes = !alarmed ||
               pare_rate_share(*rate) >= pare_rate_share(flaky->input) - PARE_FLAKY_RATE_TOLERANCE;
        return PARE_OK;
    }
}

/* Whether `text` resembles the input rather than what was refused: a sequential test between the
 * two shares, which were measured until they were known to be apart. */
static pare_status is_like_input(pare_flaky *flaky, const pare_text *text, pare_rate *rate,
                                 bool *yes, pare_error *err)
{
    const pare_rate_rule rule = make_rule(flaky, 1);
    pare_rate_decision decision = PARE_RATE_OPEN;
    while (decision == PARE_RATE_OPEN) {
        pare_rate before = *rate;
        pare_status status = pare_flaky_rate_run(flaky, text, BATCH, rate, err);
        if (status) return status;
        decision = rate->runs > before.runs ? pare_rate_decide(&rule, *rate) : PARE_RATE_REJECT;
    }
    *yes = decision == PARE_RATE_ACCEPT;
    return PARE_OK;
}

/* Whether `text` fails often enough. *rate is what is known of it before, and the runs made here
 * are added. Errors: those of pare_session_measure. */
pare_status pare_flaky_rate_compare(pare_flaky *flaky, const pare_text *text, pare_rate *rate,
                                    bool *yes, pare_error *err)
{
    if (flaky->floor > 0) return compare_with_floor(flaky, text, rate, yes, err);
    if (flaky->precision > 0) return compare_precisely(flaky, text, rate, yes, err);
    if (flaky->refused > 0) return is_like_input(flaky, text, rate, yes, err);
    return compare_cheaply(flaky, text, rate, yes, err);
}
