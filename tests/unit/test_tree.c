/* The tree that is reduced: building it, editing it, transforming it. */
/* tests: src/reduce/tree/tree_state.c src/reduce/tree/transform.c */
/* tests: src/reduce/tree/gtr_templates.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "alloc_sweep.h"
#include "base/random.h"
#include "reduce/tree/gtr_templates.h"
#include "reduce/tree/transform.h"
#include "reduce/tree/tree_state.h"
#include "support/tree_notation.h"

/* Minimal texts by the name of the symbol, for `minimal_of`. */
struct minimal {
    const struct notation *notation;
    const char *pairs; /* "name=text name=text ..." */
};

static void minimal_of(const void *context, const pare_parse_tree *parse, uint32_t node,
                       const char **text, size_t *size)
{
    const struct minimal *minimal = context;
    const pare_parse_node *from = &parse->nodes[node];
    if (from->symbol == PARE_NO_NODE) return;
    const char *name = minimal->notation->names[from->symbol];
    char key[NOTATION_MAX_NAME + 2];
    (void)snprintf(key, sizeof key, "%s=", name);
    const char *pair = strstr(minimal->pairs, key);
    if (pair) {
        *text = pair + strlen(key);
        *size = strcspn(*text, " ");
    } else if (from->kind == PARE_NODE_TOKEN) {
        *text = name;
        *size = strlen(name);
    }
}

static pare_tree *read_tree(struct notation *notation, struct minimal *minimal, const char *source,
                            const char *pairs)
{
    memset(notation, 0, sizeof *notation);
    notation_read(notation, source);
    *minimal = (struct minimal){notation, pairs};
    pare_tree_rules rules = {.context = minimal, .minimal = minimal_of};
    return notation_tree(notation, &rules);
}

/* Index of the k-th node, from 0, whose symbol is `name`. */
static uint32_t node_named(const struct notation *notation, const pare_tree *tree, const char *name,
                           size_t k)
{
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        uint32_t symbol = tree->nodes[i].own.symbol;
        if (symbol == PARE_NO_NODE || strcmp(notation->names[symbol], name) != 0) continue;
        if (k-- == 0) return i;
    }
    fail_msg("no node %s", name);
    return 0;
}

static void assert_prints(const pare_candidate *candidate, const char *expected)
{
    char *bytes = malloc(candidate->size + 1);
    assert_non_null(bytes);
    pare_candidate_read(candidate, bytes);
    bytes[candidate->size] = '\0';
    assert_string_equal(bytes, expected);
    free(bytes);
}

/* Edits *state and checks candidate and state against `expected`. */
static void edit_to(pare_tree_state **state, const pare_tree_edit *list, size_t n,
                    const char *expected)
{
    pare_tree_edits edits = {0};
    pare_candidate candidate = {0};
    pare_tree_state *after = NULL;
    for (size_t i = 0; i < n; i++)
        assert_int_equal(pare_tree_state_edits_add(&edits, list[i], NULL), PARE_OK);
    assert_int_equal(pare_tree_state_candidate(*state, &edits, &candidate, NULL), PARE_OK);
    assert_prints(&candidate, expected);
    assert_int_equal(pare_tree_state_edit(*state, &edits, &after, NULL), PARE_OK);
    assert_true(pare_tree_state_check(after));
    assert_true(pare_digest_equal(pare_text_digest(pare_tree_state_text(after)),
                                  pare_candidate_digest(&candidate)));
    pare_candidate_done(&candidate);
    pare_tree_state_edits_done(&edits);
    pare_tree_state_unref(*state);
    *state = after;
}

static void edit_one(pare_tree_state **state, pare_tree_change change, uint32_t node, uint32_t into,
                     const char *expected)
{
    pare_tree_edit edit = {change, node, into};
    edit_to(state, &edit, 1, expected);
}

#define CALL \
    "(s (e 'f' '(' (? (a 'x') (* (& ',' _ (a 'y')) _ (& ',' _ _ (a 'z')))) ')') _ (e 'g') _ ';')"

