/* What is proposed on the trees of each language keeps to the language.
 *
 * The samples of all languages are parsed, given their quantifiers, and every single edit
 * that a language-preserving strategy may propose is made and parsed again: leaving out a
 * round or another part that may go, putting a descendant that fits in its ancestor's
 * place, putting the minimal text in.  What does not parse afterwards is counted; the
 * models know no precedences and nothing of white space, so a few are allowed.  Skipped
 * where the registry cannot be reached; with sanitizers only the first languages are tried. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/support/language_samples.h"
#include "lang/recover_lists.h"
#include "reduce/syntax/reader.h"
#include "reduce/tree/tree_state.h"
#include "unit/support/language.h"

/* A language and what is needed for its trees. */
struct world {
    pare_tree_sitter *language;
    pare_language_models *models;
    pare_list_recovery *quantifier;
    pare_language_texts *texts;
    pare_language_rules *language_rules;
    pare_tree_rules rules;
};

static struct world open_world(const char *name, const char *text)
{
    pare_error err = {0};
    struct world world = {.language = load_language(name)};
    if (pare_language_models_new(name, world.language, &world.models, &err) != PARE_OK)
        fail_msg("%s: %s", name, err.message);
    assert_int_equal(pare_recover_lists_new(world.models, &world.quantifier, NULL), PARE_OK);
    pare_parse_tree example = {0};
    assert_int_equal(pare_tree_sitter_parse(world.language, text, strlen(text), &example, NULL),
                     PARE_OK);
    pare_language_source source = {
        .language = world.language, .models = world.models, .example = &example, .bytes = text};
    assert_int_equal(pare_language_texts_load(name, source, &world.texts, NULL), PARE_OK);
    assert_int_equal(
        pare_reader_language_rules_new(world.models, world.texts, &world.language_rules, NULL),
        PARE_OK);
    world.rules = pare_reader_language_rules_of(world.language_rules);
    pare_parse_tree_done(&example);
    return world;
}

static void close_world(struct world *world)
{
    pare_reader_language_rules_free(world->language_rules);
    pare_language_texts_free(world->texts);
    pare_recover_lists_free(world->quantifier);
    pare_language_models_free(world->models);
    pare_tree_sitter_close(world->language);
}

static pare_parse_tree parse(const struct world *world, const char *text, size_t size)
{
    pare_parse_tree tree = {0};
    assert_int_equal(pare_tree_sitter_parse(world->language, text, size, &tree, NULL), PARE_OK);
    return tree;
}

static pare_parse_tree quantify(const struct world *world, const char *text, size_t size,
                                pare_separators side)
{
    pare_parse_tree plain = parse(world, text, size), tree = {0};
    assert_int_equal(pare_recover_lists(world->quantifier, &plain, text, side, &tree, NULL),
                     PARE_OK);
    pare_parse_tree_done(&plain);
    return tree;
}

static bool is_made(const pare_parse_node *node)
{
    return node->kind == PARE_NODE_OPTIONAL || node->kind == PARE_NODE_STAR ||
           node->kind == PARE_NODE_PLUS || node->kind == PARE_NODE_ITEM;
}

/* The nodes of `tree` that are not made must be those of `plain`, in the same order. */
static void check_same_nodes(const pare_parse_tree *plain, const pare_parse_tree *tree)
{
    size_t k = 0;
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const pare_parse_node *node = &tree->nodes[i];
        if (is_made(node)) continue;
        assert_true(k < plain->n_nodes);
        assert_int_equal(node->symbol, plain->nodes[k].symbol);
        assert_int_equal(node->begin, plain->nodes[k].begin);
        assert_int_equal(node->end, plain->nodes[k].end);
        k++;
    }
    assert_int_equal(k, plain->n_nodes);
}

/* An optional has one child, an item stands in a quantifier. */
static void check_quantifiers(const pare_parse_tree *tree)
{
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        const pare_parse_node *node = &tree->nodes[i];
        if (!is_made(node)) continue;
        uint32_t above = tree->nodes[node->parent].kind;
        if (node->kind == PARE_NODE_ITEM)
            assert_true(above == PARE_NODE_OPTIONAL || above == PARE_NODE_STAR ||
                        above == PARE_NODE_PLUS);
        if (node->kind == PARE_NODE_OPTIONAL) {
            uint32_t first = pare_parse_tree_first_child(tree, i);
            assert_true(first != PARE_NO_NODE);
            assert_true(pare_parse_tree_next_sibling(tree, first) == PARE_NO_NODE);
        }
    }
}

static void check_sides(const struct world *world, const char *text, size_t size)
{
    pare_parse_tree plain = parse(world, text, size);
    for (int side = PARE_SEPARATORS_BEFORE; side <= PARE_SEPARATORS_AFTER; side++) {
        pare_parse_tree tree = quantify(world, text, size, (pare_separators)side);
        assert_true(pare_parse_tree_check(&tree));
        assert_true(covers_text(&tree, text));
        check_same_nodes(&plain, &tree);
        check_quantifiers(&tree);
        pare_parse_tree_done(&tree);
    }
    pare_parse_tree_done(&plain);
}

/* --- edits ----------------------------------------------------------------------------- */

struct count {
    size_t n, right;
};

