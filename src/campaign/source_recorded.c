/* A generator whose randomness is recorded, as a source.
 *
 * The program is run again and again under the recorder (run/recorder.h); each run prints one
 * input.  The choices of the last runs are kept, and those of a failing input are written into the
 * source's folder as DIGEST.choices, with which the failure can be reduced through the generator's
 * choices: pare reduce DIGEST.choices --generator COMMAND.
 *
 * The program gets real randomness, so no position leads back to an input; the recorded choices do.
 * A run that fails is skipped, but many failures in a row end the source. */
#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/checksum.h"
#include "base/digest.h"
#include "base/fail.h"
#include "campaign/section.h"
#include "campaign/source.h"
#include "campaign/store.h"
#include "os/file.h"
#include "reduce/choice/choices.h"
#include "session/test/external_generator.h"

/* KEPT: lists of choices; MOST_FAILED: runs in a row that may fail. */
enum { KEPT = 256, MOST_FAILED = 16, PATH_BYTES = 64 };

/* The choices of an input that may still be under test. */
struct kept {
    uint64_t checksum; /* of the text; 0: free */
    uint64_t *list;    /* owned */
    size_t n;
};

/* The source. `kept` is a ring: the next list goes to place `at`. */
struct recording {
    pare_source head;
    pare_external_generator *generator; /* owned */
    struct kept *kept;                  /* owned; KEPT, a ring */
    size_t at;
    pare_buffer text;
};

/* The head is the first member of the kind's struct. */
static struct recording *of(pare_source *source)
{
    return (struct recording *)(void *)source;
}

/* Takes a list over, in the place of the oldest. KEPT is more than are ever
 * under test at once, so the choices of an input are there when its verdict
 * comes. */
static void keep(struct recording *self, uint64_t *list, size_t n)
{
    struct kept *place = &self->kept[self->at++ % KEPT];
    pare_alloc_free(place->list);
    *place = (struct kept){
        .checksum = pare_checksum(self->text.size ? self->text.data : "", self->text.size),
        .list = list,
        .n = n};
}

/* Writes the choices of a failing input into the source's folder. A failure to
 * write is passed over: the input itself is kept anyway. */
static void write_choices(struct recording *self, const struct kept *kept, const void *bytes,
                          size_t size)
{
    char digest[PARE_DIGEST_TEXT_BYTES];
    pare_buffer file = {0}, path = {0};
    pare_store_digest(bytes, size, digest);
    pare_status status = pare_choices_list_write(kept->list, kept->n, &file, NULL);
    if (!status)
        status =
            pare_buffer_format(&path, NULL, "%s/%s.choices", self->head.options.folder, digest);
    if (!status) status = pare_file_write_bytes(path.data, file.data, file.size, NULL);
    pare_buffer_done(&file);
    pare_buffer_done(&path);
}

/* Writes the choices of an input that has failed; they are found by its checksum. */
static void feedback(pare_source *source, const void *bytes, size_t size, bool failed,
                     uint64_t new_edges)
{
    struct recording *self = of(source);
    (void)new_edges;
    if (!failed) return;
    const uint64_t checksum = pare_checksum(bytes, size);
    for (size_t i = 0; i < KEPT; i++)
        if (self->kept[i].list && self->kept[i].checksum == checksum) {
            write_choices(self, &self->kept[i], bytes, size);
            return;
        }
}

/* Runs the program again and again until the job is stopped. It ends with an
 * error after MOST_FAILED failures in a row. */
static pare_status run(pare_source *source, const char *position, bool *dry, pare_error *err)
{
    struct recording *self = of(source);
    pare_status status = PARE_OK;
    unsigned n_failed = 0;
    (void)position;
    (void)dry;
    while (!status) {
        uint64_t *list = NULL;
        size_t n = 0;
        pare_buffer_reset(&self->text);
        status = pare_external_generator_record(self->generator, &self->text, &list, &n, err);
        if (status == PARE_E_STATE && ++n_failed < MOST_FAILED) {
            pare_fail_clear(err);
            status = pare_source_idle(source, err);
            continue;
        }
        if (status) return status;
        n_failed = 0;
        keep(self, list, n);
        status = pare_source_emit(source, self->text.size ? self->text.data : "", self->text.size,
                                  "", err);
    }
    return status;
}

/* Frees the source, also one that was opened in part. */
static void close_source(pare_source *source)
{
    struct recording *self = of(source);
    pare_external_generator_free(self->generator);
    for (size_t i = 0; self->kept && i < KEPT; i++)
        pare_alloc_free(self->kept[i].list);
    pare_alloc_free(self->kept);
    pare_buffer_done(&self->text);
    pare_alloc_free(self);
}

static const pare_source_ops ops = {.run = run, .feedback = feedback, .close = close_source};

/* Opens the source and its recorder. On PARE_OK the caller owns *out. */
pare_status pare_source_recorded_open(const pare_source_options *options, pare_source **out,
                                      pare_error *err)
{
    const char *command = pare_section_text(options->section, "command");
    if (!*command)
        return pare_fail(err, PARE_E_ARG, "a source of kind recorded needs 'command = ...'");
    struct recording *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->head = (pare_source){
        .ops = &ops, .options = *options, .name = pare_section_name(options->section)};
    self->kept = pare_alloc_zero(KEPT, sizeof *self->kept);
    const pare_external_generator_options how = {
        .command = command, .timeout_ms = pare_section_time_ms(options->section, "time")};
    pare_status status = self->kept ? PARE_OK : pare_fail_nomem(err);
    if (!status) status = pare_external_generator_open(&how, &self->generator, err);
    if (status) {
        close_source(&self->head);
        return status;
    }
    assert(self->generator);
    *out = &self->head;
    return PARE_OK;
}