static void test_tree__knows_tokens_levels_rounds_and_where_to_go_on(void **state)
{
    (void)state;
    struct notation notation;
    struct minimal minimal;
    pare_tree *tree = read_tree(&notation, &minimal, CALL, "a=0 e=f()");
    assert_string_equal(notation.text, "f(x, y ,  z) g ;");
    const pare_tree_node *nodes = tree->nodes;
    assert_int_equal(nodes[0].n_tokens, 10);
    uint32_t optional = 4;
    assert_int_equal(nodes[optional].own.kind, PARE_NODE_OPTIONAL);
    assert_int_equal(nodes[optional].minimal_size, 0);
    uint32_t x = node_named(&notation, tree, "a", 0), y = node_named(&notation, tree, "a", 1);
    assert_int_equal(nodes[x].minimal_size, 0); /* the round of an optional */
    assert_true(nodes[x].flags & PARE_TREE_DELETABLE);
    assert_int_equal(nodes[y].minimal_size, 1);
    assert_false(nodes[y].flags & PARE_TREE_DELETABLE);
    assert_int_equal(nodes[y].level, 5);
    assert_int_equal(nodes[y].end, 6);
    assert_int_equal(nodes[y].resume, 7);
    assert_int_equal(nodes[0].resume, nodes[0].end);
    pare_tree_unref(tree);
    notation_done(&notation);
}

static void test_tree__only_round_of_a_plus_stays(void **state)
{
    (void)state;
    struct notation notation;
    struct minimal minimal;
    pare_tree *tree = read_tree(&notation, &minimal, "(s (+ (a 'x')) (+ (a 'y') (a 'z')))", "a=0");
    assert_int_equal(tree->nodes[node_named(&notation, tree, "a", 0)].minimal_size, 1);
    assert_int_equal(tree->nodes[node_named(&notation, tree, "a", 1)].minimal_size, 0);
    assert_int_equal(tree->nodes[node_named(&notation, tree, "a", 2)].minimal_size, 0);
    pare_tree_unref(tree);
    notation_done(&notation);
}

static void test_tree__removed_nodes_take_the_gap_behind_with_them(void **state)
{
    (void)state;
    struct notation notation;
    struct minimal minimal;
    pare_tree *tree = read_tree(&notation, &minimal, CALL, "a=0 e=f()");
    pare_tree_state *now = NULL;
    assert_int_equal(pare_tree_state_new(tree, &now, NULL), PARE_OK);
    uint32_t y = node_named(&notation, tree, "a", 1);
    edit_one(&now, PARE_TREE_PRUNE, y, 0, "f(x, 0 ,  z) g ;");
    edit_one(&now, PARE_TREE_PRUNE, tree->nodes[y].parent, 0, "f(x,  z) g ;");
    assert_true(pare_tree_state_gone(now, tree->nodes[y].parent));
    edit_one(&now, PARE_TREE_DELETE, node_named(&notation, tree, "a", 0), 0, "f(,  z) g ;");
    edit_one(&now, PARE_TREE_DELETE, node_named(&notation, tree, "e", 1), 0, "f(,  z) ;");
    edit_one(&now, PARE_TREE_PRUNE, node_named(&notation, tree, "e", 0), 0, "f() ;");
    pare_tree_state_unref(now);
    pare_tree_unref(tree);
    notation_done(&notation);
}

static void test_tree__words_that_come_to_touch_get_a_space(void **state)
{
    (void)state;
    struct notation notation;
    struct minimal minimal;
    const char *source = "(s 'return' (p '(' (v 'x') ')') (q '+') (w 'y') (w 'z') (w 'u'))";
    pare_tree *tree = read_tree(&notation, &minimal, source, "p=0 w=1 q=");
    pare_tree_state *now = NULL;
    assert_string_equal(notation.text, "return(x)+yzu");
    assert_int_equal(pare_tree_state_new(tree, &now, NULL), PARE_OK);
    uint32_t p = node_named(&notation, tree, "p", 0), q = node_named(&notation, tree, "q", 0);
    uint32_t y = node_named(&notation, tree, "w", 0), z = node_named(&notation, tree, "w", 1);
    edit_one(&now, PARE_TREE_HOIST, p, node_named(&notation, tree, "v", 0), "return x+yzu");
    assert_true(pare_tree_state_hollow(now, p));
    edit_one(&now, PARE_TREE_DELETE, q, 0, "return x yzu");
    edit_one(&now, PARE_TREE_PRUNE, y, 0, "return x 1 zu");
    edit_one(&now, PARE_TREE_DELETE, z, 0, "return x 1 u");
    edit_one(&now, PARE_TREE_DELETE, node_named(&notation, tree, "v", 0), 0, "return 1 u");
    assert_true(pare_tree_state_gone(now, p));
    edit_one(&now, PARE_TREE_DELETE, node_named(&notation, tree, "w", 2), 0, "return 1");
    pare_tree_state_unref(now);
    pare_tree_unref(tree);
    notation_done(&notation);
}

