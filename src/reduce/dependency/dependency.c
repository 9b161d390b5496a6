/* Closures over the clauses of a graph, what is left when nodes are dropped, and the texts of
 * both.
 *
 * Closing counts for each clause the premises that are not kept yet; a stack holds what was kept
 * and not gone through.  Invariant: a conclusion is pushed when the last premise was kept.  Names
 * of which one declaration is needed are looked at when nothing else follows any more, because
 * until then one of them may be kept for another reason.
 * Dropping goes the other way, by sweeps over the nodes until nothing changes: users stand after
 * what they use, mostly, so there are few sweeps, and no edges backward have to be kept.
 *
 * Source: unit propagation, Dowling and Gallier, "Linear-time algorithms for testing the
 * satisfiability of propositional Horn formulae", J. Logic Programming 1(3), 1984. */
#include "reduce/dependency/dependency.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/halving.h"
#include "base/hash_index.h"
#include "parse/parse_tree.h"
#include "reduce/dependency/dependency_lists.h"
#include "reduce/dependency/dependency_markers.h"
#include "reduce/dependency/dependency_rules.h"
#include "reduce/dependency/outline.h"
#include "text/text.h"

struct pare_dependency {
    unsigned n_references;
    const pare_text *text; /* one reference; flat */
    const unsigned char *bytes;
    pare_dependency_node *nodes; /* owned */
    pare_dependency_clauses clauses;
    pare_outline words;  /* only its words are kept */
    const char *no_body; /* static */
    bool runs;           /* there is no compiler, */
    bool checked;        /* or there is one, and it is not heard */
    bool follows;        /* there are nodes that go with their last use */
    bool has_layout;
    pare_dependency_markers markers;
};

/* The fact that bodies are kept with their functions: the first. */
static uint32_t bodies(const pare_dependency *graph)
{
    return graph->clauses.n_nodes;
}

/* The fact that objects keep what other code knows of them: the second. */
static uint32_t layout(const pare_dependency *graph)
{
    return graph->clauses.n_nodes + 1;
}

/* The bit behind those of all nodes and facts: the set is plain. */
static uint32_t plain(const pare_dependency *graph)
{
    return graph->clauses.n;
}

/* --- making ------------------------------------------------------------------------------- */

/* The language's name says which outline it has. */
static bool is_c(const char *language, bool *cpp)
{
    *cpp = language && (strcmp(language, "cpp") == 0 || strcmp(language, "cuda") == 0);
    return *cpp || (language && strcmp(language, "c") == 0);
}

/* Fills the graph from the outline, whose words it takes over. */
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
        if (from->roles & PARE_OUTLINE_BODY && !from->rest) graph->nodes[i].rest = outline->no_body;
        graph->has_layout = graph->has_layout || from->roles & PARE_OUTLINE_LAYOUT;
        graph->follows = graph->follows || from->roles & PARE_OUTLINE_FOLLOWS;
    }
    graph->no_body = outline->no_body;
    graph->runs = outline->runs;
    graph->checked = outline->checked;
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

/* Notes which nodes are of the file that was preprocessed. */
static void mark_main(pare_dependency *graph)
{
    size_t next = 0;
    for (uint32_t i = 0; i < graph->clauses.n_nodes; i++)
        if (pare_dependency_markers_in_main(&graph->markers, graph->nodes[i].begin, &next))
            graph->nodes[i].roles |= PARE_OUTLINE_MAIN;
}

/* The outline is freed; the graph has what it needs of it. */
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

size_t pare_dependency_set_size(const pare_dependency *graph)
{
    return graph->clauses.n / 64 + 1;
}

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

/* A closure in the making. */
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

/* Whether the node may be kept. */
static bool is_allowed(const struct closing *self, uint32_t node)
{
    if (node >= self->graph->clauses.n_nodes) return true;
    if (self->query->within && !pare_dependency_has(self->query->within, node)) return false;
    return !self->query->without || !pare_dependency_has(self->query->without, node);
}

/* Keeps a node or fact, unless it is kept already or must not be. */
static void keep(struct closing *self, uint32_t node)
{
    if (pare_dependency_has(self->kept, node) || !is_allowed(self, node)) return;
    pare_dependency_add(self->kept, node);
    self->stack[self->n++] = node;
}

