/* pare fuzz run|check|ci ... [FILE.ini...] [-D SECTION:OPTION=VALUE]... [--from SOURCE -- PROGRAM @@]
 * pare fuzz COMMAND ...
 *
 * The commands that read a campaign, and the list of all that campaigns have; the others are in
 * command_fuzz_*.c.  A campaign is files, or a source and a program; both give the same
 * configuration, whose file `check` prints. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <pare/campaign.h>
#include <pare/findings.h>
#include <pare/stop.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/signals.h"
#include "ui/format.h"
#include "ui/fuzz_log.h"

static const char CHECK[] = "pare fuzz check", RUN[] = "pare fuzz run", CI[] = "pare fuzz ci";

enum { COMMAND_CHECK = 1, COMMAND_RUN = 2, COMMAND_CI = 4, ANY = 7, SHOWN_BYTES = 256 };

enum {
    OPT_SET,
    OPT_FROM,
    OPT_FROM_GRAMMAR,
    OPT_FROM_LANG,
    OPT_FROM_GRAPH,
    OPT_STORE,
    OPT_JOBS,
    OPT_MAX_TIME,
    OPT_MAX_TESTS,
    OPT_FINISH,
    OPT_MINUTES,
    OPT_ALL,
    OPT_VERBOSE,
    OPT_QUIET,
    OPT_COLOR,
    OPT_HELP,
    N_OPTS
};

static const pare_option options[N_OPTS] = {
    [OPT_SET] = {"set", 'D', PARE_OPTION_TEXTS, ANY, .value = "SECTION:OPTION=VALUE",
                 .help = "an option instead of the file's; repeatable"},
    [OPT_FROM] = {"from", 0, PARE_OPTION_TEXT, ANY, .value = "SOURCE",
                  .help = "without a file: grammar:FILE, lang:NAME, graph:FILE, graph, model:NAME, "
                          "folder:GLOB, command:CMD, afl:SEEDS, random"},
    [OPT_FROM_GRAMMAR] = {"from-grammar", 0, PARE_OPTION_TEXT, ANY, .value = "FILE",
                          .help = "the same as --from grammar:FILE"},
    [OPT_FROM_LANG] = {"from-lang", 0, PARE_OPTION_TEXT, ANY, .value = "NAME",
                       .help = "the same as --from lang:NAME"},
    [OPT_FROM_GRAPH] = {"from-graph", 0, PARE_OPTION_TEXT, ANY, .value = "FILE",
                        .help = "the same as --from graph:FILE"},
    [OPT_STORE] = {"store", 0, PARE_OPTION_TEXT, ANY, .value = "FILE",
                   .help = "where findings are kept; default NAME.pare.db beside the file, or in "
                           "the current folder"},
    [OPT_JOBS] = {"jobs", 'j', PARE_OPTION_WHOLE, COMMAND_RUN | COMMAND_CI, .value = "N",
                  .least = 1, .most = 1024,
                  .help = "slots that jobs share; default the file's, or as many as there are "
                          "processors"},
    [OPT_MAX_TIME] = {"max-time", 0, PARE_OPTION_TIME, COMMAND_RUN, .value = "TIME",
                      .help = "end after so long, such as 90, 10m or 8h; default when it is "
                              "stopped, or the sources have no more"},
    [OPT_MAX_TESTS] = {"max-tests", 0, PARE_OPTION_WHOLE, COMMAND_RUN, .value = "N", .least = 1,
                       .most = INT64_MAX, .help = "end after so many tests"},
    [OPT_FINISH] = {"finish", 0, PARE_OPTION_FLAG, COMMAND_RUN,
                    .help = "at the end wait for reductions and validations"},
    [OPT_MINUTES] = {"minutes", 0, PARE_OPTION_WHOLE, COMMAND_CI, .value = "N", .least = 1,
                     .most = 1000000, .help = "how long; default the file's, or 10"},
    [OPT_ALL] = {"all", 'a', PARE_OPTION_FLAG, COMMAND_CHECK,
                 .help = "print the options that were not given, too, with their defaults"},
    [OPT_VERBOSE] = {"verbose", 'v', PARE_OPTION_FLAG, COMMAND_RUN | COMMAND_CI,
                     .help = "say when jobs start and end, too"},
    [OPT_QUIET] = {"quiet", 'q', PARE_OPTION_FLAG, COMMAND_RUN | COMMAND_CI,
                   .help = "say nothing but what is wrong"},
    [OPT_COLOR] = {"color", 0, PARE_OPTION_CHOICE, COMMAND_RUN | COMMAND_CI,
                   .value = "auto|always|never", .help = "colours; default auto"},
    [OPT_HELP] = {"help", 'h', PARE_OPTION_FLAG, ANY, .word = "all",
                  .help = "print this, and stop"},
};

static bool given(const pare_arguments *arguments, size_t option)
{
    return arguments->values[option].position != 0;
}

/* ---- the campaign of a command line ---------------------------------------------------- */

