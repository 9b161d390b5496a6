/* The passes over name spaces and classes: namespaces, bases, merge-bases, plain-classes,
 * scalars.
 *
 * What holds others gives way to what it holds, and names that were looked up in it lose that part;
 * a class gives way to its base or takes its members, a variable of a structure to one of a plain type.  Each is a
 * change in all places at once that leaves a program of the same form, so that most of what is
 * offered compiles.
 * Invariant: one patch changes all uses of what gives way; what has a use that cannot be changed is
 * not offered.
 * Source: C-Reduce's remove-namespace, remove-unused-outer-class, replace-derived-class,
 * merge-base-class, class-to-struct and aggregate-to-scalar, by names and syntax alone, for any language whose table
 * tells of name spaces and classes. */
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

enum { MOST_ITEMS = 2000 };

/* The body of a declaration; PARE_NO_NODE: it has none. Which child is the body is said by the
 * table, of each kind of node. */
static uint32_t body_of(const pare_syntax *syntax, uint32_t declaring)
{
    return pare_syntax_child(syntax, declaring, syntax->nodes[declaring].kind->body);
}

/* Whether `node` declares a class: a type with members. One that is only named (`class C;`) has
 * no body, and is none here. */
static bool is_class(const pare_syntax *syntax, uint32_t node)
{
    uint32_t body = body_of(syntax, node);
    return pare_syntax_is(syntax, node, PARE_ROLE_TYPE) && body != PARE_NO_NODE &&
           pare_syntax_is(syntax, body, PARE_ROLE_MEMBERS);
}

/* Whether it stands among others, so that others may stand in its place. That of a variable
 * (`struct S { .. } s;`) does not: its place is that of a type. */
static bool is_among(const pare_syntax *syntax, uint32_t node)
{
    uint32_t parent = syntax->nodes[node].parent;
    return parent != PARE_NO_NODE &&
           pare_syntax_is(syntax, parent, PARE_ROLE_BLOCK | PARE_ROLE_MEMBERS);
}

/* Wishes that the words of access below `parent` go, with the colons after them; *n counts
 * them. Example: "public:" of C++ is the word and a colon beside it; `public` before a base has
 * none. */
static pare_status remove_access(pare_program *program, uint32_t parent, size_t *n, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    pare_status status = PARE_OK;
    uint32_t child = pare_syntax_first(syntax, parent);
    for (; !status && child != PARE_NO_NODE; child = pare_syntax_next(syntax, child)) {
        if (!pare_syntax_is(syntax, child, PARE_ROLE_VISIBILITY)) continue;
        uint32_t next = pare_syntax_next(syntax, child), end = syntax->nodes[child].end;
        bool colon = next != PARE_NO_NODE && syntax->nodes[next].punctuation &&
                     *pare_syntax_text(syntax, next) == ':';
        if (colon) end = syntax->nodes[next].end;
        ++*n;
        status =
            pare_rewrites_range(&program->rewrites, syntax->nodes[child].begin, end, NULL, 0, err);
    }
    return status;
}

/* --- namespaces -------------------------------------------------------------------------- */

/* Wishes that `declaring` gives way to what is in its body.
 *
 * Example: "namespace n { int f(); }" becomes " int f(); ": two cuts, from the beginning to the
 * first bracket and from the last bracket to the end, so that wishes about what is in it still
 * fit. */
static pare_status open_body(pare_program *program, uint32_t declaring, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_syntax_node *self = &syntax->nodes[declaring];
    const pare_syntax_node *body = &syntax->nodes[body_of(syntax, declaring)];
    uint32_t next = pare_syntax_next(syntax, declaring), end = self->end;
    size_t n_access = 0;
    /* The `;` that ended a class. */
    if (next != PARE_NO_NODE && pare_syntax_is(syntax, declaring, PARE_ROLE_TYPE) &&
        pare_syntax_is_separator(syntax, next))
        end = syntax->nodes[next].end;
    pare_rewrites *rewrites = &program->rewrites;
    pare_status status = pare_rewrites_range(rewrites, self->begin, body->begin + 1, NULL, 0, err);
    if (!status) status = pare_rewrites_range(rewrites, body->end - 1, end, NULL, 0, err);
    return status ? status : remove_access(program, body_of(syntax, declaring), &n_access, err);
}

/* Wishes that a name is not looked up in the one at `leaf` any more: `n::` goes from `n::f`.
 * The leaf is one of a qualified name, which is looked for from the leaf upwards: the node
 * whose `object` holds it. PARE_OK without a wish if that has no name. */
