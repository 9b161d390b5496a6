/* A grammar.json of tree-sitter in the grammar model, for what is asked of every grammar:
 * shortest texts, subtypes, alternatives.
 *
 * Every rule is a parser rule, hidden and inlined ones and supertypes too; each alias is one
 * more, whose body is what it renames.  Strings, patterns and token(...) are token types with
 * a lexer rule each.  Precedences, fields and the words that a rule reserves are not kept:
 * the model derives texts, it does not parse them (that is done by the parser that
 * tree-sitter has made of the same grammar).
 *
 * A token of the language's own scanner has no rule, hence no text, unless an example of it
 * is given; nor has a pattern that is not understood (grammar/builder.h).
 *
 * Immutable once read: any thread. */
#ifndef PARE_GRAMMAR_TREE_SITTER_GRAMMAR_H
#define PARE_GRAMMAR_TREE_SITTER_GRAMMAR_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <pare/export.h>
#include <pare/status.h>

#include "grammar/grammar.h"

/* What a rule is in a tree. */
typedef struct pare_shown_rule {
    const char *name; /* of its nodes; NULL: it has none */
    bool named;       /* not a token known by its text */
    bool alias;       /* the name is given by an alias; the body is what it is given to */
} pare_shown_rule;

typedef struct pare_tree_sitter_grammar {
    pare_grammar *grammar;  /* owned, as is all below */
    pare_shown_rule *shown; /* of each rule */
    pare_index word;        /* the rule whose texts may be keywords; PARE_NO_INDEX: none */
} pare_tree_sitter_grammar;

/* A text that stands in an input for a token of the language's own scanner, or for a rule,
 * which is then nothing but that text. */
typedef struct pare_token_example {
    const char *name;
    const char *text;
    size_t size;
} pare_token_example;

/* Reads a grammar.json, with `n` examples.  The first rule is the start rule.  On PARE_OK
 * the caller ends *out with pare_tree_sitter_grammar_done.
 * Errors: PARE_E_SYNTAX (no JSON, or no grammar of tree-sitter), PARE_E_LIMIT, PARE_E_NOMEM;
 * *out is untouched then. */
PARE_CHECK pare_status pare_tree_sitter_grammar_read(const char *json, size_t size,
                                                     const pare_token_example *examples, size_t n,
                                                     pare_tree_sitter_grammar *out,
                                                     pare_error *err);
void pare_tree_sitter_grammar_done(pare_tree_sitter_grammar *grammar); /* all-zero is a no-op */

/* A grammar.json, opened: what its two readers have in common.  One makes the grammar model of it,
 * the other content models (content.h).  One thread. */
typedef struct pare_grammar_json {
    json_t *root;      /* owned */
    json_t *rules;     /* borrowed from root: name -> body, in the order of the file; not empty */
    json_t *hidden;    /* owned: names of inlined rules and of supertypes */
    json_t *externals; /* owned: names of the tokens of the language's own scanner */
} pare_grammar_json;

/* On PARE_OK the caller ends *out with pare_tree_sitter_grammar_close; it is all-zero otherwise.
 * Bodies are nested at most 2048 deep, which jansson sees to.
 * Errors: PARE_E_SYNTAX (no JSON, or no rules), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_tree_sitter_grammar_open(const char *json, size_t size,
                                                     pare_grammar_json *out, pare_error *err);
void pare_tree_sitter_grammar_close(pare_grammar_json *grammar); /* all-zero is a no-op */

/* The string under `key`, or "". */
static inline const char *pare_tree_sitter_grammar_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* Whether a body is of that type: "SEQ", "CHOICE", ... */
static inline bool pare_tree_sitter_grammar_is(const json_t *body, const char *type)
{
    return strcmp(pare_tree_sitter_grammar_text(body, "type"), type) == 0;
}

/* Whether a body only gives a precedence to what it holds: PREC, PREC_LEFT, PREC_RIGHT or
 * PREC_DYNAMIC. */
static inline bool pare_tree_sitter_grammar_is_precedence(const json_t *body)
{
    return strncmp(pare_tree_sitter_grammar_text(body, "type"), "PREC", 4) == 0;
}

/* Whether the name is in `names`, one of the sets above. */
static inline bool pare_tree_sitter_grammar_has(const json_t *names, const char *name)
{
    return json_object_get(names, name) != NULL;
}

#endif
