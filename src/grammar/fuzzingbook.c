/* The reader of the Fuzzing Book's grammars: jansson reads the JSON; rules are declared first,
 * <start> before all others, so that expansions can refer to any of them.
 *
 * In an expansion that is a text, nonterminals are what the book's RE_NONTERMINAL finds: '<',
 * then anything but '<', '>' and ' ', then '>'; what lies between is a literal.  The grammar is
 * scannerless: its alphabet is characters, and every rule is a parser rule.  See fuzzingbook.h
 * for the other forms of an expansion, and for the source.
 *
 * Invariant: when bodies are read all names are known, so a nonterminal is found by one
 * look-up, and one that is not found is a mistake of the grammar and not of the order.  Cost:
 * O(bytes of the file), each text being scanned once. */
#include "grammar/fuzzingbook.h"

#include <assert.h>
#include <string.h>

#include <jansson.h>
#include <utf8proc.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/vector.h"
#include "grammar/builder.h"
#include "grammar/name_index.h"
#include "os/file.h"

/* The state of reading a file. */
struct reader {
    const char *path;
    pare_builder builder;
    uint32_t *points; /* owned; the terminal being made */
    size_t n_points, points_capacity;
    const char *rule; /* name of the one being read */
    pare_error *err;
};

/* A failure in the rule being read. */
static pare_status fail(struct reader *reader, const char *what)
{
    return pare_fail(reader->err, PARE_E_SYNTAX, "%s: rule '%s': %s", reader->path, reader->rule,
                     what);
}

/* Bytes of the nonterminal at the start of `text`, with its brackets; 0: none is there.  The
 * search is the book's regular expression `(<[^<> ]*>)` with one difference: "<>" is a literal
 * here, since no rule can have that name. */
static size_t nonterminal_size(const char *text, size_t size)
{
    if (!size || text[0] != '<') return 0;
    for (size_t i = 1; i < size; i++) {
        if (text[i] == '>') return i > 1 ? i + 1 : 0;
        if (text[i] == '<' || text[i] == ' ') return 0;
    }
    return 0;
}

/* --- symbols --------------------------------------------------------------- */

/* Puts an expression after *last in the list that starts at *first.  The list is linked through
 * pare_expr.next.  The assertion is the builder's invariant: siblings ascend. */
static void append(struct reader *reader, pare_index *first, pare_index *last, pare_index expr)
{
    if (expr == PARE_NO_INDEX) return;
    assert(*last == PARE_NO_INDEX || *last < expr);
    if (*first == PARE_NO_INDEX)
        *first = expr;
    else
        reader->builder.grammar->exprs[*last].next = expr;
    *last = expr;
}

/* Adds the text up to the next nonterminal as one literal.  A malformed byte becomes U+FFFD;
 * an empty text adds nothing. */
static pare_status add_terminal(struct reader *reader, const char *text, size_t size,
                                pare_index *first, pare_index *last)
{
    const utf8proc_uint8_t *at = (const utf8proc_uint8_t *)text, *end = at + size;
    reader->n_points = 0;
    if (!size) return PARE_OK;
    while (at < end) {
        utf8proc_int32_t code_point;
        utf8proc_ssize_t used = utf8proc_iterate(at, end - at, &code_point);
        uint32_t *points = pare_vector_grow(reader->points, reader->n_points,
                                            &reader->points_capacity, sizeof *points);
        if (!points) return pare_fail_nomem(reader->err);
        reader->points = points;
        reader->points[reader->n_points++] = used > 0 ? (uint32_t)code_point : 0xFFFD;
        at += used > 0 ? used : 1;
    }
    append(reader, first, last,
           pare_builder_literal(&reader->builder, reader->points, reader->n_points));
    return reader->builder.status;
}

/* Adds a use of a rule.  All rules are declared by now, so one that is not found is a mistake
 * of the grammar. */
static pare_status add_nonterminal(struct reader *reader, const char *text, size_t size,
                                   pare_index *first, pare_index *last)
{
    pare_builder *builder = &reader->builder;
    pare_index rule = pare_name_index_find(&builder->rules, text, size);
    if (rule == PARE_NO_INDEX)
        return pare_fail(reader->err, PARE_E_SYNTAX,
                         "%s: rule '%.*s' is not defined (in rule '%s')", reader->path, (int)size,
                         text, reader->rule);
    pare_index expr = pare_builder_expr(builder, PARE_EXPR_RULE);
    if (expr != PARE_NO_INDEX) builder->grammar->exprs[expr].rule = rule;
    append(reader, first, last, expr);
    return builder->status;
}

