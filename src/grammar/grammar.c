/* The grammar model: release, look-up by name, and its invariant.
 *
 * Look-ups are linear: they are for names that a user gives, a few in a run; readers have an
 * index of their own while they work (builder.h).
 *
 * The check goes over everything once, O(size): indices are in range, lists of children end
 * because they ascend and stay below their parent, sets are ascending and do not touch.  All that
 * is computed from grammars relies on these. */
#include "grammar/grammar.h"

#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"

/* Names are in the arena, everything else in arrays; both belong to the grammar. */
void pare_grammar_free(pare_grammar *grammar)
{
    if (!grammar) return;
    if (grammar->memory) pare_arena_done(grammar->memory);
    pare_alloc_free(grammar->memory);
    pare_alloc_free(grammar->rules);
    pare_alloc_free(grammar->exprs);
    pare_alloc_free(grammar->sets);
    pare_alloc_free(grammar->intervals);
    pare_alloc_free(grammar->code_points);
    pare_alloc_free(grammar->commands);
    pare_alloc_free(grammar->tokens);
    pare_alloc_free(grammar->modes);
    pare_alloc_free(grammar->channels);
    pare_alloc_free(grammar->labels);
    pare_alloc_free(grammar->warnings);
    pare_alloc_free(grammar);
}

/* Names of rules are unique, so the first match is the only one. */
pare_index pare_grammar_find_rule(const pare_grammar *grammar, const char *name)
{
    for (size_t i = 0; i < grammar->n_rules; i++)
        if (strcmp(grammar->rules[i].name, name) == 0) return (pare_index)i;
    return PARE_NO_INDEX;
}

/* Symbolic names come first: a grammar may have a token called A and another one whose text is
 * A. */
pare_index pare_grammar_find_token(const pare_grammar *grammar, const char *name)
{
    for (size_t i = 0; i < grammar->n_tokens; i++) {
        const pare_token_type *token = &grammar->tokens[i];
        if (token->name && strcmp(token->name, name) == 0) return (pare_index)i;
    }
    for (size_t i = 0; i < grammar->n_tokens; i++) {
        const pare_token_type *token = &grammar->tokens[i];
        if (token->literal && strcmp(token->literal, name) == 0) return (pare_index)i;
    }
    return PARE_NO_INDEX;
}

/* ANTLR's convention for a grammar whose start nobody named. */
pare_index pare_grammar_start(const pare_grammar *grammar)
{
    for (size_t i = 0; i < grammar->n_rules; i++)
        if (grammar->rules[i].kind == PARE_RULE_PARSER) return (pare_index)i;
    return PARE_NO_INDEX;
}

/* --- consistency: whatever computes with a grammar relies on these -------------- */

static bool is_index(pare_index index, size_t n)
{
    return index < n;
}

/* The same, or PARE_NO_INDEX. */
static bool is_index_or_none(pare_index index, size_t n)
{
    return index == PARE_NO_INDEX || index < n;
}

/* Whether what an expression refers to exists, and the number of its children suits its kind.
 * Quantifiers have exactly one child: readers wrap a sequence around several. */
static bool check_payload(const pare_grammar *grammar, const pare_expr *expr)
{
    bool has_child = expr->first != PARE_NO_INDEX;
    switch (expr->kind) {
    case PARE_EXPR_EMPTY:
    case PARE_EXPR_ANY:
    case PARE_EXPR_END: return !has_child;
    case PARE_EXPR_SEQUENCE:
    case PARE_EXPR_CHOICE: return has_child;
    case PARE_EXPR_OPTIONAL:
    case PARE_EXPR_STAR:
    case PARE_EXPR_PLUS: return has_child && grammar->exprs[expr->first].next == PARE_NO_INDEX;
    case PARE_EXPR_RULE: return !has_child && is_index(expr->rule, grammar->n_rules);
    case PARE_EXPR_TOKEN: return !has_child && is_index(expr->token, grammar->n_tokens);
    case PARE_EXPR_SET: return !has_child && is_index(expr->set, grammar->n_sets);
    case PARE_EXPR_LITERAL:
        return !has_child && expr->text.offset <= grammar->n_code_points &&
               expr->text.size <= grammar->n_code_points - expr->text.offset;
    }
    return false;
}

