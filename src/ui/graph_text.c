/* A prototype graph as text of 80 columns.
 *
 * A section is a heading with its count, and below it one line for each entry.  Entries are
 * made in a sheet of their own first, since a line can only be broken between words once they are
 * known; that sheet is emptied for each.  Own members are what a reader came for and are never
 * cut; whatever else may be long (thousands of functions inherit from Function.prototype) ends
 * after PARE_GRAPH_TEXT_MOST entries with the number of the others.
 *
 * Cost: O(what is shown) besides one pass over all types and edges for the summary.  A graph
 * is never changed, and nothing of it is kept. */
#include "ui/graph_views.h"

#include <assert.h>
#include <string.h>

#include <pare/graph.h>

#include "ui/format.h"
#include "ui/graph_facts.h"
#include "ui/graph_names.h"
#include "ui/sheet.h"

/* Columns: where an entry begins, where its lines after the first do, and the second
 * one of facts. */
enum { INDENT = 2, DEEPER = 6, NOTE_COLUMN = 14 };

/* The sheet, and the one that entries are made in.  One entry at a time: memory does not grow
 * with the graph. */
struct writer {
    pare_sheet *sheet;
    const pare_graph *graph;
    pare_sheet entry;
};

/* ---- pieces ---------------------------------------------------------------------- */

/* Adds the entry to the sheet and empties it.  Words of a name are never parted: a line is
 * broken at blanks only. */
static void flow_entry(struct writer *writer, size_t indent)
{
    pare_sheet_flow(writer->sheet, pare_sheet_text(&writer->entry), indent);
    /* The entry's sheet has a status of its own. */
    if (writer->entry.status) writer->sheet->status = writer->entry.status;
    pare_sheet_reset(&writer->entry);
}

/* The same as a line of its own.  Lines after the first are indented further, so that entries
 * can be told apart. */
static void add_line(struct writer *writer)
{
    pare_sheet_pad(writer->sheet, INDENT);
    flow_entry(writer, DEEPER);
    pare_sheet_raw(writer->sheet, "\n");
}

/* A heading says how many entries there are, also when not all of them follow. */
static void add_heading(struct writer *writer, const char *title, uint32_t n)
{
    char count[PARE_FORMAT_BYTES];
    pare_sheet_raw(writer->sheet, "\n");
    pare_sheet_ink(writer->sheet, PARE_INK_BOLD);
    pare_sheet_raw(writer->sheet, title);
    pare_sheet_ink(writer->sheet, PARE_INK_PLAIN);
    pare_sheet_format(writer->sheet, " (%s)\n", pare_format_count(count, n));
}

/* After `shown` of `n` entries.  Nothing where all is shown. */
static void add_rest(struct writer *writer, uint32_t n, uint32_t shown)
{
    char count[PARE_FORMAT_BYTES];
    if (n <= shown) return;
    pare_sheet_pad(writer->sheet, INDENT);
    pare_sheet_ink(writer->sheet, PARE_INK_DIM);
    pare_sheet_format(writer->sheet, "and %s more", pare_format_count(count, n - shown));
    pare_sheet_ink(writer->sheet, PARE_INK_PLAIN);
    pare_sheet_raw(writer->sheet, "\n");
}

/* Entries of a list of `n` that are shown. */
static uint32_t shown_of(uint32_t n)
{
    return n < PARE_GRAPH_TEXT_MOST ? n : PARE_GRAPH_TEXT_MOST;
}

/* A name and the entry, in two columns.  The names are ours, and short enough for the column. */
static void add_fact(struct writer *writer, const char *name)
{
    pare_sheet_pad(writer->sheet, INDENT);
    pare_sheet_ink(writer->sheet, PARE_INK_DIM);
    pare_sheet_raw(writer->sheet, name);
    pare_sheet_ink(writer->sheet, PARE_INK_PLAIN);
    pare_sheet_pad(writer->sheet, NOTE_COLUMN);
    flow_entry(writer, NOTE_COLUMN);
    pare_sheet_raw(writer->sheet, "\n");
}

/* The name of a type, in the entry. */
static void put_type(struct writer *writer, uint32_t type)
{
    pare_graph_names_type(&writer->entry, writer->graph, type);
}

/* ---- the whole graph ------------------------------------------------------------- */

/* "35 objects, 214 functions, 22 instance types, 7 primitives" Instance types stand for all
 * objects that a constructor makes, so they are counted by themselves. */
