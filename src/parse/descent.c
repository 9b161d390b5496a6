/* One configuration, moved along as the generated code would move.  Calls are on its stack;
 * there is no recursion. */
#include "parse/descent.h"

#include <string.h>

#include <pare/status.h>

#include "base/alloc.h"
#include "base/status.h"
#include "parse/lookahead.h"
#include "parse/network.h"

/* Steps allowed: for each dotted state, since a lookahead may begin all over the grammar at
 * once, and for each letter. */
enum { MAX_STEPS_PER_STATE = 64, MAX_STEPS_PER_LETTER = 64, MAX_ENDS = 64 };

/* What may stand at a check, within the rule: letters, and whether the rule may end. */
struct expectation {
    uint64_t *letters; /* owned; NULL: not known yet */
    bool may_end;
};

/* Which check before a nonterminal: of all its ways, or of the first round of a loop. */
enum check_kind { AT_DECISION, AT_FIRST_ROUND, N_CHECKS };

struct pare_descent_state {
    const pare_productions *p;
    bool recurs; /* to the left, as ANTLR does not allow: nothing is ever found */
    pare_network network;
    pare_lookahead lookahead;
    struct expectation *expected; /* by nonterminal and check_kind */
    pare_config_set scratch;
    uint32_t state, stack; /* where the parser stands */
    uint32_t at;           /* letter */
    /* The last check that let a letter pass because the rule may end, if none behind it
     * knew its letter: its expectations are told when nothing fits. */
    uint32_t passed_state, passed_stack;
    bool again; /* at a loop: behind a round */
    bool ended;
    pare_fault fault;
};

static bool is_over(const pare_descent *d)
{
    return d->network.failed || d->network.exhausted || d->ended ||
           d->fault.kind != PARE_FAULT_NOT_FOUND;
}

static uint32_t letter(const pare_descent *d, uint32_t at)
{
    return pare_lookahead_letter(&d->lookahead, at);
}

/* --- what is expected --------------------------------------------------------------- */

/* The letters that may come from the configuration on; true when its stack may end. */
static bool look(pare_descent *d, uint32_t state, uint32_t stack, uint64_t *letters)
{
    d->scratch.n = 0;
    pare_config_add(&d->network, &d->scratch, (pare_config){state, stack, 1, false});
    pare_network_close(&d->network, &d->scratch, PARE_BOTTOM_END, PARE_ANY_LETTER);
    return pare_network_letters(&d->network, &d->scratch, letters);
}

/* A set of letters, empty; NULL: memory is out. */
static uint64_t *new_letters(pare_descent *d)
{
    uint64_t *letters = pare_alloc_zero(d->p->words, sizeof *letters);
    if (!letters) d->network.failed = true;
    return letters;
}

/* With all callers taken into account: where these end, the end of the file is expected. */
static uint64_t *look_with_callers(pare_descent *d, uint32_t state, uint32_t stack)
{
    uint64_t *letters = new_letters(d);
    if (letters && look(d, state, stack, letters)) letters[0] |= 1;
    return letters;
}

static bool expects(pare_descent *d, uint32_t state, uint32_t stack, uint32_t what)
{
    uint64_t *letters = look_with_callers(d, state, stack);
    bool found = letters && pare_letter_in(d->p, letters, 0, what);
    pare_release(letters);
    return found;
}

/* --- reports ------------------------------------------------------------------------ */

static void report(pare_descent *d, pare_fault_kind kind, uint32_t state, uint32_t stack)
{
    uint64_t *letters = look_with_callers(d, state, stack);
    if (!letters) return;
    d->fault = (pare_fault){.kind = kind, .at = d->at, .from = d->at, .expected = letters};
}

/* Whether it would help to leave out the letter: reports it then. */
static bool delete_letter(pare_descent *d, uint32_t state, uint32_t stack)
{
    if (d->at >= d->lookahead.n_letters || !expects(d, state, stack, letter(d, d->at + 1)))
        return false;
    report(d, PARE_FAULT_EXTRANEOUS, state, stack);
    return true;
}

/* The letter is not the one that has to be here. */
static void fail_match(pare_descent *d)
{
    if (delete_letter(d, d->state, d->stack)) return;
    if (expects(d, d->state + 1, d->stack, letter(d, d->at)))
        report(d, PARE_FAULT_MISSING, d->state, d->stack);
    else if (d->passed_state != PARE_PLACE_END)
        report(d, PARE_FAULT_MISMATCHED, d->passed_state, d->passed_stack);
    else
        report(d, PARE_FAULT_MISMATCHED, d->state, d->stack);
}

