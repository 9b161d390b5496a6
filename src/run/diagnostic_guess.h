/* Guesses at what a program's failure is, where it names no error: the tests that a test runner names as failed
 * (run/test_report.h), what was thrown, lines that begin with a place in a file, and last of all what it printed
 * first.  Any thread; cost: a walk over the output. */
#ifndef PARE_RUN_DIAGNOSTIC_GUESS_H
#define PARE_RUN_DIAGNOSTIC_GUESS_H

#include "run/diagnostic.h"
#include "run/printed.h"

/* For a run in which no error was named: adds the failed tests of a test runner, else what stands before
 * a stack, else the lines that begin with a place in a file, else, when the program failed without a
 * warning, the first line of standard error or the last one of standard output.  As warnings when it
 * ended with exit code 0. */
void pare_diagnostic_guess(pare_diagnostics *list, const pare_observation *seen);

#endif
