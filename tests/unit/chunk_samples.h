/* Small binary files for the tests of chunks.
 *
 * Include after <cmocka.h>. */
#ifndef PARE_TESTS_CHUNK_SAMPLES_H
#define PARE_TESTS_CHUNK_SAMPLES_H

#include <stddef.h>

#include "reduce/binary/chunk_finder.h"
#include "reduce/binary/chunk_names.h"
#include "reduce/binary/chunk_writer.h"

struct sample {
    const char *name;
    const char *bytes;
    size_t size;
    uint32_t n_top; /* chunks of the file itself */
};

#define SAMPLE(name, bytes, n)           \
    {                                    \
        name, bytes, sizeof bytes - 1, n \
    }

static const struct sample samples[] = {
    SAMPLE("big-endian lengths", "\0\0\0\2ab\0\0\0\5cdefg\0\0\0\1h", 3),
    SAMPLE("little-endian lengths", "\2\0\0\0ab\5\0\0\0cdefg\1\0\0\0h", 3),
    SAMPLE("png",
           "\x89PNG\r\n\x1a\n\0\0\0\4IHDR\1\2\3\4\xb4\xe0\x7d\x0f\0\0\0\2tEXtab\0\0\0\0"
           "\0\0\0\0IEND\xae\x42\x60\x82",
           3),
    SAMPLE("riff", "RIFF\x1a\0\0\0WAVEone \1\0\0\0a\0two \4\0\0\0bcde", 1),
    SAMPLE("midi", "MThd\0\0\0\6\0\1\0\2\0\x60MTrk\0\0\0\4\0\xff\x2f\0MTrk\0\0\0\3abc", 3),
    SAMPLE("der", "\x30\x12\x02\x01\x05\x30\x06\x04\x04\x61\x62\x63\x64\x0c\x05hello", 1),
    SAMPLE("wasm",
           "\0asm\1\0\0\0\1\x88\x80\x80\x80\0\2\x60\0\0\x60\1\x7f\0\3\3\2\0\1\x0a\x07\2\2\0\x0b\2\0"
           "\x0b",
           3),
};

enum { N_SAMPLES = sizeof samples / sizeof *samples };

static inline pare_chunk_tree *find_chunks(const char *bytes, size_t size)
{
    pare_chunk_tree *tree = NULL;
    assert_int_equal(pare_chunk_finder_find((const unsigned char *)bytes, size, &tree, NULL),
                     PARE_OK);
    assert_true(pare_chunk_tree_check(tree));
    return tree;
}

/* What is kept of the file, written, is these bytes. */
static inline void assert_writes(const pare_chunk_tree *tree, const unsigned char *kept,
                                 const void *bytes, size_t n)
{
    const pare_chunk_edits edits = {.kept = kept};
    pare_buffer out = {0};
    assert_int_equal(pare_chunk_writer_write(tree, &edits, &out, NULL, NULL), PARE_OK);
    assert_int_equal(out.size, n);
    assert_memory_equal(out.data, bytes, n);
    pare_buffer_done(&out);
}

/* The file without what `gone` (a chunk, PARE_NO_CHUNK: none) is. */
static inline void write_without(const pare_chunk_tree *tree, uint32_t gone, bool tight,
                                 pare_buffer *out)
{
    unsigned char *kept = test_calloc((size_t)tree->size + 1, 1);
    memset(kept, 1, (size_t)tree->size + 1);
    if (gone != PARE_NO_CHUNK)
        memset(kept + tree->chunks[gone].from, 0, tree->chunks[gone].to - tree->chunks[gone].from);
    const pare_chunk_edits edits = {.kept = kept, .tight = tight};
    pare_buffer_reset(out);
    assert_int_equal(pare_chunk_writer_write(tree, &edits, out, NULL, NULL), PARE_OK);
    test_free(kept);
}

