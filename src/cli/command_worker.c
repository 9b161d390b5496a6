/* pare worker nats://HOST[:PORT][/NAME] [-j N] [--credentials FILE] [--status]
 *
 * Runs tests for reductions on other machines until it is stopped; with --status it lists the
 * workers.  A signal is the normal way to end it, not a failure.  It prints a line for each run on
 * standard output. */
#include <stdio.h>
#include <string.h>

#include <pare/pare.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/signals.h"

static const char NAME[] = "pare worker";

/* Indices of `options`, in the order of the help; then the bit of this command. */
enum {
    OPT_JOBS,
    OPT_CREDENTIALS,
    OPT_INSECURE,
    OPT_NAME,
    OPT_SANDBOX,
    OPT_VISIBLE,
    OPT_MEMORY,
    OPT_STATUS,
    OPT_QUIET,
    OPT_HELP,
    N_OPTS
};
/* One bit, since there is a single command; more jobs are taken for a mistake. */
enum { COMMAND = 1, MOST_JOBS = 1024 };

static const pare_option options[N_OPTS] = {
    [OPT_JOBS] = {"jobs", 'j', PARE_OPTION_WHOLE, COMMAND, .value = "N", .least = 1,
                  .most = MOST_JOBS,
                  .help = "how many tests run at once; default: the number of cores"},
    [OPT_CREDENTIALS] = {"credentials", 0, PARE_OPTION_TEXT, COMMAND, .value = "FILE",
                         .help = "how to log in to the server: a file written by nsc, a seed and "
                                 "its public key, USER:PASSWORD, or a token"},
    [OPT_INSECURE] = {"insecure", 0, PARE_OPTION_FLAG, COMMAND,
                      .help = "connect without credentials even if the server is another machine"},
    [OPT_NAME] = {"name", 0, PARE_OPTION_TEXT, COMMAND, .value = "NAME",
                  .help = "name of this worker; default HOST:PROCESS"},
    [OPT_SANDBOX] = {"sandbox", 0, PARE_OPTION_CHOICE, COMMAND, .value = "off|devices|full",
                     .help = "what tests may do, as for 'pare reduce'; default full"},
    [OPT_VISIBLE] = {"visible", 0, PARE_OPTION_TEXTS, COMMAND, .value = "PATH",
                     .help = "show the real PATH, read-only, in the full sandbox; may be repeated"},
    [OPT_MEMORY] = {"memory", 0, PARE_OPTION_SIZE, COMMAND, .value = "SIZE", .least = 1,
                    .help = "memory limit for each process of a test"},
    [OPT_STATUS] = {"status", 0, PARE_OPTION_FLAG, COMMAND,
                    .help = "print a line for each worker and each run of the cluster, and exit"},
    [OPT_QUIET] = {"quiet", 'q', PARE_OPTION_FLAG, COMMAND, .help = "print only errors"},
    [OPT_HELP] = {"help", 'h', PARE_OPTION_FLAG, COMMAND, .word = "all", .help = "print this help"},
};

/* The example begins with the server, without which no worker does anything. */
static void print_help(FILE *out, pare_help_extent extent)
{
    fputs("usage: pare worker nats://HOST[:PORT][/NAME] [-j N]\n"
          "\n"
          "Runs tests for reductions and campaigns on other machines, which send them\n"
          "through a NATS server with JetStream: 'pare reduce --workers URL' and 'pare\n"
          "fuzz run --workers URL'.  The test itself is sent; the programs that it calls\n"
          "must be installed here.  A worker can serve several runs at once.  Tests run in\n"
          "the full sandbox.  Stop it with Ctrl-C; the tests that it was running then go\n"
          "to other workers. See docs/guide/many-machines.md.\n"
          "\n"
          "    nats-server --jetstream --addr 127.0.0.1 &\n"
          "    pare worker nats://127.0.0.1 -j 8 &\n"
          "    pare reduce --workers nats://127.0.0.1 ./test.sh crash.c\n"
          "\n",
          out);
    pare_options_print_help(out, options, N_OPTS, COMMAND, extent);
    fputs("\nExit codes: 0 it was stopped, 1 --status: there is none, 2 usage, 3 error.\n", out);
}

/* Called by the library for each run that comes or goes.  Flushed, since it may be a
 * minute until the next. */
