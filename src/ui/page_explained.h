/* An explanation on a report: the result with marks, and the section about what the failure needs.
 *
 * In an explained result what may vary is marked.  Marks are links to the rows of a table, so that all
 * of it is there without a script; with page.js what is pointed at, or reached by the arrow keys, is
 * told beside the text.  One thread. */
#ifndef PARE_UI_PAGE_EXPLAINED_H
#define PARE_UI_PAGE_EXPLAINED_H

#include <stddef.h>

#include <pare/explain.h>

#include "ui/html.h"

/* Adds the result with its marks, in at most `limit` bytes of HTML, after what they mean. */
void pare_page_explained_add_text(pare_html *html, const pare_explanation *explanation,
                                  const char *label, size_t limit);

/* Adds the section about what the failure needs: its form, and a row for each part.  Nothing where
 * nothing was explained (NULL). */
void pare_page_explained_add_section(pare_html *html, const pare_explanation *explanation);

#endif
