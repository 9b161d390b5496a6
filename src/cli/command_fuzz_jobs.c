/* pare fuzz reduce ID...,  pare fuzz validate [ID...],  pare fuzz update [TARGET...]
 * pare fuzz bisect ID [--versions FILE]
 *
 * The commands that request jobs.  While a campaign runs on the store, its coordinator runs them,
 * and the command ends at once; otherwise they run here, one after the other, and each result is
 * printed.  Jobs that a job itself requests, as an update requests validations, run here too. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <pare/campaign.h>
#include <pare/findings.h>
#include <pare/stop.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/vector.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/signals.h"
#include "cli/store_choice.h"
#include "ui/format.h"

static const char REDUCE[] = "pare fuzz reduce", VALIDATE[] = "pare fuzz validate",
                  UPDATE[] = "pare fuzz update", BISECT[] = "pare fuzz bisect";

/* A bit for each command, by which options say which of them know them; then room for a
 * name or line that is shown. */
enum {
    COMMAND_REDUCE = 1,
    COMMAND_VALIDATE = 2,
    COMMAND_UPDATE = 4,
    COMMAND_BISECT = 8,
    ALL = 15,
    SHOWN_BYTES = 300
};
/* In the order of the help. */
enum { OPT_STORE, OPT_VERSIONS, OPT_QUIET, OPT_HELP, N_OPTS };

static const pare_option options[N_OPTS] = {
    [OPT_STORE] = {"store", 0, PARE_OPTION_TEXT, ALL, .value = "FILE",
                   .help = "the store; default: the NAME.pare.db in the current folder"},
    [OPT_VERSIONS] = {"versions", 0, PARE_OPTION_TEXT, COMMAND_BISECT, .value = "FILE",
                      .help = "a list to use instead of the target's: NAME COMMAND, one a line, "
                              "the oldest first"},
    [OPT_QUIET] = {"quiet", 'q', PARE_OPTION_FLAG, ALL, .help = "print only errors"},
    [OPT_HELP] = {"help", 'h', PARE_OPTION_FLAG, ALL, .word = "all", .help = "print this help"},
};

/* What the commands have in common of their help; `text` is the usage and what is
 * particular. */
static void print_help(FILE *out, pare_help_extent extent, unsigned command, const char *text)
{
    fputs(text, out);
    fputs("If a campaign is running on the store, it does this with its other jobs;\n"
          "otherwise it is done now.\n"
          "\n",
          out);
    pare_options_print_help(out, options, N_OPTS, command, extent);
    fputs("\nExit codes: 0 done, or asked for, 1 there is no such finding or target, or it\n"
          "cannot be done with it, 2 usage, 3 error, 130 interrupted.\n",
          out);
}

/* ---- asking --------------------------------------------------------------------------- */

/* What is asked for, and who does it. */
struct asking {
    const char *command; /* "pare fuzz reduce" */
    pare_job_kind kind;
    pare_store *store;
    char *path;      /* owned; of the store */
    bool is_running; /* a campaign does it */
    bool is_quiet;
    const char *detail; /* borrowed; of the jobs */
    pare_stop *stop;
    pare_exit code; /* so far */
};

/* The job that is looked for, by its number, and what the store says of it after it was
 * done. */
struct look {
    int64_t id;
    pare_job_state state;
    char line[SHOWN_BYTES];
};

/* A callback of pare_store_jobs.  Other jobs are passed over; the search goes on to its
 * end, since the store calls it once for each. */
static pare_status look_at(void *context, const pare_job *job, pare_error *err)
{
    struct look *look = context;
    (void)err;
    if (job->id != look->id) return PARE_OK;
    look->state = job->state;
    (void)pare_format_name(look->line, sizeof look->line, job->progress);
    return PARE_OK;
}

/* Prints whom a line is about, without its end: "finding 3", or "target 'jq'".
 * Nothing, where only errors are printed. */
static void print_subject(const struct asking *asking, int64_t finding, const char *target)
{
    char shown[SHOWN_BYTES];
    if (asking->is_quiet) return;
    if (finding)
        printf("finding %lld", (long long)finding);
    else
        printf("target '%s'", pare_format_name(shown, sizeof shown, target));
}

/* Does job `id` here, and prints what came of it.  That it fails is told, and the
 * others go on; *err is for what concerns them all: an interrupt, no memory, a store
 * that cannot be read. */
