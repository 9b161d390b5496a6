/* What follows from a grammar: links between expressions, nullability, and which rules can
 * take the place of which.
 *
 * Links: children have smaller indices than their parents (grammar.h), so that one loop
 * upwards sets the parents and one downwards hands each expression its rule; nothing recurses.
 *
 * Nullability: the least fixpoint of "can derive nothing", with a stack of what has become
 * nullable.  Invariant: an expression is pushed at most once, when its value changes, so that
 * each edge of the grammar is followed once, O(expressions); a sequence counts the children
 * that are not nullable yet.  Rounds over all rules until nothing changes would cost the
 * square of the depth.
 *
 * Subtypes: which rules and tokens a node of a rule can become with all else empty.  Each
 * rule's own row is found by one walk over its body, from parents to children: what can stand
 * alone is handed down.  Then each row is closed by one search over rows of bits, 64 rules at
 * a time.  O(rules^2 * words of a row) at worst; grammars have few chains, so in practice each
 * row is united with a few dozen others.
 *
 * Sources: Aho, Lam, Sethi, Ullman, Compilers, section 4.4.2 (nullable); for subtypes see
 * analysis.h.
 *
 * All three are computed once for a grammar and read by many: the tables are arrays by index,
 * without pointers into the grammar. */

#include "grammar/analysis.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "grammar/grammar.h"

/* --- links ----------------------------------------------------------------- */

static void done_links(pare_links *links)
{
    pare_alloc_free(links->parent);
    pare_alloc_free(links->rule);
    pare_alloc_free(links->first_use);
    pare_alloc_free(links->next_use);
    *links = (pare_links){0};
}

/* Sets parents by the lists of children, then rules, from the bodies down: the order of
 * indices makes one loop enough.  What belongs to no body keeps PARE_NO_INDEX. O(expressions),
 * each loop once over the array. */
static void link_children(pare_links *links)
{
    const pare_grammar *grammar = links->grammar;
    for (size_t i = 0; i < grammar->n_exprs; i++)
        for (pare_index c = grammar->exprs[i].first; c != PARE_NO_INDEX; c = grammar->exprs[c].next)
            links->parent[c] = (pare_index)i;
    for (size_t i = 0; i < grammar->n_rules; i++)
        links->rule[grammar->rules[i].body] = (pare_index)i;
    for (size_t i = grammar->n_exprs; i-- > 0;)
        if (links->parent[i] != PARE_NO_INDEX) links->rule[i] = links->rule[links->parent[i]];
}

/* Chains the uses of each rule.  It goes from the last expression to the first, so that the
 * uses of a rule are in ascending order. */
static void link_uses(pare_links *links)
{
    const pare_grammar *grammar = links->grammar;
    for (size_t i = grammar->n_exprs; i-- > 0;) {
        const pare_expr *expr = &grammar->exprs[i];
        if (expr->kind != PARE_EXPR_RULE || links->rule[i] == PARE_NO_INDEX) continue;
        links->next_use[i] = links->first_use[expr->rule];
        links->first_use[expr->rule] = (pare_index)i;
    }
}

/* On failure *links is all-zero.  Uses of rules that no parser rule reaches are linked too;
 * they do no harm. */
static pare_status init_links(pare_links *links, const pare_grammar *grammar, pare_error *err)
{
    size_t n = grammar->n_exprs;
    *links = (pare_links){
        .grammar = grammar,
        .parent = pare_alloc(n, sizeof *links->parent),
        .rule = pare_alloc(n, sizeof *links->rule),
        .first_use = pare_alloc(grammar->n_rules, sizeof *links->first_use),
        .next_use = pare_alloc(n, sizeof *links->next_use),
    };
    if (!links->parent || !links->rule || !links->first_use || !links->next_use) {
        done_links(links);
        return pare_fail_nomem(err);
    }
    for (size_t i = 0; i < n; i++)
        links->parent[i] = links->rule[i] = links->next_use[i] = PARE_NO_INDEX;
    for (size_t i = 0; i < grammar->n_rules; i++)
        links->first_use[i] = PARE_NO_INDEX;
    link_children(links);
    link_uses(links);
    return PARE_OK;
}

/* --- nullability ----------------------------------------------------------- */

/* The state of the search; `stack` holds what became nullable and has not told its parent yet.
 * Each expression enters the stack at most once, so n_exprs places are enough. */
struct fixpoint {
    pare_analysis *analysis;
    uint32_t *missing; /* of each sequence: children that are not nullable yet */
    pare_index *stack; /* nullable expressions whose parents were not told */
    size_t n;
};

/* Marks the expression and pushes it, once. */
static void make_nullable(struct fixpoint *fixpoint, pare_index expr)
{
    if (fixpoint->analysis->expr_nullable[expr]) return;
    fixpoint->analysis->expr_nullable[expr] = 1;
    assert(fixpoint->n < fixpoint->analysis->grammar->n_exprs);
    fixpoint->stack[fixpoint->n++] = expr;
}

/* Tells the parent that `expr` is nullable; if it is a rule's body, tells all uses of the
 * rule.  Any nullable child makes its parent nullable, but a sequence waits for all. */
