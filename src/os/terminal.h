/* Whether output goes to a terminal, and how wide that is. */
#ifndef PARE_OS_TERMINAL_H
#define PARE_OS_TERMINAL_H

#include <stdbool.h>

/* True when `fd` is a terminal. */
bool pare_terminal_is(int fd);

/* Columns of the terminal `fd`, at least 1; 80 when it is none or does not say. */
unsigned pare_terminal_columns(int fd);

#endif
