/* What the pages that are written by themselves have in common: the report of a run, that of a
 * shoot-out, and the walk through a prototype graph.
 *
 * Such a page is one file that needs nothing else, and can be mailed.  Its policy
 * (Content-Security-Policy) names the digest of its one style sheet and of its one script, and
 * forbids all others, attributes included: what a program has printed could not run, and could not
 * even be coloured.  Positions and widths are therefore attributes of SVG.  Any thread. */
#ifndef PARE_UI_FRAME_H
#define PARE_UI_FRAME_H

#include "ui/format.h"
#include "ui/html.h"

/* How a page begins and ends.  All borrowed, and the same for both. */
typedef struct pare_frame {
    const char *title;        /* from outside; cut */
    const char *const *rules; /* of the style, after pare_frame_style, up to a NULL; or NULL */
    const char *script;       /* ours; NULL: the page has none */
} pare_frame;

/* Up to and with <body>. */
void pare_frame_begin(pare_html *html, const pare_frame *frame);

/* The script, and what closes the page. */
void pare_frame_end(pare_html *html, const pare_frame *frame);

/* The style sheet of all pages, and the script of reports: page.css and page.js. */
extern const char pare_frame_style[], pare_frame_script[];

/* ---- parts --------------------------------------------------------------------------- */

/* A section and its heading.  `id` and `title` are ours, and the id is once in the page.  A LONG
 * one may be broken when it is printed. */
typedef enum pare_frame_extent { PARE_FRAME_SHORT, PARE_FRAME_LONG } pare_frame_extent;

void pare_frame_begin_section(pare_html *html, const char *id, const char *title,
                              pare_frame_extent extent);
void pare_frame_end_section(pare_html *html);

/* Text from outside, of which 1,000 bytes are shown; the second in the typeface of code. */
void pare_frame_add_text(pare_html *html, const char *text);
void pare_frame_add_code(pare_html *html, const char *text);

/* A name and its value in a list of definitions (<dl>): screen readers read them as a pair. */
void pare_frame_begin_fact(pare_html *html, const char *name);
void pare_frame_end_fact(pare_html *html);
void pare_frame_add_fact(pare_html *html, const char *name, const char *value); /* from outside */

/* A command, or the text of a script, from outside, below its heading (ours; may be NULL); whole up to
 * 8,000 bytes, with a button that copies it.  Nothing for NULL. */
void pare_frame_add_command(pare_html *html, const char *what, const char *command);

/* A bar of `share` (0 .. 1) of the width there is; none for 0. */
void pare_frame_add_bar(pare_html *html, double share);

/* What is folded away until somebody asks for it. */
void pare_frame_begin_fold(pare_html *html, const char *summary); /* our own text */
void pare_frame_end_fold(pare_html *html);

/* Sizes that people compare by hand are written out: from 1,000 to 99,999 bytes. */
const char *pare_frame_size(char text[static PARE_FORMAT_BYTES], size_t bytes);

#endif
