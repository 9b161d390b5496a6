/* Catalogues of messages. */
/* tests: src/reduce/binary/chunk_mo.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "reduce/binary/chunk_formats.h"
#include "unit/chunk_samples.h"

enum { MESSAGES = 3, HEAD = 28, ENTRY = 8 };

static void add(pare_buffer *to, const void *bytes, size_t n)
{
    assert_int_equal(pare_buffer_add(to, bytes, n, NULL), PARE_OK);
}

static void add_word(pare_buffer *to, bool big, size_t value)
{
    unsigned char bytes[4];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[big ? 3 - i : i] = (unsigned char)(value >> 8 * i);
    add(to, bytes, sizeof bytes);
}

/* A catalogue of the set of messages, with the hashes of all or without any. */
static void make_catalogue(unsigned messages, bool big, bool hashes, pare_buffer *file)
{
    static const char *const texts[2][MESSAGES] = {{"", "file", "open"},
                                                   {"Language: de\n", "Datei", "offen"}};
    unsigned n = 0;
    for (unsigned i = 0; i < MESSAGES; i++)
        n += messages >> i & 1;
    const size_t table = HEAD + (size_t)n * ENTRY, behind = table + (size_t)n * ENTRY;
    size_t at = behind + (hashes ? 5 * 4 : 0);
    add_word(file, big, 0x950412de);
    add_word(file, big, 0);
    add_word(file, big, n);
    add_word(file, big, HEAD);
    add_word(file, big, table);
    add_word(file, big, hashes ? 5 : 0);
    add_word(file, big, behind);
    for (unsigned k = 0; k < 2; k++)
        for (unsigned i = 0; i < MESSAGES; i++) {
            if (!(messages >> i & 1)) continue;
            add_word(file, big, strlen(texts[k][i]));
            add_word(file, big, at);
            at += strlen(texts[k][i]) + 1;
        }
    for (unsigned i = 0; hashes && i < 5; i++)
        add_word(file, big, i);
    for (unsigned k = 0; k < 2; k++)
        for (unsigned i = 0; i < MESSAGES; i++)
            if (messages >> i & 1) add(file, texts[k][i], strlen(texts[k][i]) + 1);
}

/* Writes the tree without its chunk from .. to-1, of which there must be one, and what goes with that. */
static void write_cut(const pare_chunk_tree *tree, uint32_t from, uint32_t to, pare_buffer *out)
{
    unsigned char *kept = test_calloc((size_t)tree->size + 1, 1);
    const pare_chunk_edits edits = {.kept = kept};
    uint32_t chunk = 1;
    memset(kept, 1, (size_t)tree->size + 1);
    while (chunk < tree->n_chunks &&
           (tree->chunks[chunk].from != from || tree->chunks[chunk].to != to))
        chunk++;
    assert_true(chunk < tree->n_chunks);
    pare_chunk_names_cut_chunk(tree, kept, chunk);
    assert_int_equal(pare_chunk_writer_write(tree, &edits, out, NULL, NULL), PARE_OK);
    test_free(kept);
}

static void test_chunk_mo__a_message_goes_with_its_translation(void **state)
{
    (void)state;
    for (int big = 0; big < 2; big++) {
        pare_buffer file = {0}, less = {0}, out = {0};
        make_catalogue(7, big, true, &file);
        make_catalogue(5, big, true, &less);
        pare_chunk_tree *tree = find_chunks(file.data, file.size);
        write_cut(tree, HEAD + ENTRY, HEAD + 2 * ENTRY, &out);
        assert_int_equal(out.size, less.size);
        assert_memory_equal(out.data, less.data, less.size);
        pare_chunk_tree_unref(tree);
        pare_buffer_done(&file);
        pare_buffer_done(&less);
        pare_buffer_done(&out);
    }
}

static void test_chunk_mo__hashes_go_as_a_whole(void **state)
{
    (void)state;
    pare_buffer file = {0}, less = {0}, out = {0};
    const uint32_t at = HEAD + 2 * MESSAGES * ENTRY;
    make_catalogue(7, false, true, &file);
    make_catalogue(7, false, false, &less);
    pare_chunk_tree *tree = find_chunks(file.data, file.size);
    write_cut(tree, at, at + 5 * 4, &out);
    assert_int_equal(out.size, less.size);
    assert_memory_equal(out.data, less.data, less.size);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&file);
    pare_buffer_done(&less);
    pare_buffer_done(&out);
}

/* Nothing of it is believed if a text leads out of the file, or there are more messages than fit. */
static void test_chunk_mo__all_of_it_has_to_agree(void **state)
{
    (void)state;
    static const uint32_t places[] = {8, 12, 16, 24, HEAD, HEAD + 4, HEAD + MESSAGES * ENTRY};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        pare_buffer file = {0};
        make_catalogue(7, true, true, &file);
        memset(file.data + places[i], 0x7f, 1);
        pare_chunk_tree *tree = NULL;
        bool found = true;
        assert_int_equal(pare_chunk_tree_new((unsigned char *)file.data, file.size, &tree, NULL),
                         PARE_OK);
        assert_int_equal(pare_chunk_mo_read(tree, 0, &found, NULL), PARE_OK);
        assert_false(found);
        assert_int_equal(tree->n_chunks, 1);
        pare_chunk_tree_unref(tree);
        pare_buffer_done(&file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_mo__a_message_goes_with_its_translation),
        cmocka_unit_test(test_chunk_mo__hashes_go_as_a_whole),
        cmocka_unit_test(test_chunk_mo__all_of_it_has_to_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
