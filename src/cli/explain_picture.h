/* The picture of an explanation: the text, or the digits of its bytes, with marks below. */
#ifndef PARE_CLI_EXPLAIN_PICTURE_H
#define PARE_CLI_EXPLAIN_PICTURE_H

#include <pare/explain.h>

/* Prints it in lines of 80 columns, and what the marks mean; nothing of a text of more than 4 KB. */
void pare_explain_picture_print(const pare_explanation *explanation);

/* Prints a result as the original was laid out, in whole lines, to be copied. */
void pare_explain_picture_print_readable(const pare_readable *readable);

#endif
