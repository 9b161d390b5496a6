/* pare history OUTPUT [show N | diff N [M] | restore N [-o FILE]]
 *
 * Lists the bests of a reduction, or prints, compares or writes them, from the file that the
 * reduction has left (<pare/history.h>).  There is one table of actions.  OUTPUT comes before the
 * action, because it stays the same from one command to the next.
 *
 * A damaged file causes a warning, and its readable part is shown.  Invariant: existing files are
 * never replaced. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <pare/pare.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "base/nearest.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/paths.h"
#include "cli/report.h"
#include "ui/format.h"

static const char NAME[] = "pare history";

/* Indices of `options`, in the order of the help; the bit of this command; room for a
 * name in a message. */
enum { OPT_OUTPUT, OPT_JSON, OPT_QUIET, OPT_HELP, N_OPTS, COMMAND = 1, SHOWN_BYTES = 400 };

static const pare_option options[N_OPTS] = {
    [OPT_OUTPUT] = {"output", 'o', PARE_OPTION_TEXT, COMMAND, .value = "FILE",
                    .help = "for restore: where to write; default NAME.stepN.EXT beside OUTPUT"},
    [OPT_JSON] = {"json", 0, PARE_OPTION_FLAG, COMMAND, .help = "print the list as JSON"},
    [OPT_QUIET] = {"quiet", 'q', PARE_OPTION_FLAG, COMMAND, .help = "print only errors"},
    [OPT_HELP] = {"help", 'h', PARE_OPTION_FLAG, COMMAND, .word = "all", .help = "print this help"},
};

static void print_help(FILE *out, pare_help_extent extent)
{
    fputs("usage: pare history OUTPUT [--json]\n"
          "       pare history OUTPUT show N\n"
          "       pare history OUTPUT diff N [M]\n"
          "       pare history OUTPUT restore N [-o FILE]\n"
          "\n"
          "Shows what 'pare reduce' found on its way to the result OUTPUT: each best\n"
          "version, from step 0, the input, to the last.  Without a word after OUTPUT it\n"
          "lists them; 'show' prints one; 'diff' shows what changed from step N to step M,\n"
          "or in step N; 'restore' writes one to a new file or folder.  'last' stands for\n"
          "the number of the last step.\n"
          "\n"
          "The history is in the folder OUTPUT.pare/, unless the reduction ran with\n"
          "--no-history; OUTPUT may also be that folder or the one of --journal.\n"
          "\n"
          "    pare history small.c\n"
          "    pare history small.c diff 3\n"
          "    pare history small.c restore 3 -o earlier.c\n"
          "\n",
          out);
    pare_options_print_help(out, options, N_OPTS, COMMAND, extent);
    fputs("\n"
          "Exit codes: 0 done, 1 there is no history of OUTPUT, 2 usage, 3 error.\n",
          out);
}

/* What is asked for. */
struct request {
    const char *path;   /* OUTPUT */
    size_t step, other; /* N and M, or what N was made of */
    const char *output; /* of --output; NULL: not given */
    bool is_quiet, is_json;
    pare_history *history;
};

/* What can be asked for after OUTPUT. */
struct action {
    const char *name;
    size_t least, most; /* step numbers after it */
    pare_status (*run)(const struct request *request, pare_error *err);
};

/* ---- the list ------------------------------------------------------------------------------- */

/* One line, below 80 columns but for names of phases that are longer than any of ours:
 * number, bytes, the test that found it, when, and in which phase.  A step that was not
 * made of the one before it says of which. */
static void print_step(size_t n, const pare_history_step *step)
{
    char bytes[PARE_FORMAT_BYTES], tests[PARE_FORMAT_BYTES], time[PARE_FORMAT_BYTES], phase[64];
    printf("%6zu %14s %10s %14s  %s", n, pare_format_count(bytes, step->size_bytes),
           pare_format_count(tests, step->test), n ? pare_format_duration(time, step->seconds) : "",
           n ? pare_format_name(phase, sizeof phase, step->phase) : "the input");
    if (n && step->from + 1 != n) printf("  from %zu", step->from);
    if (step->has_left_out) printf("  (others before it left out)");
    printf("\n");
}

/* The list as an array of {n, from, tests, seconds, bytes, phase}; a phase that is no
 * UTF-8 is null.  It is printed when it is whole. */
