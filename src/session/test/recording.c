/* Recorded choices: from their file to the text that they make, and back into a file.
 *
 * The text becomes the input of the reduction, under the file's name without ".choices", and the
 * list is kept beside it: algorithms of texts work on the text, "choices" on the list, by running
 * the generator again.  The text is made twice at the start; a generator that does not repeat
 * itself is refused. */
#include "session/test/recording.h"

#include <string.h>

#include <pare/record.h>
#include <pare/stop.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/sized.h"
#include "engine/strategy.h"
#include "os/file.h"
#include "reduce/choice/choice_reduction.h"
#include "reduce/choice/choices.h"
#include "run/process.h"
#include "session/read_input.h"
#include "text/text.h"

static const char SUFFIX[] = ".choices";

static pare_status name_text(const pare_input_options *options, pare_buffer *name, pare_error *err)
{
    const char *base = pare_read_input_base_name(options);
    size_t size = strlen(base), suffix = sizeof SUFFIX - 1;
    bool has = size > suffix && strcmp(base + size - suffix, SUFFIX) == 0;
    return pare_buffer_add(name, base, has ? size - suffix : size, err);
}

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
    if (!status)
        status = pare_external_generator_replay(self->generator, self->list, self->n, &made, err);
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

pare_status pare_recording_open(pare_input_options *options, uint64_t timeout_ms, pare_text **input,
                                pare_recording **out, pare_error *err)
{
    *out = NULL;
    if (!is_recorded(options, *input)) return PARE_OK;
    pare_recording *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    pare_status status = begin(self, options, timeout_ms, input, err);
    if (status)
        pare_recording_free(self);
    else
        *out = self;
    return status;
}

void pare_recording_free(pare_recording *recording)
{
    if (!recording) return;
    pare_external_generator_free(recording->generator);
    pare_buffer_done(&recording->name);
    pare_alloc_free(recording->list);
    pare_alloc_free(recording);
}

void pare_recording_spare(const pare_recording *recording, const pare_session_oracle *oracle)
{
    if (oracle->command)
        pare_process_spare(oracle->oracle, pare_external_generator_guard(recording->generator));
}

pare_status pare_recording_strategy(pare_recording *recording, const pare_stop *stop,
                                    uint64_t deadline_ms, pare_strategy **out, pare_error *err)
{
    pare_generator generator =
        pare_external_generator_as_generator(recording->generator, stop, deadline_ms);
    return pare_choice_reduction_new(generator, recording->list, recording->n, PARE_CHOICE_TEXTS,
                                     out, err);
}

pare_engine_end pare_recording_stopped(const pare_recording *recording)
{
    return pare_external_generator_stopped(recording->generator);
}

static pare_status write_list(const pare_recording *recording, const char *path, pare_error *err)
{
    pare_buffer file = {0};
    pare_status status = pare_choices_list_write(recording->list, recording->n, &file, err);
    if (!status) status = pare_file_write_bytes(path, file.data, file.size, err);
    pare_buffer_done(&file);
    return status;
}

pare_status pare_recording_take(pare_recording *recording, const pare_strategy *strategy,
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

void pare_recorded_done(pare_recorded *recorded)
{
    pare_alloc_free(recorded->text);
    pare_alloc_free(recorded->choices);
    *recorded = (pare_recorded){.text = NULL};
}

bool pare_is_recorded(const char *path)
{
    pare_buffer file = {0};
    pare_error unused = {0}; /* what cannot be read was not recorded */
    bool is = !pare_file_read(path, &file, &unused) &&
              pare_choices_list_is_file(file.data ? file.data : "", file.size);
    pare_buffer_done(&file);
    return is;
}

static pare_status replay_file(pare_external_generator *generator, const char *path,
                               pare_buffer *text, uint64_t **list, size_t *n, pare_error *err)
{
    pare_buffer file = {0};
    pare_status status = pare_file_read(path, &file, err);
    if (!status)
        status = pare_choices_list_read(path, file.data ? file.data : "", file.size, list, n, err);
    if (!status) status = pare_external_generator_replay(generator, *list, *n, text, err);
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

pare_status pare_record_sized(const pare_record_options *options, size_t options_bytes,
                              pare_recorded *recorded, pare_error *err)
{
    pare_record_options own;
    *recorded = (pare_recorded){.text = NULL};
    pare_status status =
        pare_sized_take(&own, sizeof own, options, options_bytes, "options to record", err);
    return status ? status : record(&own, recorded, err);
}
