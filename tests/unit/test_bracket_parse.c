/* Trees of brackets, segments and tokens. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "alloc_sweep.h"
#include "base/random.h"
#include "parse/bracket_parse.h"
#include "unit/alloc_sweep.h"
#include "unit/support/parse_text.h"

/* Shows a tree: segments in <>, stars transparent, tokens separated by blanks. */
static void show(const pare_parse_tree *tree, const char *text, char *out, size_t room)
{
    size_t used = 0;
    uint32_t ends[64], n_ends = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i <= tree->n_nodes; i++) {
        while (n_ends > 0 && ends[n_ends - 1] == i) {
            used += (size_t)snprintf(out + used, room - used, ">");
            n_ends--;
        }
        if (i == tree->n_nodes) break;
        const pare_parse_node *node = &tree->nodes[i];
        if (node->kind == PARE_NODE_TOKEN)
            used += (size_t)snprintf(out + used, room - used, "%s%.*s",
                                     used > 0 && out[used - 1] != '<' ? " " : "",
                                     (int)(node->end - node->begin), text + node->begin);
        if (node->kind == PARE_NODE_RULE && node->symbol == PARE_BRACKETS_SEGMENT) {
            used += (size_t)snprintf(out + used, room - used, "<");
            ends[n_ends++] = node->after;
        }
    }
}

static void assert_shows(const char *text, const char *expected)
{
    pare_parse_tree tree = {0};
    char shown[512];
    assert_int_equal(pare_bracket_parse((const unsigned char *)text, strlen(text), &tree, NULL),
                     PARE_OK);
    assert_true(pare_parse_tree_check(&tree));
    show(&tree, text, shown, sizeof shown);
    assert_string_equal(shown, expected);
    pare_parse_tree_done(&tree);
}

static void test_bracket_parse__makes_segments_of_members_and_statements(void **state)
{
    (void)state;
    assert_shows("", "");
    assert_shows("  \n ", "");
    assert_shows("a b", "<a b>");
    assert_shows("{\"k\": [1, 2], \"l\": 3}\n", "<{<\"k\" : [<1 ,><2> ] ,><\"l\" : 3> }>");
    assert_shows("if (a) {\n  b();\n}\nc;", "<if (<a> ) {<b ( ) ;> }><c ;>");
}

static void test_bracket_parse__makes_elements_segments(void **state)
{
    (void)state;
    assert_shows("<a><b>x</b>y<c/>z</a>", "<<a><<b><x> </b>><y><<c / >><z> </a>>");
    assert_shows("a = b, c", "<a = b ,><c>");
}

static void test_bracket_parse__takes_unbalanced_brackets_for_tokens(void **state)
{
    (void)state;
    assert_shows(")(", "<) (>");
    assert_shows("a ) { b", "<a ) { b>");
    assert_shows("(]", "<( ]>");
}

/* Any bytes: the tree is sound, and tokens hold everything that is not blank. */
static void test_bracket_parse__tokens_hold_all_but_blanks(void **state)
{
    (void)state;
    static const char alphabet[] = "ab1,; \n\t()[]{}\"'\\\xc3\xa9";
    pare_random random;
    pare_random_init(&random, 4);
    for (int round = 0; round < 5000; round++) {
        unsigned char bytes[80];
        bool covered[80] = {false};
        size_t size = pare_random_below(&random, sizeof bytes);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (unsigned char)alphabet[pare_random_below(&random, sizeof alphabet - 1)];
        pare_parse_tree tree = {0};
        assert_int_equal(pare_bracket_parse(bytes, size, &tree, NULL), PARE_OK);
        assert_true(pare_parse_tree_check(&tree));
        for (size_t i = 0; i < tree.n_nodes; i++)
            if (tree.nodes[i].kind == PARE_NODE_TOKEN)
                for (uint32_t k = tree.nodes[i].begin; k < tree.nodes[i].end; k++)
                    covered[k] = true;
        for (size_t i = 0; i < size; i++)
            if (!covered[i] && !strchr(" \n\t\r", bytes[i]))
                fail_msg("byte %zu of %zu is in no token, round %d", i, size, round);
        pare_parse_tree_done(&tree);
    }
}

