/* Right recursion: its cost, and that the trees are those without skipped chains. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/random.h"
#include "unit/alloc_sweep.h"
#include "unit/support/parse_text.h"

enum { ALWAYS = 0, NEVER = UINT32_MAX, MIN_DAMAGED_ALIKE = 10000 };

static pare_parse_tree parse(const pare_grammar *grammar, const char *text, size_t size,
                             uint32_t skip_after, pare_parse_cost *cost)
{
    pare_parser *parser = NULL;
    pare_parse_tree tree = {0};
    assert_int_equal(pare_parser_new(grammar, pare_grammar_start(grammar), &parser, NULL), PARE_OK);
    pare_parser_skip_after(parser, skip_after);
    assert_int_equal(pare_parser_run(parser, text, size, &tree, cost, NULL), PARE_OK);
    assert_true(pare_parse_tree_check(&tree));
    pare_parser_free(parser);
    return tree;
}

static bool same_trees(const pare_parse_tree *a, const pare_parse_tree *b)
{
    return a->n_nodes == b->n_nodes && a->error.any == b->error.any &&
           (!a->error.any || strcmp(a->error.message, b->error.message) == 0) &&
           memcmp(a->nodes, b->nodes, a->n_nodes * sizeof *a->nodes) == 0;
}

static bool same_errors(const pare_parse_tree *a, const pare_parse_tree *b)
{
    return a->error.any == b->error.any && a->error.begin == b->error.begin &&
           a->n_errors == b->n_errors && strcmp(a->error.message, b->error.message) == 0;
}

/* --- cost ----------------------------------------------------------------------------- */

/* Grammars whose right recursion may end before every letter, by the letter alone. */
static const struct {
    const char *grammar, *piece, *last;
} recursions[] = {
    {"grammar T; s : r 'a' 'b' EOF ; r : 'a' r | 'a' ;", "a", "aab"},
    {"grammar T; s : r ('a' 'b' | 'c') EOF ; r : 'a' r | ;", "a", "c"},
    /* Hidden by what may be nothing. */
    {"grammar T; s : r 'a' 'b' EOF ; r : 'a' r n m | 'a' ; n : 'n' | ; m : 'm'? ;", "a", "aab"},
    {"grammar T; s : r 'a' 'b' EOF ; r : 'a' r ('n' 'm')* | 'a' ;", "a", "aab"},
    /* By way of an optional, and of two rules. */
    {"grammar T; s : r 'a' 'b' EOF ; r : 'a' r? ;", "a", "ab"},
    {"grammar T; s : r 'b' 'c' EOF ; r : 'a' q | 'a' ; q : 'b' r ;", "ab", "abc"},
    /* The operand of a prefix, in a rule with operators: a loop that could go on before
       another letter. */
    {"grammar T; s : e 'a' 'b' EOF ; e : e '+' e | 'a' e | 'a' ;", "a", "aab"},
};

static size_t count_items(const pare_grammar *grammar, size_t i, size_t n, uint32_t skip_after)
{
    size_t length = strlen(recursions[i].piece), last = strlen(recursions[i].last);
    char *text = pare_alloc(n * length + last, 1);
    assert_non_null(text);
    for (size_t k = 0; k < n; k++)
        memcpy(text + k * length, recursions[i].piece, length);
    memcpy(text + n * length, recursions[i].last, last);
    pare_parse_cost cost = {0};
    pare_parse_tree tree = parse(grammar, text, n * length + last, skip_after, &cost);
    if (tree.error.any) fail_msg("%s: %s", recursions[i].grammar, tree.error.message);
    pare_parse_tree_done(&tree);
    pare_alloc_free(text);
    return cost.n_items;
}

static void test_leo__right_recursion_costs_linear_work(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof recursions / sizeof *recursions; i++) {
        pare_grammar *grammar = read_grammar(recursions[i].grammar);
        size_t always = count_items(grammar, i, 1000, ALWAYS);
        size_t twice = count_items(grammar, i, 2000, ALWAYS);
        size_t usual = count_items(grammar, i, 5000, 64), more = count_items(grammar, i, 10000, 64);
        size_t never = count_items(grammar, i, 1000, NEVER);
        if (twice > 2 * always + 10 || more > 2 * usual + 20000 || never < 20 * always)
            fail_msg("%s: %zu, %zu items; %zu, %zu; without %zu", recursions[i].grammar, always,
                     twice, usual, more, never);
        pare_grammar_free(grammar);
    }
}

/* --- trees ---------------------------------------------------------------------------- */

static void add(char *text, size_t capacity, const char *more)
{
    size_t size = strlen(text);
    assert_true(size + strlen(more) < capacity);
    memcpy(text + size, more, strlen(more) + 1);
}

/* An element; in a group the first one takes something. */
static void add_element(pare_random *random, char *text, size_t capacity, unsigned depth)
{
    static const char *const symbols[] = {"r0", "r1", "r2", "'a'", "'b'", "'a'", "'c'"};
    static const char *const quantifiers[] = {"", "", "", "", "?", "*", "+", "??", "*?"};
    if (pare_random_below(random, 8) == 0) {
        add(text, capacity, "n ");
        return;
    }
    if (depth > 0 && pare_random_below(random, 8) == 0) {
        add(text, capacity, "(");
        add(text, capacity, symbols[pare_random_below(random, sizeof symbols / sizeof *symbols)]);
        add(text, capacity, " ");
        add_element(random, text, capacity, depth - 1);
        add(text, capacity, pare_random_below(random, 2) ? " | 'a')" : ")");
    } else {
        add(text, capacity, symbols[pare_random_below(random, sizeof symbols / sizeof *symbols)]);
    }
    add(text, capacity,
        quantifiers[pare_random_below(random, sizeof quantifiers / sizeof *quantifiers)]);
    add(text, capacity, " ");
}

