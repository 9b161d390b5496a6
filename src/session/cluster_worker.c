/* pare_worker_run and pare_worker_list: a worker, from its options to its tests.
 *
 * The loop is in run/remote/serve.c, tests that arrive are made in session/test/travelled.c; here the two
 * come together, with a folder for the files of each run that is removed after it.  Each run has a process
 * of its own, and with it a copy of the host below (run/remote/berth.h).  Files that tests need are kept
 * for the next run, in the user's cache (run/remote/file_cache.h). */
#include <pare/stop.h>
#include <pare/test.h>
#include <pare/worker.h>

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "os/data_folders.h"
#include "os/folder.h"
#include "os/machine.h"
#include "run/oracle.h"
#include "run/remote/cluster.h"
#include "run/remote/file_cache.h"
#include "run/remote/link.h"
#include "run/remote/message.h"
#include "run/remote/serve.h"
#include "session/test/travelled.h"
#include "text/text.h"

enum { MOST_JOBS = 1024, NAME_BYTES = 120, CACHE_BYTES = 1 << 30, CACHE_WAIT_MS = 3000 };

/* One coordinator's run, as this worker serves it.  At most one test is open in a host
 * at a time, and each run has its own process with its own copy. */
struct host {
    const pare_worker_options *options;
    pare_safety safety;
    unsigned n_slots;
    char *folder; /* of the run's files; NULL: no run */
    pare_travelled *test;
};

/* A pare_serve_options.close: ends the run's test, then removes its folder, in which
 * the test's files lie.
 * It is called after an open that failed, too, so a test that was made in part leaves
 * no folder. */
static void close_test(void *context)
{
    struct host *host = context;
    pare_travelled_free(host->test);
    host->test = NULL;
    if (host->folder) pare_folder_remove_scratch(host->folder);
    host->folder = NULL;
}

/* A pare_serve_options.open: makes the test that a coordinator describes, in a fresh folder. */
static pare_status open_test(void *context, const pare_text *description,
                             const pare_file_source *files, pare_stop *stop, pare_oracle **oracle,
                             pare_error *err)
{
    struct host *host = context;
    /* What fails after this is cleaned up by close_test. */
    pare_status status = pare_folder_make_scratch(&host->folder, err);
    if (status) return status;
    const pare_travelled_place place = {.folder = host->folder,
                                        .n_slots = host->n_slots,
                                        .safety = &host->safety,
                                        .files = files,
                                        .stop = stop};
    const pare_span bytes = {.bytes = pare_text_bytes(description),
                             .size = pare_text_size(description)};
    status = pare_travelled_unpack(bytes, &place, &host->test, err);
    if (!status) *oracle = pare_travelled_oracle(host->test);
    return status;
}

/* A pare_serve_options.control: what the input showed on the coordinator's machine, so that a
 * worker on which it shows something else takes no part. */
static const pare_serve_control *control(void *context)
{
    const struct host *host = context;
    return pare_travelled_control(host->test);
}

/* A pare_serve_options.differs: what of this machine (programs, versions) is not as on the
 * coordinator's; "": nothing. */
static const char *differs(void *context)
{
    const struct host *host = context;
    return pare_travelled_differs(host->test);
}

/* A pare_serve_options.is_changed: whether a program that the test uses was replaced since it was
 * opened. */
static bool is_changed(void *context)
{
    const struct host *host = context;
    return pare_travelled_is_changed(host->test);
}

/* Passes a sentence for the worker's user on; only cli/ prints.  Without anybody to
 * tell, it is dropped. */
static void tell(void *context, const char *sentence)
{
    const struct host *host = context;
    if (host->options->tell) host->options->tell(host->options->context, sentence);
}

/* The part of the options that says where the NATS server is. */
static pare_link_options link_of(const pare_cluster_options *cluster)
{
    return (pare_link_options){
        .url = cluster->url, .credentials = cluster->credentials, .insecure = cluster->insecure};
}

/* Without a name the worker is HOST:PID, which no other worker of the cluster has.  Names that users give
 * may be equal, so HOST:PID is then said with the machine.  Tests come from
 * another machine, so the default is the full sandbox.  Without a folder for the cache it works,
 * too, and fetches every file again. */
