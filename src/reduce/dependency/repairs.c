/* From complaints to edges and to nodes at fault.
 *
 * For each error: the byte where it is, the node that printed that byte (the faulty one), and the
 * nodes that declare the missing name, as far as they may be kept and are not.  Each of them
 * becomes an edge from the faulty node: too many rather than one too few, because an edge too many
 * costs bytes that the deletions afterwards take, and one too few costs a test.  What is declared,
 * but incomplete, or defined nowhere, needs its body.
 * A node of which no complaint could be mended is left out, with all that cannot do without it,
 * unless the roots need it: then the attempt fails as it is.
 *
 * Why in the closure search only: there most errors come from an edge that the rules do not know,
 * and each edge mends all later candidates; deletions break things that are known to be needed.
 * Invariant: `learned` is sorted; `without` holds no root, nor what roots need.
 * Source: measurements of a prototype, in which both ways of mending together needed half of the
 * tests of either. */
#include "reduce/dependency/repairs.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/digest.h"
#include "base/fail.h"
#include "base/shared.h"
#include "parse/parse_tree.h"
#include "reduce/dependency/dependency.h"
#include "reduce/dependency/dependency_drop.h"
#include "reduce/dependency/dependency_edges.h"
#include "reduce/dependency/dependency_graph.h"
#include "reduce/dependency/dependency_print.h"
#include "reduce/dependency/outline.h"
#include "text/candidate.h"

enum {
    MOST_TRIES = 5,     /* of one attempt, after the first */
    MOST_BODIES = 60,   /* that one complaint may ask for, */
    MOST_FURTHER = 400, /* and that these call */
    MOST_QUIET = 8,    /* attempts in a row with nothing to mend, until only some are listened to */
    MOST_OF_NAME = 8,  /* missing declarations of a name that a line may ask for */
    MOST_LINES = 4,    /* errors of one attempt whose lines are read, */
    LINES_BEFORE = 4,  /* and lines before them, */
    NEAR_BYTES = 4096, /* as far as this from the place */
    QUIET_SHARE = 5,   /* one in so many */
    MOST_VAIN = 12     /* tries in a row that were mended in vain, until mending is given up */
};

/* What a declaration may lack: a function's body, a class's data. */
static const uint32_t INSIDES = PARE_OUTLINE_BODY | PARE_OUTLINE_DATA;

void pare_repairs_done(pare_repairs *repairs)
{
    pare_dependency_edges_done(&repairs->learned);
    pare_shared_release(repairs->without);
    *repairs = (pare_repairs){.without = NULL};
}

/* There are some hundred edges at most, so they are not shared. */
pare_status pare_repairs_copy(const pare_repairs *repairs, pare_repairs *copy, pare_error *err)
{
    const pare_dependency_edges *learned = &repairs->learned;
    *copy = *repairs;
    copy->learned = (pare_dependency_edges){.n = 0};
    if (learned->n) {
        pare_dependency_edge *at = pare_alloc(learned->n, sizeof *at);
        if (!at) return pare_fail_nomem(err);
        memcpy(at, learned->at, learned->n * sizeof *at);
        copy->learned = (pare_dependency_edges){.at = at, .n = learned->n, .capacity = learned->n};
    }
    pare_shared_retain(copy->without);
    return PARE_OK;
}

/* ---- mending ----------------------------------------------------------------------------- */

/* A new set, a copy of `from` (NULL: an empty one), for this mending only; the caller frees it.
 * NULL: out of memory. */
static pare_dependency_bits *new_bits(const pare_dependency *graph,
                                      const pare_dependency_bits *from)
{
    size_t n = pare_dependency_set_size(graph);
    pare_dependency_bits *bits = pare_alloc_zero(n, sizeof *bits);
    if (bits && from) memcpy(bits, from, n * sizeof *bits);
    return bits;
}

/* What is worked out while one attempt is mended. */
struct mending {
    pare_repairs *repairs;
    const pare_repairs_attempt *attempt;
    char *text; /* owned; of the attempt */
    size_t size;
    pare_dependency_bits *needed; /* owned; by the roots */
    pare_dependency_bits *faulty; /* owned; of which a complaint was not mended */
    pare_dependency_bits *mended; /* owned; of which one was */
    size_t n_added;
    uint32_t from;     /* the node whose complaint is at hand; PARE_NO_NODE: it has no place */
    const char *class; /* only members of one called so are asked for bodies; NULL: all are */
    size_t n_bodies;   /* added for it, */
    size_t n_further;  /* and those that these call, */
    bool links;        /* which are asked for, too */
    uint32_t
        declared; /* a kept declaration of what is defined nowhere; PARE_NO_NODE: none was found yet */
    bool only_parts;    /* of names only parts of what declares them are looked for */
    pare_status status; /* of a visit */
    pare_error *err;
};

