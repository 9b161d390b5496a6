/* A language for each island: opening one twice costs little where one file is parsed. */
#include "lang/plain_islands.h"

#include <assert.h>

#include "base/alloc.h"
#include "base/status.h"
#include "grammar/grammar.h"
#include "grammar/grammar_file.h"
#include "lang/island_option.h"
#include "lang/language.h"
#include "parse/parse_tree.h"
#include "parse/parser.h"
#include "parse/tree_sitter.h"

/* A grammar with its parser, or a language. */
struct language {
    pare_grammar *grammar; /* owned, as all */
    pare_parser *parser;
    pare_tree_sitter *language;
};

struct pare_plain_islands {
    pare_islands *islands;      /* owned */
    struct language *languages; /* owned; n of them */
    size_t n;
};

void pare_plain_islands_free(pare_plain_islands *plain)
{
    if (!plain) return;
    pare_islands_free(plain->islands);
    assert(plain->languages || !plain->n);
    for (size_t i = 0; i < plain->n; i++) {
        pare_parser_free(plain->languages[i].parser);
        pare_grammar_free(plain->languages[i].grammar);
        pare_tree_sitter_close(plain->languages[i].language);
    }
    pare_release(plain->languages);
    pare_release(plain);
}

static pare_status parse(void *context, const char *bytes, size_t size, pare_parse_tree *tree,
                         pare_error *err)
{
    struct language *language = context;
    if (language->parser) return pare_parser_run(language->parser, bytes, size, tree, NULL, err);
    return pare_tree_sitter_parse(language->language, bytes, size, tree, err);
}

static pare_status open_language(struct language *language, const pare_island_option *option,
                                 pare_error *err)
{
    pare_index start = PARE_NO_INDEX;
    if (option->language) return pare_language_load(option->language, &language->language, err);
    pare_status status =
        pare_grammar_file_read(option->files, option->n_files, &language->grammar, err);
    if (!status) status = pare_grammar_file_start(language->grammar, option->start, &start, err);
    if (!status) status = pare_parser_new(language->grammar, start, &language->parser, err);
    return status;
}

static pare_status add(pare_plain_islands *plain, const char *text, pare_error *err)
{
    pare_island_option option = {.words = NULL};
    struct language *language = &plain->languages[plain->n++];
    uint32_t number = 0;
    pare_status status = pare_island_option_read(text, &option, err);
    if (!status) status = open_language(language, &option, err);
    if (!status) status = pare_islands_add_language(plain->islands, parse, language, &number, err);
    if (!status) status = pare_islands_add(plain->islands, option.token, option.regex, number, err);
    pare_island_option_done(&option);
    return status;
}

pare_status pare_plain_islands_new(const char *const *options, size_t n, pare_plain_islands **out,
                                   pare_error *err)
{
    pare_plain_islands *plain = pare_alloc_zero(1, sizeof *plain);
    if (!plain) return pare_fail_nomem(err);
    plain->languages = pare_alloc_zero(n, sizeof *plain->languages);
    pare_status status =
        plain->languages ? pare_islands_new(&plain->islands, err) : pare_fail_nomem(err);
    for (size_t i = 0; !status && i < n; i++)
        status = add(plain, options[i], err);
    if (status)
        pare_plain_islands_free(plain);
    else
        *out = plain;
    return status;
}

pare_islands *pare_plain_islands_of(pare_plain_islands *plain)
{
    return plain->islands;
}
