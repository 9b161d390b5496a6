/* The protocol of AFL's fork servers, which its compilers put into a program.
 *
 * A test is two words in one direction and one in the other: we write a word to the control
 * pipe; the server forks, or continues its stopped child, and writes that one's number; when
 * the child ends or stops (the sign of a loop that has returned) it writes what waitpid
 * said.  Output goes to the pipes that the oracle keeps for the slot: the server holds them.
 *
 * Both forms of the greeting are spoken (before and since AFL++ 4.20).  The candidate goes
 * into shared memory for a program that asks for that, else it is the file or the standard
 * input that the launch names.  A program that loops in one process (persistent mode) goes
 * on from test to test, so only its normal return is believed, as exit code 0: any other
 * ending of such a test is `unsure`, and whoever wants to know runs it as a process.
 *
 * Nobody looks for the words before he sleeps: on an idle machine that gains nothing, since
 * two other processes have to be woken all the same, and on a loaded one it takes the
 * processor from them.
 * The map of AFL's instrumentation is emptied before each test for those who ask what was reached;
 * it is as large as the server says, or as AFL's first one was.
 * Memory: 8 MiB of address space a slot for the map.  Sources: AFL++'s documents on persistent mode
 * and the layout of its messages. */
#include "run/server.h"

#include <assert.h>
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

#include "base/fail.h"
#include "os/child.h"
#include "os/descriptor.h"
#include "os/executable.h"
#include "os/process_tree.h"
#include "os/spawn.h"
#include "run/launcher.h"

enum {
    CONTROL_FD = 198,          /* what the server reads from */
    STATUS_FD = 199,           /* and writes to */
    MAP_BYTES = 8 << 20,       /* more than any program of AFL++ asks for by default */
    USUAL_MAP_BYTES = 1 << 16, /* of a server that does not say */
    INPUT_BYTES = 1 << 20,     /* of a candidate in shared memory, as AFL++ limits it */
    MAX_DICTIONARY = 16 << 20  /* bytes that a server may offer us */
};

/* The first word and the options, old form. */
static const uint32_t OLD_ENABLED = 0x80000001, OLD_SHARED_INPUT = 0x01000000;
static const uint32_t OLD_ERROR = 0xf800008f;
static const uint32_t OLD_MAP_SIZE = 0x40000000, OLD_MAP_SIZE_BITS = 0x00fffffe; /* less 1, twice */
/* New form: the word with a version, our answer its complement; then options, their
 * values in the order of the bits, and the first word again. */
static const uint32_t NEW_HELLO = 0x41464c00, NEW_MASK = 0xffffff00;
static const uint32_t NEW_MAP_SIZE = 0x1, NEW_SHARED_INPUT = 0x2, NEW_DICTIONARY = 0x800;

/* Memory that the server finds by the number in its environment. */
struct shared {
    int id;
    unsigned char *bytes; /* owned mapping; NULL: none */
};

/* The slot's descriptors. */
enum { STATUS = PARE_SERVER_HEARD, CONTROL, INPUT, CHILDREN };

/* What this protocol keeps for each slot, beside its server. */
struct slot {
    pare_server server;       /* CHILDREN: of the child that loops */
    struct shared map, input; /* owned, as long as the launcher */
    uint32_t words[2];        /* about the test: its process, how it ended */
    unsigned n_words;         /* of them heard yet */
    size_t map_bytes;         /* of the map that the server uses; 0: not known yet */
    bool takes_shared;        /* the candidate is wanted in `input` */
    bool loops;               /* a test has returned to the loop */
    pid_t child;
};

