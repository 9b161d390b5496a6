/* A command line as stored in the history of its result, and the parts that another command takes
 * over.
 *
 * It is stored as JSON, {"folder": F, "words": [...]}: the words after the command's name, and the
 * folder in which they were given, since paths in them may be relative.  Explaining a result with
 * such a note runs the commands in it, as with a Makefile; so the output says which. */
#ifndef PARE_CLI_COMMAND_NOTE_H
#define PARE_CLI_COMMAND_NOTE_H

#include "base/buffer.h"
#include "base/fail.h"
#include "cli/options.h"

/* Words that stand for a command line. */
typedef struct pare_noted_words {
    char **words; /* owned, with the texts; n of them */
    size_t n;
} pare_noted_words;

void pare_command_note_done(pare_noted_words *noted); /* all-zero is a no-op */

/* Sets *note (empty before) to the words of `arguments`, those of a reduction; it stays empty where they
 * or the folder are no UTF-8.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_command_note_make(const pare_arguments *arguments, pare_buffer *note,
                                              pare_error *err);

/* The words of `pare explain RESULT TEST` for `given`, in which RESULT is the only operand: with the test
 * of its reduction and those of its options that both commands know and that say what a failure
 * is.  What is given counts more than what is noted.
 * Errors: PARE_E_ARG in one sentence (there is no history of RESULT, or no note in it; it was made in
 * another folder; or the reduction had no test that a file by itself could be given to), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_command_note_recall(const pare_arguments *given,
                                                pare_noted_words *recalled, pare_error *err);

#endif
