/* Reading and writing the form of a history; what that is stands in the header.
 *
 * Reading takes nothing on trust: sizes are compared with what is left, a step is made of one before
 * it, and a text has to have the digest that was recorded.  Why sizes that vary, unlike the journal's:
 * a history has the input in it, and steps of a few bytes; there is one for each success and
 * not for each test, so reading all of them takes no index.
 * Tested by tests/unit/test_history_file.c and tests/fuzz/fuzz_history.c. */
#include "session/output/history_file.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/checksum.h"
#include "base/varint.h"
#include "base/vector.h"
#include "os/entries.h"
#include "text/candidate.h"
#include "text/delta.h"

enum {
    INPUT = 1,
    NAMES = 2,
    PHASE = 3,
    STEP = 4,
    NOTE = 5,
    CHECK = 4,
    DIGEST = 8,
    HEADER_CHECK = 8
};

static const char MAGIC[8] = "PAREHIS1";

/* Writes the low `n_bytes` of the value, little-endian: of 0x0102 in three bytes 02 01
 * 00. */
static void put_fixed(unsigned char *to, uint64_t value, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i++)
        to[i] = (unsigned char)(value >> 8 * i);
}

/* Reads a number that put_fixed wrote. */
static uint64_t get_fixed(const unsigned char *from, size_t n_bytes)
{
    uint64_t value = 0;
    for (size_t i = 0; i < n_bytes; i++)
        value |= (uint64_t)from[i] << 8 * i;
    return value;
}

/* ---- writing ----------------------------------------------------------------------------- */

/* The magic, the digest of the input, and a checksum of both: a file that begins otherwise is not
 * touched. */
pare_status pare_history_file_add_header(pare_buffer *to, pare_digest input, pare_error *err)
{
    unsigned char bytes[PARE_HISTORY_HEADER_BYTES];
    memcpy(bytes, MAGIC, sizeof MAGIC);
    put_fixed(bytes + 8, input.high, 8);
    put_fixed(bytes + 16, input.low, 8);
    put_fixed(bytes + 24, pare_checksum(bytes, sizeof bytes - HEADER_CHECK), HEADER_CHECK);
    return pare_buffer_add(to, bytes, sizeof bytes, err);
}

/* Appends a record with this body: its size, the body, the checksum of the body. */
static pare_status add_record(pare_buffer *to, const pare_buffer *body, pare_error *err)
{
    unsigned char check[CHECK];
    put_fixed(check, pare_checksum(body->data, body->size), CHECK);
    pare_status status = pare_varint_add(to, body->size, err);
    if (!status) status = pare_buffer_add(to, body->data, body->size, err);
    return status ? status : pare_buffer_add(to, check, CHECK, err);
}

/* The first byte of a body says what it is. */
static pare_status add_kind(pare_buffer *body, unsigned char kind, pare_error *err)
{
    return pare_buffer_add(body, &kind, 1, err);
}

/* The whole text, once; all others are edits of it. */
pare_status pare_history_file_add_input(pare_buffer *to, const pare_text *text, pare_error *err)
{
    pare_buffer body = {0};
    const size_t size = pare_text_size(text);
    pare_status status = add_kind(&body, INPUT, err);
    if (!status) status = pare_buffer_reserve(&body, size, err);
    if (!status) {
        pare_text_read(text, 0, size, body.data + body.size);
        body.size += size;
        status = add_record(to, &body, err);
    }
    pare_buffer_done(&body);
    return status;
}

/* NULL is the empty text. */
static pare_status add_text(pare_buffer *body, const char *text, pare_error *err)
{
    const size_t size = text ? strlen(text) : 0;
    pare_status status = pare_varint_add(body, size, err);
    return status || !size ? status : pare_buffer_add(body, text, size, err);
}

