/* Runs scripts in an engine: one process for each script, from its spawn to the end of its process
 * tree.
 *
 * An engine gets the same environment as a test of the reducer: a private directory
 * (os/sandbox/slotdir.h) with the script, the sandbox of programs, limits, and a guard that cleans
 * up if we are killed.  There is one slot, and nothing else to do while a script runs, so we wait
 * for the process and for a requested stop with one poll.
 *
 * Standard output and error are files in memory rather than pipes: nobody has to read while the
 * engine runs, its output before a crash is complete, and the kernel's limit on file sizes bounds
 * it.
 * Invariant: both are emptied before each run, so nothing of one is taken for the next's. */
#include "generate/discovery/script_engine.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pare/stop.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "os/clock.h"
#include "os/descriptor.h"
#include "os/file.h"
#include "os/process_tree.h"
#include "os/sandbox/guard.h"
#include "os/sandbox/sandbox.h"
#include "os/sandbox/slotdir.h"
#include "os/spawn.h"
#include "os/stop.h"
#include "run/command.h"
#include "run/invocation.h"

enum { SHOWN_BYTES = 200 }; /* of what an engine says */

static const char SCRIPT_NAME[] = "script.js";

/* The members are in the order in which they are made. */
struct pare_script_engine {
    const pare_stop *stop; /* borrowed; may be NULL */
    pare_command command;
    pare_invocation invocation;
    char digest[PARE_DIGEST_TEXT_BYTES];
    char run_id[PARE_PROCESS_TREE_RUN_ID_BYTES];
    pare_spawner spawner;
    pare_slotdirs *dirs; /* owned; one slot */
    pare_guard guard;
    pare_process_tree tree;
    pare_sandbox *sandbox;   /* owned */
    int output_fd, error_fd; /* owned */
};

/* --- opening --------------------------------------------------------------------------------- */

/* Reads the engine's command: words with "@@", or one command line. Without
 * "@@" the script is its standard input. *name is the script's file name, with
 * the suffix that the command asks for. */
static pare_status prepare_command(pare_script_engine *self, const pare_engine_options *options,
                                   pare_buffer *name, pare_error *err)
{
    if (!options->n_words) return pare_fail(err, PARE_E_ARG, "the engine's command is missing");
    const pare_names none = {.items = NULL};
    pare_status status =
        pare_command_init_target(&self->command, options->words, options->n_words, none, err);
    if (!status)
        status = pare_command_name_file(options->words, options->n_words, SCRIPT_NAME, name, err);
    const pare_command *command = &self->command;
    if (!status)
        status =
            pare_invocation_init(&self->invocation, &command, 1, NULL, (pare_names){.n = 0}, err);
    return status;
}

/* Works out the digest by which an engine is known: that of its program file
 * alone, as another script or option is the same engine. */
static pare_status prepare_digest(pare_script_engine *self, pare_error *err)
{
    pare_hash hash = {.lane = {0}};
    size_t size = 0;
    const char *program = self->command.words[self->command.is_shell ? 0 : 1];
    pare_status status = pare_file_hash(program, &hash, &size, err);
    if (!status) pare_digest_text(pare_digest_of(hash, size), self->digest);
    return status;
}

/* Makes a file in memory, which nobody else can open. Its descriptor is moved
 * out of the way of the three that the child's are copied to. */
static pare_status prepare_output(int *fd, pare_error *err)
{
    *fd = pare_descriptor_raise(memfd_create("pare-engine", MFD_CLOEXEC), PARE_SPAWN_LEAST_FD);
    return *fd < 0 ? pare_fail_errno(err, errno, "cannot make a file for an engine's output")
                   : PARE_OK;
}

/* Makes the directory of the scripts and the files of the output. The guard
 * starts as soon as there is something to remove. */
static pare_status prepare_place(pare_script_engine *self, const char *name, pare_error *err)
{
    const pare_slotdirs_options dirs = {.run_id = self->run_id, .base_name = name, .n_slots = 1};
    pare_status status = pare_spawner_init(&self->spawner, err);
    if (!status) status = pare_slotdirs_new(&dirs, &self->dirs, err);
    if (status) return status;
    const char *const roots[] = {pare_slotdirs_root(self->dirs),
                                 pare_slotdirs_disk_root(self->dirs), NULL};
    status = pare_guard_open(&self->guard, &self->spawner, self->run_id, roots, err);
    if (!status) status = prepare_output(&self->output_fd, err);
    if (!status) status = prepare_output(&self->error_fd, err);
    return status;
}

/* Makes the sandbox, as for a program that is reduced: an engine that runs such
 * scripts is not trusted. */
