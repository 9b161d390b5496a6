/* Indices for everything that has a name, in ANTLR's order.
 *
 * Token types of a lexer grammar: tokens{}, then its rules.  Of a combined grammar: the
 * literals of parser rules that no lexer rule consists of (T__0, T__1, ... in order of
 * appearance, and before all other lexer rules), lexer rules, tokens{}.  Then what
 * parser rules mention and nobody defined.
 * Source: ANTLR's behaviour, as SemanticPipeline and GrammarTransformPipeline have it. */
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/status.h"
#include "base/vector.h"
#include "grammar/build.h"
#include "grammar/g4_ast.h"
#include "grammar/g4_lex.h"
#include "grammar/g4_load.h"
#include "grammar/g4_resolver.h"
#include "grammar/g4_text.h"
#include "grammar/grammar.h"
#include "grammar/names.h"

/* --- rules ----------------------------------------------------------------- */

/* Adds a rule unless the name is taken by a file that counts more. */
static pare_status add_member(pare_g4_resolver *resolver, pare_g4_members *members,
                              const pare_g4_file *file, const pare_g4_rule *rule)
{
    pare_g4_word name = rule->name;
    pare_index known = pare_names_find(&members->names, name.text, name.size);
    if (known != PARE_NO_INDEX) {
        if (members->items[known].file != file) return PARE_OK;
        return pare_g4_fail(file->path, name, resolver->err,
                            "rule '%.*s' is defined twice, first in line %u", (int)name.size,
                            name.text, members->items[known].rule->name.line);
    }
    pare_g4_member *items =
        pare_vector_grow(members->items, members->n, &members->capacity, sizeof *items);
    if (!items) return pare_fail_nomem(resolver->err);
    members->items = items;
    members->items[members->n] = (pare_g4_member){.file = file, .rule = rule};
    return pare_names_put(&members->names, name.text, name.size, (pare_index)members->n++,
                          resolver->err);
}

static pare_status add_members(pare_g4_resolver *resolver, pare_g4_members *members,
                               const pare_g4_parts *parts, bool is_lexer)
{
    for (size_t i = 0; i < parts->n; i++) {
        const pare_g4_file *file = parts->items[i];
        for (size_t k = 0; k < file->n_rules; k++) {
            if (file->rules[k].is_lexer != is_lexer) continue;
            pare_status status = add_member(resolver, members, file, &file->rules[k]);
            if (status) return status;
        }
    }
    return PARE_OK;
}

/* Whether case does not matter: the rule's word, or its file's. */
static bool ignores_case(const pare_g4_member *member)
{
    if (member->rule->letter_case == PARE_G4_CASE_INHERITED) return member->file->ignore_case;
    return member->rule->letter_case == PARE_G4_CASE_IGNORED;
}

static void declare_rule(pare_g4_resolver *resolver, pare_g4_member *member)
{
    pare_builder *builder = &resolver->builder;
    const pare_g4_rule *rule = member->rule;
    member->index = pare_builder_rule(builder, rule->name.text, rule->name.size);
    pare_index mode =
        rule->mode.size ? pare_builder_mode(builder, rule->mode.text, rule->mode.size) : 0;
    if (member->index == PARE_NO_INDEX) return;
    pare_rule *made = &builder->grammar->rules[member->index];
    made->kind = !rule->is_lexer     ? PARE_RULE_PARSER
                 : rule->is_fragment ? PARE_RULE_FRAGMENT
                                     : PARE_RULE_LEXER;
    made->mode = mode;
    made->ignore_case = rule->is_lexer && ignores_case(member);
    made->line = rule->name.line;
    made->column = rule->name.column;
}

static void declare_rules(pare_g4_resolver *resolver, pare_g4_members *members)
{
    for (size_t i = 0; i < members->n && !resolver->builder.status; i++)
        declare_rule(resolver, &members->items[i]);
}

/* --- literals -------------------------------------------------------------- */

pare_status pare_g4_decode(pare_g4_resolver *resolver, const pare_g4_file *file, pare_g4_word word)
{
    pare_g4_oddities oddities = {0};
    pare_status status =
        pare_g4_literal(file->path, word, &resolver->points, &oddities, resolver->err);
    pare_buffer_reset(&resolver->utf8);
    for (size_t i = 0; i < resolver->points.n && !status; i++)
        status = pare_g4_add_utf8(&resolver->utf8, resolver->points.items[i], resolver->err);
    pare_g4_warn_odd(resolver, file, &oddities);
    return status;
}

