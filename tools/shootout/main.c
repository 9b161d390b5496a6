/* The program pare-shootout, which `pare shootout` executes with its own arguments:
 * pare shootout [SUITE ...] [-a ALGORITHM ...] [-j N,...] [-o DIR] ...
 *
 * Reads what is asked for, runs the matrix, and writes results.json and results.csv, tables.txt and
 * tables.tex, and index.html into the folder of -o.  What an interrupted matrix has is written too. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pare/pare.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/shell.h"
#include "cli/signals.h"
#include "shootout/shootout.h"
#include "shootout/shootout_json.h"
#include "shootout/shootout_page.h"
#include "shootout/shootout_table.h"
#include "ui/format.h"

static const char NAME[] = "pare shootout";

enum {
    OPT_ALGORITHM,
    OPT_JOBS,
    OPT_OUTPUT,
    OPT_INPUTS,
    OPT_SEED,
    OPT_MAX_TESTS,
    OPT_MAX_TIME,
    OPT_TIMEOUT,
    OPT_TEST_TIME,
    OPT_REPEATS,
    OPT_LIST,
    OPT_VERBOSE,
    OPT_QUIET,
    OPT_COLOR,
    OPT_HELP,
    N_OPTS
};
enum { COMMAND = 1, SHOWN_BYTES = 400, MAX_JOBS_LISTED = 16, US_OF_MS = 1000 };

static const pare_option options[N_OPTS] = {
    [OPT_ALGORITHM] = {"algorithm", 'a', PARE_OPTION_TEXTS, COMMAND, .value = "NAME"},
    [OPT_JOBS] = {"jobs", 'j', PARE_OPTION_TEXT, COMMAND, .value = "N,..."},
    [OPT_OUTPUT] = {"output", 'o', PARE_OPTION_TEXT, COMMAND, .value = "DIR"},
    [OPT_INPUTS] = {"inputs", 0, PARE_OPTION_WHOLE, COMMAND, .value = "N", .least = 1, .most = 75},
    [OPT_SEED] = {"seed", 0, PARE_OPTION_WHOLE, COMMAND, .value = "N", .most = UINT64_MAX},
    [OPT_MAX_TESTS] = {"max-tests", 0, PARE_OPTION_WHOLE, COMMAND, .value = "N", .least = 1,
                       .most = UINT64_MAX},
    [OPT_MAX_TIME] = {"max-time", 0, PARE_OPTION_TIME, COMMAND, .value = "TIME"},
    [OPT_TIMEOUT] = {"timeout", 0, PARE_OPTION_TIME, COMMAND, .value = "TIME"},
    [OPT_TEST_TIME] = {"test-time", 0, PARE_OPTION_TIME, COMMAND, .value = "TIME"},
    [OPT_REPEATS] = {"repeats", 0, PARE_OPTION_WHOLE, COMMAND, "N", 1, 1000},
    [OPT_LIST] = {"list", 0, PARE_OPTION_FLAG, COMMAND},
    [OPT_VERBOSE] = {"verbose", 'v', PARE_OPTION_FLAG, COMMAND},
    [OPT_QUIET] = {"quiet", 'q', PARE_OPTION_FLAG, COMMAND},
    [OPT_COLOR] = {"color", 0, PARE_OPTION_CHOICE, COMMAND, .value = "auto|always|never"},
    [OPT_HELP] = {"help", 'h', PARE_OPTION_FLAG, COMMAND, .word = "all"}, /* all are common */
};

