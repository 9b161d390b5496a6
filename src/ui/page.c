/* The report as one HTML page: its sections, from the verdict to the command.
 *
 * Each add_* function appends one section, or one part of it, to the same pare_html; nothing is
 * measured before it is written.  Size is bounded by construction: names and commands are cut,
 * tables have MOST_* rows, and all originals (and all results) share a number of bytes, of which
 * each file gets an equal share.  No date, no path but those given, no random id:
 * the same arguments give the same bytes, which the tests compare.
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
#include "ui/format.h"
#include "ui/html.h"
#include "ui/plot.h"
#include "ui/stats.h"
#include "ui/summary.h"

enum {
    TEXT_BYTES = 1000,            /* of a name or a signature that is shown */
    COMMAND_BYTES = 8000,         /* of a command */
    MOST_PASSES = 200,            /* rows of a table; the rest is one row */
    MOST_OTHERS = 40,             /* likewise */
    ORIGINALS_BYTES = 750 * 1000, /* HTML of all originals, and of all results */
    RESULTS_BYTES = 400 * 1000
};

/* ---- small pieces ---------------------------------------------------------------- */

/* Text from outside, of which `most` bytes are shown.  Bytes, not characters: pare_html_bytes
 * shows a cut character as an escape. */
static void add_start(pare_html *html, const char *text, size_t most)
{
    size_t size = strnlen(text, most + 1);
    pare_html_bytes(html, text, size <= most ? size : most);
    /* An ellipsis, so that nobody takes the part for the whole. */
    if (size > most) pare_html_raw(html, " &#8230;");
}

/* Text from outside of the usual length.  Names of passes, paths, signatures: anything may be
 * in them. */
static void add_text(pare_html *html, const char *text)
{
    add_start(html, text, TEXT_BYTES);
}

/* The same in the typeface of code. */
static void add_code(pare_html *html, const char *text)
{
    pare_html_raw(html, "<code>");
    add_text(html, text);
    pare_html_raw(html, "</code>");
}

/* Sizes that people compare by hand are written out.  Between 1,000 and 99,999 bytes. */
static const char *exact_size(char text[static PARE_FORMAT_BYTES], size_t bytes)
{
    char count[PARE_FORMAT_BYTES];
    /* Below, they are exact anyway; above, nobody compares single bytes. */
    if (bytes < 1000 || bytes > 99999) return pare_format_size(text, bytes);
    (void)snprintf(text, PARE_FORMAT_BYTES, "%.20s bytes", pare_format_count(count, bytes));
    return text;
}

/* A fact is a name and a value in a list of definitions; screen readers read them as pairs. */
static void begin_fact(pare_html *html, const char *name)
{
    pare_html_format(html, "<div><dt>%s</dt><dd>", name);
}

/* Closes what begin_fact has opened. */
static void end_fact(pare_html *html)
{
    pare_html_raw(html, "</dd></div>\n");
}

/* A fact whose value is one text from outside. */
static void add_fact(pare_html *html, const char *name, const char *value)
{
    begin_fact(html, name);
    add_text(html, value);
    end_fact(html);
}

/* `id` names the heading for screen readers; it is ours and once in the page.  The heading is
 * what a reader jumps to. */
static void begin_section(pare_html *html, const char *id, const char *title)
{
    pare_html_format(html, "<section aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s</h2>\n", id, id,
                     title);
}

/* Closes what begin_section has opened. */
static void end_section(pare_html *html)
{
    pare_html_raw(html, "</section>\n");
}

/* ---- the verdict ----------------------------------------------------------------- */

/* The style sheet stands in the page, and the policy forbids everything else: a report can be
 * mailed and opened anywhere, and nothing in it can run.  The title has the two sizes, since
 * it is what a list of open pages shows. */
static void add_head(pare_html *html, const pare_page *page, const pare_stats *stats)
{
    char in[PARE_FORMAT_BYTES], out[PARE_FORMAT_BYTES];
    pare_html_raw(html, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                        "<title>");
    /* Escapes are elements, which a title cannot have. */
    char name[TEXT_BYTES];
    pare_html_text(html, pare_format_name(name, 200, page->name));
    pare_html_format(html, ": %s to %s</title>\n", exact_size(in, stats->bytes_in),
                     exact_size(out, stats->bytes_out));
    pare_html_raw(html, "<meta name=\"viewport\" content=\"width=device-width, "
                        "initial-scale=1\"/>\n"
                        "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
                        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                        "'none'; style-src 'unsafe-inline'\"/>\n"
                        "<style>\n");
    for (size_t i = 0; pare_page_style[i]; i++)
        pare_html_raw(html, pare_page_style[i]);
    pare_html_raw(html, "</style>\n</head>\n<body>\n");
}

