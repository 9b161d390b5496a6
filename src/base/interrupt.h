/* Interruption: whether anybody still wants what this thread is at.
 *
 * Work over a whole input (cutting, pairing, parsing, hashing) takes seconds where the input is
 * large, and a stop that was asked for meanwhile must not wait for it.  Such a loop looks here every
 * PARE_INTERRUPT_STEP items or bytes, leaves, and its caller gets PARE_E_INTERRUPTED.
 *
 * The thread knows the flags, and no function on the way is told: half of them are pure functions
 * of bytes, and none but the one that starts the work could do anything with a stop. */
#ifndef PARE_BASE_INTERRUPT_H
#define PARE_BASE_INTERRUPT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include <pare/status.h>

/* Items (units, lexemes, nodes, bytes of a scan) between two looks: some tens of microseconds. */
enum { PARE_INTERRUPT_STEP = 8192 };

/* Flags, each of which asks this thread to leave its work: NULL, or borrowed.  A flag that was
 * set stays set, so that a loop which returns nothing may just end: its caller looks again. */
typedef struct pare_interrupt {
    const atomic_bool *flags[2];
} pare_interrupt;

/* From here on this thread looks at these flags; returns those before, for the caller to put back. */
pare_interrupt pare_interrupt_watch(pare_interrupt flags);

/* The flags that this thread looks at, for one that it starts. */
pare_interrupt pare_interrupt_watched(void);

/* Whether one of them is set. */
bool pare_interrupt_asked(void);

/* PARE_E_INTERRUPTED if one of them is, with a sentence; else PARE_OK. */
PARE_CHECK pare_status pare_interrupt_look(pare_error *err);

/* The same, at every PARE_INTERRUPT_STEP-th item of a loop over `i`. */
static inline bool pare_interrupt_asked_at(size_t i)
{
    return i % PARE_INTERRUPT_STEP == 0 && pare_interrupt_asked();
}

/* The same in a scan over bytes that moves by steps of its own: at `at`, and next when it is
 * PARE_INTERRUPT_STEP further; *next is 0 at first. */
static inline bool pare_interrupt_asked_past(size_t at, size_t *next)
{
    if (at < *next) return false;
    *next = at + PARE_INTERRUPT_STEP;
    return pare_interrupt_asked();
}

#ifdef PARE_FAULT_INJECTION
/* Test builds: the look number n (from 0) of this thread finds the work unwanted, and so does every
 * later one; SIZE_MAX: none does.  Counting begins anew; looks at no flag do not count. */
void pare_interrupt_after(size_t n);
size_t pare_interrupt_looks(void); /* since then */
#endif

#endif
