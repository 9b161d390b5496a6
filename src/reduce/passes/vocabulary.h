/* The vocabulary of a view: each distinct name or string, and where it occurs.  Binary files
 * have none: what looks like words there are values. */
#ifndef PARE_REDUCE_PASSES_VOCABULARY_H
#define PARE_REDUCE_PASSES_VOCABULARY_H

#include <pare/export.h>
#include <pare/status.h>

#include "reduce/passes/pass.h"
#include "text/patch.h"

/* All-zero: none. */
typedef struct pare_vocabulary {
    struct pare_word {
        uint32_t first; /* lexeme; the others by `next` */
        uint32_t count;
    } * items; /* owned */
    size_t n, capacity;
} pare_vocabulary;

/* The distinct words of `view` that are no keywords, in the order of the text; those that
 * occur at least `least` times.  On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_vocabulary_of(const pare_pass_view *view, uint32_t least,
                                          pare_vocabulary *out, pare_error *err);
/* The distinct strings of `view`, as above. */
PARE_CHECK pare_status pare_vocabulary_strings(const pare_pass_view *view, pare_vocabulary *out,
                                               pare_error *err);
void pare_vocabulary_done(pare_vocabulary *words);

/* Whether the tree says that lexeme `i` is the same in all texts: its symbol is called like
 * itself.  Without a tree, or names, nothing is a keyword. */
bool pare_word_is_keyword(const pare_pass_view *view, size_t i);

/* Whether the first text is shorter, or as long and lower in rank where they differ first. */
bool pare_is_simpler(const void *a, size_t a_size, const void *b, size_t b_size);

/* Adds to the open patch: lexeme `first` and all later ones of the same bytes become `with`.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_change_words(const pare_pass_view *view, uint32_t first,
                                         const void *with, size_t size, pare_patches *out,
                                         pare_error *err);

#endif
