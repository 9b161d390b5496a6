/* The last lines of a reduction, and what is said when the input does not fail.
 *
 * Reads the result and prints to a FILE; decides nothing.  How the run ended is one sentence
 * (pare_summary_ending), shared with the report, so that terminal and page never claim different
 * things about minimality.  All that comes from outside goes through pare_format_name.
 *
 * Invariant: one line for each fact, its label in eight columns, so that scripts that read the
 * summary all the same find it where it was.  Programs have --stats (stats.c). */
#include "ui/summary.h"

#include <stdbool.h>
#include <string.h>

#include <pare/result.h>

#include "ui/format.h"

/* Of a name that is shown; of what a test printed. */
enum { NAME_BYTES = 1024, OUTPUT_LINES = 12 };

/* Escape sequences, or nothing where colours are not wanted: the same printf serves both.
 * Texts are ASCII but for names, which pare_format_name has made visible. */
static const char *bold(const pare_summary *summary)
{
    return summary->paint == PARE_COLORED ? "\x1b[1m" : "";
}

/* Ends what bold has begun. */
static const char *plain(const pare_summary *summary)
{
    return summary->paint == PARE_COLORED ? "\x1b[0m" : "";
}

/* "60 kB -> 45 bytes (0.075 %)" The share is that of the input, as people compare it. */
static void print_sizes(FILE *out, const pare_summary *summary, const pare_stats *stats)
{
    char in[PARE_FORMAT_BYTES], best[PARE_FORMAT_BYTES], share[PARE_FORMAT_BYTES];
    if (!stats->bytes_in) { /* only words were reduced */
        fputs("a command\n", out);
        return;
    }
    fprintf(out, "%s%s -> %s%s (%s)\n", bold(summary), pare_format_size(in, stats->bytes_in),
            pare_format_size(best, stats->bytes_out), plain(summary),
            pare_format_percent(share, stats->bytes_out, stats->bytes_in));
}

/* For folders and several inputs only: of one file it goes without saying. */
static void print_files(FILE *out, const pare_stats *stats)
{
    char in[PARE_FORMAT_BYTES], left[PARE_FORMAT_BYTES];
    if (stats->files_in > 1)
        fprintf(out, "  files    %s of %s\n", pare_format_count(left, stats->files_out),
                pare_format_count(in, stats->files_in));
}

/* How many tests there were, at which rate, and how many the cache saved.  The rate is of all
 * jobs together. */
static void print_tests(FILE *out, const pare_stats *stats)
{
    char tests[PARE_FORMAT_BYTES], hits[PARE_FORMAT_BYTES], time[PARE_FORMAT_BYTES];
    char rate[PARE_FORMAT_BYTES];
    fprintf(out, "  tests    %s in %s (%s, %u at once)", pare_format_count(tests, stats->tests_run),
            pare_format_duration(time, stats->wall_s),
            pare_format_rate(rate, stats->tests_run, stats->wall_s), stats->jobs);
    /* They were no runs, but a reader who counts candidates misses them otherwise. */
    if (stats->cache_hits > 0)
        fprintf(out, ", %s more from memory", pare_format_count(hits, stats->cache_hits));
    fputc('\n', out);
}

/* What workers on other machines had of the tests. */
static void print_workers(FILE *out, const pare_workers_stats *workers)
{
    char count[PARE_FORMAT_BYTES];
    if (!workers->traffic_bytes) return;
    fprintf(out, "  workers  %s tests", pare_format_count(count, workers->tests_away));
    if (workers->most_machines)
        fprintf(out, ", up to %u at once with %u slot%s", workers->most_machines,
                workers->most_slots, workers->most_slots == 1 ? "" : "s");
    if (workers->tests_known)
        fprintf(out, ", %s more known from other runs",
                pare_format_count(count, workers->tests_known));
    fputc('\n', out);
}

/* Why the run stopped before it was done; NULL when it was not stopped.  Of these only
 * PARE_STOPPED_EFFORT ends by itself. */
static const char *unfinished(const pare_stats *stats)
{
    switch (stats->stopped) {
    case PARE_STOPPED_BUDGET: return "at the limit of tests or time, not minimal yet";
    case PARE_STOPPED_TARGET: return "at the target size, not minimal yet";
    case PARE_STOPPED_INTERRUPTED: return "by request, not minimal yet";
    case PARE_STOPPED_EFFORT:
        if (stats->bytes_out == stats->bytes_in)
            return "because nothing that was tried could be left out; --effort max tries more";
        return "because more tests were not worth it: not minimal (see --effort)";
    case PARE_STOPPED_MINIMAL: break;
    }
    return NULL;
}

/* A claim is as strong as what was tested and no stronger: minimal only if the run says so, for
 * the unit it says, and `proof` where the command knows better words for it. */