static void test_tree__hoisted_node_stands_in_the_slot(void **state)
{
    (void)state;
    struct notation notation;
    struct minimal minimal;
    const char *source = "(s (e '(' (e '(' (e 'a') _ '+' _ (e 'b') ')') ')') _ 'c')";
    pare_tree *tree = read_tree(&notation, &minimal, source, "");
    pare_tree_state *now = NULL;
    assert_int_equal(pare_tree_state_new(tree, &now, NULL), PARE_OK);
    uint32_t outer = node_named(&notation, tree, "e", 0), b = node_named(&notation, tree, "e", 3);
    uint32_t inner = node_named(&notation, tree, "e", 1);
    pare_tree_item item = {outer, outer};
    assert_int_equal(pare_tree_state_next_fit(now, item, 0), inner);
    assert_int_equal(pare_tree_state_next_fit(now, item, tree->nodes[inner].after), PARE_NO_NODE);
    edit_one(&now, PARE_TREE_HOIST, outer, inner, "(a + b) c");
    assert_int_equal(pare_tree_state_shown(now, outer), inner);
    edit_one(&now, PARE_TREE_HOIST, inner, b, "b c");
    assert_int_equal(pare_tree_state_shown(now, outer), b);
    assert_int_equal(pare_tree_state_first(now, 0), outer);
    pare_tree_state_unref(now);
    pare_tree_unref(tree);
    notation_done(&notation);
}

/* --- random edits against a model ----------------------------------------------------- */

/* Draws a tree of words and gaps in the notation's own structures. */
static void draw_tree(struct notation *to, pare_random *random, uint32_t parent, unsigned depth)
{
    static const char *const words[] = {"a", "if", "(", ")", "+", "x1", ";"};
    uint32_t name = notation_symbol(to, depth % 2 ? "odd" : "even", depth % 2 ? 3 : 4);
    uint32_t node = notation_open(to, PARE_NODE_RULE, name, parent);
    size_t n = 1 + pare_random_below(random, 4);
    for (size_t i = 0; i < n; i++) {
        if (depth < 6 && pare_random_below(random, 2)) {
            draw_tree(to, random, node, depth + 1);
        } else {
            const char *word = words[pare_random_below(random, 7)];
            notation_token(to, word, strlen(word), node);
        }
        if (pare_random_below(random, 2)) notation_text(to, "  ", pare_random_below(random, 3));
    }
    notation_close(to, node);
}

/* The tokens that are left, as a subsequence, must be those that a plain walk gives. */
static void assert_tokens_left(const pare_tree_state *now)
{
    const pare_tree *tree = pare_tree_state_tree(now);
    size_t size = pare_text_size(pare_tree_state_text(now)), at = 0;
    char *bytes = malloc(size + 1);
    assert_non_null(bytes);
    pare_text_read(pare_tree_state_text(now), 0, size, bytes);
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        const pare_tree_node *node = &tree->nodes[i];
        if (pare_tree_state_gone(now, i)) {
            i = node->after - 1;
        } else if (node->own.kind == PARE_NODE_TOKEN) {
            while (at < size && bytes[at] == ' ')
                at++;
            char token[8];
            pare_text_read(tree->text, node->begin, node->end - node->begin, token);
            assert_true(at + (node->end - node->begin) <= size);
            assert_memory_equal(bytes + at, token, node->end - node->begin);
            at += node->end - node->begin;
        }
    }
    for (; at < size; at++)
        assert_int_equal(bytes[at], ' ');
    free(bytes);
}

