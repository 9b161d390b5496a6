/* Patches: edits of a text that are made together, and lists of them.
 *
 * A pass looks at a text once and lists the patches that could be made, each of some changes.
 * Which of them are made, and which together, is decided by the engine that tests them
 * (engine/pool.h).  All patches of a list are about the same text, so any number of them
 * can be united as long as they agree: two changes agree if they do not overlap, if they
 * are the same, or if one leaves out all that the other touches.
 *
 * A patch may have parts: what is worth trying when it fails, such as the halves of what
 * it leaves out, or something less drastic in the same place.  Parts have parts in turn.
 *
 * A number that counts parts of the text may follow what is left out of them: it is lowered by
 * what the whole set leaves out, so patches that lower the same number agree.
 *
 * One thread; built once, then read only and shared by reference. */
#ifndef PARE_TEXT_PATCH_H
#define PARE_TEXT_PATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "text/candidate.h"
#include "text/text.h"

/* Bytes from .. to-1 of the text become `size` bytes at `at` of the list's literals; with
 * PARE_LOWERED, what is left of counter `at`. */
typedef struct pare_change {
    uint32_t from, to;
    uint32_t at, size;
} pare_change;

#define PARE_LOWERED UINT32_MAX

/* Bytes from .. to-1, which count as one when all of them go; with `each`, as many as go. */
typedef struct pare_counted {
    uint32_t from, to;
    bool each;
} pare_counted;

/* The number at from .. to-1, and what it counts: behind it, ascending. */
typedef struct pare_counter {
    uint32_t from, to;
    size_t value;
    size_t first, n; /* of the list's `counted` */
} pare_counter;

#define PARE_NO_PATCH UINT32_MAX

/* Changes ascend; between two of them stands text, or the first one is not an insertion:
 * nothing is inserted twice in one place.  `first_part` and `next` are patches or
 * PARE_NO_PATCH: parts are linked in the order in which they were added. */
typedef struct pare_patch {
    uint32_t first_change, n_changes; /* n_changes > 0 */
    uint32_t parent, first_part, last_part, next;
    int64_t gain; /* bytes that it saves alone; below 0: it grows the text */
} pare_patch;

/* A list.  The arrays are owned by it; read them, do not write. */
typedef struct pare_patches {
    size_t references;
    const pare_text *text; /* one reference */
    pare_patch *patches;
    size_t n, capacity;
    pare_change *changes;
    size_t n_changes, change_capacity;
    pare_buffer literals;
    pare_counter *counters;
    size_t n_counters, counter_capacity;
    pare_counted *counted;
    size_t n_counted, counted_capacity;
    size_t open; /* first change of the patch that is being built */
    bool spaced; /* a space is put between two word-like bytes that come to touch where
                    something was left out; to be set while the list is made */
} pare_patches;

/* An empty list about `text`.  On PARE_OK the caller owns *out, one reference.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_patches_new(const pare_text *text, pare_patches **out, pare_error *err);
pare_patches *pare_patches_ref(pare_patches *patches);
void pare_patches_unref(pare_patches *patches); /* NULL is a no-op */

/* Adds a change to the patch that is being built, after those it has: bytes from .. to-1
 * become `size` bytes at `bytes`.  One that changes no byte is left out.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT (4 GiB of literals). */
PARE_CHECK pare_status pare_patches_change(pare_patches *patches, size_t from, size_t to,
                                           const void *bytes, size_t size, pare_error *err);

/* Adds a counter of the number at from .. to-1, which is `value`; what it counts is added to it
 * after that, in ascending order and behind the number.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_patches_counter(pare_patches *patches, size_t from, size_t to,
                                            size_t value, uint32_t *index, pare_error *err);
PARE_CHECK pare_status pare_patches_count(pare_patches *patches, pare_counted counted,
                                          pare_error *err);

/* Adds a change as pare_patches_change does: the number becomes what is left of it by all that
 * the set of changes leaves out.  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_patches_lower(pare_patches *patches, uint32_t counter, pare_error *err);

/* Ends the patch that is being built and makes it a part of `parent`, or, with
 * PARE_NO_PATCH, one of the list itself.  *index (may be NULL) is its place in the list,
 * or PARE_NO_PATCH when it would change nothing, and is not there.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT (more than 2^31 patches or changes). */
PARE_CHECK pare_status pare_patches_end(pare_patches *patches, uint32_t parent, uint32_t *index,
                                        pare_error *err);

/* Changes of a patch; borrowed until the list grows. */
static inline const pare_change *pare_patch_changes(const pare_patches *patches, uint32_t patch)
{
    return patches->changes + patches->patches[patch].first_change;
}

/* What came of uniting two sets of changes. */
typedef enum pare_union {
    PARE_UNION_MORE,    /* the union changes more than the first set */
    PARE_UNION_SAME,    /* the second set is in the first one already */
    PARE_UNION_CONFLICT /* they do not agree */
} pare_union;

/* Changes that ascend and do not overlap; borrowed. */
typedef struct pare_change_list {
    const pare_change *changes;
    size_t n;
} pare_change_list;

/* Unites `a` and `b`, both about the list's text, into `out` (room for a.n + b.n) and sets
 * *n, both only for PARE_UNION_MORE; cuts that touch become one.  O(a.n + b.n). */
pare_union pare_patches_unite(const pare_patches *patches, pare_change_list a, pare_change_list b,
                              pare_change *out, size_t *n);

/* What the text becomes by `n` changes.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_patches_candidate(const pare_patches *patches,
                                              const pare_change *changes, size_t n,
                                              pare_candidate *candidate, pare_error *err);

#endif
