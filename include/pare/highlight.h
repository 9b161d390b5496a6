/* Highlighting: which bytes of a program are keywords, strings and numbers, or comments, by an
 * added language (language.h).  For views that show a text to people. */
#ifndef PARE_HIGHLIGHT_H
#define PARE_HIGHLIGHT_H

#include <stddef.h>

#include <pare/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a byte is part of. */
typedef enum pare_highlight {
    PARE_HIGHLIGHT_NONE,
    PARE_HIGHLIGHT_KEYWORD, /* also a tag's name */
    PARE_HIGHLIGHT_LITERAL, /* string, character, number, regular expression */
    PARE_HIGHLIGHT_COMMENT
} pare_highlight;

/* One language, ready to read texts.  Immutable: any thread, also several at once. */
typedef struct pare_highlighter pare_highlighter;

/* Loads the language `name`.  On PARE_OK the caller owns *out.  Errors: PARE_E_ARG (no such
 * language), PARE_E_STATE (it is not added), PARE_E_CORRUPT, PARE_E_IO, PARE_E_UNSUPPORTED (it
 * cannot be used), PARE_E_NOMEM. */
PARE_API PARE_CHECK pare_status pare_highlighter_new(const char *name, pare_highlighter **out,
                                                     pare_error *err);
PARE_API void pare_highlighter_free(pare_highlighter *highlighter); /* NULL is a no-op */

/* Writes a pare_highlight for each of the `size` bytes of `text` into `kinds`, which has room for
 * `size` of them.  Any text will do: what the language does not know is NONE.  About 5 MB/s.
 * Errors: PARE_E_LIMIT (4 GiB and more), PARE_E_NOMEM; `kinds` is untouched then. */
PARE_API PARE_CHECK pare_status pare_highlighter_run(const pare_highlighter *highlighter,
                                                     const char *text, size_t size,
                                                     unsigned char *kinds, pare_error *err);

#ifdef __cplusplus
}
#endif

#endif
