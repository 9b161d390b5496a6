/* Weights read from JSON, and the numbers by which they name alternations and quantifiers.
 *
 * The numbers are those of Grammarinator: within each rule, in the order in which alternations and
 * quantifiers begin in its text.  They are found by two walks over each rule's body, parents first,
 * children in their order, without recursion.  An unknown key of a file is an error: otherwise the
 * weight for a renamed rule would be lost silently.
 *
 * Source: Grammarinator's JSON of weights ("alts" and "quants"), whose files can be read as
 * they are; "leaves" is ours: texts of tokens in the rules where they were met
 * (weight_learning.c).
 *
 * Cost: O(grammar) for the numbers, once; O(file) look-ups.  Invariant: after reading, each
 * choice that has weights has one for every way, and their sum is above 0. */
#include "generate/weights.h"

#include <assert.h>
#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/fail.h"
#include "base/vector.h"
#include "grammar/grammar.h"

/* --- numbers of alternations and quantifiers ------------------------------------------------ */

/* A walk over a rule's body, parents first.  One stack for all rules. */
struct walk {
    pare_weights_numbering *to;
    const pare_expr *exprs;
    pare_index *stack; /* owned; what is to be visited, the next on top */
    size_t n, capacity;
    uint32_t n_numbered;
    pare_error *err;
};

/* In the sense of the grammar model, not of a tree. */
static bool is_quantifier(pare_expr_kind kind)
{
    return kind == PARE_EXPR_OPTIONAL || kind == PARE_EXPR_STAR || kind == PARE_EXPR_PLUS;
}

