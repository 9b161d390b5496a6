/* FLAC. */
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

enum { BLOCKS = 3, FRAMES = 4, PARTS = BLOCKS + FRAMES };

/* Where each block and frame begins, and the last one ends. */
struct sound {
    pare_buffer file;
    uint32_t at[PARTS + 1];
};

static void add(pare_buffer *to, const void *bytes, size_t n)
{
    assert_int_equal(pare_buffer_add(to, bytes, n, NULL), PARE_OK);
}

/* Those of the set: blocks about the sound, of which the last one says that it is, and frames. */
static void make_sound(unsigned set, struct sound *sound)
{
    /* The last byte of each is the checksum of those before it, as a file by ffmpeg has them. */
    static const unsigned char heads[FRAMES][6] = {{0xff, 0xf8, 0x59, 0x08, 0x00, 0x3c},
                                                   {0xff, 0xf8, 0x59, 0x08, 0x01, 0x3b},
                                                   {0xff, 0xf8, 0x59, 0x08, 0x02, 0x32},
                                                   {0xff, 0xf8, 0x59, 0x08, 0x03, 0x35}};
    add(&sound->file, "fLaC", 4);
    for (unsigned i = 0; i < PARTS; i++) {
        sound->at[i] = (uint32_t)sound->file.size;
        if (!(set >> i & 1)) continue;
        if (i < BLOCKS) {
            const unsigned char head[] = {(unsigned char)(i | (i + 1 == BLOCKS ? 0x80 : 0)), 0, 0,
                                          (unsigned char)(8 + 4 * i)};
            add(&sound->file, head, sizeof head);
            add(&sound->file, "some words and a few", 8 + 4 * i);
        } else {
            add(&sound->file, heads[i - BLOCKS], sizeof *heads);
            add(&sound->file, "sound\xffsound", 5 + i);
        }
    }
    sound->at[PARTS] = (uint32_t)sound->file.size;
}

/* What is left without a block or a frame is what the file without it would be; the last block stays. */
static void test_chunk_flac__blocks_and_frames_go(void **state)
{
    const unsigned all = (1U << PARTS) - 1;
    (void)state;
    for (unsigned i = 0; i < PARTS; i++) {
        struct sound sound = {.file = {0}}, less = {.file = {0}};
        make_sound(all, &sound);
        make_sound(i == BLOCKS - 1 ? all : all & ~(1U << i), &less);
        assert_named_goes(&sound.file, sound.at[i], sound.at[i + 1], &less.file);
        pare_buffer_done(&sound.file);
        pare_buffer_done(&less.file);
    }
}

static void test_chunk_flac__the_length_of_a_block_follows(void **state)
{
    struct sound sound = {.file = {0}};
    pare_buffer out = {0};
    (void)state;
    make_sound((1U << PARTS) - 1, &sound);
    pare_chunk_tree *tree = find_chunks(sound.file.data, sound.file.size);
    const uint32_t content = chunk_between(tree, sound.at[2] + 4, sound.at[3]);
    assert_int_not_equal(content, PARE_NO_CHUNK);
    write_without(tree, content, false, &out);
    assert_int_equal(out.size, sound.file.size - 16);
    assert_memory_equal(out.data + sound.at[2], "\x82\0\0\0\xff\xf8", 6);
    pare_chunk_tree_unref(tree);
    pare_buffer_done(&sound.file);
    pare_buffer_done(&out);
}

static void test_chunk_flac__damage_is_read_within_bounds(void **state)
{
    struct sound sound = {.file = {0}};
    (void)state;
    make_sound((1U << PARTS) - 1, &sound);
    assert_damage_is_bounded(&sound.file);
    pare_buffer_done(&sound.file);
}

static void test_chunk_flac__a_lack_of_memory_is_reported(void **state)
{
    struct sound sound = {.file = {0}};
    (void)state;
    make_sound((1U << PARTS) - 1, &sound);
    sweep_allocations(find_and_forget, &sound.file);
    pare_buffer_done(&sound.file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_flac__blocks_and_frames_go),
        cmocka_unit_test(test_chunk_flac__the_length_of_a_block_follows),
        cmocka_unit_test(test_chunk_flac__damage_is_read_within_bounds),
        cmocka_unit_test(test_chunk_flac__a_lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
