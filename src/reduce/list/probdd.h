/* What ProbDD and CDD keep: units with a rank each, as runs of neighbours that have the same one.
 *
 * The probabilistic algorithms rank units by how likely they are needed and leave out
 * the least likely ones together.  Ranks change for whole candidates at a time, so few
 * runs stand for many units: all costs here are in the number of runs, which grows by
 * at most two a test.
 *
 * A copy by memcpy must be retained; the array is shared until written to. */
#ifndef PARE_REDUCE_LIST_PROBDD_H
#define PARE_REDUCE_LIST_PROBDD_H

#include "base/shared.h"
#include "reduce/list/algorithms.h"

/* All-zero is empty; pare_probdd_runs_release. */
typedef struct pare_runs {
    pare_shared *shared; /* of struct run, see probdd.c */
    size_t n_runs;
} pare_runs;

/* The units of the lowest ranks: all whose rank is below `rank`, and of those that have
 * it the ones numbered from .. to-1, counted from the first. */
typedef struct pare_lowest {
    double rank;
    size_t from, to;
    size_t size; /* units in all; 0: none */
} pare_lowest;

typedef enum pare_side { PARE_SIDE_FIRST, PARE_SIDE_LAST } pare_side;

/* How many units may be taken together when the next one has `rank`; `before` is the
 * answer for the rank below it, 0 at the first. */
typedef size_t (*pare_runs_limit)(double rank, size_t before);

/* The rank that follows `rank`, given a number that belongs to the test. */
typedef double (*pare_runs_raised)(double rank, double by);

/* Makes n units of one rank.  Errors: PARE_E_NOMEM; *runs is empty then. */
PARE_CHECK pare_status pare_probdd_runs_start(pare_runs *runs, size_t n, double rank,
                                              pare_error *err);
void pare_probdd_runs_retain(pare_runs *runs);
void pare_probdd_runs_release(pare_runs *runs);

/* Takes units by rising rank while the limit lets it; where it takes some of a rank, it
 * takes those on `side`.  Units of infinite rank are never taken. */
pare_lowest pare_probdd_runs_choose(const pare_runs *runs, pare_runs_limit limit, pare_side side);

/* Calls the chosen ones by position.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_probdd_runs_edit(const pare_runs *runs, const pare_lowest *lowest,
                                             pare_edit *edit, pare_error *err);

/* Takes the chosen units out.  Errors: PARE_E_NOMEM; all is as before. */
PARE_CHECK pare_status pare_probdd_runs_drop(pare_runs *runs, const pare_lowest *lowest,
                                             pare_error *err);

/* Gives each chosen unit the rank raised(its rank, by).  Errors: PARE_E_NOMEM; all is as
 * before. */
PARE_CHECK pare_status pare_probdd_runs_raise(pare_runs *runs, const pare_lowest *lowest,
                                              pare_runs_raised raised, double by, pare_error *err);

/* True when no run is empty, neighbours differ in rank and there are n units. */
bool pare_probdd_runs_check(const pare_runs *runs, size_t n);

#endif