/* The literal a lexer rule consists of, or NULL. */
static const pare_g4_word *only_literal(const pare_g4_member *member)
{
    const pare_g4_rule *rule = member->rule;
    const pare_g4_node *nodes = member->file->nodes;
    if (rule->is_fragment || rule->has_options) return NULL;
    if (nodes[rule->body].kind != PARE_G4_SEQUENCE) return NULL;
    const pare_g4_node *only = &nodes[nodes[rule->body].first];
    if (only->kind != PARE_G4_TEXT || only->next != PARE_NO_INDEX) return NULL;
    return &only->word;
}

/* Enters the literals that lexer rules consist of, as aliases of the members' indices. */
static pare_status find_aliases(pare_g4_resolver *resolver, pare_names *aliases)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; i < resolver->lexer.n && !status; i++) {
        const pare_g4_member *member = &resolver->lexer.items[i];
        const pare_g4_word *literal = only_literal(member);
        if (!literal) continue;
        status = pare_g4_decode(resolver, member->file, *literal);
        if (status) break;
        const pare_buffer *utf8 = &resolver->utf8;
        if (pare_names_find(aliases, utf8->data, utf8->size) != PARE_NO_INDEX) continue;
        const char *key = pare_builder_text(&resolver->builder, utf8->data, utf8->size);
        if (!key) return resolver->builder.status;
        status = pare_names_put(aliases, key, utf8->size, (pare_index)i, resolver->err);
    }
    return status;
}

/* A token type and a lexer rule for the literal that was decoded last. */
static void declare_literal(pare_g4_resolver *resolver, const pare_g4_file *file,
                            pare_g4_word place, size_t *number)
{
    pare_builder *builder = &resolver->builder;
    char name[32];
    int size;
    do {
        size = snprintf(name, sizeof name, "T__%zu", (*number)++);
    } while (pare_names_find(&resolver->lexer.names, name, (size_t)size) != PARE_NO_INDEX);
    pare_index token = pare_builder_anonymous(builder);
    pare_builder_alias(builder, token, resolver->utf8.data, resolver->utf8.size);
    pare_index text = pare_builder_literal(builder, resolver->points.items, resolver->points.n);
    pare_index body = pare_builder_expr(builder, PARE_EXPR_SEQUENCE);
    pare_index rule = pare_builder_rule(builder, name, (size_t)size);
    if (builder->status) return;
    builder->grammar->exprs[body].first = text;
    builder->grammar->tokens[token].rule = rule;
    pare_rule *made = &builder->grammar->rules[rule];
    made->kind = PARE_RULE_LEXER;
    made->body = body;
    made->token = token;
    made->ignore_case = file->ignore_case;
    made->line = place.line;
    made->column = place.column;
}

/* The literals of one parser rule that are not tokens yet. */
static pare_status declare_literals_of(pare_g4_resolver *resolver, const pare_g4_member *member,
                                       const pare_names *aliases, size_t *number)
{
    const pare_g4_rule *rule = member->rule;
    for (size_t i = rule->first_node; i < rule->end_node; i++) {
        const pare_g4_node *node = &member->file->nodes[i];
        if (node->kind != PARE_G4_TEXT) continue;
        pare_status status = pare_g4_decode(resolver, member->file, node->word);
        if (status) return status;
        const pare_buffer *utf8 = &resolver->utf8;
        if (pare_names_find(aliases, utf8->data, utf8->size) != PARE_NO_INDEX) continue;
        if (pare_names_find(&resolver->builder.literals, utf8->data, utf8->size) != PARE_NO_INDEX)
            continue;
        declare_literal(resolver, resolver->project->parser.items[0], node->word, number);
        if (resolver->builder.status) return resolver->builder.status;
    }
    return PARE_OK;
}

static pare_status declare_literals(pare_g4_resolver *resolver, const pare_names *aliases)
{
    size_t number = 0;
    pare_status status = PARE_OK;
    if (!resolver->project->is_combined) return PARE_OK;
    for (size_t i = 0; i < resolver->parser.n && !status; i++)
        status = declare_literals_of(resolver, &resolver->parser.items[i], aliases, &number);
    return status;
}

/* --- tokens ---------------------------------------------------------------- */

static void declare_listed_tokens(pare_builder *builder, const pare_g4_parts *parts)
{
    for (size_t i = 0; i < parts->n; i++) {
        const pare_g4_words *tokens = &parts->items[i]->tokens;
        for (size_t k = 0; k < tokens->n; k++)
            (void)pare_builder_token(builder, tokens->items[k].text, tokens->items[k].size);
    }
}

/* Whether the rule's first alternative with commands has `type` or `more`: such a rule
 * makes no token type of its own. */
