/* Signs that a program rejected a candidate as invalid: it speaks of a syntax error.
 *
 * Which of the known signs mean that is learned: one that the failing input shows itself
 * means nothing.  Constant tables; any thread. */
#ifndef PARE_RUN_REJECTION_H
#define PARE_RUN_REJECTION_H

/* How many signs there are; less than the bits of an unsigned. */
unsigned pare_rejection_count(void);

/* Sign `k`, in lower case, as it stands in a program's output; static. */
const char *pare_rejection_name(unsigned k);

#endif
