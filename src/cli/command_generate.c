/* pare generate --grammar FILE ... [--start RULE] [-n NUMBER] [-o PATTERN] ...
 *
 * Makes inputs from a grammar, a language, a model or a graph, and writes each to a file of its own
 * or to standard output; or records the choices of one of them, or of a generator that is a program,
 * for pare reduce --choices.  Inputs are written as they are made.
 *
 * Nothing about generation is decided here: the options go to pare_generate as they are, and
 * conflicts are refused there (generate/generator_setup.c).  This file checks only what belongs to
 * the command line: the pattern of names, operands, and --record with its program.
 *
 * Invariant: write_text gets texts in the order of their numbers for any number of threads, so that
 * standard output is the same for every --jobs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <pare/pare.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/signals.h"
#include "ui/format.h"

static const char NAME[] = "pare generate";

enum {
    OPT_GRAMMAR,
    OPT_LANG,
    OPT_START,
    OPT_NUMBER,
    OPT_OUTPUT,
    OPT_SEED,
    OPT_JOBS,
    OPT_MAX_DEPTH,
    OPT_MAX_TOKENS,
    OPT_MODEL,
    OPT_RECORD,
    OPT_REPLAY,
    OPT_VERBOSE,
    OPT_QUIET,
    OPT_HELP,
    OPT_WEIGHTS,
    OPT_HOOKS,
    OPT_FUZZER,
    OPT_POPULATION,
    OPT_COOLDOWN,
    OPT_UNUSUAL,
    OPT_REPEATS,
    OPT_NULL,
    OPT_UNSEEDED,
    OPT_TIMEOUT,
    OPT_GRAPH,
    OPT_MAX_CALLS,
    OPT_KEEP_VALUES,
    OPT_GRAPH_RULE,
    OPT_GRAPH_SHARE,
    OPT_ONLY,
    OPT_PATTERN,
    OPT_ONE,
    OPT_RANDOM,
    OPT_DEFAULTS,
    OPT_MIN_NONTERMINALS,
    OPT_MAX_NONTERMINALS,
    OPT_MIN_LENGTH,
    OPT_MAX_LENGTH,
    OPT_MIN_MUTATIONS,
    OPT_MAX_MUTATIONS,
    OPT_COVERAGE_BY,
    OPT_REDUCE_MEMBERS,
    OPT_MEMBERS,
    N_OPTS
};
enum { COMMAND = 1, SHOWN_BYTES = 1024 };

/* Headings of the options that --help leaves to --help=all. */
static const char GRAPHS[] = "Graphs";
static const char TEXTS[] = "How texts are made";

/* A bound of what a fuzzer makes: a whole number from LEAST_ to a million. */
#define BOUND(NAME_, LEAST_, HELP_)                                                           \
    {                                                                                         \
        NAME_, 0, PARE_OPTION_WHOLE, COMMAND, .value = "N", .least = LEAST_, .most = 1000000, \
                                              .help = HELP_, .group = TEXTS                   \
    }

