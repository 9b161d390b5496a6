/* Comparing two prototype graphs: matching their types, then what is different at each pair.
 *
 * Matching: types with equal paths are a pair.  From there pairs spread along members of the same
 * name, and along prototypes, as long as both ends have no partner yet and are of one kind; so an
 * object keeps its identity when the first expression that leads to it has changed.  Invariant:
 * to_new and to_old are inverse to each other.
 *
 * Comparing: members of a pair are merged in the order of their names.  Signatures are compared
 * as keys, lists of numbers in which each type of the older graph is replaced by its partner, so
 * that neither numbers nor notation matter.  A function that came or went as a member of
 * something that is told already is not told again.  Changes are kept in the order of paths, and
 * printed kind by kind.
 *
 * Cost: O(n log n) in types and edges, for the sorting; all else is a merge of two lists. */
#include "ui/graph_views.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <pare/graph.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/vector.h"
#include "ui/format.h"
#include "ui/graph_facts.h"
#include "ui/graph_names.h"
#include "ui/sheet.h"

/* In the order in which they are printed: what is gone breaks programs, so it comes before what is
 * new, and whole types before what is in them. */
enum change_kind {
    TYPE_REMOVED,
    TYPE_ADDED,
    MEMBER_REMOVED,
    MEMBER_ADDED,
    MEMBER_CHANGED,
    KIND_CHANGED,
    CLASS_CHANGED,
    LENGTH_CHANGED,
    PROTOTYPE_CHANGED,
    SIGNATURE_REMOVED,
    SIGNATURE_ADDED,
    N_CHANGE_KINDS
};

/* What is constant of each kind.  A sign of '~' means that a change has a before and an after. */
static const struct {
    const char *name, *title; /* in JSON, and as a heading */
    char sign;
    pare_ink ink;
} change_kinds[N_CHANGE_KINDS] = {
    [TYPE_REMOVED] = {"type-removed", "Types removed", '-', PARE_INK_RED},
    [TYPE_ADDED] = {"type-added", "Types added", '+', PARE_INK_GREEN},
    [MEMBER_REMOVED] = {"member-removed", "Members removed", '-', PARE_INK_RED},
    [MEMBER_ADDED] = {"member-added", "Members added", '+', PARE_INK_GREEN},
    [MEMBER_CHANGED] = {"member-changed", "Members changed", '~', PARE_INK_YELLOW},
    [KIND_CHANGED] = {"kind-changed", "Kinds changed", '~', PARE_INK_YELLOW},
    [CLASS_CHANGED] = {"class-changed", "Classes changed", '~', PARE_INK_YELLOW},
    [LENGTH_CHANGED] = {"length-changed", "Lengths changed", '~', PARE_INK_YELLOW},
    [PROTOTYPE_CHANGED] = {"prototype-changed", "Prototypes changed", '~', PARE_INK_YELLOW},
    [SIGNATURE_REMOVED] = {"signature-removed", "Signatures removed", '-', PARE_INK_RED},
    [SIGNATURE_ADDED] = {"signature-added", "Signatures added", '+', PARE_INK_GREEN},
};

/* Texts are visible already (sheet.h), in the arena; "" where there is nothing. */
struct change {
    enum change_kind kind;
    const char *subject;   /* the type, member or signature */
    const char *was, *now; /* of those that changed */
};

/* Everything that was made is freed with it at once. */
struct pare_graph_changes {
    const pare_graph *older, *newer; /* borrowed */
    uint32_t *to_new, *to_old;       /* partner of each type, or PARE_GRAPH_NONE */
    uint32_t *pairs;                 /* types of the newer graph that have one */
    uint32_t n_pairs;
    struct change *list;
    size_t n, capacity;
    pare_arena texts;
    pare_sheet scratch; /* where a text is made */
};

/* ---- matching -------------------------------------------------------------------- */

/* A type in the order of paths: the path is beside the number, so that sorting and merging need not
 * look into the graph. */
struct place {
    const char *path;
    uint32_t type;
};

