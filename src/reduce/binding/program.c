/* Programs as passes see them: opening one for an offer, the wishes that several passes share,
 * and the table of the passes.
 *
 * For each offer the view's tree is read into nodes with meanings (syntax.c), names are bound
 * (bindings.c), the pass collects what it wants (rewrites.c), and the patches are written; all
 * of it is freed again.  Keeping it between passes would save little: making it is linear in
 * the file, one test costs far more.
 * Invariant: a pass only adds wishes; nodes and names do not change while it collects. */
#include "reduce/binding/program.h"

#include <assert.h>
#include <string.h>

#include "parse/parse_tree.h"
#include "reduce/binding/rewrites.h"
#include "reduce/binding/syntax.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

/* Binds names and lets the pass collect, for a program whose language has a table.
 * What was made before a failure is freed by the caller. */
static pare_status offer_known(pare_program *program, pare_program_collect *collect,
                               pare_error *err)
{
    pare_status status = pare_bindings_make(&program->syntax, &program->names, err);
    if (!status) status = pare_rewrites_init(&program->rewrites, &program->syntax, err);
    if (!status) status = collect(program, err);
    return status;
}

/* A text whose language has no table gets nothing offered, which is no error. */
pare_status pare_program_offer(const pare_pass_view *view, const pare_program_offers *offers,
                               pare_patches *out, pare_error *err)
{
    pare_program program = {.syntax = {.n = 0}};
    bool known = false;
    pare_status status = pare_syntax_make(view, &known, &program.syntax, err);
    if (status || !known) return status;
    status = offer_known(&program, offers->collect, err);
    if (!status)
        status = pare_rewrites_write(&program.rewrites, offers->grouping, offers->most,
                                     offers->least, out, err);
    pare_rewrites_done(&program.rewrites);
    pare_bindings_done(&program.names);
    pare_syntax_done(&program.syntax);
    return status;
}

/* Wishes that the statement around `leaf` goes. */
static pare_status leave_out(pare_program *program, uint32_t leaf, pare_error *err)
{
    uint32_t statement = program->syntax.nodes[leaf].statement;
    /* Nothing around it may be left out; the use stays, and the test says what comes of it. */
    if (statement == PARE_NO_NODE) return PARE_OK;
    return pare_rewrites_remove(&program->rewrites, statement, err);
}

/* Of `x = value` only the value stays. */
static pare_status keep_value(pare_program *program, const pare_occurrence *use, pare_error *err)
{
    const pare_syntax_node *nodes = program->syntax.nodes;
    /* From the begin of the assignment up to its value: name and operator go. */
    uint32_t to = nodes[use->value].begin;
    return pare_rewrites_range(&program->rewrites, nodes[use->declaring].begin, to, NULL, 0, err);
}

/* An assignment to the name leaves its value where that is an expression; other uses become the
 * smallest value or type, or take their statement with them where neither fits.
 *
 * Example: of the uses of x, `x = f();` leaves `f();`, and `y = x + 1;` becomes `y = 0 + 1;`. */
pare_status pare_program_end_use(pare_program *program, uint32_t occurrence, pare_use_end end,
                                 pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_occurrence *use = &program->names.occurrences[occurrence];
    /* What the use takes with it: a qualified name, an access. */
    uint32_t reach = pare_bindings_reach(&program->names, occurrence);
    const char *text = NULL;
    /* All of the statement, whatever the use is a part of. */
    if (end == PARE_USE_LEFT_OUT) return leave_out(program, use->leaf, err);
    if (use->declaring != PARE_NO_NODE) {
        bool value = use->value != PARE_NO_NODE &&
                     pare_syntax_is(syntax, use->declaring, PARE_ROLE_EXPRESSION);
        return value ? keep_value(program, use, err) : leave_out(program, use->leaf, err);
    }
    if (pare_syntax_is_type(syntax, reach))
        text = syntax->table->types[0];
    else if (pare_syntax_is(syntax, reach, PARE_ROLE_EXPRESSION))
        text = syntax->table->values[0];
    /* It is a part of what is declared there (A of `void A::f() { }`), or of a statement that takes
     * no other type: a base, a friend. */
    bool name = pare_syntax_is(syntax, reach, PARE_ROLE_QUALIFIED);
    bool held = pare_syntax_is_held(syntax, reach) && (name || pare_syntax_is_type(syntax, reach));
    if (held || (name && pare_syntax_is_declarator(syntax, reach))) text = NULL;
    if (!text) return leave_out(program, use->leaf, err);
    return pare_rewrites_replace(&program->rewrites, reach, text, strlen(text), err);
}

