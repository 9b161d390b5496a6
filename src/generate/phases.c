/* The tree as an array: the children of a node are behind it, one after the other, in a
 * list; `open` counts the unexpanded nodes below, so that the way down looks at nothing
 * else. */
#include "generate/phases.h"

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/status.h"
#include "base/vector.h"
#include "reduce/choice/choices.h"

enum { NONE = UINT32_MAX };

struct pare_phases_node {
    uint32_t symbol; /* of the book; NONE: the start */
    uint32_t parent; /* NONE: the root */
    uint32_t first;  /* child; NONE: none (yet) */
    uint32_t n;      /* children, which are consecutive */
    uint32_t open;   /* unexpanded nodes in this subtree */
};

struct run {
    pare_phases *phases;
    pare_choices *choices;
    pare_buffer *text;
    pare_error *err;
};

enum way { HIGHEST, ANY, LOWEST };

static const pare_book_rule *rule_of(const pare_phases *phases, uint32_t node)
{
    uint32_t symbol = phases->nodes[node].symbol;
    uint32_t rule = symbol == NONE ? phases->start : phases->book->symbols[symbol].rule;
    return &phases->book->rules[rule];
}

static pare_status add_node(struct run *run, uint32_t symbol, uint32_t parent)
{
    pare_phases *phases = run->phases;
    if (phases->n_nodes >= NONE) return pare_fail(run->err, PARE_E_LIMIT, "the tree is too large");
    if (phases->n_nodes == phases->capacity) {
        struct pare_phases_node *grown =
            pare_vector_grow(phases->nodes, phases->n_nodes, &phases->capacity, sizeof *grown);
        if (!grown) return pare_fail_nomem(run->err);
        phases->nodes = grown;
    }
    bool is_text = symbol != NONE && phases->book->symbols[symbol].text;
    phases->nodes[phases->n_nodes++] = (struct pare_phases_node){
        .symbol = symbol, .parent = parent, .first = NONE, .open = !is_text};
    return PARE_OK;
}

/* One of `n`. */
static pare_status choose(struct run *run, size_t n, uint32_t *which)
{
    uint64_t index = 0;
    pare_status status = pare_choices_next(run->choices, PARE_CHOICE_BRANCH, n, &index, run->err);
    if (!status) *which = (uint32_t)index;
    return status;
}

/* The open node that is expanded next. */
static pare_status find_open(struct run *run, uint32_t *found)
{
    const struct pare_phases_node *nodes = run->phases->nodes;
    uint32_t node = 0;
    while (nodes[node].first != NONE) {
        uint32_t n_open = 0, which = 0, child = nodes[node].first;
        for (uint32_t i = 0; i < nodes[node].n; i++)
            n_open += nodes[child + i].open > 0;
        pare_status status = choose(run, n_open, &which);
        if (status) return status;
        for (;; child++)
            if (nodes[child].open && !which--) break;
        node = child;
    }
    *found = node;
    return PARE_OK;
}

/* --- costs ---------------------------------------------------------------------- */

static pare_status know_sums(struct run *run, const pare_book_rule *rule)
{
    pare_phases *phases = run->phases;
    const pare_book *book = phases->book;
    uint32_t number = (uint32_t)(rule - book->rules);
    if (!phases->sums) phases->sums = pare_alloc(book->n_expansions, sizeof *phases->sums);
    if (!phases->are_known)
        phases->are_known = pare_alloc_zero(book->n_rules, sizeof *phases->are_known);
    if (!phases->sums || !phases->are_known) return pare_fail_nomem(run->err);
    if (phases->are_known[number]) return PARE_OK;
    pare_status status = pare_book_sums(book, number, phases->sums + rule->first, run->err);
    phases->are_known[number] = status == PARE_OK;
    return status;
}

