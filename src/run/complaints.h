/* Complaints: what a compiler or interpreter says is missing from a program, and where.
 *
 *     a.cpp:9:8: error: 'map' is not a member of 'std'     name "map" in the scope "std"
 *     b.c:2:36: error: storage size of 'v' isn't known     the definition of something is gone
 *     lua: a.lua:1: attempt to call global 'f' (a nil value)
 *
 * Diagnostics (diagnostic.h) tell one failure from another, so their texts are masked.
 * Complaints say which name a candidate lacks, so names and places are kept as printed; what
 * was said beside them is not.  Values without pointers; any thread. */
#ifndef PARE_RUN_COMPLAINTS_H
#define PARE_RUN_COMPLAINTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/fail.h"

enum {
    PARE_COMPLAINTS_MAX = 64,      /* of a run; later ones mostly follow from these */
    PARE_COMPLAINT_NAME_BYTES = 96 /* with the NUL; what is longer is left out, not cut: a cut
                                      name would be another's */
};

/* What is wrong with the name, in the order of the texts in complaints.c. */
typedef enum pare_complaint_kind {
    PARE_COMPLAINT_OTHER, /* an error of which no more is known; the name that it quotes first */
    PARE_COMPLAINT_UNDECLARED, /* no such name */
    PARE_COMPLAINT_NO_MEMBER,  /* no such name in the scope, which is there */
    PARE_COMPLAINT_NO_TYPE,    /* no such type or template */
    PARE_COMPLAINT_INCOMPLETE, /* declared, but its definition or body is needed */
    PARE_COMPLAINT_UNMATCHED,  /* declared, but no overload or specialisation fits */
    PARE_COMPLAINT_UNLINKED,   /* declared and used, but defined nowhere */
    PARE_COMPLAINT_REPEATED,   /* declared or defined twice */
    PARE_COMPLAINT_SYNTAX,
    PARE_COMPLAINT_SUSPECT, /* no error: a place that led to one, or that a compiler was at when it
                               failed */
    PARE_COMPLAINT_WARNING, /* no error, and nothing else is said to be wrong: a place that is warned of */
    PARE_COMPLAINT_NOTE,   /* no error: a name that was told with one, and where */
    PARE_COMPLAINT_LINKED, /* no error: a program was made of the text; no name, no place */
    PARE_N_COMPLAINT_KINDS
} pare_complaint_kind;

typedef struct pare_complaint {
    pare_complaint_kind kind;
    uint32_t line, column;                 /* from 1; 0: not known */
    char file[PARE_COMPLAINT_NAME_BYTES];  /* as printed; "": not known */
    char name[PARE_COMPLAINT_NAME_BYTES];  /* without scope, arguments and types; "": not known */
    char scope[PARE_COMPLAINT_NAME_BYTES]; /* "std", "A::B"; "": none named */
} pare_complaint;

/* All-zero: none.  In the order in which they were printed, each once. */
typedef struct pare_complaints {
    size_t n;
    pare_complaint item[PARE_COMPLAINTS_MAX];
} pare_complaints;

/* Whether there is an error among them, rather than suspects and warnings only. */
bool pare_complaints_reject(const pare_complaints *complaints);

/* Sets the name and the scope of *complaint from what a program calls something: a declaration,
 * a type, a qualified name ("void std::v<int>::f(int) [with T = int]": f in std::v). */
void pare_complaints_name(pare_complaint *complaint, const char *called, size_t size);

/* Appends the complaints as text, one in a line: kind, line, column, file, name, scope,
 * separated by tabs.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_complaints_print(const pare_complaints *complaints, pare_buffer *text,
                                             pare_error *err);

/* Reads what print has written; false: it is no such text, and *complaints is empty. */
bool pare_complaints_parse(pare_complaints *complaints, const char *text, size_t size);

/* Adds a complaint unless it is there or the list is full; whether it did. */
bool pare_complaints_add(pare_complaints *complaints, const pare_complaint *complaint);

/* After a change of the last complaint: removes it where it has become one before it. */
void pare_complaints_settle(pare_complaints *complaints);

/* Where the complaint is in `text` (`size` bytes), the candidate, in bytes: in a preprocessed
 * text the lines that "# 12 "file.h"" says are counted.  `size` when it is nowhere there. */
size_t pare_complaints_place(const pare_complaint *complaint, const char *text, size_t size);

#endif
