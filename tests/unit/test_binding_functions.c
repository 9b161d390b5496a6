/* Passes over functions, parts of expressions and types that can be read off the text: exactly what
 * each offers for small programs. */
/* tests: src/reduce/binding/functions.c src/reduce/binding/visible_types.c
 * src/reduce/binding/shorter_forms.c */
/* tests: src/reduce/binding/lifting.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/alloc_sweep.h"
#include "unit/support/program_driver.h"

static void test_binding_functions__parameters_become_variables(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"parameter-variables", "int f(int a,char b);int f(int a,char b){return b;}int x=f(1,22);",

         "int f(char b);int f(char b){int a;return b;}int x=f(22);\n"
         ">int f(char b);int a;int f(char b){return b;}int x=f(22);\n"
         "int f(int a);int f(int a){char b;return b;}int x=f(1);\n"
         ">int f(int a);char b;int f(int a){return b;}int x=f(1);\n"},
    };
    assert_offers_of_cases("c", cases, sizeof cases / sizeof *cases);
}

static void test_binding_functions__undefined_ones_that_are_alike_become_one(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"undefined-functions", "int f(int);long h(int);int g(int);int x=g(f(1));int k(int){}",
         "int f(int);long h(int);int x=f(f(1));int k(int){}\n"},
    };
    assert_offers_of_cases("c", cases, sizeof cases / sizeof *cases);
}

static void test_binding_functions__operators_get_short_names(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"operator-names",
         "struct a{int operator+(a);operator int*();};int a::operator+(a x){}a operator-(a,a);",

         "struct a{int b(a);operator int*();};int a::b(a x){}a operator-(a,a);\n"
         "struct a{int operator+(a);int*b();};int a::operator+(a x){}a operator-(a,a);\n"
         "struct a{int operator+(a);operator int*();};int a::operator+(a x){}a b(a,a);\n"},
    };
    assert_offers_of_cases("cpp", cases, sizeof cases / sizeof *cases);
}

static void test_binding_functions__deduced_types_become_visible_ones(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"visible-types", "struct S{};S a;decltype(a)b;auto c=a;auto d=S();auto*e=&a;",
         "struct S{};S a;S b;auto c=a;auto d=S();auto*e=&a;\n"
         "struct S{};S a;decltype(a)b;S c=a;auto d=S();auto*e=&a;\n"
         "struct S{};S a;decltype(a)b;auto c=a;S d=S();auto*e=&a;\n"},
        {"spread-types", "struct SS{};union U{};SS f();auto a=SS{1};auto b=f();auto c=(long)1;",

         "struct SS{};struct U{};SS f();auto a=SS{1};auto b=f();auto c=(long)1;\n"
         "struct SS{};union U{};SS f();SS a=SS{1};auto b=f();auto c=(long)1;\n"
         "struct SS{};union U{};SS f();auto a=SS{1};SS b=f();auto c=(long)1;\n"
         "struct SS{};union U{};SS f();auto a=SS{1};auto b=f();long c=(long)1;\n"},
    };
    assert_offers_of_cases("cpp", cases, sizeof cases / sizeof *cases);
}

static void test_binding_functions__casts_and_templates_have_shorter_forms(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"shorter-forms", "int a=static_cast<int>(b);", "int a=(int)b;\n"},
        {"shorter-forms", "int a=static_cast<A*>(b)->c;", "int a=((A*)b)->c;\n"},
        {"shorter-forms", "int a=const_cast<int&>(b+1);", "int a=(int&)(b+1);\n"},
        {"shorter-forms", "template<typename T>T f(T);", "template<class T>T f(T);\n"},
        {"shorter-forms", "template<class T>void f(T a);", "void f(auto a);\n"},
        {"shorter-forms", "template<class T,class...U>T f(U&&...a){}",
         "template<class T>T f(auto&&...a){}\n"},
        {"shorter-forms", "template<class T>void f(A<T>a);template<int N>void g(int a[N]);", ""},
        {"shorter-forms", "auto f(int a)->long{}", "long f(int a){}\n"},
        {"shorter-forms", "auto a=[](int)->int{return 0;};int f();", ""},
        {"shorter-forms", "auto f()->int;auto g()->int;",
         "int f();int g();\n"
         ">auto f()->int;int g();\n"
         ">int f();auto g()->int;\n"},
    };
    assert_offers_of_cases("cpp", cases, sizeof cases / sizeof *cases);
}

static void test_binding_functions__types_that_hold_elements_become_arrays(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"plain-arrays", "std::vector<int>a(10),b;void f(std::array<int,2>c);",
         "int a[10],b[1];void f(int c[2]);\n"
         ">std::vector<int>a(10),b;void f(int c[2]);\n"
         ">int a[10],b[1];void f(std::array<int,2>c);\n"},
        {"plain-arrays", "std::vector<vector<int>>a{};", "vector<int>a[]{};\n"},
    };
    assert_offers_of_cases("cpp", cases, sizeof cases / sizeof *cases);
}

static void test_binding_functions__parts_are_put_before_their_statement(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"spread-parts", "int f(){int x=(b,a);if(x=2)return g(h(1));x=1;}",
         "int f(){b;int x=(a);if(x=2)return g(h(1));x=1;}\n"
         "int f(){int x=(b,a);x=2;if(x)return g(h(1));x=1;}\n"
         "int f(){int x=(b,a);int c=h(1);if(x=2)return g(c);x=1;}\n"},
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

static void test_binding_functions__passes_report_oom_at_every_allocation(void **state)
{
    static const char text[] =
        "int f(int,int);int g(int,int);struct A{A operator+();};std::vector<A>"
        "v(2);int h(A a,long b){auto c=a;return f(b=1,g(b,b));}int x=h(v,22);";
    static const char *const names[] = {"parameter-variables", "undefined-functions",
                                        "operator-names",      "plain-arrays",
                                        "spread-types",        "spread-parts"};
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
        cmocka_unit_test(test_binding_functions__parameters_become_variables),
        cmocka_unit_test(test_binding_functions__undefined_ones_that_are_alike_become_one),
        cmocka_unit_test(test_binding_functions__operators_get_short_names),
        cmocka_unit_test(test_binding_functions__deduced_types_become_visible_ones),
        cmocka_unit_test(test_binding_functions__casts_and_templates_have_shorter_forms),
        cmocka_unit_test(test_binding_functions__types_that_hold_elements_become_arrays),
        cmocka_unit_test(test_binding_functions__parts_are_put_before_their_statement),
        cmocka_unit_test(test_binding_functions__passes_report_oom_at_every_allocation),
    };
    use_build_data();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
