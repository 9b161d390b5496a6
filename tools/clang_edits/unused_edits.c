/* What nothing refers to: declarations, by the symbols that libclang knows them by.
 *
 * Bindings without types take overloads for one, and members of one name; here each is its own.  A
 * symbol is unused if all that refers to it stands in itself or in what is unused: the least set of
 * which that holds is grown round by round.  What a template leaves open refers to nothing that is
 * known, so that some of it is needed after all; that is for the test.
 * Invariant: all declarations of a symbol go together.
 * Source: C-Reduce's remove-unused-function, -field, -var, and remove-unused-outer-class.
 * Tested by tests/cli/test_semantic.sh. */
#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "clang_edits/clang_source.h"
#include "clang_edits/edit_list.h"
#include "clang_edits/families.h"
#include "clang_edits/libclang.h"

enum { MOST_ROUNDS = 8 };

/* Whether declarations of that kind may go by themselves. */
static bool may_go(int kind)
{
    switch (kind) {
    case PARE_LIBCLANG_STRUCT:
    case PARE_LIBCLANG_UNION:
    case PARE_LIBCLANG_CLASS:
    case PARE_LIBCLANG_ENUM:
    case PARE_LIBCLANG_FIELD:
    case PARE_LIBCLANG_FUNCTION:
    case PARE_LIBCLANG_VARIABLE:
    case PARE_LIBCLANG_TYPEDEF:
    case PARE_LIBCLANG_METHOD:
    case PARE_LIBCLANG_CONSTRUCTOR:
    case PARE_LIBCLANG_DESTRUCTOR:
    case PARE_LIBCLANG_CONVERSION:
    case PARE_LIBCLANG_FUNCTION_TEMPLATE:
    case PARE_LIBCLANG_CLASS_TEMPLATE:
    case PARE_LIBCLANG_PARTIAL_SPECIALISATION:
    case PARE_LIBCLANG_TYPE_ALIAS:
    case PARE_LIBCLANG_ALIAS_TEMPLATE:
    case PARE_LIBCLANG_CONCEPT: return true;
    default: return false;
    }
}

/* Whether what begins at `at` is the function main. */
static bool is_main(const pare_clang_source *source, const pare_clang_node *node)
{
    return node->cursor.kind == PARE_LIBCLANG_FUNCTION && source->size - node->name > 4 &&
           memcmp(source->text + node->name, "main", 4) == 0 &&
           !isalnum((unsigned char)source->text[node->name + 4]);
}

/* Where the declaration ends, with its `;`; 0: it is one of several in a declaration. */
static size_t end_of(const pare_clang_source *source, const pare_clang_node *node)
{
    size_t at = node->to;
    bool body = at && source->text[at - 1] == '}';
    while (at < source->size && isspace((unsigned char)source->text[at]))
        at++;
    if (at < source->size && source->text[at] == ';') return at + 1;
    /* `= default` is no part of what libclang takes for the declaration. */
    if (at < source->size && source->text[at] == '=') {
        const char *end = memchr(source->text + at, ';', source->size - at);
        return end ? (size_t)(end - source->text) + 1 : 0;
    }
    bool function =
        node->cursor.kind >= PARE_LIBCLANG_METHOD || node->cursor.kind == PARE_LIBCLANG_FUNCTION;
    bool class = node->cursor.kind == PARE_LIBCLANG_CLASS_TEMPLATE ||
                 node->cursor.kind == PARE_LIBCLANG_PARTIAL_SPECIALISATION;
    return body && function && !class ? node->to : 0;
}

/* The node before in the same parent begins where this one does: both are parts of a declaration. */
static bool shares_beginning(const pare_clang_source *source, uint32_t node)
{
    const pare_clang_node *self = &source->nodes[node];
    for (uint32_t i = node; i-- > 0 && i != self->parent;) {
        const pare_clang_node *other = &source->nodes[i];
        if (other->from < self->from) return false;
        if (other->parent == self->parent && other->from == self->from &&
            may_go(other->cursor.kind) && other->to > self->name)
            return false; /* a type that is declared in it */
        if (other->parent == self->parent && other->from == self->from &&
            pare_clang_source_is_declaration(other))
            return true;
    }
    return false;
}

/* Whether a declaration around `node`, itself included, is of `symbol` or is unused. */
static bool is_excused(const pare_clang_source *source, const bool *unused, uint32_t node,
                       uint32_t symbol)
{
    for (; node != PARE_CLANG_NONE; node = source->nodes[node].parent) {
        uint32_t around = source->nodes[node].symbol;
        if (around != PARE_CLANG_NONE && (around == symbol || unused[around])) return true;
    }
    return false;
}

/* Takes back that symbols are unused which something else refers to; `used` is scratch.  Whether
 * the set has changed. */
static bool grow(const pare_clang_source *source, bool *unused, bool *used)
{
    const pare_libclang *clang = source->clang;
    bool changed = false;
    memset(used, 0, source->n * sizeof *used);
    for (uint32_t i = 0; i < source->n; i++) {
        const pare_clang_node *node = &source->nodes[i];
        if (node->target != PARE_CLANG_NONE && !is_excused(source, unused, i, node->target))
            used[node->target] = true;
        unsigned n = clang->getNumOverloadedDecls(node->cursor);
        for (unsigned k = 0; k < n && k < 16; k++) {
            uint32_t symbol =
                pare_clang_source_symbol(source, clang->getOverloadedDecl(node->cursor, k));
            if (symbol != PARE_CLANG_NONE && !is_excused(source, unused, i, symbol))
                used[symbol] = true;
        }
    }
    for (uint32_t i = 0; i < source->n; i++) {
        const pare_clang_node *node = &source->nodes[i];
        bool may = node->symbol == i && may_go(node->cursor.kind) && !is_main(source, node);
        if (!may || used[i] || unused[i]) continue;
        unused[i] = changed = true;
    }
    return changed;
}

/* An item for the symbol: all its declarations go. */
static pare_status leave_out(const pare_clang_source *source, uint32_t symbol, pare_edit_list *list,
                             pare_error *err)
{
    pare_status status = PARE_OK;
    for (uint32_t i = symbol; !status && i != PARE_CLANG_NONE; i = source->nodes[i].next) {
        const pare_clang_node *node = &source->nodes[i];
        size_t end = end_of(source, node);
        if (end && !shares_beginning(source, i))
            status = pare_edit_list_change(list, node->from, end, NULL, 0, err);
    }
    return status ? status : pare_edit_list_item(list, err);
}

pare_status pare_unused_edits_collect(const pare_clang_source *source, pare_edit_list *list,
                                      pare_error *err)
{
    bool *unused = pare_alloc_zero((size_t)source->n + 1, sizeof *unused);
    bool *used = pare_alloc_zero((size_t)source->n + 1, sizeof *used);
    pare_status status = unused && used ? PARE_OK : pare_fail_nomem(err);
    for (int round = 0; !status && round < MOST_ROUNDS && grow(source, unused, used); round++)
        continue;
    for (uint32_t i = 0; !status && i < source->n; i++)
        if (unused[i]) status = leave_out(source, i, list, err);
    pare_alloc_free(unused);
    pare_alloc_free(used);
    return status;
}
