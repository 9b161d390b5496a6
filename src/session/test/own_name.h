/* Programs that want the name of their input without its folder.
 *
 * protoc looks for its input below the folders that it is given, so the path of a candidate, which is in a folder of
 * its own, is refused whatever stands in it.  In a folder with the candidate its name is right, and for that a word
 * of the command need not be marked. */
#ifndef PARE_SESSION_TEST_OWN_NAME_H
#define PARE_SESSION_TEST_OWN_NAME_H

#include <pare/input.h>
#include <pare/status.h>
#include <pare/stop.h>
#include <pare/test.h>

#include "base/buffer.h"
#include "text/text.h"

/* A program that does the same with the input and with less than it.  All borrowed. */
typedef struct pare_own_name_task {
    const pare_input_options *input;
    const pare_test_options *test;
    const pare_text *text;
    const char *less; /* than the input, less_bytes of it */
    size_t less_bytes;
    const char *printed; /* with less; may be NULL */
    const pare_stop *stop;
} pare_own_name_task;

/* If it printed the input's name, runs it with that in the place of each mark, on the input and on less.  Where these
 * differ, and neither has a line of what it printed before, appends the command line with the name; else nothing.  At most
 * two side runs (session/test/side_run.h), in a full sandbox or not at all.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_own_name_find(const pare_own_name_task *task, pare_buffer *line,
                                          pare_error *err);

#endif
