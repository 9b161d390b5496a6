/* pare fuzz list [--store FILE] [--state STATES] [--target NAME] [--search TEXT] [--sort KEY] [--json]
 * pare fuzz show ID... [--store FILE] [--json | --print input|result|output]
 *
 * The commands that look into a store.  The output is completed before it is printed, so that
 * nothing is printed if the store turns out to be damaged half way. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <pare/findings.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/nearest.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/store_choice.h"
#include "ui/finding_list.h"
#include "ui/format.h"
#include "ui/sheet.h"

static const char LIST[] = "pare fuzz list", SHOW[] = "pare fuzz show";

/* Bits of the commands, by which options say which of them know them; a descriptor;
 * room for the name of a state. */
enum { COMMAND_LIST = 1, COMMAND_SHOW = 2, BOTH = 3, STANDARD_OUTPUT = 1, NAME_BYTES = 64 };
enum {
    OPT_STORE,
    OPT_STATE,
    OPT_TARGET,
    OPT_SOURCE,
    OPT_SEARCH,
    OPT_SORT,
    OPT_REVERSE,
    OPT_LIMIT,
    OPT_PRINT,
    OPT_JSON,
    OPT_COLOR,
    OPT_HELP,
    N_OPTS
};
/* In the order of the words of --print. */
enum { PRINT_INPUT, PRINT_RESULT, PRINT_OUTPUT };

/* The words of --sort are in the order of pare_finding_order, those of --color in that of
 * pare_color_choice. */
static const pare_option options[N_OPTS] = {
    [OPT_STORE] = {"store", 0, PARE_OPTION_TEXT, BOTH, .value = "FILE",
                   .help = "the store; default: the NAME.pare.db in the current folder"},
    [OPT_STATE] = {"state", 0, PARE_OPTION_TEXT, COMMAND_LIST, .value = "STATES",
                   .help = "only findings in these states: new, reduced, reported, fixed, "
                           "regressed, invalid, merged, separated by commas, or all; default: "
                           "all but merged"},
    [OPT_TARGET] = {"target", 0, PARE_OPTION_TEXT, COMMAND_LIST, .value = "NAME",
                    .help = "only findings of this target"},
    [OPT_SOURCE] = {"source", 0, PARE_OPTION_TEXT, COMMAND_LIST, .value = "NAME",
                    .help = "only findings that this source found first"},
    [OPT_SEARCH] = {"search", 0, PARE_OPTION_TEXT, COMMAND_LIST, .value = "TEXT",
                    .help = "only findings with this text in identity, title, note or output"},
    [OPT_SORT] = {"sort", 0, PARE_OPTION_CHOICE, COMMAND_LIST,
                  .value = "id|first|last|count|size|state|target", .help = "default id"},
    [OPT_REVERSE] = {"reverse", 'r', PARE_OPTION_FLAG, COMMAND_LIST,
                     .help = "the largest or latest first"},
    [OPT_LIMIT] = {"limit", 'n', PARE_OPTION_WHOLE, COMMAND_LIST, .value = "N", .least = 1,
                   .most = UINT32_MAX, .help = "at most N findings"},
    [OPT_PRINT] = {"print", 0, PARE_OPTION_CHOICE, COMMAND_SHOW, .value = "input|result|output",
                   .help = "print only this, byte for byte: the input, the reduced input (or "
                           "the input if there is none), or the target's output"},
    [OPT_JSON] = {"json", 0, PARE_OPTION_FLAG, BOTH,
                  .help = "print JSON: an array of objects; times are ms since 1970"},
    [OPT_COLOR] = {"color", 0, PARE_OPTION_CHOICE, BOTH, .value = "auto|always|never",
                   .help = "default auto: colours when standard output is a terminal"},
    [OPT_HELP] = {"help", 'h', PARE_OPTION_FLAG, BOTH, .word = "all", .help = "print this help"},
};

/* Colours for what is printed. */
static pare_paint paint_of(const pare_arguments *arguments)
{
    return pare_format_paint((pare_color_choice)arguments->values[OPT_COLOR].number,
                             STANDARD_OUTPUT);
}

/* Prints what was made, or says why it was not.  A sheet has only the status of its
 * failure; that is no memory, and the sentence for it is made here. */
static pare_exit print(const char *command, pare_status status, const pare_buffer *bytes,
                       pare_error *err)
{
    if (status) {
        if (status == PARE_E_NOMEM) (void)pare_fail_nomem(err);
        return pare_report_failure(command, err);
    }
    (void)fwrite(bytes->size ? bytes->data : "", 1, bytes->size, stdout);
    return pare_report_printed(command);
}

/* ---- list -------------------------------------------------------------------------- */

static void print_list_help(FILE *out, pare_help_extent extent)
{
    fputs("usage: pare fuzz list [--store FILE] [--state STATES] [--json]\n"
          "\n"
          "Prints the findings of a campaign, one a line: number, state, how often it was\n"
          "seen, bytes of the input and of the reduced input, when it was last seen, and\n"
          "what it is.\n"
          "\n"
          "    pare fuzz list --state new,regressed --sort last --reverse\n"
          "\n",
          out);
    pare_options_print_help(out, options, N_OPTS, COMMAND_LIST, extent);
    fputs("\nExit codes: 0 done, 2 usage, 3 error.\n", out);
}

