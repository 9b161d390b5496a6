/* Lexical passes where there is a tree: tokens, keywords, comments and alternatives of the
 * language. */
/* tests: src/reduce/passes/pass_token_rules.c src/reduce/passes/alternatives.c */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/support/parse_text.h"
#include "unit/support/pass_driver.h"

static const char GRAMMAR[] = "grammar T; file: (statement | comment)* EOF;\n"
                              "statement: 'let' NAME '==' value ';';\n"
                              "value: NAME | text; text: QUOTE CHARS QUOTE; comment: COMMENT;\n"
                              "NAME: [a-z]+; QUOTE: '\"'; CHARS: [A-Z]+; COMMENT: '(*' .*? '*)';\n"
                              "BLANK: [ \\n]+ -> skip;";

struct parsed {
    pare_grammar *grammar;
    pare_parse_tree parse;
    pare_text *text;
    pare_tree *tree;
    pare_pass_view view;
};

static struct parsed parse_view(const char *text)
{
    struct parsed parsed = {.grammar = read_grammar(GRAMMAR)};
    pare_tree_rules rules = {0};
    size_t size = strlen(text);
    parsed.parse = parse_with(parsed.grammar, text, size, NULL);
    assert_false(parsed.parse.error.any);
    assert_int_equal(pare_text_copy(text, size, &parsed.text, NULL), PARE_OK);
    assert_int_equal(pare_tree_new(&parsed.parse, parsed.text, &rules, &parsed.tree, NULL),
                     PARE_OK);
    pare_pass_view given = {
        .text = parsed.text, .end = size, .tree = parsed.tree, .names = &parsed.parse.names};
    assert_int_equal(pare_pass_view_open(&given, &parsed.view, NULL), PARE_OK);
    parsed.view.names = NULL; /* of this struct, which moves */
    return parsed;
}

static void parsed_done(struct parsed *parsed)
{
    pare_pass_view_close(&parsed->view);
    pare_tree_unref(parsed->tree);
    pare_text_unref(parsed->text);
    pare_parse_tree_done(&parsed->parse);
    pare_grammar_free(parsed->grammar);
}

static void assert_tree_offers(const char *pass, const char *text, const char *expected)
{
    struct parsed parsed = parse_view(text);
    pare_patches *patches = NULL;
    pare_buffer printed = {0};
    parsed.view.names = &parsed.parse.names;
    assert_int_equal(pare_pass_offer(pass_named(pass), &parsed.view, &patches, NULL), PARE_OK);
    for (uint32_t i = 0; i < patches->n; i++)
        if (patches->patches[i].parent == PARE_NO_PATCH) print_patch(patches, i, 0, &printed);
    assert_string_equal(printed.data ? printed.data : "", expected);
    pare_buffer_done(&printed);
    pare_patches_unref(patches);
    parsed_done(&parsed);
}

static void test_lexical_tree__leaves_are_lexemes_and_flat_strings_are_one(void **state)
{
    (void)state;
    struct parsed parsed = parse_view("let a == \"B\";");
    const pare_lexemes *lexemes = &parsed.view.lexemes;
    static const char KINDS[] = {PARE_LEXEME_WORD, PARE_LEXEME_WORD, PARE_LEXEME_SIGN,
                                 PARE_LEXEME_STRING, PARE_LEXEME_SIGN};
    assert_true(pare_lexemes_check(lexemes, parsed.view.bytes, 0, parsed.view.end));
    assert_int_equal(lexemes->n, sizeof KINDS);
    for (size_t i = 0; i < lexemes->n; i++)
        assert_int_equal(lexemes->at[i].kind, KINDS[i]);
    assert_int_not_equal(lexemes->at[2].node, PARE_NO_NODE);
    parsed_done(&parsed);
}

static void test_lexical_tree__keywords_are_not_renamed(void **state)
{
    (void)state;
    assert_tree_offers("short-names", "let foo == foo;",
                       "let a == a;\n"
                       ">let a == foo;\n"
                       ">let foo == a;\n");
}

static void test_lexical_tree__comments_are_those_of_the_language(void **state)
{
    (void)state;
    assert_tree_offers("comments", "(* // *) let a == b;", " let a == b;\n");
}

static void test_lexical_tree__a_sign_of_several_bytes_goes_as_one(void **state)
{
    (void)state;
    assert_tree_offers("token-patterns", "let a == b;",
                       "b\n"
                       "==\n"
                       "a\n"
                       "let b\n"
                       "let ==\n"
                       "== ;\n"
                       "a ;\n"
                       "let a b\n"
                       "let == ;\n"
                       "a b;\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lexical_tree__leaves_are_lexemes_and_flat_strings_are_one),
        cmocka_unit_test(test_lexical_tree__keywords_are_not_renamed),
        cmocka_unit_test(test_lexical_tree__comments_are_those_of_the_language),
        cmocka_unit_test(test_lexical_tree__a_sign_of_several_bytes_goes_as_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
