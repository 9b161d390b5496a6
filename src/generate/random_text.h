/* RandomFuzzer: characters of a range.
 * Source: The Fuzzing Book, RandomFuzzer: a length, then each character. */
#ifndef PARE_GENERATE_RANDOM_TEXT_H
#define PARE_GENERATE_RANDOM_TEXT_H

#include "reduce/choice/choices.h"

typedef struct pare_random_text {
    uint32_t min_length, max_length; /* characters; the book: 10 and 100 */
    uint32_t first, n;               /* code points first .. first+n-1; the book: 32 and 32 */
} pare_random_text;

/* The generator; borrows `options`.  Characters beyond ASCII are written in UTF-8. */
pare_generator pare_random_text_generator(const pare_random_text *options);

#endif
