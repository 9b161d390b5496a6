/* The pass that makes members of a class free: free-members.
 *
 * The class gives way to what is in it, with the parameters of a template, its bases and the
 * variables that are declared with it; `a.f`, `p->f` and `C::f` become `f`.  What else names the class
 * goes with its statement, or means the simplest type.  A method that matters costs the class around
 * it, an object and its name before each call; as a function it costs none of them.
 * Constructors go, since nothing is left that they could make.  In PHP methods become functions, without the
 * words that only methods have.
 *
 * Members are known by their text alone, so another class's member of the same name loses its object,
 * too; the test says what comes of it.
 * Invariant: one patch opens one class and changes all that names it.
 * Source: C-Reduce's remove-unused-outer-class and member-to-global, for methods and objects as well. */
#include <assert.h>
#include <string.h>

#include "parse/parse_tree.h"
#include "reduce/binding/bindings.h"
#include "reduce/binding/program.h"
#include "reduce/binding/rewrites.h"
#include "reduce/binding/syntax.h"
#include "reduce/passes/pass.h"
#include "text/patch.h"

enum { MOST_CLASSES = 200 };

/* A class that gives way. */
struct opened {
    uint32_t statement; /* what goes but for the body: a template, a declaration or the class */
    uint32_t body;
    uint32_t name; /* leaf; PARE_NO_NODE: it has none */
};

/* Whether `node` is a class that may give way; then sets *opened.
 *
 * It needs members, a statement around it that may go, and others beside that; one whose
 * nearest statement is a function is none. A template is the statement of the class in it. */
static bool may_open(const pare_syntax *syntax, uint32_t node, struct opened *opened)
{
    /* In C and C++ a class is a type, in others a declaration. */
    if (!pare_syntax_is(syntax, node,
                        syntax->table->open_class ? PARE_ROLE_TYPE : PARE_ROLE_DECLARES))
        return false;
    const pare_syntax_kind *kind = syntax->nodes[node].kind;
    uint32_t body = pare_syntax_child(syntax, node, kind->body);
    uint32_t statement = syntax->nodes[node].statement;
    if (body == PARE_NO_NODE || !pare_syntax_is(syntax, body, PARE_ROLE_MEMBERS) ||
        statement == PARE_NO_NODE || pare_syntax_is(syntax, statement, PARE_ROLE_FUNCTION))
        return false;
    uint32_t around = syntax->nodes[statement].parent;
    uint32_t named = pare_syntax_child(syntax, node, kind->names);
    *opened = (struct opened){.statement = statement,
                              .body = body,
                              .name = named == PARE_NO_NODE ? PARE_NO_NODE
                                                            : pare_syntax_name_leaf(syntax, named)};
    return around != PARE_NO_NODE &&
           pare_syntax_is(syntax, around, PARE_ROLE_BLOCK | PARE_ROLE_MEMBERS);
}

/* Whether the leaf names a member that the class declares. Names of members are found by their
 * text, so it is enough that one of the declarations of that name is in the class. */
static bool is_member_of(const pare_program *program, const struct opened *opened, uint32_t leaf)
{
    const pare_bindings *names = &program->names;
    uint32_t o = leaf == PARE_NO_NODE ? PARE_NO_NODE : names->by_leaf[leaf];
    if (o == PARE_NO_NODE || names->occurrences[o].symbol == PARE_NO_SYMBOL) return false;
    o = names->symbols[names->occurrences[o].symbol].first;
    for (; o != PARE_NO_NODE; o = names->occurrences[o].next)
        if (names->occurrences[o].declares &&
            pare_syntax_holds(&program->syntax, opened->body, names->occurrences[o].leaf))
            return true;
    return false;
}

/* The member's name in an access to a member of the class; PARE_NO_NODE: it is another access.
 * Example: in `p->f(1)` the access is `p->f` and the name `f`. */
static uint32_t freed_name(const pare_program *program, const struct opened *opened,
                           uint32_t access)
{
    const pare_syntax *syntax = &program->syntax;
    if (!pare_syntax_is(syntax, access, PARE_ROLE_ACCESS)) return PARE_NO_NODE;
    uint32_t name = pare_syntax_child(syntax, access, syntax->nodes[access].kind->names);
    uint32_t leaf = name == PARE_NO_NODE ? PARE_NO_NODE : pare_syntax_name_leaf(syntax, name);
    return is_member_of(program, opened, leaf) ? leaf : PARE_NO_NODE;
}

/* Wishes that the words before a member's name go that only members have (`public`, `static`).
 * Only in languages in which a method may stand outside as a function. Which words these are is
 * seen by their role: they are statements and nothing else. The blanks after a word go with it. */
