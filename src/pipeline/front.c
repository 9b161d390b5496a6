/* Front ends: an ANTLR grammar, a tree-sitter language, or brackets. */
#include "pipeline/front.h"

#include <stdio.h>
#include <string.h>

#include <pare/language.h>

#include "base/alloc.h"
#include "grammar/fuzzingbook.h"
#include "grammar/g4.h"
#include "parse/bracket_parse.h"
#include "parse/language.h"
#include "parse/parser.h"
#include "parse/quantify.h"
#include "pipeline/grammar_expansions.h"
#include "pipeline/language_rules.h"

struct pare_front {
    pare_grammar *grammar;               /* owned; NULL: no grammar */
    pare_parser *parser;                 /* owned; of the grammar */
    pare_grammar_rules *facts;           /* owned; about the grammar */
    pare_grammar_expansions *expansions; /* owned; NULL: not asked for yet */
    pare_tree_sitter *language;          /* owned; NULL: no language */
    pare_tree_legality *legality;        /* owned; of the language, as below */
    pare_quantifier *quantifier;
    pare_tree_rules rules; /* of the trees made */
    char notice[PARE_ERROR_TEXT_BYTES + 64];
    bool has_notice;
    bool by_grammar; /* the last tree is */
    bool parsed;     /* the input itself; what is left of it later need not be told of */
};

/* One file that ends in .json is a grammar of The Fuzzing Book, the rest are ANTLR's. */
static pare_status read_grammar(pare_front *front, const pare_reduce_options *options,
                                pare_error *err)
{
    const char *dot = strrchr(options->grammars[0], '.');
    if (options->n_grammars == 1 && dot && strcmp(dot, ".json") == 0)
        return pare_fuzzingbook_read(options->grammars[0], &front->grammar, err);
    return pare_g4_read(options->grammars, options->n_grammars, &front->grammar, err);
}

static pare_status open_grammar(pare_front *front, const pare_reduce_options *options,
                                pare_error *err)
{
    if (options->language) return pare_fail(err, PARE_E_ARG, "give either a grammar or a language");
    pare_status status = read_grammar(front, options, err);
    if (status) return status;
    pare_index start = options->start_rule
                           ? pare_grammar_find_rule(front->grammar, options->start_rule)
                           : pare_grammar_start(front->grammar);
    if (start == PARE_NO_INDEX && options->start_rule)
        return pare_fail(err, PARE_E_ARG, "the grammar has no rule '%s'", options->start_rule);
    if (start == PARE_NO_INDEX)
        return pare_fail(err, PARE_E_ARG, "the grammar has no parser rule to start with");
    status = pare_grammar_rules_new(front->grammar, start, &front->facts, err);
    if (status) return status;
    front->rules = pare_grammar_rules_of(front->facts);
    return pare_parser_new(front->grammar, start, &front->parser, err);
}

/* The language that `options` name or that the input's name tells; NULL: none. */
static const char *language_name(const pare_reduce_options *options)
{
    if (!options->language || strcmp(options->language, "auto") != 0) return options->language;
    const char *name = options->input_path ? options->input_path : options->input_name;
    const pare_language_info *info = name ? pare_language_for_file(name) : NULL;
    return info ? info->name : NULL;
}

/* What the language's grammar says about its trees. */
static pare_status open_models(pare_front *front, const char *name, pare_error *err)
{
    pare_status status = pare_tree_legality_new(name, front->language, &front->legality, err);
    if (!status) status = pare_quantifier_new(front->legality, &front->quantifier, err);
    if (!status) front->rules = pare_language_rules_of(front->legality);
    return status;
}

/* A language that is not there is no reason to stop: brackets will do. */
static pare_status open_language(pare_front *front, const char *name, pare_error *err)
{
    pare_error why = {.status = PARE_OK};
    pare_status status = pare_language_load(name, &front->language, &why);
    if (!status) return open_models(front, name, err);
    if (status != PARE_E_STATE && status != PARE_E_UNSUPPORTED) {
        if (status && err) *err = why;
        return status;
    }
    (void)snprintf(front->notice, sizeof front->notice, "%s; going on by brackets", why.message);
    front->has_notice = true;
    return PARE_OK;
}

pare_status pare_front_open(const pare_reduce_options *options, pare_front **out, pare_error *err)
{
    pare_front *front = pare_alloc_zero(1, sizeof *front);
    if (!front) return pare_fail_nomem(err);
    const char *language = language_name(options);
    pare_status status = PARE_OK;
    if (options->n_grammars)
        status = open_grammar(front, options, err);
    else if (language)
        status = open_language(front, language, err);
    if (status) {
        pare_front_free(front);
        return status;
    }
    *out = front;
    return PARE_OK;
}

void pare_front_free(pare_front *front)
{
    if (!front) return;
    pare_parser_free(front->parser);
    pare_grammar_expansions_free(front->expansions);
    pare_grammar_rules_free(front->facts);
    pare_grammar_free(front->grammar);
    pare_quantifier_free(front->quantifier);
    pare_tree_legality_free(front->legality);
    pare_tree_sitter_close(front->language);
    pare_release(front);
}

const char *pare_front_notice(pare_front *front)
{
    if (!front->has_notice) return NULL;
    front->has_notice = false;
    return front->notice;
}

