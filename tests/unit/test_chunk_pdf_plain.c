/* PDF with objects in streams is written without these. */
/* tests: src/reduce/binary/chunk_pdf_plain.c src/reduce/binary/chunk_pdf_objects.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "reduce/binary/chunk_pdf_plain.h"
#include "unit/alloc_sweep.h"
#include "unit/chunk_samples.h"

/* Objects 1 to 3 in a stream, 4 beside it; what the table says is not read. */
static const char packed[] = "%PDF-1.5\n"
                             "5 0 obj << /Type /ObjStm /N 3 /First 15 /Length 82 >> stream\n"
                             "1 0 2 33 3 52  << /Type /Catalog /Pages 2 0 R >>"
                             "<< /Kids [3 0 R] >>(a page of that book)\n"
                             "endstream endobj\n"
                             "4 0 obj (beside) endobj\n"
                             "6 0 obj << /Type /XRef /Size 7 /Root 1 0 R /W [1 2 1] /Length 3 >> "
                             "stream\nabc\nendstream endobj\n"
                             "startxref\n9\n%%EOF\n";

static const char plain[] = "%PDF-1.4\n"
                            "1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"
                            "2 0 obj\n<< /Kids [3 0 R] >>\nendobj\n"
                            "3 0 obj\n(a page of that book)\nendobj\n"
                            "4 0 obj (beside) endobj\n\n"
                            "xref\n0 7\n"
                            "0000000000 65535 f \n0000000009 00000 n \n0000000058 00000 n \n"
                            "0000000093 00000 n \n0000000130 00000 n \n0000000000 00000 f \n"
                            "0000000000 00000 f \n"
                            "trailer\n<< /Size 7 /Root 1 0 R >>\nstartxref\n155\n%%EOF\n";

static void test_chunk_pdf_plain__objects_come_out_of_their_streams(void **state)
{
    (void)state;
    pare_chunk_tree *tree = find_chunks(packed, sizeof packed - 1);
    assert_int_equal(tree->n_packings, 1);
    const pare_chunk_packing *packing = &tree->packings[0];
    assert_int_equal(packing->codec, PARE_PACKING_NONE);
    assert_int_equal(packing->n_plain, sizeof plain - 1);
    assert_memory_equal(packing->plain, plain, sizeof plain - 1);
    pare_chunk_tree_unref(tree);
}

/* The chunk whose first bytes are `text`. */
static uint32_t chunk_of(const pare_chunk_tree *tree, const char *text)
{
    for (uint32_t i = 0; i < tree->n_chunks; i++)
        if (memcmp(tree->bytes + tree->chunks[i].from, text, strlen(text)) == 0) return i;
    fail_msg("no chunk begins with %s", text);
    return 0;
}

static void test_chunk_pdf_plain__what_is_left_is_written_without_them(void **state)
{
    pare_buffer out = {0};
    (void)state;
    pare_chunk_tree *tree = find_chunks(packed, sizeof packed - 1);
    write_without(tree, PARE_NO_CHUNK, false, &out);
    assert_int_equal(out.size, sizeof packed - 1);
    assert_memory_equal(out.data, packed, out.size);
    write_without(tree, chunk_of(tree, "3 0 obj"), false, &out);
    assert_non_null(memmem(out.data, out.size, "0000000093 00000 f \n0000000093 00000 n ", 39));
    assert_non_null(memmem(out.data, out.size, "startxref\n118\n", 14));
    pare_buffer_done(&out);
    pare_chunk_tree_unref(tree);
}

/* Without the words that `gone` is, the file stays as it is. */
static void assert_stays(const char *gone)
{
    char other[sizeof packed];
    memcpy(other, packed, sizeof packed);
    memset(strstr(other, gone), ' ', strlen(gone));
    pare_chunk_tree *tree = find_chunks(other, sizeof packed - 1);
    assert_int_equal(tree->n_packings, 0);
    pare_chunk_tree_unref(tree);
}

static void test_chunk_pdf_plain__what_is_not_all_there_stays_packed(void **state)
{
    (void)state;
    assert_stays("/Type /XRef");
    assert_stays("/Root 1 0 R");
    assert_stays("/First 15");
    assert_stays("/N 3");
}