/* A value beside the declaration (a list of values beside a list of names) goes with it. */
pare_status pare_program_remove(pare_program *program, uint32_t occurrence, pare_error *err)
{
    const pare_occurrence *self = &program->names.occurrences[occurrence];
    pare_rewrites *rewrites = &program->rewrites;
    /* No node stands for this declaration alone. */
    if (self->unit == PARE_NO_NODE) return PARE_OK;
    bool beside = self->value != PARE_NO_NODE &&
                  !pare_syntax_holds(&program->syntax, self->unit, self->value);
    pare_status status = pare_rewrites_remove(rewrites, self->unit, err);
    if (!status && beside) status = pare_rewrites_remove(rewrites, self->value, err);
    return status;
}

/* By its text, which the table names. */
bool pare_program_is_entry(const pare_program *program, uint32_t symbol)
{
    const pare_syntax *syntax = &program->syntax;
    const char *entry = syntax->table->entry;
    uint32_t leaf = program->names.occurrences[program->names.symbols[symbol].first].leaf;
    return entry && strlen(entry) == pare_syntax_size(syntax, leaf) &&
           memcmp(entry, pare_syntax_text(syntax, leaf), strlen(entry)) == 0;
}

/* A name is called directly, with what it is qualified by, or as the member of an access that is
 * called. */
uint32_t pare_program_call(const pare_program *program, uint32_t occurrence)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t leaf = program->names.occurrences[occurrence].leaf;
    uint32_t node = pare_syntax_whole_name(syntax, leaf);
    uint32_t parent = syntax->nodes[node].parent;
    /* It is only what the name that is called is looked up in. */
    if (node != leaf && pare_syntax_name_leaf(syntax, node) != leaf) return PARE_NO_NODE;
    if (parent != PARE_NO_NODE && pare_syntax_is(syntax, parent, PARE_ROLE_ACCESS) &&
        !pare_syntax_is(syntax, parent, PARE_ROLE_CALL) &&
        pare_syntax_matches(syntax, node, syntax->nodes[parent].kind->names)) {
        node = parent;
        parent = syntax->nodes[node].parent;
    }
    if (parent == PARE_NO_NODE || !pare_syntax_is(syntax, parent, PARE_ROLE_CALL))
        return PARE_NO_NODE;
    const pare_syntax_kind *kind = syntax->nodes[parent].kind;
    bool called = kind->roles & PARE_ROLE_ACCESS ? pare_syntax_matches(syntax, node, kind->names)
                                                 : pare_syntax_matches(syntax, node, kind->object);
    return called ? parent : PARE_NO_NODE;
}

/* Two cuts, so that what other wishes do to the part that stays still counts. */
pare_status pare_program_keep(pare_program *program, uint32_t node, uint32_t from, uint32_t to,
                              pare_error *err)
{
    const pare_syntax_node *self = &program->syntax.nodes[node];
    pare_rewrites *rewrites = &program->rewrites;
    pare_status status = PARE_OK;
    assert(self->begin <= from && from <= to && to <= self->end);
    if (self->begin < from) status = pare_rewrites_range(rewrites, self->begin, from, NULL, 0, err);
    if (!status && to < self->end)
        status = pare_rewrites_range(rewrites, to, self->end, NULL, 0, err);
    return status;
}

