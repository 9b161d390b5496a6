/* Parents and uses: one loop up for parents, one down for the rule, since parents have
 * larger indices than their children. */
#include "grammar/links.h"

#include "base/alloc.h"
#include "base/status.h"

void pare_links_done(pare_links *links)
{
    pare_release(links->parent);
    pare_release(links->rule);
    pare_release(links->first_use);
    pare_release(links->next_use);
    *links = (pare_links){0};
}

static void link_children(pare_links *links)
{
    const pare_grammar *grammar = links->grammar;
    for (size_t i = 0; i < grammar->n_exprs; i++)
        for (pare_index c = grammar->exprs[i].first; c != PARE_NO_INDEX; c = grammar->exprs[c].next)
            links->parent[c] = (pare_index)i;
    for (size_t i = 0; i < grammar->n_rules; i++)
        links->rule[grammar->rules[i].body] = (pare_index)i;
    for (size_t i = grammar->n_exprs; i-- > 0;)
        if (links->parent[i] != PARE_NO_INDEX) links->rule[i] = links->rule[links->parent[i]];
}

static void link_uses(pare_links *links)
{
    const pare_grammar *grammar = links->grammar;
    for (size_t i = grammar->n_exprs; i-- > 0;) {
        const pare_expr *expr = &grammar->exprs[i];
        if (expr->kind != PARE_EXPR_RULE || links->rule[i] == PARE_NO_INDEX) continue;
        links->next_use[i] = links->first_use[expr->rule];
        links->first_use[expr->rule] = (pare_index)i;
    }
}

pare_status pare_links_init(pare_links *links, const pare_grammar *grammar, pare_error *err)
{
    size_t n = grammar->n_exprs;
    *links = (pare_links){
        .grammar = grammar,
        .parent = pare_alloc(n, sizeof *links->parent),
        .rule = pare_alloc(n, sizeof *links->rule),
        .first_use = pare_alloc(grammar->n_rules, sizeof *links->first_use),
        .next_use = pare_alloc(n, sizeof *links->next_use),
    };
    if (!links->parent || !links->rule || !links->first_use || !links->next_use) {
        pare_links_done(links);
        return pare_fail_nomem(err);
    }
    for (size_t i = 0; i < n; i++)
        links->parent[i] = links->rule[i] = links->next_use[i] = PARE_NO_INDEX;
    for (size_t i = 0; i < grammar->n_rules; i++)
        links->first_use[i] = PARE_NO_INDEX;
    link_children(links);
    link_uses(links);
    return PARE_OK;
}
