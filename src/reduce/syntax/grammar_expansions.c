/* Expansions of a grammar's symbols, as GRABR takes them: from bodies to lists of symbols.
 *
 * A body is a regular expression, so it has many lists of symbols, infinitely many where it
 * repeats.  They are enumerated depth first: a state is the symbols so far and the expressions
 * still to be read, both as linked lists that share their ends; reading a choice makes one
 * state for each alternative.  A repetition is one symbol, with expansions of its own, so the
 * lists are finite; their number is bounded by PARE_MAX_EXPANSIONS and MAX_READ.
 * Invariant: expansions of one symbol are neighbours in one array, in the grammar's order. Why
 * not copy lists for each state: with shared ends a state costs one link, however long it is.
 * Source: ours; what an expansion is for GRABR: seed 002, The Fuzzing Book. */
#include "reduce/syntax/rules.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"
#include "grammar/grammar.h"
#include "parse/literals.h"
#include "parse/parse_tree.h"
#include "reduce/tree/grabr.h"
#include "reduce/tree/tree.h"

enum { MAX_READ = 16384 }; /* states read for one symbol */

/* A link of a list: an expression, or a symbol. */
struct link {
    pare_tree_symbol symbol;
    pare_index expr;
    uint32_t next;
};

/* A list of symbols that is half read. */
struct state {
    uint32_t pending, done; /* links; `done` holds the last symbol first */
    uint32_t n;             /* symbols */
};

/* Where the expansions of a symbol stand in the array of all. */
struct run {
    uint32_t first, n;
};

struct pare_grammar_expansions {
    pare_expansions head;
    const pare_grammar_rules *rules;
    pare_expansion *expansions; /* owned */
    size_t n_expansions, expansions_capacity;
    pare_tree_symbol *symbols; /* owned; of all expansions */
    size_t n_symbols, symbols_capacity;
    struct run *of_rules, *of_exprs; /* owned */
};

/* The enumeration; `failed` ends all loops.
 * Links are never given back while one body is read: states that were dropped may share theirs
 * with others. */
struct reader {
    pare_grammar_expansions *to;
    const pare_grammar *grammar;
    struct link *links; /* owned */
    size_t n_links, links_capacity;
    struct state *stack; /* owned */
    size_t n_stack, stack_capacity;
    struct run *run;
    bool failed; /* memory is out */
};

/* Adds a link and returns its number. */
static uint32_t link_to(struct reader *reader, struct link link)
{
    struct link *links =
        pare_vector_grow(reader->links, reader->n_links, &reader->links_capacity, sizeof *links);
    if (!links) {
        reader->failed = true;
        return PARE_NO_INDEX;
    }
    reader->links = links;
    links[reader->n_links] = link;
    return (uint32_t)reader->n_links++;
}

/* Puts a state on the stack. */
static void push(struct reader *reader, struct state state)
{
    struct state *stack =
        pare_vector_grow(reader->stack, reader->n_stack, &reader->stack_capacity, sizeof *stack);
    if (!stack) {
        reader->failed = true;
        return;
    }
    reader->stack = stack;
    stack[reader->n_stack++] = state;
}

/* Puts a state on the stack in which `expr` is read next. */
static void push_pending(struct reader *reader, struct state state, pare_index expr)
{
    state.pending = link_to(reader, (struct link){.expr = expr, .next = state.pending});
    push(reader, state);
}

/* Puts a state on the stack with one more symbol read. */
static void push_symbol(struct reader *reader, struct state state, uint32_t kind, uint32_t symbol)
{
    state.done = link_to(reader, (struct link){.symbol = {kind, symbol}, .next = state.done});
    state.n++;
    push(reader, state);
}

/* Keeps the symbols of a state as an expansion.
 * O(symbols): the list is written out, as its links are given up with the next body. */
