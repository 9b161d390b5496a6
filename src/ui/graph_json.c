/* Prototype graphs as JSON, by jansson.
 *
 * Each *_of function makes one value, NULL when memory is out; json_pack and append take over the
 * values that they are given, also when they fail, so there is nothing to clean up on the way.
 * Nothing is cut: programs get all entries.  Parameters are listed by position, and only those
 * with types, because a damaged file may declare a million of them. */
#include "ui/graph_views.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include <pare/graph.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "ui/graph_facts.h"
#include "ui/graph_names.h"
#include "ui/sheet.h"

enum { VERSION = 1 };

/* Appends `element`, which moves in, to `list`, which may be NULL; false when memory is out. */
static bool append(json_t *list, json_t *element)
{
    return json_array_append_new(list, element) == 0;
}

/* `list` if it is whole; otherwise it is given up. */
static json_t *whole(json_t *list, bool fits)
{
    if (fits) return list;
    json_decref(list);
    return NULL;
}

/* A reference: what a program needs to look the type up, or to ask pare for it.  Paths are UTF-8,
 * which the graph's builder saw to, so json_pack takes them. */
json_t *pare_graph_json_type(const pare_graph *graph, uint32_t type)
{
    if (type == PARE_GRAPH_NONE) return json_null();
    const pare_graph_type *about = pare_graph_type_at(graph, type);
    return json_pack("{s:I, s:s, s:s}", "id", (json_int_t)type, "path", about->path, "kind",
                     pare_graph_names_kind(about->kind));
}

/* ---- signatures ------------------------------------------------------------------ */

/* The lines of `values` as a list. */
static json_t *values_of(const char *values)
{
    json_t *list = json_array();
    bool fits = list != NULL;
    while (fits && *values) {
        size_t size = strcspn(values, "\n");
        fits = append(list, json_stringn(values, size));
        /* The last line has no end. */
        values += size + (values[size] == '\n');
    }
    return whole(list, fits);
}

/* [{"position", "type", "values"}], in the order of the graph's edges: by type, then position. */
static json_t *parameters_of(const pare_graph *graph, uint32_t signature)
{
    uint32_t n;
    const uint32_t *edges = pare_graph_edges_to(graph, PARE_GRAPH_PARAMETER, signature, &n);
    json_t *list = json_array();
    bool fits = list != NULL;
    for (uint32_t i = 0; fits && i < n; i++) {
        const pare_graph_edge *edge = pare_graph_edge_at(graph, edges[i]);
        fits = append(list, json_pack("{s:I, s:o, s:o}", "position", (json_int_t)edge->position,
                                      "type", pare_graph_json_type(graph, edge->from), "values",
                                      values_of(edge->values)));
    }
    return whole(list, fits);
}

/* The types at the ends of edges: where they begin (`from`), or lead to. */
static json_t *ends_of(const pare_graph *graph, pare_graph_edges edges, bool from)
{
    json_t *list = json_array();
    bool fits = list != NULL;
    for (uint32_t i = 0; fits && i < edges.n; i++) {
        const pare_graph_edge *edge = pare_graph_edge_at(graph, edges.at[i]);
        fits = append(list, pare_graph_json_type(graph, from ? edge->from : edge->to));
    }
    return whole(list, fits);
}

/* The notation, as it is printed: for programs that show it to people. */
static json_t *notation_of(const pare_graph *graph, uint32_t signature)
{
    pare_sheet text = {.status = PARE_OK};
    pare_graph_names_signature(&text, graph, signature, NULL);
    json_t *string = text.status ? NULL : json_string(pare_sheet_text(&text));
    pare_sheet_done(&text);
    return string;
}

/* A signature with all that it is; it is repeated in each list that it is in, so that an entry can be
 * read without the others. */
