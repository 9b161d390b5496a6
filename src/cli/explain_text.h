/* An explanation as text on standard output, in lines of 80 columns. */
#ifndef PARE_CLI_EXPLAIN_TEXT_H
#define PARE_CLI_EXPLAIN_TEXT_H

#include <stdint.h>

#include <pare/explain.h>

#include "cli/settings.h"

/* Prints all of it: what fails, what is needed, the text with marks, a row for each part. */
void pare_explain_text_print(const pare_settings *settings, const pare_explanation *explanation);

/* Prints the result as it is laid out; nothing where there is no such text. */
void pare_explain_text_print_readable(const pare_readable *readable);

#endif
