/* From libclang's cursors to nodes in an array.
 *
 * libclang visits in pre-order and tells the parent of each cursor, so a stack of those that are open
 * gives nodes their parents.  Where a reference leads to is told by the cursor that it means: its
 * canonical one, of what is made of a template the template's; a table by libclang's hash finds the
 * node that declares it.
 * Invariant: nodes are inside their parents' subtree; offsets are those of the file, whatever line
 * markers say.
 * Cost: one parse; O(cursors).
 * Tested by tests/cli/test_semantic.sh. */
#include "clang_edits/clang_source.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"
#include "base/vector.h"

enum { MOST_NODES = 1 << 20, MOST_DEPTH = 4096 };

/* What is known while cursors are visited. */
struct visit {
    pare_clang_source *source;
    uint32_t open[MOST_DEPTH]; /* nodes that are open */
    size_t depth;
    bool full; /* no memory, or too many */
};

/* The offset of a location, if it is in the file. */
static bool offset_of(const pare_clang_source *source, const void *file,
                      pare_libclang_location location, uint32_t *offset)
{
    void *found = NULL;
    unsigned line, column, at = 0;
    source->clang->getFileLocation(location, &found, &line, &column, &at);
    *offset = at;
    return found == file && at <= source->size;
}

/* Whether cursors below one of that kind depend on arguments that are not known. */
static bool is_template(int kind)
{
    return kind == PARE_LIBCLANG_FUNCTION_TEMPLATE || kind == PARE_LIBCLANG_CLASS_TEMPLATE ||
           kind == PARE_LIBCLANG_PARTIAL_SPECIALISATION || kind == PARE_LIBCLANG_ALIAS_TEMPLATE ||
           kind == PARE_LIBCLANG_CONCEPT;
}

/* Adds a node for the cursor; one that is not in the file is passed over with all below it. */
static int see(pare_libclang_cursor cursor, pare_libclang_cursor parent, void *context)
{
    enum { BREAK = 0, CONTINUE = 1 };
    struct visit *visit = context;
    pare_clang_source *source = visit->source;
    const pare_libclang *clang = source->clang;
    pare_libclang_range extent = clang->getCursorExtent(cursor);
    pare_clang_node node = {.cursor = cursor,
                            .symbol = PARE_CLANG_NONE,
                            .next = PARE_CLANG_NONE,
                            .target = PARE_CLANG_NONE};
    bool there = offset_of(source, source->file, clang->getRangeStart(extent), &node.from) &&
                 offset_of(source, source->file, clang->getRangeEnd(extent), &node.to) &&
                 node.from < node.to;
    if (!there) return CONTINUE;
    if (!offset_of(source, source->file, clang->getCursorLocation(cursor), &node.name))
        node.name = node.from;
    while (visit->depth &&
           !clang->equalCursors(source->nodes[visit->open[visit->depth - 1]].cursor, parent))
        source->nodes[visit->open[--visit->depth]].after = source->n;
    node.parent = visit->depth ? visit->open[visit->depth - 1] : PARE_CLANG_NONE;
    if (node.parent != PARE_CLANG_NONE)
        node.in_template = source->nodes[node.parent].in_template ||
                           is_template(source->nodes[node.parent].cursor.kind);
    pare_clang_node *grown =
        pare_vector_grow(source->nodes, source->n, &source->capacity, sizeof *grown);
    if (!grown || source->n == MOST_NODES || visit->depth == MOST_DEPTH) {
        if (grown) source->nodes = grown;
        visit->full = true;
        return BREAK;
    }
    source->nodes = grown;
    visit->open[visit->depth++] = source->n;
    grown[source->n++] = node;
    return PARE_LIBCLANG_RECURSE;
}

/* Kinds of declarations are below those of references, but for a few that came late. */
bool pare_clang_source_is_declaration(const pare_clang_node *node)
{
    enum { LAST_DECLARATION = 39, FIRST_LATE = 600, LAST_LATE = 610 };
    int kind = node->cursor.kind;
    return kind <= LAST_DECLARATION || (kind >= FIRST_LATE && kind <= LAST_LATE);
}

/* The cursor by which declarations are known, of what is made of a template the template's. */
static pare_libclang_cursor canonical(const pare_libclang *clang, pare_libclang_cursor cursor)
{
    pare_libclang_cursor pattern = clang->getSpecializedCursorTemplate(cursor);
    while (!clang->Cursor_isNull(pattern) && !clang->equalCursors(pattern, cursor)) {
        cursor = pattern;
        pattern = clang->getSpecializedCursorTemplate(cursor);
    }
    return clang->getCanonicalCursor(cursor);
}

