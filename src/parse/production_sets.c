/* What is known of productions before any text is parsed: what derives nothing, what can begin
 * a symbol (FIRST), what can follow a dot (by FIRST and FOLLOW), and right recursion.
 *
 * The sets are least fixpoints over all productions: rounds until nothing changes, which are
 * few, since rules mostly refer to later ones.  O(rounds * states * words of a set).
 *
 * A right recursion: dotted states that can be the only thing left of a production while the
 * symbol after the dot leads back to that production at its own end.  A derives B at its tail
 * when A has a production A: x B y, and y is nonterminals that may be nothing.  The strongly
 * connected components of that relation are the right recursions; a state A: x . B y within
 * one of them is a link of its chains (leo.h).  Components are found without recursion, as
 * grammars may be deep.
 *
 * Operators are taken greedily: in 1 + -2 + 3, where a sign binds less than a sum, the second plus
 * may belong to either sum.  ANTLR gives it to the inner loop, which can take whatever the outer
 * one can; so no expression ends before it, and a chart of n signs has no n^3 ways to choose from.
 * What is taken away is a follow restriction; the tree is the same.
 *
 * Source: Aho, Lam, Sethi, Ullman, Compilers, section 4.4.2 (FIRST, FOLLOW); van den Brand,
 * Scheerder, Vinju, Visser, CC 2002 (follow restrictions, there written by hand); Leo, TCS 82(1),
 * 1991 (right recursion, transitive items); Tarjan, SIAM J. Computing 1(2), 1972
 * (components). */
#include <assert.h>
#include <string.h>

#include <pare/status.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "grammar/grammar.h"
#include "parse/productions.h"

/* The sets of letters while they grow. */
struct sets {
    pare_productions *p;
    uint64_t *first, *follow; /* by nonterminal */
    uint64_t *look;           /* by dotted state */
    bool without_loops;       /* FOLLOW leaves out that an operator follows its left operand */
};

/* Adds `from` to `to`; true when that changed it. */
static bool unite(uint64_t *to, const uint64_t *from, size_t words)
{
    uint64_t changed = 0;
    for (size_t i = 0; i < words; i++) {
        changed |= from[i] & ~to[i];
        to[i] |= from[i];
    }
    return changed != 0;
}

/* Whether the symbol may be nothing. */
static bool symbol_nullable(const pare_productions *p, uint32_t symbol)
{
    return !(symbol & PARE_TERMINAL) && p->nonterminals[symbol].nullable;
}

/* Whether all symbols of the production may be nothing, by what is known so far. */
static bool production_nullable(const pare_productions *p, uint32_t production)
{
    uint32_t state = p->productions[production].first_state;
    while (p->next[state] != PARE_DOT_END && symbol_nullable(p, p->next[state]))
        state++;
    return p->next[state] == PARE_DOT_END;
}

/* Marks what can derive nothing.  The production noted first uses only nonterminals noted
 * before, so that following null_production ends. */
static void find_nullable(pare_productions *p)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < p->n_productions; i++) {
            pare_nonterminal *n = &p->nonterminals[p->productions[i].lhs];
            if (n->nullable || !production_nullable(p, i)) continue;
            n->nullable = changed = true;
            n->null_production = i;
        }
    }
}

/* Whether the noted derivations of nothing below `production` use `lhs`: then it would be its
 * own part. */
static bool reaches(const pare_productions *p, uint32_t production, uint32_t lhs, uint32_t *stack,
                    bool *seen)
{
    size_t n_stack = 0;
    memset(seen, 0, p->n_nonterminals * sizeof *seen);
    uint32_t at = production;
    for (;;) {
        for (uint32_t s = p->productions[at].first_state; p->next[s] != PARE_DOT_END; s++) {
            uint32_t symbol = p->next[s];
            if (symbol == lhs) return true;
            if (!seen[symbol]) stack[n_stack++] = symbol;
            seen[symbol] = true;
        }
        if (n_stack == 0) return false;
        at = p->nonterminals[stack[--n_stack]].null_production;
    }
}

/* Prefers the first alternative that can derive nothing, as ANTLR does, unless its derivation
 * would need itself.  A loop keeps what was found: its base. */