/* The first learned edge from `node`. */
static size_t first_learned(const pare_dependency_query *query, uint32_t node)
{
    pare_halving search = {.low = 0, .high = query->n_learned};
    while (pare_halving_next(&search))
        pare_halving_tell(&search, query->learned[search.middle].from < node);
    return search.low;
}

/* Keeps what follows from a node or fact that is kept now.  Each is gone through once, so that each premise of
 * a clause is counted down once: the whole closure is linear in the edges that it reaches. */
static void go_through(struct closing *self, uint32_t node)
{
    const pare_dependency_clauses *clauses = &self->graph->clauses;
    const pare_dependency_query *query = self->query;
    for (uint32_t i = clauses->edges.first[node]; i < clauses->edges.first[node + 1]; i++)
        keep(self, clauses->edges.to[i]);
    for (uint32_t i = clauses->shared.first[node]; i < clauses->shared.first[node + 1]; i++) {
        uint32_t clause = clauses->shared.to[i];
        assert(self->missing[clause] > 0);
        if (--self->missing[clause] == 0) keep(self, clauses->heads[clause]);
    }
    for (size_t i = first_learned(query, node);
         i < query->n_learned && query->learned[i].from == node; i++)
        keep(self, query->learned[i].to);
    if (node >= clauses->n_nodes && clauses->one_of[node - clauses->n_nodes])
        self->names[self->n_names++] = node - clauses->n_nodes;
}

/* Keeps one declaration of a name that came up, unless one is kept for another reason by now.  Stops at the
 * first that it adds: what follows from it may keep declarations of the other names. */
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

/* Starts from the nodes that are kept already, in their order; words of the set without any are skipped
 * (the loop adds 1 to the last number of the word). */
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
    if (self->query->bodies) keep(self, bodies(self->graph));
    if (self->query->layout) keep(self, layout(self->graph));
}

