/* The phase of tables: rows, columns and values of a text that is one. */
#ifndef PARE_SESSION_PLAN_TABLE_PHASE_H
#define PARE_SESSION_PLAN_TABLE_PHASE_H

#include "session/plan/work.h"

/* Reduces the best text by rows and columns (reduce/table) if the input was a table; nothing is done
 * else.  How it is written is found out once, in the first round: three rows that are left do not
 * look like a table any more.
 * Cost: none where there is no table.  Errors: those of the engine, PARE_E_NOMEM;
 * PARE_RUN_ENDED. */
PARE_CHECK pare_status pare_table_phase_run(pare_work *work, pare_error *err);

#endif
