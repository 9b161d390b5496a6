/* Closures of programs: where they begin, which bodies and statements go first, and what is looked for around them. */
/* tests: src/reduce/dependency/closures_start.c src/reduce/dependency/closures_around.c */
/* tests: src/reduce/dependency/closures_units.c src/reduce/dependency/nearness.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "reduce/dependency/closures.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/outline.h"
#include "run/complaints.h"
#include "unit/support/dependency_text.h"
#include "unit/support/next_text.h"

/* Once a linker was heard, only programs are tried, and what they lack is searched for in them. */
static void test_closures_program__programs_begin_somewhere(void **state)
{
    (void)state;
    static const char source[] = "int a;\nint b;\nint g(){return b;}\nint c;\nint d;\n"
                                 "int f(){return a;}\nint main(){f();return c;}\n";
    pare_dependency *graph = make_graph(source);
    pare_strategy *strategy = NULL;
    const pare_complaints silent = {0};
    const pare_complaints unlinked = {
        .n = 1, .item = {{.kind = PARE_COMPLAINT_UNLINKED, .name = "nobody"}}};
    unsigned n = 0, n_failed = 0;
    assert_int_equal(pare_closures_new(graph, &strategy, NULL), PARE_OK);
    pare_closures_ask(strategy);
    for (char *text; (text = next_text(strategy)) != NULL; n++) {
        const bool failed = n == 0 || (strstr(text, "g(){") && strstr(text, "main(){"));
        assert_non_null(strstr(text, "int main(){"));
        if (failed)
            n_failed++;
        else
            assert_int_equal(strategy->ops->hear(strategy, n == 1 ? &unlinked : &silent, NULL),
                             PARE_OK);
        if (!n) assert_int_equal(strategy->ops->hear(strategy, &silent, NULL), PARE_OK);
        assert_int_equal(strategy->ops->tell(strategy, failed ? PARE_FAIL : PARE_PASS, NULL),
                         PARE_OK);
        test_free(text);
    }
    assert_true(n_failed > 2);
    pare_strategy_free(strategy);
    pare_dependency_unref(graph);
}

/* Of a program that is linked, what it begins with is tried once all that it uses was seen to fail. */
static void test_closures_program__of_programs_the_begin_comes_first(void **state)
{
    (void)state;
    static const char source[] = "int a;\nint b;\nint g(){return b;}\nint f(){return a;}\n"
                                 "int main(){f();return g();}\n";
    pare_dependency *graph = make_graph(source);
    pare_strategy *strategy = NULL;
    const pare_complaints linked = {.n = 1, .item = {{.kind = PARE_COMPLAINT_LINKED}}};
    assert_int_equal(pare_closures_new(graph, &strategy, NULL), PARE_OK);
    pare_closures_ask(strategy);
    char *text = next_text(strategy);
    assert_string_equal(text, source);
    test_free(text);
    assert_int_equal(strategy->ops->hear(strategy, &linked, NULL), PARE_OK);
    assert_int_equal(strategy->ops->tell(strategy, PARE_FAIL, NULL), PARE_OK);
    text = next_text(strategy);
    assert_string_equal(text, "int g();\nint f();\nint main(){f();return g();}\n");
    test_free(text);
    pare_strategy_free(strategy);
    pare_dependency_unref(graph);
}

/* A function of a name space that is called so is no beginning of a program. */
static void test_closures_program__programs_do_not_begin_in_name_spaces(void **state)
{
    (void)state;
    static const char *const sources[] = {
        "int a;int b;int g(){return b;}int f(){return a;}"
        "int main(){f();return g();}namespace s{int main(){return 1;}}",
        "namespace s{int main(){return 1;}}int a;int b;int g(){return b;}int f(){return a;}"
        "int main(){f();return g();}"};
    const pare_complaints linked = {.n = 1, .item = {{.kind = PARE_COMPLAINT_LINKED}}};
    for (size_t i = 0; i < 2; i++) {
        pare_dependency *graph = make_graph(sources[i]);
        pare_strategy *strategy = NULL;
        assert_int_equal(pare_closures_new(graph, &strategy, NULL), PARE_OK);
        pare_closures_ask(strategy);
        char *text = next_text(strategy);
        test_free(text);
        assert_int_equal(strategy->ops->hear(strategy, &linked, NULL), PARE_OK);
        assert_int_equal(strategy->ops->tell(strategy, PARE_FAIL, NULL), PARE_OK);
        text = next_text(strategy);
        assert_non_null(strstr(text, "int main(){f();return g();}"));
        test_free(text);
        pare_strategy_free(strategy);
        pare_dependency_unref(graph);
    }
}

