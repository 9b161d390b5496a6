/* A text with marked stretches, as HTML of bounded size.
 *
 * Lines are numbered.  What is far from any mark is folded: lines into "N lines left out",
 * the inside of a long line into "N bytes left out".  One thread. */
#ifndef PARE_UI_PANE_H
#define PARE_UI_PANE_H

#include "ui/html.h"

typedef struct pare_mark {
    size_t begin, end; /* bytes; not empty */
} pare_mark;

typedef enum pare_fold {
    PARE_FOLD_FAR, /* lines without a mark near them */
    PARE_FOLD_NONE /* nothing, but for the limit */
} pare_fold;

typedef struct pare_pane {
    const unsigned char *bytes; /* all borrowed */
    size_t size;
    const pare_mark *marks; /* ascending, apart */
    size_t n_marks;
    const char *element; /* around marked bytes: "mark", "u" */
    const char *label;   /* what it is, for those who do not see it: our own text */
    pare_fold fold;
    size_t limit; /* bytes of HTML after which the rest is left out */
} pare_pane;

/* Adds the pane; its HTML is at most `limit` and some 8 KiB long. */
void pare_pane_add(pare_html *html, const pare_pane *pane);

#endif
