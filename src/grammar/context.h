/* The smallest text around a rule: what the start rule derives with just one use of the
 * rule in it, everything else minimal.
 *
 * Puts a text of any rule where a parser can see it, in a few bytes, whatever the input
 * is.  Immutable; borrows the minimal texts.  Source: the shortest path from the start rule,
 * Bellman, "On a routing problem", 1958: edges are uses, their lengths what stands beside. */
#ifndef PARE_GRAMMAR_CONTEXT_H
#define PARE_GRAMMAR_CONTEXT_H

#include "base/buffer.h"
#include "grammar/grammar.h"
#include "grammar/minimal.h"

typedef struct pare_contexts {
    const pare_minimal_texts *minimal;
    uint64_t *sizes; /* owned; of each rule: bytes around it; PARE_NO_MINIMUM: not reached */
    pare_index *via; /* owned; of each rule: the use of it that is nearest to the start */
} pare_contexts;

/* From rule `start`.  O(rules * expressions) at worst, a few rounds in practice.
 * Errors: PARE_E_NOMEM; *contexts is all-zero then. */
PARE_CHECK pare_status pare_contexts_init(pare_contexts *contexts,
                                          const pare_minimal_texts *minimal, pare_index start,
                                          pare_error *err);
void pare_contexts_done(pare_contexts *contexts); /* all-zero is a no-op */

/* How the tokens of a text are joined: `needs_space` as in pare_minimal_text. */
typedef struct pare_joining {
    pare_minimal_needs_space needs_space; /* NULL: spaces everywhere */
    void *context;
} pare_joining;

/* A text of a rule, to be put into its context. */
typedef struct pare_context_inner {
    pare_index rule;
    const char *text;
    size_t size; /* bytes */
} pare_context_inner;

/* Appends `inner` with its context on both sides; *begin is where it begins in *text.
 * Errors: PARE_E_NOMEM; PARE_E_LIMIT (the rule is not reached, or more than 1 MiB). */
PARE_CHECK pare_status pare_contexts_text(const pare_contexts *contexts, pare_context_inner inner,
                                          pare_joining joining, pare_buffer *text, size_t *begin,
                                          pare_error *err);

#endif