/* The same without a chunk, what goes with it, and what only that names. */
static inline void write_without_named(const pare_chunk_tree *tree, uint32_t gone, pare_buffer *out)
{
    unsigned char *left = test_calloc((size_t)tree->size + 1, 1),
                  *before = test_calloc((size_t)tree->size + 1, 1);
    bool any;
    memset(left, 1, (size_t)tree->size + 1);
    memset(before, 1, (size_t)tree->size + 1);
    pare_chunk_names_cut_chunk(tree, left, gone);
    assert_int_equal(pare_chunk_names_cut(tree, before, left, &any, NULL), PARE_OK);
    const pare_chunk_edits edits = {.kept = left};
    pare_buffer_reset(out);
    assert_int_equal(pare_chunk_writer_write(tree, &edits, out, NULL, NULL), PARE_OK);
    test_free(left);
    test_free(before);
}

/* Damages a file at each of its bytes in turn, by another value, by 0xff and by ending there: its chunks are
 * found all the same, and write it back as it is. */
static inline void assert_damage_is_bounded(pare_buffer *file)
{
    pare_buffer out = {0};
    for (size_t i = 0; i < file->size * 3; i++) {
        const size_t at = i / 3, n = i % 3 ? file->size : at;
        const char was = file->data[at];
        if (i % 3) file->data[at] = (char)(i % 3 == 1 ? 0xff : was + 1);
        pare_chunk_tree *tree = find_chunks(file->data, n);
        write_without(tree, PARE_NO_CHUNK, false, &out);
        assert_int_equal(out.size, n);
        if (n) assert_memory_equal(out.data, file->data, n);
        pare_chunk_tree_unref(tree);
        file->data[at] = was;
    }
    pare_buffer_done(&out);
}

/* Finds the chunks of a pare_buffer, and forgets them: to be swept (unit/alloc_sweep.h). */
static inline pare_status find_and_forget(void *context)
{
    const pare_buffer *file = context;
    pare_chunk_tree *tree = NULL;
    pare_status status =
        pare_chunk_finder_find((const unsigned char *)file->data, file->size, &tree, NULL);
    assert_true((status == PARE_OK) == (tree != NULL));
    pare_chunk_tree_unref(tree);
    return status;
}

/* The chunk that begins and ends there; PARE_NO_CHUNK: there is none. */
static inline uint32_t chunk_between(const pare_chunk_tree *tree, uint32_t from, uint32_t to)
{
    for (uint32_t i = 1; i < tree->n_chunks; i++)
        if (tree->chunks[i].from == from && tree->chunks[i].to == to) return i;
    return PARE_NO_CHUNK;
}

/* The file without the chunk from `from` to `to`, what goes with it, and what only that names. */
static inline void write_file_without_named(const pare_buffer *file, uint32_t from, uint32_t to,
                                            pare_buffer *out)
{
    pare_chunk_tree *tree = find_chunks(file->data, file->size);
    const uint32_t gone = chunk_between(tree, from, to);
    assert_int_not_equal(gone, PARE_NO_CHUNK);
    write_without_named(tree, gone, out);
    pare_chunk_tree_unref(tree);
}

/* That is *less. */
static inline void assert_named_goes(const pare_buffer *file, uint32_t from, uint32_t to,
                                     const pare_buffer *less)
{
    pare_buffer out = {0};
    write_file_without_named(file, from, to, &out);
    assert_int_equal(out.size, less->size);
    assert_memory_equal(out.data, less->data, out.size);
    pare_buffer_done(&out);
}

/* Without the chunk from `from` to `to` the file is *less. */
static inline void assert_chunk_goes(const pare_buffer *file, uint32_t from, uint32_t to,
                                     const pare_buffer *less)
{
    pare_buffer out = {0};
    pare_chunk_tree *tree = find_chunks(file->data, file->size);
    const uint32_t gone = chunk_between(tree, from, to);
    assert_int_not_equal(gone, PARE_NO_CHUNK);
    write_without(tree, gone, false, &out);
    assert_int_equal(out.size, less->size);
    assert_memory_equal(out.data, less->data, out.size);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&out);
}

#endif
