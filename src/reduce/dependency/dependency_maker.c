/* Facts, found by their kinds, words and spaces, and pairs that are collected for the lists of the graph.
 *
 * A hash index finds a fact.  Only those that a use may mean by its name alone are linked by their words, too: of the
 * others there may be one for each class of a program. */
#include "reduce/dependency/dependency_maker.h"

#include "base/fail.h"
#include "base/halving.h"
#include "base/hash_index.h"
#include "base/random.h"
#include "base/vector.h"

/* Appends a pair to one of the lists in the making; out of memory is said by the maker's own
 * error. */
pare_status pare_dependency_maker_add_pair(pare_dependency_maker *maker,
                                           pare_dependency_pairs *pairs, uint32_t from, uint32_t to)
{
    return pare_dependency_lists_add(pairs, from, to, maker->err);
}

/* Word and space fill 64 bits; the kind is spread over all of them so that facts of one word and
 * space differ. */
static uint64_t hash(pare_dependency_fact_kind kind, uint32_t word, uint32_t space)
{
    return ((uint64_t)word << 32 | space) ^ pare_random_mix((uint64_t)kind);
}

/* O(1) on average.  Facts without a word (BODIES, LAYOUT) are not in the index and never found. */
uint32_t pare_dependency_maker_find_fact(const pare_dependency_maker *maker,
                                         pare_dependency_fact_kind kind, uint32_t word,
                                         uint32_t space)
{
    pare_hash_probe probe = pare_hash_index_probe(&maker->fact_index, hash(kind, word, space));
    uint32_t i;
    while (pare_hash_index_next(&maker->fact_index, &probe, &i))
        if (maker->facts[i].kind == kind && maker->facts[i].word == word &&
            maker->facts[i].space == space)
            return i;
    return PARE_NO_WORD;
}

/* Finds the fact or appends one.  USED and MEMBER facts also become the head of their word's
 * list (first_fact), so that a use can go through all meanings of its name, the latest first.  A
 * fact without a word is always new: facts are found by their words. */
pare_status pare_dependency_maker_make_fact(pare_dependency_maker *maker,
                                            pare_dependency_fact_kind kind, uint32_t word,
                                            uint32_t space, uint32_t *out)
{
    if (word != PARE_NO_WORD) {
        *out = pare_dependency_maker_find_fact(maker, kind, word, space);
        if (*out != PARE_NO_WORD) return PARE_OK;
    }
    pare_dependency_fact *facts =
        pare_vector_grow(maker->facts, maker->n_facts, &maker->fact_capacity, sizeof *facts);
    if (!facts) return pare_fail_nomem(maker->err);
    maker->facts = facts;
    *out = (uint32_t)maker->n_facts++;
    facts[*out] =
        (pare_dependency_fact){.kind = kind, .word = word, .space = space, .next = PARE_NO_WORD};
    if (word == PARE_NO_WORD) return PARE_OK;
    pare_status status =
        pare_hash_index_add(&maker->fact_index, hash(kind, word, space), *out, maker->err);
    const bool member = kind == PARE_DEPENDENCY_FACT_MEMBER;
    if (member) maker->is_member[word] = 1;
    if (status || !(member || kind == PARE_DEPENDENCY_FACT_USED)) return status;
    facts[*out].next = maker->first_fact[word];
    maker->first_fact[word] = *out;
    return PARE_OK;
}

/* The innermost of `space` and those around it that declares the word, as a name there hides all
 * of that name further out; PARE_NO_WORD: none does, or the language does not look names up so.
 * Declarations must be known by then: it goes by the facts USED. */
static uint32_t nearest(const pare_dependency_maker *maker, uint32_t word, uint32_t space)
{
    if (!maker->outline->members_hide) return PARE_NO_WORD;
    while (pare_dependency_maker_find_fact(maker, PARE_DEPENDENCY_FACT_USED, word, space) ==
           PARE_NO_WORD) {
        if (!space) return PARE_NO_WORD;
        space = maker->outline->spaces[space].parent;
    }
    return space;
}

