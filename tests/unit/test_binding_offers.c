/* Passes over programs: exactly what each offers for small programs of each language.
 *
 * A language that cannot be added here is left out, with a notice. */
/* tests: src/reduce/binding/rewrites.c src/reduce/binding/removals.c */
/* tests: src/reduce/binding/statements.c src/reduce/binding/expressions.c */
/* tests: src/reduce/binding/inlining.c src/reduce/binding/table_php.c */
/* tests: src/reduce/binding/table_ruby.c src/reduce/binding/table_bash.c */
/* tests: src/reduce/binding/table_kotlin.c src/reduce/binding/table_csharp.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/support/program_driver.h"

static void test_binding_offers__for_c(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"unused", "int a;int b;int f(){return a;}int main(){}",
         "int main(){}\n"
         ">int a;int main(){}\n"
         ">>int a;int b;int main(){}\n"
         ">>int a;int f(){return a;}int main(){}\n"
         ">int b;int f(){return a;}int main(){}\n"},
        {"declarations", "typedef long T;T f(T p){return p;}int x=1,y;main(){g(f(x),2);}",
         "main(){}\n"
         ">typedef long T;T f(T p){return p;}main(){}\n"
         ">>typedef long T;T f(T p){return p;}int x=1;main(){g(f(x),2);}\n"
         ">>typedef long T;T f(T p){return p;}int y;main(){}\n"
         ">>>typedef long T;T f(T p){return p;}int y;main(){g(f(0),2);}\n"
         ">int x=1,y;main(){}\n"
         ">>typedef long T;int x=1,y;main(){}\n"
         ">>>typedef long T;int x=1,y;main(){g(0,2);}\n"
         ">>int x=1,y;main(){g(f(x),2);}\n"
         ">>>int f(int p){return p;}int x=1,y;main(){g(f(x),2);}\n"},
        {"members", "struct S{int a;int b;}s={.b=1};int f(){s.a=1;return s.b+1;}",
         "struct S{}s={};int f(){}\n"
         ">struct S{int a;}s={};int f(){s.a=1;}\n"
         ">>struct S{int a;}s={};int f(){s.a=1;return 0+1;}\n"
         ">struct S{int b;}s={.b=1};int f(){return s.b+1;}\n"},
        {"parameters",
         "int f(int a,int b);int f(int a,int b){if(a)return b;}int g(){return f(1,2);}",
         "int f();int f(){}int g(){return f();}\n"
         ">int f(int a);int f(int a){if(a);}int g(){return f(1);}\n"
         ">>int f(int a);int f(int a){if(a)return 0;}int g(){return f(1);}\n"
         ">int f(int b);int f(int b){}int g(){return f(2);}\n"
         ">>int f(int b);int f(int b){if(0)return b;}int g(){return f(2);}\n"},
        {"bodies", "int f(){return 1;}int main(){f();}",
         "int f();int main();\n"
         ">int f(){return 1;}int main();\n"
         ">>int f(){return 1;}int main(){}\n"
         ">int f();int main(){f();}\n"
         ">>int f(){}int main(){f();}\n"},
        {"blocks", "int f(){if(x){a;b;}else c;for(;;)d;}",
         "if(x){a;b;}else c;for(;;)d;\n"
         "int f(){(x);for(;;)d;}\n"
         "int f(){a;b;for(;;)d;}\n"
         "int f(){c;for(;;)d;}\n"
         "int f(){if(x){a;b;}else c;d;}\n"},
        {"expressions", "int f(){return g(10,h(2)+3);}",
         "int f(){return 0;}\n"
         ">int f(){return 1;}\n"
         ">int f(){return !0;}\n"
         ">int f(){return g;}\n"
         ">int f(){return 10;}\n"
         ">int f(){return h(2)+3;}\n"
         "int f(){return g(0,h(2)+3);}\n"
         ">int f(){return g(1,h(2)+3);}\n"
         "int f(){return g(10,0);}\n"
         ">int f(){return g(10,1);}\n"
         ">int f(){return g(10,!0);}\n"
         ">int f(){return g(10,h(2));}\n"
         ">int f(){return g(10,3);}\n"
         "int f(){return g(10,0+3);}\n"
         ">int f(){return g(10,1+3);}\n"
         ">int f(){return g(10,!0+3);}\n"
         ">int f(){return g(10,h+3);}\n"
         ">int f(){return g(10,2+3);}\n"},
        {"types", "struct S{long a;}*s;unsigned char f(struct S*p);",
         "int*s;int f(int*p);\n"
         ">struct S{long a;}*s;int f(int*p);\n"
         ">>struct S{long a;}*s;unsigned char f(int*p);\n"
         ">>struct S{long a;}*s;int f(struct S*p);\n"
         ">int*s;unsigned char f(struct S*p);\n"
         ">>struct S{int a;}*s;unsigned char f(struct S*p);\n"
         ">>int*s;unsigned char f(struct S*p);\n"},
        {"dimensions", "int a[2][3];int f(){return a[1][0];}",
         "int a;int f(){return a;}\n"
         ">int a[3];int f(){return a[0];}\n"},
        {"inline-values",
         "typedef long T;struct S{int a;};T x=10;int f(struct S s){T y=x+1;return y*2;}",
         "struct S{int a;};long x=10;int f(struct S s){long y=x+1;return y*2;}\n"
         "typedef long T;T x=10;int f(struct{int a;} s){T y=x+1;return y*2;}\n"
         "typedef long T;struct S{int a;};int f(struct S s){T y=10+1;return y*2;}\n"
         "typedef long T;struct S{int a;};T x=10;int f(struct S s){return (x+1)*2;}\n"},
        {"inline-calls", "int f(int a){g(a);return a+1;}int h(){return 2*f(3);}",
         "int h(){g(3);return 2*(3+1);}\n"},
        {"spread-values", "int n=100;int f(){return n+n+n+n;}",
         "int f(){return 100+100+100+100;}\n"},
        {"spread-calls", "int f(int a){return a+a;}int g(){return f(1)*f(2);}",
         "int f(int a){return a+a;}int g(){return (1+1)*f(2);}\n"
         "int f(int a){return a+a;}int g(){return f(1)*(2+2);}\n"
         "int g(){return (1+1)*(2+2);}\n"},
        {"spread-calls", "int f(int a){return a?f(a-1):0;}int g(){return f(1)*f(2);}",
         "int f(int a){return a?f(a-1):0;}int g(){return (1?f(1-1):0)*f(2);}\n"
         "int f(int a){return a?f(a-1):0;}int g(){return f(1)*(2?f(2-1):0);}\n"},
    };
    assert_offers_of_cases("c", cases, sizeof cases / sizeof *cases);
}

/* Whatever comes before them: values enough do not end the count. */
static void test_binding_offers__uses_after_the_last_value_count(void **state)
{
    (void)state;
    char text[400] = "int f(){int x=1;x=2;x=3;x=4;x=5;return 0";
    for (unsigned n = 0; n < 65; n++)
        strcat(text, "+x");
    strcat(text, ";}");
    const struct offer_case cases[] = {{"inline-values", text, ""}, {"spread-values", text, ""}};
    assert_offers_of_cases("c", cases, sizeof cases / sizeof *cases);
}

