/* What the packages describe in prose only: numbers with their units, strings, names, urls,
 * selectors, and mathematics that fits its type.
 *
 * Own rules, small on purpose: numbers come near the ends of what is allowed, names from so few
 * that what is named is met again.  Strings are in single quotes, so that a value fits into an
 * attribute in double ones. */
#ifndef PARE_WEB_MODEL_BASICS_H
#define PARE_WEB_MODEL_BASICS_H

#include "base/buffer.h"
#include "web_model/rules.h"
#include "web_model/value_syntax.h"

/* Adds the rules that do not depend on a type: <string>, <ident>, <selectors>, ... */
void pare_web_basics_add(pare_web_rules *rules);

/* The rule of a basic type, which is made when it is not there: *known, and its name
 * appended.  A type that the packages define wrongly for a generator is known here too, as one
 * that is never made. */
PARE_CHECK pare_status pare_web_basics_find(pare_web_rules *rules, const pare_value *type,
                                            pare_buffer *name, bool *known, pare_error *err);

#endif
