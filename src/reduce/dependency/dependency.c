/* The graph, and closures over its clauses.
 *
 * Closing counts for each clause the premises that are not kept yet; a stack holds what was kept
 * and not gone through.  Invariant: a conclusion is pushed when the last premise was kept.  Names
 * of which one declaration is needed are looked at when nothing else follows any more, because
 * until then one of them may be kept for another reason.
 *
 * Source: unit propagation, Dowling and Gallier, "Linear-time algorithms for testing the
 * satisfiability of propositional Horn formulae", J. Logic Programming 1(3), 1984. */
#include "reduce/dependency/dependency.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/hash_index.h"
#include "parse/parse_tree.h"
#include "reduce/dependency/dependency_edges.h"
#include "reduce/dependency/dependency_graph.h"
#include "reduce/dependency/dependency_lists.h"
#include "reduce/dependency/dependency_markers.h"
#include "reduce/dependency/dependency_rules.h"
#include "reduce/dependency/outline.h"
#include "text/text.h"

/* --- making ------------------------------------------------------------------------------- */

/* C, C++ and CUDA are read from tokens (outline_c.c).  *cpp tells the reader about classes,
 * templates and name spaces; all other languages are read from their syntax trees, if there is a
 * table for them. */
static bool is_c(const char *language, bool *cpp)
{
    *cpp = language && (strcmp(language, "cpp") == 0 || strcmp(language, "cuda") == 0);
    return *cpp || (language && strcmp(language, "c") == 0);
}

/* Fills the graph from the outline.  The graph keeps, of each node, only what closing and
 * printing look at; names and uses have become clauses by then.  Words move over rather than
 * being copied (in a large program they are megabytes of text), and the outline is left without
 * them, so that its `done` does not free them. On failure both still own what they own: the
 * caller frees the two of them. */
static pare_status fill(pare_dependency *graph, pare_outline *outline, pare_error *err)
{
    size_t n = outline->n_nodes;
    pare_status status = pare_dependency_rules_apply(outline, &graph->clauses, err);
    if (status) return status;
    graph->nodes = pare_alloc(n, sizeof *graph->nodes);
    if (!graph->nodes) return pare_fail_nomem(err);
    for (size_t i = 0; i < n; i++) {
        const pare_outline_node *from = &outline->nodes[i];
        graph->nodes[i] = (pare_dependency_node){.begin = from->begin,
                                                 .end = from->end,
                                                 .parent = from->parent,
                                                 .after = from->after,
                                                 .roles = from->roles,
                                                 .rest = from->rest};
        /* A body without a text of its own becomes what the language writes for an empty one,
         * such as `;` or `{}`. */
        if (from->roles & PARE_OUTLINE_BODY && !from->rest) graph->nodes[i].rest = outline->no_body;
        graph->has_layout = graph->has_layout || from->roles & PARE_OUTLINE_LAYOUT;
        graph->follows = graph->follows || from->roles & PARE_OUTLINE_FOLLOWS;
    }
    graph->no_body = outline->no_body;
    graph->runs = outline->runs;
    graph->checked = outline->checked;
    /* Names are looked up later, when a compiler complains of one that is missing. */
    graph->words = (pare_outline){.words = outline->words,
                                  .n_words = outline->n_words,
                                  .word_index = outline->word_index,
                                  .texts = outline->texts};
    outline->words = NULL;
    outline->n_words = outline->word_capacity = 0;
    outline->word_index = (pare_hash_index){0};
    outline->texts = (pare_buffer){0};
    return PARE_OK;
}

pare_status pare_dependency_of_outline(pare_outline *outline, const pare_text *text,
                                       pare_dependency **out, pare_error *err)
{
    pare_dependency *graph = pare_alloc_zero(1, sizeof *graph);
    if (!graph) return pare_fail_nomem(err);
    graph->n_references = 1;
    graph->text = pare_text_ref(text);
    graph->bytes = pare_text_bytes(text);
    pare_status status = fill(graph, outline, err);
    if (status)
        pare_dependency_unref(graph);
    else
        *out = graph;
    return status;
}

/* Notes which nodes are of the file that was preprocessed.  Nodes are in the order of the text,
 * and so are markers: `next` goes through both in one pass. */
static void mark_main(pare_dependency *graph)
{
    size_t next = 0;
    for (uint32_t i = 0; i < graph->clauses.n_nodes; i++)
        if (pare_dependency_markers_in_main(&graph->markers, graph->nodes[i].begin, &next))
            graph->nodes[i].roles |= PARE_OUTLINE_MAIN;
}

