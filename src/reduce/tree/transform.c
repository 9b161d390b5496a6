/* The table of transformations, and how they are applied one after the other. */
#include "reduce/tree/transform.h"

#include <string.h>

#include "reduce/tree/tree.h"

static const pare_tree_transform *const table[] = {
    &pare_remove_empty, &pare_flatten, &pare_squeeze, &pare_hide, &pare_skip_space,
};

const pare_tree_transform *const *pare_tree_transforms(size_t *n)
{
    *n = sizeof table / sizeof table[0];
    return table;
}

const pare_tree_transform *pare_tree_transform_find(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}

static pare_status apply_one(pare_tree *tree, const pare_tree_transform *transform, pare_tree **out,
                             pare_error *err)
{
    pare_draft draft = {0};
    pare_status status = pare_draft_open(tree, &draft, err);
    if (!status) status = transform->apply(&draft, err);
    if (!status) status = pare_draft_close(&draft, out, err);
    pare_draft_done(&draft);
    return status;
}

pare_status pare_tree_transform_run(pare_tree *tree, const pare_tree_transform *const *transforms,
                                    size_t n, pare_tree **out, pare_error *err)
{
    pare_tree *now = pare_tree_ref(tree);
    for (size_t i = 0; i < n; i++) {
        pare_tree *next = NULL;
        pare_status status = apply_one(now, transforms[i], &next, err);
        pare_tree_unref(now);
        if (status) return status;
        now = next;
    }
    *out = now;
    return PARE_OK;
}
