/* The lexer's automaton: lexer rules to an automaton with calls, which is made deterministic
 * while it runs.
 *
 * Construction: Thompson's, without recursion.  Each expression owns two states, where it is
 * entered and where it is left, numbered by the expression, so that a parent can be linked to
 * its children before they are built, from a list of what is pending.  Edges are ordered,
 * because the order decides between rules and makes loops greedy or lazy.  A rule is built
 * once and called, not copied at each use, so lexer rules may nest (comments in comments).
 *
 * Running: subset construction over ordered configurations, as ANTLR 4's LexerATNSimulator
 * defines it:
 * - configurations are visited depth first along ordered edges;
 * - the first configuration that stands at a rule's end says what a state accepts;
 * - a configuration that went through a non-greedy decision is dropped once its rule has
 * reached its end with higher priority, and so are all later configurations of that rule in
 * the step that reached it.
 * Calls are lists of return states, shared by value.  Invariant: state 0 is the dead state,
 * and each list of configurations has one state.
 *
 * Sources: Thompson, CACM 11(6), 1968; Parr, Harwell, Fisher, OOPSLA 2014 (ATNs); Parr and
 * Fisher, "LL(*)", PLDI 2011, section 6, and The Definitive ANTLR 4 Reference, chapter 15,
 * "nongreedy lexer subrules". */

#include "parse/dfa.h"

#include <assert.h>
#include <string.h>
#include <utf8proc.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/hash_index.h"
#include "base/vector.h"
#include "grammar/grammar.h"
#include "grammar/intervals.h"
#include "parse/code_point.h"

/* --- the automaton with calls -------------------------------------------------- */

/* The kinds of states: what a state does with a configuration that stands at it. */
enum nfa_kind {
    NFA_EMPTY,       /* goes on to each of its edges, in order */
    NFA_CONSUME,     /* takes a code point of its intervals, then edge */
    NFA_END_OF_FILE, /* takes the end of the text, then edge */
    NFA_CALL,        /* goes to the start of `rule`, and on to edge when that stops */
    NFA_ALTERNATIVE, /* notes which outermost alternative `rule` ends by, then edge */
    NFA_STOP         /* end of a rule */
};

/* A state of the automaton with calls: 32 bytes, of which a large grammar has some ten
 * thousand. */
struct nfa_state {
    enum nfa_kind kind;
    bool lazy;        /* EMPTY: the decision of a non-greedy quantifier */
    uint32_t n_edges; /* at most 2 in `edge`; more: a run in nfa->edges */
    uint32_t edge[2]; /* targets; with more than two, edge[0] is the run's start */
    uint32_t first_interval, n_intervals; /* CONSUME: in nfa->intervals */
    uint32_t rule; /* CALL: the rule; ALTERNATIVE: the expression of the alternative */
};

/* Immutable once built; its owner calls nfa_done. */
struct nfa {
    struct nfa_state *states;
    size_t n_states;
    uint32_t *edges;
    size_t n_edges, edges_capacity;
    pare_interval *intervals;
    size_t n_intervals, intervals_capacity;
    uint32_t *start; /* by rule; PARE_NO_INDEX for parser rules */
};

/* --- construction ----------------------------------------------------------------- */

/* One construction.  False from its functions means that memory is out. */
struct builder {
    struct nfa *nfa;
    const pare_grammar *grammar;
    uint32_t *pending; /* expressions still to be linked */
    size_t n_pending, pending_capacity;
    uint32_t n_used;  /* states handed out */
    bool ignore_case; /* of the rule that is being built */
};

/* The state where an expression is entered, and the one where it is left.  The numbers follow
 * from the expression, so no table is needed. */
static uint32_t enter(pare_index expr)
{
    return 2 * expr;
}

/* The state of the NFA in which an expression has been matched; enter(expr) is the one before
 * it. */
static uint32_t leave(pare_index expr)
{
    return 2 * expr + 1;
}

/* Unsorted and overlapping: classes are made of all intervals at once. */
static bool add_interval(struct nfa *nfa, uint32_t from, uint32_t to)
{
    pare_interval *grown = pare_vector_reserve(nfa->intervals, &nfa->intervals_capacity,
                                               nfa->n_intervals + 1, sizeof *grown);
    if (!grown) return false;
    nfa->intervals = grown;
    nfa->intervals[nfa->n_intervals++] = (pare_interval){from, to};
    return true;
}

