/* The file of a prototype graph: one JSON object, written by line and read by jansson.
 *
 * A line holds one node or one edge, in the order of their numbers, with its fields in a fixed
 * order: the same graph gives the same bytes, and `diff` shows what an engine's new version
 * has.  docs/guide/graph-format.md describes the fields.  What nodes imply about each other is
 * in the file once, as edges: the prototype of a type, the function of a signature.
 *
 * Reading trusts nothing: each field is checked for its kind and its range, numbers must be the
 * positions of their nodes, and the builder checks the whole.  A wrong field is reported by its
 * path ("edges[12].to"), damaged JSON by its line. */
#include <assert.h>
#include <jansson.h>
#include <string.h>

#include <pare/graph.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "generate/prototype/graph.h"
#include "os/file.h"

/* Files without weights were written by versions before there were any: they are of this
 * version, as a field that may be absent changes nothing for who does not know it. */
enum { VERSION = 1 };
static const char FORMAT[] = "pare-graph";

/* The words of the file; their order is that of the enum. */
static const char *const kind_names[PARE_GRAPH_N_KINDS] = {
    [PARE_GRAPH_UNDEFINED] = "undefined", [PARE_GRAPH_NULL] = "null",
    [PARE_GRAPH_BOOLEAN] = "boolean",     [PARE_GRAPH_NUMBER] = "number",
    [PARE_GRAPH_STRING] = "string",       [PARE_GRAPH_SYMBOL] = "symbol",
    [PARE_GRAPH_BIGINT] = "bigint",       [PARE_GRAPH_OBJECT] = "object",
    [PARE_GRAPH_FUNCTION] = "function"};

static const char *const edge_names[PARE_GRAPH_N_EDGE_KINDS] = {
    [PARE_GRAPH_PROPERTY] = "property",   [PARE_GRAPH_PROTOTYPE] = "prototype",
    [PARE_GRAPH_CALL] = "call",           [PARE_GRAPH_CONSTRUCTOR] = "constructor",
    [PARE_GRAPH_PARAMETER] = "parameter", [PARE_GRAPH_RETURN] = "return"};

/* --- writing --------------------------------------------------------------------------- */

/* A json_dump_callback_t that appends to a buffer.  The buffer fails for want of memory only, so -1
 * is enough to say. */
static int add_bytes(const char *bytes, size_t size, void *context)
{
    return pare_buffer_add(context, bytes, size, NULL) == PARE_OK ? 0 : -1;
}

/* Appends ,"key":"value" with what JSON needs escaped. `value` is UTF-8, as the
 * builder has seen to. */
static pare_status add_text(pare_buffer *text, const char *key, const char *value, pare_error *err)
{
    pare_status status = pare_buffer_format(text, err, ",\"%s\":", key);
    if (status) return status;
    json_t *string = json_string(value);
    bool written = string && json_dump_callback(string, add_bytes, text, JSON_ENCODE_ANY) == 0;
    json_decref(string);
    return written ? PARE_OK : pare_fail_nomem(err);
}

/* Appends ,"values":[...] with an entry for each line of `values`.  Lines are texts of JavaScript
 * and may hold anything, so jansson escapes them. "" has no entry. */
static pare_status add_values(pare_buffer *text, const char *values, pare_error *err)
{
    json_t *list = json_array();
    bool fits = list != NULL;
    for (const char *line = values; fits && *line;) {
        size_t n = strcspn(line, "\n");
        fits = json_array_append_new(list, json_stringn(line, n)) == 0;
        line += n + (line[n] == '\n');
    }
    pare_status status = fits ? pare_buffer_text(text, ",\"values\":", err) : pare_fail_nomem(err);
    if (!status && json_dump_callback(list, add_bytes, text, JSON_COMPACT) != 0)
        status = pare_fail_nomem(err);
    json_decref(list);
    return status;
}

/* Appends a type. Fields with their usual value are left out: the graph of a
 * large engine has 10,000 lines, which people read and compare. */
