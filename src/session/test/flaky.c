/* Failures that come by chance: when it is found out, and what is done about it.
 *
 * There are three moments.  At the start the input is run a few times more; after each phase the
 * best is looked at; at the end it is confirmed.  At any of them a run that passes shows that the
 * failure is not certain.  Then the input is measured, tests are repeated from then on, and a
 * result that fails less often than the input is taken back to the last of the earlier bests that
 * does not: these are kept (at most PARE_FLAKY_MAX_KEPT, thinned out), and searched by halving.
 * Why these numbers, and what they cost: flaky.h.
 * How often a text fails is asked, and compared, in flaky_rate.c. */

#include "session/test/flaky.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include <pare/outcome.h>
#include <pare/reduce.h>
#include <pare/switch.h>
#include <pare/test.h>

#include "base/fail.h"
#include "engine/engine.h"
#include "engine/journal.h"
#include "run/oracle.h"
#include "run/rate.h"
#include "run/remote/remote.h"
#include "session/session.h"
#include "session/test/flaky_rate.h"
#include "session/test/session_oracle.h"
#include "text/layout.h"
#include "text/text.h"

#ifndef NDEBUG
/* The invariant: no more runs fail than there are, earlier bests have room, and addresses are fixed
 * only after that was tried. */
static bool check(const pare_flaky *flaky)
{
    const bool shares =
        flaky->input.fails <= flaky->input.runs && flaky->best.fails <= flaky->best.runs;
    return shares && flaky->n_kept <= PARE_FLAKY_MAX_KEPT && (!flaky->fixed || flaky->tried_fixed);
}
#endif

/* How many runs look whether the failure is certain. */
enum {
    FIRST_RUNS_LEAST = 2,  /* at the start, besides the check */
    FIRST_RUNS_MOST = 9,   /* finds 87 of 100 inputs that fail in four of five runs */
    FIRST_RUNS_MS = 300,   /* what they may take beyond the least */
    SLOW_RUN_MS = 1000,    /* a run that takes longer is not repeated before the first candidate */
    ENTRIES_A_MS = 20,     /* files that are written for a run, and removed after it */
    START_MS = 30000,      /* what measuring an input may take before the first candidate */
    RESCUE_RUNS = 30,      /* when the check passed: 99.9 % of inputs that fail in one of 5 */
    RESCUE_MS = 2000,      /* ... or as many as this allows, LAST_RUNS_LEAST at least */
    LOOK_RUNS = 3,         /* after a phase */
    TESTS_A_LOOK_RUN = 30, /* ... at most one for so many tests */
    LEAST_ALONE = 3,       /* runs by themselves that all fail, beside runs at once that do not */
    LAST_RUNS_LEAST = 2,
    LAST_RUNS_MOST = PARE_FLAKY_RATE_CERTAIN,
    LAST_RUNS_MS = 500, /* what they may take in any case */
    TESTS_A_LAST_RUN = 20
};

/* What was refused is measured until its distance from the input is so many standard
 * deviations, so that a test can tell the two apart. */
static const double APART = 5;

enum { MAX_KEPT_BYTES = 4 << 20, MAX_REFUSED = 4 };

/* A run that goes on need not measure the input again, and must not: outcomes of repeated tests
 * mean what they do only by the same rate. */
static void keep_in_journal(const pare_flaky *flaky)
{
    if (!flaky->session->journal) return;
    /* Losing this record costs only that it is measured again. */
    pare_status ignored = pare_journal_add(flaky->session->journal,
                                           &(pare_journal_record){.kind = PARE_JOURNAL_RATE,
                                                                  .rate = flaky->input,
                                                                  .fixed_addresses = flaky->fixed,
                                                                  .one_at_a_time = flaky->alone},
                                           NULL);
    (void)ignored;
}

