/* The thread that listens to the keys of the terminal and shows the view there.
 *
 * A thread of its own, because the reduction may compute for seconds (it parses, it sorts) without
 * telling anything, and a key is answered all the same; the pager, too, is run while the reduction
 * goes on.  Both share the state of the view under one lock, which nobody holds while he waits or
 * writes to the terminal, but for the line, which is written under it: so either the line is
 * written or the screen is shown.
 *
 * While the view is closed the terminal gives each key at once and shows none (no ICANON, no ECHO);
 * signals of keys stay.  No signal is handled in this thread, so those of the program find the main
 * one.  A job in the background reads nothing: with SIGTTIN blocked, read fails instead of stopping
 * all of the program.
 * Invariant: the terminal is as it was found when pare_reduce_view_thread_free returns.
 * Tested by tests/cli/test_view.sh. */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <termios.h>
#include <unistd.h>

#include <pare/events.h>
#include <pare/stop.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "os/clock.h"
#include "os/descriptor.h"
#include "ui/format.h"
#include "ui/grid.h"
#include "ui/reduce_view.h"

/* Times in ms, sizes in bytes.  MISSED_BYTES of notices are kept for the line. */
enum {
    LOOK_MS = 100, /* least time between two looks at the best and the slots */
    EACH_BYTES =
        1 << 16, /* up to this size each best is looked at, so that a change is that of one test */
    REDRAW_MS = 250, /* most time between two drawings, in which the size is looked at */
    ABSENT_MS = 500, /* how long a job in the background waits before it reads again */
    MISSED_BYTES = 1 << 16
};

struct pare_reduce_view_thread {
    pare_reduce_view_thread_options options;
    pthread_t thread;
    pthread_mutex_t lock; /* of all below, up to the next comment */
    pare_reduce_view state;
    pare_buffer missed; /* notices that only the view has shown; each ends with a NUL */
    bool is_open, is_ending;
    uint64_t looked_ms, told_ms; /* told: when the last event came */
    /* Of the thread alone. */
    pare_grid grid;
    bool has_screen;
    bool is_deaf; /* the terminal is gone */
    /* Set before the thread begins, and not changed. */
    int wake_fd;                   /* readable when there is something new */
    struct termios original, mode; /* how the terminal was, and how it is on the line */
    sigset_t signals;              /* of the other threads */
};

/* ---- from the reduction --------------------------------------------------------------------- */

/* Makes the thread look now.  An eventfd counts, so being woken twice is one look. */
static void wake(pare_reduce_view_thread *view)
{
    const uint64_t one = 1;
    if (write(view->wake_fd, &one, sizeof one) < 0) {
        /* It is readable already. */
    }
}

/* Keeps a notice of which the line knows nothing, as 'w' or 'n' (warning or not), text
 * and NUL.  Bounded: a program may have a notice for each test. */
static void keep_notice(pare_reduce_view_thread *view, const pare_event *event)
{
    if (!event->notice || !*event->notice || view->missed.size > MISSED_BYTES) return;
    const char kind = event->is_warning ? 'w' : 'n';
    pare_status status = pare_buffer_add(&view->missed, &kind, 1, NULL);
    if (!status)
        status = pare_buffer_add(&view->missed, event->notice, strlen(event->notice) + 1, NULL);
    (void)status;
}

/* A shell that had the terminal while we were stopped has set it as it likes it.  Looked at where an
 * event comes anyway, so that nothing has to wake up for it. */
static void take_back(const pare_reduce_view_thread *view)
{
    struct termios now;
    if (tcgetpgrp(STDIN_FILENO) != getpgrp() || tcgetattr(STDIN_FILENO, &now) != 0) return;
    if (now.c_lflag & ICANON) (void)tcsetattr(STDIN_FILENO, TCSANOW, &view->mode);
}

/* Called by the reduction for each event, on its thread.  With the view open it takes
 * over the figures, and the best as often as LOOK_MS allows; the drawing is left to the
 * view's own thread.  With the view closed the event goes to the line. */
