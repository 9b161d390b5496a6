/* Which characters people see: pages, terminals and names show all others by escapes, so that none of
 * them moves a cursor, turns the text around it or looks like nothing. */
#ifndef PARE_UI_VISIBLE_H
#define PARE_UI_VISIBLE_H

#include <stddef.h>

/* Length of the character at the start of `size` (above 0) bytes when it is one that is
 * shown as itself; 0 when it takes an escape.  Then *escaped is the number of bytes that
 * the escape stands for, and *code the code point, or -1 for bytes that are no UTF-8. */
size_t pare_visible_character(const unsigned char *bytes, size_t size, size_t *escaped, long *code);

#endif
