/* Names and what they mean, and what holds of all passes over programs. */
/* tests: src/reduce/binding/bindings.c src/reduce/binding/declarations.c */
/* tests: src/reduce/binding/syntax.c */
/* tests: src/reduce/binding/program.c src/reduce/binding/table_c.c */
/* tests: src/reduce/binding/table_cpp.c src/reduce/binding/table_go.c */
/* tests: src/reduce/binding/table_java.c src/reduce/binding/table_javascript.c */
/* tests: src/reduce/binding/table_lua.c src/reduce/binding/table_python.c */
/* tests: src/reduce/binding/table_rust.c src/reduce/binding/table_sql.c */
/* tests: src/reduce/binding/table_typescript.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "reduce/binding/bindings.h"
#include "unit/alloc_sweep.h"
#include "unit/support/program_driver.h"

static pare_tree_sitter *open_language(const char *name)
{
    if (!has_language(name)) skip();
    return load_language(name);
}

/* ---- names --------------------------------------------------------------------------- */

/* Writes each name with the number of its symbol, "!" behind what declares it, and "?" for
 * what nothing declares. */
static void print_names(const pare_bindings *names, pare_buffer *to)
{
    for (uint32_t i = 0; i < names->n_occurrences; i++) {
        const pare_occurrence *self = &names->occurrences[i];
        int size = (int)pare_syntax_size(names->syntax, self->leaf);
        const char *text = pare_syntax_text(names->syntax, self->leaf);
        pare_status status = self->symbol == PARE_NO_SYMBOL
                                 ? pare_buffer_format(to, NULL, "%.*s? ", size, text)
                                 : pare_buffer_format(to, NULL, "%.*s%u%s ", size, text,
                                                      self->symbol, self->declares ? "!" : "");
        assert_int_equal(status, PARE_OK);
    }
}

static void assert_names(const char *language_name, const char *text, const char *expected)
{
    pare_tree_sitter *language = open_language(language_name);
    struct program_view program;
    pare_syntax syntax = {.n = 0};
    pare_bindings names = {.n_symbols = 0};
    pare_buffer printed = {0};
    bool known = false;
    view_program(language, language_name, text, strlen(text), &program);
    assert_int_equal(pare_syntax_make(&program.view, &known, &syntax, NULL), PARE_OK);
    assert_true(known);
    assert_int_equal(pare_bindings_make(&syntax, &names, NULL), PARE_OK);
    print_names(&names, &printed);
    assert_string_equal(printed.data, expected);
    pare_buffer_done(&printed);
    pare_bindings_done(&names);
    pare_syntax_done(&syntax);
    program_done(&program);
    pare_tree_sitter_close(language);
}

static void test_binding__a_name_means_the_nearest_declaration_around_it(void **state)
{
    (void)state;
    assert_names("c", "int x;int f(int y){{int x;x=y;}return x;}",
                 "int? x0! int? f1! int? y2! int? x3! x3 y2 x0 ");
    assert_names("javascript", "var a;function f(a,b){return function(b){a+b}}a+b",
                 "a0! f1! a2! b3! b4! a2 b4 a0 b? ");
}

static void test_binding__a_declaration_counts_in_all_of_its_scope(void **state)
{
    (void)state;
    assert_names("javascript", "f(x);function f(){g()}var g,x", "f0 x2 f0! g1 g1! x2! ");
}

static void test_binding__parameters_of_a_prototype_are_known_in_it_only(void **state)
{
    (void)state;
    assert_names("c", "int f(int p);int f(int p){return p;}int g(){return p;}",
                 "int? f0! int? p1! int? f0! int? p2! p2 int? g3! p? ");
}

static void test_binding__what_is_only_assigned_belongs_to_the_program(void **state)
{
    (void)state;
    assert_names("javascript", "function f(){x=1}x", "f0! x1! x1 ");
    assert_names("lua", "function f() x=1 end print(x)", "f0! x1! print? x1 ");
}

static void test_binding__what_is_only_assigned_belongs_to_the_function_in_python(void **state)
{
    (void)state;
    assert_names("python", "x=0\ndef f():\n x=1\n return x\nx\n", "x1! f0! x2! x2 x1 ");
}

static void test_binding__members_are_told_by_their_text(void **state)
{
    (void)state;
    assert_names("c", "struct S{int a;}s;int a;int f(){return s.a+a;}",
                 "S0! int? a1! s2! int? a3! int? f4! s2 a1 a3 ");
    assert_names("java", "class A{int a;void f(){a=1;g();}void g(){this.a=2;}}",
                 "A0! a1! f2! a1 g3 g3! a1! ");
}

