/* Failures that the sandbox makes: a program that may not write, connect or ask the system says so, fails,
 * and would be reduced to anything at all.  By hand it fails otherwise, or not. */
#ifndef PARE_SESSION_TEST_SANDBOX_FAULT_H
#define PARE_SESSION_TEST_SANDBOX_FAULT_H

#include <pare/input.h>
#include <pare/test.h>

#include "base/fail.h"
#include "run/diagnostic.h"
#include "run/signature.h"
#include "text/text.h"

/* A program's run on the input in a full sandbox; all borrowed. */
typedef struct pare_sandbox_run {
    const pare_input_options *input;
    const pare_test_options *test;
    const pare_text *text;           /* the input */
    const pare_signature *kept;      /* what was learnt */
    const pare_diagnostics *offered; /* the problems to choose from; may be empty */
    const char *printed;             /* may be NULL */
} pare_sandbox_run;

/* PARE_E_STATE, with the command that lets the program do it, when what would be kept is that the system
 * has refused something: writing, connecting, a privilege.  Where nothing was said that could be kept, every line counts
 * that was printed.  Words that stand in the input are the input's.
 * PARE_OK: no fault of the sandbox's.  PARE_E_NOMEM. */
PARE_CHECK pare_status pare_sandbox_fault(const pare_sandbox_run *run, pare_error *err);

#endif
