/* Descriptions of cases: any bytes give a suite or a sentence. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "shootout/suite.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pare_suite suite = {0};
    pare_error err = {0};
    pare_status status =
        pare_suite_read_memory(&suite, "/nonexistent/cases.json", data, size, &err);
    if ((status == PARE_OK) != (err.message[0] == '\0')) abort();
    for (size_t i = 0; i < suite.n_cases; i++)
        if (!suite.cases[i].name || !suite.cases[i].input || !suite.cases[i].test_command) abort();
    pare_suite_done(&suite);
    return 0;
}
