/* MessagePack and CBOR as chunks. */
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

struct values {
    const char *name, *bytes;
    size_t size;
    const char *without_2; /* {"a": [1, 3], "b": "xyz"} */
    const char *without_a; /* {"b": "xyz"} */
    size_t size_without_a;
    const char *without_y; /* {"a": [1, 2, 3], "b": "xz"} */
};

#define VALUES(name, bytes, without_2, without_a, without_y)                                 \
    {                                                                                        \
        name, bytes, sizeof bytes - 1, without_2, without_a, sizeof without_a - 1, without_y \
    }

/* {"a": [1, 2, 3], "b": "xyz"} */
static const struct values all[] = {
    VALUES("MessagePack", "\x82\xa1\x61\x93\1\2\3\xa1\x62\xa3xyz",
           "\x82\xa1\x61\x92\1\3\xa1\x62\xa3xyz", "\x81\xa1\x62\xa3xyz",
           "\x82\xa1\x61\x93\1\2\3\xa1\x62\xa2xz"),
    VALUES("MessagePack, wide", "\xde\0\2\xd9\1\x61\xdd\0\0\0\3\1\2\3\xa1\x62\xda\0\3xyz",
           "\xde\0\2\xd9\1\x61\xdd\0\0\0\2\1\3\xa1\x62\xda\0\3xyz", "\xde\0\1\xa1\x62\xda\0\3xyz",
           "\xde\0\2\xd9\1\x61\xdd\0\0\0\3\1\2\3\xa1\x62\xda\0\2xz"),
    VALUES("CBOR", "\xa2\x61\x61\x83\1\2\3\x61\x62\x63xyz", "\xa2\x61\x61\x82\1\3\x61\x62\x63xyz",
           "\xa1\x61\x62\x63xyz", "\xa2\x61\x61\x83\1\2\3\x61\x62\x62xz"),
    VALUES("CBOR, wide", "\xb8\2\x61\x61\x99\0\3\1\2\3\x61\x62\x7a\0\0\0\3xyz",
           "\xb8\2\x61\x61\x99\0\2\1\3\x61\x62\x7a\0\0\0\3xyz", "\xb8\1\x61\x62\x7a\0\0\0\3xyz",
           "\xb8\2\x61\x61\x99\0\3\1\2\3\x61\x62\x7a\0\0\0\2xz"),
    VALUES("CBOR without counts", "\xbf\x61\x61\x9f\1\2\3\xff\x61\x62\x63xyz\xff",
           "\xbf\x61\x61\x9f\1\3\xff\x61\x62\x63xyz\xff", "\xbf\x61\x62\x63xyz\xff",
           "\xbf\x61\x61\x9f\1\2\3\xff\x61\x62\x62xz\xff"),
};

/* What is written without bytes from .. to-1. */
static void write_cut(const pare_chunk_tree *tree, uint32_t from, uint32_t to, pare_buffer *out)
{
    unsigned char *kept = test_calloc((size_t)tree->size + 1, 1);
    memset(kept, 1, (size_t)tree->size + 1);
    memset(kept + from, 0, to - from);
    const pare_chunk_edits edits = {.kept = kept};
    pare_buffer_reset(out);
    assert_int_equal(pare_chunk_writer_write(tree, &edits, out, NULL, NULL), PARE_OK);
    test_free(kept);
}

static void assert_bytes(const char *name, const pare_buffer *out, const char *bytes, size_t n)
{
    if (out->size != n || memcmp(out->data, bytes, n) != 0) fail_msg("%s", name);
}

/* The chunk that begins and ends with these values. */
static const pare_chunk *find(const pare_chunk_tree *tree, const char *bytes, size_t n)
{
    for (uint32_t i = 1; i < tree->n_chunks; i++)
        if (tree->chunks[i].to - tree->chunks[i].from == n &&
            memcmp(tree->bytes + tree->chunks[i].from, bytes, n) == 0)
            return &tree->chunks[i];
    fail_msg("there is no such chunk");
    return NULL;
}

