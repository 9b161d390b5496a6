/* The dependency graph of a project: which files need which. */
#ifndef PARE_REDUCE_PROJECT_PROJECT_GRAPH_H
#define PARE_REDUCE_PROJECT_PROJECT_GRAPH_H

#include "reduce/dependency/dependency_graph.h"
#include "reduce/project/project.h"

/* What a graph is made of. */
typedef struct pare_project_graph_source {
    const pare_project *project;
    const unsigned char *seeds;         /* by file: it is always kept */
    const struct pare_pass_view *views; /* by file, with the trees of those whose declarations are
                                           nodes; the others are all zero; NULL: there are none */
} pare_project_graph_source;

/* The graph whose nodes are the files of the project, each with its frame; in files with a view their
 * declarations, and in build files the mentions of others.  A declaration needs what it names, in whatever
 * file that is; a file without declarations needs what its code mentions; a mention in a build file is there
 * if both files are.  Files that stay as they are, and seeds, are always kept.
 * On PARE_OK the caller owns *out, one reference, or it is NULL: nothing depends on anything.
 * O(files + mentions + trees).  Memory: about 60 bytes a node of the trees until it returns.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_project_graph_make(const pare_project_graph_source *source,
                                               pare_dependency **out, pare_error *err);

#endif
