/* Rewrites: what is to become of some nodes, and how that is one patch.
 *
 * A pass collects what it wants for one purpose (this statement goes, that call becomes 0);
 * here it is made fit to be printed: separators of a list go with its elements, statements
 * leave behind what must stand in their place, of two rewrites of which one lies in the
 * other the outer one counts, and words do not run together.
 *
 * Owned by one pass for the time of one offer; one thread. */
#ifndef PARE_REDUCE_BINDING_REWRITES_H
#define PARE_REDUCE_BINDING_REWRITES_H

#include "base/buffer.h"
#include "reduce/binding/syntax.h"
#include "text/patch.h"

/* One wish: bytes from .. to-1 become `size` bytes at `at` of the texts; or, if `node` is
 * not PARE_NO_NODE, that node goes. */
typedef struct pare_rewrite {
    uint32_t from, to;
    uint32_t at, size;
    uint32_t node;
} pare_rewrite;

typedef struct pare_rewrites {
    const pare_syntax *syntax; /* borrowed */
    pare_rewrite *at;          /* owned */
    size_t n, capacity;
    pare_buffer texts;
    pare_rewrite *scratch; /* owned, as all below */
    size_t scratch_capacity;
    uint32_t *marks; /* by node: which removal it is part of, see rewrites.c */
    uint32_t round;
} pare_rewrites;

/* Errors: PARE_E_NOMEM; *rewrites is to be given to done in any case. */
PARE_CHECK pare_status pare_rewrites_init(pare_rewrites *rewrites, const pare_syntax *syntax,
                                          pare_error *err);
void pare_rewrites_done(pare_rewrites *rewrites); /* all-zero is a no-op */

/* Appends a wish.  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_rewrites_remove(pare_rewrites *rewrites, uint32_t node,
                                            pare_error *err);
PARE_CHECK pare_status pare_rewrites_replace(pare_rewrites *rewrites, uint32_t node,
                                             const char *text, size_t size, pare_error *err);
PARE_CHECK pare_status pare_rewrites_range(pare_rewrites *rewrites, uint32_t from, uint32_t to,
                                           const char *text, size_t size, pare_error *err);

/* Makes a patch of wishes first .. first+n-1 and more of them below `parent`
 * (PARE_NO_PATCH: of the list).  *index is where it is; PARE_NO_PATCH when it would save
 * fewer than `least` bytes, or change nothing, and is not there.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_rewrites_offer(pare_rewrites *rewrites, size_t first, size_t n,
                                           int64_t least, pare_patches *out, uint32_t parent,
                                           uint32_t *index, pare_error *err);

#endif
