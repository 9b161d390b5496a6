/* Parsing and reducing what is long and what is deep.
 *
 * Linear: the time and the memory for each byte must not grow when a list, a right- or a
 * left-recursive chain gets five times as long.  Deep: a text nested 1,000,000 levels is
 * parsed, transformed and reduced by Perses while its innermost token is left. */
#include <string.h>
#include <time.h>

#include "base/buffer.h"
#include "grammar/grammar_file.h"
#include "parse/parser.h"
#include "reduce/syntax/rules.h"
#include "reduce/tree/transform.h"
#include "reduce/tree/tree_algorithm.h"
#include "report.h"

enum {
    SHORT = 400000, /* beyond what the allocator keeps between runs: page faults cost twice */
    LONG = 2000000,
    DEPTH = 1000000,
    SEARCHED = 5000, /* levels that Perses looks below a node */
    MAX_TESTS = 1000,
    RUNS = 3
};

static const double aim_growth = 1.5; /* of the time for each byte; noise and caches */

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void require(pare_status status, const pare_error *err)
{
    if (status) report_broken("bench_deep", err->message);
}

static pare_grammar *read_grammar(const char *text)
{
    pare_error err = {0};
    pare_grammar *grammar = NULL;
    pare_g4_source source = {.path = "bench.g4", .text = text, .size = strlen(text)};
    pare_g4_options options = {.memory_only = true};
    require(pare_grammar_file_read_g4_sources(&source, 1, &options, &grammar, &err), &err);
    return grammar;
}

static void repeat(pare_buffer *text, const char *piece, size_t n)
{
    pare_error err = {0};
    for (size_t i = 0; i < n; i++)
        require(pare_buffer_text(text, piece, &err), &err);
}

/* --- linear -------------------------------------------------------------------------- */

struct cost {
    double seconds, memory; /* for each byte of the text */
};

/* Parses `n` times `piece`, and `last`. */
static struct cost parse(pare_parser *parser, const char *piece, const char *last, size_t n)
{
    struct cost cost = {.seconds = 1e9};
    pare_buffer text = {0};
    pare_error err = {0};
    repeat(&text, piece, n);
    repeat(&text, last, 1);
    for (int i = 0; i < RUNS; i++) {
        pare_parse_tree tree = {0};
        pare_parse_cost of = {0};
        double start = now_s();
        require(pare_parser_run(parser, text.data, text.size, &tree, &of, &err), &err);
        double seconds = (now_s() - start) / (double)text.size;
        if (tree.error.any) report_broken("bench_deep", tree.error.message);
        if (seconds < cost.seconds) cost.seconds = seconds;
        size_t bytes = of.chart_bytes + tree.n_nodes * sizeof *tree.nodes;
        cost.memory = (double)bytes / (double)text.size;
        pare_parse_tree_done(&tree);
    }
    pare_buffer_done(&text);
    return cost;
}

static void measure_growth(const char *what, const char *grammar_text, const char *piece,
                           const char *last)
{
    char name[80], figure[40];
    pare_error err = {0};
    pare_grammar *grammar = read_grammar(grammar_text);
    pare_parser *parser = NULL;
    require(pare_parser_new(grammar, pare_grammar_start(grammar), &parser, &err), &err);
    struct cost few = parse(parser, piece, last, SHORT), many = parse(parser, piece, last, LONG);
    double growth = many.seconds / few.seconds;
    (void)snprintf(name, sizeof name, "%s: time a byte, 5x as long", what);
    (void)snprintf(figure, sizeof figure, "%.2fx", growth);
    report_aim(name, figure, "linear, <= 1.5x", growth <= aim_growth);
    (void)snprintf(figure, sizeof figure, "%.1f, %.0f", 1e-6 / many.seconds, many.memory);
    report_figure("  MB/s, bytes of memory a byte", figure);
    pare_parser_free(parser);
    pare_grammar_free(grammar);
}

/* --- deep ---------------------------------------------------------------------------- */

