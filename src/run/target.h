/* Where the candidate goes in the command line of a program that needs no script.
 *
 * "@@" in a word stands for the candidate's path, "@@.EXT" for the path of a candidate
 * whose file name ends in ".EXT"; without either the candidate is standard input.  Of a
 * folder "@@" is its path, of several inputs a word with it is repeated for each; without
 * it they lie in the program's directory, and nothing is on standard input.
 * Any thread. */
#ifndef PARE_RUN_TARGET_H
#define PARE_RUN_TARGET_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/status.h"

/* Appends the name that the candidate's file has to have to *name: `base_name`, the
 * input's, or that with the suffix which the words ask for in the place of its own.
 * Errors: PARE_E_ARG (two different suffixes), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_target_name(const char *const *words, size_t n_words,
                                        const char *base_name, pare_buffer *name, pare_error *err);

/* PARE_E_ARG when the words ask for a suffix: of several files all keep their names. */
PARE_CHECK pare_status pare_target_refuse_suffix(const char *const *words, size_t n_words,
                                                 pare_error *err);

/* Whether a mark is in `word`. */
bool pare_target_marked(const char *word);

/* Appends `word` with `path` in the place of each mark.  Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_target_fill(const char *word, const char *path, pare_buffer *filled,
                                        pare_error *err);

#endif
