/* A walk over the JSON. */
#include "generate/weights.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/arena.h"
#include "base/status.h"
#include "generate/numbering.h"
#include "grammar/grammar.h"

struct reader {
    pare_blueprint *blueprint;
    const pare_grammar *grammar;
    const char *path;
    pare_error *err;
    pare_numbering numbering;
};

/* A key that is a number from 0 on. */
static bool read_number(const char *key, unsigned long *number)
{
    char *end;
    *number = strtoul(key, &end, 10);
    return isdigit((unsigned char)key[0]) && !*end;
}

static pare_status fail(const struct reader *reader, const char *rule, const char *what)
{
    return pare_fail(reader->err, PARE_E_SYNTAX, "%s: rule '%s': %s", reader->path, rule, what);
}

static pare_status need_weights(const struct reader *reader, pare_ways *ways)
{
    if (ways->weights) return PARE_OK;
    ways->weights = pare_arena_alloc(&reader->blueprint->memory, ways->n * sizeof(double) + 1);
    if (!ways->weights) return pare_fail_nomem(reader->err);
    for (uint32_t i = 0; i < ways->n; i++)
        ways->weights[i] = 1;
    return PARE_OK;
}

/* Sets the weight of one alternative; one that has no finite text is not there, and keeps
 * its silence. */
static pare_status set_weight(struct reader *reader, const char *rule, pare_index choice,
                              const char *key, const json_t *value)
{
    const pare_blueprint *blueprint = reader->blueprint;
    pare_ways *ways = &blueprint->choices[blueprint->details[choice]];
    unsigned long number, n = 0;
    double weight = json_number_value(value);
    for (pare_index c = reader->grammar->exprs[choice].first; c != PARE_NO_INDEX;
         c = reader->grammar->exprs[c].next)
        n++;
    if (!read_number(key, &number) || number >= n)
        return fail(reader, rule, "an alternative is named that is not there");
    if (!json_is_number(value) || !(weight >= 0) || isinf(weight))
        return fail(reader, rule, "a weight is a number that is not negative");
    pare_status status = need_weights(reader, ways);
    for (uint32_t i = 0; !status && i < ways->n; i++)
        if (blueprint->ways[ways->first + i].number == number) ways->weights[i] = weight;
    return status;
}

static pare_status read_alternation(struct reader *reader, pare_index rule, const char *key,
                                    json_t *weights)
{
    const char *name = reader->grammar->rules[rule].name, *alternative;
    const pare_blueprint *blueprint = reader->blueprint;
    pare_index choice;
    unsigned long number;
    json_t *value;
    if (!read_number(key, &number) || !json_is_object(weights))
        return fail(reader, name, "alternations are named by numbers, and hold an object each");
    choice = pare_numbering_alternation(&reader->numbering, rule, number);
    if (choice == PARE_NO_INDEX)
        return fail(reader, name, "an alternation is named that is not there");
    json_object_foreach(weights, alternative, value)
    {
        pare_status status = set_weight(reader, name, choice, alternative, value);
        if (status) return status;
    }
    const pare_ways *ways = &blueprint->choices[blueprint->details[choice]];
    double total = 0;
    for (uint32_t i = 0; i < ways->n; i++)
        total += ways->weights ? ways->weights[i] : 1;
    if (ways->n && total <= 0) return fail(reader, name, "all weights of an alternation are 0");
    return PARE_OK;
}

static pare_status read_quantifier(struct reader *reader, pare_index rule, const char *key,
                                   json_t *value)
{
    const char *name = reader->grammar->rules[rule].name;
    unsigned long number;
    double chance = json_number_value(value);
    if (!json_is_number(value) || !(chance >= 0 && chance < 1))
        return fail(reader, name, "the chance of a quantifier is a number from 0 up to below 1");
    if (!read_number(key, &number)) return fail(reader, name, "quantifiers are named by numbers");
    pare_index found = pare_numbering_quantifier(&reader->numbering, rule, number);
    if (found == PARE_NO_INDEX)
        return fail(reader, name, "a quantifier is named that is not there");
    reader->blueprint->chances[found] = chance;
    return PARE_OK;
}

static pare_status read_rules(struct reader *reader, json_t *rules, bool quantifiers)
{
    const char *name, *key;
    json_t *entries, *value;
    if (rules && !json_is_object(rules))
        return pare_fail(reader->err, PARE_E_SYNTAX, "%s: '%s' holds no object", reader->path,
                         quantifiers ? "quants" : "alts");
    json_object_foreach(rules, name, entries)
    {
        pare_index rule = pare_grammar_find_rule(reader->grammar, name);
        if (rule == PARE_NO_INDEX) return fail(reader, name, "the grammar has no such rule");
        if (!json_is_object(entries)) return fail(reader, name, "it holds no object");
        json_object_foreach(entries, key, value)
        {
            pare_status status = quantifiers ? read_quantifier(reader, rule, key, value)
                                             : read_alternation(reader, rule, key, value);
            if (status) return status;
        }
    }
    return PARE_OK;
}

/* --- leaves ----------------------------------------------------------------------- */

static pare_status fail_leaves(const struct reader *reader, const char *token, const char *what)
{
    return pare_fail(reader->err, PARE_E_SYNTAX, "%s: texts of '%s': %s", reader->path, token,
                     what);
}

