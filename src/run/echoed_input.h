/* Pieces of the input that a message repeats without quoting them: "bad value <[true,1]>".
 *
 * Such a piece stands between brackets, is a value in brackets itself, or is all that follows a colon; it
 * stands in the input just so, and looks like data: it has punctuation that sentences have not, and a
 * word that is no keyword, or it is the whole input.  Numbers of the text may be masked already, as
 * '#' (printed.h).  Any thread. */
#ifndef PARE_RUN_ECHOED_INPUT_H
#define PARE_RUN_ECHOED_INPUT_H

#include <stdbool.h>
#include <stddef.h>

/* What a piece is looked for in, and how many searches are left: a text of brackets has many. */
typedef struct pare_echoed_input {
    const char *input; /* any bytes; borrowed */
    size_t size;
    int searches;                                      /* at 0 nothing more is found */
    bool (*is_keyword)(const char *word, size_t size); /* of many languages, types too */
} pare_echoed_input;

enum { PARE_ECHOED_INPUT_SEARCHES = 16 };

/* Whether a piece of the input begins at `at`, which is not the end, of the message that begins at `start`, or after the bracket
 * there: then it is *from .. *end, which are set only then.  Cost: O(input). */
bool pare_echoed_input_at(pare_echoed_input *echoed, const char *start, const char *at,
                          const char **from, const char **end);

/* Whether the quotation `from` .. `end` is a piece that looks like data.  Cost: O(input). */
bool pare_echoed_input_is(pare_echoed_input *echoed, const char *from, const char *end);

#endif
