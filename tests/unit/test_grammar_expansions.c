/* Expansions of grammars for GRABR, and the leaves of scannerless trees. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "alloc_sweep.h"
#include "base/alloc.h"
#include "grammar/fuzzingbook.h"
#include "reduce/syntax/rules.h"
#include "support/parse_text.h"

struct bench {
    pare_grammar *grammar;
    pare_grammar_rules *rules;
    pare_grammar_expansions *expansions;
};

static void open_bench(struct bench *bench, pare_grammar *grammar)
{
    bench->grammar = grammar;
    assert_int_equal(pare_grammar_rules_new(grammar, &bench->rules, NULL), PARE_OK);
    assert_int_equal(pare_grammar_expansions_new(bench->rules, &bench->expansions, NULL), PARE_OK);
}

static void close_bench(struct bench *bench)
{
    pare_grammar_expansions_free(bench->expansions);
    pare_grammar_rules_free(bench->rules);
    pare_grammar_free(bench->grammar);
}

static const char *name_of(const struct bench *bench, pare_tree_symbol symbol, char *room)
{
    static const char *const kinds[] = {[PARE_NODE_OPTIONAL] = "?",
                                        [PARE_NODE_STAR] = "*",
                                        [PARE_NODE_PLUS] = "+",
                                        [PARE_NODE_ITEM] = "item"};
    const pare_grammar *grammar = bench->grammar;
    if (symbol.kind == PARE_NODE_RULE) return grammar->rules[symbol.symbol].name;
    if (symbol.kind != PARE_NODE_TOKEN) return kinds[symbol.kind];
    if (grammar->scannerless) {
        const char *text = NULL;
        uint32_t size = 0;
        assert_true(pare_grammar_rules_shortest(bench->rules, symbol, &text, &size));
        (void)sprintf(room, "'%.*s'", (int)size, text);
        return room;
    }
    const pare_token_type *token = &grammar->tokens[symbol.symbol];
    return symbol.symbol == PARE_TOKEN_END ? "EOF" : token->literal ? token->literal : token->name;
}

/* The expansions of a symbol, with '|' between. */
static void assert_expansions(const struct bench *bench, pare_tree_symbol symbol,
                              const char *expected)
{
    const pare_expansions *all = pare_grammar_expansions_of(bench->expansions);
    char out[512] = "", room[32];
    pare_expansion expansion;
    for (size_t i = 0; all->get(all->context, symbol, i, &expansion); i++) {
        if (i) strcat(out, "|");
        for (size_t k = 0; k < expansion.n; k++) {
            if (k) strcat(out, " ");
            strcat(out, name_of(bench, expansion.symbols[k], room));
        }
    }
    assert_string_equal(out, expected);
}

static pare_tree_symbol rule(const struct bench *bench, const char *name)
{
    return (pare_tree_symbol){PARE_NODE_RULE, pare_grammar_find_rule(bench->grammar, name)};
}

/* The symbol number `index` of expansion `at` of a symbol. */
static pare_tree_symbol part(const struct bench *bench, pare_tree_symbol symbol, size_t at,
                             size_t index)
{
    const pare_expansions *all = pare_grammar_expansions_of(bench->expansions);
    pare_expansion expansion;
    assert_true(all->get(all->context, symbol, at, &expansion));
    assert_true(index < expansion.n);
    return expansion.symbols[index];
}

static void test_expansions__quantifiers_are_symbols(void **state)
{
    (void)state;
    struct bench bench;
    open_bench(&bench, read_grammar("grammar T; s: A? (B | C) d* EOF; d: ('x' A)+ | (A | B)? | ~A;"
                                    "A: 'a'; B: 'b'; C: 'c';"));
    assert_expansions(&bench, rule(&bench, "s"),
                      "? b * EOF|? b EOF|? c * EOF|? c EOF|b * EOF|b EOF|c * EOF|c EOF");
    assert_expansions(&bench, rule(&bench, "d"), "+|?||x|b|c");
    assert_expansions(&bench, part(&bench, rule(&bench, "s"), 0, 0), "a|");
    assert_expansions(&bench, part(&bench, rule(&bench, "s"), 0, 2), "d|");
    pare_tree_symbol plus = part(&bench, rule(&bench, "d"), 0, 0);
    assert_expansions(&bench, plus, "item");
    assert_expansions(&bench, part(&bench, plus, 0, 0), "x a");
    pare_tree_symbol optional = part(&bench, rule(&bench, "d"), 1, 0);
    assert_expansions(&bench, optional, "item|");
    assert_expansions(&bench, part(&bench, optional, 0, 0), "a|b");
    assert_expansions(&bench, (pare_tree_symbol){PARE_NODE_TOKEN, 1}, "");
    assert_expansions(&bench, (pare_tree_symbol){PARE_NODE_RULE, 1000000}, "");
    close_bench(&bench);
}