/* Says once what was measured, and what the reduction will keep of it. */
static void tell(const pare_flaky *flaky)
{
    char sentence[256];
    double low, high;
    /* At 95 %, as the sentence says. */
    pare_rate_interval(flaky->input, &low, &high);
    int n = snprintf(sentence, sizeof sentence,
                     "the failure comes by chance: in %.3g %% of %llu runs of the input "
                     "(95 %% confidence: %.3g to %.3g %%)",
                     100 * pare_rate_share(flaky->input), (unsigned long long)flaky->input.runs,
                     100 * low, 100 * high);
    assert(n > 0 && (size_t)n < sizeof sentence);
    char *rest = sentence + n;
    if (flaky->floor > 0)
        (void)snprintf(rest, sizeof sentence - (size_t)n, "; kept at %.3g %% or more",
                       100 * flaky->floor);
    else if (flaky->precision > 0)
        (void)snprintf(rest, sizeof sentence - (size_t)n, "; kept within %.2g points of that",
                       100 * flaky->tolerance);
    else
        (void)snprintf(rest, sizeof sentence - (size_t)n, "; each test is as many as it takes");
    pare_event_notice(flaky->session, sentence);
}

/* Randomness that comes from the layout of memory alone can be switched off for good. */
static void tell_fixed(const pare_flaky *flaky)
{
    char sentence[256];
    (void)snprintf(sentence, sizeof sentence,
                   "the failure comes by chance, but in each of %llu runs with fixed addresses: "
                   "tests run as with --no-aslr from now on",
                   (unsigned long long)flaky->input.runs);
    pare_event_notice(flaky->session, sentence);
}

/* The same for what comes from runs beside each other alone; `at_once` is how often it failed so. */
static void tell_alone(const pare_flaky *flaky, pare_rate at_once)
{
    char sentence[256];
    (void)snprintf(
        sentence, sizeof sentence,
        "runs at once disturb each other (the input fails in %llu of %llu, and in each of "
        "%llu by itself): tests run one at a time from now on, as with -j1",
        (unsigned long long)at_once.fails, (unsigned long long)at_once.runs,
        (unsigned long long)flaky->input.runs);
    pare_event_notice(flaky->session, sentence);
}

/* Where it would have taken too many runs one at a time to find out whether tests disturb each other
 * (try_alone), the user is told that they may. */
static void tell_of_sharing(const pare_flaky *flaky)
{
    pare_session *session = flaky->session;
    if (!session->options->test.command || session->stats.jobs < 2 || flaky->tried_alone) return;
    pare_event_notice(session,
                      "if the test writes to a fixed place outside its own directory, runs at "
                      "once disturb each other: begin again with -j1 --no-journal");
}

/* A floor above what the input does would refuse every candidate. */
static pare_status refuse_floor(const pare_flaky *flaky, pare_error *err)
{
    return pare_fail(
        err, PARE_E_STATE,
        "the input fails in only %.3g %% of its runs, which is not above the floor of %.3g %%",
        100 * pare_rate_share(flaky->input), 100 * flaky->floor);
}

/* How many runs of the input its owner can wait for, at most PARE_FLAKY_RATE_CERTAIN. */
static uint64_t start_runs(const pare_flaky *flaky)
{
    /* A test that takes no time to speak of would make the quotient infinite. */
    const double ms = fmax(flaky->input_ms, 0.001), jobs = flaky->session->stats.jobs;
    return pare_flaky_rate_clamp(PARE_FLAKY_RATE_FEWEST, START_MS * jobs / ms,
                                 PARE_FLAKY_RATE_CERTAIN);
}

/* Tests run one at a time for the rest of the reduction, or again as many at once as there are slots. */
static void run_alone(pare_flaky *flaky, bool alone)
{
    pare_session *session = flaky->session;
    flaky->alone = alone;
    pare_engine_bound_slots(session->engine, alone ? 1 : 0);
    session->stats.jobs = alone ? 1 : session->oracle.oracle->n_slots;
}

/* How many runs by themselves have to fail, if of `n` runs at once `passes` did not, for it to be no chance
 * that each pass is among those at once: the least m for which C(n, passes) / C(n + m, passes), Fisher's exact
 * probability of that, is below 1 in 100. `most` + 1: more than `most`. */