/* Reads the outline with the reader of the language, and makes the graph of it.  An outline of
 * one node or none has nothing to choose from, so it counts as unknown.  Line markers are read
 * for C and C++ only, after the graph is made, because only its nodes are marked.  The outline
 * is freed in any case; the graph has what it needs of it. */
pare_status pare_dependency_make(const pare_pass_view *view, bool *known, pare_dependency **out,
                                 pare_error *err)
{
    pare_outline outline = {0};
    bool cpp;
    pare_status status;
    *known = is_c(view->language, &cpp);
    if (*known)
        status = pare_outline_c(view, cpp, &outline, err);
    else
        status = pare_outline_syntax(view, known, &outline, err);
    *known = *known && !status && outline.n_nodes > 1;
    if (*known) status = pare_dependency_of_outline(&outline, view->text, out, err);
    if (*known && !status && is_c(view->language, &cpp)) {
        status = pare_dependency_markers_find((*out)->bytes, pare_text_size(view->text),
                                              &(*out)->markers, err);
        if (status) {
            pare_dependency_unref(*out);
            *out = NULL;
        } else if (pare_dependency_markers_tell_main(&(*out)->markers, pare_text_size(view->text)))
            mark_main(*out);
    }
    pare_outline_done(&outline);
    return status;
}

bool pare_dependency_needs_tree(const char *language)
{
    return pare_outline_syntax_knows(language);
}

bool pare_dependency_has_layout(const pare_dependency *graph)
{
    return graph->has_layout;
}

bool pare_dependency_runs(const pare_dependency *graph)
{
    return graph->runs;
}

bool pare_dependency_is_checked(const pare_dependency *graph)
{
    return graph->checked;
}

pare_dependency *pare_dependency_ref(pare_dependency *graph)
{
    graph->n_references++;
    return graph;
}

/* NULL is a no-op; so is one that is half made. */
void pare_dependency_unref(pare_dependency *graph)
{
    if (!graph || --graph->n_references) return;
    pare_text_unref(graph->text);
    pare_alloc_free(graph->nodes);
    pare_dependency_rules_done(&graph->clauses);
    pare_outline_done(&graph->words);
    pare_dependency_markers_done(&graph->markers);
    pare_alloc_free(graph);
}

uint32_t pare_dependency_count(const pare_dependency *graph)
{
    return graph->clauses.n_nodes;
}

const pare_dependency_node *pare_dependency_nodes(const pare_dependency *graph)
{
    return graph->nodes;
}

/* There is one bit more than nodes and facts, the plain bit (pare_dependency_plain_bit), so n /
 * 64 + 1 words are enough even where n is a multiple of 64. */
size_t pare_dependency_set_size(const pare_dependency *graph)
{
    return graph->clauses.n / 64 + 1;
}

/* Sets are shared between copies of a strategy by reference, and written only while there is one
 * reference; so each set is made here, filled, and then left alone. */
pare_status pare_dependency_new_set(const pare_dependency *graph, pare_shared **out,
                                    pare_dependency_bits **bits, pare_error *err)
{
    const size_t n = pare_dependency_set_size(graph);
    void *items = NULL;
    *out = NULL;
    pare_status status = pare_shared_new(n, sizeof **bits, out, err);
    if (!status) status = pare_shared_own(out, 0, n, &items, err);
    if (status) {
        pare_shared_release(*out);
        *out = NULL;
        return status;
    }
    memset(items, 0, n * sizeof **bits);
    *bits = items;
    return PARE_OK;
}

/* --- closing ------------------------------------------------------------------------------ */

/* A closure in the making.  `missing` is what makes it linear: a clause is not looked at again
 * until one of its premises is kept, and its head follows when none is missing. */
struct closing {
    const pare_dependency *graph;
    const pare_dependency_query *query;
    pare_dependency_bits *kept;
    uint32_t *missing; /* owned; by clause: premises that are not kept yet */
    uint32_t *stack;   /* owned; each node and fact is pushed once */
    size_t n;
    uint32_t *names; /* owned; facts that need one of their providers, not looked at yet */
    size_t n_names;
};

/* Whether the node may be kept.  Facts always may: they have no text, and only say what is true
 * of the nodes. */
