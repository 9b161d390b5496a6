/* Texts by the lists of choices that made them: encoded records in one buffer, as in the file.
 *
 * A record of choices is mostly small numbers, so they are written in groups of 7 bits (LEB128, as
 * in DWARF and WebAssembly): some 3 bytes a choice instead of 24.  The buffer is what the file holds
 * but for its header; an index finds records by their digests.  They are decoded when they are asked
 * for, which takes less than a hundredth of a run of the generator.
 *
 * Invariant: `offsets[i]` is where record i begins; every record in the buffer checks. */
#include "session/test/made_texts.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/checksum.h"
#include "base/hash_index.h"
#include "base/varint.h"
#include "base/vector.h"
#include "os/log_file.h"

static const char MAGIC[8] = "PAREMADE";

/* Of the file: header and a checksum.  HEAD has the size of the body and the digest. */
enum { HEADER = 32, CHECK = 8, HEAD = 24 /* of a record, before its body */ };

/* A record is HEAD, body and CHECK: the size of the body and the digest of the list; whether a text
 * was made, the choices, the spans and the text; a checksum of all before it. */
struct pare_made_texts {
    pare_buffer records;
    size_t *offsets; /* owned */
    size_t n, capacity;
    pare_hash_index index; /* by digests */
    pare_log_file *log;    /* owned; NULL: in memory only */
};

/* ---- numbers ------------------------------------------------------------------------- */

/* Eight bytes, the low ones first, on every machine. */
static void put_fixed(unsigned char *to, uint64_t value)
{
    for (size_t i = 0; i < 8; i++)
        to[i] = (unsigned char)(value >> (8 * i));
}

/* What put_fixed wrote. */
static uint64_t get_fixed(const unsigned char *from)
{
    uint64_t value = 0;
    for (size_t i = 0; i < 8; i++)
        value |= (uint64_t)from[i] << (8 * i);
    return value;
}

static pare_digest get_digest(const unsigned char *from)
{
    return (pare_digest){.high = get_fixed(from), .low = get_fixed(from + 8)};
}

static void put_digest(unsigned char *to, pare_digest digest)
{
    put_fixed(to, digest.high);
    put_fixed(to + 8, digest.low);
}

/* ---- records ------------------------------------------------------------------------- */

/* Appends choices and spans. A missing parent or end is written as 0, and all other
 * numbers one larger than they are; an end is written relative to the begin of its
 * span, which makes it small.
 * A span of label 7 without a parent, from choice 3 to 9, is the numbers 7, 0, 3, 7. */
static pare_status put_record(pare_buffer *to, const pare_choice_record *record, pare_error *err)
{
    pare_status status = pare_varint_add(to, record->n, err);
    for (size_t i = 0; !status && i < record->n; i++) {
        status = pare_varint_add(to, record->choices[i].index, err);
        if (!status) status = pare_varint_add(to, record->choices[i].bound, err);
    }
    if (!status) status = pare_varint_add(to, record->n_spans, err);
    for (size_t i = 0; !status && i < record->n_spans; i++) {
        const pare_choice_span *span = &record->spans[i];
        const uint64_t numbers[] = {
            span->label, span->parent == PARE_NO_SPAN ? 0 : (uint64_t)span->parent + 1, span->first,
            span->end == PARE_SPAN_OPEN ? 0 : (uint64_t)span->end - span->first + 1};
        for (size_t k = 0; !status && k < 4; k++)
            status = pare_varint_add(to, numbers[k], err);
    }
    return status;
}

/* Reads a number of things of which each takes `least` bytes at least: more than there
 * are bytes for are damage, and need no memory.  So a few damaged bytes cannot ask for
 * gigabytes. */
static size_t get_count(pare_varint_reader *reader, size_t least)
{
    uint64_t n = pare_varint_next(reader);
    if (n > (size_t)(reader->end - reader->at) / least) reader->failed = true;
    return reader->failed ? 0 : (size_t)n;
}

/* Reads what put_record wrote, into the room that is there.  Damage is in reader->failed; the
 * status is of memory alone. */
static pare_status get_choices(pare_varint_reader *reader, pare_choice_record *record)
{
    size_t n = get_count(reader, 2);
    record->n = 0;
    while (!reader->failed && record->n < n) {
        pare_choice *grown =
            pare_vector_grow(record->choices, record->n, &record->capacity, sizeof *grown);
        if (!grown) return PARE_E_NOMEM;
        record->choices = grown;
        pare_choice *choice = &grown[record->n++];
        *choice = (pare_choice){.index = pare_varint_next(reader), .kind = PARE_CHOICE_BRANCH};
        choice->bound = pare_varint_next(reader);
        /* An index is below its bound, in all that was ever chosen. */
        if (!choice->bound || choice->index >= choice->bound) reader->failed = true;
    }
    return PARE_OK;
}

/* Whether the last span of the record keeps the rules: it begins not before the one
 * before it, ends within the choices, and lies within its parent, which was opened
 * before it. */
