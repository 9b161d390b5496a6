/* The store of a campaign: its findings, jobs, statistics and events.
 *
 * One file of SQLite.  Any number of processes may have it open; a change is seen by the others
 * at once.  A kill at any instant loses nothing that a function had returned PARE_OK for.
 * A handle is one thread's.  Times are milliseconds since 1970. */
#ifndef PARE_FINDINGS_H
#define PARE_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pare_store pare_store;

/* Opens the store at `path`; with `create` it is made when it is missing, and an older one is
 * brought to the current schema.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_IO (missing, not readable), PARE_E_CORRUPT (damaged, or no store), PARE_E_BUSY
 * (locked for longer than 10 s), PARE_E_UNSUPPORTED (of a later version; built without campaigns),
 * PARE_E_NOMEM.  All functions below may give these too. */
PARE_API PARE_CHECK pare_status pare_store_open(const char *path, bool create, pare_store **out,
                                                pare_error *err);
PARE_API void pare_store_close(pare_store *store); /* NULL is a no-op */

/* A number that differs from the last one whenever another process has changed the store. */
PARE_API PARE_CHECK pare_status pare_store_version(pare_store *store, uint64_t *version,
                                                   pare_error *err);

/* ---- findings ---- */

enum { PARE_FINDING_MEMBERS = 16 }; /* of each finding whose contents are kept */

typedef enum pare_finding_state {
    PARE_FINDING_NEW,
    PARE_FINDING_REDUCED,
    PARE_FINDING_REPORTED,  /* at `url` */
    PARE_FINDING_FIXED,     /* was not there any more with version `gone_version` */
    PARE_FINDING_REGRESSED, /* was fixed, and is there again */
    PARE_FINDING_INVALID,   /* its input does not show it (any more, with the same version) */
    PARE_FINDING_MERGED,    /* is the same as finding `merged_into` */
    PARE_FINDING_N_STATES
} pare_finding_state;

/* "new", "reduced", ...; static. */
PARE_API const char *pare_finding_state_name(pare_finding_state state);
PARE_API bool pare_finding_state_find(const char *name, pare_finding_state *state);

/* Texts are borrowed: valid during a visit, or until pare_finding_done.  No text is NULL. */
typedef struct pare_finding {
    int64_t id; /* from 1 */
    pare_finding_state state;
    const char *target, *source; /* the source that found it first */
    const char *identity;        /* what makes it this finding: a signature without what varies */
    const char *signature;       /* of its first member, as it was seen */
    const char *title;           /* one line for people */
    const char *version, *gone_version; /* of the target, first seen with; fixed with; or "" */
    const char *first_bad;              /* found by bisection; or "" */
    const char *url, *note;             /* the tracker's; the user's; or "" */
    const char *explanation;            /* what of the reduced input matters; or "" */
    const char *output;                 /* the last lines that the target printed */
    int64_t config;                     /* number of the configuration's version */
    uint64_t count;                     /* how often it was seen, all members */
    int64_t first_seen, last_seen, validated; /* 0: never */
    int64_t merged_into;                      /* 0: none */
    char input[33], reduced[33];              /* digests of contents; reduced may be "" */
    size_t input_bytes, reduced_bytes;
    uint64_t fails, runs; /* how often its input fails, where that was measured; runs 0: not */
    bool pinned;          /* it is kept apart by hand: duplicates of it are not merged */
} pare_finding;

typedef enum pare_finding_order {
    PARE_BY_ID,
    PARE_BY_FIRST_SEEN,
    PARE_BY_LAST_SEEN,
    PARE_BY_COUNT,
    PARE_BY_SIZE,
    PARE_BY_STATE,
    PARE_BY_TARGET
} pare_finding_order;

/* All-zero: all of them but merged ones. */
typedef struct pare_finding_filter {
    uint32_t states; /* bit set, 1 << state; 0: all but merged */
    const char *target, *source;
    const char *search; /* text in the identity, title, note or output; regardless of case */
    pare_finding_order order;
    bool descending;
    uint64_t offset, limit; /* limit 0: all */
} pare_finding_filter;

/* What a visit returns other than PARE_OK ends the visits with that. */
typedef pare_status (*pare_finding_visit)(void *context, const pare_finding *finding,
                                          pare_error *err);
PARE_API PARE_CHECK pare_status pare_store_findings(pare_store *store,
                                                    const pare_finding_filter *filter,
                                                    pare_finding_visit visit, void *context,
                                                    pare_error *err);
PARE_API PARE_CHECK pare_status pare_store_count_findings(pare_store *store,
                                                          const pare_finding_filter *filter,
                                                          uint64_t *n, pare_error *err);

