/* Messages of Protocol Buffers. */
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

/* 1: "some words", 2: {1: "a", 3: 300}, 5: a word of four bytes */
static const char file[] = "\x0a\x0asome words\x12\6\x0a\1a\x18\xac\2\x2d\1\0\0\x3f";
enum { SIZE = sizeof file - 1, NUMBER = 17 };

/* What is written without bytes from .. to-1. */
static void assert_cut(uint32_t from, uint32_t to, const char *bytes, size_t n)
{
    unsigned char kept[SIZE + 1];
    pare_chunk_tree *tree = find_chunks(file, SIZE);
    memset(kept, 1, sizeof kept);
    memset(kept + from, 0, to - from);
    assert_writes(tree, kept, bytes, n);
    pare_chunk_tree_unref(tree);
}

static void test_chunk_protobuf__lengths_follow(void **state)
{
    (void)state;
    assert_cut(0, 0, file, SIZE);
    assert_cut(0, 12, file + 12, SIZE - 12);
    assert_cut(6, 12, "\x0a\4some\x12\6\x0a\1a\x18\xac\2\x2d\1\0\0\x3f", SIZE - 6);
    assert_cut(NUMBER, NUMBER + 3, "\x0a\x0asome words\x12\3\x0a\1a\x2d\1\0\0\x3f", SIZE - 3);
}

static void test_chunk_protobuf__a_field_may_stand_in_the_place_of_another(void **state)
{
    (void)state;
    pare_chunk_tree *tree = find_chunks(file, SIZE);
    unsigned n_values = 0;
    for (uint32_t i = 0; i < tree->n_chunks; i++)
        n_values += tree->chunks[i].value;
    assert_int_equal(n_values, 5);
    assert_int_equal(tree->chunks[0].n_children, 3);
    pare_chunk_tree_unref(tree);
}

static void test_chunk_protobuf__what_does_not_fit_is_none(void **state)
{
    char bytes[SIZE];
    (void)state;
    memcpy(bytes, file, SIZE);
    bytes[12] = 0x17; /* a value of a kind that is none */
    pare_chunk_tree *tree = find_chunks(bytes, SIZE);
    for (uint32_t i = 0; i < tree->n_chunks; i++)
        assert_false(tree->chunks[i].value);
    pare_chunk_tree_unref(tree);
}

/* The file 14,000 times has more fields than there are chunks. */
static void test_chunk_protobuf__many_fields_go_in_groups(void **state)
{
    enum { TIMES = 14000 };
    pare_buffer bytes = {0};
    uint32_t at = 0;
    (void)state;
    for (int i = 0; i < TIMES; i++)
        assert_int_equal(pare_buffer_add(&bytes, file, SIZE, NULL), PARE_OK);
    pare_chunk_tree *tree = find_chunks(bytes.data, bytes.size);
    for (uint32_t i = tree->chunks[0].first; i != PARE_NO_CHUNK; i = tree->chunks[i].next) {
        assert_int_equal(tree->chunks[i].from, at);
        at = tree->chunks[i].to;
    }
    assert_int_equal(at, bytes.size);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&bytes);
}

static void test_chunk_protobuf__damage_is_read_within_bounds(void **state)
{
    pare_buffer bytes = {0};
    (void)state;
    assert_int_equal(pare_buffer_add(&bytes, file, SIZE, NULL), PARE_OK);
    assert_damage_is_bounded(&bytes);
    pare_buffer_done(&bytes);
}

static void test_chunk_protobuf__a_lack_of_memory_is_reported(void **state)
{
    pare_buffer bytes = {0};
    (void)state;
    assert_int_equal(pare_buffer_add(&bytes, file, SIZE, NULL), PARE_OK);
    sweep_allocations(find_and_forget, &bytes);
    pare_buffer_done(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_protobuf__lengths_follow),
        cmocka_unit_test(test_chunk_protobuf__a_field_may_stand_in_the_place_of_another),
        cmocka_unit_test(test_chunk_protobuf__what_does_not_fit_is_none),
        cmocka_unit_test(test_chunk_protobuf__many_fields_go_in_groups),
        cmocka_unit_test(test_chunk_protobuf__damage_is_read_within_bounds),
        cmocka_unit_test(test_chunk_protobuf__a_lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
