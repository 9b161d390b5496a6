/* Matching children against content models: a GLL recogniser, and one derivation of what it
 * accepted.
 *
 * A descriptor is a state of a network, the call it is in, and how many children have been taken.
 * Descriptors are worked off in the order in which they were found, each once.  A call is a rule
 * and a place; it knows who waits for it and where it has ended so far, so rules may call
 * themselves, also before taking anything, and nothing recurses.  There are at most states *
 * calls * children descriptors; in practice a few for each child.
 *
 * A derivation is the way back from where a match accepted.  Each descriptor remembers how it was
 * found first, which only ever points to descriptors found before; so the way back ends.  Where it
 * crosses a return it goes through the rule first, whose caller waits on a stack.  Events come out
 * last first and are turned round.  A way through empty rules may be long for few children, so
 * its length is limited.
 *
 * The set of descriptors is a hash table of its own, not base/hash_index.h: it is emptied for
 * every node, at the cost of what is in it rather than of its capacity.  Source: Scott and
 * Johnstone, "GLL parsing", LDTA 2009; deviation: no forests.
 *
 * Cost: a few descriptors for each child on real grammars; the worst case is cubic, and needs
 * rules that are ambiguous and recursive in the middle.  The matcher keeps its memory from
 * node to node, so matching a tree allocates nothing after the first large node. */
#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"
#include "grammar/content.h"
#include "grammar/content_network.h"
#include "grammar/grammar.h"

/* Three numbers that are kept once. */
struct triple {
    uint32_t a, b, c;
};

/* A set of triples, which numbers them in the order in which they came.  `items` is also the
 * queue of work: descriptors are worked off in the order of their numbers. */
struct triples {
    struct triple *items; /* owned */
    size_t n, capacity;
    uint32_t *slots; /* owned; index + 1, or 0; at most half full */
    size_t n_slots;
};

/* How a descriptor was found first: from which one, and, when that one returned from a rule,
 * which one had called it.  Both have smaller numbers, or are PARE_NO_INDEX. Two numbers
 * instead of a forest: one derivation is wanted, and the first one found is as good as any. */
struct trail {
    uint32_t from, caller;
};

/* A link of a list: who waits for a call, or where it has ended.  `maker` is for trails only;
 * matching alone would not need it. */
struct link {
    uint32_t value; /* waiting: state; ended: number of children */
    uint32_t call;  /* waiting: the call it is in */
    uint32_t maker; /* waiting: descriptor that called; ended: descriptor that returned */
    uint32_t next;  /* link, or PARE_NO_INDEX */
};

/* The lists of one call: links, or PARE_NO_INDEX. */
struct heads {
    uint32_t waiting, ended;
};

struct pare_content_matcher {
    const pare_content *content;
    struct triples found; /* descriptors: state, call, children taken */
    struct trail *trails; /* owned; of each descriptor */
    size_t trail_capacity;
    struct triples calls; /* rule, children taken */
    struct heads *heads;  /* owned; of each call */
    size_t head_capacity;
    struct link *links; /* owned */
    size_t n_links, link_capacity;
    const uint32_t *children; /* borrowed during a match, as all below */
    uint32_t n_children;
    bool unsure; /* guesses are allowed */
    bool accepted;
    uint32_t end; /* the descriptor that accepted; PARE_NO_INDEX: a token */
    pare_error *err;
};

enum { FIRST_SLOTS = 256, ACCEPT_CALL = 0 };

/* --- triples ------------------------------------------------------------------------ */

/* The slot of the triple, or the free one where it would go: three large odd factors, one for
 * each number; linear probing, which ends because at most half the slots are taken. */
static size_t slot_of(const struct triples *set, struct triple t)
{
    uint64_t hash = t.a * UINT64_C(0x9e3779b97f4a7c15) ^ t.b * UINT64_C(0xc2b2ae3d27d4eb4f) ^
                    t.c * UINT64_C(0x165667b19e3779f9);
    size_t at = (size_t)(hash >> 20) & (set->n_slots - 1);
    while (set->slots[at]) {
        const struct triple *there = &set->items[set->slots[at] - 1];
        if (there->a == t.a && there->b == t.b && there->c == t.c) break;
        at = (at + 1) & (set->n_slots - 1);
    }
    return at;
}

/* Makes twice as many slots and enters all items again. */
static pare_status widen(struct triples *set, pare_error *err)
{
    size_t n_slots = set->n_slots ? 2 * set->n_slots : FIRST_SLOTS;
    uint32_t *slots = pare_alloc_zero(n_slots, sizeof *slots);
    if (!slots) return pare_fail_nomem(err);
    pare_alloc_free(set->slots);
    set->slots = slots;
    set->n_slots = n_slots;
    for (size_t i = 0; i < set->n; i++)
        slots[slot_of(set, set->items[i])] = (uint32_t)i + 1;
    return PARE_OK;
}

