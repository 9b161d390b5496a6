/* Edits of a project in the making: changes anywhere in its text, in any order, which become one
 * patch. */
#ifndef PARE_REDUCE_PROJECT_PROJECT_EDITS_H
#define PARE_REDUCE_PROJECT_PROJECT_EDITS_H

#include "base/buffer.h"
#include "reduce/project/project.h"
#include "text/patch.h"

typedef struct pare_project_edit {
    pare_project_range what;
    size_t at, size; /* of the literals: what stands in its place */
} pare_project_edit;

/* All-zero: none. */
typedef struct pare_project_edits {
    pare_project_edit *items; /* owned */
    size_t n, capacity;
    pare_buffer literals;
} pare_project_edits;

void pare_project_edits_reset(pare_project_edits *edits); /* empties, keeps the memory */
void pare_project_edits_done(pare_project_edits *edits);

/* `what` becomes the bytes that were added to edits->literals from `at` on.  An empty range is
 * left out if nothing stands in its place.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_project_edits_add(pare_project_edits *edits, pare_project_range what,
                                              size_t at, pare_error *err);
PARE_CHECK pare_status pare_project_edits_cut(pare_project_edits *edits, pare_project_range what,
                                              pare_error *err);

/* The file goes, with its frame; its mentions stay.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_project_edits_remove(pare_project_edits *edits,
                                                 const pare_project_file *file, pare_error *err);

/* Makes them one patch of the list, if the text becomes smaller.  What overlaps is cut once, and
 * what is in a cut is none.  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_project_edits_end(pare_project_edits *edits, pare_patches *out,
                                              pare_error *err);

#endif
