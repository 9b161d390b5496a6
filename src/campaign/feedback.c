/* The way of an input that reaches something new, from its test to the population.
 *
 * A test whose map has bits that the union lacks (coverage.h) waits, with those bits, until no test
 * is running.  Then it is run once more: bits that the second run lacks are random and are
 * forgotten.  Its input is reduced by pare_reduce, with the question whether all of the new bits
 * are still reached; the result joins the population.  So members are small, and mutations more
 * often change what matters.
 *
 * Tests of reductions are paid from a credit that grows by a ninth of a test with each test of the
 * campaign, so apart from the beginning they are at most a tenth of all tests.  At the beginning,
 * when every second input is new, most join unreduced: testing other inputs finds more then, and
 * soon smaller inputs reach the same.  Later all are reduced.  Why not in a separate job:
 * generators would evolve the long inputs meanwhile.
 *
 * The union and the population are shared through the store: anything that another job has reached
 * is not new here.  Invariant: what the store has as reached was reached by an input that is in the
 * population, has come only by chance, or found no room.  So bits of inputs that still wait are
 * told to nobody: if we are stopped or killed now, another job finds them again.
 * Source: seed 002, exercise 1 (reduce what reaches something new before it joins); The Fuzzing
 * Book, MutationCoverageFuzzer; AFL's queue, calibration and trimming. */
#include "campaign/feedback.h"

#include <assert.h>
#include <string.h>

#include <pare/algorithm.h>
#include <pare/outcome.h>
#include <pare/reduce.h>
#include <pare/result.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "campaign/corpus_table.h"
#include "campaign/coverage.h"
#include "os/stop.h"
#include "run/process.h"
#include "text/candidate.h"
#include "text/text.h"

enum {
    MOST_WAITING = 64,
    MOST_TESTS = 400,     /* of a reduction */
    LEAST_TESTS = 16,     /* fewer are of no use */
    CREDIT_LIMIT = 20000, /* tests */
    COMMAND_TIME_MS = 10000
};

static const double CREDIT_A_TEST = 1.0 / 9, FIRST_CREDIT = 1000;

/* An input that waits to be confirmed, with the bits that it was the first to reach. */
struct waiting {
    pare_buffer bytes;
    pare_coverage_news news;
};

/* One job's feedback. It belongs to one thread; what jobs share is in the store. */
struct pare_feedback {
    pare_feedback_options options;
    pare_coverage_command *command; /* owned; NULL: AFL's map */
    pare_coverage coverage;
    struct waiting *waiting; /* owned; MOST_WAITING */
    size_t n_waiting;
    double credit;
    int64_t last_entry; /* of the population, that the source was given */
    pare_text *nothing;
    pare_candidate candidate;
    /* Of the reduction under way: */
    const pare_coverage_news *wanted;
    pare_feedback_cost *cost;
    pare_status status; /* of a test that could not be run */
    pare_error failure;
};

/* --- maps of tests --------------------------------------------------------------------------- */

/* What a test has reached; borrowed until the next test. */
struct map {
    unsigned char *bytes; /* classified; NULL: there is none */
    size_t size;
};

/* The map of the test on this input, which has ended in `slot`. */
static pare_status read_map(pare_feedback *self, unsigned slot, const void *bytes, size_t size,
                            struct map *map, pare_error *err)
{
    pare_status status = PARE_OK;
    *map = (struct map){NULL, 0};
    if (self->command)
        status =
            pare_coverage_command_run(self->command, bytes, size, &map->bytes, &map->size, err);
    else
        map->bytes = pare_process_coverage(self->options.oracle, slot, &map->size);
    if (!status && map->bytes) pare_coverage_classify(map->bytes, map->size);
    return status;
}

