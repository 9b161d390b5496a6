/* Which cell each test runs in, and under which limits: the policy over
 * os/sandbox/namespace_sandbox.h.
 *
 * If the system refuses a cell, that is an error only if the user asked for the level by name.  By
 * default tests then run with less protection, and one sentence says so: no reduction fails for
 * want of a sandbox.  But if a cell could be made once and cannot be made any more, that is always
 * an error, since outcomes with and without it cannot be compared.  One thread. */
#ifndef PARE_OS_SANDBOX_SANDBOX_H
#define PARE_OS_SANDBOX_SANDBOX_H

#include "os/process_tree.h"
#include "os/sandbox/namespace_sandbox.h"
#include "os/spawn.h"

typedef enum pare_sandbox_level {
    PARE_LEVEL_OFF,
    PARE_LEVEL_DEVICES, /* nothing leaves /dev; does nothing unless we are root */
    PARE_LEVEL_FULL     /* a cell for each slot */
} pare_sandbox_level;

typedef struct pare_sandbox_options {
    pare_sandbox_level level;
    bool is_required;            /* the level was asked for by name: there is no lower one */
    bool network;                /* FULL: the host's */
    const char *const *writable; /* FULL: paths that stay writable; borrowed */
    size_t n_writable;
    const char *const *visible; /* FULL: paths that are there as outside, read-only; borrowed */
    size_t n_visible;
    pare_spawn_limits limits;
    bool is_emulated; /* see pare_spawner: nothing is possible */
} pare_sandbox_options;

typedef struct pare_sandbox pare_sandbox;

/* `tree` is borrowed and told of the processes that cells need.  On PARE_OK the caller
 * owns *out.
 * Errors: PARE_E_ARG (a writable path that does not exist, or too many), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_sandbox_new(const pare_sandbox_options *options,
                                        pare_process_tree *tree, pare_sandbox **out,
                                        pare_error *err);
void pare_sandbox_free(pare_sandbox *sandbox); /* NULL is a no-op */

/* The cell for a test in `slot` whose directory is `directory`; *cell is NULL when it runs
 * in the system as it is, else borrowed until the slot is left.
 * Errors: PARE_E_IO (see above; the sentence says what the machine lacks). */
PARE_CHECK pare_status pare_sandbox_enter(pare_sandbox *sandbox, unsigned slot,
                                          const char *directory,
                                          const pare_namespace_sandbox **cell, pare_error *err);

/* Starts `order`, whose cell it sets, for `slot`, in the cell of that slot.  A helper on the way, or
 * the cell's process 1, that somebody has killed is made again, three times in a row at most.
 * Errors: those of pare_sandbox_enter and of pare_spawner_start. */
PARE_CHECK pare_status pare_sandbox_start(pare_sandbox *sandbox, unsigned slot,
                                          pare_spawner *spawner, const pare_spawn *order,
                                          pare_child *child, pare_error *err);

/* Whether process 1 of the cell of `slot` was killed, so that nothing is known of a test in it that
 * was killed too. */
bool pare_sandbox_has_ended(const pare_sandbox *sandbox, unsigned slot);

/* Whether a server that was started for `slot` is still there, in a cell that serves tests
 * in `directory`; always when there are no cells of slots. */
bool pare_sandbox_is_ready(const pare_sandbox *sandbox, unsigned slot, const char *directory);

/* The test in `slot` has ended: whatever it left in its cell goes with the cell, and so does
 * a server that is in there. */
void pare_sandbox_leave(pare_sandbox *sandbox, unsigned slot);

/* The level in force, which may be less than was asked for; known from the first test on. */
pare_sandbox_level pare_sandbox_level_in_force(const pare_sandbox *sandbox);

/* What a test may use; valid as long as the sandbox. */
const pare_spawn_limits *pare_sandbox_limits(const pare_sandbox *sandbox);

/* Fixes addresses for the tests that are started from now on, or lays them out at random
 * again.  Servers that are under way keep theirs. */
void pare_sandbox_fix_addresses(pare_sandbox *sandbox, bool fixed);

/* A sentence about what is not protected although it should be, and what to do about it; NULL:
 * nothing.  Known from the first test on. */
const char *pare_sandbox_notice(const pare_sandbox *sandbox);

/* Whether tests are less isolated than the level asked for says: then the notice is a warning. */
bool pare_sandbox_is_degraded(const pare_sandbox *sandbox);

#endif
