/* Words that programs use in what they say, whatever their input is: the English of
 * diagnostics, and the names of what languages bring along (keywords, built-in types).
 *
 * A word of a message that stands in the input as well comes from the input, unless it is
 * one of these.  Constant tables; any thread. */
#ifndef PARE_RUN_VOCABULARY_H
#define PARE_RUN_VOCABULARY_H

#include <stdbool.h>
#include <stddef.h>

/* Whether `word` (`size` bytes), in any case, is one that messages are made of. */
bool pare_vocabulary_has(const char *word, size_t size);

/* Whether `word` is a keyword or a built-in type of a common language; case counts. */
bool pare_vocabulary_is_builtin(const char *word, size_t size);

#endif
