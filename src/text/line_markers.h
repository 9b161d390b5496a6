/* Line markers of preprocessed C and C++: which bytes came from which file.
 *
 * `# 12 "file.h" 1 3 4` and `#line 12 "file.h"` say where the lines after them came from.  The
 * user's own file is the first that a marker without the flags 1 (a header begins) and 3 (of the
 * system) names and that is no pseudo file (`<built-in>`): so compilers begin their output.  A text
 * without markers is all of it the user's own.
 *
 * Markers are a guess about the text: what is left of them after a reduction may say anything,
 * and nobody relies on them for more than an order of what to try.
 *
 * Immutable; any thread.  Source: the GCC manual, "Preprocessor Output". */
#ifndef PARE_TEXT_LINE_MARKERS_H
#define PARE_TEXT_LINE_MARKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

/* What one marker says. */
typedef struct pare_line_marker {
    const char *name; /* as it stands in the line, escapes included; NULL: none */
    size_t name_size;
    uint32_t line; /* of the line after it */
    bool enters, system;
} pare_line_marker;

/* Whether a line (without its end) is a marker, and nothing else, and what it says. */
bool pare_line_markers_parse(const char *line, size_t size, pare_line_marker *out);

/* Where bytes came from. */
typedef enum pare_origin {
    PARE_ORIGIN_OWN,    /* the user's own file, or there are no markers before the bytes */
    PARE_ORIGIN_HEADER, /* another file */
    PARE_ORIGIN_SYSTEM  /* a system header (flag 3), or what the compiler defines itself */
} pare_origin;

/* Bytes begin .. up to the next stretch's begin; the marker's own line is its first. */
typedef struct pare_line_stretch {
    uint32_t begin;
    uint32_t file;      /* bytes of the text: where the name begins, after its quote */
    uint32_t file_size; /* bytes, as they stand there, escapes included; 0: no name */
    uint32_t line;      /* of the line after the marker, as it says */
    uint32_t content;   /* bytes of the text: where the line after the marker begins */
    pare_origin origin;
} pare_line_stretch;

/* All-zero is a text without markers. */
typedef struct pare_line_markers {
    pare_line_stretch *stretches; /* owned; ascending */
    size_t n;
    const char *text; /* borrowed */
} pare_line_markers;

/* Reads the markers of `text` (borrowed as long as *out is used).  *out is untouched on failure.
 * O(size); memory: 24 bytes a marker.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT (4 GiB or more). */
PARE_CHECK pare_status pare_line_markers_read(const char *text, size_t size, pare_line_markers *out,
                                              pare_error *err);
void pare_line_markers_done(pare_line_markers *markers); /* all-zero is a no-op */

/* The stretch in which byte `at` lies; NULL: before the first marker.  O(log n). */
const pare_line_stretch *pare_line_markers_at(const pare_line_markers *markers, size_t at);

/* Where byte `at` came from.  O(log n). */
pare_origin pare_line_markers_origin(const pare_line_markers *markers, size_t at);

/* Whether bytes from .. to-1 are of one origin and hold no marker. */
bool pare_line_markers_is_plain(const pare_line_markers *markers, size_t from, size_t to);

#endif