static pare_status prepare_sandbox(pare_script_engine *self, const pare_engine_options *options,
                                   pare_error *err)
{
    const pare_sandbox_options sandbox = {
        .level = PARE_LEVEL_FULL,
        .limits = {.memory_bytes = options->memory_bytes,
                   .file_bytes = PARE_SCRIPT_ENGINE_OUTPUT_BYTES},
        .is_emulated = self->spawner.emulated,
    };
    pare_status status = pare_process_tree_init(&self->tree, self->run_id, 1, false, err);
    if (status) return status;
    self->tree.spared[0] = self->guard.child.pid;
    pare_process_tree_mark(&self->tree, 0, self->invocation.mark);
    return pare_sandbox_new(&sandbox, &self->tree, &self->sandbox, err);
}

/* Opens an engine; nothing runs yet but the guard. On PARE_OK the caller owns *out. */
pare_status pare_script_engine_open(const pare_engine_options *options, pare_script_engine **out,
                                    pare_error *err)
{
    pare_buffer name = {0};
    pare_script_engine *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->stop = options->stop;
    self->output_fd = self->error_fd = -1;
    pare_process_tree_name_run(self->run_id);
    pare_status status = prepare_command(self, options, &name, err);
    if (!status) status = prepare_digest(self, err);
    if (!status) status = prepare_place(self, name.data, err);
    if (!status) status = prepare_sandbox(self, options, err);
    pare_buffer_done(&name);
    if (status)
        pare_script_engine_free(self);
    else
        *out = self;
    return status;
}

/* NULL is a no-op. Ends everything in the opposite order of its making; the
 * guard goes when nothing is left to guard. */
void pare_script_engine_free(pare_script_engine *self)
{
    if (!self) return;
    pare_sandbox_free(self->sandbox);
    if (self->tree.run_id) pare_process_tree_done(&self->tree);
    pare_slotdirs_free(self->dirs);
    pare_descriptor_close(&self->output_fd);
    pare_descriptor_close(&self->error_fd);
    pare_guard_close(&self->guard);
    pare_spawner_done(&self->spawner);
    pare_invocation_done(&self->invocation);
    pare_command_done(&self->command);
    pare_alloc_free(self);
}

/* The command for people, in which the place of the script is still marked. */
const char *pare_script_engine_command(const pare_script_engine *engine)
{
    return engine->command.shown;
}

/* The digest of its program file; borrowed. */
const char *pare_script_engine_digest(const pare_script_engine *engine)
{
    return engine->digest;
}

/* --- a run ----------------------------------------------------------------------------------- */

/* Gives the script's bytes to the directory. Called twice when memory is full
 * and the directory moves to disk. */
static int fill_script(void *context, pare_iovec *gather)
{
    const pare_buffer *script = context;
    return pare_descriptor_gather_add(gather, script->data, script->size);
}

/* Empties a file. We and the engine share one position in it, so where it is
 * put here is where the engine begins to write. */
static bool empty(int fd)
{
    return !ftruncate(fd, 0) && lseek(fd, 0, SEEK_SET) == 0;
}

/* Starts the engine on the script that is in its directory. `input_fd` is its
 * standard input, or -1. */
static pare_status start(pare_script_engine *self, int input_fd, pare_child *child, pare_error *err)
{
    const char *folder = pare_slotdirs_folder(self->dirs, 0);
    const pare_invocation_place place = {.folder = folder,
                                         .path = pare_slotdirs_path(self->dirs, 0)};
    pare_status status = pare_invocation_write(&self->invocation, &self->command, &place, err);
    if (status) return status;
    /* execve takes its words without const, and leaves them alone. */
    char *const *argv = (char *const *)(const void *)self->invocation.argv;
    const pare_spawn order = {.path = argv[1],
                              .argv = argv + 1,
                              .shell_argv = argv,
                              .envp = (char *const *)(const void *)self->invocation.environment,
                              .directory_fd = pare_slotdirs_fd(self->dirs, 0),
                              .directory = folder,
                              .input_fd = input_fd,
                              .output_fd = self->output_fd,
                              .error_fd = self->error_fd,
                              .limits = pare_sandbox_limits(self->sandbox),
                              .kind = PARE_SPAWN_TEST};
    status = pare_sandbox_start(self->sandbox, 0, &self->spawner, &order, child, err);
    if (status) pare_fail_prefix(err, "%s", argv[1]);
    return status;
}

/* Waits for the engine's end, its time, or a requested stop; true if it has
 * ended by itself. A signal that interrupts the wait only makes the time that
 * is left be computed again. */
static bool await(const pare_script_engine *self, int pidfd, uint64_t deadline_ms)
{
    struct pollfd fds[] = {{.fd = pidfd, .events = POLLIN},
                           {.fd = pare_stop_fd(self->stop), .events = POLLIN}};
    for (;;) {
        uint64_t now = pare_clock_ms();
        if (now >= deadline_ms) return false;
        uint64_t left = deadline_ms - now;
        int n = poll(fds, 2, left < INT32_MAX ? (int)left : INT32_MAX);
        if (n < 0 && errno != EINTR) return false;
        if (n > 0) return !fds[1].revents;
    }
}

