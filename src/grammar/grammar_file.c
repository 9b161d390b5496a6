/* Grammars in files, whatever their notation: the extension tells it.
 *
 * One file that ends in .json is a grammar of The Fuzzing Book; anything else is ANTLR's, which
 * may be several files.  (A grammar.json of tree-sitter comes with a language, lang/.) */
#include "grammar/grammar_file.h"

#include <assert.h>
#include <string.h>

#include "base/fail.h"
#include "grammar/fuzzingbook.h"
#include "grammar/g4.h"

pare_status pare_grammar_file_read(const char *const *paths, size_t n, pare_grammar **out,
                                   pare_error *err)
{
    assert(n && "a grammar is named");
    const char *dot = strrchr(paths[0], '.');
    if (n == 1 && dot && strcmp(dot, ".json") == 0)
        return pare_fuzzingbook_read(paths[0], out, err);
    return pare_g4_read(paths, n, out, err);
}

/* A rule by its name, which may be given without its brackets if the grammar is The Fuzzing
 * Book's. */
static pare_index find(const pare_grammar *grammar, const char *name)
{
    size_t size = strlen(name);
    pare_index found = pare_grammar_find_rule(grammar, name);
    for (pare_index r = 0; found == PARE_NO_INDEX && grammar->scannerless && r < grammar->n_rules;
         r++) {
        const char *other = grammar->rules[r].name;
        if (other[0] == '<' && strlen(other) == size + 2 && memcmp(other + 1, name, size) == 0)
            found = r;
    }
    return found;
}

/* The name that the user gave, or the first parser rule. */
pare_status pare_grammar_file_start(const pare_grammar *grammar, const char *name, pare_index *out,
                                    pare_error *err)
{
    pare_index start = name ? find(grammar, name) : pare_grammar_start(grammar);
    if (start == PARE_NO_INDEX && name)
        return pare_fail(err, PARE_E_ARG, "the grammar has no rule '%s'", name);
    if (start == PARE_NO_INDEX)
        return pare_fail(err, PARE_E_ARG, "the grammar has no parser rule to start with");
    /* Found by its name: the default one is a parser rule. */
    if (grammar->rules[start].kind != PARE_RULE_PARSER)
        return pare_fail(err, PARE_E_ARG, "the grammar's '%s' is a token: start with a parser rule",
                         name ? name : "");
    *out = start;
    return PARE_OK;
}

pare_status pare_grammar_file_open(const char *const *paths, size_t n, const char *start_name,
                                   pare_grammar **out, pare_index *start, pare_error *err)
{
    pare_grammar *grammar = NULL;
    pare_status status = pare_grammar_file_read(paths, n, &grammar, err);
    if (!status) status = pare_grammar_file_start(grammar, start_name, start, err);
    if (status)
        pare_grammar_free(grammar);
    else
        *out = grammar;
    return status;
}
