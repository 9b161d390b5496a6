/* The arena: pieces do not overlap, are aligned, and last until the end. */
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "unit/alloc_sweep.h"

/* Small ones, one that fills a block, and some larger than any block. */
static const size_t sizes[] = {1, 0, 7, 16, 8191, 3, 8192, 100000, 1, 33, 20000, 5};
enum { N_SIZES = sizeof sizes / sizeof *sizes };

static void test_arena__pieces_are_aligned_and_keep_their_bytes(void **state)
{
    (void)state;
    pare_arena arena = {0};
    unsigned char *piece[N_SIZES];
    for (size_t i = 0; i < N_SIZES; i++) {
        piece[i] = pare_arena_alloc(&arena, sizes[i]);
        assert_non_null(piece[i]);
        assert_int_equal((uintptr_t)piece[i] % alignof(max_align_t), 0);
        memset(piece[i], (int)i + 1, sizes[i]);
    }
    for (size_t i = 0; i < N_SIZES; i++)
        for (size_t k = 0; k < sizes[i]; k++)
            assert_int_equal(piece[i][k], i + 1);
    pare_arena_done(&arena);
}

static void test_arena__texts_end_in_a_nul_byte_whatever_follows_them(void **state)
{
    (void)state;
    pare_arena arena = {0};
    const char *text = pare_arena_text(&arena, "words and more", 5);
    const char *empty = pare_arena_text(&arena, "", 0);
    assert_string_equal(text, "words");
    assert_string_equal(empty, "");
    pare_arena_done(&arena);
}

static void test_arena__done_gives_all_back_and_it_may_be_used_again(void **state)
{
    (void)state;
    long before = live_blocks();
    pare_arena arena = {0};
    pare_arena_done(&arena); /* of an empty one it is a no-op */
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 1000; i++)
            assert_non_null(pare_arena_alloc(&arena, 100));
        pare_arena_done(&arena);
        assert_int_equal(live_blocks(), before);
    }
}

static void test_arena__a_size_that_cannot_be_is_refused(void **state)
{
    (void)state;
    pare_arena arena = {0};
    assert_null(pare_arena_alloc(&arena, SIZE_MAX));
    assert_null(pare_arena_alloc(&arena, SIZE_MAX / 2 + 1));
    pare_arena_done(&arena);
}

/* Needs two blocks. */
static pare_status attempt(void *context)
{
    pare_arena arena = {0};
    (void)context;
    bool made = pare_arena_alloc(&arena, 8000) && pare_arena_text(&arena, "a long text", 11) &&
                pare_arena_alloc(&arena, 8000);
    pare_arena_done(&arena);
    return made ? PARE_OK : PARE_E_NOMEM;
}

static void test_arena__out_of_memory_is_null_and_keeps_what_there_was(void **state)
{
    (void)state;
    sweep_allocations(attempt, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arena__pieces_are_aligned_and_keep_their_bytes),
        cmocka_unit_test(test_arena__texts_end_in_a_nul_byte_whatever_follows_them),
        cmocka_unit_test(test_arena__done_gives_all_back_and_it_may_be_used_again),
        cmocka_unit_test(test_arena__a_size_that_cannot_be_is_refused),
        cmocka_unit_test(test_arena__out_of_memory_is_null_and_keeps_what_there_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