/* Types of one path, which only a file made by hand can have, keep the order of their numbers: then
 * the result does not depend on the C library's qsort. */
static int by_path(const void *a, const void *b)
{
    const struct place *left = a, *right = b;
    int order = strcmp(left->path, right->path);
    return order ? order : left->type < right->type ? -1 : left->type > right->type;
}

/* All types in the order of their paths; the caller frees it.  NULL when memory is out.  O(n
 * log n), once for each graph. */
static struct place *sort_types(const pare_graph *graph)
{
    uint32_t n = pare_graph_n_types(graph);
    struct place *places = pare_alloc(n, sizeof *places);
    if (!places) return NULL;
    for (uint32_t i = 0; i < n; i++)
        places[i] = (struct place){pare_graph_type_at(graph, i)->path, i};
    if (n) qsort(places, n, sizeof *places, by_path);
    return places;
}

/* Makes both the same object.  The pair is also put into the queue from which pairs spread; since
 * each type of the newer graph is joined once at most, the queue has room for all. */
static void join(pare_graph_changes *changes, uint32_t old, uint32_t new)
{
    assert(changes->to_new[old] == PARE_GRAPH_NONE && changes->to_old[new] == PARE_GRAPH_NONE);
    changes->to_new[old] = new;
    changes->to_old[new] = old;
    changes->pairs[changes->n_pairs++] = new;
}

/* Merges both lists; of several types with one path the first are partners, and so on.  O(n). */
static void match_paths(pare_graph_changes *changes, const struct place *old,
                        const struct place *new)
{
    uint32_t n_old = pare_graph_n_types(changes->older), n_new = pare_graph_n_types(changes->newer);
    for (uint32_t i = 0, j = 0; i < n_old && j < n_new;) {
        int order = strcmp(old[i].path, new[j].path);
        if (order == 0) join(changes, old[i].type, new[j].type);
        /* Of equal paths both sides go on; otherwise the one that is behind. */
        i += order <= 0;
        j += order >= 0;
    }
}

/* Joins both if neither has a partner, and they may be the same object.  A member that was an
 * object and is a function now is another one: it is told as a member that changed.  Called
 * for members and prototypes alike. */
static void suggest(pare_graph_changes *changes, uint32_t old, uint32_t new)
{
    if (old == PARE_GRAPH_NONE || new == PARE_GRAPH_NONE) return;
    if (changes->to_new[old] != PARE_GRAPH_NONE || changes->to_old[new] != PARE_GRAPH_NONE) return;
    const pare_graph_type *left = pare_graph_type_at(changes->older, old);
    const pare_graph_type *right = pare_graph_type_at(changes->newer, new);
    if (left->kind == right->kind && left->is_instance == right->is_instance)
        join(changes, old, new);
}

/* The two sides of a comparison: property edges of a pair.  A graph keeps them in the order of their
 * names (pare/graph.h), so one pass over both finds what they have in common. */
struct sides {
    const uint32_t *old, *new;
    uint32_t n_old, n_new, i, j;
};

/* The names of a pair's members, before the first one.  O(1): the graph keeps edges by type. */
static struct sides members_of(const pare_graph_changes *changes, uint32_t old, uint32_t new)
{
    struct sides sides = {.i = 0};
    sides.old = pare_graph_edges_from(changes->older, PARE_GRAPH_PROPERTY, old, &sides.n_old);
    sides.new = pare_graph_edges_from(changes->newer, PARE_GRAPH_PROPERTY, new, &sides.n_new);
    return sides;
}

/* The next name: *old and *new are the edges with it, NULL on the side that has none.  False
 * at the end.  Each side is walked once. */
