/* Tags: bracket groups that open and close something by a name, in texts of which no tree is known.
 *
 * A tag is `<name ...>`, or a group of [ ] or { } that begins with a name, perhaps behind signs:
 * `<a x="">`, `[b]`, `{% if x %}`, `{{#each x}}`.  It is closed by a tag of the same bracket that has a
 * `/` before the name, or `end` at its begin: `</a>`, `[/b]`, `{% endif %}`, `{{/each}}`.  A tag that
 * is closed by none may still be one: `<br>`, `<a/>`. */
#ifndef PARE_REDUCE_PASSES_TAGS_H
#define PARE_REDUCE_PASSES_TAGS_H

#include "reduce/passes/pass.h"

/* Lexemes. */
typedef struct pare_tag {
    uint32_t first, name, name_last, last; /* bracket, name and bracket; a name may be of several */
    uint32_t close, close_last;            /* of the tag that closes it, or PARE_NO_LEXEME */
} pare_tag;

/* All-zero: none. */
typedef struct pare_tags {
    pare_tag *items; /* owned; in the order of the text; what they enclose is nested, or apart */
    size_t n, capacity;
} pare_tags;

/* The tags of a view: those that are closed, and of those with < > the others.  O(lexemes).  On PARE_OK
 * the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_tags_find(const pare_pass_view *view, pare_tags *out, pare_error *err);
void pare_tags_done(pare_tags *tags); /* all-zero is a no-op */

#endif
