/* Bodies of rules: nodes of a file to expressions of the grammar.
 *
 * Nodes stand children first, so one loop over those of a rule makes every expression
 * after its operands; a second one links them. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "grammar/build.h"
#include "grammar/g4_ast.h"
#include "grammar/g4_lex.h"
#include "grammar/g4_resolver.h"
#include "grammar/g4_text.h"
#include "grammar/grammar.h"
#include "grammar/intervals.h"
#include "grammar/names.h"

pare_status pare_g4_fail_in(pare_g4_resolver *resolver, const pare_g4_member *member,
                            pare_g4_word place, const char *format, ...)
{
    char sentence[PARE_ERROR_TEXT_BYTES / 2];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    pare_g4_word rule = member->rule->name;
    return pare_g4_fail(member->file->path, place, resolver->err, "%s (in rule '%.*s')", sentence,
                        (int)rule.size, rule.text);
}

void pare_g4_warn_odd(pare_g4_resolver *resolver, const pare_g4_file *file,
                      const pare_g4_oddities *oddities)
{
    pare_g4_word escape = oddities->escape, property = oddities->property;
    pare_builder *builder = &resolver->builder;
    if (escape.size && !resolver->warned_escape) {
        resolver->warned_escape = true;
        pare_builder_warn(builder, "%s:%u:%u: '\\%.*s' is no escape, taken as '%.*s'", file->path,
                          escape.line, escape.column + 1, (int)escape.size, escape.text,
                          (int)escape.size, escape.text);
    }
    bool *warned = oddities->is_approximate ? &resolver->warned_near : &resolver->warned_property;
    if (!property.size || *warned) return;
    *warned = true;
    pare_builder_warn(builder, "%s:%u:%u: property '%.*s' is %s", file->path, property.line,
                      property.column + 1, (int)property.size, property.text,
                      oddities->is_approximate ? "nearly right only"
                                               : "not known, taken as no character");
}

/* --- lexer rules ----------------------------------------------------------- */

/* The single code point of a literal that ends a range or is part of a set. */
static pare_status single(pare_g4_resolver *resolver, const pare_g4_member *member,
                          pare_g4_word word, uint32_t *code_point)
{
    pare_status status = pare_g4_decode(resolver, member->file, word);
    if (status) return status;
    if (resolver->points.n != 1)
        return pare_g4_fail_in(resolver, member, word, "%.*s is not one character", (int)word.size,
                               word.text);
    *code_point = resolver->points.items[0];
    return PARE_OK;
}

static pare_status add_span(pare_g4_resolver *resolver, const pare_g4_member *member,
                            const pare_g4_node *node, bool ignore_case)
{
    uint32_t from = 0, to = 0;
    pare_status status = single(resolver, member, node->word, &from);
    if (!status)
        status =
            single(resolver, member, node->kind == PARE_G4_SPAN ? node->other : node->word, &to);
    if (status) return status;
    if (from > to) return pare_g4_fail_in(resolver, member, node->word, "the range goes backwards");
    return pare_g4_span(from, to, ignore_case, &resolver->set, resolver->err);
}

/* A fragment or rule in a negation: what it stands for must be a set. */
static pare_status reject_reference(pare_g4_resolver *resolver, const pare_g4_member *member,
                                    pare_g4_word name)
{
    return pare_g4_fail_in(resolver, member, name,
                           "'%.*s' can not be negated: only characters and sets can",
                           (int)name.size, name.text);
}

/* Adds the characters of a text, span or class to the set. */
static pare_status add_characters(pare_g4_resolver *resolver, const pare_g4_member *member,
                                  const pare_g4_node *node)
{
    bool ignore_case = resolver->builder.grammar->rules[member->index].ignore_case;
    if (node->kind == PARE_G4_REFERENCE) return reject_reference(resolver, member, node->word);
    if (node->kind != PARE_G4_CLASS) return add_span(resolver, member, node, ignore_case);
    pare_g4_oddities oddities = {0};
    pare_status status =
        pare_g4_class(member->file->path, node->word, ignore_case, &resolver->unicode,
                      &resolver->set, &oddities, resolver->err);
    pare_g4_warn_odd(resolver, member->file, &oddities);
    return status;
}

