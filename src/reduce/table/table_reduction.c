/* What of a table is tried to leave out, and in which order.
 *
 *  ROWS     bisection, then group testing, or one by one where few are left; header rows stay
 *  COLUMNS  a column goes from all rows at once, with its cell in the header: group testing
 *  HEADER   all header rows
 *  FILL     the values of a column become the filling (nothing, "0", ...) in all rows that are
 *           data: group testing over columns, first with the least filling
 *  CELLS    the same for single cells, where few are left
 *  ORDER    columns with values first, and what is empty at the end of a record goes
 *  TRIM     the same without the order
 *  END      the line end, or whatever stands after the last row
 *
 * Rows before columns, because most rows can go and a column costs as many edits as there are rows.
 * Single values last: what they need of other columns is not known before.
 * The state is what is left: rows, columns in the order in which they are printed, and which filling
 * each cell has; a list algorithm says which positions of the stage's list change next.
 * Invariant: `now` fails; each proposal is smaller.
 * Source: rows as in any line-based reducer; columns as a unit are ours. */
#include "reduce/table/table_reduction.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

#include <pare/outcome.h>

#include "base/alloc.h"
#include "base/shared.h"
#include "reduce/list/algorithms.h"
#include "reduce/list/list_run.h"
#include "reduce/table/table_layout.h"
#include "text/candidate.h"
#include "text/text.h"

/* BISECT and ROWS have the same list, by two algorithms. */
enum stage { BISECT, ROWS, COLUMNS, HEADER, FILL, CELLS, ORDER, TRIM, END, DONE };

enum {
    FEW = 8,        /* items: they are tried one by one */
    PATIENCE = 24,  /* tests in a row that remove nothing */
    MOST_CELLS = 64 /* more single values are left to other phases */
};

/* The state of the strategy.  A proposal is made when it is first asked for (`trial`) and printed each time,
 * until its outcome is told. */
struct reduction {
    pare_strategy head;
    pare_table *table; /* one reference */
    enum stage stage;
    unsigned filling;        /* FILL, CELLS: which one */
    pare_table_layout now;   /* fails */
    pare_table_layout trial; /* was proposed; rows is NULL: nothing was */
    size_t bytes;            /* of what `now` prints */
    unsigned
        n_vain; /* tests in a row that removed nothing, of this stage; in one without a list also
                          set once its only proposal was told */
    pare_shared *list; /* of uint32_t: what the stage goes through; NULL: no list */
    size_t n_list;
    pare_list_run run; /* of the stage's algorithm */
};

/* The head is the first member, so the address is the same. */
static struct reduction *of(pare_strategy *strategy)
{
    return (struct reduction *)strategy;
}

/* ---- lists of a stage ------------------------------------------------------------------ */

/* Begins the list of the stage anew; list_add fills it. A copy of the strategy may still have
 * the old one. */
static pare_status list_new(struct reduction *self, size_t capacity, pare_error *err)
{
    pare_shared_release(self->list);
    self->list = NULL;
    self->n_list = 0;
    return pare_shared_new(capacity ? capacity : 1, sizeof(uint32_t), &self->list, err);
}

/* The list is not shared while it is made. */
static pare_status list_add(struct reduction *self, size_t item, pare_error *err)
{
    void *items;
    pare_status status = pare_shared_own(&self->list, self->n_list, self->n_list + 1, &items, err);
    if (!status) ((uint32_t *)items)[self->n_list++] = (uint32_t)item;
    return status;
}

/* Whether the filling of this stage would make the cell shorter than it is now, with its value or another
 * filling. Cells without a column stay with their row. */
static bool is_worth_filling(const struct reduction *self, size_t cell)
{
    const pare_table_cell *at = &self->table->cells[cell];
    const size_t size = strlen(self->table->fillings[self->filling]);
    const char *has = pare_table_layout_filling(self->table, &self->now, cell);
    return at->column != PARE_TABLE_NO_COLUMN &&
           (has ? strlen(has) : (size_t)(at->to - at->value)) > size;
}

/* Calls `each` for the cells of rows that are data, in columns that are left, until it is not
 * PARE_OK. */