static pare_status add_type(const pare_graph *graph, uint32_t i, pare_buffer *text, pare_error *err)
{
    const pare_graph_type *type = pare_graph_type_at(graph, i);
    pare_status status = pare_buffer_format(text, err, "%s\n{\"id\":%u,\"kind\":\"%s\"",
                                            i ? "," : "", i, kind_names[type->kind]);
    if (!status) status = add_text(text, "path", type->path, err);
    if (!status && *type->class_name) status = add_text(text, "class", type->class_name, err);
    if (!status && type->kind == PARE_GRAPH_FUNCTION)
        status = pare_buffer_format(text, err, ",\"length\":%u", type->length);
    if (!status && type->is_instance) status = pare_buffer_text(text, ",\"instance\":true", err);
    return status ? status : pare_buffer_text(text, "}", err);
}

/* Appends a signature. Its function is not repeated here: the call or
 * constructor edge has it. */
static pare_status add_signature(const pare_graph *graph, uint32_t i, pare_buffer *text,
                                 pare_error *err)
{
    const pare_graph_signature *signature = pare_graph_signature_at(graph, i);
    pare_status status = pare_buffer_format(text, err, "%s\n{\"id\":%u,\"parameters\":%u",
                                            i ? "," : "", i, signature->n_params);
    if (!status && signature->receiver != PARE_GRAPH_NONE)
        status = pare_buffer_format(text, err, ",\"receiver\":%u", signature->receiver);
    if (!status && signature->is_learned) status = pare_buffer_text(text, ",\"learned\":true", err);
    if (!status && signature->throws) status = pare_buffer_text(text, ",\"throws\":true", err);
    return status ? status : pare_buffer_text(text, "}", err);
}

/* Appends an edge. Each kind has its own fields and no others. */
static pare_status add_edge(const pare_graph *graph, uint32_t i, pare_buffer *text, pare_error *err)
{
    const pare_graph_edge *edge = pare_graph_edge_at(graph, i);
    pare_status status =
        pare_buffer_format(text, err, "%s\n{\"kind\":\"%s\",\"from\":%u,\"to\":%u", i ? "," : "",
                           edge_names[edge->kind], edge->from, edge->to);
    if (!status && edge->kind == PARE_GRAPH_PROPERTY)
        status = add_text(text, "name", edge->name, err);
    if (!status && edge->kind == PARE_GRAPH_PARAMETER)
        status = pare_buffer_format(text, err, ",\"position\":%u", edge->position);
    if (!status && *edge->values) status = add_values(text, edge->values, err);
    if (!status && edge->weight > 1)
        status = pare_buffer_format(text, err, ",\"weight\":%u", edge->weight);
    return status ? status : pare_buffer_text(text, "}", err);
}

/* Appends ,"key":[ and the `n` entries that `add` writes, each on a line of its own. */
static pare_status add_list(const pare_graph *graph, const char *key, uint32_t n,
                            pare_status (*add)(const pare_graph *, uint32_t, pare_buffer *,
                                               pare_error *),
                            pare_buffer *text, pare_error *err)
{
    pare_status status = pare_buffer_format(text, err, ",\n\"%s\":[", key);
    for (uint32_t i = 0; !status && i < n; i++)
        status = add(graph, i, text, err);
    return status ? status : pare_buffer_text(text, "\n]", err);
}

/* Appends the whole file. A line feed at the end makes it a text file for every
 * tool. */
pare_status pare_graph_file_text(const pare_graph *graph, pare_buffer *text, pare_error *err)
{
    pare_status status =
        pare_buffer_format(text, err, "{\"format\":\"%s\",\"version\":%d", FORMAT, VERSION);
    if (!status) status = add_text(text, "engine", pare_graph_engine(graph), err);
    if (!status) status = add_text(text, "digest", pare_graph_digest(graph), err);
    if (!status) status = pare_buffer_format(text, err, ",\"global\":%u", pare_graph_global(graph));
    if (!status) status = add_list(graph, "types", pare_graph_n_types(graph), add_type, text, err);
    if (!status)
        status =
            add_list(graph, "signatures", pare_graph_n_signatures(graph), add_signature, text, err);
    if (!status) status = add_list(graph, "edges", pare_graph_n_edges(graph), add_edge, text, err);
    return status ? status : pare_buffer_text(text, "}\n", err);
}

