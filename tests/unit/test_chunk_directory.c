/* Files with a directory of their parts. */
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

enum { N = 5 };

static const char *const contents[N] = {"Ab", "Cdefghijklmnop", "Qrstuvw", "Xyz0123456789",
                                        "Last one"};

static void add(pare_buffer *to, const void *bytes, size_t n)
{
    assert_int_equal(pare_buffer_add(to, bytes, n, NULL), PARE_OK);
}

static void add_number(pare_buffer *to, pare_coding coding, uint32_t width, uint64_t value)
{
    unsigned char bytes[8];
    pare_chunk_coding_write(coding, width, value, bytes);
    add(to, bytes, width);
}

static void fill_up(pare_buffer *to, size_t align)
{
    while (to->size % align)
        add(to, "", 1);
}

/* As a font: rows of a tag, a number, position and length behind the header; parts are aligned, and the rows
 * are in another order.  Without part `but`; N: with all. */
static void add_font(pare_buffer *to, unsigned but)
{
    static const unsigned order[N] = {3, 0, 4, 1, 2};
    pare_buffer parts = {0};
    const unsigned n = N - (but < N);
    uint32_t at[N];
    for (unsigned i = 0; i < N; i++) {
        at[i] = (uint32_t)(12 + n * 16 + parts.size);
        if (i == but) continue;
        add(&parts, contents[i], strlen(contents[i]));
        fill_up(&parts, 4);
    }
    add_number(to, PARE_CODING_BIG, 4, 0x10000);
    add_number(to, PARE_CODING_BIG, 2, n);
    add(to, "\0\x40\0\2\0\x10", 6);
    for (unsigned i = 0; i < N; i++) {
        if (order[i] == but) continue;
        add(to, "tag ", 4);
        add_number(to, PARE_CODING_BIG, 4, 0x9abcdef0);
        add_number(to, PARE_CODING_BIG, 4, at[order[i]]);
        add_number(to, PARE_CODING_BIG, 4, strlen(contents[order[i]]));
    }
    add(to, parts.data, parts.size);
    pare_buffer_done(&parts);
}

/* As an archive: a header says where the rows are, and how many of them or how many bytes. */
static void add_archive(pare_buffer *to, bool bytes, unsigned but)
{
    pare_buffer rows = {0}, parts = {0};
    for (unsigned i = 0; i < N; i++) {
        if (i == but) continue;
        add_number(&rows, PARE_CODING_LITTLE, 4, 12 + parts.size);
        add_number(&rows, PARE_CODING_LITTLE, 4, strlen(contents[i]));
        add(&rows, "NAME\0\0\0\0", 8);
        add(&parts, contents[i], strlen(contents[i]));
    }
    add(to, "PWAD", 4);
    add_number(to, PARE_CODING_LITTLE, 4, bytes ? rows.size : N - (but < N));
    add_number(to, PARE_CODING_LITTLE, 4, 12 + parts.size);
    add(to, parts.data, parts.size);
    add(to, rows.data, rows.size);
    pare_buffer_done(&rows);
    pare_buffer_done(&parts);
}

static void add_sample(pare_buffer *to, unsigned kind, unsigned but)
{
    if (kind == 0)
        add_font(to, but);
    else
        add_archive(to, kind == 2, but);
}

/* The chunk that begins with the text. */
static uint32_t find(const pare_chunk_tree *tree, const char *text)
{
    for (uint32_t i = 1; i < tree->n_chunks; i++)
        if (memcmp(tree->bytes + tree->chunks[i].from, text, strlen(text)) == 0) return i;
    fail_msg("there is no chunk of %s", text);
    return PARE_NO_CHUNK;
}

/* Whether anything goes with something else that is not in rows of an image. */
static bool has_directory(const pare_chunk_tree *tree)
{
    for (uint32_t i = 1; i < tree->n_chunks; i++) {
        const uint32_t up = tree->chunks[i].parent;
        const uint32_t grid = up == PARE_NO_CHUNK ? up : tree->chunks[up].parent;
        if (tree->chunks[i].twin == PARE_NO_CHUNK) continue;
        if (grid == PARE_NO_CHUNK || !tree->chunks[grid].grid) return true;
    }
    return false;
}