static bool leaves_type_to_others(const pare_g4_member *member)
{
    const pare_g4_rule *rule = member->rule;
    const pare_g4_command *commands = member->file->commands;
    for (size_t i = rule->first_command; i < rule->end_command; i++) {
        if (commands[i].alternative != commands[rule->first_command].alternative) break;
        if (pare_g4_word_is(commands[i].name, "type") || pare_g4_word_is(commands[i].name, "more"))
            return true;
    }
    return false;
}

static void declare_lexer_tokens(pare_g4_resolver *resolver)
{
    pare_builder *builder = &resolver->builder;
    for (size_t i = 0; i < resolver->lexer.n; i++) {
        const pare_g4_member *member = &resolver->lexer.items[i];
        pare_g4_word name = member->rule->name;
        if (member->rule->is_fragment || leaves_type_to_others(member)) continue;
        pare_index token = pare_builder_token(builder, name.text, name.size);
        if (builder->status) return;
        builder->grammar->rules[member->index].token = token;
        if (builder->grammar->tokens[token].rule == PARE_NO_INDEX)
            builder->grammar->tokens[token].rule = member->index;
    }
}

/* Lets literals stand for the tokens of the rules that consist of them. */
static pare_status declare_aliases(pare_g4_resolver *resolver)
{
    for (size_t i = 0; i < resolver->lexer.n; i++) {
        const pare_g4_member *member = &resolver->lexer.items[i];
        const pare_g4_word *literal = only_literal(member);
        if (!literal) continue;
        pare_status status = pare_g4_decode(resolver, member->file, *literal);
        if (status) return status;
        pare_g4_word name = member->rule->name;
        pare_index token = pare_builder_token(&resolver->builder, name.text, name.size);
        pare_builder_alias(&resolver->builder, token, resolver->utf8.data, resolver->utf8.size);
    }
    return resolver->builder.status;
}

/* What parser rules mention and nobody defined gets a type, and a warning. */
static void declare_mentioned_tokens(pare_g4_resolver *resolver)
{
    pare_builder *builder = &resolver->builder;
    for (size_t i = 0; i < resolver->parser.n; i++) {
        const pare_g4_member *member = &resolver->parser.items[i];
        for (size_t k = member->rule->first_node; k < member->rule->end_node; k++) {
            const pare_g4_node *node = &member->file->nodes[k];
            pare_g4_word name = node->word;
            if (node->kind != PARE_G4_REFERENCE || !pare_g4_is_token_name(name)) continue;
            if (pare_names_find(&builder->tokens, name.text, name.size) != PARE_NO_INDEX) continue;
            (void)pare_builder_token(builder, name.text, name.size);
            pare_builder_warn(builder, "%s:%u:%u: no lexer rule makes token '%.*s'",
                              member->file->path, name.line, name.column + 1, (int)name.size,
                              name.text);
        }
    }
}

static void declare_modes_and_channels(pare_g4_resolver *resolver)
{
    pare_builder *builder = &resolver->builder;
    const pare_g4_parts *parts = &resolver->project->lexer;
    for (size_t i = 0; i < parts->n; i++) {
        const pare_g4_file *file = parts->items[i];
        for (size_t k = 0; k < file->modes.n; k++)
            (void)pare_builder_mode(builder, file->modes.items[k].text, file->modes.items[k].size);
        for (size_t k = 0; k < file->channels.n; k++)
            (void)pare_builder_channel(builder, file->channels.items[k].text,
                                       file->channels.items[k].size);
    }
}

pare_status pare_g4_declare(pare_g4_resolver *resolver)
{
    pare_builder *builder = &resolver->builder;
    const pare_g4_project *project = resolver->project;
    pare_names aliases = {0};
    declare_modes_and_channels(resolver);
    pare_status status = add_members(resolver, &resolver->parser, &project->parser, false);
    if (!status) status = add_members(resolver, &resolver->lexer, &project->lexer, true);
    if (!status) status = find_aliases(resolver, &aliases);
    declare_rules(resolver, &resolver->parser);
    if (!status) status = declare_literals(resolver, &aliases);
    pare_names_done(&aliases);
    if (status) return status;
    declare_rules(resolver, &resolver->lexer);
    if (!project->is_combined) declare_listed_tokens(builder, &project->lexer);
    if (!builder->status) declare_lexer_tokens(resolver);
    status = declare_aliases(resolver);
    declare_listed_tokens(builder, &project->parser);
    declare_mentioned_tokens(resolver);
    return status ? status : builder->status;
}
