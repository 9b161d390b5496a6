/* A shoot-out as one HTML page: the sections from the answer to the machine that it was found on.
 *
 * Everything is text and SVG of our own, so that a page stands by itself, prints, and can be
 * read aloud; figures come from score.c and are nowhere computed twice. */
#include "shootout/shootout_page.h"

#include <math.h>
#include <string.h>

#include <pare/pare.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "shootout/line_plot.h"
#include "shootout/shootout_json.h"
#include "shootout/shootout_table.h"
#include "ui/format.h"
#include "ui/frame.h"
#include "ui/html.h"

/* What the page adds to the style sheet of the report.  Curves have eight colours, each with a
 * contrast of 3 or more against the background, and dashes. */
/* clang-format off */
static const char *const style[] = {
    ":root{--s0:#0f6b5c;--s1:#c2410c;--s2:#1d4ed8;--s3:#9333ea;--s4:#b45309;--s5:#be185d;"
    "--s6:#0e7490;--s7:#4d7c0f}\n",
    "@media screen and (prefers-color-scheme:dark){:root{--s0:#5fd0b5;--s1:#fb923c;--s2:#93b4ff;"
    "--s3:#d8a4ff;--s4:#fcd34d;--s5:#f9a8d4;--s6:#67e8f9;--s7:#bef264}}\n",
    ".s0{stroke:var(--s0)}.s1{stroke:var(--s1);stroke-dasharray:7 3}"
    ".s2{stroke:var(--s2);stroke-dasharray:2 3}.s3{stroke:var(--s3);stroke-dasharray:9 3 2 3}"
    ".s4{stroke:var(--s4);stroke-dasharray:5 2}.s5{stroke:var(--s5);stroke-dasharray:12 4}"
    ".s6{stroke:var(--s6);stroke-dasharray:4 4}.s7{stroke:var(--s7);stroke-dasharray:1 3}\n",
    ".frame path.s0,.frame path.s1,.frame path.s2,.frame path.s3,.frame path.s4,"
    ".frame path.s5,.frame path.s6,.frame path.s7{stroke-width:2px}\n",
    ".frame path.s0{stroke-width:3px}\n",
    ".legend{display:flex;flex-wrap:wrap;gap:.2rem 1.4rem;list-style:none;margin:0 0 .9rem;"
    "padding:0;font-size:.9rem}\n",
    ".legend li{display:flex;align-items:center;gap:.5rem;overflow-wrap:anywhere}\n",
    ".legend svg{width:28px;height:8px;flex:none}.legend path{stroke-width:3px;fill:none}\n",
    ".wide{overflow-x:auto}.wide+.wide{margin-top:2rem}\n",
    ".wide table{min-width:max-content}.wide .bar{width:0;min-width:100%}\n",
    ".wide caption{max-width:calc(100vw - 2*clamp(16px,4vw,40px))}\n",
    ".wide th:first-child{position:sticky;left:0;background:var(--page);padding-right:1.2rem}\n",
    "tr.first th,tr.first td{border-top:2px solid var(--line)}\n",
    "td b{color:var(--accent);font-weight:650}\n",
    "td small,th small{color:var(--dim);font-size:.84rem}\n",
    ".missed{font-weight:650}\n",
    ".answer{border-left:3px solid var(--accent);padding:.2rem 0 .2rem 1rem;margin:0}\n",
    ".answer li{margin:.3rem 0;max-width:75ch}\n",
    "ul.answer{list-style:none}\n",
    ".many{display:grid;gap:1.5rem 2rem;grid-template-columns:repeat(auto-fit,"
    "minmax(min(100%,420px),1fr))}\n",
    ".many .frame{height:200px}\n",
    ".many figure{margin:0}.many .legend{display:none}\n",
    "@media print{.wide{overflow:visible;font-size:8pt}.wide table{min-width:0;font-size:1em}"
    ".wide th,.wide td{padding-right:.5em}.wide thead th,.wide small{font-size:1em}.wide td.b{width:12%;min-width:0}}\n",
    NULL,
};
/* clang-format on */

