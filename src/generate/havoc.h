/* Havoc: inputs made of other inputs by several changes of their bytes, one on top of the other.
 *
 * For inputs in any format, with feedback about their value.  Besides changes of single bytes there
 * are those of blocks, numbers in digits, words of a dictionary, and parts of other members.
 * Members that were added lately, or that are preferred, are drawn more often.  One object for each
 * thread. */
#ifndef PARE_GENERATE_HAVOC_H
#define PARE_GENERATE_HAVOC_H

#include <stddef.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "reduce/choice/choices.h"

/* All-zero is empty. */
typedef struct pare_havoc {
    pare_buffer *members; /* owned: the population */
    size_t n, capacity;
    size_t *preferred; /* owned: numbers of members, once for each time more that they are drawn */
    size_t n_preferred, preferred_capacity;
    pare_buffer *words; /* owned: the dictionary */
    size_t n_words, words_capacity;
    pare_buffer text, spare; /* the candidate, and a part that is put in */
} pare_havoc;

void pare_havoc_done(pare_havoc *havoc);

/* Adds a copy of a member, or of a word of the dictionary; an empty word is none.  Errors:
 * PARE_E_NOMEM. */
PARE_CHECK pare_status pare_havoc_add(pare_havoc *havoc, const void *bytes, size_t size,
                                      pare_error *err);
PARE_CHECK pare_status pare_havoc_add_word(pare_havoc *havoc, const char *word, size_t size,
                                           pare_error *err);

/* The member that was added last is drawn more often than others.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_havoc_prefer(pare_havoc *havoc, pare_error *err);

/* The generator; borrows `havoc`, which has a member.  Texts are at most PARE_HAVOC_BYTES long, or
 * as long as their member.  Cost: O(text) a change. */
enum { PARE_HAVOC_BYTES = 64 << 10 };
pare_generator pare_havoc_generator(pare_havoc *havoc);

#endif
