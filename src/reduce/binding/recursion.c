/* The pass recursion: of functions that call each other in a circle, only what leads on stays.
 *
 * A program that runs out of stack does so in a few functions, of which each calls the next under
 * some condition.  Most of the rest of the program is there to make these conditions true: the data
 * that are parsed, the functions that parse them.  So in all functions of a circle at once the body
 * makes way for the block around the call that leads on.  If that still fails, nothing else is
 * reached any more, and goes in a few tests (session/plan/coverage_phase.h), where it would take a
 * hundred to find out that each statement is needed as long as the condition is there.
 * Circles are found from each function along the fewest calls, short ones first.  Of the blocks
 * around a call the outermost inside the body is tried first, then the innermost, then the
 * statement alone.
 * Invariant: what stays keeps its bytes and its order.
 * Source: ours, after what a person does with a stack overflow.
 * Cost: no tests; O(functions * uses). */
#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "parse/parse_tree.h"
#include "reduce/binding/bindings.h"
#include "reduce/binding/program.h"
#include "reduce/binding/rewrites.h"
#include "reduce/binding/syntax.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

/* The limits keep the pass cheap on texts for which it is not made: there may be a search for a
 * circle from each function, once for each length. */
enum {
    MOST_LEXEMES = 100000,
    MOST_FUNCTIONS = 1024,
    MOST_CALLS = 8192,
    LONGEST = 4, /* functions of a circle */
    MOST_CIRCLES = 8
};

#define NONE UINT32_MAX

/* A use of a function's name inside a function. */
struct call {
    uint32_t leaf, to; /* the name; which function */
    uint32_t next;     /* further on in the same function */
};

/* A function of the program that may be part of a circle. */
struct function {
    uint32_t node, body;
    uint32_t first; /* call in it */
    bool taken;     /* part of a circle that was offered */
};

/* The functions of a program, and what they call. */
struct calls {
    pare_program *program;
    struct function functions[MOST_FUNCTIONS];
    struct call calls[MOST_CALLS];
    uint32_t n, n_calls;
    uint32_t *by_node; /* owned; index of the function that a node is, or NONE */
};

/* Which of the blocks around a call stays. Which of them the failure needs depends on where the
 * data that the conditions look at come from: a loop around the call may be needed as well as
 * its body, or the call may be enough alone. */
enum rest { OUTERMOST, INNERMOST, STATEMENT, N_RESTS };

/* ---- who calls whom --------------------------------------------------------------------- */

/* Adds each function with a name and a block for a body. A function whose body is an expression
 * has no blocks to choose from, and is left out. */
static void add_functions(struct calls *self)
{
    const pare_syntax *syntax = &self->program->syntax;
    const pare_bindings *names = &self->program->names;
    for (uint32_t i = 0; i < names->n_symbols && self->n < MOST_FUNCTIONS; i++) {
        const uint32_t node = pare_bindings_function(names, i);
        if (node == PARE_NO_NODE || self->by_node[node] != NONE) continue;
        const uint32_t body = pare_syntax_child(syntax, node, syntax->nodes[node].kind->body);
        if (body == PARE_NO_NODE || !pare_syntax_is(syntax, body, PARE_ROLE_BLOCK)) continue;
        self->by_node[node] = self->n;
        self->functions[self->n++] = (struct function){.node = node, .body = body, .first = NONE};
    }
}

/* The innermost function with a name around the node. A function without a name belongs to the
 * named one that it is written in. */
static uint32_t function_around(const struct calls *self, uint32_t node)
{
    const pare_syntax_node *nodes = self->program->syntax.nodes;
    while (node != PARE_NO_NODE && self->by_node[node] == NONE)
        node = nodes[node].parent;
    return node == PARE_NO_NODE ? NONE : self->by_node[node];
}

/* Notes each use of a function's name in the body of one. A name that is only handed on counts
 * as a call, too: whoever gets it may call it. */
