/* The walk itself: its beginning, derivations, calls, and steps forward.
 *
 * Deriving (produce, call_signature) goes backward from a wanted type to a source of it: a literal,
 * a kept value, a property of a type that has it, a call that returns it.  One of the edges that
 * enter the type is chosen, or, if it does not fit the budget, one of the next few; if none of
 * those fits, the cheapest source is used, which always fits.  So a choice is always among all
 * edges, whatever the budget is, and keeps its meaning in a list that is edited elsewhere.
 *
 * Invariant: calls made + `pending`, the least calls of what is certain to come, never exceed
 * max_calls; what is produced with `depth` levels left costs that depth at most.  Both hold because
 * nothing is begun whose least cost does not fit.  Recursion is as deep as max_depth allows, which
 * PARE_TYPE_COSTS_DEPTH bounds. */
#include "generate/prototype/walk.h"

#include <assert.h>
#include <string.h>

#include <pare/graph.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "generate/prototype/emitter.h"
#include "generate/prototype/values.h"
#include "generate/prototype/walk_run.h"

#define LENGTH_OF(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

enum {
    PROBES = 8,          /* edges that are tried from the chosen one on */
    MAX_TYPED = 512,     /* parameter edges of a signature that are looked at */
    MAX_TYPES = 16,      /* types of one position among which is chosen */
    MAX_LEVELS = 16,     /* prototypes above a type whose properties are used */
    HINTED_PERCENT = 62, /* arguments of the kind that the hint says */
    LEARNED_PERCENT = 60 /* arguments of a type that was learned */
};

/* What a call is going to be made of. It is laid out before the callee is
 * written, because the least calls of the arguments have to be set aside first. */
struct plan {
    const pare_graph_signature *signature;
    const pare_walk_hint *hint;
    uint32_t number; /* of the signature */
    uint32_t n_args;
    uint32_t least[PARE_TYPE_COSTS_ARGUMENTS]; /* calls that each argument takes at least */
};

/* Short names for what each of these functions asks and writes with. */
static void put(struct pare_walk_run *run, const char *text)
{
    pare_emitter_text(&run->emitter, text);
}

static uint32_t pick(struct pare_walk_run *run, uint32_t n)
{
    return pare_emitter_pick(&run->emitter, n);
}

static bool chance(struct pare_walk_run *run, uint32_t percent)
{
    return pare_emitter_chance(&run->emitter, percent);
}

static uint32_t weigh(struct pare_walk_run *run, const uint8_t *weights, uint32_t n)
{
    return pare_emitter_weigh(&run->emitter, weights, n);
}

/* One of the `n` edges, each as likely as its weight says. Without weights, as
 * in most graphs, that is one random number and no look at the edges. */
static uint32_t pick_edge(struct pare_walk_run *run, const uint32_t *edges, uint32_t n)
{
    const struct pare_walk *walk = run->walk;
    if (!walk->edge_weights) return n ? pick(run, n) : 0;
    for (uint32_t i = 0; i < n; i++)
        walk->edge_weights[i] = pare_graph_edge_at(walk->graph, edges[i])->weight;
    return pare_emitter_weighted(&run->emitter, walk->edge_weights, n);
}

/* Notes that the text is made by this edge, if anybody asks. */
static void take(struct pare_walk_run *run, uint32_t edge)
{
    if (run->walk->taken) run->walk->taken[edge] = 1;
}

/* Whether something of this cost fits into what is left of depth and calls. The
 * sum is in 64 bits, as costs of strange graphs reach 2^31. */
bool pare_walk_fits(const struct pare_walk_run *run, pare_type_cost cost, uint32_t depth)
{
    return cost.depth <= depth &&
           (uint64_t)run->calls + run->pending + cost.calls <= run->walk->max_calls;
}

/* Puts parentheses around what stands from place `from` on, if it could not
 * stand before a dot or at the beginning of a statement. */
static void protect(struct pare_walk_run *run, size_t from)
{
    static const char function[] = "function";
    if (run->emitter.status) return;
    const char *text = run->emitter.text->data + from;
    /* A number before a dot, an object or a function at the begin of a statement, and a sign
     * would be read as something else. */
    if (*text != '-' && *text != '{' && (*text < '0' || *text > '9') &&
        strncmp(text, function, strlen(function)) != 0)
        return;
    pare_emitter_insert(&run->emitter, from, "(");
    put(run, ")");
}

/* Appends the access to a property of what stands from place `from` on. Within
 * a function, where `this` is another object, a property of the global object
 * is written by its name alone. */
