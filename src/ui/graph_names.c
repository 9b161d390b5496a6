/* Names of what is in a prototype graph, and the way back from a name to a type.
 *
 * A type is written as its path without "this." in front and without the parentheses of
 * "new (this.Date)": paths are expressions, of which each leads to one object, so the names stay
 * distinct and can be pasted back.  Signatures follow TypeScript's notation where that is known to
 * most readers; a run of parameters without types is counted ("any x6"), because `length` may be
 * any number.  A file may hold a signature with a million types for one position, so lists of
 * types are cut, and no step here costs more than O(edges of the node). */
#include "ui/graph_names.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "ui/format.h"
#include "ui/graph_facts.h"

enum {
    MOST_TYPES = 4,      /* of one position, or returned; the rest is counted */
    RUN = 4,             /* so many parameters without types are written as a run */
    SEGMENT_BYTES = 4096 /* of one member in an expression */
};

static const char THIS[] = "this.", NEW[] = "new (", NEW_SHORT[] = "new ";

/* Whether the first bytes of `text` are those of `start`. */
static bool begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* As the graph file calls them. */
const char *pare_graph_names_kind(pare_graph_kind kind)
{
    static const char *const name[PARE_GRAPH_N_KINDS] = {"undefined", "null",   "boolean",
                                                         "number",    "string", "symbol",
                                                         "bigint",    "object", "function"};
    assert(kind < PARE_GRAPH_N_KINDS);
    return name[kind];
}

/* Longer words than the room allows are cut: none of ours is. */
const char *pare_graph_names_count(char text[static 2 * PARE_FORMAT_BYTES], uint32_t n,
                                   const char *one, const char *many)
{
    char count[PARE_FORMAT_BYTES];
    (void)snprintf(text, 2 * PARE_FORMAT_BYTES, "%.31s %.31s", pare_format_count(count, n),
                   n == 1 ? one : many);
    return text;
}

/* ---- types ----------------------------------------------------------------------- */

/* A path in parts: `start` of ours, then `size` bytes at `body`. */
struct name {
    const char *start, *body;
    size_t size;
};

/* The parts of the name for `path`: see the opening comment.  What does not have the form of
 * either is its own name, such as "Object.getPrototypeOf(this)", and so is the "this" of the
 * global object itself.  Nothing is copied: the parts are slices of the path. */
static struct name name_of(const char *path)
{
    struct name name = {.start = "", .body = path, .size = strlen(path)};
    /* At least one byte within the parentheses: sizeof NEW counts its NUL, which is as
     * much as the one that closes. */
    if (begins(path, NEW) && name.size > sizeof NEW && path[name.size - 1] == ')') {
        name.start = NEW_SHORT;
        name.body += sizeof NEW - 1;
        name.size -= sizeof NEW;
    }
    if (name.size >= sizeof THIS && begins(name.body, THIS)) {
        name.body += sizeof THIS - 1;
        name.size -= sizeof THIS - 1;
    }
    return name;
}

/* An empty path can only come from a file that was made by hand. */
void pare_graph_names_type(pare_sheet *sheet, const pare_graph *graph, uint32_t type)
{
    if (type == PARE_GRAPH_NONE) {
        pare_sheet_raw(sheet, "?");
        return;
    }
    struct name name = name_of(pare_graph_type_at(graph, type)->path);
    pare_sheet_raw(sheet, name.start);
    pare_sheet_bytes(sheet, name.body, name.size);
    if (!name.size) pare_sheet_format(sheet, "#%u", (unsigned)type);
}

/* Letters, digits, $ and _, and whatever is not ASCII: that decides nothing here.  What can be
 * written after a dot. */
static bool is_word(const char *name)
{
    if (!*name || (*name >= '0' && *name <= '9')) return false;
    for (; *name; name++) {
        char c = *name;
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
        if (!letter && !(c >= '0' && c <= '9') && !((unsigned char)c & 0x80)) return false;
    }
    return true;
}

