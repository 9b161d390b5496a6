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

#include <pare/stop.h>

#include "base/buffer.h"
#include "engine/engine.h"
#include "reduce/choice/choices.h"

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

/* Appends the text of `list` to *text, having made it twice.
 * Errors: PARE_E_STATE (it makes none, or another one the second time), PARE_E_IO,
 * PARE_E_NOMEM. */
PARE_CHECK pare_status pare_external_generator_replay(pare_external_generator *generator,
                                                      const uint64_t *list, size_t n,
                                                      pare_buffer *text, pare_error *err);

/* As a generator; borrows `generator`.  From `deadline_ms` on (0: never) or when `stop` (may be
 * NULL) is requested it is stopped. */
pare_generator pare_external_generator_as_generator(pare_external_generator *generator,
                                                    const pare_stop *stop, uint64_t deadline_ms);

/* Why the generator was stopped; PARE_END_DONE: it was not. */
pare_engine_end pare_external_generator_stopped(const pare_external_generator *generator);

/* A child of ours that is no test. */
pid_t pare_external_generator_guard(const pare_external_generator *generator);

#endif
