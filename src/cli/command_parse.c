/* pare parse [--lang NAME | --grammar FILE.g4 ...] [--start RULE] [--format FORMAT] INPUT
 *
 * Prints the tree of an input as the tree algorithms see it.  Syntax errors do not end it: the tree
 * has an opaque leaf there, the position is printed on standard error, and the exit code is 1.
 *
 * Why there is such a command: if a reduction goes wrong, the first question is what the tree looks
 * like.  It uses the parsers exactly as a reduction does, islands included. */
#include <pare/pare.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "cli/ask.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/report.h"
#include "ui/format.h"

static const char NAME[] = "pare parse";

/* Indices of `options`, in the order of the help. */
enum {
    OPT_GRAMMAR,
    OPT_LANG,
    OPT_START,
    OPT_ISLAND,
    OPT_FORMAT,
    OPT_SYMBOL,
    OPT_DEPTH,
    OPT_QUIET,
    OPT_HELP,
    N_OPTS
};
enum { COMMAND = 1, SHOWN_BYTES = 1024 };

/* The formats are those of the library's enum, in its order. */
static const pare_option options[N_OPTS] = {
    [OPT_GRAMMAR] = {"grammar", 'g', PARE_OPTION_TEXTS, COMMAND, .value = "FILE",
                     .help = "the grammar; repeat it for each file of the grammar"},
    [OPT_LANG] = {"lang", 0, PARE_OPTION_TEXT, COMMAND, .value = "NAME",
                  .help = "the language; see 'pare lang list'"},
    [OPT_START] = {"start", 0, PARE_OPTION_TEXT, COMMAND, .value = "RULE",
                   .help = "where to start; default: the first rule of the grammar"},
    [OPT_ISLAND] = {"island", 0, PARE_OPTION_TEXTS, COMMAND, .value = "TOKEN[:REGEX]=LANGUAGE",
                    .help = "these tokens, or the parts of them that match REGEX, are in another "
                            "language: FILE.g4[#RULE] or lang:NAME; may be repeated"},
    [OPT_FORMAT] = {"format", 0, PARE_OPTION_CHOICE, COMMAND, .value = "lisp|json|dot|svg",
                    .help = "default lisp: one line, as ANTLR prints trees"},
    [OPT_SYMBOL] = {"symbol", 0, PARE_OPTION_TEXT, COMMAND, .value = "NAME",
                    .help = "instead of the tree, print the text of each subtree of this rule or "
                            "token, one per line"},
    [OPT_DEPTH] = {"depth", 0, PARE_OPTION_WHOLE, COMMAND, .value = "N", .least = 1,
                   .most = UINT32_MAX,
                   .help =
                       "for --symbol: only subtrees exactly N levels below the root; default: all"},
    [OPT_QUIET] = {"quiet", 'q', PARE_OPTION_FLAG, COMMAND,
                   .help = "do not report the parts of a grammar that are ignored"},
    [OPT_HELP] = {"help", 'h', PARE_OPTION_FLAG, COMMAND, .word = "all", .help = "print this help"},
};

/* Columns count from 0, as ANTLR's messages do: people compare the two. */
static void print_help(FILE *out, pare_help_extent extent)
{
    fputs("usage: pare parse --grammar FILE.g4 ... [--start RULE] INPUT\n"
          "       pare parse [--lang NAME] INPUT\n"
          "\n"
          "Prints the tree of INPUT.  It is parsed by an ANTLR v4 grammar (give its lexer\n"
          "too if that is a separate file), by a grammar in the format of The Fuzzing Book\n"
          "(FILE.json), or as a tree-sitter language, chosen by the name of INPUT unless\n"
          "--lang is given.  The first syntax error is printed as FILE:LINE:COLUMN:\n"
          "message; columns count characters from 0.\n"
          "\n"
          "    pare parse --grammar JSON.g4 --start json input.json\n"
          "\n",
          out);
    pare_options_print_help(out, options, N_OPTS, COMMAND, extent);
    fputs("\n"
          "Exit codes: 0 done, 1 INPUT is not in the language or has no such subtree,\n"
          "2 usage, 3 error.\n",
          out);
}