/* Seeds must be allowed ones: they are not looked at again. */
pare_status pare_dependency_close(const pare_dependency *graph, const pare_dependency_query *query,
                                  pare_dependency_bits *kept, pare_error *err)
{
    const pare_dependency_clauses *clauses = &graph->clauses;
    struct closing self = {.graph = graph, .query = query, .kept = kept};
    self.missing = pare_alloc(clauses->n_clauses, sizeof *self.missing);
    self.stack = pare_alloc(clauses->n, sizeof *self.stack);
    self.names = pare_alloc(clauses->n - clauses->n_nodes, sizeof *self.names);
    pare_status status = self.missing && self.stack && self.names ? PARE_OK : pare_fail_nomem(err);
    if (query->within && pare_dependency_has(query->within, plain(graph)))
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

/* --- dropping ------------------------------------------------------------------------------- */

/* What of names is left. */
struct dropping {
    const pare_dependency *graph;
    const pare_dependency_query *query;
    pare_dependency_bits *kept;
    unsigned char
        *lost; /* owned; by fact: it had providers, and none is kept; NOT_KNOWN: not looked at */
};

enum { NOT_KNOWN = 2 };

/* Whether the node was there before anything was dropped.  What was not there cannot be missed. */
static bool was_there(const struct dropping *self, uint32_t node)
{
    return !self->query->within || pare_dependency_has(self->query->within, node);
}

/* Whether the fact is lost.  Members that are what one of the same name is elsewhere do not count where there was one
 * that is not: a row of them is lost with the one that it ends at. */
static bool is_lost(const struct dropping *self, uint32_t fact)
{
    const pare_dependency_clauses *clauses = &self->graph->clauses;
    /* Of a class the definition is missed even if a declaration stays. */
    bool any = false, kept = false, full = false, kept_full = false;
    for (uint32_t i = clauses->providers.first[fact];
         !kept_full && i < clauses->providers.first[fact + 1]; i++) {
        uint32_t node = clauses->providers.to[i];
        bool there = was_there(self, node), has = pare_dependency_has(self->kept, node);
        bool part = self->graph->nodes[node].roles & PARE_OUTLINE_FORWARD || clauses->forwards[i];
        any = any || there;
        kept = kept || has;
        full = full || (there && !part);
        kept_full = kept_full || (has && !part);
    }
    return full ? !kept_full : any && !kept;
}

/* The same, looked at once in a sweep: what is lost in the course of one counts in the next. */
static bool lost(const struct dropping *self, uint32_t fact)
{
    if (self->lost[fact] == NOT_KNOWN) self->lost[fact] = is_lost(self, fact);
    return self->lost[fact];
}

/* Whether `node` cannot do without `needed`, which is not there. */
static bool misses(const struct dropping *self, uint32_t node, uint32_t needed)
{
    uint32_t n_nodes = self->graph->clauses.n_nodes;
    if (needed >= n_nodes) return lost(self, needed - n_nodes);
    /* What is forced in a node may go all the same: only a test can tell. */
    if (self->graph->nodes[needed].parent == node) return false;
    return was_there(self, needed) && !pare_dependency_has(self->kept, needed);
}

/* The same, where a test told: of a part of the node, too. */
static bool misses_learned(const struct dropping *self, uint32_t node, uint32_t needed)
{
    if (needed >= self->graph->clauses.n_nodes) return misses(self, node, needed);
    return was_there(self, needed) && !pare_dependency_has(self->kept, needed);
}

/* Whether the part, mostly bases, has gone, and what it is a part of is there without it. */
static bool lacks_part(const struct dropping *self, uint32_t part)
{
    uint32_t whole = self->graph->nodes[part].parent;
    return was_there(self, part) && !pare_dependency_has(self->kept, part) &&
           (whole == PARE_NO_NODE || pare_dependency_has(self->kept, whole));
}

/* Whether a node that is kept misses something. */
static bool is_broken(const struct dropping *self, uint32_t node)
{
    const pare_dependency_lists *edges = &self->graph->clauses.edges;
    const pare_dependency_lists *ties = &self->graph->clauses.ties;
    const pare_dependency_lists *rivals = &self->graph->clauses.rivals;
    const pare_dependency_query *query = self->query;
    for (uint32_t i = edges->first[node]; i < edges->first[node + 1]; i++)
        if (misses(self, node, edges->to[i])) return true;
    for (uint32_t i = ties->first[node]; i < ties->first[node + 1]; i++)
        if (lacks_part(self, ties->to[i])) return true;
    for (uint32_t i = rivals->first[node]; i < rivals->first[node + 1]; i += 2)
        if (pare_dependency_has(self->kept, rivals->to[i + 1]) && lacks_part(self, rivals->to[i]))
            return true;
    for (size_t i = first_learned(query, node);
         i < query->n_learned && query->learned[i].from == node; i++)
        if (misses_learned(self, node, query->learned[i].to)) return true;
    return false;
}

/* Takes the node out, and what is in it. */
static void take_out(struct dropping *self, uint32_t node)
{
    for (uint32_t i = node; i < self->graph->nodes[node].after; i++)
        pare_dependency_remove(self->kept, i);
}

/* Takes out what may only be there where it is used: what it needs itself is not looked at again,
 * as imports need nothing.  `lost` is of no use any more, and holds the facts that are not used. */
static void take_unused(struct dropping *self)
{
    const pare_dependency_clauses *clauses = &self->graph->clauses;
    uint32_t n_nodes = clauses->n_nodes, n_facts = clauses->n - n_nodes;
    memset(self->lost, 1, n_facts);
    for (uint32_t i = 0; i < n_nodes; i++)
        for (uint32_t k = clauses->edges.first[i];
             pare_dependency_has(self->kept, i) && k < clauses->edges.first[i + 1]; k++)
            if (clauses->edges.to[k] >= n_nodes) self->lost[clauses->edges.to[k] - n_nodes] = 0;
    for (uint32_t fact = 0; fact < n_facts; fact++)
        for (uint32_t k = clauses->providers.first[fact];
             self->lost[fact] && k < clauses->providers.first[fact + 1]; k++)
            if (self->graph->nodes[clauses->providers.to[k]].roles & PARE_OUTLINE_FOLLOWS)
                take_out(self, clauses->providers.to[k]);
}

/* Takes the node out if it is there and misses something. */
static bool take_broken(struct dropping *self, uint32_t node)
{
    if (!pare_dependency_has(self->kept, node) || !is_broken(self, node)) return false;
    take_out(self, node);
    return true;
}

/* Sweeps until nothing is broken.  Facts are of no use to the caller and go. */
pare_status pare_dependency_drop(const pare_dependency *graph, const pare_dependency_query *query,
                                 const uint32_t *dropped, size_t n, pare_dependency_bits *kept,
                                 pare_error *err)
{
    uint32_t n_nodes = graph->clauses.n_nodes;
    struct dropping self = {.graph = graph, .query = query, .kept = kept};
    self.lost = pare_alloc(graph->clauses.n - n_nodes, 1);
    if (!self.lost) return pare_fail_nomem(err);
    for (size_t i = 0; i < n; i++)
        take_out(&self, dropped[i]);
    const bool was_plain = pare_dependency_has(kept, plain(graph));
    if (n_nodes % 64) kept[n_nodes / 64] &= ((pare_dependency_bits)1 << (n_nodes % 64)) - 1;
    for (size_t word = (n_nodes + 63) / 64; word < pare_dependency_set_size(graph); word++)
        kept[word] = 0;
    if (was_plain) pare_dependency_make_plain(graph, kept);
    for (bool changed = true; changed;) {
        changed = false;
        memset(self.lost, NOT_KNOWN, graph->clauses.n - n_nodes);
        for (uint32_t i = 0; i < n_nodes; i++) {
            if (!kept[i / 64])
                i |= 63; /* none of them; the loop goes on to the next word */
            else if (take_broken(&self, i))
                changed = true;
        }
    }
    if (graph->follows) take_unused(&self);
    pare_alloc_free(self.lost);
    return PARE_OK;
}

/* By its own means, not those of dropping: no sweep, all facts counted anew for each use. */
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

/* Whether the node names one that is used; `facts`: those of names that such nodes declare. */
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

/* --- texts -------------------------------------------------------------------------------- */

/* A text that is being printed. */
struct printing {
    const pare_dependency *graph;
    const pare_dependency_bits *kept;
    /* Takes bytes from .. to-1 of the text, or a literal if it is not NULL; `node`: whose. */
    pare_status (*piece)(void *context, size_t from, size_t to, const char *literal, uint32_t node);
    void *context;
    bool plain;         /* without line markers and blank lines */
    size_t end;         /* of the slice that was printed last, */
    unsigned char last; /* and the last byte that was printed */
    pare_dependency_markers_walk walk;
};

/* Whether the bytes are all white space. */
static bool is_blank(const unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (bytes[i] != ' ' && bytes[i] != '\n' && bytes[i] != '\t' && bytes[i] != '\r')
            return false;
    return true;
}

/* Prints a slice without its line markers and blank lines.  A marker that does not begin a line of
 * the printed text leaves the end of its line, which parts the words before and after it. */
static pare_status print_plain(struct printing *self, size_t from, size_t to, uint32_t node)
{
    const unsigned char *bytes = self->graph->bytes;
    pare_status status = PARE_OK;
    for (size_t at = from, next; !status && at < to; at = next) {
        const unsigned char *newline = memchr(bytes + at, '\n', to - at);
        next = newline ? (size_t)(newline - bytes) + 1 : to;
        const bool begins = self->last == '\n', marker = pare_dependency_is_marker(bytes, at, to);
        if (begins && (marker || is_blank(bytes + at, next - at))) continue;
        if (marker && newline) at = next - 1;
        self->last = bytes[next - 1];
        status = self->piece(self->context, at, next, NULL, node);
    }
    self->end = to;
    return status;
}

/* Prints a slice, or a part of one, as it is but for one flag. */
static pare_status print_without(struct printing *self, size_t from, size_t to, size_t flag,
                                 uint32_t node)
{
    pare_status status = self->piece(self->context, from, flag, NULL, node);
    return status ? status : self->piece(self->context, flag + 2, to, NULL, node);
}

/* Prints a slice. */
static pare_status print(struct printing *self, size_t from, size_t to, uint32_t node)
{
    if (from >= to) return PARE_OK;
    if (self->plain) return print_plain(self, from, to, node);
    const pare_dependency_marker *marker =
        pare_dependency_markers_step(&self->walk, self->graph->bytes, from, to);
    pare_status status = PARE_OK;
    if (marker && self->last != '\n') status = self->piece(self->context, 0, 0, "\n", node);
    if (marker && !status && marker->flag)
        status = print_without(self, marker->begin, marker->end, marker->flag, node);
    else if (marker && !status)
        status = self->piece(self->context, marker->begin, marker->end, NULL, node);
    const pare_dependency_marker *orphan;
    while (!status && (orphan = pare_dependency_markers_orphan(&self->walk, from, to))) {
        status = print_without(self, from, orphan->end, orphan->flag, node);
        from = orphan->end;
    }
    if (status) return status;
    self->last = self->graph->bytes[to - 1];
    self->end = to;
    return from == to ? PARE_OK : self->piece(self->context, from, to, NULL, node);
}

/* Where the white space that ends at `to` begins, not before `from`.  The end of a line that is the
 * preprocessor's, or ends in a comment, is none: what came after it would be part of that line.  A `//` in a
 * string is taken for a comment, which keeps a line end that could go. */
static size_t trim(const struct printing *self, size_t from, size_t to)
{
    const unsigned char *bytes = self->graph->bytes;
    size_t end = to, line;
    while (end > from && (bytes[end - 1] == ' ' || bytes[end - 1] == '\n' ||
                          bytes[end - 1] == '\t' || bytes[end - 1] == '\r'))
        end--;
    for (line = end; line && bytes[line - 1] != '\n';)
        line--;
    bool marker = line < end && bytes[line] == '#';
    bool ends = marker || memmem(bytes + line, end - line, "//", 2);
    while (ends && end < to && bytes[end] != '\n')
        end++;
    return ends && end < to ? end + 1 : end;
}

/* Prints what stays in the place of `node` (`;` for a body), right after what stands before it: white space is
 * left out, but for that before a word, which would become one with the word before it. */
static pare_status print_rest(struct printing *self, size_t from, uint32_t node)
{
    const pare_dependency *graph = self->graph;
    size_t to = graph->nodes[node].begin;
    const char *rest = graph->nodes[node].rest;
    bool piece = graph->nodes[node].roles & PARE_OUTLINE_PIECE;
    bool word = piece && rest[0] >= 'a' && rest[0] <= 'z';
    if (!word) to = trim(self, from, to);
    pare_status status = print(self, from, to, graph->nodes[node].parent);
    if (*rest) self->last = (unsigned char)rest[strlen(rest) - 1];
    if (status) return status;
    return self->piece(self->context, 0, 0, rest, graph->nodes[node].parent);
}

/* Where the last of what is in `node` ends, if none of it is kept and it must not be empty; else
 * 0. */
static size_t emptied_to(const struct printing *self, uint32_t node)
{
    const pare_dependency_node *nodes = self->graph->nodes;
    size_t end = 0;
    if (!(nodes[node].roles & PARE_OUTLINE_FILLED)) return 0;
    for (uint32_t i = node + 1; i < nodes[node].after; i = nodes[i].after) {
        if (pare_dependency_has(self->kept, i)) return 0;
        end = nodes[i].end;
    }
    return end;
}

/* Prints all pieces of the text in order, for candidates, their size, and the place of a byte alike, so that
 * the three cannot disagree.
 * One walk over the nodes; `cursor` is the first byte that is not decided on, `owner` the node that it belongs
 * to.  What stands between two siblings of one list goes with the first of them, if that goes.  A line of a
 * preprocessor begins a line in any case.  Longer than a screen, since each step depends on where the last one
 * left the cursor.  Stops at the first piece that is refused. */
static pare_status print_all(struct printing *self)
{
    const pare_dependency *graph = self->graph;
    uint32_t n = graph->clauses.n_nodes, owner = PARE_NO_NODE;
    pare_status status = PARE_OK;
    size_t cursor = 0;
    self->last = '\n';
    self->end = 0;
    self->walk.markers = &graph->markers;
    self->plain = pare_dependency_has(self->kept, plain(graph));
    for (uint32_t i = 0; !status && i < n;) {
        const pare_dependency_node *node = &graph->nodes[i];
        bool kept = pare_dependency_has(self->kept, i);
        if (!kept && node->rest) {
            status = print_rest(self, cursor, i);
            cursor = node->end;
        } else {
            status = print(self, cursor, node->begin, owner);
            cursor = node->begin;
        }
        owner = i;
        if (!status && kept && node->roles & PARE_OUTLINE_LINE && self->last != '\n' &&
            self->end != node->begin) {
            self->last = '\n';
            status = self->piece(self->context, 0, 0, "\n", i);
        }
        size_t emptied = kept ? emptied_to(self, i) : 0;
        if (!status && emptied) {
            status = print(self, cursor, graph->nodes[i + 1].begin, i);
            if (!status) status = self->piece(self->context, 0, 0, graph->no_body, i);
            cursor = emptied;
            i = node->after;
            continue;
        }
        if (kept) {
            i++;
            continue;
        }
        i = node->after;
        owner = node->parent;
        bool sibling = i < n && graph->nodes[i].parent == node->parent &&
                       !(node->roles & PARE_OUTLINE_PIECE) && !(node->roles & PARE_OUTLINE_LAST);
        cursor = sibling ? graph->nodes[i].begin : node->end;
    }
    return status ? status : print(self, cursor, pare_text_size(graph->text), owner);
}

bool pare_dependency_has_markers(const pare_dependency *graph)
{
    return graph->markers.n > 0;
}

void pare_dependency_make_plain(const pare_dependency *graph, pare_dependency_bits *set)
{
    pare_dependency_add(set, plain(graph));
}

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

/* Adding to a candidate can only fail for memory, which the caller says. */
static pare_status to_candidate(void *context, size_t from, size_t to, const char *literal,
                                uint32_t node)
{
    (void)node;
    if (literal) return pare_candidate_literal(context, literal, strlen(literal), NULL);
    return pare_candidate_slice(context, from, to - from, NULL);
}

/* O(nodes + pieces). */
pare_status pare_dependency_candidate(const pare_dependency *graph,
                                      const pare_dependency_bits *kept, pare_candidate *candidate,
                                      pare_error *err)
{
    struct printing printing = {
        .graph = graph, .kept = kept, .piece = to_candidate, .context = candidate};
    pare_candidate_start(candidate, graph->text);
    return print_all(&printing) ? pare_fail_nomem(err) : PARE_OK;
}

static pare_status to_count(void *context, size_t from, size_t to, const char *literal,
                            uint32_t node)
{
    size_t *bytes = context;
    (void)node;
    *bytes += literal ? strlen(literal) : to - from;
    return PARE_OK;
}

size_t pare_dependency_bytes(const pare_dependency *graph, const pare_dependency_bits *kept)
{
    size_t bytes = 0;
    struct printing printing = {.graph = graph, .kept = kept, .piece = to_count, .context = &bytes};
    pare_status status = print_all(&printing);
    assert(!status);
    (void)status;
    return bytes;
}

/* Where a byte of the printed text is looked for. */
struct place {
    size_t left; /* bytes before it */
    uint32_t node;
};

/* Ends the printing at the byte; the status is not an error, but the way out of print_all. */
static pare_status to_place(void *context, size_t from, size_t to, const char *literal,
                            uint32_t node)
{
    struct place *place = context;
    size_t size = literal ? strlen(literal) : to - from;
    if (place->left < size) {
        place->node = node;
        return PARE_E_LIMIT;
    }
    place->left -= size;
    return PARE_OK;
}

uint32_t pare_dependency_node_at(const pare_dependency *graph, const pare_dependency_bits *kept,
                                 size_t offset)
{
    struct place place = {.left = offset, .node = PARE_NO_NODE};
    struct printing printing = {.graph = graph, .kept = kept, .piece = to_place, .context = &place};
    return print_all(&printing) == PARE_E_LIMIT ? place.node : PARE_NO_NODE;
}

/* --- names ---------------------------------------------------------------------------------- */

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

enum { MOST_ADDED = 60 };

/* Adds the edge to one node that declares the name. */
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

/* Names of many declarations are cut off: what is needed is mostly among the first. */
pare_status pare_dependency_need(const pare_dependency *graph, const pare_dependency_lack *lack,
                                 pare_dependency_edges *edges, size_t *n_added, pare_error *err)
{
    struct need need = {.lack = lack, .edges = edges, .err = err};
    assert(lack->from < graph->clauses.n_nodes);
    pare_dependency_named(graph, lack->name, lack->size, add_need, &need);
    *n_added = need.n_added;
    return need.status;
}
