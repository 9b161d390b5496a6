/* <pare/parse.h>: parses one file by a grammar or by a language, with its islands, and prints
 * the tree.
 *
 * A text outside the language is no error: its tree is printed with opaque leaves, and the
 * first place where it left the grammar is told beside it. */
#include <pare/parse.h>

#include <assert.h>
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

/* All-zero is a no-op; *parsed is all-zero afterwards, so it may be ended twice. */
void pare_parsed_done(pare_parsed *parsed)
{
    for (size_t i = 0; i < parsed->n_warnings; i++)
        pare_alloc_free(parsed->warnings[i]);
    pare_alloc_free(parsed->warnings);
    pare_alloc_free(parsed->tree);
    pare_alloc_free(parsed->message);
    memset(parsed, 0, sizeof *parsed);
}

/* --- islands ----------------------------------------------------------------------------- */

/* The language of one island: either a grammar with its parser, or a language
 * of tree-sitter's; the other members are NULL. The parser borrows the grammar,
 * so it is freed first. */
struct island_language {
    pare_grammar *grammar; /* owned, as all */
    pare_parser *parser;
    pare_tree_sitter *language;
};

/* The islands of a file, each with a language of its own. Opening a language twice costs little
 * when a single file is parsed. (A reduction shares them: reduce/syntax/.) */
struct plain_islands {
    pare_islands *islands;             /* owned */
    struct island_language *languages; /* owned; n of them */
    size_t n;
};

/* All-zero is a no-op. */
static void islands_done(struct plain_islands *plain)
{
    pare_islands_free(plain->islands);
    assert(plain->languages || !plain->n);
    for (size_t i = 0; i < plain->n; i++) {
        pare_parser_free(plain->languages[i].parser);
        pare_grammar_free(plain->languages[i].grammar);
        pare_tree_sitter_close(plain->languages[i].language);
    }
    pare_alloc_free(plain->languages);
}

/* A pare_island_parse; `context` is a struct island_language that was opened. */
static pare_status parse_island(void *context, const char *bytes, size_t size,
                                pare_parse_tree *tree, pare_error *err)
{
    struct island_language *language = context;
    if (language->parser) return pare_parser_run(language->parser, bytes, size, tree, NULL, err);
    return pare_tree_sitter_parse(language->language, bytes, size, tree, err);
}

/* Opens what the option names: a language of tree-sitter's, or a grammar of one
 * or more files. What was opened before a failure is released by islands_done. */
static pare_status open_language(struct island_language *language, const pare_island_option *option,
                                 pare_error *err)
{
    pare_index start = PARE_NO_INDEX;
    if (option->language) return pare_language_load(option->language, &language->language, err);
    pare_status status = pare_grammar_file_open(option->files, option->n_files, option->start,
                                                &language->grammar, &start, err);
    if (!status) status = pare_parser_new(language->grammar, start, &language->parser, err);
    return status;
}

/* Adds the island of one option, with a language of its own. */
static pare_status add_island(struct plain_islands *plain, const char *text, pare_error *err)
{
    pare_island_option option = {.words = NULL};
    /* Counted before anything can fail, so that islands_done also ends a
     * language that is half open. */
    struct island_language *language = &plain->languages[plain->n++];
    uint32_t number = 0;
    pare_status status = pare_islands_option_read(text, &option, err);
    if (!status) status = open_language(language, &option, err);
    if (!status)
        status = pare_islands_add_language(plain->islands, parse_island, language, &number, err);
    if (!status) status = pare_islands_add(plain->islands, option.token, option.regex, number, err);
    pare_islands_option_done(&option);
    return status;
}

/* Opens the languages of the islands that `n` options name.  *plain is to be ended also after an
 * error.  Errors: those of pare_islands_option_read, pare_islands_add, and of reading a grammar or
 * loading a language. */
static pare_status islands_init(struct plain_islands *plain, const char *const *options, size_t n,
                                pare_error *err)
{
    /* All the array at once: the islands keep pointers into it, so it must not move. */
    plain->languages = pare_alloc_zero(n, sizeof *plain->languages);
    pare_status status =
        plain->languages ? pare_islands_new(&plain->islands, err) : pare_fail_nomem(err);
    for (size_t i = 0; !status && i < n; i++)
        status = add_island(plain, options[i], err);
    return status;
}

/* --- the tree ---------------------------------------------------------------------------- */

/* Prints the tree in the format asked for. The switch has no default, so that a
 * compiler warns of a format that was forgotten; a number from outside the enum
 * is the caller's error. */
static pare_status print_tree(const pare_parse_tree *tree, const char *text,
                              pare_tree_format format, pare_buffer *out, pare_error *err)
{
    switch (format) {
    case PARE_TREE_LISP: return pare_print_lisp(tree, text, out, err);
    case PARE_TREE_JSON: return pare_print_json(tree, text, out, err);
    case PARE_TREE_DOT: return pare_print_dot(tree, text, out, err);
    case PARE_TREE_SVG: return pare_print_svg(tree, text, out, err);
    }
    return pare_fail(err, PARE_E_ARG, "unknown tree format");
}

/* Prints the subtrees of one symbol if one is named, else the whole tree with a
 * line end, which the printers do not add. */
static pare_status print(const pare_parse_tree *tree, const char *text,
                         const pare_parse_options *options, pare_buffer *out, pare_error *err)
{
    if (options->symbol)
        return pare_print_subtrees(tree, text, options->symbol, options->depth, out, err);
    pare_status status = print_tree(tree, text, options->format, out, err);
    return status ? status : pare_buffer_text(out, "\n", err);
}