static void test_binding__types_and_their_tags_are_names_too(void **state)
{
    (void)state;
    assert_names("c", "typedef char uint8_t;struct S;struct S{uint8_t a;};struct S*p;",
                 "char? uint8_t0! S1 S1! uint8_t0 a2! S1 p3! ");
}

static void test_binding__qualified_names_mean_what_is_declared_there(void **state)
{
    (void)state;
    assert_names("cpp",
                 "namespace a{int x;}namespace b{int x;}namespace a{int z=x;}int q=a::x+b::x+a::z;",
                 "a0! int? x1! b2! int? x3! a0! int? z4! x1 int? q5! a0 x1 b2 x3 a0 z4 ");
    assert_names("cpp",
                 "namespace a{inline namespace b{int x;}}using namespace a;namespace{int y;}int "
                 "z=x+a::x+a::b::x+y;",
                 "a0! b1! int? x2! a0 int? y3! int? z4! x2 a0 x2 a0 b1 x2 y3 ");
    assert_names("cpp", "extern \"C\"{int f();}int x=f();", "int? f0! int? x1! f0 ");
    assert_names("cpp", "struct A{A();void f();int x;};A::A():x(1){}void A::f(){}",
                 "A0! A1! void? f2! int? x3! A0 A1! x3 void? A0 f2! ");
    assert_names("cpp", "enum class E{e};E x=E::e;struct B{};struct D:B{D():B(){}};",
                 "E0! e1! E0 x2! E0 e1 B3! D4! B3 D5! B3 ");
}

static void test_binding__parameters_of_a_template_are_known_in_it_only(void **state)
{
    (void)state;
    assert_names("cpp",
                 "template<class T>struct A{T t;};template<class T>struct A<T*>{};template<class "
                 "T>T f(T);A<int>a;",
                 "T0! A1! T0 t2! T3! A1! T3 T4! T4 f5! T4 A1 int? a6! ");
    assert_names("cpp", "template<template<class U>class T,class V>struct A{T<V>x;};",
                 "U0! T1! V2! A3! T1 V2 x4! ");
}

/* Headers of libstdc++ give name spaces attributes, which the grammar does not know. */
static void test_binding__what_a_name_space_declares_is_found_though_it_was_not_understood(
    void **state)
{
    (void)state;
    assert_names("cpp", "namespace s __attribute__((v)){int x;}namespace s{int y;}int z=s::x+s::y;",
                 "s0! __attribute__? v? int? x1! s0! int? y2! int? z3! s0 x1 s0 y2 ");
    assert_names("cpp",
                 "namespace s{struct A{};void f(A);}namespace t{using s::f;}int x=f(1)+t::f(2);",
                 "s0! A1! void? f2! A1 t3! s0 f2 int? x4! f2 t3 f2 ");
}

static void test_binding__a_constant_is_of_the_enumeration_before_it(void **state)
{
    (void)state;
    assert_names("cpp", "struct P{static int a;};namespace c{enum class O{a};}int x=c::O::a+P::a;",
                 "P0! int? a1! c2! O3! a4! int? x5! c2 O3 a4 P0 a1 ");
}

/* ---- tables ---------------------------------------------------------------------------- */

static bool knows_type(const pare_tree_sitter *language, const char *type, size_t size)
{
    pare_symbol_names names = pare_tree_sitter_names(language);
    for (uint32_t i = 0; i < pare_tree_sitter_n_symbols(language); i++) {
        const char *name = names.rule(names.language, i);
        if (names.is_named(names.language, i) && strlen(name) == size &&
            memcmp(name, type, size) == 0)
            return true;
    }
    return false;
}

static bool knows_field(const pare_tree_sitter *language, const char *field, size_t size)
{
    pare_symbol_names names = pare_tree_sitter_names(language);
    for (uint32_t i = 1;; i++) {
        const char *name = names.field(names.language, i);
        if (!*name) return false;
        if (strlen(name) == size && memcmp(name, field, size) == 0) return true;
    }
}

static void check_words(const pare_tree_sitter *language, const char *type, const char *words)
{
    for (const char *at = words ? words : ""; *at; at += strspn(at, " ")) {
        size_t size = strcspn(at, " ");
        if (!(size == 1 && *at == '*') && !knows_field(language, at, size) &&
            !knows_type(language, at, size))
            fail_msg("%s: there is no '%.*s'", type, (int)size, at);
        at += size;
    }
}

