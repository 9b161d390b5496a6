/* A process that proposes candidates: started with pipes at both ends, asked by each outcome.
 *
 * The mirror of a worker (run/launch_worker.c), which is given candidates and answers with outcomes:
 * here candidates come out and outcomes go in, one line each, in turn.  It is waited for in poll,
 * beside the stop of the run.  We hold the reading end of the pipe to it too, so that writing to a
 * process that has ended is no signal; its end is heard as the end of its own pipe.
 *
 * Invariant: one line is under way at a time, so neither pipe fills up and nobody has to write while
 * reading.  Whatever it says unasked, or beyond one line, makes it out of step, and ends the run.
 * Source: ours; the lines are described in docs/guide/own-algorithm.md. */
#include "session/test/strategy_process.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pare/outcome.h>
#include <pare/stop.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/vector.h"
#include "base/visible.h"
#include "engine/engine.h"
#include "os/child.h"
#include "os/clock.h"
#include "os/descriptor.h"
#include "os/file.h"
#include "os/process_tree.h"
#include "os/sandbox/guard.h"
#include "os/sandbox/slotdir.h"
#include "os/spawn.h"
#include "os/stop.h"
#include "run/command.h"

extern char **environ;

enum {
    /* Bytes asked for in one read. */
    READ_BYTES = 1 << 16,
    QUOTED_BYTES = 60, /* of a line that makes no sense */
    SAID_BYTES = 400,  /* of its error output, for a message */
    GRACE_MS = 200     /* for it to end by itself when it is told that nothing more comes */
};

/* Of a line: a proposal of each second unit of a large input has some megabytes. */
static const size_t MOST_LINE_BYTES = (size_t)1 << 28;

/* The process, its pipes, and the proposal that is under way. */
struct pare_strategy_process {
    pare_command command;
    char run_id[PARE_PROCESS_TREE_RUN_ID_BYTES];
    pare_buffer mark;    /* "PARE_TEST=...", by which the guard finds it */
    pare_slotdirs *dirs; /* owned; one slot, its folder */
    pare_spawner spawner;
    pare_guard guard;
    const pare_stop *stop; /* borrowed */
    uint64_t deadline_ms;
    pare_engine_end stopped;
    /* While it runs: */
    pare_child child;      /* pid 0: it does not */
    int to, held;          /* what it reads, and the other end of that */
    int from;              /* what it writes */
    int error_fd;          /* a file in memory */
    size_t n;              /* units of the start */
    pare_buffer line;      /* what it has written of the line that is due */
    pare_buffer text;      /* of the last proposal */
    pare_unit_range *kept; /* owned; of the last proposal */
    size_t kept_capacity;
};

/* ---- making ------------------------------------------------------------------------- */

/* Makes what is needed to start it.  The guard stands before anything is made that it
 * removes, so that nothing is left if we are killed. */
static pare_status prepare(pare_strategy_process *self, const char *text, pare_error *err)
{
    const pare_slotdirs_options dirs = {.run_id = self->run_id, .base_name = "input", .n_slots = 1};
    pare_process_tree_name_run(self->run_id);
    pare_status status = pare_command_init(&self->command, text, (pare_names){.n = 0}, err);
    if (!status) status = pare_slotdirs_new(&dirs, &self->dirs, err);
    if (!status) status = pare_spawner_init(&self->spawner, err);
    if (status) return status;
    const char *const roots[] = {pare_slotdirs_root(self->dirs),
                                 pare_slotdirs_disk_root(self->dirs), NULL};
    status = pare_guard_open(&self->guard, &self->spawner, self->run_id, roots, err);
    if (!status) status = pare_buffer_format(&self->mark, err, "PARE_TEST=%s.0", self->run_id);
    return status;
}

/* Starts nothing yet: the process needs the units (see start). */
pare_status pare_strategy_process_new(const char *command, const pare_stop *stop,
                                      uint64_t deadline_ms, pare_strategy_process **out,
                                      pare_error *err)
{
    pare_strategy_process *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    /* None of them is open yet; 0 would be standard input. */
    self->to = self->held = self->from = self->error_fd = -1;
    self->stop = stop;
    self->deadline_ms = deadline_ms;
    self->stopped = PARE_END_DONE;
    pare_status status = prepare(self, command, err);
    if (status)
        pare_strategy_process_free(self);
    else
        *out = self;
    return status;
}

