/* Quoted strings, the same for tokens and for brackets.
 *
 * A string begins with one of " ' ` and ends at the next one of its kind on the same
 * line before which there is no escaping backslash.  A quote that finds no such end
 * is an ordinary character. */
#ifndef PARE_TEXT_SPLIT_QUOTE_H
#define PARE_TEXT_SPLIT_QUOTE_H

#include <stddef.h>

/* What is known about the text ahead, so that a line full of quotes without an end
 * costs linear time.  All-zero at the start of a text; one walk, front to back. */
typedef struct pare_quotes {
    size_t barren[3]; /* by kind of quote: no end of a string before this offset */
} pare_quotes;

/* Offset behind the string that begins with the quote at bytes[at]; at + 1 when it
 * begins none.  Offsets must not decrease from call to call. */
size_t pare_quote_end(pare_quotes *quotes, const unsigned char *bytes, size_t size, size_t at);

#endif
