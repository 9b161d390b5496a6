/* Drivers: the statements at the outermost level of a program that call what the rest defines.
 *
 * A failing script is often a library with a few lines at its end that use it, and these lines use
 * more of the library than the failure needs: a dozen calls of which one fails, a page of Markdown
 * of which one line is parsed wrongly.  They are a few bytes, so whoever takes the heaviest part
 * first comes to them last.  But each of them that goes makes code unreachable that is a hundred
 * times as large, and an interpreter says which (session/plan/coverage_phase.h).
 *
 * A driver is a statement of the outermost level that defines no function, class or module, and is
 * small beside the program; a definition is what holds a function that makes up half of it.
 * Invariant: a patch touches drivers only, so no definition changes.
 * Source: ours. */
#include "reduce/binding/drivers.h"

#include <string.h>

#include "parse/parse_tree.h"
#include "reduce/binding/rewrites.h"
#include "reduce/binding/syntax.h"

enum {
    LARGEST = 16,    /* a driver is at most one of so many parts of the text */
    ALL_DRIVERS = 4, /* and all drivers together are one of so many */
    LEAST_ITEMS = 3, /* of a list: fewer are arguments or a pair */
    LEAST_LINES = 4  /* of a text */
};

/* Whether most of the statement is a function, which it gives a name to or hands on. */
static bool is_mostly_function(const pare_syntax *syntax, uint32_t statement)
{
    const size_t size = pare_syntax_size(syntax, statement);
    for (uint32_t i = statement; i < syntax->nodes[statement].after; i++)
        if (pare_syntax_is(syntax, i, PARE_ROLE_FUNCTION) && pare_syntax_size(syntax, i) * 2 > size)
            return true;
    return false;
}

/* Whether the node, which stands at the outermost level, is a driver of a program of `size` bytes. */
static bool is_driver(const pare_syntax *syntax, uint32_t node, size_t size)
{
    const pare_syntax_kind *kind = syntax->nodes[node].kind;
    if (!pare_syntax_is_element(syntax, node) || !pare_syntax_is_statement(syntax, node))
        return false;
    if ((kind->roles & PARE_ROLE_DECLARES) && kind->body) return false;
    return pare_syntax_size(syntax, node) * LARGEST <= size && !is_mostly_function(syntax, node);
}

/* Ends an item of one wish that saves `bytes`. */
static pare_status end_item(pare_rewrites *rewrites, size_t bytes, pare_error *err)
{
    pare_status status = pare_rewrites_alternative(rewrites, err);
    return status ? status : pare_rewrites_item(rewrites, bytes, err);
}

/* Wishes that the node goes. */
static pare_status remove_node(pare_rewrites *rewrites, uint32_t node, pare_error *err)
{
    pare_status status = pare_rewrites_remove(rewrites, node, err);
    return status ? status : end_item(rewrites, pare_syntax_size(rewrites->syntax, node), err);
}

/* ---- data ------------------------------------------------------------------------------- */

/* Whether the node is a list of enough elements with commas between them; arguments are none. */
static bool is_list(const pare_syntax *syntax, uint32_t node)
{
    size_t elements = 0, separators = 0;
    if (pare_syntax_is(syntax, node, PARE_ROLE_ARGUMENTS | PARE_ROLE_PARAMETERS)) return false;
    for (uint32_t i = pare_syntax_first(syntax, node); i != PARE_NO_NODE;
         i = pare_syntax_next(syntax, i)) {
        elements += pare_syntax_is_element(syntax, i);
        separators += pare_syntax_is_separator(syntax, i);
    }
    return elements >= LEAST_ITEMS && separators + 1 >= elements;
}

/* Wishes for each element of a list that it goes. */
static pare_status remove_elements(pare_rewrites *rewrites, uint32_t list, pare_error *err)
{
    const pare_syntax *syntax = rewrites->syntax;
    pare_status status = PARE_OK;
    for (uint32_t i = pare_syntax_first(syntax, list); !status && i != PARE_NO_NODE;
         i = pare_syntax_next(syntax, i))
        if (pare_syntax_is_element(syntax, i)) status = remove_node(rewrites, i, err);
    return status;
}

