/* Drawings of a neighbourhood: SVG by a layout of our own, and a digraph for Graphviz.
 *
 * Both show the same six lists around a type; a list gives for each of its entries a text and the
 * type that it is about.  The layout is three columns of rows of one height: lists on the left,
 * prototypes over the type over its heirs in the middle, members on the right.  Each column is
 * as high as its rows, and is centred; so sizes are known before anything is written, and no text
 * has to be measured: the typeface is monospaced, and texts are cut to the characters that fit.
 *
 * Names reach the drawings through a sheet, so they hold no character that XML forbids, and then
 * through the escaping of HTML, or of Graphviz' strings.
 *
 * Cost: O(what is drawn), which the limits of rows and nodes bound; finding the neighbours is
 * O(edges of the type).  Source: none; a layered layout of one level needs no algorithm. */
#include "ui/graph_views.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include <pare/graph.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "ui/format.h"
#include "ui/graph_facts.h"
#include "ui/graph_names.h"
#include "ui/html.h"
#include "ui/sheet.h"

/* ---- lists ----------------------------------------------------------------------- */

/* The order is that of the nodes for Graphviz; OWNERS to CALLERS is the left column of the SVG, from
 * top to bottom. */
enum list_kind { MEMBERS, OWNERS, RETURNERS, TAKERS, CALLERS, HEIRS, N_LISTS };

static const char *const titles[N_LISTS] = {
    [MEMBERS] = "members", [OWNERS] = "member of",     [RETURNERS] = "returned by",
    [TAKERS] = "taken by", [CALLERS] = "called on it", [HEIRS] = "prototype of"};

/* Borrowed: edges from the graph, signatures from the neighbours. */
struct list {
    enum list_kind kind;
    const uint32_t *at; /* n edges, or signatures */
    uint32_t n;
};

/* Of `out` and `html` only one is used: the two formats escape differently, and a pare_html
 * keeps its status, which strings of Graphviz do not need to.  `text` is used again for each
 * entry. */
struct drawing {
    const pare_graph *graph;
    pare_graph_neighbours near;
    struct list lists[N_LISTS];
    pare_sheet text;  /* of the entry at hand */
    pare_buffer *out; /* for Graphviz */
    pare_html html;   /* for SVG */
};

/* Gives the relations that graph_facts found the form that both formats go through.  Borrowed
 * from the neighbours, which live as long as the drawing. */
static void set_lists(struct drawing *drawing)
{
    const pare_graph_neighbours *near = &drawing->near;
    const struct list lists[N_LISTS] = {
        {MEMBERS, near->members.at, near->members.n},
        {OWNERS, near->owners.at, near->owners.n},
        {RETURNERS, near->returners.at, near->returners.n},
        {TAKERS, near->takers.at, near->takers.n},
        {CALLERS, near->callers.at, near->callers.n},
        {HEIRS, near->heirs.at, near->heirs.n},
    };
    memcpy(drawing->lists, lists, sizeof lists);
}

/* The type that entry `i` of a list is about.  A signature stands for its function, which is
 * the type that can be asked for. */
static uint32_t type_of(const struct drawing *drawing, const struct list *list, uint32_t i)
{
    assert(i < list->n);
    switch (list->kind) {
    case MEMBERS: return pare_graph_edge_at(drawing->graph, list->at[i])->to;
    case OWNERS:
    case HEIRS: return pare_graph_edge_at(drawing->graph, list->at[i])->from;
    default: return pare_graph_signature_at(drawing->graph, list->at[i])->function;
    }
}

/* Puts what is told of entry `i` into the drawing's text.  Owners are expressions that lead to the
 * type, which say more than the owner's name; signatures have the function's whole name, since
 * the lists on the left are of functions from everywhere. */
static void set_text(struct drawing *drawing, const struct list *list, uint32_t i)
{
    const pare_graph_edge *edge;
    uint32_t n_more;
    pare_sheet_reset(&drawing->text);
    switch (list->kind) {
    case MEMBERS:
        edge = pare_graph_edge_at(drawing->graph, list->at[i]);
        pare_graph_names_member(&drawing->text, drawing->graph, edge, &n_more);
        break;
    case OWNERS:
        edge = pare_graph_edge_at(drawing->graph, list->at[i]);
        pare_graph_names_path(&drawing->text, drawing->graph, edge->from, edge->name);
        break;
    case HEIRS:
        pare_graph_names_type(&drawing->text, drawing->graph, type_of(drawing, list, i));
        break;
    default: pare_graph_names_signature(&drawing->text, drawing->graph, list->at[i], NULL);
    }
}

