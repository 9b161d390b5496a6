/* Grammars read from texts, and their parts as texts to compare with.  Include after
 * <cmocka.h>. */
#ifndef PARE_TESTS_GRAMMAR_TEXT_H
#define PARE_TESTS_GRAMMAR_TEXT_H

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "grammar/grammar_file.h"

static inline pare_g4_source source(const char *path, const char *text)
{
    return (pare_g4_source){.path = path, .text = text, .size = strlen(text)};
}

/* Reads sources that are right. */
static inline pare_grammar *read_sources(const pare_g4_source *sources, size_t n)
{
    pare_grammar *grammar = NULL;
    pare_error err = {0};
    pare_status status = pare_grammar_file_read_g4_sources(
        sources, n, &(pare_g4_options){.memory_only = true}, &grammar, &err);
    assert_string_equal(err.message, "");
    assert_int_equal(status, PARE_OK);
    assert_true(pare_grammar_check(grammar));
    return grammar;
}

static inline pare_grammar *read_text(const char *text)
{
    pare_g4_source only = source("W.g4", text);
    return read_sources(&only, 1);
}

static inline void show_code_point(pare_buffer *out, uint32_t code_point)
{
    const char *escape = code_point == ']' || code_point == '\\' ? "\\" : "";
    pare_status status = code_point > ' ' && code_point < 0x7F
                             ? pare_buffer_format(out, NULL, "%s%c", escape, (int)code_point)
                             : pare_buffer_format(out, NULL, "U+%X", code_point);
    assert_int_equal(status, PARE_OK);
}

static inline void show(pare_buffer *out, const char *text)
{
    assert_int_equal(pare_buffer_text(out, text, NULL), PARE_OK);
}

static inline void show_set(pare_buffer *out, const pare_grammar *grammar, pare_index index,
                            bool of_tokens)
{
    pare_set set = grammar->sets[index];
    show(out, of_tokens ? "{" : "[");
    for (uint32_t i = 0; i < set.n; i++) {
        pare_interval interval = grammar->intervals[set.first + i];
        if (of_tokens) {
            assert_int_equal(pare_buffer_format(out, NULL, i ? ",%u" : "%u", interval.from), 0);
            if (interval.to != interval.from)
                assert_int_equal(pare_buffer_format(out, NULL, "-%u", interval.to), 0);
            continue;
        }
        show_code_point(out, interval.from);
        if (interval.to != interval.from) show(out, "-");
        if (interval.to != interval.from) show_code_point(out, interval.to);
    }
    show(out, of_tokens ? "}" : "]");
}

static inline void show_token(pare_buffer *out, const pare_token_type *token)
{
    if (token->name)
        show(out, token->name);
    else
        assert_int_equal(pare_buffer_format(out, NULL, "'%s'", token->literal), 0);
}

