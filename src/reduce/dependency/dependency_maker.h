/* Clauses in the making: facts, and the pairs that the graph's lists are made of.  For dependency_rules.c and
 * dependency_uses.c alone. */
#ifndef PARE_REDUCE_DEPENDENCY_DEPENDENCY_MAKER_H
#define PARE_REDUCE_DEPENDENCY_DEPENDENCY_MAKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"
#include "base/hash_index.h"
#include "reduce/dependency/dependency_lists.h"
#include "reduce/dependency/dependency_own.h"
#include "reduce/dependency/outline.h"

typedef enum pare_dependency_fact_kind {
    PARE_DEPENDENCY_FACT_BODIES,
    PARE_DEPENDENCY_FACT_LAYOUT,
    PARE_DEPENDENCY_FACT_USED,
    PARE_DEPENDENCY_FACT_MEMBER,
    PARE_DEPENDENCY_FACT_OWN,        /* as a member of the class that is its space */
    PARE_DEPENDENCY_FACT_PRESENT,    /* anywhere, */
    PARE_DEPENDENCY_FACT_PRESENT_IN, /* or in the space */
    PARE_DEPENDENCY_FACT_OPERATOR,
    PARE_DEPENDENCY_FACT_FOUND, /* by its arguments only: in the space */
    PARE_DEPENDENCY_FACT_INHABITED, /* a class of the space, or of one in it, is kept; `word` is that of the space */
    PARE_DEPENDENCY_FACT_DEFINED /* a member of a class called `space`, a word here, that is defined outside of it, is there */
} pare_dependency_fact_kind;

/* A fact; those of one word that are USED or MEMBER are linked. */
typedef struct pare_dependency_fact {
    pare_dependency_fact_kind kind;
    uint32_t word, space;
    uint32_t next; /* of the same word, or PARE_NO_WORD */
    uint32_t n_functions;
    bool opened; /* a name space of that name was seen */
} pare_dependency_fact;

/* Clauses in the making. */
typedef struct pare_dependency_maker {
    const pare_outline *outline;
    pare_error *err;
    pare_dependency_fact *facts; /* owned */
    size_t n_facts, fact_capacity;
    pare_hash_index fact_index; /* by kind, word and space */
    uint32_t *first_fact;       /* owned; by word: the last that is USED or MEMBER */
    pare_dependency_pairs edges, providers, premises, heads, named, always;
    pare_dependency_lists signatures; /* node: facts that its classes are there */
    pare_dependency_lists declared;   /* word: nodes; `named` as lists */
    pare_dependency_lists spaces;     /* word: name spaces that are called so; not the global one */
    pare_dependency_own own;
    uint32_t
        *outer; /* owned; by node, of a member defined outside of its class: what that is called */
    unsigned char
        *is_deduced;         /* owned; by node: a function has the type of what its body returns */
    unsigned char *is_class; /* owned; by word: a class of that name is declared */
    unsigned char
        *is_member;          /* owned; by word: there is a fact PARE_DEPENDENCY_FACT_MEMBER of it */
    unsigned char *is_named; /* owned; by node: it declares a name */
} pare_dependency_maker;

/* Appends a pair.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_dependency_maker_add_pair(pare_dependency_maker *maker,
                                                      pare_dependency_pairs *pairs, uint32_t from,
                                                      uint32_t to);

/* The number of a fact among nodes and facts. */
static inline uint32_t pare_dependency_maker_number(const pare_dependency_maker *maker,
                                                    uint32_t fact)
{
    return (uint32_t)maker->outline->n_nodes + fact;
}

static inline const pare_outline_node *pare_dependency_maker_node(
    const pare_dependency_maker *maker, uint32_t node)
{
    return &maker->outline->nodes[node];
}

/* The fact of that kind, word and space; PARE_NO_WORD: there is none. */
uint32_t pare_dependency_maker_find_fact(const pare_dependency_maker *maker,
                                         pare_dependency_fact_kind kind, uint32_t word,
                                         uint32_t space);

/* Sets *out to the fact of that kind, word and space, which may be a new one.  Without a word it is always
 * new: facts are found by their words.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_dependency_maker_make_fact(pare_dependency_maker *maker,
                                                       pare_dependency_fact_kind kind,
                                                       uint32_t word, uint32_t space,
                                                       uint32_t *out);

/* Sets *out to the number of the fact that a node is kept which declares `word` for who looks it up from `space`, or if
 * that is PARE_NO_WORD anywhere; made when a clause asks for it.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_dependency_maker_present(pare_dependency_maker *maker, uint32_t word,
                                                     uint32_t space, uint32_t *out);

/* Opens a clause; its premises follow by add_premise.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_dependency_maker_add_clause(pare_dependency_maker *maker,
                                                        uint32_t head);

/* A premise of the clause that was opened last.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_dependency_maker_add_premise(pare_dependency_maker *maker,
                                                         uint32_t premise);

/* The classes in the node's signature are premises of the last clause: an overload is of no use without its
 * arguments.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_dependency_maker_add_signature(pare_dependency_maker *maker,
                                                           uint32_t node);

/* By what arguments the function is found are premises of the last clause.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_dependency_maker_add_arguments(pare_dependency_maker *maker,
                                                           uint32_t node);

/* Whether the node declares the word.  O(log declarations). */
bool pare_dependency_maker_declares(const pare_dependency_maker *maker, uint32_t node,
                                    uint32_t word);

#endif