static pare_status cut_modifiers(pare_program *program, uint32_t member, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_pass_view *view = syntax->view;
    pare_status status = PARE_OK;
    if (!syntax->table->functions_outside || !pare_syntax_is(syntax, member, PARE_ROLE_FUNCTION))
        return PARE_OK;
    uint32_t child = pare_syntax_first(syntax, member);
    for (; !status && child != PARE_NO_NODE; child = pare_syntax_next(syntax, child)) {
        const pare_syntax_node *word = &syntax->nodes[child];
        uint32_t to = word->end;
        if (!word->kind || word->kind->roles != PARE_ROLE_STATEMENT) continue;
        while (to < view->end && (view->bytes[to] == ' ' || view->bytes[to] == '\t'))
            to++;
        status = pare_rewrites_range(&program->rewrites, word->begin, to, NULL, 0, err);
    }
    return status;
}

/* Wishes that all but the members goes, with the `;` that ends a class, and that no word says who may
 * use them.
 *
 * Example: "template <class T> struct C : B { public: void f(); } c;" becomes " void f(); ". */
static pare_status open_class(pare_program *program, const struct opened *opened, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_syntax_node *outer = &syntax->nodes[opened->statement];
    const pare_syntax_node *body = &syntax->nodes[opened->body];
    pare_rewrites *rewrites = &program->rewrites;
    uint32_t next = pare_syntax_next(syntax, opened->statement), end = outer->end;
    assert(outer->begin <= body->begin && body->end <= outer->end);
    if (next != PARE_NO_NODE && pare_syntax_is_separator(syntax, next))
        end = syntax->nodes[next].end;
    pare_status status = pare_rewrites_range(rewrites, outer->begin, body->begin + 1, NULL, 0, err);
    if (!status) status = pare_rewrites_range(rewrites, body->end - 1, end, NULL, 0, err);
    uint32_t child = pare_syntax_first(syntax, opened->body);
    for (; !status && child != PARE_NO_NODE; child = pare_syntax_next(syntax, child)) {
        status = cut_modifiers(program, child, err);
        if (status || !pare_syntax_is(syntax, child, PARE_ROLE_VISIBILITY)) continue;
        uint32_t colon = pare_syntax_next(syntax, child), to = syntax->nodes[child].end;
        if (colon != PARE_NO_NODE && syntax->nodes[colon].punctuation &&
            *pare_syntax_text(syntax, colon) == ':')
            to = syntax->nodes[colon].end;
        status = pare_rewrites_range(rewrites, syntax->nodes[child].begin, to, NULL, 0, err);
    }
    return status;
}

/* Wishes that members stand without an object before them. From the beginning of the access to
 * its name: the object, the point or arrow. O(nodes). */
static pare_status cut_objects(pare_program *program, const struct opened *opened, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    pare_status status = PARE_OK;
    for (uint32_t i = 1; !status && i < syntax->n; i++) {
        uint32_t name = freed_name(program, opened, i);
        if (name == PARE_NO_NODE) continue;
        status = pare_rewrites_range(&program->rewrites, syntax->nodes[i].begin,
                                     syntax->nodes[name].begin, NULL, 0, err);
    }
    return status;
}

/* Whether the use is a part of what stands before a member that is free now. Such a use goes
 * with the object, so nothing else has to be done about it. Looks upwards to the statement. */
static bool is_before_member(const pare_program *program, const struct opened *opened,
                             uint32_t leaf)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t node = leaf;
    while (node != PARE_NO_NODE && node != syntax->nodes[leaf].statement) {
        uint32_t name = freed_name(program, opened, node);
        if (name != PARE_NO_NODE && leaf < name) return true;
        node = syntax->nodes[node].parent;
    }
    return false;
}

/* Wishes that the class at `leaf` is not what the name after it is looked up in. False: it is
 * no qualifier, and there is no wish. *status is set only if the result is true. */
static bool cut_qualifier(pare_program *program, uint32_t leaf, pare_status *status,
                          pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t whole = pare_syntax_whole_name(syntax, leaf);
    uint32_t last = whole == leaf ? leaf : pare_syntax_name_leaf(syntax, whole);
    if (last == leaf || last == PARE_NO_NODE) return false;
    *status = pare_rewrites_range(&program->rewrites, syntax->nodes[whole].begin,
                                  syntax->nodes[last].begin, NULL, 0, err);
    return true;
}

/* How uses end, and whether there was one. */
struct ending {
    pare_use_end end;
    bool any;
};

/* Ends what names `symbol`, but for what stands in the part of the class that goes.
 *
 * Three kinds of uses need no end of their own: those in the part that goes, those before a
 * member, and qualifiers, which are cut. *ending says afterwards whether any other use was met. */
