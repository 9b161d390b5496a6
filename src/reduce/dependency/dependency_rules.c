/* The rules of what needs what, as clauses over nodes and facts.
 *
 * For each name there are facts: it is used, in one of the spaces that declare it (USED); it is
 * used as a member's (MEMBER); some node that declares it is kept (PRESENT).  What uses a name
 * leads to facts, and facts lead to what declares it; so n uses of a name with m declarations are
 * n + m edges.  The rules:
 *   a node needs its parent; a parent needs what is forced in it
 *   a use of a name needs what declares it in the spaces around, in the space that qualifies it,
 *     or, where that cannot be told, anywhere
 *   one of several functions of a name is needed when the classes in its signature are kept; if
 *     that is so of none, the first
 *   a member is needed when its parent is kept and its name is used as a member's
 *   a specialisation is needed when its name, and the classes in its arguments, are there
 *   what is tied to something is needed when that is kept and, if it has a name, the name is used
 *   with the fact BODIES, a function needs its body, and one that is defined outside of its class
 *     is needed like a member; a variable that is defined there is so in any case
 * Rules err on the side of what compiles.
 * Source: Kalhauge and Palsberg (PLDI 2021) for clauses with several premises; which rules decide
 * was measured (docs/lab/dependency.md). */
#include "reduce/dependency/dependency_rules.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/vector.h"
#include "parse/parse_tree.h"

/* The first fact: bodies stay with their functions. */
enum { BODIES = 0 };

enum fact_kind { FACT_BODIES, FACT_USED, FACT_MEMBER, FACT_PRESENT, FACT_OPERATOR };

/* A fact; those of one word are linked. */
struct fact {
    enum fact_kind kind;
    uint32_t word, space;
    uint32_t next; /* of the same word, or PARE_NO_WORD */
    uint32_t n_functions;
    bool opened; /* a name space of that name was seen */
};

/* Two numbers that belong together: an edge, a provider of a fact, a premise of a clause. */
struct pair {
    uint32_t from, to;
};

/* A growing array of them. */
struct pairs {
    struct pair *at; /* owned */
    size_t n, capacity;
};

/* Clauses in the making. */
struct maker {
    const pare_outline *outline;
    pare_error *err;
    struct fact *facts; /* owned */
    size_t n_facts, fact_capacity;
    uint32_t *first_fact; /* owned; by word */
    struct pairs edges, providers, premises, heads, named, always;
    pare_dependency_lists signatures; /* node: words of classes */
    unsigned char *is_class;          /* owned; by word: a class of that name is declared */
    unsigned char *is_named;          /* owned; by node: it declares a name */
};

enum { MOST_PREMISES = 8 }; /* classes of a signature that count */

/* Appends a pair. */
static pare_status add(struct maker *maker, struct pairs *pairs, uint32_t from, uint32_t to)
{
    struct pair *at = pare_vector_grow(pairs->at, pairs->n, &pairs->capacity, sizeof *at);
    if (!at) return pare_fail_nomem(maker->err);
    pairs->at = at;
    at[pairs->n++] = (struct pair){from, to};
    return PARE_OK;
}

/* The number of a fact among nodes and facts. */
static uint32_t number(const struct maker *maker, uint32_t fact)
{
    return (uint32_t)maker->outline->n_nodes + fact;
}

static const pare_outline_node *node_at(const struct maker *maker, uint32_t node)
{
    return &maker->outline->nodes[node];
}

/* --- facts ---------------------------------------------------------------------------------- */

/* The fact of that kind, word and space; PARE_NO_WORD: there is none. */
static uint32_t find_fact(const struct maker *maker, enum fact_kind kind, uint32_t word,
                          uint32_t space)
{
    for (uint32_t i = maker->first_fact[word]; i != PARE_NO_WORD; i = maker->facts[i].next)
        if (maker->facts[i].kind == kind && maker->facts[i].space == space) return i;
    return PARE_NO_WORD;
}

/* Sets *out to the fact of that kind, word and space, which may be a new one.  Without a word it is always
 * new: facts are found by their words. */
static pare_status make_fact(struct maker *maker, enum fact_kind kind, uint32_t word,
                             uint32_t space, uint32_t *out)
{
    if (word != PARE_NO_WORD) {
        *out = find_fact(maker, kind, word, space);
        if (*out != PARE_NO_WORD) return PARE_OK;
    }
    struct fact *facts =
        pare_vector_grow(maker->facts, maker->n_facts, &maker->fact_capacity, sizeof *facts);
    if (!facts) return pare_fail_nomem(maker->err);
    maker->facts = facts;
    *out = (uint32_t)maker->n_facts++;
    facts[*out] = (struct fact){.kind = kind, .word = word, .space = space, .next = PARE_NO_WORD};
    if (word == PARE_NO_WORD) return PARE_OK;
    facts[*out].next = maker->first_fact[word];
    maker->first_fact[word] = *out;
    return PARE_OK;
}