/* Whether children come before their parent and siblings in ascending order, which makes lists
 * end. */
static bool check_expr(const pare_grammar *grammar, size_t index)
{
    const pare_expr *expr = &grammar->exprs[index];
    if (!is_index_or_none(expr->label, grammar->n_labels)) return false;
    /* Siblings ascend (checked below, each for itself), so this ends. */
    for (pare_index i = expr->first; i != PARE_NO_INDEX; i = grammar->exprs[i].next)
        if (i >= index) return false;
    if (expr->next != PARE_NO_INDEX && (expr->next <= index || expr->next >= grammar->n_exprs))
        return false;
    return check_payload(grammar, expr);
}

/* Whether intervals ascend and neither overlap nor touch, so that each set has one form. */
static bool check_set(const pare_grammar *grammar, const pare_set *set)
{
    if (set->first > grammar->n_intervals || set->n > grammar->n_intervals - set->first)
        return false;
    if (!set->n) return true;
    const pare_interval *interval = grammar->intervals + set->first;
    for (uint32_t i = 0; i < set->n; i++) {
        if (interval[i].from > interval[i].to) return false;
        /* In 64 bits, since the largest number has no successor in 32. */
        if (i && interval[i].from <= (uint64_t)interval[i - 1].to + 1) return false;
    }
    return true;
}

/* A parser rule needs a name and a body; a lexer rule also a mode, a token type that exists if
 * it makes one, and commands that are there. */
static bool check_rule(const pare_grammar *grammar, const pare_rule *rule)
{
    if (!rule->name || !is_index(rule->body, grammar->n_exprs)) return false;
    if (rule->kind == PARE_RULE_PARSER) return true;
    return is_index(rule->mode, grammar->n_modes) &&
           is_index_or_none(rule->token, grammar->n_tokens) &&
           rule->first_command <= grammar->n_commands &&
           rule->n_commands <= grammar->n_commands - rule->first_command;
}

/* Numbers of channels are free (see g4_resolve.c), so they are not checked. */
static bool check_command(const pare_grammar *grammar, const pare_lexer_command *command)
{
    if (!is_index_or_none(command->alternative, grammar->n_exprs)) return false;
    switch (command->kind) {
    case PARE_LEXER_TYPE: return is_index(command->value, grammar->n_tokens);
    case PARE_LEXER_MODE:
    case PARE_LEXER_PUSH_MODE: return is_index(command->value, grammar->n_modes);
    case PARE_LEXER_SKIP:
    case PARE_LEXER_MORE:
    case PARE_LEXER_CHANNEL:
    case PARE_LEXER_POP_MODE: return true;
    }
    return false;
}

/* What is checked is what would otherwise be read out of bounds or looped over for ever;
 * whether the grammar makes sense (rules that derive nothing, say) is for the analyses to say. */
bool pare_grammar_check(const pare_grammar *grammar)
{
    for (size_t i = 0; i < grammar->n_exprs; i++)
        if (!check_expr(grammar, i)) return false;
    for (size_t i = 0; i < grammar->n_sets; i++)
        if (!check_set(grammar, &grammar->sets[i])) return false;
    for (size_t i = 0; i < grammar->n_rules; i++)
        if (!check_rule(grammar, &grammar->rules[i])) return false;
    for (size_t i = 0; i < grammar->n_commands; i++)
        if (!check_command(grammar, &grammar->commands[i])) return false;
    for (size_t i = 0; i < grammar->n_tokens; i++)
        if (!is_index_or_none(grammar->tokens[i].rule, grammar->n_rules)) return false;
    return grammar->n_tokens > 0 && grammar->n_modes > 0 && grammar->n_channels > 1;
}