/* What somebody wants to know who reads one line only.  The same words as on the terminal
 * (summary.c). */
static void add_verdict(pare_html *html, const pare_page *page, const pare_stats *stats)
{
    char in[PARE_FORMAT_BYTES], out[PARE_FORMAT_BYTES], share[PARE_FORMAT_BYTES];
    char tests[PARE_FORMAT_BYTES], time[PARE_FORMAT_BYTES];
    char ending[PARE_SUMMARY_ENDING_BYTES];
    pare_html_raw(html, "<header>\n<h1>");
    add_text(html, page->name);
    pare_html_format(html,
                     "</h1>\n<p class=\"verdict\"><span>%s</span> <span>&#8594; <b>%s</b></span> "
                     "<span>(%s)</span></p>\n",
                     exact_size(in, stats->bytes_in), exact_size(out, stats->bytes_out),
                     pare_format_percent(share, stats->bytes_out, stats->bytes_in));
    pare_html_format(html, "<p class=\"sub\">in %s, %s", pare_format_tests(tests, stats->tests_run),
                     pare_format_duration(time, stats->wall_s));
    /* Of one file it goes without saying. */
    if (stats->files_in > 1)
        pare_html_format(html, "; %s of %s files are left",
                         pare_format_count(tests, stats->files_out),
                         pare_format_count(time, stats->files_in));
    pare_html_raw(html, "</p>\n<p>Stopped ");
    pare_html_text(html, pare_summary_ending(ending, page->proof, stats));
    pare_html_raw(html, ".</p>\n</header>\n<main>\n");
}

/* ---- the failure ----------------------------------------------------------------- */

/* Nothing where nothing was measured.  The interval is that of the statistics, not worked out
 * again. */
static void add_frequency(pare_html *html, const char *name, const pare_frequency *frequency)
{
    char fails[PARE_FORMAT_BYTES], runs[PARE_FORMAT_BYTES];
    if (!frequency->runs) return;
    begin_fact(html, name);
    pare_html_format(html, "%s of %s runs failed: %.0f to %.0f %%, with 95 %% confidence",
                     pare_format_count(fails, frequency->fails),
                     pare_format_count(runs, frequency->runs), 100 * frequency->low,
                     100 * frequency->high);
    end_fact(html);
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
    add_fact(html, "Runs of the test, in all", pare_format_count(count, flaky->runs));
    add_fact(html, "Gave up the best for an earlier one",
             pare_format_count(count, flaky->taken_back));
    if (flaky->fixed_addresses)
        add_fact(html, "Addresses", "fixed, as with --no-aslr: with random ones it came by chance");
    pare_html_raw(html, "</dl>\n");
}

/* The signature where there is one; else what the user gave us to decide by.  One of the four
 * is always there, as there is no run without a failure to keep. */
static void add_failure(pare_html *html, const pare_page *page, const pare_result *result)
{
    begin_section(html, "failure", "The failure that was kept");
    if (result->signature) {
        pare_html_raw(html, "<p>");
        add_code(html, result->signature);
        pare_html_raw(html, "</p>\n");
    } else if (page->test_command) {
        pare_html_raw(html, "<p>Whatever makes this test exit with 0: ");
        add_code(html, page->test_command);
        pare_html_raw(html, "</p>\n");
    } else if (page->worker_command) {
        pare_html_raw(html, "<p>What this worker answers FAIL for: ");
        add_code(html, page->worker_command);
        pare_html_raw(html, "</p>\n");
    } else {
        pare_html_raw(html, "<p>What was named in the command below.</p>\n");
    }
    add_rates(html, &result->stats.flaky);
    end_section(html);
}

/* A row of the table of other failures.  Those for which there was no folder were counted, and
 * not saved. */
