/* Rules out of value definition syntax (value_syntax.h).
 *
 * What is made is never empty: optional parts are left out with the space beside them, and so
 * are commas beside which nothing would stand (CSS Values 4, section 2.1, "omitted commas").
 * Of the orders that && and || allow, those are made that swap halves of the list, halves of
 * the halves, and so on, so that the rules stay as long as the list is. */
#ifndef PARE_WEB_MODEL_VALUES_H
#define PARE_WEB_MODEL_VALUES_H

#include "base/buffer.h"
#include "web_model/rules.h"
#include "web_model/value_syntax.h"

/* Appends the name of the rule that makes `value`, a type or a property; a rule that is never
 * made is left out, with what calls it. */
typedef pare_status (*pare_web_resolver)(void *context, const pare_value *value, pare_buffer *name,
                                         pare_error *err);

/* The weight of a part that is one of several, or may be left out; 1 is the usual one. */
typedef double (*pare_web_weigher)(void *context, const pare_value *part);

typedef struct pare_web_values {
    pare_web_rules *rules; /* borrowed */
    pare_web_resolver resolve;
    pare_web_weigher weigh;
    void *context;
    size_t n_made; /* rules without a name of their own */
    pare_error *err;
} pare_web_values;

/* Adds expansions for `value` to the rule `name`.  Nodes keep the names of rules that were
 * made of them.  Errors: PARE_E_NOMEM, PARE_E_LIMIT (nested too deeply), those of `resolve`. */
PARE_CHECK pare_status pare_web_values_define(pare_web_values *values, const char *name,
                                              pare_value *value);

#endif