/* --- checks and decisions ----------------------------------------------------------- */

static const struct expectation *expectation_of(pare_descent *d, uint32_t nonterminal,
                                                enum check_kind kind)
{
    struct expectation *e = &d->expected[(size_t)nonterminal * N_CHECKS + kind];
    if (e->letters) return e;
    e->letters = new_letters(d);
    size_t n_steps = d->network.n_steps;
    if (e->letters)
        e->may_end = look(d, d->state, pare_stack_cut(&d->network, d->stack), e->letters);
    if (d->network.exhausted || d->network.failed) {
        pare_release(e->letters);
        e->letters = NULL;
    } else {
        d->network.n_steps = n_steps; /* it is kept, and so not counted */
    }
    return e;
}

/* The check before a decision about the nonterminal, at d->state.  False when it reports. */
static bool check(pare_descent *d, uint32_t nonterminal, enum check_kind kind)
{
    const struct expectation *e = expectation_of(d, nonterminal, kind);
    if (is_over(d)) return false;
    if (pare_letter_in(d->p, e->letters, 0, letter(d, d->at))) {
        d->passed_state = PARE_PLACE_END;
        return true;
    }
    if (e->may_end) {
        if (d->passed_state == PARE_PLACE_END) {
            d->passed_state = d->state;
            d->passed_stack = d->stack;
        }
        return true;
    }
    if (d->again && kind == AT_DECISION)
        report(d, PARE_FAULT_EXTRANEOUS, d->state, d->stack);
    else if (!delete_letter(d, d->state, d->stack))
        report(d, PARE_FAULT_MISMATCHED, d->state, d->stack);
    return false;
}

/* Goes on with the alternative that is decided on. */
static void decide(pare_descent *d, uint32_t nonterminal)
{
    uint32_t chosen = pare_lookahead_decide(&d->lookahead, nonterminal, d->stack, d->at);
    if (is_over(d)) return;
    if (chosen == PARE_LOOKAHEAD_FAILS) {
        d->fault = (pare_fault){PARE_FAULT_NO_VIABLE, d->lookahead.failed_at, d->at, NULL};
        return;
    }
    const pare_config *c = &d->lookahead.alternatives.all[chosen - 1];
    d->state = c->state;
    d->stack = c->stack;
    d->again = false;
}

/* --- steps -------------------------------------------------------------------------- */

static void leave(pare_descent *d)
{
    pare_config back = pare_stack_pop(&d->network, d->stack);
    d->ended = back.state == PARE_PLACE_END;
    d->state = back.state;
    d->stack = back.stack;
}

static void match(pare_descent *d)
{
    if (!pare_symbol_begins(d->p, d->p->next[d->state], letter(d, d->at))) {
        fail_match(d);
        return;
    }
    d->at++;
    d->state++;
    d->ended = d->at > d->lookahead.n_letters + MAX_ENDS;
}

/* Begins the nonterminal whose return state is on the stack. */
static void take_call(pare_descent *d)
{
    uint32_t nonterminal = d->state & ~PARE_PLACE_KIND;
    const pare_nonterminal *n = &d->p->nonterminals[nonterminal];
    d->again = false;
    if (n->kind == PARE_NONTERMINAL_PLUS && !check(d, nonterminal, AT_FIRST_ROUND)) return;
    if (pare_is_loop(n) || n->n_productions == 1)
        d->state = pare_network_entry(&d->network, nonterminal);
    else if (check(d, nonterminal, AT_DECISION))
        decide(d, nonterminal);
}

static void call(pare_descent *d, uint32_t nonterminal)
{
    d->stack = pare_stack_push(&d->network, d->stack, d->state + 1);
    d->state = PARE_PLACE_CALL | nonterminal;
}

/* At the end of a production. */
static void finish(pare_descent *d)
{
    const pare_production *production = &d->p->productions[d->p->production[d->state]];
    const pare_nonterminal *n = &d->p->nonterminals[production->lhs];
    if (!pare_is_loop(n)) {
        leave(d);
        return;
    }
    d->again = n->kind == PARE_NONTERMINAL_PLUS || d->state > production->first_state + 1;
    d->state = PARE_PLACE_LOOP | production->lhs;
}

static void take_loop(pare_descent *d)
{
    uint32_t loop = d->state & ~PARE_PLACE_KIND;
    if (d->p->nonterminals[loop].n_productions < 2)
        leave(d);
    else if (check(d, loop, AT_DECISION))
        decide(d, loop);
}

