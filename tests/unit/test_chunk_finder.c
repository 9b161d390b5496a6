/* What is found in binary files. */
/* tests: src/reduce/binary/chunk_wasm.c src/reduce/binary/chunk_tiling.c */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "unit/alloc_sweep.h"
#include "unit/chunk_samples.h"

static void test_chunk_finder__lengths_that_tile_a_file_are_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SAMPLES; i++) {
        pare_chunk_tree *tree = find_chunks(samples[i].bytes, samples[i].size);
        if (tree->chunks[0].n_children != samples[i].n_top)
            fail_msg("%s: %u chunks", samples[i].name, tree->chunks[0].n_children);
        assert_true(tree->n_fields >= samples[i].n_top);
        pare_chunk_tree_unref(tree);
    }
}

static void test_chunk_finder__chunks_are_in_chunks(void **state)
{
    (void)state;
    static const char der[] = "\x30\x12\x02\x01\x05\x30\x06\x04\x04\x61\x62\x63\x64\x0c\x05hello";
    pare_chunk_tree *tree = find_chunks(der, sizeof der - 1);
    assert_int_equal(tree->chunks[tree->chunks[0].first].n_children, 3);
    pare_chunk_tree_unref(tree);
}

static void test_chunk_finder__entries_of_wasm_are_counted(void **state)
{
    (void)state;
    const struct sample *wasm = &samples[N_SAMPLES - 1];
    pare_chunk_tree *tree = find_chunks(wasm->bytes, wasm->size);
    uint32_t n_counts = 0;
    for (uint32_t i = 0; i < tree->n_fields; i++) {
        if (tree->fields[i].number != PARE_NUMBER_COUNT) continue;
        n_counts++;
        assert_int_equal(tree->chunks[tree->fields[i].chunk].n_children, 2);
        assert_true(tree->fields[i].bias == 0);
    }
    assert_int_equal(n_counts, 3);
    pare_chunk_tree_unref(tree);
}

/* Functions of types 0 and 1 after an imported one; the second is exported, as number 2. */
static void test_chunk_finder__a_function_of_wasm_goes_as_a_whole(void **state)
{
    (void)state;
    static const char module[] =
        "\0asm\1\0\0\0\1\x08\2\x60\0\0\x60\1\x7f\0\2\7\1\1m\1f\0\0\3\3\2\0\1"
        "\7\5\1\1e\0\2\x0a\x08\2\2\0\x0b\3\0\1\x0b";
    static const char without[] =
        "\0asm\1\0\0\0\1\x08\2\x60\0\0\x60\1\x7f\0\2\7\1\1m\1f\0\0\3\2\1\1"
        "\7\5\1\1e\0\1\x0a\5\1\3\0\1\x0b";
    pare_chunk_tree *tree = find_chunks(module, sizeof module - 1);
    unsigned char kept[sizeof module];
    pare_buffer out = {0};
    unsigned n_twins = 0;
    for (uint32_t i = 0; i < tree->n_chunks; i++) {
        const pare_chunk *chunk = &tree->chunks[i];
        if (chunk->twin == PARE_NO_CHUNK) continue;
        assert_int_equal(tree->chunks[chunk->twin].twin, i);
        if (n_twins++) continue;
        const pare_chunk *twin = &tree->chunks[chunk->twin];
        memset(kept, 1, sizeof kept);
        memset(kept + chunk->from, 0, chunk->to - chunk->from);
        memset(kept + twin->from, 0, twin->to - twin->from);
    }
    assert_int_equal(n_twins, 4);
    const pare_chunk_edits edits = {.kept = kept};
    assert_int_equal(pare_chunk_writer_write(tree, &edits, &out, NULL, NULL), PARE_OK);
    assert_int_equal(out.size, sizeof without - 1);
    assert_memory_equal(out.data, without, out.size);
    pare_buffer_done(&out);
    pare_chunk_tree_unref(tree);
}