/* Kind, mode, input, path, target. */
static pare_status add_entry(pare_buffer *body, const pare_entry *entry, pare_error *err)
{
    const uint64_t numbers[] = {(uint64_t)entry->kind, (uint64_t)entry->mode, entry->input};
    pare_status status = PARE_OK;
    for (size_t k = 0; !status && k < sizeof numbers / sizeof *numbers; k++)
        status = pare_varint_add(body, numbers[k], err);
    if (!status) status = add_text(body, entry->path, err);
    return status ? status : add_text(body, entry->target, err);
}

/* For several files: the marker in their frames, and their names. */
pare_status pare_history_file_add_names(pare_buffer *to, const pare_layout *layout, pare_error *err)
{
    pare_buffer body = {0};
    pare_status status = add_kind(&body, NAMES, err);
    if (!status) status = pare_buffer_add(&body, layout->marker, PARE_LAYOUT_MARKER_BYTES, err);
    if (!status) status = pare_varint_add(&body, layout->is_file, err);
    if (!status) status = pare_varint_add(&body, layout->entries.n, err);
    for (size_t i = 0; !status && i < layout->entries.n; i++)
        status = add_entry(&body, &layout->entries.items[i], err);
    if (!status) status = add_record(to, &body, err);
    pare_buffer_done(&body);
    return status;
}

/* A record that is a text. */
static pare_status add_words(pare_buffer *to, unsigned char kind, const char *text, pare_error *err)
{
    pare_buffer body = {0};
    pare_status status = add_kind(&body, kind, err);
    if (!status) status = pare_buffer_text(&body, text, err);
    if (!status) status = add_record(to, &body, err);
    pare_buffer_done(&body);
    return status;
}

/* A step names its phase by number, so each name is written once, before the first step of it. */
pare_status pare_history_file_add_phase(pare_buffer *to, const char *name, pare_error *err)
{
    return add_words(to, PHASE, name, err);
}

/* The last note counts. */
pare_status pare_history_file_add_note(pare_buffer *to, const char *note, pare_error *err)
{
    return add_words(to, NOTE, note, err);
}

/* A step is an edit of an earlier one. How many steps back that is, mostly 1, comes first; the edit
 * takes the rest of the body. */
pare_status pare_history_file_add_step(pare_buffer *to, size_t number,
                                       const pare_history_record *step, pare_span delta,
                                       pare_error *err)
{
    assert(step->from < number);
    unsigned char digest[DIGEST];
    const uint64_t numbers[] = {number - step->from, step->test,  step->ms,
                                step->phase,         step->bytes, step->is_thinned};
    pare_buffer body = {0};
    pare_status status = add_kind(&body, STEP, err);
    for (size_t k = 0; !status && k < sizeof numbers / sizeof *numbers; k++)
        status = pare_varint_add(&body, numbers[k], err);
    put_fixed(digest, step->digest, DIGEST);
    if (!status) status = pare_buffer_add(&body, digest, DIGEST, err);
    if (!status && delta.size) status = pare_buffer_add(&body, delta.bytes, delta.size, err);
    if (!status) status = add_record(to, &body, err);
    pare_buffer_done(&body);
    return status;
}

/* ---- reading ------------------------------------------------------------------------------ */

/* A text with its NUL, in the arena.  One that has a NUL in it is damage. */
static pare_status get_text(pare_varint_reader *body, pare_arena *texts, const char **text,
                            pare_error *err)
{
    const uint64_t size = pare_varint_next(body);
    const unsigned char *bytes = pare_varint_bytes(body, size);
    if (!bytes || memchr(bytes, 0, (size_t)size))
        return pare_fail(err, PARE_E_CORRUPT, "a name is incomplete");
    *text = pare_arena_text(texts, (const char *)bytes, (size_t)size);
    return *text ? PARE_OK : pare_fail_nomem(err);
}

/* Reads an entry that add_entry wrote.
 * Numbers are checked here; pare_layout_recall checks that its path is harmless, as one
 * with ".." in it would not be where it is restored. */