/* The quotes are for the reader, who sees where the name ends; nothing parses them. */
void pare_graph_names_property(pare_sheet *sheet, const char *name)
{
    bool plain = is_word(begins(name, "@@") ? name + 2 : name);
    if (!plain) pare_sheet_raw(sheet, "\"");
    pare_sheet_name(sheet, name);
    if (!plain) pare_sheet_raw(sheet, "\"");
}

/* Members of the global object have no owner in front, as programs write them, unless there are brackets, which
 * need something before them. */
void pare_graph_names_path(pare_sheet *sheet, const pare_graph *graph, uint32_t owner,
                           const char *name)
{
    bool symbol = begins(name, "@@") && is_word(name + 2), plain = !symbol && is_word(name);
    bool global = owner == pare_graph_global(graph);
    if (!global || !plain) pare_graph_names_type(sheet, graph, owner);
    if (plain)
        pare_sheet_raw(sheet, global ? "" : ".");
    else
        pare_sheet_raw(sheet, symbol ? "[Symbol." : "[\"");
    pare_sheet_name(sheet, symbol ? name + 2 : name);
    if (!plain) pare_sheet_raw(sheet, symbol ? "]" : "\"]");
}

/* ---- signatures ------------------------------------------------------------------ */

/* Adds the types at the end `from` (else `to`) of those of `n` edges that have `position`, up to
 * MOST_TYPES of them; returns how many there are. */
static uint32_t add_types(pare_sheet *sheet, const pare_graph *graph, const uint32_t *edges,
                          uint32_t n, uint32_t position, bool from)
{
    uint32_t found = 0;
    char count[PARE_FORMAT_BYTES];
    for (uint32_t i = 0; i < n; i++) {
        const pare_graph_edge *edge = pare_graph_edge_at(graph, edges[i]);
        /* Those that are not shown are counted all the same. */
        if (edge->position != position || found++ >= MOST_TYPES) continue;
        if (found > 1) pare_sheet_raw(sheet, " | ");
        pare_graph_names_type(sheet, graph, from ? edge->from : edge->to);
    }
    if (found > MOST_TYPES)
        pare_sheet_format(sheet, " | %s more", pare_format_count(count, found - MOST_TYPES));
    return found;
}

/* Positions are not sorted among the edges of a signature, which are in the order of types: all are
 * looked at each time.  Callers stop after PARE_GRAPH_NAMES_PARAMETERS of them. */
uint32_t pare_graph_names_next(const pare_graph *graph, uint32_t signature, uint32_t position)
{
    uint32_t n, next = pare_graph_signature_at(graph, signature)->n_params;
    const uint32_t *edges = pare_graph_edges_to(graph, PARE_GRAPH_PARAMETER, signature, &n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = pare_graph_edge_at(graph, edges[i])->position;
        if (at >= position && at < next) next = at;
    }
    return next;
}

