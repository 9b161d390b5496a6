/* pare graph explore -o G.json [--never NAME]... -- ENGINE @@
 * pare graph learn G.json TEST.js... [-o NEW.json] -- ENGINE @@
 * pare graph weigh G.json NUMBERS -n N [--seed S] [-o NEW.json]
 * pare graph COMMAND ...
 *
 * The commands that make prototype graphs of script engines, and the list of the commands of
 * graphs; those that show graphs are in command_graph_show.c.  Findings, the places where an engine
 * dies, are reported on standard error, each with a script beside the graph that shows it.  They do
 * not make the command fail, since the graph was written.
 *
 * Exploring and learning run a user's program for minutes, so both stop at a signal; a command that
 * was stopped writes no graph. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pare/pare.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/vector.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/signals.h"
#include "ui/format.h"

static const char EXPLORE[] = "pare graph explore", LEARN[] = "pare graph learn",
                  WEIGH[] = "pare graph weigh";

/* Indices of `options`, in the order of the help. */
enum {
    OPT_OUTPUT,
    OPT_NEVER,
    OPT_TIMEOUT,
    OPT_MEMORY,
    OPT_NUMBER,
    OPT_SEED,
    OPT_MAX_DEPTH,
    OPT_MAX_CALLS,
    OPT_KEEP_VALUES,
    OPT_MOST,
    OPT_QUIET,
    OPT_HELP,
    N_OPTS
};
/* A bit for each command, by which options say which of them know them; room for a
 * line; columns of the list of names in the help. */
enum {
    COMMAND_EXPLORE = 1,
    COMMAND_LEARN = 2,
    COMMAND_WEIGH = 4,
    BOTH = COMMAND_EXPLORE | COMMAND_LEARN,
    ALL = BOTH | COMMAND_WEIGH,
    SHOWN_BYTES = 1024,
    LINE_COLUMNS = 77
};

/* One table for all commands of this file; each option says which of them knows it. */
static const pare_option options[N_OPTS] = {
    [OPT_OUTPUT] = {"output", 'o', PARE_OPTION_TEXT, ALL, .value = "G.json",
                    .help = "where to write the graph; default for 'learn' and 'weigh': the file "
                            "it was read from"},
    [OPT_NEVER] = {"never", 0, PARE_OPTION_TEXTS, COMMAND_EXPLORE, .value = "NAME",
                   .help = "do not visit properties of this name either (see the list below): "
                           "exit means in any object, this.load in the global one; may be "
                           "repeated"},
    [OPT_TIMEOUT] = {"timeout", 't', PARE_OPTION_TIME, BOTH, .value = "SECONDS",
                     .help = "time limit for a run of the engine; default 30"},
    [OPT_MEMORY] = {"memory", 0, PARE_OPTION_SIZE, BOTH, .value = "SIZE", .least = 1 << 20,
                    .help = "memory limit for each process of the engine; default: none"},
    [OPT_NUMBER] = {"number", 'n', PARE_OPTION_WHOLE, COMMAND_WEIGH, .value = "N", .least = 1,
                    .most = UINT32_MAX, .help = "how many tests were made"},
    [OPT_SEED] = {"seed", 0, PARE_OPTION_WHOLE, COMMAND_WEIGH, .value = "N", .most = UINT64_MAX,
                  .help = "the seed that they were made with; default 0"},
    [OPT_MAX_DEPTH] = {"max-depth", 0, PARE_OPTION_WHOLE, COMMAND_WEIGH, .value = "N", .least = 1,
                       .most = 1000000,
                       .help = "the limit that they were made with, if any; likewise:"},
    [OPT_MAX_CALLS] = {"max-calls", 0, PARE_OPTION_WHOLE, COMMAND_WEIGH, .value = "N", .least = 1,
                       .most = 1000000, .help = "see 'pare generate'"},
    [OPT_KEEP_VALUES] = {"keep-values", 0, PARE_OPTION_TEXT, COMMAND_WEIGH, .value = "P",
                         .help = "see 'pare generate'"},
    [OPT_MOST] = {"most", 0, PARE_OPTION_WHOLE, COMMAND_WEIGH, .value = "N", .least = 1,
                  .most = PARE_GRAPH_MAX_WEIGHT, .help = "largest weight; default 16"},
    [OPT_QUIET] = {"quiet", 'q', PARE_OPTION_FLAG, ALL, .help = "print only errors"},
    [OPT_HELP] = {"help", 'h', PARE_OPTION_FLAG, ALL, .word = "all", .help = "print this help"},
};