static void put_member(struct pare_walk_run *run, size_t from, const char *name)
{
    static const char global[] = "this";
    pare_buffer *text = run->emitter.text;
    /* Nothing but `this` was appended. */
    bool is_global = !run->emitter.status && text->size == from + strlen(global) &&
                     memcmp(text->data + from, global, strlen(global)) == 0;
    if (run->is_inner && is_global && pare_values_is_free_name(name)) {
        text->size = from;
        put(run, name);
    } else {
        pare_values_member(&run->emitter, name);
    }
}

/* --- arguments ----------------------------------------------------------------------------- */

/* How many arguments a call gets: mostly as many as it has parameters,
 * sometimes fewer or more. */
static uint32_t choose_number(struct pare_walk_run *run, const struct plan *plan)
{
    /* As many as the signature has; fewer; one, two, four more. */
    static const uint8_t weights[] = {80, 8, 8, 3, 1};
    uint32_t n = plan->signature->n_params;
    /* A declared signature has as many parameters as the function's length, which may be fewer
     * than are usual. */
    if (!plan->signature->is_learned && plan->hint && plan->hint->n > n)
        n = pare_emitter_size(&run->emitter, n, plan->hint->n);
    switch (weigh(run, weights, LENGTH_OF(weights))) {
    case 1: n = pick(run, n < PARE_TYPE_COSTS_ARGUMENTS ? n + 1 : PARE_TYPE_COSTS_ARGUMENTS); break;
    case 2: n += 1; break;
    case 3: n += 2; break;
    case 4: n += 4; break;
    default: break;
    }
    /* The places for what arguments cost are so many. */
    return n < PARE_TYPE_COSTS_ARGUMENTS ? n : PARE_TYPE_COSTS_ARGUMENTS;
}

/* Lays out a call with a signature. Its arguments are pending from now on: for
 * each position the least calls of any type that was learned for it. Positions
 * without a type take no call. */
static void plan_call(struct pare_walk_run *run, uint32_t number, struct plan *plan)
{
    const struct pare_walk *walk = run->walk;
    const pare_graph *graph = walk->graph;
    uint32_t n = 0;
    plan->number = number;
    plan->signature = pare_graph_signature_at(graph, number);
    plan->hint = walk->hints[plan->signature->function];
    plan->n_args = choose_number(run, plan);
    take(run, walk->call_edges[number]);
    for (uint32_t i = 0; i < plan->n_args; i++)
        plan->least[i] = UINT32_MAX;
    const uint32_t *edges = pare_graph_edges_to(graph, PARE_GRAPH_PARAMETER, number, &n);
    /* The cheapest of the types that a position may have: any of the others is only taken if it
     * fits. */
    for (uint32_t i = 0; i < n && i < MAX_TYPED; i++) {
        const pare_graph_edge *edge = pare_graph_edge_at(graph, edges[i]);
        pare_type_cost cost = walk->costs->types[edge->from];
        if (edge->position < plan->n_args && cost.depth != PARE_TYPE_COSTS_NEVER &&
            cost.calls < plan->least[edge->position])
            plan->least[edge->position] = cost.calls;
    }
    for (uint32_t i = 0; i < plan->n_args; i++) {
        if (plan->least[i] == UINT32_MAX) plan->least[i] = 0;
        run->pending += plan->least[i];
    }
}

/* A type below `type` in the forest of prototypes, or that itself: an object of
 * a subtype will do as well. Only one that fits. */
static uint32_t choose_subtype(struct pare_walk_run *run, uint32_t type, uint32_t depth)
{
    const pare_type_costs *costs = run->walk->costs;
    const pare_graph_type *of = pare_graph_type_at(costs->graph, type);
    uint32_t top = of->is_instance && of->prototype != PARE_GRAPH_NONE ? of->prototype : type;
    if (of->kind < PARE_GRAPH_OBJECT || costs->n_below[top] < 2 || !chance(run, 15)) return type;
    /* All below the prototype, not only instances: other prototypes, and what has no name. */
    uint32_t found = costs->order[costs->first[top] + pick(run, costs->n_below[top])];
    return pare_walk_fits(run, costs->types[found], depth) ? found : type;
}

/* Appends an argument of a type that was learned for the position; false: there
 * is none, none fits, or another one is wanted. */