static pare_status visit_cells(struct reduction *self,
                               pare_status (*each)(struct reduction *self, size_t cell,
                                                   void *context, pare_error *err),
                               void *context, pare_error *err)
{
    const pare_table *table = self->table;
    pare_status status = PARE_OK;
    for (size_t i = self->now.n_header; !status && i < self->now.n_rows; i++) {
        size_t row = pare_table_layout_numbers(self->now.rows)[i];
        for (size_t k = table->rows[row].first; !status && k < pare_table_cells_end(table, row);
             k++)
            if (is_worth_filling(self, k)) status = each(self, k, context, err);
    }
    return status;
}

/* Marks the column of the cell; `context` are the marks, by column. */
static pare_status mark_column(struct reduction *self, size_t cell, void *context, pare_error *err)
{
    unsigned char *marks = context;
    (void)err;
    marks[self->table->cells[cell].column] = 1;
    return PARE_OK;
}

/* The columns in which the filling would make a value shorter. In the order in which columns
 * are printed. Cost: O(cells). */
static pare_status list_columns_to_fill(struct reduction *self, pare_error *err)
{
    const uint32_t *columns = pare_table_layout_numbers(self->now.columns);
    /* A table of no columns still has one mark. */
    unsigned char *marks = pare_alloc_zero(self->table->n_columns + (size_t)1, 1);
    if (!marks) return pare_fail_nomem(err);
    pare_status status = visit_cells(self, mark_column, marks, err);
    for (size_t i = 0; !status && i < self->now.n_columns; i++)
        if (marks[columns[i]]) status = list_add(self, columns[i], err);
    pare_alloc_free(marks);
    return status;
}

/* Whether the column is among those that are left. */
static bool is_left(const pare_table_layout *layout, uint32_t column)
{
    const uint32_t *columns = pare_table_layout_numbers(layout->columns);
    for (size_t i = 0; i < layout->n_columns; i++)
        if (columns[i] == column) return true;
    return false;
}

/* Lists one cell more than MOST_CELLS at most, which tells make_list that there are too many. */
static pare_status list_cell(struct reduction *self, size_t cell, void *context, pare_error *err)
{
    (void)context;
    /* Cells of columns that went are still in the table. */
    if (self->n_list > MOST_CELLS || !is_left(&self->now, self->table->cells[cell].column))
        return PARE_OK;
    return list_add(self, cell, err);
}

/* Makes the list of the stage. Items are numbers of rows, columns or cells of the table. The
 * list stays empty in stages of one proposal. */
static pare_status make_list(struct reduction *self, pare_error *err)
{
    pare_status status = PARE_OK;
    switch (self->stage) {
    /* Header rows are no items: they go in a stage of their own. */
    case BISECT:
    case ROWS:
        for (size_t i = self->now.n_header; !status && i < self->now.n_rows; i++)
            status = list_add(self, pare_table_layout_numbers(self->now.rows)[i], err);
        return status;
    case COLUMNS:
        for (size_t i = 0; !status && i < self->now.n_columns; i++)
            status = list_add(self, pare_table_layout_numbers(self->now.columns)[i], err);
        return status;
    case FILL: return list_columns_to_fill(self, err);
    case CELLS:
        status = visit_cells(self, list_cell, NULL, err);
        /* Too many: the stage has no list then. */
        if (self->n_list > MOST_CELLS) self->n_list = 0;
        return status;
    case HEADER:
    case ORDER:
    case TRIM:
    case END:
    case DONE: break;
    }
    return PARE_OK;
}

/* Begins the stage: one with a list starts its algorithm. A stage whose list is empty has no
 * algorithm, and ask() ends it at once. */
static pare_status enter(struct reduction *self, enum stage stage, pare_error *err)
{
    pare_list_run_stop(&self->run);
    self->stage = stage;
    self->n_vain = 0;
    bool lists = stage <= COLUMNS || stage == FILL || stage == CELLS;
    if (!lists) return PARE_OK;
    pare_status status = list_new(self, self->table->n_columns, err);
    if (!status) status = make_list(self, err);
    if (status || !self->n_list) return status;
    const pare_list_algorithm *algorithm =
        self->n_list > FEW ? &pare_list_group_testing : &pare_list_sweep;
    if (stage == BISECT) algorithm = &pare_list_bisect;
    return pare_list_run_start(&self->run, algorithm, self->n_list, err);
}

