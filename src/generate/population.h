/* A population of trees: makes texts from other texts, using their trees.
 *
 * Each text is made by one randomly drawn creator; if that cannot be applied, another one is drawn:
 *
 *     generate     a new text (generate/deriver.h)
 *     regenerate   a rule of a member is made anew
 *     delete       a round of a quantifier goes
 *     replicate    a round of a quantifier is put in up to three times more
 *     shuffle      the rounds of a quantifier change places
 *     hoist        a rule gives way to the same rule below it
 *     swap         two stretches of the same kind change places
 *     insert       a round of a quantifier is put into the same quantifier elsewhere
 *     replace      a stretch gives way to one of the same kind of another member
 *     recombine    a round of another member is put into the same quantifier
 *
 * All keep the text in the language: tokens that become neighbours are separated as by
 * generate/token_separator.h, and each text is parsed; one that is still not in the language (for
 * example because of another mode of the lexer) is dropped.  If we have no lexer for the texts
 * (deriver.unread), inserted text gets a space beside words and signs, and an element of a list
 * comes with the white space before it, which may be a line end that the language requires.
 * Source: Grammarinator (Hodován, Kiss and Gyimóthy, A-TEST 2018), its mutators and recombiners;
 * deviations: its ungrammatical ones are left out; the population does not grow.
 *
 * The population is immutable, for any thread; an evolver is one thread's. */
#ifndef PARE_GENERATE_POPULATION_H
#define PARE_GENERATE_POPULATION_H

#include "base/buffer.h"
#include "generate/deriver.h"
#include "generate/expansion_table.h"
#include "grammar/grammar.h"
#include "parse/parse_tree.h"
#include "parse/parser.h"
#include "reduce/choice/choices.h"

typedef struct pare_member {
    pare_buffer text;
    pare_parse_tree tree;
} pare_member;

/* All-zero is empty. */
typedef struct pare_population {
    pare_member *members; /* owned */
    size_t n, capacity;
} pare_population;

void pare_population_done(pare_population *population);

/* Adds a text that `reader` reads; *added is false when it is not in the language.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_population_add(pare_population *population,
                                           const pare_text_reader *reader, const char *text,
                                           size_t size, bool *added, pare_error *err);

/* Takes the text of a file; what it leaves in *text is released.  Another status than PARE_OK
 * ends the reading with that. */
typedef pare_status (*pare_population_take)(void *context, pare_buffer *text, pare_error *err);

/* Reads the file `path`, or all files in the folder `path`, in the order of their names.
 * Errors: PARE_E_IO, PARE_E_NOMEM, those of `take`. */
PARE_CHECK pare_status pare_population_read(const char *path, pare_population_take take,
                                            void *context, pare_error *err);

typedef struct pare_evolver pare_evolver;

/* How an evolver makes texts; borrowed, as long as it lives. */
typedef struct pare_evolver_options {
    const pare_expansion_table *table;
    pare_index start;
    pare_deriver_options deriver;
    pare_text_reader reader; /* of what it makes; all-zero: a parser of the grammar.  Needed with
                                deriver.unread */
} pare_evolver_options;

/* All is borrowed; `population` has a member.  On PARE_OK the caller owns *out.
 * Errors: those of pare_deriver_new and pare_parser_new. */
PARE_CHECK pare_status pare_population_evolver_new(const pare_population *population,
                                                   const pare_evolver_options *options,
                                                   pare_evolver **out, pare_error *err);
void pare_population_evolver_free(pare_evolver *evolver); /* NULL is a no-op */

/* For a population that grows by feedback: up to `most_changes` creators on top of each other, each
 * one more with a chance of one half, and of two members mostly the later one is changed.
 * 0: one change of any member, which is how an evolver begins. */
void pare_population_evolver_stack(pare_evolver *evolver, uint32_t most_changes);

/* The population's last member is drawn more often than others.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_population_evolver_prefer(pare_evolver *evolver, pare_error *err);

/* The generator; borrows `evolver`.  Besides the errors of pare_choices_next it has
 * PARE_E_UNSUPPORTED: what was made is not in the language; another text may be. */
pare_generator pare_population_evolver_generator(pare_evolver *evolver);

#endif
