/* The grammar model: rules over an extended context-free body, whatever notation they
 * were read from.
 *
 * A grammar holds parser rules, whose alphabet is tokens, and lexer rules, whose
 * alphabet is characters (code points).  A grammar without lexer rules of its own kind
 * (fuzzingbook's) works on characters throughout: `scannerless` is set.  Bodies are
 * expressions in one array, linked by indices: an expression has its operands as a list
 * of children.  Nothing is desugared here: quantifiers and left recursion stay as
 * written, because trees and reducers need them.
 *
 * Immutable once read; everything in it is owned by the grammar and lives as long as it
 * does.  One thread to build, any number to read. */
#ifndef PARE_GRAMMAR_GRAMMAR_H
#define PARE_GRAMMAR_GRAMMAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Index of an expression, a rule, a set, ...; PARE_NO_INDEX: none. */
typedef uint32_t pare_index;
#define PARE_NO_INDEX UINT32_MAX

typedef enum pare_expr_kind {
    PARE_EXPR_EMPTY,    /* epsilon */
    PARE_EXPR_SEQUENCE, /* children one after the other */
    PARE_EXPR_CHOICE,   /* one of the children, the first that fits wins */
    PARE_EXPR_OPTIONAL, /* child ?; greedy or not */
    PARE_EXPR_STAR,     /* child * */
    PARE_EXPR_PLUS,     /* child + */
    PARE_EXPR_RULE,     /* `rule`: a parser rule; in a lexer rule, a lexer rule or fragment */
    PARE_EXPR_TOKEN,    /* parser rules: the token type `token` */
    PARE_EXPR_LITERAL,  /* lexer and scannerless rules: the code points of `text` */
    PARE_EXPR_SET,      /* lexer: a code point of `set`; parser: a token type of `set` */
    PARE_EXPR_ANY,      /* wildcard: any code point, or any token but end of file */
    PARE_EXPR_END       /* end of file */
} pare_expr_kind;

/* One node of a body. */
typedef struct pare_expr {
    pare_expr_kind kind;
    bool lazy;        /* quantifiers: non-greedy (`*?`) */
    bool right;       /* an alternative with <assoc=right> */
    pare_index first; /* first child, or none */
    pare_index next;  /* next sibling, or none */
    union {
        pare_index rule;  /* RULE */
        pare_index token; /* TOKEN */
        pare_index set;   /* SET */
        struct {
            uint32_t offset, size; /* LITERAL: in grammar->code_points */
        } text;
    };
    pare_index label; /* name of an element (`x=`) or an alternative (`# x`), or none */
} pare_expr;

/* Code points (or token types) from .. to, both included. */
typedef struct pare_interval {
    uint32_t from, to;
} pare_interval;

/* Ascending, disjoint, not touching intervals; already complemented where the source
 * had a negation. */
typedef struct pare_set {
    uint32_t first, n; /* in grammar->intervals */
} pare_set;

typedef enum pare_rule_kind {
    PARE_RULE_PARSER,
    PARE_RULE_LEXER,   /* makes tokens */
    PARE_RULE_FRAGMENT /* only used by lexer rules */
} pare_rule_kind;

typedef enum pare_lexer_command_kind {
    PARE_LEXER_SKIP,
    PARE_LEXER_MORE,
    PARE_LEXER_CHANNEL, /* value: channel; a number written as such may have no name */
    PARE_LEXER_TYPE,    /* value: token type */
    PARE_LEXER_MODE,    /* value: mode */
    PARE_LEXER_PUSH_MODE,
    PARE_LEXER_POP_MODE
} pare_lexer_command_kind;

typedef struct pare_lexer_command {
    pare_lexer_command_kind kind;
    pare_index value;
    pare_index alternative; /* expression it belongs to; none: the whole rule */
} pare_lexer_command;

typedef struct pare_rule {
    const char *name; /* UTF-8; unique in the grammar */
    pare_rule_kind kind;
    pare_index body;  /* an expression; a CHOICE when there are several alternatives */
    pare_index mode;  /* lexer rules: the mode it belongs to (0: default) */
    pare_index token; /* lexer rules: the token type it makes; none when every use of it
                         ends in `type` or `more` (see commands) */
    bool ignore_case; /* lexer rules and fragments: caseInsensitive.  Sets in the body hold
                         both cases already; literals are as written, any case matches */
    uint32_t first_command, n_commands; /* in grammar->commands */
    uint32_t line, column;              /* where it was defined; line from 1, column from 0 */
} pare_rule;

/* Token types: 0 is the end of file; the others count from 1 in ANTLR's order. */
typedef struct pare_token_type {
    const char *name;    /* symbolic name; NULL for an anonymous literal */
    const char *literal; /* its text, quotes and escapes resolved; NULL when not fixed */
    pare_index rule;     /* the lexer rule that makes it first, or none */
} pare_token_type;

enum { PARE_TOKEN_END = 0 };

/* Channels: 0 is the default one, 1 is HIDDEN. */
typedef struct pare_grammar {
    const char *name; /* as the source declares it, or the file's base name */
    bool scannerless; /* parser rules work on characters */
    pare_rule *rules;
    size_t n_rules;
    pare_expr *exprs;
    size_t n_exprs;
    pare_set *sets;
    size_t n_sets;
    pare_interval *intervals;
    size_t n_intervals;
    uint32_t *code_points;
    size_t n_code_points;
    pare_lexer_command *commands;
    size_t n_commands;
    pare_token_type *tokens;
    size_t n_tokens;
    const char **modes; /* names; [0] is DEFAULT_MODE */
    size_t n_modes;
    const char **channels; /* names; [0] DEFAULT_TOKEN_CHANNEL, [1] HIDDEN */
    size_t n_channels;
    const char **labels;
    size_t n_labels;
    char **warnings; /* one sentence each, with file, line and column */
    size_t n_warnings;
    void *memory; /* of the names; see builder.h */
} pare_grammar;

void pare_grammar_free(pare_grammar *grammar); /* NULL is a no-op */

/* Index of the rule of that name, or PARE_NO_INDEX.  O(rules). */
pare_index pare_grammar_find_rule(const pare_grammar *grammar, const char *name);

/* Index of the token type of that symbolic name or literal text, or PARE_NO_INDEX. */
pare_index pare_grammar_find_token(const pare_grammar *grammar, const char *name);

/* The rule to start with when none is named: the first parser rule.  PARE_NO_INDEX when
 * there is none. */
pare_index pare_grammar_start(const pare_grammar *grammar);

/* Whether indices are in range, lists end, sets are ordered; for tests and fuzzing. */
bool pare_grammar_check(const pare_grammar *grammar);

#endif