static void add_calls(struct calls *self)
{
    const pare_bindings *names = &self->program->names;
    for (uint32_t i = 0; i < names->n_symbols; i++) {
        const uint32_t node = pare_bindings_function(names, i);
        if (node == PARE_NO_NODE || self->by_node[node] == NONE) continue;
        for (uint32_t k = names->symbols[i].first; k != PARE_NO_NODE;
             k = names->occurrences[k].next) {
            const uint32_t leaf = names->occurrences[k].leaf;
            if (self->n_calls == MOST_CALLS) return;
            const uint32_t from =
                names->occurrences[k].declares ? NONE : function_around(self, leaf);
            if (from == NONE) continue;
            /* Uses in the head of a function, such as default values, are not in what is cut. */
            if (!pare_syntax_holds(&self->program->syntax, self->functions[from].body, leaf))
                continue;
            self->calls[self->n_calls] = (struct call){
                .leaf = leaf, .to = self->by_node[node], .next = self->functions[from].first};
            self->functions[from].first = self->n_calls++;
        }
    }
}

/* ---- circles ---------------------------------------------------------------------------- */

/* The calls of the shortest circle from `start`, in *found: how many; 0: there is none of at most
 * `longest`.  Breadth first. */
static uint32_t find_circle(const struct calls *self, uint32_t start, uint32_t longest,
                            uint32_t found[LONGEST])
{
    uint32_t queue[MOST_FUNCTIONS], n = 0, depth[MOST_FUNCTIONS], by[MOST_FUNCTIONS];
    /* For each function `by` has the call by which it was first reached, from which the way
     * back is found without a list of ways. */
    memset(by, 0xff, self->n * sizeof *by);
    queue[n++] = start;
    depth[start] = 0;
    for (uint32_t at = 0; at < n; at++) {
        const uint32_t from = queue[at];
        /* The queue is in the order of depth, so all that follow are as deep at least. */
        if (depth[from] >= longest) break;
        for (uint32_t i = self->functions[from].first; i != NONE; i = self->calls[i].next) {
            const uint32_t to = self->calls[i].to;
            if (by[to] != NONE) continue;
            by[to] = i;
            depth[to] = depth[from] + 1;
            if (to != start) {
                queue[n++] = to;
                continue;
            }
            /* Backwards, from the call that closes the circle. */
            const uint32_t length = depth[from] + 1;
            for (uint32_t k = length, call = i; k-- > 0;) {
                found[k] = call;
                if (!k) break;
                call = by[function_around(self, self->calls[call].leaf)];
            }
            return length;
        }
    }
    return 0;
}

/* ---- what stays ------------------------------------------------------------------------- */

/* What is kept of `body` around `leaf`: a block, or a statement of one; PARE_NO_NODE: all of it. */
static uint32_t rest_around(const pare_syntax *syntax, uint32_t body, uint32_t leaf, enum rest rest)
{
    uint32_t found = PARE_NO_NODE;
    for (uint32_t i = syntax->nodes[leaf].parent; i != body && i != PARE_NO_NODE;
         i = syntax->nodes[i].parent) {
        const uint32_t parent = syntax->nodes[i].parent;
        const bool block = pare_syntax_is(syntax, i, PARE_ROLE_BLOCK);
        /* Only what stands in a block may stay alone in the body's place. The branch of an `if`
         * without braces is an element of the `if`, and goes with it. */
        const bool statement = pare_syntax_is_statement(syntax, i) && !block &&
                               parent != PARE_NO_NODE &&
                               pare_syntax_is(syntax, parent, PARE_ROLE_BLOCK);
        if (rest == STATEMENT ? !statement : !block) continue;
        found = i;
        if (rest != OUTERMOST) break;
    }
    return found;
}

