/* Passes: each looks at a file once and says which patches could make it smaller.
 *
 * A pass runs nothing and keeps nothing: what becomes of its patches is for whoever runs
 * them, and what it offers depends on the view alone.  There is one table of all.
 *
 * How to run one: open a view of the best so far, let the pass offer, run the list in the
 * pass's order (engine/pool.h), and if something went and the pass repeats, once more. */
#ifndef PARE_REDUCE_PASSES_PASS_H
#define PARE_REDUCE_PASSES_PASS_H

#include <pare/export.h>
#include <pare/status.h>

#include "grammar/grammar.h"
#include "parse/parse_tree.h"
#include "parse/token_grammar.h"
#include "reduce/passes/lexemes.h"
#include "reduce/passes/seams.h"
#include "reduce/tree/tree.h"
#include "text/patch.h"
#include "text/text.h"

/* What a pass looks at: one file of a text.  The offsets in lexemes and tree are those of
 * the text, and so must be those in patches: begin .. end, nothing outside. */
typedef struct pare_pass_view {
    const pare_text *text;           /* flat; borrowed */
    const unsigned char *bytes;      /* of all the text */
    size_t begin, end;               /* of the file */
    pare_lexemes lexemes;            /* owned */
    const pare_tree *tree;           /* of the file, over `text`; borrowed; NULL: there is none */
    const pare_symbol_names *names;  /* of the tree's symbols; borrowed; may be NULL */
    const char *language;            /* its name, borrowed; NULL: not known */
    pare_token_grammar *token_rules; /* of the tree's tokens; borrowed; NULL: not known */
    const pare_seams *seams;         /* of the input; borrowed; NULL: not known */
} pare_pass_view;

/* Fills *view with what is given (all but lexemes) and the lexemes.  On PARE_OK the caller
 * closes it; `view->text` and the rest must outlive it.
 * Errors: PARE_E_ARG (the text is not flat), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_pass_view_open(const pare_pass_view *given, pare_pass_view *view,
                                           pare_error *err);
void pare_pass_view_close(pare_pass_view *view); /* all-zero is a no-op */

/* In which order patches are best tried. */
typedef enum pare_pass_order {
    PARE_PASS_LARGEST, /* those that save most first; of equal ones the rear ones */
    PARE_PASS_LISTED   /* as they stand in the list */
} pare_pass_order;

/* With how many at once. */
typedef enum pare_pass_group {
    PARE_PASS_ALONE,   /* most fail: one by one */
    PARE_PASS_LEARNED, /* as many as could be made lately, and more after each success */
    PARE_PASS_TOGETHER /* most succeed, and do not depend on each other: all that agree in one
                           test, halved when that fails */
} pare_pass_group;

/* Whether to offer again after something went. */
typedef enum pare_pass_repeat {
    PARE_PASS_ONCE, /* what is left was tried; a change elsewhere may make it useful again */
    PARE_PASS_AGAIN /* what is left may be offered otherwise now */
} pare_pass_repeat;

/* What all patches of a pass, and their parts, keep to. */
typedef enum pare_pass_claim {
    PARE_PASS_SHORTER, /* each saves bytes; a space between words that come to touch
                          (pare_patches.spaced) does not count */
    PARE_PASS_SMALLER, /* each makes the text smaller in the total order: it saves bytes, or
                          changes none of the size and is simpler */
    PARE_PASS_ANY      /* may grow the text: only useful with what follows */
} pare_pass_claim;

