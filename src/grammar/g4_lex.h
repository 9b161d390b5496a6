/* Tokens of ANTLR's grammar notation.
 *
 * Made on demand, because two readings depend on where they stand: `[...]` is a set of
 * characters in a lexer rule and arguments elsewhere, which the parser tells.
 * Source: the ANTLR 4 documentation, doc/lexicon.md and doc/grammars.md. */
#ifndef PARE_GRAMMAR_G4_LEX_H
#define PARE_GRAMMAR_G4_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"
#include "grammar/intervals.h"
#include "grammar/unicode.h"

typedef enum pare_g4_token_kind {
    PARE_G4_END,
    PARE_G4_NAME,    /* of a rule, a token, or a keyword */
    PARE_G4_LITERAL, /* '...' with its quotes */
    PARE_G4_STRING,  /* "..." with its quotes; only in options */
    PARE_G4_NUMBER,
    PARE_G4_BRACKETS, /* [...] with its brackets */
    PARE_G4_ACTION,   /* {...} with its braces */
    PARE_G4_OPTIONS,  /* options { */
    PARE_G4_TOKENS,   /* tokens { */
    PARE_G4_CHANNELS, /* channels { */
    PARE_G4_ARROW,    /* -> */
    PARE_G4_RANGE,    /* .. */
    PARE_G4_APPEND,   /* += */
    PARE_G4_COLONS,   /* :: */
    PARE_G4_SIGN      /* any other single character: its first byte */
} pare_g4_token_kind;

/* A piece of a grammar's text and where it stands. */
typedef struct pare_g4_word {
    const char *text; /* borrowed from the file's text; not terminated */
    uint32_t size;    /* bytes */
    uint32_t line;    /* from 1 */
    uint32_t column;  /* from 0, in code points */
} pare_g4_word;

typedef struct pare_g4_token {
    pare_g4_token_kind kind;
    pare_g4_word word;
} pare_g4_token;

typedef struct pare_g4_lexer {
    const char *path;     /* for sentences; borrowed */
    const char *text;     /* borrowed */
    size_t size, at;      /* bytes */
    uint32_t line;        /* of `at` */
    size_t line_start;    /* where column 0 is */
    size_t continuations; /* bytes since line_start that start no code point */
    bool in_lexer_rule;   /* set by the parser: brackets are sets of characters */
} pare_g4_lexer;

/* Starts at the beginning of `text`, after a byte-order mark. */
void pare_g4_lex_init(pare_g4_lexer *lexer, const char *path, const char *text, size_t size);

/* Reads the next token.  Errors: PARE_E_SYNTAX (unterminated, or no token at all). */
PARE_CHECK pare_status pare_g4_lex_next(pare_g4_lexer *lexer, pare_g4_token *token,
                                        pare_error *err);

/* Fails with "path:line:column: " before the sentence; columns count from 1 there. */
pare_status pare_g4_lex_fail(const char *path, pare_g4_word place, pare_error *err,
                             const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Token names begin with an upper-case letter, of whatever alphabet. */
bool pare_g4_lex_is_token_name(pare_g4_word name);

bool pare_g4_lex_is(pare_g4_word word, const char *text);

/* What literals and sets of characters of the grammar notation stand for.
 *
 * Escapes: \n \r \t \b \f \\ \' \" \- \] \uXXXX \u{X...} and, in sets, \p{...} \P{...}.
 * Two \uXXXX that are a surrogate pair are one code point.
 * Source: the ANTLR 4 documentation, doc/lexer-rules.md and doc/unicode.md. */

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
PARE_CHECK pare_status pare_g4_lex_literal(const char *path, pare_g4_word word,
                                           pare_code_points *points, pare_g4_oddities *oddities,
                                           pare_error *err);

/* How sets of characters are read. */
typedef struct pare_g4_text_sets {
    bool ignore_case; /* both cases of letters are added, as ANTLR does */
    pare_unicode *unicode;
} pare_g4_text_sets;

/* Adds the set [...] to *set.
 * Errors: PARE_E_SYNTAX (empty, a range backwards, a bad escape), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_g4_lex_set(const char *path, pare_g4_word word, pare_g4_text_sets sets,
                                       pare_intervals *set, pare_g4_oddities *oddities,
                                       pare_error *err);

/* Adds from .. to, with `ignore_case` both cases when the ends have them.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_g4_lex_span(uint32_t from, uint32_t to, bool ignore_case,
                                        pare_intervals *set, pare_error *err);

#endif
