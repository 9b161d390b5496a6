/* Damaged texts of the shared collection: what is far from the damage keeps its tree, and
 * whatever the damage is, the tree is whole.  Skipped where there is no collection. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/random.h"
#include "cli/support/antlr_case.h"
#include "os/file.h"

enum { DAMAGES_FOR_EACH = 3, MAX_INPUT_BYTES = 20000, MIN_KEPT_PERMILLE = 997 };

struct count {
    size_t texts, broken, nodes, kept, damaged;
};

/* Whether the nodes are linked and the leaves ascend within the text. */
static void assert_whole(const pare_parse_tree *tree)
{
    uint32_t at = 0;
    assert_true(pare_parse_tree_check(tree));
    for (size_t i = 0; i < tree->n_nodes; i++) {
        const pare_parse_node *node = &tree->nodes[i];
        if (!pare_parse_tree_is_leaf(tree, (uint32_t)i)) continue;
        assert_true(node->begin >= at);
        at = node->end;
    }
    assert_true(at <= tree->size_bytes);
}

static pare_parse_tree parse(const struct antlr_case *c, const char *text, size_t size)
{
    pare_parse_tree tree = {0};
    assert_int_equal(pare_parser_run(c->parser, size ? text : "", size, &tree, NULL, NULL),
                     PARE_OK);
    assert_whole(&tree);
    return tree;
}

/* --- one token broken ----------------------------------------------------------------- */

/* An element of a list, near the middle of the text, with elements on either side. */
static uint32_t find_element(const pare_parse_tree *tree)
{
    uint32_t best = PARE_NO_NODE, best_distance = UINT32_MAX, middle = tree->size_bytes / 2;
    for (uint32_t i = 1; i < tree->n_nodes; i++) {
        const pare_parse_node *node = &tree->nodes[i], *list = &tree->nodes[node->parent];
        if (list->kind != PARE_NODE_STAR && list->kind != PARE_NODE_PLUS) continue;
        if (node->begin == list->begin || node->end == list->end || node->after - i < 8) continue;
        uint32_t distance = node->begin > middle ? node->begin - middle : middle - node->begin;
        if (distance >= best_distance) continue;
        best_distance = distance;
        best = i;
    }
    return best;
}

/* The token in the middle of the nodes of an element. */
static uint32_t find_token(const pare_parse_tree *tree, uint32_t element)
{
    for (uint32_t i = element + (tree->nodes[element].after - element) / 2;
         i < tree->nodes[element].after; i++) {
        if (tree->nodes[i].kind == PARE_NODE_TOKEN && tree->nodes[i].begin < tree->nodes[i].end)
            return i;
    }
    return PARE_NO_NODE;
}

static bool same_place(const pare_parse_node *a, const pare_parse_node *b, int64_t shift)
{
    return a->kind == b->kind && a->symbol == b->symbol &&
           (int64_t)a->begin + shift == (int64_t)b->begin &&
           (int64_t)a->end + shift == (int64_t)b->end;
}

/* Whether `tree` has such a node; `from` is where to look, and moves on. */
static bool has_node(const pare_parse_tree *tree, const pare_parse_node *wanted, int64_t shift,
                     uint32_t *from)
{
    for (uint32_t i = *from; i < tree->n_nodes; i++) {
        if ((int64_t)tree->nodes[i].begin > (int64_t)wanted->begin + shift) return false;
        if (!same_place(wanted, &tree->nodes[i], shift)) continue;
        *from = i + 1;
        return true;
    }
    return false;
}

/* Counts the nodes beside the element, and those that the other tree has as well. */
static void compare(const pare_parse_tree *before, const pare_parse_tree *after, uint32_t element,
                    struct count *count)
{
    uint32_t from = 0;
    const pare_parse_node *e = &before->nodes[element];
    int64_t shift = (int64_t)after->size_bytes - (int64_t)before->size_bytes;
    for (uint32_t i = 0; i < before->n_nodes; i++) {
        const pare_parse_node *node = &before->nodes[i];
        bool left = node->end <= e->begin, right = node->begin >= e->end;
        if (node->begin == node->end || (!left && !right)) continue;
        count->nodes++;
        count->kept += has_node(after, node, left ? 0 : shift, &from);
    }
}

