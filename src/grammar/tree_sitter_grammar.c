/* The grammar model of a grammar.json: JSON to expressions, by recursion over the JSON values,
 * which jansson limits to 2048 levels.
 *
 * Rules are declared first, in the order of the file, so that bodies can refer to later ones;
 * rules that aliases make and lexer rules come after them.  What only says something about its
 * content (fields, precedences, reserved words) is gone through.
 *
 * A failure that means "this token has no text" ends at the token; any other one sticks in the
 * builder or in `status`, and everything after it is idle.
 *
 * The content models (content.c) are compiled from the same opened file and not from this
 * model.  The model needs the regular expressions of all tokens, which takes up to ten times
 * as long as the rest (Java: 17 ms against 3) and which a reduction may never ask for; its
 * rules may be replaced by examples from the input; and it does not keep which strings show in
 * a tree.
 * Source: the grammar.json format of tree-sitter's documentation ("Grammar DSL"). */

#include "grammar/tree_sitter_grammar.h"

#include <assert.h>
#include <jansson.h>
#include <string.h>
#include <utf8proc.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/vector.h"
#include "grammar/builder.h"
#include "grammar/name_index.h"
#include "grammar/unicode.h"

/* --- the file, opened ----------------------------------------------------------------------- */

/* Adds the names of a list, whose entries are names or symbols; false when memory is out.
 * Entries of `inline` and `supertypes` are names, those of `externals` are symbols or strings. */
static bool add_names(const json_t *list, json_t *set)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *entry = json_array_get(list, i);
        const char *name = json_is_string(entry) ? json_string_value(entry)
                                                 : pare_tree_sitter_grammar_text(entry, "name");
        if (*name && json_object_set_new(set, name, json_true())) return false;
    }
    return true;
}

/* Parses the JSON text. A syntax error is reported with its place in the file. */
static pare_status parse(const char *json, size_t size, json_t **out, pare_error *err)
{
    json_error_t at;
    /* Python and others have a token that is a NUL byte; it is never seen in a tree. */
    *out = json_loadb(size ? json : "", size, JSON_ALLOW_NUL, &at);
    if (*out) return PARE_OK;
    if (json_error_code(&at) == json_error_out_of_memory) return pare_fail_nomem(err);
    return pare_fail(err, PARE_E_SYNTAX, "grammar.json:%d:%d: %s", at.line, at.column, at.text);
}

/* Finds the rules, and makes sets of the names that other lists mention: a set is a JSON
 * object, since jansson's are hash tables with the right keys already.  O(1) look-ups by name
 * afterwards.  Sets that are missing in the file are empty ones. */
static pare_status fill(pare_grammar_json *grammar, pare_error *err)
{
    grammar->rules = json_object_get(grammar->root, "rules");
    if (!json_is_object(grammar->rules) || json_object_size(grammar->rules) == 0)
        return pare_fail(err, PARE_E_SYNTAX,
                         "grammar.json: this is not a tree-sitter grammar: it has no rules");
    grammar->hidden = json_object();
    grammar->externals = json_object();
    bool fits = grammar->hidden && grammar->externals &&
                add_names(json_object_get(grammar->root, "inline"), grammar->hidden) &&
                add_names(json_object_get(grammar->root, "supertypes"), grammar->hidden) &&
                add_names(json_object_get(grammar->root, "externals"), grammar->externals);
    return fits ? PARE_OK : pare_fail_nomem(err);
}

pare_status pare_tree_sitter_grammar_open(const char *json, size_t size, pare_grammar_json *out,
                                          pare_error *err)
{
    *out = (pare_grammar_json){0};
    pare_status status = parse(json, size, &out->root, err);
    if (!status) status = fill(out, err);
    if (status) pare_tree_sitter_grammar_close(out);
    assert(status || json_object_size(out->rules) > 0);
    return status;
}

void pare_tree_sitter_grammar_close(pare_grammar_json *grammar)
{
    json_decref(grammar->hidden);
    json_decref(grammar->externals);
    json_decref(grammar->root);
    *grammar = (pare_grammar_json){0};
}