static void tell(void *context, const char *sentence)
{
    (void)context;
    puts(sentence);
    (void)fflush(stdout);
}

/* "NAME state 2/8 1234 tests MACHINE", and a line for each run that it serves; *context
 * counts the workers. */
static void print_worker(void *context, const pare_worker_status *worker)
{
    unsigned *n = context;
    printf("%-24s %-9s %4u/%-4u %10llu tests  %s\n", worker->name, worker->state, worker->n_running,
           worker->n_slots, (unsigned long long)worker->n_tests, worker->machine);
    for (unsigned i = 0; i < worker->n_runs; i++) {
        const pare_worker_run_status *run = &worker->runs[i];
        printf("    run %016llx %-9s %4u/%-4u %10llu tests\n", (unsigned long long)run->run,
               run->state, run->n_running, run->n_slots, (unsigned long long)run->n_tests);
    }
    ++*n;
}

/* A worker that does not answer is not listed: what is told is who could take a test
 * now. */
static pare_exit print_status(const pare_cluster_options *cluster)
{
    pare_error err = {0};
    unsigned n = 0;
    if (pare_worker_list(cluster, print_worker, &n, &err)) return pare_report_failure(NAME, &err);
    /* What was printed may have been cut off by a full disk, which is worse than that
     * there is none. */
    pare_exit code = pare_report_printed(NAME);
    if (n || code != PARE_EXIT_DONE) return code;
    pare_report(NAME, "no worker answers");
    return PARE_EXIT_NOTHING;
}

/* Serves until a signal; that is no failure. */
static pare_exit serve(pare_worker_options *wanted, bool quiet)
{
    pare_error err = {0};
    pare_stop *stop = NULL;
    if (pare_stop_new(&stop, &err)) return pare_report_failure(NAME, &err);
    /* Signals are taken before it connects, so that one at that time ends it as later
     * ones do. */
    pare_signals_take(stop);
    wanted->stop = stop;
    wanted->tell = quiet ? NULL : tell;
    pare_status status = pare_worker_run(wanted, &err);
    pare_signals_leave();
    pare_stop_free(stop);
    return status ? pare_report_failure(NAME, &err) : PARE_EXIT_DONE;
}

/* The words of --sandbox are in the order of the enum after its first member, which is
 * the default that no word stands for. */
static pare_sandbox_kind sandbox_of(const pare_option_value *value)
{
    return value->position ? (pare_sandbox_kind)(value->number + 1) : PARE_SANDBOX_DEFAULT;
}

/* --status only asks the cluster, so it needs none of the settings for tests. */
static pare_exit run(const pare_arguments *arguments)
{
    const pare_option_value *values = arguments->values;
    if (arguments->n_operands != 1) {
        pare_report(NAME, "name one server: pare worker nats://HOST[:PORT][/NAME]");
        return PARE_EXIT_USAGE;
    }
    pare_worker_options wanted = {.cluster = {.url = arguments->operands[0],
                                              .credentials = values[OPT_CREDENTIALS].text,
                                              .insecure = values[OPT_INSECURE].position != 0},
                                  .jobs = (unsigned)values[OPT_JOBS].number,
                                  .name = values[OPT_NAME].text,
                                  .safety = {.sandbox = sandbox_of(&values[OPT_SANDBOX]),
                                             .memory_bytes = values[OPT_MEMORY].number}};
    /* The cluster is asked with the same address and credentials as a worker uses. */
    if (values[OPT_STATUS].position) return print_status(&wanted.cluster);
    const char **visible = pare_alloc(arguments->n_texts + 1, sizeof *visible);
    if (!visible) {
        pare_error err = {0};
        (void)pare_fail_nomem(&err);
        return pare_report_failure(NAME, &err);
    }
    wanted.safety.n_visible = pare_options_texts(arguments, OPT_VISIBLE, visible);
    wanted.safety.visible = visible;
    pare_exit code = serve(&wanted, values[OPT_QUIET].position != 0);
    pare_alloc_free(visible);
    return code;
}

const pare_command pare_command_worker = {
    .title = NAME,
    .name = "worker",
    .summary = "run tests for reductions on other machines",
    .options = {options, N_OPTS, COMMAND},
    .help = print_help,
    .run = run,
};