/* Writes the file. Its text is made before the file is touched, and a rename
 * puts it in place, so an old graph is there until the new one is whole. */
pare_status pare_graph_write(const pare_graph *graph, const char *path, pare_error *err)
{
    pare_buffer text = {0};
    pare_status status = pare_graph_file_text(graph, &text, err);
    if (!status) status = pare_file_write_bytes(path, text.data, text.size, err);
    pare_buffer_done(&text);
    return status;
}

/* --- reading --------------------------------------------------------------------------- */

/* Where a reader stands, for the sentence of an error: "types[3].path" of a file. */
struct place {
    const char *path; /* of the file */
    const char *list; /* "types", or NULL: at the top */
    size_t number;    /* of the entry */
};

/* Refuses a field: one form of sentence for all of them. `what` says what is
 * wrong, as a predicate. Always PARE_E_SYNTAX. */
static pare_status refuse(const struct place *at, const char *key, const char *what,
                          pare_error *err)
{
    if (!at->list)
        return pare_fail(err, PARE_E_SYNTAX, "%s: is not a graph file: %s %s", at->path, key, what);
    return pare_fail(err, PARE_E_SYNTAX, "%s: the graph is damaged: %s[%zu].%s %s", at->path,
                     at->list, at->number, key, what);
}

/* A field that holds a whole number below `limit`.  `absent` is what it counts as if it is not
 * there; if the field must be there, `absent` is `limit` itself, which no value can be. */
struct whole {
    const char *key;
    uint32_t limit, absent;
};

/* A number of a node, which must be there. */
static struct whole node_number(const char *key)
{
    return (struct whole){key, PARE_GRAPH_MAX_NODES, PARE_GRAPH_MAX_NODES};
}

/* Reads a whole number. Signs, fractions and numbers beyond 64 bits are refused
 * alike. *out is set only on success. */
static pare_status read_number(const struct place *at, const json_t *object, struct whole field,
                               uint32_t *out, pare_error *err)
{
    const json_t *value = json_object_get(object, field.key);
    if (!value && field.absent != field.limit) {
        *out = field.absent;
        return PARE_OK;
    }
    json_int_t number = json_is_integer(value) ? json_integer_value(value) : -1;
    if (number < 0 || number >= field.limit)
        return refuse(at, field.key, "is not a number in its range", err);
    *out = (uint32_t)number;
    return PARE_OK;
}

/* Reads a text; "" if it is absent. A text with a NUL byte is refused, since it
 * would end early. */
static pare_status read_text(const struct place *at, const json_t *object, const char *key,
                             const char **out, pare_error *err)
{
    const json_t *value = json_object_get(object, key);
    *out = value ? json_string_value(value) : "";
    if (!*out || (value && strlen(*out) != json_string_length(value)))
        return refuse(at, key, "is not a text", err);
    return PARE_OK;
}

/* Reads the field "kind" as one of `n` names; *out is its place in the list. A field that is
 * absent is "", which is no name. */
static pare_status read_name(const struct place *at, const json_t *object, const char *const *names,
                             unsigned n, unsigned *out, pare_error *err)
{
    const char *text = NULL;
    pare_status status = read_text(at, object, "kind", &text, err);
    if (status) return status;
    for (*out = 0; *out < n; (*out)++)
        if (strcmp(names[*out], text) == 0) return PARE_OK;
    return refuse(at, "kind", "is not known", err);
}

/* Reads a type. Its prototype is an edge, and comes later. The builder copies the texts, so
 * they may go with the JSON. */
