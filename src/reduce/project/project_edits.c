/* Edits of a project: sorted, united, and handed on as one patch.
 *
 * Who removes a file collects its mentions in the order in which they are found, and they may lie
 * in what goes anyway; a patch wants changes that ascend and do not overlap. */
#include "reduce/project/project_edits.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"

void pare_project_edits_reset(pare_project_edits *edits)
{
    edits->n = 0;
    pare_buffer_reset(&edits->literals);
}

void pare_project_edits_done(pare_project_edits *edits)
{
    pare_alloc_free(edits->items);
    pare_buffer_done(&edits->literals);
    *edits = (pare_project_edits){.items = NULL};
}

/* The literal is what was added to edits->literals since `at`.  An edit that changes nothing is
 * left out. */
pare_status pare_project_edits_add(pare_project_edits *edits, pare_project_range what, size_t at,
                                   pare_error *err)
{
    if (what.from == what.to && at == edits->literals.size) return PARE_OK;
    pare_project_edit *items =
        pare_vector_grow(edits->items, edits->n, &edits->capacity, sizeof *items);
    if (!items) return pare_fail_nomem(err);
    edits->items = items;
    items[edits->n++] =
        (pare_project_edit){.what = what, .at = at, .size = edits->literals.size - at};
    return PARE_OK;
}

/* An edit with an empty literal. */
pare_status pare_project_edits_cut(pare_project_edits *edits, pare_project_range what,
                                   pare_error *err)
{
    return pare_project_edits_add(edits, what, edits->literals.size, err);
}

/* A file goes with its frame, or an empty one would stay. */
pare_status pare_project_edits_remove(pare_project_edits *edits, const pare_project_file *file,
                                      pare_error *err)
{
    return pare_project_edits_cut(edits, (pare_project_range){file->frame, file->content.to}, err);
}

/* By place, the longer first, so that what lies in another edit comes after it; by literal where both are the
 * same, as qsort is not stable. */
static int compare(const void *left, const void *right)
{
    const pare_project_edit *a = left, *b = right;
    if (a->what.from != b->what.from) return a->what.from < b->what.from ? -1 : 1;
    if (a->what.to != b->what.to) return a->what.to > b->what.to ? -1 : 1;
    return a->at < b->at ? -1 : a->at > b->at;
}

/* Leaves out what lies in an earlier edit, cuts off what overlaps it, and makes cuts that touch one; how many
 * bytes all of them save.  An edit with a literal that overlaps is left out, since it cannot be cut in two. */
static int64_t unite(pare_project_edits *edits)
{
    size_t n = 0, covered = 0;
    int64_t gain = 0;
    qsort(edits->items, edits->n, sizeof *edits->items, compare);
    for (size_t i = 0; i < edits->n; i++) {
        pare_project_edit edit = edits->items[i];
        if (n && edit.what.from < covered) {
            if (edit.what.to <= covered || edit.size) continue;
            edit.what.from = covered;
        }
        covered = edit.what.to;
        gain += (int64_t)(edit.what.to - edit.what.from) - (int64_t)edit.size;
        bool joins = n && !edit.size && !edits->items[n - 1].size &&
                     edits->items[n - 1].what.to == edit.what.from;
        if (joins)
            edits->items[n - 1].what.to = edit.what.to;
        else
            edits->items[n++] = edit;
    }
    edits->n = n;
    return gain;
}

/* A patch that saves nothing is no reduction, and is not made. */
pare_status pare_project_edits_end(pare_project_edits *edits, pare_patches *out, pare_error *err)
{
    pare_status status = PARE_OK;
    if (!edits->n || unite(edits) <= 0) return PARE_OK;
    for (size_t i = 0; !status && i < edits->n; i++) {
        const pare_project_edit *edit = &edits->items[i];
        const char *text = edit->size ? edits->literals.data + edit->at : NULL;
        status = pare_patches_change(out, edit->what.from, edit->what.to, text, edit->size, err);
    }
    return status ? status : pare_patches_end(out, PARE_NO_PATCH, NULL, err);
}