/* The fact that a node which declares `word` is kept; made when a clause asks for it. */
static pare_status present(struct maker *maker, uint32_t word, uint32_t *out)
{
    pare_status status = make_fact(maker, FACT_PRESENT, word, 0, out);
    if (!status) *out = number(maker, *out);
    return status;
}

/* --- declarations ----------------------------------------------------------------------- */

/* Whether names are looked up to it: what is found otherwise is not. */
static bool is_plain(const pare_outline_node *node)
{
    return !(node->roles & (PARE_OUTLINE_MEMBER | PARE_OUTLINE_SPECIAL | PARE_OUTLINE_OUTSIDE));
}

/* Opens a clause; its premises follow by add_premise. */
static pare_status add_clause(struct maker *maker, uint32_t head)
{
    return add(maker, &maker->heads, head, 0);
}

/* A premise of the clause that was opened last. */
static pare_status add_premise(struct maker *maker, uint32_t premise)
{
    maker->heads.at[maker->heads.n - 1].to++;
    return add(maker, &maker->premises, premise, (uint32_t)maker->heads.n - 1);
}

/* The classes in the node's signature are premises of the last clause: an overload is of no use without its
 * arguments.  Of MOST_PREMISES at most, since a clause with too few premises only keeps too much. */
static pare_status add_signature(struct maker *maker, uint32_t node)
{
    pare_status status = PARE_OK;
    const pare_dependency_lists *lists = &maker->signatures;
    uint32_t end = lists->first[node + 1], n = 0;
    for (uint32_t i = lists->first[node]; !status && i < end && n < MOST_PREMISES; i++) {
        uint32_t premise;
        if (!maker->is_class[lists->to[i]]) continue;
        status = present(maker, lists->to[i], &premise);
        if (!status) status = add_premise(maker, premise);
        n++;
    }
    return status;
}

/* The node declares the word: which facts provide for it. */
static pare_status declare(struct maker *maker, uint32_t node, uint32_t word)
{
    const pare_outline_node *at = node_at(maker, node);
    bool member = at->roles & PARE_OUTLINE_MEMBER;
    uint32_t fact;
    if (!member && !is_plain(at)) return PARE_OK;
    pare_status status =
        make_fact(maker, member ? FACT_MEMBER : FACT_USED, word, member ? 0 : at->space, &fact);
    /* Of a name space that is opened again, the first part declares it. */
    bool shell = at->roles & PARE_OUTLINE_SHELL;
    if (status || (shell && maker->facts[fact].opened)) return status;
    maker->facts[fact].opened = maker->facts[fact].opened || shell;
    if (!member && at->roles & PARE_OUTLINE_FUNCTION) maker->facts[fact].n_functions++;
    return add(maker, &maker->providers, fact, node);
}

/* What a fact leads to at a node that provides for it. */
static pare_status provide(struct maker *maker, uint32_t fact, uint32_t node)
{
    const pare_outline_node *at = node_at(maker, node);
    uint32_t used = number(maker, fact);
    pare_status status = PARE_OK;
    if (at->roles & PARE_OUTLINE_MEMBER &&
        (at->parent != PARE_NO_NODE || at->roles & PARE_OUTLINE_TIED)) {
        status = add_clause(maker, node);
        if (!status && at->parent != PARE_NO_NODE) status = add_premise(maker, at->parent);
        if (!status && at->roles & PARE_OUTLINE_TIED) status = add_signature(maker, node);
        return status ? status : add_premise(maker, used);
    }
    bool overloaded = at->roles & PARE_OUTLINE_FUNCTION && maker->facts[fact].n_functions > 1;
    if (!overloaded) return add(maker, &maker->edges, used, node);
    status = add_clause(maker, node);
    if (!status) status = add_premise(maker, used);
    return status ? status : add_signature(maker, node);
}

/* Whether a function of that name may be called by a sign, or by a loop. */
static bool is_operator(const struct maker *maker, uint32_t word)
{
    static const char name[] = "operator";
    const pare_outline_word *text = &maker->outline->words[word];
    return text->size > strlen(name) &&
           memcmp(maker->outline->texts.data + text->at, name, strlen(name)) == 0;
}

/* An operator at no class is needed when its sign is used and the classes in its signature are
 * kept. */
static pare_status add_operator(struct maker *maker, uint32_t node, uint32_t word)
{
    const pare_outline_node *at = node_at(maker, node);
    uint32_t fact;
    bool alone = at->roles & PARE_OUTLINE_FUNCTION && is_plain(at);
    if (!alone || !is_operator(maker, word)) return PARE_OK;
    pare_status status = make_fact(maker, FACT_OPERATOR, word, 0, &fact);
    if (!status) status = add_clause(maker, node);
    if (!status) status = add_premise(maker, number(maker, fact));
    return status ? status : add_signature(maker, node);
}

/* Whether the function has a body; `constant C::x(1);` looks like one. */
static bool has_body(const pare_outline *outline, uint32_t node)
{
    for (uint32_t i = node + 1; i < outline->nodes[node].after; i = outline->nodes[i].after)
        if (outline->nodes[i].roles & PARE_OUTLINE_BODY) return true;
    return false;
}

