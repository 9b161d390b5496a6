/* How much many slots gain, in simulated time: makespan in mean test durations.
 *
 * The setting of shared/reference/parallel-simulation.py: 512 units, lognormal durations, no
 * cost but the tests; beyond it more units, up to 4,096 slots.  The engine is the real one,
 * only the oracle and its clock are simulated.  Means of N_SEEDS inputs.
 *   pool          pools of patches on all slots at once
 *   pool, one     the same patches as a strategy, speculated: --deterministic, and -j1
 *   others        strategies over the same units, speculated
 * Then the slots of other machines: with latencies between, and the work of the coordinator for each
 * test as bench/run.sh remote measures it.  `bench_makespan cluster [ALGORITHM]` prints that alone,
 * for makespan/plot.py, which draws docs/guide/many-machines.svg. */
#include <string.h>

#include "../tests/unit/support/simulated_oracle.h"
#include "base/alloc.h"
#include "engine/pool.h"
#include "makespan/simulated_cluster.h"
#include "os/clock.h"
#include "reduce/list/config.h"
#include "report.h"

enum { MOST_UNITS = 2048, BEHIND = 200, N_SEEDS = 5 };

struct subject {
    int n;
    bool needed[MOST_UNITS];
    int needs[MOST_UNITS]; /* -1: nothing */
};

/* Each unit is two bytes: its index. */
static pare_outcome run_subject(void *context, const unsigned char *bytes, size_t size)
{
    const struct subject *subject = context;
    static bool there[MOST_UNITS];
    memset(there, 0, (size_t)subject->n);
    for (size_t i = 0; i + 1 < size; i += 2)
        there[bytes[i] | bytes[i + 1] << 8] = true;
    for (int i = 0; i < subject->n; i++) {
        if (subject->needed[i] && !there[i]) return PARE_PASS;
        if (there[i] && subject->needs[i] >= 0 && !there[subject->needs[i]]) return PARE_PASS;
    }
    return PARE_FAIL;
}

/* What is reduced. */
struct input {
    const char *name;
    int n_units;
    size_t n_needed;
    bool dependent;
};

static void make_subject(struct subject *subject, const struct input *input, uint64_t seed)
{
    pare_random random;
    uint64_t n = (uint64_t)input->n_units;
    pare_random_init(&random, seed * 7919 + input->n_needed);
    memset(subject, 0, sizeof *subject);
    subject->n = input->n_units;
    for (size_t left = input->n_needed; left;) {
        uint64_t i = pare_random_below(&random, n);
        left -= !subject->needed[i];
        subject->needed[i] = true;
    }
    for (uint64_t i = 0; i < n; i++) {
        subject->needs[i] = -1;
        if (!input->dependent || i == 0 || pare_random_below(&random, 10) >= 6) continue;
        uint64_t first = i > BEHIND ? i - BEHIND : 0;
        subject->needs[i] = (int)(first + pare_random_below(&random, i - first));
    }
}

/* How it is reduced. */
struct scheme {
    const char *name;
    const char *algorithm; /* of lists; NULL: a pool */
    bool deterministic;
};

struct figures {
    double makespan, tests, left;
};

static pare_status run_list(pare_engine *engine, const pare_text *text, const char *name, size_t n)
{
    pare_bounds bounds = {.at = pare_alloc(n + 1, sizeof(uint32_t)), .n = n};
    pare_unit_list *units = NULL;
    pare_config *config = NULL;
    pare_strategy *strategy = NULL;
    pare_engine_end end;
    const pare_list_knobs knobs = {.granularity = 0};
    const pare_list_algorithm *algorithm = pare_list_algorithm_find(name);
    for (uint32_t i = 0; bounds.at && i <= n; i++)
        bounds.at[i] = 2 * i;
    pare_status status = pare_config_units_new(&bounds, &units, NULL);
    if (!status) status = pare_config_new(units, text, &config, NULL);
    if (!status) status = pare_config_strategy_new(algorithm, &knobs, config, &strategy, NULL);
    if (!status) status = pare_engine_run(engine, strategy, &end, NULL);
    pare_config_unref(config);
    pare_config_units_unref(units);
    return status;
}

