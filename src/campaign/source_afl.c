/* AFL++ as a source: starts afl-fuzz, and follows its finds.
 *
 * Each line of `roles` is an instance: a name, then variables of its environment, then options of
 * afl-fuzz.  The first of several is the main one (-M), the others are secondaries (-S). They share
 * one output folder, which is kept from job to job, so a later job continues where this one
 * stopped.  The files of their queues, crashes and hangs are inputs; the target's own oracle
 * decides what they are.
 *
 * Inputs that other sources add to the population are put into a separate queue beside those of the
 * instances (FOLDER/out/pare/queue), where afl-fuzz looks for the finds of other fuzzers.  Inputs
 * that came from here are not given back.
 *
 * The position is a time before which all files were taken.  The number of AFL's tests is read from
 * plot_data, which it writes every few seconds.
 * Source: AFL++'s documentation of parallel fuzzing, of its environment and of its output folder;
 * Fuzzinator's AFLRunner, which has one instance and gets no inputs back. */
#include <assert.h>
#include <ctype.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <pare/test.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/checksum.h"
#include "base/fail.h"
#include "campaign/follow.h"
#include "campaign/section.h"
#include "campaign/source.h"
#include "campaign/source_program.h"
#include "os/descriptor.h"
#include "os/file.h"
#include "os/spawn.h"
#include "run/command.h"

/* Bounds on what a user writes, and on what is kept. */
enum {
    MOST_INSTANCES = 64,
    MOST_WORDS = 256,  /* of a line of `roles` */
    OWN = 1 << 14,     /* checksums of inputs that came from here */
    SAID_BYTES = 4096, /* of what an instance printed last */
    IDLE_MS = 500,
    POSITION_BYTES = 32,
    MOST_BYTES = 1 << 20 /* of a file that AFL takes */
};

/* One afl-fuzz process. words[0] is the copy of its whole line, which starts
 * with the name; then come n_variables variables, then options. */
struct instance {
    pare_buffer name;
    char **words; /* owned list of borrowed words: variables, then options */
    size_t n_variables, n_words;
    pare_buffer queue, crashes, hangs, plot, log;
};

/* The source. Paths are absolute; the folders outlive the job, `folder` of the
 * source's options. */
struct fuzzing {
    pare_source head;
    pare_source_programs programs;
    pare_command command; /* what afl-fuzz runs */
    pare_command afl;     /* afl-fuzz itself, for its path */
    pare_buffer out, seeds, sync, dictionary;
    pare_buffer sanitizers[3]; /* their variables, with what afl-fuzz insists on; or empty */
    pare_buffer suffix; /* of the file that the program is given, without its point; or empty */
    struct instance *instances; /* owned */
    unsigned n_instances;
    pare_follow *follow; /* owned */
    const char **places; /* owned list of borrowed paths */
    uint64_t *own;       /* owned; OWN */
    uint64_t n_given;    /* files in `sync`, all of whose numbers are below */
    pare_buffer text;
    int64_t safe_ns; /* the position: what was written before was taken (follow.h) */
};

/* The head is the first member of the kind's struct. */
static struct fuzzing *of(pare_source *source)
{
    return (struct fuzzing *)(void *)source;
}

/* --- instances ------------------------------------------------------------------------------- */

/* Splits a line of `roles`: a name, then words with "=" up to the first that is
 * none, then options of afl-fuzz. The copy that the words point into is owned
 * by words[0]. */
static pare_status read_role(struct instance *instance, const char *line, pare_error *err)
{
    char *rest = pare_alloc_text(line, strlen(line));
    instance->words = pare_alloc_zero(MOST_WORDS, sizeof *instance->words);
    if (!rest || !instance->words) {
        pare_alloc_free(rest);
        return pare_fail_nomem(err);
    }
    /* The copy is released with the first word, which begins it. */
    instance->words[instance->n_words++] = rest;
    char *save = NULL;
    const char *name = strtok_r(rest, " \t", &save);
    if (!name) return pare_fail(err, PARE_E_ARG, "each line of 'roles' must begin with a name");
    for (const char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at) && *at != '_' && *at != '-')
            return pare_fail(err, PARE_E_ARG, "'%s' is not a valid name for an instance of AFL",
                             name);
    pare_status status = pare_buffer_text(&instance->name, name, err);
    for (char *word; !status && (word = strtok_r(NULL, " \t", &save));) {
        const bool is_variable = strchr(word, '=') && word[0] != '-';
        if (instance->n_words == MOST_WORDS - 1)
            return pare_fail(err, PARE_E_ARG, "a line of 'roles' has too many words");
        if (is_variable && instance->n_words == instance->n_variables + 1) instance->n_variables++;
        instance->words[instance->n_words++] = word;
    }
    return status;
}

