/* Which failure of a program is kept: learnt from its first runs on the input, or known from
 * before. */
#ifndef PARE_SESSION_TEST_LEARN_SIGNATURE_H
#define PARE_SESSION_TEST_LEARN_SIGNATURE_H

#include <pare/keep.h>

#include "base/buffer.h"
#include "run/diagnostic.h"
#include "run/judge.h"
#include "run/oracle.h"
#include "run/signature.h"
#include "session/test/message_locale.h"
#include "session/test/session_oracle.h"
#include "text/text.h"

enum { PARE_LEARN_RUNS = 4 }; /* failing ones, at most; the check of the input comes after them */

/* Who learns, and of what; all borrowed. */
typedef struct pare_learning {
    pare_oracle *oracle;
    pare_judge *judge; /* the oracle's */
    const pare_text *input;
    const char *input_name; /* of the candidate's file, without folders */
    const char *hang_line;  /* the command line that keeps a hang, to be told of */
    const pare_keep *keep;  /* how much has to stay */
    pare_buffer *exact;     /* gets the problem that is kept, with its names; may be NULL */
    size_t *named;          /* gets the number of the line that it names, or 0; may be NULL */
    uint64_t timeout_ms;    /* of a run, to be told of */
    const pare_message_locale *locale;  /* their language, to be told of */
    void (*waiting)(void *waiting_for); /* called now and then while a run goes on; may be NULL */
    void *waiting_for;
} pare_learning;

/* Runs the program on the input until two runs show the same, and makes what all runs have in
 * common *signature, which the judge requires from then on: how it ended; a crash with what
 * was said about it; else the problem that it reports (run/diagnostic.h): an exception that
 * ended it, the only error, the only warning, or the one that keep->message names.
 * Cost: 2 tests, up to PARE_LEARN_RUNS where runs differ; 3 when it does not fail; those of
 * the runs that do not fail more, when it fails by chance.
 * Errors: PARE_E_STATE (the program does not fail in a way that can be told, or each time
 * in another way: the sentence says what was seen, and what would name it; or it reports
 * several problems, which are then in *offered, else empty; *signature is how it ended, if
 * that is known), PARE_E_INTERRUPTED, those of the oracle; PARE_E_NOMEM. */
PARE_CHECK pare_status pare_learn_signature(const pare_learning *learning,
                                            pare_signature *signature, pare_diagnostics *offered,
                                            pare_error *err);

/* Sees to it that the judge of a program knows what to keep: takes the signature from its
 * file, else, when nothing is named, the one that `journal_dir` holds for outcomes on
 * `input`, else learns it, and keeps it in the file that was asked for.  Nothing to do for
 * others.  Cost: that of pare_learn_signature.
 * Errors: those of pare_learn_signature; PARE_E_IO, PARE_E_SYNTAX (the file). */
PARE_CHECK pare_status pare_learn_signature_choose(pare_session_oracle *oracle,
                                                   const char *journal_dir, const pare_text *input,
                                                   pare_error *err);

/* Keeps the signature beside the journal, or takes it away; nothing without one. */
PARE_CHECK pare_status pare_learn_signature_keep(const pare_session_oracle *oracle,
                                                 const char *journal_dir, pare_error *err);
void pare_learn_signature_drop(const pare_session_oracle *oracle, const char *journal_dir);

#endif
