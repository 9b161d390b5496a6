/* Binary property lists. */
/* tests: src/reduce/binary/chunk_plist.c */
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

enum { FIRST = 8, MOST = 8, LONG_TEXT = 16 };

static void add(pare_buffer *to, const void *bytes, size_t n)
{
    assert_int_equal(pare_buffer_add(to, bytes, n, NULL), PARE_OK);
}

/* An object of a list that is made. */
struct object {
    const char *bytes;
    size_t size;
};

#define OBJECT(bytes)           \
    {                           \
        bytes, sizeof bytes - 1 \
    }

/* The list of `n` objects, with positions of one byte and numbers of one byte. */
static void make_list(const struct object *objects, size_t n, pare_buffer *file)
{
    unsigned char table[MOST], tail[32] = {[6] = 1, [7] = 1};
    add(file, "bplist00", FIRST);
    for (size_t i = 0; i < n; i++) {
        table[i] = (unsigned char)file->size;
        add(file, objects[i].bytes, objects[i].size);
    }
    tail[15] = (unsigned char)n;
    tail[31] = (unsigned char)file->size;
    add(file, table, n);
    add(file, tail, sizeof tail);
}

/* {a: [7, "sixteen.."], b: "text"} */
static const struct object WHOLE[] = {OBJECT("\xd2\1\2\3\4"),
                                      OBJECT("\x51"
                                             "a"),
                                      OBJECT("\x51"
                                             "b"),
                                      OBJECT("\xa2\5\6"),
                                      OBJECT("\x54text"),
                                      OBJECT("\x10\7"),
                                      OBJECT("\x5f\x10\x10sixteen sixteen.")};

enum { N_WHOLE = sizeof WHOLE / sizeof *WHOLE, PAIRS = FIRST + 1, ITEMS = FIRST + 5 + 2 + 2 + 1 };

/* Without the chunk of `file` that begins and ends there, and what only it names, it is `expected`; frees both. */
static void assert_cut(pare_buffer *file, uint32_t from, uint32_t to, pare_buffer *expected)
{
    pare_buffer out = {0};
    pare_chunk_tree *tree = find_chunks(file->data, file->size);
    const uint32_t gone = chunk_between(tree, from, to);
    assert_int_not_equal(gone, PARE_NO_CHUNK);
    write_without_named(tree, gone, &out);
    assert_int_equal(out.size, expected->size);
    assert_memory_equal(out.data, expected->data, out.size);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(file);
    pare_buffer_done(&out);
    pare_buffer_done(expected);
}

/* The same of the whole list, of which the list of `less` is left. */
static void assert_leaves(uint32_t from, uint32_t to, const struct object *less, size_t n)
{
    pare_buffer file = {0}, expected = {0};
    make_list(WHOLE, N_WHOLE, &file);
    make_list(less, n, &expected);
    assert_cut(&file, from, to, &expected);
}

static void test_chunk_plist__a_key_goes_with_its_value_and_all_that_holds(void **state)
{
    static const struct object less[] = {OBJECT("\xd1\1\2"),
                                         OBJECT("\x51"
                                                "b"),
                                         OBJECT("\x54text")};
    (void)state;
    assert_leaves(PAIRS, PAIRS + 1, less, sizeof less / sizeof *less);
}

static void test_chunk_plist__an_item_goes_and_the_others_are_numbered_anew(void **state)
{
    static const struct object less[] = {OBJECT("\xd2\1\2\3\4"),
                                         OBJECT("\x51"
                                                "a"),
                                         OBJECT("\x51"
                                                "b"),
                                         OBJECT("\xa1\5"),
                                         OBJECT("\x54text"),
                                         OBJECT("\x5f\x10\x10sixteen sixteen.")};
    (void)state;
    assert_leaves(ITEMS, ITEMS + 1, less, sizeof less / sizeof *less);
}