/* Reads the lines of `roles`; without any, one instance for each slot of the job. */
static pare_status read_roles(struct fuzzing *self, pare_error *err)
{
    size_t n = 0;
    const char *const *lines = pare_section_lines(self->head.options.section, "roles", &n);
    const bool is_given = n > 0;
    if (!is_given) n = self->head.options.slots ? self->head.options.slots : 1;
    if (n > MOST_INSTANCES)
        return pare_fail(err, PARE_E_ARG, "'roles' can have at most %d lines", MOST_INSTANCES);
    self->instances = pare_alloc_zero(n, sizeof *self->instances);
    if (!self->instances) return pare_fail_nomem(err);
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < n; i++) {
        char line[32] = "main";
        if (i) (void)snprintf(line, sizeof line, "s%zu", i);
        self->n_instances++;
        status = read_role(&self->instances[i], is_given ? lines[i] : line, err);
    }
    return status;
}

/* Sets the paths of what an instance writes, by afl-fuzz's own names. */
static pare_status name_places(struct fuzzing *self, struct instance *instance, pare_error *err)
{
    const char *out = self->out.data, *name = instance->name.data;
    pare_status status = pare_buffer_format(&instance->queue, err, "%s/%s/queue", out, name);
    if (!status) status = pare_buffer_format(&instance->crashes, err, "%s/%s/crashes", out, name);
    if (!status) status = pare_buffer_format(&instance->hangs, err, "%s/%s/hangs", out, name);
    if (!status) status = pare_buffer_format(&instance->plot, err, "%s/%s/plot_data", out, name);
    if (!status)
        status =
            pare_buffer_format(&instance->log, err, "%s/%s.log", self->head.options.folder, name);
    return status;
}

/* --- starting -------------------------------------------------------------------------------- */

/* The words of one command line; owned, and ended by NULL, as they are zeroed. */
struct line {
    char **words;
    size_t n, capacity; /* without the NULL */
};

/* Appends a word. */
static void add_word(struct line *line, const char *word)
{
    assert(line->n < line->capacity && "compose has made room");
    line->words[line->n++] = (char *)(uintptr_t)word;
}

static void add_option(struct line *line, const char *option, const char *value)
{
    add_word(line, option);
    add_word(line, value);
}

/* Composes the command of instance `k`: afl-fuzz -i SEEDS -o OUT -M NAME [-x
 * DICTIONARY] OPTIONS -- PROGRAM. A main instance goes through its queue in
 * order and trims nothing, which pays beside secondaries only, so a single one
 * is a secondary. */
static pare_status compose(const struct fuzzing *self, unsigned k, struct line *line,
                           pare_error *err)
{
    enum { N_OWN = 11 }; /* five options with their values, and "--" */
    const struct instance *instance = &self->instances[k];
    line->capacity = self->afl.n_words + instance->n_words + self->command.n_words + N_OWN;
    line->words = pare_alloc_zero(line->capacity + 1, sizeof *line->words);
    if (!line->words) return pare_fail_nomem(err);
    for (size_t i = 0; i < self->afl.n_words; i++)
        add_word(line, self->afl.words[i]);
    add_option(line, "-i", self->seeds.data);
    add_option(line, "-o", self->out.data);
    add_option(line, k || self->n_instances == 1 ? "-S" : "-M", instance->name.data);
    if (self->dictionary.size) add_option(line, "-x", self->dictionary.data);
    if (self->suffix.size) add_option(line, "-e", self->suffix.data);
    for (size_t i = 1 + instance->n_variables; i < instance->n_words; i++)
        add_word(line, instance->words[i]);
    add_word(line, "--");
    /* Word 0 is the shell, for files without "#!". */
    for (size_t i = 1; i < self->command.n_words; i++)
        add_word(line, self->command.words[i]);
    return PARE_OK;
}

/* Set for each instance. Without them afl-fuzz draws on a terminal, or refuses
 * to start on most machines; the last ones let it start and resume quickly, as
 * jobs are short. */
static const char *const usual_variables[] = {
    "AFL_NO_UI=1",
    "AFL_SKIP_CPUFREQ=1",
    "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1",
    "AFL_NO_AFFINITY=1",
    "AFL_AUTORESUME=1",
    "AFL_IMPORT_FIRST=1",
    "AFL_SYNC_TIME=1",
    "AFL_QUIET=1",
    "AFL_FAST_CAL=1",
    "AFL_NO_STARTUP_CALIBRATION=1",
};