/* One random edit of what is in play; NO_NODE if the choice has nothing to offer. */
static bool draw_edit(const pare_tree_state *now, pare_random *random, pare_tree_edit *edit)
{
    const pare_tree *tree = pare_tree_state_tree(now);
    uint32_t in_play[512];
    size_t n = 0;
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        if (pare_tree_state_gone(now, i)) {
            i = tree->nodes[i].after - 1;
            continue;
        }
        if (!pare_tree_state_hollow(now, i) && n < 512) in_play[n++] = i;
    }
    if (!n) return false;
    uint32_t node = in_play[pare_random_below(random, n)];
    *edit = (pare_tree_edit){.change = PARE_TREE_DELETE, .node = node};
    if (pare_random_below(random, 2)) return true;
    size_t below = 0;
    for (size_t i = 0; i < n; i++)
        if (in_play[i] > node && in_play[i] < tree->nodes[node].after)
            in_play[below++] = in_play[i];
    if (!below) return true;
    *edit = (pare_tree_edit){PARE_TREE_HOIST, node, in_play[pare_random_below(random, below)]};
    return true;
}

static void test_tree__random_edits_leave_the_tokens_that_are_in_play(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        pare_random random;
        struct notation notation = {0};
        pare_tree_rules rules = {.joints = (pare_tree_joints)(seed % 2)};
        pare_tree_state *now = NULL;
        pare_random_init(&random, seed);
        draw_tree(&notation, &random, PARE_NO_NODE, 0);
        pare_tree *tree = notation_tree(&notation, &rules);
        assert_int_equal(pare_tree_state_new(tree, &now, NULL), PARE_OK);
        for (pare_tree_edit edit; draw_edit(now, &random, &edit);) {
            pare_tree_edits edits = {.items = &edit, .n = 1, .capacity = 1};
            pare_candidate candidate = {0};
            pare_tree_state *after = NULL;
            assert_int_equal(pare_tree_state_candidate(now, &edits, &candidate, NULL), PARE_OK);
            assert_int_equal(pare_tree_state_edit(now, &edits, &after, NULL), PARE_OK);
            assert_true(pare_tree_state_check(after));
            assert_true(pare_digest_equal(pare_text_digest(pare_tree_state_text(after)),
                                          pare_candidate_digest(&candidate)));
            assert_int_equal(pare_tree_state_settle(after, NULL), PARE_OK);
            pare_candidate_done(&candidate);
            pare_tree_state_unref(now);
            now = after;
            if (rules.joints == PARE_JOINTS_SPACED) assert_tokens_left(now);
        }
        pare_tree_state_unref(now);
        pare_tree_unref(tree);
        notation_done(&notation);
    }
}

/* --- transformations ------------------------------------------------------------------ */

static void assert_transformed(const char *source, const char *pairs, const char *names,
                               const char *expected)
{
    struct notation notation;
    struct minimal minimal;
    pare_tree *tree = read_tree(&notation, &minimal, source, pairs), *after = NULL;
    const pare_transform *list[8];
    size_t n = 0;
    char *copy = strdup(names);
    for (char *name = strtok(copy, ","); name; name = strtok(NULL, ","))
        assert_non_null(list[n++] = pare_transform_find(name));
    assert_int_equal(pare_transform_run(tree, list, n, &after, NULL), PARE_OK);
    assert_true(pare_tree_check(after));
    char *written = notation_write(&notation, after);
    assert_string_equal(written, expected);
    free(written);
    free(copy);
    pare_tree_unref(after);
    pare_tree_unref(tree);
    notation_done(&notation);
}

static void test_transform__squeeze_lifts_single_children_of_equal_minimal_text(void **state)
{
    (void)state;
    assert_transformed("(s (a (b (c '1'))) '+' (a (d '2')))", "s=0 a=0 b=0 c=1 d=0", "squeeze",
                       "(s (b 1) + (d 2))");
    assert_transformed("(s (a (b (c 'x') 'y')))", "", "squeeze", "(b (c x) y)");
    assert_transformed("(s (a 'x'))", "s=0 a=1", "squeeze", "(s (a x))");
}

static void test_transform__squeezed_chain_keeps_the_place_of_its_top(void **state)
{
    (void)state;
    struct notation notation;
    struct minimal minimal;
    pare_tree *after = NULL;
    pare_tree *tree =
        read_tree(&notation, &minimal, "(s (a (b (c '1' '2'))) '+' (a '3'))", "a=0 b=0 c=0");
    const pare_transform *squeeze = &pare_transform_squeeze;
    assert_int_equal(pare_transform_run(tree, &squeeze, 1, &after, NULL), PARE_OK);
    const pare_tree_node *node = &after->nodes[1];
    assert_string_equal(notation.names[node->own.symbol], "c");
    assert_string_equal(notation.names[node->slot.symbol], "a");
    assert_true(pare_tree_fits(after, 1, node_named(&notation, after, "a", 0)));
    pare_tree_unref(after);
    pare_tree_unref(tree);
    notation_done(&notation);
}

