/* Grammars of nonterminals and expansions: layout, least depths, sums of costs.
 *
 * Least depths are the least fixpoint, found in rounds: O(rules * grammar), once for a grammar.
 * The seed finds them by a recursion that gives a symbol nested in itself an infinite cost, and
 * keeps it; for some grammars the result is too high.  On the seed's own grammar both agree.
 * Invariant after `init`: every rule has at least one expansion of finite depth.
 *
 * Why a separate layout beside the grammar: the generators of the seeds and of The Fuzzing Book
 * know only nonterminals, expansions and symbols, and count them in this order; their choices can
 * be replayed only if the numbers are the same.  Rules, expansions and symbols are three arrays,
 * each item a run of the next one.
 *
 * Sources: seed 004 (least depths); Zeller et al., The Fuzzing Book, chapter "Efficient
 * Grammar Fuzzing" (sums of costs). */
#include "generate/expansion_costs.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>
#include <utf8proc.h>

#include "base/alloc.h"
#include "base/fail.h"

enum { MAX_HOOK_NAME = 256 };

/* What is being laid out.  The grammar is borrowed, and so is the script of hooks. */
struct layout {
    pare_expansion_costs *costed;
    const pare_grammar *grammar;
    pare_hooks *hooks; /* may be NULL */
    pare_error *err;
};

/* The first expansion of a rule: the first alternative, or the body when it is no choice.  A
 * choice within an expansion is not of the form that `count` lets through. */
static pare_index first_expansion(const pare_grammar *grammar, pare_index rule)
{
    pare_index body = grammar->rules[rule].body;
    return grammar->exprs[body].kind == PARE_EXPR_CHOICE ? grammar->exprs[body].first : body;
}

/* The expansion after `expr`; PARE_NO_INDEX: none. */
static pare_index next_expansion(const pare_grammar *grammar, pare_index rule, pare_index expr)
{
    return expr == grammar->rules[rule].body ? PARE_NO_INDEX : grammar->exprs[expr].next;
}

/* Whether an expression is one symbol of an expansion.  Everything else of the grammar model
 * (quantifiers, sets, tokens) belongs to the generator for any grammar. */
static bool is_symbol(const pare_expr *expr)
{
    return expr->kind == PARE_EXPR_RULE || expr->kind == PARE_EXPR_LITERAL;
}

/* The first symbol of an expansion; PARE_NO_INDEX: it has none. */
static pare_index first_symbol(const pare_grammar *grammar, pare_index expansion)
{
    return is_symbol(&grammar->exprs[expansion]) ? expansion : grammar->exprs[expansion].first;
}

/* The symbol after `symbol`; an expansion that is one symbol has no other. */
static pare_index next_symbol(const pare_grammar *grammar, pare_index expansion, pare_index symbol)
{
    return symbol == expansion ? PARE_NO_INDEX : grammar->exprs[symbol].next;
}

/* Says that a rule is not of the form that these generators know. */
static pare_status fail_form(const struct layout *layout, pare_index rule)
{
    return pare_fail(layout->err, PARE_E_UNSUPPORTED,
                     "rule '%s' is not just a choice of sequences of rules and texts",
                     layout->grammar->rules[rule].name);
}

/* Counts expansions and symbols, and checks that there is nothing else.  Errors:
 * PARE_E_UNSUPPORTED. Sizes first: the arrays are then made once, without growing. */