static void test_chunk_plist__a_text_goes_and_its_length_is_right(void **state)
{
    struct object less[N_WHOLE];
    const uint32_t end = ITEMS + 2 + 5 + 2 + 3 + LONG_TEXT;
    (void)state;
    memcpy(less, WHOLE, sizeof less);
    less[N_WHOLE - 1] = (struct object)OBJECT("\x5f\x10\0");
    assert_leaves(end - LONG_TEXT, end, less, N_WHOLE);
    memcpy(less, WHOLE, sizeof less);
    less[1] = (struct object)OBJECT("\x50");
    assert_leaves(FIRST + 5 + 1, FIRST + 5 + 2, less, N_WHOLE);
}

static void add_number(pare_buffer *to, uint32_t value)
{
    const unsigned char bytes[] = {(unsigned char)(value >> 24), (unsigned char)(value >> 16),
                                   (unsigned char)(value >> 8), (unsigned char)value};
    add(to, bytes, sizeof bytes);
}

/* A list of `n` texts, with positions and numbers of four bytes. */
static void make_long_list(uint32_t n, pare_buffer *file)
{
    const unsigned char sizes[] = {0, 0, 0, 0, 0, 0, 4, 4};
    const uint32_t texts = FIRST + 6 + 4 * n;
    add(file, "bplist00\xaf\x12", FIRST + 2);
    add_number(file, n);
    for (uint32_t i = 1; i <= n; i++)
        add_number(file, i);
    for (uint32_t i = 0; i < n; i++)
        add(file, "\x51x", 2);
    for (uint32_t i = 0; i <= n; i++)
        add_number(file, i ? texts + 2 * (i - 1) : FIRST);
    const uint32_t tail[] = {0, n + 1, 0, 0, 0, texts + 2 * n};
    add(file, sizes, sizeof sizes);
    for (size_t i = 0; i < sizeof tail / sizeof *tail; i++)
        add_number(file, tail[i]);
}

static void test_chunk_plist__what_is_no_chunk_for_want_of_room_is_numbered_anew(void **state)
{
    enum { N = PARE_CHUNK_MOST };
    pare_buffer file = {0}, expected = {0};
    (void)state;
    make_long_list(N, &file);
    make_long_list(N - 1, &expected);
    assert_cut(&file, FIRST + 6, FIRST + 10, &expected);
}

static void test_chunk_plist__a_name_of_nothing_is_no_list(void **state)
{
    struct object objects[N_WHOLE];
    pare_buffer file = {0};
    (void)state;
    memcpy(objects, WHOLE, sizeof objects);
    objects[3] = (struct object)OBJECT("\xa2\5\7");
    make_list(objects, N_WHOLE, &file);
    pare_chunk_tree *tree = find_chunks(file.data, file.size);
    assert_int_equal(chunk_between(tree, ITEMS, ITEMS + 1), PARE_NO_CHUNK);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&file);
}

static void test_chunk_plist__damage_is_bounded(void **state)
{
    pare_buffer file = {0};
    (void)state;
    make_list(WHOLE, N_WHOLE, &file);
    assert_damage_is_bounded(&file);
    pare_buffer_done(&file);
}

static void test_chunk_plist__reports_oom(void **state)
{
    pare_buffer file = {0};
    (void)state;
    make_list(WHOLE, N_WHOLE, &file);
    sweep_allocations(find_and_forget, &file);
    pare_buffer_done(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_plist__a_key_goes_with_its_value_and_all_that_holds),
        cmocka_unit_test(test_chunk_plist__an_item_goes_and_the_others_are_numbered_anew),
        cmocka_unit_test(test_chunk_plist__a_text_goes_and_its_length_is_right),
        cmocka_unit_test(test_chunk_plist__what_is_no_chunk_for_want_of_room_is_numbered_anew),
        cmocka_unit_test(test_chunk_plist__a_name_of_nothing_is_no_list),
        cmocka_unit_test(test_chunk_plist__damage_is_bounded),
        cmocka_unit_test(test_chunk_plist__reports_oom),
    };
    return cmocka_run_group_tests_name("chunk_plist", tests, NULL, NULL);
}
