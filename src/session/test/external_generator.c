/* External generators: running them under the recorder, remembering what they made; and recorded
 * choices as the input of a reduction.
 *
 * The recorder (run/recorder.h) is preloaded into the program and answers its calls for
 * randomness from a list, or notes what they returned.  Spans come from the calls of its
 * functions.  The engine asks a strategy and its copies for the same candidate again and again,
 * and a run costs a process; so what lists made is remembered (session/test/made_texts.h), for a run
 * that goes on, too; the last N_MEMORIES also as they are used, where the one that was not used for
 * longest gives way (LRU).  A list with which the generator does not end well is remembered as one
 * that makes nothing; an error of ours is not remembered.
 *
 * The text of recorded choices becomes the input of the reduction, under the file's name without
 * ".choices", and the list is kept beside it: algorithms of texts work on the text, "choices" on
 * the list, by running the generator again.  The text is made twice at the start; a generator that
 * does not repeat itself is refused.
 * Source: MacIver and Donaldson, ECOOP 2020, reduce by choices; that those of any program are
 * recorded by preloading a library is ours. */

#include "session/test/external_generator.h"

#include <assert.h>
#include <string.h>

#include <pare/record.h>
#include <pare/stop.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/checksum.h"
#include "base/digest.h"
#include "base/fail.h"
#include "base/sized.h"
#include "base/vector.h"
#include "engine/strategy.h"
#include "os/clock.h"
#include "os/executable.h"
#include "os/file.h"
#include "os/stop.h"
#include "reduce/choice/choice_reduction.h"
#include "reduce/choice/choices.h"
#include "run/command.h"
#include "run/process.h"
#include "run/recorder.h"
#include "session/read_input.h"
#include "session/test/made_texts.h"
#include "text/text.h"

enum {
    DEFAULT_TIMEOUT_MS = 10000,
    N_MEMORIES = 16,
    SHOWN_BYTES = 200 /* of what a generator says */
};

/* What a list of choices makes. If the text was not finished, the record's last spans are open. */
struct memory {
    pare_digest key;
    bool full;
    uint64_t used; /* when */
    pare_made_text is;
};

/* The generator, its recorder, and what its last runs made. */
struct pare_external_generator {
    pare_command command;
    pare_recorder *recorder; /* owned */
    int timeout_ms;
    const pare_stop *stop; /* borrowed */
    uint64_t deadline_ms;
    uint64_t now; /* counts looks into the memories */
    struct memory memories[N_MEMORIES];
    pare_made_texts *made; /* owned; of all lists */
    uint32_t *open;        /* owned; spans that are open while a record is made */
    size_t n_open, open_capacity;
};

/* --- opening --------------------------------------------------------------------------- */

/* Refuses what nothing can be preloaded into.  A script's interpreter is looked at when it
 * runs. */
static pare_status check_program(const pare_command *command, pare_error *err)
{
    pare_executable program;
    const char *path = command->words[1];
    pare_status status = pare_executable_read(path, &program, err);
    if (status || program.is_script || !program.is_elf) return status;
    if (program.is_dynamic && !program.is_setuid) return PARE_OK;
    return pare_fail(err, PARE_E_UNSUPPORTED,
                     "the randomness of %s cannot be recorded: it is %s, so that nothing can be "
                     "preloaded into it",
                     path, program.is_setuid ? "set-user-ID" : "linked statically");
}

/* Makes the command and the recorder; what nothing can be preloaded into is refused here. */
static pare_status prepare(pare_external_generator *self,
                           const pare_external_generator_options *options, pare_error *err)
{
    const pare_names none = {.items = NULL};
    /* Ten seconds are enough for what is meant to be run thousands of times. */
    uint64_t limit_ms = options->timeout_ms ? options->timeout_ms : DEFAULT_TIMEOUT_MS;
    self->timeout_ms = limit_ms < INT32_MAX ? (int)limit_ms : INT32_MAX;
    pare_status status =
        options->command
            ? pare_command_init(&self->command, options->command, none, err)
            : pare_command_init_target(&self->command, options->words, options->n_words, none, err);
    if (!status) status = check_program(&self->command, err);
    if (!status) status = pare_made_texts_new(&self->made, err);
    return status ? status : pare_recorder_new(&self->recorder, err);
}

/* On failure *out stays as it was. */
pare_status pare_external_generator_open(const pare_external_generator_options *options,
                                         pare_external_generator **out, pare_error *err)
{
    pare_external_generator *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    pare_status status = prepare(self, options, err);
    if (status)
        pare_external_generator_free(self);
    else
        *out = self;
    return status;
}

