/* Fuzz target: what shows a prototype graph, of any graph file that can be read.
 *
 * Text is visible and in UTF-8, drawings and the page have no markup but ours, a graph does not
 * differ from itself, and names, taken as what a user writes, lead to types that are there.
 * Aborts on a violation. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/visible.h"
#include "generate/prototype/graph.h"
#include "ui/graph_names.h"
#include "ui/graph_views.h"
#include "ui/html.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_TYPES = 20 };

static void require(bool holds)
{
    if (!holds) abort();
}

/* Only characters that are shown as they are, and line ends. */
static void check_visible(const char *text, size_t size)
{
    for (size_t at = 0, escaped, length; at < size; at += length) {
        long code;
        length =
            pare_visible_character((const unsigned char *)text + at, size - at, &escaped, &code);
        if (text[at] == '\n') length = 1;
        require(length > 0 && text[at] != '\t');
    }
}

/* How often `part` is in the buffer, which ends in a NUL. */
static size_t count(const pare_buffer *buffer, const char *part)
{
    size_t n = 0;
    for (const char *at = buffer->data; (at = strstr(at, part)) != NULL; at++)
        n++;
    return n;
}

static void draw(const pare_graph *graph, uint32_t type)
{
    pare_buffer out = {0};
    require(pare_graph_drawing_svg(graph, type, &out, NULL) == PARE_OK);
    check_visible(out.data, out.size);
    require(count(&out, "<svg") == 1 && count(&out, "<style") == 1 && count(&out, "<script") == 0);
    require(count(&out, "<text") == count(&out, "</text>"));
    pare_buffer_done(&out);
    require(pare_graph_drawing_dot(graph, type, &out, NULL) == PARE_OK);
    check_visible(out.data, out.size);
    pare_buffer_done(&out);
    require(pare_graph_json_write(graph, type, &out, NULL) == PARE_OK);
    pare_buffer_done(&out);
}

static void tell(const pare_graph *graph, uint32_t type)
{
    pare_sheet sheet = {.status = PARE_OK};
    pare_graph_text_type(&sheet, graph, type);
    require(sheet.status == PARE_OK);
    check_visible(pare_sheet_text(&sheet), sheet.bytes.size);
    pare_sheet_done(&sheet);
    uint32_t found = pare_graph_names_find(graph, pare_graph_type_at(graph, type)->path);
    require(found == PARE_GRAPH_NONE ? !*pare_graph_type_at(graph, type)->path
                                     : found < pare_graph_n_types(graph));
    found = pare_graph_names_find(graph, pare_graph_type_at(graph, type)->class_name);
    require(found == PARE_GRAPH_NONE || found < pare_graph_n_types(graph));
}

static void tell_all(const pare_graph *graph)
{
    pare_sheet sheet = {.status = PARE_OK};
    pare_buffer out = {0};
    pare_graph_text_summary(&sheet, graph);
    check_visible(pare_sheet_text(&sheet), sheet.bytes.size);
    pare_sheet_done(&sheet);
    require(pare_graph_json_write(graph, PARE_GRAPH_NONE, &out, NULL) == PARE_OK);
    pare_buffer_done(&out);
    require(pare_graph_page_write(graph, 0, &out, NULL) == PARE_OK);
    check_visible(out.data, out.size);
    require(count(&out, "<script") == 2 && count(&out, "</script") == 2);
    pare_buffer_done(&out);
}

/* The graph and itself; the graph and the one before it, which was another. */
static void compare(const pare_graph *older, const pare_graph *newer, bool same)
{
    pare_graph_changes *changes = NULL;
    pare_sheet sheet = {.status = PARE_OK};
    require(pare_graph_diff_new(older, newer, &changes, NULL) == PARE_OK);
    require(!same || pare_graph_diff_count(changes) == 0);
    pare_graph_diff_text(&sheet, changes);
    check_visible(pare_sheet_text(&sheet), sheet.bytes.size);
    pare_sheet_done(&sheet);
    pare_graph_diff_free(changes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char bare[] =
        "{\"format\":\"pare-graph\",\"version\":1,\"global\":0,\"types\":[{\"id\":0,"
        "\"kind\":\"object\",\"path\":\"this\"}],\"signatures\":[],\"edges\":[]}";
    pare_graph *graph = NULL, *other = NULL;
    const char *text = size ? (const char *)data : "";
    if (pare_graph_file_parse("g.json", text, size, &graph, NULL) != PARE_OK) return 0;
    require(pare_graph_file_parse("b.json", bare, sizeof bare - 1, &other, NULL) == PARE_OK);
    for (uint32_t type = 0; type < MOST_TYPES && type < pare_graph_n_types(graph); type++) {
        tell(graph, type);
        draw(graph, type);
    }
    tell_all(graph);
    compare(graph, graph, true);
    compare(graph, other, false);
    compare(other, graph, false);
    pare_graph_free(other);
    pare_graph_free(graph);
    return 0;
}
