/* What a report can say about a finding: the fields of its templates.
 *
 * The names, all of them texts but `members`, are in docs/guide/fuzz-reports.md: what pare_finding
 * has, and command, input, input_base64, input_name, input_bytes, is_reduced, is_cut, mark, pare.
 * One thread. */
#ifndef PARE_CAMPAIGN_REPORT_FIELDS_H
#define PARE_CAMPAIGN_REPORT_FIELDS_H

#include <pare/campaign.h>
#include <pare/findings.h>

#include "base/buffer.h"
#include "campaign/store.h"
#include "campaign/template.h"

enum { PARE_REPORT_FIELDS_MOST = 40, PARE_REPORT_MARK_BYTES = 64 };

/* What is told of, and how much of its contents. */
typedef struct pare_report_about {
    pare_store *store;
    const pare_campaign *campaign; /* NULL: not known, so there is no command */
    const pare_finding *finding;
    size_t most_bytes; /* of an input, and of the output */
} pare_report_about;

/* All-zero is empty. */
typedef struct pare_report_fields {
    pare_template_field fields[PARE_REPORT_FIELDS_MOST];
    pare_buffer values[PARE_REPORT_FIELDS_MOST]; /* owned: what the fields hold */
    size_t n;
    pare_template_scope *rows; /* owned; of `members` */
    size_t n_rows, capacity;
    char mark[PARE_REPORT_MARK_BYTES];
} pare_report_fields;

/* Reads all of them.  *fields is to be done in any case.
 * Errors: those of the store, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_report_fields_read(const pare_report_about *about,
                                               pare_report_fields *fields, pare_error *err);
void pare_report_fields_done(pare_report_fields *fields);

static inline pare_template_scope pare_report_fields_scope(const pare_report_fields *fields)
{
    return (pare_template_scope){.fields = fields->fields, .n = fields->n};
}

/* "pare-finding: DIGEST", the same for everybody who finds this in a target of this name. */
void pare_report_fields_mark(const pare_finding *finding, char mark[PARE_REPORT_MARK_BYTES]);
/* The digest alone. */
const char *pare_report_fields_digest(const char *mark);

/* The file name of an input: `stem` and the suffix that the target's inputs have. */
PARE_CHECK pare_status pare_report_fields_name(const pare_report_about *about, const char *stem,
                                               pare_buffer *name, pare_error *err);

/* The target's command line for a shell, with `path` (quoted where it has to be) in the place of the
 * input, or as its standard input.  Nothing is appended where the command is not known. */
PARE_CHECK pare_status pare_report_fields_command(const pare_report_about *about, const char *path,
                                                  pare_buffer *out, pare_error *err);

/* The input that shows the finding: the reduced one, if there is one; *digest is borrowed from the
 * finding.  The caller releases *bytes by pare_alloc_free; NULL, without an error, if it is not kept. */
PARE_CHECK pare_status pare_report_fields_input(const pare_report_about *about, const char *digest,
                                                unsigned char **bytes, size_t *size,
                                                pare_error *err);

#endif