/* The state of reading a file. Compile functions return an expression, or PARE_NO_INDEX after a
 * failure. */
struct reader {
    pare_builder builder;
    pare_unicode unicode;
    pare_grammar_json json;
    pare_shown_rule *shown; /* owned; of each rule */
    size_t n_shown, shown_capacity;
    const pare_token_example *examples;
    size_t n_examples;
    unsigned n_made;   /* rules and tokens that needed a name; the same whatever the examples */
    unsigned n_lexers; /* lexer rules */
    pare_status status;
    pare_error *err;
};

static pare_index compile(struct reader *reader, const json_t *body, bool lexical);

/* --- JSON -------------------------------------------------------------------------------- */

/* What a field, a precedence or a reserved word is about. These say which parse is preferred and
 * how a child is called, and change no text. */
static const json_t *unwrapped(const json_t *body)
{
    while (pare_tree_sitter_grammar_is_precedence(body) ||
           pare_tree_sitter_grammar_is(body, "FIELD") ||
           pare_tree_sitter_grammar_is(body, "RESERVED"))
        body = json_object_get(body, "content");
    return body;
}

/* Whether anything failed so far, here or in the builder. */
static bool failed(const struct reader *reader)
{
    return reader->status || reader->builder.status;
}

/* Notes the first failure.  Returns PARE_NO_INDEX, for its caller to return.  Callers go on to
 * their end with PARE_NO_INDEX; what they make is thrown away with the builder. */
static pare_index fail(struct reader *reader, const char *what)
{
    if (!failed(reader))
        reader->status = pare_fail(reader->err, PARE_E_SYNTAX, "grammar.json: %s", what);
    return PARE_NO_INDEX;
}

static pare_index fail_memory(struct reader *reader)
{
    if (!failed(reader)) reader->status = pare_fail_nomem(reader->err);
    return PARE_NO_INDEX;
}

/* --- expressions --------------------------------------------------------------------------- */

/* The expression of that index; the pointer is good until the next expression is made.  Not
 * kept across a call that makes expressions, which may move the array. */
static pare_expr *at(const struct reader *reader, pare_index expr)
{
    return &reader->builder.grammar->exprs[expr];
}

/* A new expression of that kind whose first child is `first`, if it has any.  Called with
 * children that are made already, which is what the builder's invariant asks for. */
static pare_index wrap(struct reader *reader, pare_expr_kind kind, pare_index first)
{
    pare_index expr = failed(reader) ? PARE_NO_INDEX : pare_builder_expr(&reader->builder, kind);
    if (expr != PARE_NO_INDEX) at(reader, expr)->first = first;
    return expr;
}

static pare_index use_rule(struct reader *reader, pare_index rule)
{
    pare_index expr = wrap(reader, PARE_EXPR_RULE, PARE_NO_INDEX);
    if (expr != PARE_NO_INDEX) at(reader, expr)->rule = rule;
    return expr;
}

static pare_index use_token(struct reader *reader, pare_index token)
{
    pare_index expr = wrap(reader, PARE_EXPR_TOKEN, PARE_NO_INDEX);
    if (expr != PARE_NO_INDEX) at(reader, expr)->token = token;
    return expr;
}

/* Compiles the members, except blanks, as a chain of siblings and returns the first; *n of
 * them; *blank: there was a blank.  Members may be a few hundred (the keywords of SQL); they
 * are linked as they come. */
static pare_index compile_members(struct reader *reader, const json_t *body, bool lexical,
                                  size_t *n, bool *blank)
{
    const json_t *members = json_object_get(body, "members");
    pare_index first = PARE_NO_INDEX, last = PARE_NO_INDEX;
    *n = 0;
    *blank = false;
    for (size_t i = 0; i < json_array_size(members) && !failed(reader); i++) {
        const json_t *member = json_array_get(members, i);
        if (pare_tree_sitter_grammar_is(member, "BLANK")) {
            *blank = true;
            continue;
        }
        pare_index expr = compile(reader, member, lexical);
        /* In a choice, a member without a text is left out; in a sequence it leaves nothing of
         * the whole. */
        if (expr == PARE_NO_INDEX && pare_tree_sitter_grammar_is(body, "CHOICE")) continue;
        if (expr == PARE_NO_INDEX) return PARE_NO_INDEX;
        if (first == PARE_NO_INDEX)
            first = expr;
        else
            at(reader, last)->next = expr;
        last = expr;
        ++*n;
    }
    return first;
}

