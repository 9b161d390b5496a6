/* Weights of edges by the texts that took them.
 *
 * Each text is made once more by its number, with a walk that marks the edges it takes.  Of each
 * edge two numbers are kept: texts that took it, and worthwhile ones among them.  The quotient of
 * its share and the share of all texts says how much likelier a text with this edge is to be
 * worthwhile; shares are smoothed by PRIOR_TEXTS texts of the usual share, because an edge that
 * one lucky text took says little (Laplace's rule, with the known mean as its prior).  Only what
 * is above the mean is told, as a weight above 1: nothing becomes rarer than it is now, except by
 * what becomes more frequent, so no part of the engine is given up.
 *
 * Why not a bandit that learns while texts are made: texts are numbered and made by threads, and
 * their bytes may depend on nothing but the seed; so what is learned goes into the graph's file,
 * between two runs.
 * Invariant: of each edge, worthwhile texts <= texts <= n_texts. */
#include <pare/generate.h>
#include <pare/graph.h>
#include <pare/graph_weigh.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/checksum.h"
#include "base/fail.h"
#include "base/hash_index.h"
#include "base/sized.h"
#include "base/vector.h"
#include "generate/batch.h"
#include "generate/generator_setup.h"
#include "generate/prototype/graph.h"
#include "generate/prototype/walk.h"

enum { PRIOR_TEXTS = 8, DEFAULT_MOST = 16 };

/* How often an edge was taken. */
struct tally {
    uint32_t texts, worth;
};

/* The weighing. */
struct weighing {
    const pare_graph_weigh_options *options;
    pare_generate_options generate; /* with repeats, since texts are told apart here */
    pare_generator_setup setup;
    pare_text_maker maker;
    pare_batch batch;
    uint64_t *numbers; /* owned, as are all arrays; worthwhile ones, sorted */
    uint8_t *taken;    /* of each edge, by the text at hand */
    struct tally *tallies;
    uint64_t *keys; /* of the texts that were made; `known` finds them */
    size_t n_keys, keys_capacity;
    pare_hash_index known;
};

