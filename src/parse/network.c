/* Closure is a plain search; what it met is kept in `work` and found by a hash. */
#include "parse/network.h"

#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "base/vector.h"
#include "grammar/grammar.h"

static uint32_t index_of(uint32_t state)
{
    return state & ~PARE_PLACE_KIND;
}

static size_t mix(uint32_t a, uint32_t b, uint32_t c)
{
    uint64_t hash = ((uint64_t)a << 32 | b) * 0x9E3779B97F4A7C15u;
    hash = (hash ^ hash >> 29 ^ c) * 0xBF58476D1CE4E5B9u;
    return (size_t)(hash >> 31);
}

static const pare_nonterminal *nonterminal_at(const pare_network *network, uint32_t nonterminal)
{
    return &network->p->nonterminals[nonterminal];
}

static bool is_loop(const pare_network *network, uint32_t nonterminal)
{
    return pare_is_loop(nonterminal_at(network, nonterminal));
}

/* --- the network -------------------------------------------------------------------- */

/* Whether the rule of that kind exists once for each precedence. */
static bool has_precedence(const pare_nonterminal *n)
{
    return n->kind == PARE_NONTERMINAL_LEFT || n->kind == PARE_NONTERMINAL_OPERATOR;
}

/* Of the nonterminals of a left-recursive rule, that with the least precedence stands for
 * all: it has all operators.  `least` is by rule. */
static void find_whole(pare_network *network, uint32_t *least)
{
    const pare_productions *p = network->p;
    for (int round = 0; round < 2; round++) {
        pare_nonterminal_kind kind = round ? PARE_NONTERMINAL_OPERATOR : PARE_NONTERMINAL_LEFT;
        memset(least, 0xFF, p->grammar->n_rules * sizeof *least);
        for (uint32_t i = 0; i < p->n_nonterminals; i++) {
            const pare_nonterminal *n = &p->nonterminals[i];
            if (n->kind != kind) continue;
            uint32_t *best = &least[n->symbol];
            if (*best == UINT32_MAX || n->precedence < p->nonterminals[*best].precedence) *best = i;
        }
        for (uint32_t i = 0; i < p->n_nonterminals; i++) {
            if (p->nonterminals[i].kind == kind)
                network->whole[i] = least[p->nonterminals[i].symbol];
        }
    }
}

/* Whether the dotted state is before a call that a closure may return to: not the left
 * recursion of a loop, nor in an incomplete copy of a rule. */
static bool is_call(const pare_network *network, uint32_t state)
{
    const pare_productions *p = network->p;
    uint32_t symbol = p->next[state];
    if (symbol == PARE_DOT_END || symbol & PARE_TERMINAL) return false;
    const pare_production *production = &p->productions[p->production[state]];
    uint32_t lhs = production->lhs;
    if (has_precedence(&p->nonterminals[lhs]) && network->whole[lhs] != lhs) return false;
    return symbol != lhs || !is_loop(network, lhs) || state != production->first_state;
}

static void find_calls(pare_network *network)
{
    const pare_productions *p = network->p;
    uint32_t *first = network->first_call;
    memset(first, 0, (p->n_nonterminals + 1) * sizeof *first);
    for (uint32_t s = 0; s < p->n_states; s++) {
        if (is_call(network, s)) first[network->whole[p->next[s]]]++;
    }
    uint32_t at = 0;
    for (uint32_t i = 0; i <= p->n_nonterminals; i++)
        first[i] = at += first[i];
    for (uint32_t s = (uint32_t)p->n_states; s-- > 0;) {
        if (is_call(network, s)) network->calls[--first[network->whole[p->next[s]]]] = s + 1;
    }
}

