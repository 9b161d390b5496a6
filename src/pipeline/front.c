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
#include "pipeline/grammar_rules.h"

struct pare_front {
    pare_grammar *grammar;      /* owned; NULL: no grammar */
    pare_parser *parser;        /* owned; of the grammar */
    pare_grammar_rules *facts;  /* owned; about the grammar */
    pare_tree_sitter *language; /* owned; NULL: no language */
    pare_tree_rules rules;      /* of the trees made */
    char notice[PARE_ERROR_TEXT_BYTES + 64];
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
static const char *language_name(const pare_reduce_options *options, bool guess)
{
    if (options->language && strcmp(options->language, "auto") != 0) return options->language;
    if (!options->language && !guess) return NULL;
    const char *name = options->input_path ? options->input_path : options->input_name;
    const pare_language_info *info = name ? pare_language_for_file(name) : NULL;
    return info ? info->name : NULL;
}

/* A language that is not there is no reason to stop: brackets will do. */
static pare_status open_language(pare_front *front, const char *name, pare_error *err)
{
    pare_error why = {.status = PARE_OK};
    pare_status status = pare_language_load(name, &front->language, &why);
    if (status != PARE_E_STATE && status != PARE_E_UNSUPPORTED) {
        if (status && err) *err = why;
        return status;
    }
    (void)snprintf(front->notice, sizeof front->notice, "%s; going on by brackets", why.message);
    return PARE_OK;
}

pare_status pare_front_open(const pare_reduce_options *options, bool guess, pare_front **out,
                            const char **notice, pare_error *err)
{
    pare_front *front = pare_alloc_zero(1, sizeof *front);
    if (!front) return pare_fail_nomem(err);
    const char *language = language_name(options, guess);
    pare_status status = PARE_OK;
    if (options->n_grammars)
        status = open_grammar(front, options, err);
    else if (language)
        status = open_language(front, language, err);
    if (status) {
        pare_front_free(front);
        return status;
    }
    *notice = front->notice[0] ? front->notice : NULL;
    *out = front;
    return PARE_OK;
}

void pare_front_free(pare_front *front)
{
    if (!front) return;
    pare_parser_free(front->parser);
    pare_grammar_rules_free(front->facts);
    pare_grammar_free(front->grammar);
    pare_tree_sitter_close(front->language);
    pare_release(front);
}

static pare_status parse(pare_front *front, const pare_text *text, pare_parse_tree *tree,
                         pare_error *err)
{
    const unsigned char *bytes = pare_text_bytes(text);
    size_t size = pare_text_size(text);
    if (front->parser)
        return pare_parser_run(front->parser, (const char *)bytes, size, tree, NULL, err);
    if (front->language)
        return pare_tree_sitter_parse(front->language, (const char *)bytes, size, tree, err);
    return pare_bracket_parse(bytes, size, tree, err);
}

pare_status pare_front_tree(pare_front *front, const pare_text *text, pare_tree **out,
                            pare_error *err)
{
    pare_parse_tree tree = {0};
    pare_status status = parse(front, text, &tree, err);
    if (!status) status = pare_tree_new(&tree, text, &front->rules, out, err);
    pare_parse_tree_done(&tree);
    return status;
}
