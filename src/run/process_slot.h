/* A slot of the process oracle: its tests, run by run.  The candidate is written, the program
 * started, its output read, its end heard.  What an end means, and which run comes next, is in
 * process_verdict.h; when a slot is to be looked at, and when its time is over, in process.c.
 *
 * A slot is idle, running, or dying: killed because it was cancelled or has timed out, and
 * waiting for its leader's end.  One thread. */
#ifndef PARE_RUN_PROCESS_SLOT_H
#define PARE_RUN_PROCESS_SLOT_H

#include <pare/stop.h>

#include "base/buffer.h"
#include "os/process_tree.h"
#include "os/sandbox/guard.h"
#include "os/sandbox/sandbox.h"
#include "os/sandbox/slotdir.h"
#include "os/spawn.h"
#include "run/capture.h"
#include "run/command.h"
#include "run/command_files.h"
#include "run/complaints.h"
#include "run/invocation.h"
#include "run/judge.h"
#include "run/launcher.h"
#include "run/oracle.h"
#include "run/runner.h"
#include "run/time_limit.h"
#include "text/candidate.h"
#include "text/layout.h"

typedef enum pare_slot_state {
    PARE_SLOT_IDLE = 0,
    PARE_SLOT_RUNNING,
    PARE_SLOT_DYING
} pare_slot_state;

/* One slot, and what is known of the test in it.  Buffers and captures are kept from test to
 * test; the rest is set anew by start. */
typedef struct pare_process_slot {
    pare_slot_state state;
    bool cancelled, timed_out, flooded; /* why it is dying */
    uint64_t start_ns;                  /* of the run under way */
    uint64_t took_ns;                   /* by that, when it was last heard of */
    uint64_t extended_ns;               /* by which its deadline was extended */
    unsigned n_extensions;
    uint64_t kill_ns;        /* when it was killed */
    pare_launcher *launcher; /* that runs it; borrowed */
    pare_buffer bytes;       /* of the candidate, when it may have to be run again */
    pare_layout_words words; /* of the candidate, where the command line is reduced */
    pare_runner_run first;   /* how the program ran */
    bool has_file;           /* the candidate's; else it is in `bytes` only */
    bool has_copy;           /* `bytes` are the candidate's; else it has its file only */
    bool is_unconfirmed;     /* the program ran in a process that ran others before */
    bool is_doubted;         /* `verdict` is that of a shared process */
    bool is_sample;          /* `verdict` stands; this run is only to be compared */
    bool is_check;           /* `verdict` stands; this run only says what is wrong */
    bool has_more_time;      /* run again after a time-out that may be the machine's fault */
    bool is_watch;           /* this run only shows which compiler the test runs */
    pare_listening listened; /* to what is wrong with the candidate */
    pare_verdict verdict;
    uint64_t spent_ns;    /* by the runs before it */
    size_t content_bytes; /* of the candidate, without frames */
    unsigned n_ended;     /* workers of the user's that ended on it */
    size_t size_bytes;    /* of the candidate */
    pare_trial trial;
    pare_capture out, err;       /* opened when they are first needed; then kept */
    bool captured;               /* the text is wanted, see pare_process_capture_next */
    pare_buffer signature, why;  /* of the last verdict */
    pare_buffer output;          /* likewise, of any failure (pare_judge_any) */
    pare_complaints *complaints; /* owned; of the last test that was listened to; NULL: none was */
} pare_process_slot;

/* What an event of the epoll is about: a slot's number, or one of these. */
enum {
    PARE_EVENT_WAKE = 1 << 26, /* somebody else's: see pare_process_wake */
    PARE_EVENT_OUT = 1 << 28,
    PARE_EVENT_ERR = 1 << 29,
    PARE_EVENT_STOP = 1 << 30
};

enum {
    PARE_PROCESS_CAPTURED_BYTES = 4096, /* see pare_process_captured */
    PARE_PROCESS_OUTPUT_BYTES = 8192    /* pare_verdict.output */
};

