/* The report as one HTML page: its sections, from the verdict to the command.
 *
 * Each add_* function appends one section, or one part of it, to the same pare_html; nothing is
 * measured before it is written.  Size is bounded by construction: names and commands are cut,
 * tables have MOST_* rows, and texts share a number of bytes (page_texts.c).  No date, no path but
 * those given, no random id: the same arguments give the same bytes, which the tests compare.
 *
 * Invariant: every text from outside goes through pare_html_bytes, and every element that is
 * opened is closed by the function that opened it, so the page is well-formed whatever the run
 * was. */
#include "ui/page.h"

#include <assert.h>
#include <string.h>

#include <pare/pare.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/sized.h"
#include "ui/essence.h"
#include "ui/format.h"
#include "ui/frame.h"
#include "ui/html.h"
#include "ui/page_explained.h"
#include "ui/page_texts.h"
#include "ui/plot.h"
#include "ui/stats.h"
#include "ui/summary.h"

enum {
    TITLE_BYTES = 300,
    MOST_PASSES = 200, /* rows of a table; the rest is one row */
    MOST_OTHERS = 40   /* likewise */
};

/* ---- the verdict ----------------------------------------------------------------- */

/* The title has the two sizes, since it is what a list of open pages shows: "in.js:
 * 12,345 bytes to 60 bytes", "in.js: 2 of 14 differences", "in.js: explained". */
static void make_title(char title[static TITLE_BYTES], const pare_page *page,
                       const pare_stats *stats)
{
    char in[PARE_FORMAT_BYTES], out[PARE_FORMAT_BYTES], name[200];
    pare_format_name(name, sizeof name, page->name);
    if (page->is_explained_only)
        (void)snprintf(title, TITLE_BYTES, "%s: explained", name);
    else if (page->texts.is_isolated)
        (void)snprintf(title, TITLE_BYTES, "%s: %s of %s differences", name,
                       pare_format_count(in, page->n_differences),
                       pare_format_count(out, page->n_differences_in));
    else
        (void)snprintf(title, TITLE_BYTES, "%s: %s to %s", name,
                       pare_frame_size(in, stats->bytes_in),
                       pare_frame_size(out, stats->bytes_out));
}

/* Adds what was kept: the signature where there is one; else what the user gave us to
 * decide by.
 * One of the four is always there, as there is no run without a failure to keep. */
static void add_kept(pare_html *html, const pare_page *page, const pare_result *result)
{
    /* Of an isolation both sides are on the page, so the one that fails is named. */
    const char *subject = page->texts.is_isolated ? "The failing side" : "It";
    if (result->signature) {
        pare_html_format(html, "<p>%s fails with ", subject);
        pare_frame_add_code(html, result->signature);
    } else if (page->test_command) {
        pare_html_format(html, "<p>%s makes this test exit with 0: ", subject);
        pare_frame_add_code(html, page->test_command);
    } else if (page->worker_command) {
        pare_html_format(html, "<p>This worker answers FAIL for %s: ",
                         page->texts.is_isolated ? "the failing side" : "it");
        pare_frame_add_code(html, page->worker_command);
    } else {
        pare_html_format(html, "<p>%s fails as was asked for in the command below.", subject);
    }
    pare_html_raw(html, "</p>\n");
}

/* The headline of a result that was only explained: its size, and what explaining it
 * has cost. */
static void add_size(pare_html *html, const pare_explanation *explanation,
                     const pare_result *result)
{
    char size[PARE_FORMAT_BYTES], tests[PARE_FORMAT_BYTES], time[PARE_FORMAT_BYTES];
    pare_html_format(html, "</h1>\n<p class=\"verdict\"><b>%s</b></p>\n",
                     pare_frame_size(size, result->size_bytes));
    pare_html_format(html, "<p class=\"sub\">explained in %s, %s</p>\n",
                     pare_format_tests(tests, explanation ? pare_essence_tests(explanation)
                                                          : result->stats.tests_run),
                     pare_format_duration(time, result->stats.wall_s));
}

/* Adds the sizes: of an isolation how many differences count, of a reduction from what
 * size to what, and which share that is. */
