/* Lines, and the blocks that words, brackets and indentation make of them together. */
/* tests: src/reduce/structure/line_table.c src/reduce/structure/line_blocks.c */
/* tests: src/reduce/structure/closing_word.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "reduce/structure/structure.h"
#include "unit/alloc_sweep.h"
#include "unit/support/structure_text.h"

/* The blocks as "first,body,closer,end ...", with m where one is a further part of another. */
static const char *blocks_of(const char *bytes)
{
    static char told[512];
    pare_structure *structure = make_structure(bytes, strlen(bytes));
    size_t at = 0;
    told[0] = '\0';
    for (uint32_t i = 0; i < structure->n_blocks; i++) {
        const pare_structure_block *block = &structure->blocks[i];
        at += (size_t)snprintf(told + at, sizeof told - at, "%s%u,%u,%u,%u%s", i ? " " : "",
                               block->first, block->body, block->closer, block->end,
                               block->middle ? "m" : "");
    }
    pare_structure_unref(structure);
    return told;
}

static void test_structure__indentation_has_headers_and_closers(void **state)
{
    (void)state;
    assert_string_equal(blocks_of("def f():\n  a\n  if b:\n    c\n\nd\n"), "0,1,4,4 2,3,4,4");
    assert_string_equal(blocks_of("loop\n  a\nendloop x\nb\n"), "0,1,2,3");
    /* A word proves itself by its uses: `fin` closes, as `also` goes on. */
    assert_string_equal(blocks_of("x\n  a\nfin\ny\n  a\nfin\nz\n  a\nfin\n"),
                        "0,1,2,3 3,4,5,6 6,7,8,9");
    assert_string_equal(
        blocks_of("x\n  a\nalso\n  b\nfin\ny\n  a\nalso\n  b\nfin\nz\n  a\nalso\n  b\nfin\n"),
        "0,1,4,5 2,3,4,4m 5,6,9,10 7,8,9,9m 10,11,14,15 12,13,14,14m");
}

/* What follows blank lines begins something. */
static void test_structure__what_stands_before_a_block_closes_none(void **state)
{
    (void)state;
    assert_string_equal(blocks_of("f x\n  a\n\n@p\nf y\n  a\n\n@p\nf z\n  a\n\n@p\nf w\n  a\n"),
                        "0,1,2,2 4,5,6,6 8,9,10,10 12,13,14,14");
}

static void test_structure__lines_of_a_preprocessor_do_not_end_blocks(void **state)
{
    (void)state;
    assert_string_equal(blocks_of("f:\n  a\n# note\n  b\nc\n"), "0,1,4,4");
}

static void test_structure__brackets_go_over_lines_and_on(void **state)
{
    (void)state;
    assert_string_equal(blocks_of("f(\na\n)\nb\n"), "0,1,2,3");
    assert_string_equal(blocks_of("if (a) {\nb\n} else {\nc\n}\n"), "0,1,4,5 2,3,4,4m");
    assert_string_equal(blocks_of("int f(void)\n{\na\n}\n"), "0,2,3,4");
    assert_string_equal(blocks_of("puts(\"(\");\nx = '{';\nb\n"), "");
    /* Text with brackets that mean nothing has none. */
    assert_string_equal(blocks_of("a (\nb )\n:-(\n:-(\n:-(\n"), "");
}

static void test_structure__words_go_over_brackets_over_indentation(void **state)
{
    (void)state;
    assert_string_equal(blocks_of("begin\nf(\nend\n) x\n"), "0,1,2,3");
    assert_string_equal(blocks_of("package p is\n  function f is\n  begin\n    x;\n"
                                  "  end function f;\nend package p;\n"),
                        "0,1,5,6 1,2,4,5 2,3,4,4");
}

/* Four indented blocks show that `end` closes, and what opens: then a module whose body is not indented
 * has an end, too, and so has a function in the middle of a line. */
