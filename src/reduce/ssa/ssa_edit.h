/* Edits of a text of instructions: what goes, with the uses of what went made neutral. */
#ifndef PARE_REDUCE_SSA_SSA_EDIT_H
#define PARE_REDUCE_SSA_SSA_EDIT_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "reduce/ssa/ssa.h"

/* Classes of names: a sigil, and whether they are defined at the top level. */
enum { PARE_SSA_EDIT_CLASSES = 2 * PARE_SSA_SIGILS };

/* The words that may stand for the use of a name: `undef`, `0`, ... */
extern const char *const pare_ssa_edit_words[];
enum { PARE_SSA_EDIT_WORDS = 6, PARE_SSA_EDIT_ZERO = 1 };

/* An edit.  Arrays are borrowed. */
typedef struct pare_ssa_edit {
    unsigned char *gone; /* by statement */
    unsigned char *lost; /* by name: the use becomes the word, its definition stays; NULL: none */
    uint32_t *cut; /* by name: the use goes, with its key, which begins at this byte less one, and a
                            comma; 0: it does not; NULL: none does */
    uint32_t *last; /* by function: the statement that stands at its end, wherever it stood;
                            PARE_SSA_NONE: all stand where they stood */
    unsigned char words[PARE_SSA_EDIT_CLASSES]; /* of those above */
    bool dropped[PARE_SSA_SIGILS]; /* by sigil: definitions at the top level and all uses go */
    bool nulls;                    /* uses that are cut at the top level become `null` instead */
    bool renamed;                  /* names of definitions that are numbers become words */
    bool plain;                    /* comments and empty lines go */
    bool
        operands; /* a use becomes an operand of the definition that it had, if one of its kind stays;
                      the word stands for it where none does */
} pare_ssa_edit;

/* Prints what the edit leaves to `out` (emptied first).  A use of a name whose definition went is
 * replaced by the word of its class; in a function that becomes one block also one that stands before the
 * definition; that of a label by the next label that stays in its function.  *used gets a bit for each
 * class that a word was taken of.  O(bytes).  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_ssa_edit_print(const pare_ssa *ssa, const pare_ssa_edit *edit,
                                           pare_buffer *out, uint32_t *used, pare_error *err);

/* Marks in edit->gone what has to go for each `chosen` function (by function) to be one block: labels,
 * whoever mentions them, and the last statement of each block but one, which edit->last names.  Leaves a
 * function alone in which all blocks end by mentioning a label.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_ssa_edit_flatten(const pare_ssa *ssa, const unsigned char *chosen,
                                             pare_ssa_edit *edit, pare_error *err);

/* The same for statements that mention a label and do not end a block, such as phi functions: they know
 * where a block is come to from. */
PARE_CHECK pare_status pare_ssa_edit_drop_phis(const pare_ssa *ssa, const unsigned char *chosen,
                                               pare_ssa_edit *edit, pare_error *err);

/* Whether the name is a use of what is defined in its function, and not of a label, for each name of
 * ssa->names in `uses`.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_ssa_edit_find_uses(const pare_ssa *ssa, bool *uses, pare_error *err);

/* Whether statement `i` is the last of its block, which most languages want to have one. */
bool pare_ssa_edit_ends_block(const pare_ssa *ssa, size_t i);

/* Marks in edit->gone the statements of the top level whose name is mentioned by nothing that stays,
 * until there are no more.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_ssa_edit_drop_unused(const pare_ssa *ssa, pare_ssa_edit *edit,
                                                 pare_error *err);

#endif
