/* pare fuzz mark ID... [--as STATE] [--note TEXT] [--url URL] [--title TEXT]
 * pare fuzz merge ID... INTO,  pare fuzz split ID...,  pare fuzz delete ID...
 * pare fuzz export [ID...] -o FOLDER,  pare fuzz import FOLDER...
 *
 * The commands that change findings by hand, and copy them from one store to another.  Several
 * numbers are handled one after the other; the first failure ends the command, and earlier changes
 * stay, as after several commands. */
#include <stdint.h>
#include <stdio.h>

#include <pare/findings.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/store_choice.h"
#include "ui/format.h"

static const char MARK[] = "pare fuzz mark", MERGE[] = "pare fuzz merge",
                  SPLIT[] = "pare fuzz split", DELETE[] = "pare fuzz delete",
                  EXPORT[] = "pare fuzz export", IMPORT[] = "pare fuzz import";

/* A bit for each command, by which options say which of them know them. */
enum {
    COMMAND_MARK = 1,
    COMMAND_MERGE = 2,
    COMMAND_SPLIT = 4,
    COMMAND_DELETE = 8,
    COMMAND_EXPORT = 16,
    COMMAND_IMPORT = 32,
    ALL = 63,
    SHOWN_BYTES = 200
};
/* In the order of the help of all of them. */
enum { OPT_STORE, OPT_AS, OPT_NOTE, OPT_URL, OPT_TITLE, OPT_OUTPUT, OPT_QUIET, OPT_HELP, N_OPTS };

/* The words of --as are in the order of pare_finding_state, whose last one is made by a merge. */
static const pare_option options[N_OPTS] = {
    [OPT_STORE] = {"store", 0, PARE_OPTION_TEXT, ALL, .value = "FILE",
                   .help = "the store; default: the NAME.pare.db in the current folder"},
    [OPT_AS] = {"as", 0, PARE_OPTION_CHOICE, COMMAND_MARK,
                .value = "new|reduced|reported|fixed|regressed|invalid", .help = "its state"},
    [OPT_NOTE] = {"note", 0, PARE_OPTION_TEXT, COMMAND_MARK, .value = "TEXT",
                  .help = "a note for people, replacing the old one"},
    [OPT_URL] = {"url", 0, PARE_OPTION_TEXT, COMMAND_MARK, .value = "URL",
                 .help = "where it was reported"},
    [OPT_TITLE] = {"title", 0, PARE_OPTION_TEXT, COMMAND_MARK, .value = "TEXT",
                   .help = "one line that says what it is"},
    [OPT_OUTPUT] = {"output", 'o', PARE_OPTION_TEXT, COMMAND_EXPORT, .value = "FOLDER",
                    .help = "where to write them; created if it is missing"},
    [OPT_QUIET] = {"quiet", 'q', PARE_OPTION_FLAG, ALL, .help = "print only errors"},
    [OPT_HELP] = {"help", 'h', PARE_OPTION_FLAG, ALL, .word = "all", .help = "print this help"},
};

/* What the commands have in common of their help; `text` is the usage and what is
 * particular. */
static void print_help(FILE *out, pare_help_extent extent, unsigned command, const char *text)
{
    fputs(text, out);
    pare_options_print_help(out, options, N_OPTS, command, extent);
    fputs("\nExit codes: 0 done, 1 there is no such finding, or it cannot be done with it,\n"
          "2 usage, 3 error.\n",
          out);
}

/* What is done with each finding. */
typedef pare_status (*change_one)(const pare_arguments *arguments, pare_store *store, int64_t id,
                                  pare_error *err);

/* Does it with the first `n` operands, and says "finding N DONE" of each.  The first
 * failure ends it; what was done before it stays, and was told. */
static pare_exit each(const char *command, const pare_arguments *arguments, size_t n,
                      change_one act, const char *done)
{
    pare_error err = {0};
    pare_store *store = NULL;
    if (!n) {
        pare_report(command, "ID is missing: 'pare fuzz list' shows them");
        return PARE_EXIT_USAGE;
    }
    /* A store that is not there is not made: nothing could be done with its findings. */
    pare_status status = pare_store_choice_open(arguments, OPT_STORE, &store, &err);
    for (size_t i = 0; i < n && !status; i++) {
        int64_t id = 0;
        status = pare_store_choice_id(arguments->operands[i], &id, &err);
        if (!status) status = act(arguments, store, id, &err);
        if (!status && !pare_options_given(arguments, OPT_QUIET))
            printf("finding %lld %s\n", (long long)id, done);
    }
    pare_store_close(store);
    return status ? pare_report_failure(command, &err) : pare_report_printed(command);
}

/* ---- mark -------------------------------------------------------------------------- */

static void print_mark_help(FILE *out, pare_help_extent extent)
{
    print_help(out, extent, COMMAND_MARK,
               "usage: pare fuzz mark ID... [--as STATE] [--note TEXT] [--url URL]\n"
               "\n"
               "Changes what people may know better: the state of findings, their title, a note,\n"
               "where they were reported.  A state lasts until a job changes it: a finding that\n"
               "is marked as fixed and is found again becomes regressed.\n"
               "\n"
               "    pare fuzz mark 3 --as reported --url https://example.org/issues/17\n"
               "\n");
}

