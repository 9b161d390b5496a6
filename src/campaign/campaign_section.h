/* The inside of a campaign, for the files that build it: campaign_file.c reads and merges,
 * campaign_value.c resolves, campaign_text.c writes, section.c looks options up. Others use
 * campaign_file.h and section.h. */
#ifndef PARE_CAMPAIGN_CAMPAIGN_SECTION_H
#define PARE_CAMPAIGN_CAMPAIGN_SECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <pare/campaign.h>

#include "base/arena.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "campaign/campaign_keys.h"

/* One option of a section.  Texts are the campaign's arena's. */
typedef struct pare_section_value {
    const pare_campaign_key *key; /* NULL in a section [define] */
    const char *name, *raw;       /* raw: as it was written */
    const char *origin;           /* "jq.ini:7" */
    const char *folder;           /* that paths are relative to */
    bool is_given;                /* not a default */
    enum { PARE_VALUE_RAW, PARE_VALUE_BUSY, PARE_VALUE_DONE } state;
    const char *text; /* resolved: DONE */
    const char **items;
    size_t n_items;
    uint64_t number;
    double real;
} pare_section_value;

struct pare_section {
    const char *kind, *name, *title; /* "target", "jq", "target jq" */
    pare_section_value *values;      /* owned; those of keys in the order of the table */
    size_t n_values, capacity;
};

struct pare_campaign {
    pare_arena arena;
    struct pare_section **sections; /* owned list; the arena's; by kind, then as they were read */
    size_t n_sections, capacity;
    const char *name, *store; /* the arena's */
    pare_buffer text;
    pare_campaign_setting *settings; /* owned */
    size_t n_settings;
};

/* The section of this title, "target jq"; NULL: there is none. */
struct pare_section *pare_section_find(const pare_campaign *campaign, const char *title);

/* NULL: there is none. */
pare_section_value *pare_section_value_of(const struct pare_section *section, const char *option);

/* Replaces ${...}, makes paths absolute, splits and checks, for all values.
 * Errors: PARE_E_SYNTAX, PARE_E_ARG, PARE_E_IO, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_campaign_value_resolve_all(pare_campaign *campaign, pare_error *err);

/* Appends a path as an item of a list of paths, in quotes where it needs them. */
PARE_CHECK pare_status pare_campaign_value_add_path(const char *path, pare_buffer *line,
                                                    pare_error *err);

/* Appends the text of a file that stands for `from` and a program, and the program's name. */
PARE_CHECK pare_status pare_campaign_text_add_from(const pare_campaign_options *options,
                                                   pare_buffer *text, pare_buffer *name,
                                                   pare_error *err);

/* Appends a section as it is read back, without what is as it would be anyway.
 * Errors: PARE_E_ARG (a value that cannot stand in a file), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_campaign_text_add_section(const struct pare_section *section,
                                                      pare_buffer *text, pare_error *err);

#endif
