/* Every tree algorithm on every real case of the shared corpus, by a grammar where the
 * shared collection has one that fits, by an added language, else by brackets.
 *
 * Claimed of each run: the result fails, seen by the case's own test; -j1 and -j8 give the
 * same bytes and the same trace but for times; if the input parses and the algorithm asks
 * the grammar, so does the result; and where the statistics say 1-tree-minimal, no single
 * node can be replaced by its minimal text, which is tried node by node here, knowing
 * nothing of the algorithm.  A candidate's test is run once for all algorithms, but for
 * results, which fail when tested anew.  Of the real cases each takes two algorithms in turn, and
 * runs are cut after a few tests, so that this takes half a minute:
 *
 *     make check-corpus                      runs all to their end
 *     PARE_CORPUS=300 cli_corpus             cuts them after 300 tests (0: to the end), of all algorithms
 *     PARE_CASES=lua51-pattern,... PARE_ALGORITHMS=hdd,...   only those
 *
 * Cases run at once, each in a process of its own (this program with the case's name), as
 * many as there are cores.  The largest come first, since the last one is waited for.
 * A case whose test does not fail here (a program is missing) is skipped with a notice. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>
#include <cmocka.h>

#include <pare/pare.h>

#include "cli/support/nodes.h"
#include "cli/support/program.h"
#include "unit/support/language.h"

static const char toy_grammar[] =
    "grammar Toy;\n"
    "program: statement* EOF ;\n"
    "statement: 'let' NAME '=' expr ';' | 'emit' expr ';' ;\n"
    "expr: '-' expr | expr ('*' | '/') expr | expr ('+' | '-') expr | '(' expr ')' | INT | NAME ;\n"
    "NAME: [a-zA-Z_] [a-zA-Z_0-9]* ;\nINT: [0-9]+ ;\n"
    "COMMENT: '#' ~[\\n]* -> skip ;\nSPACE: [ \\t\\r\\n]+ -> skip ;\n";

static const struct subject {
    const char *name, *input;
    const char *folder, *grammars[2], *start; /* of the collection; folder "": Toy.g4 */
    const char *language;
    unsigned tests; /* before a run is cut, unless told otherwise; 0: never */
} subjects[] = {
    {"synth-json-depth", "input.json", "json", {"JSON.g4"}, "json", NULL, 60},
    {"synth-expr-div0", "input.expr", "", {"Toy.g4"}, "program", NULL, 30},
    {"v-iverilog-param", "input.sv", NULL, {NULL}, NULL, "verilog", 6},
    {"sql-sqlite-fts3",
     "input.sql",
     "sql_sqlite",
     {"SQLiteParser.g4", "SQLiteLexer.g4"},
     "parse",
     NULL,
     3},
    {"c-sdcc-validatelink", "input.c", NULL, {NULL}, NULL, "c", 2},
    {"json-jq-implode", "input.json", "json", {"JSON.g4"}, "json", NULL, 4},
    {"html-hxtoc-segv",
     "input.html",
     "html",
     {"HTMLParser.g4", "HTMLLexer.g4"},
     "htmlDocument",
     NULL,
     6},
    {"c-gcc-ice-addr", "input.c", NULL, {NULL}, NULL, "c", 2},
    {"lua51-pattern", "input.lua", NULL, {NULL}, NULL, "lua", 2},
    {"c-sdcc-error9", "input.c", NULL, {NULL}, NULL, "c", 2},
    {"c-gcc-ice-kitten", "input.c", NULL, {NULL}, NULL, "c", 2},
    {"smt-cvc4-unsatcore", "input.smt2", "smtlibv2", {"SMTLIBv2.g4"}, "start_", NULL, 3},
    {"js-underscore-mujs", "input.js", NULL, {NULL}, NULL, "javascript", 4},
    {"js-numeral-mujs", "input.js", NULL, {NULL}, NULL, "javascript", 4},
    {"abc-yaps-segv", "input.abc", NULL, {NULL}, NULL, NULL, 6},
    {"sgi-sgitopnm-heap", "input.sgi", NULL, {NULL}, NULL, NULL, 6},
};

