/* The nearest of several words, for a wrong one.
 *
 * By optimal string alignment distance over three rows: O(n m) for words of at most MAX_LETTERS
 * letters.  Why not Levenshtein's: two swapped letters are one slip of a hand, not two.
 * Source: Damerau (1964), Levenshtein (1966). */

#include "base/nearest.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Edit distance by dynamic programming over three rows. */

/* Letters of a word that are compared; the rest does not count. */
enum { MAX_LETTERS = 32 };

/* The smaller of two. */
static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Optimal string alignment; the rows are the last three prefixes of `a`. */
static unsigned edits(const char *a, size_t n_a, const char *b, size_t n_b)
{
    assert(n_a <= MAX_LETTERS && n_b <= MAX_LETTERS);
    unsigned rows[3][MAX_LETTERS + 1];
    unsigned *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= n_b; j++)
        above[j] = (unsigned)j;
    for (size_t i = 1; i <= n_a; i++) {
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= n_b; j++) {
            /* Three ways to come here: replace a letter or keep it, delete one, insert one; and
             * for two swapped letters a fourth, from two rows before. */
            unsigned replaced = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = least(replaced, least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
        /* The rows change places, and the oldest is written over. */
        unsigned *oldest = before;
        before = above;
        above = row;
        row = oldest;
    }
    return above[n_b];
}

/* Twice the number of edits, so that the beginning of a word, such as "--out" for "--output",
 * can come between a perfect match and a word with one wrong letter. */
unsigned pare_nearest_distance(const char *written, const char *candidate)
{
    size_t n_written = strnlen(written, MAX_LETTERS);
    size_t n_candidate = strnlen(candidate, MAX_LETTERS);
    unsigned distance = 2 * edits(written, n_written, candidate, n_candidate);
    /* Nearer than any word with a wrong letter (2), and not as near as the word itself (0). */
    if (n_written > 0 && strncmp(written, candidate, n_written) == 0 && distance > 1) return 1;
    return distance;
}

/* Strictly smaller, so that of equally near words the first in the table is named. */
void pare_nearest_offer(pare_nearest *nearest, const char *candidate)
{
    unsigned distance = pare_nearest_distance(nearest->word, candidate);
    if (distance < nearest->distance) {
        nearest->distance = distance;
        nearest->best = candidate;
    }
}

/* Half of the longer word's letters have to be right, or one word begins with the other. */
static bool resembles(const pare_nearest *nearest)
{
    if (!nearest->best) return false;
    size_t n_written = strlen(nearest->word), n_best = strlen(nearest->best);
    /* The word begins with the name and goes on: "--outputs". */
    if (strncmp(nearest->word, nearest->best, n_best) == 0) return true;
    return nearest->distance <= (n_written > n_best ? n_written : n_best);
}

/* A word that resembles nothing gets no hint: a wrong one would be worse. */
const char *pare_nearest_hint(const pare_nearest *nearest, const char *dashes,
                              char text[static PARE_NEAREST_HINT_BYTES])
{
    text[0] = '\0';
    if (resembles(nearest))
        (void)snprintf(text, PARE_NEAREST_HINT_BYTES, ": did you mean '%s%s'?", dashes,
                       nearest->best);
    return text;
}
