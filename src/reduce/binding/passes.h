/* The passes over names and syntax, one source file each, and their table. */
#ifndef PARE_REDUCE_BINDING_PASSES_H
#define PARE_REDUCE_BINDING_PASSES_H

#include "reduce/passes/pass.h"

/* All of them, in the order in which they are worth trying: coarse to fine, those that may
 * grow the text (PARE_PASS_ANY) last; *n of them. */
const pare_pass *const *pare_binding_passes(size_t *n);

/* NULL when there is none of that name. */
const pare_pass *pare_binding_pass_find(const char *name);

extern const pare_pass pare_binding_unused;        /* unused.c */
extern const pare_pass pare_binding_declarations;  /* declarations.c */
extern const pare_pass pare_binding_members;       /* declarations.c */
extern const pare_pass pare_binding_bodies;        /* bodies.c */
extern const pare_pass pare_binding_parameters;    /* parameters.c */
extern const pare_pass pare_binding_blocks;        /* blocks.c */
extern const pare_pass pare_binding_expressions;   /* expressions.c */
extern const pare_pass pare_binding_types;         /* types.c */
extern const pare_pass pare_binding_dimensions;    /* dimensions.c */
extern const pare_pass pare_binding_inline_values; /* inline_values.c */
extern const pare_pass pare_binding_spread_values; /* inline_values.c */
extern const pare_pass pare_binding_inline_calls;  /* inline_calls.c */
extern const pare_pass pare_binding_spread_calls;  /* inline_calls.c */
extern const pare_pass pare_binding_moves;         /* moves.c */

#endif