/* A NUL is a byte like others in a string or a comment. */
static void test_binding_offers__a_value_with_a_nul_is_put_whole(void **state)
{
    (void)state;
    static const char text[] = "var x=f('a\0b');g(x);";
    static const char expected[] = "g(f('a\0b'));";
    struct program_view program;
    pare_patches *patches = NULL;
    pare_buffer printed = {0};
    if (!has_language("javascript")) skip();
    pare_tree_sitter *language = load_language("javascript");
    view_program(language, "javascript", text, sizeof text - 1, &program);
    assert_int_equal(pare_pass_offer(program_pass("inline-values"), &program.view, &patches, NULL),
                     PARE_OK);
    assert_int_equal(patches->n, 1);
    print_patch(patches, 0, 0, &printed);
    assert_int_equal(printed.size, sizeof expected); /* and a line end */
    assert_memory_equal(printed.data, expected, sizeof expected - 1);
    pare_buffer_done(&printed);
    pare_patches_unref(patches);
    program_done(&program);
    pare_tree_sitter_close(language);
}

static void test_binding_offers__for_cpp(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"declarations", "namespace n{class A{int b;};}using B=n::A;B b;",
         "\n"
         ">namespace n{class A{int b;};}\n"
         ">>namespace n{class A{int b;};}using B=n::A;\n"
         ">>namespace n{class A{int b;};}\n"
         ">>>namespace n{class A{int b;};}int b;\n"
         ">B b;\n"
         ">>namespace n{}B b;\n"
         ">>>namespace n{}using B=int;B b;\n"
         ">>B b;\n"
         ">>>using B=int;B b;\n"},
        {"parameters", "template<class T>T f(T a,int b=2){return a;}int x=f(1,3);",
         "template<class T>T f(){}int x=f();\n"
         ">template<class T>T f(T a){return a;}int x=f(1);\n"
         ">>template<class T>T f(T a){return a;}int x=f(1);\n"
         ">template<class T>T f(int b=2){}int x=f(3);\n"
         ">>template<class T>T f(int b=2){return 0;}int x=f(3);\n"},
        {"types", "template<class T>struct V{};V<long>v;",
         "template<class T>struct V{};int v;\n"
         ">template<class T>struct V{};V<int>v;\n"
         ">template<class T>struct V{};int v;\n"},
    };
    assert_offers_of_cases("cpp", cases, sizeof cases / sizeof *cases);
}