static pare_status run_pool(pare_engine *engine, const pare_text *text, size_t n)
{
    pare_patches *patches = NULL;
    pare_engine_end end;
    const pare_pool_options options = {.shorter = true, .sweep = true};
    pare_status status = pare_patches_new(text, &patches, NULL);
    for (size_t i = 0; !status && i < n; i++) {
        status = pare_patches_change(patches, 2 * i, 2 * i + 2, "", 0, NULL);
        if (!status) status = pare_patches_end(patches, PARE_NO_PATCH, NULL, NULL);
    }
    if (!status) status = pare_engine_run_pool(engine, patches, &options, &end, NULL);
    pare_patches_unref(patches);
    return status;
}

/* The units as a text. */
static pare_status make_text(size_t n, pare_text **out)
{
    static unsigned char bytes[2 * MOST_UNITS];
    for (size_t i = 0; i < n; i++) {
        bytes[2 * i] = (unsigned char)i;
        bytes[2 * i + 1] = (unsigned char)(i >> 8);
    }
    return pare_text_copy(bytes, 2 * n, out, NULL);
}

/* Where tests run, and the clock there. */
struct place {
    pare_oracle *oracle;
    const double *now;
};

/* One reduction; adds its figures, the check of the input not counted. */
static pare_status reduce(struct subject *subject, const struct scheme *scheme,
                          const struct place *place, struct figures *figures)
{
    const size_t n = (size_t)subject->n;
    pare_text *text = NULL;
    pare_engine *engine = NULL;
    pare_verdict verdict;
    const pare_engine_options options = {.oracle = place->oracle,
                                         .deterministic = scheme->deterministic};
    pare_status status = make_text(n, &text);
    if (!status) status = pare_engine_new(&options, &engine, NULL);
    if (!status) status = pare_engine_check(engine, text, &verdict, NULL);
    const double checked = *place->now;
    if (!status)
        status = scheme->algorithm ? run_list(engine, text, scheme->algorithm, n)
                                   : run_pool(engine, text, n);
    if (!status) {
        figures->makespan += (*place->now - checked) / N_SEEDS;
        figures->tests += (double)(pare_engine_statistics(engine).tests_run - 1) / N_SEEDS;
        figures->left += (double)pare_engine_best(engine)->size / 2 / N_SEEDS;
    }
    pare_engine_free(engine);
    pare_text_unref(text);
    return status;
}

static struct figures measure(const struct input *input, const struct scheme *scheme,
                              unsigned slots)
{
    static struct subject subject;
    static struct simulated_oracle sim;
    const struct place place = {.oracle = &sim.head, .now = &sim.now};
    struct figures figures = {0};
    for (uint64_t seed = 1; seed <= N_SEEDS; seed++) {
        make_subject(&subject, input, seed);
        simulated_init(&sim, slots, run_subject, &subject, seed);
        if (reduce(&subject, scheme, &place, &figures))
            report_broken("bench_makespan", scheme->name);
    }
    return figures;
}

/* One input: with many slots it is our own planning that takes long. */
static struct figures measure_cluster(const struct input *input, const struct scheme *scheme,
                                      const struct cluster_model *model)
{
    static struct subject subject;
    struct figures figures = {0};
    make_subject(&subject, input, 1);
    struct simulated_cluster *cluster = simulated_cluster_new(model, run_subject, &subject, 1);
    if (!cluster) report_broken("bench_makespan", "no memory");
    const struct place place = {.oracle = simulated_cluster_oracle(cluster),
                                .now = simulated_cluster_clock(cluster)};
    if (reduce(&subject, scheme, &place, &figures)) report_broken("bench_makespan", scheme->name);
    simulated_cluster_free(cluster);
    return figures;
}

static const struct scheme POOL = {"pool", NULL, false};

static const struct input SCATTERED = {"scattered 64", 512, 64, false};
static const struct input DEPENDENT_8 = {"dependent 8", 512, 8, true};
static const struct input DEPENDENT_32 = {"dependent 32", 512, 32, true};

