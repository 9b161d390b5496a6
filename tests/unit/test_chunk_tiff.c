/* TIFF. */
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

enum { IMAGES = 3, ENTRIES = 6, DIRECTORY = 2 + ENTRIES * 12 + 4, ROW = 5, TEXT = 9 };

/* Images in one file: `set` says which, each of which has that many strips of two rows. */
struct wish {
    pare_coding coding;
    unsigned set, n_strips;
};

static void add(pare_buffer *to, const void *bytes, size_t n)
{
    assert_int_equal(pare_buffer_add(to, bytes, n, NULL), PARE_OK);
}

static void number(pare_buffer *to, const struct wish *wish, uint32_t width, uint64_t value)
{
    unsigned char bytes[8];
    pare_chunk_coding_write(wish->coding, width, value, bytes);
    add(to, bytes, width);
}

static void entry(pare_buffer *to, const struct wish *wish, unsigned tag, unsigned type, uint32_t n,
                  uint32_t value)
{
    number(to, wish, 2, tag);
    number(to, wish, 2, type);
    number(to, wish, 4, n);
    number(to, wish, 4, value);
}

/* Bytes that an image takes: directory, text, two arrays, strips. */
static uint32_t image_bytes(const struct wish *wish)
{
    return DIRECTORY + TEXT + wish->n_strips * (8 + 2 * ROW);
}

static void make_image(pare_buffer *to, const struct wish *wish, unsigned image, bool last)
{
    const uint32_t at = (uint32_t)to->size, text = at + DIRECTORY, positions = text + TEXT;
    const uint32_t sizes = positions + 4 * wish->n_strips, strips = sizes + 4 * wish->n_strips;
    number(to, wish, 2, ENTRIES);
    entry(to, wish, 257, 4, 1, 2 * wish->n_strips);
    entry(to, wish, 259, 4, 1, 1);
    entry(to, wish, 270, 2, TEXT, text);
    entry(to, wish, 273, 4, wish->n_strips, positions);
    entry(to, wish, 278, 4, 1, 2);
    entry(to, wish, 279, 4, wish->n_strips, sizes);
    number(to, wish, 4, last ? 0 : at + image_bytes(wish));
    add(to, "some text", TEXT);
    for (uint32_t i = 0; i < wish->n_strips; i++)
        number(to, wish, 4, strips + i * 2 * ROW);
    for (uint32_t i = 0; i < wish->n_strips; i++)
        number(to, wish, 4, 2 * ROW);
    for (uint32_t i = 0; i < wish->n_strips * 2 * ROW; i++)
        number(to, wish, 1, 'a' + image);
}

static void make_file(const struct wish *wish, pare_buffer *to)
{
    pare_buffer_reset(to);
    add(to, wish->coding == PARE_CODING_LITTLE ? "II*\0" : "MM\0*", 4);
    number(to, wish, 4, wish->set ? 8 : 0);
    for (unsigned i = 0; i < IMAGES; i++)
        if (wish->set >> i & 1) make_image(to, wish, i, wish->set >> (i + 1) == 0);
}

/* Where an image of the set begins. */
static uint32_t image_at(const struct wish *wish, unsigned image)
{
    uint32_t at = 8;
    for (unsigned i = 0; i < image; i++)
        at += wish->set >> i & 1 ? image_bytes(wish) : 0;
    return at;
}

static void assert_same(const pare_buffer *out, const pare_buffer *expected)
{
    assert_int_equal(out->size, expected->size);
    assert_memory_equal(out->data, expected->data, out->size);
}

/* What is left without a directory is what the file without that image would be. */
static void test_chunk_tiff__a_directory_goes_from_the_chain_with_all_it_names(void **state)
{
    static const pare_coding codings[] = {PARE_CODING_LITTLE, PARE_CODING_BIG};
    pare_buffer file = {0}, less = {0}, out = {0};
    (void)state;
    for (unsigned i = 0; i < 2 * IMAGES << IMAGES; i++) {
        const unsigned image = i / 2 % IMAGES;
        const struct wish wish = {codings[i % 2], i / 2 / IMAGES, 3};
        const struct wish wanted = {codings[i % 2], wish.set & ~(1U << image), 3};
        if (!(wish.set >> image & 1)) continue;
        make_file(&wish, &file);
        make_file(&wanted, &less);
        pare_chunk_tree *tree = find_chunks(file.data, file.size);
        write_without(tree, PARE_NO_CHUNK, false, &out);
        assert_same(&out, &file);
        const uint32_t at = image_at(&wish, image);
        const uint32_t directory = chunk_between(tree, at, at + DIRECTORY);
        assert_int_not_equal(directory, PARE_NO_CHUNK);
        write_without_named(tree, directory, &out);
        assert_same(&out, &less);
        pare_chunk_tree_unref(tree);
    }
    pare_buffer_done(&file);
    pare_buffer_done(&less);
    pare_buffer_done(&out);
}

