/* What literals and sets of characters of the grammar notation stand for.
 *
 * Escapes: \n \r \t \b \f \\ \' \" \- \] \uXXXX \u{X...} and, in sets, \p{...} \P{...}.
 * Two \uXXXX that are a surrogate pair are one code point.
 * Source: the ANTLR 4 documentation, doc/lexer-rules.md and doc/unicode.md. */
#ifndef PARE_GRAMMAR_G4_TEXT_H
#define PARE_GRAMMAR_G4_TEXT_H

#include "base/buffer.h"
#include "grammar/g4_lex.h"
#include "grammar/intervals.h"
#include "grammar/unicode.h"

typedef struct pare_code_points {
    uint32_t *items; /* owned */
    size_t n, capacity;
} pare_code_points;

/* What was odd about a text that could be read; both words have size 0 if nothing was. */
typedef struct pare_g4_oddities {
    pare_g4_word escape;   /* an escape that does not exist, taken as its character */
    pare_g4_word property; /* a property that is not known, taken as the empty set */
    bool is_approximate;   /* instead: the property is known, but not exactly */
} pare_g4_oddities;

/* Code points of a literal, without its quotes; *points is emptied first.
 * Errors: PARE_E_SYNTAX (it is empty, a bad \u), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_g4_text_literal(const char *path, pare_g4_word word,
                                            pare_code_points *points, pare_g4_oddities *oddities,
                                            pare_error *err);

/* How sets of characters are read. */
typedef struct pare_g4_text_sets {
    bool ignore_case; /* both cases of letters are added, as ANTLR does */
    pare_unicode *unicode;
} pare_g4_text_sets;

/* Adds the set [...] to *set.
 * Errors: PARE_E_SYNTAX (empty, a range backwards, a bad escape), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_g4_text_set(const char *path, pare_g4_word word, pare_g4_text_sets sets,
                                        pare_intervals *set, pare_g4_oddities *oddities,
                                        pare_error *err);

/* Adds from .. to, with `ignore_case` both cases when the ends have them.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_g4_text_span(uint32_t from, uint32_t to, bool ignore_case,
                                         pare_intervals *set, pare_error *err);

/* Appends the UTF-8 form of a code point.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_g4_text_add_utf8(pare_buffer *buffer, uint32_t code_point,
                                             pare_error *err);

#endif
