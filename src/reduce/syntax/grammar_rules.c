/* Minimal texts are made once, one for each rule, token type and repeated expression that
 * has any; which symbol fits where is asked of the subtypes. */
#include "reduce/syntax/grammar_rules.h"

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/status.h"
#include "grammar/analysis.h"
#include "grammar/grammar.h"
#include "grammar/subtypes.h"
#include "parse/parse_tree.h"
#include "parse/relex_check.h"
#include "reduce/syntax/grammar_forms.h"

/* A text in `texts`. */
struct text {
    size_t offset, size;
    bool none; /* there is no finite one */
};

struct pare_grammar_rules {
    const pare_grammar *grammar;
    pare_analysis analysis;
    pare_minimal_texts minimal;
    pare_relex_check *read_back; /* owned */
    pare_grammar_forms *forms;   /* owned; made as they are asked for */
    pare_subtypes subtypes;
    pare_literals literals; /* of a scannerless grammar */
    pare_buffer texts;
    struct text *rules, *tokens, *exprs; /* owned; of each */
};

/* Keeps what was appended to the texts since `before`; without a finite text, nothing. */
static pare_status keep(pare_grammar_rules *rules, struct text *text, size_t before,
                        pare_status status)
{
    bool none = status == PARE_E_LIMIT;
    if (none) {
        rules->texts.size = before;
        status = PARE_OK;
    }
    *text = (struct text){.offset = before, .size = rules->texts.size - before, .none = none};
    return status;
}

static pare_status make_expr(pare_grammar_rules *rules, pare_index expr, struct text *text,
                             pare_error *err)
{
    pare_error limit = {.status = PARE_OK};
    size_t before = rules->texts.size;
    bool is_read = false; /* a text that is not read back is tried all the same */
    pare_status status =
        pare_relex_check_text(rules->read_back, expr, &rules->texts, &is_read, &limit);
    if (status == PARE_E_NOMEM) return pare_fail_nomem(err);
    return keep(rules, text, before, status);
}

/* Literals are leaves only where there are no tokens. */
static bool has_text(const pare_grammar *grammar, pare_expr_kind kind)
{
    return kind == PARE_EXPR_PLUS || (kind == PARE_EXPR_LITERAL && grammar->scannerless);
}

static pare_status make_texts(pare_grammar_rules *rules, pare_error *err)
{
    const pare_grammar *grammar = rules->grammar;
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < grammar->n_rules; i++)
        if (grammar->rules[i].kind == PARE_RULE_PARSER)
            status = make_expr(rules, grammar->rules[i].body, &rules->rules[i], err);
    for (size_t i = 0; !status && i < grammar->n_exprs; i++)
        if (has_text(grammar, grammar->exprs[i].kind))
            status = make_expr(rules, (pare_index)i, &rules->exprs[i], err);
    for (size_t i = 1; !status && i < grammar->n_tokens; i++) {
        pare_error limit = {.status = PARE_OK};
        size_t before = rules->texts.size;
        status =
            pare_relex_check_token(rules->read_back, (pare_index)i, &rules->texts, NULL, &limit);
        if (status == PARE_E_NOMEM) return pare_fail_nomem(err);
        status = keep(rules, &rules->tokens[i], before, status);
    }
    return status;
}

static pare_status make(pare_grammar_rules *rules, pare_error *err)
{
    const pare_grammar *grammar = rules->grammar;
    rules->rules = pare_alloc_zero(grammar->n_rules, sizeof *rules->rules);
    rules->tokens = pare_alloc_zero(grammar->n_tokens, sizeof *rules->tokens);
    rules->exprs = pare_alloc_zero(grammar->n_exprs, sizeof *rules->exprs);
    if (!rules->rules || !rules->tokens || !rules->exprs) return pare_fail_nomem(err);
    pare_status status = pare_analysis_init(&rules->analysis, grammar, err);
    if (!status) status = pare_minimal_init(&rules->minimal, &rules->analysis, err);
    if (!status) status = pare_subtypes_init(&rules->subtypes, &rules->analysis, err);
    if (!status) status = pare_relex_check_new(&rules->minimal, &rules->read_back, err);
    if (!status && grammar->scannerless)
        status = pare_literals_init(&rules->literals, grammar, err);
    if (!status) status = make_texts(rules, err);
    if (!status)
        status = pare_grammar_forms_new(&rules->minimal, rules->read_back, &rules->forms, err);
    return status;
}

pare_status pare_grammar_rules_new(const pare_grammar *grammar, pare_grammar_rules **out,
                                   pare_error *err)
{
    pare_grammar_rules *rules = pare_alloc_zero(1, sizeof *rules);
    if (!rules) return pare_fail_nomem(err);
    rules->grammar = grammar;
    pare_status status = make(rules, err);
    if (status) {
        pare_grammar_rules_free(rules);
        return status;
    }
    *out = rules;
    return PARE_OK;
}

