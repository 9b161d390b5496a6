/* What needs what: closures of small programs, what is left when something goes, and names. */
/* tests: src/reduce/dependency/dependency.c src/reduce/dependency/dependency_rules.c */
/* tests: src/reduce/dependency/dependency_bases.c src/reduce/dependency/dependency_lists.c */
/* tests: src/reduce/dependency/outline.c src/reduce/dependency/outline_c.c */
/* tests: src/reduce/dependency/outline_c_tokens.c src/reduce/dependency/outline_c_names.c */
/* tests: src/reduce/dependency/outline_c_uses.c src/reduce/dependency/outline_c_parts.c */
/* tests: src/reduce/dependency/outline_c_layout.c src/reduce/dependency/dependency_uses.c */
/* tests: src/reduce/dependency/dependency_print.c */
/* tests: src/reduce/dependency/levels.c src/reduce/dependency/dependency_markers.c */
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
#include "reduce/dependency/dependency_print.h"
#include "reduce/dependency/levels.h"
#include "reduce/dependency/outline.h"
#include "unit/alloc_sweep.h"
#include "unit/support/closure_rows.h"

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
        /* One with a qualifier is no class that the specialisation is a member of. */
        {"cpp",
         "namespace m{template<class T>using w=void;}template<class T,class=void>struct t{};"
         "template<class T>struct t<T,m::w<T>>{};t<int>x;",
         "t<int>x",
         "namespace m{template<class T>using w=void;}template<class T,class=void>struct t{};"
         "template<class T>struct t<T,m::w<T>>{};t<int>x;",
         false},
        {"cpp",
         "namespace n{struct A{};}template<class>struct t;template<>struct t<n::A>{};n::A x;",
         "n::A x", "namespace n{struct A{};}n::A x;", false},
        /* What an expression among the arguments names may be there for that alone. */
        {"cpp",
         "struct B{};template<class T>struct r{T y;};template<class T,class>struct t;"
         "template<class T>struct t<T,v<decltype(r<T>{g()})>>{};template<>struct t<B,void>{};"
         "t<int,void>x;",
         "t<int,void>x",
         "template<class T>struct r{T y;};template<class T,class>struct t;"
         "template<class T>struct t<T,v<decltype(r<T>{g()})>>{};t<int,void>x;",
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
        /* What a loop over a range calls may be outside of the class of that; another loop calls nothing. */
        {"cpp",
         "struct r{};int*begin(r);int*end(r);int*far(r);r h();int g(){for(int i:h())return i;}",
         "{for", "struct r{};int*begin(r);int*end(r);r h();int g(){for(int i:h())return i;}",
         false},
        {"cpp", "struct r{};int*begin(r);int*end(r);int g(){for(int i=0;i<1;)return i;}", "{for",
         "int g(){for(int i=0;i<1;)return i;}", false},
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

/* A program of `n` times `piece`, in which each $ is the number of the piece; to be freed. */
static char *repeat(const char *piece, unsigned n)
{
    const size_t room = n * (strlen(piece) + 40) + 1;
    char *text = test_malloc(room);
    size_t end = 0;
    for (unsigned i = 0; i < n; i++)
        for (const char *at = piece; *at; at++)
            end += (size_t)(*at == '$' ? snprintf(text + end, room - end, "%u", i)
                                       : snprintf(text + end, room - end, "%c", *at));
    return text;
}

/* As many as would take minutes each, if all that bear the name were gone through for each of them. */
static void test_dependency__many_of_one_name_are_found_at_once(void **state)
{
    (void)state;
    static const struct {
        const char *piece, *what, *closure;
    } rows[] = {
        {"struct C${int f(int);};int C$::f(int x){return $;}\n",
         "int C7::", "struct C7{int f(int);};int C7::f(int x){return 7;}"},
        {"namespace n${struct C{};int f(int x){return $;}}int g$(){return n$::f(1);}\n", "int g7",
         "namespace n7{int f(int x){return 7;}}int g7(){return n7::f(1);}"},
        {"namespace n${namespace d{int f$(int);}int g$(){return d::f$(1);}}\n", "int g7",
         "namespace n7{namespace d{int f7(int);}int g7(){return d::f7(1);}}"},
        {"namespace n${namespace d{int f(int);}int g$(){return d::f(1);}}\n", "int g7",
         "namespace n7{namespace d{int f(int);}int g7(){return d::f(1);}}"},
        {"namespace n${namespace d{int f$(int);}int g$(){return n$::d::f$(1);}}\n", "int g7",
         "namespace n7{namespace d{int f7(int);}int g7(){return n7::d::f7(1);}}"},
        {"namespace n${struct C{int a;C*b;};}\n", "struct C{int a;C*b;};}\nnamespace n8",
         "namespace n7{struct C{int a;C*b;};}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *source = repeat(rows[i].piece, 60000);
        pare_dependency *graph = make_graph("cpp", source);
        pare_dependency_bits *kept = new_set(graph);
        const pare_dependency_query query = {.bodies = true};
        pare_dependency_add(kept, node_of(graph, source, rows[i].what));
        assert_int_equal(pare_dependency_close(graph, &query, kept, NULL), PARE_OK);
        pare_dependency_make_plain(graph, kept);
        char *text = print_set(graph, kept);
        const char *const begin = text + strspn(text, "\n");
        assert_memory_equal(begin, rows[i].closure, strlen(rows[i].closure));
        assert_int_equal(strspn(begin + strlen(rows[i].closure), "\n"),
                         strlen(begin) - strlen(rows[i].closure));
        test_free(text);
        test_free(kept);
        test_free(source);
        pare_dependency_unref(graph);
    }
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
    if (!status) status = pare_dependency_print_candidate(graph, kept, &candidate, NULL);
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
        cmocka_unit_test(test_dependency__many_of_one_name_are_found_at_once),
        cmocka_unit_test(test_dependency__a_need_is_learned_by_name),
        cmocka_unit_test(test_dependency__any_text_is_printed_and_closed),
        cmocka_unit_test(test_dependency__survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
