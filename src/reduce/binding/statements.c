/* The passes over functions and statements: bodies, blocks, merge-declarations, moves.
 *
 * They need to know what is a statement and what is a block (the language's table says so), and
 * no names.  bodies empties functions, blocks lets a statement make way for what is inside it,
 * moves brings statements to other places, from where other passes may go on.
 * Invariant: what stays keeps its bytes and its order, so patches for blocks inside one another
 * agree.
 * Source: C-Reduce's replace-function-def-with-decl, simplify-if and move-*; DustMite's unwrap;
 * see each pass. */
#include <assert.h>
#include <string.h>

#include "base/buffer.h"
#include "parse/parse_tree.h"
#include "reduce/binding/program.h"
#include "reduce/binding/rewrites.h"
#include "reduce/binding/syntax.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

/* What stands before the function's body for it alone, such as the initialisers of a constructor;
 * PARE_NO_NODE: nothing. */
static uint32_t prologue_of(const pare_syntax *syntax, uint32_t function)
{
    uint32_t child = pare_syntax_first(syntax, function);
    while (child != PARE_NO_NODE && !pare_syntax_is(syntax, child, PARE_ROLE_PROLOGUE))
        child = pare_syntax_next(syntax, child);
    return child;
}

/* Whether the function is defined outside of what declares it: its name is looked up in that. */
static bool is_outside(const pare_syntax *syntax, uint32_t function)
{
    uint32_t body = pare_syntax_child(syntax, function, syntax->nodes[function].kind->body);
    for (uint32_t i = function + 1; i < body; i++) {
        /* A qualified name may also be the type that is returned; only that of the declarator
         * counts. */
        if (!pare_syntax_is(syntax, i, PARE_ROLE_QUALIFIED)) continue;
        if (pare_syntax_child(syntax, i, syntax->nodes[i].kind->object) != PARE_NO_NODE &&
            pare_syntax_is_declarator(syntax, i))
            return true;
    }
    return false;
}

/* Wishes that the function goes, with the template that there is of it. */
static pare_status remove_whole(pare_program *program, uint32_t function, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t parent = syntax->nodes[function].parent;
    /* There may be several heads of templates around a member of a template. */
    while (pare_syntax_is(syntax, parent, PARE_ROLE_TEMPLATE)) {
        function = parent;
        parent = syntax->nodes[function].parent;
    }
    return pare_rewrites_remove(&program->rewrites, function, err);
}

/* Wishes that `text` stands for the body, and that the prologue (PARE_NO_NODE: none) goes. */
static pare_status replace_body(pare_program *program, uint32_t body, uint32_t prologue,
                                const char *text, pare_error *err)
{
    const pare_syntax_node *nodes = program->syntax.nodes;
    uint32_t from = prologue == PARE_NO_NODE ? nodes[body].begin : nodes[prologue].begin;
    return pare_rewrites_range(&program->rewrites, from, nodes[body].end, text, strlen(text), err);
}

/* Two alternatives: a declaration only, or an empty body; a third one keeps what stands before the
 * body for it alone. */
static pare_status collect_function(pare_program *program, uint32_t function, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_syntax_table *table = syntax->table;
    uint32_t body = pare_syntax_child(syntax, function, syntax->nodes[function].kind->body);
    if (body == PARE_NO_NODE) return PARE_OK;
    bool value = pare_syntax_is(syntax, body, PARE_ROLE_EXPRESSION);
    uint32_t prologue = prologue_of(syntax, function);
    pare_status status = PARE_OK;
    /* A function that is an expression cannot be declared only; one that is declared already, as
     * it is defined outside of its class, goes. */
    if (is_outside(syntax, function))
        status = remove_whole(program, function, err);
    else if (pare_syntax_is_statement(syntax, function) && table->only_declared)
        status = replace_body(program, body, prologue, table->only_declared, err);
    if (!status) status = pare_rewrites_alternative(&program->rewrites, err);
    /* A body that is an expression becomes the smallest value. */
    const char *emptied = value ? table->values[0] : table->no_body;
    if (!status && emptied) status = replace_body(program, body, prologue, emptied, err);
    if (!status) status = pare_rewrites_alternative(&program->rewrites, err);
    if (!status && emptied && prologue != PARE_NO_NODE)
        status = replace_body(program, body, PARE_NO_NODE, emptied, err);
    if (!status) status = pare_rewrites_alternative(&program->rewrites, err);
    return status ? status
                  : pare_rewrites_item(&program->rewrites, pare_syntax_size(syntax, body), err);
}

