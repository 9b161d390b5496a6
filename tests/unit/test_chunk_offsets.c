/* Data that an array of offsets cuts into pieces. */
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

enum { PIECES = 6 };

/* Bytes of each piece; how offsets are written. */
struct wish {
    uint32_t sizes[PIECES];
    uint32_t width, unit;
};

/* Of multiples of four bytes, for the tables of a font are filled up. */
static const struct wish wishes[] = {
    {{8, 4, 0, 12, 4, 8}, 2, 2}, {{4, 12, 8, 4, 0, 8}, 4, 1}, {{4, 8, 12, 4, 0, 16}, 2, 4}};

enum { N_WISHES = sizeof wishes / sizeof *wishes };

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

static void add_offsets(pare_buffer *to, const struct wish *wish, uint32_t first)
{
    uint32_t at = 0;
    for (unsigned i = 0; i <= PIECES; i++) {
        number(to, wish->width, first + at / wish->unit);
        if (i < PIECES) at += wish->sizes[i];
    }
}

static void add_pieces(pare_buffer *to, const struct wish *wish)
{
    for (unsigned i = 0; i < PIECES; i++)
        for (uint32_t k = 0; k < wish->sizes[i]; k++)
            number(to, 1, 'a' + i);
}

static uint32_t sum_of(const struct wish *wish, unsigned n)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < n; i++)
        sum += wish->sizes[i];
    return sum;
}

/* A font of three tables: glyphs, their offsets, a name.  Where the glyphs begin. */
static uint32_t make_font(const struct wish *wish, pare_buffer *to)
{
    enum { TABLES = 3, ROWS = 12, BEGIN = ROWS + TABLES * 16 };
    const uint32_t n = sum_of(wish, PIECES), offsets = (PIECES + 1) * wish->width;
    pare_buffer_reset(to);
    number(to, 4, 0x10000);
    number(to, 2, TABLES);
    add(to, "\0\x20\0\1\0\x10", 6);
    add(to, "glyf\1\2\3\4", 8);
    number(to, 4, BEGIN);
    number(to, 4, n);
    add(to, "loca\1\2\3\4", 8);
    number(to, 4, BEGIN + n);
    number(to, 4, offsets);
    add(to, "name\1\2\3\4", 8);
    number(to, 4, BEGIN + n + offsets);
    number(to, 4, 9);
    add_pieces(to, wish);
    add_offsets(to, wish, 0);
    add(to, "Some name", 9);
    return BEGIN;
}

/* A compact font: an index of names, of one dictionary, of strings, of routines, and of glyphs.  Where the
 * glyphs begin. */
static uint32_t make_compact(const struct wish *wish, pare_buffer *to)
{
    enum { HEAD = 4, NAMES = 3 + 2 + 4, NUMBERS = 3 + 6 + 7 + 2, DICTIONARIES = 3 + 2 + NUMBERS };
    const uint32_t strings = 3 + (PIECES + 1) * wish->width + sum_of(wish, PIECES);
    const uint32_t glyphs = HEAD + NAMES + DICTIONARIES + strings + 2, end = glyphs + strings;
    pare_buffer_reset(to);
    add(to, "\1\0\4\2", HEAD);
    add(to, "\0\1\1\1\5font", NAMES);
    add(to, "\0\1\1\1", 4);
    number(to, 1, 1 + NUMBERS);
    add(to, "\x1e\x1f\0\x1d", 4); /* a number in digits, an operator */
    to->data[to->size - 2] = 1;
    number(to, 4, glyphs);
    add(to, "\x11\x8c\x1d", 3);
    number(to, 4, end);
    add(to, "\x12\x8b\1", 3);
    number(to, 2, PIECES);
    number(to, 1, wish->width);
    add_offsets(to, wish, 1);
    add_pieces(to, wish);
    number(to, 2, 0);
    assert_int_equal(to->size, glyphs);
    number(to, 2, PIECES);
    number(to, 1, wish->width);
    add_offsets(to, wish, 1);
    add_pieces(to, wish);
    add(to, "private", 7);
    return end - sum_of(wish, PIECES);
}

