/* The phase for binary files.
 *
 * Chunks are found anew after each run that has removed something: what was cut away may have been
 * all that kept a run of lengths from being one.  In the first round a run ends as soon as the next
 * tests are not likely to gain much, so that what is cheaper elsewhere comes first; later it goes on
 * to its end.
 * Tested by tests/cli/test_binary.sh. */
#include "session/plan/binary_phase.h"

#include "engine/strategy.h"
#include "reduce/binary/chunk_finder.h"
#include "reduce/binary/chunk_reduction.h"
#include "reduce/binary/chunk_tree.h"
#include "session/plan/pass_reward.h"
#include "session/plan/phase_input.h"
#include "session/reducible_ranges.h"
#include "session/session.h"
#include "text/text.h"

/* One run over the chunks of the file as it is now. */
static pare_status run_view(pare_work *work, const pare_view *view, pare_error *err)
{
    const pare_span bytes = pare_reducible_ranges_bytes(view);
    pare_chunk_tree *tree = NULL;
    pare_strategy *strategy = NULL;
    pare_guarded guarded;
    if (!bytes.size || bytes.size > PARE_CHUNK_MOST_BYTES) return PARE_OK;
    pare_status status = pare_chunk_finder_find(bytes.bytes, bytes.size, &tree, err);
    if (status) return status;
    const pare_chunk_view chunks = {
        .text = view->text, .begin = view->begin, .end = view->end, .tree = tree};
    status = pare_session_begin_pass(&work->session, "chunks", tree->n_chunks, err);
    if (!status)
        status = pare_chunk_reduction_new(
            &chunks, work->again ? PARE_CHUNKS_TO_THE_END : PARE_CHUNKS_WHILE_THEY_PAY, &strategy,
            err);
    pare_chunk_tree_unref(tree);
    if (!status)
        status = pare_reducible_ranges_guard(&work->ranges, view, &guarded, &strategy, err);
    return status ? status : pare_session_run(&work->session, strategy, err);
}

pare_status pare_binary_phase_run(pare_work *work, pare_error *err)
{
    for (;;) {
        pare_view view;
        bool found, binary;
        const uint64_t before = pare_session_progress(&work->session);
        pare_status status = pare_pass_reward_look_whether_binary(work, &binary, err);
        if (status || !binary) return status;
        status = pare_phase_input_view(work, &view, &found, err);
        if (!status && found) status = run_view(work, &view, err);
        pare_reducible_ranges_close_view(&view);
        if (status || pare_session_progress(&work->session) == before) return status;
    }
}
