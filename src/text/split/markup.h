/* Tags of a text: what opens and closes something by a name, found by bytes alone.
 *
 * A tag is `<name ...>`, `[name ...]` or `{% name ... %}`, with other signs than % or none.  It is
 * closed by one of the same bracket with a `/` before its name: `</name>`, `[/name]`, `{{/name}}`;
 * but for < > also by one with `end` before it: `{% endname %}`.  Tags that are closed nest.  One with
 * < > that nothing closes is a tag, too, as are comments and the like: `<br>`, `<a/>`, `<!-- -->`,
 * `<?a?>`.  Where nothing at all is closed that may be chance, as `<T>` in a program: has_pairs tells.
 *
 * A text that begins with < is taken for markup: a quote outside of tags is text.  In another one
 * there are no tags in strings (text/split/split.h). */
#ifndef PARE_TEXT_SPLIT_MARKUP_H
#define PARE_TEXT_SPLIT_MARKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

typedef struct pare_markup_tag {
    uint32_t begin, end; /* bytes */
    uint32_t name_end;   /* behind the name; of a comment and the like, which have none: begin */
    uint32_t partner;    /* index of the tag that closes it, or that it closes; its own: none */
} pare_markup_tag;

/* All-zero: no tags. */
typedef struct pare_markup {
    pare_markup_tag *tags; /* owned; in the order of the text */
    size_t n, capacity;
    bool has_pairs; /* a tag is closed */
} pare_markup;

/* Finds the tags of `size` bytes (at most PARE_TEXT_MAX_BYTES), any bytes.  Time is linear in the size.  On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_markup_find(const unsigned char *bytes, size_t size, pare_markup *out,
                                        pare_error *err);
void pare_markup_done(pare_markup *markup); /* all-zero is a no-op */

/* Whether bytes begin .. end-1 look like a tag with < >, or an element. */
bool pare_markup_is_angle(const unsigned char *bytes, size_t begin, size_t end);

#endif
