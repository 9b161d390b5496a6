/* What is left of small programs in C and C++ when something goes. */
/* tests: src/reduce/dependency/dependency_drop.c src/reduce/dependency/outline_c_lines.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_drop.h"
#include "reduce/dependency/dependency_print.h"
#include "unit/support/closure_rows.h"

static void assert_dropped(const char *source, const char *what, const char *expected)
{
    pare_dependency *graph = make_graph("cpp", source);
    pare_dependency_bits *all = all_nodes(graph), *kept = all_nodes(graph);
    const pare_dependency_query query = {.within = all};
    uint32_t node = node_of(graph, source, what);
    assert_int_equal(pare_dependency_drop(graph, &query, &node, 1, kept, NULL), PARE_OK);
    assert_true(pare_dependency_is_sound(graph, &query, kept));
    char *text = print_set(graph, kept);
    assert_string_equal(text, expected);
    test_free(text);
    test_free(all);
    test_free(kept);
    pare_dependency_unref(graph);
}

static void test_dependency_drop__who_needs_what_goes_goes_too(void **state)
{
    (void)state;
    assert_dropped("struct A{};A a;int b;int c=a.x;", "struct A", "int b;int c;");
    assert_dropped("int f();int f(){return 1;}int x=f();", "int f();",
                   "int f(){return 1;}int x=f();");
    assert_dropped("int f(){return 1;}int x=f();", "{return", "int f();int x=f();");
    assert_dropped("struct A{int x;int y;};int z;", "int y", "struct A{int x;};int z;");
}

/* Parts of items go by themselves; some leave a text. */
static void test_dependency_drop__parts_go_without_their_items(void **state)
{
    (void)state;
    static const struct {
        const char *source, *what, *expected;
    } rows[] = {
        {"struct A{};struct B:A{int x;};", ":A", "struct A{};struct B{int x;};"},
        {"template<class T>concept C=sizeof(T)>1;int z;", "sizeof",
         "template<class T>concept C=true;int z;"},
        {"template<class T>concept C=true;template<C T>struct S{};", "C T",
         "template<class T>concept C=true;template<class T>struct S{};"},
        {"template<class T>struct S requires(T(1)){int x;};", "requires",
         "template<class T>struct S {int x;};"},
        {"int f()noexcept(f()){return 1;}", "noexcept", "int f(){return 1;}"},
        {"using T=long long;int z;", "long", "using T=int;int z;"},
        {"constexpr bool b=1>2;int z;", "1>2", "constexpr bool b=1;int z;"},
        {"template<class T>struct A{friend bool operator<(A,A)requires x<T>{return 1;}int i;};",
         "{return", "template<class T>struct A{int i;};"},
        {"struct A{A*x;};const A a={0};int z;", "{0}", "struct A{A*x;};const A a={};int z;"},
        /* Statements, with those that use their variables. */
        {"int f(){int a=1;g();int b=a;return 2;}", "int a", "int f(){g();return 2;}"},
        {"int f(){if(x)g();else{h();i();}return 2;}", "h()",
         "int f(){if(x)g();else{i();}return 2;}"},
        {"int f(){do g();while(h());for(;;){i();}return 2;}", "do g",
         "int f(){for(;;){i();}return 2;}"},
        {"int f(){try{g();}catch(int){h();}return 2;}", "try", "int f(){return 2;}"},
        {"int f(){if(a)b();else if(c)d();e();}", "if(a)", "int f(){e();}"},
        /* Types that a function declares for itself. */
        {"void f(){using t=int;t x;g();}", "using t", "void f(){g();}"},
        {"void f(){struct s{int i;};s x;g();}", "struct s", "void f(){g();}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_dropped(rows[i].source, rows[i].what, rows[i].expected);
}

/* A line of the preprocessor goes with the one that it ends or begins. */
static void test_dependency_drop__lines_go_with_their_partners(void **state)
{
    (void)state;
    static const char push[] =
        "#pragma GCC visibility push(default)\n#pragma pack(push,1)\nint a;\n"
        "#pragma GCC visibility pop\nint b;\n#pragma pack(pop)\nint c;";
    static const char *const without_pack =
        "#pragma GCC visibility push(default)\nint a;\n#pragma GCC visibility pop\nint b;\nint c;";
    assert_dropped(push, "#pragma GCC visibility pop",
                   "#pragma pack(push,1)\nint a;\nint b;\n#pragma pack(pop)\nint c;");
    assert_dropped(push, "#pragma pack(push", without_pack);
    assert_dropped("#ifdef A\nint a;\n# if B\nint b;\n# endif\n#else\nint c;\n#endif\nint d;",
                   "#endif\nint d", "int a;\n# if B\nint b;\n# endif\nint c;\nint d;");
    assert_dropped("#if A\nint a;\n#else\nint c;\n#endif\nint d;", "#else",
                   "#if A\nint a;\nint c;\n#endif\nint d;");
    /* Of another kind, or of none. */
    assert_dropped("#pragma push_macro(\"x\")\nint a;\n#pragma pop\n#pragma once\nint b;",
                   "#pragma pop", "#pragma push_macro(\"x\")\nint a;\n#pragma once\nint b;");
}

/* A class goes with the first of what libraries know of its objects, where they are kept as they are; others do not. */
static void test_dependency_drop__classes_keep_their_layout_or_go(void **state)
{
    (void)state;
    static const char source[] = "struct A{A();int x;int y;};struct B{int x;int w;};int z;";
    static const char *const expected[2][2] = {
        {"struct A{A();int x;};struct B{int x;int w;};int z;",
         "struct A{A();int x;int y;};struct B{int x;};int z;"},
        {"struct B{int x;int w;};int z;", "struct A{A();int x;int y;};struct B{int x;};int z;"}};
    for (int layout = 0; layout < 2; layout++) {
        for (int other = 0; other < 2; other++) {
            pare_dependency *graph = make_graph("cpp", source);
            pare_dependency_bits *all = all_nodes(graph), *kept = all_nodes(graph);
            const pare_dependency_query query = {.within = all, .layout = layout};
            const uint32_t node = node_of(graph, source, other ? "int w" : "int y");
            assert_int_equal(pare_dependency_drop(graph, &query, &node, 1, kept, NULL), PARE_OK);
            char *text = print_set(graph, kept);
            assert_string_equal(text, expected[layout][other]);
            test_free(text);
            test_free(all);
            test_free(kept);
            pare_dependency_unref(graph);
        }
    }
}

/* The label of a member stays with it, but for one that takes access away. */
static void test_dependency_drop__labels_stay_with_those_who_need_them(void **state)
{
    (void)state;
    assert_dropped("class A{int x;public:void f();};int z;", "public", "class A{int x;};int z;");
    assert_dropped("class A{int x;public:void f();};int z;", "void f",
                   "class A{int x;public:};int z;");
    assert_dropped("struct A{int x;private:void f();};int z;", "private",
                   "struct A{int x;void f();};int z;");
    assert_dropped("class A{protected:int x;public:void f();private:int y;};", "protected",
                   "class A{public:void f();private:int y;};");
}

/* What a constructor initialises is there: a data member, or a base, whose name may be an alias. */
static void test_dependency_drop__constructors_keep_what_they_begin_with(void **state)
{
    (void)state;
    static const char source[] =
        "struct A{};struct X{int v;};struct B:A{using P=A;int v;B():P(),v(1){}B(int):v(2){}};";
    assert_dropped(source, ":A{",
                   "struct A{};struct X{int v;};struct B{using P=A;int v;B();B(int):v(2){}};");
    assert_dropped(source, "int v;B",
                   "struct A{};struct X{int v;};struct B:A{using P=A;B();B(int);};");
}

/* What a constant function returns is a part of its body: without it the function is an error. */
static void test_dependency_drop__constant_functions_keep_what_they_return(void **state)
{
    (void)state;
    static const char source[] = "constexpr int f(){return 1;}int f2(){return 2;}";
    assert_dropped(source, "return 1", "constexpr int f();int f2(){return 2;}");
    assert_dropped(source, "return 2", "constexpr int f(){return 1;}int f2(){}");
    assert_dropped("constexpr int f(int x){if(x){return 1;}return 2;}int z;", "if(x)",
                   "constexpr int f(int x);int z;");
    /* What is returned uses a type of the function's own. */
    assert_dropped("constexpr int f(){using t=A;g();return t::x;}int z;", "using t",
                   "constexpr int f();int z;");
}

/* What no class is called so is a variable of its type, so that the values of a union stay. */
static void test_dependency_drop__a_class_of_that_type_is_not_declared(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"cpp", "struct s{int a;};typedef union{struct s d;char x[4];}u;u v={{1}};int z;", "u v",
         "struct s{int a;};typedef union{struct s d;char x[4];}u;u v={{1}};", false},
        {"cpp", "class API A{int x;};class API B:A{};B b;", "B b",
         "class API A{int x;};class API B:A{};B b;", false},
    };
    ASSERT_CLOSURES(rows);
}

