/* What needs what: closures of small programs, what is left when something goes, and names. */
/* tests: src/reduce/dependency/dependency.c src/reduce/dependency/dependency_rules.c */
/* tests: src/reduce/dependency/dependency_bases.c src/reduce/dependency/dependency_lists.c */
/* tests: src/reduce/dependency/outline.c src/reduce/dependency/outline_c.c */
/* tests: src/reduce/dependency/outline_c_tokens.c src/reduce/dependency/outline_c_names.c */
/* tests: src/reduce/dependency/outline_c_uses.c src/reduce/dependency/outline_c_parts.c */
/* tests: src/reduce/dependency/outline_c_layout.c */
/* tests: src/reduce/dependency/levels.c src/reduce/dependency/dependency_markers.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/levels.h"
#include "reduce/dependency/outline.h"
#include "unit/alloc_sweep.h"

/* A graph with its text; NULL: it has none. */
static pare_dependency *make_graph(const char *language, const char *source)
{
    pare_text *text = NULL;
    pare_dependency *graph = NULL;
    bool known = false;
    assert_int_equal(pare_text_copy(source, strlen(source), &text, NULL), PARE_OK);
    const pare_pass_view view = {
        .text = text, .bytes = pare_text_bytes(text), .end = strlen(source), .language = language};
    assert_int_equal(pare_dependency_make(&view, &known, &graph, NULL), PARE_OK);
    assert_int_equal(known, graph != NULL);
    pare_text_unref(text);
    return graph;
}

static pare_dependency_bits *new_set(const pare_dependency *graph)
{
    pare_dependency_bits *set = test_calloc(pare_dependency_set_size(graph), sizeof *set);
    assert_non_null(set);
    return set;
}

static pare_dependency_bits *all_nodes(const pare_dependency *graph)
{
    pare_dependency_bits *set = new_set(graph);
    for (uint32_t i = 0; i < pare_dependency_count(graph); i++)
        pare_dependency_add(set, i);
    return set;
}

/* The innermost node that holds the first byte of `what`. */
static uint32_t node_of(const pare_dependency *graph, const char *source, const char *what)
{
    pare_dependency_bits *all = all_nodes(graph);
    const char *found = strstr(source, what);
    if (!found) fail_msg("no '%s' in: %s", what, source);
    uint32_t node = pare_dependency_node_at(graph, all, (size_t)(found - source));
    test_free(all);
    if (node == PARE_NO_NODE) fail_msg("'%s' is in no node of: %s", what, source);
    return node;
}

/* The text of a set; to be freed. */
static char *print_set(const pare_dependency *graph, const pare_dependency_bits *kept)
{
    pare_candidate candidate = {0};
    assert_int_equal(pare_dependency_candidate(graph, kept, &candidate, NULL), PARE_OK);
    assert_int_equal(candidate.size, pare_dependency_bytes(graph, kept));
    char *text = test_calloc(candidate.size + 1, 1);
    pare_candidate_read(&candidate, text);
    pare_candidate_done(&candidate);
    return text;
}

/* One closure: of the node at `seed`. */
struct row {
    const char *language, *source, *seed, *expected;
    int bodies; /* 2: and the layout of objects */
};

static void assert_closure(const struct row *row)
{
    pare_dependency *graph = make_graph(row->language, row->source);
    assert_non_null(graph);
    pare_dependency_bits *kept = new_set(graph);
    const pare_dependency_query query = {.bodies = row->bodies > 0, .layout = row->bodies == 2};
    pare_dependency_add(kept, node_of(graph, row->source, row->seed));
    assert_int_equal(pare_dependency_close(graph, &query, kept, NULL), PARE_OK);
    assert_true(pare_dependency_is_sound(graph, &query, kept));
    char *text = print_set(graph, kept);
    if (strcmp(text, row->expected) != 0) print_error("of '%s' in: %s\n", row->seed, row->source);
    assert_string_equal(text, row->expected);
    test_free(text);
    test_free(kept);
    pare_dependency_unref(graph);
}