static uint64_t runs_alone(uint64_t n, uint64_t passes, uint64_t most)
{
    static const double BY_CHANCE = 0.01;
    assert(passes <= n);
    for (uint64_t m = LEAST_ALONE; m <= most; m++) {
        double probability = 1;
        for (uint64_t i = 0; i < passes; i++)
            probability *= (double)(n - i) / (double)(n + m - i);
        if (probability < BY_CHANCE) return m;
    }
    return most + 1;
}

/* Runs that use one place outside of their directories (a data base, a port, a file) look like chance,
 * because each sees what another has done.  Measures the input by runs at once, then runs it by itself until
 * a run passes, or so many have failed that it is no chance: then tests run one at a time.  Where few of the
 * runs at once pass it would take too many, and something else may have disturbed them.
 *
 * Cost: the runs of the start, which an input that fails by chance is measured by anyway; then for one that
 * fails in p of its runs 1 / (1 - p) runs on average. */
static pare_status try_alone(pare_flaky *flaky, const pare_text *input, pare_error *err)
{
    pare_rate rate = {.runs = 0};
    if (flaky->tried_alone || flaky->session->stats.jobs < 2) return PARE_OK;
    pare_status status =
        pare_flaky_rate_measure(flaky, input, start_runs(flaky), &flaky->input, err);
    const pare_rate at_once = flaky->input;
    assert(!flaky->alone); /* or nothing runs at once */
    const uint64_t needed =
        runs_alone(at_once.runs, at_once.runs - at_once.fails, PARE_FLAKY_RATE_CERTAIN);
    if (status || needed > PARE_FLAKY_RATE_CERTAIN) return status;
    flaky->tried_alone = true;
    run_alone(flaky, true);
    /* A run that was ended by the time limit does not count, and there may be one such. */
    for (uint64_t made = 0; !status && made <= needed && rate.runs < needed; made++) {
        status = pare_flaky_rate_run(flaky, input, 1, &rate, err);
        if (rate.fails < rate.runs) break;
    }
    if (!status && rate.runs >= needed && pare_flaky_rate_is_certain(rate)) {
        flaky->input = rate;
        tell_alone(flaky, at_once);
        return PARE_OK;
    }
    run_alone(flaky, false);
    return status;
}

/* Runs `input` with fixed addresses until a run passes, or `most` have failed: then addresses stay
 * fixed.  Time-outs do not count, so one run may be missing. */
static pare_status try_fixed(pare_flaky *flaky, const pare_text *input, uint64_t most,
                             pare_error *err)
{
    pare_session *session = flaky->session;
    pare_rate rate = {.runs = 0};
    pare_status status = PARE_OK;
    const uint64_t jobs = session->stats.jobs, batch = jobs < most ? jobs : most;
    if (flaky->tried_fixed || !pare_session_oracle_fix_addresses(&session->oracle, true))
        return PARE_OK;
    flaky->tried_fixed = true;
    for (uint64_t made = 0; !status && made < most; made += batch) {
        status = pare_flaky_rate_run(flaky, input, batch, &rate, err);
        if (!pare_flaky_rate_is_certain(rate)) break;
    }
    flaky->fixed = !status && pare_flaky_rate_is_certain(rate) && rate.runs >= most - 1;
    if (flaky->fixed)
        flaky->input = rate;
    else
        (void)pare_session_oracle_fix_addresses(&session->oracle, false);
    return status;
}

/* How precisely the promise can be kept by the runs of the input: time may not allow for
 * more. */
static void widen_tolerance(pare_flaky *flaky)
{
    flaky->tolerance = PARE_FLAKY_RATE_TOLERANCE;
    if (flaky->precision <= 0) return;
    while (pare_rate_runs_needed(flaky->input, flaky->tolerance) > flaky->input.runs + 1)
        flaky->tolerance *= 1.1;
}

