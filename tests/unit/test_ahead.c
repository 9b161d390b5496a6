/* A parse ahead gives the tree that a parse gives, and leaves no trace when it is given up. */
/* tests: src/reduce/syntax/ahead.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "reduce/syntax/ahead.h"
#include "reduce/syntax/front_end.h"
#include "unit/support/language.h"

static pare_text *make_text(int n)
{
    pare_buffer buffer = {0};
    pare_text *text = NULL;
    assert_int_equal(pare_buffer_text(&buffer, "[0", NULL), PARE_OK);
    for (int i = 1; i < n; i++)
        assert_int_equal(pare_buffer_format(&buffer, NULL, ", {\"k%d\": [%d, true]}", i, i),
                         PARE_OK);
    assert_int_equal(pare_buffer_text(&buffer, "]\n", NULL), PARE_OK);
    assert_int_equal(pare_text_take(&buffer, &text, NULL), PARE_OK);
    return text;
}

static pare_reader *open_reader(void)
{
    pare_reader *reader = NULL;
    assert_int_equal(pare_reader_by_language("json", &reader, NULL), PARE_OK);
    return reader;
}

static pare_stretch whole(const pare_text *text)
{
    return (pare_stretch){0, pare_text_size(text)};
}

static pare_ahead *start(pare_reader *reader, const pare_text *text)
{
    pare_ahead *ahead = NULL;
    assert_int_equal(
        pare_ahead_start(reader, text, whole(text), PARE_SEPARATORS_BEFORE, &ahead, NULL), PARE_OK);
    return ahead;
}

static void check_same(const pare_parse_tree *a, const pare_parse_tree *b)
{
    assert_int_equal(a->n_nodes, b->n_nodes);
    assert_memory_equal(a->nodes, b->nodes, a->n_nodes * sizeof *a->nodes);
}

static void test_ahead__the_tree_is_that_of_a_parse(void **state)
{
    (void)state;
    const long live = pare_alloc_live();
    pare_text *text = make_text(500);
    pare_reader *reader = open_reader();
    pare_parse_tree plain = {0}, tree = {0};
    assert_int_equal(pare_reader_parse(reader, (const char *)pare_text_bytes(text),
                                       pare_text_size(text), PARE_SEPARATORS_BEFORE, &plain, NULL),
                     PARE_OK);
    pare_ahead *ahead = start(reader, text);
    assert_true(pare_ahead_is_of(ahead, text, whole(text), PARE_SEPARATORS_BEFORE));
    assert_false(pare_ahead_is_of(ahead, text, whole(text), PARE_SEPARATORS_AFTER));
    assert_false(pare_ahead_is_of(ahead, text, (pare_stretch){0, 9}, PARE_SEPARATORS_BEFORE));
    assert_int_equal(pare_ahead_take(ahead, &tree, NULL), PARE_OK);
    check_same(&plain, &tree);
    pare_parse_tree_done(&plain);
    pare_parse_tree_done(&tree);
    pare_reader_free(reader);
    pare_text_unref(text);
    assert_int_equal(pare_alloc_live(), live);
}

static void test_ahead__one_that_is_given_up_teaches_the_reader_nothing(void **state)
{
    (void)state;
    const long live = pare_alloc_live();
    pare_text *text = make_text(8000);
    pare_reader *reader = open_reader();
    pare_ahead_drop(start(reader, text));
    assert_false(pare_reader_has_texts(reader));
    pare_ahead_drop(NULL);
    pare_reader_free(reader);
    pare_text_unref(text);
    assert_int_equal(pare_alloc_live(), live);
}

static void test_ahead__start_reports_oom_and_leaves_out_alone(void **state)
{
    (void)state;
    pare_text *text = make_text(5);
    pare_reader *reader = open_reader();
    pare_ahead *ahead = NULL;
    const long live = pare_alloc_live();
    pare_alloc_fault_after(0);
    assert_int_equal(
        pare_ahead_start(reader, text, whole(text), PARE_SEPARATORS_BEFORE, &ahead, NULL),
        PARE_E_NOMEM);
    pare_alloc_fault_after(SIZE_MAX);
    assert_null(ahead);
    assert_int_equal(pare_alloc_live(), live);
    pare_reader_free(reader);
    pare_text_unref(text);
}

/* The tree of the front end, made ahead or not; of another text first, if `detour`. */
static pare_tree *front_tree(pare_front_end *front, const pare_text *text, const pare_text *detour)
{
    pare_tree *tree = NULL;
    if (detour) {
        assert_int_equal(
            pare_front_end_tree(front, detour, whole(detour), PARE_FRONT_END_BEFORE, &tree, NULL),
            PARE_OK);
        pare_tree_unref(tree);
    }
    assert_int_equal(
        pare_front_end_tree(front, text, whole(text), PARE_FRONT_END_BEFORE, &tree, NULL), PARE_OK);
    return tree;
}

static void test_ahead__trees_of_the_front_end_do_not_depend_on_it(void **state)
{
    (void)state;
    const pare_tree_options options = {.language = "json"};
    pare_text *text = make_text(4000), *other = make_text(3900);
    for (int way = 0; way < 3; way++) {
        pare_front_end *front = NULL, *plain = NULL;
        assert_int_equal(pare_front_end_open(&options, NULL, &front, NULL), PARE_OK);
        assert_int_equal(pare_front_end_open(&options, NULL, &plain, NULL), PARE_OK);
        pare_front_end_prepare(front, text, whole(text));
        if (way == 1) pare_front_end_prepare(front, other, whole(other));
        pare_tree *a = front_tree(front, text, way == 2 ? other : NULL);
        pare_tree *b = front_tree(plain, text, way == 2 ? other : NULL);
        assert_int_equal(a->n_nodes, b->n_nodes);
        assert_int_equal(a->nodes[0].n_tokens, b->nodes[0].n_tokens);
        pare_tree_unref(a);
        pare_tree_unref(b);
        pare_front_end_free(front);
        pare_front_end_free(plain);
    }
    pare_text_unref(text);
    pare_text_unref(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ahead__the_tree_is_that_of_a_parse),
        cmocka_unit_test(test_ahead__one_that_is_given_up_teaches_the_reader_nothing),
        cmocka_unit_test(test_ahead__start_reports_oom_and_leaves_out_alone),
        cmocka_unit_test(test_ahead__trees_of_the_front_end_do_not_depend_on_it),
    };
    use_build_data();
    if (!has_language("json")) return EXIT_SKIPPED;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
