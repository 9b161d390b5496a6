/* The machine that matches children against content models, for those who look into what
 * it did: the matcher (content_match.c) and the maker of derivations (content_derive.c). */
#ifndef PARE_GRAMMAR_CONTENT_MATCHER_H
#define PARE_GRAMMAR_CONTENT_MATCHER_H

#include "grammar/content.h"
#include "grammar/content_network.h"

/* Three numbers that are kept once, and their index. */
typedef struct pare_content_triple {
    uint32_t a, b, c;
} pare_content_triple;

typedef struct pare_content_triples {
    pare_content_triple *items; /* owned */
    size_t n, capacity;
    uint32_t *slots; /* owned; index + 1, or 0; at most half full */
    size_t n_slots;
} pare_content_triples;

/* How a descriptor was found first: from which one, and, when that one returned from a
 * rule, which one had called it.  Both have smaller numbers, or are PARE_NO_INDEX. */
typedef struct pare_content_trail {
    uint32_t from, caller;
} pare_content_trail;

/* A link of a list: who waits for a call, or where it has ended. */
typedef struct pare_content_link {
    uint32_t value; /* waiting: state; ended: number of children */
    uint32_t call;  /* waiting: the call it is in */
    uint32_t maker; /* waiting: descriptor that called; ended: descriptor that returned */
    uint32_t next;  /* link, or PARE_NO_INDEX */
} pare_content_link;

typedef struct pare_content_heads {
    uint32_t waiting, ended;
} pare_content_heads;

struct pare_content_matcher {
    const pare_content *content;
    pare_content_triples found; /* descriptors: state, call, children taken */
    pare_content_trail *trails; /* owned; of each descriptor */
    size_t trail_capacity;
    pare_content_triples calls; /* rule, children taken */
    pare_content_heads *heads;  /* owned; of each call */
    size_t head_capacity;
    pare_content_link *links; /* owned */
    size_t n_links, link_capacity;
    const uint32_t *children; /* borrowed during a match, as all below */
    uint32_t n_children;
    bool unsure; /* guesses are allowed */
    bool accepted;
    uint32_t end; /* the descriptor that accepted; PARE_NO_INDEX: a token */
    pare_error *err;
};

#endif