static json_t *signature_of(const pare_graph *graph, uint32_t signature)
{
    const pare_graph_signature *about = pare_graph_signature_at(graph, signature);
    /* No type returned and `throws` false: nobody knows what it returns. */
    pare_graph_edges returned;
    returned.at = pare_graph_edges_from(graph, PARE_GRAPH_RETURN, signature, &returned.n);
    return json_pack("{s:I, s:o, s:o, s:b, s:b, s:b, s:o, s:I, s:o, s:o}", "id",
                     (json_int_t)signature, "text", notation_of(graph, signature), "function",
                     pare_graph_json_type(graph, about->function), "constructor",
                     (int)about->is_constructor, "learned", (int)about->is_learned, "throws",
                     (int)about->throws, "receiver", pare_graph_json_type(graph, about->receiver),
                     "n_parameters", (json_int_t)about->n_params, "parameters",
                     parameters_of(graph, signature), "returns", ends_of(graph, returned, false));
}

/* Ascending by number, as graph_facts lists them. */
static json_t *signatures_of(const pare_graph *graph, const pare_graph_signatures *signatures)
{
    json_t *list = json_array();
    bool fits = list != NULL;
    for (uint32_t i = 0; fits && i < signatures->n; i++)
        fits = append(list, signature_of(graph, signatures->at[i]));
    return whole(list, fits);
}

/* ---- one type -------------------------------------------------------------------- */

/* [{"name", "type"}]: the type at the other end of property edges.  Of members the type
 * that they lead to, of `owners` the type whose member they are. */
static json_t *members_of(const pare_graph *graph, pare_graph_edges edges, bool owners)
{
    json_t *list = json_array();
    bool fits = list != NULL;
    for (uint32_t i = 0; fits && i < edges.n; i++) {
        const pare_graph_edge *edge = pare_graph_edge_at(graph, edges.at[i]);
        fits = append(list, json_pack("{s:s, s:o}", "name", edge->name, "type",
                                      pare_graph_json_type(graph, owners ? edge->from : edge->to)));
    }
    return whole(list, fits);
}

/* The prototypes of `type`, nearest first. */
static json_t *prototypes_of(const pare_graph *graph, uint32_t type)
{
    json_t *list = json_array();
    bool fits = list != NULL;
    uint32_t up = pare_graph_type_at(graph, type)->prototype;
    for (; fits && up != PARE_GRAPH_NONE; up = pare_graph_type_at(graph, up)->prototype)
        fits = append(list, pare_graph_json_type(graph, up));
    return whole(list, fits);
}

/* The object about one type.  Its keys are described in pare-graph(1); new ones are appended. */
static json_t *type_of(const pare_graph *graph, const pare_graph_neighbours *near)
{
    const pare_graph_type *about = pare_graph_type_at(graph, near->type);
    return json_pack(
        "{s:s, s:i, s:s, s:I, s:s, s:s, s:s, s:b, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
        "format", "pare-graph-type", "version", VERSION, "engine", pare_graph_engine(graph), "id",
        (json_int_t)near->type, "path", about->path, "kind", pare_graph_names_kind(about->kind),
        "class", about->class_name, "instance", (int)about->is_instance, "length",
        (json_int_t)about->length, "prototypes", prototypes_of(graph, near->type), "signatures",
        signatures_of(graph, &near->own), "members", members_of(graph, near->members, false),
        "member_of", members_of(graph, near->owners, true), "prototype_of",
        ends_of(graph, near->heirs, true), "returned_by", signatures_of(graph, &near->returners),
        "taken_by", signatures_of(graph, &near->takers), "called_on",
        signatures_of(graph, &near->callers));
}

/* ---- the whole graph ------------------------------------------------------------- */

/* Every kind has its number, also if it is 0: a program need not ask whether a key is there. */
static json_t *kinds_of(const pare_graph_counts *counts)
{
    json_t *object = json_object();
    bool fits = object != NULL;
    for (unsigned kind = 0; fits && kind < PARE_GRAPH_N_KINDS; kind++)
        fits = json_object_set_new(object, pare_graph_names_kind((pare_graph_kind)kind),
                                   json_integer(counts->types[kind])) == 0;
    fits = fits && json_object_set_new(object, "instance", json_integer(counts->instances)) == 0;
    return whole(object, fits);
}