static void test_chunk_tiff__a_strip_goes_with_its_numbers_and_rows(void **state)
{
    const struct wish wish = {PARE_CODING_BIG, 5, 4}, wanted = {PARE_CODING_BIG, 5, 3};
    pare_buffer file = {0}, less = {0}, out = {0};
    (void)state;
    make_file(&wish, &file);
    make_file(&wanted, &less);
    pare_chunk_tree *tree = find_chunks(file.data, file.size);
    unsigned char *left = test_calloc(file.size + 1, 1);
    memset(left, 1, file.size + 1);
    for (unsigned image = 0; image < IMAGES; image += 2) {
        const uint32_t strip = image_at(&wish, image) + DIRECTORY + TEXT + 4 * 8 + 2 * ROW;
        pare_chunk_names_cut_chunk(tree, left, chunk_between(tree, strip, strip + 2 * ROW));
    }
    const pare_chunk_edits edits = {.kept = left};
    assert_int_equal(pare_chunk_writer_write(tree, &edits, &out, NULL, NULL), PARE_OK);
    assert_same(&out, &less);
    test_free(left);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&file);
    pare_buffer_done(&less);
    pare_buffer_done(&out);
}

/* Of two strips one is left: its numbers stand in the entries then, and one row goes alone. */
static void test_chunk_tiff__what_is_left_of_an_array_moves_into_its_entry(void **state)
{
    const struct wish wish = {PARE_CODING_LITTLE, 1, 2};
    pare_buffer file = {0}, out = {0};
    (void)state;
    make_file(&wish, &file);
    pare_chunk_tree *tree = find_chunks(file.data, file.size);
    unsigned char *left = test_calloc(file.size + 1, 1);
    memset(left, 1, file.size + 1);
    const uint32_t strip = 8 + DIRECTORY + TEXT + 2 * 8;
    pare_chunk_names_cut_chunk(tree, left, chunk_between(tree, strip, strip + 2 * ROW));
    pare_chunk_names_cut_chunk(tree, left, chunk_between(tree, strip + 3 * ROW, strip + 4 * ROW));
    const pare_chunk_edits edits = {.kept = left};
    assert_int_equal(pare_chunk_writer_write(tree, &edits, &out, NULL, NULL), PARE_OK);
    const unsigned char *entries = (const unsigned char *)out.data + 10;
    static const unsigned char now[] = {1, 0, 0, 0, 8 + DIRECTORY + TEXT + 8, 0, 0, 0};
    assert_int_equal(out.size, file.size - 8 - 3 * ROW);
    assert_int_equal(entries[8], 1);
    assert_memory_equal(entries + 3 * 12 + 4, now, sizeof now);
    assert_int_equal(entries[5 * 12 + 4], 1);
    assert_int_equal(entries[5 * 12 + 8], ROW);
    test_free(left);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&file);
    pare_buffer_done(&out);
}

static void test_chunk_tiff__damage_is_read_within_bounds(void **state)
{
    const struct wish wish = {PARE_CODING_LITTLE, 7, 3};
    pare_buffer file = {0};
    (void)state;
    make_file(&wish, &file);
    assert_damage_is_bounded(&file);
    pare_buffer_done(&file);
}

static void test_chunk_tiff__a_lack_of_memory_is_reported(void **state)
{
    const struct wish wish = {PARE_CODING_LITTLE, 3, 3};
    pare_buffer file = {0};
    (void)state;
    make_file(&wish, &file);
    sweep_allocations(find_and_forget, &file);
    pare_buffer_done(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_tiff__a_directory_goes_from_the_chain_with_all_it_names),
        cmocka_unit_test(test_chunk_tiff__a_strip_goes_with_its_numbers_and_rows),
        cmocka_unit_test(test_chunk_tiff__what_is_left_of_an_array_moves_into_its_entry),
        cmocka_unit_test(test_chunk_tiff__damage_is_read_within_bounds),
        cmocka_unit_test(test_chunk_tiff__a_lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