static void put_types(struct writer *writer, const pare_graph_counts *counts)
{
    char text[2 * PARE_FORMAT_BYTES];
    uint32_t primitives = 0;
    /* Kinds before PARE_GRAPH_OBJECT are those of primitives. */
    for (size_t kind = 0; kind < PARE_GRAPH_OBJECT; kind++)
        primitives += counts->types[kind];
    pare_sheet *entry = &writer->entry;
    pare_sheet_raw(
        entry, pare_graph_names_count(text, counts->types[PARE_GRAPH_OBJECT], "object", "objects"));
    pare_sheet_format(
        entry, ", %s",
        pare_graph_names_count(text, counts->types[PARE_GRAPH_FUNCTION], "function", "functions"));
    pare_sheet_format(
        entry, ", %s",
        pare_graph_names_count(text, counts->instances, "instance type", "instance types"));
    pare_sheet_format(entry, ", %s",
                      pare_graph_names_count(text, primitives, "primitive", "primitives"));
}

/* What was declared by the engine, and what tests taught.  What is declared follows from
 * `length`; what is learned was seen in a run of a test. */
static void put_signatures(struct writer *writer, const pare_graph_counts *counts)
{
    char text[PARE_FORMAT_BYTES];
    uint32_t n = pare_graph_n_signatures(writer->graph);
    pare_sheet *entry = &writer->entry;
    pare_sheet_format(entry, "%s declared", pare_format_count(text, n - counts->learned));
    pare_sheet_format(entry, ", %s learned", pare_format_count(text, counts->learned));
    if (counts->throwing)
        pare_sheet_format(entry, " (%s always threw)", pare_format_count(text, counts->throwing));
}

/* All six kinds, in the order of the file. */
static void put_edges(struct writer *writer, const pare_graph_counts *counts)
{
    static const char *const name[PARE_GRAPH_N_EDGE_KINDS] = {"property",    "prototype", "call",
                                                              "constructor", "parameter", "return"};
    char text[PARE_FORMAT_BYTES];
    for (size_t kind = 0; kind < PARE_GRAPH_N_EDGE_KINDS; kind++)
        pare_sheet_format(&writer->entry, "%s%s %s", kind ? ", " : "",
                          pare_format_count(text, counts->edges[kind]), name[kind]);
}

/* What one wants to know of a graph first: of which engine it is, and how large. */
static void add_counts(struct writer *writer, const pare_graph_counts *counts)
{
    pare_sheet_ink(writer->sheet, PARE_INK_BOLD);
    const char *engine = pare_graph_engine(writer->graph);
    pare_sheet_name(writer->sheet, *engine ? engine : "an engine without a name");
    pare_sheet_ink(writer->sheet, PARE_INK_PLAIN);
    pare_sheet_raw(writer->sheet, "\n");
    if (*pare_graph_digest(writer->graph)) {
        pare_sheet_name(&writer->entry, pare_graph_digest(writer->graph));
        add_fact(writer, "digest");
    }
    put_types(writer, counts);
    add_fact(writer, "types");
    put_signatures(writer, counts);
    add_fact(writer, "signatures");
    put_edges(writer, counts);
    add_fact(writer, "edges");
}

/* 0 for PARE_GRAPH_NONE. Own ones only. */
static uint32_t count_members(const pare_graph *graph, uint32_t type)
{
    uint32_t n = 0;
    if (type != PARE_GRAPH_NONE) (void)pare_graph_edges_from(graph, PARE_GRAPH_PROPERTY, type, &n);
    return n;
}

/* "Date: 5 members, 47 of its prototype", in the order of the search: those of the global
 * object come before the others.  One pass over all types, for the order is that of the graph. */
static void add_constructors(struct writer *writer, const pare_graph_counts *counts)
{
    char text[2 * PARE_FORMAT_BYTES];
    uint32_t shown = 0;
    /* As all lists: without entries there is no heading. */
    if (!counts->constructors) return;
    add_heading(writer, "Constructors", counts->constructors);
    for (uint32_t i = 0; i < pare_graph_n_types(writer->graph); i++) {
        if (!pare_graph_facts_constructs(writer->graph, i) || shown == PARE_GRAPH_TEXT_MOST)
            continue;
        uint32_t prototype = pare_graph_facts_member(writer->graph, i, "prototype");
        put_type(writer, i);
        pare_sheet_format(
            &writer->entry, ": %s",
            pare_graph_names_count(text, count_members(writer->graph, i), "member", "members"));
        if (prototype != PARE_GRAPH_NONE)
            pare_sheet_format(&writer->entry, ", %s of its prototype",
                              pare_format_count(text, count_members(writer->graph, prototype)));
        add_line(writer);
        shown++;
    }
    add_rest(writer, counts->constructors, shown);
}