static bool is_allowed(const struct closing *self, uint32_t node)
{
    if (node >= self->graph->clauses.n_nodes) return true;
    if (self->query->within && !pare_dependency_has(self->query->within, node)) return false;
    return !self->query->without || !pare_dependency_has(self->query->without, node);
}

/* Keeps a node or fact, unless it is kept already or must not be.  A node that is not allowed is
 * passed over without an error: the closure is then not closed in the strict sense, and the
 * compiler tells whether that matters. */
static void keep(struct closing *self, uint32_t node)
{
    if (pare_dependency_has(self->kept, node) || !is_allowed(self, node)) return;
    pare_dependency_add(self->kept, node);
    self->stack[self->n++] = node;
}

/* Whether the node is a body that does not come with its function, or a definition outside of a class that does not come
 * with its member.  Who needs the body itself keeps it. */
static bool is_held_back(const struct closing *self, uint32_t node)
{
    return self->query->only && node < self->graph->clauses.n_nodes &&
           self->graph->nodes[node].roles & (PARE_OUTLINE_BODY | PARE_OUTLINE_OUTSIDE) &&
           !pare_dependency_has(self->query->only, node);
}

/* Keeps what follows from a node or fact that is kept now, by the three kinds of needs: clauses
 * with one premise (`edges`), clauses with several (`shared`), and needs that were learned from
 * the compiler.  A fact that needs one of several declarations is put aside in `names`.
 *
 * Example: the member `size` of class A has the premises "A is kept" and "the member name `size` is used".
 * `missing` of that clause is 2 at first; it is 1 once A is kept, and the member follows when it is 0.
 *
 * Each is gone through once, so that each premise of a clause is counted down once: the whole
 * closure is linear in the edges that it reaches. */
static void go_through(struct closing *self, uint32_t node)
{
    const pare_dependency_clauses *clauses = &self->graph->clauses;
    const pare_dependency_query *query = self->query;
    for (uint32_t i = clauses->edges.first[node]; i < clauses->edges.first[node + 1]; i++)
        keep(self, clauses->edges.to[i]);
    for (uint32_t i = clauses->shared.first[node]; i < clauses->shared.first[node + 1]; i++) {
        /* The clause fires with its last premise, in whatever order they come. */
        uint32_t clause = clauses->shared.to[i];
        assert(self->missing[clause] > 0);
        if (--self->missing[clause] == 0 && !is_held_back(self, clauses->heads[clause]))
            keep(self, clauses->heads[clause]);
    }
    for (size_t i = pare_dependency_first_learned(query, node);
         i < query->n_learned && query->learned[i].from == node; i++)
        keep(self, query->learned[i].to);
    if (node >= clauses->n_nodes && clauses->one_of[node - clauses->n_nodes])
        self->names[self->n_names++] = node - clauses->n_nodes;
}

/* Keeps one declaration of a name that came up, unless one is kept for another reason by now.
 * Of most names all declarations follow anyway; it is overloads that come only with the classes
 * in their signatures, and where that is so of none, the name would be left without any.  The
 * first that is allowed is taken, in the order of the providers.
 *
 * Stops at the first that it adds: what follows from it may keep declarations of the other
 * names. */
static void need_one(struct closing *self)
{
    const pare_dependency_lists *providers = &self->graph->clauses.providers;
    while (self->n_names && !self->n) {
        uint32_t fact = self->names[--self->n_names];
        uint32_t first = PARE_NO_NODE;
        bool kept = false;
        for (uint32_t i = providers->first[fact]; !kept && i < providers->first[fact + 1]; i++) {
            kept = pare_dependency_has(self->kept, providers->to[i]);
            if (first == PARE_NO_NODE && is_allowed(self, providers->to[i]))
                first = providers->to[i];
        }
        if (!kept && first != PARE_NO_NODE) keep(self, first);
    }
}

/* Starts from the nodes that are kept already, in their order, and from what is always kept.
 * Words of the set without any bit are skipped: `i |= 63` goes to the last number of the word,
 * and the loop adds 1. */
static void begin(struct closing *self)
{
    const pare_dependency_clauses *clauses = &self->graph->clauses;
    for (size_t i = 0; i < clauses->n_clauses; i++)
        self->missing[i] = clauses->n_premises[i];
    for (uint32_t i = 0; i < clauses->n; i++) {
        if (!self->kept[i / 64])
            i |= 63;
        else if (pare_dependency_has(self->kept, i))
            self->stack[self->n++] = i;
    }
    for (size_t i = 0; !self->query->bare && i < clauses->n_always; i++)
        keep(self, clauses->always[i]);
    if (self->query->bodies) keep(self, pare_dependency_bodies_fact(self->graph));
    if (self->query->layout) keep(self, pare_dependency_layout_fact(self->graph));
}

