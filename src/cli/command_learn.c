/* pare learn --grammar FILE ...|--lang NAME [--start RULE] [-o MODEL.json] FILE|FOLDER...
 *
 * Counts how the files derive from the grammar, or from that of a language, and writes the model
 * that pare generate --model reads.  Files with syntax errors are reported, and counted as far as
 * they parse.
 *
 * The model is made in memory by pare_learn and written once, at the end: a later run would read
 * half a model without complaint. */
#include <errno.h>
#include <string.h>

#include <pare/pare.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/report.h"
#include "ui/format.h"

static const char NAME[] = "pare learn";

enum {
    OPT_GRAMMAR,
    OPT_LANG,
    OPT_START,
    OPT_OUTPUT,
    OPT_LEAVES,
    OPT_VERBOSE,
    OPT_QUIET,
    OPT_HELP,
    N_OPTS
};
enum { COMMAND = 1, SHOWN_BYTES = 1024 };

/* Few, since what is counted is all there is to count; --leaves bounds the size of the model. */
static const pare_option options[N_OPTS] = {
    [OPT_GRAMMAR] = {"grammar", 'g', PARE_OPTION_TEXTS, COMMAND, .value = "FILE",
                     .help = "the grammar; repeat it for each file of the grammar"},
    [OPT_LANG] = {"lang", 0, PARE_OPTION_TEXT, COMMAND, .value = "NAME",
                  .help = "or a language of 'pare lang', whose parser then reads the files"},
    [OPT_START] = {"start", 0, PARE_OPTION_TEXT, COMMAND, .value = "RULE",
                   .help = "the rule that the files match; default: the first rule of the grammar"},
    [OPT_OUTPUT] = {"output", 'o', PARE_OPTION_TEXT, COMMAND, .value = "MODEL.json",
                    .help = "where to write the model; default: standard output"},
    [OPT_LEAVES] =
        {"leaves", 0, PARE_OPTION_WHOLE, COMMAND, .value = "N", .least = 1, .most = 1000000,
         .help = "how many texts to keep for each token (the most frequent ones); default 256"},
    [OPT_VERBOSE] = {"verbose", 'v', PARE_OPTION_FLAG, COMMAND,
                     .help = "finally print what was read"},
    [OPT_QUIET] = {"quiet", 'q', PARE_OPTION_FLAG, COMMAND, .help = "print only errors"},
    [OPT_HELP] = {"help", 'h', PARE_OPTION_FLAG, COMMAND, .word = "all", .help = "print this help"},
};

/* Two lines of example show what a model is for, which its own options do not say. */
static void print_help(FILE *out, pare_help_extent extent)
{
    fputs("usage: pare learn -g FILE ... [--start RULE] [-o MODEL.json] FILE|FOLDER...\n"
          "       pare learn --lang NAME [-o MODEL.json] FILE|FOLDER...\n"
          "\n"
          "Learns from example files how often each alternative of a grammar is used, how\n"
          "often things are repeated, and what the tokens look like.  'pare generate\n"
          "--model' then makes similar texts.\n"
          "\n"
          "    pare learn -g JSON.g4 -o model.json corpus/\n"
          "    pare generate -g JSON.g4 --model model.json -n 100 -o 'like-%d.json'\n"
          "\n"
          "    pare learn --lang lua -o model.json corpus/\n"
          "    pare generate --lang lua --model model.json -n 100 -o 'like-%d.lua'\n"
          "\n",
          out);
    pare_options_print_help(out, options, N_OPTS, COMMAND, extent);
    fputs("\n"
          "Exit codes: 0 done, 1 there is nothing to learn from, 2 usage, 3 error.\n",
          out);
}

/* Closing a file may be what fails (a full disk), so it is checked too; the first failure is told. */
static pare_exit write_model(const char *path, const pare_learned *learned)
{
    char shown[SHOWN_BYTES];
    pare_error err = {0};
    FILE *file = path ? fopen(path, "w") : stdout;
    bool written =
        file && fwrite(learned->model, 1, learned->size_bytes, file) == learned->size_bytes;
    /* Of the write; closing may set another one. */
    int os_errno = errno;
    /* Standard output is flushed and looked at there; it is not ours to close. */
    if (!path) return pare_report_printed(NAME);
    if (file && fclose(file) && written) {
        written = false;
        os_errno = errno;
    }
    if (written) return PARE_EXIT_DONE;
    (void)pare_fail_errno(&err, os_errno, "cannot write '%s'",
                          pare_format_name(shown, sizeof shown, path));
    return pare_report_failure(NAME, &err);
}

/* Learns, then writes.  Files with syntax errors are told of without --verbose too, unless
 * quiet: they make a worse model.  The operands may be folders; which files in them count is
 * for the library to say. */
static pare_exit run(const pare_arguments *arguments, const char *const *grammars,
                     size_t n_grammars)
{
    pare_error err = {0};
    pare_learned learned = {0};
    const pare_option_value *values = arguments->values;
    const pare_learn_options wanted = {.grammars = grammars,
                                       .n_grammars = n_grammars,
                                       .language = values[OPT_LANG].text,
                                       .start = values[OPT_START].text,
                                       .paths = arguments->operands,
                                       .n_paths = arguments->n_operands,
                                       .max_leaves = (size_t)values[OPT_LEAVES].number};
    pare_status status = pare_learn(&wanted, &learned, &err);
    if (status) return pare_report_failure(NAME, &err);
    pare_exit code = write_model(values[OPT_OUTPUT].text, &learned);
    bool quiet = values[OPT_QUIET].position, verbose = values[OPT_VERBOSE].position;
    /* Only once the model is safe: before that the failure is what matters. */
    if (code == PARE_EXIT_DONE && (verbose || (learned.n_errors && !quiet)))
        pare_report(NAME, "%zu files read, %zu of them with syntax errors", learned.n_files,
                    learned.n_errors);
    pare_learned_done(&learned);
    return code;
}

/* The grammar's files are a list of borrowed texts, made here; with a language it is empty. */
static pare_exit learn(const pare_arguments *arguments)
{
    pare_error err = {0};
    const char *language = arguments->values[OPT_LANG].text;
    if (!arguments->n_operands || (!language && !arguments->values[OPT_GRAMMAR].position)) {
        pare_report(NAME, "%s: pare learn %s %s FILE...",
                    arguments->n_operands ? "a grammar is missing"
                                          : "the files to learn from are missing",
                    language ? "--lang" : "--grammar", language ? language : "FILE.g4");
        return PARE_EXIT_USAGE;
    }
    /* One more, so that a list of none has an address. */
    const char **grammars = pare_alloc(arguments->n_texts + 1, sizeof *grammars);
    if (!grammars) {
        (void)pare_fail_nomem(&err);
        return pare_report_failure(NAME, &err);
    }
    size_t n_grammars = pare_options_texts(arguments, OPT_GRAMMAR, grammars);
    pare_exit code = run(arguments, grammars, n_grammars);
    pare_alloc_free(grammars);
    return code;
}

const pare_command pare_command_learn = {
    .title = NAME,
    .name = "learn",
    .summary = "learn from examples what inputs of a grammar look like",
    .options = {options, N_OPTS, COMMAND},
    .help = print_help,
    .run = learn,
};