static bool put_typed(struct pare_walk_run *run, const struct plan *plan, uint32_t position,
                      uint32_t depth)
{
    const struct pare_walk *walk = run->walk;
    /* Those that fit are gathered before one is chosen, so that the choice is among few and
     * mostly of the same number. */
    uint32_t fitting[MAX_TYPES], n_fitting = 0, n = 0;
    const uint32_t *edges =
        pare_graph_edges_to(walk->graph, PARE_GRAPH_PARAMETER, plan->number, &n);
    for (uint32_t i = 0; i < n && i < MAX_TYPED && n_fitting < MAX_TYPES; i++) {
        const pare_graph_edge *edge = pare_graph_edge_at(walk->graph, edges[i]);
        if (edge->position == position &&
            pare_walk_fits(run, walk->costs->types[edge->from], depth))
            fitting[n_fitting++] = edges[i];
    }
    if (!n_fitting || !chance(run, LEARNED_PERCENT)) return false;
    uint32_t at = fitting[pick_edge(run, fitting, n_fitting)];
    take(run, at);
    const pare_graph_edge *edge = pare_graph_edge_at(walk->graph, at);
    if (walk->n_learned[at] && chance(run, 60))
        pare_values_learned(&run->emitter, edge->values, walk->n_learned[at]);
    else
        pare_walk_produce(run, choose_subtype(run, edge->from, depth), depth);
    return true;
}

/* Appends an argument: by what was learned, else by the hint, else anything. A
 * function is given what it expects in most cases, and something else in enough
 * of them to reach its checks. */
static void put_argument(struct pare_walk_run *run, const struct plan *plan, uint32_t position,
                         uint32_t depth)
{
    pare_walk_kind kind = PARE_WALK_ANY;
    pare_emitter_open(&run->emitter, PARE_EMITTER_ARGUMENT);
    /* The last kind that the hint names goes for all further positions. */
    for (uint32_t i = 0; plan->hint && i < PARE_WALK_HINTED && i <= position; i++)
        if (plan->hint->kinds[i] != PARE_WALK_SAME) kind = (pare_walk_kind)plan->hint->kinds[i];
    if (!put_typed(run, plan, position, depth)) {
        if (kind != PARE_WALK_ANY && !chance(run, HINTED_PERCENT)) kind = PARE_WALK_ANY;
        pare_walk_values_put(run, kind, depth);
    }
    pare_emitter_close(&run->emitter);
}

/* Appends the arguments of a planned call, without parentheses. None is pending
 * any more after it. */
static void put_arguments(struct pare_walk_run *run, const struct plan *plan, uint32_t depth)
{
    for (uint32_t i = 0; i < plan->n_args; i++) {
        if (i) put(run, ",");
        /* What was set aside for this argument may be used by it now. */
        run->pending -= plan->least[i];
        put_argument(run, plan, i, depth);
    }
}

/* --- receivers and callees --------------------------------------------------------------------- */

/* Appends an object that has, or inherits, the properties of a holder: the
 * holder itself, one of its instances, or anything below it. If the chosen one
 * does not fit, the cheapest is taken, which does. */
static void put_receiver(struct pare_walk_run *run, uint32_t holder, uint32_t depth)
{
    /* The holder itself, an instance of it, anything below it. */
    static const uint8_t weights[] = {18, 60, 22};
    const struct pare_walk *walk = run->walk;
    const pare_type_costs *costs = walk->costs;
    uint32_t type = holder, n = costs->n_below[holder];
    size_t from = run->emitter.text->size;
    switch (n > 1 ? weigh(run, weights, LENGTH_OF(weights)) : 0) {
    case 1: type = walk->instances[holder]; break;
    case 2: type = costs->order[costs->first[holder] + pick(run, n)]; break;
    default: break;
    }
    if (type == PARE_GRAPH_NONE || !pare_walk_fits(run, costs->types[type], depth))
        type = costs->heirs[holder];
    pare_walk_produce(run, type, depth);
    protect(run, from);
}

/* Chooses a property that leads to `type` and whose holder fits into the
 * budget; PARE_GRAPH_NONE: none of the first few from the chosen one on. */
static uint32_t choose_property(struct pare_walk_run *run, uint32_t type, uint32_t depth)
{
    const pare_type_costs *costs = run->walk->costs;
    uint32_t n = 0;
    const uint32_t *edges = pare_graph_edges_to(costs->graph, PARE_GRAPH_PROPERTY, type, &n);
    uint32_t first = pick_edge(run, edges, n);
    for (uint32_t i = 0; depth && i < n && i < PROBES; i++) {
        uint32_t edge = edges[(first + i) % n];
        uint32_t heir = costs->heirs[pare_graph_edge_at(costs->graph, edge)->from];
        if (heir != PARE_GRAPH_NONE && pare_walk_fits(run, costs->types[heir], depth - 1))
            return edge;
    }
    return PARE_GRAPH_NONE;
}

/* The edge by which an object of type `receiver` has the function, itself or by
 * inheritance; PARE_GRAPH_NONE: it does not have it. */
