/* Generalising a diagnostic: from what a program said of one input to what it says of every
 * input with the same failure.
 *
 * What the input contributed becomes "*", because it stands in the input: names, whole
 * quotations, pieces of it that are repeated between brackets, numbers, positions.  What the program contributed stays: the wording, operand
 * types, keywords, codes.  A word that stands in both is the program's if messages are made
 * of such words.  Tokens that a parser did not expect stay as they are, since
 * which token it was is what such a failure is about.
 *
 *     TypeError: unsupported operand type(s) for +: 'int' and 'NoneType'     (as it is)
 *     error: 'rows' undeclared (first use in this function)
 *       message: error: '*' undeclared (first use in this function)
 *     warning: unused variable 'n' [-Wunused-variable]
 *       message: warning: unused variable '*' [-Wunused-variable]
 *       kind:    warning: *[-Wunused-variable]
 *
 * Words in a row that stand in the input just so stay: the input has the program say them, as the text of an
 * exception.  So do the words of a message of which nothing but stars would be left.
 *
 *     ValueError: insufficient funds                                        (as it is)
 *
 * The pattern is one that pare_signature_like reads.  Any thread. */
#ifndef PARE_RUN_GENERALIZE_H
#define PARE_RUN_GENERALIZE_H

#include <stdbool.h>
#include <stddef.h>

#include <pare/keep.h>

#include "run/diagnostic_text.h"

/* Writes the pattern of `text`, a diagnostic's, to `pattern`.  `input` (`size` bytes, any) is
 * what the program read.  Cost: some searches through the input for each word. */
void pare_generalize(const char *text, pare_keep_level level, const void *input, size_t size,
                     char pattern[PARE_DIAGNOSTIC_BYTES]);

/* The same for what a crash says (an assertion, a panic, an internal error), at the level MESSAGE:
 * which token it was that the program did not expect is the input's business there, and what is
 * quoted is the input's if it is a number. */
void pare_generalize_crash(const char *text, const void *input, size_t size,
                           char pattern[PARE_DIAGNOSTIC_BYTES]);

/* Whether the word stands in `input`, with no other word's character beside it. */
bool pare_generalize_finds_word(const char *input, size_t size, const char *word, size_t word_size);

#endif
