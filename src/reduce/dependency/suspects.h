/* Suspects: the nodes that a compiler worked on when it failed, and what is beside and around them.
 *
 * The state of one strategy: plain values, copied with it.  All-zero: there are none.  One thread. */
#ifndef PARE_REDUCE_DEPENDENCY_SUSPECTS_H
#define PARE_REDUCE_DEPENDENCY_SUSPECTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"
#include "base/shared.h"
#include "reduce/dependency/deletions.h"
#include "reduce/dependency/dependency_graph.h"
#include "reduce/dependency/repairs.h"
#include "run/complaints.h"

enum {
    PARE_SUSPECTS_MOST = 24,      /* later ones are of what led there */
    PARE_SUSPECTS_MOST_USERS = 32 /* more use a name that is everybody's */
};

typedef struct pare_suspects {
    bool warned;                        /* some are there because the compiler warned of them */
    uint32_t nodes[PARE_SUSPECTS_MOST]; /* each of them once, in the order of the complaints */
    size_t n;
    uint32_t reported[PARE_SUSPECTS_MOST]; /* the nodes at which something is called an error */
    size_t n_reported;
    uint32_t users[PARE_SUSPECTS_MOST_USERS]; /* of the suspects, and of users */
    size_t n_users;
    unsigned n_levels; /* of users that were looked for */
} pare_suspects;

/* Adds the nodes at the places of the complaints about the text of `within`; `repairs` is told to expect
 * these complaints.  Cost: the text, and a search of the nodes for each complaint.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_suspects_take(pare_suspects *suspects, const pare_dependency *graph,
                                          const pare_dependency_bits *within,
                                          const pare_complaints *complaints, pare_repairs *repairs,
                                          pare_error *err);

/* Adds the next level of users: nodes of query->within that name a suspect or a user.  *more: there are
 * some, few enough, and it is not a level too many; else nothing is added.  O(edges).
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_suspects_widen(pare_suspects *suspects, const pare_dependency *graph,
                                           const pare_dependency_query *query, bool *more,
                                           pare_error *err);

/* What leads to no suspect of the statements beside one, see pare_deletions_beside, as a set of which the
 * caller owns one reference; *beside is NULL where there is nothing.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_suspects_find_beside(const pare_suspects *suspects,
                                                 const pare_dependency *graph,
                                                 const pare_dependency_query *query,
                                                 pare_shared **beside, pare_error *err);

/* Makes of `kept`, which is empty, the closure of the suspects that are left, with `users` also that of
 * their users.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_suspects_close(const pare_suspects *suspects,
                                           const pare_dependency *graph,
                                           const pare_dependency_query *query, bool users,
                                           pare_dependency_bits *kept, pare_error *err);

/* Begins deletions, which know then what is likely to be needed.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_suspects_begin(const pare_suspects *suspects,
                                           const pare_dependency *graph, pare_deletions *deletions,
                                           pare_error *err);

/* Writes the suspects to `out`, with `users` also these, and returns how many there are: at most
 * PARE_SUSPECTS_MOST and PARE_SUSPECTS_MOST_USERS. */
size_t pare_suspects_copy(const pare_suspects *suspects, bool users, uint32_t *out);

#endif