static void test_structure__what_one_word_closes_is_learned_from_indentation(void **state)
{
    (void)state;
    static const char learned[] = "function f(p)\n  b\nend\nif q then\n  b\nelse\n  c\nend\n"
                                  "function g(r)\n  b\nend\nif s then\n  c\nelse\n  b\nend\n"
                                  "function h(t)\n  b\nend\nif u then\n  c\nelse\n  b\nend\n";
    static const char blocks[] = "0,1,2,3 3,4,7,8 5,6,7,7m 8,9,10,11 11,12,15,16 13,14,15,15m "
                                 "16,17,18,19 19,20,23,24 21,22,23,23m";
    static const struct {
        const char *more, *blocks;
    } cases[] = {
        {"mod = function(m)\nx = 1\ny = 2 -- the end of y\nend\nz\n", " 24,25,27,28"},
        /* An empty block is one, and one of a single line is none; quotes hold no words. */
        {"function i()\nend\nif v then b end\nx(\"end\")\n", " 24,25,25,26"},
        /* Words that do not balance mean nothing. */
        {"m = function(m)\nx\nend\nfunction i()\nfunction j()\nif k\nx\n", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512], expected[512];
        snprintf(text, sizeof text, "%s%s", learned, cases[i].more);
        snprintf(expected, sizeof expected, "%s%s", blocks, cases[i].blocks);
        assert_string_equal(blocks_of(text), expected);
    }
}

static void test_structure__any_bytes_have_lines(void **state)
{
    (void)state;
    char deep[3000];
    pare_structure *structure = make_structure("", 0);
    assert_int_equal(structure->table.n_lines, 0);
    pare_structure_unref(structure);
    structure = make_structure("\xff\x00\n\t \xc3\x28\r\n\n", 10);
    assert_int_equal(structure->table.n_lines, 3);
    assert_int_equal(structure->table.lines[1].column, 9);
    assert_int_equal(structure->table.lines[2].first, 0);
    pare_structure_unref(structure);
    /* Depth is bounded. */
    for (size_t i = 0; i < sizeof deep; i += 2)
        memcpy(deep + i, i < sizeof deep / 2 ? "(\n" : ")\n", 2);
    structure = make_structure(deep, sizeof deep);
    assert_int_equal(structure->n_blocks, PARE_STRUCTURE_MOST_DEPTH);
    pare_structure_unref(structure);
}

static void test_structure__items_take_blank_lines_with_them(void **state)
{
    (void)state;
    static const char text[] = "a\n  b\n\n\nc\n\n";
    pare_structure *structure = make_structure(text, sizeof text - 1);
    assert_int_equal(pare_structure_item_end(structure, 0, 6), 4);
    assert_int_equal(pare_structure_item_end(structure, 4, 6), 6);
    /* A header alone is lines. */
    assert_int_equal(pare_structure_item_end(structure, 0, 1), 1);
    assert_null(pare_structure_block_at(structure, 0, 1));
    pare_structure_unref(structure);
}

static pare_status make_one(void *context)
{
    pare_structure *structure = NULL;
    pare_status status =
        pare_structure_new(context, (pare_stretch){0, pare_text_size(context)}, &structure, NULL);
    pare_structure_unref(structure);
    return status;
}

static void test_structure__survives_running_out_of_memory(void **state)
{
    (void)state;
    pare_text *text = NULL;
    assert_int_equal(pare_text_copy("if x\n  f(\n  a)\nend if\nb\n", 24, &text, NULL), PARE_OK);
    sweep_allocations(make_one, text);
    pare_text_unref(text);
    static const char closed[] = "f a\n  b\nend\nf a\n  b\nend\nf a\n  b\nend\nf a\n  b\nend\n";
    assert_int_equal(pare_text_copy(closed, sizeof closed - 1, &text, NULL), PARE_OK);
    sweep_allocations(make_one, text);
    pare_text_unref(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_structure__indentation_has_headers_and_closers),
        cmocka_unit_test(test_structure__what_stands_before_a_block_closes_none),
        cmocka_unit_test(test_structure__lines_of_a_preprocessor_do_not_end_blocks),
        cmocka_unit_test(test_structure__brackets_go_over_lines_and_on),
        cmocka_unit_test(test_structure__words_go_over_brackets_over_indentation),
        cmocka_unit_test(test_structure__what_one_word_closes_is_learned_from_indentation),
        cmocka_unit_test(test_structure__any_bytes_have_lines),
        cmocka_unit_test(test_structure__items_take_blank_lines_with_them),
        cmocka_unit_test(test_structure__survives_running_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
