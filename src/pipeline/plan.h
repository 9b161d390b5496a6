/* The plan of a reduction: which algorithms run over which units, in which order. */
#ifndef PARE_PIPELINE_PLAN_H
#define PARE_PIPELINE_PLAN_H

#include <pare/algorithm.h>
#include <pare/reduce.h>

#include "base/status.h"
#include "list/algorithm.h"
#include "text/split.h"
#include "tree/table.h"

/* Which trees a tree algorithm is run over. */
typedef enum pare_phase_trees {
    PARE_TREES_ANY,      /* by the language or the grammar, else of brackets */
    PARE_TREES_LANGUAGE, /* by the language; without one the phase is left out */
    PARE_TREES_OTHER     /* by the grammar, else of brackets */
} pare_phase_trees;

/* One phase: a list algorithm over the units of the best text so far, or a tree algorithm
 * over its tree. */
typedef struct pare_phase {
    const pare_list_algorithm *algorithm; /* in the first round; NULL: `tree` is set */
    const pare_list_algorithm *again;     /* in later rounds, where little is left to find */
    const pare_tree_algorithm *tree;
    pare_phase_trees trees;
    const pare_splitter *splitter; /* NULL: bracket groups, level by level */
} pare_phase;

enum { PARE_PLAN_MAX_PHASES = 64 };

typedef struct pare_plan {
    pare_phase phases[PARE_PLAN_MAX_PHASES];
    size_t n_phases;
    bool fixpoint; /* all phases again until a whole round removes nothing */
} pare_plan;

extern const pare_algorithm_info pare_plan_auto;
extern const pare_unit_info pare_plan_bracket;

/* Reads comma-separated names; NULL means the default ("auto"; units by algorithm).
 * Several algorithms run in sequence, each over all units in turn.
 * Errors: PARE_E_ARG (an unknown or empty name, too many phases). */
PARE_CHECK pare_status pare_plan_make(const char *algorithms, const char *units, pare_plan *plan,
                                      pare_error *err);

/* Whether any phase needs trees. */
bool pare_plan_has_trees(const pare_plan *plan);

/* Name of the phase's units. */
const char *pare_phase_unit(const pare_phase *phase);

#endif
