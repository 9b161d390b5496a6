/* The phases that read a text by its format: chunks, tables, instructions, structure.
 *
 * All four look at the file as it is now, find the parts, and run one strategy over them.  What the
 * file was found to be at first is kept in the work for its table and its instructions: a text that
 * has shrunk to two rows does not show any more how it was written.  Chunks and structure are found
 * anew after each run that has paid: what was cut away may have been all that kept a run of lengths
 * from being one, and what was light before is heavy in what is left.
 *
 * Invariant: a strategy is run over ranges that may be reduced, and over no others; so it is guarded
 * in one place, run_strategy.
 * Source: ours, see docs/design/structure.md for the last.  Tested by tests/cli/test_binary.sh,
 * test_ssa.sh, test_table.sh and test_structure.sh. */
#include "session/plan/format_phases.h"

#include "engine/engine.h"
#include "engine/strategy.h"
#include "reduce/binary/chunk_finder.h"
#include "reduce/binary/chunk_formats.h"
#include "reduce/binary/chunk_reduction.h"
#include "reduce/binary/chunk_tree.h"
#include "reduce/ssa/ssa.h"
#include "reduce/ssa/ssa_reduction.h"
#include "reduce/structure/mention_reduction.h"
#include "reduce/structure/mentions.h"
#include "reduce/structure/structure.h"
#include "reduce/structure/structure_reduction.h"
#include "reduce/syntax/front_end.h"
#include "reduce/table/table.h"
#include "reduce/table/table_reduction.h"
#include "session/plan/pass_reward.h"
#include "session/plan/phase_input.h"
#include "session/reducible_ranges.h"
#include "session/session.h"
#include "text/packing.h"
#include "text/pattern.h"
#include "text/text.h"

enum {
    LEAST_LINES = 3, /* fewer have no structure */
    PAYING_SHARE =
        10, /* a run over the structure that leaves out less than this part is the last */
    LEAST_MENTIONING = 4096, /* bytes of a text of which parts go with what mentions them, */
    LEAST_UNITS = 48,        /* so many parts, */
    NAMED_SHARE = 8          /* of which one in so many, and one byte in so many, is mentioned */
};

/* A finder of chunks: of the file as it is, or of the file as it would be written anew. */
typedef pare_status chunk_finder(const unsigned char *bytes, size_t n, pare_chunk_tree **out,
                                 pare_error *err);

/* Runs `strategy`, which is taken over, guarded.  Where making it has failed, `made`
 * says so, and there is no strategy: so callers need not ask before. */
static pare_status run_strategy(pare_work *work, const pare_view *view, pare_status made,
                                pare_strategy *strategy, pare_error *err)
{
    pare_guarded guarded;
    if (made) return made;
    pare_status status = pare_reducible_ranges_guard(&work->ranges, view, &guarded, &strategy, err);
    return status ? status : pare_session_run(&work->session, strategy, err);
}

/* Runs `run` over the file at hand, if there is something in it.
 * The view is made here, anew for each run, since one is true only until the next
 * success. */
static pare_status run_over_file(pare_work *work,
                                 pare_status (*run)(pare_work *, const pare_view *, pare_error *),
                                 pare_error *err)
{
    pare_view view;
    bool found;
    pare_status status = pare_phase_input_view(work, &view, &found, err);
    if (!status && found) status = run(work, &view, err);
    pare_reducible_ranges_close_view(&view);
    return status;
}

/* --- binary files ------------------------------------------------------------------------------- */

/* Runs over the chunks that `find` finds; *rewritten: of the file written anew.  In the first round a run ends as soon as the
 * next tests are not likely to gain much, so that what is cheaper elsewhere comes first; later it goes on to its end. */
static pare_status run_found(pare_work *work, const pare_view *view, chunk_finder *find,
                             bool *rewritten, pare_error *err)
{
    const pare_span bytes = pare_reducible_ranges_bytes(view);
    pare_chunk_tree *tree = NULL;
    pare_strategy *strategy = NULL;
    pare_status status = find(bytes.bytes, bytes.size, &tree, err);
    if (status) return status;
    *rewritten = tree->n_packings && tree->packings[0].codec == PARE_PACKING_NONE;
    const pare_chunk_view chunks = {
        .text = view->text, .begin = view->begin, .end = view->end, .tree = tree};
    status = pare_session_begin_pass(&work->session, "chunks", tree->n_chunks, err);
    if (!status)
        status = pare_chunk_reduction_new(
            &chunks, work->again ? PARE_CHUNKS_TO_THE_END : PARE_CHUNKS_WHILE_THEY_PAY, &strategy,
            err);
    pare_chunk_tree_unref(tree);
    return run_strategy(work, view, status, strategy, err);
}

