/* Resolves the files of an ANTLR grammar: first indices for everything that has a name, then
 * the bodies of the rules as expressions of the grammar model.
 *
 * Declaring keeps ANTLR's order, since token types are numbered by it.  Of a lexer grammar:
 * tokens{}, then its rules.  Of a combined grammar: the literals of parser rules that no
 * lexer rule consists of (T__0, T__1, ... in order of appearance, before all other lexer
 * rules), lexer rules, tokens{}.  Then what parser rules mention and nobody defined.
 *
 * Translating needs no recursion: the nodes of a rule stand children first, so that one loop
 * makes every expression after its operands, and a second one links them.  Lexer rules come
 * before parser rules, because their commands may still define token types.
 * Source: ANTLR's behaviour, as its SemanticPipeline and GrammarTransformPipeline have it.
 *
 * Invariants: no index is given to anything that is not in the grammar in the end; the map
 * holds expressions of one rule at a time, and every entry that is read was written for that
 * rule.  Cost: O(nodes) look-ups by hash, and one decoding for each use of a literal. */

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/vector.h"
#include "grammar/builder.h"
#include "grammar/g4.h"
#include "grammar/grammar.h"
#include "grammar/intervals.h"
#include "grammar/name_index.h"
#include "grammar/unicode.h"

/* A rule that counts, and what became of it. */
struct member {
    const pare_g4_file *file;
    const pare_g4_rule *rule;
    pare_index index; /* in the grammar */
};

/* The rules of one kind that count, in their order of precedence. A rule that another file
 * overrides is not among them, as if it had not been written. */
struct members {
    struct member *items; /* owned */
    size_t n, capacity;
    pare_name_index names; /* to items */
};

/* The state of one resolution. A set, a list of code points and a buffer are reused from leaf to
 * leaf, since a large grammar has thousands of leaves. */
struct resolver {
    const pare_g4_project *project;
    pare_builder builder;
    struct members parser, lexer;
    pare_unicode unicode;
    pare_code_points points; /* of the literal looked at */
    pare_buffer utf8;        /* the same as UTF-8 */
    pare_intervals set;      /* the one being made */
    pare_index *map;         /* nodes of the file looked at to expressions */
    bool warned_escape, warned_property, warned_near;
    pare_error *err;
};

/* --- what is said --------------------------------------------------------- */

/* Fails at `place` in the member's rule. */
__attribute__((format(printf, 4, 5))) static pare_status fail_in(struct resolver *resolver,
                                                                 const struct member *member,
                                                                 pare_g4_word place,
                                                                 const char *format, ...)
{
    /* Half of an error's text: the place and the rule go around it. */
    char sentence[PARE_ERROR_TEXT_BYTES / 2];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    pare_g4_word rule = member->rule->name;
    return pare_g4_lex_fail(member->file->path, place, resolver->err, "%s (in rule '%.*s')",
                            sentence, (int)rule.size, rule.text);
}

/* Warns of what was odd about a text, once for each kind of oddity in a grammar.  Both are what
 * ANTLR takes without a word or with a warning of its own, so they are no errors here. */
static void warn_odd(struct resolver *resolver, const pare_g4_file *file,
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
    /* Nearly right and unknown are two oddities, each with its own first time. */
    bool *warned = oddities->is_approximate ? &resolver->warned_near : &resolver->warned_property;
    if (!property.size || *warned) return;
    *warned = true;
    pare_builder_warn(builder, "%s:%u:%u: property '%.*s' is %s", file->path, property.line,
                      property.column + 1, (int)property.size, property.text,
                      oddities->is_approximate ? "nearly right only"
                                               : "not known, taken as no character");
}

/* --- rules ----------------------------------------------------------------- */

/* Adds a rule, unless a file that counts more defines the name.  Errors: PARE_E_SYNTAX,
 * defined twice in one file.  Files come in the order in which they count (grammar_file.c), so
 * the first definition of a name is the one that stays. */