static pare_status list_json(const struct request *request, pare_error *err)
{
    pare_history_step step;
    json_t *steps = json_array();
    bool whole = steps != NULL;
    for (size_t n = 0; whole && pare_history_step_at(request->history, n, &step); n++) {
        json_t *phase = json_string(step.phase);
        json_t *item = json_pack("{s:I, s:I, s:I, s:f, s:I, s:o}", "n", (json_int_t)n, "from",
                                 (json_int_t)step.from, "tests", (json_int_t)step.test, "seconds",
                                 step.seconds, "bytes", (json_int_t)step.size_bytes, "phase",
                                 phase ? phase : json_null());
        /* A failed member leaves no item, and with it the list is not whole. */
        whole = item && json_array_append_new(steps, item) == 0;
    }
    if (whole) {
        (void)json_dumpf(steps, stdout, JSON_REAL_PRECISION(9)); /* told by pare_report_printed */
        printf("\n");
    }
    json_decref(steps);
    return whole ? PARE_OK : pare_fail_nomem(err);
}

/* Steps are numbered from 0, the input; the first number without a step ends the list. */
static pare_status list(const struct request *request, pare_error *err)
{
    pare_history_step step;
    if (request->is_json) return list_json(request, err);
    printf("%6s %14s %10s %14s  %s\n", "step", "bytes", "test", "after", "phase");
    for (size_t n = 0; pare_history_step_at(request->history, n, &step); n++)
        print_step(n, &step);
    return PARE_OK;
}

/* ---- one step ------------------------------------------------------------------------------- */

/* Prints the bytes as they are, for a pipe or a file. */
static pare_status show(const struct request *request, pare_error *err)
{
    const char *bytes;
    size_t size;
    pare_status status = pare_history_text(request->history, request->step, &bytes, &size, err);
    /* Whatever fails then is told by pare_report_printed. */
    if (!status) (void)fwrite(bytes, 1, size, stdout);
    return status;
}

/* Prints the lines that differ, as diff -u does. */
static pare_status diff(const struct request *request, pare_error *err)
{
    const char *text;
    size_t size;
    pare_status status =
        pare_history_diff(request->history, request->step, request->other, &text, &size, err);
    if (!status) (void)fwrite(text, 1, size, stdout);
    return status;
}

/* Where `restore` writes: the name that was given, or that of OUTPUT, marked:
 * small.step3.c for step 3 of small.c.  Slashes at the end of a folder's name do not
 * count. */
static pare_status name_output(const struct request *request, pare_buffer *name, pare_error *err)
{
    char mark[32];
    pare_buffer path = {0};
    size_t size = strlen(request->path);
    /* A name of the user's is taken as it is. */
    if (request->output) return pare_buffer_text(name, request->output, err);
    while (size > 1 && request->path[size - 1] == '/')
        size--;
    (void)snprintf(mark, sizeof mark, "step%zu", request->step);
    pare_status status = pare_buffer_add(&path, request->path, size, err);
    if (!status) status = pare_paths_mark(name, path.data, mark, err);
    pare_buffer_done(&path);
    return status;
}

/* The library refuses to write where something is, whatever the name. */
static pare_status restore(const struct request *request, pare_error *err)
{
    pare_buffer name = {0};
    char shown[SHOWN_BYTES];
    pare_status status = name_output(request, &name, err);
    if (!status) status = pare_history_restore(request->history, request->step, name.data, err);
    if (!status && !request->is_quiet)
        printf("step %zu is in %s\n", request->step,
               pare_format_name(shown, sizeof shown, name.data));
    pare_buffer_done(&name);
    return status;
}

/* ---- the command line ------------------------------------------------------------------------- */

/* The first is what is done without a word. */
static const struct action actions[] = {
    {"list", 0, 0, list}, {"show", 1, 1, show}, {"diff", 1, 2, diff}, {"restore", 1, 1, restore}};
enum { N_ACTIONS = sizeof actions / sizeof *actions };

/* Finds the action of this name.  NULL: there is none, which is said, with the one that
 * it may be a slip for. */
static const struct action *find_action(const char *name)
{
    char shown[SHOWN_BYTES], hint[PARE_NEAREST_HINT_BYTES];
    pare_nearest nearest = pare_nearest_of(name);
    for (size_t i = 0; i < N_ACTIONS; i++) {
        if (strcmp(actions[i].name, name) == 0) return &actions[i];
        pare_nearest_offer(&nearest, actions[i].name);
    }
    pare_nearest_hint(&nearest, "", hint);
    pare_report(NAME, "unknown action '%s'%s", pare_format_name(shown, sizeof shown, name),
                *hint ? hint : ": pare history OUTPUT [show|diff|restore N]");
    return NULL;
}

