/* What a test prints on one stream: read from a pipe as it comes, in constant memory.
 *
 * The head and the tail are kept, PARE_CAPTURE_PART_BYTES each at least, with a line
 * between them where something was left out; the rest is read and forgotten.  Why not
 * stop reading: the program would wait for ever in a full pipe, and a hang is another
 * failure.  Why not end it at once: many programs print megabytes before they fail, and
 * reading them costs less than the test.  Above PARE_CAPTURE_LIMIT_BYTES it `floods`,
 * and whoever runs it should end it: a program that prints without end would take its
 * whole time limit, test after test.
 *
 * The pipe is kept from test to test, so that a server which starts the tests can hold
 * it too; when all writers of a test are dead, a drain gets all they wrote.  One thread. */
#ifndef PARE_RUN_CAPTURE_H
#define PARE_RUN_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/digest.h"
#include "base/fail.h"
#include "run/printed.h"

enum { PARE_CAPTURE_PART_BYTES = 32 * 1024, PARE_CAPTURE_LIMIT_BYTES = 64 * 1024 * 1024 };

typedef struct pare_capture {
    int read_fd, write_fd; /* owned; the write end is at least 3, for the test */
    char *bytes;           /* owned: the head, and room for two tails */
    size_t n_head, n_tail; /* bytes kept in each part */
    size_t total;          /* bytes read */
    bool hashing;          /* whether `hash` is wanted */
    pare_hash hash;        /* of all that was read */
} pare_capture;

/* Opens the pipe.  Errors: PARE_E_IO, PARE_E_NOMEM; *capture needs no close then. */
PARE_CHECK pare_status pare_capture_open(pare_capture *capture, pare_error *err);
void pare_capture_close(pare_capture *capture); /* all-zero is a no-op */

/* Whether the parts are as capture.c says; O(1).  For assertions and tests. */
bool pare_capture_check(const pare_capture *capture);

/* Forgets the last test. */
void pare_capture_reset(pare_capture *capture);

/* Before a new process gets the pipe: undoes what another did to it, which may have made
 * it non-blocking. */
void pare_capture_restore(pare_capture *capture);

/* Reads what there is, at most about 1 MiB; false when nothing is left for now. */
bool pare_capture_drain(pare_capture *capture);

/* When all writers of a test have ended: reads what is left, at most what the pipe holds, which a
 * test may have made larger (F_SETPIPE_SZ). */
void pare_capture_finish(pare_capture *capture);

static inline bool pare_capture_floods(const pare_capture *capture)
{
    return capture->total > PARE_CAPTURE_LIMIT_BYTES;
}

/* What was kept; valid until the next reset.  After it no drain may follow. */
pare_printed pare_capture_text(pare_capture *capture);

/* Digest of all that was read; to be asked for before the text. */
pare_digest pare_capture_digest(const pare_capture *capture);

#endif