static void step(pare_descent *d)
{
    if (++d->network.n_steps > d->network.max_steps) d->network.exhausted = true;
    if ((d->state & PARE_PLACE_KIND) == PARE_PLACE_LOOP) {
        take_loop(d);
    } else if ((d->state & PARE_PLACE_KIND) == PARE_PLACE_CALL) {
        take_call(d);
    } else if ((d->state & PARE_PLACE_KIND) == PARE_PLACE_EXIT) {
        leave(d);
    } else {
        uint32_t symbol = d->p->next[d->state];
        if (symbol == PARE_DOT_END)
            finish(d);
        else if (symbol & PARE_TERMINAL || pare_network_is_set(&d->network, symbol))
            match(d);
        else
            call(d, symbol);
    }
}

/* --- the whole ---------------------------------------------------------------------- */

/* Whether all that the production may begin with is in `grounded`. */
static bool begins_grounded(const pare_productions *p, uint32_t production, const bool *grounded)
{
    uint32_t lhs = p->productions[production].lhs, s = p->productions[production].first_state;
    if (pare_is_loop(&p->nonterminals[lhs]) && p->next[s] == lhs) s++;
    for (; p->next[s] != PARE_DOT_END && !(p->next[s] & PARE_TERMINAL); s++) {
        if (!grounded[p->next[s]]) return false;
        if (!p->nonterminals[p->next[s]].nullable) return true;
    }
    return true;
}

static bool is_grounded(const pare_productions *p, uint32_t nonterminal, const bool *grounded)
{
    const pare_nonterminal *n = &p->nonterminals[nonterminal];
    for (uint32_t i = 0; i < n->n_productions; i++) {
        if (!begins_grounded(p, n->first_production + i, grounded)) return false;
    }
    return true;
}

/* Whether a nonterminal can begin with itself, other than loops by their nature. */
static pare_status find_left_recursion(const pare_productions *p, bool *found, pare_error *err)
{
    bool *grounded = pare_alloc_zero(p->n_nonterminals, sizeof *grounded);
    if (!grounded) return pare_fail_nomem(err);
    size_t n = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = (uint32_t)p->n_nonterminals; i-- > 0;) {
            if (grounded[i] || !is_grounded(p, i, grounded)) continue;
            grounded[i] = changed = true;
            n++;
        }
    }
    pare_release(grounded);
    *found = n < p->n_nonterminals;
    return PARE_OK;
}

pare_status pare_descent_new(const pare_productions *p, pare_descent **out, pare_error *err)
{
    pare_descent *d = pare_alloc_zero(1, sizeof *d);
    if (!d) return pare_fail_nomem(err);
    d->p = p;
    pare_status status = find_left_recursion(p, &d->recurs, err);
    if (status == PARE_OK) status = pare_network_init(&d->network, p, err);
    if (status == PARE_OK) status = pare_lookahead_init(&d->lookahead, &d->network, err);
    if (status == PARE_OK) {
        d->expected = pare_alloc_zero(p->n_nonterminals * N_CHECKS, sizeof *d->expected);
        if (!d->expected) status = pare_fail_nomem(err);
    }
    if (status == PARE_OK)
        *out = d;
    else
        pare_descent_free(d);
    return status;
}

void pare_descent_free(pare_descent *d)
{
    if (!d) return;
    for (size_t i = 0; d->expected && i < d->p->n_nonterminals * N_CHECKS; i++)
        pare_release(d->expected[i].letters);
    pare_release(d->expected);
    pare_config_set_done(&d->scratch);
    pare_lookahead_done(&d->lookahead);
    pare_network_done(&d->network);
    pare_release(d);
}

pare_status pare_descent_find_fault(pare_descent *d, const uint32_t *letters, uint32_t n,
                                    pare_fault *out, pare_error *err)
{
    pare_network_reset(&d->network,
                       MAX_STEPS_PER_STATE * d->p->n_states + (size_t)MAX_STEPS_PER_LETTER * n);
    d->lookahead.letters = letters;
    d->lookahead.n_letters = n;
    d->state = PARE_PLACE_CALL | d->p->start;
    d->passed_state = PARE_PLACE_END;
    d->stack = d->at = 0;
    d->again = false;
    d->ended = d->recurs;
    d->fault = (pare_fault){.kind = PARE_FAULT_NOT_FOUND};
    while (!is_over(d))
        step(d);
    if (d->network.failed || d->network.exhausted) pare_fault_done(&d->fault);
    if (d->network.failed) return pare_fail_nomem(err);
    *out = d->fault;
    return PARE_OK;
}

void pare_fault_done(pare_fault *fault)
{
    pare_release(fault->expected);
    memset(fault, 0, sizeof *fault);
}