/* Functions inside others, too: of two wishes of which one lies in the other the outer one
 * counts. */
static pare_status collect_bodies(pare_program *program, pare_error *err)
{
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < program->syntax.n; i++)
        if (pare_syntax_is(&program->syntax, i, PARE_ROLE_FUNCTION))
            status = collect_function(program, i, err);
    return status;
}

/* bodies: functions lose their bodies: what is in it goes, or all of it where a function may be
 * declared only.  All at once first, then halves.
 * Source: C-Reduce's replace-function-def-with-decl; emptying bodies is treereduce's and
 * everybody's. */
static pare_status offer_bodies(const pare_pass *pass, const pare_pass_view *view,
                                pare_patches *out, pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_bodies,
                                                     .grouping = PARE_REWRITES_HALVES,
                                                     .least = 1},
                              out, err);
}

const pare_pass pare_binding_bodies = {
    .name = "bodies",
    .summary = "empties functions, or leaves only their declarations",
    .source = "C-Reduce, replace-function-def-with-decl",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_ONCE,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_bodies,
};

/* --- blocks ------------------------------------------------------------------------------ */

/* Each block of a statement is an item that is tried alone, so large programs have many. */
enum { MOST_BLOCKS = 4000 };

/* Wishes that of `statement` only what is in `block` stays, with the ; that ended it. */
static pare_status keep_inside(pare_program *program, uint32_t statement, uint32_t block,
                               pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t from = syntax->nodes[block].begin, to = syntax->nodes[block].end;
    bool indented = syntax->table->blocks == PARE_SYNTAX_INDENTED;
    if (pare_syntax_is(syntax, block, PARE_ROLE_BLOCK) &&
        !pare_program_inside(program, block, &from, &to))
        return PARE_OK;
    const char *bytes = (const char *)syntax->view->bytes;
    uint32_t end = syntax->nodes[statement].end;
    /* The `;` that ended the statement is kept, unless what stays ends itself. */
    bool ends = bytes[end - 1] == ';' && bytes[to - 1] != ';' && bytes[to - 1] != '}';
    pare_rewrites *rewrites = &program->rewrites;
    pare_status status = ends ? pare_rewrites_range(rewrites, to, end, ";", 1, err) : PARE_OK;
    if (!status) status = pare_program_keep(program, statement, from, ends ? end : to, err);
    if (!status && indented)
        status = pare_program_outdent(program, syntax->nodes[statement].begin, from, to, err);
    if (!status) status = pare_rewrites_alternative(&program->rewrites, err);
    uint64_t weight = pare_syntax_size(syntax, statement) - (to - from);
    return status ? status : pare_rewrites_item(&program->rewrites, weight, err);
}

/* The statement around `node`, above it; not a part of one. */
static uint32_t statement_around(const pare_syntax *syntax, uint32_t node)
{
    /* A clause, such as an `else`, cannot make way alone for what is in it. */
    do {
        uint32_t parent = syntax->nodes[node].parent;
        node = parent == PARE_NO_NODE ? PARE_NO_NODE : syntax->nodes[parent].statement;
    } while (node != PARE_NO_NODE && pare_syntax_is(syntax, node, PARE_ROLE_CLAUSE));
    return node;
}

