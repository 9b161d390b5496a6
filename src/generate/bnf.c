/* Turns any grammar into one of nonterminals and expansions, with a work list of nonterminals that
 * begins with the start rule and grows by those that expansions name.
 *
 * Invariant: each rule and each expression has at most one nonterminal, and each named one is
 * written, so the result contains exactly what can be reached, in any order.  The table
 * (generate/expansion_table.h) tells what has a finite text; everything else is never named.
 * O(grammar), and 95 expansions for each set of characters.
 *
 * Source: The Fuzzing Book, convert_ebnf_grammar. */
#include "generate/bnf.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "grammar/builder.h"
#include "parse/code_point.h"

enum { MOST_UNUSUAL = 32, NAME_BYTES = 200 };

/* A nonterminal that is to be written: a rule, or a part of a body. */
struct task {
    pare_index made; /* its rule in the new grammar */
    pare_index body; /* an expression; PARE_NO_INDEX: a token of several rules */
    pare_index token;
};

struct conversion {
    const pare_expansion_table *table;
    const pare_grammar *from;
    pare_builder builder;
    pare_index *of_rule, *of_expr, *of_token; /* owned; the nonterminals that there are */
    struct task *tasks;                       /* owned; room for one of each of these */
    size_t n_tasks;
    pare_index apart; /* the label of tokens; PARE_NO_INDEX: none */
};

/* Whether the expression has a text at all.  A grammar may have rules that only lead to
 * themselves. */
static bool is_finite(const struct conversion *c, pare_index expr)
{
    return c->table->exprs[expr].depth != PARE_NO_SIZE;
}

/* The nonterminal in *known.  If there is none yet, a new one of that name is made, and a task to
 * write it.  So everything that is named will be written, and only once. */
static pare_index nonterminal(struct conversion *c, pare_index *known, const char *name,
                              pare_index body, pare_index token)
{
    if (*known != PARE_NO_INDEX) return *known;
    *known = pare_builder_rule(&c->builder, name, strlen(name));
    c->tasks[c->n_tasks++] = (struct task){.made = *known, .body = body, .token = token};
    return *known;
}

/* A symbol that is a nonterminal. */
static pare_index use(struct conversion *c, pare_index made)
{
    pare_index expr = pare_builder_expr(&c->builder, PARE_EXPR_RULE);
    if (expr == PARE_NO_INDEX) return expr;
    c->builder.grammar->exprs[expr].rule = made;
    c->builder.grammar->exprs[expr].label = PARE_NO_INDEX;
    return expr;
}

/* A symbol for a rule of the original grammar, under the rule's own name: hooks and traces show
 * names. */
static pare_index use_rule(struct conversion *c, pare_index rule)
{
    const pare_rule *of = &c->from->rules[rule];
    return use(c, nonterminal(c, &c->of_rule[rule], of->name, of->body, PARE_NO_INDEX));
}

/* A name that no rule has: there is no hyphen in those of ANTLR and tree-sitter. */
static void name_part(const struct conversion *c, pare_index expr, char *name)
{
    pare_index rule = expr == PARE_NO_INDEX ? PARE_NO_INDEX : c->table->rule_of[expr];
    snprintf(name, NAME_BYTES, "%.150s-%zu",
             rule == PARE_NO_INDEX ? "token" : c->from->rules[rule].name, c->n_tasks);
}

/* A symbol for a part of a body, which gets a nonterminal of its own. */
static pare_index use_part(struct conversion *c, pare_index expr)
{
    char name[NAME_BYTES];
    name_part(c, expr, name);
    return use(c, nonterminal(c, &c->of_expr[expr], name, expr, PARE_NO_INDEX));
}

/* A symbol for a fixed text.  The model holds literals as code points; bytes that are not UTF-8 are
 * decoded one by one. */
static pare_index text_symbol(struct conversion *c, const char *text, size_t size)
{
    pare_index expr = PARE_NO_INDEX;
    uint32_t *points = pare_alloc(size + 1, sizeof *points);
    size_t n = 0;
    if (!points) {
        c->builder.status = pare_fail_nomem(c->builder.err);
        return expr;
    }
    for (size_t at = 0; at < size; n++)
        at += pare_code_point_decode(text + at, size - at, &points[n]);
    expr = pare_builder_literal(&c->builder, points, n);
    pare_alloc_free(points);
    return expr;
}

/* A symbol for a token: its only text, its only rule, or a nonterminal of all rules that make it.
 * PARE_NO_INDEX: it has no text (the end of the input).
 *
 * The label `apart` tells the generators where two tokens meet, between which a space may have to
 * go. */
