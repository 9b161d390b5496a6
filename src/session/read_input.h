/* What is reduced, from the options to one text. */
#ifndef PARE_SESSION_READ_INPUT_H
#define PARE_SESSION_READ_INPUT_H

#include <pare/events.h>
#include <pare/input.h>
#include <pare/test.h>

#include "text/layout.h"
#include "text/text.h"

/* The input's path, or the name of its bytes, which tell its language; NULL: neither. */
const char *pare_read_input_name(const pare_input_options *input);

/* What the candidate's file is called: the input without folders.  Borrowed from *input. */
const char *pare_read_input_base_name(const pare_input_options *input);

/* Reads the one file, or copies the bytes, that *input names; the caller owns *out.
 * Errors: PARE_E_ARG (both, or none), PARE_E_IO, PARE_E_LIMIT, PARE_E_NOMEM, PARE_E_INTERRUPTED. */
PARE_CHECK pare_status pare_read_input_file(const pare_input_options *input, pare_text **out,
                                            pare_error *err);

/* What of a run says what its input is, and who is told of the reading; all borrowed. */
typedef struct pare_input_request {
    const pare_input_options *input;
    const char *const *places; /* NULL: the inputs themselves; see pare_output_options */
    const pare_test_options *test;
    const pare_event_options *events; /* NULL: nobody is told */
} pare_input_request;

/* Reads the input or the inputs, and where they are to be reduced the words of the program's
 * command line and its environment.  The watcher is told how far one large
 * file was read.  On PARE_OK the caller owns *text, and *layout, which is
 * NULL when the text is the content of one file and nothing else.
 * Errors: PARE_E_ARG (options), PARE_E_IO, PARE_E_LIMIT, PARE_E_NOMEM, PARE_E_INTERRUPTED. */
PARE_CHECK pare_status pare_read_input(const pare_input_request *request, pare_layout **layout,
                                       pare_text **text, pare_error *err);

#endif