static pare_status prefer_first_null(pare_productions *p, pare_error *err)
{
    uint32_t *stack = pare_alloc(p->n_nonterminals, sizeof *stack);
    bool *seen = pare_alloc(p->n_nonterminals, sizeof *seen);
    for (uint32_t n = 0; stack && seen && n < p->n_nonterminals; n++) {
        pare_nonterminal *nonterminal = &p->nonterminals[n];
        if (!nonterminal->nullable || pare_is_loop(nonterminal)) continue;
        /* Only alternatives before the one that was found are preferred to it. */
        for (uint32_t i = nonterminal->first_production; i < nonterminal->null_production; i++) {
            if (!production_nullable(p, i) || reaches(p, i, n, stack, seen)) continue;
            nonterminal->null_production = i;
            break;
        }
    }
    bool fits = stack && seen;
    pare_alloc_free(stack);
    pare_alloc_free(seen);
    return fits ? PARE_OK : pare_fail_nomem(err);
}

/* The set of letters that a symbol begins with. */
static const uint64_t *first_of(const struct sets *s, uint32_t symbol)
{
    if (symbol & PARE_TERMINAL) return s->p->terminals + (symbol & ~PARE_TERMINAL) * s->p->words;
    return s->first + symbol * s->p->words;
}

/* Adds what the production's symbols may begin with, up to the first that is not nullable, to
 * its nonterminal; true when that is news. */
static bool grow_first(struct sets *s, uint32_t production)
{
    const pare_productions *p = s->p;
    uint64_t *to = s->first + p->productions[production].lhs * p->words;
    bool changed = false;
    for (uint32_t state = p->productions[production].first_state; p->next[state] != PARE_DOT_END;
         state++) {
        changed |= unite(to, first_of(s, p->next[state]), p->words);
        if (!symbol_nullable(p, p->next[state])) break;
    }
    return changed;
}

/* The state after the last symbol of a production. */
static uint32_t end_state(const pare_productions *p, uint32_t production)
{
    uint32_t state = p->productions[production].first_state;
    while (p->next[state] != PARE_DOT_END)
        state++;
    return state;
}

/* Whether the dot stands before the left operand: e[p] in e[p]: e[p] operator. */
static bool is_operand(const pare_productions *p, uint32_t state)
{
    const pare_production *production = &p->productions[p->production[state]];
    return state == production->first_state && p->next[state] == production->lhs &&
           p->nonterminals[production->lhs].kind == PARE_NONTERMINAL_LEFT;
}

/* Grows `look` of the production's states, from the end, and FOLLOW of its symbols.  True when
 * FOLLOW has grown; `look` follows from it. */
static bool grow_follow(struct sets *s, uint32_t production)
{
    const pare_productions *p = s->p;
    bool changed = false;
    uint32_t end = end_state(p, production), first = p->productions[production].first_state;
    unite(s->look + end * p->words, s->follow + p->productions[production].lhs * p->words,
          p->words);
    for (uint32_t state = end; state-- > first;) {
        uint32_t symbol = p->next[state];
        const uint64_t *after = s->look + (state + 1) * p->words;
        uint64_t *look = s->look + state * p->words;
        if (!(symbol & PARE_TERMINAL) && !(s->without_loops && is_operand(p, state)))
            changed |= unite(s->follow + symbol * p->words, after, p->words);
        unite(look, first_of(s, symbol), p->words);
        if (symbol_nullable(p, symbol)) unite(look, after, p->words);
    }
    return changed;
}

/* Grows FIRST in rounds over all productions until nothing changes. */
static void find_first(struct sets *s)
{
    for (bool changed = true; changed;) {
        changed = false;
        /* Backwards, since rules mostly refer to later ones. */
        for (uint32_t i = (uint32_t)s->p->n_productions; i-- > 0;)
            changed |= grow_first(s, i);
    }
}

/* Grows FOLLOW and `look` likewise, when FIRST is known.  The letters below `n_end` may stand after
 * the start rule. */
