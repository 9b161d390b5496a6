/* Every tree algorithm on every real case of the shared corpus, by a grammar where the
 * shared collection has one that fits, by an added language, else by brackets.
 *
 * Claimed of each run: the result fails, seen by the case's own test; -j1 and -j8 give the
 * same bytes and the same trace but for times; if the input parses and the algorithm asks
 * the grammar, so does the result; and where the statistics say 1-tree-minimal, no single
 * node can be replaced by its minimal text, which is tried node by node here, knowing
 * nothing of the algorithm.  Runs are cut after a few tests so that this takes a minute:
 *
 *     make check-corpus                      runs all to their end
 *     PARE_CORPUS=300 cli_corpus             cuts them after 300 tests (0: to the end)
 *     PARE_CASES=lua51-pattern,... PARE_ALGORITHMS=hdd,...   only those
 *
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
    {"synth-json-depth", "input.json", "json", {"JSON.g4"}, "json", NULL, 0},
    {"synth-expr-div0", "input.expr", "", {"Toy.g4"}, "program", NULL, 60},
    {"json-jq-implode", "input.json", "json", {"JSON.g4"}, "json", NULL, 6},
    {"smt-cvc4-unsatcore", "input.smt2", "smtlibv2", {"SMTLIBv2.g4"}, "start_", NULL, 3},
    {"sql-sqlite-fts3",
     "input.sql",
     "sql_sqlite",
     {"SQLiteParser.g4", "SQLiteLexer.g4"},
     "parse",
     NULL,
     3},
    {"html-hxtoc-segv",
     "input.html",
     "html",
     {"HTMLParser.g4", "HTMLLexer.g4"},
     "htmlDocument",
     NULL,
     8},
    {"js-numeral-mujs", "input.js", NULL, {NULL}, NULL, "javascript", 6},
    {"js-underscore-mujs", "input.js", NULL, {NULL}, NULL, "javascript", 5},
    {"lua51-pattern", "input.lua", NULL, {NULL}, NULL, "lua", 2},
    {"v-iverilog-param", "input.sv", NULL, {NULL}, NULL, "verilog", 10},
    {"c-gcc-ice-addr", "input.c", NULL, {NULL}, NULL, "c", 2},
    {"c-gcc-ice-kitten", "input.c", NULL, {NULL}, NULL, "c", 2},
    {"c-sdcc-error9", "input.c", NULL, {NULL}, NULL, "c", 2},
    {"c-sdcc-validatelink", "input.c", NULL, {NULL}, NULL, "c", 2},
    {"abc-yaps-segv", "input.abc", NULL, {NULL}, NULL, NULL, 8},
    {"sgi-sgitopnm-heap", "input.sgi", NULL, {NULL}, NULL, NULL, 8},
};

enum { N_SUBJECTS = sizeof subjects / sizeof *subjects, PATH_BYTES = 4096, MOST_NODES = 4000 };

/* One run of one algorithm on one subject, made twice. */
struct run {
    const struct subject *subject;
    const char *algorithm;
    bool asks_grammar; /* promises to stay in the language */
    char test[PATH_BYTES], input[PATH_BYTES], grammars[2][PATH_BYTES];
    bool has_front; /* by a grammar or a language */
    bool input_parses;
};

static struct {
    size_t runs, ended, parsing, minimal, nodes_tried;
} count;

/* --- the environment ------------------------------------------------------------------- */

