/* What the walls cost that each test in a full sandbox puts up itself: rights dropped, no new
 * privileges, a session keyring of its own, Landlock (docs/design/sandbox.md, Cost).
 *
 * A static program is started as a test is, by clone with our memory, with the walls and without, in
 * alternating blocks of one run; outside of name spaces, whose cost bench_spawn measures.  The difference
 * of the best blocks is printed, and that of the medians, which a loaded machine spreads.
 *
 * Usage: bench_walls ORACLE FOLDER    ORACLE: the program oracle_marks; FOLDER: what it may write to */
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/clock.h"
#include "os/sandbox/landlock.h"
#include "os/sandbox/namespace_sandbox.h"
#include "report.h"

enum { BLOCKS = 1500, SPAWNS_PER_BLOCK = 4, STACK_BYTES = 1 << 16 };
static const double AIM_US = 30;

static _Noreturn void die(const char *what)
{
    report_broken("bench_walls", what);
}

/* What a child is to do. */
struct order {
    const char *program;
    const pare_namespace_sandbox *walls; /* NULL: none */
};

/* In our memory, until it executes. */
static int become(void *context)
{
    const struct order *order = context;
    static char none[] = "0", nothing[] = "/dev/null";
    char *const words[] = {(char *)(size_t)order->program, none, none, nothing, NULL};
    if (order->walls && !pare_namespace_sandbox_drop_rights(order->walls)) _exit(98);
    (void)execve(order->program, words, environ);
    _exit(99);
}

static void start(const struct order *order)
{
    static char stack[STACK_BYTES] __attribute__((aligned(16)));
    int status = 0;
    pid_t pid = clone(become, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD,
                      (void *)(size_t)order);
    if (pid < 0 || waitpid(pid, &status, 0) != pid) die("cannot start a process");
    if (WIFEXITED(status) && WEXITSTATUS(status) == 98) die("the walls are refused here");
    if (!WIFEXITED(status) || WEXITSTATUS(status)) die("the program does not end with 0");
}

/* Microseconds for one start. */
static double run_block(const struct order *order)
{
    uint64_t since_ns = pare_clock_ns();
    for (int k = 0; k < SPAWNS_PER_BLOCK; k++)
        start(order);
    return (double)(pare_clock_ns() - since_ns) / 1e3 / SPAWNS_PER_BLOCK;
}

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static void print_us(const char *what, double us)
{
    char figure[32];
    (void)snprintf(figure, sizeof figure, "%.1f us", us);
    report_figure(what, figure);
}

int main(int argc, char **argv)
{
    static double with_us[BLOCKS], without_us[BLOCKS];
    char figure[32];
    if (argc != 3) die("usage: bench_walls ORACLE FOLDER");
    const pare_namespace_sandbox_options options = {.kind = PARE_NAMESPACE_SANDBOX_FULL,
                                                    .directory = argv[2]};
    pare_namespace_sandbox walls = {.join_flags = CLONE_NEWUSER, .rules_fd = -1};
    if (!pare_landlock_open(&options, &walls.rules_fd)) die("Landlock refuses its rules");
    const struct order with = {.program = argv[1], .walls = &walls}, without = {.program = argv[1]};
    for (int block = 0; block < BLOCKS; block++) {
        without_us[block] = run_block(&without);
        with_us[block] = run_block(&with);
    }
    qsort(with_us, BLOCKS, sizeof *with_us, by_size);
    qsort(without_us, BLOCKS, sizeof *without_us, by_size);
    printf("What a test's own walls cost, %d starts each, with and without in turn\n",
           BLOCKS * SPAWNS_PER_BLOCK);
    print_us("a start without walls, best block", without_us[0]);
    print_us("a start with walls, best block", with_us[0]);
    print_us("more at the median", with_us[BLOCKS / 2] - without_us[BLOCKS / 2]);
    double more = with_us[0] - without_us[0];
    (void)snprintf(figure, sizeof figure, "%.1f us", more);
    report_aim(walls.rules_fd < 0 ? "more, best blocks, no Landlock" : "more, best blocks", figure,
               "< 30 us", more < AIM_US);
    return 0;
}
