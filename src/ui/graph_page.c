/* The page that walks a prototype graph: its frame, and the graph in it as JSON.
 *
 * All that the page does is in graph_page.js.  The data are lists of lists, since names of fields
 * would be most of the bytes of a graph with 15,000 edges.  They stand in a script element that
 * is no script (application/json), whose text ends at the first "</script" whatever surrounds it;
 * so no <, > or & is written as itself, nor any character that cannot be seen: texts are ASCII
 * and characters that are shown as they are.  Invariant: the data are valid JSON, and the bytes
 * between two quotes can neither end the string nor the element.
 * The frame of the page is frame.h's. */
#include "ui/graph_views.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include <pare/graph.h>

#include "base/buffer.h"
#include "base/fail.h"
#include "ui/frame.h"
#include "ui/html.h"

/* Added to the style of the report, whose colours, lists of facts and contrast it takes over.  No
 * rule has an url: the page loads nothing. */
/* clang-format off */
static const char *const page_style[] = {
    ":root{--function:#7a4a00;--object:#1d4f91;--primitive:#5a6068}\n",
    "@media (prefers-color-scheme:dark){:root{--function:#e2b36b;--object:#8fb8ee;"
    "--primitive:#a3aab2}}\n",
    "header{padding-top:0;position:sticky;top:0;z-index:1;background:var(--page);"
    "border-bottom:1px solid var(--line);max-width:none}\n",
    ".bar-in{max-width:1180px;margin:0 auto;padding:.6rem clamp(16px,4vw,40px);display:flex;"
    "flex-wrap:wrap;gap:.4rem 1.5rem;align-items:center}\n",
    "header{padding-left:0;padding-right:0}header p{margin:0;min-width:0}\n",
    ".finder{position:relative;flex:1 1 20rem;min-width:0}\n",
    "input{font:inherit;width:100%;padding:.45rem .8rem;color:var(--ink);"
    "background:var(--sheet);border:1px solid var(--line);border-radius:8px}\n",
    "input::placeholder{color:var(--dim);opacity:1}\n",
    "#results{position:absolute;left:0;right:0;top:calc(100% + 4px);max-height:65vh;"
    "overflow-y:auto;background:var(--sheet);border:1px solid var(--line);border-radius:8px;"
    "box-shadow:0 8px 24px #0003;padding:.3rem}\n",
    "#results[hidden]{display:none}#results p{padding:.3rem .6rem}\n",
    ".option{display:flex;justify-content:space-between;gap:1rem;padding:.3rem .6rem;"
    "border-radius:5px;cursor:pointer}\n",
    ".option .found{overflow-wrap:anywhere;min-width:0;font-size:.88em}\n",
    ".option[aria-selected=true],.option:hover{background:var(--wash)}\n",
    "code,.found,.path,h1.subject{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"
    "\"DejaVu Sans Mono\",monospace;font-variant-ligatures:none}\n",
    "a,.found,.name,.subject,dd,code{unicode-bidi:isolate}\n",
    "a.function,.function .found,h1.function{color:var(--function)}\n",
    "a.object,.object .found,h1.object{color:var(--object)}\n",
    "a.primitive,.primitive .found,h1.primitive{color:var(--primitive)}\n",
    "a{text-decoration:none}a:hover,a:focus-visible{text-decoration:underline}\n",
    "h1.subject{font-size:clamp(1.3rem,3.6vw,2rem);margin:.1rem 0 1rem;letter-spacing:-.01em}\n",
    "h1.subject:focus{outline:none}\n",
    ".head{padding-top:1.5rem}.head .sub{max-width:none}\n",
    ".columns{display:grid;grid-template-columns:minmax(0,1fr);gap:0 3rem}\n",
    "@media (min-width:900px){.columns{grid-template-columns:minmax(0,3fr) minmax(0,2fr)}}\n",
    "section{margin:2rem 0 0}.count{color:var(--dim);font-weight:400}\n",
    "ul{list-style:none;margin:0;padding:0}li{padding:.22rem 0;overflow-wrap:anywhere;"
    "border-bottom:1px solid var(--line)}li:last-child{border-bottom:0}\n",
    "code{font-size:.88em}.arrow,.values{color:var(--dim)}\n",
    ".values{font-size:.9em;padding-left:1.5rem}.more{color:var(--dim);white-space:nowrap}\n",
    "dl{grid-template-columns:repeat(auto-fit,minmax(min(100%,138px),1fr));gap:1rem 1.5rem}\n",
    ".badge{font-size:.78rem;color:var(--accent);background:var(--wash);border-radius:99px;"
    "padding:.05rem .6rem;margin-left:.6rem;white-space:nowrap}\n",
    ".filter{margin-bottom:.6rem}\n",
    "button{font:inherit;font-size:.9rem;color:var(--accent);background:none;margin-top:.5rem;"
    "border:1px solid var(--line);border-radius:99px;padding:.3rem .9rem;cursor:pointer}\n",
    "details{border-bottom:1px solid var(--line);padding:.3rem 0}summary{cursor:pointer}\n",
    "details ul{padding-left:1.1rem}\n",
    "@media print{header{position:static}.finder,button,.filter{display:none}}\n",
    NULL,
};
/* clang-format on */

/* ---- data ------------------------------------------------------------------------ */

/* Numbers of types, with -1 for none: PARE_GRAPH_NONE would be four billion to the script. */
static long number_of(uint32_t type)
{
    return type == PARE_GRAPH_NONE ? -1 : (long)type;
}