/* Runs an input in slot 0, which is free, as all slots are; *failed: not to be believed. */
static pare_status run_alone(pare_feedback *self, const void *bytes, size_t size, bool *failed,
                             pare_error *err)
{
    pare_oracle *oracle = self->options.oracle;
    pare_wait what = PARE_WAIT_TIMEOUT;
    pare_verdict verdict = {0};
    pare_candidate_start(&self->candidate, self->nothing);
    pare_status status =
        size ? pare_candidate_literal(&self->candidate, bytes, size, err) : PARE_OK;
    if (!status) status = oracle->ops->start(oracle, 0, &self->candidate, err);
    if (!status) status = oracle->ops->wait(oracle, -1, &what, &verdict, err);
    if (status) return status;
    if (what != PARE_WAIT_VERDICT) return pare_fail(err, PARE_E_INTERRUPTED, "interrupted");
    *failed = verdict.outcome == PARE_FAIL || verdict.timed_out;
    self->cost->tests++;
    self->cost->testing_s += verdict.duration_ms / 1000;
    return PARE_OK;
}

/* Runs an input again. *has tells whether it reaches all of `wanted`; false
 * also where it fails or gives no map, since then it is no input to make others
 * of. Costs one test. */
static pare_status reaches(pare_feedback *self, const void *bytes, size_t size, bool *has,
                           pare_error *err)
{
    struct map map = {NULL, 0};
    bool failed = false;
    *has = false;
    pare_status status = self->command ? PARE_OK : run_alone(self, bytes, size, &failed, err);
    if (!status) status = read_map(self, 0, bytes, size, &map, err);
    if (status || failed || !map.bytes) return status;
    *has = pare_coverage_has(map.bytes, map.size, self->wanted);
    self->cost->tests += self->command != NULL;
    return PARE_OK;
}

/* --- reductions ------------------------------------------------------------------------------ */

/* A pare_predicate: the reduction keeps what still reaches the new bits. A test
 * that cannot be run is remembered in self->status and makes all further ones
 * unresolved, so that the reduction ends soon. */
static pare_outcome keeps_news(void *context, const void *bytes, size_t size)
{
    pare_feedback *self = context;
    bool has = false;
    if (!self->status) self->status = reaches(self, bytes, size, &has, &self->failure);
    if (self->status) return PARE_UNRESOLVED;
    return has ? PARE_FAIL : PARE_PASS;
}

/* Makes the input smaller; what is left is in its place. */
static pare_status shrink(pare_feedback *self, struct waiting *waiting, uint64_t most_tests,
                          pare_error *err)
{
    const pare_reduce_options options = {.input = {.bytes = waiting->bytes.data,
                                                   .size_bytes = waiting->bytes.size,
                                                   .name = self->options.target->base_name},
                                         .test = {.predicate = keeps_news, .context = self},
                                         .effort = PARE_EFFORT_FAST,
                                         .trees = {.language = "none"},
                                         .limits = {.max_tests = most_tests},
                                         .events = {.stop = self->options.stop}};
    pare_result result = {0};
    pare_error unused = {0};
    pare_status status = pare_reduce(&options, &result, &unused);
    if (self->status) {
        status = pare_fail(err, self->status, "%s", self->failure.message);
    } else if (!status && result.size_bytes < waiting->bytes.size) {
        pare_buffer_reset(&waiting->bytes);
        status = pare_buffer_add(&waiting->bytes, result.bytes, result.size_bytes, err);
    } else {
        /* It comes by chance after all: it joins as it is. */
        status = PARE_OK;
    }
    pare_result_done(&result);
    return status;
}

/* Confirms one input, reduces it if the credit allows, and adds it to the
 * population. One that does not reach its bits again is forgotten. */