void pare_reduce_view_thread_watch(pare_reduce_view_thread *view, const pare_event *event)
{
    const uint64_t now = pare_clock_ms();
    (void)pthread_mutex_lock(&view->lock);
    view->told_ms = now;
    /* Without memory a figure is missing on the screen; the run itself will say so. */
    pare_status status = pare_reduce_view_note(&view->state, event, NULL);
    if (view->is_open) {
        /* The end is looked at in any case: nothing comes after it. */
        const bool is_due = now - view->looked_ms >= LOOK_MS || event->kind == PARE_EVENT_END;
        keep_notice(view, event);
        if (!status && (is_due || (event->accepted && event->best_bytes <= EACH_BYTES)))
            status = pare_reduce_view_look(&view->state, event, NULL);
        if (is_due) {
            view->looked_ms = now;
            wake(view);
        }
    } else {
        if (now - view->looked_ms >= ABSENT_MS) {
            view->looked_ms = now;
            take_back(view);
        }
        view->options.line(view->options.context, event);
    }
    (void)status;
    (void)pthread_mutex_unlock(&view->lock);
}

/* Shows as lines what was missed; with the lock. */
static void show_missed(pare_reduce_view_thread *view)
{
    const pare_reduce_view *state = &view->state;
    for (size_t at = 0; at < view->missed.size; at += strlen(view->missed.data + at) + 1) {
        const pare_event event = {.kind = PARE_EVENT_NOTICE,
                                  .notice = view->missed.data + at + 1,
                                  .is_warning = view->missed.data[at] == 'w',
                                  .phase = state->phase,
                                  .input_bytes = state->input_bytes,
                                  .best_bytes = state->best_bytes,
                                  .tests_run = state->tests,
                                  .tests_left = state->tests_left,
                                  .jobs = state->jobs,
                                  .elapsed_s = state->seconds};
        view->options.line(view->options.context, &event);
    }
    pare_buffer_reset(&view->missed);
}

/* ---- the screen ------------------------------------------------------------------------------ */

/* Ctrl-Z would stop the program with the screen on; on the line it works. */
static void take_suspend(void)
{
    struct termios mode;
    if (tcgetattr(STDIN_FILENO, &mode) != 0) return;
    mode.c_cc[VSUSP] = _POSIX_VDISABLE;
    (void)tcsetattr(STDIN_FILENO, TCSANOW, &mode);
}

/* The terminal is given back; the thread opens it again if the view is still open. */
static void close_screen(pare_reduce_view_thread *view)
{
    if (view->has_screen) pare_terminal_close();
    view->has_screen = false;
}

/* Back to the line, with what it has missed. */
static void close_view(pare_reduce_view_thread *view)
{
    close_screen(view);
    (void)pthread_mutex_lock(&view->lock);
    view->is_open = false;
    show_missed(view);
    (void)pthread_mutex_unlock(&view->lock);
}

/* Opens the screen if it is not, and draws.  Where that cannot be had, the view is
 * closed with a warning.
 * Writing to the terminal is done without the lock: a slow terminal must not hold up
 * the reduction. */
static void show(pare_reduce_view_thread *view)
{
    pare_error err = {0};
    if (!view->has_screen && pare_terminal_open(&err)) {
        (void)pthread_mutex_lock(&view->lock);
        const pare_event event = {.notice = err.message, .is_warning = true};
        keep_notice(view, &event);
        (void)pthread_mutex_unlock(&view->lock);
        close_view(view);
        return;
    }
    if (!view->has_screen) take_suspend();
    view->has_screen = true;
    unsigned rows, columns;
    pare_terminal_size(&rows, &columns);
    if (pare_grid_clear(&view->grid, rows, columns, NULL)) return;
    (void)pthread_mutex_lock(&view->lock);
    /* A phase may be prepared for minutes without an event: the clock goes on. */
    view->state.waited_s = (double)(pare_clock_ms() - view->told_ms) / 1000;
    pare_reduce_view_draw(&view->state, &view->grid);
    (void)pthread_mutex_unlock(&view->lock);
    pare_terminal_show(&view->grid);
}

/* ---- the pager --------------------------------------------------------------------------------- */

/* Makes the command of the pager for `path`, which may hold anything and is quoted for
 * the shell: "less 'it'\''s.js'".  $PAGER is a command line and stays as it is. */
static pare_status write_command(pare_buffer *command, const char *path)
{
    const char *pager = getenv("PAGER");
    pare_status status = pare_buffer_format(
        command, NULL, "%s '", pager && *pager ? pager : "$(command -v less || echo more)");
    for (; !status && *path; path++)
        status = *path == '\'' ? pare_buffer_text(command, "'\\''", NULL)
                               : pare_buffer_add(command, path, 1, NULL);
    return status ? status : pare_buffer_text(command, "'", NULL);
}

/* Runs the pager on the saved best, in the place of the screen, until its user ends it;
 * the reduction goes on.  The signals that this thread blocks would be blocked in the
 * pager as well.
 * system() ignores what Ctrl-C sends as long as the pager runs, which is meant for
 * that. */