static pare_status count(struct layout *layout)
{
    const pare_grammar *grammar = layout->grammar;
    for (pare_index rule = 0; rule < grammar->n_rules; rule++) {
        if (grammar->rules[rule].kind != PARE_RULE_PARSER) return fail_form(layout, rule);
        for (pare_index e = first_expansion(grammar, rule); e != PARE_NO_INDEX;
             e = next_expansion(grammar, rule, e)) {
            pare_expr_kind kind = grammar->exprs[e].kind;
            layout->costed->n_expansions++;
            if (!is_symbol(&grammar->exprs[e]) && kind != PARE_EXPR_SEQUENCE &&
                kind != PARE_EXPR_EMPTY)
                return fail_form(layout, rule);
            /* Empty expansions have no symbol, and are fine. */
            for (pare_index s = first_symbol(grammar, e); s != PARE_NO_INDEX;
                 s = next_symbol(grammar, e, s)) {
                layout->costed->n_symbols++;
                if (!is_symbol(&grammar->exprs[s])) return fail_form(layout, rule);
            }
        }
    }
    layout->costed->n_rules = grammar->n_rules;
    return PARE_OK;
}

/* Makes the arrays.  Everything has its final size, since `count` went through the grammar
 * before.  The arena gives zeroed offsets no meaning: every item is written by lay_out. */
static pare_status allocate(struct layout *layout)
{
    pare_expansion_costs *costed = layout->costed;
    pare_arena *memory = &costed->memory;
    costed->rules = pare_arena_alloc(memory, costed->n_rules * sizeof *costed->rules);
    costed->expansions =
        pare_arena_alloc(memory, costed->n_expansions * sizeof *costed->expansions);
    costed->symbols = pare_arena_alloc(memory, costed->n_symbols * sizeof *costed->symbols);
    costed->least = pare_arena_alloc(memory, costed->n_expansions * sizeof *costed->least);
    costed->least_sorted =
        pare_arena_alloc(memory, costed->n_expansions * sizeof *costed->least_sorted);
    if (layout->hooks) {
        costed->rule_hooks = pare_arena_alloc(memory, costed->n_rules * sizeof *costed->rule_hooks);
        costed->expansion_hooks =
            pare_arena_alloc(memory, costed->n_expansions * sizeof *costed->expansion_hooks);
        /* A grammar may have no symbol at all, and an arena gives nothing for no bytes. */
        costed->symbol_hooks =
            pare_arena_alloc(memory, costed->n_symbols * sizeof *costed->symbol_hooks + 1);
        if (!costed->rule_hooks || !costed->expansion_hooks || !costed->symbol_hooks)
            return pare_fail_nomem(layout->err);
    }
    return costed->rules && costed->expansions && costed->symbols && costed->least &&
                   costed->least_sorted
               ? PARE_OK
               : pare_fail_nomem(layout->err);
}

/* Whether there is a hook at all. */
static bool has_any(pare_hook_pair pair)
{
    return pair.pre != PARE_NO_HOOK || pair.post != PARE_NO_HOOK;
}

/* Reads the label `use:TEXT`; the symbol's text is part of the label, which lives as long as
 * the grammar.  "use:x" says what stands there while no name is declared. */
static void read_undefined(const char *label, pare_costed_symbol *symbol)
{
    static const char prefix[] = "use:";
    if (strncmp(label, prefix, sizeof prefix - 1) != 0) return;
    symbol->hook = PARE_HOOK_USE;
    symbol->undefined = label + sizeof prefix - 1;
}

/* Reads the label of a symbol: one of the hooks of the seeds, or the name of one of the
 * user's.  A label that is neither is a mistake.  The three hooks of the seed are words of the
 * grammar; all other labels must be names in the script. */
static pare_status read_hook(const struct layout *layout, pare_index rule, const pare_expr *expr,
                             pare_costed_symbol *symbol)
{
    pare_hook_pair user = {PARE_NO_HOOK, PARE_NO_HOOK};
    static const char *const names[] = {[PARE_HOOK_DEFINE] = "define",
                                        [PARE_HOOK_USE] = "use",
                                        [PARE_HOOK_COMMIT] = "commit",
                                        [PARE_HOOK_APART] = "apart"};
    pare_hook_pair *to = layout->costed->symbol_hooks;
    if (to) to[symbol - layout->costed->symbols] = user;
    if (expr->label == PARE_NO_INDEX) return PARE_OK;
    const char *label = layout->grammar->labels[expr->label];
    /* Number 0 is "no hook". */
    for (size_t i = 1; i < sizeof names / sizeof *names; i++)
        if (strcmp(label, names[i]) == 0) symbol->hook = (pare_hook)i;
    read_undefined(label, symbol);
    if (!symbol->hook && to)
        user = to[symbol - layout->costed->symbols] = pare_hooks_find(layout->hooks, label);
    if (symbol->hook || has_any(user)) return PARE_OK;
    return pare_fail(
        layout->err, PARE_E_UNSUPPORTED,
        "rule '%s' has the unknown hook '%s': built in are define, use, commit and apart%s",
        layout->grammar->rules[rule].name, label,
        layout->hooks ? ", and the script has no such hook" : "");
}