static void keep(struct reader *reader, struct state state)
{
    /* Room for all symbols first: on failure nothing of the expansion is counted. */
    pare_grammar_expansions *to = reader->to;
    pare_expansion *all =
        pare_vector_grow(to->expansions, to->n_expansions, &to->expansions_capacity, sizeof *all);
    if (all) to->expansions = all;
    size_t first = to->n_symbols;
    for (uint32_t i = 0; all && i < state.n; i++) {
        pare_tree_symbol *symbols =
            pare_vector_grow(to->symbols, to->n_symbols, &to->symbols_capacity, sizeof *symbols);
        if (symbols) to->symbols = symbols;
        if (!symbols) all = NULL;
        to->n_symbols += symbols != NULL;
    }
    if (!all) {
        reader->failed = true;
        return;
    }
    /* The last symbol comes first in the linked list, so the array is filled from its end. */
    uint32_t at = state.done;
    for (uint32_t i = state.n; i-- > 0; at = reader->links[at].next)
        to->symbols[first + i] = reader->links[at].symbol;
    assert(at == PARE_NO_INDEX); /* `n` is the length of the list */
    /* The symbols' array may still move, so the pointer is set when it is complete. */
    all[to->n_expansions++] = (pare_expansion){.n = state.n}; /* symbols: see settle */
    reader->run->n++;
}

/* Pushes the operands of a sequence, or one state for each of a choice, first on top.
 * A sequence is one state with all of its operands pending; a choice as many states as it has
 * operands. */
static void push_operands(struct reader *reader, struct state state, const pare_expr *e)
{
    const pare_expr *exprs = reader->grammar->exprs;
    size_t first = reader->n_links;
    for (pare_index at = e->first; at != PARE_NO_INDEX; at = exprs[at].next)
        (void)link_to(reader, (struct link){.expr = at});
    if (reader->failed) return;
    /* From the last operand to the first, so that the first is on top, or read first. */
    for (size_t i = reader->n_links; i-- > first;) {
        if (e->kind == PARE_EXPR_CHOICE) {
            push_pending(reader, state, reader->links[i].expr);
        } else {
            reader->links[i].next = state.pending;
            state.pending = (uint32_t)i;
        }
    }
    if (e->kind == PARE_EXPR_SEQUENCE) push(reader, state);
}

/* One state for each token type of a set; characters are in no tree by themselves.
 * At most PARE_MAX_EXPANSIONS of a range, as more would not be kept. */
static void push_set(struct reader *reader, struct state state, const pare_set *set)
{
    if (reader->grammar->scannerless) return;
    for (uint32_t i = set->n; i-- > 0;) {
        pare_interval range = reader->grammar->intervals[set->first + i];
        for (uint32_t token = range.to, n = 0; n < PARE_MAX_EXPANSIONS; token--, n++) {
            push_symbol(reader, state, PARE_NODE_TOKEN, token);
            if (token == range.from) break;
        }
    }
}

/* Reads the expression `expr` of a state that was taken from the stack. */
static void read_expr(struct reader *reader, struct state state, pare_index expr)
{
    const pare_expr *e = &reader->grammar->exprs[expr];
    const pare_literals *literals = pare_grammar_rules_literals(reader->to->rules);
    switch (e->kind) {
    case PARE_EXPR_EMPTY: push(reader, state); break;
    case PARE_EXPR_SEQUENCE:
    case PARE_EXPR_CHOICE: push_operands(reader, state, e); break;
    case PARE_EXPR_OPTIONAL:
    case PARE_EXPR_STAR:
        push(reader, state);
        push_symbol(reader, state, e->kind == PARE_EXPR_STAR ? PARE_NODE_STAR : PARE_NODE_OPTIONAL,
                    expr);
        break;
    case PARE_EXPR_PLUS: push_symbol(reader, state, PARE_NODE_PLUS, expr); break;
    case PARE_EXPR_RULE: push_symbol(reader, state, PARE_NODE_RULE, e->rule); break;
    case PARE_EXPR_TOKEN: push_symbol(reader, state, PARE_NODE_TOKEN, e->token); break;
    case PARE_EXPR_END: push_symbol(reader, state, PARE_NODE_TOKEN, PARE_TOKEN_END); break;
    case PARE_EXPR_LITERAL:
        if (literals) push_symbol(reader, state, PARE_NODE_TOKEN, literals->first[expr]);
        break;
    case PARE_EXPR_SET: push_set(reader, state, &reader->grammar->sets[e->set]); break;
    /* Any token: too many to be worth trying, so the state is dropped. */
    case PARE_EXPR_ANY: break;
    }
}

