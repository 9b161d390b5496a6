/* Learning from a corpus: which files count, and that what they show is what is allowed. */
/* tests: src/reduce/syntax/front_end.c src/reduce/tree/gtr_templates.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reduce/syntax/front_end.h"
#include "unit/alloc_sweep.h"
#include "unit/support/scratch.h"

static const char *const grammars[] = {"Plan.g4"};

static int make_files(void **state)
{
    if (scratch_setup(state)) return -1;
    scratch_write("Plan.g4",
                  "grammar Plan; plan: step+ EOF; step: NAME args? ';'; args: '(' NAME+ ')';"
                  "NAME: [a-z]+; W: [ \\n]+ -> skip;",
                  0644);
    if (mkdir("some", 0755) || mkdir("some/below", 0755) || mkdir("empty", 0755)) return -1;
    scratch_write("some/bare", "a; b;", 0644);
    scratch_write("some/below/mixed", "a (x); b;", 0644);
    scratch_write("some/broken", "a (;", 0644);
    scratch_write("always", "a (x y); b (z);", 0644);
    return symlink("bare", "some/link");
}

static pare_front_end *open_front(void)
{
    const pare_tree_options options = {.grammars = grammars, .n_grammars = 1};
    pare_front_end *front = NULL;
    assert_int_equal(pare_front_end_open(&options, NULL, &front, NULL), PARE_OK);
    return front;
}

static pare_tree *parse(pare_front_end *front, const char *bytes)
{
    pare_text *text = NULL;
    pare_tree *tree = NULL;
    assert_int_equal(pare_text_copy(bytes, strlen(bytes), &text, NULL), PARE_OK);
    assert_int_equal(pare_front_end_example(front, text, PARE_FRONT_END_BEFORE, &tree, NULL),
                     PARE_OK);
    assert_non_null(tree);
    pare_text_unref(text);
    return tree;
}

/* The first node that prints `bytes`, from the root: the outermost one. */
static uint32_t find(const pare_tree *tree, const char *bytes)
{
    size_t size = strlen(bytes);
    char own[64];
    for (uint32_t i = 0; i < tree->n_nodes; i++) {
        const pare_tree_node *node = &tree->nodes[i];
        if (node->end - node->begin != size || size > sizeof own) continue;
        pare_text_read(tree->text, node->begin, size, own);
        if (memcmp(own, bytes, size) == 0) return i;
    }
    fail_msg("no node prints '%s'", bytes);
    return 0;
}

/* Whether templates learned from `paths` allow the arguments of a step to go. */
static bool may_go(const char *const *paths, size_t n, pare_corpus_count *files)
{
    pare_front_end *front = open_front();
    pare_gtr_templates *templates = NULL;
    assert_int_equal(pare_front_end_learn(front, paths, n, &templates, files, NULL), PARE_OK);
    pare_tree *tree = parse(front, "c (x); d;");
    uint32_t arguments = find(tree, "(x)");
    bool may = pare_gtr_templates_allow_delete(templates, tree, arguments, arguments);
    pare_tree_unref(tree);
    pare_gtr_templates_free(templates);
    pare_front_end_free(front);
    return may;
}

static void test_corpus__counts_files_of_folders_and_never_links(void **state)
{
    static const struct {
        const char *paths[3];
        size_t n, n_learned, n_skipped;
    } cases[] = {{{"some"}, 1, 2, 1},
                 {{"some/bare", "some/broken"}, 2, 1, 1},
                 {{"some", "some", "always"}, 3, 5, 2},
                 {{"empty"}, 1, 0, 0},
                 {{NULL}, 0, 0, 0}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pare_corpus_count files = {.n_learned = 99, .n_skipped = 99};
        (void)may_go(cases[k].paths, cases[k].n, &files);
        assert_int_equal(files.n_learned, cases[k].n_learned);
        assert_int_equal(files.n_skipped, cases[k].n_skipped);
    }
}

static void test_corpus__what_was_never_left_out_stays(void **state)
{
    static const char *const always[] = {"always"}, *const both[] = {"always", "some"};
    pare_corpus_count files;
    (void)state;
    assert_false(may_go(always, 1, &files));
    assert_true(may_go(both, 2, &files)); /* one of them has a step without arguments */
    assert_true(may_go(NULL, 0, &files)); /* nothing is known */
}

static void test_corpus__a_path_that_is_not_there_is_an_error(void **state)
{
    static const char *const paths[] = {"always", "nowhere"};
    pare_front_end *front = open_front();
    pare_gtr_templates *templates = NULL;
    pare_corpus_count files;
    pare_error err = {0};
    (void)state;
    assert_int_equal(pare_front_end_learn(front, paths, 2, &templates, &files, &err), PARE_E_IO);
    assert_non_null(strstr(err.message, "nowhere"));
    assert_null(templates);
    pare_front_end_free(front);
}

static pare_status learn_once(void *context)
{
    static const char *const paths[] = {"some", "always"};
    const pare_tree_options options = {.grammars = grammars, .n_grammars = 1};
    pare_front_end *front = NULL;
    pare_gtr_templates *templates = NULL;
    pare_corpus_count files;
    (void)context;
    pare_status status = pare_front_end_open(&options, NULL, &front, NULL);
    if (!status) status = pare_front_end_learn(front, paths, 2, &templates, &files, NULL);
    assert_int_equal(templates != NULL, status == PARE_OK);
    pare_gtr_templates_free(templates);
    pare_front_end_free(front);
    return status;
}

static void test_corpus__survives_each_allocation_failing(void **state)
{
    (void)state;
    sweep_allocations(learn_once, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_corpus__counts_files_of_folders_and_never_links),
        cmocka_unit_test(test_corpus__what_was_never_left_out_stays),
        cmocka_unit_test(test_corpus__a_path_that_is_not_there_is_an_error),
        cmocka_unit_test(test_corpus__survives_each_allocation_failing),
    };
    return cmocka_run_group_tests(tests, make_files, scratch_teardown);
}
