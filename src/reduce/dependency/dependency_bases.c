/* Ties: what a node cannot do without, though it does not come with it.
 *
 * A member may be one of a base of the class that is named, or of a base of that; a class can be
 * kept without its bases, but then who reaches a member through them no longer compiles.  So that
 * node is tied to the bases on the way: where they go, it goes.  Types of expressions are not
 * known.  For `x.m` all classes are gone through that the statement names, or its function, or the
 * declarations of the local variables in it; for `c::m` the class c; for `m` in a class that class.
 * From each of them the search goes up through bases, at most MOST_DEPTH of them, until a class has
 * a member of its own that is called so.  Ties are also:
 *   what a constructor begins with: a data member, or a base
 *   the member m of each class c, where `c<..>::m` is named, or where only c of the classes that `x.m` may be of has one
 *   what an alias stands for, where it is a base, or tells specialisations apart; a typedef stands for the aliases in it
 *   each data member of a class without constructors, where values of all of them are listed
 *   a name that is used before its definition, to the only declaration before it
 *   a member that is defined outside of its class, and a friend with attributes, to its body
 *   what says `override`, to the only virtual function of a base that it may override
 *   a specialisation, to what declares its template before it, or in the same class, if only one does
 *
 * Invariant: a tie too many keeps a node from going while its base goes; it never makes a closed
 * set larger.  Source: ours; member lookup in C++, without access and ambiguity. */
#include "reduce/dependency/dependency_bases.h"

#include "base/alloc.h"
#include "base/fail.h"
#include "base/halving.h"
#include "parse/parse_tree.h"
#include "reduce/dependency/dependency_own.h"

/* What is known of a class's name, or of bases, in the search at hand. */
struct visit {
    uint32_t search; /* in which it was reached last, from 1 on */
    uint8_t depth;   /* the least one of that search */
    bool found;      /* what is looked for is there, or behind it */
};

/* Through which bases members are reached. */
struct inheritance {
    const pare_dependency_bases_source *source;
    const pare_outline *outline; /* of source, as are */
    const pare_dependency_lists *named;
    pare_error *err;
    pare_dependency_lists plain;   /* owned; word: of these, those that it is looked up to */
    pare_dependency_lists aliases; /* owned; word: and of those what may stand for something else */
    pare_dependency_lists classes; /* owned; word: classes of that name */
    pare_dependency_lists bases;   /* owned; word: bases of the classes that are called so */
    pare_dependency_lists namers;  /* owned; node: of these words those it names; bases: all */
    pare_dependency_lists locals;  /* owned; node: statements whose variables it uses */
    uint32_t *own_bases;           /* owned; node: its bases, or PARE_NO_NODE */
    uint32_t *tied;                /* owned; node: which was tied to it last, or PARE_NO_NODE */
    struct visit *by_word, *by_node; /* owned */
    uint32_t n_searches;
    uint32_t
        owner; /* of the search: what the classes are called that have the member; PARE_NO_WORD: none, */
    bool several;               /* or they are not called the same */
    pare_dependency_pairs ties; /* owned */
};

enum {
    MOST_BASES = 16,    /* of classes of one name: specialisations */
    MOST_DEPTH = 4,     /* of bases of bases */
    MOST_OF_NAME = 256, /* declarations of one name that are told from each other */
    MOST_LISTED = 256   /* data members of which a list may give values */
};

static const pare_outline_node *node_at(const struct inheritance *self, uint32_t node)
{
    return &self->outline->nodes[node];
}

/* The node cannot do without `part`; what it was tied to just before is not told again.  `tied`
 * holds the last node only, which is enough, as one node's uses mostly come one after the other. */
static pare_status add_tie(struct inheritance *self, uint32_t node, uint32_t part)
{
    if (self->tied[part] == node) return PARE_OK;
    self->tied[part] = node;
    return pare_dependency_lists_add(&self->ties, node, part, self->err);
}

/* Whether the search is to go on from there: it was not there before in this search, or only at
 * a greater depth, from which it could not see as far up.  Searches are numbered, so nothing is
 * cleared between them. */
static bool visit(const struct inheritance *self, struct visit *at, unsigned depth)
{
    if (at->search == self->n_searches && at->depth <= depth) return false;
    *at = (struct visit){.search = self->n_searches, .depth = (uint8_t)depth};
    return true;
}

