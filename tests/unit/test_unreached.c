/* What is offered for what a run did not reach: exactly, for small programs of each language.
 *
 * What was not reached stands between « and » in the texts here.  A language that cannot be added
 * here is left out, with a notice. */
/* tests: src/reduce/binding/unreached_blocks.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reduce/binding/unreached.h"
#include "unit/alloc_sweep.h"
#include "unit/support/program_driver.h"

enum { MOST_RANGES = 16, MOST_BYTES = 1024 };

static const char OPEN[] = "«", CLOSE[] = "»";

/* A text whose marks were taken out. */
struct marked {
    char text[MOST_BYTES];
    size_t size;
    pare_extent ranges[MOST_RANGES];
    pare_unreached unreached;
};

static void read_marks(const char *from, bool by_line, struct marked *out)
{
    size_t n = 0;
    *out = (struct marked){.size = 0};
    while (*from) {
        if (strncmp(from, OPEN, sizeof OPEN - 1) == 0) {
            out->ranges[n].from = out->size;
            from += sizeof OPEN - 1;
        } else if (strncmp(from, CLOSE, sizeof CLOSE - 1) == 0) {
            out->ranges[n++].to = out->size;
            from += sizeof CLOSE - 1;
        } else {
            out->text[out->size++] = *from++;
        }
    }
    out->unreached = (pare_unreached){.ranges = out->ranges, .n = n, .by_line = by_line};
}

/* What is offered for the view, the parts of a patch below it. */
static void assert_view_offers(const pare_pass_view *view, const struct marked *marked,
                               pare_unreached_depth depth, const char *expected)
{
    pare_patches *patches = NULL;
    pare_buffer printed = {0};
    assert_int_equal(pare_patches_new(view->text, &patches, NULL), PARE_OK);
    assert_int_equal(pare_unreached_offer(view, &marked->unreached, depth, patches, NULL), PARE_OK);
    for (uint32_t i = 0; i < patches->n; i++)
        if (patches->patches[i].parent == PARE_NO_PATCH) print_patch(patches, i, 0, &printed);
    assert_string_equal(printed.data ? printed.data : "", expected);
    pare_buffer_done(&printed);
    pare_patches_unref(patches);
}

struct unreached_case {
    const char *text, *inside, *around;
};

static void check(const char *name, bool by_line, const struct unreached_case *cases, size_t n)
{
    if (!has_language(name)) skip();
    pare_tree_sitter *language = load_language(name);
    for (size_t i = 0; i < n; i++) {
        struct marked marked;
        struct program_view program;
        read_marks(cases[i].text, by_line, &marked);
        view_program(language, name, marked.text, marked.size, &program);
        assert_view_offers(&program.view, &marked, PARE_UNREACHED_INSIDE, cases[i].inside);
        if (cases[i].around)
            assert_view_offers(&program.view, &marked, PARE_UNREACHED_AROUND, cases[i].around);
        program_done(&program);
    }
    pare_tree_sitter_close(language);
}

static void test_unreached__of_javascript_bodies_become_empty_and_statements_go(void **state)
{
    (void)state;
    static const struct unreached_case cases[] = {
        /* A function keeps its head, whatever it is held by. */
        {"«function f(a){g(a);}»h();", "function f(a){}h();\n", "h();\n"},
        {"x=«function(){g();}»;h();", "x=function(){};h();\n", "h();\n"},
        {"x={a:«function(){g();}»,b:1};", "x={a:function(){},b:1};\n", "x={b:1};\n"},
        {"class A{«m(){g();}»n(){}}", "class A{m(){}n(){}}\n", NULL},
        {"x=«a=>g(a,1)»;", "x=a=>0;\n", NULL},
        /* Branches. */
        {"if(a)«{b();}»else{c();}", "if(a){}else{c();}\n", ""},
        {"if(a)«b();»c();", "if(a);c();\n", "c();\n"},
        {"if(a){b();}«else{c();}»d();", "if(a){b();}d();\n", ""},
        {"try{a();}«catch(e){b();}»", "try{a();}catch(e){}\n", NULL},
        /* What comes after a return, together. */
        {"function f(){if(a)return;« b();c();»}f();", "function f(){if(a)return; }f();\n", ""},
        /* Parts of expressions, if they are worth it. */
        {"x=a?b:«c.d.e.f(1)»;", "x=a?b:0;\n", ""},
        {"x=a?b:«c»;", "", ""},
        {"x=a«||function(){g()}»;", "x=a||function(){};\n", "\n"},
        /* Two are one patch with two parts. */
        {"«function f(){a;}»«function g(){b;}»",
         "function f(){}function g(){}\n>function f(){a;}function g(){}\n"
         ">function f(){}function g(){b;}\n",
         "\n>function f(){a;}\n>function g(){b;}\n"},
    };
    check("javascript", false, cases, sizeof cases / sizeof *cases);
}

