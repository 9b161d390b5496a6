/* Reads one section of a campaign: its name, and the values of its options by kind.
 *
 * A section has some twenty values in the order of the table of keys (campaign_keys.c), so an
 * option is found by a linear search.  Each value was checked when it was resolved
 * (campaign_value.c), so nothing here can fail; asking for an option that the kind of section does
 * not have, or with the function for another kind of value, is a mistake of the caller. */

#include "campaign/section.h"

#include <assert.h>
#include <string.h>

#include "campaign/campaign_section.h"

/* The value of an option, or NULL if nobody has set it and defaults are not
 * there yet, or if the kind of section does not have it. */
pare_section_value *pare_section_value_of(const struct pare_section *section, const char *option)
{
    for (size_t i = 0; i < section->n_values; i++)
        if (!strcmp(section->values[i].name, option)) return &section->values[i];
    return NULL;
}

const char *pare_section_name(const pare_section *section)
{
    return section->name;
}

/* A section has all options of its kind after reading, so a name that it lacks
 * is a mistake of ours. */
static const pare_section_value *value_of(const pare_section *section, const char *option)
{
    const pare_section_value *value = pare_section_value_of(section, option);
    assert(value);
    return value;
}

/* As it counts: every ${...} replaced, paths absolute, a command quoted for the shell. */
const char *pare_section_text(const pare_section *section, const char *option)
{
    return value_of(section, option)->text;
}

/* The functions below read what resolving has left, so each is for keys of one
 * kind; which that is, the table says. */
bool pare_section_flag(const pare_section *section, const char *option)
{
    return value_of(section, option)->number != 0;
}

/* WHOLE keys, from 0 on; CHOICE keys: the index of the word. */
uint64_t pare_section_number(const pare_section *section, const char *option)
{
    return value_of(section, option)->number;
}

/* REAL keys, from 0 on. */
double pare_section_real(const pare_section *section, const char *option)
{
    return value_of(section, option)->real;
}

/* TIME keys; 0 is no time, which a file cannot say. */
uint64_t pare_section_time_ms(const pare_section *section, const char *option)
{
    return value_of(section, option)->number;
}

/* SIZE keys; 0: none is given. */
uint64_t pare_section_bytes(const pare_section *section, const char *option)
{
    return value_of(section, option)->number;
}

/* WORDS, PATHS and COMMAND keys: the items that the value was split into. */
const char *const *pare_section_words(const pare_section *section, const char *option, size_t *n)
{
    const pare_section_value *value = value_of(section, option);
    *n = value->n_items;
    return value->items;
}

/* LINES keys: an item is a line. */
const char *const *pare_section_lines(const pare_section *section, const char *option, size_t *n)
{
    return pare_section_words(section, option, n);
}
