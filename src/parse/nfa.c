/* Construction of the lexer's automaton out of the lexer rules: Thompson's, without recursion.
 *
 * Each expression owns two states, where it is entered and where it is left, numbered by the
 * expression, so that a parent can be linked to its children before they are built, from a list
 * of what is pending.  A rule is built once and called, not copied at each use: lexer rules may
 * be recursive in ANTLR, so the automaton has calls, and its configurations stacks (dfa.c).
 * Edges are ordered, because the order decides between rules and makes loops greedy or lazy.
 * Source: Thompson, CACM 11(6), 1968; Parr, Harwell, Fisher, OOPSLA 2014 (ATNs). */
#include "parse/nfa.h"

#include <assert.h>
#include <string.h>

#include <utf8proc.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"

struct builder {
    pare_nfa *nfa;
    const pare_grammar *grammar;
    uint32_t *pending; /* expressions still to be linked */
    size_t n_pending, pending_capacity;
    uint32_t n_used;  /* states handed out */
    bool ignore_case; /* of the rule that is being built */
};

static uint32_t enter(pare_index expr)
{
    return 2 * expr;
}

static uint32_t leave(pare_index expr)
{
    return 2 * expr + 1;
}

static bool add_interval(pare_nfa *nfa, uint32_t from, uint32_t to)
{
    pare_interval *grown = pare_vector_reserve(nfa->intervals, &nfa->intervals_capacity,
                                               nfa->n_intervals + 1, sizeof *grown);
    if (!grown) return false;
    nfa->intervals = grown;
    nfa->intervals[nfa->n_intervals++] = (pare_interval){from, to};
    return true;
}

/* Adds the other cases of from .. to, a run of equal distance at a time. */
static bool add_other_cases(pare_nfa *nfa, uint32_t from, uint32_t to)
{
    for (uint32_t point = from; point <= to && point < 0x1E944; point++) {
        uint32_t lower = (uint32_t)utf8proc_tolower((utf8proc_int32_t)point);
        uint32_t upper = (uint32_t)utf8proc_toupper((utf8proc_int32_t)point);
        if (lower != point && !add_interval(nfa, lower, lower)) return false;
        if (upper != point && !add_interval(nfa, upper, upper)) return false;
    }
    return true;
}

static bool consume_interval(struct builder *b, pare_nfa_state *state, uint32_t from, uint32_t to)
{
    if (!add_interval(b->nfa, from, to)) return false;
    if (b->ignore_case && !add_other_cases(b->nfa, from, to)) return false;
    state->n_intervals = (uint32_t)b->nfa->n_intervals - state->first_interval;
    return true;
}

static void begin_consume(struct builder *b, uint32_t at, uint32_t target)
{
    pare_nfa_state *state = &b->nfa->states[at];
    state->kind = PARE_NFA_CONSUME;
    state->first_interval = (uint32_t)b->nfa->n_intervals;
    state->edge[0] = target;
    state->n_edges = 1;
}

static void link_one(struct builder *b, uint32_t from, uint32_t to)
{
    b->nfa->states[from].edge[0] = to;
    b->nfa->states[from].n_edges = 1;
}

static void link_two(struct builder *b, uint32_t from, uint32_t first, uint32_t second)
{
    pare_nfa_state *state = &b->nfa->states[from];
    state->edge[0] = first;
    state->edge[1] = second;
    state->n_edges = 2;
}

/* A decision between going into a body and leaving. */
static void decide(struct builder *b, uint32_t at, uint32_t into, uint32_t out, bool lazy)
{
    if (lazy)
        link_two(b, at, out, into);
    else
        link_two(b, at, into, out);
    b->nfa->states[at].lazy = lazy;
}

static bool push(struct builder *b, pare_index expr)
{
    uint32_t *grown =
        pare_vector_reserve(b->pending, &b->pending_capacity, b->n_pending + 1, sizeof *grown);
    if (!grown) return false;
    b->pending = grown;
    b->pending[b->n_pending++] = expr;
    return true;
}