static void test_bracket_parse__a_million_levels_are_no_trouble(void **state)
{
    (void)state;
    enum { DEPTH = 1000000 };
    static unsigned char bytes[2 * DEPTH];
    memset(bytes, '(', DEPTH);
    memset(bytes + DEPTH, ')', DEPTH);
    pare_parse_tree tree = {0};
    assert_int_equal(pare_bracket_parse(bytes, sizeof bytes, &tree, NULL), PARE_OK);
    assert_int_equal(tree.nodes[0].after, tree.n_nodes);
    assert_int_equal(tree.nodes[0].end, sizeof bytes);
    pare_parse_tree_done(&tree);
}

static pare_status parse_some(void *context)
{
    pare_parse_tree tree = {0};
    const char *text = context;
    pare_status status = pare_bracket_parse((const unsigned char *)text, strlen(text), &tree, NULL);
    pare_parse_tree_done(&tree);
    return status;
}

static void test_bracket_parse__out_of_memory_is_clean(void **state)
{
    (void)state;
    char text[] = "a(b[c{d}, e], f); g";
    sweep_allocations(parse_some, text);
}

/* What did not lex or parse has structure by brackets, and can be reduced. */
#define LINES                                                                              \
    "grammar T; s : (I '=' N ';')* EOF ; I : [a-z]+ ; N : [0-9]+ ; O : [-+*/(){},[\\]] ; " \
    "WS : [ \\n]+ -> skip ;"

/* Opaque nodes of the tree: kinds by letters, leaves by their text. */
static void print_opaque(const pare_parse_tree *tree, const char *text, pare_buffer *out)
{
    static const char *const names[] = {[PARE_OPAQUE_SEGMENT] = "segment",
                                        [PARE_OPAQUE_ROUND] = "round",
                                        [PARE_OPAQUE_SQUARE] = "square",
                                        [PARE_OPAQUE_CURLY] = "curly"};
    uint32_t open = PARE_NO_NODE;
    for (uint32_t i = 0; i <= tree->n_nodes; i++) {
        for (; open != PARE_NO_NODE && (i == tree->n_nodes || tree->nodes[open].after <= i);
             open = tree->nodes[open].parent) {
            if (tree->nodes[open].kind == PARE_NODE_OPAQUE && !pare_parse_tree_is_leaf(tree, open))
                assert_int_equal(pare_buffer_text(out, ")", NULL), PARE_OK);
        }
        if (i == tree->n_nodes) return;
        open = i;
        const pare_parse_node *node = &tree->nodes[i];
        if (node->kind != PARE_NODE_OPAQUE) continue;
        assert_int_equal(pare_buffer_text(out, out->size ? " " : "", NULL), PARE_OK);
        if (pare_parse_tree_is_leaf(tree, i))
            assert_int_equal(
                pare_buffer_add(out, text + node->begin, node->end - node->begin, NULL), PARE_OK);
        else
            assert_int_equal(
                pare_buffer_format(out, NULL, "(%s",
                                   node->symbol == PARE_NO_NODE ? "stretch" : names[node->symbol]),
                PARE_OK);
    }
}

static void assert_opaque(const char *grammar_text, const char *text, const char *expected)
{
    pare_grammar *grammar = read_grammar(grammar_text);
    pare_parse_tree tree = parse_with(grammar, text, strlen(text), NULL);
    pare_buffer out = {0};
    print_opaque(&tree, text, &out);
    assert_string_equal(out.data ? out.data : "", expected);
    pare_buffer_done(&out);
    pare_parse_tree_done(&tree);
    pare_grammar_free(grammar);
}

