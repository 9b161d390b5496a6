/* Choices and tokens of the deriver: alternatives by weight, characters, texts of lexer rules.
 *
 * A token's text is made by its lexer rule and read back by the lexer (token_separator.h). A text
 * that turns out to be another token is made again, up to ATTEMPTS times, because nearly always the
 * next one fits; then the smallest alternatives are taken.  Lexer rules are derived by recursion,
 * because they nest only as deep as the grammar, and calls of themselves are limited; parser rules
 * nest as deep as the text, so they need the explicit stack. */
#include "base/buffer.h"
#include "base/fail.h"
#include "generate/deriver_run.h"
#include "generate/expansion_table.h"
#include "generate/hooks.h"
#include "generate/token_separator.h"
#include "grammar/grammar.h"
#include "grammar/unicode.h"
#include "reduce/choice/choices.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

enum {
    ATTEMPTS = 32 /* to make a text for a token */
};

/* --- choices ---------------------------------------------------------------------- */

/* Draws one of the `n` ways in d->fitting, by weight.  O(n) for the sum. */
static pare_status pick_weighted(struct pare_deriver_run *run, const pare_ways *ways, uint32_t n,
                                 uint32_t *which)
{
    struct pare_deriver *d = run->d;
    double total = 0;
    /* Ways that a limit leaves may all weigh nothing: then they weigh the same. */
    for (uint32_t i = 0; i < n; i++)
        total += d->chances[i] = d->weights[ways->first + d->fitting[i]];
    for (uint32_t i = 0; total <= 0 && i < n; i++)
        d->chances[i] = 1;
    return pare_choices_weighted(run->choices, d->chances, n, which, run->err);
}

/* Every way that is taken cools down, also when it was the only one. */
pare_status pare_deriver_tokens_pick_weighted(struct pare_deriver_run *run, const pare_ways *ways,
                                              uint32_t n, bool listed, uint32_t *way)
{
    struct pare_deriver *d = run->d;
    uint32_t which = 0;
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !listed && i < n; i++)
        d->fitting[i] = i;
    if (n > 1) status = pick_weighted(run, ways, n, &which);
    if (status) return status;
    *way = ways->first + d->fitting[which];
    d->covered[*way] = 1;
    if (d->options.cooldown > 0) d->weights[*way] *= d->options.cooldown;
    return PARE_OK;
}

/* The ways are sorted by size, so those as small as the first stand together. */
uint32_t pare_deriver_tokens_count_smallest(const struct pare_deriver *d, const pare_ways *ways)
{
    const pare_way *first = &d->table->ways[ways->first];
    uint32_t n = 1;
    while (n < ways->n && first[n].least.depth == first->least.depth &&
           first[n].least.tokens == first->least.tokens)
        n++;
    return n;
}

/* Mostly all ways fit, and one look at the largest says so.  Else those that fit are listed;
 * where none does, the smallest are left, so that a limit is exceeded by as little as
 * possible. */
pare_status pare_deriver_tokens_choose_way(struct pare_deriver_run *run, pare_index expr,
                                           const pare_way **way)
{
    struct pare_deriver *d = run->d;
    const pare_ways *ways = &d->table->choices[d->table->details[expr]];
    uint32_t n = 0, found = 0;
    pare_status status;
    if (pare_deriver_fits(d, (pare_least){ways->depth, ways->tokens})) {
        status = pare_deriver_pick(run, ways, ways->n, false, &found);
    } else {
        for (uint32_t i = 0; i < ways->n; i++)
            if (pare_deriver_fits(d, d->table->ways[ways->first + i].least)) d->fitting[n++] = i;
        status = n ? pare_deriver_pick(run, ways, n, true, &found)
                   : pare_deriver_pick(run, ways, pare_deriver_tokens_count_smallest(d, ways),
                                       false, &found);
    }
    assert(found >= ways->first && found - ways->first < ways->n);
    *way = &d->table->ways[found];
    return status;
}

/* --- characters --------------------------------------------------------------------- */

/* Appends a byte; mostly there is room, and the call of the buffer is saved.  The NUL is kept
 * after each byte, as the buffer wants it. */
