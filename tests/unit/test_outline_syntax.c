/* Outlines by syntax trees: for each language the closures of the smallest programs that show what
 * is needed with what; properties of closed sets; memory that fails. */
/* tests: src/reduce/dependency/outline_syntax.c src/reduce/dependency/outline_syntax_names.c */
/* tests: src/reduce/dependency/outline_tables.c src/reduce/dependency/outline_syntax_variables.c */
/* tests: src/reduce/dependency/outline_syntax_strings.c src/reduce/dependency/outline_syntax_fulfils.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_drop.h"
#include "reduce/dependency/outline.h"
#include "unit/alloc_sweep.h"
#include "unit/support/closure_text.h"
#include "unit/support/program_driver.h"
#include "unit/support/syntax_closures.h"

/* ---- javascript --------------------------------------------------------------------------- */

static void test_outline_syntax__javascript_names_are_looked_up_in_scopes(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"var a=1;function f(){return a+1+1+1+1}var b=f;var c;", "var b",
         "var a=1;function f(){return a+1+1+1+1}var b=f;"},
        /* A parameter is not the variable of its name. */
        {"var a=1;function f(a){return a+1+1+1+1}f()", "f()", "function f(a){return a+1+1+1+1}f()"},
        {"var x;x=1;var y;x()", "x()", "var x;x=1;x()"},
        {"import {a,b} from 'm';import c from 'n';a()", "a()", "import {a,b} from 'm';a()"},
    };
    ASSERT_CLOSURES("javascript", rows);
}

static void test_outline_syntax__javascript_parts_go_with_what_they_are_of(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"function A(){}A.prototype.m=1;A.prototype.n=2;function B(){}B.prototype.m=3;new A().m",
         "new A", "function A(){}A.prototype.m=1;new A().m"},
        {"function A(){}function B(){}A.prototype=B;B.prototype=0;new A", "new A",
         "function A(){}function B(){}A.prototype=B;B.prototype=0;new A"},
        {"class A{m(){return 1+1+1+1}n(){return 2+2+2+2}}new A().m()", "new A",
         "class A{m(){return 1+1+1+1}}new A().m()"},
        {"function A(){}function mix(o){}mix(A);new A", "new A",
         "function A(){}function mix(o){}mix(A);new A"},
        /* What fills a list, or sets members by computed names. */
        {"var d=[],e=[];for(;;)d.push(1);d[0]", "d[0]", "var d=[],e=[];for(;;)d.push(1);d[0]"},
        {"var o={};var p={};for(k in window)o[k]=1;for(k in window)p[k]=2;o.x", "o.x",
         "var o={};for(k in window)o[k]=1;o.x"},
    };
    ASSERT_CLOSURES("javascript", rows);
}

#define FILL "\"0123456789012345678901234567890123456789012345678901234567890123456789\""
#define LONG FILL "+" FILL "+" FILL "+" FILL

static void test_outline_syntax__javascript_modules_of_bundles_are_nodes(void **state)
{
    (void)state;
    const struct row rows[] = {
        /* By name. */
        {"var m={'./a':function(e){e.x=" LONG "},'./b':function(e){e.y=1}};m['./b']()", "m['./b']",
         "var m={'./b':function(e){e.y=1}};m['./b']()"},
        /* Each with its comma. */
        {"var m={a:1,b:" LONG ",c:2,};m.a", "m.a", "var m={a:1,};m.a"},
        {"var m={a:1,b:" LONG ",c:2,};m.c", "m.c", "var m={c:2,};m.c"},
        /* What stands between two lists is of neither. */
        {"var m=[{a:1,b:" LONG "},{c:2,d:" LONG "}];m.a", "m.a", "var m=[{a:1,},{}];m.a"},
        /* By number. */
        {"var m={1:function(e){e.x=" LONG "},2:function(e){e.y=1},3(){}};function r(n){return m[n]}"
         "r(2)",
         "r(2)", "var m={2:function(e){e.y=1},};function r(n){return m[n]}r(2)"},
        /* What wraps all of a program stays; in it are items. */
        {"(function(){function f(){return " LONG "}function g(){return f()+" LONG
         "}function h(){return 1}window.h=h;window.g=g})();var x=window.h()",
         "var x", "(function(){function h(){return 1}window.h=h;})();var x=window.h()"},
        /* Of long lists of declarations and assignments all but the last may go. */
        {"var a=" LONG ",b=2,c=b;d(c)", "d(c)", "var b=2,c=b;d(c)"},
        {"var a=" LONG ",b=2,c=1;d(c)", "d(c)", "var c=1;d(c)"},
    };
    ASSERT_CLOSURES("javascript", rows);
}

