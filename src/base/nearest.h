/* The word that somebody meant who wrote another.
 *
 *     pare_nearest nearest = pare_nearest_of(word);
 *     for (size_t i = 0; i < n; i++)
 *         pare_nearest_offer(&nearest, names[i]);
 *     pare_fail(err, PARE_E_ARG, "unknown name '%s'%s", word, pare_nearest_hint(&nearest, "", hint));
 *
 * Any thread. */
#ifndef PARE_BASE_NEAREST_H
#define PARE_BASE_NEAREST_H

#include <limits.h>

/* Finds the nearest of several words, offered one after the other. */
typedef struct pare_nearest {
    const char *word;  /* what was written; borrowed */
    const char *best;  /* the nearest so far; NULL before the first offer */
    unsigned distance; /* of `best` */
} pare_nearest;

static inline pare_nearest pare_nearest_of(const char *word)
{
    return (pare_nearest){.word = word, .distance = UINT_MAX};
}

/* Offers `candidate` (borrowed); of equally near ones the first stays. */
void pare_nearest_offer(pare_nearest *nearest, const char *candidate);

/* The end of a sentence that refuses the word: ": did you mean '--NEAREST'?", with `dashes`
 * before the name, or "" when no word offered resembles it.  Writes to `text`, returns it. */
enum { PARE_NEAREST_HINT_BYTES = 96 };
const char *pare_nearest_hint(const pare_nearest *nearest, const char *dashes,
                              char text[static PARE_NEAREST_HINT_BYTES]);

/* How far apart two words are: the least number of inserted, deleted, replaced
 * and swapped letters, twice over; a beginning of the other word is nearer than
 * that.  Letters beyond the 32nd do not count.
 * Source: optimal string alignment, after Damerau (1964) and Levenshtein (1966). */
unsigned pare_nearest_distance(const char *written, const char *candidate);

#endif
