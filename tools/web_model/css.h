/* CSS out of the package @webref/css: a rule for each property, type and function that is
 * needed, for selectors, at-rules and style sheets.
 *
 * Rules that others call: "declarations" (for a style attribute), "declaration", "stylesheet",
 * "v:NAME" (the value of a property).  A definition whose syntax cannot be read is left out,
 * with what needs it; of a property the values that all have stay. */
#ifndef PARE_WEB_MODEL_CSS_H
#define PARE_WEB_MODEL_CSS_H

#include "web_model/rules.h"

/* What came of it. */
typedef struct pare_web_css {
    size_t n_properties; /* with a syntax that can be read */
    size_t n_unreadable; /* definitions whose syntax cannot */
} pare_web_css;

/* `json` is the text of css.json, `path` is for sentences.
 * Errors: PARE_E_CORRUPT (it is not of the form that the package has), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_web_css_add(pare_web_rules *rules, const char *path, const char *json,
                                        size_t size, pare_web_css *out, pare_error *err);

#endif