static pare_status work_one(pare_feedback *self, struct waiting *waiting, pare_error *err)
{
    const uint64_t before = self->cost->tests;
    bool has = false, is_new = false;
    self->wanted = &waiting->news;
    self->status = PARE_OK;
    self->failure = (pare_error){0};
    pare_status status = reaches(self, waiting->bytes.data, waiting->bytes.size, &has, err);
    if (status || !has) return status;
    /* A third, so that one large input does not leave the next ones without. */
    const double most = self->credit / 3 < MOST_TESTS ? self->credit / 3 : MOST_TESTS;
    const bool is_reduced = most >= LEAST_TESTS && waiting->bytes.size > 1;
    if (is_reduced) status = shrink(self, waiting, (uint64_t)most, err);
    self->credit -= (double)(self->cost->tests - before);
    if (!status && pare_stop_requested(self->options.stop))
        return pare_fail(err, PARE_E_INTERRUPTED, "interrupted");
    if (!status)
        status = pare_corpus_table_add(self->options.store, self->options.target->name,
                                       &(pare_corpus_input){.source = self->options.source_name,
                                                            .bytes = waiting->bytes.data,
                                                            .size = waiting->bytes.size,
                                                            .new_edges = waiting->news.edges,
                                                            .is_reduced = is_reduced},
                                       &is_new, err);
    return status;
}

/* Puts the new bits of a waiting input into the union, or takes them out; of a map of another size
 * there may be fewer places. */
static void set_reached(pare_feedback *self, const struct waiting *waiting, bool is_reached)
{
    const pare_coverage *coverage = &self->coverage;
    for (size_t i = 0; i < waiting->news.n; i++) {
        const pare_coverage_bits *bits = &waiting->news.items[i];
        if (bits->edge >= coverage->size) continue;
        unsigned char *place = &coverage->reached[bits->edge];
        *place = is_reached ? *place | bits->bits : *place & (unsigned char)~bits->bits;
    }
}

/* Asked before each test is started; no test may be under way while the work is done. */
bool pare_feedback_has_work(const pare_feedback *feedback)
{
    return feedback->n_waiting > 0;
}

/* What waits is worked off in the order in which it came, so earlier inputs have the credit
 * first. */
pare_status pare_feedback_work(pare_feedback *self, pare_feedback_cost *cost, pare_error *err)
{
    pare_status status = PARE_OK;
    size_t done = 0;
    self->cost = cost;
    while (!status && done < self->n_waiting)
        status = work_one(self, &self->waiting[done++], err);
    /* After an error the rest is given up, with what it was the first to reach: so that is new
     * again, for whoever comes by it next. */
    for (size_t i = status ? done - 1 : self->n_waiting; i < self->n_waiting; i++)
        set_reached(self, &self->waiting[i], false);
    self->n_waiting = 0;
    self->cost = NULL;
    return status;
}

/* --- looking --------------------------------------------------------------------------------- */

/* Grows the union at once, before the input was confirmed: of several inputs that reach the
 * same, one is looked at.  The map is the oracle's, and is overwritten by the next test of the
 * slot. */
pare_status pare_feedback_look(pare_feedback *self, unsigned slot, const void *bytes, size_t size,
                               uint64_t *new_edges, pare_error *err)
{
    struct map map = {NULL, 0};
    *new_edges = 0;
    if (self->credit < CREDIT_LIMIT) self->credit += CREDIT_A_TEST;
    pare_status status = read_map(self, slot, bytes, size, &map, err);
    if (status || !map.bytes) return status;
    assert(self->n_waiting < MOST_WAITING && "what waits is worked off first");
    /* Only now it is known how large maps are: what others have reached is not new. */
    if (self->coverage.size != map.size) {
        status = pare_coverage_fit(&self->coverage, map.size, err);
        if (!status) status = pare_feedback_share(self, new_edges, err);
        if (status) return status;
    }
    struct waiting *waiting = &self->waiting[self->n_waiting];
    status = pare_coverage_take(&self->coverage, map.bytes, map.size, &waiting->news, err);
    if (status || !waiting->news.n) return status;
    pare_buffer_reset(&waiting->bytes);
    status = pare_buffer_add(&waiting->bytes, bytes, size, err);
    if (status) return status;
    *new_edges = waiting->news.edges;
    /* Without room for more it is reached, but joins nothing. */
    if (self->n_waiting + 1 < MOST_WAITING) self->n_waiting++;
    return PARE_OK;
}

/* --- sharing --------------------------------------------------------------------------------- */

