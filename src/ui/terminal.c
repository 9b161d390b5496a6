/* The terminal that a grid is shown on, by ncursesw.
 *
 * ncurses compares what is to be seen with what is seen and writes the difference, which is little
 * enough for a slow line.  Characters go into it one by one at their column, so it never has to know
 * how wide one is, and the last column of the last row is left out: to write it would scroll some
 * terminals.  The size is asked of the system at each drawing and not told by a signal, which another
 * thread might get.  The only file that knows ncurses, so that pare is built without it where it is
 * missing.  Tested by tests/cli/test_view.sh and tests/cli/test_fuzz_top.sh. */
#include "ui/grid.h"

#include "base/fail.h"

#ifdef PARE_HAVE_NCURSES

#include <locale.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <ncurses.h>

#include "os/descriptor.h"

/* How long after an escape byte the rest of a key's sequence is waited for; alone it is
 * the key Escape. */
enum { ESCAPE_MS = 25 };

/* Curses has one at a time, and keeps it in globals of its own. */
static SCREEN *screen;
static bool colored;
static struct sigaction on_stop, on_resize; /* as they were before curses took them */
static locale_t ours,
    before; /* of the thread that has the terminal: what is a letter is asked of the
                                 locale elsewhere, too, and may not depend on who looks on */

static const short colors[PARE_N_STYLES] = {
    [PARE_STYLE_PLAIN] = -1,         [PARE_STYLE_BAR] = -1,
    [PARE_STYLE_HEAD] = -1,          [PARE_STYLE_FRESH] = COLOR_YELLOW,
    [PARE_STYLE_GOOD] = COLOR_GREEN, [PARE_STYLE_BAD] = COLOR_RED,
    [PARE_STYLE_DIM] = -1,           [PARE_STYLE_MARK] = COLOR_YELLOW,
    [PARE_STYLE_WORD] = COLOR_BLUE,  [PARE_STYLE_TEXT] = COLOR_GREEN,
    [PARE_STYLE_NOTE] = COLOR_CYAN,
};

static const attr_t attributes[PARE_N_STYLES] = {
    [PARE_STYLE_BAR] = A_REVERSE,
    [PARE_STYLE_HEAD] = A_BOLD,
    [PARE_STYLE_DIM] = A_DIM,
    [PARE_STYLE_MARK] = A_REVERSE,
};

/* Looks at the two descriptors only: whether curses knows the terminal shows when it is
 * opened. */
pare_status pare_terminal_check(const char *instead, pare_error *err)
{
    if (pare_descriptor_is_terminal(STDIN_FILENO) && pare_descriptor_is_terminal(STDOUT_FILENO))
        return PARE_OK;
    return pare_fail(err, PARE_E_STATE, "this is not a terminal: %s", instead);
}

/* Puts the thread's locale back as it was before pare_terminal_open.  Without the
 * user's locale there is none to be freed, and none was taken. */
static void leave_locale(void)
{
    (void)uselocale(before);
    if (ours) freelocale(ours);
    ours = (locale_t)0;
}

/* Curses sets handlers for a stop (Ctrl-Z) and for a change of size, which the program
 * would miss: they are kept, to be put back at the end.
 * What is set then: keys come at once (cbreak) and are not shown, Enter stays what it
 * is (nonl), sequences of keys are read as one (keypad), asking for a key does not wait
 * (nodelay), and the cursor is hidden. */
pare_status pare_terminal_open(pare_error *err)
{
    ours = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    before = uselocale(ours);
    (void)sigaction(SIGTSTP, NULL, &on_stop);
    (void)sigaction(SIGWINCH, NULL, &on_resize);
    screen = newterm(NULL, stdout, stdin);
    if (!screen) {
        leave_locale();
        return pare_fail(err, PARE_E_STATE, "this terminal is unknown: set TERM");
    }
    (void)cbreak();
    (void)noecho();
    (void)nonl();
    (void)keypad(stdscr, true);
    (void)nodelay(stdscr, true);
    (void)curs_set(0);
    (void)set_escdelay(ESCAPE_MS);
    colored = has_colors() && start_color() == OK && use_default_colors() == OK;
    /* Pair 0 is curses' own, so that of a style is its number and one. */
    for (short k = 0; colored && k < PARE_N_STYLES; k++)
        (void)init_pair((short)(k + 1), colors[k], -1);
    return PARE_OK;
}