/* Prints the tree into *parsed, and copies what is said about its first error.
 * *parsed is written only when all of that has succeeded, so there is nothing
 * to undo. */
static pare_status store(const pare_parse_tree *tree, const char *text,
                         const pare_parse_options *options, pare_parsed *parsed, pare_error *err)
{
    pare_buffer out = {0};
    /* A text of no subtree is empty, but not NULL: callers print it. */
    pare_status status = pare_buffer_reserve(&out, 1, err);
    pare_parse_error error = {.any = false};
    if (status == PARE_OK) status = print(tree, text, options, &out, err);
    if (status == PARE_OK) status = pare_parse_tree_copy_error(&tree->error, &error, err);
    if (status != PARE_OK) {
        pare_buffer_done(&out);
        return status;
    }
    parsed->tree = out.data;
    parsed->size_bytes = out.size;
    parsed->in_language = !tree->error.any;
    /* Line and column are 0 if there is no error. */
    parsed->line = tree->error.line;
    parsed->column = tree->error.column;
    parsed->message = error.message;
    return PARE_OK;
}

/* Fills the islands in, if any are asked for, and stores the tree. Last step of
 * both ways to parse. */
static pare_status finish(const pare_parse_tree *tree, const char *text,
                          const pare_parse_options *options, pare_parsed *parsed, pare_error *err)
{
    struct plain_islands islands = {.n = 0};
    pare_island_tree filled = {.n_islands = 0};
    /* Most files have none, and need no second tree. */
    if (!options->n_islands) return store(tree, text, options, parsed, err);
    pare_status status = islands_init(&islands, options->islands, options->n_islands, err);
    if (status == PARE_OK) status = pare_islands_fill(islands.islands, tree, text, &filled, err);
    if (status == PARE_OK) status = store(&filled.tree, text, options, parsed, err);
    pare_islands_tree_done(&filled);
    islands_done(&islands);
    return status;
}

/* Copies the grammar's warnings, since the grammar is freed before the caller
 * reads them. */
static pare_status copy_warnings(const pare_grammar *grammar, pare_parsed *parsed, pare_error *err)
{
    parsed->warnings = pare_alloc_zero(grammar->n_warnings, sizeof *parsed->warnings);
    if (!parsed->warnings) return pare_fail_nomem(err);
    for (size_t i = 0; i < grammar->n_warnings; i++) {
        const char *warning = grammar->warnings[i];
        parsed->warnings[i] = pare_alloc_text(warning, strlen(warning));
        if (!parsed->warnings[i]) return pare_fail_nomem(err);
        /* Counted one by one, so that those copied are released also after a failure. */
        parsed->n_warnings++;
    }
    return PARE_OK;
}

/* Parses by a grammar of files. A scannerless grammar has one leaf for each
 * character; they are joined to the literals of the grammar, which is what its
 * author would call tokens. */
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
    /* Its leaves are single characters otherwise. */
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

/* Parses by an added language of tree-sitter. A start rule is refused, not
 * ignored: tree-sitter's tables have one start state. */
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

/* The language that is named, or the one that the file's name tells. */
static pare_status choose_language(const pare_parse_options *options, const char *path,
                                   const char **name, pare_error *err)
{
    *name = options->language;
    if (*name && strcmp(*name, "auto") != 0) return PARE_OK;
    /* "auto" and no name at all mean the same. */
    const pare_language_info *info = pare_language_for_file(path);
    *name = info ? info->name : NULL;
    if (info) return PARE_OK;
    return pare_fail(err, PARE_E_STATE,
                     "the name '%s' does not tell its language: name it with --lang NAME, or a "
                     "grammar with --grammar FILE.g4",
                     path);
}

/* Checks that the options agree, then parses by the grammar or by the language.
 * On failure *parsed is all-zero again. */
static pare_status parse_file(const pare_parse_options *options, const char *path,
                              pare_parsed *parsed, pare_error *err)
{
    pare_buffer text = {0};
    const char *language = NULL;
    pare_status status = PARE_OK;
    if (options->n_grammars > 0 && options->language)
        return pare_fail(err, PARE_E_ARG, "a grammar and a language exclude each other");
    if (options->depth && !options->symbol)
        return pare_fail(err, PARE_E_ARG, "a depth needs the symbol of the subtrees");
    if (options->symbol && options->format != PARE_TREE_LISP)
        return pare_fail(err, PARE_E_ARG,
                         "a symbol and a format exclude each other: subtrees are printed as texts");
    if (options->n_grammars == 0) status = choose_language(options, path, &language, err);
    if (status == PARE_OK) status = pare_file_read(path, &text, err);
    /* An empty buffer has no memory, and parsers want a pointer. */
    if (status == PARE_OK) status = pare_buffer_reserve(&text, 1, err);
    if (status == PARE_OK)
        status = language ? parse_by_language(language, options, &text, parsed, err)
                          : parse_by_grammar(options, &text, parsed, err);
    pare_buffer_done(&text);
    if (status != PARE_OK) pare_parsed_done(parsed);
    return status;
}

/* The public entry: options of an older caller are shorter and are filled up
 * with zeros. */
pare_status pare_parse_file_sized(const pare_parse_options *options, size_t options_bytes,
                                  const char *path, pare_parsed *parsed, pare_error *err)
{
    pare_parse_options own;
    pare_status status =
        pare_sized_take(&own, sizeof own, options, options_bytes, "options to parse", err);
    return status ? status : parse_file(&own, path, parsed, err);
}