/* Puts the triple into the set unless it is there; *index is its number, *fresh says whether
 * it was new.  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
static pare_status keep(struct triples *set, struct triple triple, uint32_t *index, bool *fresh,
                        pare_error *err)
{
    pare_status status = 2 * (set->n + 1) > set->n_slots ? widen(set, err) : PARE_OK;
    if (status != PARE_OK) return status;
    if (set->n >= PARE_NO_INDEX - 1)
        return pare_fail(err, PARE_E_LIMIT, "there are too many ways to match these children");
    size_t slot = slot_of(set, triple);
    *fresh = set->slots[slot] == 0;
    if (*fresh) {
        struct triple *items = pare_vector_grow(set->items, set->n, &set->capacity, sizeof *items);
        if (!items) return pare_fail_nomem(err);
        set->items = items;
        items[set->n++] = triple;
        set->slots[slot] = (uint32_t)set->n;
    }
    *index = set->slots[slot] - 1;
    return PARE_OK;
}

/* Empties the set, at a cost in proportion to what is in it now, and keeps its memory. */
static void empty(struct triples *set)
{
    while (set->n > 0) {
        /* The last one in is the end of its chain, so that nothing is orphaned. */
        set->slots[slot_of(set, set->items[set->n - 1])] = 0;
        set->n--;
    }
}

static void release_triples(struct triples *set)
{
    pare_alloc_free(set->items);
    pare_alloc_free(set->slots);
}

/* --- one step ----------------------------------------------------------------------- */

/* Adds a descriptor and how it was found, unless it is known.  Every descriptor is added
 * through here, so numbers only ever refer backwards, which is what ends the walk back. */
static pare_status add(pare_content_matcher *self, struct triple descriptor, struct trail trail)
{
    uint32_t index = PARE_NO_INDEX;
    bool fresh = false;
    /* A fork may have one way on only. */
    if (descriptor.a == PARE_NO_INDEX) return PARE_OK;
    pare_status status = keep(&self->found, descriptor, &index, &fresh, self->err);
    if (status != PARE_OK || !fresh) return status;
    struct trail *trails =
        pare_vector_grow(self->trails, index, &self->trail_capacity, sizeof *trails);
    if (!trails) return pare_fail_nomem(self->err);
    self->trails = trails;
    assert(trail.from == PARE_NO_INDEX || trail.from < index);
    assert(trail.caller == PARE_NO_INDEX || trail.caller < index);
    trails[index] = trail;
    return PARE_OK;
}

/* Puts a link before the first of a list. */
static pare_status add_link(pare_content_matcher *self, uint32_t *head, struct link link)
{
    struct link *links =
        pare_vector_grow(self->links, self->n_links, &self->link_capacity, sizeof *links);
    if (!links) return pare_fail_nomem(self->err);
    self->links = links;
    link.next = *head;
    links[self->n_links] = link;
    *head = (uint32_t)self->n_links++;
    return PARE_OK;
}

/* The call of `rule` after `taken` children, begun if it is new.  A call is shared by all that
 * reach the same rule at the same place, whoever they are: that is what keeps left recursion
 * finite. */
static pare_status open_call(pare_content_matcher *self, uint32_t rule, uint32_t taken,
                             uint32_t *call)
{
    bool fresh = false;
    pare_status status =
        keep(&self->calls, (struct triple){rule, taken, 0}, call, &fresh, self->err);
    if (status != PARE_OK || !fresh) return status;
    /* Calls are numbered as they come, so the heads of a new one go to the end of the array. */
    struct heads *heads =
        pare_vector_grow(self->heads, self->calls.n - 1, &self->head_capacity, sizeof *heads);
    if (!heads) return pare_fail_nomem(self->err);
    self->heads = heads;
    heads[*call] = (struct heads){PARE_NO_INDEX, PARE_NO_INDEX};
    return add(self, (struct triple){self->content->entries[rule], *call, taken},
               (struct trail){PARE_NO_INDEX, PARE_NO_INDEX});
}

/* Lets descriptor `at` wait for the rule that its state calls, and lets it go on at once
 * wherever a call of that rule at this place has ended already.  Both lists are kept, so it
 * does not matter whether the caller or the end comes first. */