/* In the order of the help.  Those with a group are shown by --help=all only. */
static const pare_option options[N_OPTS] = {
    [OPT_GRAMMAR] = {"grammar", 'g', PARE_OPTION_TEXTS, COMMAND, .value = "FILE",
                     .help = "the grammar; repeat it for each file of the grammar"},
    [OPT_LANG] = {"lang", 0, PARE_OPTION_TEXT, COMMAND, .value = "NAME",
                  .help = "or a language of 'pare lang', whose parser then checks each text"},
    [OPT_START] = {"start", 0, PARE_OPTION_TEXT, COMMAND, .value = "RULE",
                   .help = "the rule to start from; default: the grammar's first"},
    [OPT_NUMBER] = {"number", 'n', PARE_OPTION_WHOLE, COMMAND, .value = "N", .least = 1,
                    .most = UINT64_C(1) << 48, .help = "how many texts to make; default 1"},
    [OPT_OUTPUT] = {"output", 'o', PARE_OPTION_TEXT, COMMAND, .value = "PATTERN",
                    .help = "file for each text, where %d is its number, counted from 0; default: "
                            "standard output, with a line feed after each text"},
    [OPT_ONLY] = {"only", 0, PARE_OPTION_WHOLE, COMMAND, .value = "K",
                  .most = (UINT64_C(1) << 48) - 1,
                  .help = "make only text K of a run, counted from 0"},
    [OPT_SEED] = {"seed", 0, PARE_OPTION_WHOLE, COMMAND, .value = "N", .most = UINT64_MAX,
                  .help = "seed of the random choices; default 0"},
    [OPT_JOBS] = {"jobs", 'j', PARE_OPTION_WHOLE, COMMAND, .value = "N", .least = 1, .most = 256,
                  .help = "how many threads to use; default: the number of cores"},
    [OPT_MAX_DEPTH] = {"max-depth", 0, PARE_OPTION_WHOLE, COMMAND, .value = "N", .least = 1,
                       .most = 1000000, .help = "how deep rules may be nested; default 40"},
    [OPT_MAX_TOKENS] = {"max-tokens", 0, PARE_OPTION_WHOLE, COMMAND, .value = "N", .least = 1,
                        .most = 1000000000, .help = "how many tokens a text may have; default 400"},
    [OPT_MODEL] = {"model", 0, PARE_OPTION_TEXT, COMMAND, .value = "FILE.json|web",
                   .help = "a model made by 'pare learn'; web: HTML, SVG and CSS documents (run "
                           "'pare lang add web' first)"},
    [OPT_RECORD] = {"record", 0, PARE_OPTION_TEXT, COMMAND, .value = "FILE",
                    .help = "save the choices of the text, or of COMMAND, here"},
    [OPT_REPLAY] = {"replay", 0, PARE_OPTION_TEXT, COMMAND, .value = "FILE",
                    .help = "make the text from these choices, or give them to COMMAND"},
    [OPT_VERBOSE] =
        {"verbose", 'v', PARE_OPTION_FLAG, COMMAND,
         .help =
             "finally print what was made and how many of the grammar's alternatives were used"},
    [OPT_QUIET] = {"quiet", 'q', PARE_OPTION_FLAG, COMMAND, .help = "print only errors"},
    [OPT_HELP] = {"help", 'h', PARE_OPTION_FLAG, COMMAND, .word = "all",
                  .help = "print this help; --help=all prints all options"},
    [OPT_PATTERN] = {"pattern", 0, PARE_OPTION_TEXT, COMMAND, .value = "FILE.json",
                     .help = "make new inputs that should fail like the one that 'pare explain "
                             "--json' explained",
                     .group = TEXTS},
    [OPT_ONE] = {"one", 0, PARE_OPTION_FLAG, COMMAND,
                 .help = "with --pattern: each text varies one part, each part in turn",
                 .group = TEXTS},
    [OPT_WEIGHTS] = {"weights", 0, PARE_OPTION_TEXT, COMMAND, .value = "FILE.json",
                     .help = "weights of alternatives, and probabilities of quantifiers",
                     .group = TEXTS},
    [OPT_HOOKS] = {"hooks", 0, PARE_OPTION_TEXT, COMMAND, .value = "FILE.lua",
                   .help = "Lua functions that are called around rules", .group = TEXTS},
    [OPT_FUZZER] = {"fuzzer", 0, PARE_OPTION_CHOICE, COMMAND,
                    .value = "grammar|phases|limit|complex|choice|random|mutation",
                    .help = "how texts are made: grammar, phases, limit, complex and choice use "
                            "a grammar or language; random and mutation do not. Default: "
                            "grammar, or complex for a grammar with hooks",
                    .group = TEXTS},
    [OPT_RANDOM] = {"random", 0, PARE_OPTION_CHOICE, COMMAND, .value = "pare|python",
                    .help = "which random numbers to use; python: for text K those of a Python "
                            "program after random.seed(N + K), with N of --seed; default pare",
                    .group = TEXTS},
    [OPT_DEFAULTS] = {"defaults", 0, PARE_OPTION_TEXT, COMMAND, .value = "FILE.json",
                      .help = "limit, complex, choice: the text of each rule to use if the choice "
                              "of --replay is -1",
                      .group = TEXTS},
    [OPT_MIN_NONTERMINALS] =
        BOUND("min-nonterminals", 0,
              "phases: first expand at the highest cost until N nonterminals are "
              "open; default 0"),
    [OPT_MAX_NONTERMINALS] =
        BOUND("max-nonterminals", 1,
              "phases: then expand in any way until N are open, and close all; "
              "default 10"),
    [OPT_MIN_LENGTH] = BOUND("min-length", 0, "random: least length in characters; default 10"),
    [OPT_MAX_LENGTH] = BOUND("max-length", 1, "random: greatest length; default 100"),
    [OPT_MIN_MUTATIONS] = BOUND("min-mutations", 0, "mutation: least number of changes; default 2"),
    [OPT_MAX_MUTATIONS] =
        BOUND("max-mutations", 1, "mutation: greatest number of changes; default 10"),
    [OPT_COVERAGE_BY] = {"coverage-by", 0, PARE_OPTION_TEXT, COMMAND, .value = "COMMAND",
                         .help = "mutation: COMMAND prints what a text reaches; the text joins the "
                                 "population if COMMAND exits with 0 and this set of lines is new",
                         .group = TEXTS},
    [OPT_REDUCE_MEMBERS] =
        {"reduce-members", 0, PARE_OPTION_FLAG, COMMAND,
         .help = "with --coverage-by: reduce each text before it joins, as long as it "
                 "reaches the same",
         .group = TEXTS},
    [OPT_MEMBERS] = {"members", 0, PARE_OPTION_TEXT, COMMAND, .value = "PATTERN",
                     .help = "with --coverage-by: file for each text that joins, where %d is its "
                             "number",
                     .group = TEXTS},
    [OPT_POPULATION] = {"population", 0, PARE_OPTION_TEXTS, COMMAND, .value = "PATH",
                        .help = "make texts from the trees of this file, or of the files in this "
                                "folder; without a grammar, from their bytes",
                        .group = TEXTS},
    [OPT_COOLDOWN] = {"cooldown", 0, PARE_OPTION_TEXT, COMMAND, .value = "FACTOR",
                      .help = "multiply the weight of an alternative by this each time it is "
                              "taken; above 0, up to 1",
                      .group = TEXTS},
    [OPT_UNUSUAL] = {"unusual", 0, PARE_OPTION_WHOLE, COMMAND, .value = "PERCENT", .most = 100,
                     .help = "percentage of characters that may be any the grammar allows; the "
                             "others are visible ASCII if possible; default 0",
                     .group = TEXTS},
    [OPT_REPEATS] = {"repeats", 0, PARE_OPTION_FLAG, COMMAND,
                     .help = "the same text may be made again", .group = TEXTS},
    [OPT_NULL] = {"null", '0', PARE_OPTION_FLAG, COMMAND,
                  .help = "write a NUL byte after each text, not a line feed", .group = TEXTS},
    [OPT_UNSEEDED] = {"unseeded", 0, PARE_OPTION_FLAG, COMMAND,
                      .help = "use the kernel's random numbers: for --record", .group = TEXTS},
    [OPT_TIMEOUT] = {"timeout", 0, PARE_OPTION_TIME, COMMAND, .value = "TIME",
                     .help = "time limit for COMMAND, such as 30 or 2m; default 10",
                     .group = TEXTS},
    [OPT_GRAPH] = {"graph", 0, PARE_OPTION_TEXT, COMMAND, .value = "G.json",
                   .help = "make expressions that call a script engine's functions, from a "
                           "graph of 'pare graph'",
                   .group = GRAPHS},
    [OPT_MAX_CALLS] = {"max-calls", 0, PARE_OPTION_WHOLE, COMMAND, .value = "N", .least = 1,
                       .most = 1000000,
                       .help = "how many functions of the graph an expression may call; default 5. "
                               "Without a grammar, --max-depth limits nested properties, calls and "
                               "values; default 8",
                       .group = GRAPHS},
    [OPT_KEEP_VALUES] = {"keep-values", 0, PARE_OPTION_TEXT, COMMAND, .value = "P",
                         .help = "probability, 0 to 1, that a text keeps a value in a variable and "
                                 "goes on with another expression, which may use it",
                         .group = GRAPHS},
    [OPT_GRAPH_RULE] = {"graph-rule", 0, PARE_OPTION_TEXT, COMMAND, .value = "RULE",
                        .help = "with a grammar: the rule that is replaced by expressions of the "
                                "graph; default expression, or a rule with a similar name",
                        .group = GRAPHS},
    [OPT_GRAPH_SHARE] = {"graph-share", 0, PARE_OPTION_TEXT, COMMAND, .value = "P",
                         .help =
                             "with a grammar: probability, 0 to 1, that it is replaced; default "
                             "0.7",
                         .group = GRAPHS},
};