/* The UTF-8 of a literal.  At most four bytes for each code point. */
static pare_status read_text(const struct layout *layout, const pare_expr *expr,
                             pare_costed_symbol *symbol)
{
    const uint32_t *points = layout->grammar->code_points + expr->text.offset;
    char *text = pare_arena_alloc(&layout->costed->memory, (size_t)expr->text.size * 4 + 1);
    if (!text) return pare_fail_nomem(layout->err);
    size_t size = 0;
    for (uint32_t i = 0; i < expr->text.size; i++)
        size += (size_t)utf8proc_encode_char((utf8proc_int32_t)points[i],
                                             (utf8proc_uint8_t *)text + size);
    text[size] = '\0';
    symbol->text = text;
    symbol->size = (uint32_t)size;
    return PARE_OK;
}

/* Appends the symbols of an expansion, with their texts and hooks, at *n_symbols.  A symbol is
 * a rule or a text, never both. */
static pare_status lay_symbols(struct layout *layout, pare_index rule, pare_index expansion,
                               size_t *n_symbols)
{
    const pare_grammar *grammar = layout->grammar;
    for (pare_index s = first_symbol(grammar, expansion); s != PARE_NO_INDEX;
         s = next_symbol(grammar, expansion, s)) {
        const pare_expr *expr = &grammar->exprs[s];
        pare_costed_symbol *symbol = &layout->costed->symbols[(*n_symbols)++];
        *symbol = (pare_costed_symbol){0};
        pare_status status = read_hook(layout, rule, expr, symbol);
        if (expr->kind == PARE_EXPR_RULE)
            symbol->rule = expr->rule;
        else if (!status)
            status = read_text(layout, expr, symbol);
        if (status) return status;
    }
    return PARE_OK;
}

/* The hooks of the expansion number `number` of a rule: "<rule>#0".  As the deriver does for
 * any grammar (deriver.c), so that one script serves both. */
static pare_hook_pair find_numbered(const struct layout *layout, const char *rule, uint32_t number)
{
    char name[MAX_HOOK_NAME];
    (void)snprintf(name, sizeof name, "%s#%u", rule, number);
    return pare_hooks_find(layout->hooks, name);
}

/* Lays rules, expansions and symbols out in the order of the grammar, which is the order in
 * which the seeds count them.  O(grammar) look-ups, once. */
static pare_status lay_out(struct layout *layout)
{
    pare_expansion_costs *costed = layout->costed;
    size_t n_expansions = 0, n_symbols = 0;
    for (pare_index r = 0; r < costed->n_rules; r++) {
        pare_costed_rule *rule = &costed->rules[r];
        *rule = (pare_costed_rule){.name = layout->grammar->rules[r].name,
                                   .first = (uint32_t)n_expansions,
                                   .depth = PARE_NO_COST};
        if (costed->rule_hooks) costed->rule_hooks[r] = pare_hooks_find(layout->hooks, rule->name);
        for (pare_index e = first_expansion(layout->grammar, r); e != PARE_NO_INDEX;
             e = next_expansion(layout->grammar, r, e)) {
            pare_costed_expansion *expansion = &costed->expansions[n_expansions++];
            expansion->first = (uint32_t)n_symbols;
            /* Not known yet; find_depths lowers it. */
            expansion->depth = PARE_NO_COST;
            if (costed->expansion_hooks)
                costed->expansion_hooks[n_expansions - 1] =
                    find_numbered(layout, rule->name, (uint32_t)n_expansions - 1 - rule->first);
            pare_status status = lay_symbols(layout, r, e, &n_symbols);
            if (status) return status;
            expansion->end = (uint32_t)n_symbols;
        }
        rule->end = (uint32_t)n_expansions;
    }
    return PARE_OK;
}

