/* Signals that ask a command to stop.
 *
 * A signal handler has no argument of ours: the one global that is written is set before the
 * handlers are installed, and cleared after they are gone.  The handler only requests a stop, which
 * is async-signal-safe (a store and a write); the library ends the run and returns. */
#include "cli/signals.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>

static pare_stop *volatile stop_of_signals;

/* errno is put back, since the code that was interrupted may be about to look at it. */
static void on_stop_signal(int number)
{
    (void)number;
    int saved = errno;
    if (stop_of_signals) pare_stop_request(stop_of_signals);
    errno = saved;
}

/* Unlike SIG_IGN, an empty handler is not inherited by the tests. */
static void on_pipe_signal(int number)
{
    (void)number;
}

/* SA_RESTART: calls that are interrupted go on, and the stop is seen where it is looked for. */
static void handle(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

/* SIGINT is taken even where a shell has ignored it for a background job: who sends it
 * wants us to stop. */
void pare_signals_take(pare_stop *stop)
{
    struct sigaction hangup;
    assert(stop && !stop_of_signals); /* one at a time */
    stop_of_signals = stop;
    handle(SIGINT, on_stop_signal);
    handle(SIGTERM, on_stop_signal);
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN)
        handle(SIGHUP, on_stop_signal);
    handle(SIGPIPE, on_pipe_signal);
    handle(SIGXFSZ, on_pipe_signal); /* the write fails, and says why */
}

/* SIGHUP and SIGPIPE stay as they are: the process is about to end. */
void pare_signals_leave(void)
{
    handle(SIGINT, SIG_DFL);
    handle(SIGTERM, SIG_DFL);
    stop_of_signals = NULL;
}
