/* The processes of jobs: each is `pare fuzz job STORE N`, with a session of its own.
 *
 * A job's process dies when the coordinator does, however that ends.  One thread. */
#ifndef PARE_CAMPAIGN_JOB_PROCESS_H
#define PARE_CAMPAIGN_JOB_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include <pare/findings.h>

#include "base/fail.h"
#include "os/spawn.h"

/* What makes them. */
typedef struct pare_job_processes {
    pare_spawner spawner;
    char *program;   /* owned; absolute path of pare */
    char *store;     /* owned; path of the store */
    int wake_fds[2]; /* owned; the jobs write a byte to [1] whenever the store has changed */
    int log_fd;      /* owned; what they print to standard error: STORE.work/jobs.log */
} pare_job_processes;

typedef enum pare_job_told {
    PARE_TOLD_NOTHING,
    PARE_TOLD_TO_END, /* the campaign ends, or fuzzing is paused as a whole */
    PARE_TOLD_TO_CANCEL,
    PARE_TOLD_TO_PAUSE
} pare_job_told;

typedef struct pare_job_process {
    int64_t id;
    pare_job_kind kind;
    unsigned cost;
    size_t pair;                  /* FUZZ: its pair in the schedule; else SIZE_MAX */
    uint64_t started_ms, told_ms; /* pare_clock_ms */
    pare_job_told told;
    uint64_t tests; /* FUZZ: that it may make; 0: no limit */
    pare_child child;
} pare_job_process;

/* `program`: NULL is the running program, if its name begins with pare, else pare in PATH.
 * *processes is to be done in any case.  Errors: PARE_E_STATE (no program), PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_job_processes_init(pare_job_processes *processes, const char *store,
                                               const char *program, pare_error *err);
void pare_job_processes_done(pare_job_processes *processes);

/* Takes all bytes that jobs have written. */
void pare_job_processes_drain(const pare_job_processes *processes);

/* Starts the process of job process->id.  Errors: PARE_E_IO. */
PARE_CHECK pare_status pare_job_process_start(pare_job_processes *processes,
                                              pare_job_process *process, pare_error *err);

/* Asks it to write how far it is, and to end.  The first reason stays. */
void pare_job_process_tell(pare_job_process *process, pare_job_told what);

void pare_job_process_kill(pare_job_process *process);

/* Waits for a process that has ended, or was killed; says in `how` how it ended unless it was by
 * itself with an exit code of pare's ("was killed by signal 11"); else `how` is "". */
enum { PARE_JOB_PROCESS_HOW_BYTES = 64 };
void pare_job_process_reap(pare_job_process *process, char how[static PARE_JOB_PROCESS_HOW_BYTES]);

#endif
