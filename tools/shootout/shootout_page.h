/* A shoot-out as one HTML page.
 *
 * As the report (page.h): no script, no font, no picture, nothing from outside; any width from
 * 320 pixels on, light and dark, paper, screen readers.  One thread. */
#ifndef PARE_SHOOTOUT_SHOOTOUT_PAGE_H
#define PARE_SHOOTOUT_SHOOTOUT_PAGE_H

#include "shootout/shootout.h"

#include "base/buffer.h"

enum {
    PARE_SHOOTOUT_PLOTS = 40,  /* cases up to which each has a plot of its own */
    PARE_SHOOTOUT_POINTS = 160 /* of a mean curve */
};

/* What the page is told besides the runs.  Borrowed. */
typedef struct pare_shootout_page {
    const char *command; /* what reproduces it, for a shell; NULL: not shown */
} pare_shootout_page;

/* Appends the page to *out.  Errors: PARE_E_NOMEM; *out is not complete then. */
PARE_CHECK pare_status pare_shootout_page_write(const pare_shootout_page *page,
                                                const pare_shootout *shootout, pare_buffer *out,
                                                pare_error *err);

#endif
