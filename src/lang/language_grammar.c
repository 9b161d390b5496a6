/* A grammar.json in the grammar model. */
#include "lang/language_grammar.h"

#include "base/buffer.h"
#include "base/status.h"
#include "lang/language.h"
#include "parse/parse_tree.h"
#include "parse/tree_sitter.h"

static const pare_token_example examples[] = {
    {"_newline", "\n", 1}, {"_automatic_semicolon", "\n", 1}, {"_indent", "\n ", 2},
    {"_dedent", "\n", 1},  {"_line_break", "\n", 1},
};

void pare_language_grammar_done(pare_language_grammar *grammar)
{
    pare_tree_sitter_grammar_done(&grammar->from);
    pare_tree_sitter_close(grammar->parser);
    *grammar = (pare_language_grammar){0};
}

pare_status pare_language_grammar_read(const char *name, pare_language_grammar *grammar,
                                       pare_error *err)
{
    pare_buffer json = {0};
    *grammar = (pare_language_grammar){0};
    pare_status status = pare_language_load(name, &grammar->parser, err);
    if (!status) status = pare_language_read(name, PARE_LANGUAGE_GRAMMAR, &json, err);
    if (!status)
        status =
            pare_tree_sitter_grammar_read(json.data, json.size, examples,
                                          sizeof examples / sizeof *examples, &grammar->from, err);
    pare_buffer_done(&json);
    if (status) pare_language_grammar_done(grammar);
    return status;
}

pare_status pare_language_grammar_check(void *self, const char *text, size_t size, pare_error *err)
{
    const pare_language_grammar *grammar = self;
    pare_parse_tree tree = {0};
    pare_status status = pare_tree_sitter_parse(grammar->parser, text, size, &tree, err);
    bool accepted = !status && !tree.error.any;
    pare_parse_tree_done(&tree);
    if (status || accepted) return status;
    return pare_fail(err, PARE_E_UNSUPPORTED,
                     "the language's parser finds an error in what is made");
}
