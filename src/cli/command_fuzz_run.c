/* pare fuzz run [FILE.ini...] [--from SOURCE -- PROGRAM @@] ...
 * pare fuzz ci ...
 *
 * Runs a campaign: until it is stopped, or for some minutes with an exit code that says whether
 * there was anything new.  And pare fuzz job, the process of one job. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pare/campaign.h>
#include <pare/campaign_report.h>
#include <pare/findings.h>
#include <pare/stop.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "cli/commands.h"
#include "cli/fuzz_campaign.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/signals.h"
#include "ui/format.h"
#include "ui/fuzz_log.h"

static const char RUN[] = "pare fuzz run", CI[] = "pare fuzz ci";
/* Of a path, or half of the last line. */
enum { SHOWN_BYTES = 256 };

/* ---- run ------------------------------------------------------------------------------- */

/* The file beside the store: NAME.ini for NAME.pare.db; STORE.ini for a store that is
 * called otherwise. */
static pare_status name_file(const char *store, pare_buffer *path, pare_error *err)
{
    static const char suffix[] = ".pare.db";
    size_t size = strlen(store), n = sizeof suffix - 1;
    if (size > n && !strcmp(store + size - n, suffix)) size -= n;
    pare_status status = pare_buffer_add(path, store, size, err);
    return status ? status : pare_buffer_text(path, ".ini", err);
}

/* Whether the file holds this text and nothing else; false if it cannot be read. */
static bool holds(const char *path, const char *text)
{
    FILE *file = fopen(path, "r");
    bool same = file != NULL;
    for (; same && *text; text++)
        same = getc(file) == (unsigned char)*text;
    same = same && getc(file) == EOF;
    if (file) (void)fclose(file);
    return same;
}

/* Writes the file that a command line stands for, beside the store.  One that is there
 * already is not replaced: if it holds the same, all is well; if not, the user is told,
 * and the campaign goes on without a file of its own. */
static pare_status keep_file(const char *command, const pare_campaign *campaign, bool quiet,
                             pare_error *err)
{
    char shown[SHOWN_BYTES];
    pare_buffer path = {0};
    const char *text = pare_campaign_text(campaign);
    pare_status status = name_file(pare_campaign_store_path(campaign), &path, err);
    /* "x": fails if there is one, also if it came this moment. */
    FILE *file = status ? NULL : fopen(path.data, "wx");
    if (file) {
        bool written = fputs(text, file) >= 0;
        written = !fclose(file) && written;
        if (!written) status = pare_fail(err, PARE_E_IO, "cannot write '%s'", path.data);
        /* Told once, when the file is made: the next run finds it. */
        if (written && !quiet)
            printf("this campaign is in %s: pare fuzz run %s goes on with it\n",
                   pare_format_name(shown, sizeof shown, path.data), shown);
    } else if (!status && errno != EEXIST) {
        status = pare_fail_errno(err, errno, "cannot write '%s'", path.data);
    } else if (!status && !holds(path.data, text)) {
        pare_report(command, "%s is another campaign and is left as it is", path.data);
    }
    pare_buffer_done(&path);
    return status;
}

/* What the watcher of a run sees.  n_regressed counts findings that were fixed and are
 * back, which `ci` takes for new ones. */
struct watch {
    pare_fuzz_log log;
    uint64_t n_regressed;
};

/* The watcher of a run: counts what `ci` has to know, and hands everything on to the
 * log. */
static void watch_event(void *context, const pare_store_event *event)
{
    struct watch *watch = context;
    watch->n_regressed += !strcmp(event->kind, "regressed");
    pare_fuzz_log_event(&watch->log, event);
}

/* The same for the summary, which comes now and then. */
static void watch_summary(void *context, const pare_campaign_summary *summary)
{
    struct watch *watch = context;
    pare_fuzz_log_summary(&watch->log, summary);
}

/* A line that is redrawn only on a terminal that can do it; in a file each state of it
 * would stay. */