/* The texts of one token. */
static pare_status read_texts(struct reader *reader, const char *name, json_t *texts,
                              pare_leaves *to)
{
    pare_arena *memory = &reader->blueprint->memory;
    size_t n = json_object_size(texts), at = 0;
    double total = 0;
    const char *text;
    json_t *value;
    pare_leaf *leaves = pare_arena_alloc(memory, n * sizeof *leaves + 1);
    double *weights = pare_arena_alloc(memory, n * sizeof *weights + 1);
    if (!leaves || !weights) return pare_fail_nomem(reader->err);
    json_object_foreach(texts, text, value)
    {
        double weight = json_number_value(value);
        if (!*text) return fail_leaves(reader, name, "one of them is empty");
        if (!json_is_number(value) || !(weight >= 0) || isinf(weight))
            return fail_leaves(reader, name, "a weight is a number that is not negative");
        leaves[at] = (pare_leaf){pare_arena_text(memory, text, strlen(text)), strlen(text)};
        if (!leaves[at].text) return pare_fail_nomem(reader->err);
        weights[at++] = weight;
        total += weight;
    }
    to->texts = leaves;
    to->weights = weights;
    to->n = (uint32_t)n;
    return total > 0 ? PARE_OK : fail_leaves(reader, name, "none has a weight above 0");
}

static pare_status read_rule_leaves(struct reader *reader, pare_index rule, json_t *tokens)
{
    pare_blueprint *blueprint = reader->blueprint;
    const char *name;
    json_t *texts;
    json_object_foreach(tokens, name, texts)
    {
        pare_index token = pare_grammar_find_token(reader->grammar, name);
        if (token == PARE_NO_INDEX || token == PARE_TOKEN_END)
            return fail_leaves(reader, name, "the grammar has no such token");
        if (!json_is_object(texts)) return fail_leaves(reader, name, "they are no object");
        pare_leaves *to = &blueprint->leaves[blueprint->n_leaves++];
        *to = (pare_leaves){.rule = rule, .token = token};
        pare_status status = read_texts(reader, name, texts, to);
        if (status) return status;
    }
    return PARE_OK;
}

static int compare_leaves(const void *a, const void *b)
{
    const pare_leaves *x = a, *y = b;
    if (x->rule != y->rule) return x->rule < y->rule ? -1 : 1;
    return (x->token > y->token) - (x->token < y->token);
}

static pare_status read_leaves(struct reader *reader, json_t *rules)
{
    pare_blueprint *blueprint = reader->blueprint;
    size_t n = 0;
    const char *name;
    json_t *tokens;
    if (rules && !json_is_object(rules))
        return pare_fail(reader->err, PARE_E_SYNTAX, "%s: 'leaves' holds no object", reader->path);
    if (!rules) return PARE_OK;
    json_object_foreach(rules, name, tokens) n += json_object_size(tokens);
    blueprint->n_leaves = 0;
    blueprint->leaves = pare_arena_alloc(&blueprint->memory, n * sizeof *blueprint->leaves + 1);
    if (!blueprint->leaves) return pare_fail_nomem(reader->err);
    json_object_foreach(rules, name, tokens)
    {
        pare_index rule = pare_grammar_find_rule(reader->grammar, name);
        if (rule == PARE_NO_INDEX) return fail(reader, name, "the grammar has no such rule");
        if (!json_is_object(tokens)) return fail(reader, name, "its leaves are no object");
        pare_status status = read_rule_leaves(reader, rule, tokens);
        if (status) return status;
    }
    qsort(blueprint->leaves, blueprint->n_leaves, sizeof *blueprint->leaves, compare_leaves);
    return PARE_OK;
}

static pare_status read_fresh(struct reader *reader, const json_t *fresh)
{
    double chance = json_number_value(fresh);
    if (!fresh) return PARE_OK;
    if (!json_is_number(fresh) || !(chance >= 0 && chance <= 1))
        return pare_fail(reader->err, PARE_E_SYNTAX, "%s: 'fresh' is a chance from 0 to 1",
                         reader->path);
    reader->blueprint->fresh = chance;
    return PARE_OK;
}

pare_status pare_weights_read(pare_blueprint *blueprint, const char *path, const char *text,
                              size_t size, pare_error *err)
{
    struct reader reader = {
        .blueprint = blueprint, .grammar = blueprint->grammar, .path = path, .err = err};
    json_error_t where;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &where);
    if (!root && json_error_code(&where) == json_error_out_of_memory) return pare_fail_nomem(err);
    if (!root)
        return pare_fail(err, PARE_E_SYNTAX, "%s:%d:%d: %s", path, where.line, where.column,
                         where.text);
    pare_status status = PARE_OK;
    if (!json_is_object(root))
        status = pare_fail(err, PARE_E_SYNTAX, "%s: weights are an object", path);
    if (!status) status = pare_numbering_init(&reader.numbering, blueprint->grammar, err);
    if (!status) status = read_rules(&reader, json_object_get(root, "alts"), false);
    if (!status) status = read_rules(&reader, json_object_get(root, "quants"), true);
    if (!status) status = read_leaves(&reader, json_object_get(root, "leaves"));
    if (!status) status = read_fresh(&reader, json_object_get(root, "fresh"));
    pare_numbering_done(&reader.numbering);
    json_decref(root);
    return status;
}
