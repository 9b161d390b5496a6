/* The options of `pare reduce`, `pare isolate` and `pare explain` as data.  The parser
 * and the help use this table, and tests compare the completions and the manual pages
 * with it.
 * Its order is that of the help: first what most runs need, whose help must fit two
 * screens (tests/cli/test_usage.sh), then the rest by groups.
 * Why one table for several commands: an option that they share must mean the same in
 * all of them.  The words of a CHOICE are tied to the enum of the library by their
 * order alone. */
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
 * `value`, in the order of the enum of the library that it stands for.
 * `least` and `most` are those of the library, and stand after `value` without their
 * names; a limit that the library has not is 0 and the type's largest number. `word` is
 * the one word that is allowed in the place of a number. */
const pare_option pare_option_table[PARE_N_OPTIONS] = {
    /* Where the result goes.  An explanation has no result. */
    [PARE_OPT_OUTPUT] = {"output", 'o', PARE_OPTION_TEXT, BOTH, .value = "FILE",
                         .help = "the result; default NAME.min.EXT beside the input"},
    [PARE_OPT_OUTPUT_PASSING] =
        {"output-passing", 0, PARE_OPTION_TEXT, PARE_COMMAND_ISOLATE, .value = "FILE",
         .help = "where to write the passing side; default NAME.max.EXT beside PASSING"},
    [PARE_OPT_IN_PLACE] = {"in-place", 0, PARE_OPTION_FLAG, REDUCE,
                           .help = "overwrite INPUT; the original goes to INPUT.orig"},
    [PARE_OPT_JOBS] = {"jobs", 'j', PARE_OPTION_WHOLE, ALL, "N", 1, 1024,
                       .help = "tests to run at once; default: the number of cores"},
    /* What to keep of the failure of a PROGRAM.  A TEST decides by itself, by its exit
     * code. */
    [PARE_OPT_EXIT] = {"exit", 0, PARE_OPTION_TEXT, ALL, .value = "N|nonzero",
                       .help = "keep: PROGRAM exits with this code"},
    [PARE_OPT_SIGNAL] = {"signal", 0, PARE_OPTION_TEXT, ALL, .value = "NAME",
                         .help = "keep: this signal kills PROGRAM, such as SIGSEGV"},
    [PARE_OPT_STDOUT] = {"stdout", 0, PARE_OPTION_TEXTS, ALL, .value = "REGEX",
                         .help = "keep: PROGRAM prints this to standard output"},
    [PARE_OPT_STDERR] = {"stderr", 0, PARE_OPTION_TEXTS, ALL, .value = "REGEX",
                         .help = "keep: PROGRAM prints this to standard error"},
    [PARE_OPT_ANY_OUTPUT] = {"any-output", 0, PARE_OPTION_TEXTS, ALL, .value = "REGEX",
                             .help = "keep: PROGRAM prints this to either of them"},
    [PARE_OPT_NO_OUTPUT] = {"no-output", 0, PARE_OPTION_TEXTS, ALL, .value = "REGEX",
                            .help = "reject candidates for which PROGRAM prints this"},
    [PARE_OPT_HANG] = {"hang", 0, PARE_OPTION_TIME, ALL, .value = "TIME",
                       .help = "keep: PROGRAM is still running after this time"},
    [PARE_OPT_DIFFERS] = {"differs", 0, PARE_OPTION_TEXT, ALL, .value = "COMMAND",
                          .help = "keep: COMMAND and PROGRAM exit or print differently"},
    [PARE_OPT_VALID] = {"valid", 0, PARE_OPTION_TEXT, ALL, .value = "COMMAND",
                        .help = "reject candidates for which COMMAND fails"},
    [PARE_OPT_MESSAGE] = {"message", 0, PARE_OPTION_TEXT, ALL, .value = "TEXT",
                          .help = "keep: the first error or warning that contains TEXT"},
    /* One name for two things: GLOBs are told from the three words by the caller. */
    [PARE_OPT_KEEP] = {"keep", 0, PARE_OPTION_TEXTS, ALL, .value = "kind|message|line|exact|GLOB",
                       .help = "how closely a failure has to match the original one; default "
                               "message.  For a folder: files to leave unchanged"},
    /* By what the input is read. */
    [PARE_OPT_LANG] = {"lang", 0, PARE_OPTION_TEXT, NOT_ISOLATE, .value = "NAME",
                       .help = "language of INPUT (see pare lang); default: by its file name; "
                               "none: use brackets only"},
    [PARE_OPT_GRAMMAR] = {"grammar", 'g', PARE_OPTION_TEXTS, NOT_ISOLATE, .value = "FILE",
                          .help = "ANTLR v4 grammar of INPUT; once for each of its files"},
    [PARE_OPT_ALGORITHM] = {"algorithm", 'a', PARE_OPTION_TEXT, REDUCE, .value = "NAME",
                            .help = "how to reduce; default auto; see --list-algorithms"},
    [PARE_OPT_EFFORT] = {"effort", 0, PARE_OPTION_CHOICE, REDUCE, .value = "normal|fast|max",
                         .help = "how long to keep trying when hardly anything is found"},
    /* When to stop. */
    [PARE_OPT_TIMEOUT] = {"timeout", 0, PARE_OPTION_TIME, ALL, .value = "TIME",
                          .help = "time limit for one test, such as 2, 500ms or 1m"},
    [PARE_OPT_MAX_TIME] = {"max-time", 0, PARE_OPTION_TIME, ALL, .value = "TIME",
                           .help = "stop after this time"},
    [PARE_OPT_MAX_TESTS] = {"max-tests", 0, PARE_OPTION_WHOLE, ALL, "N", 1, UINT64_MAX,
                            .help = "stop after this many tests"},
    [PARE_OPT_TARGET_SIZE] = {"target-size", 0, PARE_OPTION_SIZE, REDUCE, .value = "SIZE",
                              .help = "stop once the result is no larger than this"},
    /* What is shown and written of a run. */
    [PARE_OPT_REPORT] = {"report", 0, PARE_OPTION_TEXT, ALL, .value = "FILE",
                         .help = "write an HTML page about the run"},
    [PARE_OPT_QUIET] = {"quiet", 'q', PARE_OPTION_FLAG, BOTH, .help = "print only errors"},
    [PARE_OPT_VERBOSE] = {"verbose", 'v', PARE_OPTION_FLAG, BOTH,
                          .help = "print a line for each test"},
    [PARE_OPT_HELP] = {"help", 'h', PARE_OPTION_FLAG, ALL, .word = "all",
                       .help = "print this help; --help=all prints all options"},
    /* Options of groups begin here: they are shown by --help=all only. */
    [PARE_OPT_MAX_RSS] = {"max-rss", 0, PARE_OPTION_SIZE, ALL, "SIZE", 1,
                          .help = "keep: PROGRAM uses at least this much memory", .group = FAILURE},
    [PARE_OPT_ALLOW_NEW_ERRORS] = {"allow-new-errors", 0, PARE_OPTION_FLAG, ALL,
                                   .help = "accept candidates for which PROGRAM also reports kinds "
                                           "of errors that it does not report for INPUT",
                                   .group = FAILURE},
    [PARE_OPT_SIGNATURE] =
        {"signature", 0, PARE_OPTION_TEXT, ALL, .value = "FILE",
         .help = "keep the failure described in FILE; FILE is written if it does not exist",
         .group = FAILURE},
    [PARE_OPT_ALLOW_EMPTY] = {"allow-empty", 0, PARE_OPTION_FLAG, REDUCE,
                              .help = "reduce even if an empty input, a single line end or the "
                                      "first bytes of INPUT fail too",
                              .group = FAILURE},
    [PARE_OPT_FLAKY] = {"flaky", 0, PARE_OPTION_TEXT, REDUCE, .value = "auto|off|P",
                        .help = "whether the failure may be flaky: auto (default) detects it and "
                                "keeps it about as frequent, off runs each test once, P keeps it "
                                "in at least this share of runs (between 0 and 1)",
                        .group = FAILURE},
    [PARE_OPT_FLAKY_PRECISION] =
        {"flaky-precision", 0, PARE_OPTION_TEXT, REDUCE, .value = "W",
         .help = "measure how often input and result fail to within this share, such as 0.02, with "
                 "95 % confidence; default: 20 to 60 runs of the input",
         .group = FAILURE},
    [PARE_OPT_REDUCE_ARGS] = {"reduce-args", 0, PARE_OPTION_FLAG, REDUCE,
                              .help = "also reduce the arguments of PROGRAM", .group = INPUT},
    [PARE_OPT_REDUCE_ENV] = {"reduce-env", 0, PARE_OPTION_FLAG, REDUCE,
                             .help = "also reduce its environment variables", .group = INPUT},
    [PARE_OPT_ONLY] = {"only", 0, PARE_OPTION_TEXTS, REDUCE, .value = "GLOB",
                       .help = "for several files: reduce only those that match", .group = INPUT},
    [PARE_OPT_PROTECT] = {"protect", 0, PARE_OPTION_TEXTS, REDUCE, .value = "REGEX",
                          .help =
                              "leave everything in INPUT that matches unchanged; may be repeated",
                          .group = INPUT},
    [PARE_OPT_START] = {"start", 0, PARE_OPTION_TEXT, NOT_ISOLATE, .value = "RULE",
                        .help = "rule of the grammar that INPUT matches; default: the first",
                        .group = INPUT},
    [PARE_OPT_TREE] =
        {"tree", 0, PARE_OPTION_TEXT, REDUCE, .value = "FILE.json",
         .help = "tree of INPUT, made by any parser, to use instead of a grammar or a language",
         .group = INPUT},
    [PARE_OPT_ISLAND] = {"island", 0, PARE_OPTION_TEXTS, REDUCE, .value = "TOKEN[:REGEX]=LANGUAGE",
                         .help = "these tokens, or the parts of them that match REGEX, are in "
                                 "another language: FILE.g4[#RULE] or lang:NAME; may be repeated",
                         .group = INPUT},
    [PARE_OPT_GENERATOR] = {"generator", 0, PARE_OPTION_TEXT, REDUCE, .value = "COMMAND",
                            .help = "makes the text for the TEST after '--' from the choices in "
                                    "the file of --choices; the choices are reduced",
                            .group = INPUT},
    [PARE_OPT_CHOICES] = {"choices", 0, PARE_OPTION_TEXT, REDUCE, .value = "FILE",
                          .help = "what COMMAND of --generator reads as its random bytes, or what "
                                  "'pare generate --record' recorded",
                          .group = INPUT},
    [PARE_OPT_LIST_ALGORITHMS] = {"list-algorithms", 0, PARE_OPTION_FLAG, REDUCE,
                                  .help = "describe the algorithms and units, and exit",
                                  .group = ALGORITHM},
    [PARE_OPT_LIST_CANDIDATES] = {"list-candidates", 0, PARE_OPTION_FLAG, REDUCE,
                                  .help =
                                      "for one INPUT, without TEST: print the candidates that "
                                      "would be tried if none of them failed, in order, and exit",
                                  .group = ALGORITHM},
    [PARE_OPT_UNIT] =
        {"unit", 'u', PARE_OPTION_TEXT, BOTH, .value = "NAME",
         .help = "what is removed at a time: byte, char, line, token or bracket; several, "
                 "separated by commas, run as phases; default: depends on the algorithm",
         .group = ALGORITHM},
    [PARE_OPT_STRATEGY] = {"strategy", 0, PARE_OPTION_TEXT, REDUCE, .value = "COMMAND",
                           .help = "use your own algorithm: a process that is told the number of "
                                   "units, proposes which to keep, one set per line, and is "
                                   "answered FAIL, PASS or UNRESOLVED; lua:FILE: a Lua script",
                           .group = ALGORITHM},
    /* Without a group, as it is a common one of `pare explain`. */
    [PARE_OPT_JSON] = {"json", 0, PARE_OPTION_FLAG, PARE_COMMAND_EXPLAIN,
                       .help = "print the explanation as JSON"},
    [PARE_OPT_EXPLAIN] = {"explain", 0, PARE_OPTION_FLAG, PARE_COMMAND_REDUCE,
                          .help = "finally tell which parts of the result may vary, as 'pare "
                                  "explain' does, and show it laid out like the input",
                          .group = RECORD},
    [PARE_OPT_DETERMINISTIC] = {"deterministic", 0, PARE_OPTION_FLAG, BOTH,
                                .help = "the same result for every --jobs; without it the default "
                                        "algorithm may differ above 4 jobs",
                                .group = ALGORITHM},
    [PARE_OPT_NO_COVERAGE] = {"no-coverage", 0, PARE_OPTION_FLAG, REDUCE,
                              .help = "do not ask an interpreter which parts of a script it "
                                      "executes (pare tries to remove the others first)",
                              .group = ALGORITHM},
    [PARE_OPT_NO_SEMANTIC] = {"no-semantic", 0, PARE_OPTION_FLAG, REDUCE,
                              .help =
                                  "do not use libclang for edits of C and C++ that depend on types",
                              .group = ALGORITHM},
    /* Who answers instead of TEST, or also does: a process, or workers on other
     * machines. */
    [PARE_OPT_WORKER] = {"worker", 0, PARE_OPTION_TEXT, REDUCE, .value = "COMMAND",
                         .help = "instead of TEST: a process per job that reads one candidate per "
                                 "line and answers FAIL, PASS or UNRESOLVED",
                         .group = RUN},
    [PARE_OPT_ALSO] = {"also", 0, PARE_OPTION_WHOLE, REDUCE, "CODE", 1, 255,
                       .help =
                           "exit code of TEST for candidates that are interesting but not the "
                           "failure: they are counted, and the smallest is written to NAME.also",
                       .group = FAILURE},
    [PARE_OPT_WORKERS] =
        {"workers", 0, PARE_OPTION_TEXT, REDUCE, .value = "URL",
         .help = "also run tests on the workers of a NATS server: nats://HOST[:PORT][/NAME], see "
                 "pare-worker(1); implies --deterministic",
         .group = RUN},
    [PARE_OPT_WITH] = {"with", 0, PARE_OPTION_TEXTS, REDUCE, .value = "FILE",
                       .help = "send this file to the workers along with the test (files that the "
                               "test visibly names are sent anyway); may be repeated",
                       .group = RUN},
    [PARE_OPT_CREDENTIALS] = {"credentials", 0, PARE_OPTION_TEXT, REDUCE, .value = "FILE",
                              .help = "how to log in to the server of --workers", .group = RUN},
    [PARE_OPT_INSECURE] =
        {"insecure", 0, PARE_OPTION_FLAG, REDUCE,
         .help = "use --workers without credentials even if the server is another machine",
         .group = RUN},
    [PARE_OPT_CHECK_WITH] =
        {"check-with", 0, PARE_OPTION_TEXT, REDUCE, .value = "COMMAND",
         .help =
             "compiler that tells what is wrong with a candidate, where TEST hides it and it would "
             "help; '@@' is the candidate's path.  Default: the compiler that TEST runs on INPUT",
         .group = RUN},
    [PARE_OPT_RUNNER] =
        {"runner", 0, PARE_OPTION_CHOICE, ALL, .value = "auto|spawn|preload|afl|inprocess",
         .help = "how to start tests: each as a new process, by forking a process that waits at "
                 "its main, through AFL's fork server, or by calling LLVMFuzzerTestOneInput of a "
                 "library; default: the fastest that behaves the same",
         .group = RUN},
    /* What tests may do, and up to which limits. */
    [PARE_OPT_SANDBOX] = {"sandbox", 0, PARE_OPTION_CHOICE, ALL, .value = "off|devices|full",
                          .help =
                              "what tests may do: off: everything; devices: the same, but /dev is "
                              "protected (default for root's TEST); full: write only to copies, "
                              "see no other processes, use no network (default for PROGRAM)",
                          .group = RUN},
    [PARE_OPT_NETWORK] = {"network", 0, PARE_OPTION_FLAG, ALL,
                          .help = "allow the network in a full sandbox", .group = RUN},
    [PARE_OPT_WRITABLE] = {"writable", 0, PARE_OPTION_TEXTS, ALL, .value = "PATH",
                           .help = "allow writing to PATH in a full sandbox; may be repeated",
                           .group = RUN},
    [PARE_OPT_VISIBLE] =
        {"visible", 0, PARE_OPTION_TEXTS, ALL, .value = "PATH",
         .help = "show the real PATH, with its sockets, in a full sandbox; may be repeated",
         .group = RUN},
    [PARE_OPT_MEMORY] = {"memory", 0, PARE_OPTION_SIZE, ALL, "SIZE", 1,
                         .help = "memory limit for each process of a test, such as 500M or 2G",
                         .group = RUN},
    [PARE_OPT_CPU] = {"cpu", 0, PARE_OPTION_TIME, ALL, .value = "TIME",
                      .help = "CPU time limit for each process of a test", .group = RUN},
    [PARE_OPT_PROCESSES] =
        {"processes", 0, PARE_OPTION_WHOLE, ALL, "N", 1, INT32_MAX,
         .help = "limit on the processes and threads of a test; default 1024 in a full sandbox",
         .group = RUN},
    [PARE_OPT_FILE_SIZE] = {"file-size", 0, PARE_OPTION_SIZE, ALL, "SIZE|none", 1, .word = "none",
                            .help = "limit on the size of files that a test writes; default: a "
                                    "quarter of the memory, at least 1G",
                            .group = RUN},
    [PARE_OPT_NO_ASLR] = {"no-aslr", 0, PARE_OPTION_FLAG, ALL,
                          .help = "use the same memory layout in every test", .group = RUN},
    /* What is left on disk so that a run can be continued, looked at or explained. */
    [PARE_OPT_JOURNAL] =
        {"journal", 0, PARE_OPTION_TEXT, BOTH, .value = "DIR",
         .help = "folder that records outcomes, so that a run can be continued; default "
                 "OUTPUT.pare/, where outcomes are deleted after a complete run",
         .group = RECORD},
    [PARE_OPT_NO_JOURNAL] = {"no-journal", 0, PARE_OPTION_FLAG, BOTH,
                             .help = "record nothing on disk", .group = RECORD},
    [PARE_OPT_NO_HISTORY] = {"no-history", 0, PARE_OPTION_FLAG, REDUCE,
                             .help = "do not record earlier results for pare history; OUTPUT.pare/ "
                                     "is deleted after a complete run",
                             .group = RECORD},
    [PARE_OPT_FROM_STEP] = {"from-step", 0, PARE_OPTION_WHOLE, REDUCE, "N", 1, UINT64_MAX,
                            .help = "continue from this step of the history (see pare history); "
                                    "the current result is kept",
                            .group = RECORD},
    [PARE_OPT_SYNC] = {"sync", 0, PARE_OPTION_CHOICE, BOTH, .value = "second|always|never",
                       .help = "what a power failure may cost: the last second (default), nothing, "
                               "or whatever the system had not written yet",
                       .group = RECORD},
    [PARE_OPT_NO_CACHE] = {"no-cache", 0, PARE_OPTION_FLAG, BOTH,
                           .help = "run repeated candidates again", .group = RECORD},
    [PARE_OPT_TRACE] = {"trace", 0, PARE_OPTION_TEXT, BOTH, .value = "FILE",
                        .help = "write a JSON object per test, one per line", .group = RECORD},
    [PARE_OPT_TRACE_TEXTS] = {"trace-texts", 0, PARE_OPTION_FLAG, REDUCE,
                              .help = "include the text of each candidate in the trace",
                              .group = RECORD},
    [PARE_OPT_KEEP_CANDIDATES] =
        {"keep-candidates", 0, PARE_OPTION_TEXT, REDUCE, .value = "DIR",
         .help = "write every candidate to DIR, named by the number of its test and its outcome",
         .group = RECORD},
    [PARE_OPT_STATS] = {"stats", 0, PARE_OPTION_TEXT, BOTH, .value = "FILE",
                        .help = "write statistics as one JSON object", .group = RECORD},
    [PARE_OPT_COLOR] = {"color", 0, PARE_OPTION_CHOICE, BOTH, .value = "auto|always|never",
                        .help = "default auto: on a terminal, unless NO_COLOR is set",
                        .group = RECORD},
    [PARE_OPT_VIEW] =
        {"view", 0, PARE_OPTION_FLAG, REDUCE,
         .help = "show the reduction full-screen, with keys; the key v also does this during a run",
         .group = RECORD},
    /* How lists of units are reduced; each is for the algorithms that its help names,
     * or for all. */
    [PARE_OPT_SUBSETS] = {"subsets", 0, PARE_OPTION_CHOICE, REDUCE, .value = "first|last|skip",
                          .help = "whether ddmin tests single parts before or after everything but "
                                  "a part, or not at all",
                          .group = LISTS},
    [PARE_OPT_ORDER] = {"order", 0, PARE_OPTION_CHOICE, REDUCE, .value = "forward|backward|random",
                        .help = "the order in which parts are tried", .group = LISTS},
    [PARE_OPT_GRANULARITY] =
        {"granularity", 0, PARE_OPTION_WHOLE, REDUCE, "N|inf", 2, INT64_MAX, .word = "inf",
         .help =
             "initial number of parts, and the factor by which it grows; inf: single units at once",
         .group = LISTS},
    [PARE_OPT_SPLIT] = {"split", 0, PARE_OPTION_CHOICE, REDUCE, .value = "zeller|balanced",
                        .help = "how a list is cut into parts", .group = LISTS},
    [PARE_OPT_FIXPOINT] = {"fixpoint", 0, PARE_OPTION_FLAG, REDUCE,
                           .help = "repeat the algorithm until it removes nothing more",
                           .group = LISTS},
    [PARE_OPT_NO_FIXPOINT] = {"no-fixpoint", 0, PARE_OPTION_FLAG, REDUCE,
                              .help = "run the algorithm once", .group = LISTS},
    [PARE_OPT_SEED] = {"seed", 0, PARE_OPTION_WHOLE, REDUCE, "N", 0, UINT64_MAX,
                       .help = "seed for --order random", .group = LISTS},
    [PARE_OPT_TRANSFORM] =
        {"transform", 0, PARE_OPTION_TEXT, REDUCE, .value = "LIST",
         .help = "how to change a tree first, in this order: remove-empty, flatten, squeeze, hide, "
                 "skip-space, separated by commas, or none; default: depends on the algorithm",
         .group = TREES},
    [PARE_OPT_LIST_ALGORITHM] = {"list-algorithm", 0, PARE_OPTION_TEXT, REDUCE, .value = "NAME",
                                 .help = "list algorithm that tree algorithms use for lists of "
                                         "nodes, or halves; default: depends on the algorithm",
                                 .group = TREES},
    [PARE_OPT_PHASE] =
        {"phase", 0, PARE_OPTION_TEXTS, REDUCE, .value = "STEPS",
         .help = "hdd, hddr: what to do with each list of nodes: prune, coarse, hoist, delete, "
                 "child, separated by commas; if repeated, phases run one after the other",
         .group = TREES},
    [PARE_OPT_TRAVERSAL] = {"traversal", 0, PARE_OPTION_CHOICE, REDUCE,
                            .value = "last|last-backward|first|first-backward",
                            .help = "hddr: which node of the work list comes next, and in which "
                                    "order its children are added",
                            .group = TREES},
    [PARE_OPT_SEARCH] = {"search", 0, PARE_OPTION_CHOICE, REDUCE, .value = "depth|all|breadth",
                         .help = "grabr: look for smaller trees level by level, nearest first "
                                 "(depth, the default), or at all levels at once.  perses: breadth "
                                 "looks for nodes of the same symbol at any depth, nearest first",
                         .group = TREES},
    [PARE_OPT_COMBINATIONS] = {"combinations", 0, PARE_OPTION_CHOICE, REDUCE, .value = "first|all",
                               .help = "grabr: how many trees one expansion builds; default first",
                               .group = TREES},
    [PARE_OPT_CORPUS] = {"corpus", 0, PARE_OPTION_TEXTS, REDUCE, .value = "PATH",
                         .help = "gtr: example file, or folder of them, from which to learn which "
                                 "edits make sense; may be repeated",
                         .group = TREES},
};