static void add_other(pare_html *html, const pare_other_failure *other)
{
    char text[PARE_FORMAT_BYTES];
    pare_html_raw(html, "<tr><th scope=\"row\">");
    add_code(html, other->signature);
    pare_html_format(html, "</th><td>%s</td>", pare_format_count(text, other->n_tests));
    pare_html_format(html, "<td>%s</td><td class=\"t\">",
                     other->path ? pare_format_size(text, other->size_bytes) : "");
    if (other->path)
        add_code(html, other->path);
    else
        pare_html_raw(html, "not saved");
    pare_html_raw(html, "</td></tr>\n");
}

/* A section only if there were any.  They are in the order in which they were met. */
static void add_others(pare_html *html, const pare_result *result)
{
    /* Most runs meet none, and an empty table says nothing. */
    if (!result->n_others) return;
    begin_section(html, "others", "Other failures on the way");
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
    end_section(html);
}

/* ---- the way --------------------------------------------------------------------- */

/* Both plots are in the page; two radio buttons choose between them by CSS, as there is no
 * script.  Radio buttons work without a script, also in a mail program. */
static void add_plots(pare_html *html, const pare_stats *stats)
{
    begin_section(html, "size", "Size");
    /* Labels that can be clicked: all that there is to operate on the page. */
    pare_html_raw(html, "<input type=\"radio\" name=\"axis\" class=\"axis\" id=\"by-tests\" "
                        "checked=\"checked\"/><label for=\"by-tests\">over tests</label>\n"
                        "<input type=\"radio\" name=\"axis\" class=\"axis\" id=\"by-time\"/>"
                        "<label for=\"by-time\">over time</label>\n");
    /* Tests first: they are the same on every machine. */
    pare_plot_add(html, stats, PARE_PLOT_TESTS);
    pare_plot_add(html, stats, PARE_PLOT_TIME);
    end_section(html);
}

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
        pare_format_duration(time, pass->oracle_s), exact_size(removed, pass->bytes_removed));
    /* A bar of no width would still be an element, and take a line of its own on small screens. */
    if (pass->bytes_removed)
        pare_html_format(html, "<span class=\"bar\"><i style=\"width:%.1f%%\"></i></span>",
                         100.0 * (double)pass->bytes_removed / (double)most);
    pare_html_raw(html, "</td></tr>\n");
}

/* What the passes after the first MOST_PASSES did. */
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