/* Measures the input, as precisely as was asked for. */
static pare_status measure_first(pare_flaky *flaky, const pare_text *input, pare_error *err)
{
    const uint64_t runs = flaky->floor > 0 ? PARE_FLAKY_RATE_OF_INPUT : start_runs(flaky);
    pare_status status = pare_flaky_rate_measure(flaky, input, runs, &flaky->input, err);
    if (status || flaky->precision <= 0) return status;
    status = pare_flaky_rate_measure(flaky, input, PARE_FLAKY_RATE_OF_INPUT, &flaky->input, err);
    if (status) return status;
    return pare_flaky_rate_measure(
        flaky, input, pare_rate_runs_within(flaky->input, flaky->precision), &flaky->input, err);
}

/* A run of what fails has passed: finds out whether the input fails by chance, and begins to
 * repeat tests then, unless it does so only with random addresses. */
static pare_status find_out(pare_flaky *flaky, const pare_text *input, pare_error *err)
{
    pare_status status = PARE_OK;
    if (pare_flaky_rate_is_certain(flaky->input)) /* as yet */
        status = pare_flaky_rate_measure(flaky, input, PARE_FLAKY_RATE_CERTAIN, &flaky->input, err);
    if (status) return status;
    if (!pare_flaky_rate_is_certain(flaky->input)) status = try_alone(flaky, input, err);
    const bool by_chance = !pare_flaky_rate_is_certain(flaky->input);
    if (!status && by_chance) status = try_fixed(flaky, input, start_runs(flaky), err);
    const bool measured = by_chance || flaky->floor > 0 || flaky->precision > 0;
    if (!status && !flaky->fixed && measured) status = measure_first(flaky, input, err);
    if (status) return status;
    if (flaky->input.fails == 0)
        return pare_fail(err, PARE_E_STATE, "the input did not fail again in %llu runs",
                         (unsigned long long)flaky->input.runs);
    if (flaky->floor >= pare_rate_share(flaky->input)) return refuse_floor(flaky, err);
    widen_tolerance(flaky);
    flaky->on = !pare_flaky_rate_is_certain(flaky->input) || flaky->floor > 0;
    keep_in_journal(flaky);
    if (flaky->fixed && by_chance) tell_fixed(flaky);
    if (flaky->on) tell(flaky);
    if (by_chance) tell_of_sharing(flaky);
    if (!flaky->on) return PARE_OK;
    pare_flaky_rate_repeat_tests(flaky);
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
    assert(flaky->n_kept < PARE_FLAKY_MAX_KEPT);
    flaky->kept[flaky->n_kept++] = pare_text_ref(text);
}

/* Drops the earlier bests from number `from` on, which were made after the one that is gone back
 * to. */
static void drop_kept(pare_flaky *flaky, size_t from)
{
    while (flaky->n_kept > from)
        pare_text_unref(flaky->kept[--flaky->n_kept]);
}

/* An all-zero struct may be ended. */
void pare_flaky_done(pare_flaky *flaky)
{
    drop_kept(flaky, 0);
    pare_text_unref(flaky->start);
}

/* ---- going back ------------------------------------------------------------------------- */

/* Finds the last of the earlier bests that fails often enough, by halving: *n is how many
 * there are up to it; 0: only the input does. */
static pare_status find_good(pare_flaky *flaky, size_t *n, pare_error *err)
{
    /* As in hang.c: the input is good, the best is not, and the change lies between. */
    size_t good = 0, bad = flaky->n_kept + 1;
    while (bad - good > 1) {
        size_t middle = good + (bad - good) / 2;
        assert(good < middle && middle < bad);
        pare_rate rate = {.runs = 0};
        bool yes = false;
        pare_status status =
            pare_flaky_rate_compare(flaky, flaky->kept[middle - 1], &rate, &yes, err);
        if (status) return status;
        *(yes ? &good : &bad) = middle;
        if (yes) flaky->best = rate;
    }
    *n = good;
    return PARE_OK;
}

/* The best seems to fail less often than the input. Measures by how much, so that later candidates
 * can be told apart into those like it and those like the input. *yes says that it fails often
 * enough after all. */
