/* The generators that need no lexer, by name: those of The Fuzzing Book and of seed 004.
 *
 * One object for each thread. */
#ifndef PARE_GENERATE_FUZZER_H
#define PARE_GENERATE_FUZZER_H

#include "base/buffer.h"
#include "generate/book.h"
#include "generate/hooks.h"
#include "generate/limit.h"
#include "generate/mutation.h"
#include "generate/phases.h"
#include "generate/random_text.h"
#include "reduce/choice/choices.h"

typedef enum pare_fuzzer_kind {
    PARE_FUZZER_GRAMMAR, /* generate/deriver.h, for any grammar; not made here */
    PARE_FUZZER_PHASES,
    PARE_FUZZER_LIMIT,
    PARE_FUZZER_COMPLEX,
    PARE_FUZZER_CHOICE,
    PARE_FUZZER_RANDOM,
    PARE_FUZZER_MUTATION
} pare_fuzzer_kind;

/* The kind called `name`; false: there is none. */
bool pare_fuzzer_find(const char *name, pare_fuzzer_kind *kind);

typedef struct pare_fuzzer_options {
    pare_fuzzer_kind kind;
    const pare_book *book;      /* borrowed; NULL for RANDOM and MUTATION */
    uint32_t start;             /* rule */
    uint32_t max_depth;         /* 0: the seed's 10 */
    pare_hooks *hooks;          /* borrowed; or NULL */
    const pare_buffer *members; /* MUTATION: the population, borrowed during the call */
    size_t n_members;
} pare_fuzzer_options;

/* All-zero is empty. */
typedef struct pare_fuzzer {
    pare_fuzzer_kind kind;
    pare_limit limit;
    pare_phases phases;
    pare_random_text random;
    pare_mutation mutation;
} pare_fuzzer;

/* Errors: PARE_E_NOMEM; *fuzzer is to be ended then too. */
PARE_CHECK pare_status pare_fuzzer_init(pare_fuzzer *fuzzer, const pare_fuzzer_options *options,
                                        pare_error *err);
void pare_fuzzer_done(pare_fuzzer *fuzzer);

/* The generator; borrows `fuzzer`. */
pare_generator pare_fuzzer_generator(pare_fuzzer *fuzzer);

#endif