/* Before the tree or the error, in the order in which they came.  About the grammar, not about
 * the input: what of it is not read (actions, predicates). */
static void print_warnings(const pare_parsed *parsed)
{
    for (size_t i = 0; i < parsed->n_warnings; i++)
        pare_report(NAME, "warning: %s", parsed->warnings[i]);
}

/* The tree is printed whatever it is; "FILE:LINE:COLUMN: sentence" then says where the input
 * leaves the language, in the form that editors jump to. */
static pare_exit show(const char *path, const pare_parsed *parsed)
{
    char shown[SHOWN_BYTES];
    /* The tree first: what is wrong with the input is understood by looking at where it
     * is in the tree. */
    (void)fwrite(parsed->tree, 1, parsed->size_bytes, stdout);
    pare_exit code = pare_report_printed(NAME);
    if (code != PARE_EXIT_DONE) return code;
    if (!parsed->size_bytes) {
        pare_report(NAME, "the tree has no such subtree: --format json shows the names");
        return PARE_EXIT_NOTHING;
    }
    if (parsed->in_language) return code;
    fprintf(stderr, "%s:%u:%u: %s\n", pare_format_name(shown, sizeof shown, path), parsed->line,
            parsed->column, parsed->message);
    return PARE_EXIT_NOTHING;
}

/* The language that is named, or told by the input's name.  With a grammar of the user's
 * nothing is missing, so nothing is offered. */
static void offer(const pare_parse_options *wanted, const char *input)
{
    const pare_language_info *told = pare_language_for_file(input);
    pare_ask_needed_language(NAME, wanted->language ? wanted->language : told ? told->name : NULL);
}

/* A language that is missing is offered before parsing, as nothing else would help. */
static pare_exit parse(const pare_arguments *arguments)
{
    pare_error err = {0};
    pare_parsed parsed = {0};
    const char *input = arguments->n_operands == 1 ? arguments->operands[0] : NULL;
    if (!input) {
        pare_report(NAME, "%s: pare parse --grammar FILE.g4 INPUT",
                    arguments->n_operands ? "there are too many operands" : "INPUT is missing");
        return PARE_EXIT_USAGE;
    }
    /* Room for all texts in each of the two lists: there are few.  Each of them may
     * have been given for the one or the other; the parser knows how many there are in
     * all. */
    const char **paths = pare_alloc(arguments->n_texts, sizeof *paths);
    const char **islands = pare_alloc(arguments->n_texts, sizeof *islands);
    if (!paths || !islands) {
        pare_alloc_free(paths);
        pare_alloc_free(islands);
        (void)pare_fail_nomem(&err);
        return pare_report_failure(NAME, &err);
    }
    pare_parse_options wanted = {
        .grammars = paths,
        .n_grammars = pare_options_texts(arguments, OPT_GRAMMAR, paths),
        .language = arguments->values[OPT_LANG].text,
        .start = arguments->values[OPT_START].text,
        .islands = islands,
        .n_islands = pare_options_texts(arguments, OPT_ISLAND, islands),
        /* The words of the option stand in the order of the enum. */
        .format = (pare_tree_format)arguments->values[OPT_FORMAT].number,
        .symbol = arguments->values[OPT_SYMBOL].text,
        .depth = (uint32_t)arguments->values[OPT_DEPTH].number,
    };
    /* A grammar of the user's needs no language of ours. */
    if (!wanted.n_grammars) offer(&wanted, input);
    pare_status status = pare_parse_file(&wanted, input, &parsed, &err);
    /* Also after a failure, which a part of the grammar that is not read may explain. */
    if (!arguments->values[OPT_QUIET].position) print_warnings(&parsed);
    pare_exit code = status == PARE_OK ? show(input, &parsed) : pare_report_failure(NAME, &err);
    pare_parsed_done(&parsed);
    pare_alloc_free(paths);
    pare_alloc_free(islands);
    return code;
}

const pare_command pare_command_parse = {
    .title = NAME,
    .name = "parse",
    .summary = "print the tree of an input",
    .options = {options, N_OPTS, COMMAND},
    .help = print_help,
    .run = parse,
};