/* What --from and its like say, as one text in *from; "" when none of them is given. */
static pare_status read_from(const pare_arguments *arguments, pare_buffer *from, pare_error *err)
{
    static const struct {
        size_t option;
        const char *kind;
    } spellings[] = {{OPT_FROM, ""},
                     {OPT_FROM_GRAMMAR, "grammar:"},
                     {OPT_FROM_LANG, "lang:"},
                     {OPT_FROM_GRAPH, "graph:"}};
    pare_status status = pare_buffer_text(from, "", err);
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings && !status; i++) {
        if (!given(arguments, spellings[i].option)) continue;
        if (from->size)
            return pare_fail(err, PARE_E_ARG, "--from and its like stand twice: one of them");
        status = pare_buffer_text(from, spellings[i].kind, err);
        if (!status)
            status = pare_buffer_text(from, arguments->values[spellings[i].option].text, err);
    }
    return status;
}

/* An option of ours among the program's words would be the program's. */
static pare_status check_words(const pare_arguments *arguments, pare_error *err)
{
    for (size_t i = arguments->n_before_dashes; i < arguments->n_operands; i++)
        if (!strncmp(arguments->operands[i], "--from", 6))
            return pare_fail(err, PARE_E_ARG,
                             "'%s' stands after the --, where all is the program's: put it before",
                             arguments->operands[i]);
    return PARE_OK;
}

/* Reads the campaign that the words are about.  On PARE_OK the caller owns *campaign. */
static pare_status read_campaign(const pare_arguments *arguments, pare_campaign **campaign,
                                 pare_error *err)
{
    size_t n_files = arguments->n_before_dashes;
    pare_buffer from = {0};
    const char **settings = pare_alloc(arguments->n_texts + 1, sizeof *settings);
    pare_status status = settings ? read_from(arguments, &from, err) : pare_fail_nomem(err);
    if (!status && !from.size) status = check_words(arguments, err);
    if (!status && !n_files && !from.size && arguments->n_operands == n_files)
        status = pare_fail(err, PARE_E_ARG,
                           "the campaign is missing: FILE.ini, or --from SOURCE -- PROGRAM @@");
    if (!status) {
        pare_campaign_options wanted = {.paths = arguments->operands,
                                        .n_paths = n_files,
                                        .settings = settings,
                                        .n_settings =
                                            pare_options_texts(arguments, OPT_SET, settings),
                                        .from = from.size ? from.data : NULL,
                                        .program = arguments->operands + n_files,
                                        .n_program = arguments->n_operands - n_files,
                                        .store = arguments->values[OPT_STORE].text};
        status = pare_campaign_read(&wanted, campaign, err);
    }
    pare_buffer_done(&from);
    pare_alloc_free(settings);
    return status;
}

/* ---- check ----------------------------------------------------------------------------- */

static void print_check_help(FILE *out, pare_help_extent extent)
{
    fputs("usage: pare fuzz check FILE.ini... [-D SECTION:OPTION=VALUE]...\n"
          "       pare fuzz check --from SOURCE -- PROGRAM @@\n"
          "\n"
          "Prints the one file that stands for what would be run, with a comment on where\n"
          "each option comes from.  What is printed is a campaign's file itself.\n"
          "\n"
          "    pare fuzz check --from grammar:JSON.g4 -- jq . @@ > jq.ini\n"
          "\n",
          out);
    pare_options_print_help(out, options, N_OPTS, COMMAND_CHECK, extent);
    fputs("\nExit codes: 0 done, 2 usage, 3 error.\n", out);
}

