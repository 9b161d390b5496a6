/* The pass over operands: operands.
 *
 * Where something must stand, but not that, the smallest thing that stands in such a place
 * elsewhere is likely to fit: after the same sign or word.  Or a word that languages have for
 * nothing: `null`, `nil`, `None`, `undef`, `""`, `[]`.  Which of these the language has is learned
 * from the text: a word that is in it is offered everywhere, the others only for the largest
 * operands; where one of them fits it is in the text, and the next run offers it everywhere.
 * Invariant: what is put in is simpler than what goes (pare_pass_is_simpler).
 * Source: Vulcan's identifier replacement, by place in place of frequency; llvm-reduce's
 * operands-to-undef; "nothing" of a language as in C-Reduce's callexpr-to-value.
 * Cost: at most three tests for an operand, and N_TRIED for each of the FEW largest. */
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/interrupt.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

enum { MOST_LEXEMES = 5000, FEW = 1, N_TRIED = 9, MOST_KNOWN = 2, LEAST_LIST_NAME = 3 };

/* Words for nothing; those that are tried where the text has none first.  0 is offered by the pass
 * `operators`. */
static const char *const NOTHINGS[] = {"[]",   "{}",   "()",   "\"\"",  "''",
                                       "nil",  "null", "None", "undef", "NULL",
                                       "true", "void", "pass", "false", "return"};

enum { N_NOTHINGS = sizeof NOTHINGS / sizeof *NOTHINGS };

/* Operands of the text that others may be replaced by. */
struct places {
    const pare_pass_view *view;
    uint32_t *simplest;     /* owned; by the first lexeme of the bytes before it: the simplest
                           operand after these, or PARE_NO_LEXEME */
    bool known[N_NOTHINGS]; /* it is in the text */
    size_t largest[FEW];    /* operands, by lexeme; the largest first */
    size_t n_largest;
    pare_patches *out;
    pare_error *err;
};

/* Whether lexeme `i` may be an operand. */
static bool is_operand(const pare_pass_view *view, size_t i)
{
    pare_lexeme_kind kind = (pare_lexeme_kind)view->lexemes.at[i].kind;
    return (kind == PARE_LEXEME_WORD || kind == PARE_LEXEME_NUMBER || kind == PARE_LEXEME_STRING) &&
           !pare_pass_is_keyword(view, i);
}

/* The place of lexeme `i`: which bytes stand before it. */
static uint32_t place_of(const pare_pass_view *view, size_t i)
{
    return view->lexemes.at[i - 1].first;
}

/* Whether lexeme `a` is simpler than lexeme `b`. */
static bool is_simpler(const pare_pass_view *view, size_t a, size_t b)
{
    const pare_lexeme *at = view->lexemes.at;
    return pare_pass_is_simpler(view->bytes + at[a].from, pare_pass_lexeme_size(view, a),
                                view->bytes + at[b].from, pare_pass_lexeme_size(view, b));
}

/* Whether the bracket of a call follows lexeme `i`. */
static bool is_called(const pare_pass_view *view, size_t i)
{
    const pare_lexeme *at = view->lexemes.at;
    return i + 1 < view->lexemes.n && at[i + 1].partner != PARE_NO_LEXEME &&
           at[i + 1].from == at[i].to && pare_pass_lexeme_is(view, i + 1, "(");
}

/* Keeps `i` if it is among the largest operands; of equal ones the first. A function that is called
 * is no operand. */
static void note_size(struct places *self, size_t i)
{
    size_t place = self->n_largest, size = pare_pass_lexeme_size(self->view, i);
    if (self->view->lexemes.at[i].first != i || is_called(self->view, i)) return;
    while (place && pare_pass_lexeme_size(self->view, self->largest[place - 1]) < size)
        place--;
    if (place == FEW) return;
    if (self->n_largest < FEW) self->n_largest++;
    memmove(self->largest + place + 1, self->largest + place,
            (self->n_largest - place - 1) * sizeof *self->largest);
    self->largest[place] = i;
}

/* Whether the word for nothing begins at lexeme `i`: one lexeme, or two brackets. */
static bool is_nothing(const pare_pass_view *view, size_t i, const char *nothing)
{
    const pare_lexeme *at = &view->lexemes.at[i];
    size_t size = strlen(nothing);
    return at->from + size <= view->end && memcmp(view->bytes + at->from, nothing, size) == 0 &&
           (at->to == at->from + size || (at->kind == PARE_LEXEME_OPEN && at->partner == i + 1));
}

/* Goes through the text once. */
static pare_status look(struct places *self)
{
    const pare_pass_view *view = self->view;
    size_t n = view->lexemes.n;
    self->simplest = pare_alloc(n + 1, sizeof *self->simplest);
    if (!self->simplest) return pare_fail_nomem(self->err);
    for (size_t i = 0; i < n; i++)
        self->simplest[i] = PARE_NO_LEXEME;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < N_NOTHINGS; k++)
            self->known[k] |= is_nothing(view, i, NOTHINGS[k]);
        if (!is_operand(view, i)) continue;
        note_size(self, i);
        if (!i) continue;
        uint32_t *simplest = &self->simplest[place_of(view, i)];
        if (*simplest == PARE_NO_LEXEME || is_simpler(view, i, *simplest)) *simplest = (uint32_t)i;
    }
    return PARE_OK;
}