void pare_grammar_rules_free(pare_grammar_rules *rules)
{
    if (!rules) return;
    pare_grammar_forms_free(rules->forms);
    pare_relex_check_free(rules->read_back);
    pare_literals_done(&rules->literals);
    pare_subtypes_done(&rules->subtypes);
    pare_minimal_done(&rules->minimal);
    pare_analysis_done(&rules->analysis);
    pare_buffer_done(&rules->texts);
    pare_release(rules->rules);
    pare_release(rules->tokens);
    pare_release(rules->exprs);
    pare_release(rules);
}

/* The text kept for a symbol; empty for optional things and what is opaque. */
static struct text text_of(const pare_grammar_rules *rules, uint32_t kind, uint32_t symbol)
{
    const pare_grammar *grammar = rules->grammar;
    switch ((pare_node_kind)kind) {
    case PARE_NODE_RULE:
        if (symbol < grammar->n_rules) return rules->rules[symbol];
        break;
    case PARE_NODE_TOKEN:
        if (grammar->scannerless && symbol < grammar->n_exprs) return rules->exprs[symbol];
        if (symbol < grammar->n_tokens) return rules->tokens[symbol];
        break;
    case PARE_NODE_PLUS:
        if (symbol < grammar->n_exprs) return rules->exprs[symbol];
        break;
    case PARE_NODE_OPTIONAL:
    case PARE_NODE_STAR:
    case PARE_NODE_ITEM:
    case PARE_NODE_OPAQUE: break;
    }
    return (struct text){0};
}

static void minimal(const void *context, const pare_parse_tree *parse, uint32_t node,
                    const char **text, size_t *size)
{
    const pare_grammar_rules *rules = context;
    struct text found = text_of(rules, parse->nodes[node].kind, parse->nodes[node].symbol);
    *text = rules->texts.data ? rules->texts.data + found.offset : "";
    *size = found.size;
}

static bool fits(const void *context, pare_tree_symbol wanted, pare_tree_symbol offered)
{
    const pare_grammar_rules *rules = context;
    if (wanted.kind != PARE_NODE_RULE || wanted.symbol >= rules->grammar->n_rules) return false;
    if (offered.kind == PARE_NODE_RULE && offered.symbol < rules->grammar->n_rules)
        return pare_subtypes_has_rule(&rules->subtypes, wanted.symbol, offered.symbol);
    if (offered.kind == PARE_NODE_TOKEN && offered.symbol < rules->grammar->n_tokens)
        return pare_subtypes_has_token(&rules->subtypes, wanted.symbol, offered.symbol);
    return false;
}

static pare_status forms(const void *context, pare_tree_symbol place, const pare_tree_form **list,
                         size_t *n, pare_error *err)
{
    const pare_grammar_rules *rules = context;
    *n = 0;
    if (place.kind != PARE_NODE_RULE || place.symbol >= rules->grammar->n_rules) return PARE_OK;
    return pare_grammar_forms_of(rules->forms, place.symbol, list, n, err);
}

static uint32_t sort(const void *context, pare_tree_symbol place, pare_tree_symbol token)
{
    (void)place;
    const pare_grammar_rules *rules = context;
    return token.kind == PARE_NODE_TOKEN ? pare_grammar_forms_sort(rules->forms, token.symbol) : 0;
}

const pare_grammar *pare_grammar_rules_grammar(const pare_grammar_rules *rules)
{
    return rules->grammar;
}

const pare_minimal_texts *pare_grammar_rules_minimal(const pare_grammar_rules *rules)
{
    return &rules->minimal;
}

const pare_literals *pare_grammar_rules_literals(const pare_grammar_rules *rules)
{
    return rules->grammar->scannerless ? &rules->literals : NULL;
}

bool pare_grammar_rules_shortest(const pare_grammar_rules *rules, pare_tree_symbol symbol,
                                 const char **text, uint32_t *size)
{
    struct text found = text_of(rules, symbol.kind, symbol.symbol);
    if (found.none || found.size > UINT32_MAX) return false;
    *text = rules->texts.data ? rules->texts.data + found.offset : "";
    *size = (uint32_t)found.size;
    return true;
}

pare_tree_rules pare_grammar_rules_of(const pare_grammar_rules *rules)
{
    return (pare_tree_rules){.context = rules,
                             .minimal = minimal,
                             .fits = fits,
                             .forms = forms,
                             .sort = sort,
                             .productions = true,
                             .joints = rules->grammar->scannerless ? PARE_JOINTS_PLAIN
                                                                   : PARE_JOINTS_SPACED};
}
