/* Printing with substitutions: one walk over the nodes below. */
#include "reduce/binding/substitute.h"

#include "base/buffer.h"
#include "parse/parse_tree.h"
#include "reduce/binding/bindings.h"
#include "reduce/binding/language.h"
#include "reduce/binding/syntax.h"

/* Whether what is around `place` would take only a part of what is put there. */
static bool binds(const pare_syntax *syntax, uint32_t place)
{
    uint32_t parent = syntax->nodes[place].parent;
    if (parent == PARE_NO_NODE) return false;
    const pare_syntax_kind *kind = syntax->nodes[parent].kind;
    bool holds = kind->roles & (PARE_ROLE_CALL | PARE_ROLE_ACCESS | PARE_ROLE_SUBSCRIPT);
    if (holds) return pare_syntax_matches(syntax, place, kind->object);
    if (kind->roles & PARE_ROLE_ASSIGNS) return false;
    return kind->roles & PARE_ROLE_EXPRESSION && !(kind->roles & PARE_ROLE_PRIMARY);
}

bool pare_needs_parentheses(const pare_syntax *syntax, uint32_t node, uint32_t place)
{
    uint32_t statement = syntax->nodes[place].statement;
    if (!pare_syntax_is(syntax, node, PARE_ROLE_EXPRESSION) || !binds(syntax, place)) return false;
    bool first =
        statement != PARE_NO_NODE && syntax->nodes[statement].begin == syntax->nodes[place].begin;
    return !pare_syntax_is(syntax, node, PARE_ROLE_PRIMARY) ||
           (first && pare_syntax_is(syntax, node, PARE_ROLE_FUNCTION | PARE_ROLE_MEMBERS));
}

pare_status pare_append_expression(const pare_syntax *syntax, uint32_t node, uint32_t place,
                                   pare_buffer *out, pare_error *err)
{
    bool wrapped = pare_needs_parentheses(syntax, node, place);
    return pare_buffer_format(out, err, wrapped ? "(%.*s)" : "%.*s",
                              (int)pare_syntax_size(syntax, node), pare_syntax_text(syntax, node));
}

/* What stands for the use at `node`, if it is one of those. */
static const pare_binding_of *find(const pare_program *program, uint32_t node,
                                   const pare_binding_of *bindings, size_t n)
{
    uint32_t occurrence = program->names.by_leaf[node];
    if (occurrence == PARE_NO_NODE) return NULL;
    const pare_occurrence *use = &program->names.occurrences[occurrence];
    for (size_t i = 0; i < n && use->symbol != PARE_NO_SYMBOL; i++)
        if (bindings[i].symbol == use->symbol) return &bindings[i];
    return NULL;
}

static pare_status append_bytes(const pare_program *program, uint32_t from, uint32_t to,
                                pare_buffer *out, pare_error *err)
{
    if (from >= to) return PARE_OK;
    return pare_buffer_add(out, program->syntax.view->bytes + from, to - from, err);
}

pare_status pare_append_bound(const pare_program *program, uint32_t from, uint32_t to,
                              uint32_t node, const pare_binding_of *bindings, size_t n,
                              pare_buffer *out, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t done = from;
    pare_status status = PARE_OK;
    for (uint32_t i = node; !status && i < syntax->nodes[node].behind; i++) {
        const pare_syntax_node *self = &syntax->nodes[i];
        if (!self->leaf || self->begin < from || self->end > to) continue;
        const pare_binding_of *bound = find(program, i, bindings, n);
        if (!bound) continue;
        status = append_bytes(program, done, self->begin, out, err);
        done = self->end;
        if (!status && bound->argument == PARE_NO_NODE)
            status = pare_buffer_text(out, syntax->table->values[0], err);
        else if (!status)
            status = pare_append_expression(syntax, bound->argument, i, out, err);
    }
    return status ? status : append_bytes(program, done, to, out, err);
}
