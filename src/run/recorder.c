/* Runs of a generator whose random numbers are recorded, or replayed.
 *
 * One generator at a time: the shared file is prepared, the generator started with our library
 * preloaded (shim/interpose.c), waited for, and what it drew is read from the file.  Its
 * standard output is the text that it generates.
 *
 * The file lies beside the generator's folder, in the run's own directory, and is mapped by both
 * sides: a draw costs the generator no system call.  Its content was written by a process that may
 * still be alive, so each draw is copied before it is checked, and an invalid draw is read as one
 * with a single possibility.
 *
 * A generator counts as hostile, like a test: it gets its own folder, a guard, a time limit and a
 * limit on file sizes, but no sandbox.  Its group is killed after each run.
 *
 * Invariant: outputs and list are emptied before each run, so nothing of one is taken for the
 * next's. */
#include "run/recorder.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "os/child.h"
#include "os/descriptor.h"
#include "os/executable.h"
#include "os/process_tree.h"
#include "os/sandbox/guard.h"
#include "os/sandbox/slotdir.h"
#include "os/spawn.h"
#include "run/shim/random_protocol.h"

extern char **environ;

enum {
    SAID_BYTES = 4096, /* of its error output, for a message */
    N_VARIABLES = 3    /* LD_PRELOAD, the path of the shared file, the mark of the run */
};

struct pare_recorder {
    char run_id[PARE_PROCESS_TREE_RUN_ID_BYTES];
    char *library;       /* owned: the shim's path */
    pare_slotdirs *dirs; /* owned; one slot, the generator's folder */
    pare_spawner spawner;
    pare_guard guard;
    pare_random_area *area;             /* owned mapping; NULL: none */
    pare_buffer area_path;              /* of its file */
    int output_fd, error_fd;            /* owned; what a run prints, emptied before each */
    pare_buffer variables[N_VARIABLES]; /* "NAME=VALUE"; the first is that of `program` */
    pare_buffer program;                /* the path of the last run's; empty: none yet */
};

/* --- making ------------------------------------------------------------------------- */

/* A name that no other run has, and the folder that goes with it. */
static pare_status name_run(pare_recorder *self, pare_error *err)
{
    pare_process_tree_name_run(self->run_id);
    const pare_slotdirs_options dirs = {
        .run_id = self->run_id, .base_name = "generator", .n_slots = 1};
    return pare_slotdirs_new(&dirs, &self->dirs, err);
}

/* Makes and maps the file that the generator's processes share with us.  It lies beside the folder,
 * in the run's directory, where nothing else has to do, and is as large as the longest list: a
 * sparse file, of which only what is drawn takes memory. */
