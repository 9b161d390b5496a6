/* The protocol of our worker, which runs a library's LLVMFuzzerTestOneInput again and again
 * (src/run/shim/worker.c): no process, no file and mostly no system call for a test.
 *
 * We write the candidate to shared memory, then the number of the command; the worker writes
 * that number back when the test has returned.  Both look for the other's number for some
 * microseconds before they sleep, the worker on a futex, we on the socket: whoever is about
 * to sleep says so first and then looks once more, so that no number is missed.
 * The memory is sealed in its size: a test that cut it would end us by SIGBUS.
 *
 * Tests of a slot share one process, so only a normal return is believed, as exit code 0:
 * any other ending is `unsure`, and whoever wants to know runs the launch as a process, which
 * the same program does once.  After such an ending, and when a test leaves a process, the
 * worker is replaced.
 *
 * The launch's words are those of the worker program: its path, the library, what the
 * library's LLVMFuzzerInitialize is given.  Memory: that of the largest candidate, for each
 * slot.  Candidates above 1 GiB are refused.
 * Sources: libFuzzer's documentation of fuzz targets; futex(2) for the handshake. */
#include "run/server.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "os/child.h"
#include "os/clock.h"
#include "os/descriptor.h"
#include "os/process_tree.h"
#include "os/spawn.h"
#include "run/launcher.h"
#include "run/shim/protocol.h"

enum {
    MAP_BYTES = 1 << 30,  /* of address space; what candidates do not need takes no memory */
    GLANCE_NS = 50000,    /* that we look for the end of a test before we sleep */
    LOOKS_PER_CLOCK = 64, /* at the number, for each look at the clock */
    MAX_WORDS = 4096
};

/* The slot's descriptors. */
enum { SOCKET = PARE_SERVER_HEARD, MEMORY };

/* What this protocol keeps for each slot, beside its server. */
struct slot {
    pare_server server;
    pare_shim_input *input; /* owned mapping while there is a server; NULL: none */
    struct stat library;    /* the file when it was started */
    bool armed;             /* the worker was asked for a byte */
};

/* The slot's struct begins with its server. */
static struct slot *slot_of(const pare_server_launcher *self, unsigned k)
{
    return (struct slot *)(void *)pare_server_of(self, k);
}

/* --- workers ----------------------------------------------------------------- */

/* The memory is unmapped with its worker, since the next worker gets sealed memory of its own. */
static void release(pare_server *server)
{
    struct slot *slot = (struct slot *)(void *)server;
    if (slot->input) (void)munmap(slot->input, MAP_BYTES);
    slot->input = NULL;
}

/* Reserves address space for the largest candidate; pages are only used as far as candidates
 * reach. */
