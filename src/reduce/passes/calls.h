/* Calls: what a use of a definition gives for its parameters, in a text of no known language.
 *
 * Three ways to give arguments are known:
 *   in brackets       f(x){BODY} f(1)      def f(a; b): BODY; f(.x; .y)
 *   as words          proc f {a b} {BODY}  f 1 [g 2]
 *   by position       f() { echo $1; }     f one
 * Parameters in the body become the arguments, whatever the body means by them. */
#ifndef PARE_REDUCE_PASSES_CALLS_H
#define PARE_REDUCE_PASSES_CALLS_H

#include "base/buffer.h"
#include "reduce/passes/definitions.h"
#include "reduce/passes/pass.h"

enum { PARE_CALL_MOST_ARGUMENTS = 8 };

/* An argument: bytes of the text. */
typedef struct pare_argument {
    pare_extent what;
    bool compound; /* more than one term: beside an operator it means something else */
} pare_argument;

/* A use with arguments.  Immutable once found. */
typedef struct pare_call {
    pare_argument given[PARE_CALL_MOST_ARGUMENTS];
    pare_extent names[PARE_CALL_MOST_ARGUMENTS]; /* parameters; none where they have numbers */
    size_t n;         /* arguments that stand for parameters; 0: they do not fit */
    bool by_position; /* the body says $1, $2, .. */
    size_t to;        /* the byte after the call */
} pare_call;

/* The call of `definition` by the word at lexeme `i`; false: the word is no call.
 * O(lexemes of the call). */
bool pare_call_find(const pare_pass_view *view, const pare_definition *definition, size_t i,
                    pare_call *call);

/* How a body is written in the place of one use. */
typedef struct pare_call_expansion {
    pare_extent body;      /* bytes of the text */
    const pare_call *call; /* borrowed; what stands for the parameters; NULL: they stay */
    bool guarded;          /* compound arguments get brackets, unless they stand alone between
                              brackets or separators */
} pare_call_expansion;

/* Appends the body with the arguments in the place of its parameters to `text`; sets *n_guarded
 * to how many arguments got brackets.  O(bytes of the body) for each argument that is found in it.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_call_expand(const pare_pass_view *view,
                                        const pare_call_expansion *expansion, pare_buffer *text,
                                        size_t *n_guarded, pare_error *err);

#endif