/* A token that no text matches. A grammar switches parts of itself off by a choice of nothing. */
static pare_index compile_nothing(struct reader *reader)
{
    static const char name[] = "[]"; /* no rule is called so */
    pare_index token = pare_builder_token(&reader->builder, name, sizeof name - 1);
    return failed(reader) ? PARE_NO_INDEX : use_token(reader, token);
}

/* A list of one member is that member, and a choice with a blank is an option.  In a token,
 * members without a text (tokens of the language's own scanner, patterns that are not
 * understood) are left out of a choice; a sequence with one of them has no text itself. */
static pare_index compile_list(struct reader *reader, const json_t *body, bool lexical)
{
    bool choice = pare_tree_sitter_grammar_is(body, "CHOICE"), blank = false;
    size_t n = 0;
    pare_index first = compile_members(reader, body, lexical, &n, &blank);
    if (failed(reader)) return PARE_NO_INDEX;
    if (n == 0) {
        /* A choice of nothing but a blank, and an empty sequence, derive the empty text. */
        const json_t *members = json_object_get(body, "members");
        bool none = json_array_size(members) == 0;
        if (!json_is_array(members)) return fail(reader, "a list has no members");
        if (choice && none) return lexical ? PARE_NO_INDEX : compile_nothing(reader);
        return blank || none ? wrap(reader, PARE_EXPR_EMPTY, PARE_NO_INDEX) : PARE_NO_INDEX;
    }
    if (first == PARE_NO_INDEX) return first; /* of a token without text */
    if (n > 1) first = wrap(reader, choice ? PARE_EXPR_CHOICE : PARE_EXPR_SEQUENCE, first);
    return choice && blank ? wrap(reader, PARE_EXPR_OPTIONAL, first) : first;
}

/* --- tokens -------------------------------------------------------------------------------- */

/* The code points of a text; examples come from inputs, which may hold anything.  A byte for a
 * byte at worst, so size + 1 code points are always enough. */
static pare_index literal_expr(struct reader *reader, const char *text, size_t size)
{
    uint32_t *points = pare_alloc(size + 1, sizeof *points);
    size_t n = 0;
    utf8proc_int32_t point = 0;
    if (!points) return fail_memory(reader);
    for (size_t i = 0; i < size;) {
        utf8proc_ssize_t length = utf8proc_iterate((const utf8proc_uint8_t *)text + i,
                                                   (utf8proc_ssize_t)(size - i), &point);
        /* A byte of an example that is no UTF-8 stands for itself. */
        points[n++] = length > 0 ? (uint32_t)point : (unsigned char)text[i];
        i += length > 0 ? (size_t)length : 1;
    }
    pare_index expr = pare_builder_literal(&reader->builder, points, n);
    pare_alloc_free(points);
    return expr;
}

/* Gives a token type its lexer rule with that body; PARE_NO_INDEX: the type has no text, so it
 * gets no rule.  Names with a blank cannot clash with those of the file, which are identifiers. */
static void add_lexer_rule(struct reader *reader, pare_index token, pare_index body)
{
    char name[32];
    if (failed(reader) || body == PARE_NO_INDEX) return;
    int size = snprintf(name, sizeof name, "token %u", reader->n_lexers++);
    pare_index index = pare_builder_rule(&reader->builder, name, (size_t)size);
    if (index == PARE_NO_INDEX) return;
    pare_rule *rule = &reader->builder.grammar->rules[index];
    rule->kind = PARE_RULE_LEXER;
    rule->body = body;
    rule->token = token;
    reader->builder.grammar->tokens[token].rule = index;
}

/* Compiles a regular expression. A pattern that is not understood is no failure: the token then has
 * no text. */
