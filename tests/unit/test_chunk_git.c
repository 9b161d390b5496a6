/* The index of git. */
/* tests: src/reduce/binary/chunk_git.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "base/sha1.h"
#include "unit/chunk_samples.h"

enum { ENTRIES = 3, NAME_AT = 62, SUM = 20 };

static void add(pare_buffer *to, const void *bytes, size_t n)
{
    assert_int_equal(pare_buffer_add(to, bytes, n, NULL), PARE_OK);
}

/* An index of the set of entries, with an extension or without; `at` is where each entry begins. */
static void make_index(unsigned entries, bool extension, pare_buffer *file, uint32_t *at)
{
    static const char *const names[ENTRIES] = {"a/file", "a/longer-name", "b"};
    unsigned char head[12] = "DIRC\0\0\0\2", digest[SUM];
    for (unsigned i = 0; i < ENTRIES; i++)
        head[11] = (unsigned char)(head[11] + (entries >> i & 1));
    add(file, head, sizeof head);
    for (unsigned i = 0; i < ENTRIES; i++) {
        unsigned char entry[96] = {0};
        const size_t size = strlen(names[i]);
        at[i] = (uint32_t)file->size;
        if (!(entries >> i & 1)) continue;
        entry[NAME_AT - 1] = (unsigned char)size;
        memcpy(entry + NAME_AT, names[i], size);
        add(file, entry, (NAME_AT + size + 8) / 8 * 8);
    }
    at[ENTRIES] = (uint32_t)file->size;
    if (extension) add(file, "TREE\0\0\0\5hello", 13);
    pare_sha1(file->data, file->size, digest);
    add(file, digest, SUM);
}

static void test_chunk_git__entries_go_and_the_sum_is_right(void **state)
{
    const unsigned all = (1U << ENTRIES) - 1;
    (void)state;
    for (unsigned i = 0; i < ENTRIES; i++) {
        pare_buffer file = {0}, less = {0};
        uint32_t at[ENTRIES + 1], unused[ENTRIES + 1];
        make_index(all, true, &file, at);
        make_index(all & ~(1U << i), true, &less, unused);
        assert_chunk_goes(&file, at[i], at[i + 1], &less);
        pare_buffer_done(&file);
        pare_buffer_done(&less);
    }
}

static void test_chunk_git__an_extension_goes(void **state)
{
    pare_buffer file = {0}, less = {0};
    uint32_t at[ENTRIES + 1];
    (void)state;
    make_index(3, false, &less, at);
    make_index(3, true, &file, at);
    assert_chunk_goes(&file, at[ENTRIES], at[ENTRIES] + 13, &less);
    pare_buffer_done(&file);
    pare_buffer_done(&less);
}

static void test_chunk_git__with_a_wrong_sum_it_is_none(void **state)
{
    pare_buffer file = {0};
    uint32_t at[ENTRIES + 1];
    (void)state;
    make_index(7, true, &file, at);
    file.data[file.size - 1] ^= 1;
    pare_chunk_tree *tree = find_chunks(file.data, file.size);
    assert_int_equal(chunk_between(tree, at[1], at[2]), PARE_NO_CHUNK);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_git__entries_go_and_the_sum_is_right),
        cmocka_unit_test(test_chunk_git__an_extension_goes),
        cmocka_unit_test(test_chunk_git__with_a_wrong_sum_it_is_none),
    };
    return cmocka_run_group_tests_name("chunk_git", tests, NULL, NULL);
}
