/* pare fuzz report ID... [--to WHERE] [--send] [--again] [-o DIR] [--project P] [--url U]
 * pare fuzz report --format sarif|junit|markdown|json -o FILE [--state STATE]... [--target NAME]
 *
 * Reports findings: each as a folder, as a request for a tracker or as an issue, or all of them as
 * one file.  Several findings are reported one after the other; if one fails, that is printed, and
 * the others are still reported.  The exit code is the worst of all. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <pare/campaign_report.h>
#include <pare/findings.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/nearest.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/store_choice.h"
#include "ui/format.h"

static const char REPORT[] = "pare fuzz report";

/* One bit is enough, since the file has a single command; then room for a path or an
 * address. */
enum { COMMAND = 1, SHOWN_BYTES = 1024 };
enum {
    OPT_TO,
    OPT_SEND,
    OPT_AGAIN,
    OPT_PROJECT,
    OPT_URL,
    OPT_OUTPUT,
    OPT_FORMAT,
    OPT_STATE,
    OPT_TARGET,
    OPT_STORE,
    OPT_HELP,
    N_OPTS
};

/* In the order of the words of --format. */
static const char *const formats[] = {"sarif", "junit", "markdown", "json"};

static const pare_option options[N_OPTS] = {
    [OPT_TO] = {"to", 0, PARE_OPTION_TEXT, COMMAND, .value = "WHERE",
                .help = "the name of a [report] section, github, gitlab, bugzilla, or a "
                        "folder; default: the only section, or a folder NAME.reports"},
    [OPT_SEND] = {"send", 0, PARE_OPTION_FLAG, COMMAND,
                  .help = "create the issue, unless the tracker has it; without --send, the "
                          "request is written as files for curl"},
    [OPT_AGAIN] = {"again", 0, PARE_OPTION_FLAG, COMMAND,
                   .help = "report it even if it was reported before, or seems to be there"},
    [OPT_PROJECT] = {"project", 0, PARE_OPTION_TEXT, COMMAND, .value = "NAME",
                     .help = "OWNER/NAME on GitHub, number or path on GitLab, PRODUCT/COMPONENT "
                             "in Bugzilla, instead of the section's"},
    [OPT_URL] = {"url", 0, PARE_OPTION_TEXT, COMMAND, .value = "URL",
                 .help = "address of the tracker, instead of the section's"},
    [OPT_OUTPUT] = {"output", 'o', PARE_OPTION_TEXT, COMMAND, .value = "DIR|FILE",
                    .help = "where to write folders and requests, or the file of --format"},
    [OPT_FORMAT] = {"format", 0, PARE_OPTION_CHOICE, COMMAND, .value = "sarif|junit|markdown|json",
                    .help = "write all findings as one file instead"},
    [OPT_STATE] = {"state", 0, PARE_OPTION_TEXTS, COMMAND, .value = "STATE",
                   .help = "with --format: only findings in this state; may be repeated; "
                           "default: all but merged"},
    [OPT_TARGET] = {"target", 0, PARE_OPTION_TEXT, COMMAND, .value = "NAME",
                    .help = "with --format: only findings of this target"},
    [OPT_STORE] = {"store", 0, PARE_OPTION_TEXT, COMMAND, .value = "FILE",
                   .help = "the store; default: the NAME.pare.db in the current folder"},
    [OPT_HELP] = {"help", 'h', PARE_OPTION_FLAG, COMMAND, .word = "all", .help = "print this help"},
};

/* The two forms have options of their own, so both stand in the usage. */
static void print_help(FILE *out, pare_help_extent extent)
{
    fputs("usage: pare fuzz report ID... [--to WHERE] [--send]\n"
          "       pare fuzz report --format FORMAT -o FILE\n"
          "\n"
          "Reports findings of a campaign.  A report folder has the reduced input, the\n"
          "original, the command, and a script that shows the failure.  For a tracker, a\n"
          "request is written, or sent with the token in GITHUB_TOKEN, GITLAB_TOKEN or\n"
          "BUGZILLA_API_KEY unless the tracker already has the issue.\n"
          "\n"
          "    pare fuzz report 7 --to reports\n"
          "    pare fuzz report 7 --to github --project ArtifexSoftware/mujs --send\n"
          "    pare fuzz report --format sarif -o findings.sarif\n"
          "\n",
          out);
    pare_options_print_help(out, options, N_OPTS, COMMAND, extent);
    fputs("\nExit codes: 0 done, 1 a finding is not there, was or seems to be reported\n"
          "already, or cannot be reported now, 2 usage, 3 error.\n",
          out);
}

