/* Seams: which two tokens stood side by side in the input, names being all alike.
 *
 * Where a few tokens are left out, the one before them meets the one after them.  If such two stood
 * side by side in the input, what is left is likely to be well formed, whatever the language.
 *
 * A fixed size for any input; one thread. */
#ifndef PARE_REDUCE_PASSES_SEAMS_H
#define PARE_REDUCE_PASSES_SEAMS_H

#include <stdbool.h>
#include <stddef.h>

#include "reduce/passes/lexemes.h"

enum { PARE_SEAM_BYTES = 8192 };

/* Two sets of hashes, a bit for each (a Bloom filter of one hash).  All-zero is empty. */
typedef struct pare_seams {
    unsigned char pairs[PARE_SEAM_BYTES];
    unsigned char common[PARE_SEAM_BYTES]; /* words that are no names: they recur */
} pare_seams;

/* Adds what stands side by side in `lexemes` of `bytes`.  O(lexemes). */
void pare_seams_learn(pare_seams *seams, const pare_lexemes *lexemes, const unsigned char *bytes);

/* The same without new common words: of a text that was made of the one they were learned from. */
void pare_seams_learn_pairs(pare_seams *seams, const pare_lexemes *lexemes,
                            const unsigned char *bytes);

/* Whether lexemes like `before` and `after` of `lexemes` were seen side by side.  `before` may be
 * PARE_NO_LEXEME for the begin of a file, `after` the number of lexemes for its end. */
bool pare_seams_has(const pare_seams *seams, const pare_lexemes *lexemes,
                    const unsigned char *bytes, size_t before, size_t after);

#endif