/* An expression in ANTLR's notation, nearly; recursive, for small bodies. */
static inline void show_expr(pare_buffer *out, const pare_grammar *grammar, pare_index index,
                             bool is_lexer)
{
    const pare_expr *expr = &grammar->exprs[index];
    static const char *const suffixes[] = {
        [PARE_EXPR_OPTIONAL] = "?", [PARE_EXPR_STAR] = "*", [PARE_EXPR_PLUS] = "+"};
    bool is_list = expr->kind == PARE_EXPR_SEQUENCE || expr->kind == PARE_EXPR_CHOICE;
    if (expr->right) show(out, "right");
    if (expr->label != PARE_NO_INDEX) {
        bool is_alternative = expr->kind == PARE_EXPR_SEQUENCE || expr->kind == PARE_EXPR_EMPTY;
        assert_int_equal(pare_buffer_format(out, NULL, is_alternative ? "#%s" : "%s:",
                                            grammar->labels[expr->label]),
                         0);
    }
    if (is_list) show(out, "(");
    for (pare_index i = expr->first; i != PARE_NO_INDEX; i = grammar->exprs[i].next) {
        show_expr(out, grammar, i, is_lexer);
        if (grammar->exprs[i].next != PARE_NO_INDEX)
            show(out, expr->kind == PARE_EXPR_CHOICE ? " | " : " ");
    }
    switch (expr->kind) {
    case PARE_EXPR_SEQUENCE:
    case PARE_EXPR_CHOICE: show(out, ")"); break;
    case PARE_EXPR_OPTIONAL:
    case PARE_EXPR_STAR:
    case PARE_EXPR_PLUS:
        show(out, suffixes[expr->kind]);
        if (expr->lazy) show(out, "?");
        break;
    case PARE_EXPR_EMPTY: show(out, "empty"); break;
    case PARE_EXPR_RULE: show(out, grammar->rules[expr->rule].name); break;
    case PARE_EXPR_TOKEN: show_token(out, &grammar->tokens[expr->token]); break;
    case PARE_EXPR_LITERAL:
        show(out, "\"");
        for (uint32_t i = 0; i < expr->text.size; i++)
            show_code_point(out, grammar->code_points[expr->text.offset + i]);
        show(out, "\"");
        break;
    case PARE_EXPR_SET: show_set(out, grammar, expr->set, !is_lexer); break;
    case PARE_EXPR_ANY: show(out, "."); break;
    case PARE_EXPR_END: show(out, "EOF"); break;
    }
}

static inline void assert_body(const pare_grammar *grammar, const char *name, const char *expected)
{
    pare_buffer out = {0};
    pare_index rule = pare_grammar_find_rule(grammar, name);
    assert_int_not_equal(rule, PARE_NO_INDEX);
    bool is_lexer = grammar->scannerless || grammar->rules[rule].kind != PARE_RULE_PARSER;
    show_expr(&out, grammar, grammar->rules[rule].body, is_lexer);
    assert_string_equal(out.data, expected);
    pare_buffer_done(&out);
}

/* All token types: names, `'literal'` or NAME='literal'. */
static inline void assert_tokens(const pare_grammar *grammar, const char *expected)
{
    pare_buffer out = {0};
    for (size_t i = 0; i < grammar->n_tokens; i++) {
        const pare_token_type *token = &grammar->tokens[i];
        if (i) show(&out, " ");
        show_token(&out, token);
        if (token->name && token->literal)
            assert_int_equal(pare_buffer_format(&out, NULL, "='%s'", token->literal), 0);
    }
    assert_string_equal(out.data, expected);
    pare_buffer_done(&out);
}

/* Number of the alternative `wanted` in the rule's body. */
static inline unsigned alternative_number(const pare_grammar *grammar, const pare_rule *rule,
                                          pare_index wanted)
{
    unsigned number = 0;
    pare_index i = grammar->exprs[rule->body].first;
    while (i != wanted) {
        assert_int_not_equal(i, PARE_NO_INDEX);
        i = grammar->exprs[i].next;
        number++;
    }
    return number;
}

/* Commands of a lexer rule: `name value`, with ` at N` for one of an alternative. */
static inline void assert_commands(const pare_grammar *grammar, const char *name,
                                   const char *expected)
{
    static const char *const names[] = {"skip", "more",     "channel", "type",
                                        "mode", "pushMode", "popMode"};
    pare_buffer out = {0};
    const pare_rule *rule = &grammar->rules[pare_grammar_find_rule(grammar, name)];
    for (uint32_t i = 0; i < rule->n_commands; i++) {
        const pare_lexer_command *command = &grammar->commands[rule->first_command + i];
        if (i) show(&out, ", ");
        show(&out, names[command->kind]);
        if (command->value != PARE_NO_INDEX)
            assert_int_equal(pare_buffer_format(&out, NULL, " %u", command->value), 0);
        if (command->alternative != PARE_NO_INDEX)
            assert_int_equal(
                pare_buffer_format(&out, NULL, " at %u",
                                   alternative_number(grammar, rule, command->alternative)),
                0);
    }
    assert_string_equal(out.data, expected);
    pare_buffer_done(&out);
}

#endif
