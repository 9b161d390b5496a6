/* Expressions that call what a script engine offers, by random walks over a prototype graph.
 *
 * A walk begins at the global object or, mostly, at a function: its receiver and its arguments are
 * derived backward, along parameter, prototype, property and return edges, to what the least
 * costs (generate/prototype/type_costs.h) say can be had within the budget; then it goes forward
 * along properties, calls and what they return.  Arguments of unknown type are values that their
 * function is likely to be about, mixed with any others.  Everything is asked of one source of
 * choices, so that walks are replayed and reduced; a list that is edited makes another valid text,
 * or ends too early.
 * Texts are ES5 on one line, but for what the graph's own names need (Symbol.iterator).  Among
 * edges, and among functions to begin with, one is as likely as its weight says
 * (<pare/graph_weigh.h>).
 * Source: Hodován and Kiss, "Fuzzing JavaScript engine APIs", iFM 2016; seed 001, section 1.
 * Deviations: beginning at functions, prescribed kinds of values, values that are kept.
 * Cost: some microseconds a text.  One thread. */
#ifndef PARE_GENERATE_PROTOTYPE_WALK_H
#define PARE_GENERATE_PROTOTYPE_WALK_H

#include "base/buffer.h"
#include "generate/prototype/type_costs.h"
#include "reduce/choice/choices.h"

enum { PARE_WALK_DEPTH = 8, PARE_WALK_CALLS = 5 };

typedef struct pare_walk_options {
    uint32_t max_depth; /* of properties, calls and values within each other; 0: PARE_WALK_DEPTH */
    uint32_t max_calls; /* of functions of the graph in an expression; 0: PARE_WALK_CALLS */
    double keep_values; /* chance, 0 .. 1, that a text goes on with another expression, which can
                           use the values of those before it */
    double cooldown;    /* a function that was begun with has its weight multiplied by this, for
                           all texts to come; 0 or 1: no cooldown */
} pare_walk_options;

typedef struct pare_walk pare_walk;

/* `costs` is borrowed.  On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_walk_new(const pare_type_costs *costs, const pare_walk_options *options,
                                     pare_walk **out, pare_error *err);
void pare_walk_free(pare_walk *walk); /* NULL is a no-op */

/* All weights are as at the start again. */
void pare_walk_warm(pare_walk *walk);

/* From now on sets taken[e] to 1 for each edge e of the graph that a text is made by.  `taken` is
 * borrowed, and has an entry for each; NULL: ends that. */
void pare_walk_trace(pare_walk *walk, uint8_t *taken);

/* The generator of whole texts; borrows `walk`. */
pare_generator pare_walk_generator(pare_walk *walk);

/* Appends one expression in parentheses, for texts of which it is a part.  Errors: those of
 * pare_choices_next. */
PARE_CHECK pare_status pare_walk_expression(pare_walk *walk, pare_choices *choices,
                                            pare_buffer *text, pare_error *err);

#endif