static void assert_closures(const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_closure(&rows[i]);
}

#define ASSERT_CLOSURES(rows) assert_closures(rows, sizeof(rows) / sizeof *(rows))

/* ---- rules ----------------------------------------------------------------------------- */

static void test_dependency__a_use_needs_what_declares_the_name(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"c", "int a;int b;int c=a;int d=c;", "int c", "int a;int c=a;", false},
        {"c", "typedef int t;typedef t*p;struct s{p q;};struct s x;int y;", "struct s x",
         "typedef int t;typedef t*p;struct s{p q;};struct s x;", false},
        {"c", "enum{A,B};enum{C};int x=B;", "int x", "enum{A,B};int x=B;", false},
        {"c", "int(*f)(int);int x;int*y=&x;int z=f(1);", "int z", "int(*f)(int);int z=f(1);",
         false},
    };
    ASSERT_CLOSURES(rows);
}

static void test_dependency__what_a_function_declares_for_itself_is_no_need(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"c", "int a;int b;int f(int a){int b=a;return b;}", "{int b",
         "int f(int a){int b=a;return b;}", false},
        {"cpp", "struct T{};template<class T>T f(T x);int g=f(1);", "int g",
         "template<class T>T f(T x);int g=f(1);", false},
        /* An expression looks like a parameter of a type, but for where it stands. */
        {"c", "int m;int n;int f(int a){return (a & m);}", "{return",
         "int m;int f(int a){return (a & m);}", false},
        {"c", "int m;int n;int h(int);int f(int a){return h(a * m);}", "{return",
         "int m;int h(int);int f(int a){return h(a * m);}", false},
        {"cpp", "struct t{};int e;void f(){try{}catch(t & e){throw e;}}", "{try",
         "struct t{};void f(){try{}catch(t & e){throw e;}}", false},
        {"cpp", "struct t{};int e;int f(){return [](t & e){return e;};}", "{return [",
         "struct t{};int f(){return [](t & e){return e;};}", false},
    };
    ASSERT_CLOSURES(rows);
}

static void test_dependency__bodies_stay_when_they_are_asked_for(void **state)
{
    (void)state;
    static const char source[] = "int h(){return 1;}int f(){return h();}int main(){return f();}";
    const struct row rows[] = {
        {"c", source, "{return f", "int f();int main(){return f();}", false},
        {"c", source, "{return f", "int h(){return 1;}int f(){return h();}int main(){return f();}",
         true},
        {"cpp", "auto f(){return 1;}int x=f();", "int x", "auto f(){return 1;}int x=f();", false},
        {"cpp", "struct A{A();int x;};A::A():x(1){}A a;", "A a", "struct A{A();};A a;", false},
        {"cpp", "struct A{A();int x;};A::A():x(1){}A a;", "A a",
         "struct A{A();int x;};A::A():x(1){}A a;", true},
    };
    ASSERT_CLOSURES(rows);
}

static void test_dependency__a_member_needs_its_class_and_its_name_used(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"cpp", "struct A{void f();void g();};struct B{void f();};void h(A a){a.f();}", "{a.f",
         "struct A{void f();};void h(A a){a.f();}", false},
        {"cpp", "struct A{A(int);int x;int y;};A a(1);int b=a.x;", "int b",
         "struct A{A(int);int x;};A a(1);int b=a.x;", false},
        /* `const` does not make the name after it a variable. */
        {"cpp",
         "struct A{};struct B{};template<class T,int n>struct C{};C<const A,1>c;void f(A const B);",
         "C<const A", "struct A{};template<class T,int n>struct C{};C<const A,1>c;", 0},
        {"cpp", "struct A{};int B;void f(A const B){B=1;}", "void f",
         "struct A{};void f(A const B){B=1;}", 1},
        /* Values are lists of data members. */
        {"cpp", "struct A{int x,y;};struct B{};A a={1,2};", "A a", "struct A{int x,y;};A a={1,2};",
         false},
        {"cpp", "struct A{virtual void f();};struct B:A{void f()override;void g();};B b;", "B b",
         "struct A{};struct B:A{};B b;", false},
    };
    ASSERT_CLOSURES(rows);
}

