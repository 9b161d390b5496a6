/* pare fuzz check [FILE.ini...] [-D SECTION:OPTION=VALUE]... [--from SOURCE -- PROGRAM @@]
 * pare fuzz COMMAND ...
 *
 * Prints the complete file of a campaign.  Also has the list of the commands of campaigns; the
 * others are in command_fuzz_*.c. */
#include <stdio.h>
#include <string.h>

#include <pare/campaign.h>

#include "base/fail.h"
#include "cli/commands.h"
#include "cli/fuzz_campaign.h"
#include "cli/options.h"
#include "cli/report.h"

static const char CHECK[] = "pare fuzz check";

static void print_check_help(FILE *out, pare_help_extent extent)
{
    fputs("usage: pare fuzz check FILE.ini... [-D SECTION:OPTION=VALUE]...\n"
          "       pare fuzz check --from SOURCE -- PROGRAM @@\n"
          "\n"
          "Prints the complete campaign file that would be run, with a comment on where\n"
          "each option comes from, and tries it: one text of each source, a few runs of\n"
          "each target.  The output is itself a campaign file.\n"
          "\n"
          "    pare fuzz check --from grammar:JSON.g4 -- jq . @@ > jq.ini\n"
          "\n",
          out);
    pare_options_print_help(out, pare_fuzz_campaign_options, PARE_FUZZ_N_OPTS, PARE_FUZZ_CHECK,
                            extent);
    fputs("\nExit codes: 0 it works, 1 some of it does not, 2 usage, 3 error.\n", out);
}

/* Where the option of a line "OPTION = VALUE" of a section comes from; NULL: the line
 * is none.  Looks through all settings, of which a campaign has some dozens. */
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

/* Prints the defaults of a section as comments, "; OPTION = VALUE": they hold, and may
 * be edited. */
static void print_defaults(const pare_campaign *campaign, const char *section, size_t n_section)
{
    const pare_campaign_setting *setting;
    for (size_t i = 0; (setting = pare_campaign_setting_at(campaign, i)) != NULL; i++)
        if (strlen(setting->section) == n_section &&
            !strncmp(setting->section, section, n_section) && !strcmp(setting->origin, "default"))
            printf("; %s = %s\n", setting->option, setting->value);
}

/* Prints [campaign], of which the text says nothing when nothing of it was given. */
static void print_missing(const pare_campaign *campaign)
{
    static const char title[] = "campaign";
    const char *text = pare_campaign_text(campaign);
    /* The text begins with its first section: "[campaign]". */
    if (*text && !strncmp(text + 1, title, sizeof title - 1)) return;
    printf("[%s]\n", title);
    print_defaults(campaign, title, sizeof title - 1);
    fputs("\n", stdout);
}

/* Prints the text with a comment before each option that comes from a file.  With `all`
 * the defaults of each section follow it.
 * A line is "[SECTION]", "OPTION = VALUE", empty, or begins with a blank and continues
 * the value before it. */
static void print_campaign(const pare_campaign *campaign, bool all)
{
    const char *section = "";
    size_t n_section = 0;
    if (all) print_missing(campaign);
    for (const char *line = pare_campaign_text(campaign); *line;) {
        size_t size = strcspn(line, "\n");
        const char *origin = NULL;
        if (*line == '[') {
            section = line + 1;
            /* Without the brackets. */
            n_section = size - 2;
        } else if (*line != ' ') {
            origin = find_origin(campaign, section, n_section, line);
        }
        if (origin && strncmp(origin, "command line", 12) != 0) printf("# %s\n", origin);
        printf("%.*s\n", (int)size, line);
        line += size + (line[size] != '\0');
        /* An empty line, or the end of the text, is the end of a section. */
        if (all && n_section && (!*line || *line == '\n'))
            print_defaults(campaign, section, n_section);
    }
}

/* The text is flushed before anything is tried, as targets write to the same terminal. */
static pare_exit run_check(const pare_arguments *arguments)
{
    pare_error err = {0};
    pare_campaign *campaign = NULL;
    size_t n_wrong = 0;
    pare_status status = pare_fuzz_campaign_read(arguments, &campaign, &err);
    if (!status) print_campaign(campaign, pare_options_given(arguments, PARE_FUZZ_OPT_ALL));
    if (!status && !pare_options_given(arguments, PARE_FUZZ_OPT_NO_RUN)) {
        (void)fflush(stdout);
        status = pare_fuzz_campaign_try(CHECK, campaign, &n_wrong, &err);
    }
    pare_campaign_free(campaign);
    if (status) return pare_report_failure(CHECK, &err);
    pare_exit code = pare_report_printed(CHECK);
    /* The exit code of a check: the file is right, but something of it does not work on
     * this machine. */
    return code == PARE_EXIT_DONE && n_wrong ? PARE_EXIT_NOTHING : code;
}

static const pare_command command_check = {
    .title = CHECK,
    .name = "check",
    .summary = "print what would be run, and where each option comes from",
    .options = {pare_fuzz_campaign_options, PARE_FUZZ_N_OPTS, PARE_FUZZ_CHECK},
    .help = print_check_help,
    .run = run_check,
};

/* ---- all of them ------------------------------------------------------------------------ */

/* In the order of the help; what others write is declared in commands.h. */
/* clang-format off */
static const pare_command *const parts[] = {
    &pare_command_fuzz_run,
    &command_check,
    &pare_command_fuzz_ci,
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
    &pare_command_fuzz_top,
    &pare_command_fuzz_web,
    &pare_command_fuzz_job,
    NULL,
};
/* clang-format on */

const pare_command pare_command_fuzz = {
    .title = "pare fuzz",
    .name = "fuzz",
    .summary = "make inputs, run programs on them, reduce what fails",
    .parts = parts,
};