/* Puts an expression on the stack of what is to be visited. */
static pare_status push(struct walk *walk, pare_index expr)
{
    pare_index *grown = pare_vector_grow(walk->stack, walk->n, &walk->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(walk->err);
    walk->stack = grown;
    walk->stack[walk->n++] = expr;
    return PARE_OK;
}

/* Pushes the children so that the first is on top.  The order of the text is the order of the
 * numbers. */
static pare_status push_children(struct walk *walk, pare_index expr)
{
    size_t from = walk->n;
    pare_status status = PARE_OK;
    for (pare_index c = walk->exprs[expr].first; !status && c != PARE_NO_INDEX;
         c = walk->exprs[c].next)
        status = push(walk, c);
    for (size_t i = from, k = walk->n; !status && i + 1 < k; i++) {
        pare_index swapped = walk->stack[--k];
        walk->stack[k] = walk->stack[i];
        walk->stack[i] = swapped;
    }
    return status;
}

/* Numbers the choices (or the quantifiers) of one rule in pre-order: the order in which they
 * begin in its text.  Numbers begin at 0 in each rule. */
static pare_status number(struct walk *walk, pare_index rule, bool quantifiers,
                          pare_weights_numbered *numbered)
{
    pare_index body = walk->to->grammar->rules[rule].body;
    assert(walk->n_numbered <= walk->to->grammar->n_exprs);
    *numbered = (pare_weights_numbered){walk->n_numbered, 0};
    walk->n = 0;
    pare_status status = body == PARE_NO_INDEX ? PARE_OK : push(walk, body);
    /* Pre-order: an expression takes its number before its children do. */
    while (!status && walk->n) {
        pare_index expr = walk->stack[--walk->n];
        pare_expr_kind kind = walk->exprs[expr].kind;
        if (quantifiers ? is_quantifier(kind) : kind == PARE_EXPR_CHOICE) {
            walk->to->exprs[walk->n_numbered++] = expr;
            walk->to->numbers[expr] = numbered->n++;
        }
        status = push_children(walk, expr);
    }
    return status;
}

/* One array holds both kinds, rule by rule. */
pare_status pare_weights_numbering_init(pare_weights_numbering *numbering,
                                        const pare_grammar *grammar, pare_error *err)
{
    *numbering = (pare_weights_numbering){.grammar = grammar};
    struct walk walk = {.to = numbering, .exprs = grammar->exprs, .err = err};
    numbering->alternations = pare_alloc(grammar->n_rules, sizeof *numbering->alternations);
    numbering->quantifiers = pare_alloc(grammar->n_rules, sizeof *numbering->quantifiers);
    numbering->exprs = pare_alloc(grammar->n_exprs, sizeof *numbering->exprs);
    numbering->numbers = pare_alloc_zero(grammar->n_exprs, sizeof *numbering->numbers);
    pare_status status =
        numbering->alternations && numbering->quantifiers && numbering->exprs && numbering->numbers
            ? PARE_OK
            : pare_fail_nomem(err);
    for (pare_index rule = 0; !status && rule < grammar->n_rules; rule++) {
        status = number(&walk, rule, false, &numbering->alternations[rule]);
        if (!status) status = number(&walk, rule, true, &numbering->quantifiers[rule]);
    }
    pare_alloc_free(walk.stack);
    if (status) pare_weights_numbering_done(numbering);
    return status;
}

/* The grammar is borrowed. */
void pare_weights_numbering_done(pare_weights_numbering *numbering)
{
    pare_alloc_free(numbering->alternations);
    pare_alloc_free(numbering->quantifiers);
    pare_alloc_free(numbering->exprs);
    pare_alloc_free(numbering->numbers);
    *numbering = (pare_weights_numbering){0};
}

/* The alternation or quantifier `number` of those of a rule; PARE_NO_INDEX: there is none.
 * The list of a rule's alternations is a run of `exprs`. */
static pare_index find(const pare_weights_numbering *numbering, const pare_weights_numbered *of,
                       unsigned long number)
{
    return number < of->n ? numbering->exprs[of->first + number] : PARE_NO_INDEX;
}

/* One reading of a file.  The table is changed while the file is read, so a file with a
 * mistake leaves it half changed; its caller gives it up then. */
struct reader {
    pare_expansion_table *table;
    const pare_grammar *grammar;
    const char *path;
    pare_error *err;
    pare_weights_numbering numbering;
};

/* Whether the key is a number from 0 on.  Leading zeros are let through; signs and blanks are
 * not. */
static bool read_number(const char *key, unsigned long *number)
{
    char *end;
    *number = strtoul(key, &end, 10);
    return isdigit((unsigned char)key[0]) && !*end;
}

/* Every sentence names the file and the rule. */
static pare_status fail(const struct reader *reader, const char *rule, const char *what)
{
    return pare_fail(reader->err, PARE_E_SYNTAX, "%s: rule '%s': %s", reader->path, rule, what);
}

/* Whether a value is a weight.  The sum of all weights of a choice has to be a number, too: where
 * it were infinite, the last alternative would be the only one that is drawn. */
static bool is_weight(const json_t *value)
{
    const double most = 1e100, weight = json_number_value(value);
    return json_is_number(value) && weight >= 0 && weight <= most;
}

/* Makes the weights of a choice, all 1, when the first of them is set. 1 is what an
 * alternative without a weight counts. */
static pare_status need_weights(const struct reader *reader, pare_ways *ways)
{
    assert(ways->first + (size_t)ways->n <= reader->table->n_ways);
    if (ways->weights) return PARE_OK;
    /* In the table's arena: they live as long as the ways do. */
    ways->weights = pare_arena_alloc(&reader->table->memory, ways->n * sizeof(double) + 1);
    if (!ways->weights) return pare_fail_nomem(reader->err);
    for (uint32_t i = 0; i < ways->n; i++)
        ways->weights[i] = 1;
    return PARE_OK;
}

/* Sets the weight of one alternative.  One without a finite text is not among the ways, so a
 * weight for it is right but changes nothing.  Linear in the ways, as they are sorted by size
 * and not by number. */
static pare_status set_weight(struct reader *reader, const char *rule, pare_index choice,
                              const char *key, const json_t *value)
{
    const pare_expansion_table *table = reader->table;
    pare_ways *ways = &table->choices[table->details[choice]];
    unsigned long number, n = 0;
    double weight = json_number_value(value);
    /* Weights name alternatives as the grammar has them, ways those that have a finite text,
     * sorted. */
    for (pare_index c = reader->grammar->exprs[choice].first; c != PARE_NO_INDEX;
         c = reader->grammar->exprs[c].next)
        n++;
    if (!read_number(key, &number) || number >= n)
        return fail(reader, rule, "it names an alternative that does not exist");
    if (!is_weight(value)) return fail(reader, rule, "a weight must be a number from 0 to 1e100");
    pare_status status = need_weights(reader, ways);
    for (uint32_t i = 0; !status && i < ways->n; i++)
        if (table->ways[ways->first + i].number == number) ways->weights[i] = weight;
    return status;
}

/* Reads the weights of one alternation: {"NUMBER": WEIGHT, ...}.  One of them has to be above
 * 0, or nothing could be drawn; that may be one without a finite text, which a corpus has and no
 * generator makes: then the others weigh the same.  Alternatives that are not named keep what they
 * had. */
static pare_status read_alternation(struct reader *reader, pare_index rule, const char *key,
                                    json_t *weights)
{
    const char *name = reader->grammar->rules[rule].name, *alternative;
    const pare_expansion_table *table = reader->table;
    pare_index choice;
    unsigned long number;
    json_t *value;
    if (!read_number(key, &number) || !json_is_object(weights))
        return fail(reader, name,
                    "alternations must be named by numbers, and each must be an object");
    choice = find(&reader->numbering, &reader->numbering.alternations[rule], number);
    if (choice == PARE_NO_INDEX)
        return fail(reader, name, "it names an alternation that does not exist");
    bool any = false;
    json_object_foreach(weights, alternative, value)
    {
        any = any || json_number_value(value) > 0;
        pare_status status = set_weight(reader, name, choice, alternative, value);
        if (status) return status;
    }
    const pare_ways *ways = &table->choices[table->details[choice]];
    /* Also the weights that an earlier file has set count. */
    double total = 0;
    for (uint32_t i = 0; i < ways->n; i++)
        total += ways->weights ? ways->weights[i] : 1;
    if (ways->n && total <= 0 && !any)
        return fail(reader, name, "all weights of an alternation are 0");
    return PARE_OK;
}

/* Reads the chance of one quantifier to go on; 1 would never end. */
static pare_status read_quantifier(struct reader *reader, pare_index rule, const char *key,
                                   json_t *value)
{
    const char *name = reader->grammar->rules[rule].name;
    unsigned long number;
    double chance = json_number_value(value);
    if (!json_is_number(value) || !(chance >= 0 && chance < 1))
        return fail(reader, name,
                    "the probability of a quantifier must be a number from 0 up to below 1");
    if (!read_number(key, &number))
        return fail(reader, name, "quantifiers must be named by numbers");
    pare_index found = find(&reader->numbering, &reader->numbering.quantifiers[rule], number);
    if (found == PARE_NO_INDEX)
        return fail(reader, name, "it names a quantifier that does not exist");
    reader->table->chances[found] = chance;
    return PARE_OK;
}

/* Reads {"RULE": {"NUMBER": ..., ...}, ...} for alternations or for quantifiers.  The same
 * form for both, so that a file reads alike. */
static pare_status read_rules(struct reader *reader, json_t *rules, bool quantifiers)
{
    const char *name, *key;
    json_t *entries, *value;
    if (rules && !json_is_object(rules))
        return pare_fail(reader->err, PARE_E_SYNTAX, "%s: '%s' contains no object", reader->path,
                         quantifiers ? "quants" : "alts");
    json_object_foreach(rules, name, entries)
    {
        pare_index rule = pare_grammar_find_rule(reader->grammar, name);
        if (rule == PARE_NO_INDEX) return fail(reader, name, "the grammar has no such rule");
        if (!json_is_object(entries)) return fail(reader, name, "it contains no object");
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

/* Names the token in place of the rule, which is what a user looks for. */
static pare_status fail_leaves(const struct reader *reader, const char *token, const char *what)
{
    return pare_fail(reader->err, PARE_E_SYNTAX, "%s: texts of '%s': %s", reader->path, token,
                     what);
}

/* Reads the texts of one token: {"TEXT": WEIGHT, ...}. Equal texts cannot be there twice: keys
 * of a JSON object are unique. */
static pare_status read_texts(struct reader *reader, const char *name, json_t *texts,
                              pare_leaves *to)
{
    pare_arena *memory = &reader->table->memory;
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
        if (!is_weight(value))
            return fail_leaves(reader, name, "a weight must be a number from 0 to 1e100");
        /* The JSON goes before the table does, so texts are copied. */
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

/* Reads the texts of the tokens in one rule: {"TOKEN": {...}, ...}. */
static pare_status read_rule_leaves(struct reader *reader, pare_index rule, json_t *tokens)
{
    pare_expansion_table *table = reader->table;
    const char *name;
    json_t *texts;
    json_object_foreach(tokens, name, texts)
    {
        pare_index token = pare_grammar_find_token(reader->grammar, name);
        if (token == PARE_NO_INDEX || token == PARE_TOKEN_END)
            return fail_leaves(reader, name, "the grammar has no such token");
        if (!json_is_object(texts)) return fail_leaves(reader, name, "they are no object");
        pare_leaves *to = &table->leaves[table->n_leaves++];
        *to = (pare_leaves){.rule = rule, .token = token};
        pare_status status = read_texts(reader, name, texts, to);
        if (status) return status;
    }
    return PARE_OK;
}

/* By rule, then by token: as pare_expansion_table_leaves looks them up.  A pair of rule and
 * token is there once, so the order is total. */
static int compare_leaves(const void *a, const void *b)
{
    const pare_leaves *x = a, *y = b;
    if (x->rule != y->rule) return x->rule < y->rule ? -1 : 1;
    return (x->token > y->token) - (x->token < y->token);
}

/* Reads the texts of tokens, which replace all that an earlier file gave. */
static pare_status read_leaves(struct reader *reader, json_t *rules)
{
    pare_expansion_table *table = reader->table;
    size_t n = 0;
    const char *name;
    json_t *tokens;
    if (rules && !json_is_object(rules))
        return pare_fail(reader->err, PARE_E_SYNTAX, "%s: 'leaves' contains no object",
                         reader->path);
    if (!rules) return PARE_OK;
    /* The number of places is known first, so that the array never grows. */
    json_object_foreach(rules, name, tokens) n += json_object_size(tokens);
    /* Those of an earlier file stay in the arena until the table ends; there are few files. */
    table->n_leaves = 0;
    table->leaves = pare_arena_alloc(&table->memory, n * sizeof *table->leaves + 1);
    if (!table->leaves) return pare_fail_nomem(reader->err);
    json_object_foreach(rules, name, tokens)
    {
        pare_index rule = pare_grammar_find_rule(reader->grammar, name);
        if (rule == PARE_NO_INDEX) return fail(reader, name, "the grammar has no such rule");
        if (!json_is_object(tokens)) return fail(reader, name, "its leaves are not an object");
        pare_status status = read_rule_leaves(reader, rule, tokens);
        if (status) return status;
    }
    qsort(table->leaves, table->n_leaves, sizeof *table->leaves, compare_leaves);
    return PARE_OK;
}

/* Reads the chance that a token is made although texts of it are known. */
static pare_status read_fresh(struct reader *reader, const json_t *fresh)
{
    double chance = json_number_value(fresh);
    if (!fresh) return PARE_OK;
    if (!json_is_number(fresh) || !(chance >= 0 && chance <= 1))
        return pare_fail(reader->err, PARE_E_SYNTAX,
                         "%s: 'fresh' must be a probability from 0 to 1", reader->path);
    reader->table->fresh = chance;
    return PARE_OK;
}

/* Each part of the file may be left out.  What was read before a failure stays in the table,
 * which the caller ends. */
pare_status pare_weights_read(pare_expansion_table *table, const char *path, const char *text,
                              size_t size, pare_error *err)
{
    struct reader reader = {.table = table, .grammar = table->grammar, .path = path, .err = err};
    json_error_t where;
    /* Two weights for one thing would leave it open which counts. */
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &where);
    if (!root && json_error_code(&where) == json_error_out_of_memory) return pare_fail_nomem(err);
    if (!root)
        return pare_fail(err, PARE_E_SYNTAX, "%s:%d:%d: %s", path, where.line, where.column,
                         where.text);
    pare_status status = PARE_OK;
    if (!json_is_object(root))
        status = pare_fail(err, PARE_E_SYNTAX, "%s: weights must be an object", path);
    if (!status) status = pare_weights_numbering_init(&reader.numbering, table->grammar, err);
    if (!status) status = read_rules(&reader, json_object_get(root, "alts"), false);
    if (!status) status = read_rules(&reader, json_object_get(root, "quants"), true);
    if (!status) status = read_leaves(&reader, json_object_get(root, "leaves"));
    if (!status) status = read_fresh(&reader, json_object_get(root, "fresh"));
    pare_weights_numbering_done(&reader.numbering);
    json_decref(root);
    return status;
}

/* --- examples ----------------------------------------------------------------------------- */

/* The most frequent text of a token, or the first of them; NULL: there is none. */
static const char *most_frequent(json_t *texts, double *weight)
{
    const char *text, *best = NULL;
    json_t *value;
    *weight = 0;
    json_object_foreach(texts, text, value)
    {
        if (!*text || json_number_value(value) <= *weight) continue;
        best = text;
        *weight = json_number_value(value);
    }
    return best;
}

/* Notes the most frequent texts of the tokens of one rule, unless another rule has a token's text
 * that is more frequent. */
static void note_examples(json_t *tokens, json_t *texts, json_t *weights)
{
    const char *name;
    json_t *leaves;
    json_object_foreach(tokens, name, leaves)
    {
        double weight;
        const char *text = most_frequent(leaves, &weight);
        if (!text || (*name != '_' && !isalpha((unsigned char)*name))) continue;
        if (weight <= json_number_value(json_object_get(weights, name))) continue;
        (void)json_object_set_new(texts, name, json_string(text));
        (void)json_object_set_new(weights, name, json_real(weight));
    }
}

/* Copies what was noted. */
static pare_status copy_examples(json_t *texts, pare_arena *memory, pare_token_example **examples,
                                 size_t *n, pare_error *err)
{
    const char *name;
    json_t *text;
    *n = 0;
    *examples = pare_arena_alloc(memory, (json_object_size(texts) + 1) * sizeof **examples);
    if (!*examples) return pare_fail_nomem(err);
    json_object_foreach(texts, name, text)
    {
        pare_token_example *example = &(*examples)[(*n)++];
        const size_t size = json_string_length(text);
        *example =
            (pare_token_example){.name = pare_arena_text(memory, name, strlen(name)),
                                 .text = pare_arena_text(memory, json_string_value(text), size),
                                 .size = size};
        if (!example->name || !example->text) return pare_fail_nomem(err);
    }
    return PARE_OK;
}

/* JSON that is damaged has no examples: whoever reads the weights themselves has said so before.
 * Texts are gathered in a JSON object, which keeps one of each name, and copied to `memory` (the
 * caller's) at the end. */
pare_status pare_weights_examples(const char *text, size_t size, pare_arena *memory,
                                  pare_token_example **examples, size_t *n, pare_error *err)
{
    json_t *root = json_loadb(text, size, 0, NULL), *texts = json_object(),
           *weights = json_object();
    const char *rule;
    json_t *tokens;
    pare_status status = texts && weights ? PARE_OK : pare_fail_nomem(err);
    json_object_foreach(json_object_get(root, "leaves"), rule, tokens)
        note_examples(tokens, texts, weights);
    if (!status) status = copy_examples(texts, memory, examples, n, err);
    json_decref(root);
    json_decref(texts);
    json_decref(weights);
    return status;
}