static pare_status add_member(struct resolver *resolver, struct members *members,
                              const pare_g4_file *file, const pare_g4_rule *rule)
{
    pare_g4_word name = rule->name;
    pare_index known = pare_name_index_find(&members->names, name.text, name.size);
    if (known != PARE_NO_INDEX) {
        /* The file that imports overrides the one that is imported. */
        if (members->items[known].file != file) return PARE_OK;
        return pare_g4_lex_fail(file->path, name, resolver->err,
                                "rule '%.*s' is defined twice, first in line %u", (int)name.size,
                                name.text, members->items[known].rule->name.line);
    }
    struct member *items =
        pare_vector_grow(members->items, members->n, &members->capacity, sizeof *items);
    if (!items) return pare_fail_nomem(resolver->err);
    members->items = items;
    members->items[members->n] = (struct member){.file = file, .rule = rule};
    return pare_name_index_put(&members->names, name.text, name.size, (pare_index)members->n++,
                               resolver->err);
}

/* Adds the rules of all files of one kind, in the order in which they count. */
static pare_status add_members(struct resolver *resolver, struct members *members,
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

/* Whether case does not matter in a rule: its own option decides, else its file's. */
static bool ignores_case(const struct member *member)
{
    if (member->rule->letter_case == PARE_G4_CASE_INHERITED) return member->file->ignore_case;
    return member->rule->letter_case == PARE_G4_CASE_IGNORED;
}

/* Declares a rule, without a body: bodies refer to rules that are declared later. */
static void declare_rule(struct resolver *resolver, struct member *member)
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

/* Bodies are translated when every rule has its index: rules may refer to each other in any
 * order. */
static void declare_rules(struct resolver *resolver, struct members *members)
{
    for (size_t i = 0; i < members->n && !resolver->builder.status; i++)
        declare_rule(resolver, &members->items[i]);
}

/* --- literals: of parser rules, which need token types ------------------------ */

/* Reads a literal into points and utf8.  Errors: PARE_E_SYNTAX, PARE_E_NOMEM. Both forms are
 * needed: code points for the grammar's expression, UTF-8 as the key by which literals are
 * found again. */
static pare_status decode(struct resolver *resolver, const pare_g4_file *file, pare_g4_word word)
{
    pare_g4_oddities oddities = {0};
    pare_status status =
        pare_g4_lex_literal(file->path, word, &resolver->points, &oddities, resolver->err);
    pare_buffer_reset(&resolver->utf8);
    for (size_t i = 0; i < resolver->points.n && !status; i++)
        status = pare_unicode_append(&resolver->utf8, resolver->points.items[i], resolver->err);
    warn_odd(resolver, file, &oddities);
    return status;
}

/* The literal that a lexer rule consists of, commands aside; NULL: it is more than that, or has
 * options of its own, which may make case not matter. */
static const pare_g4_word *only_literal(const struct member *member)
{
    const pare_g4_rule *rule = member->rule;
    const pare_g4_node *nodes = member->file->nodes;
    if (rule->is_fragment || rule->has_options) return NULL;
    if (nodes[rule->body].kind != PARE_G4_SEQUENCE) return NULL;
    const pare_g4_node *only = &nodes[nodes[rule->body].first];
    if (only->kind != PARE_G4_TEXT || only->next != PARE_NO_INDEX) return NULL;
    return &only->word;
}

/* Enters the literals that lexer rules consist of, as aliases of the members' indices.  Of
 * several rules with the same literal the first one counts, as in ANTLR, where it is the one
 * that the lexer takes. */
static pare_status find_aliases(struct resolver *resolver, pare_name_index *aliases)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; i < resolver->lexer.n && !status; i++) {
        const struct member *member = &resolver->lexer.items[i];
        const pare_g4_word *literal = only_literal(member);
        if (!literal) continue;
        status = decode(resolver, member->file, *literal);
        if (status) break;
        const pare_buffer *utf8 = &resolver->utf8;
        if (pare_name_index_find(aliases, utf8->data, utf8->size) != PARE_NO_INDEX) continue;
        const char *key = pare_builder_text(&resolver->builder, utf8->data, utf8->size);
        if (!key) return resolver->builder.status;
        status = pare_name_index_put(aliases, key, utf8->size, (pare_index)i, resolver->err);
    }
    return status;
}

/* Makes a token type and a lexer rule T__N for the literal that was decoded last.  Names that
 * the grammar uses itself are passed over.  The names are those that ANTLR gives. */
