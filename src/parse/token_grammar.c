/* What a grammar says about the inside of its tokens, with the lexer as the judge.
 *
 * Trees of tokens are those of the first rule that matches (token_tree.h); simplest texts are
 * written by a walk over the minimal picks.  Whether a token may be replaced is asked of the lexer
 * itself: the tokens around it must come out as before, which no rule of thumb about neighbours
 * decides right (a keyword may appear, a comment may begin).  Only the surroundings are lexed, so
 * a question costs a few dozen bytes, not the text. */
#include "parse/token_grammar.h"

#include <assert.h>
#include <utf8proc.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "grammar/grammar.h"
#include "parse/lexer.h"
#include "text/order.h"

struct pare_token_grammar {
    const pare_minimal_texts *minimal;
    const pare_grammar *grammar;
    pare_lexer *lexer;         /* owned */
    pare_tokens before, after; /* of the last two texts */
    pare_buffer bytes;
};

enum { DEEPEST = 256, N_ASCII = 128 };

pare_status pare_token_grammar_new(const pare_minimal_texts *minimal, pare_token_grammar **out,
                                   pare_error *err)
{
    pare_token_grammar *rules = pare_alloc_zero(1, sizeof *rules);
    if (!rules) return pare_fail_nomem(err);
    rules->minimal = minimal;
    rules->grammar = minimal->analysis->grammar;
    pare_status status = pare_lexer_new(rules->grammar, &rules->lexer, err);
    if (status)
        pare_token_grammar_free(rules);
    else
        *out = rules;
    return status;
}

void pare_token_grammar_free(pare_token_grammar *rules)
{
    if (!rules) return;
    pare_lexer_free(rules->lexer);
    pare_lexer_tokens_done(&rules->before);
    pare_lexer_tokens_done(&rules->after);
    pare_buffer_done(&rules->bytes);
    pare_alloc_free(rules);
}

const pare_grammar *pare_token_grammar_grammar(const pare_token_grammar *rules)
{
    return rules->grammar;
}

/* --- trees --------------------------------------------------------------------------- */

/* Whether the rule gives its tokens that type: its own, or by a command. */
static bool makes(const pare_grammar *grammar, const pare_rule *rule, pare_index token)
{
    if (rule->kind != PARE_RULE_LEXER) return false;
    if (rule->token == token) return true;
    for (uint32_t i = 0; i < rule->n_commands; i++) {
        const pare_lexer_command *command = &grammar->commands[rule->first_command + i];
        if (command->kind == PARE_LEXER_TYPE && command->value == token) return true;
    }
    return false;
}

/* Rules are tried in their order, which is the lexer's preference among equal lengths. */
pare_status pare_token_grammar_tree(const pare_token_grammar *rules, pare_index token,
                                    const char *text, size_t size, pare_token_tree *tree,
                                    pare_error *err)
{
    const pare_grammar *grammar = rules->grammar;
    pare_status status = PARE_OK;
    tree->n = 0;
    for (pare_index i = 0; !status && tree->n == 0 && i < grammar->n_rules; i++)
        if (makes(grammar, &grammar->rules[i], token))
            status = pare_token_tree_make(grammar, i, text, size, tree, err);
    return status;
}

/* --- texts --------------------------------------------------------------------------- */

static bool is_in(const pare_grammar *grammar, const pare_expr *e, uint32_t point)
{
    if (e->kind == PARE_EXPR_ANY) return true;
    const pare_set *set = &grammar->sets[e->set];
    for (uint32_t i = 0; i < set->n; i++) {
        pare_interval range = grammar->intervals[set->first + i];
        if (range.from <= point && point <= range.to) return true;
    }
    return false;
}

static int kind_of(uint32_t point)
{
    if (point >= '0' && point <= '9') return 0;
    if (point >= 'a' && point <= 'z') return 1;
    return point >= 'A' && point <= 'Z' ? 2 : 3;
}

uint32_t pare_token_grammar_simplest(const pare_token_grammar *rules, pare_index expr,
                                     uint32_t like)
{
    const pare_expr *e = &rules->grammar->exprs[expr];
    uint32_t best = PARE_NO_INDEX;
    for (uint32_t point = 0; point < N_ASCII; point++) {
        unsigned rank = pare_order_byte_rank((unsigned char)point);
        if (like != PARE_NO_INDEX && kind_of(point) != kind_of(like)) continue;
        if (!is_in(rules->grammar, e, point)) continue;
        if (best == PARE_NO_INDEX || rank < pare_order_byte_rank((unsigned char)best)) best = point;
    }
    return best;
}

static pare_status add_point(pare_buffer *text, uint32_t point, pare_error *err)
{
    utf8proc_uint8_t bytes[4];
    utf8proc_ssize_t size = utf8proc_encode_char((utf8proc_int32_t)point, bytes);
    return pare_buffer_add(text, bytes, size > 0 ? (size_t)size : 0, err);
}

/* The simplest character of the set; sets without a character cannot be spelled. */
static pare_status spell_set(const pare_token_grammar *rules, pare_index expr, pare_buffer *text,
                             pare_error *err)
{
    const pare_grammar *grammar = rules->grammar;
    uint32_t point = pare_token_grammar_simplest(rules, expr, PARE_NO_INDEX);
    if (point == PARE_NO_INDEX) {
        const pare_set *set = &grammar->sets[grammar->exprs[expr].set];
        if (!set->n) return PARE_OK;
        point = grammar->intervals[set->first].from;
    }
    return add_point(text, point, err);
}