/* Leaves out the token, or writes it twice. */
static void break_token(const struct antlr_case *c, const pare_buffer *text,
                        const pare_parse_tree *tree, uint32_t element, bool twice,
                        struct count *count)
{
    uint32_t token = find_token(tree, element);
    if (token == PARE_NO_NODE) return;
    uint32_t begin = tree->nodes[token].begin, end = tree->nodes[token].end;
    pare_buffer broken = {0};
    assert_int_equal(pare_buffer_add(&broken, text->data, twice ? end : begin, NULL), PARE_OK);
    if (twice) {
        assert_int_equal(pare_buffer_text(&broken, " ", NULL), PARE_OK);
        assert_int_equal(pare_buffer_add(&broken, text->data + begin, text->size - begin, NULL),
                         PARE_OK);
    } else {
        assert_int_equal(pare_buffer_add(&broken, text->data + end, text->size - end, NULL),
                         PARE_OK);
    }
    pare_parse_tree after = parse(c, broken.data, broken.size);
    if (after.error.any) {
        size_t nodes = count->nodes, kept = count->kept;
        count->broken++;
        compare(tree, &after, element, count);
        if (getenv("SHOW") && count->kept - kept < count->nodes - nodes)
            printf("%s: %zu of %zu nodes kept; '%.*s' %s at %u\n", c->name, count->kept - kept,
                   count->nodes - nodes, (int)(end - begin), text->data + begin,
                   twice ? "twice" : "left out", begin);
    }
    pare_parse_tree_done(&after);
    pare_buffer_done(&broken);
}

/* --- any damage ----------------------------------------------------------------------- */

/* Some bytes replaced, and one stretch left out or doubled. */
static void damage(pare_random *random, const pare_buffer *text, pare_buffer *out)
{
    size_t from = pare_random_below(random, text->size + 1);
    size_t length = pare_random_below(random, text->size - from + 1) / 8;
    bool twice = pare_random_below(random, 2);
    assert_int_equal(pare_buffer_add(out, text->data, from + (twice ? length : 0), NULL), PARE_OK);
    size_t rest = from + (twice ? 0 : length);
    assert_int_equal(pare_buffer_add(out, text->data + rest, text->size - rest, NULL), PARE_OK);
    for (size_t i = pare_random_below(random, 8); out->size > 0 && i-- > 0;)
        out->data[pare_random_below(random, out->size)] =
            i % 2 ? (char)pare_random_below(random, 256)
                  : text->data[pare_random_below(random, text->size)];
}

static void check_input(const struct antlr_case *c, const char *input, struct count *count)
{
    char path[2 * PATH_BYTES];
    pare_buffer text = {0};
    pare_random random;
    snprintf(path, sizeof path, "%s/examples/%s", c->folder, input);
    assert_int_equal(pare_file_read(path, &text, NULL), PARE_OK);
    pare_random_init(&random, text.size);
    if (text.size > 0 && text.size <= MAX_INPUT_BYTES) {
        pare_parse_tree tree = parse(c, text.data, text.size);
        uint32_t element = tree.error.any ? PARE_NO_NODE : find_element(&tree);
        count->texts++;
        if (element != PARE_NO_NODE) {
            break_token(c, &text, &tree, element, false, count);
            break_token(c, &text, &tree, element, true, count);
        }
        pare_parse_tree_done(&tree);
        for (int i = 0; i < DAMAGES_FOR_EACH; i++) {
            pare_buffer damaged = {0};
            damage(&random, &text, &damaged);
            tree = parse(c, damaged.data, damaged.size);
            count->damaged++;
            pare_parse_tree_done(&tree);
            pare_buffer_done(&damaged);
        }
    }
    pare_buffer_done(&text);
}

static void check_case(const char *name, struct count *count)
{
    char path[2 * PATH_BYTES];
    struct antlr_case c = {.name = name};
    struct dirent **entries = NULL;
    snprintf(c.folder, sizeof c.folder, "%s/%s", antlr_collection(), name);
    json_t *spec = antlr_load(c.folder, "case.json");
    bool read = spec && antlr_read_grammar(&c, spec);
    snprintf(path, sizeof path, "%s/examples", c.folder);
    int n = read ? scandir(path, &entries, antlr_is_input, alphasort) : 0;
    for (int i = 0; i < n; i++) {
        check_input(&c, entries[i]->d_name, count);
        (free)(entries[i]);
    }
    (free)(entries);
    antlr_close(&c);
    json_decref(spec);
}

static void test_parse_damage__leaves_the_rest_of_the_tree(void **state)
{
    (void)state;
    struct dirent **entries = NULL;
    int n = scandir(antlr_collection(), &entries, antlr_is_input, alphasort);
    if (n <= 0) {
        printf("no shared/grammars-v4: skipped\n");
        skip();
    }
    struct count count = {0};
    const char *only = getenv("ONLY"), *sanitize = getenv("PARE_SANITIZE");
    bool every = !(sanitize && *sanitize);
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        if (only ? strcmp(only, name) == 0 : every || i % 10 == 0) check_case(name, &count);
        (free)(entries[i]);
    }
    (free)(entries);
    printf("%zu texts, %zu with a token broken: %zu of %zu nodes beside it kept; "
           "%zu damaged at random\n",
           count.texts, count.broken, count.kept, count.nodes, count.damaged);
    if (every && !only) assert_true(count.kept * 1000 >= count.nodes * MIN_KEPT_PERMILLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse_damage__leaves_the_rest_of_the_tree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
