/* The passes over templates: template-parameters, alias-templates.
 *
 * A parameter of a template goes with its argument wherever the template is named: in
 * `A<int, 2>`, in specialisations, and in the heads of members that are defined outside.  What
 * used the parameter gets what one of the arguments was, or the smallest type or value, or goes.
 * All parameters at once make a class of a class template; one alone is tried where that fails.
 * A template that only stands for a type is written out wherever it is given arguments.
 * Invariant: as many arguments go as parameters, and from the same places.
 * Source: C-Reduce's class-template-to-class, reduce-class-template-param,
 * remove-unused-template-param, instantiate-template-param and replace-dependent-typedef, without
 * types: all templates of one name change together. */
#include <assert.h>
#include <string.h>

#include "base/buffer.h"
#include "parse/parse_tree.h"
#include "reduce/binding/bindings.h"
#include "reduce/binding/program.h"
#include "reduce/binding/rewrites.h"
#include "reduce/binding/syntax.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

/* A template with more parameters than that is left alone. ALL is no index of any parameter. */
enum { MOST_PARAMETERS = 16, ALL = MOST_PARAMETERS };

/* What becomes of the uses of a parameter. They are tried in this order. LEFT_OUT takes most
 * with it, and GIVEN keeps the meaning of the one use whose arguments are known. */
enum way { LEFT_OUT, NEUTRAL, GIVEN, N_WAYS };

/* What is tried: that one parameter of the templates of `symbol` goes, or all. */
struct removal {
    uint32_t symbol;
    size_t index, n; /* ALL: each; of so many */
    enum way way;
    uint32_t given; /* a list of arguments, for GIVEN */
};

/* The list of arguments that the name at `leaf` is given; PARE_NO_NODE: none. */
static uint32_t arguments_at(const pare_syntax *syntax, uint32_t leaf)
{
    uint32_t parent = syntax->nodes[leaf].parent;
    if (parent == PARE_NO_NODE || !pare_syntax_is(syntax, parent, PARE_ROLE_QUALIFIED))
        return PARE_NO_NODE;
    const pare_syntax_kind *kind = syntax->nodes[parent].kind;
    /* The list belongs to the name of that node, not to what the name is looked up in. */
    return pare_syntax_matches(syntax, leaf, kind->names)
               ? pare_syntax_child(syntax, parent, kind->list)
               : PARE_NO_NODE;
}

/* The template that declares the name; PARE_NO_NODE: it is a use, or declares a specialisation or
 * the member of something. */
static uint32_t template_at(const pare_program *program, const pare_occurrence *self)
{
    const pare_syntax *syntax = &program->syntax;
    bool declares = self->declares && self->unit != PARE_NO_NODE &&
                    pare_syntax_is(syntax, self->unit, PARE_ROLE_TEMPLATE) &&
                    arguments_at(syntax, self->leaf) == PARE_NO_NODE &&
                    pare_syntax_qualifier(syntax, self->leaf) == PARE_NO_NODE;
    return declares ? self->unit : PARE_NO_NODE;
}

/* The template of the member that is defined outside of what the name at `leaf` means:
 * `template<class T> void A<T>::f() { }` for A; PARE_NO_NODE: there is none. */
static uint32_t template_outside(const pare_syntax *syntax, uint32_t leaf)
{
    uint32_t whole = pare_syntax_whole_name(syntax, leaf), found = PARE_NO_NODE;
    if (pare_syntax_name_leaf(syntax, whole) == leaf || !pare_syntax_is_declarator(syntax, whole))
        return PARE_NO_NODE;
    for (uint32_t i = whole; i != PARE_NO_NODE; i = syntax->nodes[i].parent) {
        if (pare_syntax_is(syntax, i, PARE_ROLE_TEMPLATE))
            found = i;
        else if (found != PARE_NO_NODE || pare_syntax_is(syntax, i, PARE_ROLE_BLOCK))
            break;
    }
    return found;
}

/* The parameters of a template. PARE_NO_NODE: it has no list. */
static uint32_t parameters_of(const pare_syntax *syntax, uint32_t template)
{
    return pare_syntax_child(syntax, template, syntax->nodes[template].kind->list);
}

/* --- uses of a parameter ----------------------------------------------------------------- */

/* Wishes that the use at `leaf` becomes the argument. */
static pare_status put_given(pare_program *program, uint32_t leaf, uint32_t argument,
                             pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    /* Types never need brackets. An expression like `a + b` does, as the place may have
     * operators around it. */
    bool plain = !pare_syntax_is(syntax, argument, PARE_ROLE_EXPRESSION) ||
                 pare_syntax_is(syntax, argument, PARE_ROLE_PRIMARY);
    pare_buffer text = {0};
    pare_status status = pare_syntax_append(syntax, argument, !plain, &text, err);
    if (!status)
        status = pare_rewrites_replace(&program->rewrites, leaf, text.data, text.size, err);
    pare_buffer_done(&text);
    return status;
}