/* Enumerates what `expr` may be, into *run.
 *
 * Example: `a (b | c) d?` has the expansions `a b d?`, `a b`, `a c d?` and `a c`, in this order,
 * where `d?` is a symbol: first alternatives and what is there come first. */
static void read_body(struct reader *reader, pare_index expr, struct run *run)
{
    static const struct state nothing = {.pending = PARE_NO_INDEX, .done = PARE_NO_INDEX};
    reader->n_links = reader->n_stack = 0;
    reader->run = run;
    *run = (struct run){.first = (uint32_t)reader->to->n_expansions};
    push_pending(reader, nothing, expr);
    for (size_t n = 0; reader->n_stack && !reader->failed && n < MAX_READ; n++) {
        struct state state = reader->stack[--reader->n_stack];
        /* What is left on the stack are further expansions, which nobody gets to see. */
        if (run->n == PARE_MAX_EXPANSIONS) return;
        if (state.pending == PARE_NO_INDEX) {
            keep(reader, state);
            continue;
        }
        struct link link = reader->links[state.pending];
        state.pending = link.next;
        read_expr(reader, state, link.expr);
    }
}

/* Whether a round of a quantifier over `body` is a node of its own.
 * As the parser makes its trees: what is more than one symbol stands below a node for the round. */
static bool is_item(const pare_grammar *grammar, pare_index body)
{
    switch (grammar->exprs[body].kind) {
    case PARE_EXPR_RULE:
    case PARE_EXPR_TOKEN:
    case PARE_EXPR_END:
    case PARE_EXPR_SET:
    case PARE_EXPR_ANY: return false;
    default: return true;
    }
}

/* The rounds of a quantifier: one; none, if it may be empty. */
static void read_quantifier(struct reader *reader, pare_index expr)
{
    static const struct state nothing = {.pending = PARE_NO_INDEX, .done = PARE_NO_INDEX};
    const pare_expr *e = &reader->grammar->exprs[expr];
    struct run *run = &reader->to->of_exprs[expr];
    /* A round without a node of its own is whatever the body may be. */
    if (!is_item(reader->grammar, e->first)) {
        read_body(reader, e->first, run);
    } else {
        reader->n_links = reader->n_stack = 0;
        reader->run = run;
        *run = (struct run){.first = (uint32_t)reader->to->n_expansions};
        push_symbol(reader, nothing, PARE_NODE_ITEM, e->first);
        if (!reader->failed) keep(reader, reader->stack[0]);
    }
    if (!reader->failed && e->kind != PARE_EXPR_PLUS) keep(reader, nothing);
}

/* Whether the expression says how often another one stands. */
static bool is_quantifier(pare_expr_kind kind)
{
    return kind == PARE_EXPR_OPTIONAL || kind == PARE_EXPR_STAR || kind == PARE_EXPR_PLUS;
}

/* Reads the parser rules, their quantifiers, and what these repeat.
 * Tokens are left out: GRABR takes them for leaves. */
