/* Where lists of choices become texts: a generator, its source, and the list being drafted.
 *
 * Shared by the copies of a strategy's state, for nothing in it outlives a call.  Reference-
 * counted, one thread. */
#ifndef PARE_REDUCE_CHOICE_REPLAYER_H
#define PARE_REDUCE_CHOICE_REPLAYER_H

#include "base/buffer.h"
#include "reduce/choice/choices.h"
#include "text/candidate.h"
#include "text/text.h"

typedef struct pare_replayer {
    size_t refs;
    pare_generator generator;
    pare_choices choices; /* its record is that of the last replay */
    pare_buffer text;     /* of the last replay */
    uint64_t *draft;      /* owned; the list that is to be tried */
    size_t n, capacity;
    uint64_t *spare; /* owned; see pare_replayer_fit */
    size_t spare_capacity;
    bool draws; /* what a span lacks is drawn, not 0 */
} pare_replayer;

/* What the reduction stands on: a list, all of it used, and what it makes.  Immutable,
 * reference-counted. */
typedef struct pare_chosen {
    size_t refs;
    uint64_t *list; /* owned */
    size_t n;
    pare_choice_record record;
    pare_text *text; /* one reference */
} pare_chosen;

/* On PARE_OK the caller owns *out, one reference.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_replayer_new(pare_generator generator, pare_replayer **out,
                                         pare_error *err);
pare_replayer *pare_replayer_ref(pare_replayer *replayer);
void pare_replayer_unref(pare_replayer *replayer); /* NULL is a no-op */

/* The draft becomes empty; grows by a part of a list.  Errors: PARE_E_NOMEM. */
void pare_replayer_start(pare_replayer *replayer);
PARE_CHECK pare_status pare_replayer_add(pare_replayer *replayer, const uint64_t *list, size_t n,
                                         pare_error *err);

/* The draft becomes `list`. */
PARE_CHECK pare_status pare_replayer_set(pare_replayer *replayer, const uint64_t *list, size_t n,
                                         pare_error *err);

/* Replays the draft; *made is false when the list ends too early or the generator refuses
 * it.  Errors: PARE_E_IO (the generator cannot be run), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_replayer_run(pare_replayer *replayer, bool *made, pare_error *err);

/* Makes a draft that was changed within span `span` of `chosen`, and not before it, fit what
 * follows that: the generator says where the span ends now; what it does not use is
 * left out, what it lacks is 0, or drawn.  *fits is false when it finds no end.  Costs a replay, no test;
 * of a flat generator nothing, and nothing is to be made fit.
 * `end` is where the span's choices end in the draft.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_replayer_fit(pare_replayer *replayer, const pare_chosen *chosen,
                                         uint32_t span, size_t end, bool *fits, pare_error *err);

/* Fills *candidate (initialised or all-zero) with the text of the last replay, over that of
 * `chosen`.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_replayer_candidate(const pare_replayer *replayer,
                                               const pare_chosen *chosen, pare_candidate *candidate,
                                               pare_error *err);

/* What was replayed last, as something to stand on; with `whole`, with the choices that were
 * not used.  On PARE_OK the caller owns *out, one reference.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT (the text is too large). */
PARE_CHECK pare_status pare_replayer_choose(const pare_replayer *replayer, bool whole,
                                            pare_chosen **out, pare_error *err);
pare_chosen *pare_replayer_chosen_ref(pare_chosen *chosen);
void pare_replayer_chosen_unref(pare_chosen *chosen); /* NULL is a no-op */

#endif
