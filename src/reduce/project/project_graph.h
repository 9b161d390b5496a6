/* The dependency graph of a project: which files need which. */
#ifndef PARE_REDUCE_PROJECT_PROJECT_GRAPH_H
#define PARE_REDUCE_PROJECT_PROJECT_GRAPH_H

#include "reduce/dependency/dependency.h"
#include "reduce/project/project.h"

/* The graph whose nodes are the files of `project`, each with its frame, and in build files the
 * mentions of others.  A file needs what its code mentions; a mention in a build file is there if
 * both files are.  Files that stay as they are, and those with seeds[file] set, are always kept.
 * On PARE_OK the caller owns *out, one reference, or it is NULL: nobody mentions another.
 * O(files + mentions).  Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_project_graph_make(const pare_project *project,
                                               const unsigned char *seeds, pare_dependency **out,
                                               pare_error *err);

#endif