/* The memories that were never filled are all-zero, and may be ended. */
void pare_external_generator_free(pare_external_generator *self)
{
    if (!self) return;
    for (size_t i = 0; i < N_MEMORIES; i++) {
        pare_buffer_done(&self->memories[i].is.text);
        pare_choices_record_done(&self->memories[i].is.record);
    }
    pare_made_texts_free(self->made);
    pare_recorder_free(self->recorder);
    pare_command_done(&self->command);
    pare_alloc_free(self->open);
    pare_alloc_free(self);
}

/* A child process of ours that runs no test. */
static pid_t guard(const pare_external_generator *generator)
{
    return pare_recorder_guard(generator->recorder);
}

/* --- runs -------------------------------------------------------------------------------- */

/* A run of the program: with the `n` choices of `list`, or recorded where that is NULL. */
static pare_recorder_run run_of(const pare_external_generator *self, const uint64_t *list, size_t n)
{
    return (pare_recorder_run){.words = (const char *const *)(void *)self->command.words,
                               .list = list,
                               .n_list = n,
                               .timeout_ms = self->timeout_ms};
}

/* Why a run made no text. */
static pare_status fail_run(const pare_external_generator *self, const pare_recorder_result *result,
                            const pare_buffer *said, pare_error *err)
{
    const char *name = self->command.shown;
    int size = (int)(said->data ? strcspn(said->data, "\n") : 0);
    /* What the program printed on standard error is only quoted if it failed by itself; for other
     * ends we have a better sentence. */
    switch (result->end) {
    case PARE_RECORDER_TIMED_OUT:
        return pare_fail(err, PARE_E_STATE,
                         "the generator %s did not end within %d ms: see --timeout", name,
                         self->timeout_ms);
    case PARE_RECORDER_EXHAUSTED:
        return pare_fail(err, PARE_E_STATE, "the list of choices ends before the text of %s does",
                         name);
    case PARE_RECORDER_FULL:
        return pare_fail(err, PARE_E_STATE, "the generator %s makes too many choices", name);
    case PARE_RECORDER_FAILED:
    case PARE_RECORDER_DONE: break;
    }
    return pare_fail(err, PARE_E_STATE, "the generator %s ends with code %d%s%.*s", name,
                     result->code, size ? ": " : "", size < SHOWN_BYTES ? size : SHOWN_BYTES,
                     size ? said->data : "");
}

/* Whether anything was recorded, and if not why. */
static pare_status check_seen(const pare_external_generator *self,
                              const pare_recorder_result *result, pare_error *err)
{
    /* Choices were recorded, wherever they came from. */
    if (result->n_draws) return PARE_OK;
    /* The preloaded library has never said that it is there: a script may run what is linked
     * statically. */
    if (!result->attached)
        return pare_fail(err, PARE_E_UNSUPPORTED,
                         "the randomness of %s cannot be recorded: nothing can be preloaded into "
                         "what it runs",
                         self->command.shown);
    return pare_fail(err, PARE_E_STATE,
                     "%s makes no choice that can be recorded: it calls neither rand, random, "
                     "drand48 or their family, nor arc4random or getrandom, nor reads "
                     "/dev/urandom, or is linked statically",
                     self->command.shown);
}

/* Without a list the recorder lets the program draw, and notes what it drew. */
pare_status pare_external_generator_record(pare_external_generator *self, pare_buffer *text,
                                           uint64_t **list, size_t *n, pare_error *err)
{
    pare_buffer said = {0};
    pare_recorder_result result;
    const pare_recorder_run run = run_of(self, NULL, 0);
    pare_status status = pare_recorder_run_once(self->recorder, &run, text, &said, &result, err);
    if (!status && result.end != PARE_RECORDER_DONE) status = fail_run(self, &result, &said, err);
    if (!status) status = check_seen(self, &result, err);
    pare_buffer_done(&said);
    if (status) return status;
    uint64_t *made = pare_alloc(result.n_draws, sizeof *made);
    if (!made) return pare_fail_nomem(err);
    for (size_t i = 0; i < result.n_draws; i++)
        made[i] = pare_recorder_draw_at(self->recorder, i).index;
    /* The bounds of the draws are not kept: they are seen again when the list is replayed. */
    *list = made;
    *n = result.n_draws;
    return PARE_OK;
}

/* Appends the text of `list` to *text, having made it twice.
 * Errors: PARE_E_STATE (it makes none, or another one the second time), PARE_E_IO,
 * PARE_E_NOMEM. */