/* ---- small pieces ---------------------------------------------------------------- */

/* The head of a row, from outside. */
static void add_name(pare_html *html, const char *name)
{
    pare_html_raw(html, "<th scope=\"row\">");
    pare_html_text(html, name);
    pare_html_raw(html, "</th>");
}

/* A suite of several descriptions may have no name. */
static const char *suite_name(const pare_shootout *shootout)
{
    return shootout->suite->name ? shootout->suite->name : "cases";
}

/* ---- the answer ------------------------------------------------------------------ */

/* The contender with the smallest results in the geometric mean; of two that are equal to
 * within a thousandth the one with fewer tests. */
static size_t best_of(const pare_shootout *shootout, const char *group)
{
    size_t best = 0;
    unsigned jobs = shootout->jobs[0];
    pare_score least = pare_shootout_score(shootout, group, 0, jobs);
    for (size_t i = 1; i < shootout->n_contenders; i++) {
        pare_score score = pare_shootout_score(shootout, group, i, jobs);
        bool smaller = score.bytes < least.bytes * 0.999;
        bool as_small = score.bytes <= least.bytes * 1.001;
        if (!smaller && !(as_small && score.tests < least.tests)) continue;
        best = i;
        least = score;
    }
    return best;
}

/* What somebody wants to know who reads one line only. */
static void add_verdict(pare_html *html, const pare_shootout *shootout)
{
    size_t best = best_of(shootout, NULL);
    char bytes[PARE_SHOOTOUT_FIGURE_BYTES], tests[PARE_SHOOTOUT_FIGURE_BYTES];
    pare_score score = pare_shootout_score(shootout, NULL, best, shootout->jobs[0]);
    pare_html_raw(html, "<header>\n<h1>Shoot-out: ");
    pare_html_text(html, suite_name(shootout));
    pare_html_raw(html, "</h1>\n");
    if (score.n_cases) {
        pare_html_raw(html, "<p class=\"verdict\"><b>");
        pare_html_text(html, shootout->contenders[best]);
        pare_html_format(html, "</b> <span>%s bytes</span> <span>in %s tests</span></p>\n",
                         pare_shootout_figure(bytes, score.bytes),
                         pare_shootout_figure(tests, score.tests));
        pare_html_format(html,
                         "<p class=\"sub\">geometric means over %zu %s; in %zu of %zu no other "
                         "result is smaller</p>\n",
                         score.n_cases, score.n_cases == 1 ? "case" : "cases", score.n_smallest,
                         score.n_cases);
    }
    if (shootout->interrupted)
        pare_html_raw(html, "<p>It was interrupted: not all of the matrix was run.</p>\n");
    pare_html_raw(html, "</header>\n<main>\n");
}

/* Who has the smallest results in the group, and who is the first to come near them: they need
 * not be the same. */
static void add_answer_of(pare_html *html, const pare_shootout *shootout, const char *group)
{
    char bytes[PARE_SHOOTOUT_FIGURE_BYTES], tests[PARE_SHOOTOUT_FIGURE_BYTES];
    unsigned jobs = shootout->jobs[0];
    size_t best = best_of(shootout, group), quickest = best;
    pare_score score = pare_shootout_score(shootout, group, best, jobs), least = score;
    if (!score.n_cases) return;
    for (size_t i = 0; i < shootout->n_contenders; i++) {
        pare_score other = pare_shootout_score(shootout, group, i, jobs);
        if (other.to_twice >= least.to_twice) continue;
        quickest = i;
        least = other;
    }
    pare_html_raw(html, "<li><b>");
    pare_html_text(html, group);
    pare_html_raw(html, "</b>: smallest by ");
    pare_html_text(html, shootout->contenders[best]);
    pare_html_format(html, " (%s bytes, %s tests); down to twice that first ",
                     pare_shootout_figure(bytes, score.bytes),
                     pare_shootout_figure(tests, score.tests));
    pare_html_raw(html, quickest == best ? "too" : "by ");
    if (quickest != best) pare_html_text(html, shootout->contenders[quickest]);
    pare_html_format(html, " (%s tests)</li>\n", pare_shootout_figure(tests, least.to_twice));
}