/* A run of bytes that mean nothing. */
static void test_chunk_finder__tables_of_positions_are_noted(void **state)
{
    (void)state;
    static const char film[] = "\0\0\0\x14stco\0\0\0\2\0\0\0\x1c\0\0\0\x20"
                               "\0\0\0\x10mdataaaabbbb";
    pare_chunk_tree *tree = find_chunks(film, sizeof film - 1);
    uint32_t n_positions = 0, n_counts = 0;
    for (uint32_t i = 0; i < tree->n_fields; i++) {
        n_positions += tree->fields[i].number == PARE_NUMBER_POSITION;
        n_counts += tree->fields[i].number == PARE_NUMBER_COUNT && tree->fields[i].at == 8;
        assert_true(tree->fields[i].bias == 0);
    }
    assert_int_equal(n_positions, 2);
    assert_int_equal(n_counts, 1);
    assert_int_equal(tree->chunks[tree->chunks[0].first].n_children, 2);
    pare_chunk_tree_unref(tree);
}

/* A mark, a number of messages, positions of two tables of lengths and positions; strings. */
static const char catalogue[] = "wwww\3\0\0\0\x10\0\0\0\x28\0\0\0"
                                "\1\0\0\0\x40\0\0\0\2\0\0\0\x42\0\0\0\1\0\0\0\x45\0\0\0"
                                "\2\0\0\0\x47\0\0\0\0\0\0\0\x4a\0\0\0\1\0\0\0\x4b\0\0\0"
                                "a\0bb\0c\0dd\0\0f\0";

/* The second of three messages, which are in two tables. */
static void test_chunk_finder__a_row_goes_from_all_tables_with_its_strings(void **state)
{
    (void)state;
    static const char without[] = "wwww\2\0\0\0\x10\0\0\0\x20\0\0\0"
                                  "\1\0\0\0\x30\0\0\0\1\0\0\0\x32\0\0\0"
                                  "\2\0\0\0\x34\0\0\0\1\0\0\0\x37\0\0\0"
                                  "a\0c\0dd\0f\0";
    pare_chunk_tree *tree = find_chunks(catalogue, sizeof catalogue - 1);
    assert_int_equal(tree->chunks[0].n_children, 8);
    unsigned char kept[128];
    pare_buffer out = {0};
    unsigned n_gone = 0;
    const uint32_t table = tree->chunks[0].first;
    const uint32_t row = tree->chunks[tree->chunks[table].first].next;
    memset(kept, 1, sizeof kept);
    for (uint32_t i = row; n_gone < 4; i = tree->chunks[i].twin, n_gone++) {
        assert_true(i != PARE_NO_CHUNK && kept[tree->chunks[i].from]);
        memset(kept + tree->chunks[i].from, 0, tree->chunks[i].to - tree->chunks[i].from);
        assert_true(n_gone < 3 || tree->chunks[i].twin == row);
    }
    const pare_chunk_edits edits = {.kept = kept};
    assert_int_equal(pare_chunk_writer_write(tree, &edits, &out, NULL, NULL), PARE_OK);
    assert_int_equal(out.size, sizeof without - 1);
    assert_memory_equal(out.data, without, out.size);
    pare_buffer_done(&out);
    pare_chunk_tree_unref(tree);
}

static void test_chunk_finder__noise_is_seldom_a_run_of_lengths(void **state)
{
    pare_random random;
    unsigned n_found = 0;
    (void)state;
    pare_random_init(&random, 7);
    for (unsigned i = 0; i < 100; i++) {
        char bytes[200];
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (char)pare_random_below(&random, 256);
        pare_chunk_tree *tree = find_chunks(bytes, sizeof bytes);
        n_found += tree->n_chunks > 1;
        pare_chunk_tree_unref(tree);
    }
    assert_true(n_found <= 10);
}

static void put_little(char *at, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        at[i] = (char)(value >> 8 * i);
}

