/* Unit derivations of rules, read off for the kinds that the rules are seen as. */
#include "lang/language_subtypes.h"

#include "base/alloc.h"
#include "base/status.h"
#include "grammar/analysis.h"
#include "grammar/grammar.h"
#include "grammar/subtypes.h"

struct maker {
    pare_language_subtypes *to;
    const pare_tree_sitter_grammar *from;
    const pare_content *content;
    const uint32_t *symbols;
    pare_subtypes units;
};

void pare_language_subtypes_done(pare_language_subtypes *subtypes)
{
    pare_release(subtypes->rows);
    pare_release(subtypes->set_rows);
    *subtypes = (pare_language_subtypes){0};
}

static void set_bit(const struct maker *maker, uint32_t wanted, uint32_t offered)
{
    maker->to->rows[wanted * maker->to->words + offered / 64] |= UINT64_C(1) << offered % 64;
}

/* Whether `rule` is what `wanted` derives, in no or more steps. */
static bool derives(const struct maker *maker, pare_index wanted, pare_index rule)
{
    return wanted == rule || pare_subtypes_has_rule(&maker->units, wanted, rule);
}

/* Whether `wanted` derives what the alias `rule` gave another name. */
static bool derives_content(const struct maker *maker, pare_index wanted, pare_index rule)
{
    const pare_grammar *grammar = maker->from->grammar;
    const pare_expr *body = &grammar->exprs[grammar->rules[rule].body];
    bool choice = body->kind == PARE_EXPR_CHOICE;
    for (const pare_expr *part = choice ? &grammar->exprs[body->first] : body; part;
         part = choice && part->next != PARE_NO_INDEX ? &grammar->exprs[part->next] : NULL) {
        if (part->kind == PARE_EXPR_RULE && derives(maker, wanted, part->rule)) return true;
        if (part->kind == PARE_EXPR_TOKEN &&
            pare_subtypes_has_token(&maker->units, wanted, part->token))
            return true;
    }
    return false;
}

/* Notes what may stand where `rule` is wanted. */
static void note_rule(const struct maker *maker, pare_index rule)
{
    const pare_grammar *grammar = maker->from->grammar;
    uint32_t wanted = maker->symbols[rule];
    for (pare_index r = 0; r < grammar->n_rules; r++) {
        uint32_t offered = maker->symbols[r];
        if (offered >= maker->to->n_symbols) continue;
        if (derives(maker, rule, r) ||
            (maker->from->shown[r].alias && derives_content(maker, rule, r)))
            set_bit(maker, wanted, offered);
    }
    for (pare_index t = 1; t < grammar->n_tokens; t++) {
        const char *literal = grammar->tokens[t].literal;
        if (!literal || !pare_subtypes_has_token(&maker->units, rule, t)) continue;
        uint32_t offered = pare_content_symbol(maker->content, literal, false);
        if (offered < maker->to->n_symbols) set_bit(maker, wanted, offered);
    }
}

/* A set takes what any of its members does. */
static void note_set(const struct maker *maker, uint32_t set)
{
    size_t words = maker->to->words;
    uint64_t *row = maker->to->set_rows + set * words;
    for (uint32_t member = 0; member < maker->to->n_symbols; member++) {
        if (!pare_content_set_has(maker->content, set, member)) continue;
        row[member / 64] |= UINT64_C(1) << member % 64;
        for (size_t w = 0; w < words; w++)
            row[w] |= maker->to->rows[member * words + w];
    }
}

pare_status pare_language_subtypes_init(pare_language_subtypes *subtypes,
                                        const pare_tree_sitter_grammar *grammar,
                                        const pare_analysis *analysis, const uint32_t *symbols,
                                        const pare_content *content, pare_error *err)
{
    struct maker maker = {.to = subtypes, .from = grammar, .content = content, .symbols = symbols};
    size_t n = pare_content_n_symbols(content), n_sets = pare_content_n_sets(content);
    *subtypes = (pare_language_subtypes){.n_symbols = n, .words = n / 64 + 1};
    pare_status status = pare_subtypes_init(&maker.units, analysis, err);
    if (!status) {
        subtypes->rows = pare_alloc_zero(n * subtypes->words + 1, sizeof(uint64_t));
        subtypes->set_rows = pare_alloc_zero(n_sets * subtypes->words + 1, sizeof(uint64_t));
        if (!subtypes->rows || !subtypes->set_rows) status = pare_fail_nomem(err);
    }
    for (pare_index r = 0; !status && r < grammar->grammar->n_rules; r++)
        if (symbols[r] < n) note_rule(&maker, r);
    for (uint32_t s = 0; !status && s < n_sets; s++)
        note_set(&maker, s);
    pare_subtypes_done(&maker.units);
    if (status) pare_language_subtypes_done(subtypes);
    return status;
}