/* Nothing without groups, or with nobody to compare. */
static void add_answer(pare_html *html, const pare_shootout *shootout)
{
    const char *group;
    if (!pare_suite_group(shootout->suite, 0) || shootout->n_contenders < 2) return;
    pare_frame_begin_section(html, "answer", "Which performs best, under which circumstances",
                             PARE_FRAME_LONG);
    pare_html_raw(html, "<ul class=\"answer\">\n");
    for (size_t g = 0; (group = pare_suite_group(shootout->suite, g)) != NULL; g++)
        add_answer_of(html, shootout, group);
    pare_html_raw(html, "</ul>\n");
    pare_frame_end_section(html);
}

/* ---- algorithms ------------------------------------------------------------------ */

/* A bar below a figure, `most` being full. */
static void add_bar(pare_html *html, double value, double most)
{
    /* Logarithmic, since tests differ by orders of magnitude: 1 is no bar. */
    double share = most > 1 && value > 1 ? log(value) / log(most) : 0;
    pare_frame_add_bar(html, share);
}

/* A row of the first table. */
static void add_score(pare_html *html, const pare_shootout *shootout, size_t contender,
                      unsigned jobs, const pare_score *most)
{
    char text[PARE_SHOOTOUT_FIGURE_BYTES];
    pare_score score = pare_shootout_score(shootout, NULL, contender, jobs);
    pare_html_raw(html, "<tr>");
    add_name(html, shootout->contenders[contender]);
    pare_html_format(html, "<td class=\"b\">%s", pare_shootout_figure(text, score.bytes));
    add_bar(html, score.bytes, most->bytes);
    pare_html_format(html, "</td><td>%.2f&#160;%%</td><td class=\"b\">%s", 100 * score.share,
                     pare_shootout_figure(text, score.tests));
    add_bar(html, score.tests, most->tests);
    pare_html_format(html, "</td><td>%s</td><td>%zu</td><td>%zu</td>",
                     pare_shootout_figure(text, score.to_twice), score.n_twice, score.n_smallest);
    pare_html_format(html, "<td class=\"w\">%s</td>", pare_shootout_seconds(text, score.wall_s));
    pare_html_format(html, "<td class=\"w\">%zu</td></tr>\n", score.n_failed + score.n_refuted);
}

