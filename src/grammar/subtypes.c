/* Rule subtyping: which rules and tokens a node of a rule can become with all else empty.
 *
 * Each rule's own row is found by one walk over its body, from parents to children: what can
 * stand alone is handed down.  Then each row is closed by one search over rows of bits, 64 rules
 * at a time.  O(rules^2 * words of a row) at worst; grammars have few chains, so in practice each
 * row is united with a few dozen others.
 * Source: see subtypes.h. */
#include "grammar/subtypes.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "grammar/grammar.h"

enum { MOST_RULES = 30000 };

void pare_subtypes_done(pare_subtypes *subtypes)
{
    pare_alloc_free(subtypes->rows);
    *subtypes = (pare_subtypes){0};
}

static uint64_t *row_of(const pare_subtypes *subtypes, size_t rule)
{
    return subtypes->rows + rule * subtypes->row_words;
}

static bool has(const pare_subtypes *subtypes, size_t rule, size_t bit)
{
    assert(rule < subtypes->n_rules && bit < subtypes->n_rules + subtypes->n_tokens);
    return row_of(subtypes, rule)[bit / 64] >> (bit % 64) & 1;
}

static void set_bit(pare_subtypes *subtypes, size_t rule, size_t bit)
{
    row_of(subtypes, rule)[bit / 64] |= UINT64_C(1) << (bit % 64);
}

bool pare_subtypes_has_rule(const pare_subtypes *subtypes, pare_index expected, pare_index rule)
{
    return has(subtypes, expected, rule);
}

bool pare_subtypes_has_token(const pare_subtypes *subtypes, pare_index expected, pare_index token)
{
    return has(subtypes, expected, subtypes->n_rules + token);
}

/* Marks the expressions that can be all there is of their rule, from the bodies down:
 * parents have larger indices. */
static void mark_alone(const pare_analysis *analysis, uint8_t *alone)
{
    const pare_grammar *grammar = analysis->grammar;
    for (size_t i = 0; i < grammar->n_rules; i++)
        alone[grammar->rules[i].body] = 1;
    for (size_t i = grammar->n_exprs; i-- > 0;) {
        if (!alone[i]) continue;
        size_t n_solid = 0;
        const pare_expr *expr = &grammar->exprs[i];
        bool is_sequence = expr->kind == PARE_EXPR_SEQUENCE;
        for (pare_index c = expr->first; c != PARE_NO_INDEX; c = grammar->exprs[c].next)
            n_solid += !analysis->expr_nullable[c];
        for (pare_index c = expr->first; c != PARE_NO_INDEX; c = grammar->exprs[c].next)
            alone[c] =
                !is_sequence || n_solid == 0 || (n_solid == 1 && !analysis->expr_nullable[c]);
    }
}

/* The own row of each parser rule: the rules and tokens that can be all there is of its body. */
static void enter_own(pare_subtypes *subtypes, const pare_analysis *analysis, const uint8_t *alone)
{
    const pare_grammar *grammar = analysis->grammar;
    for (size_t i = 0; i < grammar->n_exprs; i++) {
        const pare_expr *expr = &grammar->exprs[i];
        pare_index rule = analysis->links.rule[i];
        if (!alone[i] || rule == PARE_NO_INDEX) continue;
        if (grammar->rules[rule].kind != PARE_RULE_PARSER) continue;
        if (expr->kind == PARE_EXPR_RULE) set_bit(subtypes, rule, expr->rule);
        if (expr->kind == PARE_EXPR_TOKEN) set_bit(subtypes, rule, subtypes->n_rules + expr->token);
    }
}

/* Adds to the row of `rule` the rows of all that it reaches; `queue` has room for all. */
static void close_row(pare_subtypes *subtypes, size_t rule, uint64_t *row, pare_index *queue)
{
    size_t n = 0;
    memcpy(row, row_of(subtypes, rule), subtypes->row_words * sizeof *row);
    for (size_t i = 0; i < subtypes->n_rules; i++)
        if (row[i / 64] >> (i % 64) & 1) queue[n++] = (pare_index)i;
    for (size_t at = 0; at < n; at++) {
        const uint64_t *more = row_of(subtypes, queue[at]);
        for (size_t w = 0; w < subtypes->row_words; w++) {
            uint64_t fresh = more[w] & ~row[w];
            row[w] |= fresh;
            for (; fresh; fresh &= fresh - 1) {
                size_t bit = w * 64 + (size_t)__builtin_ctzll(fresh);
                if (bit < subtypes->n_rules) queue[n++] = (pare_index)bit;
            }
        }
    }
    assert(n <= subtypes->n_rules);
    memcpy(row_of(subtypes, rule), row, subtypes->row_words * sizeof *row);
}

/* One allocation for all rows; 30,000 rules would take 112 MB and more, so that is the limit. */
pare_status pare_subtypes_init(pare_subtypes *subtypes, const pare_analysis *analysis,
                               pare_error *err)
{
    const pare_grammar *grammar = analysis->grammar;
    *subtypes = (pare_subtypes){0};
    if (grammar->n_rules > MOST_RULES)
        return pare_fail(err, PARE_E_LIMIT, "the grammar has more than %d rules", MOST_RULES);
    *subtypes = (pare_subtypes){
        .n_rules = grammar->n_rules,
        .n_tokens = grammar->n_tokens,
        .row_words = (grammar->n_rules + grammar->n_tokens + 63) / 64,
    };
    subtypes->rows = pare_alloc_zero(subtypes->row_words * grammar->n_rules, sizeof(uint64_t));
    uint8_t *alone = pare_alloc_zero(grammar->n_exprs, 1);
    uint64_t *row = pare_alloc(subtypes->row_words, sizeof *row);
    pare_index *queue = pare_alloc(grammar->n_rules, sizeof *queue);
    pare_status status = PARE_OK;
    if (!subtypes->rows || !alone || !row || !queue) {
        pare_subtypes_done(subtypes);
        status = pare_fail_nomem(err);
    } else {
        mark_alone(analysis, alone);
        enter_own(subtypes, analysis, alone);
        for (size_t i = 0; i < grammar->n_rules; i++)
            close_row(subtypes, i, row, queue);
    }
    pare_alloc_free(alone);
    pare_alloc_free(row);
    pare_alloc_free(queue);
    return status;
}