/* Prints the names that are never looked at, in lines of LINE_COLUMNS.  They come from
 * the library's own list, so that the help cannot be out of date. */
static void print_never(FILE *out)
{
    const char *name;
    size_t column = LINE_COLUMNS;
    for (size_t i = 0; (name = pare_graph_never_at(i)) != NULL; i++) {
        size_t size = strlen(name) + 1;
        bool breaks = column + size > LINE_COLUMNS;
        fputs(breaks ? "\n " : "", out);
        column = breaks ? size + 1 : column + size;
        fprintf(out, " %s", name);
    }
    fputs("\n", out);
}

/* The list of names is part of the help because a graph lacks them without a word. */
static void print_explore_help(FILE *out, pare_help_extent extent)
{
    fputs("usage: pare graph explore -o G.json [--never NAME]... -- ENGINE @@\n"
          "\n"
          "Explores the objects and functions of a script engine and writes them as a\n"
          "graph, from which 'pare generate --graph' makes tests and which 'pare graph\n"
          "show' shows.  The engine runs a script, whose path replaces @@.  A place that\n"
          "kills the engine is reported and left out; a script that shows it is written\n"
          "beside the graph.\n"
          "\n"
          "    pare graph explore -o mujs.json -- mujs @@\n"
          "\n",
          out);
    pare_options_print_help(out, options, N_OPTS, COMMAND_EXPLORE, extent);
    fputs("\nNot visited:", out);
    print_never(out);
    fputs("\nExit codes: 0 done, 1 the engine does not run the script, 2 usage, 3 error.\n", out);
}

static void print_learn_help(FILE *out, pare_help_extent extent)
{
    fputs("usage: pare graph learn G.json TEST.js... [-o NEW.json] -- ENGINE @@\n"
          "\n"
          "Runs tests in the engine, watches which arguments its functions get and what\n"
          "they return, and adds that to its graph.  Each test runs separately; describe,\n"
          "it, expect, assert and the like are defined and accept everything.  What a test\n"
          "shows before it fails, hangs or kills the engine is kept.\n"
          "\n"
          "    pare graph learn mujs.json tests/*.js -- mujs @@\n"
          "\n",
          out);
    pare_options_print_help(out, options, N_OPTS, COMMAND_LEARN, extent);
    fputs("\nExit codes: 0 done, 1 there was nothing new to learn, 2 usage, 3 error.\n", out);
}

/* The numbers of tests depend on how they were made, so the options of that have to be
 * given again. */
static void print_weigh_help(FILE *out, pare_help_extent extent)
{
    fputs("usage: pare graph weigh G.json NUMBERS -n N [--seed S] [-o NEW.json]\n"
          "\n"
          "Gives weights to the edges of a graph according to which tests were worthwhile:\n"
          "for example those that reached new lines, or those that failed.  NUMBERS is a\n"
          "file with the number of one such test on each line, counted from 0 as by 'pare\n"
          "generate'.  All N tests are made again.  Edges that are more frequent in\n"
          "worthwhile tests than in the others get a weight above 1, so walks take them\n"
          "more often.\n"
          "\n"
          "    pare generate --graph g.json -n 10000 --seed 1 > tests\n"
          "    pare graph weigh g.json worthwhile -n 10000 --seed 1\n"
          "\n",
          out);
    pare_options_print_help(out, options, N_OPTS, COMMAND_WEIGH, extent);
    fputs("\nExit codes: 0 done, 1 no edge stands out, 2 usage, 3 error.\n", out);
}