/* A specialisation, or a member that is defined outside. */
static pare_status add_special(struct maker *maker, uint32_t node, uint32_t word)
{
    const pare_outline_node *at = node_at(maker, node);
    uint32_t premise, fact;
    bool outside = at->roles & PARE_OUTLINE_OUTSIDE;
    if (!outside && !(at->roles & PARE_OUTLINE_SPECIAL)) return PARE_OK;
    pare_status status = add_clause(maker, node);
    if (status) return status;
    if (outside) {
        /* The value of a constant may be needed where a function's body is not. */
        if (has_body(maker->outline, node)) status = add_premise(maker, number(maker, BODIES));
        if (!status) status = make_fact(maker, FACT_MEMBER, word, 0, &fact);
        if (!status) status = add_premise(maker, number(maker, fact));
    } else {
        status = present(maker, word, &premise);
        if (!status) status = add_premise(maker, premise);
        fact = status ? PARE_NO_WORD : find_fact(maker, FACT_USED, word, at->space);
        if (fact != PARE_NO_WORD) status = add(maker, &maker->edges, node, number(maker, fact));
    }
    return status ? status : add_signature(maker, node);
}

/* What is tied, and has no name of its own, is needed with what it is tied to. */
static pare_status tie(struct maker *maker, uint32_t node)
{
    const pare_outline_node *at = node_at(maker, node);
    bool tied = at->roles & PARE_OUTLINE_TIED && !(at->roles & PARE_OUTLINE_MEMBER);
    if (!tied) return PARE_OK;
    pare_status status = add_clause(maker, node);
    if (!status && at->parent != PARE_NO_NODE) status = add_premise(maker, at->parent);
    return status ? status : add_signature(maker, node);
}

/* Whether the node is in none, or only in what has no name, which nobody needs: `extern "C" {`. */
static bool is_at_file_level(const struct maker *maker, uint32_t node)
{
    uint32_t parent = node_at(maker, node)->parent;
    while (parent != PARE_NO_NODE && node_at(maker, parent)->roles & PARE_OUTLINE_SHELL &&
           !maker->is_named[parent])
        parent = node_at(maker, parent)->parent;
    return parent == PARE_NO_NODE;
}

/* What holds of a node by its place and kind. */
static pare_status place(struct maker *maker, uint32_t node)
{
    const pare_outline_node *at = node_at(maker, node);
    pare_status status = tie(maker, node);
    if (status) return status;
    bool forced = at->roles & PARE_OUTLINE_FORCED;
    bool line = at->roles & PARE_OUTLINE_LINE;
    if (at->parent == PARE_NO_NODE) return forced ? add(maker, &maker->always, node, 0) : PARE_OK;
    status = add(maker, &maker->edges, node, at->parent);
    if (!status && forced && !line && is_at_file_level(maker, node))
        status = add(maker, &maker->always, node, 0);
    if (!status && forced) status = add(maker, &maker->edges, at->parent, node);
    if (status || forced || !(at->roles & PARE_OUTLINE_BODY)) return status;
    status = add_clause(maker, node);
    if (!status) status = add_premise(maker, at->parent);
    return status ? status : add_premise(maker, number(maker, BODIES));
}

/* --- uses --------------------------------------------------------------------------------- */

/* Whether `space` is `inner` or around it. */
static bool is_around(const pare_outline *outline, uint32_t space, uint32_t inner)
{
    while (outline->spaces[inner].depth > outline->spaces[space].depth)
        inner = outline->spaces[inner].parent;
    return space == inner;
}

/* Whether the space, or one around it, is called `word`. */
static bool is_in(const pare_outline *outline, uint32_t space, uint32_t word)
{
    for (; space; space = outline->spaces[space].parent)
        if (outline->spaces[space].word == word) return true;
    return false;
}

/* How well a fact's space agrees with a use: 0 not at all, more is better. */
static unsigned agreement(const struct maker *maker, const pare_outline_use *use, uint32_t space)
{
    const pare_outline *outline = maker->outline;
    const pare_outline_space *at = &outline->spaces[space];
    const bool inside = is_around(outline, space, outline->nodes[use->node].scope);
    if (use->kind == PARE_OUTLINE_IMPORTED && at->word == use->qualifier) return 2;
    if (at->closed && !inside) return 0;
    if (use->kind == PARE_OUTLINE_PLAIN) return inside ? 2 : 1;
    if (use->kind != PARE_OUTLINE_QUALIFIED) return 1;
    if (space && outline->spaces[space].word == use->qualifier) return 3;
    return is_in(outline, space, use->qualifier) ? 2 : 0;
}

/* The node needs what the use may mean: of all facts of the word those that agree best. */
static pare_status look_up(struct maker *maker, const pare_outline_use *use)
{
    unsigned best = 0;
    pare_status status = PARE_OK;
    uint32_t i = maker->first_fact[use->word];
    for (; i != PARE_NO_WORD; i = maker->facts[i].next) {
        if (maker->facts[i].kind != FACT_USED) continue;
        unsigned own = agreement(maker, use, maker->facts[i].space);
        if (own > best) best = own;
    }
    for (i = maker->first_fact[use->word]; !status && best && i != PARE_NO_WORD;
         i = maker->facts[i].next)
        if (maker->facts[i].kind == FACT_USED &&
            agreement(maker, use, maker->facts[i].space) == best)
            status = add(maker, &maker->edges, use->node, number(maker, i));
    return status;
}

