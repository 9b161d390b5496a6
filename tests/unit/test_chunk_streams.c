/* Streams of zlib in files of any format. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "text/packing.h"
#include "unit/alloc_sweep.h"
#include "unit/chunk_samples.h"

static const char text[] = "BT (one) Tj ET\nBT (two) Tj ET\nBT (three) Tj ET\nBT (four) Tj ET\n";
enum { TEXT = sizeof text - 1, LINE = 15 };

static void add(pare_buffer *to, const void *bytes, size_t n)
{
    assert_int_equal(pare_buffer_add(to, bytes, n, NULL), PARE_OK);
}

static void add_text(pare_buffer *to, const char *bytes)
{
    add(to, bytes, strlen(bytes));
}

/* Skips the test where there is no zlib. */
static size_t add_stream(pare_buffer *to, const void *bytes, size_t n)
{
    const size_t before = to->size;
    pare_status status = pare_packing_close(PARE_PACKING_ZLIB, bytes, n, to, NULL);
    if (status == PARE_E_UNSUPPORTED) {
        pare_buffer_done(to);
        skip();
    }
    assert_int_equal(status, PARE_OK);
    return to->size - before;
}

/* As PDF has it, in a file that is none (chunk_pdf.c): the length before the stream, or in an object of its own behind it. */
static void add_object(pare_buffer *to, const char *bytes, size_t n, bool before)
{
    pare_buffer packed = {0};
    char length[16];
    (void)snprintf(length, sizeof length, "%zu", add_stream(&packed, bytes, n));
    add_text(to, "4 0 obj\n<< /Length ");
    add_text(to, before ? length : "5 0 R");
    add_text(to, " /Filter /FlateDecode >>\nstream\n");
    add(to, packed.data, packed.size);
    add_text(to, "\nendstream\nendobj\n");
    if (!before) add_text(to, "5 0 obj\n");
    if (!before) add_text(to, length);
    if (!before) add_text(to, "\nendobj\n");
    pare_buffer_done(&packed);
}

/* What is written without `n` bytes from `from` on. */
static void write_cut(const pare_chunk_tree *tree, uint32_t from, uint32_t n, pare_buffer *out)
{
    unsigned char *kept = test_calloc((size_t)tree->size + 1, 1);
    memset(kept, 1, (size_t)tree->size + 1);
    memset(kept + from, 0, n);
    const pare_chunk_edits edits = {.kept = kept};
    pare_buffer_reset(out);
    assert_int_equal(pare_chunk_writer_write(tree, &edits, out, NULL, NULL), PARE_OK);
    test_free(kept);
}

static void assert_same(const pare_buffer *a, const pare_buffer *b)
{
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->data, b->data, a->size);
}

static void test_chunk_streams__lengths_in_digits_follow(void **state)
{
    pare_buffer file = {0}, less = {0}, out = {0};
    (void)state;
    add_text(&file, "%DOC-1.5\n");
    add_text(&less, "%DOC-1.5\n");
    add_object(&file, text, TEXT, true);
    add_object(&less, text, TEXT - LINE, true);
    add_object(&file, text + LINE, TEXT - LINE, false);
    add_object(&less, text + LINE, TEXT - LINE, false);
    pare_chunk_tree *tree = find_chunks(file.data, file.size);
    assert_int_equal(tree->n_packings, 2);
    assert_int_equal(tree->n_fields, 2);
    write_cut(tree, 0, 0, &out);
    assert_same(&out, &file);
    /* The rear one was unpacked first. */
    write_cut(tree, tree->packings[1].to - 1 - LINE, LINE, &out);
    pare_chunk_tree_unref(tree);
    tree = find_chunks(out.data, out.size);
    assert_int_equal(tree->n_packings, 2);
    assert_int_equal(tree->n_fields, 2);
    assert_int_equal(tree->packings[1].n_plain, TEXT - LINE);
    assert_memory_equal(tree->packings[1].plain, text, TEXT - LINE);
    assert_int_equal(tree->packings[0].n_plain, TEXT - LINE);
    assert_int_equal(out.size, less.size);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&file);
    pare_buffer_done(&less);
    pare_buffer_done(&out);
}

