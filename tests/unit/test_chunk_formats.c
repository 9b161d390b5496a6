/* Formats that are known by their headers: members that are packed, archives, GIF. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "reduce/binary/chunk_formats.h"
#include "text/packing.h"
#include "unit/alloc_sweep.h"
#include "unit/chunk_samples.h"

static const char text[] = "one line\nanother line\none line\nanother line\none line\n";
enum { TEXT = sizeof text - 1 };

static void add(pare_buffer *to, const char *bytes, size_t n)
{
    assert_int_equal(pare_buffer_add(to, bytes, n, NULL), PARE_OK);
}

static void add_number(pare_buffer *to, uint32_t width, uint64_t value)
{
    unsigned char bytes[8];
    pare_chunk_coding_write(PARE_CODING_LITTLE, width, value, bytes);
    add(to, (char *)bytes, width);
}

/* Skips the test where there is no zlib. */
static void add_packed(pare_buffer *to, pare_packing_codec codec, const char *bytes, size_t n)
{
    pare_status status = pare_packing_close(codec, (const unsigned char *)bytes, n, to, NULL);
    if (status == PARE_E_UNSUPPORTED) {
        pare_buffer_done(to);
        skip();
    }
    assert_int_equal(status, PARE_OK);
}

static void add_gzip(pare_buffer *to, const char *bytes, size_t n)
{
    add(to, "\x1f\x8b\x08\x08\0\0\0\0\2\3name", 15);
    add_packed(to, PARE_PACKING_DEFLATE, bytes, n);
    add_number(to, 4, pare_chunk_coding_crc32((const unsigned char *)bytes, n));
    add_number(to, 4, n);
}

/* What is written without bytes from .. to of the plain bytes. */
static void write_cut(const pare_chunk_tree *tree, uint32_t from, uint32_t to, pare_buffer *out)
{
    unsigned char *kept = test_calloc((size_t)tree->size + 1, 1);
    memset(kept, 1, (size_t)tree->size + 1);
    memset(kept + from, 0, to - from);
    const pare_chunk_edits edits = {.kept = kept};
    pare_buffer_reset(out);
    assert_int_equal(pare_chunk_writer_write(tree, &edits, out, NULL, NULL), PARE_OK);
    test_free(kept);
}

static void test_chunk_formats__gzip_is_packed_again_with_its_checksum(void **state)
{
    pare_buffer file = {0}, less = {0}, out = {0};
    (void)state;
    add_gzip(&file, text, TEXT);
    add_gzip(&less, text + 9, TEXT - 9);
    pare_chunk_tree *tree = find_chunks(file.data, file.size);
    assert_int_equal(tree->n_packings, 1);
    const uint32_t from = tree->packings[0].from + 1;
    write_cut(tree, 0, 0, &out);
    assert_int_equal(out.size, file.size);
    assert_memory_equal(out.data, file.data, out.size);
    write_cut(tree, from, from + 9, &out);
    assert_int_equal(out.size, less.size);
    assert_memory_equal(out.data, less.data, out.size);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&file);
    pare_buffer_done(&less);
    pare_buffer_done(&out);
}

static void test_chunk_formats__a_file_of_xz_is_packed_again(void **state)
{
    pare_buffer file = {0}, out = {0};
    (void)state;
    add_packed(&file, PARE_PACKING_XZ, text, TEXT);
    pare_chunk_tree *tree = find_chunks(file.data, file.size);
    assert_int_equal(tree->n_packings, 1);
    write_cut(tree, 0, 0, &out);
    assert_int_equal(out.size, file.size);
    assert_memory_equal(out.data, file.data, out.size);
    write_cut(tree, tree->packings[0].from + 1, tree->packings[0].to - 9, &out);
    pare_chunk_tree *less = find_chunks(out.data, out.size);
    assert_int_equal(less->n_packings, 1);
    assert_int_equal(less->packings[0].n_plain, 8);
    pare_chunk_tree_unref(less);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&file);
    pare_buffer_done(&out);
}