static void test_dependency__names_are_looked_up_in_spaces(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"cpp", "namespace n{int a;int b;}namespace m{int a;}int x=n::a;", "int x",
         "namespace n{int a;}int x=n::a;", false},
        {"cpp", "namespace n{int a;}namespace n{int b=a;int c;}", "int b",
         "namespace n{int a;}namespace n{int b=a;}", false},
        {"cpp", "namespace n{int a;}namespace m{}using namespace m;int x;", "int x",
         "namespace m{}using namespace m;int x;", false},
        {"cpp", "namespace n __attribute__((x)){inline namespace i{int a;}}int x=n::a;", "int x",
         "namespace n __attribute__((x)){inline namespace i{int a;}}int x=n::a;", false},
        {"cpp", "extern \"C\" {int a;int b;}int x=b;", "int x", "extern \"C\" {int b;}int x=b;",
         false},
        {"cpp", "namespace a{namespace b{int x;}}namespace c=a::b;int x;int y=c::x;", "int y",
         "namespace a{namespace b{int x;}}namespace c=a::b;int y=c::x;", false},
        {"cpp", "namespace a{inline namespace b{int x;}}int z;int y=a::b::x;", "int y",
         "namespace a{inline namespace b{int x;}}int y=a::b::x;", false},
    };
    ASSERT_CLOSURES(rows);
}

static void test_dependency__specialisations_come_with_the_classes_they_are_for(void **state)
{
    (void)state;
    static const char source[] = "struct A{};struct B{};template<class T>struct t;"
                                 "template<>struct t<A>{};template<>struct t<B>{};t<A>x;";
    const struct row rows[] = {
        {"cpp", source, "t<A>x",
         "struct A{};template<class T>struct t;template<>struct t<A>{};t<A>x;", false},
        {"cpp", "template<class T>void f(T);template<>void f<int>(int);int x=(f(1),0);", "int x",
         "template<class T>void f(T);template<>void f<int>(int);int x=(f(1),0);", false},
        {"cpp",
         "struct A{};struct B{};template<class T>constexpr bool v=false;"
         "template<>constexpr bool v<A> =true;template<>constexpr bool v<B> =true;bool x=v<A>;",
         "bool x",
         "struct A{};template<class T>constexpr bool v=false;"
         "template<>constexpr bool v<A> =true;bool x=v<A>;",
         false},
    };
    ASSERT_CLOSURES(rows);
}

/* The compiler asks for all values of the orderings, and computes them. */
static void test_dependency__classes_of_the_language_come_with_their_constants(void **state)
{
    (void)state;
    static const char source[] =
        "namespace std{int a;class strong_ordering{int v;constexpr explicit strong_ordering(int "
        "i):v(i){}"
        "public:static const strong_ordering equal;};constexpr strong_ordering "
        "strong_ordering::equal(1);"
        "struct other{static const other equal;other(int);};const other other::equal(1);}"
        "std::strong_ordering*x;";
    const struct row rows[] = {
        {"cpp", source, "std::strong_ordering*x",
         "namespace std{class strong_ordering{int v;constexpr explicit strong_ordering(int "
         "i):v(i){}"
         "public:static const strong_ordering equal;};constexpr strong_ordering "
         "strong_ordering::equal(1);"
         "}std::strong_ordering*x;",
         false},
    };
    ASSERT_CLOSURES(rows);
}

