/* Templates of reports: a text with fields in it, in a part of Mustache's notation.
 *
 *     {{name}}              the field's text, as the form says (below)
 *     {{{name}}}            the same, as it is
 *     {{#name}}...{{/name}} once, if the field is not empty; of a list once for each row, whose
 *                           fields come before the others within
 *     {{^name}}...{{/name}} if it is empty
 *     {{! a comment }}
 *     {{function name}}     what a function makes of it, with up to 4 names; of ours: fence, code,
 *                           line, json, url, text (below); others are written in Lua
 *                           (template_functions.h).  Sections take them too: {{#function name}}
 *
 * A line that contains only a section tag or a comment leaves no empty line.  An unknown field is
 * an error and not empty, because a report without its input should not be sent.
 *
 * fence: a block of Markdown; code: a span of it, or in the plain form the text; line: its first
 * line; json: a string of JSON; url: percent-encoded; text: lines indented by four blanks. */
#ifndef PARE_CAMPAIGN_TEMPLATE_H
#define PARE_CAMPAIGN_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"

enum { PARE_TEMPLATE_DEPTH = 32, PARE_TEMPLATE_WORDS = 5, PARE_TEMPLATE_MOST_BYTES = 16 << 20 };

/* How {{name}} is written. */
typedef enum pare_template_form {
    PARE_TEMPLATE_PLAIN,   /* so that every character is seen */
    PARE_TEMPLATE_MARKDOWN /* as a span of code, but fields of our own as they are */
} pare_template_form;

struct pare_template_scope;

/* A text, or a list; borrowed. */
typedef struct pare_template_field {
    const char *name;
    const char *text;
    size_t size;
    bool is_ours; /* it holds no byte that a target could have chosen: numbers, dates, states */
    const struct pare_template_scope *rows; /* of a list; NULL: it is a text */
    size_t n_rows;
} pare_template_field;

typedef struct pare_template_scope {
    const pare_template_field *fields;
    size_t n;
} pare_template_scope;

/* A call of a function from outside; borrowed. */
typedef struct pare_template_call {
    const char *name;
    const pare_template_field *const *arguments;
    size_t n_arguments;
    const pare_template_scope *scope; /* all fields */
} pare_template_call;

/* Functions from outside (template_functions.h): `call` appends what the function makes.  NULL: none. */
typedef struct pare_template_caller {
    PARE_CHECK pare_status (*call)(void *self, const pare_template_call *call, pare_buffer *out,
                                   pare_error *err);
    void *self; /* of the functions */
} pare_template_caller;

/* What a template is filled with; borrowed. */
typedef struct pare_template_use {
    pare_template_form form;
    pare_template_scope scope;
    pare_template_caller caller;
} pare_template_use;

typedef struct pare_template pare_template; /* immutable */

/* Reads a template; `name` is for sentences.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_SYNTAX ("NAME:LINE: ..."), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_template_new(const char *name, const char *text, size_t size,
                                         pare_template **out, pare_error *err);
void pare_template_free(pare_template *template); /* NULL is a no-op */

/* Appends the filled template.  Errors: PARE_E_SYNTAX (no such field, no such function, what a
 * function says), PARE_E_LIMIT (longer than PARE_TEMPLATE_MOST_BYTES), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_template_write(const pare_template *template,
                                           const pare_template_use *use, pare_buffer *out,
                                           pare_error *err);

#endif
