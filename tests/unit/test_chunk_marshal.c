/* Marshal of Python. */
/* tests: src/reduce/binary/chunk_marshal.c */
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

/* ['abc', 1, 'abc', 'abc', None]: the first string is remembered, and named twice. */
static const char named[] = "[\5\0\0\0\xda\3abci\1\0\0\0r\0\0\0\0r\0\0\0\0N";
static const char plain[] = "[\5\0\0\0Z\3abci\1\0\0\0Z\3abcZ\3abcN";

/* Code of Python 3.8 in a file: its constants are (None, 1). */
#define HEADER "\x55\r\r\n\0\0\0\0\0\0\0\0\0\0\0\0"
#define NUMBERS "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
static const char code[] = HEADER "c" NUMBERS "s\2\0\0\0ab)\2Ni\1\0\0\0)\0)\0)\0)\0NN\1\0\0\0N";
static const char less_code[] = HEADER "c" NUMBERS "s\2\0\0\0ab)\1N)\0)\0)\0)\0NN\1\0\0\0N";

/* The chunk that is these bytes. */
static uint32_t chunk_of(const pare_chunk_tree *tree, const char *bytes, uint32_t size)
{
    for (uint32_t i = 0; i < tree->n_chunks; i++)
        if (tree->chunks[i].to - tree->chunks[i].from == size &&
            memcmp(tree->bytes + tree->chunks[i].from, bytes, size) == 0)
            return i;
    fail_msg("there is no such chunk");
    return 0;
}

static void assert_without(const pare_chunk_tree *tree, uint32_t gone, const char *bytes,
                           size_t size)
{
    pare_buffer out = {0};
    write_without(tree, gone, false, &out);
    assert_int_equal(out.size, size);
    assert_memory_equal(out.data, bytes, size);
    pare_buffer_done(&out);
}

static void test_chunk_marshal__what_is_named_is_written_in_its_place(void **state)
{
    (void)state;
    pare_chunk_tree *tree = find_chunks(named, sizeof named - 1);
    assert_int_equal(tree->n_packings, 1);
    assert_int_equal(tree->packings[0].codec, PARE_PACKING_NONE);
    assert_int_equal(tree->packings[0].n_plain, sizeof plain - 1);
    assert_memory_equal(tree->packings[0].plain, plain, sizeof plain - 1);
    assert_without(tree, PARE_NO_CHUNK, named, sizeof named - 1);
    static const char less[] = "[\4\0\0\0Z\3abcZ\3abcZ\3abcN";
    assert_without(tree, chunk_of(tree, "i\1\0\0\0", 5), less, sizeof less - 1);
    pare_chunk_tree_unref(tree);
}

static void test_chunk_marshal__what_code_holds_goes(void **state)
{
    (void)state;
    pare_chunk_tree *tree = find_chunks(code, sizeof code - 1);
    assert_int_equal(tree->n_packings, 0);
    assert_without(tree, chunk_of(tree, "i\1\0\0\0", 5), less_code, sizeof less_code - 1);
    assert_true(tree->chunks[chunk_of(tree, ")\2Ni\1\0\0\0", 8)].fixed);
    pare_chunk_tree_unref(tree);
}

/* A tuple that names itself, a number that was not remembered, a name that is remembered. */
static void test_chunk_marshal__what_names_no_whole_object_is_none(void **state)
{
    static const char itself[] = "\xa8\2\0\0\0r\0\0\0\0i\1\0\0\0i\1\0\0\0i\1\0\0\0";
    static const char nothing[] = "[\5\0\0\0\xda\3abci\1\0\0\0r\1\0\0\0r\0\0\0\0N";
    static const char name[] = "[\5\0\0\0\xda\3abc\xf2\0\0\0\0r\1\0\0\0r\1\0\0\0N";
    (void)state;
    pare_chunk_tree *tree = find_chunks(itself, sizeof itself - 1);
    assert_int_equal(tree->n_packings, 0);
    pare_chunk_tree_unref(tree);
    tree = find_chunks(nothing, sizeof nothing - 1);
    assert_int_equal(tree->n_packings, 0);
    pare_chunk_tree_unref(tree);
    tree = find_chunks(name, sizeof name - 1);
    assert_int_equal(tree->n_packings, 0);
    pare_chunk_tree_unref(tree);
}

