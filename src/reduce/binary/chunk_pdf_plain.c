/* PDF with packed objects, written without them, as PDF 1.4 has it.
 *
 * Most objects of today's files are in streams, packed together, and a stream in place of the table tells where; no byte of
 * them may go alone.  So the file is written anew: objects of such streams one behind the other, all others as they are, a table
 * of positions, and what the stream of positions says of the file as a trailer.  Candidates are made of that; where none fails, the
 * failure is one of the packed form.
 * Of several objects of one number the last one counts.  What is encrypted stays as it is.
 * Cost: O(bytes), unpacked: members of a stream ascend, so each byte is read once.  Numbers of objects are bounded by how
 * many there are, and the table by the result.
 * Source: ISO 32000-1, 7.5.7 and 7.5.8; qpdf --object-streams=disable does the same.  Tested by
 * tests/unit/test_chunk_pdf_plain.c. */
#include "reduce/binary/chunk_pdf_plain.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "reduce/binary/chunk_pdf_objects.h"
#include "reduce/binary/chunk_pdf_syntax.h"
#include "text/packing.h"
#include "text/text.h"

enum {
    MOST_NUMBERS = 4,    /* for each object that was found, */
    FREE_NUMBERS = 4096, /* and so many more */
    ROW_BYTES = 20       /* of the table */
};

struct plain {
    pare_pdf_text text;
    pare_pdf_object *objects; /* owned */
    size_t n;
    uint32_t *
        places; /* owned; of each number: where its object begins, of those that were written; 0: nowhere */
    uint32_t n_places;
    size_t most;     /* bytes of the result, and of what is unpacked for it */
    size_t unpacked; /* so far */
    pare_buffer *out;
    pare_error *err;
};

/* Whether the object is a stream whose dictionary says that it is of this type ("/XRef",
 * "/ObjStm"). */
static bool is_of_type(const struct plain *plain, const pare_pdf_object *object, const char *type)
{
    const pare_pdf_value value = pare_chunk_pdf_syntax_find(&plain->text, &object->value, "/Type");
    const size_t n = strlen(type);
    return object->data && value.kind == PARE_PDF_WORD && value.to - value.from == n &&
           memcmp(plain->text.bytes + value.from, type, n) == 0;
}

/* A number of the object's dictionary; UINT32_MAX if there is none, or it is a reference. */
static uint32_t entry_of(const struct plain *plain, const pare_pdf_object *object, const char *name)
{
    const pare_pdf_value value = pare_chunk_pdf_syntax_find(&plain->text, &object->value, name);
    return pare_chunk_pdf_objects_value(&plain->text, &value);
}

/* Notes that the object of that number is what is written next; false: the number is above what the
 * table may have, or the result is too large. An object of the same number that was written before
 * is no longer found by the table. */
static bool note_place(struct plain *plain, uint32_t number)
{
    if (number >= plain->n_places || plain->out->size > plain->most) return false;
    plain->places[number] = (uint32_t)plain->out->size;
    return true;
}

static pare_status add(struct plain *plain, const void *bytes, size_t n)
{
    return pare_buffer_add(plain->out, bytes, n, plain->err);
}

/* Writes one object of an unpacked stream, which is at *at or behind that, as "7 0 obj ... endobj";
 * *at moves behind it. *done: there is none, so the stream is damaged, and its number is free in
 * the table. */
static pare_status add_member(struct plain *plain, const pare_pdf_text *members, uint32_t number,
                              uint32_t *at, bool *done)
{
    const uint32_t from = pare_chunk_pdf_syntax_skip_blanks(members, *at);
    const pare_pdf_value value = pare_chunk_pdf_syntax_value(members, from);
    *done = value.kind == PARE_PDF_NONE;
    if (*done) {
        plain->places[number] = 0;
        return PARE_OK;
    }
    *at = value.to;
    pare_status status = pare_buffer_format(plain->out, plain->err, "%u 0 obj\n", (unsigned)number);
    if (!status) status = add(plain, members->bytes + value.from, value.to - value.from);
    return status ? status : add(plain, "\nendobj\n", 8);
}

/* Writes the objects of an unpacked stream, at first pairs of a number and a position, then what
 * stands there:
 *
 * 11 0  12 16  << /Type /Page >> [1 0 R]     object 11 at `first` + 0, object 12 at `first` + 16
 *
 * Positions ascend (ISO 32000-1, 7.5.7): what begins before the end of the last object is left out,
 * or the same bytes, such as blanks, would be read for each of them. */