static void test_transform__flatten_makes_lists_of_recursion_on_either_side(void **state)
{
    (void)state;
    const char *left = "(e (e (e (t 'a')) '+' (t 'b')) '+' (t 'c'))";
    assert_transformed(left, "", "flatten", "(e (t a) (& + (t b)) (& + (t c)))");
    const char *right = "(e (t 'a') '+' (e (t 'b') '+' (e (t 'c'))))";
    assert_transformed(right, "", "flatten", "(e (& (t a) +) (& (t b) +) (t c))");
    assert_transformed("(e (e 'a') '+' (e 'b'))", "", "flatten", "(e a (& + (e b)))");
    assert_transformed("(e '(' (e 'a') ')')", "", "flatten", "(e ( (e a) ))");
    assert_transformed("(e (e 'a'))", "", "flatten", "(e (e a))");
}

static void test_transform__remove_empty_drops_what_prints_nothing(void **state)
{
    (void)state;
    assert_transformed("(s (* ) (a (? ) 'x' (b (c ))) (d ))", "", "remove-empty", "(s (a x))");
    assert_transformed("(s (a ))", "", "remove-empty", "(s)");
}

static void test_transform__combinations_apply_in_order(void **state)
{
    (void)state;
    const char *source = "(e (e (e (t (n 'a'))) '+' (t (n 'b'))) (? ))";
    assert_transformed(source, "t=0 n=0", "remove-empty,flatten,squeeze", "(e (n a) (& + (n b)))");
}

static void test_transform__hide_and_skip_space_mark_but_keep(void **state)
{
    (void)state;
    struct notation notation;
    struct minimal minimal;
    pare_tree *after = NULL;
    pare_tree *tree = read_tree(&notation, &minimal, "(s 'if' (c '0') ' ' (c '1'))", "c=0");
    const pare_transform *list[] = {&pare_transform_hide, &pare_transform_skip_space};
    assert_int_equal(pare_transform_run(tree, list, 2, &after, NULL), PARE_OK);
    static const uint32_t hidden[] = {1, 2, 3, 4, 6};
    for (uint32_t i = 0, k = 0; i < after->n_nodes; i++) {
        bool is_hidden = k < 5 && hidden[k] == i;
        k += is_hidden;
        assert_int_equal((after->nodes[i].flags & PARE_TREE_HIDDEN) != 0, is_hidden);
    }
    pare_tree_unref(after);
    pare_tree_unref(tree);
    notation_done(&notation);
}

static void test_transform__random_trees_print_the_same_and_stay_whole(void **state)
{
    (void)state;
    size_t n_all;
    const pare_transform *const *all = pare_transforms(&n_all);
    for (uint64_t seed = 1; seed <= 300; seed++) {
        pare_random random;
        struct notation notation = {0};
        pare_random_init(&random, seed);
        draw_tree(&notation, &random, PARE_NO_NODE, 0);
        pare_tree *tree = notation_tree(&notation, &(pare_tree_rules){.context = NULL});
        const pare_transform *list[6];
        size_t n = pare_random_below(&random, 6);
        for (size_t i = 0; i < n; i++)
            list[i] = all[pare_random_below(&random, n_all)];
        pare_tree *after = NULL;
        assert_int_equal(pare_transform_run(tree, list, n, &after, NULL), PARE_OK);
        assert_true(pare_tree_check(after));
        assert_int_equal(after->nodes[0].n_tokens, tree->nodes[0].n_tokens);
        assert_int_equal(after->nodes[0].begin, tree->nodes[0].begin);
        assert_int_equal(after->nodes[0].end, tree->nodes[0].end);
        pare_tree_unref(after);
        pare_tree_unref(tree);
        notation_done(&notation);
    }
}

/* --- templates, memory, depth ---------------------------------------------------------- */

/* Whether the first node called `name` may be deleted. */
static bool may_go(const pare_gtr_templates *templates, const struct notation *notation,
                   const pare_tree *tree, const char *name)
{
    uint32_t slot = node_named(notation, tree, name, 0);
    return pare_gtr_templates_allow_delete(templates, tree, slot, slot);
}

