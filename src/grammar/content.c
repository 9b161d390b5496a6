/* Content models: a simulation of the nondeterministic automaton that the body is.
 *
 * A state is a place before or behind an expression, 2 * expression or one more; nothing
 * is built, since parents and siblings tell where a place leads.  The set of places after
 * each child is closed with a stack, which is the set itself, still growing.
 * Source: Thompson, "Regular expression search algorithm", CACM 1968. */
#include "grammar/content.h"

#include "base/alloc.h"

void pare_content_done(pare_content *content)
{
    pare_release(content->now);
    pare_release(content->next);
    pare_release(content->seen);
    *content = (pare_content){0};
}

pare_status pare_content_init(pare_content *content, const pare_links *links,
                              const pare_subtypes *subtypes, pare_error *err)
{
    size_t n_states = 2 * links->grammar->n_exprs;
    *content = (pare_content){
        .links = links,
        .subtypes = subtypes,
        .now = pare_alloc(n_states, sizeof *content->now),
        .next = pare_alloc(n_states, sizeof *content->next),
        .seen = pare_alloc_zero(n_states, sizeof *content->seen),
    };
    if (content->now && content->next && content->seen) return PARE_OK;
    pare_content_done(content);
    return pare_fail_nomem(err);
}

static pare_index before(pare_index expr)
{
    return 2 * expr;
}

static pare_index behind(pare_index expr)
{
    return 2 * expr + 1;
}

static void reach(pare_content *content, pare_index state)
{
    if (content->seen[state] == content->round) return;
    content->seen[state] = content->round;
    content->next[content->n_next++] = state;
}

/* Where the place before an expression leads without a child. */
static void enter(pare_content *content, pare_index index)
{
    const pare_expr *exprs = content->links->grammar->exprs;
    const pare_expr *expr = &exprs[index];
    switch (expr->kind) {
    case PARE_EXPR_EMPTY: reach(content, behind(index)); break;
    case PARE_EXPR_CHOICE:
        for (pare_index c = expr->first; c != PARE_NO_INDEX; c = exprs[c].next)
            reach(content, before(c));
        break;
    case PARE_EXPR_OPTIONAL:
    case PARE_EXPR_STAR:
        reach(content, behind(index));
        reach(content, before(expr->first));
        break;
    case PARE_EXPR_SEQUENCE:
    case PARE_EXPR_PLUS: reach(content, before(expr->first)); break;
    default: break;
    }
}

/* Where the place behind an expression leads. */
static void leave(pare_content *content, pare_index index)
{
    const pare_expr *exprs = content->links->grammar->exprs;
    pare_index parent = content->links->parent[index];
    if (parent == PARE_NO_INDEX) return;
    pare_expr_kind kind = exprs[parent].kind;
    if (kind == PARE_EXPR_SEQUENCE && exprs[index].next != PARE_NO_INDEX) {
        reach(content, before(exprs[index].next));
        return;
    }
    if (kind == PARE_EXPR_STAR || kind == PARE_EXPR_PLUS) reach(content, before(index));
    reach(content, behind(parent));
}

/* Completes the set being made, and makes it the current one. */
static void close_set(pare_content *content)
{
    for (size_t i = 0; i < content->n_next; i++) {
        pare_index state = content->next[i];
        if (state & 1)
            leave(content, state / 2);
        else
            enter(content, state / 2);
    }
    pare_index *states = content->now;
    content->now = content->next;
    content->n_now = content->n_next;
    content->next = states;
}

static void start_set(pare_content *content)
{
    content->n_next = 0;
    if (++content->round) return;
    for (size_t i = 0; i < 2 * content->links->grammar->n_exprs; i++)
        content->seen[i] = 0;
    content->round = 1;
}

static bool is_in_set(const pare_grammar *grammar, pare_index set, uint32_t value)
{
    const pare_interval *interval = grammar->intervals + grammar->sets[set].first;
    for (uint32_t i = 0; i < grammar->sets[set].n; i++)
        if (interval[i].from <= value && value <= interval[i].to) return true;
    return false;
}

/* Whether the child is what a leaf of the body stands for. */
static bool fits(const pare_content *content, const pare_expr *expr, pare_symbol child)
{
    const pare_grammar *grammar = content->links->grammar;
    bool is_token = child.kind == PARE_SYMBOL_TOKEN;
    switch (expr->kind) {
    case PARE_EXPR_RULE:
        if (child.kind == PARE_SYMBOL_RULE && child.index == expr->rule) return true;
        if (!content->subtypes || child.kind == PARE_SYMBOL_TEXT) return false;
        return is_token ? pare_subtypes_has_token(content->subtypes, expr->rule, child.index)
                        : pare_subtypes_has_rule(content->subtypes, expr->rule, child.index);
    case PARE_EXPR_TOKEN: return is_token && child.index == expr->token;
    case PARE_EXPR_END: return is_token && child.index == PARE_TOKEN_END;
    case PARE_EXPR_LITERAL: return child.kind == PARE_SYMBOL_TEXT;
    case PARE_EXPR_SET:
        if (grammar->scannerless) return child.kind == PARE_SYMBOL_TEXT;
        return is_token && is_in_set(grammar, expr->set, child.index);
    case PARE_EXPR_ANY:
        if (grammar->scannerless) return child.kind == PARE_SYMBOL_TEXT;
        return is_token && child.index != PARE_TOKEN_END;
    default: return false;
    }
}

static void step(pare_content *content, pare_symbol child)
{
    start_set(content);
    for (size_t i = 0; i < content->n_now; i++) {
        pare_index state = content->now[i];
        if (state & 1) continue;
        if (fits(content, &content->links->grammar->exprs[state / 2], child))
            reach(content, behind(state / 2));
    }
    close_set(content);
}

bool pare_content_match(pare_content *content, pare_index rule, const pare_symbol *children,
                        size_t n)
{
    pare_index body = content->links->grammar->rules[rule].body;
    start_set(content);
    reach(content, before(body));
    close_set(content);
    for (size_t i = 0; i < n && content->n_now; i++)
        if (children[i].kind != PARE_SYMBOL_NONE) step(content, children[i]);
    for (size_t i = 0; i < content->n_now; i++)
        if (content->now[i] == behind(body)) return true;
    return false;
}
