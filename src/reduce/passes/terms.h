/* Terms: what looks like an expression to whoever does not know the language.
 *
 * A term is a name, a number, a string or brackets with what hangs on it: signs before it,
 * and after it brackets and .names, `a.b(c)[d]`, `-x`, `->`, `::`.  A stretch reaches as far as
 * nothing separates: no `,` or `;`, no assignment, no bracket that it did not open, and
 * no line end unless brackets are open around it. */
#ifndef PARE_REDUCE_PASSES_TERMS_H
#define PARE_REDUCE_PASSES_TERMS_H

#include "reduce/passes/pass.h"
#include "text/patch.h"

/* Lexemes first .. last. */
typedef struct pare_lexeme_run {
    size_t first, last;
} pare_lexeme_run;

/* The term that ends with lexeme `last`, without signs before it; false: none does. */
bool pare_terms_before(const pare_pass_view *view, size_t last, pare_lexeme_run *term);

/* The term that begins with lexeme `first`, signs before it included; false: none does. */
bool pare_terms_after(const pare_pass_view *view, size_t first, pare_lexeme_run *term);

/* The stretch that ends with lexeme `last`, or begins with lexeme `first`. */
pare_lexeme_run pare_terms_stretch_before(const pare_pass_view *view, size_t last);
pare_lexeme_run pare_terms_stretch_after(const pare_pass_view *view, size_t first);

/* The run of signs of which `i` is the first, `==` or `!`; brackets, `,` and `;` are none,
 * and blanks end it. */
bool pare_terms_signs(const pare_pass_view *view, size_t i, pare_lexeme_run *signs);

/* An element of the group whose brackets are lexemes `open` and its partner: what stands
 * between two commas or semicolons.  Start with *at == open; false: there are no more. */
bool pare_terms_next_element(const pare_pass_view *view, size_t open, size_t *at,
                             pare_lexeme_run *element);

/* Bytes from the first to the last lexeme. */
static inline pare_extent pare_terms_extent(const pare_pass_view *view, pare_lexeme_run run)
{
    return (pare_extent){view->lexemes.at[run.first].from, view->lexemes.at[run.last].to};
}

/* One patch: of bytes `all` only the lexemes `kept` stay.  Errors: as pare_pass_offer_cut. */
PARE_CHECK pare_status pare_terms_offer_keep(const pare_pass_view *view, pare_extent all,
                                             pare_lexeme_run kept, uint32_t parent,
                                             pare_patches *out, pare_error *err);

#endif
