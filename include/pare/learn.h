/* Learning from a corpus how texts are made by a grammar, or by that of a language. */
#ifndef PARE_LEARN_H
#define PARE_LEARN_H

#include <stddef.h>

#include <pare/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Texts are borrowed for the call. */
typedef struct pare_learn_options {
    size_t struct_bytes;         /* 0, or its sizeof; see <pare/pare.h>, "Versions" */
    const char *const *grammars; /* paths, as in pare_generate_options; at least one, but with a
                                    language */
    size_t n_grammars;
    const char *start;        /* rule; NULL: the first parser rule */
    const char *const *paths; /* files, and folders with files, at any depth; links are not
                                 followed */
    size_t n_paths;
    size_t max_leaves;    /* texts kept of each token; 0: 256 */
    const char *language; /* in the place of grammars: one that was added (<pare/language.h>), whose
                             parser reads the files; or NULL */
} pare_learn_options;

/* What was learnt; ended by pare_learned_done. */
typedef struct pare_learned {
    char *model;       /* owned; JSON for pare_generate_options.model, ended by a NUL */
    size_t size_bytes; /* without the NUL */
    size_t n_files;    /* learnt from */
    size_t n_errors;   /* of these, those with syntax errors */
} pare_learned;

PARE_API void pare_learned_done(pare_learned *learned);

/* What follows, for those who cannot use this header, such as other languages: the size is that
 * of a struct of options whose struct_bytes is 0. */
PARE_API PARE_CHECK pare_status pare_learn_sized(const pare_learn_options *options,
                                                 size_t options_bytes, pare_learned *learned,
                                                 pare_error *err);

/* Parses the files and counts which alternatives are taken, how often quantifiers go on, and
 * which texts tokens have.  Of a file with syntax errors what did parse is learnt.  On PARE_OK
 * the caller owns *learned, which has to be all-zero before.
 * Errors: PARE_E_ARG (no grammar, no such start rule), PARE_E_STATE (there is no file),
 * PARE_E_SYNTAX (the grammar is wrong), PARE_E_IO, PARE_E_LIMIT, PARE_E_NOMEM. */
static inline PARE_CHECK pare_status pare_learn(const pare_learn_options *options,
                                                pare_learned *learned, pare_error *err)
{
    return pare_learn_sized(options, sizeof *options, learned, err);
}

#ifdef __cplusplus
}
#endif

#endif