/* The last two forms run a program of the user's; they share the options of output and none of
 * those that say how texts are made. */
static void print_help(FILE *out, pare_help_extent extent)
{
    fputs("usage: pare generate --grammar FILE ... [--start RULE] [-n N] [-o PATTERN]\n"
          "       pare generate --graph G.json [-n N] [--keep-values P] [-o PATTERN]\n"
          "       pare generate --model web [--start html|svg|css] [-n N] [-o PATTERN]\n"
          "       pare generate ... --only K --record FILE [-o FILE]\n"
          "       pare generate --record FILE [-o FILE] -- COMMAND ...\n"
          "       pare generate --replay FILE [-o FILE] -- COMMAND ...\n"
          "\n"
          "Makes texts from a grammar: an ANTLR v4 grammar (give its lexer too if that is\n"
          "a separate file) or one in the JSON format of The Fuzzing Book.  No text is\n"
          "made twice, and the same seed makes the same texts.\n"
          "\n"
          "    pare generate --grammar JSON.g4 -n 1000 -o 'tests/%d.json'\n"
          "\n"
          "With --record the choices that led to the text are saved, for 'pare reduce\n"
          "--choices'.  COMMAND may be any generator: its output is the text, and all\n"
          "random numbers that it gets from rand, random, drand48 and their family,\n"
          "arc4random, getrandom and /dev/urandom are recorded.\n"
          "\n"
          "    pare generate --record bad.c.choices -o bad.c -- csmith\n"
          "\n",
          out);
    pare_options_print_help(out, options, N_OPTS, COMMAND, extent);
    fputs("\n"
          "Exit codes: 0 done, 1 fewer texts than asked for, 2 usage, 3 error.\n",
          out);
}

