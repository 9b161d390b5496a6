/* What texts are made by: grammar, weights, hooks, and a maker of them for each thread. */
#ifndef PARE_GENERATE_RECIPE_H
#define PARE_GENERATE_RECIPE_H

#include <pare/generate.h>

#include "base/buffer.h"
#include "generate/batch.h"
#include "generate/blueprint.h"
#include "generate/book.h"
#include "generate/fuzzer.h"
#include "generate/hooks.h"
#include "generate/population.h"
#include "grammar/grammar.h"
#include "lang/language_grammar.h"

/* Immutable once made; all-zero is empty. */
typedef struct pare_recipe {
    const pare_generate_options *options; /* borrowed */
    pare_fuzzer_kind kind;
    pare_grammar *grammar;          /* owned, as all below */
    pare_language_grammar language; /* by which `grammar` was made, which is its own then */
    pare_index start;
    uint32_t max_depth, max_tokens; /* where the options say nothing; 0: the usual ones */
    pare_blueprint blueprint;       /* of PARE_FUZZER_GRAMMAR */
    pare_book book;                 /* of the others */
    pare_buffer script;             /* of hooks */
    pare_hooks *hooks;              /* of the book's; each maker has its own */
    pare_buffer *files;             /* of the population */
    size_t n_files, files_capacity;
    pare_population population; /* their trees; of PARE_FUZZER_GRAMMAR */
} pare_recipe;

/* Errors: those of pare_generate; *recipe is to be ended then too. */
PARE_CHECK pare_status pare_recipe_init(pare_recipe *recipe, const pare_generate_options *options,
                                        pare_error *err);
void pare_recipe_done(pare_recipe *recipe);

/* One thread's; all-zero is empty. */
typedef struct pare_maker {
    pare_batch_maker batches;
    pare_fuzzer fuzzer;
    pare_evolver *evolver; /* owned; with a population of trees */
    pare_hooks *hooks;     /* owned */
} pare_maker;

/* Borrows `recipe`.  Errors: those of pare_hooks_new and pare_deriver_new; *maker is to be
 * ended then too. */
PARE_CHECK pare_status pare_maker_init(pare_maker *maker, const pare_recipe *recipe,
                                       pare_error *err);
void pare_maker_done(pare_maker *maker);

#endif
