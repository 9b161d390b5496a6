/* Right recursion: which dotted states can be the only thing left of a production while
 * the symbol behind the dot leads back to that production at its own end.
 *
 * A derives B at its tail when A has a production A: x B y, and y is nonterminals that may
 * be nothing.  The strongly connected components of that relation are the right
 * recursions; a state A: x . B y within one of them is a link of its chains.
 * Source: Leo, TCS 82(1), 1991 (right recursion, transitive items); Tarjan, SIAM J.
 * Computing 1(2), 1972 (components), without recursion. */
#include <string.h>

#include <pare/status.h>

#include "base/alloc.h"
#include "base/status.h"
#include "parse/productions.h"

struct search {
    const pare_productions *p;
    uint32_t *number; /* by nonterminal: order of discovery from 1; 0: not yet */
    uint32_t *low;    /* the least number known to be reached; UINT32_MAX: component done */
    uint32_t *component;
    uint32_t *state; /* where the search stands in the nonterminal's productions */
    uint32_t *path, *open;
    size_t n_path, n_open;
    uint32_t n_found, n_components;
};

/* Whether what is behind the symbol at `state` may be nothing. */
static bool is_tail(const pare_productions *p, uint32_t state)
{
    for (state++; p->next[state] != PARE_DOT_END; state++) {
        uint32_t symbol = p->next[state];
        if (symbol & PARE_TERMINAL || !p->nonterminals[symbol].nullable) return false;
    }
    return true;
}

/* Whether a production of a goes on at its tail with the nonterminal at `state`.  The
 * head of a loop is none: that is left recursion. */
static bool is_edge(const pare_productions *p, uint32_t state)
{
    uint32_t symbol = p->next[state];
    if (symbol == PARE_DOT_END || symbol & PARE_TERMINAL || !is_tail(p, state)) return false;
    const pare_production *production = &p->productions[p->production[state]];
    return state != production->first_state || symbol != production->lhs;
}

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

/* The state behind the last one of a nonterminal's productions, which are in a row. */
static uint32_t states_end(const pare_productions *p, uint32_t n)
{
    size_t behind = p->nonterminals[n].first_production + p->nonterminals[n].n_productions;
    return behind < p->n_productions ? p->productions[behind].first_state : (uint32_t)p->n_states;
}

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

/* Searches from the nonterminal on top of the path, one edge or one way back. */
static void step(struct search *s)
{
    const pare_productions *p = s->p;
    uint32_t n = s->path[s->n_path - 1], end = states_end(p, n);
    while (s->state[n] < end) {
        uint32_t state = s->state[n]++;
        if (!is_edge(p, state)) continue;
        uint32_t to = p->next[state];
        if (!s->number[to]) {
            discover(s, to);
            return;
        }
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

/* Marks the links, and the ends of the productions that a link waits for. */
static void mark(const struct search *s, pare_productions *p, bool *awaited)
{
    for (uint32_t state = 0; state < p->n_states; state++) {
        if (!is_edge(p, state)) continue;
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

pare_status pare_productions_find_right_recursion(pare_productions *p, pare_error *err)
{
    size_t n = p->n_nonterminals;
    struct search s = {.p = p};
    uint32_t *all = pare_alloc_zero(6 * n, sizeof *all);
    bool *awaited = pare_alloc_zero(n, sizeof *awaited);
    p->right_recursive = pare_alloc_zero(p->n_states, sizeof *p->right_recursive);
    bool fits = all && awaited && p->right_recursive;
    if (fits) {
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
    pare_release(all);
    pare_release(awaited);
    return fits ? PARE_OK : pare_fail_nomem(err);
}