/* Ends a use of parameter `index` below `declared`, which stays: what would take all of it with it
 * becomes the smallest type or value instead. A use in the head of a function, say as the type
 * of a parameter of it, has no statement below what is declared: the next one around it is the
 * declaration itself. */
static pare_status end_use(pare_program *program, const struct removal *removal, size_t index,
                           uint32_t declared, uint32_t use, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t leaf = program->names.occurrences[use].leaf;
    uint32_t statement = syntax->nodes[leaf].statement, argument = PARE_NO_NODE;
    bool inside = statement != PARE_NO_NODE && statement > declared;
    if (removal->way == GIVEN) argument = pare_syntax_element_at(syntax, removal->given, index);
    if (argument != PARE_NO_NODE) return put_given(program, leaf, argument, err);
    return pare_program_end_use(
        program, use, removal->way == LEFT_OUT && inside ? PARE_USE_LEFT_OUT : PARE_USE_NEUTRAL,
        err);
}

/* Ends all uses of what `parameter`, which has that index, declares. */
static pare_status end_uses(pare_program *program, const struct removal *removal, size_t index,
                            uint32_t parameter, uint32_t declared, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_occurrence *occurrences = program->names.occurrences;
    pare_status status = PARE_OK;
    /* A parameter of a template may be a whole declaration, so the name is looked for in it. */
    for (uint32_t i = parameter; !status && i < syntax->nodes[parameter].after; i++) {
        uint32_t occurrence = program->names.by_leaf[i];
        if (occurrence == PARE_NO_NODE || !occurrences[occurrence].declares) continue;
        uint32_t o = program->names.symbols[occurrences[occurrence].symbol].first;
        for (; !status && o != PARE_NO_NODE; o = occurrences[o].next)
            if (!occurrences[o].declares)
                status = end_use(program, removal, index, declared, o, err);
    }
    return status;
}

/* --- lists ------------------------------------------------------------------------------- */

/* Wishes that the parameters go from the template, with their uses; without any of them it is a
 * template no more. */
static pare_status remove_parameters(pare_program *program, const struct removal *removal,
                                     uint32_t template, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t list = parameters_of(syntax, template);
    uint32_t declared = pare_syntax_child(syntax, template, syntax->nodes[template].kind->names);
    if (list == PARE_NO_NODE || declared == PARE_NO_NODE) return PARE_OK;
    bool whole = removal->index == ALL || removal->n == 1;
    pare_status status = PARE_OK;
    /* The word `template` and the list go together, up to what is declared. */
    if (whole)
        status = pare_rewrites_range(&program->rewrites, syntax->nodes[template].begin,
                                     syntax->nodes[declared].begin, NULL, 0, err);
    /* Even if the head goes as a whole, its parameters may be used below it. */
    uint32_t parameter = pare_syntax_child(syntax, list, "*");
    for (size_t i = 0; !status && parameter != PARE_NO_NODE; i++) {
        if (removal->index == ALL || removal->index == i)
            status = end_uses(program, removal, i, parameter, declared, err);
        if (!status && !whole && removal->index == i)
            status = pare_rewrites_remove(&program->rewrites, parameter, err);
        parameter = pare_syntax_element_after(syntax, parameter);
    }
    return status;
}

/* Wishes that the arguments go from `list`. Without its only argument the list goes with its
 * brackets. A list that is too short, as there are default arguments, has nothing at the index
 * and stays. */
static pare_status remove_arguments(pare_program *program, const struct removal *removal,
                                    uint32_t list, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    if (removal->index == ALL || removal->n == 1)
        return pare_rewrites_range(&program->rewrites, syntax->nodes[list].begin,
                                   syntax->nodes[list].end, NULL, 0, err);
    uint32_t argument = pare_syntax_element_at(syntax, list, removal->index);
    return argument == PARE_NO_NODE ? PARE_OK
                                    : pare_rewrites_remove(&program->rewrites, argument, err);
}

/* Whether the name at `leaf` is all that its statement is about: an explicit instantiation, which
 * only a template can have. */
static bool is_instantiated(const pare_syntax *syntax, uint32_t leaf)
{
    uint32_t around = syntax->nodes[pare_syntax_whole_name(syntax, leaf)].parent;
    return around != PARE_NO_NODE && pare_syntax_is(syntax, around, PARE_ROLE_TYPE) &&
           pare_syntax_is_held(syntax, around);
}