/* Members are told by their names alone, whatever stands before them: the type of an expression is not known
 * here.  A local variable is a need of the statement that declares it. */
static pare_status use_name(struct maker *maker, const pare_outline_use *use)
{
    pare_status status = PARE_OK;
    if (use->kind == PARE_OUTLINE_SIGNATURE || use->kind == PARE_OUTLINE_MADE) return PARE_OK;
    if (use->kind == PARE_OUTLINE_LOCAL) return add(maker, &maker->edges, use->node, use->word);
    uint32_t member = find_fact(maker, FACT_MEMBER, use->word, 0);
    if (member != PARE_NO_WORD)
        status = add(maker, &maker->edges, use->node, number(maker, member));
    if (!status && use->kind == PARE_OUTLINE_OPERATOR) {
        uint32_t sign = find_fact(maker, FACT_OPERATOR, use->word, 0);
        return sign == PARE_NO_WORD ? PARE_OK
                                    : add(maker, &maker->edges, use->node, number(maker, sign));
    }
    if (status || use->kind == PARE_OUTLINE_PART || use->kind == PARE_OUTLINE_INSIDE) return status;
    return look_up(maker, use);
}

/* --- all ------------------------------------------------------------------------------------ */

/* Makes lists of pairs by counting sort, in the order of the pairs: `from` less `base` is below `n`.
 * first[i + 2] counts those of i; after the sums first[i + 1] is where they begin, and once they are in place,
 * where they end, which is where those of i + 1 begin. */
static pare_status make_lists(const struct pairs *pairs, uint32_t base, size_t n,
                              pare_dependency_lists *out, pare_error *err)
{
    uint32_t *first = pare_alloc_zero(n + 2, sizeof *first);
    uint32_t *to = pare_alloc(pairs->n, sizeof *to);
    if (!first || !to) {
        pare_alloc_free(first);
        pare_alloc_free(to);
        return pare_fail_nomem(err);
    }
    for (size_t i = 0; i < pairs->n; i++)
        first[pairs->at[i].from - base + 2]++;
    for (size_t i = 2; i < n + 2; i++)
        first[i] += first[i - 1];
    for (size_t i = 0; i < pairs->n; i++)
        to[first[pairs->at[i].from - base + 1]++] = pairs->at[i].to;
    *out = (pare_dependency_lists){first, to};
    return PARE_OK;
}

static void lists_done(pare_dependency_lists *lists)
{
    pare_alloc_free(lists->first);
    pare_alloc_free(lists->to);
}

/* Classes in signatures, by node; not the node's own name. */
static pare_status read_signatures(struct maker *maker)
{
    const pare_outline *outline = maker->outline;
    struct pairs pairs = {0};
    pare_status status = PARE_OK;
    for (size_t i = 0; i < outline->n_names; i++) {
        const pare_outline_name *name = &outline->names[i];
        const pare_outline_node *node = node_at(maker, name->node);
        if (node->roles & PARE_OUTLINE_CLASS && is_plain(node)) maker->is_class[name->word] = 1;
    }
    for (size_t i = 0; !status && i < outline->n_uses; i++)
        if (outline->uses[i].kind == PARE_OUTLINE_SIGNATURE)
            status = add(maker, &pairs, outline->uses[i].node, outline->uses[i].word);
    if (!status) status = make_lists(&pairs, 0, outline->n_nodes, &maker->signatures, maker->err);
    pare_alloc_free(pairs.at);
    return status;
}

/* Facts and providers of all names. */
static pare_status declare_all(struct maker *maker)
{
    const pare_outline *outline = maker->outline;
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < outline->n_names; i++) {
        const pare_outline_name *name = &outline->names[i];
        status = add(maker, &maker->named, name->word, name->node);
        if (!status) status = declare(maker, name->node, name->word);
    }
    return status;
}

/* Clauses of what is declared; facts may become more meanwhile. */
static pare_status provide_all(struct maker *maker)
{
    const pare_outline *outline = maker->outline;
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < maker->providers.n; i++)
        status = provide(maker, maker->providers.at[i].from, maker->providers.at[i].to);
    for (size_t i = 0; !status && i < outline->n_names; i++) {
        const pare_outline_name *name = &outline->names[i];
        bool first = i == 0 || outline->names[i - 1].node != name->node;
        if (first) status = add_special(maker, name->node, name->word);
        if (!status) status = add_operator(maker, name->node, name->word);
        if (!status && node_at(maker, name->node)->roles & PARE_OUTLINE_VIRTUAL) {
            uint32_t member = find_fact(maker, FACT_MEMBER, name->word, 0);
            if (member != PARE_NO_WORD)
                status = add(maker, &maker->edges, name->node, number(maker, member));
        }
    }
    return status;
}

