/* <pare/parse.h>: parses one file by a grammar or by a language, with its islands, and prints
 * the tree.
 *
 * A text outside the language is no error: its tree is printed with opaque leaves, and the
 * first place where it left the grammar is told beside it. */
#include <pare/parse.h>

#include <string.h>

#include <pare/language.h>

#include "base/alloc.h"

#include "base/buffer.h"
#include "base/fail.h"
#include "base/sized.h"
#include "grammar/grammar.h"
#include "grammar/grammar_file.h"
#include "lang/islands.h"
#include "lang/language.h"
#include "os/file.h"
#include "parse/literals.h"
#include "parse/parse_tree.h"
#include "parse/parser.h"
#include "parse/print.h"
#include "parse/tree_sitter.h"

void pare_parsed_done(pare_parsed *parsed)
{
    for (size_t i = 0; i < parsed->n_warnings; i++)
        pare_alloc_free(parsed->warnings[i]);
    pare_alloc_free(parsed->warnings);
    pare_alloc_free(parsed->tree);
    pare_alloc_free(parsed->message);
    memset(parsed, 0, sizeof *parsed);
}

/* Prints the tree in the format asked for. */
static pare_status print(const pare_parse_tree *tree, const char *text, pare_tree_format format,
                         pare_buffer *out, pare_error *err)
{
    switch (format) {
    case PARE_TREE_LISP: return pare_print_lisp(tree, text, out, err);
    case PARE_TREE_JSON: return pare_print_json(tree, text, out, err);
    case PARE_TREE_DOT: return pare_print_dot(tree, text, out, err);
    case PARE_TREE_SVG: return pare_print_svg(tree, text, out, err);
    }
    return pare_fail(err, PARE_E_ARG, "unknown tree format");
}

/* Prints the tree and copies what is said about it. */
static pare_status store(const pare_parse_tree *tree, const char *text, pare_tree_format format,
                         pare_parsed *parsed, pare_error *err)
{
    pare_buffer out = {0};
    pare_status status = print(tree, text, format, &out, err);
    pare_parse_error error = {.any = false};
    if (status == PARE_OK) status = pare_buffer_text(&out, "\n", err);
    if (status == PARE_OK) status = pare_parse_tree_copy_error(&tree->error, &error, err);
    if (status != PARE_OK) {
        pare_buffer_done(&out);
        return status;
    }
    parsed->tree = out.data;
    parsed->size_bytes = out.size;
    parsed->in_language = !tree->error.any;
    parsed->line = tree->error.line;
    parsed->column = tree->error.column;
    parsed->message = error.message;
    return PARE_OK;
}

/* Stores the tree with its islands. */
static pare_status finish(const pare_parse_tree *tree, const char *text,
                          const pare_parse_options *options, pare_parsed *parsed, pare_error *err)
{
    pare_plain_islands *islands = NULL;
    pare_island_tree filled = {.n_islands = 0};
    if (!options->n_islands) return store(tree, text, options->format, parsed, err);
    pare_status status =
        pare_islands_plain_new(options->islands, options->n_islands, &islands, err);
    if (status == PARE_OK)
        status = pare_islands_fill(pare_islands_plain_of(islands), tree, text, &filled, err);
    if (status == PARE_OK) status = store(&filled.tree, text, options->format, parsed, err);
    pare_islands_tree_done(&filled);
    pare_islands_plain_free(islands);
    return status;
}

/* The grammar is gone when the caller reads them. */
static pare_status copy_warnings(const pare_grammar *grammar, pare_parsed *parsed, pare_error *err)
{
    parsed->warnings = pare_alloc_zero(grammar->n_warnings, sizeof *parsed->warnings);
    if (!parsed->warnings) return pare_fail_nomem(err);
    for (size_t i = 0; i < grammar->n_warnings; i++) {
        const char *warning = grammar->warnings[i];
        parsed->warnings[i] = pare_alloc_text(warning, strlen(warning));
        if (!parsed->warnings[i]) return pare_fail_nomem(err);
        parsed->n_warnings++;
    }
    return PARE_OK;
}

