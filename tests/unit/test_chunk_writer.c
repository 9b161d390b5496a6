/* Files of chunks are written as they were, and with what is left. */
/* tests: src/text/packing.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "text/packing.h"
#include "unit/alloc_sweep.h"
#include "unit/chunk_samples.h"

static void test_chunk_writer__what_is_whole_is_written_as_it_was(void **state)
{
    pare_buffer out = {0};
    (void)state;
    for (size_t i = 0; i < N_SAMPLES; i++) {
        pare_chunk_tree *tree = find_chunks(samples[i].bytes, samples[i].size);
        write_without(tree, PARE_NO_CHUNK, false, &out);
        assert_int_equal(out.size, samples[i].size);
        assert_memory_equal(out.data, samples[i].bytes, out.size);
        pare_chunk_tree_unref(tree);
    }
    pare_buffer_done(&out);
}

/* What follows from the bytes that are left: the same chunks but one, and no number is wrong. */
static void test_chunk_writer__without_a_chunk_all_numbers_are_right(void **state)
{
    pare_buffer out = {0};
    (void)state;
    for (size_t i = 0; i < N_SAMPLES; i++) {
        if (samples[i].n_top < 3) continue;
        pare_chunk_tree *tree = find_chunks(samples[i].bytes, samples[i].size);
        for (uint32_t gone = tree->chunks[0].first; gone != PARE_NO_CHUNK;
             gone = tree->chunks[gone].next) {
            write_without(tree, gone, false, &out);
            pare_chunk_tree *less = find_chunks(out.data, out.size);
            assert_int_equal(less->chunks[0].n_children, samples[i].n_top - 1);
            for (uint32_t k = 0; k < less->n_fields; k++)
                assert_true(less->fields[k].bias == 0);
            pare_chunk_tree_unref(less);
        }
        pare_chunk_tree_unref(tree);
    }
    pare_buffer_done(&out);
}

static void test_chunk_writer__outer_lengths_and_pads_follow_inner_ones(void **state)
{
    static const char riff[] = "RIFF\x1a\0\0\0WAVEone \1\0\0\0a\0two \4\0\0\0bcde";
    static const char less[] = "RIFF\x10\0\0\0WAVEtwo \4\0\0\0bcde";
    static const char filled[] = "RIFF\x1a\0\0\0WAVEone \1\0\0\0a\0two \3\0\0\0cde\0";
    pare_buffer out = {0};
    unsigned char kept[sizeof riff];
    (void)state;
    pare_chunk_tree *tree = find_chunks(riff, sizeof riff - 1);
    const uint32_t inner = tree->chunks[tree->chunks[0].first].first;
    write_without(tree, inner, false, &out);
    assert_int_equal(out.size, sizeof less - 1);
    assert_memory_equal(out.data, less, out.size);
    memset(kept, 1, sizeof kept);
    kept[30] = 0; /* the b */
    pare_buffer_reset(&out);
    const pare_chunk_edits edits = {.kept = kept};
    assert_int_equal(pare_chunk_writer_write(tree, &edits, &out, NULL, NULL), PARE_OK);
    assert_int_equal(out.size, sizeof filled - 1);
    assert_memory_equal(out.data, filled, out.size);
    pare_buffer_done(&out);
    pare_chunk_tree_unref(tree);
}

static void test_chunk_writer__padded_numbers_shrink_when_asked_for(void **state)
{
    const struct sample *wasm = &samples[N_SAMPLES - 1];
    pare_buffer out = {0};
    (void)state;
    pare_chunk_tree *tree = find_chunks(wasm->bytes, wasm->size);
    write_without(tree, PARE_NO_CHUNK, true, &out);
    assert_int_equal(out.size, wasm->size - 4);
    assert_memory_equal(out.data, "\0asm\1\0\0\0\1\x08\2", 11);
    write_without(tree, tree->chunks[tree->chunks[0].first].first, false, &out);
    assert_memory_equal(out.data, "\0asm\1\0\0\0\1\x85\x80\x80\x80\0\1\x60\1\x7f\0\3", 20);
    pare_buffer_done(&out);
    pare_chunk_tree_unref(tree);
}