typedef struct pare_pass {
    const char *name, *summary; /* a word or two with dashes; one line */
    const char *source;         /* paper or tool, and what is different here */
    pare_pass_order order;
    pare_pass_group group;
    pare_pass_repeat repeat;
    pare_pass_claim claim;
    size_t most_lexemes; /* it offers nothing for a file of more; 0: however many */
    size_t most_bytes;   /* the same for bytes */
    bool any_bytes;      /* it works on bytes that are no text, too */

    /* Adds what there is to offer to `out`, a list about view->text, empty.
     * Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
    pare_status (*offer)(const struct pare_pass *pass, const pare_pass_view *view,
                         pare_patches *out, pare_error *err);
} pare_pass;

/* What `pass` has to offer for `view`, maybe nothing (n is 0).  On PARE_OK the caller owns
 * *out, one reference.  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_pass_offer(const pare_pass *pass, const pare_pass_view *view,
                                       pare_patches **out, pare_error *err);

/* Whether all of `patches`, offered by `pass` for `view`, parts included, stay in the file and
 * keep to the pass's claim, each made alone; for tests.  Sets *kept; on false *patch (may be
 * NULL) is the first that does not.  O(patches * bytes).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_pass_check(const pare_pass *pass, const pare_pass_view *view,
                                       const pare_patches *patches, bool *kept, uint32_t *patch,
                                       pare_error *err);

/* All lexical passes, in the order in which they are worth trying: coarse to fine; *n of
 * them. */
const pare_pass *const *pare_pass_table(size_t *n);

/* NULL when there is none of that name. */
const pare_pass *pare_pass_find(const char *name);

/* --- for writing a pass: cuts, patches and words ----------------------------------------- */

/* Bytes from .. to-1 of the text. */
typedef struct pare_extent {
    size_t from, to;
} pare_extent;

/* What goes when lexemes first .. last go: they and the white space beside them that only
 * they needed.  Whole lines go with their line end and indentation; at the end of a line
 * the blanks before them go, elsewhere those after them. */
pare_extent pare_pass_extent(const pare_pass_view *view, size_t first, size_t last);

/* Whether lexeme `i` is these bytes, a C string. */
bool pare_pass_lexeme_is(const pare_pass_view *view, size_t i, const char *text);

/* The token type of lexeme `i`, if it is a whole token of a grammar whose rules of tokens are
 * known; PARE_NO_INDEX else. */
pare_index pare_pass_lexeme_type(const pare_pass_view *view, size_t i);

/* Whether there is a line end between lexemes i-1 and i; the file's ends count as one. */
bool pare_pass_starts_line(const pare_pass_view *view, size_t i);

/* Whether a byte is in the file that no text has.  O(bytes). */
bool pare_pass_is_binary(const pare_pass_view *view);

/* Whether a quote is there that begins no string: one that moves may become its end. */
bool pare_pass_has_lone_quote(const pare_pass_view *view);

static inline size_t pare_pass_lexeme_size(const pare_pass_view *view, size_t i)
{
    return view->lexemes.at[i].to - view->lexemes.at[i].from;
}

/* `what` becomes `size` bytes at `with`, which are copied. */
typedef struct pare_pass_text {
    pare_extent what;
    const void *with;
    size_t size;
} pare_pass_text;

/* One patch of one change: `what` goes, or becomes a text.  `parent` and `index` as for
 * pare_patches_end.  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_pass_offer_cut(pare_patches *out, pare_extent what, uint32_t parent,
                                           uint32_t *index, pare_error *err);
PARE_CHECK pare_status pare_pass_offer_text(pare_patches *out, pare_pass_text text, uint32_t parent,
                                            uint32_t *index, pare_error *err);

/* The distinct names or strings of a view, and where they occur.  Binary files have none: what
 * looks like words there are values.  All-zero: none. */
typedef struct pare_pass_words {
    struct pare_pass_word {
        uint32_t first; /* lexeme; the others by `next` */
        uint32_t count;
    } * items; /* owned */
    size_t n, capacity;
} pare_pass_words;

/* The distinct words, or strings, of `view` that are no keywords, in the order of the text; those
 * that occur at least `least` times.  On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_pass_list_words(const pare_pass_view *view, pare_lexeme_kind kind,
                                            uint32_t least, pare_pass_words *out, pare_error *err);
void pare_pass_words_done(pare_pass_words *words);

/* Whether the tree says that lexeme `i` is the same in all texts: its symbol is called like
 * itself.  Without a tree, or names, nothing is a keyword. */
bool pare_pass_is_keyword(const pare_pass_view *view, size_t i);

/* Whether the first text is shorter, or as long and lower in rank where they differ first. */
bool pare_pass_is_simpler(const void *a, size_t a_size, const void *b, size_t b_size);

/* --- the lexical passes, by the name that each shows to the user ------------------------- */

extern const pare_pass pare_pass_comments;              /* pass_layout.c */
extern const pare_pass pare_pass_duplicate_lines;       /* pass_layout.c */
extern const pare_pass pare_pass_counted;               /* pass_counts.c */
extern const pare_pass pare_pass_brackets;              /* pass_brackets.c */
extern const pare_pass pare_pass_merge_groups;          /* pass_brackets.c */
extern const pare_pass pare_pass_lift;                  /* pass_brackets.c */
extern const pare_pass pare_pass_chains;                /* pass_chains.c */
extern const pare_pass pare_pass_operators;             /* pass_expressions.c */
extern const pare_pass pare_pass_inline_text;           /* pass_expressions.c */
extern const pare_pass pare_pass_inline_definitions;    /* pass_definitions.c */
extern const pare_pass pare_pass_bypass;                /* pass_definitions.c */
extern const pare_pass pare_pass_unused_definitions;    /* pass_redirect.c */
extern const pare_pass pare_pass_redirect;              /* pass_redirect.c */
extern const pare_pass pare_pass_alternatives;          /* alternatives.c */
extern const pare_pass pare_pass_coherent_deletion;     /* pass_names.c */
extern const pare_pass pare_pass_delete_to_equal_token; /* pass_windows.c */
extern const pare_pass pare_pass_shrink_token;          /* pass_literals.c */
extern const pare_pass pare_pass_token_rules;           /* pass_token_rules.c */
extern const pare_pass pare_pass_numbers;               /* pass_literals.c */
extern const pare_pass pare_pass_strings;               /* pass_literals.c */
extern const pare_pass pare_pass_peephole;              /* pass_expressions.c */
extern const pare_pass pare_pass_token_windows;         /* pass_windows.c */
extern const pare_pass pare_pass_token_patterns;        /* pass_windows.c */
extern const pare_pass pare_pass_other_lines;           /* pass_lines.c */
extern const pare_pass pare_pass_operands;              /* pass_operands.c */
extern const pare_pass pare_pass_long_words;            /* pass_words.c */
extern const pare_pass pare_pass_word_pieces;           /* pass_words.c */
extern const pare_pass pare_pass_merge_names;           /* pass_names.c */
extern const pare_pass pare_pass_short_names;           /* pass_names.c */
extern const pare_pass pare_pass_repeats;               /* pass_repeats.c */
extern const pare_pass pare_pass_byte_windows;          /* pass_windows.c */
extern const pare_pass pare_pass_reorder;               /* pass_layout.c */
extern const pare_pass pare_pass_byte_values;           /* pass_windows.c */
extern const pare_pass pare_pass_white_space;           /* pass_layout.c */

#endif