static pare_status measure_refused(pare_flaky *flaky, const pare_text *best, bool *yes,
                                   pare_error *err)
{
    *yes = false;
    if (pare_flaky_rate_is_asked(flaky)) return PARE_OK;
    /* Two rates are told apart by runs in proportion to 1 / gap^2; a gap of nothing would take
     * runs without end. */
    double gap = fmax(pare_rate_share(flaky->input) - pare_rate_share(flaky->best), 0.01);
    uint64_t most = pare_rate_runs_needed(flaky->input, PARE_FLAKY_RATE_TOLERANCE);
    uint64_t runs =
        pare_flaky_rate_clamp(PARE_FLAKY_RATE_CERTAIN, 0.5 * APART * APART / (gap * gap), most);
    pare_status status = pare_flaky_rate_measure_input(flaky, runs, err);
    if (!status) status = pare_flaky_rate_measure(flaky, best, runs, &flaky->best, err);
    *yes =
        pare_rate_share(flaky->best) >= pare_rate_share(flaky->input) - PARE_FLAKY_RATE_TOLERANCE;
    return status;
}

/* The engine takes the text for its best again, and forgets what it found beyond it. What the
 * best's rate is the caller knows, if it was measured. */
pare_status pare_flaky_go_back(pare_flaky *flaky, size_t n, pare_error *err)
{
    pare_text *input = NULL;
    pare_status status = n ? PARE_OK : pare_flaky_rate_read_input(flaky, &input, err);
    assert(n <= flaky->n_kept);
    const pare_text *to = n ? flaky->kept[n - 1] : input;
    if (!status) status = pare_engine_restore(flaky->session->engine, to, err);
    flaky->best = (pare_rate){.runs = 0};
    drop_kept(flaky, n);
    pare_text_unref(input);
    return status;
}

/* After single runs, which set no rule, such as those of hang.c. */
void pare_flaky_resume_rule(const pare_flaky *flaky)
{
    if (flaky->on) pare_flaky_rate_repeat_tests(flaky);
}

