/* Figures over the runs: geometric means, where curves stood, and which targets were met.
 *
 * Means are over the cases in which every contender has a result: a contender that gives up
 * on the hard ones would look better otherwise.  They are taken over logarithms, sums in the
 * order of the cases, so that the same runs give the same figures. */
#include <math.h>
#include <string.h>

#include <pare/algorithm.h>
#include <pare/outcome.h>
#include <pare/result.h>

#include "shootout/shootout.h"

enum {
    NEVER = 10,      /* times the tests of the last that came there, for who never did (PAR10) */
    PEERS_TESTS = 3, /* a peer's size is to be reached in a third of its tests */
    KNOWN_TIMES = 2  /* the result is to be within twice the smallest input known */
};

/* NULL when the matrix was stopped before. */
const pare_run *pare_shootout_find_repeat(const pare_shootout *shootout, const pare_cell *cell,
                                          unsigned repeat)
{
    for (size_t k = 0; k < shootout->n_jobs && cell->contender < shootout->n_contenders; k++) {
        const size_t row = cell->case_index * shootout->n_contenders + cell->contender;
        const size_t at = (row * shootout->n_jobs + k) * shootout->n_repeats + repeat;
        if (shootout->jobs[k] == cell->jobs)
            return at < shootout->n_runs && repeat < shootout->n_repeats ? &shootout->runs[at]
                                                                         : NULL;
    }
    return NULL;
}

/* Failures first, then by size, then by tests; equal ones in their order. */
static bool is_before(const pare_run *a, const pare_run *b)
{
    if (!a->status != !b->status) return a->status != PARE_OK;
    if (a->size_bytes != b->size_bytes) return a->size_bytes < b->size_bytes;
    if (a->stats.tests_run != b->stats.tests_run) return a->stats.tests_run < b->stats.tests_run;
    return a->repeat < b->repeat;
}

/* The median of the repeats: that with as many before it as behind it, or one more.  Repeats are few. */
const pare_run *pare_shootout_find(const pare_shootout *shootout, size_t case_index,
                                   size_t contender, unsigned jobs)
{
    const pare_cell cell = {case_index, contender, jobs};
    for (unsigned i = 0; i < shootout->n_repeats; i++) {
        const pare_run *run = pare_shootout_find_repeat(shootout, &cell, i);
        unsigned n = 0, before = 0;
        if (!run) return NULL;
        if (run->status) return run;
        for (unsigned k = 0; k < shootout->n_repeats; k++) {
            const pare_run *other = pare_shootout_find_repeat(shootout, &cell, k);
            if (!other) continue;
            n++;
            before += is_before(other, run);
        }
        if (before == (n - 1) / 2) return run;
    }
    return NULL;
}

/* NULL also where there is no result. */
static const pare_run *result_of(const pare_shootout *shootout, size_t index, size_t contender,
                                 unsigned jobs)
{
    const pare_run *run = pare_shootout_find(shootout, index, contender, jobs);
    return run && run->status == PARE_OK ? run : NULL;
}

/* NULL is the group of all cases. */
static bool in_group(const pare_case *subject, const char *group)
{
    if (!group) return true;
    for (size_t i = 0; i < PARE_CASE_GROUPS && subject->groups[i]; i++)
        if (strcmp(subject->groups[i], group) == 0) return true;
    return false;
}

/* Nothing is 1, because figures are compared by their logarithms. */
static double at_least_one(double value)
{
    return value < 1 ? 1 : value;
}

/* How much is left of the input. */
static double share_of(size_t bytes, size_t whole)
{
    return at_least_one((double)bytes) / at_least_one((double)whole);
}

/* When the size was at most `bytes` for the first time; 0: never. */
static uint64_t reached(const pare_run *run, size_t bytes)
{
    for (size_t i = 0; i < run->stats.n_curve; i++)
        if (run->stats.curve[i].bytes <= bytes) return run->stats.curve[i].tests;
    return 0;
}

/* The same, counting from 1: an input that is small enough has come there before any test. */
static uint64_t tests_to(const pare_run *run, size_t bytes)
{
    return run->stats.bytes_in <= bytes ? 1 : reached(run, bytes);
}

/* What the runs of a case are compared by. */
struct rivals {
    size_t smallest, twice; /* bytes of the smallest result, and twice that, at least 2 */
    uint64_t last;          /* most tests that a contender took to come to twice */
};

