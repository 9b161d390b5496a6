/* Which algorithms and units there are, as --list-algorithms shows them, and what of them can be
 * set. */
#ifndef PARE_ALGORITHM_H
#define PARE_ALGORITHM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pare_algorithm_info {
    const char *name;    /* as given to --algorithm */
    const char *summary; /* one line: what it does */
    const char *source;  /* paper, seed document or tool */
    bool one_minimal;    /* its result is 1-minimal in its units, or 1-tree-minimal */
    bool on_trees;       /* it reduces a tree, not a list of units */
    bool on_choices;     /* it takes the input's bytes for the choices of a generator */
} pare_algorithm_info;

/* Entry `index` of the table, in the order in which it is shown; NULL after the last.
 * Static. */
PARE_API const pare_algorithm_info *pare_algorithm_at(size_t index);

typedef struct pare_unit_info {
    const char *name, *summary;
} pare_unit_info;

/* Likewise. */
PARE_API const pare_unit_info *pare_unit_at(size_t index);

/* Sets *n to the units "token" of `size_bytes` bytes, white space not counted: what decides
 * between two results of one size.  Errors: PARE_E_NOMEM. */
PARE_API PARE_CHECK pare_status pare_count_tokens(const void *bytes, size_t size_bytes, size_t *n,
                                                  pare_error *err);

/* How much the default does.  NORMAL: until no phase finds anything over the result, which is
 * minimal then.  FAST: each phase is stopped early when it finds little, so nothing is promised: what is left to do
 * seldom removes anything.  MAX: when no phase finds anything,
 * sets of units that stand apart are tried, and what follows from what they find.  Named
 * algorithms do what they do. */
typedef enum pare_effort { PARE_EFFORT_NORMAL, PARE_EFFORT_FAST, PARE_EFFORT_MAX } pare_effort;

/* The knobs of the list family; the zero value of each means "as the algorithm
 * defines it".  Source: Hodován and Kiss, ICSOFT 2016, and the tool Picire. */
typedef enum pare_subsets {
    PARE_SUBSETS_DEFAULT,
    PARE_SUBSETS_FIRST,
    PARE_SUBSETS_LAST,
    PARE_SUBSETS_SKIP
} pare_subsets;
typedef enum pare_order {
    PARE_ORDER_DEFAULT,
    PARE_ORDER_FORWARD,
    PARE_ORDER_BACKWARD,
    PARE_ORDER_RANDOM
} pare_order;
typedef enum pare_split { PARE_SPLIT_DEFAULT, PARE_SPLIT_ZELLER, PARE_SPLIT_BALANCED } pare_split;
typedef enum pare_fixpoint {
    PARE_FIXPOINT_DEFAULT,
    PARE_FIXPOINT_ON,
    PARE_FIXPOINT_OFF
} pare_fixpoint;

#define PARE_GRANULARITY_INF SIZE_MAX

typedef struct pare_list_knobs {
    pare_subsets subsets;
    pare_order order;
    pare_split split;
    pare_fixpoint fixpoint;
    size_t granularity;   /* first number of parts and factor of refinement; 0: default,
                           2 .. ; PARE_GRANULARITY_INF: single units at once */
    uint64_t seed;        /* for PARE_ORDER_RANDOM */
    uint64_t reserved[8]; /* zero; room for later members */
} pare_list_knobs;

/* HDDr's work list: which node is taken from it next, and in which order the children of a
 * node join it.  Source: Hodován and Kiss, A-TEST 2016. */
typedef enum pare_traversal {
    PARE_TRAVERSAL_DEFAULT,      /* the first of these */
    PARE_TRAVERSAL_LAST_FORWARD, /* the youngest; children join as they stand */
    PARE_TRAVERSAL_LAST_BACKWARD,
    PARE_TRAVERSAL_FIRST_FORWARD, /* the oldest */
    PARE_TRAVERSAL_FIRST_BACKWARD
} pare_traversal;

/* Where smaller trees are looked for: GRABR (The Fuzzing Book, GrammarReducer), or perses (BREADTH,
 * after Gopinath's blog on delta debugging). */
typedef enum pare_search {
    PARE_SEARCH_DEFAULT,
    PARE_SEARCH_DEPTH,  /* one level below at a time, the nearest first */
    PARE_SEARCH_ALL,    /* at all levels at once */
    PARE_SEARCH_BREADTH /* those of the node's own symbol, at any depth, the nearest first */
} pare_search;
/* How many trees GRABR makes of an expansion of the grammar. */
typedef enum pare_combinations {
    PARE_COMBINATIONS_DEFAULT,
    PARE_COMBINATIONS_FIRST, /* the first that is smaller */
    PARE_COMBINATIONS_ALL    /* up to 1000 */
} pare_combinations;

/* How tree algorithms and the default read the input, and what tree algorithms do; the zero value
 * of each means "as the algorithm defines it". */
typedef struct pare_tree_options {
    /* By a grammar, or by a language (language.h); without either, or where the language was not
     * added, by brackets. */
    const char *const *grammars; /* paths of ANTLR v4 grammars, with their lexer */
    size_t n_grammars;
    const char *start_rule; /* of the grammar; default: its first parser rule */
    const char *language;   /* "none": by brackets; NULL or "auto": by the input's name */
    /* Stretches of it in other languages, each TOKEN[:REGEX]=FILE[,FILE ...][#RULE] or
     * TOKEN[:REGEX]=lang:NAME; see pare-parse(1), ISLANDS. */
    const char *const *islands;
    size_t n_islands;

    /* What is done to a tree before it is reduced, in this order: comma-separated
     * remove-empty, flatten, squeeze, hide, skip-space; or "none". */
    const char *transforms;
    const char *list; /* name of the list algorithm that minimises lists of nodes, or
                         "halves", the one of perses */
    /* hdd, hddr: each phase is comma-separated steps (prune, coarse, hoist, delete, child),
     * done in a row to each list of nodes, and repeated until it changes nothing. */
    const char *const *phases;
    size_t n_phases;
    pare_traversal traversal;       /* hddr */
    pare_search search;             /* grabr; BREADTH: perses */
    pare_combinations combinations; /* grabr */
    /* gtr: paths of example files, or folders of them: what is never left out, or never
     * stands in a place, in any example that parses, is not tried. */
    const char *const *corpus;
    size_t n_corpus;
    const char *tree;     /* path of the tree of the input, in JSON, in the place of a grammar or a
                         language: docs/guide/own-tree.md; NULL: none.  For an input of one file */
    uint64_t reserved[7]; /* zero; room for later members */
} pare_tree_options;

#ifdef __cplusplus
}
#endif

#endif
