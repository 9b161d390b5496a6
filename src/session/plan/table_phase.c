/* The phase of tables: what reduce/table offers for the file at hand.
 *
 * Invariant: the dialect is of the file that work->table_file names; each run reads the rows anew
 * from what is left.  Tested by tests/cli/test_table.sh. */
#include "session/plan/table_phase.h"

#include "engine/strategy.h"
#include "reduce/table/table.h"
#include "reduce/table/table_reduction.h"
#include "session/plan/phase_input.h"
#include "session/reducible_ranges.h"
#include "session/session.h"

/* Finds out once for each file how it is written. */
static pare_status know(pare_work *work, const pare_view *view, pare_error *err)
{
    if (work->table_known && work->table_file == work->file) return PARE_OK;
    pare_status status = pare_table_detect(view->text, view->begin, view->end, &work->table, err);
    work->table_known = !status;
    work->table_file = work->file;
    return status;
}

/* Runs the strategy over `table`, a reference to which is taken over. */
static pare_status run_table(pare_work *work, const pare_view *view, pare_table *table,
                             pare_error *err)
{
    pare_strategy *strategy = NULL;
    pare_guarded guarded;
    pare_status status = pare_session_begin_pass(&work->session, "table", table->n_rows, err);
    if (!status) status = pare_table_reduction_new(table, &strategy, err);
    pare_table_unref(table); /* the strategy has its own */
    if (!status)
        status = pare_reducible_ranges_guard(&work->ranges, view, &guarded, &strategy, err);
    return status ? status : pare_session_run(&work->session, strategy, err);
}

static pare_status run_view(pare_work *work, const pare_view *view, pare_error *err)
{
    pare_table *table = NULL;
    pare_status status = know(work, view, err);
    if (!status)
        status = pare_table_read(view->text, view->begin, view->end, &work->table, &table, err);
    if (status || !table) return status;
    return run_table(work, view, table, err);
}

pare_status pare_table_phase_run(pare_work *work, pare_error *err)
{
    pare_view view;
    bool found;
    pare_status status = pare_phase_input_view(work, &view, &found, err);
    if (!status && found) status = run_view(work, &view, err);
    pare_reducible_ranges_close_view(&view);
    return status;
}