static pare_status negate_characters(pare_g4_resolver *resolver, const pare_g4_member *member,
                                     const pare_g4_node *node)
{
    const pare_g4_node *nodes = member->file->nodes;
    for (pare_index i = node->first; i != PARE_NO_INDEX; i = nodes[i].next) {
        pare_status status = add_characters(resolver, member, &nodes[i]);
        if (status) return status;
    }
    return pare_intervals_complement(&resolver->set, 0, PARE_LAST_CODE_POINT, resolver->err);
}

static pare_status translate_lexer_name(pare_g4_resolver *resolver, const pare_g4_member *member,
                                        pare_g4_word name, pare_index *expr)
{
    pare_builder *builder = &resolver->builder;
    if (pare_g4_word_is(name, "EOF")) {
        *expr = pare_builder_expr(builder, PARE_EXPR_END);
        return builder->status;
    }
    pare_index rule = pare_names_find(&builder->rules, name.text, name.size);
    if (rule == PARE_NO_INDEX || !pare_g4_is_token_name(name))
        return pare_g4_fail_in(resolver, member, name, "rule '%.*s' is not %s", (int)name.size,
                               name.text, rule == PARE_NO_INDEX ? "defined" : "a lexer rule");
    *expr = pare_builder_expr(builder, PARE_EXPR_RULE);
    if (*expr != PARE_NO_INDEX) builder->grammar->exprs[*expr].rule = rule;
    return builder->status;
}

/* A leaf of a lexer rule that is not the same in parser rules. */
static pare_status translate_lexer_leaf(pare_g4_resolver *resolver, const pare_g4_member *member,
                                        const pare_g4_node *node, pare_index *expr)
{
    pare_builder *builder = &resolver->builder;
    pare_status status;
    resolver->set.n = 0;
    switch (node->kind) {
    case PARE_G4_REFERENCE: return translate_lexer_name(resolver, member, node->word, expr);
    case PARE_G4_TEXT:
        status = pare_g4_decode(resolver, member->file, node->word);
        if (status) return status;
        *expr = pare_builder_literal(builder, resolver->points.items, resolver->points.n);
        return builder->status;
    case PARE_G4_NOT: status = negate_characters(resolver, member, node); break;
    default: status = add_characters(resolver, member, node); break;
    }
    if (!status) *expr = pare_builder_set(builder, &resolver->set);
    return status ? status : builder->status;
}

/* --- parser rules ---------------------------------------------------------- */

/* The token type of a name or a literal. */
static pare_status find_token(pare_g4_resolver *resolver, const pare_g4_member *member,
                              const pare_g4_node *node, pare_index *token)
{
    const pare_builder *builder = &resolver->builder;
    pare_g4_word word = node->word;
    if (node->kind == PARE_G4_SPAN)
        return pare_g4_fail_in(resolver, member, word, "a parser rule can not have a range");
    if (node->kind == PARE_G4_REFERENCE) {
        *token = pare_names_find(&builder->tokens, word.text, word.size);
    } else {
        pare_status status = pare_g4_decode(resolver, member->file, word);
        if (status) return status;
        *token = pare_names_find(&builder->literals, resolver->utf8.data, resolver->utf8.size);
    }
    if (*token != PARE_NO_INDEX) return PARE_OK;
    return pare_g4_fail_in(resolver, member, word, "no lexer rule makes %.*s", (int)word.size,
                           word.text);
}