/* The table of the contenders with one number of jobs. */
static void add_algorithms(pare_html *html, const pare_shootout *shootout, unsigned jobs)
{
    pare_score most = {0};
    for (size_t i = 0; i < shootout->n_contenders; i++) {
        pare_score score = pare_shootout_score(shootout, NULL, i, jobs);
        most.n_cases = score.n_cases;
        most.bytes = fmax(most.bytes, score.bytes);
        most.tests = fmax(most.tests, score.tests);
    }
    pare_html_format(html,
                     "<div class=\"wide\"><table>\n<caption>Geometric means over %zu %s, with "
                     "-j%u; bars are logarithmic</caption>\n",
                     most.n_cases, most.n_cases == 1 ? "case" : "cases", jobs);
    pare_html_raw(
        html,
        "<thead><tr><th scope=\"col\">Algorithm</th><th scope=\"col\">Bytes left"
        "</th><th scope=\"col\">of the input</th><th scope=\"col\">Tests</th>"
        "<th scope=\"col\">Tests to twice<br/>the smallest</th>"
        "<th scope=\"col\">Cases within<br/>twice the smallest</th>"
        "<th scope=\"col\">Cases with<br/>the smallest</th><th scope=\"col\" class=\"w\">Time</th>"
        "<th scope=\"col\" class=\"w\">Wrong</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < shootout->n_contenders; i++)
        add_score(html, shootout, i, jobs, &most);
    pare_html_raw(html, "</tbody>\n</table></div>\n");
}

/* ---- curves ---------------------------------------------------------------------- */

/* Numbers of tests, about evenly spaced in their logarithm, up to the longest run. */
static size_t choose_tests(const pare_shootout *shootout, double tests[PARE_SHOOTOUT_POINTS])
{
    uint64_t most = 10;
    size_t n = 0;
    for (size_t i = 0; i < shootout->n_runs; i++)
        if (shootout->runs[i].stats.tests_run > most) most = shootout->runs[i].stats.tests_run;
    double step = log((double)most) / (PARE_SHOOTOUT_POINTS - 1);
    for (size_t i = 0; i < PARE_SHOOTOUT_POINTS; i++) {
        double value = floor(exp(step * (double)i) + 0.5);
        if (!n || value > tests[n - 1]) tests[n++] = value;
    }
    return n;
}

/* Memory of the points of all curves of a plot. */
struct points {
    double x[PARE_SHOOTOUT_POINTS];
    double *y;           /* owned; a row for each contender */
    pare_series *series; /* owned */
};

/* False when memory is out; points_done is called in any case. */
static bool points_make(struct points *points, size_t n_contenders)
{
    points->y = pare_alloc_zero(n_contenders * PARE_SHOOTOUT_POINTS, sizeof *points->y);
    points->series = pare_alloc_zero(n_contenders, sizeof *points->series);
    return points->y && points->series;
}

/* Releases what points_make has made, or a part of it. */
static void points_done(struct points *points)
{
    pare_alloc_free(points->y);
    pare_alloc_free(points->series);
}

/* The judged contender stands out; the others follow in their order. */
static unsigned style_of(const pare_shootout *shootout, size_t contender)
{
    size_t judged = pare_shootout_judged(shootout);
    return contender == judged ? 0 : (unsigned)(contender < judged ? contender + 1 : contender);
}

/* The mean over all cases: which contender is ahead after so many tests. */
static void add_mean_curves(pare_html *html, const pare_shootout *shootout)
{
    struct points points = {.y = NULL};
    if (!points_make(&points, shootout->n_contenders)) html->status = PARE_E_NOMEM;
    size_t n = choose_tests(shootout, points.x);
    for (size_t i = 0; i < shootout->n_contenders && html->status == PARE_OK; i++) {
        double *y = points.y + i * PARE_SHOOTOUT_POINTS;
        for (size_t k = 0; k < n; k++)
            y[k] = pare_shootout_share_after(shootout, NULL, i, shootout->jobs[0],
                                             (uint64_t)points.x[k]);
        points.series[i] = (pare_series){.name = shootout->contenders[i],
                                         .x = points.x,
                                         .y = y,
                                         .n = y[0] > 0 ? n : 0,
                                         .style = style_of(shootout, i)};
    }
    pare_line_plot plot = {
        .id = "mean",
        .title = "Share of the input that is left, over tests",
        .caption = "Share of the input that is left after so many tests, geometric mean over "
                   "the cases; both axes are logarithmic.",
        .series = points.series,
        .n_series = shootout->n_contenders,
        .values = PARE_LINE_SHARE,
    };
    if (html->status == PARE_OK) pare_line_plot_add(html, &plot);
    points_done(&points);
}

/* The points of a run's curve, thinned out evenly: the input, the gains, and the end of the run. */
static size_t fill_curve(const pare_run *run, double *x, double *y)
{
    const pare_stats *stats = &run->stats;
    size_t n = 0, stride = 1 + stats->n_curve / (PARE_SHOOTOUT_POINTS - 3);
    x[n] = 1;
    y[n++] = fmax(1, (double)stats->bytes_in);
    for (size_t i = 0; i < stats->n_curve; i++) {
        if (i % stride && i + 1 < stats->n_curve) continue;
        x[n] = fmax(1, (double)stats->curve[i].tests);
        y[n++] = fmax(1, (double)stats->curve[i].bytes);
    }
    x[n] = fmax(x[n - 1], (double)stats->tests_run);
    y[n] = y[n - 1];
    return n + 1;
}

static void add_case_curves(pare_html *html, const pare_shootout *shootout, size_t index)
{
    struct points points = {.y = NULL};
    double *x = pare_alloc_zero(shootout->n_contenders * PARE_SHOOTOUT_POINTS, sizeof *x);
    char id[32];
    if (!points_make(&points, shootout->n_contenders) || !x) html->status = PARE_E_NOMEM;
    for (size_t i = 0; i < shootout->n_contenders && html->status == PARE_OK; i++) {
        const pare_run *run = pare_shootout_find(shootout, index, i, shootout->jobs[0]);
        size_t at = i * PARE_SHOOTOUT_POINTS;
        points.series[i] = (pare_series){.name = shootout->contenders[i],
                                         .x = x + at,
                                         .y = points.y + at,
                                         .style = style_of(shootout, i)};
        if (run && run->status == PARE_OK)
            points.series[i].n = fill_curve(run, x + at, points.y + at);
    }
    (void)snprintf(id, sizeof id, "case%zu", index);
    pare_line_plot plot = {.id = id,
                           .title = "Size over tests",
                           .series = points.series,
                           .n_series = shootout->n_contenders,
                           .values = PARE_LINE_BYTES};
    pare_html_raw(html, "<div><h3>");
    pare_html_text(html, shootout->suite->cases[index].name);
    pare_html_raw(html, "</h3>\n");
    if (html->status == PARE_OK) pare_line_plot_add(html, &plot);
    pare_html_raw(html, "</div>\n");
    pare_alloc_free(x);
    points_done(&points);
}

static void add_curves(pare_html *html, const pare_shootout *shootout)
{
    pare_frame_begin_section(html, "curves", "Size over tests", PARE_FRAME_LONG);
    add_mean_curves(html, shootout);
    pare_frame_end_section(html);
}

static void add_all_cases_curves(pare_html *html, const pare_shootout *shootout)
{
    if (shootout->suite->n_cases > PARE_SHOOTOUT_PLOTS) return;
    pare_frame_begin_section(html, "each", "Each case: bytes over tests", PARE_FRAME_LONG);
    pare_html_raw(html, "<div class=\"many\">\n");
    for (size_t i = 0; i < shootout->suite->n_cases; i++)
        add_case_curves(html, shootout, i);
    pare_html_raw(html, "</div>\n");
    pare_frame_end_section(html);
}

static void add_speed_up(pare_html *html, const pare_shootout *shootout)
{
    struct points points = {.y = NULL};
    size_t n = shootout->n_jobs < PARE_SHOOTOUT_POINTS ? shootout->n_jobs : PARE_SHOOTOUT_POINTS;
    if (n < 2) return;
    if (!points_make(&points, shootout->n_contenders)) html->status = PARE_E_NOMEM;
    for (size_t k = 0; k < n; k++)
        points.x[k] = shootout->jobs[k];
    for (size_t i = 0; i < shootout->n_contenders && html->status == PARE_OK; i++) {
        double *y = points.y + i * PARE_SHOOTOUT_POINTS;
        for (size_t k = 0; k < n; k++)
            y[k] = pare_shootout_speed_up(shootout, i, shootout->jobs[k]);
        points.series[i] = (pare_series){.name = shootout->contenders[i],
                                         .x = points.x,
                                         .y = y,
                                         .n = n,
                                         .style = style_of(shootout, i)};
    }
    pare_line_plot plot = {
        .id = "speed",
        .title = "Speed-up over tests at once",
        .caption = "How many times as fast, by wall time, with so many tests at once: geometric "
                   "mean over the cases.",
        .series = points.series,
        .n_series = shootout->n_contenders,
        .values = PARE_LINE_FACTOR,
        .shape = PARE_LINE_STRAIGHT,
    };
    pare_frame_begin_section(html, "speed-up", "Parallel speed-up", PARE_FRAME_LONG);
    if (html->status == PARE_OK) pare_line_plot_add(html, &plot);
    pare_frame_end_section(html);
    points_done(&points);
}

/* ---- tables of many things ------------------------------------------------------- */

/* The head of a table with a column for each contender. */
static void begin_matrix(pare_html *html, const pare_shootout *shootout, const char *first)
{
    pare_html_format(html,
                     "<div class=\"wide\"><table>\n<caption>Bytes left, and tests; bold: no "
                     "other is smaller</caption>\n<thead><tr><th scope=\"col\">%s</th>",
                     first);
    for (size_t i = 0; i < shootout->n_contenders; i++) {
        pare_html_raw(html, "<th scope=\"col\">");
        pare_html_text(html, shootout->contenders[i]);
        pare_html_raw(html, "</th>");
    }
    pare_html_raw(html, "</tr></thead>\n<tbody>\n");
}

/* Closes what begin_matrix has opened. */
static void end_matrix(pare_html *html)
{
    pare_html_raw(html, "</tbody>\n</table></div>\n");
}

/* A cell; the best of its row is bold. */
static void add_figures(pare_html *html, const char *bytes, const char *tests, bool best)
{
    pare_html_format(html,
                     best ? "<td><b>%s</b> <small>in&#160;%s</small></td>"
                          : "<td>%s <small>in&#160;%s</small></td>",
                     bytes, tests);
}

/* A row of means. Who is within a thousandth of the best shares its place. */
static void add_group(pare_html *html, const pare_shootout *shootout, const char *group)
{
    char bytes[PARE_SHOOTOUT_FIGURE_BYTES], tests[PARE_SHOOTOUT_FIGURE_BYTES];
    unsigned jobs = shootout->jobs[0];
    double least = HUGE_VAL;
    for (size_t i = 0; i < shootout->n_contenders; i++)
        least = fmin(least, pare_shootout_score(shootout, group, i, jobs).bytes);
    pare_html_raw(html, "<tr>");
    add_name(html, group);
    for (size_t i = 0; i < shootout->n_contenders; i++) {
        pare_score score = pare_shootout_score(shootout, group, i, jobs);
        add_figures(html, pare_shootout_figure(bytes, score.bytes),
                    pare_shootout_figure(tests, score.tests), score.bytes <= least * 1.001);
    }
    pare_html_raw(html, "</tr>\n");
}

/* Nothing for a suite without groups. */
static void add_groups(pare_html *html, const pare_shootout *shootout)
{
    const char *group;
    if (!pare_suite_group(shootout->suite, 0)) return;
    pare_frame_begin_section(html, "groups", "By circumstances", PARE_FRAME_LONG);
    begin_matrix(html, shootout, "Cases");
    for (size_t g = 0; (group = pare_suite_group(shootout->suite, g)) != NULL; g++)
        add_group(html, shootout, group);
    end_matrix(html);
    pare_frame_end_section(html);
}

/* A row of results; a dash where there is none. */
static void add_case(pare_html *html, const pare_shootout *shootout, size_t index)
{
    char bytes[PARE_FORMAT_BYTES], tests[PARE_FORMAT_BYTES];
    const pare_case *subject = &shootout->suite->cases[index];
    unsigned jobs = shootout->jobs[0];
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < shootout->n_contenders; i++) {
        const pare_run *run = pare_shootout_find(shootout, index, i, jobs);
        if (run && !run->status && run->size_bytes < least) least = run->size_bytes;
    }
    pare_html_raw(html, "<tr><th scope=\"row\">");
    pare_html_text(html, subject->name);
    pare_html_format(html, " <small>%s", pare_format_size(bytes, subject->input_bytes));
    if (subject->needs) {
        pare_html_raw(html, ", ");
        pare_html_text(html, subject->needs);
    }
    pare_html_raw(html, "</small></th>");
    for (size_t i = 0; i < shootout->n_contenders; i++) {
        const pare_run *run = pare_shootout_find(shootout, index, i, jobs);
        if (run && !run->status)
            add_figures(html, pare_format_count(bytes, run->size_bytes),
                        pare_format_count(tests, run->stats.tests_run), run->size_bytes == least);
        else
            pare_html_raw(html, "<td>&#8211;</td>");
    }
    pare_html_raw(html, "</tr>\n");
}