static pare_status make_area(pare_recorder *self, pare_error *err)
{
    const char *root = pare_slotdirs_root(self->dirs);
    pare_status status = pare_slotdirs_open(self->dirs, 0, err);
    if (!status) status = pare_buffer_format(&self->area_path, err, "%s/random", root);
    if (status) return status;
    int fd = open(self->area_path.data, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) return pare_fail_errno(err, errno, "%s", self->area_path.data);
    void *mapped = MAP_FAILED;
    if (!ftruncate(fd, (off_t)PARE_RANDOM_BYTES))
        mapped = mmap(NULL, PARE_RANDOM_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (mapped == MAP_FAILED)
        status = pare_fail_errno(err, errno, "%s", self->area_path.data);
    else
        self->area = mapped;
    (void)close(fd);
    return status;
}

/* A file in memory: it is as long as what was printed, and nobody has to read along. */
static pare_status make_output(int *fd, pare_error *err)
{
    *fd = pare_descriptor_raise(memfd_create("pare-generator", MFD_CLOEXEC), PARE_SPAWN_LEAST_FD);
    return *fd < 0 ? pare_fail_errno(err, errno, "cannot make a file for a generator's output")
                   : PARE_OK;
}

/* The guard stands before anything is made that it removes.  What fails leaves the rest to
 * pare_recorder_free. */
static pare_status prepare(pare_recorder *self, pare_error *err)
{
    pare_status status = pare_executable_find_own(PARE_SHIM_RANDOM, &self->library, err);
    if (!status) status = name_run(self, err);
    if (!status) status = pare_spawner_init(&self->spawner, err);
    if (status) return status;
    const char *const roots[] = {pare_slotdirs_root(self->dirs),
                                 pare_slotdirs_disk_root(self->dirs), NULL};
    status = pare_guard_open(&self->guard, &self->spawner, self->run_id, roots, err);
    if (!status) status = make_area(self, err);
    if (!status) status = make_output(&self->output_fd, err);
    if (!status) status = make_output(&self->error_fd, err);
    if (!status)
        status = pare_buffer_format(&self->variables[1], err, "%s=%s", PARE_RANDOM_VARIABLE,
                                    self->area_path.data);
    if (!status)
        status = pare_buffer_format(&self->variables[2], err, "PARE_TEST=%s.0", self->run_id);
    return status;
}

/* The file and folder of the run are made here, once; runs only empty them. */
pare_status pare_recorder_new(pare_recorder **out, pare_error *err)
{
    pare_recorder *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->output_fd = self->error_fd = -1;
    pare_status status = prepare(self, err);
    if (status)
        pare_recorder_free(self);
    else
        *out = self;
    return status;
}

/* In the opposite order of their making; the guard goes when nothing is left to guard. */
void pare_recorder_free(pare_recorder *self)
{
    if (!self) return;
    if (self->area) (void)munmap(self->area, PARE_RANDOM_BYTES);
    if (self->output_fd >= 0) (void)close(self->output_fd);
    if (self->error_fd >= 0) (void)close(self->error_fd);
    pare_slotdirs_free(self->dirs);
    pare_guard_close(&self->guard);
    pare_spawner_done(&self->spawner);
    for (size_t i = 0; i < N_VARIABLES; i++)
        pare_buffer_done(&self->variables[i]);
    pare_buffer_done(&self->area_path);
    pare_buffer_done(&self->program);
    pare_alloc_free(self->library);
    pare_alloc_free(self);
}

/* So that the oracle beside us does not take it for a stray (pare_process_spare). */
pid_t pare_recorder_guard(const pare_recorder *recorder)
{
    return recorder->guard.child.pid;
}

/* --- running ------------------------------------------------------------------------- */

/* Sets the variable that names what is preloaded into a program.  The program is searched for the
 * runtimes that have to come first, a millisecond for each two megabytes: once, since a recorder's
 * runs are of one program. */
static pare_status name_preloads(pare_recorder *self, const char *path, pare_error *err)
{
    pare_executable program;
    pare_buffer *preloads = &self->variables[0];
    if (self->program.size && strcmp(self->program.data, path) == 0) return PARE_OK;
    /* What cannot be read is for the start to complain of. */
    if (pare_executable_read(path, &program, NULL)) program = (pare_executable){.is_elf = false};
    pare_buffer_reset(preloads);
    pare_buffer_reset(&self->program);
    pare_status status =
        pare_executable_name_preloads(&program, self->library, environ, preloads, err);
    return status ? status : pare_buffer_text(&self->program, path, err);
}

/* Our environment with the variables that our library needs in it; the caller releases *out. */
static pare_status make_environment(pare_recorder *self, const char *path, const char ***out,
                                    pare_error *err)
{
    pare_status status = name_preloads(self, path, err);
    if (status) return status;
    const char *variables[N_VARIABLES + 1] = {NULL};
    for (size_t k = 0; k < N_VARIABLES; k++)
        variables[k] = self->variables[k].data;
    *out = pare_spawn_environment(environ, variables);
    return *out ? PARE_OK : pare_fail_nomem(err);
}

/* Empties the area, and puts the list there that is to be replayed.  A list that is longer than any
 * run may be is cut: the run would be ended as FULL before it gets there. */
static void set_list(pare_random_area *area, const pare_recorder_run *run)
{
    size_t n = run->n_list < PARE_RANDOM_MAX_DRAWS ? run->n_list : PARE_RANDOM_MAX_DRAWS;
    *area = (pare_random_area){.replays = run->list != NULL, .n_list = n};
    if (run->list && n) memcpy(pare_random_list(area), run->list, n * sizeof *run->list);
}

/* Waits for the generator, and ends what is left of its group, also of one that ended in time: its
 * children would draw into the next run's list. */
static void await(const pare_child *child, const pare_recorder_run *run,
                  pare_recorder_result *result)
{
    siginfo_t info = {.si_pid = 0};
    bool ended = pare_descriptor_await(child->pidfd, run->timeout_ms);
    (void)pare_child_kill_group(child->pid);
    (void)pare_child_wait(child->pid, WEXITED, &info, NULL);
    (void)close(child->pidfd);
    result->code = info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
    result->end = !ended         ? PARE_RECORDER_TIMED_OUT
                  : result->code ? PARE_RECORDER_FAILED
                                 : PARE_RECORDER_DONE;
}

/* Starts the generator in its folder and waits for its end.  Its limits are those of the caller,
 * but for a bound on what it may write. */
static pare_status spawn(pare_recorder *self, const pare_recorder_run *run,
                         const char **environment, pare_recorder_result *result, pare_error *err)
{
    pare_child child = {.pidfd = -1};
    /* execve takes its words without const, and leaves them alone. */
    char *const *words = (char *const *)(const void *)run->words;
    const pare_spawn_limits limits = {.file_bytes = pare_spawn_limits_file_bytes()};
    const pare_spawn order = {.path = words[1],
                              .argv = words + 1,
                              .shell_argv = words,
                              .envp = (char *const *)(const void *)environment,
                              .directory_fd = pare_slotdirs_fd(self->dirs, 0),
                              .input_fd = -1,
                              .output_fd = self->output_fd,
                              .error_fd = self->error_fd,
                              .limits = &limits,
                              .kind = PARE_SPAWN_TEST};
    pare_status status = pare_spawner_start(&self->spawner, &order, &child, err);
    if (status)
        pare_fail_prefix(err, "%s", words[1]);
    else
        await(&child, run, result);
    return status;
}

/* Whatever the exit code, an exhausted or full list is why it ended. */
static void read_area(pare_random_area *area, pare_recorder_result *result)
{
    uint32_t ended = atomic_load(&area->ended);
    uint64_t n = atomic_load(&area->n_draws);
    if (ended == PARE_RANDOM_EXHAUSTED) result->end = PARE_RECORDER_EXHAUSTED;
    if (ended == PARE_RANDOM_FULL) result->end = PARE_RECORDER_FULL;
    result->attached = atomic_load(&area->n_attached) > 0;
    result->n_draws = n < PARE_RANDOM_MAX_DRAWS ? (size_t)n : PARE_RANDOM_MAX_DRAWS;
}

/* Fills *buffer from the file's beginning; at most `most` bytes, 0: all. */
static pare_status read_output(int fd, size_t most, pare_buffer *buffer, pare_error *err)
{
    struct stat info;
    if (fstat(fd, &info)) return pare_fail_errno(err, errno, "a generator's output");
    size_t size = info.st_size > 0 ? (size_t)info.st_size : 0;
    if (most && size > most) size = most;
    pare_buffer_reset(buffer);
    pare_status status = pare_buffer_reserve(buffer, size, err);
    while (!status && buffer->size < size) {
        ssize_t n =
            pread(fd, buffer->data + buffer->size, size - buffer->size, (off_t)buffer->size);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return pare_fail_errno(err, errno, "a generator's output");
        if (n == 0) break;
        buffer->size += (size_t)n;
    }
    if (!status && buffer->data) buffer->data[buffer->size] = '\0';
    return status;
}

/* What is left of the last run's output goes.  The file's position is shared with the generator, so
 * it is set back as well. */
static bool empty(int fd)
{
    return !ftruncate(fd, 0) && lseek(fd, 0, SEEK_SET) == 0;
}

/* A generator that fails is a result, not an error: *result says so. */
pare_status pare_recorder_run_once(pare_recorder *self, const pare_recorder_run *run,
                                   pare_buffer *text, pare_buffer *said,
                                   pare_recorder_result *result, pare_error *err)
{
    const char **environment = NULL;
    *result = (pare_recorder_result){.end = PARE_RECORDER_FAILED};
    if (!empty(self->output_fd) || !empty(self->error_fd))
        return pare_fail_errno(err, errno, "cannot empty a file for a generator's output");
    set_list(self->area, run);
    pare_status status = make_environment(self, run->words[1], &environment, err);
    if (!status) status = pare_slotdirs_open(self->dirs, 0, err);
    if (!status) status = spawn(self, run, environment, result, err);
    if (!status) {
        pare_slotdirs_clear(self->dirs, 0);
        read_area(self->area, result);
        status = read_output(self->output_fd, 0, text, err);
        if (!status && said) status = read_output(self->error_fd, SAID_BYTES, said, err);
    }
    pare_alloc_free(environment);
    return status;
}

/* Labels that lie outside the area, or an index beyond its bound, are left out rather than
 * reported: no generator writes them by accident, and one draw of 0 harms nobody. */
pare_recorder_draw pare_recorder_draw_at(const pare_recorder *recorder, size_t at)
{
    /* A process that is still alive may write here; what is checked is a copy. */
    assert(at < PARE_RANDOM_MAX_DRAWS);
    const pare_random_draw draw = pare_random_draws(recorder->area)[at];
    pare_recorder_draw read = {.bound = 1};
    if (draw.bound && draw.index < draw.bound) {
        read.index = draw.index;
        read.bound = draw.bound;
    }
    read.thread = draw.thread;
    bool fits = (uint64_t)draw.first_entered + draw.n_entered <= PARE_RANDOM_MAX_CALLS;
    if (!fits) return read;
    read.n_kept = draw.n_kept;
    read.n_labels = draw.n_entered;
    read.labels = pare_random_labels(recorder->area) + draw.first_entered;
    return read;
}
