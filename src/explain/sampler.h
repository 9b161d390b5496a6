/* Samples of a kind: what else might stand where a part of a text stands.
 *
 * The k-th sample of a seed depends on the part, the seed and k alone.  Seed 0 is what an explanation
 * is made by: it begins with values at which programs usually change what they do; other seeds
 * draw at random alone, so that a claim can be checked by texts that it was not made from.
 * One thread. */
#ifndef PARE_EXPLAIN_SAMPLER_H
#define PARE_EXPLAIN_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "text/text.h"

typedef enum pare_part_kind {
    PARE_PART_NODE,   /* of the tree, of two leaves or more */
    PARE_PART_REPEAT, /* rounds of a list of the tree, of which there are two or more */
    PARE_PART_WHOLE,  /* a whole number, decimal, below 10^18 */
    PARE_PART_NUMBER, /* another number */
    PARE_PART_STRING, /* in quotes */
    PARE_PART_NAME,   /* a word; all places of it */
    PARE_PART_SIGN,   /* an operator that has others of its class, or the sign of a number */
    PARE_PART_BYTE    /* of a text that is bytes: one that reads as nothing of these */
} pare_part_kind;

/* The name of a kind in files: "node", "repeat", "whole", "number", "string", "name", "sign", "byte". */
const char *pare_sampler_kind_name(pare_part_kind kind);

/* From here on a range has no end: of a whole number, and of a length or a count. */
#define PARE_SAMPLER_LARGEST UINT64_C(1000000000000000000)
#define PARE_SAMPLER_LONGEST 4096
#define PARE_SAMPLER_MOST_ROUNDS 256
uint64_t pare_sampler_largest(pare_part_kind kind);

/* A part of a text, as far as samples depend on it; borrowed. */
typedef struct pare_sampled {
    pare_part_kind kind;
    pare_span text;  /* the whole, in which no fresh name stands */
    size_t from, to; /* the part, bytes of the text; the samples of a part of several places
                        depend on its first one */
    uint64_t value;  /* WHOLE: its value; STRING: the length of its content, in bytes */
} pare_sampled;

/* The samples of a kind that seed 0 begins with; the others are drawn. */
size_t pare_sampler_n_fixed(const pare_sampled *part);

/* Appends sample `k` of `seed` for a part that is no node and no list.  It may be the part's own
 * text, and the same as another one.  Of a SIGN there are as many as its class has, in a circle; of that
 * of a number two, of which the first is "": the number without it.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_sampler_draw(const pare_sampled *part, uint64_t seed, uint32_t k,
                                         pare_buffer *out, pare_error *err);

/* Appends a sample that has `size`: of WHOLE it is the number, of STRING one with so many bytes of
 * content, letters of `seed`.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_sampler_draw_sized(const pare_sampled *part, uint64_t seed,
                                               uint64_t size, pare_buffer *out, pare_error *err);

/* The size of the k-th sample of `seed` from low to high: both ends are likelier than what is
 * between them, and what is near an end likelier than what is far. */
uint64_t pare_sampler_size(uint64_t seed, uint32_t k, uint64_t low, uint64_t high);

/* Texts that stand at the edge of a kind or beyond it.  A reader wants to know what comes of them, but no draw
 * makes them: what is claimed of a part is about draws alone. */
typedef enum pare_sampler_edge {
    PARE_EDGE_NONE, /* a draw */
    PARE_EDGE_NEAR, /* of a name or string: its own text with a letter in front */
    PARE_EDGE_CASE, /* of a name: the same letters, small ones for large ones or the other way round */
    PARE_EDGE_BEYOND /* of another kind: nothing, a sign before digits, zeroes, a name for a number */
} pare_sampler_edge;

/* Appends edge `k` of a token, and sets *edge; PARE_EDGE_NONE: there are no more.  The nearest comes first.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_sampler_edge_text(const pare_sampled *part, uint32_t k,
                                              pare_buffer *out, pare_sampler_edge *edge,
                                              pare_error *err);

/* Whether bytes from .. to-1 are a plus or minus that a number follows at once, and no value stands before:
 * the sign of that number, and no operator between two. */
bool pare_sampler_is_number_sign(pare_span text, size_t from, size_t to);

/* Whether they are one, or one of the operators that have others of their class. */
bool pare_sampler_knows_sign(pare_span text, size_t from, size_t to);

/* Whether it is no text for people: control characters stand in it that no editor makes.  A name, and a number that
 * is no whole one, is drawn as long as it is then: of another length all that follows would move, and whether the
 * failure stays would say little of the name. */
bool pare_sampler_is_bytes(pare_span text);

/* Whether it is hexadecimal digits in quotes after an x, as SQL has them: a NUMBER, of as many digits. */
bool pare_sampler_is_hex_literal(pare_span text);

/* By what nodes are made; all-zero: by nothing. */
typedef struct pare_sampler_source {
    const char *language; /* a language that was added; or: */
    const char *const *grammars;
    size_t n_grammars;
} pare_sampler_source;

/* Which nodes are wanted; borrowed. */
typedef struct pare_sampler_wish {
    const pare_sampler_source *source;
    const pare_sampled *part; /* in whose place they are to stand */
    const char *rule;
    uint64_t seed;
    size_t n; /* at most so many */
} pare_sampler_wish;

/* Texts of nodes; all-zero: none. */
typedef struct pare_sampler_nodes {
    pare_buffer bytes;
    size_t *ends; /* owned; of each text, in `bytes` */
    size_t n;
    uint64_t checked_bytes; /* that the language's parser has read to check what was made */
} pare_sampler_nodes;

void pare_sampler_nodes_done(pare_sampler_nodes *nodes);
pare_span pare_sampler_node(const pare_sampler_nodes *nodes, size_t k); /* borrowed */

/* Makes texts of the rule, of which some may be the same, that may stand in the place of the part: the
 * whole text with one of them is in the language.  None where the source has no such rule, or cannot make one.  *nodes is
 * all-zero before, and is to be ended in any case.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_sampler_make_nodes(const pare_sampler_wish *wish,
                                               pare_sampler_nodes *nodes, pare_error *err);

#endif