static void test_chunk_values__counts_and_lengths_follow(void **state)
{
    pare_buffer out = {0};
    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const struct values *values = &all[i];
        pare_chunk_tree *tree = find_chunks(values->bytes, values->size);
        assert_int_equal(tree->chunks[0].n_children, 1);
        const pare_chunk *map = &tree->chunks[tree->chunks[0].first];
        const pare_chunk *pair = &tree->chunks[map->first];
        const pare_chunk *two = find(tree, "\2", 1);
        const char *y = memchr(values->bytes, 'y', values->size);
        const uint32_t at_y = (uint32_t)(y - values->bytes);
        assert_int_equal(map->n_children, 2);
        assert_true(!pair->value && !pair->fixed && tree->chunks[pair->first].fixed);
        assert_true(two->value && !two->fixed && tree->chunks[two->parent].n_children == 3);
        write_cut(tree, two->from, two->to, &out);
        assert_bytes(values->name, &out, values->without_2, values->size - 1);
        write_cut(tree, pair->from, pair->to, &out);
        assert_bytes(values->name, &out, values->without_a, values->size_without_a);
        write_cut(tree, at_y, at_y + 1, &out);
        assert_bytes(values->name, &out, values->without_y, values->size - 1);
        pare_chunk_tree_unref(tree);
    }
    pare_buffer_done(&out);
}

static bool has_values(const pare_chunk_tree *tree)
{
    for (uint32_t i = 0; i < tree->n_chunks; i++)
        if (tree->chunks[i].value) return true;
    return false;
}

/* A text, what ends in the middle of a value, and what has a byte that begins none. */
static void test_chunk_values__what_is_none(void **state)
{
    char text[512];
    (void)state;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = "values of no kind\n"[i % 18];
    pare_chunk_tree *tree = find_chunks(text, sizeof text);
    assert_false(has_values(tree));
    pare_chunk_tree_unref(tree);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char bytes[32];
        tree = find_chunks(all[i].bytes, all[i].size - 1);
        assert_false(has_values(tree));
        pare_chunk_tree_unref(tree);
        memcpy(bytes, all[i].bytes, all[i].size);
        bytes[0] = (char)(i < 2 ? 0xc1 : 0xfe);
        tree = find_chunks(bytes, all[i].size);
        assert_false(has_values(tree));
        pare_chunk_tree_unref(tree);
    }
}

/* [[0, 0, ..], 1, 2]: the inner list has more values than there may be chunks, so it stays whole. */
static void test_chunk_values__only_levels_for_which_there_is_room(void **state)
{
    pare_buffer file = {0};
    static const char zeros[1 << 10];
    (void)state;
    assert_int_equal(pare_buffer_add(&file, "\x93\xdd\0\2\0\0", 6, NULL), PARE_OK);
    for (int i = 0; i < 1 << 7; i++)
        assert_int_equal(pare_buffer_add(&file, zeros, sizeof zeros, NULL), PARE_OK);
    assert_int_equal(pare_buffer_add(&file, "\1\2", 2, NULL), PARE_OK);
    pare_chunk_tree *tree = find_chunks(file.data, file.size);
    assert_int_equal(tree->n_chunks, 5);
    assert_int_equal(tree->n_fields, 1);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&file);
}

/* Deeper than chunks may be. */
static void test_chunk_values__a_deep_nest(void **state)
{
    char bytes[4096];
    (void)state;
    memset(bytes, '\x91', sizeof bytes - 1);
    bytes[sizeof bytes - 1] = '\xc0';
    pare_chunk_tree *tree = find_chunks(bytes, sizeof bytes);
    assert_true(has_values(tree));
    assert_true(tree->n_chunks <= PARE_CHUNK_MOST_DEPTH);
    pare_chunk_tree_unref(tree);
}

static pare_status find_values(void *context)
{
    const struct values *values = context;
    pare_chunk_tree *tree = NULL;
    pare_status status =
        pare_chunk_finder_find((const unsigned char *)values->bytes, values->size, &tree, NULL);
    if (!status) pare_chunk_tree_unref(tree);
    return status;
}

static void test_chunk_values__a_lack_of_memory_is_reported(void **state)
{
    struct values values = all[0];
    (void)state;
    sweep_allocations(find_values, &values);
    values = all[4];
    sweep_allocations(find_values, &values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_values__counts_and_lengths_follow),
        cmocka_unit_test(test_chunk_values__what_is_none),
        cmocka_unit_test(test_chunk_values__only_levels_for_which_there_is_room),
        cmocka_unit_test(test_chunk_values__a_deep_nest),
        cmocka_unit_test(test_chunk_values__a_lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
