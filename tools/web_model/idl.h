/* Attributes of elements, out of Web IDL.
 *
 * Of a file are read the interfaces and mixins, whom they inherit from and include, and their
 * attributes that may be attributes in markup: those that say so ([Reflect], [CEReactions]),
 * SVG's animated ones and event handlers.  Everything else is passed over.
 * Source: Web IDL (whatwg), section 2; the HTML Standard, section 2.6.1, "Reflecting content
 * attributes in IDL attributes", for [Reflect] and its like. */
#ifndef PARE_WEB_MODEL_IDL_H
#define PARE_WEB_MODEL_IDL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/fail.h"

typedef struct pare_idl_attribute {
    const char *interface; /* or mixin */
    const char *name;
    const char *content; /* its name in markup, where that is said; else NULL */
    const char *type;    /* its words, with a blank between; "?" and [...] are left out */
    bool reflects;       /* [Reflect] and its like; else its value may be anything else, too */
    bool is_url;
    double low, high;   /* of a number; -INFINITY .. INFINITY */
    const char *markup; /* for who uses it: the name in markup that was decided on; else NULL */
} pare_idl_attribute;

/* `name` inherits from `other`, or includes it. */
typedef struct pare_idl_link {
    const char *name, *other;
    bool includes;
} pare_idl_link;

/* All-zero is empty. */
typedef struct pare_idl {
    pare_idl_attribute *attributes; /* owned; in the order in which they were read */
    size_t n_attributes, attributes_capacity;
    pare_idl_link *links; /* owned */
    size_t n_links, links_capacity;
    pare_arena memory; /* of all texts */
} pare_idl;

void pare_idl_done(pare_idl *idl);

/* Adds what a file says; `path` is for sentences.
 * Errors: PARE_E_SYNTAX (brackets or texts without an end; err->line), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_idl_read(pare_idl *idl, const char *path, const char *text, size_t size,
                                     pare_error *err);

/* What `name` inherits from; NULL: nothing. */
const char *pare_idl_parent(const pare_idl *idl, const char *name);

#endif
