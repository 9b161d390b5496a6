/* Islands: what is put below a token, whose each node is, what stays. */
#include "lang/islands.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "alloc_sweep.h"
#include "base/random.h"
#include "lang/islands.h"
#include "parse/bracket_parse.h"
#include "support/tree_notation.h"

static const char *name_at(const void *notation, uint32_t symbol)
{
    return ((const struct notation *)notation)->names[symbol];
}

static const pare_parse_tree *host_of(struct notation *notation)
{
    notation->parse.names =
        (pare_symbol_names){.rule = name_at, .token = name_at, .language = notation};
    notation->parse.size_bytes = (uint32_t)notation->text_size;
    return &notation->parse;
}

/* Brackets are the language of islands; a text with `!` in it leaves it. */
static pare_status parse(void *context, const char *bytes, size_t size, pare_parse_tree *tree,
                         pare_error *err)
{
    (void)context;
    pare_status status = pare_bracket_parse((const unsigned char *)bytes, size, tree, err);
    if (!status) tree->error.any = memchr(bytes, '!', size) != NULL;
    return status;
}

static pare_status fill(struct notation *notation, const char *token, const char *regex,
                        pare_islands **islands, pare_island_tree *filled)
{
    uint32_t number = 0;
    pare_status status = pare_islands_new(islands, NULL);
    if (!status) status = pare_islands_add_language(*islands, parse, NULL, &number, NULL);
    if (!status) status = pare_islands_add(*islands, token, regex, number, NULL);
    if (!status)
        status = pare_islands_fill(*islands, host_of(notation), notation->text, filled, NULL);
    return status;
}

/* Leaves stand in order, and all that is between them was between the host's. */
static void assert_round_trip(const struct notation *notation, const pare_island_tree *filled)
{
    const pare_parse_tree *tree = &filled->tree;
    uint32_t at = 0;
    assert_true(pare_parse_tree_check(tree));
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        const pare_parse_node *node = &tree->nodes[i];
        if (node->kind != PARE_NODE_TOKEN && node->kind != PARE_NODE_OPAQUE) continue;
        assert_true(node->begin >= at);
        for (; at < node->begin; at++)
            assert_non_null(strchr(" \n", notation->text[at]));
        at = node->end;
    }
    for (; at < notation->text_size; at++)
        assert_non_null(strchr(" \n", notation->text[at]));
}

static void test_islands__stand_below_the_token_that_holds_them(void **state)
{
    (void)state;
    struct notation notation = {0};
    pare_islands *islands = NULL;
    pare_island_tree filled = {.n_islands = 0};
    notation_read(&notation, "(s (a 'x') _ (q '<(1 2) [3]>') (a 'y'))");
    assert_int_equal(fill(&notation, "<(1 2) [3]>", "(?<=<).*(?=>)", &islands, &filled), PARE_OK);
    assert_int_equal(filled.n_islands, 1);
    assert_round_trip(&notation, &filled);
    /* s, a, x, q, and then the token itself */
    const pare_parse_node *holder = &filled.tree.nodes[4], *margin = &filled.tree.nodes[5];
    const pare_symbol_names *names = &filled.tree.names;
    assert_int_equal(holder->kind, PARE_NODE_RULE);
    assert_string_equal(names->rule(names->language, holder->symbol), "<(1 2) [3]>");
    assert_int_equal(filled.own[4].kind, PARE_NODE_TOKEN);
    assert_int_equal(filled.owner[4], 0);
    assert_int_equal(margin->symbol, PARE_NO_NODE);
    assert_int_equal(margin->end - margin->begin, 1);
    const pare_parse_node *root = &filled.tree.nodes[6];
    assert_string_equal(names->rule(names->language, root->symbol), "document");
    assert_int_equal(filled.owner[6], 1);
    assert_int_equal(pare_islands_owner(root->symbol), 1);
    uint32_t kind = holder->kind, symbol = holder->symbol;
    pare_islands_decode(&kind, &symbol);
    assert_int_equal(kind, PARE_NODE_TOKEN);
    assert_int_equal(symbol, filled.own[4].symbol);
    pare_islands_tree_done(&filled);
    pare_islands_free(islands);
    notation_done(&notation);
}