/* Wishes what the removal comes to at one occurrence of the template's name. */
static pare_status change_occurrence(pare_program *program, const struct removal *removal,
                                     uint32_t occurrence, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_occurrence *self = &program->names.occurrences[occurrence];
    uint32_t template = template_at(program, self);
    if (template != PARE_NO_NODE) return remove_parameters(program, removal, template, err);
    uint32_t list = arguments_at(syntax, self->leaf);
    bool plain = removal->index == ALL || removal->n == 1;
    if (list == PARE_NO_NODE) return PARE_OK;
    /* A specialisation, or an instantiation, of what is no template any more. */
    if (plain && self->declares) return pare_program_remove(program, occurrence, err);
    if (plain && is_instantiated(syntax, self->leaf))
        return pare_program_end_use(program, occurrence, PARE_USE_LEFT_OUT, err);
    /* A use, or the name in the head of a member that is defined outside, which has a list of
     * parameters of its own that has to change alike. */
    pare_status status = remove_arguments(program, removal, list, err);
    uint32_t outside = template_outside(syntax, self->leaf);
    if (!status && outside != PARE_NO_NODE)
        status = remove_parameters(program, removal, outside, err);
    return status;
}

/* --- the pass ---------------------------------------------------------------------------- */

/* Whether a parameter of a template is used in the list: what it is given there is known nowhere
 * else. */
static bool depends(const pare_program *program, uint32_t list)
{
    const pare_syntax *syntax = &program->syntax;
    for (uint32_t i = list; i < syntax->nodes[list].after; i++) {
        uint32_t o = program->names.by_leaf[i];
        if (o == PARE_NO_NODE || program->names.occurrences[o].symbol == PARE_NO_SYMBOL) continue;
        /* The first occurrence is taken for the declaration, as a parameter stands before its
         * uses. */
        uint32_t first = program->names.symbols[program->names.occurrences[o].symbol].first;
        uint32_t unit = program->names.occurrences[first].unit;
        if (unit != PARE_NO_NODE && pare_syntax_template_of(syntax, unit) != PARE_NO_NODE)
            return true;
    }
    return false;
}

/* Fills in how many parameters the templates of the symbol have, and the first arguments that they
 * are given; false: it names none. */
static bool look_at(const pare_program *program, struct removal *removal)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_occurrence *occurrences = program->names.occurrences;
    removal->n = 0;
    removal->given = PARE_NO_NODE;
    uint32_t o = program->names.symbols[removal->symbol].first;
    for (; o != PARE_NO_NODE; o = occurrences[o].next) {
        uint32_t template = template_at(program, &occurrences[o]);
        uint32_t list = arguments_at(syntax, occurrences[o].leaf);
        if (template != PARE_NO_NODE && !removal->n)
            removal->n = pare_syntax_count(syntax, parameters_of(syntax, template), "*", ALL);
        if (list != PARE_NO_NODE && removal->given == PARE_NO_NODE && !occurrences[o].declares &&
            !depends(program, list))
            removal->given = list;
    }
    return removal->n > 0 && removal->n < ALL;
}

/* An alternative: the parameters go in that way. */
static pare_status add_alternative(pare_program *program, const struct removal *removal,
                                   pare_error *err)
{
    const pare_occurrence *occurrences = program->names.occurrences;
    pare_status status = PARE_OK;
    assert(removal->index == ALL || removal->index < removal->n);
    if (removal->way == GIVEN && removal->given == PARE_NO_NODE) return PARE_OK;
    uint32_t o = program->names.symbols[removal->symbol].first;
    for (; !status && o != PARE_NO_NODE; o = occurrences[o].next)
        status = change_occurrence(program, removal, o, err);
    return status ? status : pare_rewrites_alternative(&program->rewrites, err);
}

/* An item: all parameters of the templates of one name, and as less drastic ways each alone. */
static pare_status collect_templates(pare_program *program, pare_error *err)
{
    pare_status status = PARE_OK;
    for (uint32_t s = 0; !status && s < program->names.n_symbols; s++) {
        struct removal removal = {.symbol = s, .index = ALL};
        if (!look_at(program, &removal)) continue;
        for (removal.way = LEFT_OUT; !status && removal.way < N_WAYS;
             removal.way = (enum way)(removal.way + 1))
            status = add_alternative(program, &removal, err);
        for (size_t i = removal.n; !status && removal.n > 1 && i-- > 0;) {
            removal.index = i;
            for (removal.way = LEFT_OUT; !status && removal.way < N_WAYS;
                 removal.way = (enum way)(removal.way + 1))
                status = add_alternative(program, &removal, err);
        }
        if (!status) status = pare_rewrites_item(&program->rewrites, removal.n, err);
    }
    return status;
}