static pare_status put_byte(struct pare_deriver_run *run, uint32_t byte, pare_buffer *to)
{
    char character = (char)byte;
    if (to->size + 1 >= to->capacity) return pare_buffer_add(to, &character, 1, run->err);
    to->data[to->size++] = character;
    to->data[to->size] = '\0';
    return PARE_OK;
}

/* Appends a code point in UTF-8. */
static pare_status put_point(struct pare_deriver_run *run, uint32_t point, pare_buffer *to)
{
    return point < 0x80 ? put_byte(run, point, to) : pare_unicode_append(to, point, run->err);
}

/* Visible ASCII is preferred: it is the whole set, unless the set has none or the unusual is
 * asked for and drawn. */
pare_status pare_deriver_tokens_put_character(struct pare_deriver_run *run, pare_index expr,
                                              pare_buffer *to)
{
    const pare_expansion_table *table = run->d->table;
    const pare_characters *set = &table->characters[table->details[expr]];
    uint32_t index = 0;
    pare_status status = PARE_OK;
    bool unusual = !set->n_plain;
    if (!unusual && set->n_total > set->n_plain && run->d->options.unusual > 0)
        status = pare_deriver_draw_chance(run, run->d->options.unusual, &unusual);
    uint32_t n = unusual ? set->n_total : set->n_plain;
    if (!status && n > 1) status = pare_deriver_draw(run, PARE_CHOICE_NUMBER, n, &index);
    if (!status && index < set->n_plain) return put_byte(run, (unsigned char)set->plain[index], to);
    return status ? status
                  : put_point(run, pare_expansion_table_character_at(table, set, index), to);
}

/* Case is kept as the grammar writes it, also where it does not matter. */
pare_status pare_deriver_tokens_put_literal(struct pare_deriver_run *run, const pare_expr *expr,
                                            pare_buffer *to)
{
    const uint32_t *points = run->d->grammar->code_points + expr->text.offset;
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < expr->text.size; i++)
        status = put_point(run, points[i], to);
    return status;
}

/* --- tokens ------------------------------------------------------------------------- */

/* Where in a token something is made: calls of rules around it, expressions within
 * expressions. */
struct place {
    uint32_t calls, nesting;
};

static pare_status make_lexical(struct pare_deriver_run *run, pare_index expr, struct place place);

/* Makes the rounds of a quantifier in a lexer rule: the first of a PLUS is certain, others are
 * drawn while calls are few enough. */
static pare_status make_rounds(struct pare_deriver_run *run, pare_index quantifier,
                               struct place place)
{
    const pare_expr *expr = &run->d->grammar->exprs[quantifier];
    pare_least least = run->d->table->exprs[expr->first];
    pare_status status = PARE_OK;
    bool more = expr->kind == PARE_EXPR_PLUS, once = expr->kind == PARE_EXPR_OPTIONAL;
    /* Deep in calls a round that calls again is not even drawn. */
    bool possible =
        least.depth != PARE_NO_SIZE && place.calls + least.depth <= PARE_DERIVER_LEXICAL_DEPTH;
    for (size_t n = 0; !status; n++) {
        if ((!more || n) && possible && !(once && n))
            status = pare_deriver_choose_more(run, quantifier, &more);
        else if (n || !more)
            more = false;
        if (status || !more) return status;
        status = make_lexical(run, expr->first, place);
    }
    return status;
}

/* Chooses a way in a lexer rule.  Deep in calls only the smallest ways are left, so that rules
 * that call themselves end.  The sizes of ways in lexer rules count calls. */
static pare_status choose_lexical(struct pare_deriver_run *run, pare_index expr, struct place place,
                                  pare_index *chosen)
{
    struct pare_deriver *d = run->d;
    const pare_ways *ways = &d->table->choices[d->table->details[expr]];
    /* Any way fits if the largest does. */
    bool any = place.calls + ways->depth <= PARE_DERIVER_LEXICAL_DEPTH;
    uint32_t found = 0, n = any ? ways->n : pare_deriver_tokens_count_smallest(d, ways);
    pare_status status = pare_deriver_pick(run, ways, n, false, &found);
    *chosen = d->table->ways[found].expr;
    return status;
}