static pare_index token_symbol(struct conversion *c, pare_index token)
{
    const pare_makers *makers = &c->table->tokens[token];
    char name[NAME_BYTES];
    pare_index expr;
    if (token == PARE_TOKEN_END || (makers->text && !makers->size)) return PARE_NO_INDEX;
    if (makers->text)
        expr = text_symbol(c, makers->text, makers->size);
    else if (makers->n == 1)
        expr = use_rule(c, c->table->makers[makers->first]);
    else {
        name_part(c, PARE_NO_INDEX, name);
        expr = use(c, nonterminal(c, &c->of_token[token], name, PARE_NO_INDEX, token));
    }
    if (expr != PARE_NO_INDEX) c->builder.grammar->exprs[expr].label = c->apart;
    return expr;
}

/* One symbol for an expression that is no sequence; PARE_NO_INDEX: it is empty.
 *
 * Expressions that are a single symbol already stay in place; the others, which have several
 * expansions or repeat, become a nonterminal. */
static pare_index symbol_of(struct conversion *c, pare_index expr)
{
    const pare_expr *e = &c->from->exprs[expr];
    switch (e->kind) {
    case PARE_EXPR_EMPTY:
    case PARE_EXPR_END: return PARE_NO_INDEX;
    case PARE_EXPR_RULE: return use_rule(c, e->rule);
    case PARE_EXPR_TOKEN: return token_symbol(c, e->token);
    case PARE_EXPR_LITERAL:
        return pare_builder_literal(&c->builder, c->from->code_points + e->text.offset,
                                    e->text.size);
    case PARE_EXPR_SEQUENCE:
    case PARE_EXPR_CHOICE:
    case PARE_EXPR_OPTIONAL:
    case PARE_EXPR_STAR:
    case PARE_EXPR_PLUS:
    case PARE_EXPR_SET:
    case PARE_EXPR_ANY: break;
    }
    return use_part(c, expr);
}

/* Appends to the list that begins at *first and ends at *last.  After a failure of the builder
 * (whose status stays set) this does nothing, so callers need not check each step. */
static void append(struct conversion *c, pare_index expr, pare_index *first, pare_index *last)
{
    if (c->builder.status || expr == PARE_NO_INDEX) return;
    if (*first == PARE_NO_INDEX)
        *first = expr;
    else
        c->builder.grammar->exprs[*last].next = expr;
    *last = expr;
}

/* An expansion: the symbols of `expr`, and then, for a further round, the nonterminal itself. */
static pare_index expansion_of(struct conversion *c, pare_index expr, pare_index again)
{
    pare_index first = PARE_NO_INDEX, last = PARE_NO_INDEX;
    if (expr != PARE_NO_INDEX && c->from->exprs[expr].kind == PARE_EXPR_SEQUENCE)
        for (pare_index s = c->from->exprs[expr].first; s != PARE_NO_INDEX;
             s = c->from->exprs[s].next)
            append(c, symbol_of(c, s), &first, &last);
    else if (expr != PARE_NO_INDEX)
        append(c, symbol_of(c, expr), &first, &last);
    if (again != PARE_NO_INDEX) append(c, use(c, again), &first, &last);
    pare_index made = pare_builder_expr(&c->builder, first == PARE_NO_INDEX ? PARE_EXPR_EMPTY
                                                                            : PARE_EXPR_SEQUENCE);
    if (made != PARE_NO_INDEX) c->builder.grammar->exprs[made].first = first;
    return made;
}

/* The expansions of a choice: its alternatives, without those that have no finite text. */
static void write_ways(struct conversion *c, const pare_ways *ways, pare_index *first,
                       pare_index *last)
{
    for (uint32_t i = 0; i < ways->n; i++) {
        const pare_way *way = &c->table->ways[ways->first + i];
        pare_index expr = PARE_NO_INDEX;
        if (way->expr != PARE_NO_INDEX)
            expr = expansion_of(c, way->expr, PARE_NO_INDEX);
        else
            expr = token_symbol(c, way->token);
        append(c, expr, first, last);
    }
}

/* The expansions of a set of characters, one for each.  Printable ASCII if the set has any, else
 * its first 32 characters: all of Unicode would be a million expansions. */
static void write_characters(struct conversion *c, const pare_characters *set, pare_index *first,
                             pare_index *last)
{
    uint32_t n = set->n_plain                  ? set->n_plain
                 : set->n_total < MOST_UNUSUAL ? set->n_total
                                               : MOST_UNUSUAL;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t point = set->n_plain ? (unsigned char)set->plain[i]
                                      : pare_expansion_table_character_at(c->table, set, i);
        append(c, pare_builder_literal(&c->builder, &point, 1), first, last);
    }
}

/* Writes the expansions of a body.
 *
 * The Fuzzing Book's conversion: `x?` becomes an empty expansion and x; `x*` an empty one and x
 * followed by the nonterminal itself; `x+` becomes x, and x followed by the nonterminal.  In a
 * parser rule, a set is one of tokens and not of characters. */