/* The fact is made when a clause asks for it; who provides for it is added at the end
 * (present_all in dependency_rules.c), when all such facts are known. */
pare_status pare_dependency_maker_present(pare_dependency_maker *maker, uint32_t word,
                                          uint32_t space, uint32_t *out)
{
    if (space != PARE_NO_WORD) space = nearest(maker, word, space);
    pare_status status =
        space == PARE_NO_WORD
            ? pare_dependency_maker_make_fact(maker, PARE_DEPENDENCY_FACT_PRESENT, word, 0, out)
            : pare_dependency_maker_make_fact(maker, PARE_DEPENDENCY_FACT_PRESENT_IN, word, space,
                                              out);
    if (!status) *out = pare_dependency_maker_number(maker, *out);
    return status;
}

/* Opens a clause.  In `heads` a pair is (conclusion, number of premises), and its index is the
 * number of the clause; the premises follow by add_premise, and must come before another clause
 * is opened. */
pare_status pare_dependency_maker_add_clause(pare_dependency_maker *maker, uint32_t head)
{
    return pare_dependency_maker_add_pair(maker, &maker->heads, head, 0);
}

/* A premise of the clause that was opened last. */
pare_status pare_dependency_maker_add_premise(pare_dependency_maker *maker, uint32_t premise)
{
    /* The count goes up even if the pair cannot be added: on failure all of it is thrown away. */
    maker->heads.at[maker->heads.n - 1].to++;
    return pare_dependency_maker_add_pair(maker, &maker->premises, premise,
                                          (uint32_t)maker->heads.n - 1);
}

enum { MOST_PREMISES = 8 }; /* classes of a signature that count */

/* The classes in the node's signature are premises of the last clause: an overload is of no use
 * without its arguments. `void f(A, B)` comes only where both A and B are kept.  Of
 * MOST_PREMISES at most, since a clause with too few premises only keeps too much. */
pare_status pare_dependency_maker_add_signature(pare_dependency_maker *maker, uint32_t node)
{
    pare_status status = PARE_OK;
    const pare_dependency_lists *lists = &maker->signatures;
    uint32_t end = lists->first[node + 1], n = 0;
    for (uint32_t i = lists->first[node]; !status && i < end && n < MOST_PREMISES; i++, n++)
        status = pare_dependency_maker_add_premise(maker, lists->to[i]);
    return status;
}

/* Of a name space, an operator or function that takes any type is found where an argument is of
 * a class of that space: that some class of it is kept is the premise of the last clause.  A
 * template `operator<<` of `std` is needed only while a class of `std`, or of a name space in
 * it, is kept. Source: argument-dependent lookup, C++20 [basic.lookup.argdep]. */
static pare_status add_inhabited(pare_dependency_maker *maker, uint32_t space)
{
    uint32_t fact;
    if (!space || !maker->outline->members_hide) return PARE_OK;
    pare_status status = pare_dependency_maker_make_fact(
        maker, PARE_DEPENDENCY_FACT_INHABITED, maker->outline->spaces[space].word, space, &fact);
    return status ? status
                  : pare_dependency_maker_add_premise(maker,
                                                      pare_dependency_maker_number(maker, fact));
}

/* By what arguments the function is found are premises of the last clause: the classes of its
 * signature, or where it has none, any class of its name space. */
pare_status pare_dependency_maker_add_arguments(pare_dependency_maker *maker, uint32_t node)
{
    const bool any = maker->signatures.first[node] == maker->signatures.first[node + 1];
    return any ? add_inhabited(maker, pare_dependency_maker_node(maker, node)->space)
               : pare_dependency_maker_add_signature(maker, node);
}

/* Whether the node declares the word. */
bool pare_dependency_maker_declares(const pare_dependency_maker *maker, uint32_t node,
                                    uint32_t word)
{
    const pare_dependency_lists *declared = &maker->declared;
    pare_halving search = {.low = declared->first[word], .high = declared->first[word + 1]};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, declared->to[search.middle] < node);
    return search.low < declared->first[word + 1] && declared->to[search.low] == node;
}
