/* How near the default comes to the smallest text, over formats for which no language is known.
 *
 *     bench_formats                all: 20 formats, 5 inputs of each (2 to 32 KB), 2 failures of each
 *     bench_formats --sample       one input of each; exit code 1 where that is worse than its bounds
 *     bench_formats --format NAME  a line for each case of one format
 *     bench_formats --phases NAME SEED FAILURE
 *                                  a line for each run of a phase of one case
 *     bench_formats --runs         all runs of phases of all cases, with all passes, for bench/priors.py
 *     bench_formats --write NAME SEED FAILURE FOLDER
 *                                  its input and the smallest text, as files
 *
 * Each input is made anew from its format, seed and failure; the smallest text that fails is known,
 * for the format writes it down (formats/subject.h), and no result may be smaller.  Tests run in
 * process, at most MAX_TESTS of them. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <pare/reduce.h>

#include "formats/subject.h"
#include "report.h"
#include "text/text.h"

enum { INPUTS = 5, MAX_TESTS = 4000, MAX_RUNS_TESTS = 1000, SAMPLE_SEED = 1 };

/* Formats, and what the sample of them may come to: geometric mean of the sizes, tests of a case. */
static const struct family {
    const struct format *formats;
    double most_mean, most_tests;
} FAMILIES[] = {{formats_of_blocks, 1.02, 400}, {formats_of_lines, 1.02, 300},
                {formats_of_values, 1.02, 350}, {formats_of_chunks, 1.05, 550},
                {formats_of_media, 1.30, 900},  {formats_of_counts, 1.03, 450}};

enum { N_FAMILIES = sizeof FAMILIES / sizeof *FAMILIES };

/* Over cases; sizes are relative to the smallest known. */
struct sums {
    double log, worst, tests, to_twice;
    unsigned n;
};

/* What is printed of cases: nothing, one line, phases, or runs of phases. */
enum telling { SUMS, CASES, PHASES, RUNS };

/* How a run goes. */
struct watched {
    size_t twice; /* the smallest size known */
    uint64_t tests, to_twice;
    size_t size;
    enum telling told;
    const char *kind; /* RUNS: of the text */
    char phase[64];   /* RUNS: that runs, from so many bytes and tests on */
    size_t from_size;
    uint64_t from_tests;
};

static pare_outcome run_subject(void *context, const void *bytes, size_t size)
{
    const struct subject *subject = context;
    return subject->format->fails(subject, bytes, size) ? PARE_FAIL : PARE_PASS;
}

/* A line as bench_priors has them. */
static void end_phase(struct watched *watched)
{
    if (watched->told == RUNS && watched->tests > watched->from_tests)
        printf("%s %s %zu %" PRIu64 " %zu\n", watched->kind, watched->phase, watched->from_size,
               watched->tests - watched->from_tests, watched->size);
    watched->from_size = watched->size;
    watched->from_tests = watched->tests;
}

static void watch(void *context, const pare_event *event)
{
    struct watched *watched = context;
    if (event->kind == PARE_EVENT_PHASE && watched->told == PHASES)
        printf("%6zu bytes after %4" PRIu64 ", then %s\n", watched->size, watched->tests,
               event->phase);
    if (event->kind == PARE_EVENT_PHASE && watched->told == RUNS) {
        end_phase(watched);
        (void)snprintf(watched->phase, sizeof watched->phase, "%s", event->phase);
    }
    if (event->kind != PARE_EVENT_TEST) return;
    watched->tests += event->n > 0 && !event->from_cache;
    if (!event->accepted) return;
    watched->size = event->size_bytes;
    if (event->size_bytes > watched->twice)
        watched->to_twice = 0;
    else if (!watched->to_twice)
        watched->to_twice = watched->tests;
}

static void check_subject(const struct subject *subject)
{
    const pare_buffer *texts[] = {&subject->input, &subject->smallest};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (subject->format->fails(subject, texts[i]->data, texts[i]->size)) continue;
        (void)fprintf(stderr, "%s %u %u: ", subject->format->name, subject->seed, subject->failure);
        report_broken("bench_formats", i ? "the smallest text passes" : "the input passes");
    }
}

/* ---- what is printed -------------------------------------------------------------------------- */

static void print_head(void)
{
    printf("  %-16s %9s %9s %7s %9s\n", "format", "of known", "the worst", "tests", "to twice");
}

static void print_sums(const char *name, const struct sums *sums)
{
    printf("  %-16s %9.2f %9.2f %7.0f %9.0f\n", name, exp(sums->log / sums->n), sums->worst,
           sums->tests / sums->n, sums->to_twice / sums->n);
    (void)fflush(stdout);
}

static void print_case(const struct subject *subject, const pare_result *result,
                       const struct watched *watched)
{
    printf("%s, seed %u, failure %u: %zu bytes, then %zu of %zu after %" PRIu64
           " tests, twice the known after %" PRIu64 "\n",
           subject->format->name, subject->seed, subject->failure, subject->input.size,
           result->size_bytes, subject->smallest.size, watched->tests, watched->to_twice);
    if (result->size_bytes > subject->smallest.size)
        printf("%.*s\n", (int)result->size_bytes, (const char *)result->bytes);
}

/* ---- cases ------------------------------------------------------------------------------------- */

