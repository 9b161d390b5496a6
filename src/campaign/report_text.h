/* The text of a report: a template filled with a finding's fields.  One thread. */
#ifndef PARE_CAMPAIGN_REPORT_TEXT_H
#define PARE_CAMPAIGN_REPORT_TEXT_H

#include "base/buffer.h"
#include "campaign/report_fields.h"
#include "campaign/template.h"

enum { PARE_REPORT_TITLE_BYTES = 200 };

/* How it is made; the zero value of each member is the default. */
typedef struct pare_report_text_options {
    pare_template_form form;
    const char *template_path; /* NULL or "": a template of ours */
    const char *title;         /* template of the title; NULL or "": one of ours */
    const char *lua_path;      /* functions for both; NULL or "": none */
    size_t most_bytes;         /* of the body; 0: no limit */
} pare_report_text_options;

/* All-zero is empty. */
typedef struct pare_report_text {
    pare_buffer title; /* one line */
    pare_buffer body;  /* ends with a line that holds the mark */
    char mark[PARE_REPORT_MARK_BYTES];
} pare_report_text;

/* Makes it; what `about` says of most_bytes does not count.  A body that is too long gets less of the
 * input and the output.  *text is to be done in any case.
 * Errors: PARE_E_SYNTAX (a template, a function), PARE_E_IO (a file), PARE_E_LIMIT, those of the
 * store, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_report_text_make(const pare_report_about *about,
                                             const pare_report_text_options *options,
                                             pare_report_text *text, pare_error *err);
void pare_report_text_done(pare_report_text *text);

#endif