/* What was not given is NULL, and stays as it is. */
static pare_status mark(const pare_arguments *arguments, pare_store *store, int64_t id,
                        pare_error *err)
{
    const pare_finding_edit edit = {
        .note = arguments->values[OPT_NOTE].text,
        .url = arguments->values[OPT_URL].text,
        .title = arguments->values[OPT_TITLE].text,
        .set_state = pare_options_given(arguments, OPT_AS),
        .state = (pare_finding_state)arguments->values[OPT_AS].number,
    };
    return pare_store_edit(store, id, &edit, err);
}

/* Runs `mark` on each operand.  Without anything to change, the command would say "is
 * marked" of findings that are as they were. */
static pare_exit run_mark(const pare_arguments *arguments)
{
    if (!pare_options_given(arguments, OPT_AS) && !pare_options_given(arguments, OPT_NOTE) &&
        !pare_options_given(arguments, OPT_URL) && !pare_options_given(arguments, OPT_TITLE)) {
        pare_report(MARK, "nothing to change: give --as, --note, --url or --title");
        return PARE_EXIT_USAGE;
    }
    return each(MARK, arguments, arguments->n_operands, mark, "is marked");
}

const pare_command pare_command_fuzz_mark = {
    .title = MARK,
    .name = "mark",
    .summary = "change the state of a finding, its title, a note",
    .options = {options, N_OPTS, COMMAND_MARK},
    .help = print_mark_help,
    .run = run_mark,
};

/* ---- merge, split, delete ---------------------------------------------------------- */

static void print_merge_help(FILE *out, pare_help_extent extent)
{
    print_help(out, extent, COMMAND_MERGE,
               "usage: pare fuzz merge ID... INTO\n"
               "\n"
               "Makes findings a part of another one: they are counted with it, and listed only\n"
               "by 'pare fuzz list --state merged'. 'pare fuzz split' undoes it.  Findings with\n"
               "the same reduced input are merged automatically.\n"
               "\n"
               "    pare fuzz merge 7 9 3\n"
               "\n");
}

/* The last operand is what the others are merged into.  It is read for each of them, so
 * a wrong one is refused before anything has changed. */
static pare_status merge(const pare_arguments *arguments, pare_store *store, int64_t id,
                         pare_error *err)
{
    int64_t into = 0;
    const char *last = arguments->operands[arguments->n_operands - 1];
    pare_status status = pare_store_choice_id(last, &into, err);
    return status ? status : pare_store_merge(store, id, into, err);
}

/* Two at least, since the last is not merged itself. */
static pare_exit run_merge(const pare_arguments *arguments)
{
    if (arguments->n_operands < 2) {
        pare_report(MERGE, "two numbers are needed: pare fuzz merge ID... INTO");
        return PARE_EXIT_USAGE;
    }
    return each(MERGE, arguments, arguments->n_operands - 1, merge, "is merged");
}

const pare_command pare_command_fuzz_merge = {
    .title = MERGE,
    .name = "merge",
    .summary = "make findings a part of another one",
    .options = {options, N_OPTS, COMMAND_MERGE},
    .help = print_merge_help,
    .run = run_merge,
};

static void print_split_help(FILE *out, pare_help_extent extent)
{
    print_help(out, extent, COMMAND_SPLIT,
               "usage: pare fuzz split ID...\n"
               "\n"
               "Makes merged findings separate again, in the state they had.  They are not\n"
               "merged automatically again.\n"
               "\n"
               "    pare fuzz split 7\n"
               "\n");
}

static pare_status split(const pare_arguments *arguments, pare_store *store, int64_t id,
                         pare_error *err)
{
    (void)arguments;
    return pare_store_split(store, id, err);
}

static pare_exit run_split(const pare_arguments *arguments)
{
    return each(SPLIT, arguments, arguments->n_operands, split, "is one of its own");
}

const pare_command pare_command_fuzz_split = {
    .title = SPLIT,
    .name = "split",
    .summary = "undo a merge",
    .options = {options, N_OPTS, COMMAND_SPLIT},
    .help = print_split_help,
    .run = run_split,
};

/* It says what goes with a finding, since nothing brings that back. */
static void print_delete_help(FILE *out, pare_help_extent extent)
{
    print_help(out, extent, COMMAND_DELETE,
               "usage: pare fuzz delete ID...\n"
               "\n"
               "Forgets findings, with their inputs, jobs and history, and those that were\n"
               "merged into them.  This cannot be undone.  If such a failure is found again, it\n"
               "is a new finding.\n"
               "\n"
               "    pare fuzz delete 7\n"
               "\n");
}

static pare_status delete_one(const pare_arguments *arguments, pare_store *store, int64_t id,
                              pare_error *err)
{
    (void)arguments;
    return pare_store_delete(store, id, err);
}

static pare_exit run_delete(const pare_arguments *arguments)
{
    /* Each is told, so that it is known how far it came if one of them is not there. */
    return each(DELETE, arguments, arguments->n_operands, delete_one, "is deleted");
}

