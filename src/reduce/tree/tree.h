/* The tree that is reduced: nodes over a base text, with what a reducer must know of each.
 *
 * Made from a parse tree, whichever parser made it, and from facts about its symbols that
 * are given through pare_tree_rules: this layer knows neither grammars nor languages.
 * Nodes stand in one array in pre-order, as in the parse tree.  Which nodes are removed
 * or replaced is not written here but in a pare_tree_state (reduce/tree/tree_state.h), so one tree
 * serves every state of a reduction.
 *
 * Immutable, reference-counted, one thread.  Memory: 64 bytes a node. */
#ifndef PARE_REDUCE_TREE_TREE_H
#define PARE_REDUCE_TREE_TREE_H

#include "parse/parse_tree.h"
#include "text/text.h"

/* What a node is: a pare_node_kind and the symbol that belongs to it. */
typedef struct pare_tree_symbol {
    uint32_t kind, symbol;
} pare_tree_symbol;

/* What text to put where two tokens would touch that did not touch before. */
typedef enum pare_tree_joints {
    PARE_JOINTS_SPACED, /* a space between two word-like bytes: letters, digits, _, $, and
                           everything that is not ASCII */
    PARE_JOINTS_PLAIN,  /* nothing: trees over characters, where spaces are nodes */
    PARE_JOINTS_LINES   /* as SPACED, and lines and their indentation keep their meaning: the
                           line end after what goes stays unless all of its line goes and
                           what comes next is indented alike */
} pare_tree_joints;

/* A token of a text that is made for a place.  Tokens of one sort (names, say) may stand
 * for one another; of sort 0 are those whose text is fixed. */
typedef struct pare_tree_piece {
    const char *text; /* the shortest that is known; borrowed */
    uint32_t size, sort;
    char lead; /* stands before it: a space, a line end, or 0: nothing */
} pare_tree_piece;

/* The shortest text of one alternative, token by token. */
typedef struct pare_tree_form {
    const pare_tree_piece *pieces; /* borrowed */
    uint32_t n;
} pare_tree_form;

/* What the language says about the nodes.  Borrowed by the trees made with it; a NULL
 * function, or all-zero rules, mean the default that stands beside it. */
typedef struct pare_tree_rules {
    const void *context; /* handed to the functions */

    /* The shortest text that may stand for `node`: sets *text (borrowed until the tree is
     * made) and *size, or *size to PARE_TREE_NO_TEXT when none is known: then a token keeps
     * its own, and only parts of another node are tried.  Default: nothing, for a token its
     * own text. */
    void (*minimal)(const void *context, const pare_parse_tree *parse, uint32_t node,
                    const char **text, size_t *size);

    /* Whether nothing may stand for `node`.  Default: its minimal text is empty. */
    bool (*deletable)(const void *context, const pare_parse_tree *parse, uint32_t node);

    /* Whether a node that is `offered` may stand where `wanted` is expected, for two
     * different symbols (equal ones always fit).  Default: no. */
    bool (*fits)(const void *context, pare_tree_symbol wanted, pare_tree_symbol offered);

    /* What may stand in the place of `node`, as a symbol that only `fits` understands;
     * equal ones fit each other.  Default: the node's own symbol. */
    pare_tree_symbol (*slot)(const void *context, const pare_parse_tree *parse, uint32_t node);

    /* Sets *forms (borrowed until the next call) to what may stand where `place`, a slot, is:
     * the shortest text of each alternative.  Default: none.  See reduce/passes/alternatives.h. */
    pare_status (*forms)(const void *context, pare_tree_symbol place, const pare_tree_form **forms,
                         size_t *n, pare_error *err);

    /* The sort that a token of a tree has in the forms of `place`, see pare_tree_piece.
     * Default: 0. */
    uint32_t (*sort)(const void *context, pare_tree_symbol place, pare_tree_symbol token);

    /* `alternative` of a RULE node tells which production made it. */
    bool productions;

    /* Strategies are to keep to the language where they would not by themselves: of a plus
     * the first round stays, and GTR asks `deletable` and `fits`. */
    bool strict;

    pare_tree_joints joints;
} pare_tree_rules;

