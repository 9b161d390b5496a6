/* What is read of the real outputs in tests/data/complaints, and of texts that are made up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glob.h>
#include <cmocka.h>

#include "base/buffer.h"
#include "os/file.h"
#include "run/complaint_reader.h"
#include "run/complaints.h"
#include "run/printed.h"

static pare_complaints list;

/* What comes after the line `@@@ TITLE`, up to the next title. */
static pare_printed block(const pare_buffer *text, const char *title)
{
    const char *at = strstr(text->data, title);
    assert_non_null(at);
    at = strchr(at, '\n') + 1;
    const char *end = strstr(at, "@@@ ");
    if (!end) end = text->data + text->size;
    return (pare_printed){at, (size_t)(end - at)};
}

static void read_file(const char *path)
{
    pare_buffer text = {0}, read = {0};
    assert_int_equal(pare_file_read(path, &text, NULL), PARE_OK);
    assert_int_equal(pare_buffer_add(&text, "", 1, NULL), PARE_OK);
    text.size--;
    pare_printed printed = block(&text, "@@@ printed");
    pare_printed wanted = block(&text, "@@@ complaints");
    list.n = 0;
    pare_complaint_reader_read(&list, &printed);
    assert_int_equal(pare_complaints_print(&list, &read, NULL), PARE_OK);
    assert_true(wanted.size > 0);
    if (read.size != wanted.size || memcmp(read.data, wanted.text, read.size) != 0)
        fail_msg("%s: read was\n%.*s", path, (int)read.size, read.data);
    pare_buffer_done(&read);
    pare_buffer_done(&text);
}

static void test_complaint_reader__real_outputs_name_what_is_missing(void **state)
{
    char pattern[4096];
    glob_t found;
    const char *source = getenv("PARE_SOURCE_DIR");
    (void)state;
    if (!source) skip();
    (void)snprintf(pattern, sizeof pattern, "%s/tests/data/complaints/*.txt", source);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_true(found.gl_pathc > 20);
    for (size_t k = 0; k < found.gl_pathc; k++)
        read_file(found.gl_pathv[k]);
    globfree(&found);
}

/* The complaints of one text, in their text form. */
static void expect(const char *printed, const char *wanted)
{
    pare_buffer read = {0};
    list.n = 0;
    pare_complaint_reader_read(&list, &(pare_printed){printed, strlen(printed)});
    assert_int_equal(pare_complaints_print(&list, &read, NULL), PARE_OK);
    assert_int_equal(pare_buffer_add(&read, "", 1, NULL), PARE_OK);
    assert_string_equal(read.data, wanted);
    pare_buffer_done(&read);
}

static void test_complaint_reader__what_complains_of_nothing_gives_nothing(void **state)
{
    (void)state;
    expect("ok\n3 tests passed\nin.c:3:4: note: declared here\n"
           "1 error generated.\nno errors found\n",
           "");
    expect("   12 |   error: no member named 'x' in 'A'\n", ""); /* an echo of the source */
}

static void test_complaint_reader__places_on_the_way_to_an_error_are_suspects(void **state)
{
    (void)state;
    expect("a.ii: In instantiation of 'void v<T>::f() [with T = int]':\n"
           "a.ii:15:23:   required from 'void A::g() [with T = int]'\n"
           "a.ii:18:5:   required from here\n"
           "a.ii:15:35: internal compiler error: in dependent_type_p, at cp/pt.cc:27454\n",
           "suspect\t15\t23\ta.ii\tg\tA\nsuspect\t18\t5\ta.ii\t\t\nsuspect\t15\t35\ta.ii\t\t\n");
    expect("1.\tx.ii:5:3: current parser token ';'\n"
           "2.\tx.ii:4:1: parsing function body 'std::main'\n",
           "suspect\t5\t3\tx.ii\t\t\nsuspect\t4\t1\tx.ii\tmain\tstd\n");
}