/* What bundles of esbuild and webpack are made of. */
static void test_outline_syntax__javascript_modules_need_what_they_take_of_one_another(void **state)
{
    (void)state;
    const struct row rows[] = {
        /* A pattern takes members. */
        {"function A(){}A.x=1;A.y=2;var {x}=A;f(x)", "f(x)", "function A(){}A.x=1;var {x}=A;f(x)"},
        /* What a function sets of `this` is of no use without it. */
        {"function A(){this.set=1;var p=function(){return " LONG "};var q=function(){return " LONG
         "}}function B(o){return o.set+" LONG "+" LONG "+" LONG "}B(1)",
         "B(1)", "function B(o){return o.set+" LONG "+" LONG "+" LONG "}B(1)"},
        /* An only member may be found without its name. */
        {"function w(o){return o[k(o)[0]]}var r=w({'m'(e){e.x=" LONG "}});r(1)", "r(1)",
         "function w(o){return o[k(o)[0]]}var r=w({'m'(e){e.x=" LONG "}});r(1)"},
        /* What is run at once goes with what it adds to. */
        {"function s(){return s.t()}(()=>{s.t=function(){return 1}})();"
         "(()=>{z.t=function(){return 1}})();s(9)",
         "s(9)", "function s(){return s.t()}(()=>{s.t=function(){return 1}})();s(9)"},
        /* Of a module's assignments the last stays: the others are parts of its statement. */
        {"function r(n){return m[n](1)}var m={a:function(e){e.x=function(){return " LONG "+" LONG
         "},e.z=3,e.y=function(){return 2};function u(){return 3}var v=function(){return 4}},b:1};"
         "r('a').x(" LONG "," LONG ")",
         "r('a')",
         "function r(n){return m[n](1)}var m={a:function(e){e.x=function(){return " LONG "+" LONG
         "},e.y=function(){return 2};},};r('a').x(" LONG "," LONG ")"},
        /* A module that only loads others needs those that are used. */
        {"function r(n){return m[n]({},r)}var m={i:function(e,r){var a=r('a');var b=r('b');e.a=a;"
         "e.b=b;e.l=" LONG ";return e+" LONG
         "},a:function(e,r){return 1},b:function(e,r){return 2}};"
         "r('i').a",
         "r('i')",
         "function r(n){return m[n]({},r)}var m={i:function(e,r){var a=r('a');e.a=a;"
         "return e+" LONG "},a:function(e,r){return 1},};r('i').a"},
        /* Blocks, and functions that are run at once, hold statements of the program. */
        {"{function f(){return " LONG "}var y=1;h(1);g(y)}", "g(y)", "{var y=1;g(y)}"},
        {"var b=" LONG "+" LONG "+" LONG "+" LONG ";(()=>{function f(){return " LONG
         "}function g(){return " LONG "}h(1);k(g)})();",
         "k(g)", "(()=>{function g(){return " LONG "}k(g)})();"},
    };
    ASSERT_CLOSURES("javascript", rows);
}

/* One line of a minifier: statements are lists, in which functions are called where they stand. */
static void test_outline_syntax__javascript_lists_of_a_minifier_are_statements(void **state)
{
    (void)state;
    const struct row rows[] = {
        /* A function that begins a statement would be a declaration. */
        {"h(" LONG "),function(){var z=1;k(z)}()", "k(z)", "0,function(){var z=1;k(z)}()"},
        {"h(" LONG "),g(2),function(){var z=1;k(z)}()", "k(z)", "0,function(){var z=1;k(z)}()"},
        /* What is run at once as one of a list holds statements of the program, */
        {"h(" LONG "),(()=>{g(" LONG ");k(2)})()", "k(2)", "(()=>{k(2)})()"},
        /* or of the module that it is all of. */
        {"function r(n){return m[n]({},r)}var m={1:function(e,r){var x;e=r,function(){var "
         "a=function(){"
         "return " LONG "};var b=function(){return 2};e.p=a;function u(){return " LONG
         "}}.call(this)},2:function(e){return " LONG "}};r(1)",
         "r(1)",
         "function r(n){return m[n]({},r)}var m={1:function(e,r){0,function(){}.call(this)},};"
         "r(1)"},
        /* Each of what is loaded is a module of its own. */
        {"function r(n){return m[n]}var m={1(){return " LONG "},2(){return 2},3(){}};"
         "var a=r(1),b=r(2),c=b;k(c)",
         "k(c)", "function r(n){return m[n]}var m={2(){return 2},};var b=r(2),c=b;k(c)"},
        /* Of the last one the value goes. */
        {"function r(n){return m[n]}var m={1(){return " LONG "},2(){return 2},3(){}};"
         "var a=r(1),b=r(2);k(a)",
         "k(a)", "function r(n){return m[n]}var m={1(){return " LONG "},};var a=r(1),b=0;k(a)"},
        /* Statements that were joined, however short. */
        {"function f(){return 1}function g(){return 2}f(),g(),h();k()", "h()",
         "function g(){return 2}g(),h();"},
    };
    ASSERT_CLOSURES("javascript", rows);
}