/* Adds the other case of each letter from .. to.  The last letters with cases are those below
 * 0x1E944. */
static bool add_other_cases(struct nfa *nfa, uint32_t from, uint32_t to)
{
    for (uint32_t point = from; point <= to && point < 0x1E944; point++) {
        uint32_t lower = (uint32_t)utf8proc_tolower((utf8proc_int32_t)point);
        uint32_t upper = (uint32_t)utf8proc_toupper((utf8proc_int32_t)point);
        if (lower != point && !add_interval(nfa, lower, lower)) return false;
        if (upper != point && !add_interval(nfa, upper, upper)) return false;
    }
    return true;
}

/* Lets the state take from .. to as well; its intervals stand in a row, so it must be the last
 * state that was begun.  Other cases are intervals too, so a lexer that ignores case costs
 * nothing more when it runs. */
static bool consume_interval(struct builder *b, struct nfa_state *state, uint32_t from, uint32_t to)
{
    if (!add_interval(b->nfa, from, to)) return false;
    if (b->ignore_case && !add_other_cases(b->nfa, from, to)) return false;
    state->n_intervals = (uint32_t)b->nfa->n_intervals - state->first_interval;
    return true;
}

/* Makes `at` a state that takes a code point, of intervals to be added, and goes on at
 * `target`. */
static void begin_consume(struct builder *b, uint32_t at, uint32_t target)
{
    struct nfa_state *state = &b->nfa->states[at];
    state->kind = NFA_CONSUME;
    state->first_interval = (uint32_t)b->nfa->n_intervals;
    state->edge[0] = target;
    state->n_edges = 1;
}

/* Links are set once; note_alternatives sets some of them again. */
static void link_one(struct builder *b, uint32_t from, uint32_t to)
{
    b->nfa->states[from].edge[0] = to;
    b->nfa->states[from].n_edges = 1;
}

/* Two ways on from a state without reading anything.  The order is that of preference: `first` is
 * tried first, which is what makes a quantifier greedy or not. */
static void link_two(struct builder *b, uint32_t from, uint32_t first, uint32_t second)
{
    struct nfa_state *state = &b->nfa->states[from];
    state->edge[0] = first;
    state->edge[1] = second;
    state->n_edges = 2;
}

/* Makes `at` the decision between going into a body and leaving: the first edge is the
 * preferred one. */
static void decide(struct builder *b, uint32_t at, uint32_t into, uint32_t out, bool lazy)
{
    if (lazy)
        link_two(b, at, out, into);
    else
        link_two(b, at, into, out);
    b->nfa->states[at].lazy = lazy;
}

/* Puts the expression on the list of those to be built.  Children before or after each other
 * makes no difference: their states have their numbers already. */
static bool build_later(struct builder *b, pare_index expr)
{
    uint32_t *grown =
        pare_vector_reserve(b->pending, &b->pending_capacity, b->n_pending + 1, sizeof *grown);
    if (!grown) return false;
    b->pending = grown;
    b->pending[b->n_pending++] = expr;
    return true;
}

/* A state for each code point: the expression's entry for the first one, new states for the
 * others; the last leads to where the expression is left. */
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

/* Edges for a set of characters, one for each of its intervals; false: no memory. */
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
        if (!build_later(b, c)) return false;
    }
    link_one(b, at, leave(expr));
    return true;
}

/* Up to two edges stand in the state itself; more are a run of the edges' array, whose
 * beginning is edge[0] then. */
static bool build_choice(struct builder *b, pare_index expr)
{
    struct nfa *nfa = b->nfa;
    size_t first = nfa->n_edges;
    for (pare_index c = b->grammar->exprs[expr].first; c != PARE_NO_INDEX;
         c = b->grammar->exprs[c].next) {
        uint32_t *grown =
            pare_vector_reserve(nfa->edges, &nfa->edges_capacity, nfa->n_edges + 1, sizeof *grown);
        if (!grown) return false;
        nfa->edges = grown;
        nfa->edges[nfa->n_edges++] = enter(c);
        link_one(b, leave(c), leave(expr));
        if (!build_later(b, c)) return false;
    }
    size_t n = nfa->n_edges - first;
    struct nfa_state *state = &nfa->states[enter(expr)];
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
    return build_later(b, body);
}

