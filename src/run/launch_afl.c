/* AFL's fork servers: one in each slot, two words a test in one direction and one in the
 * other.
 *
 * A test: we write a word to the control pipe; the server forks, or continues its stopped
 * child, and writes that one's number; when the child ends or stops (the sign of a loop
 * that has returned) it writes what waitpid said.  Output goes to the pipes that the
 * oracle keeps for the slot: the server holds them, and is started anew when they are
 * others.
 *
 * Nobody looks for the words before he sleeps: on an idle machine that gains nothing, since
 * two other processes have to be woken all the same, and on a loaded one it takes the
 * processor from them. */
#include "run/launch_afl.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/status.h"
#include "os/child.h"
#include "os/descriptor.h"
#include "os/executable.h"
#include "os/process_tree.h"
#include "os/spawn.h"
#include "run/launcher.h"
#include "run/server.h"

enum {
    CONTROL_FD = 198,         /* what the server reads from */
    STATUS_FD = 199,          /* and writes to */
    MAP_BYTES = 8 << 20,      /* more than any program of AFL++ asks for by default */
    INPUT_BYTES = 1 << 20,    /* of a candidate in shared memory, as AFL++ limits it */
    START_LIMIT_MS = 10000,   /* for the server's first word */
    MAX_DICTIONARY = 16 << 20 /* bytes that a server may offer us */
};

/* The first word and the options, old form. */
static const uint32_t OLD_ENABLED = 0x80000001, OLD_SHARED_INPUT = 0x01000000;
static const uint32_t OLD_ERROR = 0xf800008f;
/* New form: the word with a version, our answer its complement; then options, their
 * values in the order of the bits, and the first word again. */
static const uint32_t NEW_HELLO = 0x41464c00, NEW_MASK = 0xffffff00;
static const uint32_t NEW_MAP_SIZE = 0x1, NEW_SHARED_INPUT = 0x2, NEW_DICTIONARY = 0x800;

/* Memory that the server finds by the number in its environment. */
struct shared {
    int id;
    unsigned char *bytes; /* owned mapping; NULL: none */
};

struct slot {
    pare_server server;
    int control_fd, status_fd, input_fd; /* owned while there is a server */
    int output_fd, error_fd;             /* that it was started with; borrowed */
    int children_fd;                     /* owned; of the child that loops; -1: none */
    struct shared map, input;            /* owned, as long as the launcher */
    uint32_t words[2];                   /* about the test: its process, how it ended */
    unsigned n_words;                    /* of them heard yet */
    bool takes_shared;                   /* the candidate is wanted in `input` */
    bool killed, loops;                  /* loops: a test has returned to the loop */
    pid_t child;
};

typedef struct afl_launcher {
    pare_launcher head;
    pare_launcher_home home;
    struct slot *slots; /* owned */
} afl_launcher;

static afl_launcher *of(pare_launcher *launcher)
{
    return (afl_launcher *)(void *)launcher;
}

static pare_status refuse(const char *path, const char *reason, pare_error *err)
{
    return pare_fail(err, PARE_E_UNSUPPORTED, "AFL's fork server cannot run %s: %s", path, reason);
}

/* --- shared memory ----------------------------------------------------------- */

/* Removed at once: it stays as long as somebody has it, and Linux lets others attach it
 * until then, so that nothing of it outlives us. */
static pare_status share(struct shared *shared, size_t size, pare_error *err)
{
    if (shared->bytes) return PARE_OK;
    shared->id = shmget(IPC_PRIVATE, size, IPC_CREAT | IPC_EXCL | 0600);
    if (shared->id < 0) return pare_fail_errno(err, errno, "cannot make shared memory");
    void *bytes = shmat(shared->id, NULL, 0);
    int cause = errno;
    (void)shmctl(shared->id, IPC_RMID, NULL);
    if (bytes == (void *)-1) return pare_fail_errno(err, cause, "cannot attach shared memory");
    shared->bytes = bytes;
    return PARE_OK;
}

static void unshare_memory(struct shared *shared)
{
    if (shared->bytes) (void)shmdt(shared->bytes);
    shared->bytes = NULL;
}

/* --- words ------------------------------------------------------------------- */

static bool read_word(const struct slot *slot, uint32_t *word)
{
    size_t used = 0;
    while (used < sizeof *word) {
        if (!pare_descriptor_await(slot->status_fd, START_LIMIT_MS)) return false;
        ssize_t n = read(slot->status_fd, (char *)word + used, sizeof *word - used);
        if (n <= 0 && !(n < 0 && errno == EINTR)) return false;
        if (n > 0) used += (size_t)n;
    }
    return true;
}