static void test_expansions__are_bounded(void **state)
{
    (void)state;
    struct bench bench;
    char text[512] = "grammar T; s: ";
    for (int i = 0; i < 20; i++)
        strcat(text, "('a' | 'b' | 'c')? ");
    open_bench(&bench, read_grammar(strcat(text, ";")));
    const pare_expansions *all = pare_grammar_expansions_of(bench.expansions);
    pare_expansion expansion;
    size_t n = 0;
    while (all->get(all->context, rule(&bench, "s"), n, &expansion))
        n++;
    assert_int_equal(n, PARE_MAX_EXPANSIONS);
    close_bench(&bench);
}

static const char book[] = "{\"<start>\": [\"<pair>\"], \"<pair>\": [\"(<pair> , <pair>)\","
                           "\"<pair><pair>\", \"\", \"ab\", [\"ab\", \"ab\"]]}";

static pare_grammar *read_book(void)
{
    pare_grammar *grammar = NULL;
    assert_int_equal(pare_fuzzingbook_read_memory("B.json", book, strlen(book), &grammar, NULL),
                     PARE_OK);
    return grammar;
}

static void test_expansions__of_the_fuzzing_book_are_as_written(void **state)
{
    (void)state;
    struct bench bench;
    open_bench(&bench, read_book());
    assert_expansions(&bench, rule(&bench, "<pair>"),
                      "'(' <pair> ' , ' <pair> ')'|<pair> <pair>||'ab'|'ab' 'ab'");
    pare_tree_symbol one = part(&bench, rule(&bench, "<pair>"), 3, 0);
    pare_tree_symbol two = part(&bench, rule(&bench, "<pair>"), 4, 1);
    assert_int_equal(one.symbol, two.symbol);
    close_bench(&bench);
}

static void test_literals__of_a_scannerless_tree_are_one_leaf_each(void **state)
{
    (void)state;
    static const char text[] = "(ab , (abab , ))";
    struct bench bench;
    open_bench(&bench, read_book());
    pare_parse_tree tree = parse_with(bench.grammar, text, strlen(text), NULL);
    const pare_literals *literals = pare_grammar_rules_literals(bench.rules);
    assert_non_null(literals);
    assert_int_equal(pare_literals_join(literals, &tree, NULL), PARE_OK);
    assert_true(pare_parse_tree_check(&tree));
    char out[64] = "";
    for (uint32_t i = 0; i < tree.n_nodes; i++) {
        const pare_parse_node *node = &tree.nodes[i];
        if (node->kind != PARE_NODE_TOKEN) continue;
        char room[32], literal[32];
        (void)sprintf(room, "'%.*s'", (int)(node->end - node->begin), text + node->begin);
        strcat(out, room);
        assert_string_equal(
            name_of(&bench, (pare_tree_symbol){PARE_NODE_TOKEN, node->symbol}, literal), room);
    }
    assert_true(strcmp(out, "'(''ab'' , ''(''ab''ab'' , '')'')'") == 0);
    pare_parse_tree_done(&tree);
    close_bench(&bench);
}

/* The tree is parsed before memory fails. */
struct prepared {
    struct bench bench;
    pare_parse_tree tree;
};

static pare_status make_prepared(void *context)
{
    struct prepared *prepared = context;
    pare_grammar_expansions *expansions = NULL;
    pare_literals literals = {0};
    pare_parse_tree tree = prepared->tree;
    tree.nodes = pare_alloc(tree.n_nodes, sizeof *tree.nodes);
    if (!tree.nodes) return PARE_E_NOMEM;
    memcpy(tree.nodes, prepared->tree.nodes, tree.n_nodes * sizeof *tree.nodes);
    pare_status status = pare_grammar_expansions_new(prepared->bench.rules, &expansions, NULL);
    if (!status) status = pare_literals_init(&literals, prepared->bench.grammar, NULL);
    if (!status) status = pare_literals_join(&literals, &tree, NULL);
    pare_literals_done(&literals);
    pare_grammar_expansions_free(expansions);
    pare_parse_tree_done(&tree);
    return status;
}

static void test_expansions__out_of_memory_is_a_clean_error(void **state)
{
    (void)state;
    struct prepared prepared;
    open_bench(&prepared.bench, read_book());
    prepared.tree = parse_with(prepared.bench.grammar, "(ab , ab)", 9, NULL);
    sweep_allocations(make_prepared, &prepared);
    pare_parse_tree_done(&prepared.tree);
    close_bench(&prepared.bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expansions__quantifiers_are_symbols),
        cmocka_unit_test(test_expansions__are_bounded),
        cmocka_unit_test(test_expansions__of_the_fuzzing_book_are_as_written),
        cmocka_unit_test(test_literals__of_a_scannerless_tree_are_one_leaf_each),
        cmocka_unit_test(test_expansions__out_of_memory_is_a_clean_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