static void open_log(const pare_arguments *arguments, pare_fuzz_log *log)
{
    bool quiet = pare_options_given(arguments, PARE_FUZZ_OPT_QUIET);
    bool redraws = pare_format_redraw(fileno(stdout)) == PARE_REDRAW;
    pare_color_choice choice = (pare_color_choice)arguments->values[PARE_FUZZ_OPT_COLOR].number;
    *log = (pare_fuzz_log){.out = stdout,
                           .mode = quiet     ? PARE_FUZZ_LOG_QUIET
                                   : redraws ? PARE_FUZZ_LOG_LINE
                                             : PARE_FUZZ_LOG_PLAIN,
                           .paint = pare_format_paint(choice, fileno(stdout)),
                           .jobs = pare_options_given(arguments, PARE_FUZZ_OPT_VERBOSE)};
}

/* The last line of a run, and what to do next. */
static void print_end(const pare_campaign *campaign, const pare_campaign_summary *summary,
                      bool is_told)
{
    char line[SHOWN_BYTES * 2], path[SHOWN_BYTES];
    /* The log may have said it just now. */
    if (!is_told) printf("%s\n", pare_fuzz_log_describe(line, sizeof line, summary));
    if (summary->findings)
        printf("pare fuzz list --store %s shows the findings\n",
               pare_format_name(path, sizeof path, pare_campaign_store_path(campaign)));
    /* Whoever expects an error to be found, and has not said so, would look for it in vain. */
    else if (summary->tests && !summary->failures &&
             !strstr(pare_campaign_text(campaign), "\nfinding = "))
        puts("nothing crashed; -D target:finding=any also finds any exit code but 0");
}

/* A few files are run in a second, and whoever names them on a command line may hope for more. */
static void tell_of_mutation(const pare_campaign *campaign, const pare_campaign_summary *summary)
{
    if (!summary->failures && strstr(pare_campaign_text(campaign), "\nkind = folder\n"))
        puts("the files were run as they are; --from mutation:PATH makes new inputs from them");
}

/* Runs a campaign with signals that stop it, and prints how it went.  *wanted comes
 * with the limits of the command; the rest is set here. */
static pare_status run_campaign(const pare_arguments *arguments, const pare_campaign *campaign,
                                pare_campaign_run_options *wanted, struct watch *watch,
                                pare_campaign_summary *summary, pare_error *err)
{
    pare_stop *stop = NULL;
    pare_status status = pare_stop_new(&stop, err);
    if (status) return status;
    open_log(arguments, &watch->log);
    wanted->jobs = (unsigned)arguments->values[PARE_FUZZ_OPT_JOBS].number;
    wanted->watcher = watch_event;
    wanted->progress = watch_summary;
    wanted->context = watch;
    wanted->stop = stop;
    /* It ends where all sources are exhausted, since nothing would come any more. */
    wanted->until_idle = true;
    pare_signals_take(stop);
    status = pare_campaign_run(campaign, wanted, summary, err);
    pare_signals_leave();
    pare_fuzz_log_erase(&watch->log);
    /* The log prints how it stands once a minute; it may have done so at this moment. */
    bool is_told = watch->log.told_s > 0 && watch->log.told_s >= summary->elapsed_s;
    if (!status && watch->log.mode != PARE_FUZZ_LOG_QUIET) print_end(campaign, summary, is_told);
    pare_stop_free(stop);
    return status;
}

/* The first example makes a campaign, the second goes on with it. */
static void print_run_help(FILE *out, pare_help_extent extent)
{
    fputs("usage: pare fuzz run FILE.ini... [-D SECTION:OPTION=VALUE]...\n"
          "       pare fuzz run --from SOURCE -- PROGRAM @@\n"
          "\n"
          "Makes inputs, runs programs on them, and keeps what fails in a store: one\n"
          "finding for each failure, reduced and validated.  It runs until it is stopped\n"
          "(Ctrl-C). The same command continues the campaign.\n"
          "\n"
          "    pare fuzz run --from grammar:JSON.g4 -- jq . @@\n"
          "    pare fuzz run jq.ini\n"
          "\n"
          "@@ is the input's path; without it the input comes on standard input.  If there\n"
          "is no FILE.ini, one is written beside the store.  By default crashes are\n"
          "failures; with -D target:finding=error also uncaught exceptions, with -D\n"
          "target:finding=any also any exit code but 0.\n"
          "\n",
          out);
    pare_options_print_help(out, pare_fuzz_campaign_options, PARE_FUZZ_N_OPTS, PARE_FUZZ_RUN,
                            extent);
    fputs("\nExit codes: 0 done or stopped, 1 no source works, 2 usage, 3 error.\n", out);
}

