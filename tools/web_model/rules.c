/* Finite rules by passes until nothing changes, reached ones by a list of what is to be looked
 * at, the texts by hand: of JSON they need strings and lists of them only. */
#include "web_model/rules.h"

#include <string.h>

#include "base/alloc.h"
#include "base/checksum.h"
#include "base/fail.h"
#include "base/vector.h"

static const char START[] = "start";

void pare_web_rules_done(pare_web_rules *rules)
{
    pare_alloc_free(rules->items);
    pare_hash_index_done(&rules->by_name);
    pare_arena_done(&rules->memory);
    *rules = (pare_web_rules){0};
}

/* --- making ------------------------------------------------------------------------ */

static pare_web_rule *find(const pare_web_rules *rules, const char *name, size_t size)
{
    pare_hash_probe probe = pare_hash_index_probe(&rules->by_name, pare_checksum(name, size));
    uint32_t index;
    while (pare_hash_index_next(&rules->by_name, &probe, &index)) {
        const char *other = rules->items[index].name;
        if (strncmp(other, name, size) == 0 && !other[size]) return &rules->items[index];
    }
    return NULL;
}

bool pare_web_rules_has(const pare_web_rules *rules, const char *name)
{
    return find(rules, name, strlen(name)) != NULL;
}

static pare_web_rule *find_or_make(pare_web_rules *rules, const char *name)
{
    size_t size = strlen(name);
    pare_web_rule *found = find(rules, name, size);
    if (found) return found;
    pare_web_rule *items =
        pare_vector_grow(rules->items, rules->n, &rules->capacity, sizeof *items);
    if (!items) return NULL;
    rules->items = items;
    const char *kept = pare_arena_text(&rules->memory, name, size);
    uint64_t hash = pare_checksum(name, size);
    if (!kept || pare_hash_index_add(&rules->by_name, hash, (uint32_t)rules->n, NULL)) return NULL;
    items[rules->n] = (pare_web_rule){.name = kept};
    return &items[rules->n++];
}

void pare_web_rules_add(pare_web_rules *rules, const char *name, double weight, const char *text,
                        size_t size)
{
    if (rules->status) return;
    pare_web_rule *rule = find_or_make(rules, name);
    pare_web_expansion *expansion = pare_arena_alloc(&rules->memory, sizeof *expansion);
    if (rule && expansion) {
        *expansion = (pare_web_expansion){.text = pare_arena_text(&rules->memory, text, size),
                                          .weight = weight};
        if (rule->last)
            rule->last->next = expansion;
        else
            rule->first = expansion;
        rule->last = expansion;
    }
    if (!rule || !expansion || !expansion->text) rules->status = PARE_E_NOMEM;
}

/* Bytes of a call <name> at the start of a template; 0: there is none. */
static size_t call_size(const char *text, size_t size)
{
    if (!size || text[0] != '<') return 0;
    for (size_t i = 1; i < size && text[i] != ' ' && text[i] != '<'; i++)
        if (text[i] == '>') return i > 1 ? i + 1 : 0;
    return 0;
}

static void add_slice(pare_web_rules *rules, const char *name, double weight, const char *from,
                      size_t size)
{
    if (rules->status) return;
    char *text = pare_arena_text(&rules->memory, from, size);
    if (!text) {
        rules->status = PARE_E_NOMEM;
        return;
    }
    for (size_t i = 0; i < size;) {
        size_t call = call_size(text + i, size - i);
        if (call) {
            text[i] = PARE_WEB_CALL;
            text[i + call - 1] = PARE_WEB_END;
        }
        i += call ? call : 1;
    }
    pare_web_rules_add(rules, name, weight, text, size);
}

void pare_web_rules_add_template(pare_web_rules *rules, const char *name, double weight,
                                 const char *template_text)
{
    add_slice(rules, name, weight, template_text, strlen(template_text));
}

void pare_web_rules_add_lines(pare_web_rules *rules, const char *name, const char *lines)
{
    for (;;) {
        size_t size = strcspn(lines, "\n");
        add_slice(rules, name, 1, lines, size);
        if (!lines[size]) return;
        lines += size + 1;
    }
}

pare_status pare_web_call(pare_buffer *expansion, const char *name, pare_error *err)
{
    return pare_buffer_format(expansion, err, "%c%s%c", PARE_WEB_CALL, name, PARE_WEB_END);
}

/* --- calls ------------------------------------------------------------------------- */

/* The next call from *at on: its name, and *at after it; NULL: there is none. */
static const char *next_call(const char **at, size_t *size)
{
    const char *from = strchr(*at, PARE_WEB_CALL);
    if (!from) return NULL;
    const char *end = strchr(++from, PARE_WEB_END);
    if (!end) return NULL;
    *size = (size_t)(end - from);
    *at = end + 1;
    return from;
}

static bool is_finite(const pare_web_rules *rules, const pare_web_expansion *expansion)
{
    const char *at = expansion->text, *name;
    size_t size;
    while ((name = next_call(&at, &size)) != NULL) {
        const pare_web_rule *called = find(rules, name, size);
        if (!called || !called->finite) return false;
    }
    return expansion->weight > 0;
}

static void find_finite(pare_web_rules *rules)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < rules->n; i++) {
            pare_web_rule *rule = &rules->items[i];
            for (pare_web_expansion *e = rule->first; e; e = e->next) {
                if (e->finite || !is_finite(rules, e)) continue;
                e->finite = rule->finite = changed = true;
            }
        }
    }
}

/* Marks a rule, and puts it on the list, unless it was there. */
static void reach(pare_web_rule *rule, pare_web_rule **list, size_t *n)
{
    if (rule->reached) return;
    rule->reached = true;
    list[(*n)++] = rule;
}

