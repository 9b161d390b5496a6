/* Throughput of the text layer: hashing, splitting, candidates.
 *
 * Usage: bench_text [MEGABYTES]   (default 100)
 * Works on a generated text with lines of about 60 bytes; prints one figure a line,
 * with its unit.  Each is the best of REPEATS runs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/random.h"
#include "text/candidate.h"
#include "text/split/bracket.h"
#include "text/split/split.h"

enum { REPEATS = 3, SEGMENTS = 5000, TESTS = 2000 };

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double peak_megabytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss * 1024 / 1e6;
}

/* Ends the program when a call that cannot fail here did. */
static void require(pare_status status)
{
    if (!status) return;
    fprintf(stderr, "bench_text: %s\n", pare_status_name(status));
    exit(1);
}

/* Fills `bytes` with lines that look like a program's. */
static void generate(char *bytes, size_t size)
{
    pare_random random;
    pare_random_init(&random, 1);
    for (size_t at = 0; at < size;) {
        char line[128];
        unsigned a = (unsigned)pare_random_below(&random, 100000);
        unsigned b = (unsigned)pare_random_below(&random, 1000);
        int length = snprintf(line, sizeof line,
                              "    value_%u = table[%u] + call(x%u, \"text %u\", 0x%x); // %u\n", a,
                              b, b, a, b, a);
        size_t part = (size_t)length < size - at ? (size_t)length : size - at;
        memcpy(bytes + at, line, part);
        at += part;
    }
}

static void print_rate(const char *what, size_t size, double seconds, size_t n_units)
{
    printf("%-28s %8.3f s", what, seconds);
    if (seconds > 1e-5) printf("  %6.2f GB/s", (double)size / seconds / 1e9);
    if (n_units) printf("  %9zu units", n_units);
    printf("\n");
}

static void bench_hash(const unsigned char *bytes, size_t size)
{
    double best = 1e9;
    uint64_t sum = 0;
    for (int k = 0; k < REPEATS; k++) {
        double start = now_s();
        sum += pare_digest_extend((pare_hash){{0, 0}}, bytes, size).lane[0];
        double seconds = now_s() - start;
        if (seconds < best) best = seconds;
    }
    print_rate(sum ? "hash" : "hash (of nothing)", size, best, 0);
}

static void bench_splitter(const pare_splitter *splitter, const unsigned char *bytes, size_t size)
{
    double best = 1e9;
    size_t n_units = 0;
    for (int k = 0; k < REPEATS; k++) {
        pare_bounds bounds = {0};
        double start = now_s();
        require(splitter->split(bytes, size, &bounds, NULL));
        double seconds = now_s() - start;
        if (seconds < best) best = seconds;
        n_units = bounds.n;
        pare_split_bounds_done(&bounds);
    }
    char what[64];
    (void)snprintf(what, sizeof what, "split %s", splitter->info.name);
    print_rate(what, size, best, n_units);
}

static void bench_brackets(const unsigned char *bytes, size_t size)
{
    double best = 1e9;
    size_t n_nodes = 0;
    for (int k = 0; k < REPEATS; k++) {
        pare_bracket_tree tree = {0};
        double start = now_s();
        require(pare_bracket_build(bytes, size, &tree, NULL));
        double seconds = now_s() - start;
        if (seconds < best) best = seconds;
        n_nodes = tree.n_nodes;
        pare_bracket_done(&tree);
    }
    print_rate("bracket tree", size, best, n_nodes);
}

/* The base with small holes, so that it has about SEGMENTS segments. */
static pare_text *perforate(pare_text *base)
{
    pare_candidate candidate = {0};
    pare_candidate_start(&candidate, base);
    size_t stretch = pare_text_size(base) / SEGMENTS;
    for (size_t k = 0; k < SEGMENTS; k++)
        require(pare_candidate_slice(&candidate, k * stretch, stretch - 7, NULL));
    pare_text *text = NULL;
    require(pare_candidate_text(&candidate, &text, NULL));
    pare_candidate_done(&candidate);
    return text;
}

/* Makes the candidate that leaves out one random range. */
static void leave_out(pare_candidate *candidate, pare_text *text, pare_random *random)
{
    size_t size = pare_text_size(text);
    size_t from = pare_random_below(random, size);
    size_t to = from + pare_random_below(random, size - from);
    pare_candidate_start(candidate, text);
    require(pare_candidate_slice(candidate, 0, from, NULL));
    require(pare_candidate_slice(candidate, to, size - to, NULL));
}

static void bench_removals(pare_text *text)
{
    pare_random random;
    pare_random_init(&random, 3);
    pare_candidate candidate = {0};
    uint64_t sum = 0;
    double digest_s = 0, text_s = 0;
    for (int k = 0; k < TESTS; k++) {
        double start = now_s();
        leave_out(&candidate, text, &random);
        sum += pare_candidate_digest(&candidate).low;
        double middle = now_s();
        pare_text *next = NULL;
        require(pare_candidate_text(&candidate, &next, NULL));
        text_s += now_s() - middle;
        digest_s += middle - start;
        sum += pare_text_size(next);
        pare_text_unref(next);
    }
    pare_candidate_done(&candidate);
    printf("%-28s %8.2f us   (text of %zu segments; check %x)\n", "digest of a removal",
           digest_s / TESTS * 1e6, pare_text_segments(text), (unsigned)sum & 0xffff);
    printf("%-28s %8.2f us\n", "text of a removal", text_s / TESTS * 1e6);
}

int main(int argc, char **argv)
{
    size_t size = (argc > 1 ? strtoul(argv[1], NULL, 10) : 100) * 1000000;
    if (!size || size > PARE_TEXT_MAX_BYTES) {
        fprintf(stderr, "usage: bench_text [MEGABYTES], 1 to 4294\n");
        return 2;
    }
    pare_buffer buffer = {0};
    require(pare_buffer_reserve(&buffer, size, NULL));
    generate(buffer.data, size);
    buffer.size = size;
    const unsigned char *bytes = (const unsigned char *)buffer.data;
    bench_hash(bytes, size);
    size_t n;
    const pare_splitter *const *table = pare_splitters(&n);
    for (size_t k = 0; k < n; k++) {
        bench_splitter(table[k], bytes, size);
        printf("%-28s %8.0f MB\n", "  peak memory so far", peak_megabytes());
    }
    bench_brackets(bytes, size);
    pare_text *base = NULL;
    double start = now_s();
    require(pare_text_take(&buffer, &base, NULL));
    print_rate("text of a buffer", size, now_s() - start, 0);
    pare_text *text = perforate(base);
    bench_removals(text);
    pare_text_unref(text);
    pare_text_unref(base);
    printf("%-28s %8.0f MB   (input %zu MB)\n", "peak memory", peak_megabytes(), size / 1000000);
    return 0;
}
