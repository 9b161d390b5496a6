/* What is asked of a binding table once it is made. */
#include "parse/parse_tree.h"
#include "reduce/binding/bindings.h"
#include "reduce/binding/language.h"
#include "reduce/binding/syntax.h"

uint32_t pare_bindings_unit(const pare_bindings *names, uint32_t symbol)
{
    uint32_t o = names->symbols[symbol].first;
    while (o != PARE_NO_NODE && !names->occurrences[o].declares)
        o = names->occurrences[o].next;
    return o == PARE_NO_NODE ? PARE_NO_NODE : names->occurrences[o].unit;
}

static uint32_t function_at(const pare_bindings *names, const pare_occurrence *occurrence)
{
    const pare_syntax *syntax = names->syntax;
    uint32_t candidates[] = {occurrence->declaring, occurrence->value};
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++) {
        uint32_t node = candidates[i];
        if (node == PARE_NO_NODE || !pare_syntax_is(syntax, node, PARE_ROLE_FUNCTION)) continue;
        if (pare_syntax_child(syntax, node, syntax->nodes[node].kind->body) != PARE_NO_NODE)
            return node;
    }
    return PARE_NO_NODE;
}

size_t pare_bindings_functions(const pare_bindings *names, uint32_t symbol, uint32_t *functions,
                               size_t most)
{
    size_t n = 0;
    uint32_t o = names->symbols[symbol].first;
    for (; o != PARE_NO_NODE && n < most; o = names->occurrences[o].next) {
        if (names->occurrences[o].declaring == PARE_NO_NODE) continue;
        functions[n] = function_at(names, &names->occurrences[o]);
        if (functions[n] != PARE_NO_NODE) n++;
    }
    return n;
}

uint32_t pare_bindings_function(const pare_bindings *names, uint32_t symbol)
{
    uint32_t found[2];
    return pare_bindings_functions(names, symbol, found, 2) == 1 ? found[0] : PARE_NO_NODE;
}

uint32_t pare_bindings_reach(const pare_bindings *names, uint32_t occurrence)
{
    const pare_syntax *syntax = names->syntax;
    uint32_t node = names->occurrences[occurrence].leaf;
    for (;;) {
        uint32_t parent = syntax->nodes[node].parent;
        if (parent == PARE_NO_NODE) return node;
        const pare_syntax_kind *kind = syntax->nodes[parent].kind;
        bool called = kind->roles & (PARE_ROLE_CALL | PARE_ROLE_SUBSCRIPT | PARE_ROLE_ACCESS) &&
                      pare_syntax_matches(syntax, node, kind->object);
        bool ended =
            kind->roles & PARE_ROLE_ACCESS && pare_syntax_matches(syntax, node, kind->names);
        bool typed = pare_syntax_is(syntax, node, PARE_ROLE_TYPE) && kind->roles & PARE_ROLE_TYPE;
        if (!called && !ended && !typed) return node;
        node = parent;
    }
}
