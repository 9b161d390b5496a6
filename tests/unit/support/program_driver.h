/* Passes over programs in a test: a view of a text with its tree by tree-sitter, and what a
 * pass offers for it.  Included after cmocka. */
#ifndef PARE_TESTS_PROGRAM_DRIVER_H
#define PARE_TESTS_PROGRAM_DRIVER_H

#include "language.h"
#include "pass_driver.h"
#include "reduce/binding/program.h"
#include "reduce/tree/tree.h"

struct program_view {
    pare_tree_sitter *language; /* borrowed */
    pare_text *text;
    pare_tree *tree;
    pare_symbol_names names;
    pare_pass_view view;
};

/* Fills *out; the view points into it. */
static inline void view_program(pare_tree_sitter *language, const char *name, const char *bytes,
                                size_t size, struct program_view *out)
{
    static const pare_tree_rules no_rules = {.context = NULL};
    pare_parse_tree parse = {0};
    *out = (struct program_view){.language = language};
    assert_int_equal(pare_text_copy(bytes, size, &out->text, NULL), PARE_OK);
    assert_int_equal(pare_tree_sitter_parse(language, bytes, size, &parse, NULL), PARE_OK);
    assert_int_equal(pare_tree_new(&parse, out->text, &no_rules, &out->tree, NULL), PARE_OK);
    out->names = parse.names;
    pare_parse_tree_done(&parse);
    const pare_pass_view given = {
        .text = out->text, .end = size, .tree = out->tree, .names = &out->names, .language = name};
    assert_int_equal(pare_pass_view_open(&given, &out->view, NULL), PARE_OK);
}

static inline void program_done(struct program_view *program)
{
    pare_pass_view_close(&program->view);
    pare_tree_unref(program->tree);
    pare_text_unref(program->text);
}

static inline const pare_pass *program_pass(const char *name)
{
    const pare_pass *pass = pare_program_pass_find(name);
    if (!pass) fail_msg("no pass %s", name);
    return pass;
}

/* What the pass offers for the program is `expected`, as print_patch writes it. */
static inline void assert_program_offers(pare_tree_sitter *language, const char *name,
                                         const char *pass, const char *text, const char *expected)
{
    struct program_view program;
    pare_patches *patches = NULL;
    pare_buffer printed = {0};
    view_program(language, name, text, strlen(text), &program);
    assert_int_equal(pare_pass_offer(program_pass(pass), &program.view, &patches, NULL), PARE_OK);
    for (uint32_t i = 0; i < patches->n; i++)
        if (patches->patches[i].parent == PARE_NO_PATCH) print_patch(patches, i, 0, &printed);
    if (strcmp(printed.data ? printed.data : "", expected) != 0)
        print_error("%s by %s of: %s\n", name, pass, text);
    assert_string_equal(printed.data ? printed.data : "", expected);
    pare_buffer_done(&printed);
    pare_patches_unref(patches);
    program_done(&program);
}

/* What a pass offers for a program, as print_patch writes it. */
struct offer_case {
    const char *pass, *text, *expected;
};

/* Skips the test if the language cannot be added here. */
static inline void assert_offers_of_cases(const char *name, const struct offer_case *cases,
                                          size_t n)
{
    if (!has_language(name)) skip();
    pare_tree_sitter *language = load_language(name);
    for (size_t i = 0; i < n; i++)
        assert_program_offers(language, name, cases[i].pass, cases[i].text, cases[i].expected);
    pare_tree_sitter_close(language);
}

#endif
