/* What texts are made by: all that the options name, read once, and a maker of texts for each
 * thread.
 *
 * First everything that the options name is read (grammar, weights, hooks, population, graph), the
 * generator is chosen, and what does not go together is refused.  All of that is immutable
 * afterwards and shared by all threads; a maker holds what one thread changes. */
#ifndef PARE_GENERATE_GENERATOR_SETUP_H
#define PARE_GENERATE_GENERATOR_SETUP_H

#include <pare/generate.h>
#include <pare/graph.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "generate/batch.h"
#include "generate/deriver.h"
#include "generate/expansion_costs.h"
#include "generate/expansion_table.h"
#include "generate/fuzzer.h"
#include "generate/hooks.h"
#include "generate/population.h"
#include "generate/prototype/type_costs.h"
#include "generate/prototype/walk.h"
#include "grammar/grammar.h"
#include "lang/language.h"
#include "parse/parser.h"

/* Immutable once made; all-zero is empty. */
typedef struct pare_generator_setup {
    const pare_generate_options *options; /* borrowed */
    pare_fuzzer_kind kind;
    pare_grammar *grammar;          /* owned, as all below */
    pare_language_grammar language; /* by which `grammar` was made, which is its own then */
    pare_index start;
    uint32_t max_depth, max_tokens; /* where the options say nothing; 0: the usual ones */
    pare_expansion_table table;     /* of PARE_FUZZER_GRAMMAR */
    pare_grammar *bnf;              /* of the others, where `grammar` is not of the book's form */
    pare_expansion_costs costed;    /* of the others */
    pare_buffer script;             /* of hooks */
    pare_hooks *hooks;              /* of the book's; each maker has its own */
    pare_buffer *files;             /* of the population */
    size_t n_files, files_capacity;
    pare_population population; /* their trees; of PARE_FUZZER_GRAMMAR */
    pare_graph *graph;
    pare_type_costs type_costs; /* of the graph */
    pare_index graph_rule;      /* in whose place its expressions stand, with a grammar */
} pare_generator_setup;

/* What reads texts as trees of the setup's grammar: a parser of ours, or the language's.  One
 * thread's; all-zero is empty. */
typedef struct pare_tree_reader {
    pare_parser *parser;            /* owned */
    pare_language_reader *language; /* owned */
    pare_text_reader reader;
} pare_tree_reader;

/* One thread's; all-zero is empty. */
typedef struct pare_text_maker {
    pare_batch_maker batches;
    pare_fuzzer fuzzer;
    pare_tree_reader reader;           /* with a population of trees */
    pare_evolver *evolver;             /* owned; likewise */
    pare_hooks *hooks;                 /* owned */
    pare_walk *walk;                   /* owned; with a graph */
    pare_deriver_leaf leaf;            /* with a graph and a grammar */
    const pare_generator_setup *setup; /* borrowed; with a language */
    pare_buffer whole;                 /* a text between what stands before and after it */
} pare_text_maker;

/* Reads all that the options name.  Errors: those of pare_generate; *setup is to be ended then
 * too. */
PARE_CHECK pare_status pare_generator_setup_init(pare_generator_setup *setup,
                                                 const pare_generate_options *options,
                                                 pare_error *err);
void pare_generator_setup_done(pare_generator_setup *setup);

/* Borrows `setup`, which has a grammar.  Errors: those of pare_parser_new and
 * pare_language_reader_new; *reader is to be ended then too. */
PARE_CHECK pare_status pare_generator_setup_reader_init(pare_tree_reader *reader,
                                                        const pare_generator_setup *setup,
                                                        pare_error *err);
void pare_generator_setup_reader_done(pare_tree_reader *reader);

/* Borrows `setup`.  Errors: those of pare_hooks_new and pare_deriver_new; *maker is to be ended
 * then too. */
PARE_CHECK pare_status pare_generator_setup_maker_init(pare_text_maker *maker,
                                                       const pare_generator_setup *setup,
                                                       pare_error *err);
void pare_generator_setup_maker_done(pare_text_maker *maker);

#endif