static uint32_t find_method(const struct pare_walk *walk, uint32_t function, uint32_t receiver)
{
    uint32_t n = 0;
    const uint32_t *edges = pare_graph_edges_to(walk->graph, PARE_GRAPH_PROPERTY, function, &n);
    /* Few types have more ways to a function than these; a built-in under many names has one of
     * its own soon. */
    for (uint32_t i = 0; i < n && i < PROBES; i++)
        if (pare_type_costs_inherits(walk->costs, receiver,
                                     pare_graph_edge_at(walk->graph, edges[i])->from))
            return edges[i];
    return PARE_GRAPH_NONE;
}

/* Appends a receiver of the type that was learned, and the function: as its
 * method, or by call() if an object of that type does not have it, as in
 * Array.prototype.map.call("text"). */
static void put_learned_callee(struct pare_walk_run *run, const struct plan *plan, uint32_t depth)
{
    const struct pare_walk *walk = run->walk;
    uint32_t function = plan->signature->function, receiver = plan->signature->receiver;
    uint32_t edge = find_method(walk, function, receiver);
    pare_type_cost receiver_cost = walk->costs->types[walk->costs->heirs[receiver]];
    if (edge == PARE_GRAPH_NONE) {
        run->pending += receiver_cost.calls;
        pare_walk_produce(run, function, depth);
        put(run, ".call(");
        run->pending -= receiver_cost.calls;
        put_receiver(run, receiver, depth);
        if (plan->n_args) put(run, ",");
        return;
    }
    size_t from = run->emitter.text->size;
    if (walk->costs->types[receiver].depth != PARE_TYPE_COSTS_NEVER &&
        pare_walk_fits(run, walk->costs->types[receiver], depth))
        pare_walk_produce(run, receiver, depth);
    else
        put_receiver(run, receiver, depth);
    protect(run, from);
    take(run, edge);
    put_member(run, from, pare_graph_edge_at(walk->graph, edge)->name);
    put(run, "(");
}

/* Appends the receiver of a method, by its hint or by where the function was
 * found, and the access to the method. Assumes depth > 0. */
static void put_method(struct pare_walk_run *run, const struct plan *plan, uint32_t edge,
                       uint32_t depth)
{
    const pare_graph_edge *property = pare_graph_edge_at(run->walk->graph, edge);
    size_t from = run->emitter.text->size;
    if (plan->hint && plan->hint->receiver && chance(run, 60))
        pare_walk_values_put(run, (pare_walk_kind)plan->hint->receiver, depth - 1);
    else
        put_receiver(run, property->from, depth - 1);
    protect(run, from);
    take(run, edge);
    put_member(run, from, property->name);
}

/* Appends callee, receiver and the opening parenthesis; *end is what ends the
 * call. Four in five methods are called as such; call, apply and bind give the
 * others a receiver of any kind. */
static void put_callee(struct pare_walk_run *run, const struct plan *plan, uint32_t depth,
                       const char **end)
{
    /* As a method, by call, by apply, by bind. */
    static const uint8_t weights[] = {80, 13, 5, 2};
    uint32_t function = plan->signature->function;
    *end = ")";
    if (plan->signature->is_constructor) {
        put(run, "new (");
        pare_walk_produce(run, function, depth);
        put(run, ")(");
        return;
    }
    if (plan->signature->receiver != PARE_GRAPH_NONE) {
        put_learned_callee(run, plan, depth);
        return;
    }
    uint32_t way = weigh(run, weights, LENGTH_OF(weights));
    uint32_t edge = way ? PARE_GRAPH_NONE : choose_property(run, function, depth);
    if (edge != PARE_GRAPH_NONE)
        put_method(run, plan, edge, depth);
    else
        pare_walk_produce(run, function, depth);
    put(run, way == 1 ? ".call(" : way == 2 ? ".apply(" : way == 3 ? ".bind(" : "(");
    if (!way) return;
    pare_walk_values_put(run, PARE_WALK_ANY, depth);
    if (plan->n_args) put(run, ",");
    if (way == 2 && plan->n_args) put(run, "[");
    *end = way == 1 ? ")" : way == 3 ? ")()" : plan->n_args ? "])" : ")";
}

/* Appends a whole call with a signature that fits; it counts one call more. */
static void call_signature(struct pare_walk_run *run, uint32_t number, uint32_t depth)
{
    const char *end;
    struct plan plan;
    assert(depth && pare_walk_fits(run, run->walk->costs->signatures[number], depth));
    run->calls++;
    plan_call(run, number, &plan);
    put_callee(run, &plan, depth - 1, &end);
    put_arguments(run, &plan, depth - 1);
    put(run, end);
}

/* --- derivation --------------------------------------------------------------------------------- */