/* Makes a list of expressions but for the last, which is *last.  The last one is left to the
 * caller, which makes it without recursion. */
static pare_status make_list(struct pare_deriver_run *run, pare_index first, struct place place,
                             pare_index *last)
{
    const pare_expr *exprs = run->d->grammar->exprs;
    pare_status status = PARE_OK;
    *last = first;
    while (!status && *last != PARE_NO_INDEX && exprs[*last].next != PARE_NO_INDEX) {
        status = make_lexical(run, *last, place);
        *last = exprs[*last].next;
    }
    return status;
}

/* Appends a text of an expression of a lexer rule to the piece.  What stands last is made in
 * the place of the whole, without a call, so that recursion is as deep as a token nests, not
 * as long as it is. */
static pare_status make_lexical(struct pare_deriver_run *run, pare_index expr, struct place place)
{
    const pare_grammar *grammar = run->d->grammar;
    pare_status status = PARE_OK;
    while (!status && expr != PARE_NO_INDEX) {
        const pare_expr *e = &grammar->exprs[expr];
        if (++place.nesting > PARE_DERIVER_LEXICAL_NESTING)
            return pare_deriver_tokens_fail_nesting(run);
        switch (e->kind) {
        case PARE_EXPR_SEQUENCE: status = make_list(run, e->first, place, &expr); break;
        case PARE_EXPR_CHOICE: status = choose_lexical(run, expr, place, &expr); break;
        case PARE_EXPR_OPTIONAL:
        case PARE_EXPR_STAR:
        case PARE_EXPR_PLUS: return make_rounds(run, expr, place);
        case PARE_EXPR_RULE:
            /* The rule's body takes the place of its use. */
            place.calls++;
            expr = grammar->rules[e->rule].body;
            break;
        case PARE_EXPR_LITERAL: return pare_deriver_tokens_put_literal(run, e, &run->d->piece);
        case PARE_EXPR_SET:
        case PARE_EXPR_ANY: return pare_deriver_tokens_put_character(run, expr, &run->d->piece);
        case PARE_EXPR_EMPTY:
        case PARE_EXPR_END:
        case PARE_EXPR_TOKEN: return PARE_OK;
        }
    }
    return status;
}

/* Appends a text of a lexer rule, without its hooks, to the piece, which a hook may have begun. */
static pare_status make_text(struct pare_deriver_run *run, pare_index rule)
{
    if (run->d->plain) return pare_deriver_plain_make(run, rule);
    return make_lexical(run, run->d->grammar->rules[rule].body, (struct place){0, 0});
}

/* What a hook around a lexer rule may ask for. */
struct wanted_piece {
    struct pare_deriver_run *run;
    pare_index rule;
};

/* Makes the token's text, as a pre hook of its lexer rule asks for.  The text goes into the
 * piece, where the hook finds it. */
static pare_status make_wanted(void *self, pare_error *err)
{
    const struct wanted_piece *wanted = self;
    struct pare_deriver_run run = *wanted->run;
    run.err = err;
    return make_text(&run, wanted->rule);
}

/* Calls a hook of a lexer rule; the text that it gives replaces the piece, and *replaced says
 * so. */
static pare_status call_lexical(struct pare_deriver_run *run, pare_hook_number hook,
                                const struct wanted_piece *wanted, bool *replaced)
{
    struct pare_deriver *d = run->d;
    pare_buffer result = {0};
    bool is_pre = d->hooked.rules[wanted->rule].pre == hook;
    const pare_hook_host host = {run->choices, &d->hooked.declared, &d->piece, (void *)wanted,
                                 is_pre ? make_wanted : NULL};
    const char *text = is_pre ? NULL : d->piece.size ? d->piece.data : "";
    const pare_hook_call called = {hook, &host, d->grammar->rules[wanted->rule].name, text,
                                   d->piece.size};
    *replaced = false;
    if (hook == PARE_NO_HOOK) return PARE_OK;
    pare_status status = pare_hooks_call(d->hooked.hooks, &called, &result, replaced, run->err);
    if (!status && *replaced) {
        pare_buffer_reset(&d->piece);
        if (result.size) status = pare_buffer_add(&d->piece, result.data, result.size, run->err);
    }
    pare_buffer_done(&result);
    return status;
}