/* What is left without a piece is what the file would be in which it is empty. */
static void check_pieces(uint32_t (*make)(const struct wish *wish, pare_buffer *to),
                         const struct wish *wish)
{
    pare_buffer file = {0}, less = {0}, out = {0};
    const uint32_t at = make(wish, &file);
    pare_chunk_tree *tree = find_chunks(file.data, file.size);
    write_without(tree, PARE_NO_CHUNK, false, &out);
    assert_int_equal(out.size, file.size);
    assert_memory_equal(out.data, file.data, out.size);
    for (unsigned i = 0; i < PIECES; i++) {
        struct wish wanted = *wish;
        const uint32_t from = at + sum_of(wish, i);
        if (!wish->sizes[i]) continue;
        wanted.sizes[i] = 0;
        (void)make(&wanted, &less);
        const uint32_t piece = chunk_between(tree, from, from + wish->sizes[i]);
        assert_int_not_equal(piece, PARE_NO_CHUNK);
        write_without_named(tree, piece, &out);
        assert_int_equal(out.size, less.size);
        assert_memory_equal(out.data, less.data, out.size);
    }
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&file);
    pare_buffer_done(&less);
    pare_buffer_done(&out);
}

static void test_chunk_offsets__one_part_is_the_array_of_another(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_WISHES; i++)
        check_pieces(make_font, &wishes[i]);
}

/* The end of the array goes behind glyphs that are empty: there are fewer then. */
static void test_chunk_offsets__the_end_of_an_array_goes(void **state)
{
    const struct wish wish = {{9, 1, 3, 0, 0, 0}, 2, 1};
    pare_buffer file = {0}, out = {0};
    (void)state;
    const uint32_t glyphs = make_compact(&wish, &file) - 2 * (PIECES + 1);
    pare_chunk_tree *tree = find_chunks(file.data, file.size);
    unsigned char *left = test_calloc(file.size + 1, 1);
    memset(left, 1, file.size + 1);
    for (uint32_t i = 4; i <= PIECES; i++)
        pare_chunk_names_cut_chunk(tree, left,
                                   chunk_between(tree, glyphs + 2 * i, glyphs + 2 * i + 2));
    const pare_chunk_edits edits = {.kept = left};
    assert_int_equal(pare_chunk_writer_write(tree, &edits, &out, NULL, NULL), PARE_OK);
    assert_int_equal(out.size, file.size - 6);
    assert_memory_equal(out.data + glyphs - 3,
                        "\0\3\2\0\1\0\x0a\0\x0b\0\x0e"
                        "aaaa",
                        15);
    test_free(left);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&file);
    pare_buffer_done(&out);
}

/* The strings stay as they are, so that only the glyphs have to be made anew. */
static uint32_t make_glyphs(const struct wish *wish, pare_buffer *to)
{
    static const struct wish strings = {{9, 1, 0, 5, 2, 3}, 4, 1};
    pare_buffer all = {0};
    const uint32_t end = make_compact(&strings, &all) - (3 + (PIECES + 1) * strings.width);
    const uint32_t private_at = end + 3 + (PIECES + 1) * wish->width + sum_of(wish, PIECES);
    pare_buffer_reset(to);
    add(to, all.data, end);
    pare_chunk_coding_write(PARE_CODING_BIG, 4, private_at, (unsigned char *)to->data + 29);
    number(to, 2, PIECES);
    number(to, 1, wish->width);
    add_offsets(to, wish, 1);
    add_pieces(to, wish);
    add(to, "private", 7);
    pare_buffer_done(&all);
    return private_at - sum_of(wish, PIECES);
}

static void test_chunk_offsets__glyphs_of_a_compact_font_go(void **state)
{
    const struct wish wish = {{8, 4, 0, 12, 2, 6}, 2, 1};
    (void)state;
    check_pieces(make_glyphs, &wishes[1]);
    check_pieces(make_glyphs, &wish);
}

static void test_chunk_offsets__damage_is_read_within_bounds(void **state)
{
    pare_buffer file = {0};
    (void)state;
    for (unsigned compact = 0; compact < 2; compact++) {
        (void)(compact ? make_compact : make_font)(&wishes[1], &file);
        assert_damage_is_bounded(&file);
    }
    pare_buffer_done(&file);
}

static void test_chunk_offsets__a_lack_of_memory_is_reported(void **state)
{
    pare_buffer file = {0};
    (void)state;
    (void)make_compact(&wishes[1], &file);
    sweep_allocations(find_and_forget, &file);
    pare_buffer_done(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_offsets__one_part_is_the_array_of_another),
        cmocka_unit_test(test_chunk_offsets__glyphs_of_a_compact_font_go),
        cmocka_unit_test(test_chunk_offsets__the_end_of_an_array_goes),
        cmocka_unit_test(test_chunk_offsets__damage_is_read_within_bounds),
        cmocka_unit_test(test_chunk_offsets__a_lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