/* One state for each code point but the last, which leads to the end of the expression. */
static bool build_literal(struct builder *b, pare_index expr)
{
    const pare_expr *e = &b->grammar->exprs[expr];
    uint32_t at = enter(expr);
    for (uint32_t i = 0; i < e->text.size; i++) {
        uint32_t point = b->grammar->code_points[e->text.offset + i];
        bool last = i + 1 == e->text.size;
        uint32_t next = last ? leave(expr) : b->n_used++;
        begin_consume(b, at, next);
        if (!consume_interval(b, &b->nfa->states[at], point, point)) return false;
        at = next;
    }
    if (e->text.size == 0) link_one(b, at, leave(expr));
    return true;
}

static bool build_set(struct builder *b, pare_index expr)
{
    const pare_set *set = &b->grammar->sets[b->grammar->exprs[expr].set];
    begin_consume(b, enter(expr), leave(expr));
    for (uint32_t i = 0; i < set->n; i++) {
        const pare_interval *range = &b->grammar->intervals[set->first + i];
        if (!consume_interval(b, &b->nfa->states[enter(expr)], range->from, range->to))
            return false;
    }
    return true;
}

/* Each operand is left to the entry of the next; the operands themselves are built later. */
static bool build_sequence(struct builder *b, pare_index expr)
{
    uint32_t at = enter(expr);
    for (pare_index c = b->grammar->exprs[expr].first; c != PARE_NO_INDEX;
         c = b->grammar->exprs[c].next) {
        link_one(b, at, enter(c));
        at = leave(c);
        if (!push(b, c)) return false;
    }
    link_one(b, at, leave(expr));
    return true;
}

/* Up to two edges stand in the state itself; more are a run of the edges' array, whose beginning
 * replaces edge[0]. */
static bool build_choice(struct builder *b, pare_index expr)
{
    pare_nfa *nfa = b->nfa;
    size_t first = nfa->n_edges;
    for (pare_index c = b->grammar->exprs[expr].first; c != PARE_NO_INDEX;
         c = b->grammar->exprs[c].next) {
        uint32_t *grown =
            pare_vector_reserve(nfa->edges, &nfa->edges_capacity, nfa->n_edges + 1, sizeof *grown);
        if (!grown) return false;
        nfa->edges = grown;
        nfa->edges[nfa->n_edges++] = enter(c);
        link_one(b, leave(c), leave(expr));
        if (!push(b, c)) return false;
    }
    size_t n = nfa->n_edges - first;
    pare_nfa_state *state = &nfa->states[enter(expr)];
    state->n_edges = (uint32_t)n;
    for (size_t i = 0; i < n && i < 2; i++)
        state->edge[i] = nfa->edges[first + i];
    if (n > 2) state->edge[0] = (uint32_t)first;
    return true;
}

/* A plus goes in first and decides afterwards; a star decides first and comes back; an option
 * decides first and goes on. */
static bool build_quantifier(struct builder *b, pare_index expr)
{
    const pare_expr *e = &b->grammar->exprs[expr];
    pare_index body = e->first;
    if (e->kind == PARE_EXPR_PLUS) {
        link_one(b, enter(expr), enter(body));
        decide(b, leave(body), enter(body), leave(expr), e->lazy);
    } else {
        decide(b, enter(expr), enter(body), leave(expr), e->lazy);
        link_one(b, leave(body), e->kind == PARE_EXPR_STAR ? enter(expr) : leave(expr));
    }
    return push(b, body);
}

static bool build_any(struct builder *b, pare_index expr)
{
    begin_consume(b, enter(expr), leave(expr));
    bool fits = add_interval(b->nfa, 0, 0x10FFFF);
    b->nfa->states[enter(expr)].n_intervals = 1;
    return fits;
}