/* Whether the command can be understood at all, before the first test is run. */
pare_status pare_strategy_process_check(const char *command, pare_error *err)
{
    pare_command understood = {0};
    pare_status status = pare_command_init(&understood, command, (pare_names){.n = 0}, err);
    pare_command_done(&understood);
    return status;
}

/* Ends the process, if it runs, with all that it has started.  Closing its input tells
 * it to end; it has a moment to do so and to write what it wants to write last.  Its
 * folder is emptied for the next start. */
static void end_process(pare_strategy_process *self)
{
    siginfo_t info;
    pare_descriptor_close(&self->to);
    pare_descriptor_close(&self->held);
    if (self->child.pid) {
        (void)pare_descriptor_await(self->child.pidfd, GRACE_MS);
        (void)pare_child_kill_group(self->child.pid);
        (void)pare_child_wait(self->child.pid, WEXITED, &info, NULL);
        pare_descriptor_close(&self->child.pidfd);
        self->child.pid = 0;
        pare_slotdirs_clear(self->dirs, 0);
    }
    pare_descriptor_close(&self->from);
    pare_descriptor_close(&self->error_fd);
    pare_buffer_reset(&self->line);
}

/* The process first: what it started is in the folder, which goes after it. */
void pare_strategy_process_free(pare_strategy_process *self)
{
    if (!self) return;
    end_process(self);
    pare_slotdirs_free(self->dirs);
    pare_guard_close(&self->guard);
    pare_spawner_done(&self->spawner);
    pare_command_done(&self->command);
    pare_buffer_done(&self->mark);
    pare_buffer_done(&self->line);
    pare_buffer_done(&self->text);
    pare_alloc_free(self->kept);
    pare_alloc_free(self);
}

/* The tests' sweeps leave both alone (pare_process_spare). */
pid_t pare_strategy_process_guard(const pare_strategy_process *process)
{
    return process->guard.child.pid;
}

pid_t pare_strategy_process_pid(const pare_strategy_process *process)
{
    return process->child.pid;
}

/* Why it was stopped before its own end; PARE_END_DONE: it was not. */
pare_engine_end pare_strategy_process_stopped(const pare_strategy_process *process)
{
    return process->stopped;
}

/* ---- starting ----------------------------------------------------------------------- */

/* Writes a new file of the process's folder, which is ours alone (O_EXCL): a link that
 * is there already is not followed. */
static pare_status write_file(int folder, const char *name, const void *bytes, size_t size,
                              pare_error *err)
{
    int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) return pare_fail_errno(err, errno, "cannot write '%s' for the strategy", name);
    const char *at = bytes;
    while (size) {
        ssize_t n = write(fd, at, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        at += n;
        size -= (size_t)n;
    }
    /* Before close may set another one. */
    const int code = errno;
    (void)close(fd);
    return size ? pare_fail_errno(err, code, "cannot write '%s' for the strategy", name) : PARE_OK;
}

/* Writes the file "units", a line for each unit: where it begins and ends, in bytes of
 * the text. */
static pare_status write_units(int folder, const pare_units *units, pare_error *err)
{
    pare_buffer lines = {0};
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < units->n; i++)
        status =
            pare_buffer_format(&lines, err, "%zu %zu\n", units->units[i].from, units->units[i].to);
    if (!status) status = write_file(folder, "units", lines.data, lines.size, err);
    pare_buffer_done(&lines);
    return status;
}

/* Makes what the process finds in its folder, "input" and "units", and a file in memory for its
 * standard error, which so cannot fill a pipe. */
static pare_status open_files(pare_strategy_process *self, const pare_units *units, pare_error *err)
{
    pare_status status = pare_slotdirs_open(self->dirs, 0, err);
    if (status) return status;
    const int folder = pare_slotdirs_fd(self->dirs, 0);
    status = write_file(folder, "input", units->text, units->text_bytes, err);
    if (!status) status = write_units(folder, units, err);
    if (status) return status;
    self->error_fd =
        pare_descriptor_raise(memfd_create("pare-strategy", MFD_CLOEXEC), PARE_SPAWN_LEAST_FD);
    return self->error_fd < 0 ? pare_fail_errno(err, errno, "cannot make a file for its messages")
                              : PARE_OK;
}