static pare_status add_members(struct plain *plain, const pare_pdf_text *members, uint32_t n,
                               uint32_t first)
{
    pare_status status = PARE_OK;
    uint32_t at = 0, behind = first, number, position;
    bool done = false;
    for (uint32_t i = 0; !status && !done && i < n; i++) {
        at = pare_chunk_pdf_syntax_skip_blanks(members, at);
        at = pare_chunk_pdf_syntax_digits(members, at, &number);
        at = pare_chunk_pdf_syntax_skip_blanks(members, at);
        const uint32_t end = pare_chunk_pdf_syntax_digits(members, at, &position);
        if (end == at || position >= members->end - first || plain->out->size > plain->most)
            return status;
        at = end;
        if (first + position < behind || !note_place(plain, number)) continue;
        behind = first + position;
        status = add_member(plain, members, number, &behind, &done);
    }
    return status;
}

/* Writes what a stream of objects holds; *done: it could be read. A filter other than zlib's
 * deflate, or an unpacked size above what is left, leaves nothing used, and the file is not
 * rewritten. */
static pare_status add_stream(struct plain *plain, const pare_pdf_object *object, bool *done)
{
    const uint32_t n = entry_of(plain, object, "/N"), first = entry_of(plain, object, "/First");
    const pare_pdf_value filter =
        pare_chunk_pdf_syntax_find(&plain->text, &object->value, "/Filter");
    const pare_span data = {plain->text.bytes + object->data, object->data_to - object->data};
    pare_buffer members = {0};
    size_t used = 0;
    pare_status status = PARE_OK;
    *done = false;
    if (n == UINT32_MAX || first == UINT32_MAX) return PARE_OK;
    if (filter.kind == PARE_PDF_NONE) {
        status = pare_buffer_add(&members, data.bytes, data.size, plain->err);
        used = data.size;
    } else
        status = pare_packing_open(PARE_PACKING_ZLIB, data, plain->most - plain->unpacked, &members,
                                   &used, plain->err);
    const pare_pdf_text text = {.bytes = (const unsigned char *)members.data,
                                .end = (uint32_t)members.size};
    plain->unpacked +=
        members.size < plain->most - plain->unpacked ? members.size : plain->most - plain->unpacked;
    *done = !status && used && first <= text.end;
    if (*done) status = add_members(plain, &text, n, first);
    pare_buffer_done(&members);
    return status;
}

/* Writes an object as it is, unless its number is out of bounds. */
static pare_status add_object(struct plain *plain, const pare_pdf_object *object)
{
    if (!note_place(plain, object->number)) return PARE_OK;
    pare_status status = add(plain, plain->text.bytes + object->from, object->to - object->from);
    return status ? status : add(plain, "\n", 1);
}

/* Writes a row of twenty bytes for each number: the position of its object and 'n', or zeros and
 * 'f' for one that is free. Object 0 is free by definition, with the generation 65535. */
static pare_status add_table(struct plain *plain)
{
    pare_status status =
        pare_buffer_format(plain->out, plain->err, "xref\n0 %u\n", (unsigned)plain->n_places);
    for (uint32_t i = 0; !status && i < plain->n_places; i++)
        status = pare_buffer_format(plain->out, plain->err, "%010u %05u %c \n",
                                    (unsigned)plain->places[i], i ? 0U : 65535U,
                                    plain->places[i] ? 'n' : 'f');
    return status;
}

/* Writes the table, and a trailer with what the stream of positions says of the file; how that
 * stream is packed and what its rows are is left out. The position of the table ends the file. */
static pare_status add_trailer(struct plain *plain, const pare_pdf_object *object)
{
    static const char *const kept[] = {"/Root", "/Info", "/ID"};
    const size_t table = plain->out->size;
    pare_status status = add_table(plain);
    if (!status)
        status = pare_buffer_format(plain->out, plain->err, "trailer\n<< /Size %u",
                                    (unsigned)plain->n_places);
    for (size_t i = 0; !status && i < sizeof kept / sizeof *kept; i++) {
        const pare_pdf_value value =
            pare_chunk_pdf_syntax_find(&plain->text, &object->value, kept[i]);
        if (value.kind == PARE_PDF_NONE) continue;
        status = pare_buffer_format(plain->out, plain->err, " %s ", kept[i]);
        if (!status) status = add(plain, plain->text.bytes + value.from, value.to - value.from);
    }
    if (!status)
        status = pare_buffer_format(plain->out, plain->err, " >>\nstartxref\n%u\n%%%%EOF\n",
                                    (unsigned)table);
    return status;
}

