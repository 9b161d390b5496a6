/* Which texts are tables, and where their rows and cells are. */
/* tests: src/reduce/table/table.c src/reduce/table/table_delimited.c */
/* tests: src/reduce/table/table_objects.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "reduce/table/table.h"
#include "unit/alloc_sweep.h"

static pare_text *make_text(const char *bytes)
{
    pare_text *text = NULL;
    assert_int_equal(pare_text_copy(bytes, strlen(bytes), &text, NULL), PARE_OK);
    return text;
}

/* `line` is repeated; each %d in it is the number of the repetition. */
static pare_text *repeat(const char *head, const char *line, const char *tail, int n)
{
    pare_buffer buffer = {0};
    pare_text *text = NULL;
    assert_int_equal(pare_buffer_text(&buffer, head, NULL), PARE_OK);
    for (int i = 0; i < n; i++)
        for (const char *at = line; *at; at++) {
            bool number = at[0] == '%' && at[1] == 'd';
            pare_status status = number ? pare_buffer_format(&buffer, NULL, "%d", i)
                                        : pare_buffer_add(&buffer, at, 1, NULL);
            assert_int_equal(status, PARE_OK);
            at += number;
        }
    assert_int_equal(pare_buffer_text(&buffer, tail, NULL), PARE_OK);
    assert_int_equal(pare_text_take(&buffer, &text, NULL), PARE_OK);
    return text;
}

/* What the text is said to be; the text is given up. */
static pare_table_dialect detect(pare_text *text)
{
    pare_table_dialect dialect;
    assert_int_equal(pare_table_detect(text, 0, pare_text_size(text), &dialect, NULL), PARE_OK);
    pare_text_unref(text);
    return dialect;
}