/* An empty constant constructor costs nothing, and is used before it is defined without its body. */
static void test_dependency_drop__empty_constant_constructors_keep_their_bodies(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"cpp", "struct A{constexpr A(int*){}};constexpr A a(0);", "A a",
         "struct A{constexpr A(int*){}};constexpr A a(0);", false},
        {"cpp", "struct A{int v;constexpr A(int*):v(1){}};A*a;", "A*a",
         "struct A{int v;constexpr A(int*):v(1){}};A*a;", false},
        {"cpp", "struct A{int v;constexpr A(int*){v=1;}};A*a;", "A*a",
         "struct A{constexpr A(int*);};A*a;", false},
        {"cpp", "class type_info{bool f();};bool type_info::f(){return 1;}int x;", "int x",
         "int x;", false},
        {"cpp", "class type_info{bool f();};bool type_info::f(){return 1;}type_info*x;", "_info*x",
         "class type_info{bool f();};bool type_info::f(){return 1;}type_info*x;", false},
    };
    ASSERT_CLOSURES(rows);
}

/* What a library was compiled with is in objects of its classes, and of those in them and below them: data members
 * and virtual functions, but not of classes that are all here. */
static void test_dependency_drop__libraries_know_the_objects_of_their_classes(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"cpp", "struct A{int m;void f();virtual void g();};A a;", "A a", "struct A{};A a;", true},
        {"cpp", "struct A{int m;void f();virtual void g();};A a;", "A a",
         "struct A{int m;virtual void g();};A a;", 2},
        {"cpp", "struct A{int m;void f();};void A::f(){}A a;", "A a", "struct A{};A a;", 2},
        {"cpp", "struct A{int m;void f()=delete;};A a;", "A a", "struct A{};A a;", 2},
        {"cpp",
         "struct B{int b;void g(){}};struct M{int m;void g(){}};struct P{int p;void g(){}};"
         "struct A:B{M m;P*q;void f();};A a;",
         "A a", "struct B{int b;};struct M{int m;};struct P{};struct A:B{M m;P*q;};A a;", 2},
        {"cpp", "template<class T>struct A{T m;void g(){}};extern template struct A<int>;A<int>a;",
         "A<int>a", "template<class T>struct A{T m;};extern template struct A<int>;A<int>a;", 2},
        {"cpp", "template<class T>struct A{T m;};extern template struct A<int>;A<int>a;", "A<int>a",
         "template<class T>struct A{T m;};A<int>a;", 1},
        {"cpp", "template<class T>struct A{T m;};extern template void f(A<int>&);int a;", "int a",
         "int a;", 2},
        {"cpp", "struct A{int m;struct B{int n;};void f(B);};A a;A::B b;", "A::B b",
         "struct A{int m;struct B{int n;};};A a;A::B b;", 2},
        {"cpp",
         "template<class T>struct A{T m;void g(){}};using t=A<int>;struct L{t x;void h();};L l;",
         "L l", "template<class T>struct A{T m;};using t=A<int>;struct L{t x;};L l;", 2},
    };
    ASSERT_CLOSURES(rows);
}