/* The oracle; what all tests share. */
typedef struct pare_process_oracle {
    pare_oracle head;
    const pare_command *commands[PARE_N_RUNS]; /* borrowed, as is the judge */
    const pare_command *check;                 /* likewise; NULL: none */
    const pare_command *whole; /* the same for candidates that fail; NULL: none of its own */
    int also_exit_code;        /* see pare_process_options */
    bool finds_check;          /* by watching; until it has been tried */
    bool watch_next;
    pare_command watched;      /* owned; the test while it is watched */
    pare_command found;        /* owned; the check that was found, */
    pare_command found_linked; /* the same with what the linker says, */
    pare_command found_whole;  /* and run to its end, once it was: */
    pare_buffer emitter;       /* owned; a text, with its NUL; empty: none was found */
    bool ran_whole;
    bool links;               /* it makes a program */
    const char *base_name;    /* borrowed; of the candidate */
    pare_listening listens;   /* to tests that start now */
    pare_judge *judge;        /* NULL: a test command */
    const pare_stop *stop;    /* borrowed */
    pare_process_slot *slots; /* owned */
    unsigned n_busy;
    char run_id[PARE_PROCESS_TREE_RUN_ID_BYTES];
    pare_invocation invocation;
    const pare_layout *layout; /* borrowed; NULL: one file */
    pare_names environment;    /* borrowed; of tests, besides ours */
    int output_fd;             /* borrowed; 0: none, see process.h */
    int epoll_fd;
    uint64_t look_ns; /* when the clock was looked at last; 0: never yet */
    uint64_t due_ns;  /* when it was to be looked at again, at the latest */
    pare_spawner spawner;
    pare_guard guard;
    pare_process_tree tree;
    pare_sandbox *sandbox; /* owned */
    pare_runner_state runner;
    pare_dialog_losses workers;
    pare_slotdirs *dirs;
    pare_time_limit limit;
    bool is_busy;         /* the machine is, so that a time-out may be its fault */
    uint64_t load_due_ns; /* when to ask for that again */
    uint64_t most_cpu_us; /* processor time of the longest run that ended by itself */
    pare_command_files
        files; /* of the test; none where changes of them are somebody else's to see */
    bool capture_next;
    char captured[PARE_PROCESS_CAPTURED_BYTES + 1];
} pare_process_oracle;

/* Whether n_busy slots are not idle; O(slots).  For assertions. */
bool pare_process_slot_check(const pare_process_oracle *self);

static inline pare_process_oracle *pare_process_slot_oracle(pare_oracle *oracle)
{
    return (pare_process_oracle *)(void *)oracle;
}

/* Whether tests are run by a worker of the user's. */
static inline bool pare_process_slot_has_worker(const pare_process_oracle *self)
{
    return self->commands[PARE_RUN_PROGRAM]->is_worker;
}

/* Makes room in the invocation for all commands that there are now; before any run, or between
 * two.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_process_slot_make_room(pare_process_oracle *self, pare_error *err);

/* Starts the run's guard, and another one where somebody has ended it; the slot folders have been
 * given their names. Errors: PARE_E_IO; there is none then. */
PARE_CHECK pare_status pare_process_slot_guard(pare_process_oracle *self, pare_error *err);

/* Starts the test of `candidate` in `number`, which must be free; see oracle.h. */
PARE_CHECK pare_status pare_process_slot_start(pare_oracle *oracle, unsigned number,
                                               const pare_candidate *candidate, pare_error *err);

/* Kills the test in `slot`; its end is heard later.  let_go is for a test whose outcome nobody
 * wants any more: its launcher may let it go on if that is cheaper. */
void pare_process_slot_kill(pare_process_oracle *self, unsigned slot);
void pare_process_slot_let_go(pare_process_oracle *self, unsigned slot);

/* Waits for the end of the test in `slot`, which was killed, and frees the slot: no verdict. */
void pare_process_slot_forget(pare_process_oracle *self, unsigned slot);

/* Reads what the run in slot `number` has printed so far; kills one that prints without end. */
void pare_process_slot_hear_output(pare_process_oracle *self, unsigned number,
                                   pare_capture *capture);

/* Hears the test in `slot`.  If its run has *ended, or how it ended is lost with an error, the
 * slot is idle.  Errors: PARE_E_IO. */
PARE_CHECK pare_status pare_process_slot_hear(pare_process_oracle *self, unsigned slot, bool *ended,
                                              pare_ending *ending, pare_error *err);

/* Starts another run in slot `number`, which is idle, on the candidate that it had: the program
 * from the start, by `launcher`; or the command that the trial is at, by a new process.
 * Errors: PARE_E_IO, PARE_E_NOMEM; the slot is free then. */
PARE_CHECK pare_status pare_process_slot_run_again(pare_process_oracle *self, unsigned number,
                                                   pare_launcher *launcher, pare_error *err);
PARE_CHECK pare_status pare_process_slot_run_other(pare_process_oracle *self, unsigned number,
                                                   pare_error *err);

#endif
