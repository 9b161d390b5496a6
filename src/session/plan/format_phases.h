/* The phases that read a text by its format where no grammar does: the chunks of a binary file, the
 * rows of a table, a text of instructions, and the structure that any text shows. */
#ifndef PARE_SESSION_PLAN_FORMAT_PHASES_H
#define PARE_SESSION_PLAN_FORMAT_PHASES_H

#include "base/fail.h"
#include "session/plan/work.h"

/* Each reduces the file at hand by what its format shows, and does nothing where the file is of
 * another one: a file is asked once, in the first round, whether it is of instructions and how its
 * table is written.
 * Cost: none where there is nothing of the kind; else that of the strategy (reduce/binary,
 * reduce/ssa, reduce/table, reduce/structure).
 * Errors: those of the engine, PARE_E_NOMEM; PARE_RUN_ENDED. */

/* Only if the file is no text; anew after each success, until nothing changes. */
PARE_CHECK pare_status pare_format_phases_binary(pare_work *work, pare_error *err);

/* Functions, blocks and statements of LLVM's language and its like. */
PARE_CHECK pare_status pare_format_phases_instructions(pare_work *work, pare_error *err);

PARE_CHECK pare_status pare_format_phases_table(pare_work *work, pare_error *err);

/* Only where no language is known, whose tree tells all of this better; anew while a run pays. */
PARE_CHECK pare_status pare_format_phases_structure(pare_work *work, pare_error *err);

#endif