/* Makes a text of a lexer rule with its hooks: the pre hook's text, if it gives one, stands in
 * the place of the rule's.  A hook may give a text that its rule could not make; the lexer
 * judges it like any other. */
static pare_status make_hooked(struct pare_deriver_run *run, pare_index rule)
{
    pare_hook_pair pair = run->d->hooked.rules[rule];
    const struct wanted_piece wanted = {run, rule};
    bool replaced;
    pare_status status = call_lexical(run, pair.pre, &wanted, &replaced);
    if (!status && !replaced) status = make_text(run, rule);
    return status ? status : call_lexical(run, pair.post, &wanted, &replaced);
}

/* Notes that a token was put: it is the first one of everything with hooks around it that has
 * none yet.  The walk stops at the first that has a token: whatever is around that has one,
 * too. */
static void note_token(struct pare_deriver *d)
{
    for (size_t i = d->hooked.n; i-- > 0 && !d->hooked.stack[i].begun;) {
        d->hooked.stack[i].begun = true;
        d->hooked.stack[i].begin = pare_token_separator_last(d->separator);
    }
}

/* Whether a hook may change the text of a token of these makers. */
static bool is_hooked(const struct pare_deriver *d, const pare_makers *makers)
{
    for (uint32_t i = 0; d->hooked.hooks && i < makers->n; i++) {
        pare_hook_pair pair = d->hooked.rules[d->table->makers[makers->first + i]];
        if (pair.pre != PARE_NO_HOOK || pair.post != PARE_NO_HOOK) return true;
    }
    return false;
}

/* Appends a text that the token is known to have in the rule, drawn by weight; *taken is false
 * when one is to be made, which is so now and then also where some are known. */
static pare_status take_leaf(struct pare_deriver_run *run, pare_index rule, pare_index token,
                             bool *taken)
{
    uint32_t which = 0;
    const pare_leaves *leaves = pare_expansion_table_leaves(run->d->table, rule, token);
    *taken = false;
    if (!leaves) return PARE_OK;
    /* Drawn first, so that the choice is there whether a text is taken or made. */
    pare_status status = pare_deriver_draw_chance(run, 1 - run->d->table->fresh, taken);
    if (status || !*taken) return status;
    if (leaves->n > 1)
        status = pare_choices_weighted(run->choices, leaves->weights, leaves->n, &which, run->err);
    if (status) return status;
    const pare_leaf *leaf = &leaves->texts[which];
    return pare_buffer_add(&run->d->piece, leaf->text, leaf->size, run->err);
}

/* Makes the piece one text for a token type, in the rule `in`.  It may be read as something
 * else where it is put. */
static pare_status make_piece(struct pare_deriver_run *run, pare_index in, pare_index token)
{
    const pare_expansion_table *table = run->d->table;
    const pare_makers *makers = &table->tokens[token];
    uint32_t which = 0;
    bool taken = false;
    pare_buffer_reset(&run->d->piece);
    pare_status status = PARE_OK;
    if (table->n_leaves && !is_hooked(run->d, makers)) status = take_leaf(run, in, token, &taken);
    if (!status && !taken && makers->n > 1)
        status = pare_deriver_draw(run, PARE_CHOICE_BRANCH, makers->n, &which);
    if (status || taken) return status;
    pare_index rule = table->makers[makers->first + which];
    if (run->d->hooked.hooks) return make_hooked(run, rule);
    return make_text(run, rule);
}

/* PARE_E_LIMIT: no other attempt would do better. */
pare_status pare_deriver_tokens_fail_nesting(struct pare_deriver_run *run)
{
    return pare_fail(run->err, PARE_E_LIMIT, "a token of the grammar is nested too deeply");
}

/* Says that a token, or the text of a hook, cannot stand here.  The sentence names the token, since the
 * grammar is what has to be looked at. */