static void test_outline_syntax__javascript_members_are_found_by_what_is_computed(void **state)
{
    (void)state;
    const struct row rows[] = {
        /* `var p = X.prototype` goes with X. */
        {"function A(){}function B(){}var q=B.prototype,p=A.prototype;p.m=1;q.m=2;new A().m",
         "new A", "function A(){}var p=A.prototype;p.m=1;new A().m"},
        {"function A(){}var p=A.prototype;p.m=1;p.n=2;new A().m", "new A",
         "function A(){}var p=A.prototype;p.m=1;new A().m"},
        /* Of a list that is given all elements may be members. */
        {"function A(){}A.x=1;A.y=2;each(['x'],function(n){return A[n]})", "each",
         "function A(){}A.x=1;each(['x'],function(n){return A[n]})"},
        /* Data is, by number, and of an object that is given. */
        {"var d={9:" LONG ",10:2,f:function(){return 1}};d[k]", "d[k]",
         "var d={9:" LONG ",10:2,};d[k]"},
        {"s({a:" LONG ",b:2,c:function(){return 1}})", "s({", "s({a:" LONG ",b:2,})"},
    };
    ASSERT_CLOSURES("javascript", rows);
}

/* ---- python --------------------------------------------------------------------------------- */

static void test_outline_syntax__python_blocks_are_never_empty(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"import a\nimport b\nx = 1\ndef f():\n    return a.y(x)\nprint(f())\n", "print",
         "import a\nx = 1\ndef f():\n    return a.y(x)\nprint(f())\n"},
        {"class A:\n    x = 1\n    def m(self):\n        return 1 + 1 + 1\nb = 1\nb = A()\n",
         "b = A", "class A:\n    0\nb = A()\n"},
        {"class A:\n    def __init__(self): pass\n    def m(self): return self.n()\n"
         "    def n(self): return 1\n    def o(self): return 2\nc=1\nc=A().m()\n",
         "c=A()",
         "class A:\n    def __init__(self): pass\n    def m(self): return self.n()\n"
         "    def n(self): return 1\n    \nc=A().m()\n"},
        {"@d\ndef f(): pass\ndef d(f): pass\ndef e(f): pass\nf()\n", "f()\n",
         "@d\ndef f(): pass\ndef d(f): pass\nf()\n"},
    };
    ASSERT_CLOSURES("python", rows);
}

/* ---- java --------------------------------------------------------------------------------- */