/* Bodies without code go first, those outside of their class, too; if that is not enough, they are back. */
static void test_closures_program__bodies_without_code_go_first(void **state)
{
    (void)state;
    static const char source[] =
        "struct s{int m();int n();};int s::m(){return 7;}int s::n(){return 8;}"
        "int u(){return 1;}inline int g(int x){return x*3;}constexpr int k(){return 4;}"
        "inline void e(){ }int f(s x){e();return x.m()?x.n():g(k());}int main(){s x;return f(x);}";
    const size_t places[] = {(size_t)(strstr(source, "return 7") - source),
                             (size_t)(strstr(source, "f(s x)") - source),
                             (size_t)(strstr(source, "s x;return") - source)};
    pare_dependency *graph = make_graph(source);
    pare_strategy *strategy = NULL;
    assert_int_equal(pare_closures_new(graph, &strategy, NULL), PARE_OK);
    assert_int_equal(pare_closures_know_emitted(strategy, places, 3, NULL), PARE_OK);
    char *text = next_text(strategy);
    assert_string_equal(
        text,
        "struct s{int m();int n();};int s::m(){return 7;}"
        "inline int g(int x);constexpr int k(){return 4;}"
        "inline void e(){ }int f(s x){e();return x.m()?x.n():g(k());}int main(){s x;return f(x);}");
    test_free(text);
    assert_int_equal(strategy->ops->tell(strategy, PARE_PASS, NULL), PARE_OK);
    text = next_text(strategy);
    assert_non_null(strstr(text, "return x*3;"));
    assert_non_null(strstr(text, "return 8;"));
    assert_null(strstr(text, "int u("));
    test_free(text);
    pare_strategy_free(strategy);
    pare_dependency_unref(graph);
}

/* Told that a program was made of the input, it asks for nothing without `main`, nor for functions that are called without
 * bodies of which there is code. */
static void test_closures_program__what_is_linked_keeps_bodies_with_code(void **state)
{
    (void)state;
    static const char source[] = "int u(){return 1;}int g(int x){return x*3;}"
                                 "int f(int x){return g(x);}int main(){f(1);f(2);return 0;}";
    const size_t places[] = {(size_t)(strstr(source, "return x") - source),
                             (size_t)(strstr(source, "return g") - source),
                             (size_t)(strstr(source, "f(1)") - source)};
    pare_complaints complaints = {.n = 0};
    pare_dependency *graph = make_graph(source);
    pare_strategy *strategy = NULL;
    const pare_complaint linked = {.kind = PARE_COMPLAINT_LINKED};
    assert_true(pare_complaints_add(&complaints, &linked));
    assert_int_equal(pare_closures_new(graph, &strategy, NULL), PARE_OK);
    assert_int_equal(pare_closures_know_emitted(strategy, places, 3, NULL), PARE_OK);
    pare_closures_ask(strategy);
    for (int i = 0; i < 8; i++) {
        char *text = next_text(strategy);
        if (!text) break;
        assert_non_null(strstr(text, "int main(){"));
        assert_null(strstr(text, "int f(int x);"));
        assert_null(strstr(text, "int g(int x);"));
        test_free(text);
        if (!i) assert_int_equal(strategy->ops->hear(strategy, &complaints, NULL), PARE_OK);
        assert_int_equal(strategy->ops->tell(strategy, i < 2 ? PARE_FAIL : PARE_PASS, NULL),
                         PARE_OK);
    }
    pare_strategy_free(strategy);
    pare_dependency_unref(graph);
}