static void mending_done(struct mending *self)
{
    pare_alloc_free(self->text);
    pare_alloc_free(self->needed);
    pare_alloc_free(self->faulty);
    pare_alloc_free(self->mended);
}

/* The text of the attempt, as its compiler saw it. */
static pare_status print_attempt(struct mending *self)
{
    pare_candidate candidate = {0};
    pare_status status = pare_dependency_print_candidate(self->attempt->graph, self->attempt->kept,
                                                         &candidate, self->err);
    if (!status) {
        self->size = candidate.size;
        self->text = pare_alloc(candidate.size + 1, 1);
        if (self->text)
            pare_candidate_read(&candidate, self->text);
        else
            status = pare_fail_nomem(self->err);
    }
    pare_candidate_done(&candidate);
    return status;
}

/* The query of the attempt with the edges that are known by now. */
static pare_dependency_query query_of(const struct mending *self)
{
    pare_dependency_query query = *self->attempt->query;
    query.learned = self->repairs->learned.at;
    query.n_learned = self->repairs->learned.n;
    return query;
}

/* Adds the roots with all that is in them, as far as it is kept. */
static void need_roots(struct mending *self)
{
    const pare_repairs_attempt *attempt = self->attempt;
    const pare_dependency_node *nodes = pare_dependency_nodes(attempt->graph);
    for (size_t k = 0; k < attempt->n_roots; k++)
        for (uint32_t i = attempt->roots[k]; i < nodes[attempt->roots[k]].after; i++)
            if (pare_dependency_has(attempt->kept, i)) pare_dependency_add(self->needed, i);
}

/* Makes the sets, and what the roots need: a node of that is never left out.  That closure is
 * made without `without`, which may lack some of it.  Of a closure of the roots all is needed, so there only they
 * themselves are safe.  Prints the text, as complaints give places in it. */
static pare_status prepare(struct mending *self)
{
    const pare_repairs_attempt *attempt = self->attempt;
    self->needed = new_bits(attempt->graph, NULL);
    self->faulty = new_bits(attempt->graph, NULL);
    self->mended = new_bits(attempt->graph, NULL);
    if (!self->needed || !self->faulty || !self->mended) return pare_fail_nomem(self->err);
    pare_dependency_query query = query_of(self);
    query.without = NULL;
    pare_status status = PARE_OK;
    if (attempt->is_all) need_roots(self);
    for (size_t k = 0; k < attempt->n_roots; k++)
        pare_dependency_add(self->needed, attempt->roots[k]);
    if (!attempt->is_all)
        status = pare_dependency_close(attempt->graph, &query, self->needed, self->err);
    return status ? status : print_attempt(self);
}

/* ---- edges ------------------------------------------------------------------------------- */

/* Whether the node may be kept, and is not.  What was left out of the attempt on purpose counts
 * as missing, too. */
static bool is_missing(const struct mending *self, uint32_t node)
{
    const pare_dependency_bits *within = self->attempt->query->within;
    return !pare_dependency_has(self->attempt->kept, node) &&
           (!within || pare_dependency_has(within, node));
}

/* What is looked for among the declarations of a name. */
struct sought {
    uint32_t node;
    bool found;
};

static bool is_sought(void *context, uint32_t node)
{
    struct sought *sought = context;
    sought->found = sought->found || sought->node == node;
    return !sought->found;
}

/* Whether the node is in a class, or in another scope, called `self->class`: of `A::f` only what
 * a node called A holds. */
static bool is_member_of(const struct mending *self, uint32_t node)
{
    struct sought sought = {.node = pare_dependency_nodes(self->attempt->graph)[node].parent};
    if (sought.node != PARE_NO_NODE)
        pare_dependency_named(self->attempt->graph, self->class, strlen(self->class), is_sought,
                              &sought);
    return sought.found;
}

/* The node `from` needs the bodies of all that `body` may call: what is defined nowhere is asked
 * for one by one, and each would take a try.  The closure of the body alone, with all bodies,
 * says which they are; MOST_FURTHER of them at most. */
