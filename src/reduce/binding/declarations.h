/* What a declaration is made of: which node declares a name, where the name is known, what has to
 * go for it to go, and its value.  For bindings.c, which binds names by it.
 *
 * All of it is read from the tree; nothing here allocates or fails.  PARE_NO_NODE: there is none.
 * Immutable arguments, any thread. */
#ifndef PARE_REDUCE_BINDING_DECLARATIONS_H
#define PARE_REDUCE_BINDING_DECLARATIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "reduce/binding/syntax.h"

/* Whether `node` is the body of a name space that is not the root itself. */
bool pare_declarations_is_space(const pare_syntax *syntax, uint32_t node);

/* Whether `node` is a block in the place of a declaration: what is left of a name space that the
 * parser does not understand. */
bool pare_declarations_is_stray(const pare_syntax *syntax, uint32_t node);

/* Which node declares the names that stand at `node`; PARE_NO_NODE: they are uses.
 * `contexts`: the answers for all nodes before it. */
uint32_t pare_declarations_context(const pare_syntax *syntax, const uint32_t *contexts,
                                   uint32_t node);

/* The function in whose head `node` is, below no list of parameters.  The head of a function is all
 * but its body: a declaration there is a parameter, or the function itself.
 * `heads`: the answers for all nodes before it. */
uint32_t pare_declarations_head(const pare_syntax *syntax, const uint32_t *heads, uint32_t node);

/* The scope in which what `declaring` declares is known: the one around it, for a function's name is
 * known outside of it; parameters belong to their function.  A function declares its name where it
 * stands, and its parameters and variables in itself.  `scopes`: of each node, the nearest one. */
uint32_t pare_declarations_scope(const pare_syntax *syntax, const uint32_t *scopes,
                                 uint32_t declaring);

/* What has to go for the name at `leaf`, which `declaring` declares, to go, and no other name.
 *
 * Example: of `int a, b;` the unit of b is its declarator; of `int a;` the unit of a is the
 * whole declaration. */
uint32_t pare_declarations_unit(const pare_syntax *syntax, uint32_t leaf, uint32_t declaring);

/* What the name becomes: in C the value stands beside the name, inside the declaration; elsewhere
 * beside the names, at the declaration itself.
 *
 * Examples: `int a = 1;` in C, where an init_declarator stands between; `a, b = 1, 2` in Go or
 * Lua, where lists are paired. */
uint32_t pare_declarations_value(const pare_syntax *syntax, uint32_t leaf, uint32_t declaring);

#endif