/* Any code point; case makes no difference.  ANTLR's '.' takes line ends as well. */
static bool build_any(struct builder *b, pare_index expr)
{
    begin_consume(b, enter(expr), leave(expr));
    bool fits = add_interval(b->nfa, 0, 0x10FFFF);
    b->nfa->states[enter(expr)].n_intervals = 1;
    return fits;
}

/* Builds the two states of an expression by its kind.  A call keeps where to go on as its
 * edge.  TOKEN cannot stand in a lexer rule; it is let through like nothing, so that a grammar
 * with such a mistake does no harm here. */
static bool build_expr(struct builder *b, pare_index expr)
{
    const pare_expr *e = &b->grammar->exprs[expr];
    struct nfa_state *state = &b->nfa->states[enter(expr)];
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
        state->kind = NFA_CALL;
        state->rule = e->rule;
        return true;
    case PARE_EXPR_END:
        link_one(b, enter(expr), leave(expr));
        state->kind = NFA_END_OF_FILE;
        return true;
    case PARE_EXPR_TOKEN:
    case PARE_EXPR_EMPTY: link_one(b, enter(expr), leave(expr)); return true;
    }
    return true;
}

/* Puts a state after each outermost alternative of a rule that notes which one it was:
 * commands may belong to one of them. */
static void note_alternatives(struct builder *b, pare_index body, uint32_t stop)
{
    const pare_expr *e = &b->grammar->exprs[body];
    bool choice = e->kind == PARE_EXPR_CHOICE;
    for (pare_index c = choice ? e->first : body; c != PARE_NO_INDEX;
         c = choice ? b->grammar->exprs[c].next : PARE_NO_INDEX) {
        uint32_t note = b->n_used++;
        b->nfa->states[note].kind = NFA_ALTERNATIVE;
        b->nfa->states[note].rule = c;
        link_one(b, note, stop);
        /* In place of the link to where the choice is left. */
        link_one(b, leave(c), note);
    }
}

/* Builds the automaton of one rule.  Its expressions are worked off from a list, to which
 * parents add their children: bodies may nest deeply. */
static bool build_rule(struct builder *b, pare_index index)
{
    const pare_rule *rule = &b->grammar->rules[index];
    b->ignore_case = rule->ignore_case;
    assert(b->n_pending == 0 && rule->body < b->grammar->n_exprs);
    b->nfa->start[index] = enter(rule->body);
    uint32_t stop = b->n_used++;
    b->nfa->states[stop].kind = NFA_STOP;
    if (!build_later(b, rule->body)) return false;
    while (b->n_pending > 0) {
        if (!build_expr(b, b->pending[--b->n_pending])) return false;
    }
    /* Last, since it replaces links that building the body makes. */
    note_alternatives(b, rule->body, stop);
    return true;
}

/* States: two for each expression, one for each code point of a literal, and for each rule its
 * stop and the notes of its alternatives.  An upper bound; states that are never used cost
 * their memory and nothing else. */
static size_t count_states(const pare_grammar *grammar)
{
    size_t n = 3 * grammar->n_exprs + grammar->n_rules + 1;
    for (size_t i = 0; i < grammar->n_exprs; i++) {
        if (grammar->exprs[i].kind == PARE_EXPR_LITERAL) n += grammar->exprs[i].text.size;
    }
    return n;
}

/* The NFA is kept as long as the DFA, which is made of it step by step. */
static void nfa_done(struct nfa *nfa)
{
    pare_alloc_free(nfa->states);
    pare_alloc_free(nfa->edges);
    pare_alloc_free(nfa->intervals);
    pare_alloc_free(nfa->start);
    memset(nfa, 0, sizeof *nfa);
}

/* On failure *nfa is all-zero.  All rules together are one automaton: calls go from rule to
 * rule. */
static pare_status nfa_init(struct nfa *nfa, const pare_grammar *grammar, pare_error *err)
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
    nfa_done(nfa);
    return pare_fail_nomem(err);
}

/* --- running ---------------------------------------------------------------------- */

enum { UNKNOWN = UINT32_MAX, MIN_CLOSURE_LIMIT = 1 << 15 };
#define MAX_TABLE_BYTES ((size_t)64 << 20)
#define MAX_CONFIGS ((size_t)4 << 20)