static void write_body(struct conversion *c, const struct task *task, pare_index *first,
                       pare_index *last)
{
    const pare_expr *e = &c->from->exprs[task->body];
    const pare_index rule = c->table->rule_of[task->body];
    const bool of_tokens = !c->from->scannerless && rule != PARE_NO_INDEX &&
                           c->from->rules[rule].kind == PARE_RULE_PARSER;
    const pare_index none = PARE_NO_INDEX;
    const uint32_t details = c->table->details[task->body];
    switch (e->kind) {
    case PARE_EXPR_CHOICE: write_ways(c, &c->table->choices[details], first, last); return;
    case PARE_EXPR_SET:
    case PARE_EXPR_ANY:
        if (of_tokens)
            write_ways(c, &c->table->choices[details], first, last);
        else
            write_characters(c, &c->table->characters[details], first, last);
        return;
    case PARE_EXPR_OPTIONAL:
    case PARE_EXPR_STAR:
        append(c, expansion_of(c, none, none), first, last);
        if (is_finite(c, e->first))
            append(c, expansion_of(c, e->first, e->kind == PARE_EXPR_STAR ? task->made : none),
                   first, last);
        return;
    case PARE_EXPR_PLUS:
        append(c, expansion_of(c, e->first, none), first, last);
        append(c, expansion_of(c, e->first, task->made), first, last);
        return;
    case PARE_EXPR_EMPTY:
    case PARE_EXPR_SEQUENCE:
    case PARE_EXPR_RULE:
    case PARE_EXPR_TOKEN:
    case PARE_EXPR_LITERAL:
    case PARE_EXPR_END: append(c, expansion_of(c, task->body, none), first, last);
    }
}

/* Writes one nonterminal.  Its body is a choice of its expansions, or the only one. */
static void write_task(struct conversion *c, const struct task *task)
{
    pare_index first = PARE_NO_INDEX, last = PARE_NO_INDEX;
    if (task->body != PARE_NO_INDEX) {
        write_body(c, task, &first, &last);
    } else {
        const pare_makers *makers = &c->table->tokens[task->token];
        for (uint32_t i = 0; i < makers->n; i++) {
            pare_index rule = c->table->makers[makers->first + i];
            if (is_finite(c, c->from->rules[rule].body))
                append(c, use_rule(c, rule), &first, &last);
        }
    }
    /* A choice of one is not of the model's form, and an expansion without symbols is one. */
    pare_index body = first == PARE_NO_INDEX ? expansion_of(c, PARE_NO_INDEX, PARE_NO_INDEX)
                      : first == last        ? first
                                             : pare_builder_expr(&c->builder, PARE_EXPR_CHOICE);
    if (c->builder.status) return;
    if (first != last) c->builder.grammar->exprs[body].first = first;
    c->builder.grammar->rules[task->made].body = body;
    c->builder.grammar->rules[task->made].kind = PARE_RULE_PARSER;
}

/* Allocates room for the most that can be met: each rule, expression and token has at most one
 * nonterminal.  The three maps share one array. */
static pare_status begin(struct conversion *c, pare_error *err)
{
    const pare_grammar *from = c->from;
    size_t n = from->n_rules + from->n_exprs + from->n_tokens;
    c->of_rule = pare_alloc(n + 1, sizeof *c->of_rule);
    c->tasks = pare_alloc(n + 1, sizeof *c->tasks);
    if (!c->of_rule || !c->tasks) return pare_fail_nomem(err);
    for (size_t i = 0; i < n; i++)
        c->of_rule[i] = PARE_NO_INDEX;
    c->of_expr = c->of_rule + from->n_rules;
    c->of_token = c->of_expr + from->n_exprs;
    return PARE_OK;
}

/* A work list that grows while it is gone through: writing a nonterminal adds those that it
 * names. */
pare_status pare_bnf_make(const pare_expansion_table *table, pare_index start, bool spaced,
                          pare_grammar **out, pare_error *err)
{
    struct conversion c = {.table = table, .from = table->grammar};
    pare_status status = pare_builder_init(&c.builder, err);
    if (status) return status;
    c.builder.grammar->scannerless = true;
    c.builder.grammar->name = pare_builder_text(&c.builder, "bnf", 3);
    c.apart = spaced ? pare_builder_label(&c.builder, "apart", 5) : PARE_NO_INDEX;
    status = begin(&c, err);
    if (!status) {
        (void)use_rule(&c, start);
        for (size_t i = 0; i < c.n_tasks && !c.builder.status; i++) {
            const struct task task = c.tasks[i];
            write_task(&c, &task);
        }
        status = pare_builder_finish(&c.builder, out);
    }
    pare_builder_done(&c.builder);
    pare_alloc_free(c.of_rule);
    pare_alloc_free(c.tasks);
    return status;
}
