/* Which members are meant: of the class around, of a base, and of the class of a variable. */
/* tests: src/reduce/dependency/dependency_bases.c src/reduce/dependency/dependency_rules.c */
/* tests: src/reduce/dependency/outline_c_uses.c src/reduce/dependency/outline_c_rivals.c */
/* tests: src/reduce/dependency/dependency_maker.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_drop.h"
#include "reduce/dependency/dependency_print.h"
#include "unit/support/closure_text.h"
#include "unit/support/dependency_text.h"

/* What is left of the program without the one or two nodes at `what`, with bodies or whatever can go; to be freed. */
static char *drop(const char *source, const char *what, bool bodies)
{
    pare_dependency *graph = make_graph(source);
    pare_dependency_bits *all = new_set(graph), *kept = new_set(graph);
    for (uint32_t i = 0; i < pare_dependency_count(graph); i++) {
        pare_dependency_add(all, i);
        pare_dependency_add(kept, i);
    }
    const pare_dependency_query query = {.within = bodies ? NULL : all, .bodies = bodies};
    uint32_t nodes[2];
    size_t n = 0;
    const char *at = strstr(source, what), *const end = at + strlen(what);
    do
        nodes[n++] = pare_dependency_print_node_at(graph, all, (size_t)(at - source));
    while ((at = strchr(at, ';')) && ++at < end);
    assert_int_equal(pare_dependency_drop(graph, &query, nodes, n, kept, NULL), PARE_OK);
    if (!bodies) assert_true(pare_dependency_is_sound(graph, &query, kept));
    char *text = print_set(graph, kept);
    test_free(all);
    test_free(kept);
    pare_dependency_unref(graph);
    return text;
}

static void assert_dropped(const char *source, const char *what, const char *expected)
{
    char *text = drop(source, what, false);
    assert_string_equal(text, expected);
    test_free(text);
}

/* What is inherited by its name, or its sign, goes with the last of that name in the class that is named. */
static void test_dependency_members__what_is_inherited_by_using_goes_with_it(void **state)
{
    (void)state;
    assert_dropped("struct A{int operator-();int operator-(int);};struct C{int operator-();};"
                   "struct B:A{typedef A t;using t::operator-;};void f(B b,C c){-c;}",
                   "int operator-();int operator-(int);",
                   "struct A{};struct C{int operator-();};struct B:A{typedef A t;};"
                   "void f(B b,C c){-c;}");
    assert_dropped("template<class T>struct A{int x;};struct C{int x;};"
                   "struct B:A<int>{using A<int>::x;};void f(B b,C c){c.x;}",
                   "int x;}",
                   "template<class T>struct A{};struct C{int x;};struct B:A<int>{};"
                   "void f(B b,C c){c.x;}");
    assert_dropped("struct A{int operator-();};struct C{int operator-();};"
                   "struct B:A{using A::operator-;};void f(B b,C c){-c;}",
                   "int operator-();}",
                   "struct A{};struct C{int operator-();};struct B:A{};void f(B b,C c){-c;}");
}

/* Bases go with those who reach a member through them. */
static void test_dependency_members__members_are_reached_through_bases(void **state)
{
    (void)state;
    assert_dropped("struct A{int x;};struct B:A{};void f(){B b;b.x=1;g();}", ":A",
                   "struct A{int x;};struct B{};void f(){B b;g();}");
    assert_dropped("struct A{int x;};struct B:A{int x;};void f(){B b;b.x=1;g();}", ":A",
                   "struct A{int x;};struct B{int x;};void f(){B b;b.x=1;g();}");
    assert_dropped(
        "struct A{static int x;};template<class T>struct B:A{T t;};int y=B<int>::x;int z;", ":A",
        "struct A{static int x;};template<class T>struct B{T t;};int y;int z;");
    /* Through the base of a base, an alias, a parameter; in the class itself. */
    assert_dropped("struct A{int x;};struct B:A{};struct C:B{};void f(){C c;c.x=1;g();}", ":A",
                   "struct A{int x;};struct B{};struct C:B{};void f(){C c;g();}");
    assert_dropped("struct A{int x;};using B=const A;void f(B*b){b->x=1;g();}", "const A",
                   "struct A{int x;};using B=int;void f(B*b){g();}");
    assert_dropped("struct A{int x;};struct B:A{void f(){x=1;g();}};", ":A",
                   "struct A{int x;};struct B{void f(){g();}};");
    assert_dropped("struct A{};struct B:A{int y;};struct C:B{void f(){y=1;g();}};", ":A",
                   "struct A{};struct B{int y;};struct C:B{void f(){y=1;g();}};");
    /* On the long way it is too far, on the short one it is not. */
    assert_dropped("struct A{int x;};struct S:A{};struct R:S{};struct Q:R{};struct P:Q{};"
                   "struct X:P,R{void f(){x=1;g();}};void f(){X c;c.x=1;g();}",
                   ":A",
                   "struct A{int x;};struct S{};struct R:S{};struct Q:R{};struct P:Q{};"
                   "struct X:P,R{void f(){g();}};void f(){X c;g();}");
    /* A template without members is what it inherits. */
    assert_dropped("struct A{};template<class T>struct B:A{};int z;", ":A", "struct A{};int z;");
}

