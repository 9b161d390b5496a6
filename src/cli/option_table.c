/* The options of `pare reduce` and `pare isolate` as data: the parser, the help, and by its tests
 * the completions and the manual pages go by this table.
 *
 * Its order is that of the help: first what most runs need, whose help must fit two screens
 * (tests/cli/test_usage.sh), then the rest by groups.
 *
 * Why one table for two commands: an option that both have must mean the same in both. The
 * words of a CHOICE are tied to the enum of the library by their order alone. */
#include "cli/option_table.h"

/* Which commands know an option.  Isolation has no trees, no rounds and no places, so many are
 * for reduction only. */
enum {
    REDUCE = PARE_COMMAND_REDUCE,
    BOTH = PARE_COMMAND_REDUCE | PARE_COMMAND_ISOLATE,
    ALL = BOTH | PARE_COMMAND_EXPLAIN,
    NOT_ISOLATE = PARE_COMMAND_REDUCE | PARE_COMMAND_EXPLAIN
};

/* Headings of the groups, in the order of --help=all.  The parser tells groups apart by these
 * addresses; options without a group are the common ones. */
static const char FAILURE[] = "What the failure is";
static const char INPUT[] = "What is reduced";
static const char ALGORITHM[] = "How it is reduced";
static const char RUN[] = "How tests are run";
static const char RECORD[] = "What is written down";
static const char LISTS[] = "List algorithms";
static const char TREES[] = "Tree algorithms";

/* Indexed by enum pare_option_index, printed in this order.  A CHOICE has its words in
 * `value`, in the order of the enum of the library that it stands for.  `least` and `most` are
 * those of the library; a limit that the library has not is 0 and the type's largest number.
 * `word` is the one word that is allowed in the place of a number. */
