/* Parts of a structure: the order in which the heap gives them, and where they are cut. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reduce/structure/part.h"
#include "reduce/structure/structure.h"
#include "unit/support/structure_text.h"

static pare_structure *structure_of(const char *text)
{
    return make_structure(text, strlen(text));
}

static void test_part__heaviest_first_then_the_rear_one(void **state)
{
    (void)state;
    pare_structure *structure = structure_of("a\nb\nc\nd\ne\nf\ng\nh\n");
    pare_part_heap heap;
    pare_part part;
    assert_int_equal(pare_part_heap_init(&heap, NULL), PARE_OK);
    assert_int_equal(pare_part_heap_put(&heap, structure, 0, 1, false, NULL), PARE_OK);
    assert_int_equal(pare_part_heap_put(&heap, structure, 1, 5, false, NULL), PARE_OK);
    assert_int_equal(pare_part_heap_put(&heap, structure, 5, 5, false, NULL), PARE_OK);
    assert_int_equal(pare_part_heap_put(&heap, structure, 5, 6, true, NULL), PARE_OK);
    static const unsigned from[] = {1, 5, 0};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(heap.n, 3 - i);
        assert_int_equal(pare_part_heap_take(&heap, &part, NULL), PARE_OK);
        assert_int_equal(part.from, from[i]);
    }
    assert_false(part.refused);
    assert_int_equal(part.bytes, 2);
    pare_shared_release(heap.items);
    pare_structure_unref(structure);
}

/* Where all of the text is cut. */
static pare_part_cuts cuts_of(const char *text)
{
    pare_structure *structure = structure_of(text);
    const uint32_t n = structure->table.n_lines;
    const pare_part part = {.to = n, .bytes = pare_part_bytes(structure, 0, n)};
    const pare_part_cuts cuts = pare_part_cut(structure, false, &part);
    pare_structure_unref(structure);
    return cuts;
}

static void test_part__are_cut_where_bytes_are_halved(void **state)
{
    (void)state;
    const pare_part_cuts cuts = cuts_of("a 1\nb 1\nc 1\nd 1\n");
    assert_int_equal(cuts.cut, 2);
    assert_int_equal(cuts.rest, 4);
}

static void test_part__are_cut_around_a_giant(void **state)
{
    (void)state;
    const pare_part_cuts cuts = cuts_of("a 1\nb 1 2 3 4 5 6 7 8 9 10 11 12 13\nc 1\n");
    assert_int_equal(cuts.cut, 1);
    assert_int_equal(cuts.rest, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_part__heaviest_first_then_the_rear_one),
        cmocka_unit_test(test_part__are_cut_where_bytes_are_halved),
        cmocka_unit_test(test_part__are_cut_around_a_giant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
