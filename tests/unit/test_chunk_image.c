/* Images: which bytes are rows and columns, and what their numbers become.
 *
 * The samples are a few points each: a file of rows that are filled up to words, with a header that
 * says where they begin; and one of packed rows that say how they differ. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "text/packing.h"
#include "unit/alloc_sweep.h"
#include "unit/chunk_samples.h"

/* 5 columns of 3 bytes, filled up to 16, and 4 rows; the size of the file at 2, of the rows at 16. */
enum { HEAD = 48, STRIDE = 16, COLUMNS = 5, ROWS = 4, PLAIN = HEAD + ROWS * STRIDE };

static void put_word(char *to, uint32_t value)
{
    pare_chunk_coding_write(PARE_CODING_LITTLE, 4, value, (unsigned char *)to);
}

static void make_plain_image(char *bytes)
{
    memset(bytes, 0, PLAIN);
    put_word(bytes + 2, PLAIN);
    put_word(bytes + 8, HEAD);
    put_word(bytes + 16, ROWS * STRIDE);
    put_word(bytes + 24, COLUMNS);
    put_word(bytes + 28, ROWS);
    for (int row = 0; row < ROWS; row++)
        for (int i = 0; i < COLUMNS * 3; i++)
            bytes[HEAD + row * STRIDE + i] = (char)(100 + row * 20 + i);
}

/* The chunk of all rows; PARE_NO_CHUNK: there is none. */
static uint32_t find_grid(const pare_chunk_tree *tree)
{
    for (uint32_t i = 0; i < tree->n_chunks; i++)
        if (tree->chunks[i].grid) return i;
    return PARE_NO_CHUNK;
}

/* The file without the chunk and all of its twins. */
static void write_without_ring(const pare_chunk_tree *tree, uint32_t chunk, pare_buffer *out)
{
    unsigned char *kept = test_calloc((size_t)tree->size + 1, 1);
    uint32_t at = chunk;
    memset(kept, 1, (size_t)tree->size + 1);
    do {
        memset(kept + tree->chunks[at].from, 0, tree->chunks[at].to - tree->chunks[at].from);
        at = tree->chunks[at].twin;
    } while (at != PARE_NO_CHUNK && at != chunk);
    const pare_chunk_edits edits = {.kept = kept};
    pare_buffer_reset(out);
    assert_int_equal(pare_chunk_writer_write(tree, &edits, out, NULL, NULL), PARE_OK);
    test_free(kept);
}

static uint32_t word_of(const pare_buffer *file, size_t at)
{
    return (uint32_t)pare_chunk_coding_read(PARE_CODING_LITTLE, 4,
                                            (const unsigned char *)file->data + at, 4)
        .value;
}

static void test_chunk_image__rows_and_columns_go_with_their_numbers(void **state)
{
    char bytes[PLAIN];
    pare_buffer out = {0};
    (void)state;
    make_plain_image(bytes);
    pare_chunk_tree *tree = find_chunks(bytes, PLAIN);
    const uint32_t grid = find_grid(tree);
    assert_int_not_equal(grid, PARE_NO_CHUNK);
    assert_int_equal(tree->chunks[grid].n_children, ROWS);
    const uint32_t row = tree->chunks[grid].first;
    assert_int_equal(tree->chunks[row].n_children, COLUMNS);
    write_without(tree, PARE_NO_CHUNK, false, &out);
    assert_int_equal(out.size, PLAIN);
    assert_memory_equal(out.data, bytes, PLAIN);
    write_without_ring(tree, row, &out);
    assert_int_equal(out.size, PLAIN - STRIDE);
    assert_int_equal(word_of(&out, 28), ROWS - 1);
    assert_int_equal(word_of(&out, 24), COLUMNS);
    /* A column: 12 bytes a row are left, which need not be filled up. */
    write_without_ring(tree, tree->chunks[row].first, &out);
    assert_int_equal(out.size, PLAIN - ROWS * 4);
    assert_int_equal(word_of(&out, 24), COLUMNS - 1);
    assert_int_equal(word_of(&out, 28), ROWS);
    assert_int_equal(word_of(&out, 16), ROWS * 12);
    assert_int_equal(word_of(&out, 8), HEAD);
    assert_int_equal(word_of(&out, 2), out.size);
    assert_int_equal(out.data[HEAD], 103);
    assert_int_equal(out.data[HEAD + 12], 123);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&out);
}

