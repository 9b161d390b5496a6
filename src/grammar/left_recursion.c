/* Left recursion: the strong components of the graph "a can begin with b".
 *
 * An expression is at the left of its rule when all that stands before it there is
 * nullable; a RULE expression at the left is an edge.  Components are found by Tarjan's
 * algorithm, with a stack instead of recursion.
 * Sources: Tarjan, "Depth-first search and linear graph algorithms", 1972; ANTLR's
 * documentation, doc/left-recursion.md. */
#include "grammar/left_recursion.h"

#include "base/alloc.h"
#include "base/status.h"
#include "grammar/grammar.h"

struct search {
    pare_analysis *analysis;
    uint8_t *at_left;         /* of each expression */
    pare_index *first, *next; /* edges of each rule: a list of RULE expressions */
    pare_index *at;           /* of each rule on the path: the edge to follow next */
    pare_index *number, *low; /* Tarjan's */
    pare_index *path, *open;  /* the path of the search; the rules of open components */
    size_t n_path, n_open, n_numbered;
};

/* Marks from the bodies down what is at the left; parents have larger indices. */
static void mark_left(struct search *search)
{
    const pare_analysis *analysis = search->analysis;
    const pare_grammar *grammar = analysis->grammar;
    for (size_t i = 0; i < grammar->n_rules; i++)
        search->at_left[grammar->rules[i].body] = 1;
    for (size_t i = grammar->n_exprs; i-- > 0;) {
        bool left = search->at_left[i];
        bool is_sequence = grammar->exprs[i].kind == PARE_EXPR_SEQUENCE;
        for (pare_index c = grammar->exprs[i].first; c != PARE_NO_INDEX && left;
             c = grammar->exprs[c].next) {
            search->at_left[c] = 1;
            if (is_sequence && !analysis->expr_nullable[c]) left = false;
        }
    }
}

static void collect_edges(struct search *search)
{
    const pare_grammar *grammar = search->analysis->grammar;
    for (size_t i = grammar->n_exprs; i-- > 0;) {
        pare_index rule = search->analysis->links.rule[i];
        if (rule == PARE_NO_INDEX || !search->at_left[i]) continue;
        if (grammar->exprs[i].kind != PARE_EXPR_RULE) continue;
        search->next[i] = search->first[rule];
        search->first[rule] = (pare_index)i;
    }
}

/* Whether the rule begins an alternative of its own, as ANTLR wants it. */
static bool is_first_element(const pare_analysis *analysis, pare_index expr, pare_index rule)
{
    const pare_expr *exprs = analysis->grammar->exprs;
    pare_index parent = analysis->links.parent[expr];
    if (parent == PARE_NO_INDEX || exprs[parent].kind != PARE_EXPR_SEQUENCE) return false;
    if (exprs[parent].first != expr) return false;
    pare_index above = analysis->links.parent[parent];
    pare_index body = analysis->grammar->rules[rule].body;
    return parent == body || (above == body && exprs[body].kind == PARE_EXPR_CHOICE);
}

/* A rule alone in its component: direct, if all its edges to itself are ANTLR's. */
static void judge_single(struct search *search, pare_index rule)
{
    pare_analysis *analysis = search->analysis;
    for (pare_index e = search->first[rule]; e != PARE_NO_INDEX; e = search->next[e]) {
        if (analysis->grammar->exprs[e].rule != rule) continue;
        uint8_t found = is_first_element(analysis, e, rule) ? PARE_LEFT_DIRECT : PARE_LEFT_INDIRECT;
        if (found > analysis->left_recursion[rule]) analysis->left_recursion[rule] = found;
    }
}

/* Takes the component of `root` off the stack of open rules. */
static void close_component(struct search *search, pare_index root)
{
    bool is_single = search->open[search->n_open - 1] == root;
    pare_index rule;
    do {
        rule = search->open[--search->n_open];
        search->low[rule] = PARE_NO_INDEX;
        if (is_single)
            judge_single(search, rule);
        else
            search->analysis->left_recursion[rule] = PARE_LEFT_INDIRECT;
    } while (rule != root);
}

