/* Objects of PDF, the table of their positions, and what goes with a page. */
/* tests: src/reduce/binary/chunk_pdf.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "reduce/binary/chunk_coding.h"
#include "unit/alloc_sweep.h"
#include "unit/chunk_samples.h"

enum { PAGES = 3, MOST_OBJECTS = 2 * PAGES + 3 };

/* Where things stand in a file. */
struct places {
    uint32_t objects[MOST_OBJECTS]; /* by number; 0: not there */
    uint32_t mentions[PAGES + 1];   /* of each page, and where the last one ends */
    uint32_t data[PAGES][2];        /* of the stream of each page */
    uint32_t table;
    unsigned n; /* objects, and number 0 */
};

static void add(pare_buffer *to, const char *text)
{
    assert_int_equal(pare_buffer_add(to, text, strlen(text), NULL), PARE_OK);
}

static void begin_object(pare_buffer *file, struct places *places, unsigned number)
{
    places->objects[number] = (uint32_t)file->size;
    assert_int_equal(pare_buffer_format(file, NULL, "%u 0 obj\n", number), PARE_OK);
}

/* The table of all objects, a trailer with `more` in it, and where the table is. */
static void add_table(pare_buffer *file, struct places *places, const char *more)
{
    const uint32_t at = (uint32_t)file->size;
    assert_int_equal(pare_buffer_format(file, NULL, "xref\n0 %u\n0000000000 65535 f \n", places->n),
                     PARE_OK);
    places->table = (uint32_t)file->size - 20;
    for (unsigned i = 1; i < places->n; i++)
        assert_int_equal(
            pare_buffer_format(file, NULL, "%010u 00000 n \n", (unsigned)places->objects[i]),
            PARE_OK);
    assert_int_equal(pare_buffer_format(file, NULL,
                                        "trailer << /Size %u /Root 1 0 R %s>>\nstartxref\n%u\n"
                                        "%%%%EOF\n",
                                        places->n, more, (unsigned)at),
                     PARE_OK);
}

/* The objects of the set of pages, numbered one after the other.  The stream of `empty` has nothing. */
static void make_objects(unsigned pages, unsigned empty, pare_buffer *file, struct places *places)
{
    unsigned number = 3;
    *places = (struct places){.n = 3};
    add(file, "%PDF-1.4\n");
    begin_object(file, places, 1);
    add(file, "<< /Type /Catalog /Pages 2 0 R >>\nendobj\n");
    begin_object(file, places, 2);
    add(file, "<< /Kids [ ");
    for (unsigned i = 0; i < PAGES; i++) {
        places->mentions[i] = (uint32_t)file->size;
        if (!(pages >> i & 1)) continue;
        assert_int_equal(pare_buffer_format(file, NULL, "%u 0 R ", number + 1), PARE_OK);
        number += 2;
    }
    places->mentions[PAGES] = (uint32_t)file->size;
    add(file, "] /Count 9 >>\nendobj\n");
    for (unsigned i = 0; i < PAGES; i++) {
        static const char *const data[] = {"first\n", "the second page\n", "third page here\n"};
        if (!(pages >> i & 1)) continue;
        begin_object(file, places, places->n++);
        assert_int_equal(pare_buffer_format(file, NULL, "<< /Length %u >>\nstream\n",
                                            i == empty ? 0U : (unsigned)strlen(data[i])),
                         PARE_OK);
        places->data[i][0] = (uint32_t)file->size;
        if (i != empty) add(file, data[i]);
        places->data[i][1] = (uint32_t)file->size;
        add(file, "endstream\nendobj\n");
        begin_object(file, places, places->n++);
        assert_int_equal(pare_buffer_format(file, NULL,
                                            "<< /Parent 2 0 R /Contents %u 0 R >>\nendobj\n",
                                            places->n - 2),
                         PARE_OK);
    }
}

/* A file of them. */
static void make_pdf(unsigned pages, unsigned empty, pare_buffer *file, struct places *places)
{
    make_objects(pages, empty, file, places);
    add_table(file, places, "");
}