static void test_chunk_image__a_product_alone_is_no_image(void **state)
{
    char bytes[PLAIN];
    (void)state;
    make_plain_image(bytes);
    put_word(bytes + 8, 0);
    put_word(bytes + 16, 0);
    pare_chunk_tree *tree = find_chunks(bytes, PLAIN);
    assert_int_equal(find_grid(tree), PARE_NO_CHUNK);
    pare_chunk_tree_unref(tree);
}

/* A PNG of 2 by 6 bytes, of which each row begins with another filter, the last with the first one. */
static void make_png(pare_buffer *file)
{
    static const unsigned char rows[] = {0, 10, 20, 1, 30, 10, 2, 1, 1, 3, 1, 1, 4, 1, 1, 0, 7, 8};
    static const char head[] = "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\2\0\0\0\6\x08\0\0\0\0";
    pare_buffer packed = {0};
    unsigned char number[4];
    pare_buffer_reset(file);
    if (pare_packing_close(PARE_PACKING_ZLIB, rows, sizeof rows, &packed, NULL)) skip();
    assert_int_equal(pare_buffer_add(file, head, sizeof head - 1, NULL), PARE_OK);
    pare_chunk_coding_write(
        PARE_CODING_BIG, 4,
        pare_chunk_coding_crc32((unsigned char *)file->data + 12, file->size - 12), number);
    assert_int_equal(pare_buffer_add(file, (char *)number, 4, NULL), PARE_OK);
    pare_chunk_coding_write(PARE_CODING_BIG, 4, packed.size, number);
    assert_int_equal(pare_buffer_add(file, (char *)number, 4, NULL), PARE_OK);
    const size_t from = file->size;
    assert_int_equal(pare_buffer_add(file, "IDAT", 4, NULL), PARE_OK);
    assert_int_equal(pare_buffer_add(file, packed.data, packed.size, NULL), PARE_OK);
    pare_chunk_coding_write(
        PARE_CODING_BIG, 4,
        pare_chunk_coding_crc32((unsigned char *)file->data + from, file->size - from), number);
    assert_int_equal(pare_buffer_add(file, (char *)number, 4, NULL), PARE_OK);
    assert_int_equal(pare_buffer_add(file, "\0\0\0\0IEND\xae\x42\x60\x82", 12, NULL), PARE_OK);
    pare_buffer_done(&packed);
}

static void test_chunk_image__differences_are_undone(void **state)
{
    /* By hand: a row of its own, left, above, the mean, and what is nearest to their sum. */
    static const unsigned char plain[] = {0, 10, 20, 0, 30, 40, 0, 31, 41,
                                          0, 16, 29, 0, 17, 30, 0, 7,  8};
    pare_buffer file = {0}, out = {0};
    (void)state;
    make_png(&file);
    pare_chunk_tree *tree = find_chunks(file.data, file.size);
    const uint32_t grid = find_grid(tree);
    assert_int_not_equal(grid, PARE_NO_CHUNK);
    assert_memory_equal(tree->bytes + tree->chunks[grid].from, plain, sizeof plain);
    /* Nothing goes: as it was packed, with its differences. */
    write_without(tree, PARE_NO_CHUNK, false, &out);
    assert_int_equal(out.size, file.size);
    assert_memory_equal(out.data, file.data, out.size);
    /* Without its second row it is one of five rows, and its checksums are right. */
    const uint32_t second = tree->chunks[tree->chunks[grid].first].next;
    write_without_ring(tree, second, &out);
    assert_int_equal(out.data[23], 5);
    pare_chunk_tree *less = find_chunks(out.data, out.size);
    const uint32_t rest = find_grid(less);
    assert_int_not_equal(rest, PARE_NO_CHUNK);
    assert_int_equal(less->chunks[rest].n_children, 5);
    assert_memory_equal(less->bytes + less->chunks[rest].from + 3, plain + 6, sizeof plain - 6);
    pare_chunk_tree_unref(less);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&file);
    pare_buffer_done(&out);
}

static void test_chunk_image__a_lack_of_memory_is_reported(void **state)
{
    char bytes[PLAIN];
    pare_buffer file = {0};
    (void)state;
    make_plain_image(bytes);
    assert_int_equal(pare_buffer_add(&file, bytes, PLAIN, NULL), PARE_OK);
    sweep_allocations(find_and_forget, &file);
    pare_buffer_done(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_image__rows_and_columns_go_with_their_numbers),
        cmocka_unit_test(test_chunk_image__a_product_alone_is_no_image),
        cmocka_unit_test(test_chunk_image__differences_are_undone),
        cmocka_unit_test(test_chunk_image__a_lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
