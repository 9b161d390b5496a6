/* Sections of a text without blocks. */
/* tests: src/reduce/structure/section_spans.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "reduce/structure/section_spans.h"

enum { MOST_BYTES = 1 << 12, MAILS = 9, LINES_OF_MAIL = 6 };

/* So many mails: a line with the word, another one, a blank line, a text that begins with `text`, and a blank line. */
static size_t make_mails(unsigned n, const char *text, char *out)
{
    size_t size = 0;
    for (unsigned i = 0; i < n; i++)
        size += (size_t)snprintf(out + size, MOST_BYTES - size,
                                 "From user%u\nFrom: user%u\n\n%s %u\nsecond\n\n", i, i, text, i);
    return size;
}

static void find(const char *bytes, size_t size, const pare_block_spans *others,
                 pare_block_spans *spans)
{
    pare_line_table table;
    assert_int_equal(pare_line_table_read((const unsigned char *)bytes, size, &table, NULL),
                     PARE_OK);
    assert_int_equal(pare_section_spans_find(&table, others, spans, NULL), PARE_OK);
    assert_true(pare_block_spans_check(spans));
    pare_line_table_done(&table);
}

static void test_section_spans__reach_over_blank_lines_to_the_next_like_the_first(void **state)
{
    char bytes[MOST_BYTES];
    const pare_block_spans none = {.n = 0};
    pare_block_spans spans = {.n = 0};
    (void)state;
    find(bytes, make_mails(MAILS, "Hello", bytes), &none, &spans);
    assert_int_equal(spans.n, MAILS);
    for (unsigned i = 0; i < MAILS; i++) {
        /* "From:" has the same word, but no blank line before it; the one at the end is not part of it. */
        assert_int_equal(spans.items[i].first, i * LINES_OF_MAIL);
        assert_int_equal(spans.items[i].last, i * LINES_OF_MAIL + LINES_OF_MAIL - 2);
        assert_false(spans.items[i].closes);
    }
    pare_block_spans_done(&spans);
}

static void test_section_spans__are_none_where_records_will_do(void **state)
{
    char bytes[MOST_BYTES];
    const pare_block_spans none = {.n = 0};
    pare_block_spans spans = {.n = 0};
    (void)state;
    /* Each record begins with the word. */
    find(bytes, make_mails(MAILS, "From", bytes), &none, &spans);
    assert_int_equal(spans.n, 0);
    /* There are too few. */
    find(bytes, make_mails(MAILS - 2, "Hello", bytes), &none, &spans);
    assert_int_equal(spans.n, 0);
    pare_block_spans_done(&spans);
}

static void test_section_spans__are_none_in_a_text_of_blocks(void **state)
{
    char bytes[MOST_BYTES];
    pare_block_span block = {.first = 1, .last = 4};
    const pare_block_spans few = {.items = &block, .n = 1};
    pare_block_spans spans = {.n = 0};
    (void)state;
    const size_t n = make_mails(MAILS, "Hello", bytes);
    find(bytes, n, &few, &spans);
    assert_int_equal(spans.n, MAILS);
    pare_block_spans_done(&spans);
    spans = (pare_block_spans){.n = 0};
    block.last = LINES_OF_MAIL * MAILS / 2;
    find(bytes, n, &few, &spans);
    assert_int_equal(spans.n, 0);
    pare_block_spans_done(&spans);
}

static void test_section_spans__of_nothing_are_none(void **state)
{
    const pare_block_spans none = {.n = 0};
    pare_block_spans spans = {.n = 0};
    (void)state;
    find("", 0, &none, &spans);
    find("\n\n", 2, &none, &spans);
    assert_int_equal(spans.n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_section_spans__reach_over_blank_lines_to_the_next_like_the_first),
        cmocka_unit_test(test_section_spans__are_none_where_records_will_do),
        cmocka_unit_test(test_section_spans__are_none_in_a_text_of_blocks),
        cmocka_unit_test(test_section_spans__of_nothing_are_none),
    };
    return cmocka_run_group_tests_name("section_spans", tests, NULL, NULL);
}