static void add_headline(pare_html *html, const pare_page *page, const pare_stats *stats)
{
    char in[PARE_FORMAT_BYTES], out[PARE_FORMAT_BYTES], share[PARE_FORMAT_BYTES];
    if (page->texts.is_isolated)
        pare_html_format(html,
                         "</h1>\n<p class=\"verdict\"><b>%s</b> <span>of %s</span> "
                         "<span>differences</span> <span>%s it fail</span></p>\n",
                         pare_format_count(out, page->n_differences),
                         pare_format_count(in, page->n_differences_in),
                         page->n_differences == 1 ? "makes" : "make");
    else
        pare_html_format(
            html,
            "</h1>\n<p class=\"verdict\"><span>%s</span> <span>&#8594; <b>%s</b></span> "
            "<span>(%s)</span></p>\n",
            pare_frame_size(in, stats->bytes_in), pare_frame_size(out, stats->bytes_out),
            pare_format_percent(share, stats->bytes_out, stats->bytes_in));
}

/* What came of it, and at what cost.  The same words as on the terminal (summary.c). */
static void add_sizes(pare_html *html, const pare_page *page, const pare_stats *stats)
{
    char tests[PARE_FORMAT_BYTES], time[PARE_FORMAT_BYTES];
    char ending[PARE_SUMMARY_ENDING_BYTES];
    add_headline(html, page, stats);
    pare_html_format(html, "<p class=\"sub\">in %s, %s", pare_format_tests(tests, stats->tests_run),
                     pare_format_duration(time, stats->wall_s));
    /* Of one file it goes without saying. */
    if (stats->files_in > 1)
        pare_html_format(html, "; %s of %s files are left",
                         pare_format_count(tests, stats->files_out),
                         pare_format_count(time, stats->files_in));
    pare_html_raw(html, "</p>\n<p>Stopped ");
    pare_html_text(html, pare_summary_ending(ending, page->proof, stats));
    pare_html_raw(html, ".</p>\n");
}

/* Adds what the programs of the test did with the result, a line each; nothing where
 * that was not watched. */
static void add_programs(pare_html *html, const pare_page *page)
{
    const pare_explanation *explanation = page->texts.explanation;
    if (!explanation || !explanation->programs) return;
    pare_html_raw(html, "<p>In the test:</p>\n<ul class=\"programs\">\n");
    /* explanation->programs has a line for each; the last may have no end. */
    for (const char *at = explanation->programs; *at;) {
        const size_t size = strcspn(at, "\n");
        pare_html_raw(html, "<li><code>");
        pare_html_bytes(html, at, size);
        pare_html_raw(html, "</code></li>\n");
        at += size + (at[size] == '\n');
    }
    pare_html_raw(html, "</ul>\n");
}

/* What somebody wants to know who reads no further: name, sizes or differences, how it
 * fails. */
static void add_verdict(pare_html *html, const pare_page *page, const pare_result *result)
{
    pare_html_raw(html, "<header>\n<h1>");
    pare_frame_add_text(html, page->name);
    if (page->is_explained_only)
        add_size(html, page->texts.explanation, result);
    else
        add_sizes(html, page, &result->stats);
    add_kept(html, page, result);
    add_programs(html, page);
    pare_html_raw(html, "</header>\n<main>\n");
}

/* ---- the failure ----------------------------------------------------------------- */

/* Adds how often something failed, with the interval that holds the true rate; nothing
 * where nothing was measured.
 * The interval is that of the statistics, not worked out again. */
static void add_frequency(pare_html *html, const char *name, const pare_frequency *frequency)
{
    char fails[PARE_FORMAT_BYTES], runs[PARE_FORMAT_BYTES];
    if (!frequency->runs) return;
    pare_frame_begin_fact(html, name);
    pare_html_format(html, "%s of %s runs failed: %.0f to %.0f %%, with 95 %% confidence",
                     pare_format_count(fails, frequency->fails),
                     pare_format_count(runs, frequency->runs), 100 * frequency->low,
                     100 * frequency->high);
    pare_frame_end_fact(html);
}

