/* A list of definitions that are wanted, each made when its turn comes; what it refers to is
 * put on the list. */
#include "web_model/css.h"

#include <string.h>

#include <jansson.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/vector.h"
#include "web_model/basics.h"
#include "web_model/drafts.h"
#include "web_model/value_syntax.h"
#include "web_model/values.h"

static const double LEGACY = 0.2, /* a name kept for old pages */
    WIDE = 0.04,                  /* initial and its like; var() */
    NESTED = 0.1, IMPORTANT = 0.05;

/* A definition that is wanted. */
struct wanted {
    const char *rule, *syntax;
    const char *scope; /* the name that is defined, or the one that wants it */
};

struct css {
    const char *path;
    json_t *root; /* owned */
    pare_web_rules *rules;
    pare_web_values values;
    struct wanted *wanted; /* owned */
    size_t n_wanted, capacity;
    const char *scope; /* of the one being made */
    pare_web_css *out;
    pare_error *err;
};

/* What is not at the top of a style sheet, or only at its beginning. */
static const char *const left_out[] = {"@charset", "@import",   "@namespace", "@else",
                                       "@apply",   "@contents", "@private"};

static const char fixed[] = "initial\ninherit\nunset\nrevert\nrevert-layer";

#define COUNT(table) (sizeof(table) / sizeof *(table))

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* --- definitions ------------------------------------------------------------------------ */

static pare_status want(struct css *css, const char *rule, const char *syntax, const char *scope)
{
    struct wanted *grown =
        pare_vector_grow(css->wanted, css->n_wanted, &css->capacity, sizeof *grown);
    if (!grown) return pare_fail_nomem(css->err);
    css->wanted = grown;
    const char *kept = pare_arena_text(&css->rules->memory, rule, strlen(rule));
    if (!kept) return pare_fail_nomem(css->err);
    grown[css->n_wanted++] = (struct wanted){kept, syntax, scope};
    return PARE_OK;
}

/* Whether a definition is one for what is called `scope` only. */
static bool is_for(const json_t *definition, const char *scope)
{
    const json_t *list = json_object_get(definition, "for");
    for (size_t i = 0; scope && i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));
        if (name && strcmp(name, scope) == 0) return true;
    }
    return false;
}

/* The definition of a name in a list of the package: the one for the scope, else one for all,
 * else the first. */
static const json_t *find_definition(const struct css *css, const char *list, const char *name,
                                     size_t *number)
{
    const json_t *items = json_object_get(css->root, list), *found = NULL;
    for (size_t i = 0; i < json_array_size(items); i++) {
        const json_t *item = json_array_get(items, i);
        const char *called = text_of(item, "name");
        if (!called || strcmp(called, name) != 0 || !text_of(item, "syntax")) continue;
        bool fits = is_for(item, css->scope);
        if (!found || fits || !json_array_size(json_object_get(item, "for"))) {
            found = item;
            *number = i;
        }
        if (fits) break;
    }
    return found;
}

/* Lists of declarations and rules, which the packages describe in prose. */
static pare_status find_block(const struct css *css, const char *type, pare_buffer *name,
                              bool *known)
{
    *known = true;
    if (strcmp(type, "declaration-list") == 0) {
        pare_status status = pare_buffer_format(name, css->err, "d:%s", css->scope);
        if (status || pare_web_rules_has(css->rules, name->data)) return status;
        pare_buffer_reset(name);
        return pare_buffer_text(name, "declarations", css->err);
    }
    const char *rule = strcmp(type, "declaration-rule-list") == 0 ? "declarations"
                       : strcmp(type, "block-contents") == 0      ? "css-rules"
                       : strcmp(type, "rule-list") == 0           ? "css-rules"
                       : strcmp(type, "declaration") == 0         ? "declaration"
                       : strcmp(type, "qualified-rule-list") == 0 ? "keyframes"
                                                                  : NULL;
    *known = rule != NULL;
    return rule ? pare_buffer_text(name, rule, css->err) : PARE_OK;
}

