/* The oracle that a session's options ask for, whichever kind it is. */
#ifndef PARE_SESSION_TEST_SESSION_ORACLE_H
#define PARE_SESSION_TEST_SESSION_ORACLE_H

#include <pare/input.h>
#include <pare/keep.h>
#include <pare/stop.h>
#include <pare/test.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "run/command.h"
#include "run/diagnostic.h"
#include "run/judge.h"
#include "run/oracle.h"
#include "run/remote/remote.h"
#include "session/test/message_locale.h"
#include "text/layout.h"

/* What an oracle is made of; borrowed as long as it lives. */
typedef struct pare_session_oracle_options {
    const pare_input_options *input; /* the name and the mode of the candidate's file */
    const pare_test_options *test;
    const pare_keep *keep;
    const pare_layout *layout; /* of several files; NULL: one */
    bool has_marks;            /* "@@" in the words of a test command is the candidate's path */
    bool holds_files;          /* a file of the test that changes is an error (run/process.h) */
    unsigned jobs;             /* 0: the default */
    pare_stop *stop;           /* may be NULL */
    pare_any_failure any;      /* of a program: what is looked for where nothing is to be kept */
} pare_session_oracle_options;

/* A test command's oracle, a program's, or a predicate's. */
typedef struct pare_session_oracle {
    pare_session_oracle_options asked;
    pare_oracle *oracle;                /* owned, unless `remote` or `repeat` has it */
    pare_oracle *remote;                /* owned, unless `repeat` has it; around `oracle`, for tests
                                           on other machines; NULL: none */
    pare_oracle *repeat;                /* owned; around these, for failures that come by chance;
                                    NULL: every test is one run */
    pare_command *command;              /* owned; NULL: a predicate */
    pare_command *other, *valid;        /* owned; of a program; may be NULL */
    pare_command *check;                /* owned; says what is wrong with a candidate; or NULL */
    pare_judge *judge;                  /* owned; NULL: not a program */
    pare_message_locale locale;         /* the language that a program is asked for */
    pare_buffer name;                   /* what the candidate's file is called */
    pare_buffer signature;              /* text of the failure kept; empty: none */
    bool is_learnt;                     /* that text, in this run */
    pare_buffer exact;                  /* what the problem in it is with the names of the input;
                                           empty: none was learnt */
    size_t named;                       /* the line that it names; 0: none was learnt */
    pare_diagnostics offered;           /* problems of which the user has to name one; else none */
    void (*waiting)(void *waiting_for); /* called now and then while the first runs go on, before
                                           there is an engine; NULL: nobody wants to know */
    void *waiting_for;
    bool has_words; /* words of the program are reduced, so it is spawned anew */
    char lost[400]; /* why there are no workers, though they were asked for; "": there are, or they
                       were not */
    bool is_loss_told;
    struct pare_programs
        *programs;    /* owned; that the test calls, where it is shared with workers */
    pare_buffer told; /* the last notice of pare_travel_notice */
} pare_session_oracle;

/* Makes the oracle that `options` ask for.
 * Errors: PARE_E_ARG (no test, or two; jobs out of range), and those of the oracles. */
PARE_CHECK pare_status pare_session_oracle_open(const pare_session_oracle_options *options,
                                                pare_session_oracle *out, pare_error *err);

/* The one that the engine is to use; borrowed. */
static inline pare_oracle *pare_session_oracle_outer(const pare_session_oracle *oracle)
{
    if (oracle->repeat) return oracle->repeat;
    return oracle->remote ? oracle->remote : oracle->oracle;
}

/* What is to be told of workers on other machines, one sentence after the other; NULL: nothing. */
const char *pare_session_oracle_remote_notice(pare_session_oracle *oracle);

/* What workers on other machines do; all-zero: none were asked for. */
pare_remote_counts pare_session_oracle_workers(const pare_session_oracle *oracle);

/* The failure comes by chance: outcomes are not shared with runs of other machines. */
void pare_session_oracle_doubt(const pare_session_oracle *oracle);

void pare_session_oracle_close(pare_session_oracle *oracle);

/* What the test is, to notice that it changed: the command, the files that it names, the
 * time-out given, what it may see and use.  All-zero for a predicate. */
pare_digest pare_session_oracle_identity(const pare_session_oracle *oracle);

/* Adds to a test's identity what of the system its tests can reach: the sandbox, the network, and
 * the paths that are written to and visible. */
pare_digest pare_session_oracle_identify_reach(const pare_safety *safety, pare_digest digest);

/* Limit for one test, in force now; 0: none. */
uint64_t pare_session_oracle_timeout_ms(const pare_session_oracle *oracle);
void pare_session_oracle_set_timeout(pare_session_oracle *oracle, uint64_t timeout_ms);

/* Whether the next tests have the time that a first one has, whatever was learned: those of the
 * input itself, which are run to know its failure.  A limit of the user's stays.  patient_ms is that
 * time; 0: there is no limit. */
void pare_session_oracle_be_patient(pare_session_oracle *oracle, bool patient);
uint64_t pare_session_oracle_patient_ms(const pare_session_oracle *oracle);

/* Fixes the addresses of tests, or lays them out at random again.  False, and nothing is
 * changed: the user has said which, or it is not possible. */
bool pare_session_oracle_fix_addresses(pare_session_oracle *oracle, bool fixed);

/* What of the system is not protected although it was to be, one sentence; NULL: nothing,
 * as far as is known after the first test. */
const char *pare_session_oracle_notice(const pare_session_oracle *oracle);

/* Whether that is a warning: tests are less isolated than they were to be. */
bool pare_session_oracle_is_degraded(const pare_session_oracle *oracle);

/* What was to be told of a worker of the user's, one sentence; NULL: nothing yet. */
const char *pare_session_oracle_worker_notice(const pare_session_oracle *oracle);

/* How tests are run now, and why so; AUTO for a predicate. */
pare_runner pare_session_oracle_runner(const pare_session_oracle *oracle, const char **reason);

/* What holds for the tests, as far as is known after the first. */
pare_safety pare_session_oracle_safety(const pare_session_oracle *oracle);

/* Keeps the last lines that the next test prints. */
void pare_session_oracle_capture(pare_session_oracle *oracle);

/* What that test printed, once it has ended, as pare_process_captured; NULL for a predicate. */
const char *pare_session_oracle_captured(const pare_session_oracle *oracle);

/* Whether the test can know the candidate: false for a shell's text in which neither its
 * path nor its name nor a pattern occurs. */
bool pare_session_oracle_sees_candidate(const pare_session_oracle *oracle);

/* The command as it would be run on the input, and what the captured test printed last; the
 * caller owns both.  Both stay NULL for a predicate.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_session_oracle_describe(const pare_session_oracle *oracle,
                                                    char **command, char **output, pare_error *err);

#endif
