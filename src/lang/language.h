/* Languages as their folders hold them: paths, records, loading.  The public part is
 * <pare/language.h>. */
#ifndef PARE_LANG_LANGUAGE_H
#define PARE_LANG_LANGUAGE_H

#include <pare/export.h>
#include <pare/language.h>
#include <pare/status.h>

#include "base/buffer.h"
#include "base/digest.h"
#include "grammar/content.h"
#include "grammar/tree_sitter_grammar.h"
#include "parse/parser.h"
#include "parse/tree_sitter.h"

/* Names of the files of a language's folder. */
#define PARE_LANGUAGE_OBJECT "parser.so"
#define PARE_LANGUAGE_RECORD "pack.json"
#define PARE_LANGUAGE_GRAMMAR "grammar.json"
#define PARE_LANGUAGE_NODE_TYPES "node-types.json"
#define PARE_LANGUAGE_WEIGHTS "weights.json" /* of a model */

/* Of what the program pare-web-model makes: a model of another version is made anew. */
enum { PARE_LANGUAGE_MODEL_VERSION = 1 };

/* The folder in which a language is put: the user's, or the system's.  The caller owns *out.
 * Errors: PARE_E_STATE, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_language_shelf(pare_language_origin origin, char **out,
                                           pare_error *err);

/* The digest of a parser's file, as the record has it.  Errors: PARE_E_IO. */
PARE_CHECK pare_status pare_language_digest(const char *path, char digest[PARE_DIGEST_TEXT_BYTES],
                                            pare_error *err);

/* Loads the language `name`, unless its file is not what its record says, or somebody else can write
 * to it (os/trust.h).  On PARE_OK the caller owns *out.
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

/* The grammar of an added language, to make texts by, and its parser, to check them. */

/* Any thread may read it; all-zero is empty. */
typedef struct pare_language_grammar {
    pare_tree_sitter_grammar from; /* owned, as all below */
    pare_tree_sitter *parser;
    pare_content *content;
} pare_language_grammar;

/* Reads the grammar of the language `name`.  Of the tokens of its own scanner, which no grammar
 * describes, line ends and indentation have a text, and those of the `n` examples; what needs
 * another one is not made.  Errors: those of pare_language_load and pare_tree_sitter_grammar_read;
 * *grammar is all-zero then. */
PARE_CHECK pare_status pare_language_grammar_read(const char *name,
                                                  const pare_token_example *examples, size_t n,
                                                  pare_language_grammar *grammar, pare_error *err);
void pare_language_grammar_done(pare_language_grammar *grammar);

/* Whether the language's parser takes the text without an error; `self` is a
 * pare_language_grammar.  Errors: PARE_E_UNSUPPORTED (it does not), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_language_grammar_check(void *self, const char *text, size_t size,
                                                   pare_error *err);

/* Texts of a language as trees of its grammar (parse/grammar_tree.h).  One thread. */
typedef struct pare_language_reader pare_language_reader;

/* `grammar` is borrowed, also by the trees.  On PARE_OK the caller owns *out.
 * Errors: those of pare_grammar_tree_new. */
PARE_CHECK pare_status pare_language_reader_new(const pare_language_grammar *grammar,
                                                pare_language_reader **out, pare_error *err);
void pare_language_reader_free(pare_language_reader *reader); /* NULL is a no-op */

/* What reads; borrows `reader`. */
pare_text_reader pare_language_reader_of(pare_language_reader *reader);

/* The content models of a language (grammar/content.h), and their numbers for the symbols of its
 * parser's trees.  Immutable; any thread. */
typedef struct pare_language_models pare_language_models;

/* For trees of the language `name`, loaded as `language` (borrowed).  On PARE_OK the
 * caller owns *out.  Errors: those of pare_language_read and pare_content_read. */
PARE_CHECK pare_status pare_language_models_new(const char *name, const pare_tree_sitter *language,
                                                pare_language_models **out, pare_error *err);

/* A symbol of a tree: a node type, or a token known by its text. */
typedef struct pare_language_symbol {
    const char *name;
    bool named;
} pare_language_symbol;

/* The same for trees with `n` symbols of any parser's, by the grammar.json in `json`.
 * Errors: those of pare_content_read. */
PARE_CHECK pare_status pare_language_models_make(const char *json, size_t size,
                                                 const pare_language_symbol *kinds, uint32_t n,
                                                 pare_language_models **out, pare_error *err);
void pare_language_models_free(pare_language_models *models); /* NULL is a no-op */

/* The content models; borrowed. */
const pare_content *pare_language_models_content(const pare_language_models *models);

/* Number of tree-sitter's symbols. */
uint32_t pare_language_models_n_symbols(const pare_language_models *models);

/* The number that the content models give a symbol of tree-sitter's. */
uint32_t pare_language_models_symbol(const pare_language_models *models, uint32_t symbol);

#endif
