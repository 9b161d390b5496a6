/* The predicates of the end-to-end tests: what the oracles under tests/helpers decide,
 * and what the tests expect of them.  A predicate is a kind with a value. */
#ifndef PARE_TESTS_CLI_PREDICATES_H
#define PARE_TESTS_CLI_PREDICATES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* "<SELECT.*>" at the start of the text, where the point is not a line feed. */
static inline bool matches_select(const char *text)
{
    if (strncmp(text, "<SELECT", 7) != 0) return false;
    for (text += 7; *text && *text != '\n'; text++)
        if (*text == '>') return true;
    return false;
}

static inline bool has_all(const char *characters, const char *text)
{
    for (; *characters; characters++)
        if (!strchr(text, *characters)) return false;
    return true;
}

static inline bool has_subsequence(const char *wanted, const char *text)
{
    for (; *text && *wanted; text++)
        if (*text == *wanted) wanted++;
    return !*wanted;
}

/* The first opening parenthesis stands before the first closing one (seed 002). */
static inline bool is_mystery(const char *text)
{
    const char *open = strchr(text, '(');
    const char *close = strchr(text, ')');
    return open && close && open < close;
}

/* FNV-1a: a fixed choice among candidates. */
static inline uint32_t choice_of(const char *text)
{
    uint32_t hash = 2166136261u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash ^ hash >> 15;
}

/* Has a subsequence, but for every fourth text: larger ones may pass while smaller fail. */
static inline bool has_holes(const char *wanted, const char *text)
{
    return has_subsequence(wanted, text) && choice_of(text) % 4 != 0;
}

/* Whether the failure is there; false for a kind that is not known. */
static inline bool predicate_holds(const char *kind, const char *value, const char *text)
{
    if (!strcmp(kind, "select")) return matches_select(text);
    if (!strcmp(kind, "all")) return has_all(value, text);
    if (!strcmp(kind, "subsequence")) return has_subsequence(value, text);
    if (!strcmp(kind, "mystery")) return is_mystery(text);
    if (!strcmp(kind, "holes")) return has_holes(value, text);
    return false;
}

#endif
