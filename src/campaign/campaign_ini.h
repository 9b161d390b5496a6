/* Reads the text of a campaign's file into (section, option, value, line). One thread. */
#ifndef PARE_CAMPAIGN_INI_H
#define PARE_CAMPAIGN_INI_H

#include <stddef.h>

#include "base/fail.h"

/* Takes a value; its lines are separated by line feeds, without blanks around each.  What it
 * returns other than PARE_OK ends the reading with that. */
typedef pare_status (*pare_campaign_ini_take)(void *context, const char *section,
                                              const char *option, const char *value, size_t line,
                                              pare_error *err);

/* Reads `size` bytes of `text`; `name` begins each complaint ("jq.ini:7: ...").
 *
 *   [SECTION]          begins a section
 *   OPTION = VALUE     or OPTION: VALUE; blanks around both do not count
 *       MORE           a line that is indented deeper than the option goes on with its value
 *   # ...  or  ; ...   a line of its own is a comment
 *
 * Nothing else is special: quotes and comment signs within a value belong to it.
 * Errors: PARE_E_SYNTAX, PARE_E_NOMEM, those of `take`. */
PARE_CHECK pare_status pare_campaign_ini_read(const char *text, size_t size, const char *name,
                                              pare_campaign_ini_take take, void *context,
                                              pare_error *err);

#endif