/* A place in the automaton, and how it was reached.  Five numbers; a state of the
 * deterministic automaton is a list of them. */
struct config {
    uint32_t at;          /* automaton state */
    uint32_t calls;       /* index in calls; 0: none */
    uint32_t rule;        /* token rule it began with */
    uint32_t alternative; /* noted, or PARE_NO_INDEX */
    uint32_t lazy;        /* 1: went through a non-greedy decision */
};

struct call {
    uint32_t back, outer; /* state to go on with, and the calls around it */
};

/* A state of the deterministic automaton; `accept` is found once, when it is made. */
struct state {
    uint32_t first, n; /* configurations */
    pare_dfa_accept accept;
};

/* The deterministic automaton as far as it was needed.  steps[state * width + class] is the
 * state after a code point of that class. */
struct pare_dfa {
    const pare_grammar *grammar;
    struct nfa nfa;
    pare_code_point_classes classes;
    uint32_t width; /* steps per state: classes and the end of the text */
    struct config *configs;
    size_t n_configs, configs_capacity;
    struct state *states;
    size_t n_states, states_capacity;
    uint32_t *steps;
    size_t steps_capacity;
    struct call *calls;
    size_t n_calls, calls_capacity;
    pare_hash_index state_index, call_index, seen_index;
    struct config *stack; /* of the closure */
    size_t n_stack, stack_capacity;
    struct config *seen; /* configurations visited by the closure */
    size_t n_seen, seen_capacity;
    uint32_t *starts; /* by mode; UNKNOWN */
    size_t epoch;     /* how often all states were forgotten */
    bool at_end;      /* the closure takes the end of the text for nothing */
    bool reached;     /* the rule in work has reached its end in this step */
};

/* One round of a multiplicative hash.  Not cryptographic: grammars are chosen by the user, not
 * by an adversary; an attack would only be slow. */
static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

/* All that tells configurations apart goes into it; see same_config. */
static uint64_t hash_config(const struct config *c)
{
    uint64_t hash = mix(1, (uint64_t)c->at << 32 | c->calls);
    return mix(hash, (uint64_t)c->rule << 33 | (uint64_t)c->alternative << 1 | c->lazy);
}

/* Whether two configurations have the same future: the same place in the NFA, the same stack of
 * calls, and the same of what decides between tokens of one length. */
static bool same_config(const struct config *a, const struct config *b)
{
    return a->at == b->at && a->calls == b->calls && a->rule == b->rule &&
           a->alternative == b->alternative && a->lazy == b->lazy;
}

