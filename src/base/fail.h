/* How a function fails: pare_status and pare_error are public types (pare/status.h), and this is
 * the one way to fill them. */
#ifndef PARE_BASE_FAIL_H
#define PARE_BASE_FAIL_H

#include <stdarg.h>

#include <pare/status.h>

/* Fills *err with `status` and the formatted sentence, and returns `status`, so
 * that a function can end with `return pare_fail(...)`.  `err` may be NULL.
 * An error that is already set is kept: the first failure is the cause.
 * Never allocates; a longer sentence is cut. */
pare_status pare_fail(pare_error *err, pare_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for a failed system call: appends ": " and the text of `os_errno`. */
pare_status pare_fail_errno(pare_error *err, int os_errno, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* PARE_E_NOMEM with the standard sentence.  Inline, so that an analyser of one file sees
 * that it is a failure. */
static inline pare_status pare_fail_nomem(pare_error *err)
{
    (void)pare_fail(err, PARE_E_NOMEM, "out of memory");
    return PARE_E_NOMEM;
}

/* Puts "context: " before the sentence of an error that is set; no-op when
 * `err` is NULL or not set. */
void pare_fail_prefix(pare_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Makes *err ready for use again; NULL is a no-op. */
void pare_fail_clear(pare_error *err);

#endif