/* The first of the nodes which declare `word` that is not before `node`: an index of named->to. */
static uint32_t first_named(const struct inheritance *self, uint32_t word, uint32_t node)
{
    pare_halving search = {.low = self->named->first[word], .high = self->named->first[word + 1]};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, self->named->to[search.middle] < node);
    return (uint32_t)search.low;
}

/* The first member of the class's own that is called `word`; PARE_NO_NODE: there is none or, with `only`,
 * there are several. */
static uint32_t find_own(const struct inheritance *self, uint32_t class, uint32_t word, bool only)
{
    uint32_t own = pare_dependency_own_after(self->outline, self->named, class, word, class);
    bool several =
        only && own != PARE_NO_NODE &&
        pare_dependency_own_after(self->outline, self->named, class, word, own) != PARE_NO_NODE;
    return several ? PARE_NO_NODE : own;
}

/* The node needs the only member `word` that a class called `class` has of its own, in all
 * classes of that name: which specialisation it is of is not known.  Not from within the member
 * itself, and not with more than MOST_BASES such classes. */
static pare_status tie_to_own(struct inheritance *self, uint32_t node, uint32_t class,
                              uint32_t word)
{
    const uint32_t first = self->classes.first[class], end = self->classes.first[class + 1];
    pare_status status = PARE_OK;
    for (uint32_t i = first; !status && i < end && end - first <= MOST_BASES; i++) {
        const uint32_t own = find_own(self, self->classes.to[i], word, true);
        const bool inside = own != PARE_NO_NODE && node >= own && node < node_at(self, own)->after;
        if (own != PARE_NO_NODE && !inside) status = add_tie(self, node, own);
    }
    return status;
}

/* Whether what the node is depends on what an alias stands for that it names: a class's bases, which may be part of the
 * class's own node, and what tells specialisations apart. */
static bool is_by_alias(const struct inheritance *self, uint32_t node)
{
    const uint32_t roles = node_at(self, node)->roles;
    return roles & (PARE_OUTLINE_BASES | PARE_OUTLINE_SPECIAL) ||
           (roles & PARE_OUTLINE_CLASS && self->own_bases[node] == PARE_NO_NODE);
}

/* The node depends on what the aliases of that name stand for, and a typedef among them on those
 * that it names.  Of `using A = B<int>;` the part `B<int>` is tied to; a typedef has no such
 * part, so what it names is followed. Recursion ends at MOST_DEPTH, and at words it was at
 * before. */
static pare_status tie_to_alias(struct inheritance *self, uint32_t node, uint32_t word,
                                unsigned depth)
{
    const pare_dependency_lists *aliases = &self->aliases;
    pare_status status = PARE_OK;
    if (!visit(self, &self->by_word[word], depth)) return PARE_OK;
    for (uint32_t i = aliases->first[word]; !status && i < aliases->first[word + 1]; i++) {
        const uint32_t alias = aliases->to[i], value = self->own_bases[alias];
        if (value != PARE_NO_NODE && value != node) status = add_tie(self, node, value);
        const bool further = value == PARE_NO_NODE && depth + 1 < MOST_DEPTH && alias != node;
        for (uint32_t k = self->namers.first[alias];
             further && !status && k < self->namers.first[alias + 1]; k++)
            status = tie_to_alias(self, node, self->namers.to[k], depth + 1);
    }
    return status;
}

/* Whether a class called `class` has a member of its own called `word`. */
static bool is_member_of(const struct inheritance *self, uint32_t class, uint32_t word)
{
    const pare_dependency_lists *classes = &self->classes;
    for (uint32_t i = classes->first[class]; i < classes->first[class + 1]; i++)
        if (find_own(self, classes->to[i], word, false) != PARE_NO_NODE) return true;
    return false;
}

/* Whether the node is a variable, or an alias of which nothing can go: what it names is its type. */
static bool is_typed(const struct inheritance *self, uint32_t node)
{
    const uint32_t other = PARE_OUTLINE_CLASS | PARE_OUTLINE_FUNCTION | PARE_OUTLINE_SHELL;
    return !(node_at(self, node)->roles & other) && self->own_bases[node] == PARE_NO_NODE;
}

/* Whether a few variables or aliases are called `word`. */
static bool names_typed(const struct inheritance *self, uint32_t word)
{
    const uint32_t first = self->plain.first[word], end = self->plain.first[word + 1];
    return first < end && end - first <= MOST_BASES && is_typed(self, self->plain.to[first]);
}

