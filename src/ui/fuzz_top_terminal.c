/* `pare fuzz top` on a terminal: the waiting.
 *
 * One poll for keys, changes of the store and a stop; nothing is looked at on a timer.  While the store
 * changes all the time it is read at most four times a second.  The terminal is put back on every way
 * out. */
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <unistd.h>

#include <pare/findings.h>
#include <pare/stop.h>

#include "base/fail.h"
#include "os/clock.h"
#include "os/file_watch.h"
#include "os/stop.h"
#include "ui/fuzz_top.h"
#include "ui/grid.h"

/* Between two reads of a store that goes on changing, and from a change to its first
 * read. */
enum { BETWEEN_READS_MS = 250, SETTLE_MS = 15 };

/* What is shown, and what is waited for. */
struct terminal {
    pare_fuzz_top top;
    pare_file_watch *watch;
    const pare_stop *stop;
    uint64_t read_ms, changed_ms; /* when it was read last, and when a change was last seen */
    uint64_t due_ms;              /* when it is to be read; UINT64_MAX: when it changes */
    pare_grid grid;
};

/* ---- drawing ------------------------------------------------------------------------- */

/* The bars and the chosen row are as wide as the screen. */
static void take_line(void *context, unsigned row, const pare_fuzz_top_line *line)
{
    struct terminal *terminal = context;
    pare_pen pen = pare_grid_pen(&terminal->grid, row, 0, terminal->grid.columns);
    pen.style = line->is_chosen ? PARE_STYLE_BAR : line->style;
    (void)pare_grid_bytes(&pen, line->text, line->size);
    if (pen.style == PARE_STYLE_BAR) pare_grid_pad(&pen, terminal->grid.columns);
}

static pare_status draw(struct terminal *terminal, pare_error *err)
{
    unsigned rows, columns;
    pare_terminal_size(&rows, &columns);
    pare_status status = pare_grid_clear(&terminal->grid, rows, columns, err);
    if (status) return status;
    pare_fuzz_top_screen_draw(&terminal->top, rows, columns, take_line, terminal);
    pare_terminal_show(&terminal->grid);
    return PARE_OK;
}

/* ---- keys ---------------------------------------------------------------------------- */

/* Takes all keys that have been typed before anything is drawn again; *quit: the last
 * one was the end.  Whatever a key did to the store is read at once. */
static pare_status take_keys(struct terminal *terminal, bool *quit, pare_error *err)
{
    pare_status status = PARE_OK;
    for (int key; !status && !*quit && (key = pare_terminal_key()) >= 0;) {
        status = pare_fuzz_top_key(&terminal->top, key, quit, err);
        terminal->due_ms = 0; /* what it asked for shows at once */
        terminal->read_ms = 0;
    }
    return status;
}

/* ---- waiting ------------------------------------------------------------------------- */

/* When a change is read: what was just written may become visible a little later (os/file_watch.h), so
 * not at once, and again after some time.  What goes on changing is read four times a second. */
static uint64_t soon(const struct terminal *terminal)
{
    const uint64_t settled = terminal->changed_ms + SETTLE_MS;
    const uint64_t next = terminal->read_ms + BETWEEN_READS_MS;
    return settled > next ? settled : next;
}

/* Until a key, a change or a stop; while a change waits to be shown, no longer than that. */
static pare_status await(struct terminal *terminal, bool *quit, pare_error *err)
{
    enum { KEYS, STORE, STOP, N };
    struct pollfd fds[N] = {[KEYS] = {.fd = STDIN_FILENO, .events = POLLIN},
                            [STORE] = {.fd = pare_file_watch_fd(terminal->watch), .events = POLLIN},
                            [STOP] = {.fd = pare_stop_fd(terminal->stop), .events = POLLIN}};
    const uint64_t due = terminal->due_ms, now = pare_clock_ms();
    const int limit = due == UINT64_MAX ? -1 : due > now ? (int)(due - now) : 0;
    int n = poll(fds, N, limit);
    if (n < 0 && errno != EINTR) return pare_fail_errno(err, errno, "cannot wait for keys");
    /* A terminal that was closed is an end, too: there is nobody to press q. */
    if (n > 0 && (fds[STOP].revents || (fds[KEYS].revents & (POLLHUP | POLLERR | POLLNVAL))))
        *quit = true;
    if (n > 0 && fds[STORE].revents && pare_file_watch_changed(terminal->watch)) {
        terminal->changed_ms = pare_clock_ms();
        /* A read that is due is not put off by what changes meanwhile; it sees that as
         * well. */
        if (due == UINT64_MAX) terminal->due_ms = soon(terminal);
    }
    return PARE_OK;
}

/* Reads when it is due, draws, waits, takes keys, until the end.  What was written at
 * the moment of a read may have been missed by it, so a read soon after a change is
 * followed by another one. */
static pare_status show(struct terminal *terminal, pare_error *err)
{
    bool quit = false;
    pare_status status = PARE_OK;
    while (!status && !quit) {
        const uint64_t now = pare_clock_ms();
        if (now >= terminal->due_ms) {
            const bool again = now - terminal->changed_ms < BETWEEN_READS_MS;
            terminal->due_ms = again ? now + BETWEEN_READS_MS : UINT64_MAX;
            terminal->read_ms = now;
            status = pare_fuzz_top_read(&terminal->top, err);
        }
        if (!status) status = draw(terminal, err);
        if (!status) status = await(terminal, &quit, err);
        if (!status && !quit) status = take_keys(terminal, &quit, err);
    }
    return status;
}

/* The terminal is opened last and closed first, so that errors before and after are
 * printed on an ordinary screen. */
pare_status pare_fuzz_top_terminal_run(pare_store *store, const char *store_path,
                                       const pare_stop *stop, pare_error *err)
{
    struct terminal terminal = {.top = {.store = store}, .stop = stop};
    pare_status status = pare_terminal_check("'pare fuzz list' prints the findings", err);
    if (!status) status = pare_file_watch_new(store_path, &terminal.watch, err);
    if (status) return status;
    status = pare_terminal_open(err);
    if (!status) status = show(&terminal, err);
    pare_terminal_close();
    pare_grid_done(&terminal.grid);
    pare_fuzz_top_done(&terminal.top);
    pare_file_watch_free(terminal.watch);
    return status;
}
