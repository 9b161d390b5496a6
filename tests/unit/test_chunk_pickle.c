/* Pickles of Python. */
/* tests: src/reduce/binary/chunk_pickle.c */
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

/* Without the chunk from .. to of `bytes` the file is `less`. */
struct cut {
    const char *bytes;
    size_t size;
    uint32_t from, to;
    const char *less;
    size_t less_size;
};

#define CUT(bytes, from, to, less)                               \
    {                                                            \
        bytes, sizeof bytes - 1, from, to, less, sizeof less - 1 \
    }

static void assert_cut(const struct cut *cut)
{
    pare_buffer file = {0}, less = {0};
    assert_int_equal(pare_buffer_add(&file, cut->bytes, cut->size, NULL), PARE_OK);
    assert_int_equal(pare_buffer_add(&less, cut->less, cut->less_size, NULL), PARE_OK);
    assert_chunk_goes(&file, cut->from, cut->to, &less);
    pare_buffer_done(&file);
    pare_buffer_done(&less);
}

static void test_chunk_pickle__what_is_remembered_is_counted_anew(void **state)
{
    static const struct cut cuts[] = {
        /* ['a', 'b', 'b'] */
        CUT("\x80\4]\x94(\x8c\1a\x94\x8c\1b\x94h\2e.", 5, 9, "\x80\4]\x94(\x8c\1b\x94h\1e."),
        CUT("\x80\4]\x94(\x8c\1a\x94\x8c\1b\x94h\2e.", 3, 4, "\x80\4](\x8c\1a\x94\x8c\1b\x94h\1e."),
        CUT("\x80\2]q\0(U\1aq\1U\1bq\2h\2e.", 6, 11, "\x80\2]q\0(U\1bq\1h\1e."),
        /* the first number is 1 */
        CUT("\x80\2]q\1(U\1aq\2U\1br\3\0\0\0j\3\0\0\0e.", 6, 11,
            "\x80\2]q\1(U\1br\2\0\0\0j\2\0\0\0e."),
    };
    (void)state;
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++)
        assert_cut(&cuts[i]);
}

static void test_chunk_pickle__pairs_items_and_texts_go(void **state)
{
    static const struct cut cuts[] = {
        /* {'a': 1, 'b': 2} */
        CUT("\x80\4}\x94(\x8c\1a\x94K\1\x8c\1b\x94K\2u.", 5, 11, "\x80\4}\x94(\x8c\1b\x94K\2u."),
        /* all pairs that were put in together */
        CUT("\x80\4}\x94(\x8c\1a\x94K\1\x8c\1b\x94K\2u.", 4, 18, "\x80\4}\x94."),
        CUT("\x80\4}\x8c\1aK\1s.", 3, 9, "\x80\4}."),
        CUT("\x80\4]K\1a.", 3, 6, "\x80\4]."),
        CUT("\x80\4X\3\0\0\0abc\x94.", 7, 10, "\x80\4X\0\0\0\0\x94."),
        /* (1, 2) in a frame */
        CUT("\x80\4\x95\7\0\0\0\0\0\0\0(K\1K\2t.", 12, 14, "\x80\4\x95\5\0\0\0\0\0\0\0(K\2t."),
        /* the state of an object */
        CUT("\x80\4\x8c\1m\x8c\1n\x93)\x81}b.", 11, 13, "\x80\4\x8c\1m\x8c\1n\x93)\x81."),
    };
    (void)state;
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++)
        assert_cut(&cuts[i]);
}

static void test_chunk_pickle__a_value_may_stand_for_another(void **state)
{
    static const char bytes[] = "\x80\4]\x94]K\1aa.";
    (void)state;
    pare_chunk_tree *tree = find_chunks(bytes, sizeof bytes - 1);
    const uint32_t outer = chunk_between(tree, 2, 9), inner = chunk_between(tree, 4, 8);
    assert_int_not_equal(outer, PARE_NO_CHUNK);
    assert_int_not_equal(inner, PARE_NO_CHUNK);
    assert_true(tree->chunks[outer].value && tree->chunks[inner].value);
    assert_true(tree->chunks[outer].fixed);
    pare_chunk_tree_unref(tree);
}

static void test_chunk_pickle__what_is_not_understood_is_none(void **state)
{
    static const char *const files[] = {
        "\x80\4]\x94(\x8c\1a\x94h\2e.", /* nothing was remembered so often */
        "\x80\4]\x94(\x8c\1a\x94"
        "0e.",                          /* drops a value */
        "\x80\4]\x94(\x8c\1a\x94]e]e.", /* no mark */
    };
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        pare_chunk_tree *tree = find_chunks(files[i], strlen(files[i]));
        assert_int_equal(tree->n_marks, 0);
        pare_chunk_tree_unref(tree);
    }
}

static void test_chunk_pickle__damage_is_bounded(void **state)
{
    static const char sample[] =
        "\x80\4\x95\x19\0\0\0\0\0\0\0}\x94(\x8c\1a\x94](K\1\x8c\2xy\x94h\2e"
        "\x8c\1b\x94N\x85u.";
    pare_buffer file = {0};
    (void)state;
    assert_int_equal(pare_buffer_add(&file, sample, sizeof sample - 1, NULL), PARE_OK);
    pare_chunk_tree *tree = find_chunks(sample, sizeof sample - 1);
    assert_int_equal(tree->n_marks, 4);
    pare_chunk_tree_unref(tree);
    assert_damage_is_bounded(&file);
    sweep_allocations(find_and_forget, &file);
    pare_buffer_done(&file);
}

/* [1, 1, ..]: 70 times 1,000 that were put in together. */
static void test_chunk_pickle__of_too_many_values_the_large_ones_are_found(void **state)
{
    enum { N_BATCHES = 70, N_ITEMS = 1000 };
    pare_buffer file = {0}, less = {0};
    (void)state;
    assert_int_equal(pare_buffer_add(&file, "\x80\2]", 3, NULL), PARE_OK);
    for (int batch = 0; batch < N_BATCHES; batch++) {
        assert_int_equal(pare_buffer_add(&file, "(", 1, NULL), PARE_OK);
        for (int i = 0; i < N_ITEMS; i++)
            assert_int_equal(pare_buffer_add(&file, "K\1", 2, NULL), PARE_OK);
        assert_int_equal(pare_buffer_add(&file, "e", 1, NULL), PARE_OK);
    }
    const uint32_t begin = (uint32_t)(file.size - (2 * N_ITEMS + 2)), end = (uint32_t)file.size;
    assert_int_equal(pare_buffer_add(&less, file.data, begin, NULL), PARE_OK);
    assert_int_equal(pare_buffer_add(&file, ".", 1, NULL), PARE_OK);
    assert_int_equal(pare_buffer_add(&less, ".", 1, NULL), PARE_OK);
    assert_chunk_goes(&file, begin, end, &less);
    pare_buffer_done(&file);
    pare_buffer_done(&less);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_pickle__what_is_remembered_is_counted_anew),
        cmocka_unit_test(test_chunk_pickle__pairs_items_and_texts_go),
        cmocka_unit_test(test_chunk_pickle__of_too_many_values_the_large_ones_are_found),
        cmocka_unit_test(test_chunk_pickle__a_value_may_stand_for_another),
        cmocka_unit_test(test_chunk_pickle__what_is_not_understood_is_none),
        cmocka_unit_test(test_chunk_pickle__damage_is_bounded),
    };
    return cmocka_run_group_tests_name("chunk_pickle", tests, NULL, NULL);
}
