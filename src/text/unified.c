/* Unified differences, from the runs of pare_diff_make over lines.
 *
 * Changes with no more than six equal lines between them share a hunk, so that no line is printed
 * twice.  Source: the format is that of GNU diffutils, section "Detailed Description of Unified
 * Format". */
#include "text/unified.h"

#include <string.h>

#include "text/diff.h"
#include "text/split/split.h"

enum { AROUND = 3 }; /* lines */

/* The state of one printing. Everything is borrowed. */
struct printer {
    pare_sequence old, fresh;
    const pare_diff *diff;
    pare_buffer *out;
};

/* Lines from .. from+n-1 of one side, each after `mark`. */
static pare_status print_lines(struct printer *printer, const pare_sequence *side, char mark,
                               size_t from, size_t n, pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = from; !status && i < from + n; i++) {
        const size_t begin = pare_split_bounds_begin(side->bounds, i);
        const size_t end = pare_split_bounds_begin(side->bounds, i + 1);
        status = pare_buffer_add(printer->out, &mark, 1, err);
        if (!status)
            status = pare_buffer_add(printer->out, side->text.bytes + begin, end - begin, err);
        if (!status && side->text.bytes[end - 1] != '\n')
            status = pare_buffer_text(printer->out, "\n\\ No newline at end of file\n", err);
    }
    return status;
}

/* The smaller of two counts of lines. */
static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* "-FROM,N" with lines counted from 1; of no lines FROM is the line before. */
static pare_status print_range(struct printer *printer, char mark, size_t from, size_t n,
                               pare_error *err)
{
    return pare_buffer_format(printer->out, err, n == 1 ? "%c%zu" : "%c%zu,%zu", mark,
                              n ? from + 1 : from, n);
}

/* Lines of one side in a run. */
static size_t lines_of(const pare_diff_run *run, pare_diff_side side)
{
    return run->side == PARE_DIFF_COMMON || run->side == side ? run->n : 0;
}

/* Prints runs first .. last, which begin and end with a change, with up to AROUND equal lines
 * before and after them.
 *
 * The head counts the lines of both sides: equal lines are in both, others in one. */
static pare_status print_hunk(struct printer *printer, size_t first, size_t last, pare_error *err)
{
    const pare_diff *diff = printer->diff;
    const pare_diff_run *runs = diff->runs;
    const size_t before = first ? least(AROUND, runs[first - 1].n) : 0;
    const size_t after = last + 1 < diff->n_runs ? least(AROUND, runs[last + 1].n) : 0;
    const size_t old_at = runs[first].old_at - before, fresh_at = runs[first].new_at - before;
    size_t n_old = before + after, n_fresh = before + after;
    for (size_t i = first; i <= last; i++) {
        n_old += lines_of(&runs[i], PARE_DIFF_ONLY_OLD);
        n_fresh += lines_of(&runs[i], PARE_DIFF_ONLY_NEW);
    }
    pare_status status = pare_buffer_text(printer->out, "@@ ", err);
    if (!status) status = print_range(printer, '-', old_at, n_old, err);
    if (!status) status = pare_buffer_text(printer->out, " ", err);
    if (!status) status = print_range(printer, '+', fresh_at, n_fresh, err);
    if (!status) status = pare_buffer_text(printer->out, " @@\n", err);
    if (!status) status = print_lines(printer, &printer->old, ' ', old_at, before, err);
    for (size_t i = first; !status && i <= last; i++) {
        if (runs[i].side == PARE_DIFF_ONLY_NEW)
            status = print_lines(printer, &printer->fresh, '+', runs[i].new_at, runs[i].n, err);
        else
            status =
                print_lines(printer, &printer->old, runs[i].side == PARE_DIFF_COMMON ? ' ' : '-',
                            runs[i].old_at, runs[i].n, err);
    }
    if (!status && after)
        status = print_lines(printer, &printer->old, ' ', runs[last + 1].old_at, after, err);
    return status;
}

/* Goes over the runs and makes hunks of changes that are near each other: two changes with at most
 * 2 * AROUND equal lines between them would print these twice, or touch. */
static pare_status print_hunks(struct printer *printer, pare_error *err)
{
    const pare_diff *diff = printer->diff;
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < diff->n_runs; i++) {
        if (diff->runs[i].side == PARE_DIFF_COMMON) continue;
        size_t last = i;
        /* On to the next change, over equal lines that would be in both hunks. */
        while (last + 1 < diff->n_runs &&
               (diff->runs[last + 1].side != PARE_DIFF_COMMON ||
                (last + 2 < diff->n_runs && diff->runs[last + 1].n <= (size_t)2 * AROUND)))
            last++;
        status = print_hunk(printer, i, last, err);
        i = last;
    }
    return status;
}

/* Joins lines that a lone carriage return has parted: to programs that read differences only a line
 * feed ends a line. */
static void join_at_returns(const unsigned char *bytes, pare_bounds *bounds)
{
    size_t n = 0;
    for (size_t i = 1; i < bounds->n; i++)
        if (bytes[bounds->at[i] - 1] == '\n') bounds->at[++n] = bounds->at[i];
    bounds->at[++n] = bounds->at[bounds->n];
    bounds->n = n;
}

/* Cuts one side into lines, each with its line end. */
static pare_status split(const pare_unified_side *side, pare_bounds *bounds, pare_error *err)
{
    if (side->text.size > PARE_TEXT_MAX_BYTES)
        return pare_fail(err, PARE_E_LIMIT, "%s is 4 GiB or larger", side->name);
    pare_status status =
        pare_splitter_find("line")->split(side->text.bytes, side->text.size, bounds, err);
    if (!status && bounds->at && bounds->n) join_at_returns(side->text.bytes, bounds);
    return status;
}

/* Texts that are the same bytes print nothing, not even the names: so do diff and git. */
pare_status pare_unified_print(const pare_unified_side *old, const pare_unified_side *fresh,
                               pare_buffer *out, pare_error *err)
{
    pare_bounds old_lines = {0}, fresh_lines = {0};
    pare_diff diff = {0};
    struct printer printer = {.old = {old->text, &old_lines},
                              .fresh = {fresh->text, &fresh_lines},
                              .diff = &diff,
                              .out = out};
    const size_t size = old->text.size;
    if (size == fresh->text.size && (!size || !memcmp(old->text.bytes, fresh->text.bytes, size)))
        return PARE_OK;
    pare_status status = split(old, &old_lines, err);
    if (!status) status = split(fresh, &fresh_lines, err);
    if (!status) status = pare_diff_make(&printer.old, &printer.fresh, 0, &diff, err);
    if (!status) status = pare_buffer_format(out, err, "--- %s\n+++ %s\n", old->name, fresh->name);
    if (!status) status = print_hunks(&printer, err);
    pare_diff_done(&diff);
    pare_split_bounds_done(&old_lines);
    pare_split_bounds_done(&fresh_lines);
    return status;
}
