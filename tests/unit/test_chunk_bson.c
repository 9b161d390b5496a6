/* BSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "unit/alloc_sweep.h"
#include "unit/chunk_samples.h"

#define HALF \
    "\x10"   \
    "a\0\1\0\0\0\4l\0"
#define TEN   \
    "\x0a"    \
    "0\0\x0a" \
    "1\0\x0a" \
    "2\0\x0a" \
    "3\0\x0a" \
    "4\0\x0a" \
    "5\0\x0a" \
    "6\0\x0a" \
    "7\0\x0a" \
    "8\0"     \
    "\x0a"    \
    "9\0"

/* {a: 1, l: [null, .. eleven of them], s: "words"} */
static const char file[] = "\x43\0\0\0" HALF "\x27\0\0\0" TEN "\x0a"
                           "10\0\0"
                           "\2s\0\6\0\0\0words\0";
/* without the first null, and without all but `s` */
static const char without_null[] = "\x3f\0\0\0" HALF "\x23\0\0\0" TEN "\0"
                                   "\2s\0\6\0\0\0words\0";
static const char only_s[] = "\x12\0\0\0\2s\0\6\0\0\0words\0";
static const char short_s[] = "\x0f\0\0\0\2s\0\3\0\0\0ds\0";

/* What is written without bytes from .. to-1. */
static void assert_cut(const pare_chunk_tree *tree, uint32_t from, uint32_t to, const char *bytes,
                       size_t n)
{
    unsigned char *kept = test_calloc((size_t)tree->size + 1, 1);
    memset(kept, 1, (size_t)tree->size + 1);
    memset(kept + from, 0, to - from);
    assert_writes(tree, kept, bytes, n);
    test_free(kept);
}

static void test_chunk_bson__lengths_and_places_follow(void **state)
{
    (void)state;
    pare_chunk_tree *tree = find_chunks(file, sizeof file);
    assert_int_equal(tree->chunks[0].n_children, 3);
    const uint32_t null = 4 + sizeof HALF - 1 + 4, s = null + 35;
    assert_cut(tree, 0, 0, file, sizeof file);
    assert_cut(tree, null, null + 3, without_null, sizeof without_null);
    assert_cut(tree, 4, s, only_s, sizeof only_s);
    pare_chunk_tree_unref(tree);
    tree = find_chunks(only_s, sizeof only_s);
    assert_cut(tree, 11, 14, short_s, sizeof short_s);
    pare_chunk_tree_unref(tree);
}

static void test_chunk_bson__documents_one_after_the_other(void **state)
{
    char two[sizeof file + sizeof only_s];
    (void)state;
    memcpy(two, file, sizeof file);
    memcpy(two + sizeof file, only_s, sizeof only_s);
    pare_chunk_tree *tree = find_chunks(two, sizeof two);
    assert_int_equal(tree->chunks[0].n_children, 2);
    assert_cut(tree, 0, sizeof file, only_s, sizeof only_s);
    pare_chunk_tree_unref(tree);
}

/* Whether elements were found. */
static bool has_values(const char *bytes, size_t n)
{
    pare_chunk_tree *tree = find_chunks(bytes, n);
    bool found = false;
    for (uint32_t i = 0; i < tree->n_chunks; i++)
        found = found || tree->chunks[i].value;
    pare_chunk_tree_unref(tree);
    return found;
}

static void test_chunk_bson__what_does_not_fit_is_none(void **state)
{
    char bytes[sizeof file];
    (void)state;
    assert_true(has_values(file, sizeof file));
    for (size_t n = 0; n < sizeof file; n++)
        assert_false(has_values(file, n));
    memcpy(bytes, file, sizeof file);
    bytes[4] = 0x20;
    assert_false(has_values(bytes, sizeof bytes));
    memcpy(bytes, file, sizeof file);
    bytes[sizeof bytes - 1] = 1;
    assert_false(has_values(bytes, sizeof bytes));
}

/* {a: null, b: bytes}, where there are fewer bytes than are said, and where there are none. */
static void test_chunk_bson__bytes_are_as_many_as_are_said(void **state)
{
    static const char beyond[] = "\x10\0\0\0\x0a"
                                 "a\0\5"
                                 "b\0\x07\0\0\0\0";
    static const char none[] = "\x10\0\0\0\x0a"
                               "a\0\5"
                               "b\0\0\0\0\0\0";
    (void)state;
    assert_false(has_values(beyond, sizeof beyond));
    assert_true(has_values(none, sizeof none));
}

static void test_chunk_bson__damage_is_read_within_bounds(void **state)
{
    pare_buffer bytes = {0};
    (void)state;
    assert_int_equal(pare_buffer_add(&bytes, file, sizeof file, NULL), PARE_OK);
    assert_damage_is_bounded(&bytes);
    pare_buffer_done(&bytes);
}

static void test_chunk_bson__a_lack_of_memory_is_reported(void **state)
{
    pare_buffer bytes = {0};
    (void)state;
    assert_int_equal(pare_buffer_add(&bytes, file, sizeof file, NULL), PARE_OK);
    sweep_allocations(find_and_forget, &bytes);
    pare_buffer_done(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_bson__lengths_and_places_follow),
        cmocka_unit_test(test_chunk_bson__documents_one_after_the_other),
        cmocka_unit_test(test_chunk_bson__what_does_not_fit_is_none),
        cmocka_unit_test(test_chunk_bson__bytes_are_as_many_as_are_said),
        cmocka_unit_test(test_chunk_bson__damage_is_read_within_bounds),
        cmocka_unit_test(test_chunk_bson__a_lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