/* The slot's struct begins with its server. */
static struct slot *slot_of(const pare_server_launcher *self, unsigned k)
{
    return (struct slot *)(void *)pare_server_of(self, k);
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

/* Detaches; the kernel frees it when the server is gone too. */
static void unshare_memory(struct shared *shared)
{
    if (shared->bytes) (void)shmdt(shared->bytes);
    shared->bytes = NULL;
}

/* --- words ------------------------------------------------------------------- */

/* Reads one word of the greeting. Its bytes may arrive one by one. False: the server is dead, or
 * silent for PARE_SERVER_START_MS. */
static bool read_word(const struct slot *slot, uint32_t *word)
{
    size_t used = 0;
    while (used < sizeof *word) {
        if (!pare_descriptor_await(slot->server.fds[STATUS], PARE_SERVER_START_MS)) return false;
        ssize_t n = read(slot->server.fds[STATUS], (char *)word + used, sizeof *word - used);
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
    ssize_t n = read(slot->server.fds[STATUS], slot->words + slot->n_words,
                     sizeof slot->words - slot->n_words * sizeof *slot->words);
    if (n < 0) return errno == EAGAIN || errno == EINTR;
    if (n == 0 || n % (ssize_t)sizeof *slot->words) return false;
    slot->n_words += (unsigned)n / sizeof *slot->words;
    assert(slot->n_words <= 2);
    return true;
}

/* Our end of the control pipe is a socket, so that a dead server is an error, no signal. */
static bool write_word(const struct slot *slot, uint32_t word)
{
    return send(slot->server.fds[CONTROL], &word, sizeof word, MSG_NOSIGNAL) ==
           (ssize_t)sizeof word;
}

/* A fuzzer would learn from the words that the program compares with; we have no use for them. */
static bool skip_dictionary(const struct slot *slot)
{
    uint32_t left;
    char bytes[4096];
    if (!read_word(slot, &left) || left > MAX_DICTIONARY) return false;
    while (left) {
        if (!pare_descriptor_await(slot->server.fds[STATUS], PARE_SERVER_START_MS)) return false;
        ssize_t n =
            read(slot->server.fds[STATUS], bytes, left < sizeof bytes ? left : sizeof bytes);
        if (n <= 0) return false;
        left -= (uint32_t)n;
    }
    return true;
}

/* Options are read in the order of their bits; one that we do not know would shift what
 * follows, and then the last word does not match. */
static bool greet_new(struct slot *slot, uint32_t hello)
{
    uint32_t options, size = USUAL_MAP_BYTES, again;
    if (!write_word(slot, ~hello) || !read_word(slot, &options)) return false;
    if (options & NEW_MAP_SIZE && (!read_word(slot, &size) || size > MAP_BYTES)) return false;
    slot->map_bytes = size;
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
    slot->map_bytes = has_options && hello & OLD_MAP_SIZE ? ((hello & OLD_MAP_SIZE_BITS) >> 1) + 1
                                                          : USUAL_MAP_BYTES;
    if (slot->map_bytes > MAP_BYTES) return false;
    return !slot->takes_shared || write_word(slot, OLD_ENABLED | OLD_SHARED_INPUT);
}

/* Reads the greeting: the first word tells which form of the protocol the server speaks. A form
 * that we do not know is a refusal and not an error: the program may have been built with another
 * version of AFL. */
static pare_status greet(const pare_server_launcher *self, unsigned k, const char *path,
                         pare_error *err)
{
    struct slot *slot = slot_of(self, k);
    uint32_t hello;
    if (!read_word(slot, &hello)) return pare_server_refuse(self, path, "it does not greet", err);
    bool is_new = (hello & NEW_MASK) == NEW_HELLO;
    bool good = is_new ? greet_new(slot, hello) : greet_old(slot, hello);
    return good ? PARE_OK
                : pare_server_refuse(self, path, "they do not understand each other", err);
}

/* --- servers ----------------------------------------------------------------- */

/* Makes the pipes of the slot: the server reads from theirs[0] and writes to theirs[1]. On failure,
 * what was made stays in the slot and in `theirs`, for the caller to close. */
static pare_status make_fds(struct slot *slot, int theirs[2], pare_error *err)
{
    int *fds = slot->server.fds;
    int control[2], status_pipe[2];
    pare_status status = pare_descriptor_sockets(SOCK_STREAM, PARE_SERVER_LEAST_FD, control,
                                                 "a socket for a server of tests", err);
    if (status) return status;
    fds[CONTROL] = control[0];
    theirs[0] = control[1];
    status = pare_descriptor_pipe(PARE_SERVER_LEAST_FD, status_pipe, "a pipe for AFL's fork server",
                                  err);
    if (status) return status;
    fds[STATUS] = status_pipe[0];
    theirs[1] = status_pipe[1];
    (void)fcntl(fds[STATUS], F_SETFL, O_NONBLOCK);
    fds[INPUT] =
        pare_descriptor_raise(memfd_create("pare-input", MFD_CLOEXEC), PARE_SERVER_LEAST_FD);
    if (fds[INPUT] < 0)
        return pare_fail_errno(err, errno, "cannot make descriptors for AFL's fork server");
    return PARE_OK;
}

/* AFL's runtime only loops, or waits for the place marked in the program, if it is told to. A
 * fuzzer finds these marks in the program's file, and so do we. */
static pare_status spawn(pare_server_launcher *self, unsigned k, const pare_launch *launch,
                         const pare_executable *program, const int theirs[2], pare_error *err)
{
    struct slot *slot = slot_of(self, k);
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
                                     .input_fd = launch->on_input ? slot->server.fds[INPUT] : -1,
                                     .output_fd = launch->output_fd,
                                     .error_fd = launch->error_fd,
                                     .inherited = inherited,
                                     .n_inherited = 2};
    slot->loops = false;
    return pare_server_spawn(self, k, launch, &start, err);
}

/* Shared memory is made once for the slot, and found by each of its servers. */
static pare_status open_server(pare_server_launcher *self, unsigned k, const pare_launch *launch,
                               pare_error *err)
{
    struct slot *slot = slot_of(self, k);
    pare_executable program;
    int theirs[2] = {-1, -1};
    pare_status status = pare_executable_read(launch->path, &program, err);
    if (status) return status;
    if (!program.has_afl)
        return pare_server_refuse(self, launch->path, "it was not compiled by AFL", err);
    status = share(&slot->map, MAP_BYTES, err);
    if (!status) status = share(&slot->input, sizeof(uint32_t) + INPUT_BYTES, err);
    if (!status) status = make_fds(slot, theirs, err);
    if (!status) status = spawn(self, k, launch, &program, theirs, err);
    pare_descriptor_close(&theirs[0]);
    pare_descriptor_close(&theirs[1]);
    return status ? status : greet(self, k, launch->path, err);
}

/* --- tests ------------------------------------------------------------------- */

/* Puts the candidate where the server's child looks for it, in addition to its file. */
static pare_status deliver(const pare_server_launcher *self, unsigned k, const pare_launch *launch,
                           pare_error *err)
{
    struct slot *slot = slot_of(self, k);
    assert(slot->server.pid);
    uint32_t size = (uint32_t)launch->size_bytes;
    if (slot->takes_shared) {
        if (launch->size_bytes > INPUT_BYTES)
            return pare_server_refuse(self, launch->path, "it takes candidates of at most 1 MiB",
                                      err);
        memcpy(slot->input.bytes, &size, sizeof size);
        if (size) memcpy(slot->input.bytes + sizeof size, launch->bytes, size);
    }
    if (!launch->on_input || slot->takes_shared) return PARE_OK;
    if (ftruncate(slot->server.fds[INPUT], 0) || lseek(slot->server.fds[INPUT], 0, SEEK_SET) < 0)
        return pare_fail_errno(err, errno, "cannot write the candidate");
    for (size_t done = 0; done < launch->size_bytes;) {
        ssize_t n = pwrite(slot->server.fds[INPUT], (const char *)launch->bytes + done,
                           launch->size_bytes - done, (off_t)done);
        if (n <= 0) return pare_fail_errno(err, errno, "cannot write the candidate");
        done += (size_t)n;
    }
    return PARE_OK;
}

/* The word says that no process of ours was killed; a server that was is not used again. */
static pare_status send_test(pare_server_launcher *self, unsigned k, const pare_launch *launch,
                             bool *sent, pare_error *err)
{
    struct slot *slot = slot_of(self, k);
    pare_status status = deliver(self, k, launch, err);
    if (status) return status;
    slot->n_words = 0;
    /* What the server itself covered when it started is not the test's coverage. */
    if (self->wants_coverage) memset(slot->map.bytes, 0, slot->map_bytes);
    *sent = write_word(slot, 0);
    return PARE_OK;
}

/* Translates the server's last word, which is a status of waitpid. A child that has stopped is a
 * loop that returned, which counts as a normal end. */
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

/* The server has said which process runs the test.  The list of that one's children is kept open
 * from test to test, so that looking for what a loop has left costs one system call. */
static void note_child(struct slot *slot, pid_t child)
{
    if (slot->child == child && slot->server.fds[CHILDREN] >= 0) return;
    slot->child = child;
    pare_descriptor_close(&slot->server.fds[CHILDREN]);
    slot->server.fds[CHILDREN] = pare_child_open_list(child);
}

/* A child that was killed alone may leave its server confused, so both were: here only what a
 * server says that lives on is heard, or that it has died. */
static pare_status hear(pare_server_launcher *self, unsigned k, bool *ended, pare_ending *ending,
                        pare_error *err)
{
    struct slot *slot = slot_of(self, k);
    (void)err;
    bool alive = read_words(slot);
    *ended = !alive || slot->n_words == 2;
    if (!*ended) return PARE_OK;
    if (!alive) {
        pare_server_close(self, k, NULL);
        *ending = (pare_ending){.exit_code = -1, .lost = true};
        return PARE_OK;
    }
    note_child(slot, (pid_t)slot->words[0]);
    understand(slot->words[1], ending);
    /* A process that loops would run the next test in what this one left behind: processes that it
     * started, and state that it changed. */
    bool loops = WIFSTOPPED((int)slot->words[1]);
    if (loops && pare_child_first(slot->server.fds[CHILDREN])) {
        pare_server_close(self, k, NULL);
        *ending = (pare_ending){.exit_code = -1, .unsure = true};
        return PARE_OK;
    }
    ending->unsure = !loops && slot->loops;
    slot->loops = loops;
    /* The child is gone, its number free. */
    if (!loops) pare_descriptor_close(&slot->server.fds[CHILDREN]);
    return PARE_OK;
}

/* Whether the server takes the candidate's bytes from memory; only one that runs has told. */
static bool takes_bytes(const pare_server *server)
{
    return server->pid && ((const struct slot *)(const void *)server)->takes_shared;
}

/* The server has attached the same memory; its child has written there. */
static unsigned char *coverage(pare_server *server, size_t *size_bytes)
{
    const struct slot *slot = (const struct slot *)(const void *)server;
    *size_bytes = slot->map_bytes;
    return slot->map_bytes ? slot->map.bytes : NULL;
}

/* The memory stays as long as the slot, since each of its servers finds it by the same numbers: it
 * goes with the launcher, after the last server. */
static void release_slot(pare_server *server)
{
    struct slot *slot = (struct slot *)(void *)server;
    unshare_memory(&slot->map);
    unshare_memory(&slot->input);
}

const pare_server_protocol pare_launch_afl = {.slot_bytes = sizeof(struct slot),
                                              .refusal = "AFL's fork server cannot run",
                                              .keeps_output = true,
                                              .keeps_error = true,
                                              .open = open_server,
                                              .send = send_test,
                                              .hear = hear,
                                              .takes_bytes = takes_bytes,
                                              .coverage = coverage,
                                              .release_slot = release_slot};