static void find_follow(struct sets *s, uint32_t n_end)
{
    pare_productions *p = s->p;
    for (uint32_t i = 0; i < n_end; i++)
        s->follow[p->start * p->words + i / 64] |= (uint64_t)1 << i % 64;
    for (bool changed = true; changed;) {
        changed = false;
        /* Forwards: FOLLOW goes from what uses a rule to the rule. */
        for (uint32_t i = 0; i < p->n_productions; i++)
            changed |= grow_follow(s, i);
    }
}

/* --- greedy operators ---------------------------------------------------------------------- */

/* Adds the letters that a production begins with. */
static void add_begin(const struct sets *s, uint32_t production, uint64_t *to)
{
    for (uint32_t state = s->p->productions[production].first_state;
         s->p->next[state] != PARE_DOT_END; state++) {
        unite(to, first_of(s, s->p->next[state]), s->p->words);
        if (!symbol_nullable(s->p, s->p->next[state])) return;
    }
}

/* Whether one of the operators of nonterminal `n` is that alternative of its rule. */
static bool has_alternative(const pare_productions *p, uint32_t n, uint32_t alternative)
{
    const pare_nonterminal *operators = &p->nonterminals[n];
    for (uint32_t i = 0; i < operators->n_productions; i++)
        if (p->productions[operators->first_production + i].alternative == alternative) return true;
    return false;
}

/* Adds to `out` the letters of `operators` that the loop with these must not be greedy for: another
 * operator of the text might take them, of another rule or of a lower precedence.  False when an
 * operator may be nothing. */
static bool find_contested(const struct sets *s, uint32_t operators, uint64_t *out)
{
    const pare_productions *p = s->p;
    if (p->nonterminals[operators].nullable) return false;
    for (uint32_t n = 0; n < p->n_nonterminals; n++) {
        const pare_nonterminal *other = &p->nonterminals[n];
        if (other->kind != PARE_NONTERMINAL_OPERATOR) continue;
        const bool same_rule = other->symbol == p->nonterminals[operators].symbol;
        if (same_rule && other->nullable) return false;
        for (uint32_t i = 0; i < other->n_productions; i++) {
            const uint32_t production = other->first_production + i;
            if (!same_rule ||
                !has_alternative(p, operators, p->productions[production].alternative))
                add_begin(s, production, out);
        }
    }
    return true;
}

/* Takes from `look` after each e[p] that is no left operand the letters for which the loop e[p] is
 * greedy: those that begin an operator of it, and that may stand there only because the loop of an
 * outer e may take them.  Whatever that does with the operator and its operand, e[p] can do, and
 * end afterwards; so the rest of the text has a tree with either, and the inner one is preferred.
 * `outer` has what may stand there apart from operators. */
static pare_status take_greedily(const struct sets *s, const struct sets *outer, pare_error *err)
{
    const pare_productions *p = s->p;
    uint64_t *contested = pare_alloc(p->words, sizeof *contested);
    if (!contested) return pare_fail_nomem(err);
    for (uint32_t n = 0; n < p->n_nonterminals; n++) {
        const pare_nonterminal *loop = &p->nonterminals[n];
        if (loop->kind != PARE_NONTERMINAL_LEFT || loop->nullable || loop->n_productions < 2)
            continue;
        const uint32_t rounds = loop->first_production + 1;
        const uint32_t operators = p->next[p->productions[rounds].first_state + 1];
        memset(contested, 0, p->words * sizeof *contested);
        if (!find_contested(s, operators, contested)) continue;
        for (uint32_t state = 0; state < p->n_states; state++) {
            if (p->next[state] != n || is_operand(p, state)) continue;
            uint64_t *look = s->look + (state + 1) * p->words;
            const uint64_t *keep = outer->look + (state + 1) * p->words;
            for (size_t w = 0; w < p->words; w++)
                look[w] &= ~(first_of(s, operators)[w] & ~contested[w] & ~keep[w]);
        }
    }
    pare_alloc_free(contested);
    return PARE_OK;
}

/* Zeroed sets, but for FIRST; what is there at the end is the caller's, also after an error. */
static pare_status begin_sets(struct sets *s, pare_error *err)
{
    const pare_productions *p = s->p;
    s->follow = pare_alloc_zero(p->n_nonterminals * p->words, sizeof *s->follow);
    s->look = pare_alloc_zero(p->n_states * p->words, sizeof *s->look);
    return s->follow && s->look ? PARE_OK : pare_fail_nomem(err);
}