/* Alternates two steps until neither has anything to do: all that follows without a choice, then
 * one choice (need_one).  Seeds must be allowed ones: they are not looked at again.  Memory: 4
 * bytes for each clause and 8 for each fact or node at most, freed at the end. */
pare_status pare_dependency_close(const pare_dependency *graph, const pare_dependency_query *query,
                                  pare_dependency_bits *kept, pare_error *err)
{
    const pare_dependency_clauses *clauses = &graph->clauses;
    struct closing self = {.graph = graph, .query = query, .kept = kept};
    self.missing = pare_alloc(clauses->n_clauses, sizeof *self.missing);
    self.stack = pare_alloc(clauses->n, sizeof *self.stack);
    self.names = pare_alloc(clauses->n - clauses->n_nodes, sizeof *self.names);
    pare_status status = self.missing && self.stack && self.names ? PARE_OK : pare_fail_nomem(err);
    /* How a set is printed is inherited, see pare_dependency_make_plain. */
    if (query->within && pare_dependency_has(query->within, pare_dependency_plain_bit(graph)))
        pare_dependency_make_plain(graph, kept);
    if (!status) begin(&self);
    while (!status && (self.n || self.n_names)) {
        while (self.n)
            go_through(&self, self.stack[--self.n]);
        need_one(&self);
    }
    pare_alloc_free(self.missing);
    pare_alloc_free(self.stack);
    pare_alloc_free(self.names);
    return status;
}

/* --- sound sets ------------------------------------------------------------------------------ */

/* Checks the two needs that no query may break: of the parent, and of one declaration of each
 * name that has any in `within`.  It does so by its own means, not those of closing or dropping:
 * no sweep, all providers counted anew for each use, so that a fault in those shows in tests. */
bool pare_dependency_is_sound(const pare_dependency *graph, const pare_dependency_query *query,
                              const pare_dependency_bits *kept)
{
    const pare_dependency_clauses *clauses = &graph->clauses;
    for (uint32_t node = 0; node < clauses->n_nodes; node++) {
        if (!pare_dependency_has(kept, node)) continue;
        uint32_t parent = graph->nodes[node].parent;
        if (parent != PARE_NO_NODE && !pare_dependency_has(kept, parent)) return false;
        for (uint32_t i = clauses->edges.first[node]; i < clauses->edges.first[node + 1]; i++) {
            uint32_t fact = clauses->edges.to[i] - clauses->n_nodes;
            /* any: there is a declaration to choose; one: one is kept. */
            bool any = false, one = false;
            if (clauses->edges.to[i] < clauses->n_nodes) continue;
            for (uint32_t k = clauses->providers.first[fact];
                 k < clauses->providers.first[fact + 1]; k++) {
                uint32_t provider = clauses->providers.to[k];
                any = any || !query->within || pare_dependency_has(query->within, provider);
                one = one || pare_dependency_has(kept, provider);
            }
            if (any && !one && clauses->one_of[fact]) return false;
        }
    }
    return true;
}

/* --- users -------------------------------------------------------------------------------- */

/* Whether the node names one that is used.  An edge to a node is a need of just that one; an
 * edge to a fact is a use of a name, and `facts` has 1 for the names that some used node
 * declares. */
static bool uses(const pare_dependency *graph, const pare_dependency_bits *used,
                 const unsigned char *facts, uint32_t node)
{
    const pare_dependency_lists *edges = &graph->clauses.edges;
    const uint32_t n_nodes = graph->clauses.n_nodes;
    for (uint32_t i = edges->first[node]; i < edges->first[node + 1]; i++) {
        const uint32_t to = edges->to[i];
        if (to >= n_nodes ? facts[to - n_nodes] : pare_dependency_has(used, to)) return true;
    }
    return false;
}

/* First all facts that a used node provides are marked, then each other node is asked for its
 * edges: one pass over the providers and one over the edges, instead of a search for each used
 * node.  A used node is passed over with all that is in it, since a class need not be told that
 * its own members name it. */
