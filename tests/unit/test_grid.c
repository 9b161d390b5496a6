/* Cells of a screen: what goes into them stays in its row and cannot steer a terminal. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ui/grid.h"
#include "unit/alloc_sweep.h"

/* The text of a row; spaces where nothing was written. */
static const char *row_of(const pare_grid *grid, unsigned row)
{
    static char text[1024];
    size_t n = 0;
    for (unsigned k = 0; k < grid->columns; k++) {
        const pare_cell *cell = &grid->cells[row * grid->columns + k];
        const char *shown = *cell->text ? cell->text : " ";
        if (cell->is_rest) continue;
        memcpy(text + n, shown, strlen(shown));
        n += strlen(shown);
    }
    while (n && text[n - 1] == ' ')
        n--;
    text[n] = '\0';
    return text;
}

static void assert_shown(const char *bytes, size_t size, unsigned columns, const char *shown)
{
    pare_grid grid = {.rows = 0};
    assert_int_equal(pare_grid_clear(&grid, 2, columns, NULL), PARE_OK);
    pare_pen pen = pare_grid_pen(&grid, 0, 0, columns);
    assert_true(pare_grid_bytes(&pen, bytes, size) <= size);
    assert_true(pen.column <= columns);
    assert_string_equal(row_of(&grid, 0), shown);
    assert_string_equal(row_of(&grid, 1), "");
    pare_grid_done(&grid);
}

static void test_grid__hostile_bytes_are_written_out_and_stay_in_their_row(void **state)
{
    (void)state;
    assert_shown("\x1b[2J\x1b]0;x\x07", 10, 40, "\\x1b[2J\\x1b]0;x\\x07");
    assert_shown("a\nb\rc\0d", 7, 40, "a\\nb\\x0dc\\x00d");
    assert_shown("\xff\xfe\xc3", 3, 40, "\\xff\\xfe\\xc3");
    assert_shown("\xe2\x80\xae", 3, 40, "\\u{202e}");
    assert_shown("a\tb", 3, 40, "a   b");
    assert_shown("0123456789", 10, 4, "0123");
    assert_shown("ab\x1b", 3, 4, "ab"); /* an escape goes in whole or not at all */
}

static void test_grid__characters_of_two_columns_take_two(void **state)
{
    (void)state;
    if (!setlocale(LC_CTYPE, "C.UTF-8")) skip();
    assert_shown("\xe6\xbc\xa2x", 4, 3, "\xe6\xbc\xa2x");
    assert_shown("x\xe6\xbc\xa2", 4, 2, "x");
    assert_shown("e\xcc\x81", 3, 20, "e\\u{301}"); /* it would stand in the cell of another */
    (void)setlocale(LC_CTYPE, "C");
    assert_shown("\xe6\xbc\xa2", 3, 20, "\\u{6f22}");
}

static void test_grid__what_is_not_there_takes_nothing(void **state)
{
    (void)state;
    pare_grid grid = {.rows = 0};
    assert_int_equal(pare_grid_clear(&grid, 1, 5, NULL), PARE_OK);
    static const struct {
        unsigned row, column, columns;
    } outside[] = {{1, 0, 5}, {0, 5, 5}, {UINT32_MAX, UINT32_MAX, 1}, {0, 2, 0}};
    for (size_t k = 0; k < sizeof outside / sizeof *outside; k++) {
        pare_pen pen = pare_grid_pen(&grid, outside[k].row, outside[k].column, outside[k].columns);
        pare_grid_text(&pen, "abc");
        pare_grid_pad(&pen, 100);
        assert_int_equal(pare_grid_bytes(&pen, "abc", 3), 0);
    }
    assert_string_equal(row_of(&grid, 0), "");
    pare_pen pen = pare_grid_pen(&grid, 0, 3, 100);
    pare_grid_format(&pen, "%d", 12345);
    assert_string_equal(row_of(&grid, 0), "   12");
    assert_int_equal(pare_grid_clear(&grid, 0, 0, NULL), PARE_OK);
    pare_grid_done(&grid);
}

static pare_status clear(void *context)
{
    pare_grid grid = {.rows = 0};
    (void)context;
    pare_status status = pare_grid_clear(&grid, 10, 10, NULL);
    if (status) assert_null(grid.cells);
    pare_grid_done(&grid);
    return status;
}

static void test_grid__survives_every_failed_allocation(void **state)
{
    (void)state;
    sweep_allocations(clear, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grid__hostile_bytes_are_written_out_and_stay_in_their_row),
        cmocka_unit_test(test_grid__characters_of_two_columns_take_two),
        cmocka_unit_test(test_grid__what_is_not_there_takes_nothing),
        cmocka_unit_test(test_grid__survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