/* Names one after the other, in one paragraph; `put` puts entry i, or nothing.  Two passes of
 * the caller (a count, then this), since the heading comes first. */
static void add_names(struct writer *writer, uint32_t n,
                      bool (*put)(struct writer *writer, uint32_t i))
{
    bool first = true;
    pare_sheet_pad(writer->sheet, INDENT);
    for (uint32_t i = 0; i < n; i++) {
        if (!first) pare_sheet_raw(&writer->entry, " ");
        /* The blank is put before it is known whether there is an entry for it.  What
         * was begun for an entry that is none is taken back, its space too. */
        if (!put(writer, i)) {
            pare_sheet_reset(&writer->entry);
            continue;
        }
        first = false;
        flow_entry(writer, INDENT);
    }
    pare_sheet_raw(writer->sheet, "\n");
}

/* The i-th member of the global object, unless it constructs.  Constructors have a section of
 * their own. */
static bool put_global(struct writer *writer, uint32_t i)
{
    uint32_t n;
    const uint32_t *edges = pare_graph_edges_from(writer->graph, PARE_GRAPH_PROPERTY,
                                                  pare_graph_global(writer->graph), &n);
    assert(i < n);
    const pare_graph_edge *edge = pare_graph_edge_at(writer->graph, edges[i]);
    if (pare_graph_facts_constructs(writer->graph, edge->to)) return false;
    pare_graph_names_property(&writer->entry, edge->name);
    return true;
}

/* The namespaces and functions beside the constructors, by name only: each can be asked for. */
static void add_globals(struct writer *writer)
{
    uint32_t n, others = 0;
    const uint32_t *edges = pare_graph_edges_from(writer->graph, PARE_GRAPH_PROPERTY,
                                                  pare_graph_global(writer->graph), &n);
    for (uint32_t i = 0; i < n; i++)
        others += !pare_graph_facts_constructs(writer->graph,
                                               pare_graph_edge_at(writer->graph, edges[i])->to);
    if (!others) return;
    add_heading(writer, "Other members of the global object", others);
    add_names(writer, n, put_global);
}

/* Of thousands of functions the first are told, in the order in which they were found: what is left
 * to learn, and where more tests would help. */
static void add_unlearned(struct writer *writer, const pare_graph_counts *counts)
{
    enum { MOST = 60 };
    uint32_t shown = 0;
    if (!counts->unlearned) return;
    add_heading(writer, "Functions without a learned signature", counts->unlearned);
    pare_sheet_pad(writer->sheet, INDENT);
    for (uint32_t i = 0; i < pare_graph_n_types(writer->graph) && shown < MOST; i++) {
        if (!pare_graph_facts_unlearned(writer->graph, i)) continue;
        if (shown++) pare_sheet_raw(&writer->entry, " ");
        put_type(writer, i);
        flow_entry(writer, INDENT);
    }
    pare_sheet_raw(writer->sheet, "\n");
    add_rest(writer, counts->unlearned, shown);
}

/* From the whole to its parts; an empty graph has its counts and nothing else. */
void pare_graph_text_summary(pare_sheet *sheet, const pare_graph *graph)
{
    struct writer writer = {.sheet = sheet, .graph = graph};
    pare_graph_counts counts = pare_graph_facts_count(graph);
    add_counts(&writer, &counts);
    add_constructors(&writer, &counts);
    add_globals(&writer);
    add_unlearned(&writer, &counts);
    pare_sheet_done(&writer.entry);
}

/* ---- one type -------------------------------------------------------------------- */

/* What it is, where it is and what it inherits from.  The path is an expression of the
 * engine's language; it can be typed in. */