static bool is_nested(const pare_choice_record *record, const pare_choice_span *span)
{
    const pare_choice_span *before = record->n_spans > 1 ? span - 1 : NULL;
    if (span->first > record->n || (before && span->first < before->first)) return false;
    if (span->end != PARE_SPAN_OPEN && (span->end < span->first || span->end > record->n))
        return false;
    if (span->parent == PARE_NO_SPAN) return true;
    /* A parent is one that was read already, and not the span itself. */
    if (span->parent + 1 >= record->n_spans) return false;
    const pare_choice_span *parent = &record->spans[span->parent];
    return parent->first <= span->first &&
           (parent->end == PARE_SPAN_OPEN ||
            (span->end != PARE_SPAN_OPEN && span->end <= parent->end));
}

/* The same for spans, which must be nested: what uses them relies on it. */
static pare_status get_spans(pare_varint_reader *reader, pare_choice_record *record)
{
    size_t n = get_count(reader, 4);
    record->n_spans = 0;
    while (!reader->failed && record->n_spans < n) {
        pare_choice_span *grown = pare_vector_grow(record->spans, record->n_spans,
                                                   &record->spans_capacity, sizeof *grown);
        if (!grown) return PARE_E_NOMEM;
        record->spans = grown;
        uint64_t label = pare_varint_next(reader), parent = pare_varint_next(reader),
                 first = pare_varint_next(reader), size = pare_varint_next(reader);
        if (label > UINT32_MAX || parent > record->n_spans || first > record->n ||
            size > record->n + 1)
            reader->failed = true;
        grown[record->n_spans++] =
            (pare_choice_span){.label = (uint32_t)label,
                               .parent = parent ? (uint32_t)parent - 1 : PARE_NO_SPAN,
                               .first = (uint32_t)first,
                               .end = size ? (uint32_t)(first + size - 1) : PARE_SPAN_OPEN};
        if (!is_nested(record, &grown[record->n_spans - 1])) reader->failed = true;
    }
    return PARE_OK;
}

/* Finds one whole record.  The checksum is looked at first; what it may have missed is
 * found by the rules of a record (pare_made_texts_read). */
size_t pare_made_texts_parse(const void *bytes, size_t size, size_t offset, pare_digest *key)
{
    if (offset > size || size - offset < HEAD + CHECK) return 0;
    const unsigned char *from = (const unsigned char *)bytes + offset;
    uint64_t body = get_fixed(from);
    if (body > size - offset - HEAD - CHECK) return 0;
    size_t whole = HEAD + (size_t)body + CHECK;
    if (get_fixed(from + whole - CHECK) != pare_checksum(from, whole - CHECK)) return 0;
    *key = get_digest(from + 8);
    return whole;
}

/* False with PARE_OK: the record is damaged.  `text` keeps its room from one call to the next. */
bool pare_made_texts_read(const void *record, size_t size, pare_made_text *text,
                          pare_status *status)
{
    const unsigned char *from = record;
    assert(size >= HEAD + CHECK && "it was parsed");
    pare_varint_reader reader = {.at = from + HEAD, .end = from + size - CHECK};
    /* Of 0 or 1; anything else is damage that checks. */
    uint64_t made = pare_varint_next(&reader);
    pare_buffer_reset(&text->text);
    *status = made > 1 ? PARE_OK : get_choices(&reader, &text->record);
    if (!*status && !reader.failed && made <= 1) *status = get_spans(&reader, &text->record);
    if (*status || reader.failed || made > 1) return false;
    text->made = made;
    /* What is left after the numbers is the text. */
    *status = pare_buffer_add(&text->text, reader.at ? (const char *)reader.at : "",
                              (size_t)(reader.end - reader.at), NULL);
    return !*status;
}

/* ---- the file ------------------------------------------------------------------------ */

/* By the identity of the generator a file of another one is known, and begun anew. */
static void write_header(unsigned char header[HEADER], pare_digest identity)
{
    memcpy(header, MAGIC, sizeof MAGIC);
    put_digest(header + 8, identity);
    put_fixed(header + HEADER - CHECK, pare_checksum(header, HEADER - CHECK));
}

/* Beside the journal, with which it goes. */
static pare_status name_file(const char *journal_dir, pare_buffer *path, pare_error *err)
{
    return pare_buffer_format(path, err, "%s/made", journal_dir);
}

/* Called when the journal goes, since nothing is resumed then. */
void pare_made_texts_drop(const char *journal_dir)
{
    pare_buffer path = {0};
    if (journal_dir && !name_file(journal_dir, &path, NULL)) (void)unlink(path.data);
    pare_buffer_done(&path); /* what stays is made anew, or known again */
}

/* ---- memory -------------------------------------------------------------------------- */

/* In memory until it is opened. */
pare_status pare_made_texts_new(pare_made_texts **out, pare_error *err)
{
    pare_made_texts *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    *out = self;
    return PARE_OK;
}

void pare_made_texts_free(pare_made_texts *self)
{
    if (!self) return;
    pare_log_file_close(self->log);
    pare_buffer_done(&self->records);
    pare_hash_index_done(&self->index);
    pare_alloc_free(self->offsets);
    pare_alloc_free(self);
}

