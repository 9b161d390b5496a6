/* What a grammar says about the nodes of its trees: minimal texts, what fits where, and forms.
 *
 * Minimal texts are made once for each rule, token type and repeated expression that has any;
 * which symbol fits where is asked of the subtypes.  The forms of a rule (of each alternative
 * its shortest text, token by token) are made when a rule is asked for first: most never are.
 * The text of an alternative is made by relex_check.h, which knows what must stand between its
 * tokens; here it is taken apart again, token by token, and an alternative whose text cannot be
 * is no form.
 * Invariant: texts are stored in one buffer, by offset; a symbol without a finite text has
 * `none`.
 * Source: minimal texts as in Picireny (Hodován et al.), by fixpoint in grammar/minimal.h.
 * Memory: the grammar's analysis, and one text for each symbol. */
#include "reduce/syntax/rules.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/vector.h"
#include "grammar/analysis.h"
#include "grammar/grammar.h"
#include "grammar/minimal.h"
#include "parse/literals.h"
#include "parse/parse_tree.h"
#include "parse/relex_check.h"
#include "reduce/tree/tree.h"

enum { MOST_TOKENS = 64 };

/* The forms of one rule. */
struct list {
    pare_tree_form *forms; /* owned */
    size_t n, capacity;
    bool made;
};

/* A text in `texts`. */
struct text {
    size_t offset, size;
    bool none; /* there is no finite one */
};

/* All that is known of one grammar. The analysis comes first, and what is made from it borrows
 * it, so nothing here may move once it is made. */
struct pare_grammar_rules {
    const pare_grammar *grammar;
    pare_analysis analysis;
    pare_minimal_texts minimal;
    pare_relex_check *relex; /* owned */
    struct list *lists;      /* owned; forms of each rule, made as they are asked for */
    pare_subtypes subtypes;
    pare_literals literals; /* of a scannerless grammar */
    pare_buffer texts;
    struct text *rules, *tokens, *exprs; /* owned; of each */
};

/* Frees the forms of one rule. */
static void free_list(struct list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        for (uint32_t k = 0; k < list->forms[i].n; k++)
            pare_alloc_free((void *)list->forms[i].pieces[k].text);
        pare_alloc_free((void *)list->forms[i].pieces);
    }
    pare_alloc_free(list->forms);
    *list = (struct list){0};
}

/* --- texts ------------------------------------------------------------------------------- */

/* Keeps what was appended to the texts since `before`; without a finite text, nothing. */
static pare_status keep(pare_grammar_rules *rules, struct text *text, size_t before,
                        pare_status status)
{
    /* PARE_E_LIMIT says that every text of the symbol is infinite, or too long to be of use. */
    bool none = status == PARE_E_LIMIT;
    if (none) {
        rules->texts.size = before;
        status = PARE_OK;
    }
    *text = (struct text){.offset = before, .size = rules->texts.size - before, .none = none};
    return status;
}

/* Makes the text of an expression.
 * An expression without a finite text leaves nothing in the buffer. */
static pare_status make_expr(pare_grammar_rules *rules, pare_index expr, struct text *text,
                             pare_error *err)
{
    pare_error limit = {.status = PARE_OK};
    size_t before = rules->texts.size;
    bool is_read = false; /* a text that is not read back is tried all the same */
    pare_status status = pare_relex_check_text(rules->relex, expr, &rules->texts, &is_read, &limit);
    if (status == PARE_E_NOMEM) return pare_fail_nomem(err);
    return keep(rules, text, before, status);
}

/* Literals are leaves only where there are no tokens. */
static bool has_text(const pare_grammar *grammar, pare_expr_kind kind)
{
    return kind == PARE_EXPR_PLUS || (kind == PARE_EXPR_LITERAL && grammar->scannerless);
}

/* Parser rules, then repeated expressions (and literals where they are leaves), then tokens. */
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
    /* Token 0 is the end of the input, which prints nothing. */
    for (size_t i = 1; !status && i < grammar->n_tokens; i++) {
        pare_error limit = {.status = PARE_OK};
        size_t before = rules->texts.size;
        status = pare_relex_check_token(rules->relex, (pare_index)i, &rules->texts, NULL, &limit);
        if (status == PARE_E_NOMEM) return pare_fail_nomem(err);
        status = keep(rules, &rules->tokens[i], before, status);
    }
    return status;
}

