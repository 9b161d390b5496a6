/* The parser of ANTLR's grammar notation: header, options, rules.
 *
 * Source: the ANTLR 4 documentation, doc/grammars.md and doc/options.md. */
#include "grammar/g4_parse.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/status.h"
#include "base/vector.h"
#include "grammar/g4_lex.h"
#include "grammar/g4_parser.h"
#include "grammar/grammar.h"

enum { LONGEST_FILE = 1 << 30 };

void pare_g4_file_done(pare_g4_file *file)
{
    pare_release(file->path);
    pare_buffer_done(&file->text);
    pare_release(file->imports.items);
    pare_release(file->tokens.items);
    pare_release(file->channels.items);
    pare_release(file->modes.items);
    pare_release(file->rules);
    pare_release(file->nodes);
    pare_release(file->commands);
    *file = (pare_g4_file){0};
}

/* --- steps ----------------------------------------------------------------- */

static void stick(pare_g4_parser *parser, pare_status status)
{
    parser->status = status;
    parser->token = (pare_g4_token){.kind = PARE_G4_END, .word = parser->token.word};
}

void pare_g4_out_of_memory(pare_g4_parser *parser)
{
    if (!parser->status) stick(parser, pare_fail_nomem(parser->err));
}

void pare_g4_reject(pare_g4_parser *parser, pare_g4_word place, const char *what)
{
    if (parser->status) return;
    pare_g4_word rule = parser->rule;
    const char *path = parser->file->path;
    stick(parser, rule.size ? pare_g4_fail(path, place, parser->err, "%s (in rule '%.*s')", what,
                                           (int)rule.size, rule.text)
                            : pare_g4_fail(path, place, parser->err, "%s", what));
}

void pare_g4_unexpected(pare_g4_parser *parser, const char *what)
{
    enum { LONGEST_QUOTE = 40 };
    char sentence[256];
    pare_g4_word word = parser->token.word;
    int size = word.size < LONGEST_QUOTE ? (int)word.size : LONGEST_QUOTE;
    if (parser->token.kind == PARE_G4_END)
        (void)snprintf(sentence, sizeof sentence, "%s, found the end of the file", what);
    else
        (void)snprintf(sentence, sizeof sentence, "%s, found '%.*s'", what, size, word.text);
    pare_g4_reject(parser, word, sentence);
}

void pare_g4_advance(pare_g4_parser *parser)
{
    if (parser->status) return;
    pare_status status = pare_g4_lexer_next(&parser->lexer, &parser->token, parser->err);
    if (status) stick(parser, status);
}

bool pare_g4_at_sign(const pare_g4_parser *parser, char sign)
{
    return parser->token.kind == PARE_G4_SIGN && parser->token.word.text[0] == sign;
}

bool pare_g4_at_name(const pare_g4_parser *parser, const char *name)
{
    return parser->token.kind == PARE_G4_NAME && pare_g4_word_is(parser->token.word, name);
}

bool pare_g4_accept(pare_g4_parser *parser, char sign)
{
    if (!pare_g4_at_sign(parser, sign)) return false;
    pare_g4_advance(parser);
    return true;
}

void pare_g4_expect(pare_g4_parser *parser, char sign)
{
    char what[] = "expected '?'";
    what[sizeof what - 3] = sign;
    if (!pare_g4_accept(parser, sign)) pare_g4_unexpected(parser, what);
}

pare_g4_word pare_g4_take(pare_g4_parser *parser, pare_g4_token_kind kind, const char *what)
{
    pare_g4_word word = parser->token.word;
    if (parser->token.kind == kind)
        pare_g4_advance(parser);
    else
        pare_g4_unexpected(parser, what);
    return word;
}

void pare_g4_ignore(pare_g4_parser *parser, pare_g4_ignored kind, pare_g4_word place)
{
    pare_g4_word *first = &parser->file->ignored[kind];
    if (!first->line) *first = place;
}

