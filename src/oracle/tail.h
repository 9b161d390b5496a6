/* The last bytes that a test printed, read from a pipe without waiting.  One thread. */
#ifndef PARE_ORACLE_TAIL_H
#define PARE_ORACLE_TAIL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

enum { PARE_TAIL_BYTES = 4096 };

typedef struct pare_tail {
    int read_fd, write_fd; /* owned; -1: closed */
    size_t total;          /* bytes read; byte n stands in ring[n % PARE_TAIL_BYTES] */
    char ring[PARE_TAIL_BYTES];
    char text[PARE_TAIL_BYTES + 1];
} pare_tail;

/* Empties the tail and opens its pipe.  Errors: PARE_E_IO. */
PARE_CHECK pare_status pare_tail_open(pare_tail *tail, pare_error *err);

/* Closes what is open; what was read stays. */
void pare_tail_close(pare_tail *tail);
void pare_tail_close_writer(pare_tail *tail);

/* Reads what there is, at most a few hundred KiB; false when nothing more can come. */
bool pare_tail_drain(pare_tail *tail);

/* What was read last, NUL-terminated (NUL bytes of the test become '?'); from the start
 * of a line when something before it is lost.  Valid until the next call. */
const char *pare_tail_text(pare_tail *tail);

#endif
