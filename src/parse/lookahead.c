/* What one letter decides is kept by decision and letter; longer lookaheads are made anew
 * each time. */
#include "parse/lookahead.h"

#include <stdlib.h>
#include <string.h>

#include <pare/status.h>

#include "base/alloc.h"
#include "base/status.h"
#include "base/vector.h"
#include "grammar/grammar.h"
#include "parse/productions.h"

enum { LOOK_FURTHER = UINT16_MAX, MAX_ALTERNATIVES = UINT16_MAX - 1 };

typedef struct pare_decision {
    bool known, by_one_letter;
    uint16_t *by_letter; /* owned; 0: not known, or with by_one_letter: none */
} decision;

/* The stacks of one alternative in one state, by their number and a hash. */
typedef struct pare_alternative_stacks {
    uint32_t state, alternative;
    uint64_t hash;
} group;

pare_status pare_lookahead_init(pare_lookahead *out, pare_network *network, pare_error *err)
{
    *out = (pare_lookahead){.network = network};
    out->decisions = pare_alloc_zero(network->p->n_nonterminals, sizeof *out->decisions);
    return out->decisions ? PARE_OK : pare_fail_nomem(err);
}

void pare_lookahead_done(pare_lookahead *lookahead)
{
    for (size_t i = 0; lookahead->decisions && i < lookahead->network->p->n_nonterminals; i++)
        pare_release(lookahead->decisions[i].by_letter);
    pare_release(lookahead->decisions);
    pare_release(lookahead->groups);
    pare_release(lookahead->table);
    pare_config_set_done(&lookahead->alternatives);
    pare_config_set_done(&lookahead->from);
    pare_config_set_done(&lookahead->to);
    memset(lookahead, 0, sizeof *lookahead);
}

static bool is_over(const pare_lookahead *lookahead)
{
    return lookahead->network->failed || lookahead->network->exhausted;
}

/* --- decisions by one letter -------------------------------------------------------- */

/* Notes the letters that an alternative may begin with; false when one is taken already,
 * there are none, or precedences matter. */
static bool note_beginning(pare_lookahead *lookahead, pare_config alternative, uint64_t *letters,
                           uint16_t *by_letter)
{
    pare_network *network = lookahead->network;
    const pare_productions *p = network->p;
    bool any = false;
    lookahead->from.n = 0;
    pare_config_add(network, &lookahead->from, alternative);
    pare_network_close(network, &lookahead->from, PARE_BOTTOM_CALLERS, PARE_ANY_LETTER);
    if (is_over(lookahead) || network->met_precedence) return false;
    memset(letters, 0, p->words * sizeof *letters);
    if (pare_network_letters(network, &lookahead->from, letters)) letters[0] |= 1;
    for (uint32_t letter = 0; letter < p->n_letters; letter++) {
        if (!pare_letter_in(p, letters, 0, letter)) continue;
        if (by_letter[letter]) return false;
        by_letter[letter] = (uint16_t)alternative.alternative;
        any = true;
    }
    return any;
}

/* Whether the alternatives begin with different letters: fills by_letter then. */
static bool is_by_one_letter(pare_lookahead *lookahead, uint32_t nonterminal, uint16_t *by_letter)
{
    const pare_productions *p = lookahead->network->p;
    const pare_nonterminal *n = &p->nonterminals[nonterminal];
    const pare_config_set *alternatives = &lookahead->alternatives;
    if (n->lazy || n->kind == PARE_NONTERMINAL_LEFT) return false;
    uint64_t *letters = pare_alloc(p->words, sizeof *letters);
    if (!letters) lookahead->network->failed = true;
    bool differ = letters && alternatives->n < MAX_ALTERNATIVES;
    for (size_t i = 0; i < alternatives->n && differ; i++) {
        pare_config alternative = alternatives->all[i];
        alternative.stack = pare_stack_cut(lookahead->network, alternative.stack);
        differ = note_beginning(lookahead, alternative, letters, by_letter);
    }
    pare_release(letters);
    return differ;
}

static decision *learn(pare_lookahead *lookahead, uint32_t nonterminal)
{
    decision *d = &lookahead->decisions[nonterminal];
    if (d->known) return d;
    size_t n = lookahead->network->p->n_letters;
    d->by_letter = pare_alloc_zero(n, sizeof *d->by_letter);
    if (!d->by_letter) {
        lookahead->network->failed = true;
        return d;
    }
    size_t n_steps = lookahead->network->n_steps;
    d->by_one_letter = is_by_one_letter(lookahead, nonterminal, d->by_letter);
    if (is_over(lookahead)) {
        pare_release(d->by_letter);
        d->by_letter = NULL;
        return d;
    }
    if (!d->by_one_letter) memset(d->by_letter, 0, n * sizeof *d->by_letter);
    lookahead->network->n_steps = n_steps; /* it is kept, and so not counted */
    d->known = true;
    return d;
}