static pare_status get_entry(pare_varint_reader *body, pare_arena *texts, pare_entry *entry,
                             pare_error *err)
{
    const uint64_t kind = pare_varint_next(body), mode = pare_varint_next(body);
    const uint64_t input = pare_varint_next(body);
    if (body->failed || kind > PARE_ENTRY_VARIABLE || mode > 0777 || input > UINT32_MAX)
        return pare_fail(err, PARE_E_CORRUPT, "an entry is incomplete");
    *entry =
        (pare_entry){.kind = (pare_entry_kind)kind, .mode = (mode_t)mode, .input = (uint32_t)input};
    pare_status status = get_text(body, texts, &entry->path, err);
    return status ? status : get_text(body, texts, &entry->target, err);
}

/* Each entry takes five bytes at least, so a number of them that there are no bytes for needs no
 * memory. */
static pare_status get_names(pare_varint_reader *body, pare_layout **layout, pare_error *err)
{
    const unsigned char *marker = pare_varint_bytes(body, PARE_LAYOUT_MARKER_BYTES);
    const uint64_t is_file = pare_varint_next(body), n = pare_varint_next(body);
    if (body->failed || is_file > 1 || !n || n > (uint64_t)(body->end - body->at) / 5)
        return pare_fail(err, PARE_E_CORRUPT, "the names of the files are incomplete");
    pare_arena texts = {0};
    pare_entry *items = pare_alloc((size_t)n, sizeof *items);
    pare_status status = items ? PARE_OK : pare_fail_nomem(err);
    for (size_t i = 0; !status && i < n; i++)
        status = get_entry(body, &texts, &items[i], err);
    if (!status) status = pare_layout_recall(items, (size_t)n, marker, is_file, layout, err);
    pare_alloc_free(items);
    pare_arena_done(&texts);
    return status;
}

/* The name is borrowed from the bytes of the file. */
static pare_status get_phase(const pare_varint_reader *body, pare_history_file *file,
                             pare_error *err)
{
    pare_span *phases =
        pare_vector_grow(file->phases, file->n_phases, &file->phases_capacity, sizeof *phases);
    if (!phases) return pare_fail_nomem(err);
    file->phases = phases;
    phases[file->n_phases++] = (pare_span){body->at, (size_t)(body->end - body->at)};
    return PARE_OK;
}

/* Appends a step to those that were read.  Errors: PARE_E_NOMEM. */
static pare_status add_step(pare_history_file *file, const pare_history_record *step,
                            pare_error *err)
{
    pare_history_record *steps =
        pare_vector_grow(file->steps, file->n_steps, &file->steps_capacity, sizeof *steps);
    if (!steps) return pare_fail_nomem(err);
    file->steps = steps;
    steps[file->n_steps++] = *step;
    return PARE_OK;
}

/* An edit is not applied here, so only its size is known; whoever asks for the text finds out
 * whether it is damaged. */
static pare_status get_step(pare_varint_reader *body, pare_history_file *file, pare_error *err)
{
    pare_history_record step = {0};
    const uint64_t back = pare_varint_next(body);
    step.test = pare_varint_next(body);
    /* A step is made of one that came before it, and its phase was named before it. */
    step.ms = pare_varint_next(body);
    const uint64_t phase = pare_varint_next(body);
    step.bytes = pare_varint_next(body);
    const uint64_t thinned = pare_varint_next(body);
    const unsigned char *digest = pare_varint_bytes(body, DIGEST);
    if (!digest || !back || back > file->n_steps || phase > file->n_phases || thinned > 1)
        return pare_fail(err, PARE_E_CORRUPT, "a step is incomplete");
    step.from = file->n_steps - (size_t)back;
    step.phase = (size_t)phase;
    step.is_thinned = thinned;
    step.digest = get_fixed(digest, DIGEST);
    step.at = (size_t)(body->at - file->bytes);
    step.size = (size_t)(body->end - body->at);
    return add_step(file, &step, err);
}