/* After a failure no graph is written, and one that was there stays as it was. */
static pare_exit fail(const char *command, const pare_error *err)
{
    pare_report_error(command, err);
    return pare_report_exit(err->status);
}

/* --- the engine ------------------------------------------------------------------------------ */

/* What the options say of the engine, whose words are the operands from `first` on.  The caller
 * releases *never, to which the options point. */
static pare_status read_engine(const pare_arguments *arguments, size_t first, const pare_stop *stop,
                               pare_engine_options *engine, const char ***never, pare_error *err)
{
    /* One more, so that a list of none has an address. */
    *never = pare_alloc(arguments->n_texts + 1, sizeof **never);
    if (!*never) return pare_fail_nomem(err);
    *engine = (pare_engine_options){.words = arguments->operands + first,
                                    .n_words = arguments->n_operands - first,
                                    .timeout_ms = arguments->values[OPT_TIMEOUT].number,
                                    .memory_bytes = arguments->values[OPT_MEMORY].number,
                                    .never = *never,
                                    .n_never = pare_options_texts(arguments, OPT_NEVER, *never),
                                    .stop = stop};
    return PARE_OK;
}

/* Has `act` done with signals that stop it.  Signals are taken for the time of the call only,
 * so that a second Ctrl-C after it ends the process as usual. */
static pare_exit run_stoppable(const pare_arguments *arguments, const char *command,
                               pare_exit (*act)(const pare_arguments *arguments,
                                                const pare_stop *stop))
{
    pare_error err = {0};
    pare_stop *stop = NULL;
    if (pare_stop_new(&stop, &err) != PARE_OK) return fail(command, &err);
    pare_signals_take(stop);
    pare_exit code = act(arguments, stop);
    pare_signals_leave();
    pare_stop_free(stop);
    return code;
}

/* --- explore --------------------------------------------------------------------------------- */

/* Writes the script that shows a finding to `path`.  Written as it was run, so that the
 * finding can be shown without pare. */
static pare_status write_script(const pare_graph_finding *finding, const char *path,
                                pare_error *err)
{
    FILE *file = fopen(path, "w");
    bool written = file && fputs(finding->script, file) >= 0;
    if (file && fclose(file)) written = false;
    return written ? PARE_OK : pare_fail(err, PARE_E_IO, "cannot write '%s'", path);
}

/* What the engine does, after "the engine": "ends with signal 11", "ends with exit code
 * 3", "does not end".  A time-out is no signal, although the engine was killed by one:
 * we sent it. */
static void describe_end(const pare_graph_finding *finding, char text[static SHOWN_BYTES])
{
    if (finding->timed_out)
        (void)snprintf(text, SHOWN_BYTES, "does not end");
    else
        (void)snprintf(text, SHOWN_BYTES, "ends with %s %d",
                       finding->signal ? "signal" : "exit code",
                       finding->signal ? finding->signal : finding->exit_code);
}

/* Tells of each finding, after its script has been written beside the graph as
 * GRAPH.1.js and so on, in the order in which they were found.
 * So a sentence never names a script that is not there. */
static pare_status tell_findings(const pare_graph_explored *explored, const char *output,
                                 pare_error *err)
{
    pare_buffer path = {0};
    pare_status status = PARE_OK;
    for (size_t i = 0; i < explored->n_findings && !status; i++) {
        char end[SHOWN_BYTES];
        const pare_graph_finding *finding = &explored->findings[i];
        pare_buffer_reset(&path);
        status = pare_buffer_format(&path, err, "%s.%zu.js", output, i + 1);
        if (!status) status = write_script(finding, path.data, err);
        if (status) break;
        describe_end(finding, end);
        pare_report(EXPLORE, "the engine %s when it looks at %s: %s shows that", end, finding->path,
                    path.data);
    }
    pare_buffer_done(&path);
    return status;
}

