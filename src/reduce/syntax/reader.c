/* A reader: one language, by which texts become parse trees, and what it says about them.
 *
 * It hides which of two very different machines reads: ANTLR's or fuzzingbook's grammars by our
 * own parser, where leaves of a grammar over characters are joined to tokens; or a tree-sitter
 * language, whose trees get their lists back (lang/) and whose shortest texts are learned from
 * the first input.
 * Invariant: either the three members of a grammar are set, or those of a language, never both;
 * `texts` is NULL until the first parse and after forgetting. */
#include "reduce/syntax/reader.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "grammar/grammar.h"
#include "grammar/grammar_file.h"
#include "lang/language.h"
#include "lang/language_texts.h"
#include "lang/recover_lists.h"
#include "parse/literals.h"
#include "parse/parse_tree.h"
#include "parse/parser.h"
#include "parse/shape.h"
#include "parse/tree_sitter.h"
#include "reduce/syntax/language_rules.h"

/* Owns all that it points to. */
struct pare_reader {
    pare_grammar *grammar; /* owned, as all below */
    pare_grammar_rules *facts;
    pare_parser *parser;
    pare_tree_sitter *language;
    pare_language_models *models;
    pare_list_recovery *quantifier;
    pare_language_texts *texts; /* of the first input, or of the first after forgetting; or NULL */
    pare_language_rules *language_rules;
    char *name; /* of the language */
    pare_tree_rules rules;
};

/* In the order of use: rules before what they borrow. */
void pare_reader_free(pare_reader *reader)
{
    if (!reader) return;
    pare_parser_free(reader->parser);
    pare_grammar_rules_free(reader->facts);
    pare_grammar_free(reader->grammar);
    pare_language_rules_free(reader->language_rules);
    pare_language_texts_free(reader->texts);
    pare_recover_lists_free(reader->quantifier);
    pare_language_models_free(reader->models);
    pare_tree_sitter_close(reader->language);
    pare_alloc_free(reader->name);
    pare_alloc_free(reader);
}

/* Reads, analyses and compiles the grammar. */
static pare_status open_grammar(pare_reader *reader, const char *const *paths, size_t n,
                                const char *start_rule, pare_error *err)
{
    pare_index start = PARE_NO_INDEX;
    pare_status status = pare_grammar_file_read(paths, n, &reader->grammar, err);
    if (!status) status = pare_grammar_file_start(reader->grammar, start_rule, &start, err);
    if (!status) status = pare_grammar_rules_new(reader->grammar, &reader->facts, err);
    if (!status) status = pare_parser_new(reader->grammar, start, &reader->parser, err);
    if (!status) reader->rules = pare_grammar_rules_of(reader->facts);
    return status;
}

/* Loads the language, its grammar.json, and what recovers lists; texts are made with the first
 * input. */
static pare_status open_language(pare_reader *reader, const char *name, pare_error *err)
{
    pare_status status = pare_language_load(name, &reader->language, err);
    if (!status) status = pare_language_models_new(name, reader->language, &reader->models, err);
    if (!status) status = pare_recover_lists_new(reader->models, &reader->quantifier, err);
    if (!status)
        status = pare_language_rules_new(reader->models, NULL, &reader->language_rules, err);
    if (status) return status;
    reader->rules = pare_language_rules_of(reader->language_rules);
    reader->name = pare_alloc_text(name, strlen(name));
    return reader->name ? PARE_OK : pare_fail_nomem(err);
}

/* Hands the reader out, or frees it when `status` says that opening failed. */
static pare_status give(pare_reader *reader, pare_status status, pare_reader **out)
{
    if (status)
        pare_reader_free(reader);
    else
        *out = reader;
    return status;
}

pare_status pare_reader_by_grammar(const char *const *paths, size_t n, const char *start,
                                   pare_reader **out, pare_error *err)
{
    pare_reader *reader = pare_alloc_zero(1, sizeof *reader);
    if (!reader) return pare_fail_nomem(err);
    return give(reader, open_grammar(reader, paths, n, start, err), out);
}

pare_status pare_reader_by_language(const char *name, pare_reader **out, pare_error *err)
{
    pare_reader *reader = pare_alloc_zero(1, sizeof *reader);
    if (!reader) return pare_fail_nomem(err);
    return give(reader, open_language(reader, name, err), out);
}

/* Parses; leaves of a grammar over characters are joined where they make one token. */
static pare_status parse_by_grammar(pare_reader *reader, const char *bytes, size_t size,
                                    pare_parse_tree *out, pare_error *err)
{
    pare_parse_tree tree = {0};
    const pare_literals *literals = pare_grammar_rules_literals(reader->facts);
    pare_status status = pare_parser_run(reader->parser, bytes, size, &tree, NULL, err);
    if (!status && literals) status = pare_literals_join(literals, &tree, err);
    if (status)
        pare_parse_tree_done(&tree);
    else
        *out = tree;
    return status;
}

/* Makes the language's texts, with the input at hand as the example. */
static pare_status make_texts(pare_reader *reader, const pare_parse_tree *tree, const char *bytes,
                              pare_error *err)
{
    pare_language_source source = {
        .language = reader->language, .models = reader->models, .example = tree, .bytes = bytes};
    pare_status status = pare_language_texts_load(reader->name, source, &reader->texts, err);
    if (!status) pare_language_rules_set_texts(reader->language_rules, reader->texts);
    return status;
}

/* A tree-sitter tree gets its lists back; the first parse also makes the language's texts, with
 * its input as the example. */
pare_status pare_reader_parse(pare_reader *reader, const char *bytes, size_t size,
                              pare_separators side, pare_parse_tree *tree, pare_error *err)
{
    pare_parse_tree plain = {0};
    assert(!reader->parser != !reader->language);
    if (reader->parser) return parse_by_grammar(reader, bytes, size, tree, err);
    pare_status status = pare_tree_sitter_parse(reader->language, bytes, size, &plain, err);
    if (!status && !reader->texts) status = make_texts(reader, &plain, bytes, err);
    if (!status) status = pare_recover_lists(reader->quantifier, &plain, bytes, side, tree, err);
    pare_parse_tree_done(&plain);
    return status;
}

/* Grammars have none to forget: theirs do not depend on an input. */
bool pare_reader_forget_texts(pare_reader *reader)
{
    if (!reader->texts) return false;
    pare_language_rules_set_texts(reader->language_rules, NULL);
    pare_language_texts_free(reader->texts);
    reader->texts = NULL;
    return true;
}

const pare_tree_rules *pare_reader_rules(const pare_reader *reader)
{
    return &reader->rules;
}

const pare_grammar_rules *pare_reader_facts(const pare_reader *reader)
{
    return reader->facts;
}