static pare_status end_symbol(pare_program *program, const struct opened *opened, uint32_t symbol,
                              struct ending *ending, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_occurrence *occurrences = program->names.occurrences;
    pare_status status = PARE_OK;
    uint32_t o = program->names.symbols[symbol].first;
    for (; !status && o != PARE_NO_NODE; o = occurrences[o].next) {
        uint32_t leaf = occurrences[o].leaf;
        bool goes = pare_syntax_holds(syntax, opened->statement, leaf) &&
                    !pare_syntax_holds(syntax, opened->body, leaf);
        if (goes || is_before_member(program, opened, leaf) ||
            cut_qualifier(program, leaf, &status, err))
            continue;
        ending->any = ending->any || !occurrences[o].declares;
        status = occurrences[o].declares ? pare_program_remove(program, o, err)
                                         : pare_program_end_use(program, o, ending->end, err);
    }
    return status;
}

/* Whether the leaf is called as the class: a constructor of it is. */
static bool is_named_alike(const pare_syntax *syntax, const struct opened *opened, uint32_t leaf)
{
    size_t size = pare_syntax_size(syntax, leaf);
    return opened->name != PARE_NO_NODE && size == pare_syntax_size(syntax, opened->name) &&
           memcmp(pare_syntax_text(syntax, leaf), pare_syntax_text(syntax, opened->name), size) ==
               0;
}

/* Wishes that constructors and destructors go. They have the name of the class, a destructor
 * with a sign before it. */
static pare_status end_constructors(pare_program *program, const struct opened *opened,
                                    pare_error *err)
{
    pare_status status = PARE_OK;
    for (uint32_t i = opened->body; !status && i < program->syntax.nodes[opened->body].after; i++) {
        uint32_t o = program->names.by_leaf[i];
        if (o != PARE_NO_NODE && program->names.occurrences[o].declares &&
            is_named_alike(&program->syntax, opened, i))
            status = pare_program_remove(program, o, err);
    }
    return status;
}

/* Ends what names the class, or a variable that is declared with it. Parameters of a template
 * are left out. */
static pare_status end_names(pare_program *program, const struct opened *opened,
                             struct ending *ending, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_occurrence *occurrences = program->names.occurrences;
    pare_status status = PARE_OK;
    for (uint32_t i = opened->statement; !status && i < syntax->nodes[opened->statement].after;
         i++) {
        uint32_t o = program->names.by_leaf[i];
        if (o == PARE_NO_NODE || pare_syntax_holds(syntax, opened->body, i)) continue;
        uint32_t unit = occurrences[o].unit;
        bool parameter =
            unit != PARE_NO_NODE && pare_syntax_template_of(syntax, unit) != PARE_NO_NODE;
        bool declared = occurrences[o].declares || i == opened->name;
        if (declared && !parameter && occurrences[o].symbol != PARE_NO_SYMBOL)
            status = end_symbol(program, opened, occurrences[o].symbol, ending, err);
    }
    return status;
}

/* One way to open the class. The way is ending->end; *ending also says whether a second way
 * would differ. */
static pare_status collect_alternative(pare_program *program, const struct opened *opened,
                                       struct ending *ending, pare_error *err)
{
    pare_status status = open_class(program, opened, err);
    if (!status) status = cut_objects(program, opened, err);
    if (!status) status = end_constructors(program, opened, err);
    if (!status) status = end_names(program, opened, ending, err);
    return status ? status : pare_rewrites_alternative(&program->rewrites, err);
}

/* An item for each class, with two ways to end the uses of its name. If no use has to end, both
 * ways are the same, and the second is not made. */
static pare_status collect_classes(pare_program *program, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    pare_status status = PARE_OK;
    size_t n_classes = 0;
    if (!syntax->table->open_class && !syntax->table->functions_outside) return PARE_OK;
    for (uint32_t i = 1; !status && i < syntax->n && n_classes < MOST_CLASSES; i++) {
        struct opened opened;
        if (!may_open(syntax, i, &opened)) continue;
        n_classes++;
        struct ending ending = {.end = PARE_USE_LEFT_OUT};
        status = collect_alternative(program, &opened, &ending, err);
        ending.end = PARE_USE_NEUTRAL;
        if (!status && ending.any) status = collect_alternative(program, &opened, &ending, err);
        if (!status)
            status = pare_rewrites_item(&program->rewrites, pare_syntax_size(syntax, i), err);
    }
    return status;
}

/* free-members: a class gives way to its members, which are used without an object. */
static pare_status offer_free_members(const pare_pass *pass, const pare_pass_view *view,
                                      pare_patches *out, pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_classes,
                                                     .grouping = PARE_REWRITES_SINGLE,
                                                     .most = MOST_CLASSES,
                                                     .least = 1},
                              out, err);
}

const pare_pass pare_binding_free_members = {
    .name = "free-members",
    .summary = "replaces a class by its members, and removes the objects before them",
    .source = "C-Reduce, remove-unused-outer-class, member-to-global",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_free_members,
};