/* Written out, and not made of the table: this program's options are few, and all are common. */
static void print_help(FILE *out)
{
    fputs("usage: pare shootout [SUITE ...] [-a NAME ...] [-j N,...] [-o DIR]\n"
          "\n"
          "Reduces every case with every algorithm, tests every result again, and writes\n"
          "results.json, results.csv, tables.txt, tables.tex and index.html.  A SUITE is\n"
          "'generated' (the default: inputs made from grammars, tested in process), a\n"
          "description in JSON, a folder with an input and a test.sh, a folder of such\n"
          "folders, or NAME for bench/suites/NAME.json of the source tree: 'corpus',\n"
          "'workloads', 'choices'.\n"
          "\n"
          "    pare shootout generated -o shootout\n"
          "    pare shootout cases.json -a auto -a ddmin/line,char -j 1,2\n"
          "\n"
          "Options:\n"
          "  -a, --algorithm NAME    an algorithm to compare, as in pare reduce; repeat it\n"
          "                          for each.  Units follow a slash: ddmin/line,char;\n"
          "                          then options: 'ddmin --subsets skip --no-cache'\n"
          "  -j, --jobs N,...        numbers of tests at once, ascending; everything is\n"
          "                          run with each number, for the speed-up; default 1\n"
          "  -o, --output DIR        where to write the results; default shootout\n"
          "      --inputs N          generated: inputs for each grammar, size and number\n"
          "                          of symbols; default 4\n"
          "      --seed N            generated: seed of the random choices; default 0\n"
          "      --repeats N         repeat each run with N seeds; tables have the median\n"
          "      --max-tests N       limit for each run\n"
          "      --max-time TIME     limit for each run\n"
          "      --timeout TIME      limit for each test, such as 2, 500ms or 1m\n"
          "      --test-time TIME    generated: least time of each test, as if it ran a\n"
          "                          program\n"
          "      --list              print the cases, and stop\n"
          "  -v, --verbose           print each run as it ends, and each case in the tables\n"
          "  -q, --quiet             print only errors\n"
          "      --color auto|always|never\n"
          "  -h, --help              print this help\n"
          "\n"
          "Exit codes: 0 done, 1 a run has no result, or one that does not fail; 2 usage,\n"
          "3 error, 130 interrupted (the results so far were written).\n",
          out);
}

/* One call at work. */
struct job {
    const pare_arguments *arguments;
    pare_suite suite;
    pare_shootout shootout;
    pare_shootout_options wanted;
    unsigned jobs[MAX_JOBS_LISTED];
    const char **contenders; /* owned */
    const char *folder;
    pare_buffer command; /* what reproduces it */
    pare_paint paint;
};

/* Whether the option was given, with a value or without. */
static bool given(const struct job *job, size_t option)
{
    return job->arguments->values[option].position > 0;
}

/* ---- what is asked for ----------------------------------------------------------- */

/* A suite of the source tree called `name`, in *path; PARE_E_ARG: there is none. */
static pare_status find_suite(const char *name, pare_buffer *path, pare_error *err)
{
    char shown[SHOWN_BYTES];
    if (!strchr(name, '/')) {
        pare_status status = pare_buffer_format(path, err, "bench/suites/%s.json", name);
        if (status || access(path->data, F_OK) == 0) return status;
    }
    return pare_fail(err, PARE_E_ARG,
                     "there is no suite '%s': name 'generated', a description in JSON or a folder",
                     pare_format_name(shown, sizeof shown, name));
}

/* "generated", a description or a folder of this name, or a suite of the source tree. */
static pare_status add_suite(struct job *job, const char *name, pare_error *err)
{
    pare_buffer path = {0};
    pare_suite_generated generated = {
        .inputs = (unsigned)job->arguments->values[OPT_INPUTS].number,
        .seed = job->arguments->values[OPT_SEED].number,
    };
    if (strcmp(name, "generated") == 0) return pare_suite_generate(&job->suite, &generated, err);
    if (access(name, F_OK) == 0) return pare_suite_read(&job->suite, name, err);
    pare_status status = find_suite(name, &path, err);
    if (!status) status = pare_suite_read(&job->suite, path.data, err);
    pare_buffer_done(&path);
    return status;
}