/* What was measured of a failure by chance, and what it cost.  Nothing for one that comes each
 * time. */
static void add_rates(pare_html *html, const pare_flaky_stats *flaky)
{
    char count[PARE_FORMAT_BYTES];
    if (!flaky->flaky) return;
    pare_html_raw(html, "<h3>It comes by chance</h3>\n<dl>\n");
    add_frequency(html, "The input fails in", &flaky->input);
    add_frequency(html, "The result fails in", &flaky->result);
    pare_frame_add_fact(html, "Runs of the test, in all", pare_format_count(count, flaky->runs));
    pare_frame_add_fact(html, "Gave up the best for an earlier one",
                        pare_format_count(count, flaky->taken_back));
    if (flaky->fixed_addresses)
        pare_frame_add_fact(html, "Addresses",
                            "fixed, as with --no-aslr: with random ones it came by chance");
    if (flaky->one_at_a_time)
        pare_frame_add_fact(html, "Tests",
                            "one at a time, as with -j1: runs at once disturb each other");
    pare_html_raw(html, "</dl>\n");
}

/* Adds how to see the failure, what its test looks for, what it prints, and how often
 * it is seen. */
static void add_failure(pare_html *html, const pare_page *page, const pare_result *result)
{
    /* A section with nothing in it would be a heading alone. */
    if (!page->check && !page->test_text && !result->printed && !result->stats.flaky.flaky) return;
    pare_frame_begin_section(html, "failure", "The failure", PARE_FRAME_SHORT);
    pare_frame_add_command(html, "See it", page->check);
    if (page->test_text) {
        pare_frame_begin_fold(html, "What the test looks for: its script");
        pare_frame_add_command(html, NULL, page->test_text);
        pare_frame_end_fold(html);
    }
    if (result->printed) {
        pare_frame_begin_fold(html, "What it prints: the last lines");
        pare_frame_add_command(html, NULL, result->printed);
        pare_frame_end_fold(html);
    }
    add_rates(html, &result->stats.flaky);
    pare_frame_end_section(html);
}

/* A row of the table of other failures.  Those for which there was no folder were counted, and
 * not saved. */
static void add_other(pare_html *html, const pare_other_failure *other)
{
    char text[PARE_FORMAT_BYTES];
    pare_html_raw(html, "<tr><th scope=\"row\">");
    pare_frame_add_code(html, other->signature);
    pare_html_format(html, "</th><td>%s</td>", pare_format_count(text, other->n_tests));
    pare_html_format(html, "<td>%s</td><td class=\"t\">",
                     other->path ? pare_format_size(text, other->size_bytes) : "");
    if (other->path)
        pare_frame_add_code(html, other->path);
    else
        pare_html_raw(html, "not saved");
    pare_html_raw(html, "</td></tr>\n");
}

