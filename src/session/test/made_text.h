/* A test of what a generator outside makes of the candidate.
 *
 * The candidate is the choices of the generator, which gets them as standard input, or as a
 * file where its words have "@@"; what it prints is the text that the test is given, as its
 * last argument, or where "@@" stands in its words ("@@.EXT": with this suffix).  Where the
 * generator fails, the failure is not there.  Both run in one shell, one after the other. */
#ifndef PARE_SESSION_TEST_MADE_TEXT_H
#define PARE_SESSION_TEST_MADE_TEXT_H

#include "run/command.h"

/* Understands `generator` and `test`, command lines each, as pare_command_init does; on
 * PARE_OK *command is the two of them, ended with pare_command_done.
 * Errors: those of pare_command_init. */
PARE_CHECK pare_status pare_made_text_command(pare_command *command, const char *generator,
                                              const char *test, pare_names inputs, pare_error *err);

#endif