/* A name in a class is that of its own member, though others have one of that name. */
static void test_dependency_members__names_are_those_of_the_class_around(void **state)
{
    (void)state;
    assert_dropped("struct A{using t=int*;t x;};struct B{using t=char*;t y;};", "using t=c",
                   "struct A{using t=int*;t x;};struct B{};");
}

/* Outside of its class a function is an error without its body. */
static void test_dependency_members__members_defined_outside_keep_their_bodies(void **state)
{
    (void)state;
    assert_dropped("struct A{void f();};void A::f(){g();}int z;", "{g",
                   "struct A{void f();};int z;");
}

/* A use of a variable's member, and where its class's own is. */
struct use {
    const char *code;
    const char *own; /* begins the member that it needs */
};

/* The use goes with the member of its own class, and not with that of the other one. */
static void assert_meant(const char *classes, const struct use *uses, size_t n,
                         const char *const others[2])
{
    for (size_t i = 0; i < 2 * n; i++) {
        const struct use *use = &uses[i / 2];
        char source[400];
        (void)snprintf(source, sizeof source, "%s%s", classes, use->code);
        char *text = drop(source, others[i % 2], true);
        const bool stays = strstr(text, "a.begin") || strstr(text, "for(");
        if (stays != (strcmp(others[i % 2], use->own) != 0)) fail_msg("of '%s': %s", source, text);
        test_free(text);
    }
}

#define V "int*begin();int begin(int);"
#define W "char*begin();char begin(int);"

static void test_dependency_members__members_of_variables_are_those_of_their_class(void **state)
{
    (void)state;
    static const struct use uses[] = {{"void f(){v<int>a;a.begin();}", V},
                                      {"void f(const v<int>&a){a.begin();}", V},
                                      {"void f(){v<int>a;for(int x:a);}", V},
                                      {"void f(w a){for(int x:a);}", W},
                                      {"typedef v<int>w;void f(){w a;a.begin();}", V}};
    static const char *const members[] = {V, W};
    assert_meant("template<class T>struct v{" V "int*end();};struct w{" W "char*end();};", uses,
                 sizeof uses / sizeof *uses, members);
}

/* Of several classes of one name it is that of the space that is named, or of those around. */
static void test_dependency_members__classes_of_one_name_are_told_by_their_spaces(void **state)
{
    (void)state;
    static const struct use uses[] = {
        {"void f(){s::v<int>a;a.begin();}", V},
        {"void f(){x::v<int>a;a.begin();}", W},
        {"void f(const x::v<int>&a){for(int i:a);}", W},
        {"typedef x::v<int>w;void f(){w a;a.begin();}", W},
        {"namespace y=s;void f(y::v<int>a){a.begin();}", V},
        {"namespace s{void f(v<int>a){a.begin();}}", V},
        {"namespace x{namespace y{void f(v<int>a){a.begin();}}}", W},
        {"using namespace s;void f(v<int>a){a.begin();}", V},
    };
    static const char *const members[] = {V, W};
    assert_meant("namespace s{template<class T>struct v{" V "int*end();};}"
                 "namespace x{template<class T>struct v{" W "char*end();};}",
                 uses, sizeof uses / sizeof *uses, members);
}

/* So are classes in classes by the class that is named, or the one around; what is not told stays. */
static void test_dependency_members__classes_in_classes_are_told_by_those(void **state)
{
    (void)state;
    static const struct use uses[] = {{"};void f(){s::v a;a.begin();}", V},
                                      {"};void f(){x::v a;a.begin();}", W},
                                      {"void f(v a){a.begin();}};", W},
                                      {"};void f(){t<s>::v a;a.begin();}", ""},
                                      {"};void f(v a){a.begin();}", ""}};
    static const char *const members[] = {V, W};
    assert_meant("struct s{struct v{" V "int*end();};};struct x{struct v{" W "char*end();};", uses,
                 sizeof uses / sizeof *uses, members);
}

