/* A locked, append-only file: what the journal is kept in.  One thread. */
#ifndef PARE_OS_LOG_FILE_H
#define PARE_OS_LOG_FILE_H

#include "base/buffer.h"
#include "base/fail.h"

#include <pare/sync.h>

typedef struct pare_log_file pare_log_file;

/* Opens `path`, creating it, for this process alone; waits up to two seconds for another
 * process that ends.  `sync` says what a loss of power may cost: the last second, nothing, or what
 * the kernel had not written yet.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_BUSY (another process has it), PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_log_file_open(const char *path, pare_sync sync, pare_log_file **out,
                                          pare_error *err);
void pare_log_file_close(pare_log_file *log); /* NULL is a no-op */

/* Removes the file and the directory that it is in, if nothing else is there; then
 * closes.  Errors: PARE_E_IO; it is closed all the same. */
PARE_CHECK pare_status pare_log_file_remove(pare_log_file *log, const char *directory,
                                            pare_error *err);

/* Appends the whole content to *contents.  Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_log_file_read(pare_log_file *log, pare_buffer *contents,
                                          pare_error *err);

/* Cuts the file to its first `size` bytes; what is appended goes after them.
 * Errors: PARE_E_IO. */
PARE_CHECK pare_status pare_log_file_cut(pare_log_file *log, size_t size, pare_error *err);

/* Appends.  When this returns the bytes survive the end of the process, however it
 * ends; within a second, or at once (`sync` above), also that of the machine.
 * Errors: PARE_E_IO (a part may have been written; or an earlier write could not be synced). */
PARE_CHECK pare_status pare_log_file_append(pare_log_file *log, const void *bytes, size_t size,
                                            pare_error *err);

#endif
