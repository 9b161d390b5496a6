/* Edits to offer: items of changes, and how they are written for `pare`.
 *
 * A change is a range of bytes that becomes a text; changes of one item are made together.  Items of
 * one family are offered all at once, then in halves, down to each alone.  One thread. */
#ifndef PARE_TOOLS_CLANG_EDITS_EDIT_LIST_H
#define PARE_TOOLS_CLANG_EDITS_EDIT_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/fail.h"

typedef struct pare_edit {
    uint32_t from, to; /* bytes of the text */
    uint32_t at, size; /* of the texts */
} pare_edit;

/* Items: the changes first .. first+n-1. */
typedef struct pare_edit_item {
    size_t first, n;
} pare_edit_item;

/* All-zero: empty. */
typedef struct pare_edit_list {
    pare_edit *edits; /* owned, as all below */
    size_t n, capacity;
    pare_edit_item *items;
    size_t n_items, item_capacity;
    pare_buffer texts;
    size_t open; /* first change of the item that is being made */
} pare_edit_list;

void pare_edit_list_done(pare_edit_list *list);

/* Adds a change to the item that is being made.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_edit_list_change(pare_edit_list *list, size_t from, size_t to,
                                             const char *text, size_t size, pare_error *err);

/* Ends the item; without changes there is none.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_edit_list_item(pare_edit_list *list, pare_error *err);

/* Appends the items to *out as patches called `family` (the format: docs/design/semantic.md), at
 * most `most` of them, and empties the list.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_edit_list_write(pare_edit_list *list, const char *family, size_t most,
                                            pare_buffer *out, pare_error *err);

#endif