/* Every scheme on every input of the reference simulation. */
static void compare_schemes(void)
{
    static const struct scheme schemes[] = {{"pool", NULL, false},
                                            {"pool, one", NULL, true},
                                            {"adaptive", "adaptive", true},
                                            {"lithium", "lithium", true},
                                            {"quickxplain", "quickxplain", true},
                                            {"ddmin", "ddmin", true}};
    static const struct input *const inputs[] = {&SCATTERED, &DEPENDENT_8, &DEPENDENT_32};
    static const unsigned slots[] = {1, 4, 16, 64};
    printf("Simulated time (mean test durations) and tests run, 512 units\n");
    printf("  %-12s %-12s %12s %12s %12s %12s  left\n", "needed", "scheme", "1 slot", "4", "16",
           "64");
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
            struct figures figures = {0};
            printf("  %-12s %-12s", inputs[i]->name, schemes[k].name);
            for (size_t j = 0; j < sizeof slots / sizeof *slots; j++) {
                figures = measure(inputs[i], &schemes[k], slots[j]);
                printf(" %6.1f %5.0f", figures.makespan, figures.tests);
            }
            printf(" %5.0f\n", figures.left);
            (void)fflush(stdout);
        }
    }
}

/* Pools on more slots than anybody has. */
static void scale(void)
{
    static const struct input inputs[] = {{"scattered 64 of 512", 512, 64, false},
                                          {"dependent 32 of 512", 512, 32, true},
                                          {"scattered 256 of 2048", 2048, 256, false},
                                          {"dependent 64 of 2048", 2048, 64, true}};
    static const unsigned slots[] = {1, 16, 64, 256, 1024, 4096};
    printf("Pools: simulated time and tests run\n");
    printf("  %-23s", "needed");
    for (size_t j = 0; j < sizeof slots / sizeof *slots; j++)
        printf(" %13u", slots[j]);
    printf("\n");
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        printf("  %-23s", inputs[i].name);
        for (size_t j = 0; j < sizeof slots / sizeof *slots; j++) {
            struct figures figures = measure(&inputs[i], &POOL, slots[j]);
            printf(" %7.1f %5.0f", figures.makespan, figures.tests);
            (void)fflush(stdout);
        }
        printf("\n");
    }
}

static void aim_at(const struct input *input, unsigned slots, double most)
{
    char what[64], figure[32], aim[32];
    struct figures alone = measure(input, &POOL, 1), many = measure(input, &POOL, slots);
    (void)snprintf(what, sizeof what, "pool, %s, %u slots", input->name, slots);
    (void)snprintf(figure, sizeof figure, "%.1f", many.makespan);
    (void)snprintf(aim, sizeof aim, "<= %.0f", most);
    report_aim(what, figure, aim, many.makespan <= most);
    (void)snprintf(figure, sizeof figure, "%.1fx", many.tests / alone.tests);
    report_aim("  tests, of those of one slot", figure, "<= 2x", many.tests <= 2 * alone.tests);
}

static void aim_at_speed_up(const char *algorithm)
{
    const struct scheme scheme = {algorithm, algorithm, true};
    char what[64], figure[32];
    double up =
        measure(&SCATTERED, &scheme, 1).makespan / measure(&SCATTERED, &scheme, 64).makespan;
    (void)snprintf(what, sizeof what, "%s, scattered 64, 64 slots", algorithm);
    (void)snprintf(figure, sizeof figure, "%.1fx", up);
    report_aim(what, figure, ">= 6x", up >= 6);
}

/* ---- slots of other machines ------------------------------------------------------------------ */

/* What bench/run.sh remote measured on one machine, in milliseconds: there and back to a worker, and
 * the coordinator's processor time for each test, at home and with workers. */
static const double TEST_MS = 100, ROUND_TRIP_MS = 3, HOME_MS = 0.33, AWAY_MS = 0.3;

enum { A_WORKER = 64 /* slots; each worker has one job more on its way */ };

static struct cluster_model at_home(unsigned slots)
{
    return (struct cluster_model){.n_slots = slots, .cost = HOME_MS / TEST_MS};
}