/* Brackets and words at the ends of a block are punctuation. */
bool pare_program_inside(const pare_program *program, uint32_t block, uint32_t *from, uint32_t *to)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t first = pare_syntax_child(syntax, block, "*");
    if (first == PARE_NO_NODE) return false;
    *from = syntax->nodes[first].begin;
    /* Up to the bracket that ends it, so that separators stay. */
    uint32_t last = block + 1;
    for (uint32_t i = first; i != PARE_NO_NODE; i = pare_syntax_next(syntax, i))
        last = i;
    bool bracket = syntax->nodes[last].punctuation && !pare_syntax_is_separator(syntax, last);
    uint32_t before = syntax->nodes[last].before;
    *to = syntax->nodes[bracket && before != PARE_NO_NODE ? before : last].end;
    return *from < *to;
}

/* Column of byte `at`, as far as there is nothing but white space before it; else 0. */
static size_t indentation(const pare_pass_view *view, size_t at)
{
    size_t from = at;
    while (from > view->begin && (view->bytes[from - 1] == ' ' || view->bytes[from - 1] == '\t'))
        from--;
    return from == view->begin || view->bytes[from - 1] == '\n' ? at - from : 0;
}

/* Lines are cut by as much as the first one is too far in. */
pare_status pare_program_outdent(pare_program *program, uint32_t at, uint32_t from, uint32_t to,
                                 pare_error *err)
{
    const pare_pass_view *view = program->syntax.view;
    size_t outer = indentation(view, at);
    /* Both are 0 where something stands on the line before. */
    size_t inner = indentation(view, from);
    pare_status status = PARE_OK;
    /* The block stands on the statement's own line, or is not further in. */
    if (inner <= outer) return PARE_OK;
    for (uint32_t i = from; !status && i < to; i++) {
        uint32_t end = i + 1;
        if (view->bytes[i] != '\n') continue;
        while (end < to && end - i - 1 < inner - outer &&
               (view->bytes[end] == ' ' || view->bytes[end] == '\t'))
            end++;
        if (end > i + 1) status = pare_rewrites_range(&program->rewrites, i + 1, end, NULL, 0, err);
    }
    return status;
}

/* --- parameters -------------------------------------------------------------------------- */

/* The list of arguments of a call; PARE_NO_NODE if there is none. */
static uint32_t arguments_of(const pare_syntax *syntax, uint32_t call)
{
    return pare_syntax_child(syntax, call, syntax->nodes[call].kind->list);
}

/* Nothing goes of a call that has fewer, or is none. */
pare_status pare_program_remove_argument(pare_program *program, uint32_t call, size_t index,
                                         pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t list = call == PARE_NO_NODE ? call : arguments_of(syntax, call);
    uint32_t argument =
        list == PARE_NO_NODE ? PARE_NO_NODE : pare_syntax_element_at(syntax, list, index);
    /* Nothing was given for the parameter. */
    if (argument == PARE_NO_NODE) return PARE_OK;
    return pare_rewrites_remove(&program->rewrites, argument, err);
}

/* Prototypes change with the definition, and calls of the name with both. */
pare_status pare_program_remove_parameter(pare_program *program, uint32_t symbol, uint32_t function,
                                          size_t index, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_occurrence *occurrences = program->names.occurrences;
    pare_status status = PARE_OK;
    uint32_t o = program->names.symbols[symbol].first;
    for (; !status && o != PARE_NO_NODE; o = occurrences[o].next) {
        if (!occurrences[o].declares) {
            status =
                pare_program_remove_argument(program, pare_program_call(program, o), index, err);
            continue;
        }
        uint32_t declaring = occurrences[o].declaring;
        /* The function's own list is the caller's business; prototypes are meant here. */
        if (declaring == PARE_NO_NODE || pare_syntax_holds(syntax, declaring, function)) continue;
        uint32_t list = pare_syntax_parameters(syntax, declaring);
        uint32_t other =
            list == PARE_NO_NODE ? PARE_NO_NODE : pare_syntax_element_at(syntax, list, index);
        if (other != PARE_NO_NODE) status = pare_rewrites_remove(&program->rewrites, other, err);
    }
    return status;
}