pare_status pare_network_init(pare_network *out, const pare_productions *p, pare_error *err)
{
    *out = (pare_network){.p = p, .node_mask = 63, .met_mask = 63};
    out->whole = pare_alloc(p->n_nonterminals, sizeof *out->whole);
    out->first_call = pare_alloc(p->n_nonterminals + 1, sizeof *out->first_call);
    out->calls = pare_alloc(p->n_states, sizeof *out->calls);
    out->node_table = pare_alloc_zero(out->node_mask + 1, sizeof *out->node_table);
    out->met_table = pare_alloc_zero(out->met_mask + 1, sizeof *out->met_table);
    out->nodes = pare_vector_reserve(NULL, &out->nodes_capacity, 1, sizeof *out->nodes);
    uint32_t *least = pare_alloc(p->grammar->n_rules, sizeof *least);
    bool fits = out->whole && out->first_call && out->calls && out->node_table && out->met_table &&
                out->nodes && least;
    if (fits) {
        for (uint32_t i = 0; i < p->n_nonterminals; i++)
            out->whole[i] = i;
        find_whole(out, least);
        find_calls(out);
        out->nodes[out->n_nodes++] = (pare_stack_node){0, PARE_PLACE_END};
    }
    pare_release(least);
    if (fits) return PARE_OK;
    pare_network_done(out);
    return pare_fail_nomem(err);
}

void pare_network_done(pare_network *network)
{
    pare_release(network->whole);
    pare_release(network->first_call);
    pare_release(network->calls);
    pare_release(network->nodes);
    pare_release(network->node_table);
    pare_release(network->met_table);
    pare_config_set_done(&network->work);
    memset(network, 0, sizeof *network);
}

void pare_network_reset(pare_network *network, size_t max_steps)
{
    network->n_nodes = 1;
    memset(network->node_table, 0, (network->node_mask + 1) * sizeof *network->node_table);
    network->n_steps = 0;
    network->max_steps = max_steps;
    network->failed = network->exhausted = false;
}

void pare_config_set_done(pare_config_set *set)
{
    pare_release(set->all);
    memset(set, 0, sizeof *set);
}

void pare_config_add(pare_network *network, pare_config_set *set, pare_config config)
{
    pare_config *all = pare_vector_reserve(set->all, &set->capacity, set->n + 1, sizeof *all);
    if (!all) {
        network->failed = true;
        return;
    }
    set->all = all;
    all[set->n++] = config;
}

/* --- stacks ------------------------------------------------------------------------- */

/* Where the node is or would be in the table. */
static uint32_t *find_node(const pare_network *network, uint32_t below, uint32_t state)
{
    size_t at = mix(below, state, 0) & network->node_mask;
    while (network->node_table[at]) {
        const pare_stack_node *node = &network->nodes[network->node_table[at]];
        if (node->below == below && node->state == state) break;
        at = (at + 1) & network->node_mask;
    }
    return &network->node_table[at];
}

static bool reserve_nodes(pare_network *network)
{
    if (2 * (network->n_nodes + 1) <= network->node_mask) return true;
    size_t size = 2 * (network->node_mask + 1);
    uint32_t *table = pare_alloc_zero(size, sizeof *table);
    if (!table) return false;
    pare_release(network->node_table);
    network->node_table = table;
    network->node_mask = size - 1;
    for (uint32_t i = 1; i < network->n_nodes; i++)
        *find_node(network, network->nodes[i].below, network->nodes[i].state) = i;
    return true;
}

uint32_t pare_stack_push(pare_network *network, uint32_t below, uint32_t state)
{
    uint32_t *slot = find_node(network, below, state), known = *slot;
    if (known) return known;
    pare_stack_node *nodes = pare_vector_reserve(network->nodes, &network->nodes_capacity,
                                                 network->n_nodes + 1, sizeof *nodes);
    if (nodes) network->nodes = nodes;
    if (!nodes || network->n_nodes >= UINT32_MAX / 2) {
        network->failed = true;
        return 0;
    }
    uint32_t index = (uint32_t)network->n_nodes++;
    nodes[index] = (pare_stack_node){below, state};
    *slot = index;
    if (!reserve_nodes(network)) network->failed = true;
    return index;
}

/* Whether one returns to the dotted state from another rule. */
static bool is_rule_call(const pare_network *network, uint32_t state)
{
    pare_nonterminal_kind kind = pare_network_kind(network, network->p->next[state - 1]);
    return kind == PARE_NONTERMINAL_RULE || kind == PARE_NONTERMINAL_LEFT;
}

uint32_t pare_stack_cut(pare_network *network, uint32_t stack)
{
    enum { MAX_WITHIN = 64 }; /* blocks in blocks of one rule */
    uint32_t states[MAX_WITHIN];
    size_t n = 0;
    for (; stack != 0 && !is_rule_call(network, network->nodes[stack].state);
         stack = network->nodes[stack].below) {
        if (n == MAX_WITHIN) {
            network->exhausted = true;
            return 0;
        }
        states[n++] = network->nodes[stack].state;
    }
    uint32_t cut = 0;
    while (n-- > 0)
        cut = pare_stack_push(network, cut, states[n]);
    return cut;
}

