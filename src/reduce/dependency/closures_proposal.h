/* The state of the strategy over a dependency graph, and what it proposes in each stage.  For closures.c alone,
 * which says what the stages are for and when each begins. */
#ifndef PARE_REDUCE_DEPENDENCY_CLOSURES_PROPOSAL_H
#define PARE_REDUCE_DEPENDENCY_CLOSURES_PROPOSAL_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"
#include "base/shared.h"
#include "engine/strategy.h"
#include "parse/parse_tree.h"
#include "reduce/dependency/deletions.h"
#include "reduce/dependency/dependency_graph.h"
#include "reduce/dependency/descent.h"
#include "reduce/dependency/levels.h"
#include "reduce/dependency/repairs.h"
#include "reduce/dependency/suspects.h"

enum {
    PARE_CLOSURES_MOST_ROOTS = 128, /* a failure that has more is not for this strategy */
    PARE_CLOSURES_MOST_NEEDED = 8,  /* units of the program; more are found one by one as fast */
    PARE_CLOSURES_MOST_SEEDS = 2 * PARE_CLOSURES_MOST_ROOTS, /* of FIRST */
    PARE_CLOSURES_DELETE_SHARE = 400 /* less than this part of the bytes is no gain of a deletion */
};

static_assert(PARE_CLOSURES_MOST_ROOTS >= PARE_SUSPECTS_MOST + PARE_SUSPECTS_MOST_USERS &&
                  PARE_CLOSURES_MOST_ROOTS >= PARE_SUSPECTS_MOST + PARE_DESCENT_EXTRAS,
              "all suspects with what is added to them can be roots");

enum pare_closures_stage {
    PARE_CLOSURES_ASK,
    PARE_CLOSURES_SUSPECTS,
    PARE_CLOSURES_USERS,
    PARE_CLOSURES_FIRST,
    PARE_CLOSURES_REAR,
    PARE_CLOSURES_ROOTS,
    PARE_CLOSURES_SEARCH,
    PARE_CLOSURES_CHANCE,
    PARE_CLOSURES_UNITS,
    PARE_CLOSURES_MAIN,
    PARE_CLOSURES_BARE,
    PARE_CLOSURES_LEVELS,
    PARE_CLOSURES_PLAIN,
    PARE_CLOSURES_DELETE,
    PARE_CLOSURES_DONE
};

/* UNITS: whether what is needed is tried alone. */
enum pare_closures_alone {
    PARE_CLOSURES_NOT_ALONE,
    PARE_CLOSURES_WITH_BESIDE, /* but for statements that are beside it */
    PARE_CLOSURES_ALONE
};

/* The strategy's state. */
struct pare_closures {
    pare_strategy head;
    pare_dependency *graph; /* one reference */
    enum pare_closures_stage stage;
    bool runs;             /* only programs that run are of use: bodies stay glued at first */
    bool bodies;           /* they are glued to their functions */
    bool layout;           /* objects keep what libraries know of them */
    bool first_failed;     /* stage FIRST: what the last node uses fails */
    bool rooted;           /* what is left is the closure of the roots */
    bool narrow;           /* closures of suspects are without `beside` */
    bool compiles;         /* the proposal was listened to, and does */
    bool alone_compiles;   /* a closure of the suspects alone compiled, and did not fail */
    bool suspects_compile; /* their closure with all bodies did, and did not fail */
    bool wide_failed;      /* and did not fail so, but did with it */
    pare_shared *beside;   /* bits: statements that lead to no suspect; NULL: there are none */
    pare_shared *within;   /* bits: what is left, and fails */
    size_t bytes, bytes_at_start; /* of its text, and of all */
    size_t bytes_at_entry;        /* the same when the stage began, */
    unsigned n_tests;             /* and tests since then */
    pare_shared *proposed;        /* bits; NULL: to be made */
    size_t proposed_bytes;
    pare_shared *order; /* of uint32_t: nodes that the stage goes through */
    size_t n_order;
    size_t low, high; /* SEARCH: prefixes known not to fail, and to fail; REAR: high is the
                               prefix at hand */
    bool around;      /* SEARCH: around the program's own items, which are roots; */
    size_t n_near;    /* so many nodes of the order are near what the roots need */
    enum pare_closures_alone alone;             /* UNITS: whether what is needed is tried alone */
    uint32_t needed[PARE_CLOSURES_MOST_NEEDED]; /* units without which nothing fails */
    size_t n_needed;
    unsigned n_vain;  /* tests in a row that gained nothing, of this stage */
    unsigned n_first; /* tests before the first that gained anything; mended tries only where the
                         text is small */
    bool pays;        /* one has */
    bool deletes;     /* a deletion has */
    bool chanced;     /* CHANCE was there, or is; */
    bool early;       /* before the search */
    bool mains; /* MAIN was there, or is: the roots are nodes of the file that was preprocessed; */
    bool spent; /* and there is nothing left to choose */
    bool asked; /* a compiler was heard of the text as it is, */
    bool bare_first;  /* and BARE is there before MAIN */
    bool plain;       /* PLAIN was there, */
    bool pragmas;     /* and without pragmas it did not fail */
    uint32_t program; /* the function that a program begins with, or PARE_NO_NODE; */
    bool held;        /* and deletions know it */
    bool has_entry;   /* it is known where the program starts: */
    size_t n_entry;   /* so many nodes of the order from the rear, and what always stays */
    pare_levels levels;
    pare_shared
        *main_items; /* of uint32_t: what may go by itself of the file that was preprocessed; */
    pare_shared *emitted;  /* bits: bodies of which there is code; NULL: that is not known */
    pare_shared *compiled; /* bits: these, and what may be evaluated while compiling */
    bool lean;             /* no other bodies are kept */
    bool strict;           /* nor those that are only evaluated */
    size_t n_main_items;   /* 0 where that is not known, or they are too many */
    uint32_t roots[PARE_CLOSURES_MOST_ROOTS];
    size_t n_roots;
    pare_suspects suspects;
    pare_deletions deletions;
    pare_descent descent; /* CHANCE */
    pare_repairs repairs;
};

