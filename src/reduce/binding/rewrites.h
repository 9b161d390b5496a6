/* Rewrites: what a pass wishes for, and the list of patches that it becomes.
 *
 * A wish is one change (this statement goes, that call becomes 0).  Wishes that belong together
 * are an alternative; alternatives for one purpose are an item, and an item is what is tried.
 * When patches are written, wishes are made fit to be printed: separators of a list go with its
 * elements, statements leave what must stand in their place, of two wishes of which one lies in
 * the other the outer one counts, and words do not run together.
 *
 * Items that stand for many equal things are offered in groups: all at once, then halves, and
 * so on, so that a group of which nothing matters goes in one test and one that matters is
 * found in a logarithmic number of them (delta debugging over declarations in place of lines).
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

/* One way to do one thing: wishes first .. first+n-1. */
typedef struct pare_rewrite_alternative {
    size_t first, n;
} pare_rewrite_alternative;

/* One thing to try, such as to leave out a declaration with its uses.  Of its alternatives the
 * first saves most. */
typedef struct pare_rewrite_item {
    size_t first, n; /* alternatives */
    uint64_t weight; /* bytes; heavier ones are kept when there are too many */
} pare_rewrite_item;

typedef struct pare_rewrites {
    const pare_syntax *syntax; /* borrowed */
    pare_rewrite *at;          /* owned, as all below */
    size_t n, capacity;
    pare_buffer texts;
    pare_rewrite *scratch;
    size_t scratch_capacity;
    uint32_t *marks; /* by node: which removal it is part of, see rewrites.c */
    uint32_t round;
    pare_rewrite_alternative *alternatives;
    size_t n_alternatives, alternative_capacity;
    pare_rewrite_item *items;
    size_t n_items, item_capacity;
    size_t open_wish, open_alternative; /* where what is being collected begins */
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

/* Ends an alternative: the wishes since the last one.  Nothing, if there are none.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_rewrites_alternative(pare_rewrites *rewrites, pare_error *err);

/* Ends an item of the alternatives since the last one.  Nothing, if there are none.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_rewrites_item(pare_rewrites *rewrites, uint64_t weight,
                                          pare_error *err);

typedef enum pare_rewrites_grouping {
    PARE_REWRITES_SINGLE, /* each item by itself */
    PARE_REWRITES_HALVES  /* all, halves, quarters and so on down to items */
} pare_rewrites_grouping;

/* Makes patches of the `most` heaviest items (0: of all) that save at least `least` bytes
 * each, in the order in which they came.  Changes are limited to about a million: groups
 * then begin smaller.  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_rewrites_write(pare_rewrites *rewrites, pare_rewrites_grouping grouping,
                                           size_t most, int64_t least, pare_patches *out,
                                           pare_error *err);

#endif