/* The word is cut for the message; a state that it may be a slip for is offered. */
static pare_status refuse_state(const char *word, size_t size, pare_error *err)
{
    char name[NAME_BYTES], shown[NAME_BYTES * 2], hint[PARE_NEAREST_HINT_BYTES];
    (void)snprintf(name, sizeof name, "%.*s", (int)(size < NAME_BYTES ? size : NAME_BYTES - 1),
                   word);
    pare_nearest nearest = pare_nearest_of(name);
    for (int i = 0; i < PARE_FINDING_N_STATES; i++)
        pare_nearest_offer(&nearest, pare_finding_state_name((pare_finding_state)i));
    return pare_fail(err, PARE_E_ARG, "unknown state '%s'%s",
                     pare_format_name(shown, sizeof shown, name),
                     pare_nearest_hint(&nearest, "", hint));
}

/* States by their names as a bit set: "new,reduced", or "all".  An empty name is
 * refused as any that is unknown. */
static pare_status read_states(const char *words, uint32_t *states, pare_error *err)
{
    uint32_t found = 0;
    if (strcmp(words, "all") == 0) {
        *states = (1u << PARE_FINDING_N_STATES) - 1;
        return PARE_OK;
    }
    for (const char *at = words, *end; at; at = *end ? end + 1 : NULL) {
        char name[NAME_BYTES];
        pare_finding_state state;
        end = at + strcspn(at, ",");
        const size_t size = (size_t)(end - at);
        if (size >= sizeof name) return refuse_state(at, size, err);
        memcpy(name, at, size);
        name[size] = '\0';
        if (!pare_finding_state_find(name, &state)) return refuse_state(at, size, err);
        found |= 1u << state;
    }
    *states = found;
    return PARE_OK;
}

/* Only what was given restricts the list.  The words of --sort are in the order of
 * pare_finding_order, so the number of one is a value of it. */
static pare_status read_filter(const pare_arguments *arguments, pare_finding_filter *filter,
                               pare_error *err)
{
    *filter = (pare_finding_filter){
        .target = arguments->values[OPT_TARGET].text,
        .source = arguments->values[OPT_SOURCE].text,
        .search = arguments->values[OPT_SEARCH].text,
        .order = (pare_finding_order)arguments->values[OPT_SORT].number,
        .descending = pare_options_given(arguments, OPT_REVERSE),
        .limit = arguments->values[OPT_LIMIT].number,
    };
    if (!pare_options_given(arguments, OPT_STATE)) return PARE_OK;
    return read_states(arguments->values[OPT_STATE].text, &filter->states, err);
}

/* What is being made: lines, or JSON if `is_json`; both go into the sheet's bytes, as
 * JSON needs no columns. */
struct printer {
    pare_sheet sheet;
    bool is_json;
    pare_finding_extent extent;
    /* Findings so far; in JSON it says what comes before the next one. */
    uint64_t n;
};

/* "[" before the first object, and a comma before each other one; end_list closes the
 * array. */
static pare_status add_json(struct printer *printer, const pare_finding *finding, pare_error *err)
{
    pare_status status = pare_buffer_text(&printer->sheet.bytes, printer->n ? ",\n " : "[", err);
    printer->n++;
    if (status) return status;
    return pare_finding_list_json(finding, printer->extent, &printer->sheet.bytes, err);
}

/* A callback of pare_store_findings.  The head of the list comes with its first row. */
static pare_status add_finding(void *context, const pare_finding *finding, pare_error *err)
{
    struct printer *printer = context;
    if (printer->is_json) return add_json(printer, finding, err);
    if (!printer->n++) pare_finding_list_head(&printer->sheet);
    pare_finding_list_row(&printer->sheet, finding);
    return printer->sheet.status;
}

/* An empty array is one, too; a list without rows says so. */
static pare_status end_list(struct printer *printer, pare_error *err)
{
    if (printer->is_json)
        return pare_buffer_text(&printer->sheet.bytes, printer->n ? "]\n" : "[]\n", err);
    if (!printer->n) pare_sheet_raw(&printer->sheet, "no findings\n");
    return printer->sheet.status;
}

/* All rows are made before the first is printed, since a column is as wide as its
 * widest text. */
static pare_exit run_list(const pare_arguments *arguments)
{
    pare_error err = {0};
    pare_store *store = NULL;
    pare_finding_filter filter;
    struct printer printer = {.sheet = {.paint = paint_of(arguments)},
                              .is_json = pare_options_given(arguments, OPT_JSON)};
    pare_status status =
        arguments->n_operands
            ? pare_fail(&err, PARE_E_ARG, "there are too many operands: 'pare fuzz show' takes IDs")
            : read_filter(arguments, &filter, &err);
    if (!status) status = pare_store_choice_open(arguments, OPT_STORE, &store, &err);
    if (!status) status = pare_store_findings(store, &filter, add_finding, &printer, &err);
    if (!status) status = end_list(&printer, &err);
    pare_exit code = print(LIST, status, &printer.sheet.bytes, &err);
    pare_sheet_done(&printer.sheet);
    pare_store_close(store);
    return code;
}

