/* Semantic edits: what a program that knows the types of a text has to offer, as patches.
 *
 * The program is another process (pare-clang-edits), which may crash, hang or be replaced, so what it
 * writes is read as bytes from outside: an answer that is not whole and right to its end is not used.
 * The format is in docs/design/semantic.md. */
#ifndef PARE_REDUCE_SEMANTIC_SEMANTIC_EDITS_H
#define PARE_REDUCE_SEMANTIC_SEMANTIC_EDITS_H

#include <stddef.h>

#include "base/fail.h"
#include "text/patch.h"

/* Where the text that was asked about stands in the text of the patches. */
typedef struct pare_semantic_range {
    size_t begin, end; /* bytes */
} pare_semantic_range;

/* Adds the patches of `answer`, of `size` bytes, to `out`, in the order of the answer, with their
 * parts.  On an error what was added is of no use.
 * Cost: O(size).  Errors: PARE_E_CORRUPT (it is not whole, a range is not in the text, changes of a
 * patch overlap or do not ascend), PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_semantic_edits_read(const char *answer, size_t size,
                                                pare_semantic_range range, pare_patches *out,
                                                pare_error *err);

#endif
