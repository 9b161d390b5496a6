/* Columns by printf.  Many contenders make several blocks of a table, so that no line is
 * wider than 80 columns. */
#include "shootout/shootout_table.h"

#include <stdbool.h>
#include <string.h>

#include <pare/outcome.h>
#include <pare/result.h>

#include "ui/format.h"

enum { NAME_COLUMNS = 18, CELL_COLUMNS = 15, BLOCK = 4, LABEL_BYTES = 128 };

/* Three digits are enough below 100; above, the number as it is counted. */
const char *pare_shootout_figure(char text[static PARE_SHOOTOUT_FIGURE_BYTES], double value)
{
    char count[PARE_FORMAT_BYTES];
    if (value < 99.95)
        (void)snprintf(text, PARE_SHOOTOUT_FIGURE_BYTES, "%.1f", value);
    else
        (void)snprintf(text, PARE_SHOOTOUT_FIGURE_BYTES, "%s",
                       pare_format_count(count, (uint64_t)(value + 0.5)));
    return text;
}

/* Three digits, in the unit that needs no zeros before them. */
const char *pare_shootout_seconds(char text[static PARE_SHOOTOUT_FIGURE_BYTES], double seconds)
{
    (void)snprintf(text, PARE_SHOOTOUT_FIGURE_BYTES, seconds < 0.1 ? "%.3g ms" : "%.3g s",
                   seconds < 0.1 ? seconds * 1000 : seconds);
    return text;
}

/* The default where it takes part, since it is what users get; else the last one. */
size_t pare_shootout_judged(const pare_shootout *shootout)
{
    for (size_t i = 0; i < shootout->n_contenders; i++)
        if (strcmp(shootout->contenders[i], "auto") == 0) return i;
    return shootout->n_contenders - 1;
}

/* With an empty line before it. */
static void print_title(FILE *out, pare_paint paint, const char *title)
{
    bool colored = paint == PARE_COLORED;
    fprintf(out, "\n%s%s%s\n", colored ? "\x1b[1m" : "", title, colored ? "\x1b[0m" : "");
}

/* A name in its column, cut where it is too long. */
static const char *name_in(char shown[LABEL_BYTES], const char *name, size_t columns)
{
    char text[LABEL_BYTES];
    pare_format_name(text, sizeof text, name);
    if (strlen(text) > columns)
        (void)snprintf(shown, LABEL_BYTES, "%.*s~", (int)columns - 1, text);
    else
        (void)snprintf(shown, LABEL_BYTES, "%s", text);
    return shown;
}

/* ---- algorithms ------------------------------------------------------------------ */

/* A row of the first table: one contender with one number of jobs. */
static void print_score(FILE *out, const pare_shootout *shootout, size_t contender, unsigned jobs)
{
    char name[LABEL_BYTES], bytes[PARE_SHOOTOUT_FIGURE_BYTES], tests[PARE_SHOOTOUT_FIGURE_BYTES];
    char twice[PARE_SHOOTOUT_FIGURE_BYTES], wins[LABEL_BYTES];
    char seconds[PARE_SHOOTOUT_FIGURE_BYTES];
    pare_score score = pare_shootout_score(shootout, NULL, contender, jobs);
    (void)snprintf(wins, sizeof wins, "%zu/%zu", score.n_smallest, score.n_cases);
    fprintf(out, "  %-17s %8s %7.2f %% %8s %9s %9s %9s\n",
            name_in(name, shootout->contenders[contender], 17),
            pare_shootout_figure(bytes, score.bytes), 100 * score.share,
            pare_shootout_figure(tests, score.tests), pare_shootout_figure(twice, score.to_twice),
            wins, pare_shootout_seconds(seconds, score.wall_s));
}

/* A table for each number of jobs. */
static void print_algorithms(FILE *out, const pare_shootout *shootout, pare_paint paint)
{
    char title[LABEL_BYTES];
    for (size_t k = 0; k < shootout->n_jobs; k++) {
        (void)snprintf(title, sizeof title,
                       "Geometric means over the cases that all have a result for, -j%u",
                       shootout->jobs[k]);
        print_title(out, paint, title);
        fputs("  algorithm            bytes  of input    tests  to twice  smallest      time\n",
              out);
        for (size_t i = 0; i < shootout->n_contenders; i++)
            print_score(out, shootout, i, shootout->jobs[k]);
    }
    fputs("  to twice: tests until twice the smallest result of any; never: ten times the\n"
          "  tests of the last that came there\n",
          out);
}

