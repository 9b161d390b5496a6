/* Files of many findings: one writer for each format, filled finding by finding. */
#ifndef PARE_CAMPAIGN_FINDINGS_FILE_H
#define PARE_CAMPAIGN_FINDINGS_FILE_H

#include <pare/findings.h>

#include "base/buffer.h"

enum { PARE_FINDINGS_FILE_INPUT = 64 << 10, PARE_FINDINGS_FILE_OUTPUT = 16 << 10 };

/* What has been written so far; all-zero before `begin`.  How each writer uses the parts is its own
 * business. */
typedef struct pare_findings_file {
    pare_buffer head, body;
    pare_buffer target; /* of the last finding, with a NUL */
    uint64_t n, n_failures, n_skipped;
    void *own; /* of the writer; NULL: none */
} pare_findings_file;

/* A finding, and the input that shows it (NULL: it is not kept). */
typedef struct pare_findings_entry {
    const pare_finding *finding;
    const unsigned char *input;
    size_t size;
    const char *mark; /* report_fields.h */
} pare_findings_entry;

/* The rows of the table of formats; findings come by target.  Errors: PARE_E_NOMEM. */
typedef struct pare_findings_writer {
    const char *name, *summary;
    PARE_CHECK pare_status (*begin)(pare_findings_file *file, pare_error *err);
    PARE_CHECK pare_status (*add)(pare_findings_file *file, const pare_findings_entry *entry,
                                  pare_error *err);
    PARE_CHECK pare_status (*end)(pare_findings_file *file, pare_buffer *out, pare_error *err);
    void (*done)(pare_findings_file *file); /* NULL: nothing of its own */
} pare_findings_writer;

extern const pare_findings_writer pare_sarif_writer, pare_junit_writer;

#endif