/* Of a program that is linked bodies are put back one by one, as the linker asks for them, and more often than else. */
static void test_closures_program__the_linker_is_heard_for_many_bodies(void **state)
{
    (void)state;
    enum { N = 8 };
    char source[N * 60] = "int u;";
    for (int i = 0; i < N; i++)
        (void)snprintf(source + strlen(source), 40, "int f%d(){return 3%d;}", i, i);
    (void)snprintf(source + strlen(source), 200,
                   "int main(){return f0()+f1()+f2()+f3()+f4()+f5()+f6()+f7();}");
    pare_dependency *graph = make_graph(source);
    pare_strategy *strategy = NULL;
    assert_int_equal(pare_closures_new(graph, &strategy, NULL), PARE_OK);
    pare_closures_ask(strategy);
    for (int i = 0; i < N + 2; i++) { /* as it is, without u, and with 0, 1, .. bodies */
        pare_complaints complaints = {.n = 0};
        pare_complaint complaint = {.kind = i ? PARE_COMPLAINT_UNLINKED : PARE_COMPLAINT_LINKED};
        if (i) (void)snprintf(complaint.name, sizeof complaint.name, "f%d", i - 2);
        assert_true(pare_complaints_add(&complaints, &complaint));
        char *text = next_text(strategy);
        assert_non_null(text);
        for (int k = 0; i > 1 && k < N; k++) {
            char body[16];
            (void)snprintf(body, sizeof body, "return 3%d;", k);
            assert_int_equal(strstr(text, body) != NULL, k < i - 2);
        }
        test_free(text);
        if (i != 1) assert_int_equal(strategy->ops->hear(strategy, &complaints, NULL), PARE_OK);
        assert_int_equal(strategy->ops->tell(strategy, i < 2 ? PARE_FAIL : PARE_PASS, NULL),
                         PARE_OK);
    }
    pare_strategy_free(strategy);
    pare_dependency_unref(graph);
}

/* Of a program with its headers that is compiled, and not linked, the bodies of what it calls go before any statement. */
static void test_closures_program__bodies_go_first_where_nothing_is_linked(void **state)
{
    (void)state;
    static const char source[] =
        "# 1 \"m.c\"\n# 1 \"h\" 1 3\nint u;\n"
        "int g(int);int h(int);int g(int);int h(int);int g(int);\n"
        "int h(int);int g(int);int h(int);int g(int);int h(int);\n"
        "int g(int);int h(int);int g(int);int h(int);int g(int);\n"
        "int g(int x){return x*3;}\nint h(int x){return g(x);}\n"
        "# 2 \"m.c\" 2\nint a(){return g(2);}\nint main(){return h(a());}\n";
    const pare_complaint linked = {.kind = PARE_COMPLAINT_LINKED};
    for (int links = 0; links < 2; links++) {
        pare_complaints complaints = {.n = 0};
        if (links) assert_true(pare_complaints_add(&complaints, &linked));
        pare_dependency *graph = make_graph(source);
        pare_strategy *strategy = NULL;
        assert_int_equal(pare_closures_new(graph, &strategy, NULL), PARE_OK);
        pare_closures_ask(strategy);
        for (int i = 0; i < 3; i++) {
            char *text = next_text(strategy);
            assert_non_null(text);
            const bool whole = strstr(text, "return g(2)") && strstr(text, "return h(a())");
            if (i) assert_null(strstr(text, "int u;"));
            if (i == 2) assert_int_equal(whole, !links);
            if (i == 2 && !links) assert_null(strstr(text, "x*3"));
            test_free(text);
            if (!i) assert_int_equal(strategy->ops->hear(strategy, &complaints, NULL), PARE_OK);
            assert_int_equal(strategy->ops->tell(strategy, PARE_FAIL, NULL), PARE_OK);
        }
        for (int i = 0; !links && i < 8; i++) { /* bodies that have gone stay away */
            char *text = next_text(strategy);
            if (!text) break;
            assert_null(strstr(text, "x*3"));
            test_free(text);
            tell_compiled(strategy, i > 5);
        }
        pare_strategy_free(strategy);
        pare_dependency_unref(graph);
    }
}

/* Where the program with all that it uses compiles and does not fail, what it lacks is looked for around it, and first
 * among what is called by a name that it has. */