static pare_status need_called(struct mending *self, uint32_t from, uint32_t body)
{
    const pare_dependency *graph = self->attempt->graph;
    const pare_dependency_node *nodes = pare_dependency_nodes(graph);
    pare_dependency_query query = query_of(self);
    pare_dependency_bits *called = new_bits(graph, NULL);
    query.without = NULL;
    query.bodies = query.bare = true;
    if (called) pare_dependency_add(called, body);
    pare_status status = called ? pare_dependency_close(graph, &query, called, self->err)
                                : pare_fail_nomem(self->err);
    for (uint32_t k = 0; !status && k < pare_dependency_count(graph); k++) {
        bool added = false;
        const bool asked = nodes[k].roles & PARE_OUTLINE_BODY && pare_dependency_has(called, k);
        if (!asked || !is_missing(self, k) || self->n_further == MOST_FURTHER) continue;
        status = pare_dependency_edges_add(&self->repairs->learned, (pare_dependency_edge){from, k},
                                           &added, self->err);
        self->n_further += added;
    }
    pare_alloc_free(called);
    return status;
}

/* The node at hand needs the bodies, or the data, of `named`, which is kept; without a place
 * `named` itself does, as where a linker complains.  Asks for more until MOST_BODIES were added. */
static bool need_bodies(void *context, uint32_t named)
{
    struct mending *self = context;
    const pare_dependency_node *nodes = pare_dependency_nodes(self->attempt->graph);
    if (!pare_dependency_has(self->attempt->kept, named)) return true;
    if (self->class && !is_member_of(self, named)) return true;
    for (uint32_t k = named + 1; k < nodes[named].after && !self->status; k = nodes[k].after) {
        bool added = false;
        if (!(nodes[k].roles & INSIDES) || !is_missing(self, k)) continue;
        uint32_t from = self->from == PARE_NO_NODE ? named : self->from;
        self->status = pare_dependency_edges_add(
            &self->repairs->learned, (pare_dependency_edge){from, k}, &added, self->err);
        self->n_bodies += added;
        if (added && self->links && !self->status) self->status = need_called(self, from, k);
    }
    return !self->status && self->n_bodies < MOST_BODIES;
}

/* Finds a kept declaration of the name. */
static bool find_declared(void *context, uint32_t named)
{
    struct mending *self = context;
    if (pare_dependency_has(self->attempt->kept, named)) self->declared = named;
    return self->declared == PARE_NO_NODE;
}

/* The declaration needs a definition that was left out: one outside of its class, or a friend's
 * in another class.  Only bodies are asked for; what holds them follows, as each node needs its
 * parent. */
static bool need_definition(void *context, uint32_t named)
{
    struct mending *self = context;
    const pare_dependency_node *nodes = pare_dependency_nodes(self->attempt->graph);
    if (!is_missing(self, named)) return true;
    for (uint32_t k = named + 1; k < nodes[named].after && !self->status; k = nodes[k].after) {
        bool added = false;
        if (!(nodes[k].roles & PARE_OUTLINE_BODY)) continue;
        self->status = pare_dependency_edges_add(
            &self->repairs->learned, (pare_dependency_edge){self->declared, k}, &added, self->err);
        self->n_bodies += added;
    }
    return !self->status && self->n_bodies < MOST_OF_NAME;
}

/* Adds edges to definitions of what is declared and defined nowhere: from a declaration that is
 * kept to bodies of others of that name, which were left out. */
static void learn_definitions(struct mending *self, const char *name)
{
    const pare_dependency *graph = self->attempt->graph;
    self->declared = PARE_NO_NODE;
    pare_dependency_named(graph, name, strlen(name), find_declared, self);
    if (self->declared != PARE_NO_NODE)
        pare_dependency_named(graph, name, strlen(name), need_definition, self);
}

/* The last part of a qualified name: of `a::b::C` it is C.  One without a scope is its own last
 * part. */
static const char *last_part(const char *name)
{
    for (const char *at = name; *at; at++)
        if (*at == ':') name = at + 1;
    return name;
}

/* Adds edges to the bodies of what `complaint` names: first of members of the class that it
 * names, and if there are none, of all of that name.  What a linker misses may also be defined
 * apart from its declaration (learn_definitions). */
static pare_status learn_bodies(struct mending *self, const pare_complaint *complaint, size_t *n)
{
    self->n_bodies = self->n_further = 0;
    self->links = complaint->kind == PARE_COMPLAINT_UNLINKED && self->attempt->calls;
    self->status = PARE_OK;
    self->class = last_part(complaint->scope);
    for (int all = !*self->class; all < 2 && !self->n_bodies && !self->status; all++) {
        if (all) self->class = NULL;
        pare_dependency_named(self->attempt->graph, complaint->name, strlen(complaint->name),
                              need_bodies, self);
    }
    const bool undefined = complaint->kind == PARE_COMPLAINT_UNLINKED;
    if (undefined && !self->n_bodies && !self->status) learn_definitions(self, complaint->name);
    *n = self->n_bodies;
    return self->status;
}