/* [[kind, is an instance type, path, class, length, prototype], ...] */
static void add_types(pare_html *html, const pare_graph *graph)
{
    pare_html_raw(html, ",\n\"types\":[");
    for (uint32_t i = 0; i < pare_graph_n_types(graph); i++) {
        const pare_graph_type *type = pare_graph_type_at(graph, i);
        pare_html_format(html, "%s[%d,%d,", i ? ",\n" : "", (int)type->kind, type->is_instance);
        pare_html_json_string(html, type->path);
        pare_html_raw(html, ",");
        pare_html_json_string(html, type->class_name);
        pare_html_format(html, ",%u,%ld]", (unsigned)type->length, number_of(type->prototype));
    }
    pare_html_raw(html, "]");
}

/* [[function, receiver, parameters, 1 constructs + 2 learned + 4 throws], ...] */
static void add_signatures(pare_html *html, const pare_graph *graph)
{
    pare_html_raw(html, ",\n\"signatures\":[");
    for (uint32_t i = 0; i < pare_graph_n_signatures(graph); i++) {
        const pare_graph_signature *about = pare_graph_signature_at(graph, i);
        pare_html_format(html, "%s[%u,%ld,%u,%d]", i ? ",\n" : "", (unsigned)about->function,
                         number_of(about->receiver), (unsigned)about->n_params,
                         about->is_constructor + 2 * about->is_learned + 4 * about->throws);
    }
    pare_html_raw(html, "]");
}

/* One entry: [owner, name, type], [type, signature, position, values] or [signature, type]. */
static void add_edge(pare_html *html, const pare_graph_edge *edge)
{
    pare_html_format(html, "[%u,", (unsigned)edge->from);
    if (edge->kind == PARE_GRAPH_PROPERTY) {
        pare_html_json_string(html, edge->name);
        pare_html_raw(html, ",");
    }
    pare_html_format(html, "%u", (unsigned)edge->to);
    if (edge->kind == PARE_GRAPH_PARAMETER) {
        pare_html_format(html, ",%u,", (unsigned)edge->position);
        pare_html_json_string(html, edge->values);
    }
    pare_html_raw(html, "]");
}

/* Calls and constructors are not there: a signature has its function, and a type its prototype. */
static void add_edges(pare_html *html, const pare_graph *graph, const char *name,
                      pare_graph_edge_kind kind)
{
    bool first = true;
    pare_html_format(html, ",\n\"%s\":[", name);
    for (uint32_t i = 0; i < pare_graph_n_edges(graph); i++) {
        const pare_graph_edge *edge = pare_graph_edge_at(graph, i);
        /* Kinds stand together, but a pass over all edges is nothing beside writing them. */
        if (edge->kind != kind) continue;
        pare_html_raw(html, first ? "" : ",\n");
        add_edge(html, edge);
        first = false;
    }
    pare_html_raw(html, "]");
}

/* Everything that the script reads, in one element; the script is written after it, so that
 * the element is there when it runs.  One pass over types, signatures and edges; about 100
 * bytes a type and 40 an edge. */
static void add_data(pare_html *html, const pare_graph *graph, uint32_t start)
{
    pare_html_raw(html, "<script type=\"application/json\" id=\"graph\">{\"engine\":");
    pare_html_json_string(html, pare_graph_engine(graph));
    pare_html_format(html, ",\"global\":%u,\"start\":%u", (unsigned)pare_graph_global(graph),
                     (unsigned)start);
    add_types(html, graph);
    add_signatures(html, graph);
    add_edges(html, graph, "properties", PARE_GRAPH_PROPERTY);
    add_edges(html, graph, "parameters", PARE_GRAPH_PARAMETER);
    add_edges(html, graph, "returns", PARE_GRAPH_RETURN);
    pare_html_raw(html, "}</script>\n");
}

/* ---- the frame ------------------------------------------------------------------- */

/* The frame has what the script fills: a line about the graph, a field that searches, and a place for
 * the view of a type.  Roles and labels tell screen readers that the field has a list of results. */
pare_status pare_graph_page_write(const pare_graph *graph, uint32_t start, pare_buffer *out,
                                  pare_error *err)
{
    /* What `out` has is continued, and is its own again at the end, also when memory
     * ran out. */
    pare_html html = {.bytes = *out};
    const pare_frame frame = {
        .title = pare_graph_engine(graph), .rules = page_style, .script = pare_graph_page_script};
    assert(start < pare_graph_n_types(graph));
    pare_frame_begin(&html, &frame);
    pare_html_raw(&html, "<header><div class=\"bar-in\"><p><b>");
    pare_frame_add_text(&html, pare_graph_engine(graph));
    pare_html_raw(&html,
                  "</b> <span class=\"sub\" id=\"about\"></span></p>\n"
                  "<div class=\"finder\"><input id=\"search\" type=\"search\" role=\"combobox\" "
                  "aria-label=\"search a type or a member\" aria-expanded=\"false\" "
                  "aria-autocomplete=\"list\" aria-controls=\"results\" autocomplete=\"off\" "
                  "spellcheck=\"false\" placeholder=\"search a type or a member ( / )\"/>"
                  "<div id=\"results\" role=\"listbox\" aria-label=\"found\" hidden=\"hidden\">"
                  "</div></div></div></header>\n"
                  "<main id=\"view\"><noscript><p>This page needs its script to show the graph; "
                  "'pare graph show' without --format prints it.</p></noscript></main>\n");
    add_data(&html, graph, start);
    pare_frame_end(&html, &frame);
    *out = html.bytes;
    return html.status == PARE_OK ? PARE_OK : pare_fail_nomem(err);
}