/* Whether `node` is a part of `statement`, perhaps of a clause of it. */
static bool is_part(const pare_syntax *syntax, uint32_t node, uint32_t statement)
{
    uint32_t parent = syntax->nodes[node].parent;
    while (parent != statement && pare_syntax_is(syntax, parent, PARE_ROLE_CLAUSE))
        parent = syntax->nodes[parent].parent;
    return parent == statement;
}

/* Conditions and such, that stand in a statement with a block beside them. What is computed
 * there may be what matters, without what depends on it. */
static pare_status keep_condition(pare_program *program, uint32_t node, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t statement = syntax->nodes[node].parent;
    const char *end =
        syntax->table->blocks == PARE_SYNTAX_INDENTED ? "" : syntax->table->no_statement;
    const pare_syntax_node *self = &syntax->nodes[node];
    pare_rewrites *rewrites = &program->rewrites;
    pare_status status =
        pare_rewrites_range(rewrites, syntax->nodes[statement].begin, self->begin, NULL, 0, err);
    if (!status)
        status = pare_rewrites_range(rewrites, self->end, syntax->nodes[statement].end, end,
                                     strlen(end), err);
    if (!status) status = pare_rewrites_alternative(&program->rewrites, err);
    /* What is saved: where there are too many items the heavier ones are kept. */
    uint64_t weight = pare_syntax_size(syntax, statement) - pare_syntax_size(syntax, node);
    return status ? status : pare_rewrites_item(&program->rewrites, weight, err);
}

/* Whether the statement has a body and is no declaration. */
static bool is_compound(const pare_syntax *syntax, uint32_t statement)
{
    return syntax->nodes[statement].kind->body != NULL &&
           !pare_syntax_is(syntax, statement, PARE_ROLE_FUNCTION | PARE_ROLE_DECLARES);
}

/* Blocks beside other statements, blocks and single statements of compound ones, conditions.
 *
 * Example: `if (a) { b; c; } else d;` becomes `b; c;`, or `d;`, or `(a);`. */
static pare_status collect_blocks(pare_program *program, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    pare_status status = PARE_OK;
    for (uint32_t i = 1; !status && i < syntax->n; i++) {
        uint32_t around = statement_around(syntax, i), parent = syntax->nodes[i].parent;
        bool block = pare_syntax_is(syntax, i, PARE_ROLE_BLOCK);
        if (block && pare_syntax_is_statement(syntax, i)) {
            uint32_t over = syntax->nodes[parent].kind->roles;
            /* A block among statements: its braces go. */
            if (!parent || over & PARE_ROLE_BLOCK) status = keep_inside(program, i, i, err);
        }
        if (status || around == PARE_NO_NODE) continue;
        /* A branch without braces. */
        bool single = pare_syntax_is_statement(syntax, i) && is_compound(syntax, around) &&
                      is_part(syntax, i, around) && !pare_syntax_is(syntax, i, PARE_ROLE_CLAUSE);
        bool condition = pare_syntax_is(syntax, i, PARE_ROLE_EXPRESSION) && parent == around &&
                         is_compound(syntax, around);
        if (block && around && !pare_syntax_is(syntax, around, PARE_ROLE_BLOCK))
            status = keep_inside(program, around, i, err);
        else if (single && !block)
            status = keep_inside(program, around, i, err);
        else if (condition)
            status = keep_condition(program, i, err);
    }
    return status;
}

/* blocks: a statement becomes what is in one of its blocks or branches, or its condition.
 *
 * Of a loop the body, of an if one branch, of a call with a function written out in it the
 * function's statements: whatever statement is next around a block.  What stays keeps its
 * place, so blocks inside one another agree.  Where blocks are made by indentation, what stays
 * is moved left as far as the statement stood.
 * Source: DustMite's unwrap and the peep passes of C-Reduce, by text; C-Reduce's simplify-if
 * and remove-try-catch by meaning; here by the table's blocks. */
static pare_status offer_blocks(const pare_pass *pass, const pare_pass_view *view,
                                pare_patches *out, pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_blocks,
                                                     .grouping = PARE_REWRITES_SINGLE,
                                                     .most = MOST_BLOCKS,
                                                     .least = 1},
                              out, err);
}

