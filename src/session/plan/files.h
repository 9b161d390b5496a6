/* Reducing several files: whole ones first, then their contents. */
#ifndef PARE_SESSION_PLAN_FILES_H
#define PARE_SESSION_PLAN_FILES_H

#include <pare/algorithm.h>

#include "session/plan/plan.h"
#include "session/plan/work.h"
#include "text/layout.h"

typedef struct pare_files pare_files;

/* Prepares the reduction of the files of `layout`.  Both are borrowed.  On PARE_OK the
 * caller owns *out.  Errors: PARE_E_NOMEM, those of the front ends. */
PARE_CHECK pare_status pare_files_new(const pare_tree_options *trees, const pare_layout *layout,
                                      const pare_plan *plan, pare_files **out, pare_error *err);
void pare_files_free(pare_files *files); /* NULL is a no-op */

/* One round: folders with all that is in them, level by level, and files; then the contents of all
 * files as wholes; words, if there are any; then all phases of the plan for each file, always the
 * next phase of the file that promises the most.  Errors: those of pare_phase_run. */
PARE_CHECK pare_status pare_files_round(pare_files *files, pare_work *work, pare_error *err);

/* The first two of these: whole files, contents, words.  Errors: as above. */
PARE_CHECK pare_status pare_files_whole(pare_files *files, pare_work *work, pare_error *err);

/* Entries of the layout, words among them. */
size_t pare_files_n_entries(const pare_files *files);

/* Sets bytes[0 .. n_entries-1] to what is left of each file; 0 for what is none, is gone, or is
 * a word.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_files_weigh(const pare_files *files, pare_work *work, size_t *bytes,
                                        pare_error *err);

/* Makes the file `entry`, of `bytes`, the one at hand, with a front end for its language.
 * Errors: those of the front end. */
PARE_CHECK pare_status pare_files_enter(pare_files *files, pare_work *work, uint32_t entry,
                                        size_t bytes, pare_error *err);

/* How many units the phase has before it now in all files.  Errors: as above. */
PARE_CHECK pare_status pare_files_count(pare_files *files, pare_work *work, const pare_phase *phase,
                                        size_t *n, pare_error *err);

#endif