static pare_status find_reached(pare_web_rules *rules, const char *const *roots, pare_error *err)
{
    pare_web_rule **list = pare_alloc(rules->n + 1, sizeof *list);
    pare_status status = list ? PARE_OK : pare_fail_nomem(err);
    size_t n = 0;
    for (; !status && *roots; roots++) {
        pare_web_rule *root = find(rules, *roots, strlen(*roots));
        if (root && root->finite)
            reach(root, list, &n);
        else
            status = pare_fail(err, PARE_E_STATE, "nothing can be made of '%s'", *roots);
    }
    while (!status && n) {
        const char *name;
        size_t size;
        for (const pare_web_expansion *e = list[--n]->first; e; e = e->next)
            for (const char *at = e->text; e->finite && (name = next_call(&at, &size)) != NULL;)
                reach(find(rules, name, size), list, &n);
    }
    pare_alloc_free(list);
    return status;
}

/* --- writing ----------------------------------------------------------------------- */

static pare_status put_string(pare_buffer *to, const char *text, size_t size, pare_error *err)
{
    pare_status status = pare_buffer_text(to, "\"", err);
    for (size_t i = 0; !status && i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < ' ')
            status = pare_buffer_format(to, err, "\\u%04x", c);
        else if (c == '"' || c == '\\')
            status = pare_buffer_format(to, err, "\\%c", c);
        else
            status = pare_buffer_add(to, &text[i], 1, err);
    }
    return status ? status : pare_buffer_text(to, "\"", err);
}

/* A text as an element of the list; one that would be read as a call becomes two. */
static pare_status put_terminal(pare_buffer *to, const char *text, size_t size, bool first,
                                pare_error *err)
{
    size_t head = call_size(text, size) == size ? 1 : size;
    pare_status status = pare_buffer_text(to, first ? "" : ", ", err);
    if (!status) status = put_string(to, text, head, err);
    if (status || head == size) return status;
    return put_terminal(to, text + head, size - head, false, err);
}

static pare_status put_expansion(pare_buffer *to, const char *at, pare_error *err)
{
    pare_status status = pare_buffer_text(to, "[", err);
    for (bool first = true; !status && *at; first = false) {
        const char *from = at;
        size_t size = strcspn(at, (const char[]){PARE_WEB_CALL, '\0'});
        at += size;
        if (size) {
            status = put_terminal(to, from, size, first, err);
            continue;
        }
        const char *name = next_call(&at, &size);
        if (!name) break;
        status = pare_buffer_format(to, err, "%s\"<%.*s>\"", first ? "" : ", ", (int)size, name);
    }
    return status ? status : pare_buffer_text(to, "]", err);
}

static pare_status put_rule(pare_buffer *to, const pare_web_rule *rule, pare_error *err)
{
    bool first = true;
    pare_status status = pare_buffer_format(to, err, ",\n\"<%s>\": [", rule->name);
    for (const pare_web_expansion *e = rule->first; !status && e; e = e->next) {
        if (!e->finite) continue;
        if (!first) status = pare_buffer_text(to, ", ", err);
        if (!status) status = put_expansion(to, e->text, err);
        first = false;
    }
    return status ? status : pare_buffer_text(to, "]", err);
}

/* The weights of a rule's expansions, if there are several and not all are 1. */
static pare_status put_weights(pare_buffer *to, const pare_web_rule *rule, bool *any,
                               pare_error *err)
{
    size_t n = 0;
    bool plain = true;
    for (const pare_web_expansion *e = rule->first; e; e = e->next) {
        n += e->finite;
        if (e->finite && (e->weight < 1 || e->weight > 1)) plain = false;
    }
    if (n < 2 || plain) return PARE_OK;
    pare_status status =
        pare_buffer_format(to, err, "%s\n\"<%s>\": {\"0\": {", *any ? "," : "", rule->name);
    *any = true;
    n = 0;
    for (const pare_web_expansion *e = rule->first; !status && e; e = e->next) {
        if (!e->finite) continue;
        status = pare_buffer_format(to, err, "%s\"%zu\": %g", n ? ", " : "", n, e->weight);
        n++;
    }
    return status ? status : pare_buffer_text(to, "}}", err);
}

static pare_status write_grammar(const pare_web_rules *rules, const char *root, pare_buffer *to,
                                 pare_error *err)
{
    pare_status status = pare_buffer_format(to, err, "{\n\"<%s>\": [[\"<%s>\"]]", START, root);
    for (size_t i = 0; !status && i < rules->n; i++)
        if (rules->items[i].reached) status = put_rule(to, &rules->items[i], err);
    return status ? status : pare_buffer_text(to, "\n}\n", err);
}

static pare_status write_weights(const pare_web_rules *rules, pare_buffer *to, pare_error *err)
{
    bool any = false;
    pare_status status = pare_buffer_text(to, "{\"alts\": {", err);
    for (size_t i = 0; !status && i < rules->n; i++)
        if (rules->items[i].reached) status = put_weights(to, &rules->items[i], &any, err);
    return status ? status : pare_buffer_text(to, "\n}}\n", err);
}

pare_status pare_web_rules_finish(pare_web_rules *rules, const char *const *roots,
                                  pare_buffer *grammar, pare_buffer *weights, pare_error *err)
{
    if (rules->status) return pare_fail_nomem(err);
    find_finite(rules);
    pare_status status = find_reached(rules, roots, err);
    if (!status) status = write_grammar(rules, roots[0], grammar, err);
    return status ? status : write_weights(rules, weights, err);
}