/* Starts the process; *theirs is the end of the pipe that it writes to.  It is started
 * as a test is, so that the guard finds it by its mark, but in no sandbox and without a
 * limit of memory or time: it is the user's own program. */
static pare_status spawn(pare_strategy_process *self, int theirs, pare_error *err)
{
    const char *const variables[] = {self->mark.data, NULL};
    const char **environment = pare_spawn_environment(environ, variables);
    if (!environment) return pare_fail_nomem(err);
    const pare_spawn_limits limits = {.file_bytes = pare_spawn_limits_file_bytes()};
    const pare_spawn order = {.path = self->command.words[1],
                              .argv = self->command.words + 1,
                              .shell_argv = self->command.words,
                              .envp = (char *const *)(const void *)environment,
                              .directory_fd = pare_slotdirs_fd(self->dirs, 0),
                              .input_fd = self->held,
                              .output_fd = theirs,
                              .error_fd = self->error_fd,
                              .limits = &limits,
                              .kind = PARE_SPAWN_TEST};
    pare_status status = pare_spawner_start(&self->spawner, &order, &self->child, err);
    if (status) {
        self->child.pid = 0;
        pare_fail_prefix(err, "%s", self->command.shown);
    }
    pare_alloc_free(environment);
    return status;
}

/* Makes both pipes and starts it: `to` is what it reads, `from` what it writes.  What
 * is open after a failure is closed by end_process. */
static pare_status start_process(pare_strategy_process *self, pare_error *err)
{
    int to[2] = {-1, -1}, from[2] = {-1, -1};
    pare_status status = pare_descriptor_pipe(PARE_SPAWN_LEAST_FD, to, "a pipe", err);
    if (status) return status;
    self->held = to[0];
    self->to = to[1];
    status = pare_descriptor_pipe(PARE_SPAWN_LEAST_FD, from, "a pipe", err);
    if (status) return status;
    self->from = from[0];
    status = spawn(self, from[1], err);
    /* Only the process holds it from here on, so its end is the end of the pipe. */
    (void)close(from[1]);
    return status;
}

/* ---- lines -------------------------------------------------------------------------- */

/* Says a line.  The pipe is empty, so all of it goes in at once and does not block. */
static pare_status say(pare_strategy_process *self, const char *line, pare_error *err)
{
    const size_t size = strlen(line);
    ssize_t n;
    /* A signal may come before anything was written. */
    do
        n = write(self->to, line, size);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)size ? PARE_OK
                              : pare_fail_errno(err, errno, "cannot write to the strategy");
}

/* The last SAID_BYTES of its error output, in one line after ": ", as the end of a
 * message; "": it wrote nothing. */
static void read_said(const pare_strategy_process *self, char said[SAID_BYTES + 8])
{
    const off_t size = lseek(self->error_fd, 0, SEEK_END);
    const off_t from = size > SAID_BYTES ? size - SAID_BYTES : 0;
    const ssize_t n = size > 0 ? pread(self->error_fd, said + 2, SAID_BYTES, from) : 0;
    said[0] = '\0';
    if (n <= 0) return;
    said[0] = ':';
    said[1] = ' ';
    size_t end = (size_t)n + 2;
    while (end > 2 && (said[end - 1] == '\n' || said[end - 1] == ' '))
        end--;
    for (size_t k = 2; k < end; k++)
        if ((unsigned char)said[k] < ' ' || said[k] == 0x7f) said[k] = ' ';
    said[end > 2 ? end : 0] = '\0';
}

/* It has closed its output, or ended: what there is to tell of that.  It is given a
 * moment to end, so that its exit code can be told. */
static pare_status fail_ended(pare_strategy_process *self, pare_error *err)
{
    char said[SAID_BYTES + 8];
    siginfo_t info = {.si_pid = 0};
    pare_descriptor_close(&self->to);
    pare_descriptor_close(&self->held);
    (void)pare_descriptor_await(self->child.pidfd, GRACE_MS);
    /* WNOWAIT: end_process waits for it once more. */
    (void)pare_child_wait(self->child.pid, WEXITED | WNOHANG | WNOWAIT, &info, NULL);
    read_said(self, said);
    if (!info.si_pid)
        return pare_fail(err, PARE_E_IO, "the strategy closed its output without DONE%s", said);
    return pare_fail(err, PARE_E_IO, "the strategy ended without DONE, with %s %d%s",
                     info.si_code == CLD_EXITED ? "exit code" : "signal", info.si_status, said);
}