const pare_pass pare_binding_blocks = {
    .name = "blocks",
    .summary = "replaces a statement by one of its blocks or branches, or by its condition",
    .source = "DustMite, unwrap; C-Reduce, simplify-if; functions written out in place, too",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_blocks,
};

/* --- merged declarations ----------------------------------------------------------------- */

/* Where what `node` declares begins, after a type or a word that more than one name may share;
 * PARE_NO_NODE: it is no such declaration, or does not end by a semicolon. */
static uint32_t first_declared(const pare_syntax *syntax, uint32_t node)
{
    const pare_syntax_node *self = &syntax->nodes[node];
    bool plain = pare_syntax_is_declaring(syntax, node) && pare_syntax_is_statement(syntax, node) &&
                 !(self->kind->roles & (PARE_ROLE_FUNCTION | PARE_ROLE_TYPE | PARE_ROLE_ASSIGNS |
                                        PARE_ROLE_NAMESPACE)) &&
                 !self->kind->value && syntax->view->bytes[self->end - 1] == ';';
    uint32_t first = plain ? pare_syntax_child(syntax, node, self->kind->names) : PARE_NO_NODE;
    return first != PARE_NO_NODE && syntax->nodes[first].begin > self->begin ? first : PARE_NO_NODE;
}

/* Whether both begin with the same bytes, up to what they declare. */
static bool begin_alike(const pare_syntax *syntax, uint32_t a, uint32_t b)
{
    uint32_t first_a = first_declared(syntax, a), first_b = first_declared(syntax, b);
    if (first_a == PARE_NO_NODE || first_b == PARE_NO_NODE) return false;
    size_t size = syntax->nodes[first_a].begin - syntax->nodes[a].begin;
    return size == syntax->nodes[first_b].begin - syntax->nodes[b].begin &&
           memcmp(pare_syntax_text(syntax, a), pare_syntax_text(syntax, b), size) == 0;
}

/* An item for each two neighbours: the semicolon between them and what they share become a
 * comma. */
static pare_status collect_merged(pare_program *program, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    pare_status status = PARE_OK;
    for (uint32_t i = 1; !status && i < syntax->n; i++) {
        bool listed =
            pare_syntax_is(syntax, syntax->nodes[i].parent, PARE_ROLE_BLOCK | PARE_ROLE_MEMBERS);
        uint32_t next = listed ? pare_syntax_next(syntax, i) : PARE_NO_NODE;
        if (next == PARE_NO_NODE || !begin_alike(syntax, i, next)) continue;
        /* The semicolon is the last byte of the declaration, as first_declared has made sure. */
        uint32_t from = syntax->nodes[i].end - 1;
        uint32_t to = syntax->nodes[first_declared(syntax, next)].begin;
        status = pare_rewrites_range(&program->rewrites, from, to, ",", 1, err);
        if (!status) status = pare_rewrites_alternative(&program->rewrites, err);
        if (!status) status = pare_rewrites_item(&program->rewrites, to - from, err);
    }
    return status;
}

/* merge-declarations: of neighbours that begin with the same type the second one becomes a part of
 * the first: `int a; int b;` becomes `int a,b;`.
 * Source: C-Reduce's combine-global-var and combine-local-var, for neighbours only. */
static pare_status offer_merged(const pare_pass *pass, const pare_pass_view *view,
                                pare_patches *out, pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_merged,
                                                     .grouping = PARE_REWRITES_HALVES,
                                                     .least = 1},
                              out, err);
}

const pare_pass pare_binding_merge_declarations = {
    .name = "merge-declarations",
    .summary = "merges neighbouring declarations of the same type",
    .source = "C-Reduce, combine-global-var, combine-local-var",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_ONCE,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_merged,
};

/* --- moves ------------------------------------------------------------------------------- */