static pare_status resolve_type(struct css *css, const pare_value *value, pare_buffer *name)
{
    bool known = false;
    size_t number = 0, size = strlen(value->text);
    bool is_function = size > 2 && strcmp(value->text + size - 2, "()") == 0;
    pare_status status = find_block(css, value->text, name, &known);
    if (!status && !known) status = pare_web_basics_find(css->rules, value, name, &known, css->err);
    if (status || known) return status;
    const char *list = is_function ? "functions" : "types";
    const json_t *found = find_definition(css, list, value->text, &number);
    status = pare_buffer_format(name, css->err, "%c%zu:%.*s", list[0], number,
                                (int)strcspn(value->text, "[<> "), value->text);
    if (status || !found || pare_web_rules_has(css->rules, name->data)) return status;
    /* There from now on, without an expansion that could be made. */
    pare_web_rules_add(css->rules, name->data, 0, "", 0);
    return want(css, name->data, text_of(found, "syntax"), text_of(found, "name"));
}

static pare_status resolve(void *context, const pare_value *value, pare_buffer *name,
                           pare_error *err)
{
    if (value->kind == PARE_VALUE_PROPERTY)
        return pare_buffer_format(name, err, "v:%s", value->text);
    return resolve_type(context, value, name);
}

static double weigh(void *context, const pare_value *part)
{
    const struct css *css = context;
    return pare_web_draft_weight(css->scope, part);
}

/* Makes one definition; one that cannot be read is counted. */
static pare_status make(struct css *css, const struct wanted *wanted)
{
    pare_value *value = NULL;
    const char *own = pare_web_draft_syntax(wanted->scope);
    const char *syntax = own ? own : wanted->syntax;
    pare_status status =
        pare_value_parse(&css->rules->memory, syntax, strlen(syntax), &value, NULL);
    if (status == PARE_E_NOMEM) return pare_fail_nomem(css->err);
    if (status) {
        css->out->n_unreadable++;
        return PARE_OK;
    }
    css->scope = wanted->scope;
    return pare_web_values_define(&css->values, wanted->rule, value);
}

static pare_status make_wanted(struct css *css)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < css->n_wanted; i++) {
        const struct wanted wanted = css->wanted[i];
        status = make(css, &wanted);
    }
    css->n_wanted = 0;
    return status;
}

/* --- declarations -------------------------------------------------------------------------- */

/* Adds `name: <value>` to a rule of declarations. */
static pare_status add_declaration(struct css *css, const char *rule, double weight,
                                   const char *name, const char *value)
{
    pare_buffer expansion = {0};
    pare_status status = pare_buffer_format(&expansion, css->err, "%s: ", name);
    if (!status) status = pare_web_call(&expansion, value, css->err);
    if (!status) pare_web_rules_add(css->rules, rule, weight, expansion.data, expansion.size);
    pare_buffer_done(&expansion);
    return status;
}

/* The whole value of a property: one of its own, or one that all have. */
static pare_status add_property(struct css *css, const json_t *property)
{
    const char *name = text_of(property, "name"), *syntax = text_of(property, "syntax");
    pare_buffer whole = {0}, value = {0};
    if (!name || !syntax || strcspn(name, "<> ") < strlen(name)) return PARE_OK;
    pare_status status = pare_buffer_format(&whole, css->err, "p:%s", name);
    if (!status) status = pare_buffer_format(&value, css->err, "v:%s", name);
    if (!status) status = want(css, value.data, syntax, name);
    if (!status) {
        double weight = json_object_get(property, "legacyAliasOf") ? LEGACY : 1;
        status = add_declaration(css, "declaration", weight, name, whole.data);
    }
    pare_buffer call = {0};
    if (!status) status = pare_web_call(&call, value.data, css->err);
    if (!status) {
        pare_web_rules_add(css->rules, whole.data, 1, call.data, call.size);
        pare_web_rules_add_template(css->rules, whole.data, WIDE, "<css-wide>");
        pare_web_rules_add_template(css->rules, whole.data, WIDE, "<var>");
        css->out->n_properties++;
    }
    pare_buffer_done(&call);
    pare_buffer_done(&whole);
    pare_buffer_done(&value);
    return status;
}