/* What is written without the chunk and what goes with it. */
static void write_less(const pare_chunk_tree *tree, uint32_t chunk, pare_buffer *out)
{
    unsigned char *kept = test_calloc((size_t)tree->size + 1, 1);
    memset(kept, 1, (size_t)tree->size + 1);
    for (uint32_t i = chunk, k = 0; k < 2; i = tree->chunks[i].twin, k++)
        memset(kept + tree->chunks[i].from, 0, tree->chunks[i].to - tree->chunks[i].from);
    const pare_chunk_edits edits = {.kept = kept};
    pare_buffer_reset(out);
    assert_int_equal(pare_chunk_writer_write(tree, &edits, out, NULL, NULL), PARE_OK);
    test_free(kept);
}

static void test_chunk_directory__a_part_goes_with_its_row(void **state)
{
    (void)state;
    for (unsigned kind = 0; kind < 3; kind++)
        for (unsigned but = 0; but < N; but++) {
            pare_buffer file = {0}, less = {0}, out = {0};
            add_sample(&file, kind, N);
            add_sample(&less, kind, but);
            pare_chunk_tree *tree = find_chunks(file.data, file.size);
            assert_int_equal(tree->chunks[0].n_children, N + 1);
            assert_true(has_directory(tree));
            write_less(tree, find(tree, contents[but]), &out);
            assert_int_equal(out.size, less.size);
            assert_memory_equal(out.data, less.data, out.size);
            pare_chunk_tree_unref(tree);
            pare_buffer_done(&file);
            pare_buffer_done(&less);
            pare_buffer_done(&out);
        }
}

/* A part may become shorter: those behind it move, by whole steps where they are aligned. */
static void test_chunk_directory__a_part_becomes_shorter(void **state)
{
    pare_buffer file = {0}, out = {0};
    (void)state;
    add_font(&file, N);
    pare_chunk_tree *tree = find_chunks(file.data, file.size);
    const pare_chunk *part = &tree->chunks[find(tree, contents[1])];
    unsigned char *kept = test_calloc((size_t)tree->size + 1, 1);
    memset(kept, 1, (size_t)tree->size + 1);
    memset(kept + part->from + 1, 0, 9);
    const pare_chunk_edits edits = {.kept = kept};
    assert_int_equal(pare_chunk_writer_write(tree, &edits, &out, NULL, NULL), PARE_OK);
    assert_int_equal(out.size, file.size - 8);
    pare_chunk_tree *less = find_chunks(out.data, out.size);
    assert_int_equal(less->chunks[0].n_children, N + 1);
    for (unsigned i = 0; i < N; i++)
        assert_true(i == 1 || find(less, contents[i]) != PARE_NO_CHUNK);
    pare_chunk_tree_unref(less);
    pare_chunk_tree_unref(tree);
    test_free(kept);
    pare_buffer_done(&file);
    pare_buffer_done(&out);
}

/* Bytes by chance, every other byte of them small. */
static void test_chunk_directory__chance_makes_none(void **state)
{
    unsigned char bytes[1024];
    uint64_t seed = 7;
    (void)state;
    for (unsigned round = 0; round < 100; round++) {
        for (size_t i = 0; i < sizeof bytes; i++) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            bytes[i] = (unsigned char)(seed >> 56);
            if (round % 2 && i % 2) bytes[i] &= 3;
        }
        pare_chunk_tree *tree = find_chunks((const char *)bytes, sizeof bytes);
        assert_false(has_directory(tree));
        pare_chunk_tree_unref(tree);
    }
}

/* A row that says more than there is: it and those before it are none. */
static void test_chunk_directory__rows_end_where_one_says_too_much(void **state)
{
    pare_buffer file = {0};
    (void)state;
    add_font(&file, N);
    pare_chunk_coding_write(PARE_CODING_BIG, 4, file.size,
                            (unsigned char *)file.data + 12 + 2 * 16 + 12);
    pare_chunk_tree *tree = find_chunks(file.data, file.size);
    assert_false(has_directory(tree));
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&file);
}

static void test_chunk_directory__a_lack_of_memory_is_reported(void **state)
{
    pare_buffer file = {0};
    (void)state;
    add_font(&file, N);
    sweep_allocations(find_and_forget, &file);
    pare_buffer_done(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_directory__a_part_goes_with_its_row),
        cmocka_unit_test(test_chunk_directory__a_part_becomes_shorter),
        cmocka_unit_test(test_chunk_directory__chance_makes_none),
        cmocka_unit_test(test_chunk_directory__rows_end_where_one_says_too_much),
        cmocka_unit_test(test_chunk_directory__a_lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
