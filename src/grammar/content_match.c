/* Matching children against a content model: a GLL recogniser.
 *
 * A descriptor is a state of a network, the call it is in, and how many children have
 * been taken.  Descriptors are worked off in the order in which they were found, each
 * once.  A call is a rule and a place; it knows who waits for it and where it has ended
 * so far, so rules may call themselves, also before taking anything, and nothing
 * recurses. */
#include <string.h>

#include "base/alloc.h"
#include "base/status.h"
#include "base/vector.h"
#include "grammar/content.h"
#include "grammar/content_matcher.h"
#include "grammar/content_network.h"
#include "grammar/grammar.h"

enum { FIRST_SLOTS = 256, ACCEPT_CALL = 0 };

/* --- triples ------------------------------------------------------------------------ */

static size_t slot_of(const pare_content_triples *set, pare_content_triple t)
{
    uint64_t hash = t.a * UINT64_C(0x9e3779b97f4a7c15) ^ t.b * UINT64_C(0xc2b2ae3d27d4eb4f) ^
                    t.c * UINT64_C(0x165667b19e3779f9);
    size_t at = (size_t)(hash >> 20) & (set->n_slots - 1);
    while (set->slots[at]) {
        const pare_content_triple *there = &set->items[set->slots[at] - 1];
        if (there->a == t.a && there->b == t.b && there->c == t.c) break;
        at = (at + 1) & (set->n_slots - 1);
    }
    return at;
}

static pare_status widen(pare_content_triples *set, pare_error *err)
{
    size_t n_slots = set->n_slots ? 2 * set->n_slots : FIRST_SLOTS;
    uint32_t *slots = pare_alloc_zero(n_slots, sizeof *slots);
    if (!slots) return pare_fail_nomem(err);
    pare_release(set->slots);
    set->slots = slots;
    set->n_slots = n_slots;
    for (size_t i = 0; i < set->n; i++)
        slots[slot_of(set, set->items[i])] = (uint32_t)i + 1;
    return PARE_OK;
}

/* The index of the triple; *fresh: it was not there. */
static pare_status keep(pare_content_triples *set, pare_content_triple triple, uint32_t *index,
                        bool *fresh, pare_error *err)
{
    pare_status status = 2 * (set->n + 1) > set->n_slots ? widen(set, err) : PARE_OK;
    if (status != PARE_OK) return status;
    if (set->n >= PARE_NO_INDEX - 1)
        return pare_fail(err, PARE_E_LIMIT, "there are too many ways to match these children");
    size_t slot = slot_of(set, triple);
    *fresh = set->slots[slot] == 0;
    if (*fresh) {
        pare_content_triple *items =
            pare_vector_grow(set->items, set->n, &set->capacity, sizeof *items);
        if (!items) return pare_fail_nomem(err);
        set->items = items;
        items[set->n++] = triple;
        set->slots[slot] = (uint32_t)set->n;
    }
    *index = set->slots[slot] - 1;
    return PARE_OK;
}

/* Empties the set at the cost of what is in it, not of what was once. */
static void empty(pare_content_triples *set)
{
    while (set->n > 0) {
        /* The last one in is the end of its chain, so that nothing is orphaned. */
        set->slots[slot_of(set, set->items[set->n - 1])] = 0;
        set->n--;
    }
}

static void release_triples(pare_content_triples *set)
{
    pare_release(set->items);
    pare_release(set->slots);
}

/* --- one step ----------------------------------------------------------------------- */

static pare_status add(pare_content_matcher *self, pare_content_triple descriptor,
                       pare_content_trail trail)
{
    uint32_t index = PARE_NO_INDEX;
    bool fresh = false;
    if (descriptor.a == PARE_NO_INDEX) return PARE_OK;
    pare_status status = keep(&self->found, descriptor, &index, &fresh, self->err);
    if (status != PARE_OK || !fresh) return status;
    pare_content_trail *trails =
        pare_vector_grow(self->trails, index, &self->trail_capacity, sizeof *trails);
    if (!trails) return pare_fail_nomem(self->err);
    self->trails = trails;
    trails[index] = trail;
    return PARE_OK;
}