static pare_index compile_pattern(struct reader *reader, const json_t *body)
{
    pare_index expr = PARE_NO_INDEX;
    pare_error why = {.status = PARE_OK};
    pare_status status = pare_regex_expr(&reader->builder, &reader->unicode,
                                         pare_tree_sitter_grammar_text(body, "value"), &expr, &why);
    if (status == PARE_E_NOMEM) return fail_memory(reader);
    return status ? PARE_NO_INDEX : expr;
}

/* Whether the string is a text: one with a NUL byte stands for the end of the input. */
static bool is_text(const json_t *body)
{
    const json_t *value = json_object_get(body, "value");
    return json_is_string(value) && json_string_length(value) == strlen(json_string_value(value));
}

/* The expression of a string in a token. */
static pare_index compile_string(struct reader *reader, const json_t *body)
{
    const char *text = pare_tree_sitter_grammar_text(body, "value");
    return is_text(body) ? literal_expr(reader, text, strlen(text)) : PARE_NO_INDEX;
}

/* The token type whose name is `kind` and `name` together; *made: it is new.  The kind keeps a
 * string, a pattern and a rule of the same spelling apart.  The prefixes are characters that no
 * rule's name begins with: a quote, a slash, '#', or nothing for tokens of the scanner. */
static pare_index find_token(struct reader *reader, const char *kind, const char *name, bool *made)
{
    pare_buffer full = {0};
    pare_index token = PARE_NO_INDEX;
    size_t before = reader->builder.grammar->n_tokens;
    if (pare_buffer_format(&full, reader->err, "%s%s", kind, name)) return fail_memory(reader);
    token = pare_builder_token(&reader->builder, full.data, full.size);
    *made = token != PARE_NO_INDEX && reader->builder.grammar->n_tokens > before;
    pare_buffer_done(&full);
    return token;
}

/* Equal strings and equal patterns are one token type; a token(...) is one each time it is
 * written, since nothing names it. */
static pare_index compile_token(struct reader *reader, const json_t *body)
{
    bool made = false, string = pare_tree_sitter_grammar_is(body, "STRING"),
         pattern = pare_tree_sitter_grammar_is(body, "PATTERN");
    char number[16];
    (void)snprintf(number, sizeof number, "%u", reader->n_made);
    reader->n_made += !string && !pattern;
    const char *name = string || pattern ? pare_tree_sitter_grammar_text(body, "value") : number;
    pare_index token = find_token(reader, string ? "'" : pattern ? "/" : "#", name, &made);
    if (made && string && is_text(body))
        pare_builder_alias(&reader->builder, token, name, strlen(name));
    if (made) add_lexer_rule(reader, token, compile(reader, body, true));
    return failed(reader) ? PARE_NO_INDEX : use_token(reader, token);
}

/* Linear: a language has a dozen tokens that need examples. */
static const pare_token_example *find_example(const struct reader *reader, const char *name)
{
    for (size_t i = 0; i < reader->n_examples; i++)
        if (strcmp(reader->examples[i].name, name) == 0) return &reader->examples[i];
    return NULL;
}

/* A token that is known by an example, if at all.  Tokens of a scanner written in C
 * (indentation, heredocs, template strings) have no description in the file; what the input
 * holds is the best text there is. */
static pare_index compile_example(struct reader *reader, const char *name)
{
    bool made = false;
    pare_index token = find_token(reader, "", name, &made);
    const pare_token_example *example = find_example(reader, name);
    if (made && example)
        add_lexer_rule(reader, token, literal_expr(reader, example->text, example->size));
    return failed(reader) ? PARE_NO_INDEX : use_token(reader, token);
}

/* --- rules --------------------------------------------------------------------------------- */

/* Notes what the rule that was added last is in a tree; a NULL name: it has no node.  Rules
 * added before without a note (lexer rules, which no tree shows) get an empty one, so that the
 * array keeps step with the rules. */
