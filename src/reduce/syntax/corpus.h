/* A corpus: example files, of which GTR's templates are made (reduce/tree/gtr_templates.h). */
#ifndef PARE_REDUCE_SYNTAX_CORPUS_H
#define PARE_REDUCE_SYNTAX_CORPUS_H

#include "reduce/syntax/front.h"
#include "reduce/tree/gtr_templates.h"

typedef struct pare_corpus_count {
    size_t n_learned, n_skipped; /* files; those skipped do not parse */
} pare_corpus_count;

/* Learns from the trees that `front` makes of the files `paths`, and of all files in those
 * of them that are folders, which may be given twice.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_IO (a path is not there, or cannot be read), PARE_E_LIMIT, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_corpus_learn(pare_front *front, const char *const *paths, size_t n,
                                         pare_gtr_templates **out, pare_corpus_count *files,
                                         pare_error *err);

#endif