static void test_chunk_pdf__a_page_goes_with_its_mention_and_numbers_follow(void **state)
{
    const unsigned all = (1U << PAGES) - 1;
    (void)state;
    for (unsigned i = 0; i < PAGES; i++) {
        pare_buffer file = {0}, less = {0};
        struct places places, unused;
        make_pdf(all, PAGES, &file, &places);
        make_pdf(all & ~(1U << i), PAGES, &less, &unused);
        assert_named_goes(&file, places.mentions[i], places.mentions[i + 1], &less);
        pare_buffer_done(&file);
        pare_buffer_done(&less);
    }
}

static void test_chunk_pdf__the_length_of_a_stream_is_corrected(void **state)
{
    (void)state;
    for (unsigned i = 0; i < PAGES; i++) {
        pare_buffer file = {0}, less = {0};
        struct places places, unused;
        make_pdf(7, PAGES, &file, &places);
        make_pdf(7, i, &less, &unused);
        assert_chunk_goes(&file, places.data[i][0], places.data[i][1], &less);
        pare_buffer_done(&file);
        pare_buffer_done(&less);
    }
}

static void test_chunk_pdf__a_length_in_another_object_is_corrected(void **state)
{
    static const char text[] =
        "%PDF-1.4\n1 0 obj << /Length 2 0 R >> stream\nabcdef\nendstream endobj\n"
        "2 0 obj 6 endobj\n3 0 obj [ ] endobj\n";
    const uint32_t from = (uint32_t)(strstr(text, "abcdef") - text);
    pare_buffer file = {0}, less = {0};
    (void)state;
    add(&file, text);
    assert_int_equal(pare_buffer_add(&less, text, from, NULL), PARE_OK);
    add(&less, "\nendstream endobj\n2 0 obj 0 endobj\n3 0 obj [ ] endobj\n");
    assert_chunk_goes(&file, from, from + 6, &less);
    pare_buffer_done(&file);
    pare_buffer_done(&less);
}

/* The file without object `number`, which others still name. */
static void write_without_object(const pare_buffer *file, const struct places *places,
                                 unsigned number, pare_buffer *out)
{
    write_file_without_named(file, places->objects[number], places->objects[number + 1], out);
}

static bool contains(const pare_buffer *file, const char *text)
{
    return memmem(file->data, file->size, text, strlen(text)) != NULL;
}

static void test_chunk_pdf__the_row_of_an_object_that_is_named_becomes_free(void **state)
{
    pare_buffer file = {0}, out = {0};
    struct places places;
    char row[64];
    (void)state;
    make_pdf(3, PAGES, &file, &places);
    write_without_object(&file, &places, 3, &out);
    assert_false(contains(&out, "3 0 obj"));
    assert_true(contains(&out, "/Contents 3 0 R"));
    assert_true(contains(&out, "4 0 obj") && contains(&out, "/Size 7"));
    (void)snprintf(row, sizeof row, "%010u 00000 f \n%010u 00000 n \n", (unsigned)places.objects[3],
                   (unsigned)places.objects[3]);
    assert_true(contains(&out, row));
    pare_buffer_done(&file);
    pare_buffer_done(&out);
}

static void test_chunk_pdf__a_file_with_updates_keeps_its_numbers(void **state)
{
    pare_buffer file = {0}, out = {0};
    struct places places;
    char earlier[64], row[64];
    (void)state;
    make_pdf(3, PAGES, &file, &places);
    const uint32_t first =
        (uint32_t)((const char *)memmem(file.data, file.size, "xref", 4) - file.data);
    (void)snprintf(earlier, sizeof earlier, "/Prev %u ", (unsigned)first);
    add_table(&file, &places, earlier);
    write_without_object(&file, &places, 3, &out);
    const uint32_t gone = places.objects[4] - places.objects[3];
    (void)snprintf(earlier, sizeof earlier, "/Prev %u ", (unsigned)(first - gone));
    (void)snprintf(row, sizeof row, "%010u 00000 f \n%010u 00000 n \n%010u 00000 n \n",
                   (unsigned)places.objects[3], (unsigned)places.objects[3],
                   (unsigned)(places.objects[5] - gone));
    assert_true(contains(&out, earlier) && contains(&out, row) && contains(&out, "6 0 obj"));
    pare_buffer_done(&file);
    pare_buffer_done(&out);
}