static void test_chunk_formats__a_text_in_utf16_is_written_again(void **state)
{
    pare_buffer file = {0}, out = {0};
    (void)state;
    for (int is_little = 0; is_little < 2; is_little++) {
        pare_buffer_reset(&file);
        add_packed(&file, is_little ? PARE_PACKING_UTF16_LITTLE : PARE_PACKING_UTF16_BIG,
                   "one\ntwo\nsix\n", 12);
        pare_chunk_tree *tree = find_chunks(file.data, file.size);
        assert_int_equal(tree->n_packings, 1);
        write_cut(tree, 0, 0, &out);
        assert_int_equal(out.size, file.size);
        assert_memory_equal(out.data, file.data, out.size);
        const uint32_t from = tree->packings[0].from + 1;
        write_cut(tree, from + 4, from + 8, &out);
        assert_int_equal(out.size, 2 + 2 * 8);
        assert_int_equal(out.data[2 + 2 * 4 + !is_little], 's');
        pare_chunk_tree_unref(tree);
    }
    pare_buffer_done(&file);
    pare_buffer_done(&out);
}

/* A packed string in a record: the length about it follows. */
static void test_chunk_formats__packed_bytes_are_found_in_other_chunks(void **state)
{
    pare_buffer packed = {0}, file = {0}, out = {0};
    (void)state;
    add_packed(&packed, PARE_PACKING_ZLIB, text, TEXT);
    for (int i = 0; i < 3; i++) {
        add_number(&file, 4, i == 1 ? packed.size : 2);
        add(&file, i == 1 ? packed.data : "ab", i == 1 ? packed.size : 2);
    }
    pare_chunk_tree *tree = find_chunks(file.data, file.size);
    assert_int_equal(tree->n_packings, 1);
    write_cut(tree, tree->packings[0].from + 1, tree->packings[0].to - 9, &out);
    assert_true(out.size < file.size);
    pare_chunk_tree *less = find_chunks(out.data, out.size);
    assert_int_equal(less->chunks[0].n_children, 3);
    assert_int_equal(less->packings[0].n_plain, 8);
    pare_chunk_tree_unref(less);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&packed);
    pare_buffer_done(&file);
    pare_buffer_done(&out);
}

/* A zip file of members called a, b, ..; packed or not. */
static void add_zip(pare_buffer *to, const char *names, bool packed)
{
    pare_buffer table = {0};
    uint16_t n = (uint16_t)strlen(names);
    for (uint16_t i = 0; i < n; i++) {
        pare_buffer data = {0}, sizes = {0};
        if (packed)
            add_packed(&data, PARE_PACKING_DEFLATE, text, TEXT);
        else
            add(&data, text, TEXT);
        add(&sizes, packed ? "\x14\0\0\0\x08\0\0\0\0\0" : "\x14\0\0\0\0\0\0\0\0\0", 10);
        add_number(&sizes, 4, pare_chunk_coding_crc32((const unsigned char *)text, TEXT));
        add_number(&sizes, 4, data.size);
        add_number(&sizes, 4, TEXT);
        add(&sizes, "\1\0\0\0", 4);
        add(&table, "PK\1\2\x14\0", 6);
        add(&table, sizes.data, sizes.size);
        add(&table, "\0\0\0\0\0\0\0\0\0\0", 10);
        add_number(&table, 4, to->size);
        add(&table, names + i, 1);
        add(to, "PK\3\4", 4);
        add(to, sizes.data, sizes.size);
        add(to, names + i, 1);
        add(to, data.data, data.size);
        pare_buffer_done(&data);
        pare_buffer_done(&sizes);
    }
    const size_t at = to->size;
    add(to, table.data, table.size);
    add(to, "PK\5\6\0\0\0\0", 8);
    add_number(to, 2, n);
    add_number(to, 2, n);
    add_number(to, 4, table.size);
    add_number(to, 4, at);
    add_number(to, 2, 0);
    pare_buffer_done(&table);
}