static void page(pare_reduce_view_thread *view)
{
    const char *path = view->options.output_path;
    pare_buffer command = {0};
    if (!path || access(path, R_OK) != 0) {
        (void)pthread_mutex_lock(&view->lock);
        (void)snprintf(view->state.message, sizeof view->state.message, "%s",
                       path ? "nothing smaller was found yet" : "the best is no single file");
        (void)pthread_mutex_unlock(&view->lock);
        return;
    }
    if (!write_command(&command, path)) {
        sigset_t own;
        close_screen(view);
        (void)pthread_sigmask(SIG_SETMASK, &view->signals, &own);
        const int ended = system(command.data);
        (void)ended; /* the pager has said what was wrong */
        (void)pthread_sigmask(SIG_SETMASK, &own, NULL);
    }
    pare_buffer_done(&command);
}

/* ---- keys ----------------------------------------------------------------------------------------- */

/* Does what a key has asked for; `step` is the one that the user looks at.  Without the
 * lock, which pages and the line need themselves. */
static void grant(pare_reduce_view_thread *view, pare_view_wish wish, size_t step)
{
    pare_stop *stop = view->options.stop;
    switch (wish) {
    case PARE_VIEW_NOTHING: break;
    case PARE_VIEW_SKIP: pare_stop_skip_phase(stop); break;
    case PARE_VIEW_PAUSE: pare_stop_pause(stop, PARE_PAUSE); break;
    case PARE_VIEW_GO_ON: pare_stop_pause(stop, PARE_GO_ON); break;
    case PARE_VIEW_FINISH: pare_stop_request(stop); break;
    /* A run that is paused could not go back. */
    case PARE_VIEW_RETURN:
        pare_stop_go_from(stop, step);
        pare_stop_pause(stop, PARE_GO_ON);
        break;
    case PARE_VIEW_OUTPUT: pare_stop_want_output(stop); break;
    case PARE_VIEW_PAGER: page(view); break;
    case PARE_VIEW_CLOSE: close_view(view); break;
    }
}

/* All keys that have been typed.  One of them may close the screen. */
static void take_screen_keys(pare_reduce_view_thread *view)
{
    for (int key; view->has_screen && (key = pare_terminal_key()) >= 0;) {
        (void)pthread_mutex_lock(&view->lock);
        const pare_view_wish wish = pare_reduce_view_key(&view->state, key);
        const size_t step = view->state.step;
        (void)pthread_mutex_unlock(&view->lock);
        grant(view, wish, step);
    }
}

/* On the line there is one key, 'v'.  False: the job is in the background (EIO, as
 * SIGTTIN is blocked), and there is nobody to read from now. */
static bool take_line_keys(pare_reduce_view_thread *view)
{
    char key = 0;
    const ssize_t n = read(STDIN_FILENO, &key, 1);
    if (n < 0 && errno == EIO) return false;
    if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) view->is_deaf = true;
    if (n != 1 || key != 'v') return true;
    (void)pthread_mutex_lock(&view->lock);
    view->options.erase(view->options.context, NULL);
    view->is_open = true;
    /* It was not looked at while the view was closed. */
    view->state.is_best_old = true;
    (void)pthread_mutex_unlock(&view->lock);
    return true;
}

/* ---- the thread -------------------------------------------------------------------------------------- */

/* Waits for keys, for something new, or for the time to draw again.  A job in the
 * background does not wait for keys, which poll would report again and again; it tries
 * after ABSENT_MS. */
static void await(pare_reduce_view_thread *view, bool is_absent)
{
    enum { KEYS, NEWS, N };
    struct pollfd fds[N] = {
        [KEYS] = {.fd = view->is_deaf || is_absent ? -1 : STDIN_FILENO, .events = POLLIN},
        [NEWS] = {.fd = view->wake_fd, .events = POLLIN}};
    uint64_t ignored;
    const int n = poll(fds, N, view->has_screen ? REDRAW_MS : is_absent ? ABSENT_MS : -1);
    if (n > 0 && fds[NEWS].revents && read(view->wake_fd, &ignored, sizeof ignored) < 0) {
        /* Somebody is about to wake it. */
    }
    if (n > 0 && fds[KEYS].revents & (POLLHUP | POLLERR | POLLNVAL)) view->is_deaf = true;
}

/* What is shown follows from is_open, which keys change here and
 * pare_reduce_view_thread_new at first.
 * A terminal that is gone (is_deaf) ends the view, not the thread: that waits until it
 * is ended. */