static void test_outline_syntax__java_an_interface_is_kept_whole_where_others_ask_for_it(
    void **state)
{
    (void)state;
    const struct row rows[] = {
        {"import a.L;\n"
         "import b.F;\n"
         "interface I { int size(); int dead(); }\n"
         "class A implements I { int x; A() { x = 2; } public int size() { return x + 1 + 1 + 1; } "
         "public int dead() { return x + 2 + 2 + 2; } void f(F f) { } }\n"
         "class M { void m(L l) { new A().size(); } }\n",
         "void m",
         "import a.L;\n"
         "interface I { int size();  }\n"
         "class A implements I { int x; A() { x = 2; } public int size() { return x + 1 + 1 + 1; } "
         " }\n"
         "class M { void m(L l) { new A().size(); } }\n"},
        {"class C implements Runnable { public void run() { System.out.println(1); } int other() { "
         "return 1 + 1 + 1; } }\n"
         "class D { C c; }\n",
         "C c;",
         "class C implements Runnable { public void run() { System.out.println(1); }  }\n"
         "class D { C c; }\n"},
        {"class A { int f(int a) { return 1 + 1 + 1; } int f(String a) { return 2; } int g() { "
         "return 3; } }\n"
         "class B extends A { @Override int f(int a) { return 4; } static class N { int k() { "
         "return f(1); } } }\n"
         "class M { B.N n; int z() { return n.k(); } }\n",
         "return n.k",
         "class A { int f(int a) { return 1 + 1 + 1; } int f(String a) { return 2; }  }\n"
         "class B extends A { @Override int f(int a) { return 4; } static class N { int k() { "
         "return f(1); } } }\n"
         "class M { B.N n; int z() { return n.k(); } }\n"},
        {"class M { public static void main(String[] a) { } void n() { } }\nclass N { }\nclass O { "
         "}\n",
         "class O", "class M { public static void main(String[] a) { }  }\nclass O { }\n"},
        {"import a.*;\nimport b.L;\nclass M { int x; }\nclass N { }\n", "int x",
         "import a.*;\nclass M { int x; }\n\n"},
        {"enum E { P, Q; int v() { return 1; } int w() { return 2; } }\n"
         "class M { int z = E.P.v(); }\n",
         "z = E",
         "enum E { P, Q; int v() { return 1; }  }\n"
         "class M { int z = E.P.v(); }\n"},
    };
    ASSERT_CLOSURES("java", rows);
}

/* ---- rust --------------------------------------------------------------------------------- */

static void test_outline_syntax__rust_an_impl_goes_with_its_type_and_its_trait(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"#![allow(dead_code)]\n"
         "use std::fmt;\n"
         "use std::io;\n"
         "mod inner { pub fn f() -> i32 { g() } fn g() -> i32 { 2 } pub fn h() {} }\n"
         "#[derive(Clone)]\n"
         "struct S { a: i32 }\n"
         "struct U;\n"
         "trait T { fn m(&self) -> i32; fn d(&self) -> i32 { self.m() } }\n"
         "impl T for S { fn m(&self) -> i32 { self.a + inner::f() } }\n"
         "impl T for U { fn m(&self) -> i32 { 0 } }\n"
         "impl S { fn new() -> S { S { a: 1 } } fn dead(&self) -> io::Error { panic!() } }\n"
         "impl fmt::Display for S { fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { Ok(()) "
         "} }\n"
         "fn main() { S::new().d(); }\n",
         "fn main",
         "#![allow(dead_code)]\n"
         "use std::fmt;\n"
         "mod inner { pub fn f() -> i32 { g() } fn g() -> i32 { 2 }  }\n"
         "#[derive(Clone)]\n"
         "struct S { a: i32 }\n"
         "trait T { fn m(&self) -> i32; fn d(&self) -> i32 { self.m() } }\n"
         "impl T for S { fn m(&self) -> i32 { self.a + inner::f() } }\n"
         "impl S { fn new() -> S { S { a: 1 } }  }\n"
         "impl fmt::Display for S { fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { Ok(()) "
         "} }\n"
         "fn main() { S::new().d(); }\n"},
    };
    ASSERT_CLOSURES("rust", rows);
}

/* ---- go ----------------------------------------------------------------------------------- */

static void test_outline_syntax__go_an_import_goes_with_its_last_use(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"package main\n"
         "\n"
         "import (\n"
         "\t\"fmt\"\n"
         "\t\"a/os\"\n"
         ")\n"
         "\n"
         "type T struct{ n int }\n"
         "\n"
         "func (t *T) Get() int { return t.n + helper() }\n"
         "func (t *T) Put(n int) { t.n = n }\n"
         "func (t *T) String() string { return \"\" }\n"
         "func helper() int { return len(os.Args) + 1 + 1 }\n"
         "func dead() { fmt.Println() }\n"
         "func main() { var t T; t.Get() }\n",
         "func main",
         "package main\n"
         "\n"
         "import (\n"
         "\t\"a/os\"\n"
         ")\n"
         "\n"
         "type T struct{ n int }\n"
         "\n"
         "func (t *T) Get() int { return t.n + helper() }\n"
         "func (t *T) String() string { return \"\" }\n"
         "func helper() int { return len(os.Args) + 1 + 1 }\n"
         "func main() { var t T; t.Get() }\n"},
        {"package p\n"
         "import \"fmt\"\n"
         "var (\n"
         "\tx = 1\n"
         "\ty = 2\n"
         ")\n"
         "func f() int { return y }\n"
         "func main() {}\n"
         "func g() { fmt.Println(x) }\n",
         "func f",
         "package p\n"
         "var (\n"
         "\ty = 2\n"
         ")\n"
         "func f() int { return y }\n"
         "func main() {}\n"
         "\n"},
        /* A member is not the import of its name; a version is no name. */
        {"package p\n"
         "import (\n"
         "\t\"bytes\"\n"
         "\t\"a/rand/v2\"\n"
         ")\n"
         "type t struct { bytes int }\n"
         "func f(x t) int { return x.bytes + rand.Int() }\n"
         "func g() { bytes.Clone(nil) }\n",
         "func f",
         "package p\n"
         "import (\n"
         "\t\"a/rand/v2\"\n"
         ")\n"
         "type t struct { bytes int }\n"
         "func f(x t) int { return x.bytes + rand.Int() }\n"
         "\n"},
    };
    ASSERT_CLOSURES("go", rows);
}

