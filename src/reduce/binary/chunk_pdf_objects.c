/* Objects of PDF, looked for one behind the other.
 *
 * Where they begin and end, the value that each is, and the data of its stream, whose length is believed only where
 * the word that ends it stands behind it.
 * Cost: O(bytes).
 * Source: ISO 32000-1, 7.3.  Tested by tests/unit/test_chunk_pdf.c. */
#include "reduce/binary/chunk_pdf_objects.h"

#include <assert.h>
#include <string.h>

#include "base/vector.h"

enum { MOST_BLANKS = 16 /* between the end of a stream and the word that says so */ };

/* The place of the word within from .. to-1, `to` if it is not there. */
uint32_t pare_chunk_pdf_objects_word(const pare_pdf_text *text, uint32_t from, uint32_t to,
                                     const char *word)
{
    const unsigned char *bytes = text->bytes;
    if (from >= to) return to;
    const unsigned char *at = memmem(bytes + from, to - from, word, strlen(word));
    return at ? (uint32_t)(at - bytes) : to;
}

static bool is_digit(const pare_pdf_text *text, uint32_t at)
{
    return text->bytes[at] >= '0' && text->bytes[at] <= '9';
}

/* Reads backwards the generation and the number before "obj" at `word`, not before `limit`: of "12
 * 0 obj" first " 0", then "12". False: they are not there, as in "endobj". */
static bool read_numbers(const pare_pdf_text *text, uint32_t limit, uint32_t word,
                         pare_pdf_object *object)
{
    uint32_t at = word;
    for (unsigned part = 0; part < 2; part++) {
        const uint32_t end = at;
        while (at > limit && pare_chunk_pdf_syntax_is_blank(text->bytes[at - 1]))
            at--;
        if (at == end) return false;
        const uint32_t digits_end = at;
        while (at > limit && is_digit(text, at - 1))
            at--;
        if (at == digits_end) return false;
    }
    object->from = at;
    (void)pare_chunk_pdf_syntax_digits(text, at, &object->number);
    return at == limit || pare_chunk_pdf_syntax_is_blank(text->bytes[at - 1]);
}

/* A value that is digits and nothing else; UINT32_MAX: it is something else, "-1", "1.5", or a
 * reference. */
uint32_t pare_chunk_pdf_objects_value(const pare_pdf_text *text, const pare_pdf_value *value)
{
    uint32_t number = UINT32_MAX;
    if (value->kind != PARE_PDF_WORD) return number;
    const uint32_t end = pare_chunk_pdf_syntax_digits(text, value->from, &number);
    return end == value->to && end > value->from ? number : UINT32_MAX;
}

/* Whether "endstream" stands at `at`, behind up to MOST_BLANKS blanks. Comments are not skipped:
 * '%' may begin data. */
static bool ends_data(const pare_pdf_text *text, uint32_t at)
{
    for (unsigned i = 0; i < MOST_BLANKS && at < text->end; i++, at++)
        if (!pare_chunk_pdf_syntax_is_blank(text->bytes[at])) break;
    return pare_chunk_pdf_syntax_has(text, at, "endstream");
}

/* Reads the stream at `word`; sets its data, and returns where "endstream" ends. The length of the
 * dictionary is believed if that word stands behind it; otherwise (a wrong length, one in another
 * object) the data end where the word is found next, without the end of line before it. A stream
 * that does not end takes the rest of the file. */
static uint32_t read_data(const pare_pdf_text *text, uint32_t word, pare_pdf_object *object)
{
    static const char begins[] = "stream", ends[] = "endstream";
    uint32_t from = word + sizeof begins - 1;
    if (pare_chunk_pdf_syntax_has(text, from, "\r")) from++;
    if (pare_chunk_pdf_syntax_has(text, from, "\n")) from++;
    const pare_pdf_value length = pare_chunk_pdf_syntax_find(text, &object->value, "/Length");
    const uint32_t n = pare_chunk_pdf_objects_value(text, &length);
    uint32_t to = n < text->end - from ? from + n : text->end;
    if (!ends_data(text, to)) {
        to = pare_chunk_pdf_objects_word(text, from, text->end, ends);
        if (to > from && to < text->end && text->bytes[to - 1] == '\n') to--;
        if (to > from && to < text->end && text->bytes[to - 1] == '\r') to--;
    }
    object->data = from;
    object->data_to = to;
    return to < text->end
               ? pare_chunk_pdf_objects_word(text, to, text->end, ends) + (uint32_t)sizeof ends - 1
               : to;
}

/* Finds the end of an object from `at` on: behind "endobj" and the blanks after it; the end of the
 * text without one. */
static uint32_t find_end(const pare_pdf_text *text, uint32_t at)
{
    static const char ends[] = "endobj";
    const uint32_t end = text->end, word = pare_chunk_pdf_objects_word(text, at, end, ends);
    at = word < end ? word + (uint32_t)sizeof ends - 1 : end;
    while (at < end && pare_chunk_pdf_syntax_is_blank(text->bytes[at]))
        at++;
    return at;
}

/* The value at `at`, which ends before the next "endobj": where a string, a list or a comment is not closed, no more
 * than its object is read.  Objects come one behind the other, so each end is looked for once. */
static pare_pdf_value read_value(const pare_pdf_text *text, uint32_t *ends_at, uint32_t at)
{
    if (*ends_at < at) *ends_at = pare_chunk_pdf_objects_word(text, at, text->end, "endobj");
    const pare_pdf_text own = {.bytes = text->bytes, .end = *ends_at};
    return pare_chunk_pdf_syntax_value(&own, at);
}

/* Reads what stands behind "obj" at `word`.  An object that has no value is all up to its end, so that what is in it is
 * not read for each header that may be there. */
static void read_body(const pare_pdf_text *text, uint32_t *ends_at, uint32_t word,
                      pare_pdf_object *object)
{
    uint32_t at = pare_chunk_pdf_syntax_skip_blanks(text, word + 3);
    object->value = read_value(text, ends_at, at);
    if (object->value.kind == PARE_PDF_NONE) {
        object->to = find_end(text, at);
        return;
    }
    at = pare_chunk_pdf_syntax_skip_blanks(text, object->value.to);
    if (object->value.kind == PARE_PDF_DICTIONARY && pare_chunk_pdf_syntax_has(text, at, "stream"))
        at = pare_chunk_pdf_syntax_skip_blanks(text, read_data(text, at, object));
    object->to = pare_chunk_pdf_syntax_has(text, at, "endobj") ? find_end(text, at) : at;
}

pare_status pare_chunk_pdf_objects_find(const pare_pdf_text *text, uint32_t from,
                                        pare_pdf_object **objects, size_t *n, pare_error *err)
{
    uint32_t limit = from, at = from, ends_at = 0;
    size_t capacity = 0;
    *n = 0;
    while ((at = pare_chunk_pdf_objects_word(text, at, text->end, "obj")) < text->end) {
        pare_pdf_object object = {.chunk = UINT32_MAX};
        if (!read_numbers(text, limit, at, &object)) {
            at++;
            continue;
        }
        read_body(text, &ends_at, at, &object);
        assert(at + 3 <= object.to && object.to <= text->end);
        pare_pdf_object *grown = pare_vector_grow(*objects, *n, &capacity, sizeof *grown);
        if (!grown) return pare_fail_nomem(err);
        *objects = grown;
        grown[(*n)++] = object;
        limit = at = object.to;
    }
    return PARE_OK;
}
