/* Databases of SQLite. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/alloc_sweep.h"
#include "unit/chunk_samples.h"

enum { PAGE = 512, TABLES = 3, PAGES_OF_TABLE = 3, MOST = PAGE * (1 + TABLES * PAGES_OF_TABLE) };

static void number(unsigned char *at, uint32_t width, uint64_t value)
{
    pare_chunk_coding_write(PARE_CODING_BIG, width, value, at);
}

/* A page of a tree with cells of `width` bytes each at its end, the first one last. */
static void make_page(unsigned char *page, uint32_t header, unsigned kind,
                      const unsigned char *cells, uint32_t n, uint32_t width)
{
    const uint32_t array = header + (kind < 8 ? 12 : 8);
    page[header] = (unsigned char)kind;
    number(page + header + 3, 2, n);
    number(page + header + 5, 2, PAGE - n * width);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at = PAGE - (i + 1) * width;
        number(page + array + 2 * i, 2, at);
        memcpy(page + at, cells + i * width, width);
    }
}

/* Those tables: each is an inner page with one cell, and two leaves.  Its bytes. */
static size_t make_database(unsigned tables, unsigned char *out)
{
    enum { ROW = 13, INNER = 5, LEAF = 5 };
    unsigned char rows[TABLES * ROW];
    uint32_t n = 0;
    memset(out, 0, MOST);
    memcpy(out, "SQLite format 3", 16);
    number(out + 16, 2, PAGE);
    for (unsigned table = 0; table < TABLES; table++) {
        if (!(tables >> table & 1)) continue;
        const uint32_t root = 2 + n * PAGES_OF_TABLE;
        unsigned char *page = out + (root - 1) * PAGE;
        /* Of 11 bytes, the row's number, a header of 6; texts of 1, 1, and 1, a number, one of 1. */
        const unsigned char row[ROW] = {11,  (unsigned char)(table + 1),
                                        6,   15,
                                        15,  15,
                                        1,   15,
                                        't', (unsigned char)('a' + table),
                                        'x', (unsigned char)root,
                                        'c'};
        const unsigned char inner[INNER] = {0, 0, 0, (unsigned char)(root + 1), 7};
        const unsigned char leaf[LEAF] = {3, 7, 2, 15, (unsigned char)('a' + table)};
        memcpy(rows + n++ * ROW, row, ROW);
        make_page(page, 0, 5, inner, 1, INNER);
        number(page + 8, 4, root + 2);
        make_page(page + PAGE, 0, 13, leaf, 1, LEAF);
        make_page(page + 2 * PAGE, 0, 13, leaf, 1, LEAF);
    }
    make_page(out, 100, 13, rows, n, ROW);
    number(out + 28, 4, 1 + n * PAGES_OF_TABLE);
    return PAGE * (1 + n * PAGES_OF_TABLE);
}

static uint32_t bits_below(unsigned bits, unsigned end)
{
    uint32_t n = 0;
    for (unsigned i = 0; i < end; i++)
        n += bits >> i & 1;
    return n;
}

/* What is left without a row of the schema is what the database without that table would be. */
static void test_chunk_sqlite__a_row_of_the_schema_takes_its_pages_with_it(void **state)
{
    unsigned char file[MOST], less[MOST];
    (void)state;
    for (unsigned tables = 1; tables < 1 << TABLES; tables++)
        for (unsigned table = 0; table < TABLES; table++) {
            pare_buffer out = {0};
            if (!(tables >> table & 1)) continue;
            const size_t n = make_database(tables, file);
            const size_t n_less = make_database(tables & ~(1U << table), less);
            const uint32_t cell = PAGE - 13 * (bits_below(tables, table) + 1);
            pare_chunk_tree *tree = find_chunks((const char *)file, n);
            write_without(tree, PARE_NO_CHUNK, false, &out);
            assert_int_equal(out.size, n);
            assert_memory_equal(out.data, file, n);
            const uint32_t row = chunk_between(tree, cell, cell + 13);
            assert_int_not_equal(row, PARE_NO_CHUNK);
            write_without_named(tree, row, &out);
            assert_int_equal(out.size, n_less);
            assert_memory_equal(out.data, less, n_less);
            pare_chunk_tree_unref(tree);
            pare_buffer_done(&out);
        }
}

/* The database with three pages that are free after the others: one that names two.  Its bytes. */
static size_t make_free_pages(unsigned tables, unsigned char *out)
{
    const size_t n = make_database(tables, out);
    const uint32_t pages = (uint32_t)(n / PAGE);
    memset(out + n, 0, 3 * (size_t)PAGE);
    number(out + 28, 4, pages + 3);
    number(out + 32, 4, pages + 1);
    number(out + 36, 4, 3);
    number(out + n + 4, 4, 2);
    number(out + n + 8, 4, pages + 3);
    number(out + n + 12, 4, pages + 2);
    return n + 3 * (size_t)PAGE;
}

