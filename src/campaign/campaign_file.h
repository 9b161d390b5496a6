/* The configuration of a campaign: sections of options, merged from files, settings and defaults.
 *
 * One table has all options (campaign_keys.c) with kind, default and one line of help; an unknown
 * key is refused with the nearest known one.  Values are checked by their kind when they are read,
 * so readers always get valid ones.  Immutable. */
#ifndef PARE_CAMPAIGN_FILE_H
#define PARE_CAMPAIGN_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/campaign.h>

#include "base/fail.h"
#include "campaign/section.h"

const pare_section *pare_campaign_section_at(const pare_campaign *campaign, const char *kind,
                                             size_t i); /* NULL beyond the last */
const pare_section *pare_campaign_section(const pare_campaign *campaign, const char *kind,
                                          const char *name); /* NULL: there is none */

/* Paths in a file are relative to the folder of that file; here they are absolute. */

/* Reads a text that pare_campaign_text gave. */
PARE_CHECK pare_status pare_campaign_read_text(const char *text, const char *store,
                                               pare_campaign **out, pare_error *err);

#endif