static void show(struct reader *reader, pare_index rule, const char *name, bool named, bool alias)
{
    while (!failed(reader) && reader->n_shown <= rule) {
        pare_shown_rule *shown = pare_vector_grow(reader->shown, reader->n_shown,
                                                  &reader->shown_capacity, sizeof *shown);
        if (!shown) {
            (void)fail_memory(reader);
            return;
        }
        reader->shown = shown;
        shown[reader->n_shown++] = (pare_shown_rule){0};
    }
    if (failed(reader) || !name) return;
    const char *copy = pare_builder_text(&reader->builder, name, strlen(name));
    reader->shown[rule] = (pare_shown_rule){copy, named, alias};
}

/* The rule that an alias makes of its content: of a symbol one rule, however often it is
 * written; of anything else one each time. */
static pare_index compile_alias(struct reader *reader, const json_t *body)
{
    pare_buffer name = {0};
    const json_t *content = unwrapped(json_object_get(body, "content"));
    const char *value = pare_tree_sitter_grammar_text(body, "value");
    bool symbol = pare_tree_sitter_grammar_is(content, "SYMBOL"),
         named = json_is_true(json_object_get(body, "named"));
    pare_status status =
        symbol ? pare_buffer_format(&name, reader->err, "%s as %s%s",
                                    pare_tree_sitter_grammar_text(content, "name"),
                                    named ? "" : "'", value)
               : pare_buffer_format(&name, reader->err, "%u as %s", reader->n_made++, value);
    if (status) return fail_memory(reader);
    pare_index rule = pare_name_index_find(&reader->builder.rules, name.data, name.size);
    /* The rule is in the index before its body is compiled, so an alias may stand within
     * itself. */
    if (rule == PARE_NO_INDEX) {
        rule = pare_builder_rule(&reader->builder, name.data, name.size);
        if (rule != PARE_NO_INDEX) show(reader, rule, value, named, true);
        pare_index made = failed(reader) ? PARE_NO_INDEX : compile(reader, content, false);
        if (made != PARE_NO_INDEX) reader->builder.grammar->rules[rule].body = made;
    }
    pare_buffer_done(&name);
    return failed(reader) ? PARE_NO_INDEX : use_rule(reader, rule);
}

/* The use of a rule, or of a token of the language's own scanner, which has no rule. */
static pare_index compile_symbol(struct reader *reader, const json_t *body)
{
    const char *name = pare_tree_sitter_grammar_text(body, "name");
    pare_index rule = pare_name_index_find(&reader->builder.rules, name, strlen(name));
    if (rule != PARE_NO_INDEX) return use_rule(reader, rule);
    if (pare_tree_sitter_grammar_has(reader->json.externals, name))
        return compile_example(reader, name);
    return fail(reader, "a rule does not exist");
}

/* The expression of `body`, in a token if `lexical`.  PARE_NO_INDEX: a failure, or, in a
 * token, something that has no text. */
static pare_index compile(struct reader *reader, const json_t *body, bool lexical)
{
    if (failed(reader)) return PARE_NO_INDEX;
    body = unwrapped(body);
    bool token = pare_tree_sitter_grammar_is(body, "TOKEN") ||
                 pare_tree_sitter_grammar_is(body, "IMMEDIATE_TOKEN");
    bool loop = pare_tree_sitter_grammar_is(body, "REPEAT"),
         once = pare_tree_sitter_grammar_is(body, "REPEAT1");
    const json_t *content = json_object_get(body, "content");
    if (pare_tree_sitter_grammar_is(body, "BLANK"))
        return wrap(reader, PARE_EXPR_EMPTY, PARE_NO_INDEX);
    if (pare_tree_sitter_grammar_is(body, "STRING") && lexical) return compile_string(reader, body);
    if (pare_tree_sitter_grammar_is(body, "PATTERN") && lexical)
        return compile_pattern(reader, body);
    if (token && lexical) return compile(reader, content, true);
    if (token || pare_tree_sitter_grammar_is(body, "STRING") ||
        pare_tree_sitter_grammar_is(body, "PATTERN"))
        return compile_token(reader, body);
    if (pare_tree_sitter_grammar_is(body, "SEQ") || pare_tree_sitter_grammar_is(body, "CHOICE"))
        return compile_list(reader, body, lexical);
    if (loop || once) {
        pare_index inner = compile(reader, content, lexical);
        if (inner == PARE_NO_INDEX) return inner;
        return wrap(reader, once ? PARE_EXPR_PLUS : PARE_EXPR_STAR, inner);
    }
    if (pare_tree_sitter_grammar_is(body, "ALIAS"))
        return lexical ? compile(reader, content, true) : compile_alias(reader, body);
    if (pare_tree_sitter_grammar_is(body, "SYMBOL"))
        return lexical ? PARE_NO_INDEX : compile_symbol(reader, body);
    return fail(reader, "it has a member of an unknown type");
}