/* Adds a text: terminals and nonterminals in turn.  A '<' that begins no nonterminal is part of
 * the terminal around it, as in the book: grammars of HTML write tags that way. */
static pare_status add_text(struct reader *reader, const json_t *json, pare_index *first,
                            pare_index *last)
{
    const char *text = json_string_value(json);
    size_t size = json_string_length(json), start = 0;
    pare_status status = PARE_OK;
    for (size_t i = 0; i < size && !status;) {
        size_t name_size = nonterminal_size(text + i, size - i);
        if (!name_size) {
            i++;
            continue;
        }
        status = add_terminal(reader, text + start, i - start, first, last);
        if (!status) status = add_nonterminal(reader, text + i, name_size, first, last);
        i += name_size;
        start = i;
    }
    return status ? status : add_terminal(reader, text + start, size - start, first, last);
}

/* A symbol of a list: a nonterminal or a terminal as a whole. */
static pare_status add_symbol(struct reader *reader, const json_t *symbol, pare_index *first,
                              pare_index *last)
{
    if (!json_is_string(symbol)) return fail(reader, "a list contains something other than texts");
    const char *text = json_string_value(symbol);
    size_t size = json_string_length(symbol);
    /* In a list, brackets within a text are text. */
    return size && nonterminal_size(text, size) == size
               ? add_nonterminal(reader, text, size, first, last)
               : add_terminal(reader, text, size, first, last);
}

/* A symbol with a hook, which becomes its label: [text, {"pre": name}] or {"post": name}. */
static pare_status add_hooked(struct reader *reader, const json_t *pair, pare_index *first,
                              pare_index *last)
{
    const json_t *options = json_array_get(pair, 1);
    const json_t *hook = json_object_get(options, "pre");
    /* To find out whether the symbol became an expression. */
    pare_index before = *last;
    if (!hook) hook = json_object_get(options, "post");
    if (json_array_size(pair) != 2 || !json_is_object(options) || (hook && !json_is_string(hook)))
        return fail(reader, "a symbol with a hook is written [text, {\"post\": name}]");
    pare_status status = add_symbol(reader, json_array_get(pair, 0), first, last);
    if (status || !hook) return status;
    /* The label belongs to the expression just added. */
    if (*last == before) return fail(reader, "the empty text can have no hook");
    pare_index label =
        pare_builder_label(&reader->builder, json_string_value(hook), json_string_length(hook));
    if (label != PARE_NO_INDEX) reader->builder.grammar->exprs[*last].label = label;
    return reader->builder.status;
}

/* Adds the symbols of a list.  A list of a text and an object is a text with options, which
 * are ignored; in any other list, an array is a symbol with a hook.  Options ("prob",
 * "min_rep") say how likely an expansion is; they change no text that is possible.  Weights
 * come from a model of their own (generate/weights.h). */
static pare_status add_list(struct reader *reader, const json_t *list, pare_index *first,
                            pare_index *last)
{
    bool has_options = json_array_size(list) == 2 && json_is_object(json_array_get(list, 1));
    if (has_options && json_is_string(json_array_get(list, 0)))
        return add_text(reader, json_array_get(list, 0), first, last);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *symbol = json_array_get(list, i);
        pare_status status = json_is_array(symbol) ? add_hooked(reader, symbol, first, last)
                                                   : add_symbol(reader, symbol, first, last);
        if (status) return status;
    }
    return PARE_OK;
}

/* --- rules ----------------------------------------------------------------- */

/* Makes the expression of one expansion; one without symbols derives the empty text.  A
 * sequence of one symbol stays a sequence, so that every expansion is a node of its own and an
 * alternative can be counted. */
static pare_status make_expansion(struct reader *reader, const json_t *expansion, pare_index *made)
{
    pare_index first = PARE_NO_INDEX, last = PARE_NO_INDEX;
    pare_status status;
    if (json_is_string(expansion))
        status = add_text(reader, expansion, &first, &last);
    else if (json_is_array(expansion))
        status = add_list(reader, expansion, &first, &last);
    else
        status = fail(reader, "an expansion is neither a text nor a list");
    if (status) return status;
    pare_builder *builder = &reader->builder;
    *made =
        pare_builder_expr(builder, first == PARE_NO_INDEX ? PARE_EXPR_EMPTY : PARE_EXPR_SEQUENCE);
    if (*made != PARE_NO_INDEX) builder->grammar->exprs[*made].first = first;
    return builder->status;
}