/* An expansion of `rule`, by cost. */
static pare_status choose_by_cost(struct run *run, const pare_book_rule *rule, enum way way,
                                  uint32_t *expansion)
{
    pare_status status = know_sums(run, rule);
    if (status) return status;
    const uint64_t *sums = run->phases->sums;
    uint64_t best = sums[rule->first];
    uint32_t n = 0, which = 0;
    for (uint32_t e = rule->first; e < rule->end; e++)
        if (way == HIGHEST ? sums[e] > best : sums[e] < best) best = sums[e];
    for (uint32_t e = rule->first; e < rule->end; e++)
        n += sums[e] == best;
    status = choose(run, n, &which);
    for (uint32_t e = rule->first; !status && e < rule->end; e++)
        if (sums[e] == best && !which--) *expansion = e;
    return status;
}

/* --- expansion -------------------------------------------------------------------- */

static pare_status add_children(struct run *run, uint32_t node, uint32_t expansion)
{
    pare_phases *phases = run->phases;
    const pare_book_expansion *to = &phases->book->expansions[expansion];
    uint32_t first = (uint32_t)phases->n_nodes, open = 0;
    for (uint32_t s = to->first; s < to->end; s++) {
        pare_status status = add_node(run, s, node);
        if (status) return status;
        open += phases->nodes[phases->n_nodes - 1].open;
    }
    phases->nodes[node].first = first;
    phases->nodes[node].n = to->end - to->first;
    for (uint32_t up = node; up != NONE; up = phases->nodes[up].parent)
        phases->nodes[up].open += open - 1;
    return PARE_OK;
}

static pare_status expand_once(struct run *run, enum way way)
{
    uint32_t node = 0, expansion = 0;
    pare_status status = find_open(run, &node);
    if (status) return status;
    const pare_book_rule *rule = rule_of(run->phases, node);
    if (way == ANY)
        status = choose(run, rule->end - rule->first, &expansion);
    else
        status = choose_by_cost(run, rule, way, &expansion);
    if (status) return status;
    return add_children(run, node, way == ANY ? rule->first + expansion : expansion);
}

/* Prints the tree in pre-order, by the parents' links. */
static pare_status print(const struct run *run)
{
    const struct pare_phases_node *nodes = run->phases->nodes;
    pare_status status = PARE_OK;
    for (uint32_t node = 0; !status && node != NONE;) {
        uint32_t symbol = nodes[node].symbol;
        const pare_book_symbol *leaf = symbol == NONE ? NULL : &run->phases->book->symbols[symbol];
        if (leaf && leaf->text)
            status = pare_buffer_add(run->text, leaf->text, leaf->size, run->err);
        if (nodes[node].n) {
            node = nodes[node].first;
            continue;
        }
        uint32_t up = nodes[node].parent;
        while (up != NONE && node + 1 == nodes[up].first + nodes[up].n) {
            node = up;
            up = nodes[node].parent;
        }
        node = up == NONE ? NONE : node + 1;
    }
    return status;
}

static pare_status run_phases(void *self, pare_choices *choices, pare_buffer *text, pare_error *err)
{
    pare_phases *phases = self;
    struct run run = {phases, choices, text, err};
    phases->n_nodes = 0;
    pare_status status = add_node(&run, NONE, NONE);
    while (!status && phases->nodes[0].open && phases->nodes[0].open < phases->min_nonterminals)
        status = expand_once(&run, HIGHEST);
    while (!status && phases->nodes[0].open && phases->nodes[0].open < phases->max_nonterminals)
        status = expand_once(&run, ANY);
    while (!status && phases->nodes[0].open)
        status = expand_once(&run, LOWEST);
    return status ? status : print(&run);
}

void pare_phases_done(pare_phases *phases)
{
    pare_release(phases->nodes);
    pare_release(phases->sums);
    pare_release(phases->are_known);
    phases->nodes = NULL;
    phases->sums = NULL;
    phases->are_known = NULL;
    phases->n_nodes = phases->capacity = 0;
}

pare_generator pare_phases_generator(pare_phases *phases)
{
    return (pare_generator){.self = phases, .run = run_phases};
}
