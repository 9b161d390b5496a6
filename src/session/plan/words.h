/* Lists of words in options, separated by commas. */
#ifndef PARE_SESSION_PLAN_WORDS_H
#define PARE_SESSION_PLAN_WORDS_H

#include <stdbool.h>
#include <stddef.h>

/* A word of a list; not terminated, may be empty. */
typedef struct pare_word {
    const char *text;
    size_t size;
} pare_word;

/* Cuts the next word off *list, which is NULL behind the last one; false there. */
bool pare_word_next(const char **list, pare_word *word);

bool pare_word_is(pare_word word, const char *text);

#endif
