/* <pare/generate.h>: texts made by several threads, handed on in order.
 *
 * Each thread takes the next batch that nobody has and puts it into its place of a ring; the
 * caller's thread takes batches out in order, drops what was made before, and hands the rest on.
 * A thread waits while its place in the ring is not free.  With one job there is no thread.
 * `lock` protects all that threads share but the setup, which nobody writes.
 *
 * Invariant: a batch that is being made has a number below `delivered` + n_places, so that a
 * place is never written before it was read.  Which thread makes a batch does not matter,
 * since a batch depends on its number only (batch.c); so the texts are the same for any number
 * of jobs. */

#include <assert.h>
#include <pthread.h>
#include <string.h>

#include <pare/generate.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/checksum.h"
#include "base/fail.h"
#include "base/sized.h"
#include "generate/batch.h"
#include "generate/deriver.h"
#include "generate/fuzzer.h"
#include "generate/generator_setup.h"
#include "os/file.h"
#include "os/machine.h"
#include "reduce/choice/choices.h"

enum {
    MAX_JOBS = 256,
    PLACES_A_JOB = 4,    /* batches ahead */
    ROUNDS = 100,        /* to find a text that is not there yet */
    MIN_MEMORY = 1 << 10 /* slots of the memory of texts */
};

/* Which texts were made: their checksums, in a table with open addressing; 0 is free.  Not
 * base/hash_index.h, which keeps an index beside each hash: the hash is all there is, and a
 * million of them should stay in the cache.  Linear probing; nothing is ever taken out, so a
 * free slot ends each search. */
struct memory {
    uint64_t *slots; /* owned */
    size_t n, capacity;
};

/* A place of the ring. */
struct place {
    pare_batch batch;
    bool full;
};

/* A thread, or, as the first one, the caller's. */
struct job {
    struct generation *generation;
    pare_text_maker maker;
    pthread_t thread;
    bool started;
};

/* A generation going on.  What stands after `lock` up to `failure` is protected by it, as are
 * the places' flags. */
struct generation {
    const pare_generate_options *options;
    pare_generated *generated;
    pare_generate_sink sink;
    void *context;
    pare_generator_setup setup;
    uint64_t n, n_batches;
    size_t batch_texts;
    struct memory memory;
    uint64_t *keys;   /* owned; of the texts of a batch */
    pare_batch spare; /* a text in the place of a repeated one */
    struct {          /* with options->record, the text that was handed on */
        bool any;
        uint64_t number, round;
        pare_buffer text;
    } kept;
    uint64_t *list;   /* owned; with options->replay */
    struct job *jobs; /* owned; the first one's maker is the caller's thread's */
    unsigned n_jobs;
    struct place *places; /* owned */
    size_t n_places;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t next;      /* batch to be made */
    uint64_t delivered; /* batches taken out */
    bool stopped;
    pare_status status; /* of a thread that failed */
    pare_error failure;
    pare_error *err;
};

/* --- what was made before --------------------------------------------------------- */

/* Enters a key that is not in the table, which has room for it.  The lowest bits of a checksum
 * are as good as any. */
static void put_in(struct memory *memory, uint64_t key)
{
    assert(key && memory->n < memory->capacity && "0 is free, and one slot always is");
    size_t at = (size_t)key & (memory->capacity - 1);
    while (memory->slots[at])
        at = (at + 1) & (memory->capacity - 1);
    memory->slots[at] = key;
    memory->n++;
}

/* Doubles the table, so that at most half of it is full.  Amortised O(1) for each text. */
static pare_status enlarge(struct memory *memory, pare_error *err)
{
    struct memory larger = {.capacity = memory->capacity ? memory->capacity * 2 : MIN_MEMORY};
    larger.slots = pare_alloc_zero(larger.capacity, sizeof *larger.slots);
    if (!larger.slots) return pare_fail_nomem(err);
    for (size_t i = 0; i < memory->capacity; i++)
        if (memory->slots[i]) put_in(&larger, memory->slots[i]);
    pare_alloc_free(memory->slots);
    *memory = larger;
    return PARE_OK;
}