static pare_status cut_qualifier(pare_program *program, uint32_t leaf, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t node = leaf, parent = syntax->nodes[leaf].parent;
    while (!pare_syntax_matches(syntax, node, syntax->nodes[parent].kind->object)) {
        node = parent;
        parent = syntax->nodes[node].parent;
    }
    uint32_t name = pare_syntax_child(syntax, parent, syntax->nodes[parent].kind->names);
    if (name == PARE_NO_NODE) return PARE_OK;
    return pare_rewrites_range(&program->rewrites, syntax->nodes[node].begin,
                               syntax->nodes[name].begin, NULL, 0, err);
}

/* Whether other names are looked up in the one at `leaf`. Example: `n` in `n::f` is one, `f` is
 * not. */
static bool is_qualifier(const pare_syntax *syntax, uint32_t leaf)
{
    uint32_t whole = pare_syntax_whole_name(syntax, leaf);
    return whole != leaf && pare_syntax_name_leaf(syntax, whole) != leaf;
}

/* Whether the symbol is a name space, or a class of which nothing but what is in it is used.
 *
 * All declarations have to stand among others and to have a body, and each use has to be a
 * qualifier or to open the name space (`using namespace n;`). False also if it is declared
 * nowhere. Cost: O(occurrences). */
static bool is_only_around(const pare_program *program, uint32_t symbol)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_occurrence *occurrences = program->names.occurrences;
    bool any = false;
    for (uint32_t o = program->names.symbols[symbol].first; o != PARE_NO_NODE;
         o = occurrences[o].next) {
        const pare_occurrence *self = &occurrences[o];
        if (!self->declares) {
            uint32_t over = syntax->nodes[pare_syntax_whole_name(syntax, self->leaf)].parent;
            bool opens = over != PARE_NO_NODE && pare_syntax_is(syntax, over, PARE_ROLE_NAMESPACE);
            if (!opens && !is_qualifier(syntax, self->leaf)) return false;
            continue;
        }
        uint32_t node = self->declaring;
        bool space = pare_syntax_is(syntax, node, PARE_ROLE_NAMESPACE);
        if (!is_among(syntax, node) || !(space || is_class(syntax, node)) ||
            body_of(syntax, node) == PARE_NO_NODE || syntax->nodes[self->leaf].parent != node)
            return false;
        any = true;
    }
    return any;
}

/* An item for each symbol that only holds others. The use that only opens the name space goes
 * as a whole. */
static pare_status collect_namespaces(pare_program *program, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_occurrence *occurrences = program->names.occurrences;
    pare_status status = PARE_OK;
    for (uint32_t s = 0; !status && s < program->names.n_symbols; s++) {
        uint32_t o = program->names.symbols[s].first;
        if (o == PARE_NO_NODE || !is_only_around(program, s)) continue;
        for (; !status && o != PARE_NO_NODE; o = occurrences[o].next) {
            if (occurrences[o].declares)
                status = open_body(program, occurrences[o].declaring, err);
            else if (is_qualifier(syntax, occurrences[o].leaf))
                status = cut_qualifier(program, occurrences[o].leaf, err);
            else
                status = pare_program_end_use(program, o, PARE_USE_LEFT_OUT, err);
        }
        if (!status) status = pare_rewrites_alternative(&program->rewrites, err);
        if (!status) status = pare_rewrites_item(&program->rewrites, 1, err);
    }
    return status;
}

/* namespaces: a name space, or a class that only holds others, makes way for what is in it, and
 * names lose it in front of them.
 * Source: C-Reduce's remove-namespace and remove-unused-outer-class. */
static pare_status offer_namespaces(const pare_pass *pass, const pare_pass_view *view,
                                    pare_patches *out, pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_namespaces,
                                                     .grouping = PARE_REWRITES_HALVES,
                                                     .least = 1},
                              out, err);
}

const pare_pass pare_binding_namespaces = {
    .name = "namespaces",
    .summary = "replaces a namespace or an outer class by its contents",
    .source = "C-Reduce, remove-namespace, remove-unused-outer-class",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_namespaces,
};

/* --- bases ------------------------------------------------------------------------------- */

/* What names the bases of the class; PARE_NO_NODE: it has none. */
static uint32_t clause_of(const pare_syntax *syntax, uint32_t declaring)
{
    uint32_t clause = pare_syntax_first(syntax, declaring);
    while (clause != PARE_NO_NODE && !pare_syntax_is(syntax, clause, PARE_ROLE_HOLDER))
        clause = pare_syntax_next(syntax, clause);
    return clause;
}