/* A command line without a file is tried before it is kept and run.  The file is
 * written before the run, so that an interrupted campaign can be continued by it. */
static pare_exit run_run(const pare_arguments *arguments)
{
    pare_error err = {0};
    struct watch watch = {0};
    pare_campaign *campaign = NULL;
    pare_campaign_summary summary = {0};
    pare_campaign_run_options wanted = {
        .max_time_ms = arguments->values[PARE_FUZZ_OPT_MAX_TIME].number,
        .max_tests = arguments->values[PARE_FUZZ_OPT_MAX_TESTS].number,
        .finish_jobs = pare_options_given(arguments, PARE_FUZZ_OPT_FINISH)};
    size_t n_wrong = 0;
    pare_status status = pare_fuzz_campaign_read(arguments, &campaign, &err);
    const bool is_line = !status && pare_fuzz_campaign_is_line(arguments);
    /* A line with a slip in it leaves no file behind, which would stay in the way of the right one. */
    if (is_line) status = pare_fuzz_campaign_try(RUN, campaign, &n_wrong, &err);
    /* Each trouble was told by pare_fuzz_campaign_try. */
    if (n_wrong) {
        pare_campaign_free(campaign);
        return PARE_EXIT_NOTHING;
    }
    if (!status && is_line)
        status = keep_file(RUN, campaign, pare_options_given(arguments, PARE_FUZZ_OPT_QUIET), &err);
    if (!status) status = run_campaign(arguments, campaign, &wanted, &watch, &summary, &err);
    if (!status && is_line && !pare_options_given(arguments, PARE_FUZZ_OPT_QUIET))
        tell_of_mutation(campaign, &summary);
    pare_campaign_free(campaign);
    return status ? pare_report_failure(RUN, &err) : pare_report_printed(RUN);
}

const pare_command pare_command_fuzz_run = {
    .title = RUN,
    .name = "run",
    .summary = "make inputs, run programs, keep and reduce what fails",
    .options = {pare_fuzz_campaign_options, PARE_FUZZ_N_OPTS, PARE_FUZZ_RUN},
    .help = print_run_help,
    .run = run_run,
};

/* ---- ci -------------------------------------------------------------------------------- */

static void print_ci_help(FILE *out, pare_help_extent extent)
{
    fputs("usage: pare fuzz ci FILE.ini... [--minutes N] [-D SECTION:OPTION=VALUE]...\n"
          "       pare fuzz ci --from SOURCE [--minutes N] -- PROGRAM @@\n"
          "\n"
          "For continuous integration: runs a campaign for some minutes, reduces its\n"
          "findings, and says by its exit code whether there was a new one.  Findings that\n"
          "are already in the store are not new, except fixed ones that have come back.\n"
          "\n",
          out);
    pare_options_print_help(out, pare_fuzz_campaign_options, PARE_FUZZ_N_OPTS, PARE_FUZZ_CI,
                            extent);
    fputs("\nExit codes: 0 nothing new, 1 a new one, or no source works, 2 usage, 3 error.\n", out);
}

/* How many minutes [campaign] says; 10 where it says nothing, or no number. */
static uint64_t minutes_of(const pare_campaign *campaign)
{
    const pare_campaign_setting *setting;
    uint64_t minutes = 0;
    for (size_t i = 0; (setting = pare_campaign_setting_at(campaign, i)) != NULL; i++)
        if (!strcmp(setting->section, "campaign") && !strcmp(setting->option, "minutes") &&
            pare_options_read_whole(setting->value, &minutes) && minutes)
            return minutes;
    return 10;
}

/* Writes what was asked for, for the service that runs this: the findings that are
 * there now, and not only new ones.  Those that are fixed, invalid or merged are
 * nobody's concern. */
