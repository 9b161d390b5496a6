/* What a store holds as JSON, as docs/guide/fuzz-api.md has it.
 *
 * Each function makes one value, NULL when memory is out.  Texts of a target may be any bytes: what
 * is no UTF-8 becomes U+FFFD, and everything else stays as it is, control characters too. */
#ifndef PARE_UI_FUZZ_WEB_JSON_H
#define PARE_UI_FUZZ_WEB_JSON_H

#include <stdbool.h>

#include <jansson.h>

#include <pare/findings.h>

#include "base/buffer.h"

json_t *pare_fuzz_web_json_text(const char *text);

typedef enum pare_fuzz_web_extent {
    PARE_FUZZ_WEB_ROW,  /* what a table shows */
    PARE_FUZZ_WEB_WHOLE /* all that the store has */
} pare_fuzz_web_extent;
json_t *pare_fuzz_web_json_finding(const pare_finding *finding, pare_fuzz_web_extent extent);

json_t *pare_fuzz_web_json_member(const pare_finding_member *member);
json_t *pare_fuzz_web_json_job(const pare_job *job);
json_t *pare_fuzz_web_json_statistics(const pare_store_statistics *statistics);
json_t *pare_fuzz_web_json_harm(const pare_store_harm *harm);
json_t *pare_fuzz_web_json_point(const pare_store_point *point);
json_t *pare_fuzz_web_json_event(const pare_store_event *event);

/* Appends `value`, on one line, and releases it.  Errors: PARE_E_NOMEM, also when it is NULL. */
PARE_CHECK pare_status pare_fuzz_web_json_print(json_t *value, pare_buffer *out, pare_error *err);

#endif
