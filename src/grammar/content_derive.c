/* Derivations: the way back from where a match accepted to where it began.
 *
 * Each descriptor remembers how it was found first, which only ever points to descriptors
 * found before; so the way back ends.  Where it crosses a return it goes through the rule
 * first, whose caller waits on a stack.  Events come out last first and are turned round.
 * A way through empty rules may be long for few children, so its length is limited. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/vector.h"
#include "grammar/content.h"
#include "grammar/content_matcher.h"
#include "grammar/content_network.h"
#include "grammar/grammar.h"

enum { LEAST_STEPS = 1 << 12, STEPS_PER_CHILD = 256 };

struct stack {
    uint32_t *items; /* owned; descriptors that called, to go on with */
    size_t n, capacity;
};

void pare_content_events_done(pare_content_events *events)
{
    pare_release(events->items);
    *events = (pare_content_events){0};
}

static pare_status add_event(pare_content_events *events, pare_content_event event, pare_error *err)
{
    pare_content_event *items =
        pare_vector_grow(events->items, events->n, &events->capacity, sizeof *items);
    if (!items) return pare_fail_nomem(err);
    events->items = items;
    items[events->n++] = event;
    return PARE_OK;
}

/* What leaving the descriptor `from` for one with `taken` children means. */
static pare_status tell(const pare_content_matcher *matcher, uint32_t from, uint32_t taken,
                        pare_content_events *events, pare_error *err)
{
    pare_content_triple triple = matcher->found.items[from];
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

static pare_status push(struct stack *stack, uint32_t descriptor, pare_error *err)
{
    uint32_t *items = pare_vector_grow(stack->items, stack->n, &stack->capacity, sizeof *items);
    if (!items) return pare_fail_nomem(err);
    stack->items = items;
    items[stack->n++] = descriptor;
    return PARE_OK;
}

static pare_status go_back(const pare_content_matcher *matcher, struct stack *stack,
                           pare_content_events *events, pare_error *err)
{
    size_t left = LEAST_STEPS + (size_t)STEPS_PER_CHILD * matcher->n_children;
    uint32_t at = matcher->end;
    pare_status status = PARE_OK;
    for (; !status && left > 0; left--) {
        pare_content_trail trail = matcher->trails[at];
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

static void turn_round(pare_content_events *events)
{
    for (size_t i = 0, k = events->n; i + 1 < k; i++) {
        pare_content_event event = events->items[i];
        events->items[i] = events->items[--k];
        events->items[k] = event;
    }
}

pare_status pare_content_derive(pare_content_matcher *matcher, uint32_t symbol,
                                const uint32_t *children, size_t n, pare_content_events *events,
                                bool *derived, pare_error *err)
{
    struct stack stack = {0};
    pare_legality legality = PARE_ILLEGAL;
    events->n = 0;
    pare_status status = pare_content_match(matcher, symbol, children, n, &legality, err);
    *derived = !status && matcher->accepted && matcher->end != PARE_NO_INDEX;
    if (status || !*derived) return status;
    status = go_back(matcher, &stack, events, err);
    if (!status) turn_round(events);
    pare_release(stack.items);
    return status;
}
