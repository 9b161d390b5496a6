/* Trees of tree-sitter's as trees of the grammar, of samples in all languages of the table: each
 * node's children match its rule, and what our own parser would call a quantifier is one.  Skipped
 * where the registry cannot be reached. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "cli/support/language_samples.h"
#include "parse/grammar_tree.h"
#include "unit/alloc_sweep.h"
#include "unit/support/language.h"

struct world {
    pare_language_grammar grammar;
    pare_grammar_tree_maker *maker;
    pare_parse_tree shown, tree;
};

static pare_status make(struct world *world, const char *text)
{
    return pare_grammar_tree_make(world->maker, &world->shown, text, &world->tree, NULL);
}

static void open_world(struct world *world, const char *name, const char *text)
{
    *world = (struct world){.maker = NULL};
    assert_int_equal(pare_language_grammar_read(name, NULL, 0, &world->grammar, NULL), PARE_OK);
    assert_int_equal(pare_grammar_tree_new(world->grammar.parser, &world->grammar.from,
                                           world->grammar.content, &world->maker, NULL),
                     PARE_OK);
    assert_int_equal(
        pare_tree_sitter_parse(world->grammar.parser, text, strlen(text), &world->shown, NULL),
        PARE_OK);
    assert_int_equal(make(world, text), PARE_OK);
    assert_true(pare_parse_tree_check(&world->tree));
}

static void close_world(struct world *world)
{
    pare_parse_tree_done(&world->shown);
    pare_parse_tree_done(&world->tree);
    pare_grammar_tree_free(world->maker);
    pare_language_grammar_done(&world->grammar);
}

/* The tree as text: rules and tokens by name, quantifiers by their sign; rounds in braces. */
static void describe(const struct world *world, uint32_t node, pare_buffer *out)
{
    static const char *const signs[] = {"", "", "?", "*", "+", "", "!"};
    const pare_parse_node *n = &world->tree.nodes[node];
    const pare_symbol_names *names = &world->tree.names;
    const char *name = n->kind == PARE_NODE_RULE    ? names->rule(names->language, n->symbol)
                       : n->kind == PARE_NODE_TOKEN ? names->token(names->language, n->symbol)
                                                    : signs[n->kind];
    assert_int_equal(pare_buffer_text(out, name, NULL), PARE_OK);
    if (n->after == node + 1) return;
    assert_int_equal(pare_buffer_text(out, n->kind == PARE_NODE_ITEM ? "{" : "(", NULL), PARE_OK);
    for (uint32_t c = node + 1; c < n->after; c = world->tree.nodes[c].after) {
        if (c > node + 1) assert_int_equal(pare_buffer_text(out, " ", NULL), PARE_OK);
        describe(world, c, out);
    }
    assert_int_equal(pare_buffer_text(out, n->kind == PARE_NODE_ITEM ? "}" : ")", NULL), PARE_OK);
}

static void assert_tree(const char *language, const char *text, const char *expected)
{
    struct world world;
    pare_buffer out = {0};
    open_world(&world, language, text);
    describe(&world, 0, &out);
    assert_string_equal(out.data, expected);
    pare_buffer_done(&out);
    close_world(&world);
}

static void test_grammar_tree__has_hidden_rules_and_quantifiers(void **state)
{
    (void)state;
    assert_tree("json", "[1, 2]",
                "document(*(_value(array('[ ?({_value(number(#2)) *({', _value(number(#2))})}) "
                "']))))");
    assert_tree("go", "package a\n",
                "source_file(*({_top_level_declaration(package_clause('package "
                "_package_identifier(identifier as package_identifier(identifier("
                "/[_\\p{XID_Start}][_\\p{XID_Continue}]*))))) /\\n}))");
}

static void test_grammar_tree__matches_nearly_all_nodes_of_all_languages(void **state)
{
    (void)state;
    size_t n_all = 0, n_matched = 0;
    for (size_t i = 0; i < N_SAMPLES; i++) {
        struct world world;
        size_t n = 0, matched = 0;
        open_world(&world, samples[i].name, samples[i].text);
        for (size_t k = 0; k < world.tree.n_nodes; k++) {
            const pare_parse_node *node = &world.tree.nodes[k];
            if (node->kind != PARE_NODE_RULE) continue;
            n++;
            matched += node->alternative != PARE_NO_INDEX;
        }
        print_message("%-12s %zu of %zu nodes\n", samples[i].name, matched, n);
        n_all += n;
        n_matched += matched;
        close_world(&world);
    }
    print_message("%zu of %zu nodes match their rule\n", n_matched, n_all);
    assert_true(100 * n_matched >= 99 * n_all);
}

static pare_status attempt(void *context)
{
    struct world *world = context;
    pare_grammar_tree_maker *maker = NULL;
    pare_parse_tree tree = {0};
    pare_status status = pare_grammar_tree_new(world->grammar.parser, &world->grammar.from,
                                               world->grammar.content, &maker, NULL);
    if (!status) status = pare_grammar_tree_make(maker, &world->shown, "[1]", &tree, NULL);
    pare_parse_tree_done(&tree);
    pare_grammar_tree_free(maker);
    return status;
}

static void test_grammar_tree__reports_oom(void **state)
{
    (void)state;
    struct world world;
    open_world(&world, "json", "[1]");
    sweep_allocations(attempt, &world);
    close_world(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grammar_tree__has_hidden_rules_and_quantifiers),
        cmocka_unit_test(test_grammar_tree__matches_nearly_all_nodes_of_all_languages),
        cmocka_unit_test(test_grammar_tree__reports_oom),
    };
    use_build_data();
    for (size_t i = 0; i < N_SAMPLES; i++)
        if (!has_language(samples[i].name)) return EXIT_SKIPPED;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
