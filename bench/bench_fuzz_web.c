/* How fast `pare fuzz web` answers when a campaign has been going on for a while.
 *
 * Makes a store with 100,000 failing tests of 200 signatures, two weeks of statistics of eight
 * sources and 5,000 ended jobs, starts the server, and asks for each page and each call of the
 * API several times, one after the other.  Each figure is the slowest answer, from the connection
 * to its last byte.
 *
 * Usage: bench_fuzz_web PARE FOLDER
 * PARE: the program pare; FOLDER: where to write */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "campaign/finding.h"
#include "campaign/statistic.h"
#include "os/clock.h"
#include "report.h"

enum {
    N_TESTS = 100000,
    N_SIGNATURES = 200,
    BATCH = 500,
    ROUNDS = 15,
    AIM_MS = 100,
    STORE_AIM_MB = 200,
    TEXT_BYTES = 4096
};

static _Noreturn void die(const char *what)
{
    report_broken("bench_fuzz_web", what);
}

static void must(pare_status status, const pare_error *err)
{
    if (status) die(err->message);
}

/* ---- the store --------------------------------------------------------------------- */

static void add_failing(pare_store *store, unsigned i, pare_error *err)
{
    static const char *const sources[] = {"grammar", "mutation", "graph", "afl"};
    char identity[200], output[TEXT_BYTES], text[300];
    unsigned which = i * 7919U % N_SIGNATURES;
    pare_failure_added added;
    int size =
        snprintf(text, sizeof text, "{\"input\": %u, \"list\": [%0*u]}", i, (int)(i % 100 + 1), i);
    (void)snprintf(identity, sizeof identity,
                   "heap-buffer-overflow READ; frame \"parse_value_%u\" in src/parser.c", which);
    memset(output, 'x', sizeof output);
    (void)snprintf(output, 200, "==1==ERROR: AddressSanitizer: %.100s\n", identity);
    output[199] = '\n';
    output[sizeof output - 1] = '\0';
    const pare_failure failure = {.target = which % 3 ? "jq" : "mujs",
                                  .source = sources[i % 4],
                                  .version = "1.6",
                                  .config = 1,
                                  .signature = identity,
                                  .identity = identity,
                                  .title = identity,
                                  .output = output,
                                  .bytes = text,
                                  .size = (size_t)size};
    must(pare_finding_add(store, &failure, &added, err), err);
}

/* Two weeks as the store keeps them: a day in rows of minutes, the rest in rows of hours. */
static void add_statistics(pare_store *store, pare_error *err)
{
    char source[20];
    for (unsigned i = 0; i < 8; i++) {
        (void)snprintf(source, sizeof source, "source %u", i);
        const pare_statistic_delta delta = {source, i % 2 ? "jq" : "mujs", 1, 1000, 5, 1, 3, 50, 5};
        must(pare_statistic_add(store, &delta, err), err);
    }
    must(pare_store_run(
             store,
             "WITH RECURSIVE step(n) AS (VALUES(1) UNION ALL SELECT n + 1 FROM step"
             " WHERE n < 1752), span(n, start, size) AS (SELECT n, CASE WHEN n < 1440"
             " THEN n * 60000 ELSE 86400000 + (n - 1439) * 3600000 END, CASE WHEN"
             " n < 1440 THEN 60000 ELSE 3600000 END FROM step), now(at) AS (SELECT"
             " max(start) FROM statistic) INSERT INTO statistic SELECT id, at -"
             " span.start, size, size, n % 9, n % 97 = 0, n % 3, size / 1100, size / 11000"
             " FROM span, stream, now",
             err, ""),
         err);
    must(pare_store_run(store,
                        "WITH RECURSIVE job_(n) AS (VALUES(1) UNION ALL SELECT n + 1 FROM job_"
                        " WHERE n < 5000) INSERT INTO job(kind, state, finding, target, source,"
                        " detail, config, cost, priority, rank, created, started, ended, progress)"
                        " SELECT 1, 3, n % 200 + 1, 'jq', '', '', 1, 1, 0, n, n, n, n + 1000,"
                        " 'reduced from 300 to 12 bytes' FROM job_",
                        err, ""),
         err);
}

static void make_store(const char *path)
{
    pare_error err = {0};
    pare_store *store = NULL;
    int64_t config;
    must(pare_store_open(path, true, &store, &err), &err);
    must(pare_store_put_config(store, "[campaign]\nname = bench\n", &config, &err), &err);
    for (unsigned i = 0; i < N_TESTS; i++) {
        if (i % BATCH == 0) must(pare_store_begin(store, &err), &err);
        add_failing(store, i, &err);
        if (i % BATCH == BATCH - 1) must(pare_store_end(store, PARE_OK, &err), &err);
    }
    add_statistics(store, &err);
    pare_store_close(store);
}