/* Takes the best back to the last one that fails often enough; unless it does itself. */
static pare_status take_back(pare_flaky *flaky, const pare_text *best, bool *yes, pare_error *err)
{
    size_t n = 0;
    pare_status status = measure_refused(flaky, best, yes, err);
    if (status || *yes) return status;
    flaky->refused_share = fmax(flaky->refused_share, pare_rate_share(flaky->best));
    flaky->best = flaky->input;
    flaky->refused++;
    status = find_good(flaky, &n, err);
    if (status) return status;
    const pare_rate good = flaky->best;
    status = pare_flaky_go_back(flaky, n, err);
    if (status) return status;
    flaky->best = good;
    pare_flaky_rate_repeat_tests(flaky);
    pare_event_notice(flaky->session, "the result fails less often than the input: going back "
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
    if (pare_journal_fixed_addresses(session->journal)) {
        flaky->tried_fixed = true;
        flaky->fixed = pare_session_oracle_fix_addresses(&session->oracle, true);
        if (!flaky->fixed) return false;
    }
    flaky->tried_alone = pare_journal_one_at_a_time(session->journal);
    if (flaky->tried_alone) run_alone(flaky, true);
    flaky->input = rate;
    flaky->on = !pare_flaky_rate_is_certain(rate) || flaky->floor > 0;
    flaky->refused = pare_journal_restored(session->journal);
    widen_tolerance(flaky);
    if (flaky->on) pare_flaky_rate_repeat_tests(flaky);
    return true;
}

/* The cost of a run of the input in ms: the test's own time, and that of writing and removing its
 * files, which is estimated from their number so that it is the same however busy the machine
 * is. */
static double run_ms(const pare_session *session, const pare_verdict *verdict)
{
    const pare_layout *layout = session->layout;
    const double files_ms = layout ? (double)layout->entries.n / ENTRIES_A_MS : 0;
    return verdict->duration_ms + files_ms;
}

/* Whether the test ended the way shells and most programs end when they could not do what they were
 * told: a missing command, a mistake in a script. Nobody says "the failure is gone" by exit code 2,
 * and such a mistake does not come by chance. */
static bool is_mistake(const pare_session *session, const pare_verdict *verdict)
{
    const int code = verdict->exit_code;
    return session->options->test.command && (code == 2 || code == 126 || code == 127);
}

/* Whether the user has let tests reach what is outside of their own directories, where they may meet. */
static bool reaches_outside(const pare_session *session)
{
    const pare_safety *safety = &session->options->test.safety;
    return safety->network == PARE_ON || safety->n_writable || safety->n_visible;
}

/* How many runs of the input are made at the start: one that does not fail should be told of
 * soon.  Where tests may disturb each other, two are worth their time however slow they are: at once they
 * take that of one. */
static uint64_t first_runs(const pare_flaky *flaky, const pare_verdict *verdict)
{
    const double ms = fmax(flaky->input_ms, 0.001), jobs = flaky->session->stats.jobs;
    const bool meets = jobs > 1 && reaches_outside(flaky->session);
    if (verdict->outcome == PARE_FAIL && ms > SLOW_RUN_MS && !pare_flaky_rate_is_asked(flaky))
        return meets ? FIRST_RUNS_LEAST : 0;
    if (verdict->outcome == PARE_FAIL)
        return pare_flaky_rate_clamp(FIRST_RUNS_LEAST, FIRST_RUNS_MS * jobs / ms, FIRST_RUNS_MOST);
    if (verdict->timed_out) return 0;
    if (is_mistake(flaky->session, verdict)) return LAST_RUNS_LEAST;
    return pare_flaky_rate_clamp(LAST_RUNS_LEAST, RESCUE_MS * jobs / ms, RESCUE_RUNS);
}

/* Runs the input a few times more, and finds out what it is about if a run passes. */
static pare_status watch_input(pare_flaky *flaky, const pare_text *text,
                               const pare_verdict *verdict, pare_error *err)
{
    bool failed = verdict->outcome == PARE_FAIL;
    flaky->extra = first_runs(flaky, verdict);
    flaky->owes = failed && !flaky->extra;
    flaky->input = (pare_rate){.fails = failed, .runs = 1};
    if (flaky->owes) {
        keep_in_journal(flaky);
        return PARE_OK;
    }
    pare_status status = pare_flaky_rate_run(flaky, text, flaky->extra, &flaky->input, err);
    if (status || !flaky->input.fails) return status;
    if (flaky->passed > 0 || !failed || flaky->floor > 0) return find_out(flaky, text, err);
    /* Runs that were ended by the time limit do not count. */
    flaky->input.runs = flaky->input.fails;
    keep_in_journal(flaky);
    return PARE_OK;
}

/* A large input that is one file is not kept in memory: it is read again if it is needed. A hang
 * needs the earlier bests, too, even where tests are never repeated. */
pare_status pare_flaky_begin(pare_flaky *flaky, pare_session *session, const pare_text *text,
                             const pare_verdict *verdict, bool *fails, pare_error *err)
{
    const pare_reduce_options *options = session->options;
    pare_status status = PARE_OK;
    bool failed = verdict->outcome == PARE_FAIL;
    *fails = failed;
    *flaky = (pare_flaky){.session = session,
                          .keeps = options->keep.hang_ms > 0,
                          .input_ms = run_ms(session, verdict),
                          .input_bytes = pare_text_size(text)};
    /* With several files the text cannot be read again as easily, so it is kept whatever its
     * size. */
    bool is_one_file = !session->layout;
    if (!is_one_file || pare_text_size(text) <= MAX_KEPT_BYTES) flaky->start = pare_text_ref(text);
    if (!session->oracle.repeat) return PARE_OK;
    flaky->watching = flaky->keeps = true;
    flaky->floor = options->test.flaky == PARE_FLAKY_FLOOR ? options->test.flaky_floor : 0;
    flaky->precision = options->test.flaky_precision;
    if (!resume(flaky)) {
        status = watch_input(flaky, text, verdict, err);
        if (status) return status;
    }
    *fails = flaky->input.fails > 0;
    if (*fails && !failed) status = pare_engine_restore(session->engine, text, err);
    flaky->successes = pare_engine_statistics(session->engine).successes;
    return status;
}

/* A run of the best has passed, and workers on other machines take part. If this machine says the
 * same each time and a worker the opposite each time, it is not chance but the machines that
 * differ: that worker is not used any more, its outcomes are forgotten, and if the best was its
 * finding, the last earlier best that fails here takes its place. *differs stays false if it may be
 * chance.
 *
 * Cost: PARE_FLAKY_RATE_CERTAIN tests here and as many there. */
static pare_status compare_machines(pare_flaky *flaky, const pare_text *best, bool *differs,
                                    pare_error *err)
{
    pare_oracle *remote = flaky->session->oracle.remote;
    pare_rate here = {.runs = 0}, away = {.runs = 0};
    size_t n = 0;
    if (!remote) return PARE_OK;
    const uint64_t runs = pare_flaky_rate_affordable(flaky, PARE_FLAKY_RATE_CERTAIN);
    pare_remote_run(remote, PARE_REMOTE_HERE);
    pare_status status = pare_flaky_rate_run(flaky, best, runs, &here, err);
    const bool is_same = here.runs > 0 && (!here.fails || pare_flaky_rate_is_certain(here));
    pare_remote_run(remote, PARE_REMOTE_AWAY);
    if (!status && is_same) status = pare_flaky_rate_run(flaky, best, runs, &away, err);
    pare_remote_run(remote, PARE_REMOTE_ANYWHERE);
    if (status || !is_same || !pare_remote_dismiss(remote, pare_text_digest(best), !here.fails))
        return status;
    *differs = flaky->late = true;
    flaky->best = here;
    if (!here.fails) {
        status = find_good(flaky, &n, err);
        const pare_rate good = flaky->best;
        if (!status) status = pare_flaky_go_back(flaky, n, err);
        flaky->best = good;
    }
    return status ? status : pare_engine_forget_passes(flaky->session->engine, err);
}

/* A run of the best has passed.  The input may fail by chance after all: then single runs have
 * decided so far, and what passed is tested again.  If it does not, the best is run as often:
 * either it fails by chance, which makes it another failure, or something disturbed the run. */
static pare_status begin_late(pare_flaky *flaky, const pare_text *best, pare_error *err)
{
    pare_text *input = NULL;
    bool differs = false;
    pare_status status = compare_machines(flaky, best, &differs, err);
    if (status || differs) return status;
    status = pare_flaky_rate_read_input(flaky, &input, err);
    if (!status) status = find_out(flaky, input, err);
    pare_text_unref(input);
    if (status) return status;
    if (!flaky->on) {
        status = pare_flaky_rate_run(flaky, best, PARE_FLAKY_RATE_CERTAIN, &flaky->best, err);
        if (status) return status;
        flaky->on = flaky->passed > 0;
        if (flaky->on) pare_flaky_rate_repeat_tests(flaky);
    }
    flaky->late = flaky->on || flaky->fixed || flaky->alone;
    return flaky->late ? pare_engine_forget_passes(flaky->session->engine, err) : PARE_OK;
}

/* Runs the best `runs` times, unless it is known to be flaky. */
static pare_status look(pare_flaky *flaky, const pare_text *best, uint64_t runs, pare_error *err)
{
    pare_rate rate = {.runs = 0};
    if (flaky->on || !runs) return PARE_OK;
    flaky->extra += runs;
    flaky->owes = false;
    pare_status status = pare_flaky_rate_run(flaky, best, runs, &rate, err);
    flaky->best = rate;
    if (!status && flaky->passed > 0) status = begin_late(flaky, best, err);
    return status;
}

/* After a text was refused, candidates like it may slip through the sequential test while nothing
 * else is accepted. So every best is compared after its phase. */
static pare_status audit(pare_flaky *flaky, const pare_text *best, pare_error *err)
{
    bool yes = true;
    pare_status status = pare_flaky_rate_compare(flaky, best, &flaky->best, &yes, err);
    if (status || yes) return status;
    return take_back(flaky, best, &yes, err);
}

/* A text that was looked at is not looked at again before the next success. How many runs that
 * takes is bounded by the tests that were run: one look run for TESTS_A_LOOK_RUN of them. */
pare_status pare_flaky_look(pare_flaky *flaky, pare_error *err)
{
    const pare_text *best = NULL;
    if (!flaky->keeps) return PARE_OK;
    assert(check(flaky));
    pare_engine_stats stats = pare_engine_statistics(flaky->session->engine);
    if (stats.successes == flaky->successes) return PARE_OK;
    flaky->successes = stats.successes;
    flaky->best = (pare_rate){.runs = 0};
    pare_status status = pare_engine_settle(flaky->session->engine, &best, err);
    if (!status) keep(flaky, best);
    if (!flaky->watching) return status;
    if (!status && flaky->on && flaky->refused > 0 && !pare_flaky_rate_is_asked(flaky))
        return audit(flaky, best, err);
    if (status) return status;
    const bool is_due = flaky->owes && pare_text_size(best) <= flaky->input_bytes / 2;
    const bool affordable_look = (flaky->extra + LOOK_RUNS) * TESTS_A_LOOK_RUN <= stats.tests;
    return is_due || affordable_look ? look(flaky, best, LOOK_RUNS, err) : PARE_OK;
}

/* How many runs confirm the result: few beside the tests that were run, or more if they take hardly
 * any time. With a precision, as many as must all fail for a share of 1 to be known so exactly, by
 * the rule of three. */
static uint64_t last_runs(const pare_flaky *flaky)
{
    if (flaky->precision > 0)
        return pare_flaky_rate_affordable(flaky, (uint64_t)ceil(3 / flaky->precision));
    pare_engine_stats stats = pare_engine_statistics(flaky->session->engine);
    double ms = stats.tests_run ? stats.oracle_ms / (double)stats.tests_run : 0;
    double quick = LAST_RUNS_MS * (double)flaky->session->stats.jobs;
    uint64_t runs = stats.tests / TESTS_A_LAST_RUN;
    if (quick >= ms * LAST_RUNS_MOST || runs > LAST_RUNS_MOST) return LAST_RUNS_MOST;
    if ((double)runs * ms < quick) runs = (uint64_t)(quick / ms);
    return runs < LAST_RUNS_LEAST ? LAST_RUNS_LEAST : runs;
}

/* At most MAX_REFUSED results are given up: a reduction that always ends with rarer failures has
 * to end some time, with what it was taken back to. */
pare_status pare_flaky_confirm(pare_flaky *flaky, bool *again, pare_error *err)
{
    const pare_text *best = NULL;
    bool yes = true;
    *again = false;
    if (!flaky->watching) return PARE_OK;
    assert(check(flaky));
    if (!pare_engine_statistics(flaky->session->engine).successes) return PARE_OK;
    pare_status status = pare_engine_settle(flaky->session->engine, &best, err);
    if (!status) status = look(flaky, best, last_runs(flaky), err);
    if (status) return status;
    if (flaky->on && !flaky->tests) { /* what passed is asked once more, for about one run each */
        flaky->tests = pare_engine_statistics(flaky->session->engine).tests;
        *again = true;
        flaky->late = false;
        return pare_engine_forget_passes(flaky->session->engine, err);
    }
    if (flaky->on) status = pare_flaky_rate_compare(flaky, best, &flaky->best, &yes, err);
    if (status) return status;
    *again = flaky->late; /* what single runs said of a failure by chance is asked again */
    flaky->late = false;
    if (!yes) status = take_back(flaky, best, &yes, err);
    if (status || yes) return status;
    *again = flaky->confirmed++ < MAX_REFUSED; /* what was gone back to is good */
    return status;
}
