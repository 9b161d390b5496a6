/* The configuration of a campaign: sections of options, merged from files, settings and defaults.
 *
 * Each option that there is stands in one table (campaign_keys.c) with its kind, its default and
 * one line of help; a key that is not there is refused with the nearest that is.  Values are
 * checked by their kind when they are read, so whoever asks gets a valid one.  Immutable. */
#ifndef PARE_CAMPAIGN_FILE_H
#define PARE_CAMPAIGN_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/campaign.h>

#include "base/fail.h"

/* A section "target jq": kind "target", name "jq". */
typedef struct pare_section pare_section;

const pare_section *pare_campaign_section_at(const pare_campaign *campaign, const char *kind,
                                             size_t i); /* NULL beyond the last */
const pare_section *pare_campaign_section(const pare_campaign *campaign, const char *kind,
                                          const char *name); /* NULL: there is none */
const char *pare_section_name(const pare_section *section);

/* The value of `option` as text, "" if it has none; interpolated. */
const char *pare_section_text(const pare_section *section, const char *option);
bool pare_section_flag(const pare_section *section, const char *option);
uint64_t pare_section_number(const pare_section *section, const char *option);
double pare_section_real(const pare_section *section, const char *option);
uint64_t pare_section_time_ms(const pare_section *section, const char *option);
uint64_t pare_section_bytes(const pare_section *section, const char *option);

/* The words of a value: split as a shell does, without running anything.  Borrowed. */
const char *const *pare_section_words(const pare_section *section, const char *option, size_t *n);
/* Its lines, without empty ones.  Borrowed. */
const char *const *pare_section_lines(const pare_section *section, const char *option, size_t *n);

/* Paths in a file are relative to the folder of that file; here they are absolute. */

/* Reads a text that pare_campaign_text gave. */
PARE_CHECK pare_status pare_campaign_read_text(const char *text, const char *store,
                                               pare_campaign **out, pare_error *err);

/* Canonical text of what makes results comparable: a source, a target and the seed. */
PARE_CHECK pare_status pare_campaign_version_text(const pare_campaign *campaign, const char *source,
                                                  const char *target, char **text, pare_error *err);

#endif