/* --- the file ------------------------------------------------------------------------------ */

/* Two passes: declare all rules, then compile their bodies.  A rule with an example is nothing
 * but that. */
static void read_rules(struct reader *reader)
{
    const char *name;
    json_t *body;
    json_object_foreach(reader->json.rules, name, body)
    {
        pare_index rule = pare_builder_rule(&reader->builder, name, strlen(name));
        bool hidden = name[0] == '_' || pare_tree_sitter_grammar_has(reader->json.hidden, name);
        if (rule != PARE_NO_INDEX) show(reader, rule, hidden ? NULL : name, true, false);
    }
    json_object_foreach(reader->json.rules, name, body)
    {
        pare_index expr = find_example(reader, name) ? compile_example(reader, name)
                                                     : compile(reader, body, false);
        if (failed(reader)) return;
        pare_index rule = pare_name_index_find(&reader->builder.rules, name, strlen(name));
        reader->builder.grammar->rules[rule].body = expr;
    }
}

/* Makes the grammar, with the names of its rules' nodes.  Lexer rules may have come after the
 * last note; their entries are added first. */
static pare_status finish(struct reader *reader, pare_tree_sitter_grammar *out)
{
    pare_index last = (pare_index)reader->builder.grammar->n_rules - 1;
    if (!failed(reader) && reader->n_shown <= last) show(reader, last, NULL, false, false);
    if (reader->status) return reader->status;
    pare_status status = pare_builder_finish(&reader->builder, &out->grammar);
    if (status) return status;
    assert(reader->n_shown == out->grammar->n_rules);
    out->shown = reader->shown;
    reader->shown = NULL;
    return PARE_OK;
}

/* On PARE_OK *out is whole; the reader keeps nothing either way. */
static pare_status read_grammar(struct reader *reader, pare_tree_sitter_grammar *out)
{
    const char *name = pare_tree_sitter_grammar_text(reader->json.root, "name");
    const char *word = pare_tree_sitter_grammar_text(reader->json.root, "word");
    pare_status status = pare_builder_init(&reader->builder, reader->err);
    if (status) return status;
    reader->builder.grammar->name = pare_builder_text(&reader->builder, name, strlen(name));
    read_rules(reader);
    /* PARE_NO_INDEX when the file names no word rule: "" is the name of no rule. */
    out->word = pare_name_index_find(&reader->builder.rules, word, strlen(word));
    status = finish(reader, out);
    pare_builder_done(&reader->builder);
    pare_unicode_done(&reader->unicode);
    pare_alloc_free(reader->shown);
    return status;
}

pare_status pare_tree_sitter_grammar_read(const char *json, size_t size,
                                          const pare_token_example *examples, size_t n,
                                          pare_tree_sitter_grammar *out, pare_error *err)
{
    struct reader reader = {.examples = examples, .n_examples = n, .err = err};
    pare_status status = pare_tree_sitter_grammar_open(json, size, &reader.json, err);
    if (!status) status = read_grammar(&reader, out);
    pare_tree_sitter_grammar_close(&reader.json);
    return status;
}

void pare_tree_sitter_grammar_done(pare_tree_sitter_grammar *grammar)
{
    pare_grammar_free(grammar->grammar);
    pare_alloc_free(grammar->shown);
    *grammar = (pare_tree_sitter_grammar){0};
}
