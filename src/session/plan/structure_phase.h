/* The phase over the blocks of lines that a text shows without a grammar. */
#ifndef PARE_SESSION_PLAN_STRUCTURE_PHASE_H
#define PARE_SESSION_PLAN_STRUCTURE_PHASE_H

#include "base/fail.h"
#include "session/plan/work.h"

/* Reduces the file at hand by its blocks of lines, and again while that makes it smaller by a
 * tenth.  Does nothing where the file is read by a language or a grammar, or has few lines.
 * Errors: those of pare_session_run. */
PARE_CHECK pare_status pare_structure_phase_run(pare_work *work, pare_error *err);

#endif