/* Every case, in the order of the suite. */
static void add_cases(pare_html *html, const pare_shootout *shootout)
{
    pare_frame_begin_section(html, "cases", "Cases", PARE_FRAME_LONG);
    begin_matrix(html, shootout, "Case");
    for (size_t i = 0; i < shootout->suite->n_cases; i++)
        add_case(html, shootout, i);
    end_matrix(html);
    pare_frame_end_section(html);
}

/* ---- targets --------------------------------------------------------------------- */

/* The rows of one case; gives how many. */
static size_t add_targets_of(pare_html *html, const pare_shootout *shootout, size_t index)
{
    char text[PARE_SHOOTOUT_TARGET_BYTES];
    const pare_case *subject = &shootout->suite->cases[index];
    const pare_run *run =
        pare_shootout_find(shootout, index, pare_shootout_judged(shootout), shootout->jobs[0]);
    pare_target target;
    size_t n = 0;
    while (run && !run->status && pare_shootout_target(subject, run, n, &target)) {
        pare_html_raw(html, n ? "<tr>" : "<tr class=\"first\">");
        add_name(html, n ? "" : subject->name);
        pare_html_format(html, "<td class=\"t\">%s</td><td%s</td></tr>\n",
                         pare_shootout_target_text(text, &target),
                         target.met ? ">met" : " class=\"missed\">missed");
        n++;
    }
    return n;
}

