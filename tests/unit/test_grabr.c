/* GRABR against what seed 002 prints, and its properties on random trees. */
/* tests: src/reduce/tree/grabr.c src/reduce/tree/derivation.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "alloc_sweep.h"
#include "engine/engine.h"
#include "reduce/tree/grabr.h"
#include "support/book_grammar.h"
#include "support/simulated_oracle.h"
#include "support/tree_driver.h"
#include "support/tree_notation.h"

static const char expr_grammar[] = "start: expr\n"
                                   "expr: term ' + ' expr | term ' - ' expr | term\n"
                                   "term: factor ' * ' term | factor ' / ' term | factor\n"
                                   "factor: '+' factor | '-' factor | '(' expr ')'\n"
                                   "  | integer '.' integer | integer\n"
                                   "integer: digit integer | digit\n"
                                   "digit: '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8'"
                                   " | '9'\n";

/* 1 + (2 * 3) */
static const char derivation[] =
    "(start (expr (term (factor (integer (digit '1')))) ' + ' (expr (term (factor '(' (expr "
    "(term (factor (integer (digit '2'))) ' * ' (term (factor (integer (digit '3')))))) ')')))))";

struct book {
    struct notation notation;
    struct book_grammar grammar;
    pare_expansions expansions;
    pare_tree *tree;
};

static void open_book(struct book *book, const char *tree, const char *grammar)
{
    memset(book, 0, sizeof *book);
    notation_read(&book->notation, tree);
    book_read(&book->grammar, &book->notation, grammar);
    book->expansions = book_expansions(&book->grammar);
    book->tree = notation_tree(&book->notation, &(pare_tree_rules){.joints = PARE_JOINTS_PLAIN});
}

static void close_book(struct book *book)
{
    pare_tree_unref(book->tree);
    notation_done(&book->notation);
}

static pare_tree_symbol rule(struct book *book, const char *name)
{
    return (pare_tree_symbol){PARE_NODE_RULE, notation_symbol(&book->notation, name, strlen(name))};
}

/* The texts of reductions, as a list in brackets. */
static void assert_texts(const pare_derivation *tree, const pare_reductions *reductions,
                         const char *expected)
{
    char out[1024] = "[";
    for (size_t i = 0; i < reductions->n; i++) {
        const pare_reduction *reduction = &reductions->items[i];
        if (i) strcat(out, ", ");
        for (uint32_t p = 0; p < reduction->n; p++) {
            const pare_part *part = &reductions->parts[reduction->first + p];
            size_t at = strlen(out);
            const pare_derivation_node *node = &tree->nodes[part->node];
            pare_text_read(tree->text, node->begin, node->end - node->begin, out + at);
            out[at + node->end - node->begin] = '\0';
        }
    }
    strcat(out, "]");
    assert_string_equal(out, expected);
}

typedef pare_status (*finder)(const pare_derivation *tree, const struct book *book,
                              pare_tree_symbol symbol, long depth, bool all, pare_reductions *to);

static pare_status find_subtrees(const pare_derivation *tree, const struct book *book,
                                 pare_tree_symbol symbol, long depth, bool all, pare_reductions *to)
{
    (void)book;
    (void)all;
    return pare_grabr_subtrees(tree, (pare_reduction_place){0, symbol, depth}, to, NULL);
}

static pare_status find_alternates(const pare_derivation *tree, const struct book *book,
                                   pare_tree_symbol symbol, long depth, bool all,
                                   pare_reductions *to)
{
    pare_reduction_options options = {.expansions = &book->expansions, .all_combinations = all};
    return pare_grabr_alternates(tree, (pare_reduction_place){0, symbol, depth}, &options, to,
                                 NULL);
}

static pare_status find_all(const pare_derivation *tree, const struct book *book,
                            pare_tree_symbol symbol, long depth, bool all, pare_reductions *to)
{
    pare_reduction_options options = {.expansions = &book->expansions, .all_combinations = all};
    return pare_grabr_all_reductions(tree, (pare_reduction_place){0, symbol, depth}, &options, to,
                                     NULL);
}

