/* The pass that puts parts of an expression before the statement that they are in: spread-parts.
 *
 * Of two expressions in a sequence the first one becomes a statement of its own; an assignment
 * inside of an expression does, and what it assigned to stays; a call inside of another one is what
 * a new variable gets, which stays.  Nothing gets shorter by it; but what was one expression may
 * then be left out one by one.  So it is a step to be explored from.
 * Invariant: a part is put before a statement that stands among others, and where it stood an
 * expression stays.
 * Source: C-Reduce's simplify-comma-expr, lift-assignment-expr and remove-nested-function.
 * Cost: no tests; at most MOST_ITEMS offers. */
#include <assert.h>
#include <string.h>

#include "base/buffer.h"
#include "parse/parse_tree.h"
#include "reduce/binding/program.h"
#include "reduce/binding/rewrites.h"
#include "reduce/binding/syntax.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

enum { MOST_ITEMS = 1000, MOST_BYTES = 65536 };

/* A part that is put before its statement: `head`, the text of `lifted`, and what separates
 * statements; `place` then is the text of `kept`, or `name`. */
struct part {
    const char *head, *name;
    uint32_t lifted, place;
    uint32_t kept; /* PARE_NO_NODE: the name */
};

/* The statement around `node` that others may stand before; PARE_NO_NODE: there is none, or it is
 * not run. */
static uint32_t statement_of(const pare_syntax *syntax, uint32_t node)
{
    uint32_t statement = syntax->nodes[node].statement;
    while (statement != PARE_NO_NODE && statement) {
        uint32_t parent = syntax->nodes[statement].parent;
        if (pare_syntax_is(syntax, statement, PARE_ROLE_FUNCTION)) return PARE_NO_NODE;
        /* What stands at the top of the file is a declaration, and is not run. */
        if (pare_syntax_is(syntax, parent, PARE_ROLE_BLOCK))
            return parent && pare_syntax_is(syntax, parent, PARE_ROLE_STATEMENT) ? statement
                                                                                 : PARE_NO_NODE;
        statement = syntax->nodes[parent].statement;
    }
    return PARE_NO_NODE;
}

/* An item: the part goes before its statement. */
static pare_status lift(pare_program *program, const struct part *part, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    pare_rewrites *rewrites = &program->rewrites;
    uint32_t statement = statement_of(syntax, part->place);
    if (statement == PARE_NO_NODE || pare_syntax_holds(syntax, part->lifted, statement))
        return PARE_OK;
    uint32_t at = syntax->nodes[statement].begin;
    const pare_syntax_node *kept = part->kept == PARE_NO_NODE ? NULL : &syntax->nodes[part->kept];
    pare_buffer text = {0};
    pare_status status = pare_buffer_text(&text, part->head, err);
    if (!status) status = pare_syntax_append(syntax, part->lifted, false, &text, err);
    if (!status) status = pare_buffer_text(&text, syntax->table->no_statement, err);
    if (!status) status = pare_rewrites_range(rewrites, at, at, text.data, text.size, err);
    if (!status && kept)
        status = pare_program_keep(program, part->place, kept->begin, kept->end, err);
    else if (!status)
        status = pare_rewrites_replace(rewrites, part->place, part->name, strlen(part->name), err);
    if (!status) status = pare_rewrites_alternative(rewrites, err);
    pare_buffer_done(&text);
    return status ? status
                  : pare_rewrites_item(rewrites, pare_syntax_size(syntax, part->lifted), err);
}

/* Whether nothing but this, and what ends it, makes up its statement. */
static bool is_all(const pare_syntax *syntax, uint32_t node)
{
    uint32_t parent = syntax->nodes[node].parent;
    return syntax->nodes[node].statement == parent &&
           pare_syntax_is(syntax, parent, PARE_ROLE_HOLDER);
}

/* The call around `node` as one of its arguments, or a part of one; whether there is one. */
static bool is_in_call(const pare_syntax *syntax, uint32_t node)
{
    uint32_t end = syntax->nodes[node].statement;
    for (node = syntax->nodes[node].parent; node != PARE_NO_NODE && node != end;
         node = syntax->nodes[node].parent)
        if (pare_syntax_is(syntax, node, PARE_ROLE_CALL)) return true;
    return false;
}

/* What can be put before its statement of the expression `node`. */
static pare_status collect_node(pare_program *program, uint32_t node, const char *name,
                                const char *head, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_syntax_kind *kind = syntax->nodes[node].kind;
    struct part part = {.head = "", .place = node, .lifted = node, .name = name};
    if (pare_syntax_matches(syntax, node, syntax->table->sequences)) {
        part.lifted = pare_syntax_element_at(syntax, node, 0);
        part.kept = pare_syntax_element_at(syntax, node, 1);
        return part.kept == PARE_NO_NODE ? PARE_OK : lift(program, &part, err);
    }
    if (kind->roles & PARE_ROLE_ASSIGNS && kind->roles & PARE_ROLE_EXPRESSION) {
        part.kept = pare_syntax_child(syntax, node, kind->names);
        return part.kept == PARE_NO_NODE || is_all(syntax, node) ? PARE_OK
                                                                 : lift(program, &part, err);
    }
    if (!(kind->roles & PARE_ROLE_CALL) || !is_in_call(syntax, node)) return PARE_OK;
    part.kept = PARE_NO_NODE;
    part.head = head;
    return lift(program, &part, err);
}

/* Sequences, assignments inside of expressions, and calls inside of calls. */
static pare_status collect_parts(pare_program *program, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    char name[3];
    pare_buffer head = {0};
    if (!syntax->table->sequences) return PARE_OK;
    assert(syntax->table->any_value);
    pare_program_unused_name(program, name);
    pare_status status = pare_buffer_format(&head, err, "%s %s=", syntax->table->any_value, name);
    for (uint32_t i = 1; !status && i < syntax->n; i++)
        if (pare_syntax_is(syntax, i, PARE_ROLE_EXPRESSION) && !syntax->nodes[i].leaf)
            status = collect_node(program, i, name, head.data, err);
    pare_buffer_done(&head);
    return status;
}

/* spread-parts: parts of expressions are put before the statement that they are in.
 * Source: C-Reduce's simplify-comma-expr, lift-assignment-expr, remove-nested-function. */
static pare_status offer_parts(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                               pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_parts,
                                                     .grouping = PARE_REWRITES_SINGLE,
                                                     .most = MOST_ITEMS,
                                                     .least = INT64_MIN},
                              out, err);
}

const pare_pass pare_binding_spread_parts = {
    .name = "spread-parts",
    .summary = "puts parts of an expression into statements of their own before it",
    .source = "C-Reduce, lift-assignment-expr, remove-nested-function, simplify-comma-expr",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_ANY,
    .most_bytes = MOST_BYTES,
    .offer = offer_parts,
};
