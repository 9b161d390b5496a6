/* HTML, SVG and MathML documents out of the packages @webref/elements and @webref/idl, around
 * the style sheets of css.h.
 *
 * The packages tell which elements there are and which interface each has; what may be in
 * which, which have no end, and values of attributes that IDL knows as texts only are tables of
 * ours.  Elements that no table knows have any text and phrases in them. */
#ifndef PARE_WEB_MODEL_ELEMENTS_H
#define PARE_WEB_MODEL_ELEMENTS_H

#include "web_model/idl.h"
#include "web_model/rules.h"

/* Adds the elements of one file of the package; `path` is for sentences.
 * Errors: PARE_E_CORRUPT (it is not of the form that the package has), PARE_E_LIMIT,
 * PARE_E_NOMEM. */
PARE_CHECK pare_status pare_web_elements_add(pare_web_rules *rules, const pare_idl *idl,
                                             const char *path, const char *json, size_t size,
                                             pare_error *err);

/* Adds "html", "svg" and what elements are made of; after all elements. */
void pare_web_documents_add(pare_web_rules *rules);

#endif
