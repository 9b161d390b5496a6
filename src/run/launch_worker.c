/* Workers in shared memory.
 *
 * We write the candidate, then the number of the command; the worker writes that number
 * back when the test has returned.  Both look for the other's number for some microseconds
 * before they sleep, the worker on a futex, we on the socket: whoever is about to sleep
 * says so first and then looks once more, so that no number is missed.
 * The memory is sealed in its size: a test that cut it would end us by SIGBUS. */
#include "run/launch_worker.h"

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
#include "base/status.h"
#include "os/child.h"
#include "os/clock.h"
#include "os/descriptor.h"
#include "os/process_tree.h"
#include "os/sandbox/sandbox.h"
#include "os/spawn.h"
#include "run/launcher.h"
#include "run/server.h"
#include "run/shim/protocol.h"

enum {
    MAP_BYTES = 1 << 30,  /* of address space; what candidates do not need takes no memory */
    GLANCE_NS = 50000,    /* that we look for the end of a test before we sleep */
    LOOKS_PER_CLOCK = 64, /* at the number, for each look at the clock */
    MAX_WORDS = 4096
};

struct slot {
    pare_server server;
    int socket, memory_fd;   /* owned while there is a server */
    pare_shim_input *input;  /* owned mapping while there is a server; NULL: none */
    int output_fd, error_fd; /* that it was started with; borrowed */
    struct stat library;     /* the file when it was started */
    bool killed, armed;      /* armed: the worker was asked for a byte */
};

typedef struct worker_launcher {
    pare_launcher head;
    pare_launcher_home home;
    struct slot *slots; /* owned */
} worker_launcher;

static worker_launcher *of(pare_launcher *launcher)
{
    return (worker_launcher *)(void *)launcher;
}

/* --- workers ----------------------------------------------------------------- */

static void close_worker(worker_launcher *self, unsigned k, pare_ending *ending)
{
    struct slot *slot = &self->slots[k];
    pare_server_close(&slot->server, &self->home, k, ending);
    pare_descriptor_close(&slot->socket);
    pare_descriptor_close(&slot->memory_fd);
    if (slot->input) (void)munmap(slot->input, MAP_BYTES);
    slot->input = NULL;
}