/* Analyses the grammar and makes all texts. */
static pare_status make(pare_grammar_rules *rules, pare_error *err)
{
    const pare_grammar *grammar = rules->grammar;
    rules->rules = pare_alloc_zero(grammar->n_rules, sizeof *rules->rules);
    rules->tokens = pare_alloc_zero(grammar->n_tokens, sizeof *rules->tokens);
    rules->exprs = pare_alloc_zero(grammar->n_exprs, sizeof *rules->exprs);
    rules->lists = pare_alloc_zero(grammar->n_rules, sizeof *rules->lists);
    if (!rules->rules || !rules->tokens || !rules->exprs || !rules->lists)
        return pare_fail_nomem(err);
    pare_status status = pare_analysis_init(&rules->analysis, grammar, err);
    if (!status) status = pare_minimal_init(&rules->minimal, &rules->analysis, err);
    if (!status) status = pare_analysis_subtypes_init(&rules->subtypes, &rules->analysis, err);
    if (!status) status = pare_relex_check_new(&rules->minimal, &rules->relex, err);
    if (!status && grammar->scannerless)
        status = pare_literals_init(&rules->literals, grammar, err);
    if (!status) status = make_texts(rules, err);
    return status;
}

/* Everything but forms is made at once: a reduction asks for the texts of most nodes. */
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

/* In the order of use; the grammar is the caller's. */
void pare_grammar_rules_free(pare_grammar_rules *rules)
{
    if (!rules) return;
    for (size_t i = 0; rules->lists && i < rules->grammar->n_rules; i++)
        free_list(&rules->lists[i]);
    pare_alloc_free(rules->lists);
    pare_relex_check_free(rules->relex);
    pare_literals_done(&rules->literals);
    pare_analysis_subtypes_done(&rules->subtypes);
    pare_minimal_done(&rules->minimal);
    pare_analysis_done(&rules->analysis);
    pare_buffer_done(&rules->texts);
    pare_alloc_free(rules->rules);
    pare_alloc_free(rules->tokens);
    pare_alloc_free(rules->exprs);
    pare_alloc_free(rules);
}

/* --- forms ------------------------------------------------------------------------------- */

/* The sort of a token type: 0 when its text is fixed. */
static uint32_t sort_of(const pare_grammar_rules *rules, pare_index token)
{
    const pare_grammar *grammar = rules->grammar;
    if (grammar->scannerless || token >= grammar->n_tokens) return 0;
    return grammar->tokens[token].literal ? 0 : token;
}

/* --- one alternative --------------------------------------------------------------------- */

/* The tokens of an alternative as they are found, and its text. */
struct row {
    pare_index tokens[MOST_TOKENS];
    size_t n;
    pare_buffer text;
    size_t at; /* bytes of the text that were read off */
};

/* Reads the next token's text off the row's; row->at is where it may begin.  A text that does
 * not have it there, whatever the reason, is no form.
 *
 * Example: of `return x;` for the tokens `return`, NAME and `;` the pieces are `return`, then
 * `x` of sort NAME with a blank before it, then `;`. */
static pare_status take_piece(const pare_grammar_rules *rules, struct row *row, size_t k,
                              pare_tree_piece *piece, bool *taken, pare_error *err)
{
    pare_buffer token = {0};
    *taken = false;
    pare_status status = pare_relex_check_token(rules->relex, row->tokens[k], &token, NULL, err);
    size_t left = row->text.size - row->at;
    const char *text = row->text.data + row->at;
    /* A blank before the token, unless the token itself begins with it. */
    bool led = left && (*text == ' ' || *text == '\n') &&
               (token.size > left || !token.size || memcmp(text, token.data, token.size) != 0);
    /* The shortest text of the token type has to stand here, byte for byte. */
    if (!status && left >= led + token.size &&
        (!token.size || memcmp(text + led, token.data, token.size) == 0)) {
        *piece = (pare_tree_piece){.text = pare_alloc_text(text + led, token.size),
                                   .size = (uint32_t)token.size,
                                   .sort = sort_of(rules, row->tokens[k]),
                                   .lead = led ? *text : '\0'};
        row->at += led + token.size;
        *taken = true;
        if (!piece->text) status = pare_fail_nomem(err);
    }
    pare_buffer_done(&token);
    return status;
}