static void test_binding_offers__neighbours_of_one_type_are_merged(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"merge-declarations", "int a;int b;char c;int*d;int f();",
         "int a,b;char c;int*d;int f();\n"},
        {"merge-declarations", "struct S{int a;int b;};", "struct S{int a,b;};\n"},
        {"merge-declarations", "int a;f();int b;for(int i;;)int c;", ""},
    };
    assert_offers_of_cases("c", cases, sizeof cases / sizeof *cases);
}

static void test_binding_offers__what_nobody_asks_for_is_not_returned(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"return-nothing",
         "int f();int f(int a){if(a)return 1;return a+2;}int g(){return 1;}int main(){f(1);return "
         "g();}",
         "void f();void f(int a){if(a)return;return;}int g(){return 1;}int main(){f(1);return "
         "g();}\n"},
        {"return-nothing", "void f(){}int h(),(*p)()=h;int h(){return 12;}", ""},
    };
    assert_offers_of_cases("c", cases, sizeof cases / sizeof *cases);
}

/* Names that are looked up in name spaces and classes are bound there. */
static void test_binding_offers__of_qualified_names_in_cpp(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"unused", "namespace n{void f();}namespace n{void f(){}int x;}int main(){n::f();}",
         "namespace n{void f();}namespace n{void f(){}}int main(){n::f();}\n"},
        {"declarations", "struct A{void f();};void A::f(){}struct B:A{using A::f;};",
         "\n"
         ">struct A{void f();};void A::f(){}\n"
         ">struct B{};\n"
         ">>struct B{};\n"},
        {"members", "struct A{void f();};template<class T>void A::f(){}", "struct A{};\n"},
        {"types", "struct A{};template<class T>struct S{};S<A>x;void A::f(){n::g<long>();}",
         "struct A{};template<class T>struct S{};int x;int A::f(){n::g<int>();}\n"
         ">struct A{};template<class T>struct S{};S<A>x;int A::f(){n::g<int>();}\n"
         ">>struct A{};template<class T>struct S{};S<A>x;void A::f(){n::g<int>();}\n"
         ">>struct A{};template<class T>struct S{};S<A>x;int A::f(){n::g<long>();}\n"},
        {"parameters", "namespace n{int f(int a,int){return a;}}int x=n::f(1,3);",
         "namespace n{int f(){}}int x=n::f();\n"
         ">namespace n{int f(int a){return a;}}int x=n::f(1);\n"
         ">>namespace n{int f(int a){return a;}}int x=n::f(1);\n"
         ">namespace n{int f(int){}}int x=n::f(3);\n"
         ">>namespace n{int f(int){return 0;}}int x=n::f(3);\n"},
        {"expressions", "void A::f(){n::T y=n::x;}",
         "void A::f(){n::T y=0;}\n"
         ">void A::f(){n::T y=1;}\n"
         ">void A::f(){n::T y={};}\n"
         ">void A::f(){n::T y=x;}\n"},
        {"inline-values", "namespace n{const int x=1;}int y=n::x;", "namespace n{}int y=1;\n"},
        {"inline-calls", "namespace n{int f(int a){return a+1;}}int x=n::f(2);",
         "namespace n{}int x=2+1;\n"},
    };
    assert_offers_of_cases("cpp", cases, sizeof cases / sizeof *cases);
}

/* What nothing is left of goes, and nothing is offered that no compiler takes. */
static void test_binding_offers__leave_nothing_half_behind(void **state)
{
    (void)state;
    static const struct offer_case c_cases[] = {
        {"unused", "enum{a,b};int main(){}",
         "int main(){}\n"
         ">enum{a};int main(){}\n"
         ">enum{b};int main(){}\n"},
        {"unused", "enum{a}x;enum E{b};enum E y;int main(){x;y;}", ""},
        {"unused", "struct{int a;};int main(){}", "int main(){}\n"},
        {"types", "struct S{long a;};", "struct S{int a;};\n"},
    };
    static const struct offer_case cpp_cases[] = {
        {"unused", "template<class T>struct A{};template<class T>struct A<T*>{};int main(){}",
         "int main(){}\n"},
        {"unused", "enum E{a,b};E x;int main(){x;}",
         "enum E{};E x;int main(){x;}\n"
         ">enum E{a};E x;int main(){x;}\n"
         ">enum E{b};E x;int main(){x;}\n"},
        {"bodies", "struct A{A();};A::A():x(1){}struct B{B():y(1){z;}};",
         "struct A{A();};struct B{B();};\n"
         ">struct A{A();};A::A():x(1){}struct B{B();};\n"
         ">>struct A{A();};A::A():x(1){}struct B{B(){}};\n"
         ">>struct A{A();};A::A():x(1){}struct B{B():y(1){}};\n"
         ">struct A{A();};struct B{B():y(1){z;}};\n"
         ">>struct A{A();};A::A(){}struct B{B():y(1){z;}};\n"},
        {"inline-values", "template<class T>using P=T*;P<long>p;", ""},
        {"declarations", "struct A{};template struct V<A>;struct B:A{friend A;};",
         "\n"
         ">struct A{};template struct V<A>;\n"
         ">struct B{};\n"
         ">>template struct V<int>;struct B{};\n"},
    };
    assert_offers_of_cases("c", c_cases, sizeof c_cases / sizeof *c_cases);
    assert_offers_of_cases("cpp", cpp_cases, sizeof cpp_cases / sizeof *cpp_cases);
}