/* Reads the words about a test that are there, without waiting; false when the server is
 * dead, or writes something else than words. */
static bool read_words(struct slot *slot)
{
    if (slot->n_words == 2) return true;
    ssize_t n = read(slot->status_fd, slot->words + slot->n_words,
                     sizeof slot->words - slot->n_words * sizeof *slot->words);
    if (n < 0) return errno == EAGAIN || errno == EINTR;
    if (n == 0 || n % (ssize_t)sizeof *slot->words) return false;
    slot->n_words += (unsigned)n / sizeof *slot->words;
    return true;
}

/* Our end of the control pipe is a socket, so that a dead server is an error, no signal. */
static bool write_word(const struct slot *slot, uint32_t word)
{
    return send(slot->control_fd, &word, sizeof word, MSG_NOSIGNAL) == (ssize_t)sizeof word;
}

static bool skip_dictionary(const struct slot *slot)
{
    uint32_t left;
    char bytes[4096];
    if (!read_word(slot, &left) || left > MAX_DICTIONARY) return false;
    while (left) {
        if (!pare_descriptor_await(slot->status_fd, START_LIMIT_MS)) return false;
        ssize_t n = read(slot->status_fd, bytes, left < sizeof bytes ? left : sizeof bytes);
        if (n <= 0) return false;
        left -= (uint32_t)n;
    }
    return true;
}

static bool greet_new(struct slot *slot, uint32_t hello)
{
    uint32_t options, size, again;
    if (!write_word(slot, ~hello) || !read_word(slot, &options)) return false;
    if (options & NEW_MAP_SIZE && (!read_word(slot, &size) || size > MAP_BYTES)) return false;
    if (options & NEW_DICTIONARY && !skip_dictionary(slot)) return false;
    slot->takes_shared = options & NEW_SHARED_INPUT;
    return read_word(slot, &again) && again == hello;
}

/* The old form answers only what it offers us and we want.  A dictionary alone goes
 * unanswered: our first order says no to it. */
static bool greet_old(struct slot *slot, uint32_t hello)
{
    bool has_options = (hello & OLD_ENABLED) == OLD_ENABLED;
    if ((hello & OLD_ERROR) == OLD_ERROR) return false;
    slot->takes_shared = has_options && hello & OLD_SHARED_INPUT;
    return !slot->takes_shared || write_word(slot, OLD_ENABLED | OLD_SHARED_INPUT);
}

static pare_status greet(struct slot *slot, const char *path, pare_error *err)
{
    uint32_t hello;
    if (!read_word(slot, &hello)) return refuse(path, "it does not greet", err);
    bool is_new = (hello & NEW_MASK) == NEW_HELLO;
    bool good = is_new ? greet_new(slot, hello) : greet_old(slot, hello);
    return good ? PARE_OK : refuse(path, "they do not understand each other", err);
}

/* --- servers ----------------------------------------------------------------- */

static void close_server(afl_launcher *self, unsigned k)
{
    struct slot *slot = &self->slots[k];
    if (slot->server.pid) pare_server_close(&slot->server, &self->home, k, NULL);
    pare_descriptor_close(&slot->control_fd);
    pare_descriptor_close(&slot->status_fd);
    pare_descriptor_close(&slot->input_fd);
    pare_descriptor_close(&slot->children_fd);
}

static pare_status make_fds(struct slot *slot, int theirs[2], pare_error *err)
{
    int control[2] = {-1, -1}, status_pipe[2] = {-1, -1};
    pare_status status = pare_descriptor_sockets(SOCK_STREAM, PARE_SERVER_LEAST_FD, control,
                                                 "a socket for a server of tests", err);
    if (status) return status;
    slot->control_fd = control[0];
    theirs[0] = control[1];
    if (pipe2(status_pipe, O_CLOEXEC))
        return pare_fail_errno(err, errno, "cannot make a pipe for AFL's fork server");
    slot->status_fd = pare_descriptor_raise(status_pipe[0], PARE_SERVER_LEAST_FD);
    if (slot->status_fd >= 0) (void)fcntl(slot->status_fd, F_SETFL, O_NONBLOCK);
    theirs[1] = pare_descriptor_raise(status_pipe[1], PARE_SERVER_LEAST_FD);
    slot->input_fd =
        pare_descriptor_raise(memfd_create("pare-input", MFD_CLOEXEC), PARE_SERVER_LEAST_FD);
    if (slot->status_fd < 0 || theirs[1] < 0 || slot->input_fd < 0)
        return pare_fail_errno(err, errno, "cannot make descriptors for AFL's fork server");
    return PARE_OK;
}