/* Names that a compiler tells with an error which says that nothing fits. */
static void test_complaint_reader__notes_of_what_does_not_fit_are_kept(void **state)
{
    (void)state;
    /* what tells more of an error tells nothing of a note after it */
    expect("a.cpp:9:3: error: no matching function for call to 'print'\n"
           "a.cpp:3:6: note: candidate 'f'\n"
           "symbol: class B\n",
           "unmatched\t9\t3\ta.cpp\tprint\t\nnote\t3\t6\ta.cpp\tf\t\n");
    expect("a.cpp:9:3: error: no matching function for call to 'print'\n"
           "a.cpp:3:6: note: candidate function not viable: no known conversion from 'char' to "
           "'f<int>' (aka 'n::basic_f<int>') for 1st argument\n",
           "unmatched\t9\t3\ta.cpp\tprint\t\nnote\t3\t6\ta.cpp\tchar\t\n"
           "note\t3\t6\ta.cpp\tf\t\nnote\t3\t6\ta.cpp\tbasic_f\tn\n");
    expect("a.cpp:9:3: error: 'y' was not declared in this scope\n"
           "a.cpp:3:6: note: 'z' declared here\n",
           "undeclared\t9\t3\ta.cpp\ty\t\n");
}

/* Warnings count where nothing worse is said. */
static void test_complaint_reader__warnings_are_places_where_there_is_no_error(void **state)
{
    (void)state;
    expect("a.cpp: In instantiation of 'W<T>::W() [with T = int]':\n"
           "a.cpp:9:21:   required from here\n"
           "a.cpp:3:4: warning: 'W<int>::r' will be initialized after [-Wreorder]\n"
           "a.cpp:3:4: note: declared here\n",
           "suspect\t9\t21\ta.cpp\t\t\nwarning\t3\t4\ta.cpp\t\t\n");
    expect("In function 'f',\n    inlined from 'g' at a.c:18:6:\n"
           "a.c:3:4: warning: too long [-Wformat-truncation=]\n",
           "warning\t18\t6\ta.c\t\t\nwarning\t3\t4\ta.c\t\t\n");
    expect("a.c:3:4: warning: unused variable 'x'\na.c:5:1: error: 'y' undeclared\n",
           "undeclared\t5\t1\ta.c\ty\t\n");
    expect("a.c:3:4: warning: unused variable 'x'\na.c:5:1: internal compiler error: in f\n",
           "suspect\t5\t1\ta.c\t\t\n");
}

static void test_complaint_reader__many_warnings_leave_room_for_errors(void **state)
{
    pare_buffer text = {0};
    (void)state;
    for (unsigned k = 1; k < 1000; k++)
        assert_int_equal(pare_buffer_format(&text, NULL, "a.c:%u:1: warning: unused\n", k),
                         PARE_OK);
    list.n = 0;
    pare_complaint_reader_read(&list, &(pare_printed){text.data, text.size});
    assert_int_equal(list.n, 16);
    assert_int_equal(pare_buffer_format(&text, NULL, "a.c:1:1: error: 'x' undeclared\n"), PARE_OK);
    list.n = 0;
    pare_complaint_reader_read(&list, &(pare_printed){text.data, text.size});
    assert_int_equal(list.n, 1);
    assert_int_equal(list.item[0].kind, PARE_COMPLAINT_UNDECLARED);
    pare_buffer_done(&text);
}

static void test_complaint_reader__colours_and_quotes_of_all_kinds_are_read(void **state)
{
    (void)state;
    expect("\x1b[01m\x1b[Ka.cpp:1:2:\x1b[m\x1b[K \x1b[01;31m\x1b[Kerror: \x1b[m\x1b[K"
           "\xe2\x80\x98\x1b[01m\x1b[Kmap\x1b[m\x1b[K\xe2\x80\x99 is not a member of "
           "\xe2\x80\x98\x1b[01m\x1b[Kstd\x1b[m\x1b[K\xe2\x80\x99\n",
           "no-member\t1\t2\ta.cpp\tmap\tstd\n");
    expect("a.c:1: undefined reference to `f'\n", "unlinked\t1\t0\ta.c\tf\t\n");
}