pare_status pare_worker_run(const pare_worker_options *options, pare_error *err)
{
    char name[NAME_BYTES] = "", machine[2 * NAME_BYTES] = "";
    char *cache = NULL; /* without a home nothing is kept */
    struct host host = {.options = options, .safety = options->safety};
    if (options->jobs > MOST_JOBS)
        return pare_fail(err, PARE_E_ARG, "%u jobs are more than %d", options->jobs, MOST_JOBS);
    host.n_slots = options->jobs ? options->jobs : pare_machine_processors();
    if (host.safety.sandbox == PARE_SANDBOX_DEFAULT) host.safety.sandbox = PARE_SANDBOX_FULL;
    /* A machine without a name is called "host"; the number of the process still tells
     * its workers apart. */
    if (gethostname(name, NAME_BYTES / 2)) (void)snprintf(name, sizeof name, "host");
    (void)snprintf(name + strlen(name), sizeof name - strlen(name), ":%ld", (long)getpid());
    if (options->name) (void)snprintf(machine, sizeof machine, "%s, ", name);
    pare_machine_describe(machine + strlen(machine), sizeof machine - strlen(machine));
    if (pare_data_folders_cache_path("worker", &cache, NULL)) cache = NULL;
    const pare_file_cache kept = {
        .folder = cache, .most_bytes = CACHE_BYTES, .wait_ms = CACHE_WAIT_MS};
    const pare_serve_options serve = {.link = link_of(&options->cluster),
                                      .n_slots = host.n_slots,
                                      .name = options->name ? options->name : name,
                                      .machine = machine,
                                      .stop = options->stop,
                                      .cache = kept,
                                      .context = &host,
                                      .open = open_test,
                                      .close = close_test,
                                      .control = control,
                                      .differs = differs,
                                      .is_changed = is_changed,
                                      .tell = tell};
    const pare_status status = pare_serve(&serve, err);
    pare_alloc_free(cache);
    return status;
}

/* ---- who is there ------------------------------------------------------------------------- */

/* The arguments of list_one, which is called through a single pointer. */
struct listing {
    void (*each)(void *context, const pare_worker_status *worker);
    void *context;
};

/* Passes a worker's greeting on in the words of the public header.  A worker that serves several
 * runs counts as ready if it is ready for one of them, else as what the last one says. */
static void list_one(void *context, const pare_message_hello *hello)
{
    static const char *const states[PARE_WORKER_N_STATES] = {"idle",    "preparing", "ready",
                                                             "refused", "busy",      "gone"};
    const struct listing *listing = context;
    pare_worker_run_status runs[PARE_MESSAGE_MOST_RUNS];
    /* A worker without a run is idle. */
    pare_worker_state state = PARE_WORKER_IDLE;
    for (unsigned i = 0; i < hello->n_runs; i++) {
        const pare_message_run *run = &hello->runs[i];
        runs[i] = (pare_worker_run_status){.run = run->run,
                                           .state = states[run->state],
                                           .n_slots = run->n_slots,
                                           .n_running = run->n_running,
                                           .n_tests = run->n_tests};
        if (state != PARE_WORKER_READY) state = run->state;
    }
    listing->each(listing->context,
                  &(pare_worker_status){.name = hello->name,
                                        .machine = hello->machine,
                                        .state = states[state],
                                        .n_slots = hello->n_slots,
                                        .n_running = hello->n_running,
                                        .n_tests = hello->n_tests,
                                        .run = hello->n_runs ? hello->runs[0].run : 0,
                                        .runs = runs,
                                        .n_runs = hello->n_runs});
}

/* Asks all workers at once, and waits as long as pare_cluster_ask does for answers.
 * Those that do not answer in time are not listed: nothing tells them from workers that
 * are gone. */
pare_status pare_worker_list(const pare_cluster_options *cluster,
                             void (*each)(void *context, const pare_worker_status *worker),
                             void *context, pare_error *err)
{
    const pare_link_options link = link_of(cluster);
    return pare_cluster_ask(&link, list_one, &(struct listing){.each = each, .context = context},
                            err);
}