enum {
    N_SUBJECTS = sizeof subjects / sizeof *subjects,
    PATH_BYTES = 4096,
    USUAL_ALGORITHMS = 2, /* of a real case, unless told otherwise */
    MOST_NODES = 4000,    /* of results of runs that are cut */
    MOST_CHILDREN = 64
};

/* One run of one algorithm on one subject, made twice. */
struct run {
    const struct subject *subject;
    const char *algorithm;
    bool asks_grammar; /* promises to stay in the language */
    char test[PATH_BYTES], input[PATH_BYTES], grammars[2][PATH_BYTES];
    char command[3 * PATH_BYTES]; /* the test, run once for each candidate */
    bool has_front;               /* by a grammar or a language */
    bool input_parses;
};

/* The case of this process; NULL in the one that starts the others. */
static const struct subject *own_subject;

/* --- the environment ------------------------------------------------------------------- */

static const char *shared_path(void)
{
    static char path[PATH_BYTES];
    const char *shared = getenv("PARE_SHARED"), *source = getenv("PARE_SOURCE_DIR");
    if (shared) return shared;
    (void)snprintf(path, sizeof path, "%s/../shared", source ? source : ".");
    return access(path, R_OK) == 0 ? path : NULL;
}

/* The tests of cases find tests/cli/support/patient/timeout. */
static void use_patient_timeout(void)
{
    char path[2 * PATH_BYTES];
    const char *source = getenv("PARE_SOURCE_DIR"), *usual = getenv("PATH");
    (void)snprintf(path, sizeof path, "%s/tests/cli/support/patient:%s", source ? source : ".",
                   usual ? usual : "/usr/bin:/bin");
    assert_int_equal(setenv("PATH", path, 1), 0);
}

/* Whether the variable, a list with commas, is not set or has `name`. */
static bool is_asked_for(const char *variable, const char *name)
{
    const char *list = getenv(variable);
    size_t size = strlen(name);
    for (; list && *list; list += strcspn(list, ","), list += *list == ',')
        if (strcspn(list, ",") == size && memcmp(list, name, size) == 0) return true;
    return !list;
}

static bool has_sanitizer(void)
{
    const char *sanitize = getenv("PARE_SANITIZE");
    return sanitize && *sanitize;
}

/* --- one run --------------------------------------------------------------------------- */