/* What more the trailer says keeps the numbers of the objects that are left. */
static void assert_numbers_stay(const char *more)
{
    pare_buffer file = {0}, out = {0};
    struct places places;
    make_objects(3, PAGES, &file, &places);
    add_table(&file, &places, more);
    write_file_without_named(&file, places.mentions[0], places.mentions[1], &out);
    assert_false(contains(&out, "4 0 obj"));
    assert_true(contains(&out, "6 0 obj") && contains(&out, "/Size 7"));
    pare_buffer_done(&file);
    pare_buffer_done(&out);
}

static void test_chunk_pdf__packed_and_encrypted_objects_keep_their_numbers(void **state)
{
    (void)state;
    assert_numbers_stay("/XRefStm 9 ");
    assert_numbers_stay("/Encrypt << /V 1 >> ");
}

static void test_chunk_pdf__numbers_with_zeros_before_them_follow(void **state)
{
    pare_buffer file = {0}, out = {0};
    struct places places = {.n = 4};
    (void)state;
    add(&file, "%PDF-1.4\n");
    begin_object(&file, &places, 1);
    add(&file, "[ ");
    places.mentions[0] = (uint32_t)file.size;
    add(&file, "002 00 R ");
    places.mentions[1] = (uint32_t)file.size;
    add(&file, "003 00 R ]\nendobj\n");
    begin_object(&file, &places, 2);
    add(&file, "(two)\nendobj\n");
    begin_object(&file, &places, 3);
    add(&file, "(three)\nendobj\n");
    add_table(&file, &places, "");
    write_file_without_named(&file, places.mentions[0], places.mentions[1], &out);
    assert_true(contains(&out, "[ 002 00 R ]") && contains(&out, "\n2 0 obj\n(three)"));
    assert_true(contains(&out, "/Size 3") && !contains(&out, "(two)"));
    pare_buffer_done(&file);
    pare_buffer_done(&out);
}

/* The newest table has no rows; the one before it leads back to it. */
static void test_chunk_pdf__each_position_is_that_of_its_own_table(void **state)
{
    pare_buffer file = {0}, out = {0};
    struct places places;
    char text[64], newest[16];
    (void)state;
    make_objects(1, PAGES, &file, &places);
    const uint32_t first = (uint32_t)file.size;
    add_table(&file, &places, "/Prev 2000 ");
    const uint32_t object = (uint32_t)file.size;
    add(&file, "9 0 obj (between) endobj\n");
    const uint32_t second = (uint32_t)file.size;
    assert_true(second > 99 && second < 1000 && first > 99);
    assert_int_equal(pare_buffer_format(&file, NULL,
                                        "xref\ntrailer << /Prev %u >>\nstartxref\n%u\n%%%%EOF\n",
                                        (unsigned)first, (unsigned)second),
                     PARE_OK);
    (void)snprintf(newest, sizeof newest, "%04u", (unsigned)second);
    memcpy(memmem(file.data, file.size, "2000", 4), newest, 4);
    write_file_without_named(&file, object, second, &out);
    (void)snprintf(text, sizeof text, "/Prev %u >>\nstartxref\n%u\n", (unsigned)first,
                   (unsigned)object);
    assert_true(contains(&out, text));
    (void)snprintf(text, sizeof text, "/Prev %04u ", (unsigned)object);
    assert_true(contains(&out, text));
    pare_buffer_done(&file);
    pare_buffer_done(&out);
}

