/* Languages as their folders hold them: paths, records, loading.  The public part is
 * <pare/language.h>. */
#ifndef PARE_LANG_LANGUAGE_H
#define PARE_LANG_LANGUAGE_H

#include <pare/language.h>

#include "base/buffer.h"
#include "lang/packs.h"
#include "parse/tree_sitter.h"

/* Names of the files of a language's folder. */
#define PARE_LANGUAGE_OBJECT "parser.so"
#define PARE_LANGUAGE_RECORD "pack.json"
#define PARE_LANGUAGE_GRAMMAR "grammar.json"
#define PARE_LANGUAGE_NODE_TYPES "node-types.json"
#define PARE_LANGUAGE_WEIGHTS "weights.json" /* of a model */

/* Of what the program pare-web-model makes: a model of another version is made anew. */
enum { PARE_LANGUAGE_MODEL_VERSION = 1 };

/* The pack called `name`.  Errors: PARE_E_ARG, with the command that lists them. */
PARE_CHECK pare_status pare_language_pack(const char *name, const pare_pack **out, pare_error *err);

/* The folder in which a language is put: the user's, or the system's.  The caller owns *out.
 * Errors: PARE_E_STATE, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_language_shelf(pare_language_origin origin, char **out,
                                           pare_error *err);

/* Loads the language `name`.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_ARG (no such language, or it is a model), PARE_E_STATE (it is not added; the
 * sentence holds the command that adds it), PARE_E_CORRUPT and PARE_E_IO (it is there and cannot
 * be used; the sentence holds its path), PARE_E_UNSUPPORTED (no tree-sitter in this build). */
PARE_CHECK pare_status pare_language_load(const char *name, pare_tree_sitter **out,
                                          pare_error *err);

/* Reads the file `file` of the language or model `name`, such as its grammar, into *buffer.
 * Errors: as above, PARE_E_IO; of a model PARE_E_STATE too when it was made by another version
 * of pare. */
PARE_CHECK pare_status pare_language_read(const char *name, const char *file, pare_buffer *buffer,
                                          pare_error *err);

#endif