static void test_chunk_formats__a_member_of_zip_goes_with_its_entry(void **state)
{
    (void)state;
    for (int packed = 0; packed < 2; packed++) {
        pare_buffer file = {0}, less = {0}, out = {0};
        add_zip(&file, "abc", packed);
        add_zip(&less, "ac", packed);
        pare_chunk_tree *tree = find_chunks(file.data, file.size);
        assert_int_equal(tree->chunks[0].n_children, 4);
        assert_int_equal(tree->n_packings, packed ? 3 : 0);
        write_cut(tree, 0, 0, &out);
        assert_int_equal(out.size, file.size);
        assert_memory_equal(out.data, file.data, out.size);
        unsigned char *kept = test_calloc((size_t)tree->size + 1, 1);
        memset(kept, 1, (size_t)tree->size + 1);
        const pare_chunk *gone = &tree->chunks[tree->chunks[tree->chunks[0].first].next];
        const pare_chunk *twin = &tree->chunks[gone->twin];
        memset(kept + gone->from, 0, gone->to - gone->from);
        memset(kept + twin->from, 0, twin->to - twin->from);
        const pare_chunk_edits edits = {.kept = kept};
        pare_buffer_reset(&out);
        assert_int_equal(pare_chunk_writer_write(tree, &edits, &out, NULL, NULL), PARE_OK);
        assert_int_equal(out.size, less.size);
        assert_memory_equal(out.data, less.data, out.size);
        test_free(kept);
        pare_chunk_tree_unref(tree);
        pare_buffer_done(&file);
        pare_buffer_done(&less);
        pare_buffer_done(&out);
    }
}

/* A member whose numbers are wrong has no parts, and goes as a whole; the others are as ever. */
static void test_chunk_formats__a_damaged_member_of_zip_is_one_chunk(void **state)
{
    (void)state;
    pare_buffer file = {0}, out = {0};
    add_zip(&file, "abc", true);
    char *second = memmem(file.data + 4, file.size - 4, "PK\3\4", 4);
    assert_non_null(second);
    second[29] = 1; /* 256 bytes of additions, which would end in the next member */
    pare_chunk_tree *tree = find_chunks(file.data, file.size);
    assert_int_equal(tree->chunks[0].n_children, 4);
    assert_int_equal(tree->n_packings, 2);
    write_cut(tree, 0, 0, &out);
    assert_int_equal(out.size, file.size);
    assert_memory_equal(out.data, file.data, out.size);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&file);
    pare_buffer_done(&out);
}

/* An archive of a program's sources has thousands. */
static void test_chunk_formats__a_zip_may_have_many_members(void **state)
{
    enum { MANY = 3000 };
    char names[MANY + 1];
    pare_buffer file = {0}, less = {0};
    (void)state;
    memset(names, 'a', MANY);
    names[MANY] = '\0';
    names[MANY - 2] = 'b';
    add_zip(&file, names, false);
    add_zip(&less, "b", false);
    pare_chunk_tree *tree = find_chunks(file.data, file.size);
    assert_int_equal(tree->chunks[0].n_children, MANY + 1);
    unsigned char *kept = test_calloc((size_t)tree->size + 1, 1);
    memset(kept, 1, (size_t)tree->size + 1);
    for (uint32_t i = 0; i < tree->n_chunks; i++) {
        const pare_chunk *chunk = &tree->chunks[i];
        const bool member = chunk->parent == 0 && chunk->twin != PARE_NO_CHUNK;
        if (!member || tree->bytes[chunk->from + 30] == 'b') continue;
        memset(kept + chunk->from, 0, chunk->to - chunk->from);
        memset(kept + tree->chunks[chunk->twin].from, 0,
               tree->chunks[chunk->twin].to - tree->chunks[chunk->twin].from);
    }
    assert_writes(tree, kept, less.data, less.size);
    test_free(kept);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&file);
    pare_buffer_done(&less);
}

