/* What --help and `pare help` print, made of the tables of options.
 *
 * The help of a command is its usage, what it does and its common options: at most 48 lines of 80
 * columns, two screens.  --help=all adds the options of the other groups. */
#ifndef PARE_CLI_HELP_H
#define PARE_CLI_HELP_H

#include <stdio.h>

#include "cli/options.h"

typedef enum pare_help_extent {
    PARE_HELP_COMMON, /* the common options */
    PARE_HELP_ALL     /* all of them, by groups */
} pare_help_extent;

/* What the option --help, given as `value`, asks for. */
pare_help_extent pare_help_extent_of(pare_option_value value);

/* Prints the options of `table` that `command` (one bit) knows, in two columns, 80 wide, in the
 * order of the table: the common ones, then with PARE_HELP_ALL each group below its heading. */
void pare_help_options(FILE *out, const pare_option *table, size_t n_options, unsigned command,
                       pare_help_extent extent);

/* Prints algorithms and units, each with what it does and where it comes from. */
void pare_help_algorithms(FILE *out);

/* Prints `text` with every line after `indent` spaces, broken at spaces so that
 * no line is wider than 79 columns; `column` is where the first line stands. */
void pare_help_wrap(FILE *out, const char *text, size_t indent, size_t column);

#endif