static pare_status replay(pare_external_generator *self, const uint64_t *list, size_t n,
                          pare_buffer *text, pare_error *err)
{
    pare_buffer said = {0}, again = {0};
    pare_recorder_result result;
    const pare_recorder_run run = run_of(self, list, n);
    pare_status status = pare_recorder_run_once(self->recorder, &run, text, &said, &result, err);
    if (!status && result.end != PARE_RECORDER_DONE) status = fail_run(self, &result, &said, err);
    /* Once more with the same choices: a reduction by choices that mean another text each time
     * would test one and keep another. */
    if (!status) status = pare_recorder_run_once(self->recorder, &run, &again, &said, &result, err);
    if (!status && (again.size != text->size ||
                    (again.size && memcmp(again.data, text->data, again.size) != 0)))
        status = pare_fail(err, PARE_E_STATE,
                           "%s makes a different text from the same choices each time: it depends "
                           "on what cannot be recorded, such as the time or the order of processes",
                           self->command.shown);
    pare_buffer_done(&said);
    pare_buffer_done(&again);
    return status;
}

/* --- records ------------------------------------------------------------------------------- */

/* A program does not tell the kind of its draws, so the reducer takes each for a branch. */
static pare_status add_choice(pare_choice_record *record, const pare_recorder_draw *draw,
                              pare_error *err)
{
    pare_choice *grown =
        pare_vector_grow(record->choices, record->n, &record->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    record->choices = grown;
    grown[record->n++] =
        (pare_choice){.index = draw->index, .bound = draw->bound, .kind = PARE_CHOICE_BRANCH};
    return PARE_OK;
}

/* A call of one of its functions begins: the choices up to its end are its span. */
static pare_status open_span(pare_external_generator *self, pare_choice_record *record,
                             uint32_t label, pare_error *err)
{
    pare_choice_span *spans =
        pare_vector_grow(record->spans, record->n_spans, &record->spans_capacity, sizeof *spans);
    if (!spans) return pare_fail_nomem(err);
    record->spans = spans;
    uint32_t *open = pare_vector_grow(self->open, self->n_open, &self->open_capacity, sizeof *open);
    if (!open) return pare_fail_nomem(err);
    self->open = open;
    spans[record->n_spans] =
        (pare_choice_span){.label = label,
                           .parent = self->n_open ? open[self->n_open - 1] : PARE_NO_SPAN,
                           .first = (uint32_t)record->n,
                           .end = PARE_SPAN_OPEN};
    assert(self->n_open <= record->n_spans && "open spans are in the record");
    open[self->n_open++] = (uint32_t)record->n_spans++;
    return PARE_OK;
}

/* Ends the innermost spans until `n_kept` are open: the calls that the program has returned from
 * since the draw before. */
static void close_spans(pare_external_generator *self, pare_choice_record *record, size_t n_kept)
{
    while (self->n_open > n_kept)
        record->spans[self->open[--self->n_open]].end = (uint32_t)record->n;
}

/* Makes a record of the last run: the calls of one thread are nested; where another one draws
 * they all end. */
static pare_status make_record(pare_external_generator *self, const pare_recorder_result *result,
                               pare_choice_record *record, pare_error *err)
{
    uint32_t thread = 0;
    pare_status status = PARE_OK;
    record->n = record->n_spans = self->n_open = 0;
    for (size_t i = 0; !status && i < result->n_draws; i++) {
        pare_recorder_draw draw = pare_recorder_draw_at(self->recorder, i);
        /* The stack of another thread has nothing in common with that of the last draw. */
        close_spans(self, record, draw.thread == thread ? draw.n_kept : 0);
        thread = draw.thread;
        for (uint32_t k = 0; !status && k < draw.n_labels; k++)
            status = open_span(self, record, draw.labels[k], err);
        if (!status) status = add_choice(record, &draw, err);
    }
    /* The spans of an unfinished text stay open: they say where it would have gone on. */
    if (result->end == PARE_RECORDER_DONE) close_spans(self, record, 0);
    return status;
}

/* Makes the choices of `record`, which the list has, and opens and closes its spans. */
static pare_status tell(pare_choices *choices, const pare_choice_record *record, pare_error *err)
{
    pare_status status = PARE_OK;
    uint32_t open = PARE_NO_SPAN;
    size_t next = 0;
    for (size_t i = 0; !status && i <= record->n; i++) {
        for (; open != PARE_NO_SPAN && record->spans[open].end == i;
             open = record->spans[open].parent)
            pare_choices_close(choices);
        for (; !status && next < record->n_spans && record->spans[next].first == i; next++) {
            status = pare_choices_open(choices, record->spans[next].label, err);
            open = (uint32_t)next;
        }
        uint64_t index;
        if (!status && i < record->n)
            status = pare_choices_next(choices, PARE_CHOICE_BRANCH, record->choices[i].bound,
                                       &index, err);
    }
    return status;
}

/* --- the generator ---------------------------------------------------------------------------- */

/* The memory of `key`; else the one that was not used for longest, empty. */
static struct memory *find_memory(pare_external_generator *self, pare_digest key)
{
    struct memory *oldest = &self->memories[0];
    for (size_t i = 0; i < N_MEMORIES; i++) {
        struct memory *memory = &self->memories[i];
        if (memory->full && pare_digest_equal(memory->key, key)) {
            oldest = memory;
            break;
        }
        /* A memory that was never used has the smallest number, 0. */
        if (memory->used < oldest->used) oldest = memory;
    }
    /* Another list's: it gives way. */
    if (!oldest->full || !pare_digest_equal(oldest->key, key)) oldest->full = false;
    oldest->used = ++self->now;
    oldest->key = key;
    return oldest;
}

/* Runs the program, and keeps what it made.  One that was killed, by its time limit or by a signal,
 * may make more the next time. */
static pare_status make(pare_external_generator *self, struct memory *memory, const uint64_t *list,
                        size_t n, pare_error *err)
{
    pare_recorder_result result;
    const pare_recorder_run run = run_of(self, list, n);
    pare_status status =
        pare_recorder_run_once(self->recorder, &run, &memory->is.text, NULL, &result, err);
    if (!status) status = make_record(self, &result, &memory->is.record, err);
    memory->is.made = !status && result.end == PARE_RECORDER_DONE;
    bool killed = result.end == PARE_RECORDER_TIMED_OUT ||
                  (result.end == PARE_RECORDER_FAILED && result.code > 128);
    if (status || killed) return status;
    return pare_made_texts_add(self->made, memory->key, &memory->is, err);
}

/* *memory is full only when all of it was made, so that an error of ours is tried again. */
static pare_status fill_memory(pare_external_generator *self, struct memory *memory,
                               const uint64_t *list, size_t n, pare_error *err)
{
    bool found = false;
    pare_status status = pare_made_texts_find(self->made, memory->key, &memory->is, &found, err);
    if (!status && !found) status = make(self, memory, list, n, err);
    memory->full = !status;
    return status;
}

/* The generator as the reducer of choices calls it: takes a list, gives a text and its record. A
 * list that makes no text (PARE_E_STATE) gives a record, too: it says how far the list was read. */
static pare_status run_external(void *context, pare_choices *choices, pare_buffer *text,
                                pare_error *err)
{
    pare_external_generator *self = context;
    const uint64_t *list = choices->list;
    size_t n = choices->n_list;
    pare_digest key = pare_checksum_wide((pare_digest){0}, list, n * sizeof *list);
    struct memory *memory = find_memory(self, key);
    pare_status status = memory->full ? PARE_OK : fill_memory(self, memory, list, n, err);
    if (!status) status = tell(choices, &memory->is.record, err);
    if (!status && !memory->is.made)
        status = pare_fail(err, PARE_E_STATE, "these %zu choices make no text", n);
    if (!status && memory->is.text.size)
        status = pare_buffer_add(text, memory->is.text.data, memory->is.text.size, err);
    return status;
}

/* Why the generator was stopped; PARE_END_DONE: it was not. */
static pare_engine_end external_generator_stopped(const pare_external_generator *self)
{
    if (pare_stop_requested(self->stop)) return PARE_END_INTERRUPTED;
    bool late = self->deadline_ms && pare_clock_ms() >= self->deadline_ms;
    return late ? PARE_END_BUDGET : PARE_END_DONE;
}

/* A callback of pare_generator. */
static bool is_stopped(void *context)
{
    return external_generator_stopped(context) != PARE_END_DONE;
}

/* One generator serves one strategy at a time, so stop and deadline are those of the last call. */
pare_generator pare_external_generator_as_generator(pare_external_generator *self,
                                                    const pare_stop *stop, uint64_t deadline_ms)
{
    self->stop = stop;
    self->deadline_ms = deadline_ms;
    return (pare_generator){.self = self, .run = run_external, .stopped = is_stopped};
}

/* --- recorded choices as the input of a reduction -------------------------------------------- */

static const char SUFFIX[] = ".choices";

/* "bad.c.choices" are the choices of "bad.c": the name tells the language of the text. */
static pare_status name_text(const pare_input_options *options, pare_buffer *name, pare_error *err)
{
    const char *base = pare_read_input_base_name(options);
    size_t size = strlen(base), suffix = sizeof SUFFIX - 1;
    bool has = size > suffix && strcmp(base + size - suffix, SUFFIX) == 0;
    return pare_buffer_add(name, base, has ? size - suffix : size, err);
}

/* A text may be in pieces; the list is read from one block. */
static pare_status read_list(pare_recording *self, const pare_input_options *options,
                             const pare_text *input, pare_error *err)
{
    pare_text *flat = NULL;
    pare_status status = pare_text_flatten(input, &flat, err);
    if (!status)
        status = pare_choices_list_read(pare_read_input_base_name(options), pare_text_bytes(flat),
                                        pare_text_size(flat), &self->list, &self->n, err);
    pare_text_unref(flat);
    return status;
}

/* A file for a generator that reads its choices as bytes is not recorded: it is reduced as it
 * is. */
static bool is_recorded(const pare_input_options *options, const pare_text *input)
{
    const unsigned char *bytes = pare_text_bytes(input);
    return options->generator && bytes && pare_choices_list_is_file(bytes, pare_text_size(input));
}

/* Makes the text of the choices, and lets the options name it instead of their file. */
static pare_status begin(pare_recording *self, pare_input_options *options, uint64_t timeout_ms,
                         pare_text **input, pare_error *err)
{
    pare_buffer made = {0};
    pare_text *text = NULL;
    const pare_external_generator_options how = {.command = options->generator,
                                                 .timeout_ms = timeout_ms};
    pare_status status = name_text(options, &self->name, err);
    if (!status) status = read_list(self, options, *input, err);
    if (!status) status = pare_external_generator_open(&how, &self->generator, err);
    if (!status) status = replay(self->generator, self->list, self->n, &made, err);
    if (!status) status = pare_text_copy(made.data ? made.data : "", made.size, &text, err);
    pare_buffer_done(&made);
    if (status) return status;
    pare_text_unref(*input);
    *input = text;
    options->generator = NULL;
    options->path = NULL;
    options->name = self->name.data;
    return PARE_OK;
}

/* The generator is open from here to the end of the reduction: its recorder has a child of ours,
 * the guard, that lives as long. */
pare_status pare_external_generator_open_recording(pare_input_options *options, uint64_t timeout_ms,
                                                   pare_text **input, pare_recording **out,
                                                   pare_error *err)
{
    *out = NULL;
    if (!is_recorded(options, *input)) return PARE_OK;
    pare_recording *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    pare_status status = begin(self, options, timeout_ms, input, err);
    if (status)
        pare_external_generator_free_recording(self);
    else
        *out = self;
    return status;
}

/* The file of the choices stays as it was read, unless pare_external_generator_take has written
 * another. */
void pare_external_generator_free_recording(pare_recording *recording)
{
    if (!recording) return;
    pare_external_generator_free(recording->generator);
    pare_buffer_done(&recording->name);
    pare_alloc_free(recording->list);
    pare_alloc_free(recording);
}

/* Another process that has the file, or a disk that does not take it, costs runs of the generator and
 * nothing else. */
pare_status pare_external_generator_keep_made(pare_recording *recording, const char *journal_dir,
                                              pare_sync sync, pare_error *err)
{
    pare_external_generator *self = recording->generator;
    if (!journal_dir) return PARE_OK;
    pare_status status =
        pare_made_texts_open(self->made, journal_dir, self->command.identity, sync, NULL);
    return status == PARE_E_NOMEM ? pare_fail_nomem(err) : PARE_OK;
}

/* A predicate runs in this process, so there are no processes that the guard has to tell from
 * ours. */
void pare_external_generator_spare(const pare_recording *recording,
                                   const pare_session_oracle *oracle)
{
    if (oracle->command) pare_process_spare(oracle->oracle, guard(recording->generator), 0);
}

/* The bounds of the draws are the program's own affair, so that lists cannot be compared: only
 * texts are (PARE_CHOICE_TEXTS). */
pare_status pare_external_generator_strategy(pare_recording *recording, const pare_stop *stop,
                                             uint64_t deadline_ms, pare_strategy **out,
                                             pare_error *err)
{
    pare_generator generator =
        pare_external_generator_as_generator(recording->generator, stop, deadline_ms);
    return pare_choice_reduction_new(generator, recording->list, recording->n, PARE_CHOICE_TEXTS,
                                     out, err);
}

/* A run of the generator may be ended by the deadline in the middle; the engine sees only a
 * candidate that could not be made. */
pare_engine_end pare_external_generator_recording_stopped(const pare_recording *recording)
{
    return external_generator_stopped(recording->generator);
}

/* Writes the list as a file that --choices and --replay read. */
static pare_status write_list(const pare_recording *recording, const char *path, pare_error *err)
{
    pare_buffer file = {0};
    pare_status status = pare_choices_list_write(recording->list, recording->n, &file, err);
    if (!status) status = pare_file_write_bytes(path, file.data, file.size, err);
    pare_buffer_done(&file);
    return status;
}

/* The list is the strategy's, and goes with it, so it is copied. */
pare_status pare_external_generator_take(pare_recording *recording, const pare_strategy *strategy,
                                         const char *choices_path, pare_error *err)
{
    size_t n;
    const uint64_t *list = pare_choice_reduction_list(strategy, &n);
    uint64_t *copy = pare_alloc(n + 1, sizeof *copy);
    if (!copy) return pare_fail_nomem(err);
    memcpy(copy, list, n * sizeof *copy);
    pare_alloc_free(recording->list);
    recording->list = copy;
    recording->n = n;
    return choices_path ? write_list(recording, choices_path, err) : PARE_OK;
}

/* --- <pare/record.h> --------------------------------------------------------------- */

/* An all-zero struct may be ended. */
void pare_recorded_done(pare_recorded *recorded)
{
    pare_alloc_free(recorded->text);
    pare_alloc_free(recorded->choices);
    *recorded = (pare_recorded){.text = NULL};
}

/* Looks at the first bytes; the file's name does not matter. */
bool pare_is_recorded(const char *path)
{
    pare_buffer file = {0};
    pare_error unused = {0}; /* what cannot be read was not recorded */
    bool is = !pare_file_read(path, &file, &unused) &&
              pare_choices_list_is_file(file.data ? file.data : "", file.size);
    pare_buffer_done(&file);
    return is;
}

/* *list is the caller's even if the replay fails. */
static pare_status replay_file(pare_external_generator *generator, const char *path,
                               pare_buffer *text, uint64_t **list, size_t *n, pare_error *err)
{
    pare_buffer file = {0};
    pare_status status = pare_file_read(path, &file, err);
    if (!status)
        status = pare_choices_list_read(path, file.data ? file.data : "", file.size, list, n, err);
    if (!status) status = replay(generator, *list, *n, text, err);
    pare_buffer_done(&file);
    return status;
}

/* A run that records, or one that replays a file; then the list is written as a file of choices. */
static pare_status record(const pare_record_options *options, pare_recorded *recorded,
                          pare_error *err)
{
    pare_external_generator *generator = NULL;
    pare_buffer text = {0}, file = {0};
    uint64_t *list = NULL;
    size_t n = 0;
    const pare_external_generator_options how = {
        .words = options->words, .n_words = options->n_words, .timeout_ms = options->timeout_ms};
    pare_status status = pare_external_generator_open(&how, &generator, err);
    if (!status)
        status = options->replay ? replay_file(generator, options->replay, &text, &list, &n, err)
                                 : pare_external_generator_record(generator, &text, &list, &n, err);
    /* Makes sure that even an empty text has a block, with a NUL. */
    if (!status) status = pare_buffer_text(&text, "", err);
    if (!status) status = pare_choices_list_write(list, n, &file, err);
    pare_external_generator_free(generator);
    pare_alloc_free(list);
    if (status) {
        pare_buffer_done(&text);
        pare_buffer_done(&file);
        return status;
    }
    /* A buffer's block is a plain one. */
    *recorded = (pare_recorded){.text = text.data,
                                .text_bytes = text.size,
                                .choices = file.data,
                                .choices_bytes = file.size,
                                .n_choices = n};
    return PARE_OK;
}

/* *recorded is empty until all of it is there. */
pare_status pare_record_sized(const pare_record_options *options, size_t options_bytes,
                              pare_recorded *recorded, pare_error *err)
{
    pare_record_options own;
    *recorded = (pare_recorded){.text = NULL};
    pare_status status =
        pare_sized_take(&own, sizeof own, options, options_bytes, "options to record", err);
    return status ? status : record(&own, recorded, err);
}
