/* How much speculation gains, in simulated time: makespan in mean test durations.
 *
 * The setting of shared/reference/parallel-simulation.py: 512 units, lognormal durations,
 * no cost but the tests.  Prints the makespan and the speed-up at 1, 4, 16 and 64 slots,
 * and the tests started at 64. */
#include <string.h>

#include "../tests/unit/support/simulated_oracle.h"
#include "base/alloc.h"
#include "engine/engine.h"
#include "list/strategy.h"
#include "report.h"

enum { N_UNITS = 512 };

struct subject {
    bool needed[N_UNITS];
    int needs[N_UNITS]; /* -1: nothing */
};

/* Each unit is two bytes: its index. */
static pare_outcome run_subject(void *context, const unsigned char *bytes, size_t size)
{
    const struct subject *subject = context;
    bool there[N_UNITS] = {false};
    for (size_t i = 0; i + 1 < size; i += 2)
        there[bytes[i] | bytes[i + 1] << 8] = true;
    for (int i = 0; i < N_UNITS; i++) {
        if (subject->needed[i] && !there[i]) return PARE_PASS;
        if (there[i] && subject->needs[i] >= 0 && !there[subject->needs[i]]) return PARE_PASS;
    }
    return PARE_FAIL;
}

static void make_subject(struct subject *subject, size_t n_needed, bool dependent, uint64_t seed)
{
    pare_random random;
    pare_random_init(&random, seed * 7919 + n_needed);
    memset(subject, 0, sizeof *subject);
    for (size_t left = n_needed; left;) {
        uint64_t i = pare_random_below(&random, N_UNITS);
        left -= !subject->needed[i];
        subject->needed[i] = true;
    }
    for (uint64_t i = 0; i < N_UNITS; i++) {
        subject->needs[i] = -1;
        if (!dependent || i == 0 || pare_random_below(&random, 10) >= 6) continue;
        uint64_t first = i > 200 ? i - 200 : 0;
        subject->needs[i] = (int)(first + pare_random_below(&random, i - first));
    }
}

struct figures {
    double makespan, started;
};

static pare_status reduce(struct subject *subject, const char *name, unsigned jobs, uint64_t seed,
                          struct figures *figures)
{
    static struct simulated_oracle sim;
    unsigned char bytes[2 * N_UNITS];
    pare_bounds bounds = {.at = pare_alloc(N_UNITS + 1, sizeof(uint32_t)), .n = N_UNITS};
    pare_text *text = NULL;
    pare_unit_list *units = NULL;
    pare_config *config = NULL;
    pare_strategy *strategy = NULL;
    pare_engine *engine = NULL;
    pare_engine_end end;
    pare_verdict verdict;
    for (int i = 0; i < N_UNITS; i++) {
        bytes[2 * i] = (unsigned char)i;
        bytes[2 * i + 1] = (unsigned char)(i >> 8);
    }
    for (uint32_t i = 0; i <= N_UNITS; i++)
        bounds.at[i] = 2 * i;
    simulated_init(&sim, jobs, run_subject, subject, seed);
    pare_engine_options options = {.oracle = &sim.head};
    pare_list_knobs knobs = {.granularity = 0};
    pare_status status = pare_text_copy(bytes, sizeof bytes, &text, NULL);
    if (!status) status = pare_units_new(&bounds, &units, NULL);
    if (!status) status = pare_config_new(units, text, &config, NULL);
    if (!status)
        status =
            pare_list_strategy_new(pare_list_algorithm_find(name), &knobs, config, &strategy, NULL);
    if (!status) status = pare_engine_new(&options, &engine, NULL);
    if (!status) status = pare_engine_check(engine, text, &verdict, NULL);
    double checked = sim.now;
    if (!status) status = pare_engine_run(engine, strategy, &end, NULL);
    figures->makespan += sim.now - checked;
    figures->started += (double)sim.started;
    pare_engine_free(engine);
    pare_config_unref(config);
    pare_units_unref(units);
    pare_text_unref(text);
    return status;
}

static const unsigned JOBS[] = {1, 4, 16, 64};
enum { N_JOBS = sizeof JOBS / sizeof *JOBS, N_SEEDS = 5 };
static const double AIM = 6;

/* Prints one line; returns the speed-up at the most slots. */
static double run_all(const char *input, size_t n_needed, bool dependent, const char *algorithm)
{
    struct figures figures[N_JOBS] = {{0}};
    for (size_t j = 0; j < N_JOBS; j++) {
        for (uint64_t seed = 1; seed <= N_SEEDS; seed++) {
            struct subject subject;
            make_subject(&subject, n_needed, dependent, seed);
            if (reduce(&subject, algorithm, JOBS[j], seed, &figures[j]))
                report_broken("bench_makespan", algorithm);
        }
    }
    printf("  %-12s %-11s", input, algorithm);
    for (size_t j = 0; j < N_JOBS; j++)
        printf(" %7.1f", figures[j].makespan / N_SEEDS);
    for (size_t j = 1; j < N_JOBS; j++)
        printf(" %4.1fx", figures[0].makespan / figures[j].makespan);
    printf(" %6.0f\n", figures[N_JOBS - 1].started / N_SEEDS);
    return figures[0].makespan / figures[N_JOBS - 1].makespan;
}

int main(void)
{
    static const char *const algorithms[] = {"adaptive", "lithium", "quickxplain", "ddmin"};
    enum { N_ALGORITHMS = sizeof algorithms / sizeof *algorithms, N_AIMED = 2 };
    static const struct {
        const char *name;
        size_t n_needed;
        bool dependent;
    } inputs[] = {{"scattered 64", 64, false}, {"deps 8", 8, true}, {"deps 32", 32, true}};
    double speed_up[N_ALGORITHMS];
    printf("Speculation in simulated time (mean test durations), %d units\n", N_UNITS);
    printf("  %-12s %-11s %7s %7s %7s %7s   at 4    16    64 started\n", "needed", "algorithm",
           "-j1", "-j4", "-j16", "-j64");
    for (size_t i = sizeof inputs / sizeof *inputs; i-- > 0;)
        for (size_t a = 0; a < N_ALGORITHMS; a++)
            speed_up[a] =
                run_all(inputs[i].name, inputs[i].n_needed, inputs[i].dependent, algorithms[a]);
    for (size_t a = 0; a < N_AIMED; a++) {
        char what[64], figure[32];
        (void)snprintf(what, sizeof what, "%s, scattered 64, 64 slots", algorithms[a]);
        (void)snprintf(figure, sizeof figure, "%.1fx", speed_up[a]);
        report_aim(what, figure, ">= 6x", speed_up[a] >= AIM);
    }
    return 0;
}
