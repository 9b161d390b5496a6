/* The front end gives the last tree out again, as long as it is asked for the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reduce/syntax/front_end.h"
#include "unit/support/language.h"

static pare_front_end *front;

static pare_tree *tree_of(const pare_text *text, pare_front_end_view kind)
{
    pare_tree *tree = NULL;
    assert_int_equal(pare_front_end_tree(front, text, (pare_stretch){0, pare_text_size(text)}, kind,
                                         &tree, NULL),
                     PARE_OK);
    assert_ptr_equal(tree->text, text);
    return tree;
}

static pare_text *copy(const char *bytes)
{
    pare_text *text = NULL;
    assert_int_equal(pare_text_copy(bytes, strlen(bytes), &text, NULL), PARE_OK);
    return text;
}

static void test_front_end__the_same_text_is_parsed_once(void **state)
{
    (void)state;
    pare_text *text = copy("[1, {\"a\": 2}]");
    pare_tree *first = tree_of(text, PARE_FRONT_END_BEFORE);
    pare_tree *again = tree_of(text, PARE_FRONT_END_BEFORE);
    pare_tree *host = tree_of(text, PARE_FRONT_END_HOST); /* there are no islands */
    assert_ptr_equal(first, again);
    assert_ptr_equal(first, host);
    pare_tree_unref(first);
    pare_tree_unref(again);
    pare_tree_unref(host);
    pare_text_unref(text);
}

static void test_front_end__another_text_or_side_is_another_tree(void **state)
{
    (void)state;
    pare_text *text = copy("[1, 2]"), *other = copy("[1, 2]");
    pare_tree *before = tree_of(text, PARE_FRONT_END_BEFORE);
    pare_tree *after = tree_of(text, PARE_FRONT_END_AFTER);
    pare_tree *others = tree_of(other, PARE_FRONT_END_AFTER);
    assert_ptr_not_equal(before, after);
    assert_ptr_not_equal(after, others);
    pare_tree_unref(before);
    pare_tree_unref(after);
    pare_tree_unref(others);
    pare_text_unref(text);
    pare_text_unref(other);
}

static void test_front_end__a_tree_that_was_forgotten_is_the_callers_alone(void **state)
{
    (void)state;
    pare_text *text = copy("[1]");
    pare_tree *tree = tree_of(text, PARE_FRONT_END_BEFORE);
    assert_int_equal(tree->refs, 2);
    pare_front_end_forget_tree(front);
    assert_int_equal(tree->refs, 1);
    pare_tree_forget_texts(tree);
    pare_tree *next = tree_of(text, PARE_FRONT_END_BEFORE);
    assert_ptr_not_equal(next, tree);
    pare_tree_unref(next);
    pare_tree_unref(tree);
    pare_text_unref(text);
}

/* The language of a text of that name, as it is known once both have been seen. */
static const char *language_of(const char *option, const char *name, const char *bytes)
{
    pare_tree_options options = {.language = option};
    pare_front_end *opened = NULL;
    pare_text *text = copy(bytes);
    assert_int_equal(pare_front_end_open(&options, name, &opened, NULL), PARE_OK);
    assert_int_equal(pare_front_end_set_input(opened, text, NULL), PARE_OK);
    const char *language = pare_front_end_language(opened); /* static */
    pare_front_end_free(opened);
    pare_text_unref(text);
    return language;
}

static void test_front_end__a_preprocessed_text_says_itself_what_it_is(void **state)
{
    (void)state;
    assert_string_equal(language_of(NULL, "crash-1", "# 1 \"a.cc\"\nint x;\n"), "cpp");
    assert_string_equal(language_of(NULL, NULL, "\n# 0 \"a.c\"\nint x;\n"), "c");
    assert_string_equal(language_of("auto", "bug.txt", "#line 3 \"a.cpp\"\nint x;\n"), "cpp");
    assert_string_equal(language_of(NULL, "pipe", "# 1 \"<stdin>\"\n# 1 \"/usr/c++/map\"\n"),
                        "cpp");
    assert_string_equal(language_of(NULL, "pipe", "# 1 \"<stdin>\"\nint x;\n"), "c");
}

static void test_front_end__the_text_is_not_asked_where_name_or_options_tell(void **state)
{
    (void)state;
    const char marked[] = "# 1 \"a.cc\"\nint x;\n";
    assert_string_equal(language_of(NULL, "a.lua", marked), "lua");
    assert_null(language_of("none", "crash-1", marked));
}

static void test_front_end__what_only_looks_like_a_line_marker_tells_nothing(void **state)
{
    (void)state;
    assert_null(language_of(NULL, "notes", "# 1 apple\n"));
    assert_null(language_of(NULL, "notes", "# 1 \"apple\n"));
    assert_null(language_of(NULL, "notes", "#1 \"a.c\"\n"));
    assert_null(language_of(NULL, "notes", "x\n# 1 \"a.c\"\n"));
    assert_null(language_of(NULL, "notes", "#"));
    assert_null(language_of(NULL, "notes", ""));
}

int main(void)
{
    const struct CMUnitTest texts[] = {
        cmocka_unit_test(test_front_end__a_preprocessed_text_says_itself_what_it_is),
        cmocka_unit_test(test_front_end__the_text_is_not_asked_where_name_or_options_tell),
        cmocka_unit_test(test_front_end__what_only_looks_like_a_line_marker_tells_nothing),
    };
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_front_end__the_same_text_is_parsed_once),
        cmocka_unit_test(test_front_end__another_text_or_side_is_another_tree),
        cmocka_unit_test(test_front_end__a_tree_that_was_forgotten_is_the_callers_alone),
    };
    use_build_data();
    if (cmocka_run_group_tests(texts, NULL, NULL)) return EXIT_FAILURE;
    if (!has_language("json")) return EXIT_SUCCESS;
    pare_tree_options options = {.language = "json"};
    if (pare_front_end_open(&options, NULL, &front, NULL) != PARE_OK) return EXIT_FAILURE;
    int code = cmocka_run_group_tests(tests, NULL, NULL);
    pare_front_end_free(front);
    return code;
}
