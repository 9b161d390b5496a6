/* Complaints: names taken apart, the text form, places.  What is read of real outputs is in
 * test_complaint_reader.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "run/complaints.h"

static void test_complaints__names_lose_arguments_types_and_scope(void **state)
{
    static const struct {
        const char *called, *name, *scope;
    } cases[] = {
        {"x", "x", ""},
        {"std::vector", "vector", "std"},
        {"void std::vec<T>::f() [with T = int]", "f", "std::vec"},
        {"struct std::a::B<int, std::c<3> >", "B", "std::a"},
        {"operator<<", "operator<<", ""},
        {"std::ostream& std::operator<<(std::ostream&, char)", "operator<<", "std"},
        {"n::fp n::operator*(n::fp, n::fp)", "operator*", "n"},
        {"A::operator&", "operator&", "A"},
        {"bool A<x>::operator()(int) const", "operator()", "A"},
        {"void* operator new(std::size_t)", "operatornew", ""},
        {"n::a<T>::operator n::b<T>() const [with T = int]", "operator conversion", "n::a"},
        {"A::~A()", "~A", "A"},
        {"class Base", "Base", ""},
        {"fmt.Nope", "Nope", "fmt"},
        {"method g(int)", "g", ""},
        {"$x", "$x", ""},
        {"", "", ""},
        {"(anonymous)", "", ""},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pare_complaint complaint = {.line = 0};
        pare_complaints_name(&complaint, cases[k].called, strlen(cases[k].called));
        assert_string_equal(complaint.name, cases[k].name);
        assert_string_equal(complaint.scope, cases[k].scope);
    }
}

static void test_complaints__a_name_too_long_is_left_out(void **state)
{
    pare_complaint complaint = {.line = 0};
    char name[200];
    (void)state;
    memset(name, 'a', sizeof name);
    pare_complaints_name(&complaint, name, sizeof name);
    assert_string_equal(complaint.name, "");
    pare_complaints_name(&complaint, name, PARE_COMPLAINT_NAME_BYTES - 1);
    assert_int_equal(strlen(complaint.name), PARE_COMPLAINT_NAME_BYTES - 1);
}

static void test_complaints__text_gives_them_back(void **state)
{
    static pare_complaints list, again;
    pare_buffer text = {0};
    (void)state;
    list.n = 0;
    for (uint32_t k = 0; k < PARE_N_COMPLAINT_KINDS; k++)
        pare_complaints_add(&list, &(pare_complaint){.kind = (pare_complaint_kind)k,
                                                     .line = k,
                                                     .column = UINT32_MAX,
                                                     .file = "a b.c",
                                                     .name = "x",
                                                     .scope = "std"});
    assert_int_equal(pare_complaints_print(&list, &text, NULL), PARE_OK);
    assert_true(pare_complaints_parse(&again, text.data, text.size));
    assert_int_equal(again.n, list.n);
    for (size_t k = 0; k < list.n; k++)
        assert_memory_equal(&again.item[k], &list.item[k], sizeof list.item[k]);
    pare_buffer_done(&text);
}

static void test_complaints__damaged_text_is_refused(void **state)
{
    static const char *const texts[] = {
        "undeclared\t1\t1\tf\tx\t", "nothing\t1\t1\tf\tx\t\n", "undeclared\t1\t\tf\tx\t\n",
        "undeclared\t9999999999\t1\tf\tx\t\n", "undeclared\t1\t1\tf\n"};
    static pare_complaints list;
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        assert_false(pare_complaints_parse(&list, texts[k], strlen(texts[k])));
        assert_int_equal(list.n, 0);
    }
    assert_true(pare_complaints_parse(&list, "", 0));
}

static void test_complaints__a_full_or_known_list_takes_no_more(void **state)
{
    static pare_complaints list;
    (void)state;
    list.n = 0;
    for (uint32_t k = 0; k < 2 * PARE_COMPLAINTS_MAX; k++)
        pare_complaints_add(&list, &(pare_complaint){.line = 1 + k / 2});
    assert_int_equal(list.n, PARE_COMPLAINTS_MAX);
    assert_int_equal(list.item[PARE_COMPLAINTS_MAX - 1].line, PARE_COMPLAINTS_MAX);
}

static void test_complaints__suspects_alone_reject_nothing(void **state)
{
    static pare_complaints list;
    (void)state;
    list.n = 0;
    assert_false(pare_complaints_reject(&list));
    pare_complaints_add(&list, &(pare_complaint){.kind = PARE_COMPLAINT_SUSPECT, .line = 3});
    pare_complaints_add(&list, &(pare_complaint){.kind = PARE_COMPLAINT_WARNING, .line = 4});
    assert_false(pare_complaints_reject(&list));
    pare_complaints_add(&list, &(pare_complaint){.kind = PARE_COMPLAINT_OTHER, .line = 3});
    assert_true(pare_complaints_reject(&list));
}

static size_t place(const char *text, const char *file, uint32_t line, uint32_t column)
{
    pare_complaint complaint = {.line = line, .column = column};
    (void)snprintf(complaint.file, sizeof complaint.file, "%s", file);
    return pare_complaints_place(&complaint, text, strlen(text));
}

static void test_complaints__places_are_lines_and_columns(void **state)
{
    static const char text[] = "ab\ncde\n\nf";
    (void)state;
    assert_int_equal(place(text, "x.c", 1, 1), 0);
    assert_int_equal(place(text, "x.c", 2, 3), 5);
    assert_int_equal(place(text, "x.c", 2, 99), 5); /* beyond the line's end */
    assert_int_equal(place(text, "x.c", 2, 0), 3);
    assert_int_equal(place(text, "x.c", 3, 1), 7);
    assert_int_equal(place(text, "x.c", 4, 1), 8);
    assert_int_equal(place(text, "x.c", 5, 1), sizeof text - 1);
    assert_int_equal(place(text, "x.c", 0, 1), sizeof text - 1);
}

