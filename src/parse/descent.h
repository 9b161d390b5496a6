/* Where and how ANTLR's parser would report the first syntax error.
 *
 * The text is parsed once more from its beginning, top-down as ANTLR's generated parsers
 * do, with its decisions (lookahead.h) and its default error strategy up to the first
 * report: the check before options, blocks and loops (`sync`), the deletion or insertion of
 * one token, failing decisions.  Nothing is built; what the chart of Earley's parser found
 * is not needed.
 *
 * Source: Parr, The Definitive ANTLR 4 Reference, chapter 9; the documentation of ANTLR 4's
 * DefaultErrorStrategy. */
#ifndef PARE_PARSE_DESCENT_H
#define PARE_PARSE_DESCENT_H

#include "parse/productions.h"

#include <pare/export.h>
#include <pare/status.h>

typedef enum pare_fault_kind {
    PARE_FAULT_NOT_FOUND,  /* none, or it takes too long to find */
    PARE_FAULT_NO_VIABLE,  /* a decision failed: no viable alternative */
    PARE_FAULT_MISMATCHED, /* something else was expected */
    PARE_FAULT_EXTRANEOUS, /* the letter is one too many */
    PARE_FAULT_MISSING     /* what is expected is left out */
} pare_fault_kind;

/* Ended by pare_fault_done. */
typedef struct pare_fault {
    pare_fault_kind kind;
    uint32_t at;        /* letter that could not be taken */
    uint32_t from;      /* NO_VIABLE: letter where the decision began */
    uint64_t *expected; /* owned; the others: letters, a set of the productions */
} pare_fault;

/* The parser, with what it has found out about the decisions of its grammar.  One thread. */
typedef struct pare_descent_state pare_descent;

/* `p` is borrowed.  On PARE_OK the caller owns *out.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_descent_new(const pare_productions *p, pare_descent **out,
                                        pare_error *err);
void pare_descent_free(pare_descent *descent); /* NULL is a no-op */

/* Finds the first fault in letters[0 .. n-1].  Time and memory are limited: beyond some steps
 * for each dotted state and for each letter it is not found; nor in grammars that recur to
 * the left where ANTLR does not allow it.  The caller ends *out.
 * Errors: PARE_E_NOMEM; *out is untouched then. */
PARE_CHECK pare_status pare_descent_find_fault(pare_descent *descent, const uint32_t *letters,
                                               uint32_t n, pare_fault *out, pare_error *err);
void pare_fault_done(pare_fault *fault); /* all-zero is a no-op */

#endif
