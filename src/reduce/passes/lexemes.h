/* Lexemes: the tokens of a file as lexical passes see them.
 *
 * Where there is a tree they are its leaves, but leaves of a quoted string without
 * anything nested are one; elsewhere, and between leaves, tokens of no particular language
 * (text/split/split.h), white space left out.  What a lexeme is like is told by its bytes.
 *
 * Immutable once made; one thread.  Memory: 28 bytes a lexeme. */
#ifndef PARE_REDUCE_PASSES_LEXEMES_H
#define PARE_REDUCE_PASSES_LEXEMES_H

#include "reduce/tree/tree.h"

typedef enum pare_lexeme_kind {
    PARE_LEXEME_WORD,   /* letters, digits, _, $ and bytes above 127, not first a digit */
    PARE_LEXEME_NUMBER, /* begins with a digit, or with a point and a digit */
    PARE_LEXEME_STRING, /* in quotes, which are part of it */
    PARE_LEXEME_OPEN,   /* ( [ { */
    PARE_LEXEME_CLOSE,  /* ) ] } */
    PARE_LEXEME_SIGN,   /* other bytes; by a tree several: == */
    PARE_LEXEME_OTHER   /* what a tree takes for one token, and is none of the above */
} pare_lexeme_kind;

#define PARE_NO_LEXEME UINT32_MAX

typedef struct pare_lexeme {
    uint32_t from, to; /* bytes of the text; from < to */
    uint32_t first;    /* index of the first lexeme of the same bytes; maybe itself */
    uint32_t next;     /* the next one of the same bytes, or PARE_NO_LEXEME */
    uint32_t partner;  /* of a bracket; PARE_NO_LEXEME: it has none.  A closing one pairs with
                          the nearest open one of its kind; what stands open between the
                          two stays without */
    uint32_t node;     /* leaf of the tree where it begins, or PARE_NO_NODE */
    uint32_t kind;     /* pare_lexeme_kind */
} pare_lexeme;

/* All-zero: none. */
typedef struct pare_lexemes {
    pare_lexeme *at; /* owned; ascending, not overlapping */
    size_t n, capacity;
} pare_lexemes;

/* Lexemes of bytes begin .. end-1 of `bytes`, of which `tree` (NULL: none) is the tree.
 * Sets *out only on success; the caller owns it.  Time is linear.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_lexemes_make(const unsigned char *bytes, size_t begin, size_t end,
                                         const pare_tree *tree, pare_lexemes *out, pare_error *err);
void pare_lexemes_done(pare_lexemes *lexemes); /* all-zero is a no-op */

/* A hash of bytes: FNV-1a (Fowler, Noll and Vo), 64 bits. */
uint64_t pare_lexemes_hash(const void *bytes, size_t size);

/* Whether they are as described above, for `bytes` begin .. end-1; for tests. */
bool pare_lexemes_check(const pare_lexemes *lexemes, const unsigned char *bytes, size_t begin,
                        size_t end);

#endif
