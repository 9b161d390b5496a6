/* What may be in which element, and where which may stand: tables. */
#ifndef PARE_WEB_CONTENT_H
#define PARE_WEB_CONTENT_H

#include "web/rules.h"

/* Of an element. */
typedef struct pare_web_content {
    char space;        /* 'e' HTML, 's' SVG, 'm' MathML */
    bool is_void;      /* it has no content and no end tag */
    bool is_known;     /* it is in a table */
    const char *rule;  /* of its content */
    const char *place; /* a rule of which it is one expansion; "": where others name it */
} pare_web_content;

/* By the element's interface and name; false: it is never made. */
bool pare_web_content_find(const char *interface, const char *name, pare_web_content *out);

/* Adds the rules that tables name, and "html" and "svg". */
void pare_web_content_add(pare_web_rules *rules);

#endif