const char *pare_summary_ending(char text[static PARE_SUMMARY_ENDING_BYTES], const char *proof,
                                const pare_stats *stats)
{
    const char *unit = stats->minimal_unit ? stats->minimal_unit : "unit";
    const char *reason = unfinished(stats);
    enum { BYTES = PARE_SUMMARY_ENDING_BYTES };
    if (reason)
        (void)snprintf(text, BYTES, "%s", reason);
    else if (stats->minimal == PARE_MINIMAL_NONE)
        (void)snprintf(text, BYTES,
                       "at the end of the algorithm, which does not promise a minimal result");
    else if (stats->minimal == PARE_MINIMAL_ONE_TREE)
        (void)snprintf(text, BYTES, "minimal: %s", stats->minimal_nodes);
    else if (proof)
        (void)snprintf(text, BYTES, "minimal: %s", proof);
    else
        (void)snprintf(text, BYTES, "minimal: without any single %s the failure is gone", unit);
    return text;
}

/* "80 % of 60 runs (68 to 88 %)" The interval of 95 % confidence is in parentheses. */
static void print_frequency(FILE *out, const pare_frequency *frequency)
{
    char runs[PARE_FORMAT_BYTES];
    fprintf(out, "%.3g %% of %s runs (%.3g to %.3g %%)",
            100 * (double)frequency->fails / (double)frequency->runs,
            pare_format_count(runs, frequency->runs), 100 * frequency->low, 100 * frequency->high);
}

/* Nothing for a failure that comes each time. */
static void print_flaky(FILE *out, const pare_flaky_stats *flaky)
{
    char runs[PARE_FORMAT_BYTES];
    if (!flaky->flaky) return;
    fputs("  flaky    the input fails in ", out);
    print_frequency(out, &flaky->input);
    fputs(",\n           the result in ", out);
    /* A run that was stopped had no time to measure its result. */
    if (flaky->result.runs)
        print_frequency(out, &flaky->result);
    else
        fputs("how many was not measured", out);
    fprintf(out, "; %s in all\n", pare_format_count(runs, flaky->runs));
    if (flaky->fixed_addresses)
        fputs("           with fixed addresses, as by --no-aslr; by chance with random ones\n",
              out);
    if (flaky->one_at_a_time)
        fputs("           one run at a time, as by -j1; runs at once disturb each other\n", out);
}

/* One line of the summary; nothing without a path.  Labels longer than eight letters would
 * move the column. */
static void print_path(FILE *out, const char *label, const char *path)
{
    char name[NAME_BYTES];
    if (path) fprintf(out, "  %-8s %s\n", label, pare_format_name(name, sizeof name, path));
}

/* For --reduce-args and --reduce-env.  Arguments and variables are counted apart: they are
 * reduced apart. */
static void print_words(FILE *out, const pare_stats *stats)
{
    char in[PARE_FORMAT_BYTES], left[PARE_FORMAT_BYTES];
    if (stats->arguments_in > 0)
        fprintf(out, "  words    %s of %s arguments\n",
                pare_format_count(left, stats->arguments_out),
                pare_format_count(in, stats->arguments_in));
    if (stats->variables_in > 0)
        fprintf(out, "  words    %s of %s variables\n",
                pare_format_count(left, stats->variables_out),
                pare_format_count(in, stats->variables_in));
}

/* A fact that is a sentence: on a terminal it goes on below where it began. */
static void print_fact(FILE *out, const char *label, const char *text)
{
    char shown[NAME_BYTES];
    const int column = fprintf(out, "  %-8s ", label);
    pare_format_sentence(out, pare_format_name(shown, sizeof shown, text), (size_t)column,
                         (size_t)column);
}

/* A hint, so it is left out where it would be wider than a terminal. */
static void print_history(FILE *out, const char *command)
{
    enum { LABEL = 11, COLUMNS = 80 };
    if (command && LABEL + strlen(command) <= COLUMNS) print_path(out, "history", command);
}

/* Labels take eight columns, so that values stand below each other. */
void pare_summary_print(FILE *out, const pare_summary *summary, const pare_stats *stats)
{
    char name[NAME_BYTES], ending[PARE_SUMMARY_ENDING_BYTES];
    fprintf(out, "%s: ", pare_format_name(name, sizeof name, summary->input_name));
    print_sizes(out, summary, stats);
    print_files(out, stats);
    print_words(out, stats);
    print_tests(out, stats);
    print_workers(out, &stats->workers);
    print_fact(out, "stopped", pare_summary_ending(ending, summary->proof, stats));
    print_flaky(out, &stats->flaky);
    if (summary->n_places > 1)
        fprintf(out, "  result   in the places of the %zu inputs\n", summary->n_places);
    else
        print_path(out, "result", summary->output_path);
    print_path(out, "script", summary->script_path);
    if (summary->lacks) print_fact(out, "lacks", summary->lacks);
    /* Most often this means that the test does not look at what it should. */
    if (stats->bytes_out == 0 && stats->bytes_in > 0)
        fputs("  note     an empty input fails as well\n", out);
    if (summary->n_places > 1)
        fputs("  original INPUT.orig, beside each INPUT that has changed\n", out);
    else
        print_path(out, "original", summary->backup_path);
    /* A run that has ended by itself has nothing to resume. */
    if (stats->stopped != PARE_STOPPED_MINIMAL && stats->stopped != PARE_STOPPED_EFFORT &&
        summary->journal_dir)
        fprintf(out, "  resume   run the same command again%s: no test is repeated\n",
                stats->stopped == PARE_STOPPED_BUDGET ? " with a higher limit" : "");
    print_history(out, summary->history);
    fflush(out);
}