/* ---- contenders beside each other ------------------------------------------------- */

/* The judged one by each of the others, in two figures.  Needs several cases: of one there is nothing
 * to be said about others. */
static void print_comparisons(FILE *out, const pare_shootout *shootout, pare_paint paint)
{
    static const char *const names[] = {
        [PARE_FIGURE_BYTES] = "bytes", [PARE_FIGURE_TESTS] = "tests"};
    const size_t judged = pare_shootout_judged(shootout);
    char title[LABEL_BYTES], name[LABEL_BYTES];
    if (shootout->n_contenders < 2 || shootout->suite->n_cases < 2) return;
    (void)snprintf(title, sizeof title, "%s by each: ratio, 95 %% interval, Wilcoxon's p, A12",
                   name_in(name, shootout->contenders[judged], 30));
    print_title(out, paint, title);
    for (size_t i = 0; i < shootout->n_contenders; i++)
        for (pare_figure figure = PARE_FIGURE_BYTES; figure <= PARE_FIGURE_TESTS; figure++) {
            const pare_cell one = {.contender = judged, .jobs = shootout->jobs[0]};
            const pare_cell other = {.contender = i, .jobs = shootout->jobs[0]};
            pare_comparison found;
            if (i == judged || pare_shootout_compare(shootout, &one, &other, figure, &found, NULL))
                continue;
            fprintf(out, "  %-24s %s  %6.3f  [%.3f, %.3f]  p %.3g  A12 %.2f\n",
                    figure ? "" : name_in(name, shootout->contenders[i], 24), names[figure],
                    found.ratio.mean, found.ratio.low, found.ratio.high, found.p, found.a12);
        }
    fputs("  below 1 is better; tests are those that were needed, not those run ahead\n", out);
}

/* ---- size and tests of many things ----------------------------------------------- */

/* What a row of figures is about: a group, or a case. */
struct row {
    const char *name, *group; /* group NULL: the case */
    size_t case_index;
};

/* Bytes and tests of a contender; "-" where there is no result. */
static void print_cell(FILE *out, const pare_shootout *shootout, const struct row *row,
                       size_t contender)
{
    char bytes[PARE_SHOOTOUT_FIGURE_BYTES], tests[PARE_SHOOTOUT_FIGURE_BYTES];
    char cell[2 * PARE_SHOOTOUT_FIGURE_BYTES + 4] = "-";
    unsigned jobs = shootout->jobs[0];
    const pare_run *run = pare_shootout_find(shootout, row->case_index, contender, jobs);
    if (row->group) {
        pare_score score = pare_shootout_score(shootout, row->group, contender, jobs);
        if (score.n_cases)
            (void)snprintf(cell, sizeof cell, "%s / %s", pare_shootout_figure(bytes, score.bytes),
                           pare_shootout_figure(tests, score.tests));
    } else if (run && run->status == PARE_OK) {
        (void)snprintf(cell, sizeof cell, "%s / %s", pare_format_count(bytes, run->size_bytes),
                       pare_format_count(tests, run->stats.tests_run));
    }
    fprintf(out, " %*s", CELL_COLUMNS - 1, cell);
}

/* The contenders first .. end - 1, each over its column. */
static void print_heads(FILE *out, const pare_shootout *shootout, size_t first, size_t end)
{
    char name[LABEL_BYTES];
    fprintf(out, "  %-*s", NAME_COLUMNS - 1, "bytes / tests");
    for (size_t i = first; i < end; i++)
        fprintf(out, " %*s", CELL_COLUMNS - 1,
                name_in(name, shootout->contenders[i], CELL_COLUMNS - 1));
    fputc('\n', out);
}

/* One row for the contenders first .. end - 1. */
static void print_row(FILE *out, const pare_shootout *shootout, const struct row *row, size_t first,
                      size_t end)
{
    char name[LABEL_BYTES];
    fprintf(out, "  %-*s", NAME_COLUMNS - 1, name_in(name, row->name, NAME_COLUMNS - 2));
    for (size_t i = first; i < end; i++)
        print_cell(out, shootout, row, i);
    fputc('\n', out);
}

/* As many contenders as fit beside each other. */
static size_t end_of_block(const pare_shootout *shootout, size_t first)
{
    size_t end = first + BLOCK;
    return end < shootout->n_contenders ? end : shootout->n_contenders;
}

