/* Nullability, productivity, reachability: fixpoints with a stack of what has changed, so
 * that each edge of the grammar is followed once. */
#include "grammar/analysis.h"

#include <stdio.h>

#include "base/alloc.h"
#include "base/status.h"
#include "grammar/grammar.h"
#include "grammar/left_recursion.h"

/* One fixpoint: which expressions and rules have a property that goes from the bottom up. */
struct fixpoint {
    const pare_analysis *analysis;
    uint8_t *exprs, *rules; /* the result */
    uint32_t *missing;      /* of each sequence: children that do not have it yet */
    pare_index *stack;      /* expressions whose parents were not told */
    size_t n;
};

static void gain(struct fixpoint *fixpoint, pare_index expr)
{
    if (fixpoint->exprs[expr]) return;
    fixpoint->exprs[expr] = 1;
    fixpoint->stack[fixpoint->n++] = expr;
}

/* Tells the parent, or the users of the rule, that `expr` has the property. */
static void tell(struct fixpoint *fixpoint, pare_index expr)
{
    const pare_links *links = &fixpoint->analysis->links;
    pare_index parent = links->parent[expr], rule = links->rule[expr];
    if (parent != PARE_NO_INDEX) {
        bool waits = links->grammar->exprs[parent].kind == PARE_EXPR_SEQUENCE;
        if (!waits || --fixpoint->missing[parent] == 0) gain(fixpoint, parent);
    } else if (rule != PARE_NO_INDEX && !fixpoint->rules[rule]) {
        fixpoint->rules[rule] = 1;
        for (pare_index use = links->first_use[rule]; use != PARE_NO_INDEX;
             use = links->next_use[use])
            gain(fixpoint, use);
    }
}

static void run(struct fixpoint *fixpoint, bool (*has)(pare_expr_kind kind))
{
    const pare_grammar *grammar = fixpoint->analysis->grammar;
    for (size_t i = 0; i < grammar->n_exprs; i++) {
        fixpoint->missing[i] = 0;
        for (pare_index c = grammar->exprs[i].first; c != PARE_NO_INDEX; c = grammar->exprs[c].next)
            fixpoint->missing[i]++;
        if (has(grammar->exprs[i].kind)) gain(fixpoint, (pare_index)i);
    }
    while (fixpoint->n)
        tell(fixpoint, fixpoint->stack[--fixpoint->n]);
}

static bool is_nullable_kind(pare_expr_kind kind)
{
    return kind == PARE_EXPR_EMPTY || kind == PARE_EXPR_OPTIONAL || kind == PARE_EXPR_STAR ||
           kind == PARE_EXPR_END;
}

static bool is_productive_kind(pare_expr_kind kind)
{
    return is_nullable_kind(kind) || kind == PARE_EXPR_TOKEN || kind == PARE_EXPR_LITERAL ||
           kind == PARE_EXPR_SET || kind == PARE_EXPR_ANY;
}

/* --- reachability ---------------------------------------------------------- */

static void reach(uint8_t *reachable, pare_index *stack, size_t *n, pare_index rule)
{
    if (reachable[rule]) return;
    reachable[rule] = 1;
    stack[(*n)++] = rule;
}

static bool is_root(const pare_analysis *analysis, pare_index rule, pare_index start)
{
    const pare_rule *of = &analysis->grammar->rules[rule];
    if (of->kind == PARE_RULE_LEXER || rule == start) return true;
    return of->kind == PARE_RULE_PARSER && start == PARE_NO_INDEX &&
           analysis->links.first_use[rule] == PARE_NO_INDEX;
}

/* Rules reached from the roots; a rule's expressions are found through `next_of_rule`. */
static void find_reachable(pare_analysis *analysis, pare_index start, pare_index *stack,
                           pare_index *next_of_rule)
{
    const pare_grammar *grammar = analysis->grammar;
    size_t n = 0;
    pare_index *first_of_rule = next_of_rule + grammar->n_exprs;
    for (size_t i = 0; i < grammar->n_rules; i++)
        first_of_rule[i] = PARE_NO_INDEX;
    for (size_t i = 0; i < grammar->n_exprs; i++) {
        pare_index rule = analysis->links.rule[i];
        if (rule == PARE_NO_INDEX || grammar->exprs[i].kind != PARE_EXPR_RULE) continue;
        next_of_rule[i] = first_of_rule[rule];
        first_of_rule[rule] = (pare_index)i;
    }
    for (size_t i = 0; i < grammar->n_rules; i++)
        if (is_root(analysis, (pare_index)i, start))
            reach(analysis->reachable, stack, &n, (pare_index)i);
    if (start == PARE_NO_INDEX && pare_grammar_start(grammar) != PARE_NO_INDEX)
        reach(analysis->reachable, stack, &n, pare_grammar_start(grammar));
    while (n) {
        pare_index rule = stack[--n];
        for (pare_index i = first_of_rule[rule]; i != PARE_NO_INDEX; i = next_of_rule[i])
            reach(analysis->reachable, stack, &n, grammar->exprs[i].rule);
    }
}