/* Whether the node is text: a leaf, or leaves with nothing between them. */
static bool is_text(const pare_syntax *syntax, uint32_t node)
{
    for (uint32_t i = node + 1; i < syntax->nodes[node].after; i++)
        if (!syntax->nodes[i].leaf || syntax->nodes[i].punctuation) return false;
    return true;
}

/* Wishes for each whole line of a text of several lines that it goes; what is on the line of its
 * begin or end, such as quotes, stays. */
static pare_status remove_lines(pare_rewrites *rewrites, uint32_t text, pare_error *err)
{
    const pare_syntax *syntax = rewrites->syntax;
    const char *bytes = pare_syntax_text(syntax, text);
    const size_t size = pare_syntax_size(syntax, text);
    const uint32_t begin = syntax->nodes[text].begin;
    size_t lines = 0;
    pare_status status = PARE_OK;
    for (size_t i = 0; i < size; i++)
        lines += bytes[i] == '\n';
    if (lines < LEAST_LINES) return PARE_OK;
    /* The first line is whole if the text begins with it. */
    size_t from = begin && bytes[-1] == '\n'
                      ? 0
                      : (size_t)((const char *)memchr(bytes, '\n', size) - bytes) + 1;
    while (!status && from < size) {
        const char *feed = memchr(bytes + from, '\n', size - from);
        if (!feed) break;
        const size_t to = (size_t)(feed - bytes) + 1;
        status = pare_rewrites_range(rewrites, begin + (uint32_t)from, begin + (uint32_t)to, NULL,
                                     0, err);
        if (!status) status = end_item(rewrites, to - from, err);
        from = to;
    }
    return status;
}

/* Collects the lists and texts in a driver; of nested lists the outermost one. */
static pare_status collect_data(pare_rewrites *rewrites, uint32_t driver, pare_error *err)
{
    const pare_syntax *syntax = rewrites->syntax;
    pare_status status = PARE_OK;
    for (uint32_t i = driver + 1, next; !status && i < syntax->nodes[driver].after; i = next) {
        next = i + 1;
        if (is_text(syntax, i))
            status = remove_lines(rewrites, i, err);
        else if (is_list(syntax, i))
            status = remove_elements(rewrites, i, err);
        else
            continue;
        next = syntax->nodes[i].after;
    }
    return status;
}

/* ---- all of it -------------------------------------------------------------------------- */

/* Collects the parts of all drivers of a program of `size` bytes; *bytes is how large these are. */
static pare_status collect(pare_rewrites *rewrites, pare_drivers_part part, size_t size,
                           size_t *bytes, pare_error *err)
{
    const pare_syntax *syntax = rewrites->syntax;
    pare_status status = PARE_OK;
    *bytes = 0;
    for (uint32_t i = pare_syntax_first(syntax, 0); !status && i != PARE_NO_NODE;
         i = pare_syntax_next(syntax, i)) {
        if (!is_driver(syntax, i, size)) continue;
        *bytes += pare_syntax_size(syntax, i);
        status = part == PARE_DRIVERS_STATEMENTS ? remove_node(rewrites, i, err)
                                                 : collect_data(rewrites, i, err);
    }
    return status;
}

/* The program is made for this offer alone, as for that of a pass. */
pare_status pare_drivers_offer(const pare_pass_view *view, pare_drivers_part part,
                               pare_patches *out, pare_error *err)
{
    pare_syntax syntax = {.n = 0};
    pare_rewrites rewrites = {.n = 0};
    bool known = false;
    size_t bytes = 0;
    const size_t size = view->end - view->begin;
    pare_status status = pare_syntax_make(view, &known, &syntax, err);
    known = known && !status && syntax.n;
    if (known) status = pare_rewrites_init(&rewrites, &syntax, err);
    if (known && !status) status = collect(&rewrites, part, size, &bytes, err);
    if (known && !status && bytes * ALL_DRIVERS <= size)
        status = pare_rewrites_write(&rewrites, PARE_REWRITES_HALVES, 0, 1, out, err);
    pare_rewrites_done(&rewrites);
    pare_syntax_done(&syntax);
    return status;
}
