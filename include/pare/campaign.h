/* Campaigns: inputs are made, programs run on them, and what fails becomes findings.
 *
 *     #include <stdio.h>
 *
 *     #include <pare/campaign.h>
 *
 *     int main(void)
 *     {
 *         static const char *const paths[] = {"jq.ini"};
 *         const pare_campaign_options options = {.paths = paths, .n_paths = 1};
 *         pare_campaign_run_options run = {.max_time_ms = 60000};
 *         pare_campaign_summary summary = {0};
 *         pare_campaign *campaign = NULL;
 *         pare_error err = {0};
 *         pare_status status = pare_campaign_read(&options, &campaign, &err);
 *         if (!status) status = pare_campaign_run(campaign, &run, &summary, &err);
 *         if (status) fprintf(stderr, "%s\n", err.message);
 *         pare_campaign_free(campaign);
 *         return status != PARE_OK;
 *     }
 *
 * A campaign is described by files of sections (docs/guide/fuzz.md): what the targets are, where
 * inputs come from, what is done with findings.  Findings are in a store (findings.h), which any
 * number of processes may read while the campaign goes on. */
#ifndef PARE_CAMPAIGN_H
#define PARE_CAMPAIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/status.h>
#include <pare/stop.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the configuration ---- */

/* Either paths, or `from` and a program. */
typedef struct pare_campaign_options {
    size_t struct_bytes;      /* 0, or its sizeof; see <pare/pare.h>, "Versions" */
    const char *const *paths; /* merged from left to right: a later file counts */
    size_t n_paths;
    const char *const *settings; /* "SECTION:OPTION=VALUE"; count more than the files */
    size_t n_settings;
    const char *from;           /* without a file: a source, "grammar:JSON.g4", "lang:json",
                                    "graph:G.json", "graph" (explored at the start), "model:web",
                                    "folder:GLOB", "command:CMD", "afl:SEEDS", "random" */
    const char *const *program; /* and a target, with "@@" as in pare_test_options.program */
    size_t n_program;
    const char *store; /* path; NULL: the option of the file, or NAME.pare.db beside it */
} pare_campaign_options;

typedef struct pare_campaign pare_campaign; /* a configuration; immutable, threads may share it */

/* One option of a section, as it counts. */
typedef struct pare_campaign_setting {
    const char *section; /* "target jq" */
    const char *option, *value;
    const char *origin; /* "jq.ini:7", "-D", "default"; what it is there for is in the guide */
} pare_campaign_setting;

/* On PARE_OK the caller owns *out.  Errors: PARE_E_SYNTAX (a file is wrong: says where, and for
 * a wrong key which was meant), PARE_E_ARG (a setting, `from`), PARE_E_IO, PARE_E_NOMEM,
 * PARE_E_UNSUPPORTED (built without campaigns). */
PARE_API PARE_CHECK pare_status pare_campaign_read_sized(const pare_campaign_options *options,
                                                         size_t options_bytes, pare_campaign **out,
                                                         pare_error *err);
static inline PARE_CHECK pare_status pare_campaign_read(const pare_campaign_options *options,
                                                        pare_campaign **out, pare_error *err)
{
    return pare_campaign_read_sized(options, sizeof *options, out, err);
}
PARE_API void pare_campaign_free(pare_campaign *campaign); /* NULL is a no-op */

/* All options that count, section by section; those that were not given as their defaults.
 * Borrowed from the campaign; NULL beyond the last. */
PARE_API const pare_campaign_setting *pare_campaign_setting_at(const pare_campaign *campaign,
                                                               size_t i);

/* The text of one file that stands for all of it: what `pare fuzz check` prints; borrowed. */
PARE_API const char *pare_campaign_text(const pare_campaign *campaign);

/* Absolute path of the store; borrowed. */
PARE_API const char *pare_campaign_store_path(const pare_campaign *campaign);

