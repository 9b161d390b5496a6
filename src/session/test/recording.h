/* A reduction whose input was made by a generator of which the choices were recorded. */
#ifndef PARE_SESSION_TEST_RECORDING_H
#define PARE_SESSION_TEST_RECORDING_H

#include <pare/input.h>
#include <pare/stop.h>

#include "base/buffer.h"
#include "engine/engine.h"
#include "engine/strategy.h"
#include "session/test/external_generator.h"
#include "session/test/session_oracle.h"
#include "text/text.h"

typedef struct pare_recording {
    pare_external_generator *generator; /* owned */
    uint64_t *list; /* owned; the choices of the input, then of what they were reduced to */
    size_t n;
    pare_buffer name; /* of the text: the choices' file without ".choices" */
} pare_recording;

/* Where `options` name a generator and *input is a file of recorded choices: makes their text,
 * which becomes *input, with the name that its file shall have in *options, which then names no
 * generator any more; a run of it has `timeout_ms` (0: 10 s).  Else *out is NULL.  On PARE_OK the
 * caller owns *out.
 * Errors: those of pare_external_generator_open and pare_external_generator_replay, PARE_E_SYNTA
 * (the file), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_recording_open(pare_input_options *options, uint64_t timeout_ms,
                                           pare_text **input, pare_recording **out,
                                           pare_error *err);
void pare_recording_free(pare_recording *recording); /* NULL is a no-op */

/* Tests leave the generator's guard alone. */
void pare_recording_spare(const pare_recording *recording, const pare_session_oracle *oracle);

/* Reduction of the choices.  The generator is stopped at `deadline_ms` (0: never), or when `stop`
 * (may be NULL) is requested.  On PARE_OK the caller owns *out.  Errors: those of
 * pare_choice_reduction_new. */
PARE_CHECK pare_status pare_recording_strategy(pare_recording *recording, const pare_stop *stop,
                                               uint64_t deadline_ms, pare_strategy **out,
                                               pare_error *err);

/* Why the generator was stopped, if it was. */
pare_engine_end pare_recording_stopped(const pare_recording *recording);

/* Keeps the list that the strategy stands on, and writes it to `choices_path` (may be
 * NULL).  Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_recording_take(pare_recording *recording, const pare_strategy *strategy,
                                           const char *choices_path, pare_error *err);

#endif
