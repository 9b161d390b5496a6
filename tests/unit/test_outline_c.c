/* What large headers in C++ are written like, and what of it is needed with what. */
/* tests: src/reduce/dependency/outline_c.c src/reduce/dependency/outline_c_names.c */
/* tests: src/reduce/dependency/outline_c_uses.c src/reduce/dependency/outline_c_parts.c */
/* tests: src/reduce/dependency/dependency_bases.c src/reduce/dependency/dependency_markers.c */
/* tests: src/reduce/dependency/outline_c_lines.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/buffer.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_drop.h"
#include "unit/support/cpp_closures.h"

static void test_outline_c__names_come_into_name_spaces_by_using(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"struct s{};struct t{};namespace n{using ::s __attribute__((using_if_exists));"
         "using ::t __attribute__((using_if_exists));}n::s x;",
         "n::s x", "struct s{};namespace n{using ::s __attribute__((using_if_exists));}n::s x;"},
        {"namespace m{struct s{};}namespace n{using namespace m;struct t{};}n::s x;", "n::s x",
         "namespace m{struct s{};}namespace n{using namespace m;}n::s x;"},
        {"namespace n{namespace m{int f();}}namespace n{using namespace m;}int x=n::f();int y;",
         "int x", "namespace n{namespace m{int f();}}namespace n{using namespace m;}int x=n::f();"},
        {"namespace n{namespace m{int f();}}namespace n{using namespace m;}int x;", "int x",
         "int x;"},
    };
    ASSERT_CLOSURES(rows);
}

static void test_outline_c__aliases_and_local_names(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"struct T{};template<class R>struct d{typedef R(T::*F)();F f;};d<int>*x;int y=(x->f,0);",
         "int y",
         "struct T{};template<class R>struct d{typedef R(T::*F)();F f;};d<int>*x;int y=(x->f,0);"},
        {"struct T{};template<class R>struct d{typedef R(T::*F);F f;};d<int>*x;int y=(x->f,0);",
         "int y",
         "struct T{};template<class R>struct d{typedef R(T::*F);F f;};d<int>*x;int y=(x->f,0);"},
        {"template<class T>struct c{};void f(){typedef c<int> c;c x;}int y;", "{typedef",
         "template<class T>struct c{};void f(){typedef c<int> c;c x;}"},
        /* `>=` ends no list of arguments. */
        {"int v;template<class T,bool b=(sizeof(T)>1),bool c=sizeof(T)>=1>struct a{};int w;"
         "a<int>*p;",
         "a<int>*p",
         "template<class T,bool b=(sizeof(T)>1),bool c=sizeof(T)>=1>struct a{};a<int>*p;"},
        /* What a template's arguments are by default is said where it is declared first. */
        {"struct d{};template<class T,class U=d>class a;template<class T>class b;"
         "template<class T,class U>class a{};template<class T>class b{};a<int>*x;b<int>*y;",
         "a<int>*x",
         "struct d{};template<class T,class U=d>class a;template<class T,class U>class a{};"
         "a<int>*x;"},
    };
    ASSERT_CLOSURES(rows);
}

static void test_outline_c__declarators_in_brackets_and_contextual_words(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"char(&f(...))[2];int g();int x=sizeof(f(1));", "int x",
         "char(&f(...))[2];int x=sizeof(f(1));"},
        {"struct s{static int*(s::*f())(int){return 0;}static int g();};int x=(s::f(),0);", "int x",
         "struct s{static int*(s::*f())(int){return 0;}};int x=(s::f(),0);"},
        {"template<class T>struct u{typedef __underlying_type(T) type;};u<int>::type x;",
         "u<int>::type",
         "template<class T>struct u{typedef __underlying_type(T) type;};u<int>::type x;"},
        {"struct s{int&final();int g();int f(){return final();}};int x=(s().f(),0);",
         "return final", "struct s{int&final();int f(){return final();}};"},
        {"struct s final{int x;};s y;", "s y", "struct s final{int x;};s y;"},
        /* its type is told by what it returns, outside of the class */
        {"struct s{auto operator()()const;};auto s::operator()()const{return 1;}s x;int y=x();",
         "int y",
         "struct s{auto operator()()const;};auto s::operator()()const{return 1;}s x;int y=x();"},
    };
    ASSERT_CLOSURES(rows);
}

/* What a function's type is deduced from comes along, though it is outside of the class and bodies are not asked for. */
static void test_outline_c__deduced_types_come_with_their_bodies(void **state)
{
    static const char source[] = "struct s{auto f()const;int g()const;};auto s::f()const{return 1;}"
                                 "int s::g()const{return 2;}s x;int y=x.f()+x.g();";
    (void)state;
    pare_dependency *graph = make_graph(source);
    pare_dependency_bits *kept = new_set(graph);
    const pare_dependency_query query = {.bodies = false};
    pare_dependency_add(kept, node_of(graph, source, "int y"));
    assert_int_equal(pare_dependency_close(graph, &query, kept, NULL), PARE_OK);
    char *text = print_set(graph, kept);
    assert_string_equal(text, "struct s{auto f()const;int g()const;};auto s::f()const{return 1;}"
                              "s x;int y=x.f()+x.g();");
    test_free(text);
    test_free(kept);
    pare_dependency_unref(graph);
}

