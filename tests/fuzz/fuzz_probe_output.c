/* What an engine prints when it is explored: any bytes give lists that hold together, and a graph
 * if there is an object. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "generate/discovery/probe_graph.h"
#include "generate/discovery/probe_output.h"
#include "generate/prototype/graph.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pare_buffer printed = {0};
    pare_probe_output output = {0};
    pare_graph *graph = NULL;
    pare_error err = {0};
    if (pare_buffer_add(&printed, data, size, &err) != PARE_OK) abort();
    if (pare_probe_output_read(&output, &printed, &err) != PARE_OK) abort();
    if (!pare_probe_output_check(&output)) abort();
    if (output.n_objects) {
        if (pare_probe_graph_make(&output, "engine", "0", &graph, &err) != PARE_OK) abort();
        if (!pare_graph_check(graph)) abort();
    }
    pare_graph_free(graph);
    pare_probe_output_done(&output);
    pare_buffer_done(&printed);
    return 0;
}
