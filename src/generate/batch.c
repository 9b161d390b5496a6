/* Numbered texts in batches: each attempt at a text has its own seed, and limits are relaxed after
 * failures.
 *
 * Invariant: text `number` depends on the seed, the number, the round and the attempt only, so
 * that batches can be made in any order by any number of threads.  A text that cannot be made is
 * tried again with half the tokens after every ATTEMPTS_A_STEP attempts: what fails is mostly
 * too large (a name that happens to be a keyword, a hook that rejects), and small texts seldom
 * fail.  In later rounds, which replace repeated texts, quantifiers end less often, so that
 * small languages still give new texts. */
#include "generate/batch.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/mersenne.h"
#include "base/random.h"
#include "generate/expansion_table.h"
#include "grammar/grammar.h"
#include "reduce/choice/choices.h"

enum {
    ATTEMPTS_A_STEP = 8, /* after so many the limits are halved */
    ROUNDS_A_STEP = 8    /* after so many quantifiers end half as often, then a third, ... */
};

/* The deriver's limits are lowered by attempt, so they are kept in the options. */
pare_status pare_batch_maker_init(pare_batch_maker *maker, const pare_expansion_table *table,
                                  pare_index start, const pare_deriver_options *options,
                                  uint64_t seed, pare_error *err)
{
    *maker = (pare_batch_maker){
        .table = table, .options = *options, .seed = seed, .choices = {.unrecorded = true}};
    pare_status status = pare_deriver_new(table, start, options, &maker->deriver, err);
    if (!status) maker->generator = pare_deriver_generator(maker->deriver);
    return status;
}

/* Without a deriver there are no limits to lower; attempts differ in their seed only. */
void pare_batch_maker_init_any(pare_batch_maker *maker, pare_generator generator, uint64_t seed)
{
    *maker =
        (pare_batch_maker){.generator = generator, .seed = seed, .choices = {.unrecorded = true}};
}

/* The generator of another is borrowed. */
void pare_batch_maker_done(pare_batch_maker *maker)
{
    pare_deriver_free(maker->deriver);
    pare_choices_done(&maker->choices);
    pare_buffer_done(&maker->text);
    *maker = (pare_batch_maker){0};
}

/* The memory is given back as a whole; between batches it is kept (pare_batch_make). */
void pare_batch_done(pare_batch *batch)
{
    pare_buffer_done(&batch->bytes);
    pare_alloc_free(batch->ends);
    pare_alloc_free(batch->made);
    *batch = (pare_batch){0};
}

/* A seed of its own for each attempt at each text, mixed part by part.  The generator is used
 * as a mixer: three draws. */
static uint64_t seed_of(uint64_t seed, uint64_t number, uint64_t round, uint64_t attempt)
{
    const uint64_t parts[] = {number, round, attempt};
    pare_random random;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        /* Each part goes through the generator, so that neighbouring numbers give unlike
         * seeds. */
        pare_random_init(&random, seed);
        seed = pare_random_next(&random) ^ parts[i];
    }
    return seed;
}

/* Draws as Python does.  Rounds and attempts are digits of the seed beyond its first 64 bits, so
 * that the first attempt at a text has the seed that its user expects. */
static void seed_python(pare_batch_maker *maker, uint64_t number, uint64_t round, uint64_t attempt)
{
    const uint64_t seed = maker->seed + number;
    const uint32_t key[] = {(uint32_t)seed, (uint32_t)(seed >> 32), (uint32_t)round,
                            (uint32_t)attempt};
    pare_mersenne_seed(&maker->mersenne, key, sizeof key / sizeof *key);
    maker->engine = pare_choices_python(&maker->mersenne);
    pare_choices_draw_from(&maker->choices, &maker->engine);
}

/* Begins the run of an attempt, from wherever its choices come. */
static void begin(pare_batch_maker *maker, uint64_t number, uint64_t round, uint64_t attempt)
{
    if (maker->replays)
        pare_choices_draw_from_words(&maker->choices);
    else if (maker->unseeded)
        pare_choices_draw_from_system(&maker->choices);
    else if (maker->python)
        seed_python(maker, number, round, attempt);
    else
        pare_choices_seed(&maker->choices, seed_of(maker->seed, number, round, attempt));
}