/* Reads a number from 0 to that of the last step, or "last" for that.  A history has
 * one step at least, the input. */
static pare_status read_step(const char *text, const pare_history *history, size_t *step,
                             pare_error *err)
{
    uint64_t number;
    char shown[SHOWN_BYTES];
    const size_t last = pare_history_steps(history) - 1;
    *step = last;
    if (strcmp(text, "last") == 0) return PARE_OK;
    if (!pare_options_read_whole(text, &number))
        return pare_fail(err, PARE_E_ARG, "'%s' is not the number of a step",
                         pare_format_name(shown, sizeof shown, text));
    if (number > last)
        return pare_fail(err, PARE_E_ARG, "there is no step %s: the last one is %zu", text, last);
    *step = (size_t)number;
    return PARE_OK;
}

/* Reads the numbers after the action into `step` and `other`.  With one number `other`
 * is that step, and `step` what it was made of: what one step has changed is the way to
 * it from there.  Without a number both are 0, and nothing asks for them. */
static pare_status read_steps(const pare_arguments *arguments, struct request *request,
                              pare_error *err)
{
    const char *const *numbers = arguments->operands + 2;
    const size_t n = arguments->n_operands > 2 ? arguments->n_operands - 2 : 0;
    pare_history_step step;
    pare_status status = PARE_OK;
    if (n) status = read_step(numbers[0], request->history, &request->step, err);
    request->other = request->step;
    /* The second of two numbers is the newer side. */
    if (!status && n > 1) status = read_step(numbers[1], request->history, &request->other, err);
    if (!status && n == 1 && pare_history_step_at(request->history, request->step, &step))
        request->step = step.from;
    return status;
}

/* Does what is asked for, with the history open. */
static pare_exit act(const struct action *action, const pare_arguments *arguments,
                     struct request *request)
{
    pare_error err = {0};
    pare_status status = read_steps(arguments, request, &err);
    const char *damage = pare_history_damage(request->history);
    /* Damage is told before what could be read of it. */
    if (!status && damage) pare_report(NAME, "warning: %s", damage);
    /* Only a difference is about two. */
    if (!status && action->run != diff) request->step = request->other;
    if (!status) status = action->run(request, &err);
    return status ? pare_report_failure(NAME, &err) : pare_report_printed(NAME);
}

/* Finds the action and checks its operands before the history is opened, so that a wrong command
 * line is reported as such, even if OUTPUT has no history. */
static pare_exit history(const pare_arguments *arguments)
{
    const size_t n = arguments->n_operands;
    struct request request = {.output = arguments->values[OPT_OUTPUT].text,
                              .is_quiet = pare_options_given(arguments, OPT_QUIET),
                              .is_json = pare_options_given(arguments, OPT_JSON)};
    pare_error err = {0};
    if (!n) {
        pare_report(NAME, "OUTPUT is missing: pare history OUTPUT [show|diff|restore N]");
        return PARE_EXIT_USAGE;
    }
    request.path = arguments->operands[0];
    /* OUTPUT alone asks for the list. */
    const struct action *action = n == 1 ? &actions[0] : find_action(arguments->operands[1]);
    if (!action) return PARE_EXIT_USAGE;
    if (request.is_json && action->run != list) {
        pare_report(NAME, "--json is for the list: pare history OUTPUT --json");
        return PARE_EXIT_USAGE;
    }
    /* Without an action there are no operands behind it. */
    const size_t n_steps = n > 2 ? n - 2 : 0;
    if (n_steps < action->least || n_steps > action->most) {
        pare_report(NAME, "%s: pare history OUTPUT %s",
                    n_steps < action->least ? "the number of a step is missing"
                                            : "there are too many operands",
                    action->run == list   ? "list"
                    : action->run == diff ? "diff N [M]"
                    : action->run == show ? "show N"
                                          : "restore N [-o FILE]");
        return PARE_EXIT_USAGE;
    }
    if (pare_history_open(request.path, &request.history, &err))
        return pare_report_failure(NAME, &err);
    const pare_exit code = act(action, arguments, &request);
    pare_history_close(request.history);
    return code;
}

const pare_command pare_command_history = {
    .title = NAME,
    .name = "history",
    .summary = "list, show, compare and restore earlier results",
    .options = {options, N_OPTS, COMMAND},
    .help = print_help,
    .run = history,
};