pare_config pare_stack_pop(const pare_network *network, uint32_t stack)
{
    const pare_stack_node *node = &network->nodes[stack];
    return (pare_config){.state = node->state, .stack = node->below};
}

/* --- decisions ---------------------------------------------------------------------- */

/* The single terminal that a production is; PARE_DOT_END when it is not one. */
static uint32_t only_terminal(const pare_productions *p, uint32_t production)
{
    uint32_t state = p->productions[production].first_state, symbol = p->next[state];
    bool only =
        symbol != PARE_DOT_END && symbol & PARE_TERMINAL && p->next[state + 1] == PARE_DOT_END;
    return only ? symbol : PARE_DOT_END;
}

/* Whether an alternative of the rule has a label: ANTLR makes no set of it then. */
static bool has_label(const pare_grammar *grammar, uint32_t body)
{
    for (pare_index a = grammar->exprs[body].first; a != PARE_NO_INDEX;
         a = grammar->exprs[a].next) {
        if (grammar->exprs[a].label != PARE_NO_INDEX) return true;
    }
    return false;
}

bool pare_network_is_set(const pare_network *network, uint32_t nonterminal)
{
    const pare_productions *p = network->p;
    const pare_nonterminal *n = &p->nonterminals[nonterminal];
    if (n->n_productions < 2) return false;
    uint32_t body = n->symbol;
    if (n->kind == PARE_NONTERMINAL_RULE)
        body = p->grammar->rules[n->symbol].body;
    else if (n->kind != PARE_NONTERMINAL_BLOCK && n->kind != PARE_NONTERMINAL_ITEM)
        return false;
    for (uint32_t i = 0; i < n->n_productions; i++) {
        if (only_terminal(p, n->first_production + i) == PARE_DOT_END) return false;
    }
    return !has_label(p->grammar, body);
}

uint32_t pare_network_entry(const pare_network *network, uint32_t nonterminal)
{
    const pare_nonterminal *n = nonterminal_at(network, nonterminal);
    if (n->kind == PARE_NONTERMINAL_STAR) return PARE_PLACE_LOOP | nonterminal;
    return network->p->productions[n->first_production].first_state;
}

/* The beginning of another round; PARE_PLACE_END when the loop has none. */
static uint32_t round_of(const pare_network *network, uint32_t loop)
{
    const pare_nonterminal *n = nonterminal_at(network, loop);
    if (n->n_productions < 2) return PARE_PLACE_END;
    return network->p->productions[n->first_production + 1].first_state + 1;
}

static void number(pare_network *network, pare_config_set *out, uint32_t state, uint32_t stack)
{
    pare_config_add(network, out, (pare_config){state, stack, (uint32_t)out->n + 1, false});
}

static void loop_alternatives(pare_network *network, uint32_t loop, uint32_t stack,
                              pare_config_set *out)
{
    bool lazy = nonterminal_at(network, loop)->lazy;
    uint32_t round = round_of(network, loop);
    if (lazy) number(network, out, PARE_PLACE_EXIT | loop, stack);
    if (round != PARE_PLACE_END) number(network, out, round, stack);
    if (!lazy) number(network, out, PARE_PLACE_EXIT | loop, stack);
}

/* The productions of a choice. */
static void choice_alternatives(pare_network *network, uint32_t nonterminal, uint32_t stack,
                                pare_config_set *out)
{
    const pare_nonterminal *n = nonterminal_at(network, nonterminal);
    for (uint32_t i = 0; i < n->n_productions; i++)
        number(network, out, network->p->productions[n->first_production + i].first_state, stack);
}