static bool next_member(const pare_graph_changes *changes, struct sides *sides,
                        const pare_graph_edge **old, const pare_graph_edge **new)
{
    /* A side that is at its end counts as having the last name of all. */
    bool left = sides->i < sides->n_old, right = sides->j < sides->n_new;
    *old = left ? pare_graph_edge_at(changes->older, sides->old[sides->i]) : NULL;
    *new = right ? pare_graph_edge_at(changes->newer, sides->new[sides->j]) : NULL;
    int order = left && right ? strcmp((*old)->name, (*new)->name) : left ? -1 : 1;
    if (order > 0) *old = NULL;
    if (order < 0) *new = NULL;
    sides->i += *old != NULL;
    sides->j += *new != NULL;
    return left || right;
}

/* Spreads the pairs; `pairs` is the queue, which grows while it is gone through.  Each pair looks at
 * the edges of its two types once, so all of it is O(edges). */
static void match_members(pare_graph_changes *changes)
{
    for (uint32_t k = 0; k < changes->n_pairs; k++) {
        uint32_t new = changes->pairs[k], old = changes->to_old[new];
        struct sides sides = members_of(changes, old, new);
        const pare_graph_edge *left, *right;
        while (next_member(changes, &sides, &left, &right))
            if (left && right) suggest(changes, left->to, right->to);
        /* A prototype that no member leads to, such as that of iterators. */
        suggest(changes, pare_graph_type_at(changes->older, old)->prototype,
                pare_graph_type_at(changes->newer, new)->prototype);
    }
}

/* ---- telling --------------------------------------------------------------------- */

/* What has been made in the scratch, as a text of the arena; NULL when memory is out.  The
 * scratch is empty afterwards, for the next text. */
static const char *take(pare_graph_changes *changes)
{
    const pare_sheet *scratch = &changes->scratch;
    const char *text = scratch->status ? NULL
                                       : pare_arena_text(&changes->texts, pare_sheet_text(scratch),
                                                         scratch->bytes.size);
    pare_sheet_reset(&changes->scratch);
    return text;
}

/* Adds a change; a NULL text is memory that ran out, so that callers can pass what take gave them
 * without looking at it first. */
static pare_status tell(pare_graph_changes *changes, enum change_kind kind, const char *subject,
                        const char *was, const char *now)
{
    if (!subject || !was || !now) return PARE_E_NOMEM;
    struct change *list =
        pare_vector_grow(changes->list, changes->n, &changes->capacity, sizeof *list);
    if (!list) return PARE_E_NOMEM;
    changes->list = list;
    list[changes->n++] = (struct change){kind, subject, was, now};
    return PARE_OK;
}

/* The name of a type as a text of its own, for both sides of a change: "none" stands for a prototype
 * that is not there. */
static const char *type_text(pare_graph_changes *changes, const pare_graph *graph, uint32_t type)
{
    if (type == PARE_GRAPH_NONE)
        pare_sheet_raw(&changes->scratch, "none");
    else
        pare_graph_names_type(&changes->scratch, graph, type);
    return take(changes);
}

/* Likewise for a number.  Lengths only. */
static const char *number_text(pare_graph_changes *changes, uint32_t number)
{
    pare_sheet_format(&changes->scratch, "%u", (unsigned)number);
    return take(changes);
}

/* Whether `type` gets a line of its own if it has no partner: what has members to offer. */
static bool is_notable(const pare_graph *graph, uint32_t type)
{
    const pare_graph_type *about = pare_graph_type_at(graph, type);
    uint32_t n;
    (void)pare_graph_edges_from(graph, PARE_GRAPH_PROPERTY, type, &n);
    if (about->is_instance) return false;
    /* One member alone is the constructor, in the prototype that each function of a script has. */
    return about->kind == PARE_GRAPH_OBJECT ? n > 1 : pare_graph_facts_constructs(graph, type);
}

/* Whether another line tells of `type` already: that of a member that leads to it, of something
 * notable that has it as a member, or for an instance type whatever tells of its prototype. */
