/* Numbered texts of a grammar, in batches.
 *
 * Text `number` depends on the seed, the number and the round only (with a cooldown also on
 * those before it in its batch), so that batches can be made in any order by any number of
 * threads, one maker each.  A text that cannot be made is tried again with lower limits. */
#ifndef PARE_GENERATE_BATCH_H
#define PARE_GENERATE_BATCH_H

#include "base/buffer.h"
#include "base/mersenne.h"
#include "generate/deriver.h"
#include "generate/expansion_table.h"
#include "grammar/grammar.h"
#include "reduce/choice/choices.h"

enum {
    PARE_BATCH_TEXTS = 64,
    PARE_BATCH_COOLING_TEXTS = 1024, /* with a cooldown */
    PARE_BATCH_ATTEMPTS = 96         /* to make a text */
};

/* Whether a text will do.  PARE_E_UNSUPPORTED: another one is wanted; any other error ends
 * the generation. */
typedef pare_status (*pare_text_check)(void *context, const char *text, size_t size,
                                       pare_error *err);

/* One thread at a time.  All-zero is empty. */
typedef struct pare_batch_maker {
    const pare_expansion_table *table; /* borrowed */
    pare_deriver_options options;
    uint64_t seed;
    bool unseeded; /* choices are the kernel's, whatever `seed` is; set before the first batch */
    bool replays;  /* choices are those of the list that was given to `choices`; the same */
    uint32_t max_attempts; /* at one text; 0: PARE_BATCH_ATTEMPTS; set before the first batch */
    bool python;           /* of text K, those of CPython after random.seed(seed + K); the same */
    pare_deriver *deriver; /* owned; NULL: `generator` is another's */
    pare_generator generator;
    pare_text_check check; /* set by the owner; NULL: every text will do */
    void *check_context;
    void (*warm)(void *self); /* called with the generator's self before each batch; or NULL */
    pare_choices choices;
    pare_mersenne mersenne; /* with `python` */
    pare_choices_engine engine;
    pare_buffer text;
    pare_error reason; /* of the last attempt that failed */
} pare_batch_maker;

/* All-zero is empty. */
typedef struct pare_batch {
    uint64_t first; /* number of its first text */
    pare_buffer bytes;
    size_t *ends; /* owned; of each text, in `bytes` */
    bool *made;   /* owned; of each text */
    size_t n, capacity;
    size_t n_unmade;
    uint64_t n_refused; /* times that the maker's check wanted another text */
    pare_error reason;  /* why the last one that could not be made could not */
} pare_batch;

/* Errors: those of pare_deriver_new; *maker is all-zero then. */
PARE_CHECK pare_status pare_batch_maker_init(pare_batch_maker *maker,
                                             const pare_expansion_table *table, pare_index start,
                                             const pare_deriver_options *options, uint64_t seed,
                                             pare_error *err);

/* The same with any generator, which is borrowed and knows no limits that could be lowered. */
void pare_batch_maker_init_any(pare_batch_maker *maker, pare_generator generator, uint64_t seed);
void pare_batch_maker_done(pare_batch_maker *maker);

/* Makes texts first .. first+n-1 of a round (0; others for texts in the place of those that
 * are repeated).  *batch is initialised or all-zero.  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_batch_make(pare_batch_maker *maker, uint64_t first, size_t n,
                                       uint64_t round, pare_batch *batch, pare_error *err);
void pare_batch_done(pare_batch *batch);

#endif