/* The only base of the class; PARE_NO_NODE: it has none, or several. */
static uint32_t base_of(const pare_syntax *syntax, uint32_t declaring)
{
    uint32_t clause = clause_of(syntax, declaring);
    if (clause == PARE_NO_NODE) return PARE_NO_NODE;
    const char *words = syntax->nodes[clause].kind->names;
    return pare_syntax_count(syntax, clause, words, 2) == 1
               ? pare_syntax_child(syntax, clause, words)
               : PARE_NO_NODE;
}

/* The class that alone declares the symbol, which is no template; PARE_NO_NODE: there is none.
 * *occurrence is set to the declaration, also if that is no class. */
static uint32_t class_of(const pare_program *program, uint32_t symbol, uint32_t *occurrence)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_bound *bound = &program->names.symbols[symbol];
    if (bound->first == PARE_NO_NODE || bound->n_declarations != 1) return PARE_NO_NODE;
    uint32_t o = bound->first;
    while (!program->names.occurrences[o].declares)
        o = program->names.occurrences[o].next;
    uint32_t node = program->names.occurrences[o].declaring;
    *occurrence = o;
    return is_class(syntax, node) && is_among(syntax, node) ? node : PARE_NO_NODE;
}

/* Wishes that the class becomes its base wherever it is used, and goes.
 *
 * Example: of "struct B {}; struct D : B {}; D d;" the item leaves "struct B {}; B d;". Uses
 * within the class go with it and need no wish. Nothing is collected if the class has no base,
 * or several. */
static pare_status collect_base(pare_program *program, uint32_t symbol, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_occurrence *occurrences = program->names.occurrences;
    uint32_t declared = PARE_NO_NODE, class = class_of(program, symbol, &declared);
    uint32_t base = class == PARE_NO_NODE ? PARE_NO_NODE : base_of(syntax, class);
    if (base == PARE_NO_NODE) return PARE_OK;
    pare_status status = PARE_OK;
    for (uint32_t o = program->names.symbols[symbol].first; !status && o != PARE_NO_NODE;
         o = occurrences[o].next) {
        uint32_t leaf = occurrences[o].leaf;
        if (o == declared || pare_syntax_holds(syntax, class, leaf)) continue;
        /* What is defined outside of the class goes with it. */
        if (pare_syntax_is_declarator(syntax, pare_syntax_whole_name(syntax, leaf)))
            status = pare_program_end_use(program, o, PARE_USE_LEFT_OUT, err);
        else
            status = pare_rewrites_replace(&program->rewrites, leaf, pare_syntax_text(syntax, base),
                                           pare_syntax_size(syntax, base), err);
    }
    if (!status) status = pare_program_remove(program, declared, err);
    if (!status) status = pare_rewrites_alternative(&program->rewrites, err);
    return status ? status
                  : pare_rewrites_item(&program->rewrites, pare_syntax_size(syntax, class), err);
}

/* Each class that has one base. */
static pare_status collect_bases(pare_program *program, pare_error *err)
{
    pare_status status = PARE_OK;
    for (uint32_t s = 0; !status && s < program->names.n_symbols; s++)
        status = collect_base(program, s, err);
    return status;
}

/* bases: a class becomes the base that it has.
 * Source: C-Reduce's replace-derived-class. */
static pare_status offer_bases(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                               pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_bases,
                                                     .grouping = PARE_REWRITES_SINGLE,
                                                     .most = MOST_ITEMS,
                                                     .least = 1},
                              out, err);
}

const pare_pass pare_binding_bases = {
    .name = "bases",
    .summary = "replaces a class by its only base",
    .source = "C-Reduce, replace-derived-class",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_bases,
};

/* --- merge-bases ------------------------------------------------------------------------- */

enum { MOST_BASE = 4096 }; /* bytes */

/* Whether both leaves are the same bytes: so a constructor is named. */
static bool are_alike(const pare_syntax *syntax, uint32_t a, uint32_t b)
{
    size_t size = pare_syntax_size(syntax, a);
    return size == pare_syntax_size(syntax, b) &&
           memcmp(pare_syntax_text(syntax, a), pare_syntax_text(syntax, b), size) == 0;
}

/* Appends what is in the class `base`, with `name` wherever its own name `old` stands. The
 * constructor of a class has its name, so it becomes one of the other class. The text is what
 * stands between the brackets. */