/* Notes that the search has come to a class that may have the member.  Once classes of two names
 * have it, nothing is told. */
static void note_owner(struct inheritance *self, uint32_t class, uint32_t word)
{
    if (self->several || self->owner == class || !is_member_of(self, class, word)) return;
    self->several = self->owner != PARE_NO_WORD;
    self->owner = class;
}

/* The node uses `word` of something whose type is, or may be, a class called `class`.  If a
 * variable or alias is called so, the classes that it names are gone to.  Of the classes, those
 * that have the member themselves need no base; of all others each base is tied, and gone up
 * from:
 *
 *     struct A { int m; };  struct B : A {};  struct C : B {};  C c;  int x = c.m;
 *
 * ties x to the bases of C and of B.  Recursion ends at MOST_DEPTH. */
static pare_status tie_to(struct inheritance *self, uint32_t node, uint32_t class, uint32_t word,
                          unsigned depth)
{
    const pare_dependency_lists *bases = &self->bases;
    uint32_t first = bases->first[class], end = bases->first[class + 1];
    pare_status status = PARE_OK;
    if (depth == MOST_DEPTH || !visit(self, &self->by_word[class], depth)) return PARE_OK;
    note_owner(self, class, word);
    for (uint32_t i = self->plain.first[class];
         !status && names_typed(self, class) && i < self->plain.first[class + 1]; i++) {
        const uint32_t typed = self->plain.to[i];
        for (uint32_t k = self->namers.first[typed];
             !status && is_typed(self, typed) && k < self->namers.first[typed + 1]; k++)
            status = tie_to(self, node, self->namers.to[k], word, depth + 1);
    }
    if (status || end - first > MOST_BASES) return status;
    for (uint32_t i = first; !status && i < end; i++) {
        uint32_t base = bases->to[i], owner = node_at(self, base)->parent;
        bool inside = node >= owner && node < node_at(self, owner)->after;
        if (inside || find_own(self, owner, word, false) != PARE_NO_NODE) continue;
        status = add_tie(self, node, base);
        uint32_t end_namers = self->namers.first[base + 1];
        for (uint32_t k = self->namers.first[base]; !status && k < end_namers; k++)
            if (self->namers.to[k] != class)
                status = tie_to(self, node, self->namers.to[k], word, depth + 1);
    }
    return status;
}

/* Ties the node to `base` if `word` is a member of a class in it, or of one of their bases, and
 * to those on the way there; *found: it is.  Unlike tie_to it ties only where the member is
 * found, as in a class most plain names are no members. What was found from a place is kept with
 * it, for others that come there in the same search.  Recursion ends at MOST_DEPTH. */
static pare_status tie_on_the_way(struct inheritance *self, uint32_t node, uint32_t base,
                                  uint32_t word, unsigned depth, bool *found)
{
    pare_status status = PARE_OK;
    struct visit *at = &self->by_node[base];
    bool anew = visit(self, at, depth);
    *found = at->found;
    for (uint32_t i = self->namers.first[base]; anew && !status && i < self->namers.first[base + 1];
         i++) {
        uint32_t class = self->namers.to[i];
        uint32_t first = self->bases.first[class], end = self->bases.first[class + 1];
        if (end - first > MOST_BASES) continue;
        *found = *found || is_member_of(self, class, word);
        for (uint32_t k = first; !status && k < end && depth + 1 < MOST_DEPTH; k++) {
            bool further = false;
            if (self->bases.to[k] != base)
                status = tie_on_the_way(self, node, self->bases.to[k], word, depth + 1, &further);
            *found = *found || further;
        }
    }
    at->found = *found;
    return status || !*found ? status : add_tie(self, node, base);
}

/* In a class a name is a member of its own, whoever else has one of that name, or else may be
 * one of its bases.  A name in the list of bases itself is not looked up through these. */
static pare_status tie_inside(struct inheritance *self, const pare_outline_use *use)
{
    uint32_t class = pare_dependency_own_around(self->source->own, use->node);
    bool found;
    if (class == PARE_NO_NODE) return PARE_OK;
    uint32_t own = find_own(self, class, use->word, true), base = self->own_bases[class];
    bool inside = own != PARE_NO_NODE && use->node >= own && use->node < node_at(self, own)->after;
    if (own != PARE_NO_NODE && use->kind == PARE_OUTLINE_PLAIN && !inside)
        return add_tie(self, use->node, own);
    if (base == PARE_NO_NODE || base == use->node ||
        (find_own(self, class, use->word, false) != PARE_NO_NODE))
        return PARE_OK;
    self->n_searches++;
    return tie_on_the_way(self, use->node, base, use->word, 0, &found);
}