/* At most PARE_SUMMARY_OTHERS of the other failures are listed: a fuzzed input can meet
 * hundreds.  Printed after the summary itself, since they are about what was kept and met on
 * the way. */
void pare_summary_print_failures(FILE *out, const pare_result *result)
{
    char text[NAME_BYTES], size[PARE_FORMAT_BYTES];
    if (result->command)
        fprintf(out, "  command  %s\n", pare_format_name(text, sizeof text, result->command));
    /* They are a line of their own, because there may be none left, which is worth saying. */
    if (result->variables)
        fprintf(out, "  with     %s\n",
                *result->variables ? pare_format_name(text, sizeof text, result->variables)
                                   : "no variable");
    if (result->signature) print_fact(out, "keeping", result->signature);
    /* In the order in which they were met. */
    for (size_t k = 0; k < result->n_others && k < PARE_SUMMARY_OTHERS; k++) {
        const pare_other_failure *other = &result->others[k];
        print_fact(out, "also", other->signature);
        /* Where other failures are not saved there is nothing to point to. */
        if (other->path)
            fprintf(out, "           %s (%s)\n", pare_format_name(text, sizeof text, other->path),
                    pare_format_size(size, other->size_bytes));
    }
    if (result->n_others > PARE_SUMMARY_OTHERS)
        fprintf(out, "           and %zu more other failures, saved beside them\n",
                result->n_others - PARE_SUMMARY_OTHERS);
    fflush(out);
}

/* How the test ended: what somebody needs first whose test does not say what they expect. */
static void print_ending(FILE *out, const pare_result *result)
{
    /* A signal by number and name: people search for either. */
    if (result->check_timed_out)
        fputs("  it ended: never; it was stopped at the time limit\n", out);
    else if (result->check_signal != 0)
        fprintf(out, "  it ended: by signal %d (%s)\n", result->check_signal,
                strsignal(result->check_signal));
    else if (result->check_exit_code >= 0)
        fprintf(out, "  it ended: with exit code %d\n", result->check_exit_code);
}

/* The last OUTPUT_LINES lines of `text`: a test may print one a byte.  From the end, so that
 * the cost is that of the lines shown. */
static const char *last_lines(const char *text)
{
    const char *at = text + strlen(text);
    /* The last line end ends the last line; it does not begin one more. */
    if (at > text && at[-1] == '\n') at--;
    for (unsigned n = 0; at > text; at--)
        if (at[-1] == '\n' && ++n == OUTPUT_LINES) break;
    return at;
}

/* Its last lines with a bar before each, so that they cannot be taken for ours.  Cut at 500
 * bytes a line. */
static void print_output(FILE *out, const char *text)
{
    char line[NAME_BYTES];
    fputs("  its last lines:\n", out);
    text = last_lines(text);
    while (*text) {
        /* Of a line without end its beginning. */
        size_t length = strcspn(text, "\n"), shown = length < 500 ? length : 500;
        char copy[501];
        memcpy(copy, text, shown);
        copy[shown] = '\0';
        fprintf(out, "    | %s\n", pare_format_name(line, sizeof line, copy));
        text += length + (text[length] == '\n');
    }
}

/* The input does not fail.  Prints what was run and what it did, then the advice that fits: most
 * of the time the test is at fault, not the input. */
void pare_summary_print_check(FILE *out, const pare_result *result)
{
    if (!result->check_command) return;
    char command[4 * NAME_BYTES];
    fprintf(out, "  command:  %s\n",
            pare_format_name(command, sizeof command, result->check_command));
    print_ending(out, result);
    if (result->check_output && *result->check_output)
        print_output(out, result->check_output);
    else
        fputs("  it printed nothing\n", out);
    /* There is no test to run: the program itself did not do what was named. */
    if (result->check_judged) {
        fputs("Run the program by hand on the input, and name what it does then: pare help "
              "reduce.\n",
              out);
        return;
    }
    if (result->check_private) return; /* by hand it works */
    /* By hand, in a directory like that of a test, is how most mistakes of tests show. */
    const char *advice = "Run the test by hand, on a copy of the input in an empty directory:\n"
                         "it has to exit with 0 when the failure is there.\n";
    if (result->check_timed_out)
        advice = "Give it more time with --timeout 1m, say, or make the test faster.\n";
    else if (result->check_worker)
        advice = "Write a line with the input's size and path to the worker by hand: it has to "
                 "answer FAIL.\n";
    fputs(advice, out);
}