static void check_found(finder find, const char *symbol, long depth, bool all, const char *expected)
{
    struct book book;
    pare_derivation *tree = NULL;
    pare_reductions reductions = {0};
    open_book(&book, derivation, expr_grammar);
    assert_int_equal(pare_derivation_new(book.tree, &tree, NULL), PARE_OK);
    assert_int_equal(tree->n_nodes, 25);
    assert_int_equal(tree->height, 12);
    assert_int_equal(find(tree, &book, rule(&book, symbol), depth, all, &reductions), PARE_OK);
    assert_texts(tree, &reductions, expected);
    pare_grabr_reductions_done(&reductions);
    pare_derivation_unref(tree);
    close_book(&book);
}

static void test_reductions__subtrees_with_symbol_as_the_seed_prints_them(void **state)
{
    (void)state;
    check_found(find_subtrees, "term", PARE_ANY_DEPTH, false, "[1, (2 * 3), 2 * 3, 3]");
    check_found(find_subtrees, "term", 1, false, "[]");
    check_found(find_subtrees, "term", 2, false, "[1]");
    check_found(find_subtrees, "term", 3, false, "[(2 * 3)]");
}

static void test_reductions__alternates_as_the_seed_prints_them(void **state)
{
    (void)state;
    check_found(find_alternates, "term", PARE_ANY_DEPTH, false, "[1, 1 * 1]");
    check_found(find_alternates, "term", PARE_ANY_DEPTH, true,
                "[1, 2, 3, 1 * 1, 1 * 3, 2 * 1, 2 * 3, 3 * 1, 3 * 3, (2 * 3), 1 * 2 * 3, "
                "2 * 2 * 3, 3 * 2 * 3, 1 * (2 * 3), (2 * 3) * 1, (2 * 3) * 3, 2 * (2 * 3), "
                "3 * (2 * 3)]");
}

static void test_reductions__both_without_repetitions_as_the_seed_prints_them(void **state)
{
    (void)state;
    check_found(find_all, "expr", PARE_ANY_DEPTH, false, "[1 + (2 * 3), (2 * 3), 2 * 3, 1]");
    check_found(find_all, "term", PARE_ANY_DEPTH, false, "[1, (2 * 3), 2 * 3, 3, 1 * 1]");
}

/* --- reducing ---------------------------------------------------------------------------- */

/* A round bracket, and one that closes it behind. */
static pare_outcome mystery(void *context, const unsigned char *bytes, size_t size)
{
    (void)context;
    const unsigned char *open = memchr(bytes, '(', size);
    const unsigned char *close = memchr(bytes, ')', size);
    return open && close && open < close ? PARE_FAIL : PARE_PASS;
}

/* Drops lines of the driver's log that came before: those the cache would answer. */
static void assert_tests(const char *log, const char *expected)
{
    char out[4096] = "\n";
    size_t n = 0;
    for (const char *line = log; *line; line = strchr(line, '\n') + 1) {
        size_t size = (size_t)(strchr(line, '\n') - line) + 1;
        char key[256] = "\n";
        memcpy(key + 1, line, size);
        key[size + 1] = '\0';
        if (strstr(out, key)) continue;
        strncat(out, line, size);
        n++;
    }
    assert_string_equal(out + 1, expected);
    assert_true(n <= 6);
}

static void check_reduction(bool by_depth, bool all, const char *expected)
{
    struct book book;
    struct drive drive;
    pare_strategy *strategy = NULL;
    open_book(&book, derivation, expr_grammar);
    pare_grabr_options options = {
        .reductions = {.expansions = &book.expansions, .all_combinations = all},
        .by_depth = by_depth};
    assert_int_equal(pare_grabr_new(book.tree, &options, &strategy, NULL), PARE_OK);
    drive_run(&drive, strategy, mystery, NULL);
    assert_string_equal(drive.best, "(3)");
    assert_tests(drive.log, expected);
    drive_done(&drive);
    close_book(&book);
}