/* Makes the record at the end of the buffer, which begins at `offset`, known to the
 * index.  After a failure it is not, and does no harm. */
static pare_status enter(pare_made_texts *self, pare_digest key, size_t offset, pare_error *err)
{
    size_t *grown = pare_vector_grow(self->offsets, self->n, &self->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    self->offsets = grown;
    pare_status status = pare_hash_index_add(&self->index, key.low, (uint32_t)self->n, err);
    if (!status) grown[self->n++] = offset;
    return status;
}

/* Takes the records of the file over, and cuts off what does not check: a record that
 * was being written when the machine stopped, and whatever follows it. */
static pare_status take(pare_made_texts *self, const pare_buffer *file, pare_error *err)
{
    size_t end = HEADER, size;
    pare_digest key;
    pare_status status = PARE_OK;
    while (!status && (size = pare_made_texts_parse(file->data, file->size, end, &key)) != 0) {
        size_t offset = self->records.size;
        status = pare_buffer_add(&self->records, file->data + end, size, err);
        if (!status) status = enter(self, key, offset, err);
        end += size;
    }
    if (status || end == file->size) return status;
    return pare_log_file_cut(self->log, end, err);
}

/* What was made before the file was opened (the input, twice) stays in memory only. */
pare_status pare_made_texts_open(pare_made_texts *self, const char *journal_dir,
                                 pare_digest identity, pare_sync sync, pare_error *err)
{
    unsigned char header[HEADER];
    pare_buffer path = {0}, file = {0};
    if (self->log) return PARE_OK;
    write_header(header, identity);
    pare_status status = name_file(journal_dir, &path, err);
    if (!status) status = pare_log_file_open(path.data, sync, &self->log, err);
    if (!status) status = pare_log_file_read(self->log, &file, err);
    /* Of another generator, or another version of it: nothing in it holds. */
    bool ours = !status && file.size >= HEADER && memcmp(file.data, header, HEADER) == 0;
    if (!status && ours) status = take(self, &file, err);
    if (!status && !ours) status = pare_log_file_cut(self->log, 0, err);
    if (!status && !ours) status = pare_log_file_append(self->log, header, HEADER, err);
    if (status) {
        pare_log_file_close(self->log);
        self->log = NULL;
    }
    pare_buffer_done(&path);
    pare_buffer_done(&file);
    return status;
}

/* If two records share a digest, or one is damaged, the next one is tried. */
pare_status pare_made_texts_find(const pare_made_texts *self, pare_digest key, pare_made_text *text,
                                 bool *found, pare_error *err)
{
    /* The index has a half of the digest, so what it finds may be another list's. */
    pare_hash_probe probe = pare_hash_index_probe(&self->index, key.low);
    uint32_t item;
    *found = false;
    while (!*found && pare_hash_index_next(&self->index, &probe, &item)) {
        pare_digest other;
        pare_status status;
        const size_t at = self->offsets[item];
        size_t size = pare_made_texts_parse(self->records.data, self->records.size, at, &other);
        if (!size || !pare_digest_equal(other, key)) continue;
        *found = pare_made_texts_read(self->records.data + at, size, text, &status);
        if (status) return pare_fail_nomem(err);
    }
    return PARE_OK;
}

/* Appends the record to the buffer, and makes it known; what there was stays where it
 * cannot be.  The size of the body is known only at the end, so the head is filled in
 * then. */
static pare_status encode(pare_made_texts *self, pare_digest key, const pare_made_text *text,
                          pare_error *err)
{
    unsigned char head[HEAD] = {0}, check[CHECK];
    const size_t start = self->records.size;
    put_digest(head + 8, key);
    pare_status status = pare_buffer_add(&self->records, head, HEAD, err);
    if (!status) status = pare_varint_add(&self->records, text->made, err);
    if (!status) status = put_record(&self->records, &text->record, err);
    if (!status && text->text.size)
        status = pare_buffer_add(&self->records, text->text.data, text->text.size, err);
    if (!status) {
        unsigned char *record = (unsigned char *)self->records.data + start;
        const size_t size = self->records.size - start;
        put_fixed(record, size - HEAD);
        put_fixed(check, pare_checksum(record, size));
        status = pare_buffer_add(&self->records, check, CHECK, err);
    }
    if (!status) status = enter(self, key, start, err);
    if (status) self->records.size = start;
    return status;
}

/* If the disk is full the text is simply made again by the next run. */
pare_status pare_made_texts_add(pare_made_texts *self, pare_digest key, const pare_made_text *text,
                                pare_error *err)
{
    const size_t start = self->records.size;
    if (start >= PARE_MADE_TEXTS_BYTES) return PARE_OK;
    pare_status status = encode(self, key, text, err);
    if (status || !self->log) return status;
    /* Once a record is missing in the file, later ones are not written either. */
    if (pare_log_file_append(self->log, self->records.data + start, self->records.size - start,
                             NULL)) {
        pare_log_file_close(self->log);
        self->log = NULL;
    }
    return PARE_OK;
}