/* Where the option of a line "OPTION = VALUE" comes from; NULL: the line is none. */
static const char *find_origin(const pare_campaign *campaign, const char *section, size_t n_section,
                               const char *line)
{
    const pare_campaign_setting *setting;
    size_t size = strcspn(line, " \n");
    for (size_t i = 0; (setting = pare_campaign_setting_at(campaign, i)) != NULL; i++)
        if (strlen(setting->section) == n_section &&
            !strncmp(setting->section, section, n_section) && strlen(setting->option) == size &&
            !strncmp(setting->option, line, size))
            return setting->origin;
    return NULL;
}

/* Prints the defaults of a section as comments. */
static void print_defaults(const pare_campaign *campaign, const char *section, size_t n_section)
{
    const pare_campaign_setting *setting;
    for (size_t i = 0; (setting = pare_campaign_setting_at(campaign, i)) != NULL; i++)
        if (strlen(setting->section) == n_section &&
            !strncmp(setting->section, section, n_section) && !strcmp(setting->origin, "default"))
            printf("; %s = %s\n", setting->option, setting->value);
}

/* Prints the text with a comment before each option. */
static void print_campaign(const pare_campaign *campaign, bool all)
{
    const char *section = "";
    size_t n_section = 0;
    for (const char *line = pare_campaign_text(campaign); *line;) {
        size_t size = strcspn(line, "\n");
        const char *origin = NULL;
        if (*line == '[') {
            section = line + 1;
            n_section = size - 2;
        } else if (*line != ' ') {
            origin = find_origin(campaign, section, n_section, line);
        }
        if (origin && strncmp(origin, "command line", 12) != 0) printf("# %s\n", origin);
        printf("%.*s\n", (int)size, line);
        line += size + (line[size] != '\0');
        if (all && n_section && (!*line || *line == '\n'))
            print_defaults(campaign, section, n_section);
    }
}

static pare_exit run_check(const pare_arguments *arguments)
{
    pare_error err = {0};
    pare_campaign *campaign = NULL;
    if (read_campaign(arguments, &campaign, &err) != PARE_OK)
        return pare_report_failure(CHECK, &err);
    print_campaign(campaign, given(arguments, OPT_ALL));
    pare_campaign_free(campaign);
    return pare_report_printed(CHECK);
}

static const pare_command command_check = {
    .title = CHECK,
    .name = "check",
    .summary = "print what would be run, and where each option comes from",
    .options = {options, N_OPTS, COMMAND_CHECK},
    .help = print_check_help,
    .run = run_check,
};

/* ---- run ------------------------------------------------------------------------------- */

/* The file beside the store: NAME.ini for NAME.pare.db. */
static pare_status name_file(const char *store, pare_buffer *path, pare_error *err)
{
    static const char suffix[] = ".pare.db";
    size_t size = strlen(store), n = sizeof suffix - 1;
    if (size > n && !strcmp(store + size - n, suffix)) size -= n;
    pare_status status = pare_buffer_add(path, store, size, err);
    return status ? status : pare_buffer_text(path, ".ini", err);
}

/* Whether the file holds this text. */
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

/* Writes the file that a command line stands for, unless there is one. */
static pare_status keep_file(const char *command, const pare_campaign *campaign, bool quiet,
                             pare_error *err)
{
    char shown[SHOWN_BYTES];
    pare_buffer path = {0};
    const char *text = pare_campaign_text(campaign);
    pare_status status = name_file(pare_campaign_store_path(campaign), &path, err);
    FILE *file = status ? NULL : fopen(path.data, "wx");
    if (file) {
        bool written = fputs(text, file) >= 0;
        written = !fclose(file) && written;
        if (!written) status = pare_fail(err, PARE_E_IO, "cannot write '%s'", path.data);
        if (written && !quiet)
            printf("this campaign is in %s: pare fuzz run %s goes on with it\n",
                   pare_format_name(shown, sizeof shown, path.data), shown);
    } else if (!status && errno != EEXIST) {
        status = pare_fail_errno(err, errno, "cannot write '%s'", path.data);
    } else if (!status && !holds(path.data, text)) {
        pare_report(command, "%s is another campaign, and stays as it is", path.data);
    }
    pare_buffer_done(&path);
    return status;
}

/* What the watcher of a run sees. */
struct watch {
    pare_fuzz_log log;
    uint64_t n_regressed;
};