/* Findings come first: they are told even if the graph cannot be written.  An engine that
 * never came to the end has still shown what it has; a graph of that is of use, and the user
 * is told. */
static pare_exit keep_explored(const pare_graph_explored *explored, const char *output, bool quiet)
{
    pare_error err = {0};
    char shown[SHOWN_BYTES];
    const pare_graph *graph = explored->graph;
    pare_status status = tell_findings(explored, output, &err);
    if (!status) status = pare_graph_write(graph, output, &err);
    if (status) return fail(EXPLORE, &err);
    /* A graph of a part of the engine is of use, and looks like a whole one. */
    if (!explored->is_whole)
        pare_report(EXPLORE, "the engine never finished: the graph has what it showed until then");
    if (!quiet)
        printf("%s: %u types, %u signatures, %u edges; %u %s of the engine\n",
               pare_format_name(shown, sizeof shown, output), pare_graph_n_types(graph),
               pare_graph_n_signatures(graph), pare_graph_n_edges(graph), explored->n_runs,
               explored->n_runs == 1 ? "run" : "runs");
    return pare_report_printed(EXPLORE);
}

/* Explores with the engine that the options describe, and keeps what it showed.
 * What was found is released here, also when nothing could be kept. */
static pare_exit explore(const pare_arguments *arguments, const pare_stop *stop)
{
    pare_error err = {0};
    const char **never = NULL;
    pare_graph_explored explored = {0};
    pare_graph_explore_options wanted = {0};
    pare_status status = read_engine(arguments, 0, stop, &wanted.engine, &never, &err);
    if (!status) status = pare_graph_explore(&wanted, &explored, &err);
    pare_exit code = status ? fail(EXPLORE, &err)
                            : keep_explored(&explored, arguments->values[OPT_OUTPUT].text,
                                            arguments->values[OPT_QUIET].position != 0);
    pare_graph_explored_done(&explored);
    pare_alloc_free(never);
    return code;
}

/* An output has no default: a graph has no input that it could be named after. */
static pare_exit run_explore(const pare_arguments *arguments)
{
    if (!arguments->values[OPT_OUTPUT].position || !arguments->n_operands) {
        pare_report(EXPLORE, "%s: pare graph explore -o G.json -- ENGINE @@",
                    arguments->n_operands ? "-o is missing" : "the engine is missing");
        return PARE_EXIT_USAGE;
    }
    return run_stoppable(arguments, EXPLORE, explore);
}

const pare_command pare_command_graph_explore = {
    .title = EXPLORE,
    .name = "explore",
    .summary = "explore an engine and write its graph",
    .options = {options, N_OPTS, COMMAND_EXPLORE},
    .help = print_explore_help,
    .run = run_explore,
};

/* --- learn ----------------------------------------------------------------------------------- */

/* Tells what there is to tell of each test, and writes the graph if there is anything new.
 * The graph is written whole or not at all (pare_graph_write), and only if it changed, so that
 * a run without news does not touch its date. */
static pare_exit keep_learned(const pare_graph_learned *learned, const char *output, bool quiet)
{
    pare_error err = {0};
    char shown[SHOWN_BYTES];
    for (size_t i = 0; i < learned->n_lessons; i++)
        /* A test without trouble is counted below and needs no line. */
        if (learned->lessons[i].trouble && !quiet)
            pare_report(LEARN, "%s: %s", learned->lessons[i].path, learned->lessons[i].trouble);
    if (learned->is_other && !quiet)
        pare_report(LEARN, "the graph was made from another program than this engine: what that "
                           "does not have is not learned");
    /* The graph on disk is as good, so it is not written again. */
    if (!learned->n_signatures) {
        pare_report(LEARN, "there was nothing new to learn");
        return PARE_EXIT_NOTHING;
    }
    if (pare_graph_write(learned->graph, output, &err) != PARE_OK) return fail(LEARN, &err);
    if (!quiet)
        printf("%s: %zu new signatures from %zu %s\n",
               pare_format_name(shown, sizeof shown, output), learned->n_signatures,
               learned->n_lessons, learned->n_lessons == 1 ? "test" : "tests");
    return pare_report_printed(LEARN);
}