static pare_status call_rule(pare_content_matcher *self, const pare_content_state *state,
                             uint32_t at)
{
    struct triple from = self->found.items[at];
    uint32_t call = PARE_NO_INDEX;
    pare_status status = open_call(self, state->value, from.c, &call);
    if (status == PARE_OK)
        status = add_link(self, &self->heads[call].waiting,
                          (struct link){.value = state->next, .call = from.b, .maker = at});
    if (status != PARE_OK) return status;
    for (uint32_t i = self->heads[call].ended; i != PARE_NO_INDEX && status == PARE_OK;
         i = self->links[i].next)
        status = add(self, (struct triple){state->next, from.b, self->links[i].value},
                     (struct trail){self->links[i].maker, at});
    return status;
}

/* The rule of a call ends here: all that wait for the call go on, and callers that come later
 * will, by the list of ends. */
static pare_status return_from(pare_content_matcher *self, uint32_t at)
{
    struct triple from = self->found.items[at];
    assert(from.b < self->calls.n && from.c <= self->n_children);
    if (from.b == ACCEPT_CALL && from.c == self->n_children) {
        self->accepted = true;
        self->end = at;
    }
    pare_status status =
        add_link(self, &self->heads[from.b].ended, (struct link){.value = from.c, .maker = at});
    if (status != PARE_OK) return status;
    for (uint32_t i = self->heads[from.b].waiting; i != PARE_NO_INDEX && status == PARE_OK;
         i = self->links[i].next)
        status = add(self, (struct triple){self->links[i].value, self->links[i].call, from.c},
                     (struct trail){at, self->links[i].maker});
    return status;
}

/* Whether a child counts as not there: an extra, such as a comment, or one that the caller
 * skips. */
static bool is_skipped(const pare_content *content, uint32_t child)
{
    return child == PARE_CONTENT_SKIPPED || (child < content->n_symbols && content->extras[child]);
}

/* Whether the state takes the child.  While guesses are allowed, an unknown child may be
 * anything. */
static bool takes(const pare_content_matcher *self, const pare_content_state *state, uint32_t child)
{
    if (self->unsure && child == PARE_CONTENT_UNKNOWN) return true;
    return state->kind == PARE_CONTENT_TAKE
               ? child == state->value
               : pare_content_set_has(self->content, state->value, child);
}

/* Works off one descriptor.  A child that is skipped may be skipped at any state, so that
 * comments do not multiply the networks. */