/* Wishes that of the body around the call only that stays; adds to *saves what goes. */
static pare_status keep(struct calls *self, const struct call *call, enum rest rest,
                        uint64_t *saves, pare_error *err)
{
    pare_program *program = self->program;
    const pare_syntax *syntax = &program->syntax;
    const uint32_t from = function_around(self, call->leaf), body = self->functions[from].body;
    const uint32_t kept = rest_around(syntax, body, call->leaf, rest);
    const bool indented = syntax->table->blocks == PARE_SYNTAX_INDENTED;
    uint32_t begin, end, first, last;
    if (kept == PARE_NO_NODE || !pare_program_inside(program, body, &begin, &end)) return PARE_OK;
    first = syntax->nodes[kept].begin;
    last = syntax->nodes[kept].end;
    if (pare_syntax_is(syntax, kept, PARE_ROLE_BLOCK) &&
        !pare_program_inside(program, kept, &first, &last))
        return PARE_OK;
    /* The rest is the whole body: there is nothing to leave out of this function. */
    if (last - first >= end - begin) return PARE_OK;
    *saves += (end - begin) - (last - first);
    pare_status status = PARE_OK;
    if (begin < first) status = pare_rewrites_range(&program->rewrites, begin, first, NULL, 0, err);
    if (!status && last < end)
        status = pare_rewrites_range(&program->rewrites, last, end, NULL, 0, err);
    /* What was inside an `if` stands further to the right than the body does. */
    if (!status && indented) status = pare_program_outdent(program, begin, first, last, err);
    return status;
}

/* One item for the circle: in all of its functions the same kind of rest. One function alone
 * changed would rarely pass: its condition is often what ends the circle for the others. */
static pare_status offer_circle(struct calls *self, const uint32_t *circle, uint32_t n,
                                pare_error *err)
{
    pare_rewrites *rewrites = &self->program->rewrites;
    uint64_t most = 0;
    pare_status status = PARE_OK;
    for (int rest = OUTERMOST; !status && rest < N_RESTS; rest++) {
        uint64_t saves = 0;
        for (uint32_t i = 0; !status && i < n; i++)
            status = keep(self, &self->calls[circle[i]], (enum rest)rest, &saves, err);
        if (!status) status = pare_rewrites_alternative(rewrites, err);
        if (saves > most) most = saves;
    }
    return status ? status : pare_rewrites_item(rewrites, most, err);
}

/* Short circles first; none begins at a function of another one. */
static pare_status offer_circles(struct calls *self, pare_error *err)
{
    uint32_t circle[LONGEST], n_circles = 0;
    pare_status status = PARE_OK;
    /* A circle of functions is offered once and not once from each of its functions. Only
     * circles of exactly that length are taken in each round, so a function that calls itself
     * is not first spent on a longer circle. */
    for (uint32_t longest = 1; longest <= LONGEST; longest++)
        for (uint32_t i = 0; !status && i < self->n && n_circles < MOST_CIRCLES; i++) {
            if (self->functions[i].taken) continue;
            const uint32_t n = find_circle(self, i, longest, circle);
            if (n != longest) continue;
            for (uint32_t k = 0; k < n; k++)
                self->functions[function_around(self, self->calls[circle[k]].leaf)].taken = true;
            n_circles++;
            status = offer_circle(self, circle, n, err);
        }
    return status;
}

/* Finds the functions, their calls and the circles, and wishes what each of these comes to. */
static pare_status collect_circles(pare_program *program, pare_error *err)
{
    struct calls *self = pare_alloc_zero(1, sizeof *self);
    pare_status status = self ? PARE_OK : pare_fail_nomem(err);
    if (!status && !(self->by_node = pare_alloc(program->syntax.n, sizeof *self->by_node)))
        status = pare_fail_nomem(err);
    if (!status) {
        memset(self->by_node, 0xff, program->syntax.n * sizeof *self->by_node);
        self->program = program;
        add_functions(self);
        add_calls(self);
        status = offer_circles(self, err);
    }
    if (self) pare_alloc_free(self->by_node);
    pare_alloc_free(self);
    return status;
}

/* recursion: functions that call each other in a circle keep only the block around the call.
 *
 * Example: `f(a) { if (a.b) { x(); f(a); } y(); }` becomes `f(a) { x(); f(a); }`. */
static pare_status offer_recursion(const pare_pass *pass, const pare_pass_view *view,
                                   pare_patches *out, pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_circles,
                                                     .grouping = PARE_REWRITES_SINGLE,
                                                     .least = 1},
                              out, err);
}

const pare_pass pare_binding_recursion = {
    .name = "recursion",
    .summary = "of functions that call themselves or each other only what leads to the call stays",
    .source = "ours, after what a person does with a stack overflow",
    .order = PARE_PASS_LISTED,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .most_lexemes = MOST_LEXEMES,
    .offer = offer_recursion,
};