static void test_grabr__takes_the_five_tests_of_the_seed(void **state)
{
    (void)state;
    check_reduction(false, false, "(2 * 3)\n2 * 3\n3\n2\n(3)\n");
    check_reduction(false, true, "(2 * 3)\n2 * 3\n3\n2\n3 * 3\n(3)\n");
}

static void test_grabr__by_depth_takes_even_fewer(void **state)
{
    (void)state;
    check_reduction(true, false, "(2 * 3)\n(3)\n3\n");
    check_reduction(true, true, "(2 * 3)\n(3)\n3\n");
}

static pare_outcome has_no_dot(void *context, const unsigned char *bytes, size_t size)
{
    (void)context;
    (void)bytes;
    return size && memchr(bytes, '.', size) == NULL ? PARE_FAIL : PARE_PASS;
}

/* Exercise 2 of the seed. */
static void test_grabr__generates_what_is_not_in_the_input(void **state)
{
    (void)state;
    struct book book;
    struct drive drive;
    pare_strategy *strategy = NULL;
    open_book(&book, "(start (number (float (digits '1' '0' '0') '.' (digits '9' '9'))))",
              "start: number\nnumber: float | integer | nan\nfloat: digits '.' digits\n"
              "integer: digits\nnan: 'NaN'\n");
    book.grammar.shortest = "integer=1 nan=NaN";
    pare_grabr_options options = {.reductions = {.expansions = &book.expansions, .generate = true}};
    assert_int_equal(pare_grabr_new(book.tree, &options, &strategy, NULL), PARE_OK);
    drive_run(&drive, strategy, has_no_dot, NULL);
    assert_string_equal(drive.best, "1");
    drive_done(&drive);
    assert_int_equal(pare_grabr_new(book.tree, &options, &strategy, NULL), PARE_OK);
    drive_run(&drive, strategy, mystery, NULL);
    assert_non_null(strstr(drive.log, "\nNaN\n"));
    assert_null(drive.best);
    drive_done(&drive);
    close_book(&book);
}

static pare_outcome has_a(void *context, const unsigned char *bytes, size_t size)
{
    (void)context;
    return memchr(bytes, 'a', size) ? PARE_FAIL : PARE_PASS;
}

static pare_outcome is_not_empty(void *context, const unsigned char *bytes, size_t size)
{
    (void)context;
    (void)bytes;
    return size ? PARE_FAIL : PARE_PASS;
}

static pare_outcome has_no_1(void *context, const unsigned char *bytes, size_t size)
{
    (void)context;
    return memchr(bytes, '1', size) ? PARE_PASS : PARE_FAIL;
}

static pare_outcome begins_10(void *context, const unsigned char *bytes, size_t size)
{
    (void)context;
    return size >= 2 && bytes[0] == '1' && bytes[1] == '0' ? PARE_FAIL : PARE_PASS;
}

/* Reduces `tree` by `grammar` to what is expected. */
static void check_root(const char *tree, const char *grammar, const char *shortest, bool by_depth,
                       drive_test test, const char *expected)
{
    struct book book;
    struct drive drive;
    pare_strategy *strategy = NULL;
    open_book(&book, tree, grammar);
    book.grammar.shortest = shortest;
    pare_grabr_options options = {
        .reductions = {.expansions = &book.expansions, .generate = shortest != NULL},
        .by_depth = by_depth};
    assert_int_equal(pare_grabr_new(book.tree, &options, &strategy, NULL), PARE_OK);
    drive_run(&drive, strategy, test, NULL);
    assert_non_null(drive.best);
    assert_string_equal(drive.best, expected);
    drive_done(&drive);
    close_book(&book);
}