/* ---- the server -------------------------------------------------------------------- */

static unsigned port_of(FILE *out)
{
    char line[300];
    if (!fgets(line, sizeof line, out)) die("the server does not start");
    const char *colon = strrchr(line, ':');
    return colon ? (unsigned)strtoul(colon + 1, NULL, 10) : 0;
}

static pid_t start(const char *pare, const char *store, unsigned *port)
{
    int ends[2];
    if (pipe(ends)) die("cannot make a pipe");
    pid_t pid = fork();
    if (pid == 0) {
        (void)dup2(ends[1], 1);
        (void)execl(pare, pare, "fuzz", "web", "--store", store, "--listen", "127.0.0.1:0",
                    (char *)NULL);
        _exit(127);
    }
    (void)close(ends[1]);
    FILE *out = fdopen(ends[0], "r");
    if (pid < 0 || !out) die("cannot start the server");
    *port = port_of(out);
    (void)fclose(out);
    return pid;
}

/* Bytes of the answer; it has to be a good one. */
static size_t ask(unsigned port, const char *uri)
{
    static char answer[1 << 16];
    char request[500];
    const struct sockaddr_in address = {.sin_family = AF_INET,
                                        .sin_port = htons((uint16_t)port),
                                        .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int size = snprintf(request, sizeof request,
                        "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", uri);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (const struct sockaddr *)&address, sizeof address) ||
        write(fd, request, (size_t)size) != size)
        die("cannot ask");
    size_t total = 0;
    for (ssize_t n; (n = read(fd, answer, sizeof answer)) > 0; total += (size_t)n)
        if (!total && strncmp(answer, "HTTP/1.1 200", 12)) die(uri);
    (void)close(fd);
    return total;
}

static double measure(unsigned port, const char *uri)
{
    char text[40];
    double worst = 0;
    for (unsigned i = 0; i < ROUNDS; i++) {
        uint64_t begin = pare_clock_ns();
        (void)ask(port, uri);
        double ms = (double)(pare_clock_ns() - begin) / 1e6;
        if (ms > worst) worst = ms;
    }
    (void)snprintf(text, sizeof text, "%.1f ms", worst);
    report_aim(uri, text, "below 100 ms", worst < AIM_MS);
    return worst;
}

int main(int argc, char **argv)
{
    static const char *const uris[] = {"/",
                                       "/static/views.js",
                                       "/api/v1",
                                       "/api/v1/findings",
                                       "/api/v1/findings?sort=count&order=desc",
                                       "/api/v1/findings?q=parse_value_77",
                                       "/api/v1/findings?q=nothing-has-this",
                                       "/api/v1/findings?state=all&limit=1000",
                                       "/api/v1/findings/17",
                                       "/api/v1/findings/17/members",
                                       "/api/v1/findings/17/events",
                                       "/api/v1/jobs",
                                       "/api/v1/jobs?all=1&limit=200",
                                       "/api/v1/statistics",
                                       "/api/v1/curve?points=160",
                                       "/api/v1/curve?points=160&target=jq",
                                       "/api/v1/events?last=100",
                                       "/api/v1/configurations/1"};
    char path[TEXT_BYTES], text[40];
    unsigned port;
    struct stat about;
    if (argc != 3) die("usage: bench_fuzz_web PARE FOLDER");
    (void)snprintf(path, sizeof path, "%s/bench.pare.db", argv[2]);
    (void)unlink(path);
    uint64_t begin = pare_clock_ns();
    make_store(path);
    (void)snprintf(text, sizeof text, "%.1f us", (double)(pare_clock_ns() - begin) / 1e3 / N_TESTS);
    report_figure("a failing test is put into the store in", text);
    if (stat(path, &about)) die(path);
    double mb = (double)about.st_size / 1e6;
    (void)snprintf(text, sizeof text, "%.1f MB", mb);
    report_aim("the store has", text, "below 200 MB", mb < STORE_AIM_MB);
    pid_t pid = start(argv[1], path, &port);
    double worst = 0;
    for (size_t i = 0; i < sizeof uris / sizeof *uris; i++) {
        double ms = measure(port, uris[i]);
        if (ms > worst) worst = ms;
    }
    (void)kill(pid, SIGTERM);
    (void)waitpid(pid, NULL, 0);
    (void)unlink(path);
    return worst < AIM_MS ? 0 : 1;
}