/* Nothing for a suite without groups. */
static void print_groups(FILE *out, const pare_shootout *shootout, pare_paint paint)
{
    const char *group;
    if (!pare_suite_group(shootout->suite, 0)) return;
    print_title(out, paint, "By circumstances, geometric means");
    for (size_t first = 0; first < shootout->n_contenders; first += BLOCK) {
        size_t end = end_of_block(shootout, first);
        print_heads(out, shootout, first, end);
        for (size_t g = 0; (group = pare_suite_group(shootout->suite, g)) != NULL; g++) {
            struct row row = {.name = group, .group = group};
            print_row(out, shootout, &row, first, end);
        }
    }
}

/* Each case by itself, for --verbose and the file. */
static void print_cases(FILE *out, const pare_shootout *shootout, pare_paint paint)
{
    print_title(out, paint, "Cases");
    for (size_t first = 0; first < shootout->n_contenders; first += BLOCK) {
        size_t end = end_of_block(shootout, first);
        print_heads(out, shootout, first, end);
        for (size_t i = 0; i < shootout->suite->n_cases; i++) {
            struct row row = {.name = shootout->suite->cases[i].name, .case_index = i};
            print_row(out, shootout, &row, first, end);
        }
    }
}

/* Nothing where only one number of jobs was run. */
static void print_speed_up(FILE *out, const pare_shootout *shootout, pare_paint paint)
{
    char name[LABEL_BYTES];
    if (shootout->n_jobs < 2) return;
    print_title(out, paint, "Speed-up, geometric means of wall time");
    for (size_t i = 0; i < shootout->n_contenders; i++) {
        fprintf(out, "  %-17s", name_in(name, shootout->contenders[i], 17));
        for (size_t k = 1; k < shootout->n_jobs; k++)
            fprintf(out, "  -j%u %.2f", shootout->jobs[k],
                    pare_shootout_speed_up(shootout, i, shootout->jobs[k]));
        fputc('\n', out);
    }
}

/* ---- what phases and passes earned ----------------------------------------------- */

/* Of the judged contender, to see which of its phases pay. */
static void print_earned(FILE *out, const pare_shootout *shootout, pare_paint paint)
{
    size_t judged = pare_shootout_judged(shootout);
    unsigned jobs = shootout->jobs[0];
    char title[LABEL_BYTES], name[LABEL_BYTES], bytes[PARE_FORMAT_BYTES], tests[PARE_FORMAT_BYTES];
    pare_pass_stats earned;
    if (!pare_shootout_earned(shootout, judged, jobs, 0, &earned)) return;
    (void)snprintf(title, sizeof title, "What phases of %s earned over all cases, -j%u",
                   name_in(name, shootout->contenders[judged], 30), jobs);
    print_title(out, paint, title);
    fputs("  phase                       bytes     tests  successes   seconds\n", out);
    for (size_t i = 0; pare_shootout_earned(shootout, judged, jobs, i, &earned); i++)
        fprintf(out, "  %-22s %10s %9s %10llu %9.1f\n", name_in(name, earned.name, 22),
                pare_format_count(bytes, earned.bytes_removed),
                pare_format_count(tests, earned.tests), (unsigned long long)earned.successes,
                earned.oracle_s);
}

/* ---- targets --------------------------------------------------------------------- */

/* The figure, and what was wanted, in one sentence for table and page. */
const char *pare_shootout_target_text(char text[static PARE_SHOOTOUT_TARGET_BYTES],
                                      const pare_target *target)
{
    char had[PARE_FORMAT_BYTES], wanted[PARE_FORMAT_BYTES], tests[PARE_FORMAT_BYTES];
    char within[PARE_FORMAT_BYTES];
    pare_format_count(had, target->bytes);
    pare_format_count(wanted, target->mark.bytes);
    pare_format_count(within, target->mark.tests);
    pare_format_count(tests, target->tests);
    switch (target->kind) {
    case PARE_TARGET_SIZE:
        (void)snprintf(text, PARE_SHOOTOUT_TARGET_BYTES, "%s bytes at the end; the best peer %s",
                       had, wanted);
        break;
    case PARE_TARGET_TESTS:
        if (target->tests)
            (void)snprintf(text, PARE_SHOOTOUT_TARGET_BYTES,
                           "%s bytes in %s tests; at most %s wanted", wanted, tests, within);
        else
            (void)snprintf(text, PARE_SHOOTOUT_TARGET_BYTES,
                           "%s bytes never reached; in at most %s tests wanted", wanted, within);
        break;
    case PARE_TARGET_FRONTIER:
        (void)snprintf(text, PARE_SHOOTOUT_TARGET_BYTES, "%s bytes after %s tests; the peers %s",
                       had, within, wanted);
        break;
    case PARE_TARGET_KNOWN:
        (void)snprintf(text, PARE_SHOOTOUT_TARGET_BYTES,
                       "%s bytes at the end; twice the smallest known %s", had, wanted);
        break;
    case PARE_TARGET_TOKENS:
        (void)snprintf(text, PARE_SHOOTOUT_TARGET_BYTES, "%s tokens at the end; at most %s wanted",
                       had, wanted);
        break;
    }
    return text;
}

