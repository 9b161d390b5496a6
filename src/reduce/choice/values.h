/* Values made of choices: numbers, bytes, texts.
 *
 * Every value is made of indices whose 0 is the simplest answer, so what reduces lists of
 * choices need not know what they mean.  Values of several choices are a span of their own.
 * Errors of all functions: those of pare_choices_next; out-parameters are untouched then,
 * buffers may hold a part.  Source: as reduce/choice/record.h; its order of integers (the
 * simplest one, then away from it on both sides in turn). */
#ifndef PARE_REDUCE_CHOICE_VALUES_H
#define PARE_REDUCE_CHOICE_VALUES_H

#include "base/buffer.h"
#include "reduce/choice/choices.h"

/* Labels of the spans made here; those of generators are below. */
enum {
    PARE_SPAN_FLOAT = 0x7FFFFF00,
    PARE_SPAN_BYTES,
    PARE_SPAN_STRING,
    PARE_SPAN_ELEMENT /* one byte or character */
};

/* An integer low .. high, of which `simplest` (brought into the range) is index 0.  The
 * whole range of int64_t but one value at most. */
PARE_CHECK pare_status pare_choose_integer(pare_choices *choices, int64_t low, int64_t high,
                                           int64_t simplest, int64_t *value, pare_error *err);

/* The same for a number of things that are chosen next; `low` is the simplest. */
PARE_CHECK pare_status pare_choose_size(pare_choices *choices, uint64_t low, uint64_t high,
                                        uint64_t *size, pare_error *err);

/* Which of `n` (1 ..); the first is the simplest. */
PARE_CHECK pare_status pare_choose_element(pare_choices *choices, uint64_t n, uint64_t *which,
                                           pare_error *err);

/* A number low .. high, both of them -2^53 .. 2^53: an integer part (nearest to 0 is the
 * simplest) and a fraction: 0, 1/2, 1/4, 3/4, 1/8, ... by their index. */
PARE_CHECK pare_status pare_choose_float(pare_choices *choices, double low, double high,
                                         double *value, pare_error *err);

/* Appends low .. high bytes to *bytes. */
PARE_CHECK pare_status pare_choose_bytes(pare_choices *choices, uint64_t low, uint64_t high,
                                         pare_buffer *bytes, pare_error *err);

/* Characters `first` .. `last` (code points that UTF-8 can write), `simplest` of them the
 * simplest. */
typedef struct pare_alphabet {
    uint32_t first, last, simplest;
} pare_alphabet;

/* Appends low .. high characters to *text, in UTF-8; surrogates become U+FFFD. */
PARE_CHECK pare_status pare_choose_string(pare_choices *choices, pare_alphabet alphabet,
                                          uint64_t low, uint64_t high, pare_buffer *text,
                                          pare_error *err);

/* The index of an integer, and back; exact inverses. */
uint64_t pare_choice_of_integer(int64_t low, int64_t high, int64_t simplest, int64_t value);
int64_t pare_choice_to_integer(int64_t low, int64_t high, int64_t simplest, uint64_t index);

#endif