/* The list of calls `back` inside `outer`: equal lists have equal indices. */
static pare_status intern_call(pare_dfa *dfa, uint32_t back, uint32_t outer, uint32_t *out,
                               pare_error *err)
{
    uint64_t hash = mix(back, outer);
    pare_hash_probe probe = pare_hash_index_probe(&dfa->call_index, hash);
    while (pare_hash_index_next(&dfa->call_index, &probe, out))
        if (dfa->calls[*out].back == back && dfa->calls[*out].outer == outer) return PARE_OK;
    struct call *grown =
        pare_vector_grow(dfa->calls, dfa->n_calls, &dfa->calls_capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    dfa->calls = grown;
    pare_status status = pare_hash_index_add(&dfa->call_index, hash, (uint32_t)dfa->n_calls, err);
    if (status != PARE_OK) return status;
    *out = (uint32_t)dfa->n_calls++;
    dfa->calls[*out] = (struct call){back, outer};
    return PARE_OK;
}

/* Notes that the closure is at `c`; *fresh says whether it was not there before.  Errors:
 * PARE_E_LIMIT when a lexer rule calls itself without taking a character.  O(1).  The set is
 * emptied after each step of the automaton (forget_visits). */
static pare_status visit(pare_dfa *dfa, const struct config *c, bool *fresh, pare_error *err)
{
    uint64_t hash = hash_config(c);
    uint32_t at;
    *fresh = false;
    /* So many configurations of so few states only come from calls nested without end. */
    if (dfa->n_seen > MIN_CLOSURE_LIMIT + 16 * dfa->nfa.n_states)
        return pare_fail(err, PARE_E_LIMIT, "lexer rule '%s' calls itself without end",
                         dfa->grammar->rules[c->rule].name);
    pare_hash_probe probe = pare_hash_index_probe(&dfa->seen_index, hash);
    while (pare_hash_index_next(&dfa->seen_index, &probe, &at))
        if (same_config(&dfa->seen[at], c)) return PARE_OK;
    struct config *grown =
        pare_vector_grow(dfa->seen, dfa->n_seen, &dfa->seen_capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    dfa->seen = grown;
    pare_status status = pare_hash_index_add(&dfa->seen_index, hash, (uint32_t)dfa->n_seen, err);
    if (status != PARE_OK) return status;
    dfa->seen[dfa->n_seen++] = *c;
    *fresh = true;
    return PARE_OK;
}

/* Empties the set of visited configurations.  That costs what the index has room for, so one
 * that a large closure has left is given up. */
static void forget_visits(pare_dfa *dfa)
{
    if (dfa->n_seen * 16 < dfa->seen_index.n_slots)
        pare_hash_index_done(&dfa->seen_index);
    else
        pare_hash_index_reset(&dfa->seen_index);
    dfa->n_seen = 0;
}

/* Adds a configuration to the state being made.  Configurations of all states lie in one
 * array, each state a run of it. */
static pare_status keep(pare_dfa *dfa, const struct config *c, pare_error *err)
{
    struct config *grown = pare_vector_reserve(dfa->configs, &dfa->configs_capacity,
                                               dfa->n_configs + 1, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    dfa->configs = grown;
    dfa->configs[dfa->n_configs++] = *c;
    return PARE_OK;
}

/* Goes on at another state of the automaton.  Going through a non-greedy decision is
 * remembered: it makes the configuration give way once its rule has reached its end.  Edges
 * that take nothing are followed at once, so only a few kinds of states are ever kept. */
static pare_status push(pare_dfa *dfa, struct config c, uint32_t at, pare_error *err)
{
    struct config *grown =
        pare_vector_reserve(dfa->stack, &dfa->stack_capacity, dfa->n_stack + 1, sizeof *grown);
    if (!grown) return pare_fail_nomem(err);
    dfa->stack = grown;
    const struct nfa_state *state = &dfa->nfa.states[at];
    c.at = at;
    if (state->kind == NFA_EMPTY && state->lazy) c.lazy = 1;
    dfa->stack[dfa->n_stack++] = c;
    return PARE_OK;
}

/* The state's edge number `i`. */
static uint32_t edge_at(const pare_dfa *dfa, const struct nfa_state *state, uint32_t i)
{
    return state->n_edges > 2 ? dfa->nfa.edges[state->edge[0] + i] : state->edge[i];
}

/* Pushed from the last to the first, so that the first edge is visited first: the order of
 * configurations is their priority. */
static pare_status push_edges(pare_dfa *dfa, const struct config *c, pare_error *err)
{
    const struct nfa_state *state = &dfa->nfa.states[c->at];
    pare_status status = PARE_OK;
    for (uint32_t i = state->n_edges; i-- > 0 && status == PARE_OK;)
        status = push(dfa, *c, edge_at(dfa, state, i), err);
    return status;
}

/* The end of a rule: goes back to the caller; without one, the token may end here.  The list
 * of calls is shared: going back is taking its rest. */
static pare_status stop(pare_dfa *dfa, struct config c, pare_error *err)
{
    if (c.calls == 0) {
        dfa->reached = true;
        return keep(dfa, &c, err);
    }
    struct call call = dfa->calls[c.calls];
    c.calls = call.outer;
    return push(dfa, c, call.back, err);
}

/* Enters the rule that the state calls, with the place to come back to.  Left recursion of
 * lexer rules without a character in between ends at the limit in visit. */
static pare_status call(pare_dfa *dfa, struct config c, pare_error *err)
{
    const struct nfa_state *state = &dfa->nfa.states[c.at];
    uint32_t target = dfa->nfa.start[state->rule];
    pare_status status = intern_call(dfa, state->edge[0], c.calls, &c.calls, err);
    return status == PARE_OK ? push(dfa, c, target, err) : status;
}

/* One step of the closure: what can be reached without a character is pushed, what waits for one
 * is kept. */
static pare_status expand(pare_dfa *dfa, struct config c, pare_error *err)
{
    const struct nfa_state *state = &dfa->nfa.states[c.at];
    pare_status status = PARE_OK;
    switch (state->kind) {
    case NFA_EMPTY: return push_edges(dfa, &c, err);
    case NFA_STOP: return stop(dfa, c, err);
    case NFA_CALL: return call(dfa, c, err);
    case NFA_ALTERNATIVE:
        /* Commands are those of the token's rule; which way a called rule went is nothing to
         * them. */
        if (c.calls == 0) c.alternative = state->rule;
        return push_edges(dfa, &c, err);
    case NFA_END_OF_FILE:
    case NFA_CONSUME:
        /* Once the rule has reached its end, what is non-greedy gives way. */
        if (!dfa->reached || !c.lazy) status = keep(dfa, &c, err);
        if (status == PARE_OK && state->kind == NFA_END_OF_FILE && dfa->at_end)
            status = push_edges(dfa, &c, err);
        return status;
    }
    return status;
}

/* Adds all configurations that `c`, moved to `at`, reaches without taking a code point, in the
 * order of their priority.  Depth first, so that priorities come out right: a breadth-first
 * closure would mix those of different rules. */
static pare_status close_over(pare_dfa *dfa, struct config c, uint32_t at, pare_error *err)
{
    pare_status status = push(dfa, c, at, err);
    while (status == PARE_OK && dfa->n_stack > 0) {
        struct config top = dfa->stack[--dfa->n_stack];
        bool fresh;
        status = visit(dfa, &top, &fresh, err);
        if (status == PARE_OK && fresh) status = expand(dfa, top, err);
    }
    dfa->n_stack = 0;
    return status;
}

/* Hash of a list of configurations. */
static uint64_t hash_run(const pare_dfa *dfa, uint32_t first, uint32_t n)
{
    uint64_t hash = n;
    for (uint32_t i = 0; i < n; i++)
        hash = mix(hash, hash_config(&dfa->configs[first + i]));
    return hash;
}

/* Whether n configurations from a and from b on are the same.  In the same order: it says which of
 * two tokens wins. */
static bool same_run(const pare_dfa *dfa, uint32_t a, uint32_t b, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!same_config(&dfa->configs[a + i], &dfa->configs[b + i])) return false;
    }
    return true;
}

/* The rule that a list of configurations accepts. Earlier configurations have priority, as rules do
 * that are written earlier. */
static pare_dfa_accept accept_of(const pare_dfa *dfa, uint32_t first, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct config *c = &dfa->configs[first + i];
        if (dfa->nfa.states[c->at].kind == NFA_STOP)
            return (pare_dfa_accept){c->rule, c->alternative};
    }
    return (pare_dfa_accept){PARE_NO_INDEX, PARE_NO_INDEX};
}

