/* Types that stand for others: `auto`, `decltype`, names that typedef or using declare, members of
 * classes that are types.  Where the type that is meant can be written, it is put in their place.
 *
 * libclang tells the type of what is declared, and what a name of a type means, but not where a type
 * begins and ends: that is read off the text, from the name backwards over what it is looked up in.
 * Invariant: a type is offered only as a text that can stand for any type: no function, no array, no
 * class without a name, nothing that depends on an argument.
 * Source: C-Reduce's replace-dependent-typedef, replace-one-level-typedef-type.
 * Tested by tests/cli/test_semantic.sh. */
#include <ctype.h>
#include <string.h>

#include "base/buffer.h"
#include "clang_edits/clang_source.h"
#include "clang_edits/edit_list.h"
#include "clang_edits/families.h"
#include "clang_edits/libclang.h"

/* A byte of a name. */
static bool is_word(char byte)
{
    return isalnum((unsigned char)byte) || byte == '_';
}

/* Appends how `type` is written to *out, empty, without what is said of another place by qualifiers in
 * front; leaves it empty where it cannot be written. */
static pare_status write_type(const pare_clang_source *source, pare_libclang_type type,
                              pare_buffer *out, pare_error *err)
{
    static const char *const bad[] = {"(", "[", "type-parameter", "auto", "decltype", "<dependent"};
    const pare_libclang *clang = source->clang;
    pare_libclang_string spelled = clang->getTypeSpelling(clang->getCanonicalType(type));
    const char *text = clang->getCString(spelled);
    bool good = text && *text && type.kind != PARE_LIBCLANG_INVALID_TYPE;
    for (size_t i = 0; good && i < sizeof bad / sizeof *bad; i++)
        good = !strstr(text, bad[i]);
    pare_status status = good ? pare_buffer_add(out, text, strlen(text) + 1, err) : PARE_OK;
    clang->disposeString(spelled);
    if (!status && out->size) out->size--; /* the end of the text is not a part of it */
    return status;
}

/* Takes `n` signs such as `*` off the end of the type; false: it does not end so. */
static bool strip_sign(pare_buffer *type, char sign)
{
    if (!type->size || type->data[type->size - 1] != sign) return false;
    type->size--;
    while (type->size && type->data[type->size - 1] == ' ')
        type->size--;
    return true;
}

/* --- deduced ----------------------------------------------------------------------------- */

/* Where the word stands in the text from `from` to `to`; `to`: nowhere. */
static size_t find_word(const pare_clang_source *source, size_t from, size_t to, const char *word)
{
    size_t size = strlen(word);
    for (size_t at = from; at + size <= to; at++) {
        bool whole = (at == from || !is_word(source->text[at - 1])) &&
                     (at + size >= source->size || !is_word(source->text[at + size]));
        if (whole && memcmp(source->text + at, word, size) == 0) return at;
    }
    return to;
}

/* Where the parentheses that open at or after `at` end; `to`: they do not. */
static size_t close_of(const pare_clang_source *source, size_t at, size_t to)
{
    size_t depth = 0;
    for (; at < to; at++) {
        if (source->text[at] == '(') depth++;
        if (source->text[at] == ')' && --depth == 0) return at + 1;
    }
    return to;
}

/* An item: what stands for the type in the head of the declaration becomes it, but for the signs
 * that stand between it and the name. */
static pare_status resolve(const pare_clang_source *source, const pare_clang_node *node,
                           pare_libclang_type type, pare_edit_list *list, pare_error *err)
{
    size_t from = find_word(source, node->from, node->name, "auto"), to = from + strlen("auto");
    if (from == node->name) {
        from = find_word(source, node->from, node->name, "decltype");
        to = close_of(source, from, node->name);
    }
    if (from >= node->name || to >= node->name) return PARE_OK;
    pare_buffer written = {0};
    pare_status status = write_type(source, type, &written, err);
    bool good = written.size > 0;
    for (size_t at = node->name; !status && good && at-- > to;)
        if (!isspace((unsigned char)source->text[at]))
            good = strchr("&*", source->text[at]) && strip_sign(&written, source->text[at]);
    size_t skip = written.size > 6 && memcmp(written.data, "const ", 6) == 0 &&
                          find_word(source, node->from, node->name, "const") < node->name
                      ? 6
                      : 0;
    if (!status && good && written.size > skip)
        status =
            pare_edit_list_change(list, from, to, written.data + skip, written.size - skip, err);
    pare_buffer_done(&written);
    return status ? status : pare_edit_list_item(list, err);
}

/* --- names ------------------------------------------------------------------------------- */

/* Where the balanced `<...>` that ends before `at` begins; `at`: it is none. */
static size_t open_of(const pare_clang_source *source, size_t at)
{
    size_t depth = 0;
    for (size_t i = at; i-- > 0;) {
        char byte = source->text[i];
        if (strchr(";{}", byte)) return at;
        if (byte == '>') depth++;
        if (byte == '<' && --depth == 0) return i;
    }
    return at;
}

/* Where the qualified name begins that ends with the name at `at`, with `typename` before it. */
static size_t begin_of(const pare_clang_source *source, size_t at)
{
    const char *text = source->text;
    while (at >= 2 && text[at - 1] == ':' && text[at - 2] == ':') {
        size_t end = at - 2;
        if (end && text[end - 1] == '>') end = open_of(source, end);
        size_t begin = end;
        while (begin && is_word(text[begin - 1]))
            begin--;
        if (begin == end && end != at - 2) return at; /* arguments of nothing */
        at = begin;
        if (begin == end) break; /* `::f` */
    }
    static const char word[] = "typename";
    size_t end = at;
    while (end && isspace((unsigned char)text[end - 1]))
        end--;
    bool typename = end != at && end >= strlen(word) &&
                    memcmp(text + end - strlen(word), word, strlen(word)) == 0;
    return typename ? end - strlen(word) : at;
}

/* An item: the name of a type becomes the type that it stands for. */
static pare_status replace_name(const pare_clang_source *source, const pare_clang_node *node,
                                pare_edit_list *list, pare_error *err)
{
    int kind = source->clang->getCursorReferenced(node->cursor).kind;
    if (kind != PARE_LIBCLANG_TYPEDEF && kind != PARE_LIBCLANG_TYPE_ALIAS) return PARE_OK;
    pare_buffer written = {0};
    pare_status status =
        write_type(source, source->clang->getCursorType(node->cursor), &written, err);
    if (!status && written.size)
        status = pare_edit_list_change(list, begin_of(source, node->from), node->to, written.data,
                                       written.size, err);
    pare_buffer_done(&written);
    return status ? status : pare_edit_list_item(list, err);
}

/* --- the family -------------------------------------------------------------------------- */

pare_status pare_type_edits_collect(const pare_clang_source *source, pare_edit_list *list,
                                    pare_error *err)
{
    const pare_libclang *clang = source->clang;
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < source->n; i++) {
        const pare_clang_node *node = &source->nodes[i];
        switch (node->cursor.kind) {
        case PARE_LIBCLANG_VARIABLE:
        case PARE_LIBCLANG_FIELD:
        case PARE_LIBCLANG_PARAMETER:
            status = resolve(source, node, clang->getCursorType(node->cursor), list, err);
            break;
        case PARE_LIBCLANG_FUNCTION:
        case PARE_LIBCLANG_METHOD:
            status = resolve(source, node, clang->getCursorResultType(node->cursor), list, err);
            break;
        case PARE_LIBCLANG_TYPE_REFERENCE: status = replace_name(source, node, list, err); break;
        default: break;
        }
    }
    return status;
}
