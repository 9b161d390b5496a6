/* The language of messages: programs under test are asked for English ones.
 *
 * What a failure is, is told by words such as "error" (run/diagnostic.h), and the regular expressions that are
 * proposed are taken from what was printed.  In a locale of another language, gcc says "Fehler", and the words are
 * not known.  So where the user's messages are in another language, a PROGRAM gets LC_MESSAGES=C; its characters,
 * numbers and dates stay the user's.  A test command, which may look for words itself, is left alone, as is a
 * program for which the user has set a locale. */
#ifndef PARE_SESSION_TEST_MESSAGE_LOCALE_H
#define PARE_SESSION_TEST_MESSAGE_LOCALE_H

#include <pare/test.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "run/command.h"

/* All-zero: nothing is changed. */
typedef struct pare_message_locale {
    const char **variables; /* owned; NAME=VALUE, those of the test and ours; NULL: none */
    size_t n;               /* of them */
    pare_buffer language, characters; /* owned; ours that have a value of the user's */
    const char *locale; /* borrowed from the environment: the user's; NULL: nothing is changed */
} pare_message_locale;

/* Finds out what has to be set for `test`, whose variables are borrowed.  *self is to be done in any case.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_message_locale_init(pare_message_locale *self,
                                                const pare_test_options *test, pare_error *err);
void pare_message_locale_done(pare_message_locale *self);

/* The variables that tests get. */
pare_names pare_message_locale_variables(const pare_message_locale *self);

/* Adds to a sentence that says that the program does not print what was named how to name it in the user's own
 * language; nothing where that is English, or for NULL.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_message_locale_explain(const pare_message_locale *self,
                                                   pare_buffer *sentence, pare_error *err);

#endif