/* The operand becomes this text, if that is simpler. */
static pare_status offer_text(struct places *self, size_t i, const void *text, size_t size,
                              uint32_t parent)
{
    const pare_lexeme *at = &self->view->lexemes.at[i];
    if (!pare_pass_is_simpler(text, size, self->view->bytes + at->from, at->to - at->from))
        return PARE_OK;
    return pare_pass_offer_text(self->out,
                                (pare_pass_text){(pare_extent){at->from, at->to}, text, size},
                                parent, NULL, self->err);
}

/* Words for nothing in the place of an operand: those of the text, or all others. */
static pare_status offer_nothings(struct places *self, size_t i, bool known)
{
    pare_status status = PARE_OK;
    size_t n = 0, size = pare_pass_lexeme_size(self->view, i);
    size_t n_words = known ? N_NOTHINGS : N_TRIED, most = known ? MOST_KNOWN : N_TRIED;
    for (size_t k = 0; !status && k < n_words && n < most; k++) {
        if (self->known[k] != known || strlen(NOTHINGS[k]) >= size) continue;
        status = offer_text(self, i, NOTHINGS[k], strlen(NOTHINGS[k]), PARE_NO_PATCH);
        n++;
    }
    return status;
}

/* All operands of one place become the simplest of them at once; else each by itself. */
static pare_status offer_place(struct places *self, size_t before)
{
    const pare_lexeme *at = self->view->lexemes.at;
    uint32_t simplest = self->simplest[before], all = PARE_NO_PATCH;
    if (simplest == PARE_NO_LEXEME) return PARE_OK;
    const unsigned char *text = self->view->bytes + at[simplest].from;
    size_t size = pare_pass_lexeme_size(self->view, simplest);
    pare_status status = PARE_OK;
    for (uint32_t i = (uint32_t)before; !status && i != PARE_NO_LEXEME; i = at[i].next)
        if (i + 1 < self->view->lexemes.n && is_operand(self->view, i + 1))
            status =
                pare_patches_change(self->out, at[i + 1].from, at[i + 1].to, text, size, self->err);
    if (!status) status = pare_patches_end(self->out, PARE_NO_PATCH, &all, self->err);
    for (uint32_t i = (uint32_t)before; !status && all != PARE_NO_PATCH && i != PARE_NO_LEXEME;
         i = at[i].next)
        if (i + 1 < self->view->lexemes.n && is_operand(self->view, i + 1))
            status = offer_text(self, i + 1, text, size, all);
    return status;
}

/* The first call of a name becomes a list of its arguments: `array(0)` is `[0]` in PHP, `Array(0)`
 * in JavaScript, `list(a)` nearly so in Python.  Shorter names are seldom those of lists; some
 * are keywords. */
static pare_status offer_list(struct places *self, size_t i)
{
    const pare_lexeme *at = self->view->lexemes.at;
    if (at[i].kind != PARE_LEXEME_WORD || at[i].first != i || !is_called(self->view, i) ||
        at[i].to - at[i].from < LEAST_LIST_NAME)
        return PARE_OK;
    const pare_lexeme *close = &at[at[i + 1].partner];
    pare_status status =
        pare_patches_change(self->out, at[i].from, at[i + 1].to, "[", 1, self->err);
    if (!status) status = pare_patches_change(self->out, close->from, close->to, "]", 1, self->err);
    return status ? status : pare_patches_end(self->out, PARE_NO_PATCH, NULL, self->err);
}

/* operands: a name, number or string becomes the simplest one that stands after the same token
 * somewhere, everywhere or in one place; or a word for nothing; a call, a list. */
static pare_status offer_operands(const pare_pass *pass, const pare_pass_view *view,
                                  pare_patches *out, pare_error *err)
{
    struct places self = {.view = view, .out = out, .err = err};
    (void)pass;
    if (pare_pass_is_binary(view)) return PARE_OK;
    pare_status status = look(&self);
    for (size_t i = 0; !status && i < view->lexemes.n && !pare_interrupt_asked_at(i); i++)
        if (view->lexemes.at[i].first == i) status = offer_place(&self, i);
    for (size_t i = 0; !status && i < self.n_largest; i++)
        status = offer_nothings(&self, self.largest[i], false);
    for (size_t i = 0; !status && i < view->lexemes.n && !pare_interrupt_asked_at(i); i++)
        if (is_operand(view, i)) status = offer_nothings(&self, i, true);
    for (size_t i = 0; !status && i < view->lexemes.n && !pare_interrupt_asked_at(i); i++)
        status = offer_list(&self, i);
    pare_alloc_free(self.simplest);
    return status;
}

const pare_pass pare_pass_operands = {
    .name = "operands",
    .summary = "replaces an operand by the simplest one seen after the same token",
    .source = "Vulcan, identifier replacement; llvm-reduce, operands to undef",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SMALLER,
    .most_lexemes = MOST_LEXEMES,
    .offer = offer_operands,
};
