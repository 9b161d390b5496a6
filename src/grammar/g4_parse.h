/* The parser of ANTLR's grammar notation: text to pare_g4_file.
 *
 * Blocks are kept on a stack of its own, so nesting is bounded by memory only. */
#ifndef PARE_GRAMMAR_G4_PARSE_H
#define PARE_GRAMMAR_G4_PARSE_H

#include "base/buffer.h"
#include "grammar/g4_lex.h"
#include "grammar/grammar.h"

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

#endif