/* On failure there is nothing to finish. */
static pare_status start(struct drawing *drawing, const pare_graph *graph, uint32_t type,
                         pare_error *err)
{
    *drawing = (struct drawing){.graph = graph};
    pare_status status = pare_graph_facts_neighbours(graph, type, &drawing->near, err);
    if (status == PARE_OK) set_lists(drawing);
    return status;
}

/* What was drawn belongs to the caller. */
static void finish(struct drawing *drawing)
{
    pare_graph_facts_done(&drawing->near);
    pare_sheet_done(&drawing->text);
}

/* ---- SVG: sizes ------------------------------------------------------------------ */

/* In pixels. */
enum {
    ROW = 22,          /* height of a row */
    SIDE = 390,        /* width of the left and the right column */
    MIDDLE = 270,      /* of the middle one */
    GAP = 110,         /* between columns, for the lines */
    EDGE = 24,         /* around everything */
    BOX = 36,          /* height of a box */
    STEP = BOX + 28,   /* from one box to the next */
    CHARACTER = 7,     /* of 12 px monospaced, 7.2 rounded down: texts are cut a little late */
    LEGEND = 234,      /* width of what the colours mean */
    MOST_ABOVE = 6,    /* prototypes that are shown */
    BAND = 3 * ROW / 2 /* of the title */
};

/* Rows of a list: its heading, the entries that are shown, and what is said of the others.
 * One that is longer by one than what is shown still says "and 1 more": the rule is the same
 * for all.  The number of rows is all that the layout needs of a list. */
static uint32_t rows_of(const struct list *list)
{
    if (!list->n) return 0;
    return list->n <= PARE_GRAPH_DRAWING_ROWS ? list->n + 1 : PARE_GRAPH_DRAWING_ROWS + 2;
}

/* Height of the lists from `first` to `last`, with a free row between two. */
static int height_of(const struct drawing *drawing, enum list_kind first, enum list_kind last)
{
    uint32_t rows = 0;
    for (unsigned kind = first; kind <= last; kind++) {
        /* Lists without entries have no row, and no gap either. */
        uint32_t own = rows_of(&drawing->lists[kind]);
        rows += own + (rows && own ? 1 : 0);
    }
    return (int)rows * ROW;
}

/* Number of prototypes that are drawn.  Chains of real engines have at most four; one of a million
 * would make a drawing that no viewer opens. */
static int count_above(const struct drawing *drawing)
{
    int n = 0;
    uint32_t up = pare_graph_type_at(drawing->graph, drawing->near.type)->prototype;
    for (; up != PARE_GRAPH_NONE && n < MOST_ABOVE; n++)
        up = pare_graph_type_at(drawing->graph, up)->prototype;
    return n;
}

/* ---- SVG: pieces ----------------------------------------------------------------- */

/* The colours of the report (page.css), and one for each sort of type. */
static const char *const style[] = {
    "svg{--page:#fcfcfa;--sheet:#fff;--ink:#1c1f23;--dim:#5a6068;--line:#c4c8c2;",
    "--accent:#0f6b5c;--function:#7a4a00;--object:#1d4f91;--primitive:#6a6f76;",
    "background:var(--page);color-scheme:light dark}",
    "@media (prefers-color-scheme:dark){svg{--page:#141618;--sheet:#1b1e21;--ink:#e6e8ea;",
    "--dim:#a3aab2;--line:#4a5157;--accent:#5fd0b5;--function:#e2b36b;--object:#8fb8ee;",
    "--primitive:#a9b0b8}}",
    "text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\",monospace;",
    "fill:var(--ink)}",
    ".title{font-weight:bold;font-size:14px}.head{fill:var(--dim);font-weight:bold}",
    ".dim{fill:var(--dim)}.page{fill:var(--page)}.end{text-anchor:end}",
    ".box{fill:var(--sheet);stroke:var(--line)}.main{stroke:var(--accent);stroke-width:2}",
    "path{fill:none;stroke:var(--line)}path.up{stroke:var(--accent)}",
    ".function{fill:var(--function)}.object{fill:var(--object)}.primitive{fill:var(--primitive)}",
};

