/* Content models: a simulation of the nondeterministic automaton that the body is.
 *
 * A state is a place before or behind an expression, 2 * expression or one more; nothing
 * is built, since parents and siblings tell where a place leads.  The set of places after
 * each child is closed with a stack, which is the set itself, still growing.
 * Source: Thompson, "Regular expression search algorithm", CACM 1968. */
#include "grammar/body_match.h"

#include "base/alloc.h"
#include "base/status.h"
#include "grammar/grammar.h"

void pare_body_matcher_done(pare_body_matcher *matcher)
{
    pare_release(matcher->now);
    pare_release(matcher->next);
    pare_release(matcher->seen);
    *matcher = (pare_body_matcher){0};
}

pare_status pare_body_matcher_init(pare_body_matcher *matcher, const pare_links *links,
                                   const pare_subtypes *subtypes, pare_error *err)
{
    size_t n_states = 2 * links->grammar->n_exprs;
    *matcher = (pare_body_matcher){
        .links = links,
        .subtypes = subtypes,
        .now = pare_alloc(n_states, sizeof *matcher->now),
        .next = pare_alloc(n_states, sizeof *matcher->next),
        .seen = pare_alloc_zero(n_states, sizeof *matcher->seen),
    };
    if (matcher->now && matcher->next && matcher->seen) return PARE_OK;
    pare_body_matcher_done(matcher);
    return pare_fail_nomem(err);
}

static pare_index before(pare_index expr)
{
    return 2 * expr;
}

static pare_index behind(pare_index expr)
{
    return 2 * expr + 1;
}

static void reach(pare_body_matcher *matcher, pare_index state)
{
    if (matcher->seen[state] == matcher->round) return;
    matcher->seen[state] = matcher->round;
    matcher->next[matcher->n_next++] = state;
}

/* Where the place before an expression leads without a child. */
static void enter(pare_body_matcher *matcher, pare_index index)
{
    const pare_expr *exprs = matcher->links->grammar->exprs;
    const pare_expr *expr = &exprs[index];
    switch (expr->kind) {
    case PARE_EXPR_EMPTY: reach(matcher, behind(index)); break;
    case PARE_EXPR_CHOICE:
        for (pare_index c = expr->first; c != PARE_NO_INDEX; c = exprs[c].next)
            reach(matcher, before(c));
        break;
    case PARE_EXPR_OPTIONAL:
    case PARE_EXPR_STAR:
        reach(matcher, behind(index));
        reach(matcher, before(expr->first));
        break;
    case PARE_EXPR_SEQUENCE:
    case PARE_EXPR_PLUS: reach(matcher, before(expr->first)); break;
    default: break;
    }
}

/* Where the place behind an expression leads. */
static void leave(pare_body_matcher *matcher, pare_index index)
{
    const pare_expr *exprs = matcher->links->grammar->exprs;
    pare_index parent = matcher->links->parent[index];
    if (parent == PARE_NO_INDEX) return;
    pare_expr_kind kind = exprs[parent].kind;
    if (kind == PARE_EXPR_SEQUENCE && exprs[index].next != PARE_NO_INDEX) {
        reach(matcher, before(exprs[index].next));
        return;
    }
    if (kind == PARE_EXPR_STAR || kind == PARE_EXPR_PLUS) reach(matcher, before(index));
    reach(matcher, behind(parent));
}

/* Completes the set being made, and makes it the current one. */
static void close_set(pare_body_matcher *matcher)
{
    for (size_t i = 0; i < matcher->n_next; i++) {
        pare_index state = matcher->next[i];
        if (state & 1)
            leave(matcher, state / 2);
        else
            enter(matcher, state / 2);
    }
    pare_index *states = matcher->now;
    matcher->now = matcher->next;
    matcher->n_now = matcher->n_next;
    matcher->next = states;
}

static void start_set(pare_body_matcher *matcher)
{
    matcher->n_next = 0;
    if (++matcher->round) return;
    for (size_t i = 0; i < 2 * matcher->links->grammar->n_exprs; i++)
        matcher->seen[i] = 0;
    matcher->round = 1;
}

static bool is_in_set(const pare_grammar *grammar, pare_index set, uint32_t value)
{
    if (!grammar->sets[set].n) return false;
    const pare_interval *interval = grammar->intervals + grammar->sets[set].first;
    for (uint32_t i = 0; i < grammar->sets[set].n; i++)
        if (interval[i].from <= value && value <= interval[i].to) return true;
    return false;
}

/* Whether the child is what a leaf of the body stands for. */
static bool fits(const pare_body_matcher *matcher, const pare_expr *expr, pare_symbol child)
{
    const pare_grammar *grammar = matcher->links->grammar;
    bool is_token = child.kind == PARE_SYMBOL_TOKEN;
    switch (expr->kind) {
    case PARE_EXPR_RULE:
        if (child.kind == PARE_SYMBOL_RULE && child.index == expr->rule) return true;
        if (!matcher->subtypes || child.kind == PARE_SYMBOL_TEXT) return false;
        return is_token ? pare_subtypes_has_token(matcher->subtypes, expr->rule, child.index)
                        : pare_subtypes_has_rule(matcher->subtypes, expr->rule, child.index);
    case PARE_EXPR_TOKEN: return is_token && child.index == expr->token;
    case PARE_EXPR_END: return is_token && child.index == PARE_TOKEN_END;
    case PARE_EXPR_LITERAL: return child.kind == PARE_SYMBOL_TEXT;
    case PARE_EXPR_SET:
        if (grammar->scannerless) return child.kind == PARE_SYMBOL_TEXT;
        return is_token && is_in_set(grammar, expr->set, child.index);
    case PARE_EXPR_ANY:
        if (grammar->scannerless) return child.kind == PARE_SYMBOL_TEXT;
        return is_token && child.index != PARE_TOKEN_END;
    default: return false;
    }
}

static void step(pare_body_matcher *matcher, pare_symbol child)
{
    start_set(matcher);
    for (size_t i = 0; i < matcher->n_now; i++) {
        pare_index state = matcher->now[i];
        if (state & 1) continue;
        if (fits(matcher, &matcher->links->grammar->exprs[state / 2], child))
            reach(matcher, behind(state / 2));
    }
    close_set(matcher);
}

bool pare_body_match(pare_body_matcher *matcher, pare_index rule, const pare_symbol *children,
                     size_t n)
{
    pare_index body = matcher->links->grammar->rules[rule].body;
    start_set(matcher);
    reach(matcher, before(body));
    close_set(matcher);
    for (size_t i = 0; i < n && matcher->n_now; i++)
        if (children[i].kind != PARE_SYMBOL_NONE) step(matcher, children[i]);
    for (size_t i = 0; i < matcher->n_now; i++)
        if (matcher->now[i] == behind(body)) return true;
    return false;
}
