/* A generator: a function of its choices. */
#ifndef PARE_REDUCE_CHOICE_GENERATOR_H
#define PARE_REDUCE_CHOICE_GENERATOR_H

#include "base/buffer.h"
#include "reduce/choice/choices.h"

typedef struct pare_generator {
    void *self; /* passed to `run`; may hold scratch memory, but nothing that a later run sees */

    /* Begins no run of `choices` (the caller has), asks it, appends what it made to *text.
     * The same answers give the same text.  Errors: those of pare_choices_next; *text may
     * hold a part then.  PARE_E_IO: the run itself could not be made. */
    pare_status (*run)(void *self, pare_choices *choices, pare_buffer *text, pare_error *err);

    /* Whether there is no time left for runs, or a stop is asked for; NULL: runs take no
     * time.  Once it is, it stays. */
    bool (*stopped)(void *self);

    /* Whether what a choice is changes nothing about the ones behind it. */
    bool flat;
} pare_generator;

#endif
