/* A source that is a command: the files that it writes, or its output, are the inputs.
 *
 * The command is run again and again in a private folder that is emptied before each round.  It
 * finds in its environment
 *
 *     PARE_SEED   a number that differs from round to round, the same for the same seed and round
 *     PARE_COUNT  how many inputs are wanted: the `batch` of the source, or 100
 *     PARE_OUT    the folder, which is also where it runs
 *
 * Files that it leaves there, however deep, are the inputs, in the order of their paths; if there
 * are none (kind `prints`: always), what it has printed is: one input, or, if there are NUL bytes
 * in it, one up to each.  The position is the round and how many of its inputs were taken, so for
 * a command that obeys PARE_SEED a job goes on with the same inputs.
 *
 * If a command fails, the inputs that it has made are used all the same, since many generators end
 * by crashing.  One that makes nothing, prints without end, or exceeds its time limit ends the
 * source with an error.
 * Source: Fuzzinator's SubprocessRunner; deviation: seeds, and no conventions for names. */
#include <assert.h>
#include <fcntl.h>
#include <fts.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pare/stop.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/random.h"
#include "os/clock.h"
#include "os/descriptor.h"
#include "os/file.h"
#include "os/stop.h"
#include "run/command.h"

#include "base/fail.h"
#include "campaign/section.h"
#include "campaign/source.h"
#include "campaign/source_program.h"
#include "os/process_tree.h"
#include "os/spawn.h"

enum {
    USUAL_TIME_MS = 60000,
    IDLE_MS = 500, /* until the job looks after its tests while the command runs */
    USUAL_COUNT = 100,
    SAID_BYTES = 200,       /* of its error output, for a sentence */
    MOST_BYTES = 256 << 20, /* that are read of what it printed */
    VARIABLE_BYTES = 48,
    POSITION_BYTES = 48
};

/* The source. `folder` is private and emptied before each round. */
struct commanding {
    pare_source head;
    pare_command command;
    pare_source_programs programs;
    pare_buffer folder, out_variable;
    pare_buffer text;
    int output_fd, error_fd; /* owned; files in memory */
    bool prints;
    uint64_t time_ms;
};

/* Where a source stands. */
struct place {
    uint64_t round, n_taken; /* n_taken: inputs of that round */
};

/* The head is the first member of the kind's struct. */
static struct commanding *of(pare_source *source)
{
    return (struct commanding *)(void *)source;
}

/* --- a run of the command -------------------------------------------------------------------- */

/* Empties a file. We and the program share one position in it, so where it is
 * put here is where the program begins to write. */
static bool empty(int fd)
{
    return !ftruncate(fd, 0) && lseek(fd, 0, SEEK_SET) == 0;
}

/* Empties the folder, by removing and making it: what one round leaves is never
 * an input of the next. */
static pare_status empty_folder(const struct commanding *self, pare_error *err)
{
    pare_status status = pare_file_remove_tree(self->folder.data, err);
    return status ? status : pare_file_make_directories(self->folder.data, err);
}

/* The seed of a round: the source's for round 0, another number for each that
 * follows. */
static uint64_t seed_of(const struct commanding *self, uint64_t round)
{
    pare_random random;
    pare_random_init(&random, self->head.options.seed + round);
    /* Many programs read a seed as a number of 31 bits. */
    return pare_random_next(&random) >> 33;
}

/* Starts the command. Our variables come after those of the section, so
 * PARE_SEED and its like cannot be overridden. */
static pare_status start(struct commanding *self, uint64_t round, pare_error *err)
{
    char seed[VARIABLE_BYTES], count[VARIABLE_BYTES];
    const uint64_t batch = pare_section_number(self->head.options.section, "batch");
    (void)snprintf(seed, sizeof seed, "PARE_SEED=%" PRIu64, seed_of(self, round));
    (void)snprintf(count, sizeof count, "PARE_COUNT=%" PRIu64, batch ? batch : USUAL_COUNT);
    size_t n_lines = 0, n = 0;
    const char *const *lines =
        pare_section_lines(self->head.options.section, "environment", &n_lines);
    if (!empty(self->output_fd) || !empty(self->error_fd))
        return pare_fail(err, PARE_E_IO, "cannot empty a file for a source's output");
    /* Three of ours and a NULL, as the list is zeroed. */
    const char **variables = pare_alloc_zero(n_lines + 4, sizeof *variables);
    if (!variables) return pare_fail_nomem(err);
    for (; n < n_lines; n++)
        variables[n] = lines[n];
    variables[n++] = seed;
    variables[n++] = count;
    variables[n++] = self->out_variable.data;
    const pare_source_program_order order = {.words = self->command.words,
                                             .folder = self->folder.data,
                                             .variables = variables,
                                             .output_fd = self->output_fd,
                                             .error_fd = self->error_fd,
                                             .file_bytes = MOST_BYTES};
    pare_status status = pare_source_program_start(&self->programs, 0, &order, err);
    pare_alloc_free(variables);
    return status;
}

