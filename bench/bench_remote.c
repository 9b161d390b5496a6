/* How long a message takes to a worker and back: bench_remote URL.
 *
 * The way of a test is the same: from here to the server, from there to the worker, and back.  A worker
 * has to be there already.  Prints the median and the 95th percentile in milliseconds; part_remote of
 * run.sh starts the server and the workers. */
#include <poll.h>
#include <string.h>

#include "os/clock.h"
#include "report.h"
#include "run/remote/cluster.h"
#include "run/remote/link.h"
#include "run/remote/message.h"

enum { N_ASKED = 400, N_FIRST = 20, MOST_MS = 5000 };

static _Noreturn void broken(const pare_error *err)
{
    report_broken("bench_remote", err->message);
}

/* Waits for the first answer, and drops those of other workers. */
static void hear_one(pare_link *link)
{
    const uint64_t start_ms = pare_clock_ms();
    while (pare_clock_ms() - start_ms < MOST_MS) {
        struct pollfd file = {.fd = pare_link_fd(link), .events = POLLIN};
        bool is_hello = false;
        (void)poll(&file, 1, MOST_MS);
        for (pare_letter *letter; (letter = pare_link_take(link)) != NULL;
             pare_link_letter_free(letter)) {
            unsigned version;
            pare_message message = pare_message_of(letter->bytes, letter->size);
            is_hello |= pare_message_open(&message, &version) == PARE_MESSAGE_HELLO;
        }
        if (is_hello) return;
    }
    report_broken("bench_remote", "no worker answers");
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

int main(int argc, char **argv)
{
    static double ms[N_ASKED];
    pare_error err = {0};
    pare_cluster *cluster = NULL;
    pare_message_call call = {.run = 0};
    if (argc != 2) report_broken("bench_remote", "usage: bench_remote URL");
    if (pare_cluster_open(&(pare_link_options){.url = argv[1]}, &cluster, &err)) broken(&err);
    pare_link *link = pare_cluster_link(cluster);
    (void)snprintf(call.inbox, sizeof call.inbox, "%s.h", pare_link_inbox(link));
    for (int i = -N_FIRST; i < N_ASKED; i++) {
        const uint64_t start_ns = pare_clock_ns();
        if (pare_cluster_call(cluster, PARE_MESSAGE_ASK, &call, &err)) broken(&err);
        hear_one(link);
        if (i >= 0) ms[i] = (double)(pare_clock_ns() - start_ns) / 1e6;
    }
    pare_cluster_close(cluster);
    qsort(ms, N_ASKED, sizeof *ms, compare);
    printf("%.3f %.3f\n", ms[N_ASKED / 2], ms[N_ASKED * 95 / 100]);
    return 0;
}