/* Makes the edit and parses what it prints. */
static void try_edit(const struct world *world, const pare_tree_state *state, const char *what,
                     pare_tree_edit edit, struct count *count)
{
    pare_tree_edits edits = {0};
    pare_tree_state *after = NULL;
    pare_text *flat = NULL;
    assert_int_equal(pare_tree_state_edits_add(&edits, edit, NULL), PARE_OK);
    assert_int_equal(pare_tree_state_edit(state, &edits, &after, NULL), PARE_OK);
    assert_true(pare_tree_state_check(after));
    assert_int_equal(pare_text_flatten(pare_tree_state_text(after), &flat, NULL), PARE_OK);
    const char *bytes = (const char *)pare_text_bytes(flat);
    pare_parse_tree tree = parse(world, bytes, pare_text_size(flat));
    count->n++;
    count->right += tree.n_errors == 0;
    if (tree.n_errors && getenv("PARE_SHOW_EDITS"))
        print_message("%s: node %u into %u:\n%.*s\n", what, edit.node, edit.into,
                      (int)pare_text_size(flat), bytes);
    pare_parse_tree_done(&tree);
    pare_text_unref(flat);
    pare_tree_state_unref(after);
    pare_tree_state_edits_done(&edits);
}

enum { DELETED, PRUNED, HOISTED, N_CHANGES };

/* All edits of one node. */
static void try_node(const struct world *world, const pare_tree_state *state, const char *what,
                     uint32_t node, struct count counts[N_CHANGES])
{
    const pare_tree *tree = pare_tree_state_tree(state);
    const pare_tree_node *of = &tree->nodes[node];
    if (pare_tree_state_gone(state, node)) return;
    if (of->flags & PARE_TREE_DELETABLE)
        try_edit(world, state, what, (pare_tree_edit){.change = PARE_TREE_DELETE, .node = node},
                 &counts[DELETED]);
    if (!(of->flags & (PARE_TREE_DELETABLE | PARE_TREE_NO_MINIMAL)))
        try_edit(world, state, what, (pare_tree_edit){.change = PARE_TREE_PRUNE, .node = node},
                 &counts[PRUNED]);
    for (uint32_t into = node + 1; into < of->after; into++)
        if (tree->nodes[into].n_tokens < of->n_tokens && !pare_tree_state_gone(state, into) &&
            pare_tree_fits(tree, node, into))
            try_edit(world, state, what,
                     (pare_tree_edit){.change = PARE_TREE_HOIST, .node = node, .into = into},
                     &counts[HOISTED]);
}

static void try_sample(const struct sample *sample, struct count counts[N_CHANGES])
{
    struct world world = open_world(sample->name, sample->text);
    size_t size = strlen(sample->text);
    for (int side = PARE_SEPARATORS_BEFORE; side <= PARE_SEPARATORS_AFTER; side++) {
        pare_text *text = NULL;
        pare_tree *tree = NULL;
        pare_tree_state *state = NULL;
        pare_parse_tree from = quantify(&world, sample->text, size, (pare_separators)side);
        assert_int_equal(pare_text_copy(sample->text, size, &text, NULL), PARE_OK);
        assert_int_equal(pare_tree_new(&from, text, &world.rules, &tree, NULL), PARE_OK);
        assert_true(pare_tree_check(tree));
        assert_int_equal(pare_tree_state_new(tree, &state, NULL), PARE_OK);
        for (uint32_t node = 0; node < tree->n_nodes; node++)
            try_node(&world, state, sample->name, node, counts);
        pare_tree_state_unref(state);
        pare_tree_unref(tree);
        pare_text_unref(text);
        pare_parse_tree_done(&from);
    }
    close_world(&world);
}

static size_t n_tried = N_SAMPLES; /* the first so many */

static void test_language_edits__quantifiers_leave_the_nodes_and_the_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_tried; i++) {
        struct world world = open_world(samples[i].name, samples[i].text);
        size_t size = strlen(samples[i].text);
        check_sides(&world, samples[i].text, size);
        for (size_t cut = 1; cut < size; cut += 7) /* with errors at its end, too */
            check_sides(&world, samples[i].text, cut);
        close_world(&world);
    }
}

static void test_language_edits__what_is_proposed_parses(void **state)
{
    (void)state;
    static const char *const names[] = {"deletions", "minimal texts", "replacements"};
    struct count all = {0};
    struct count of[N_CHANGES] = {{0}};
    for (size_t i = 0; i < n_tried; i++) {
        struct count counts[N_CHANGES] = {{0}};
        try_sample(&samples[i], counts);
        print_message("%-12s", samples[i].name);
        for (size_t k = 0; k < N_CHANGES; k++) {
            print_message(" %s %zu/%zu", names[k], counts[k].right, counts[k].n);
            of[k].n += counts[k].n;
            of[k].right += counts[k].right;
            all.n += counts[k].n;
            all.right += counts[k].right;
        }
        print_message("\n");
    }
    for (size_t k = 0; k < N_CHANGES; k++)
        print_message("%s: %zu of %zu parse\n", names[k], of[k].right, of[k].n);
    print_message("of %zu proposals %zu parse\n", all.n, all.right);
    assert_true(of[DELETED].n > 10 * n_tried);
    assert_true(of[HOISTED].n > n_tried);
    assert_true(100 * all.right >= 98 * all.n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_language_edits__quantifiers_leave_the_nodes_and_the_text),
        cmocka_unit_test(test_language_edits__what_is_proposed_parses),
    };
    const char *sanitizers = getenv("PARE_SANITIZE");
    if (sanitizers && *sanitizers) n_tried = 2;
    use_build_data();
    for (size_t i = 0; i < n_tried; i++) {
        if (!has_language(samples[i].name)) return EXIT_SKIPPED;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
