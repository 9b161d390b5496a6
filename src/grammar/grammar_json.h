/* A grammar.json of tree-sitter, opened: what its two readers have in common.
 *
 * One makes the grammar model of it (tree_sitter_grammar.h), the other content models
 * (content.h).  One thread. */
#ifndef PARE_GRAMMAR_GRAMMAR_JSON_H
#define PARE_GRAMMAR_GRAMMAR_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>
#include <pare/export.h>
#include <pare/status.h>

typedef struct pare_grammar_json {
    json_t *root;      /* owned */
    json_t *rules;     /* borrowed from root: name -> body, in the order of the file; not empty */
    json_t *hidden;    /* owned: names of inlined rules and of supertypes */
    json_t *externals; /* owned: names of the tokens of the language's own scanner */
} pare_grammar_json;

/* On PARE_OK the caller ends *out with pare_grammar_json_done; it is all-zero otherwise.
 * Bodies are nested at most 2048 deep, which jansson sees to.
 * Errors: PARE_E_SYNTAX (no JSON, or no rules), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_grammar_json_open(const char *json, size_t size, pare_grammar_json *out,
                                              pare_error *err);
void pare_grammar_json_done(pare_grammar_json *grammar); /* all-zero is a no-op */

/* The string under `key`, or "". */
const char *pare_grammar_json_text(const json_t *object, const char *key);

/* Whether a body is of that type: "SEQ", "CHOICE", ... */
bool pare_grammar_json_is(const json_t *body, const char *type);

/* Whether a body only gives a precedence to what it holds. */
bool pare_grammar_json_is_precedence(const json_t *body);

/* Whether the name is in `names`, one of the sets above. */
bool pare_grammar_json_has(const json_t *names, const char *name);

#endif