static const char *shared_path(void)
{
    static char path[PATH_BYTES];
    const char *shared = getenv("PARE_SHARED"), *source = getenv("PARE_SOURCE_DIR");
    if (shared) return shared;
    (void)snprintf(path, sizeof path, "%s/../shared", source ? source : ".");
    return access(path, R_OK) == 0 ? path : NULL;
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

static void reduce(const struct run *run, const char *jobs, const char *max_tests,
                   const char *output, const char *trace)
{
    const char *words[MAX_WORDS] = {program_path(), "reduce", run->test, run->input, "-a",
                                    run->algorithm, "-q",     jobs,      "-o",       output,
                                    "--trace",      trace,    "--stats", "stats",    "--no-journal",
                                    "--timeout",    "30"};
    size_t n = 17;
    if (*max_tests != '0') {
        words[n++] = "--max-tests";
        words[n++] = max_tests;
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
    return fails(run->test, name);
}

/* Tries each node of the result by itself. */
static void assert_minimal(struct run *run)
{
    const char *paths[2];
    pare_parse_options parse = parse_options(run, paths);
    pare_reduce_options options = {.grammars = parse.grammars,
                                   .n_grammars = parse.n_grammars,
                                   .start_rule = parse.start,
                                   .language = run->has_front ? parse.language : NULL};
    struct nodes nodes = {.fails = candidate_fails, .context = run, .most = MOST_NODES};
    nodes.tries_root = strcmp(run->algorithm, "hddr") != 0;
    pare_buffer text = {0};
    assert_int_equal(pare_file_read("result.1", &text, NULL), PARE_OK);
    nodes_try(&nodes, &options, text.data ? text.data : "", text.size);
    if (nodes.found)
        fail_msg("%s by %s: not 1-tree-minimal: '%.*s' can be '%.*s'", run->subject->name,
                 run->algorithm, (int)nodes.found_size, text.data + nodes.found_at,
                 (int)nodes.minimal_size, nodes.minimal);
    count.minimal += !nodes.cut;
    count.nodes_tried += nodes.tried;
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

static void check_run(struct run *run, const char *max_tests)
{
    reduce(run, "-j1", max_tests, "result.1", "trace.1");
    reduce(run, "-j8", max_tests, "result.8", "trace.8");
    assert_same_runs(run);
    if (!fails(run->test, "result.1"))
        fail_msg("%s by %s: the result does not fail", run->subject->name, run->algorithm);
    bool parsing = parses(run, "result.1");
    if (run->input_parses && run->asks_grammar && run->subject->folder && !parsing)
        fail_msg("%s by %s: the result does not parse", run->subject->name, run->algorithm);
    char *stats = read_text("stats"), *minimal = member(stats, "minimal");
    char *stopped = member(stats, "stopped");
    bool ended = strcmp(stopped, "minimal") == 0;
    bool promised = strcmp(minimal, "1-tree-minimal") == 0;
    if (promised) assert_minimal(run);
    count.runs++;
    count.ended += ended;
    count.parsing += parsing;
    print_message("%-20s %-10s %-10s %7ld -> %6ld bytes, %5ld tests, %s%s%s\n", run->subject->name,
                  run->algorithm,
                  run->has_front ? (run->subject->folder ? "grammar" : "language") : "brackets",
                  number(stats, "bytes_in"), number(stats, "bytes_out"), number(stats, "tests_run"),
                  ended ? "ended" : "cut",
                  parsing             ? ", parses"
                  : run->input_parses ? ", does not parse any more"
                                      : "",
                  promised ? ", 1-tree-minimal" : "");
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
    run->has_front = subject->folder || (subject->language && has_language(subject->language));
    if (!fails(run->test, run->input)) {
        print_message("%-20s skipped: its test does not fail here; is its program installed?\n",
                      subject->name);
        return false;
    }
    run->input_parses = parses(run, run->input);
    return true;
}

static void check_subject(const struct subject *subject)
{
    char max_tests[32];
    const char *told = getenv("PARE_CORPUS");
    struct run run = {.subject = subject};
    (void)snprintf(max_tests, sizeof max_tests, "%u", subject->tests);
    if (told) (void)snprintf(max_tests, sizeof max_tests, "%.20s", told);
    if (!is_asked_for("PARE_CASES", subject->name) || !prepare(&run)) return;
    const pare_algorithm_info *info;
    for (size_t i = 0; (info = pare_algorithm_at(i)) != NULL; i++) {
        if (!info->on_trees || !is_asked_for("PARE_ALGORITHMS", info->name)) continue;
        if (strncmp(info->name, "grabr", 5) == 0 && !subject->folder) continue; /* by grammars */
        run.algorithm = info->name;
        run.asks_grammar = strcmp(info->name, "gtr") != 0;
        check_run(&run, max_tests);
    }
}

static void test_corpus__results_fail_parse_repeat_and_are_minimal(void **state)
{
    (void)state;
    write_text("Toy.g4", toy_grammar);
    for (size_t i = 0; i < N_SUBJECTS; i++)
        if (!has_sanitizer() || strncmp(subjects[i].name, "synth-", 6) == 0)
            check_subject(&subjects[i]);
    print_message("%zu runs, %zu to their end; %zu results parse; %zu minimal, seen by trying "
                  "%zu nodes\n",
                  count.runs, count.ended, count.parsing, count.minimal, count.nodes_tried);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_corpus__results_fail_parse_repeat_and_are_minimal)};
    char corpus[PATH_BYTES];
    const char *shared = shared_path();
    (void)snprintf(corpus, sizeof corpus, "%s/corpus", shared ? shared : "");
    if (!shared || access(corpus, R_OK) != 0) {
        (void)fprintf(stderr, "skipped: there is no shared corpus\n");
        return EXIT_SKIPPED;
    }
    use_build_data();
    return cmocka_run_group_tests(tests, workplace_setup, workplace_teardown);
}
