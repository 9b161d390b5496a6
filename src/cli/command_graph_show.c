/* pare graph show G.json [TYPE] [--format FORMAT]
 * pare graph diff OLD NEW [--format FORMAT]
 *
 * The output is completed before it is printed, so that nothing is printed if memory runs out.  For
 * an unknown type the nearest names are suggested, compared by the last member, which people
 * remember best, and by the whole name among equals.
 *
 * Reading dominates: a graph of some megabytes is read and checked whole, then one view of it
 * is made (ui/graph_views.h). */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <pare/graph.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "base/nearest.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/report.h"
#include "ui/format.h"
#include "ui/graph_names.h"
#include "ui/graph_views.h"
#include "ui/sheet.h"

static const char SHOW[] = "pare graph show", DIFF[] = "pare graph diff";

/* The bit of both commands; a descriptor; how many names are proposed; room for a name. */
enum { COMMAND = 1, STANDARD_OUTPUT = 1, N_NEAR = 3, SHOWN_BYTES = 240 };
enum { OPT_FORMAT, OPT_COLOR, OPT_HELP, N_OPTS };
/* In the order of the words of --format, of which diff has the first two. */
enum { FORMAT_TEXT, FORMAT_JSON, FORMAT_DOT, FORMAT_SVG, FORMAT_HTML };

/* Both tables end with these; the words of --color are in the order of pare_color_choice. */
#define COLOR_AND_HELP                                                                  \
    [OPT_COLOR] = {"color",                                                             \
                   0,                                                                   \
                   PARE_OPTION_CHOICE,                                                  \
                   COMMAND,                                                             \
                   .value = "auto|always|never",                                        \
                   .help = "default auto: colours when standard output is a terminal"}, \
    [OPT_HELP] = {                                                                      \
        "help", 'h', PARE_OPTION_FLAG, COMMAND, .word = "all", .help = "print this help"}

static const pare_option show_options[N_OPTS] = {
    [OPT_FORMAT] = {"format", 0, PARE_OPTION_CHOICE, COMMAND, .value = "text|json|dot|svg|html",
                    .help = "default text; dot: for Graphviz; svg: a drawing; html: a page to "
                            "browse the graph"},
    COLOR_AND_HELP,
};

static const pare_option diff_options[N_OPTS] = {
    [OPT_FORMAT] = {"format", 0, PARE_OPTION_CHOICE, COMMAND, .value = "text|json",
                    .help = "default text: one line for each change"},
    COLOR_AND_HELP,
};

/* What it prints first, then how a type is written: that is what is asked for most. */
static void print_show_help(FILE *out, pare_help_extent extent)
{
    fputs("usage: pare graph show G.json [TYPE] [--format FORMAT]\n"
          "\n"
          "Prints what 'pare graph explore' found.  Without TYPE: how much there is.  With\n"
          "TYPE: its members, their signatures, how it is reached, and which functions take\n"
          "and return it.  TYPE is a path such as Date.prototype or Math.max, 'new Date'\n"
          "for any Date, or a kind of primitive such as number.  dot and svg draw the\n"
          "global object if there is no TYPE; html shows the whole graph and begins at\n"
          "TYPE.\n"
          "\n"
          "    pare graph show duk.json Date.prototype\n"
          "    pare graph show duk.json --format html > duk.html\n"
          "\n",
          out);
    pare_options_print_help(out, show_options, N_OPTS, COMMAND, extent);
    fputs("\nExit codes: 0 done, 2 usage (also: no such TYPE), 3 error.\n", out);
}

/* Says by what types are compared, since numbers would be the obvious guess. */
static void print_diff_help(FILE *out, pare_help_extent extent)
{
    fputs("usage: pare graph diff OLD.json NEW.json [--format FORMAT]\n"
          "\n"
          "Prints how the API of an engine changed between two graphs: added and removed\n"
          "types, members, kinds, lengths, prototypes and signatures.  Types are compared\n"
          "by their paths.\n"
          "\n"
          "    pare graph diff node-18.json node-20.json\n"
          "\n",
          out);
    pare_options_print_help(out, diff_options, N_OPTS, COMMAND, extent);
    fputs("\nExit codes: 0 the same, 1 they differ, 2 usage, 3 error.\n", out);
}

/* ---- what both do ---------------------------------------------------------------- */

/* Says what went wrong, in the words of the library. */
static pare_exit fail(const char *command, const pare_error *err)
{
    pare_report_error(command, err);
    return pare_report_exit(err->status);
}