/* The key of a text: its checksum, but never 0, which marks a free slot.  Two texts with one key
 * are taken for one: of a million texts that happens with a chance of 3e-8. */
static uint64_t key_of(const char *text, size_t size)
{
    uint64_t key = pare_checksum(text, size);
    return key ? key : 1;
}

/* Has the processor fetch where a key is looked for. */
static void announce(const struct memory *memory, uint64_t key)
{
    if (memory->slots) __builtin_prefetch(&memory->slots[key & (memory->capacity - 1)], 1);
}

/* Notes a text's key; *is_new is false when it was noted before.  Errors: PARE_E_NOMEM. */
static pare_status note(struct memory *memory, uint64_t key, bool *is_new, pare_error *err)
{
    if (2 * (memory->n + 1) > memory->capacity) {
        pare_status status = enlarge(memory, err);
        if (status) return status;
    }
    size_t at = (size_t)key & (memory->capacity - 1);
    while (memory->slots[at] && memory->slots[at] != key)
        at = (at + 1) & (memory->capacity - 1);
    *is_new = !memory->slots[at];
    if (*is_new) put_in(memory, key);
    return PARE_OK;
}

/* --- delivery ------------------------------------------------------------------------- */

/* The text, or what is put in its place, becomes a member of the only maker's population. */
static pare_status join(struct generation *g, const char *text, size_t size)
{
    const pare_generate_options *options = g->options;
    const char *member = NULL;
    size_t member_bytes = 0;
    pare_status status =
        options->join(options->join_context, text, size, &member, &member_bytes, g->err);
    if (status || !member) return status;
    return pare_fuzzer_mutation_add(&g->jobs[0].maker.fuzzer.mutation, member, member_bytes, false,
                                    g->err);
}

/* Hands a text on, unless it is one of those before the first.  What the sink refuses ends the
 * generation. */
static pare_status hand_on(struct generation *g, uint64_t number, uint64_t round, const char *text,
                           size_t size)
{
    if (number < g->options->first) return PARE_OK;
    if (g->options->record) {
        g->kept.any = true;
        g->kept.number = number;
        g->kept.round = round;
        pare_status status = pare_buffer_add(&g->kept.text, text, size, g->err);
        if (status) return status;
    }
    g->generated->n++;
    g->generated->size_bytes += size;
    return g->sink(g->context, number, text, size, g->err);
}

/* A text is done: it is handed on, and joins the population if that grows. */
static pare_status deliver(struct generation *g, uint64_t number, uint64_t round, const char *text,
                           size_t size)
{
    pare_status status = hand_on(g, number, round, text, size);
    return status || !g->options->join ? status : join(g, text, size);
}

/* Makes texts in the place of a repeated one until one is new.  After ROUNDS of them the
 * language is taken to have no more. */
static pare_status replace(struct generation *g, uint64_t number)
{
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        bool is_new = false;
        /* The text that this one replaces, or the last one that did not help. */
        g->generated->n_repeated++;
        pare_status status =
            pare_batch_make(&g->jobs[0].maker.batches, number, 1, round, &g->spare, g->err);
        if (status) return status;
        g->generated->n_refused += g->spare.n_refused;
        if (!g->spare.made[0]) continue;
        const char *text = g->spare.bytes.size ? g->spare.bytes.data : "";
        status = note(&g->memory, key_of(text, g->spare.bytes.size), &is_new, g->err);
        if (status) return status;
        if (is_new) return deliver(g, number, round, text, g->spare.bytes.size);
    }
    g->generated->exhausted = true;
    return PARE_OK;
}

/* Finds the keys of all texts of a batch before the first is looked up: looking up waits for
 * memory, of which much can be on its way at once. */