/* The place of each comes after it, and makes the second one the first again. */
static void test_complaint_reader__the_same_at_the_same_place_counts_once(void **state)
{
    (void)state;
    expect("error[E0425]: cannot find value `foo` in this scope\n --> a.rs:1:5\n"
           "error[E0425]: cannot find value `foo` in this scope\n --> a.rs:1:5\n"
           "error[E0425]: cannot find value `foo` in this scope\n --> a.rs:2:5\n"
           "error[E0425]: cannot find value `foo` in this scope\n --> a.rs:1:5\n",
           "undeclared\t1\t5\ta.rs\tfoo\t\nundeclared\t2\t5\ta.rs\tfoo\t\n");
}

static void test_complaint_reader__unknown_errors_keep_what_they_quote_first(void **state)
{
    (void)state;
    expect("a.x:3: error: the thing 'one' and 'two'\n", "other\t3\t0\ta.x\tone\t\n");
    expect("a.x(3,4): fatal error: 12\n", "other\t3\t4\ta.x\t\t\n");
    /* of a conversion the class, not its alias */
    expect("a.cc:3:4: error: reference to type 'const n::s' (aka 'const n::b<char>') could not "
           "bind to "
           "an lvalue of type 'const char[2]'\n",
           "unmatched\t3\t4\ta.cc\tb\tn\n");
    expect("a.cc:3:4: error: could not convert '\"x\"' from 'const char [2]' to 'n::s' {aka "
           "'n::b<char>'}\n",
           "unmatched\t3\t4\ta.cc\tb\tn\n");
    /* or what has become of an alias */
    expect(
        "a.cc:3:4: error: invalid conversion from 'const char*' to 'n::f<const p&>' {aka 'int'}\n",
        "other\t3\t4\ta.cc\tf\tn\n");
    expect("a.cc:3:4: error: member reference base type 'n::f<p>' (aka 'int') is not a structure\n",
           "other\t3\t4\ta.cc\tf\tn\n");
}

static void test_complaint_reader__what_is_defined_nowhere_may_be_of_a_local_type(void **state)
{
    (void)state;
    expect(
        "a.cc:3:4: error: 'T n::f(T) [with T = main()::<lambda(int)>]', declared using local type "
        "'main()::<lambda(int)>', is used but never defined [-fpermissive]\n",
        "unlinked\t3\t4\ta.cc\tf\tn\n");
    /* and is always inlined */
    expect("a.cc:3:4: error: inlining failed in call to 'always_inline' 'n::c<T>::f(const T&) "
           "[with T = int]': "
           "function body not available\n",
           "incomplete\t3\t4\ta.cc\tf\tn::c\n");
}

static void test_complaint_reader__long_outputs_are_bounded(void **state)
{
    pare_buffer text = {0};
    (void)state;
    for (unsigned k = 1; k < 1000; k++)
        assert_int_equal(
            pare_buffer_format(&text, NULL, "a.c:%u:1: error: 'x%u' undeclared\n", k, k), PARE_OK);
    list.n = 0;
    pare_complaint_reader_read(&list, &(pare_printed){text.data, text.size});
    assert_int_equal(list.n, PARE_COMPLAINTS_MAX);
    assert_int_equal(list.item[PARE_COMPLAINTS_MAX - 1].line, PARE_COMPLAINTS_MAX);
    pare_buffer_done(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_complaint_reader__real_outputs_name_what_is_missing),
        cmocka_unit_test(test_complaint_reader__what_complains_of_nothing_gives_nothing),
        cmocka_unit_test(test_complaint_reader__notes_of_what_does_not_fit_are_kept),
        cmocka_unit_test(test_complaint_reader__places_on_the_way_to_an_error_are_suspects),
        cmocka_unit_test(test_complaint_reader__what_is_defined_nowhere_may_be_of_a_local_type),
        cmocka_unit_test(test_complaint_reader__warnings_are_places_where_there_is_no_error),
        cmocka_unit_test(test_complaint_reader__many_warnings_leave_room_for_errors),
        cmocka_unit_test(test_complaint_reader__colours_and_quotes_of_all_kinds_are_read),
        cmocka_unit_test(test_complaint_reader__the_same_at_the_same_place_counts_once),
        cmocka_unit_test(test_complaint_reader__unknown_errors_keep_what_they_quote_first),
        cmocka_unit_test(test_complaint_reader__long_outputs_are_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