static void test_chunk_formats__digits_and_fill_of_archives_follow(void **state)
{
    static const char ar[] = "!<arch>\n"
                             "a/              0           0     0     644     3         `\nabc\n"
                             "b/              0           0     0     644     2         `\nde";
    static const char less[] = "!<arch>\n"
                               "a/              0           0     0     644     2         `\nab"
                               "b/              0           0     0     644     2         `\nde";
    pare_buffer out = {0};
    (void)state;
    pare_chunk_tree *tree = find_chunks(ar, sizeof ar - 1);
    assert_int_equal(tree->chunks[0].n_children, 2);
    write_cut(tree, 8 + 62, 8 + 63, &out);
    assert_int_equal(out.size, sizeof less - 1);
    assert_memory_equal(out.data, less, out.size);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&out);
}

/* Appends a member whose name has an odd number of bytes. */
static void add_cpio(pare_buffer *to, bool octal, const char *name, const char *data)
{
    char head[128];
    const unsigned n = (unsigned)strlen(name) + 1, size = (unsigned)strlen(data);
    if (octal)
        snprintf(head, sizeof head, "070707%053o%06o%011o", 0u, n, size);
    else
        snprintf(head, sizeof head, "070701%048x%08x%032x%08x%08x", 0u, size, 0u, n, 0u);
    add(to, head, strlen(head));
    add(to, name, n);
    while (!octal && to->size % 4)
        add(to, "", 1);
    add(to, data, size);
    while (!octal && to->size % 4)
        add(to, "", 1);
}

static void test_chunk_formats__members_of_cpio_go_but_for_the_last(void **state)
{
    (void)state;
    for (int octal = 0; octal < 2; octal++) {
        pare_buffer cpio = {0}, less = {0}, out = {0};
        add_cpio(&cpio, octal, "one", "first\n");
        const uint32_t from = (uint32_t)cpio.size;
        add_cpio(&cpio, octal, "second", "2");
        const uint32_t to = (uint32_t)cpio.size;
        add_cpio(&cpio, octal, "3", "");
        add_cpio(&cpio, octal, "TRAILER!!!", "");
        pare_chunk_tree *tree = find_chunks(cpio.data, cpio.size);
        assert_int_equal(tree->chunks[0].n_children, 3);
        write_cut(tree, from, to, &out);
        add_cpio(&less, octal, "one", "first\n");
        add_cpio(&less, octal, "3", "");
        add_cpio(&less, octal, "TRAILER!!!", "");
        assert_int_equal(out.size, less.size);
        assert_memory_equal(out.data, less.data, less.size);
        pare_chunk_tree_unref(tree);
        /* A length that leads out of the file. */
        memset(cpio.data + (octal ? 65 : 54), '7', 8);
        tree = find_chunks(cpio.data, cpio.size);
        assert_int_not_equal(tree->chunks[0].n_children, 3);
        pare_chunk_tree_unref(tree);
        pare_buffer_done(&cpio);
        pare_buffer_done(&less);
        pare_buffer_done(&out);
    }
}

static void test_chunk_formats__archives_of_texts_are_known_by_their_headers(void **state)
{
    static const unsigned char ar[] = "!<arch>\nx/", odc[] = "0707070000", other[] = "!<arc>\n";
    unsigned char tar[262] = {0};
    (void)state;
    memcpy(tar + 257, "ustar", 5);
    assert_true(pare_chunk_formats_is_archive(ar, sizeof ar - 1));
    assert_true(pare_chunk_formats_is_archive(odc, sizeof odc - 1));
    assert_true(pare_chunk_formats_is_archive(tar, sizeof tar));
    assert_false(pare_chunk_formats_is_archive(tar, sizeof tar - 1));
    assert_false(pare_chunk_formats_is_archive(ar, 7));
    assert_false(pare_chunk_formats_is_archive(other, sizeof other - 1));
    assert_false(pare_chunk_formats_is_archive(NULL, 0));
}