static void test_bracket_parse__stretches_have_brackets_and_segments(void **state)
{
    (void)state;
    assert_opaque(LINES, "a = 1; b = 2;", "");
    assert_opaque(LINES, "a = 1; + b = 2;", "+");
    assert_opaque(LINES, "a = 1; (x, [1 2]) { } b = 2;",
                  "(stretch (segment (round ( (segment x ,) (segment (square [ (segment 1 2) ])) "
                  ")) (curly { })))");
}

static void test_bracket_parse__text_that_does_not_lex_is_in_the_node_around_it(void **state)
{
    (void)state;
    assert_opaque(LINES, "a = $$ 1; b = 2;", "(stretch (segment $ $))");
    assert_opaque(LINES, "? a = 1; b = 2; ??", "? (stretch (segment ? ?))");
    assert_opaque(LINES, "????", "(stretch (segment ? ? ? ?))");
    assert_opaque(LINES, "a = 1; + $ + b = 2;", "(stretch (segment + $ +))");
    assert_opaque("grammar T; s : A* EOF ; A : 'a' ;", "a ?(? ?) a",
                  "(stretch (segment ? (round ( (segment ? ?) ))))");
}

/* Whole, with all bytes in leaves that are not skipped, whatever the text. */
static void test_bracket_parse__any_text_gives_a_whole_tree(void **state)
{
    (void)state;
    static const char letters[] = "ab=1;;(){}[]?$+ \n\"'\xC3";
    pare_grammar *grammar = read_grammar(LINES);
    pare_random random;
    pare_random_init(&random, 7);
    for (size_t round = 0; round < 3000; round++) {
        char text[40];
        size_t size = pare_random_below(&random, sizeof text);
        for (size_t i = 0; i < size; i++)
            text[i] = letters[pare_random_below(&random, sizeof letters - 1)];
        pare_parse_tree tree = parse_with(grammar, text, size, NULL);
        uint32_t at = 0;
        for (uint32_t i = 0; i <= tree.n_nodes; i++) {
            bool end = i == tree.n_nodes;
            if (!end && !pare_parse_tree_is_leaf(&tree, i)) continue;
            uint32_t begin = end ? tree.size_bytes : tree.nodes[i].begin;
            assert_true(begin >= at);
            for (; at < begin; at++)
                assert_true(text[at] == ' ' || text[at] == '\n');
            if (!end) at = tree.nodes[i].end;
        }
        pare_parse_tree_done(&tree);
    }
    pare_grammar_free(grammar);
}

static pare_status parse_wrong(void *context)
{
    pare_parser *parser = NULL;
    pare_parse_tree tree = {0};
    const char *text = "? a = 1; f(x, [1 2]) { } ?? b = 2; ?";
    pare_status status = pare_parser_new(context, pare_grammar_start(context), &parser, NULL);
    if (!status) status = pare_parser_run(parser, text, strlen(text), &tree, NULL, NULL);
    pare_parse_tree_done(&tree);
    pare_parser_free(parser);
    return status;
}

static void test_bracket_parse__failing_allocations_lose_nothing(void **state)
{
    (void)state;
    pare_grammar *grammar = read_grammar(LINES);
    sweep_allocations(parse_wrong, grammar);
    pare_grammar_free(grammar);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bracket_parse__makes_segments_of_members_and_statements),
        cmocka_unit_test(test_bracket_parse__makes_elements_segments),
        cmocka_unit_test(test_bracket_parse__takes_unbalanced_brackets_for_tokens),
        cmocka_unit_test(test_bracket_parse__tokens_hold_all_but_blanks),
        cmocka_unit_test(test_bracket_parse__a_million_levels_are_no_trouble),
        cmocka_unit_test(test_bracket_parse__out_of_memory_is_clean),
        cmocka_unit_test(test_bracket_parse__stretches_have_brackets_and_segments),
        cmocka_unit_test(test_bracket_parse__text_that_does_not_lex_is_in_the_node_around_it),
        cmocka_unit_test(test_bracket_parse__any_text_gives_a_whole_tree),
        cmocka_unit_test(test_bracket_parse__failing_allocations_lose_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}