/* What is remembered in an object that is named is counted where it was first. */
static void test_chunk_marshal__what_is_written_again_is_not_counted_again(void **state)
{
    static const char nested[] = "[\4\0\0\0\xdb\1\0\0\0\xda\3abcr\0\0\0\0\xda\3defr\2\0\0\0";
    static const char written[] = "[\4\0\0\0[\1\0\0\0Z\3abc[\1\0\0\0Z\3abcZ\3defZ\3def";
    (void)state;
    pare_chunk_tree *tree = find_chunks(nested, sizeof nested - 1);
    assert_int_equal(tree->n_packings, 1);
    assert_int_equal(tree->packings[0].n_plain, sizeof written - 1);
    assert_memory_equal(tree->packings[0].plain, written, sizeof written - 1);
    pare_chunk_tree_unref(tree);
}

/* Lists each of which names the one before it, so many times. */
static uint32_t packings_of_chain(unsigned n, unsigned times)
{
    pare_buffer file = {0};
    const unsigned char begin[] = {'[', (unsigned char)(n + 1), 0, 0, 0, 0xda, 3, 'a', 'b', 'c'};
    assert_int_equal(pare_buffer_add(&file, begin, sizeof begin, NULL), PARE_OK);
    for (unsigned i = 0; i < n; i++) {
        const unsigned char list[] = {0xdb, (unsigned char)times, 0, 0, 0};
        const unsigned char name[] = {'r', (unsigned char)i, 0, 0, 0};
        assert_int_equal(pare_buffer_add(&file, list, sizeof list, NULL), PARE_OK);
        for (unsigned k = 0; k < times; k++)
            assert_int_equal(pare_buffer_add(&file, name, sizeof name, NULL), PARE_OK);
    }
    pare_chunk_tree *tree = find_chunks(file.data, file.size);
    const uint32_t n_packings = (uint32_t)tree->n_packings;
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&file);
    return n_packings;
}

static void test_chunk_marshal__what_becomes_too_large_or_too_deep_is_left(void **state)
{
    (void)state;
    assert_int_equal(packings_of_chain(4, 2), 1);
    assert_int_equal(packings_of_chain(14, 2), 0);
    assert_int_equal(packings_of_chain(4, 1), 1);
    assert_int_equal(packings_of_chain(30, 1), 0);
}

/* Code of Python 3.11, in another order. */
static void test_chunk_marshal__code_is_of_several_orders(void **state)
{
    static const char later[] = HEADER "c\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0s\2\0\0\0ab)\2Ni"
                                       "\1\0\0\0)\0)\0NNNN\1\0\0\0N)\0";
    (void)state;
    pare_chunk_tree *tree = find_chunks(later, sizeof later - 1);
    assert_true(tree->chunks[chunk_of(tree, ")\2Ni\1\0\0\0", 8)].fixed);
    assert_false(tree->chunks[chunk_of(tree, "i\1\0\0\0", 5)].fixed);
    pare_chunk_tree_unref(tree);
}

static void test_chunk_marshal__damage_is_bounded(void **state)
{
    pare_buffer file = {0};
    (void)state;
    assert_int_equal(pare_buffer_add(&file, named, sizeof named - 1, NULL), PARE_OK);
    assert_damage_is_bounded(&file);
    sweep_allocations(find_and_forget, &file);
    pare_buffer_done(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_marshal__what_is_named_is_written_in_its_place),
        cmocka_unit_test(test_chunk_marshal__what_code_holds_goes),
        cmocka_unit_test(test_chunk_marshal__what_names_no_whole_object_is_none),
        cmocka_unit_test(test_chunk_marshal__what_is_written_again_is_not_counted_again),
        cmocka_unit_test(test_chunk_marshal__what_becomes_too_large_or_too_deep_is_left),
        cmocka_unit_test(test_chunk_marshal__code_is_of_several_orders),
        cmocka_unit_test(test_chunk_marshal__damage_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