static void add_identity(struct writer *writer, uint32_t type)
{
    const pare_graph_type *about = pare_graph_type_at(writer->graph, type);
    pare_sheet *entry = &writer->entry;
    pare_sheet_ink(writer->sheet, PARE_INK_BOLD);
    pare_graph_names_type(writer->sheet, writer->graph, type);
    pare_sheet_ink(writer->sheet, PARE_INK_PLAIN);
    pare_sheet_raw(writer->sheet, "\n");
    pare_sheet_raw(entry, about->is_instance ? "any " : "");
    pare_sheet_raw(entry, pare_graph_names_kind(about->kind));
    if (*about->class_name) {
        pare_sheet_raw(entry, " of class ");
        pare_sheet_name(entry, about->class_name);
    }
    if (type == pare_graph_global(writer->graph)) pare_sheet_raw(entry, ", the global object");
    if (about->kind == PARE_GRAPH_FUNCTION)
        pare_sheet_format(entry, ", length %u", (unsigned)about->length);
    add_fact(writer, "kind");
    pare_sheet_name(entry, about->path);
    add_fact(writer, "path");
    /* From the nearest to the root: prototypes make no circle. */
    const char *arrow = "";
    for (uint32_t up = about->prototype; up != PARE_GRAPH_NONE; arrow = " > ") {
        pare_sheet_raw(entry, arrow);
        put_type(writer, up);
        up = pare_graph_type_at(writer->graph, up)->prototype;
    }
    if (*arrow) add_fact(writer, "prototypes");
}

/* The literals that tests passed at a position, of all types.  Values are kept as lines of one
 * text, see pare/graph.h. */
static void put_values(struct writer *writer, uint32_t signature, uint32_t position)
{
    uint32_t n;
    const uint32_t *edges = pare_graph_edges_to(writer->graph, PARE_GRAPH_PARAMETER, signature, &n);
    for (uint32_t i = 0; i < n; i++) {
        const pare_graph_edge *edge = pare_graph_edge_at(writer->graph, edges[i]);
        /* Each line of `values` is one literal.  A position may have several edges, one
         * for each type. */
        for (const char *line = edge->values; edge->position == position && *line;) {
            size_t size = strcspn(line, "\n");
            if (writer->entry.column) pare_sheet_raw(&writer->entry, ", ");
            pare_sheet_bytes(&writer->entry, line, size);
            line += size + (line[size] == '\n');
        }
    }
}

/* The literals of each position, below their signature.  At most as many positions as a
 * signature shows. */
static void add_values(struct writer *writer, uint32_t signature)
{
    uint32_t n_params = pare_graph_signature_at(writer->graph, signature)->n_params, position = 0;
    for (int i = 0; i < PARE_GRAPH_NAMES_PARAMETERS; i++, position++) {
        position = pare_graph_names_next(writer->graph, signature, position);
        if (position == n_params) return;
        put_values(writer, signature, position);
        /* Objects are passed, too, but no text stands for them. */
        if (!writer->entry.column) continue;
        pare_sheet_pad(writer->sheet, DEEPER);
        pare_sheet_ink(writer->sheet, PARE_INK_DIM);
        pare_sheet_format(writer->sheet, "argument %u: ", (unsigned)position + 1);
        flow_entry(writer, DEEPER + INDENT);
        pare_sheet_ink(writer->sheet, PARE_INK_PLAIN);
        pare_sheet_raw(writer->sheet, "\n");
    }
}

/* Its own signatures are all there, with what distinguishes one from the next: `this`, whether
 * a test showed it, the values that were passed.  Those of other functions are told as they
 * are called.  The three lists of other functions are cut; their own signatures can be asked
 * for by name. */
static void add_signatures(struct writer *writer, const pare_graph_signatures *list,
                           const char *title, bool own)
{
    uint32_t shown = own ? list->n : shown_of(list->n);
    if (!list->n) return;
    add_heading(writer, title, list->n);
    for (uint32_t i = 0; i < shown; i++) {
        const pare_graph_signature *about = pare_graph_signature_at(writer->graph, list->at[i]);
        pare_graph_names_signature(&writer->entry, writer->graph, list->at[i], NULL);
        if (own && about->receiver != PARE_GRAPH_NONE) {
            pare_sheet_raw(&writer->entry, " on ");
            put_type(writer, about->receiver);
        }
        /* Elsewhere it is not asked how it is known, only that it is. */
        if (own && about->is_learned) pare_sheet_raw(&writer->entry, ", learned");
        add_line(writer);
        if (own) add_values(writer, list->at[i]);
    }
    add_rest(writer, list->n, shown);
}

