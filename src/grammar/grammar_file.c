/* The name of a file tells its notation. */
#include "grammar/grammar_file.h"

#include <string.h>

#include "grammar/fuzzingbook.h"
#include "grammar/g4.h"

pare_status pare_grammar_file_read(const char *const *paths, size_t n, pare_grammar **out,
                                   pare_error *err)
{
    const char *dot = strrchr(paths[0], '.');
    if (n == 1 && dot && strcmp(dot, ".json") == 0)
        return pare_fuzzingbook_read(paths[0], out, err);
    return pare_g4_read(paths, n, out, err);
}

pare_status pare_grammar_file_start(const pare_grammar *grammar, const char *name, pare_index *out,
                                    pare_error *err)
{
    pare_index start = name ? pare_grammar_find_rule(grammar, name) : pare_grammar_start(grammar);
    if (start == PARE_NO_INDEX && name)
        return pare_fail(err, PARE_E_ARG, "the grammar has no rule '%s'", name);
    if (start == PARE_NO_INDEX)
        return pare_fail(err, PARE_E_ARG, "the grammar has no parser rule to start with");
    if (grammar->rules[start].kind != PARE_RULE_PARSER)
        return pare_fail(err, PARE_E_ARG, "the grammar's '%s' is a token: start with a parser rule",
                         name ? name : "");
    *out = start;
    return PARE_OK;
}
