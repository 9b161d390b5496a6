/* A finding as a JSON object: for listeners, reports and files of findings. */
#ifndef PARE_CAMPAIGN_FINDING_JSON_H
#define PARE_CAMPAIGN_FINDING_JSON_H

#include <stddef.h>

#include <jansson.h>

#include <pare/findings.h>

#include "base/buffer.h"

/* The object: the finding's texts and numbers by their names in pare_finding, its sizes as `bytes` and
 * `reduced_bytes`, its state by name, times in ms since 1970.  Texts that are empty are there.
 * NULL when memory is out; the caller releases it by json_decref. */
json_t *pare_finding_json_of(const pare_finding *finding);

/* A string; bytes that are no UTF-8 are written out (escape.h).  NULL when memory is out. */
json_t *pare_finding_json_text(const void *bytes, size_t size);

typedef enum pare_finding_json_form {
    PARE_FINDING_JSON_LINE,    /* all on one line, for programs */
    PARE_FINDING_JSON_INDENTED /* for people, too */
} pare_finding_json_form;

/* Appends `object`, which moves in, in ASCII, and a line end.  NULL is memory that ran out.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_finding_json_print(json_t *object, pare_finding_json_form form,
                                               pare_buffer *out, pare_error *err);

#endif