static pare_status share_memory(struct slot *slot, pare_error *err)
{
    slot->memory_fd = pare_descriptor_raise(
        memfd_create("pare-input", MFD_CLOEXEC | MFD_ALLOW_SEALING), PARE_SERVER_LEAST_FD);
    if (slot->memory_fd < 0 || ftruncate(slot->memory_fd, MAP_BYTES) ||
        fcntl(slot->memory_fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
        return pare_fail_errno(err, errno, "cannot make memory to share with a worker");
    void *input = mmap(NULL, MAP_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, slot->memory_fd, 0);
    if (input == MAP_FAILED)
        return pare_fail_errno(err, errno, "cannot map memory to share with a worker");
    slot->input = input;
    return PARE_OK;
}

/* The launch's words with "--serve" behind the first; an owned list of borrowed words. */
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

static pare_status start_worker(worker_launcher *self, unsigned k, const pare_launch *launch,
                                int theirs, pare_error *err)
{
    struct slot *slot = &self->slots[k];
    char **words = NULL;
    pare_status status = make_words(launch, &words, err);
    if (status) return status;
    const pare_spawn_fd inherited[] = {{theirs, PARE_SHIM_SOCKET_FD},
                                       {slot->memory_fd, PARE_SHIM_MEMORY_FD}};
    const pare_server_start start = {.path = launch->path,
                                     .argv = words,
                                     .input_fd = -1,
                                     .output_fd = launch->output_fd,
                                     .error_fd = launch->error_fd,
                                     .inherited = inherited,
                                     .n_inherited = 2};
    slot->output_fd = launch->output_fd;
    slot->error_fd = launch->error_fd;
    status = pare_server_open(&slot->server, &self->home, k, launch, &start, err);
    pare_release(words);
    if (status) return status;
    return pare_server_hear(&slot->server, &self->home, k, slot->socket, err);
}

static pare_status open_worker(worker_launcher *self, unsigned k, const pare_launch *launch,
                               pare_error *err)
{
    struct slot *slot = &self->slots[k];
    int ends[2] = {-1, -1};
    if (!launch->argv[1] || stat(launch->argv[1], &slot->library))
        return pare_fail_errno(err, errno, "cannot look at %s",
                               launch->argv[1] ? launch->argv[1] : "the library");
    pare_status status = share_memory(slot, err);
    if (!status)
        status = pare_descriptor_sockets(SOCK_STREAM, PARE_SERVER_LEAST_FD, ends,
                                         "a socket for a server of tests", err);
    if (!status) {
        slot->socket = ends[0];
        status = start_worker(self, k, launch, ends[1], err);
        (void)close(ends[1]);
    }
    if (status) close_worker(self, k, NULL);
    return status;
}

/* A library that is built anew is another one. */
static bool fits(struct slot *slot, const pare_launch *launch)
{
    struct stat now;
    bool look;
    if (slot->output_fd != launch->output_fd || slot->error_fd != launch->error_fd ||
        !pare_server_fits(&slot->server, launch, &look))
        return false;
    if (!look) return true;
    return !stat(launch->argv[1], &now) && now.st_ino == slot->library.st_ino &&
           now.st_size == slot->library.st_size &&
           now.st_ctim.tv_sec == slot->library.st_ctim.tv_sec &&
           now.st_ctim.tv_nsec == slot->library.st_ctim.tv_nsec;
}

/* --- tests ------------------------------------------------------------------- */

static pare_status start(pare_launcher *launcher, unsigned k, const pare_launch *launch,
                         pare_error *err)
{
    worker_launcher *self = of(launcher);
    struct slot *slot = &self->slots[k];
    if (launch->size_bytes > MAP_BYTES - PARE_SHIM_INPUT_OFFSET)
        return pare_fail(err, PARE_E_UNSUPPORTED, "a worker takes candidates of at most 1 GiB");
    if (slot->server.pid &&
        (!fits(slot, launch) || !pare_sandbox_is_ready(self->home.sandbox, k, launch->directory)))
        close_worker(self, k, NULL);
    pare_status status = slot->server.pid ? PARE_OK : open_worker(self, k, launch, err);
    if (status) return status;
    pare_shim_input *input = slot->input;
    assert(input); /* there is a worker */
    if (launch->size_bytes)
        memcpy((char *)input + PARE_SHIM_INPUT_OFFSET, launch->bytes, launch->size_bytes);
    input->size_bytes = launch->size_bytes;
    atomic_store_explicit(&input->asleep, 0, memory_order_relaxed);
    atomic_fetch_add(&input->command, 1);
    if (atomic_load(&input->waiting))
        (void)syscall(SYS_futex, &input->command, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    pare_process_tree_enter_served(self->home.family, k);
    slot->killed = slot->armed = false;
    return PARE_OK;
}

static void kill_test(pare_launcher *launcher, unsigned k)
{
    struct slot *slot = &of(launcher)->slots[k];
    slot->killed = true;
    pare_server_kill(&slot->server);
}

static bool has_returned(const struct slot *slot)
{
    return atomic_load_explicit(&slot->input->done, memory_order_acquire) ==
           atomic_load_explicit(&slot->input->command, memory_order_relaxed);
}

/* Whether the worker lives, as far as its socket tells; takes the bytes that are there. */
static bool is_alive(const struct slot *slot)
{
    char bytes[16];
    ssize_t n;
    do {
        n = recv(slot->socket, bytes, sizeof bytes, MSG_DONTWAIT);
    } while (n > 0 || (n < 0 && errno == EINTR));
    return n < 0 && errno == EAGAIN;
}

static bool glance(pare_launcher *launcher, unsigned k)
{
    struct slot *slot = &of(launcher)->slots[k];
    if (slot->killed) return false;
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

static pare_status hear(pare_launcher *launcher, unsigned k, bool *ended, pare_ending *ending,
                        pare_error *err)
{
    worker_launcher *self = of(launcher);
    struct slot *slot = &self->slots[k];
    (void)err;
    bool told = !slot->killed && has_returned(slot);
    /* The byte is taken even of one that has returned: else it would be heard once more. */
    bool alive = slot->killed || (told && !slot->armed) || is_alive(slot);
    bool dead = slot->killed || (!told && !alive);
    *ended = told || dead;
    if (!*ended) return PARE_OK;
    bool clean = told && !pare_child_first(slot->server.children_fd);
    *ending = (pare_ending){.exit_code = 0};
    if (!clean) {
        *ending = (pare_ending){.exit_code = -1};
        close_worker(self, k, ending); /* which says how it has ended, if it has */
        ending->lost = slot->killed;
        ending->unsure = !slot->killed;
    }
    pare_process_tree_leave_served(self->home.family, k);
    return PARE_OK;
}

/* An event without a test: the byte of one that had been seen to return before it came, or
 * the worker's end. */
static void mute(pare_launcher *launcher, unsigned k)
{
    worker_launcher *self = of(launcher);
    if (!self->slots[k].server.pid || !is_alive(&self->slots[k]))
        pare_server_mute(&self->slots[k].server, &self->home);
}

static bool takes_bytes(const pare_launcher *launcher, unsigned k)
{
    (void)launcher;
    (void)k;
    return true;
}

static void destroy(pare_launcher *launcher)
{
    worker_launcher *self = of(launcher);
    for (unsigned k = 0; self->slots && k < self->home.family->n_slots; k++)
        close_worker(self, k, NULL);
    pare_release(self->slots);
    pare_release(self);
}

static const pare_launcher_ops ops = {.start = start,
                                      .kill = kill_test,
                                      .hear = hear,
                                      .mute = mute,
                                      .glance = glance,
                                      .takes_bytes = takes_bytes,
                                      .destroy = destroy};

pare_status pare_launch_worker_new(const pare_launcher_home *home, pare_launcher **out,
                                   pare_error *err)
{
    worker_launcher *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    *self = (worker_launcher){.head.ops = &ops, .home = *home};
    self->slots = pare_alloc_zero(home->family->n_slots, sizeof *self->slots);
    if (!self->slots) {
        destroy(&self->head);
        return pare_fail_nomem(err);
    }
    for (unsigned k = 0; k < home->family->n_slots; k++)
        self->slots[k].socket = self->slots[k].memory_fd = -1;
    *out = &self->head;
    return PARE_OK;
}