/* Whether the command has printed up to the limit, at which the kernel has
 * ended it: what it prints is kept in memory. */
static bool has_flooded(const struct commanding *self)
{
    struct stat out, error;
    return fstat(self->output_fd, &out) || fstat(self->error_fd, &error) ||
           out.st_size >= MOST_BYTES || error.st_size >= MOST_BYTES;
}

/* Runs the command to its end, or to the limit of its time. A command that
 * fails is no error here: what it has made counts. */
static pare_status run_once(struct commanding *self, uint64_t round, pare_ending *ending,
                            pare_error *err)
{
    const pare_stop *stop = self->head.options.stop;
    pare_status status = empty_folder(self, err);
    if (!status) status = start(self, round, err);
    if (status) return status;
    bool ended = false;
    for (uint64_t left_ms = self->time_ms; !status && left_ms;) {
        const uint64_t ms = left_ms < IDLE_MS ? left_ms : IDLE_MS;
        ended = pare_source_program_await(&self->programs, 0, (int64_t)ms, stop);
        left_ms -= ms;
        if (ended) break;
        /* What the command takes is our making, which pare_source_idle does not count. */
        self->head.making_ns += pare_clock_ns() - self->head.since_ns;
        status = pare_source_idle(&self->head, err);
    }
    const pare_status stopped = status;
    status = pare_source_program_end(&self->programs, 0, ending, stopped ? NULL : err);
    if (stopped || status) return stopped ? stopped : status;
    if (pare_stop_requested(stop)) return pare_fail(err, PARE_E_INTERRUPTED, "interrupted");
    if (has_flooded(self))
        return pare_fail(err, PARE_E_STATE,
                         "the command prints more than %d MiB: does it ever end?",
                         MOST_BYTES >> 20);
    if (ended) return PARE_OK;
    return pare_fail(err, PARE_E_STATE,
                     "the command did not end within %.3g s: allow more time with 'time = ...'",
                     (double)self->time_ms / 1000);
}

/* --- what it has made ------------------------------------------------------------------------ */

/* Emits the next input of a round, unless an earlier job has taken it. *number
 * counts all inputs of the round. */
static pare_status emit(struct commanding *self, struct place *at, uint64_t *number,
                        const char *bytes, size_t size, pare_error *err)
{
    char position[POSITION_BYTES];
    if (++*number <= at->n_taken) return PARE_OK;
    (void)snprintf(position, sizeof position, "%" PRIu64 " %" PRIu64, at->round, *number);
    return pare_source_emit(&self->head, bytes, size, position, err);
}

/* By name within each folder, so that the order of inputs does not depend on
 * the file system. */
static int compare(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* Emits all files that the command has left in its folder. Symbolic links are
 * passed over: by one a command could name any file of the user's. */
static pare_status emit_files(struct commanding *self, struct place *at, uint64_t *number,
                              pare_error *err)
{
    char *const paths[] = {self->folder.data, NULL};
    pare_status status = PARE_OK;
    FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, compare);
    if (!walk) return pare_fail_nomem(err);
    for (FTSENT *entry; !status && (entry = fts_read(walk));) {
        if (entry->fts_info != FTS_F || entry->fts_statp->st_size > MOST_BYTES) continue;
        status = pare_file_read(entry->fts_path, &self->text, err);
        if (!status)
            status = emit(self, at, number, self->text.size ? self->text.data : "", self->text.size,
                          err);
    }
    (void)fts_close(walk);
    return status;
}

/* Reads the first `most` bytes of a file in memory, from its start whatever its
 * position is. */
static pare_status read_output(int fd, size_t most, pare_buffer *to, pare_error *err)
{
    struct stat info;
    pare_buffer_reset(to);
    if (fstat(fd, &info)) return pare_fail(err, PARE_E_IO, "the output of a source is lost");
    size_t size = (size_t)info.st_size < most ? (size_t)info.st_size : most;
    pare_status status = pare_buffer_reserve(to, size, err);
    while (!status && to->size < size) {
        ssize_t n = pread(fd, to->data + to->size, size - to->size, (off_t)to->size);
        if (n <= 0) break;
        to->size += (size_t)n;
    }
    if (!status && to->data) to->data[to->size] = '\0';
    return status;
}

/* Emits what was printed. Without a NUL byte that is one input; else one for
 * each NUL, and one for what follows the last, if anything does. */