static void test_grabr__replaces_the_root_as_any_other_node(void **state)
{
    (void)state;
    static const char sum[] = "(s (s 'a') '+' (s (s 'a') '+' (s 'a')))";
    for (int by_depth = 0; by_depth < 2; by_depth++)
        check_root(sum, "s: s '+' s | 'a' |\n", NULL, by_depth, has_a, "a");
}

/* Exercise 2 of the seed, whose grammar has no symbol above its root.  What is made is as
 * small as can be, of the input's own digits. */
static void test_grabr__generates_in_the_place_of_the_root(void **state)
{
    (void)state;
    static const char number[] =
        "(number (float (digits (digit '1') (digits (digit '0') (digits (digit '0')))) '.' "
        "(digits (digit '9') (digits (digit '9')))))";
    static const char grammar[] = "number: float | integer | nan\nfloat: digits '.' digits\n"
                                  "integer: digits\nnan: 'NaN'\n"
                                  "digits: digit digits | digit\ndigit: '0' | '1' | '9'\n";
    static const char shortest[] = " number=0 float=0.0 integer=0 nan=NaN digits=0 digit=0";
    for (int by_depth = 0; by_depth < 2; by_depth++) {
        check_root(number, grammar, shortest, by_depth, is_not_empty, "1");
        check_root(number, grammar, shortest, by_depth, has_no_1, "NaN");
        check_root(number, grammar, shortest, by_depth, begins_10, "10");
    }
}

/* --- properties --------------------------------------------------------------------------- */

static const char json_grammar[] =
    "json: value\nvalue: object | array | 'NUMBER'\npair: 'STRING' ':' value\n";

struct trace {
    size_t n;
    pare_retired step[100000];
};

static struct trace one, many;

static void keep_step(void *context, const pare_retired *retired)
{
    struct trace *trace = context;
    assert_true(trace->n < sizeof trace->step / sizeof *trace->step);
    trace->step[trace->n++] = *retired;
}

struct outcome {
    char bytes[4096];
    size_t size;
    uint64_t tests;
};

static void reduce(const pare_tree *tree, const pare_grabr_options *grabr, struct subject *subject,
                   unsigned jobs, struct trace *trace, struct outcome *outcome)
{
    static struct simulated_oracle sim;
    pare_engine *engine = NULL;
    pare_strategy *strategy = NULL;
    pare_engine_end end;
    pare_verdict verdict;
    simulated_init(&sim, jobs, subject_run, subject, jobs);
    trace->n = 0;
    pare_engine_options options = {.oracle = &sim.head, .context = trace, .retired = keep_step};
    assert_int_equal(pare_engine_new(&options, &engine, NULL), PARE_OK);
    assert_int_equal(pare_engine_check(engine, tree->text, &verdict, NULL), PARE_OK);
    assert_int_equal(pare_grabr_new(tree, grabr, &strategy, NULL), PARE_OK);
    assert_int_equal(pare_engine_run(engine, strategy, &end, NULL), PARE_OK);
    const pare_candidate *best = pare_engine_best(engine);
    assert_true(best->size < sizeof outcome->bytes);
    outcome->size = best->size;
    pare_candidate_read(best, outcome->bytes);
    outcome->bytes[best->size] = '\0';
    outcome->tests = pare_engine_statistics(engine).tests;
    pare_engine_free(engine);
}