/* The stage after this one; those of fillings come once for each. Only records of fields have
 * an order and an empty end. */
static pare_status enter_next(struct reduction *self, pare_error *err)
{
    /* Fillings ascend, so that the least one is tried first. */
    if (self->stage == FILL || self->stage == CELLS) {
        self->filling++;
        if (self->filling < PARE_TABLE_FILLINGS) return enter(self, self->stage, err);
        self->filling = 0;
    }
    bool delimited = self->table->dialect.format == PARE_TABLE_DELIMITED;
    enum stage next = self->stage + 1;
    if (next == ORDER && !delimited) next = END;
    /* After rows that are objects more than a line end may follow. */
    bool lines = delimited || self->table->dialect.format == PARE_TABLE_FIXED;
    if (next == END && !lines) next = DONE;
    return enter(self, next, err);
}

/* ---- proposals ------------------------------------------------------------------------- */

/* Replaces the array by one without the items at the places of the edit, counted from item `first`.  The old
 * one may be shared with `now` and with copies, so it is not written to. Ranges of an edit
 * ascend, so one pass is enough. On failure *array is what it was. */
static pare_status leave_out(const pare_edit *edit, size_t first, pare_shared **array, size_t *n,
                             pare_error *err)
{
    pare_shared *less = NULL;
    void *items;
    size_t kept = 0, range = 0;
    const uint32_t *old = pare_table_layout_numbers(*array);
    pare_status status = pare_shared_new(*n, sizeof *old, &less, err);
    if (!status) status = pare_shared_own(&less, 0, *n, &items, err);
    if (status) {
        pare_shared_release(less);
        return status;
    }
    for (size_t i = 0; i < *n; i++) {
        while (range < edit->n_ranges && i >= first + edit->ranges[range].to)
            range++;
        bool goes = range < edit->n_ranges && i >= first + edit->ranges[range].from;
        /* What stays keeps its order. */
        if (!goes) ((uint32_t *)items)[kept++] = old[i];
    }
    pare_shared_release(*array);
    *array = less;
    *n = kept;
    return PARE_OK;
}

/* Gives the cell the filling, if its column is marked (`context` by column; NULL: any). The
 * array of fillings by cell is made when the first cell gets one; 0 is "its own value". */
static pare_status fill_cell(struct reduction *self, size_t cell, void *context, pare_error *err)
{
    const unsigned char *columns = context;
    void *fillings;
    if (columns && !columns[self->table->cells[cell].column]) return PARE_OK;
    pare_status status = pare_shared_own(&self->trial.cells, self->table->n_cells,
                                         self->table->n_cells, &fillings, err);
    if (!status) ((unsigned char *)fillings)[cell] = (unsigned char)(self->filling + 1);
    return status;
}

/* The columns at the places of the edit are filled. */
static pare_status fill_columns(struct reduction *self, pare_error *err)
{
    unsigned char *columns = pare_alloc_zero(self->table->n_columns + (size_t)1, 1);
    if (!columns) return pare_fail_nomem(err);
    for (size_t r = 0; r < self->run.edit.n_ranges; r++)
        for (size_t i = self->run.edit.ranges[r].from; i < self->run.edit.ranges[r].to; i++)
            columns[pare_table_layout_numbers(self->list)[i]] = 1;
    pare_status status = visit_cells(self, fill_cell, columns, err);
    pare_alloc_free(columns);
    return status;
}

/* The cells at the places of the edit are filled. */
static pare_status fill_cells(struct reduction *self, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t r = 0; r < self->run.edit.n_ranges; r++)
        for (size_t i = self->run.edit.ranges[r].from; !status && i < self->run.edit.ranges[r].to;
             i++)
            status = fill_cell(self, pare_table_layout_numbers(self->list)[i], NULL, err);
    return status;
}

/* The first rows go. All of them in one proposal. */
static pare_status leave_header_out(struct reduction *self, pare_error *err)
{
    pare_edit header = {.ranges = NULL};
    pare_status status = pare_edit_add(&header, 0, self->trial.n_header, err);
    if (!status) status = leave_out(&header, 0, &self->trial.rows, &self->trial.n_rows, err);
    pare_edit_done(&header);
    self->trial.n_header = 0;
    return status;
}

