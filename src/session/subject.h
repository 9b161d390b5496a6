/* What is reduced, from the options to one text. */
#ifndef PARE_SESSION_SUBJECT_H
#define PARE_SESSION_SUBJECT_H

#include <pare/reduce.h>

#include "text/layout.h"
#include "text/text.h"

/* Reads the input or the inputs, and where they are to be reduced the words of the program's
 * command line and its environment.  On PARE_OK the caller owns *text, and *layout, which is
 * NULL when the text is the content of one file and nothing else.
 * Errors: PARE_E_ARG (options), PARE_E_IO, PARE_E_LIMIT, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_subject_read(const pare_reduce_options *options, pare_layout **layout,
                                         pare_text **text, pare_error *err);

#endif
