/* What goes when nothing names it any more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "unit/alloc_sweep.h"
#include "unit/chunk_samples.h"

enum { N = 9, WIDTH = 4, NONE = 255 };

/* N chunks of WIDTH numbers each, some of which name chunks; cut: those that go at first. */
struct names {
    unsigned char of[N][WIDTH];
    bool cut[N];
};

static uint32_t noise = 1;

static unsigned next_number(unsigned below)
{
    noise = noise * 1664525 + 1013904223;
    return (noise >> 16) % below;
}

static pare_status make_tree(const struct names *names, pare_chunk_tree **out)
{
    unsigned char bytes[N * WIDTH] = {0};
    pare_chunk_tree *tree = NULL;
    pare_status status = pare_chunk_tree_new(bytes, sizeof bytes, &tree, NULL);
    for (uint32_t i = 0, chunk; !status && i < N; i++)
        status = pare_chunk_tree_add(tree, 0, i * WIDTH, (i + 1) * WIDTH, &chunk, NULL);
    for (uint32_t at = 0; !status && at < N * WIDTH; at++) {
        const unsigned target = names->of[at / WIDTH][at % WIDTH];
        const pare_chunk_field field = {.number = PARE_NUMBER_INDEX,
                                        .coding = PARE_CODING_BIG,
                                        .width = 1,
                                        .at = at,
                                        .from = target * WIDTH,
                                        .to = target * WIDTH,
                                        .target = target + 2};
        if (target != NONE) status = pare_chunk_tree_field(tree, &field, NULL);
    }
    if (!status) status = pare_chunk_tree_seal(tree, NULL);
    if (status) {
        pare_chunk_tree_unref(tree);
        return status;
    }
    *out = tree;
    return PARE_OK;
}

/* Who is left: one after the other is looked at until nothing changes. */
static void cut_by_hand(const struct names *names, bool *left)
{
    for (unsigned i = 0; i < N; i++)
        left[i] = !names->cut[i];
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned i = 0; i < N; i++) {
            bool was = false, is = false;
            for (unsigned k = 0; k < N * WIDTH; k++) {
                was = was || names->of[k / WIDTH][k % WIDTH] == i;
                is = is || (names->of[k / WIDTH][k % WIDTH] == i && left[k / WIDTH]);
            }
            if (!left[i] || !was || is) continue;
            left[i] = false;
            changed = true;
        }
    }
}

static void cut_by_tree(const pare_chunk_tree *tree, const struct names *names, unsigned char *left)
{
    unsigned char before[N * WIDTH + 1];
    bool any;
    memset(before, 1, sizeof before);
    memset(left, 1, sizeof before);
    for (uint32_t i = 0; i < N; i++)
        if (names->cut[i]) pare_chunk_names_cut_chunk(tree, left, i + 1);
    assert_int_equal(pare_chunk_names_cut(tree, before, left, &any, NULL), PARE_OK);
}

static void test_chunk_names__what_nothing_names_any_more_goes(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 500; round++) {
        struct names names = {.cut = {false}};
        unsigned char left[N * WIDTH + 1];
        bool by_hand[N];
        pare_chunk_tree *tree = NULL;
        for (unsigned i = 0; i < N * WIDTH; i++) {
            const unsigned target = next_number(2 * N);
            names.of[i / WIDTH][i % WIDTH] = (unsigned char)(target < N ? target : NONE);
        }
        for (unsigned i = 0; i < N; i++)
            names.cut[i] = next_number(3) == 0;
        assert_int_equal(make_tree(&names, &tree), PARE_OK);
        cut_by_tree(tree, &names, left);
        cut_by_hand(&names, by_hand);
        for (unsigned i = 0; i < N * WIDTH; i++)
            assert_int_equal(left[i], by_hand[i / WIDTH]);
        pare_chunk_tree_unref(tree);
    }
}

/* In a tree of names a chunk weighs what goes with it. */
static void test_chunk_names__the_weight_is_what_goes_with_it(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 200; round++) {
        struct names names;
        unsigned char left[N * WIDTH + 1], all[N * WIDTH + 1];
        unsigned used[N] = {0};
        pare_chunk_tree *tree = NULL;
        memset(names.of, NONE, sizeof names.of);
        memset(names.cut, 0, sizeof names.cut);
        memset(all, 1, sizeof all);
        for (unsigned i = 1; i < N; i++) {
            const unsigned by = next_number(i);
            if (used[by] < WIDTH) names.of[by][used[by]++] = (unsigned char)i;
        }
        const unsigned cut = next_number(N);
        names.cut[cut] = true;
        assert_int_equal(make_tree(&names, &tree), PARE_OK);
        cut_by_tree(tree, &names, left);
        uint64_t gone = 0;
        for (unsigned i = 0; i < N * WIDTH; i++)
            gone += !left[i];
        assert_int_equal(pare_chunk_names_weight(tree, all, cut * WIDTH, (cut + 1) * WIDTH),
                         tree->n_names ? gone - WIDTH : 0);
        pare_chunk_tree_unref(tree);
    }
}

static pare_status cut_once(void *context)
{
    pare_chunk_tree *tree = NULL;
    unsigned char before[N * WIDTH + 1], left[N * WIDTH + 1];
    bool any;
    memset(before, 1, sizeof before);
    memset(left, 1, sizeof left);
    memset(left, 0, WIDTH);
    pare_status status = make_tree(context, &tree);
    if (status) return status;
    status = pare_chunk_names_cut(tree, before, left, &any, NULL);
    pare_chunk_tree_unref(tree);
    return status;
}

static void test_chunk_names__a_lack_of_memory_is_reported(void **state)
{
    struct names names = {.cut = {true}};
    (void)state;
    memset(names.of, 1, sizeof names.of);
    sweep_allocations(cut_once, &names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_names__what_nothing_names_any_more_goes),
        cmocka_unit_test(test_chunk_names__the_weight_is_what_goes_with_it),
        cmocka_unit_test(test_chunk_names__a_lack_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
