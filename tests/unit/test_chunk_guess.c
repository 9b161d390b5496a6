/* Layouts of chunks that are found out. */
/* tests: src/reduce/binary/chunk_layout.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "reduce/binary/chunk_guess.h"

enum { FILE_BYTES = 2500, ROOM = 8000, MOST_STEPS = 1 << 24 };

/* A file that is made chunk by chunk. */
struct made {
    char bytes[ROOM];
    uint32_t size, n;
    pare_random random;
};

static void add_byte(struct made *made, unsigned byte)
{
    made->bytes[made->size++] = (char)byte;
}

static void add_length(struct made *made, const pare_chunk_layout *layout, uint64_t value)
{
    if (layout->coding == PARE_CODING_LEB) {
        for (; value > 127; value >>= 7)
            add_byte(made, (unsigned)value | 128);
        add_byte(made, (unsigned)value);
        return;
    }
    pare_chunk_coding_write(layout->coding, layout->width, value,
                            (unsigned char *)made->bytes + made->size);
    made->size += layout->width;
}

/* A chunk of n bytes of content; `bias` says what else its length counts. */
static void add_chunk(struct made *made, const pare_chunk_layout *layout, uint32_t n)
{
    const uint32_t from = made->size;
    const uint32_t head = (uint32_t)layout->before + layout->width + layout->after;
    for (uint32_t i = 0; i < layout->before; i++)
        add_byte(made, 'A' + (i ? i : (unsigned)pare_random_below(&made->random, 6)));
    add_length(made, layout, n + head - layout->bias);
    for (uint32_t i = 0; i < layout->after; i++)
        add_byte(made, 'z');
    while (n--)
        add_byte(made, (unsigned)pare_random_below(&made->random, 256));
    while ((made->size - from) % layout->align)
        add_byte(made, 0);
    made->n++;
}

static void begin(struct made *made, unsigned seed, uint32_t n_magic)
{
    *made = (struct made){.size = 0};
    pare_random_init(&made->random, seed);
    for (uint32_t i = 0; i < n_magic; i++)
        add_byte(made, (unsigned)pare_random_below(&made->random, 256));
}

static pare_chunk_guess guess(const struct made *made)
{
    pare_chunk_tree *tree = NULL;
    uint64_t steps = MOST_STEPS;
    assert_int_equal(
        pare_chunk_tree_new((const unsigned char *)made->bytes, made->size, &tree, NULL), PARE_OK);
    const pare_chunk_guess found = pare_chunk_guess_find(tree, 0, made->size, &steps);
    pare_chunk_tree_unref(tree);
    return found;
}

/* None of them is a listed one. */
static const pare_chunk_layout layouts[] = {
    {.before = 3, .width = 2, .coding = PARE_CODING_BIG, .align = 1, .bias = 5},
    {.before = 2, .width = 3, .coding = PARE_CODING_LITTLE, .after = 2, .align = 1, .bias = 7},
    {.before = 1, .width = 1, .coding = PARE_CODING_BIG, .after = 1, .align = 1, .bias = 3},
    {.before = 3, .width = 2, .coding = PARE_CODING_LITTLE, .align = 4, .bias = 5},
    {.before = 3, .width = 4, .coding = PARE_CODING_LITTLE, .align = 1, .bias = 0},
    {.before = 2, .width = 0, .coding = PARE_CODING_LEB, .after = 1, .align = 1, .bias = 3},
};

static void test_chunk_guess__layouts_are_found_out(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        struct made made;
        const uint32_t n_magic = 3 * i;
        begin(&made, i, n_magic);
        while (made.size < FILE_BYTES)
            add_chunk(
                &made, &layouts[i],
                1 + (uint32_t)pare_random_below(&made.random, layouts[i].width == 1 ? 250 : 300));
        const pare_chunk_guess found = guess(&made);
        if (found.n != made.n || found.from != n_magic ||
            found.layout.coding != layouts[i].coding || found.layout.before != layouts[i].before ||
            found.layout.bias != layouts[i].bias || found.layout.align != layouts[i].align ||
            found.layout.width != layouts[i].width)
            fail_msg(
                "layout %u: %u of %u from %u, before %u, width %u, coding %d, bias %u, align %u", i,
                found.n, made.n, found.from, found.layout.before, found.layout.width,
                (int)found.layout.coding, found.layout.bias, found.layout.align);
    }
}

/* The first chunk holds as many chunks as there are behind it, and is taken for one. */
static void test_chunk_guess__what_holds_others_comes_first(void **state)
{
    const pare_chunk_layout *layout = &layouts[0];
    struct made made, inner;
    (void)state;
    begin(&inner, 1, 0);
    while (inner.n < 8)
        add_chunk(&inner, layout, 20 + (uint32_t)pare_random_below(&inner.random, 20));
    begin(&made, 2, 7);
    add_chunk(&made, layout, inner.size);
    memcpy(made.bytes + made.size - inner.size, inner.bytes, inner.size);
    while (made.n < 9)
        add_chunk(&made, layout, 20 + (uint32_t)pare_random_below(&made.random, 20));
    const pare_chunk_guess found = guess(&made);
    assert_int_equal(found.from, 7);
    assert_int_equal(found.n, made.n);
}

static void test_chunk_guess__a_checksum_is_content_of_none(void **state)
{
    const pare_chunk_layout layout = {
        .before = 3, .width = 2, .coding = PARE_CODING_BIG, .align = 1, .bias = 5};
    struct made made;
    (void)state;
    begin(&made, 3, 5);
    for (unsigned i = 0; i < 20; i++) {
        add_chunk(&made, &layout, 24);
        unsigned char *end = (unsigned char *)made.bytes + made.size;
        pare_chunk_coding_write(PARE_CODING_LITTLE, 4, pare_chunk_coding_crc32(end - 24, 20),
                                end - 4);
    }
    const pare_chunk_guess found = guess(&made);
    assert_int_equal(found.n, 20);
    assert_int_equal(found.layout.trailer, 4);
    assert_true(found.layout.sum == PARE_NUMBER_CRC32);
    assert_true(found.layout.sum_coding == PARE_CODING_LITTLE);
    assert_int_equal(found.layout.sum_from, 0);
}

static void test_chunk_guess__noise_has_no_layout(void **state)
{
    unsigned n_found = 0;
    (void)state;
    for (unsigned i = 0; i < 50; i++) {
        struct made made;
        begin(&made, i, 400);
        n_found += guess(&made).n > 0;
    }
    assert_true(n_found <= 5);
}

static void test_chunk_guess__steps_are_limited(void **state)
{
    pare_chunk_tree *tree = NULL;
    struct made made;
    uint64_t steps = 100;
    (void)state;
    begin(&made, 5, FILE_BYTES);
    assert_int_equal(pare_chunk_tree_new((const unsigned char *)made.bytes, made.size, &tree, NULL),
                     PARE_OK);
    assert_int_equal(pare_chunk_guess_find(tree, 0, made.size, &steps).n, 0);
    assert_int_equal(steps, 0);
    pare_chunk_tree_unref(tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_guess__layouts_are_found_out),
        cmocka_unit_test(test_chunk_guess__what_holds_others_comes_first),
        cmocka_unit_test(test_chunk_guess__a_checksum_is_content_of_none),
        cmocka_unit_test(test_chunk_guess__noise_has_no_layout),
        cmocka_unit_test(test_chunk_guess__steps_are_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