/* Whether all data of the column prints nothing. Rows that are no whole records have no such
 * column and do not count. */
static bool is_empty_column(const struct reduction *self, uint32_t column)
{
    for (size_t i = self->now.n_header; i < self->now.n_rows; i++) {
        size_t row = pare_table_layout_numbers(self->now.rows)[i];
        if (!pare_table_is_record(self->table, row)) continue;
        if (!pare_table_layout_is_empty(self->table, &self->now,
                                        self->table->rows[row].first + column))
            return false;
    }
    return true;
}

/* Puts columns with values first, otherwise in their order, so that the empty ends of rows can be left out.
 * O(columns * rows). */
static pare_status put_values_first(struct reduction *self, pare_error *err)
{
    pare_table_layout *trial = &self->trial;
    void *items;
    pare_shared *columns = NULL;
    size_t n = 0;
    pare_status status = pare_shared_new(trial->n_columns, sizeof(uint32_t), &columns, err);
    if (!status) status = pare_shared_own(&columns, 0, trial->n_columns, &items, err);
    if (status) {
        pare_shared_release(columns);
        return status;
    }
    /* First the columns with values, then the empty ones. */
    for (int empty = 0; empty < 2; empty++)
        for (size_t i = 0; i < trial->n_columns; i++) {
            uint32_t column = pare_table_layout_numbers(trial->columns)[i];
            if (is_empty_column(self, column) == (empty == 1)) ((uint32_t *)items)[n++] = column;
        }
    pare_shared_release(trial->columns);
    trial->columns = columns;
    trial->ordered = trial->trimmed = true;
    return PARE_OK;
}

/* Applies the current stage's change to `trial`, a copy of what is left. PARE_OK without a
 * change means that the proposal prints what is there, and is not tested then. */
static pare_status change(struct reduction *self, pare_error *err)
{
    pare_table_layout *trial = &self->trial;
    switch (self->stage) {
    case BISECT:
    case ROWS:
        return leave_out(&self->run.edit, trial->n_header, &trial->rows, &trial->n_rows, err);
    case COLUMNS: return leave_out(&self->run.edit, 0, &trial->columns, &trial->n_columns, err);
    case FILL: return fill_columns(self, err);
    case CELLS: return fill_cells(self, err);
    case HEADER: return trial->n_header < trial->n_rows ? leave_header_out(self, err) : PARE_OK;
    case ORDER: return put_values_first(self, err);
    case TRIM: trial->trimmed = true; break;
    case END: trial->endless = true; break;
    case DONE: break;
    }
    return PARE_OK;
}

/* Asks the stage for its next proposal; *done: it has none. A stage ends when its algorithm
 * does, or after PATIENCE tests in a row that removed nothing. */
static pare_status ask(struct reduction *self, bool *done, pare_error *err)
{
    bool single = self->stage == HEADER || self->stage >= ORDER;
    *done = self->n_vain >= PATIENCE || (single ? self->n_vain > 0 : !self->run.algorithm);
    if (*done || single) return PARE_OK;
    return pare_list_run_next(&self->run, done, err);
}

/* Tells the algorithm.  It counts the items that are left from 0 on, so what goes is left out of the list as
 * well. Whoever had one proposal only is done. */
static pare_status tell_algorithm(struct reduction *self, bool fails, pare_error *err)
{
    if (!self->run.algorithm) {
        self->n_vain = 1; /* a stage of one proposal is over, whatever comes of it */
        return PARE_OK;
    }
    pare_status status = PARE_OK;
    /* One success is reason enough to go on. */
    self->n_vain = fails ? 0 : self->n_vain + 1;
    if (fails) status = leave_out(&self->run.edit, 0, &self->list, &self->n_list, err);
    return status ? status : pare_list_run_tell(&self->run, fails, err);
}

/* Ends the proposal: it becomes what is left, or not. The trial is given up in any case:
 * `trial.rows` is NULL afterwards. */
