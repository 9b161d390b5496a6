/* Learns from a corpus how often each alternative is taken and each quantifier is repeated, and
 * which texts tokens have in each rule.
 *
 * Parse trees are gone through rule by rule.  A tree says which alternative of a rule was taken;
 * choices within a rule are found by matching the children of its node against its body, the first
 * way that fits.  From a tree with errors, the rest of the tree is still learned.
 * Source: Generinator:RATS, which learns which children, attributes and values occur (HTML,
 * CSS, SVG); Grammarinator's weights are the form of what is learnt; its parse tool rebuilds
 * decisions by matching, too.  Linear in the trees.  One thread. */
#ifndef PARE_GENERATE_WEIGHT_LEARNING_H
#define PARE_GENERATE_WEIGHT_LEARNING_H

#include "base/buffer.h"
#include "grammar/grammar.h"
#include "parse/parse_tree.h"

enum { PARE_WEIGHT_LEARNING_LEAF_BYTES = 1000 }; /* longer texts are not kept */

typedef struct pare_weight_learning pare_weight_learning;

/* `grammar` is borrowed.  On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_weight_learning_new(const pare_grammar *grammar,
                                                pare_weight_learning **out, pare_error *err);
void pare_weight_learning_free(pare_weight_learning *learning); /* NULL is a no-op */

/* Learns from a tree of `text` that the grammar's parser made.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_weight_learning_take(pare_weight_learning *learning,
                                                 const pare_parse_tree *tree, const char *text,
                                                 pare_error *err);

/* Appends it as JSON, as generate/weights.h reads it: counts are weights, up to `max_leaves` of
 * the most frequent texts of each token in each rule, in order of the grammar.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_weight_learning_write(const pare_weight_learning *learning,
                                                  size_t max_leaves, pare_buffer *json,
                                                  pare_error *err);

#endif
