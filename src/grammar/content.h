/* What may stand below a node of a tree-sitter tree, read from its grammar.json.
 *
 * A rule is turned into a model over *visible* children: hidden rules, inlined ones and
 * supertypes are gone through, an alias stands where it is seen, a token without a name
 * of its own is seen if it is a fixed string.  A node type has as models the rule of its
 * name and every rule that is given its name by an alias.  A sequence of children is
 * matched against them; with children left out or replaced by others, this tells which
 * edits keep a text in the language.
 *
 * The answer orders and proposes; it must not forbid: a sequence called illegal may
 * parse as another tree.  Where a derivation needs a token of the language's own scanner
 * that is not seen (an automatic semicolon), it is called unsure.
 *
 * Immutable once read: any thread, each with a matcher of its own.
 * Source: our prototype (docs/design/sources.md); the recogniser is GLL without
 * forests: E. Scott and A. Johnstone, GLL Parsing, LDTA 2009. */
#ifndef PARE_GRAMMAR_CONTENT_H
#define PARE_GRAMMAR_CONTENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/fail.h"

typedef struct pare_content pare_content;

/* Reads a grammar.json.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_SYNTAX (no JSON, or no grammar of tree-sitter; the sentence names the
 * rule), PARE_E_LIMIT, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_content_read(const char *json, size_t size, pare_content **out,
                                         pare_error *err);
void pare_content_free(pare_content *content); /* NULL is a no-op */

enum {
    PARE_CONTENT_SKIPPED = UINT32_MAX - 1, /* a child that counts as not there */
    PARE_CONTENT_UNKNOWN = UINT32_MAX      /* one that nothing is known about */
};

/* Whether all that its networks refer to is there: the invariant.  O(size). */
bool pare_content_check(const pare_content *content);

/* The number by which children are given: of the node type `name`, or of the anonymous
 * token `name` when it is not named.  PARE_CONTENT_UNKNOWN when the grammar has none. */
uint32_t pare_content_symbol(const pare_content *content, const char *name, bool named);

/* Symbols have the numbers from 0 up to one less than this. */
size_t pare_content_n_symbols(const pare_content *content);

/* Whether children of that number may stand anywhere, as comments do. */
bool pare_content_is_extra(const pare_content *content, uint32_t symbol);

/* Whether the number is that of an anonymous token, such as a comma. */
bool pare_content_is_anonymous(const pare_content *content, uint32_t symbol);

/* Sets of symbols that may stand in the same place, such as all expressions. */
size_t pare_content_n_sets(const pare_content *content);
bool pare_content_set_has(const pare_content *content, uint32_t set, uint32_t symbol);

typedef enum pare_legality {
    PARE_ILLEGAL, /* no derivation */
    PARE_UNSURE,  /* only with a token that cannot be seen, or not known */
    PARE_LEGAL
} pare_legality;

/* Memory of the matching, kept between calls; all-zero at first.  One thread. */
typedef struct pare_content_matcher pare_content_matcher;

PARE_CHECK pare_status pare_content_matcher_new(const pare_content *content,
                                                pare_content_matcher **out, pare_error *err);
void pare_content_matcher_free(pare_content_matcher *matcher); /* NULL is a no-op */

/* Whether a node of type `symbol` may have just these children, `n` symbols.  Extras such
 * as comments may stand anywhere.  Time: about the number of children times the size of
 * the rules involved.  Errors: PARE_E_NOMEM, PARE_E_LIMIT; *out is untouched then. */
PARE_CHECK pare_status pare_content_match(pare_content_matcher *matcher, uint32_t symbol,
                                          const uint32_t *children, size_t n, pare_legality *out,
                                          pare_error *err);

/* What a derivation consists of, in the order of the children. */
typedef enum pare_content_event_kind {
    PARE_CONTENT_CHILD,    /* the next child; value: set of what may stand there, or
                              PARE_NO_INDEX: only its own kind */
    PARE_CONTENT_OPTIONAL, /* begins; ENDED ends it, as the two below */
    PARE_CONTENT_STAR,     /* begins; each round is introduced by NEXT_ROUND */
    PARE_CONTENT_PLUS,
    PARE_CONTENT_NEXT_ROUND,
    PARE_CONTENT_ENDED
} pare_content_event_kind;

typedef struct pare_content_event {
    uint32_t kind, value;
} pare_content_event;

/* A list of events; all-zero is empty. */
typedef struct pare_content_events {
    pare_content_event *items; /* owned */
    size_t n, capacity;
    bool derived; /* whether they are a derivation */
} pare_content_events;

void pare_content_match_done_events(pare_content_events *events);

/* Matches as pare_content_match does and says how: replaces *events by one derivation (the
 * first one found; loops go on while they can), with which quantifier each child is below.
 * events->derived is false when the answer needs none (an unknown type, a token) or is no.
 * Errors: as pare_content_match; PARE_E_LIMIT also for a derivation out of all proportion. */
PARE_CHECK pare_status pare_content_match_derive(pare_content_matcher *matcher, uint32_t symbol,
                                                 const uint32_t *children, size_t n,
                                                 pare_content_events *events, pare_error *err);

#endif