/* By a grammar of files.  The characters of a scannerless one are joined to literals, as its
 * trees are shown. */
static pare_status parse_by_grammar(const pare_parse_options *options, const pare_buffer *text,
                                    pare_parsed *parsed, pare_error *err)
{
    pare_grammar *grammar = NULL;
    pare_parser *parser = NULL;
    pare_parse_tree tree = {0};
    pare_literals literals = {0};
    pare_index start;
    pare_status status = pare_grammar_file_open(options->grammars, options->n_grammars,
                                                options->start, &grammar, &start, err);
    if (status == PARE_OK) status = copy_warnings(grammar, parsed, err);
    if (status == PARE_OK) status = pare_parser_new(grammar, start, &parser, err);
    if (status == PARE_OK)
        status = pare_parser_run(parser, text->data, text->size, &tree, NULL, err);
    if (status == PARE_OK && grammar->scannerless) {
        status = pare_literals_init(&literals, grammar, err);
        if (status == PARE_OK) status = pare_literals_join(&literals, &tree, err);
    }
    if (status == PARE_OK) status = finish(&tree, text->data, options, parsed, err);
    pare_parse_tree_done(&tree);
    pare_literals_done(&literals);
    pare_parser_free(parser);
    pare_grammar_free(grammar);
    return status;
}

/* By an added language of tree-sitter. */
static pare_status parse_by_language(const char *name, const pare_parse_options *options,
                                     const pare_buffer *text, pare_parsed *parsed, pare_error *err)
{
    pare_tree_sitter *language = NULL;
    pare_parse_tree tree = {0};
    if (options->start)
        return pare_fail(err, PARE_E_ARG, "a start rule needs a grammar: a language has its own");
    pare_status status = pare_language_load(name, &language, err);
    if (status == PARE_OK)
        status = pare_tree_sitter_parse(language, text->data, text->size, &tree, err);
    if (status == PARE_OK) status = finish(&tree, text->data, options, parsed, err);
    pare_parse_tree_done(&tree);
    pare_tree_sitter_close(language);
    return status;
}

/* The language that is named, else the one that the file's name tells. */
static pare_status choose_language(const pare_parse_options *options, const char *path,
                                   const char **name, pare_error *err)
{
    *name = options->language;
    if (*name && strcmp(*name, "auto") != 0) return PARE_OK;
    const pare_language_info *info = pare_language_for_file(path);
    *name = info ? info->name : NULL;
    if (info) return PARE_OK;
    return pare_fail(err, PARE_E_STATE,
                     "the name '%s' does not say its language: name a grammar or a language", path);
}

/* One of the two ways; an empty file is parsed, too. */
static pare_status parse_file(const pare_parse_options *options, const char *path,
                              pare_parsed *parsed, pare_error *err)
{
    pare_buffer text = {0};
    const char *language = NULL;
    pare_status status = PARE_OK;
    if (options->n_grammars > 0 && options->language)
        return pare_fail(err, PARE_E_ARG, "a grammar and a language exclude each other");
    if (options->n_grammars == 0) status = choose_language(options, path, &language, err);
    if (status == PARE_OK) status = pare_file_read(path, &text, err);
    if (status == PARE_OK) status = pare_buffer_reserve(&text, 1, err);
    if (status == PARE_OK)
        status = language ? parse_by_language(language, options, &text, parsed, err)
                          : parse_by_grammar(options, &text, parsed, err);
    pare_buffer_done(&text);
    if (status != PARE_OK) pare_parsed_done(parsed);
    return status;
}

pare_status pare_parse_file_sized(const pare_parse_options *options, size_t options_bytes,
                                  const char *path, pare_parsed *parsed, pare_error *err)
{
    pare_parse_options own;
    pare_status status =
        pare_sized_take(&own, sizeof own, options, options_bytes, "options to parse", err);
    return status ? status : parse_file(&own, path, parsed, err);
}