/* False when a contender has no result. */
static bool compare(const pare_shootout *shootout, size_t index, unsigned jobs,
                    struct rivals *rivals)
{
    *rivals = (struct rivals){.smallest = SIZE_MAX};
    for (size_t k = 0; k < shootout->n_contenders; k++) {
        const pare_run *run = result_of(shootout, index, k, jobs);
        if (!run) return false;
        if (run->size_bytes < rivals->smallest) rivals->smallest = run->size_bytes;
    }
    rivals->twice = 2 * (rivals->smallest ? rivals->smallest : 1);
    for (size_t k = 0; k < shootout->n_contenders; k++) {
        uint64_t tests = tests_to(result_of(shootout, index, k, jobs), rivals->twice);
        if (tests > rivals->last) rivals->last = tests;
    }
    return true;
}

/* Adds the logarithms of a run's figures. */
static void add(pare_score *sums, const pare_run *run, const struct rivals *rivals)
{
    uint64_t to_twice = tests_to(run, rivals->twice);
    sums->n_cases++;
    sums->bytes += log(at_least_one((double)run->size_bytes));
    sums->share += log(share_of(run->size_bytes, run->stats.bytes_in));
    sums->tests += log(at_least_one((double)run->stats.tests_run));
    sums->wall_s += log(run->stats.wall_s > 1e-6 ? run->stats.wall_s : 1e-6);
    sums->to_twice += log(at_least_one((double)(to_twice ? to_twice : NEVER * rivals->last)));
    sums->n_smallest += run->size_bytes == rivals->smallest;
    sums->n_twice += run->size_bytes <= rivals->twice;
    sums->n_finished += run->stats.stopped == PARE_STOPPED_MINIMAL;
}

/* The geometric mean from the sum of the logarithms; 0 of nothing. */
static double mean(double sum, size_t n)
{
    return n ? exp(sum / (double)n) : 0;
}

/* The members are sums of logarithms until all cases were seen. Failures are counted over all
 * cases, means over those that all have a result for. */
pare_score pare_shootout_score(const pare_shootout *shootout, const char *group, size_t contender,
                               unsigned jobs)
{
    pare_score score = {0};
    for (size_t i = 0; i < shootout->suite->n_cases; i++) {
        const pare_run *run = pare_shootout_find(shootout, i, contender, jobs);
        struct rivals rivals;
        if (!run || !in_group(&shootout->suite->cases[i], group)) continue;
        score.n_failed += run->status != PARE_OK;
        score.n_refuted += run->status == PARE_OK && run->checked != PARE_FAIL;
        if (compare(shootout, i, jobs, &rivals)) add(&score, run, &rivals);
    }
    score.bytes = mean(score.bytes, score.n_cases);
    score.share = mean(score.share, score.n_cases);
    score.tests = mean(score.tests, score.n_cases);
    score.wall_s = mean(score.wall_s, score.n_cases);
    score.to_twice = mean(score.to_twice, score.n_cases);
    return score;
}

/* Against the first number of jobs, over the cases that have a result with both. */
double pare_shootout_speed_up(const pare_shootout *shootout, size_t contender, unsigned jobs)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < shootout->suite->n_cases && shootout->n_jobs; i++) {
        const pare_run *one = result_of(shootout, i, contender, shootout->jobs[0]);
        const pare_run *run = result_of(shootout, i, contender, jobs);
        if (!one || !run || !(one->stats.wall_s > 0) || !(run->stats.wall_s > 0)) continue;
        sum += log(one->stats.wall_s / run->stats.wall_s);
        n++;
    }
    return mean(sum, n);
}

/* As the curve has it: the size of the last gain up to then. */
size_t pare_run_size_after(const pare_run *run, uint64_t tests)
{
    size_t bytes = run->stats.bytes_in;
    for (size_t i = 0; i < run->stats.n_curve && run->stats.curve[i].tests <= tests; i++)
        bytes = run->stats.curve[i].bytes;
    return bytes;
}

/* Over the same cases as the scores, so that curves end where the table says. */
double pare_shootout_share_after(const pare_shootout *shootout, const char *group, size_t contender,
                                 unsigned jobs, uint64_t tests)
{
    double sum = 0;
    size_t n = 0;
    struct rivals rivals;
    for (size_t i = 0; i < shootout->suite->n_cases; i++) {
        if (!in_group(&shootout->suite->cases[i], group) || !compare(shootout, i, jobs, &rivals))
            continue;
        const pare_run *run = pare_shootout_find(shootout, i, contender, jobs);
        sum += log(share_of(pare_run_size_after(run, tests), run->stats.bytes_in));
        n++;
    }
    return mean(sum, n);
}

/* Part number `at` of all runs of a contender, one after the other; NULL after the last. */
static const pare_pass_stats *part_at(const pare_shootout *shootout, size_t contender,
                                      unsigned jobs, size_t at)
{
    for (size_t i = 0; i < shootout->suite->n_cases; i++) {
        const pare_run *run = result_of(shootout, i, contender, jobs);
        if (!run) continue;
        if (at < run->stats.n_passes) return &run->stats.passes[at];
        at -= run->stats.n_passes;
    }
    return NULL;
}