/* Adds the form of the row to the list, or frees what was made of it.
 * Takes `pieces` over in either case. */
static pare_status keep_form(struct list *list, pare_tree_piece *pieces, size_t n, bool whole,
                             pare_error *err)
{
    pare_tree_form *forms =
        whole ? pare_vector_grow(list->forms, list->n, &list->capacity, sizeof *forms) : NULL;
    if (forms) {
        list->forms = forms;
        forms[list->n++] = (pare_tree_form){pieces, (uint32_t)n};
        return PARE_OK;
    }
    for (size_t i = 0; i < n; i++)
        pare_alloc_free((void *)pieces[i].text);
    pare_alloc_free(pieces);
    return whole ? pare_fail_nomem(err) : PARE_OK;
}

/* Adds the form of an alternative's tokens to the list, if they can be read off its text.
 * All tokens must be found and all of the text be used up; else there would be something between
 * two tokens that no piece has. */
static pare_status add_row(const pare_grammar_rules *rules, struct row *row, struct list *list,
                           pare_error *err)
{
    size_t n = 0;
    bool taken = true;
    pare_status status = PARE_OK;
    pare_tree_piece *pieces = pare_alloc_zero(row->n + 1, sizeof *pieces);
    if (!pieces) return pare_fail_nomem(err);
    while (!status && taken && n < row->n) {
        status = take_piece(rules, row, n, &pieces[n], &taken, err);
        n += taken;
    }
    pare_status kept =
        keep_form(list, pieces, n, !status && taken && row->at == row->text.size, err);
    return status ? status : kept;
}

/* A grammar of characters has no tokens: all of the text is one piece.
 * Without tokens nothing in it can be filled by what the input has. */
static pare_status add_text(const struct row *row, struct list *list, pare_error *err)
{
    pare_tree_piece *piece = pare_alloc_zero(1, sizeof *piece);
    if (!piece) return pare_fail_nomem(err);
    piece->text = pare_alloc_text(row->text.size ? row->text.data : "", row->text.size);
    piece->size = (uint32_t)row->text.size;
    if (piece->text) return keep_form(list, piece, 1, true, err);
    pare_alloc_free(piece);
    return pare_fail_nomem(err);
}

/* Sets *has: there is a finite text of not too many tokens.
 * The tokens come from the analysis, the text from the lexer's check; the two are put together
 * again by take_piece. */
static pare_status make_row(const pare_grammar_rules *rules, pare_index expr, struct row *row,
                            bool *has, pare_error *err)
{
    pare_error limit = {.status = PARE_OK};
    bool is_read = false;
    pare_status status = PARE_OK;
    if (!rules->grammar->scannerless)
        status =
            pare_minimal_tokens(&rules->minimal, expr, row->tokens, MOST_TOKENS, &row->n, &limit);
    *has = !status && row->n <= MOST_TOKENS;
    if (*has) status = pare_relex_check_text(rules->relex, expr, &row->text, &is_read, &limit);
    *has = *has && !status;
    if (status == PARE_E_NOMEM) return pare_fail_nomem(err);
    return PARE_OK;
}

/* Adds the form of one alternative, if it has one. */
static pare_status add_alternative(const pare_grammar_rules *rules, pare_index expr,
                                   struct list *list, pare_error *err)
{
    struct row row = {.n = 0};
    bool has = false;
    pare_status status = make_row(rules, expr, &row, &has, err);
    if (!status && has && rules->grammar->scannerless)
        status = add_text(&row, list, err);
    else if (!status && has && row.text.size)
        status = add_row(rules, &row, list, err);
    pare_buffer_done(&row.text);
    return status;
}

/* Sets *list to the forms of a parser rule, in the grammar's order; those without a finite
 * text, and those of more than MOST_TOKENS tokens, are left out.  They are made when they are
 * asked for first.  Borrowed.  Errors: PARE_E_NOMEM. */
