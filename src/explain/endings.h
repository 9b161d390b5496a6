/* Whether variants that fail end in the way that the text itself does: a test script may take more than one. */
#ifndef PARE_EXPLAIN_ENDINGS_H
#define PARE_EXPLAIN_ENDINGS_H

#include <stdint.h>

#include <pare/stop.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "explain/others.h"
#include "explain/parts.h"
#include "run/command.h"
#include "text/text.h"

enum { PARE_ENDINGS_MOST = 6 /* variants that are watched: each is one more run of the test */ };

/* What is run; borrowed. */
typedef struct pare_endings_task {
    const pare_command *test;
    const char *name; /* of the candidate's file, without folders */
    pare_span text;
    const pare_parts *parts;
    const char *
        samples; /* that the parts' samples are in: parts->bytes, which may have been handed over */
    const pare_others *others; /* which samples still fail */
    uint32_t most;             /* variants, PARE_ENDINGS_MOST at most */
    const pare_stop *stop;     /* may be NULL */
} pare_endings_task;

/* What the programs of the test did; all-zero: nothing is known. */
typedef struct pare_endings {
    pare_buffer own;              /* with the text itself: see pare_failing_programs_tell */
    uint32_t n_runs;              /* of the test, all in all */
    uint32_t n_variants, n_other; /* of which it is known, and those that end otherwise */
    size_t part;                  /* the first of these: that part, replaced by */
    uint32_t sample;              /* this sample of it */
    pare_buffer other;            /* what the programs did then */
} pare_endings;

/* Runs the test with the text, and with variants that are known to fail, and watches its programs.  Values are
 * varied first.  It is no test and no claim rests on it: what cannot be found out is left out.
 * *endings is all-zero before, and is to be ended in any case.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_endings_find(const pare_endings_task *task, pare_endings *endings,
                                         pare_error *err);
void pare_endings_done(pare_endings *endings);

/* A variant's text: the part in whose place a sample stands.  Borrowed. */
typedef struct pare_ending_variant {
    pare_span own, sample;
} pare_ending_variant;

/* Whether two endings are the same but for numbers in them, and for the sample where the other has the part's own
 * text. */
bool pare_endings_are_alike(pare_span own, pare_span other, const pare_ending_variant *variant);

#endif