static pare_status read_type(const struct place *at, const json_t *object,
                             pare_graph_builder *builder, pare_error *err)
{
    pare_graph_type type = {.prototype = PARE_GRAPH_NONE};
    unsigned kind = 0;
    uint32_t id = 0;
    pare_status status = read_number(at, object, node_number("id"), &id, err);
    if (!status && id != at->number) status = refuse(at, "id", "is not its position", err);
    if (!status) status = read_name(at, object, kind_names, PARE_GRAPH_N_KINDS, &kind, err);
    if (!status) status = read_text(at, object, "path", &type.path, err);
    if (!status) status = read_text(at, object, "class", &type.class_name, err);
    if (!status)
        status =
            read_number(at, object, (struct whole){"length", UINT32_MAX, 0}, &type.length, err);
    if (status) return status;
    type.kind = (pare_graph_kind)kind;
    type.is_instance = json_is_true(json_object_get(object, "instance"));
    return pare_graph_builder_type(builder, &type, NULL, err);
}

/* The function of a signature.  In the file it is the edge that says it, so edges are gone through
 * once before signatures are read. */
struct owner {
    uint32_t function;
    bool is_constructor;
};

/* Reads a signature; `owner` is the function that an edge has named. */
static pare_status read_signature(const struct place *at, const json_t *object,
                                  const struct owner *owner, pare_graph_builder *builder,
                                  pare_error *err)
{
    pare_graph_signature signature = {.function = owner->function,
                                      .is_constructor = owner->is_constructor};
    uint32_t id = 0;
    pare_status status = read_number(at, object, node_number("id"), &id, err);
    if (!status && id != at->number) status = refuse(at, "id", "is not its position", err);
    if (!status)
        status = read_number(at, object, node_number("parameters"), &signature.n_params, err);
    if (!status)
        status = read_number(at, object,
                             (struct whole){"receiver", PARE_GRAPH_MAX_NODES, PARE_GRAPH_NONE},
                             &signature.receiver, err);
    if (status) return status;
    if (owner->function == PARE_GRAPH_NONE) return refuse(at, "id", "belongs to no function", err);
    signature.is_learned = json_is_true(json_object_get(object, "learned"));
    signature.throws = json_is_true(json_object_get(object, "throws"));
    return pare_graph_builder_signature(builder, &signature, NULL, err);
}

/* Appends the entries of an edge's `values` to *lines, one a line. An entry with a line end
 * would become two. */
static pare_status read_values(const struct place *at, const json_t *object, pare_buffer *lines,
                               pare_error *err)
{
    const json_t *values = json_object_get(object, "values");
    if (values && !json_is_array(values)) return refuse(at, "values", "is not a list", err);
    pare_status status = PARE_OK;
    for (size_t i = 0; !status && i < json_array_size(values); i++) {
        const json_t *entry = json_array_get(values, i);
        const char *text = json_string_value(entry);
        if (!text || strlen(text) != json_string_length(entry) || strchr(text, '\n') || !*text)
            return refuse(at, "values", "has an entry that is not a literal", err);
        if (i > 0) status = pare_buffer_text(lines, "\n", err);
        if (!status) status = pare_buffer_text(lines, text, err);
    }
    return status;
}

/* Reads what all edges have. The numbers are checked against the lists by the builder, or by
 * the caller. */
static pare_status read_ends(const struct place *at, const json_t *object, pare_graph_edge *edge,
                             pare_error *err)
{
    unsigned kind = 0;
    pare_status status = read_name(at, object, edge_names, PARE_GRAPH_N_EDGE_KINDS, &kind, err);
    if (!status) status = read_number(at, object, node_number("from"), &edge->from, err);
    if (!status) status = read_number(at, object, node_number("to"), &edge->to, err);
    edge->kind = (pare_graph_edge_kind)kind;
    return status;
}