/* All of them into one suite, whose names must differ. */
static pare_status add_suites(struct job *job, pare_error *err)
{
    const pare_arguments *arguments = job->arguments;
    if (!arguments->n_operands) return add_suite(job, "generated", err);
    pare_status status = PARE_OK;
    for (size_t i = 0; i < arguments->n_operands && !status; i++)
        status = add_suite(job, arguments->operands[i], err);
    return status;
}

/* "1,2,4" */
static pare_status read_jobs(struct job *job, pare_error *err)
{
    const char *text = job->arguments->values[OPT_JOBS].text;
    for (const char *at = text; at && *at;) {
        char *end;
        unsigned long n = strtoul(at, &end, 10);
        bool fits = end > at && *at >= '0' && *at <= '9' && n >= 1 && n <= 1024;
        bool room = job->wanted.n_jobs < MAX_JOBS_LISTED;
        if (!fits || !room || (*end && (*end != ',' || !end[1])))
            return pare_fail(err, PARE_E_ARG,
                             "--jobs takes numbers from 1 to 1024 with commas between them, such "
                             "as 1,2,4; '%s' is something else",
                             text);
        job->jobs[job->wanted.n_jobs++] = (unsigned)n;
        at = *end ? end + 1 : end;
    }
    job->wanted.jobs = job->jobs;
    return PARE_OK;
}

/* The list is ours, its texts are argv's. */
static pare_status read_contenders(struct job *job, pare_error *err)
{
    size_t n = job->arguments->n_texts;
    job->contenders = pare_alloc(n ? n : 1, sizeof *job->contenders);
    if (!job->contenders) return pare_fail_nomem(err);
    job->wanted.n_contenders = pare_options_texts(job->arguments, OPT_ALGORITHM, job->contenders);
    job->wanted.contenders = job->contenders;
    return PARE_OK;
}

/* The command line, quoted for a shell. */
static pare_status tell_command(struct job *job, pare_error *err)
{
    pare_status status = pare_buffer_text(&job->command, NAME, err);
    for (size_t i = 0; i < job->arguments->n_words && !status; i++) {
        status = pare_buffer_text(&job->command, " ", err);
        if (!status) status = pare_shell_add_word(&job->command, job->arguments->words[i], err);
    }
    return status;
}

/* Options before suites: a mistake in them is cheaper to find. */
static pare_status read_job(struct job *job, pare_error *err)
{
    const pare_option_value *values = job->arguments->values;
    job->folder = values[OPT_OUTPUT].text ? values[OPT_OUTPUT].text : "shootout";
    job->paint = pare_format_paint((pare_color_choice)values[OPT_COLOR].number, STDOUT_FILENO);
    job->wanted.suite = &job->suite;
    job->wanted.max_tests = values[OPT_MAX_TESTS].number;
    job->wanted.max_time_ms = values[OPT_MAX_TIME].number;
    job->wanted.n_repeats = (unsigned)values[OPT_REPEATS].number;
    job->wanted.timeout_ms = values[OPT_TIMEOUT].number;
    job->wanted.test_us = values[OPT_TEST_TIME].number * US_OF_MS;
    job->wanted.owns_children = true;
    pare_status status = read_jobs(job, err);
    if (!status) status = read_contenders(job, err);
    if (!status) status = tell_command(job, err);
    return status ? status : add_suites(job, err);
}

/* ---- what is told meanwhile ------------------------------------------------------ */