static pare_status do_here(struct asking *asking, int64_t id, int64_t finding, const char *target,
                           pare_error *err)
{
    pare_error failed = {0};
    struct look look = {.id = id};
    /* -1: nobody waits to be woken when the store changes. */
    pare_status status = pare_campaign_do_job(asking->path, id, -1, asking->stop, &failed);
    /* The next job would end in the same way. */
    if (status == PARE_E_INTERRUPTED || status == PARE_E_NOMEM) {
        *err = failed;
        return status;
    }
    if (status) {
        (void)pare_report_failure(asking->command, &failed);
        asking->code =
            status == PARE_E_STATE || status == PARE_E_ARG ? PARE_EXIT_NOTHING : PARE_EXIT_ERROR;
        return PARE_OK;
    }
    /* All jobs, also the ended ones, without a limit: this one has just ended. */
    status = pare_store_jobs(asking->store, true, 0, look_at, &look, err);
    print_subject(asking, finding, target);
    if (!status && !asking->is_quiet) printf(": %s\n", look.line);
    return status;
}

/* Asks for one job; `target` for an update, for which no finding is meant.  Without a
 * campaign it is done before this returns. */
static pare_status ask(struct asking *asking, int64_t finding, const char *target, pare_error *err)
{
    int64_t id = 0;
    pare_status status = pare_store_request(asking->store, asking->kind, finding,
                                            target ? target : asking->detail, &id, err);
    if (status) return status;
    /* The job is in the store from here on, whoever does it. */
    if (!asking->is_running) return do_here(asking, id, finding, target, err);
    print_subject(asking, finding, target);
    if (!asking->is_quiet) printf(": the campaign does it as job %lld\n", (long long)id);
    return PARE_OK;
}

/* A list of numbers that grows. */
struct ids {
    int64_t *items; /* owned */
    size_t n, capacity;
};

/* Appends one number. */
static pare_status add_id(struct ids *ids, int64_t id, pare_error *err)
{
    int64_t *items = pare_vector_grow(ids->items, ids->n, &ids->capacity, sizeof *items);
    if (!items) return pare_fail_nomem(err);
    ids->items = items;
    ids->items[ids->n++] = id;
    return PARE_OK;
}

/* A callback of pare_store_findings, which keeps the number alone. */
static pare_status add_finding(void *context, const pare_finding *finding, pare_error *err)
{
    return add_id(context, finding->id, err);
}

/* Findings by their numbers; without any, all of them.  All numbers are read before the
 * first job is asked for, so that a slip in the last one leaves nothing half done; and
 * all findings, as a job changes the store that they are read from. */
static pare_status ask_of_findings(struct asking *asking, const pare_arguments *arguments,
                                   pare_error *err)
{
    /* 0: all but merged ones, which are counted with the finding that they were merged
     * into. */
    const pare_finding_filter all = {.states = 0};
    struct ids ids = {0};
    pare_status status = PARE_OK;
    for (size_t i = 0; i < arguments->n_operands && !status; i++) {
        int64_t id = 0;
        status = pare_store_choice_id(arguments->operands[i], &id, err);
        if (!status) status = add_id(&ids, id, err);
    }
    if (!status && !arguments->n_operands)
        status = pare_store_findings(asking->store, &all, add_finding, &ids, err);
    for (size_t i = 0; i < ids.n && !status; i++)
        status = ask(asking, ids.items[i], NULL, err);
    pare_alloc_free(ids.items);
    return status;
}

/* ---- updates --------------------------------------------------------------------------- */

/* The only target that was ever tested, for users who name none. */
struct only_target {
    char *name; /* owned */
    bool several;
};

/* A callback of pare_store_statistics_each, which visits each target once for each of
 * its sources. */
static pare_status see_target(void *context, const pare_store_statistics *row, pare_error *err)
{
    struct only_target *only = context;
    if (only->name) {
        only->several = only->several || strcmp(only->name, row->target) != 0;
        return PARE_OK;
    }
    only->name = pare_alloc_text(row->target, strlen(row->target));
    return only->name ? PARE_OK : pare_fail_nomem(err);
}