/* The two states of an expression by its kind.  A call keeps where to go on as its edge. */
static bool build_expr(struct builder *b, pare_index expr)
{
    const pare_expr *e = &b->grammar->exprs[expr];
    pare_nfa_state *state = &b->nfa->states[enter(expr)];
    switch (e->kind) {
    case PARE_EXPR_LITERAL: return build_literal(b, expr);
    case PARE_EXPR_SET: return build_set(b, expr);
    case PARE_EXPR_ANY: return build_any(b, expr);
    case PARE_EXPR_SEQUENCE: return build_sequence(b, expr);
    case PARE_EXPR_CHOICE: return build_choice(b, expr);
    case PARE_EXPR_OPTIONAL:
    case PARE_EXPR_STAR:
    case PARE_EXPR_PLUS: return build_quantifier(b, expr);
    case PARE_EXPR_RULE:
        link_one(b, enter(expr), leave(expr));
        state->kind = PARE_NFA_CALL;
        state->rule = e->rule;
        return true;
    case PARE_EXPR_END:
        link_one(b, enter(expr), leave(expr));
        state->kind = PARE_NFA_END_OF_FILE;
        return true;
    case PARE_EXPR_TOKEN:
    case PARE_EXPR_EMPTY: link_one(b, enter(expr), leave(expr)); return true;
    }
    return true;
}

/* Puts a state that notes the alternative after each outermost one. */
static void note_alternatives(struct builder *b, pare_index body, uint32_t stop)
{
    const pare_expr *e = &b->grammar->exprs[body];
    bool choice = e->kind == PARE_EXPR_CHOICE;
    for (pare_index c = choice ? e->first : body; c != PARE_NO_INDEX;
         c = choice ? b->grammar->exprs[c].next : PARE_NO_INDEX) {
        uint32_t note = b->n_used++;
        b->nfa->states[note].kind = PARE_NFA_ALTERNATIVE;
        b->nfa->states[note].rule = c;
        link_one(b, note, stop);
        link_one(b, leave(c), note);
    }
}

/* Expressions of a rule are worked off from a list, as they were pushed by their parents: bodies
 * may nest deeply. */
static bool build_rule(struct builder *b, pare_index index)
{
    const pare_rule *rule = &b->grammar->rules[index];
    b->ignore_case = rule->ignore_case;
    assert(b->n_pending == 0 && rule->body < b->grammar->n_exprs);
    b->nfa->start[index] = enter(rule->body);
    uint32_t stop = b->n_used++;
    b->nfa->states[stop].kind = PARE_NFA_STOP;
    if (!push(b, rule->body)) return false;
    while (b->n_pending > 0) {
        if (!build_expr(b, b->pending[--b->n_pending])) return false;
    }
    note_alternatives(b, rule->body, stop);
    return true;
}

/* States: two for each expression, one for each code point of a literal, and for each
 * rule its stop and the notes of its alternatives. */
static size_t count_states(const pare_grammar *grammar)
{
    size_t n = 3 * grammar->n_exprs + grammar->n_rules + 1;
    for (size_t i = 0; i < grammar->n_exprs; i++) {
        if (grammar->exprs[i].kind == PARE_EXPR_LITERAL) n += grammar->exprs[i].text.size;
    }
    return n;
}

pare_status pare_nfa_init(pare_nfa *nfa, const pare_grammar *grammar, pare_error *err)
{
    struct builder b = {.nfa = nfa, .grammar = grammar, .n_used = 2 * (uint32_t)grammar->n_exprs};
    memset(nfa, 0, sizeof *nfa);
    nfa->n_states = count_states(grammar);
    nfa->states = pare_alloc_zero(nfa->n_states, sizeof *nfa->states);
    nfa->start = pare_alloc(grammar->n_rules, sizeof *nfa->start);
    bool fits = nfa->states && nfa->start;
    for (pare_index i = 0; i < grammar->n_rules && fits; i++) {
        nfa->start[i] = PARE_NO_INDEX;
        if (grammar->rules[i].kind != PARE_RULE_PARSER) fits = build_rule(&b, i);
    }
    pare_alloc_free(b.pending);
    assert(b.n_used <= nfa->n_states);
    if (fits) return PARE_OK;
    pare_nfa_done(nfa);
    return pare_fail_nomem(err);
}

void pare_nfa_done(pare_nfa *nfa)
{
    pare_alloc_free(nfa->states);
    pare_alloc_free(nfa->edges);
    pare_alloc_free(nfa->intervals);
    pare_alloc_free(nfa->start);
    memset(nfa, 0, sizeof *nfa);
}