static void test_dependency__of_overloads_those_for_kept_classes_or_the_first(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"cpp", "struct A{};struct B{};void f(A);void f(B);A a;void g(){f(a);}", "{f(a",
         "struct A{};void f(A);A a;void g(){f(a);}", false},
        {"cpp", "struct A{};struct B{};void f(A);void f(B);void g(){f();}", "{f()",
         "struct A{};void f(A);void g(){f();}", false},
        {"cpp", "struct A{friend int operator<=>(A,A);friend int operator+(A,A);};A a;int x=a<a;",
         "int x", "struct A{friend int operator<=>(A,A);};A a;int x=a<a;", false},
        {"cpp", "struct A{int operator>>=(int);int operator>(int);};A a;int x=(a>>=1);", "int x",
         "struct A{int operator>>=(int);};A a;int x=(a>>=1);", false},
        {"cpp", "struct A{};struct B{};int operator+(A,A);int operator+(B,B);A a;int x=a+a;",
         "int x", "struct A{};int operator+(A,A);A a;int x=a+a;", false},
        /* Brackets after an operator's sign are its parameters, and no operand of the constraint. */
        {"cpp",
         "struct A{template<class T>requires C<T>friend T operator>>=(T,A){return 1;}friend A "
         "operator+(A,A);};A a;int x=a+a;",
         "int x", "struct A{friend A operator+(A,A);};A a;int x=a+a;", false},
        /* No argument is of a class that is not deduced. */
        {"cpp",
         "template<class T>struct e{};void f(int*);template<class T>void f(T,typename "
         "e<T>::t=0);int x=(f(1),0);",
         "int x",
         "template<class T>struct e{};void f(int*);template<class T>void f(T,typename "
         "e<T>::t=0);int x=(f(1),0);",
         false},
        {"cpp",
         "struct A{int operator*=(int);int operator+=(int);};struct B:A{using "
         "A::operator*=;using A::operator+=;};B b;int x=b+=1;",
         "int x", "struct A{int operator+=(int);};struct B:A{using A::operator+=;};B b;int x=b+=1;",
         false},
    };
    ASSERT_CLOSURES(rows);
}

static void test_dependency__what_is_no_declaration_stays_in_its_lines(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"c", "#include <a.h>\nint a;\n#pragma p\nint b;\n", "int b",
         "#include <a.h>\n#pragma p\nint b;\n", false},
        {"c", "int a; // a\n# 7 \"f.h\"\nint b; /* b */ int c;", "int c", "int c;", false},
        {"cpp", "namespace n{int x;\n#pragma p\nint y;}", "int y",
         "namespace n{\n#pragma p\nint y;}", false},
    };
    ASSERT_CLOSURES(rows);
}

static void test_dependency__odd_declarations_are_one_item(void **state)
{
    (void)state;
    const struct row rows[] = {
        {"cpp", "template<class T>concept C=requires(T t){{t.x}->D;};int x;", "int x", "int x;",
         false},
        {"cpp", "template<class T>requires requires(T t){t;}void f(T){}int x;", "int x", "int x;",
         false},
        {"cpp", "struct A{int a:3;A():a(1),b{2}{}int b;}y;int x;", "int x", "int x;", false},
        {"cpp", "int f()try{}catch(...){}int x;", "int x", "int x;", false},
        {"cpp", "const char*s=R\"x(})\")x\";int x;", "int x", "int x;", false},
        {"c", "__extension__ typedef struct{int a;}t;int x=sizeof(t);", "int x",
         "__extension__ typedef struct{int a;}t;int x=sizeof(t);", false},
        {"cpp", "__extension__ template<class T>concept C=1;int y;template<C T>struct S{};",
         "struct S", "__extension__ template<class T>concept C=1;template<C T>struct S{};", false},
        {"c", "int f;extern __typeof(f)g;int y;int x=sizeof(g);", "int x",
         "int f;extern __typeof(f)g;int x=sizeof(g);", false},
        {"c", "int f(int a\n# 7 \"f.h\" 3\n)\n# 8 \"f.h\" 3\n{return 1;}\nint x=f(1);", "int x",
         "int f(int a\n# 7 \"f.h\" 3\n)\n# 8 \"f.h\" 3\n;\nint x=f(1);", false},
        {"c", "int f(void) // one\n{return 1;}\nint x=f();", "int x",
         "int f(void) // one\n;\nint x=f();", false},
        {"c", "typedef __typeof__(1)t __attribute__((x));t x;", "t x",
         "typedef __typeof__(1)t __attribute__((x));t x;", false},
        {"c", "int f(void)__asm__(\"g\");int y;int x=f();", "int x",
         "int f(void)__asm__(\"g\");int x=f();", false},
        {"c", "}}int a;)]int b;{{", "int b", "int b;", false},
        {"cpp", "struct A{}inline constexpr a{};int y;int x=sizeof(a);", "int x",
         "struct A{}inline constexpr a{};int x=sizeof(a);", false},
        {"cpp", "struct A{A(int);}a(1);int y;int x=sizeof(a);", "int x",
         "struct A{A(int);}a(1);int x=sizeof(a);", false},
    };
    ASSERT_CLOSURES(rows);
}

