/* The allocator that tree-sitter gets: blocks do not overlap, and all go with the parse, however
 * that ends. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "parse/tree_sitter_memory.h"

#ifdef PARE_HAVE_TREE_SITTER

enum { BLOCKS = 300, STEPS = 20000, LARGEST = 3000 };

static pare_tree_sitter_memory memory;

struct block {
    unsigned char *bytes;
    size_t size;
    unsigned char filling;
};

static uint32_t random_state;

static uint32_t below(uint32_t n)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)random_state * n) >> 32);
}

/* A block that nobody else wrote to has its filling. */
static void check(const struct block *block, size_t size)
{
    for (size_t i = 0; i < size; i++)
        assert_int_equal(block->bytes[i], block->filling);
}

static void fill(struct block *block, size_t size, unsigned char filling)
{
    assert_int_equal((uintptr_t)block->bytes % 16, 0);
    block->size = size;
    block->filling = filling;
    memset(block->bytes, filling, size);
}

/* One step at one of the blocks: taken, given another size, or given back. */
static void change(struct block *block)
{
    size_t size = below(4) ? below(120) : below(LARGEST);
    unsigned char filling = (unsigned char)below(256);
    if (!block->bytes) {
        bool zero = below(2);
        block->bytes =
            zero ? pare_tree_sitter_memory_take_zero(1, size) : pare_tree_sitter_memory_take(size);
        block->filling = 0;
        if (zero) check(block, size);
    } else if (below(3)) {
        size_t both = size < block->size ? size : block->size;
        block->bytes = pare_tree_sitter_memory_resize(block->bytes, size);
        check(block, both);
    } else {
        check(block, block->size);
        pare_tree_sitter_memory_give_back(block->bytes);
        *block = (struct block){0};
        return;
    }
    fill(block, size, filling);
}

static void test_tree_sitter_memory__blocks_keep_their_bytes_and_go_with_the_parse(void **state)
{
    (void)state;
    static struct block blocks[BLOCKS];
    long before = pare_alloc_live();
    pare_tree_sitter_memory_begin(&memory);
    assert_int_equal(setjmp(memory.out_of_memory), 0);
    for (size_t i = 0; i < STEPS; i++)
        change(&blocks[below(BLOCKS)]);
    for (size_t i = 0; i < BLOCKS; i++)
        if (blocks[i].bytes) check(&blocks[i], blocks[i].size);
    assert_true(pare_alloc_live() > before);
    pare_tree_sitter_memory_end(&memory); /* most blocks are still taken */
    assert_int_equal(pare_alloc_live(), before);
}

static void test_tree_sitter_memory__what_was_given_back_is_taken_again(void **state)
{
    (void)state;
    pare_tree_sitter_memory_begin(&memory);
    assert_int_equal(setjmp(memory.out_of_memory), 0);
    pare_tree_sitter_memory_give_back(pare_tree_sitter_memory_take(100));
    long once = pare_alloc_live();
    for (size_t i = 0; i < 100000; i++)
        pare_tree_sitter_memory_give_back(pare_tree_sitter_memory_take(100));
    assert_int_equal(pare_alloc_live(), once);
    pare_tree_sitter_memory_end(&memory);
}

/* Whether a failure of the allocation after `n` others leaves by the jump. */
static bool jumps(size_t n, size_t size)
{
    volatile bool jumped = true;
    pare_tree_sitter_memory_begin(&memory);
    if (setjmp(memory.out_of_memory) == 0) {
        pare_alloc_fault_after(n);
        for (size_t i = 0; i < 100000; i++)
            (void)pare_tree_sitter_memory_resize(pare_tree_sitter_memory_take(size), 2 * size);
        jumped = false;
    }
    pare_alloc_fault_after(SIZE_MAX);
    pare_tree_sitter_memory_end(&memory);
    return jumped;
}

static void test_tree_sitter_memory__a_failure_leaves_by_the_jump(void **state)
{
    (void)state;
    long before = pare_alloc_live();
    for (size_t n = 0; n < 5; n++) {
        assert_true(jumps(n, 60));
        assert_true(jumps(n, 2000));
    }
    assert_int_equal(pare_alloc_live(), before);
}

/* A language that is being opened allocates outside of a parse: a failure is NULL there. */
static void test_tree_sitter_memory__outside_of_a_parse_blocks_are_the_heaps(void **state)
{
    (void)state;
    long before = pare_alloc_live();
    char *block = pare_tree_sitter_memory_take(5);
    memcpy(block, "five", 5);
    block = pare_tree_sitter_memory_resize(block, 5000);
    assert_string_equal(block, "five");
    pare_tree_sitter_memory_give_back(block);
    pare_alloc_fault_after(0);
    assert_null(pare_tree_sitter_memory_take(5));
    pare_alloc_fault_after(SIZE_MAX);
    assert_null(pare_tree_sitter_memory_take_zero(SIZE_MAX, 2));
    assert_int_equal(pare_alloc_live(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree_sitter_memory__blocks_keep_their_bytes_and_go_with_the_parse),
        cmocka_unit_test(test_tree_sitter_memory__what_was_given_back_is_taken_again),
        cmocka_unit_test(test_tree_sitter_memory__a_failure_leaves_by_the_jump),
        cmocka_unit_test(test_tree_sitter_memory__outside_of_a_parse_blocks_are_the_heaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 77; /* there is no tree-sitter here */
}

#endif
