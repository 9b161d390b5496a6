/* The subcommands: what main knows about each. */
#ifndef PARE_CLI_COMMANDS_H
#define PARE_CLI_COMMANDS_H

#include <stdio.h>

#include <pare/result.h>

#include "cli/options.h"
#include "cli/report.h"

typedef struct pare_command {
    const char *title;          /* "pare reduce": before its messages */
    const char *name, *summary; /* for `pare help` */
    pare_option_set options;    /* the table may be shared with other commands */
    /* What `pare help COMMAND` and --help print. */
    void (*help)(FILE *out, pare_help_extent extent);
    /* Does it, as the arguments say (borrowed), and gives the exit code. */
    pare_exit (*run)(const pare_arguments *arguments);
    /* Instead of all that: gets the words after the name as they are. */
    pare_exit (*execute)(int n_words, char **words);
    /* Or: commands of its own, each with a name that comes after this one's; the last is NULL. */
    const struct pare_command *const *parts;
} pare_command;

extern const pare_command pare_command_reduce, pare_command_isolate, pare_command_explain,
    pare_command_parse, pare_command_generate, pare_command_learn, pare_command_shootout,
    pare_command_lang, pare_command_history, pare_command_worker, pare_command_graph,
    pare_command_graph_explore, pare_command_graph_learn, pare_command_graph_weigh,
    pare_command_graph_show, pare_command_graph_diff;

/* Explains the result of a reduction by `settings`, as `pare explain` does, and lays it out as the
 * original was; prints both.  Says what went wrong, and gives the exit code. */
struct pare_settings;
pare_exit pare_command_explain_result(const struct pare_settings *settings,
                                      const pare_result *result);

/* Parts of `pare fuzz` are listed in command_fuzz.c. */
extern const pare_command pare_command_fuzz, pare_command_fuzz_run, pare_command_fuzz_ci,
    pare_command_fuzz_job;
extern const pare_command pare_command_fuzz_web, pare_command_fuzz_report, pare_command_fuzz_top;
extern const pare_command pare_command_fuzz_list, pare_command_fuzz_show, pare_command_fuzz_mark,
    pare_command_fuzz_merge, pare_command_fuzz_split, pare_command_fuzz_delete,
    pare_command_fuzz_export, pare_command_fuzz_import, pare_command_fuzz_reduce,
    pare_command_fuzz_validate, pare_command_fuzz_update, pare_command_fuzz_bisect;

#endif
