/* Texts of instructions: LLVM and other intermediate representations, in which each name is defined
 * once, read without a grammar.
 *
 * A name is a sigil (`%`, `@`, `!`, `#`, `$`, `^`) and a word; where definitions have none, a word
 * that ends with digits (`v12`).  A statement is a line, with those after it until its brackets
 * are closed.  A function is a statement that ends with `{` and has a name before a `(`, up to the line
 * with the bracket that closes it.  A definition is a statement that begins with names and `=`, or, at
 * the top level, the name that stands before a `(`.  A label is a line that is a name and `:`, or
 * nothing but a name.  In a fragment, a text without functions, all statements are those of one: it
 * has a header and an end of no bytes.
 *
 * What is learned from the text: which sigils there are, and which of them is that of definitions.
 * Source: ours; the rules hold for LLVM, MLIR, QBE and Cranelift.
 *
 * What was read is immutable; one thread. */
#ifndef PARE_REDUCE_SSA_SSA_H
#define PARE_REDUCE_SSA_SSA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"

enum { PARE_SSA_SIGILS = 7, PARE_SSA_BARE = PARE_SSA_SIGILS - 1 /* a name has none */ };

#define PARE_SSA_NONE UINT32_MAX

typedef enum pare_ssa_role {
    PARE_SSA_PLAIN,  /* an instruction */
    PARE_SSA_LABEL,  /* the begin of a block */
    PARE_SSA_HEADER, /* the begin of a function */
    PARE_SSA_CLOSE,  /* its end */
    PARE_SSA_TOP     /* anything outside functions */
} pare_ssa_role;

typedef struct pare_ssa_name {
    uint32_t from, to; /* bytes, with the sigil */
    uint32_t id;       /* the same for the same name */
    unsigned char sigil;
    bool defines;
    bool nested; /* within brackets of its statement */
} pare_ssa_name;

typedef struct pare_ssa_statement {
    uint32_t from, to; /* bytes, with the line end */
    uint32_t first;    /* of its names, which end where those of the next begin */
    uint32_t function; /* PARE_SSA_NONE: TOP */
    pare_ssa_role role;
} pare_ssa_statement;

typedef struct pare_ssa_function {
    uint32_t header, close; /* statements */
    uint32_t id;            /* its name; PARE_SSA_NONE */
} pare_ssa_function;

/* What was learned of a text; plain memory. */
typedef struct pare_ssa_dialect {
    unsigned char sigil;   /* of definitions within functions: a number below PARE_SSA_SIGILS */
    unsigned char comment; /* what begins a comment; 0: none */
    bool bare;             /* words that end with digits are names */
    bool fragment;         /* there are no functions: all is in one */
} pare_ssa_dialect;

/* A text that was read.  The bytes are borrowed.  All-zero is empty. */
typedef struct pare_ssa {
    const unsigned char *bytes;
    size_t size;
    pare_ssa_dialect dialect;
    pare_ssa_statement *statements; /* owned; n_statements + 1: the last only ends names */
    size_t n_statements, statement_capacity;
    pare_ssa_name *names; /* owned */
    size_t n_names, name_capacity;
    pare_ssa_function *functions; /* owned */
    size_t n_functions, function_capacity;
    uint32_t n_ids;
} pare_ssa;

/* Whether the bytes are a text of instructions: at least one statement in five defines a name, and
 * nearly all names are defined once in their function.  A fragment has to show more: at least one
 * statement in two defines a name, and at least half of these are used further down.  *dialect is set
 * only then.  O(bytes) of the first MiB, which decides.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_ssa_detect(const unsigned char *bytes, size_t size, bool *found,
                                       pare_ssa_dialect *dialect, pare_error *err);

/* Reads the bytes, which are borrowed until pare_ssa_done.  O(bytes).  Errors: PARE_E_NOMEM; *ssa is
 * then empty. */
PARE_CHECK pare_status pare_ssa_read(const unsigned char *bytes, size_t size,
                                     const pare_ssa_dialect *dialect, pare_ssa *ssa,
                                     pare_error *err);
void pare_ssa_done(pare_ssa *ssa);

/* Whether statements tile the text, names lie in them, and functions begin and end. */
bool pare_ssa_check(const pare_ssa *ssa);

/* Whether the name is a number, with or without a sigil: "%12" and "12" are, "%v12" and "v12" are not. */
bool pare_ssa_is_number(const pare_ssa *ssa, const pare_ssa_name *name);

/* Where the comment of the line from .. to-1 begins; `to`: it has none, or the dialect has none. */
size_t pare_ssa_comment_at(const pare_ssa *ssa, size_t from, size_t to);

/* The names of a statement are those from its `first` up to this one. */
static inline uint32_t pare_ssa_names_end(const pare_ssa *ssa, size_t statement)
{
    return ssa->statements[statement + 1].first;
}

/* The name that a statement of the top level defines, or that is the function's of a header;
 * PARE_SSA_NONE: it has none.  A number of ssa->names. */
uint32_t pare_ssa_own_name(const pare_ssa *ssa, size_t statement);

#endif