static void test_chunk_pdf__what_is_not_closed_ends_with_its_object(void **state)
{
    static const char *const opened[] = {"(", "<", "[ %", "<< /A <",
                                         "<</Length 0>>stream%endstream"};
    (void)state;
    for (size_t k = 0; k < sizeof opened / sizeof *opened; k++) {
        enum { MANY = 1 << 16 }; /* a time that is squared would be that of minutes */
        pare_buffer file = {0};
        uint32_t from = 0;
        add(&file, "%PDF-1.4\n");
        for (unsigned i = 0; i < MANY; i++) {
            if (i == 1) from = (uint32_t)file.size;
            assert_int_equal(pare_buffer_format(&file, NULL, "7 0 obj %s endobj ", opened[k]),
                             PARE_OK);
        }
        pare_chunk_tree *tree = find_chunks(file.data, file.size);
        const uint32_t to = from + (from - (uint32_t)strlen("%PDF-1.4\n"));
        assert_int_not_equal(chunk_between(tree, from, to), PARE_NO_CHUNK);
        pare_chunk_tree_unref(tree);
        pare_buffer_done(&file);
    }
}

static void test_chunk_pdf__a_table_needs_no_trailer(void **state)
{
    pare_buffer file = {0}, out = {0};
    struct places places;
    (void)state;
    make_pdf(3, PAGES, &file, &places);
    memcpy(memmem(file.data, file.size, "trailer", 7), "retrial", 7);
    write_file_without_named(&file, places.mentions[0], places.mentions[1], &out);
    assert_true(contains(&out, "xref\n0 5\n") && contains(&out, "/Size 7"));
    pare_buffer_done(&file);
    pare_buffer_done(&out);
}

/* A chain of objects, each of which names the next one: so many go in one test as there are rounds. */
static void test_chunk_pdf__a_long_chain_of_names_goes_by_parts(void **state)
{
    enum { MANY = 100, ROUNDS = 64 };
    pare_buffer file = {0}, out = {0};
    char first[32], last[32];
    uint32_t from = 0, to = 0;
    (void)state;
    add(&file, "%PDF-1.4\n");
    for (unsigned i = 1; i <= MANY; i++) {
        assert_int_equal(pare_buffer_format(&file, NULL, "%u 0 obj [ ", i), PARE_OK);
        if (i == 1) from = (uint32_t)file.size;
        assert_int_equal(pare_buffer_format(&file, NULL, "%u 0 R ", i + 1), PARE_OK);
        if (i == 1) to = (uint32_t)file.size;
        add(&file, "] endobj\n");
    }
    write_file_without_named(&file, from, to, &out);
    (void)snprintf(last, sizeof last, "\n%u 0 obj", (unsigned)ROUNDS + 1);
    (void)snprintf(first, sizeof first, "\n%u 0 obj", (unsigned)ROUNDS + 2);
    assert_true(contains(&out, "1 0 obj [ ] endobj\n") && contains(&out, first));
    assert_false(contains(&out, last));
    pare_buffer_done(&file);
    pare_buffer_done(&out);
}

/* A block of zlib that holds its bytes as they are. */
static void add_stored(pare_buffer *to, const char *text, bool last)
{
    const size_t n = strlen(text);
    const char head[] = {(char)last, (char)n, (char)(n >> 8), (char)~n, (char)(~n >> 8)};
    assert_int_equal(pare_buffer_add(to, head, sizeof head, NULL), PARE_OK);
    add(to, text);
}

/* The plain form of the stream is shorter than where the table stands in the packed one. */
static void test_chunk_pdf__numbers_in_a_stream_go_when_it_is_unpacked(void **state)
{
    enum { BLOCKS = 100, BLOCK = 5 };
    pare_buffer file = {0};
    char table[160], sum[4];
    (void)state;
    add(&file, "%PDF-1.4\n1 0 obj 1 endobj\n2 0 obj << >> stream\n\x78\x01");
    (void)snprintf(table, sizeof table,
                   "xref\n0 2\n0000000000 65535 f \n0000000009 00000 n \n"
                   "trailer << /Root 1 0 R /Prev 5 /Size 2 >> startxref %u ",
                   (unsigned)(file.size + (BLOCKS + 1) * BLOCK));
    for (unsigned i = 0; i < BLOCKS; i++)
        add_stored(&file, "", false);
    add_stored(&file, table, true);
    const uint32_t adler = pare_chunk_coding_adler32((unsigned char *)table, strlen(table));
    pare_chunk_coding_write(PARE_CODING_BIG, sizeof sum, adler, (unsigned char *)sum);
    assert_int_equal(pare_buffer_add(&file, sum, sizeof sum, NULL), PARE_OK);
    pare_chunk_tree *tree = find_chunks(file.data, file.size); /* which are checked */
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&file);
}