/* Where texts go.  `name` is used again for each file, so that a million texts cost no
 * million allocations.  Borrowed but for `name`. */
struct output {
    const char *pattern; /* NULL: standard output */
    size_t at;           /* where %d stands in it; its length: nowhere */
    pare_buffer name;    /* of the file at hand */
    char end;
};

/* In one place, since output goes to files or to standard output.  A full disk and a closed
 * pipe are told in the same words. */
static pare_status fail_output(const struct output *output, int os_errno, pare_error *err)
{
    char shown[SHOWN_BYTES];
    const char *name = output->pattern ? output->name.data : "standard output";
    return pare_fail_errno(err, os_errno, "cannot write '%s'",
                           pare_format_name(shown, sizeof shown, name));
}

/* The pattern with the number in the place of its %d is the name.  A file is opened, written
 * and closed for each text: thousands of names cannot be held open. */
static pare_status write_file(struct output *output, uint64_t number, const char *text, size_t size,
                              pare_error *err)
{
    const char *rest = output->pattern + output->at;
    pare_buffer_reset(&output->name);
    pare_status status = pare_buffer_add(&output->name, output->pattern, output->at, err);
    /* The two bytes of %d are left out. */
    if (!status && *rest)
        status =
            pare_buffer_format(&output->name, err, "%llu%s", (unsigned long long)number, rest + 2);
    if (status) return status;
    FILE *file = fopen(output->name.data, "w");
    if (!file) return fail_output(output, errno, err);
    /* The first thing that fails is told: the write, or else closing, which is where a full disk
     * may show. */
    bool written = fwrite(text, 1, size, file) == size;
    int os_errno = errno;
    if (fclose(file) && written) {
        written = false;
        os_errno = errno;
    }
    return written ? PARE_OK : fail_output(output, os_errno, err);
}

/* Called for each text in the order of the numbers; the context is the output.  An error ends
 * the generation at this text; those before it are there. */
static pare_status write_text(void *context, uint64_t number, const char *text, size_t size,
                              pare_error *err)
{
    struct output *output = context;
    if (output->pattern) return write_file(output, number, text, size, err);
    bool written = fwrite(text, 1, size, stdout) == size && fputc(output->end, stdout) != EOF;
    return written ? PARE_OK : fail_output(output, errno, err);
}

/* A pattern has one %d, and needs it when there are several texts.  Checked before anything is
 * made: a pattern that is wrong would otherwise overwrite one file n times. */
static bool read_pattern(struct output *output, uint64_t n)
{
    if (!output->pattern) return true;
    const char *found = strstr(output->pattern, "%d");
    /* Without %d the name is all of the pattern. */
    output->at = found ? (size_t)(found - output->pattern) : strlen(output->pattern);
    if (found && strstr(found + 2, "%d")) {
        pare_report(NAME, "there is more than one %%d in '%s'", output->pattern);
        return false;
    }
    if (!found && n > 1) {
        pare_report(NAME, "'%s' has no %%d, which stands for the number of the text",
                    output->pattern);
        return false;
    }
    return true;
}