/* A pare_corpus_visit: an input joins the source. */
static pare_status bring_in(void *context, const pare_corpus_entry *entry, pare_error *err)
{
    pare_feedback *self = context;
    unsigned char *bytes = NULL;
    size_t size = 0;
    self->last_entry = entry->id;
    /* Other fuzzers run all that they are given, several times: what only takes known edges more
     * often is not worth that. */
    if (pare_source_is_fuzzer(self->options.source) && !entry->new_edges) return PARE_OK;
    pare_status status = pare_store_content(self->options.store, entry->digest, &bytes, &size, err);
    if (!status)
        status = pare_source_join(self->options.source, bytes, size, entry->new_edges, err);
    pare_alloc_free(bytes);
    return status;
}

/* A walk over the union, some 64 KiB, once for each transaction. */
static uint64_t count_edges(const pare_coverage *coverage)
{
    uint64_t n = 0;
    for (size_t i = 0; i < coverage->size; i++)
        n += coverage->reached[i] != 0;
    return n;
}

/* The union of all takes the place of ours, so what others have reached is not new here.  What waits
 * is left out of what is told. */
pare_status pare_feedback_share(pare_feedback *self, uint64_t *new_edges, pare_error *err)
{
    pare_coverage *coverage = &self->coverage;
    uint64_t n_new = 0;
    pare_status status = PARE_OK;
    *new_edges = 0;
    for (size_t i = 0; i < self->n_waiting; i++)
        set_reached(self, &self->waiting[i], false);
    if (coverage->size)
        status =
            pare_corpus_table_merge_map(self->options.store, self->options.target->name,
                                        coverage->reached, coverage->size, &n_new, new_edges, err);
    for (size_t i = 0; i < self->n_waiting; i++)
        set_reached(self, &self->waiting[i], true);
    if (!status) coverage->edges = count_edges(coverage);
    return status;
}

/* By the corpus' numbers, which rise: what was brought in before is not read again. */
pare_status pare_feedback_bring_in(pare_feedback *self, pare_error *err)
{
    if (!pare_source_takes_members(self->options.source)) return PARE_OK;
    return pare_corpus_table_each(self->options.store, self->options.target->name, self->last_entry,
                                  bring_in, self, err);
}

/* --- life ------------------------------------------------------------------------------------ */

/* The population that is there comes in at once: a job begins where the one before it stopped. */
pare_status pare_feedback_open(const pare_feedback_options *options, pare_feedback **out,
                               pare_error *err)
{
    pare_feedback *self = pare_alloc_zero(1, sizeof *self);
    if (!self) return pare_fail_nomem(err);
    self->options = *options;
    self->credit = FIRST_CREDIT;
    self->waiting = pare_alloc_zero(MOST_WAITING, sizeof *self->waiting);
    pare_status status = self->waiting ? PARE_OK : pare_fail_nomem(err);
    if (!status) status = pare_text_copy("", 0, &self->nothing, err);
    if (!status && options->command)
        status = pare_coverage_command_open(options->command, options->folder, COMMAND_TIME_MS,
                                            options->stop, &self->command, err);
    /* The first question has the launcher prepare tests for it. */
    for (unsigned k = 0; !status && !options->command && k < options->oracle->n_slots; k++) {
        size_t unused;
        (void)pare_process_coverage(options->oracle, k, &unused);
    }
    if (!status) status = pare_feedback_bring_in(self, err);
    if (status)
        pare_feedback_free(self);
    else
        *out = self;
    return status;
}

/* Also of one that was opened in part. */
void pare_feedback_free(pare_feedback *self)
{
    if (!self) return;
    for (size_t i = 0; self->waiting && i < MOST_WAITING; i++) {
        pare_buffer_done(&self->waiting[i].bytes);
        pare_coverage_news_done(&self->waiting[i].news);
    }
    pare_alloc_free(self->waiting);
    pare_candidate_done(&self->candidate);
    pare_text_unref(self->nothing);
    pare_coverage_done(&self->coverage);
    pare_coverage_command_free(self->command);
    pare_alloc_free(self);
}