/* template-parameters: parameters of templates go together with the arguments for them; all of
 * them, and it is a template no more.
 * Source: C-Reduce's class-template-to-class, reduce-class-template-param and
 * instantiate-template-param. */
static pare_status offer_template_parameters(const pare_pass *pass, const pare_pass_view *view,
                                             pare_patches *out, pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_templates,
                                                     .grouping = PARE_REWRITES_HALVES,
                                                     .least = 1},
                              out, err);
}

const pare_pass pare_binding_template_parameters = {
    .name = "template-parameters",
    .summary = "removes parameters of templates together with their arguments",
    .source = "C-Reduce, class-template-to-class, reduce-class-template-param",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_template_parameters,
};

/* --- alias templates --------------------------------------------------------------------- */

enum { MOST_ALIASES = 1000, MOST_NESTED = 8, MOST_WRITTEN = 4096 };

/* An alias template: `template<class T> using P = T*;`. */
struct alias {
    uint32_t symbol, parameters, type;
    uint32_t declared; /* occurrence */
};

/* Fills in the only declaration of the symbol, if that is an alias template; false: it is not. */
static bool find_alias(const pare_program *program, uint32_t symbol, struct alias *alias)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_bound *bound = &program->names.symbols[symbol];
    uint32_t o = bound->first;
    if (bound->n_declarations != 1 || !bound->n_uses) return false;
    while (!program->names.occurrences[o].declares)
        o = program->names.occurrences[o].next;
    const pare_occurrence *declared = &program->names.occurrences[o];
    uint32_t template = template_at(program, declared);
    if (template == PARE_NO_NODE || declared->value == PARE_NO_NODE) return false;
    *alias = (struct alias){.symbol = symbol,
                            .parameters = parameters_of(syntax, template),
                            .type = declared->value,
                            .declared = o};
    return alias->parameters != PARE_NO_NODE;
}

/* Which parameter of the alias the name at `leaf` is, from 0; MOST_PARAMETERS: none. */
static size_t parameter_at(const pare_program *program, const struct alias *alias, uint32_t leaf)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t occurrence = program->names.by_leaf[leaf];
    if (occurrence == PARE_NO_NODE) return MOST_PARAMETERS;
    uint32_t symbol = program->names.occurrences[occurrence].symbol;
    if (symbol == PARE_NO_SYMBOL) return MOST_PARAMETERS;
    uint32_t first =
        program->names.occurrences[program->names.symbols[symbol].first].leaf; /* declares it */
    uint32_t parameter = pare_syntax_child(syntax, alias->parameters, "*");
    for (size_t i = 0; i < MOST_PARAMETERS && parameter != PARE_NO_NODE; i++) {
        if (pare_syntax_holds(syntax, parameter, first)) return i;
        parameter = pare_syntax_element_after(syntax, parameter);
    }
    return MOST_PARAMETERS;
}

/* The arguments of the alias that begin a use at `node`, a name with arguments; PARE_NO_NODE:
 * it is no use. */
static uint32_t arguments_of_use(const pare_program *program, const struct alias *alias,
                                 uint32_t node)
{
    const pare_syntax *syntax = &program->syntax;
    if (!pare_syntax_is(syntax, node, PARE_ROLE_QUALIFIED)) return PARE_NO_NODE;
    uint32_t leaf = pare_syntax_child(syntax, node, syntax->nodes[node].kind->names);
    uint32_t o = leaf == PARE_NO_NODE ? PARE_NO_NODE : program->names.by_leaf[leaf];
    if (o == PARE_NO_NODE || program->names.occurrences[o].symbol != alias->symbol)
        return PARE_NO_NODE;
    return arguments_at(syntax, leaf);
}

/* An alias that is written out into `text`. */
struct writing {
    const pare_program *program;
    const struct alias *alias;
    pare_buffer *text;
    size_t depth; /* of aliases inside arguments of each other: what is too deep stays */
};

/* What the use at `node` stands for: an argument of the list `given` for a parameter of the alias,
 * or its type for the alias itself, whose arguments *list then is; PARE_NO_NODE: for itself. */
