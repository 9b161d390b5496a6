/* What a campaign's store costs after a long campaign: 10 million tests of 8 sources, 100,000 failing
 * ones of 200 signatures, a month of statistics.
 *
 * Usage: bench_store [FOLDER]
 * The store is written as fuzz jobs do it, a transaction a second of each with its failures, its
 * statistics and its position, into FOLDER (default /dev/shm), and removed at the end.  Printed are
 * the cost of a failure and of a transaction without any, the size of the file, and the
 * slowest of RUNS of each question that a page of the web view asks. */
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"
#include "campaign/finding.h"
#include "campaign/job.h"
#include "campaign/statistic.h"
#include "campaign/store.h"
#include "report.h"

enum {
    SOURCES = 8,
    SIGNATURES = 200,
    FAILURES = 100000,
    TESTS_A_FLUSH = 1000,
    FLUSHES = 10000, /* 10 million tests */
    HOURS = 30 * 24,
    MINUTES = 24 * 60,
    INPUT_BYTES = 2000,
    OUTPUT_BYTES = 4000,
    RUNS = 20
};
static const double AIM_MB = 200, AIM_MS = 100, AIM_US = 1000;

static double now_ms(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e3 * (double)time.tv_sec + 1e-6 * (double)time.tv_nsec;
}

static pare_error err;
static void require(pare_status status)
{
    if (status) report_broken("bench_store", err.message);
}

/* --- writing ---------------------------------------------------------------------------------- */

static char input[INPUT_BYTES], output[OUTPUT_BYTES + 1];

static void fill(char *bytes, size_t size, pare_random *random)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)(' ' + pare_random_below(random, 95));
}

/* Few signatures are common and most are rare, as in real campaigns. */
static unsigned pick_signature(pare_random *random)
{
    unsigned n = (unsigned)pare_random_below(random, SIGNATURES);
    for (int i = 0; i < 3; i++)
        n = (unsigned)pare_random_below(random, n + 1);
    return pare_random_below(random, 50) ? n : (unsigned)pare_random_below(random, SIGNATURES);
}

static void add_failure(pare_store *store, unsigned n, const char *source, pare_random *random)
{
    char identity[64];
    (void)snprintf(identity, sizeof identity, "signal SIGSEGV; frame \"function_%03u\"", n);
    fill(input, sizeof input, random);
    const pare_failure failure = {.target = n % 2 ? "jq" : "mujs",
                                  .source = source,
                                  .version = "1.6",
                                  .config = 1,
                                  .signature = identity,
                                  .identity = identity,
                                  .output = output,
                                  .bytes = input,
                                  .size = 100 + pare_random_below(random, INPUT_BYTES - 100)};
    pare_failure_added added;
    require(pare_finding_add(store, &failure, &added, &err));
}

static void flush(pare_store *store, unsigned k, unsigned n_failures, pare_random *random)
{
    char source[16], position[32];
    (void)snprintf(source, sizeof source, "source%u", k % SOURCES);
    (void)snprintf(position, sizeof position, "%u", k * TESTS_A_FLUSH);
    const pare_statistic_delta delta = {.source = source,
                                        .target = k % 2 ? "jq" : "mujs",
                                        .config = 1,
                                        .tests = TESTS_A_FLUSH,
                                        .failures = n_failures,
                                        .testing_s = 0.9,
                                        .making_s = 0.1};
    require(pare_store_begin(store, &err));
    for (unsigned i = 0; i < n_failures; i++)
        add_failure(store, pick_signature(random), source, random);
    require(pare_statistic_add(store, &delta, &err));
    require(pare_statistic_set_position(store, source, delta.target, 1, position, &err));
    require(pare_store_end(store, PARE_OK, &err));
}

/* A month of hours and a day of minutes of each stream. */
static void add_past(pare_store *store)
{
    const int64_t now = pare_store_now(), minute = now - now % 60000;
    require(pare_store_begin(store, &err));
    for (int64_t stream = 1; stream <= SOURCES; stream++) {
        for (int64_t i = 2; i < MINUTES + HOURS; i++) {
            const bool is_minute = i < MINUTES;
            const int64_t age = is_minute ? i * 60000 : (i - MINUTES + 26) * 3600000;
            require(pare_store_run(store,
                                   "INSERT OR IGNORE INTO statistic VALUES(?1, ?2, ?3, 1, 0, 0, 0,"
                                   " 1, 1)",
                                   &err, "iii", stream, minute - age,
                                   (int64_t)(is_minute ? 60000 : 3600000)));
        }
    }
    require(pare_store_end(store, PARE_OK, &err));
}

/* What the other jobs leave: results, jobs, events. */
static void add_rest(pare_store *store)
{
    require(pare_store_begin(store, &err));
    for (int64_t id = 1; id <= SIGNATURES; id++) {
        char text[32];
        int64_t into = 0;
        (void)snprintf(text, sizeof text, "result %lld", (long long)id);
        require(pare_finding_set_reduced(store, id, text, strlen(text), &into, &err));
    }
    for (int i = 0; i < 20000; i++) {
        int64_t id = 0;
        const pare_job_order order = {.kind = PARE_JOB_FUZZ, .target = "jq", .source = "source1"};
        require(pare_job_add(store, &order, &id, &err));
        require(pare_job_set_running(store, id, 1, &err));
        require(pare_job_set_ended(store, id, PARE_JOB_DONE, "1,000 tests", &err));
    }
    require(pare_store_end(store, PARE_OK, &err));
}

/* --- reading ---------------------------------------------------------------------------------- */

static pare_status see_finding(void *context, const pare_finding *finding, pare_error *e)
{
    (void)e;
    *(size_t *)context += strlen(finding->output) + finding->input_bytes;
    return PARE_OK;
}