static void test_chunk_formats__headers_of_tar_have_their_sum(void **state)
{
    char tar[4 * 512] = {0};
    pare_buffer out = {0};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        char *head = tar + i * 1024;
        memcpy(head, "name", 4);
        memcpy(head + 124, "00000000005", 11);
        memcpy(head + 257, "ustar", 5);
        memcpy(head + 512, "hello", 5);
        memset(head + 148, ' ', 8);
        uint32_t sum = pare_chunk_coding_sum((unsigned char *)head, 512);
        pare_chunk_coding_write(PARE_CODING_OCTAL, 7, sum, (unsigned char *)head + 148);
        head[154] = 0;
    }
    pare_chunk_tree *tree = find_chunks(tar, sizeof tar);
    assert_int_equal(tree->chunks[0].n_children, 2);
    write_cut(tree, 0, 0, &out);
    assert_memory_equal(out.data, tar, sizeof tar);
    write_cut(tree, 512, 514, &out);
    assert_int_equal(out.size, sizeof tar);
    assert_string_equal(out.data + 124, "00000000003");
    pare_chunk_tree *less = find_chunks(out.data, out.size);
    assert_int_equal(less->chunks[0].n_children, 2);
    assert_int_equal(less->n_fields, tree->n_fields);
    pare_chunk_tree_unref(less);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&out);
}

static void test_chunk_formats__parts_of_gif_are_chunks(void **state)
{
    static const char gif[] = "GIF89a\1\0\1\0\0\0\0!\xfe\5hello\0,\0\0\0\0\1\0\1\0\0\2\2\x44\1\0;";
    pare_buffer out = {0};
    (void)state;
    pare_chunk_tree *tree = find_chunks(gif, sizeof gif - 1);
    assert_int_equal(tree->chunks[0].n_children, 2);
    write_cut(tree, 16, 18, &out);
    assert_memory_equal(out.data + 13, "!\xfe\3llo\0,", 8);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&out);
}

/* Flags 0x81: four colours; after the last two went, 0x80, two. */
static void test_chunk_formats__colours_of_gif_are_counted(void **state)
{
    static const char gif[] = "GIF89a\1\0\1\0\x91\0\0aaabbbcccddd,\0\0\0\0\1\0\1\0\0\2\2\x44\1\0;";
    pare_buffer out = {0};
    (void)state;
    pare_chunk_tree *tree = find_chunks(gif, sizeof gif - 1);
    write_cut(tree, 19, 25, &out);
    assert_memory_equal(out.data + 10, "\x90\0\0aaabbb,", 10);
    write_cut(tree, 13, 25, &out);
    assert_memory_equal(out.data + 10, "\x10\0\0,", 4);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&out);
}

/* A bomb stays packed. */
static void test_chunk_formats__what_is_too_large_stays_packed(void **state)
{
    enum { LARGE = 2 * PARE_CHUNK_MOST_UNPACKED };
    char *zeros = test_calloc(LARGE, 1);
    pare_buffer file = {0};
    (void)state;
    pare_status status =
        pare_packing_close(PARE_PACKING_ZLIB, (unsigned char *)zeros, LARGE, &file, NULL);
    test_free(zeros);
    if (status == PARE_E_UNSUPPORTED) skip();
    assert_int_equal(status, PARE_OK);
    pare_chunk_tree *tree = find_chunks(file.data, file.size);
    assert_int_equal(tree->n_packings, 0);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&file);
}

static void test_chunk_formats__a_lack_of_memory_is_reported(void **state)
{
    pare_buffer file = {0};
    (void)state;
    add_zip(&file, "ab", true);
    sweep_allocations(find_and_forget, &file);
    pare_buffer_done(&file);
}