/* Makes a new state of the configurations first .. first+n-1.  Its steps are unknown: all
 * bytes 0xFF are UNKNOWN. O(width) for its row of steps. */
static pare_status add_state(pare_dfa *dfa, uint32_t first, uint32_t n, uint32_t *out,
                             pare_error *err)
{
    struct state *states =
        pare_vector_reserve(dfa->states, &dfa->states_capacity, dfa->n_states + 1, sizeof *states);
    if (!states) return pare_fail_nomem(err);
    dfa->states = states;
    size_t need = (dfa->n_states + 1) * dfa->width;
    uint32_t *steps = pare_vector_reserve(dfa->steps, &dfa->steps_capacity, need, sizeof *steps);
    if (!steps) return pare_fail_nomem(err);
    dfa->steps = steps;
    memset(steps + dfa->n_states * dfa->width, 0xFF, dfa->width * sizeof *steps);
    states[dfa->n_states] = (struct state){first, n, accept_of(dfa, first, n)};
    *out = (uint32_t)dfa->n_states++;
    return PARE_OK;
}

/* The state of the configurations from `first` to the end, which are given up when there is
 * one already.  Equal lists give one state, which makes the automaton finite in practice: the
 * lists repeat after a few characters. */
static pare_status intern_state(pare_dfa *dfa, uint32_t first, uint32_t *out, pare_error *err)
{
    uint32_t n = (uint32_t)dfa->n_configs - first;
    uint64_t hash = hash_run(dfa, first, n);
    pare_hash_probe probe = pare_hash_index_probe(&dfa->state_index, hash);
    while (pare_hash_index_next(&dfa->state_index, &probe, out)) {
        const struct state *state = &dfa->states[*out];
        if (state->n == n && same_run(dfa, state->first, first, n)) {
            dfa->n_configs = first;
            return PARE_OK;
        }
    }
    /* Room in the index first, so that a state is never there without being found. */
    pare_status status = pare_hash_index_reserve(&dfa->state_index, dfa->n_states + 1, err);
    if (status == PARE_OK) status = add_state(dfa, first, n, out, err);
    return status == PARE_OK ? pare_hash_index_add(&dfa->state_index, hash, *out, err) : status;
}