static void assert_dropped(const char *source, const char *what, const char *expected)
{
    pare_dependency *graph = make_graph(source);
    pare_dependency_bits *kept = new_set(graph);
    uint32_t node = node_of(graph, source, what);
    const pare_dependency_query query = {0};
    for (uint32_t i = 0; i < pare_dependency_count(graph); i++)
        pare_dependency_add(kept, i);
    assert_int_equal(pare_dependency_drop(graph, &query, &node, 1, kept, NULL), PARE_OK);
    char *text = print_set(graph, kept);
    assert_string_equal(text, expected);
    test_free(text);
    test_free(kept);
    pare_dependency_unref(graph);
}

static void test_outline_c__what_goes_takes_along_who_cannot_do_without(void **state)
{
    (void)state;
    /* a value of an enumeration that is a template's, which has a comma in it */
    assert_dropped("template<class T,class U>struct c{enum{v=1};};template<class T>class B{};"
                   "struct s{enum{v=c<int,B<int> >::v,w};int z;};",
                   "class B", "template<class T,class U>struct c{enum{v=1};};struct s{int z;};");
    /* the type of what it returns */
    assert_dropped("auto f(){return 1;}int x=f();int y;", "{return", "int x;int y;");
    /* what a variable of `a<T...>` is initialised with */
    assert_dropped("template<class...T>int f(){a<T...> r = 1;g((r = 2));return r;}int y;", "a<T",
                   "template<class...T>int f(){}int y;");
    /* a base, and what tells a specialisation from others */
    assert_dropped("struct t{};using u = t*;struct s:u{};int y;", "t*;",
                   "struct t{};using u = int;struct s{};int y;");
    assert_dropped("template<class T>struct h;struct t{};using u = t*;template<>struct h<u>{};",
                   "t*;", "template<class T>struct h;struct t{};using u = int;");
    /* the base of a template without members; through a typedef, too */
    assert_dropped("template<bool>struct i{};template<bool b>using u=i<b>;"
                   "template<class T>struct s:u<true>{};template<class T>struct v{};",
                   "i<b>;",
                   "template<bool>struct i{};template<bool b>using u=int;"
                   "template<class T>struct v{};");
    assert_dropped("template<bool>struct i{};template<bool b>using u=i<b>;typedef u<true>t;"
                   "struct s:t{};int y;",
                   "i<b>;",
                   "template<bool>struct i{};template<bool b>using u=int;typedef u<true>t;"
                   "struct s{};int y;");
    /* the member of the only class that what is named may be of */
    assert_dropped("struct v{int f();};struct w{int f();};typedef v u;void g(u x){x.f();}int y;",
                   "int f", "struct v{};struct w{int f();};typedef v u;void g(u x){}int y;");
    /* a member through what an alias stands for, or a template's parameter by default */
    assert_dropped("struct v{typedef int p;};struct w{typedef char p;};"
                   "struct s{typedef v b;typedef b::p t;};int y;",
                   "typedef int p",
                   "struct v{};struct w{typedef char p;};struct s{typedef v b;};int y;");
    assert_dropped("struct v{typedef int p;};struct w{typedef char p;};"
                   "template<class T=v>struct s{typedef typename T::p t;};int y;",
                   "typedef int p",
                   "struct v{};struct w{typedef char p;};template<class T=v>struct s{};int y;");
    /* a base, of the class that the alias in a statement stands for */
    assert_dropped("struct v{int f();};struct w:v{};typedef w u;void g(){u x;x.f();}int y;", ":v",
                   "struct v{int f();};struct w{};typedef w u;void g(){u x;}int y;");
    /* what was declared last is meant: here it is no class */
    assert_dropped("struct v{int f();};struct w:v{};struct r{typedef w u;};typedef int u;"
                   "void g(){u x;x.f();}int y;",
                   ":v",
                   "struct v{int f();};struct w{};struct r{typedef w u;};typedef int u;"
                   "void g(){u x;x.f();}int y;");
    /* the last of a row of members that are what one of that name is elsewhere */
    assert_dropped("template<class T>struct s{typedef typename T::p p;};struct v{typedef int p;};"
                   "s<v>::p x;int y;",
                   "typedef int p", "template<class T>struct s{};struct v{};int y;");
    /* what the union without a name holds that a constructor begins with */
    assert_dropped("struct s{union{int a;long b;};s():a(0){}int c;};int y;", "union",
                   "struct s{s();int c;};int y;");
    /* the member of each specialisation, where one is named */
    assert_dropped("template<class T>struct h{typedef T t;int a;};template<class T>struct h<T*>{"
                   "typedef T t;int b;};h<int*>::t x;",
                   "typedef T t;int b",
                   "template<class T>struct h{typedef T t;int a;};template<class T>struct h<T*>{"
                   "int b;};");
}