static pare_status add_link(pare_content_matcher *self, uint32_t *head, pare_content_link link)
{
    pare_content_link *links =
        pare_vector_grow(self->links, self->n_links, &self->link_capacity, sizeof *links);
    if (!links) return pare_fail_nomem(self->err);
    self->links = links;
    link.next = *head;
    links[self->n_links] = link;
    *head = (uint32_t)self->n_links++;
    return PARE_OK;
}

/* The call of `rule` behind `taken` children, begun if it is new. */
static pare_status open_call(pare_content_matcher *self, uint32_t rule, uint32_t taken,
                             uint32_t *call)
{
    bool fresh = false;
    pare_status status =
        keep(&self->calls, (pare_content_triple){rule, taken, 0}, call, &fresh, self->err);
    if (status != PARE_OK || !fresh) return status;
    pare_content_heads *heads =
        pare_vector_grow(self->heads, self->calls.n - 1, &self->head_capacity, sizeof *heads);
    if (!heads) return pare_fail_nomem(self->err);
    self->heads = heads;
    heads[*call] = (pare_content_heads){PARE_NO_INDEX, PARE_NO_INDEX};
    return add(self, (pare_content_triple){self->content->entries[rule], *call, taken},
               (pare_content_trail){PARE_NO_INDEX, PARE_NO_INDEX});
}

/* Descriptor `at` waits for the rule, and goes on at once wherever that has ended before. */
static pare_status call_rule(pare_content_matcher *self, const pare_content_state *state,
                             uint32_t at)
{
    pare_content_triple from = self->found.items[at];
    uint32_t call = PARE_NO_INDEX;
    pare_status status = open_call(self, state->value, from.c, &call);
    if (status == PARE_OK)
        status = add_link(self, &self->heads[call].waiting,
                          (pare_content_link){.value = state->next, .call = from.b, .maker = at});
    if (status != PARE_OK) return status;
    for (uint32_t i = self->heads[call].ended; i != PARE_NO_INDEX && status == PARE_OK;
         i = self->links[i].next)
        status = add(self, (pare_content_triple){state->next, from.b, self->links[i].value},
                     (pare_content_trail){self->links[i].maker, at});
    return status;
}

static pare_status return_from(pare_content_matcher *self, uint32_t at)
{
    pare_content_triple from = self->found.items[at];
    if (from.b == ACCEPT_CALL && from.c == self->n_children) {
        self->accepted = true;
        self->end = at;
    }
    pare_status status = add_link(self, &self->heads[from.b].ended,
                                  (pare_content_link){.value = from.c, .maker = at});
    if (status != PARE_OK) return status;
    for (uint32_t i = self->heads[from.b].waiting; i != PARE_NO_INDEX && status == PARE_OK;
         i = self->links[i].next)
        status = add(self, (pare_content_triple){self->links[i].value, self->links[i].call, from.c},
                     (pare_content_trail){at, self->links[i].maker});
    return status;
}

static bool is_skipped(const pare_content *content, uint32_t child)
{
    return child == PARE_CONTENT_SKIPPED || (child < content->n_symbols && content->extras[child]);
}

/* Whether the state takes the child. */
static bool takes(const pare_content_matcher *self, const pare_content_state *state, uint32_t child)
{
    if (self->unsure && child == PARE_CONTENT_UNKNOWN) return true;
    return state->kind == PARE_CONTENT_TAKE
               ? child == state->value
               : pare_content_set_has(self->content, state->value, child);
}

