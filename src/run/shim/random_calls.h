/* Which functions of a program are under way when it draws a number. */
#ifndef PARE_RUN_SHIM_RANDOM_CALLS_H
#define PARE_RUN_SHIM_RANDOM_CALLS_H

#include <stdint.h>

enum { PARE_CALLS_MAX = 1 << 13 }; /* in deeper recursion the outermost are left out */

/* What has changed since this thread's last draw. */
typedef struct pare_calls_change {
    uint32_t n_kept;        /* of the outermost calls, that go on */
    uint32_t n_entered;     /* others, in these */
    const uint32_t *labels; /* theirs, outermost first; valid until the thread's next look */
} pare_calls_change;

/* Looks at the calling thread's stack from the function on that returns to `caller`.  A
 * label stands for a function; it is the same in every process that runs the program.  Without
 * memory there are no calls. */
void pare_calls_look(const void *caller, pare_calls_change *change);

/* What the calling thread draws from here to the matching close belongs together, and may stand
 * for what has the same label.  A thread that says so is not looked at any more. */
void pare_calls_open(uint32_t label);
void pare_calls_close(void);

#endif