static void find_keys(struct generation *g, const pare_batch *batch)
{
    size_t from = 0;
    for (size_t i = 0; i < batch->n; i++) {
        const char *text = batch->bytes.size ? batch->bytes.data + from : "";
        g->keys[i] = key_of(text, batch->ends[i] - from);
        announce(&g->memory, g->keys[i]);
        /* Texts stand one after the other. */
        from = batch->ends[i];
    }
}

/* Hands a batch on, in order; a text that was made before is replaced by another one.  Texts
 * that could not be made are counted, with the reason of the last.  In the caller's thread
 * only, so the sink needs no lock. */
static pare_status deliver_batch(struct generation *g, const pare_batch *batch)
{
    pare_status status = PARE_OK;
    size_t from = 0;
    if (!g->options->repeats) find_keys(g, batch);
    for (size_t i = 0; !status && i < batch->n && !g->generated->exhausted; i++) {
        const char *text = batch->bytes.size ? batch->bytes.data + from : "";
        size_t size = batch->ends[i] - from;
        /* With repeats, every text is as good as new. */
        bool is_new = true;
        from = batch->ends[i];
        if (!batch->made[i]) continue;
        if (!g->options->repeats) status = note(&g->memory, g->keys[i], &is_new, g->err);
        if (!status)
            status =
                is_new ? deliver(g, batch->first + i, 0, text, size) : replace(g, batch->first + i);
    }
    g->generated->n_unmade += batch->n_unmade;
    g->generated->n_refused += batch->n_refused;
    if (batch->n_unmade)
        (void)memcpy(g->generated->reason, batch->reason.message, sizeof g->generated->reason - 1);
    return status;
}

/* --- threads ---------------------------------------------------------------------------- */

/* Makes batch `number`; the last one may be shorter.  Round 0; other rounds are for texts in
 * the place of repeated ones (replace). */
static pare_status make_batch(struct generation *g, struct job *job, uint64_t number,
                              pare_batch *batch, pare_error *err)
{
    assert(number < g->n_batches);
    uint64_t first = number * g->batch_texts; /* the last batch may be shorter */
    size_t n = g->n - first < g->batch_texts ? (size_t)(g->n - first) : g->batch_texts;
    return pare_batch_make(&job->maker.batches, first, n, 0, batch, err);
}

/* Takes the number of the next batch that this thread is to make, and waits until its place is
 * free; false: there is none left, or the generation was stopped. */
static bool take_batch(struct generation *g, uint64_t *number)
{
    /* `lock` is taken alone everywhere in this file. */
    (void)pthread_mutex_lock(&g->lock);
    bool any = !g->stopped && g->next < g->n_batches;
    if (any) *number = g->next++;
    /* Its place is free only when the batch one round of the ring before was taken out. */
    while (any && !g->stopped && *number >= g->delivered + g->n_places)
        (void)pthread_cond_wait(&g->changed, &g->lock);
    any = any && !g->stopped;
    (void)pthread_mutex_unlock(&g->lock);
    return any;
}

/* A thread: makes batches into their places until there is none left, or one has failed. */
static void *work(void *argument)
{
    struct job *job = argument;
    struct generation *g = job->generation;
    uint64_t number;
    while (take_batch(g, &number)) {
        pare_error err = {0};
        struct place *place = &g->places[number % g->n_places];
        pare_status status = make_batch(g, job, number, &place->batch, &err);
        (void)pthread_mutex_lock(&g->lock);
        /* The place was this thread's until now; the lock hands it over. */
        place->full = status == PARE_OK;
        /* The first failure is told: later ones may be for what it has stopped. */
        if (status && !g->status) {
            g->status = status;
            g->failure = err;
        }
        g->stopped = g->stopped || status;
        (void)pthread_cond_broadcast(&g->changed);
        (void)pthread_mutex_unlock(&g->lock);
    }
    return NULL;
}

/* Waits for batch `number`; its place is the caller's until `give_back`.  Fails with what a
 * thread has failed with. */