static pare_status negate_tokens(pare_g4_resolver *resolver, const pare_g4_member *member,
                                 const pare_g4_node *node)
{
    const pare_g4_node *nodes = member->file->nodes;
    for (pare_index i = node->first; i != PARE_NO_INDEX; i = nodes[i].next) {
        pare_index token = PARE_NO_INDEX;
        pare_status status = find_token(resolver, member, &nodes[i], &token);
        if (!status) status = pare_intervals_add(&resolver->set, token, token, resolver->err);
        if (status) return status;
    }
    uint32_t last = (uint32_t)resolver->builder.grammar->n_tokens - 1;
    return pare_intervals_complement(&resolver->set, 1, last, resolver->err);
}

static pare_status translate_rule_name(pare_g4_resolver *resolver, const pare_g4_member *member,
                                       pare_g4_word name, pare_index *expr)
{
    pare_builder *builder = &resolver->builder;
    pare_index rule = pare_names_find(&builder->rules, name.text, name.size);
    if (rule == PARE_NO_INDEX)
        return pare_g4_fail_in(resolver, member, name, "rule '%.*s' is not defined", (int)name.size,
                               name.text);
    *expr = pare_builder_expr(builder, PARE_EXPR_RULE);
    if (*expr != PARE_NO_INDEX) builder->grammar->exprs[*expr].rule = rule;
    return builder->status;
}

static pare_status translate_parser_leaf(pare_g4_resolver *resolver, const pare_g4_member *member,
                                         const pare_g4_node *node, pare_index *expr)
{
    pare_builder *builder = &resolver->builder;
    pare_index token = PARE_NO_INDEX;
    if (node->kind == PARE_G4_NOT) {
        resolver->set.n = 0;
        pare_status status = negate_tokens(resolver, member, node);
        if (!status) *expr = pare_builder_set(builder, &resolver->set);
        return status ? status : builder->status;
    }
    if (node->kind == PARE_G4_REFERENCE && !pare_g4_is_token_name(node->word))
        return translate_rule_name(resolver, member, node->word, expr);
    pare_status status = find_token(resolver, member, node, &token);
    if (status) return status;
    *expr = pare_builder_expr(builder, token == PARE_TOKEN_END ? PARE_EXPR_END : PARE_EXPR_TOKEN);
    if (*expr != PARE_NO_INDEX) builder->grammar->exprs[*expr].token = token;
    return builder->status;
}

/* --- both ------------------------------------------------------------------ */

static pare_status translate_node(pare_g4_resolver *resolver, const pare_g4_member *member,
                                  const pare_g4_node *node, pare_index *expr)
{
    static const pare_expr_kind kinds[] = {
        [PARE_G4_EMPTY] = PARE_EXPR_EMPTY,   [PARE_G4_SEQUENCE] = PARE_EXPR_SEQUENCE,
        [PARE_G4_CHOICE] = PARE_EXPR_CHOICE, [PARE_G4_OPTIONAL] = PARE_EXPR_OPTIONAL,
        [PARE_G4_STAR] = PARE_EXPR_STAR,     [PARE_G4_PLUS] = PARE_EXPR_PLUS,
        [PARE_G4_ANY] = PARE_EXPR_ANY,
    };
    pare_builder *builder = &resolver->builder;
    switch (node->kind) {
    case PARE_G4_REFERENCE:
    case PARE_G4_TEXT:
    case PARE_G4_SPAN:
    case PARE_G4_CLASS:
    case PARE_G4_NOT:
        return member->rule->is_lexer ? translate_lexer_leaf(resolver, member, node, expr)
                                      : translate_parser_leaf(resolver, member, node, expr);
    default: *expr = pare_builder_expr(builder, kinds[node->kind]); return builder->status;
    }
}

static void link_node(pare_g4_resolver *resolver, const pare_g4_node *node, pare_index index)
{
    const pare_index *map = resolver->map;
    pare_builder *builder = &resolver->builder;
    pare_index label = node->label.size
                           ? pare_builder_label(builder, node->label.text, node->label.size)
                           : PARE_NO_INDEX;
    pare_expr *expr = &builder->grammar->exprs[index];
    if (node->kind != PARE_G4_NOT && node->first != PARE_NO_INDEX) expr->first = map[node->first];
    if (node->next != PARE_NO_INDEX) expr->next = map[node->next];
    expr->lazy = node->lazy;
    expr->right = node->right;
    expr->label = label;
}