/* Edges to the facts that say that a name is there, from what declares it. */
static pare_status present_all(struct maker *maker)
{
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < maker->named.n; i++) {
        uint32_t word = maker->named.at[i].from, node = maker->named.at[i].to;
        uint32_t fact = find_fact(maker, FACT_PRESENT, word, 0);
        if (fact != PARE_NO_WORD && is_plain(node_at(maker, node)))
            status = add(maker, &maker->edges, node, number(maker, fact));
    }
    return status;
}

/* All rules. */
static pare_status apply(struct maker *maker)
{
    const pare_outline *outline = maker->outline;
    uint32_t bodies;
    pare_status status = make_fact(maker, FACT_BODIES, PARE_NO_WORD, 0, &bodies);
    assert(status || bodies == BODIES);
    if (!status) status = read_signatures(maker);
    if (!status) status = declare_all(maker);
    if (!status) status = provide_all(maker);
    for (uint32_t i = 0; !status && i < outline->n_nodes; i++)
        status = place(maker, i);
    for (uint32_t i = 0; !status && i < outline->n_uses; i++)
        status = use_name(maker, &outline->uses[i]);
    return status ? status : present_all(maker);
}

/* --- bases ---------------------------------------------------------------------------------- */

/* What is known of a class's name, or of bases, in the search at hand. */
struct visit {
    uint32_t search; /* in which it was reached last, from 1 on */
    uint8_t depth;   /* the least one of that search */
    bool found;      /* what is looked for is there, or behind it */
};

/* Through which bases members are reached. */
struct inheritance {
    struct maker *maker;
    const pare_dependency_lists *named; /* word: nodes, in the order of the text */
    pare_dependency_lists plain;        /* owned; word: of these, those that it is looked up to */
    pare_dependency_lists classes;      /* owned; word: classes of that name */
    pare_dependency_lists bases;        /* owned; word: bases of the classes that are called so */
    pare_dependency_lists namers;       /* owned; node: of these words those it names; bases: all */
    pare_dependency_lists locals;       /* owned; node: statements whose variables it uses */
    uint32_t *own_bases;                /* owned; node: its bases, or PARE_NO_NODE */
    uint32_t *tied;                  /* owned; node: which was tied to it last, or PARE_NO_NODE */
    struct visit *by_word, *by_node; /* owned */
    uint32_t n_searches;
    struct pairs ties; /* owned */
};

enum {
    MOST_BASES = 16, /* of classes of one name: specialisations */
    MOST_DEPTH = 4   /* of bases of bases */
};

/* The node cannot do without `part`; what it was tied to just before is not told again. */
static pare_status add_tie(struct inheritance *self, uint32_t node, uint32_t part)
{
    if (self->tied[part] == node) return PARE_OK;
    self->tied[part] = node;
    return add(self->maker, &self->ties, node, part);
}

/* Whether the search is to go on from there: it was not there before, or too deep to see as much. */
static bool visit(const struct inheritance *self, struct visit *at, unsigned depth)
{
    if (at->search == self->n_searches && at->depth <= depth) return false;
    *at = (struct visit){.search = self->n_searches, .depth = (uint8_t)depth};
    return true;
}