/* Says where the input leaves the grammar, and what becomes of it. */
static void tell_error(pare_front *front, const pare_parse_error *error, bool kept)
{
    front->has_notice = true;
    (void)snprintf(front->notice, sizeof front->notice,
                   "the input leaves the grammar at line %u, column %u: %s; going on %s",
                   error->line, error->column, error->message,
                   kept ? "with what does not parse as pieces without structure" : "by brackets");
}

/* Whether at least half of the bytes that belong to a leaf parse. */
static bool mostly_parses(const pare_parse_tree *tree)
{
    size_t token_bytes = 0, opaque_bytes = 0;
    for (size_t i = 0; i < tree->n_nodes; i++) {
        size_t size = tree->nodes[i].end - tree->nodes[i].begin;
        if (tree->nodes[i].kind == PARE_NODE_TOKEN) token_bytes += size;
        if (tree->nodes[i].kind == PARE_NODE_OPAQUE) opaque_bytes += size;
    }
    return token_bytes >= opaque_bytes;
}

/* What is parsed: the bytes of one file, and where they stand in the text of the tree. */
struct source {
    const pare_text *text;
    size_t offset;
    const char *bytes;
    size_t size;
};

/* The tree of `parse`, of the source's bytes, over the text that they are of. */
static pare_status plant(pare_parse_tree *parse, const struct source *source,
                         const pare_tree_rules *rules, pare_tree **out, pare_error *err)
{
    for (size_t i = 0; source->offset && i < parse->n_nodes; i++) {
        parse->nodes[i].begin += (uint32_t)source->offset;
        parse->nodes[i].end += (uint32_t)source->offset;
    }
    return pare_tree_new(parse, source->text, rules, out, err);
}

/* The tree by brackets, which know no rules. */
static pare_status bracket_tree(const struct source *source, pare_tree **out, pare_error *err)
{
    static const pare_tree_rules no_rules = {.context = NULL};
    pare_parse_tree tree = {0};
    pare_status status =
        pare_bracket_parse((const unsigned char *)source->bytes, source->size, &tree, err);
    if (!status) status = plant(&tree, source, &no_rules, out, err);
    pare_parse_tree_done(&tree);
    return status;
}

/* The tree by the grammar; *left says that there is none, because most of the text leaves
 * it. */
static pare_status grammar_tree(pare_front *front, const struct source *source, bool *left,
                                pare_tree **out, pare_error *err)
{
    pare_parse_tree tree = {0};
    pare_status status =
        pare_parser_run(front->parser, source->bytes, source->size, &tree, NULL, err);
    *left = !status && tree.error.any && !mostly_parses(&tree);
    if (!status && tree.error.any && !front->parsed) tell_error(front, &tree.error, !*left);
    front->parsed = true;
    front->by_grammar = !status && !*left;
    const pare_literals *literals = pare_grammar_rules_literals(front->facts);
    if (front->by_grammar && literals) status = pare_literals_join(literals, &tree, err);
    if (!status && !*left) status = plant(&tree, source, &front->rules, out, err);
    pare_parse_tree_done(&tree);
    return status;
}

static pare_status language_tree(pare_front *front, const struct source *source,
                                 pare_separators side, pare_tree **out, pare_error *err)
{
    pare_parse_tree plain = {0}, tree = {0};
    pare_status status =
        pare_tree_sitter_parse(front->language, source->bytes, source->size, &plain, err);
    if (!status) status = pare_quantify(front->quantifier, &plain, source->bytes, side, &tree, err);
    if (!status) status = plant(&tree, source, &front->rules, out, err);
    pare_parse_tree_done(&tree);
    pare_parse_tree_done(&plain);
    return status;
}

bool pare_front_has_sides(const pare_front *front)
{
    return front->language != NULL;
}

pare_status pare_front_tree(pare_front *front, const pare_text *text, pare_stretch file,
                            pare_front_tree_kind kind, pare_tree **out, pare_error *err)
{
    const struct source source = {.text = text,
                                  .offset = file.from,
                                  .bytes = (const char *)pare_text_bytes(text) + file.from,
                                  .size = file.to - file.from};
    bool left = true;
    if (kind == PARE_FRONT_BRACKETS) return bracket_tree(&source, out, err);
    if (front->language)
        return language_tree(
            front, &source,
            kind == PARE_FRONT_BEFORE ? PARE_SEPARATORS_BEFORE : PARE_SEPARATORS_BEHIND, out, err);
    if (front->parser) {
        pare_status status = grammar_tree(front, &source, &left, out, err);
        if (status || !left) return status;
    }
    return bracket_tree(&source, out, err);
}

bool pare_front_by_grammar(const pare_front *front)
{
    return front->by_grammar;
}

pare_status pare_front_expansions(pare_front *front, const pare_expansions **out, pare_error *err)
{
    pare_status status = PARE_OK;
    if (!front->facts) return pare_fail(err, PARE_E_ARG, "there is no grammar");
    if (!front->expansions)
        status = pare_grammar_expansions_new(front->facts, &front->expansions, err);
    if (!status) *out = pare_grammar_expansions_of(front->expansions);
    return status;
}