/* Appends a kept value of the type, or of unknown type, which may be anything;
 * false: there is none, or it is not wanted. Without kept values no choice is
 * made, so lists of choices mean the same. */
static bool put_variable(struct pare_walk_run *run, uint32_t type)
{
    const struct pare_walk *walk = run->walk;
    uint32_t fitting[PARE_WALK_VARIABLES], n = 0;
    for (uint32_t i = 0; i < walk->n_variables; i++)
        if (walk->variables[i] == PARE_GRAPH_NONE ||
            pare_type_costs_inherits(walk->costs, walk->variables[i], type))
            fitting[n++] = i;
    if (!n || !chance(run, 50)) return false;
    put(run, "v");
    pare_emitter_integer(&run->emitter, fitting[pick(run, n)]);
    return true;
}

/* The cheapest way to a type.  Its parts are chosen anew, so that even the only way there is gives
 * more than one text. */
static void produce_cheaply(struct pare_walk_run *run, uint32_t type, uint32_t depth)
{
    const pare_type_way *way = &run->walk->costs->ways[type];
    const pare_graph_edge *edge = NULL;
    size_t from = run->emitter.text->size;
    switch (way->kind) {
    case PARE_TYPE_WAY_GLOBAL: put(run, "this"); break;
    case PARE_TYPE_WAY_LITERAL: pare_walk_values_literal(run, type, depth); break;
    case PARE_TYPE_WAY_PROPERTY:
        edge = pare_graph_edge_at(run->walk->graph, way->edge);
        pare_walk_produce(run, way->receiver, depth - 1);
        protect(run, from);
        take(run, way->edge);
        put_member(run, from, edge->name);
        break;
    case PARE_TYPE_WAY_RETURN:
        take(run, way->edge);
        call_signature(run, pare_graph_edge_at(run->walk->graph, way->edge)->from, depth);
        break;
    case PARE_TYPE_WAY_NONE: assert(!"the type can be had"); break;
    }
}

/* Appends a call that returns the type; false: none of the first few from the
 * chosen one on fits. */
static bool produce_by_call(struct pare_walk_run *run, uint32_t type, uint32_t depth)
{
    const pare_type_costs *costs = run->walk->costs;
    uint32_t n = 0;
    const uint32_t *edges = pare_graph_edges_to(costs->graph, PARE_GRAPH_RETURN, type, &n);
    uint32_t first = pick_edge(run, edges, n);
    for (uint32_t i = 0; i < n && i < PROBES; i++) {
        uint32_t edge = edges[(first + i) % n];
        uint32_t signature = pare_graph_edge_at(costs->graph, edge)->from;
        if (!pare_walk_fits(run, costs->signatures[signature], depth)) continue;
        take(run, edge);
        call_signature(run, signature, depth);
        return true;
    }
    return false;
}

/* Appends the type as a property of something; false: none of the first few
 * properties fits. */
static bool produce_by_property(struct pare_walk_run *run, uint32_t type, uint32_t depth)
{
    uint32_t edge = choose_property(run, type, depth);
    if (edge == PARE_GRAPH_NONE) return false;
    const pare_graph_edge *property = pare_graph_edge_at(run->walk->graph, edge);
    size_t from = run->emitter.text->size;
    put_receiver(run, property->from, depth - 1);
    take(run, edge);
    put_member(run, from, property->name);
    return true;
}

/* Appends an expression of a type that fits. The ways are in the order of
 * simplicity (the cheapest, a property, a call), so that a reduction comes to
 * the cheapest. */
void pare_walk_produce(struct pare_walk_run *run, uint32_t type, uint32_t depth)
{
    /* The cheapest way, a property, a call. Literals mostly stand for themselves; the global
     * object nearly always does, or each `this` would cost a call. */
    static const uint8_t literals[] = {80, 10, 10}, objects[] = {45, 35, 20}, global[] = {94, 3, 3};
    const pare_type_costs *costs = run->walk->costs;
    bool is_literal = costs->literals[type] != PARE_TYPE_LITERAL_NONE, done = false;
    assert(pare_walk_fits(run, costs->types[type], depth));
    pare_emitter_open(&run->emitter, PARE_EMITTER_TYPE + type);
    if (!put_variable(run, type)) {
        bool is_global = type == pare_graph_global(costs->graph);
        const uint8_t *weights = is_global ? global : is_literal ? literals : objects;
        uint32_t way = depth ? weigh(run, weights, 3) : 0;
        if (way == 1) done = produce_by_property(run, type, depth);
        if (way == 2) done = produce_by_call(run, type, depth);
        if (!done) produce_cheaply(run, type, depth);
    }
    pare_emitter_close(&run->emitter);
}

