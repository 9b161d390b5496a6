/* What tests candidates: many at a time, each in a slot.
 *
 * The engine starts candidates in free slots, cancels the ones it does not need any
 * more, and waits for the next to end.  An oracle knows nothing of algorithms, and
 * its implementations are interchangeable: test commands (process.h), in-process
 * predicates (predicate.h), simulated ones in the tests.  One thread. */
#ifndef PARE_RUN_ORACLE_H
#define PARE_RUN_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#include <pare/outcome.h>

#include "base/fail.h"
#include "text/candidate.h"

typedef struct pare_oracle pare_oracle;

/* What a test did to itself or to us besides its outcome, as far as it is known: a set of these. */
enum {
    PARE_HARM_FLOOD = 1 << 0,  /* printed without end, and was ended (run/capture.h) */
    PARE_HARM_FOLDER = 1 << 1, /* removed its input, or the folder that it ran in */
    PARE_HARM_KILLED = 1 << 2, /* SIGKILL ended it, and it was not ours */
    PARE_HARM_MEMORY = 1 << 3, /* took as much memory as it may */
    PARE_HARM_CPU = 1 << 4,    /* took as much CPU time as it may */
    PARE_HARM_FILE = 1 << 5,   /* wrote a file as large as it may */
    PARE_HARM_LEFT = 1 << 6,   /* ended by itself while processes that it had started went on */
    PARE_HARM_LATE = 1 << 7,   /* did not end in time, and that is no failure that is looked for */
    PARE_HARM_N = 8
};

/* What came of one test. */
typedef struct pare_verdict {
    unsigned slot;
    bool cancelled; /* it was cancelled: no outcome; only the slot is free again */
    pare_outcome outcome;
    double duration_ms;
    double start_ms; /* what starting it took on another machine; 0: it ran here, or is not known */
    int exit_code;   /* -1: no exit code (signal, or not a process) */
    int signal;      /* 0: none */
    bool timed_out;
    /* Borrowed until the slot is started again; NULL: nothing to say. */
    const char
        *signature;  /* of another failure than the one that is kept, or the one learnt, or any */
    const char *why; /* not FAIL: one sentence on what is missing */
    const char *output; /* FAIL, where any failure is looked for: the last lines printed */
    unsigned harm;      /* where any failure is looked for: PARE_HARM_..., else 0 */
    unsigned n_left;    /* processes that were left (os/process_tree.h) */
    const struct pare_complaints *complaints; /* listened to; NULL: it said nothing
                                                 from which one could tell */
    double check_ms;                          /* that finding those out took; 0: no time */
} pare_verdict;

typedef enum pare_wait {
    PARE_WAIT_VERDICT,    /* *verdict is set */
    PARE_WAIT_TIMEOUT,    /* the time given to wait is over */
    PARE_WAIT_INTERRUPTED /* a stop was requested */
} pare_wait;

/* Of which tests it is wanted what they complain of (complaints.h). */
typedef enum pare_listening {
    PARE_LISTEN_NOT,
    PARE_LISTEN_PASSES, /* whose outcome is not FAIL: what is wrong with the candidate */
    PARE_LISTEN_ALL     /* of those that fail, too: where the program was */
} pare_listening;

typedef struct pare_oracle_ops {
    /* Starts a test of `candidate` in `slot`, which must be free.  The candidate's
     * bytes are taken during the call.  Errors: PARE_E_IO (the test cannot be
     * started, the candidate cannot be written), PARE_E_NOMEM; the slot stays free. */
    pare_status (*start)(pare_oracle *oracle, unsigned slot, const pare_candidate *candidate,
                         pare_error *err);

    /* Gives up the test in `slot`; its verdict still comes, with `cancelled` set (or
     * an outcome, if it had ended before). */
    void (*cancel)(pare_oracle *oracle, unsigned slot);

    /* Waits until a test ends, at most `timeout_ms` (negative: for ever), or until a
     * stop is requested.  Each started test gives exactly one verdict.
     * Errors: PARE_E_IO. */
    pare_status (*wait)(pare_oracle *oracle, int64_t timeout_ms, pare_wait *what,
                        pare_verdict *verdict, pare_error *err);

    void (*destroy)(pare_oracle *oracle); /* ends what is still running */

    /* Which tests that are started from now on are to say what is wrong with their candidate.
     * False: it cannot tell, and nothing changed.  NULL: the same. */
    bool (*listen)(pare_oracle *oracle, pare_listening listens);

    /* The test that is started next is watched, to find out how its program can be made to say
     * what is wrong with a candidate; its outcome means nothing.  It is to be of the input, or
     * another text that fails.  False: there is nothing to find out.  NULL: the same. */
    bool (*watch)(pare_oracle *oracle);

    /* A command for a shell, found by watching, that prints of which places of the candidate "$1" a compiler makes
     * code (compiler_line.h).  NULL: there is none.  It is valid as long as the oracle.  NULL: the same. */
    const char *(*emitter)(const pare_oracle *oracle);
} pare_oracle_ops;

/* The head of every implementation. */
struct pare_oracle {
    const pare_oracle_ops *ops;
    unsigned n_slots;
    unsigned n_useful; /* slots worth filling now, which may change with each wait; 0: all */
    unsigned n_here;   /* of these, those whose tests take a process of this machine; 0: all */
    bool is_elsewhere; /* the test that was started last takes none of its processes */
};

/* Waits for the next verdict however long that takes.  Errors: PARE_E_IO, PARE_E_INTERRUPTED (a stop was requested). */
static inline pare_status pare_oracle_await(pare_oracle *oracle, pare_verdict *verdict,
                                            pare_error *err)
{
    pare_wait what = PARE_WAIT_TIMEOUT;
    pare_status status = PARE_OK;
    while (!status && what == PARE_WAIT_TIMEOUT)
        status = oracle->ops->wait(oracle, -1, &what, verdict, err);
    if (!status && what == PARE_WAIT_INTERRUPTED)
        status = pare_fail(err, PARE_E_INTERRUPTED, "interrupted");
    return status;
}

static inline void pare_oracle_free(pare_oracle *oracle)
{
    if (oracle) oracle->ops->destroy(oracle);
}

#endif
