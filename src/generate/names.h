/* Names that a generated text declares: define before use.
 *
 * A declared name is pending until it is committed, then visible.  A name that was declared
 * twice is there twice.  All-zero is empty; one thread.  Source: seed 004, ComplexFuzzer. */
#ifndef PARE_GENERATE_NAMES_H
#define PARE_GENERATE_NAMES_H

#include <stdint.h>

#include "base/buffer.h"

/* Bytes of `texts`. */
typedef struct pare_name {
    uint32_t offset, size;
} pare_name;

typedef struct pare_declared {
    pare_buffer texts;
    pare_name *names; /* owned; the visible ones, then the pending ones */
    size_t n, capacity;
    size_t n_visible;
} pare_declared;

void pare_declared_reset(pare_declared *declared); /* empties, keeps the memory */
void pare_declared_done(pare_declared *declared);

/* Adds a pending name.  Errors: PARE_E_NOMEM, PARE_E_LIMIT (over 4 GiB of names). */
PARE_CHECK pare_status pare_declared_define(pare_declared *declared, const char *name, size_t size,
                                            pare_error *err);

/* Makes the pending names visible. */
void pare_declared_commit(pare_declared *declared);

#endif
