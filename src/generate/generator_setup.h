/* What texts are made by: grammar, weights, hooks, and a maker of them for each thread. */
#ifndef PARE_GENERATE_GENERATOR_SETUP_H
#define PARE_GENERATE_GENERATOR_SETUP_H

#include <pare/generate.h>

#include "base/buffer.h"
#include "generate/batch.h"
#include "generate/expansion_costs.h"
#include "generate/expansion_table.h"
#include "generate/fuzzer.h"
#include "generate/hooks.h"
#include "generate/population.h"
#include "grammar/grammar.h"
#include "lang/language.h"

/* Immutable once made; all-zero is empty. */
typedef struct pare_generator_setup {
    const pare_generate_options *options; /* borrowed */
    pare_fuzzer_kind kind;
    pare_grammar *grammar;          /* owned, as all below */
    pare_language_grammar language; /* by which `grammar` was made, which is its own then */
    pare_index start;
    uint32_t max_depth, max_tokens; /* where the options say nothing; 0: the usual ones */
    pare_expansion_table table;     /* of PARE_FUZZER_GRAMMAR */
    pare_expansion_costs costed;    /* of the others */
    pare_buffer script;             /* of hooks */
    pare_hooks *hooks;              /* of the book's; each maker has its own */
    pare_buffer *files;             /* of the population */
    size_t n_files, files_capacity;
    pare_population population; /* their trees; of PARE_FUZZER_GRAMMAR */
} pare_generator_setup;

/* Errors: those of pare_generate; *setup is to be ended then too. */
PARE_CHECK pare_status pare_generator_setup_init(pare_generator_setup *setup,
                                                 const pare_generate_options *options,
                                                 pare_error *err);
void pare_generator_setup_done(pare_generator_setup *setup);

/* One thread's; all-zero is empty. */
typedef struct pare_text_maker {
    pare_batch_maker batches;
    pare_fuzzer fuzzer;
    pare_evolver *evolver; /* owned; with a population of trees */
    pare_hooks *hooks;     /* owned */
} pare_text_maker;

/* Borrows `setup`.  Errors: those of pare_hooks_new and pare_deriver_new; *maker is to be
 * ended then too. */
PARE_CHECK pare_status pare_generator_setup_maker_init(pare_text_maker *maker,
                                                       const pare_generator_setup *setup,
                                                       pare_error *err);
void pare_generator_setup_maker_done(pare_text_maker *maker);

#endif
