/* Trees from files: what is read, what is refused, and what is left of them in a smaller text. */
/* tests: src/reduce/syntax/given_tree.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* cmocka.h needs the four above. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "alloc_sweep.h"
#include "base/buffer.h"
#include "reduce/syntax/given_tree.h"

#define INPUT "f(a, bb, ccc); return x"

static const char file[] =
    "{\"classes\": {\"e\": [\"call\", \"name\"]}, \"root\": {\"kind\": \"file\", \"children\": ["
    "{\"kind\": \"call\", \"begin\": 0, \"end\": 13, \"replaceable_by\": \"e\", \"shortest\": "
    "\"0\","
    " \"children\": [{\"kind\": \"name\", \"begin\": 0, \"end\": 1, \"mine\": 1},"
    " {\"kind\": \"args\", \"list\": \"any\", \"children\": ["
    "  {\"kind\": \"name\", \"begin\": 2, \"end\": 3}, {\"kind\": \"name\", \"begin\": 5, \"end\": "
    "7},"
    "  {\"kind\": \"name\", \"begin\": 9, \"end\": 12}]}]},"
    "{\"kind\": \"return\", \"begin\": 15, \"end\": 23, \"children\": ["
    " {\"kind\": \"name\", \"begin\": 22, \"end\": 23, \"optional\": true,"
    "  \"replaceable_by\": [\"call\"]}]}]}}";

static pare_given_tree *read_file(void)
{
    pare_given_tree *given = NULL;
    assert_int_equal(pare_given_tree_read("t.json", file, strlen(file), &given, NULL), PARE_OK);
    assert_int_equal(pare_given_tree_set_input(given, INPUT, strlen(INPUT), NULL), PARE_OK);
    return given;
}

/* The tree as "kind(...)", tokens as their text, rounds in braces, lists in square brackets. */
static void write_node(const pare_parse_tree *tree, const char *text, uint32_t node,
                       pare_buffer *out)
{
    const pare_parse_node *at = &tree->nodes[node];
    const char *name = tree->names.rule(tree->names.language, at->symbol);
    if (at->kind == PARE_NODE_TOKEN || at->kind == PARE_NODE_OPAQUE) {
        assert_int_equal(pare_buffer_add(out, text + at->begin, at->end - at->begin, NULL),
                         PARE_OK);
        return;
    }
    bool is_list = at->kind == PARE_NODE_STAR || at->kind == PARE_NODE_PLUS;
    const char *open = at->kind == PARE_NODE_ITEM ? "{" : is_list ? "[" : "(";
    const char *close = at->kind == PARE_NODE_ITEM ? "}" : is_list ? "]" : ")";
    assert_int_equal(
        pare_buffer_format(out, NULL, "%s%s", at->kind == PARE_NODE_RULE ? name : "", open),
        PARE_OK);
    for (uint32_t child = pare_parse_tree_first_child(tree, node); child != PARE_NO_NODE;
         child = pare_parse_tree_next_sibling(tree, child)) {
        if (child != node + 1) assert_int_equal(pare_buffer_text(out, " ", NULL), PARE_OK);
        write_node(tree, text, child, out);
    }
    assert_int_equal(pare_buffer_text(out, close, NULL), PARE_OK);
}

static void assert_tree(const pare_given_tree *given, const char *text, pare_separators side,
                        const char *wanted)
{
    pare_parse_tree tree = {0};
    pare_buffer out = {0};
    assert_int_equal(pare_given_tree_parse(given, text, strlen(text), side, &tree, NULL), PARE_OK);
    assert_true(pare_parse_tree_check(&tree));
    write_node(&tree, text, 0, &out);
    assert_string_equal(out.data, wanted);
    pare_buffer_done(&out);
    pare_parse_tree_done(&tree);
}

static void test_given__covers_the_input_with_nodes_and_tokens(void **state)
{
    (void)state;
    pare_given_tree *given = read_file();
    assert_tree(given, INPUT, PARE_SEPARATORS_BEFORE,
                "file(call(name(f) ( [name(a) {, name(bb)} {, name(ccc)}] )) ; "
                "return(return name(x)))");
    assert_tree(given, INPUT, PARE_SEPARATORS_AFTER,
                "file(call(name(f) ( [{name(a) ,} {name(bb) ,} name(ccc)] )) ; "
                "return(return name(x)))");
    pare_given_tree_free(given);
}

