/* The signature of a failure: what tells one failure of a program from another.
 *
 * It is how the program ended, and what it said about it with everything masked that
 * changes from run to run or with the input (pare_printed_mask).  As text it is one line, for
 * people to read, edit and keep:
 *
 *     signal SIGABRT; message "jq: jv_unicode.c:#: jvp_utf8_encode: Assertion ..."
 *     exit 1; error "KeyError"; frame "load app.py"
 *     exit 1; diagnostic "error: '*' undeclared (first use in this function)"; alone
 *
 *   text     = clause *(";" clause)
 *   clause   = ("exit" NUMBER | "exit nonzero" | "signal" NAME | "flood" | "hang"
 *            | "message" STRING | "error" STRING | "frame" STRING | "diagnostic" STRING
 *            | "line" STRING | "alone" | "beside" STRING | "despite" STRING)
 *   STRING   = in double quotes; a backslash quotes the next character
 *
 * Clauses stand in this order, "frame" up to PARE_SIGNATURE_FRAMES times, innermost
 * first; what is not named may be anything, so deleting a clause widens a signature.  In
 * the strings of a wanted signature `*` stands for any text.  "diagnostic" names a problem
 * that the program has to report (diagnostic.h), "line" one that it has to name, by its number, of
 * the candidate (named_line.h).  "alone" means that it reports no other
 * errors, but for those like one of "beside".  "despite" names a sign of invalid input that
 * the failing input shows as well (pare_signature_signs).
 * A value without pointers; any thread. */
#ifndef PARE_RUN_SIGNATURE_H
#define PARE_RUN_SIGNATURE_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/fail.h"

enum {
    PARE_SIGNATURE_FRAMES = 2,
    PARE_SIGNATURE_BESIDES = 8,
    PARE_SIGNATURE_LINE_BYTES = 256, /* of a message, with the NUL; longer ones are cut */
    PARE_SIGNATURE_NAME_BYTES = 128, /* of an error's kind and of a frame */
    PARE_SIGNATURE_EXIT_NONZERO = -1 /* as `code`: any exit code but 0 */
};

/* How a program ended. */
typedef enum pare_ended {
    PARE_ENDED_ANYHOW, /* in a wanted signature: does not matter */
    PARE_ENDED_EXIT,   /* `code` is the exit code */
    PARE_ENDED_SIGNAL, /* `code` is the signal's number */
    PARE_ENDED_FLOOD,  /* it was ended because it printed too much, see capture.h */
    PARE_ENDED_HANG    /* it was ended at the time limit */
} pare_ended;

typedef struct pare_signature {
    pare_ended ended;
    int code;
    char message[PARE_SIGNATURE_LINE_BYTES]; /* an assertion, an internal error; "": none */
    char error[PARE_SIGNATURE_NAME_BYTES];   /* a sanitizer's or an exception's kind */
    char frame[PARE_SIGNATURE_FRAMES][PARE_SIGNATURE_NAME_BYTES]; /* innermost first */
    /* Only of a wanted signature: */
    char diagnostic[PARE_SIGNATURE_LINE_BYTES]; /* a pattern; "": none */
    char line[PARE_SIGNATURE_LINE_BYTES];       /* a pattern; "": any, or none */
    bool alone;
    char beside[PARE_SIGNATURE_BESIDES][PARE_SIGNATURE_LINE_BYTES]; /* patterns; "": no more */
    unsigned despite; /* bit set of signs of rejection, see pare_signature_signs */
} pare_signature;

/* Appends the text of `signature` to *text.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_signature_print(const pare_signature *signature, pare_buffer *text,
                                            pare_error *err);

/* Reads a text; blanks and line ends around clauses do not matter.
 * Errors: PARE_E_SYNTAX, with a sentence that names the clause; *signature is untouched. */
PARE_CHECK pare_status pare_signature_parse(const char *text, pare_signature *signature,
                                            pare_error *err);

/* Whether `seen`, the signature of a run, has all that `wanted` names.  Diagnostics are not
 * compared: see pare_diagnostics_hold. */
bool pare_signature_matches(const pare_signature *wanted, const pare_signature *seen);

/* Takes out of *common what is not the same in `other`. */
void pare_signature_intersect(pare_signature *common, const pare_signature *other);

/* Whether the program said what failed: a message, a kind of error or a frame. */
bool pare_signature_speaks(const pare_signature *signature);

/* Whether `text` is `pattern`, in which `*` stands for any text. */
bool pare_signature_like(const char *pattern, const char *text);

/* Number of a signal by its name, with or without "SIG"; 0: there is none. */
int pare_signature_signal(const char *name);

/* ---- signs of rejection ----------------------------------------------------------------
 *
 * Words in a program's output that mostly mean that it rejected the candidate as invalid: it
 * speaks of a syntax error.  A sign that the failing input shows itself means nothing, which is
 * what "despite" says. */

/* In lower case; compared regardless of case. */
enum { PARE_SIGNATURE_SIGNS = 13 };
extern const char *const pare_signature_signs[PARE_SIGNATURE_SIGNS];

#endif