/* The choice within an option is part of its decision, unless it is a set. */
static void option_alternatives(pare_network *network, uint32_t option, uint32_t stack,
                                pare_config_set *out)
{
    const pare_productions *p = network->p;
    const pare_nonterminal *n = nonterminal_at(network, option);
    for (uint32_t i = 0; i < n->n_productions; i++) {
        uint32_t state = p->productions[n->first_production + i].first_state;
        uint32_t symbol = p->next[state];
        bool block = symbol != PARE_DOT_END && !(symbol & PARE_TERMINAL) &&
                     pare_network_kind(network, symbol) == PARE_NONTERMINAL_ITEM &&
                     !pare_network_is_set(network, symbol);
        if (block)
            choice_alternatives(network, symbol, pare_stack_push(network, stack, state + 1), out);
        else
            number(network, out, state, stack);
    }
}

void pare_network_alternatives(pare_network *network, uint32_t nonterminal, uint32_t stack,
                               pare_config_set *out)
{
    out->n = 0;
    if (is_loop(network, nonterminal))
        loop_alternatives(network, nonterminal, stack, out);
    else if (pare_network_kind(network, nonterminal) == PARE_NONTERMINAL_OPTIONAL)
        option_alternatives(network, nonterminal, stack, out);
    else
        choice_alternatives(network, nonterminal, stack, out);
}

/* --- closure ------------------------------------------------------------------------ */

static bool reserve_met(pare_network *network)
{
    pare_config_set *work = &network->work;
    if (2 * (work->n + 1) <= network->met_mask) return true;
    size_t size = 2 * (network->met_mask + 1);
    uint32_t *table = pare_alloc_zero(size, sizeof *table);
    if (!table) return false;
    pare_release(network->met_table);
    network->met_table = table;
    network->met_mask = size - 1;
    for (size_t i = 0; i < work->n; i++) {
        const pare_config *c = &work->all[i];
        size_t at = mix(c->state, c->stack, c->alternative) & network->met_mask;
        while (table[at])
            at = (at + 1) & network->met_mask;
        table[at] = (uint32_t)i + 1;
    }
    return true;
}

/* Empties the table in time of what is in it. */
static void forget_met(pare_network *network)
{
    for (size_t i = 0; i < network->work.n; i++) {
        const pare_config *c = &network->work.all[i];
        size_t at = mix(c->state, c->stack, c->alternative) & network->met_mask;
        while (network->met_table[at] != i + 1)
            at = (at + 1) & network->met_mask;
        network->met_table[at] = 0;
    }
    network->work.n = 0;
}

/* Adds the configuration to what was met, unless it was. */
static void meet(pare_network *network, pare_config config)
{
    size_t at = mix(config.state, config.stack, config.alternative) & network->met_mask;
    for (; network->met_table[at]; at = (at + 1) & network->met_mask) {
        pare_config *c = &network->work.all[network->met_table[at] - 1];
        if (c->state != config.state || c->stack != config.stack ||
            c->alternative != config.alternative)
            continue;
        c->dipped |= config.dipped;
        return;
    }
    pare_config_add(network, &network->work, config);
    network->met_table[at] = (uint32_t)network->work.n;
    if (++network->n_steps > network->max_steps) network->exhausted = true;
    if (!network->failed && !reserve_met(network)) network->failed = true;
}

/* Goes on behind a nonterminal. */
static void leave(pare_network *network, pare_config config, uint32_t nonterminal,
                  pare_stack_bottom bottom)
{
    if (config.stack != 0) {
        pare_config back = pare_stack_pop(network, config.stack);
        meet(network, (pare_config){back.state, back.stack, config.alternative, config.dipped});
        return;
    }
    uint32_t whole = network->whole[nonterminal];
    uint32_t first = network->first_call[whole], end = network->first_call[whole + 1];
    if (bottom == PARE_BOTTOM_END || first == end) {
        meet(network,
             (pare_config){PARE_PLACE_END, 0, config.alternative, bottom == PARE_BOTTOM_CALLERS});
        return;
    }
    for (uint32_t i = first; i < end; i++)
        meet(network, (pare_config){network->calls[i], 0, config.alternative, true});
}

/* Goes on within a nonterminal, whose return state is on the stack. */
static void enter(pare_network *network, pare_config config, uint32_t nonterminal)
{
    nonterminal = network->whole[nonterminal];
    const pare_nonterminal *n = nonterminal_at(network, nonterminal);
    uint32_t n_ways = is_loop(network, nonterminal) ? 1 : n->n_productions;
    for (uint32_t i = 0; i < n_ways; i++) {
        config.state = i == 0 ? pare_network_entry(network, nonterminal)
                              : network->p->productions[n->first_production + i].first_state;
        meet(network, config);
    }
}