static pare_status add_properties(struct css *css)
{
    const json_t *list = json_object_get(css->root, "properties");
    pare_web_rules *rules = css->rules;
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < json_array_size(list); i++)
        status = add_property(css, json_array_get(list, i));
    pare_web_rules_add_lines(rules, "css-wide", fixed);
    pare_web_rules_add_template(rules, "declaration", 1, "--<name>: <any>");
    pare_web_rules_add_template(rules, "important", 1, "<declaration>");
    pare_web_rules_add_template(rules, "important", IMPORTANT, "<declaration> !important");
    pare_web_rules_add_lines(rules, "declarations", "<important>\n<important>; <declarations>");
    return status;
}

/* --- at-rules -------------------------------------------------------------------------------- */

/* The descriptors that an at-rule has, as a list of declarations. */
static pare_status add_descriptors(struct css *css, const json_t *at_rule)
{
    const json_t *list = json_object_get(at_rule, "descriptors");
    const char *scope = text_of(at_rule, "name");
    pare_buffer one = {0}, many = {0}, rule = {0}, text = {0};
    pare_status status = pare_buffer_format(&one, css->err, "d1:%s", scope);
    if (!status) status = pare_buffer_format(&many, css->err, "d:%s", scope);
    for (size_t i = 0; !status && i < json_array_size(list); i++) {
        const json_t *descriptor = json_array_get(list, i);
        const char *name = text_of(descriptor, "name"), *syntax = text_of(descriptor, "syntax");
        if (!name || !syntax || strcspn(name, "<> ") < strlen(name)) continue;
        pare_buffer_reset(&rule);
        status = pare_buffer_format(&rule, css->err, "d:%s:%s", scope, name);
        if (!status) status = want(css, rule.data, syntax, scope);
        if (!status) status = add_declaration(css, one.data, 1, name, rule.data);
    }
    if (!status && pare_web_rules_has(css->rules, one.data)) {
        status =
            pare_buffer_format(&text, css->err, "<%s>\n<%s>; <%s>", one.data, one.data, many.data);
        if (!status) pare_web_rules_add_lines(css->rules, many.data, text.data);
    }
    pare_buffer_done(&one);
    pare_buffer_done(&many);
    pare_buffer_done(&rule);
    pare_buffer_done(&text);
    return status;
}

static bool stands_anywhere(const json_t *at_rule)
{
    static const char *const margins[] = {"@top-", "@bottom-", "@left-", "@right-"};
    const char *name = text_of(at_rule, "name");
    if (!name || strcspn(name, "<> ") < strlen(name)) return false;
    for (size_t i = 0; i < COUNT(left_out); i++)
        if (strcmp(name, left_out[i]) == 0) return false;
    for (size_t i = 0; i < COUNT(margins); i++)
        if (strncmp(name, margins[i], strlen(margins[i])) == 0) return false;
    return text_of(at_rule, "syntax") && !json_array_size(json_object_get(at_rule, "for"));
}

static pare_status add_at_rules(struct css *css)
{
    const json_t *list = json_object_get(css->root, "atrules");
    pare_buffer rule = {0}, call = {0};
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < json_array_size(list); i++) {
        const json_t *at_rule = json_array_get(list, i);
        if (!stands_anywhere(at_rule)) continue;
        const char *name = text_of(at_rule, "name");
        pare_buffer_reset(&rule);
        pare_buffer_reset(&call);
        status = add_descriptors(css, at_rule);
        if (!status) status = pare_buffer_format(&rule, css->err, "at:%s", name);
        if (!status) status = want(css, rule.data, text_of(at_rule, "syntax"), name);
        if (!status) status = pare_web_call(&call, rule.data, css->err);
        if (!status) pare_web_rules_add(css->rules, "at-rule", 1, call.data, call.size);
    }
    pare_buffer_done(&rule);
    pare_buffer_done(&call);
    return status;
}

/* --- selectors and sheets ------------------------------------------------------------------- */

