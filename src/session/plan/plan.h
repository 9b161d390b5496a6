/* The plan of a reduction: which algorithms run over which units, in which order. */
#ifndef PARE_SESSION_PLAN_PLAN_H
#define PARE_SESSION_PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include <pare/algorithm.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "reduce/list/algorithms.h"
#include "reduce/passes/pass.h"
#include "reduce/tree/tree_algorithm.h"
#include "session/plan/prior.h"
#include "text/split/split.h"

/* Which trees a tree algorithm is run over. */
typedef enum pare_phase_trees {
    PARE_TREES_ANY,      /* by the language or the grammar, else of brackets */
    PARE_TREES_LANGUAGE, /* by the language; without one the phase is left out */
    PARE_TREES_OTHER     /* by the grammar, else of brackets */
} pare_phase_trees;

typedef enum pare_phase_kind {
    PARE_PHASE_UNITS,      /* a list algorithm over units */
    PARE_PHASE_LEVELS,     /* the same over bracket groups, level by level */
    PARE_PHASE_SCOUT,      /* bisection of the coarsest units there are enough of, in the first
                          round only */
    PARE_PHASE_STRUCTURE,  /* blocks of lines, where no language or grammar is known */
    PARE_PHASE_COVERAGE,   /* what a run of the script does not execute, in the first round only */
    PARE_PHASE_SEMANTIC,   /* what libclang has to offer for C and C++ */
    PARE_PHASE_BINARY,     /* chunks of a binary file, with their lengths corrected */
    PARE_PHASE_DEPENDENCY, /* closed sets of declarations, of large files in the default */
    PARE_PHASE_TABLE,      /* rows and columns, where the text is a table */
    PARE_PHASE_SSA,        /* functions, blocks, instructions, where the text is of these */
    PARE_PHASE_TREE,       /* a tree algorithm */
    PARE_PHASE_PASS,       /* what a pass offers */
    PARE_PHASE_CHOICES,    /* the bytes are choices, or choices were recorded */
    PARE_PHASE_PORTFOLIO,  /* several algorithms side by side */
    PARE_PHASE_OWN         /* an algorithm of the user's over units */
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
    bool coarse;     /* of the default: it is run once, in the plan's order, before all others; of
                        a folder's phases, which have an order of their own, only text_only counts
                        of what is said of coarse ones below */
    bool text_only;  /* coarse: not so in a binary file, which has no lines, words and nests */
    bool once;       /* it is not run again: a first look */
    bool names;      /* PASS: it knows the names of a program */
    bool then_names; /* coarse: if the text is small after it, those passes have a first run */
    bool if_small;   /* coarse: not so in a large text, nor in one that is read by a language.. */
    bool if_read;    /* ..but with this one only where it is */
    bool if_much;    /* coarse: only where one patch, if_read all of them, saves a good part */
    bool patient; /* coarse: twelve tests in vain rather than three end it in a small text that no
                        language reads, because it tries several readings of each place */
    bool persistent; /* PASS, coarse: only where a language or grammar reads the text, and given up
                        after six tests in vain, or after twelve once it was worth its tests */
    bool at_once;    /* PASS, coarse: given up when its first test fails, which is of all patches */
    bool drivers;    /* COVERAGE: what calls the rest goes, too */
    bool after_change;       /* a coarse run: only if the phase before it changed the text */
    bool exhaustive;         /* it tries everything of a kind: with PARE_EFFORT_MAX only */
    const pare_prior *prior; /* of the default, after the coarse ones: what it is expected to earn;
                                NULL: that was not measured */
} pare_phase;

enum { PARE_PLAN_MAX_PHASES = 96 };

typedef struct pare_plan {
    pare_phase phases[PARE_PLAN_MAX_PHASES];
    size_t n_phases;
    bool fixpoint; /* all phases again until a whole round removes nothing */
} pare_plan;

extern const pare_algorithm_info pare_plan_auto, pare_plan_dependency, pare_plan_choices,
    pare_plan_portfolio;
extern const pare_unit_info pare_plan_bracket;

/* Reads comma-separated names; NULL means the default ("auto"; units by algorithm).
 * Several algorithms run in sequence, each over all units in turn.
 * Errors: PARE_E_ARG (an unknown or empty name, too many phases). */
PARE_CHECK pare_status pare_plan_make(const char *algorithms, const char *units, pare_plan *plan,
                                      pare_error *err);

/* A plan for an algorithm of the user's: one phase for each of `units`; NULL: those of list
 * algorithms.  Errors: PARE_E_ARG (an unknown or empty name, too many phases). */
PARE_CHECK pare_status pare_plan_make_own(const char *units, pare_plan *plan, pare_error *err);

/* Whether the invariant holds: there are phases, and each has what its kind needs. */
bool pare_plan_check(const pare_plan *plan);

/* Whether any phase needs trees. */
bool pare_plan_has_trees(const pare_plan *plan);

/* Whether any phase takes the bytes for choices. */
bool pare_plan_has_choices(const pare_plan *plan);

/* Writes what the phase is called while it runs, "" for NULL; `again`: in later rounds. */
void pare_plan_phase_name(const pare_phase *phase, bool again, char name[static 64]);

/* Name of the phase's units. */
const char *pare_plan_unit(const pare_phase *phase);

/* ---- options without effect: what none of the plan's algorithms looks at ---------------- */

/* The options that may be without effect; borrowed. */
typedef struct pare_ignored_options_given {
    const char *units; /* NULL: not given */
    const pare_list_knobs *lists;
    const pare_tree_options *trees;
} pare_ignored_options_given;

/* Writes one sentence that names those without effect to *sentence, or nothing.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_plan_tell_ignored(const pare_ignored_options_given *given,
                                              const pare_plan *plan, const pare_tree_setup *setup,
                                              pare_buffer *sentence, pare_error *err);

/* ---- knobs of the tree algorithms ------------------------------------------------------- */

/* Reads the options' names; templates and expansions are left to who has them.
 * Errors: PARE_E_ARG (an unknown name, too many of them). */
PARE_CHECK pare_status pare_plan_read_setup(const pare_list_knobs *lists,
                                            const pare_tree_options *trees, pare_tree_setup *setup,
                                            pare_error *err);

/* Sets the transformations of `algorithm`, unless the user has named others. */
PARE_CHECK pare_status pare_plan_set_transforms(pare_tree_setup *setup,
                                                const pare_tree_algorithm *algorithm,
                                                pare_error *err);

#endif
