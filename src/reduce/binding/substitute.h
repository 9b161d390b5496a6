/* Text of a node in which some nodes below it are other texts: what inlining puts in. */
#ifndef PARE_REDUCE_BINDING_SUBSTITUTE_H
#define PARE_REDUCE_BINDING_SUBSTITUTE_H

#include "base/buffer.h"
#include "reduce/binding/program.h"
#include "reduce/binding/syntax.h"

/* Whether the expression `node` needs parentheses in the place of `place`: operators would
 * take only a part of it, or a statement would begin with what begins a declaration or a
 * block. */
bool pare_needs_parentheses(const pare_syntax *syntax, uint32_t node, uint32_t place);

/* Appends the text of the expression `node` to *out, in parentheses where those are needed
 * in the place of `place`.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_append_expression(const pare_syntax *syntax, uint32_t node,
                                              uint32_t place, pare_buffer *out, pare_error *err);

/* What stands for a parameter: a node (an argument) or a text. */
typedef struct pare_binding_of {
    uint32_t symbol;
    uint32_t argument; /* node, or PARE_NO_NODE: the smallest value */
} pare_binding_of;

/* Appends bytes from .. to-1 of the text, in which uses of the `n` symbols are what stands
 * for them.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_append_bound(const pare_program *program, uint32_t from, uint32_t to,
                                         uint32_t node, const pare_binding_of *bindings, size_t n,
                                         pare_buffer *out, pare_error *err);

#endif