/* Runs over the chunks of the file.  Where nothing comes of them although they are
 * those of the file written anew, the failure is one of the packed form: then the
 * chunks of the file as it is are tried. */
static pare_status run_chunks(pare_work *work, const pare_view *view, pare_error *err)
{
    const pare_span bytes = pare_reducible_ranges_bytes(view);
    const uint64_t before = pare_session_progress(&work->session);
    bool rewritten;
    if (!bytes.size || bytes.size > PARE_CHUNK_MOST_BYTES) return PARE_OK;
    pare_status status = run_found(work, view, pare_chunk_finder_find, &rewritten, err);
    if (status || !rewritten || pare_session_progress(&work->session) != before) return status;
    return run_found(work, view, pare_chunk_finder_find_as_it_is, &rewritten, err);
}

/* Whether the file has chunks to look for: it is no text, or an archive, be it of texts. */
static pare_status look_for_chunks(pare_work *work, bool *there, pare_error *err)
{
    pare_view view;
    bool found;
    pare_status status = pare_pass_reward_look_whether_binary(work, there, err);
    if (status || *there) return status;
    status = pare_phase_input_view(work, &view, &found, err);
    if (status) return status;
    const pare_span bytes = found ? pare_reducible_ranges_bytes(&view) : (pare_span){0};
    *there = bytes.size && pare_chunk_formats_is_archive(bytes.bytes, bytes.size);
    pare_reducible_ranges_close_view(&view);
    return PARE_OK;
}

/* Each success moves the chunks, so the file is looked at again until a run changes
 * nothing. */
pare_status pare_format_phases_binary(pare_work *work, pare_error *err)
{
    for (;;) {
        bool binary;
        const uint64_t before = pare_session_progress(&work->session);
        pare_status status = look_for_chunks(work, &binary, err);
        if (status || !binary) return status;
        status = run_over_file(work, run_chunks, err);
        if (status || pare_session_progress(&work->session) == before) return status;
    }
}

/* --- instructions ------------------------------------------------------------------------------- */

/* Finds out once for each file whether it is of instructions, and of which dialect.
 * Later what is left of it may not show that any more. */
static pare_status know_dialect(pare_work *work, const pare_view *view, pare_error *err)
{
    if (work->ssa_known && work->ssa_file == work->file) return PARE_OK;
    const pare_span bytes = pare_reducible_ranges_bytes(view);
    pare_status status =
        pare_ssa_detect(bytes.bytes, bytes.size, &work->ssa_found, &work->ssa, err);
    work->ssa_known = !status;
    work->ssa_file = work->file;
    return status;
}

/* Reduces a text of instructions; an empty one and any other text are left alone. */
static pare_status run_instructions(pare_work *work, const pare_view *view, pare_error *err)
{
    pare_strategy *strategy = NULL;
    pare_status status = know_dialect(work, view, err);
    if (status || !work->ssa_found || view->end == view->begin) return status;
    status = pare_session_begin_pass(&work->session, "instructions", view->end - view->begin, err);
    if (!status)
        status =
            pare_ssa_reduction_new(view->text, view->begin, view->end, &work->ssa, &strategy, err);
    return run_strategy(work, view, status, strategy, err);
}

pare_status pare_format_phases_instructions(pare_work *work, pare_error *err)
{
    return run_over_file(work, run_instructions, err);
}

/* --- tables ------------------------------------------------------------------------------------- */

/* Finds out once for each file how its table is written: what separates its columns,
 * and how they are quoted. */
static pare_status know_columns(pare_work *work, const pare_view *view, pare_error *err)
{
    if (work->table_known && work->table_file == work->file) return PARE_OK;
    pare_status status = pare_table_detect(view->text, view->begin, view->end, &work->table, err);
    work->table_known = !status;
    work->table_file = work->file;
    return status;
}

/* Reduces the table by rows and columns; where no table is read of what is left,
 * nothing is done. */
static pare_status run_table(pare_work *work, const pare_view *view, pare_error *err)
{
    pare_table *table = NULL;
    pare_strategy *strategy = NULL;
    pare_status status = know_columns(work, view, err);
    if (!status)
        status = pare_table_read(view->text, view->begin, view->end, &work->table, &table, err);
    if (status || !table) return status;
    status = pare_session_begin_pass(&work->session, "table", table->n_rows, err);
    if (!status) status = pare_table_reduction_new(table, &strategy, err);
    pare_table_unref(table); /* the strategy has its own */
    return run_strategy(work, view, status, strategy, err);
}

pare_status pare_format_phases_table(pare_work *work, pare_error *err)
{
    return run_over_file(work, run_table, err);
}

