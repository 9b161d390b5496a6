/* Passes over a project: each looks at the whole folder once and says which patches could make
 * it smaller, over any number of files. */
#ifndef PARE_REDUCE_PROJECT_PROJECT_PASSES_H
#define PARE_REDUCE_PROJECT_PROJECT_PASSES_H

#include "reduce/project/project.h"
#include "reduce/project/project_edits.h"
#include "text/patch.h"

typedef struct pare_project_pass {
    const char *name;
    bool joins;    /* it makes one file of several, which is for what is left of others */
    bool listed;   /* patches are best tried as they stand in the list; else the largest first */
    bool together; /* all in one test first, since most can be made together */

    /* Adds what there is to offer to `out`, a list about project->text, empty; each patch makes
     * the text smaller.  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
    pare_status (*offer)(const pare_project *project, pare_patches *out, pare_error *err);
} pare_project_pass;

/* All of them in the order in which they are worth trying; *n of them. */
const pare_project_pass *pare_project_passes(size_t *n);

/* What project_joins.c has to offer: several sources as one, other files where they are
 * mentioned.  Errors: as above. */
PARE_CHECK pare_status pare_project_joins_offer(const pare_project *project, pare_patches *out,
                                                pare_error *err);
PARE_CHECK pare_status pare_project_joins_places(const pare_project *project, pare_patches *out,
                                                 pare_error *err);

/* Adds to `edits` the cuts of what uses the names that the mention makes known (project_uses.c): where
 * its cut goes, they go, too.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_project_uses_cut(const pare_project *project,
                                             const pare_mention *mention, pare_project_edits *edits,
                                             pare_error *err);

#endif