static void test_unreached__of_lua_lines_bodies_go(void **state)
{
    (void)state;
    static const struct unreached_case cases[] = {
        {"function f(a)\n«  g(a)\n»end\nh()\n", "function f(a)\\n  \\nend\\nh()\\n\n",
         "\\nh()\\n\n"},
        {"if a then\n«  b()\nelse\n»  c()\nend\n", "if a then\\n  \\nelse\\n  c()\\nend\\n\n", ""},
        {"if a then\n  b()\n«else\n  c()\nend\n»d()\n", "if a then\\n  b()\\n\\nend\\nd()\\n\n",
         ""},
        /* Whether a declaration without a value is executed, nobody can tell. */
        {"«local a\n»b()\n", "", ""},
        /* Nor of a line in the middle of a statement. */
        {"f(\n«  'some text',\n»  2)\n", "", ""},
    };
    check("lua", true, cases, sizeof cases / sizeof *cases);
}

static void test_unreached__of_python_lines_blocks_are_never_left_empty(void **state)
{
    (void)state;
    static const struct unreached_case cases[] = {
        {"def f(a):\n«  g(a)\n  h(a)\n»i()\n", "def f(a):\\n  0\\ni()\\n\n", "\\ni()\\n\n"},
        {"if a:\n«  bb()\n»c()\n", "if a:\\n  0\\nc()\\n\n", "\\nc()\\n\n"},
        {"if a:\n  b()\n«else:\n  cc()\n»d()\n", "if a:\\n  b()\\n\\nd()\\n\n", ""},
        /* Of a try something must follow. */
        {"try:\n  a()\nexcept E:\n«  b()\n  c()\n»d()\n",
         "try:\\n  a()\\nexcept E:\\n  0\\nd()\\n\n", NULL},
    };
    check("python", true, cases, sizeof cases / sizeof *cases);
}

/* A view without a tree. */
static void assert_text_offers(const char *text, bool by_line, const char *expected)
{
    struct marked marked;
    read_marks(text, by_line, &marked);
    struct viewed viewed = view_bytes(marked.text, marked.size);
    assert_view_offers(&viewed.view, &marked, PARE_UNREACHED_INSIDE, expected);
    assert_view_offers(&viewed.view, &marked, PARE_UNREACHED_AROUND, "");
    view_done(&viewed);
}

static void test_unreached__without_a_tree_what_is_in_braces_goes(void **state)
{
    (void)state;
    assert_text_offers("a;«function f(a){g(a);}»b;", false, "a;function f(a){}b;\n");
    assert_text_offers("x=a«?b:c»;", false, "");
    assert_text_offers("", false, "");
}