/* `n` parameters that take anything; `length` is up to the engine, and some say a million. */
static void add_any(pare_sheet *sheet, uint32_t n)
{
    if (n >= RUN) {
        pare_sheet_format(sheet, "any x%u", (unsigned)n);
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        pare_sheet_raw(sheet, i ? ", any" : "any");
}

/* One turn for each position with types, and for each run without. */
static void add_parameters(pare_sheet *sheet, const pare_graph *graph, uint32_t signature)
{
    uint32_t n, n_params = pare_graph_signature_at(graph, signature)->n_params;
    const uint32_t *edges = pare_graph_edges_to(graph, PARE_GRAPH_PARAMETER, signature, &n);
    pare_sheet_raw(sheet, "(");
    uint32_t position = 0;
    for (int group = 0; position < n_params; group++) {
        if (group) pare_sheet_raw(sheet, ", ");
        if (group == PARE_GRAPH_NAMES_PARAMETERS) {
            pare_sheet_raw(sheet, "...");
            break;
        }
        /* From here to the next position that has types there is a run without. */
        uint32_t typed = pare_graph_names_next(graph, signature, position);
        if (typed > position) {
            add_any(sheet, typed - position);
            position = typed;
        } else {
            (void)add_types(sheet, graph, edges, n, position++, true);
        }
    }
    pare_sheet_raw(sheet, ")");
}

/* What is not known to come back is "?", which is not the same as nothing: that is "undefined". */
void pare_graph_names_signature(pare_sheet *sheet, const pare_graph *graph, uint32_t signature,
                                const char *name)
{
    const pare_graph_signature *about = pare_graph_signature_at(graph, signature);
    uint32_t n;
    const uint32_t *edges = pare_graph_edges_from(graph, PARE_GRAPH_RETURN, signature, &n);
    if (about->is_constructor) pare_sheet_raw(sheet, NEW_SHORT);
    if (name)
        pare_graph_names_property(sheet, name);
    else
        pare_graph_names_type(sheet, graph, about->function);
    add_parameters(sheet, graph, signature);
    pare_sheet_raw(sheet, " -> ");
    if (!add_types(sheet, graph, edges, n, 0, false))
        pare_sheet_raw(sheet, about->throws ? "throws" : "?");
}

/* ---- members --------------------------------------------------------------------- */

/* The better of two signatures has the higher rank: see the header. */
static int rank_of(const pare_graph_signature *signature, bool constructs)
{
    /* Weights of which each is more than all after it together, so the order of the
     * header decides. */
    return (signature->is_constructor == constructs ? 4 : 0) + (signature->is_learned ? 2 : 0) +
           (signature->throws ? 0 : 1);
}

/* Of equal ones the first. */
uint32_t pare_graph_names_best(const pare_graph *graph, uint32_t type, uint32_t *n)
{
    static const pare_graph_edge_kind kinds[] = {PARE_GRAPH_CALL, PARE_GRAPH_CONSTRUCTOR};
    uint32_t best = PARE_GRAPH_NONE;
    bool constructs = pare_graph_facts_constructs(graph, type);
    int rank = -1;
    *n = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        uint32_t n_edges;
        const uint32_t *edges = pare_graph_edges_from(graph, kinds[k], type, &n_edges);
        *n += n_edges;
        for (uint32_t i = 0; i < n_edges; i++) {
            uint32_t signature = pare_graph_edge_at(graph, edges[i])->to;
            int own = rank_of(pare_graph_signature_at(graph, signature), constructs);
            if (own <= rank) continue;
            best = signature;
            rank = own;
        }
    }
    return best;
}

/* Signatures say more than the function that they belong to, so a function has one of them, with the
 * name that it has as this member. */
void pare_graph_names_member(pare_sheet *sheet, const pare_graph *graph,
                             const pare_graph_edge *property, uint32_t *n_more)
{
    assert(property->kind == PARE_GRAPH_PROPERTY);
    uint32_t n, best = pare_graph_names_best(graph, property->to, &n);
    /* Each prototype has one; what it leads to has its signatures elsewhere. */
    bool back = strcmp(property->name, "constructor") == 0;
    *n_more = n && !back ? n - 1 : 0;
    if (best != PARE_GRAPH_NONE && !back) {
        pare_graph_names_signature(sheet, graph, best, property->name);
        return;
    }
    pare_graph_names_property(sheet, property->name);
    pare_sheet_raw(sheet, ": ");
    pare_graph_names_type(sheet, graph, property->to);
}

/* ---- finding --------------------------------------------------------------------- */

/* Whether `text` is the path, or the name, of a type.  Compared in place: this is asked of each type
 * of a graph. */
static bool is_called(const char *path, const char *text)
{
    struct name name = name_of(path);
    size_t start = strlen(name.start);
    if (strcmp(path, text) == 0) return true;
    if (!begins(text, name.start) || strncmp(text + start, name.body, name.size) != 0) return false;
    return text[start + name.size] == '\0' && name.size > 0;
}