/* One line for each, which says how it is called if it is a function; what it is in detail can
 * be asked for by its name.  In the order of their names, as the graph keeps them. */
static void add_members(struct writer *writer, pare_graph_edges members)
{
    if (!members.n) return;
    add_heading(writer, "Members", members.n);
    for (uint32_t i = 0; i < members.n; i++) {
        uint32_t more;
        pare_graph_names_member(&writer->entry, writer->graph,
                                pare_graph_edge_at(writer->graph, members.at[i]), &more);
        if (more) pare_sheet_format(&writer->entry, " (+%u)", (unsigned)more);
        add_line(writer);
    }
}

/* By prototype, nearest first; names only, since their types are told at the prototype.  A
 * member that is hidden by one of the same name nearer by is listed all the same. */
static void add_inherited(struct writer *writer, uint32_t type)
{
    uint32_t up = pare_graph_type_at(writer->graph, type)->prototype, sum = 0;
    /* The heading needs the sum before the first prototype is told. */
    for (uint32_t i = up; i != PARE_GRAPH_NONE; i = pare_graph_type_at(writer->graph, i)->prototype)
        sum += count_members(writer->graph, i);
    if (!sum) return;
    add_heading(writer, "Inherited members", sum);
    for (; up != PARE_GRAPH_NONE; up = pare_graph_type_at(writer->graph, up)->prototype) {
        /* A paragraph for each prototype: "Object.prototype: constructor hasOwnProperty
         * ...". */
        uint32_t n;
        const uint32_t *edges = pare_graph_edges_from(writer->graph, PARE_GRAPH_PROPERTY, up, &n);
        if (!n) continue;
        put_type(writer, up);
        pare_sheet_raw(&writer->entry, ":");
        pare_sheet_pad(writer->sheet, INDENT);
        flow_entry(writer, DEEPER);
        for (uint32_t i = 0; i < n; i++) {
            pare_sheet_raw(&writer->entry, " ");
            pare_graph_names_property(&writer->entry,
                                      pare_graph_edge_at(writer->graph, edges[i])->name);
            flow_entry(writer, DEEPER);
        }
        pare_sheet_raw(writer->sheet, "\n");
    }
}

/* "Date.prototype.setTime", each an expression that leads to the type. */
static void add_owners(struct writer *writer, pare_graph_edges owners)
{
    uint32_t shown = shown_of(owners.n);
    if (!owners.n) return;
    add_heading(writer, "Member of", owners.n);
    for (uint32_t i = 0; i < shown; i++) {
        const pare_graph_edge *edge = pare_graph_edge_at(writer->graph, owners.at[i]);
        pare_graph_names_path(&writer->entry, writer->graph, edge->from, edge->name);
        add_line(writer);
    }
    add_rest(writer, owners.n, shown);
}

/* What has it as its prototype directly.  Instance types among them: what `new` makes. */
static void add_heirs(struct writer *writer, pare_graph_edges heirs)
{
    uint32_t shown = shown_of(heirs.n);
    if (!heirs.n) return;
    add_heading(writer, "Prototype of", heirs.n);
    for (uint32_t i = 0; i < shown; i++) {
        put_type(writer, pare_graph_edge_at(writer->graph, heirs.at[i])->from);
        add_line(writer);
    }
    add_rest(writer, heirs.n, shown);
}

/* In the order of a reader's questions: what it is, what can be done with it, where it comes from,
 * what can be made of it. */
void pare_graph_text_type(pare_sheet *sheet, const pare_graph *graph, uint32_t type)
{
    struct writer writer = {.sheet = sheet, .graph = graph};
    pare_graph_neighbours near;
    pare_status status = pare_graph_facts_neighbours(graph, type, &near, NULL);
    /* Only memory can be missing, which the sheet tells. */
    if (status) {
        sheet->status = status;
        return;
    }
    add_identity(&writer, type);
    add_signatures(&writer, &near.own, "Signatures", true);
    add_members(&writer, near.members);
    add_inherited(&writer, type);
    add_owners(&writer, near.owners);
    add_heirs(&writer, near.heirs);
    add_signatures(&writer, &near.returners, "Returned by", false);
    add_signatures(&writer, &near.takers, "Taken by", false);
    add_signatures(&writer, &near.callers, "Called on it", false);
    pare_sheet_done(&writer.entry);
    pare_graph_facts_done(&near);
}