/* Asks for an update of the target that must be meant. */
static pare_status ask_of_only_target(struct asking *asking, pare_error *err)
{
    struct only_target only = {0};
    /* Only targets that were tested are known to a store. */
    pare_status status = pare_store_statistics_each(asking->store, see_target, &only, err);
    if (!status && (!only.name || only.several))
        status = pare_fail(err, PARE_E_ARG, "TARGET is missing: %s",
                           only.name ? "the campaign has several" : "none was tested yet");
    if (!status) status = ask(asking, 0, only.name, err);
    pare_alloc_free(only.name);
    return status;
}

/* A callback of pare_store_jobs: appends validations that wait, as an update orders
 * them, each as two numbers, the job's and the finding's. */
static pare_status add_waiting(void *context, const pare_job *job, pare_error *err)
{
    struct ids *ids = context;
    const bool waits = job->kind == PARE_JOB_VALIDATE && job->state == PARE_JOB_WAITING;
    pare_status status = waits ? add_id(ids, job->id, err) : PARE_OK;
    return status || !waits ? status : add_id(ids, job->finding, err);
}

/* Does what an update has left in the store for a campaign: the validations of its
 * findings. */
static pare_status do_ordered(struct asking *asking, pare_error *err)
{
    struct ids ids = {0}; /* a job, its finding, the next job, ... */
    pare_status status = pare_store_jobs(asking->store, false, 0, add_waiting, &ids, err);
    for (size_t i = 0; i + 1 < ids.n && !status; i += 2)
        status = do_here(asking, ids.items[i], ids.items[i + 1], NULL, err);
    pare_alloc_free(ids.items);
    return status;
}

/* Asks for an update of each target that is named, and without a campaign does what the
 * updates have ordered.
 * Updates of all targets come before the first validation, so a target that cannot be
 * updated is told of at once. */
static pare_status ask_of_targets(struct asking *asking, const pare_arguments *arguments,
                                  pare_error *err)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; i < arguments->n_operands && !status; i++)
        status = ask(asking, 0, arguments->operands[i], err);
    if (!arguments->n_operands) status = ask_of_only_target(asking, err);
    if (!status && !asking->is_running) status = do_ordered(asking, err);
    return status;
}

/* ---- the commands ----------------------------------------------------------------------- */

/* Asks for all jobs of a command; see ask_of_findings and ask_of_targets. */
typedef pare_status (*ask_all)(struct asking *asking, const pare_arguments *arguments,
                               pare_error *err);

/* Opens what is needed, asks by `act`, and closes it.  Signals are taken only while
 * jobs may run.  A job that failed does not end the command, but decides its exit code. */
static pare_exit run(const char *command, pare_job_kind kind, const pare_arguments *arguments,
                     const char *detail, ask_all act)
{
    pare_error err = {0};
    struct asking asking = {.command = command,
                            .kind = kind,
                            .detail = detail,
                            .is_quiet = pare_options_given(arguments, OPT_QUIET),
                            .code = PARE_EXIT_DONE};
    int64_t since;
    pare_status status = pare_store_choice_read(arguments, OPT_STORE, &asking.path, &err);
    if (!status) status = pare_store_open(asking.path, false, &asking.store, &err);
    /* Whether a campaign runs is looked at once, before the first job: each is then
     * done by the same one. */
    if (!status) status = pare_store_is_running(asking.store, &asking.is_running, &since, &err);
    if (!status) status = pare_stop_new(&asking.stop, &err);
    if (!status) {
        pare_signals_take(asking.stop);
        status = act(&asking, arguments, &err);
        pare_signals_leave();
    }
    pare_stop_free(asking.stop);
    pare_store_close(asking.store);
    pare_alloc_free(asking.path);
    /* The failure of the whole command comes before those of single jobs, which were
     * told. */
    if (status) return pare_report_failure(command, &err);
    const pare_exit printed = pare_report_printed(command);
    return asking.code == PARE_EXIT_DONE ? printed : asking.code;
}

/* A command for all findings would be too easy to ask for by mistake. */
static pare_exit refuse_without_id(const char *command)
{
    pare_report(command, "ID is missing: 'pare fuzz list' shows them");
    return PARE_EXIT_USAGE;
}

static void print_reduce_help(FILE *out, pare_help_extent extent)
{
    print_help(out, extent, COMMAND_REDUCE,
               "usage: pare fuzz reduce ID...\n"
               "\n"
               "Reduces the inputs of findings, as a campaign does with each new one.  The\n"
               "finding stays the same; other failures on the way become findings.\n"
               "\n");
}