static pare_status await(struct generation *g, uint64_t number, const pare_batch **batch)
{
    struct place *place = &g->places[number % g->n_places];
    (void)pthread_mutex_lock(&g->lock);
    while (!place->full && !g->stopped)
        (void)pthread_cond_wait(&g->changed, &g->lock);
    /* A batch that was made counts even if another one has failed since. */
    pare_status status = place->full ? PARE_OK : g->status;
    assert((place->full || status) && "only this thread stops without a failure");
    /* Under the lock: other threads may fail at this moment. */
    if (status) status = pare_fail(g->err, status, "%s", g->failure.message);
    (void)pthread_mutex_unlock(&g->lock);
    *batch = &place->batch;
    return status;
}

/* Marks a place as free for the batch that comes one round of the ring later. */
static void give_back(struct generation *g, uint64_t number, bool stop)
{
    (void)pthread_mutex_lock(&g->lock);
    assert(g->places[number % g->n_places].full && number == g->delivered);
    g->places[number % g->n_places].full = false;
    g->delivered = number + 1;
    g->stopped = g->stopped || stop;
    (void)pthread_cond_broadcast(&g->changed);
    (void)pthread_mutex_unlock(&g->lock);
}

/* Starts the threads.  Fewer than wanted will do; none is an error. */
static pare_status start_threads(struct generation *g)
{
    int code = 0;
    unsigned n = 0;
    for (unsigned i = 1; !code && i <= g->n_jobs; i++) {
        code = pthread_create(&g->jobs[i].thread, NULL, work, &g->jobs[i]);
        g->jobs[i].started = !code;
        n += !code;
    }
    return n ? PARE_OK : pare_fail_errno(g->err, code, "cannot start a thread");
}

/* Takes the batches out in order while threads make them; ends all of them before it returns. */
static pare_status run_threads(struct generation *g)
{
    pare_status status = start_threads(g);
    for (uint64_t number = 0; !status && number < g->n_batches; number++) {
        const pare_batch *batch = NULL;
        status = await(g, number, &batch);
        if (status) break; /* a thread failed: there is no batch to give back */
        status = deliver_batch(g, batch);
        bool stop = status != PARE_OK || g->generated->exhausted;
        give_back(g, number, stop);
        if (stop) break;
    }
    /* Threads that wait for a free place must learn that none will come. */
    (void)pthread_mutex_lock(&g->lock);
    g->stopped = true;
    (void)pthread_cond_broadcast(&g->changed);
    (void)pthread_mutex_unlock(&g->lock);
    for (unsigned i = 1; i <= g->n_jobs; i++)
        if (g->jobs[i].started) (void)pthread_join(g->jobs[i].thread, NULL);
    return status;
}

/* The same without a thread, in the first place of the ring. */
static pare_status run_alone(struct generation *g)
{
    pare_batch *batch = &g->places[0].batch;
    pare_status status = PARE_OK;
    for (uint64_t number = 0; !status && number < g->n_batches && !g->generated->exhausted;
         number++) {
        status = make_batch(g, &g->jobs[0], number, batch, g->err);
        if (!status) status = deliver_batch(g, batch);
    }
    return status;
}

/* --- choices ---------------------------------------------------------------------------- */

/* Refuses what choices cannot be told or replayed of. */
static pare_status check_choices(const pare_generate_options *options, pare_error *err)
{
    uint64_t n = options->n ? options->n : 1;
    if (options->first >= n)
        return pare_fail(err, PARE_E_ARG, "the first text is beyond the last one");
    if (options->record && n - options->first != 1)
        return pare_fail(err, PARE_E_ARG, "choices can be recorded for one text only");
    if (options->record && options->unseeded)
        return pare_fail(err, PARE_E_ARG,
                         "random numbers of the kernel can only be recorded from outside: pare "
                         "generate --record FILE -- pare generate --unseeded ...");
    if (options->join && (options->record || options->replay))
        return pare_fail(err, PARE_E_ARG,
                         "texts of a population that grows depend on those before them, so their "
                         "choices cannot be recorded");
    if (options->replay && (n > 1 || options->unseeded || options->record))
        return pare_fail(err, PARE_E_ARG, "a replay makes one text only");
    return PARE_OK;
}