/* Three colours: more than that nobody tells apart, and the kinds of primitives have their names. */
static const char *sort_of(const pare_graph *graph, uint32_t type)
{
    pare_graph_kind kind = pare_graph_type_at(graph, type)->kind;
    if (kind == PARE_GRAPH_FUNCTION) return "function";
    return kind == PARE_GRAPH_OBJECT ? "object" : "primitive";
}

/* Adds the drawing's text, cut to `most` characters.  What is cut is UTF-8 of a sheet, so a
 * byte that does not continue a character begins one.  Characters are counted as one column
 * each; wide ones of other scripts stick out a little. */
static void add_cut(struct drawing *drawing, size_t most)
{
    const char *text = pare_sheet_text(&drawing->text);
    size_t end = 0, n = 0, size = strlen(text);
    for (; end < size; end++) {
        bool starts = ((unsigned char)text[end] & 0xc0) != 0x80;
        if (starts && n++ == most) break;
    }
    /* The sheet has a status of its own, which must not get lost on the way. */
    if (drawing->text.status) drawing->html.status = drawing->text.status;
    pare_html_bytes(&drawing->html, text, end);
    if (end < size) pare_html_raw(&drawing->html, "&#8230;");
}

/* A text at a place, with all of it as a tool tip when it is cut. */
static void add_label(struct drawing *drawing, const char *class, int x, int y, int width)
{
    size_t most = (size_t)width / CHARACTER;
    pare_html_format(&drawing->html, "<text class=\"%s\" x=\"%d\" y=\"%d\">", class, x, y);
    add_cut(drawing, most);
    if (drawing->text.column > most) {
        pare_html_raw(&drawing->html, "<title>");
        pare_html_text(&drawing->html, pare_sheet_text(&drawing->text));
        pare_html_raw(&drawing->html, "</title>");
    }
    pare_html_raw(&drawing->html, "</text>\n");
}

/* A type in a box.  The type that the drawing is about has a class of its own, and a larger
 * text.  The dot tells the sort where colours are not told apart: boxes of the type itself
 * have a thicker line. */
static void add_box(struct drawing *drawing, uint32_t type, int x, int y, const char *class)
{
    pare_html_format(&drawing->html,
                     "<rect class=\"box %s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
                     "rx=\"8\"/><circle class=\"%s\" cx=\"%d\" cy=\"%d\" r=\"4\"/>\n",
                     class, x, y, MIDDLE, BOX, sort_of(drawing->graph, type), x + 16, y + BOX / 2);
    pare_sheet_reset(&drawing->text);
    pare_graph_names_type(&drawing->text, drawing->graph, type);
    add_label(drawing, *class ? "title" : "", x + 28, y + BOX / 2 + 4, MIDDLE - 60);
}

/* One row: a dot in the colour of its type, on the side of the middle, and its text.  Dots are
 * where lines arrive. */
static void add_row(struct drawing *drawing, const struct list *list, uint32_t i, int x, int y)
{
    bool left = list->kind != MEMBERS && list->kind != HEIRS;
    set_text(drawing, list, i);
    pare_html_format(&drawing->html, "<circle class=\"%s\" cx=\"%d\" cy=\"%d\" r=\"4\"/>",
                     sort_of(drawing->graph, type_of(drawing, list, i)),
                     left ? x + SIDE - 6 : x + 6, y + ROW / 2);
    add_label(drawing, left ? "end" : "", left ? x + SIDE - 18 : x + 18, y + ROW / 2 + 4,
              SIDE - 34);
}

/* A line from the middle box to the dot of a row, on the side that the row is on: a curve that leaves
 * and arrives horizontally, so that lines of neighbouring rows do not cross. */
static void add_line(struct drawing *drawing, int from_x, int from_y, int to_x, int to_y)
{
    int half = (from_x + to_x) / 2;
    pare_html_format(&drawing->html, "<path d=\"M%d %dC%d %d %d %d %d %d\"/>\n", from_x, from_y,
                     half, from_y, half, to_y, to_x, to_y);
}

/* Where the lines of a list are. */
struct anchor {
    int from_x, from_y; /* at the box */
    int to_x;           /* at the rows; 0: no lines */
};

/* What stands in a row of its own: a heading, or the number of entries that are not shown.
 * Notes are ours, so they need no escaping. */