/* AFL's runtime loops, and waits for the place that the program marks, only when it is told
 * so: the fuzzer finds the marks in the program's file, as we do. */
static pare_status start_server(afl_launcher *self, unsigned k, const pare_launch *launch,
                                const pare_executable *program, const int theirs[2],
                                pare_error *err)
{
    struct slot *slot = &self->slots[k];
    char map[64], input[64], size[64];
    (void)snprintf(map, sizeof map, "__AFL_SHM_ID=%d", slot->map.id);
    (void)snprintf(input, sizeof input, "__AFL_SHM_FUZZ_ID=%d", slot->input.id);
    (void)snprintf(size, sizeof size, "AFL_MAP_SIZE=%d", MAP_BYTES);
    const char *variables[] = {map, input, size, NULL, NULL, NULL};
    size_t n = 3;
    if (program->is_persistent) variables[n++] = "__AFL_PERSISTENT=1";
    if (program->is_deferred) variables[n++] = "__AFL_DEFER_FORKSRV=1";
    const pare_spawn_fd inherited[] = {{theirs[0], CONTROL_FD}, {theirs[1], STATUS_FD}};
    const pare_server_start start = {.variables = variables,
                                     .input_fd = launch->on_input ? slot->input_fd : -1,
                                     .output_fd = launch->output_fd,
                                     .error_fd = launch->error_fd,
                                     .inherited = inherited,
                                     .n_inherited = 2};
    slot->output_fd = launch->output_fd;
    slot->error_fd = launch->error_fd;
    slot->loops = false;
    return pare_server_open(&slot->server, &self->home, k, launch, &start, err);
}

static pare_status open_server(afl_launcher *self, unsigned k, const pare_launch *launch,
                               pare_error *err)
{
    struct slot *slot = &self->slots[k];
    pare_executable program;
    int theirs[2] = {-1, -1};
    pare_status status = pare_executable_read(launch->path, &program, err);
    if (status) return status;
    if (!program.has_afl) return refuse(launch->path, "it was not compiled by AFL", err);
    status = share(&slot->map, MAP_BYTES, err);
    if (!status) status = share(&slot->input, sizeof(uint32_t) + INPUT_BYTES, err);
    if (!status) status = make_fds(slot, theirs, err);
    if (!status) status = start_server(self, k, launch, &program, theirs, err);
    pare_descriptor_close(&theirs[0]);
    pare_descriptor_close(&theirs[1]);
    if (!status) status = greet(slot, launch->path, err);
    if (!status) status = pare_server_hear(&slot->server, &self->home, k, slot->status_fd, err);
    if (status) close_server(self, k);
    return status;
}

static bool fits(struct slot *slot, const pare_launch *launch)
{
    return slot->output_fd == launch->output_fd && slot->error_fd == launch->error_fd &&
           pare_server_fits(&slot->server, launch, NULL);
}

/* --- tests ------------------------------------------------------------------- */

/* Puts the candidate where the server's child looks for it, besides its file. */
static pare_status deliver(const struct slot *slot, const pare_launch *launch, pare_error *err)
{
    uint32_t size = (uint32_t)launch->size_bytes;
    if (slot->takes_shared) {
        if (launch->size_bytes > INPUT_BYTES)
            return refuse(launch->path, "it takes candidates of at most 1 MiB", err);
        memcpy(slot->input.bytes, &size, sizeof size);
        if (size) memcpy(slot->input.bytes + sizeof size, launch->bytes, size);
    }
    if (!launch->on_input || slot->takes_shared) return PARE_OK;
    if (ftruncate(slot->input_fd, 0) || lseek(slot->input_fd, 0, SEEK_SET) < 0)
        return pare_fail_errno(err, errno, "cannot write the candidate");
    for (size_t done = 0; done < launch->size_bytes;) {
        ssize_t n = pwrite(slot->input_fd, (const char *)launch->bytes + done,
                           launch->size_bytes - done, (off_t)done);
        if (n <= 0) return pare_fail_errno(err, errno, "cannot write the candidate");
        done += (size_t)n;
    }
    return PARE_OK;
}

