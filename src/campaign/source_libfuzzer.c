/* A libFuzzer binary as a source: starts it, and follows its finds.
 *
 * It gets a corpus folder, which is kept from job to job, and writes crashing inputs into a folder
 * beside that.  Files of both are inputs.  It ends with the first crash, so it is started again,
 * unless it keeps ending without anything new.  Inputs that other sources add to the population are
 * put into its corpus, which it reads again every second.
 *
 * The position is a time before which all files were taken.  Its tests are counted by the numbers
 * ("#1234") at the beginning of its lines.
 * Source: LLVM's documentation of libFuzzer. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/digest.h"
#include "base/fail.h"
#include "campaign/follow.h"
#include "campaign/section.h"
#include "campaign/source.h"
#include "campaign/source_program.h"
#include "campaign/store.h"
#include "os/descriptor.h"
#include "os/file.h"
#include "os/process_tree.h"
#include "os/spawn.h"
#include "run/command.h"

enum {
    /* Bounds on what a user writes; times of waits. */
    IDLE_MS = 500,
    MOST_IN_VAIN = 5, /* ends in a row without anything new */
    POSITION_BYTES = 32,
    SAID_BYTES = 200
};

/* The source. Its folders outlive the job. */
struct fuzzing {
    pare_source head;
    pare_source_programs programs;
    pare_command command;
    pare_buffer corpus, crashes, log, prefix, dictionary, text;
    const char *places[2];
    pare_follow *follow;  /* owned */
    uint64_t ended_tests; /* of processes that have ended */
    uint64_t n_taken;
    int64_t safe_ns; /* the position: what was written before was taken (follow.h) */
};

/* The head is the first member of the kind's struct. */
static struct fuzzing *of(pare_source *source)
{
    return (struct fuzzing *)(void *)source;
}

/* --- the process ----------------------------------------------------------------------------- */

/* Starts the binary: PROGRAM WORDS -artifact_prefix=... [-dict=...] CORPUS
 * SEEDS. libFuzzer writes to the first folder only. Its output goes to a log,
 * from which tests are counted. */
static pare_status start(struct fuzzing *self, pare_error *err)
{
    const pare_section *section = self->head.options.section;
    size_t n = 0, n_seeds = 0, n_lines = 0;
    const char *const *seeds = pare_section_words(section, "files", &n_seeds);
    const char *const *lines = pare_section_lines(section, "environment", &n_lines);
    /* Both end with NULL, as they are zeroed and one longer. */
    char **words = pare_alloc_zero(self->command.n_words + n_seeds + 4, sizeof *words);
    const char **variables = pare_alloc_zero(n_lines + 1, sizeof *variables);
    if (!words || !variables) {
        pare_alloc_free(words);
        pare_alloc_free(variables);
        return pare_fail_nomem(err);
    }
    for (size_t i = 0; i < self->command.n_words; i++)
        words[n++] = self->command.words[i];
    words[n++] = self->prefix.data;
    if (self->dictionary.size) words[n++] = self->dictionary.data;
    words[n++] = self->corpus.data;
    for (size_t i = 0; i < n_seeds; i++)
        words[n++] = (char *)(uintptr_t)seeds[i];
    for (size_t i = 0; i < n_lines; i++)
        variables[i] = lines[i];
    /* The log begins anew with each process; read_tests is called before. */
    int log = pare_descriptor_raise(
        open(self->log.data, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), PARE_SPAWN_LEAST_FD);
    pare_status status =
        log < 0 ? pare_fail(err, PARE_E_IO, "%s cannot be written", self->log.data) : PARE_OK;
    const pare_source_program_order order = {.words = words,
                                             .folder = self->head.options.folder,
                                             .variables = variables,
                                             .output_fd = log,
                                             .error_fd = log};
    if (!status) status = pare_source_program_start(&self->programs, 0, &order, err);
    pare_descriptor_close(&log);
    pare_alloc_free(words);
    pare_alloc_free(variables);
    return status;
}

/* Tests of the process that runs, or that has just ended. */
static uint64_t read_tests(struct fuzzing *self)
{
    if (pare_file_read(self->log.data, &self->text, NULL) || !self->text.size) return 0;
    return pare_follow_tests_in_log(self->text.data, self->text.size);
}

/* Tests of this job: of the processes that have ended and of the one that runs. */
static uint64_t own_tests(pare_source *source)
{
    return of(source)->ended_tests + read_tests(of(source));
}

/* Fails with the last line that the binary has printed. Always PARE_E_STATE. */
static pare_status complain(struct fuzzing *self, pare_error *err)
{
    const char *said = "nothing";
    if (!pare_file_read(self->log.data, &self->text, NULL) && self->text.size) {
        char *text = self->text.data;
        size_t size = strlen(text);
        while (size && text[size - 1] == '\n')
            text[--size] = '\0';
        const char *line = strrchr(text, '\n');
        said = line ? line + 1 : text;
    }
    return pare_fail(err, PARE_E_STATE, "it keeps ending without a finding; it prints: %.*s",
                     SAID_BYTES, said);
}

/* Starts the binary again if it has ended, as it does after each crash. If it
 * ends MOST_IN_VAIN times in a row without a new file, it does not work. */