static void declare_literal(struct resolver *resolver, const pare_g4_file *file, pare_g4_word place,
                            size_t *number)
{
    pare_builder *builder = &resolver->builder;
    char name[32];
    int size;
    /* `*number` goes on counting from one literal to the next. */
    do {
        size = snprintf(name, sizeof name, "T__%zu", (*number)++);
    } while (pare_name_index_find(&resolver->lexer.names, name, (size_t)size) != PARE_NO_INDEX);
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

/* Declares the literals of one parser rule that are not tokens yet: neither of a lexer rule
 * nor of a literal before. */
static pare_status declare_literals_of(struct resolver *resolver, const struct member *member,
                                       const pare_name_index *aliases, size_t *number)
{
    const pare_g4_rule *rule = member->rule;
    for (size_t i = rule->first_node; i < rule->end_node; i++) {
        const pare_g4_node *node = &member->file->nodes[i];
        if (node->kind != PARE_G4_TEXT) continue;
        pare_status status = decode(resolver, member->file, node->word);
        if (status) return status;
        const pare_buffer *utf8 = &resolver->utf8;
        if (pare_name_index_find(aliases, utf8->data, utf8->size) != PARE_NO_INDEX) continue;
        if (pare_name_index_find(&resolver->builder.literals, utf8->data, utf8->size) !=
            PARE_NO_INDEX)
            continue;
        /* Options of the main file hold for all its literals, wherever they were imported
         * from. */
        declare_literal(resolver, resolver->project->parser.items[0], node->word, number);
        if (resolver->builder.status) return resolver->builder.status;
    }
    return PARE_OK;
}

/* Only a combined grammar may define tokens by literals in its parser rules.  In a parser
 * grammar a literal must be a token of its lexer already, which find_token checks. */
static pare_status declare_literals(struct resolver *resolver, const pare_name_index *aliases)
{
    size_t number = 0;
    pare_status status = PARE_OK;
    if (!resolver->project->is_combined) return PARE_OK;
    for (size_t i = 0; i < resolver->parser.n && !status; i++)
        status = declare_literals_of(resolver, &resolver->parser.items[i], aliases, &number);
    return status;
}

/* --- tokens ---------------------------------------------------------------- */

/* The names in tokens{...}. */
static void declare_listed_tokens(pare_builder *builder, const pare_g4_parts *parts)
{
    for (size_t i = 0; i < parts->n; i++) {
        const pare_g4_words *tokens = &parts->items[i]->tokens;
        for (size_t k = 0; k < tokens->n; k++)
            (void)pare_builder_token(builder, tokens->items[k].text, tokens->items[k].size);
    }
}

/* Whether the rule's first alternative with commands has `type` or `more`: such a rule
 * makes no token type of its own, as in ANTLR. */
static bool leaves_type_to_others(const struct member *member)
{
    const pare_g4_rule *rule = member->rule;
    const pare_g4_command *commands = member->file->commands;
    for (size_t i = rule->first_command; i < rule->end_command; i++) {
        if (commands[i].alternative != commands[rule->first_command].alternative) break;
        if (pare_g4_lex_is(commands[i].name, "type") || pare_g4_lex_is(commands[i].name, "more"))
            return true;
    }
    return false;
}

/* Gives each lexer rule the token type of its name.  Fragments have none, nor have rules that
 * leave the type to a command; the first rule that makes a type is noted with it. */
static void declare_lexer_tokens(struct resolver *resolver)
{
    pare_builder *builder = &resolver->builder;
    for (size_t i = 0; i < resolver->lexer.n; i++) {
        const struct member *member = &resolver->lexer.items[i];
        pare_g4_word name = member->rule->name;
        if (member->rule->is_fragment || leaves_type_to_others(member)) continue;
        pare_index token = pare_builder_token(builder, name.text, name.size);
        if (builder->status) return;
        builder->grammar->rules[member->index].token = token;
        if (builder->grammar->tokens[token].rule == PARE_NO_INDEX)
            builder->grammar->tokens[token].rule = member->index;
    }
}

/* Lets literals stand for the tokens of the rules that consist of them.  By now every rule has
 * its type, so that the literal can be its name. */
static pare_status declare_aliases(struct resolver *resolver)
{
    for (size_t i = 0; i < resolver->lexer.n; i++) {
        const struct member *member = &resolver->lexer.items[i];
        const pare_g4_word *literal = only_literal(member);
        if (!literal) continue;
        pare_status status = decode(resolver, member->file, *literal);
        if (status) return status;
        /* A rule that leaves its type to a command gets one of its name here. */
        pare_g4_word name = member->rule->name;
        pare_index token = pare_builder_token(&resolver->builder, name.text, name.size);
        pare_builder_alias(&resolver->builder, token, resolver->utf8.data, resolver->utf8.size);
    }
    return resolver->builder.status;
}

/* What parser rules mention and nobody defined gets a type, and a warning.  ANTLR warns and
 * goes on as well: such a token is one that a lexer written by hand might make.  No text of it
 * is known, so no text with it is ever generated. */
static void declare_mentioned_tokens(struct resolver *resolver)
{
    pare_builder *builder = &resolver->builder;
    for (size_t i = 0; i < resolver->parser.n; i++) {
        const struct member *member = &resolver->parser.items[i];
        for (size_t k = member->rule->first_node; k < member->rule->end_node; k++) {
            const pare_g4_node *node = &member->file->nodes[k];
            pare_g4_word name = node->word;
            if (node->kind != PARE_G4_REFERENCE || !pare_g4_lex_is_token_name(name)) continue;
            if (pare_name_index_find(&builder->tokens, name.text, name.size) != PARE_NO_INDEX)
                continue;
            (void)pare_builder_token(builder, name.text, name.size);
            pare_builder_warn(builder, "%s:%u:%u: no lexer rule makes token '%.*s'",
                              member->file->path, name.line, name.column + 1, (int)name.size,
                              name.text);
        }
    }
}

/* In the order of the files; DEFAULT_MODE and the predefined channels are there already.
 * Before the rules, which name them. */
static void declare_modes_and_channels(struct resolver *resolver)
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

/* Gives rules, tokens, literals, modes and channels their indices, in ANTLR's order (see the
 * top of the file).  Literals that lexer rules consist of are needed before those rules have
 * their types, so an index of them is made first. */
static pare_status declare(struct resolver *resolver)
{
    pare_builder *builder = &resolver->builder;
    const pare_g4_project *project = resolver->project;
    pare_name_index aliases = {0};
    declare_modes_and_channels(resolver);
    pare_status status = add_members(resolver, &resolver->parser, &project->parser, false);
    if (!status) status = add_members(resolver, &resolver->lexer, &project->lexer, true);
    if (!status) status = find_aliases(resolver, &aliases);
    /* Before the literals: parser rules come first in the grammar, T__0, T__1, ... follow
     * them. */
    declare_rules(resolver, &resolver->parser);
    if (!status) status = declare_literals(resolver, &aliases);
    pare_name_index_done(&aliases);
    if (status) return status;
    declare_rules(resolver, &resolver->lexer);
    /* In a lexer grammar they come first, in a combined one after the rules. */
    if (!project->is_combined) declare_listed_tokens(builder, &project->lexer);
    if (!builder->status) declare_lexer_tokens(resolver);
    status = declare_aliases(resolver);
    declare_listed_tokens(builder, &project->parser);
    declare_mentioned_tokens(resolver);
    return status ? status : builder->status;
}

/* --- lexer rules ----------------------------------------------------------- */

/* The single code point of a literal that ends a range or is part of a set.  A range of tokens
 * or of words has no meaning; ANTLR refuses it, too. */
static pare_status single(struct resolver *resolver, const struct member *member, pare_g4_word word,
                          uint32_t *code_point)
{
    pare_status status = decode(resolver, member->file, word);
    if (status) return status;
    if (resolver->points.n != 1)
        return fail_in(resolver, member, word, "%.*s is not one character", (int)word.size,
                       word.text);
    *code_point = resolver->points.items[0];
    return PARE_OK;
}

/* A range, or a single character, which is a range from itself to itself. */
static pare_status add_span(struct resolver *resolver, const struct member *member,
                            const pare_g4_node *node, bool ignore_case)
{
    uint32_t from = 0, to = 0;
    pare_status status = single(resolver, member, node->word, &from);
    if (!status)
        status =
            single(resolver, member, node->kind == PARE_G4_SPAN ? node->other : node->word, &to);
    if (status) return status;
    /* An empty range would make a set of nothing, which is surely not meant. */
    if (from > to) return fail_in(resolver, member, node->word, "the range goes backwards");
    return pare_g4_lex_span(from, to, ignore_case, &resolver->set, resolver->err);
}

/* Refuses a rule in a negation that does not stand for a set. */
static pare_status reject_reference(struct resolver *resolver, const struct member *member,
                                    pare_g4_word name)
{
    return fail_in(resolver, member, name,
                   "'%.*s' can not be negated: only characters and sets can", (int)name.size,
                   name.text);
}

/* Adds the characters of a text, span or class to the set.  A fragment in a negation would have
 * to be a set itself, which ANTLR does not allow either. */
static pare_status add_characters(struct resolver *resolver, const struct member *member,
                                  const pare_g4_node *node)
{
    bool ignore_case = resolver->builder.grammar->rules[member->index].ignore_case;
    if (node->kind == PARE_G4_REFERENCE) return reject_reference(resolver, member, node->word);
    if (node->kind != PARE_G4_CLASS) return add_span(resolver, member, node, ignore_case);
    pare_g4_oddities oddities = {0};
    pare_status status = pare_g4_lex_set(member->file->path, node->word,
                                         (pare_g4_text_sets){ignore_case, &resolver->unicode},
                                         &resolver->set, &oddities, resolver->err);
    warn_odd(resolver, member->file, &oddities);
    return status;
}

/* All code points but those of the set's elements.  All code points up to U+10FFFF, surrogates
 * included: what a text may hold is for the lexer to say. */
static pare_status negate_characters(struct resolver *resolver, const struct member *member,
                                     const pare_g4_node *node)
{
    const pare_g4_node *nodes = member->file->nodes;
    for (pare_index i = node->first; i != PARE_NO_INDEX; i = nodes[i].next) {
        pare_status status = add_characters(resolver, member, &nodes[i]);
        if (status) return status;
    }
    /* The complement is of the union, so it is taken once, at the end. */
    return pare_intervals_complement(&resolver->set, 0, PARE_LAST_CODE_POINT, resolver->err);
}

/* In a lexer rule a name is a lexer rule or fragment, or EOF. */
static pare_status translate_lexer_name(struct resolver *resolver, const struct member *member,
                                        pare_g4_word name, pare_index *expr)
{
    pare_builder *builder = &resolver->builder;
    if (pare_g4_lex_is(name, "EOF")) {
        *expr = pare_builder_expr(builder, PARE_EXPR_END);
        return builder->status;
    }
    pare_index rule = pare_name_index_find(&builder->rules, name.text, name.size);
    if (rule == PARE_NO_INDEX || !pare_g4_lex_is_token_name(name))
        return fail_in(resolver, member, name, "rule '%.*s' is not %s", (int)name.size, name.text,
                       rule == PARE_NO_INDEX ? "defined" : "a lexer rule");
    *expr = pare_builder_expr(builder, PARE_EXPR_RULE);
    if (*expr != PARE_NO_INDEX) builder->grammar->exprs[*expr].rule = rule;
    return builder->status;
}

/* A leaf of a lexer rule that is not the same in parser rules. */
static pare_status translate_lexer_leaf(struct resolver *resolver, const struct member *member,
                                        const pare_g4_node *node, pare_index *expr)
{
    pare_builder *builder = &resolver->builder;
    pare_status status;
    /* Used again from leaf to leaf, for its memory. */
    resolver->set.n = 0;
    switch (node->kind) {
    case PARE_G4_REFERENCE: return translate_lexer_name(resolver, member, node->word, expr);
    case PARE_G4_TEXT:
        status = decode(resolver, member->file, node->word);
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

/* The token type of a name or a literal.  Errors: PARE_E_SYNTAX if there is none.  A literal of
 * a parser rule is found by what it means and not by how it is written: 'A' and '\u0041' are
 * one token. */
static pare_status find_token(struct resolver *resolver, const struct member *member,
                              const pare_g4_node *node, pare_index *token)
{
    const pare_builder *builder = &resolver->builder;
    pare_g4_word word = node->word;
    if (node->kind == PARE_G4_SPAN)
        return fail_in(resolver, member, word, "a parser rule can not have a range");
    if (node->kind == PARE_G4_REFERENCE) {
        *token = pare_name_index_find(&builder->tokens, word.text, word.size);
    } else {
        pare_status status = decode(resolver, member->file, word);
        if (status) return status;
        *token = pare_name_index_find(&builder->literals, resolver->utf8.data, resolver->utf8.size);
    }
    if (*token != PARE_NO_INDEX) return PARE_OK;
    return fail_in(resolver, member, word, "no lexer rule makes %.*s", (int)word.size, word.text);
}

/* Makes the set of all token types but those named; the end of the file is never among them,
 * as in ANTLR. */
static pare_status negate_tokens(struct resolver *resolver, const struct member *member,
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
    /* From 1 on: token type 0 is the end of the file. */
    return pare_intervals_complement(&resolver->set, 1, last, resolver->err);
}

/* The use of a rule: what a name in a parser rule is if it is not a token's. */
static pare_status translate_rule_name(struct resolver *resolver, const struct member *member,
                                       pare_g4_word name, pare_index *expr)
{
    pare_builder *builder = &resolver->builder;
    pare_index rule = pare_name_index_find(&builder->rules, name.text, name.size);
    if (rule == PARE_NO_INDEX)
        return fail_in(resolver, member, name, "rule '%.*s' is not defined", (int)name.size,
                       name.text);
    *expr = pare_builder_expr(builder, PARE_EXPR_RULE);
    if (*expr != PARE_NO_INDEX) builder->grammar->exprs[*expr].rule = rule;
    return builder->status;
}

/* In a parser rule a name with a capital first letter is a token, any other a rule; literals are
 * tokens. */
static pare_status translate_parser_leaf(struct resolver *resolver, const struct member *member,
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
    if (node->kind == PARE_G4_REFERENCE && !pare_g4_lex_is_token_name(node->word))
        return translate_rule_name(resolver, member, node->word, expr);
    pare_status status = find_token(resolver, member, node, &token);
    if (status) return status;
    *expr = pare_builder_expr(builder, token == PARE_TOKEN_END ? PARE_EXPR_END : PARE_EXPR_TOKEN);
    if (*expr != PARE_NO_INDEX) builder->grammar->exprs[*expr].token = token;
    return builder->status;
}

/* --- both ------------------------------------------------------------------ */

/* The expression of a node, without its links: the operands of an alternative are made
 * already, its siblings are not.  Quantifiers, sequences and choices are alike in both kinds of
 * rules; what differs are the leaves. */
static pare_status translate_node(struct resolver *resolver, const struct member *member,
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

/* Links an expression as its node is linked; all of the rule's are made.  Only what lies inside
 * the rule is linked: the body itself has no sibling. */
static void link_node(struct resolver *resolver, const pare_g4_node *node, pare_index index)
{
    const pare_index *map = resolver->map;
    pare_builder *builder = &resolver->builder;
    pare_index label = node->label.size
                           ? pare_builder_label(builder, node->label.text, node->label.size)
                           : PARE_NO_INDEX;
    pare_expr *expr = &builder->grammar->exprs[index];
    assert(node->next == PARE_NO_INDEX || map[node->next] > index);
    /* The children of a negation are in its set already. */
    if (node->kind != PARE_G4_NOT && node->first != PARE_NO_INDEX) expr->first = map[node->first];
    if (node->next != PARE_NO_INDEX) expr->next = map[node->next];
    expr->lazy = node->lazy;
    expr->right = node->right;
    expr->label = label;
}

/* Makes the expressions of a rule's body, each after its operands, and links them afterwards,
 * when the siblings exist, too.  What is inside a negation becomes part of a set and has no
 * expression of its own. */
static pare_status translate_body(struct resolver *resolver, const struct member *member)
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

/* The number of a channel, which may be written as a number or as a name.  A number needs no
 * declaration, as in ANTLR: channels are numbers, and names are given to some of them. */
static pare_status find_channel(struct resolver *resolver, const struct member *member,
                                pare_g4_word word, pare_index *value)
{
    *value = number_of(word);
    if (*value == PARE_NO_INDEX)
        *value = pare_name_index_find(&resolver->builder.channels, word.text, word.size);
    if (*value != PARE_NO_INDEX) return PARE_OK;
    return fail_in(resolver, member, word, "channel '%.*s' is not declared", (int)word.size,
                   word.text);
}

/* The number of a mode that exists.  A mode is a start of the lexer, so a number that no mode
 * has would start nothing. */
static pare_status find_mode(struct resolver *resolver, const struct member *member,
                             pare_g4_word word, pare_index *value)
{
    *value = number_of(word);
    if (*value == PARE_NO_INDEX)
        *value = pare_name_index_find(&resolver->builder.modes, word.text, word.size);
    /* PARE_NO_INDEX, which an unknown name has, is no mode either. */
    if (*value < resolver->builder.grammar->n_modes) return PARE_OK;
    return fail_in(resolver, member, word, "mode '%.*s' is not defined", (int)word.size, word.text);
}

/* The number of a token type; one that nobody defined is defined here, with a warning. */
static pare_status find_type(struct resolver *resolver, const struct member *member,
                             pare_g4_word word, pare_index *value)
{
    pare_builder *builder = &resolver->builder;
    *value = number_of(word);
    if (*value != PARE_NO_INDEX && *value < builder->grammar->n_tokens) return PARE_OK;
    /* A number is not declared by its use, as a name is. */
    if (*value != PARE_NO_INDEX)
        return fail_in(resolver, member, word, "there is no token type %.*s", (int)word.size,
                       word.text);
    if (pare_name_index_find(&builder->tokens, word.text, word.size) == PARE_NO_INDEX)
        pare_builder_warn(builder, "%s:%u:%u: token type '%.*s' is declared nowhere",
                          member->file->path, word.line, word.column + 1, (int)word.size,
                          word.text);
    *value = pare_builder_token(builder, word.text, word.size);
    if (builder->status) return builder->status;
    if (builder->grammar->tokens[*value].rule == PARE_NO_INDEX)
        builder->grammar->tokens[*value].rule = member->index;
    return PARE_OK;
}

/* Whether the word is the command `name`.  ANTLR obeys commands with a capital first letter,
 * too. */
static bool names_command(pare_g4_word word, const char *name)
{
    if (word.size != strlen(name) || !word.size) return false;
    char first = word.text[0];
    if (first >= 'A' && first <= 'Z') first = (char)(first + 'a' - 'A');
    return first == name[0] && memcmp(word.text + 1, name + 1, word.size - 1) == 0;
}

/* Adds a command to the rule.  A command of the rule's only alternative holds for the whole
 * rule. */
static pare_status translate_command(struct resolver *resolver, const struct member *member,
                                     const pare_g4_command *command)
{
    typedef pare_status (*finder)(struct resolver *, const struct member *, pare_g4_word,
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
        return fail_in(resolver, member, command->name, "there is no command '%.*s'",
                       (int)command->name.size, command->name.text);
    if ((known[i].find != NULL) != (command->argument.size > 0))
        return fail_in(resolver, member, command->name, "command '%s' %s an argument",
                       known[i].name, known[i].find ? "needs" : "has not");
    made.kind = known[i].kind;
    /* In the grammar an alternative is known by its expression. */
    if (command->alternative != member->rule->body)
        made.alternative = resolver->map[command->alternative];
    pare_status status =
        known[i].find ? known[i].find(resolver, member, command->argument, &made.value) : PARE_OK;
    if (!status) pare_builder_command(&resolver->builder, made);
    return status ? status : resolver->builder.status;
}

/* Commands of a rule stand next to each other in the grammar, in the order of the file. */
static pare_status translate_commands(struct resolver *resolver, const struct member *member)
{
    const pare_g4_rule *rule = member->rule;
    pare_grammar *grammar = resolver->builder.grammar;
    pare_rule *made = &grammar->rules[member->index];
    pare_status status = PARE_OK;
    made->first_command = (uint32_t)grammar->n_commands;
    for (size_t i = rule->first_command; i < rule->end_command && !status; i++)
        status = translate_command(resolver, member, &member->file->commands[i]);
    assert(grammar->n_commands >= made->first_command);
    made->n_commands = (uint32_t)grammar->n_commands - made->first_command;
    return status;
}

/* Room for the largest file: the map is used for one rule after the other.  One allocation for
 * all rules.  It needs no clearing: a rule writes its entries before it reads them. */
static pare_status reserve_map(struct resolver *resolver)
{
    size_t most = 1;
    for (size_t i = 0; i < resolver->project->n_files; i++)
        if (resolver->project->files[i]->n_nodes > most)
            most = resolver->project->files[i]->n_nodes;
    resolver->map = pare_alloc(most, sizeof *resolver->map);
    return resolver->map ? PARE_OK : pare_fail_nomem(resolver->err);
}

static pare_status translate_members(struct resolver *resolver, const struct members *members)
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
static pare_status translate(struct resolver *resolver)
{
    pare_status status = reserve_map(resolver);
    if (!status) status = translate_members(resolver, &resolver->lexer);
    if (!status) status = translate_members(resolver, &resolver->parser);
    return status;
}

/* --- the whole ------------------------------------------------------------- */

/* One warning for each kind of thing, at its first place: grammars have hundreds of actions. */
static void warn_ignored(struct resolver *resolver)
{
    static const char *const sentences[PARE_G4_N_IGNORED] = {
        [PARE_G4_IGNORED_ACTION] = "actions are ignored",
        [PARE_G4_IGNORED_PREDICATE] = "predicates are taken as true",
        [PARE_G4_IGNORED_ARGUMENTS] = "arguments, return values and locals are ignored",
        [PARE_G4_IGNORED_HANDLER] = "exception handlers are ignored",
        [PARE_G4_IGNORED_NAMED_ACTION] = "named actions are ignored",
        [PARE_G4_IGNORED_SUPERCLASS] = "the superclass is ignored",
        [PARE_G4_IGNORED_ELEMENT_OPTION] = "options of elements are ignored",
    };
    const pare_g4_project *project = resolver->project;
    for (size_t kind = 0; kind < PARE_G4_N_IGNORED; kind++) {
        for (size_t i = 0; i < project->n_files; i++) {
            pare_g4_word place = project->files[i]->ignored[kind];
            if (!place.line) continue;
            pare_builder_warn(&resolver->builder, "%s:%u:%u: %s", project->files[i]->path,
                              place.line, place.column + 1, sentences[kind]);
            break;
        }
    }
}

/* The name of the parser grammar, or of the lexer when there is no parser.  The grammar is
 * called by it, and its options hold for literals of the grammars that it imports. */
static const pare_g4_file *main_file(const pare_g4_project *project)
{
    return project->parser.n ? project->parser.items[0] : project->lexer.items[0];
}

static void resolver_done(struct resolver *resolver)
{
    pare_builder_done(&resolver->builder);
    pare_alloc_free(resolver->parser.items);
    pare_name_index_done(&resolver->parser.names);
    pare_alloc_free(resolver->lexer.items);
    pare_name_index_done(&resolver->lexer.names);
    pare_unicode_done(&resolver->unicode);
    pare_alloc_free(resolver->points.items);
    pare_buffer_done(&resolver->utf8);
    pare_intervals_done(&resolver->set);
    pare_alloc_free(resolver->map);
}

/* Declared first, translated afterwards; a project without any rule is a mistake. */
pare_status pare_g4_resolve(const pare_g4_project *project, pare_grammar **out, pare_error *err)
{
    struct resolver resolver = {.project = project, .err = err};
    pare_status status = pare_builder_init(&resolver.builder, err);
    if (status) return status;
    const pare_g4_file *file = main_file(project);
    resolver.builder.grammar->name =
        pare_builder_text(&resolver.builder, file->name.text, file->name.size);
    status = declare(&resolver);
    if (!status && !resolver.parser.n && !resolver.lexer.n)
        status = pare_fail(err, PARE_E_SYNTAX, "%s: the grammar has no rules", file->path);
    if (!status) status = translate(&resolver);
    if (!status) warn_ignored(&resolver);
    if (!status) status = pare_builder_finish(&resolver.builder, out);
    resolver_done(&resolver);
    return status;
}