/* What is called without being named: by coroutines, by the comma of a matrix, by who inherits constructors. */
static void test_dependency_drop__calls_without_names(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"cpp",
         "template<class T>struct coroutine_traits{};struct P{int yield_value(int);int q();};"
         "P f(){co_yield 1;}",
         "P f",
         "template<class T>struct coroutine_traits{};struct P{int yield_value(int);};"
         "P f(){co_yield 1;}",
         true},
        {"cpp", "struct P{int yield_value(int);};P f(){return 1;}", "P f",
         "struct P{};P f(){return 1;}", true},
        {"cpp", "struct M{M&operator,(int);M&operator+(int);};void f(M m){m,1;}", "void f",
         "struct M{M&operator,(int);};void f(M m){m,1;}", true},
        {"cpp", "struct B{B(int);};struct A:B{using B::B;using B::c;};A a(1);", "A a",
         "struct B{B(int);};struct A:B{using B::B;};A a(1);", true},
        {"cpp",
         "template<class T>struct B{B(int);};struct A:B<int>{using B<int>::B;using B<int>::c;};"
         "A a(1);",
         "A a", "template<class T>struct B{B(int);};struct A:B<int>{using B<int>::B;};A a(1);",
         true},
    };
    ASSERT_CLOSURES(rows);
}