static pare_status step(pare_content_matcher *self, uint32_t at)
{
    struct triple from = self->found.items[at];
    struct trail trail = {at, PARE_NO_INDEX};
    const pare_content_state *state = &self->content->states[from.a];
    bool more = from.c < self->n_children;
    uint32_t child = more ? self->children[from.c] : 0;
    struct triple next = {state->next, from.b, from.c};
    pare_status status = PARE_OK;
    if (more && is_skipped(self->content, child))
        status = add(self, (struct triple){from.a, from.b, from.c + 1}, trail);
    if (status != PARE_OK) return status;
    switch (state->kind) {
    case PARE_CONTENT_FORK:
        if (state->next == PARE_NO_INDEX) return PARE_OK; /* a choice of nothing */
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

/* Matches the children against one rule.  Descriptors are appended while they are worked off,
 * so the list is a queue; the match ends with the first that accepts, since whether and how is
 * all that is asked for.  The first call, number ACCEPT_CALL, is that of the whole; its return
 * with all children taken is acceptance. */
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

/* Whether no child is left for a token, which has none.  Comments may stand inside a node that
 * is one token to the grammar. */
static bool all_skipped(const pare_content_matcher *self)
{
    for (uint32_t i = 0; i < self->n_children; i++) {
        if (!is_skipped(self->content, self->children[i])) return false;
    }
    return true;
}

/* Tries every model of the type; *known: there is one.  A type may have several models (an
 * alias of two rules, say); the first that matches counts, in the order of the file. */
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

/* Matches without guesses first.  Only if that fails, tokens that cannot be seen and children
 * that are unknown are allowed, and a match is unsure then.  A type without a model is unsure,
 * too. */
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
    pare_alloc_free(matcher->trails);
    pare_alloc_free(matcher->heads);
    pare_alloc_free(matcher->links);
    pare_alloc_free(matcher);
}

/* --- derivations -------------------------------------------------------------------- */

/* A derivation takes a few steps for each child; the limit is for grammars whose empty rules
 * call one another. */
enum { LEAST_STEPS = 1 << 12, STEPS_PER_CHILD = 256 };

struct stack {
    uint32_t *items; /* owned; descriptors that called, to go on with */
    size_t n, capacity;
};

void pare_content_match_done_events(pare_content_events *events)
{
    pare_alloc_free(events->items);
    *events = (pare_content_events){0};
}

/* Appends one event. */
static pare_status add_event(pare_content_events *events, pare_content_event event, pare_error *err)
{
    pare_content_event *items =
        pare_vector_grow(events->items, events->n, &events->capacity, sizeof *items);
    if (!items) return pare_fail_nomem(err);
    events->items = items;
    items[events->n++] = event;
    return PARE_OK;
}

/* Appends the event, if any, that the step from descriptor `from` to one with `taken` children
 * stands for. */
static pare_status tell(const pare_content_matcher *matcher, uint32_t from, uint32_t taken,
                        pare_content_events *events, pare_error *err)
{
    struct triple triple = matcher->found.items[from];
    const pare_content_state *state = &matcher->content->states[triple.a];
    pare_content_event event = {.kind = PARE_CONTENT_CHILD, .value = PARE_NO_INDEX};
    /* A child that is skipped leaves the state where it is, and no other state takes two. */
    if (taken != triple.c) {
        bool of_set = state->kind == PARE_CONTENT_SET;
        if (of_set) event.value = state->value;
        return add_event(events, event, err);
    }
    switch (state->kind) {
    case PARE_CONTENT_OPEN: event.kind = state->value; break;
    case PARE_CONTENT_ROUND: event.kind = PARE_CONTENT_NEXT_ROUND; break;
    case PARE_CONTENT_CLOSE: event.kind = PARE_CONTENT_ENDED; break;
    case PARE_CONTENT_FORK:
    case PARE_CONTENT_TAKE:
    case PARE_CONTENT_CALL:
    case PARE_CONTENT_SET:
    case PARE_CONTENT_GUESS:
    case PARE_CONTENT_RETURN: return PARE_OK;
    }
    return add_event(events, event, err);
}

/* Puts a caller on the stack: the walk returns to it when it reaches the beginning of the rule
 * that it called. */
static pare_status push(struct stack *stack, uint32_t descriptor, pare_error *err)
{
    uint32_t *items = pare_vector_grow(stack->items, stack->n, &stack->capacity, sizeof *items);
    if (!items) return pare_fail_nomem(err);
    stack->items = items;
    items[stack->n++] = descriptor;
    return PARE_OK;
}

/* Walks from the accepting descriptor back to the first one, and appends what each step means,
 * last first.  A trail with a caller enters a rule by its end; one with neither caller nor
 * origin is the beginning of a rule.  `left` counts steps, not events: a chain of empty rules
 * has no events and could otherwise be long. */
static pare_status go_back(const pare_content_matcher *matcher, struct stack *stack,
                           pare_content_events *events, pare_error *err)
{
    size_t left = LEAST_STEPS + (size_t)STEPS_PER_CHILD * matcher->n_children;
    uint32_t at = matcher->end;
    pare_status status = PARE_OK;
    for (; !status && left > 0; left--) {
        struct trail trail = matcher->trails[at];
        if (trail.caller != PARE_NO_INDEX) {
            status = push(stack, trail.caller, err);
            at = trail.from;
        } else if (trail.from != PARE_NO_INDEX) {
            status = tell(matcher, trail.from, matcher->found.items[at].c, events, err);
            at = trail.from;
        } else if (stack->n > 0) {
            at = stack->items[--stack->n];
        } else {
            return PARE_OK;
        }
    }
    return status ? status : pare_fail(err, PARE_E_LIMIT, "there are too many empty rules");
}

/* Events were found from the last to the first. */
static void turn_round(pare_content_events *events)
{
    for (size_t i = 0, k = events->n; i + 1 < k; i++) {
        pare_content_event event = events->items[i];
        events->items[i] = events->items[--k];
        events->items[k] = event;
    }
}

/* Matches, then walks back over the descriptors that the match has left in the matcher, so
 * nothing is matched twice. */
pare_status pare_content_match_derive(pare_content_matcher *matcher, uint32_t symbol,
                                      const uint32_t *children, size_t n,
                                      pare_content_events *events, pare_error *err)
{
    struct stack stack = {0};
    pare_legality legality = PARE_ILLEGAL;
    events->n = 0;
    pare_status status = pare_content_match(matcher, symbol, children, n, &legality, err);
    events->derived = !status && matcher->accepted && matcher->end != PARE_NO_INDEX;
    if (status || !events->derived) return status;
    status = go_back(matcher, &stack, events, err);
    if (!status) turn_round(events);
    pare_alloc_free(stack.items);
    return status;
}
