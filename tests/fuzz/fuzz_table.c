/* Fuzz target: any bytes as a table of each format.
 *
 * Rows and cells ascend and lie in each other; what the reduction proposes is smaller than what
 * failed, whatever the outcomes are.  Aborts on a violation. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include <pare/outcome.h>

#include "reduce/table/table.h"
#include "reduce/table/table_reduction.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_STEPS = 200 };

static void require(bool holds)
{
    if (!holds) abort();
}

/* Outcomes are the bits of a number that the size seeds. */
static void reduce(pare_table *table)
{
    pare_strategy *strategy = NULL;
    pare_candidate candidate = {0};
    size_t bytes = pare_text_size(table->text);
    uint32_t bits = (uint32_t)bytes * 2654435761u + 1;
    require(pare_table_reduction_new(table, &strategy, NULL) == PARE_OK);
    for (unsigned i = 0; i < MOST_STEPS; i++) {
        pare_next what;
        require(strategy->ops->next(strategy, &what, &candidate, NULL) == PARE_OK);
        if (what == PARE_NEXT_DONE) break;
        require(candidate.size < bytes);
        bits = bits * 1664525u + 1013904223u;
        bool fails = bits >> 31;
        if (fails) bytes = candidate.size;
        require(strategy->ops->tell(strategy, fails ? PARE_FAIL : PARE_PASS, NULL) == PARE_OK);
    }
    pare_candidate_done(&candidate);
    pare_strategy_free(strategy);
}

static void check(const pare_text *text, const pare_table_dialect *dialect)
{
    pare_table *table = NULL;
    require(pare_table_read(text, 0, pare_text_size(text), dialect, &table, NULL) == PARE_OK);
    if (!table) return;
    require(pare_table_check(table));
    reduce(table);
    pare_table_unref(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pare_text *text = NULL;
    pare_table_dialect dialect;
    require(pare_text_copy(data, size, &text, NULL) == PARE_OK);
    require(pare_table_detect(text, 0, size, &dialect, NULL) == PARE_OK);
    if (dialect.format != PARE_TABLE_NONE) check(text, &dialect);
    for (pare_table_format format = PARE_TABLE_DELIMITED; format <= PARE_TABLE_YAML; format++) {
        dialect = (pare_table_dialect){
            .format = format, .delimiter = ',', .n_columns = 3, .n_edges = 2, .edges = {2, 5}};
        check(text, &dialect);
    }
    pare_text_unref(text);
    return 0;
}