static void test_islands__that_do_not_parse_stay_tokens(void **state)
{
    (void)state;
    struct notation notation = {0};
    pare_islands *islands = NULL;
    pare_island_tree filled = {.n_islands = 0};
    notation_read(&notation, "(s (q '(!)' '()') (q '(!)'))");
    assert_int_equal(fill(&notation, "(!)", NULL, &islands, &filled), PARE_OK);
    assert_int_equal(filled.n_islands, 0);
    assert_int_equal(filled.tree.n_nodes, notation.parse.n_nodes);
    assert_memory_equal(filled.tree.nodes, notation.parse.nodes,
                        notation.parse.n_nodes * sizeof *notation.parse.nodes);
    pare_islands_tree_done(&filled);
    pare_islands_free(islands);
    notation_done(&notation);
}

static void test_islands__take_the_place_of_a_rules_children_match_by_match(void **state)
{
    (void)state;
    struct notation notation = {0};
    pare_islands *islands = NULL;
    pare_island_tree filled = {.n_islands = 0};
    notation_read(&notation, "(s (q 'a(1)' _ 'b(!)' 'c(2)d') 'e')");
    assert_int_equal(fill(&notation, "q", "\\([^)]*\\)", &islands, &filled), PARE_OK);
    assert_int_equal(filled.n_islands, 2);
    assert_round_trip(&notation, &filled);
    size_t n_margins = 0;
    for (size_t i = 0; i < filled.tree.n_nodes; i++) {
        bool margin = filled.owner[i] == 0 && filled.own[i].symbol == PARE_NO_NODE;
        n_margins += margin;
        if (margin) assert_int_equal(filled.tree.nodes[i].parent, 1);
    }
    assert_int_equal(n_margins, 3); /* a, " b(!)c", d */
    const pare_parse_node *last = &filled.tree.nodes[filled.tree.n_nodes - 1];
    assert_int_equal(last->parent, 0);
    assert_int_equal(last->end, notation.text_size);
    pare_islands_tree_done(&filled);
    pare_islands_free(islands);
    notation_done(&notation);
}

/* The same brackets in a text with `?` in it only. */
static pare_status parse_questions(void *context, const char *bytes, size_t size,
                                   pare_parse_tree *tree, pare_error *err)
{
    (void)context;
    pare_status status = pare_bracket_parse((const unsigned char *)bytes, size, tree, err);
    if (!status) tree->error.any = memchr(bytes, '?', size) == NULL;
    return status;
}

/* Whose islands there are, in their order: a digit for each. */
static void check_owners(const char *tree, const char *first, const char *second,
                         const char *expected)
{
    struct notation notation = {0};
    pare_islands *islands = NULL;
    pare_island_tree filled = {.n_islands = 0};
    uint32_t one = 0, two = 0;
    char owners[16] = "";
    notation_read(&notation, tree);
    assert_int_equal(pare_islands_new(&islands, NULL), PARE_OK);
    assert_int_equal(pare_islands_add_language(islands, parse, NULL, &one, NULL), PARE_OK);
    assert_int_equal(pare_islands_add_language(islands, parse_questions, NULL, &two, NULL),
                     PARE_OK);
    assert_int_equal(pare_islands_add(islands, "q", first, one, NULL), PARE_OK);
    assert_int_equal(pare_islands_add(islands, "q", second, two, NULL), PARE_OK);
    assert_int_equal(pare_islands_fill(islands, host_of(&notation), notation.text, &filled, NULL),
                     PARE_OK);
    assert_round_trip(&notation, &filled);
    for (size_t i = 1; i < filled.tree.n_nodes; i++) {
        const pare_parse_node *node = &filled.tree.nodes[i];
        if (!filled.owner[i] || filled.owner[node->parent]) continue;
        strcat(owners, filled.owner[i] == 1 ? "1" : "2");
    }
    assert_string_equal(owners, expected);
    assert_int_equal(filled.n_islands, strlen(expected));
    pare_islands_tree_done(&filled);
    pare_islands_free(islands);
    notation_done(&notation);
}

static void test_islands__of_one_token_may_be_of_several_languages(void **state)
{
    (void)state;
    check_owners("(s (q '(a)') (q '(!?)') (q '(!)') (q '(?)'))", NULL, NULL, "121");
    check_owners("(s (q 'a(1)' _ '<?>' 'b(2)' '<!?>c'))", "\\([^)]*\\)", "<[^>]*>", "1212");
    check_owners("(s (q '<(1)?>' '(!)<?>'))", "\\([^)]*\\)", "<[^>]*>", "22");
    check_owners("(s (q '(1?)' '(!)(!?)'))", "\\([^)]*\\)", "\\([^)]*\\)", "12");
}