static pare_status share_memory(struct slot *slot, pare_error *err)
{
    slot->server.fds[MEMORY] = pare_descriptor_raise(
        memfd_create("pare-input", MFD_CLOEXEC | MFD_ALLOW_SEALING), PARE_SERVER_LEAST_FD);
    if (slot->server.fds[MEMORY] < 0 || ftruncate(slot->server.fds[MEMORY], MAP_BYTES) ||
        fcntl(slot->server.fds[MEMORY], F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
        return pare_fail_errno(err, errno, "cannot make memory to share with a worker");
    void *input =
        mmap(NULL, MAP_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, slot->server.fds[MEMORY], 0);
    if (input == MAP_FAILED)
        return pare_fail_errno(err, errno, "cannot map memory to share with a worker");
    slot->input = input;
    return PARE_OK;
}

/* The launch's words with "--serve" after the first; an owned list of borrowed words. */
static pare_status make_words(const pare_launch *launch, char ***words, pare_error *err)
{
    static const char serve[] = "--serve";
    size_t n = 0;
    while (launch->argv[n])
        n++;
    if (n < 2 || n > MAX_WORDS)
        return pare_fail(err, PARE_E_UNSUPPORTED, "a worker needs the name of a library");
    char **made = pare_alloc(n + 2, sizeof *made);
    if (!made) return pare_fail_nomem(err);
    made[0] = launch->argv[0];
    made[1] = (char *)(size_t)serve; /* execve takes its words without const */
    memcpy(made + 2, launch->argv + 1, n * sizeof *made);
    *words = made;
    return PARE_OK;
}

/* Starts the worker.  It finds its socket and its memory under fixed numbers; its standard input is
 * nothing, for the candidate is in memory. */
static pare_status spawn(pare_server_launcher *self, unsigned k, const pare_launch *launch,
                         int theirs, pare_error *err)
{
    struct slot *slot = slot_of(self, k);
    char **words = NULL;
    pare_status status = make_words(launch, &words, err);
    if (status) return status;
    const pare_spawn_fd inherited[] = {{theirs, PARE_SHIM_SOCKET_FD},
                                       {slot->server.fds[MEMORY], PARE_SHIM_MEMORY_FD}};
    const pare_server_start start = {.path = launch->path,
                                     .argv = words,
                                     .input_fd = -1,
                                     .output_fd = launch->output_fd,
                                     .error_fd = launch->error_fd,
                                     .inherited = inherited,
                                     .n_inherited = 2};
    status = pare_server_spawn(self, k, launch, &start, err);
    pare_alloc_free(words);
    return status;
}

/* The library's file is looked at before the worker opens it: if it is replaced in between, it
 * differs at the next look, which costs a worker but hides nothing. */
static pare_status open_worker(pare_server_launcher *self, unsigned k, const pare_launch *launch,
                               pare_error *err)
{
    struct slot *slot = slot_of(self, k);
    int ends[2] = {-1, -1};
    if (!launch->argv[1] || stat(launch->argv[1], &slot->library))
        return pare_fail_errno(err, errno, "cannot look at %s",
                               launch->argv[1] ? launch->argv[1] : "the library");
    pare_status status = share_memory(slot, err);
    if (!status)
        status = pare_descriptor_sockets(SOCK_STREAM, PARE_SERVER_LEAST_FD, ends,
                                         "a socket for a server of tests", err);
    slot->server.fds[SOCKET] = ends[0];
    if (!status) status = spawn(self, k, launch, ends[1], err);
    pare_descriptor_close(&ends[1]);
    return status;
}

/* A library that is built anew is another one. */
static bool has_same_files(const pare_server *server, const pare_launch *launch)
{
    const struct stat *library = &((const struct slot *)(const void *)server)->library;
    struct stat now;
    return !stat(launch->argv[1], &now) && now.st_ino == library->st_ino &&
           now.st_size == library->st_size && now.st_ctim.tv_sec == library->st_ctim.tv_sec &&
           now.st_ctim.tv_nsec == library->st_ctim.tv_nsec;
}

/* --- tests ------------------------------------------------------------------- */

/* A candidate that does not fit into the memory cannot be tested this way. */
static pare_status check(pare_server_launcher *self, unsigned k, const pare_launch *launch,
                         pare_error *err)
{
    (void)self;
    (void)k;
    if (launch->size_bytes <= MAP_BYTES - PARE_SHIM_INPUT_OFFSET) return PARE_OK;
    return pare_fail(err, PARE_E_UNSUPPORTED, "a worker takes candidates of at most 1 GiB");
}

/* Writes the candidate, then the new number, and wakes the worker if it sleeps.  The order of these
 * is the handshake (shim/protocol.h).  Whether the worker lives is not asked: `hear` finds out. */
static pare_status send_test(pare_server_launcher *self, unsigned k, const pare_launch *launch,
                             bool *sent, pare_error *err)
{
    struct slot *slot = slot_of(self, k);
    pare_shim_input *input = slot->input;
    (void)err;
    assert(input); /* there is a worker */
    if (launch->size_bytes)
        memcpy((char *)input + PARE_SHIM_INPUT_OFFSET, launch->bytes, launch->size_bytes);
    input->size_bytes = launch->size_bytes;
    atomic_store_explicit(&input->asleep, 0, memory_order_relaxed);
    atomic_fetch_add(&input->command, 1);
    if (atomic_load(&input->waiting))
        (void)syscall(SYS_futex, &input->command, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    slot->armed = false;
    *sent = true;
    return PARE_OK;
}

/* Acquire: what the test wrote is visible once its number is. */
static bool has_returned(const struct slot *slot)
{
    return atomic_load_explicit(&slot->input->done, memory_order_acquire) ==
           atomic_load_explicit(&slot->input->command, memory_order_relaxed);
}

/* Whether the worker lives, as far as its socket shows; takes the bytes that have arrived. */
static bool is_alive(const struct slot *slot)
{
    char bytes[16];
    ssize_t n;
    do {
        n = recv(slot->server.fds[SOCKET], bytes, sizeof bytes, MSG_DONTWAIT);
    } while (n > 0 || (n < 0 && errno == EINTR));
    return n < 0 && errno == EAGAIN;
}

/* Looks for the number for GLANCE_NS, then asks for a byte and looks once more. */
static bool glance(pare_server *server)
{
    struct slot *slot = (struct slot *)(void *)server;
    const uint64_t end_ns = pare_clock_ns() + GLANCE_NS;
    do {
        for (int look = 0; look < LOOKS_PER_CLOCK; look++) {
            if (has_returned(slot)) return true;
            pare_shim_pause();
        }
    } while (pare_clock_ns() < end_ns);
    slot->armed = true;
    atomic_store(&slot->input->asleep, 1);
    return has_returned(slot);
}

/* A normal return, or the worker's end.  A worker that has left a process, or ended within a test,
 * is replaced, and its test is `unsure`: what ended it may have been left there by another. */
static pare_status hear(pare_server_launcher *self, unsigned k, bool *ended, pare_ending *ending,
                        pare_error *err)
{
    struct slot *slot = slot_of(self, k);
    (void)err;
    bool told = has_returned(slot);
    /* The byte is taken even of one that has returned: else it would be heard once more. */
    bool alive = (told && !slot->armed) || is_alive(slot);
    *ended = told || !alive;
    if (!*ended) return PARE_OK;
    *ending = (pare_ending){.exit_code = 0};
    if (told && !pare_child_first(slot->server.children_fd)) return PARE_OK;
    *ending = (pare_ending){.exit_code = -1};
    pare_server_close(self, k, ending); /* which says how it has ended, if it has */
    ending->lost = false;
    ending->unsure = true;
    return PARE_OK;
}

/* An event without a test may be the byte of one that had been seen to return before it
 * came; else it is the worker's end. */
static bool may_go_on(const pare_server *server)
{
    return is_alive((const struct slot *)(const void *)server);
}

/* The memory is all that a worker reads. */
static bool takes_bytes(const pare_server *server)
{
    (void)server;
    return true;
}

const pare_server_protocol pare_launch_worker = {.slot_bytes = sizeof(struct slot),
                                                 .refusal = "no worker can run",
                                                 .keeps_output = true,
                                                 .keeps_error = true,
                                                 .check = check,
                                                 .open = open_worker,
                                                 .has_same_files = has_same_files,
                                                 .send = send_test,
                                                 .hear = hear,
                                                 .glance = glance,
                                                 .takes_bytes = takes_bytes,
                                                 .may_go_on = may_go_on,
                                                 .release = release};