/* afl-fuzz does not start where these variables are set without the options
 * that it needs. */
static const struct {
    const char *name, *needed;
} sanitizers[] = {{"ASAN_OPTIONS", "abort_on_error=1:symbolize=0"},
                  {"MSAN_OPTIONS", "exit_code=86:symbolize=0"},
                  {"LSAN_OPTIONS", "exit_code=23:symbolize=0"}};
enum { N_SANITIZERS = sizeof sanitizers / sizeof *sanitizers };

/* Takes the sanitizers' options of our environment and appends what afl-fuzz
 * insists on: of an option given twice the last one counts. */
static pare_status complete_options(struct fuzzing *self, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < N_SANITIZERS; i++) {
        const char *value = getenv(sanitizers[i].name);
        pare_buffer_reset(&self->sanitizers[i]);
        if (value && *value)
            status = pare_buffer_format(&self->sanitizers[i], err, "%s=%s:%s", sanitizers[i].name,
                                        value, sanitizers[i].needed);
    }
    return status;
}

/* Lists the variables of instance `k`: ours, then the source's, then its own.
 * Of a name that is there twice the last one counts.  The list is the caller's; it ends with
 * NULL, as it is zeroed. */
static pare_status list_variables(const struct fuzzing *self, unsigned k, const char ***list,
                                  pare_error *err)
{
    enum { N_USUAL = sizeof usual_variables / sizeof *usual_variables };
    const struct instance *instance = &self->instances[k];
    size_t n_lines = 0, n = 0;
    const char *const *lines =
        pare_section_lines(self->head.options.section, "environment", &n_lines);
    const char **variables = *list = pare_alloc_zero(
        N_USUAL + N_SANITIZERS + n_lines + instance->n_variables + 1, sizeof *variables);
    if (!variables) return pare_fail_nomem(err);
    for (size_t i = 0; i < N_USUAL; i++)
        variables[n++] = usual_variables[i];
    for (size_t i = 0; i < N_SANITIZERS; i++)
        if (self->sanitizers[i].size) variables[n++] = self->sanitizers[i].data;
    for (size_t i = 0; i < n_lines; i++)
        variables[n++] = lines[i];
    for (size_t i = 0; i < instance->n_variables; i++)
        variables[n++] = instance->words[1 + i];
    return PARE_OK;
}

/* Starts instance `k`. It prints to a log of its own, where explain() finds why
 * it has ended. */
static pare_status start(struct fuzzing *self, unsigned k, pare_error *err)
{
    const struct instance *instance = &self->instances[k];
    const char **variables = NULL;
    struct line line = {.n = 0};
    int log = -1;
    pare_status status = compose(self, k, &line, err);
    if (!status) status = complete_options(self, err);
    if (!status) status = list_variables(self, k, &variables, err);
    if (!status)
        log = pare_descriptor_raise(
            open(instance->log.data, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600),
            PARE_SPAWN_LEAST_FD);
    if (!status && log < 0)
        status = pare_fail(err, PARE_E_IO, "%s cannot be written", instance->log.data);
    const pare_source_program_order order = {.words = line.words,
                                             .folder = self->head.options.folder,
                                             .variables = variables,
                                             .output_fd = log,
                                             .error_fd = log};
    if (!status) status = pare_source_program_start(&self->programs, k, &order, err);
    pare_descriptor_close(&log);
    pare_alloc_free(line.words);
    pare_alloc_free(variables);
    return status;
}

/* --- what it says ---------------------------------------------------------------------------- */

/* Fails with the reason why an instance has ended: the line in which afl-fuzz
 * says so, without its colours. Always PARE_E_STATE. */
static pare_status explain(struct fuzzing *self, unsigned k, pare_error *err)
{
    const struct instance *instance = &self->instances[k];
    char line[256] = "it says nothing; see its log in the source's folder";
    const char *abort_at = NULL;
    if (!pare_file_read(instance->log.data, &self->text, NULL) && self->text.size)
        abort_at = strstr(self->text.data, "PROGRAM ABORT");
    if (abort_at) {
        size_t n = 0;
        const char *at = strchr(abort_at, ':');
        for (at = at ? at + 1 : abort_at; *at && *at != '\n' && n + 1 < sizeof line; at++) {
            /* A colour: up to its letter. */
            if (*at == '\033')
                while (at[1] && !isalpha((unsigned char)*at))
                    at++;
            else if (isprint((unsigned char)*at) && (n || *at != ' '))
                line[n++] = *at;
        }
        line[n] = '\0';
    }
    return pare_fail(err, PARE_E_STATE, "afl-fuzz (%s) ends: %s", instance->name.data, line);
}

