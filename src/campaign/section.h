/* One section of a campaign's configuration: its name, and the values of its options.
 *
 * Only sections of a campaign that has been read are handed out, so each has all options of its
 * kind, valid and resolved.  It is borrowed from the campaign, like all values returned here. */
#ifndef PARE_CAMPAIGN_SECTION_H
#define PARE_CAMPAIGN_SECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A section "target jq": kind "target", name "jq". */
typedef struct pare_section pare_section;

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

#endif