/* Reads a quoted name at *at, quotes of both kinds, into `name`; the backslash takes the next
 * byte as it is.  False when it does not end, or is too long.  Cut names would lead to another
 * member, so a name that is too long is none. */
static bool read_quoted(const char **at, char name[static SEGMENT_BYTES])
{
    char quote = *(*at)++;
    size_t size = 0;
    for (; **at && **at != quote; (*at)++) {
        /* Of escapes only the quotes and the backslash matter here; \n is an n. */
        if (**at == '\\' && (*at)[1]) (*at)++;
        if (size + 1 == SEGMENT_BYTES) return false;
        name[size++] = **at;
    }
    name[size] = '\0';
    return *(*at)++ == quote;
}

/* Reads the name of one member at *at, with the dot or brackets around it, and moves *at to its
 * end.  A symbol's name comes out as "@@name". */
static bool read_member(const char **at, char name[static SEGMENT_BYTES])
{
    static const char SYMBOL[] = "Symbol.";
    bool brackets = **at == '[';
    if (brackets || **at == '.') (*at)++;
    if (brackets && (**at == '"' || **at == '\'')) {
        if (!read_quoted(at, name)) return false;
    } else {
        /* Without quotes: a number or a symbol in brackets, else a name up to the next member. */
        size_t size = strcspn(*at, brackets ? "]" : ".[");
        bool symbol = brackets && begins(*at, SYMBOL) && size >= sizeof SYMBOL;
        size_t skipped = symbol ? sizeof SYMBOL - 1 : 0;
        if (!size || size + 2 >= SEGMENT_BYTES) return false;
        (void)snprintf(name, SEGMENT_BYTES, "%s%.*s", symbol ? "@@" : "", (int)(size - skipped),
                       *at + skipped);
        *at += size;
    }
    return !brackets || *(*at)++ == ']';
}

/* The type of the member `name`, own or inherited.  Prototypes are in no circle.  O(members of
 * the chain of prototypes). */
static uint32_t find_member(const pare_graph *graph, uint32_t type, const char *name)
{
    for (; type != PARE_GRAPH_NONE; type = pare_graph_type_at(graph, type)->prototype) {
        uint32_t n;
        const uint32_t *edges = pare_graph_edges_from(graph, PARE_GRAPH_PROPERTY, type, &n);
        for (uint32_t i = 0; i < n; i++) {
            const pare_graph_edge *edge = pare_graph_edge_at(graph, edges[i]);
            if (strcmp(edge->name, name) == 0) return edge->to;
        }
    }
    return PARE_GRAPH_NONE;
}

/* Member by member from the global object. */
static uint32_t follow(const pare_graph *graph, const char *text)
{
    static const char *const globals[] = {"this", "globalThis"};
    char name[SEGMENT_BYTES];
    uint32_t type = pare_graph_global(graph);
    for (size_t i = 0; i < sizeof globals / sizeof *globals; i++) {
        size_t size = strlen(globals[i]);
        /* "thisArg" is a member, "this.Arg" and "this" are not. */
        bool ends = begins(text, globals[i]) && (!text[size] || strchr(".[", text[size]));
        if (!ends) continue;
        text += size;
        break;
    }
    while (*text && type != PARE_GRAPH_NONE) {
        if (!read_member(&text, name)) return PARE_GRAPH_NONE;
        type = find_member(graph, type, name);
    }
    return type;
}

/* Paths first: they also name what no member leads to.  O(types), for a name that a user has
 * typed. */
uint32_t pare_graph_names_find(const pare_graph *graph, const char *text)
{
    if (!*text) return PARE_GRAPH_NONE;
    for (uint32_t i = 0; i < pare_graph_n_types(graph); i++)
        if (is_called(pare_graph_type_at(graph, i)->path, text)) return i;
    return follow(graph, text);
}