/* Likewise for edges, by the names that the graph file has for them. */
static json_t *edges_of(const pare_graph_counts *counts)
{
    const uint32_t *n = counts->edges;
    return json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I}", "property", (json_int_t)n[PARE_GRAPH_PROPERTY],
        "prototype", (json_int_t)n[PARE_GRAPH_PROTOTYPE], "call", (json_int_t)n[PARE_GRAPH_CALL],
        "constructor", (json_int_t)n[PARE_GRAPH_CONSTRUCTOR], "parameter",
        (json_int_t)n[PARE_GRAPH_PARAMETER], "return", (json_int_t)n[PARE_GRAPH_RETURN]);
}

/* The types for which `holds`. */
static json_t *types_of(const pare_graph *graph, bool (*holds)(const pare_graph *, uint32_t))
{
    json_t *list = json_array();
    bool fits = list != NULL;
    for (uint32_t i = 0; fits && i < pare_graph_n_types(graph); i++)
        if (holds(graph, i)) fits = append(list, pare_graph_json_type(graph, i));
    return whole(list, fits);
}

/* The object about the whole graph. */
static json_t *summary_of(const pare_graph *graph)
{
    pare_graph_counts counts = pare_graph_facts_count(graph);
    /* Each signature is one or the other. */
    json_int_t declared = (json_int_t)pare_graph_n_signatures(graph) - counts.learned;
    assert(declared >= 0);
    return json_pack(
        "{s:s, s:i, s:s, s:s, s:o, s:o, s:{s:I, s:I, s:I}, s:o, s:o, s:o}", "format",
        "pare-graph-summary", "version", VERSION, "engine", pare_graph_engine(graph), "digest",
        pare_graph_digest(graph), "global", pare_graph_json_type(graph, pare_graph_global(graph)),
        "types", kinds_of(&counts), "signatures", "declared", declared, "learned",
        (json_int_t)counts.learned, "throwing", (json_int_t)counts.throwing, "edges",
        edges_of(&counts), "constructors", types_of(graph, pare_graph_facts_constructs),
        "unlearned", types_of(graph, pare_graph_facts_unlearned));
}

/* ---- printing -------------------------------------------------------------------- */

/* Where jansson prints to.  The status is kept, since jansson goes on after some of the pieces that
 * could not be added. */
struct printer {
    pare_buffer *out;
    pare_status status;
};

/* As jansson asks for it: anything but 0 is a failure. */
static int add_bytes(const char *bytes, size_t size, void *context)
{
    struct printer *printer = context;
    if (!printer->status) printer->status = pare_buffer_add(printer->out, bytes, size, NULL);
    return printer->status ? -1 : 0;
}

/* Indented, since it is looked at as often as it is parsed; ASCII, since names may hold what steers a
 * terminal. */
pare_status pare_graph_json_print(json_t *object, pare_buffer *out, pare_error *err)
{
    struct printer printer = {.out = out};
    size_t flags = JSON_INDENT(2) | JSON_ENSURE_ASCII;
    bool printed = object && json_dump_callback(object, add_bytes, &printer, flags) == 0;
    json_decref(object);
    if (!printed || printer.status) return pare_fail_nomem(err);
    return pare_buffer_text(out, "\n", err);
}

/* The neighbours are given up before anything is printed: the object holds copies. */
pare_status pare_graph_json_write(const pare_graph *graph, uint32_t type, pare_buffer *out,
                                  pare_error *err)
{
    pare_graph_neighbours near;
    if (type == PARE_GRAPH_NONE) return pare_graph_json_print(summary_of(graph), out, err);
    pare_status status = pare_graph_facts_neighbours(graph, type, &near, err);
    if (status) return status;
    json_t *object = type_of(graph, &near);
    pare_graph_facts_done(&near);
    return pare_graph_json_print(object, out, err);
}
