/* The plan of a reduction: which algorithms run over which units, in which order. */
#ifndef PARE_SESSION_PLAN_PLAN_H
#define PARE_SESSION_PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include <pare/algorithm.h>

#include "base/fail.h"
#include "reduce/list/algorithms.h"
#include "reduce/passes/pass.h"
#include "reduce/tree/tree_algorithm.h"
#include "text/split/split.h"

/* Which trees a tree algorithm is run over. */
typedef enum pare_phase_trees {
    PARE_TREES_ANY,      /* by the language or the grammar, else of brackets */
    PARE_TREES_LANGUAGE, /* by the language; without one the phase is left out */
    PARE_TREES_OTHER     /* by the grammar, else of brackets */
} pare_phase_trees;

typedef enum pare_phase_kind {
    PARE_PHASE_UNITS,    /* a list algorithm over units */
    PARE_PHASE_LEVELS,   /* the same over bracket groups, level by level */
    PARE_PHASE_SCOUT,    /* bisection of the coarsest units there are enough of, in the first
                          round only */
    PARE_PHASE_TREE,     /* a tree algorithm */
    PARE_PHASE_PASS,     /* what a pass offers */
    PARE_PHASE_CHOICES,  /* the bytes are choices, or choices were recorded */
    PARE_PHASE_PORTFOLIO /* several algorithms side by side */
} pare_phase_kind;

/* One phase over the best text so far. */
typedef struct pare_phase {
    pare_phase_kind kind;
    const pare_list_algorithm *algorithm; /* UNITS, LEVELS: in the first round */
    const pare_list_algorithm *again;     /* in later rounds, where little is left to find */
    const pare_splitter *splitter;        /* UNITS */
    const pare_tree_algorithm *tree;      /* TREE */
    pare_phase_trees trees;               /* TREE */
    const pare_pass *pass;                /* PASS */
    bool coarse;    /* of the default: it is run once, in the plan's order, before all others */
    bool text_only; /* coarse: not so in a binary file, which has no lines, words and nests */
    bool once;      /* it is not run again: a first look */
    double promise; /* of the default, after the coarse ones; prior: share of the text that its
                       first 20 tests are expected to remove */
} pare_phase;

enum { PARE_PLAN_MAX_PHASES = 64 };

typedef struct pare_plan {
    pare_phase phases[PARE_PLAN_MAX_PHASES];
    size_t n_phases;
    bool fixpoint; /* all phases again until a whole round removes nothing */
} pare_plan;

extern const pare_algorithm_info pare_plan_auto, pare_plan_choices, pare_plan_portfolio;
extern const pare_unit_info pare_plan_bracket;

/* Reads comma-separated names; NULL means the default ("auto"; units by algorithm).
 * Several algorithms run in sequence, each over all units in turn.
 * Errors: PARE_E_ARG (an unknown or empty name, too many phases). */
PARE_CHECK pare_status pare_plan_make(const char *algorithms, const char *units, pare_plan *plan,
                                      pare_error *err);

/* Whether the invariant holds: there are phases, and each has what its kind needs. */
bool pare_plan_check(const pare_plan *plan);

/* Whether any phase needs trees. */
bool pare_plan_has_trees(const pare_plan *plan);

/* Whether any phase takes the bytes for choices. */
bool pare_plan_has_choices(const pare_plan *plan);

/* Name of the phase's units. */
const char *pare_plan_unit(const pare_phase *phase);

/* A word of a list in an option, whose words are separated by commas; not terminated, may be
 * empty. */
typedef struct pare_word {
    const char *text;
    size_t size;
} pare_word;

/* Cuts the next word off *list, which is NULL after the last one; false there. */
bool pare_plan_next_word(const char **list, pare_word *word);

bool pare_plan_word_is(pare_word word, const char *text);

#endif