static void test_templates__say_no_only_where_an_example_shows_it(void **state)
{
    (void)state;
    struct notation notation = {0}, other = {0};
    pare_gtr_templates *templates = NULL;
    notation_read(&notation, "(s (a (b 'x') (c 'y')) (a (b 'x')) (d (b 'z')))");
    pare_tree *tree = notation_tree(&notation, &(pare_tree_rules){.context = NULL});
    assert_int_equal(pare_gtr_templates_new(&templates, NULL), PARE_OK);
    assert_int_equal(pare_gtr_templates_learn(templates, tree, NULL), PARE_OK);
    assert_false(may_go(templates, &notation, tree, "b"));
    assert_true(may_go(templates, &notation, tree, "c"));
    pare_tree_unref(tree);

    other.n_names = notation.n_names; /* the same symbols */
    memcpy(other.names, notation.names, sizeof other.names);
    notation_read(&other, "(s (a (b 'x') (d (c (b 'z')))))");
    tree = notation_tree(&other, &(pare_tree_rules){.context = NULL});
    assert_true(may_go(templates, &other, tree, "d")); /* never seen */
    uint32_t slot = node_named(&other, tree, "c", 0), b = node_named(&other, tree, "b", 1);
    uint32_t d = node_named(&other, tree, "d", 0);
    assert_true(pare_gtr_templates_allow_child(templates, tree, slot, b));  /* d has a b */
    assert_false(pare_gtr_templates_allow_child(templates, tree, slot, d)); /* but no d */
    assert_true(pare_gtr_templates_allow_child(NULL, tree, slot, d));
    pare_tree_unref(tree);
    pare_gtr_templates_free(templates);
    notation_done(&other);
    notation_done(&notation);
}

static void test_templates__keep_as_many_as_every_example_has(void **state)
{
    (void)state;
    struct notation notation = {0};
    pare_gtr_templates *templates = NULL;
    notation_read(&notation, "(s (+ (b '1') (b '2') (b '3')) (x (+ (b '4'))))");
    pare_tree *tree = notation_tree(&notation, &(pare_tree_rules){.context = NULL});
    assert_int_equal(pare_gtr_templates_new(&templates, NULL), PARE_OK);
    assert_int_equal(pare_gtr_templates_learn(templates, tree, NULL), PARE_OK);
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t slot = node_named(&notation, tree, "b", i);
        assert_int_equal(pare_gtr_templates_allow_delete(templates, tree, slot, slot),
                         i == 1 || i == 2);
    }
    pare_gtr_templates_free(templates);
    pare_tree_unref(tree);
    notation_done(&notation);
}

static void test_templates__tell_productions_and_their_places_apart(void **state)
{
    (void)state;
    struct notation notation = {0};
    pare_gtr_templates *templates = NULL;
    const pare_tree_rules rules = {.productions = true};
    /* e: t '+' t | t;  the second production must not make the tokens of the first optional. */
    notation_read(&notation, "(s (e (t 'a') '+' (t 'b')) (e (t 'c')) (e (t 'd')))");
    notation.parse.nodes[1].alternative = 1;
    pare_tree *tree = notation_tree(&notation, &rules);
    assert_int_equal(pare_gtr_templates_new(&templates, NULL), PARE_OK);
    assert_int_equal(pare_gtr_templates_learn(templates, tree, NULL), PARE_OK);
    uint32_t first = node_named(&notation, tree, "t", 0), plus = tree->nodes[first].after;
    assert_false(pare_gtr_templates_allow_delete(templates, tree, plus, plus));
    assert_false(pare_gtr_templates_allow_child(templates, tree, first, plus));
    assert_true(pare_gtr_templates_allow_child(templates, tree, first,
                                               node_named(&notation, tree, "t", 1)));
    pare_gtr_templates_free(templates);
    pare_tree_unref(tree);
    notation_done(&notation);
}

static pare_status make_and_transform(void *context)
{
    struct notation *notation = context;
    const pare_transform *list[] = {&pare_transform_remove_empty, &pare_transform_flatten,
                                    &pare_transform_squeeze};
    pare_text *text = NULL;
    pare_tree *tree = NULL, *after = NULL;
    pare_gtr_templates *templates = NULL;
    pare_tree_rules rules = {.context = NULL};
    pare_status status = pare_text_copy(notation->text, notation->text_size, &text, NULL);
    if (!status) status = pare_tree_new(&notation->parse, text, &rules, &tree, NULL);
    if (!status) status = pare_transform_run(tree, list, 3, &after, NULL);
    if (!status) status = pare_gtr_templates_new(&templates, NULL);
    if (!status) status = pare_gtr_templates_learn(templates, after, NULL);
    pare_gtr_templates_free(templates);
    pare_tree_unref(after);
    pare_tree_unref(tree);
    pare_text_unref(text);
    return status;
}