static pare_status forms_of(const pare_grammar_rules *rules, pare_index rule,
                            const pare_tree_form **list, size_t *n, pare_error *err)
{
    const pare_grammar *grammar = rules->grammar;
    struct list *of = &rules->lists[rule];
    pare_index body = grammar->rules[rule].body;
    pare_status status = PARE_OK;
    if (!of->made) {
        /* A body that is no choice is a single alternative. */
        bool choice = grammar->exprs[body].kind == PARE_EXPR_CHOICE;
        pare_index expr = choice ? grammar->exprs[body].first : body;
        for (; !status && expr != PARE_NO_INDEX;
             expr = choice ? grammar->exprs[expr].next : PARE_NO_INDEX)
            status = add_alternative(rules, expr, of, err);
        /* Half a list would be taken for all there is, so it is not kept. */
        of->made = !status;
        if (status) free_list(of);
    }
    *list = of->forms;
    *n = of->n;
    return status;
}

/* --- answers ----------------------------------------------------------------------------- */

/* The text kept for a symbol; empty for optional things and what is opaque.
 * Which array holds it follows from the kind: rules, token types, or expressions, which stand
 * for repetitions and, without a lexer, for literals. */
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

/* pare_tree_rules.minimal. */
static void minimal(const void *context, const pare_parse_tree *parse, uint32_t node,
                    const char **text, size_t *size)
{
    const pare_grammar_rules *rules = context;
    struct text found = text_of(rules, parse->nodes[node].kind, parse->nodes[node].symbol);
    *text = rules->texts.data ? rules->texts.data + found.offset : "";
    *size = found.size;
}

/* pare_tree_rules.fits: a rule takes the rules and tokens that it derives alone.
 * Tokens take no other token, and quantifiers are only ever replaced by their own kind. */
static bool fits(const void *context, pare_tree_symbol wanted, pare_tree_symbol offered)
{
    const pare_grammar_rules *rules = context;
    if (wanted.kind != PARE_NODE_RULE || wanted.symbol >= rules->grammar->n_rules) return false;
    if (offered.kind == PARE_NODE_RULE && offered.symbol < rules->grammar->n_rules)
        return pare_analysis_has_subrule(&rules->subtypes, wanted.symbol, offered.symbol);
    if (offered.kind == PARE_NODE_TOKEN && offered.symbol < rules->grammar->n_tokens)
        return pare_analysis_has_subtoken(&rules->subtypes, wanted.symbol, offered.symbol);
    return false;
}

/* pare_tree_rules.forms: of the places that are rules. */
static pare_status forms(const void *context, pare_tree_symbol place, const pare_tree_form **list,
                         size_t *n, pare_error *err)
{
    const pare_grammar_rules *rules = context;
    *n = 0;
    if (place.kind != PARE_NODE_RULE || place.symbol >= rules->grammar->n_rules) return PARE_OK;
    return forms_of(rules, place.symbol, list, n, err);
}

/* pare_tree_rules.sort: a token's type is its sort, unless its text is fixed.
 * Whatever the place: sorts are the grammar's token types. */
static uint32_t sort(const void *context, pare_tree_symbol place, pare_tree_symbol token)
{
    (void)place;
    const pare_grammar_rules *rules = context;
    return token.kind == PARE_NODE_TOKEN ? sort_of(rules, token.symbol) : 0;
}

/* For readers of the grammar itself, such as expansions. */
const pare_grammar *pare_grammar_rules_grammar(const pare_grammar_rules *rules)
{
    return rules->grammar;
}

/* For the rules of tokens, which go by the same analysis. */
const pare_minimal_texts *pare_grammar_rules_minimal(const pare_grammar_rules *rules)
{
    return &rules->minimal;
}

/* Grammars with tokens have no literals as leaves. */
const pare_literals *pare_grammar_rules_literals(const pare_grammar_rules *rules)
{
    return rules->grammar->scannerless ? &rules->literals : NULL;
}

/* False also for texts of 4 GiB, which no part can hold. */
bool pare_grammar_rules_shortest(const pare_grammar_rules *rules, pare_tree_symbol symbol,
                                 const char **text, uint32_t *size)
{
    struct text found = text_of(rules, symbol.kind, symbol.symbol);
    if (found.none || found.size > UINT32_MAX) return false;
    *text = rules->texts.data ? rules->texts.data + found.offset : "";
    *size = (uint32_t)found.size;
    return true;
}

/* Not strict: strategies may leave the grammar where their sources let them. */
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
