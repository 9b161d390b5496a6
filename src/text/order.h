/* The order that says which of two texts is the smaller one.
 *
 * Total: of two texts that differ in a byte one is smaller, so that what a reduction ends
 * with does not depend on the way it took there more than it must.  In this order decide
 *   1. bytes: fewer are smaller;
 *   2. tokens, by the lexer that knows no language (text/split/split.c), white space not
 *      counted: fewer are smaller;
 *   3. the first byte in which they differ: the simpler one is smaller, see below.
 * docs/guide/order.md says why. */
#ifndef PARE_TEXT_ORDER_H
#define PARE_TEXT_ORDER_H

#include "text/candidate.h"

/* Place of a byte among all, from the simplest: digits, small letters, capitals, other
 * characters that are printed, white space beginning with the space, the rest; within each
 * kind by value.  All ranks differ. */
unsigned pare_order_byte_rank(unsigned char byte);

/* How many tokens, white space not counted, `size` bytes have.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_order_tokens(const unsigned char *bytes, size_t size, size_t *n,
                                         pare_error *err);

/* Sets *order below 0 if `a` is smaller than `b`, above 0 if it is larger, 0 if they are the
 * same.  O(1) for candidates of different sizes, or the same digest, else O(bytes).
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_order_compare(const pare_candidate *a, const pare_candidate *b,
                                          int *order, pare_error *err);

#endif