/* Percent of the time that should be spent in tests: the rest is what pare itself takes. */
enum { LEAST_SHARE = 90 };

/* The share of the tests in the time, a target of all cases together; one at a time only. */
static void tell_share(FILE *out, const pare_shootout *shootout, size_t *met, size_t *all)
{
    double share = 100 * pare_shootout_test_share(shootout, pare_shootout_judged(shootout), 1);
    if (shootout->jobs[0] != 1 || share < 0 || !*all) return;
    *met += share >= LEAST_SHARE;
    ++*all;
    if (out)
        fprintf(out, "  %-6s  %-19s %.1f %% of the time inside tests; %d wanted\n",
                share >= LEAST_SHARE ? "met" : "MISSED", "all cases", share, LEAST_SHARE);
}

/* Counts the targets of the judged contender, and prints them when `out` is not NULL. */
static void tell_targets(FILE *out, const pare_shootout *shootout, size_t *met, size_t *all)
{
    size_t judged = pare_shootout_judged(shootout);
    char text[PARE_SHOOTOUT_TARGET_BYTES], name[LABEL_BYTES];
    pare_target target;
    *met = *all = 0;
    for (size_t i = 0; i < shootout->suite->n_cases; i++) {
        const pare_case *subject = &shootout->suite->cases[i];
        const pare_run *run = pare_shootout_find(shootout, i, judged, shootout->jobs[0]);
        for (size_t k = 0; run && !run->status && pare_shootout_target(subject, run, k, &target);
             k++) {
            *met += target.met;
            ++*all;
            if (out)
                fprintf(out, "  %-6s  %-19s %s\n", target.met ? "met" : "MISSED",
                        k ? "" : name_in(name, subject->name, 19),
                        pare_shootout_target_text(text, &target));
        }
    }
    tell_share(out, shootout, met, all);
}

/* Counted first, for the title. */
static void print_targets(FILE *out, const pare_shootout *shootout, pare_paint paint)
{
    size_t met, all;
    char title[LABEL_BYTES], name[LABEL_BYTES];
    tell_targets(NULL, shootout, &met, &all);
    if (!all) return;
    (void)snprintf(title, sizeof title, "Targets of %s: %zu of %zu met",
                   name_in(name, shootout->contenders[pare_shootout_judged(shootout)], 40), met,
                   all);
    print_title(out, paint, title);
    tell_targets(out, shootout, &met, &all);
}

/* ---- what went wrong ------------------------------------------------------------- */

/* Runs without a result, and results that are none: a reducer that keeps something else would
 * look good in every table above. */
static void print_wrong(FILE *out, const pare_shootout *shootout)
{
    for (size_t i = 0; i < shootout->n_runs; i++) {
        const pare_run *run = &shootout->runs[i];
        const char *name = shootout->suite->cases[run->case_index].name;
        if (run->status == PARE_OK && run->checked == PARE_FAIL) continue;
        fprintf(out, "\n%s, %s, -j%u: %s%s\n", name, shootout->contenders[run->contender],
                run->jobs,
                run->status ? run->message : "the result does not fail when tested again: ",
                run->status ? "" : pare_outcome_name(run->checked));
    }
}

/* From what most want to know to what few do; what went wrong stands last, where nobody scrolls
 * past it. */
void pare_shootout_table_print(FILE *out, const pare_shootout *shootout, bool each_case,
                               pare_paint paint)
{
    fprintf(out, "%s: %zu cases, %zu algorithms, %zu runs in %.1f s on %s\n",
            shootout->suite->name ? shootout->suite->name : "cases", shootout->suite->n_cases,
            shootout->n_contenders, shootout->n_runs, shootout->wall_s, shootout->machine);
    print_algorithms(out, shootout, paint);
    print_comparisons(out, shootout, paint);
    print_groups(out, shootout, paint);
    if (each_case) print_cases(out, shootout, paint);
    print_speed_up(out, shootout, paint);
    if (each_case) print_earned(out, shootout, paint);
    print_targets(out, shootout, paint);
    print_wrong(out, shootout);
}