static pare_status fail(struct pare_deriver_run *run, pare_index token)
{
    const pare_token_type *type = &run->d->grammar->tokens[token];
    if (run->d->ended)
        return pare_fail(run->err, PARE_E_UNSUPPORTED,
                         "the file of choices ends before the text is complete");
    return pare_fail(run->err, PARE_E_UNSUPPORTED,
                     "a token %s would be read as something else at its place",
                     type->name      ? type->name
                     : type->literal ? type->literal
                                     : "?");
}

/* Whether the byte may be part of a word in any language: letters, digits, `_`, everything
 * beyond ASCII. */
static bool is_word(unsigned char c)
{
    return isalnum(c) || c == '_' || c >= 0x80;
}

/* Whether the byte may be part of an operator in some language. */
static bool is_sign(unsigned char c)
{
    return c && strchr("+-*/%&|^!=<>?:.~@#$\\", c) != NULL;
}

/* Whether two bytes, put side by side, might make one token of two: both of a word, or both of an
 * operator.  A guess for languages whose lexer is not ours; their parser has the last word. */
bool pare_deriver_are_apart(char left, char right)
{
    const unsigned char l = (unsigned char)left, r = (unsigned char)right;
    return (is_word(l) && is_word(r)) || (is_sign(l) && is_sign(r));
}

/* Puts a token that no lexer of ours reads: with a space before it if it and its neighbour are
 * both words, or signs. */
static pare_status put_unread(struct pare_deriver_run *run, pare_index in, pare_index token)
{
    struct pare_deriver *d = run->d;
    const pare_makers *makers = &d->table->tokens[token];
    const char *piece = makers->text;
    size_t size = makers->size, before = run->text->size;
    pare_status status = d->ended ? fail(run, token) : PARE_OK;
    if (!status && (!piece || is_hooked(d, makers))) {
        status = make_piece(run, in, token);
        piece = d->piece.data;
        size = d->piece.size;
    }
    if (status || !size) return status;
    d->tokens++;
    /* At the beginning there is no neighbour: 0 is neither word nor sign. */
    if (pare_deriver_are_apart(before ? run->text->data[before - 1] : '\0', piece[0]))
        status = put_byte(run, ' ', run->text);
    return status ? status : pare_buffer_add(run->text, piece, size, run->err);
}

/* Puts a token in one of three ways, the cheapest first: one with a fixed text is copied where
 * its neighbour was met before; else it is read once and put; one that has to be made is made
 * until it reads as itself. */
pare_status pare_deriver_tokens_put(struct pare_deriver_run *run, pare_index in, pare_index token)
{
    if (!run->d->separator) return put_unread(run, in, token);
    struct pare_deriver *d = run->d;
    const pare_makers *makers = &d->table->tokens[token];
    const char *piece = makers->text;
    size_t size = makers->size;
    bool yes = false, clean = false, fixed = piece && !is_hooked(d, makers);
    pare_status status = d->ended ? fail(run, token) : PARE_OK;
    if (!status && fixed) {
        bool put = pare_token_separator_put_at_once(d->separator, token, run->text);
        if (!put)
            status = pare_token_separator_put_known(d->separator, token, run->text, &put, run->err);
        if (put) {
            d->tokens++;
            if (d->hooked.n) note_token(d);
            return PARE_OK;
        }
    }
    /* A fixed text is read once: trying again would change nothing. */
    for (int i = 0; !status && !yes && i < (fixed ? 1 : ATTEMPTS); i++) {
        if (!fixed) {
            status = make_piece(run, in, token);
            piece = d->piece.data;
            size = d->piece.size;
        }
        if (!status && size)
            status = fixed ? pare_token_separator_reads_fixed(d->separator, token, &yes, run->err)
                           : pare_token_separator_reads(d->separator, piece, size, token, &yes,
                                                        run->err);
    }
    if (status) return status;
    if (!yes) return fail(run, token);
    d->tokens++;
    status = pare_token_separator_put(d->separator, piece, size, run->text, &clean, run->err);
    if (!status && d->hooked.n) note_token(d);
    return status || clean ? status : fail(run, token);
}