static bool is_told(const pare_graph *graph, const uint32_t *partners, uint32_t type)
{
    uint32_t n, prototype = pare_graph_type_at(graph, type)->prototype;
    const uint32_t *owners = pare_graph_edges_to(graph, PARE_GRAPH_PROPERTY, type, &n);
    if (pare_graph_type_at(graph, type)->is_instance)
        return prototype != PARE_GRAPH_NONE && partners[prototype] == PARE_GRAPH_NONE;
    if (is_notable(graph, type)) return false;
    /* Only what certainly has a line counts: two functions that lead to each other do not. */
    for (uint32_t i = 0; i < n; i++) {
        uint32_t owner = pare_graph_edge_at(graph, owners[i])->from;
        if (partners[owner] != PARE_GRAPH_NONE || is_notable(graph, owner)) return true;
    }
    return false;
}

/* "Iterator.prototype: object, 12 members" for each type without a partner.  O(types + edges
 * into those without a partner). */
static pare_status tell_types(pare_graph_changes *changes, const pare_graph *graph,
                              const struct place *places, const uint32_t *partners,
                              enum change_kind kind)
{
    pare_status status = PARE_OK;
    for (uint32_t i = 0; !status && i < pare_graph_n_types(graph); i++) {
        uint32_t n, type = places[i].type;
        char count[2 * PARE_FORMAT_BYTES];
        const pare_graph_type *about = pare_graph_type_at(graph, type);
        if (partners[type] != PARE_GRAPH_NONE || is_told(graph, partners, type)) continue;
        (void)pare_graph_edges_from(graph, PARE_GRAPH_PROPERTY, type, &n);
        pare_graph_names_type(&changes->scratch, graph, type);
        pare_sheet_format(&changes->scratch, ": %s%s", about->is_instance ? "any " : "",
                          pare_graph_names_kind(about->kind));
        if (n)
            pare_sheet_format(&changes->scratch, ", %s",
                              pare_graph_names_count(count, n, "member", "members"));
        status = tell(changes, kind, take(changes), "", "");
    }
    return status;
}

/* "Array.prototype.at(any) -> ?", "Math.PI: number", or what it is called elsewhere. */
static const char *member_text(pare_graph_changes *changes, const pare_graph *graph,
                               const pare_graph_edge *edge)
{
    uint32_t n, best = pare_graph_names_best(graph, edge->to, &n);
    pare_graph_names_path(&changes->scratch, graph, edge->from, edge->name);
    const char *path = take(changes), *target = type_text(changes, graph, edge->to);
    if (!path || !target) return NULL;
    /* Its own name, so no alias: nothing is to be said of where else it is. */
    bool own = strcmp(path, target) == 0;
    if (own && best != PARE_GRAPH_NONE) {
        pare_graph_names_signature(&changes->scratch, graph, best, NULL);
    } else {
        const char *kind = pare_graph_names_kind(pare_graph_type_at(graph, edge->to)->kind);
        pare_sheet_raw(&changes->scratch, path);
        pare_sheet_raw(&changes->scratch, ": ");
        pare_sheet_raw(&changes->scratch, own ? kind : target);
    }
    return take(changes);
}

/* Members that are in one of a pair, and those that lead to something else now.  A member whose
 * target has another number, but is that target's partner, is as it was. */
static pare_status compare_members(pare_graph_changes *changes, uint32_t old, uint32_t new)
{
    struct sides sides = members_of(changes, old, new);
    const pare_graph_edge *left, *right;
    pare_status status = PARE_OK;
    while (!status && next_member(changes, &sides, &left, &right)) {
        if (!right) {
            status =
                tell(changes, MEMBER_REMOVED, member_text(changes, changes->older, left), "", "");
        } else if (!left) {
            status =
                tell(changes, MEMBER_ADDED, member_text(changes, changes->newer, right), "", "");
        } else if (changes->to_new[left->to] != right->to) {
            /* Both names are told, each as it was in its own graph. */
            pare_graph_names_path(&changes->scratch, changes->newer, new, right->name);
            const char *subject = take(changes);
            const char *was = type_text(changes, changes->older, left->to);
            status = tell(changes, MEMBER_CHANGED, subject, was,
                          type_text(changes, changes->newer, right->to));
        }
    }
    return status;
}

