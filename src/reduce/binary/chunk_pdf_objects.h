/* The objects of a PDF: where they are, and what they hold. */
#ifndef PARE_REDUCE_BINARY_CHUNK_PDF_OBJECTS_H
#define PARE_REDUCE_BINARY_CHUNK_PDF_OBJECTS_H

#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"
#include "reduce/binary/chunk_pdf_syntax.h"

/* An object: "12 0 obj", its value, and maybe a stream. */
typedef struct pare_pdf_object {
    uint32_t from, to;
    uint32_t number;
    pare_pdf_value value;
    uint32_t data, data_to; /* of its stream; 0: it has none */
    uint32_t chunk;         /* for the caller; UINT32_MAX at first */
} pare_pdf_object;

/* All objects from `from` on, ascending by place.  The caller owns *objects, which is NULL before the call, whatever the
 * status is.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_pdf_objects_find(const pare_pdf_text *text, uint32_t from,
                                                   pare_pdf_object **objects, size_t *n,
                                                   pare_error *err);

/* Where `word` stands from `from` to `to`; `to`: nowhere. */
uint32_t pare_chunk_pdf_objects_word(const pare_pdf_text *text, uint32_t from, uint32_t to,
                                     const char *word);

/* The number that a direct value is; UINT32_MAX: it is none. */
uint32_t pare_chunk_pdf_objects_value(const pare_pdf_text *text, const pare_pdf_value *value);

#endif