/* ---- typescript --------------------------------------------------------------------------- */

static void test_outline_syntax__typescript_types_are_nodes(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"import { q } from \"q\";\n"
         "interface P { a: number; b(): string }\n"
         "type Al = P | undefined;\n"
         "enum En { X, Y }\n"
         "namespace N { export function f(p: P): number { return p.a + 1 + 1 + 1; } export "
         "function g(): void { } }\n"
         "const v: Al = { a: 1, b() { return \"\" } };\n"
         "N.f(v);\n",
         "N.f(v)",
         "interface P { a: number; b(): string }\n"
         "type Al = P | undefined;\n"
         "namespace N { export function f(p: P): number { return p.a + 1 + 1 + 1; }  }\n"
         "const v: Al = { a: 1, b() { return \"\" } };\n"
         "N.f(v);\n"},
        {"abstract class K { abstract z(): number; y(): number { return this.z() + 1 + 1; } "
         "dead(): number { return 0; } }\n"
         "class L extends K { z(): number { return 1 + 2 + 3 + 4; } }\n"
         "class O extends K { z(): number { return 2; } }\n"
         "new L().y();\n",
         "new L",
         "abstract class K { abstract z(): number; y(): number { return this.z() + 1 + 1; }  }\n"
         "class L extends K { z(): number { return 1 + 2 + 3 + 4; } }\n"
         "new L().y();\n"},
    };
    ASSERT_CLOSURES("typescript", rows);
}

static void test_outline_syntax__a_class_keeps_what_it_promises(void **state)
{
    (void)state;
    const struct row typescript[] = {
        {"interface I { a(): void; }\n"
         "class C implements I { a(): void { } b(): void { } }\n"
         "class D { a(): void { } }\n"
         "new C();\nnew D().a();\n",
         "a(): void { } b",
         "interface I { a(): void; }\nclass D { a(): void { } }\nnew D().a();\n"},
        {"interface I { a(): void; }\nclass C implements I { a(): void { } b(): void { } }\nnew "
         "C();\n",
         "b()", "interface I { a(): void; }\nclass C implements I { a(): void { }  }\nnew C();\n"},
    };
    const struct row java[] = {
        {"interface I { int a(); }\n"
         "class C implements I { public int a() { return 1; } }\n"
         "class D { int a() { return 2; } }\n",
         "public int a", "interface I { int a(); }\nclass D { int a() { return 2; } }\n"},
    };
    ASSERT_DROPS("typescript", typescript);
    ASSERT_DROPS("java", java);
}

/* ---- statements --------------------------------------------------------------------------- */

static void test_outline_syntax__rust_a_statement_goes_with_those_that_use_its_variable(
    void **state)
{
    (void)state;
    const struct row rows[] = {
        {"fn main() {\n    let a = 1;\n    let b = a + 2;\n    if b > 1 { f(a); g(3); }\n    "
         "h(4);\n}\n",
         "let b", "fn main() {\n    let a = 1;\n    \n    \n    h(4);\n}\n"},
        {"fn main() {\n    let a = 1;\n    let b = a + 2;\n    if b > 1 { f(a); g(3); }\n    "
         "h(4);\n}\n",
         "g(3)",
         "fn main() {\n    let a = 1;\n    let b = a + 2;\n    if b > 1 { f(a);  }\n    "
         "h(4);\n}\n"},
        {"fn f() -> i32 { g(1); return 22222222; }\nfn k() { }\n", "g(1)",
         "fn f() -> i32 {  return 22222222; }\nfn k() { }\n"},
    };
    ASSERT_DROPS("rust", rows);
}

