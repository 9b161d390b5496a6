/* Fuzz target: the file of a prototype graph, any bytes.
 *
 * What is read keeps the graph's invariant and is written to bytes that read back to the same;
 * what is not has one sentence.  Aborts on a violation. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "generate/prototype/graph.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
    if (!holds) abort();
}

static void write_and_read(const pare_graph *graph)
{
    pare_buffer first = {0}, second = {0};
    pare_graph *again = NULL;
    require(pare_graph_file_text(graph, &first, NULL) == PARE_OK);
    require(pare_graph_file_parse("g.json", first.data, first.size, &again, NULL) == PARE_OK);
    require(pare_graph_file_text(again, &second, NULL) == PARE_OK);
    require(first.size == second.size && memcmp(first.data, second.data, first.size) == 0);
    pare_graph_free(again);
    pare_buffer_done(&second);
    pare_buffer_done(&first);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pare_graph *graph = NULL;
    pare_error err = {0};
    const char *text = size ? (const char *)data : "";
    pare_status status = pare_graph_file_parse("g.json", text, size, &graph, &err);
    require(!status || (err.status == status && err.message[0]));
    if (!status) {
        require(pare_graph_check(graph));
        write_and_read(graph);
    }
    pare_graph_free(graph);
    return 0;
}