/* The limit for an attempt: halved for every ATTEMPTS_A_STEP of them, but at least 1. 0 asks
 * for the usual limit, which is `otherwise`. */
static uint32_t lowered(uint32_t limit, uint32_t otherwise, uint64_t attempt)
{
    uint32_t lower = (limit ? limit : otherwise) >> (attempt / ATTEMPTS_A_STEP);
    return lower ? lower : 1;
}

/* Makes one text in maker->text; *made is false when no attempt gave one, and maker->reason
 * says why the last failed.  Any failure but PARE_E_UNSUPPORTED ends the generation. */
static pare_status make(pare_batch_maker *maker, pare_batch *batch, uint64_t number, uint64_t round,
                        bool *made, pare_error *err)
{
    const pare_deriver_options *options = &maker->options;
    const pare_generator *generator = &maker->generator;
    /* What the first attempt starts from: no text yet. */
    pare_status status = PARE_E_UNSUPPORTED;
    uint64_t steps = round / ROUNDS_A_STEP; /* how much rarer quantifiers end */
    const uint64_t most = maker->max_attempts ? maker->max_attempts : PARE_BATCH_ATTEMPTS;
    if (maker->deriver) pare_deriver_linger(maker->deriver, 1 + (double)steps);
    for (uint64_t k = 0; k < most && status == PARE_E_UNSUPPORTED; k++) {
        /* The reason of an earlier attempt would hide that of this one. */
        maker->reason = (pare_error){0};
        pare_buffer_reset(&maker->text);
        begin(maker, number, round, k);
        if (maker->deriver)
            pare_deriver_limit(maker->deriver, options->max_depth,
                               lowered(options->max_tokens, PARE_DERIVER_TOKENS, k));
        status = generator->run(generator->self, &maker->choices, &maker->text, &maker->reason);
        /* What is made of a population's trees is parsed by its generator. */
        if (!maker->deriver) batch->n_refused += status == PARE_E_UNSUPPORTED;
        if (!status && maker->check) {
            const char *text = maker->text.size ? maker->text.data : "";
            status = maker->check(maker->check_context, text, maker->text.size, &maker->reason);
            batch->n_refused += status == PARE_E_UNSUPPORTED;
        }
    }
    *made = status == PARE_OK;
    if (status && status != PARE_E_UNSUPPORTED)
        return pare_fail(err, status, "%s", maker->reason.message);
    return PARE_OK;
}

/* Makes room for `n` texts.  Ends and flags grow together: `capacity` is that of both. */
static pare_status reserve(pare_batch *batch, size_t n, pare_error *err)
{
    if (batch->capacity >= n) return PARE_OK;
    size_t *ends = pare_alloc_resize(batch->ends, n, sizeof *ends);
    if (ends) batch->ends = ends;
    bool *made = pare_alloc_resize(batch->made, n, sizeof *made);
    if (made) batch->made = made;
    if (!ends || !made) return pare_fail_nomem(err);
    batch->capacity = n;
    return PARE_OK;
}

/* Cost: that of the texts, times the attempts that failed.  The same batch gives the same
 * bytes in every thread: nothing of it depends on what the maker has made before. */
pare_status pare_batch_make(pare_batch_maker *maker, uint64_t first, size_t n, uint64_t round,
                            pare_batch *batch, pare_error *err)
{
    batch->first = first;
    batch->n = batch->n_unmade = 0;
    batch->n_refused = 0;
    pare_buffer_reset(&batch->bytes);
    /* Weights as at the start: a batch does not depend on those before it. */
    if (maker->deriver) pare_deriver_warm(maker->deriver);
    if (maker->warm) maker->warm(maker->generator.self);
    pare_status status = reserve(batch, n, err);
    for (; !status && batch->n < n; batch->n++) {
        bool made = false;
        status = make(maker, batch, first + batch->n, round, &made, err);
        if (!status && made && maker->text.size)
            status = pare_buffer_add(&batch->bytes, maker->text.data, maker->text.size, err);
        if (status) return status;
        assert(batch->n < batch->capacity);
        batch->ends[batch->n] = batch->bytes.size;
        batch->made[batch->n] = made;
        batch->n_unmade += !made;
        /* The last reason is enough: they are mostly alike. */
        if (!made) batch->reason = maker->reason;
    }
    return status;
}