static void test_given__is_what_is_left_in_a_smaller_text(void **state)
{
    (void)state;
    pare_given_tree *given = read_file();
    assert_tree(given, "f(a, ccc); return x", PARE_SEPARATORS_BEFORE,
                "file(call(name(f) ( [name(a) {, name(ccc)}] )) ; return(return name(x)))");
    assert_tree(given, "f(); return x", PARE_SEPARATORS_BEFORE,
                "file(call(name(f) ()) ; return(return name(x)))");
    assert_tree(given, "f(a, bb, ccc)", PARE_SEPARATORS_BEFORE,
                "file(call(name(f) ( [name(a) {, name(bb)} {, name(ccc)}] )))");
    /* What was put in is a token of the node around it. */
    assert_tree(given, "f(a, zz, ccc); return x", PARE_SEPARATORS_BEFORE,
                "file(call(name(f) ( [name(a) {, zz, name(ccc)}] )) ; return(return name(x)))");
    pare_given_tree_free(given);
}

static void test_given__what_is_not_of_the_input_is_one_opaque_piece(void **state)
{
    (void)state;
    pare_given_tree *given = read_file();
    pare_parse_tree tree = {0};
    assert_int_equal(
        pare_given_tree_parse(given, "1 + 2 + 3 + 4", 13, PARE_SEPARATORS_BEFORE, &tree, NULL),
        PARE_OK);
    assert_true(tree.error.any);
    assert_int_equal(tree.n_nodes, 1);
    assert_int_equal(tree.nodes[0].kind, PARE_NODE_OPAQUE);
    pare_parse_tree_done(&tree);
    pare_given_tree_free(given);
}

static uint32_t find(const pare_parse_tree *tree, uint32_t kind, uint32_t begin)
{
    for (uint32_t i = (uint32_t)tree->n_nodes; i-- > 0;)
        if (tree->nodes[i].kind == kind && tree->nodes[i].begin == begin) return i;
    fail();
    return 0;
}

static void test_given__says_what_may_go_and_what_may_stand_where(void **state)
{
    (void)state;
    pare_given_tree *given = read_file();
    const pare_tree_rules rules = pare_given_tree_rules(given);
    pare_parse_tree tree = {0};
    const char *text = NULL;
    size_t size = 0;
    assert_int_equal(
        pare_given_tree_parse(given, INPUT, strlen(INPUT), PARE_SEPARATORS_BEFORE, &tree, NULL),
        PARE_OK);
    /* Of nodes that begin at a byte the last is the innermost: `f` is within the call. */
    uint32_t call = 1, f = find(&tree, PARE_NODE_RULE, 0), x = find(&tree, PARE_NODE_RULE, 22);
    uint32_t args = find(&tree, PARE_NODE_STAR, 2), back = find(&tree, PARE_NODE_RULE, 15);
    assert_true(rules.deletable(rules.context, &tree, x));
    assert_true(rules.deletable(rules.context, &tree, args));
    assert_false(rules.deletable(rules.context, &tree, call));
    rules.minimal(rules.context, &tree, call, &text, &size);
    assert_int_equal(size, 1);
    assert_memory_equal(text, "0", 1);
    rules.minimal(rules.context, &tree, back, &text, &size);
    assert_int_equal(size, PARE_TREE_NO_TEXT);
    pare_tree_symbol is_call = {PARE_NODE_RULE, tree.nodes[call].symbol};
    pare_tree_symbol is_name = {PARE_NODE_RULE, tree.nodes[f].symbol};
    pare_tree_symbol is_return = {PARE_NODE_RULE, tree.nodes[back].symbol};
    pare_tree_symbol for_call = rules.slot(rules.context, &tree, call);
    pare_tree_symbol for_x = rules.slot(rules.context, &tree, x);
    assert_true(rules.fits(rules.context, for_call, is_name));
    assert_true(rules.fits(rules.context, for_x, is_call));
    assert_false(rules.fits(rules.context, for_x, is_name));
    assert_false(rules.fits(rules.context, for_call, is_return));
    assert_false(rules.fits(rules.context, rules.slot(rules.context, &tree, f), is_call));
    pare_parse_tree_done(&tree);
    pare_given_tree_free(given);
}