static void visit(struct search *search, pare_index rule)
{
    search->number[rule] = search->low[rule] = (pare_index)search->n_numbered++;
    search->at[rule] = search->first[rule];
    search->path[search->n_path++] = rule;
    search->open[search->n_open++] = rule;
}

static void lower(struct search *search, pare_index rule, pare_index value)
{
    if (value < search->low[rule]) search->low[rule] = value;
}

/* Searches all that `start` reaches.  A closed rule has `low` none, which lowers nothing. */
static void search_from(struct search *search, pare_index start)
{
    const pare_expr *exprs = search->analysis->grammar->exprs;
    visit(search, start);
    while (search->n_path) {
        pare_index rule = search->path[search->n_path - 1];
        pare_index edge = search->at[rule];
        if (edge != PARE_NO_INDEX) {
            pare_index target = exprs[edge].rule;
            search->at[rule] = search->next[edge];
            if (search->number[target] == PARE_NO_INDEX)
                visit(search, target);
            else if (search->low[target] != PARE_NO_INDEX)
                lower(search, rule, search->number[target]);
            continue;
        }
        search->n_path--;
        pare_index low = search->low[rule];
        if (low == search->number[rule]) close_component(search, rule);
        if (search->n_path) lower(search, search->path[search->n_path - 1], search->low[rule]);
    }
}

pare_status pare_left_recursion_find(pare_analysis *analysis, pare_error *err)
{
    size_t n_exprs = analysis->grammar->n_exprs, n_rules = analysis->grammar->n_rules;
    enum { N_TABLES = 6 };
    pare_index *tables = pare_alloc(N_TABLES * n_rules + n_exprs, sizeof *tables);
    uint8_t *at_left = pare_alloc_zero(n_exprs, 1);
    pare_status status = PARE_OK;
    if (tables && at_left) {
        for (size_t i = 0; i < N_TABLES * n_rules + n_exprs; i++)
            tables[i] = PARE_NO_INDEX;
        struct search search = {
            .analysis = analysis,
            .at_left = at_left,
            .first = tables,
            .at = tables + n_rules,
            .number = tables + 2 * n_rules,
            .low = tables + 3 * n_rules,
            .path = tables + 4 * n_rules,
            .open = tables + 5 * n_rules,
            .next = tables + 6 * n_rules,
        };
        mark_left(&search);
        collect_edges(&search);
        for (size_t i = 0; i < n_rules; i++)
            if (search.number[i] == PARE_NO_INDEX) search_from(&search, (pare_index)i);
    } else {
        status = pare_fail_nomem(err);
    }
    pare_release(tables);
    pare_release(at_left);
    return status;
}

pare_precedence pare_analysis_precedence(const pare_analysis *analysis, pare_index rule,
                                         size_t number)
{
    const pare_grammar *grammar = analysis->grammar;
    const pare_expr *exprs = grammar->exprs;
    pare_index body = grammar->rules[rule].body, at = body;
    uint32_t n = 1;
    if (exprs[body].kind == PARE_EXPR_CHOICE) {
        n = 0;
        for (pare_index i = exprs[body].first; i != PARE_NO_INDEX; i = exprs[i].next)
            if (n++ == number) at = i;
    }
    bool begins = false, ends = false;
    for (pare_index i = exprs[at].first; i != PARE_NO_INDEX; i = exprs[i].next) {
        bool is_self = exprs[i].kind == PARE_EXPR_RULE && exprs[i].rule == rule;
        if (i == exprs[at].first) begins = is_self;
        ends = is_self && i != exprs[at].first;
    }
    pare_precedence found = {.kind = (pare_alternative_kind)(2 * begins + ends),
                             .precedence = n - (uint32_t)number};
    if (ends) found.right = found.precedence + (begins && !exprs[at].right);
    return found;
}