static int run_words(const char *const *words, const char *out, const char *err)
{
    int status = 0;
    pid_t pid = start_words(words, out, err);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool fails(const char *test, const char *candidate)
{
    const char *const words[] = {test, candidate, NULL};
    return run_words(words, "test.out", "test.err") == 0;
}

static pare_parse_options parse_options(const struct run *run, const char *paths[2])
{
    paths[0] = run->grammars[0];
    paths[1] = run->grammars[1];
    pare_parse_options options = {.start = run->subject->start, .language = run->subject->language};
    if (run->subject->folder) {
        options.grammars = paths;
        options.n_grammars = run->grammars[1][0] ? 2 : 1;
    }
    return options;
}

/* Whether the file is in the language; false as well where it cannot be told. */
static bool parses(const struct run *run, const char *path)
{
    const char *paths[2];
    pare_parse_options options = parse_options(run, paths);
    pare_parsed parsed = {0};
    if (!run->has_front || pare_parse_file(&options, path, &parsed, NULL) != PARE_OK) return false;
    bool whole = parsed.in_language;
    pare_parsed_done(&parsed);
    return whole;
}

/* The number of tests that runs of the subject are cut after; 0: never. */
static unsigned max_tests(const struct subject *subject)
{
    const char *told = getenv("PARE_CORPUS");
    return told ? (unsigned)strtoul(told, NULL, 10) : subject->tests;
}

/* Leaves result.N, trace.N and stats.N of a run with `jobs`: -jN. */
static void reduce(const struct run *run, const char *jobs)
{
    char output[16], trace[16], stats[16], most[16];
    (void)snprintf(output, sizeof output, "result.%s", jobs + 2);
    (void)snprintf(trace, sizeof trace, "trace.%s", jobs + 2);
    (void)snprintf(stats, sizeof stats, "stats.%s", jobs + 2);
    (void)snprintf(most, sizeof most, "%u", max_tests(run->subject));
    const char *words[MAX_WORDS] = {
        program_path(), "reduce", run->command,   run->input,  "-a",      run->algorithm,
        "-q",           jobs,     "-o",           output,      "--trace", trace,
        "--stats",      stats,    "--no-journal", "--timeout", "120"};
    size_t n = 17;
    if (max_tests(run->subject)) {
        words[n++] = "--max-tests";
        words[n++] = most;
    }
    if (run->subject->folder) {
        for (size_t i = 0; i < 2 && run->grammars[i][0]; i++) {
            words[n++] = "--grammar";
            words[n++] = run->grammars[i];
        }
        words[n++] = "--start";
        words[n++] = run->subject->start;
    } else if (run->subject->language && run->has_front) {
        words[n++] = "--lang";
        words[n++] = run->subject->language;
    }
    int code = run_words(words, "out", "err");
    if (code == 0) return;
    char *complaint = read_text("err");
    fail_msg("%s by %s %s: exit code %d: %s", run->subject->name, run->algorithm, jobs, code,
             complaint);
}

/* Cuts the times out of a trace. */
static void drop_times(char *trace)
{
    static const char key[] = "\"ms\":";
    char *to = trace;
    for (const char *from = trace; *from;) {
        if (strncmp(from, key, sizeof key - 1) == 0) from += strcspn(from, ",}");
        *to++ = *from++;
    }
    *to = '\0';
}

static void assert_same_runs(const struct run *run)
{
    char *one = read_text("trace.1"), *eight = read_text("trace.8");
    drop_times(one);
    drop_times(eight);
    if (strcmp(one, eight) != 0)
        fail_msg("%s by %s: -j1 and -j8 differ in their traces", run->subject->name,
                 run->algorithm);
    free(one);
    free(eight);
    pare_buffer first = {0}, second = {0};
    assert_int_equal(pare_file_read("result.1", &first, NULL), PARE_OK);
    assert_int_equal(pare_file_read("result.8", &second, NULL), PARE_OK);
    assert_int_equal(first.size, second.size);
    if (first.size) assert_memory_equal(first.data, second.data, first.size);
    pare_buffer_done(&first);
    pare_buffer_done(&second);
}

/* --- minimality, by force --------------------------------------------------------------- */

static bool candidate_fails(void *context, const char *bytes, size_t size)
{
    const struct run *run = context;
    char name[64];
    (void)snprintf(name, sizeof name, "candidate%s", strrchr(run->subject->input, '.'));
    assert_int_equal(pare_file_write_bytes(name, bytes, size, NULL), PARE_OK);
    const char *const words[] = {helper_path("remembering_static"), "tested", run->test, name,
                                 NULL};
    return run_words(words, "test.out", "test.err") == 0;
}

/* Tries each node of the result by itself; the caller ends the sentence. */
static void check_minimal(struct run *run, char *sentence, size_t size)
{
    const char *paths[2];
    pare_parse_options parse = parse_options(run, paths);
    pare_tree_options options = {.grammars = parse.grammars,
                                 .n_grammars = parse.n_grammars,
                                 .start_rule = parse.start,
                                 .language = run->has_front ? parse.language : NULL};
    struct nodes nodes = {.fails = candidate_fails,
                          .context = run,
                          .most = max_tests(run->subject) ? MOST_NODES : SIZE_MAX};
    nodes.tries_root = strcmp(run->algorithm, "hddr") != 0;
    pare_buffer text = {0};
    assert_int_equal(pare_file_read("result.1", &text, NULL), PARE_OK);
    nodes_try(&nodes, &options, text.data ? text.data : "", text.size);
    if (nodes.found)
        fail_msg("%s by %s: not 1-tree-minimal: '%.*s' can be '%.*s'", run->subject->name,
                 run->algorithm, (int)nodes.found_size, text.data + nodes.found_at,
                 (int)nodes.minimal_size, nodes.minimal);
    (void)snprintf(sentence, size, ", 1-tree-minimal: %s%zu nodes tried%s",
                   nodes.cut ? "only " : "", nodes.tried, nodes.untold ? "; " : "");
    if (nodes.untold)
        (void)snprintf(sentence + strlen(sentence), size - strlen(sentence),
                       "%zu have no known text, %zu of them could be left out", nodes.untold,
                       nodes.untold_going);
    pare_buffer_done(&text);
}

static char *member(const char *stats, const char *key)
{
    json_t *object = json_loads(stats, 0, NULL);
    assert_non_null(object);
    const char *value = json_string_value(json_object_get(object, key));
    char *text = strdup(value ? value : "");
    json_decref(object);
    return text;
}

static long number(const char *stats, const char *key)
{
    json_t *object = json_loads(stats, 0, NULL);
    assert_non_null(object);
    long value = (long)json_integer_value(json_object_get(object, key));
    json_decref(object);
    return value;
}

/* Whether the result is in the language; not asked where nothing depends on it. */
static bool result_parses(const struct run *run, bool ended)
{
    pare_buffer input = {0}, result = {0};
    if (!run->has_front || !(run->input_parses || ended)) return false;
    assert_int_equal(pare_file_read(run->input, &input, NULL), PARE_OK);
    assert_int_equal(pare_file_read("result.1", &result, NULL), PARE_OK);
    bool same = input.size == result.size && memcmp(input.data, result.data, input.size) == 0;
    pare_buffer_done(&input);
    pare_buffer_done(&result);
    return same ? run->input_parses : parses(run, "result.1");
}

static void check_run(struct run *run)
{
    char sentence[160] = "";
    reduce(run, "-j1");
    reduce(run, "-j8");
    assert_same_runs(run);
    if (!fails(run->test, "result.1"))
        fail_msg("%s by %s: the result does not fail", run->subject->name, run->algorithm);
    char *stats = read_text("stats.1"), *minimal = member(stats, "minimal");
    char *stopped = member(stats, "stopped");
    bool ended = strcmp(stopped, "minimal") == 0;
    bool parsing = result_parses(run, ended);
    if (run->input_parses && run->asks_grammar && run->subject->folder && !parsing)
        fail_msg("%s by %s: the result does not parse", run->subject->name, run->algorithm);
    if (strcmp(minimal, "1-tree-minimal") == 0) check_minimal(run, sentence, sizeof sentence);
    print_message("%-20s %-16s %-8s %7ld -> %6ld bytes, %5ld tests, %s%s%s\n", run->subject->name,
                  run->algorithm,
                  run->has_front ? (run->subject->folder ? "grammar" : "language") : "brackets",
                  number(stats, "bytes_in"), number(stats, "bytes_out"), number(stats, "tests_run"),
                  ended ? "ended" : "cut",
                  parsing             ? ", parses"
                  : run->input_parses ? ", does not parse any more"
                                      : "",
                  sentence);
    free(stats);
    free(minimal);
    free(stopped);
}

/* Fills in paths; false, and the reason printed, when the case cannot be run here. */
static bool prepare(struct run *run)
{
    const struct subject *subject = run->subject;
    const char *shared = shared_path();
    (void)snprintf(run->test, sizeof run->test, "%s/corpus/%s/test.sh", shared, subject->name);
    (void)snprintf(run->input, sizeof run->input, "%s/corpus/%s/%s", shared, subject->name,
                   subject->input);
    for (size_t i = 0; subject->folder && i < 2 && subject->grammars[i]; i++) {
        if (*subject->folder)
            (void)snprintf(run->grammars[i], PATH_BYTES, "%s/grammars-v4/%s/%s", shared,
                           subject->folder, subject->grammars[i]);
        else
            (void)snprintf(run->grammars[i], PATH_BYTES, "%s/%s", workplace, subject->grammars[i]);
    }
    (void)snprintf(run->command, sizeof run->command, "%s %s/tested %s",
                   helper_path("remembering_static"), workplace, run->test);
    (void)mkdir("tested", 0700);
    run->has_front = subject->folder || (subject->language && has_language(subject->language));
    if (!fails(run->test, run->input)) {
        print_message("%-20s skipped: its test does not fail here; is its program installed?\n",
                      subject->name);
        return false;
    }
    run->input_parses = parses(run, run->input);
    return true;
}

/* --- cases ------------------------------------------------------------------------------- */

/* Whether the case takes the tree algorithm number `k` of `n`: synthetic cases, which are cheap,
 * take all; real ones a few in turn, so that all cases together take each. */
static bool is_in_turn(size_t k, size_t n)
{
    const size_t first = (size_t)(own_subject - subjects) * USUAL_ALGORITHMS;
    if (strncmp(own_subject->name, "synth-", 6) == 0) return true;
    if (getenv("PARE_CORPUS") || getenv("PARE_ALGORITHMS")) return true;
    return (k + n - first % n) % n < USUAL_ALGORITHMS;
}

static bool is_applicable(const pare_algorithm_info *info)
{
    bool by_grammar = strncmp(info->name, "grabr", 5) == 0;
    return info->on_trees && (!by_grammar || own_subject->folder);
}

static void test_corpus__results_fail_parse_repeat_and_are_minimal(void **state)
{
    struct run run = {.subject = own_subject};
    size_t n = 0, k = 0;
    (void)state;
    write_text("Toy.g4", toy_grammar);
    if (!prepare(&run)) return;
    const pare_algorithm_info *info;
    for (size_t i = 0; (info = pare_algorithm_at(i)) != NULL; i++)
        n += is_applicable(info);
    for (size_t i = 0; (info = pare_algorithm_at(i)) != NULL; i++) {
        if (!is_applicable(info) || !is_in_turn(k++, n)) continue;
        if (!is_asked_for("PARE_ALGORITHMS", info->name)) continue;
        run.algorithm = info->name;
        run.asks_grammar = strcmp(info->name, "gtr") != 0;
        check_run(&run);
    }
}

/* A case that is being run. */
struct child {
    pid_t pid;
    const char *name;
};

static void start_child(struct child *child, const char *name)
{
    char out[64], err[64];
    const char *const words[] = {"/proc/self/exe", name, NULL};
    (void)snprintf(out, sizeof out, "%s.out", name);
    (void)snprintf(err, sizeof err, "%s.err", name);
    *child = (struct child){start_words(words, out, err), name};
}

/* Shows what a child printed. */
static void show(const char *name, const char *suffix)
{
    char file[64];
    (void)snprintf(file, sizeof file, "%s.%s", name, suffix);
    char *text = read_text(file);
    print_message("%s", text);
    free(text);
}

/* Waits for one of the `n` children, shows what it printed and takes it off the list; the
 * number of those that failed. */
static size_t await_child(struct child *children, size_t *n)
{
    int status = 0;
    pid_t pid = waitpid(-1, &status, 0);
    size_t at = 0;
    while (at < *n && children[at].pid != pid)
        at++;
    assert_true(at < *n);
    show(children[at].name, "out");
    show(children[at].name, "err");
    children[at] = children[--*n];
    return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

static void test_corpus__every_case(void **state)
{
    struct child children[MOST_CHILDREN];
    size_t n = 0, failed = 0;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t at_once = cores < 1 ? 1 : cores > MOST_CHILDREN ? MOST_CHILDREN : (size_t)cores;
    (void)state;
    for (size_t i = 0; i < N_SUBJECTS; i++) {
        if (has_sanitizer() && strncmp(subjects[i].name, "synth-", 6) != 0) continue;
        if (!is_asked_for("PARE_CASES", subjects[i].name)) continue;
        if (n == at_once) failed += await_child(children, &n);
        start_child(&children[n++], subjects[i].name);
    }
    while (n)
        failed += await_child(children, &n);
    assert_int_equal(failed, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest all[] = {cmocka_unit_test(test_corpus__every_case)};
    const struct CMUnitTest one[] = {
        cmocka_unit_test(test_corpus__results_fail_parse_repeat_and_are_minimal)};
    char corpus[PATH_BYTES];
    const char *shared = shared_path();
    (void)snprintf(corpus, sizeof corpus, "%s/corpus", shared ? shared : "");
    if (!shared || access(corpus, R_OK) != 0) {
        (void)fprintf(stderr, "skipped: there is no shared corpus\n");
        return EXIT_SKIPPED;
    }
    use_build_data();
    use_patient_timeout();
    if (argc < 2) return cmocka_run_group_tests(all, workplace_setup, workplace_teardown);
    for (size_t i = 0; i < N_SUBJECTS; i++)
        if (strcmp(subjects[i].name, argv[1]) == 0) own_subject = &subjects[i];
    if (!own_subject) return 2;
    return cmocka_run_group_tests(one, workplace_setup, workplace_teardown);
}
