/* What the terminal, the locale and the environment allow. */
#include "ui/style.h"

#include <langinfo.h>
#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "os/terminal.h"

static bool is_dumb(void)
{
    const char *term = getenv("TERM");
    return !term || !*term || strcmp(term, "dumb") == 0;
}

pare_redraw pare_style_redraw(int fd)
{
    return pare_terminal_is(fd) && !is_dumb() ? PARE_REDRAW : PARE_NO_REDRAW;
}

/* NO_COLOR as https://no-color.org has it: set and not empty. */
pare_paint pare_style_paint(pare_color_choice choice, int fd)
{
    if (choice != PARE_COLOR_AUTO) return choice == PARE_COLOR_ALWAYS ? PARE_COLORED : PARE_PLAIN;
    const char *no_color = getenv("NO_COLOR");
    if (no_color && *no_color) return PARE_PLAIN;
    return pare_style_redraw(fd) == PARE_REDRAW ? PARE_COLORED : PARE_PLAIN;
}

pare_charset pare_style_charset(void)
{
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (!locale) return PARE_ASCII;
    pare_charset charset =
        strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0 ? PARE_UTF8 : PARE_ASCII;
    freelocale(locale);
    return charset;
}
