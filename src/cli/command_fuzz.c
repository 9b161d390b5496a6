/* pare fuzz run|check ... [FILE.ini...] [-D SECTION:OPTION=VALUE]... [--from SOURCE -- PROGRAM @@]
 * pare fuzz COMMAND ...
 *
 * The commands that read a campaign, and the list of all that campaigns have; the others are in
 * command_fuzz_*.c.  A campaign is files, or a source and a program; both give the same
 * configuration, whose file `check` prints. */
#include <stdio.h>
#include <string.h>

#include <pare/campaign.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/report.h"

static const char CHECK[] = "pare fuzz check";

enum { COMMAND_CHECK = 1, COMMAND_RUN = 2, COMMAND_CI = 4, ANY = 7, SHOWN_BYTES = 256 };

enum {
    OPT_SET,
    OPT_FROM,
    OPT_FROM_GRAMMAR,
    OPT_FROM_LANG,
    OPT_FROM_GRAPH,
    OPT_STORE,
    OPT_ALL,
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
    [OPT_ALL] = {"all", 'a', PARE_OPTION_FLAG, COMMAND_CHECK,
                 .help = "print the options that were not given, too, with their defaults"},
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

/* ---- all of them ------------------------------------------------------------------------ */

/* In the order of the help; what others write is declared in commands.h. */
static const pare_command *const parts[] = {
    &command_check,
    &pare_command_fuzz_report,
    &pare_command_fuzz_list,
    &pare_command_fuzz_show,
    &pare_command_fuzz_mark,
    &pare_command_fuzz_merge,
    &pare_command_fuzz_split,
    &pare_command_fuzz_delete,
    &pare_command_fuzz_export,
    &pare_command_fuzz_import,
    &pare_command_fuzz_web,
    NULL,
};

const pare_command pare_command_fuzz = {
    .title = "pare fuzz",
    .name = "fuzz",
    .summary = "campaigns: make inputs, run programs, keep and reduce what fails",
    .parts = parts,
};