static void test_binding_offers__for_javascript(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"unused", "import a,{b} from \"m\";var c=1,d=2;function f(){c}let g=()=>b;g()",
         "import {b} from \"m\";let g=()=>b;g()\n"
         ">import a,{b} from \"m\";var c=1;let g=()=>b;g()\n"
         ">>import a,{b} from \"m\";var c=1,d=2;let g=()=>b;g()\n"
         ">>import a,{b} from \"m\";var c=1;function f(){c}let g=()=>b;g()\n"
         ">import {b} from \"m\";var d=2;function f(){c}let g=()=>b;g()\n"
         ">>import a,{b} from \"m\";var d=2;function f(){c}let g=()=>b;g()\n"
         ">>import {b} from \"m\";var c=1,d=2;function f(){c}let g=()=>b;g()\n"},
        {"declarations", "f(1);function f(x){y=x;return y}",
         "\n"
         ">f(1);function f(x){}\n"
         ">>f(1);function f(x){return 0}\n"
         ">\n"
         ">>0;\n"},
        {"members", "o={a:1,b:function(){return this.a}};o.c=2;f(o.b(),o.c)",
         "o={};\n"
         ">o={a:1};\n"
         ">>o={a:1,b:function(){return this.a}};\n"
         ">>>o={a:1,b:function(){return this.a}};f(o.b(),0)\n"
         ">>o={a:1};o.c=2;\n"
         ">>>o={a:1};o.c=2;f(0,o.c)\n"
         ">o={b:function(){}};o.c=2;f(o.b(),o.c)\n"
         ">>o={b:function(){return 0}};o.c=2;f(o.b(),o.c)\n"},
        {"parameters", "(function(a,b){p(b)})(1,2);var f=(x,y)=>x;f(3,4)",
         "(function(){})();f()\n"
         ">(function(){})();var f=(x,y)=>x;f(3,4)\n"
         ">>(function(a){})(1);var f=(x,y)=>x;f(3,4)\n"
         ">>>(function(a){p(0)})(1);var f=(x,y)=>x;f(3,4)\n"
         ">>(function(b){p(b)})(2);var f=(x,y)=>x;f(3,4)\n"
         ">>>(function(b){p(b)})(2);var f=(x,y)=>x;f(3,4)\n"
         ">(function(a,b){p(b)})(1,2);f()\n"
         ">>(function(a,b){p(b)})(1,2);var f=(x)=>x;f(3)\n"
         ">>>(function(a,b){p(b)})(1,2);var f=(x)=>x;f(3)\n"
         ">>(function(a,b){p(b)})(1,2);f(4)\n"
         ">>>(function(a,b){p(b)})(1,2);var f=(y)=>0;f(4)\n"},
        {"bodies", "function f(){a;b}g(()=>x+1)",
         "function f(){}g(()=>0)\n"
         ">function f(){a;b}g(()=>0)\n"
         ">function f(){}g(()=>x+1)\n"},
        {"blocks", "q.each(function(x){p(x);r()});{a;b}",
         "p(x);r();{a;b}\n"
         "q.each(function(x){p(x);r()});a;b\n"},
        {"inline-values", "var a=b+c,d=2;s={m:/x/};p(a*2,s.m,d)",
         "var d=2;s={m:/x/};p((b+c)*2,s.m,d)\n"
         "var a=b+c;s={m:/x/};p(a*2,s.m,2)\n"
         "var a=b+c,d=2;s={};p(a*2,/x/,d)\n"
         "var a=b+c,d=2;p(a*2,{m:/x/}.m,d)\n"},
        {"moves", "a;f(function(){b});c",
         "f(function(){a;b});c\n"
         "f(function(){b;a;});c\n"
         "f(function(){b});a;c\n"
         "f(function(){b});c;a;\n"
         "f(function(){b});a;c\n"
         "a;c;f(function(){b});\n"
         "b;a;f(function(){});c\n"
         "a;b;f(function(){});c\n"
         "a;f(function(){});b;c\n"
         "a;f(function(){});c;b\n"
         "c;a;f(function(){b});\n"
         "a;c;f(function(){b});\n"
         "a;f(function(){c;b});\n"
         "a;f(function(){b;c});\n"},
        {"inline-calls", "function f(a){q(a);return a.x}p(f(r+1));(function(z){u;v(z)})(9)",
         "q(r+1);p((r+1).x);(function(z){u;v(z)})(9)\n"
         "function f(a){q(a);return a.x}p(f(r+1));u;v(9)\n"},
    };
    assert_offers_of_cases("javascript", cases, sizeof cases / sizeof *cases);
}