/* Runs the first target on an empty input: where a sanitizer complains and lets it go on, *setting is
 * the one ("target NAME:ignore_lines=...", see pare_campaign_options.settings) with which these
 * complaints hide no others; else NULL.  Released by free().
 * Errors: PARE_E_IO (the target cannot be run), PARE_E_ARG, PARE_E_NOMEM. */
PARE_API PARE_CHECK pare_status pare_campaign_noise(const pare_campaign *campaign, char **setting,
                                                    pare_error *err);

/* Sees whether all of it can be run: programs are there, grammars can be read, a source makes
 * a text, a target runs on it.  One sentence for each trouble to `tell`; *n_wrong counts them.
 * Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_API PARE_CHECK pare_status pare_campaign_try(const pare_campaign *campaign,
                                                  void (*tell)(void *context, const char *sentence),
                                                  void *context, size_t *n_wrong, pare_error *err);

/* ---- running ---- */

/* What has happened, as it is in the store (findings.h, "Events"); number 0 is not in the store: it
 * says that another process keeps that locked.  Valid during the call. */
struct pare_store_event;
typedef void (*pare_campaign_watcher)(void *context, const struct pare_store_event *event);

/* How it stands; at most once a second, and at the end. */
typedef struct pare_campaign_summary {
    uint64_t tests;            /* in this run */
    uint64_t failures;         /* of them */
    uint64_t new_findings;     /* in this run */
    uint64_t findings;         /* in the store, but for merged and invalid ones */
    uint64_t reduced;          /* of those */
    uint64_t running, waiting; /* jobs */
    unsigned slots_busy, slots;
    uint64_t edges; /* reached, where a target tells */
    double elapsed_s;
    unsigned workers, worker_slots; /* on other machines, that are at its jobs now */
} pare_campaign_summary;

typedef struct pare_campaign_run_options {
    size_t struct_bytes;
    unsigned jobs;        /* slots; 0: the file's, or the cores */
    uint64_t max_time_ms; /* 0: until it is stopped */
    uint64_t max_tests;   /* 0: no limit */
    bool until_idle;      /* ends when no source has more to give and all other jobs are done */
    bool finish_jobs;     /* at the end of the time, reductions and validations are waited for */
    const char *program;  /* the executable that does a job, called as PROGRAM fuzz job STORE N;
                             NULL: the running one, if its name is pare, else "pare" in PATH */
    pare_campaign_watcher watcher;
    void (*progress)(void *context, const pare_campaign_summary *summary);
    void *context;
    pare_stop *stop;
} pare_campaign_run_options;

/* Runs it until it is stopped, which is no error.  While another process keeps the store locked it
 * waits, up to its max_time.  Errors: PARE_E_BUSY (another process runs a
 * campaign on this store, or kept it locked when time was over), PARE_E_STATE (no source or no target works; nothing was run),
 * PARE_E_IO (also a full disk: what is in the store stays; a store that is gone), PARE_E_CORRUPT, PARE_E_NOMEM. */
PARE_API PARE_CHECK pare_status pare_campaign_run_sized(const pare_campaign *campaign,
                                                        const pare_campaign_run_options *options,
                                                        size_t options_bytes,
                                                        pare_campaign_summary *summary,
                                                        pare_error *err);
static inline PARE_CHECK pare_status pare_campaign_run(const pare_campaign *campaign,
                                                       const pare_campaign_run_options *options,
                                                       pare_campaign_summary *summary,
                                                       pare_error *err)
{
    return pare_campaign_run_sized(campaign, options, sizeof *options, summary, err);
}

/* Does job `id` of a store to its end, or until it is stopped, in this process: what the
 * coordinator starts processes for, and what commands do that need no coordinator.  A byte goes to
 * descriptor `wake_fd` (-1: none) each time the store has changed.
 * Errors: PARE_E_STATE (no such job, or it is done), and those of the job. */
PARE_API PARE_CHECK pare_status pare_campaign_do_job(const char *store_path, int64_t id,
                                                     int wake_fd, pare_stop *stop, pare_error *err);

#ifdef __cplusplus
}
#endif

#endif
