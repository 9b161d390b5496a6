/* Class files of Java. */
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

enum {
    METHODS = 4,
    SHARED = 4,
    A_METHOD = 3 /* numbers of constants that a method has for itself */
};

/* Where the first and the last byte of each method came to stand. */
struct made {
    pare_buffer file;
    uint32_t from[METHODS], to[METHODS];
};

static void add(pare_buffer *to, const void *bytes, size_t n)
{
    assert_int_equal(pare_buffer_add(to, bytes, n, NULL), PARE_OK);
}

static void number(pare_buffer *to, uint32_t width, uint64_t value)
{
    unsigned char bytes[8];
    pare_chunk_coding_write(PARE_CODING_BIG, width, value, bytes);
    add(to, bytes, width);
}

static void text(pare_buffer *to, const char *bytes)
{
    number(to, 1, 1);
    number(to, 2, strlen(bytes));
    add(to, bytes, strlen(bytes));
}

/* One method, with code that takes its number and jumps forth and back. */
static void add_method(pare_buffer *to, unsigned name)
{
    static const unsigned char code[] = {0x58, 0xa7, 0, 4, 0xb1, 0xa7, 0xff, 0xff};
    number(to, 2, 9);
    number(to, 2, name);
    number(to, 2, 2);
    number(to, 2, 1);
    number(to, 2, 1);
    number(to, 4, 12 + 3 + sizeof code);
    number(to, 4, 0x20002);
    number(to, 4, 3 + sizeof code);
    number(to, 1, 0x14);
    number(to, 2, name + 1);
    add(to, code, sizeof code);
    number(to, 4, 0);
}

/* A class with those methods: of each its name and a number of 64 bits among the constants. */
static void make_class(unsigned methods, struct made *made)
{
    pare_buffer *to = &made->file;
    unsigned n = 0;
    for (unsigned i = 0; i < METHODS; i++)
        n += methods >> i & 1;
    number(to, 4, 0xcafebabe);
    number(to, 4, 61);
    number(to, 2, 1 + SHARED + A_METHOD * n);
    text(to, "Code");
    text(to, "()V");
    number(to, 1, 7);
    number(to, 2, 4);
    text(to, "This");
    for (unsigned i = 0; i < METHODS; i++) {
        if (!(methods >> i & 1)) continue;
        const char name[] = {'n', 'a', 'm', 'e', (char)('a' + i), 0};
        text(to, name + 3 - i);
        number(to, 1, 5);
        number(to, 8, i);
    }
    number(to, 2, 1);
    number(to, 2, 3);
    number(to, 2, 0);
    number(to, 4, 0);
    number(to, 2, n);
    for (unsigned i = 0, at = 0; i < METHODS; i++) {
        if (!(methods >> i & 1)) continue;
        made->from[i] = (uint32_t)to->size;
        add_method(to, 1 + SHARED + A_METHOD * at++);
        made->to[i] = (uint32_t)to->size;
    }
    number(to, 2, 0);
}

/* What is left without a method is what the class without it would be. */
static void test_chunk_class__a_method_takes_its_constants_with_it(void **state)
{
    (void)state;
    for (unsigned methods = 1; methods < 1 << METHODS; methods++)
        for (unsigned i = 0; i < METHODS; i++) {
            struct made made = {.file = {0}}, less = {.file = {0}};
            pare_buffer out = {0};
            if (!(methods >> i & 1) || methods == 1U << i) continue;
            make_class(methods, &made);
            make_class(methods & ~(1U << i), &less);
            pare_chunk_tree *tree = find_chunks(made.file.data, made.file.size);
            write_without(tree, PARE_NO_CHUNK, false, &out);
            assert_int_equal(out.size, made.file.size);
            assert_memory_equal(out.data, made.file.data, out.size);
            const uint32_t method = chunk_between(tree, made.from[i], made.to[i]);
            assert_int_not_equal(method, PARE_NO_CHUNK);
            write_without_named(tree, method, &out);
            assert_int_equal(out.size, less.file.size);
            assert_memory_equal(out.data, less.file.data, out.size);
            pare_chunk_tree_unref(tree);
            pare_buffer_done(&made.file);
            pare_buffer_done(&less.file);
            pare_buffer_done(&out);
        }
}

/* The return goes, to which the second jump leads: both are shorter by one, as is the code. */
static void test_chunk_class__jumps_and_lengths_follow_an_instruction(void **state)
{
    struct made made = {.file = {0}};
    pare_buffer out = {0};
    (void)state;
    make_class(1, &made);
    pare_chunk_tree *tree = find_chunks(made.file.data, made.file.size);
    const uint32_t code = made.from[0] + 22, gone = chunk_between(tree, code + 7, code + 8);
    assert_int_not_equal(gone, PARE_NO_CHUNK);
    write_without(tree, gone, false, &out);
    const unsigned char *bytes = (const unsigned char *)out.data;
    assert_int_equal(out.size, made.file.size - 1);
    assert_int_equal(bytes[code - 1], 10);
    assert_int_equal(bytes[code - 9], 22);
    assert_memory_equal(bytes + code, "\x14\0\6\x58\xa7\0\3\xa7\0\0", 10);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&made.file);
    pare_buffer_done(&out);
}

/* However it is cut off or damaged, what is written without a cut is what was read. */
static void test_chunk_class__damage_is_read_within_bounds(void **state)
{
    struct made made = {.file = {0}};
    (void)state;
    make_class(7, &made);
    assert_damage_is_bounded(&made.file);
    pare_buffer_done(&made.file);
}

static void test_chunk_class__a_lack_of_memory_is_reported(void **state)
{
    struct made made = {.file = {0}};
    (void)state;
    make_class(3, &made);
    sweep_allocations(find_and_forget, &made.file);
    pare_buffer_done(&made.file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_class__a_method_takes_its_constants_with_it),
        cmocka_unit_test(test_chunk_class__jumps_and_lengths_follow_an_instruction),
        cmocka_unit_test(test_chunk_class__damage_is_read_within_bounds),
        cmocka_unit_test(test_chunk_class__a_lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