/* Reads the list that is replayed, and gives it to the only maker. */
static pare_status read_list(struct generation *g)
{
    const char *path = g->options->replay;
    pare_batch_maker *maker = &g->jobs[0].maker.batches;
    pare_buffer text = {0};
    size_t n = 0;
    if (!path) return PARE_OK;
    pare_status status = pare_file_read(path, &text, g->err);
    if (!status)
        status = pare_choices_list_read(path, text.size ? text.data : "", text.size, &g->list, &n,
                                        g->err);
    if (!status) {
        pare_choices_set_words(&maker->choices, g->list, n);
        maker->replays = true;
    }
    pare_buffer_done(&text);
    return status;
}

/* Makes a text once more, by the caller's maker; sets *same if it is the one that was kept. */
static pare_status make_again(struct generation *g, uint64_t number, uint64_t round, bool *same)
{
    const pare_buffer *text = &g->kept.text, *bytes = &g->spare.bytes;
    pare_status status =
        pare_batch_make(&g->jobs[0].maker.batches, number, 1, round, &g->spare, g->err);
    *same = !status && g->spare.made[0] && bytes->size == text->size &&
            (!text->size || memcmp(bytes->data, text->data, text->size) == 0);
    return status;
}

/* Writes the choices of the text that was handed on.  It is made again with its seed to note them,
 * and a second time from what was noted, as a recorded generator would make it: in a run of its
 * own, as the first text.  A text for which that is another one has no choices that could be told:
 * it depends on those before it (a cooldown), or replaces one that was repeated many times. */
static pare_status write_choices(struct generation *g)
{
    pare_batch_maker *maker = &g->jobs[0].maker.batches;
    pare_choices *choices = &maker->choices;
    pare_buffer list = {0};
    bool same = false;
    if (!g->options->record || !g->kept.any) return PARE_OK;
    choices->unrecorded = false;
    choices->keeps_words = true;
    pare_status status = make_again(g, g->kept.number, g->kept.round, &same);
    choices->unrecorded = true;
    choices->keeps_words = false;
    maker->replays = true;
    pare_choices_set_words(choices, choices->words, choices->n_words);
    if (!status && same) {
        status = make_again(g, 0, 0, &same);
        if (status == PARE_E_STATE) status = PARE_OK; /* the list has ended: another text */
    }
    if (!status && !same)
        status = pare_fail(g->err, PARE_E_STATE,
                           "text %llu depends on the texts before it, so its choices cannot be "
                           "recorded: try another text, or leave out the cooldown",
                           (unsigned long long)g->kept.number);
    if (!status) status = pare_choices_list_write(choices->words, choices->n_words, &list, g->err);
    if (!status) status = pare_file_write_bytes(g->options->record, list.data, list.size, g->err);
    pare_buffer_done(&list);
    return status;
}

/* --- the whole ------------------------------------------------------------------------------ */

/* Reads what the options name, and decides on numbers: texts in a batch, threads, places. */
static pare_status prepare(struct generation *g)
{
    const pare_generate_options *options = g->options;
    pare_status status = check_choices(options, g->err);
    if (!status) status = pare_generator_setup_init(&g->setup, options, g->err);
    if (status) return status;
    /* With a cooldown a text depends on those before it in its batch, so batches are larger. */
    bool cools = options->cooldown > 0 && options->cooldown < 1;
    g->n = options->n ? options->n : 1;
    g->batch_texts = cools ? PARE_BATCH_COOLING_TEXTS : PARE_BATCH_TEXTS;
    if (options->join) g->batch_texts = 1;
    g->n_batches = (g->n - 1) / g->batch_texts + 1;
    g->n_jobs = options->jobs ? options->jobs : pare_machine_processors();
    if (g->n_jobs > MAX_JOBS) g->n_jobs = MAX_JOBS;
    if (options->join) g->n_jobs = 1;
    /* More threads than batches would have nothing to do. */
    if (g->n_jobs > g->n_batches) g->n_jobs = (unsigned)g->n_batches;
    g->n_places = (size_t)g->n_jobs * PLACES_A_JOB;
    return PARE_OK;
}

