/* Laying out a result as its original was: see <pare/explain.h>, pare_explain_readable. */
#ifndef PARE_EXPLAIN_READABLE_H
#define PARE_EXPLAIN_READABLE_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "text/text.h"

/* Appends the tokens of `result` with the white space of `original` between them: line ends and
 * indentation too, or blanks alone.  Errors: PARE_E_LIMIT (as pare_survivors_find), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_readable_lay_out(pare_span original, pare_span result, bool with_lines,
                                             pare_buffer *out, pare_error *err);

#endif