/* For qsort; a difference of unsigned numbers would wrap round. */
static int compare_numbers(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* What cannot be weighed is refused before anything is read. */
static pare_status check(const pare_graph_weigh_options *options, pare_error *err)
{
    const pare_generate_options *generate = options->generate;
    if (!generate || !generate->graph)
        return pare_fail(err, PARE_E_ARG, "a graph and the tests made from it are needed");
    if (generate->cooldown > 0 && generate->cooldown < 1)
        return pare_fail(err, PARE_E_ARG,
                         "tests that were made with a cooldown depend on those before them, and "
                         "cannot be made again one by one");
    if (generate->unseeded)
        return pare_fail(err, PARE_E_ARG, "tests without a seed cannot be made again");
    if (options->most > PARE_GRAPH_MAX_WEIGHT)
        return pare_fail(err, PARE_E_ARG, "a weight must be at most %u", PARE_GRAPH_MAX_WEIGHT);
    uint64_t n = generate->n ? generate->n : 1;
    if (n > UINT32_MAX)
        return pare_fail(err, PARE_E_ARG, "there are too many tests to weigh at once");
    for (size_t i = 0; i < options->n_numbers; i++)
        if (options->numbers[i] >= n)
            return pare_fail(err, PARE_E_ARG,
                             "there is no test %llu: %llu were made, counted from 0",
                             (unsigned long long)options->numbers[i], (unsigned long long)n);
    return PARE_OK;
}

/* Sets up the generator as it was when the texts were made, and has its walk mark the edges that it
 * takes in self->taken.
 *
 * Whatever was made before a failure is released by the caller. */
static pare_status prepare(struct weighing *self, pare_error *err)
{
    const pare_graph_weigh_options *options = self->options;
    self->generate = *options->generate;
    self->generate.repeats = true;
    pare_status status = pare_generator_setup_init(&self->setup, &self->generate, err);
    if (!status) status = pare_generator_setup_maker_init(&self->maker, &self->setup, err);
    if (status) return status;
    uint32_t n_edges = pare_graph_n_edges(self->setup.graph);
    self->numbers = pare_alloc(options->n_numbers, sizeof *self->numbers);
    self->taken = pare_alloc_zero(n_edges, 1);
    self->tallies = pare_alloc_zero(n_edges, sizeof *self->tallies);
    if (!self->numbers || !self->taken || !self->tallies) return pare_fail_nomem(err);
    if (options->n_numbers) {
        memcpy(self->numbers, options->numbers, options->n_numbers * sizeof *self->numbers);
        qsort(self->numbers, options->n_numbers, sizeof *self->numbers, compare_numbers);
    }
    pare_walk_trace(self->maker.walk, self->taken);
    return PARE_OK;
}

/* Notes the text at hand by a 64-bit checksum; *is_new is false if it was made before.  A text that
 * a generator likes to repeat must not count several times.  Two different texts with one checksum
 * would lose one of them, which changes a weight by nothing that matters. */
static pare_status note_text(struct weighing *self, bool *is_new, pare_error *err)
{
    const pare_buffer *bytes = &self->batch.bytes;
    uint64_t key = pare_checksum(bytes->size ? bytes->data : "", bytes->size);
    pare_hash_probe probe = pare_hash_index_probe(&self->known, key);
    uint32_t item;
    *is_new = false;
    while (pare_hash_index_next(&self->known, &probe, &item))
        if (self->keys[item] == key) return PARE_OK;
    uint64_t *keys = pare_vector_grow(self->keys, self->n_keys, &self->keys_capacity, sizeof *keys);
    if (!keys) return pare_fail_nomem(err);
    self->keys = keys;
    keys[self->n_keys] = key;
    *is_new = true;
    return pare_hash_index_add(&self->known, key, (uint32_t)self->n_keys++, err);
}

/* Counts the text at hand for each edge that it took.  O(edges) for each text; making it costs
 * more. */
static void tally(struct weighing *self, bool is_worth, pare_graph_weighed *weighed)
{
    weighed->n_texts++;
    weighed->n_worth += is_worth;
    for (uint32_t i = 0; i < pare_graph_n_edges(self->setup.graph); i++) {
        self->tallies[i].texts += self->taken[i];
        self->tallies[i].worth += self->taken[i] && is_worth;
    }
}

/* Makes all texts again, in order.  `numbers` is sorted, and `at` is the next worthwhile one; the
 * same number given twice counts once. */
static pare_status make_texts(struct weighing *self, pare_graph_weighed *weighed, pare_error *err)
{
    uint64_t n = self->generate.n ? self->generate.n : 1;
    pare_status status = PARE_OK;
    size_t at = 0;
    for (uint64_t number = 0; !status && number < n; number++) {
        bool is_new = false, is_worth = false;
        for (; at < self->options->n_numbers && self->numbers[at] == number; at++)
            is_worth = true;
        memset(self->taken, 0, pare_graph_n_edges(self->setup.graph));
        status = pare_batch_make(&self->maker.batches, number, 1, 0, &self->batch, err);
        if (!status && self->batch.made[0]) status = note_text(self, &is_new, err);
        if (!status && is_new) tally(self, is_worth, weighed);
    }
    return status;
}

/* The weight that an edge has earned: its share of worthwhile texts, smoothed, divided by the
 * share of all texts, rounded, and kept within 1 .. most.  An edge that no worthwhile text took
 * keeps 1. */
static uint32_t weight_of(const struct weighing *self, const struct tally *tally,
                          const pare_graph_weighed *weighed)
{
    uint32_t most = self->options->most ? self->options->most : DEFAULT_MOST;
    assert(tally->worth <= tally->texts && tally->texts <= weighed->n_texts);
    if (!tally->worth) return 1;
    double mean = (double)weighed->n_worth / (double)weighed->n_texts;
    double share = (tally->worth + PRIOR_TEXTS * mean) / ((double)tally->texts + PRIOR_TEXTS);
    double weight = share / mean + 0.5;
    return weight >= most ? most : weight < 1 ? 1 : (uint32_t)weight;
}

/* Makes the graph with the new weights.  It is built anew, since a finished graph does not change;
 * edges of weight 1 are those that the copy has already. */
static pare_status apply(const struct weighing *self, pare_graph_weighed *weighed, pare_error *err)
{
    const pare_graph *graph = self->setup.graph;
    pare_graph_builder *builder = NULL;
    pare_status status = pare_graph_builder_new(&builder, err);
    if (!status) status = pare_graph_builder_copy_unweighed(builder, graph, err);
    for (uint32_t i = 0; !status && i < pare_graph_n_edges(graph); i++) {
        pare_graph_edge edge = *pare_graph_edge_at(graph, i);
        edge.weight = weight_of(self, &self->tallies[i], weighed);
        weighed->n_taken += self->tallies[i].texts > 0;
        weighed->n_heavier += edge.weight > 1;
        if (edge.weight > 1) status = pare_graph_builder_edge(builder, &edge, err);
    }
    if (!status) status = pare_graph_builder_finish(builder, &weighed->graph, err);
    pare_graph_builder_free(builder);
    return status;
}

/* O(texts * edges), and the time to make the texts.  On failure *weighed is empty. */
pare_status pare_graph_weigh_sized(const pare_graph_weigh_options *options, size_t options_bytes,
                                   pare_graph_weighed *weighed, pare_error *err)
{
    pare_graph_weigh_options own;
    struct weighing self = {.options = &own};
    pare_status status =
        pare_sized_take(&own, sizeof own, options, options_bytes, "options to weigh", err);
    if (!status) status = check(&own, err);
    if (!status) status = prepare(&self, err);
    if (!status) status = make_texts(&self, weighed, err);
    if (!status) status = apply(&self, weighed, err);
    pare_generator_setup_maker_done(&self.maker);
    pare_generator_setup_done(&self.setup);
    pare_batch_done(&self.batch);
    pare_hash_index_done(&self.known);
    pare_alloc_free(self.numbers);
    pare_alloc_free(self.taken);
    pare_alloc_free(self.tallies);
    pare_alloc_free(self.keys);
    if (status) pare_graph_weighed_done(weighed);
    return status;
}

/* All-zero is a no-op. */
void pare_graph_weighed_done(pare_graph_weighed *weighed)
{
    pare_graph_free(weighed->graph);
    *weighed = (pare_graph_weighed){0};
}