/* One of them; *finding is to be done.  Errors: PARE_E_STATE (there is none of this number). */
PARE_API PARE_CHECK pare_status pare_store_finding(pare_store *store, int64_t id,
                                                   pare_finding *finding, pare_error *err);
PARE_API void pare_finding_done(pare_finding *finding);

/* The bytes of a content by its digest; the caller releases them by free().
 * Errors: PARE_E_STATE (it is not kept). */
PARE_API PARE_CHECK pare_status pare_store_content(pare_store *store, const char *digest,
                                                   unsigned char **bytes, size_t *size,
                                                   pare_error *err);

/* An input that showed a finding.  Those that are counted only are not visited. */
typedef struct pare_finding_member {
    char digest[33];
    size_t bytes;
    const char *signature, *source, *version;
    int64_t config, seen;
    uint64_t count;
} pare_finding_member;
typedef pare_status (*pare_member_visit)(void *context, const pare_finding_member *member,
                                         pare_error *err);
PARE_API PARE_CHECK pare_status pare_store_members(pare_store *store, int64_t id,
                                                   pare_member_visit visit, void *context,
                                                   pare_error *err);

/* ---- what users do with findings; each is an event too ---- */

typedef struct pare_finding_edit {
    const char *note, *url, *title; /* NULL: as it is */
    bool set_state;
    pare_finding_state state;
} pare_finding_edit;
PARE_API PARE_CHECK pare_status pare_store_edit(pare_store *store, int64_t id,
                                                const pare_finding_edit *edit, pare_error *err);

/* `id` becomes a part of `into`, or a finding of its own again (and stays one: `pinned`). */
PARE_API PARE_CHECK pare_status pare_store_merge(pare_store *store, int64_t id, int64_t into,
                                                 pare_error *err);
PARE_API PARE_CHECK pare_status pare_store_split(pare_store *store, int64_t id, pare_error *err);

/* Forgets a finding, with its members and jobs. */
PARE_API PARE_CHECK pare_status pare_store_delete(pare_store *store, int64_t id, pare_error *err);

/* ---- jobs ---- */

typedef enum pare_job_kind {
    PARE_JOB_FUZZ,
    PARE_JOB_REDUCE,
    PARE_JOB_VALIDATE,
    PARE_JOB_UPDATE,
    PARE_JOB_BISECT,
    PARE_JOB_REPORT,
    PARE_JOB_N_KINDS
} pare_job_kind;

typedef enum pare_job_state {
    PARE_JOB_WAITING,
    PARE_JOB_RUNNING,
    PARE_JOB_PAUSED,
    PARE_JOB_DONE,
    PARE_JOB_FAILED,
    PARE_JOB_CANCELLED,
    PARE_JOB_N_STATES
} pare_job_state;

PARE_API const char *pare_job_kind_name(pare_job_kind kind);    /* "fuzz", ...; static */
PARE_API const char *pare_job_state_name(pare_job_state state); /* "waiting", ...; static */

typedef struct pare_job {
    int64_t id;
    pare_job_kind kind;
    pare_job_state state;
    int64_t finding;                 /* 0: none */
    const char *target, *source;     /* or "" */
    const char *detail;              /* REPORT: where to; BISECT: the list; else "" */
    const char *progress;            /* one line on how far it is, or what came of it */
    unsigned cost;                   /* slots */
    int priority;                    /* higher is sooner; what users ask for has 10, the rest 0 */
    int64_t created, started, ended; /* 0: not yet */
    double done;                     /* share, 0 .. 1; below 0: not known */
    uint64_t tests;
} pare_job;
typedef pare_status (*pare_job_visit)(void *context, const pare_job *job, pare_error *err);

/* Those that wait or run, in their order; with `all` also the ended ones, the newest first. */
PARE_API PARE_CHECK pare_status pare_store_jobs(pare_store *store, bool all, uint64_t limit,
                                                pare_job_visit visit, void *context,
                                                pare_error *err);

/* Asks for a job; one of the same kind for the same finding that still waits is moved to the front
 * instead.  The coordinator starts it; without one nothing happens until there is one, or
 * pare_campaign_do_job is called. */
PARE_API PARE_CHECK pare_status pare_store_request(pare_store *store, pare_job_kind kind,
                                                   int64_t finding, const char *detail, int64_t *id,
                                                   pare_error *err);
/* Asks for an end, a pause, or to go on; the coordinator does it.  All at once with id 0: fuzzing
 * as a whole is paused. */
PARE_API PARE_CHECK pare_status pare_store_cancel(pare_store *store, int64_t id, pare_error *err);
PARE_API PARE_CHECK pare_status pare_store_pause(pare_store *store, int64_t id, bool pause,
                                                 pare_error *err);

