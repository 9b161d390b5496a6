/* How output may look: colours or not, which characters. */
#ifndef PARE_UI_STYLE_H
#define PARE_UI_STYLE_H

#include "ui/sparkline.h"

typedef enum pare_color_choice {
    PARE_COLOR_AUTO, /* on a terminal, unless NO_COLOR is set or TERM is dumb */
    PARE_COLOR_ALWAYS,
    PARE_COLOR_NEVER
} pare_color_choice;

typedef enum pare_paint { PARE_PLAIN, PARE_COLORED } pare_paint;

/* Whether what is written to `fd` may be coloured.  Reads the environment. */
pare_paint pare_style_paint(pare_color_choice choice, int fd);

/* PARE_UTF8 when the user's locale is UTF-8.  Changes no global state. */
pare_charset pare_style_charset(void);

/* Whether a line on `fd` can be redrawn in place: a terminal, not a dumb one. */
typedef enum pare_redraw { PARE_NO_REDRAW, PARE_REDRAW } pare_redraw;
pare_redraw pare_style_redraw(int fd);

#endif