const pare_command pare_command_fuzz_delete = {
    .title = DELETE,
    .name = "delete",
    .summary = "forget findings",
    .options = {options, N_OPTS, COMMAND_DELETE},
    .help = print_delete_help,
    .run = run_delete,
};

/* ---- export, import ---------------------------------------------------------------- */

static void print_export_help(FILE *out, pare_help_extent extent)
{
    print_help(out, extent, COMMAND_EXPORT,
               "usage: pare fuzz export [ID...] -o FOLDER\n"
               "\n"
               "Writes findings, by default all, as FOLDER/findings.jsonl, one JSON object a\n"
               "line, with their inputs and configurations as files beside it.\n"
               "\n"
               "    pare fuzz export 3 7 -o for-alice\n"
               "\n");
}

/* All numbers are read before anything is written; without any, all findings are
 * exported. */
static pare_status export_ids(const pare_arguments *arguments, pare_store *store, pare_error *err)
{
    const size_t n = arguments->n_operands;
    pare_status status = PARE_OK;
    int64_t *ids = pare_alloc(n, sizeof *ids);
    if (!ids) return pare_fail_nomem(err);
    for (size_t i = 0; i < n && !status; i++)
        status = pare_store_choice_id(arguments->operands[i], &ids[i], err);
    if (!status) status = pare_store_export(store, ids, n, arguments->values[OPT_OUTPUT].text, err);
    pare_alloc_free(ids);
    return status;
}

/* The folder has no default, as it is meant for somebody else. */
static pare_exit run_export(const pare_arguments *arguments)
{
    pare_error err = {0};
    pare_store *store = NULL;
    char shown[SHOWN_BYTES];
    /* Looked at before the store is opened: a command that is wrong needs none. */
    if (!pare_options_given(arguments, OPT_OUTPUT)) {
        pare_report(EXPORT, "-o is missing: pare fuzz export [ID...] -o FOLDER");
        return PARE_EXIT_USAGE;
    }
    pare_status status = pare_store_choice_open(arguments, OPT_STORE, &store, &err);
    if (!status) status = export_ids(arguments, store, &err);
    pare_store_close(store);
    if (status) return pare_report_failure(EXPORT, &err);
    if (!pare_options_given(arguments, OPT_QUIET))
        printf("written to %s\n",
               pare_format_name(shown, sizeof shown, arguments->values[OPT_OUTPUT].text));
    return pare_report_printed(EXPORT);
}

const pare_command pare_command_fuzz_export = {
    .title = EXPORT,
    .name = "export",
    .summary = "write findings into a folder",
    .options = {options, N_OPTS, COMMAND_EXPORT},
    .help = print_export_help,
    .run = run_export,
};

static void print_import_help(FILE *out, pare_help_extent extent)
{
    print_help(out, extent, COMMAND_IMPORT,
               "usage: pare fuzz import FOLDER...\n"
               "\n"
               "Reads folders that 'pare fuzz export' wrote.  A finding that the store already\n"
               "has is completed; reading the same folder again changes nothing.  A damaged\n"
               "folder is refused as a whole.  With --store, the store is created if it is\n"
               "missing.\n"
               "\n"
               "    pare fuzz import from-bob --store ours.pare.db\n"
               "\n");
}

/* Only here a store that is named and missing is made: it is as good as any to import into. */
static pare_status open_for_import(const pare_arguments *arguments, pare_store **store,
                                   pare_error *err)
{
    if (!pare_options_given(arguments, OPT_STORE))
        return pare_store_choice_open(arguments, OPT_STORE, store, err);
    return pare_store_open(arguments->values[OPT_STORE].text, true, store, err);
}

/* Each folder is imported as a whole or not at all; those before one that is refused
 * stay. */
static pare_exit run_import(const pare_arguments *arguments)
{
    pare_error err = {0};
    pare_store *store = NULL;
    char shown[SHOWN_BYTES];
    if (!arguments->n_operands) {
        pare_report(IMPORT, "FOLDER is missing: pare fuzz import FOLDER...");
        return PARE_EXIT_USAGE;
    }
    pare_status status = open_for_import(arguments, &store, &err);
    for (size_t i = 0; i < arguments->n_operands && !status; i++) {
        uint64_t n_new = 0, n_known = 0;
        status = pare_store_import(store, arguments->operands[i], &n_new, &n_known, &err);
        if (!status && !pare_options_given(arguments, OPT_QUIET))
            printf("%s: %llu new, %llu known\n",
                   pare_format_name(shown, sizeof shown, arguments->operands[i]),
                   (unsigned long long)n_new, (unsigned long long)n_known);
    }
    pare_store_close(store);
    return status ? pare_report_failure(IMPORT, &err) : pare_report_printed(IMPORT);
}

const pare_command pare_command_fuzz_import = {
    .title = IMPORT,
    .name = "import",
    .summary = "read findings from a folder",
    .options = {options, N_OPTS, COMMAND_IMPORT},
    .help = print_import_help,
    .run = run_import,
};
