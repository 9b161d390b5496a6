/* Records of a list, and what is none. */
/* tests: src/reduce/structure/records.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reduce/structure/records.h"
#include "reduce/structure/structure.h"
#include "unit/support/structure_text.h"

enum { ROOM = 1 << 14 };

/* So many records of so many items, whose lines are alike; `item` is one. */
static pare_structure *make_records(unsigned records, unsigned items, const char *item)
{
    static char text[ROOM];
    size_t size = 0;
    for (unsigned i = 0; i < records; i++) {
        for (unsigned k = 0; k < items; k++) {
            assert_true(size + strlen(item) + 1 < ROOM);
            memcpy(text + size, item, strlen(item));
            size += strlen(item);
        }
        text[size++] = '\n';
    }
    return make_structure(text, size);
}

static bool are_there(unsigned records, unsigned items, const char *item)
{
    pare_structure *structure = make_records(records, items, item);
    const bool found = pare_records_are_there(structure, 0, structure->table.n_lines);
    pare_structure_unref(structure);
    return found;
}

static void test_records__are_many_and_short(void **state)
{
    (void)state;
    assert_true(are_there(9, 3, "k: v\n"));
    assert_false(are_there(5, 3, "k: v\n"));
    assert_false(are_there(9, 1, "k: v\n"));
    assert_true(are_there(9, 40, "k: v\n"));
}

static void test_records__are_none_in_a_long_list_with_a_few_blank_lines(void **state)
{
    (void)state;
    assert_false(are_there(9, 60, "k: v\n"));
}

static void test_records__are_none_of_blocks(void **state)
{
    (void)state;
    assert_false(are_there(9, 3, "f {\n  x\n}\n"));
}

static void test_records__end_at_a_blank_line(void **state)
{
    (void)state;
    pare_structure *structure = make_records(2, 3, "k: v\n");
    assert_int_equal(pare_records_end(structure, 0, 8), 4);
    assert_int_equal(pare_records_end(structure, 1, 3), 3);
    pare_structure_unref(structure);
    structure = make_records(1, 50, "k: v\n");
    assert_int_equal(pare_records_end(structure, 0, 50), 1);
    pare_structure_unref(structure);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_records__are_many_and_short),
        cmocka_unit_test(test_records__are_none_in_a_long_list_with_a_few_blank_lines),
        cmocka_unit_test(test_records__are_none_of_blocks),
        cmocka_unit_test(test_records__end_at_a_blank_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