static pare_status see_member(void *context, const pare_finding_member *member, pare_error *e)
{
    (void)e;
    *(size_t *)context += member->bytes;
    return PARE_OK;
}

static pare_status see_job(void *context, const pare_job *job, pare_error *e)
{
    (void)e;
    *(size_t *)context += job->cost;
    return PARE_OK;
}

static pare_status see_statistics(void *context, const pare_store_statistics *row, pare_error *e)
{
    (void)e;
    *(size_t *)context += row->tests;
    return PARE_OK;
}

static pare_status see_event(void *context, const pare_store_event *event, pare_error *e)
{
    (void)e;
    *(size_t *)context += strlen(event->text);
    return PARE_OK;
}

static void ask_page(pare_store *store, size_t *seen)
{
    const pare_finding_filter filter = {
        .order = PARE_BY_LAST_SEEN, .descending = true, .limit = 50};
    require(pare_store_findings(store, &filter, see_finding, seen, &err));
}

static void ask_all(pare_store *store, size_t *seen)
{
    const pare_finding_filter filter = {.states = 0x7f, .order = PARE_BY_COUNT};
    require(pare_store_findings(store, &filter, see_finding, seen, &err));
}

static void ask_search(pare_store *store, size_t *seen)
{
    const pare_finding_filter filter = {.search = "function_17"};
    uint64_t n = 0;
    require(pare_store_findings(store, &filter, see_finding, seen, &err));
    require(pare_store_count_findings(store, &filter, &n, &err));
}

static void ask_finding(pare_store *store, size_t *seen)
{
    pare_finding finding;
    require(pare_store_finding(store, 1, &finding, &err));
    *seen += finding.input_bytes;
    pare_finding_done(&finding);
    require(pare_store_members(store, 1, see_member, seen, &err));
    require(pare_store_events(store, 0, 1, 50, see_event, seen, &err));
}

static void ask_jobs(pare_store *store, size_t *seen)
{
    require(pare_store_jobs(store, true, 100, see_job, seen, &err));
}

static void ask_statistics(pare_store *store, size_t *seen)
{
    require(pare_store_statistics_each(store, see_statistics, seen, &err));
}

static void ask_curve(pare_store *store, size_t *seen)
{
    static pare_store_point points[300];
    size_t n = 0;
    require(pare_store_curve(store, "", 300, points, &n, &err));
    *seen += n;
}

static void ask_events(pare_store *store, size_t *seen)
{
    require(pare_store_events(store, 0, 0, 200, see_event, seen, &err));
}

static void measure(pare_store *store, const char *what,
                    void (*ask)(pare_store *store, size_t *seen))
{
    double slowest = 0;
    size_t seen = 0;
    char figure[32];
    for (int i = 0; i < RUNS; i++) {
        const double start = now_ms();
        ask(store, &seen);
        const double took = now_ms() - start;
        if (took > slowest) slowest = took;
    }
    if (!seen) report_broken("bench_store", "nothing was seen");
    (void)snprintf(figure, sizeof figure, "%.2f ms", slowest);
    report_aim(what, figure, "< 100 ms", slowest < AIM_MS);
}

/* --- all of it -------------------------------------------------------------------------------- */

static double size_mb(const char *path)
{
    struct stat about;
    return stat(path, &about) ? 0 : (double)about.st_size / 1e6;
}

static void write_all(pare_store *store)
{
    pare_random random;
    char figure[32];
    pare_random_init(&random, 1);
    fill(output, OUTPUT_BYTES, &random);
    double start = now_ms();
    for (unsigned k = 0; k < FLUSHES; k++)
        flush(store, k, FAILURES / FLUSHES, &random);
    const double with = now_ms() - start;
    start = now_ms();
    for (unsigned k = 0; k < FLUSHES / 10; k++)
        flush(store, k, 0, &random);
    const double without = (now_ms() - start) * 10;
    (void)snprintf(figure, sizeof figure, "%.0f us", 1e3 * (with - without) / FAILURES);
    report_aim("a failing test", figure, "< 1 ms", 1e3 * (with - without) / FAILURES < AIM_US);
    (void)snprintf(figure, sizeof figure, "%.0f us", 1e3 * without / FLUSHES);
    report_figure("a transaction of statistics and position", figure);
    add_past(store);
    add_rest(store);
}

static void remove_store(const char *path)
{
    static const char *const suffixes[] = {"", "-wal", "-shm", ".lock"};
    char name[512];
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        (void)snprintf(name, sizeof name, "%s%s", path, suffixes[i]);
        (void)unlink(name);
    }
}

int main(int argc, char **argv)
{
    char path[256], wal[264], figure[32];
    pare_store *store = NULL;
    (void)snprintf(path, sizeof path, "%s/bench-store.%d.pare.db", argc > 1 ? argv[1] : "/dev/shm",
                   (int)getpid());
    (void)snprintf(wal, sizeof wal, "%s-wal", path);
    printf("store: 10,000,000 tests, 100,000 failing ones, 200 findings\n");
    require(pare_store_open(path, true, &store, &err));
    write_all(store);
    const double mb = size_mb(path) + size_mb(wal);
    (void)snprintf(figure, sizeof figure, "%.1f MB", mb);
    report_aim("its file and its log", figure, "< 200 MB", mb < AIM_MB);
    measure(store, "a page of findings", ask_page);
    measure(store, "all findings", ask_all);
    measure(store, "a search in all that was printed", ask_search);
    measure(store, "one finding, its members, its history", ask_finding);
    measure(store, "jobs", ask_jobs);
    measure(store, "statistics of all sources", ask_statistics);
    measure(store, "the curve of a month", ask_curve);
    measure(store, "the newest events", ask_events);
    pare_store_close(store);
    remove_store(path);
    return 0;
}