/* ---- findings one by one --------------------------------------------------------------- */

/* What came of it, on one line, to standard output; that it seems to be known goes to
 * standard error, since the user is to decide something. */
static void tell(int64_t id, const pare_report_result *result)
{
    char shown[SHOWN_BYTES];
    /* An issue has an address, a request or a folder a path. */
    const char *where = result->url[0] ? result->url : result->path;
    const size_t size = strlen(where);
    /* A request for a tracker is a script for curl, which sends it. */
    bool is_script = size > 3 && strcmp(where + size - 3, ".sh") == 0;
    (void)pare_format_name(shown, sizeof shown, where);
    if (result->seems_known)
        pare_report(
            REPORT,
            "finding %lld seems to have been reported at %s: use --again to report it anyway",
            (long long)id, shown);
    else if (result->is_known)
        printf("finding %lld is reported already: %s\n", (long long)id, shown);
    else if (result->url[0])
        printf("finding %lld is reported: %s\n", (long long)id, shown);
    else if (is_script)
        printf("finding %lld is ready to be sent: %s\n", (long long)id, shown);
    else
        printf("finding %lld is written: %s\n", (long long)id, shown);
}

/* Reports one.  What there is nothing to do about is told, too, and is no error. */
static pare_exit report_one(pare_store *store, int64_t id, const pare_report_options *wanted)
{
    pare_error err = {0};
    pare_report_result result;
    pare_status status = pare_report_finding(store, id, wanted, &result, &err);
    /* Told under the name of the command; the next finding is still reported. */
    if (status) return pare_report_failure(REPORT, &err);
    tell(id, &result);
    return result.seems_known ? PARE_EXIT_NOTHING : PARE_EXIT_DONE;
}

/* Reports one finding after the other, also after one that could not be.  The exit
 * codes are in the order of how bad they are. */
static pare_exit report_each(const pare_arguments *arguments, pare_store *store)
{
    const pare_report_options wanted = {.to = arguments->values[OPT_TO].text,
                                        .send = pare_options_given(arguments, OPT_SEND),
                                        .again = pare_options_given(arguments, OPT_AGAIN),
                                        .out_dir = arguments->values[OPT_OUTPUT].text,
                                        .project = arguments->values[OPT_PROJECT].text,
                                        .url = arguments->values[OPT_URL].text};
    pare_exit worst = PARE_EXIT_DONE;
    for (size_t i = 0; i < arguments->n_operands; i++) {
        int64_t id = 0;
        pare_status status = pare_store_choice_id(arguments->operands[i], &id, NULL);
        assert(!status && "all numbers were looked at before");
        pare_exit code = status ? PARE_EXIT_USAGE : report_one(store, id, &wanted);
        if (code > worst) worst = code;
    }
    /* What was told of each has to have arrived, too. */
    pare_exit printed = pare_report_printed(REPORT);
    return printed > worst ? printed : worst;
}

/* ---- all in one file ------------------------------------------------------------------- */

