/* Every language of the table: added from the registry, then trees of small sources.
 *
 * Skipped where the registry cannot be
 * reached; with sanitizers only a few languages are tried, because compiling all of them
 * is a test of the compiler. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "cli/support/language_samples.h"
#include "lang/language.h"
#include "unit/support/language.h"

enum { N_CUTS = 40 };

/* Parses and looks at the tree; gives the number of errors. */
static size_t parse_any(const pare_tree_sitter *language, const char *text, size_t size)
{
    pare_parse_tree tree = {0};
    assert_int_equal(pare_tree_sitter_parse(language, text, size, &tree, NULL), PARE_OK);
    assert_true(pare_parse_tree_check(&tree));
    assert_true(covers_text(&tree, text));
    size_t n_errors = tree.n_errors;
    pare_parse_tree_done(&tree);
    return n_errors;
}

static void check_sample(const struct sample *sample)
{
    pare_tree_sitter *language = load_language(sample->name);
    size_t size = strlen(sample->text);
    size_t n_errors = parse_any(language, sample->text, size);
    if (n_errors) fail_msg("%s: %zu errors in a correct text", sample->name, n_errors);
    pare_tree_sitter_close(language);
}

static void check_damaged(const struct sample *sample)
{
    char text[2048];
    pare_random random;
    pare_random_init(&random, 1);
    pare_tree_sitter *language = load_language(sample->name);
    size_t size = strlen(sample->text);
    for (size_t i = 0; i < N_CUTS; i++) {
        size_t from = pare_random_below(&random, size), n = pare_random_below(&random, 20);
        if (n > size - from) n = size - from;
        memcpy(text, sample->text, from);
        memcpy(text + from, sample->text + from + n, size - from - n);
        if (i % 4 == 0) text[pare_random_below(&random, size - n)] = (char)(i * 37);
        (void)parse_any(language, text, size - n);
    }
    pare_tree_sitter_close(language);
}

/* The rule the model gets wrong, for the message. */
static void fail_node(const struct sample *sample, const pare_parse_tree *tree, uint32_t node)
{
    char children[400] = "";
    for (uint32_t i = pare_parse_tree_first_child(tree, node); i != PARE_NO_NODE;
         i = pare_parse_tree_next_sibling(tree, i)) {
        size_t length = strlen(children);
        (void)snprintf(children + length, sizeof children - length, " %s",
                       tree->names.rule(tree->names.language, tree->nodes[i].symbol));
    }
    fail_msg("%s: %s is said not to be%s", sample->name,
             tree->names.rule(tree->names.language, tree->nodes[node].symbol), children);
}

/* Whether `node` may have the children it has, but for the child `without`; PARE_NO_NODE: all. */
static pare_legality legality_of(const pare_language_models *models, const pare_parse_tree *tree,
                                 uint32_t node, uint32_t without)
{
    uint32_t children[1024], n = 0;
    pare_content_matcher *matcher = NULL;
    pare_legality is = PARE_ILLEGAL;
    for (uint32_t i = pare_parse_tree_first_child(tree, node); i != PARE_NO_NODE;
         i = pare_parse_tree_next_sibling(tree, i)) {
        assert_true(n < sizeof children / sizeof *children);
        if (i != without)
            children[n++] = pare_language_models_symbol(models, tree->nodes[i].symbol);
    }
    assert_int_equal(pare_content_matcher_new(pare_language_models_content(models), &matcher, NULL),
                     PARE_OK);
    assert_int_equal(
        pare_content_match(matcher, pare_language_models_symbol(models, tree->nodes[node].symbol),
                           children, n, &is, NULL),
        PARE_OK);
    pare_content_matcher_free(matcher);
    return is;
}

static void check_models(const struct sample *sample)
{
    pare_error err = {0};
    pare_parse_tree tree = {0};
    pare_language_models *models = NULL;
    pare_tree_sitter *language = load_language(sample->name);
    if (pare_language_models_new(sample->name, language, &models, &err) != PARE_OK)
        fail_msg("%s: %s", sample->name, err.message);
    assert_int_equal(
        pare_tree_sitter_parse(language, sample->text, strlen(sample->text), &tree, NULL), PARE_OK);
    for (uint32_t i = 0; i < tree.n_nodes; i++) {
        if (tree.nodes[i].kind != PARE_NODE_RULE) continue;
        if (legality_of(models, &tree, i, PARE_NO_NODE) == PARE_ILLEGAL)
            fail_node(sample, &tree, i);
    }
    pare_parse_tree_done(&tree);
    pare_language_models_free(models);
    pare_tree_sitter_close(language);
}

/* Errors of the text without one child. */
static size_t parse_without(const pare_tree_sitter *language, const char *text,
                            const pare_parse_node *child)
{
    char edited[2048];
    size_t size = strlen(text);
    memcpy(edited, text, child->begin);
    memcpy(edited + child->begin, text + child->end, size - child->end);
    return parse_any(language, edited, size - (child->end - child->begin));
}