/* The operands before the dashes are the graph and the tests, those after them the
 * engine.  Without -o the graph is replaced by the larger one: learning adds and never
 * removes.
 * run_learn has seen to it that there are a graph, a test and an engine. */
static pare_exit learn(const pare_arguments *arguments, const pare_stop *stop)
{
    pare_error err = {0};
    pare_graph *graph = NULL;
    const char **never = NULL;
    pare_graph_learned learned = {0};
    size_t first = arguments->n_before_dashes;
    const char *output = arguments->values[OPT_OUTPUT].text;
    /* The first operand is the graph. */
    pare_graph_learn_options wanted = {.tests = arguments->operands + 1, .n_tests = first - 1};
    pare_status status = pare_graph_read(arguments->operands[0], &graph, &err);
    wanted.graph = graph;
    if (!status) status = read_engine(arguments, first, stop, &wanted.engine, &never, &err);
    if (!status) status = pare_graph_learn(&wanted, &learned, &err);
    pare_exit code = status ? fail(LEARN, &err)
                            : keep_learned(&learned, output ? output : arguments->operands[0],
                                           arguments->values[OPT_QUIET].position != 0);
    pare_graph_learned_done(&learned);
    pare_graph_free(graph);
    pare_alloc_free(never);
    return code;
}

/* The parts are asked for in the order in which they stand on the line: so one message
 * is enough, about the first that is missing. */
static pare_exit run_learn(const pare_arguments *arguments)
{
    size_t n = arguments->n_before_dashes;
    if (n < 2 || arguments->n_operands == n) {
        pare_report(LEARN, "%s: pare graph learn G.json TEST.js... -- ENGINE @@",
                    n == 0   ? "the graph is missing"
                    : n == 1 ? "the tests are missing"
                             : "the engine is missing");
        return PARE_EXIT_USAGE;
    }
    return run_stoppable(arguments, LEARN, learn);
}

const pare_command pare_command_graph_learn = {
    .title = LEARN,
    .name = "learn",
    .summary = "add to a graph what tests show about the engine",
    .options = {options, N_OPTS, COMMAND_LEARN},
    .help = print_learn_help,
    .run = run_learn,
};

/* --- weigh ----------------------------------------------------------------------------------- */

/* Reads a file of numbers, one on a line; empty lines and those that begin with "#" say
 * nothing.  What is wrong is told with its line: "worthwhile:12: ...".  The caller
 * releases *numbers, also after a failure. */
static pare_status read_numbers(const char *path, uint64_t **numbers, size_t *n, pare_error *err)
{
    FILE *file = fopen(path, "r");
    if (!file) return pare_fail_errno(err, errno, "cannot read '%s'", path);
    char line[SHOWN_BYTES];
    size_t capacity = 0, n_lines = 0;
    pare_status status = PARE_OK;
    while (!status && fgets(line, sizeof line, file)) {
        char *end;
        n_lines++;
        /* Only the line feed goes: a line of Windows is no number, which is told. */
        line[strcspn(line, "\n")] = '\0';
        if (!*line || *line == '#') continue;
        errno = 0;
        uint64_t number = strtoull(line, &end, 10);
        /* strtoull takes blanks and a sign before a number, which only digits exclude;
         * beyond 64 bits it sets errno. */
        if (*line < '0' || *line > '9' || *end || errno) {
            status = pare_fail(err, PARE_E_SYNTAX, "%s:%zu: this is not the number of a test", path,
                               n_lines);
            break;
        }
        uint64_t *grown = pare_vector_grow(*numbers, *n, &capacity, sizeof *grown);
        if (!grown) {
            status = pare_fail_nomem(err);
            break;
        }
        *numbers = grown;
        grown[(*n)++] = number;
    }
    if (!status && ferror(file)) status = pare_fail_errno(err, errno, "cannot read '%s'", path);
    (void)fclose(file);
    return status;
}