/* Calls itself as deep as the rules call one another on the way to their shortest texts,
 * on which no rule calls itself. */
static pare_status spell(const pare_token_grammar *rules, pare_index expr, unsigned depth,
                         pare_buffer *text, bool *spelled, pare_error *err)
{
    const pare_grammar *grammar = rules->grammar;
    const pare_expr *e = &grammar->exprs[expr];
    pare_status status = PARE_OK;
    if (depth == DEEPEST) *spelled = false;
    if (!*spelled || rules->minimal->exprs[expr].size_bytes == 0) return PARE_OK;
    switch (e->kind) {
    case PARE_EXPR_SET:
    case PARE_EXPR_ANY: return spell_set(rules, expr, text, err);
    case PARE_EXPR_LITERAL:
        for (uint32_t i = 0; !status && i < e->text.size; i++)
            status = add_point(text, grammar->code_points[e->text.offset + i], err);
        return status;
    case PARE_EXPR_SEQUENCE:
        for (pare_index c = e->first; !status && c != PARE_NO_INDEX; c = grammar->exprs[c].next)
            status = spell(rules, c, depth + 1, text, spelled, err);
        return status;
    case PARE_EXPR_CHOICE:
        return spell(rules, rules->minimal->exprs[expr].pick, depth + 1, text, spelled, err);
    case PARE_EXPR_RULE:
        return spell(rules, grammar->rules[e->rule].body, depth + 1, text, spelled, err);
    case PARE_EXPR_PLUS: return spell(rules, e->first, depth + 1, text, spelled, err);
    case PARE_EXPR_OPTIONAL:
    case PARE_EXPR_STAR:
    case PARE_EXPR_EMPTY:
    case PARE_EXPR_END:
    case PARE_EXPR_TOKEN: break;
    }
    return PARE_OK;
}

pare_status pare_token_grammar_spell(const pare_token_grammar *rules, pare_index expr,
                                     pare_buffer *text, bool *spelled, pare_error *err)
{
    size_t before = text->size;
    *spelled = rules->minimal->exprs[expr].size_bytes <= PARE_TOKEN_TREE_CHARACTERS;
    pare_status status = spell(rules, expr, 0, text, spelled, err);
    if (text->size > before && (status || !*spelled)) text->size = before;
    return status;
}

/* --- the lexer ----------------------------------------------------------------------- */

static pare_index mode_of(const pare_token_grammar *rules, pare_index token)
{
    pare_index rule = rules->minimal->token_rules[token];
    return rule == PARE_NO_INDEX ? 0 : rules->grammar->rules[rule].mode;
}

/* Lexes the surroundings with `text` in the token's place, from the mode in which the first
 * token begins. */
static pare_status lex(pare_token_grammar *rules, const pare_token_place *place, const char *text,
                       size_t size, pare_tokens *tokens, pare_error *err)
{
    pare_buffer *bytes = &rules->bytes;
    pare_error limit = {.status = PARE_OK};
    pare_index mode = mode_of(rules, place->before_size ? place->before_token : place->token);
    pare_buffer_reset(bytes);
    tokens->n = tokens->n_errors = 0;
    pare_status status = pare_buffer_add(bytes, place->before, place->before_size, err);
    if (!status) status = pare_buffer_add(bytes, text, size, err);
    if (!status) status = pare_buffer_add(bytes, place->after, place->after_size, err);
    if (status) return status;
    status = pare_lexer_run_in(rules->lexer, mode, bytes->data, bytes->size, tokens, &limit);
    if (status == PARE_E_NOMEM) return pare_fail_nomem(err);
    return PARE_OK; /* beyond its limits there are no tokens */
}

/* Whether token `b` is token `a` where all after byte `from` has moved by `by` bytes. */
static bool is_moved(pare_token a, pare_token b, size_t from, size_t by)
{
    bool begin = a.begin > from ? b.begin + by == a.begin : b.begin == a.begin;
    bool end = a.end > from ? b.end + by == a.end : b.end == a.end;
    return a.type == b.type && a.channel == b.channel && begin && end;
}

/* Compares the tokens of both texts one by one; those after the place are moved by the
 * difference in size. */
pare_status pare_token_grammar_keep(pare_token_grammar *rules, const pare_token_place *place,
                                    const char *text, size_t size, bool *kept, pare_error *err)
{
    bool found = false;
    *kept = false;
    assert(place->token < rules->grammar->n_tokens);
    if (!size || size > place->size) return PARE_OK;
    pare_status status = lex(rules, place, place->text, place->size, &rules->before, err);
    if (!status) status = lex(rules, place, text, size, &rules->after, err);
    if (status || rules->before.n != rules->after.n) return status;
    for (size_t i = 0; i < rules->before.n; i++) {
        pare_token a = rules->before.tokens[i], b = rules->after.tokens[i];
        if (!is_moved(a, b, place->before_size, place->size - size)) return PARE_OK;
        found = found || (a.type == place->token && a.begin == place->before_size &&
                          a.end == place->before_size + place->size);
    }
    *kept = found;
    return PARE_OK;
}