/* --- forward ---------------------------------------------------------------------------------- */

/* One of the types that a signature returns, for the next step;
 * PARE_GRAPH_NONE: nothing is known. */
static uint32_t choose_returned(struct pare_walk_run *run, uint32_t signature)
{
    uint32_t n = 0;
    const uint32_t *edges =
        pare_graph_edges_from(run->walk->graph, PARE_GRAPH_RETURN, signature, &n);
    return n ? pare_graph_edge_at(run->walk->graph, edges[pick(run, n)])->to : PARE_GRAPH_NONE;
}

/* Whether a function is called with `new`: often if its name has a capital as those of constructors
 * have, else seldom.  Some engines give every function a prototype. */
static bool choose_new(struct pare_walk_run *run, uint32_t function)
{
    const pare_graph *graph = run->walk->graph;
    uint32_t n_calls = 0, n_constructors = 0;
    (void)pare_graph_edges_from(graph, PARE_GRAPH_CALL, function, &n_calls);
    (void)pare_graph_edges_from(graph, PARE_GRAPH_CONSTRUCTOR, function, &n_constructors);
    /* With one kind only there is no choice. */
    if (!n_calls || !n_constructors) return n_constructors;
    const char *path = pare_graph_type_at(graph, function)->path, *dot = strrchr(path, '.');
    char first = dot ? dot[1] : path[0];
    return chance(run, first >= 'A' && first <= 'Z' ? 60 : 8);
}

/* A signature of a function, of this kind, that fits; PARE_GRAPH_NONE: none of
 * the first few does. */
static uint32_t choose_signature(struct pare_walk_run *run, pare_graph_edge_kind kind,
                                 uint32_t function, uint32_t depth)
{
    const pare_type_costs *costs = run->walk->costs;
    uint32_t n = 0;
    const uint32_t *edges = pare_graph_edges_from(costs->graph, kind, function, &n);
    uint32_t first = pick_edge(run, edges, n);
    for (uint32_t i = 0; i < n && i < PROBES; i++) {
        uint32_t signature = pare_graph_edge_at(costs->graph, edges[(first + i) % n])->to;
        if (pare_walk_fits(run, costs->signatures[signature], depth)) return signature;
    }
    return PARE_GRAPH_NONE;
}

/* Calls what stands from place `from` on. The result is the type that the call
 * returns, or PARE_GRAPH_NONE. */
static uint32_t call_forward(struct pare_walk_run *run, uint32_t function, size_t from,
                             uint32_t depth)
{
    bool constructs = choose_new(run, function);
    struct plan plan;
    uint32_t signature =
        choose_signature(run, constructs ? PARE_GRAPH_CONSTRUCTOR : PARE_GRAPH_CALL, function,
                         PARE_TYPE_COSTS_DEPTH);
    if (signature == PARE_GRAPH_NONE) return PARE_GRAPH_NONE;
    run->calls++;
    plan_call(run, signature, &plan);
    if (constructs) {
        pare_emitter_insert(&run->emitter, from, "new (");
        put(run, ")");
    }
    put(run, "(");
    put_arguments(run, &plan, depth);
    put(run, ")");
    return choose_returned(run, signature);
}

/* Chooses a property that an object of the type has or inherits, each as likely
 * as the others but for their weights; PARE_GRAPH_NONE: there is none. */
static uint32_t choose_member(struct pare_walk_run *run, uint32_t type)
{
    const pare_graph *graph = run->walk->graph;
    double *weights = run->walk->edge_weights;
    const uint32_t *edges[MAX_LEVELS];
    uint32_t sizes[MAX_LEVELS], n = 0, total = 0;
    for (; type != PARE_GRAPH_NONE && n < MAX_LEVELS; n++) {
        /* The whole chain counts as one list, so that an object's own few properties are no
         * likelier than those of Object.prototype: calls of inherited functions on strange
         * receivers are what engines get wrong. */
        edges[n] = pare_graph_edges_from(graph, PARE_GRAPH_PROPERTY, type, &sizes[n]);
        for (uint32_t i = 0; weights && i < sizes[n]; i++)
            weights[total + i] = pare_graph_edge_at(graph, edges[n][i])->weight;
        total += sizes[n];
        type = pare_graph_type_at(graph, type)->prototype;
    }
    if (!total) return PARE_GRAPH_NONE;
    uint32_t level = 0;
    uint32_t at = weights ? pare_emitter_weighted(&run->emitter, weights, total) : pick(run, total);
    for (; at >= sizes[level]; level++)
        at -= sizes[level];
    return edges[level][at];
}

