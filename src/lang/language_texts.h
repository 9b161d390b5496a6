/* What a language of tree-sitter's says about texts: which one is the shortest for each kind
 * of node, and which kinds may stand for which.
 *
 * Texts come from the language's grammar in the grammar model (grammar/minimal.h), and each
 * is parsed: within the smallest text that leads from the start rule to it
 * (grammar/minimal.h) it must be a node of its kind, and nothing may be an error.  What is
 * not read back like that is dropped.  Tokens of the language's own scanner, which no
 * grammar describes, have the shortest text that the input at hand has for them; so has any
 * other token whose own text is not read back (an identifier that is a keyword).  Those that
 * are in no tree (the end of a line, of an indented block) are taken for nothing at last:
 * at the end of a text many of them are, and what is not so is not read back.  A kind that is
 * nowhere read back so far is tried in the input at hand, in the place of its smallest node.
 *
 * Subtypes are unit derivations (grammar/analysis.h), seen by the kinds of nodes: hidden and
 * inlined rules and supertypes are gone through, and what an alias has renamed is taken for
 * what it is, so that a property's name may stand for an identifier.
 *
 * Immutable once made.  One thread. */
#ifndef PARE_LANG_LANGUAGE_TEXTS_H
#define PARE_LANG_LANGUAGE_TEXTS_H

#include "lang/language.h"
#include "parse/parse_tree.h"
#include "parse/tree_sitter.h"

typedef struct pare_language_texts pare_language_texts;

/* What the texts are made from; borrowed during the call but for `language` and `models`,
 * which the result borrows. */
typedef struct pare_language_source {
    const pare_tree_sitter *language;
    const pare_language_models *models;
    const char *json; /* grammar.json */
    size_t json_size;
    const pare_parse_tree *example; /* the input, as tree-sitter parses it; or NULL */
    const char *bytes;              /* of the example */
} pare_language_source;

/* The same with the grammar of the language `name`, as it was added; source.json is not
 * looked at.  Errors: also those of pare_language_read. */
PARE_CHECK pare_status pare_language_texts_load(const char *name, pare_language_source source,
                                                pare_language_texts **out, pare_error *err);
void pare_language_texts_free(pare_language_texts *texts); /* NULL is a no-op */

/* All below take symbols of the language's content models (grammar/content.h). */

/* Sets *text (borrowed) to the shortest text of a kind; false: none is known. */
bool pare_language_texts_of(const pare_language_texts *texts, uint32_t symbol, const char **text,
                            size_t *size);

/* The kind of set `set` with the shortest text, first in the order of bytes; PARE_NO_INDEX:
 * none is known. */
uint32_t pare_language_texts_smallest(const pare_language_texts *texts, uint32_t set);

/* Whether a node of kind `offered` may stand where one of `wanted` does: by itself, by unit
 * derivation, or because an alias gave it its name. */
bool pare_language_texts_fit(const pare_language_texts *texts, uint32_t wanted, uint32_t offered);

/* Whether it may where any one of `set` may. */
bool pare_language_texts_fit_set(const pare_language_texts *texts, uint32_t set, uint32_t offered);

/* A token of a kind's shortest text. */
typedef struct pare_language_piece {
    uint32_t sort;        /* of tokens without a fixed text, see _sort; else 0 */
    uint32_t begin, size; /* in the text */
} pare_language_piece;

/* Sets *pieces (borrowed) to the tokens of a kind's shortest text, in its order. */
size_t pare_language_texts_pieces(const pare_language_texts *texts, uint32_t symbol,
                                  const pare_language_piece **pieces);

/* The sort of a kind that is one token; 0: it is none, or its text is fixed.  Kinds that are
 * the same token under other names have one sort. */
uint32_t pare_language_texts_sort(const pare_language_texts *texts, uint32_t symbol);

#endif