/* The last stream of positions that names a root, that of the latest revision; NULL: there is none,
 * or it is encrypted. */
static const pare_pdf_object *positions_of(const struct plain *plain)
{
    for (size_t i = plain->n; i-- > 0;) {
        const pare_pdf_object *object = &plain->objects[i];
        if (!is_of_type(plain, object, "/XRef")) continue;
        const pare_pdf_value *value = &object->value;
        const bool is_secret =
            pare_chunk_pdf_syntax_find(&plain->text, value, "/Encrypt").kind != PARE_PDF_NONE;
        const bool has_root =
            pare_chunk_pdf_syntax_find(&plain->text, value, "/Root").kind != PARE_PDF_NONE;
        if (is_secret) return NULL;
        if (has_root) return object;
    }
    return NULL;
}

/* How many numbers there may be: as many as the file says, within reason. A file of a few bytes
 * that says four thousand million would need a table of eighty gigabytes. */
static uint32_t count_numbers(const struct plain *plain, const pare_pdf_object *positions)
{
    const uint32_t says = entry_of(plain, positions, "/Size");
    uint64_t n = plain->n;
    for (size_t i = 0; i < plain->n; i++)
        if (is_of_type(plain, &plain->objects[i], "/ObjStm")) {
            const uint32_t members = entry_of(plain, &plain->objects[i], "/N");
            const uint32_t bytes = plain->objects[i].data_to - plain->objects[i].data;
            n += members < bytes ? members : bytes;
        }
    const uint64_t most = n * MOST_NUMBERS + FREE_NUMBERS;
    return says < most ? says : (uint32_t)most;
}

/* Writes the file; *done: it has packed objects, all of which could be read. Streams of positions
 * are left out, streams of objects are replaced by what is in them. */
static pare_status write_plain(struct plain *plain, bool *done)
{
    const pare_pdf_object *positions = positions_of(plain);
    *done = false;
    if (!positions) return PARE_OK;
    plain->n_places = count_numbers(plain, positions);
    if (plain->n_places > plain->most / ROW_BYTES) return PARE_OK;
    plain->places = pare_alloc_zero((size_t)plain->n_places + 1, sizeof *plain->places);
    if (!plain->places) return pare_fail_nomem(plain->err);
    pare_status status = add(plain, "%PDF-1.4\n", 9);
    for (size_t i = 0; !status && i < plain->n; i++) {
        const pare_pdf_object *object = &plain->objects[i];
        if (is_of_type(plain, object, "/XRef")) continue;
        bool read = true;
        status = is_of_type(plain, object, "/ObjStm") ? add_stream(plain, object, &read)
                                                      : add_object(plain, object);
        if (!read) return status;
    }
    if (!status) status = add_trailer(plain, positions);
    *done = !status && plain->out->size <= plain->most;
    return status;
}

pare_status pare_chunk_pdf_plain_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                      pare_error *err)
{
    const pare_chunk at = tree->chunks[chunk];
    pare_buffer out = {0};
    struct plain plain = {.text = {.bytes = tree->bytes, .end = at.body_to},
                          .most = tree->most - tree->size,
                          .out = &out,
                          .err = err};
    bool done = false;
    uint32_t inner = PARE_NO_CHUNK;
    *found = false;
    if (!pare_chunk_pdf_syntax_has(&plain.text, at.body, "%PDF-")) return PARE_OK;
    pare_status status =
        pare_chunk_pdf_objects_find(&plain.text, at.body, &plain.objects, &plain.n, err);
    if (!status) status = write_plain(&plain, &done);
    if (!status && done)
        status = pare_chunk_tree_add(tree, chunk, at.body, at.body_to, &inner, err);
    if (!status && inner != PARE_NO_CHUNK) {
        tree->chunks[inner].fixed = true;
        status = pare_chunk_tree_rewrite(tree, inner, &out, found, err);
    }
    pare_alloc_free(plain.objects);
    pare_alloc_free(plain.places);
    pare_buffer_done(&out);
    return status;
}