/* --- names ------------------------------------------------------------------------------- */

enum { N_LETTERS = 52 };

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/* The place of a letter in `letters`; N_LETTERS: it is none. */
static size_t letter(char byte)
{
    const char *at = byte ? strchr(letters, byte) : NULL;
    return at ? (size_t)(at - letters) : N_LETTERS;
}

/* One pass over the leaves; of two letters the second one is a free one of those after `z`. */
void pare_program_unused_name(const pare_program *program, char name[3])
{
    const pare_syntax *syntax = &program->syntax;
    bool used[N_LETTERS + 1] = {false}, pairs[N_LETTERS + 1] = {false};
    for (uint32_t i = 0; i < syntax->n; i++) {
        size_t size = pare_syntax_size(syntax, i);
        const char *text = pare_syntax_text(syntax, i);
        if (!syntax->nodes[i].leaf || !size) continue;
        /* Anything but a letter is counted in the place after all letters. */
        if (size == 1) used[letter(text[0])] = true;
        if (size == 2 && text[0] == 'z') pairs[letter(text[1])] = true;
    }
    /* The first that is not used; if all are, the last pair is taken all the same. */
    size_t one = 0, two = 0;
    while (one < N_LETTERS && used[one])
        one++;
    while (two < N_LETTERS - 1 && pairs[two])
        two++;
    name[0] = one < N_LETTERS ? letters[one] : 'z';
    name[1] = one < N_LETTERS ? '\0' : letters[two];
    name[2] = '\0';
}

/* --- the table --------------------------------------------------------------------------- */

/* Coarse to fine; those that may grow the text are steps of an uphill search and come last. */
static const pare_pass *const table[] = {
    &pare_binding_unused,
    &pare_binding_own_names,
    &pare_binding_namespaces,
    &pare_binding_free_members,
    &pare_binding_types,
    &pare_binding_declarations,
    &pare_binding_bodies,
    &pare_binding_members,
    &pare_binding_parameters,
    &pare_binding_arguments,
    &pare_binding_template_parameters,
    &pare_binding_modifiers,
    &pare_binding_recursion,
    &pare_binding_blocks,
    &pare_binding_expressions,
    &pare_binding_scalars,
    &pare_binding_dimensions,
    &pare_binding_return_nothing,
    &pare_binding_merge_declarations,
    &pare_binding_bases,
    &pare_binding_merge_bases,
    &pare_binding_alias_templates,
    &pare_binding_visible_types,
    &pare_binding_shorter_forms,
    &pare_binding_plain_arrays,
    &pare_binding_parameter_variables,
    &pare_binding_undefined_functions,
    &pare_binding_operator_names,
    &pare_binding_plain_classes,
    &pare_binding_inline_values,
    &pare_binding_inline_calls,
    &pare_binding_spread_values,
    &pare_binding_spread_calls,
    &pare_binding_moves,
    &pare_binding_spread_parts,
    &pare_binding_spread_types,
};

enum { N_PASSES = sizeof table / sizeof(const pare_pass *) };

/* The order is part of the behaviour: it decides which pass gets the tests first. */
const pare_pass *const *pare_program_passes(size_t *n)
{
    *n = N_PASSES;
    return table;
}

/* Names are those of the command line and of the statistics. */
const pare_pass *pare_program_pass_find(const char *name)
{
    for (size_t i = 0; i < N_PASSES; i++)
        if (strcmp(table[i]->name, name) == 0) return table[i];
    return NULL;
}