/* Goes one step on from an expression of a type: to a property, and mostly to
 * its call if it is a function. The result is the type it comes to, or
 * PARE_GRAPH_NONE. */
static uint32_t step(struct pare_walk_run *run, uint32_t type, size_t from, uint32_t depth)
{
    const pare_graph *graph = run->walk->graph;
    /* A function is called in two of three cases, else it is an object as any other. */
    bool is_function = pare_graph_type_at(graph, type)->kind == PARE_GRAPH_FUNCTION;
    if (is_function && chance(run, 65)) return call_forward(run, type, from, depth);
    uint32_t edge = choose_member(run, type);
    if (edge == PARE_GRAPH_NONE) return PARE_GRAPH_NONE;
    const pare_graph_edge *property = pare_graph_edge_at(graph, edge);
    take(run, edge);
    put_member(run, from, property->name);
    if (pare_graph_type_at(graph, property->to)->kind != PARE_GRAPH_FUNCTION || !chance(run, 75))
        return property->to;
    return call_forward(run, property->to, from, depth);
}

/* --- the beginning --------------------------------------------------------------------------- */

/* A call of a function that is chosen by its weight.  The type it returns. */
static uint32_t begin_with_function(struct pare_walk_run *run, uint32_t depth)
{
    struct pare_walk *walk = run->walk;
    uint32_t at = walk->weights
                      ? pare_emitter_weighted(&run->emitter, walk->weights, walk->n_functions)
                      : pick(run, walk->n_functions);
    uint32_t function = walk->functions[at];
    if (walk->weights && walk->cooldown > 0) walk->weights[at] *= walk->cooldown;
    pare_graph_edge_kind kind =
        choose_new(run, function) ? PARE_GRAPH_CONSTRUCTOR : PARE_GRAPH_CALL;
    uint32_t signature = choose_signature(run, kind, function, depth);
    if (signature == PARE_GRAPH_NONE) {
        produce_cheaply(run, function, depth);
        return function;
    }
    call_signature(run, signature, depth);
    return choose_returned(run, signature);
}

/* What is done with a value at the end of an expression, beyond what the graph says: operators,
 * which convert it, and writing and deleting properties, of instances only, since the engine's own
 * objects are still needed by the tests that follow in the same process. */
static void finish(struct pare_walk_run *run, uint32_t type, size_t from)
{
    /* Nothing, mostly; an operator; an assignment; delete; an operator in front, in two of the
     * cases; and nothing again. */
    static const uint8_t weights[] = {86, 5, 4, 1, 1, 1, 2};
    static const char *const operators[] = {
        "+",   "-",  "*",   "/",  "%",  "<<", ">>",           ">>>",
        "&",   "|",  "^",   "<",  ">",  "<=", ">=",           "==",
        "===", "!=", "!==", "&&", "||", ",",  " instanceof ", " in "};
    static const char *const names[] = {"length",    "0",        "a",           "lastIndex",
                                        "valueOf",   "toString", "constructor", "prototype",
                                        "__proto__", "x"};
    static const char *const unary[] = {"!", "~", "- ", "+ ", "typeof ", "void "};
    bool is_instance =
        type != PARE_GRAPH_NONE && pare_graph_type_at(run->walk->graph, type)->is_instance;
    uint32_t kind = weigh(run, weights, LENGTH_OF(weights));
    if (!is_instance && (kind == 2 || kind == 3)) kind = 0;
    switch (kind) {
    case 1:
        pare_emitter_one_of(&run->emitter, operators, LENGTH_OF(operators));
        put(run, "(");
        pare_walk_values_put(run, PARE_WALK_ANY, 2);
        put(run, ")");
        break;
    case 2:
        pare_values_member(&run->emitter, names[pick(run, LENGTH_OF(names))]);
        put(run, " = ");
        pare_walk_values_put(run, PARE_WALK_ANY, 2);
        break;
    case 3:
        pare_values_member(&run->emitter, names[pick(run, LENGTH_OF(names))]);
        pare_emitter_insert(&run->emitter, from, "delete ");
        break;
    case 4:
    case 5: pare_emitter_insert(&run->emitter, from, unary[pick(run, LENGTH_OF(unary))]); break;
    default: break;
    }
}

/* An expression.  The type it is likely to have, or PARE_GRAPH_NONE.  Steps forward end by chance;
 * each takes a level of depth, so that they end in any case. */