/* Reads how often walks take an edge; files that were made before there were weights have none. */
static pare_status read_weight(const struct place *at, const json_t *object, uint32_t *weight,
                               pare_error *err)
{
    pare_status status = read_number(
        at, object, (struct whole){"weight", PARE_GRAPH_MAX_WEIGHT + 1, 1}, weight, err);
    return status || *weight ? status : refuse(at, "weight", "is not a number in its range", err);
}

/* Adds an edge that nodes do not imply, or one that they do with its weight; a prototype is put
 * into its type. */
static pare_status read_edge(const struct place *at, const json_t *object, size_t n_types,
                             pare_graph_builder *builder, pare_error *err)
{
    pare_graph_edge edge = {.name = "", .values = ""};
    pare_buffer values = {0};
    pare_status status = read_ends(at, object, &edge, err);
    if (!status && edge.kind == PARE_GRAPH_PROTOTYPE) {
        if (edge.from >= n_types) return refuse(at, "from", "is not a type", err);
        pare_graph_builder_prototype(builder, edge.from, edge.to);
        return PARE_OK;
    }
    if (!status) status = read_weight(at, object, &edge.weight, err);
    bool is_implied = edge.kind == PARE_GRAPH_CALL || edge.kind == PARE_GRAPH_CONSTRUCTOR;
    /* With another weight the edge is given to the builder, too. */
    if (!status && is_implied && edge.weight == 1) return PARE_OK; /* read with its signature */
    if (!status) status = read_text(at, object, "name", &edge.name, err);
    if (!status)
        status = read_number(at, object, (struct whole){"position", PARE_GRAPH_MAX_NODES, 0},
                             &edge.position, err);
    if (!status) status = read_values(at, object, &values, err);
    if (!status) {
        if (values.size) edge.values = values.data;
        status = pare_graph_builder_edge(builder, &edge, err);
    }
    pare_buffer_done(&values);
    return status;
}

/* The three lists of a file. */
struct lists {
    const json_t *types, *signatures, *edges;
};

/* A pass over all edges for the two kinds that give a signature its function: the builder wants
 * the function with the signature, and the file has it after that. */
static pare_status find_owners(struct place *at, const struct lists *lists, struct owner *owners,
                               pare_error *err)
{
    size_t n = json_array_size(lists->signatures);
    for (size_t i = 0; i < n; i++)
        owners[i] = (struct owner){.function = PARE_GRAPH_NONE};
    at->list = "edges";
    for (at->number = 0; at->number < json_array_size(lists->edges); at->number++) {
        pare_graph_edge edge = {0};
        pare_status status = read_ends(at, json_array_get(lists->edges, at->number), &edge, err);
        if (status) return status;
        if (edge.kind != PARE_GRAPH_CALL && edge.kind != PARE_GRAPH_CONSTRUCTOR) continue;
        if (edge.to >= n || owners[edge.to].function != PARE_GRAPH_NONE)
            return refuse(at, "to", "is not a signature of one function", err);
        owners[edge.to] = (struct owner){edge.from, edge.kind == PARE_GRAPH_CONSTRUCTOR};
    }
    return PARE_OK;
}

/* Reads the signatures, each with the function that an edge has named for it. */
static pare_status read_signatures(struct place *at, const struct lists *lists,
                                   pare_graph_builder *builder, pare_error *err)
{
    size_t n = json_array_size(lists->signatures);
    struct owner *owners = pare_alloc(n, sizeof *owners);
    if (!owners) return pare_fail_nomem(err);
    pare_status status = find_owners(at, lists, owners, err);
    at->list = "signatures";
    for (at->number = 0; !status && at->number < n; at->number++)
        status = read_signature(at, json_array_get(lists->signatures, at->number),
                                &owners[at->number], builder, err);
    pare_alloc_free(owners);
    return status;
}

/* Reads all three lists. Types come first, since signatures and edges are
 * checked against their number. at->list and at->number follow the reading, so that a sentence
 * names the entry. */
