/* Shapes: which quantifiers of its rule the children of a node stand below.
 *
 * A shape is a list of steps that is gone through with the children side by side.  It is
 * made of the derivation that matches the children, with what says nothing left out:
 * quantifiers without children, rounds of a single child, an optional around a loop.
 *
 * A list with separators is written `e (',' e)*` in grammars.  Its rounds are `',' e`, so
 * the first element is none; with the separators on the other side the rounds are `e ','`
 * and the last one is none.  Going through both ways reaches every element. */
#ifndef PARE_PARSE_SHAPE_H
#define PARE_PARSE_SHAPE_H

#include "grammar/content.h"

/* On which side of an element its separator goes with it. */
typedef enum pare_separators {
    PARE_SEPARATORS_BEFORE, /* as grammars have it */
    PARE_SEPARATORS_AFTER
} pare_separators;

typedef struct pare_shape_step {
    enum { PARE_SHAPE_CHILD, PARE_SHAPE_OPEN, PARE_SHAPE_CLOSE } kind;
    uint32_t value; /* OPEN: pare_node_kind; CHILD: the set of what may stand there, or
                       PARE_NO_INDEX */
} pare_shape_step;

/* Steps of a maker's array. */
typedef struct pare_shape {
    uint32_t first, n;
} pare_shape;

/* Makes shapes and keeps each, by the kinds of the children.  One thread. */
typedef struct pare_shape_maker pare_shape_maker;

/* `content` is borrowed.  On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_shape_maker_new(const pare_content *content, pare_shape_maker **out,
                                            pare_error *err);
void pare_shape_maker_free(pare_shape_maker *maker); /* NULL is a no-op */

/* A node: its type and its `n` children as numbers of the content, extras left out. */
typedef struct pare_shape_query {
    uint32_t symbol;
    const uint32_t *children; /* borrowed during the call */
    uint32_t n;
    pare_separators separators;
} pare_shape_query;

/* The shape of a node; *found is false when its children match no rule.  Linear in their
 * number, without a match when the same children were seen before.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_shape_find(pare_shape_maker *maker, pare_shape_query query,
                                       pare_shape *shape, bool *found, pare_error *err);

/* Appends a step that belongs to no derivation; sets *index to where it stands.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_shape_add(pare_shape_maker *maker, pare_shape_step step,
                                      uint32_t *index, pare_error *err);

/* The steps of all shapes so far; borrowed until the next one is made. */
const pare_shape_step *pare_shape_steps(const pare_shape_maker *maker);

/* Forgets all shapes once they take more than 64 MiB. */
void pare_shape_trim(pare_shape_maker *maker);

#endif
