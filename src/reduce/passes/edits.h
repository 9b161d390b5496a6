/* Edits of a view as patches: what the passes of this layer share. */
#ifndef PARE_REDUCE_PASSES_EDITS_H
#define PARE_REDUCE_PASSES_EDITS_H

#include "grammar/grammar.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

/* Bytes from .. to-1 of the text. */
typedef struct pare_extent {
    size_t from, to;
} pare_extent;

/* What goes when lexemes first .. last go: they and the white space beside them that only
 * they needed.  Whole lines go with their line end and indentation; at the end of a line
 * the blanks before them go, elsewhere those behind them. */
pare_extent pare_edit_lexemes(const pare_pass_view *view, size_t first, size_t last);

/* Whether lexeme `i` is these bytes, a C string. */
bool pare_lexeme_is(const pare_pass_view *view, size_t i, const char *text);

/* The token type of lexeme `i`, if it is a whole token of a grammar whose rules of tokens are
 * known; PARE_NO_INDEX else. */
pare_index pare_lexeme_type(const pare_pass_view *view, size_t i);

/* Whether there is a line end between lexemes i-1 and i; the file's ends count as one. */
bool pare_lexeme_starts_line(const pare_pass_view *view, size_t i);

/* Whether a byte is in the file that no text has.  O(bytes). */
bool pare_view_is_binary(const pare_pass_view *view);

/* Whether a quote is there that begins no string: one that moves may become its end. */
bool pare_view_has_lone_quote(const pare_pass_view *view);

static inline size_t pare_lexeme_size(const pare_pass_view *view, size_t i)
{
    return view->lexemes.at[i].to - view->lexemes.at[i].from;
}

/* One patch of one change: `what` goes, or becomes `size` bytes at `with`.  `parent` and
 * `index` as for pare_patches_end.  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_offer_cut(pare_patches *out, pare_extent what, uint32_t parent,
                                      uint32_t *index, pare_error *err);
PARE_CHECK pare_status pare_offer_text(pare_patches *out, pare_extent what, const void *with,
                                       size_t size, uint32_t parent, uint32_t *index,
                                       pare_error *err);

#endif