static uint32_t put_expression(struct pare_walk_run *run)
{
    const struct pare_walk *walk = run->walk;
    uint32_t depth = walk->max_depth, type = pare_graph_global(walk->graph);
    size_t from = run->emitter.text->size;
    /* The budget is of one expression: texts that keep values have several. */
    run->calls = run->pending = run->n_values = 0;
    if (walk->n_functions && chance(run, 88)) {
        type = begin_with_function(run, depth);
        protect(run, from);
        depth--;
    } else {
        put(run, "this");
    }
    while (type != PARE_GRAPH_NONE && depth > 1 && chance(run, 40)) {
        depth--;
        pare_emitter_open(&run->emitter, PARE_EMITTER_STEP);
        type = step(run, type, from, depth);
        pare_emitter_close(&run->emitter);
    }
    assert(run->calls <= walk->max_calls && (run->emitter.status || !run->pending));
    finish(run, type, from);
    return type;
}

/* --- texts -------------------------------------------------------------------------------------- */

/* An expression, or statements that keep values and then one.  Each statement has a try of its own,
 * for most expressions throw now and then, and the last has none: what it throws is seen. */
static pare_status run_walk(void *self, pare_choices *choices, pare_buffer *text, pare_error *err)
{
    struct pare_walk *walk = self;
    struct pare_walk_run run = {.emitter = {.choices = choices, .text = text, .err = err},
                                .walk = walk};
    const double weights[] = {1 - walk->keep_values, walk->keep_values};
    walk->n_variables = 0;
    /* Without kept values there is no choice at all, so lists stay short. */
    while (walk->keep_values > 0 && walk->n_variables < PARE_WALK_VARIABLES &&
           pare_emitter_weighted(&run.emitter, weights, 2)) {
        pare_emitter_open(&run.emitter, PARE_EMITTER_STATEMENT);
        put(&run, "try { var v");
        pare_emitter_integer(&run.emitter, walk->n_variables);
        put(&run, " = (");
        uint32_t type = put_expression(&run);
        put(&run, "); } catch (e) {}; ");
        walk->variables[walk->n_variables++] = type;
        pare_emitter_close(&run.emitter);
    }
    (void)put_expression(&run);
    return run.emitter.status;
}

/* Weights that a cooldown changed are state between texts; pare_walk_warm, which is called
 * before each batch, keeps that from depending on threads. */
pare_generator pare_walk_generator(pare_walk *walk)
{
    return (pare_generator){.self = walk, .run = run_walk};
}

/* Within a function `this` may be anything, so the global object's properties go by their names;
 * values are not kept, because a grammar's texts have variables of their own. */
pare_status pare_walk_expression(pare_walk *walk, pare_choices *choices, pare_buffer *text,
                                 pare_error *err)
{
    struct pare_walk_run run = {
        .emitter = {.choices = choices, .text = text, .err = err}, .walk = walk, .is_inner = true};
    walk->n_variables = 0;
    put(&run, "(");
    (void)put_expression(&run);
    put(&run, ")");
    return run.emitter.status;
}

/* --- life ---------------------------------------------------------------------------------------- */

/* A start weight comes from the graph; without any all are 1. */
void pare_walk_warm(pare_walk *walk)
{
    for (uint32_t i = 0; walk->weights && i < walk->n_functions; i++)
        walk->weights[i] = walk->start_weights ? walk->start_weights[i] : 1;
}

/* Only who weighs edges asks for it (generate/graph_weigh.c); a test of one pointer at each edge
 * is what it costs everybody else. */
void pare_walk_trace(pare_walk *walk, uint8_t *taken)
{
    walk->taken = taken;
}

/* The costs and the graph are others'. */
void pare_walk_free(pare_walk *walk)
{
    if (!walk) return;
    pare_walk_tables_done(walk);
    pare_alloc_free(walk);
}

/* A depth beyond what costs are known for would recurse further than was bargained for, so it is
 * cut without a word: nobody asks for expressions of a hundred levels. */
pare_status pare_walk_new(const pare_type_costs *costs, const pare_walk_options *options,
                          pare_walk **out, pare_error *err)
{
    struct pare_walk *walk = pare_alloc_zero(1, sizeof *walk);
    if (!walk) return pare_fail_nomem(err);
    walk->costs = costs;
    walk->graph = costs->graph;
    walk->max_depth = options->max_depth ? options->max_depth : PARE_WALK_DEPTH;
    if (walk->max_depth > PARE_TYPE_COSTS_DEPTH) walk->max_depth = PARE_TYPE_COSTS_DEPTH;
    walk->max_calls = options->max_calls ? options->max_calls : PARE_WALK_CALLS;
    walk->keep_values = options->keep_values;
    walk->cooldown = options->cooldown;
    pare_status status = pare_walk_tables_make(walk, err);
    if (status) {
        pare_walk_free(walk);
        return status;
    }
    pare_walk_warm(walk);
    *out = walk;
    return PARE_OK;
}