#undef V
#undef W

/* What says `override` goes with what it overrides, in a base of a base, too; else a base's function may go. */
static void test_dependency_members__what_overrides_goes_with_what_it_overrides(void **state)
{
    (void)state;
    assert_dropped(
        "struct A{virtual int f();int g();};struct B:A{};struct C:B{int f()override;};int"
        " z;",
        "virtual int f();", "struct A{int g();};struct B:A{};struct C:B{};int z;");
    assert_dropped("struct A{virtual int f();int g();};struct C:A{virtual int f();};int z;",
                   "virtual int f();", "struct A{int g();};struct C:A{virtual int f();};int z;");
}

/* A specialisation needs a declaration of its template before it, or in the same class. */
static void test_dependency_members__specialisations_need_their_template_before_them(void **state)
{
    (void)state;
    assert_dropped("template<class T>struct A;template<>struct A<int>{int x;};"
                   "template<class T>struct A{int y;};int z;",
                   "template<class T>struct A;", "template<class T>struct A{int y;};int z;");
    assert_dropped("struct B{template<class T>struct A{};template<class T>struct A<T*>{};int y;};",
                   "template<class T>struct A{};", "struct B{int y;};");
}

/* Of a class without constructors, of which a list of values is given, each data member is needed. */
static void test_dependency_members__listed_values_are_those_of_all_data_members(void **state)
{
    (void)state;
    assert_dropped("struct A{int x;int y;};void f(){A{1,2};g();}", "int y;",
                   "struct A{int x;};void f(){g();}");
    assert_dropped("struct A{int x;int y;};void f(){A a={1,2};g();}", "int y;",
                   "struct A{int x;};void f(){g();}");
    assert_dropped("struct A{int x;int y;A(int,int);};void f(){A{1,2};g();}", "int y;",
                   "struct A{int x;A(int,int);};void f(){A{1,2};g();}");
    assert_dropped("struct A{int x;int y;};void f(){A{};g();}", "int y;",
                   "struct A{int x;};void f(){A{};g();}");
}

/* Functions that only a constraint tells apart do not stay together without it. */
static void test_dependency_members__rivals_keep_what_tells_them_apart(void **state)
{
    (void)state;
    assert_dropped("struct A{A&f(const A&)=delete;A&f(const A&b)requires x<A>;int y;};",
                   "requires x<A>", "struct A{A&f(const A&)=delete;int y;};");
    assert_dropped("template<class T>void f(T a);template<class U>void f(U)requires x<U>;int y;",
                   "requires x<U>", "template<class T>void f(T a);int y;");
    assert_dropped("template<class T>void f(T*a);template<class U>void f(U)requires x<U>;int y;",
                   "requires x<U>",
                   "template<class T>void f(T*a);template<class U>void f(U);int y;");
    /* nor without what the alias stands for that is one */
    assert_dropped("template<bool b>struct e;template<class T>struct A{"
                   "template<class U>using y=typename e<U::v>::t;"
                   "template<class U>using n=typename e<!U::v>::t;"
                   "template<class U,y<U> =1>void f(U a);template<class U,n<U> =0>void f(U);};",
                   "typename e<!",
                   "template<bool b>struct e;template<class T>struct A{"
                   "template<class U>using y=typename e<U::v>::t;"
                   "template<class U>using n=int;"
                   "template<class U,y<U> =1>void f(U a);};");
    assert_dropped("struct A{void f(int a=1)const;void f(int)requires x<A>;};", "requires x<A>",
                   "struct A{void f(int a=1)const;void f(int);};");
}

/* What a variable is made from may go by itself, and with what it needs. */
static void test_dependency_members__variables_may_lose_what_they_are_made_from(void **state)
{
    (void)state;
    assert_dropped("int g(int);struct A{};void f(){A a=g(1);h(a);}", "int g(int);",
                   "struct A{};void f(){A a;h(a);}");
    assert_dropped("int g(int);struct A{};void f(){A a(g(1));h(a);}", "int g(int);",
                   "struct A{};void f(){A a;h(a);}");
    assert_dropped("int g(int);struct A{};void f(){A&a=g(1);h(a);k();}", "int g(int);",
                   "struct A{};void f(){k();}");
    assert_dropped("int g(int);void f(){auto a=g(1);h(a);k();}", "int g(int);", "void f(){k();}");
}