/* Three rules of up to three alternatives, many of them right-recursive, hidden or not;
 * none derives itself, which would leave a choice among infinitely many trees. */
static void make_grammar(pare_random *random, char *text, size_t capacity)
{
    static const char *const letters[] = {"'a' ", "'a' ", "'b' ", "'c' "};
    text[0] = '\0';
    add(text, capacity,
        pare_random_below(random, 2) ? "grammar T; s : r0 r1 EOF ; "
                                     : "grammar T; s : r0 'a' 'b'? EOF ; ");
    add(text, capacity, "n : 'b' 'c' | ; ");
    for (unsigned rule = 0; rule < 3; rule++) {
        char name[8];
        (void)snprintf(name, sizeof name, "r%u : ", rule);
        add(text, capacity, name);
        size_t n = 1 + pare_random_below(random, 3);
        for (size_t i = 0; i < n; i++) {
            if (i > 0) add(text, capacity, "| ");
            add(text, capacity, i == 0 ? "'a' " : letters[pare_random_below(random, 4)]);
            for (size_t k = pare_random_below(random, 4); k > 0; k--)
                add_element(random, text, capacity, 2);
        }
        add(text, capacity, "; ");
    }
}

/* With sanitizers, which look at the same code each time, one round in four. */
static int rounds(int n)
{
    const char *sanitize = getenv("PARE_SANITIZE");
    return sanitize && *sanitize && !getenv("PARE_TEST_LONG") ? n / 4 : n;
}

static void test_leo__trees_are_those_without_it(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 11);
    size_t skipped = 0, whole = 0, damaged = 0, other = 0;
    for (int round = 0; round < rounds(3000); round++) {
        char source[2000];
        make_grammar(&random, source, sizeof source);
        pare_grammar *grammar = read_grammar(source);
        for (int i = 0; i < 6; i++) {
            char text[24];
            size_t size = pare_random_below(&random, sizeof text);
            for (size_t k = 0; k < size; k++)
                text[k] = "aaaabc"[pare_random_below(&random, 6)];
            pare_parse_cost without_cost = {0}, with_cost = {0};
            pare_parse_tree without = parse(grammar, text, size, NEVER, &without_cost);
            pare_parse_tree with = parse(grammar, text, size, ALWAYS, &with_cost);
            /* Where something is left out of an ambiguous text, another tree may be kept; the
             * errors are the same all the same. */
            bool same = same_trees(&without, &with);
            damaged += without.error.any;
            other += without.error.any && !same;
            if (without.error.any) same = same_errors(&without, &with);
            if (!same) fail_msg("%s\n'%.*s'", source, (int)size, text);
            skipped += with_cost.n_items < without_cost.n_items;
            whole += !with.error.any;
            pare_parse_tree_done(&without);
            pare_parse_tree_done(&with);
        }
        pare_grammar_free(grammar);
    }
    print_message("%zu texts with skipped chains, %zu in the language; %zu of %zu others have "
                  "another tree\n",
                  skipped, whole, other, damaged);
    assert_true(skipped > (size_t)rounds(500) && whole > (size_t)rounds(500));
    assert_true(other * MIN_DAMAGED_ALIKE <= damaged);
}

static void test_leo__damaged_texts_are_mended_as_without_it(void **state)
{
    (void)state;
    pare_random random;
    pare_random_init(&random, 5);
    for (size_t i = 0; i < sizeof recursions / sizeof *recursions; i++) {
        pare_grammar *grammar = read_grammar(recursions[i].grammar);
        for (int round = 0; round < 500; round++) {
            char text[60];
            size_t size = pare_random_below(&random, sizeof text);
            for (size_t k = 0; k < size; k++)
                text[k] = "aaaaaabcnm+"[pare_random_below(&random, 11)];
            pare_parse_tree without = parse(grammar, text, size, NEVER, NULL);
            pare_parse_tree with = parse(grammar, text, size, ALWAYS, NULL);
            if (!same_trees(&without, &with))
                fail_msg("%s\n'%.*s'", recursions[i].grammar, (int)size, text);
            pare_parse_tree_done(&without);
            pare_parse_tree_done(&with);
        }
        pare_grammar_free(grammar);
    }
}

static pare_status parse_once(void *context)
{
    pare_parser *parser = NULL;
    pare_parse_tree tree = {0};
    pare_status status = pare_parser_new(context, pare_grammar_start(context), &parser, NULL);
    if (status == PARE_OK) {
        pare_parser_skip_after(parser, ALWAYS);
        status = pare_parser_run(parser, "aaaaaaab", 8, &tree, NULL, NULL);
    }
    assert_int_equal(tree.nodes != NULL, status == PARE_OK);
    pare_parse_tree_done(&tree);
    pare_parser_free(parser);
    return status;
}

static void test_leo__reports_oom(void **state)
{
    (void)state;
    pare_grammar *grammar = read_grammar(recursions[2].grammar);
    sweep_allocations(parse_once, grammar);
    pare_grammar_free(grammar);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leo__right_recursion_costs_linear_work),
        cmocka_unit_test(test_leo__trees_are_those_without_it),
        cmocka_unit_test(test_leo__damaged_texts_are_mended_as_without_it),
        cmocka_unit_test(test_leo__reports_oom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