/* The alternative of a letter that none begins with: a loop or an option is left. */
static uint32_t default_of(const pare_lookahead *lookahead, uint32_t nonterminal)
{
    switch (pare_network_kind(lookahead->network, nonterminal)) {
    case PARE_NONTERMINAL_OPTIONAL:
    case PARE_NONTERMINAL_STAR:
    case PARE_NONTERMINAL_PLUS: return (uint32_t)lookahead->alternatives.n;
    default: return PARE_LOOKAHEAD_FAILS;
    }
}

/* --- lookahead ---------------------------------------------------------------------- */

/* The only alternative of the configurations, or 0. */
static uint32_t unique(const pare_config_set *set)
{
    for (size_t i = 1; i < set->n; i++) {
        if (set->all[i].alternative != set->all[0].alternative) return 0;
    }
    return set->n > 0 ? set->all[0].alternative : 0;
}

/* The first alternative that had left the rule; 0: none. */
static uint32_t first_finished(const pare_config_set *set)
{
    uint32_t least = 0;
    for (size_t i = 0; i < set->n; i++) {
        const pare_config *c = &set->all[i];
        if (!c->dipped && c->state != PARE_PLACE_END) continue;
        if (least == 0 || c->alternative < least) least = c->alternative;
    }
    return least;
}

static int compare_groups(const void *left, const void *right)
{
    const group *a = left, *b = right;
    if (a->state != b->state) return a->state < b->state ? -1 : 1;
    if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
    return a->alternative < b->alternative ? -1 : a->alternative > b->alternative;
}

static uint64_t mix(uint64_t value)
{
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9u;
    return value ^ value >> 27;
}

/* Room for the groups of a set, and for a hash of them. */
static bool reserve_groups(pare_lookahead *lookahead, size_t n)
{
    group *groups =
        pare_vector_reserve(lookahead->groups, &lookahead->groups_capacity, n + 1, sizeof *groups);
    if (groups) lookahead->groups = groups;
    size_t size = 64;
    while (size < 2 * n)
        size *= 2;
    uint32_t *table =
        pare_vector_reserve(lookahead->table, &lookahead->table_capacity, size, sizeof *table);
    if (table) lookahead->table = table;
    if (!groups || !table) {
        lookahead->network->failed = true;
        return false;
    }
    memset(table, 0, size * sizeof *table);
    lookahead->table_mask = size - 1;
    return true;
}

/* One group for each state and alternative of the set, ordered by state and stacks.  The
 * hash does not depend on the order of the stacks. */
static size_t make_groups(pare_lookahead *lookahead, const pare_config_set *set)
{
    size_t n = 0;
    if (!reserve_groups(lookahead, set->n)) return 0;
    for (size_t i = 0; i < set->n; i++) {
        const pare_config *c = &set->all[i];
        uint64_t key = (uint64_t)c->state << 32 | c->alternative;
        size_t at = mix(key * 0x9E3779B97F4A7C15u) & lookahead->table_mask;
        for (; lookahead->table[at]; at = (at + 1) & lookahead->table_mask) {
            const group *g = &lookahead->groups[lookahead->table[at] - 1];
            if (g->state == c->state && g->alternative == c->alternative) break;
        }
        if (!lookahead->table[at]) {
            lookahead->groups[n++] = (group){c->state, c->alternative, 0};
            lookahead->table[at] = (uint32_t)n;
        }
        lookahead->groups[lookahead->table[at] - 1].hash +=
            mix((c->stack + (uint64_t)1) * 0x9E3779B97F4A7C15u);
    }
    qsort(lookahead->groups, n, sizeof *lookahead->groups, compare_groups);
    return n;
}

/* Whether alternatives agree in state and stacks somewhere, and no state is left to one
 * alternative alone. */
static bool has_conflict(pare_lookahead *lookahead, const pare_config_set *set)
{
    size_t n = make_groups(lookahead, set);
    const group *groups = lookahead->groups;
    bool conflict = false, alone = false;
    for (size_t i = 0; i < n; i++) {
        bool same_before = i > 0 && groups[i - 1].state == groups[i].state;
        bool same_behind = i + 1 < n && groups[i + 1].state == groups[i].state;
        conflict |= same_before && groups[i - 1].hash == groups[i].hash;
        alone |= !same_before && !same_behind;
    }
    return conflict && !alone;
}

/* The alternative that comes first wherever stacks agree; 0: there are several. */
static uint32_t only_viable(pare_lookahead *lookahead, const pare_config_set *set)
{
    size_t n = make_groups(lookahead, set);
    const group *groups = lookahead->groups;
    uint32_t found = 0;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && groups[i - 1].state == groups[i].state && groups[i - 1].hash == groups[i].hash)
            continue;
        if (found && found != groups[i].alternative) return 0;
        found = groups[i].alternative;
    }
    return found;
}