/* The name is declared in what was left out of the scope: a specialisation, or a base of it. */
static pare_status learn_scope(struct mending *self, const pare_complaint *complaint, size_t *n)
{
    const pare_dependency_query query = query_of(self);
    const char *name = last_part(complaint->scope);
    const pare_dependency_lack lack = {.query = &query,
                                       .kept = self->attempt->kept,
                                       .from = self->from,
                                       .name = name,
                                       .size = strlen(name)};
    return pare_dependency_need(self->attempt->graph, &lack, &self->repairs->learned, n, self->err);
}

static pare_status learn_name(struct mending *self, const char *name, size_t size, size_t *n);

/* The node at hand needs what was left out of the declarations of the name: what an alias stands for. */
static pare_status learn_parts(struct mending *self, const char *name, size_t *n)
{
    self->only_parts = true;
    pare_status status = learn_name(self, name, strlen(name), n);
    self->only_parts = false;
    return status;
}

/* A variable that was left without what it is made from, and of which nothing fits, or nobody knows what is wrong:
 * its class is not made from nothing, whatever else the complaint names. */
static pare_status learn_value(struct mending *self, const pare_complaint *complaint, size_t *n)
{
    const pare_dependency_node *nodes = pare_dependency_nodes(self->attempt->graph);
    const bool unfit =
        complaint->kind == PARE_COMPLAINT_UNMATCHED || complaint->kind == PARE_COMPLAINT_OTHER;
    bool added = false;
    if (!unfit || self->from == PARE_NO_NODE) return PARE_OK;
    const uint32_t value = self->from + 1;
    if (value >= nodes[self->from].after || !(nodes[value].roles & PARE_OUTLINE_VALUE) ||
        !is_missing(self, value))
        return PARE_OK;
    pare_status status = pare_dependency_edges_add(
        &self->repairs->learned, (pare_dependency_edge){self->from, value}, &added, self->err);
    *n += added;
    return status;
}

/* Adds the edges that `complaint` asks for; *n of them are new.  First what its kind says is
 * missing, a declaration or a body; what of the two it is in an unknown error is tried out. */
static pare_status learn(struct mending *self, const pare_complaint *complaint, size_t *n)
{
    const pare_repairs_attempt *attempt = self->attempt;
    const pare_complaint_kind kind = complaint->kind;
    const pare_dependency_query query = query_of(self);
    bool body = kind == PARE_COMPLAINT_INCOMPLETE || kind == PARE_COMPLAINT_UNLINKED;
    pare_status status = PARE_OK;
    *n = 0;
    if (!*complaint->name || kind == PARE_COMPLAINT_SYNTAX || kind == PARE_COMPLAINT_REPEATED)
        return PARE_OK;
    if (body) status = learn_bodies(self, complaint, n);
    if (!status && !*n) status = learn_value(self, complaint, n);
    if (status || *n || self->from == PARE_NO_NODE) return status;
    const pare_dependency_lack lack = {.query = &query,
                                       .kept = attempt->kept,
                                       .from = self->from,
                                       .name = complaint->name,
                                       .size = strlen(complaint->name)};
    status = pare_dependency_need(attempt->graph, &lack, &self->repairs->learned, n, self->err);
    if (!status && !*n) status = learn_parts(self, complaint->name, n);
    const bool scoped = *complaint->scope && kind != PARE_COMPLAINT_UNMATCHED;
    if (!status && !*n && scoped) status = learn_scope(self, complaint, n);
    if (status || *n || kind != PARE_COMPLAINT_OTHER) return status;
    return learn_bodies(self, complaint, n);
}

/* ---- edges by the line ----------------------------------------------------------------------- */

/* The declarations of a name, as far as something of them is missing: they themselves, or a part. */
struct missing {
    struct mending *mending;
    uint32_t at[MOST_OF_NAME + 1];
    size_t n;
};

static void note_missing(struct missing *missing, uint32_t node)
{
    if (missing->n <= MOST_OF_NAME) missing->at[missing->n++] = node;
}

/* Notes the declaration if it is missing, or of one that is kept the parts that are: what it
 * inherits from or stands for, or a part in the place of which something else was left, such as
 * a value. */