/* One case; its figures are added to `sums`. */
static void run_case(struct subject *subject, enum telling told, struct sums *sums)
{
    pare_result result = {0};
    pare_error err = {0};
    check_subject(subject);
    const bool binary =
        pare_bytes_are_no_text((const unsigned char *)subject->input.data, subject->input.size);
    struct watched watched = {.twice = subject->smallest.size * 2,
                              .size = subject->input.size,
                              .from_size = subject->input.size,
                              .kind = binary ? "binary" : "plain",
                              .told = told};
    if (told == RUNS) printf("case %s\n", subject->format->name);
    const pare_reduce_options options = {
        .input = {.bytes = subject->input.data, .size_bytes = subject->input.size, .name = "input"},
        .test = {.predicate = run_subject, .context = subject},
        .limits = {.jobs = 1, .max_tests = told == RUNS ? MAX_RUNS_TESTS : MAX_TESTS},
        .effort = told == RUNS ? PARE_EFFORT_MAX : PARE_EFFORT_NORMAL,
        .events = {.watcher = watch, .context = &watched}};
    if (pare_reduce(&options, &result, &err)) report_broken("bench_formats", err.message);
    const double size = (double)result.size_bytes / (double)subject->smallest.size;
    end_phase(&watched);
    if (told == CASES || told == PHASES) print_case(subject, &result, &watched);
    if (size < 1) report_broken("bench_formats", "a result is smaller than the smallest text");
    if (!watched.to_twice) watched.to_twice = watched.tests;
    sums->log += log(size);
    sums->worst = fmax(sums->worst, size);
    sums->tests += (double)watched.tests;
    sums->to_twice += (double)watched.to_twice;
    sums->n++;
    pare_result_done(&result);
}

/* The cases of a format: of all inputs, or of that of one seed. */
static struct sums run_format(const struct format *format, unsigned from, unsigned to,
                              enum telling told)
{
    struct sums sums = {0};
    for (unsigned seed = from; seed < to; seed++) {
        for (unsigned failure = 0; failure < SUBJECT_FAILURES; failure++) {
            struct subject subject;
            subject_make(&subject, format, seed, failure);
            run_case(&subject, told, &sums);
            subject_done(&subject);
        }
    }
    return sums;
}

static void add_sums(struct sums *all, const struct sums *sums)
{
    all->log += sums->log;
    all->worst = fmax(all->worst, sums->worst);
    all->tests += sums->tests;
    all->to_twice += sums->to_twice;
    all->n += sums->n;
}

/* All formats; whether each family is within its bounds, which are those of the sample. */
static bool run_all(unsigned from, unsigned to)
{
    struct sums all = {0};
    bool within = true;
    print_head();
    for (const struct family *family = FAMILIES; family < FAMILIES + N_FAMILIES; family++) {
        struct sums of_family = {0};
        for (const struct format *format = family->formats; format->name; format++) {
            const struct sums sums = run_format(format, from, to, SUMS);
            print_sums(format->name, &sums);
            add_sums(&of_family, &sums);
        }
        within &= exp(of_family.log / of_family.n) <= family->most_mean &&
                  of_family.tests / of_family.n <= family->most_tests;
        add_sums(&all, &of_family);
    }
    print_sums("all", &all);
    return within;
}

static const struct format *find_format(const char *name)
{
    for (const struct family *family = FAMILIES; family < FAMILIES + N_FAMILIES; family++)
        for (const struct format *format = family->formats; format->name; format++)
            if (strcmp(format->name, name) == 0) return format;
    report_broken("bench_formats", "there is no such format");
}

static void write_file(const char *folder, const char *name, const pare_buffer *bytes)
{
    char path[4096];
    const int n = snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = n > 0 && (size_t)n < sizeof path ? fopen(path, "wb") : NULL;
    if (!file || fwrite(bytes->data, 1, bytes->size, file) != bytes->size || fclose(file))
        report_broken("bench_formats", "a file cannot be written");
}

/* NAME SEED FAILURE */
static void make_named(char **arguments, struct subject *subject)
{
    const unsigned seed = (unsigned)strtoul(arguments[1], NULL, 10);
    const unsigned failure = (unsigned)strtoul(arguments[2], NULL, 10);
    if (seed >= INPUTS || failure >= SUBJECT_FAILURES)
        report_broken("bench_formats", "there is no such case");
    subject_make(subject, find_format(arguments[0]), seed, failure);
}

/* --phases NAME SEED FAILURE */
static void run_phases(char **arguments)
{
    struct subject subject;
    struct sums sums = {0};
    make_named(arguments, &subject);
    run_case(&subject, PHASES, &sums);
    subject_done(&subject);
}

/* --write NAME SEED FAILURE FOLDER */
static void write_case(char **arguments)
{
    struct subject subject;
    make_named(arguments, &subject);
    write_file(arguments[3], "input", &subject.input);
    write_file(arguments[3], "smallest", &subject.smallest);
    subject_done(&subject);
}

/* --runs */
static void run_runs(void)
{
    for (const struct family *family = FAMILIES; family < FAMILIES + N_FAMILIES; family++)
        for (const struct format *format = family->formats; format->name; format++)
            (void)run_format(format, 0, INPUTS, RUNS);
}

int main(int argc, char **argv)
{
    if (argc == 1) {
        (void)run_all(0, INPUTS);
    } else if (argc == 2 && strcmp(argv[1], "--sample") == 0) {
        return run_all(SAMPLE_SEED, SAMPLE_SEED + 1) ? 0 : 1;
    } else if (argc == 2 && strcmp(argv[1], "--runs") == 0) {
        run_runs();
    } else if (argc == 3 && strcmp(argv[1], "--format") == 0) {
        (void)run_format(find_format(argv[2]), 0, INPUTS, CASES);
    } else if (argc == 5 && strcmp(argv[1], "--phases") == 0) {
        run_phases(argv + 2);
    } else if (argc == 6 && strcmp(argv[1], "--write") == 0) {
        write_case(argv + 2);
    } else {
        report_broken(
            "bench_formats",
            "nothing, --sample, --runs, --format NAME, "
            "--phases NAME SEED FAILURE, or --write NAME SEED FAILURE FOLDER is expected");
    }
    return 0;
}