/* The states that --state names, as a bit set. */
static pare_status read_states(const pare_arguments *arguments, uint32_t *states, pare_error *err)
{
    /* All texts of the command line would fit, of which those of --state are some. */
    const char **names = pare_alloc(arguments->n_texts + 1, sizeof *names);
    if (!names) return pare_fail_nomem(err);
    size_t n = pare_options_texts(arguments, OPT_STATE, names);
    pare_status status = PARE_OK;
    for (size_t i = 0; i < n && !status; i++) {
        char shown[SHOWN_BYTES], hint[PARE_NEAREST_HINT_BYTES];
        pare_finding_state state;
        if (pare_finding_state_find(names[i], &state)) {
            *states |= 1u << state;
            continue;
        }
        /* An unknown word is answered with the state that is most like it. */
        pare_nearest nearest = pare_nearest_of(names[i]);
        for (unsigned k = 0; k < PARE_FINDING_N_STATES; k++)
            pare_nearest_offer(&nearest, pare_finding_state_name((pare_finding_state)k));
        status = pare_fail(err, PARE_E_ARG, "unknown state '%.100s'%s",
                           pare_format_name(shown, sizeof shown, names[i]),
                           pare_nearest_hint(&nearest, "", hint));
    }
    pare_alloc_free(names);
    return status;
}

/* One file of the findings that --state and --target leave. */
static pare_exit report_all(const pare_arguments *arguments, pare_store *store)
{
    pare_error err = {0};
    pare_finding_filter filter = {.target = arguments->values[OPT_TARGET].text};
    const uint64_t format = arguments->values[OPT_FORMAT].number;
    assert(format < sizeof formats / sizeof *formats);
    /* No state given: the filter takes all but merged ones. */
    pare_status status = read_states(arguments, &filter.states, &err);
    if (!status)
        status = pare_report_file(store, &filter, formats[format],
                                  arguments->values[OPT_OUTPUT].text, &err);
    return status ? pare_report_failure(REPORT, &err) : PARE_EXIT_DONE;
}

/* ---- both ------------------------------------------------------------------------------ */

/* What makes no sense together; NULL: nothing. */
static const char *find_mistake(const pare_arguments *arguments)
{
    static const size_t of_one[] = {OPT_TO, OPT_SEND, OPT_AGAIN, OPT_PROJECT, OPT_URL};
    bool is_file = pare_options_given(arguments, OPT_FORMAT);
    if (!is_file && !arguments->n_operands)
        return "the findings' numbers are missing ('pare fuzz list' has them), or --format";
    if (!is_file &&
        (pare_options_given(arguments, OPT_STATE) || pare_options_given(arguments, OPT_TARGET)))
        return "--state and --target are for files: --format FORMAT -o FILE";
    if (!is_file) return NULL;
    if (!pare_options_given(arguments, OPT_OUTPUT)) return "the file is missing: -o FILE";
    if (arguments->n_operands) return "a file has all findings that --state and --target take";
    for (size_t i = 0; i < sizeof of_one / sizeof *of_one; i++)
        if (pare_options_given(arguments, of_one[i]))
            return "--to, --send, --again, --project and --url are for single findings";
    return NULL;
}

/* All numbers are looked at before the store is opened, so that nothing is sent if the
 * last of them is a slip. */
static pare_exit run(const pare_arguments *arguments)
{
    pare_error err = {0};
    pare_store *store = NULL;
    char *path = NULL;
    const char *mistake = find_mistake(arguments);
    if (mistake) {
        pare_report(REPORT, "%s", mistake);
        return PARE_EXIT_USAGE;
    }
    for (size_t i = 0; i < arguments->n_operands; i++) {
        int64_t id = 0;
        if (pare_store_choice_id(arguments->operands[i], &id, &err))
            return pare_report_failure(REPORT, &err);
    }
    pare_status status = pare_store_choice_read(arguments, OPT_STORE, &path, &err);
    if (!status) status = pare_store_open(path, false, &store, &err);
    pare_exit code = status                                      ? pare_report_failure(REPORT, &err)
                     : pare_options_given(arguments, OPT_FORMAT) ? report_all(arguments, store)
                                                                 : report_each(arguments, store);
    pare_store_close(store);
    pare_alloc_free(path);
    return code;
}

const pare_command pare_command_fuzz_report = {
    .title = REPORT,
    .name = "report",
    .summary = "report findings: folders, trackers, SARIF, JUnit",
    .options = {options, N_OPTS, COMMAND},
    .help = print_help,
    .run = run,
};