/* What a constructor begins with is a data member, or else a base, whose name may be an alias:
 * `: n(1), Base(2)`.  So whatever is no data member needs the bases. */
static pare_status tie_made(struct inheritance *self, const pare_outline_use *use)
{
    uint32_t class = pare_dependency_own_around(self->source->own, use->node);
    if (class == PARE_NO_NODE) return PARE_OK;
    uint32_t own = find_own(self, class, use->word, true), base = self->own_bases[class];
    pare_status status = own == PARE_NO_NODE ? PARE_OK : add_tie(self, use->node, own);
    bool data = own != PARE_NO_NODE && node_at(self, own)->roles & PARE_OUTLINE_DATA;
    return status || data || base == PARE_NO_NODE ? status : add_tie(self, use->node, base);
}

/* A name that is used before its definition needs what declares it before that, if only one
 * does: without `struct A;` the use in `A *p;  struct A {};` is an error. */
static pare_status tie_forward(struct inheritance *self, const pare_outline_use *use)
{
    const pare_dependency_lists *plain = &self->plain;
    uint32_t first = plain->first[use->word], end = plain->first[use->word + 1];
    if (first == end) return PARE_OK;
    uint32_t before = plain->to[first], own = first_named(self, use->word, use->node);
    bool only = before < use->node && (end - first == 1 || plain->to[first + 1] > use->node);
    bool declares = own < self->named->first[use->word + 1] && self->named->to[own] == use->node;
    bool forward = only && !declares && node_at(self, before)->roles & PARE_OUTLINE_FORWARD &&
                   use->node >= node_at(self, before)->after;
    return forward ? add_tie(self, use->node, before) : PARE_OK;
}

/* The only virtual function of the class's own that is called `word`; PARE_NO_NODE: none, or
 * several, of which it is not told which is overridden.  Only the first MOST_OF_NAME of that
 * name are looked at. */
static uint32_t find_virtual(const struct inheritance *self, uint32_t class, uint32_t word)
{
    uint32_t found = PARE_NO_NODE, own = class;
    for (unsigned n = 0; n < MOST_OF_NAME; n++) {
        own = pare_dependency_own_after(self->outline, self->named, class, word, own);
        if (own == PARE_NO_NODE) break;
        if (!(node_at(self, own)->roles & PARE_OUTLINE_VIRTUAL)) continue;
        if (found != PARE_NO_NODE) return PARE_NO_NODE;
        found = own;
    }
    return found;
}

/* The node overrides `word` of a base that is named at `base`, or of a base of that: of the nearest that has it.  Recursion
 * ends at MOST_DEPTH. */
static pare_status tie_overridden(struct inheritance *self, uint32_t node, uint32_t base,
                                  uint32_t word, unsigned depth)
{
    pare_status status = PARE_OK;
    if (depth == MOST_DEPTH || !visit(self, &self->by_node[base], depth)) return PARE_OK;
    for (uint32_t i = self->namers.first[base]; !status && i < self->namers.first[base + 1]; i++) {
        const uint32_t class = self->namers.to[i];
        const uint32_t first = self->classes.first[class], end = self->classes.first[class + 1];
        for (uint32_t k = first; !status && k < end && end - first <= MOST_BASES; k++) {
            const uint32_t at = self->classes.to[k], further = self->own_bases[at];
            const uint32_t overridden = find_virtual(self, at, word);
            if (overridden != PARE_NO_NODE)
                status = add_tie(self, node, overridden);
            else if (further != PARE_NO_NODE)
                status = tie_overridden(self, node, further, word, depth + 1);
        }
    }
    return status;
}

/* The node is called `word` and says that it overrides. */
static pare_status tie_overriding(struct inheritance *self, uint32_t node, uint32_t word)
{
    const uint32_t class = pare_dependency_own_class(self->outline, node);
    if (class == PARE_NO_NODE || self->own_bases[class] == PARE_NO_NODE) return PARE_OK;
    self->n_searches++;
    return tie_overridden(self, node, self->own_bases[class], word, 0);
}