static pare_status translate_body(pare_g4_resolver *resolver, const pare_g4_member *member)
{
    const pare_g4_rule *rule = member->rule;
    const pare_g4_node *nodes = member->file->nodes;
    for (size_t i = rule->first_node; i < rule->end_node; i++) {
        resolver->map[i] = PARE_NO_INDEX;
        if (nodes[i].negated) continue;
        pare_status status = translate_node(resolver, member, &nodes[i], &resolver->map[i]);
        if (status) return status;
    }
    for (size_t i = rule->first_node; i < rule->end_node; i++)
        if (!nodes[i].negated) link_node(resolver, &nodes[i], resolver->map[i]);
    if (resolver->builder.status) return resolver->builder.status;
    resolver->builder.grammar->rules[member->index].body = resolver->map[rule->body];
    return PARE_OK;
}

/* --- commands -------------------------------------------------------------- */

/* The number a command's argument is, or PARE_NO_INDEX when it is a name. */
static pare_index number_of(pare_g4_word word)
{
    enum { LARGEST = 1 << 20 };
    uint32_t value = 0;
    for (uint32_t i = 0; i < word.size; i++) {
        if (word.text[i] < '0' || word.text[i] > '9') return PARE_NO_INDEX;
        value = value * 10 + (uint32_t)(word.text[i] - '0');
        if (value > LARGEST) return PARE_NO_INDEX;
    }
    return value;
}

static pare_status find_channel(pare_g4_resolver *resolver, const pare_g4_member *member,
                                pare_g4_word word, pare_index *value)
{
    *value = number_of(word);
    if (*value == PARE_NO_INDEX)
        *value = pare_names_find(&resolver->builder.channels, word.text, word.size);
    if (*value != PARE_NO_INDEX) return PARE_OK;
    return pare_g4_fail_in(resolver, member, word, "channel '%.*s' is not declared", (int)word.size,
                           word.text);
}

static pare_status find_mode(pare_g4_resolver *resolver, const pare_g4_member *member,
                             pare_g4_word word, pare_index *value)
{
    *value = number_of(word);
    if (*value == PARE_NO_INDEX)
        *value = pare_names_find(&resolver->builder.modes, word.text, word.size);
    if (*value < resolver->builder.grammar->n_modes) return PARE_OK;
    return pare_g4_fail_in(resolver, member, word, "mode '%.*s' is not defined", (int)word.size,
                           word.text);
}

/* A type nobody defined is defined here, with a warning. */
static pare_status find_type(pare_g4_resolver *resolver, const pare_g4_member *member,
                             pare_g4_word word, pare_index *value)
{
    pare_builder *builder = &resolver->builder;
    *value = number_of(word);
    if (*value != PARE_NO_INDEX && *value < builder->grammar->n_tokens) return PARE_OK;
    if (*value != PARE_NO_INDEX)
        return pare_g4_fail_in(resolver, member, word, "there is no token type %.*s",
                               (int)word.size, word.text);
    if (pare_names_find(&builder->tokens, word.text, word.size) == PARE_NO_INDEX)
        pare_builder_warn(builder, "%s:%u:%u: token type '%.*s' is declared nowhere",
                          member->file->path, word.line, word.column + 1, (int)word.size,
                          word.text);
    *value = pare_builder_token(builder, word.text, word.size);
    if (builder->status) return builder->status;
    if (builder->grammar->tokens[*value].rule == PARE_NO_INDEX)
        builder->grammar->tokens[*value].rule = member->index;
    return PARE_OK;
}

