/* What an engine prints when a test is watched: any bytes give lessons that hold together, and a
 * graph. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "generate/discovery/call_log.h"
#include "generate/discovery/lessons.h"
#include "generate/discovery/probe_graph.h"
#include "generate/discovery/probe_output.h"
#include "generate/prototype/graph.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A global object, a constructor with a prototype, and a function. */
static const char ENGINE[] = "pare-probe 1\no 0 0 g %!\nm 0 F 1\no 1 0 m F\nt 1 c Function 1\n"
                             "m 1 prototype 2\no 2 1 m prototype\nm 2 go 3\no 3 2 m go\n"
                             "t 3 f Function 2\nk s 2\nend 4\n";

static pare_graph *make_graph(void)
{
    pare_buffer printed = {0};
    pare_probe_output output = {0};
    pare_graph *graph = NULL;
    if (pare_buffer_text(&printed, ENGINE, NULL) != PARE_OK ||
        pare_probe_output_read(&output, &printed, NULL) != PARE_OK ||
        pare_probe_graph_make(&output, "engine", "0", &graph, NULL) != PARE_OK)
        abort();
    pare_probe_output_done(&output);
    pare_buffer_done(&printed);
    return graph;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pare_buffer printed = {0};
    pare_call_log log = {0};
    pare_lessons *lessons = NULL;
    pare_graph *graph = make_graph(), *learned = NULL;
    size_t n_new;
    if (pare_buffer_add(&printed, data, size, NULL) != PARE_OK ||
        pare_call_log_read(&log, &printed, graph, NULL) != PARE_OK ||
        !pare_call_log_check(&log, graph))
        abort();
    if (pare_lessons_new(graph, &lessons, NULL) != PARE_OK ||
        pare_lessons_add(lessons, &log, &n_new, NULL) != PARE_OK || n_new > log.n_signatures ||
        pare_lessons_make(lessons, &learned, NULL) != PARE_OK || !pare_graph_check(learned))
        abort();
    pare_lessons_free(lessons);
    pare_graph_free(learned);
    pare_graph_free(graph);
    pare_call_log_done(&log);
    pare_buffer_done(&printed);
    return 0;
}