/* A variable may be declared with the type of an expression. */
static void test_dependency_members__types_of_expressions_declare_variables(void **state)
{
    (void)state;
    assert_dropped("void f(){decltype(k()) a(1);h(a);k();}", "decltype(k()) a(1);",
                   "void f(){k();}");
}

/* All of a class that the compiler knows is needed with it. */
static void test_dependency_members__classes_that_compilers_know_stay_whole(void **state)
{
    (void)state;
    assert_dropped("namespace std{template<class T>struct initializer_list{T*a;int n;};}int z;",
                   "int n;", "namespace std{}int z;");
}

/* A class may be called like a concept of another name space. */
static void test_dependency_members__concepts_qualify_nothing(void **state)
{
    (void)state;
    assert_dropped("namespace n{template<class T>concept A=true;}struct A{A();};A::A(){}int z;",
                   "{}int", "namespace n{template<class T>concept A=true;}struct A{A();};int z;");
}

/* The program that begins and ends so, with `n` declarations like `each`, which numbers them, between; to be ended. */
static pare_buffer with_many(const char *begin, const char *each, int n, const char *end)
{
    pare_buffer source = {0};
    assert_int_equal(pare_buffer_format(&source, NULL, "%s", begin), PARE_OK);
    for (int i = 0; i < n; i++) {
        const char *number = strchr(each, '#');
        assert_int_equal(pare_buffer_format(&source, NULL, "%.*s%d%s", (int)(number - each), each,
                                            i, number + 1),
                         PARE_OK);
    }
    assert_int_equal(pare_buffer_format(&source, NULL, "%s", end), PARE_OK);
    return source;
}

/* Of very many declarations of one name those at the end are not told from each other. */
static void test_dependency_members__ties_are_not_as_many_as_a_product(void **state)
{
    static const struct {
        const char *begin, *each, *end, *what, *expected;
    } rows[] = {
        {"struct A{", "void f(int(*)[#]);", "virtual void f();};struct B:A{void f()override;};",
         "virtual void f();", "struct B:A{void f()override;};"},
        {"", "namespace n#{struct A;}",
         "template<class T>struct A;template<>struct A<int>{};template<class T>struct A{int x;};",
         "template<class T>struct A;", "template<>struct A<int>{};"},
        {"struct A{", "int x#;", "int y;};void f(){A{1};g();}", "int y;", "A{1};"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int many = 0; many < 2; many++) {
            pare_buffer source =
                with_many(rows[i].begin, rows[i].each, many ? 300 : 3, rows[i].end);
            char *text = drop(source.data, rows[i].what, false);
            assert_null(strstr(text, rows[i].what));
            assert_int_equal(strstr(text, rows[i].expected) != NULL, many);
            test_free(text);
            pare_buffer_done(&source);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dependency_members__what_is_inherited_by_using_goes_with_it),
        cmocka_unit_test(test_dependency_members__members_are_reached_through_bases),
        cmocka_unit_test(test_dependency_members__names_are_those_of_the_class_around),
        cmocka_unit_test(test_dependency_members__members_defined_outside_keep_their_bodies),
        cmocka_unit_test(test_dependency_members__members_of_variables_are_those_of_their_class),
        cmocka_unit_test(test_dependency_members__classes_of_one_name_are_told_by_their_spaces),
        cmocka_unit_test(test_dependency_members__classes_in_classes_are_told_by_those),
        cmocka_unit_test(test_dependency_members__what_overrides_goes_with_what_it_overrides),
        cmocka_unit_test(test_dependency_members__specialisations_need_their_template_before_them),
        cmocka_unit_test(test_dependency_members__listed_values_are_those_of_all_data_members),
        cmocka_unit_test(test_dependency_members__rivals_keep_what_tells_them_apart),
        cmocka_unit_test(test_dependency_members__variables_may_lose_what_they_are_made_from),
        cmocka_unit_test(test_dependency_members__types_of_expressions_declare_variables),
        cmocka_unit_test(test_dependency_members__classes_that_compilers_know_stay_whole),
        cmocka_unit_test(test_dependency_members__concepts_qualify_nothing),
        cmocka_unit_test(test_dependency_members__ties_are_not_as_many_as_a_product),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