static void add_note(struct drawing *drawing, enum list_kind kind, int x, int y, const char *class,
                     const char *text)
{
    bool left = kind != MEMBERS && kind != HEIRS;
    pare_html_format(&drawing->html, "<text class=\"%s%s\" x=\"%d\" y=\"%d\">%s</text>\n", class,
                     left ? " end" : "", left ? x + SIDE - 18 : x + 18, y + ROW / 2 + 4, text);
}

/* A list from `y` on; returns where it ends.  Lists of the middle column have no lines. */
static int add_list(struct drawing *drawing, enum list_kind kind, int x, int y,
                    const struct anchor *anchor)
{
    const struct list *list = &drawing->lists[kind];
    char count[PARE_FORMAT_BYTES], text[4 * PARE_FORMAT_BYTES];
    uint32_t shown = list->n <= PARE_GRAPH_DRAWING_ROWS ? list->n : PARE_GRAPH_DRAWING_ROWS;
    if (!list->n) return y;
    (void)snprintf(text, sizeof text, "%s (%s)", titles[kind], pare_format_count(count, list->n));
    add_note(drawing, kind, x, y, "head", text);
    y += ROW;
    for (uint32_t i = 0; i < shown; i++, y += ROW) {
        if (anchor->to_x)
            add_line(drawing, anchor->from_x, anchor->from_y, anchor->to_x, y + ROW / 2);
        add_row(drawing, list, i, x, y);
    }
    if (shown == list->n) return y;
    (void)snprintf(text, sizeof text, "and %s more", pare_format_count(count, list->n - shown));
    add_note(drawing, kind, x, y, "dim", text);
    return y + ROW;
}

/* ---- SVG: columns ---------------------------------------------------------------- */

/* The type, and its prototypes above it, each below the one it inherits from. */
static void add_middle(struct drawing *drawing, int x, int y)
{
    uint32_t type = drawing->near.type;
    add_box(drawing, type, x, y, "main");
    for (int i = 0; i < MOST_ABOVE; i++) {
        type = pare_graph_type_at(drawing->graph, type)->prototype;
        if (type == PARE_GRAPH_NONE) return;
        int middle = x + MIDDLE / 2;
        pare_html_format(&drawing->html,
                         "<path class=\"up\" d=\"M%d %dV%dm-5 8l5 -8l5 8\"/>"
                         "<text class=\"dim\" x=\"%d\" y=\"%d\">prototype</text>\n",
                         middle, y, y - STEP + BOX, middle + 10, y - (STEP - BOX) / 2 + 4);
        /* The arrow ends at the lower edge of the box that is drawn next. */
        y -= STEP;
        add_box(drawing, type, x, y, "");
    }
}

/* What the colours mean, in the line of the title.  In the title's row, at its right end. */
static void add_legend(struct drawing *drawing, int x)
{
    static const struct {
        const char *sort;
        int x;
    } entries[] = {{"object", 0}, {"function", 70}, {"primitive", 154}};
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        pare_html_format(&drawing->html,
                         "<circle class=\"%s\" cx=\"%d\" cy=\"%d\" r=\"4\"/>"
                         "<text class=\"dim\" x=\"%d\" y=\"%d\">%s</text>\n",
                         entries[i].sort, x + entries[i].x + 4, EDGE, x + entries[i].x + 14,
                         EDGE + 4, entries[i].sort);
}

/* What the drawing is, in words; first, as screen readers want it. */
static void add_head(struct drawing *drawing, int width, int height)
{
    pare_html_format(&drawing->html,
                     "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
                     "height=\"%d\" role=\"img\">\n<title>",
                     width, height, width, height);
    pare_sheet_reset(&drawing->text);
    pare_graph_names_type(&drawing->text, drawing->graph, drawing->near.type);
    pare_html_text(&drawing->html, pare_sheet_text(&drawing->text));
    pare_html_raw(&drawing->html, " of ");
    pare_sheet_reset(&drawing->text);
    pare_sheet_name(&drawing->text, pare_graph_engine(drawing->graph));
    pare_html_text(&drawing->html, pare_sheet_text(&drawing->text));
    pare_html_raw(&drawing->html, "</title>\n<style>");
    for (size_t i = 0; i < sizeof style / sizeof *style; i++)
        pare_html_raw(&drawing->html, style[i]);
    pare_html_raw(&drawing->html, "</style>\n");
    /* For viewers that do not draw the background of an svg element. */
    pare_html_format(&drawing->html, "<rect class=\"page\" width=\"%d\" height=\"%d\"/>\n", width,
                     height);
    add_label(drawing, "dim", EDGE, EDGE + 4, width - 2 * EDGE - LEGEND);
    add_legend(drawing, width - EDGE - LEGEND);
}