static inline const pare_dependency_bits *pare_closures_within(const struct pare_closures *self)
{
    return pare_shared_items(self->within);
}

static inline const uint32_t *pare_closures_order(const struct pare_closures *self)
{
    return pare_shared_items(self->order);
}

/* Whether it is known that only programs are of use that can be linked, and what such a one begins with. */
static inline bool pare_closures_is_linked(const struct pare_closures *self)
{
    return self->repairs.linked && self->program != PARE_NO_NODE;
}

/* What every closure is made with. */
pare_dependency_query pare_closures_query(const struct pare_closures *self);

/* The suspects that are roots of a program without what is unused: it cannot fail without them.  0: too many. */
size_t pare_closures_n_beside_first(const struct pare_closures *self);

/* The prefix tried next: what is near, as a whole, before any part of it or of the rest. */
static inline size_t pare_closures_middle(const struct pare_closures *self)
{
    if (self->low < self->n_near && self->n_near < self->high) return self->n_near;
    return self->low + (self->high - self->low) / 2;
}

/* Writes what FIRST is the closure of, and returns how many there are. */
size_t pare_closures_proposal_seeds(const struct pare_closures *self,
                                    uint32_t out[static PARE_CLOSURES_MOST_SEEDS]);

/* closures_around.c has these three.  Adds what a program that is linked begins with to the roots, unless it is one, or
 * there is no room. */
void pare_closures_around_add_program(struct pare_closures *self);

/* Sets the roots to what is the program itself: the items of the file that was
 * preprocessed, as far as they are known, and what a program that is linked begins with; false: neither is known. */
bool pare_closures_around_take_program(struct pare_closures *self);

/* Sets the order to what is outside of `base`, a set, or of the closure of the roots (NULL): the nearest first.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_closures_around_order(struct pare_closures *self,
                                                  const pare_dependency_bits *base,
                                                  pare_error *err);

/* closures_patience.c has all of these.  How many tests in a row may gain nothing in the stage at hand. */
unsigned pare_closures_patience(const struct pare_closures *self);

/* Whether lists and trees reduce what is left as fast. */
bool pare_closures_patience_is_small(const struct pare_closures *self);

/* Whether so many tests in all have gained nothing that the stages before CHANCE are over, and which stage is next then. */
bool pare_closures_patience_is_over(const struct pare_closures *self);
enum pare_closures_stage pare_closures_patience_next(const struct pare_closures *self);

/* Whether deletions remove less than they ought to: of the wide closure, so that the narrow one may have been passed over
 * by chance; or of any, where nothing was drawn yet. */
bool pare_closures_patience_is_slow(const struct pare_closures *self);
bool pare_closures_patience_doubts(const struct pare_closures *self);

/* Begins a stage; closures.c has it.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_closures_enter(struct pare_closures *self,
                                           enum pare_closures_stage stage, pare_error *err);

/* closures_units.c has all of these.  Sets the order to the units of the program that are left and can go without any that
 * is known to be needed; none where they are too many.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_closures_units_find(struct pare_closures *self, pare_error *err);

/* Makes of `kept`, which is empty, what is left without the units after the middle, or without all.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_closures_units_propose(const struct pare_closures *self,
                                                   pare_dependency_bits *kept, pare_error *err);

/* Takes the outcome; *anew: units are to be looked for anew, for what is tried alone next.  True: it is over. */
bool pare_closures_units_tell(struct pare_closures *self, bool failed, bool *anew);

/* Whether BARE could leave out no body any more. */
bool pare_closures_units_is_bare(const struct pare_closures *self);

/* Begins UNITS, or goes on with what is left after a unit was found; with nothing to go through, ends it.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_closures_units_enter(struct pare_closures *self, bool first,
                                                 pare_error *err);
PARE_CHECK pare_status pare_closures_units_end(struct pare_closures *self, pare_error *err);

/* The roots are the program, and fail with all that they need: begins what finds out which part of it is needed.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_closures_units_reduce_program(struct pare_closures *self,
                                                          pare_error *err);

/* Makes the proposal of the stage at hand: self->proposed and its bytes.  Deletions of which less is expected than a
 * test is worth end their stage (with DONE or, in MAIN, with `spent`), and what was made is not to be proposed.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_closures_propose(struct pare_closures *self, pare_error *err);

/* Sets self->program.  closures_start.c has these three. */
void pare_closures_find_program(struct pare_closures *self);

/* Sets self->main_items, if they are not too many to be roots with the suspects: else MAIN is left out.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_closures_find_main_items(struct pare_closures *self, pare_error *err);

/* Sets self->compiled by `n` places that ascend, at least one.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_closures_find_emitted(struct pare_closures *self, const size_t *places,
                                                  size_t n, pare_error *err);

/* Begins the descent at what is left, or at the suspects' closure.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_closures_begin_descent(struct pare_closures *self, pare_error *err);

#endif