/* --- the whole ------------------------------------------------------------- */

void pare_analysis_done(pare_analysis *analysis)
{
    pare_links_done(&analysis->links);
    pare_release(analysis->expr_nullable);
    pare_release(analysis->rule_nullable);
    pare_release(analysis->expr_productive);
    pare_release(analysis->rule_productive);
    pare_release(analysis->reachable);
    pare_release(analysis->left_recursion);
    *analysis = (pare_analysis){0};
}

static bool allocate(pare_analysis *analysis)
{
    size_t n_exprs = analysis->grammar->n_exprs, n_rules = analysis->grammar->n_rules;
    analysis->expr_nullable = pare_alloc_zero(n_exprs, 1);
    analysis->rule_nullable = pare_alloc_zero(n_rules, 1);
    analysis->expr_productive = pare_alloc_zero(n_exprs, 1);
    analysis->rule_productive = pare_alloc_zero(n_rules, 1);
    analysis->reachable = pare_alloc_zero(n_rules, 1);
    analysis->left_recursion = pare_alloc_zero(n_rules, 1);
    return analysis->expr_nullable && analysis->rule_nullable && analysis->expr_productive &&
           analysis->rule_productive && analysis->reachable && analysis->left_recursion;
}

static pare_status fill(pare_analysis *analysis, pare_index start, pare_error *err)
{
    const pare_grammar *grammar = analysis->grammar;
    size_t n = grammar->n_exprs + grammar->n_rules;
    pare_index *stack = pare_alloc(n, sizeof *stack);
    uint32_t *scratch = pare_alloc(n, sizeof *scratch);
    pare_status status = PARE_OK;
    if (stack && scratch && allocate(analysis)) {
        struct fixpoint nullable = {
            analysis, analysis->expr_nullable, analysis->rule_nullable, scratch, stack, 0};
        run(&nullable, is_nullable_kind);
        struct fixpoint productive = {
            analysis, analysis->expr_productive, analysis->rule_productive, scratch, stack, 0};
        run(&productive, is_productive_kind);
        find_reachable(analysis, start, stack, scratch);
        status = pare_left_recursion_find(analysis, err);
    } else {
        status = pare_fail_nomem(err);
    }
    pare_release(stack);
    pare_release(scratch);
    return status;
}

pare_status pare_analysis_init(pare_analysis *analysis, const pare_grammar *grammar,
                               pare_index start, pare_error *err)
{
    *analysis = (pare_analysis){.grammar = grammar};
    pare_status status = pare_links_init(&analysis->links, grammar, err);
    if (!status) status = fill(analysis, start, err);
    if (status) pare_analysis_done(analysis);
    return status;
}

/* --- findings -------------------------------------------------------------- */

bool pare_analysis_next(const pare_analysis *analysis, size_t *at, pare_finding *finding)
{
    enum { N_KINDS = 3 };
    const pare_grammar *grammar = analysis->grammar;
    for (; *at < N_KINDS * grammar->n_rules; ++*at) {
        size_t rule = *at / N_KINDS;
        pare_finding_kind kind = (pare_finding_kind)(*at % N_KINDS);
        bool is_parser = grammar->rules[rule].kind == PARE_RULE_PARSER;
        uint8_t left = analysis->left_recursion[rule];
        bool is_found = kind == PARE_FINDING_UNPRODUCTIVE ? !analysis->rule_productive[rule]
                        : kind == PARE_FINDING_UNREACHABLE
                            ? !analysis->reachable[rule]
                            : left > (is_parser ? PARE_LEFT_DIRECT : PARE_LEFT_NONE);
        if (!is_found) continue;
        *finding = (pare_finding){kind, (pare_index)rule};
        ++*at;
        return true;
    }
    return false;
}

void pare_finding_text(const pare_analysis *analysis, pare_finding finding, char *text, size_t size)
{
    static const char *const sentences[] = {
        [PARE_FINDING_UNPRODUCTIVE] = "derives no finite text: every alternative needs the rule",
        [PARE_FINDING_UNREACHABLE] = "is not used by any rule that the start rule uses",
        [PARE_FINDING_LEFT_RECURSIVE] = "is left-recursive through other rules or empty parts",
    };
    const pare_rule *rule = &analysis->grammar->rules[finding.rule];
    const char *sentence = sentences[finding.kind];
    if (finding.kind == PARE_FINDING_LEFT_RECURSIVE && rule->kind != PARE_RULE_PARSER)
        sentence = "is left-recursive, which a lexer rule can not be";
    (void)snprintf(text, size, "rule '%s' %s", rule->name, sentence);
}
