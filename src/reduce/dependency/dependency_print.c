/* The text of a set of nodes: candidates, their size, and which node printed a byte.
 * One walk prints all three, so that they cannot disagree. */
#include "reduce/dependency/dependency_print.h"

#include <assert.h>
#include <string.h>

#include "base/fail.h"
#include "parse/parse_tree.h"
#include "reduce/dependency/dependency_graph.h"
#include "reduce/dependency/dependency_markers.h"
#include "reduce/dependency/outline.h"
#include "text/candidate.h"
#include "text/text.h"

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

/* Prints a slice without its line markers and blank lines, line by line.  A marker that does not
 * begin a line of the printed text leaves the end of its line, which parts the words before and
 * after it:
 *
 *     int              with the marker gone, `int` and `x` must not become one word
 *     # 3 "a.c"
 *     x; */
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

/* Prints a slice, or a part of one, as it is but for one flag: a blank and a digit, of which
 * `flag` is the place. */
static pare_status print_without(struct printing *self, size_t from, size_t to, size_t flag,
                                 uint32_t node)
{
    pare_status status = self->piece(self->context, from, flag, NULL, node);
    return status ? status : self->piece(self->context, flag + 2, to, NULL, node);
}

/* Prints a slice, which is not empty, of a text with line markers.  Before it comes the marker that its
 * bytes need, at the beginning of a line and without the flag that says that a file begins or ends; in
 * it, markers that end a file which never began lose their flag. */
static pare_status print_marked(struct printing *self, size_t from, size_t to, uint32_t node)
{
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

/* Prints a slice.  Empty ones are common, between nodes that touch. */
static pare_status print(struct printing *self, size_t from, size_t to, uint32_t node)
{
    if (from >= to) return PARE_OK;
    if (self->plain) return print_plain(self, from, to, node);
    if (self->graph->markers.n) return print_marked(self, from, to, node);
    self->last = self->graph->bytes[to - 1];
    self->end = to;
    return self->piece(self->context, from, to, NULL, node);
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

/* Prints what stays in the place of `node` (`;` for a body), right after what stands before it:
 * white space is left out, but for that before a word, which would become one with the word
 * before it.  `int f() {..}` becomes `int f();` so.  What is printed belongs to the parent, as
 * the node itself is not kept. */
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

/* Where the last of what is in `node` ends, if none of it is kept and it must not be empty, as a
 * class of Python; else 0.  Only nodes directly in it are looked at: a node that is not kept
 * takes what it holds along. */
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
    self->plain = pare_dependency_has(self->kept, pare_dependency_plain_bit(graph));
    for (uint32_t i = 0; !status && i < n;) {
        const pare_dependency_node *node = &graph->nodes[i];
        bool kept = pare_dependency_has(self->kept, i);
        /* Something stays in its place, close to what comes before. */
        if (!kept && node->rest) {
            status = print_rest(self, cursor, i);
            cursor = node->end;
        } else {
            status = print(self, cursor, node->begin, owner);
            cursor = node->begin;
        }
        owner = i;
        /* A line end of our own, unless one was just printed or the text runs on from the slice
         * before. */
        if (!status && kept && node->roles & PARE_OUTLINE_LINE && self->last != '\n' &&
            self->end != node->begin) {
            self->last = '\n';
            status = self->piece(self->context, 0, 0, "\n", i);
        }
        /* All in it goes: print up to the first of it, then what stands for an empty body, and
         * go on after the last. */
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
        /* Separators go with the node before them: of `a, b, c` without `b` is left `a, c`. */
        bool sibling = i < n && graph->nodes[i].parent == node->parent &&
                       !(node->roles & PARE_OUTLINE_PIECE) && !(node->roles & PARE_OUTLINE_LAST);
        cursor = sibling ? graph->nodes[i].begin : node->end;
    }
    return status ? status : print(self, cursor, pare_text_size(graph->text), owner);
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
pare_status pare_dependency_print_candidate(const pare_dependency *graph,
                                            const pare_dependency_bits *kept,
                                            pare_candidate *candidate, pare_error *err)
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

/* Counting cannot fail, so neither can the walk. */
size_t pare_dependency_print_size(const pare_dependency *graph, const pare_dependency_bits *kept)
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

/* The walk ends at the byte, so it costs what stands before it.  A byte of a literal belongs to
 * the node that is given with the literal. */
uint32_t pare_dependency_print_node_at(const pare_dependency *graph,
                                       const pare_dependency_bits *kept, size_t offset)
{
    struct place place = {.left = offset, .node = PARE_NO_NODE};
    struct printing printing = {.graph = graph, .kept = kept, .piece = to_place, .context = &place};
    return print_all(&printing) == PARE_E_LIMIT ? place.node : PARE_NO_NODE;
}