static void add_word(pare_g4_parser *parser, pare_g4_words *words, pare_g4_word word)
{
    pare_g4_word *items = pare_vector_grow(words->items, words->n, &words->capacity, sizeof *items);
    if (!items) {
        pare_g4_out_of_memory(parser);
        return;
    }
    words->items = items;
    words->items[words->n++] = word;
}

/* --- options --------------------------------------------------------------- */

/* The value of an option: a dotted name, a literal, a number, an action, a star. */
static pare_g4_word take_value(pare_g4_parser *parser)
{
    pare_g4_word value = parser->token.word;
    switch (parser->token.kind) {
    case PARE_G4_NAME:
        pare_g4_advance(parser);
        while (pare_g4_accept(parser, '.'))
            (void)pare_g4_take(parser, PARE_G4_NAME, "expected a name");
        break;
    case PARE_G4_LITERAL:
        value.text++;
        value.size -= 2;
        pare_g4_advance(parser);
        break;
    case PARE_G4_STRING:
    case PARE_G4_NUMBER:
    case PARE_G4_ACTION: pare_g4_advance(parser); break;
    default:
        if (!pare_g4_accept(parser, '*')) pare_g4_unexpected(parser, "expected the option's value");
    }
    return value;
}

static void apply_option(pare_g4_parser *parser, pare_g4_rule *rule, pare_g4_word name,
                         pare_g4_word value)
{
    bool is_true = pare_g4_word_is(value, "true");
    if (pare_g4_word_is(name, "caseInsensitive")) {
        if (!is_true && !pare_g4_word_is(value, "false"))
            pare_g4_reject(parser, value, "caseInsensitive is true or false");
        else if (rule)
            rule->letter_case = is_true ? PARE_G4_CASE_IGNORED : PARE_G4_CASE_KEPT;
        else
            parser->file->ignore_case = is_true;
    } else if (!rule && pare_g4_word_is(name, "tokenVocab")) {
        parser->file->vocabulary = value;
    } else if (!rule && pare_g4_word_is(name, "superClass")) {
        pare_g4_ignore(parser, PARE_G4_IGNORED_SUPERCLASS, name);
    }
}

void pare_g4_options(pare_g4_parser *parser, pare_g4_rule *rule)
{
    pare_g4_advance(parser);
    while (parser->token.kind == PARE_G4_NAME) {
        pare_g4_word name = parser->token.word;
        pare_g4_advance(parser);
        pare_g4_expect(parser, '=');
        pare_g4_word value = take_value(parser);
        pare_g4_expect(parser, ';');
        if (!parser->status) apply_option(parser, rule, name, value);
    }
    pare_g4_expect(parser, '}');
}

/* --- what stands between rules --------------------------------------------- */

/* Names between commas, up to and with the closing brace. */
static void read_names(pare_g4_parser *parser, pare_g4_words *words)
{
    pare_g4_advance(parser);
    while (parser->token.kind == PARE_G4_NAME) {
        add_word(parser, words, parser->token.word);
        pare_g4_advance(parser);
        if (!pare_g4_accept(parser, ',') && !pare_g4_accept(parser, ';')) break;
    }
    pare_g4_expect(parser, '}');
}

/* import A, b = C; */
static void read_imports(pare_g4_parser *parser)
{
    pare_g4_advance(parser);
    do {
        pare_g4_word name = pare_g4_take(parser, PARE_G4_NAME, "expected a grammar's name");
        if (pare_g4_accept(parser, '='))
            name = pare_g4_take(parser, PARE_G4_NAME, "expected a grammar's name");
        if (!parser->status) add_word(parser, &parser->file->imports, name);
    } while (pare_g4_accept(parser, ','));
    pare_g4_expect(parser, ';');
}