/* Moves are as many as pairs of statements, and none of them saves a byte, so only small
 * programs are worth them. */
enum { MOST_MOVES = 1000, MOST_STATEMENTS = 64, MOST_BYTES = 4096 };

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
enum side { BEFORE, AFTER };

/* Wishes that the statement is put beside `to` and goes where it was. */
static pare_status move(pare_program *program, uint32_t statement, uint32_t to, enum side side,
                        pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_syntax_node *nodes = syntax->nodes;
    const char *bytes = (const char *)syntax->view->bytes;
    const char *between = syntax->table->before_statement;
    uint32_t from = nodes[statement].begin, end = nodes[statement].end;
    uint32_t at = side == BEFORE ? nodes[to].begin : nodes[to].end;
    pare_rewrites *rewrites = &program->rewrites;
    pare_buffer text = {0};
    pare_status status = PARE_OK;
    if (side == AFTER && !ends_itself(bytes[at - 1]))
        status = pare_buffer_text(&text, between, err);
    if (!status) status = pare_buffer_add(&text, bytes + from, end - from, err);
    if (!status && side == BEFORE && !ends_itself(bytes[end - 1]))
        status = pare_buffer_text(&text, between, err);
    /* An insertion between two bytes; the statement is removed where it stood, in the same
     * patch. */
    if (!status) status = pare_rewrites_range(rewrites, at, at, text.data, text.size, err);
    if (!status) status = pare_rewrites_remove(rewrites, statement, err);
    if (!status) status = pare_rewrites_alternative(&program->rewrites, err);
    pare_buffer_done(&text);
    return status ? status : pare_rewrites_item(&program->rewrites, end - from, err);
}

/* Before and after each other statement that is not inside this one. */
static pare_status collect_statement(pare_program *program, uint32_t statement,
                                     const uint32_t *listed, size_t n, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t next = pare_syntax_element_after(syntax, statement);
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < n; i++) {
        if (pare_syntax_holds(syntax, statement, listed[i])) continue;
        /* Before the next statement is where it stands already. */
        if (listed[i] != next) status = move(program, statement, listed[i], BEFORE, err);
        /* After any other statement is before the one that follows it. */
        bool last = pare_syntax_element_after(syntax, listed[i]) == PARE_NO_NODE;
        if (!status && last) status = move(program, statement, listed[i], AFTER, err);
    }
    return status;
}

/* Nothing when there are too many statements: the pairs grow with their square. */
static pare_status collect_moves(pare_program *program, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t listed[MOST_STATEMENTS];
    size_t n = 0;
    /* A statement in another block would have to be indented anew. */
    if (syntax->table->blocks == PARE_SYNTAX_INDENTED) return PARE_OK;
    for (uint32_t i = 1; i < syntax->n; i++) {
        if (!is_listed(syntax, i)) continue;
        if (n == MOST_STATEMENTS) return PARE_OK;
        listed[n++] = i;
    }
    assert(n <= MOST_STATEMENTS);
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < n; i++)
        status = collect_statement(program, listed[i], listed, n, err);
    return status;
}

/* moves: a statement goes to another place among statements, inside a block or out of it.
 *
 * Nothing gets shorter by it; but what stood apart may then be left out together, or one become
 * a part of the other: so it is a step to be explored from.  Where indentation makes blocks
 * nothing is offered.
 * Source: ours, after C-Reduce's passes that move functions and declarations to where they are
 * used (move-function-body, move-global-var). */
static pare_status offer_moves(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                               pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_moves,
                                                     .grouping = PARE_REWRITES_SINGLE,
                                                     .most = MOST_MOVES,
                                                     .least = INT64_MIN},
                              out, err);
}

const pare_pass pare_binding_moves = {
    .name = "moves",
    .summary = "moves statements to other places, into blocks and out of them",
    .source = "ours, after C-Reduce, move-function-body, move-global-var",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_ANY,
    .most_bytes = MOST_BYTES,
    .offer = offer_moves,
};
