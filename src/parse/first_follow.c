/* What a production can begin with and what can follow it, by fixpoints over the
 * productions.  Source: Aho, Lam, Sethi, Ullman, Compilers, section 4.4.2. */
#include <string.h>

#include <pare/status.h>

#include "base/alloc.h"
#include "base/status.h"
#include "grammar/grammar.h"
#include "parse/productions.h"

struct sets {
    pare_productions *p;
    uint64_t *first, *follow; /* by nonterminal */
    uint64_t *look;           /* by dotted state */
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

static bool symbol_nullable(const pare_productions *p, uint32_t symbol)
{
    return !(symbol & PARE_TERMINAL) && p->nonterminals[symbol].nullable;
}

static bool production_nullable(const pare_productions *p, uint32_t production)
{
    uint32_t state = p->productions[production].first_state;
    while (p->next[state] != PARE_DOT_END && symbol_nullable(p, p->next[state]))
        state++;
    return p->next[state] == PARE_DOT_END;
}

/* Marks what can derive nothing.  The production noted first uses only nonterminals
 * noted before, so that following null_production ends. */
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

/* Whether the noted derivations of nothing below `production` come by `lhs`. */
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

/* Prefers the first alternative that can derive nothing, as ANTLR does. */
static pare_status prefer_first_null(pare_productions *p, pare_error *err)
{
    uint32_t *stack = pare_alloc(p->n_nonterminals, sizeof *stack);
    bool *seen = pare_alloc(p->n_nonterminals, sizeof *seen);
    for (uint32_t n = 0; stack && seen && n < p->n_nonterminals; n++) {
        pare_nonterminal *nonterminal = &p->nonterminals[n];
        if (!nonterminal->nullable || pare_is_loop(nonterminal)) continue;
        for (uint32_t i = nonterminal->first_production; i < nonterminal->null_production; i++) {
            if (!production_nullable(p, i) || reaches(p, i, n, stack, seen)) continue;
            nonterminal->null_production = i;
            break;
        }
    }
    bool fits = stack && seen;
    pare_release(stack);
    pare_release(seen);
    return fits ? PARE_OK : pare_fail_nomem(err);
}

/* The letters a symbol begins with. */
static const uint64_t *first_of(const struct sets *s, uint32_t symbol)
{
    if (symbol & PARE_TERMINAL) return s->p->terminals + (symbol & ~PARE_TERMINAL) * s->p->words;
    return s->first + symbol * s->p->words;
}

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

/* The state behind the last symbol of a production. */
static uint32_t end_state(const pare_productions *p, uint32_t production)
{
    uint32_t state = p->productions[production].first_state;
    while (p->next[state] != PARE_DOT_END)
        state++;
    return state;
}

/* Fills look of the production's states from the end, and what follows its symbols. */
static bool grow_follow(struct sets *s, uint32_t production)
{
    const pare_productions *p = s->p;
    bool changed = false;
    uint32_t end = end_state(p, production), first = p->productions[production].first_state;
    unite(s->look + end * p->words, s->follow + p->productions[production].lhs * p->words,
          p->words);
    for (uint32_t state = end; state-- > first;) {
        uint32_t symbol = p->next[state];
        const uint64_t *behind = s->look + (state + 1) * p->words;
        uint64_t *look = s->look + state * p->words;
        if (!(symbol & PARE_TERMINAL))
            changed |= unite(s->follow + symbol * p->words, behind, p->words);
        unite(look, first_of(s, symbol), p->words);
        if (symbol_nullable(p, symbol)) unite(look, behind, p->words);
    }
    return changed;
}

static void find_letters(struct sets *s)
{
    pare_productions *p = s->p;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = (uint32_t)p->n_productions; i-- > 0;)
            changed |= grow_first(s, i);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < p->n_productions; i++)
            changed |= grow_follow(s, i);
    }
}

/* Allocates and fills *look; behind the start rule stands a letter below `n_end`. */
static pare_status find_look(pare_productions *p, uint32_t n_end, uint64_t **look, pare_error *err)
{
    struct sets s = {.p = p};
    s.first = pare_alloc_zero(p->n_nonterminals * p->words, sizeof *s.first);
    s.follow = pare_alloc_zero(p->n_nonterminals * p->words, sizeof *s.follow);
    s.look = pare_alloc_zero(p->n_states * p->words, sizeof *s.look);
    bool fits = s.first && s.follow && s.look;
    for (uint32_t i = 0; fits && i < n_end; i++)
        s.follow[p->start * p->words + i / 64] |= (uint64_t)1 << i % 64;
    if (fits) find_letters(&s);
    pare_release(s.follow);
    if (fits && !p->first)
        p->first = s.first;
    else
        pare_release(s.first);
    if (!fits) {
        pare_release(s.look);
        return pare_fail_nomem(err);
    }
    *look = s.look;
    return PARE_OK;
}

pare_status pare_productions_analyse(pare_productions *p, pare_error *err)
{
    find_nullable(p);
    pare_status status = prefer_first_null(p, err);
    if (status == PARE_OK) status = pare_productions_find_right_recursion(p, err);
    return status == PARE_OK ? find_look(p, PARE_TOKEN_END + 1, &p->look, err) : status;
}

pare_status pare_productions_open(pare_productions *p, pare_error *err)
{
    if (p->open_look) return PARE_OK;
    pare_status status = find_look(p, p->n_letters, &p->open_look, err);
    size_t size = p->n_states * p->words * sizeof *p->look;
    if (status == PARE_OK) p->open_differs = memcmp(p->look, p->open_look, size) != 0;
    return status;
}
