/* Learning what the failure of a program is, from its first runs on the input. */
#ifndef PARE_PIPELINE_LEARN_H
#define PARE_PIPELINE_LEARN_H

#include "oracle/judge.h"
#include "oracle/oracle.h"
#include "text/text.h"

enum { PARE_LEARN_RUNS = 4 }; /* at most; the check of the input comes after them */

/* Runs the program on `input` until two runs show the same, and makes what all runs have
 * in common *signature; `judge` is the oracle's, which requires it from then on.
 * Cost: 2 tests, up to PARE_LEARN_RUNS where runs differ.
 * Errors: PARE_E_STATE (the program does not fail in a way that can be told, or each time
 * in another way: the sentence says what was seen, and what would name it),
 * PARE_E_INTERRUPTED, those of the oracle; PARE_E_NOMEM. */
PARE_CHECK pare_status pare_learn_signature(pare_oracle *oracle, pare_judge *judge,
                                            const pare_text *input, pare_signature *signature,
                                            pare_error *err);

#endif
