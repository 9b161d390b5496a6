/* EBML: Matroska, WebM. */
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

enum { PARTS = 4 };

/* A film of some parts, and where each of these came to stand. */
struct film {
    pare_buffer file;
    uint32_t from[PARTS], to[PARTS];
};

static void add(pare_buffer *to, const void *bytes, size_t n)
{
    assert_int_equal(pare_buffer_add(to, bytes, n, NULL), PARE_OK);
}

static void number(pare_buffer *to, pare_coding coding, uint32_t width, uint64_t value)
{
    unsigned char bytes[8];
    pare_chunk_coding_write(coding, width, value, bytes);
    add(to, bytes, width);
}

/* An element whose name has `n` bytes, with a length of `width` bytes. */
static void element(pare_buffer *to, const char *name, uint32_t n, uint32_t width,
                    const void *content, size_t size)
{
    add(to, name, n);
    number(to, PARE_CODING_EBML, width, size);
    add(to, content, size);
}

/* The same, with the checksum of its content at the begin. */
static void summed(pare_buffer *to, const char *name, const pare_buffer *content)
{
    pare_buffer all = {0};
    add(&all, "\xbf\x84", 2);
    number(&all, PARE_CODING_LITTLE, 4,
           pare_chunk_coding_crc32((const unsigned char *)content->data, content->size));
    add(&all, content->data, content->size);
    element(to, name, 4, 8, all.data, all.size);
    pare_buffer_done(&all);
}

/* One part of the segment: a title of some bytes. */
static void make_part(pare_buffer *to, unsigned part)
{
    static const char title[] = "needle song of some words";
    const char name[] = {0x15, 0x49, (char)0xa9, (char)(0x66 + part)};
    pare_buffer content = {0};
    element(&content, "\x7b\xa9", 2, 1 + part % 2, title, 8 + 5 * part);
    summed(to, name, &content);
    pare_buffer_done(&content);
}

/* The parts of the set, behind a table of contents that names them. */
static void make_film(unsigned set, struct film *film)
{
    enum { SEEK = 2 + 1 + 2 + 1 + 4 + 2 + 1 + 2, HEAD = 4 + 8 + 6 };
    pare_buffer seeks = {0}, parts = {0}, segment = {0};
    uint32_t n = 0;
    for (unsigned part = 0; part < PARTS; part++)
        n += set >> part & 1;
    for (unsigned part = 0; part < PARTS; part++) {
        pare_buffer seek = {0};
        const char name[] = {0x15, 0x49, (char)0xa9, (char)(0x66 + part)};
        if (!(set >> part & 1)) continue;
        element(&seek, "\x53\xab", 2, 1, name, 4);
        add(&seek, "\x53\xac\x82", 3);
        number(&seek, PARE_CODING_BIG, 2, HEAD + n * SEEK + parts.size);
        element(&seeks, "\x4d\xbb", 2, 1, seek.data, seek.size);
        film->from[part] = (uint32_t)parts.size;
        make_part(&parts, part);
        film->to[part] = (uint32_t)parts.size;
        pare_buffer_done(&seek);
    }
    assert_int_equal(seeks.size, n * SEEK);
    summed(&segment, "\x11\x4d\x9b\x74", &seeks);
    add(&segment, parts.data, parts.size);
    element(&film->file, "\x1a\x45\xdf\xa3", 4, 1, "\x42\x86\x81\1\x42\x82\x84webm", 11);
    element(&film->file, "\x18\x53\x80\x67", 4, 8, segment.data, segment.size);
    for (unsigned part = 0; part < PARTS; part++) {
        film->from[part] += (uint32_t)(film->file.size - parts.size);
        film->to[part] += (uint32_t)(film->file.size - parts.size);
    }
    pare_buffer_done(&seeks);
    pare_buffer_done(&parts);
    pare_buffer_done(&segment);
}

/* What is left without a part is what the film without it would be. */
static void test_chunk_ebml__a_part_goes_with_its_entry_in_the_contents(void **state)
{
    (void)state;
    for (unsigned set = 1; set < 1 << PARTS; set++)
        for (unsigned part = 0; part < PARTS; part++) {
            struct film film = {.file = {0}}, less = {.file = {0}};
            pare_buffer out = {0};
            if (!(set >> part & 1) || set == 1U << part) continue;
            make_film(set, &film);
            make_film(set & ~(1U << part), &less);
            pare_chunk_tree *tree = find_chunks(film.file.data, film.file.size);
            write_without(tree, PARE_NO_CHUNK, false, &out);
            assert_int_equal(out.size, film.file.size);
            assert_memory_equal(out.data, film.file.data, out.size);
            const uint32_t gone = chunk_between(tree, film.from[part], film.to[part]);
            assert_int_not_equal(gone, PARE_NO_CHUNK);
            write_without_named(tree, gone, &out);
            assert_int_equal(out.size, less.file.size);
            assert_memory_equal(out.data, less.file.data, out.size);
            pare_chunk_tree_unref(tree);
            pare_buffer_done(&film.file);
            pare_buffer_done(&less.file);
            pare_buffer_done(&out);
        }
}

/* The first bytes of a title go: its length, that of its part, and its checksum follow. */
static void test_chunk_ebml__lengths_and_checksums_follow_content(void **state)
{
    struct film film = {.file = {0}};
    pare_buffer out = {0};
    (void)state;
    make_film(3, &film);
    pare_chunk_tree *tree = find_chunks(film.file.data, film.file.size);
    const uint32_t title = film.from[0] + 12 + 6 + 3;
    const uint32_t gone = chunk_between(tree, title, title + 8);
    assert_int_not_equal(gone, PARE_NO_CHUNK);
    write_without(tree, gone, false, &out);
    assert_int_equal(out.size, film.file.size - 8);
    const unsigned char *part = (const unsigned char *)out.data + film.from[0];
    assert_int_equal(part[11], 6 + 3);
    assert_memory_equal(part + 12 + 6, "\x7b\xa9\x80", 3);
    assert_int_equal(pare_chunk_coding_read(PARE_CODING_LITTLE, 4, part + 14, 4).value,
                     pare_chunk_coding_crc32(part + 18, 3));
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&film.file);
    pare_buffer_done(&out);
}

static void test_chunk_ebml__damage_is_read_within_bounds(void **state)
{
    struct film film = {.file = {0}};
    (void)state;
    make_film(7, &film);
    assert_damage_is_bounded(&film.file);
    pare_buffer_done(&film.file);
}

static void test_chunk_ebml__a_lack_of_memory_is_reported(void **state)
{
    struct film film = {.file = {0}};
    (void)state;
    make_film(3, &film);
    sweep_allocations(find_and_forget, &film.file);
    pare_buffer_done(&film.file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_ebml__a_part_goes_with_its_entry_in_the_contents),
        cmocka_unit_test(test_chunk_ebml__lengths_and_checksums_follow_content),
        cmocka_unit_test(test_chunk_ebml__damage_is_read_within_bounds),
        cmocka_unit_test(test_chunk_ebml__a_lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
