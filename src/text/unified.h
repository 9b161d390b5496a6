/* Two texts by lines, as `diff -u` prints what leads from one to the other. */
#ifndef PARE_TEXT_UNIFIED_H
#define PARE_TEXT_UNIFIED_H

#include "base/buffer.h"
#include "base/fail.h"
#include "text/text.h"

/* Appends a unified difference with three lines around each change, which patch(1) takes; nothing where
 * the two are the same.  `old_name` and `fresh_name` stand in its first two lines.  Bytes are printed as
 * they are.  O(bytes), and as pare_diff_make.  Errors: PARE_E_LIMIT (a text is 4 GiB or more),
 * PARE_E_NOMEM; *out then ends somewhere. */
typedef struct pare_unified_side {
    const char *name;
    pare_span text;
} pare_unified_side;
PARE_CHECK pare_status pare_unified_print(const pare_unified_side *old,
                                          const pare_unified_side *fresh, pare_buffer *out,
                                          pare_error *err);

#endif