static void tell(struct fixpoint *fixpoint, pare_index expr)
{
    const pare_links *links = &fixpoint->analysis->links;
    pare_index parent = links->parent[expr], rule = links->rule[expr];
    if (parent != PARE_NO_INDEX) {
        bool waits = links->grammar->exprs[parent].kind == PARE_EXPR_SEQUENCE;
        assert(!waits || fixpoint->missing[parent] > 0);
        if (!waits || --fixpoint->missing[parent] == 0) make_nullable(fixpoint, parent);
    } else if (rule != PARE_NO_INDEX && !fixpoint->analysis->rule_nullable[rule]) {
        fixpoint->analysis->rule_nullable[rule] = 1;
        for (pare_index use = links->first_use[rule]; use != PARE_NO_INDEX;
             use = links->next_use[use])
            make_nullable(fixpoint, use);
    }
}

/* Nullable whatever the children are.  END takes no character. */
static bool is_nullable_kind(pare_expr_kind kind)
{
    return kind == PARE_EXPR_EMPTY || kind == PARE_EXPR_OPTIONAL || kind == PARE_EXPR_STAR ||
           kind == PARE_EXPR_END;
}

/* Starts from what is nullable by its kind, and follows until the stack is empty.  Order does
 * not matter for the result, since the least fixpoint is unique; a stack is the cheapest
 * queue. */
static void find_nullable(struct fixpoint *fixpoint)
{
    const pare_grammar *grammar = fixpoint->analysis->grammar;
    for (size_t i = 0; i < grammar->n_exprs; i++) {
        fixpoint->missing[i] = 0;
        for (pare_index c = grammar->exprs[i].first; c != PARE_NO_INDEX; c = grammar->exprs[c].next)
            fixpoint->missing[i]++;
        if (is_nullable_kind(grammar->exprs[i].kind)) make_nullable(fixpoint, (pare_index)i);
    }
    while (fixpoint->n)
        tell(fixpoint, fixpoint->stack[--fixpoint->n]);
}

/* --- the whole ------------------------------------------------------------- */

void pare_analysis_done(pare_analysis *analysis)
{
    done_links(&analysis->links);
    pare_alloc_free(analysis->expr_nullable);
    pare_alloc_free(analysis->rule_nullable);
    *analysis = (pare_analysis){0};
}

pare_status pare_analysis_init(pare_analysis *analysis, const pare_grammar *grammar,
                               pare_error *err)
{
    *analysis = (pare_analysis){.grammar = grammar};
    pare_status status = init_links(&analysis->links, grammar, err);
    if (status) return status;
    analysis->expr_nullable = pare_alloc_zero(grammar->n_exprs, 1);
    analysis->rule_nullable = pare_alloc_zero(grammar->n_rules, 1);
    struct fixpoint fixpoint = {.analysis = analysis};
    fixpoint.stack = pare_alloc(grammar->n_exprs, sizeof *fixpoint.stack);
    fixpoint.missing = pare_alloc(grammar->n_exprs, sizeof *fixpoint.missing);
    if (analysis->expr_nullable && analysis->rule_nullable && fixpoint.stack && fixpoint.missing)
        find_nullable(&fixpoint);
    else
        status = pare_fail_nomem(err);
    pare_alloc_free(fixpoint.stack);
    pare_alloc_free(fixpoint.missing);
    if (status) pare_analysis_done(analysis);
    return status;
}

/* --- subtypes --------------------------------------------------------------- */

enum { MOST_RULES = 30000 };

void pare_analysis_subtypes_done(pare_subtypes *subtypes)
{
    pare_alloc_free(subtypes->rows);
    *subtypes = (pare_subtypes){0};
}

/* The row of a rule: a bit for each rule, then one for each token type.  One allocation holds
 * all rows, so a union of two rows is a loop over words that lie next to each other. */
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

bool pare_analysis_has_subrule(const pare_subtypes *subtypes, pare_index expected, pare_index rule)
{
    return has(subtypes, expected, rule);
}

bool pare_analysis_has_subtoken(const pare_subtypes *subtypes, pare_index expected,
                                pare_index token)
{
    return has(subtypes, expected, subtypes->n_rules + token);
}

/* Marks the expressions that can be all there is of their rule, from the bodies down: parents
 * have larger indices.  A child of a sequence can stand alone if all others can be empty; a
 * child of anything else can if its parent can.  A quantifier's child can stand alone: one
 * round of it is the whole. */
static void mark_alone(const pare_analysis *analysis, uint8_t *alone)
{
    const pare_grammar *grammar = analysis->grammar;
    for (size_t i = 0; i < grammar->n_rules; i++)
        alone[grammar->rules[i].body] = 1;
    for (size_t i = grammar->n_exprs; i-- > 0;) {
        if (!alone[i]) continue;
        /* Children that cannot be empty: with two of them, no child of the sequence can stand
         * alone. */
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

/* Enters into each parser rule's row the rules and tokens that can be all there is of its
 * body. */
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

/* Adds to the row of `rule` the rows of all that it reaches, breadth first.  `queue` has room
 * for all rules, and each enters it once, when its bit is set.  `fresh` are the bits that were
 * not set before: each enters the queue once, so a row costs O(rules it reaches * words). */
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
pare_status pare_analysis_subtypes_init(pare_subtypes *subtypes, const pare_analysis *analysis,
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
        pare_analysis_subtypes_done(subtypes);
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