static void check_seed(uint64_t seed, bool by_depth, bool all)
{
    struct json json = {0};
    struct book_grammar grammar;
    struct subject subject;
    static struct outcome alone, together;
    json_draw(&json, seed, 6);
    subject_draw(&subject, &json, seed);
    book_read(&grammar, &json.notation, json_grammar);
    pare_expansions expansions = book_expansions(&grammar);
    pare_tree *tree = json_tree(&json);
    pare_grabr_options options = {.reductions = {&expansions, all, false, 50},
                                  .by_depth = by_depth};
    if (subject_run(&subject, (unsigned char *)json.notation.text, json.notation.text_size) ==
        PARE_FAIL) {
        reduce(tree, &options, &subject, 1, &one, &alone);
        assert_int_equal(subject_run(&subject, (unsigned char *)alone.bytes, alone.size),
                         PARE_FAIL);
        for (unsigned jobs = 2; jobs <= 8; jobs += 6) {
            reduce(tree, &options, &subject, jobs, &many, &together);
            assert_string_equal(alone.bytes, together.bytes);
            assert_int_equal(one.n, many.n);
            for (size_t i = 0; i < one.n; i++)
                assert_true(pare_digest_equal(one.step[i].digest, many.step[i].digest));
        }
    }
    pare_tree_unref(tree);
    notation_done(&json.notation);
}

static void test_grabr__result_fails_and_is_the_same_at_any_jobs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++)
        check_seed(seed, seed & 1, seed & 2);
}

static void test_grabr__prints_how_many_tests_it_takes(void **state)
{
    (void)state;
    static struct outcome outcome;
    for (int by_depth = 0; by_depth < 2; by_depth++) {
        uint64_t tests = 0, bytes = 0;
        for (uint64_t seed = 1000; seed < 1040; seed++) {
            struct json json = {0};
            struct book_grammar grammar;
            struct subject subject;
            json_draw(&json, seed, 60);
            subject_draw(&subject, &json, seed);
            subject.n_dependent = 0;
            book_read(&grammar, &json.notation, json_grammar);
            pare_expansions expansions = book_expansions(&grammar);
            pare_tree *tree = json_tree(&json);
            pare_grabr_options options = {.reductions = {.expansions = &expansions},
                                          .by_depth = by_depth};
            reduce(tree, &options, &subject, 1, &one, &outcome);
            tests += outcome.tests;
            bytes += outcome.size;
            pare_tree_unref(tree);
            notation_done(&json.notation);
        }
        print_message("%-24s %10llu %10llu\n", by_depth ? "grabr, by depth" : "grabr",
                      (unsigned long long)tests, (unsigned long long)bytes);
    }
}

/* --- replacing, memory, depth --------------------------------------------------------------- */

static void test_derivation__random_replacements_keep_the_tree_whole(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct book book;
        pare_random random;
        pare_derivation *tree = NULL;
        open_book(&book, derivation, expr_grammar);
        pare_random_init(&random, seed);
        assert_int_equal(pare_derivation_new(book.tree, &tree, NULL), PARE_OK);
        pare_reduction_options options = {.expansions = &book.expansions, .all_combinations = true};
        for (int step = 0; step < 20; step++) {
            pare_reductions found = {0};
            pare_derivation *after = NULL;
            uint32_t node = (uint32_t)pare_random_below(&random, tree->n_nodes);
            pare_reduction_place place = {node, tree->nodes[node].symbol, PARE_ANY_DEPTH};
            assert_int_equal(pare_grabr_all_reductions(tree, place, &options, &found, NULL),
                             PARE_OK);
            if (found.n) {
                const pare_reduction *reduction = &found.items[pare_random_below(&random, found.n)];
                uint32_t gone = tree->nodes[node].after - node;
                assert_true(reduction->n_nodes < gone);
                assert_int_equal(
                    pare_derivation_replace(tree, node, reduction, found.parts, &after, NULL),
                    PARE_OK);
                assert_true(pare_derivation_check(after));
                assert_int_equal(after->n_nodes, tree->n_nodes - gone + reduction->n_nodes);
                assert_true(after->nodes[node].shape == reduction->shape);
                pare_derivation_unref(tree);
                tree = after;
            }
            pare_grabr_reductions_done(&found);
        }
        pare_derivation_unref(tree);
        close_book(&book);
    }
}