static pare_status write_files(const pare_arguments *arguments, const pare_campaign *campaign,
                               pare_error *err)
{
    static const struct {
        enum pare_fuzz_option option;
        const char *format;
    } files[] = {{PARE_FUZZ_OPT_SARIF, "sarif"}, {PARE_FUZZ_OPT_JUNIT, "junit"}};
    const pare_finding_filter filter = {
        .states = 1u << PARE_FINDING_NEW | 1u << PARE_FINDING_REDUCED |
                  1u << PARE_FINDING_REPORTED | 1u << PARE_FINDING_REGRESSED};
    pare_store *store = NULL;
    pare_status status = pare_store_open(pare_campaign_store_path(campaign), false, &store, err);
    for (size_t i = 0; i < sizeof files / sizeof *files && !status; i++) {
        const char *path = arguments->values[files[i].option].text;
        if (path) status = pare_report_file(store, &filter, files[i].format, path, err);
    }
    pare_store_close(store);
    return status;
}

/* --minutes comes before what the campaign says.  Jobs are finished after that time:
 * what is new is to be reduced before it is shown. */
static pare_exit run_ci(const pare_arguments *arguments)
{
    pare_error err = {0};
    struct watch watch = {0};
    pare_campaign *campaign = NULL;
    pare_campaign_summary summary = {0};
    pare_campaign_run_options wanted = {.finish_jobs = true};
    pare_status status = pare_fuzz_campaign_read(arguments, &campaign, &err);
    if (!status) {
        /* 0: not given, since --minutes takes 1 at least. */
        uint64_t minutes = arguments->values[PARE_FUZZ_OPT_MINUTES].number;
        wanted.max_time_ms = (minutes ? minutes : minutes_of(campaign)) * 60000;
        status = run_campaign(arguments, campaign, &wanted, &watch, &summary, &err);
    }
    if (!status) status = write_files(arguments, campaign, &err);
    pare_campaign_free(campaign);
    if (status) return pare_report_failure(CI, &err);
    pare_exit code = pare_report_printed(CI);
    bool is_new = summary.new_findings || watch.n_regressed;
    return code == PARE_EXIT_DONE && is_new ? PARE_EXIT_NOTHING : code;
}

const pare_command pare_command_fuzz_ci = {
    .title = CI,
    .name = "ci",
    .summary = "run it for minutes; exit code 1: there is a new finding",
    .options = {pare_fuzz_campaign_options, PARE_FUZZ_N_OPTS, PARE_FUZZ_CI},
    .help = print_ci_help,
    .run = run_ci,
};

/* ---- job ------------------------------------------------------------------------------- */

/* pare fuzz job STORE N: what the coordinator starts processes for, a command that no
 * help lists.  A pipe on standard output gets a byte whenever the store has changed; a
 * terminal or file gets nothing. */
static pare_exit run_job(int n_words, char **words)
{
    static const char JOB[] = "pare fuzz job";
    pare_error err = {0};
    pare_stop *stop = NULL;
    struct stat about;
    uint64_t id = 0;
    if (n_words != 2 || !pare_options_read_whole(words[1], &id) || !id || id > INT64_MAX) {
        pare_report(JOB, "a store and a number are needed: pare fuzz job STORE N");
        return PARE_EXIT_USAGE;
    }
    pare_status status = pare_stop_new(&stop, &err);
    if (!status) {
        /* A pipe is the coordinator's; whatever else is there is the user's, and gets
         * no bytes. */
        int wake_fd = !fstat(STDOUT_FILENO, &about) && S_ISFIFO(about.st_mode) ? STDOUT_FILENO : -1;
        pare_signals_take(stop);
        status = pare_campaign_do_job(words[0], (int64_t)id, wake_fd, stop, &err);
        pare_signals_leave();
    }
    pare_stop_free(stop);
    return status ? pare_report_failure(JOB, &err) : PARE_EXIT_DONE;
}

const pare_command pare_command_fuzz_job = {
    .title = "pare fuzz job", .name = "job", .execute = run_job};
