/* What it costs to tell a failure from what a program printed: 64 KiB of output, without
 * any sign of a failure, and with one at its very end; aim: below 50 us.  Each figure is
 * the median of RUNS. */
#include <signal.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "report.h"
#include "run/judge.h"

enum { OUTPUT_BYTES = 64 * 1024, RUNS = 2001 };
static const double AIM_US = 50;

static double now_us(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

static void require(pare_status status, const pare_error *err)
{
    if (status) report_broken("bench_signature", err->message);
}

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Fills `text` with lines of warnings such as compilers print. */
static void fill(char *text, size_t size, const char *last)
{
    static const char *const words[] = {
        "error: ", "in function ", "warning: ", "expected ", "declared here",
        "note: ",  "value",        "printed",   "inter"};
    pare_random random;
    size_t at = 0, end = size - strlen(last);
    pare_random_init(&random, 1);
    while (at < end) {
        const char *word = words[pare_random_below(&random, sizeof words / sizeof *words)];
        for (; *word && at < end; word++)
            text[at++] = *word;
        if (at < end && pare_random_below(&random, 5) == 0) text[at++] = '\n';
    }
    memcpy(text + end, last, strlen(last));
}

static void measure(const char *what, const pare_keep *keep, const char *last)
{
    static char text[OUTPUT_BYTES];
    static double took[RUNS];
    pare_judge *judge = NULL;
    pare_error err = {0};
    char figure[32];
    fill(text, sizeof text, last);
    require(pare_judge_new(keep, &judge, &err), &err);
    const pare_observation seen = {
        .ended = PARE_ENDED_SIGNAL, .code = SIGABRT, .err = {text, sizeof text}};
    for (unsigned k = 0; k < RUNS; k++) {
        pare_trial trial = {0};
        pare_judgement judgement;
        double start = now_us();
        require(pare_judge_decide(judge, &trial, &seen, &judgement, &err), &err);
        took[k] = now_us() - start;
    }
    pare_judge_free(judge);
    qsort(took, RUNS, sizeof *took, compare);
    (void)snprintf(figure, sizeof figure, "%.1f us", took[RUNS / 2]);
    report_aim(what, figure, "< 50 us", took[RUNS / 2] < AIM_US);
}

int main(void)
{
    const pare_keep_pattern pattern = {PARE_STREAM_OUTPUT, "Assertion `n > \\d+' failed"};
    const pare_keep learnt = {.signature = "signal SIGABRT; message \"x: x.c:#: f: Assertion `n > "
                                           "#' failed.\""};
    const pare_keep regex = {.patterns = &pattern, .n_patterns = 1};
    static const char message[] = "\nx: x.c:5: f: Assertion `n > 3' failed.\n";
    measure("signature, 64 KiB, nothing of interest", &learnt, "");
    measure("signature, 64 KiB, found at the end", &learnt, message);
    measure("pattern, 64 KiB, found at the end", &regex, message);
    return 0;
}