static pare_status start(pare_launcher *launcher, unsigned k, const pare_launch *launch,
                         pare_error *err)
{
    afl_launcher *self = of(launcher);
    struct slot *slot = &self->slots[k];
    pare_status status = PARE_OK;
    if (!fits(slot, launch)) close_server(self, k);
    for (int tries = 0; !status && tries < 2; tries++) { /* it may have died between two tests */
        if (!slot->server.pid) status = open_server(self, k, launch, err);
        if (!status) status = deliver(slot, launch, err);
        if (status) return status;
        if (write_word(slot, 0)) break;
        close_server(self, k);
    }
    if (!slot->server.pid) return refuse(launch->path, "its server dies", err);
    pare_process_tree_enter_served(self->home.family, k);
    slot->killed = false;
    slot->n_words = 0;
    return PARE_OK;
}

/* A server whose child was killed is not used again: it is simpler to be sure. */
static void kill_test(pare_launcher *launcher, unsigned k)
{
    struct slot *slot = &of(launcher)->slots[k];
    slot->killed = true;
    pare_server_kill(&slot->server);
}

/* What the server's last word says. */
static void understand(uint32_t word, pare_ending *ending)
{
    int status = (int)word;
    *ending = (pare_ending){.exit_code = -1};
    if (WIFSTOPPED(status))
        ending->exit_code = 0;
    else if (WIFEXITED(status))
        ending->exit_code = WEXITSTATUS(status);
    else
        ending->signal = WTERMSIG(status);
}

/* The server has said which process runs the test. */
static void note_child(struct slot *slot, pid_t child)
{
    if (slot->child == child && slot->children_fd >= 0) return;
    slot->child = child;
    pare_descriptor_close(&slot->children_fd);
    slot->children_fd = pare_child_open_list(child);
}

static pare_status hear(pare_launcher *launcher, unsigned k, bool *ended, pare_ending *ending,
                        pare_error *err)
{
    afl_launcher *self = of(launcher);
    struct slot *slot = &self->slots[k];
    (void)err;
    bool heard = !slot->killed && read_words(slot);
    *ended = !heard || slot->n_words == 2;
    if (!*ended) return PARE_OK;
    if (heard) note_child(slot, (pid_t)slot->words[0]);
    if (heard) understand(slot->words[1], ending);
    /* A loop goes on: what it started would too, and what else it did may have changed it. */
    bool loops = heard && WIFSTOPPED((int)slot->words[1]);
    bool clean = loops && !pare_child_first(slot->children_fd);
    if (!heard || (loops && !clean)) {
        close_server(self, k);
        *ending = (pare_ending){.exit_code = -1, .lost = !heard, .unsure = heard};
    } else {
        ending->unsure = !loops && slot->loops;
        slot->loops = loops;
        if (!loops)
            pare_descriptor_close(&slot->children_fd); /* the child is gone, its number free */
    }
    pare_process_tree_leave_served(self->home.family, k);
    return PARE_OK;
}

static void mute(pare_launcher *launcher, unsigned k)
{
    afl_launcher *self = of(launcher);
    pare_server_mute(&self->slots[k].server, &self->home);
}

static bool takes_bytes(const pare_launcher *launcher, unsigned k)
{
    const afl_launcher *self = (const afl_launcher *)(const void *)launcher;
    return self->slots[k].server.pid && self->slots[k].takes_shared;
}

static void destroy(pare_launcher *launcher)
{
    afl_launcher *self = of(launcher);
    for (unsigned k = 0; self->slots && k < self->home.family->n_slots; k++) {
        close_server(self, k);
        unshare_memory(&self->slots[k].map);
        unshare_memory(&self->slots[k].input);
    }
    pare_release(self->slots);
    pare_release(self);
}

static const pare_launcher_ops ops = {.start = start,
                                      .kill = kill_test,
                                      .hear = hear,
                                      .mute = mute,
                                      .takes_bytes = takes_bytes,
                                      .destroy = destroy};

pare_status pare_launch_afl_new(const pare_launcher_home *home, pare_launcher **out,
                                pare_error *err)
{
    afl_launcher *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    *self = (afl_launcher){.head.ops = &ops, .home = *home};
    self->slots = pare_alloc_zero(home->family->n_slots, sizeof *self->slots);
    if (!self->slots) {
        destroy(&self->head);
        return pare_fail_nomem(err);
    }
    for (unsigned k = 0; k < home->family->n_slots; k++)
        self->slots[k].control_fd = self->slots[k].status_fd = self->slots[k].input_fd =
            self->slots[k].children_fd = -1;
    *out = &self->head;
    return PARE_OK;
}