static void test_chunk_pdf__a_row_that_is_wrong_stays(void **state)
{
    pare_buffer file = {0};
    struct places places;
    (void)state;
    make_pdf(7, PAGES, &file, &places);
    const uint32_t row = places.table + 4 * 20;
    file.data[row + 9] ^= 1;
    pare_chunk_tree *tree = find_chunks(file.data, file.size);
    const uint32_t wrong = chunk_between(tree, row, row + 20),
                   right = chunk_between(tree, row + 20, row + 40);
    assert_true(wrong != PARE_NO_CHUNK && tree->chunks[wrong].fixed);
    assert_true(right != PARE_NO_CHUNK && !tree->chunks[right].fixed);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&file);
}

static void test_chunk_pdf__objects_are_found_without_a_table(void **state)
{
    static const char text[] = "%PDF-1.4\n1 0 obj << /A 2 0 R >> endobj\n2 0 obj (xyz) endobj\n"
                               "3 0 obj [ 1 2 ] 4 0 obj << /Length 9 >> stream\nab\nendstream";
    pare_chunk_tree *tree = find_chunks(text, sizeof text - 1);
    const char *second = strstr(text, "2 0 obj ("), *third = strstr(text, "3 0 obj");
    (void)state;
    assert_int_not_equal(chunk_between(tree, (uint32_t)(second - text), (uint32_t)(third - text)),
                         PARE_NO_CHUNK);
    assert_int_not_equal(chunk_between(tree, (uint32_t)(strstr(text, "xyz") - text),
                                       (uint32_t)(strstr(text, ") endobj\n3") - text)),
                         PARE_NO_CHUNK);
    pare_chunk_tree_unref(tree);
}

static void test_chunk_pdf__damage_is_bounded(void **state)
{
    pare_buffer file = {0};
    struct places places;
    (void)state;
    make_pdf(3, PAGES, &file, &places);
    assert_damage_is_bounded(&file);
    pare_buffer_done(&file);
}

static void test_chunk_pdf__a_lack_of_memory_is_told(void **state)
{
    pare_buffer file = {0};
    struct places places;
    (void)state;
    make_pdf(3, PAGES, &file, &places);
    sweep_allocations(find_and_forget, &file);
    pare_buffer_done(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_pdf__a_page_goes_with_its_mention_and_numbers_follow),
        cmocka_unit_test(test_chunk_pdf__the_length_of_a_stream_is_corrected),
        cmocka_unit_test(test_chunk_pdf__a_length_in_another_object_is_corrected),
        cmocka_unit_test(test_chunk_pdf__the_row_of_an_object_that_is_named_becomes_free),
        cmocka_unit_test(test_chunk_pdf__a_file_with_updates_keeps_its_numbers),
        cmocka_unit_test(test_chunk_pdf__packed_and_encrypted_objects_keep_their_numbers),
        cmocka_unit_test(test_chunk_pdf__numbers_with_zeros_before_them_follow),
        cmocka_unit_test(test_chunk_pdf__each_position_is_that_of_its_own_table),
        cmocka_unit_test(test_chunk_pdf__what_is_not_closed_ends_with_its_object),
        cmocka_unit_test(test_chunk_pdf__a_table_needs_no_trailer),
        cmocka_unit_test(test_chunk_pdf__a_long_chain_of_names_goes_by_parts),
        cmocka_unit_test(test_chunk_pdf__numbers_in_a_stream_go_when_it_is_unpacked),
        cmocka_unit_test(test_chunk_pdf__a_row_that_is_wrong_stays),
        cmocka_unit_test(test_chunk_pdf__objects_are_found_without_a_table),
        cmocka_unit_test(test_chunk_pdf__damage_is_bounded),
        cmocka_unit_test(test_chunk_pdf__a_lack_of_memory_is_told),
    };
    return cmocka_run_group_tests_name("chunk_pdf", tests, NULL, NULL);
}
