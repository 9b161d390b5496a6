/* Alternatives of nodes: from grammars, filled with the tokens of the node. */
/* tests: src/reduce/syntax/grammar_rules.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "alloc_sweep.h"
#include "parse/parser.h"
#include "reduce/passes/alternatives.h"
#include "reduce/syntax/rules.h"
#include "support/grammar_text.h"

static const char toy[] =
    "grammar Toy;\n"
    "program: statement* EOF ;\n"
    "statement: 'if' '(' expr ')' statement | 'return' expr ';' | NAME '=' expr ';'\n"
    "    | 'while' '(' expr ')' statement | ';' ;\n"
    "expr: expr '+' expr | NAME '(' (expr (',' expr)*)? ')' | NUMBER | NAME | endless ;\n"
    "endless: 'x' endless ;\n"
    "NAME: [a-z]+ ;\nNUMBER: [0-9]+ ;\nSPACE: [ \\n]+ -> skip ;\n";

struct bench {
    pare_grammar *grammar;
    pare_grammar_rules *rules;
    pare_text *text;
    pare_tree *tree;
};

static void open_bench(struct bench *bench, const char *input)
{
    pare_parser *parser = NULL;
    pare_parse_tree parse = {0};
    size_t size = strlen(input);
    bench->grammar = read_text(toy);
    pare_index start = pare_grammar_start(bench->grammar);
    assert_int_equal(pare_grammar_rules_new(bench->grammar, &bench->rules, NULL), PARE_OK);
    assert_int_equal(pare_parser_new(bench->grammar, start, &parser, NULL), PARE_OK);
    assert_int_equal(pare_parser_run(parser, input, size, &parse, NULL, NULL), PARE_OK);
    assert_false(parse.error.any);
    assert_int_equal(pare_text_copy(input, size, &bench->text, NULL), PARE_OK);
    pare_tree_rules rules = pare_grammar_rules_of(bench->rules);
    assert_int_equal(pare_tree_new(&parse, bench->text, &rules, &bench->tree, NULL), PARE_OK);
    pare_parse_tree_done(&parse);
    pare_parser_free(parser);
}

static void close_bench(struct bench *bench)
{
    pare_tree_unref(bench->tree);
    pare_text_unref(bench->text);
    pare_grammar_rules_free(bench->rules);
    pare_grammar_free(bench->grammar);
}

/* The k-th node, from 0, of rule `name`. */
static uint32_t node_of(const struct bench *bench, const char *name, size_t k)
{
    pare_index rule = pare_grammar_find_rule(bench->grammar, name);
    for (uint32_t i = 0; i < bench->tree->n_nodes; i++) {
        const pare_tree_node *node = &bench->tree->nodes[i];
        if (node->own.kind == PARE_NODE_RULE && node->own.symbol == rule && k-- == 0) return i;
    }
    fail_msg("no %s", name);
    return 0;
}

/* The alternatives of a node, with '|' between. */
static void assert_alternatives(const struct bench *bench, uint32_t node,
                                const pare_alternative_limits *limits, const char *expected)
{
    pare_alternatives found = {0};
    pare_buffer out = {0};
    assert_int_equal(pare_alternatives_find(bench->tree, node, limits, &found, NULL), PARE_OK);
    for (size_t i = 0; i < found.n; i++)
        assert_int_equal(pare_buffer_format(&out, NULL, i ? "|%.*s" : "%.*s",
                                            (int)found.items[i].size,
                                            pare_alternatives_text(&found, i)),
                         PARE_OK);
    assert_string_equal(out.data ? out.data : "", expected);
    pare_buffer_done(&out);
    pare_alternatives_done(&found);
}

static void test_alternatives__are_one_for_each_of_the_rule_filled_from_the_node(void **state)
{
    (void)state;
    static const pare_alternative_limits all = {.most = 100};
    struct bench bench;
    open_bench(&bench, "while (ab + 17) cd = f(2, 3); u = v;");
    assert_alternatives(&bench, node_of(&bench, "statement", 0), &all,
                        ";|ab=17;|if(17);|return 17;|while(17);");
    assert_alternatives(&bench, node_of(&bench, "statement", 1), &all,
                        ";|cd=2;|if(2);|return 2;|while(2);");
    close_bench(&bench);
}

static void test_alternatives__fill_several_of_a_sort_in_order_and_repeat_the_last(void **state)
{
    (void)state;
    static const pare_alternative_limits all = {.most = 100};
    struct bench bench;
    open_bench(&bench, "u = f(12, 34, 56);");
    assert_alternatives(&bench, node_of(&bench, "expr", 0), &all, "f|12|f()|12+34");
    assert_alternatives(&bench, node_of(&bench, "expr", 1), &all, "a");
    close_bench(&bench);
}

static void test_alternatives__keep_to_their_limits(void **state)
{
    (void)state;
    struct bench bench;
    open_bench(&bench, "while (ab + 17) cd = f(2, 3);");
    uint32_t node = node_of(&bench, "statement", 0);
    assert_alternatives(&bench, node, &(pare_alternative_limits){.most = 2}, ";|ab=17;");
    assert_alternatives(&bench, node, &(pare_alternative_limits){.longest_bytes = 6}, ";|ab=17;");
    assert_alternatives(&bench, 0, &(pare_alternative_limits){.most = 2}, "");
    uint32_t number = node_of(&bench, "expr", 2);
    assert_alternatives(&bench, number, &(pare_alternative_limits){.shorter = true}, "a");
    close_bench(&bench);
}

static void test_alternatives__of_what_has_none_are_none(void **state)
{
    (void)state;
    static const pare_alternative_limits all = {.most = 100};
    struct bench bench;
    open_bench(&bench, ";");
    assert_alternatives(&bench, node_of(&bench, "statement", 0), &all, "");
    for (uint32_t i = 0; i < bench.tree->n_nodes; i++)
        if (bench.tree->nodes[i].own.kind != PARE_NODE_RULE)
            assert_alternatives(&bench, i, &all, "");
    close_bench(&bench);
}

/* With rules of its own, for forms are kept once they are made. */
static pare_status find_all(void *context)
{
    struct bench bench = *(struct bench *)context;
    pare_alternatives found = {0};
    bench.rules = NULL;
    pare_status status = pare_grammar_rules_new(bench.grammar, &bench.rules, NULL);
    if (status) return status;
    pare_tree tree = *bench.tree;
    tree.rules = pare_grammar_rules_of(bench.rules);
    for (uint32_t i = 0; !status && i < tree.n_nodes; i++) {
        status =
            pare_alternatives_find(&tree, i, &(pare_alternative_limits){.most = 3}, &found, NULL);
        if (status) assert_int_equal(found.n, 0);
    }
    pare_alternatives_done(&found);
    pare_grammar_rules_free(bench.rules);
    return status;
}

static void test_alternatives__report_oom(void **state)
{
    (void)state;
    struct bench bench;
    open_bench(&bench, "while (ab + 17) cd = f(2, 3);");
    sweep_allocations(find_all, &bench);
    close_bench(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alternatives__are_one_for_each_of_the_rule_filled_from_the_node),
        cmocka_unit_test(test_alternatives__fill_several_of_a_sort_in_order_and_repeat_the_last),
        cmocka_unit_test(test_alternatives__keep_to_their_limits),
        cmocka_unit_test(test_alternatives__of_what_has_none_are_none),
        cmocka_unit_test(test_alternatives__report_oom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