/* `<` that compares in a template's parameters: the list ends all the same, and what follows is declared. */
static void test_dependency_drop__parameters_may_compare(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"cpp",
         "template<class T>struct d{};"
         "template<int n,bool=n<static_cast<int>(d<int>::v)>struct A{};A<1> a;int b;",
         "A<1> a",
         "template<class T>struct d{};"
         "template<int n,bool=n<static_cast<int>(d<int>::v)>struct A{};A<1> a;",
         true},
    };
    ASSERT_CLOSURES(rows);
}

/* An object that nobody names is there for what its constructor does: with its class, or the one around that. */
static void test_dependency_drop__objects_act_by_themselves(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"cpp", "struct A{struct I{I();};};static A::I i;A a;", "A a", "struct A{};A a;", true},
        {"cpp", "struct A{struct I{I();};};static A::I i;A a;", "A a",
         "struct A{struct I{I();};};static A::I i;A a;", 2},
        {"cpp", "namespace s{struct A{A();};}s::A x;namespace s{A*a;}", "A*a",
         "namespace s{struct A{A();};}s::A x;namespace s{A*a;}", 2},
        {"cpp", "struct A{};A*p;extern A e;A f();struct B{};B b;A a;", "A a", "struct A{};A a;", 2},
        {"cpp", "::A b;struct A{A();};static ::A c;A*a;", "A*a",
         "::A b;struct A{A();};static ::A c;A*a;", 2},
    };
    ASSERT_CLOSURES(rows);
}

/* A template that is a member of a class is specialised outside of that. */
static void test_dependency_drop__members_are_specialised(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"cpp",
         "struct A{template<class T>struct B{T x;};};template<>struct A::B<void>{};A::B<void>*p;",
         "*p",
         "struct A{template<class T>struct B{T x;};};template<>struct A::B<void>{};A::B<void>*p;",
         false},
        {"cpp", "struct A{template<class T>struct B{T x;};};template<>struct A::B<void>{};A*p;",
         "*p", "struct A{};A*p;", false},
        {"cpp",
         "struct C{};struct A{template<class T>struct B{};};template<>struct "
         "A::B<C>{};A::B<int>*p;",
         "*p", "struct A{template<class T>struct B{};};A::B<int>*p;", false},
    };
    ASSERT_CLOSURES(rows);
}

/* Variables with arguments, and those whose type ends in an angle bracket. */
static void test_dependency_drop__uses_go_with_their_variables(void **state)
{
    (void)state;
    assert_dropped("struct P{};void f(){P p(1);g(p);h();}", "P p", "struct P{};void f(){h();}");
    assert_dropped("void f(){s::m<a,b<c>> p;p[1]=2;h();}", "s::m", "void f(){h();}");
    assert_dropped("void f(){m<a> p(3);p.x();h();}", "m<a>", "void f(){h();}");
    assert_dropped("void f(){typedef m<a> t;t x;int c=2;}", "typedef", "void f(){int c=2;}");
    assert_dropped("void f(){enum e{n=1,k};int a=k;int c=2;}", "enum", "void f(){int c=2;}");
    /* A comparison declares nothing. */
    const struct row row = {"cpp", "int b;int f(int a){return a<1>b;}int x=f(1);", "int x",
                            "int b;int f(int a){return a<1>b;}int x=f(1);", true};
    assert_closure(&row);
}

