/* Everything is made from the grammar in one go. */
#include "lang/language_model.h"

#include "base/alloc.h"
#include "base/status.h"
#include "grammar/analysis.h"
#include "grammar/grammar.h"
#include "grammar/minimal.h"

void pare_language_model_done(pare_language_model *model)
{
    pare_release(model->symbols);
    pare_release(model->sorts);
    pare_contexts_done(&model->contexts);
    pare_minimal_done(&model->minimal);
    pare_analysis_done(&model->analysis);
    pare_tree_sitter_grammar_done(&model->from);
    *model = (pare_language_model){.content = NULL};
}

pare_index pare_language_model_token(const pare_language_model *model, pare_index rule)
{
    const pare_grammar *grammar = model->from.grammar;
    if (model->symbols[rule] == PARE_CONTENT_UNKNOWN) return PARE_NO_INDEX;
    for (size_t steps = 0; steps < grammar->n_rules; steps++) {
        const pare_expr *body = &grammar->exprs[grammar->rules[rule].body];
        if (body->kind == PARE_EXPR_CHOICE) body = &grammar->exprs[body->first];
        if (body->kind == PARE_EXPR_TOKEN)
            return grammar->tokens[body->token].literal ? PARE_NO_INDEX : body->token;
        if (body->kind != PARE_EXPR_RULE) return PARE_NO_INDEX;
        rule = body->rule;
    }
    return PARE_NO_INDEX;
}

static void number_sorts(pare_language_model *model)
{
    for (pare_index r = 0; r < model->from.grammar->n_rules; r++) {
        pare_index token = pare_language_model_token(model, r);
        if (token == PARE_NO_INDEX) continue;
        uint32_t sort = model->symbols[r] + 1;
        if (!model->sorts[token] || sort < model->sorts[token]) model->sorts[token] = sort;
    }
}

static pare_status map_rules(pare_language_model *model, pare_error *err)
{
    size_t n = model->from.grammar->n_rules;
    model->symbols = pare_alloc(n, sizeof *model->symbols);
    model->sorts = pare_alloc_zero(model->from.grammar->n_tokens, sizeof *model->sorts);
    if (!model->symbols || !model->sorts) return pare_fail_nomem(err);
    for (size_t i = 0; i < n; i++) {
        const pare_shown_rule *shown = &model->from.shown[i];
        model->symbols[i] = shown->name
                                ? pare_content_symbol(model->content, shown->name, shown->named)
                                : PARE_CONTENT_UNKNOWN;
    }
    number_sorts(model);
    return PARE_OK;
}

pare_status pare_language_model_init(pare_language_model *model, const char *json, size_t size,
                                     const pare_token_example *examples, size_t n,
                                     const pare_content *content, pare_error *err)
{
    *model = (pare_language_model){.content = content};
    pare_status status = pare_tree_sitter_grammar_read(json, size, examples, n, &model->from, err);
    if (!status) status = pare_analysis_init(&model->analysis, model->from.grammar, err);
    if (!status) status = pare_minimal_init(&model->minimal, &model->analysis, err);
    if (!status) status = pare_contexts_init(&model->contexts, &model->minimal, 0, err);
    return status ? status : map_rules(model, err);
}