static void test_outline_syntax__go_a_variable_goes_with_its_last_use(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"package main\nfunc main() {\n\ta := 1 + 2 + 3\n\tprintln(a)\n\tprintln(4)\n}\n",
         "println(a", "package main\nfunc main() {\n\t\n\t\n\tprintln(4)\n}\n"},
        /* To be assigned to is no use, unless the old value counts. */
        {"package main\nfunc main() {\n\ta := 1\n\ta = 2\n\tprintln(a)\n\tprintln(4)\n}\n",
         "println(a", "package main\nfunc main() {\n\t\n\t\n\t\n\tprintln(4)\n}\n"},
        {"package main\nfunc main() {\n\ta := 1\n\ta += 2\n\tprintln(a)\n\tprintln(4)\n}\n",
         "println(a", "package main\nfunc main() {\n\ta := 1\n\ta += 2\n\t\n\tprintln(4)\n}\n"},
        /* One of two uses is enough. */
        {"package main\nfunc main() {\n\ta := 1 + 2\n\tprintln(a)\n\tprintln(a, 4)\n}\n",
         "println(a)", "package main\nfunc main() {\n\ta := 1 + 2\n\t\n\tprintln(a, 4)\n}\n"},
        /* A `return` is of the body, which goes with what it returns. */
        {"package main\nfunc f() int {\n\ta := 1 + 2 + 3\n\tprintln(4)\n\treturn a\n}\n",
         "a :=", "package main\nfunc f() int{panic(0)}\n"},
        {"package main\nfunc f() int {\n\ta := 1 + 2 + 3\n\tprintln(a)\n\treturn a\n}\n",
         "println(a", "package main\nfunc f() int {\n\ta := 1 + 2 + 3\n\t\n\treturn a\n}\n"},
        /* What is thrown away is no variable. */
        {"package main\nfunc main() {\n\t_, _ = g(1)\n\t_, _ = g(2)\n\tprintln(4)\n}\n",
         "_, _ = g(1", "package main\nfunc main() {\n\t\n\t_, _ = g(2)\n\tprintln(4)\n}\n"},
    };
    ASSERT_DROPS("go", rows);
}

/* ---- properties ------------------------------------------------------------------------------ */

