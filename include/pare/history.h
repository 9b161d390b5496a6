/* The bests of a reduction, from its input to its result: listed, read, compared, put back.
 *
 *     #include <stdio.h>
 *
 *     #include <pare/history.h>
 *
 *     void list(const char *result)
 *     {
 *         pare_history *history = NULL;
 *         pare_history_step step;
 *         pare_error err = {0};
 *         if (pare_history_open(result, &history, &err)) {
 *             fprintf(stderr, "%s\n", err.message);
 *             return;
 *         }
 *         for (size_t n = 0; pare_history_step_at(history, n, &step); n++)
 *             printf("%zu: %zu bytes after %llu tests\n", n, step.size_bytes,
 *                    (unsigned long long)step.test);
 *         pare_history_close(history);
 *     }
 *
 * A reduction with output.history on (<pare/output.h>) writes each best into the folder of its
 * journal, as an edit of the one before, and the file stays there.  Each step can be made again
 * from that file alone, whatever became of the input.  Steps are numbered from 0, the input, in the
 * order in which they were found.  A run that was ended and went on is one history.  A run may have gone
 * back to an earlier step and on from there; then `from` says so.
 *
 * A file that is cut off or damaged is read as far as it holds.  A history may be read while its
 * reduction runs: it is what was there when it was opened.  One thread. */
#ifndef PARE_HISTORY_H
#define PARE_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pare_history pare_history;

/* Opens the history of the result `path`: PATH.pare/history; or that in the folder `path`, which is a
 * journal's; or the file `path`.  On PARE_OK the caller owns *out.
 * Memory: the size of the file, and that of the texts that are asked for.
 * Errors: PARE_E_STATE (there is none), PARE_E_CORRUPT (nothing can be read of it), PARE_E_IO,
 * PARE_E_NOMEM. */
PARE_API PARE_CHECK pare_status pare_history_open(const char *path, pare_history **out,
                                                  pare_error *err);
PARE_API void pare_history_close(pare_history *history); /* NULL is a no-op */

/* One sentence about what of the file cannot be read; NULL: all of it can.  Borrowed. */
PARE_API const char *pare_history_damage(const pare_history *history);

/* What pare_output_options.note of the last run was; NULL: there was none.  Borrowed. */
PARE_API const char *pare_history_note(const pare_history *history);

typedef struct pare_history_step {
    size_t from;       /* the step that it was made of, as a rule the one before; of step 0: 0 */
    uint64_t test;     /* number of the test that found it, as in a trace; of the input 0 */
    double seconds;    /* since the start of the run that found it */
    size_t size_bytes; /* of its contents */
    const char *phase; /* "ddmin/line"; "": none; borrowed from the history */
    bool has_left_out; /* there were others before it, which the file had no room for */
} pare_history_step;

/* How many steps there are, the input included: at least 1. */
PARE_API size_t pare_history_steps(const pare_history *history);

/* False where there is no step number `n`; *step is then as it was. */
PARE_API bool pare_history_step_at(const pare_history *history, size_t n, pare_history_step *step);

/* The bytes of step `n`, of several files one after the other, each after a line with its name, and so
 * are the words of a command line: as pare_event_best (<pare/events.h>) gives them.  Borrowed until the
 * next call for this history; there is a NUL after them.
 * Cost: that of the texts from the input on; from step to step that of one text.
 * Errors: PARE_E_ARG (there is no such step), PARE_E_CORRUPT, PARE_E_NOMEM. */
PARE_API PARE_CHECK pare_status pare_history_text(pare_history *history, size_t n,
                                                  const char **bytes, size_t *size_bytes,
                                                  pare_error *err);

/* What leads from step `n` to step `m`, by lines, as `diff -u` prints it; "" where they are the same.
 * Borrowed as above.  Errors: likewise. */
PARE_API PARE_CHECK pare_status pare_history_diff(pare_history *history, size_t n, size_t m,
                                                  const char **text, size_t *size_bytes,
                                                  pare_error *err);

/* Writes step `n` to `path`, a file or a folder as the result is one, at which nothing may be.
 * Errors: as above; PARE_E_IO; PARE_E_STATE (something is there); PARE_E_UNSUPPORTED (there are no
 * files, only the words of a command). */
PARE_API PARE_CHECK pare_status pare_history_restore(pare_history *history, size_t n,
                                                     const char *path, pare_error *err);

#ifdef __cplusplus
}
#endif

#endif
