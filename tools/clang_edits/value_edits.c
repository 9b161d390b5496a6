/* Expressions whose value is known: constants that are computed, `sizeof`, calls of constexpr
 * functions; and calls, by the type of what they return.
 *
 * Only the outermost expression that has a value is offered: what is in it goes with it, and has its
 * turn where that fails and the text is looked at anew.  Nothing below a template is asked about, as
 * it may have a value for some arguments only.
 * Source: C-Reduce's callexpr-to-value and simplify-recursive-template-instantiation.
 * Tested by tests/cli/test_semantic.sh. */
#include <string.h>

#include "base/buffer.h"
#include "clang_edits/clang_source.h"
#include "clang_edits/edit_list.h"
#include "clang_edits/families.h"
#include "clang_edits/libclang.h"

/* Whether the expression is an integer that can be computed; *value is it then. */
static bool evaluate(const pare_clang_source *source, const pare_clang_node *node, long long *value)
{
    const pare_libclang *clang = source->clang;
    pare_libclang_type type = clang->getCanonicalType(clang->getCursorType(node->cursor));
    if (type.kind < PARE_LIBCLANG_FIRST_NUMBER_TYPE || type.kind > PARE_LIBCLANG_LAST_INTEGER_TYPE)
        return false;
    void *result = clang->Cursor_Evaluate(node->cursor);
    if (!result) return false;
    bool known = clang->EvalResult_getKind(result) == PARE_LIBCLANG_INTEGER_RESULT;
    if (known) *value = clang->EvalResult_getAsLongLong(result);
    clang->EvalResult_dispose(result);
    return known;
}

/* The text that a call of that type may become; "": there is none. */
static pare_status write_value(const pare_clang_source *source, const pare_clang_node *node,
                               pare_buffer *out, pare_error *err)
{
    const pare_libclang *clang = source->clang;
    pare_libclang_type type = clang->getCanonicalType(clang->getCursorType(node->cursor));
    if (type.kind == PARE_LIBCLANG_POINTER_TYPE) return pare_buffer_text(out, "0", err);
    if (type.kind != PARE_LIBCLANG_RECORD_TYPE) return PARE_OK;
    pare_libclang_string spelled = clang->getTypeSpelling(type);
    const char *text = clang->getCString(spelled);
    pare_status status = PARE_OK;
    if (text && !strchr(text, '(') && strncmp(text, "const ", 6) != 0)
        status = pare_buffer_format(out, err, "%s()", text);
    clang->disposeString(spelled);
    return status;
}

pare_status pare_value_edits_collect(const pare_clang_source *source, pare_edit_list *list,
                                     pare_error *err)
{
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < source->n;) {
        const pare_clang_node *node = &source->nodes[i];
        int kind = node->cursor.kind;
        long long value = 0;
        pare_buffer text = {0};
        bool asked = !node->in_template && source->clang->isExpression(kind) &&
                     kind != PARE_LIBCLANG_INTEGER && kind != PARE_LIBCLANG_LAMBDA;
        if (asked && evaluate(source, node, &value))
            status = pare_buffer_format(&text, err, "%lld", value);
        else if (asked && kind == PARE_LIBCLANG_CALL)
            status = write_value(source, node, &text, err);
        bool shorter = text.size && text.size < node->to - node->from;
        if (!status && shorter)
            status = pare_edit_list_change(list, node->from, node->to, text.data, text.size, err);
        if (!status) status = pare_edit_list_item(list, err);
        pare_buffer_done(&text);
        i = shorter ? node->after : i + 1;
    }
    return status;
}