/* Prints what was made, or says why it was not.  PARE_E_NOMEM is the only failure of a view,
 * which is why the message can be made here. */
static pare_exit print(const char *command, pare_status status, const pare_buffer *bytes,
                       pare_error *err)
{
    if (status) {
        (void)pare_fail_nomem(err);
        return fail(command, err);
    }
    (void)fwrite(bytes->size ? bytes->data : "", 1, bytes->size, stdout);
    return pare_report_printed(command);
}

/* Colours are for a terminal that somebody looks at; formats for programs have none. */
static pare_paint paint_of(const pare_arguments *arguments)
{
    return pare_format_paint((pare_color_choice)arguments->values[OPT_COLOR].number,
                             STANDARD_OUTPUT);
}

/* ---- a type by its name ---------------------------------------------------------- */

/* The best so far, best first.  Three, since more are not read. */
struct near {
    unsigned distance[N_NEAR];
    uint32_t type[N_NEAR];
    size_t n;
};

/* The last member of a name. */
static const char *last_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? dot + 1 : name;
}

/* Puts a type among the nearest, if it is nearer than one of them.  Of equally near
 * ones the first stays in front. */
static void offer(struct near *near, unsigned distance, uint32_t type)
{
    size_t at = near->n;
    /* Where it belongs among those that are there. */
    while (at > 0 && distance < near->distance[at - 1])
        at--;
    if (at == N_NEAR) return;
    if (near->n < N_NEAR) near->n++;
    for (size_t i = near->n - 1; i > at; i--) {
        near->distance[i] = near->distance[i - 1];
        near->type[i] = near->type[i - 1];
    }
    near->distance[at] = distance;
    near->type[at] = type;
}

/* Types with a last member that resembles the one written: "Date.setTimee" is near to
 * Date.prototype.setTime.
 * The distance of the last members counts four times, so that the whole names only
 * decide among equals. O(types * letters^2): some thousand names of some ten letters, a
 * few milliseconds, and only after a mistake. */
static struct near find_near(const pare_graph *graph, const char *written)
{
    struct near near = {.n = 0};
    pare_sheet name = {.status = PARE_OK};
    const char *last = last_of(written);
    for (uint32_t i = 0; i < pare_graph_n_types(graph); i++) {
        pare_sheet_reset(&name);
        pare_graph_names_type(&name, graph, i);
        const char *text = pare_sheet_text(&name);
        unsigned distance = pare_nearest_distance(last, last_of(text));
        /* More than half of the letters are wrong: that is another name. */
        if (distance > strlen(last)) continue;
        offer(&near, 4 * distance + pare_nearest_distance(written, text), i);
    }
    pare_sheet_done(&name);
    return near;
}

/* "there is no type 'Dat': did you mean 'Date' or 'new Date'?" Without memory for the names
 * the sentence is shorter and still right. */
static pare_exit refuse(const pare_graph *graph, const char *path, const char *written)
{
    char shown[SHOWN_BYTES], file[SHOWN_BYTES];
    struct near near = find_near(graph, written);
    pare_sheet hint = {.status = PARE_OK};
    for (size_t i = 0; i < near.n; i++) {
        pare_sheet_raw(&hint, i == 0 ? ": did you mean '" : i + 1 == near.n ? "' or '" : "', '");
        pare_graph_names_type(&hint, graph, near.type[i]);
    }
    pare_sheet_raw(&hint,
                   near.n ? "'?" : ": without a type, 'pare graph show' lists what there is");
    pare_report(SHOW, "there is no type '%s' in %s%s",
                pare_format_name(shown, sizeof shown, written),
                pare_format_name(file, sizeof file, path), pare_sheet_text(&hint));
    pare_sheet_done(&hint);
    return PARE_EXIT_USAGE;
}

/* ---- show ------------------------------------------------------------------------ */

/* Text of the whole graph when `type` is none.  The bytes move out of the sheet, which needs
 * no release then. */
static pare_status show_text(const pare_graph *graph, uint32_t type, pare_paint paint,
                             pare_buffer *out)
{
    pare_sheet sheet = {.paint = paint};
    if (type == PARE_GRAPH_NONE)
        pare_graph_text_summary(&sheet, graph);
    else
        pare_graph_text_type(&sheet, graph, type);
    *out = sheet.bytes;
    return sheet.status;
}

/* The type that is drawn if none was named is the global object, from which all others are
 * reached; the whole of an engine would be no drawing that anybody could read.  JSON of the
 * whole graph is written where no type was named: programs can take it. */
