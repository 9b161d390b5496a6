/* Which characters people see: pages, terminals and names show all others by escapes, so that none of
 * them moves a cursor, turns the text around it or looks like nothing. */
#ifndef PARE_BASE_VISIBLE_H
#define PARE_BASE_VISIBLE_H

#include <stddef.h>

/* Length of the character at the start of `size` (above 0) bytes when it is one that is
 * shown as itself; 0 when it takes an escape.  Then *escaped is the number of bytes that
 * the escape stands for, and *code the code point, or -1 for bytes that are no UTF-8. */
size_t pare_visible_character(const unsigned char *bytes, size_t size, size_t *escaped, long *code);

/* Columns that the character with that code point takes on a terminal: 0 (it stands on the one
 * before), 1 or 2. */
unsigned pare_visible_columns(long code);

/* The same of a text; a byte that is not shown as itself counts as one, since '?' stands for it. */
size_t pare_visible_width(const char *text, size_t size);

/* Copies characters that are shown as themselves, '?' for each byte of others and a space for a tab: at
 * most `columns` columns and `capacity` - 1 bytes, and a NUL; `capacity` is at least 1.  For short
 * quotations, where escapes would take too much room.  Returns how many bytes of `text` it took; all
 * characters are whole. */
size_t pare_visible_copy(char *to, size_t capacity, const char *text, size_t size, size_t columns);

/* Takes the beginning of a character from the end of a UTF-8 text that was cut in the middle of it. */
void pare_visible_trim(char *text);

#endif