/* An instance that has ended by itself is an error; nothing would start it again. */
static pare_status check_alive(struct fuzzing *self, pare_error *err)
{
    for (unsigned k = 0; k < self->n_instances; k++)
        if (pare_source_program_await(&self->programs, k, 0, NULL)) return explain(self, k, err);
    return PARE_OK;
}

/* Tests of an instance so far; 0 while afl-fuzz has not written its plot, which
 * takes it some seconds. */
static uint64_t read_tests(struct fuzzing *self, const struct instance *instance)
{
    if (pare_file_read(instance->plot.data, &self->text, NULL) || !self->text.size) return 0;
    return pare_follow_tests_in_plot(self->text.data, self->text.size);
}

/* Tests of all instances in this output folder, over all jobs;
 * pare_source_own_tests takes the difference to the last call. */
static uint64_t own_tests(pare_source *source)
{
    struct fuzzing *self = of(source);
    uint64_t n = 0;
    for (unsigned k = 0; k < self->n_instances; k++)
        n += read_tests(self, &self->instances[k]);
    return n;
}

/* --- giving and taking ----------------------------------------------------------------------- */

/* The place of an input in the table of those that came from here or were seen
 * here; *key is its checksum. The table has a fixed size, and a later input
 * takes the place of an earlier one: that is then given to AFL once more, which
 * costs a test. */
static uint64_t *own_place(struct fuzzing *self, const void *bytes, size_t size, uint64_t *key)
{
    *key = pare_checksum(bytes, size);
    return &self->own[*key % OWN];
}

/* Sets *path to the next file that is given, named as in AFL's own queues. */
static pare_status name_given(const struct fuzzing *self, pare_buffer *path, pare_error *err)
{
    pare_buffer_reset(path);
    return pare_buffer_format(path, err, "%s/id:%06" PRIu64 ",src:pare", self->sync.data,
                              self->n_given);
}

/* Notes what earlier jobs have given, so that it is not given again, which
 * would cost afl-fuzz most of a job. */
static pare_status note_given(struct fuzzing *self, pare_error *err)
{
    pare_buffer path = {0};
    uint64_t key;
    pare_status status = name_given(self, &path, err);
    while (!status && pare_file_exists(path.data)) {
        status = pare_file_read(path.data, &self->text, err);
        if (!status && self->text.size) {
            uint64_t *place = own_place(self, self->text.data, self->text.size, &key);
            *place = key;
        }
        self->n_given++;
        if (!status) status = name_given(self, &path, err);
    }
    pare_buffer_done(&path);
    return status;
}

/* Gives an input of the population to AFL, unless it came from there, is empty,
 * or is too large. Written under another name and renamed, as AFL may read the
 * folder at any time. */
static pare_status join(pare_source *source, const void *bytes, size_t size, uint64_t new_edges,
                        pare_error *err)
{
    (void)new_edges;
    struct fuzzing *self = of(source);
    pare_buffer path = {0};
    uint64_t key;
    if (!size || size > MOST_BYTES || *own_place(self, bytes, size, &key) == key) return PARE_OK;
    pare_status status = name_given(self, &path, err);
    if (!status) status = pare_file_write_bytes(path.data, bytes, size, err);
    self->n_given++;
    pare_buffer_done(&path);
    return status;
}

/* Whether a file of a queue was taken over from another instance, or from us:
 * then it was seen there. */
static bool is_taken_over(const char *path)
{
    const char *name = strstr(path, "/queue/id:");
    return name && strstr(name, ",sync:");
}

/* A pare_follow_visit: emits the content of a file. One that has vanished is none. */
static pare_status take(void *context, const char *path, int64_t safe_ns, pare_error *err)
{
    struct fuzzing *self = context;
    char position[POSITION_BYTES];
    uint64_t key;
    if (safe_ns > self->safe_ns) self->safe_ns = safe_ns;
    if (is_taken_over(path)) return PARE_OK;
    if (pare_file_read(path, &self->text, NULL)) return PARE_OK;
    const char *bytes = self->text.size ? self->text.data : "";
    uint64_t *place = own_place(self, bytes, self->text.size, &key);
    *place = key;
    (void)snprintf(position, sizeof position, "%" PRId64, self->safe_ns);
    return pare_source_emit(&self->head, bytes, self->text.size, position, err);
}

