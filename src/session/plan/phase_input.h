/* What a phase works on: the file at hand as text, as units, as a tree. */
#ifndef PARE_SESSION_PLAN_PHASE_INPUT_H
#define PARE_SESSION_PLAN_PHASE_INPUT_H

#include "reduce/dependency/dependency_graph.h"
#include "reduce/list/config.h"
#include "reduce/passes/pass.h"
#include "reduce/tree/tree.h"
#include "reduce/tree/tree_algorithm.h"
#include "session/plan/plan.h"
#include "session/plan/work.h"
#include "session/reducible_ranges.h"
#include "text/patch.h"
#include "text/split/bracket.h"
#include "text/split/split.h"

/* The file at hand in the best so far, made flat: what units are cut from.  The text is
 * borrowed until the next success; *found is false when the file is gone.  The caller
 * closes *view, on failure too.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_phase_input_view(pare_work *work, pare_view *view, bool *found,
                                             pare_error *err);

/* Cuts the file into units.  On PARE_OK the caller owns *units.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_phase_input_cut(const pare_splitter *splitter, const pare_view *view,
                                            pare_unit_list **units, pare_error *err);

/* The tree of the file, transformed as `algorithm` wants it.  On PARE_OK the caller owns *out.
 * Errors: those of the front end, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_phase_input_tree(pare_work *work, const pare_tree_algorithm *algorithm,
                                             const pare_view *view, pare_tree **out,
                                             pare_error *err);

/* How many units, or tokens of the tree, the phase has before it now in that file. */
PARE_CHECK pare_status pare_phase_input_count(pare_work *work, const pare_phase *phase, size_t *n,
                                              pare_error *err);

/* The units of one level of brackets; *units stays NULL when there is no such level.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_phase_input_cut_level(const pare_view *view, uint32_t level,
                                                  pare_comma comma, pare_unit_list **units,
                                                  pare_error *err);

/* What `pass` has to offer for the file of `view`, maybe nothing (n is 0).  On PARE_OK the
 * caller owns *patches, one reference.  Errors: those of the pass and of the front end. */
PARE_CHECK pare_status pare_phase_input_offer(pare_work *work, const pare_pass *pass,
                                              const pare_view *view, pare_patches **patches,
                                              pare_error *err);

/* The dependency graph of the file of `view`; *out stays NULL when its language has none.  On
 * PARE_OK the caller owns *out, one reference.  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_phase_input_dependency(pare_work *work, const pare_view *view,
                                                   pare_dependency **out, pare_error *err);

/* What passes see of the file of `view`, and the tree in it.  The caller ends both, on failure
 * too, by pare_pass_view_close and pare_tree_unref.  Errors: those of the front end,
 * PARE_E_NOMEM. */
PARE_CHECK pare_status pare_phase_input_pass_view(pare_work *work, const pare_view *view,
                                                  pare_pass_view *seen, pare_tree **tree,
                                                  pare_error *err);

/* What a graph of a folder's declarations is made of: the file of `view`, which is the one at hand, with its tree.
 * Of `view` only the text and the bytes of the content count.  Where the language has no rules for such a graph,
 * *tree is NULL and *seen stays as it is; else the caller owns *tree, one reference, which *seen borrows.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_phase_input_outline_view(pare_work *work, const pare_view *view,
                                                     pare_pass_view *seen, pare_tree **tree,
                                                     pare_error *err);

#endif