static pare_status conclude(struct reduction *self, bool fails, pare_error *err)
{
    if (fails) {
        pare_table_layout_release(&self->now);
        self->now = self->trial;
        self->trial = (pare_table_layout){.rows = NULL};
    } else {
        pare_table_layout_release(&self->trial);
    }
    return tell_algorithm(self, fails, err);
}

/* Makes the proposal of the stage, or goes on to the next one. One that is done leaves
 * trial.rows NULL, so the caller asks again. */
static pare_status propose(struct reduction *self, pare_error *err)
{
    bool done;
    pare_status status = ask(self, &done, err);
    if (status || done) return status ? status : enter_next(self, err);
    self->trial = self->now;
    pare_table_layout_retain(&self->trial);
    status = change(self, err);
    if (status) pare_table_layout_release(&self->trial);
    return status;
}

/* ---- the strategy ---------------------------------------------------------------------- */

/* A change that would not make the text smaller is not proposed. */
static pare_status reduction_next(pare_strategy *strategy, pare_next *what,
                                  pare_candidate *candidate, pare_error *err)
{
    struct reduction *self = of(strategy);
    while (self->stage != DONE) {
        pare_status status = PARE_OK;
        if (!self->trial.rows) {
            status = propose(self, err);
            if (status) return status;
            if (!self->trial.rows) continue;
        }
        status = pare_table_layout_candidate(self->table, &self->trial, candidate, err);
        *what = PARE_NEXT_TEST;
        /* Otherwise the change counts as one that passed, without a test. */
        if (status || candidate->size < self->bytes) return status;
        status = conclude(self, false, err);
        if (status) return status;
    }
    *what = PARE_NEXT_DONE;
    return PARE_OK;
}

/* UNRESOLVED counts as PASS. The size is that of what was tested, which is printed once more
 * for it. */
static pare_status reduction_tell(pare_strategy *strategy, pare_outcome outcome, pare_error *err)
{
    struct reduction *self = of(strategy);
    assert(self->trial.rows);
    if (outcome == PARE_FAIL) {
        pare_candidate candidate = {0};
        pare_status status =
            pare_table_layout_candidate(self->table, &self->trial, &candidate, err);
        /* Later proposals have to be smaller than this one. */
        self->bytes = candidate.size;
        pare_candidate_done(&candidate);
        if (status) return status;
    }
    return conclude(self, outcome == PARE_FAIL, err);
}

static void reduction_free(pare_strategy *strategy)
{
    struct reduction *self = of(strategy);
    pare_list_run_stop(&self->run);
    pare_table_layout_release(&self->now);
    pare_table_layout_release(&self->trial);
    pare_shared_release(self->list);
    pare_table_unref(self->table);
    pare_alloc_free(self);
}

/* Arrays are shared until one of the copies writes. */
static pare_status reduction_copy(const pare_strategy *strategy, pare_strategy **out,
                                  pare_error *err)
{
    const struct reduction *self = (const struct reduction *)strategy;
    struct reduction *copy = pare_alloc(1, sizeof *copy);
    if (!copy) return pare_fail_nomem(err);
    *copy = *self;
    (void)pare_table_ref(copy->table);
    pare_table_layout_retain(&copy->now);
    pare_table_layout_retain(&copy->trial);
    pare_shared_retain(copy->list);
    pare_status status = pare_list_run_copied(&copy->run, &self->run, err);
    if (status) {
        reduction_free(&copy->head);
        return status;
    }
    *out = &copy->head;
    return PARE_OK;
}

/* Begins with all that is in the table. */
pare_status pare_table_reduction_new(pare_table *table, pare_strategy **out, pare_error *err)
{
    static const pare_strategy_ops ops = {.next = reduction_next,
                                          .tell = reduction_tell,
                                          .copy = reduction_copy,
                                          .destroy = reduction_free};
    struct reduction *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    assert(table->n_rows > 0);
    self->head.ops = &ops;
    self->table = pare_table_ref(table);
    self->bytes = pare_text_size(table->text);
    pare_status status = pare_table_layout_start(table, &self->now, err);
    if (!status) status = enter(self, BISECT, err);
    if (status) {
        reduction_free(&self->head);
        return status;
    }
    *out = &self->head;
    return PARE_OK;
}