static void test_closures_program__what_a_program_lacks_is_looked_for_around_it(void **state)
{
    (void)state;
    enum { N = 200, LINE = 40 };
    char *source = test_calloc((size_t)N * LINE + 400, 1);
    size_t size = (size_t)sprintf(source, "# 1 \"m.c\"\n# 1 \"h\" 1 3\n"
                                          "namespace a{int f(int);}\nnamespace b{int f(char);}\n"
                                          "namespace c{int f(long);}\n");
    for (unsigned i = 0; i < N; i++)
        size += (size_t)sprintf(source + size, "int far%u;\n", i);
    (void)sprintf(source + size, "# 2 \"m.c\" 2\nint g(){return a::f(2);}\n");
    pare_dependency *graph = make_graph(source);
    pare_strategy *strategy = NULL;
    assert_int_equal(pare_closures_new(graph, &strategy, NULL), PARE_OK);
    pare_closures_ask(strategy);
    char *best = NULL, *text;
    for (unsigned n = 0; (text = next_text(strategy)) != NULL; n++) {
        const bool fails = strstr(text, "return a::f") && strstr(text, "f(char)");
        if (n)
            assert_null(strstr(text, "far")); /* all that is near fails, so nothing else is tried */
        if (n == 1) assert_null(strstr(text, "f(char)"));
        if (n == 2) assert_non_null(strstr(text, "f(long)"));
        if (!n)
            assert_int_equal(strategy->ops->hear(strategy, &(pare_complaints){.n = 0}, NULL), 0);
        tell_compiled(strategy, fails);
        keep_if(fails, text, &best);
    }
    assert_non_null(best);
    assert_null(strstr(best, "f(long)"));
    test_free(best);
    test_free(source);
    pare_strategy_free(strategy);
    pare_dependency_unref(graph);
}

/* Of a program of many functions the one that fails is found by bisection. */
static void test_closures_program__of_a_program_the_end_goes_first(void **state)
{
    (void)state;
    enum { N = 30, LINE = 200, MOST_TESTS = 16 };
    char *source = test_calloc((size_t)N * LINE, 1);
    size_t size = (size_t)sprintf(source, "# 1 \"m.c\"\n# 1 \"h\" 1 3\nint unused;\n");
    for (unsigned i = 0; i < N; i++)
        size += (size_t)sprintf(source + size, "int h%u;\n", i);
    size += (size_t)sprintf(source + size, "# 2 \"m.c\" 2\n");
    for (unsigned i = 0; i < N; i++)
        size += (size_t)sprintf(source + size,
                                "int f%u(){\nint a=h%u;\nint b=a*2;\nint c=b+h%u;\nreturn c;\n}\n",
                                i, i, i);
    pare_dependency *graph = make_graph(source);
    pare_strategy *strategy = NULL;
    assert_int_equal(pare_closures_new(graph, &strategy, NULL), PARE_OK);
    pare_closures_ask(strategy);
    char *best = NULL, *text;
    for (unsigned n = 0; n < MOST_TESTS && (text = next_text(strategy)) != NULL; n++) {
        const bool fails = strstr(text, "c=b+h17") != NULL;
        if (!n)
            assert_int_equal(strategy->ops->hear(strategy, &(pare_complaints){.n = 0}, NULL), 0);
        tell_compiled(strategy, fails);
        keep_if(fails, text, &best);
    }
    assert_non_null(best);
    assert_non_null(strstr(best, "int a=h17"));
    assert_null(strstr(best, "int a=h16"));
    assert_null(strstr(best, "int a=h18"));
    test_free(best);
    test_free(source);
    pare_strategy_free(strategy);
    pare_dependency_unref(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closures_program__programs_begin_somewhere),
        cmocka_unit_test(test_closures_program__of_programs_the_begin_comes_first),
        cmocka_unit_test(test_closures_program__programs_do_not_begin_in_name_spaces),
        cmocka_unit_test(test_closures_program__bodies_without_code_go_first),
        cmocka_unit_test(test_closures_program__what_is_linked_keeps_bodies_with_code),
        cmocka_unit_test(test_closures_program__the_linker_is_heard_for_many_bodies),
        cmocka_unit_test(test_closures_program__bodies_go_first_where_nothing_is_linked),
        cmocka_unit_test(test_closures_program__what_a_program_lacks_is_looked_for_around_it),
        cmocka_unit_test(test_closures_program__of_a_program_the_end_goes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