/* A specialisation needs what declares its template before it: a forward declaration, where the definition comes later,
 * or a member of the same class.  If there are several, one of them does.  The template is declared before all that
 * specialise it, so what comes after the first MOST_OF_NAME of that name is not looked at. */
static pare_status tie_specialised(struct inheritance *self, uint32_t node, uint32_t word)
{
    const pare_outline_node *at = node_at(self, node);
    const bool member = at->roles & PARE_OUTLINE_MEMBER;
    const pare_dependency_lists *names = member ? self->named : &self->plain;
    const uint32_t first = member ? first_named(self, word, at->parent) : names->first[word];
    uint32_t only = PARE_NO_NODE;
    for (uint32_t i = first; i < names->first[word + 1] && i - first < MOST_OF_NAME; i++) {
        const uint32_t other = names->to[i];
        const pare_outline_node *declared = node_at(self, other);
        if (other >= node) break;
        if (declared->roles & (PARE_OUTLINE_SPECIAL | PARE_OUTLINE_OUTSIDE | PARE_OUTLINE_MAKES))
            continue;
        if (member ? declared->parent != at->parent : declared->space != at->space) continue;
        if (only != PARE_NO_NODE) return PARE_OK;
        only = other;
    }
    return only == PARE_NO_NODE ? PARE_OK : add_tie(self, node, only);
}

/* What is tied by what it declares: functions that override, and specialisations of classes. */
static pare_status tie_declaring(struct inheritance *self)
{
    enum { TYPE = PARE_OUTLINE_CLASS | PARE_OUTLINE_SPECIAL };
    const pare_outline *outline = self->outline;
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && outline->members_hide && i < outline->n_names; i++) {
        const pare_outline_name *name = &outline->names[i];
        const uint32_t roles = node_at(self, name->node)->roles;
        if (roles & PARE_OUTLINE_OVERRIDES) status = tie_overriding(self, name->node, name->word);
        if (!status && (roles & TYPE) == TYPE)
            status = tie_specialised(self, name->node, name->word);
    }
    return status;
}

/* All classes that the node names. */
static pare_status tie_to_named(struct inheritance *self, uint32_t user, uint32_t node,
                                uint32_t word)
{
    pare_status status = PARE_OK;
    for (uint32_t i = self->namers.first[node]; !status && i < self->namers.first[node + 1]; i++)
        status = tie_to(self, user, self->namers.to[i], word, 0);
    return status;
}

/* The classes that the node names, and what is around it, as far as it is a function: of `void
 * f(A a) { a.m(); }` the statement names no class, but the function does. */
static pare_status tie_to_function(struct inheritance *self, uint32_t node, uint32_t word)
{
    pare_status status = tie_to_named(self, node, node, word);
    uint32_t around = node;
    while (!status && around != PARE_NO_NODE &&
           node_at(self, around)->roles & (PARE_OUTLINE_PIECE | PARE_OUTLINE_BODY)) {
        around = node_at(self, around)->parent;
        if (around != PARE_NO_NODE) status = tie_to_named(self, node, around, word);
    }
    return status;
}

/* The node lists values of a class called `class`: of the data members, if it has no constructor.  Ties to all of very many,
 * from each of very many lists, would be their product. */
static pare_status tie_listed(struct inheritance *self, uint32_t node, uint32_t class)
{
    enum { DATA = PARE_OUTLINE_DATA | PARE_OUTLINE_MEMBER };
    const uint32_t first = self->classes.first[class], end = self->classes.first[class + 1];
    pare_status status = PARE_OK;
    for (uint32_t i = first; !status && i < end && end - first <= MOST_BASES; i++) {
        const uint32_t at = self->classes.to[i], after = node_at(self, at)->after;
        bool makes = false;
        unsigned n = 0;
        for (uint32_t k = at + 1; !makes && k < after; k = node_at(self, k)->after)
            makes = node_at(self, k)->roles & PARE_OUTLINE_MAKES;
        for (uint32_t k = at + 1; !makes && !status && k < after && n < MOST_LISTED;
             k = node_at(self, k)->after)
            if ((node_at(self, k)->roles & DATA) == DATA) {
                status = add_tie(self, node, k);
                n++;
            }
    }
    return status;
}

/* What a use ties its node to, by the kind of the use.  Of `a<..>::m` the class is told; of
 * `x.m` it is one that the statement or its function names, or that of the variable; or it is a
 * base of the class around.  What a body itself uses of its statements' variables, as `return`
 * does in constant functions, ties it to them.  Each search has its own number, and starts
 * without an owner. */