/* What the types say of themselves.  Prototypes are compared as partners, as members are: one that
 * has none in the newer graph (PARE_GRAPH_NONE) must not look like having no prototype at all. */
static pare_status compare_types(pare_graph_changes *changes, uint32_t old, uint32_t new)
{
    const pare_graph_type *left = pare_graph_type_at(changes->older, old);
    const pare_graph_type *right = pare_graph_type_at(changes->newer, new);
    uint32_t mapped =
        left->prototype == PARE_GRAPH_NONE ? PARE_GRAPH_NONE : changes->to_new[left->prototype];
    /* Both have one or none, and it is the same. */
    bool kept = (left->prototype == PARE_GRAPH_NONE) == (right->prototype == PARE_GRAPH_NONE) &&
                mapped == right->prototype;
    /* One text for all changes of the type. */
    const char *subject = type_text(changes, changes->newer, new);
    pare_status status = subject ? PARE_OK : PARE_E_NOMEM;
    if (!status && left->kind != right->kind)
        status = tell(changes, KIND_CHANGED, subject, pare_graph_names_kind(left->kind),
                      pare_graph_names_kind(right->kind));
    if (!status && strcmp(left->class_name, right->class_name) != 0) {
        pare_sheet_name(&changes->scratch, left->class_name);
        const char *was = take(changes);
        pare_sheet_name(&changes->scratch, right->class_name);
        status = tell(changes, CLASS_CHANGED, subject, was, take(changes));
    }
    if (!status && left->length != right->length) {
        const char *was = number_text(changes, left->length);
        status = tell(changes, LENGTH_CHANGED, subject, was, number_text(changes, right->length));
    }
    if (status || kept) return status;
    const char *was = type_text(changes, changes->older, left->prototype);
    return tell(changes, PROTOTYPE_CHANGED, subject, was,
                type_text(changes, changes->newer, right->prototype));
}

/* ---- signatures ------------------------------------------------------------------ */

/* A signature as numbers; equal keys are equal signatures.  In the arena. */
struct key {
    uint64_t *word;
    size_t n;
    uint32_t signature;
};

/* Numbers of 64 bits: their difference would not fit an int. */
static int by_word(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return left < right ? -1 : left > right;
}

/* Any total order does: keys are only merged.  Shorter ones come first because that is decided
 * without looking at their words. */
static int by_key(const void *a, const void *b)
{
    const struct key *left = a, *right = b;
    if (left->n != right->n) return left->n < right->n ? -1 : 1;
    for (size_t i = 0; i < left->n; i++)
        if (left->word[i] != right->word[i]) return left->word[i] < right->word[i] ? -1 : 1;
    return 0;
}

/* The number that stands for a type of one graph in keys: that of its partner in the newer
 * graph, or one above all of those. */
static uint32_t number_of(const pare_graph_changes *changes, bool newer, uint32_t type)
{
    if (newer || type == PARE_GRAPH_NONE) return type;
    uint32_t partner = changes->to_new[type];
    return partner != PARE_GRAPH_NONE ? partner : pare_graph_n_types(changes->newer) + type;
}

/* Flags, receiver, parameters, then types by position, then types returned.  Of a signature
 * that was not learned the number of parameters is the function's length, which is told by
 * itself.  Types are sorted again by the numbers of the newer graph, as edges are sorted by
 * those of their own; n_taken separates both lists, so that no type passed can be mistaken for
 * one returned.  Literals that tests passed are left out: they say what was tried, not what
 * the function takes. */