/* --- costs -------------------------------------------------------------------- */

/* The least depth of an expansion by the depths of rules known so far: one more than the
 * deepest of its symbols'. */
static uint64_t depth_of(const pare_expansion_costs *costed, const pare_costed_expansion *expansion)
{
    uint64_t depth = 0;
    for (uint32_t s = expansion->first; s < expansion->end; s++) {
        /* Texts are leaves: they add nothing to the depth. */
        if (costed->symbols[s].text) continue;
        uint64_t below = costed->rules[costed->symbols[s].rule].depth;
        if (below == PARE_NO_COST) return PARE_NO_COST;
        if (below > depth) depth = below;
    }
    return depth + 1;
}

/* Makes the depth of one rule smaller if the rules that it names allow it; says whether. */
static bool lower_depth(pare_expansion_costs *costed, pare_costed_rule *rule)
{
    bool changed = false;
    for (uint32_t e = rule->first; e < rule->end; e++) {
        uint64_t depth = depth_of(costed, &costed->expansions[e]);
        costed->expansions[e].depth = depth;
        if (depth >= rule->depth) continue;
        rule->depth = depth;
        changed = true;
    }
    return changed;
}

/* One round of the fixpoint; false when no rule's depth became smaller.  Depths only fall, so
 * the rounds end.  A round goes backwards and then forwards: rules mostly name later ones, or all
 * earlier ones, and one round is then enough, however deep they nest. */
static bool lower_depths(pare_expansion_costs *costed)
{
    bool changed = false;
    for (size_t r = costed->n_rules; r-- > 0;)
        changed |= lower_depth(costed, &costed->rules[r]);
    for (size_t r = 0; r < costed->n_rules; r++)
        changed |= lower_depth(costed, &costed->rules[r]);
    return changed;
}

/* Whether expansion `a` comes before `b` when both are taken as lists of texts, as Python
 * compares them. */
static bool comes_before(const pare_expansion_costs *costed, uint32_t a, uint32_t b)
{
    uint32_t n_a = costed->expansions[a].end - costed->expansions[a].first;
    uint32_t n_b = costed->expansions[b].end - costed->expansions[b].first;
    for (uint32_t i = 0; i < n_a && i < n_b; i++) {
        const pare_costed_symbol *x = &costed->symbols[costed->expansions[a].first + i];
        const pare_costed_symbol *y = &costed->symbols[costed->expansions[b].first + i];
        /* A nonterminal is compared by its name with its brackets, as the seed has it. */
        int order = strcmp(x->text ? x->text : costed->rules[x->rule].name,
                           y->text ? y->text : costed->rules[y->rule].name);
        if (order) return order < 0;
    }
    return n_a < n_b;
}

/* Sorts the expansions of least depth of a rule by their texts (insertion: there are few).
 * ChoiceFuzzer takes them in this order; LimitFuzzer in the grammar's. */
