/* Inside the deriver's shorter way: the steps that it goes. */
#ifndef PARE_GENERATE_DERIVER_STEPS_H
#define PARE_GENERATE_DERIVER_STEPS_H

#include "base/arena.h"
#include "generate/deriver_run.h"
#include "grammar/grammar.h"

typedef enum pare_step_kind {
    PARE_STEP_TOKEN,     /* parser rules: a token `at` */
    PARE_STEP_FIXED,     /* the same, of a token that has one text only */
    PARE_STEP_END,       /* the end of the file */
    PARE_STEP_CHARACTER, /* lexer rules, as all below: one of `n` characters at `text` */
    PARE_STEP_TEXT,      /* `n` bytes at `text` */
    PARE_STEP_SLOW,      /* the character or literal of the expression `expr` */
    PARE_STEP_PICK,      /* any rules, as all below: one of `n` ways from the way `at` on */
    PARE_STEP_ROUND,     /* goes on behind it, or at `at`: another round, or none */
    PARE_STEP_JUMP,      /* goes on at `at` */
    PARE_STEP_CALL,      /* goes to `at` and comes back; until all is laid out `at` is a rule */
    PARE_STEP_RETURN
} pare_step_kind;

typedef struct pare_step {
    uint32_t kind; /* pare_step_kind */
    uint32_t at, n;
    pare_index expr;
    uint32_t adds;         /* to the tokens that are made or certain to come, modulo 2^32 */
    uint32_t depth;        /* PICK: of the largest way; ROUND: of the child; PARE_NO_SIZE: none */
    union {                /* */
        const char *text;  /* borrowed from the blueprint or in `memory` */
        uint64_t from;     /* ROUND: a word whose upper 53 bits are not below it says: go on */
        uint32_t tokens;   /* PICK, parser rules: of the largest way */
        uint32_t smallest; /* PICK, lexer rules: how many ways are as small as the first */
    };
    uint32_t tokens_round; /* ROUND: of the child */
} pare_step;

/* All-zero is none. */
struct pare_deriver_steps {
    pare_step *steps; /* owned, as all below */
    size_t n, capacity;
    uint32_t *rules;   /* of each rule: its first step */
    uint32_t *ways;    /* of each way: its first step */
    uint32_t *returns; /* of the run: steps to come back to */
    size_t returns_capacity;
    pare_arena memory;
};

/* Errors: PARE_E_NOMEM; PARE_E_LIMIT: expressions are nested too deeply. */
PARE_CHECK pare_status pare_deriver_steps_init(struct pare_deriver_steps *steps,
                                               const struct pare_deriver *d, pare_error *err);
void pare_deriver_steps_done(struct pare_deriver_steps *steps);

#endif