/* The first of the nodes which declare `word` that is not before `node`: an index of named->to. */
static uint32_t first_named(const struct inheritance *self, uint32_t word, uint32_t node)
{
    uint32_t low = self->named->first[word], high = self->named->first[word + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (self->named->to[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first member of the class's own that is called `word`; PARE_NO_NODE: there is none or, with `only`,
 * there are several. */
static uint32_t find_own(const struct inheritance *self, uint32_t class, uint32_t word, bool only)
{
    uint32_t own = PARE_NO_NODE, end = node_at(self->maker, class)->after;
    for (uint32_t i = first_named(self, word, class + 1);
         i < self->named->first[word + 1] && self->named->to[i] < end; i++) {
        if (node_at(self->maker, self->named->to[i])->parent != class) continue;
        if (own != PARE_NO_NODE) return PARE_NO_NODE;
        own = self->named->to[i];
        if (!only) return own;
    }
    return own;
}

/* The node uses `word` of something whose type is, or may be, a class called `class`: of those that have
 * it not themselves the bases have, or the bases of those.  Recursion ends at MOST_DEPTH. */
static pare_status tie_to(struct inheritance *self, uint32_t node, uint32_t class, uint32_t word,
                          unsigned depth)
{
    const pare_dependency_lists *bases = &self->bases;
    uint32_t first = bases->first[class], end = bases->first[class + 1];
    pare_status status = PARE_OK;
    if (end - first > MOST_BASES || depth == MOST_DEPTH) return PARE_OK;
    if (!visit(self, &self->by_word[class], depth)) return PARE_OK;
    for (uint32_t i = first; !status && i < end; i++) {
        uint32_t base = bases->to[i], owner = node_at(self->maker, base)->parent;
        bool inside = node >= owner && node < node_at(self->maker, owner)->after;
        if (inside || find_own(self, owner, word, false) != PARE_NO_NODE) continue;
        status = add_tie(self, node, base);
        uint32_t end_namers = self->namers.first[base + 1];
        for (uint32_t k = self->namers.first[base]; !status && k < end_namers; k++)
            if (self->namers.to[k] != class)
                status = tie_to(self, node, self->namers.to[k], word, depth + 1);
    }
    return status;
}

/* The class that the node is a part of, or PARE_NO_NODE. */
static uint32_t class_around(const struct inheritance *self, uint32_t node)
{
    uint32_t class = node_at(self->maker, node)->parent;
    while (class != PARE_NO_NODE && !(node_at(self->maker, class)->roles & PARE_OUTLINE_CLASS))
        class = node_at(self->maker, class)->parent;
    return class;
}

/* Whether a class called `class` has a member of its own called `word`. */
static bool is_member_of(const struct inheritance *self, uint32_t class, uint32_t word)
{
    const pare_dependency_lists *classes = &self->classes;
    for (uint32_t i = classes->first[class]; i < classes->first[class + 1]; i++)
        if (find_own(self, classes->to[i], word, false) != PARE_NO_NODE) return true;
    return false;
}

/* Ties the node to `base` if `word` is a member of a class in it, or of one of their bases, and to those
 * on the way there; *found: it is.  Recursion ends at MOST_DEPTH. */
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

/* In a class a name is a member of its own, whoever else has one of that name, or else may be one of its
 * bases. */
static pare_status tie_inside(struct inheritance *self, const pare_outline_use *use)
{
    uint32_t class = class_around(self, use->node);
    bool found;
    if (class == PARE_NO_NODE) return PARE_OK;
    uint32_t own = find_own(self, class, use->word, true), base = self->own_bases[class];
    bool inside =
        own != PARE_NO_NODE && use->node >= own && use->node < node_at(self->maker, own)->after;
    if (own != PARE_NO_NODE && use->kind == PARE_OUTLINE_PLAIN && !inside)
        return add_tie(self, use->node, own);
    if (base == PARE_NO_NODE || base == use->node ||
        (find_own(self, class, use->word, false) != PARE_NO_NODE))
        return PARE_OK;
    self->n_searches++;
    return tie_on_the_way(self, use->node, base, use->word, 0, &found);
}

/* What a constructor begins with is a data member, or else a base, whose name may be an alias. */
static pare_status tie_made(struct inheritance *self, const pare_outline_use *use)
{
    uint32_t class = class_around(self, use->node);
    if (class == PARE_NO_NODE) return PARE_OK;
    uint32_t own = find_own(self, class, use->word, true), base = self->own_bases[class];
    pare_status status = own == PARE_NO_NODE ? PARE_OK : add_tie(self, use->node, own);
    bool data = own != PARE_NO_NODE && node_at(self->maker, own)->roles & PARE_OUTLINE_DATA;
    return status || data || base == PARE_NO_NODE ? status : add_tie(self, use->node, base);
}

/* A name that is used before its definition needs what declares it before that, if only one does. */
static pare_status tie_forward(struct inheritance *self, const pare_outline_use *use)
{
    const pare_dependency_lists *plain = &self->plain;
    uint32_t first = plain->first[use->word], end = plain->first[use->word + 1];
    if (first == end) return PARE_OK;
    uint32_t before = plain->to[first], own = first_named(self, use->word, use->node);
    bool only = before < use->node && (end - first == 1 || plain->to[first + 1] > use->node);
    bool declares = own < self->named->first[use->word + 1] && self->named->to[own] == use->node;
    bool forward = only && !declares &&
                   node_at(self->maker, before)->roles & PARE_OUTLINE_FORWARD &&
                   use->node >= node_at(self->maker, before)->after;
    return forward ? add_tie(self, use->node, before) : PARE_OK;
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

/* The classes that the node names, and what is around it, as far as it is a function: parameters. */
static pare_status tie_to_function(struct inheritance *self, uint32_t node, uint32_t word)
{
    pare_status status = tie_to_named(self, node, node, word);
    uint32_t around = node;
    while (!status && around != PARE_NO_NODE &&
           node_at(self->maker, around)->roles & (PARE_OUTLINE_PIECE | PARE_OUTLINE_BODY)) {
        around = node_at(self->maker, around)->parent;
        if (around != PARE_NO_NODE) status = tie_to_named(self, node, around, word);
    }
    return status;
}

/* Of `a<..>::m` the class is told; of `x.m` it is one that the statement or its function names, or that of
 * the variable; or it is a base of the class around.  What a body itself uses of its statements' variables, as
 * `return` does in constant functions, ties it to them. */
static pare_status tie_use(struct inheritance *self, const pare_outline_use *use)
{
    bool looked_up = use->kind == PARE_OUTLINE_PLAIN || use->kind == PARE_OUTLINE_QUALIFIED ||
                     use->kind == PARE_OUTLINE_GLOBAL;
    pare_status status = looked_up ? tie_forward(self, use) : PARE_OK;
    if (status) return status;
    self->n_searches++;
    if (use->kind == PARE_OUTLINE_INSIDE || use->kind == PARE_OUTLINE_QUALIFIED)
        return tie_to(self, use->node, use->qualifier, use->word, 0);
    if (use->kind == PARE_OUTLINE_MADE) return tie_made(self, use);
    if (use->kind == PARE_OUTLINE_LOCAL && node_at(self->maker, use->word)->parent == use->node)
        return add_tie(self, use->node, use->word);
    if (use->kind != PARE_OUTLINE_PART && use->kind != PARE_OUTLINE_PLAIN) return PARE_OK;
    if (find_fact(self->maker, FACT_MEMBER, use->word, 0) == PARE_NO_WORD) return PARE_OK;
    status = tie_inside(self, use);
    if (status || use->kind == PARE_OUTLINE_PLAIN) return status;
    status = tie_to_function(self, use->node, use->word);
    for (uint32_t i = self->locals.first[use->node];
         !status && i < self->locals.first[use->node + 1]; i++)
        status = tie_to_named(self, use->node, self->locals.to[i], use->word);
    return status;
}

/* What is declared: classes, what names are looked up to, and the bases of each node. */
static pare_status read_declarations(struct inheritance *self)
{
    struct maker *maker = self->maker;
    const pare_outline *outline = maker->outline;
    struct pairs bases = {0}, classes = {0}, plain = {0};
    pare_status status = PARE_OK;
    for (uint32_t i = 0; i < outline->n_nodes; i++) {
        const pare_outline_node *node = &outline->nodes[i];
        self->own_bases[i] = self->tied[i] = PARE_NO_NODE;
        if (node->roles & PARE_OUTLINE_BASES && node->parent != PARE_NO_NODE &&
            self->own_bases[node->parent] == PARE_NO_NODE)
            self->own_bases[node->parent] = i;
    }
    for (size_t i = 0; !status && i < maker->named.n; i++) {
        uint32_t word = maker->named.at[i].from, node = maker->named.at[i].to;
        const pare_outline_node *at = node_at(maker, node);
        if (is_plain(at)) status = add(maker, &plain, word, node);
        if (!status && at->roles & PARE_OUTLINE_CLASS) status = add(maker, &classes, word, node);
        for (uint32_t k = self->own_bases[node]; !status && k < at->after;
             k = node_at(maker, k)->after)
            if (node_at(maker, k)->roles & PARE_OUTLINE_BASES) status = add(maker, &bases, word, k);
    }
    if (!status) status = make_lists(&bases, 0, outline->n_words, &self->bases, maker->err);
    if (!status) status = make_lists(&classes, 0, outline->n_words, &self->classes, maker->err);
    if (!status) status = make_lists(&plain, 0, outline->n_words, &self->plain, maker->err);
    pare_alloc_free(bases.at);
    pare_alloc_free(classes.at);
    pare_alloc_free(plain.at);
    return status;
}

/* What is used: classes with bases, and local variables. */
static pare_status read_users(struct inheritance *self)
{
    struct maker *maker = self->maker;
    const pare_outline *outline = maker->outline;
    struct pairs namers = {0}, locals = {0};
    pare_status status = PARE_OK;
    bool any = self->bases.first[outline->n_words] > 0;
    for (size_t i = 0; !status && any && i < outline->n_uses; i++) {
        const pare_outline_use *use = &outline->uses[i];
        if (use->kind == PARE_OUTLINE_LOCAL)
            status = add(maker, &locals, use->node, use->word);
        else if (node_at(maker, use->node)->roles & PARE_OUTLINE_BASES ||
                 self->bases.first[use->word] < self->bases.first[use->word + 1])
            status = add(maker, &namers, use->node, use->word);
    }
    if (!status) status = make_lists(&namers, 0, outline->n_nodes, &self->namers, maker->err);
    if (!status) status = make_lists(&locals, 0, outline->n_nodes, &self->locals, maker->err);
    pare_alloc_free(namers.at);
    pare_alloc_free(locals.at);
    return status;
}

/* Ends what was read. */
static void inheritance_done(struct inheritance *self)
{
    lists_done(&self->plain);
    lists_done(&self->classes);
    lists_done(&self->bases);
    lists_done(&self->namers);
    lists_done(&self->locals);
    pare_alloc_free(self->own_bases);
    pare_alloc_free(self->tied);
    pare_alloc_free(self->by_word);
    pare_alloc_free(self->by_node);
    pare_alloc_free(self->ties.at);
}

/* Who cannot do without which bases. */
static pare_status tie_bases(struct maker *maker, const pare_dependency_lists *named,
                             pare_dependency_lists *out)
{
    const pare_outline *outline = maker->outline;
    struct inheritance self = {.maker = maker, .named = named};
    self.own_bases = pare_alloc(outline->n_nodes, sizeof *self.own_bases);
    self.tied = pare_alloc(outline->n_nodes, sizeof *self.tied);
    self.by_word = pare_alloc_zero(outline->n_words, sizeof *self.by_word);
    self.by_node = pare_alloc_zero(outline->n_nodes, sizeof *self.by_node);
    bool all = self.own_bases && self.tied && self.by_word && self.by_node;
    pare_status status = all ? read_declarations(&self) : pare_fail_nomem(maker->err);
    if (!status) status = read_users(&self);
    for (size_t i = 0; !status && i < outline->n_uses; i++)
        status = tie_use(&self, &outline->uses[i]);
    /* A member that is declared outside of its class is an error without its body, and so is a friend
     * that has attributes. */
    for (uint32_t i = 0; !status && i < outline->n_nodes; i++) {
        const pare_outline_node *node = &outline->nodes[i];
        if (node->roles & PARE_OUTLINE_BODY && node->parent != PARE_NO_NODE &&
            node->roles & PARE_OUTLINE_FORCED &&
            outline->nodes[node->parent].roles & (PARE_OUTLINE_OUTSIDE | PARE_OUTLINE_TIED))
            status = add_tie(&self, node->parent, i);
    }
    if (!status) status = make_lists(&self.ties, 0, outline->n_nodes, out, maker->err);
    inheritance_done(&self);
    return status;
}

/* Makes the lists of *out of what was collected.  On failure *out is half made, and to be ended. */
static pare_status write_out(struct maker *maker, pare_dependency_clauses *out)
{
    uint32_t n_nodes = (uint32_t)maker->outline->n_nodes;
    pare_error *err = maker->err;
    out->n_nodes = n_nodes;
    out->n = n_nodes + (uint32_t)maker->n_facts;
    out->n_clauses = maker->heads.n;
    out->n_always = maker->always.n;
    pare_status status = make_lists(&maker->edges, 0, out->n, &out->edges, err);
    if (!status) status = make_lists(&maker->premises, 0, out->n, &out->shared, err);
    if (!status) status = make_lists(&maker->providers, 0, maker->n_facts, &out->providers, err);
    if (!status) status = make_lists(&maker->named, 0, maker->outline->n_words, &out->named, err);
    if (!status) status = tie_bases(maker, &out->named, &out->ties);
    out->heads = pare_alloc(maker->heads.n, sizeof *out->heads);
    out->n_premises = pare_alloc(maker->heads.n, sizeof *out->n_premises);
    out->one_of = pare_alloc_zero(maker->n_facts, 1);
    out->always = pare_alloc(maker->always.n, sizeof *out->always);
    if (status) return status;
    if (!out->heads || !out->n_premises || !out->one_of || !out->always)
        return pare_fail_nomem(err);
    for (size_t i = 0; i < maker->heads.n; i++) {
        out->heads[i] = maker->heads.at[i].from;
        out->n_premises[i] = maker->heads.at[i].to;
    }
    for (size_t i = 0; i < maker->n_facts; i++)
        out->one_of[i] = maker->facts[i].kind == FACT_USED;
    for (size_t i = 0; i < maker->always.n; i++)
        out->always[i] = maker->always.at[i].from;
    return PARE_OK;
}

void pare_dependency_clauses_done(pare_dependency_clauses *clauses)
{
    lists_done(&clauses->edges);
    lists_done(&clauses->shared);
    lists_done(&clauses->providers);
    lists_done(&clauses->named);
    lists_done(&clauses->ties);
    pare_alloc_free(clauses->heads);
    pare_alloc_free(clauses->n_premises);
    pare_alloc_free(clauses->one_of);
    pare_alloc_free(clauses->always);
    *clauses = (pare_dependency_clauses){0};
}

static void clean_up(struct maker *maker)
{
    pare_alloc_free(maker->facts);
    pare_alloc_free(maker->first_fact);
    pare_alloc_free(maker->edges.at);
    pare_alloc_free(maker->providers.at);
    pare_alloc_free(maker->premises.at);
    pare_alloc_free(maker->heads.at);
    pare_alloc_free(maker->named.at);
    pare_alloc_free(maker->always.at);
    pare_alloc_free(maker->is_class);
    pare_alloc_free(maker->is_named);
    lists_done(&maker->signatures);
}

/* The outline is only read. */
pare_status pare_dependency_rules_apply(const pare_outline *outline, pare_dependency_clauses *out,
                                        pare_error *err)
{
    struct maker maker = {.outline = outline, .err = err};
    pare_dependency_clauses made = {0};
    maker.first_fact = pare_alloc(outline->n_words, sizeof *maker.first_fact);
    maker.is_class = pare_alloc_zero(outline->n_words, 1);
    maker.is_named = pare_alloc_zero(outline->n_nodes + 1, 1);
    bool all = maker.first_fact && maker.is_class && maker.is_named;
    pare_status status = all ? PARE_OK : pare_fail_nomem(err);
    for (size_t i = 0; !status && i < outline->n_names; i++)
        maker.is_named[outline->names[i].node] = 1;
    for (size_t i = 0; !status && i < outline->n_words; i++)
        maker.first_fact[i] = PARE_NO_WORD;
    if (!status) status = apply(&maker);
    if (!status) status = write_out(&maker, &made);
    clean_up(&maker);
    if (status)
        pare_dependency_clauses_done(&made);
    else
        *out = made;
    return status;
}
