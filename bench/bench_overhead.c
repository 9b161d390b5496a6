/* CPU time of the engine per test besides the oracle, at 10,000 units.
 *
 * The oracle is a rule that answers at once: all marked units must be there.  It looks
 * through the candidate's bytes in place; the CPU time that it takes is measured and
 * subtracted.  At more than one slot the tests that speculation started in vain are paid
 * for by those that retired, so both costs are shown: per test started, and per retired one.
 * Every reduction ends after MAX_TESTS tests.
 *
 * Usage: bench_overhead [ALGORITHM [NEEDED [SLOTS]]]     for a profile of one case */
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/random.h"
#include "engine/engine.h"
#include "reduce/list/config.h"
#include "report.h"

enum { N_UNITS = 10000, UNIT_BYTES = 16, MAX_TESTS = 20000, MAX_SLOTS = 64, MARK = '#' };
static const double AIM_US = 20;

static void require(pare_status status, const pare_error *err)
{
    if (status) report_broken("bench_overhead", err->message);
}

static double cpu_s(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- the oracle --------------------------------------------------------------------- */

struct rule {
    pare_oracle head;
    size_t n_needed;
    double spent_s;
    pare_verdict ended[MAX_SLOTS]; /* a ring: first come, first served */
    unsigned first, n;
};

static int count_marks(void *context, pare_span span)
{
    size_t *left = context;
    const unsigned char *at = span.bytes, *end = span.bytes + span.size;
    while ((at = memchr(at, MARK, (size_t)(end - at)))) {
        if (!--*left) return 1;
        if (++at == end) break;
    }
    return 0;
}

static pare_status rule_start(pare_oracle *oracle, unsigned slot, const pare_candidate *candidate,
                              pare_error *err)
{
    struct rule *rule = (struct rule *)oracle;
    double start = cpu_s();
    size_t left = rule->n_needed;
    (void)err;
    bool fails = pare_candidate_spans(candidate, count_marks, &left) != 0;
    rule->ended[(rule->first + rule->n++) % MAX_SLOTS] = (pare_verdict){
        .slot = slot, .outcome = fails ? PARE_FAIL : PARE_PASS, .duration_ms = 1, .exit_code = -1};
    rule->spent_s += cpu_s() - start;
    return PARE_OK;
}

static void rule_cancel(pare_oracle *oracle, unsigned slot)
{
    struct rule *rule = (struct rule *)oracle;
    for (unsigned i = 0; i < rule->n; i++)
        if (rule->ended[(rule->first + i) % MAX_SLOTS].slot == slot)
            rule->ended[(rule->first + i) % MAX_SLOTS].cancelled = true;
}

static pare_status rule_wait(pare_oracle *oracle, int64_t timeout_ms, pare_wait *what,
                             pare_verdict *verdict, pare_error *err)
{
    struct rule *rule = (struct rule *)oracle;
    (void)timeout_ms;
    (void)err;
    *what = rule->n ? PARE_WAIT_VERDICT : PARE_WAIT_INTERRUPTED;
    if (!rule->n) return PARE_OK;
    *verdict = rule->ended[rule->first];
    rule->first = (rule->first + 1) % MAX_SLOTS;
    rule->n--;
    return PARE_OK;
}

static void rule_destroy(pare_oracle *oracle)
{
    (void)oracle;
}

static const pare_oracle_ops rule_ops = {
    .start = rule_start, .cancel = rule_cancel, .wait = rule_wait, .destroy = rule_destroy};

/* ---- the input ---------------------------------------------------------------------- */

/* Lines of UNIT_BYTES bytes, no two equal, `n_needed` of them marked: every second one,
 * or scattered at random. */
static void make_input(size_t n_needed, pare_buffer *input)
{
    static bool needed[N_UNITS];
    pare_random random;
    pare_error err = {0};
    pare_random_init(&random, n_needed);
    memset(needed, 0, sizeof needed);
    for (size_t left = n_needed, next = 0; left; next += 2) {
        size_t i = n_needed == N_UNITS / 2 ? next : pare_random_below(&random, N_UNITS);
        left -= !needed[i];
        needed[i] = true;
    }
    for (int i = 0; i < N_UNITS; i++)
        require(pare_buffer_format(input, &err, "line %05d ...%c\n", i, needed[i] ? MARK : '.'),
                &err);
}

static void make_config(size_t n_needed, pare_text **text, pare_config **config)
{
    pare_error err = {0};
    pare_buffer input = {0};
    pare_unit_list *units = NULL;
    pare_bounds bounds = {.at = pare_alloc(N_UNITS + 1, sizeof(uint32_t)), .n = N_UNITS};
    if (!bounds.at) report_broken("bench_overhead", "out of memory");
    make_input(n_needed, &input);
    for (uint32_t i = 0; i <= N_UNITS; i++)
        bounds.at[i] = UNIT_BYTES * i;
    require(pare_text_take(&input, text, &err), &err);
    require(pare_config_units_new(&bounds, &units, &err), &err);
    require(pare_config_new(units, *text, config, &err), &err);
    pare_config_units_unref(units);
}

/* ---- measuring ---------------------------------------------------------------------- */

struct cost {
    double run_us, retired_us; /* CPU per test, the oracle's subtracted */
    pare_engine_stats stats;
};

static struct cost measure(const char *algorithm, size_t n_needed, unsigned slots)
{
    static struct rule rule;
    pare_error err = {0};
    pare_text *text = NULL;
    pare_config *config = NULL;
    pare_strategy *strategy = NULL;
    pare_engine *engine = NULL;
    pare_verdict verdict;
    pare_engine_end end;
    const pare_list_knobs knobs = {.granularity = 0};
    rule = (struct rule){.head = {.ops = &rule_ops, .n_slots = slots}, .n_needed = n_needed};
    const pare_engine_options options = {.oracle = &rule.head, .max_tests = MAX_TESTS};
    make_config(n_needed, &text, &config);
    require(pare_config_strategy_new(pare_list_algorithm_find(algorithm), &knobs, config, &strategy,
                                     &err),
            &err);
    require(pare_engine_new(&options, &engine, &err), &err);
    require(pare_engine_check(engine, text, &verdict, &err), &err);
    rule.spent_s = 0;
    double start = cpu_s();
    require(pare_engine_run(engine, strategy, &end, &err), &err);
    double spent_us = (cpu_s() - start - rule.spent_s) * 1e6;
    pare_engine_stats stats = pare_engine_statistics(engine);
    pare_engine_free(engine);
    pare_config_unref(config);
    pare_text_unref(text);
    return (struct cost){.run_us = spent_us / (double)(stats.tests_run + stats.cancelled),
                         .retired_us = spent_us / (double)stats.tests,
                         .stats = stats};
}

/* One line; the aim holds at one slot. */
static void report(const char *algorithm, size_t n_needed, unsigned slots)
{
    char what[64], figure[32];
    struct cost cost = measure(algorithm, n_needed, slots);
    (void)snprintf(what, sizeof what, "%-11s %4zu needed -j%-2u %6llu tests", algorithm, n_needed,
                   slots, (unsigned long long)cost.stats.tests);
    if (slots == 1) {
        (void)snprintf(figure, sizeof figure, "%.1f us", cost.retired_us);
        report_aim(what, figure, "< 20 us", cost.retired_us < AIM_US);
        return;
    }
    (void)snprintf(figure, sizeof figure, "%.1f / %.1f us", cost.run_us, cost.retired_us);
    report_figure(what, figure);
}

static const char *const ALGORITHMS[] = {"adaptive", "ddmin", "quickxplain", "lithium",
                                         "probdd",   "cdd",   "sweep"};

static void report_all(size_t n_needed)
{
    static const unsigned slots[] = {1, 16, 64};
    for (size_t s = 0; s < sizeof slots / sizeof *slots; s++)
        for (size_t a = 0; a < sizeof ALGORITHMS / sizeof *ALGORITHMS; a++)
            report(ALGORITHMS[a], n_needed, slots[s]);
}

int main(int argc, char **argv)
{
    static const size_t needed[] = {20, 1000, N_UNITS / 2};
    if (argc > 1) {
        if (!pare_list_algorithm_find(argv[1]))
            report_broken("bench_overhead", "no such algorithm");
        size_t n_needed = argc > 2 ? strtoul(argv[2], NULL, 10) : needed[0];
        unsigned long slots = argc > 3 ? strtoul(argv[3], NULL, 10) : 1;
        if (!n_needed || n_needed > N_UNITS || !slots || slots > MAX_SLOTS)
            report_broken("bench_overhead", "1 .. 10000 units needed, 1 .. 64 slots");
        report(argv[1], n_needed, (unsigned)slots);
        return 0;
    }
    printf("Engine, CPU per test besides the oracle, %d units (at -j16 and -j64: per test\n"
           "started / per test that the algorithm was told)\n",
           N_UNITS);
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        report_all(needed[i]);
    return 0;
}
