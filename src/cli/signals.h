/* Signals that ask a command to stop, while it runs. */
#ifndef PARE_CLI_SIGNALS_H
#define PARE_CLI_SIGNALS_H

#include <pare/stop.h>

/* SIGINT, SIGTERM and SIGHUP (unless it is ignored, as nohup(1) does) request `stop`, which
 * has to live until pare_signals_leave; SIGPIPE does nothing from now on.  One at a time. */
void pare_signals_take(pare_stop *stop);

/* The signals end the process again. */
void pare_signals_leave(void);

#endif