/* Pseudo-classes and -elements; those with arguments that are defined by prose have templates
 * of their own. */
static pare_status add_selectors(struct css *css)
{
    static const char own[] =
        ":is(<selector-list>)\n:not(<selector-list>)\n:where(<selector-list>)\n"
        ":has(<relative-selector>)\n:nth-child(<a-n-plus-b>)\n:nth-last-child(<a-n-plus-b>)\n"
        ":nth-of-type(<a-n-plus-b>)\n:nth-last-of-type(<a-n-plus-b>)\n"
        ":nth-child(even of <sel-compound>)\n:lang(<name>)\n:dir(ltr)\n:dir(rtl)";
    const json_t *list = json_object_get(css->root, "selectors");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = text_of(json_array_get(list, i), "name");
        if (!name || name[0] != ':' || strcspn(name, "()<> ") < strlen(name)) continue;
        pare_web_rules_add(css->rules, name[1] == ':' ? "sel-pseudo-element" : "sel-pseudo-class",
                           1, name, strlen(name));
    }
    pare_web_rules_add_lines(css->rules, "sel-pseudo-function", own);
    pare_web_rules_add_lines(css->rules, "sel-pseudo",
                             "<sel-pseudo-class>\n<sel-pseudo-element>\n<sel-pseudo-function>");
    return PARE_OK;
}

static pare_status add_sheets(struct css *css)
{
    pare_web_rules *rules = css->rules;
    pare_web_rules_add_template(rules, "css-rule", 1, "<style-rule>");
    pare_web_rules_add_template(rules, "css-rule", 2 * NESTED, "<at-rule>");
    pare_web_rules_add_template(rules, "style-rule", 1, "<selector-list> { <declarations> }");
    pare_web_rules_add_template(rules, "style-rule", NESTED,
                                "<selector-list> { <declarations>; & <style-rule> }");
    pare_web_rules_add_lines(rules, "css-rules", "<css-rule>\n<css-rule>\n<css-rule> <css-rules>");
    pare_web_rules_add_lines(rules, "keyframe",
                             "from { <declarations> }\nto { <declarations> }\n"
                             "<percentage:0:100> { <declarations> }");
    pare_web_rules_add_lines(rules, "keyframes", "<keyframe>\n<keyframe> <keyframes>");
    pare_web_rules_add_template(rules, "stylesheet", 1, "<css-rule>");
    pare_web_rules_add(rules, "stylesheet", 2, "\1css-rule\2\n\1stylesheet\2",
                       strlen("\1css-rule\2\n\1stylesheet\2"));
    return PARE_OK;
}

/* --- the whole --------------------------------------------------------------------------------- */

static pare_status read_lists(struct css *css, const char *json, size_t size)
{
    static const char *const lists[] = {"properties", "types", "functions", "atrules", "selectors"};
    css->root = json_loadb(json, size, 0, NULL);
    for (size_t i = 0; i < COUNT(lists); i++)
        if (!json_array_size(json_object_get(css->root, lists[i])))
            return pare_fail(css->err, PARE_E_CORRUPT, "%s: there is no list '%s'", css->path,
                             lists[i]);
    return PARE_OK;
}

pare_status pare_web_css_add(pare_web_rules *rules, const char *path, const char *json, size_t size,
                             pare_web_css *out, pare_error *err)
{
    static pare_status (*const steps[])(struct css *) = {
        add_properties, make_wanted, add_at_rules, make_wanted, add_selectors, add_sheets};
    struct css css = {.path = path, .rules = rules, .out = out, .err = err};
    css.values = (pare_web_values){
        .rules = rules, .resolve = resolve, .weigh = weigh, .context = &css, .err = err};
    *out = (pare_web_css){0};
    pare_status status = read_lists(&css, json, size);
    if (!status) pare_web_basics_add(rules);
    for (size_t i = 0; !status && i < COUNT(steps); i++)
        status = steps[i](&css);
    pare_alloc_free(css.wanted);
    json_decref(css.root);
    if (!status && rules->status) status = pare_fail_nomem(err);
    return status;
}
