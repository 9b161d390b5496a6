/* Ogg. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "reduce/binary/chunk_coding.h"
#include "unit/alloc_sweep.h"
#include "unit/chunk_samples.h"

enum { PAGES = 3, SEGMENTS = 2, HEAD = 27 };

static void add(pare_buffer *to, const void *bytes, size_t n)
{
    assert_int_equal(pare_buffer_add(to, bytes, n, NULL), PARE_OK);
}

/* The pages of the set, numbered in turn, each with the segments of the other set; `at` is where each page
 * begins. */
static void make_sound(unsigned pages, unsigned segments, pare_buffer *file, uint32_t *at)
{
    static const char *const texts[SEGMENTS] = {"some words", "and a few others"};
    unsigned char number = 0;
    for (unsigned i = 0; i < PAGES; i++) {
        const size_t from = at[i] = (uint32_t)file->size;
        if (!(pages >> i & 1)) continue;
        unsigned char head[HEAD] = "OggS";
        head[14] = 7;
        head[18] = number++;
        add(file, head, HEAD);
        for (unsigned k = 0; k < SEGMENTS; k++)
            if (segments >> k & 1) {
                const unsigned char n = (unsigned char)strlen(texts[k]);
                add(file, &n, 1);
                file->data[from + HEAD - 1]++;
            }
        for (unsigned k = 0; k < SEGMENTS; k++)
            if (segments >> k & 1) add(file, texts[k], strlen(texts[k]));
        unsigned char *page = (unsigned char *)file->data + from;
        pare_chunk_coding_write(PARE_CODING_LITTLE, 4,
                                pare_chunk_coding_crc32_ogg(page, file->size - from, 22),
                                page + 22);
    }
    at[PAGES] = (uint32_t)file->size;
}

static void test_chunk_ogg__pages_go_and_others_are_numbered_anew(void **state)
{
    const unsigned all = (1U << PAGES) - 1, both = (1U << SEGMENTS) - 1;
    (void)state;
    for (unsigned i = 0; i < PAGES; i++) {
        pare_buffer file = {0}, less = {0};
        uint32_t at[PAGES + 1], unused[PAGES + 1];
        make_sound(all, both, &file, at);
        make_sound(all & ~(1U << i), both, &less, unused);
        assert_chunk_goes(&file, at[i], at[i + 1], &less);
        pare_buffer_done(&file);
        pare_buffer_done(&less);
    }
}

static void test_chunk_ogg__a_segment_goes_with_its_length(void **state)
{
    pare_buffer file = {0}, less = {0};
    uint32_t at[PAGES + 1], unused[PAGES + 1];
    (void)state;
    make_sound(1, 3, &file, at);
    make_sound(1, 2, &less, unused);
    assert_named_goes(&file, HEAD + 2, HEAD + 2 + 10, &less);
    pare_buffer_done(&file);
    pare_buffer_done(&less);
}

static void test_chunk_ogg__damage_is_read_within_bounds(void **state)
{
    pare_buffer file = {0};
    uint32_t at[PAGES + 1];
    (void)state;
    make_sound((1U << PAGES) - 1, 3, &file, at);
    assert_damage_is_bounded(&file);
    pare_buffer_done(&file);
}

static void test_chunk_ogg__a_lack_of_memory_is_reported(void **state)
{
    pare_buffer file = {0};
    uint32_t at[PAGES + 1];
    (void)state;
    make_sound((1U << PAGES) - 1, 3, &file, at);
    sweep_allocations(find_and_forget, &file);
    pare_buffer_done(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_ogg__pages_go_and_others_are_numbered_anew),
        cmocka_unit_test(test_chunk_ogg__a_segment_goes_with_its_length),
        cmocka_unit_test(test_chunk_ogg__damage_is_read_within_bounds),
        cmocka_unit_test(test_chunk_ogg__a_lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
