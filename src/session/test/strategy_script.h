/* An algorithm of the user's that is a script in Lua: a function that asks about candidates as if it ran
 * them (docs/guide/own-algorithm.md).
 *
 * It runs in our process, in a box: it reaches no files and loads no code, its memory and the steps
 * from one candidate to the next are bound, and the same script does the same each time.  Without Lua in
 * this build there is none.  One thread. */
#ifndef PARE_SESSION_TEST_STRATEGY_SCRIPT_H
#define PARE_SESSION_TEST_STRATEGY_SCRIPT_H

#include <pare/strategy.h>

#include "base/fail.h"

/* The path in "lua:FILE"; NULL: it is a command line. */
const char *pare_strategy_script_path(const char *command);

typedef struct pare_strategy_script pare_strategy_script;

/* Reads the script, and runs its top level once to see that it has a function `strategy`.  On PARE_OK the
 * caller owns *out.  Errors: PARE_E_IO, PARE_E_SYNTAX (what Lua says of it), PARE_E_UNSUPPORTED (there is
 * no Lua in this build), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_strategy_script_new(const char *path, pare_strategy_script **out,
                                                pare_error *err);
void pare_strategy_script_free(pare_strategy_script *script); /* NULL is a no-op */

/* It as an algorithm; valid until it is freed.  It cannot be copied, so nothing is tested ahead.
 * Errors of `next`: PARE_E_SYNTAX (it fails, or what it asks about is no candidate), PARE_E_LIMIT (its
 * memory or steps), PARE_E_NOMEM. */
pare_own_strategy pare_strategy_script_as_strategy(pare_strategy_script *script);

#endif
