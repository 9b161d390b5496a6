/* Alternatives of a node: small texts that the language allows in its place, one for each
 * alternative of the rule that is expected there.
 *
 * The text of an alternative is its minimal one (repeated and optional parts are left out as
 * far as they can be), but for tokens that have no fixed text: names, numbers, strings.
 * There the k-th of its sort takes the text of the k-th token of that sort that stands below
 * the node, or of the last one; without any its own shortest text.  So with
 * `statement: 'if' '(' expr ')' statement | 'return' expr ';' | ';' ;` the node
 * `while (n > 0) n = f(n);` has the alternatives `;`, `return n;` and `if(n);`.
 *
 * How a pass uses it, with the tree of pare_front_end_tree (reduce/syntax/front_end.h):
 *
 *     pare_alternatives found = {0};
 *     pare_alternative_limits limits = {.most = 8};
 *     for (uint32_t node = 0; node < tree->n_nodes && !status; node++) {
 *         status = pare_alternatives_find(tree, node, &limits, &found, err);
 *         for (size_t i = 0; i < found.n && !status; i++)
 *             ... a patch: bytes tree->nodes[node].begin to .end of tree->text, which become
 *                 pare_alternatives_text(&found, i) of found.items[i].size bytes
 *     }
 *     pare_alternatives_done(&found);
 *
 * The texts are proposals: whether one parses in its place, between its neighbours, is for
 * the test to say.  Nothing but tests is spent on a wrong one.
 * Source: Vulcan's sub-tree replacement (Xu, Tian, Zhang, Zhao, Jiang and Sun, "Pushing the
 * limit of 1-minimality of language-agnostic program reduction", OOPSLA 2023), as described
 * for Perses; deviation: which token fills a placeholder when there are several.
 *
 * One thread. */
#ifndef PARE_REDUCE_PASSES_ALTERNATIVES_H
#define PARE_REDUCE_PASSES_ALTERNATIVES_H

#include "base/buffer.h"
#include "reduce/tree/tree.h"

typedef struct pare_alternative_limits {
    size_t most;          /* texts of one node; 0: 8 */
    size_t longest_bytes; /* of a text; 0: as long as the node's own */
    bool shorter;         /* than the node's own, not of equal length */
} pare_alternative_limits;

/* The texts for one node.  All-zero is empty. */
typedef struct pare_alternatives {
    struct pare_alternative {
        uint32_t offset, size; /* bytes; in `bytes` */
    } * items;                 /* owned; shortest first, then in the order of bytes; distinct */
    size_t n, capacity;
    pare_buffer bytes;
} pare_alternatives;

void pare_alternatives_done(pare_alternatives *alternatives);

/* Replaces *found by the alternatives of `node`: none is the text it has, none is longer.
 * Nothing is found for quantifiers and for languages that say nothing (brackets).
 * O(alternatives of its rule + the first 4096 nodes below it), no tests.
 * Errors: PARE_E_NOMEM; *found is then empty. */
PARE_CHECK pare_status pare_alternatives_find(const pare_tree *tree, uint32_t node,
                                              const pare_alternative_limits *limits,
                                              pare_alternatives *found, pare_error *err);

/* The bytes of the index-th one; borrowed until the next call with `found`. */
const char *pare_alternatives_text(const pare_alternatives *found, size_t index);

#endif