/* The input is step 0.  Of several files it has frames in it, which are not counted. */
static pare_status get_input(const pare_varint_reader *body, pare_history_file *file,
                             pare_error *err)
{
    file->text = (pare_span){body->at, (size_t)(body->end - body->at)};
    return add_step(
        file, &(pare_history_record){.bytes = file->text.size, .digest = file->input.low}, err);
}

/* Takes one body.  The order of the kinds is a part of the form: a second input, or
 * names that come after the first phase, are damage. */
static pare_status take(pare_varint_reader *body, pare_history_file *file, pare_error *err)
{
    const unsigned char *kind = pare_varint_bytes(body, 1);
    const bool any = file->n_steps > 0;
    if (kind && *kind == INPUT && !any) return get_input(body, file, err);
    if (kind && *kind == NAMES && file->n_steps == 1 && !file->layout && !file->n_phases)
        return get_names(body, &file->layout, err);
    if (kind && *kind == PHASE && any) return get_phase(body, file, err);
    if (kind && *kind == NOTE && any) {
        file->note = (pare_span){body->at, (size_t)(body->end - body->at)};
        return PARE_OK;
    }
    if (kind && *kind == STEP && any) return get_step(body, file, err);
    return pare_fail(err, PARE_E_CORRUPT, "a record does not belong here");
}

/* Takes the next record, if it is whole.  The check is read last, so where there is
 * one, the size was not too large for the file. */
static pare_status read_record(pare_varint_reader *reader, pare_history_file *file, pare_error *err)
{
    const uint64_t size = pare_varint_next(reader);
    const unsigned char *bytes = pare_varint_bytes(reader, size);
    const unsigned char *check = pare_varint_bytes(reader, CHECK);
    if (!check || get_fixed(check, CHECK) != (pare_checksum(bytes, (size_t)size) & UINT32_MAX))
        return pare_fail(err, PARE_E_CORRUPT, "a record is incomplete");
    pare_varint_reader body = {.at = bytes, .end = bytes + size};
    return take(&body, file, err);
}

/* Sets the number of bytes of step 0.  With several files the contents count and not
 * the frames.
 * PARE_E_CORRUPT cannot come from here, so it always means that a record is damaged. */
static pare_status measure_input(pare_history_file *file, pare_error *err)
{
    pare_text *text = NULL;
    pare_candidate whole = {0};
    if (!file->layout) return PARE_OK;
    pare_status status = pare_text_copy(file->text.bytes, file->text.size, &text, err);
    if (!status) {
        pare_candidate_start(&whole, text);
        status = pare_candidate_slice(&whole, 0, file->text.size, err);
    }
    if (!status) file->steps[0].bytes = pare_layout_measure(file->layout, &whole).bytes;
    pare_candidate_done(&whole);
    pare_text_unref(text);
    return status;
}

/* A file whose end is torn or damaged is read up to there: a history is written while the machine
 * may lose power.  Only without an input is there nothing to read. */
pare_status pare_history_file_read(const void *bytes, size_t size, pare_history_file *file,
                                   pare_error *err)
{
    const unsigned char *from = bytes;
    const size_t head = PARE_HISTORY_HEADER_BYTES;
    pare_status status = PARE_OK;
    if (size < head || memcmp(from, MAGIC, sizeof MAGIC) != 0 ||
        get_fixed(from + head - HEADER_CHECK, HEADER_CHECK) !=
            pare_checksum(from, head - HEADER_CHECK))
        return pare_fail(err, PARE_E_CORRUPT, "it does not begin as a history does");
    pare_history_file read = {
        .bytes = from,
        .end = head,
        .input = {.high = get_fixed(from + 8, 8), .low = get_fixed(from + 16, 8)}};
    pare_varint_reader reader = {.at = from + head, .end = from + size};
    while (!status && reader.at < reader.end) {
        status = read_record(&reader, &read, NULL);
        /* What holds ends with the last record that was taken whole. */
        if (!status) read.end = (size_t)(reader.at - from);
    }
    if (status == PARE_E_CORRUPT && read.n_steps) status = PARE_OK;
    if (!status && !read.n_steps) status = PARE_E_CORRUPT;
    if (!status) status = measure_input(&read, NULL);
    if (!status) {
        *file = read;
        return PARE_OK;
    }
    pare_history_file_done(&read);
    return status == PARE_E_NOMEM ? pare_fail_nomem(err)
                                  : pare_fail(err, status, "the input in it is incomplete");
}