static void test_tree__out_of_memory_is_a_clean_error(void **state)
{
    (void)state;
    struct notation notation = {0};
    notation_read(&notation, "(e (e (e (t 'a')) '+' (t 'b')) '+' (t (u (v 'c'))))");
    sweep_allocations(make_and_transform, &notation);
    notation_done(&notation);
}

static void test_tree__without_nodes_is_an_argument_error(void **state)
{
    (void)state;
    struct notation notation = {0};
    pare_text *text = NULL;
    pare_tree *tree = NULL;
    assert_int_equal(pare_text_copy("", 0, &text, NULL), PARE_OK);
    assert_int_equal(
        pare_tree_new(&notation.parse, text, &(pare_tree_rules){.context = NULL}, &tree, NULL),
        PARE_E_ARG);
    assert_null(tree);
    pare_text_unref(text);
}

enum { DEEP = 1000000 };

static void test_transform__a_million_levels_are_no_recursion(void **state)
{
    (void)state;
    struct notation notation = {0};
    uint32_t at = PARE_NO_NODE, e = notation_symbol(&notation, "e", 1);
    for (size_t i = 0; i < DEEP; i++) {
        at = notation_open(&notation, PARE_NODE_RULE, e, at);
        notation_token(&notation, "+", 1, at);
    }
    notation_token(&notation, "x", 1, at);
    for (; at != PARE_NO_NODE; at = notation.parse.nodes[at].parent) {
        notation.parse.nodes[at].after = (uint32_t)notation.parse.n_nodes;
        notation.parse.nodes[at].end = (uint32_t)notation.text_size;
    }
    pare_tree *tree = notation_tree(&notation, &(pare_tree_rules){.context = NULL}), *after = NULL;
    size_t n;
    const pare_transform *const *all = pare_transforms(&n);
    assert_int_equal(pare_transform_run(tree, all, n, &after, NULL), PARE_OK);
    assert_true(pare_tree_check(after));
    assert_int_equal(after->nodes[0].n_tokens, DEEP + 1);
    uint32_t deepest = 0;
    for (uint32_t i = 0; i < after->n_nodes; i++)
        if (after->nodes[i].level > deepest) deepest = after->nodes[i].level;
    assert_true(deepest < 4);
    pare_tree_unref(after);
    pare_tree_unref(tree);
    notation_done(&notation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree__knows_tokens_levels_rounds_and_where_to_go_on),
        cmocka_unit_test(test_tree__only_round_of_a_plus_stays),
        cmocka_unit_test(test_tree__removed_nodes_take_the_gap_behind_with_them),
        cmocka_unit_test(test_tree__words_that_come_to_touch_get_a_space),
        cmocka_unit_test(test_tree__hoisted_node_stands_in_the_slot),
        cmocka_unit_test(test_tree__random_edits_leave_the_tokens_that_are_in_play),
        cmocka_unit_test(test_transform__squeeze_lifts_single_children_of_equal_minimal_text),
        cmocka_unit_test(test_transform__squeezed_chain_keeps_the_place_of_its_top),
        cmocka_unit_test(test_transform__flatten_makes_lists_of_recursion_on_either_side),
        cmocka_unit_test(test_transform__remove_empty_drops_what_prints_nothing),
        cmocka_unit_test(test_transform__combinations_apply_in_order),
        cmocka_unit_test(test_transform__hide_and_skip_space_mark_but_keep),
        cmocka_unit_test(test_transform__random_trees_print_the_same_and_stay_whole),
        cmocka_unit_test(test_templates__say_no_only_where_an_example_shows_it),
        cmocka_unit_test(test_templates__keep_as_many_as_every_example_has),
        cmocka_unit_test(test_templates__tell_productions_and_their_places_apart),
        cmocka_unit_test(test_tree__out_of_memory_is_a_clean_error),
        cmocka_unit_test(test_tree__without_nodes_is_an_argument_error),
        cmocka_unit_test(test_transform__a_million_levels_are_no_recursion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