/* Forgets all states, and makes the dead one again, which has no configurations and stays
 * dead.  Memory stays allocated; what is forgotten is made again when it is needed. */
static pare_status reset(pare_dfa *dfa, pare_error *err)
{
    uint32_t dead;
    dfa->n_states = dfa->n_configs = 0;
    dfa->epoch++;
    dfa->n_calls = 1;
    pare_hash_index_reset(&dfa->state_index);
    pare_hash_index_reset(&dfa->call_index);
    for (size_t i = 0; i < dfa->grammar->n_modes; i++)
        dfa->starts[i] = UNKNOWN;
    pare_status status = intern_state(dfa, 0, &dead, err);
    if (status != PARE_OK) return status;
    assert(dead == PARE_DFA_DEAD);
    memset(dfa->steps, 0, dfa->width * sizeof *dfa->steps);
    return PARE_OK;
}

/* Classes of characters are found once for all intervals of the grammar, so the table has tens
 * of columns and not a million. */
pare_status pare_dfa_new(const pare_grammar *grammar, pare_dfa **out, pare_error *err)
{
    pare_dfa *dfa = pare_alloc_zero(1, sizeof *dfa);
    if (!dfa) return pare_fail_nomem(err);
    dfa->grammar = grammar;
    pare_status status = nfa_init(&dfa->nfa, grammar, err);
    if (status == PARE_OK)
        status = pare_code_point_classes_init(&dfa->classes, dfa->nfa.intervals,
                                              dfa->nfa.n_intervals, err);
    /* One more class, for the end of the text. */
    dfa->width = dfa->classes.n + 1;
    dfa->starts = pare_alloc(grammar->n_modes, sizeof *dfa->starts);
    /* List 0 is the empty one; it is never looked at. */
    dfa->calls = pare_vector_reserve(NULL, &dfa->calls_capacity, 1, sizeof *dfa->calls);
    if (status == PARE_OK && (!dfa->starts || !dfa->calls)) status = pare_fail_nomem(err);
    if (status == PARE_OK) status = reset(dfa, err);
    if (status == PARE_OK)
        *out = dfa;
    else
        pare_dfa_free(dfa);
    return status;
}

/* NULL is a no-op. */
void pare_dfa_free(pare_dfa *dfa)
{
    if (!dfa) return;
    nfa_done(&dfa->nfa);
    pare_code_point_classes_done(&dfa->classes);
    pare_alloc_free(dfa->configs);
    pare_alloc_free(dfa->states);
    pare_alloc_free(dfa->steps);
    pare_alloc_free(dfa->calls);
    pare_hash_index_done(&dfa->state_index);
    pare_hash_index_done(&dfa->call_index);
    pare_hash_index_done(&dfa->seen_index);
    pare_alloc_free(dfa->stack);
    pare_alloc_free(dfa->seen);
    pare_alloc_free(dfa->starts);
    pare_alloc_free(dfa);
}

/* The state before the first character in a mode: all its rules, in their order.  It is kept
 * until the states are forgotten, which happens when they take too much memory: a grammar may
 * have exponentially many.  States are forgotten here only, between tokens, so that none is in
 * use. */
pare_status pare_dfa_start(pare_dfa *dfa, pare_index mode, uint32_t *state, pare_error *err)
{
    const pare_grammar *grammar = dfa->grammar;
    if (dfa->n_states * dfa->width * sizeof *dfa->steps > MAX_TABLE_BYTES ||
        dfa->n_configs > MAX_CONFIGS) {
        pare_status status = reset(dfa, err);
        if (status != PARE_OK) return status;
    }
    *state = dfa->starts[mode];
    if (*state != UNKNOWN) return PARE_OK;
    uint32_t first = (uint32_t)dfa->n_configs;
    pare_status status = PARE_OK;
    dfa->at_end = false;
    for (uint32_t i = 0; i < grammar->n_rules && status == PARE_OK; i++) {
        const pare_rule *rule = &grammar->rules[i];
        if (rule->kind != PARE_RULE_LEXER || rule->mode != mode) continue;
        dfa->reached = false;
        struct config c = {.rule = i, .alternative = PARE_NO_INDEX};
        status = close_over(dfa, c, dfa->nfa.start[i], err);
    }
    forget_visits(dfa);
    if (status == PARE_OK) status = intern_state(dfa, first, state, err);
    if (status == PARE_OK) dfa->starts[mode] = *state;
    return status;
}