static void test_table__finds_the_delimiter(void **state)
{
    (void)state;
    static const struct {
        const char *head, *line;
        unsigned char delimiter;
        uint32_t n_columns, n_header;
    } cases[] = {
        {"id,name,size\n", "%d,user %d,\"a, b\"\n", ',', 3, 1},
        {"", "%d,user,12\n", ',', 3, 0},
        {"", "%d\tuser %d\ta, b\n", '\t', 3, 0},
        {"id;v;w\r\n", "%d;1,5;2,5\r\n", ';', 3, 1},
        {"", "a|%d|c|\n", '|', 4, 0},
        {"| a | b |\n|---|---|\n", "| %d | x |\n", '|', 4, 2},
        {"", "user%d:x:%d:1::/home:/bin/sh\n", ':', 7, 0},
        {"", "%d 2 3.5\n", ' ', 3, 0},
        {"id,v\n", "%d,x\n", ',', 2, 1},
        {"a,b,c\n", "%d,\"two\nlines, \"\"quoted\"\"\",3\n", ',', 3, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pare_table_dialect dialect = detect(repeat(cases[i].head, cases[i].line, "", 30));
        assert_int_equal(dialect.format, PARE_TABLE_DELIMITED);
        assert_int_equal(dialect.delimiter, cases[i].delimiter);
        assert_int_equal(dialect.n_columns, cases[i].n_columns);
        pare_table *table = NULL;
        pare_text *text = repeat(cases[i].head, cases[i].line, "", 30);
        assert_int_equal(pare_table_read(text, 0, pare_text_size(text), &dialect, &table, NULL),
                         PARE_OK);
        assert_int_equal(table->n_rows, 30 + cases[i].n_header);
        assert_int_equal(table->dialect.n_header, cases[i].n_header);
        assert_true(pare_table_check(table));
        pare_table_unref(table);
        pare_text_unref(text);
    }
}

static void test_table__finds_lists_of_objects(void **state)
{
    (void)state;
    static const struct {
        const char *head, *line, *tail;
        pare_table_format format;
    } cases[] = {
        {"{\"v\": 1, \"rows\": [{\"a\": 0}", ",\n {\"a\": %d, \"b\": [1, {\"c\": \"]\"}]}", "]}\n",
         PARE_TABLE_JSON},
        {"", "{\"a\":%d,\"b\":\"x\\\"}\"}\n", "", PARE_TABLE_JSON_LINES},
        {"# c\nrows:\n", "  - a: %d\n    b:\n      - x\n      - y\n    c: z\n", "",
         PARE_TABLE_YAML},
        {"", "- a: %d\n  b: c\n", "", PARE_TABLE_YAML},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(detect(repeat(cases[i].head, cases[i].line, cases[i].tail, 20)).format,
                         cases[i].format);
}

static void test_table__finds_columns_of_fixed_width(void **state)
{
    (void)state;
    pare_table_dialect dialect =
        detect(make_text("NAME    PID   STATE\n"
                         "init    1     running now\nsh      33    asleep  x\n"
                         "cat     4     running  y\nlongone 99999 x\n"
                         "init    1     running now\nsh      33    asleep  x\n"
                         "cat     4     running  y\nlongone 99999 x\n"
                         "init    1     running now\nsh      33    asleep  x\n"));
    assert_int_equal(dialect.format, PARE_TABLE_FIXED);
    assert_int_equal(dialect.n_columns, 3);
    assert_int_equal(dialect.edges[0], 8);
    assert_int_equal(dialect.edges[1], 14);
}

static void test_table__code_and_prose_are_none(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "    int a%d, b, c;\n",
        "f(%d, 2, g(x, y));\n",
        "int f%d(int a, int b) { return a; }\n",
        "\tmovl\t%eax, %d, 3\n",
        "  %d = add i32 %1, 3, !dbg\n",
        "Prose has, now and then, a comma\nor none\nor, one in line %d\n\n",
        "INSERT INTO t VALUES (%d, 'a', 2);\n",
        "key%d: value\n",
        "name%d = value, other\n",
        "<tr><td>%d</td></tr>\n",
        "- item %d\n- another, longer one\n",
        "wire a%d; reg b;\n",
        "{ \"a\", %d, 3 },\n",
        "x%d = y\n",
        "std::vector<int> v%d\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        assert_int_equal(detect(repeat("", lines[i], "", 40)).format, PARE_TABLE_NONE);
    assert_int_equal(detect(repeat("", "a,b,%d\n", "\x01", 40)).format, PARE_TABLE_NONE);
    assert_int_equal(detect(make_text("a,b,c\n1,2,3\n")).format, PARE_TABLE_NONE);
    assert_int_equal(detect(make_text("")).format, PARE_TABLE_NONE);
    assert_int_equal(detect(repeat("[", "[", "", 100000)).format, PARE_TABLE_NONE);
    assert_int_equal(detect(repeat("[", "[]", "]", 100)).format, PARE_TABLE_NONE);
}

/* Cells of the table as `row:column=value`, in the order of the text. */
static char *print_cells(const char *bytes, pare_table_format format)
{
    pare_text *text = make_text(bytes);
    pare_table *table = NULL;
    pare_buffer out = {0};
    const pare_table_dialect dialect = {.format = format, .delimiter = ',', .n_columns = 3};
    assert_int_equal(pare_table_read(text, 0, strlen(bytes), &dialect, &table, NULL), PARE_OK);
    assert_non_null(table);
    assert_true(pare_table_check(table));
    for (size_t i = 0; i < table->n_rows; i++)
        for (size_t k = table->rows[i].first; k < pare_table_cells_end(table, i); k++) {
            const pare_table_cell *cell = &table->cells[k];
            assert_int_equal(pare_buffer_format(&out, NULL, "%zu:%d=%.*s ", i, (int)cell->column,
                                                (int)(cell->to - cell->value), bytes + cell->value),
                             PARE_OK);
        }
    pare_table_unref(table);
    pare_text_unref(text);
    return out.data;
}

static void assert_cells(const char *bytes, pare_table_format format, const char *expected)
{
    pare_buffer printed = {.data = print_cells(bytes, format)};
    assert_string_equal(printed.data, expected);
    pare_buffer_done(&printed);
}

static void test_table__cells_have_their_columns(void **state)
{
    (void)state;
    assert_cells("1,\"a,\"\"b\n\",\n2,x,y\r\nodd\n", PARE_TABLE_DELIMITED,
                 "0:0=1 0:1=\"a,\"\"b\n\" 0:2= 1:0=2 1:1=x 1:2=y 2:-1=odd ");
    assert_cells("1,\"open,\n2,x,y\n", PARE_TABLE_DELIMITED,
                 "0:0=1 0:1=\"open 0:2= 1:0=2 1:1=x 1:2=y ");
    assert_cells("[{\"a\": 1, \"b\" : [2, 3]}, {\"b\":4}, {}]", PARE_TABLE_JSON,
                 "0:0=1 0:1=[2, 3] 1:1=4 ");
    assert_cells("{\"a\":{\"x\":1}}\n\n{\"c\":2,\"a\":3}\n", PARE_TABLE_JSON_LINES,
                 "0:0={\"x\":1} 2:1=2 2:0=3 ");
    assert_cells("- a: 1\n  b:\n   - 2\n- b: 3\n\nend: 1\n", PARE_TABLE_YAML,
                 "0:0= 1 0:1=\n   - 2 1:1= 3 ");
}

static void test_table__stray_quotes_cost_no_more_than_their_bytes(void **state)
{
    enum { MANY = 1 << 19 }; /* a search of each to its limit would take minutes */
    const pare_table_dialect dialect = {
        .format = PARE_TABLE_DELIMITED, .delimiter = ',', .n_columns = 3};
    pare_text *text = repeat("", "\"a,\"b,\"c\n", "d,e,f\n", MANY);
    pare_table *table = NULL;
    (void)state;
    assert_int_equal(pare_table_read(text, 0, pare_text_size(text), &dialect, &table, NULL),
                     PARE_OK);
    assert_int_equal(table->n_rows, MANY + 1);
    assert_int_equal(table->n_cells, 3 * (MANY + 1));
    pare_table_unref(table);
    pare_text_unref(text);
}

static pare_status detect_and_read(void *context)
{
    const pare_text *text = context;
    pare_table_dialect dialect;
    pare_table *table = NULL;
    pare_status status = pare_table_detect(text, 0, pare_text_size(text), &dialect, NULL);
    if (!status) status = pare_table_read(text, 0, pare_text_size(text), &dialect, &table, NULL);
    assert_true(status ? !table : table != NULL);
    pare_table_unref(table);
    return status;
}

static void test_table__gives_all_memory_back(void **state)
{
    (void)state;
    pare_text *const texts[] = {repeat("", "%d,2,3\n", "", 20),
                                repeat("[{}", ",{\"a\":%d,\"b\":2}", "]", 20),
                                repeat("", "- a: %d\n  b: c\n", "", 20)};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        sweep_allocations(detect_and_read, texts[i]);
        pare_text_unref(texts[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table__finds_the_delimiter),
        cmocka_unit_test(test_table__finds_lists_of_objects),
        cmocka_unit_test(test_table__finds_columns_of_fixed_width),
        cmocka_unit_test(test_table__code_and_prose_are_none),
        cmocka_unit_test(test_table__cells_have_their_columns),
        cmocka_unit_test(test_table__stray_quotes_cost_no_more_than_their_bytes),
        cmocka_unit_test(test_table__gives_all_memory_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