static pare_status tie_use(struct inheritance *self, const pare_outline_use *use)
{
    bool looked_up = use->kind == PARE_OUTLINE_PLAIN || use->kind == PARE_OUTLINE_QUALIFIED ||
                     use->kind == PARE_OUTLINE_NEAREST || use->kind == PARE_OUTLINE_GLOBAL;
    pare_status status = looked_up ? tie_forward(self, use) : PARE_OK;
    self->n_searches++;
    if (!status && looked_up && is_by_alias(self, use->node))
        status = tie_to_alias(self, use->node, use->word, 0);
    if (status) return status;
    self->n_searches++;
    self->owner = PARE_NO_WORD;
    self->several = false;
    if (use->kind == PARE_OUTLINE_INSIDE || use->kind == PARE_OUTLINE_QUALIFIED ||
        use->kind == PARE_OUTLINE_NEAREST) {
        status = tie_to_own(self, use->node, use->qualifier, use->word);
        return status ? status : tie_to(self, use->node, use->qualifier, use->word, 0);
    }
    if (use->kind == PARE_OUTLINE_MADE) return tie_made(self, use);
    if (use->kind == PARE_OUTLINE_HELD) return add_tie(self, use->node, use->word);
    if (use->kind == PARE_OUTLINE_LISTED) return tie_listed(self, use->node, use->word);
    if (use->kind == PARE_OUTLINE_LOCAL && node_at(self, use->word)->parent == use->node)
        return add_tie(self, use->node, use->word);
    if (use->kind != PARE_OUTLINE_PART && use->kind != PARE_OUTLINE_PLAIN) return PARE_OK;
    if (!self->source->is_member[use->word]) return PARE_OK;
    status = tie_inside(self, use);
    if (status || use->kind == PARE_OUTLINE_PLAIN) return status;
    status = tie_to_function(self, use->node, use->word);
    for (uint32_t i = self->locals.first[use->node];
         !status && i < self->locals.first[use->node + 1]; i++)
        status = tie_to_named(self, use->node, self->locals.to[i], use->word);
    const bool told = self->owner != PARE_NO_WORD && !self->several;
    return status || !told ? status : tie_to_own(self, use->node, self->owner, use->word);
}

/* What is declared: classes, what names are looked up to, and the bases of each node.  First the
 * first part of each node that says what it inherits (own_bases), then by it, for each name, all
 * such parts of the nodes that are called so. */
static pare_status read_declarations(struct inheritance *self)
{
    const pare_outline *outline = self->outline;
    const pare_dependency_pairs *names = self->source->names;
    pare_dependency_pairs bases = {0}, classes = {0}, plain = {0}, aliases = {0};
    const uint32_t other = PARE_OUTLINE_CLASS | PARE_OUTLINE_FUNCTION | PARE_OUTLINE_SHELL;
    pare_status status = PARE_OK;
    for (uint32_t i = 0; i < outline->n_nodes; i++) {
        const pare_outline_node *node = &outline->nodes[i];
        self->own_bases[i] = self->tied[i] = PARE_NO_NODE;
        if (node->roles & PARE_OUTLINE_BASES && node->parent != PARE_NO_NODE &&
            self->own_bases[node->parent] == PARE_NO_NODE)
            self->own_bases[node->parent] = i;
    }
    for (size_t i = 0; !status && i < names->n; i++) {
        uint32_t word = names->at[i].from, node = names->at[i].to;
        const pare_outline_node *at = node_at(self, node);
        if (pare_outline_is_plain(at))
            status = pare_dependency_lists_add(&plain, word, node, self->err);
        if (!status && pare_outline_is_plain(at) && !(at->roles & other))
            status = pare_dependency_lists_add(&aliases, word, node, self->err);
        if (!status && at->roles & PARE_OUTLINE_CLASS)
            status = pare_dependency_lists_add(&classes, word, node, self->err);
        for (uint32_t k = self->own_bases[node]; !status && k < at->after;
             k = node_at(self, k)->after)
            if (node_at(self, k)->roles & PARE_OUTLINE_BASES)
                status = pare_dependency_lists_add(&bases, word, k, self->err);
    }
    if (!status)
        status = pare_dependency_lists_make(&bases, outline->n_words, &self->bases, self->err);
    if (!status)
        status = pare_dependency_lists_make(&classes, outline->n_words, &self->classes, self->err);
    if (!status)
        status = pare_dependency_lists_make(&plain, outline->n_words, &self->plain, self->err);
    if (!status)
        status = pare_dependency_lists_make(&aliases, outline->n_words, &self->aliases, self->err);
    pare_alloc_free(bases.at);
    pare_alloc_free(classes.at);
    pare_alloc_free(plain.at);
    pare_alloc_free(aliases.at);
    return status;
}

