/* What of a text can be varied, and by what: its parts, each with samples of its kind.
 *
 * Parts are the nodes of the tree, where a language or grammar gives one, and the lexemes.  A name is
 * one part with all its places, so that it is renamed as a whole.  Immutable once made; one thread. */
#ifndef PARE_EXPLAIN_PARTS_H
#define PARE_EXPLAIN_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "explain/sampler.h"
#include "parse/parse_tree.h"
#include "reduce/tree/tree.h"
#include "text/text.h"

/* A text in `bytes`. */
typedef struct pare_sample {
    uint32_t offset, size;
    pare_sampler_edge edge; /* NONE: a draw of the part's kind, about which claims are made */
} pare_sample;

typedef struct pare_varied {
    pare_part_kind kind;
    uint32_t name;     /* of the kind, to be shown: offset in `bytes`, NUL-terminated */
    uint32_t from, to; /* its first place */
    uint32_t n_places;
    uint32_t first_sample, n_samples;
    uint32_t n_first; /* samples by which it is decided; the others confirm it */
    uint32_t n_edges; /* texts at the edge of its kind or beyond it, after its n_samples samples */
    uint32_t n_same;  /* STRING: the first samples have its own length */
    uint64_t value;   /* WHOLE; STRING: its length, in bytes; REPEAT: rounds */
    bool has_empty;   /* STRING: the last of the first samples is the empty one */
} pare_varied;

/* The samples of REPEAT are the text of its first 1, 2, ..., `value` rounds, and then that of a round
 * with what stands before it. */

typedef struct pare_varied_place {
    uint32_t from, to; /* bytes of the text */
    uint32_t part;
} pare_varied_place;

/* All-zero: none. */
typedef struct pare_parts {
    pare_varied *parts; /* owned; by `from` of the first place, a node before what is in it */
    size_t n, capacity;
    uint32_t *turns; /* owned; all parts in the order in which they are to be asked about */
    pare_varied_place *places; /* owned; by `from`, a node before what is in it */
    size_t n_places, places_capacity;
    pare_sample *samples; /* owned */
    size_t n_samples, samples_capacity;
    pare_buffer bytes; /* of samples and names */
} pare_parts;

/* By what parts are made; all-zero: by tokens. */
typedef struct pare_parts_syntax {
    const pare_tree *tree;          /* of the text; NULL: none */
    const pare_symbol_names *names; /* of its symbols; may be NULL */
    pare_sampler_source source;     /* by which its nodes are made */
} pare_parts_syntax;

/* Parts of `text`.  On PARE_OK the caller ends *out (all-zero before).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_parts_make(pare_span text, const pare_parts_syntax *syntax,
                                       pare_parts *out, pare_error *err);
void pare_parts_done(pare_parts *parts);

/* What samples of part `k` of `text` depend on. */
pare_sampled pare_parts_sampled(const pare_parts *parts, pare_span text, size_t k);

/* Appends `text` with `sample` in all places of the part.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_parts_replace(const pare_parts *parts, pare_span text, size_t part,
                                          pare_span sample, pare_buffer *out, pare_error *err);

#endif
