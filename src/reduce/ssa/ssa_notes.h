/* Notes: what a text of instructions says about itself, LLVM's metadata (`!7 = !DILocation(scope: !5)`).
 *
 * A note is a definition at the top level whose name is a number, of a sigil that neither functions nor
 * what they define have.  It is mentioned by its number: from a statement (`ret i32 %x, !dbg !7`), from
 * a note with a name (`!llvm.dbg.cu = !{!2}`), or from another note.  The key of a mention is the word
 * before it (`scope:`, `!dbg`); it goes along.
 *
 * Notes that nothing leads to, from statements and from those with a name, mean nothing, also where they
 * mention each other in a circle, as those of functions and of their variables do.
 * Source: the key of an attachment and reachability as in llvm-reduce and LLVM's own writer, which
 * forgets what is not reached; keys of fields are ours. */
#ifndef PARE_REDUCE_SSA_SSA_NOTES_H
#define PARE_REDUCE_SSA_SSA_NOTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/fail.h"
#include "reduce/ssa/ssa.h"
#include "reduce/ssa/ssa_edit.h"

/* The sigils that notes have; plain memory. */
typedef struct pare_ssa_notes {
    bool sigils[PARE_SSA_SIGILS];
    bool any;
} pare_ssa_notes;

pare_ssa_notes pare_ssa_notes_find(const pare_ssa *ssa);

/* Whether more than half of the text is notes. */
bool pare_ssa_notes_are_most(const pare_ssa *ssa, const pare_ssa_notes *notes);

/* Whether the statement is a note, not one with a name. */
bool pare_ssa_notes_is_note(const pare_ssa *ssa, const pare_ssa_notes *notes, size_t statement);

/* Whether the statement, if it is no note, mentions one. */
bool pare_ssa_notes_has(const pare_ssa *ssa, const pare_ssa_notes *notes, size_t statement);

/* What mentions are told apart by, over all edits of a text: a hash of the key, or of the note. */
typedef enum pare_ssa_notes_by { PARE_SSA_NOTES_KEY, PARE_SSA_NOTES_NOTE } pare_ssa_notes_by;

/* The hashes of all mentions, each once, in the order of the text; *out is owned by the caller
 * (pare_alloc_free) and NULL where there are none.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_ssa_notes_list(const pare_ssa *ssa, const pare_ssa_notes *notes,
                                           pare_ssa_notes_by by, uint64_t **out, size_t *n,
                                           pare_error *err);

/* Marks for edit->cut, which has room for all names, the mentions of one of the `n` hashes, in any
 * statement.  A call that defines nothing goes with its argument.  O(names * log n). */
void pare_ssa_notes_cut(const pare_ssa *ssa, const pare_ssa_notes *notes, pare_ssa_notes_by by,
                        const uint64_t *hashes, size_t n, pare_ssa_edit *edit);

/* The same for all mentions in statements from .. to-1 that are no notes. */
void pare_ssa_notes_cut_in(const pare_ssa *ssa, const pare_ssa_notes *notes, size_t from, size_t to,
                           pare_ssa_edit *edit);

/* Marks in edit->gone the notes that nothing leads to any more.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_ssa_notes_drop_unreached(const pare_ssa *ssa,
                                                     const pare_ssa_notes *notes,
                                                     pare_ssa_edit *edit, pare_error *err);

#endif