static void test_binding_offers__for_typescript(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"types", "let a:Map<string,number>=f();function f(x:string):any{}",
         "let a:0=f();function f(x:0):0{}\n"
         ">let a:Map<string,0>=f();function f(x:0):0{}\n"
         ">>let a:Map<string,number>=f();function f(x:0):0{}\n"
         ">>>let a:Map<string,number>=f();function f(x:string):0{}\n"
         ">>>let a:Map<string,number>=f();function f(x:0):any{}\n"
         ">>>>let a:Map<string,number>=f();function f(x:any):any{}\n"
         ">>let a:Map<string,0>=f();function f(x:string):any{}\n"
         ">>>let a:Map<string,any>=f();function f(x:string):any{}\n"
         ">let a:0=f();function f(x:string):any{}\n"
         ">>let a:Map<0,number>=f();function f(x:string):any{}\n"
         ">>>let a:Map<any,number>=f();function f(x:string):any{}\n"
         ">>let a:0=f();function f(x:string):any{}\n"
         ">>>let a:any=f();function f(x:string):any{}\n"},
        {"declarations", "interface I{a:I}type J=I[];let v:J;",
         "\n"
         ">interface I{a:I}\n"
         ">>interface I{a:I}type J=I[];\n"
         ">>interface I{a:I}let v;\n"
         ">>>interface I{a:I}let v:0;\n"
         ">let v:J;\n"
         ">>type J=0;let v:J;\n"},
    };
    assert_offers_of_cases("typescript", cases, sizeof cases / sizeof *cases);
}

static void test_binding_offers__for_python(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"declarations", "from m import a, b\nx = a\nprint(b, x)\n",
         "\\n\\n\\n\n"
         ">from m import a\\n\\n\\n\n"
         ">>from m import a, b\\n\\n\\n\n"
         ">>>from m import a, b\\n\\nprint(b, 0)\\n\n"
         ">>from m import a\\nx = a\\n\\n\n"
         ">>>from m import a\\nx = a\\nprint(0, x)\\n\n"
         ">from m import b\\n\\nprint(b, x)\\n\n"
         ">>from m import b\\nx = 0\\nprint(b, x)\\n\n"},
        {"blocks", "if a:\n    b\n    while c:\n        d\n        e\nf\n",
         "a\\nf\\n\n"
         "b\\nwhile c:\\n    d\\n    e\\nf\\n\n"
         "if a:\\n    b\\n    c\\nf\\n\n"
         "if a:\\n    b\\n    d\\n    e\\nf\\n\n"},
        {"parameters", "def f(a, b=2):\n    return a\nf(1, b=3)\n",
         "def f():\\n    0\\nf()\\n\n"
         ">def f(a):\\n    return a\\nf(1)\\n\n"
         ">>def f(a):\\n    return a\\nf(1)\\n\n"
         ">def f(b=2):\\n    0\\nf(b=3)\\n\n"
         ">>def f(b=2):\\n    return 0\\nf(b=3)\\n\n"},
        {"members", "class A:\n    def f(self): return 1\n    g = 2\nA().f()\n",
         "class A:\\n    \\n    0\\n\\n\n"
         ">class A:\\n    def f(self): return 1\\n    \\nA().f()\\n\n"
         ">class A:\\n    \\n    g = 2\\n\\n\n"
         ">>class A:\\n    \\n    g = 2\\n0\\n\n"},
    };
    assert_offers_of_cases("python", cases, sizeof cases / sizeof *cases);
}

static void test_binding_offers__for_java(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"members", "class A{int a;int b(){return a;}void c(){b();this.a=1;}}",
         "class A{}\n"
         ">class A{int a;}\n"
         ">>class A{int a;int b(){return a;}}\n"
         ">>class A{int a;void c(){this.a=1;}}\n"
         ">>>class A{int a;void c(){0;this.a=1;}}\n"
         ">class A{int b(){}void c(){b();}}\n"
         ">>class A{int b(){return 0;}void c(){b();}}\n"},
        {"parameters", "class A{int b(int x,int y){return x;}int c(){return b(1,2);}}",
         "class A{int b(){}int c(){return b();}}\n"
         ">class A{int b(int x){return x;}int c(){return b(1);}}\n"
         ">>class A{int b(int x){return x;}int c(){return b(1);}}\n"
         ">class A{int b(int y){}int c(){return b(2);}}\n"
         ">>class A{int b(int y){return 0;}int c(){return b(2);}}\n"},
        {"inline-values", "class A{void f(){int x=g(),y=1;h(x+2);}}",
         "class A{void f(){int y=1;h(g()+2);}}\n"},
    };
    assert_offers_of_cases("java", cases, sizeof cases / sizeof *cases);
}