/* --- structure ---------------------------------------------------------------------------------- */

/* The structure of the view; NULL where it has too few lines to show any. */
static pare_status read_structure(const pare_view *view, pare_structure **out, pare_error *err)
{
    pare_structure *structure = NULL;
    *out = NULL;
    pare_status status =
        pare_structure_new(view->text, (pare_stretch){view->begin, view->end}, &structure, err);
    if (!status && structure->table.n_lines >= LEAST_LINES)
        *out = structure;
    else
        pare_structure_unref(structure);
    return status;
}

/* Runs the strategy over blocks to its end, or until it shows how it goes. */
static pare_status run_blocks(pare_work *work, const pare_view *view, pare_structure_effort effort,
                              pare_error *err)
{
    pare_structure *structure = NULL;
    pare_strategy *strategy = NULL;
    pare_status status = read_structure(view, &structure, err);
    if (status || !structure) return status;
    status = pare_session_begin_pass(&work->session, "structure", structure->table.n_lines, err);
    if (!status) status = pare_structure_reduction_new(structure, effort, &strategy, err);
    pare_structure_unref(structure); /* the strategy has its own */
    return run_strategy(work, view, status, strategy, err);
}

static pare_status run_structure(pare_work *work, const pare_view *view, pare_error *err)
{
    return run_blocks(work, view, PARE_STRUCTURE_TO_THE_END, err);
}

/* The mentions of the view; NULL where it has few parts, or hardly one is mentioned: such a text is gone
 * through in as many tests, or is a list of equals.  So it is where what is mentioned is light, as
 * declarations of variables are: what uses them goes by itself, and they after it. */
static pare_status read_mentions(const pare_view *view, pare_mentions **out, pare_error *err)
{
    pare_structure *structure = NULL;
    pare_mentions *mentions = NULL;
    *out = NULL;
    if (view->end - view->begin < LEAST_MENTIONING) return PARE_OK;
    pare_status status = read_structure(view, &structure, err);
    if (!status && structure) status = pare_mentions_new(structure, &mentions, err);
    pare_structure_unref(structure);
    if (mentions && mentions->n_units >= LEAST_UNITS &&
        mentions->n_named * NAMED_SHARE >= mentions->n_units &&
        mentions->named_bytes * NAMED_SHARE >= view->end - view->begin)
        *out = mentions;
    else
        pare_mentions_unref(mentions);
    return status;
}

/* Reduces the parts of the text together with what mentions them.  The mentions are
 * read anew, since blocks have gone after try_mentions read them. */
static pare_status run_mentions(pare_work *work, const pare_view *view, pare_error *err)
{
    pare_mentions *mentions = NULL;
    pare_strategy *strategy = NULL;
    pare_status status = read_mentions(view, &mentions, err);
    if (status || !mentions) return status;
    status = pare_session_begin_pass(&work->session, "mentions", mentions->n_units, err);
    if (!status) status = pare_mention_reduction_new(mentions, &strategy, err);
    pare_mentions_unref(mentions); /* the strategy has its own */
    return run_strategy(work, view, status, strategy, err);
}

/* Where parts mention each other, blocks and lists as long as they pay, and then parts with what
 * mentions them.  If what is mentioned is half of the text, few blocks go by themselves: that shows soon. */
static pare_status try_mentions(pare_work *work, const pare_view *view, pare_error *err)
{
    pare_mentions *mentions = NULL;
    pare_status status = read_mentions(view, &mentions, err);
    if (status || !mentions) return status;
    const pare_structure_effort effort = mentions->named_bytes * 2 >= view->end - view->begin
                                             ? PARE_STRUCTURE_IF_IT_PAYS_AT_ONCE
                                             : PARE_STRUCTURE_WHILE_IT_PAYS;
    /* They were read only to know whether there are any: the run over blocks changes
     * the text. */
    pare_mentions_unref(mentions);
    status = run_blocks(work, view, effort, err);
    return status ? status : run_over_file(work, run_mentions, err);
}

pare_status pare_format_phases_structure(pare_work *work, pare_error *err)
{
    /* Where there is a grammar or a language, its tree has all of this and more. */
    if (pare_front_end_has_reader(work->front)) return PARE_OK;
    pare_status status = run_over_file(work, try_mentions, err);
    for (bool again = true; !status && again;) {
        const size_t before = pare_engine_current(work->session.engine)->size;
        status = run_over_file(work, run_structure, err);
        /* A run that leaves out less than a tenth is the last one: the next would gain
         * less. */
        again = pare_engine_current(work->session.engine)->size < before - before / PAYING_SHARE;
    }
    return status;
}