static pare_status show(const pare_graph *graph, uint32_t type, const pare_arguments *arguments,
                        pare_buffer *out)
{
    uint32_t drawn = type == PARE_GRAPH_NONE ? pare_graph_global(graph) : type;
    switch (arguments->values[OPT_FORMAT].number) {
    case FORMAT_JSON: return pare_graph_json_write(graph, type, out, NULL);
    case FORMAT_DOT: return pare_graph_drawing_dot(graph, drawn, out, NULL);
    case FORMAT_SVG: return pare_graph_drawing_svg(graph, drawn, out, NULL);
    case FORMAT_HTML: return pare_graph_page_write(graph, drawn, out, NULL);
    default: return show_text(graph, type, paint_of(arguments), out);
    }
}

/* A type is looked up before anything is made, so that a name that is wrong costs nothing. */
static pare_exit run_show(const pare_arguments *arguments)
{
    pare_error err = {0};
    pare_graph *graph = NULL;
    pare_buffer out = {0};
    if (arguments->n_operands < 1 || arguments->n_operands > 2) {
        pare_report(SHOW, "%s: pare graph show G.json [TYPE]",
                    arguments->n_operands ? "there are too many operands" : "G.json is missing");
        return PARE_EXIT_USAGE;
    }
    const char *path = arguments->operands[0];
    const char *name = arguments->n_operands > 1 ? arguments->operands[1] : NULL;
    if (pare_graph_read(path, &graph, &err) != PARE_OK) return fail(SHOW, &err);
    uint32_t type = name ? pare_graph_names_find(graph, name) : PARE_GRAPH_NONE;
    /* A name that leads nowhere is an error of usage, as an unknown option is. */
    pare_exit code = name && type == PARE_GRAPH_NONE
                         ? refuse(graph, path, name)
                         : print(SHOW, show(graph, type, arguments, &out), &out, &err);
    pare_buffer_done(&out);
    pare_graph_free(graph);
    return code;
}

const pare_command pare_command_graph_show = {
    .title = SHOW,
    .name = "show",
    .summary = "print a graph, or one of its types",
    .options = {show_options, N_OPTS, COMMAND},
    .help = print_show_help,
    .run = run_show,
};

/* ---- diff ------------------------------------------------------------------------ */

/* That graphs differ is told by the exit code, as diff(1) does; PARE_EXIT_NOTHING is its
 * number.  Text and JSON tell the same changes. */
static pare_exit compare(const pare_graph *older, const pare_graph *newer,
                         const pare_arguments *arguments)
{
    pare_error err = {0};
    pare_graph_changes *changes = NULL;
    pare_sheet sheet = {.paint = paint_of(arguments)};
    pare_status status = pare_graph_diff_new(older, newer, &changes, &err);
    /* Of changes that were not made there is no number. */
    size_t n = status ? 0 : pare_graph_diff_count(changes);
    if (!status && arguments->values[OPT_FORMAT].number == FORMAT_JSON)
        status = pare_graph_diff_json(changes, &sheet.bytes, NULL);
    else if (!status)
        pare_graph_diff_text(&sheet, changes);
    pare_exit code = print(DIFF, status ? status : sheet.status, &sheet.bytes, &err);
    pare_sheet_done(&sheet);
    pare_graph_diff_free(changes);
    return code == PARE_EXIT_DONE && n ? PARE_EXIT_NOTHING : code;
}

/* Both are read before they are compared: a damaged one is an error, not a difference.
 * Numbers of types differ from graph to graph, so nothing of one can be looked up in the
 * other. */
static pare_exit run_diff(const pare_arguments *arguments)
{
    pare_error err = {0};
    pare_graph *older = NULL, *newer = NULL;
    if (arguments->n_operands != 2) {
        pare_report(DIFF, "%s: pare graph diff OLD.json NEW.json",
                    arguments->n_operands > 2 ? "there are too many operands"
                                              : "two graphs are needed");
        return PARE_EXIT_USAGE;
    }
    pare_status status = pare_graph_read(arguments->operands[0], &older, &err);
    if (!status) status = pare_graph_read(arguments->operands[1], &newer, &err);
    pare_exit code = status ? fail(DIFF, &err) : compare(older, newer, arguments);
    pare_graph_free(newer);
    pare_graph_free(older);
    return code;
}

const pare_command pare_command_graph_diff = {
    .title = DIFF,
    .name = "diff",
    .summary = "compare the graphs of two versions",
    .options = {diff_options, N_OPTS, COMMAND},
    .help = print_diff_help,
    .run = run_diff,
};
