/* The model of the web: a grammar of HTML, SVG and CSS documents, and its weights.
 *
 * Made once, by the program pare-web-model, when `pare lang add web` has unpacked the packages
 * @webref/css, @webref/elements and @webref/idl.  Whoever changes what is made increases
 * PARE_LANGUAGE_MODEL_VERSION (lang/language.h), so that models are made anew.  Rules to start with are <html>, <svg>, <math>, <css>, <declarations>,
 * <declaration> and <selector>.  Source of the idea: Generinator:RATS (Hodován, Kiss), which
 * learns such a model from specifications and tests. */
#ifndef PARE_WEB_MODEL_H
#define PARE_WEB_MODEL_H

#include "base/buffer.h"

/* Folders with the contents of the packages; a grammar as The Fuzzing Book writes it, and the
 * weights of its alternatives (generate/weights.h), are appended to *grammar and *weights.
 * Errors: PARE_E_CORRUPT (a file is missing, or not of the form that the package has),
 * PARE_E_SYNTAX (IDL), PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_web_model_make(const char *css, const char *elements, const char *idl,
                                           pare_buffer *grammar, pare_buffer *weights,
                                           pare_error *err);

#endif
