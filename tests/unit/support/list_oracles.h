/* Synthetic oracles over positions, of the kinds of which reducers meet real ones.
 *
 *   scattered  some units are needed, wherever they are
 *   deps       and 60 % of all units need one earlier unit within 200, as uses need
 *              definitions
 *   pairs      and nested pairs can only go together, as brackets do */
#ifndef PARE_TESTS_LIST_ORACLES_H
#define PARE_TESTS_LIST_ORACLES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/random.h"

enum { LIST_ORACLE_UNITS = 1024, LIST_ORACLE_NONE = LIST_ORACLE_UNITS };

struct list_oracle {
    size_t n, n_needed;
    bool needed[LIST_ORACLE_UNITS];
    uint32_t needs[LIST_ORACLE_UNITS];   /* an earlier unit, or NONE */
    uint32_t partner[LIST_ORACLE_UNITS]; /* goes and stays together, or NONE */
};

static inline void list_oracle_scatter(struct list_oracle *oracle, size_t n, size_t n_needed,
                                       pare_random *random)
{
    memset(oracle, 0, sizeof *oracle);
    oracle->n = n;
    oracle->n_needed = n_needed;
    for (size_t i = 0; i < LIST_ORACLE_UNITS; i++)
        oracle->needs[i] = oracle->partner[i] = LIST_ORACLE_NONE;
    for (size_t left = n_needed; left;) {
        size_t i = pare_random_below(random, n);
        if (oracle->needed[i]) continue;
        oracle->needed[i] = true;
        left--;
    }
}

static inline void list_oracle_add_deps(struct list_oracle *oracle, pare_random *random)
{
    for (size_t i = 1; i < oracle->n; i++) {
        if (pare_random_below(random, 10) >= 6) continue;
        size_t reach = i < 200 ? i : 200;
        oracle->needs[i] = (uint32_t)(i - 1 - pare_random_below(random, reach));
    }
}

/* Nested pairs within from .. to-1. */
static inline void list_oracle_add_pairs(struct list_oracle *oracle, size_t from, size_t to,
                                         pare_random *random)
{
    if (to - from < 6) return;
    size_t eighth = (to - from) / 8 ? (to - from) / 8 : 1;
    size_t open = from + pare_random_below(random, eighth);
    size_t close = to - eighth + pare_random_below(random, eighth);
    if (oracle->partner[open] == LIST_ORACLE_NONE && oracle->partner[close] == LIST_ORACLE_NONE) {
        oracle->partner[open] = (uint32_t)close;
        oracle->partner[close] = (uint32_t)open;
    }
    size_t middle = (open + close) / 2;
    list_oracle_add_pairs(oracle, open + 1, middle, random);
    list_oracle_add_pairs(oracle, middle, close, random);
}

/* A list_predicate; the context is a struct list_oracle. */
static inline bool list_oracle_fails(const void *context, const uint32_t *kept, size_t n)
{
    const struct list_oracle *oracle = context;
    bool here[LIST_ORACLE_UNITS + 1] = {false};
    size_t n_needed = 0;
    for (size_t i = 0; i < n; i++) {
        here[kept[i]] = true;
        n_needed += oracle->needed[kept[i]];
    }
    if (n_needed < oracle->n_needed) return false;
    for (size_t i = 0; i < n; i++) {
        uint32_t needs = oracle->needs[kept[i]], partner = oracle->partner[kept[i]];
        if (needs != LIST_ORACLE_NONE && !here[needs]) return false;
        if (partner != LIST_ORACLE_NONE && !here[partner]) return false;
    }
    return true;
}

#endif