/* Also called where nothing is open, so callers need not remember. */
void pare_terminal_close(void)
{
    if (!screen) return;
    (void)endwin();
    delscreen(screen);
    screen = NULL;
    leave_locale();
    (void)sigaction(SIGTSTP, &on_stop, NULL);
    (void)sigaction(SIGWINCH, &on_resize, NULL);
}

/* Curses is told of a new size here, as it gets no signal; a terminal that does not
 * tell its size keeps what curses assumed. */
void pare_terminal_size(unsigned *rows, unsigned *columns)
{
    struct winsize size = {.ws_row = 0};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col &&
        is_term_resized(size.ws_row, size.ws_col))
        (void)resizeterm(size.ws_row, size.ws_col);
    *rows = LINES > 0 ? (unsigned)LINES : 1;
    *columns = COLS > 0 ? (unsigned)COLS : 1;
}

/* A cell holds one character, whole.  By its code point and not by its bytes: curses asks the locale
 * of the program about those, which is not the user's. */
static wchar_t character_of(const pare_cell *cell)
{
    /* The bits of a first byte that belong to the code point, by the number of bytes: 7
     * of ASCII, 5, 4, 3. */
    static const unsigned char lead[] = {0x7F, 0, 0x1F, 0x0F, 0x07};
    const unsigned char *bytes = (const unsigned char *)cell->text;
    if (!*bytes) return L' ';
    size_t size = *bytes < 0x80 ? 0 : strlen(cell->text);
    unsigned long code = *bytes & lead[size];
    for (size_t k = 1; k < size; k++)
        code = code << 6 | (bytes[k] & 0x3F);
    return (wchar_t)code;
}

/* Everything is written into curses' own picture of the screen; refresh() writes to the
 * terminal what has changed in it. */
void pare_terminal_show(const pare_grid *grid)
{
    (void)erase();
    for (unsigned row = 0; row < grid->rows; row++) {
        const pare_cell *cells = grid->cells + (size_t)row * grid->columns;
        /* The very last cell stays empty: see the opening comment. */
        const unsigned last = grid->columns - (row + 1 == grid->rows);
        for (unsigned column = 0; column < last; column++) {
            if (cells[column].is_rest) continue;
            const unsigned style = cells[column].style;
            const wchar_t text[] = {character_of(&cells[column]), L'\0'};
            const short pair = colored && colors[style] >= 0 ? (short)(style + 1) : 0;
            cchar_t shown;
            /* An empty cell without colour is what erase() has left there. */
            if (*text == L' ' && attributes[style] == A_NORMAL) continue;
            if (setcchar(&shown, text, attributes[style], pair, NULL) == OK)
                (void)mvadd_wch((int)row, (int)column, &shown);
        }
    }
    (void)refresh();
}

/* Keys that are characters are their bytes, one call each.  A change of size is no key:
 * the next drawing asks for it. */
int pare_terminal_key(void)
{
    const int code = getch();
    switch (code) {
    case ERR: return -1;
    case KEY_RESIZE: return pare_terminal_key();
    case KEY_UP: return PARE_KEY_UP;
    case KEY_DOWN: return PARE_KEY_DOWN;
    case KEY_LEFT: return PARE_KEY_LEFT;
    case KEY_RIGHT: return PARE_KEY_RIGHT;
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

#else

static const char NONE[] = "pare was built without ncurses (libncurses-dev)";

pare_status pare_terminal_check(const char *instead, pare_error *err)
{
    return pare_fail(err, PARE_E_UNSUPPORTED, "%s: %s", NONE, instead);
}

pare_status pare_terminal_open(pare_error *err)
{
    return pare_fail(err, PARE_E_UNSUPPORTED, "%s", NONE);
}

void pare_terminal_close(void)
{
}

void pare_terminal_size(unsigned *rows, unsigned *columns)
{
    *rows = *columns = 1;
}

void pare_terminal_show(const pare_grid *grid)
{
    (void)grid;
}

int pare_terminal_key(void)
{
    return -1;
}

#endif
