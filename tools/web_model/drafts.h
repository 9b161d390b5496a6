/* Where the definitions of the packages run ahead of browsers, or leave to prose what is not
 * allowed.
 *
 * Specifications are drafts: they define what nobody has made yet.  That is kept, for a browser
 * has to read it without harm, but it is seldom made, or nearly all that is generated would be
 * dropped by the parser of the program under test.  The tables were found by asking Chromium
 * (CSS.supports) about generated declarations. */
#ifndef PARE_WEB_MODEL_DRAFTS_H
#define PARE_WEB_MODEL_DRAFTS_H

#include "web_model/value_syntax.h"

/* The weight of a part of the definition of `scope`: 1, or less for what is ahead. */
double pare_web_draft_weight(const char *scope, const pare_value *part);

/* A syntax to be read instead of the package's for a property, type or function; NULL: none. */
const char *pare_web_draft_syntax(const char *name);

#endif