static pare_status append_members(const pare_program *program, uint32_t base, uint32_t old,
                                  uint32_t name, pare_buffer *text, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t body = body_of(syntax, base);
    uint32_t done = syntax->nodes[body].begin + 1, end = syntax->nodes[body].end - 1;
    pare_status status = PARE_OK;
    /* "{}" without anything between, or a body that is damaged. */
    if (end < done) return PARE_OK;
    for (uint32_t i = body; !status && i < syntax->nodes[body].after; i++) {
        if (!syntax->nodes[i].leaf || !are_alike(syntax, i, old)) continue;
        status =
            pare_buffer_add(text, syntax->view->bytes + done, syntax->nodes[i].begin - done, err);
        if (!status)
            status = pare_buffer_add(text, pare_syntax_text(syntax, name),
                                     pare_syntax_size(syntax, name), err);
        done = syntax->nodes[i].end;
    }
    return status ? status : pare_buffer_add(text, syntax->view->bytes + done, end - done, err);
}

/* Wishes that the base goes from the clause, with what stands before it and the comma on one side
 * of it; the clause goes with its only base.
 *
 * Examples: of "class D : public A, B" with B cut "class D : public A" is left, with A cut
 * "class D : B", as what stands between the colon and the next base goes. */
static pare_status cut_base(pare_program *program, uint32_t clause, uint32_t base, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_syntax_node *self = &syntax->nodes[clause];
    uint32_t before = base, next = pare_syntax_next(syntax, base);
    uint32_t from = self->begin, to = self->end;
    do
        before = syntax->nodes[before].before;
    while (before != PARE_NO_NODE && (!syntax->nodes[before].punctuation ||
                                      !strchr(",:", *pare_syntax_text(syntax, before))));
    /* Not the first base: the comma before it goes with it. */
    if (before != PARE_NO_NODE && *pare_syntax_text(syntax, before) == ',') {
        from = syntax->nodes[before].begin;
        to = syntax->nodes[base].end;
    } else if (next != PARE_NO_NODE && before != PARE_NO_NODE) {
        from = syntax->nodes[before].end;
        to = syntax->nodes[next].end;
    }
    return pare_rewrites_range(&program->rewrites, from, to, NULL, 0, err);
}

/* Wishes that what names the base `symbol` outside of it means the class `name`, its constructors
 * that are defined there too; but not in `clause`. A constructor that is defined outside,
 * `B::B()`, has the name twice: as the qualifier, and as its own. */
static pare_status rename_base(pare_program *program, uint32_t symbol, uint32_t base,
                               uint32_t clause, uint32_t name, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_occurrence *occurrences = program->names.occurrences;
    const char *text = pare_syntax_text(syntax, name);
    size_t size = pare_syntax_size(syntax, name);
    pare_status status = PARE_OK;
    uint32_t o = program->names.symbols[symbol].first;
    for (; !status && o != PARE_NO_NODE; o = occurrences[o].next) {
        uint32_t leaf = occurrences[o].leaf;
        if (pare_syntax_holds(syntax, base, leaf) || pare_syntax_holds(syntax, clause, leaf))
            continue;
        status = pare_rewrites_replace(&program->rewrites, leaf, text, size, err);
        uint32_t last = pare_syntax_name_leaf(syntax, pare_syntax_whole_name(syntax, leaf));
        if (!status && last != PARE_NO_NODE && last != leaf && are_alike(syntax, last, leaf))
            status = pare_rewrites_replace(&program->rewrites, last, text, size, err);
    }
    return status;
}

/* An item: the base at `named` of the clause is a part of `class`, whose name is at `name`, and
 * all that names the base means the class.
 *
 * The base must be defined before the class and not around it, and have at most MOST_BASE
 * bytes, since its text is copied. Its members come first in the class. Nothing is collected if
 * it is no class that is declared once in this text. */
