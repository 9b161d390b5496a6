/* The options that a campaign's file may have: one table, which reading, checking, help and the
 * manual go by.  Immutable, static. */
#ifndef PARE_CAMPAIGN_KEYS_H
#define PARE_CAMPAIGN_KEYS_H

#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

typedef enum pare_key_kind {
    PARE_KEY_TEXT,
    PARE_KEY_FLAG,    /* yes or no; also on, off, true, false, 1, 0 */
    PARE_KEY_WHOLE,   /* a whole number */
    PARE_KEY_REAL,    /* a decimal number from 0 on */
    PARE_KEY_TIME,    /* 2, 500ms, 10s, 5m, 1h; kept in ms */
    PARE_KEY_SIZE,    /* 500M; kept in bytes */
    PARE_KEY_CHOICE,  /* one of the words of `values`, separated by '|' */
    PARE_KEY_COMMAND, /* a command line; files in it are relative to the file */
    PARE_KEY_PATH,    /* of a file or a folder, relative to the file */
    PARE_KEY_PATHS,   /* words, each a path or a pattern of paths */
    PARE_KEY_NAMED,   /* a path when there is such a file, else a name */
    PARE_KEY_LINES,   /* lines that mean something each */
    PARE_KEY_WORDS    /* words, also separated by commas */
} pare_key_kind;

typedef struct pare_campaign_key {
    const char *section; /* its kind: "target" */
    const char *name;
    pare_key_kind kind;
    const char *fallback; /* what counts when it is not given; "": nothing */
    const char *values;   /* CHOICE: the words; else how the manual shows the value */
    const char *help;     /* one sentence without a full stop */
} pare_campaign_key;

/* The keys in the order of the manual, section by section; NULL beyond the last. */
const pare_campaign_key *pare_campaign_key_at(size_t i);

/* NULL: there is none. */
const pare_campaign_key *pare_campaign_key_find(const char *section, const char *name);

/* The kinds of sections, in the order of the manual; NULL beyond the last. */
const char *pare_campaign_kind_at(size_t i);

/* What is wrong with a value, checked by its kind; *number: of FLAG, WHOLE, TIME (ms), SIZE
 * (bytes), CHOICE (index of the word), *real of REAL.
 * Errors: PARE_E_SYNTAX (the sentence says what the key takes). */
PARE_CHECK pare_status pare_campaign_key_read(const pare_campaign_key *key, const char *text,
                                              uint64_t *number, double *real, pare_error *err);

#endif
