/* Figures for other programs: runs as CSV, summaries and comparisons as LaTeX.
 *
 * CSV as in RFC 4180: a header, a line for each run, texts in quotes; numbers need none.  LaTeX is two
 * tables by the package booktabs, to be included; all that is special there is escaped.
 * Tested by tests/cli/test_shootout.sh. */
#include "shootout/shootout_table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include <pare/outcome.h>
#include <pare/result.h>

#include "base/fail.h"
#include "shootout/shootout.h"
#include "ui/stats.h"

/* ---- CSV ---------------------------------------------------------------------------------- */

static void put_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"') fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void put_run(FILE *out, const pare_shootout *shootout, const pare_run *run)
{
    const pare_stats *stats = &run->stats;
    put_text(out, shootout->suite->cases[run->case_index].name);
    fputc(',', out);
    put_text(out, shootout->contenders[run->contender]);
    fprintf(out, ",%u,%u,", run->jobs, run->repeat);
    if (run->status) {
        fputs(",,,,,,,,,,", out);
        put_text(out, "");
        fputc(',', out);
        put_text(out, run->message);
        fputs("\r\n", out);
        return;
    }
    fprintf(out, "%zu,%zu,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.6f,%.6f,",
            stats->bytes_in, run->size_bytes, stats->tests_run, pare_run_needed(run),
            stats->cache_hits, stats->speculated, stats->cancelled, stats->wall_s, stats->oracle_s);
    fprintf(out, "%s,", pare_stats_stopped_name(stats->stopped));
    put_text(out, pare_outcome_name(run->checked));
    fputs(",\"\"\r\n", out);
}

void pare_shootout_csv_print(FILE *out, const pare_shootout *shootout)
{
    fputs("case,algorithm,jobs,repeat,bytes_in,bytes_out,tests_run,tests_needed,cache_hits,"
          "speculated,"
          "cancelled,wall_s,oracle_s,stopped,checked,error\r\n",
          out);
    for (size_t i = 0; i < shootout->n_runs; i++)
        put_run(out, shootout, &shootout->runs[i]);
}

/* ---- LaTeX -------------------------------------------------------------------------------- */

static void put_escaped(FILE *out, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '\\': fputs("\\textbackslash{}", out); break;
        case '~': fputs("\\textasciitilde{}", out); break;
        case '^': fputs("\\textasciicircum{}", out); break;
        case '-': fputs("-{}", out); break; /* two are no dash */
        case '&':
        case '%':
        case '$':
        case '#':
        case '_':
        case '{':
        case '}':
            fputc('\\', out);
            fputc(*text, out);
            break;
        default: fputc(*text, out); break;
        }
    }
}

static pare_status put_summaries(FILE *out, const pare_shootout *shootout, unsigned jobs,
                                 pare_error *err)
{
    pare_status status = PARE_OK;
    fputs("\\begin{tabular}{lrrrr}\n\\toprule\n"
          "algorithm & bytes & 95\\,\\% & tests & 95\\,\\% \\\\\n\\midrule\n",
          out);
    for (size_t i = 0; !status && i < shootout->n_contenders; i++) {
        const pare_cell cell = {.contender = i, .jobs = jobs};
        pare_summary bytes, tests;
        status = pare_shootout_summarize(shootout, &cell, PARE_FIGURE_BYTES, &bytes, err);
        if (!status)
            status = pare_shootout_summarize(shootout, &cell, PARE_FIGURE_TESTS, &tests, err);
        if (status) break;
        put_escaped(out, shootout->contenders[i]);
        fprintf(out, " & %.1f & [%.1f, %.1f] & %.0f & [%.0f, %.0f] \\\\\n", bytes.mean.mean,
                bytes.mean.low, bytes.mean.high, tests.mean.mean, tests.mean.low, tests.mean.high);
    }
    fputs("\\bottomrule\n\\end{tabular}\n", out);
    return status;
}

static pare_status put_comparisons(FILE *out, const pare_shootout *shootout, unsigned jobs,
                                   pare_error *err)
{
    pare_status status = PARE_OK;
    const size_t judged = pare_shootout_judged(shootout);
    fputs("\\begin{tabular}{llrrrr}\n\\toprule\n"
          "algorithm & figure & ratio & 95\\,\\% & $p$ & $\\hat A_{12}$ \\\\\n\\midrule\n",
          out);
    for (size_t i = 0; !status && i < shootout->n_contenders; i++)
        for (int k = 0; !status && i != judged && k < 2; k++) {
            const pare_cell one = {.contender = judged, .jobs = jobs};
            const pare_cell other = {.contender = i, .jobs = jobs};
            const pare_figure figure = k ? PARE_FIGURE_TESTS : PARE_FIGURE_BYTES;
            pare_comparison found;
            status = pare_shootout_compare(shootout, &one, &other, figure, &found, err);
            if (status) break;
            put_escaped(out, shootout->contenders[i]);
            fprintf(out, " & %s & %.3f & [%.3f, %.3f] & %.3g & %.2f \\\\\n", k ? "tests" : "bytes",
                    found.ratio.mean, found.ratio.low, found.ratio.high, found.p, found.a12);
        }
    fputs("\\bottomrule\n\\end{tabular}\n", out);
    return status;
}

pare_status pare_shootout_latex_print(FILE *out, const pare_shootout *shootout, pare_error *err)
{
    pare_status status = PARE_OK;
    fputs("% \\usepackage{booktabs}\n", out);
    for (size_t k = 0; !status && k < shootout->n_jobs; k++) {
        const unsigned jobs = shootout->jobs[k];
        fprintf(out, "%% Geometric means over cases, intervals by the bootstrap, -j%u\n", jobs);
        status = put_summaries(out, shootout, jobs, err);
        fputs("% Ratios of ", out);
        fputs(shootout->contenders[pare_shootout_judged(shootout)], out);
        fputs(" to each; Wilcoxon's test over cases; A12: how often it is smaller\n", out);
        if (!status) status = put_comparisons(out, shootout, jobs, err);
    }
    return status;
}