#define PARE_TREE_NO_TEXT SIZE_MAX

enum {
    PARE_TREE_HIDDEN = 1,    /* not to be tried: removing it changes nothing */
    PARE_TREE_DELETABLE = 2, /* nothing may stand for it */
    PARE_TREE_NO_MINIMAL = 4 /* no text is known to stand for it */
};

/* Which of its parent's children a node is, as far as its language tells; what GTR's
 * templates call an edge. */
enum pare_tree_labels {
    PARE_TREE_UNLABELLED = 0,           /* its symbol has to do */
    PARE_TREE_ROUND = 1,                /* a round of a quantifier */
    PARE_TREE_FIRST = 2,                /* + how many of a production's symbols are before it */
    PARE_TREE_QUANTIFIER = (int)1 << 30 /* + the symbol of a quantifier of the production */
};

typedef struct pare_tree_node {
    pare_tree_symbol own;           /* what it is */
    pare_tree_symbol slot;          /* what may stand in its place; differs in squeezed chains */
    uint32_t production;            /* RULE: which one made it; 0 where that is not known */
    uint32_t label;                 /* of its place, see pare_tree_labels */
    uint32_t begin, end;            /* bytes of the base text, from first to last token */
    uint32_t resume;                /* byte up to which a gap goes with it: where the next token
                                       begins (for the last one: end), see pare_tree_joints */
    uint32_t after;                 /* index of the first node not below this one */
    uint32_t parent;                /* PARE_NO_NODE for node 0, the root */
    uint32_t level;                 /* 0 for the root */
    uint32_t n_tokens;              /* leaves with bytes, itself included */
    uint32_t minimal, minimal_size; /* its minimal text: bytes of tree->texts */
    uint16_t flags;
    uint16_t field; /* what its parent calls it, as in the parse tree; 0: nothing */
} pare_tree_node;

typedef struct pare_tree {
    size_t refs;
    const pare_text *text; /* the base; one reference */
    pare_tree_node *nodes; /* owned; at least one */
    uint32_t n_nodes;
    char *texts; /* owned: minimal texts, none stored twice in a row of uses */
    size_t texts_size;
    pare_tree_rules rules;
} pare_tree;

/* The tree of `parse` over `text`, from which it was parsed.  A node that stands directly
 * below an optional, star or plus node is one of its rounds: its minimal text is empty
 * and it is deletable, unless it is the only round of a plus, or with strict rules the
 * first.  (Picireny lets all of them go, which leaves the language.)
 * On PARE_OK the caller owns *out, one reference.
 * Errors: PARE_E_NOMEM, PARE_E_ARG (a tree without nodes). */
PARE_CHECK pare_status pare_tree_new(const pare_parse_tree *parse, const pare_text *text,
                                     const pare_tree_rules *rules, pare_tree **out,
                                     pare_error *err);
pare_tree *pare_tree_ref(pare_tree *tree);
void pare_tree_unref(pare_tree *tree); /* NULL is a no-op */

/* Takes minimal texts back, but for nothing at all, as if the language knew none: nodes have
 * none, and tokens are out of play.  For algorithms that leave nodes out and put no text in:
 * they have fewer places and candidates then.  The caller has the only reference. */
void pare_tree_forget_texts(pare_tree *tree);

/* Whether the byte belongs to words, of which two must not touch: letters, digits, _, $, and
 * everything that is not ASCII.  -1, where a text ends, does not. */
static inline bool pare_tree_is_word_byte(int byte)
{
    if (byte >= 0x80 || byte == '_' || byte == '$') return true;
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
           (byte >= 'A' && byte <= 'Z');
}

/* Whether `node`'s text may stand in the place of `place`.  Nodes without a symbol fit
 * nowhere. */
bool pare_tree_fits(const pare_tree *tree, uint32_t place, uint32_t node);

/* Whether nodes are linked, ordered and counted as described above; for tests. */
bool pare_tree_check(const pare_tree *tree);

#endif
