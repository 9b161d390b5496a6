/* Outlines of several files by syntax trees: what a file declares, imports and exports for others.
 * The files stand one after the other in one text, as in a folder that is reduced. */
/* tests: src/reduce/dependency/outline_syntax_link.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "reduce/dependency/dependency.h"
#include "reduce/dependency/outline.h"
#include "unit/support/closure_text.h"
#include "unit/support/program_driver.h"

enum { MOST_PARTS = 4 };

/* One file of a folder; a link to file `to` stands at the first occurrence of `link`, if that is not NULL. */
struct part {
    const char *path, *source, *link;
    uint32_t to;
};

/* The outline of the files, which stand one after the other in one text.  Spaces are files. */
static void read_parts(pare_tree_sitter *language, const char *name, const struct part *parts,
                       size_t n, pare_outline *outline, pare_text **text)
{
    struct program_view programs[MOST_PARTS];
    pare_outline_part *readers[MOST_PARTS] = {NULL};
    pare_pass_view views[MOST_PARTS];
    pare_outline_link links[MOST_PARTS];
    uint32_t spaces[MOST_PARTS], files[MOST_PARTS], global;
    pare_buffer all = {0};
    assert_int_equal(pare_outline_add_space(outline, 0, PARE_NO_WORD, &global, NULL), PARE_OK);
    for (size_t i = 0; i < n; i++) {
        char file[16];
        int size = snprintf(file, sizeof file, "file %zu", i);
        assert_int_equal(pare_buffer_add(&all, parts[i].source, strlen(parts[i].source), NULL),
                         PARE_OK);
        assert_int_equal(
            pare_outline_add_word(outline, parts[i].path, strlen(parts[i].path), &spaces[i], NULL),
            PARE_OK);
        assert_int_equal(pare_outline_add_word(outline, file, (size_t)size, &files[i], NULL),
                         PARE_OK);
    }
    assert_int_equal(pare_text_copy(all.data, all.size, text, NULL), PARE_OK);
    for (size_t i = 0, begin = 0; i < n; i++) {
        /* All text before the file is blank for its parser, so that offsets are those of the whole. */
        char *blank = test_calloc(all.size + 1, 1);
        size_t size = strlen(parts[i].source), end = begin + size;
        memset(blank, ' ', begin);
        memcpy(blank + begin, parts[i].source, size);
        view_program(language, name, blank, end, &programs[i]);
        test_free(blank);
        views[i] = programs[i].view;
        pare_outline_node node = {.begin = (uint32_t)begin,
                                  .end = (uint32_t)end,
                                  .parent = PARE_NO_NODE,
                                  .roles = PARE_OUTLINE_SHELL | PARE_OUTLINE_CLASS};
        pare_outline_file file = {.view = &views[i]};
        assert_int_equal(pare_outline_add_node(outline, &node, &file.node, NULL), PARE_OK);
        assert_int_equal(pare_outline_add_name(outline, file.node, files[i], NULL), PARE_OK);
        assert_int_equal(pare_outline_add_space(outline, 0, spaces[i], &file.imports, NULL),
                         PARE_OK);
        outline->spaces[file.imports].closed = true;
        assert_int_equal(
            pare_outline_add_space(outline, file.imports, spaces[i], &file.scope, NULL), PARE_OK);
        file.space = file.scope;
        const char *at = parts[i].link ? strstr(parts[i].source, parts[i].link) : NULL;
        if (at)
            links[i] = (pare_outline_link){begin + (size_t)(at - parts[i].source),
                                           spaces[parts[i].to], files[parts[i].to]};
        file.links = &links[i];
        file.n_links = at != NULL;
        bool known = false;
        assert_int_equal(pare_outline_part_open(&file, outline, &known, &readers[i], NULL),
                         PARE_OK);
        assert_true(known);
        outline->nodes[file.node].after = (uint32_t)outline->n_nodes;
        begin = end;
    }
    for (size_t i = 0; i < n; i++)
        assert_int_equal(pare_outline_part_declare(readers[i], NULL), PARE_OK);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(pare_outline_part_tie(readers[i], NULL), PARE_OK);
    pare_outline_syntax_names_sort(outline);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(pare_outline_part_settle(readers[i], NULL), PARE_OK);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(pare_outline_part_use(readers[i], NULL), PARE_OK);
    for (size_t i = 0; i < n; i++) {
        pare_outline_part_close(readers[i]);
        program_done(&programs[i]);
    }
    pare_buffer_done(&all);
    assert_true(pare_outline_check(outline));
}