static void test_binding__tables_name_what_their_grammars_have(void **state)
{
    (void)state;
    const pare_syntax_table *table;
    for (size_t i = 0; (table = pare_syntax_table_at(i)); i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(table->names, " "), table->names);
        assert_ptr_equal(pare_syntax_table_find(name), table);
        if (!has_language(name)) continue;
        pare_tree_sitter *language = load_language(name);
        const pare_syntax_kind *kind;
        for (size_t k = 0; (kind = pare_syntax_table_kind_at(table, k)); k++) {
            bool known = knows_type(language, kind->type, strlen(kind->type));
            if (!known && k < table->n_kinds)
                fail_msg("%s: there is no type '%s'", name, kind->type);
            const char *all[] = {kind->names, kind->value, kind->object, kind->list, kind->body};
            for (size_t w = 0; known && w < sizeof all / sizeof *all; w++)
                check_words(language, kind->type, all[w]);
            assert_ptr_equal(pare_syntax_table_kind(table, kind->type), kind);
            for (size_t other = 0; other < k; other++)
                assert_string_not_equal(pare_syntax_table_kind_at(table, other)->type, kind->type);
        }
        check_words(language, "the table", table->sequences);
        check_words(language, "the table", table->operators);
        check_words(language, "the table", table->typed);
        check_words(language, "the table", table->deduced);
        pare_tree_sitter_close(language);
    }
    assert_null(pare_syntax_table_find("klingon"));
}