/* Ends what is left of the engine with all that it has started, and notes how
 * it ended. The signal by which we have killed it is not reported as its own. */
static pare_status finish(pare_script_engine *self, const pare_child *child, bool ended,
                          pare_script_run *run, pare_error *err)
{
    pare_ending ending = {0};
    if (!ended) pare_process_tree_kill(&self->tree, 0, child->pidfd);
    struct pollfd fd = {.fd = child->pidfd, .events = POLLIN};
    while (poll(&fd, 1, -1) < 0 && errno == EINTR)
        continue;
    pare_status status = pare_process_tree_leave(&self->tree, 0, &ending, err);
    pare_sandbox_leave(self->sandbox, 0);
    (void)close(child->pidfd);
    run->timed_out = !ended;
    run->signal = ended ? ending.signal : 0;
    run->exit_code = ending.exit_code;
    return status;
}

/* Reads what was written to `fd` from its start. */
static pare_status read_output(int fd, pare_buffer *buffer, pare_error *err)
{
    pare_buffer_reset(buffer);
    if (lseek(fd, 0, SEEK_SET) < 0) return pare_fail_errno(err, errno, "an engine's output");
    return pare_file_read_fd(fd, "an engine's output", buffer, err);
}

/* Runs the script that is in its directory; *run says how that ended. */
static pare_status run_script(pare_script_engine *self, uint64_t timeout_ms, pare_script_run *run,
                              pare_error *err)
{
    pare_child child = {.pidfd = -1};
    int input_fd = -1;
    if (self->command.on_input) {
        input_fd = open(pare_slotdirs_path(self->dirs, 0), O_RDONLY | O_CLOEXEC);
        input_fd = pare_descriptor_raise(input_fd, PARE_SPAWN_LEAST_FD);
        if (input_fd < 0) return pare_fail_errno(err, errno, "%s", SCRIPT_NAME);
    }
    /* The time begins before the spawn, which the sandbox makes longer: it is part of what a run
     * costs, and the limits are far above it. */
    uint64_t began = pare_clock_ms();
    pare_status status = start(self, input_fd, &child, err);
    if (!status) {
        pare_process_tree_enter(&self->tree, 0, child.pid);
        bool ended = await(self, child.pidfd, began + timeout_ms);
        status = finish(self, &child, ended, run, err);
    }
    run->ms = pare_clock_ms() - began;
    pare_descriptor_close(&input_fd);
    return status;
}

/* Runs a script; *printed is its standard output. How the engine ends is no
 * error: *run says it. The directory is emptied afterwards, so what an engine
 * leaves there is not seen by the next. */
pare_status pare_script_engine_run(pare_script_engine *self, const pare_buffer *script,
                                   uint64_t timeout_ms, pare_buffer *printed, pare_script_run *run,
                                   pare_error *err)
{
    assert(script->size && "an empty script says nothing about an engine");
    *run = (pare_script_run){0};
    if (!empty(self->output_fd) || !empty(self->error_fd))
        return pare_fail_errno(err, errno, "cannot empty a file for an engine's output");
    pare_status status =
        pare_slotdirs_put(self->dirs, 0, fill_script, (void *)(uintptr_t)script, err);
    if (status) return status;
    status = run_script(self, timeout_ms, run, err);
    pare_slotdirs_clear(self->dirs, 0);
    if (!status && pare_stop_requested(self->stop))
        status = pare_fail(err, PARE_E_INTERRUPTED, "interrupted");
    if (!status) status = read_output(self->output_fd, printed, err);
    run->flooded = !status && printed->size >= PARE_SCRIPT_ENGINE_OUTPUT_BYTES;
    assert(status || !run->timed_out || !run->signal);
    return status;
}

/* Says in a sentence how a run ended, with the first line of its standard
 * error. That is read only here: most runs that go wrong are never told of, and
 * an engine may fill it with warnings. */
pare_status pare_script_engine_describe(pare_script_engine *self, const pare_script_run *run,
                                        pare_buffer *text, pare_error *err)
{
    pare_buffer said = {0};
    pare_buffer_reset(text);
    if (run->timed_out)
        return pare_buffer_format(text, err, "does not end in %llu ms",
                                  (unsigned long long)run->ms);
    pare_status status = read_output(self->error_fd, &said, err);
    size_t size = said.size ? strcspn(said.data, "\r\n") : 0;
    if (size > SHOWN_BYTES) size = SHOWN_BYTES;
    if (!status)
        status = pare_buffer_format(text, err, "ends with %s %d%s%.*s",
                                    run->signal ? "signal" : "exit code",
                                    run->signal ? run->signal : run->exit_code, size ? ": " : "",
                                    (int)size, size ? said.data : "");
    pare_buffer_done(&said);
    return status;
}
