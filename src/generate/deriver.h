/* Texts of a grammar, by random derivation.
 *
 * From the start rule down, each choice takes one of the alternatives that fit the limits; if none
 * fits, one of the smallest, so that a limit that is too low is exceeded by as little as possible.
 * Optional parts and further repetitions are taken with their probability as long as they fit.
 * With a lexer, tokens are written so that the lexer reads them back (generate/token_separator.h):
 * a text that turns out to be another token, for example a keyword instead of a name, is made again
 * a few times, and then taken from its shortest forms.  Each rule and each round is a span.
 * Source: Grammarinator (Hodován, Kiss and Gyimóthy, "Grammarinator: a grammar-based open
 * source fuzzer", A-TEST 2018), its limits, weights and cooldown; deviations: see table.h,
 * and that the limit of tokens is not raised for good by what did not fit.
 * Cost: some tens of nanoseconds a character.  One thread. */
#ifndef PARE_GENERATE_DERIVER_H
#define PARE_GENERATE_DERIVER_H

#include "base/buffer.h"
#include "generate/expansion_table.h"
#include "generate/hooks.h"
#include "grammar/grammar.h"
#include "reduce/choice/choices.h"

enum { PARE_DERIVER_DEPTH = 40, PARE_DERIVER_TOKENS = 400 };

/* Something else that makes texts of one rule: with a chance they stand where the rule would.  The
 * grammar's lexer does not read them; the first byte must be a token of its own, and nothing that
 * may follow the rule may go on with the last one. */
typedef struct pare_deriver_leaf {
    pare_index rule;
    double chance; /* 0 .. 1 */
    pare_status (*put)(void *self, pare_choices *choices, pare_buffer *text, pare_error *err);
    void *self;
} pare_deriver_leaf;

typedef struct pare_deriver_options {
    uint32_t max_depth;  /* of rule calls; 0: PARE_DERIVER_DEPTH */
    uint32_t max_tokens; /* 0: PARE_DERIVER_TOKENS */
    double cooldown;     /* an alternative that was taken has its weight multiplied by this, for
                            all texts to come; 0 or 1: no cooldown */
    double unusual;      /* chance that a character is drawn from its whole set, not from the
                            visible ASCII of it, when there is some */
    pare_hooks *hooks;   /* borrowed; or NULL.  Those of parser rules, their alternatives, and
                            lexer rules that make tokens */
    bool unread;         /* the grammar's lexer cannot tell how tokens are read (a grammar of
                            tree-sitter's, whose lexer knows what may come): where words or
                            signs touch there is a space, and who reads the text has to check
                            it */
    const pare_deriver_leaf *leaf; /* borrowed; or NULL.  Not with hooks */
} pare_deriver_options;

typedef struct pare_deriver pare_deriver;

/* `table` is borrowed.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT (rules nested or calling themselves without end),
 * PARE_E_SYNTAX (a hook names nothing of the grammar). */
PARE_CHECK pare_status pare_deriver_new(const pare_expansion_table *table, pare_index start,
                                        const pare_deriver_options *options, pare_deriver **out,
                                        pare_error *err);
void pare_deriver_free(pare_deriver *deriver); /* NULL is a no-op */

/* Other limits from now on; 0 as in the options. */
void pare_deriver_limit(pare_deriver *deriver, uint32_t max_depth, uint32_t max_tokens);

/* Texts are of another rule from now on, which has a finite text. */
void pare_deriver_start_with(pare_deriver *deriver, pare_index rule);

/* From now on quantifiers end `factor` (1 ..) times less often than their chances say. */
void pare_deriver_linger(pare_deriver *deriver, double factor);

/* All weights are as at the start again. */
void pare_deriver_warm(pare_deriver *deriver);

/* The generator; borrows `deriver`.  Besides the errors of pare_choices_next it has
 * PARE_E_UNSUPPORTED: the text would not be read back, or a hook rejects it; another one may
 * be; and those of hooks.  With a cooldown
 * the next run sees what this one took, so lists of choices do not replay. */
pare_generator pare_deriver_generator(pare_deriver *deriver);

/* Whether a space goes between two bytes, of what no lexer of ours reads: both are of words, or both
 * are signs. */
bool pare_deriver_are_apart(char left, char right);

/* Which ways were taken, since the start: of `n` (table->n_ways), one byte each. */
const uint8_t *pare_deriver_covered(const pare_deriver *deriver, size_t *n);

#endif
