/* The text of an alternative is made by read_back.h, which knows what must stand between its
 * tokens; here it is taken apart again, token by token. */
#include "reduce/syntax/grammar_forms.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/status.h"
#include "base/vector.h"
#include "grammar/grammar.h"
#include "grammar/minimal.h"

enum { MOST_TOKENS = 64 };

/* The forms of one rule. */
struct list {
    pare_tree_form *forms; /* owned */
    size_t n, capacity;
    bool made;
};

struct pare_grammar_forms {
    const pare_grammar *grammar;
    const pare_minimal_texts *minimal;
    pare_relex_check *texts;
    struct list *lists; /* owned; of each rule */
};

static void free_list(struct list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        for (uint32_t k = 0; k < list->forms[i].n; k++)
            pare_release((void *)list->forms[i].pieces[k].text);
        pare_release((void *)list->forms[i].pieces);
    }
    pare_release(list->forms);
    *list = (struct list){0};
}

void pare_grammar_forms_free(pare_grammar_forms *forms)
{
    if (!forms) return;
    for (size_t i = 0; forms->lists && i < forms->grammar->n_rules; i++)
        free_list(&forms->lists[i]);
    pare_release(forms->lists);
    pare_release(forms);
}

pare_status pare_grammar_forms_new(const pare_minimal_texts *minimal, pare_relex_check *texts,
                                   pare_grammar_forms **out, pare_error *err)
{
    pare_grammar_forms *forms = pare_alloc_zero(1, sizeof *forms);
    if (!forms) return pare_fail_nomem(err);
    forms->grammar = minimal->analysis->grammar;
    forms->minimal = minimal;
    forms->texts = texts;
    forms->lists = pare_alloc_zero(forms->grammar->n_rules, sizeof *forms->lists);
    if (!forms->lists) {
        pare_grammar_forms_free(forms);
        return pare_fail_nomem(err);
    }
    *out = forms;
    return PARE_OK;
}

uint32_t pare_grammar_forms_sort(const pare_grammar_forms *forms, pare_index token)
{
    const pare_grammar *grammar = forms->grammar;
    if (grammar->scannerless || token >= grammar->n_tokens) return 0;
    return grammar->tokens[token].literal ? 0 : token;
}

/* --- one alternative ------------------------------------------------------------------------ */

/* Tokens as they are found, and where in the text. */
struct row {
    pare_index tokens[MOST_TOKENS];
    size_t n;
    pare_buffer text;
};

/* Reads the next token's text off the row's; *at is where it may begin.  A text that does
 * not have it there, whatever the reason, is no form. */
static pare_status take_piece(pare_grammar_forms *forms, const struct row *row, size_t k,
                              size_t *at, pare_tree_piece *piece, bool *taken, pare_error *err)
{
    pare_buffer token = {0};
    *taken = false;
    pare_status status = pare_relex_check_token(forms->texts, row->tokens[k], &token, NULL, err);
    size_t left = row->text.size - *at;
    const char *text = row->text.data + *at;
    bool led = left && (*text == ' ' || *text == '\n') &&
               (token.size > left || !token.size || memcmp(text, token.data, token.size) != 0);
    if (!status && left >= led + token.size &&
        (!token.size || memcmp(text + led, token.data, token.size) == 0)) {
        *piece = (pare_tree_piece){.text = pare_copy_text(text + led, token.size),
                                   .size = (uint32_t)token.size,
                                   .sort = pare_grammar_forms_sort(forms, row->tokens[k]),
                                   .lead = led ? *text : '\0'};
        *at += led + token.size;
        *taken = true;
        if (!piece->text) status = pare_fail_nomem(err);
    }
    pare_buffer_done(&token);
    return status;
}

/* Adds the form of the row to the list, or frees what was made of it. */
static pare_status keep(struct list *list, pare_tree_piece *pieces, size_t n, bool whole,
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
        pare_release((void *)pieces[i].text);
    pare_release(pieces);
    return whole ? pare_fail_nomem(err) : PARE_OK;
}

static pare_status add_row(pare_grammar_forms *forms, const struct row *row, struct list *list,
                           pare_error *err)
{
    size_t at = 0, n = 0;
    bool taken = true;
    pare_status status = PARE_OK;
    pare_tree_piece *pieces = pare_alloc_zero(row->n + 1, sizeof *pieces);
    if (!pieces) return pare_fail_nomem(err);
    while (!status && taken && n < row->n) {
        status = take_piece(forms, row, n, &at, &pieces[n], &taken, err);
        n += taken;
    }
    pare_status kept = keep(list, pieces, n, !status && taken && at == row->text.size, err);
    return status ? status : kept;
}

/* A grammar of characters has no tokens: all of the text is one piece. */
static pare_status add_text(const struct row *row, struct list *list, pare_error *err)
{
    pare_tree_piece *piece = pare_alloc_zero(1, sizeof *piece);
    if (!piece) return pare_fail_nomem(err);
    piece->text = pare_copy_text(row->text.size ? row->text.data : "", row->text.size);
    piece->size = (uint32_t)row->text.size;
    if (piece->text) return keep(list, piece, 1, true, err);
    pare_release(piece);
    return pare_fail_nomem(err);
}

/* Sets *has: there is a finite text of not too many tokens. */
static pare_status make_row(pare_grammar_forms *forms, pare_index expr, struct row *row, bool *has,
                            pare_error *err)
{
    pare_error limit = {.status = PARE_OK};
    bool is_read = false;
    pare_status status = PARE_OK;
    if (!forms->grammar->scannerless)
        status =
            pare_minimal_tokens(forms->minimal, expr, row->tokens, MOST_TOKENS, &row->n, &limit);
    *has = !status && row->n <= MOST_TOKENS;
    if (*has) status = pare_relex_check_text(forms->texts, expr, &row->text, &is_read, &limit);
    *has = *has && !status;
    if (status == PARE_E_NOMEM) return pare_fail_nomem(err);
    return PARE_OK;
}

static pare_status add_alternative(pare_grammar_forms *forms, pare_index expr, struct list *list,
                                   pare_error *err)
{
    struct row row = {.n = 0};
    bool has = false;
    pare_status status = make_row(forms, expr, &row, &has, err);
    if (!status && has && forms->grammar->scannerless)
        status = add_text(&row, list, err);
    else if (!status && has && row.text.size)
        status = add_row(forms, &row, list, err);
    pare_buffer_done(&row.text);
    return status;
}

pare_status pare_grammar_forms_of(pare_grammar_forms *forms, pare_index rule,
                                  const pare_tree_form **list, size_t *n, pare_error *err)
{
    const pare_grammar *grammar = forms->grammar;
    struct list *of = &forms->lists[rule];
    pare_index body = grammar->rules[rule].body;
    pare_status status = PARE_OK;
    if (!of->made) {
        bool choice = grammar->exprs[body].kind == PARE_EXPR_CHOICE;
        pare_index expr = choice ? grammar->exprs[body].first : body;
        for (; !status && expr != PARE_NO_INDEX;
             expr = choice ? grammar->exprs[expr].next : PARE_NO_INDEX)
            status = add_alternative(forms, expr, of, err);
        of->made = !status;
        if (status) free_list(of);
    }
    *list = of->forms;
    *n = of->n;
    return status;
}