pare_status pare_dependency_users(const pare_dependency *graph, const pare_dependency_query *query,
                                  const pare_dependency_bits *used, pare_dependency_bits *users,
                                  size_t *n, pare_error *err)
{
    const pare_dependency_clauses *clauses = &graph->clauses;
    const uint32_t n_facts = clauses->n - clauses->n_nodes;
    unsigned char *facts = pare_alloc_zero(n_facts + 1, 1);
    *n = 0;
    if (!facts) return pare_fail_nomem(err);
    for (uint32_t fact = 0; fact < n_facts; fact++)
        for (uint32_t i = clauses->providers.first[fact]; i < clauses->providers.first[fact + 1];
             i++)
            if (pare_dependency_has(used, clauses->providers.to[i])) facts[fact] = 1;
    for (uint32_t i = 0; i < clauses->n_nodes;) {
        /* What is in a used node uses it trivially. */
        if (pare_dependency_has(used, i)) {
            i = graph->nodes[i].after;
            continue;
        }
        if (pare_dependency_has(query->within, i) && uses(graph, used, facts, i)) {
            pare_dependency_add(users, i);
            ++*n;
        }
        i++;
    }
    pare_alloc_free(facts);
    return PARE_OK;
}

bool pare_dependency_has_markers(const pare_dependency *graph)
{
    return graph->markers.n > 0;
}

void pare_dependency_make_plain(const pare_dependency *graph, pare_dependency_bits *set)
{
    pare_dependency_add(set, pare_dependency_plain_bit(graph));
}

/* A pragma is a node of its own that must begin a line (PARE_OUTLINE_LINE).  `#pragma`, and with
 * blanks after the sign `#  pragma`, are meant; `#line` and markers stay. */
void pare_dependency_drop_pragmas(const pare_dependency *graph, pare_dependency_bits *set)
{
    static const char word[] = "pragma";
    for (uint32_t i = 0; i < graph->clauses.n_nodes; i++) {
        const pare_dependency_node *node = &graph->nodes[i];
        size_t at = node->begin + 1;
        if (!(node->roles & PARE_OUTLINE_LINE) || graph->bytes[node->begin] != '#') continue;
        while (at < node->end && graph->bytes[at] == ' ')
            at++;
        if (node->end - at >= strlen(word) && !memcmp(graph->bytes + at, word, strlen(word)))
            pare_dependency_remove(set, i);
    }
}

/* --- names ---------------------------------------------------------------------------------- */

/* Names that no node of the program has (of the compiler's own functions, of macros) have no
 * word, or one with an empty list: then nothing is called. */
void pare_dependency_named(const pare_dependency *graph, const char *name, size_t size,
                           bool (*each)(void *context, uint32_t node), void *context)
{
    const pare_dependency_lists *named = &graph->clauses.named;
    uint32_t word = pare_outline_find_word(&graph->words, name, size);
    if (word == PARE_NO_WORD) return;
    for (uint32_t i = named->first[word]; i < named->first[word + 1]; i++)
        if (!each(context, named->to[i])) return;
}

/* What came of a node's need. */
struct need {
    const pare_dependency_lack *lack;
    pare_dependency_edges *edges;
    size_t n_added;
    pare_status status;
    pare_error *err;
};

/* Learned edges are searched and inserted one by one (dependency_edges.c), so there must not be
 * thousands. */
enum { MOST_ADDED = 60 };

/* Adds the edge to one node that declares the name.  What is kept already cannot be what lacks,
 * and what is not within the query is not in the text any more.  Returns whether to go on: false
 * ends the enumeration. */
static bool add_need(void *context, uint32_t node)
{
    struct need *need = context;
    const pare_dependency_lack *lack = need->lack;
    bool added = false;
    if (pare_dependency_has(lack->kept, node)) return true;
    if (lack->query->within && !pare_dependency_has(lack->query->within, node)) return true;
    need->status = pare_dependency_edges_add(need->edges, (pare_dependency_edge){lack->from, node},
                                             &added, need->err);
    need->n_added += added;
    return !need->status && need->n_added < MOST_ADDED;
}

/* All declarations of the name are tied to the node, since the compiler does not say which it
 * means.  Names of many declarations are cut off: what is needed is mostly among the first. */
pare_status pare_dependency_need(const pare_dependency *graph, const pare_dependency_lack *lack,
                                 pare_dependency_edges *edges, size_t *n_added, pare_error *err)
{
    struct need need = {.lack = lack, .edges = edges, .err = err};
    assert(lack->from < graph->clauses.n_nodes);
    pare_dependency_named(graph, lack->name, lack->size, add_need, &need);
    *n_added = need.n_added;
    return need.status;
}
