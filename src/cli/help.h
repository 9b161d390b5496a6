/* What `pare help` prints. */
#ifndef PARE_CLI_HELP_H
#define PARE_CLI_HELP_H

#include <stdio.h>

/* The options of `command` (one bit of table.h) in two columns, 80 wide. */
void pare_help_options(FILE *out, unsigned command);

/* Algorithms and units, each with what it does and where it comes from. */
void pare_help_algorithms(FILE *out);

/* Prints `text` with every line after `indent` spaces, broken at spaces so that
 * no line is wider than 79 columns; `column` is where the first line stands. */
void pare_help_wrap(FILE *out, const char *text, size_t indent, size_t column);

#endif