/* Sound repeats itself, so hundreds of chunks can be guessed in it. */
static void test_chunk_finder__a_sure_chunk_is_not_given_up_for_a_guess_in_it(void **state)
{
    enum { HEAD = 44, SAMPLES = 88200 };
    static char bytes[HEAD + 2 * SAMPLES];
    static const char head[HEAD + 1] = "RIFF....WAVEfmt \x10\0\0\0\1\0\1\0\x44\xac\0\0\x88\x58\1\0"
                                       "\2\0\x10\0data....";
    (void)state;
    memcpy(bytes, head, HEAD);
    put_little(bytes + 4, sizeof bytes - 8);
    put_little(bytes + 40, 2 * SAMPLES);
    for (int i = 0; i < SAMPLES; i++) {
        const int sample = (int)lround(4095 * sin(2 * 3.14159265358979 * 440 * i / 44100));
        bytes[HEAD + 2 * i] = (char)(sample & 255);
        bytes[HEAD + 2 * i + 1] = (char)(sample >> 8);
    }
    pare_chunk_tree *tree = find_chunks(bytes, sizeof bytes);
    assert_int_equal(tree->chunks[0].n_children, 1);
    assert_int_equal(tree->chunks[tree->chunks[0].first].n_children, 2);
    pare_chunk_tree_unref(tree);
}

static void test_chunk_finder__nothing_is_found_in_nothing(void **state)
{
    char zeros[5000] = {0};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        static const size_t sizes[] = {0, 1, sizeof zeros};
        pare_chunk_tree *tree = find_chunks(zeros, sizes[i]);
        assert_int_equal(tree->n_chunks, 1);
        pare_chunk_tree_unref(tree);
    }
}

/* A chunk in a chunk in a chunk, as deep as bytes go. */
static void test_chunk_finder__depth_is_limited(void **state)
{
    char bytes[400];
    (void)state;
    for (size_t i = 0; i < sizeof bytes; i += 4) {
        size_t n = sizeof bytes - i - 4;
        bytes[i] = 0x30;
        bytes[i + 1] = (char)0x82;
        bytes[i + 2] = (char)(n >> 8);
        bytes[i + 3] = (char)n;
    }
    pare_chunk_tree *tree = find_chunks(bytes, sizeof bytes);
    assert_true(tree->n_chunks > 5);
    for (uint32_t i = 0; i < tree->n_chunks; i++)
        assert_true(tree->chunks[i].depth < PARE_CHUNK_MOST_DEPTH);
    pare_chunk_tree_unref(tree);
}

static pare_status find_all(void *context)
{
    (void)context;
    pare_chunk_tree *rows = NULL;
    pare_status found =
        pare_chunk_finder_find((const unsigned char *)catalogue, sizeof catalogue - 1, &rows, NULL);
    assert_true((found == PARE_OK) == (rows != NULL));
    pare_chunk_tree_unref(rows);
    if (found) return found;
    for (size_t i = 0; i < N_SAMPLES; i++) {
        pare_chunk_tree *tree = NULL;
        pare_status status = pare_chunk_finder_find((const unsigned char *)samples[i].bytes,
                                                    samples[i].size, &tree, NULL);
        assert_true((status == PARE_OK) == (tree != NULL));
        pare_chunk_tree_unref(tree);
        if (status) return status;
    }
    return PARE_OK;
}

static void test_chunk_finder__a_lack_of_memory_is_reported(void **state)
{
    (void)state;
    sweep_allocations(find_all, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_finder__lengths_that_tile_a_file_are_found),
        cmocka_unit_test(test_chunk_finder__chunks_are_in_chunks),
        cmocka_unit_test(test_chunk_finder__entries_of_wasm_are_counted),
        cmocka_unit_test(test_chunk_finder__a_function_of_wasm_goes_as_a_whole),
        cmocka_unit_test(test_chunk_finder__tables_of_positions_are_noted),
        cmocka_unit_test(test_chunk_finder__a_row_goes_from_all_tables_with_its_strings),
        cmocka_unit_test(test_chunk_finder__noise_is_seldom_a_run_of_lengths),
        cmocka_unit_test(test_chunk_finder__a_sure_chunk_is_not_given_up_for_a_guess_in_it),
        cmocka_unit_test(test_chunk_finder__nothing_is_found_in_nothing),
        cmocka_unit_test(test_chunk_finder__depth_is_limited),
        cmocka_unit_test(test_chunk_finder__a_lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
