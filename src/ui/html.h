/* HTML that is put together piece by piece, with any bytes in it.
 *
 * Our own markup goes in as it is; everything that comes from outside (names, signatures,
 * contents of files) goes through pare_html_bytes, after which it is text and nothing
 * else, whatever it holds: <, >, &, " and ' are entities; what is no UTF-8, or would not be
 * seen, or would move what is seen (control characters, bidirectional controls, zero-width
 * and unassigned-for-good ones) is written as an escape, \xNN or \u{NNNN}, inside
 * <i class="x">.  A tab stays a tab; a line end is an escape.
 *
 * Running out of memory is kept, and nothing is added after it.  One thread. */
#ifndef PARE_UI_HTML_H
#define PARE_UI_HTML_H

#include <stdbool.h>

#include "base/buffer.h"

/* All-zero is empty. */
typedef struct pare_html {
    pare_buffer bytes;  /* owned; valid UTF-8 without a NUL as long as the markup is */
    pare_status status; /* PARE_E_NOMEM: not complete */
} pare_html;

void pare_html_done(pare_html *html);

/* Our own markup. */
void pare_html_raw(pare_html *html, const char *markup);

/* The same by printf: arguments must be numbers, or text of ours. */
void pare_html_format(pare_html *html, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Text from outside. */
void pare_html_bytes(pare_html *html, const void *bytes, size_t size);
void pare_html_text(pare_html *html, const char *text); /* NUL-terminated */

/* The same, but that a line end stays one: for <pre>. */
void pare_html_lines(pare_html *html, const void *bytes, size_t size);

/* A JSON string, for a script element that is no script: nothing in it can end the string or the
 * element.  What is no UTF-8 becomes the replacement character. */
void pare_html_json_string(pare_html *html, const char *text);

/* ---- panes: a text with marked stretches, as HTML of bounded size -----------------------
 *
 * Lines are numbered.  What is far from any mark is folded: lines into "N lines left out",
 * the inside of a long line into "N bytes left out".  Bytes that are no text are shown in
 * hexadecimal, 16 in a row, with their characters at its end.  One thread. */

typedef struct pare_mark {
    size_t begin, end; /* bytes; not empty */
} pare_mark;

typedef enum pare_fold {
    PARE_FOLD_FAR, /* lines without a mark near them */
    PARE_FOLD_NONE /* nothing, but for the limit */
} pare_fold;

typedef enum pare_pane_form { PARE_PANE_TEXT, PARE_PANE_HEX } pare_pane_form;

/* HEX if more than an eighth of the first 8 KiB would take an escape. */
pare_pane_form pare_html_form(const void *bytes, size_t size);

typedef struct pare_pane {
    const unsigned char *bytes; /* all borrowed */
    size_t size;
    const pare_mark *marks; /* ascending, apart */
    size_t n_marks;
    const char *element; /* around marked bytes: "mark", "u" */
    /* Adds what opens the element of mark `index`, instead of "<element>"; NULL: nothing else. */
    void (*open)(const void *context, pare_html *html, size_t index);
    const void *context; /* its own; borrowed */
    const char *label;   /* what it is, for those who do not see it: our own text */
    const char *extra;   /* more classes, each after a blank: ours; may be NULL */
    pare_pane_form form;
    pare_fold fold;
    size_t limit; /* bytes of HTML after which the rest is left out */
} pare_pane;

/* Adds the pane; its HTML is at most `limit` and some 8 KiB long. */
void pare_html_add_pane(pare_html *html, const pare_pane *pane);

#endif
