/* `pare fuzz top` on a terminal: ncursesw, and the waiting.
 *
 * One poll for keys, changes of the store and a stop; nothing is looked at on a timer.  While the store
 * changes all the time it is read at most four times a second.  The terminal is put back on every way
 * out.  The only file that knows ncurses, so that pare is built without it where it is missing. */
#include <pare/findings.h>
#include <pare/stop.h>

#include "base/fail.h"
#include "ui/fuzz_top.h"

#ifdef PARE_HAVE_NCURSES

#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <stdint.h>
#include <unistd.h>

#include <ncurses.h>

#include "os/clock.h"
#include "os/descriptor.h"
#include "os/file_watch.h"
#include "os/stop.h"

enum { BETWEEN_READS_MS = 250, SETTLE_MS = 15, ESCAPE_MS = 25 };

/* What is shown, and what is waited for. */
struct terminal {
    pare_fuzz_top top;
    pare_file_watch *watch;
    const pare_stop *stop;
    uint64_t read_ms, changed_ms; /* when it was read last, and when a change was last seen */
    uint64_t due_ms;              /* when it is to be read; UINT64_MAX: when it changes */
    bool has_colors;
};

/* ---- drawing ------------------------------------------------------------------------- */

static const short colors[PARE_FUZZ_TOP_N_STYLES] = {
    [PARE_FUZZ_TOP_PLAIN] = -1,         [PARE_FUZZ_TOP_BAR] = -1,
    [PARE_FUZZ_TOP_HEAD] = -1,          [PARE_FUZZ_TOP_FRESH] = COLOR_YELLOW,
    [PARE_FUZZ_TOP_GOOD] = COLOR_GREEN, [PARE_FUZZ_TOP_BAD] = COLOR_RED,
    [PARE_FUZZ_TOP_DIM] = -1,
};

static attr_t attributes_of(const struct terminal *terminal, const pare_fuzz_top_line *line)
{
    attr_t attributes = line->style == PARE_FUZZ_TOP_BAR || line->is_chosen ? A_REVERSE
                        : line->style == PARE_FUZZ_TOP_HEAD                 ? A_BOLD
                        : line->style == PARE_FUZZ_TOP_DIM                  ? A_DIM
                                                                            : A_NORMAL;
    if (terminal->has_colors && colors[line->style] >= 0)
        attributes |= (attr_t)COLOR_PAIR((int)line->style + 1);
    return attributes;
}

/* The bars and the chosen row are as wide as the screen. */
static void take_line(void *context, unsigned row, const pare_fuzz_top_line *line)
{
    const struct terminal *terminal = context;
    (void)move((int)row, 0);
    (void)attrset((int)attributes_of(terminal, line));
    (void)addnstr(line->text, (int)line->size);
    if (line->style == PARE_FUZZ_TOP_BAR || line->is_chosen) {
        for (int at = getcurx(stdscr); at < COLS && getcury(stdscr) == (int)row; at++)
            if (addch(' ') == ERR) break;
    } else if (getcury(stdscr) == (int)row) {
        (void)clrtoeol();
    }
    (void)attrset(A_NORMAL);
}

static void draw(struct terminal *terminal)
{
    (void)erase();
    pare_fuzz_top_draw(&terminal->top, (unsigned)LINES, (unsigned)COLS, take_line, terminal);
    (void)refresh();
}

/* ---- keys ---------------------------------------------------------------------------- */

static int key_of(int code)
{
    switch (code) {
    case KEY_UP: return PARE_KEY_UP;
    case KEY_DOWN: return PARE_KEY_DOWN;
    case KEY_PPAGE: return PARE_KEY_PAGE_UP;
    case KEY_NPAGE: return PARE_KEY_PAGE_DOWN;
    case KEY_HOME: return PARE_KEY_HOME;
    case KEY_END: return PARE_KEY_END;
    case KEY_ENTER:
    case '\r':
    case '\n': return PARE_KEY_ENTER;
    case 27: return PARE_KEY_ESCAPE;
    case KEY_BACKSPACE:
    case 0x7F:
    case '\b': return PARE_KEY_BACKSPACE;
    case '\t': return PARE_KEY_TAB;
    default: return code;
    }
}

/* Takes all keys that have been typed; *quit: the last one was the end. */
static pare_status take_keys(struct terminal *terminal, bool *quit, pare_error *err)
{
    pare_status status = PARE_OK;
    for (int code; !status && !*quit && (code = getch()) != ERR;) {
        if (code == KEY_RESIZE) continue;
        status = pare_fuzz_top_key(&terminal->top, key_of(code), quit, err);
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
    if (n > 0 && (fds[STOP].revents || (fds[KEYS].revents & (POLLHUP | POLLERR | POLLNVAL))))
        *quit = true;
    if (n > 0 && fds[STORE].revents && pare_file_watch_changed(terminal->watch)) {
        terminal->changed_ms = pare_clock_ms();
        if (due == UINT64_MAX) terminal->due_ms = soon(terminal);
    }
    return PARE_OK;
}

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
        if (!status) draw(terminal);
        if (!status) status = await(terminal, &quit, err);
        if (!status && !quit) status = take_keys(terminal, &quit, err);
    }
    return status;
}

/* ---- the screen ---------------------------------------------------------------------- */

static void open_screen(struct terminal *terminal)
{
    (void)cbreak();
    (void)noecho();
    (void)nonl();
    (void)keypad(stdscr, true);
    (void)nodelay(stdscr, true);
    (void)curs_set(0);
    (void)set_escdelay(ESCAPE_MS);
    terminal->has_colors = has_colors() && start_color() == OK && use_default_colors() == OK;
    for (short k = 0; terminal->has_colors && k < PARE_FUZZ_TOP_N_STYLES; k++)
        (void)init_pair((short)(k + 1), colors[k], -1);
}

pare_status pare_fuzz_top_run(pare_store *store, const char *store_path, const pare_stop *stop,
                              pare_error *err)
{
    struct terminal terminal = {.top = {.store = store}, .stop = stop};
    if (!pare_descriptor_is_terminal(STDIN_FILENO) || !pare_descriptor_is_terminal(STDOUT_FILENO))
        return pare_fail(err, PARE_E_STATE,
                         "this is no terminal: 'pare fuzz list' prints the findings");
    pare_status status = pare_file_watch_new(store_path, &terminal.watch, err);
    if (status) return status;
    (void)setlocale(LC_CTYPE, "");
    SCREEN *screen = newterm(NULL, stdout, stdin);
    if (screen) {
        open_screen(&terminal);
        status = show(&terminal, err);
        (void)endwin();
        delscreen(screen);
    } else {
        status = pare_fail(err, PARE_E_STATE,
                           "this terminal is not known: set TERM, or use 'pare fuzz list'");
    }
    pare_fuzz_top_done(&terminal.top);
    pare_file_watch_free(terminal.watch);
    return status;
}

#else

pare_status pare_fuzz_top_run(pare_store *store, const char *store_path, const pare_stop *stop,
                              pare_error *err)
{
    (void)store, (void)store_path, (void)stop;
    return pare_fail(err, PARE_E_UNSUPPORTED,
                     "pare was built without ncurses (libncurses-dev): 'pare fuzz list' prints the "
                     "findings, 'pare fuzz web' shows them in a browser");
}

#endif