/* An operand in brackets is no parameter, so what comes after it is a class. */
static void test_dependency_drop__constraints_come_before_classes(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"cpp",
         "template<class T>concept C=true;template<class T>requires C<T>&&(!C<T>)struct A:B{int "
         "x;void f();};A<int>*a;",
         "*a",
         "template<class T>concept C=true;template<class T>requires C<T>&&(!C<T>)struct "
         "A:B{};A<int>*a;",
         false},
    };
    ASSERT_CLOSURES(rows);
    assert_dropped(
        "template<class T>struct A{};template<class T>requires x<T>struct A<T>{int f();};", "int f",
        "template<class T>struct A{};template<class T>requires x<T>struct A<T>{};");
    assert_dropped("template<class T>struct A{};template<class T>requires x<T>struct A<T>{};int z;",
                   "requires", "template<class T>struct A{};int z;");
}

/* Where a class is only declared it is of no use to whom uses it. */
static void test_dependency_drop__a_declaration_does_not_stand_for_its_class(void **state)
{
    (void)state;
    assert_dropped("struct A;struct A{};struct B{A a;};", "struct A{", "struct B{};");
    /* Nor does its definition for a declaration that others come after. */
    assert_dropped("struct A;A*a;struct A{};A*b;", "struct A;", "struct A{};A*b;");
}

/* Code of a program that would stand in a system header's part is told apart again, and the other way
 * round; white space and what is printed without markers is not. */
static void test_dependency_drop__system_headers_do_not_spread(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"cpp", "# 1 \"h\" 1 3\nint a;\nint b;\n# 2 \"x\" 2\nint c;\nint d=a;\n", "int d",
         "# 1 \"h\" 1 3\nint a;\n# 2 \"x\"\nint d=a;\n", false},
        {"cpp", "int o;\n# 1 \"h\" 3\nint b;\nint a;\n# 2 \"x\"\nint c;int d=a;", "int d",
         "# 1 \"h\" 3\nint a;\n# 2 \"x\"\nint d=a;", false},
        {"cpp", "# 1 \"x\"\nint a;\n# 7 \"3\"\nint b;\nint d=a;\n", "int d",
         "# 1 \"x\"\nint a;\n# 7 \"3\"\nint d=a;\n", false},
    };
    ASSERT_CLOSURES(rows);
}

/* An operator that is only there for a type has no use in other types, nor is a bracket one. */
static void test_dependency_drop__operators_are_used_by_expressions_on_their_types(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"cpp", "struct A{};A operator&(A,A);A operator*(A,A);void f(A&,A*);", "void f",
         "struct A{};void f(A&,A*);", false},
        {"cpp", "enum E{x};E operator|(E,E);struct A{};A operator|(A,A);A a;A b=a|a;", "A b",
         "struct A{};A operator|(A,A);A a;A b=a|a;", false},
        {"cpp",
         "struct A{};template<class T>struct t{};bool operator<(A,A);bool operator>(A,A);"
         "A operator>>(A,A);t<t<A>> v;",
         "t<t<A>> v", "struct A{};template<class T>struct t{};t<t<A>> v;", false},
        {"cpp", "struct A{};template<int n>struct t{};bool operator<(A,A);A a;t<(a<a)> v;",
         "t<(a<a)> v", "struct A{};template<int n>struct t{};bool operator<(A,A);A a;t<(a<a)> v;",
         false},
        /* For any type, it is found by an argument whose class is of its name space. */
        {"cpp",
         "namespace n{struct B{};template<class T>T operator+(T,T);}struct A{A operator+(A);};"
         "A a;A b=a+a;",
         "A b", "struct A{A operator+(A);};A a;A b=a+a;", false},
        {"cpp", "namespace n{struct B{};template<class T>T operator+(T,T);}n::B a;int b=a+a;",
         "int b", "namespace n{struct B{};template<class T>T operator+(T,T);}n::B a;int b=a+a;",
         false},
    };
    ASSERT_CLOSURES(rows);
}