static bool same_words(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool say_the_same(const pare_syntax_kind *a, const pare_syntax_kind *b)
{
    return a->roles == b->roles && same_words(a->names, b->names) &&
           same_words(a->value, b->value) && same_words(a->object, b->object) &&
           same_words(a->list, b->list) && same_words(a->body, b->body);
}

static void test_binding__a_table_holds_only_what_the_one_it_extends_does_not(void **state)
{
    (void)state;
    const pare_syntax_table *table;
    for (size_t i = 0; (table = pare_syntax_table_at(i)); i++) {
        for (size_t k = 0; table->extends && k < table->n_kinds; k++) {
            const pare_syntax_kind *own = &table->kinds[k];
            const pare_syntax_kind *base = pare_syntax_table_kind(table->extends, own->type);
            if (base && say_the_same(own, base))
                fail_msg("%s says of '%s' what %s does", table->names, own->type,
                         table->extends->names);
        }
    }
}

static void test_binding__a_dialect_has_the_kinds_of_its_language(void **state)
{
    (void)state;
    const pare_syntax_table *c = pare_syntax_table_find("c"), *cpp = pare_syntax_table_find("cpp");
    size_t n = 0;
    while (pare_syntax_table_kind_at(cpp, n))
        n++;
    assert_true(n > cpp->n_kinds && n < cpp->n_kinds + c->n_kinds); /* some are its own */
    assert_ptr_equal(pare_syntax_table_kind(cpp, "pointer_declarator"),
                     pare_syntax_table_kind(c, "pointer_declarator"));
    assert_ptr_not_equal(pare_syntax_table_kind(cpp, "if_statement"),
                         pare_syntax_table_kind(c, "if_statement"));
    assert_null(pare_syntax_table_kind(c, "class_specifier"));
    assert_null(pare_syntax_table_kind_at(cpp, n));
}

/* ---- what holds of all passes ----------------------------------------------------------- */

static const char JAVASCRIPT[] = "import a,{b as c} from 'm';\n"
                                 "var x=1,y=[2,3],z={k:x,l:function(p){return p+x}};\n"
                                 "function f(p,q){if(p)return q;else{x=p;y[0]=q}return z.l(p)}\n"
                                 "for(var i=0;i<2;i++){f(i,x);f(i+1,y[1]);}\n"
                                 "(function(u){c(u)})(z.k);o.each(function(e,n){g(e);h(n)});\n";

static const char CPP[] =
    "template<class T>using P=T*;template<class T,int N>struct A{T a[N];int operator+(A);};\n"
    "namespace n{class B:public A<int,2>{public:int b;B();};struct C:B{union{int c;};};}\n"
    "P<int>p;n::C c;std::vector<int>v(10);decltype(p)q;auto r=c;int f(int),g(int);int h(int);\n"
    "static int k(int x,long y){int a,b;int d=(f(x),y);return h(a=f(g(d)));}\n"
    "int main(){k(1,100000);for(int i=0;i<c.b;i++)k(i,2);return v[0];}\n";

/* Checks all passes over the text; offered[i] is set of those that offer something. */
static void check_claims(pare_tree_sitter *language, const char *name, const char *text,
                         bool *offered)
{
    struct program_view program;
    size_t n_passes = 0;
    const pare_pass *const *passes = pare_program_passes(&n_passes);
    view_program(language, name, text, strlen(text), &program);
    for (size_t i = 0; i < n_passes; i++) {
        pare_patches *patches = NULL;
        assert_int_equal(pare_pass_offer(passes[i], &program.view, &patches, NULL), PARE_OK);
        bool kept = false;
        assert_int_equal(pare_pass_check(passes[i], &program.view, patches, &kept, NULL, NULL),
                         PARE_OK);
        assert_true(kept);
        offered[i] |= patches->n > 0;
        pare_patches_unref(patches);
    }
    program_done(&program);
}

static size_t count_set(const bool *set, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += set[i];
    return count;
}

static void test_binding__no_pass_breaks_its_claim(void **state)
{
    enum { MOST_PASSES = 64, OF_JAVASCRIPT = 11 };
    (void)state;
    bool offered[MOST_PASSES] = {false};
    size_t n_passes = 0;
    (void)pare_program_passes(&n_passes);
    assert_true(n_passes <= MOST_PASSES);
    pare_tree_sitter *language = open_language("javascript");
    check_claims(language, "javascript", JAVASCRIPT, offered);
    pare_tree_sitter_close(language);
    assert_true(count_set(offered, n_passes) >= OF_JAVASCRIPT);
    if (!has_language("cpp")) return;
    language = load_language("cpp");
    check_claims(language, "cpp", CPP, offered);
    pare_tree_sitter_close(language);
    assert_true(count_set(offered, n_passes) > n_passes * 4 / 5);
}

static void test_binding__passes_are_found_by_their_names(void **state)
{
    (void)state;
    size_t n = 0;
    const pare_pass *const *passes = pare_program_passes(&n);
    for (size_t i = 0; i < n; i++) {
        assert_ptr_equal(pare_program_pass_find(passes[i]->name), passes[i]);
        assert_null(pare_pass_find(passes[i]->name));
        assert_non_null(passes[i]->summary);
        assert_non_null(passes[i]->source);
    }
    assert_null(pare_program_pass_find("none"));
}

static void assert_silent(const pare_pass_view *view)
{
    size_t n = 0;
    const pare_pass *const *passes = pare_program_passes(&n);
    for (size_t i = 0; i < n; i++) {
        pare_patches *patches = NULL;
        assert_int_equal(pare_pass_offer(passes[i], view, &patches, NULL), PARE_OK);
        assert_int_equal(patches->n, 0);
        pare_patches_unref(patches);
    }
}

static void test_binding__nothing_is_offered_without_a_tree_or_a_table(void **state)
{
    (void)state;
    struct viewed plain = view_bytes("f(x);", 5);
    assert_silent(&plain.view);
    view_done(&plain);
    pare_tree_sitter *language = open_language("json");
    struct program_view program;
    view_program(language, "json", "{\"a\": [1]}", 10, &program);
    assert_silent(&program.view);
    program.view.language = NULL;
    assert_silent(&program.view);
    program_done(&program);
    pare_tree_sitter_close(language);
}

/* A program of `n` functions, each of which calls the one before. */
static void write_functions(pare_buffer *to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_int_equal(pare_buffer_format(to, NULL,
                                            "int f%zu(int a,int b){int c=a+b;if(c){return f%zu"
                                            "(c,a*2);}return g%zu;}int g%zu=%zu;\n",
                                            i, i ? i - 1 : 0, i, i, i),
                         PARE_OK);
}

static void test_binding__offers_of_a_large_program_are_limited(void **state)
{
    enum {
        N_FUNCTIONS = 5000,
        WITH_SANITIZERS = 1000,
        MOST_PATCHES = 100000,
        MOST_CHANGES = 4000000
    };
    (void)state;
    const char *sanitize = getenv("PARE_SANITIZE");
    pare_tree_sitter *language = open_language("c");
    struct program_view program;
    pare_buffer text = {0};
    size_t n_passes = 0;
    const pare_pass *const *passes = pare_program_passes(&n_passes);
    write_functions(&text, sanitize && *sanitize ? WITH_SANITIZERS : N_FUNCTIONS);
    view_program(language, "c", text.data, text.size, &program);
    for (size_t i = 0; i < n_passes; i++) {
        pare_patches *patches = NULL;
        assert_int_equal(pare_pass_offer(passes[i], &program.view, &patches, NULL), PARE_OK);
        assert_in_range(patches->n, 0, MOST_PATCHES);
        assert_in_range(patches->n_changes, 0, MOST_CHANGES);
        pare_patches_unref(patches);
    }
    pare_buffer_done(&text);
    program_done(&program);
    pare_tree_sitter_close(language);
}

static void test_binding__deep_nests_cost_no_stack(void **state)
{
    enum { DEPTH = 50000 };
    (void)state;
    pare_tree_sitter *language = open_language("javascript");
    struct program_view program;
    pare_buffer text = {0};
    size_t n_passes = 0;
    const pare_pass *const *passes = pare_program_passes(&n_passes);
    for (size_t i = 0; i < DEPTH; i++)
        assert_int_equal(pare_buffer_text(&text, "a+(", NULL), PARE_OK);
    assert_int_equal(pare_buffer_text(&text, "b", NULL), PARE_OK);
    for (size_t i = 0; i < DEPTH; i++)
        assert_int_equal(pare_buffer_text(&text, ")", NULL), PARE_OK);
    view_program(language, "javascript", text.data, text.size, &program);
    for (size_t i = 0; i < n_passes; i++) {
        pare_patches *patches = NULL;
        assert_int_equal(pare_pass_offer(passes[i], &program.view, &patches, NULL), PARE_OK);
        pare_patches_unref(patches);
    }
    pare_buffer_done(&text);
    program_done(&program);
    pare_tree_sitter_close(language);
}

/* ---- memory --------------------------------------------------------------------------- */

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

static void test_binding__passes_report_oom_at_every_allocation_and_leak_nothing(void **state)
{
    (void)state;
    pare_tree_sitter *language = open_language("javascript");
    struct program_view program;
    size_t n_passes = 0;
    const pare_pass *const *passes = pare_program_passes(&n_passes);
    view_program(language, "javascript", JAVASCRIPT, strlen(JAVASCRIPT), &program);
    for (size_t i = 0; i < n_passes; i++) {
        struct attempt attempt = {.pass = passes[i], .view = &program.view};
        sweep_allocations(offer_once, &attempt);
    }
    program_done(&program);
    pare_tree_sitter_close(language);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_binding__a_name_means_the_nearest_declaration_around_it),
        cmocka_unit_test(test_binding__a_declaration_counts_in_all_of_its_scope),
        cmocka_unit_test(test_binding__parameters_of_a_prototype_are_known_in_it_only),
        cmocka_unit_test(test_binding__what_is_only_assigned_belongs_to_the_program),
        cmocka_unit_test(test_binding__what_is_only_assigned_belongs_to_the_function_in_python),
        cmocka_unit_test(test_binding__members_are_told_by_their_text),
        cmocka_unit_test(test_binding__types_and_their_tags_are_names_too),
        cmocka_unit_test(test_binding__qualified_names_mean_what_is_declared_there),
        cmocka_unit_test(test_binding__parameters_of_a_template_are_known_in_it_only),
        cmocka_unit_test(
            test_binding__what_a_name_space_declares_is_found_though_it_was_not_understood),
        cmocka_unit_test(test_binding__a_constant_is_of_the_enumeration_before_it),
        cmocka_unit_test(test_binding__tables_name_what_their_grammars_have),
        cmocka_unit_test(test_binding__a_table_holds_only_what_the_one_it_extends_does_not),
        cmocka_unit_test(test_binding__a_dialect_has_the_kinds_of_its_language),
        cmocka_unit_test(test_binding__no_pass_breaks_its_claim),
        cmocka_unit_test(test_binding__passes_are_found_by_their_names),
        cmocka_unit_test(test_binding__nothing_is_offered_without_a_tree_or_a_table),
        cmocka_unit_test(test_binding__offers_of_a_large_program_are_limited),
        cmocka_unit_test(test_binding__deep_nests_cost_no_stack),
        cmocka_unit_test(test_binding__passes_report_oom_at_every_allocation_and_leak_nothing),
    };
    use_build_data();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
