/* A grammar in ANTLR's notation, a text, and its tree in one line.
 * Include after <cmocka.h>. */
#ifndef PARE_TESTS_PARSE_TEXT_H
#define PARE_TESTS_PARSE_TEXT_H

#include <string.h>

#include "grammar/grammar_file.h"
#include "parse/parser.h"
#include "parse/print.h"

static inline pare_grammar *read_grammar(const char *text)
{
    pare_g4_source source = {.path = "T.g4", .text = text, .size = strlen(text)};
    pare_grammar *grammar = NULL;
    pare_error err = {0};
    pare_status status = pare_grammar_file_read_g4_sources(
        &source, 1, &(pare_g4_options){.memory_only = true}, &grammar, &err);
    assert_string_equal(err.message, "");
    assert_int_equal(status, PARE_OK);
    return grammar;
}

/* The tree of `text`, from the grammar's first rule; `cost` may be NULL. */
static inline pare_parse_tree parse_with(const pare_grammar *grammar, const char *text, size_t size,
                                         pare_parse_cost *cost)
{
    pare_parser *parser = NULL;
    pare_parse_tree tree = {0};
    assert_int_equal(pare_parser_new(grammar, pare_grammar_start(grammar), &parser, NULL), PARE_OK);
    assert_int_equal(pare_parser_run(parser, text, size, &tree, cost, NULL), PARE_OK);
    assert_true(pare_parse_tree_check(&tree));
    pare_parser_free(parser);
    return tree;
}

/* Parses and compares; `expected` starts with '!' for the message of an error. */
static inline void assert_parse(const char *grammar_text, const char *text, const char *expected)
{
    pare_grammar *grammar = read_grammar(grammar_text);
    pare_parse_tree tree = parse_with(grammar, text, strlen(text), NULL);
    pare_buffer lisp = {0};
    assert_int_equal(pare_print_lisp(&tree, text, &lisp, NULL), PARE_OK);
    if (*expected == '!')
        assert_string_equal(tree.error.message, expected + 1);
    else
        assert_string_equal(tree.error.any ? tree.error.message : lisp.data, expected);
    pare_buffer_done(&lisp);
    pare_parse_tree_done(&tree);
    pare_grammar_free(grammar);
}

#endif