/* What no declaration around it is meant by is found in other name spaces by arguments only, or where one is opened. */
static void test_dependency_drop__names_of_other_spaces_are_found_by_arguments(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"cpp", "namespace n{int f;}struct A{int f();};int A::f(){return f;}A a;int x=a.f();",
         "int x", "struct A{int f();};int A::f(){return f;}A a;int x=a.f();", true},
        {"cpp", "namespace n{struct A{};void f(A);struct B{};void f(B);}n::A a;void g(){f(a);}",
         "{f(a", "namespace n{struct A{};void f(A);}n::A a;void g(){f(a);}", false},
        {"cpp", "namespace n{int f;int g;}using namespace n;int x=f;", "int x",
         "namespace n{int f;}using namespace n;int x=f;", false},
        {"cpp", "namespace n{int f;}namespace m{using namespace n;}namespace k{int x=f;}", "int x",
         "namespace k{int x=f;}", false},
        {"cpp", "namespace a{inline namespace b{int f;}}namespace c{using namespace a::b;int x=f;}",
         "int x",
         "namespace a{inline namespace b{int f;}}namespace c{using namespace a::b;int x=f;}",
         false},
        /* Of several that are called so the nearest is meant. */
        {"cpp", "namespace d{int f;}namespace n{namespace d{int f;}int x=d::f;}", "int x",
         "namespace d{}namespace n{namespace d{int f;}int x=d::f;}", false},
        {"cpp", "namespace d{int f;}namespace n{namespace d{int f;}}int x=n::d::f;", "int x",
         "namespace d{int f;}namespace n{namespace d{int f;}}int x=n::d::f;", false},
    };
    ASSERT_CLOSURES(rows);
}

/* To let a class in does not need it. */
static void test_dependency_drop__friends_come_with_their_classes(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"cpp", "class B;struct A{friend class B;};class B{A a;};A x;", "A x", "struct A{};A x;",
         false},
        {"cpp", "class B;struct A{friend class B;};class B{A a;};B x;", "B x",
         "class B;struct A{friend class B;};class B{A a;};B x;", false},
        {"cpp", "template<class T>class B{};struct A{template<class T>friend class B;};A x;", "A x",
         "struct A{};A x;", false},
    };
    ASSERT_CLOSURES(rows);
}

/* What no part of the file can do without stays, in brackets without a name, too. */
static void test_dependency_drop__operators_of_the_language_are_never_unused(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"cpp", "extern \"C++\"{void*operator new(unsigned,void*);int a;}int b;", "int b",
         "extern \"C++\"{void*operator new(unsigned,void*);}int b;", false},
        {"cpp", "struct o{static const o e;};const o o::e(1);int b;o c=o::e;", "o c",
         "struct o{static const o e;};const o o::e(1);o c=o::e;", false},
    };
    ASSERT_CLOSURES(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dependency_drop__who_needs_what_goes_goes_too),
        cmocka_unit_test(test_dependency_drop__parts_go_without_their_items),
        cmocka_unit_test(test_dependency_drop__lines_go_with_their_partners),
        cmocka_unit_test(test_dependency_drop__classes_keep_their_layout_or_go),
        cmocka_unit_test(test_dependency_drop__labels_stay_with_those_who_need_them),
        cmocka_unit_test(test_dependency_drop__constructors_keep_what_they_begin_with),
        cmocka_unit_test(test_dependency_drop__constant_functions_keep_what_they_return),
        cmocka_unit_test(test_dependency_drop__a_class_of_that_type_is_not_declared),
        cmocka_unit_test(test_dependency_drop__empty_constant_constructors_keep_their_bodies),
        cmocka_unit_test(test_dependency_drop__libraries_know_the_objects_of_their_classes),
        cmocka_unit_test(test_dependency_drop__calls_without_names),
        cmocka_unit_test(test_dependency_drop__parameters_may_compare),
        cmocka_unit_test(test_dependency_drop__objects_act_by_themselves),
        cmocka_unit_test(test_dependency_drop__members_are_specialised),
        cmocka_unit_test(test_dependency_drop__uses_go_with_their_variables),
        cmocka_unit_test(test_dependency_drop__constraints_come_before_classes),
        cmocka_unit_test(test_dependency_drop__a_declaration_does_not_stand_for_its_class),
        cmocka_unit_test(test_dependency_drop__system_headers_do_not_spread),
        cmocka_unit_test(test_dependency_drop__operators_are_used_by_expressions_on_their_types),
        cmocka_unit_test(test_dependency_drop__names_of_other_spaces_are_found_by_arguments),
        cmocka_unit_test(test_dependency_drop__friends_come_with_their_classes),
        cmocka_unit_test(test_dependency_drop__operators_of_the_language_are_never_unused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
