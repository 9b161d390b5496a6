/* ddmin-parallel: ddmin with its two cases of reduction combined.
 *
 * The source tests the subsets 1 .. n and the complements n+1 .. 2n of a round in one
 * parallel loop, without waiting for the subsets to end, and leaves open which of
 * several failing ones is taken.  Here it is the one of the lowest index, so that the
 * result does not depend on timing; the engine's running ahead is the parallel loop, for
 * `ddmin` as well.  Step by step the two are therefore the same: this name stands for
 * the source, and takes the same knobs.
 *
 * Guarantee: 1-minimal, see ddmin.c.
 * Source: seed 001, algorithm 1; Hodován and Kiss, ICSOFT 2016. */
#include "reduce/list/algorithm.h"
#include "reduce/list/algorithms.h"
#include "reduce/list/ddmin.h"

const pare_list_algorithm pare_list_ddmin_parallel = {
    .info = {.name = "ddmin-parallel",
             .summary = "ddmin with subsets and complements in one stream, lowest index first",
             .source = "Hodován and Kiss, ICSOFT 2016, algorithm 1",
             .one_minimal = true},
    .knobs = PARE_KNOBS_DDMIN,
    .state_bytes = sizeof(pare_ddmin),
    .start = pare_ddmin_start,
    .next = pare_ddmin_next,
    .tell = pare_ddmin_tell,
};