/* Time that is left for it in ms, for poll; -1: as long as it takes. */
static int left_ms(const pare_strategy_process *self)
{
    if (!self->deadline_ms) return -1;
    const uint64_t now_ms = pare_clock_ms();
    if (now_ms >= self->deadline_ms) return 0;
    const uint64_t left = self->deadline_ms - now_ms;
    return left > INT32_MAX ? INT32_MAX : (int)left;
}

/* Waits until it has written something, or the run is to end: then self->stopped says
 * why.
 * Its own end counts as something, too: the pipe is at its end then. */
static void await_line(pare_strategy_process *self)
{
    struct pollfd waits[] = {{.fd = self->from, .events = POLLIN},
                             {.fd = pare_stop_fd(self->stop), .events = POLLIN}};
    int n;
    do
        n = poll(waits, 2, left_ms(self));
    while (n < 0 && errno == EINTR);
    if (waits[1].revents)
        self->stopped = PARE_END_INTERRUPTED;
    else if (!n)
        self->stopped = PARE_END_BUDGET;
}

/* Refuses an answer that is no proposal, with its beginning. */
static pare_status refuse(const pare_strategy_process *self, const char *why, pare_error *err)
{
    char quoted[QUOTED_BYTES + 4];
    const char *line = self->line.size ? self->line.data : "";
    const size_t n =
        pare_visible_copy(quoted, QUOTED_BYTES + 1, line, self->line.size, QUOTED_BYTES);
    /* There is room for the three dots behind QUOTED_BYTES. */
    if (n < self->line.size) (void)strcat(quoted, "...");
    return pare_fail(err, PARE_E_SYNTAX, "the strategy said '%s': %s", quoted, why);
}

/* Reads the line that is due into self->line, without its end; or until the run is to
 * stop, which self->stopped says.  What comes after the line's end was said unasked,
 * and refuses it. */
static pare_status read_line(pare_strategy_process *self, pare_error *err)
{
    pare_buffer *line = &self->line;
    pare_buffer_reset(line);
    for (;;) {
        await_line(self);
        if (self->stopped != PARE_END_DONE) return PARE_OK;
        pare_status status = pare_buffer_reserve(line, READ_BYTES, err);
        if (status) return status;
        const ssize_t n = read(self->from, line->data + line->size, READ_BYTES - 1);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return fail_ended(self, err);
        const char *end = memchr(line->data + line->size, '\n', (size_t)n);
        line->size += (size_t)n;
        line->data[line->size] = '\0';
        if (end && end + 1 != line->data + line->size)
            return refuse(self, "one line is due for each outcome, and no more", err);
        if (end) {
            line->data[--line->size] = '\0';
            return PARE_OK;
        }
        if (line->size > MOST_LINE_BYTES) return refuse(self, "a line of this length", err);
    }
}

/* ---- proposals ---------------------------------------------------------------------- */

/* Reads a decimal number at *at; false: there is none, or it is 2^53 or more. */
static bool read_number(const char **at, size_t *number)
{
    const char *from = *at;
    uint64_t value = 0;
    for (; **at >= '0' && **at <= '9' && value < (UINT64_C(1) << 53); (*at)++)
        value = value * 10 + (uint64_t)(**at - '0');
    *number = (size_t)value;
    return *at > from && (**at < '0' || **at > '9');
}

/* Makes `range` the n-th of the proposal; the memory of an earlier one is used again. */
static pare_status add_range(pare_strategy_process *self, size_t n, pare_unit_range range,
                             pare_error *err)
{
    pare_unit_range *kept =
        pare_vector_reserve(self->kept, &self->kept_capacity, n + 1, sizeof *kept);
    if (!kept) return pare_fail_nomem(err);
    self->kept = kept;
    kept[n] = range;
    return PARE_OK;
}

/* Reads what follows "KEEP": units and ranges of them such as 3-7 or 9, each after a
 * blank, from 0.  " 0-3 5" are the units 0 to 3 and 5.  Whether they ascend is checked
 * by who takes them (reduce/list/own_strategy.c). */