/* Makes a rule's body; several expansions are a choice in the order of the file. */
static pare_status make_rule(struct reader *reader, const char *name, const json_t *expansions)
{
    pare_builder *builder = &reader->builder;
    pare_index first = PARE_NO_INDEX, last = PARE_NO_INDEX;
    size_t n = json_array_size(expansions);
    reader->rule = name;
    if (!json_is_array(expansions) || !n) return fail(reader, "it needs a list of expansions");
    for (size_t i = 0; i < n; i++) {
        pare_index made = PARE_NO_INDEX;
        pare_status status = make_expansion(reader, json_array_get(expansions, i), &made);
        if (status) return status;
        append(reader, &first, &last, made);
    }
    /* A single expansion is the body itself. */
    if (n > 1) {
        pare_index choice = pare_builder_expr(builder, PARE_EXPR_CHOICE);
        if (choice == PARE_NO_INDEX) return builder->status;
        builder->grammar->exprs[choice].first = first;
        first = choice;
    }
    builder->grammar->rules[pare_name_index_find(&builder->rules, name, strlen(name))].body = first;
    return PARE_OK;
}

/* Gives every rule its index, <start> the first, since the first parser rule is the one to
 * start with. jansson keeps the order of an object's keys, so rules are numbered as they are
 * written. */
static pare_status declare(struct reader *reader, json_t *root)
{
    const char *name;
    json_t *expansions;
    if (json_object_get(root, "<start>"))
        (void)pare_builder_rule(&reader->builder, "<start>", strlen("<start>"));
    json_object_foreach(root, name, expansions)
    {
        reader->rule = name;
        size_t size = strlen(name);
        if (nonterminal_size(name, size) != size || !size)
            return fail(reader, "the name of a rule must be in angle brackets");
        /* It was declared before the loop. */
        if (strcmp(name, "<start>") != 0) (void)pare_builder_rule(&reader->builder, name, size);
    }
    return reader->builder.status;
}

/* Declares all rules, then makes their bodies. */
static pare_status make_rules(struct reader *reader, json_t *root)
{
    const char *name;
    json_t *expansions;
    if (!json_is_object(root) || !json_object_size(root))
        return pare_fail(reader->err, PARE_E_SYNTAX, "%s: the grammar has no rules", reader->path);
    pare_status status = declare(reader, root);
    if (status) return status;
    json_object_foreach(root, name, expansions)
    {
        status = make_rule(reader, name, expansions);
        if (status) return status;
    }
    return PARE_OK;
}

/* The last part of a path. */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Parses the JSON text.  What jansson says is told with its place, as for any other grammar.
 * Duplicate rules are refused: the book's grammars are Python dictionaries, where the last one
 * would win silently. */
static pare_status parse(const char *path, const char *text, size_t size, json_t **root,
                         pare_error *err)
{
    json_error_t where;
    *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &where);
    if (*root) return PARE_OK;
    if (json_error_code(&where) == json_error_out_of_memory) return pare_fail_nomem(err);
    if (json_error_code(&where) == json_error_stack_overflow)
        return pare_fail(err, PARE_E_LIMIT, "%s is nested too deeply", path);
    /* The place is added by the first failure that sets the error. */
    if (err && !err->status) {
        err->line = (size_t)where.line;
        err->column = (size_t)where.column;
    }
    return pare_fail(err, PARE_E_SYNTAX, "%s:%d:%d: %s", path, where.line, where.column,
                     where.text);
}

/* The path is only a name here: it is what messages begin with, and its last part becomes the
 * grammar's name. */
pare_status pare_fuzzingbook_read_memory(const char *path, const char *text, size_t size,
                                         pare_grammar **out, pare_error *err)
{
    json_t *root = NULL;
    struct reader reader = {.path = path, .err = err};
    pare_status status = parse(path, text, size, &root, err);
    if (!status) status = pare_builder_init(&reader.builder, err);
    if (!status) {
        /* Whatever fails from here on, pare_builder_done releases the grammar unless it was
         * handed over. */
        pare_grammar *grammar = reader.builder.grammar;
        const char *name = base_name(path);
        grammar->scannerless = true;
        grammar->name = pare_builder_text(&reader.builder, name, strlen(name));
        status = make_rules(&reader, root);
        if (!status) status = pare_builder_finish(&reader.builder, out);
        pare_builder_done(&reader.builder);
    }
    pare_alloc_free(reader.points);
    json_decref(root);
    return status;
}

pare_status pare_fuzzingbook_read(const char *path, pare_grammar **out, pare_error *err)
{
    pare_buffer text = {0};
    pare_status status = pare_file_read(path, &text, err);
    if (!status)
        status =
            pare_fuzzingbook_read_memory(path, text.data ? text.data : "", text.size, out, err);
    pare_buffer_done(&text);
    return status;
}