/* Whether the configuration's state consumes the character, or the end of the file. */
static bool takes(const pare_dfa *dfa, uint32_t at, uint32_t point)
{
    const struct nfa_state *state = &dfa->nfa.states[at];
    if (state->kind == NFA_END_OF_FILE) return point == UINT32_MAX;
    if (state->kind != NFA_CONSUME || point == UINT32_MAX) return false;
    return pare_intervals_have(dfa->nfa.intervals,
                               (pare_set){state->first_interval, state->n_intervals}, point);
}

/* Appends the configurations that `state` leads to by `point`.  Once a rule has reached its
 * end, its later configurations that went through a non-greedy decision are dropped. */
static pare_status reach(pare_dfa *dfa, uint32_t state, uint32_t point, pare_error *err)
{
    struct state from = dfa->states[state];
    uint32_t passed_rule = PARE_NO_INDEX; /* reached its end in this step */
    pare_status status = PARE_OK;
    dfa->at_end = point == UINT32_MAX;
    for (uint32_t i = 0; i < from.n && status == PARE_OK; i++) {
        /* A copy: the closure appends to the array. */
        struct config c = dfa->configs[from.first + i];
        bool passed = c.rule == passed_rule;
        if ((passed && c.lazy) || !takes(dfa, c.at, point)) continue;
        dfa->reached = passed;
        status = close_over(dfa, c, dfa->nfa.states[c.at].edge[0], err);
        /* Configurations of one rule stand in a row, so one number is enough. */
        if (dfa->reached) passed_rule = c.rule;
    }
    forget_visits(dfa);
    return status;
}

/* Steps are made when they are first taken: most of the states that a grammar could have never
 * occur in texts. */
pare_status pare_dfa_step(pare_dfa *dfa, uint32_t state, uint32_t point, uint32_t *next,
                          pare_error *err)
{
    uint32_t class =
        point == UINT32_MAX ? dfa->classes.n : pare_code_point_classes_find(&dfa->classes, point);
    assert(state < dfa->n_states && class < dfa->width);
    *next = dfa->steps[(size_t)state * dfa->width + class];
    if (*next != UNKNOWN) return PARE_OK;
    uint32_t first = (uint32_t)dfa->n_configs;
    pare_status status = reach(dfa, state, point, err);
    if (status == PARE_OK) status = intern_state(dfa, first, next, err);
    if (status == PARE_OK) dfa->steps[(size_t)state * dfa->width + class] = *next;
    return status;
}

/* Grows when the states are dropped for want of room; numbers of states that were kept from before
 * are then invalid. */
size_t pare_dfa_epoch(const pare_dfa *dfa)
{
    return dfa->epoch;
}

/* ASCII takes the table directly; this is the inner loop of matching whole texts. */
pare_status pare_dfa_run(pare_dfa *dfa, const char *bytes, size_t size, uint32_t *state,
                         pare_error *err)
{
    uint32_t at_state = *state;
    pare_status status = PARE_OK;
    for (size_t at = 0; !status && at < size && at_state != PARE_DFA_DEAD;) {
        uint32_t point = (unsigned char)bytes[at], next = UNKNOWN;
        size_t length = 1;
        if (point < 0x80)
            next = dfa->steps[(size_t)at_state * dfa->width + dfa->classes.direct[point]];
        else
            length = pare_code_point_decode(bytes + at, size - at, &point);
        if (next == UNKNOWN) status = pare_dfa_step(dfa, at_state, point, &next, err);
        at_state = next;
        at += length;
    }
    *state = at_state;
    return status;
}

pare_dfa_accept pare_dfa_accepts(const pare_dfa *dfa, uint32_t state)
{
    assert(state < dfa->n_states);
    return dfa->states[state].accept;
}
