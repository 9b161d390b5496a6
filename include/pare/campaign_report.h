/* What of a campaign goes outside: reports to folders and trackers, SARIF and JUnit. */
#ifndef PARE_CAMPAIGN_REPORT_H
#define PARE_CAMPAIGN_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/findings.h>
#include <pare/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where a report goes; the zero value of each member is the default. */
typedef struct pare_report_options {
    size_t struct_bytes;
    const char *to;      /* a folder's path, "github", "gitlab", "bugzilla", or the name of a
                             section [report NAME] of the campaign's file */
    bool send;           /* to a tracker, with its token; else the request is written as files that
                             curl takes */
    bool again;          /* also if it was reported before, or the tracker seems to have it */
    const char *out_dir; /* where requests are written; NULL: STORE-name.reports */
} pare_report_options;

typedef struct pare_report_result {
    char path[1024]; /* of the folder or the request that was written; or "" */
    char url[1024];  /* of the issue that was made, or found; or "" */
    bool is_known;   /* the tracker had it: nothing was sent */
} pare_report_result;

/* Reports one finding.  Errors: PARE_E_ARG (`to`), PARE_E_SYNTAX (a template), PARE_E_STATE (it
 * was reported before; no token), PARE_E_IO (also a tracker that does not answer, or refuses;
 * the state stays as it was). */
PARE_API PARE_CHECK pare_status pare_report_finding(pare_store *store, int64_t id,
                                                    const pare_report_options *options,
                                                    pare_report_result *result, pare_error *err);

/* Writes all findings that `filter` takes as one file.  "sarif", "junit", "markdown" or "json". */
PARE_API PARE_CHECK pare_status pare_report_file(pare_store *store,
                                                 const pare_finding_filter *filter,
                                                 const char *format, const char *path,
                                                 pare_error *err);

#ifdef __cplusplus
}
#endif

#endif