/* A pare_shootout_watcher; the context is the job. */
static void watch(void *context, const pare_run *run, size_t n_done, size_t n_runs)
{
    const struct job *job = context;
    const char *name = job->suite.cases[run->case_index].name;
    char shown[SHOWN_BYTES];
    bool told = given(job, OPT_VERBOSE);
    bool redrawn = !told && pare_format_redraw(STDERR_FILENO) == PARE_REDRAW;
    if (given(job, OPT_QUIET) || (!told && !redrawn)) return;
    FILE *out = told ? stdout : stderr;
    fprintf(out, "%s[%zu/%zu] %-.60s  %-.60s  ", redrawn ? "\r\x1b[K" : "", n_done, n_runs,
            pare_format_name(shown, 60, name), job->shootout.contenders[run->contender]);
    if (run->status)
        fprintf(out, "no result: %s", run->message);
    else
        fprintf(out, "%zu bytes in %llu tests", run->size_bytes,
                (unsigned long long)run->stats.tests_run);
    if (told) fputc('\n', out);
    if (redrawn && n_done == n_runs) fputs("\r\x1b[K", out);
    (void)fflush(out);
}

/* ---- what is written ------------------------------------------------------------- */

/* One sentence for all that can go wrong with a file. */
static pare_status fail_file(const char *path, int reason, pare_error *err)
{
    char shown[SHOWN_BYTES];
    return pare_fail_errno(err, reason, "cannot write '%s'",
                           pare_format_name(shown, sizeof shown, path));
}

/* Writes one form of the results to an open file. */
typedef pare_status (*writer)(const struct job *job, FILE *out, pare_error *err);

/* All figures, for programs. */
static pare_status write_json(const struct job *job, FILE *out, pare_error *err)
{
    return pare_shootout_json_write(out, &job->shootout, err);
}

/* As on the terminal, with each case and without colours. */
static pare_status write_table(const struct job *job, FILE *out, pare_error *err)
{
    (void)err;
    pare_shootout_table_print(out, &job->shootout, true, PARE_PLAIN);
    return PARE_OK;
}

/* For spreadsheets and statistics programs. */
static pare_status write_csv(const struct job *job, FILE *out, pare_error *err)
{
    (void)err;
    pare_shootout_csv_print(out, &job->shootout);
    return PARE_OK;
}

/* For papers. */
static pare_status write_latex(const struct job *job, FILE *out, pare_error *err)
{
    return pare_shootout_latex_print(out, &job->shootout, err);
}

/* Whether it was written is seen when the file is flushed. */
static pare_status write_page(const struct job *job, FILE *out, pare_error *err)
{
    pare_buffer html = {0};
    pare_shootout_page page = {.command = job->command.data};
    pare_status status = pare_shootout_page_write(&page, &job->shootout, &html, err);
    if (!status) (void)!fwrite(html.data, 1, html.size, out);
    pare_buffer_done(&html);
    return status;
}

/* The first failure is told; the file is closed in any case. */
static pare_status write_file(const struct job *job, const char *name, writer write,
                              pare_error *err)
{
    pare_buffer path = {0};
    pare_status status = pare_buffer_format(&path, err, "%s/%s", job->folder, name);
    if (status) return status;
    FILE *file = fopen(path.data, "we");
    if (!file) status = fail_file(path.data, errno, err);
    if (file) status = write(job, file, err);
    if (file && (fflush(file) || ferror(file)) && !status)
        status = fail_file(path.data, errno, err);
    if (file && fclose(file) && !status) status = fail_file(path.data, errno, err);
    pare_buffer_done(&path);
    return status;
}

/* Of an interrupted matrix as well. */
static pare_status write_all(const struct job *job, pare_error *err)
{
    pare_status status = write_file(job, "results.json", write_json, err);
    if (!status) status = write_file(job, "results.csv", write_csv, err);
    if (!status) status = write_file(job, "tables.txt", write_table, err);
    if (!status) status = write_file(job, "tables.tex", write_latex, err);
    return status ? status : write_file(job, "index.html", write_page, err);
}

/* So that a wrong name is not found out after an hour. */
static pare_status make_folder(const struct job *job, pare_error *err)
{
    if (mkdir(job->folder, 0777) && errno != EEXIST) return fail_file(job->folder, errno, err);
    return access(job->folder, W_OK | X_OK) ? fail_file(job->folder, errno, err) : PARE_OK;
}