/* The slot of the canonical cursor, or the free one where it would be. */
static uint32_t *find(const pare_clang_source *source, pare_libclang_cursor cursor)
{
    const pare_libclang *clang = source->clang;
    size_t at = (size_t)clang->hashCursor(cursor) * 2654435761U & (source->n_slots - 1);
    while (source->slots[at] != PARE_CLANG_NONE &&
           !clang->equalCursors(clang->getCanonicalCursor(source->nodes[source->slots[at]].cursor),
                                cursor))
        at = (at + 1) & (source->n_slots - 1);
    return &source->slots[at];
}

/* A member of what is made of a template is a cursor of its own, but stands where the template's
 * does: what is not found by its cursor is by the place of its name. */
uint32_t pare_clang_source_symbol(const pare_clang_source *source, pare_libclang_cursor cursor)
{
    const pare_libclang *clang = source->clang;
    uint32_t at = 0;
    if (clang->Cursor_isNull(cursor)) return PARE_CLANG_NONE;
    uint32_t symbol = *find(source, canonical(clang, cursor));
    if (symbol != PARE_CLANG_NONE) return symbol;
    return offset_of(source, source->file, clang->getCursorLocation(cursor), &at)
               ? source->by_name[at]
               : PARE_CLANG_NONE;
}

/* Gives declarations their symbols; the first one of each leads to the others. */
static void bind_declarations(pare_clang_source *source)
{
    const pare_libclang *clang = source->clang;
    for (uint32_t i = 0; i < source->n; i++) {
        pare_clang_node *node = &source->nodes[i];
        if (!pare_clang_source_is_declaration(node)) continue;
        uint32_t *slot = find(source, clang->getCanonicalCursor(node->cursor));
        if (*slot == PARE_CLANG_NONE) *slot = i;
        node->symbol = *slot;
        if (*slot != i) {
            node->next = source->nodes[*slot].next;
            source->nodes[*slot].next = i;
        }
        if (source->by_name[node->name] == PARE_CLANG_NONE) source->by_name[node->name] = *slot;
    }
}

/* Gives declarations their symbols, then references their targets. */
static pare_status bind(pare_clang_source *source, pare_error *err)
{
    const pare_libclang *clang = source->clang;
    source->n_slots = 16;
    while (source->n_slots < (size_t)source->n * 2)
        source->n_slots *= 2;
    source->slots = pare_alloc(source->n_slots, sizeof *source->slots);
    source->by_name = pare_alloc(source->size + 1, sizeof *source->by_name);
    if (!source->slots || !source->by_name) return pare_fail_nomem(err);
    memset(source->slots, 0xff, source->n_slots * sizeof *source->slots);
    memset(source->by_name, 0xff, (source->size + 1) * sizeof *source->by_name);
    bind_declarations(source);
    for (uint32_t i = 0; i < source->n; i++)
        if (!pare_clang_source_is_declaration(&source->nodes[i]))
            source->nodes[i].target = pare_clang_source_symbol(
                source, clang->getCursorReferenced(source->nodes[i].cursor));
    return PARE_OK;
}

/* The index is never disposed of: the process is about to end. */
pare_status pare_clang_source_parse(const pare_libclang *clang, const pare_clang_task *task,
                                    pare_clang_source *out, pare_error *err)
{
    pare_libclang_file file = {
        .name = task->name, .contents = task->text, .size = (unsigned long)task->size};
    struct visit *visit = pare_alloc_zero(1, sizeof *visit);
    void *unit = NULL, *index = clang->createIndex(0, 0);
    pare_status status = visit ? PARE_OK : pare_fail_nomem(err);
    *out = (pare_clang_source){.clang = clang, .text = task->text, .size = task->size};
    if (!status && (!index || clang->parseTranslationUnit2(index, task->name, task->arguments,
                                                           task->n_arguments, &file, 1,
                                                           PARE_LIBCLANG_KEEP_GOING, &unit)))
        status = pare_fail(err, PARE_E_SYNTAX, "libclang gives up");
    if (!status) {
        visit->source = out;
        out->file = clang->getFile(unit, task->name);
        clang->visitChildren(clang->getTranslationUnitCursor(unit), see, visit);
        while (visit->depth)
            out->nodes[visit->open[--visit->depth]].after = out->n;
        if (visit->full) status = pare_fail(err, PARE_E_LIMIT, "too many cursors");
    }
    if (!status) status = bind(out, err);
    pare_alloc_free(visit);
    if (status) pare_clang_source_done(out);
    return status;
}

void pare_clang_source_done(pare_clang_source *source)
{
    pare_alloc_free(source->nodes);
    pare_alloc_free(source->slots);
    pare_alloc_free(source->by_name);
    *source = (pare_clang_source){.n = 0};
}