static void test_dependency__a_text_of_nothing_has_no_graph(void **state)
{
    (void)state;
    assert_null(make_graph("c", ""));
    assert_null(make_graph("c", "  \n"));
    assert_null(make_graph("no such language", "int a;int b;"));
    assert_null(make_graph(NULL, "int a;int b;"));
}

/* ---- dropping -------------------------------------------------------------------------- */

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

static void test_dependency__who_needs_what_goes_goes_too(void **state)
{
    (void)state;
    assert_dropped("struct A{};A a;int b;int c=a.x;", "struct A", "int b;int c;");
    assert_dropped("int f();int f(){return 1;}int x=f();", "int f();",
                   "int f(){return 1;}int x=f();");
    assert_dropped("int f(){return 1;}int x=f();", "{return", "int f();int x=f();");
    assert_dropped("struct A{int x;int y;};int z;", "int y", "struct A{int x;};int z;");
}

/* Parts of items go by themselves; some leave a text. */
static void test_dependency__parts_go_without_their_items(void **state)
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
static void test_dependency__lines_go_with_their_partners(void **state)
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

/* The label of a member stays with it, but for one that takes access away. */
static void test_dependency__labels_stay_with_those_who_need_them(void **state)
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
static void test_dependency__constructors_keep_what_they_begin_with(void **state)
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
static void test_dependency__constant_functions_keep_what_they_return(void **state)
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
static void test_dependency__a_class_of_that_type_is_not_declared(void **state)
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
static void test_dependency__empty_constant_constructors_keep_their_bodies(void **state)
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
static void test_dependency__libraries_know_the_objects_of_their_classes(void **state)
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
         "A<int>a", "template<class T>struct A{T m;};A<int>a;", 2},
        {"cpp",
         "template<class T>struct A{T m;void g(){}};using t=A<int>;struct L{t x;void h();};L l;",
         "L l", "template<class T>struct A{T m;};using t=A<int>;struct L{t x;};L l;", 2},
    };
    ASSERT_CLOSURES(rows);
}

/* Variables with arguments, and those whose type ends in an angle bracket. */
static void test_dependency__uses_go_with_their_variables(void **state)
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
static void test_dependency__constraints_come_before_classes(void **state)
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
static void test_dependency__a_declaration_does_not_stand_for_its_class(void **state)
{
    (void)state;
    assert_dropped("struct A;struct A{};struct B{A a;};", "struct A{", "struct B{};");
    /* Nor does its definition for a declaration that others come after. */
    assert_dropped("struct A;A*a;struct A{};A*b;", "struct A;", "struct A{};A*b;");
}

/* Code of a program that would stand in a system header's part is told apart again, and the other way
 * round; white space and what is printed without markers is not. */