/* Of the closure of the node at `seed` in several files `expected` is left. */
static void assert_closure_of_parts(const char *name, const struct part *parts, size_t n,
                                    const char *seed, const char *expected)
{
    if (!has_language(name)) skip();
    pare_tree_sitter *language = load_language(name);
    pare_outline outline = {0};
    pare_text *text = NULL;
    pare_dependency *graph = NULL;
    read_parts(language, name, parts, n, &outline, &text);
    assert_int_equal(pare_dependency_of_outline(&outline, text, &graph, NULL), PARE_OK);
    char *whole = test_calloc(pare_text_size(text) + 1, 1);
    memcpy(whole, pare_text_bytes(text), pare_text_size(text));
    const struct row row = {whole, seed, expected};
    char *left = print_closure(graph, &row);
    assert_string_equal(left, expected);
    test_free(left);
    test_free(whole);
    pare_dependency_unref(graph);
    pare_outline_done(&outline);
    pare_text_unref(text);
    pare_tree_sitter_close(language);
}

static void test_outline_syntax_link__a_name_from_another_file_is_what_that_file_declares(
    void **state)
{
    (void)state;
    const struct part parts[] = {
        {"/p/a", "def f():\n    return 1 + 2 + 3 + 4\ndef g():\n    return 2 + 3 + 4 + 5\n", NULL,
         0},
        {"/p/b", "def f():\n    return 7 + 8 + 9 + 10\n", NULL, 0},
        {"/p/c", "from p.a import f\nx = 1\nprint(f())\n", "from", 0},
    };
    assert_closure_of_parts(
        "python", parts, 3, "print(",
        "def f():\n    return 1 + 2 + 3 + 4\n\nfrom p.a import f\nprint(f())\n");
}

static void test_outline_syntax_link__a_member_of_an_imported_file_is_what_that_file_declares(
    void **state)
{
    (void)state;
    const struct part parts[] = {
        {"/p/a", "def f():\n    return 1 + 2 + 3 + 4\ndef g():\n    return 2 + 3 + 4 + 5\n", NULL,
         0},
        {"/p/b", "def f():\n    return 7 + 8 + 9 + 10\n", NULL, 0},
        {"/p/c", "from p import a\nx = 1\nprint(a.f())\n", "from", 0},
    };
    assert_closure_of_parts(
        "python", parts, 3, "print(",
        "def f():\n    return 1 + 2 + 3 + 4\n\nfrom p import a\nprint(a.f())\n");
}

static void test_outline_syntax_link__what_is_exported_as_a_whole_stays_while_its_file_does(
    void **state)
{
    (void)state;
    const struct part parts[] = {
        {"/a", "export function f() { return 1 + 2 + 3 + 4; }\n", NULL, 0},
        {"/b", "export * from './a.js';\n", "export", 0},
        {"/c", "import { f } from './b.js';\nconst x = 1;\nf();\n", "import", 1},
    };
    assert_closure_of_parts(
        "javascript", parts, 3, "f();",
        "export function f() { return 1 + 2 + 3 + 4; }\nexport * from './a.js';\n"
        "import { f } from './b.js';\nf();\n");
    const struct part unused[] = {
        parts[0],
        {"/b", "export * from './a.js';\nexport function g() { return 2; }\n", "export", 0},
        {"/c", "import { g } from './b.js';\nconst x = 1;\ng();\n", "import", 1},
    };
    assert_closure_of_parts("javascript", unused, 3, "g();",
                            "export function g() { return 2; }\n"
                            "import { g } from './b.js';\ng();\n");
}

static void test_outline_syntax_link__lua_a_module_s_table_goes_with_what_fills_it(void **state)
{
    (void)state;
    const struct part parts[] = {
        {"/a",
         "local M = {}\nlocal A = {}\nA.__index = A\nfunction A.new() return setmetatable({}, A) "
         "end\n"
         "M.A = A\nlocal B = {}\nB.__index = B\nfunction B.new() return setmetatable({}, B) end\n"
         "M.B = B\nreturn M\n",
         NULL, 0},
        {"/b", "local a = require 'a'\nlocal x = 1\nprint(a.B.new())\n", "require", 0},
    };
    assert_closure_of_parts("lua", parts, 2, "print",
                            "local M = {}\nlocal B = {}\nB.__index = B\nfunction B.new() return "
                            "setmetatable({}, B) end\n"
                            "M.B = B\nreturn M\nlocal a = require 'a'\nprint(a.B.new())\n");
}