static void test_chunk_sqlite__free_pages_are_named_and_go_together(void **state)
{
    unsigned char file[MOST + 3 * PAGE], less[MOST + 3 * PAGE];
    pare_buffer out = {0};
    (void)state;
    const size_t n = make_free_pages(3, file);
    pare_chunk_tree *tree = find_chunks((const char *)file, n);
    /* Without the first of them there are none. */
    const uint32_t first = (uint32_t)n - 3 * PAGE;
    write_without_named(tree, chunk_between(tree, first, first + PAGE), &out);
    const size_t n_less = make_database(3, less);
    assert_int_equal(out.size, n_less);
    assert_memory_equal(out.data, less, n_less);
    /* Without a table they have other numbers. */
    const uint32_t cell = PAGE - 13;
    write_without_named(tree, chunk_between(tree, cell, cell + 13), &out);
    const size_t n_fewer = make_free_pages(2, less);
    assert_int_equal(out.size, n_fewer);
    assert_memory_equal(out.data, less, n_fewer);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&out);
}

/* A free block of four bytes is before the cell of an inner page: it moves to where that ended. */
static void test_chunk_sqlite__a_free_block_moves_with_the_cells(void **state)
{
    enum { CELL = 5, BLOCK = 4 };
    unsigned char file[MOST];
    pare_buffer out = {0};
    (void)state;
    const size_t n = make_database(1, file);
    unsigned char *page = file + PAGE;
    number(page + 1, 2, PAGE - CELL - BLOCK);
    number(page + 5, 2, PAGE - CELL - BLOCK);
    number(page + PAGE - CELL - BLOCK, 4, BLOCK);
    pare_chunk_tree *tree = find_chunks((const char *)file, n);
    write_without_named(tree, chunk_between(tree, 2 * PAGE - CELL, 2 * PAGE), &out);
    assert_int_equal(out.size, n - PAGE);
    assert_memory_equal(out.data + PAGE, "\5\1\xfc\0\0\1\xfc\0\0\0\0\3\0\0", 14);
    assert_memory_equal(out.data + 2 * PAGE - BLOCK, "\0\0\0\4", BLOCK);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&out);
}

/* A cell of an inner page takes its leaf with it; the page keeps its size, and the pages behind it have
 * lower numbers. */
static void test_chunk_sqlite__an_inner_cell_takes_its_leaf_with_it(void **state)
{
    unsigned char file[MOST];
    pare_buffer out = {0};
    (void)state;
    const size_t n = make_database(7, file);
    pare_chunk_tree *tree = find_chunks((const char *)file, n);
    const uint32_t cell = chunk_between(tree, 2 * PAGE - 5, 2 * PAGE);
    assert_int_not_equal(cell, PARE_NO_CHUNK);
    write_without_named(tree, cell, &out);
    assert_int_equal(out.size, n - PAGE);
    const unsigned char *inner = (const unsigned char *)out.data + PAGE;
    assert_memory_equal(inner, "\5\0\0\0\0\2\0\0\0\0\0\3\0\0", 14);
    assert_int_equal(out.data[PAGE - 13 * 2 + 11], 4);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&out);
}

static void test_chunk_sqlite__damage_is_read_within_bounds(void **state)
{
    unsigned char file[MOST];
    pare_buffer out = {0};
    (void)state;
    const size_t n = make_database(3, file);
    for (size_t at = 0; at < n; at++) {
        const unsigned char was = file[at];
        if (!was && at % 7) continue;
        file[at] = (unsigned char)(at % 2 ? 0xff : was + 1);
        pare_chunk_tree *tree = find_chunks((const char *)file, n);
        write_without(tree, PARE_NO_CHUNK, false, &out);
        assert_int_equal(out.size, n);
        assert_memory_equal(out.data, file, n);
        pare_chunk_tree_unref(tree);
        file[at] = was;
    }
    pare_buffer_done(&out);
}

static pare_status find_database(void *context)
{
    pare_chunk_tree *tree = NULL;
    pare_status status = pare_chunk_finder_find(context, PAGE * 4, &tree, NULL);
    if (!status) pare_chunk_tree_unref(tree);
    return status;
}

static void test_chunk_sqlite__a_lack_of_memory_is_reported(void **state)
{
    unsigned char file[MOST];
    (void)state;
    assert_int_equal(make_database(2, file), PAGE * 4);
    sweep_allocations(find_database, file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_sqlite__a_row_of_the_schema_takes_its_pages_with_it),
        cmocka_unit_test(test_chunk_sqlite__an_inner_cell_takes_its_leaf_with_it),
        cmocka_unit_test(test_chunk_sqlite__damage_is_read_within_bounds),
        cmocka_unit_test(test_chunk_sqlite__a_lack_of_memory_is_reported),
        cmocka_unit_test(test_chunk_sqlite__free_pages_are_named_and_go_together),
        cmocka_unit_test(test_chunk_sqlite__a_free_block_moves_with_the_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