static void test_dependency__system_headers_do_not_spread(void **state)
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
static void test_dependency__operators_are_used_by_expressions_on_their_types(void **state)
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
static void test_dependency__names_of_other_spaces_are_found_by_arguments(void **state)
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
static void test_dependency__friends_come_with_their_classes(void **state)
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
static void test_dependency__operators_of_the_language_are_never_unused(void **state)
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

/* ---- names ------------------------------------------------------------------------------ */

static bool count_node(void *context, uint32_t node)
{
    (void)node;
    ++*(size_t *)context;
    return true;
}

static void test_dependency__a_need_is_learned_by_name(void **state)
{
    (void)state;
    static const char source[] = "int a;struct A{int a;};void f(){}int operator + (A,A);";
    pare_dependency *graph = make_graph("cpp", source);
    pare_dependency_edges edges = {0};
    pare_dependency_bits *kept = new_set(graph);
    size_t n = 0;
    pare_dependency_named(graph, "a", 1, count_node, &n);
    assert_int_equal(n, 2);
    pare_dependency_named(graph, "operator+", 9, count_node, &n);
    assert_int_equal(n, 3);
    pare_dependency_named(graph, "none", 4, count_node, &n);
    assert_int_equal(n, 3);
    pare_dependency_query query = {.bodies = false};
    uint32_t from = node_of(graph, source, "void f");
    const pare_dependency_lack lack = {
        .query = &query, .kept = kept, .from = from, .name = "a", .size = 1};
    assert_int_equal(pare_dependency_need(graph, &lack, &edges, &n, NULL), PARE_OK);
    assert_int_equal(n, 2);
    assert_int_equal(pare_dependency_need(graph, &lack, &edges, &n, NULL), PARE_OK);
    assert_int_equal(n, 0);
    query.learned = edges.at;
    query.n_learned = edges.n;
    pare_dependency_add(kept, from);
    assert_int_equal(pare_dependency_close(graph, &query, kept, NULL), PARE_OK);
    char *text = print_set(graph, kept);
    assert_string_equal(text, "int a;struct A{int a;};void f();");
    test_free(text);
    test_free(kept);
    pare_dependency_edges_done(&edges);
    pare_dependency_unref(graph);
}

/* ---- any text --------------------------------------------------------------------------- */

/* Whatever the text: all nodes print it, each closure is closed, and what is dropped leaves a
 * sound rest. */
static void check_text(const char *source, pare_random *random)
{
    pare_dependency *graph = make_graph("cpp", source);
    if (!graph) return;
    pare_dependency_bits *all = all_nodes(graph);
    char *text = print_set(graph, all);
    assert_string_equal(text, source);
    test_free(text);
    for (int i = 0; i < 8; i++) {
        pare_dependency_query query = {.bodies = i & 1};
        pare_dependency_bits *kept = new_set(graph), *again = new_set(graph);
        size_t size = pare_dependency_set_size(graph) * sizeof *kept;
        uint32_t node = (uint32_t)pare_random_below(random, pare_dependency_count(graph));
        pare_dependency_add(kept, node);
        assert_int_equal(pare_dependency_close(graph, &query, kept, NULL), PARE_OK);
        assert_true(pare_dependency_is_sound(graph, &query, kept));
        memcpy(again, kept, size);
        assert_int_equal(pare_dependency_close(graph, &query, again, NULL), PARE_OK);
        assert_memory_equal(again, kept, size);
        query.within = all;
        memcpy(again, all, size);
        assert_int_equal(pare_dependency_drop(graph, &query, &node, 1, again, NULL), PARE_OK);
        assert_true(pare_dependency_is_sound(graph, &query, again));
        assert_false(pare_dependency_has(again, node));
        test_free(kept);
        test_free(again);
    }
    test_free(all);
    pare_dependency_unref(graph);
}