static pare_status read_kept(pare_strategy_process *self, const char *at, pare_proposal *proposal,
                             pare_error *err)
{
    size_t n = 0;
    while (*at) {
        pare_unit_range range;
        bool reads = *at++ == ' ' && read_number(&at, &range.from);
        range.to = range.from;
        if (reads && *at == '-') {
            at++;
            reads = read_number(&at, &range.to);
        }
        if (!reads)
            return refuse(self,
                          "after KEEP come numbers of units and ranges of them, such as "
                          "' 0-3 5'",
                          err);
        range.to++; /* the last one is named, not the next */
        pare_status status = add_range(self, n, range, err);
        if (status) return status;
        n++;
    }
    *proposal = (pare_proposal){.kept = self->kept, .n_kept = n};
    return PARE_OK;
}

/* Reads what follows "TEXT ": a path from its own folder, of a file that holds the
 * candidate.  O_NOCTTY: the path may be that of a terminal. */
static pare_status read_text(pare_strategy_process *self, const char *path, pare_proposal *proposal,
                             pare_error *err)
{
    const int fd = openat(pare_slotdirs_fd(self->dirs, 0), path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) return pare_fail_errno(err, errno, "the strategy's text '%s'", path);
    pare_buffer_reset(&self->text);
    pare_status status = pare_file_read_fd(fd, path, &self->text, err);
    (void)close(fd);
    *proposal = (pare_proposal){.text = self->text.size ? self->text.data : "",
                                .text_bytes = self->text.size};
    return status;
}

/* Reads the line as a proposal; *done: it has nothing more to propose.
 * "DONE" is compared as a whole line, before anything else. */
static pare_status read_proposal(pare_strategy_process *self, bool *done, pare_proposal *proposal,
                                 pare_error *err)
{
    const char *line = self->line.data;
    *done = strcmp(line, "DONE") == 0;
    if (*done) return PARE_OK;
    if (memchr(line, '\0', self->line.size)) return refuse(self, "it holds a zero byte", err);
    if (strncmp(line, "KEEP", 4) == 0) return read_kept(self, line + 4, proposal, err);
    if (strncmp(line, "TEXT ", 5) == 0 && line[5]) return read_text(self, line + 5, proposal, err);
    return refuse(self, "a proposal is KEEP with ranges of units, TEXT with a path, or DONE", err);
}

/* ---- as an algorithm ---------------------------------------------------------------- */

/* A pare_own_strategy's start: a process for each start, in an empty folder.  The
 * folder, the pipes and the process go in `end`, after a failure here in the next start
 * or when all is freed. */
static pare_status process_start(void *context, const pare_units *units, void **state,
                                 pare_error *err)
{
    pare_strategy_process *self = context;
    char line[32];
    end_process(self);
    self->n = units->n;
    pare_status status = open_files(self, units, err);
    if (!status) status = start_process(self, err);
    (void)snprintf(line, sizeof line, "UNITS %zu\n", units->n);
    if (!status) status = say(self, line, err);
    if (status)
        end_process(self);
    else
        *state = self;
    return status;
}

/* Waits for the line of the process, or until the run is to stop, which ends the strategy without
 * an error. */
static pare_status process_next(void *state, bool *done, pare_proposal *proposal, pare_error *err)
{
    pare_strategy_process *self = state;
    pare_status status = read_line(self, err);
    if (status) return status;
    *done = self->stopped != PARE_END_DONE;
    return *done ? PARE_OK : read_proposal(self, done, proposal, err);
}

/* Tells the outcome of what it has proposed.  The words are those of
 * docs/guide/own-algorithm.md. */
static pare_status process_tell(void *state, pare_outcome outcome, pare_error *err)
{
    static const char *const words[] = {
        [PARE_FAIL] = "FAIL\n", [PARE_PASS] = "PASS\n", [PARE_UNRESOLVED] = "UNRESOLVED\n"};
    assert(outcome >= PARE_FAIL && outcome <= PARE_UNRESOLVED);
    return say(state, words[outcome], err);
}

/* The process may have ended by itself before. */
static void process_end(void *state)
{
    end_process(state);
}

/* Valid as long as the process is not freed. */
pare_own_strategy pare_strategy_process_as_strategy(pare_strategy_process *process)
{
    return (pare_own_strategy){.context = process,
                               .start = process_start,
                               .next = process_next,
                               .tell = process_tell,
                               .end = process_end};
}
