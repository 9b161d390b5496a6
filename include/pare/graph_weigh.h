/* Weights for the edges of a prototype graph, learned from which tests were worth making.
 *
 * Tests that pare_generate made from a graph are made again by their numbers, and each edge that
 * a walk takes is counted.  An edge that is in the worthwhile tests more often than in the others
 * gets a weight, by which later walks take it more often.  What is worthwhile is the caller's to
 * say: tests that reached lines that none before them did, or those that failed.
 * Source: Hodován and Kiss, "Fuzzing JavaScript engine APIs", iFM 2016, name weights of edges as
 * what their graph lacks; this rule is ours. */
#ifndef PARE_GRAPH_WEIGH_H
#define PARE_GRAPH_WEIGH_H

#include <stddef.h>
#include <stdint.h>

#include <pare/generate.h>
#include <pare/graph.h>
#include <pare/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pare_graph_weigh_options {
    size_t struct_bytes;                   /* 0, or its sizeof; see <pare/pare.h>, "Versions" */
    const pare_generate_options *generate; /* that made the tests: a graph, their number, the seed,
                                              and what else was said; no cooldown; borrowed */
    const uint64_t *numbers; /* of the tests that were worth making, from 0; borrowed */
    size_t n_numbers;
    uint32_t most; /* no weight is larger; 0: 16 */
} pare_graph_weigh_options;

/* What came of it; ended by pare_graph_weighed_done. */
typedef struct pare_graph_weighed {
    pare_graph *graph;  /* owned: the one of the options, with the new weights only */
    uint64_t n_texts;   /* made, without those that were made before */
    uint64_t n_worth;   /* of those: worth making */
    uint32_t n_taken;   /* edges that any of them took */
    uint32_t n_heavier; /* edges that have a weight above 1 now */
} pare_graph_weighed;

PARE_API void pare_graph_weighed_done(pare_graph_weighed *weighed);

/* What follows, for those who cannot use this header, such as other languages: the size is that
 * of a struct of options whose struct_bytes is 0. */
PARE_API PARE_CHECK pare_status pare_graph_weigh_sized(const pare_graph_weigh_options *options,
                                                       size_t options_bytes,
                                                       pare_graph_weighed *weighed,
                                                       pare_error *err);

/* Makes the tests again and weighs the edges: the weight of an edge is the share of worthwhile
 * tests among those that took it, divided by that share among all, rounded, 1 .. `most`.  An
 * edge that few tests took is drawn towards 1, as if it had been in eight more tests of the usual
 * share.  A text that is made a second time counts only once.  On PARE_OK the caller owns
 * *weighed, which has to be all-zero before.  The same options give the same graph.
 * Errors: PARE_E_ARG (no graph, a cooldown, a number beyond the tests), those of pare_generate. */
static inline PARE_CHECK pare_status pare_graph_weigh(const pare_graph_weigh_options *options,
                                                      pare_graph_weighed *weighed, pare_error *err)
{
    return pare_graph_weigh_sized(options, sizeof *options, weighed, err);
}

#ifdef __cplusplus
}
#endif

#endif