/* Says what is wrong and returns false, as read_pattern does.  A cooldown of 0 would take each
 * alternative once and then none. */
static bool read_cooldown(const char *text, double *factor)
{
    char *end;
    if (!text) return true;
    *factor = strtod(text, &end);
    if (!*end && *factor > 0 && *factor <= 1) return true;
    pare_report(NAME, "'%s' is not a cooldown: write a number above 0 and at most 1, such as 0.9",
                text);
    return false;
}

/* --verbose: figures of what was made.  Repeated texts are those that were made and
 * thrown away, as no text is written twice; refused ones are those that the parser of
 * --lang did not take. */
static void say_what(const pare_generated *generated)
{
    char taken[SHOWN_BYTES] = "", refused[SHOWN_BYTES] = "";
    if (generated->n_refused)
        (void)snprintf(refused, sizeof refused, ", %llu refused by the parser",
                       (unsigned long long)generated->n_refused);
    if (generated->n_alternatives)
        (void)snprintf(taken, sizeof taken, "; %zu of %zu alternatives taken", generated->n_covered,
                       generated->n_alternatives);
    pare_report(NAME, "%llu texts, %llu bytes, %llu repeated ones replaced%s%s",
                (unsigned long long)generated->n, (unsigned long long)generated->size_bytes,
                (unsigned long long)generated->n_repeated, refused, taken);
}

/* Says what was made, as far as it is wanted; gives the exit code.  That there are no more new
 * texts is no error of the user's: a grammar may have few.  The exit code tells scripts. */
static pare_exit conclude(const pare_arguments *arguments, uint64_t n,
                          const pare_generated *generated)
{
    bool quiet = arguments->values[OPT_QUIET].position;
    if (!quiet && generated->n_unmade)
        pare_report(NAME, "%llu of %llu texts could not be made: %s",
                    (unsigned long long)generated->n_unmade, (unsigned long long)n,
                    generated->reason);
    if (!quiet && generated->exhausted)
        pare_report(NAME, "there were no more new texts after %llu: see --repeats",
                    (unsigned long long)generated->n);
    if (arguments->values[OPT_VERBOSE].position) say_what(generated);
    /* Fewer than were asked for: a script that needs n files is told by the code,
     * whatever the reason. */
    return generated->n < n ? PARE_EXIT_NOTHING : PARE_EXIT_DONE;
}

/* --pattern: texts of what an explanation says.  Of the other options only -n, --seed
 * and --one mean anything here. */
static pare_exit run_pattern(const pare_arguments *arguments, struct output *output)
{
    pare_error err = {0};
    const pare_option_value *values = arguments->values;
    const pare_failure_pattern_options wanted = {.path = values[OPT_PATTERN].text,
                                                 .n = values[OPT_NUMBER].number,
                                                 .seed = values[OPT_SEED].number,
                                                 .one = values[OPT_ONE].position > 0};
    const pare_status status = pare_failure_pattern_generate(&wanted, write_text, output, &err);
    /* Also where texts could not be made: those before were printed. */
    const pare_exit printed = pare_report_printed(NAME);
    return status ? pare_report_failure(NAME, &err) : printed;
}

/* Makes the texts by what they reach: --coverage-by.  Ctrl-C ends the command of the text at hand and
 * then the generation, with its folder; what was made until then is there. */
static pare_status run_guided(const pare_option_value *values, const pare_generate_options *wanted,
                              struct output *output, pare_guided *guided, pare_error *err)
{
    struct output members = {.pattern = values[OPT_MEMBERS].text};
    pare_guide_options guide = {.generate = wanted,
                                .command = values[OPT_COVERAGE_BY].text,
                                .timeout_ms = values[OPT_TIMEOUT].number,
                                .reduce_members = values[OPT_REDUCE_MEMBERS].position,
                                .joined = members.pattern ? write_text : NULL,
                                .joined_context = &members};
    (void)read_pattern(&members, wanted->n); /* it was looked at before */
    pare_status status = pare_stop_new(&guide.stop, err);
    if (status) return status;
    pare_signals_take(guide.stop);
    status = pare_guide_generate(&guide, write_text, output, guided, err);
    pare_signals_leave();
    pare_stop_free(guide.stop);
    pare_buffer_done(&members.name);
    return status;
}

