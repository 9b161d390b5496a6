/* Values of PDF: where they end, what they hold, and any text of their pieces. */
/* tests: src/reduce/binary/chunk_pdf_syntax.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "reduce/binary/chunk_pdf_syntax.h"

static pare_pdf_text text_of(const char *bytes)
{
    return (pare_pdf_text){.bytes = (const unsigned char *)bytes, .end = (uint32_t)strlen(bytes)};
}

static void test_chunk_pdf_syntax__a_value_ends_where_it_does(void **state)
{
    static const struct {
        const char *text;
        pare_pdf_kind kind;
        uint32_t to;
    } cases[] = {
        {"12 0 R/", PARE_PDF_REFERENCE, 6},
        {"12  0\nR", PARE_PDF_REFERENCE, 7},
        {"12 0 Rx", PARE_PDF_WORD, 2},
        {"12 0 obj", PARE_PDF_WORD, 2},
        {"120", PARE_PDF_WORD, 3},
        {"-1.5]", PARE_PDF_WORD, 4},
        {"/Name/Other", PARE_PDF_WORD, 5},
        {"/ x", PARE_PDF_WORD, 1},
        {"(a(b)\\)c) d", PARE_PDF_STRING, 9},
        {"(a(b)", PARE_PDF_NONE, 0},
        {"<48 65>", PARE_PDF_STRING, 7},
        {"<48", PARE_PDF_NONE, 0},
        {"[1 [2] (])] 3", PARE_PDF_LIST, 11},
        {"[1 2", PARE_PDF_NONE, 0},
        {"<</A<</B[1>>>>", PARE_PDF_NONE, 0},
        {"<</A<</B[1]>>>>x", PARE_PDF_DICTIONARY, 15},
        {"<</A 1 % >>\n>>", PARE_PDF_DICTIONARY, 14},
        {"<</A 1 endobj >>", PARE_PDF_NONE, 0},
        {">>", PARE_PDF_NONE, 0},
        {"", PARE_PDF_NONE, 0},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const pare_pdf_text text = text_of(cases[k].text);
        const pare_pdf_value value = pare_chunk_pdf_syntax_value(&text, 0);
        if (value.kind != cases[k].kind) fail_msg("%s is of kind %u", cases[k].text, value.kind);
        if (value.kind != PARE_PDF_NONE) assert_int_equal(value.to, cases[k].to);
    }
}

static void test_chunk_pdf_syntax__too_many_open_lists_are_no_value(void **state)
{
    char nest[1001] = "";
    (void)state;
    memset(nest, '[', 500);
    memset(nest + 500, ']', 500);
    const pare_pdf_text deep = text_of(nest), less = text_of(nest + 300);
    assert_int_equal(pare_chunk_pdf_syntax_value(&deep, 0).kind, PARE_PDF_NONE);
    assert_int_equal(pare_chunk_pdf_syntax_value(&less, 0).to, 400);
}

static void test_chunk_pdf_syntax__what_is_held_is_gone_through(void **state)
{
    const pare_pdf_text text = text_of("<< /A 1 /Bc [7 0 R (x)] /B 2 >>");
    static const uint32_t begins[] = {3, 8, 24}, values[] = {6, 12, 27};
    const pare_pdf_value all = pare_chunk_pdf_syntax_value(&text, 0);
    pare_pdf_value value;
    uint32_t at = 0, from;
    (void)state;
    for (unsigned k = 0; k < 3; k++) {
        assert_true(pare_chunk_pdf_syntax_next(&text, &all, &at, &from, &value));
        assert_int_equal(from, begins[k]);
        assert_int_equal(value.from, values[k]);
    }
    assert_false(pare_chunk_pdf_syntax_next(&text, &all, &at, &from, &value));
    assert_int_equal(pare_chunk_pdf_syntax_find(&text, &all, "/B").from, 27);
    assert_int_equal(pare_chunk_pdf_syntax_find(&text, &all, "/Bc").kind, PARE_PDF_LIST);
    assert_int_equal(pare_chunk_pdf_syntax_find(&text, &all, "/C").kind, PARE_PDF_NONE);
    const pare_pdf_value none = {.kind = PARE_PDF_NONE};
    assert_int_equal(pare_chunk_pdf_syntax_find(&text, &none, "/B").kind, PARE_PDF_NONE);
}

/* All texts of up to six of these pieces: a value lies in the text, and what it holds lies in it, in order. */
static void test_chunk_pdf_syntax__any_text_of_pieces_is_read_within_its_bounds(void **state)
{
    static const char *const pieces[] = {"<<", ">>", "[", "]", "(", ")", "/A", "1 0 R", " ", "%"};
    enum { N = sizeof pieces / sizeof *pieces, DEPTH = 6 };
    size_t many = 1;
    (void)state;
    for (unsigned k = 0; k < DEPTH; k++)
        many *= N;
    for (size_t number = 0; number < many; number++) {
        char bytes[64] = "";
        size_t rest = number;
        for (unsigned k = 0; k < DEPTH; k++, rest /= N)
            strcat(bytes, pieces[rest % N]);
        const pare_pdf_text text = text_of(bytes);
        const pare_pdf_value value = pare_chunk_pdf_syntax_value(&text, 0);
        if (value.kind == PARE_PDF_NONE) continue;
        assert_true(value.from < value.to && value.to <= text.end);
        if (value.kind != PARE_PDF_LIST && value.kind != PARE_PDF_DICTIONARY) continue;
        uint32_t at = 0, from, last = value.from;
        pare_pdf_value item;
        while (pare_chunk_pdf_syntax_next(&text, &value, &at, &from, &item)) {
            assert_true(last < from && from <= item.from && item.to <= value.to && at == item.to);
            last = from;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunk_pdf_syntax__a_value_ends_where_it_does),
        cmocka_unit_test(test_chunk_pdf_syntax__too_many_open_lists_are_no_value),
        cmocka_unit_test(test_chunk_pdf_syntax__what_is_held_is_gone_through),
        cmocka_unit_test(test_chunk_pdf_syntax__any_text_of_pieces_is_read_within_its_bounds),
    };
    return cmocka_run_group_tests_name("chunk_pdf_syntax", tests, NULL, NULL);
}
