/* moves: a statement goes to another place among statements, inside a block or out of it.
 *
 * Nothing gets shorter by it; but what stood apart may then be left out together, or one become
 * a part of the other: so it is a step to be explored from.  Where indentation makes blocks
 * nothing is offered.
 *
 * Source: ours, after C-Reduce's passes that move functions and declarations to where they are
 * used (move-function-body, move-global-var). */
#include "base/buffer.h"
#include "parse/parse_tree.h"
#include "reduce/binding/language.h"
#include "reduce/binding/offers.h"
#include "reduce/binding/passes.h"
#include "reduce/binding/program.h"
#include "reduce/binding/rewrites.h"
#include "reduce/binding/syntax.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

enum { MOST_ITEMS = 1000, MOST_STATEMENTS = 64, MOST_BYTES = 4096 };

/* Whether `node` stands in a list of statements. */
static bool is_listed(const pare_syntax *syntax, uint32_t node)
{
    uint32_t parent = syntax->nodes[node].parent;
    return parent != PARE_NO_NODE && pare_syntax_is_statement(syntax, node) &&
           pare_syntax_is(syntax, parent, PARE_ROLE_BLOCK);
}

/* Whether nothing has to come between what ends with this byte and the next statement. */
static bool ends_itself(char byte)
{
    return byte == ';' || byte == '}';
}

/* Which side of a statement another one is put. */
enum side { BEFORE, BEHIND };

static pare_status move(pare_program *program, uint32_t statement, uint32_t to, enum side side,
                        pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_syntax_node *nodes = syntax->nodes;
    const char *bytes = (const char *)syntax->view->bytes;
    const char *between = syntax->table->before_statement;
    uint32_t from = nodes[statement].begin, end = nodes[statement].end;
    uint32_t at = side == BEFORE ? nodes[to].begin : nodes[to].end;
    pare_rewrites *rewrites = &program->offers.rewrites;
    pare_buffer text = {0};
    pare_status status = PARE_OK;
    if (side == BEHIND && !ends_itself(bytes[at - 1]))
        status = pare_buffer_text(&text, between, err);
    if (!status) status = pare_buffer_add(&text, bytes + from, end - from, err);
    if (!status && side == BEFORE && !ends_itself(bytes[end - 1]))
        status = pare_buffer_text(&text, between, err);
    if (!status) status = pare_rewrites_range(rewrites, at, at, text.data, text.size, err);
    if (!status) status = pare_rewrites_remove(rewrites, statement, err);
    if (!status) status = pare_offers_alternative(&program->offers, err);
    pare_buffer_done(&text);
    return status ? status : pare_offers_item(&program->offers, end - from, err);
}

/* Before and behind each other statement that is not inside this one. */
static pare_status collect_statement(pare_program *program, uint32_t statement,
                                     const uint32_t *listed, size_t n, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t next = pare_syntax_element_behind(syntax, statement);
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < n; i++) {
        if (pare_syntax_holds(syntax, statement, listed[i])) continue;
        if (listed[i] != next) status = move(program, statement, listed[i], BEFORE, err);
        bool last = pare_syntax_element_behind(syntax, listed[i]) == PARE_NO_NODE;
        if (!status && last) status = move(program, statement, listed[i], BEHIND, err);
    }
    return status;
}

static pare_status collect(pare_program *program, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t listed[MOST_STATEMENTS];
    size_t n = 0;
    if (syntax->table->blocks == PARE_SYNTAX_INDENTED) return PARE_OK;
    for (uint32_t i = 1; i < syntax->n; i++) {
        if (!is_listed(syntax, i)) continue;
        if (n == MOST_STATEMENTS) return PARE_OK;
        listed[n++] = i;
    }
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < n; i++)
        status = collect_statement(program, listed[i], listed, n, err);
    return status;
}

static pare_status offer(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                         pare_error *err)
{
    (void)pass;
    return pare_program_offer(view, collect, PARE_OFFERS_SINGLE, MOST_ITEMS, INT64_MIN, out, err);
}

const pare_pass pare_binding_moves = {
    .name = "moves",
    .summary = "puts statements to other places among statements, in blocks and out of them",
    .source = "ours, after C-Reduce, move-function-body, move-global-var",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_ANY,
    .most_bytes = MOST_BYTES,
    .offer = offer,
};