static bool has_token(const pare_candidate *candidate, pare_buffer *bytes)
{
    pare_error err = {0};
    pare_buffer_reset(bytes);
    require(pare_buffer_reserve(bytes, candidate->size + 1, &err), &err);
    pare_candidate_read(candidate, bytes->data);
    return memchr(bytes->data, 'x', candidate->size);
}

/* The size that is left after Perses; counts the tests. */
static size_t reduce(pare_tree *tree, size_t *tests)
{
    pare_error err = {0};
    pare_strategy *strategy = NULL;
    pare_candidate candidate = {0};
    pare_buffer bytes = {0};
    size_t best = pare_text_size(tree->text);
    pare_perses_options options = {.max_depth = SEARCHED, .max_candidates = SEARCHED};
    require(pare_perses_new(tree, &options, &strategy, &err), &err);
    for (pare_next what = PARE_NEXT_TEST;; ++*tests) {
        require(strategy->ops->next(strategy, &what, &candidate, &err), &err);
        if (what == PARE_NEXT_DONE || *tests == MAX_TESTS) break;
        bool failed = has_token(&candidate, &bytes);
        if (failed) best = candidate.size;
        require(strategy->ops->tell(strategy, failed ? PARE_FAIL : PARE_PASS, &err), &err);
        if (failed && strategy->ops->settle) require(strategy->ops->settle(strategy, &err), &err);
    }
    pare_buffer_done(&bytes);
    pare_candidate_done(&candidate);
    pare_strategy_free(strategy);
    return best;
}

static void say_seconds(const char *what, double seconds)
{
    char figure[40];
    (void)snprintf(figure, sizeof figure, "%.2f s", seconds);
    report_figure(what, figure);
}

static void measure_depth(void)
{
    static const pare_transform *const transforms[] = {
        &pare_transform_flatten, &pare_transform_squeeze, &pare_transform_hide};
    char figure[40];
    pare_error err = {0};
    pare_grammar *grammar = read_grammar("grammar D; e: '(' e ')' | 'x' ;");
    pare_grammar_rules *facts = NULL;
    pare_parser *parser = NULL;
    pare_parse_tree parsed = {0};
    pare_text *base = NULL;
    pare_tree *tree = NULL, *after = NULL;
    pare_buffer text = {0};
    repeat(&text, "(", DEPTH);
    repeat(&text, "x", 1);
    repeat(&text, ")", DEPTH);
    require(pare_grammar_rules_new(grammar, &facts, &err), &err);
    require(pare_parser_new(grammar, 0, &parser, &err), &err);
    pare_tree_rules rules = pare_grammar_rules_of(facts);
    double start = now_s();
    require(pare_parser_run(parser, text.data, text.size, &parsed, NULL, &err), &err);
    say_seconds("1,000,000 levels: parsed in", now_s() - start);
    start = now_s();
    require(pare_text_copy(text.data, text.size, &base, &err), &err);
    require(pare_tree_new(&parsed, base, &rules, &tree, &err), &err);
    require(pare_transform_run(tree, transforms, 3, &after, &err), &err);
    say_seconds("  made a tree, transformed in", now_s() - start);
    size_t tests = 0;
    start = now_s();
    size_t left = reduce(after, &tests);
    say_seconds("  reduced in", now_s() - start);
    (void)snprintf(figure, sizeof figure, "%zu B", left);
    report_aim("  bytes left", figure, "< 10 B", !parsed.error.any && left < 10);
    (void)snprintf(figure, sizeof figure, "%zu", tests);
    report_figure("  tests", figure);
    pare_tree_unref(after);
    pare_tree_unref(tree);
    pare_text_unref(base);
    pare_parse_tree_done(&parsed);
    pare_parser_free(parser);
    pare_grammar_rules_free(facts);
    pare_grammar_free(grammar);
    pare_buffer_done(&text);
}

int main(void)
{
    measure_growth("a list", "grammar L; s: (A ',')* A EOF ; A: [a-z]+ ;", "ab,", "ab");
    measure_growth("right recursion", "grammar R; s: A ',' s | A ; A: [a-z]+ ;", "ab,", "ab");
    measure_growth("left recursion", "grammar E; s: s ',' A | A ; A: [a-z]+ ;", "ab,", "ab");
    measure_depth();
    return 0;
}
