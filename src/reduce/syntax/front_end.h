/* The front end: what makes trees of a text for the tree algorithms.
 *
 * A language pack (tree-sitter), a grammar, a tree that the user gives, or, where neither is at hand, brackets and
 * segments, which every text has. */
#ifndef PARE_REDUCE_SYNTAX_FRONT_END_H
#define PARE_REDUCE_SYNTAX_FRONT_END_H

#include <pare/algorithm.h>

#include "parse/parse_tree.h"
#include "parse/token_grammar.h"
#include "reduce/tree/grabr.h"
#include "reduce/tree/gtr_templates.h"
#include "reduce/tree/tree.h"
#include "text/pattern.h"
#include "text/text.h"

typedef struct pare_front_end pare_front_end;

/* Makes the front end that `options` ask for; `input_name` (may be NULL) tells the language where
 * they name none.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_NOMEM, and those of reading the grammar or the language. */
PARE_CHECK pare_status pare_front_end_open(const pare_tree_options *options, const char *input_name,
                                           pare_front_end **out, pare_error *err);

/* Says which text the input is, before the first tree is asked for.  A tree that the options give has
 * to be of it; a preprocessed text in no language that options or name tell says itself which it is in.
 * Errors: PARE_E_ARG (the tree is of another text), PARE_E_NOMEM. */
PARE_CHECK pare_status pare_front_end_set_input(pare_front_end *front, const pare_text *text,
                                                pare_error *err);
void pare_front_end_free(pare_front_end *front); /* NULL is a no-op */

/* The name of the language of `options` that is missing, as pare_reduce_missing_language has it. */
const char *pare_front_end_missing_language(const pare_tree_options *options,
                                            const char *input_name);

/* What the user should know, once: a language that is not there, where the input leaves
 * the grammar.  NULL when there is nothing new; owned by the front end. */
const char *pare_front_end_notice(pare_front_end *front);

/* The language by which the input is read; static; NULL: by a grammar or by brackets. */
const char *pare_front_end_read_by(const pare_front_end *front);

/* The language of the input, whether it was added or not; NULL: not known.  Borrowed. */
const char *pare_front_end_language(const pare_front_end *front);

/* Names of the symbols of trees by the language or grammar; NULL where there is none, or
 * before the first tree.  Borrowed. */
const pare_symbol_names *pare_front_end_names(const pare_front_end *front);

/* Which tree of a text. */
typedef enum pare_front_end_view {
    PARE_FRONT_END_BEFORE,  /* by the language or grammar; separators go with what follows them */
    PARE_FRONT_END_AFTER,   /* the same, separators go with what is before them */
    PARE_FRONT_END_HOST,    /* as BEFORE, without islands */
    PARE_FRONT_END_BRACKETS /* of brackets, whatever else there is */
} pare_front_end_view;

/* Whether there is a language or a grammar to make trees by; none without a front end (NULL). */
bool pare_front_end_has_reader(const pare_front_end *front);

/* Whether lists look different in the two trees by the language: both are to be used. */
bool pare_front_end_has_sides(const pare_front_end *front);

/* The tree of bytes `file` of `text`, which must be flat; by brackets where most of them
 * leave the grammar.  On PARE_OK the caller owns *out, one reference; the front end must
 * outlive it.  The last tree is kept, with a reference to its text: asked for again, nothing
 * is parsed.
 * Errors: PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_front_end_tree(pare_front_end *front, const pare_text *text,
                                           pare_stretch file, pare_front_end_view kind,
                                           pare_tree **out, pare_error *err);

/* Begins to parse bytes `file` of `text` (flat) in a thread of its own, so that the tree is there
 * when it is asked for; to be called while something else is waited for.  Nothing but time depends on
 * it: it is done for large texts of a language alone, and what is not asked for next is given up. */
void pare_front_end_prepare(pare_front_end *front, const pare_text *text, pare_stretch file);

/* Gives the reference to the last tree back: who changes a tree must have the only one. */
void pare_front_end_forget_tree(pare_front_end *front);

/* Forgets what languages know of shortest texts, unless that was learned from these very bytes:
 * the next tree is by what is learned from its own.  No tree of the front end may be in use.
 * False: nothing was forgotten, so the next tree of these bytes has the same texts again. */
bool pare_front_end_forget_texts(pare_front_end *front, const pare_text *text, pare_stretch file);

/* The tree of an example, all of `text` (flat); *out is NULL when it does not parse.
 * Errors: as above. */
PARE_CHECK pare_status pare_front_end_example(pare_front_end *front, const pare_text *text,
                                              pare_front_end_view kind, pare_tree **out,
                                              pare_error *err);

/* GTR's templates, learned from the options' corpus when they are asked for first; NULL
 * without a corpus.  Owned by the front end.  Errors: PARE_E_NOMEM, PARE_E_IO,
 * PARE_E_LIMIT. */
PARE_CHECK pare_status pare_front_end_templates(pare_front_end *front,
                                                const pare_gtr_templates **out, pare_error *err);

/* Whether the last tree was made by a grammar. */
bool pare_front_end_by_grammar(const pare_front_end *front);

/* The grammar's expansions for GRABR; owned by the front end.
 * Errors: PARE_E_ARG (there is no grammar), PARE_E_NOMEM, PARE_E_LIMIT. */
PARE_CHECK pare_status pare_front_end_expansions(pare_front_end *front, const pare_expansions **out,
                                                 pare_error *err);

/* What the grammar of the last tree says about the inside of its tokens; *out stays NULL when
 * it is by no grammar with a lexer.  Borrowed; it remembers what it read.
 * Errors: PARE_E_NOMEM. */
PARE_CHECK pare_status pare_front_end_token_rules(pare_front_end *front, pare_token_grammar **out,
                                                  pare_error *err);

/* A corpus: example files, of which GTR's templates are made (reduce/tree/gtr_templates.h). */

typedef struct pare_corpus_count {
    size_t n_learned, n_skipped; /* files; those skipped do not parse */
} pare_corpus_count;

/* Learns from the trees that `front` makes of the files `paths`, and of all files in those
 * of them that are folders, which may be given twice.  On PARE_OK the caller owns *out.
 * Errors: PARE_E_IO (a path is not there, or cannot be read), PARE_E_LIMIT, PARE_E_NOMEM. */
PARE_CHECK pare_status pare_front_end_learn(pare_front_end *front, const char *const *paths,
                                            size_t n, pare_gtr_templates **out,
                                            pare_corpus_count *files, pare_error *err);

#endif