/* Starts the instances and follows what they write, until the job is stopped. A
 * fuzzer never has no more, so *dry is not set. */
static pare_status run(pare_source *source, const char *position, bool *dry, pare_error *err)
{
    struct fuzzing *self = of(source);
    pare_status status = PARE_OK;
    (void)dry; /* a fuzzer never is */
    const int64_t from_ns = strtoll(position, NULL, 10);
    self->safe_ns = from_ns;
    source->told_tests = own_tests(source);
    for (unsigned k = 0; !status && k < self->n_instances; k++)
        status = start(self, k, err);
    while (!status) {
        status =
            pare_follow_wait(self->follow, IDLE_MS, from_ns, source->options.stop, take, self, err);
        if (!status) status = check_alive(self, err);
        if (!status) status = pare_source_idle(source, err);
    }
    return status;
}

/* --- life ------------------------------------------------------------------------------------ */

/* Copies the seeds, numbered. AFL wants files and at least one, so without
 * seeds there is one with a "0". */
static pare_status copy_seeds(struct fuzzing *self, pare_error *err)
{
    size_t n_globs = 0, n = 0;
    const char *const *globs = pare_section_words(self->head.options.section, "files", &n_globs);
    pare_buffer path = {0};
    pare_status status = pare_file_make_directories(self->seeds.data, err);
    for (size_t i = 0; !status && i <= n_globs; i++) {
        glob_t found = {0};
        /* The round after the last pattern finds nothing. */
        const int code = i < n_globs ? glob(globs[i], 0, NULL, &found) : GLOB_NOMATCH;
        for (size_t k = 0; !code && !status && k < found.gl_pathc; k++) {
            /* A folder stands for its files. */
            if (pare_file_is_directory(found.gl_pathv[k])) {
                status = pare_fail(err, PARE_E_ARG,
                                   "the seeds of AFL must be files, not a folder: write '%s/*'",
                                   found.gl_pathv[k]);
                break;
            }
            if (pare_file_read(found.gl_pathv[k], &self->text, NULL) || !self->text.size ||
                self->text.size > MOST_BYTES)
                continue;
            pare_buffer_reset(&path);
            status = pare_buffer_format(&path, err, "%s/%06zu", self->seeds.data, n++);
            if (!status)
                status = pare_file_write_bytes(path.data, self->text.data, self->text.size, err);
        }
        globfree(&found);
    }
    if (!status && !n) status = pare_buffer_format(&path, err, "%s/none", self->seeds.data);
    if (!status && !n) status = pare_file_write_bytes(path.data, "0", 1, err);
    pare_buffer_done(&path);
    return status;
}

/* Reads the command that afl-fuzz runs: the source's own, or the target's.
 * Errors: PARE_E_STATE, afl-fuzz is not installed. */
static pare_status read_command(struct fuzzing *self, pare_error *err)
{
    const pare_source_options *given = &self->head.options;
    const pare_names none = {.items = NULL};
    const char *own = pare_section_text(given->section, "command");
    const pare_test_options *test = &given->target->test;
    pare_error missing = {0};
    pare_status status = pare_command_init(&self->afl, "afl-fuzz", none, &missing);
    if (status) return pare_fail(err, PARE_E_STATE, "afl-fuzz is not found: install AFL++ (afl++)");
    if (*own) return pare_command_init_target(&self->command, &own, 1, none, err);
    if (!test->program)
        return pare_fail(err, PARE_E_ARG, "AFL cannot run the target %s", given->target->name);
    return pare_command_init_target(&self->command, test->program, test->n_program, none, err);
}

/* Takes the suffix off "@@.js" and notes it: AFL knows "@@" only, and has an
 * option for the suffix. */
static pare_status cut_suffix(struct fuzzing *self, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 1; !status && i < self->command.n_words; i++) {
        char *mark = strstr(self->command.words[i], "@@.");
        if (!mark) continue;
        char *end = mark + 3;
        while (isalnum((unsigned char)*end))
            end++;
        pare_buffer_reset(&self->suffix);
        status = pare_buffer_add(&self->suffix, mark + 3, (size_t)(end - mark - 3), err);
        memmove(mark + 2, end, strlen(end) + 1);
    }
    return status;
}

/* Marks our own queue as a main instance's, if none of ours is one. Secondaries
 * take finds from such folders, and two are refused. */
