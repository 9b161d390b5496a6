/* An algorithm of one's own, beside those of <pare/algorithm.h>.
 *
 *     #include <stdio.h>
 *     #include <stdlib.h>
 *
 *     #include <pare/reduce.h>
 *     #include <pare/strategy.h>
 *
 *     struct halves { size_t from, to; pare_unit_range kept; bool rear; };
 *
 *     static pare_status start(void *context, const pare_units *units, void **state, pare_error *err)
 *     {
 *         struct halves *self = calloc(1, sizeof *self);
 *         (void)context, (void)err;
 *         if (!self) return PARE_E_NOMEM;
 *         self->to = units->n;
 *         *state = self;
 *         return PARE_OK;
 *     }
 *
 *     static pare_status next(void *state, bool *done, pare_proposal *proposal, pare_error *err)
 *     {
 *         struct halves *self = state;
 *         size_t middle = self->from + (self->to - self->from) / 2;
 *         (void)err;
 *         *done = middle == self->from;
 *         self->kept = self->rear ? (pare_unit_range){middle, self->to}
 *                                 : (pare_unit_range){self->from, middle};
 *         *proposal = (pare_proposal){.kept = &self->kept, .n_kept = 1};
 *         return PARE_OK;
 *     }
 *
 *     static pare_status tell(void *state, pare_outcome outcome, pare_error *err)
 *     {
 *         struct halves *self = state;
 *         (void)err;
 *         if (outcome == PARE_FAIL) self->from = self->kept.from, self->to = self->kept.to;
 *         if (outcome != PARE_FAIL && self->rear) self->to = self->from;
 *         self->rear = outcome != PARE_FAIL && !self->rear;
 *         return PARE_OK;
 *     }
 *
 *     int main(void)
 *     {
 *         const pare_own_strategy halves = {.start = start, .next = next, .tell = tell, .end = free};
 *         pare_reduce_options options = {
 *             .input.path = "crash.txt", .test.command = "./test.sh", .strategy = &halves};
 *         pare_result result = {0};
 *         pare_error err = {0};
 *         pare_status status = pare_reduce(&options, &result, &err);
 *         if (status) fprintf(stderr, "%s\n", err.message);
 *         pare_result_done(&result);
 *         return status != PARE_OK;
 *     }
 *
 * It proposes candidates and is told what came of them; it runs nothing.  Tests, cache, journal,
 * limits, what is protected, and statistics are those of every algorithm.  Its functions are called
 * by the thread that called pare_reduce. */
#ifndef PARE_STRATEGY_H
#define PARE_STRATEGY_H

#include <stdbool.h>
#include <stddef.h>

#include <pare/outcome.h>
#include <pare/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Units from .. to-1, or bytes from .. to-1; not empty. */
typedef struct pare_unit_range {
    size_t from, to;
} pare_unit_range;

/* What a strategy starts from: the text of one file, and the units that it was cut into.  Units do
 * not overlap and ascend; bytes between them are protected and belong to none. */
typedef struct pare_units {
    const void *text; /* of the file */
    size_t text_bytes;
    const pare_unit_range *units; /* unit i is these bytes of the text */
    size_t n;
} pare_units;

/* One candidate: the units that stay, or another text. */
typedef struct pare_proposal {
    const pare_unit_range *kept; /* numbers of units of the start: ascending, disjoint */
    size_t n_kept;
    const void *text; /* not NULL: the whole file is to be these bytes; `kept` is not looked at */
    size_t text_bytes;
} pare_proposal;

/* What the algorithm is.  An error of any function ends the run with it, and with the best so far;
 * a function that fills in no message is named in the one that the caller gets. */
typedef struct pare_own_strategy {
    void *context; /* handed to `start` */

    /* Makes a state over `units`, which are valid until the state's end.  Called once for each file
     * and kind of units. */
    pare_status (*start)(void *context, const pare_units *units, void **state, pare_error *err);

    /* Fills in *proposal, whose arrays stay valid until the next call of any function, or sets
     * *done: then it is at its end. */
    pare_status (*next)(void *state, bool *done, pare_proposal *proposal, pare_error *err);

    /* The outcome of what `next` gave last: FAIL, PASS or UNRESOLVED. */
    pare_status (*tell)(void *state, pare_outcome outcome, pare_error *err);

    /* May be NULL.  An independent copy, which proposes the same if it is told the same: with one,
     * candidates are tested ahead along predicted outcomes where there are several jobs; without,
     * one after the other.  The steps are the same. */
    pare_status (*copy)(const void *state, void **copy, pare_error *err);

    void (*end)(void *state); /* may be NULL: there is nothing to release */
} pare_own_strategy;

#ifdef __cplusplus
}
#endif

#endif