static pare_status read_lists(struct place *at, const struct lists *lists,
                              pare_graph_builder *builder, pare_error *err)
{
    pare_status status = PARE_OK;
    at->list = "types";
    size_t n_types = json_array_size(lists->types);
    for (at->number = 0; !status && at->number < n_types; at->number++)
        status = read_type(at, json_array_get(lists->types, at->number), builder, err);
    if (!status) status = read_signatures(at, lists, builder, err);
    at->list = "edges";
    for (at->number = 0; !status && at->number < json_array_size(lists->edges); at->number++)
        status = read_edge(at, json_array_get(lists->edges, at->number), n_types, builder, err);
    return status;
}

/* Reads the object of a file. The version is looked at before anything else:
 * what a later one means by its fields is not for us to guess. */
static pare_status read_graph(const char *path, const json_t *root, pare_graph_builder *builder,
                              pare_error *err)
{
    struct place at = {.path = path};
    const char *format = NULL, *engine = NULL, *digest = NULL;
    uint32_t version = 0, global = 0;
    if (!json_is_object(root)) return refuse(&at, "the file", "contains no JSON object", err);
    pare_status status = read_text(&at, root, "format", &format, err);
    if (!status && strcmp(format, FORMAT) != 0)
        status = refuse(&at, "format", "is not \"pare-graph\"", err);
    if (!status)
        status = read_number(&at, root, (struct whole){"version", UINT32_MAX, 0}, &version, err);
    if (!status && version != VERSION)
        status = refuse(&at, "version", "is not 1, the one that this pare reads", err);
    if (!status) status = read_text(&at, root, "engine", &engine, err);
    if (!status) status = read_text(&at, root, "digest", &digest, err);
    if (!status) status = read_number(&at, root, node_number("global"), &global, err);
    struct lists lists = {json_object_get(root, "types"), json_object_get(root, "signatures"),
                          json_object_get(root, "edges")};
    if (!status && (!json_is_array(lists.types) || !json_is_array(lists.signatures) ||
                    !json_is_array(lists.edges)))
        status = refuse(&at, "types, signatures or edges", "is not a list", err);
    if (!status) status = pare_graph_builder_engine(builder, engine, digest, err);
    if (!status) pare_graph_builder_global(builder, global);
    return status ? status : read_lists(&at, &lists, builder, err);
}

/* Reads a graph from memory; `path` is for messages. Jansson makes a tree of
 * the whole, several times as large as the file, and refuses nesting beyond
 * 2,048 levels. The builder does not know the path, so its sentence is put
 * after it. */
pare_status pare_graph_file_parse(const char *path, const char *text, size_t size, pare_graph **out,
                                  pare_error *err)
{
    json_error_t at;
    json_t *root = json_loadb(size ? text : "", size, JSON_REJECT_DUPLICATES, &at);
    if (!root && json_error_code(&at) == json_error_out_of_memory) return pare_fail_nomem(err);
    if (!root)
        return pare_fail(err, PARE_E_SYNTAX, "%s:%d:%d: the graph is damaged: %s", path, at.line,
                         at.column, at.text);
    pare_graph_builder *builder = NULL;
    pare_status status = pare_graph_builder_new(&builder, err);
    if (!status) status = read_graph(path, root, builder, err);
    if (!status) {
        pare_error damage = {0};
        status = pare_graph_builder_finish(builder, out, &damage);
        if (status)
            (void)pare_fail(err, status, "%s: the graph is damaged: %s", path, damage.message);
    }
    pare_graph_builder_free(builder);
    json_decref(root);
    return status;
}

/* Reads a graph from a file, as a whole. */
pare_status pare_graph_read(const char *path, pare_graph **out, pare_error *err)
{
    pare_buffer text = {0};
    pare_status status = pare_file_read(path, &text, err);
    if (!status) status = pare_graph_file_parse(path, text.data, text.size, out, err);
    pare_buffer_done(&text);
    return status;
}