static void watch_event(void *context, const pare_store_event *event)
{
    struct watch *watch = context;
    watch->n_regressed += !strcmp(event->kind, "regressed");
    pare_fuzz_log_event(&watch->log, event);
}

static void watch_summary(void *context, const pare_campaign_summary *summary)
{
    struct watch *watch = context;
    pare_fuzz_log_summary(&watch->log, summary);
}

static void open_log(const pare_arguments *arguments, pare_fuzz_log *log)
{
    bool quiet = given(arguments, OPT_QUIET);
    bool redraws = pare_format_redraw(fileno(stdout)) == PARE_REDRAW;
    pare_color_choice choice = (pare_color_choice)arguments->values[OPT_COLOR].number;
    *log = (pare_fuzz_log){.out = stdout,
                           .mode = quiet     ? PARE_FUZZ_LOG_QUIET
                                   : redraws ? PARE_FUZZ_LOG_LINE
                                             : PARE_FUZZ_LOG_PLAIN,
                           .paint = pare_format_paint(choice, fileno(stdout)),
                           .jobs = given(arguments, OPT_VERBOSE)};
}

/* The last line of a run. */
static void print_end(const pare_campaign *campaign, const pare_campaign_summary *summary)
{
    char line[SHOWN_BYTES * 2], path[SHOWN_BYTES];
    printf("%s\n", pare_fuzz_log_describe(line, sizeof line, summary));
    if (summary->findings)
        printf("pare fuzz list --store %s shows the findings\n",
               pare_format_name(path, sizeof path, pare_campaign_store_path(campaign)));
}

/* Runs a campaign with signals that stop it. */
static pare_status run_campaign(const pare_arguments *arguments, const pare_campaign *campaign,
                                pare_campaign_run_options *wanted, struct watch *watch,
                                pare_campaign_summary *summary, pare_error *err)
{
    pare_stop *stop = NULL;
    pare_status status = pare_stop_new(&stop, err);
    if (status) return status;
    open_log(arguments, &watch->log);
    wanted->jobs = (unsigned)arguments->values[OPT_JOBS].number;
    wanted->watcher = watch_event;
    wanted->progress = watch_summary;
    wanted->context = watch;
    wanted->stop = stop;
    wanted->until_idle = true;
    pare_signals_take(stop);
    status = pare_campaign_run(campaign, wanted, summary, err);
    pare_signals_leave();
    pare_fuzz_log_erase(&watch->log);
    if (!status && watch->log.mode != PARE_FUZZ_LOG_QUIET) print_end(campaign, summary);
    pare_stop_free(stop);
    return status;
}

static void print_run_help(FILE *out, pare_help_extent extent)
{
    fputs("usage: pare fuzz run FILE.ini... [-D SECTION:OPTION=VALUE]...\n"
          "       pare fuzz run --from SOURCE -- PROGRAM @@\n"
          "\n"
          "Makes inputs, runs programs on them, and keeps what fails: one finding for each\n"
          "failure, reduced and validated, in a store.  It goes on until it is stopped\n"
          "(Ctrl-C), and with what it had when it is called again.\n"
          "\n"
          "    pare fuzz run --from grammar:JSON.g4 -- jq . @@\n"
          "    pare fuzz run jq.ini\n"
          "\n"
          "@@ is the input's path; without it the input comes on standard input.  A command\n"
          "line writes the file that it stands for beside the store.\n"
          "\n",
          out);
    pare_options_print_help(out, options, N_OPTS, COMMAND_RUN, extent);
    fputs("\nExit codes: 0 done or stopped, 1 no source works, 2 usage, 3 error.\n", out);
}

static pare_exit run_run(const pare_arguments *arguments)
{
    pare_error err = {0};
    struct watch watch = {0};
    pare_campaign *campaign = NULL;
    pare_campaign_summary summary = {0};
    pare_campaign_run_options wanted = {.max_time_ms = arguments->values[OPT_MAX_TIME].number,
                                        .max_tests = arguments->values[OPT_MAX_TESTS].number,
                                        .finish_jobs = given(arguments, OPT_FINISH)};
    pare_status status = read_campaign(arguments, &campaign, &err);
    if (!status && arguments->n_operands > arguments->n_before_dashes)
        status = keep_file(RUN, campaign, given(arguments, OPT_QUIET), &err);
    if (!status) status = run_campaign(arguments, campaign, &wanted, &watch, &summary, &err);
    pare_campaign_free(campaign);
    return status ? pare_report_failure(RUN, &err) : pare_report_printed(RUN);
}