/* Numbers that are wrong by some bytes stay so. */
static void test_chunk_writer__shifts_are_added(void **state)
{
    static const char bytes[] = "\0\0\0\2ab\0\0\0\5cdefg\0\0\0\1h";
    pare_buffer out = {0};
    uint64_t shifts[3] = {0, 7, 0}, values[3];
    unsigned char kept[sizeof bytes];
    (void)state;
    memset(kept, 1, sizeof kept);
    pare_chunk_tree *tree = find_chunks(bytes, sizeof bytes - 1);
    assert_int_equal(tree->n_fields, 3);
    const pare_chunk_edits edits = {.kept = kept, .shifts = shifts};
    assert_int_equal(pare_chunk_writer_write(tree, &edits, &out, values, NULL), PARE_OK);
    assert_memory_equal(out.data, "\0\0\0\2ab\0\0\0\x0c", 10);
    assert_int_equal(values[1], 5);
    pare_buffer_done(&out);
    pare_chunk_tree_unref(tree);
}

static pare_status write_all(void *context)
{
    pare_chunk_tree *tree = context;
    pare_buffer out = {0};
    unsigned char kept[200];
    memset(kept, 1, sizeof kept);
    kept[20] = 0;
    const pare_chunk_edits edits = {.kept = kept, .tight = true};
    pare_status status = pare_chunk_writer_write(tree, &edits, &out, NULL, NULL);
    pare_buffer_done(&out);
    return status;
}

static void test_chunk_writer__a_lack_of_memory_is_reported(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SAMPLES; i++) {
        pare_chunk_tree *tree = find_chunks(samples[i].bytes, samples[i].size);
        sweep_allocations(write_all, tree);
        pare_chunk_tree_unref(tree);
    }
}

/* A lack of memory while a member is opened and closed; without the library nothing is. */
static pare_status pack(void *context)
{
    static const unsigned char text[] = "the same, the same, the same, the same";
    pare_buffer packed = {0}, plain = {0};
    size_t used = 0;
    (void)context;
    pare_status status = pare_packing_close(PARE_PACKING_ZLIB, text, sizeof text, &packed, NULL);
    if (!status)
        status = pare_packing_open(PARE_PACKING_ZLIB,
                                   (pare_span){(const unsigned char *)packed.data, packed.size},
                                   1000, &plain, &used, NULL);
    if (!status) {
        assert_int_equal(used, packed.size);
        assert_int_equal(plain.size, sizeof text);
        assert_memory_equal(plain.data, text, sizeof text);
    }
    pare_buffer_done(&packed);
    pare_buffer_done(&plain);
    return status;
}

static void test_chunk_writer__what_is_packed_is_opened_within_bounds(void **state)
{
    unsigned char zeros[4000] = {0};
    pare_buffer packed = {0}, plain = {0};
    size_t used = 1;
    (void)state;
    pare_status status =
        pare_packing_close(PARE_PACKING_DEFLATE, zeros, sizeof zeros, &packed, NULL);
    if (status == PARE_E_UNSUPPORTED) skip();
    sweep_allocations(pack, NULL);
    assert_int_equal(pare_packing_open(PARE_PACKING_DEFLATE,
                                       (pare_span){(unsigned char *)packed.data, packed.size}, 3999,
                                       &plain, &used, NULL),
                     PARE_OK);
    assert_int_equal(used, 0);
    pare_buffer_reset(&plain);
    assert_int_equal(pare_packing_open(PARE_PACKING_DEFLATE,
                                       (pare_span){(unsigned char *)packed.data, packed.size}, 4000,
                                       &plain, &used, NULL),
                     PARE_OK);
    assert_int_equal(used, packed.size);
    assert_int_equal(pare_packing_open(PARE_PACKING_DEFLATE,
                                       (pare_span){(unsigned char *)packed.data, packed.size - 1},
                                       4000, &plain, &used, NULL),
                     PARE_OK);
    assert_int_equal(used, 0);
    pare_buffer_done(&packed);
    pare_buffer_done(&plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_writer__what_is_whole_is_written_as_it_was),
        cmocka_unit_test(test_chunk_writer__without_a_chunk_all_numbers_are_right),
        cmocka_unit_test(test_chunk_writer__outer_lengths_and_pads_follow_inner_ones),
        cmocka_unit_test(test_chunk_writer__padded_numbers_shrink_when_asked_for),
        cmocka_unit_test(test_chunk_writer__shifts_are_added),
        cmocka_unit_test(test_chunk_writer__a_lack_of_memory_is_reported),
        cmocka_unit_test(test_chunk_writer__what_is_packed_is_opened_within_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
