/* When the search over closures leaves a stage, or ends: how many tests in a row may gain nothing.
 *
 * Each stage has a patience of its own, by what else there is to do.  What others do better is left early: lists and
 * trees take a small text apart as fast, and of a program that is run closures are wrong more often.  Where without
 * success all of the text is left, more is worth it.
 * Source: ours; the numbers were measured (docs/lab/dependency.md). */
#include "reduce/dependency/closures_proposal.h"

#include "reduce/dependency/dependency.h"

enum {
    PATIENCE = 16,              /* in one stage of closures */
    DELETE_PATIENCE = 20,       /* the same for deletions: lists remove what is left as fast; */
    SMALL_DELETE_PATIENCE = 40, /* of few nodes most are tried */
    MAIN_PATIENCE = 3,          /* the same of the file that was preprocessed alone, after a gain */
    AROUND_PATIENCE = 40,       /* of the search around a program: else all of the text is left */
    UNITS_PATIENCE = 10,        /* of the bisection of the program: what one unit takes */
    SMALL_BYTES = 4096,         /* a text that goes as fast by its tree */
    CHANCE_PATIENCE = 50,       /* where all else was in vain; one in ten is to fail */
    GUESS_PATIENCE = 30,        /* the same where it is a guess that chance decides */
    SLOW_DELETIONS = 10,        /* deletions after which a third ought to have gone */
    ALL_PATIENCE = 20,          /* tests, if none of them has gained anything, */
    RUNS_PATIENCE = 10,         /* where no compiler says what lacks, or it said where it was */
    RUNS_DELETE_PATIENCE = 6,   /* deletions in a row of a program that is run, before one pays; */
    RUNS_SMALL_SHARE = 10       /* of less than this part no more than one: lists remove as much */
};

/* Whether lists and trees reduce what is left as fast: then this strategy has little patience. */
bool pare_closures_patience_is_small(const struct pare_closures *self)
{
    return self->bytes < SMALL_BYTES;
}

/* Tests in a row that may gain nothing in the stage.  What others do better, as lists for a
 * program that is run and small by now, is left early; a small text of which most nodes can be
 * tried is given more. */
unsigned pare_closures_patience(const struct pare_closures *self)
{
    const bool lists = self->bytes < self->bytes_at_start / RUNS_SMALL_SHARE &&
                       !pare_dependency_is_checked(self->graph); /* lists break what is checked */
    switch (self->stage) {
    case PARE_CLOSURES_DELETE:
        if (!self->pays) return RUNS_PATIENCE;
        if (self->runs && !self->deletes) return lists ? 1 : RUNS_DELETE_PATIENCE;
        return pare_closures_patience_is_small(self) ? SMALL_DELETE_PATIENCE : DELETE_PATIENCE;
    case PARE_CLOSURES_MAIN: return self->deletes ? MAIN_PATIENCE : 2 * MAIN_PATIENCE;
    case PARE_CLOSURES_CHANCE:
        return self->early || self->wide_failed ? GUESS_PATIENCE : CHANCE_PATIENCE;
    case PARE_CLOSURES_UNITS: return UNITS_PATIENCE;
    case PARE_CLOSURES_ROOTS:
    case PARE_CLOSURES_SEARCH: return self->around ? AROUND_PATIENCE : PATIENCE;
    default: return PATIENCE;
    }
}

/* What is left to try once the search is over.  A small text whose suspects are not enough is
 * not for this one; without any suspects deletions may do.  Of a large one chance may decide, if
 * there are suspects and that was not tried yet. */
enum pare_closures_stage pare_closures_patience_next(const struct pare_closures *self)
{
    if (pare_closures_patience_is_small(self))
        return self->suspects.n ? PARE_CLOSURES_DONE : PARE_CLOSURES_DELETE;
    return self->suspects.n && !self->chanced ? PARE_CLOSURES_CHANCE : PARE_CLOSURES_DONE;
}

/* Whether so many tests, from the start on, have gained nothing that the search is over.  Stages
 * from CHANCE on have bounds of their own. */
bool pare_closures_patience_is_over(const struct pare_closures *self)
{
    const bool told = pare_closures_patience_is_small(self) && self->suspects.n;
    const unsigned most = self->runs || told ? RUNS_PATIENCE : ALL_PATIENCE;
    return !self->pays && self->n_first >= most && self->stage < PARE_CLOSURES_CHANCE &&
           !self->around;
}

/* Whether deletions are in vain that ought not to be: a closure of suspects holds more than is needed. */
bool pare_closures_patience_doubts(const struct pare_closures *self)
{
    return self->rooted && !self->deletes && !self->chanced && self->suspects.n &&
           !pare_closures_patience_is_small(self);
}

/* Whether the narrow closure may have been passed over by chance: after SLOW_DELETIONS less than
 * a third of the wide one has gone. */
bool pare_closures_patience_is_slow(const struct pare_closures *self)
{
    return self->stage == PARE_CLOSURES_DELETE && self->wide_failed && !self->chanced &&
           !pare_closures_patience_is_small(self) && self->n_tests >= SLOW_DELETIONS &&
           self->bytes > self->bytes_at_entry / 3 * 2;
}