static pare_status make_key(pare_graph_changes *changes, bool newer, uint32_t signature,
                            struct key *key)
{
    const pare_graph *graph = newer ? changes->newer : changes->older;
    const pare_graph_signature *about = pare_graph_signature_at(graph, signature);
    uint32_t n_taken, n_returned;
    const uint32_t *taken = pare_graph_edges_to(graph, PARE_GRAPH_PARAMETER, signature, &n_taken);
    const uint32_t *returned =
        pare_graph_edges_from(graph, PARE_GRAPH_RETURN, signature, &n_returned);
    enum { HEAD = 4 };
    size_t n = HEAD + (size_t)n_taken + n_returned;
    uint64_t *word = pare_arena_alloc(&changes->texts, n * sizeof *word);
    if (!word) return PARE_E_NOMEM;
    /* Fixed places first, so that keys of different signatures differ early. */
    word[0] = about->is_constructor + 2u * about->is_learned + 4u * about->throws;
    word[1] = number_of(changes, newer, about->receiver);
    word[2] = about->is_learned ? about->n_params : 0;
    word[3] = n_taken;
    for (uint32_t i = 0; i < n_taken; i++) {
        const pare_graph_edge *edge = pare_graph_edge_at(graph, taken[i]);
        word[HEAD + i] = (uint64_t)edge->position << 32 | number_of(changes, newer, edge->from);
    }
    for (uint32_t i = 0; i < n_returned; i++)
        word[HEAD + n_taken + i] =
            number_of(changes, newer, pare_graph_edge_at(graph, returned[i])->to);
    qsort(word + HEAD, n_taken, sizeof *word, by_word);
    qsort(word + HEAD + n_taken, n_returned, sizeof *word, by_word);
    *key = (struct key){word, n, signature};
    return PARE_OK;
}

/* Sets *keys, of the arena, to those of the function `type`, sorted.  The arena keeps them
 * until the comparison is given up: all keys of a graph are about as large as its edges.
 * O(edges of the function, log for sorting). */
static pare_status make_keys(pare_graph_changes *changes, bool newer, uint32_t type,
                             struct key **keys, size_t *n)
{
    static const pare_graph_edge_kind kinds[] = {PARE_GRAPH_CALL, PARE_GRAPH_CONSTRUCTOR};
    const pare_graph *graph = newer ? changes->newer : changes->older;
    const uint32_t *edges[2];
    uint32_t n_edges[2];
    *n = 0;
    for (size_t k = 0; k < 2; k++)
        edges[k] = pare_graph_edges_from(graph, kinds[k], type, &n_edges[k]);
    *keys = pare_arena_alloc(&changes->texts, ((size_t)n_edges[0] + n_edges[1]) * sizeof **keys);
    pare_status status = *keys ? PARE_OK : PARE_E_NOMEM;
    for (size_t k = 0; k < 2; k++)
        for (uint32_t i = 0; !status && i < n_edges[k]; i++)
            status = make_key(changes, newer, pare_graph_edge_at(graph, edges[k][i])->to,
                              &(*keys)[(*n)++]);
    if (!status && *n) qsort(*keys, *n, sizeof **keys, by_key);
    return status;
}

/* A signature in its own graph's names; the receiver is part of what tells two signatures apart. */
static pare_status tell_signature(pare_graph_changes *changes, bool newer, uint32_t signature)
{
    const pare_graph *graph = newer ? changes->newer : changes->older;
    uint32_t receiver = pare_graph_signature_at(graph, signature)->receiver;
    pare_graph_names_signature(&changes->scratch, graph, signature, NULL);
    if (receiver != PARE_GRAPH_NONE) {
        pare_sheet_raw(&changes->scratch, " on ");
        pare_graph_names_type(&changes->scratch, graph, receiver);
    }
    return tell(changes, newer ? SIGNATURE_ADDED : SIGNATURE_REMOVED, take(changes), "", "");
}

/* Merges the keys of a pair.  Signatures have no identity of their own, so one of which a type
 * changed is told as one that went and one that came.  As text they would differ wherever a
 * type has another name now. */
static pare_status compare_signatures(pare_graph_changes *changes, uint32_t old, uint32_t new)
{
    struct key *left, *right = NULL;
    size_t n_left, n_right = 0;
    pare_status status = make_keys(changes, false, old, &left, &n_left);
    if (!status) status = make_keys(changes, true, new, &right, &n_right);
    for (size_t i = 0, j = 0; !status && (i < n_left || j < n_right);) {
        int order = i == n_left ? 1 : j == n_right ? -1 : by_key(&left[i], &right[j]);
        if (order < 0) status = tell_signature(changes, false, left[i].signature);
        if (order > 0) status = tell_signature(changes, true, right[j].signature);
        i += order <= 0;
        j += order >= 0;
    }
    return status;
}

