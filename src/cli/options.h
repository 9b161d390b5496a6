/* Options of a command line, by table.
 *
 * GNU habits: options before or after operands, `--` ends them, `--name=value`
 * or `--name value`, `-n value` or `-nvalue`, letters without a value may be
 * joined (`-qv`).  Names are not abbreviated, so that a script does not break
 * when an option is added.  Given twice, the later one counts.
 *
 * Parsing looks at nothing but its arguments and changes nothing but its
 * result: any list of texts may be given to it. */
#ifndef PARE_CLI_OPTIONS_H
#define PARE_CLI_OPTIONS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/fail.h"

typedef enum pare_option_kind {
    PARE_OPTION_FLAG,  /* takes no value */
    PARE_OPTION_TEXT,  /* any value but an empty one */
    PARE_OPTION_TEXTS, /* the same, but given several times it is a list */
    PARE_OPTION_WHOLE, /* whole number in `least` .. `most` */
    PARE_OPTION_TIME,  /* decimal number of seconds, or with ms, s, m or h; kept in ms */
    PARE_OPTION_SIZE,  /* bytes, at least `least`, with K, M, G or T: times 1024 each */
    PARE_OPTION_CHOICE /* one of the words of `value`, separated by '|' */
} pare_option_kind;

typedef struct pare_option {
    const char *name; /* without the dashes */
    char letter;      /* short form; 0: none */
    pare_option_kind kind;
    unsigned commands; /* bit set of the commands that know it */
    const char *value; /* what the help calls the value, or the choices */
    uint64_t least, most;
    const char *word;  /* WHOLE, SIZE: a word that stands for UINT64_MAX; FLAG: the one value
                          that may be given after '='; may be NULL */
    const char *help;  /* one sentence without a full stop */
    const char *group; /* heading below which --help=all lists it; NULL: a common option, which
                          --help lists too.  Options of one group share the pointer */
} pare_option;

typedef struct pare_option_value {
    size_t position;  /* 0: not given; else index in argv of the option, counted from 1 */
    const char *text; /* the value as written, NULL: none; borrowed from argv */
    uint64_t number;  /* WHOLE: the number; TIME: ms; SIZE: bytes; CHOICE: index of the word */
} pare_option_value;

typedef struct pare_option_text {
    size_t option; /* index in the table */
    const char *text;
} pare_option_text;

typedef struct pare_arguments {
    pare_option_value *values; /* owned; one for each option of the table */
    pare_option_text *texts;   /* owned; every value of the options of kind TEXTS, in order */
    size_t n_texts;
    const char **operands; /* owned list of borrowed texts, in order */
    size_t n_operands;
    char *const *words; /* all that was given, n_words of them; borrowed */
    size_t n_words;
    size_t n_before_dashes; /* operands before `--`; n_operands when there is none */
} pare_arguments;

void pare_options_done(pare_arguments *arguments);

/* The options that a command knows: those of the table with its bit.  Borrowed, static. */
typedef struct pare_option_set {
    const pare_option *table; /* n_options of them */
    size_t n_options;
    unsigned command; /* one bit */
} pare_option_set;

/* Reads argv[0 .. argc-1], which does not hold the command's name, for the command of `set`.
 * On PARE_OK the caller ends *arguments with pare_options_done, on failure it is empty.
 * Errors: PARE_E_ARG (unknown option, missing or wrong value; the sentence names
 * what would be right), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_options_parse(const pare_option_set *set, int argc, char *const *argv,
                                          pare_arguments *arguments, pare_error *err);

/* Whether an option was given. */
bool pare_options_given(const pare_arguments *arguments, size_t option);

/* Copies the values of `option`, of kind TEXTS, to `texts` (room for n_texts) in the order
 * given; returns how many there are.  `texts` may be NULL. */
size_t pare_options_texts(const pare_arguments *arguments, size_t option, const char **texts);

/* Sets *chance to what an option's text says, unless that is NULL.  Errors: PARE_E_ARG (not a number
 * from 0 to 1). */
PARE_CHECK pare_status pare_options_chance(const char *text, double *chance, pare_error *err);

/* Whole decimal number, nothing around it; false if it is none or too large. */
bool pare_options_read_whole(const char *text, uint64_t *number);

/* Whole number of bytes, with K, M, G or T (or k, m, g, t) after it for powers of
 * 1024; false if it is none, or above 2^62. */
bool pare_options_read_size(const char *text, uint64_t *bytes);

/* A time above 0 in milliseconds, rounded up: a decimal number of seconds such as "2" or
 * ".25", or one with ms, s, m, min or h after it, such as "1.5h"; false if it is none, or
 * above 10^9 s. */
bool pare_options_read_time(const char *text, uint64_t *ms);

/* ---- help ----------------------------------------------------------------------------
 *
 * The help of a command is its usage, what it does and its common options: at most 48 lines of 80
 * columns, two screens.  --help=all adds the options of the other groups. */

typedef enum pare_help_extent {
    PARE_HELP_COMMON, /* the common options */
    PARE_HELP_ALL     /* all of them, by groups */
} pare_help_extent;

/* What the option --help, given as `value`, asks for. */
pare_help_extent pare_options_help_extent(pare_option_value value);

/* Prints the options of `table` that `command` (one bit) knows, in two columns, 80 wide, in the
 * order of the table: the common ones, then with PARE_HELP_ALL each group below its heading. */
void pare_options_print_help(FILE *out, const pare_option *table, size_t n_options,
                             unsigned command, pare_help_extent extent);

/* Prints algorithms and units, each with what it does and where it comes from. */
void pare_options_print_algorithms(FILE *out);

#endif