static void test_complaints__line_markers_are_counted_from(void **state)
{
    static const char text[] =
        "# 1 \"a.c\"\nint a;\n# 10 \"b.h\" 1\nint b;\nint c;\n# 3 \"a.c\" 2\nint d;\n";
    (void)state;
    assert_string_equal(text + place(text, "b.h", 11, 5), "c;\n# 3 \"a.c\" 2\nint d;\n");
    assert_string_equal(text + place(text, "a.c", 3, 5), "d;\n");
    assert_int_equal(place(text, "a.c", 10, 1), sizeof text - 1);
    assert_int_equal(place(text, "c.h", 1, 1), sizeof text - 1);
}

/* A name with escapes, blanks around it, #line, a marker without a name, flags, a line end of DOS. */
static void test_complaints__line_markers_come_in_several_forms(void **state)
{
    static const char text[] = "  # 7 \"b \\\"x.h\" 1 3 4 \r\na\n#line 4 \"a.cc\"\nb\n# 40\nc\n"
                               "# 99999999999 \"big\"\nd\n";
    (void)state;
    assert_int_equal(text[place(text, "b \\\"x.h", 7, 1)], 'a');
    assert_int_equal(text[place(text, "a.cc", 4, 1)], 'b');
    assert_int_equal(text[place(text, "a.cc", 40, 1)], 'c');
    assert_int_equal(text[place(text, "big", 1 << 30, 1)], 'd');
}

static void test_complaints__other_lines_are_no_markers(void **state)
{
    static const char *const lines[] = {
        "x # 1 \"a\"", "#define A 1", "#if 1",         "# \"a\"",      "#line",    "# 1 \"a",
        "# 1 \"a\" b", "# 1 a",       "#pragma once",  "# 1.5",        "#1\"a\"x", "# 1 \"a\\",
        "#",           "#linear 1",   "# 1 \"a\" 1 x", "// # 1 \"a\"", "",
    };
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char text[64];
        int size = snprintf(text, sizeof text, "%s\ny\n", lines[i]);
        assert_in_range(size, 3, sizeof text - 1);
        if (place(text, "x.c", 2, 1) != (size_t)size - 2) fail_msg("a marker: %s", lines[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_complaints__names_lose_arguments_types_and_scope),
        cmocka_unit_test(test_complaints__a_name_too_long_is_left_out),
        cmocka_unit_test(test_complaints__text_gives_them_back),
        cmocka_unit_test(test_complaints__damaged_text_is_refused),
        cmocka_unit_test(test_complaints__a_full_or_known_list_takes_no_more),
        cmocka_unit_test(test_complaints__suspects_alone_reject_nothing),
        cmocka_unit_test(test_complaints__places_are_lines_and_columns),
        cmocka_unit_test(test_complaints__line_markers_are_counted_from),
        cmocka_unit_test(test_complaints__line_markers_come_in_several_forms),
        cmocka_unit_test(test_complaints__other_lines_are_no_markers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