static pare_status emit_printed(struct commanding *self, struct place *at, uint64_t *number,
                                pare_error *err)
{
    pare_status status = read_output(self->output_fd, MOST_BYTES, &self->text, err);
    if (status || !self->text.size) return status;
    const char *from = self->text.data, *end = from + self->text.size;
    const bool is_list = memchr(from, '\0', self->text.size) != NULL;
    if (!is_list) return emit(self, at, number, from, self->text.size, err);
    while (!status && from < end) {
        const char *stop = memchr(from, '\0', (size_t)(end - from));
        if (!stop) stop = end;
        status = emit(self, at, number, from, (size_t)(stop - from), err);
        from = stop + 1;
    }
    return status;
}

/* Fails because a round has made nothing: how the command ended, and the first
 * line of its error output. */
static pare_status complain(struct commanding *self, const pare_ending *ending, pare_error *err)
{
    pare_status status = read_output(self->error_fd, SAID_BYTES, &self->text, err);
    if (status) return status;
    const size_t size = self->text.size ? strcspn(self->text.data, "\r\n") : 0;
    if (!ending->signal && !ending->exit_code)
        return pare_fail(err, PARE_E_STATE, "the command %s",
                         self->prints ? "prints nothing" : "writes no file, and prints nothing");
    return pare_fail(err, PARE_E_STATE, "the command makes no input and ends with %s %d%s%.*s",
                     ending->signal ? "signal" : "exit code",
                     ending->signal ? ending->signal : ending->exit_code, size ? ": " : "",
                     (int)size, size ? self->text.data : "");
}

/* --- the source ------------------------------------------------------------------------------ */

/* Runs one round after the other until it is stopped. The position is "ROUND TAKEN". */
static pare_status run(pare_source *source, const char *position, bool *dry, pare_error *err)
{
    struct commanding *self = of(source);
    char *rest = NULL;
    struct place at = {.round = strtoull(position, &rest, 10)};
    at.n_taken = strtoull(rest, NULL, 10);
    pare_status status = PARE_OK;
    (void)dry; /* another round may always give more */
    for (; !status; at = (struct place){.round = at.round + 1}) {
        pare_ending ending = {0};
        uint64_t number = 0;
        status = run_once(self, at.round, &ending, err);
        if (!status && !self->prints) status = emit_files(self, &at, &number, err);
        if (!status && !number) status = emit_printed(self, &at, &number, err);
        if (!status && !number) status = complain(self, &ending, err);
    }
    return status;
}

/* Frees the source and removes its folder; what the command wrote elsewhere stays. */
static void close_source(pare_source *source)
{
    struct commanding *self = of(source);
    if (self->programs.n) pare_source_program_done(&self->programs);
    pare_descriptor_close(&self->output_fd);
    pare_descriptor_close(&self->error_fd);
    if (self->folder.size) (void)!pare_file_remove_tree(self->folder.data, NULL);
    pare_command_done(&self->command);
    pare_buffer_done(&self->folder);
    pare_buffer_done(&self->out_variable);
    pare_buffer_done(&self->text);
    pare_alloc_free(self);
}

static const pare_source_ops ops = {.run = run, .close = close_source};

/* Makes a file in memory, which takes all that is printed without anybody
 * reading along. */
static pare_status make_output(int *fd, pare_error *err)
{
    *fd = pare_descriptor_raise(memfd_create("pare-source", MFD_CLOEXEC), PARE_SPAWN_LEAST_FD);
    return *fd < 0 ? pare_fail(err, PARE_E_IO, "cannot make a file for a source's output")
                   : PARE_OK;
}

/* Makes all that rounds need, without running the command. */
static pare_status prepare(struct commanding *self, const char *text, pare_error *err)
{
    const pare_names none = {.items = NULL};
    pare_status status = pare_command_init(&self->command, text, none, err);
    if (!status)
        status = pare_buffer_format(&self->folder, err, "%s/made", self->head.options.folder);
    if (!status)
        status = pare_buffer_format(&self->out_variable, err, "PARE_OUT=%s", self->folder.data);
    if (!status) status = make_output(&self->output_fd, err);
    if (!status) status = make_output(&self->error_fd, err);
    return status ? status : pare_source_program_init(&self->programs, 1, err);
}

/* Opens a source of kind command or prints; the latter looks at no files. */
pare_status pare_source_command_open(const pare_source_options *options, pare_source **out,
                                     pare_error *err)
{
    const char *text = pare_section_text(options->section, "command");
    const char *kind = pare_section_text(options->section, "kind");
    if (!*text)
        return pare_fail(err, PARE_E_ARG, "a source of kind %s needs 'command = ...'", kind);
    struct commanding *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->head = (pare_source){
        .ops = &ops, .options = *options, .name = pare_section_name(options->section)};
    self->output_fd = self->error_fd = -1;
    self->prints = !strcmp(kind, "prints");
    self->time_ms = pare_section_time_ms(options->section, "time");
    if (!self->time_ms) self->time_ms = USUAL_TIME_MS;
    pare_status status = prepare(self, text, err);
    if (status)
        close_source(&self->head);
    else
        *out = &self->head;
    return status;
}