/* The bytes of the file are the caller's. */
void pare_history_file_done(pare_history_file *file)
{
    pare_layout_free(file->layout);
    pare_alloc_free(file->steps);
    pare_alloc_free(file->phases);
    *file = (pare_history_file){.n_steps = 0};
}

/* ---- texts ---------------------------------------------------------------------------------- */

/* The bytes of a buffer, as spans have them. */
static pare_span span_of(const pare_buffer *buffer)
{
    return (pare_span){(const unsigned char *)buffer->data, buffer->size};
}

/* Lists the steps from what is known, or the input, to `step`: *way, owned, with the
 * last first.  PARE_E_NOMEM; *way is then to be freed, too.
 * Where 3 was made of 2 and 2 of 0, and nothing is known, the way to 3 is 3, 2; where 2
 * is known it is 3. */
static pare_status find_way(const pare_history_file *file, size_t step,
                            const pare_history_known *known, size_t **way, size_t *n)
{
    size_t capacity = 0;
    *way = NULL;
    for (*n = 0; step && !(known->any && known->step == step); step = file->steps[step].from) {
        size_t *grown = pare_vector_grow(*way, *n, &capacity, sizeof *grown);
        if (!grown) return PARE_E_NOMEM;
        *way = grown;
        grown[(*n)++] = step;
    }
    return PARE_OK;
}

/* Whether the text is the one that was recorded.  Of the way only the last text is
 * looked at: a mistake before it would show in it. */
static pare_status check(const pare_history_file *file, const pare_history_known *known,
                         pare_error *err)
{
    const pare_hash hash = pare_digest_extend((pare_hash){{0}}, known->text.data, known->text.size);
    if (pare_digest_of(hash, known->text.size).low == file->steps[known->step].digest)
        return PARE_OK;
    return pare_fail(err, PARE_E_CORRUPT, "step %zu is damaged", known->step);
}

/* Applies one more edit.  No best is larger than the input, so an edit that would make
 * a larger text is damage, and asks for no memory. */
static pare_status follow(const pare_history_file *file, size_t step, pare_history_known *known,
                          pare_error *err)
{
    pare_buffer next = {0};
    const pare_span delta = {file->bytes + file->steps[step].at, file->steps[step].size};
    pare_status status =
        pare_delta_apply(delta, span_of(&known->text), file->text.size, &next, err);
    if (status) {
        pare_buffer_done(&next);
        return status;
    }
    pare_buffer_done(&known->text);
    known->text = next;
    known->step = step;
    return PARE_OK;
}

/* Goes on from the step whose text the caller has, if the way leads by it: reading all steps in
 * their order then costs one edit each, not a chain of them. */
pare_status pare_history_file_text(const pare_history_file *file, size_t step,
                                   pare_history_known *known, pare_error *err)
{
    size_t *way, n;
    assert(step < file->n_steps);
    pare_status status = find_way(file, step, known, &way, &n);
    if (status) (void)pare_fail_nomem(err);
    /* Where the way begins: at the step that is known, or at the input. */
    const size_t first = n ? file->steps[way[n - 1]].from : step;
    if (!status && !(known->any && known->step == first)) {
        pare_buffer_reset(&known->text);
        *known = (pare_history_known){.text = known->text, .any = true};
        status = pare_buffer_add(&known->text, file->text.bytes, file->text.size, err);
    }
    while (!status && n > 0)
        status = follow(file, way[--n], known, err);
    if (!status) status = check(file, known, err);
    if (status) {
        pare_buffer_done(&known->text);
        known->any = false;
    }
    pare_alloc_free(way);
    return status;
}
