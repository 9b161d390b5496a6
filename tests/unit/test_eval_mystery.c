/* What the seeds reduce by a grammar, by the way that users take: from the grammar's file on.
 *
 * The example of seed 000, and the comparison that ends seed 002: an expression made with at least 100 open nonterminals,
 * which fails MysteryRunner, under EvalMysteryRunner, which takes expressions only; reduced by
 * GRABR and by delta debugging. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <pare/reduce.h>

#include "generate/fuzzer.h"
#include "parse/parser.h"
#include "unit/support/assignments.h"
#include "unit/support/mersenne.h"

enum { LEAST_NONTERMINALS = 100, TEXTS = 5 };

/* EXPR_GRAMMAR of seeds 000 and 002. */
static const char expressions[] =
    "{\"<start>\": [\"<expr>\"],"
    "\"<expr>\": [\"<term> + <expr>\", \"<term> - <expr>\", \"<term>\"],"
    "\"<term>\": [\"<factor> * <term>\", \"<factor> / <term>\", \"<factor>\"],"
    "\"<factor>\": [\"+<factor>\", \"-<factor>\", \"(<expr>)\", \"<integer>.<integer>\", "
    "\"<integer>\"],"
    "\"<integer>\": [\"<digit><integer>\", \"<digit>\"],"
    "\"<digit>\": [\"0\",\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\"]}";

struct eval {
    pare_grammar *grammar;
    pare_parser *parser;
    char path[64];
};

static void eval_init(struct eval *eval)
{
    *eval = (struct eval){.grammar = book_of(expressions)};
    assert_int_equal(pare_parser_new(eval->grammar, 0, &eval->parser, NULL), PARE_OK);
    snprintf(eval->path, sizeof eval->path, "eval-mystery-%ld.json", (long)getpid());
    FILE *file = fopen(eval->path, "w");
    assert_non_null(file);
    assert_true(fputs(expressions, file) != EOF);
    assert_int_equal(fclose(file), 0);
}

static void eval_done(struct eval *eval)
{
    pare_parser_free(eval->parser);
    pare_grammar_free(eval->grammar);
    (void)remove(eval->path);
}

static bool is_expression(const struct eval *eval, const char *text, size_t size)
{
    pare_parse_tree tree = {0};
    pare_parse_cost cost = {0};
    assert_int_equal(pare_parser_run(eval->parser, text, size, &tree, &cost, NULL), PARE_OK);
    bool is = !tree.error.any && !cost.n_rest;
    pare_parse_tree_done(&tree);
    return is;
}

/* EvalMysteryRunner. */
static pare_outcome run(void *context, const void *bytes, size_t size)
{
    const char *text = bytes;
    const char *open = size ? memchr(text, '(', size) : NULL;
    const char *close = size ? memchr(text, ')', size) : NULL;
    if (!size || !is_expression(context, text, size)) return PARE_UNRESOLVED;
    return open && close && open < close ? PARE_FAIL : PARE_PASS;
}

/* The next expression, from *seed on, that fails. */
static void find_failing(struct eval *eval, int64_t *seed, pare_buffer *text)
{
    pare_expansion_costs costed;
    pare_choices choices = {0};
    assert_int_equal(pare_expansion_costs_init(&costed, eval->grammar, NULL), PARE_OK);
    pare_phases_fuzzer phases = {.costed = &costed,
                                 .min_nonterminals = LEAST_NONTERMINALS,
                                 .max_nonterminals = LEAST_NONTERMINALS};
    pare_generator generator = pare_fuzzer_phases(&phases);
    do {
        seed_python(&choices, ++*seed);
        pare_buffer_reset(text);
        assert_int_equal(generator.run(generator.self, &choices, text, NULL), PARE_OK);
    } while (run(eval, text->data, text->size) != PARE_FAIL);
    pare_choices_done(&choices);
    pare_fuzzer_phases_done(&phases);
    pare_expansion_costs_done(&costed);
}

/* Reduces; sets how many tests were run, and gives the size that is left. */
static size_t reduce(struct eval *eval, const char *algorithm, const pare_buffer *text,
                     uint64_t *tests)
{
    const char *path = eval->path;
    pare_result result = {0};
    pare_error err = {0};
    pare_reduce_options options = {.input.bytes = text->data,
                                   .input.size_bytes = text->size,
                                   .test.predicate = run,
                                   .test.context = eval,
                                   .algorithms = algorithm,
                                   .limits.jobs = 1};
    if (strcmp(algorithm, "grabr") == 0) {
        options.trees.grammars = &path;
        options.trees.n_grammars = 1;
    } else {
        options.units = "char";
    }
    if (pare_reduce(&options, &result, &err)) fail_msg("%s: %s", algorithm, err.message);
    assert_int_equal(run(eval, result.bytes, result.size_bytes), PARE_FAIL);
    *tests = result.stats.tests_run;
    size_t size = result.size_bytes;
    pare_result_done(&result);
    return size;
}

static void test_eval_mystery__grabr_takes_a_handful_of_tests_where_ddmin_takes_many(void **state)
{
    (void)state;
    struct eval eval;
    pare_buffer text = {0};
    int64_t seed = 0;
    eval_init(&eval);
    print_message("%8s %16s %16s\n%8s %8s%8s %8s%8s\n", "", "GRABR", "ddmin", "bytes", "tests",
                  "bytes", "tests", "bytes");
    for (int i = 0; i < TEXTS; i++) {
        uint64_t by_tree, by_text;
        find_failing(&eval, &seed, &text);
        size_t of_tree = reduce(&eval, "grabr", &text, &by_tree);
        size_t of_text = reduce(&eval, "ddmin-complement", &text, &by_text);
        print_message("%8zu %8llu%8zu %8llu%8zu\n", text.size, (unsigned long long)by_tree, of_tree,
                      (unsigned long long)by_text, of_text);
        assert_int_equal(of_tree, 3); /* a digit in brackets */
        assert_true(of_text >= of_tree);
        assert_true(by_tree * 10 < by_text);
    }
    pare_buffer_done(&text);
    eval_done(&eval);
}

/* test_bb of seed 000, `.*[(][(].*[)][)].*`. */
static pare_outcome doubled_parentheses(void *context, const void *bytes, size_t size)
{
    (void)context;
    const char *text = bytes, *open = size ? memmem(text, size, "((", 2) : NULL;
    if (!open) return PARE_PASS;
    return memmem(open + 2, size - (size_t)(open + 2 - text), "))", 2) ? PARE_FAIL : PARE_PASS;
}

static void test_perses__comes_to_the_result_of_seed_000(void **state)
{
    (void)state;
    struct eval eval;
    static const char input[] = "1 + ((2 * 3 / 4))";
    eval_init(&eval);
    const char *path = eval.path;
    for (unsigned jobs = 1; jobs <= 4; jobs += 3) {
        pare_result result = {0};
        pare_error err = {0};
        pare_reduce_options options = {.input.bytes = input,
                                       .input.size_bytes = sizeof input - 1,
                                       .test.predicate = doubled_parentheses,
                                       .algorithms = "perses",
                                       .trees.grammars = &path,
                                       .trees.n_grammars = 1,
                                       .limits.jobs = jobs};
        if (pare_reduce(&options, &result, &err)) fail_msg("%s", err.message);
        assert_int_equal(result.size_bytes, 5);
        assert_memory_equal(result.bytes, "((4))", 5);
        pare_result_done(&result);
    }
    eval_done(&eval);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_perses__comes_to_the_result_of_seed_000),
        cmocka_unit_test(test_eval_mystery__grabr_takes_a_handful_of_tests_where_ddmin_takes_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