/* Whether fuzzing as a whole is paused, whoever asked for it and whether a coordinator runs. */
PARE_API PARE_CHECK pare_status pare_store_is_paused(pare_store *store, bool *paused,
                                                     pare_error *err);

/* Whether a coordinator runs now, and since when it does. */
PARE_API PARE_CHECK pare_status pare_store_is_running(pare_store *store, bool *running,
                                                      int64_t *since, pare_error *err);

/* Workers on other machines that are at jobs of the campaign now, and how many slots they have. */
PARE_API PARE_CHECK pare_status pare_store_workers(pare_store *store, unsigned *n_workers,
                                                   unsigned *n_slots, pare_error *err);

/* ---- statistics ---- */

/* Of one source on one target with one version of the configuration. */
typedef struct pare_store_statistics {
    const char *source, *target;
    int64_t config;
    uint64_t tests, failures; /* failures: tests that showed a finding */
    uint64_t findings;        /* that it was the first to show */
    uint64_t unique_now;      /* of those, neither merged nor invalid */
    uint64_t edges;           /* that it was the first to reach, where the target tells */
    double testing_s, making_s;
    int64_t first, last; /* time of the first and the last test */
    double tests_per_s;  /* in the last minute in which it ran */
} pare_store_statistics;
typedef pare_status (*pare_statistics_visit)(void *context, const pare_store_statistics *statistics,
                                             pare_error *err);
PARE_API PARE_CHECK pare_status pare_store_statistics_each(pare_store *store,
                                                           pare_statistics_visit visit,
                                                           void *context, pare_error *err);

/* What tests of a target did to themselves or to us besides their outcome: they were killed, printed
 * without end, used up their memory...  None of it is a finding. */
typedef struct pare_store_harm {
    const char *target;
    const char *kind; /* "killed", "flood", "memory", "cpu", "file", "folder", "left", "late" */
    const char *what; /* "was ended by SIGKILL": the target is its subject */
    uint64_t tests;   /* since the beginning, by all sources */
} pare_store_harm;
typedef pare_status (*pare_harm_visit)(void *context, const pare_store_harm *harm, pare_error *err);

/* Of one target, or (NULL) of all; kinds that have not been met are left out. */
PARE_API PARE_CHECK pare_status pare_store_harm_each(pare_store *store, const char *target,
                                                     pare_harm_visit visit, void *context,
                                                     pare_error *err);

/* Over time: sums of all sources of one target ("": of all), in at most `n_points` points. */
typedef struct pare_store_point {
    int64_t time;                              /* its end */
    uint64_t tests, failures, findings, edges; /* since the beginning */
} pare_store_point;
PARE_API PARE_CHECK pare_status pare_store_curve(pare_store *store, const char *target,
                                                 size_t n_points, pare_store_point *points,
                                                 size_t *n, pare_error *err);

/* The text of a version of the configuration; released by free(). */
PARE_API PARE_CHECK pare_status pare_store_config(pare_store *store, int64_t config, char **text,
                                                  pare_error *err);

/* ---- events ---- */

/* "new", "reduced", "validated", "fixed", "regressed", "invalid", "merged", "split", "reported",
 * "edited", "updated", "job" (started, ended), "log" (a sentence for the user), "trouble" (the
 * same, something is wrong). */
typedef struct pare_store_event {
    int64_t id; /* rises */
    int64_t time;
    const char *kind;
    int64_t finding, job; /* 0: none */
    const char *text;     /* one sentence */
} pare_store_event;
typedef pare_status (*pare_event_visit)(void *context, const pare_store_event *event,
                                        pare_error *err);

/* Those after event `after`, of one finding or (0) of all; with `last` only so many, the newest
 * (0: all). */
PARE_API PARE_CHECK pare_status pare_store_events(pare_store *store, int64_t after, int64_t finding,
                                                  uint64_t last, pare_event_visit visit,
                                                  void *context, pare_error *err);

/* ---- to other stores ---- */

/* Writes findings (ids; n 0: all) as JSON lines into FOLDER/findings.jsonl, with their contents as
 * files of the folder, or reads them, merged by target and identity.
 * Errors: PARE_E_SYNTAX (says the line), PARE_E_IO. */
PARE_API PARE_CHECK pare_status pare_store_export(pare_store *store, const int64_t *ids, size_t n,
                                                  const char *folder, pare_error *err);
PARE_API PARE_CHECK pare_status pare_store_import(pare_store *store, const char *folder,
                                                  uint64_t *n_new, uint64_t *n_known,
                                                  pare_error *err);

#ifdef __cplusplus
}
#endif

#endif
