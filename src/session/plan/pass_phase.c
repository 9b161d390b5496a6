/* Passes look at the best text so far anew each time: a patch is about one text, and is
 * forgotten with it. */
#include "session/plan/pass_phase.h"

#include "engine/engine.h"
#include "engine/pool.h"
#include "parse/token_grammar.h"
#include "reduce/passes/pass.h"
#include "reduce/syntax/front_end.h"
#include "reduce/tree/tree.h"
#include "session/scope.h"
#include "session/session.h"
#include "text/patch.h"
#include "text/pattern.h"

enum {
    TREE_BYTES = 4 << 20, /* largest file of which a tree is made for them */
    MANY = 64 /* patches; a pool of fewer is done as soon one after the other, speculated, and
                 where few are left it matters which goes first (docs/design/parallel.md) */
};

/* The tree that passes see: by the language or grammar, where there is one that the text
 * mostly is in; NULL else. */
static pare_status make_tree(pare_work *work, const pare_view *view, pare_tree **tree,
                             pare_error *err)
{
    *tree = NULL;
    if (!work->front || !pare_front_end_has_reader(work->front)) return PARE_OK;
    if (view->end - view->begin > TREE_BYTES) return PARE_OK;
    return pare_front_end_tree(work->front, view->text, (pare_stretch){view->begin, view->end},
                               PARE_FRONT_END_HOST, tree, err);
}

pare_status pare_pass_phase_offer(pare_work *work, const pare_pass *pass, const pare_view *view,
                                  pare_patches **patches, pare_error *err)
{
    pare_tree *tree = NULL;
    pare_pass_view seen = {.text = NULL};
    pare_token_grammar *rules = NULL;
    pare_status status = make_tree(work, view, &tree, err);
    if (!status && tree) status = pare_front_end_token_rules(work->front, &rules, err);
    const pare_pass_view given = {.text = view->text,
                                  .begin = view->begin,
                                  .end = view->end,
                                  .tree = tree,
                                  .names = tree ? pare_front_end_names(work->front) : NULL,
                                  .language =
                                      work->front ? pare_front_end_language(work->front) : NULL,
                                  .token_rules = rules};
    if (!status) status = pare_pass_view_open(&given, &seen, err);
    if (!status) status = pare_pass_offer(pass, &seen, patches, err);
    pare_pass_view_close(&seen);
    pare_tree_unref(tree);
    return status;
}

static pare_pool_options options_of(const pare_pass *pass)
{
    return (pare_pool_options){.order = pass->order == PARE_PASS_LISTED ? PARE_POOL_LISTED
                                                                        : PARE_POOL_LARGEST,
                               .together = pass->group == PARE_PASS_TOGETHER,
                               .group = pass->group == PARE_PASS_ALONE ? 1 : 0,
                               .shorter = pass->claim != PARE_PASS_ANY,
                               .many = MANY};
}

/* One look at the text, and all that comes of it. */
static pare_status run_once(pare_work *work, const pare_pass *pass, const pare_view *view,
                            const pare_early_stop_terms *terms, pare_error *err)
{
    pare_patches *patches = NULL;
    pare_guarded guarded;
    pare_pool_options options = options_of(pass);
    options.terms = terms;
    options.admits = pare_view_admits(&work->scope, view, &guarded);
    options.context = &guarded;
    work->end = PARE_END_DONE;
    pare_status status = pare_pass_phase_offer(work, pass, view, &patches, err);
    if (!status && patches->n) {
        status = pare_session_begin_pass(&work->session, pass->name, patches->n, err);
        if (!status)
            status = pare_session_run_pool(&work->session, patches, &options, &work->end, err);
    }
    pare_patches_unref(patches);
    return status;
}

pare_status pare_pass_phase_run(pare_work *work, const pare_pass *pass,
                                const pare_early_stop_terms *terms, bool *whole, pare_error *err)
{
    for (;;) {
        pare_view view;
        bool found;
        uint64_t before = pare_session_progress(&work->session);
        pare_status status = pare_phase_open_view(work, &view, &found, err);
        if (!status && found) status = run_once(work, pass, &view, terms, err);
        pare_view_close(&view);
        bool changed = pare_session_progress(&work->session) != before;
        if (whole) *whole = !terms;
        if (status || work->end != PARE_END_DONE) return status;
        if (!changed || pass->repeat == PARE_PASS_ONCE) return PARE_OK;
    }
}
