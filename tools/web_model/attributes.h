/* Attributes of elements as rules, out of Web IDL (idl.h).
 *
 * The rule "a:NAME" makes attributes of the interface NAME, each after a blank, none twice: of
 * what an element alone has often some, of what all elements have at most one of a kind. */
#ifndef PARE_WEB_MODEL_ATTRIBUTES_H
#define PARE_WEB_MODEL_ATTRIBUTES_H

#include "web_model/idl.h"
#include "web_model/rules.h"

/* Adds the rules that attributes have in common: their values. */
void pare_web_attributes_add(pare_web_rules *rules);

/* Decides which attributes are in markup, and by which names (`markup`).
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_web_attributes_decide(pare_idl *idl, pare_error *err);

/* Makes "a:NAME", if it is not there, for an interface and all it inherits from and includes,
 * whose attributes are decided on.
 * Errors: PARE_E_LIMIT (interfaces that inherit from each other), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_web_attributes_make(pare_web_rules *rules, const pare_idl *idl,
                                                const char *interface, pare_error *err);

#endif