static const struct {
    const char *language, *stub, *source;
} PROGRAMS[] = {
    {"javascript", "{}",
     "var a=1,b=[];function f(x){return a+x+1+1+1}class A{m(){return f(1)+2+3}n(){}}"
     "A.prototype.o=f;b.push(1);exports.p=function(){return new A().o(b)+1}"},
    {"python", "0",
     "import os\nclass A(B):\n  x = 1\n  def m(self):\n    return os.path + self.x\n"
     "def f(a, b=1):\n  return A().m() + a + b\nx = f(1)\nif x:\n  y = 2\nprint(x, y)\n"},
    {"php", "{}",
     "<?php namespace n; use o\\P; class A extends P{public $a=[1]; function m($k){return "
     "$this->{'on'.$k}($this->a);} function onB($b){return self::$c+B($b);} static $c;}"
     " function B($d){return $d+X;} define('X',2); $e=new A; $e->a[]=1; echo $e->m('B');"},
    {"java", "{throw null;}",
     "class A { int f(int a) { return 1 + 1 + 1; } int f(String a) { return 2; } int g() { return "
     "3; } }\n"
     "class B extends A { @Override int f(int a) { return 4; } static class N { int k() { return "
     "f(1); } } }\n"
     "class M { B.N n; int z() { return n.k(); } }\n"},
    {"rust", "{loop{}}",
     "#![allow(dead_code)]\n"
     "use std::fmt;\n"
     "use std::io;\n"
     "mod inner { pub fn f() -> i32 { g() } fn g() -> i32 { 2 } pub fn h() {} }\n"
     "#[derive(Clone)]\n"
     "struct S { a: i32 }\n"
     "struct U;\n"
     "trait T { fn m(&self) -> i32; fn d(&self) -> i32 { self.m() } }\n"
     "impl T for S { fn m(&self) -> i32 { self.a + inner::f() } }\n"
     "impl T for U { fn m(&self) -> i32 { 0 } }\n"
     "impl S { fn new() -> S { S { a: 1 } } fn dead(&self) -> io::Error { panic!() } }\n"
     "impl fmt::Display for S { fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { Ok(()) } }\n"
     "fn main() { S::new().d(); }\n"},
    {"go", "{panic(0)}",
     "package main\n"
     "\n"
     "import (\n"
     "\t\"fmt\"\n"
     "\t\"a/os\"\n"
     ")\n"
     "\n"
     "type T struct{ n int }\n"
     "\n"
     "func (t *T) Get() int { return t.n + helper() }\n"
     "func (t *T) Put(n int) { t.n = n }\n"
     "func (t *T) String() string { return \"\" }\n"
     "func helper() int { return len(os.Args) + 1 + 1 }\n"
     "func dead() { fmt.Println() }\n"
     "func main() { var t T; t.Get() }\n"},
    {"typescript", "{throw 0}",
     "import { q } from \"q\";\n"
     "interface P { a: number; b(): string }\n"
     "type Al = P | undefined;\n"
     "enum En { X, Y }\n"
     "namespace N { export function f(p: P): number { return p.a + 1 + 1 + 1; } export function "
     "g(): void { } }\n"
     "const v: Al = { a: 1, b() { return \"\" } };\n"
     "N.f(v);\n"},
    {"lua", "@",
     "local M = {}\n"
     "local function h(x) return x + 1 + 1 + 1 end\n"
     "function M.a(x) return h(x) end\n"
     "function M.b(x) return 2 end\n"
     "M.c = function() return 4 end\n"
     "local t = {}\n"
     "for i = 1, 3 do t[i] = i end\n"
     "print(M.a(1), t[1])\n"},
    {"sql", ";",
     "CREATE TABLE a (id INTEGER PRIMARY KEY);\n"
     "CREATE TABLE b (a_id INTEGER REFERENCES a(id));\n"
     "CREATE TABLE c (id INTEGER);\n"
     "CREATE INDEX i ON b(a_id);\n"
     "CREATE VIEW v AS SELECT a_id AS x FROM b;\n"
     "CREATE VIEW w AS SELECT id AS x FROM c;\n"
     "INSERT INTO a VALUES (1), (2);\n"
     "INSERT INTO \"b\" VALUES (1);\n"
     "INSERT INTO c VALUES (1);\n"
     "ALTER TABLE b ADD COLUMN z TEXT;\n"
     "SELECT x FROM v;\n"
     "SELECT 1;\n"},
};

enum { N_PROGRAMS = sizeof PROGRAMS / sizeof *PROGRAMS };

enum { MOST_TEXT = 1000 };

/* Whether all that `part` has is in `whole`, in that order, but for stubs.  By the least of `whole`
 * that each start of `part` takes. */
static bool is_made_of(const char *part, const char *whole, const char *stub)
{
    size_t least[MOST_TEXT], size = strlen(part), end = strlen(whole);
    assert_true(size < MOST_TEXT);
    for (size_t i = 1; i <= size; i++)
        least[i] = SIZE_MAX;
    least[0] = 0;
    for (size_t i = 0; i < size; i++) {
        if (least[i] == SIZE_MAX) continue;
        const char *found = memchr(whole + least[i], part[i], end - least[i]);
        if (found && (size_t)(found - whole) + 1 < least[i + 1])
            least[i + 1] = (size_t)(found - whole) + 1;
        if (strncmp(part + i, stub, strlen(stub)) == 0 && least[i] < least[i + strlen(stub)])
            least[i + strlen(stub)] = least[i];
    }
    return least[size] != SIZE_MAX;
}

/* Any set, closed, is sound; what is dropped from it leaves a sound one of the allowed nodes. */
static void check_random(pare_dependency *graph, pare_random *random, const char *source,
                         const char *stub)
{
    uint32_t n = pare_dependency_count(graph);
    pare_dependency_bits *kept = new_set(graph);
    const pare_dependency_query query = {.bodies = pare_random_below(random, 2)};
    for (int i = 0; i < 2; i++)
        pare_dependency_add(kept, (uint32_t)pare_random_below(random, n));
    assert_int_equal(pare_dependency_close(graph, &query, kept, NULL), PARE_OK);
    assert_true(pare_dependency_is_sound(graph, &query, kept));
    char *text = print_set(graph, kept);
    assert_true(is_made_of(text, source, stub));
    test_free(text);
    pare_dependency_bits *less = new_set(graph);
    memcpy(less, kept, pare_dependency_set_size(graph) * sizeof *less);
    uint32_t dropped = (uint32_t)pare_random_below(random, n);
    assert_int_equal(pare_dependency_drop(graph, &query, &dropped, 1, less, NULL), PARE_OK);
    for (uint32_t i = 0; i < n; i++)
        assert_true(!pare_dependency_has(less, i) || pare_dependency_has(kept, i));
    assert_false(pare_dependency_has(less, dropped));
    test_free(less);
    test_free(kept);
}