static void test_chunk_streams__the_checksum_decides(void **state)
{
    pare_buffer file = {0};
    (void)state;
    add_text(&file, "saved game\n");
    add_stream(&file, text, TEXT);
    add_text(&file, "and no more\n");
    for (unsigned bad = 0; bad < 2; bad++) {
        pare_chunk_tree *tree = find_chunks(file.data, file.size);
        assert_int_equal(tree->n_packings, !bad);
        pare_chunk_tree_unref(tree);
        file.data[file.size - 13] ^= 1;
    }
    pare_buffer_done(&file);
}

/* As many as can be kept open, the largest. */
static void test_chunk_streams__the_largest_are_opened(void **state)
{
    pare_buffer file = {0};
    (void)state;
    for (unsigned i = 0; i < PARE_CHUNK_MOST_PACKINGS + 6; i++) {
        add_text(&file, "stream\n");
        add_stream(&file, text, i % 10 == 0 ? LINE : TEXT);
    }
    pare_chunk_tree *tree = find_chunks(file.data, file.size);
    assert_int_equal(tree->n_packings, PARE_CHUNK_MOST_PACKINGS);
    unsigned n_small = 0;
    for (unsigned i = 0; i < PARE_CHUNK_MOST_PACKINGS; i++)
        n_small += tree->packings[i].n_plain == LINE;
    assert_int_equal(n_small, 1);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&file);
}

/* Where lengths in bytes tell the chunks, they do so around streams, too, be the other chunks long texts. */
static void test_chunk_streams__runs_of_lengths_come_first(void **state)
{
    static const char *const others[] = {"ab",
                                         "a text so long that its length is little beside it"};
    (void)state;
    for (unsigned is_long = 0; is_long < 2; is_long++) {
        const char *other = others[is_long];
        pare_buffer file = {0};
        for (unsigned i = 0; i < 8; i++) {
            pare_buffer packed = {0};
            unsigned char number[4];
            const size_t n = add_stream(&packed, text, TEXT);
            pare_chunk_coding_write(PARE_CODING_BIG, 4, i == 1 ? n : strlen(other), number);
            add(&file, number, 4);
            add(&file, i == 1 ? packed.data : other, i == 1 ? n : strlen(other));
            pare_buffer_done(&packed);
        }
        pare_chunk_tree *tree = find_chunks(file.data, file.size);
        assert_int_equal(tree->chunks[0].n_children, 8);
        assert_int_equal(tree->n_packings, 1);
        pare_chunk_tree_unref(tree);
        pare_buffer_done(&file);
    }
}

static void test_chunk_streams__without_memory(void **state)
{
    pare_buffer file = {0};
    (void)state;
    add_object(&file, text, TEXT, true);
    add_object(&file, text, LINE, false);
    sweep_allocations(find_and_forget, &file);
    pare_buffer_done(&file);
}

/* None of them can be kept open, and the time to see that is bounded. */
static void test_chunk_streams__so_many_bombs_are_opened(void **state)
{
    enum { BOMB = PARE_CHUNK_MOST_UNPACKED + 100, BOMBS = 20 };
    pare_buffer bomb = {0}, file = {0};
    (void)state;
    char *plain = test_calloc(BOMB, 1);
    add_stream(&bomb, plain, BOMB);
    test_free(plain);
    for (unsigned i = 0; i < BOMBS; i++) {
        add_text(&file, "a line of text ");
        add(&file, bomb.data, bomb.size);
    }
    pare_chunk_tree *tree = find_chunks(file.data, file.size);
    assert_int_equal(tree->n_packings, 0);
    assert_int_equal(tree->opened, PARE_CHUNK_MOST_OPENED);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&bomb);
    pare_buffer_done(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_streams__lengths_in_digits_follow),
        cmocka_unit_test(test_chunk_streams__the_checksum_decides),
        cmocka_unit_test(test_chunk_streams__the_largest_are_opened),
        cmocka_unit_test(test_chunk_streams__runs_of_lengths_come_first),
        cmocka_unit_test(test_chunk_streams__without_memory),
        cmocka_unit_test(test_chunk_streams__so_many_bombs_are_opened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
