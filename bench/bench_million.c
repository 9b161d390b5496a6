/* 1,000,000 units (bytes) of which 20 are needed, in process, through the public API. */
#include <string.h>
#include <pare/pare.h>

#include "base/random.h"
#include "os/clock.h"
#include "report.h"

enum { N_BYTES = 1000000, N_NEEDED = 20, MARK = '#' };
static const double AIM_S = 2;

/* Fails while all marks are there. */
static pare_outcome count_marks(void *context, const void *bytes, size_t size)
{
    const char *at = bytes, *end = at + size;
    int n = 0;
    (void)context;
    while (at < end && (at = memchr(at, MARK, (size_t)(end - at)))) {
        at++;
        n++;
    }
    return n < N_NEEDED ? PARE_PASS : PARE_FAIL;
}

static void make_input(char *bytes)
{
    pare_random random;
    pare_random_init(&random, 20);
    for (size_t i = 0; i < N_BYTES; i++)
        bytes[i] = (char)('a' + pare_random_below(&random, 26));
    for (int left = N_NEEDED; left;) {
        size_t at = pare_random_below(&random, N_BYTES);
        left -= bytes[at] != MARK;
        bytes[at] = MARK;
    }
}

/* `algorithm` NULL: the default. */
static void measure(const char *algorithm, const char *input)
{
    char what[64], figure[32];
    const pare_reduce_options options = {.input.bytes = input,
                                         .input.size_bytes = N_BYTES,
                                         .test.predicate = count_marks,
                                         .algorithms = algorithm,
                                         .units = "byte"};
    pare_result result = {0};
    pare_error err = {0};
    double wall_s = (double)pare_clock_ns() / 1e9, cpu_s = pare_clock_cpu_s();
    if (pare_reduce(&options, &result, &err)) report_broken("bench_million", err.message);
    wall_s = (double)pare_clock_ns() / 1e9 - wall_s;
    cpu_s = pare_clock_cpu_s() - cpu_s;
    if (result.size_bytes != N_NEEDED) report_broken("bench_million", "the result is wrong");
    (void)snprintf(what, sizeof what, "%s: %llu tests, %.3f s CPU",
                   algorithm ? algorithm : "default", (unsigned long long)result.stats.tests_run,
                   cpu_s);
    (void)snprintf(figure, sizeof figure, "%.3f s", wall_s);
    report_aim(what, figure, "< 2 s", wall_s < AIM_S);
    pare_result_done(&result);
}

int main(void)
{
    static char input[N_BYTES];
    make_input(input);
    printf("%d bytes of which %d are needed, in-process predicate\n", N_BYTES, N_NEEDED);
    measure("adaptive", input);
    measure(NULL, input);
    return 0;
}
