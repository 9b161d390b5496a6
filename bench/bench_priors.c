/* What each phase of the default earns over texts of many kinds: the runs of its phases, for the
 * table of src/session/plan/prior_table.inc (bench/priors.py).
 *
 *     find FOLDER... -type f | bench_priors [SEEDS [normal]]
 *
 * Each file of 200 to 6,000 bytes is a case, SEEDS times (default 1): two or three pieces of a few
 * words are drawn from it, and a candidate fails if it has them in their order; of cases with an
 * odd seed only if its brackets are balanced too, as the input's are.  So what is left of
 * structure counts as it does for a parser, at the cost of no process.  Whether the file's name
 * tells a language that has been added decides which phases there are.  All passes take part
 * (PARE_EFFORT_MAX; or as many as a run takes that nobody asked for more), for at most MAX_TESTS
 * tests; the same files make the same cases.
 *
 * A line for each run of a phase: kind of the text, phase, bytes before, tests, bytes after. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pare/reduce.h>

#include "base/random.h"
#include "report.h"
#include "text/text.h"

enum { MAX_TESTS = 1000, LEAST_BYTES = 200, MOST_BYTES = 6000, MOST_PIECES = 3, MOST_WORDS = 4096 };

struct piece {
    const char *text; /* in the input */
    size_t size;
};

struct subject {
    char bytes[MOST_BYTES + 1];
    size_t size;
    struct piece pieces[MOST_PIECES];
    size_t n_pieces;
    bool balanced;
};

/* Whether (), [] and {} are balanced, each by itself. */
static bool is_balanced(const char *bytes, size_t size)
{
    static const char open[] = "([{", close[] = ")]}";
    long depth[3] = {0};
    for (size_t i = 0; i < size; i++) {
        for (size_t k = 0; k < 3; k++) {
            depth[k] += (bytes[i] == open[k]) - (bytes[i] == close[k]);
            if (depth[k] < 0) return false;
        }
    }
    return !depth[0] && !depth[1] && !depth[2];
}

static pare_outcome run_subject(void *context, const void *bytes, size_t size)
{
    const struct subject *subject = context;
    const char *at = bytes, *end = at + size;
    for (size_t i = 0; i < subject->n_pieces; i++) {
        const struct piece *piece = &subject->pieces[i];
        at = at < end ? memmem(at, (size_t)(end - at), piece->text, piece->size) : NULL;
        if (!at) return PARE_PASS;
        at += piece->size;
    }
    return !subject->balanced || is_balanced(bytes, size) ? PARE_FAIL : PARE_PASS;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* Draws pieces of one to three words, in their order; false where there are too few words. */
static bool draw_pieces(struct subject *subject, pare_random *random)
{
    static uint32_t starts[MOST_WORDS];
    size_t n = 0, word = 0;
    for (size_t i = 0; i < subject->size && n < MOST_WORDS; i++)
        if (!is_space(subject->bytes[i]) && (!i || is_space(subject->bytes[i - 1])))
            starts[n++] = (uint32_t)i;
    if (n < 12) return false;
    subject->n_pieces = 2 + pare_random_below(random, 2);
    for (size_t i = 0; i < subject->n_pieces; i++) {
        const size_t part = n / subject->n_pieces;
        word = part * i + pare_random_below(random, part - 3);
        const size_t last = word + pare_random_below(random, 3);
        size_t end = starts[last];
        while (end < subject->size && !is_space(subject->bytes[end]))
            end++;
        subject->pieces[i] = (struct piece){subject->bytes + starts[word], end - starts[word]};
    }
    return true;
}

static bool read_subject(const char *path, struct subject *subject)
{
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    subject->size = fread(subject->bytes, 1, sizeof subject->bytes, file);
    fclose(file);
    return subject->size >= LEAST_BYTES && subject->size <= MOST_BYTES;
}

/* The runs of phases of one case. */
struct watched {
    FILE *out; /* a block of memory, since the kind is known at the end */
    char phase[64];
    size_t before, best;
    uint64_t tests;
};

static void end_run(struct watched *watched)
{
    if (watched->tests)
        fprintf(watched->out, "%s %zu %" PRIu64 " %zu\n", watched->phase, watched->before,
                watched->tests, watched->best);
    watched->before = watched->best;
    watched->tests = 0;
}

static void watch(void *context, const pare_event *event)
{
    struct watched *watched = context;
    if (event->kind == PARE_EVENT_PHASE) {
        end_run(watched);
        (void)snprintf(watched->phase, sizeof watched->phase, "%s", event->phase);
    } else if (event->kind == PARE_EVENT_TEST) {
        watched->tests += event->n > 0 && !event->from_cache;
        if (event->accepted) watched->best = event->size_bytes;
    }
}

/* Each line of `runs`, after the kind of the text. */
static void print_runs(const char *kind, char *runs)
{
    for (char *line = strtok(runs, "\n"); line; line = strtok(NULL, "\n"))
        printf("%s %s\n", kind, line);
}

static void run_case(struct subject *subject, const char *path, pare_effort effort)
{
    char *runs = NULL;
    size_t n_bytes = 0;
    const char *slash = strrchr(path, '/');
    struct watched watched = {.before = subject->size, .best = subject->size};
    pare_result result = {0};
    watched.out = open_memstream(&runs, &n_bytes);
    if (!watched.out) report_broken("bench_priors", "memory is out");
    const pare_reduce_options options = {.input = {.bytes = subject->bytes,
                                                   .size_bytes = subject->size,
                                                   .name = slash ? slash + 1 : path},
                                         .test = {.predicate = run_subject, .context = subject},
                                         .limits = {.jobs = 1, .max_tests = MAX_TESTS},
                                         .effort = effort,
                                         .events = {.watcher = watch, .context = &watched}};
    pare_status status = pare_reduce(&options, &result, NULL);
    end_run(&watched);
    fclose(watched.out);
    bool binary = pare_bytes_of_no_text((const unsigned char *)subject->bytes, subject->size) >
                  subject->size / 16;
    if (!status) {
        printf("case %s\n", path);
        print_runs(binary ? "binary" : result.stats.language ? "tree" : "plain", runs);
    }
    free(runs);
    pare_result_done(&result);
}

int main(int argc, char **argv)
{
    static struct subject subject;
    char path[4096];
    const uint64_t seeds = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    const pare_effort effort = argc > 2 ? PARE_EFFORT_NORMAL : PARE_EFFORT_MAX;
    while (fgets(path, sizeof path, stdin)) {
        path[strcspn(path, "\n")] = '\0';
        for (uint64_t seed = 0; seed < seeds && read_subject(path, &subject); seed++) {
            pare_random random;
            pare_random_init(&random, seed * 7919 + subject.size);
            if (!draw_pieces(&subject, &random)) break;
            subject.balanced =
                (seed + subject.size) % 2 && is_balanced(subject.bytes, subject.size);
            run_case(&subject, path, effort);
        }
        (void)fflush(stdout);
    }
    return 0;
}