/* ---- all of it ------------------------------------------------------------------- */

/* --list: what would be run. */
static pare_exit list_cases(const struct job *job)
{
    char size[PARE_FORMAT_BYTES], name[SHOWN_BYTES];
    for (size_t i = 0; i < job->suite.n_cases; i++) {
        const pare_case *subject = &job->suite.cases[i];
        printf("%-28s %10s", pare_format_name(name, sizeof name, subject->name),
               pare_format_size(size, subject->input_bytes));
        if (subject->needs) printf("  %s", pare_format_name(name, sizeof name, subject->needs));
        putchar('\n');
    }
    return pare_report_printed(NAME);
}

/* An interrupted matrix says so by its exit code, whatever came of the runs before. */
static pare_exit conclude(const struct job *job)
{
    char shown[SHOWN_BYTES];
    bool wrong = false;
    for (size_t i = 0; i < job->shootout.n_runs; i++)
        wrong = wrong || job->shootout.runs[i].status || job->shootout.runs[i].checked != PARE_FAIL;
    if (!given(job, OPT_QUIET)) {
        pare_shootout_table_print(stdout, &job->shootout, given(job, OPT_VERBOSE), job->paint);
        printf("\nresults.json, results.csv, tables.txt, tables.tex and index.html are in %s\n",
               pare_format_name(shown, sizeof shown, job->folder));
    }
    pare_exit code = pare_report_printed(NAME);
    if (code != PARE_EXIT_DONE) return code;
    if (job->shootout.interrupted) return PARE_EXIT_INTERRUPTED;
    return wrong ? PARE_EXIT_NOTHING : PARE_EXIT_DONE;
}

/* Signals are taken only while the matrix runs. */
static pare_status run(struct job *job, pare_error *err)
{
    pare_stop *stop = NULL;
    pare_status status = make_folder(job, err);
    if (!status) status = pare_stop_new(&stop, err);
    if (status) return status;
    job->wanted.stop = stop;
    job->wanted.watcher = watch;
    job->wanted.watcher_context = job;
    pare_signals_take(stop);
    status = pare_shootout_run(&job->wanted, &job->shootout, err);
    pare_signals_leave();
    pare_stop_free(stop);
    return status ? status : write_all(job, err);
}

/* Whatever was read is released, however far that came. */
static pare_exit shootout(const pare_arguments *arguments)
{
    struct job job = {.arguments = arguments};
    pare_error err = {0};
    pare_exit code = PARE_EXIT_DONE;
    pare_status status = read_job(&job, &err);
    bool list = given(&job, OPT_LIST);
    for (size_t i = 0; i < job.suite.n_notices && !status && !given(&job, OPT_QUIET); i++)
        pare_report(NAME, "%s", job.suite.notices[i]);
    if (!status && !list) status = run(&job, &err);
    if (status) {
        pare_report_error(NAME, &err);
        code = pare_report_exit(status);
    } else {
        code = list ? list_cases(&job) : conclude(&job);
    }
    pare_shootout_done(&job.shootout);
    pare_suite_done(&job.suite);
    pare_buffer_done(&job.command);
    pare_alloc_free(job.contenders);
    return code;
}

/* `pare shootout` has replaced itself by this program, so the messages are those of a
 * subcommand. */
int main(int argc, char **argv)
{
    pare_arguments arguments = {0};
    pare_error err = {0};
    pare_exit code;
    const pare_option_set set = {options, N_OPTS, COMMAND};
    pare_status status = pare_options_parse(&set, argc - 1, argv + 1, &arguments, &err);
    if (status != PARE_OK) {
        pare_report_error(NAME, &err);
        return pare_report_exit(status);
    }
    if (arguments.values[OPT_HELP].position) {
        print_help(stdout);
        code = pare_report_printed(NAME);
    } else {
        code = shootout(&arguments);
    }
    pare_options_done(&arguments);
    return code;
}