/* ---- all of it ------------------------------------------------------------------- */

/* Everything, given the types of both graphs in the order of their paths.  Pairs are gone through in
 * the order of the newer graph's paths, which is the order in which changes are printed. */
static pare_status compare(pare_graph_changes *changes, const struct place *old,
                           const struct place *new)
{
    match_paths(changes, old, new);
    match_members(changes);
    pare_status status = tell_types(changes, changes->older, old, changes->to_new, TYPE_REMOVED);
    if (!status) status = tell_types(changes, changes->newer, new, changes->to_old, TYPE_ADDED);
    for (uint32_t i = 0; !status && i < pare_graph_n_types(changes->newer); i++) {
        uint32_t type = new[i].type, partner = changes->to_old[type];
        if (partner == PARE_GRAPH_NONE) continue;
        status = compare_types(changes, partner, type);
        if (!status) status = compare_members(changes, partner, type);
        if (!status) status = compare_signatures(changes, partner, type);
    }
    return status;
}

/* Room for `n` types without partners; NULL when memory is out.  Also for the queue, whose
 * values do not matter yet. */
static uint32_t *new_partners(uint32_t n)
{
    uint32_t *partners = pare_alloc(n, sizeof *partners);
    for (uint32_t i = 0; partners && i < n; i++)
        partners[i] = PARE_GRAPH_NONE;
    return partners;
}

/* The lists of places are needed only while comparing; partners live as long as the changes, which
 * are given up as a whole when memory runs out. */
pare_status pare_graph_diff_new(const pare_graph *older, const pare_graph *newer,
                                pare_graph_changes **out, pare_error *err)
{
    pare_graph_changes *changes = pare_alloc_zero(1, sizeof *changes);
    if (!changes) return pare_fail_nomem(err);
    struct place *old = sort_types(older), *new = sort_types(newer);
    changes->older = older;
    changes->newer = newer;
    changes->to_new = new_partners(pare_graph_n_types(older));
    changes->to_old = new_partners(pare_graph_n_types(newer));
    changes->pairs = new_partners(pare_graph_n_types(newer));
    /* Looked at together: whatever failed, there is one way out. */
    bool ready = old && new && changes->to_new && changes->to_old && changes->pairs;
    pare_status status = ready ? compare(changes, old, new) : PARE_E_NOMEM;
    pare_alloc_free(old);
    pare_alloc_free(new);
    if (status == PARE_OK) {
        *out = changes;
        return PARE_OK;
    }
    pare_graph_diff_free(changes);
    return pare_fail_nomem(err);
}

/* Also of one that was not finished: whatever is not there yet is NULL. */
void pare_graph_diff_free(pare_graph_changes *changes)
{
    if (!changes) return;
    pare_alloc_free(changes->to_new);
    pare_alloc_free(changes->to_old);
    pare_alloc_free(changes->pairs);
    pare_alloc_free(changes->list);
    pare_arena_done(&changes->texts);
    pare_sheet_done(&changes->scratch);
    pare_alloc_free(changes);
}

size_t pare_graph_diff_count(const pare_graph_changes *changes)
{
    return changes->n;
}

/* ---- printing -------------------------------------------------------------------- */

/* For the heading, which stands before the lines.  O(changes), for eleven kinds. */
static size_t count_kind(const pare_graph_changes *changes, enum change_kind kind)
{
    size_t n = 0;
    for (size_t i = 0; i < changes->n; i++)
        n += changes->list[i].kind == kind;
    return n;
}

/* "+ Array.prototype.at(any) -> ?", "~ Math.max: 2, was 1"; `line` is empty before and after.
 * The line is broken at blanks and indented below its sign. */