/* What is of no use without a program that is asked; NULL: nothing. */
static const char *check_guide(const pare_option_value *values)
{
    if (values[OPT_COVERAGE_BY].position) return NULL;
    if (values[OPT_REDUCE_MEMBERS].position) return "'--reduce-members' needs '--coverage-by'";
    if (values[OPT_MEMBERS].position) return "'--members' needs '--coverage-by'";
    return NULL;
}

/* --verbose, with --coverage-by. */
static void say_population(const pare_guided *guided)
{
    pare_report(
        NAME, "%llu joined the population, %llu bytes; %llu things reached; %llu runs to reduce",
        (unsigned long long)guided->n_members, (unsigned long long)guided->members_bytes,
        (unsigned long long)guided->n_reached, (unsigned long long)guided->n_reduction_runs);
}

/* Two bounds, of which the one that is not given is the default unless that contradicts
 * the other; both stay 0 where neither is.
 * With {10, 100} as usual, --max-length 5 gives 5 .. 5, and --min-length 200 gives 200
 * .. 200. */
static void read_bounds(const pare_option_value *least, const pare_option_value *most,
                        const uint32_t usual[2], uint32_t bounds[2])
{
    if (!least->position && !most->position) return;
    bounds[0] = least->position ? (uint32_t)least->number : usual[0];
    bounds[1] = most->position ? (uint32_t)most->number : usual[1];
    if (!most->position && bounds[1] < bounds[0]) bounds[1] = bounds[0];
    if (!least->position && bounds[0] > bounds[1]) bounds[0] = bounds[1];
}

/* The bounds of the fuzzers of The Fuzzing Book. */
static void read_fuzzer_bounds(const pare_option_value *values, pare_generate_options *wanted)
{
    /* The usual bounds, which --help names: nonterminals, characters, changes. */
    static const uint32_t usual[3][2] = {{0, 10}, {10, 100}, {2, 10}};
    uint32_t nonterminals[2] = {0}, length[2] = {0}, mutations[2] = {0};
    read_bounds(&values[OPT_MIN_NONTERMINALS], &values[OPT_MAX_NONTERMINALS], usual[0],
                nonterminals);
    read_bounds(&values[OPT_MIN_LENGTH], &values[OPT_MAX_LENGTH], usual[1], length);
    read_bounds(&values[OPT_MIN_MUTATIONS], &values[OPT_MAX_MUTATIONS], usual[2], mutations);
    wanted->min_nonterminals = nonterminals[0];
    wanted->max_nonterminals = nonterminals[1];
    wanted->min_length = length[0];
    wanted->max_length = length[1];
    wanted->min_mutations = mutations[0];
    wanted->max_mutations = mutations[1];
}

/* `texts` has room for all grammars and populations, which are laid out one after the other.
 * What was printed is looked at even if making texts failed.  Unless the user says otherwise
 * all numbers are 0, which is the library's default. */
