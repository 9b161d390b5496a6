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
    const char *to; /* the name of a section [report NAME] of the campaign's file, "github",
                             "gitlab", "bugzilla", or a folder's path; NULL: the file's only section,
                             or a folder in out_dir */
    bool send;      /* to a tracker, with its token; else the request is written as files that
                             curl takes */
    bool again;     /* also if it was reported before, or the tracker seems to have it */
    const char
        *out_dir; /* where requests, and folders without a path, are written; NULL: NAME.reports
                             beside the store NAME.pare.db */
    const char *project; /* of a tracker, instead of the section's: OWNER/NAME on GitHub, number or
                             path on GitLab, PRODUCT/COMPONENT of Bugzilla */
    const char *url;     /* of a tracker, instead of the section's */
} pare_report_options;

typedef struct pare_report_result {
    char path[1024];  /* of the folder or the request that was written; or "" */
    char url[1024];   /* of the issue that was made, or found; or "" */
    bool is_known;    /* the tracker has it: nothing was sent */
    bool seems_known; /* it has an issue of this title, at `url`: nothing was sent */
    bool
        is_settled; /* with PARE_E_STATE: there is nothing to make an issue of, since the finding was
                         reported before, or is fixed, invalid, or a part of another one */
} pare_report_result;

/* Reports one finding: writes a folder for it, or the request that makes an issue, or sends that.
 * A tracker is asked first whether it has the issue: it does if an issue holds the finding's mark
 * ("pare-finding: DIGEST"), and then counts as the report; it seems to if one has the same title,
 * and then only the result tells.  Errors: PARE_E_ARG (`to`, what a tracker needs), PARE_E_SYNTAX
 * (a template), PARE_E_STATE (is_settled; no token; there is no such finding), PARE_E_BUSY (somebody else reports it now), PARE_E_IO (also a tracker that does
 * not answer, or refuses), PARE_E_UNSUPPORTED (sending, built without libcurl), PARE_E_NOMEM.  The
 * finding's state is as it was then. */
PARE_API PARE_CHECK pare_status pare_report_finding(pare_store *store, int64_t id,
                                                    const pare_report_options *options,
                                                    pare_report_result *result, pare_error *err);

/* Writes all findings that `filter` (NULL: all but merged ones) takes as one file, by target; its order
 * does not count.  `format`: "sarif" (2.1.0), "junit", "markdown" or "json"; what targets printed
 * is text in each of them.  Errors: PARE_E_ARG (the format), PARE_E_IO, PARE_E_NOMEM. */
PARE_API PARE_CHECK pare_status pare_report_file(pare_store *store,
                                                 const pare_finding_filter *filter,
                                                 const char *format, const char *path,
                                                 pare_error *err);

#ifdef __cplusplus
}
#endif

#endif