/* A row of rules with one token each, drawn from a few texts, with spaces between some. */
static void draw(struct notation *notation, pare_random *random)
{
    static const char *const texts[] = {"(1 2)", "[ ( ) ]", "!", "(!)", "x", " (y) ", "((", "\n"};
    uint32_t root =
        notation_open(notation, PARE_NODE_RULE, notation_symbol(notation, "s", 1), PARE_NO_NODE);
    for (size_t n = pare_random_below(random, 12); n > 0; n--) {
        const char *text = texts[pare_random_below(random, 8)];
        uint32_t rule =
            notation_open(notation, PARE_NODE_RULE, notation_symbol(notation, "q", 1), root);
        notation_token(notation, text, strlen(text), rule);
        notation_close(notation, rule);
        if (pare_random_below(random, 2)) notation_text(notation, " ", 1);
    }
    notation_close(notation, root);
}

static void test_islands__random_hosts_print_the_same(void **state)
{
    (void)state;
    static const char *const regexes[] = {NULL, "\\(.*\\)", ".", "(?<=\\().*?(?=\\))"};
    size_t n_islands = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        pare_random random;
        struct notation notation = {0};
        pare_islands *islands = NULL;
        pare_island_tree filled = {.n_islands = 0};
        pare_random_init(&random, seed);
        draw(&notation, &random);
        assert_int_equal(fill(&notation, "q", regexes[seed % 4], &islands, &filled), PARE_OK);
        assert_round_trip(&notation, &filled);
        n_islands += filled.n_islands;
        pare_islands_tree_done(&filled);
        pare_islands_free(islands);
        notation_done(&notation);
    }
    assert_true(n_islands > 400);
}

static pare_status fill_once(void *context)
{
    pare_islands *islands = NULL;
    pare_island_tree filled = {.n_islands = 0};
    pare_status status = fill(context, "q", "\\(.*?\\)", &islands, &filled);
    if (status) assert_null(filled.own);
    pare_islands_tree_done(&filled);
    pare_islands_free(islands);
    return status;
}

static pare_status read_once(void *context)
{
    pare_island_option option = {.words = NULL};
    pare_status status = pare_islands_option_read(context, &option, NULL);
    if (status) assert_null(option.words);
    pare_islands_option_done(&option);
    return status;
}

static void test_islands__out_of_memory_is_a_clean_error(void **state)
{
    (void)state;
    struct notation notation = {0};
    char text[] = "q=x.g4";
    notation_read(&notation, "(s (q '(1)(2)') (q 'x'))");
    sweep_allocations(fill_once, &notation);
    sweep_allocations(read_once, text);
    notation_done(&notation);
}

static void test_island_option__is_read_from_its_last_equals_sign(void **state)
{
    (void)state;
    pare_island_option option = {.words = NULL};
    assert_int_equal(pare_islands_option_read("T:a=(b:c)=L.g4,P.g4#r", &option, NULL), PARE_OK);
    assert_string_equal(option.token, "T");
    assert_string_equal(option.regex, "a=(b:c)");
    assert_int_equal(option.n_files, 2);
    assert_string_equal(option.files[0], "L.g4");
    assert_string_equal(option.files[1], "P.g4");
    assert_string_equal(option.start, "r");
    assert_string_equal(option.target, "L.g4,P.g4#r");
    pare_islands_option_done(&option);
    assert_int_equal(pare_islands_option_read("raw_text=lang:css", &option, NULL), PARE_OK);
    assert_null(option.regex);
    assert_string_equal(option.language, "css");
    pare_islands_option_done(&option);
}

static void test_island_option__of_another_form_is_an_argument_error(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",     "T",     "T=",   "=x.g4",    "T:=x.g4",
                                        "T=#r", "T=x.#", "T=,x", ":re=x.g4", "T=1,2,3,4,5,6,7,8,9"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        pare_island_option option = {.words = NULL};
        assert_int_equal(pare_islands_option_read(wrong[i], &option, NULL), PARE_E_ARG);
        assert_null(option.words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_islands__stand_below_the_token_that_holds_them),
        cmocka_unit_test(test_islands__that_do_not_parse_stay_tokens),
        cmocka_unit_test(test_islands__take_the_place_of_a_rules_children_match_by_match),
        cmocka_unit_test(test_islands__of_one_token_may_be_of_several_languages),
        cmocka_unit_test(test_islands__random_hosts_print_the_same),
        cmocka_unit_test(test_islands__out_of_memory_is_a_clean_error),
        cmocka_unit_test(test_island_option__is_read_from_its_last_equals_sign),
        cmocka_unit_test(test_island_option__of_another_form_is_an_argument_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