/* ANTLR obeys commands with a capital first letter, too. */
static bool names_command(pare_g4_word word, const char *name)
{
    if (word.size != strlen(name) || !word.size) return false;
    char first = word.text[0];
    if (first >= 'A' && first <= 'Z') first = (char)(first + 'a' - 'A');
    return first == name[0] && memcmp(word.text + 1, name + 1, word.size - 1) == 0;
}

static pare_status translate_command(pare_g4_resolver *resolver, const pare_g4_member *member,
                                     const pare_g4_command *command)
{
    typedef pare_status (*finder)(pare_g4_resolver *, const pare_g4_member *, pare_g4_word,
                                  pare_index *);
    static const struct {
        const char *name;
        pare_lexer_command_kind kind;
        finder find; /* of its argument; NULL: it has none */
    } known[] = {
        {"skip", PARE_LEXER_SKIP, NULL},
        {"more", PARE_LEXER_MORE, NULL},
        {"popMode", PARE_LEXER_POP_MODE, NULL},
        {"channel", PARE_LEXER_CHANNEL, find_channel},
        {"type", PARE_LEXER_TYPE, find_type},
        {"mode", PARE_LEXER_MODE, find_mode},
        {"pushMode", PARE_LEXER_PUSH_MODE, find_mode},
    };
    pare_lexer_command made = {.value = PARE_NO_INDEX, .alternative = PARE_NO_INDEX};
    size_t i = 0;
    while (i < sizeof known / sizeof *known && !names_command(command->name, known[i].name))
        i++;
    if (i == sizeof known / sizeof *known)
        return pare_g4_fail_in(resolver, member, command->name, "there is no command '%.*s'",
                               (int)command->name.size, command->name.text);
    if ((known[i].find != NULL) != (command->argument.size > 0))
        return pare_g4_fail_in(resolver, member, command->name, "command '%s' %s an argument",
                               known[i].name, known[i].find ? "needs" : "has not");
    made.kind = known[i].kind;
    if (command->alternative != member->rule->body)
        made.alternative = resolver->map[command->alternative];
    pare_status status =
        known[i].find ? known[i].find(resolver, member, command->argument, &made.value) : PARE_OK;
    if (!status) pare_builder_command(&resolver->builder, made);
    return status ? status : resolver->builder.status;
}

static pare_status translate_commands(pare_g4_resolver *resolver, const pare_g4_member *member)
{
    const pare_g4_rule *rule = member->rule;
    pare_grammar *grammar = resolver->builder.grammar;
    pare_rule *made = &grammar->rules[member->index];
    pare_status status = PARE_OK;
    made->first_command = (uint32_t)grammar->n_commands;
    for (size_t i = rule->first_command; i < rule->end_command && !status; i++)
        status = translate_command(resolver, member, &member->file->commands[i]);
    made->n_commands = (uint32_t)grammar->n_commands - made->first_command;
    return status;
}

static pare_status reserve_map(pare_g4_resolver *resolver)
{
    size_t most = 1;
    for (size_t i = 0; i < resolver->project->n_files; i++)
        if (resolver->project->files[i]->n_nodes > most)
            most = resolver->project->files[i]->n_nodes;
    resolver->map = pare_alloc(most, sizeof *resolver->map);
    return resolver->map ? PARE_OK : pare_fail_nomem(resolver->err);
}

static pare_status translate_members(pare_g4_resolver *resolver, const pare_g4_members *members)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; i < members->n && !status; i++) {
        status = translate_body(resolver, &members->items[i]);
        if (!status) status = translate_commands(resolver, &members->items[i]);
    }
    return status;
}

/* Lexer rules first: their commands may still define token types, which negations in
 * parser rules count. */
pare_status pare_g4_translate(pare_g4_resolver *resolver)
{
    pare_status status = reserve_map(resolver);
    if (!status) status = translate_members(resolver, &resolver->lexer);
    if (!status) status = translate_members(resolver, &resolver->parser);
    return status;
}