static struct cluster_model elsewhere(unsigned slots, double latency_ms)
{
    return (struct cluster_model){.n_slots = slots,
                                  .n_ahead = (slots + A_WORKER - 1) / A_WORKER,
                                  .latency = latency_ms / TEST_MS,
                                  .cost = AWAY_MS / TEST_MS};
}

static const struct scheme DDMIN = {"ddmin", "ddmin", true};
static const struct scheme ADAPTIVE = {"adaptive", "adaptive", true};

/* Speed-up over one slot at home by slots, and what the engine's own planning takes for each test
 * then: real processor time, which the simulated clock does not know. */
static void scale_cluster(const struct scheme *scheme, size_t n)
{
    enum { MOST = 6 };
    static const unsigned slots[MOST] = {1, 4, 16, 64, 256, 1024};
    static const double latencies[] = {0, 1, 20};
    struct cluster_model model = at_home(1);
    const double alone = measure_cluster(&SCATTERED, scheme, &model).makespan;
    double own_ms[MOST];
    printf("Slots elsewhere, tests of %.0f ms, %s, %s, speculated: speed-up\n", TEST_MS,
           SCATTERED.name, scheme->name);
    printf("  %-11s", "");
    for (size_t j = 0; j < n; j++)
        printf(" %5u", slots[j]);
    printf("\n");
    for (size_t i = 0; i < sizeof latencies / sizeof *latencies; i++) {
        if (latencies[i] > 0)
            printf("  %2.0f ms      ", latencies[i]);
        else
            printf("  at home    ");
        for (size_t j = 0; j < n; j++) {
            model = latencies[i] > 0 ? elsewhere(slots[j], latencies[i]) : at_home(slots[j]);
            const double before_s = pare_clock_cpu_s();
            const struct figures figures = measure_cluster(&SCATTERED, scheme, &model);
            own_ms[j] = (pare_clock_cpu_s() - before_s) * 1000 / (figures.tests * N_SEEDS);
            printf(" %5.1f", alone / figures.makespan);
            (void)fflush(stdout);
        }
        printf("\n");
    }
    printf("  own ms/test");
    for (size_t j = 0; j < n; j++)
        printf(" %5.2f", own_ms[j]);
    printf("\n");
}

static void aim_at_cluster(const struct scheme *scheme, double latency_ms)
{
    char what[64], figure[32];
    const struct cluster_model home = at_home(64), away = elsewhere(64, latency_ms);
    const double ratio = measure_cluster(&SCATTERED, scheme, &home).makespan /
                         measure_cluster(&SCATTERED, scheme, &away).makespan;
    (void)snprintf(what, sizeof what, "%s, 64 slots at home, of %.1f ms away", scheme->name,
                   latency_ms);
    (void)snprintf(figure, sizeof figure, "%.2f", ratio);
    report_aim(what, figure, ">= 0.85", ratio >= 0.85);
}

/* `only`: of this algorithm; NULL: all.  Planning far ahead for ddmin's many tests takes us hours with
 * more slots than these. */
static void measure_clusters(const char *only)
{
    if (!only || !strcmp(only, ADAPTIVE.name)) scale_cluster(&ADAPTIVE, 6);
    if (!only || !strcmp(only, DDMIN.name)) scale_cluster(&DDMIN, 4);
    if (only) return;
    aim_at_cluster(&ADAPTIVE, ROUND_TRIP_MS / 2);
    aim_at_cluster(&DDMIN, ROUND_TRIP_MS / 2);
}

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "cluster"))
        return measure_clusters(argc > 2 ? argv[2] : NULL), 0;
    compare_schemes();
    scale();
    aim_at_speed_up("adaptive");
    aim_at_speed_up("lithium");
    aim_at(&SCATTERED, 16, 40);
    aim_at(&SCATTERED, 64, 20);
    aim_at(&DEPENDENT_32, 16, 85);
    aim_at(&DEPENDENT_32, 64, 48);
    aim_at(&DEPENDENT_8, 16, 50);
    aim_at(&DEPENDENT_8, 64, 35);
    measure_clusters(NULL);
    return 0;
}