static void sort_least(pare_expansion_costs *costed, const pare_costed_rule *rule)
{
    uint32_t *sorted = costed->least_sorted;
    for (uint32_t i = rule->least_first; i < rule->least_end; i++) {
        uint32_t at = i, expansion = costed->least[i];
        for (; at > rule->least_first && comes_before(costed, expansion, sorted[at - 1]); at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = expansion;
    }
}

/* Finds least depths, and of each rule the expansions that have it.  Errors: PARE_E_SYNTAX, a
 * rule without a finite text.  Once for a grammar; PARE_E_SYNTAX names the first rule that
 * never ends. */
static pare_status find_depths(struct layout *layout)
{
    pare_expansion_costs *costed = layout->costed;
    uint32_t n = 0;
    while (lower_depths(costed)) {
    }
    for (size_t r = 0; r < costed->n_rules; r++) {
        pare_costed_rule *rule = &costed->rules[r];
        if (rule->depth == PARE_NO_COST)
            return pare_fail(layout->err, PARE_E_SYNTAX, "rule '%s' has no finite text",
                             rule->name);
        /* All lists of least depth stand in one array, rule after rule. */
        rule->least_first = n;
        for (uint32_t e = rule->first; e < rule->end; e++)
            if (costed->expansions[e].depth == rule->depth) costed->least[n++] = e;
        rule->least_end = n;
        sort_least(costed, rule);
    }
    return PARE_OK;
}

/* The Fuzzing Book's cost of an expansion: 1 and the costs of its symbols.  PARE_NO_COST when
 * it needs the rule `without`, which is being expanded, or one without a cost yet.  Sums stick
 * at half of that. */
static uint64_t sum_of(const pare_expansion_costs *costed, const pare_costed_expansion *expansion,
                       uint32_t without, const uint64_t *costs)
{
    uint64_t sum = 1;
    for (uint32_t s = expansion->first; s < expansion->end; s++) {
        const pare_costed_symbol *symbol = &costed->symbols[s];
        if (symbol->text) continue;
        uint64_t cost = costs[symbol->rule];
        if (symbol->rule == without || cost == PARE_NO_COST) return PARE_NO_COST;
        sum = sum > PARE_NO_COST / 2 - cost ? PARE_NO_COST / 2 : sum + cost;
    }
    return sum;
}

/* Makes the cost of rule `r` smaller if those of the rules that it names allow it; says whether. */
static bool lower_sum(const pare_expansion_costs *costed, size_t r, uint32_t without,
                      uint64_t *costs)
{
    bool changed = false;
    for (uint32_t e = costed->rules[r].first; r != without && e < costed->rules[r].end; e++) {
        uint64_t sum = sum_of(costed, &costed->expansions[e], without, costs);
        if (sum >= costs[r]) continue;
        costs[r] = sum;
        changed = true;
    }
    return changed;
}

/* O(rules * grammar) at worst for each rule that is asked about, which its caller remembers (fuzzer.c). */
pare_status pare_expansion_costs_sums(const pare_expansion_costs *costed, uint32_t rule,
                                      uint64_t *costs, pare_error *err)
{
    /* Costs of other rules depend on which rule is being expanded, so they are found anew for
     * each. */
    uint64_t *of_rules = pare_alloc(costed->n_rules, sizeof *of_rules);
    if (!of_rules) return pare_fail_nomem(err);
    for (size_t r = 0; r < costed->n_rules; r++)
        of_rules[r] = PARE_NO_COST;
    /* The least fixpoint over all other rules, backwards and forwards as in lower_depths; `rule`
     * itself stays without a cost, so that what needs it again has none. */
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t r = costed->n_rules; r-- > 0;)
            changed |= lower_sum(costed, r, rule, of_rules);
        for (size_t r = 0; r < costed->n_rules; r++)
            changed |= lower_sum(costed, r, rule, of_rules);
    }
    assert(rule < costed->n_rules);
    const pare_costed_rule *at = &costed->rules[rule];
    for (uint32_t e = at->first; e < at->end; e++)
        costs[e - at->first] = sum_of(costed, &costed->expansions[e], rule, of_rules);
    pare_alloc_free(of_rules);
    return PARE_OK;
}