/* Writes the graph, if any edge stands out; else the graph would only get another date. */
static pare_exit keep_weighed(const pare_graph_weighed *weighed, const char *output, bool quiet)
{
    pare_error err = {0};
    char shown[SHOWN_BYTES];
    if (!weighed->n_heavier) {
        pare_report(WEIGH, "no edge is in these tests more often than in the others");
        return PARE_EXIT_NOTHING;
    }
    if (pare_graph_write(weighed->graph, output, &err) != PARE_OK) return fail(WEIGH, &err);
    if (!quiet)
        printf("%s: %u of %u edges taken have more weight, by %llu of %llu tests\n",
               pare_format_name(shown, sizeof shown, output), weighed->n_heavier, weighed->n_taken,
               (unsigned long long)weighed->n_worth, (unsigned long long)weighed->n_texts);
    return pare_report_printed(WEIGH);
}

/* The options have to be those that made the tests: pare_graph_weigh makes all of them again to
 * learn which edges each one took. */
static pare_exit run_weigh(const pare_arguments *arguments)
{
    const pare_option_value *values = arguments->values;
    const char *keep = values[OPT_KEEP_VALUES].text, *output = values[OPT_OUTPUT].text;
    /* Without -n nothing tells how many tests were not worthwhile. */
    if (arguments->n_operands != 2 || !values[OPT_NUMBER].position) {
        pare_report(WEIGH, "%s: pare graph weigh G.json NUMBERS -n N",
                    arguments->n_operands == 2 ? "-n is missing" : "a graph and a file are needed");
        return PARE_EXIT_USAGE;
    }
    pare_generate_options generate = {.graph = arguments->operands[0],
                                      .n = values[OPT_NUMBER].number,
                                      .seed = values[OPT_SEED].number,
                                      .max_depth = (uint32_t)values[OPT_MAX_DEPTH].number,
                                      .max_calls = (uint32_t)values[OPT_MAX_CALLS].number};
    pare_error err = {0};
    uint64_t *numbers = NULL;
    pare_graph_weighed weighed = {0};
    pare_graph_weigh_options wanted = {.generate = &generate,
                                       .most = (uint32_t)values[OPT_MOST].number};
    /* Read as `pare generate` reads it, so that the tests are the same. */
    pare_status status = pare_options_chance(keep, &generate.keep_values, &err);
    if (!status) status = read_numbers(arguments->operands[1], &numbers, &wanted.n_numbers, &err);
    wanted.numbers = numbers;
    if (!status) status = pare_graph_weigh(&wanted, &weighed, &err);
    pare_exit code = status ? fail(WEIGH, &err)
                            : keep_weighed(&weighed, output ? output : arguments->operands[0],
                                           values[OPT_QUIET].position != 0);
    pare_graph_weighed_done(&weighed);
    pare_alloc_free(numbers);
    return code;
}

const pare_command pare_command_graph_weigh = {
    .title = WEIGH,
    .name = "weigh",
    .summary = "weigh a graph's edges by which tests were worthwhile",
    .options = {options, N_OPTS, COMMAND_WEIGH},
    .help = print_weigh_help,
    .run = run_weigh,
};

/* --- all of them ------------------------------------------------------------------------------ */

/* In the order of use: make, extend, look at, compare. */
static const pare_command *const parts[] = {&pare_command_graph_explore, &pare_command_graph_learn,
                                            &pare_command_graph_weigh,   &pare_command_graph_show,
                                            &pare_command_graph_diff,    NULL};

const pare_command pare_command_graph = {
    .title = "pare graph",
    .name = "graph",
    .summary = "map a script engine's built-ins, to make tests from them",
    .parts = parts,
};