static bool find_missing(void *context, uint32_t node)
{
    struct missing *missing = context;
    const struct mending *self = missing->mending;
    const pare_dependency_node *nodes = pare_dependency_nodes(self->attempt->graph);
    if (is_missing(self, node) && !self->only_parts) note_missing(missing, node);
    if (!pare_dependency_has(self->attempt->kept, node)) return true;
    for (uint32_t k = node + 1; k < nodes[node].after; k = nodes[k].after) {
        const bool holds = nodes[k].roles & PARE_OUTLINE_BASES || nodes[k].rest;
        if (nodes[k].roles & PARE_OUTLINE_PIECE && holds && is_missing(self, k))
            note_missing(missing, k);
    }
    return missing->n <= MOST_OF_NAME;
}

/* The node at hand needs what is missing of the declarations of a name, unless these are more
 * than MOST_OF_NAME: then the name says little, and edges to all of them would keep too much.
 * No node is made to need itself. */
static pare_status learn_name(struct mending *self, const char *name, size_t size, size_t *n)
{
    struct missing missing = {.mending = self};
    pare_status status = PARE_OK;
    pare_dependency_named(self->attempt->graph, name, size, find_missing, &missing);
    if (missing.n > MOST_OF_NAME) return PARE_OK;
    for (size_t i = 0; !status && i < missing.n; i++) {
        bool added = false;
        if (missing.at[i] == self->from) continue;
        status = pare_dependency_edges_add(&self->repairs->learned,
                                           (pare_dependency_edge){self->from, missing.at[i]},
                                           &added, self->err);
        *n += added;
    }
    return status;
}