static pare_status run_with_failures(void *context)
{
    struct book *book = context;
    pare_strategy *strategy = NULL;
    pare_candidate candidate = {0};
    pare_grabr_options options = {.reductions = {.expansions = &book->expansions}};
    pare_status status = pare_grabr_new(book->tree, &options, &strategy, NULL);
    for (pare_next what = PARE_NEXT_TEST; !status;) {
        pare_strategy *copy = NULL;
        unsigned char bytes[64];
        status = strategy->ops->next(strategy, &what, &candidate, NULL);
        if (status || what == PARE_NEXT_DONE) break;
        pare_candidate_read(&candidate, bytes);
        pare_outcome outcome = mystery(NULL, bytes, candidate.size);
        status = strategy->ops->copy(strategy, &copy, NULL);
        if (status) break;
        pare_strategy_free(strategy);
        strategy = copy;
        status = strategy->ops->tell(strategy, outcome, NULL);
    }
    pare_candidate_done(&candidate);
    pare_strategy_free(strategy);
    return status;
}

static void test_grabr__out_of_memory_is_a_clean_error(void **state)
{
    (void)state;
    struct book book;
    open_book(&book, derivation, expr_grammar);
    sweep_allocations(run_with_failures, &book);
    close_book(&book);
}

enum { DEEP = 1000000, DEEP_TESTS = 12 };

static void test_grabr__a_million_levels_are_no_recursion(void **state)
{
    (void)state;
    struct notation notation = {0};
    uint32_t e = notation_symbol(&notation, "e", 1), at = PARE_NO_NODE;
    for (size_t i = 0; i < DEEP; i++) {
        at = notation_open(&notation, PARE_NODE_RULE, e, at);
        notation_token(&notation, "(", 1, at);
    }
    for (; at != PARE_NO_NODE; at = notation.parse.nodes[at].parent) {
        notation.parse.nodes[at].after = (uint32_t)notation.parse.n_nodes;
        notation.parse.nodes[at].end = (uint32_t)notation.text_size;
    }
    pare_tree *tree = notation_tree(&notation, &(pare_tree_rules){.joints = PARE_JOINTS_PLAIN});
    pare_strategy *strategy = NULL;
    pare_candidate candidate = {0};
    pare_grabr_options options = {.by_depth = true};
    assert_int_equal(pare_grabr_new(tree, &options, &strategy, NULL), PARE_OK);
    for (size_t i = 0; i < DEEP_TESTS; i++) {
        pare_next what;
        assert_int_equal(strategy->ops->next(strategy, &what, &candidate, NULL), PARE_OK);
        assert_int_equal(what, PARE_NEXT_TEST);
        pare_outcome outcome = i % 4 ? PARE_PASS : PARE_FAIL;
        assert_int_equal(strategy->ops->tell(strategy, outcome, NULL), PARE_OK);
    }
    pare_candidate_done(&candidate);
    pare_strategy_free(strategy);
    pare_tree_unref(tree);
    notation_done(&notation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reductions__subtrees_with_symbol_as_the_seed_prints_them),
        cmocka_unit_test(test_reductions__alternates_as_the_seed_prints_them),
        cmocka_unit_test(test_reductions__both_without_repetitions_as_the_seed_prints_them),
        cmocka_unit_test(test_grabr__takes_the_five_tests_of_the_seed),
        cmocka_unit_test(test_grabr__by_depth_takes_even_fewer),
        cmocka_unit_test(test_grabr__generates_what_is_not_in_the_input),
        cmocka_unit_test(test_grabr__replaces_the_root_as_any_other_node),
        cmocka_unit_test(test_grabr__generates_in_the_place_of_the_root),
        cmocka_unit_test(test_grabr__result_fails_and_is_the_same_at_any_jobs),
        cmocka_unit_test(test_grabr__prints_how_many_tests_it_takes),
        cmocka_unit_test(test_derivation__random_replacements_keep_the_tree_whole),
        cmocka_unit_test(test_grabr__out_of_memory_is_a_clean_error),
        cmocka_unit_test(test_grabr__a_million_levels_are_no_recursion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
