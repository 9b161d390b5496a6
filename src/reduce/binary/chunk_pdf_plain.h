/* PDF with packed objects (1.5), written without them. */
#ifndef PARE_REDUCE_BINARY_CHUNK_PDF_PLAIN_H
#define PARE_REDUCE_BINARY_CHUNK_PDF_PLAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fail.h"
#include "reduce/binary/chunk_tree.h"

/* Puts the file without packed objects in the place of a childless chunk that is a PDF with such; *found says whether
 * it is one.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_chunk_pdf_plain_read(pare_chunk_tree *tree, uint32_t chunk, bool *found,
                                                 pare_error *err);

#endif
