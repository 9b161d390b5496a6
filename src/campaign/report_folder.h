/* A finding as a folder that somebody else can work with, and requests as files.  One thread. */
#ifndef PARE_CAMPAIGN_REPORT_FOLDER_H
#define PARE_CAMPAIGN_REPORT_FOLDER_H

#include "base/buffer.h"
#include "campaign/report_fields.h"
#include "campaign/report_text.h"
#include "campaign/tracker.h"

#include <pare/findings.h>

/* Writes FOLDER/finding-ID: README.md (the text's body), finding.json, the reduced and the original
 * input, output.txt, command.txt and show.sh, which runs the command on the input.  At any instant
 * the folder is the old one or the new one.  Appends its path.
 * Errors: PARE_E_STATE (something else has this name), PARE_E_IO, those of the store,
 * PARE_E_NOMEM. */
PARE_CHECK pare_status pare_report_folder_write(const pare_report_about *about,
                                                const pare_report_text *text, const char *folder,
                                                pare_buffer *path, pare_error *err);

/* A request that is written; borrowed. */
typedef struct pare_report_request {
    const pare_tracker_request *request;
    const char *tracker; /* its name */
    const pare_tracker_token_place *token;
} pare_report_request;

/* Writes FOLDER/finding-ID-TRACKER.json, the body, and FOLDER/finding-ID-TRACKER.sh, which has curl
 * send it.  Appends the path of the latter.  Errors: PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_report_folder_request(const pare_finding *finding,
                                                  const pare_report_request *request,
                                                  const char *folder, pare_buffer *path,
                                                  pare_error *err);

#endif