/* Leaves out each child whose absence is called legal; counts how often the rest parses. */
static void count_legal(const struct sample *sample, size_t *n_legal, size_t *n_right)
{
    pare_parse_tree tree = {0};
    pare_language_models *models = NULL;
    pare_tree_sitter *language = load_language(sample->name);
    assert_int_equal(pare_language_models_new(sample->name, language, &models, NULL), PARE_OK);
    assert_int_equal(
        pare_tree_sitter_parse(language, sample->text, strlen(sample->text), &tree, NULL), PARE_OK);
    for (uint32_t i = 1; i < tree.n_nodes; i++) {
        const pare_parse_node *node = &tree.nodes[i];
        if (node->symbol == PARE_TREE_SITTER_TEXT || node->begin == node->end) continue;
        if (legality_of(models, &tree, node->parent, i) != PARE_LEGAL) continue;
        *n_legal += 1;
        *n_right += parse_without(language, sample->text, node) == 0;
    }
    pare_parse_tree_done(&tree);
    pare_language_models_free(models);
    pare_tree_sitter_close(language);
}

static size_t n_tried = N_SAMPLES; /* the first so many */

static void test_languages__a_correct_text_of_each_parses_and_prints_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_tried; i++)
        check_sample(&samples[i]);
}

static void test_languages__a_damaged_text_of_each_prints_back_too(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_tried; i++)
        check_damaged(&samples[i]);
}

static void test_languages__the_model_of_each_allows_the_children_that_there_are(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_tried; i++)
        check_models(&samples[i]);
}

static void test_languages__what_is_called_legal_parses_nearly_always(void **state)
{
    (void)state;
    size_t n_legal = 0, n_right = 0;
    for (size_t i = 0; i < n_tried; i++)
        count_legal(&samples[i], &n_legal, &n_right);
    print_message("%zu of %zu deletions called legal parse\n", n_right, n_legal);
    assert_true(n_legal >= n_tried);
    assert_true(100 * n_right >= 90 * n_legal);
}

static void test_languages__the_name_of_a_file_tells_its_language(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SAMPLES; i++) {
        const pare_language_info *info = pare_language_for_file(samples[i].file);
        assert_non_null(info);
        assert_string_equal(info->name, samples[i].name);
    }
    assert_string_equal(pare_language_for_file("A.C")->name, "cpp");
    assert_string_equal(pare_language_for_file("A.JSON")->name, "json");
    static const char *const c_names[] = {"a.i", "a.mi", "a.cl", "A.I"};
    static const char *const cpp_names[] = {
        "a.ii",  "a.mii",  "a.tcc", "a.txx",  "a.inl",  "a.icc", "a.ipp",
        "a.ixx", "a.cppm", "a.ccm", "a.cu",   "a.cuh",  "a.hip", "a.h++",
        "a.H",   "a.cp",   "a.CPP", "a.b.ii", "a.c++m", "a.mpp", "a.hp",
    };
    for (size_t i = 0; i < sizeof c_names / sizeof *c_names; i++)
        assert_string_equal(pare_language_for_file(c_names[i])->name, "c");
    for (size_t i = 0; i < sizeof cpp_names / sizeof *cpp_names; i++)
        assert_string_equal(pare_language_for_file(cpp_names[i])->name, "cpp");
    assert_string_equal(pare_language_for_file("a/Makefile")->name, "make");
    assert_string_equal(pare_language_for_file(".bashrc")->name, "bash");
    assert_null(pare_language_for_file("Makefile.am"));
    assert_null(pare_language_for_file("c"));
    assert_null(pare_language_for_file(".c"));
    assert_null(pare_language_for_file("a."));
    assert_null(pare_language_for_file("x.c/README"));
}

static void test_languages__the_table_is_sorted_and_all_but_verilog_have_a_sample(void **state)
{
    (void)state;
    const pare_language_info *info, *before = NULL;
    size_t n = 0;
    for (size_t i = 0; (info = pare_language_at(i)) != NULL; i++, before = info) {
        n += !info->is_model;
        assert_true(!before || strcmp(before->name, info->name) < 0);
        assert_ptr_equal(pare_language_find(info->name), info);
    }
    assert_int_equal(n, N_SAMPLES + 1);
    assert_ptr_equal(pare_language_find("js"), pare_language_find("javascript"));
    assert_null(pare_language_find(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_languages__a_correct_text_of_each_parses_and_prints_back),
        cmocka_unit_test(test_languages__a_damaged_text_of_each_prints_back_too),
        cmocka_unit_test(test_languages__the_model_of_each_allows_the_children_that_there_are),
        cmocka_unit_test(test_languages__what_is_called_legal_parses_nearly_always),
        cmocka_unit_test(test_languages__the_name_of_a_file_tells_its_language),
        cmocka_unit_test(test_languages__the_table_is_sorted_and_all_but_verilog_have_a_sample),
    };
    const char *sanitizers = getenv("PARE_SANITIZE");
    if (sanitizers && *sanitizers) n_tried = 2;
    use_build_data();
    for (size_t i = 0; i < n_tried; i++) {
        if (!has_language(samples[i].name)) return EXIT_SKIPPED;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