static pare_exit run(const pare_arguments *arguments, const char **texts, struct output *output)
{
    pare_error err = {0};
    pare_guided guided = {.n_reached = 0};
    const pare_option_value *values = arguments->values;
    const bool is_guided = values[OPT_COVERAGE_BY].position > 0;
    /* --only K is the run of K + 1 texts of which the last is made: the numbers of a
     * text do not depend on those before it. */
    uint64_t first = values[OPT_ONLY].number;
    uint64_t n = values[OPT_NUMBER].position ? values[OPT_NUMBER].number : 1;
    size_t n_grammars = pare_options_texts(arguments, OPT_GRAMMAR, texts);
    pare_generate_options wanted = {
        .struct_bytes = sizeof wanted,
        .grammars = texts,
        .n_grammars = n_grammars,
        .population = texts + n_grammars,
        .n_population = pare_options_texts(arguments, OPT_POPULATION, texts + n_grammars),
        .language = values[OPT_LANG].text,
        .start = values[OPT_START].text,
        .n = first + n,
        .first = first,
        .record = values[OPT_RECORD].text,
        .replay = values[OPT_REPLAY].text,
        .seed = values[OPT_SEED].number,
        .unseeded = values[OPT_UNSEEDED].position,
        .jobs = (unsigned)values[OPT_JOBS].number,
        .max_depth = (uint32_t)values[OPT_MAX_DEPTH].number,
        .max_tokens = (uint32_t)values[OPT_MAX_TOKENS].number,
        .unusual = (double)values[OPT_UNUSUAL].number / 100,
        .model = values[OPT_MODEL].text,
        .weights = values[OPT_WEIGHTS].text,
        .hooks = values[OPT_HOOKS].text,
        .fuzzer = values[OPT_FUZZER].text,
        .repeats = values[OPT_REPEATS].position,
        .graph = values[OPT_GRAPH].text,
        .max_calls = (uint32_t)values[OPT_MAX_CALLS].number,
        .graph_rule = values[OPT_GRAPH_RULE].text,
        .random = values[OPT_RANDOM].text,
        .defaults = values[OPT_DEFAULTS].text,
    };
    read_fuzzer_bounds(values, &wanted);
    /* Its pattern is read here only to be refused before anything is made. */
    struct output members = {.pattern = values[OPT_MEMBERS].text};
    if (!read_cooldown(values[OPT_COOLDOWN].text, &wanted.cooldown) || !read_pattern(output, n) ||
        !read_pattern(&members, wanted.n))
        return PARE_EXIT_USAGE;
    if (values[OPT_PATTERN].position) return run_pattern(arguments, output);
    pare_status status =
        /* Of a pattern no probability is read, so nothing is said of one that is wrong. */
        pare_options_chance(values[OPT_KEEP_VALUES].text, &wanted.keep_values, &err);
    if (!status)
        status = pare_options_chance(values[OPT_GRAPH_SHARE].text, &wanted.graph_share, &err);
    if (status) return pare_report_failure(NAME, &err);
    status = is_guided ? run_guided(values, &wanted, output, &guided, &err)
                       : pare_generate(&wanted, write_text, output, &guided.generated, &err);
    pare_exit printed = pare_report_printed(NAME);
    if (status) return pare_report_failure(NAME, &err);
    /* Most often the command is wrong, and not each text. */
    if (is_guided && !guided.n_members && !values[OPT_QUIET].position)
        pare_report(NAME, "nothing joined the population: '%s' failed for each text",
                    values[OPT_COVERAGE_BY].text);
    if (is_guided && values[OPT_VERBOSE].position) say_population(&guided);
    return printed == PARE_EXIT_DONE ? conclude(arguments, n, &guided.generated) : printed;
}

/* Whether anything says what the texts are to be.  The library would say that a grammar
 * is needed; here the sentence can name the command line that was meant.  A model that
 * was fetched brings its grammar along. */
static bool has_source(const pare_arguments *arguments)
{
    const char *fuzzer = arguments->values[OPT_FUZZER].text;
    const char *model = arguments->values[OPT_MODEL].text;
    const pare_language_info *added = model ? pare_language_find(model) : NULL;
    /* A model that `pare lang add` has fetched needs no grammar. */
    if (added && added->is_model) return true;
    return arguments->values[OPT_PATTERN].position || arguments->values[OPT_GRAMMAR].position ||
           arguments->values[OPT_LANG].position || arguments->values[OPT_POPULATION].position ||
           arguments->values[OPT_GRAPH].position || (fuzzer && strcmp(fuzzer, "random") == 0);
}

/* --- COMMAND ---------------------------------------------------------------------------- */

/* To the file `path`, or where that is NULL to standard output, which has no line end added:
 * these are bytes, not texts.  What was recorded may hold any bytes, also NUL. */
static pare_exit write_bytes(const char *path, const char *bytes, size_t size)
{
    pare_error err = {0};
    struct output output = {.pattern = path, .at = path ? strlen(path) : 0};
    pare_status status = PARE_OK;
    if (path)
        status = write_file(&output, 0, bytes, size, &err);
    else if (fwrite(bytes, 1, size, stdout) != size)
        status = fail_output(&output, errno, &err);
    pare_buffer_done(&output.name);
    return status ? pare_report_failure(NAME, &err) : PARE_EXIT_DONE;
}

/* What is wrong with the command line; NULL: nothing.  Options that say how texts are made are
 * not looked at: they would change nothing. */
