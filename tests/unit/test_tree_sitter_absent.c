/* The other side of PARE_TREE_SITTER: the bridge compiled without the core, under names
 * of its own, so that every build tests it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#undef PARE_HAVE_TREE_SITTER
#define pare_tree_sitter_available absent_available
#define pare_tree_sitter_takes absent_takes
#define pare_tree_sitter_open absent_open
#define pare_tree_sitter_close absent_close
#define pare_tree_sitter_abi absent_abi
#define pare_tree_sitter_n_symbols absent_n_symbols
#define pare_tree_sitter_is_named absent_is_named
#define pare_tree_sitter_names absent_names
#define pare_tree_sitter_parse absent_parse
#include "parse/tree_sitter.c"

static void test_tree_sitter_absent__everything_answers_with_one_sentence(void **state)
{
    (void)state;
    pare_tree_sitter *language = NULL;
    pare_parse_tree tree = {.size_bytes = 5};
    pare_error err = {0};
    assert_false(absent_available());
    assert_true(absent_takes(15));
    assert_int_equal(absent_open("x.so", "x", &language, &err), PARE_E_UNSUPPORTED);
    assert_non_null(strstr(err.message, "built without tree-sitter"));
    assert_null(language);
    assert_int_equal(absent_parse(NULL, "1", 1, &tree, NULL), PARE_E_UNSUPPORTED);
    assert_int_equal(tree.size_bytes, 5);
    assert_int_equal(absent_abi(NULL), 0);
    assert_int_equal(absent_n_symbols(NULL), 0);
    assert_false(absent_is_named(NULL, 0));
    absent_close(NULL);
}

static void test_tree_sitter_absent__names_are_there_all_the_same(void **state)
{
    (void)state;
    pare_symbol_names names = absent_names(NULL);
    assert_string_equal(names.rule(names.language, 1), "?");
    assert_string_equal(names.token(names.language, 1), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree_sitter_absent__everything_answers_with_one_sentence),
        cmocka_unit_test(test_tree_sitter_absent__names_are_there_all_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