/* What is used: classes with bases, and local variables.  Only words count that lead to
 * something, so that lists stay short; of bases all words, as they may name classes that are
 * declared elsewhere. */
static pare_status read_users(struct inheritance *self)
{
    const pare_outline *outline = self->outline;
    pare_dependency_pairs namers = {0}, locals = {0};
    pare_status status = PARE_OK;
    bool any = self->bases.first[outline->n_words] > 0 || self->classes.first[outline->n_words] > 0;
    for (size_t i = 0; !status && any && i < outline->n_uses; i++) {
        const pare_outline_use *use = &outline->uses[i];
        if (use->kind == PARE_OUTLINE_HELD) continue; /* a node, no word */
        if (use->kind == PARE_OUTLINE_LOCAL)
            status = pare_dependency_lists_add(&locals, use->node, use->word, self->err);
        else if (node_at(self, use->node)->roles & PARE_OUTLINE_BASES ||
                 self->bases.first[use->word] < self->bases.first[use->word + 1] ||
                 self->classes.first[use->word] < self->classes.first[use->word + 1] ||
                 names_typed(self, use->word))
            status = pare_dependency_lists_add(&namers, use->node, use->word, self->err);
    }
    if (!status)
        status = pare_dependency_lists_make(&namers, outline->n_nodes, &self->namers, self->err);
    if (!status)
        status = pare_dependency_lists_make(&locals, outline->n_nodes, &self->locals, self->err);
    pare_alloc_free(namers.at);
    pare_alloc_free(locals.at);
    return status;
}

/* Ends what was read. */
static void inheritance_done(struct inheritance *self)
{
    pare_dependency_lists_done(&self->plain);
    pare_dependency_lists_done(&self->aliases);
    pare_dependency_lists_done(&self->classes);
    pare_dependency_lists_done(&self->bases);
    pare_dependency_lists_done(&self->namers);
    pare_dependency_lists_done(&self->locals);
    pare_alloc_free(self->own_bases);
    pare_alloc_free(self->tied);
    pare_alloc_free(self->by_word);
    pare_alloc_free(self->by_node);
    pare_alloc_free(self->ties.at);
}

/* The outline is only read. */
pare_status pare_dependency_bases_tie(const pare_dependency_bases_source *source,
                                      pare_dependency_lists *ties, pare_error *err)
{
    const pare_outline *outline = source->outline;
    struct inheritance self = {
        .source = source, .outline = outline, .named = source->named, .err = err};
    self.own_bases = pare_alloc(outline->n_nodes, sizeof *self.own_bases);
    self.tied = pare_alloc(outline->n_nodes, sizeof *self.tied);
    self.by_word = pare_alloc_zero(outline->n_words, sizeof *self.by_word);
    self.by_node = pare_alloc_zero(outline->n_nodes, sizeof *self.by_node);
    bool all = self.own_bases && self.tied && self.by_word && self.by_node;
    pare_status status = all ? read_declarations(&self) : pare_fail_nomem(err);
    if (!status) status = read_users(&self);
    for (size_t i = 0; !status && i < outline->n_uses; i++)
        status = tie_use(&self, &outline->uses[i]);
    if (!status) status = tie_declaring(&self);
    /* A member that is declared outside of its class is an error without its body, and so is a friend
     * that has attributes. */
    for (uint32_t i = 0; !status && i < outline->n_nodes; i++) {
        const pare_outline_node *node = &outline->nodes[i];
        if (node->roles & PARE_OUTLINE_BODY && node->parent != PARE_NO_NODE &&
            node->roles & PARE_OUTLINE_FORCED &&
            outline->nodes[node->parent].roles & (PARE_OUTLINE_OUTSIDE | PARE_OUTLINE_TIED))
            status = add_tie(&self, node->parent, i);
    }
    if (!status) status = pare_dependency_lists_make(&self.ties, outline->n_nodes, ties, err);
    inheritance_done(&self);
    return status;
}