static void test_binding_offers__for_rust(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"declarations", "use a::{b,c};fn f(x:b)->i64{let y=2;c(x,y)}fn main(){f(3);}",
         "\n"
         ">use a::{b,c};\n"
         ">>use a::{b,c};fn f(x:b)->i64{}\n"
         ">>>use a::{b,c};fn f(x:b)->i64{let y=2;c(x,y)}\n"
         ">>>use a::{b,c};fn f(x:b)->i64{}fn main(){f(3);}\n"
         ">>>>use a::{b,c};fn f(x:b)->i64{c(x,0)}fn main(){f(3);}\n"
         ">>use a::{b,c};fn main(){}\n"
         ">>>use a::{b,c};fn main(){0;}\n"
         ">fn main(){f(3);}\n"
         ">>use a::{b};fn f(x:b)->i64{let y=2;}fn main(){f(3);}\n"
         ">>>use a::{b};fn f(x:b)->i64{let y=2;0}fn main(){f(3);}\n"
         ">>use a::{c};fn main(){f(3);}\n"
         ">>>use a::{c};fn f(x:())->i64{let y=2;c(x,y)}fn main(){f(3);}\n"},
        {"inline-calls", "fn f(x:i64)->i64{x+1}fn main(){p(f(2)*3);}", "fn main(){p((2+1)*3);}\n"},
    };
    assert_offers_of_cases("rust", cases, sizeof cases / sizeof *cases);
}

static void test_binding_offers__for_go(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"declarations",
         "package p\nimport \"m\"\nfunc f(a int) int { b := a; return b }\nvar v = f(1)\n",
         "package p\\nimport \"m\"\\n\\n\\n\n"
         ">package p\\nimport \"m\"\\nfunc f(a int) int {   }\\n\\n\n"
         ">>package p\\nimport \"m\"\\nfunc f(a int) int { b := a; return b }\\n\\n\n"
         ">>package p\\nimport \"m\"\\nfunc f(a int) int {   }\\nvar v = f(1)\\n\n"
         ">>>package p\\nimport \"m\"\\nfunc f(a int) int {  return 0 }\\nvar v = f(1)\\n\n"
         ">package p\\nimport \"m\"\\n\\n\\n\n"
         ">>package p\\nimport \"m\"\\n\\nvar v = 0\\n\n"},
        {"parameters", "package p\nfunc f(a int, b int) int { return b }\nvar v = f(1, 2)\n",
         "package p\\nfunc f() int {  }\\nvar v = f()\\n\n"
         ">package p\\nfunc f(a int) int {  }\\nvar v = f(1)\\n\n"
         ">>package p\\nfunc f(a int) int { return 0 }\\nvar v = f(1)\\n\n"
         ">package p\\nfunc f(b int) int { return b }\\nvar v = f(2)\\n\n"
         ">>package p\\nfunc f(b int) int { return b }\\nvar v = f(2)\\n\n"},
    };
    assert_offers_of_cases("go", cases, sizeof cases / sizeof *cases);
}

static void test_binding_offers__for_lua(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"declarations", "local a,b=1,2\nfunction f(x) return x end\nprint(f(a),b)",
         "\\n\\n\n"
         ">\\nfunction f(x) return x end\\n\n"
         ">>local a=1\\nfunction f(x) return x end\\n\n"
         ">>>local a=1\\nfunction f(x) return x end\\nprint(f(a),0)\n"
         ">>local b=2\\nfunction f(x) return x end\\n\n"
         ">>>local b=2\\nfunction f(x) return x end\\nprint(f(0),b)\n"
         ">local a,b=1,2\\n\\n\n"
         ">>local a,b=1,2\\n\\nprint(0,b)\n"},
        {"inline-calls", "function f(x)g(x)return x+1 end h(f(2))", " g(2) h((2)+1)\n"},
        {"members", "t={a=1,b=2}t.c=3 print(t.a,t.c)",
         "t={} \n"
         ">t={a=1} \n"
         ">>t={a=1,b=2} \n"
         ">>>t={a=1,b=2} print(t.a,0)\n"
         ">>t={a=1}t.c=3 print(t.a,t.c)\n"
         ">t={b=2}t.c=3 \n"
         ">>t={b=2}t.c=3 print(0,t.c)\n"},
        {"blocks", "if a then b()c()else d()end for i=1,2 do e()end",
         "a for i=1,2 do e()end\n"
         "b()c() for i=1,2 do e()end\n"
         "d() for i=1,2 do e()end\n"
         "if a then b()c()else d()end e()\n"},
    };
    assert_offers_of_cases("lua", cases, sizeof cases / sizeof *cases);
}