static pare_status keep_alive(struct fuzzing *self, uint64_t *n_before, unsigned *n_in_vain,
                              pare_error *err)
{
    pare_ending ending;
    if (!pare_source_program_await(&self->programs, 0, 0, NULL)) return PARE_OK;
    pare_status status = pare_source_program_end(&self->programs, 0, &ending, err);
    if (status) return status;
    self->ended_tests += read_tests(self);
    *n_in_vain = self->n_taken > *n_before ? 0 : *n_in_vain + 1;
    *n_before = self->n_taken;
    return *n_in_vain < MOST_IN_VAIN ? start(self, err) : complain(self, err);
}

/* --- giving and taking ----------------------------------------------------------------------- */

/* Puts an input into the corpus, under a name that libFuzzer does not give, so
 * that take() knows it. */
static pare_status join(pare_source *source, const void *bytes, size_t size, uint64_t new_edges,
                        pare_error *err)
{
    (void)new_edges;
    struct fuzzing *self = of(source);
    char digest[PARE_DIGEST_TEXT_BYTES];
    pare_buffer path = {0};
    pare_store_digest(bytes, size, digest);
    pare_status status = pare_buffer_format(&path, err, "%s/pare-%s", self->corpus.data, digest);
    if (!status && !pare_file_exists(path.data))
        status = pare_file_write_bytes(path.data, bytes, size, err);
    pare_buffer_done(&path);
    return status;
}

/* A pare_follow_visit: emits the content of a file, unless it came from here or
 * has vanished. */
static pare_status take(void *context, const char *path, int64_t safe_ns, pare_error *err)
{
    struct fuzzing *self = context;
    char position[POSITION_BYTES];
    const char *name = strrchr(path, '/');
    if (safe_ns > self->safe_ns) self->safe_ns = safe_ns;
    if (name && !strncmp(name, "/pare-", 6)) return PARE_OK;
    if (pare_file_read(path, &self->text, NULL)) return PARE_OK;
    self->n_taken++;
    (void)snprintf(position, sizeof position, "%" PRId64, self->safe_ns);
    return pare_source_emit(&self->head, self->text.size ? self->text.data : "", self->text.size,
                            position, err);
}

/* Starts the binary and follows what it writes, until the job is stopped. A
 * fuzzer never has no more. */
static pare_status run(pare_source *source, const char *position, bool *dry, pare_error *err)
{
    struct fuzzing *self = of(source);
    uint64_t n_before = 0;
    unsigned n_in_vain = 0;
    (void)dry;
    const int64_t from_ns = strtoll(position, NULL, 10);
    self->safe_ns = from_ns;
    pare_status status = start(self, err);
    while (!status) {
        status =
            pare_follow_wait(self->follow, IDLE_MS, from_ns, source->options.stop, take, self, err);
        if (!status) status = keep_alive(self, &n_before, &n_in_vain, err);
        if (!status) status = pare_source_idle(source, err);
    }
    return status;
}

/* --- life ------------------------------------------------------------------------------------ */

/* Ends the process before what it writes is forgotten. Also of a source that
 * was opened in part. */
static void close_source(pare_source *source)
{
    struct fuzzing *self = of(source);
    if (self->programs.n) pare_source_program_done(&self->programs);
    pare_follow_free(self->follow);
    pare_command_done(&self->command);
    pare_buffer *buffers[] = {&self->corpus, &self->crashes,    &self->log,
                              &self->prefix, &self->dictionary, &self->text};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        pare_buffer_done(buffers[i]);
    pare_alloc_free(self);
}

/* Makes files and folders without starting the binary. Crashes are followed
 * before the corpus, so that findings are taken first. */
static pare_status prepare(struct fuzzing *self, pare_error *err)
{
    const pare_source_options *options = &self->head.options;
    const pare_names none = {.items = NULL};
    const char *folder = options->folder;
    const char *dictionary = pare_section_text(options->section, "dictionary");
    pare_status status = pare_command_init(
        &self->command, pare_section_text(options->section, "command"), none, err);
    if (!status) status = pare_buffer_format(&self->corpus, err, "%s/corpus", folder);
    if (!status) status = pare_buffer_format(&self->crashes, err, "%s/crashes", folder);
    if (!status) status = pare_buffer_format(&self->log, err, "%s/libfuzzer.log", folder);
    if (!status)
        status = pare_buffer_format(&self->prefix, err, "-artifact_prefix=%s/crashes/", folder);
    if (!status && *dictionary)
        status = pare_buffer_format(&self->dictionary, err, "-dict=%s", dictionary);
    if (!status) status = pare_file_make_directories(self->corpus.data, err);
    if (!status) status = pare_file_make_directories(self->crashes.data, err);
    if (!status) status = pare_source_program_init(&self->programs, 1, err);
    if (status) return status;
    self->places[0] = self->crashes.data;
    self->places[1] = self->corpus.data;
    return pare_follow_open(self->places, 2, &self->follow, err);
}

static const pare_source_ops ops = {
    .run = run, .join = join, .own_tests = own_tests, .close = close_source};

/* Opens the source; the binary is started by `run`. */
pare_status pare_source_libfuzzer_open(const pare_source_options *options, pare_source **out,
                                       pare_error *err)
{
    if (!*pare_section_text(options->section, "command"))
        return pare_fail(err, PARE_E_ARG, "a source of kind libfuzzer needs 'command = ...'");
    struct fuzzing *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->head = (pare_source){
        .ops = &ops, .options = *options, .name = pare_section_name(options->section)};
    pare_status status = prepare(self, err);
    if (status)
        close_source(&self->head);
    else
        *out = &self->head;
    return status;
}