static pare_status merge_base(pare_program *program, uint32_t class, uint32_t name, uint32_t named,
                              pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    uint32_t clause = clause_of(syntax, class), declared = PARE_NO_NODE;
    uint32_t leaf = pare_syntax_name_leaf(syntax, named);
    uint32_t o = leaf == PARE_NO_NODE ? PARE_NO_NODE : program->names.by_leaf[leaf];
    uint32_t symbol = o == PARE_NO_NODE ? PARE_NO_SYMBOL : program->names.occurrences[o].symbol;
    uint32_t base = symbol == PARE_NO_SYMBOL ? PARE_NO_NODE : class_of(program, symbol, &declared);
    uint32_t at = syntax->nodes[body_of(syntax, class)].begin + 1;
    if (base == PARE_NO_NODE || base >= class || pare_syntax_holds(syntax, base, class) ||
        pare_syntax_size(syntax, base) > MOST_BASE)
        return PARE_OK;
    pare_buffer text = {0};
    pare_status status = append_members(program, base, leaf, name, &text, err);
    if (!status && text.size)
        status = pare_rewrites_range(&program->rewrites, at, at, text.data, text.size, err);
    if (!status) status = cut_base(program, clause, named, err);
    if (!status) status = rename_base(program, symbol, base, clause, name, err);
    if (!status) status = pare_program_remove(program, declared, err);
    if (!status) status = pare_rewrites_alternative(&program->rewrites, err);
    pare_buffer_done(&text);
    return status ? status
                  : pare_rewrites_item(&program->rewrites, pare_syntax_size(syntax, base), err);
}

/* An item for each base of each class that has a name. */
static pare_status collect_merged_bases(pare_program *program, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    pare_status status = PARE_OK;
    for (uint32_t i = 1; !status && i < syntax->n; i++) {
        uint32_t clause = is_class(syntax, i) ? clause_of(syntax, i) : PARE_NO_NODE;
        uint32_t name = clause == PARE_NO_NODE
                            ? PARE_NO_NODE
                            : pare_syntax_child(syntax, i, syntax->nodes[i].kind->names);
        if (name == PARE_NO_NODE || !syntax->nodes[name].leaf) continue;
        uint32_t base = pare_syntax_first(syntax, clause);
        for (; !status && base != PARE_NO_NODE; base = pare_syntax_next(syntax, base))
            status = merge_base(program, i, name, base, err);
    }
    return status;
}

/* merge-bases: a base becomes a part of the class that it is a base of.
 * Source: C-Reduce's merge-base-class. */
static pare_status offer_merged_bases(const pare_pass *pass, const pare_pass_view *view,
                                      pare_patches *out, pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_merged_bases,
                                                     .grouping = PARE_REWRITES_SINGLE,
                                                     .most = MOST_ITEMS,
                                                     .least = 1},
                              out, err);
}

const pare_pass pare_binding_merge_bases = {
    .name = "merge-bases",
    .summary = "merges base classes into the classes derived from them",
    .source = "C-Reduce, merge-base-class",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_merged_bases,
};

/* --- plain-classes ----------------------------------------------------------------------- */

/* Wishes that the first token of the class becomes the table's word for one in which all is
 * known. */
static pare_status make_open(pare_program *program, uint32_t class, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const char *word = syntax->table->open_class;
    uint32_t first = pare_syntax_first(syntax, class);
    bool same = pare_syntax_size(syntax, first) == strlen(word) &&
                memcmp(pare_syntax_text(syntax, first), word, strlen(word)) == 0;
    return same ? PARE_OK
                : pare_rewrites_replace(&program->rewrites, first, word, strlen(word), err);
}

/* An item for each class in which there are words of access, its bases' included. The weight is
 * the number of words, so what has none is an item without wishes, which is none. */
static pare_status collect_plain(pare_program *program, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    pare_status status = PARE_OK;
    if (!syntax->table->open_class) return PARE_OK;
    for (uint32_t i = 1; !status && i < syntax->n; i++) {
        if (!is_class(syntax, i)) continue;
        uint32_t base = base_of(syntax, i);
        size_t n = 0;
        status = remove_access(program, body_of(syntax, i), &n, err);
        if (!status && base != PARE_NO_NODE)
            status = remove_access(program, syntax->nodes[base].parent, &n, err);
        if (!status && n) status = make_open(program, i, err);
        if (!status) status = pare_rewrites_alternative(&program->rewrites, err);
        if (!status) status = pare_rewrites_item(&program->rewrites, n, err);
    }
    return status;
}

/* plain-classes: a class becomes one in which all is known outside, without words that say so.
 * Source: C-Reduce's class-to-struct. */
static pare_status offer_plain(const pare_pass *pass, const pare_pass_view *view, pare_patches *out,
                               pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_plain,
                                                     .grouping = PARE_REWRITES_HALVES,
                                                     .least = 1},
                              out, err);
}

const pare_pass pare_binding_plain_classes = {
    .name = "plain-classes",
    .summary = "turns classes into structures without access specifiers",
    .source = "C-Reduce, class-to-struct",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_ONCE,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_plain,
};