/* @name {...}, @scope::name {...} */
static void read_named_action(pare_g4_parser *parser)
{
    pare_g4_ignore(parser, PARE_G4_IGNORED_NAMED_ACTION, parser->token.word);
    pare_g4_advance(parser);
    (void)pare_g4_take(parser, PARE_G4_NAME, "expected the action's name");
    if (parser->token.kind == PARE_G4_COLONS) {
        pare_g4_advance(parser);
        (void)pare_g4_take(parser, PARE_G4_NAME, "expected the action's name");
    }
    (void)pare_g4_take(parser, PARE_G4_ACTION, "expected an action");
}

static void read_mode(pare_g4_parser *parser)
{
    if (parser->file->kind != PARE_G4_LEXER_GRAMMAR)
        pare_g4_reject(parser, parser->token.word, "only a lexer grammar can have modes");
    pare_g4_advance(parser);
    parser->mode = pare_g4_take(parser, PARE_G4_NAME, "expected the mode's name");
    if (!parser->status) add_word(parser, &parser->file->modes, parser->mode);
    pare_g4_expect(parser, ';');
}

/* --- rules ----------------------------------------------------------------- */

/* Arguments in brackets behind an optional word. */
static void skip_arguments(pare_g4_parser *parser, const char *word)
{
    if (word) {
        if (!pare_g4_at_name(parser, word)) return;
        pare_g4_advance(parser);
        if (parser->token.kind != PARE_G4_BRACKETS)
            pare_g4_unexpected(parser, "expected a list in brackets");
    }
    if (parser->token.kind != PARE_G4_BRACKETS) return;
    pare_g4_ignore(parser, PARE_G4_IGNORED_ARGUMENTS, parser->token.word);
    pare_g4_advance(parser);
}

/* Everything from the name to the colon. */
static void read_rule_head(pare_g4_parser *parser, pare_g4_rule *rule)
{
    skip_arguments(parser, NULL);
    skip_arguments(parser, "returns");
    if (pare_g4_at_name(parser, "throws")) {
        do {
            pare_g4_advance(parser);
            (void)take_value(parser);
        } while (pare_g4_at_sign(parser, ','));
    }
    skip_arguments(parser, "locals");
    for (;;) {
        if (parser->token.kind == PARE_G4_OPTIONS) {
            rule->has_options = true;
            pare_g4_options(parser, rule);
        } else if (pare_g4_at_sign(parser, '@')) {
            read_named_action(parser);
        } else {
            break;
        }
    }
    pare_g4_expect(parser, ':');
}

/* catch [...] {...}, finally {...} */
static void skip_handlers(pare_g4_parser *parser)
{
    for (;;) {
        bool is_catch = pare_g4_at_name(parser, "catch");
        if (!is_catch && !pare_g4_at_name(parser, "finally")) return;
        pare_g4_ignore(parser, PARE_G4_IGNORED_HANDLER, parser->token.word);
        pare_g4_advance(parser);
        if (is_catch) (void)pare_g4_take(parser, PARE_G4_BRACKETS, "expected an exception");
        (void)pare_g4_take(parser, PARE_G4_ACTION, "expected an action");
    }
}

/* `fragment` and the access modifiers, which mean nothing. */
static bool take_modifiers(pare_g4_parser *parser)
{
    bool is_fragment = false;
    for (;;) {
        bool fragment = pare_g4_at_name(parser, "fragment");
        if (!fragment && !pare_g4_at_name(parser, "public") &&
            !pare_g4_at_name(parser, "private") && !pare_g4_at_name(parser, "protected"))
            return is_fragment;
        is_fragment = is_fragment || fragment;
        pare_g4_advance(parser);
    }
}

static void check_rule_kind(pare_g4_parser *parser, const pare_g4_rule *rule)
{
    pare_g4_grammar_kind kind = parser->file->kind;
    if (rule->is_lexer && kind == PARE_G4_PARSER_GRAMMAR)
        pare_g4_reject(parser, rule->name, "a lexer rule in a parser grammar");
    else if (!rule->is_lexer && kind == PARE_G4_LEXER_GRAMMAR)
        pare_g4_reject(parser, rule->name, "a parser rule in a lexer grammar");
    else if (!rule->is_lexer && rule->is_fragment)
        pare_g4_reject(parser, rule->name, "only lexer rules can be fragments");
}