/* Runs in `init`, in debug builds, and in tests. */
bool pare_expansion_costs_check(const pare_expansion_costs *costed)
{
    for (size_t r = 0; r < costed->n_rules; r++) {
        const pare_costed_rule *rule = &costed->rules[r];
        bool follows = rule->first == (r ? costed->rules[r - 1].end : 0);
        if (!follows || rule->first >= rule->end || rule->end > costed->n_expansions) return false;
        if (rule->depth == PARE_NO_COST || rule->least_first >= rule->least_end) return false;
        for (uint32_t e = rule->first; e < rule->end; e++)
            if (costed->expansions[e].depth < rule->depth) return false;
        for (uint32_t i = rule->least_first; i < rule->least_end; i++)
            if (costed->expansions[costed->least[i]].depth != rule->depth) return false;
    }
    return true;
}

/* --- the whole ------------------------------------------------------------------ */

/* Without a script: the hooks of the seed are labels of the grammar itself. */
pare_status pare_expansion_costs_init(pare_expansion_costs *costed, const pare_grammar *grammar,
                                      pare_error *err)
{
    return pare_expansion_costs_init_hooked(costed, grammar, NULL, err);
}

/* Only after all labels are read can it be said which hooks of the script name nothing. */
pare_status pare_expansion_costs_init_hooked(pare_expansion_costs *costed,
                                             const pare_grammar *grammar, pare_hooks *hooks,
                                             pare_error *err)
{
    struct layout layout = {costed, grammar, hooks, err};
    *costed = (pare_expansion_costs){0};
    pare_status status = count(&layout);
    if (!status) status = allocate(&layout);
    if (!status) status = lay_out(&layout);
    if (!status) status = find_depths(&layout);
    if (!status) status = pare_hooks_check_found(hooks, err);
    assert(status || pare_expansion_costs_check(costed));
    if (status) pare_expansion_costs_done(costed);
    return status;
}

/* Everything is in the arena. */
void pare_expansion_costs_done(pare_expansion_costs *costed)
{
    pare_arena_done(&costed->memory);
    *costed = (pare_expansion_costs){0};
}

/* --- defaults ------------------------------------------------------------------- */

/* Linear, for the few names that a seed names. */
bool pare_expansion_costs_set_default(pare_expansion_costs *costed, const char *name,
                                      const char *text)
{
    for (size_t r = 0; r < costed->n_rules; r++) {
        if (strcmp(costed->rules[r].name, name) != 0) continue;
        costed->rules[r].default_text = text;
        return true;
    }
    if (strcmp(name, "use") != 0) return false;
    costed->default_use = text;
    return true;
}

/* One member; its text moves into the arena, since the object goes. */
static pare_status read_default(pare_expansion_costs *costed, const char *path, const char *name,
                                const json_t *value, pare_error *err)
{
    if (!json_is_string(value))
        return pare_fail(err, PARE_E_SYNTAX, "%s: the default of '%s' is not a text", path, name);
    const char *text =
        pare_arena_text(&costed->memory, json_string_value(value), json_string_length(value));
    if (!text) return pare_fail_nomem(err);
    if (pare_expansion_costs_set_default(costed, name, text)) return PARE_OK;
    return pare_fail(err, PARE_E_SYNTAX,
                     "%s: the grammar has no rule '%s': write defaults for rules, and 'use' for a "
                     "name that is used",
                     path, name);
}

pare_status pare_expansion_costs_read_defaults(pare_expansion_costs *costed, const char *path,
                                               const char *text, size_t size, pare_error *err)
{
    json_error_t wrong;
    const char *name;
    json_t *value, *object = json_loadb(text, size, JSON_REJECT_DUPLICATES, &wrong);
    pare_status status = PARE_OK;
    if (!object) return pare_fail(err, PARE_E_SYNTAX, "%s:%d: %s", path, wrong.line, wrong.text);
    if (!json_is_object(object))
        status = pare_fail(err, PARE_E_SYNTAX,
                           "%s: defaults must be an object, such as {\"<expr>\": \"0\"}", path);
    json_object_foreach(object, name, value)
    {
        if (!status) status = read_default(costed, path, name, value, err);
    }
    json_decref(object);
    return status;
}
