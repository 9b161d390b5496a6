/* Writing edits: groups of items, then their halves, as in delta debugging.
 *
 * A group of which nothing matters goes in one test, and one that matters is found in a logarithmic
 * number of them.  A line `patch LEVEL FAMILY` begins a patch, which is a part of the nearest one
 * before it with a lower level; `change FROM TO SIZE` and SIZE bytes follow.
 * Invariant: changes of a patch ascend and do not overlap: of two that do the outer one counts, and
 * cuts that overlap become one.
 * Tested by tests/cli/test_semantic.sh. */
#include "clang_edits/edit_list.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/vector.h"

void pare_edit_list_done(pare_edit_list *list)
{
    pare_alloc_free(list->edits);
    pare_alloc_free(list->items);
    pare_buffer_done(&list->texts);
    *list = (pare_edit_list){.n = 0};
}

pare_status pare_edit_list_change(pare_edit_list *list, size_t from, size_t to, const char *text,
                                  size_t size, pare_error *err)
{
    pare_edit *grown = pare_vector_grow(list->edits, list->n, &list->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    assert(from <= to && to <= UINT32_MAX);
    list->edits = grown;
    grown[list->n++] = (pare_edit){.from = (uint32_t)from,
                                   .to = (uint32_t)to,
                                   .at = (uint32_t)list->texts.size,
                                   .size = (uint32_t)size};
    return size ? pare_buffer_add(&list->texts, text, size, err) : PARE_OK;
}

pare_status pare_edit_list_item(pare_edit_list *list, pare_error *err)
{
    if (list->open == list->n) return PARE_OK;
    pare_edit_item *grown =
        pare_vector_grow(list->items, list->n_items, &list->item_capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    list->items = grown;
    grown[list->n_items++] = (pare_edit_item){.first = list->open, .n = list->n - list->open};
    list->open = list->n;
    return PARE_OK;
}

/* From the front; of those that begin together the longer one first. */
static int by_place(const void *a, const void *b)
{
    const pare_edit *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    if (x->to != y->to) return x->to > y->to ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Leaves what does not overlap; the number of those left. */
static size_t merge(pare_edit *edits, size_t n)
{
    size_t made = 0;
    for (size_t i = 0; i < n; i++) {
        pare_edit *last = made ? &edits[made - 1] : NULL;
        if (last && edits[i].from < last->to) {
            if (edits[i].to > last->to && !edits[i].size && !last->size) last->to = edits[i].to;
            continue;
        }
        edits[made++] = edits[i];
    }
    return made;
}

/* Appends one patch of the items from .. to-1. */
static pare_status write_patch(const pare_edit_list *list, size_t from, size_t to, unsigned level,
                               const char *family, pare_buffer *out, pare_error *err)
{
    size_t first = list->items[from].first;
    size_t n = list->items[to - 1].first + list->items[to - 1].n - first;
    pare_edit *edits = pare_alloc(n, sizeof *edits);
    if (!edits) return pare_fail_nomem(err);
    memcpy(edits, list->edits + first, n * sizeof *edits);
    qsort(edits, n, sizeof *edits, by_place);
    n = merge(edits, n);
    pare_status status = pare_buffer_format(out, err, "patch %u %s\n", level, family);
    for (size_t i = 0; !status && i < n; i++) {
        status = pare_buffer_format(out, err, "change %u %u %u\n", edits[i].from, edits[i].to,
                                    edits[i].size);
        if (!status && edits[i].size)
            status = pare_buffer_add(out, list->texts.data + edits[i].at, edits[i].size, err);
        if (!status) status = pare_buffer_text(out, "\n", err);
    }
    pare_alloc_free(edits);
    return status;
}

/* A group, then its halves, the rear one first; as deep as the logarithm of the number of items. */
static pare_status write_group(const pare_edit_list *list, size_t from, size_t to, unsigned level,
                               const char *family, pare_buffer *out, pare_error *err)
{
    pare_status status = write_patch(list, from, to, level, family, out, err);
    size_t middle = from + (to - from) / 2;
    if (status || to - from < 2) return status;
    status = write_group(list, middle, to, level + 1, family, out, err);
    return status ? status : write_group(list, from, middle, level + 1, family, out, err);
}

pare_status pare_edit_list_write(pare_edit_list *list, const char *family, size_t most,
                                 pare_buffer *out, pare_error *err)
{
    size_t n = list->n_items < most ? list->n_items : most;
    pare_status status = n ? write_group(list, 0, n, 0, family, out, err) : PARE_OK;
    list->n = list->n_items = list->open = 0;
    pare_buffer_reset(&list->texts);
    return status;
}