static void test_dependency__any_text_is_printed_and_closed(void **state)
{
    (void)state;
    static const char *const pieces[] = {"int ",
                                         "a",
                                         "b",
                                         "A",
                                         "struct ",
                                         "class ",
                                         "template<class T>",
                                         "{",
                                         "}",
                                         "(",
                                         ")",
                                         ";",
                                         ";",
                                         ",",
                                         "=",
                                         ":",
                                         "::",
                                         "<",
                                         ">",
                                         "\n",
                                         "#x\n",
                                         "namespace ",
                                         "using ",
                                         "typedef ",
                                         "f(",
                                         "){}",
                                         "~",
                                         "friend ",
                                         "enum ",
                                         "operator ",
                                         "+",
                                         "requires ",
                                         "public:",
                                         "\"s\"",
                                         "'c'",
                                         "R\"(",
                                         "/*",
                                         "*/",
                                         "//",
                                         "->"};
    pare_random random;
    pare_random_init(&random, 7);
    for (int i = 0; i < 3000; i++) {
        char source[512] = "";
        size_t n = 1 + pare_random_below(&random, 50), size = 0;
        for (size_t k = 0; k < n; k++) {
            const char *piece = pieces[pare_random_below(&random, sizeof pieces / sizeof *pieces)];
            memcpy(source + size, piece, strlen(piece) + 1);
            size += strlen(piece);
        }
        check_text(source, &random);
    }
}

static pare_status make_and_close(void *context)
{
    const char *source = context;
    pare_text *text = NULL;
    pare_dependency *graph = NULL;
    bool known = false;
    pare_dependency_edges edges = {0};
    pare_status status = pare_text_copy(source, strlen(source), &text, NULL);
    if (status) return status;
    const pare_pass_view view = {
        .text = text, .bytes = pare_text_bytes(text), .end = strlen(source), .language = "cpp"};
    pare_dependency_bits kept[4] = {0};
    pare_candidate candidate = {0};
    size_t n;
    const pare_dependency_query query = {.bodies = true};
    const pare_dependency_lack lack = {.query = &query, .kept = kept, .name = "a", .size = 1};
    status = pare_dependency_make(&view, &known, &graph, NULL);
    if (!status) status = pare_dependency_close(graph, &query, kept, NULL);
    if (!status) status = pare_dependency_need(graph, &lack, &edges, &n, NULL);
    if (!status) status = pare_dependency_drop(graph, &query, &(uint32_t){0}, 1, kept, NULL);
    if (!status) status = pare_dependency_candidate(graph, kept, &candidate, NULL);
    pare_candidate_done(&candidate);
    pare_dependency_edges_done(&edges);
    pare_dependency_unref(graph);
    pare_text_unref(text);
    return status;
}

static void test_dependency__survives_failing_allocations(void **state)
{
    (void)state;
    sweep_allocations(make_and_close,
                      "namespace n{struct A{A():a(1){}int a;int operator+(A);};}template<class T>"
                      "struct t;template<>struct t<n::A>{};void f(n::A);void f(int);\n#x\n"
                      "int n::A::g(){f(1);for(;;)a+a;}using n::A;typedef A*p;"
                      "struct B{void m();void m(int);void k(){m();}};");
}

/* Calls one below the other: d, which c calls, and so on. */
static const char CALLS[] = "int d(int x) { return x + 1 + 2 + 3; }\n"
                            "int c(int x) { return d(x) + 4 + 5; }\n"
                            "int b(int x) { return c(x) + 6 + 7; }\n"
                            "int other(int x) { return c(x) + 8 + 9; }\n"
                            "int a = b(1);\n";

/* What `a` leads to in so many levels; to be freed. */
static char *print_levels(const pare_dependency *graph, unsigned n, bool *whole)
{
    const pare_dependency_query query = {.bodies = true};
    pare_dependency_bits *kept = new_set(graph);
    pare_dependency_add(kept, node_of(graph, CALLS, "int a"));
    assert_int_equal(pare_levels_close(graph, &query, n, kept, whole, NULL), PARE_OK);
    char *text = print_set(graph, kept);
    test_free(kept);
    return text;
}