static void add_change(pare_sheet *sheet, pare_sheet *line, const struct change *change)
{
    enum { INDENT = 6 };
    char sign = change_kinds[change->kind].sign;
    pare_sheet_raw(line, change->subject);
    /* The new one first: it is what holds now. */
    if (sign == '~') {
        pare_sheet_format(line, ": %s", *change->now ? "" : "none");
        pare_sheet_raw(line, change->now);
        pare_sheet_format(line, ", was %s", *change->was ? "" : "none");
        pare_sheet_raw(line, change->was);
    }
    pare_sheet_raw(sheet, "  ");
    pare_sheet_ink(sheet, change_kinds[change->kind].ink);
    pare_sheet_format(sheet, "%c ", sign);
    pare_sheet_flow(sheet, pare_sheet_text(line), INDENT);
    pare_sheet_ink(sheet, PARE_INK_PLAIN);
    pare_sheet_raw(sheet, "\n");
    if (line->status) sheet->status = line->status;
    pare_sheet_reset(line);
}

/* One pass over the changes for each kind, of which there are eleven: cheaper than keeping a list for
 * each, and within a kind the order of paths stays. */
void pare_graph_diff_text(pare_sheet *sheet, const pare_graph_changes *changes)
{
    char count[PARE_FORMAT_BYTES];
    pare_sheet line = {.status = PARE_OK};
    if (!changes->n) return;
    pare_sheet_raw(sheet, "--- ");
    pare_sheet_name(sheet, pare_graph_engine(changes->older));
    pare_sheet_raw(sheet, "\n+++ ");
    pare_sheet_name(sheet, pare_graph_engine(changes->newer));
    pare_sheet_raw(sheet, "\n");
    for (unsigned kind = 0; kind < N_CHANGE_KINDS; kind++) {
        size_t n = count_kind(changes, (enum change_kind)kind);
        if (!n) continue;
        pare_sheet_raw(sheet, "\n");
        pare_sheet_ink(sheet, PARE_INK_BOLD);
        pare_sheet_raw(sheet, change_kinds[kind].title);
        pare_sheet_ink(sheet, PARE_INK_PLAIN);
        pare_sheet_format(sheet, " (%s)\n", pare_format_count(count, n));
        for (size_t i = 0; i < changes->n; i++)
            if (changes->list[i].kind == (enum change_kind)kind)
                add_change(sheet, &line, &changes->list[i]);
    }
    pare_sheet_done(&line);
}

/* One entry of the list; what does not apply is not there.  NULL when memory is out. */
static json_t *change_of(const struct change *change)
{
    json_t *object = json_pack("{s:s, s:s}", "change", change_kinds[change->kind].name, "subject",
                               change->subject);
    bool changed = change_kinds[change->kind].sign == '~';
    if (!object || !changed) return object;
    if (json_object_set_new(object, "old", json_string(change->was)) == 0 &&
        json_object_set_new(object, "new", json_string(change->now)) == 0)
        return object;
    json_decref(object);
    return NULL;
}

/* In the order of the text, so that both can be read side by side.  NULL when memory is out. */
static json_t *list_of(const pare_graph_changes *changes)
{
    json_t *list = json_array();
    for (unsigned kind = 0; list && kind < N_CHANGE_KINDS; kind++) {
        for (size_t i = 0; i < changes->n; i++) {
            if (changes->list[i].kind != (enum change_kind)kind) continue;
            if (json_array_append_new(list, change_of(&changes->list[i])) == 0) continue;
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* A subject is the text of the line: programs that need paths have both graphs. */
pare_status pare_graph_diff_json(const pare_graph_changes *changes, pare_buffer *out,
                                 pare_error *err)
{
    json_t *object = json_pack("{s:s, s:i, s:s, s:s, s:o}", "format", "pare-graph-diff", "version",
                               1, "old", pare_graph_engine(changes->older), "new",
                               pare_graph_engine(changes->newer), "changes", list_of(changes));
    return pare_graph_json_print(object, out, err);
}
