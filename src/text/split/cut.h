/* Cutting a text into units: for the split_*.c files and split.c only. */
#ifndef PARE_TEXT_SPLIT_CUT_H
#define PARE_TEXT_SPLIT_CUT_H

#include "text/split/split.h"

extern const pare_splitter pare_split_line;
extern const pare_splitter pare_split_token;
extern const pare_splitter pare_split_char;
extern const pare_splitter pare_split_byte;

/* Walks over the units of `size` bytes and returns how many there are; stores where
 * each begins unless `at` is NULL.  Called twice: to count, then to store, so that the
 * bounds take exactly the memory they need. */
typedef size_t (*pare_cut)(const unsigned char *bytes, size_t size, uint32_t *at);

/* Bounds as `cut` finds them, without `at` when every unit is one byte.
 * Errors: PARE_E_NOMEM; *out is untouched then. */
PARE_CHECK pare_status pare_cut_bounds(pare_cut cut, const unsigned char *bytes, size_t size,
                                       pare_bounds *out, pare_error *err);

/* Size of the line end at bytes[at], at < size: LF and CR are 1, CRLF is 2; 0 when
 * there is none. */
static inline size_t pare_cut_newline(const unsigned char *bytes, size_t size, size_t at)
{
    if (bytes[at] == '\n') return 1;
    if (bytes[at] != '\r') return 0;
    return at + 1 < size && bytes[at + 1] == '\n' ? 2 : 1;
}

#endif