/* The larger one. */
static int most(int a, int b)
{
    return a > b ? a : b;
}

/* Lines are written before the boxes that they lead to, which cover their ends.  A side without rows
 * takes no width.  Everything is measured from `center`, the height of the box: the sides are as far
 * above it as below, the middle column may be higher on one of both. */
static void add_columns(struct drawing *drawing)
{
    int left = height_of(drawing, OWNERS, CALLERS), right = height_of(drawing, MEMBERS, MEMBERS);
    int above = count_above(drawing) * STEP, below = height_of(drawing, HEIRS, HEIRS);
    /* The box is at the same height as the middle of both sides, if there is room above it. */
    int center = EDGE + BAND + most(most(left, right) / 2, above + BOX / 2);
    int height = center + most(most(left, right) / 2, BOX / 2 + ROW + below) + EDGE;
    int left_x = EDGE, middle_x = left ? EDGE + SIDE + GAP : EDGE;
    int right_x = middle_x + MIDDLE + GAP, width = right ? right_x + SIDE : right_x - GAP;
    /* Heirs have their names below the box, and the title its place above it, also where there is
     * nothing on the right. */
    if (width < middle_x + SIDE) width = middle_x + SIDE;
    add_head(drawing, width + EDGE, height);
    /* Heirs are below the box, where lines would cross their names. */
    const struct anchor none = {0}, to_left = {middle_x, center, left_x + SIDE},
                        to_right = {middle_x + MIDDLE, center, right_x};
    int y = center - left / 2;
    for (unsigned kind = OWNERS; kind <= CALLERS; kind++) {
        int end = add_list(drawing, (enum list_kind)kind, left_x, y, &to_left);
        /* A free row after each list that is there, as height_of counted. */
        y = end == y ? y : end + ROW;
    }
    (void)add_list(drawing, MEMBERS, right_x, center - right / 2, &to_right);
    (void)add_list(drawing, HEIRS, middle_x, center + BOX / 2 + ROW, &none);
    add_middle(drawing, middle_x, center - BOX / 2);
    pare_html_raw(&drawing->html, "</svg>\n");
}

/* The buffer of the caller is lent to the pare_html, and comes back larger. */
pare_status pare_graph_drawing_svg(const pare_graph *graph, uint32_t type, pare_buffer *out,
                                   pare_error *err)
{
    struct drawing drawing;
    pare_status status = start(&drawing, graph, type, err);
    if (status) return status;
    drawing.html.bytes = *out;
    add_columns(&drawing);
    *out = drawing.html.bytes;
    status = drawing.html.status;
    finish(&drawing);
    return status ? pare_fail_nomem(err) : PARE_OK;
}

/* ---- Graphviz -------------------------------------------------------------------- */

/* A string in Graphviz' language: backslashes would begin escapes of its own.  Line ends
 * cannot be in a name of a sheet. */
static pare_status add_quoted(struct drawing *drawing)
{
    pare_status status = pare_buffer_text(drawing->out, "\"", NULL);
    for (const char *at = pare_sheet_text(&drawing->text); !status && *at; at++) {
        if (*at == '"' || *at == '\\') status = pare_buffer_text(drawing->out, "\\", NULL);
        if (!status) status = pare_buffer_add(drawing->out, at, 1, NULL);
    }
    return status ? status : pare_buffer_text(drawing->out, "\"", NULL);
}

/* A node for a type; several of the same are one to Graphviz.  Nodes are named by numbers of
 * types, so that names of the engine are only ever labels.  The same type in two lists is one
 * node with two edges. */
static pare_status add_node(struct drawing *drawing, uint32_t type, const char *more)
{
    pare_sheet_reset(&drawing->text);
    pare_graph_names_type(&drawing->text, drawing->graph, type);
    pare_status status = pare_buffer_format(drawing->out, NULL, "  t%u [label=", (unsigned)type);
    if (!status) status = add_quoted(drawing);
    return status ? status : pare_buffer_format(drawing->out, NULL, "%s];\n", more);
}