static void test_dependency__functions_have_bodies_on_the_first_levels_of_calls(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "int b(int x);\nint a = b(1);\n",
        "int c(int x);\nint b(int x) { return c(x) + 6 + 7; }\nint a = b(1);\n",
        "int d(int x);\nint c(int x) { return d(x) + 4 + 5; }\nint b(int x) { return c(x) + 6 + 7; "
        "}\nint a = b(1);\n",
    };
    pare_dependency *graph = make_graph("cpp", CALLS);
    bool whole;
    for (unsigned n = 0; n < 3; n++) {
        char *text = print_levels(graph, n, &whole);
        assert_string_equal(text, expected[n]);
        assert_false(whole);
        test_free(text);
    }
    char *all = print_levels(graph, 9, &whole), *three = print_levels(graph, 3, &whole);
    assert_string_equal(all, three);
    assert_false(whole); /* three levels are all, but that was not looked for */
    test_free(print_levels(graph, 4, &whole));
    assert_true(whole);
    test_free(all);
    test_free(three);
    pare_dependency_unref(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dependency__functions_have_bodies_on_the_first_levels_of_calls),
        cmocka_unit_test(test_dependency__a_use_needs_what_declares_the_name),
        cmocka_unit_test(test_dependency__what_a_function_declares_for_itself_is_no_need),
        cmocka_unit_test(test_dependency__bodies_stay_when_they_are_asked_for),
        cmocka_unit_test(test_dependency__a_member_needs_its_class_and_its_name_used),
        cmocka_unit_test(test_dependency__names_are_looked_up_in_spaces),
        cmocka_unit_test(test_dependency__specialisations_come_with_the_classes_they_are_for),
        cmocka_unit_test(test_dependency__classes_of_the_language_come_with_their_constants),
        cmocka_unit_test(test_dependency__of_overloads_those_for_kept_classes_or_the_first),
        cmocka_unit_test(test_dependency__what_is_no_declaration_stays_in_its_lines),
        cmocka_unit_test(test_dependency__odd_declarations_are_one_item),
        cmocka_unit_test(test_dependency__a_text_of_nothing_has_no_graph),
        cmocka_unit_test(test_dependency__who_needs_what_goes_goes_too),
        cmocka_unit_test(test_dependency__parts_go_without_their_items),
        cmocka_unit_test(test_dependency__lines_go_with_their_partners),
        cmocka_unit_test(test_dependency__labels_stay_with_those_who_need_them),
        cmocka_unit_test(test_dependency__constructors_keep_what_they_begin_with),
        cmocka_unit_test(test_dependency__constant_functions_keep_what_they_return),
        cmocka_unit_test(test_dependency__a_class_of_that_type_is_not_declared),
        cmocka_unit_test(test_dependency__empty_constant_constructors_keep_their_bodies),
        cmocka_unit_test(test_dependency__libraries_know_the_objects_of_their_classes),
        cmocka_unit_test(test_dependency__uses_go_with_their_variables),
        cmocka_unit_test(test_dependency__constraints_come_before_classes),
        cmocka_unit_test(test_dependency__a_declaration_does_not_stand_for_its_class),
        cmocka_unit_test(test_dependency__system_headers_do_not_spread),
        cmocka_unit_test(test_dependency__operators_of_the_language_are_never_unused),
        cmocka_unit_test(test_dependency__operators_are_used_by_expressions_on_their_types),
        cmocka_unit_test(test_dependency__names_of_other_spaces_are_found_by_arguments),
        cmocka_unit_test(test_dependency__friends_come_with_their_classes),
        cmocka_unit_test(test_dependency__a_need_is_learned_by_name),
        cmocka_unit_test(test_dependency__any_text_is_printed_and_closed),
        cmocka_unit_test(test_dependency__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
