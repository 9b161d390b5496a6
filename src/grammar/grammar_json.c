/* A grammar.json of tree-sitter, opened: JSON by jansson, and the lists of names in it as sets.
 *
 * The two readers of the file compile bodies to different things, by recursion over the JSON
 * values; an intermediate tree of our own would hold the same again.  The content models are
 * not derived from the grammar model: that one needs the regular expressions of all tokens,
 * which takes up to ten times as long as the rest (Java: 17 ms against 3) and which a
 * reduction may never ask for, and its rules may be replaced by examples from the input.
 * Source: the grammar.json format of tree-sitter's documentation ("Grammar DSL"). */
#include "grammar/grammar_json.h"

#include <assert.h>
#include <string.h>

#include "base/fail.h"

const char *pare_grammar_json_text(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

bool pare_grammar_json_is(const json_t *body, const char *type)
{
    return strcmp(pare_grammar_json_text(body, "type"), type) == 0;
}

bool pare_grammar_json_is_precedence(const json_t *body)
{
    static const char prefix[] = "PREC"; /* PREC, PREC_LEFT, PREC_RIGHT, PREC_DYNAMIC */
    return strncmp(pare_grammar_json_text(body, "type"), prefix, strlen(prefix)) == 0;
}

bool pare_grammar_json_has(const json_t *names, const char *name)
{
    return json_object_get(names, name) != NULL;
}

/* Adds the names of a list, whose entries are names or symbols; false when memory is out. */
static bool add_names(const json_t *list, json_t *set)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *entry = json_array_get(list, i);
        const char *name = json_is_string(entry) ? json_string_value(entry)
                                                 : pare_grammar_json_text(entry, "name");
        if (*name && json_object_set_new(set, name, json_true())) return false;
    }
    return true;
}

static pare_status parse(const char *json, size_t size, json_t **out, pare_error *err)
{
    json_error_t at;
    /* Python and others have a token that is a NUL byte; it is never seen in a tree. */
    *out = json_loadb(size ? json : "", size, JSON_ALLOW_NUL, &at);
    if (*out) return PARE_OK;
    if (json_error_code(&at) == json_error_out_of_memory) return pare_fail_nomem(err);
    return pare_fail(err, PARE_E_SYNTAX, "grammar.json:%d:%d: %s", at.line, at.column, at.text);
}

static pare_status fill(pare_grammar_json *grammar, pare_error *err)
{
    grammar->rules = json_object_get(grammar->root, "rules");
    if (!json_is_object(grammar->rules) || json_object_size(grammar->rules) == 0)
        return pare_fail(err, PARE_E_SYNTAX,
                         "grammar.json: is no grammar of tree-sitter: it has no rules");
    grammar->hidden = json_object();
    grammar->externals = json_object();
    bool fits = grammar->hidden && grammar->externals &&
                add_names(json_object_get(grammar->root, "inline"), grammar->hidden) &&
                add_names(json_object_get(grammar->root, "supertypes"), grammar->hidden) &&
                add_names(json_object_get(grammar->root, "externals"), grammar->externals);
    return fits ? PARE_OK : pare_fail_nomem(err);
}

pare_status pare_grammar_json_open(const char *json, size_t size, pare_grammar_json *out,
                                   pare_error *err)
{
    *out = (pare_grammar_json){0};
    pare_status status = parse(json, size, &out->root, err);
    if (!status) status = fill(out, err);
    if (status) pare_grammar_json_done(out);
    assert(status || json_object_size(out->rules) > 0);
    return status;
}

void pare_grammar_json_done(pare_grammar_json *grammar)
{
    json_decref(grammar->hidden);
    json_decref(grammar->externals);
    json_decref(grammar->root);
    *grammar = (pare_grammar_json){0};
}
