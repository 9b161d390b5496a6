/* The lines of a text, and of each what its structure shows by: how far it is indented, and the
 * words at its two ends.
 *
 * Bytes need not be of any encoding: letters are those of ASCII, and each byte from 0x80 on counts
 * as one.  Words are compared in lower case, by a hash of 32 bits.  Plain memory, one thread. */
#ifndef PARE_REDUCE_STRUCTURE_LINE_TABLE_H
#define PARE_REDUCE_STRUCTURE_LINE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

/* A word in the bytes of its line. */
typedef struct pare_line_word {
    const unsigned char *bytes; /* borrowed; NULL: there is no such word */
    size_t size;
} pare_line_word;

/* One line. */
typedef struct pare_line {
    uint32_t begin;   /* byte of the text */
    uint16_t column;  /* of its first byte that is no blank, a tabulator going to the next eighth */
    uint16_t margin;  /* bytes before that one */
    uint32_t first;   /* hash of the word it begins with; 0: it is blank */
    uint32_t content; /* bytes, without the margin and blanks at the end */
} pare_line;

/* All lines of a text. */
typedef struct pare_line_table {
    const unsigned char *bytes; /* borrowed */
    pare_line *lines;           /* owned; n_lines and one more, which begins where the text ends */
    uint32_t n_lines;
} pare_line_table;

/* Reads the lines of `size` bytes (at most PARE_TEXT_MAX_BYTES).  On PARE_OK the caller ends
 * *table.  O(bytes), 16 bytes a line.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_line_table_read(const unsigned char *bytes, size_t size,
                                            pare_line_table *table, pare_error *err);
void pare_line_table_done(pare_line_table *table); /* all-zero is a no-op */

/* The word at or after `bytes`, which end at `end`: what stands before letters without a blank is
 * a part of it (#if, </a, \end), and so are braces right after a word with a backslash, and what is joined to
 * the name of a tag (<a:b-c).  Where no
 * letters follow, the punctuation is the word. */
pare_line_word pare_line_table_word(const unsigned char *bytes, const unsigned char *end);

/* The last run of letters and digits of a line, without punctuation after it. */
pare_line_word pare_line_table_last_word(const pare_line_table *table, uint32_t line);

/* Hash of `size` bytes in lower case, not 0; `seed` is 0, or the hash of what stands before. */
uint32_t pare_line_table_hash(const unsigned char *bytes, size_t size, uint32_t seed);

/* Whether the byte is a letter, a digit, _ or no ASCII. */
bool pare_line_table_is_letter(unsigned char byte);

#endif