/* Each of 64 names is an alias of all of them, in 8 name spaces: there are 500,000,000 ways down to the last. */
static void test_outline_c__aliases_of_aliases_are_gone_through_once(void **state)
{
    enum { NAMES = 64, SPACES = 8, USERS = 100 };
    (void)state;
    pare_buffer source = {0};
    for (int space = 0; space < SPACES; space++) {
        for (int name = 0; name < NAMES; name++) {
            assert_int_equal(pare_buffer_format(&source, NULL, "namespace n{typedef p<int"),
                             PARE_OK);
            for (int part = 0; part < NAMES; part++)
                assert_int_equal(pare_buffer_format(&source, NULL, ",t%d", part), PARE_OK);
            assert_int_equal(pare_buffer_format(&source, NULL, ">t%d;}", name), PARE_OK);
        }
    }
    for (int user = 0; user < USERS; user++)
        assert_int_equal(pare_buffer_format(&source, NULL, "struct s%d:t%d{};", user, user % NAMES),
                         PARE_OK);
    pare_dependency *graph = make_graph(source.data);
    assert_true(pare_dependency_count(graph) > NAMES * SPACES + USERS);
    pare_dependency_unref(graph);
    pare_buffer_done(&source);
}

static void test_outline_c__no_file_ends_that_has_not_begun(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"# 1 \"x\"\nint a;\n# 1 \"h\" 1 3\nint b;\n# 2 \"x\" 2\nint c;\n", "int c",
         "# 1 \"x\"\nint c;\n"},
        {"# 1 \"x\"\n# 1 \"h\" 1\nint b;\nint d;\n# 9 \"x\" 2 4\nint c=b;\n", "int c",
         "# 1 \"x\"\n# 1 \"h\" 1\nint b;\nint c=b;\n"},
        {"# 9 \"x\" 2 4\nint b;\nint c=b;\n", "int c", "# 9 \"x\" 4\nint b;\nint c=b;\n"},
    };
    ASSERT_CLOSURES(rows);
}

/* With Windows' line ends, too: else the second line of `a` would declare c. */
static void test_outline_c__a_directive_goes_on_behind_a_backslash(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"#define a \\\r\nint c;\r\nint b;\r\nint d=b;\r\n", "int d",
         "#define a \\\r\nint c;\r\nint b;\r\nint d=b;\r\n"},
        {"#define a \\\nint c;\nint b;\nint d=c;\n", "int d", "#define a \\\nint c;\nint d=c;\n"},
        {"#define a \\\r\nint c;\r\nint b;\r\nint d=c;\r\n", "int d",
         "#define a \\\r\nint c;\r\nint d=c;\r\n"},
    };
    ASSERT_CLOSURES(rows);
}

static void test_outline_c__pragmas_go_together(void **state)
{
    (void)state;
    const char *source = "# pragma GCC diagnostic push\n#define a 1\nint b;\n#pragma pack(push)\n"
                         "struct c{\n#pragma x\nint d;};\n#pragma GCC diagnostic pop\n";
    pare_dependency *graph = make_graph(source);
    pare_dependency_bits *kept = new_set(graph);
    for (uint32_t i = 0; i < pare_dependency_count(graph); i++)
        pare_dependency_add(kept, i);
    pare_dependency_make_plain(graph, kept);
    pare_dependency_drop_pragmas(graph, kept);
    char *text = print_set(graph, kept);
    assert_string_equal(text, "#define a 1\nint b;\nstruct c{\nint d;};\n");
    test_free(text);
    test_free(kept);
    pare_dependency_unref(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outline_c__aliases_and_local_names),
        cmocka_unit_test(test_outline_c__declarators_in_brackets_and_contextual_words),
        cmocka_unit_test(test_outline_c__deduced_types_come_with_their_bodies),
        cmocka_unit_test(test_outline_c__names_come_into_name_spaces_by_using),
        cmocka_unit_test(test_outline_c__aliases_of_aliases_are_gone_through_once),
        cmocka_unit_test(test_outline_c__no_file_ends_that_has_not_begun),
        cmocka_unit_test(test_outline_c__a_directive_goes_on_behind_a_backslash),
        cmocka_unit_test(test_outline_c__pragmas_go_together),
        cmocka_unit_test(test_outline_c__what_goes_takes_along_who_cannot_do_without),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