static void test_given__mistakes_have_a_sentence(void **state)
{
    (void)state;
    static const struct {
        const char *json, *says;
    } cases[] = {
        {"{", "t.json:1: "},
        {"[]", "t.json: node 1: it is no object"},
        {"{\"kind\": 1}", "t.json: node 1: its \"kind\" is missing, or is no text"},
        {"{\"kind\": \"a\"}", "t.json: node 1: \"begin\" or \"end\" is missing"},
        {"{\"kind\": \"a\", \"begin\": -1, \"end\": 2}",
         "\"begin\" and \"end\" are numbers of bytes"},
        {"{\"kind\": \"a\", \"begin\": 3, \"end\": 2}", "it ends before it begins"},
        {"{\"kind\": \"a\", \"begin\": 0, \"end\": 9, \"children\": 1}", "\"children\" are a list"},
        {"{\"kind\": \"a\", \"begin\": 0, \"end\": 9, \"children\": "
         "[{\"kind\": \"b\", \"begin\": 5, \"end\": 10}]}",
         "node 2: its span is not within its parent's"},
        {"{\"kind\": \"a\", \"begin\": 0, \"end\": 9, \"children\": "
         "[{\"kind\": \"b\", \"begin\": 0, \"end\": 4}, {\"kind\": \"b\", \"begin\": 3, \"end\": "
         "5}]}",
         "node 3: it begins before the end of the node before it"},
        {"{\"kind\": \"a\", \"begin\": 0, \"end\": 9, \"list\": true}",
         "\"list\" is \"any\" or \"some\""},
        {"{\"kind\": \"a\", \"begin\": 0, \"end\": 9, \"optional\": 1}",
         "\"optional\" is true or false"},
        {"{\"kind\": \"a\", \"begin\": 0, \"end\": 9, \"shortest\": 1}", "\"shortest\" is a text"},
        {"{\"kind\": \"a\", \"begin\": 0, \"end\": 9, \"replaceable_by\": \"b\"}",
         "\"replaceable_by\" names no class"},
        {"{\"kind\": \"a\", \"begin\": 0, \"end\": 9, \"replaceable_by\": [1]}",
         "a list of kinds must contain texts"},
        {"{\"classes\": [], \"root\": {}}", "\"classes\" must be an object of lists of kinds"},
        {"{\"classes\": {\"e\": 1}, \"root\": {}}", "class 'e' is not a list of kinds"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_given_tree *given = NULL;
        pare_error err = {0};
        assert_int_equal(
            pare_given_tree_read("t.json", cases[i].json, strlen(cases[i].json), &given, &err),
            PARE_E_SYNTAX);
        if (!strstr(err.message, cases[i].says)) fail_msg("%s: %s", cases[i].json, err.message);
        assert_null(given);
    }
}

static void test_given__a_tree_of_another_input_is_refused(void **state)
{
    (void)state;
    pare_given_tree *given = NULL;
    pare_error err = {0};
    assert_int_equal(pare_given_tree_read("t.json", file, strlen(file), &given, NULL), PARE_OK);
    assert_int_equal(pare_given_tree_set_input(given, "short", 5, &err), PARE_E_ARG);
    assert_string_equal(err.message,
                        "t.json: it is not the tree of this input: it spans 23 bytes of 5");
    pare_given_tree_free(given);
}

static pare_status read_and_parse(void *context)
{
    static const char text[] = "f(a, ccc); return x";
    pare_given_tree *given = NULL;
    pare_parse_tree tree = {0};
    (void)context;
    pare_status status = pare_given_tree_read("t.json", file, strlen(file), &given, NULL);
    if (!status) status = pare_given_tree_set_input(given, INPUT, strlen(INPUT), NULL);
    if (!status)
        status =
            pare_given_tree_parse(given, text, strlen(text), PARE_SEPARATORS_AFTER, &tree, NULL);
    pare_parse_tree_done(&tree);
    pare_given_tree_free(given);
    return status;
}

static void test_given__every_allocation_may_fail(void **state)
{
    (void)state;
    sweep_allocations(read_and_parse, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_given__covers_the_input_with_nodes_and_tokens),
        cmocka_unit_test(test_given__is_what_is_left_in_a_smaller_text),
        cmocka_unit_test(test_given__what_is_not_of_the_input_is_one_opaque_piece),
        cmocka_unit_test(test_given__says_what_may_go_and_what_may_stand_where),
        cmocka_unit_test(test_given__mistakes_have_a_sentence),
        cmocka_unit_test(test_given__a_tree_of_another_input_is_refused),
        cmocka_unit_test(test_given__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
