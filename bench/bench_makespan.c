/* How much speculation gains, in simulated time: makespan in mean test durations.
 *
 * The setting of shared/reference/parallel-simulation.py: 512 units, lognormal durations,
 * no cost but the tests.  Prints, for the scans that are run ahead with prediction, the
 * makespan and the tests started at 1, 4, 16 and 64 slots, and the speed-up. */
#include <stdio.h>
#include <string.h>

#include "../tests/unit/support/simulated_oracle.h"
#include "base/alloc.h"
#include "engine/engine.h"
#include "list/strategy.h"

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

int main(void)
{
    static const char *const algorithms[] = {"adaptive", "lithium", "ddmin", "quickxplain"};
    static const struct {
        const char *name;
        size_t n_needed;
        bool dependent;
    } subjects[] = {{"scattered 64", 64, false}, {"deps 8", 8, true}, {"deps 32", 32, true}};
    static const unsigned jobs[] = {1, 4, 16, 64};
    enum { N_SEEDS = 5 };
    printf("%-14s %-12s %5s %10s %10s %9s\n", "input", "algorithm", "slots", "makespan", "started",
           "speed-up");
    for (size_t s = 0; s < 3; s++) {
        for (size_t a = 0; a < 4; a++) {
            double alone = 0;
            for (size_t j = 0; j < 4; j++) {
                struct figures figures = {0};
                for (uint64_t seed = 1; seed <= N_SEEDS; seed++) {
                    struct subject subject;
                    make_subject(&subject, subjects[s].n_needed, subjects[s].dependent, seed);
                    if (reduce(&subject, algorithms[a], jobs[j], seed, &figures)) return 1;
                }
                if (j == 0) alone = figures.makespan;
                printf("%-14s %-12s %5u %10.1f %10.0f %8.1fx\n", subjects[s].name, algorithms[a],
                       jobs[j], figures.makespan / N_SEEDS, figures.started / N_SEEDS,
                       alone / figures.makespan);
            }
        }
    }
    return 0;
}
