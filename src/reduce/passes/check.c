/* Whether patches are what their pass says they are. */
#include "reduce/passes/pass.h"
#include "text/candidate.h"
#include "text/order.h"
#include "text/patch.h"
#include "text/text.h"

static bool stays_inside(const pare_pass_view *view, const pare_change *changes, size_t n)
{
    size_t cursor = view->begin;
    for (size_t i = 0; i < n; i++) {
        if (changes[i].from < cursor || changes[i].to < changes[i].from) return false;
        cursor = changes[i].to;
    }
    return cursor <= view->end;
}

static pare_status keeps_claim(const pare_pass *pass, const pare_pass_view *view,
                               const pare_candidate *candidate, bool *kept, pare_error *err)
{
    pare_candidate whole = {0};
    int order = 0;
    *kept = pass->claim == PARE_PASS_ANY || candidate->size < pare_text_size(view->text);
    if (*kept) return PARE_OK;
    pare_candidate_start(&whole, view->text);
    pare_status status = pare_candidate_slice(&whole, 0, pare_text_size(view->text), err);
    if (!status) status = pare_order_compare(candidate, &whole, &order, err);
    pare_candidate_done(&whole);
    *kept = order < 0;
    return status;
}

pare_status pare_pass_check(const pare_pass *pass, const pare_pass_view *view,
                            const pare_patches *patches, bool *kept, uint32_t *patch,
                            pare_error *err)
{
    pare_candidate candidate = {0};
    pare_status status = PARE_OK;
    bool all = true;
    for (uint32_t i = 0; !status && all && i < patches->n; i++) {
        const pare_change *changes = pare_patch_changes(patches, i);
        size_t n = patches->patches[i].n_changes;
        if (patch) *patch = i;
        all = stays_inside(view, changes, n);
        if (all) status = pare_patches_candidate(patches, changes, n, &candidate, err);
        if (all && !status) status = keeps_claim(pass, view, &candidate, &all, err);
    }
    pare_candidate_done(&candidate);
    if (!status) *kept = all;
    return status;
}