static pare_status step(pare_content_matcher *self, uint32_t at)
{
    pare_content_triple from = self->found.items[at];
    pare_content_trail trail = {at, PARE_NO_INDEX};
    const pare_content_state *state = &self->content->states[from.a];
    bool more = from.c < self->n_children;
    uint32_t child = more ? self->children[from.c] : 0;
    pare_content_triple next = {state->next, from.b, from.c};
    pare_status status = PARE_OK;
    if (more && is_skipped(self->content, child))
        status = add(self, (pare_content_triple){from.a, from.b, from.c + 1}, trail);
    if (status != PARE_OK) return status;
    switch (state->kind) {
    case PARE_CONTENT_FORK:
        status = add(self, next, trail);
        next.a = state->other;
        return status == PARE_OK ? add(self, next, trail) : status;
    case PARE_CONTENT_TAKE:
    case PARE_CONTENT_SET:
        next.c++;
        return more && takes(self, state, child) ? add(self, next, trail) : PARE_OK;
    case PARE_CONTENT_GUESS: return self->unsure ? add(self, next, trail) : PARE_OK;
    case PARE_CONTENT_OPEN:
    case PARE_CONTENT_ROUND:
    case PARE_CONTENT_CLOSE: return add(self, next, trail);
    case PARE_CONTENT_CALL: return call_rule(self, state, at);
    case PARE_CONTENT_RETURN: return return_from(self, at);
    }
    return PARE_OK;
}

/* --- matching ----------------------------------------------------------------------- */

static pare_status match_rule(pare_content_matcher *self, uint32_t rule)
{
    uint32_t call = PARE_NO_INDEX;
    empty(&self->found);
    empty(&self->calls);
    self->n_links = 0;
    self->accepted = false;
    self->end = PARE_NO_INDEX;
    pare_status status = open_call(self, rule, 0, &call);
    for (uint32_t i = 0; status == PARE_OK && i < self->found.n && !self->accepted; i++)
        status = step(self, i);
    return status;
}

/* A token has no children. */
static bool all_skipped(const pare_content_matcher *self)
{
    for (uint32_t i = 0; i < self->n_children; i++) {
        if (!is_skipped(self->content, self->children[i])) return false;
    }
    return true;
}

/* Tries every model of the type; *known: there is one. */
static pare_status match_type(pare_content_matcher *self, uint32_t symbol, bool unsure, bool *known)
{
    const pare_content *content = self->content;
    pare_status status = PARE_OK;
    self->unsure = unsure;
    self->accepted = false;
    for (size_t i = 0; i < content->n_models && status == PARE_OK && !self->accepted; i++) {
        if (content->models[i].symbol != symbol) continue;
        *known = true;
        if (content->models[i].rule == PARE_NO_INDEX) {
            self->accepted = all_skipped(self);
            self->end = PARE_NO_INDEX;
        } else
            status = match_rule(self, content->models[i].rule);
    }
    return status;
}

pare_status pare_content_match(pare_content_matcher *matcher, uint32_t symbol,
                               const uint32_t *children, size_t n, pare_legality *out,
                               pare_error *err)
{
    bool known = false;
    if (n >= PARE_NO_INDEX) return pare_fail(err, PARE_E_LIMIT, "a node has too many children");
    matcher->children = children;
    matcher->n_children = (uint32_t)n;
    matcher->err = err;
    pare_status status = match_type(matcher, symbol, false, &known);
    pare_legality legality = matcher->accepted ? PARE_LEGAL : PARE_ILLEGAL;
    if (status == PARE_OK && legality == PARE_ILLEGAL) {
        status = match_type(matcher, symbol, true, &known);
        if (matcher->accepted || !known) legality = PARE_UNSURE;
    }
    if (status == PARE_OK) *out = legality;
    return status;
}

pare_status pare_content_matcher_new(const pare_content *content, pare_content_matcher **out,
                                     pare_error *err)
{
    pare_content_matcher *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->content = content;
    *out = self;
    return PARE_OK;
}

void pare_content_matcher_free(pare_content_matcher *matcher)
{
    if (!matcher) return;
    release_triples(&matcher->found);
    release_triples(&matcher->calls);
    pare_release(matcher->trails);
    pare_release(matcher->heads);
    pare_release(matcher->links);
    pare_release(matcher);
}