/* Every pass is a row, also those that earned nothing: that they did is worth knowing. */
static void add_passes(pare_html *html, const pare_stats *stats)
{
    size_t most = 0;
    if (!stats->n_passes) return;
    for (size_t i = 0; i < stats->n_passes; i++)
        if (stats->passes[i].bytes_removed > most) most = stats->passes[i].bytes_removed;
    begin_section(html, "strategies", "What each strategy earned");
    pare_html_raw(html, "<table>\n<caption>In the order of their first turn; the name is "
                        "algorithm/unit.</caption>\n<thead><tr><th scope=\"col\">Strategy</th>"
                        "<th scope=\"col\">Tests</th><th scope=\"col\">Successes</th>"
                        "<th scope=\"col\" class=\"w\">Time in tests</th>"
                        "<th scope=\"col\">Removed</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < stats->n_passes && i < MOST_PASSES; i++)
        add_pass(html, &stats->passes[i], most);
    pare_pass_stats rest = rest_of(stats);
    if (stats->n_passes > MOST_PASSES) add_pass(html, &rest, most);
    pare_html_raw(html, "</tbody>\n</table>\n");
    end_section(html);
}

/* ---- the texts ------------------------------------------------------------------- */

/* Sets the marks of the survivors: of the original, and of what is new in the result. */
static void set_marks(const pare_page_file *file, pare_mark *old, pare_mark *new, size_t *n_new)
{
    size_t end = 0, n = 0;
    for (size_t i = 0; i <= file->survivors.n_runs; i++) {
        /* One turn more than there are runs: for what is new after the last. */
        bool is_last = i == file->survivors.n_runs;
        const pare_survivor *run = &file->survivors.runs[is_last ? 0 : i];
        size_t begin = is_last ? file->result_bytes : run->result_at;
        /* What lies between two runs in the result is in none of the original. */
        if (begin > end) new[n++] = (pare_mark){end, begin};
        if (is_last) break;
        old[i] = (pare_mark){run->original_at, run->original_at + run->size};
        end = run->result_at + run->size;
    }
    *n_new = n;
}

/* What is left of the original, and what the result has that it had not. */
static void tell_survivors(pare_html *html, const pare_page_file *file)
{
    char left[PARE_FORMAT_BYTES], all[PARE_FORMAT_BYTES], new[PARE_FORMAT_BYTES];
    size_t n_new = file->result_bytes - file->survivors.n_bytes;
    pare_html_format(html, "<p class=\"sub\">%s of %s are left",
                     exact_size(left, file->survivors.n_bytes),
                     exact_size(all, file->original_bytes));
    if (n_new) pare_html_format(html, "; %s of the result are new", exact_size(new, n_new));
    pare_html_raw(html, ".</p>\n");
}

/* The heading of one side, below that of the file if there is one. */
static void add_label(pare_html *html, const char *label, const char *name)
{
    int level = name ? 4 : 3;
    pare_html_format(html, "<h%d>%s</h%d>\n", level, label, level);
}

/* The original is folded around its marks; it may be a thousand times the size of the result. */
static void add_original(pare_html *html, const pare_page *page, const pare_page_file *file,
                         const pare_mark *marks, size_t limit)
{
    pare_pane pane = {.bytes = file->original,
                      .size = file->original_bytes,
                      .marks = marks,
                      .n_marks = file->survivors.n_runs,
                      .element = "mark",
                      .label = page->original_label,
                      .limit = limit};
    pare_html_raw(html, "<div>");
    add_label(html, page->original_label, file->name);
    if (file->original)
        pare_html_add_pane(html, &pane);
    else
        pare_html_format(html, "<p>Not shown: %s.</p>\n", file->absent ? file->absent : "");
    pare_html_raw(html, "</div>\n");
}

/* The result is shown in full as far as the limit allows. */
static void add_result(pare_html *html, const pare_page *page, const pare_page_file *file,
                       const pare_mark *marks, size_t n_marks, size_t limit)
{
    pare_pane pane = {.bytes = file->result,
                      .size = file->result_bytes,
                      .marks = marks,
                      /* Without the original all of it would count as new. */
                      .n_marks = file->original ? n_marks : 0,
                      .element = "u",
                      .label = page->result_label,
                      .fold = PARE_FOLD_NONE,
                      .limit = limit};
    pare_html_raw(html, "<div class=\"r\">");
    add_label(html, page->result_label, file->name);
    pare_html_add_pane(html, &pane);
    pare_html_raw(html, "</div>\n");
}

/* One mark more than runs: before each run, and after the last, something new may stand. */
static pare_status add_file(pare_html *html, const pare_page *page, const pare_page_file *file)
{
    size_t n = file->survivors.n_runs, n_new;
    pare_mark *old = pare_alloc(n + 1, sizeof *old), *new = pare_alloc(n + 1, sizeof *new);
    if (old && new) {
        set_marks(file, old, new, &n_new);
        if (file->name) {
            pare_html_raw(html, "<h3 class=\"file\">");
            add_text(html, file->name);
            pare_html_raw(html, "</h3>\n");
        }
        if (file->original) tell_survivors(html, file);
        pare_html_raw(html, "<div class=\"pair\">\n");
        add_original(html, page, file, old, ORIGINALS_BYTES / page->n_files);
        add_result(html, page, file, new, n_new, RESULTS_BYTES / page->n_files);
        pare_html_raw(html, "</div>\n");
    }
    /* html->status is kept as it is where the marks could be made: it may hold an earlier
     * failure. */
    pare_status status = old && new ? html->status : PARE_E_NOMEM;
    pare_alloc_free(old);
    pare_alloc_free(new);
    return status;
}

/* Files share the bytes of HTML evenly, so that none can push the others out. */
static void add_files(pare_html *html, const pare_page *page)
{
    if (!page->n_files) return;
    pare_html_raw(html, "<section class=\"long\" aria-labelledby=\"texts\">\n");
    pare_html_raw(html, "<h2 id=\"texts\">Side by side</h2>\n<p>Marked in the first: <mark>what is "
                        "left</mark>. Dotted in the second: "
                        "<u>what does not come from the first</u>. Bytes that cannot be shown are "
                        "written as escapes: <i class=\"x\">\\x00</i>.</p>\n");
    for (size_t i = 0; i < page->n_files && html->status == PARE_OK; i++)
        html->status = add_file(html, page, &page->files[i]);
    /* What is left out is counted, so that nobody takes the page for all of it. */
    if (page->n_hidden)
        pare_html_format(html, "<p>Not shown: %zu more files of the result.</p>\n", page->n_hidden);
    end_section(html);
}

/* ---- numbers and commands -------------------------------------------------------- */

/* The three outcomes of the tests that retired. */
static void add_outcomes(pare_html *html, const pare_stats *stats)
{
    char fail[PARE_FORMAT_BYTES], pass[PARE_FORMAT_BYTES], unresolved[PARE_FORMAT_BYTES];
    begin_fact(html, "Outcomes");
    pare_html_format(html, "%s failed, %s passed, %s could not tell",
                     pare_format_count(fail, stats->outcome_fail),
                     pare_format_count(pass, stats->outcome_pass),
                     pare_format_count(unresolved, stats->outcome_unresolved));
    end_fact(html);
}

/* What is left for those who want to compare runs. */
static void add_numbers(pare_html *html, const pare_page *page, const pare_stats *stats)
{
    char text[PARE_FORMAT_BYTES];
    begin_section(html, "numbers", "Numbers");
    pare_html_raw(html, "<dl>\n");
    /* The default by its name, as a reader would have to write it. */
    add_fact(html, "Algorithm", page->algorithm ? page->algorithm : "auto");
    add_outcomes(html, stats);
    add_fact(html, "Answered from memory", pare_format_count(text, stats->cache_hits));
    /* Tests that were started before it was known whether their outcome would be asked for. */
    begin_fact(html, "Ahead of need");
    pare_html_format(html, "%s started, ", pare_format_count(text, stats->speculated));
    pare_html_format(html, "%s cancelled", pare_format_count(text, stats->cancelled));
    end_fact(html);
    begin_fact(html, "At once");
    pare_html_format(html, "%u, %s", stats->jobs,
                     pare_format_rate(text, stats->tests_run, stats->wall_s));
    end_fact(html);
    add_fact(html, "Time in tests", pare_format_duration(text, stats->oracle_s));
    add_fact(html, "Time of pare itself", pare_format_duration(text, stats->cpu_s));
    add_fact(html, "Memory of pare at most", pare_format_size(text, stats->peak_rss_bytes));
    /* A predicate has no limit. */
    if (stats->timeout_ms)
        add_fact(html, "Limit of one test",
                 pare_format_duration(text, (double)stats->timeout_ms / 1000));
    add_fact(html, "Tests were started by", pare_stats_runner_name(stats->runner));
    pare_html_raw(html, "</dl>\n");
    end_section(html);
}

/* A command in a box of its own, so that it can be marked and copied whole. */
static void add_command(pare_html *html, const char *what, const char *command)
{
    if (!command) return;
    pare_html_format(html, "<h3>%s</h3>\n<pre class=\"cmd\">", what);
    add_start(html, command, COMMAND_BYTES);
    pare_html_raw(html, "</pre>\n");
}

/* What a reader needs to see the failure again, and to run the reduction again. */
static void add_commands(pare_html *html, const pare_page *page)
{
    begin_section(html, "again", "Again");
    add_command(html, "See the failure", page->check);
    add_command(html, "Reduce", page->command);
    pare_html_raw(html, "<dl>\n");
    if (page->directory) add_fact(html, "Run in", page->directory);
    if (page->output_path) add_fact(html, "Result", page->output_path);
    pare_html_raw(html, "</dl>\n");
    end_section(html);
}

/* In the order of a reader's questions: how small, why, by what, what is left, how to see it
 * again. */
pare_status pare_page_write(const pare_page *page, const pare_result *result, pare_buffer *out,
                            pare_error *err)
{
    /* The buffer is written to in place, and given back whatever came of it. */
    pare_html html = {.bytes = *out};
    assert(page->n_files <= PARE_PAGE_FILES);
    add_head(&html, page, &result->stats);
    add_verdict(&html, page, &result->stats);
    add_failure(&html, page, result);
    add_plots(&html, &result->stats);
    add_passes(&html, &result->stats);
    add_files(&html, page);
    add_others(&html, result);
    add_commands(&html, page);
    add_numbers(&html, page, &result->stats);
    pare_html_format(&html, "</main>\n<footer>pare %s</footer>\n</body>\n</html>\n",
                     pare_version());
    *out = html.bytes;
    return html.status == PARE_OK ? PARE_OK : pare_fail_nomem(err);
}