static void read_all(struct reader *reader)
{
    const pare_grammar *grammar = reader->grammar;
    for (size_t i = 0; !reader->failed && i < grammar->n_rules; i++)
        if (grammar->rules[i].kind == PARE_RULE_PARSER)
            read_body(reader, grammar->rules[i].body, &reader->to->of_rules[i]);
    for (pare_index i = 0; !reader->failed && i < grammar->n_exprs; i++) {
        pare_index body = grammar->exprs[i].first;
        if (!is_quantifier(grammar->exprs[i].kind)) continue;
        read_quantifier(reader, i);
        if (!reader->failed && is_item(grammar, body) && !is_quantifier(grammar->exprs[body].kind))
            read_body(reader, body, &reader->to->of_exprs[body]);
    }
}

/* Points expansions to their symbols, which stay where they are now.
 * Until then the array of symbols grows, and pointers into it would not last. */
static void settle(pare_grammar_expansions *expansions)
{
    const pare_tree_symbol *at = expansions->symbols;
    for (size_t i = 0; i < expansions->n_expansions; i++) {
        expansions->expansions[i].symbols = at;
        if (expansions->expansions[i].n) at += expansions->expansions[i].n;
    }
    assert(!expansions->n_symbols || at == expansions->symbols + expansions->n_symbols);
}

/* pare_expansions.get: the index-th expansion of a rule, quantifier or repeated expression.
 * O(1), as GRABR asks for every symbol of every node that it looks at. */
static bool get(const void *context, pare_tree_symbol symbol, size_t index,
                pare_expansion *expansion)
{
    const pare_grammar_expansions *self = context;
    const pare_grammar *grammar = pare_grammar_rules_grammar(self->rules);
    struct run run = {0};
    /* Tokens are the grammar's terminals here; what is inside them is the lexer's. */
    if (symbol.kind == PARE_NODE_TOKEN || symbol.kind == PARE_NODE_OPAQUE) return false;
    if (symbol.kind == PARE_NODE_RULE && symbol.symbol < grammar->n_rules)
        run = self->of_rules[symbol.symbol];
    if (symbol.kind != PARE_NODE_RULE && symbol.symbol < grammar->n_exprs)
        run = self->of_exprs[symbol.symbol];
    if (index >= run.n) return false;
    *expansion = self->expansions[run.first + index];
    return true;
}

/* pare_expansions.shortest: the text that the grammar's facts have. */
static bool shortest(const void *context, pare_tree_symbol symbol, const char **text,
                     uint32_t *size)
{
    const pare_grammar_expansions *self = context;
    return pare_grammar_rules_shortest(self->rules, symbol, text, size);
}

/* Everything is read at once: GRABR asks for most symbols anyway. */
pare_status pare_grammar_expansions_new(const pare_grammar_rules *rules,
                                        pare_grammar_expansions **out, pare_error *err)
{
    const pare_grammar *grammar = pare_grammar_rules_grammar(rules);
    pare_grammar_expansions *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    *self = (pare_grammar_expansions){.head = {self, get, shortest}, .rules = rules};
    self->of_rules = pare_alloc_zero(grammar->n_rules, sizeof *self->of_rules);
    self->of_exprs = pare_alloc_zero(grammar->n_exprs, sizeof *self->of_exprs);
    struct reader reader = {.to = self, .grammar = grammar};
    reader.failed = !self->of_rules || !self->of_exprs;
    read_all(&reader);
    pare_alloc_free(reader.links);
    pare_alloc_free(reader.stack);
    if (reader.failed) {
        pare_grammar_expansions_free(self);
        return pare_fail_nomem(err);
    }
    settle(self);
    *out = self;
    return PARE_OK;
}

/* NULL is a no-op. */
void pare_grammar_expansions_free(pare_grammar_expansions *expansions)
{
    if (!expansions) return;
    pare_alloc_free(expansions->expansions);
    pare_alloc_free(expansions->symbols);
    pare_alloc_free(expansions->of_rules);
    pare_alloc_free(expansions->of_exprs);
    pare_alloc_free(expansions);
}

/* The head comes first in the struct and has it as its context. */
const pare_expansions *pare_grammar_expansions_of(const pare_grammar_expansions *expansions)
{
    return &expansions->head;
}