/* Makes *look, where the letters below `n_end` may stand after the start rule.  FIRST is kept
 * the first time: it does not depend on that. */
static pare_status find_look(pare_productions *p, uint32_t n_end, uint64_t **look, pare_error *err)
{
    struct sets s = {.p = p}, outer = {.p = p, .without_loops = true};
    assert(n_end <= p->n_letters);
    pare_status bound = pare_productions_bound(p, p->n_nonterminals + p->n_states, err);
    if (bound) return bound;
    s.first = pare_alloc_zero(p->n_nonterminals * p->words, sizeof *s.first);
    outer.first = s.first;
    pare_status status = s.first ? PARE_OK : pare_fail_nomem(err);
    if (!status) find_first(&s);
    if (!status) status = begin_sets(&s, err);
    if (!status) find_follow(&s, n_end);
    if (!status) status = begin_sets(&outer, err);
    if (!status) find_follow(&outer, n_end);
    if (!status) status = take_greedily(&s, &outer, err);
    pare_alloc_free(s.follow);
    pare_alloc_free(outer.follow);
    pare_alloc_free(outer.look);
    if (!status && !p->first)
        p->first = s.first;
    else
        pare_alloc_free(s.first);
    if (status)
        pare_alloc_free(s.look);
    else
        *look = s.look;
    return status;
}

/* --- right recursion ------------------------------------------------------------------- */

/* Tarjan's search.  Arrays are by nonterminal, but for `tail`. */
struct search {
    const pare_productions *p;
    bool *tail;       /* by dotted state: what is after the symbol at it may be nothing */
    uint32_t *number; /* by nonterminal: order of discovery from 1; 0: not yet */
    uint32_t *low;    /* the least number known to be reached; UINT32_MAX: component done */
    uint32_t *component;
    uint32_t *state; /* where the search stands in the nonterminal's productions */
    uint32_t *path, *open;
    size_t n_path, n_open;
    uint32_t n_found, n_components;
};

/* Fills `tail`, from the end of each production to its start: a production may have as many symbols
 * as the grammar. */
static void find_tails(struct search *s)
{
    const pare_productions *p = s->p;
    for (size_t state = p->n_states; state-- > 0;) {
        if (p->next[state] == PARE_DOT_END) continue;
        const uint32_t after = p->next[state + 1];
        s->tail[state] = after == PARE_DOT_END || (symbol_nullable(p, after) && s->tail[state + 1]);
    }
}

/* Whether the production goes on at its tail with the nonterminal at `state`: an edge of the
 * relation.  The head of a loop is none: that is left recursion. */
static bool is_edge(const struct search *s, uint32_t state)
{
    const pare_productions *p = s->p;
    uint32_t symbol = p->next[state];
    if (symbol == PARE_DOT_END || symbol & PARE_TERMINAL || !s->tail[state]) return false;
    const pare_production *production = &p->productions[p->production[state]];
    return state != production->first_state || symbol != production->lhs;
}

/* Visits a nonterminal for the first time: numbers it, and puts it on the path and among those
 * without a component. */
static void discover(struct search *s, uint32_t n)
{
    const pare_nonterminal *nonterminal = &s->p->nonterminals[n];
    s->number[n] = s->low[n] = ++s->n_found;
    s->state[n] = nonterminal->n_productions
                      ? s->p->productions[nonterminal->first_production].first_state
                      : UINT32_MAX;
    s->path[s->n_path++] = n;
    s->open[s->n_open++] = n;
}

/* The state after the last one of a nonterminal's productions, which are in a row. */
static uint32_t states_end(const pare_productions *p, uint32_t n)
{
    size_t after = p->nonterminals[n].first_production + p->nonterminals[n].n_productions;
    return after < p->n_productions ? p->productions[after].first_state : (uint32_t)p->n_states;
}

/* Closes a component at `n`, its first nonterminal to be found: all that were found since and
 * have no component yet belong to it. */