/* Makes a maker for each thread, and one for the caller's thread, which replaces repeated
 * texts. */
static pare_status make_jobs(struct generation *g)
{
    pare_status status = PARE_OK;
    g->jobs = pare_alloc_zero(g->n_jobs + 1, sizeof *g->jobs);
    g->places = pare_alloc_zero(g->n_places, sizeof *g->places);
    g->keys = pare_alloc(g->batch_texts, sizeof *g->keys);
    if (!g->jobs || !g->places || !g->keys) return pare_fail_nomem(g->err);
    for (unsigned i = 0; !status && i <= (g->n_jobs > 1 ? g->n_jobs : 0); i++) {
        g->jobs[i].generation = g;
        status = pare_generator_setup_maker_init(&g->jobs[i].maker, &g->setup, g->err);
    }
    return status;
}

/* Counts the alternatives that any of the makers has taken. */
static void count_covered(struct generation *g)
{
    size_t n = g->setup.table.n_ways;
    g->generated->n_alternatives = n;
    for (size_t k = 0; k < n; k++) {
        bool covered = false;
        for (unsigned i = 0; g->jobs && i <= g->n_jobs; i++)
            if (g->jobs[i].maker.batches.deriver)
                covered = covered || pare_deriver_covered(g->jobs[i].maker.batches.deriver, &n)[k];
        g->generated->n_covered += covered;
    }
}

/* Ends whatever was begun: after an error some of it is all-zero. */
static void generation_done(struct generation *g)
{
    for (unsigned i = 0; g->jobs && i <= g->n_jobs; i++)
        pare_generator_setup_maker_done(&g->jobs[i].maker);
    for (size_t i = 0; g->places && i < g->n_places; i++)
        pare_batch_done(&g->places[i].batch);
    pare_batch_done(&g->spare);
    pare_alloc_free(g->jobs);
    pare_alloc_free(g->places);
    pare_alloc_free(g->keys);
    pare_alloc_free(g->memory.slots);
    pare_alloc_free(g->list);
    pare_buffer_done(&g->kept.text);
    pare_generator_setup_done(&g->setup);
    (void)pthread_cond_destroy(&g->changed);
    (void)pthread_mutex_destroy(&g->lock);
}

/* All of it, with options whose size is ours. */
static pare_status generate_all(const pare_generate_options *options, pare_generate_sink sink,
                                void *context, pare_generated *generated, pare_error *err)
{
    struct generation g = {.options = options,
                           .generated = generated,
                           .sink = sink,
                           .context = context,
                           .lock = PTHREAD_MUTEX_INITIALIZER,
                           .changed = PTHREAD_COND_INITIALIZER,
                           .err = err};
    pare_status status = prepare(&g);
    if (!status) status = make_jobs(&g);
    if (!status) status = read_list(&g);
    if (!status) status = g.n_jobs > 1 ? run_threads(&g) : run_alone(&g);
    /* Also after a failure: what was made until then was handed on. */
    count_covered(&g);
    if (!status && !generated->n)
        status = pare_fail(err, PARE_E_STATE, "no text could be made: %s",
                           generated->exhausted ? "there are no more new ones" : generated->reason);
    if (!status) status = write_choices(&g);
    generation_done(&g);
    return status;
}

pare_status pare_generate_sized(const pare_generate_options *options, size_t options_bytes,
                                pare_generate_sink sink, void *context, pare_generated *generated,
                                pare_error *err)
{
    pare_generate_options own;
    *generated = (pare_generated){0};
    pare_status status =
        pare_sized_take(&own, sizeof own, options, options_bytes, "options to generate", err);
    return status ? status : generate_all(&own, sink, context, generated, err);
}