static uint32_t meaning_of(const struct writing *writing, uint32_t node, uint32_t given,
                           uint32_t *list)
{
    const pare_syntax *syntax = &writing->program->syntax;
    size_t index = MOST_PARAMETERS;
    *list = arguments_of_use(writing->program, writing->alias, node);
    if (*list != PARE_NO_NODE) return writing->alias->type;
    if (given != PARE_NO_NODE && syntax->nodes[node].leaf)
        index = parameter_at(writing->program, writing->alias, node);
    return index < MOST_PARAMETERS ? pare_syntax_element_at(syntax, given, index) : PARE_NO_NODE;
}

/* Appends the text of `node`, in which uses of the alias are written out and, in its own type, the
 * parameters are what stands in the list `given`.  As deep as MOST_NESTED. */
static pare_status append_written_out(struct writing *writing, uint32_t node, uint32_t given,
                                      pare_error *err)
{
    const pare_syntax *syntax = &writing->program->syntax;
    uint32_t done = syntax->nodes[node].begin, end = syntax->nodes[node].end;
    pare_status status = PARE_OK;
    for (uint32_t i = node; !status && i < syntax->nodes[node].after;) {
        const pare_syntax_node *self = &syntax->nodes[i];
        uint32_t list = PARE_NO_NODE, meaning = meaning_of(writing, i, given, &list);
        if (meaning == PARE_NO_NODE || writing->depth == MOST_NESTED) {
            i++;
            continue;
        }
        status =
            pare_buffer_add(writing->text, syntax->view->bytes + done, self->begin - done, err);
        writing->depth++;
        if (!status) status = append_written_out(writing, meaning, list, err);
        writing->depth--;
        done = self->end;
        i = self->after;
    }
    return status ? status
                  : pare_buffer_add(writing->text, syntax->view->bytes + done, end - done, err);
}

/* Wishes that the use whose arguments are `list` becomes the type that it stands for, with `n::`
 * in front of it. */
static pare_status write_alias(pare_program *program, const struct alias *alias, uint32_t leaf,
                               uint32_t list, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t place = syntax->nodes[list].parent, parent = syntax->nodes[place].parent;
    pare_buffer text = {0};
    /* As far as it is the name in which a qualified one ends. */
    while (parent != PARE_NO_NODE && pare_syntax_is(syntax, parent, PARE_ROLE_QUALIFIED) &&
           pare_syntax_name_leaf(syntax, parent) == leaf) {
        place = parent;
        parent = syntax->nodes[place].parent;
    }
    struct writing writing = {.program = program, .alias = alias, .text = &text};
    pare_status status = append_written_out(&writing, alias->type, list, err);
    if (!status && text.size <= MOST_WRITTEN)
        status = pare_rewrites_replace(&program->rewrites, place, text.data, text.size, err);
    pare_buffer_done(&text);
    return status;
}

/* An item: all uses of an alias template become what it stands for, and it goes. */
static pare_status collect_alias(pare_program *program, const struct alias *alias, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_occurrence *occurrences = program->names.occurrences;
    const pare_bound *bound = &program->names.symbols[alias->symbol];
    pare_status status = PARE_OK;
    for (uint32_t o = bound->first; !status && o != PARE_NO_NODE; o = occurrences[o].next) {
        uint32_t list = arguments_at(syntax, occurrences[o].leaf);
        if (o != alias->declared && list != PARE_NO_NODE)
            status = write_alias(program, alias, occurrences[o].leaf, list, err);
    }
    if (!status) status = pare_program_remove(program, alias->declared, err);
    if (!status) status = pare_rewrites_alternative(&program->rewrites, err);
    return status ? status : pare_rewrites_item(&program->rewrites, bound->n_uses, err);
}

/* Each alias template. */
static pare_status collect_aliases(pare_program *program, pare_error *err)
{
    pare_status status = PARE_OK;
    for (uint32_t s = 0; !status && s < program->names.n_symbols; s++) {
        struct alias alias;
        if (program->names.symbols[s].first != PARE_NO_NODE && find_alias(program, s, &alias))
            status = collect_alias(program, &alias, err);
    }
    return status;
}

/* alias-templates: a template that stands for a type is written out where it is used, with what
 * it is given in the place of its parameters, and goes.
 * Source: C-Reduce's replace-dependent-typedef and replace-simple-typedef; what its arguments
 * mean is not asked. */
static pare_status offer_aliases(const pare_pass *pass, const pare_pass_view *view,
                                 pare_patches *out, pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_aliases,
                                                     .grouping = PARE_REWRITES_SINGLE,
                                                     .most = MOST_ALIASES,
                                                     .least = 1},
                              out, err);
}

const pare_pass pare_binding_alias_templates = {
    .name = "alias-templates",
    .summary = "replaces uses of alias templates by the types that they stand for",
    .source = "C-Reduce, replace-dependent-typedef, without types",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_aliases,
};