/* Passes of one name are one row, which is made when its first part is met: number `index` is
 * that of the first parts, in the order of the runs. Quadratic in the parts of all runs, of
 * which there are some thousands at most. */
bool pare_shootout_earned(const pare_shootout *shootout, size_t contender, unsigned jobs,
                          size_t index, pare_pass_stats *earned)
{
    const pare_pass_stats *part, *before;
    for (size_t at = 0; (part = part_at(shootout, contender, jobs, at)) != NULL; at++) {
        size_t k = 0;
        while (k < at && (before = part_at(shootout, contender, jobs, k)) != NULL &&
               strcmp(before->name, part->name) != 0)
            k++;
        if (k < at || index-- > 0) continue;
        *earned = *part;
        for (k = at + 1; (before = part_at(shootout, contender, jobs, k)) != NULL; k++) {
            if (strcmp(before->name, part->name) != 0) continue;
            earned->tests += before->tests;
            earned->successes += before->successes;
            earned->bytes_removed += before->bytes_removed;
            earned->oracle_s += before->oracle_s;
        }
        return true;
    }
    return false;
}

/* Tests in a process take next to no time of their own, so only cases with a command count.
 * Below 0: there is none. */
double pare_shootout_test_share(const pare_shootout *shootout, size_t contender, unsigned jobs)
{
    double wall_s = 0, oracle_s = 0;
    for (size_t i = 0; i < shootout->suite->n_cases; i++) {
        const pare_run *run = result_of(shootout, i, contender, jobs);
        if (!run || shootout->suite->cases[i].predicate) continue;
        wall_s += run->stats.wall_s;
        oracle_s += run->stats.oracle_s;
    }
    return wall_s > 0 ? oracle_s / wall_s : -1;
}

/* ---- targets: what a run should reach by what is recorded of its case -------------- */

/* The size at the end is at most `bytes`. */
static void judge_end(pare_target *target, const pare_run *run, pare_target_kind kind, size_t bytes)
{
    *target = (pare_target){.kind = kind,
                            .mark = {.bytes = bytes},
                            .bytes = run->size_bytes,
                            .met = run->size_bytes <= bytes};
}

/* The size was at most that of the mark within its tests. */
static void judge_tests(pare_target *target, const pare_run *run, pare_mark_to_beat mark)
{
    uint64_t tests = reached(run, mark.bytes);
    *target = (pare_target){.kind = PARE_TARGET_TESTS,
                            .mark = mark,
                            .tests = tests,
                            .bytes = pare_run_size_after(run, mark.tests),
                            .met = tests && tests <= mark.tests};
}

/* After the tests of the mark the size was at most its bytes: no peer was better at that point. */
static void judge_frontier(pare_target *target, const pare_run *run, pare_mark_to_beat mark)
{
    size_t bytes = pare_run_size_after(run, mark.tests);
    *target = (pare_target){
        .kind = PARE_TARGET_FRONTIER, .mark = mark, .bytes = bytes, .met = bytes <= mark.bytes};
}

/* Tokens that cannot be counted (memory) are not few enough. */
static void judge_tokens(pare_target *target, const pare_run *run, size_t most)
{
    size_t tokens = SIZE_MAX;
    if (pare_count_tokens(run->result, run->size_bytes, &tokens, NULL)) tokens = SIZE_MAX;
    *target = (pare_target){.kind = PARE_TARGET_TOKENS,
                            .mark = {.bytes = most},
                            .bytes = tokens,
                            .met = tokens <= most};
}

/* Targets are numbered in this order, those that the case does not have left out. */
bool pare_shootout_target(const pare_case *subject, const pare_run *run, size_t index,
                          pare_target *target)
{
    if (index < subject->n_targets) {
        judge_tests(target, run, subject->targets[index]);
        return true;
    }
    index -= subject->n_targets;
    if (subject->target_tokens && index-- == 0) {
        judge_tokens(target, run, subject->target_tokens);
        return true;
    }
    if (subject->peer && index < 2) {
        pare_mark_to_beat third = {.tests = subject->peer_best.tests / PEERS_TESTS,
                                   .bytes = subject->peer_best.bytes};
        if (index)
            judge_tests(target, run, third);
        else
            judge_end(target, run, PARE_TARGET_SIZE, third.bytes);
        return true;
    }
    if (subject->peer) index -= 2;
    if (index < subject->n_frontier) {
        judge_frontier(target, run, subject->frontier[index]);
        return true;
    }
    if (index > subject->n_frontier || !subject->known_bytes) return false;
    judge_end(target, run, PARE_TARGET_KNOWN, KNOWN_TIMES * subject->known_bytes);
    return true;
}
