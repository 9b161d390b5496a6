/* Passes over templates, name spaces and classes: exactly what each offers for small programs. */
/* tests: src/reduce/binding/classes.c src/reduce/binding/templates.c src/reduce/binding/free_members.c
 * src/reduce/binding/own_names.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/alloc_sweep.h"
#include "unit/support/program_driver.h"

static void test_binding_classes__template_parameters_go_with_their_arguments(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"template-parameters",
         "template<class T,int N>struct A{T t[N];void f();};template<class T,int N>void "
         "A<T,N>::f(){t;}A<char,3>a;",
         "struct A{void f();};void A::f(){t;}A a;\n"
         ">struct A{int t[0];void f();};void A::f(){t;}A a;\n"
         ">struct A{char t[3];void f();};void A::f(){t;}A a;\n"
         ">template<class T>struct A{void f();};template<class T>void A<T>::f(){t;}A<char>a;\n"
         ">template<class T>struct A{T t[0];void f();};template<class T>void "
         "A<T>::f(){t;}A<char>a;\n"
         ">template<class T>struct A{T t[3];void f();};template<class T>void "
         "A<T>::f(){t;}A<char>a;\n"
         ">template<int N>struct A{void f();};template<int N>void A<N>::f(){t;}A<3>a;\n"
         ">template<int N>struct A{int t[N];void f();};template<int N>void A<N>::f(){t;}A<3>a;\n"
         ">template<int N>struct A{char t[N];void f();};template<int N>void A<N>::f(){t;}A<3>a;\n"},
        {"template-parameters", "template<class T>T f(T a){T b=a;return b;}int x=f<int>(1);",
         "int f(int a){return b;}int x=f(1);\n"
         ">int f(int a){int b=a;return b;}int x=f(1);\n"
         ">int f(int a){int b=a;return b;}int x=f(1);\n"},
        {"template-parameters",
         "template<class T>struct V{};template<>struct V<long>{};template class V<int>;V<char>v;",
         "struct V{};V v;\n"
         ">struct V{};V v;\n"
         ">struct V{};V v;\n"},
        {"template-parameters",
         "template<int N>struct B{int a=N;};template<class T>struct C:B<1+1>{};",
         "struct B{};struct C:B{};\n"
         ">template<int N>struct B{int a=N;};struct C:B<1+1>{};\n"
         ">>template<int N>struct B{int a=N;};struct C:B<1+1>{};\n"
         ">struct B{};template<class T>struct C:B{};\n"
         ">>struct B{int a=0;};template<class T>struct C:B{};\n"
         ">>struct B{int a=(1+1);};template<class T>struct C:B{};\n"},
        {"template-parameters", "struct A{};int f();", ""},
    };
    assert_offers_of_cases("cpp", cases, sizeof cases / sizeof *cases);
}

static void test_binding_classes__a_name_space_makes_way_for_what_is_in_it(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"namespaces",
         "namespace a{struct A{};namespace b{int x;}}using namespace a;a::A y;int z=a::b::x;",
         "struct A{};int x;A y;int z=x;\n"
         ">namespace a{struct A{};int x;}using namespace a;a::A y;int z=a::x;\n"
         ">struct A{};namespace b{int x;}A y;int z=b::x;\n"},
        {"namespaces", "struct O{public:struct I{int z;};static void f();};void O::f(){O::I i;}",
         "struct I{int z;};static void f();void f(){I i;}\n"},
        {"namespaces", "struct O{int x;};O o;int f(O*);", ""},
        {"namespaces", "namespace a{int x;}namespace a{int y;}namespace c=a;", ""},
    };
    assert_offers_of_cases("cpp", cases, sizeof cases / sizeof *cases);
}

static void test_binding_classes__members_are_used_without_their_class(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"free-members", "union{template<class T>int b(){T();}}a;int main(){a.b<int>();}",
         "template<class T>int b(){T();}int main(){b<int>();}\n"},
        {"free-members",
         "template<class T>class R:T{public:R();int f();};void g(R<int>*p){p->f();h();}",
         "int f();\n>int f();void g(int*p){f();h();}\n"},
        {"free-members", "struct O{int x;void f();};void O::f(){this->x;y.z;}O o;",
         "int x;void f();void f(){x;y.z;}\n>int x;void f();void f(){x;y.z;}int o;\n"},
        {"free-members", "int f(){}", ""},
    };
    assert_offers_of_cases("cpp", cases, sizeof cases / sizeof *cases);
}

static void test_binding_classes__what_is_declared_gets_short_names(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"own-names", "struct Pool{int size;Pool();};int main(){Pool a;return a.size+errno;}",
         "struct b{int c;b();};int main(){b a;return a.c+errno;}\n"
         ">struct Pool{int c;Pool();};int main(){Pool a;return a.c+errno;}\n"
         ">struct b{int size;b();};int main(){b a;return a.size+errno;}\n"},
        {"own-names", "int main(){print(1);}", ""},
    };
    assert_offers_of_cases("cpp", cases, sizeof cases / sizeof *cases);
}

static void test_binding_classes__a_class_becomes_its_only_base(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"bases", "struct A{};class B:public A{B();};B::B(){}B x;", "struct A{};A x;\n"},
        {"bases", "struct A{};struct C{};struct B:A,C{};B x;", ""},
        {"bases", "template<class T>struct A{};struct B:A<int>{};B x;",
         "template<class T>struct A{};A<int> x;\n"},
    };
    assert_offers_of_cases("cpp", cases, sizeof cases / sizeof *cases);
}

static void test_binding_classes__a_base_becomes_a_part_of_its_class(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"merge-bases", "struct A{A();int x;};struct C{};struct B:A,C{int y;};A::A(){}A*p;",
         "struct C{};struct B:C{B();int x;int y;};B::B(){}B*p;\n"
         "struct A{A();int x;};struct B:A{int y;};A::A(){}A*p;\n"},
        {"merge-bases", "template<class T>struct A{};struct B:A<int>{};", ""},
    };
    assert_offers_of_cases("cpp", cases, sizeof cases / sizeof *cases);
}

static void test_binding_classes__alias_templates_are_written_out(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"alias-templates", "template<class T>using P=T*;P<int>x;P<P<char>>y;", "int*x;char**y;\n"},
        {"alias-templates",
         "namespace n{template<class T,int N>using R=A<T,N>;}n::R<int,2>x;struct S:n::R<S,1>{};",

         "namespace n{}A<int,2>x;struct S:A<S,1>{};\n"},
        {"alias-templates", "template<class T>using P=T*;using Q=int;Q x;", ""},
        {"inline-values", "template<class T>using P=T*;P<int>x;", ""},
    };
    assert_offers_of_cases("cpp", cases, sizeof cases / sizeof *cases);
}

static void test_binding_classes__classes_become_plain_ones(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"plain-classes", "class B:public A{public:int x;private:int y;};",
         "struct B: A{int x;int y;};\n"},
        {"plain-classes", "class B{int x;};", ""},
    };
    assert_offers_of_cases("cpp", cases, sizeof cases / sizeof *cases);
}

static void test_binding_classes__variables_of_which_members_are_used_become_scalars(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"scalars", "struct S{int a,b;};int f(){struct S s;s.a=1;return s.b;}",
         "struct S{int a,b;};int f(){int s;s=1;return s;}\n"},
        {"scalars", "struct S{int a;};int f(){struct S s,*p=&s;s.a=1;return p->a;}", ""},
        {"scalars", "int f(){int x;x=1;}", ""},
    };
    assert_offers_of_cases("c", cases, sizeof cases / sizeof *cases);
}

struct attempt {
    const pare_pass *pass;
    const pare_pass_view *view;
};

static pare_status offer_once(void *context)
{
    const struct attempt *attempt = context;
    pare_patches *patches = NULL;
    pare_status status = pare_pass_offer(attempt->pass, attempt->view, &patches, NULL);
    if (status) assert_null(patches);
    pare_patches_unref(patches);
    return status;
}

static void test_binding_classes__passes_report_oom_at_every_allocation(void **state)
{
    static const char text[] = "template<class T>struct A{T t;};namespace n{class B:public "
                               "A<int>{public:int x;};}n::B b;int x=b.x;struct C:n::B{};"
                               "template<class T>using P=T*;P<P<int>>p;";
    static const char *const names[] = {
        "template-parameters", "namespaces", "bases",        "merge-bases", "alias-templates",
        "plain-classes",       "scalars",    "free-members", "own-names"};
    (void)state;
    if (!has_language("cpp")) skip();
    pare_tree_sitter *language = load_language("cpp");
    struct program_view program;
    view_program(language, "cpp", text, strlen(text), &program);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct attempt attempt = {.pass = program_pass(names[i]), .view = &program.view};
        sweep_allocations(offer_once, &attempt);
    }
    program_done(&program);
    pare_tree_sitter_close(language);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_binding_classes__template_parameters_go_with_their_arguments),
        cmocka_unit_test(test_binding_classes__a_name_space_makes_way_for_what_is_in_it),
        cmocka_unit_test(test_binding_classes__a_class_becomes_its_only_base),
        cmocka_unit_test(test_binding_classes__members_are_used_without_their_class),
        cmocka_unit_test(test_binding_classes__what_is_declared_gets_short_names),
        cmocka_unit_test(test_binding_classes__a_base_becomes_a_part_of_its_class),
        cmocka_unit_test(test_binding_classes__alias_templates_are_written_out),
        cmocka_unit_test(test_binding_classes__classes_become_plain_ones),
        cmocka_unit_test(test_binding_classes__variables_of_which_members_are_used_become_scalars),
        cmocka_unit_test(test_binding_classes__passes_report_oom_at_every_allocation),
    };
    use_build_data();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
