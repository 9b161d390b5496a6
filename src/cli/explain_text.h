/* An explanation as text on standard output, in lines of 80 columns. */
#ifndef PARE_CLI_EXPLAIN_TEXT_H
#define PARE_CLI_EXPLAIN_TEXT_H

#include <stdint.h>

#include <pare/explain.h>

#include "cli/settings.h"

/* Prints all of it: what fails, what is needed, the text with marks, a row for each part. */
void pare_explain_text_print(const pare_settings *settings, const pare_explanation *explanation);

#endif
