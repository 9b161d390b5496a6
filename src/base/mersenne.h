/* CPython's random numbers, bit for bit: MT19937 as the module `random` uses it.
 *
 * For repeating what was published with Python programs: the same seed gives the same numbers as
 * random.seed(), getrandbits(), randrange(), choice() and random() of CPython 3.2 and later.
 * Not for secrets.  One thread; the caller owns the state.
 * Source: Matsumoto and Nishimura, "Mersenne Twister", ACM TOMACS 8 (1998), with their
 * init_by_array of 2002; CPython's documentation of `random` for the rest. */
#ifndef PARE_BASE_MERSENNE_H
#define PARE_BASE_MERSENNE_H

#include <stddef.h>
#include <stdint.h>

enum { PARE_MERSENNE_WORDS = 624 };

/* 2.5 KB; nothing is drawn before a seed is given. */
typedef struct pare_mersenne {
    uint32_t words[PARE_MERSENNE_WORDS];
    uint32_t at; /* the next word that is used; PARE_MERSENNE_WORDS: all were */
} pare_mersenne;

/* random.seed(number) of the int that is `n` words, the least significant first; leading words of
 * 0 do not count, and n is at least 1.  The sign of an int does not count either. */
void pare_mersenne_seed(pare_mersenne *mersenne, const uint32_t *key, size_t n);

/* getrandbits(n_bits), 1 .. 64. */
uint64_t pare_mersenne_bits(pare_mersenne *mersenne, unsigned n_bits);

/* randrange(bound); choice() of a list of `bound` items takes the same.  1 .. 2^64 - 1. */
uint64_t pare_mersenne_below(pare_mersenne *mersenne, uint64_t bound);

/* random(): 0 <= x < 1, a multiple of 2^-53. */
double pare_mersenne_unit(pare_mersenne *mersenne);

#endif