static pare_status mark_main(struct fuzzing *self, pare_error *err)
{
    pare_buffer path = {0};
    pare_status status = pare_buffer_format(&path, err, "%s/pare/is_main_node", self->out.data);
    if (!status && self->n_instances == 1) status = pare_file_write_bytes(path.data, "", 0, err);
    if (!status && self->n_instances > 1) (void)unlink(path.data);
    pare_buffer_done(&path);
    return status;
}

/* Makes files, folders and command lines, but no process, so that an error
 * comes before afl-fuzz is started. */
static pare_status prepare(struct fuzzing *self, pare_error *err)
{
    const char *folder = self->head.options.folder;
    const char *dictionary = pare_section_text(self->head.options.section, "dictionary");
    pare_status status = read_command(self, err);
    if (!status) status = cut_suffix(self, err);
    if (!status) status = pare_buffer_format(&self->out, err, "%s/out", folder);
    if (!status) status = pare_buffer_format(&self->seeds, err, "%s/seeds", folder);
    if (!status) status = pare_buffer_format(&self->sync, err, "%s/out/pare/queue", folder);
    if (!status) status = pare_buffer_text(&self->dictionary, dictionary, err);
    if (!status) status = read_roles(self, err);
    for (unsigned k = 0; !status && k < self->n_instances; k++)
        status = name_places(self, &self->instances[k], err);
    if (!status) status = copy_seeds(self, err);
    if (!status) status = pare_file_make_directories(self->sync.data, err);
    if (!status) status = mark_main(self, err);
    return status ? status : pare_source_program_init(&self->programs, self->n_instances, err);
}

/* Begins to follow what the instances write, and notes what was given before.
 * Crashes and hangs come before the queue, so that findings are taken first. */
static pare_status open_follow(struct fuzzing *self, pare_error *err)
{
    enum { PLACES = 3 };
    self->own = pare_alloc_zero(OWN, sizeof *self->own);
    self->places = pare_alloc_zero((size_t)self->n_instances * PLACES, sizeof *self->places);
    if (!self->own || !self->places) return pare_fail_nomem(err);
    for (unsigned k = 0; k < self->n_instances; k++) {
        self->places[PLACES * k] = self->instances[k].crashes.data;
        self->places[PLACES * k + 1] = self->instances[k].hangs.data;
        self->places[PLACES * k + 2] = self->instances[k].queue.data;
    }
    pare_status status =
        pare_follow_open(self->places, (size_t)self->n_instances * PLACES, &self->follow, err);
    return status ? status : note_given(self, err);
}

/* Frees an instance. words[0] is the copy of the line into which the other
 * words point. */
static void close_instance(struct instance *instance)
{
    pare_buffer *buffers[] = {&instance->name,  &instance->queue, &instance->crashes,
                              &instance->hangs, &instance->plot,  &instance->log};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        pare_buffer_done(buffers[i]);
    if (instance->words) pare_alloc_free(instance->words[0]);
    pare_alloc_free(instance->words);
}

/* Ends the fuzzers before what they write is forgotten. Also of a source that
 * was opened in part. */
static void close_source(pare_source *source)
{
    struct fuzzing *self = of(source);
    if (self->programs.n) pare_source_program_done(&self->programs);
    pare_follow_free(self->follow);
    for (unsigned k = 0; self->instances && k < self->n_instances; k++)
        close_instance(&self->instances[k]);
    pare_alloc_free(self->instances);
    pare_alloc_free(self->places);
    pare_alloc_free(self->own);
    pare_command_done(&self->command);
    pare_command_done(&self->afl);
    pare_buffer *buffers[] = {&self->out,        &self->seeds,  &self->sync,
                              &self->dictionary, &self->suffix, &self->text};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        pare_buffer_done(buffers[i]);
    for (size_t i = 0; i < N_SANITIZERS; i++)
        pare_buffer_done(&self->sanitizers[i]);
    pare_alloc_free(self);
}

static const pare_source_ops ops = {
    .run = run, .join = join, .own_tests = own_tests, .close = close_source};

/* Opens the source. afl-fuzz itself is started by `run`, since sources are also
 * opened to try a campaign. */
pare_status pare_source_afl_open(const pare_source_options *options, pare_source **out,
                                 pare_error *err)
{
    struct fuzzing *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->head = (pare_source){
        .ops = &ops, .options = *options, .name = pare_section_name(options->section)};
    pare_status status = prepare(self, err);
    if (!status) status = open_follow(self, err);
    if (status)
        close_source(&self->head);
    else
        *out = &self->head;
    return status;
}
