/* Generated inputs of bench_formats: an input of a format, two ways in which it can fail, and the
 * smallest text that fails so.
 *
 * A format reads candidates strictly: what is not of the format passes, as a parser would refuse
 * it.  So what is left is the smallest text of the format that holds what is needed, which the
 * format writes down itself. */
#ifndef BENCH_FORMATS_SUBJECT_H
#define BENCH_FORMATS_SUBJECT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/random.h"

enum { SUBJECT_FAILURES = 2, SUBJECT_NEEDED = 2 };

struct subject;

struct format {
    const char *name;
    /* Appends to subject->input and subject->smallest. */
    void (*make)(struct subject *subject);
    bool (*fails)(const struct subject *subject, const char *bytes, size_t size);
    const void *style; /* of formats that share these two */
};

/* How the chunks of a binary input are laid out; see chunks.c. */
struct chunk_layout {
    unsigned magic, tag, width, after, trailer, align;
    bool big, leb, whole, counted;
};

struct subject {
    const struct format *format;
    unsigned seed, failure;
    pare_random random;
    size_t size;                         /* that the input is to have, about */
    pare_buffer input, smallest;         /* owned */
    const char *needed[SUBJECT_NEEDED];  /* words that stand nowhere else */
    size_t places[SUBJECT_NEEDED];       /* of the input, where something needed is due */
    unsigned n_placed;
    struct chunk_layout layout;
};

/* The formats, ended by one without a name. */
extern const struct format formats_of_blocks[];
extern const struct format formats_of_lines[];
extern const struct format formats_of_values[];
extern const struct format formats_of_chunks[];
extern const struct format formats_of_media[];
extern const struct format formats_of_counts[];

/* Makes the input; the same three make the same one. */
void subject_make(struct subject *subject, const struct format *format, unsigned seed,
                  unsigned failure);
void subject_done(struct subject *subject);

/* A number below `bound`. */
unsigned subject_draw(struct subject *subject, unsigned bound);

/* One of some words that are never needed. */
const char *subject_word(struct subject *subject);

/* Whether the input is as long as it is to be. */
bool subject_full(const struct subject *subject);

/* Whether the next needed thing is due: at its place, or at the end; it counts as placed then. */
bool subject_due(struct subject *subject, unsigned n_needed);

/* Append to the input, or to the smallest. */
void subject_put(struct subject *subject, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void subject_bytes(pare_buffer *to, const void *bytes, size_t size);
void subject_smallest(struct subject *subject, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- reading ------------------------------------------------------------------------------ */

struct scan {
    const char *at, *end;
};

/* A piece of the candidate; empty: there is none. */
struct piece {
    const char *text;
    size_t size;
};

bool scan_ends(const struct scan *scan);
bool scan_text(struct scan *scan, const char *text); /* moves behind it if it is there */
void scan_blanks(struct scan *scan);                 /* spaces and tabs */
void scan_white(struct scan *scan);                  /* and ends of lines */
struct piece scan_word(struct scan *scan);           /* letters, digits and _ */
struct piece scan_until(struct scan *scan, const char *ends);
struct piece scan_line(struct scan *scan); /* without its end, which is passed */
struct piece piece_trimmed(struct piece piece);
bool piece_is(struct piece piece, const char *text);
bool piece_same(struct piece a, struct piece b);
bool piece_has(struct piece piece, const char *text);

#endif
