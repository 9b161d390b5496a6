/* The structure of a text for which there is no grammar: blocks of lines, one within another,
 * learned from the text itself.
 *
 * A block has header lines, a body and perhaps closing lines.  The body is a list of items, each a
 * block or a line, with the blank lines after it.  Immutable and reference-counted, one thread.
 * Memory: 24 bytes a line, 32 a block. */
#ifndef PARE_REDUCE_STRUCTURE_STRUCTURE_H
#define PARE_REDUCE_STRUCTURE_STRUCTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"
#include "reduce/structure/line_table.h"
#include "text/pattern.h"
#include "text/text.h"

#define PARE_STRUCTURE_NO_BLOCK UINT32_MAX

/* Lines first .. body-1 are the header, body .. closer-1 the body, closer .. end-1 close it. */
typedef struct pare_structure_block {
    uint32_t first, body, closer, end;
    bool middle; /* a further part of the block around it: its header means nothing alone */
} pare_structure_block;

typedef struct pare_structure {
    size_t refs;
    const pare_text *text;        /* one reference */
    size_t before;                /* bytes of the text before the first line */
    pare_line_table table;        /* its offsets count from there */
    pare_structure_block *blocks; /* owned; in the order of their lines, outer before inner */
    uint32_t n_blocks;
    uint32_t *block_at; /* owned; of each line the block that begins there */
} pare_structure;

enum { PARE_STRUCTURE_MOST_DEPTH = 200 }; /* blocks within blocks; what is deeper is lines */

/* The structure of bytes `file` of a flat text.  On PARE_OK the caller owns *out, one reference.
 * O(bytes).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_structure_new(const pare_text *text, pare_stretch file,
                                          pare_structure **out, pare_error *err);
pare_structure *pare_structure_ref(pare_structure *structure);
void pare_structure_unref(pare_structure *structure); /* NULL is a no-op */

/* The block that begins in `line` of a list that ends before line `end`; NULL: there is none.
 * Borrowed. */
const pare_structure_block *pare_structure_block_at(const pare_structure *structure, uint32_t line,
                                                    uint32_t end);

/* The line after the item that begins in `line` of a list that ends before line `end`. */
uint32_t pare_structure_item_end(const pare_structure *structure, uint32_t line, uint32_t end);

/* Whether blocks are ordered and nested as described above; for tests. */
bool pare_structure_check(const pare_structure *structure);

#endif