/* Two times of the kinds 1 and 0, two types, names "A" and "B"; standard or not is said of both types. */
/* Three records behind a stream of zlib with which the file begins. */
static void test_chunk_formats__what_is_behind_a_stream_is_looked_into(void **state)
{
    static const char records[] = "\0\0\0\2ab\0\0\0\5cdefg\0\0\0\1h";
    pare_buffer file = {0}, less = {0}, out = {0};
    (void)state;
    add_packed(&file, PARE_PACKING_ZLIB, text, TEXT);
    add_packed(&less, PARE_PACKING_ZLIB, text + 9, TEXT - 9);
    add(&file, records, sizeof records - 1);
    add(&less, records, sizeof records - 1);
    pare_chunk_tree *tree = find_chunks(file.data, file.size);
    assert_int_equal(tree->chunks[0].n_children, 2);
    const pare_chunk *rest = &tree->chunks[tree->chunks[0].last];
    assert_int_equal(rest->n_children, 3);
    write_cut(tree, tree->packings[0].from + 1, tree->packings[0].from + 10, &out);
    assert_int_equal(out.size, less.size);
    assert_memory_equal(out.data, less.data, less.size);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&file);
    pare_buffer_done(&less);
    pare_buffer_done(&out);
}

static void test_chunk_formats__types_of_zoneinfo_go_from_all_tables(void **state)
{
    static const char file[] = "TZif\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
                               "\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\2\0\0\0\2\0\0\0\4"
                               "\0\0\0\1\0\0\0\2\1\0\0\0\0\7\0\0\0\0\0\x8\1\2A\0B\0\0\1";
    enum { TIMES = 44, KINDS = TIMES + 8, TYPES = KINDS + 2, NAMES = TYPES + 12 };
    pare_buffer out = {0};
    (void)state;
    pare_chunk_tree *tree = find_chunks(file, sizeof file - 1);
    write_cut(tree, 0, 0, &out);
    assert_int_equal(out.size, sizeof file - 1);
    assert_memory_equal(out.data, file, out.size);
    uint32_t type = 0;
    while (type < tree->n_chunks &&
           (tree->chunks[type].from != TYPES || tree->chunks[type].to != TYPES + 6))
        type++;
    assert_true(type < tree->n_chunks);
    const uint32_t standard = tree->chunks[type].twin;
    assert_int_equal(tree->chunks[standard].from, NAMES + 4);
    assert_int_equal(tree->chunks[standard].twin, type);
    /* Without the first type the second one is number 0. */
    write_cut(tree, TYPES, TYPES + 6, &out);
    assert_int_equal(out.data[39], 1);
    assert_int_equal(out.data[KINDS], 0);
    /* Without the first name the second one is at 0. */
    write_cut(tree, NAMES, NAMES + 2, &out);
    assert_int_equal(out.data[43], 2);
    assert_int_equal(out.data[TYPES + 11], 0);
    /* Without a time, of which its kind is a twin. */
    write_cut(tree, TIMES, TIMES + 4, &out);
    assert_int_equal(out.data[35], 1);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_formats__types_of_zoneinfo_go_from_all_tables),
        cmocka_unit_test(test_chunk_formats__gzip_is_packed_again_with_its_checksum),
        cmocka_unit_test(test_chunk_formats__a_file_of_xz_is_packed_again),
        cmocka_unit_test(test_chunk_formats__a_text_in_utf16_is_written_again),
        cmocka_unit_test(test_chunk_formats__packed_bytes_are_found_in_other_chunks),
        cmocka_unit_test(test_chunk_formats__what_is_behind_a_stream_is_looked_into),
        cmocka_unit_test(test_chunk_formats__a_member_of_zip_goes_with_its_entry),
        cmocka_unit_test(test_chunk_formats__a_damaged_member_of_zip_is_one_chunk),
        cmocka_unit_test(test_chunk_formats__a_zip_may_have_many_members),
        cmocka_unit_test(test_chunk_formats__digits_and_fill_of_archives_follow),
        cmocka_unit_test(test_chunk_formats__members_of_cpio_go_but_for_the_last),
        cmocka_unit_test(test_chunk_formats__archives_of_texts_are_known_by_their_headers),
        cmocka_unit_test(test_chunk_formats__headers_of_tar_have_their_sum),
        cmocka_unit_test(test_chunk_formats__parts_of_gif_are_chunks),
        cmocka_unit_test(test_chunk_formats__colours_of_gif_are_counted),
        cmocka_unit_test(test_chunk_formats__what_is_too_large_stays_packed),
        cmocka_unit_test(test_chunk_formats__a_lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