static pare_exit run_reduce(const pare_arguments *arguments)
{
    if (!arguments->n_operands) return refuse_without_id(REDUCE);
    return run(REDUCE, PARE_JOB_REDUCE, arguments, NULL, ask_of_findings);
}

const pare_command pare_command_fuzz_reduce = {
    .title = REDUCE,
    .name = "reduce",
    .summary = "reduce the inputs of findings",
    .options = {options, N_OPTS, COMMAND_REDUCE},
    .help = print_reduce_help,
    .run = run_reduce,
};

static void print_validate_help(FILE *out, pare_help_extent extent)
{
    print_help(out, extent, COMMAND_VALIDATE,
               "usage: pare fuzz validate [ID...]\n"
               "\n"
               "Runs the target on findings, by default on all, to see whether they still fail.\n"
               "One that does not is fixed if the target has another version now, otherwise\n"
               "invalid.  One that fails only sometimes is run more often, and its failure rate\n"
               "is kept.\n"
               "\n");
}

/* Without numbers all are validated, which is what is asked for after an update by
 * hand. */
static pare_exit run_validate(const pare_arguments *arguments)
{
    return run(VALIDATE, PARE_JOB_VALIDATE, arguments, NULL, ask_of_findings);
}

const pare_command pare_command_fuzz_validate = {
    .title = VALIDATE,
    .name = "validate",
    .summary = "check whether findings still fail",
    .options = {options, N_OPTS, COMMAND_VALIDATE},
    .help = print_validate_help,
    .run = run_validate,
};

static void print_update_help(FILE *out, pare_help_extent extent)
{
    print_help(out, extent, COMMAND_UPDATE,
               "usage: pare fuzz update [TARGET...]\n"
               "\n"
               "Runs the 'update' command of targets, and validates all their findings.  If\n"
               "there is only one target, it need not be named.\n"
               "\n");
}

static pare_exit run_update(const pare_arguments *arguments)
{
    return run(UPDATE, PARE_JOB_UPDATE, arguments, NULL, ask_of_targets);
}

const pare_command pare_command_fuzz_update = {
    .title = UPDATE,
    .name = "update",
    .summary = "bring targets up to date, and validate their findings",
    .options = {options, N_OPTS, COMMAND_UPDATE},
    .help = print_update_help,
    .run = run_update,
};

/* Appends the whole text of a file to *list.  It is not looked at here: the job that
 * uses it reads it. */
static pare_status read_list(const char *path, pare_buffer *list, pare_error *err)
{
    char part[4096], shown[SHOWN_BYTES];
    FILE *file = fopen(path, "r");
    if (!file)
        return pare_fail_errno(err, errno, "%s", pare_format_name(shown, sizeof shown, path));
    pare_status status = PARE_OK;
    for (size_t n; !status && (n = fread(part, 1, sizeof part, file)) > 0;)
        status = pare_buffer_add(list, part, n, err);
    if (!status && ferror(file))
        status = pare_fail(err, PARE_E_IO, "cannot read %s",
                           pare_format_name(shown, sizeof shown, path));
    (void)fclose(file);
    return status;
}

static void print_bisect_help(FILE *out, pare_help_extent extent)
{
    print_help(out, extent, COMMAND_BISECT,
               "usage: pare fuzz bisect ID [--versions FILE]\n"
               "\n"
               "Finds the first version of a list that shows a finding, by a few runs of some of\n"
               "the versions.  Versions that cannot be run are skipped.\n"
               "\n");
}

/* The list goes along as text: a campaign that does the job may run in another folder. */
static pare_exit run_bisect(const pare_arguments *arguments)
{
    pare_buffer list = {0};
    pare_error err = {0};
    const char *path = arguments->values[OPT_VERSIONS].text;
    if (!arguments->n_operands) return refuse_without_id(BISECT);
    /* Without --versions the list is the target's own, which the job knows. */
    pare_status status = path ? read_list(path, &list, &err) : PARE_OK;
    pare_exit code = status ? pare_report_failure(BISECT, &err)
                            : run(BISECT, PARE_JOB_BISECT, arguments, list.data, ask_of_findings);
    pare_buffer_done(&list);
    return code;
}

const pare_command pare_command_fuzz_bisect = {
    .title = BISECT,
    .name = "bisect",
    .summary = "find the first version that shows a finding",
    .options = {options, N_OPTS, COMMAND_BISECT},
    .help = print_bisect_help,
    .run = run_bisect,
};