static void test_outline_syntax_link__of_a_list_of_exports_only_what_is_named_stays(void **state)
{
    (void)state;
    const struct part module[] = {
        {"/a",
         "function f() { return 1 + 2 + 3 + 4; }\nfunction g() { return 2 + 3 + 4 + 5; }\nexport { "
         "f, g };\n",
         NULL, 0},
        {"/b", "import { g } from './a.js';\nconst x = 1;\nconsole.log(g());\n", "import", 0},
    };
    assert_closure_of_parts("javascript", module, 2, "console",
                            "function g() { return 2 + 3 + 4 + 5; }\nexport { g };\n"
                            "import { g } from './a.js';\nconsole.log(g());\n");
    const struct part common[] = {
        {"/a",
         "function first() { return 1 + 2 + 3 + 4; }\nfunction second() { return 2 + 3 + 4 + 5; }\n"
         "module.exports = {\n  first,\n  second,\n  x: 1,\n};\n",
         NULL, 0},
        {"/b", "const { second } = require('./a');\nconst x = 1;\nconsole.log(second());\n",
         "require", 0},
    };
    assert_closure_of_parts(
        "javascript", common, 2, "console",
        "function second() { return 2 + 3 + 4 + 5; }\nmodule.exports = {\n  second,\n  \n};\n"
        "const { second } = require('./a');\nconsole.log(second());\n");
}

static void test_outline_syntax_link__what_another_file_imports_is_not_found_there(void **state)
{
    (void)state;
    const struct part parts[] = {
        {"/p/a",
         "import \"fmt\"\nfunc f() int { return 1 + 2 + 3 + 4 }\nfunc g() { fmt.Print(1) }\n", NULL,
         0},
        {"/p/b", "import \"fmt\"\nfunc h() { fmt.Print(f()) }\nfunc i() int { return 7 }\n", NULL,
         0},
    };
    assert_closure_of_parts(
        "go", parts, 2, "func h",
        "func f() int { return 1 + 2 + 3 + 4 }\n\nimport \"fmt\"\nfunc h() { fmt.Print(f()) }\n\n");
}

/* Whether a graph of one file in the language is of what is checked before it runs. */
static void assert_checked(const char *name, const char *source, bool checked)
{
    if (!has_language(name)) skip();
    const struct part part = {"/p/a", source, NULL, 0};
    pare_tree_sitter *language = load_language(name);
    pare_outline outline = {.runs = true};
    pare_text *text = NULL;
    pare_dependency *graph = NULL;
    read_parts(language, name, &part, 1, &outline, &text);
    assert_int_equal(pare_dependency_of_outline(&outline, text, &graph, NULL), PARE_OK);
    assert_int_equal(pare_dependency_is_checked(graph), checked);
    pare_dependency_unref(graph);
    pare_outline_done(&outline);
    pare_text_unref(text);
    pare_tree_sitter_close(language);
}

static void test_outline_syntax_link__a_compiler_checks_what_is_run(void **state)
{
    (void)state;
    assert_checked("go", "func f() int { return 1 }\n", true);
    assert_checked("javascript", "function f() { return 1 }\n", false);
}

int main(void)
{
    use_build_data();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            test_outline_syntax_link__a_name_from_another_file_is_what_that_file_declares),
        cmocka_unit_test(
            test_outline_syntax_link__a_member_of_an_imported_file_is_what_that_file_declares),
        cmocka_unit_test(
            test_outline_syntax_link__what_is_exported_as_a_whole_stays_while_its_file_does),
        cmocka_unit_test(test_outline_syntax_link__lua_a_module_s_table_goes_with_what_fills_it),
        cmocka_unit_test(test_outline_syntax_link__of_a_list_of_exports_only_what_is_named_stays),
        cmocka_unit_test(test_outline_syntax_link__what_another_file_imports_is_not_found_there),
        cmocka_unit_test(test_outline_syntax_link__a_compiler_checks_what_is_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