static void test_unreached__without_a_tree_lines_go_as_far_as_brackets_agree(void **state)
{
    (void)state;
    assert_text_offers("f(){\n«a;\nb;\n}\n»c;\n", true,
                       "f(){\\n}\\nc;\\n\n>f(){\\na;\\n}\\nc;\\n\n>f(){\\nb;\\n}\\nc;\\n\n");
    assert_text_offers("f(){\n«a;\n}\ng(){\nb;\n}\n»", true,
                       "f(){\\n}\\n\n>f(){\\na;\\n}\\n\n>f(){\\n}\\ng(){\\nb;\\n}\\n\n");
    assert_text_offers("a\n«b(\n»c)\n", true, "");
    assert_text_offers("«a\n»b\n«c\n»", true, "b\\n\n>a\\nb\\n\n>b\\nc\\n\n");
}

/* Lines of a text of which nothing is known but its blocks. */
static void assert_blocks_offer(const char *from, const char *inside, const char *around)
{
    struct marked marked;
    read_marks(from, true, &marked);
    struct viewed viewed = view_bytes(marked.text, marked.size);
    assert_view_offers(&viewed.view, &marked, PARE_UNREACHED_INSIDE, inside);
    assert_view_offers(&viewed.view, &marked, PARE_UNREACHED_AROUND, around);
    view_done(&viewed);
}

static void test_unreached__without_a_tree_blocks_keep_their_ends(void **state)
{
    (void)state;
    /* The end of a block's body goes first, neighbours in a list after it. */
    assert_blocks_offer("loop\n«  a\n  b\nendloop\n»c\n", "loop\\nendloop\\nc\\n\n", "");
    assert_blocks_offer("loop\n  a\n«  b\nendloop\nloop\n  c\nendloop\n»d\n",
                        "loop\\n  a\\nendloop\\nloop\\n  c\\nendloop\\nd\\n\n",
                        "loop\\n  a\\n  b\\nendloop\\nd\\n\n");
    /* Indentation keeps a line, below a header of two lines, too; the rest of a statement stays, and
     * brackets without partners. */
    assert_blocks_offer("def f:\n«  a\n  b\n»c\n", "def f:\\n  b\\nc\\n\n", "");
    assert_blocks_offer("def f(\n    x)\n«  a\n  b\n»c\n", "def f(\\n    x)\\n  b\\nc\\n\n", "");
    assert_blocks_offer("loop\n  a +\n«  b\nendloop\n»c\n", "", "");
    assert_blocks_offer("loop\n«  a(\nendloop\n»c\n", "", "");
}

/* Nodes of a language that has a grammar and no table. */
static void test_unreached__of_php_lines_statements_go(void **state)
{
    (void)state;
    static const struct unreached_case cases[] = {
        {"<?php\nfunction f() {\n«  a();\n  b();\n}\n»c();\n",
         "<?php\\nfunction f() {\\n  \\n  \\n}\\nc();\\n\n", "<?php\\n\\nc();\\n\n"},
        /* Marks behind braces know what is between them. */
        {"<?php\nfunction f() {«}»\nif (g()) {« h(); »}\nc();\n",
         "<?php\\nfunction f() {}\\nif (g()) {  }\\nc();\\n\n",
         "<?php\\n\\n\\nc();\\n\n><?php\\nfunction f() {}\\n\\nc();\\n\n><?php\\n\\nif (g()) { "
         "h(); }\\nc();\\n\n"},
    };
    check("php", true, cases, sizeof cases / sizeof *cases);
}

static void test_unreached__without_a_table_nodes_of_the_tree_go(void **state)
{
    (void)state;
    static const struct unreached_case cases[] = {
        {"sub f {\n«  a();\n  b()\n»}\nc();\n", "sub f {\\n  \\n}\\nc();\\n\n", ""},
    };
    check("perl", true, cases, sizeof cases / sizeof *cases);
}

static void test_unreached__ruby_says_which_lines_ran(void **state)
{
    (void)state;
    static const struct unreached_case cases[] = {
        {"def f\n«  a()\n  b()\n»end\nc()\n", "def f\\n  \\nend\\nc()\\n\n", "\\nc()\\n\n"},
    };
    check("ruby", true, cases, sizeof cases / sizeof *cases);
}

/* Pieces that were offered, with what stands around them. */
struct offered {
    char pieces[8][128];
    size_t n;
};