const pare_command pare_command_fuzz_list = {
    .title = LIST,
    .name = "list",
    .summary = "print the findings",
    .options = {options, N_OPTS, COMMAND_LIST},
    .help = print_list_help,
    .run = run_list,
};

/* ---- show -------------------------------------------------------------------------- */

static void print_show_help(FILE *out, pare_help_extent extent)
{
    fputs("usage: pare fuzz show ID... [--store FILE] [--json]\n"
          "       pare fuzz show ID --print input|result|output\n"
          "\n"
          "Prints all about findings: state, versions, signature, the reduced input, the\n"
          "target's output, and the history.\n"
          "\n"
          "    pare fuzz show 3\n"
          "    pare fuzz show 3 --print result > small.js\n"
          "\n",
          out);
    pare_options_print_help(out, options, N_OPTS, COMMAND_SHOW, extent);
    fputs("\nExit codes: 0 done, 1 there is no such finding, 2 usage, 3 error.\n", out);
}

/* Adds one part of a finding, byte for byte.  On a terminal bytes are shown, not sent:
 * line by line, with what would not be seen as escapes.
 * A finding that is not reduced has its input as its result. */
static pare_status add_part(struct printer *printer, pare_store *store, const pare_finding *finding,
                            uint64_t part, pare_error *err)
{
    unsigned char *bytes = NULL;
    size_t size = strlen(finding->output);
    const char *text = finding->output;
    pare_status status = PARE_OK;
    if (part != PRINT_OUTPUT) {
        const bool is_result = part == PRINT_RESULT && *finding->reduced;
        status = pare_store_content(store, is_result ? finding->reduced : finding->input, &bytes,
                                    &size, err);
        text = (const char *)bytes;
    }
    while (!status && isatty(STANDARD_OUTPUT) && size) {
        const char *end = memchr(text, '\n', size);
        const size_t length = end ? (size_t)(end - text) : size;
        pare_sheet_bytes(&printer->sheet, text, length);
        /* What is printed on a terminal ends with a line end, also where the bytes have
         * none. */
        pare_sheet_raw(&printer->sheet, "\n");
        text += length + (end != NULL);
        size -= length + (end != NULL);
    }
    /* Nothing is left of it where it was shown. */
    if (!status) status = pare_buffer_add(&printer->sheet.bytes, size ? text : "", size, err);
    pare_alloc_free(bytes);
    return status;
}

/* Adds finding `word` in the form that was asked for.  Of several an empty line stands
 * between two. */
static pare_status show(const pare_arguments *arguments, pare_store *store, const char *word,
                        struct printer *printer, pare_error *err)
{
    int64_t id = 0;
    pare_finding finding = {0};
    pare_status status = pare_store_choice_id(word, &id, err);
    if (!status) status = pare_store_finding(store, id, &finding, err);
    if (status) return status;
    if (pare_options_given(arguments, OPT_PRINT)) {
        status = add_part(printer, store, &finding, arguments->values[OPT_PRINT].number, err);
    } else if (printer->is_json) {
        status = add_json(printer, &finding, err);
    } else {
        if (printer->n++) pare_sheet_raw(&printer->sheet, "\n");
        status = pare_finding_list_show(&printer->sheet, store, &finding, err);
        if (!status) status = printer->sheet.status;
    }
    pare_finding_done(&finding);
    return status;
}

/* The first number that is none, or no finding's, ends the command, and nothing is
 * printed of those before it. */
static pare_exit run_show(const pare_arguments *arguments)
{
    pare_error err = {0};
    pare_store *store = NULL;
    struct printer printer = {.sheet = {.paint = paint_of(arguments)},
                              .is_json = pare_options_given(arguments, OPT_JSON),
                              .extent = PARE_FINDING_WHOLE};
    if (!arguments->n_operands) {
        pare_report(SHOW, "ID is missing: 'pare fuzz list' shows them");
        return PARE_EXIT_USAGE;
    }
    pare_status status = pare_store_choice_open(arguments, OPT_STORE, &store, &err);
    for (size_t i = 0; i < arguments->n_operands && !status; i++)
        status = show(arguments, store, arguments->operands[i], &printer, &err);
    /* What --print shows is no array. */
    if (!status && printer.is_json && !pare_options_given(arguments, OPT_PRINT))
        status = end_list(&printer, &err);
    pare_exit code = print(SHOW, status, &printer.sheet.bytes, &err);
    pare_sheet_done(&printer.sheet);
    pare_store_close(store);
    return code;
}

const pare_command pare_command_fuzz_show = {
    .title = SHOW,
    .name = "show",
    .summary = "print all about a finding, or its input",
    .options = {options, N_OPTS, COMMAND_SHOW},
    .help = print_show_help,
    .run = run_show,
};