/* Of objects that would begin in an earlier one, or at the same place, the first one is written. */
static void test_chunk_pdf_plain__objects_of_a_stream_ascend(void **state)
{
    char other[sizeof packed];
    (void)state;
    memcpy(other, packed, sizeof packed);
    memcpy(strstr(other, "2 33 3 52"), "2 33 3 33", 9);
    pare_chunk_tree *tree = find_chunks(other, sizeof packed - 1);
    assert_int_equal(tree->n_packings, 1);
    const pare_chunk_packing *packing = &tree->packings[0];
    assert_non_null(memmem(packing->plain, packing->n_plain, "2 0 obj\n<< /Kids", 16));
    assert_null(memmem(packing->plain, packing->n_plain, "3 0 obj\n", 8));
    pare_chunk_tree_unref(tree);
}

/* A file whose stream has `n` objects with positions that are all the same, before `blanks` blanks, and whose table is said
 * to have `size` rows. */
static void add_hostile(pare_buffer *file, unsigned n, unsigned blanks, unsigned size)
{
    pare_buffer pairs = {0};
    for (unsigned i = 1; i <= n; i++)
        assert_int_equal(pare_buffer_format(&pairs, NULL, "%u 0 ", i), PARE_OK);
    assert_int_equal(pare_buffer_format(file, NULL,
                                        "%%PDF-1.5\n1 0 obj << /Type /ObjStm /N %u /First %zu >> "
                                        "stream\n%s%*s\nendstream endobj\n2 0 obj << /Type /XRef "
                                        "/Size %u /Root 1 0 R >> stream\n\nendstream endobj\n",
                                        size, pairs.size, pairs.data, (int)blanks, "(x)", size),
                     PARE_OK);
    pare_buffer_done(&pairs);
}

static void test_chunk_pdf_plain__blanks_are_read_once(void **state)
{
    enum { MANY = 1 << 16, BLANKS = 1 << 21 }; /* a time that is squared would be that of minutes */
    pare_buffer file = {0};
    (void)state;
    add_hostile(&file, MANY, BLANKS, MANY);
    pare_chunk_tree *tree = find_chunks(file.data, file.size);
    assert_int_equal(tree->packings[0].codec, PARE_PACKING_NONE);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&file);
}

/* 32 million rows would have 640 MB. */
static void test_chunk_pdf_plain__a_table_is_no_larger_than_the_result(void **state)
{
    enum { BLANKS = 1 << 23 };
    pare_buffer file = {0};
    struct rusage use;
    (void)state;
    add_hostile(&file, 1, BLANKS, 99999999);
    pare_chunk_tree *tree = find_chunks(file.data, file.size);
    assert_int_equal(tree->n_packings, 0);
    assert_int_equal(getrusage(RUSAGE_SELF, &use), 0);
    assert_true(use.ru_maxrss < 600000);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&file);
}

static void test_chunk_pdf_plain__damage_is_bounded(void **state)
{
    pare_buffer file = {0};
    (void)state;
    assert_int_equal(pare_buffer_add(&file, packed, sizeof packed - 1, NULL), PARE_OK);
    assert_damage_is_bounded(&file);
    pare_buffer_done(&file);
}

static void test_chunk_pdf_plain__a_lack_of_memory_is_told(void **state)
{
    pare_buffer file = {0};
    (void)state;
    assert_int_equal(pare_buffer_add(&file, packed, sizeof packed - 1, NULL), PARE_OK);
    sweep_allocations(find_and_forget, &file);
    pare_buffer_done(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_pdf_plain__objects_come_out_of_their_streams),
        cmocka_unit_test(test_chunk_pdf_plain__what_is_left_is_written_without_them),
        cmocka_unit_test(test_chunk_pdf_plain__what_is_not_all_there_stays_packed),
        cmocka_unit_test(test_chunk_pdf_plain__objects_of_a_stream_ascend),
        cmocka_unit_test(test_chunk_pdf_plain__blanks_are_read_once),
        cmocka_unit_test(test_chunk_pdf_plain__a_table_is_no_larger_than_the_result),
        cmocka_unit_test(test_chunk_pdf_plain__damage_is_bounded),
        cmocka_unit_test(test_chunk_pdf_plain__a_lack_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