static void test_binding_offers__for_php(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"declarations", "<?php function f($a,$b){$c=$a;return $c+$b;}echo f(1,2);",
         "<?php \n"
         "><?php function f($a,$b){}echo f(1,2);\n"
         ">><?php function f($a,$b){return 0+$b;}echo f(1,2);\n"
         "><?php \n"
         ">><?php echo 0;\n"},
        {"parameters", "<?php function f($a,$b){return $b;}echo f(1,2);",
         "<?php function f(){}echo f();\n"
         "><?php function f($a){}echo f(1);\n"
         ">><?php function f($a){return 0;}echo f(1);\n"
         "><?php function f($b){return $b;}echo f(2);\n"
         ">><?php function f($b){return $b;}echo f(2);\n"},
        {"free-members",
         "<?php class A{public static function f(){$this->f();}}(new A)->f();$a=new A;$a->f();",
         "<?php function f(){f();}f();f();\n"
         "><?php function f(){f();}f();$a=0;f();\n"},
        {"own-names", "<?php function ff($xx){return$xx;}echo ff(1);",
         "<?php function a($b){return$b;}echo a(1);\n"
         "><?php function ff($b){return$b;}echo ff(1);\n"
         "><?php function a($xx){return$xx;}echo a(1);\n"},
        {"unused", "<?php function f(){}class A{public $x;function g(){}}$v=1;echo $v;",
         "<?php $v=1;echo $v;\n"
         "><?php function f(){}$v=1;echo $v;\n"
         "><?php class A{public $x;function g(){}}$v=1;echo $v;\n"},
        {"bodies", "<?php function f(){return 1;}f();",
         "<?php function f();f();\n"
         "><?php function f(){}f();\n"},
        {"blocks", "<?php if($x){a();b();}else c();",
         "<?php ($x);\n"
         "<?php a();b();\n"
         "<?php c();\n"},
        {"inline-values", "<?php function f(){$a=g(1);return $a;}",
         "<?php function f(){return g(1);}\n"},
        {"inline-calls", "<?php function f($a){return $a+1;}echo f(2);", "<?php echo (2)+1;\n"},
    };
    assert_offers_of_cases("php", cases, sizeof cases / sizeof *cases);
}

static void test_binding_offers__for_ruby(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"declarations", "def f(a,b)\n c=a\n return c+b\nend\nputs f(1,2)",
         "\\n\n"
         ">def f(a,b)\\n \\n \\nend\\nputs f(1,2)\n"
         ">>def f(a,b)\\n \\n return 0+b\\nend\\nputs f(1,2)\n"
         ">\\n\n"
         ">>\\nputs 0\n"},
        {"parameters", "def f(a,b)\n return b\nend\nputs f(1,2)",
         "def f()\\n \\nend\\nputs f()\n"
         ">def f(a)\\n \\nend\\nputs f(1)\n"
         ">>def f(a)\\n return 0\\nend\\nputs f(1)\n"
         ">def f(b)\\n return b\\nend\\nputs f(2)\n"
         ">>def f(b)\\n return b\\nend\\nputs f(2)\n"},
        {"unused", "def f\nend\nclass A\ndef g\nend\nend\nv=1\nputs v",
         "\\n\\nv=1\\nputs v\n"
         ">def f\\nend\\n\\nv=1\\nputs v\n"
         ">\\nclass A\\ndef g\\nend\\nend\\nv=1\\nputs v\n"},
        {"blocks", "if x\n a\n b\nelse\n c\nend",
         "x\n"
         "a\\n b\n"
         "c\n"
         "c\n"},
        {"inline-values", "def f\n a=g(1)\n return a\nend", "def f\\n \\n return g(1)\\nend\n"},
    };
    assert_offers_of_cases("ruby", cases, sizeof cases / sizeof *cases);
}

static void test_binding_offers__for_bash(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"declarations", "f() { echo 1; }\nf 2\nx=3\necho $x",
         "\\n\\n\\n\n"
         ">f() { echo 1; }\\nf 2\\n\\n\n"
         ">>f() { echo 1; }\\nf 2\\n\\necho 0\n"
         ">\\n\\nx=3\\necho $x\n"
         ">>\\n0 2\\nx=3\\necho $x\n"},
        {"unused", "f() { echo 1; }\ng() { echo 2; }\ng\nx=1\ny=2\necho $y",
         "\\ng() { echo 2; }\\ng\\n\\ny=2\\necho $y\n"
         ">f() { echo 1; }\\ng() { echo 2; }\\ng\\n\\ny=2\\necho $y\n"
         ">\\ng() { echo 2; }\\ng\\nx=1\\ny=2\\necho $y\n"},
        {"bodies", "f() { echo 1; }\nf", "f() { :;}\\nf\n"},
        {"inline-values", "x=3\necho $x", "\\necho 3\n"},
    };
    assert_offers_of_cases("bash", cases, sizeof cases / sizeof *cases);
}

