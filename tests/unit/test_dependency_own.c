/* In a class, names are looked up to its own members first. */
/* tests: src/reduce/dependency/dependency_own.c src/reduce/dependency/dependency_rules.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reduce/dependency/dependency.h"
#include "unit/support/cpp_closures.h"

static void test_dependency_own__members_of_others_are_not_meant(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"struct A{using t=int*;t x;};struct B{using t=char*;};A a;B b;int z=(a.x,&b,0);", "int z",
         "struct A{using t=int*;t x;};struct B{};A a;B b;int z=(a.x,&b,0);"},
        {"struct A{void f();void f(int);void g(){f();}};struct B{void f();};A a;B b;"
         "int z=(a.g(),&b,0);",
         "int z",
         "struct A{void f();void f(int);void g(){f();}};struct B{};A a;B b;int z=(a.g(),&b,0);"},
        {"struct s{};struct A{struct s{};s x;};A a;int z=(a.x,0);", "int z",
         "struct A{struct s{};s x;};A a;int z=(a.x,0);"},
        /* Of a class around, too. */
        {"struct A{using t=int*;struct C{t x;};};struct B{using t=char*;};A::C a;B b;"
         "int z=(a.x,&b,0);",
         "int z", "struct A{using t=int*;struct C{t x;};};struct B{};A::C a;B b;int z=(a.x,&b,0);"},
        /* what an alias stands for is not the alias */
        {"template<class T>struct t{};template<class T>struct u{};struct A{template<class T>using "
         "t=t<T>;t<int>x;};A a;int z=(a.x,0);",
         "int z",
         "template<class T>struct t{};struct A{template<class T>using t=t<T>;t<int>x;};A a;"
         "int z=(a.x,0);"},
    };
    ASSERT_CLOSURES(rows);
}

/* What a body that stands outside of its class uses is looked up in the class, but for what stands before it. */
static void test_dependency_own__members_defined_outside_use_those_of_their_class(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"struct A{typedef int t;int f();int n();};struct B{typedef char t;int n();};"
         "int A::f(){t x=n();return x;}B b;A a;int z=(a.f(),&b,0);",
         "int z",
         "struct A{typedef int t;int f();int n();};struct B{};"
         "int A::f(){t x=n();return x;}B b;A a;int z=(a.f(),&b,0);"},
        /* of the class in that name space, and the one that declares it */
        {"namespace s{struct A{int f();int n();};}struct A{int n();};int s::A::f(){return n();}"
         "A b;s::A a;int z=(a.f(),&b,0);",
         "int z",
         "namespace s{struct A{int f();int n();};}struct A{};int s::A::f(){return n();}"
         "A b;s::A a;int z=(a.f(),&b,0);"},
        {"template<class T>struct A{typedef T*t;void f();int n();};struct B{typedef char t;int "
         "n();};"
         "template<class T>void A<T>::f(){if(1){t x;n();}}B b;A<int>a;int z=(a.f(),&b,0);",
         "int z",
         "template<class T>struct A{typedef T*t;void f();int n();};struct B{};"
         "template<class T>void A<T>::f(){if(1){t x;n();}}B b;A<int>a;int z=(a.f(),&b,0);"},
        /* of a specialisation, which is called as its class is; of one that is not kept nothing comes along */
        {"template<class T>struct A{void f();int n();};template<class T>struct A<T*>{void f();int "
         "n();};template<class T>struct A<T&>{void f();int n();};"
         "template<class T>void A<T*>::f(){n();}A<int*>a;int z=(a.f(),0);",
         "int z",
         "template<class T>struct A{void f();int n();};template<class T>struct A<T*>{void f();int "
         "n();};template<class T>struct A<T&>{void f();int n();};"
         "template<class T>void A<T*>::f(){n();}A<int*>a;int z=(a.f(),0);"},
    };
    ASSERT_CLOSURES(rows);
}

static void test_dependency_own__what_is_told_elsewhere_is_looked_for_everywhere(void **state)
{
    (void)state;
    const struct row rows[] = {
        /* a base's */
        {"struct A{using t=int;};struct C{using t=int;struct B:A{t x;};};C::B b;int z=(b.x,0);",
         "int z",
         "struct A{using t=int;};struct C{using t=int;struct B:A{t x;};};C::B b;int z=(b.x,0);"},
        /* one of a class around, or a base's */
        {"struct A{};struct C{using t=int;struct B:A{t x;};};struct D{using t=char;};C::B b;D*d;"
         "int z=(b.x,d,0);",
         "int z",
         "struct A{};struct C{using t=int;struct B:A{t x;};};struct D{using t=char;};C::B b;D*d;"
         "int z=(b.x,d,0);"},
        /* an alias of what is called like it */
        {"struct f{};namespace n{using f=f*;n::f x;}n::f*y;", "n::f*y",
         "struct f{};namespace n{using f=f*;}n::f*y;"},
        /* a definition outside, of what its own class declares */
        {"struct A{static int x;};int A::x;struct B{int x;};B b;int z=b.x;", "int z",
         "struct B{int x;};B b;int z=b.x;"},
        {"struct A{void f();void g(){f();}};void A::f(){}A a;int z=(a.g(),0);", "int z",
         "struct A{void f();void g(){f();}};void A::f(){}A a;int z=(a.g(),0);"},
        {"struct A{struct i;static i x;};struct A::i{};struct C{struct i;};struct C::i{};A a;"
         "int z=(a.x,0);",
         "int z", "struct A{struct i;static i x;};struct A::i{};A a;int z=(a.x,0);"},
        /* what overrides it */
        {"struct A{virtual void f()=0;void g(){f();}};struct B:A{void f();};B b;int z=(b.g(),0);",
         "int z",
         "struct A{virtual void f()=0;void g(){f();}};struct B:A{void f();};B b;int z=(b.g(),0);"},
        /* what the class inherits from, and its own name */
        {"struct t{};struct A:t{using t=int;};A a;", "A a",
         "struct t{};struct A:t{using t=int;};A a;"},
        {"template<class T>struct A{};template<>struct A<int>{A(A<char>);};A<int>*a;", "A<int>*a",
         "template<class T>struct A{};template<>struct A<int>{A(A<char>);};A<int>*a;"},
    };
    ASSERT_CLOSURES(rows);
}

/* Of equal names in several spaces the nearest one counts. */
static void test_dependency_own__signatures_are_of_classes_that_are_found_from_there(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"namespace m{template<class T>struct l{};template<>struct l<int>{};void f();"
         "template<class T>void f(l<T>);}namespace n{struct l{};void f();void f(l);}n::l*x;"
         "int y=(x,n::f(),m::f(),0);",
         "int y",
         "namespace m{void f();}namespace n{struct l{};void f();void f(l);}n::l*x;"
         "int y=(x,n::f(),m::f(),0);"},
        /* Where it is qualified it may be any one. */
        {"namespace m{struct l{};}namespace n{struct l{};void f();void f(m::l);}m::l*x;"
         "int y=(x,n::f(),0);",
         "int y",
         "namespace m{struct l{};}namespace n{void f();void f(m::l);}m::l*x;"
         "int y=(x,n::f(),0);"},
    };
    ASSERT_CLOSURES(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dependency_own__members_of_others_are_not_meant),
        cmocka_unit_test(test_dependency_own__signatures_are_of_classes_that_are_found_from_there),
        cmocka_unit_test(test_dependency_own__members_defined_outside_use_those_of_their_class),
        cmocka_unit_test(test_dependency_own__what_is_told_elsewhere_is_looked_for_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
