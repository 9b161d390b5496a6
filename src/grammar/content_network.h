/* The compiled form of content models: small networks that call one another.  Shared by
 * their reader (content.c) and their matcher (content_match.c). */
#ifndef PARE_GRAMMAR_CONTENT_NETWORK_H
#define PARE_GRAMMAR_CONTENT_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

typedef enum pare_content_kind {
    PARE_CONTENT_FORK,  /* goes on at `next` and, if there is one, at `other` */
    PARE_CONTENT_TAKE,  /* takes one child `value` */
    PARE_CONTENT_CALL,  /* goes through the rule `value` */
    PARE_CONTENT_SET,   /* takes one child that is in the set `value` */
    PARE_CONTENT_GUESS, /* a token that is not seen: fine, but unsure */
    PARE_CONTENT_OPEN,  /* a quantifier `value` begins, for derivations */
    PARE_CONTENT_ROUND, /* a round of the innermost quantifier begins */
    PARE_CONTENT_CLOSE, /* the innermost quantifier ends */
    PARE_CONTENT_RETURN /* the rule ends */
} pare_content_kind;

typedef struct pare_content_state {
    pare_content_kind kind;
    uint32_t value;
    uint32_t next, other; /* states, or PARE_NO_INDEX */
} pare_content_state;

/* A node type and one of the rules it may be. */
typedef struct pare_content_model {
    uint32_t symbol;
    uint32_t rule; /* PARE_NO_INDEX: a token, without children */
} pare_content_model;

struct pare_content {
    pare_content_state *states; /* owned, as all below */
    size_t n_states, state_capacity;
    uint32_t *entries; /* state at which each rule begins */
    size_t n_rules;
    pare_content_model *models;
    size_t n_models, model_capacity;
    json_t *rule_index; /* name -> number of the rule */
    json_t *symbols[2]; /* of anonymous and of named ones: name -> number of the symbol */
    bool *extras;       /* of each symbol */
    bool *anonymous;    /* of each symbol */
    size_t n_symbols;
    uint64_t *sets; /* of symbols, a bit each */
    size_t n_sets, set_capacity, set_words;
};

#endif
