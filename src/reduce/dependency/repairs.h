/* Repairs: a closed set that does not compile is closed again with what its compiler missed.
 *
 * Each error has a place, which is in a node, and mostly a name.  If the name has declarations
 * that were left out, the node needs them: an edge that the graph did not know, which is kept for
 * the run.  If not, the node is at fault, and is left out of this attempt with all that needs it.
 * The state of one strategy; copied with it.  One thread. */
#ifndef PARE_REDUCE_DEPENDENCY_REPAIRS_H
#define PARE_REDUCE_DEPENDENCY_REPAIRS_H

#include <stdbool.h>

#include "base/digest.h"
#include "base/fail.h"
#include "base/shared.h"
#include "reduce/dependency/dependency_edges.h"
#include "reduce/dependency/dependency_graph.h"
#include "run/complaints.h"

/* Complaints of the failing run that are known; more say nothing else. */
enum { PARE_REPAIRS_MOST_EXPECTED = 32 };

/* Who a complaint is of, and what it names. */
typedef struct pare_repairs_complaint {
    uint32_t node; /* PARE_NO_NODE: it has no place */
    pare_digest name;
} pare_repairs_complaint;

/* All-zero: nothing was learned. */
typedef struct pare_repairs {
    pare_dependency_edges learned; /* owned */
    pare_shared *without;          /* bits: left out of the attempt under way; NULL: nothing */
    unsigned n_tries;              /* in the attempt under way */
    bool again;                    /* it is to be tried once more */
    unsigned n_quiet;              /* attempts in a row of which nothing was heard */
    unsigned n_vain;               /* tries after mending since the last one that was of use */
    bool rejected;                 /* the attempt that was heard of last lacks something: */
    pare_repairs_complaint
        fault; /* the first of which nothing could be learned, or else the first; its node is
                  PARE_NO_NODE where none was read */
    /* Complaints that were there when the input failed, or what is left of it. */
    pare_repairs_complaint expected[PARE_REPAIRS_MOST_EXPECTED];
    size_t n_expected;
    pare_repairs_complaint heard[PARE_REPAIRS_MOST_EXPECTED]; /* of the attempt */
    size_t n_heard;
    pare_repairs_complaint before[PARE_REPAIRS_MOST_EXPECTED]; /* of the try before it */
    size_t n_before;
    bool hears;  /* they are known */
    bool linked; /* the failing text is a whole program, or a linker was heard */
} pare_repairs;

void pare_repairs_done(pare_repairs *repairs);

/* *copy need not be initialised; on failure it needs no done.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_repairs_copy(const pare_repairs *repairs, pare_repairs *copy,
                                         pare_error *err);

/* What the attempt was made of; all borrowed. */
typedef struct pare_repairs_attempt {
    const pare_dependency *graph;
    const pare_dependency_query *query; /* its `learned` and `without` are those of the repairs */
    const pare_dependency_bits *kept;   /* what was proposed */
    const uint32_t *roots;              /* never at fault, nor what they need */
    size_t n_roots;
    bool only_learns; /* no node is at fault: something was dropped on purpose */
    /* It is the closure of the roots: a node is at fault only where nothing is learned, and where
     * the roots can do without it. */
    bool is_all;
    unsigned most_tries; /* after the first, that it is worth; 0: as many as usual */
    bool calls;          /* bodies that are missing are asked for with those of what they call */
} pare_repairs_attempt;

/* The failing run complains, too: what it says of `node` is part of the failure, and nothing is mended
 * or left out for it. */
void pare_repairs_expect(pare_repairs *repairs, uint32_t node, const pare_complaint *complaint);

/* Learns from what was said of the attempt; sets `again` if another try may do better, at most a
 * few times in one attempt.  Cost: the candidate's size for each complaint.
 * Errors: PARE_E_NOMEM; the repairs are then only fit to be done. */
PARE_CHECK pare_status pare_repairs_hear(pare_repairs *repairs, const pare_repairs_attempt *attempt,
                                         const pare_complaints *complaints, pare_error *err);

/* The edges that the attempt was made with are of use, or not to blame. */
void pare_repairs_note_success(pare_repairs *repairs);

/* What was proposed fails, which is a success.  A test that asks for one message lets others
 * through: what was said of the attempt, if that was heard, is expected from now on. */
void pare_repairs_note_failure(pare_repairs *repairs);

/* The attempt was in vain: whether it is to be made again, mended; asked once. */
bool pare_repairs_take(pare_repairs *repairs);

/* Whether listening is worth its cost, which may be a run of a compiler for each attempt: to a few
 * of them only after many in a row with nothing to mend, and to none once mending was given up. */
bool pare_repairs_listens(const pare_repairs *repairs);

/* Whether mending was given up, for after many tries in a row no mended candidate failed or
 * compiled.  What was learned is forgotten then. */
bool pare_repairs_is_given_up(const pare_repairs *repairs);

/* The attempt is over; what was learned stays. */
void pare_repairs_end(pare_repairs *repairs);

#endif
