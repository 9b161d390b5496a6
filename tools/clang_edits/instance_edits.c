/* Function templates that become functions: with the arguments that a call of them has, which are
 * deduced or given.
 *
 * What the bindings do for arguments that are written (reduce/binding/templates.c) takes the types
 * of the call's arguments where they are not.  The head `template<...>` goes, parameters become what
 * the first call that is not in a template itself has for them, and so do all calls: `<...>` goes
 * from them.
 * Invariant: a template of which one argument cannot be written is left alone.
 * Source: C-Reduce's instantiate-template-param and template-arg-to-int, with types.
 * Tested by tests/cli/test_semantic.sh. */
#include <ctype.h>
#include <string.h>

#include "base/buffer.h"
#include "clang_edits/clang_source.h"
#include "clang_edits/edit_list.h"
#include "clang_edits/families.h"
#include "clang_edits/libclang.h"

enum { MOST_PARAMETERS = 16 };

/* A template and what its parameters become. */
struct instance {
    uint32_t template;
    uint32_t parameters[MOST_PARAMETERS]; /* nodes */
    size_t n;
    size_t head_end; /* the byte after `template<...>` */
    pare_buffer arguments[MOST_PARAMETERS];
};

/* Fills in the parameters and the end of the head; false: it has a clause, or packs, or too many. */
static bool look_at(const pare_clang_source *source, struct instance *instance)
{
    const pare_clang_node *self = &source->nodes[instance->template];
    uint32_t i = instance->template + 1;
    instance->head_end = self->from;
    for (; i < self->after; i = source->nodes[i].after) {
        const pare_clang_node *node = &source->nodes[i];
        int kind = node->cursor.kind;
        if (kind != PARE_LIBCLANG_TYPE_PARAMETER && kind != PARE_LIBCLANG_VALUE_PARAMETER) break;
        if (instance->n == MOST_PARAMETERS) return false;
        if (memmem(source->text + node->from, node->to - node->from, "...", 3)) return false;
        instance->parameters[instance->n++] = i;
        instance->head_end = node->to;
    }
    size_t at = instance->head_end;
    while (at < source->size && isspace((unsigned char)source->text[at]))
        at++;
    if (!instance->n || at >= source->size || source->text[at] != '>') return false;
    do
        at++;
    while (at < source->size && isspace((unsigned char)source->text[at]));
    instance->head_end = at;
    static const char clause[] = "requires";
    return source->size - at < strlen(clause) ||
           memcmp(source->text + at, clause, strlen(clause)) != 0;
}

/* Writes argument `k` of the call's function; false: it cannot be written. */
static bool write_argument(const pare_clang_source *source, pare_libclang_cursor function,
                           unsigned k, pare_buffer *out)
{
    const pare_libclang *clang = source->clang;
    int kind = clang->Cursor_getTemplateArgumentKind(function, k);
    if (kind == PARE_LIBCLANG_INTEGRAL_ARGUMENT)
        return !pare_buffer_format(out, NULL, "%lld",
                                   clang->Cursor_getTemplateArgumentValue(function, k));
    if (kind != PARE_LIBCLANG_TYPE_ARGUMENT) return false;
    pare_libclang_string spelled = clang->getTypeSpelling(
        clang->getCanonicalType(clang->Cursor_getTemplateArgumentType(function, k)));
    const char *text = clang->getCString(spelled);
    bool good = text && *text && !strpbrk(text, "([") && !strstr(text, "type-parameter") &&
                !pare_buffer_text(out, text, NULL);
    clang->disposeString(spelled);
    return good;
}

/* Fills in the arguments of the first call that has all; false: there is none. */
static bool find_arguments(const pare_clang_source *source, struct instance *instance)
{
    const pare_libclang *clang = source->clang;
    for (uint32_t i = 0; i < source->n; i++) {
        const pare_clang_node *node = &source->nodes[i];
        if (node->target != instance->template || node->in_template) continue;
        pare_libclang_cursor function = clang->getCursorReferenced(node->cursor);
        bool good = clang->Cursor_getNumTemplateArguments(function) == (int)instance->n;
        for (unsigned k = 0; good && k < instance->n; k++) {
            pare_buffer_reset(&instance->arguments[k]);
            good = write_argument(source, function, k, &instance->arguments[k]);
        }
        if (good) return true;
    }
    return false;
}

/* Adds the changes at one node: a parameter that is used, or a call with arguments written out. */
static pare_status change_node(const pare_clang_source *source, const struct instance *instance,
                               uint32_t i, pare_edit_list *list, pare_error *err)
{
    const pare_clang_node *node = &source->nodes[i];
    for (size_t k = 0; k < instance->n; k++)
        if (node->target == instance->parameters[k])
            return pare_edit_list_change(list, node->from, node->to, instance->arguments[k].data,
                                         instance->arguments[k].size, err);
    bool named =
        node->cursor.kind == PARE_LIBCLANG_NAME || node->cursor.kind == PARE_LIBCLANG_MEMBER_NAME;
    if (node->target != instance->template || !named || source->text[node->to - 1] != '>')
        return PARE_OK;
    const char *open = memchr(source->text + node->name, '<', node->to - node->name);
    return open ? pare_edit_list_change(list, (size_t)(open - source->text), node->to, NULL, 0, err)
                : PARE_OK;
}

/* An item for the template, if a call tells what its parameters are. */
static pare_status collect(const pare_clang_source *source, struct instance *instance,
                           pare_edit_list *list, pare_error *err)
{
    if (!look_at(source, instance) || !find_arguments(source, instance)) return PARE_OK;
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < source->n; i++) {
        const pare_clang_node *node = &source->nodes[i];
        if (node->symbol == instance->template && i != instance->template) continue;
        if (i == instance->template)
            status = pare_edit_list_change(list, node->from, instance->head_end, NULL, 0, err);
        else
            status = change_node(source, instance, i, list, err);
    }
    return status ? status : pare_edit_list_item(list, err);
}

pare_status pare_instance_edits_collect(const pare_clang_source *source, pare_edit_list *list,
                                        pare_error *err)
{
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < source->n; i++) {
        const pare_clang_node *node = &source->nodes[i];
        if (node->cursor.kind != PARE_LIBCLANG_FUNCTION_TEMPLATE || node->symbol != i) continue;
        struct instance instance = {.template = i};
        status = collect(source, &instance, list, err);
        for (size_t k = 0; k < MOST_PARAMETERS; k++)
            pare_buffer_done(&instance.arguments[k]);
    }
    return status;
}