/* An edge between the type and the one that entry `i` is about, which has a node.  Arrows go where a
 * program goes: from an object to its member, from a type to what takes it, from a function to what
 * it returns. */
static pare_status add_edge(struct drawing *drawing, const struct list *list, uint32_t i)
{
    static const char *const attributes[N_LISTS] = {
        [RETURNERS] = ", style=dashed", [TAKERS] = ", style=dashed", [CALLERS] = ", style=dotted"};
    /* For the other kinds the arrow comes from the entry. */
    bool leaves = list->kind == MEMBERS || list->kind == TAKERS || list->kind == CALLERS;
    unsigned other = (unsigned)type_of(drawing, list, i), own = (unsigned)drawing->near.type;
    pare_sheet_reset(&drawing->text);
    if (list->kind == MEMBERS || list->kind == OWNERS)
        pare_sheet_name(&drawing->text, pare_graph_edge_at(drawing->graph, list->at[i])->name);
    else
        pare_sheet_raw(&drawing->text, titles[list->kind]);
    pare_status status = pare_buffer_format(
        drawing->out, NULL, "  t%u -> t%u [label=", leaves ? own : other, leaves ? other : own);
    if (!status) status = add_quoted(drawing);
    const char *more = attributes[list->kind] ? attributes[list->kind] : "";
    return status ? status : pare_buffer_format(drawing->out, NULL, "%s];\n", more);
}

/* Heirs have their edge from add_prototype. */
static pare_status add_prototype(struct drawing *drawing, uint32_t from, uint32_t to)
{
    return pare_buffer_format(drawing->out, NULL,
                              "  t%u -> t%u [label=\"prototype\", arrowhead=empty];\n",
                              (unsigned)from, (unsigned)to);
}

/* All of a list, up to what Graphviz can lay out in a second or two; the others are one node,
 * which hangs on the type by a line that is not drawn.  The limit is PARE_GRAPH_DRAWING_NODES. */
static pare_status add_nodes(struct drawing *drawing, const struct list *list)
{
    pare_status status = PARE_OK;
    uint32_t n = list->n <= PARE_GRAPH_DRAWING_NODES ? list->n : PARE_GRAPH_DRAWING_NODES;
    for (uint32_t i = 0; !status && i < n; i++) {
        uint32_t other = type_of(drawing, list, i);
        status = add_node(drawing, other, "");
        if (!status && list->kind == HEIRS)
            status = add_prototype(drawing, other, drawing->near.type);
        else if (!status)
            status = add_edge(drawing, list, i);
    }
    if (status || n == list->n) return status;
    return pare_buffer_format(drawing->out, NULL,
                              "  more%d [label=\"%s: %u more\", shape=plaintext];\n"
                              "  t%u -> more%d [style=invis];\n",
                              (int)list->kind, titles[list->kind], (unsigned)(list->n - n),
                              (unsigned)drawing->near.type, (int)list->kind);
}

/* The prototypes come last: their chain is the only part that is not next to the type. */
static pare_status add_digraph(struct drawing *drawing)
{
    uint32_t type = drawing->near.type;
    pare_status status =
        pare_buffer_text(drawing->out,
                         "digraph graph_of_types {\n  rankdir=LR;\n  node [shape=box, "
                         "style=rounded, fontname=monospace];\n  edge [fontname=monospace];\n",
                         NULL);
    if (!status) status = add_node(drawing, type, ", penwidth=3");
    for (size_t kind = 0; !status && kind < N_LISTS; kind++)
        status = add_nodes(drawing, &drawing->lists[kind]);
    for (uint32_t up; !status; type = up) {
        up = pare_graph_type_at(drawing->graph, type)->prototype;
        if (up == PARE_GRAPH_NONE) break;
        status = add_node(drawing, up, "");
        if (!status) status = add_prototype(drawing, type, up);
    }
    return status ? status : pare_buffer_text(drawing->out, "}\n", NULL);
}

pare_status pare_graph_drawing_dot(const pare_graph *graph, uint32_t type, pare_buffer *out,
                                   pare_error *err)
{
    struct drawing drawing;
    pare_status status = start(&drawing, graph, type, err);
    if (status) return status;
    /* A sheet that is not complete would only be seen in its status. */
    drawing.out = out;
    status = add_digraph(&drawing);
    if (!status) status = drawing.text.status;
    finish(&drawing);
    return status ? pare_fail_nomem(err) : PARE_OK;
}