static const pare_command command_run = {
    .title = RUN,
    .name = "run",
    .summary = "make inputs, run programs, keep and reduce what fails",
    .options = {options, N_OPTS, COMMAND_RUN},
    .help = print_run_help,
    .run = run_run,
};

/* ---- ci -------------------------------------------------------------------------------- */

static void print_ci_help(FILE *out, pare_help_extent extent)
{
    fputs("usage: pare fuzz ci FILE.ini... [--minutes N] [-D SECTION:OPTION=VALUE]...\n"
          "       pare fuzz ci --from SOURCE [--minutes N] -- PROGRAM @@\n"
          "\n"
          "Runs a campaign for some minutes, reduces what it found, and tells by its exit\n"
          "code whether there was anything new: for continuous integration.  Findings that\n"
          "the store has already are not new; a fixed one that is there again is.\n"
          "\n",
          out);
    pare_options_print_help(out, options, N_OPTS, COMMAND_CI, extent);
    fputs("\nExit codes: 0 nothing new, 1 a new finding, or no source works, 2 usage, 3 error.\n",
          out);
}

/* What [campaign] says. */
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

static pare_exit run_ci(const pare_arguments *arguments)
{
    pare_error err = {0};
    struct watch watch = {0};
    pare_campaign *campaign = NULL;
    pare_campaign_summary summary = {0};
    pare_campaign_run_options wanted = {.finish_jobs = true};
    pare_status status = read_campaign(arguments, &campaign, &err);
    if (!status) {
        uint64_t minutes = arguments->values[OPT_MINUTES].number;
        wanted.max_time_ms = (minutes ? minutes : minutes_of(campaign)) * 60000;
        status = run_campaign(arguments, campaign, &wanted, &watch, &summary, &err);
    }
    pare_campaign_free(campaign);
    if (status) return pare_report_failure(CI, &err);
    pare_exit code = pare_report_printed(CI);
    bool is_new = summary.new_findings || watch.n_regressed;
    return code == PARE_EXIT_DONE && is_new ? PARE_EXIT_NOTHING : code;
}

static const pare_command command_ci = {
    .title = CI,
    .name = "ci",
    .summary = "run a campaign for some minutes; exit code 1 on a new finding",
    .options = {options, N_OPTS, COMMAND_CI},
    .help = print_ci_help,
    .run = run_ci,
};

/* ---- job ------------------------------------------------------------------------------- */

/* pare fuzz job STORE N: what the coordinator starts processes for.  A pipe on standard output
 * gets a byte whenever the store has changed. */
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
        int wake_fd = !fstat(STDOUT_FILENO, &about) && S_ISFIFO(about.st_mode) ? STDOUT_FILENO : -1;
        pare_signals_take(stop);
        status = pare_campaign_do_job(words[0], (int64_t)id, wake_fd, stop, &err);
        pare_signals_leave();
    }
    pare_stop_free(stop);
    return status ? pare_report_failure(JOB, &err) : PARE_EXIT_DONE;
}

static const pare_command command_job = {
    .title = "pare fuzz job", .name = "job", .execute = run_job};

/* ---- all of them ------------------------------------------------------------------------ */

/* In the order of the help; what others write is declared in commands.h. */
/* clang-format off */
static const pare_command *const parts[] = {
    &command_run,
    &command_check,
    &command_ci,
    &pare_command_fuzz_list,
    &pare_command_fuzz_show,
    &pare_command_fuzz_mark,
    &pare_command_fuzz_merge,
    &pare_command_fuzz_split,
    &pare_command_fuzz_delete,
    &pare_command_fuzz_reduce,
    &pare_command_fuzz_validate,
    &pare_command_fuzz_update,
    &pare_command_fuzz_bisect,
    &pare_command_fuzz_report,
    &pare_command_fuzz_export,
    &pare_command_fuzz_import,
    &pare_command_fuzz_web,
    &command_job,
    NULL,
};
/* clang-format on */

const pare_command pare_command_fuzz = {
    .title = "pare fuzz",
    .name = "fuzz",
    .summary = "campaigns: make inputs, run programs, keep and reduce what fails",
    .parts = parts,
};