static void expand_loop(pare_network *network, pare_config config, pare_stack_bottom bottom)
{
    uint32_t loop = network->whole[index_of(config.state)], round = round_of(network, loop);
    if (round != PARE_PLACE_END) {
        network->met_precedence |= pare_network_kind(network, loop) == PARE_NONTERMINAL_LEFT;
        config.state = round;
        meet(network, config);
    }
    leave(network, config, loop, bottom);
}

static bool is_at_terminal(const pare_network *network, uint32_t state)
{
    return (state & PARE_PLACE_KIND) == PARE_PLACE_DOT && network->p->next[state] != PARE_DOT_END &&
           network->p->next[state] & PARE_TERMINAL;
}

/* Whether the nonterminal may begin with the letter behind the closure, or be nothing. */
static bool may_begin(const pare_network *network, uint32_t nonterminal)
{
    return network->letter == PARE_ANY_LETTER || nonterminal_at(network, nonterminal)->nullable ||
           pare_letter_in(network->p, network->p->first, nonterminal, network->letter);
}

static void expand(pare_network *network, pare_config config, pare_stack_bottom bottom)
{
    const pare_productions *p = network->p;
    if (config.state == PARE_PLACE_END || is_at_terminal(network, config.state)) return;
    if ((config.state & PARE_PLACE_KIND) == PARE_PLACE_CALL) {
        enter(network, config, index_of(config.state));
    } else if ((config.state & PARE_PLACE_KIND) == PARE_PLACE_LOOP) {
        expand_loop(network, config, bottom);
    } else if ((config.state & PARE_PLACE_KIND) == PARE_PLACE_EXIT) {
        leave(network, config, index_of(config.state), bottom);
    } else if (p->next[config.state] != PARE_DOT_END) {
        if (!may_begin(network, p->next[config.state])) return;
        config.stack = pare_stack_push(network, config.stack, config.state + 1);
        enter(network, config, p->next[config.state]);
    } else {
        uint32_t lhs = p->productions[p->production[config.state]].lhs;
        if (is_loop(network, lhs))
            meet(network, (pare_config){PARE_PLACE_LOOP | lhs, config.stack, config.alternative,
                                        config.dipped});
        else
            leave(network, config, lhs, bottom);
    }
}

void pare_network_close(pare_network *network, pare_config_set *set, pare_stack_bottom bottom,
                        uint32_t letter)
{
    forget_met(network);
    network->letter = letter;
    network->met_precedence = false;
    for (size_t i = 0; i < set->n && !network->failed; i++)
        meet(network, set->all[i]);
    for (size_t i = 0; i < network->work.n && !network->failed && !network->exhausted; i++)
        expand(network, network->work.all[i], bottom);
    set->n = 0;
    for (size_t i = 0; i < network->work.n && !network->failed; i++) {
        pare_config c = network->work.all[i];
        if (c.state == PARE_PLACE_END || is_at_terminal(network, c.state))
            pare_config_add(network, set, c);
    }
}

void pare_network_move(pare_network *network, const pare_config_set *from, uint32_t letter,
                       pare_config_set *out)
{
    const pare_productions *p = network->p;
    out->n = 0;
    for (size_t i = 0; i < from->n && !network->failed; i++) {
        pare_config c = from->all[i];
        if (c.state == PARE_PLACE_END) {
            if (letter == PARE_TOKEN_END) pare_config_add(network, out, c);
        } else if (pare_symbol_begins(p, p->next[c.state], letter)) {
            c.state++;
            pare_config_add(network, out, c);
        }
    }
}

bool pare_network_letters(const pare_network *network, const pare_config_set *set,
                          uint64_t *letters)
{
    const pare_productions *p = network->p;
    bool end = false;
    for (size_t i = 0; i < set->n; i++) {
        uint32_t state = set->all[i].state;
        end |= state == PARE_PLACE_END;
        if (state == PARE_PLACE_END) continue;
        const uint64_t *terminal = p->terminals + (p->next[state] & ~PARE_TERMINAL) * p->words;
        for (size_t w = 0; w < p->words; w++)
            letters[w] |= terminal[w];
    }
    return end;
}