static void test_binding_offers__for_kotlin(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"declarations", "fun f(a:Int,b:Int):Int{val c=a;return c+b}\nfun main(){print(f(1,2))}",
         "\\n\n"
         ">fun f(a:Int,b:Int):Int{}\\n\n"
         ">>fun f(a:Int,b:Int):Int{val c=a;return c+b}\\n\n"
         ">>fun f(a:Int,b:Int):Int{}\\nfun main(){print(f(1,2))}\n"
         ">>>fun f(a:Int,b:Int):Int{return 0+b}\\nfun main(){print(f(1,2))}\n"
         ">\\nfun main(){}\n"
         ">>\\nfun main(){print(0)}\n"},
        {"parameters", "fun f(a:Int,b:Int):Int{return b}\nfun main(){print(f(1,2))}",
         "fun f():Int{}\\nfun main(){print(f())}\n"
         ">fun f(a:Int):Int{}\\nfun main(){print(f(1))}\n"
         ">>fun f(a:Int):Int{return 0}\\nfun main(){print(f(1))}\n"
         ">fun f(b:Int):Int{return b}\\nfun main(){print(f(2))}\n"
         ">>fun f(b:Int):Int{return b}\\nfun main(){print(f(2))}\n"},
        {"unused", "class A{val x=1}\nfun g(){}\nfun main(){val v=1;print(v)}",
         "\\n\\nfun main(){val v=1;print(v)}\n"
         ">class A{val x=1}\\n\\nfun main(){val v=1;print(v)}\n"
         ">\\nfun g(){}\\nfun main(){val v=1;print(v)}\n"},
        {"bodies", "fun f():Int{return 1}", "fun f():Int{}\n"},
    };
    assert_offers_of_cases("kotlin", cases, sizeof cases / sizeof *cases);
}

static void test_binding_offers__for_csharp(void **state)
{
    (void)state;
    static const struct offer_case cases[] = {
        {"declarations",
         "class A{int x;static int F(int a,int b){int c=a;return c+b;}static void "
         "Main(){G(F(1,2));}}",
         "\n"
         ">class A{int x;static int F(int a,int b){}static void Main(){G(F(1,2));}}\n"
         ">>class A{int x;static int F(int a,int b){return 0+b;}static void Main(){G(F(1,2));}}\n"
         ">\n"},
        {"parameters",
         "class A{static int F(int a,int b){return b;}static void Main(){G(F(1,2));}}",
         "class A{static int F(){}static void Main(){G(F());}}\n"
         ">class A{static int F(int a){}static void Main(){G(F(1));}}\n"
         ">>class A{static int F(int a){return 0;}static void Main(){G(F(1));}}\n"
         ">class A{static int F(int b){return b;}static void Main(){G(F(2));}}\n"
         ">>class A{static int F(int b){return b;}static void Main(){G(F(2));}}\n"},
        {"unused", "class A{static void Main(){int v=1,w=2;G(v);}}class B{}",
         "\n"
         ">class A{static void Main(){int v=1,w=2;G(v);}}\n"
         ">class B{}\n"},
        {"bodies", "class A{int F(){return 1;}}",
         "class A{int F();}\n"
         ">class A{int F(){}}\n"},
        {"blocks", "class A{void F(){if(x){a();b();}else c();}}",
         "class A{if(x){a();b();}else c();}\n"
         "class A{void F(){x;}}\n"
         "class A{void F(){a();b();}}\n"
         "class A{void F(){c();}}\n"},
    };
    assert_offers_of_cases("csharp", cases, sizeof cases / sizeof *cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_binding_offers__for_c),
        cmocka_unit_test(test_binding_offers__uses_after_the_last_value_count),
        cmocka_unit_test(test_binding_offers__a_value_with_a_nul_is_put_whole),
        cmocka_unit_test(test_binding_offers__for_cpp),
        cmocka_unit_test(test_binding_offers__neighbours_of_one_type_are_merged),
        cmocka_unit_test(test_binding_offers__what_nobody_asks_for_is_not_returned),
        cmocka_unit_test(test_binding_offers__of_qualified_names_in_cpp),
        cmocka_unit_test(test_binding_offers__leave_nothing_half_behind),
        cmocka_unit_test(test_binding_offers__for_javascript),
        cmocka_unit_test(test_binding_offers__for_typescript),
        cmocka_unit_test(test_binding_offers__for_python),
        cmocka_unit_test(test_binding_offers__for_java),
        cmocka_unit_test(test_binding_offers__for_rust),
        cmocka_unit_test(test_binding_offers__for_go),
        cmocka_unit_test(test_binding_offers__for_lua),
        cmocka_unit_test(test_binding_offers__for_php),
        cmocka_unit_test(test_binding_offers__for_ruby),
        cmocka_unit_test(test_binding_offers__for_bash),
        cmocka_unit_test(test_binding_offers__for_kotlin),
        cmocka_unit_test(test_binding_offers__for_csharp),
    };
    use_build_data();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