static void *run(void *context)
{
    pare_reduce_view_thread *view = context;
    bool is_absent = false;
    for (;;) {
        (void)pthread_mutex_lock(&view->lock);
        const bool is_open = view->is_open, is_ending = view->is_ending;
        (void)pthread_mutex_unlock(&view->lock);
        if (is_ending) break;
        if (is_open && view->is_deaf)
            close_view(view);
        else if (is_open)
            show(view);
        await(view, is_absent);
        if (view->is_deaf) continue;
        if (view->has_screen)
            take_screen_keys(view);
        else if (pare_descriptor_await(STDIN_FILENO, 0))
            is_absent = !take_line_keys(view);
        else
            is_absent = false;
    }
    close_screen(view);
    return NULL;
}

/* ---- life ---------------------------------------------------------------------------------------- */

/* Sets the terminal so that keys come one by one and are not shown.  PARE_E_STATE for a
 * job in the background, which would be stopped for it. */
static pare_status take_terminal(pare_reduce_view_thread *view, pare_error *err)
{
    pare_status status = pare_terminal_check("leave out '--view'", err);
    if (status) return status;
    if (tcgetpgrp(STDIN_FILENO) != getpgrp())
        return pare_fail(err, PARE_E_STATE, "this job does not have the terminal");
    if (tcgetattr(STDIN_FILENO, &view->original) != 0)
        return pare_fail_errno(err, errno, "cannot ask the terminal how it is set");
    view->mode = view->original;
    view->mode.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    view->mode.c_cc[VMIN] = 1;
    view->mode.c_cc[VTIME] = 0;
    if (tcsetattr(STDIN_FILENO, TCSANOW, &view->mode) == 0) return PARE_OK;
    return pare_fail_errno(err, errno, "cannot set the terminal");
}

/* Starts the thread with all signals blocked, which is inherited: so they go to the
 * threads of the program, which expect them. */
static int start(pare_reduce_view_thread *view)
{
    sigset_t all;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &view->signals);
    const int failed = pthread_create(&view->thread, NULL, run, view);
    (void)pthread_sigmask(SIG_SETMASK, &view->signals, NULL);
    return failed;
}

/* The terminal is the last thing that is taken and the first that is given back when
 * the thread cannot be started. */
pare_status pare_reduce_view_thread_new(const pare_reduce_view_thread_options *options,
                                        pare_reduce_view_thread **out, pare_error *err)
{
    assert(options->stop && options->line && options->erase);
    pare_reduce_view_thread *view = pare_alloc_zero(1, sizeof *view);
    if (!view) return pare_fail_nomem(err);
    view->options = *options;
    view->is_open = options->is_open;
    view->state = (pare_reduce_view){.name = options->name,
                                     .language = options->language,
                                     .history_path = options->history_path,
                                     .charset = pare_format_charset(),
                                     .is_reading = true};
    view->state.tests_left = UINT64_MAX;
    view->told_ms = pare_clock_ms();
    view->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    pare_status status = view->wake_fd < 0
                             ? pare_fail_errno(err, errno, "cannot make an event descriptor")
                             : take_terminal(view, err);
    if (status) {
        pare_descriptor_close(&view->wake_fd);
        pare_alloc_free(view);
        return status;
    }
    (void)pthread_mutex_init(&view->lock, NULL);
    const int failed = start(view);
    if (!failed) {
        *out = view;
        return PARE_OK;
    }
    (void)tcsetattr(STDIN_FILENO, TCSANOW, &view->original);
    (void)pthread_mutex_destroy(&view->lock);
    pare_descriptor_close(&view->wake_fd);
    pare_alloc_free(view);
    return pare_fail_errno(err, failed, "cannot start a thread");
}

void pare_reduce_view_thread_free(pare_reduce_view_thread *view)
{
    if (!view) return;
    (void)pthread_mutex_lock(&view->lock);
    view->is_ending = true;
    (void)pthread_mutex_unlock(&view->lock);
    wake(view);
    (void)pthread_join(view->thread, NULL);
    /* A job in the background may not set the terminal, and would be stopped for it. */
    if (tcgetpgrp(STDIN_FILENO) == getpgrp())
        (void)tcsetattr(STDIN_FILENO, TCSANOW, &view->original);
    show_missed(view);
    pare_reduce_view_done(&view->state);
    pare_grid_done(&view->grid);
    pare_buffer_done(&view->missed);
    (void)pthread_mutex_destroy(&view->lock);
    pare_descriptor_close(&view->wake_fd);
    pare_alloc_free(view);
}
