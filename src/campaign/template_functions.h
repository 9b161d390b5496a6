/* Functions in Lua 5.4 for templates: a script whose global functions templates call.
 *
 *     -- {{{shorten title}}}
 *     function shorten(text) return text:sub(1, 60) end
 *
 * A function gets the texts of the fields that the template names, then a table of all text fields,
 * by name; it returns a text, a number, a boolean (false is "", true "true") or nil ("").  Scripts
 * have Lua's base, string, table, math and utf8 libraries, but reach no file, no program and no
 * other code; their memory and instructions are limited.  Built without Lua, `new` gives
 * PARE_E_UNSUPPORTED. One thread. */
#ifndef PARE_CAMPAIGN_TEMPLATE_FUNCTIONS_H
#define PARE_CAMPAIGN_TEMPLATE_FUNCTIONS_H

#include "campaign/template.h"

enum {
    PARE_TEMPLATE_FUNCTIONS_BYTES = 64 << 20, /* of a script's state */
    PARE_TEMPLATE_FUNCTIONS_STEPS = 10000000, /* instructions of a call */
    PARE_TEMPLATE_FUNCTIONS_TEXT = 1 << 20    /* bytes of a text that a function is given */
};

typedef struct pare_template_functions pare_template_functions;

/* Runs the script, which defines its functions.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_SYNTAX, PARE_E_LIMIT, PARE_E_UNSUPPORTED, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_template_functions_new(const char *path, const char *script,
                                                   size_t size, pare_template_functions **out,
                                                   pare_error *err);
void pare_template_functions_free(pare_template_functions *functions); /* NULL is a no-op */

/* The functions as a template calls them: NULL has none.  A call's errors are PARE_E_SYNTAX (there is
 * no function of that name, or it fails), PARE_E_LIMIT and PARE_E_NOMEM. */
pare_template_caller pare_template_functions_caller(pare_template_functions *functions);

#endif
