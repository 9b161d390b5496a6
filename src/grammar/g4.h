/* The reader of ANTLR's grammar notation from the inside: tokens (g4_lex.c), the parser that
 * makes a pare_g4_file of a text (g4_parse.c), and what makes one grammar of several files
 * (g4_resolve.c).  For this folder; what others call is grammar_file.h. */
#ifndef PARE_GRAMMAR_G4_H
#define PARE_GRAMMAR_G4_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "grammar/grammar.h"
#include "grammar/intervals.h"
#include "grammar/unicode.h"

/* Tokens of ANTLR's grammar notation.
 *
 * Made on demand, because two readings depend on where they stand: `[...]` is a set of
 * characters in a lexer rule and arguments elsewhere, which the parser tells.
 * Source: the ANTLR 4 documentation, doc/lexicon.md and doc/grammars.md. */

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

/* One .g4 file as it is written: what the grammar parser makes and the resolver reads.
 *
 * Words point into the file's text, which the file owns.  Nodes stand in one array,
 * children before their parent, all nodes of a rule together. */

typedef enum pare_g4_node_kind {
    PARE_G4_EMPTY,
    PARE_G4_SEQUENCE,
    PARE_G4_CHOICE,
    PARE_G4_OPTIONAL,
    PARE_G4_STAR,
    PARE_G4_PLUS,
    PARE_G4_REFERENCE, /* word: name of a rule or a token */
    PARE_G4_TEXT,      /* word: '...' */
    PARE_G4_SPAN,      /* word: '.', other: '.' */
    PARE_G4_CLASS,     /* word: [...] */
    PARE_G4_ANY,
    PARE_G4_NOT /* children: references, texts, spans, classes */
} pare_g4_node_kind;

typedef struct pare_g4_node {
    pare_g4_node_kind kind;
    bool lazy, right;
    bool negated; /* part of a NOT: no expression of its own */
    pare_index first, next;
    pare_g4_word word, other;
    pare_g4_word label; /* of the element or the alternative; size 0: none */
} pare_g4_node;

typedef struct pare_g4_command {
    pare_g4_word name, argument; /* argument: size 0 when there is none */
    pare_index alternative;      /* node; none: the rule has one alternative only */
} pare_g4_command;

typedef enum pare_g4_case {
    PARE_G4_CASE_INHERITED,
    PARE_G4_CASE_KEPT,
    PARE_G4_CASE_IGNORED
} pare_g4_case;

typedef struct pare_g4_rule {
    pare_g4_word name;
    bool is_lexer, is_fragment, has_options;
    pare_g4_case letter_case;
    pare_g4_word mode; /* size 0: the default one */
    pare_index body;
    pare_index first_node, end_node; /* its nodes: first_node .. end_node-1 */
    pare_index first_command, end_command;
} pare_g4_rule;

typedef enum pare_g4_grammar_kind {
    PARE_G4_COMBINED,
    PARE_G4_LEXER_GRAMMAR,
    PARE_G4_PARSER_GRAMMAR
} pare_g4_grammar_kind;

/* What a grammar holds that is not read; one warning each. */
typedef enum pare_g4_ignored {
    PARE_G4_IGNORED_ACTION,
    PARE_G4_IGNORED_PREDICATE,
    PARE_G4_IGNORED_ARGUMENTS,
    PARE_G4_IGNORED_HANDLER,
    PARE_G4_IGNORED_NAMED_ACTION,
    PARE_G4_IGNORED_SUPERCLASS,
    PARE_G4_IGNORED_ELEMENT_OPTION,
    PARE_G4_N_IGNORED
} pare_g4_ignored;

typedef struct pare_g4_words {
    pare_g4_word *items; /* owned */
    size_t n, capacity;
} pare_g4_words;

typedef struct pare_g4_file {
    char *path;       /* owned */
    pare_buffer text; /* owned */
    pare_g4_grammar_kind kind;
    pare_g4_word name;
    pare_g4_word vocabulary; /* tokenVocab; size 0: none */
    bool ignore_case;
    pare_g4_words imports, tokens, channels, modes;
    pare_g4_rule *rules; /* owned */
    size_t n_rules, rules_capacity;
    pare_g4_node *nodes; /* owned */
    size_t n_nodes, nodes_capacity;
    pare_g4_command *commands; /* owned */
    size_t n_commands, commands_capacity;
    pare_g4_word ignored[PARE_G4_N_IGNORED]; /* first of each kind; line 0: none */
} pare_g4_file;

void pare_g4_parse_done(pare_g4_file *file); /* all-zero is a no-op */

/* Parses file->text; path and text are set, all else is zero.  What was read stays in
 * *file, which the caller releases in any case.
 * Errors: PARE_E_SYNTAX with file, line and column; PARE_E_LIMIT (2^30 bytes or more);
 * PARE_E_NOMEM. */
PARE_CHECK pare_status pare_g4_parse(pare_g4_file *file, pare_error *err);

/* From the files of a grammar to the grammar model: names to indices, bodies to expressions. */

/* Files in the order in which their rules count: a root, then what it imports. */
typedef struct pare_g4_parts {
    const pare_g4_file **items; /* owned; the files are the project's */
    size_t n, capacity;
} pare_g4_parts;

typedef struct pare_g4_project {
    pare_g4_file **files; /* owned */
    size_t n_files, files_capacity;
    size_t n_given;
    pare_g4_parts parser; /* empty: only a lexer */
    pare_g4_parts lexer;  /* of a combined grammar: the same files */
    bool is_combined;
} pare_g4_project;

/* Makes one grammar of the project's files.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_SYNTAX (err has file, line and column), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_g4_resolve(const pare_g4_project *project, pare_grammar **out,
                                       pare_error *err);

#endif