static void keep_rule(pare_g4_parser *parser, const pare_g4_rule *rule)
{
    pare_g4_file *file = parser->file;
    pare_g4_rule *rules =
        pare_vector_grow(file->rules, file->n_rules, &file->rules_capacity, sizeof *rules);
    if (!rules) {
        pare_g4_out_of_memory(parser);
        return;
    }
    file->rules = rules;
    file->rules[file->n_rules++] = *rule;
}

static void read_rule(pare_g4_parser *parser)
{
    pare_g4_file *file = parser->file;
    bool is_fragment = take_modifiers(parser);
    pare_g4_rule rule = {
        .is_fragment = is_fragment,
        .first_node = (pare_index)file->n_nodes,
        .first_command = (pare_index)file->n_commands,
        .name = parser->token.word,
        .mode = parser->mode,
    };
    if (parser->token.kind != PARE_G4_NAME) {
        pare_g4_unexpected(parser, "expected a rule");
        return;
    }
    rule.is_lexer = pare_g4_is_token_name(rule.name);
    parser->rule = rule.name;
    check_rule_kind(parser, &rule);
    parser->lexer.in_lexer_rule = rule.is_lexer;
    pare_g4_advance(parser);
    read_rule_head(parser, &rule);
    pare_g4_body(parser, &rule);
    skip_handlers(parser);
    rule.end_node = (pare_index)file->n_nodes;
    rule.end_command = (pare_index)file->n_commands;
    if (!parser->status) keep_rule(parser, &rule);
    parser->rule = (pare_g4_word){0};
}

/* --- the file -------------------------------------------------------------- */

/* [lexer | parser] grammar NAME; */
static void read_header(pare_g4_parser *parser)
{
    pare_g4_file *file = parser->file;
    if (pare_g4_at_name(parser, "lexer"))
        file->kind = PARE_G4_LEXER_GRAMMAR;
    else if (pare_g4_at_name(parser, "parser"))
        file->kind = PARE_G4_PARSER_GRAMMAR;
    if (file->kind != PARE_G4_COMBINED) pare_g4_advance(parser);
    if (!pare_g4_at_name(parser, "grammar")) {
        pare_g4_unexpected(parser, "expected 'grammar NAME;'");
        return;
    }
    pare_g4_advance(parser);
    file->name = pare_g4_take(parser, PARE_G4_NAME, "expected the grammar's name");
    pare_g4_expect(parser, ';');
}

static void read_part(pare_g4_parser *parser)
{
    switch (parser->token.kind) {
    case PARE_G4_OPTIONS: pare_g4_options(parser, NULL); return;
    case PARE_G4_TOKENS: read_names(parser, &parser->file->tokens); return;
    case PARE_G4_CHANNELS: read_names(parser, &parser->file->channels); return;
    default: break;
    }
    if (pare_g4_at_sign(parser, '@'))
        read_named_action(parser);
    else if (pare_g4_at_name(parser, "import"))
        read_imports(parser);
    else if (pare_g4_at_name(parser, "mode"))
        read_mode(parser);
    else
        read_rule(parser);
}

pare_status pare_g4_parse(pare_g4_file *file, pare_error *err)
{
    if (file->text.size >= LONGEST_FILE)
        return pare_fail(err, PARE_E_LIMIT, "%s is larger than 1 GiB", file->path);
    pare_g4_parser parser = {.file = file, .err = err};
    pare_g4_lexer_init(&parser.lexer, file->path, file->text.data ? file->text.data : "",
                       file->text.size);
    pare_g4_advance(&parser);
    read_header(&parser);
    while (parser.token.kind != PARE_G4_END)
        read_part(&parser);
    pare_release(parser.frames);
    return parser.status;
}