const pare_option pare_option_table[PARE_N_OPTIONS] = {
    [PARE_OPT_OUTPUT] = {"output", 'o', PARE_OPTION_TEXT, BOTH, .value = "FILE",
                         .help = "the result; default NAME.min.EXT beside the input"},
    [PARE_OPT_OUTPUT_PASSING] = {"output-passing", 0, PARE_OPTION_TEXT, PARE_COMMAND_ISOLATE,
                                 .value = "FILE",
                                 .help = "the passing side; default NAME.max.EXT beside PASSING"},
    [PARE_OPT_IN_PLACE] = {"in-place", 0, PARE_OPTION_FLAG, REDUCE,
                           .help = "replace INPUT by the result and keep it as INPUT.orig"},
    [PARE_OPT_JOBS] = {"jobs", 'j', PARE_OPTION_WHOLE, ALL, "N", 1, 1024,
                       .help = "tests at once; default the number of cores"},
    [PARE_OPT_EXIT] = {"exit", 0, PARE_OPTION_TEXT, ALL, .value = "N|nonzero",
                       .help = "keep: PROGRAM ends with this exit code"},
    [PARE_OPT_SIGNAL] = {"signal", 0, PARE_OPTION_TEXT, ALL, .value = "NAME",
                         .help = "keep: this signal ends PROGRAM, such as SIGSEGV"},
    [PARE_OPT_STDOUT] = {"stdout", 0, PARE_OPTION_TEXTS, ALL, .value = "REGEX",
                         .help = "keep: PROGRAM prints this on standard output"},
    [PARE_OPT_STDERR] = {"stderr", 0, PARE_OPTION_TEXTS, ALL, .value = "REGEX",
                         .help = "keep: PROGRAM prints this on standard error"},
    [PARE_OPT_ANY_OUTPUT] = {"any-output", 0, PARE_OPTION_TEXTS, ALL, .value = "REGEX",
                             .help = "keep: PROGRAM prints this on either"},
    [PARE_OPT_NO_OUTPUT] = {"no-output", 0, PARE_OPTION_TEXTS, ALL, .value = "REGEX",
                            .help = "reject candidates on which PROGRAM prints this"},
    [PARE_OPT_HANG] = {"hang", 0, PARE_OPTION_TIME, ALL, .value = "TIME",
                       .help = "keep: PROGRAM does not end within this time"},
    [PARE_OPT_DIFFERS] = {"differs", 0, PARE_OPTION_TEXT, ALL, .value = "COMMAND",
                          .help = "keep: COMMAND exits or prints otherwise than PROGRAM"},
    [PARE_OPT_VALID] = {"valid", 0, PARE_OPTION_TEXT, ALL, .value = "COMMAND",
                        .help = "reject candidates on which COMMAND fails"},
    [PARE_OPT_MESSAGE] =
        {"message", 0, PARE_OPTION_TEXT, ALL, .value = "TEXT",
         .help = "keep: of several errors or warnings of PROGRAM, the first with TEXT in it"},
    [PARE_OPT_KEEP] = {"keep", 0, PARE_OPTION_TEXTS, ALL, .value = "kind|message|exact|GLOB",
                       .help = "how much of a failure that is learnt stays; default message.  Of a "
                               "folder: files to leave as they are"},
    [PARE_OPT_LANG] =
        {"lang", 0, PARE_OPTION_TEXT, NOT_ISOLATE, .value = "NAME",
         .help = "language of INPUT (see pare lang); default by its name; none: go by brackets"},
    [PARE_OPT_GRAMMAR] = {"grammar", 'g', PARE_OPTION_TEXTS, NOT_ISOLATE, .value = "FILE",
                          .help = "ANTLR v4 grammar of INPUT; once for each of its files"},
    [PARE_OPT_ALGORITHM] = {"algorithm", 'a', PARE_OPTION_TEXT, REDUCE, .value = "NAME",
                            .help = "how to reduce; default auto; see --list-algorithms"},
    [PARE_OPT_EFFORT] = {"effort", 0, PARE_OPTION_CHOICE, REDUCE, .value = "normal|fast|max",
                         .help = "how long to go on when hardly anything is found"},
    [PARE_OPT_TIMEOUT] = {"timeout", 0, PARE_OPTION_TIME, ALL, .value = "TIME",
                          .help = "limit of one test, such as 2, 500ms or 1m"},
    [PARE_OPT_MAX_TIME] = {"max-time", 0, PARE_OPTION_TIME, ALL, .value = "TIME",
                           .help = "stop after so much time"},
    [PARE_OPT_MAX_TESTS] = {"max-tests", 0, PARE_OPTION_WHOLE, ALL, "N", 1, UINT64_MAX,
                            .help = "stop after so many tests"},
    [PARE_OPT_TARGET_SIZE] = {"target-size", 0, PARE_OPTION_SIZE, REDUCE, .value = "SIZE",
                              .help = "stop when the result is not larger than this"},
    [PARE_OPT_REPORT] = {"report", 0, PARE_OPTION_TEXT, ALL, .value = "FILE",
                         .help = "write an HTML page about the run at its end"},
    [PARE_OPT_QUIET] = {"quiet", 'q', PARE_OPTION_FLAG, BOTH, .help = "print nothing but errors"},
    [PARE_OPT_VERBOSE] = {"verbose", 'v', PARE_OPTION_FLAG, BOTH,
                          .help = "print a line for each test"},
    [PARE_OPT_HELP] = {"help", 'h', PARE_OPTION_FLAG, ALL, .word = "all",
                       .help = "print this, and stop; --help=all: with all options"},
    [PARE_OPT_MAX_RSS] = {"max-rss", 0, PARE_OPTION_SIZE, ALL, "SIZE", 1,
                          .help = "keep: PROGRAM takes at least so much memory", .group = FAILURE},
    [PARE_OPT_ALLOW_NEW_ERRORS] = {"allow-new-errors", 0, PARE_OPTION_FLAG, ALL,
                                   .help = "take candidates for which PROGRAM also reports errors "
                                           "of kinds that it does not report for INPUT",
                                   .group = FAILURE},
    [PARE_OPT_SIGNATURE] = {"signature", 0, PARE_OPTION_TEXT, ALL, .value = "FILE",
                            .help =
                                "keep the failure that FILE names; written when it does not exist",
                            .group = FAILURE},
    [PARE_OPT_ALLOW_EMPTY] =
        {"allow-empty", 0, PARE_OPTION_FLAG, REDUCE,
         .help =
             "reduce although an empty input, a line end or the first bytes of INPUT fail as well",
         .group = FAILURE},
    [PARE_OPT_FLAKY] = {"flaky", 0, PARE_OPTION_TEXT, REDUCE, .value = "auto|off|P",
                        .help = "whether the failure may come by chance: found out and kept about "
                                "as frequent (auto, the default), one run a test (off), or kept in "
                                "at least this share of runs, above 0 and below 1",
                        .group = FAILURE},
    [PARE_OPT_FLAKY_PRECISION] =
        {"flaky-precision", 0, PARE_OPTION_TEXT, REDUCE, .value = "W",
         .help = "measure how often input and result fail to within this share, such as 0.02, with "
                 "95 % confidence; without it by 20 to 60 runs of the input",
         .group = FAILURE},
    [PARE_OPT_REDUCE_ARGS] = {"reduce-args", 0, PARE_OPTION_FLAG, REDUCE,
                              .help = "reduce PROGRAM's arguments too", .group = INPUT},
    [PARE_OPT_REDUCE_ENV] = {"reduce-env", 0, PARE_OPTION_FLAG, REDUCE,
                             .help = "reduce the variables of its environment too", .group = INPUT},
    [PARE_OPT_ONLY] = {"only", 0, PARE_OPTION_TEXTS, REDUCE, .value = "GLOB",
                       .help = "of several files: reduce only those that match", .group = INPUT},
    [PARE_OPT_PROTECT] = {"protect", 0, PARE_OPTION_TEXTS, REDUCE, .value = "REGEX",
                          .help = "leave what matches in INPUT as it is; may be repeated",
                          .group = INPUT},
    [PARE_OPT_START] = {"start", 0, PARE_OPTION_TEXT, NOT_ISOLATE, .value = "RULE",
                        .help = "rule of the grammar that INPUT is; default its first",
                        .group = INPUT},
    [PARE_OPT_TREE] = {"tree", 0, PARE_OPTION_TEXT, REDUCE, .value = "FILE.json",
                       .help =
                           "the tree of INPUT, made by any parser, in the place of a grammar or "
                           "a language",
                       .group = INPUT},
    [PARE_OPT_ISLAND] = {"island", 0, PARE_OPTION_TEXTS, REDUCE, .value = "TOKEN[:REGEX]=LANGUAGE",
                         .help = "what is another language in these tokens, or where REGEX matches "
                                 "in them: FILE.g4[#RULE] or lang:NAME; may be repeated",
                         .group = INPUT},
    [PARE_OPT_GENERATOR] = {"generator", 0, PARE_OPTION_TEXT, REDUCE, .value = "COMMAND",
                            .help = "makes the text that TEST after '--' gets, of the choices in "
                                    "the file of --choices, which are reduced",
                            .group = INPUT},
    [PARE_OPT_CHOICES] = {"choices", 0, PARE_OPTION_TEXT, REDUCE, .value = "FILE",
                          .help = "what COMMAND of --generator reads as its random bytes, or what "
                                  "'pare generate --record' made of it",
                          .group = INPUT},
    [PARE_OPT_LIST_ALGORITHMS] = {"list-algorithms", 0, PARE_OPTION_FLAG, REDUCE,
                                  .help = "describe the algorithms and units, and stop",
                                  .group = ALGORITHM},
    [PARE_OPT_LIST_CANDIDATES] = {"list-candidates", 0, PARE_OPTION_FLAG, REDUCE,
                                  .help = "of one INPUT, without TEST: print what would be tried "
                                          "if nothing could go, in this order, with a line feed "
                                          "after each, and stop",
                                  .group = ALGORITHM},
    [PARE_OPT_UNIT] = {"unit", 'u', PARE_OPTION_TEXT, BOTH, .value = "NAME",
                       .help = "what is removed: byte, char, line, token or bracket; several, "
                               "separated by commas, are phases; default by algorithm",
                       .group = ALGORITHM},
    [PARE_OPT_STRATEGY] = {"strategy", 0, PARE_OPTION_TEXT, REDUCE, .value = "COMMAND",
                           .help =
                               "an algorithm of one's own: a process that is told the number of "
                               "units, proposes in lines which of them to keep, and is told "
                               "FAIL, PASS or UNRESOLVED; lua:FILE: a script in Lua",
                           .group = ALGORITHM},
    [PARE_OPT_JSON] = {"json", 0, PARE_OPTION_FLAG, PARE_COMMAND_EXPLAIN,
                       .help = "print the explanation as JSON"},
    [PARE_OPT_EXPLAIN] = {"explain", 0, PARE_OPTION_FLAG, PARE_COMMAND_REDUCE,
                          .help = "at the end say what of the result may vary, as 'pare explain', "
                                  "and show it laid out as the input was",
                          .group = RECORD},
    [PARE_OPT_DETERMINISTIC] =
        {"deterministic", 0, PARE_OPTION_FLAG, BOTH,
         .help = "the same bytes for every --jobs; without it the default's may differ above 4",
         .group = ALGORITHM},
    [PARE_OPT_NO_COVERAGE] =
        {"no-coverage", 0, PARE_OPTION_FLAG, REDUCE,
         .help = "do not ask an interpreter what of a script is executed, to remove the rest first",
         .group = ALGORITHM},
    [PARE_OPT_NO_SEMANTIC] =
        {"no-semantic", 0, PARE_OPTION_FLAG, REDUCE,
         .help = "do not ask libclang about C and C++: edits that take types to know",
         .group = ALGORITHM},
    [PARE_OPT_WORKER] = {"worker", 0, PARE_OPTION_TEXT, REDUCE, .value = "COMMAND",
                         .help = "instead of TEST: a process for each job that reads a line for "
                                 "each candidate and answers FAIL, PASS or UNRESOLVED",
                         .group = RUN},
    [PARE_OPT_ALSO] = {"also", 0, PARE_OPTION_WHOLE, REDUCE, "CODE", 1, 255,
                       .help = "exit code of TEST for what is not kept but also interesting: "
                               "counted, and the smallest written to NAME.also",
                       .group = FAILURE},
    [PARE_OPT_WORKERS] = {"workers", 0, PARE_OPTION_TEXT, REDUCE, .value = "URL",
                          .help = "tests run on the workers of a NATS server, too: "
                                  "nats://HOST[:PORT][/NAME], see pare-worker(1); implies "
                                  "--deterministic",
                          .group = RUN},
    [PARE_OPT_WITH] = {"with", 0, PARE_OPTION_TEXTS, REDUCE, .value = "FILE",
                       .help = "travels with the test to workers, besides what it is seen to name; "
                               "may be repeated",
                       .group = RUN},
    [PARE_OPT_CREDENTIALS] = {"credentials", 0, PARE_OPTION_TEXT, REDUCE, .value = "FILE",
                              .help = "who we are, for the server of --workers", .group = RUN},
    [PARE_OPT_INSECURE] = {"insecure", 0, PARE_OPTION_FLAG, REDUCE,
                           .help = "--workers without credentials also where the server is "
                                   "another machine",
                           .group = RUN},
    [PARE_OPT_CHECK_WITH] =
        {"check-with", 0, PARE_OPTION_TEXT, REDUCE, .value = "COMMAND",
         .help = "says what is wrong with a candidate that does not compile, '@@' is its path; "
                 "run where TEST hides that and it is of use.  Default: the compiler that TEST is "
                 "seen to run on INPUT",
         .group = RUN},
    [PARE_OPT_RUNNER] =
        {"runner", 0, PARE_OPTION_CHOICE, ALL, .value = "auto|spawn|preload|afl|inprocess",
         .help = "how tests are started: a new process each, forks of one that waits at its main, "
                 "AFL's fork server, or a library's LLVMFuzzerTestOneInput in one process; default "
                 "what proves faster with the same endings",
         .group = RUN},
    [PARE_OPT_SANDBOX] = {"sandbox", 0, PARE_OPTION_CHOICE, ALL, .value = "off|devices|full",
                          .help = "what tests cannot reach: devices: nothing is removed from /dev "
                                  "(default for root's TEST); full: nothing but copies is written, "
                                  "no other processes, no network (default for PROGRAM)",
                          .group = RUN},
    [PARE_OPT_NETWORK] = {"network", 0, PARE_OPTION_FLAG, ALL,
                          .help = "leave the network in a full sandbox", .group = RUN},
    [PARE_OPT_WRITABLE] = {"writable", 0, PARE_OPTION_TEXTS, ALL, .value = "PATH",
                           .help = "leave PATH writable in a full sandbox; may be repeated",
                           .group = RUN},
    [PARE_OPT_VISIBLE] = {"visible", 0, PARE_OPTION_TEXTS, ALL, .value = "PATH",
                          .help = "show PATH in a full sandbox as it is outside, with the sockets "
                                  "in it; may be repeated",
                          .group = RUN},
    [PARE_OPT_MEMORY] = {"memory", 0, PARE_OPTION_SIZE, ALL, "SIZE", 1,
                         .help = "limit of a test's memory, each process, such as 500M or 2G",
                         .group = RUN},
    [PARE_OPT_CPU] = {"cpu", 0, PARE_OPTION_TIME, ALL, .value = "TIME",
                      .help = "limit of a test's CPU time, each process", .group = RUN},
    [PARE_OPT_PROCESSES] =
        {"processes", 0, PARE_OPTION_WHOLE, ALL, "N", 1, INT32_MAX,
         .help = "limit of a test's processes and threads; default 1024 in a full sandbox",
         .group = RUN},
    [PARE_OPT_FILE_SIZE] =
        {"file-size", 0, PARE_OPTION_SIZE, ALL, "SIZE|none", 1, .word = "none",
         .help = "limit of a file that a test writes; default a quarter of the memory, at least 1G",
         .group = RUN},
    [PARE_OPT_NO_ASLR] = {"no-aslr", 0, PARE_OPTION_FLAG, ALL,
                          .help = "lay memory out alike in every test", .group = RUN},
    [PARE_OPT_JOURNAL] = {"journal", 0, PARE_OPTION_TEXT, BOTH, .value = "DIR",
                          .help = "remember outcomes here, to go on from, and keep them; default "
                                  "OUTPUT.pare/, without them after a complete run",
                          .group = RECORD},
    [PARE_OPT_NO_JOURNAL] = {"no-journal", 0, PARE_OPTION_FLAG, BOTH,
                             .help = "remember nothing on disk", .group = RECORD},
    [PARE_OPT_NO_HISTORY] = {"no-history", 0, PARE_OPTION_FLAG, REDUCE,
                             .help = "do not keep the bests beside the journal, for pare history; "
                                     "OUTPUT.pare/ is removed after a complete run",
                             .group = RECORD},
    [PARE_OPT_FROM_STEP] = {"from-step", 0, PARE_OPTION_WHOLE, REDUCE, "N", 1, UINT64_MAX,
                            .help = "reduce on from this step of the history of the result, as "
                                    "pare history lists them; what is there is kept",
                            .group = RECORD},
    [PARE_OPT_SYNC] = {"sync", 0, PARE_OPTION_CHOICE, BOTH, .value = "second|always|never",
                       .help = "what a loss of power may cost: the last second (the default), "
                               "nothing, or what the system had not written yet",
                       .group = RECORD},
    [PARE_OPT_NO_CACHE] = {"no-cache", 0, PARE_OPTION_FLAG, BOTH,
                           .help = "run repeated candidates again", .group = RECORD},
    [PARE_OPT_TRACE] = {"trace", 0, PARE_OPTION_TEXT, BOTH, .value = "FILE",
                        .help = "write one JSON object a line for each test", .group = RECORD},
    [PARE_OPT_TRACE_TEXTS] = {"trace-texts", 0, PARE_OPTION_FLAG, REDUCE,
                              .help = "put the text of each candidate into the trace",
                              .group = RECORD},
    [PARE_OPT_KEEP_CANDIDATES] =
        {"keep-candidates", 0, PARE_OPTION_TEXT, REDUCE, .value = "DIR",
         .help = "write every candidate to DIR, under the number of its test and its outcome",
         .group = RECORD},
    [PARE_OPT_STATS] = {"stats", 0, PARE_OPTION_TEXT, BOTH, .value = "FILE",
                        .help = "write statistics as one JSON object", .group = RECORD},
    [PARE_OPT_COLOR] = {"color", 0, PARE_OPTION_CHOICE, BOTH, .value = "auto|always|never",
                        .help = "default auto: on a terminal, unless NO_COLOR is set",
                        .group = RECORD},
    [PARE_OPT_VIEW] = {"view", 0, PARE_OPTION_FLAG, REDUCE,
                       .help = "show the reduction on the whole terminal, with keys; so does the "
                               "key v while it runs",
                       .group = RECORD},
    [PARE_OPT_SUBSETS] =
        {"subsets", 0, PARE_OPTION_CHOICE, REDUCE, .value = "first|last|skip",
         .help = "when ddmin tests single parts, before or after what is left without them",
         .group = LISTS},
    [PARE_OPT_ORDER] = {"order", 0, PARE_OPTION_CHOICE, REDUCE, .value = "forward|backward|random",
                        .help = "in which order parts are tried", .group = LISTS},
    [PARE_OPT_GRANULARITY] =
        {"granularity", 0, PARE_OPTION_WHOLE, REDUCE, "N|inf", 2, INT64_MAX, .word = "inf",
         .help = "first number of parts, and by how much it grows; inf: single units at once",
         .group = LISTS},
    [PARE_OPT_SPLIT] = {"split", 0, PARE_OPTION_CHOICE, REDUCE, .value = "zeller|balanced",
                        .help = "how a list is cut into parts", .group = LISTS},
    [PARE_OPT_FIXPOINT] = {"fixpoint", 0, PARE_OPTION_FLAG, REDUCE,
                           .help = "run the algorithm again until it removes nothing more",
                           .group = LISTS},
    [PARE_OPT_NO_FIXPOINT] = {"no-fixpoint", 0, PARE_OPTION_FLAG, REDUCE, .help = "run it once",
                              .group = LISTS},
    [PARE_OPT_SEED] = {"seed", 0, PARE_OPTION_WHOLE, REDUCE, "N", 0, UINT64_MAX,
                       .help = "for --order random", .group = LISTS},
    [PARE_OPT_TRANSFORM] =
        {"transform", 0, PARE_OPTION_TEXT, REDUCE, .value = "LIST",
         .help = "what is done to a tree first, in this order: remove-empty, flatten, squeeze, "
                 "hide, skip-space, separated by commas, or none; default by algorithm",
         .group = TREES},
    [PARE_OPT_LIST_ALGORITHM] = {"list-algorithm", 0, PARE_OPTION_TEXT, REDUCE, .value = "NAME",
                                 .help = "list algorithm that tree algorithms use for lists of "
                                         "nodes, or halves; default by algorithm",
                                 .group = TREES},
    [PARE_OPT_PHASE] =
        {"phase", 0, PARE_OPTION_TEXTS, REDUCE, .value = "STEPS",
         .help = "hdd, hddr: what is done to each list of nodes: prune, coarse, hoist, delete, "
                 "child, separated by commas; given several times, phases in sequence",
         .group = TREES},
    [PARE_OPT_TRAVERSAL] =
        {"traversal", 0, PARE_OPTION_CHOICE, REDUCE,
         .value = "last|last-backward|first|first-backward",
         .help = "hddr: which node of the work list comes next, and in which order children join",
         .group = TREES},
    [PARE_OPT_SEARCH] = {"search", 0, PARE_OPTION_CHOICE, REDUCE, .value = "depth|all|breadth",
                         .help = "grabr: look for smaller trees level by level, the nearest first, "
                                 "or at all levels at once; default depth.  perses: breadth, what "
                                 "has the same symbol, at any depth, the nearest first",
                         .group = TREES},
    [PARE_OPT_COMBINATIONS] =
        {"combinations", 0, PARE_OPTION_CHOICE, REDUCE, .value = "first|all",
         .help = "grabr: how many trees are built by one expansion; default first", .group = TREES},
    [PARE_OPT_CORPUS] = {"corpus", 0, PARE_OPTION_TEXTS, REDUCE, .value = "PATH",
                         .help = "gtr: example file, or folder of them, to learn from which edits "
                                 "make sense; may be repeated",
                         .group = TREES},
};