static bool in_name(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The same for all names of the line in which `place` is, and of `n_before` lines before it; of
 * text that is one long line, for those near it.  Keywords and names that nothing declares lead
 * to no nodes, so they need not be told apart. */
static pare_status learn_lines(struct mending *self, size_t place, unsigned n_before, size_t *n)
{
    const char *text = self->text;
    size_t at = place, end = place;
    pare_status status = PARE_OK;
    while (at > 0 && place - at < NEAR_BYTES && (text[at - 1] != '\n' || n_before-- > 0))
        at--;
    while (end < self->size && end - place < NEAR_BYTES && text[end] != '\n')
        end++;
    while (!status && at < end) {
        size_t to = at;
        while (to < end && in_name(text[to]))
            to++;
        if (to > at) status = learn_name(self, text + at, to - at, n);
        at = to > at ? to : at + 1;
    }
    return status;
}

/* The same for a place that led to the error; its node is at hand then. */
static pare_status learn_suspect(struct mending *self, const pare_complaint *suspect, size_t *n)
{
    size_t place = pare_complaints_place(suspect, self->text, self->size);
    if (place >= self->size) return PARE_OK;
    self->from = pare_dependency_print_node_at(self->attempt->graph, self->attempt->kept, place);
    return self->from == PARE_NO_NODE ? PARE_OK : learn_lines(self, place, LINES_BEFORE, n);
}

/* The names that are told with the error: in the notes after it, up to the next error. */
static pare_status learn_notes(struct mending *self, const pare_complaints *complaints, size_t k,
                               size_t *n)
{
    pare_status status = PARE_OK;
    for (size_t i = k + 1; !status && i < complaints->n; i++) {
        const pare_complaint *note = &complaints->item[i];
        if (note->kind < PARE_COMPLAINT_SUSPECT) break;
        if (note->kind == PARE_COMPLAINT_NOTE)
            status = learn_name(self, note->name, strlen(note->name), n);
    }
    return status;
}

/* Where an instance was asked for: g++ tells that before the error, clang after it.  The nearest
 * place before it comes first; the first place of which something can be learned ends the
 * search. */
static pare_status learn_suspects(struct mending *self, const pare_complaints *complaints, size_t k,
                                  size_t *n)
{
    const uint32_t from = self->from;
    pare_status status = PARE_OK;
    for (size_t i = k; !status && !*n && i-- > 0;) {
        if (complaints->item[i].kind != PARE_COMPLAINT_SUSPECT) break;
        status = learn_suspect(self, &complaints->item[i], n);
    }
    for (size_t i = k + 1; !status && !*n && i < complaints->n; i++) {
        if (complaints->item[i].kind < PARE_COMPLAINT_SUSPECT) break;
        if (complaints->item[i].kind == PARE_COMPLAINT_SUSPECT)
            status = learn_suspect(self, &complaints->item[i], n);
    }
    self->from = from;
    return status;
}

/* An error that does not say what it lacks, at `place`: it may be what an alias stands for that is named there, or
 * where an instance was asked for; or else anything that is. */
static pare_status learn_by_place(struct mending *self, const pare_complaints *complaints, size_t k,
                                  size_t place, size_t *n)
{
    self->only_parts = true;
    pare_status status = learn_lines(self, place, 0, n);
    if (!status && !*n) status = learn_suspects(self, complaints, k, n);
    self->only_parts = false;
    if (!status && !*n) status = learn_notes(self, complaints, k, n);
    if (!status && !*n) status = learn_lines(self, place, 0, n);
    /* Of all that is known to be needed what lacks is mostly told, and a guess would only make it larger. */
    if (status || *n || self->attempt->is_all) return status;
    status = learn_lines(self, place, LINES_BEFORE, n);
    return status || *n ? status : learn_suspects(self, complaints, k, n);
}

/* ---- what is expected -------------------------------------------------------------------- */

/* Names are compared by their digests. */
static pare_digest name_of(const pare_complaint *complaint)
{
    const size_t size = strlen(complaint->name);
    return pare_digest_of(pare_digest_extend((pare_hash){.lane = {0}}, complaint->name, size),
                          size);
}

/* Whether the failing run said the same of the node: the failure is to be kept, so what it says
 * of itself is not mended.  The name that is complained of is compared, not the words of the
 * message, in which lines and types may differ. */
static bool is_expected(const pare_repairs *repairs, uint32_t node, const pare_complaint *complaint)
{
    const pare_digest name = name_of(complaint);
    for (size_t k = 0; k < repairs->n_expected; k++)
        if (repairs->expected[k].node == node && pare_digest_equal(repairs->expected[k].name, name))
            return true;
    return false;
}

void pare_repairs_expect(pare_repairs *repairs, uint32_t node, const pare_complaint *complaint)
{
    if (complaint->kind >= PARE_COMPLAINT_SUSPECT || is_expected(repairs, node, complaint)) return;
    if (repairs->n_expected == PARE_REPAIRS_MOST_EXPECTED) return;
    repairs->expected[repairs->n_expected++] =
        (pare_repairs_complaint){.node = node, .name = name_of(complaint)};
}

/* Notes the complaint, whose node is at hand, for the case that the attempt fails, and for
 * comparison with the next try. */
static void note_heard(pare_repairs *repairs, uint32_t node, const pare_complaint *complaint)
{
    if (repairs->n_heard < PARE_REPAIRS_MOST_EXPECTED)
        repairs->heard[repairs->n_heard++] =
            (pare_repairs_complaint){.node = node, .name = name_of(complaint)};
}

/* Whether the try before this one was mended for the same, in vain. */
static bool is_repeated(const pare_repairs *repairs, uint32_t node, const pare_complaint *complaint)
{
    const pare_digest name = name_of(complaint);
    for (size_t k = 0; k < repairs->n_before; k++)
        if (repairs->before[k].node == node && pare_digest_equal(repairs->before[k].name, name))
            return true;
    return false;
}

/* ---- complaints -------------------------------------------------------------------------- */

enum fault_note { NO_FAULT, FAULT_MENDED, FAULT_UNMENDED };

/* Notes what the attempt is rejected for: of the complaints the first that was not mended, or
 * else the first.  Errors that follow from others mostly come later. */
static void note_fault(pare_repairs *repairs, uint32_t node, const pare_complaint *complaint,
                       enum fault_note *noted, bool mended)
{
    if (*noted == FAULT_UNMENDED || (*noted == FAULT_MENDED && mended)) return;
    *noted = mended ? FAULT_MENDED : FAULT_UNMENDED;
    repairs->fault = (pare_repairs_complaint){.node = node, .name = name_of(complaint)};
}

/* The node of each complaint is mended, or at fault; *rejected: there is one that the failing
 * run did not have.  In attempts that only learn, or hold all that is known, a complaint that the try before had, too, was
 * mended in vain: its line is tried once, then nothing.  Of a node several complaints may be
 * mended and others not; list_faulty leaves such a node in. */
static pare_status mend(struct mending *self, const pare_complaints *complaints, bool *rejected)
{
    const pare_repairs_attempt *attempt = self->attempt;
    pare_status status = PARE_OK;
    size_t n_lines = 0;
    enum fault_note noted = NO_FAULT;
    for (size_t k = 0; k < complaints->n && !status; k++) {
        const pare_complaint *complaint = &complaints->item[k];
        size_t added = 0;
        if (complaint->kind >= PARE_COMPLAINT_SUSPECT) continue;
        size_t place = pare_complaints_place(complaint, self->text, self->size);
        self->from = PARE_NO_NODE;
        if (place < self->size)
            self->from = pare_dependency_print_node_at(attempt->graph, attempt->kept, place);
        note_heard(self->repairs, self->from, complaint);
        if (is_expected(self->repairs, self->from, complaint)) continue;
        *rejected = true;
        const bool tries_all = attempt->only_learns || attempt->is_all;
        const bool repeated = tries_all && is_repeated(self->repairs, self->from, complaint);
        if (repeated && self->repairs->n_tries > 1) {
            note_fault(self->repairs, self->from, complaint, &noted, false);
            continue;
        }
        if (!repeated) status = learn(self, complaint, &added);
        if (!status && !added && tries_all && self->from != PARE_NO_NODE && n_lines++ < MOST_LINES)
            status = learn_by_place(self, complaints, k, place, &added);
        note_fault(self->repairs, self->from, complaint, &noted, added > 0);
        self->n_added += added;
        if (self->from != PARE_NO_NODE)
            pare_dependency_add(added ? self->mended : self->faulty, self->from);
    }
    return status;
}

/* ---- nodes at fault ---------------------------------------------------------------------- */

/* The nodes to leave out, at most as many as there are complaints; *n of them.  NULL: out of
 * memory. */
static uint32_t *list_faulty(const struct mending *self, size_t *n)
{
    uint32_t n_nodes = pare_dependency_count(self->attempt->graph);
    uint32_t *list = pare_alloc(PARE_COMPLAINTS_MAX, sizeof *list);
    *n = 0;
    for (uint32_t k = 0; list && k < n_nodes && *n < PARE_COMPLAINTS_MAX; k++)
        if (pare_dependency_has(self->faulty, k) && !pare_dependency_has(self->mended, k) &&
            !pare_dependency_has(self->needed, k))
            list[(*n)++] = k;
    return list;
}

/* Adds to `without` what is in `kept` and not in `left`, but for what roots need; *n nodes.  The
 * set is a new one: copies of the strategy share the one before.  It only grows while an attempt
 * is tried, so the tries come to an end. */
static pare_status leave_out(struct mending *self, const pare_dependency_bits *left, size_t *n)
{
    const pare_repairs_attempt *attempt = self->attempt;
    size_t n_words = pare_dependency_set_size(attempt->graph);
    uint32_t n_nodes = pare_dependency_count(attempt->graph);
    pare_shared *set = NULL, *before = self->repairs->without;
    pare_dependency_bits *without = NULL;
    pare_status status = pare_dependency_new_set(attempt->graph, &set, &without, self->err);
    if (status) return status;
    if (before) memcpy(without, pare_shared_items(before), n_words * sizeof *without);
    *n = 0;
    for (uint32_t k = 0; k < n_nodes; k++) {
        bool stays = pare_dependency_has(left, k) || pare_dependency_has(self->needed, k);
        if (stays || !pare_dependency_has(attempt->kept, k)) continue;
        pare_dependency_add(without, k);
        ++*n;
    }
    pare_shared_release(before);
    self->repairs->without = set;
    return PARE_OK;
}

/* Whether none of what is needed goes. */
static bool has_needed(const struct mending *self, const pare_dependency_bits *left)
{
    const pare_dependency_bits *needed = self->needed;
    bool all = true;
    for (uint32_t k = 0; all && k < pare_dependency_count(self->attempt->graph); k++)
        all = !pare_dependency_has(needed, k) || pare_dependency_has(left, k);
    return all;
}

/* Drops one of the nodes after the other with all that needs it, but none that a root cannot do without. */
static pare_status drop_where_roots_stay(const struct mending *self, const uint32_t *list, size_t n,
                                         pare_dependency_bits *left)
{
    const size_t n_words = pare_dependency_set_size(self->attempt->graph);
    const pare_dependency_query query = query_of(self);
    pare_dependency_bits *tried = new_bits(self->attempt->graph, NULL);
    pare_status status = tried ? PARE_OK : pare_fail_nomem(self->err);
    for (size_t i = 0; !status && i < n; i++) {
        memcpy(tried, left, n_words * sizeof *tried);
        status = pare_dependency_drop(self->attempt->graph, &query, &list[i], 1, tried, self->err);
        if (!status && has_needed(self, tried)) memcpy(left, tried, n_words * sizeof *left);
    }
    pare_alloc_free(tried);
    return status;
}

/* Leaves the nodes at fault out of the attempt, with what needs them.  If all of them are needed
 * by the roots, nothing is left out, and *n is 0; nor is it of a closure of the roots of which something was mended, as
 * most further errors follow from that. */
static pare_status drop_faulty(struct mending *self, size_t *n)
{
    const pare_repairs_attempt *attempt = self->attempt;
    const pare_dependency_query query = query_of(self);
    size_t n_list;
    *n = 0;
    if (attempt->is_all && self->n_added) return PARE_OK;
    uint32_t *list = list_faulty(self, &n_list);
    pare_dependency_bits *left = new_bits(attempt->graph, attempt->kept);
    pare_status status = list && left ? PARE_OK : pare_fail_nomem(self->err);
    if (!status && n_list)
        status = attempt->is_all
                     ? drop_where_roots_stay(self, list, n_list, left)
                     : pare_dependency_drop(attempt->graph, &query, list, n_list, left, self->err);
    if (!status && n_list) status = leave_out(self, left, n);
    pare_alloc_free(list);
    pare_alloc_free(left);
    return status;
}

/* ---- attempts ---------------------------------------------------------------------------- */

void pare_repairs_note_success(pare_repairs *repairs)
{
    if (!pare_repairs_is_given_up(repairs)) repairs->n_vain = 0;
}

/* Another try is worth a test only if it proposes something else: an edge was added, or a node
 * left out.  What was heard of the try before is kept for comparison.  Without any tries left it
 * is only noted whether the attempt was rejected. */
pare_status pare_repairs_hear(pare_repairs *repairs, const pare_repairs_attempt *attempt,
                              const pare_complaints *complaints, pare_error *err)
{
    struct mending mending = {.repairs = repairs, .attempt = attempt, .err = err};
    const unsigned most = attempt->most_tries ? attempt->most_tries : MOST_TRIES;
    size_t n_left_out = 0;
    bool rejected = false;
    assert(attempt->kept);
    repairs->again = false;
    repairs->n_quiet = 0;
    memcpy(repairs->before, repairs->heard, repairs->n_heard * sizeof *repairs->heard);
    repairs->n_before = repairs->n_tries ? repairs->n_heard : 0;
    repairs->n_heard = 0;
    repairs->hears = false;
    repairs->fault.node = PARE_NO_NODE;
    repairs->rejected = pare_complaints_reject(complaints);
    for (size_t i = 0; i < complaints->n; i++)
        repairs->linked = repairs->linked || complaints->item[i].kind == PARE_COMPLAINT_UNLINKED;
    if (!repairs->rejected) pare_repairs_note_success(repairs);
    if (pare_repairs_is_given_up(repairs) || repairs->n_tries >= most) return PARE_OK;
    pare_status status = prepare(&mending);
    if (!status) status = mend(&mending, complaints, &rejected);
    if (!rejected) pare_repairs_note_success(repairs);
    repairs->rejected = rejected;
    repairs->hears = !status;
    if (!status && !attempt->only_learns) status = drop_faulty(&mending, &n_left_out);
    repairs->n_tries++;
    repairs->again = !status && (mending.n_added || n_left_out);
    mending_done(&mending);
    return status;
}

void pare_repairs_note_failure(pare_repairs *repairs)
{
    pare_repairs_note_success(repairs);
    if (!repairs->hears) return;
    memcpy(repairs->expected, repairs->heard, repairs->n_heard * sizeof *repairs->heard);
    repairs->n_expected = repairs->n_heard;
    repairs->hears = false;
}

bool pare_repairs_is_given_up(const pare_repairs *repairs)
{
    return repairs->n_vain >= MOST_VAIN;
}

/* In libraries of templates a name may be declared in so many places that the edges to all of
 * them hold nearly the whole text, and it still does not compile.  So after MOST_VAIN tries in a
 * row mending is given up, and all edges are forgotten. */
bool pare_repairs_take(pare_repairs *repairs)
{
    bool again = repairs->again;
    repairs->again = false;
    if (!again) repairs->n_quiet++;
    if (!again || ++repairs->n_vain < MOST_VAIN) return again;
    pare_dependency_edges_done(&repairs->learned);
    return false;
}

/* Where the graph knows all, each check is wasted, so after MOST_QUIET attempts with nothing to
 * mend only one in QUIET_SHARE is listened to; but later stages, or a smaller text, may break
 * what the first ones left whole. */
bool pare_repairs_listens(const pare_repairs *repairs)
{
    bool often = repairs->n_quiet < MOST_QUIET || repairs->n_quiet % QUIET_SHARE == 0;
    return often && !pare_repairs_is_given_up(repairs);
}

void pare_repairs_end(pare_repairs *repairs)
{
    pare_shared_release(repairs->without);
    repairs->without = NULL;
    repairs->n_tries = 0;
    repairs->again = repairs->hears = false;
}