static bool all_at_end(const pare_config_set *set)
{
    for (size_t i = 0; i < set->n; i++) {
        if (set->all[i].state != PARE_PLACE_END) return false;
    }
    return true;
}

static uint32_t least_alternative(const pare_config_set *set)
{
    uint32_t least = set->all[0].alternative;
    for (size_t i = 1; i < set->n; i++) {
        if (set->all[i].alternative < least) least = set->all[i].alternative;
    }
    return least;
}

static void swap_sets(pare_lookahead *lookahead)
{
    pare_config_set swap = lookahead->from;
    lookahead->from = lookahead->to;
    lookahead->to = swap;
}

/* The closure of all alternatives, before the first letter. */
static void begin(pare_lookahead *lookahead, pare_stack_bottom bottom, uint32_t letter)
{
    pare_network *network = lookahead->network;
    lookahead->from.n = 0;
    for (size_t i = 0; i < lookahead->alternatives.n; i++) {
        pare_config c = lookahead->alternatives.all[i];
        if (bottom == PARE_BOTTOM_CALLERS) c.stack = pare_stack_cut(network, c.stack);
        pare_config_add(network, &lookahead->from, c);
    }
    pare_network_close(network, &lookahead->from, bottom, letter);
}

/* Keeps what is at the end of the start rule, which needs no letter. */
static void keep_finished(pare_lookahead *lookahead)
{
    for (size_t i = 0; i < lookahead->from.n; i++) {
        if (lookahead->from.all[i].state == PARE_PLACE_END)
            pare_config_add(lookahead->network, &lookahead->to, lookahead->from.all[i]);
    }
}

/* Looks ahead from letter `at`.  With the whole stack an alternative, or none; without,
 * also LOOK_FURTHER.  Sets *n_used to the number of letters. */
static uint32_t look_ahead(pare_lookahead *lookahead, uint32_t at, pare_stack_bottom bottom,
                           uint32_t *n_used)
{
    pare_network *network = lookahead->network;
    bool whole = bottom == PARE_BOTTOM_END;
    begin(lookahead, bottom, pare_lookahead_letter(lookahead, at));
    for (uint32_t i = at; !is_over(lookahead); i++) {
        uint32_t letter = pare_lookahead_letter(lookahead, i);
        *n_used = i - at + 1;
        pare_network_move(network, &lookahead->from, letter, &lookahead->to);
        if (whole && letter != PARE_TOKEN_END) keep_finished(lookahead);
        if (lookahead->to.n == 0) {
            lookahead->failed_at = i;
            if (i == at) begin(lookahead, bottom, PARE_ANY_LETTER);
            return first_finished(&lookahead->from);
        }
        swap_sets(lookahead);
        if (unique(&lookahead->from)) return unique(&lookahead->from);
        pare_network_close(network, &lookahead->from, bottom, PARE_ANY_LETTER);
        if (is_over(lookahead)) break;
        if (!whole && (letter == PARE_TOKEN_END || all_at_end(&lookahead->from) ||
                       has_conflict(lookahead, &lookahead->from)))
            return LOOK_FURTHER;
        uint32_t viable = whole ? only_viable(lookahead, &lookahead->from) : 0;
        if (viable) return viable;
        if (letter == PARE_TOKEN_END || all_at_end(&lookahead->from))
            return least_alternative(&lookahead->from);
    }
    return PARE_LOOKAHEAD_FAILS;
}

uint32_t pare_lookahead_decide(pare_lookahead *lookahead, uint32_t nonterminal, uint32_t stack,
                               uint32_t at)
{
    pare_network_alternatives(lookahead->network, nonterminal, stack, &lookahead->alternatives);
    if (lookahead->alternatives.n == 1) return 1;
    uint32_t letter = pare_lookahead_letter(lookahead, at), n_used = 0;
    decision *d = learn(lookahead, nonterminal);
    lookahead->failed_at = at;
    if (is_over(lookahead)) return PARE_LOOKAHEAD_FAILS;
    if (d->by_letter[letter] > 0 && d->by_letter[letter] < LOOK_FURTHER)
        return d->by_letter[letter];
    if (d->by_one_letter) return default_of(lookahead, nonterminal);
    uint32_t found = LOOK_FURTHER;
    if (d->by_letter[letter] != LOOK_FURTHER)
        found = look_ahead(lookahead, at, PARE_BOTTOM_CALLERS, &n_used);
    if (n_used == 1 && found != PARE_LOOKAHEAD_FAILS && !is_over(lookahead))
        d->by_letter[letter] = (uint16_t)found;
    if (found != LOOK_FURTHER) return found;
    return look_ahead(lookahead, at, PARE_BOTTOM_END, &n_used);
}