static pare_status note_piece(void *context, const void *piece, size_t size, bool *is_new,
                              pare_error *err)
{
    struct offered *offered = context;
    char text[128] = "";
    (void)err;
    assert_true(size < sizeof text && offered->n < 8);
    memcpy(text, piece, size);
    *is_new = true;
    for (size_t i = 0; i < offered->n; i++)
        if (strcmp(offered->pieces[i], text) == 0) *is_new = false;
    if (*is_new) memcpy(offered->pieces[offered->n++], text, sizeof text);
    return PARE_OK;
}

/* A piece that could not go is offered once more only when something beside it has changed. */
static void test_unreached__what_was_offered_is_not_offered_again(void **state)
{
    (void)state;
    if (!has_language("javascript")) skip();
    pare_tree_sitter *language = load_language("javascript");
    struct offered offered = {.n = 0};
    static const struct {
        const char *text;
        uint32_t patches;
    } cases[] = {{"function f(){«a();»}function g(){«b();»}", 3},
                 {"function f(){«a();»}function g(){«b();»}", 0},
                 {"function f(){«a();»}function h(){«b();»}", 2 + 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct marked marked;
        struct program_view program;
        pare_patches *patches = NULL;
        read_marks(cases[i].text, false, &marked);
        marked.unreached.is_new = note_piece;
        marked.unreached.context = &offered;
        view_program(language, "javascript", marked.text, marked.size, &program);
        assert_int_equal(pare_patches_new(program.view.text, &patches, NULL), PARE_OK);
        assert_int_equal(pare_unreached_offer(&program.view, &marked.unreached,
                                              PARE_UNREACHED_INSIDE, patches, NULL),
                         PARE_OK);
        assert_int_equal(patches->n, cases[i].patches);
        pare_patches_unref(patches);
        program_done(&program);
    }
    pare_tree_sitter_close(language);
}

static pare_status offer_once(void *context)
{
    const pare_pass_view *view = context;
    struct marked marked;
    pare_patches *patches = NULL;
    read_marks("«function f(){a;}»«function g(){b;}»", false, &marked);
    pare_status status = pare_patches_new(view->text, &patches, NULL);
    if (!status)
        status =
            pare_unreached_offer(view, &marked.unreached, PARE_UNREACHED_INSIDE, patches, NULL);
    pare_patches_unref(patches);
    return status;
}

static void test_unreached__reports_each_lack_of_memory(void **state)
{
    (void)state;
    struct marked marked;
    read_marks("«function f(){a;}»«function g(){b;}»", false, &marked);
    struct viewed viewed = view_bytes(marked.text, marked.size);
    sweep_allocations(offer_once, &viewed.view);
    view_done(&viewed);
    if (!has_language("javascript")) return;
    struct program_view program;
    pare_tree_sitter *language = load_language("javascript");
    view_program(language, "javascript", marked.text, marked.size, &program);
    sweep_allocations(offer_once, &program.view);
    program_done(&program);
    pare_tree_sitter_close(language);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unreached__of_javascript_bodies_become_empty_and_statements_go),
        cmocka_unit_test(test_unreached__of_lua_lines_bodies_go),
        cmocka_unit_test(test_unreached__of_python_lines_blocks_are_never_left_empty),
        cmocka_unit_test(test_unreached__without_a_tree_what_is_in_braces_goes),
        cmocka_unit_test(test_unreached__without_a_tree_lines_go_as_far_as_brackets_agree),
        cmocka_unit_test(test_unreached__without_a_tree_blocks_keep_their_ends),
        cmocka_unit_test(test_unreached__of_php_lines_statements_go),
        cmocka_unit_test(test_unreached__without_a_table_nodes_of_the_tree_go),
        cmocka_unit_test(test_unreached__ruby_says_which_lines_ran),
        cmocka_unit_test(test_unreached__what_was_offered_is_not_offered_again),
        cmocka_unit_test(test_unreached__reports_each_lack_of_memory),
    };
    use_build_data();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