/* A section only if there were any.  They are in the order in which they were met. */
static void add_others(pare_html *html, const pare_result *result)
{
    /* Most runs meet none, and an empty table says nothing. */
    if (!result->n_others) return;
    pare_frame_begin_section(html, "others", "Other failures on the way", PARE_FRAME_SHORT);
    pare_html_raw(html, "<table>\n<caption>They are not the failure that was kept; the smallest "
                        "input found for each is saved.</caption>\n<thead><tr>"
                        "<th scope=\"col\">Failure</th><th scope=\"col\">Tests</th>"
                        "<th scope=\"col\">Size</th><th scope=\"col\" class=\"t\">Saved as</th>"
                        "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < result->n_others && i < MOST_OTHERS; i++)
        add_other(html, &result->others[i]);
    /* A fuzzed input can meet hundreds. */
    if (result->n_others > MOST_OTHERS)
        pare_html_format(html,
                         "<tr><th scope=\"row\">and %zu more</th><td></td><td></td>"
                         "<td></td></tr>\n",
                         result->n_others - MOST_OTHERS);
    pare_html_raw(html, "</tbody>\n</table>\n");
    pare_frame_end_section(html);
}

/* ---- the way --------------------------------------------------------------------- */

/* `most` is what the best pass removed: its bar is full.  It is above 0 wherever a bar is drawn. */
static void add_pass(pare_html *html, const pare_pass_stats *pass, size_t most)
{
    char tests[PARE_FORMAT_BYTES], kept[PARE_FORMAT_BYTES], removed[PARE_FORMAT_BYTES];
    char time[PARE_FORMAT_BYTES];
    const char *unit = strchr(pass->name, '/'); /* a good place to break a line */
    /* Up to and with the slash; a browser may break the line after it. */
    size_t before = unit ? (size_t)(unit - pass->name) + 1 : 0;
    pare_html_raw(html, "<tr><th scope=\"row\">");
    pare_html_bytes(html, pass->name, before);
    pare_html_raw(html, "<wbr/>");
    pare_html_text(html, pass->name + before);
    pare_html_format(
        html, "</th><td>%s</td><td>%s</td><td class=\"w\">%s</td><td class=\"b\">%s",
        pare_format_count(tests, pass->tests), pare_format_count(kept, pass->successes),
        pare_format_duration(time, pass->oracle_s), pare_frame_size(removed, pass->bytes_removed));
    if (most) pare_frame_add_bar(html, (double)pass->bytes_removed / (double)most);
    pare_html_raw(html, "</td></tr>\n");
}

/* Sums up what the passes after the first MOST_PASSES did, as one that is called "all
 * others". */
static pare_pass_stats rest_of(const pare_stats *stats)
{
    pare_pass_stats rest = {.name = "all others"};
    for (size_t i = MOST_PASSES; i < stats->n_passes; i++) {
        rest.tests += stats->passes[i].tests;
        rest.successes += stats->passes[i].successes;
        rest.bytes_removed += stats->passes[i].bytes_removed;
        rest.oracle_s += stats->passes[i].oracle_s;
    }
    return rest;
}

/* Whether the pass is a row of the first table.  One that only replaced something has
 * earned that, too. */
static bool has_earned(const pare_pass_stats *pass)
{
    return pass->bytes_removed > 0 || pass->successes > 0;
}

/* Adds head and rows of a table that has been opened, and closes it: the passes that
 * earned something, or those that did not.  What comes after the first MOST_PASSES is
 * one row, in the table where its sum belongs. */
static void add_pass_rows(pare_html *html, const pare_stats *stats, size_t most, bool earned)
{
    pare_html_raw(html, "<thead><tr><th scope=\"col\">Strategy</th>"
                        "<th scope=\"col\">Tests</th><th scope=\"col\">Successes</th>"
                        "<th scope=\"col\" class=\"w\">Time in tests</th>"
                        "<th scope=\"col\">Removed</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < stats->n_passes && i < MOST_PASSES; i++)
        if (has_earned(&stats->passes[i]) == earned) add_pass(html, &stats->passes[i], most);
    const pare_pass_stats rest = rest_of(stats);
    if (stats->n_passes > MOST_PASSES && has_earned(&rest) == earned) add_pass(html, &rest, most);
    pare_html_raw(html, "</tbody>\n</table>\n");
}

/* Those that earned nothing are folded: that they were tried is worth knowing, but not first. */
static void add_idle_passes(pare_html *html, const pare_stats *stats)
{
    char summary[120], count[PARE_FORMAT_BYTES];
    uint64_t tests = 0;
    size_t n = 0;
    for (size_t i = 0; i < stats->n_passes; i++) {
        if (has_earned(&stats->passes[i])) continue;
        tests += stats->passes[i].tests;
        n++;
    }
    if (!n) return;
    (void)snprintf(summary, sizeof summary, "%zu %s found nothing, in %s", n,
                   n == 1 ? "strategy" : "strategies", pare_format_tests(count, tests));
    pare_frame_begin_fold(html, summary);
    pare_html_raw(html, "<table>\n");
    /* Without bars: nothing was removed, so there is no most to compare with. */
    add_pass_rows(html, stats, 0, false);
    pare_frame_end_fold(html);
}

/* Two tables: what removed or changed anything, and folded below it what did not.  The
 * longest bar is that of the pass that removed most. */
static void add_passes(pare_html *html, const pare_stats *stats)
{
    size_t most = 0;
    bool any = false;
    if (!stats->n_passes) return;
    for (size_t i = 0; i < stats->n_passes; i++) {
        if (stats->passes[i].bytes_removed > most) most = stats->passes[i].bytes_removed;
        any = any || has_earned(&stats->passes[i]);
    }
    pare_frame_begin_section(html, "strategies", "What each strategy earned", PARE_FRAME_SHORT);
    if (any) {
        pare_html_raw(html, "<table>\n<caption>In the order of their first turn; the name is "
                            "algorithm/unit.</caption>\n");
        add_pass_rows(html, stats, most, true);
    }
    add_idle_passes(html, stats);
    pare_frame_end_section(html);
}

/* ---- numbers and commands -------------------------------------------------------- */

/* Adds the three outcomes of the tests that retired; those that were cancelled have
 * none. */
static void add_outcomes(pare_html *html, const pare_stats *stats)
{
    char fail[PARE_FORMAT_BYTES], pass[PARE_FORMAT_BYTES], unresolved[PARE_FORMAT_BYTES];
    pare_frame_begin_fact(html, "Outcomes");
    pare_html_format(html, "%s failed, %s passed, %s could not tell",
                     pare_format_count(fail, stats->outcome_fail),
                     pare_format_count(pass, stats->outcome_pass),
                     pare_format_count(unresolved, stats->outcome_unresolved));
    pare_frame_end_fact(html);
}

/* Adds tests that were started before it was known whether their outcome would be asked
 * for: many that were cancelled are the price of running several at once. */
static void add_ahead(pare_html *html, const pare_stats *stats)
{
    char text[PARE_FORMAT_BYTES];
    pare_frame_begin_fact(html, "Ahead of need");
    pare_html_format(html, "%s started, ", pare_format_count(text, stats->speculated));
    pare_html_format(html, "%s cancelled", pare_format_count(text, stats->cancelled));
    pare_frame_end_fact(html);
}

/* Adds what is left for those who want to compare runs, or to know where the time went. */
static void add_numbers(pare_html *html, const pare_page *page, const pare_stats *stats)
{
    char text[PARE_FORMAT_BYTES];
    pare_frame_begin_section(html, "numbers", "Numbers", PARE_FRAME_SHORT);
    pare_html_raw(html, "<dl>\n");
    /* The default by its name, as a reader would have to write it. */
    if (!page->is_explained_only)
        pare_frame_add_fact(html, "Algorithm", page->algorithm ? page->algorithm : "auto");
    add_outcomes(html, stats);
    /* What there was nothing of says nothing. */
    if (stats->cache_hits)
        pare_frame_add_fact(html, "Answered from memory",
                            pare_format_count(text, stats->cache_hits));
    if (stats->speculated) add_ahead(html, stats);
    pare_frame_begin_fact(html, "At once");
    pare_html_format(html, "%u, %s", stats->jobs,
                     pare_format_rate(text, stats->tests_run, stats->wall_s));
    pare_frame_end_fact(html);
    pare_frame_add_fact(html, "Time in tests", pare_format_duration(text, stats->oracle_s));
    pare_frame_add_fact(html, "Time of pare itself", pare_format_duration(text, stats->cpu_s));
    pare_frame_add_fact(html, "Memory of pare at most",
                        pare_format_size(text, stats->peak_rss_bytes));
    /* A predicate has no limit. */
    if (stats->timeout_ms)
        pare_frame_add_fact(html, "Limit of one test",
                            pare_format_duration(text, (double)stats->timeout_ms / 1000));
    pare_frame_add_fact(html, "Tests were started by", pare_stats_runner_name(stats->runner));
    pare_html_raw(html, "</dl>\n");
    pare_frame_end_section(html);
}

/* Adds what a reader needs to do the same again: the command, where it was run, and
 * where the result is. */
static void add_commands(pare_html *html, const pare_page *page)
{
    pare_frame_begin_section(html, "again", "Again", PARE_FRAME_SHORT);
    pare_frame_add_command(html, page->is_explained_only ? "Explain" : "Reduce", page->command);
    pare_html_raw(html, "<dl>\n");
    if (page->directory) pare_frame_add_fact(html, "Run in", page->directory);
    if (page->output_path) pare_frame_add_fact(html, "Result", page->output_path);
    pare_html_raw(html, "</dl>\n");
    pare_frame_end_section(html);
}

/* In the order of a reader's questions: what is left, what of it the failure needs, how to see it,
 * how it came about, and how to do it again. */
pare_status pare_page_write(const pare_page *page, const pare_result *result, pare_buffer *out,
                            pare_error *err)
{
    /* The buffer is written to in place, and given back whatever came of it. */
    pare_html html = {.bytes = *out};
    char title[TITLE_BYTES];
    make_title(title, page, &result->stats);
    const pare_frame frame = {.title = title, .script = pare_frame_script};
    assert(page->texts.n_files <= PARE_PAGE_FILES);
    pare_frame_begin(&html, &frame);
    add_verdict(&html, page, result);
    pare_page_texts_add_results(&html, &page->texts);
    pare_page_explained_add_section(&html, page->texts.explanation);
    add_failure(&html, page, result);
    if (!page->is_explained_only) pare_plot_add_history(&html, &result->stats, page->log);
    pare_page_texts_add_pairs(&html, &page->texts);
    if (!page->is_explained_only) add_passes(&html, &result->stats);
    add_others(&html, result);
    add_commands(&html, page);
    add_numbers(&html, page, &result->stats);
    pare_html_format(&html, "</main>\n<footer>pare %s</footer>\n", pare_version());
    pare_frame_end(&html, &frame);
    *out = html.bytes;
    return html.status == PARE_OK ? PARE_OK : pare_fail_nomem(err);
}

/* ---- for users of the library ----------------------------------------------------------- */

/* A report that was never made may be ended, too. */
void pare_page_made_done(pare_page_made *report)
{
    pare_alloc_free(report->html);
    *report = (pare_page_made){.html = NULL};
}

/* A report for a program that has only a result and the texts, without a session.  Of
 * folders the result has no bytes of its own, and the page would have nothing to show. */
pare_status pare_page_make_sized(const pare_page_options *options, size_t options_bytes,
                                 const pare_result *result, pare_page_made *report, pare_error *err)
{
    pare_page_options own;
    pare_buffer html = {0};
    pare_status status =
        pare_sized_take(&own, sizeof own, options, options_bytes, "options of a report", err);
    if (status) return status;
    if (!result->bytes)
        return pare_fail(err, PARE_E_UNSUPPORTED,
                         "a report is about one text: for folders use 'pare reduce --report'");
    pare_page_file file = {.original = own.original,
                           .original_bytes = own.original_bytes,
                           .result = result->bytes,
                           /* Borrowed by the page, which is written at once. */
                           .result_bytes = result->size_bytes};
    const pare_page page = {.name = own.name ? own.name : "input",
                            .command = own.command,
                            .check = own.check,
                            .output_path = own.output_path,
                            .test_command = own.test,
                            .test_text = own.test_text,
                            .algorithm = own.algorithm,
                            .texts = {.original_label = "Original",
                                      .result_label = "Result",
                                      .files = &file,
                                      .n_files = 1,
                                      .explanation = own.explanation,
                                      .readable = own.readable},
                            /* An explanation without an original comes from a call of
                             * pare_explain: nothing is told of a way from one to the
                             * other. */
                            .is_explained_only = own.explanation && !own.original};
    /* What of the original is left is found by comparing, as the result does not say. */
    if (own.original)
        status = pare_survivors_find(file.original, file.original_bytes, file.result,
                                     file.result_bytes, &file.survivors, err);
    if (!status) status = pare_page_write(&page, result, &html, err);
    pare_survivors_done(&file.survivors);
    if (status) {
        pare_buffer_done(&html);
        return status;
    }
    *report = (pare_page_made){.html = html.data, .size_bytes = html.size};
    return PARE_OK;
}