/* --- scalars ----------------------------------------------------------------------------- */

/* The access to a member of what is at `leaf`; PARE_NO_NODE: it is used as a whole. Example: of
 * `s.x` the access is the whole, if the leaf is `s`. */
static uint32_t access_of(const pare_syntax *syntax, uint32_t leaf)
{
    uint32_t parent = syntax->nodes[leaf].parent;
    bool member = parent != PARE_NO_NODE && pare_syntax_is(syntax, parent, PARE_ROLE_ACCESS) &&
                  pare_syntax_matches(syntax, leaf, syntax->nodes[parent].kind->object);
    return member ? parent : PARE_NO_NODE;
}

/* The type of a variable that stands by itself in its declaration; PARE_NO_NODE: it is declared
 * otherwise, or has a plain type already. Example: "struct S s;" has one; "struct S a, b;" has
 * two variables for one type, and "struct S *p" a declarator around the name. */
static uint32_t type_of(const pare_syntax *syntax, const pare_occurrence *declared)
{
    if (declared->declaring == PARE_NO_NODE || declared->unit != declared->declaring ||
        syntax->nodes[declared->leaf].parent != declared->declaring)
        return PARE_NO_NODE;
    uint32_t child = pare_syntax_first(syntax, declared->declaring);
    while (child != PARE_NO_NODE && !pare_syntax_is_type(syntax, child))
        child = pare_syntax_next(syntax, child);
    return child;
}

/* Wishes that a variable of which only members are used becomes one of the simplest type.
 *
 * Example: "struct S s; s.x = 1; f(s.y);" becomes "int s; s = 1; f(s);". It is offered only if
 * all uses are accesses to members; the first loop checks, the second one wishes. */
static pare_status collect_scalar(pare_program *program, uint32_t symbol, pare_error *err)
{
    const pare_syntax *syntax = &program->syntax;
    const pare_occurrence *occurrences = program->names.occurrences;
    const pare_bound *bound = &program->names.symbols[symbol];
    const char *plain = syntax->table->types[0];
    if (bound->member || bound->n_declarations != 1 || !bound->n_uses || !plain) return PARE_OK;
    for (uint32_t o = bound->first; o != PARE_NO_NODE; o = occurrences[o].next) {
        uint32_t leaf = occurrences[o].leaf;
        if (occurrences[o].declares ? type_of(syntax, &occurrences[o]) == PARE_NO_NODE
                                    : access_of(syntax, leaf) == PARE_NO_NODE)
            return PARE_OK;
    }
    pare_status status = PARE_OK;
    for (uint32_t o = bound->first; !status && o != PARE_NO_NODE; o = occurrences[o].next) {
        const pare_syntax_node *leaf = &syntax->nodes[occurrences[o].leaf];
        if (occurrences[o].declares)
            status = pare_rewrites_replace(&program->rewrites, type_of(syntax, &occurrences[o]),
                                           plain, strlen(plain), err);
        else
            status = pare_program_keep(program, access_of(syntax, occurrences[o].leaf), leaf->begin,
                                       leaf->end, err);
    }
    if (!status) status = pare_rewrites_alternative(&program->rewrites, err);
    return status ? status : pare_rewrites_item(&program->rewrites, bound->n_uses, err);
}

/* Each variable; types that are not named in the table's language have none. */
static pare_status collect_scalars(pare_program *program, pare_error *err)
{
    pare_status status = PARE_OK;
    assert(program->syntax.table->types);
    for (uint32_t s = 0; !status && s < program->names.n_symbols; s++)
        status = collect_scalar(program, s, err);
    return status;
}

/* scalars: a variable of which only members are used gets a plain type, and stands for them.
 * Source: C-Reduce's aggregate-to-scalar. */
static pare_status offer_scalars(const pare_pass *pass, const pare_pass_view *view,
                                 pare_patches *out, pare_error *err)
{
    (void)pass;
    return pare_program_offer(view,
                              &(pare_program_offers){.collect = collect_scalars,
                                                     .grouping = PARE_REWRITES_HALVES,
                                                     .least = 1},
                              out, err);
}

const pare_pass pare_binding_scalars = {
    .name = "scalars",
    .summary = "replaces variables of which only members are used by plain variables",
    .source = "C-Reduce, aggregate-to-scalar",
    .order = PARE_PASS_LARGEST,
    .group = PARE_PASS_ALONE,
    .repeat = PARE_PASS_AGAIN,
    .claim = PARE_PASS_SHORTER,
    .offer = offer_scalars,
};