static const char *check_record(const pare_arguments *arguments)
{
    const pare_option_value *values = arguments->values;
    if (values[OPT_RECORD].position && values[OPT_REPLAY].position)
        return "'--record' and '--replay' exclude each other";
    if (values[OPT_ONLY].position) return "'--only' is not for COMMAND";
    if (values[OPT_GRAMMAR].position) return "a text is made by a grammar or by COMMAND, not both";
    if (arguments->n_before_dashes) return "COMMAND belongs after '--'";
    /* COMMAND would be the second thing that makes a text. */
    return arguments->n_operands && *arguments->operands[0] ? NULL : "COMMAND is missing";
}

/* Runs COMMAND, and keeps its choices, or gives it those that were kept.  The program's own
 * standard error goes to the terminal as it comes. */
static pare_exit record(const pare_arguments *arguments)
{
    pare_error err = {0};
    pare_recorded recorded = {0};
    const pare_option_value *values = arguments->values;
    const char *wrong = check_record(arguments);
    if (wrong) {
        pare_report(NAME, "%s: pare generate --%s FILE -- COMMAND", wrong,
                    values[OPT_REPLAY].position ? "replay" : "record");
        return PARE_EXIT_USAGE;
    }
    const pare_record_options wanted = {.words = arguments->operands,
                                        .n_words = arguments->n_operands,
                                        .replay = values[OPT_REPLAY].text,
                                        .timeout_ms = values[OPT_TIMEOUT].number};
    if (pare_record(&wanted, &recorded, &err)) return pare_report_failure(NAME, &err);
    pare_exit code = PARE_EXIT_DONE;
    /* The choices before the text: a text without them cannot be reduced by them. */
    if (values[OPT_RECORD].position)
        code = write_bytes(values[OPT_RECORD].text, recorded.choices, recorded.choices_bytes);
    if (code == PARE_EXIT_DONE)
        code = write_bytes(values[OPT_OUTPUT].text, recorded.text, recorded.text_bytes);
    if (code == PARE_EXIT_DONE && values[OPT_VERBOSE].position)
        pare_report(NAME, "%zu choices, %zu bytes", recorded.n_choices, recorded.text_bytes);
    pare_recorded_done(&recorded);
    pare_exit printed = pare_report_printed(NAME);
    return code == PARE_EXIT_DONE ? printed : code;
}

/* Whether the command line names a generator of the user's: with --record and --replay, unless
 * there is no command and something else says what the text is to be. */
static bool is_foreign(const pare_arguments *arguments)
{
    const pare_option_value *values = arguments->values;
    if (!values[OPT_RECORD].position && !values[OPT_REPLAY].position) return false;
    return arguments->n_operands || !has_source(arguments);
}

/* What is wrong with a command line for texts of ours; NULL: nothing. */
static const char *check_own(const pare_arguments *arguments)
{
    const pare_option_value *values = arguments->values;
    if (arguments->n_operands) return "there are too many operands";
    if (!has_source(arguments)) return "a grammar is missing";
    if (values[OPT_ONLY].position && values[OPT_NUMBER].position)
        return "'-n' and '--only' exclude each other";
    return NULL;
}

/* Two commands in one: a generator of the user's is run, or texts are made by ours.  The list of
 * texts is shared by --grammar and --population: both are repeatable, and their number is known
 * from the parser. */
static pare_exit generate(const pare_arguments *arguments)
{
    pare_error err = {0};
    struct output output = {.pattern = arguments->values[OPT_OUTPUT].text,
                            .end = arguments->values[OPT_NULL].position ? '\0' : '\n'};
    if (is_foreign(arguments)) return record(arguments);
    const char *wrong = check_own(arguments);
    const char *unguided = wrong ? NULL : check_guide(arguments->values);
    if (wrong) pare_report(NAME, "%s: pare generate --grammar FILE.g4", wrong);
    if (unguided)
        pare_report(NAME, "%s: pare generate --population FOLDER --coverage-by COMMAND", unguided);
    if (wrong || unguided) return PARE_EXIT_USAGE;
    /* One more, so that a list of none has an address. */
    const char **texts = pare_alloc(arguments->n_texts + 1, sizeof *texts);
    if (!texts) {
        (void)pare_fail_nomem(&err);
        return pare_report_failure(NAME, &err);
    }
    pare_exit code = run(arguments, texts, &output);
    pare_buffer_done(&output.name);
    pare_alloc_free(texts);
    return code;
}

const pare_command pare_command_generate = {
    .title = NAME,
    .name = "generate",
    .summary = "make inputs from a grammar",
    .options = {options, N_OPTS, COMMAND},
    .help = print_help,
    .run = generate,
};