static void test_outline_syntax__closed_sets_are_sound(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_PROGRAMS; i++) {
        pare_random random;
        struct graph_of self;
        pare_random_init(&random, 1 + i);
        if (!has_language(PROGRAMS[i].language)) continue;
        pare_tree_sitter *language = load_language(PROGRAMS[i].language);
        open_graph(language, PROGRAMS[i].language, PROGRAMS[i].source, &self);
        for (int round = 0; round < 60; round++)
            check_random(self.graph, &random, PROGRAMS[i].source, PROGRAMS[i].stub);
        close_graph(&self);
        pare_tree_sitter_close(language);
    }
}

/* ---- when it has none, and when memory fails -------------------------------------------------- */

static void test_outline_syntax__without_a_tree_there_is_none(void **state)
{
    (void)state;
    pare_text *text = NULL;
    pare_dependency *graph = NULL;
    bool known = true;
    assert_int_equal(pare_text_copy("a;b;", 4, &text, NULL), PARE_OK);
    const pare_pass_view view = {
        .text = text, .bytes = pare_text_bytes(text), .end = 4, .language = "javascript"};
    assert_int_equal(pare_dependency_make(&view, &known, &graph, NULL), PARE_OK);
    assert_false(known);
    assert_null(graph);
    assert_true(pare_dependency_needs_tree("javascript"));
    assert_false(pare_dependency_needs_tree("cpp"));
    assert_false(pare_dependency_needs_tree(NULL));
    pare_text_unref(text);
}

static pare_status make_swept(void *context)
{
    struct program_view *program = context;
    pare_dependency *graph = NULL;
    bool known = false;
    pare_status status = pare_dependency_make(&program->view, &known, &graph, NULL);
    pare_dependency_unref(graph);
    return status;
}

static void test_outline_syntax__reports_memory_that_runs_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_PROGRAMS; i++) {
        struct program_view program;
        if (!has_language(PROGRAMS[i].language)) continue;
        pare_tree_sitter *language = load_language(PROGRAMS[i].language);
        view_program(language, PROGRAMS[i].language, PROGRAMS[i].source, strlen(PROGRAMS[i].source),
                     &program);
        sweep_allocations(make_swept, &program);
        program_done(&program);
        pare_tree_sitter_close(language);
    }
}

int main(void)
{
    use_build_data();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            test_outline_syntax__rust_a_statement_goes_with_those_that_use_its_variable),
        cmocka_unit_test(test_outline_syntax__go_a_variable_goes_with_its_last_use),
        cmocka_unit_test(test_outline_syntax__javascript_names_are_looked_up_in_scopes),
        cmocka_unit_test(test_outline_syntax__javascript_parts_go_with_what_they_are_of),
        cmocka_unit_test(test_outline_syntax__javascript_modules_of_bundles_are_nodes),
        cmocka_unit_test(
            test_outline_syntax__javascript_modules_need_what_they_take_of_one_another),
        cmocka_unit_test(test_outline_syntax__javascript_lists_of_a_minifier_are_statements),
        cmocka_unit_test(test_outline_syntax__javascript_members_are_found_by_what_is_computed),
        cmocka_unit_test(test_outline_syntax__python_blocks_are_never_empty),
        cmocka_unit_test(
            test_outline_syntax__java_an_interface_is_kept_whole_where_others_ask_for_it),
        cmocka_unit_test(test_outline_syntax__rust_an_impl_goes_with_its_type_and_its_trait),
        cmocka_unit_test(test_outline_syntax__go_an_import_goes_with_its_last_use),
        cmocka_unit_test(test_outline_syntax__typescript_types_are_nodes),
        cmocka_unit_test(test_outline_syntax__a_class_keeps_what_it_promises),
        cmocka_unit_test(test_outline_syntax__closed_sets_are_sound),
        cmocka_unit_test(test_outline_syntax__without_a_tree_there_is_none),
        cmocka_unit_test(test_outline_syntax__reports_memory_that_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
