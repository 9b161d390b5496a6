/* A generator that is another program, recorded and replayed by its randomness.
 *
 * It is a generator as ours are (reduce/choice/choices.h): a list of choices in, a text and its
 * record out, with the calls of its functions as spans.  So what reduces choices makes
 * candidates of it that are its own texts.  A run of it is no test: it is what a parser is to
 * trees, and costs time, but nothing of the budget of tests.  What the last runs made is
 * remembered, for the engine asks a strategy and its copies for the same candidate more than
 * once.  One thread. */
#ifndef PARE_SESSION_TEST_EXTERNAL_GENERATOR_H
#define PARE_SESSION_TEST_EXTERNAL_GENERATOR_H

#include <sys/types.h>

#include <pare/input.h>
#include <pare/stop.h>
#include <pare/sync.h>

#include "base/buffer.h"
#include "engine/engine.h"
#include "engine/strategy.h"
#include "reduce/choice/choices.h"
#include "session/test/session_oracle.h"
#include "text/text.h"

typedef struct pare_external_generator pare_external_generator;

/* How it is run. */
typedef struct pare_external_generator_options {
    const char *command; /* a command line, as a test is; or: */
    const char *const *words;
    size_t n_words;
    uint64_t timeout_ms; /* of each run; 0: 10 s */
} pare_external_generator_options;

/* On PARE_OK the caller owns *out.  Errors: those of pare_command_init; PARE_E_UNSUPPORTED
 * (linked statically, or set-user-ID: nothing can be preloaded), those of
 * pare_recorder_new. */
PARE_CHECK pare_status pare_external_generator_open(const pare_external_generator_options *options,
                                                    pare_external_generator **out, pare_error *err);
void pare_external_generator_free(pare_external_generator *generator); /* NULL is a no-op */

/* Runs it with its own randomness.  Appends what it prints to *text; on PARE_OK the caller owns
 * *list.  Errors: PARE_E_STATE (it fails, does not end, asks for no randomness that can be
 * seen, or for too much), PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_external_generator_record(pare_external_generator *generator,
                                                      pare_buffer *text, uint64_t **list, size_t *n,
                                                      pare_error *err);

/* As a generator; borrows `generator`.  From `deadline_ms` on (0: never) or when `stop` (may be
 * NULL) is requested it is stopped. */
pare_generator pare_external_generator_as_generator(pare_external_generator *generator,
                                                    const pare_stop *stop, uint64_t deadline_ms);

/* The input of a reduction, made by a generator of which the choices were recorded. */
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
 * Errors: those of pare_external_generator_open; PARE_E_STATE (the generator makes no text of them,
 * or another one each time), PARE_E_SYNTAX
 * (the file), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_external_generator_open_recording(pare_input_options *options,
                                                              uint64_t timeout_ms,
                                                              pare_text **input,
                                                              pare_recording **out,
                                                              pare_error *err);
void pare_external_generator_free_recording(pare_recording *recording); /* NULL is a no-op */

/* From now on what the generator makes is kept in the journal's directory (NULL: nowhere), and what
 * is there need not be made again.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_external_generator_keep_made(pare_recording *recording,
                                                         const char *journal_dir, pare_sync sync,
                                                         pare_error *err);

/* Has tests leave the generator's guard, a child of ours, alone. */
void pare_external_generator_spare(const pare_recording *recording,
                                   const pare_session_oracle *oracle);

/* Makes the strategy that reduces the choices.  The generator is stopped at `deadline_ms` (0: never), or when `stop`
 * (may be NULL) is requested.  On PARE_OK the caller owns *out.  Errors: those of
 * pare_choice_reduction_new. */
PARE_CHECK pare_status pare_external_generator_strategy(pare_recording *recording,
                                                        const pare_stop *stop, uint64_t deadline_ms,
                                                        pare_strategy **out, pare_error *err);

/* Why the generator was stopped, if it was. */
pare_engine_end pare_external_generator_recording_stopped(const pare_recording *recording);

/* Keeps the list that the strategy stands on, and writes it to `choices_path` (may be
 * NULL).  Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_external_generator_take(pare_recording *recording,
                                                    const pare_strategy *strategy,
                                                    const char *choices_path, pare_error *err);

#endif