/* Nothing where no case has a target. */
static void add_targets(pare_html *html, const pare_shootout *shootout)
{
    bool any = false;
    for (size_t i = 0; i < shootout->suite->n_cases; i++) {
        const pare_case *subject = &shootout->suite->cases[i];
        any = any || subject->peer || subject->n_frontier || subject->n_targets ||
              subject->known_bytes || subject->target_tokens;
    }
    if (!any) return;
    pare_frame_begin_section(html, "targets", "Targets", PARE_FRAME_LONG);
    pare_html_raw(html, "<table>\n<caption>What ");
    pare_html_text(html, shootout->contenders[pare_shootout_judged(shootout)]);
    pare_html_raw(html, " should reach by what is recorded of the cases</caption>\n<thead><tr>"
                        "<th scope=\"col\">Case</th><th scope=\"col\" class=\"t\">Figure</th>"
                        "<th scope=\"col\"></th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < shootout->suite->n_cases; i++)
        (void)add_targets_of(html, shootout, i);
    pare_html_raw(html, "</tbody>\n</table>\n");
    pare_frame_end_section(html);
}

/* ---- how it was measured --------------------------------------------------------- */

/* Whether the results are results: each was tested again, in a process of its own. */
static void add_checks(pare_html *html, const pare_shootout *shootout)
{
    char good[PARE_FORMAT_BYTES], all[PARE_FORMAT_BYTES], text[128];
    size_t n = 0, failed = 0;
    for (size_t i = 0; i < shootout->n_runs; i++) {
        const pare_run *run = &shootout->runs[i];
        n += !run->status && run->checked == PARE_FAIL;
        failed += run->status != PARE_OK;
    }
    (void)snprintf(text, sizeof text, "%s of %s still fail; %zu runs without a result",
                   pare_format_count(good, n), pare_format_count(all, shootout->n_runs), failed);
    pare_frame_add_fact(html, "Results tested again", text);
}

/* The runs that the tables leave out, each with its reason. */
static void add_wrong(pare_html *html, const pare_shootout *shootout)
{
    for (size_t i = 0; i < shootout->n_runs; i++) {
        const pare_run *run = &shootout->runs[i];
        if (!run->status && run->checked == PARE_FAIL) continue;
        pare_html_raw(html, "<p><b>");
        pare_html_text(html, shootout->suite->cases[run->case_index].name);
        pare_html_raw(html, ", ");
        pare_html_text(html, shootout->contenders[run->contender]);
        pare_html_raw(html, "</b>: ");
        pare_html_text(html, run->status ? run->message
                                         : "the result does not fail when it is tested again");
        pare_html_raw(html, "</p>\n");
    }
}

/* What somebody needs who wants to run it again. */
static void add_machine(pare_html *html, const pare_shootout_page *page,
                        const pare_shootout *shootout)
{
    char text[PARE_FORMAT_BYTES], date[PARE_SHOOTOUT_TIME_BYTES];
    pare_frame_begin_section(html, "how", "How it was measured", PARE_FRAME_LONG);
    pare_html_raw(html, "<dl>\n");
    pare_frame_add_fact(html, "Date", pare_shootout_time(date, shootout->started_s));
    pare_frame_add_fact(html, "Machine", shootout->machine);
    pare_frame_add_fact(html, "Runs", pare_format_count(text, shootout->n_runs));
    pare_frame_add_fact(html, "Took", pare_format_duration(text, shootout->wall_s));
    pare_frame_add_fact(html, "At most",
                        shootout->max_tests ? pare_format_tests(text, shootout->max_tests)
                                            : "any tests");
    if (shootout->max_time_ms)
        pare_frame_add_fact(html, "and",
                            pare_format_duration(text, (double)shootout->max_time_ms / 1000));
    if (shootout->test_us)
        pare_frame_add_fact(html, "A test lasts at least",
                            pare_format_duration(text, (double)shootout->test_us / 1e6));
    add_checks(html, shootout);
    pare_html_raw(html, "</dl>\n");
    add_wrong(html, shootout);
    pare_frame_add_command(html, "Again", page->command);
    pare_frame_end_section(html);
}

/* In the order of a reader's questions. Memory that is out is kept in html.status, and looked at
 * once. */
pare_status pare_shootout_page_write(const pare_shootout_page *page, const pare_shootout *shootout,
                                     pare_buffer *out, pare_error *err)
{
    pare_html html = {0};
    const pare_frame frame = {.title = "Shoot-out", .rules = style, .script = pare_frame_script};
    pare_frame_begin(&html, &frame);
    add_verdict(&html, shootout);
    pare_frame_begin_section(&html, "algorithms", "Algorithms", PARE_FRAME_LONG);
    for (size_t k = 0; k < shootout->n_jobs; k++)
        add_algorithms(&html, shootout, shootout->jobs[k]);
    pare_frame_end_section(&html);
    add_curves(&html, shootout);
    add_answer(&html, shootout);
    add_groups(&html, shootout);
    add_speed_up(&html, shootout);
    add_targets(&html, shootout);
    add_all_cases_curves(&html, shootout);
    add_cases(&html, shootout);
    add_machine(&html, page, shootout);
    pare_html_format(&html, "</main>\n<footer>\n<p>pare %s</p>\n</footer>\n", pare_version());
    pare_frame_end(&html, &frame);
    pare_status status = html.status ? pare_fail_nomem(err) : PARE_OK;
    if (!status) status = pare_buffer_add(out, html.bytes.data, html.bytes.size, err);
    pare_html_done(&html);
    return status;
}