static void close_component(struct search *s, uint32_t n)
{
    uint32_t member;
    do {
        member = s->open[--s->n_open];
        s->component[member] = s->n_components;
        s->low[member] = UINT32_MAX;
    } while (member != n);
    s->n_components++;
}

/* Searches on from the nonterminal at the end of the path: along one edge to a new one, or
 * back when all its edges were followed. */
static void step(struct search *s)
{
    const pare_productions *p = s->p;
    uint32_t n = s->path[s->n_path - 1], end = states_end(p, n);
    while (s->state[n] < end) {
        uint32_t state = s->state[n]++;
        if (!is_edge(s, state)) continue;
        uint32_t to = p->next[state];
        if (!s->number[to]) {
            discover(s, to);
            return;
        }
        /* A way back to one that has no component yet. */
        if (s->low[to] != UINT32_MAX && s->number[to] < s->low[n]) s->low[n] = s->number[to];
    }
    s->n_path--;
    uint32_t low = s->low[n];
    if (low == s->number[n]) {
        close_component(s, n);
    } else {
        uint32_t parent = s->path[s->n_path - 1];
        if (low < s->low[parent]) s->low[parent] = low;
    }
}

/* Marks the links, and the ends of the productions whose nonterminal a link waits for. */
static void mark(const struct search *s, pare_productions *p, bool *awaited)
{
    for (uint32_t state = 0; state < p->n_states; state++) {
        if (!is_edge(s, state)) continue;
        uint32_t lhs = p->productions[p->production[state]].lhs;
        if (s->component[lhs] != s->component[p->next[state]]) continue;
        p->right_recursive[state] = true;
        awaited[p->next[state]] = true;
    }
    for (uint32_t state = 0; state < p->n_states; state++) {
        if (p->next[state] == PARE_DOT_END)
            p->right_recursive[state] = awaited[p->productions[p->production[state]].lhs];
    }
}

/* Runs Tarjan's search from each nonterminal not found yet, and marks what follows.  Its
 * arrays are one allocation. */
static pare_status find_right_recursion(pare_productions *p, pare_error *err)
{
    size_t n = p->n_nonterminals;
    struct search s = {.p = p};
    uint32_t *all = pare_alloc_zero(6 * n, sizeof *all);
    bool *awaited = pare_alloc_zero(n, sizeof *awaited);
    s.tail = pare_alloc_zero(p->n_states, sizeof *s.tail);
    p->right_recursive = pare_alloc_zero(p->n_states, sizeof *p->right_recursive);
    bool fits = all && awaited && s.tail && p->right_recursive;
    if (fits) {
        find_tails(&s);
        s.number = all;
        s.low = all + n;
        s.component = all + 2 * n;
        s.state = all + 3 * n;
        s.path = all + 4 * n;
        s.open = all + 5 * n;
    }
    for (uint32_t i = 0; fits && i < n; i++) {
        if (!s.number[i]) discover(&s, i);
        while (s.n_path > 0)
            step(&s);
    }
    if (fits) mark(&s, p, awaited);
    pare_alloc_free(all);
    pare_alloc_free(awaited);
    pare_alloc_free(s.tail);
    return fits ? PARE_OK : pare_fail_nomem(err);
}

/* --- the whole ------------------------------------------------------------------------- */

/* Right recursion and the sets of letters need to know what may be nothing. */
pare_status pare_production_sets_find(pare_productions *p, pare_error *err)
{
    find_nullable(p);
    pare_status status = prefer_first_null(p, err);
    if (status == PARE_OK) status = find_right_recursion(p, err);
    return status == PARE_OK ? find_look(p, PARE_TOKEN_END + 1, &p->look, err) : status;
}

/* Sets of letters for texts that are a prefix of something longer, so any letter may follow the
 * start rule.  Made once, on first use; `open_differs` tells whether they are worth a recogniser of
 * their own. */
pare_status pare_production_sets_open(pare_productions *p, pare_error *err)
{
    if (p->open_look) return PARE_OK;
    /* Any letter may follow the start rule. */
    pare_status status = find_look(p, p->n_letters, &p->open_look, err);
    size_t size = p->n_states * p->words * sizeof *p->look;
    if (status == PARE_OK) p->open_differs = memcmp(p->look, p->open_look, size) != 0;
    return status;
}
